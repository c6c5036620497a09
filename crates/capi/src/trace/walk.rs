//! Walking over a trace.

use std::ptr::null;

use planish_base::Id;
use planish_ops::Int;
use planish_trace::{Const, Cursor, Leave, Operand, Slot, Step, Trace, Value};

use super::recorder::PlanishRecorder;
use crate::border::{Failed, Out, Status, alone, number, place, with};
use crate::names::NONE;

/// Numbers of values.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct PlanishValues {
    items: *const u32,
    count: usize,
}

/// A place in a trace; all zero is its beginning.
#[repr(C)]
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct PlanishCursor {
    pub block: u32,
    pub position: u32,
}

/// A step of a trace.
#[repr(C)]
pub struct PlanishStep {
    kind: u32,
    op: u32,
    word: u32,
    number: u32,
    operands: PlanishValues,
    results: PlanishValues,
    leaves: bool,
    exit: u32,
    live: PlanishValues,
    recipe_steps: usize,
}

/// A value that a recipe speaks of.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct PlanishSlot {
    made: bool,
    position: u32,
}

/// Values that a recipe speaks of.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct PlanishSlots {
    items: *const PlanishSlot,
    count: usize,
}

/// A step of a recipe.
#[repr(C)]
pub struct PlanishRecipeStep {
    op: u32,
    word: u32,
    operands: PlanishSlots,
}

/// What a value is.
#[repr(C)]
pub struct PlanishOperand {
    kind: u32,
    word: u32,
    integer: i64,
    real: f64,
}

/// A trace, and what the last step showed of it.
pub struct PlanishTrace {
    pub trace: Trace,
    pub lists: Lists,
}

/// What the last step pointed to. It is there until the next one.
#[derive(Default)]
pub struct Lists {
    operands: Vec<u32>,
    results: Vec<u32>,
    live: Vec<u32>,
    /// The steps of the recipe: operation, word, and where the operands are among the slots.
    steps: Vec<(u32, u32, std::ops::Range<usize>)>,
    slots: Vec<PlanishSlot>,
    /// Where the values among the slots begin that the other side gets.
    state: usize,
}

impl Lists {
    fn set(&mut self, operands: &[Value], results: impl Iterator<Item = Value>) {
        self.operands.clear();
        self.operands.extend(operands.iter().map(|&value| number(value)));
        self.results.clear();
        self.results.extend(results.map(number));
        self.live.clear();
        self.steps.clear();
        self.slots.clear();
        self.state = 0;
    }

    fn leave(&mut self, leave: &Leave<'_>) {
        self.live.extend(leave.live.iter().map(|&value| number(value)));
        let slot = |slot: &Slot| match *slot {
            Slot::Arg(position) => PlanishSlot { made: false, position },
            Slot::Made(position) => PlanishSlot { made: true, position },
        };
        let Some(recipe) = leave.recipe else {
            // What was asked for is what is kept.
            let positions = 0..self.live.len() as u32;
            return self.slots.extend(positions.map(|position| PlanishSlot { made: false, position }));
        };
        for step in &recipe.steps {
            let start = self.slots.len();
            self.slots.extend(recipe.operands(step).iter().map(slot));
            let word = step.descr.map_or(NONE, |descr| descr.index() as u32);
            self.steps.push((step.op as u32, word, start..self.slots.len()));
        }
        self.state = self.slots.len();
        self.slots.extend(recipe.state.iter().map(slot));
    }
}

fn values(list: &[u32]) -> PlanishValues {
    PlanishValues { items: if list.is_empty() { null() } else { list.as_ptr() }, count: list.len() }
}

fn slots(list: &[PlanishSlot]) -> PlanishSlots {
    PlanishSlots { items: if list.is_empty() { null() } else { list.as_ptr() }, count: list.len() }
}

fn show(trace: &Trace, lists: &mut Lists, step: Step<'_>) -> PlanishStep {
    let (mut op, mut word, mut place, mut exit) = (NONE, NONE, 0, None);
    let kind = match step {
        Step::Operation(operation) => {
            lists.set(operation.operands, trace.results(&operation));
            op = operation.op as u32;
            word = operation.descr.map_or(NONE, |descr| descr.index() as u32);
            place = operation.number;
            if let Some(leave) = &operation.leave {
                lists.leave(leave);
                exit = Some(leave.number);
            }
            0
        }
        Step::Loop { params, state } => {
            lists.set(state, params.iter().copied());
            1
        }
        Step::Jump(state) => {
            lists.set(state, std::iter::empty());
            2
        }
        Step::Finish(results) => {
            lists.set(results, std::iter::empty());
            3
        }
        Step::Enter { entry, state } => {
            lists.set(state, std::iter::empty());
            word = entry.index() as u32;
            4
        }
    };
    PlanishStep {
        kind,
        op,
        word,
        number: place,
        operands: values(&lists.operands),
        results: values(&lists.results),
        leaves: exit.is_some(),
        exit: exit.unwrap_or(0),
        live: values(&lists.live),
        recipe_steps: lists.steps.len(),
    }
}

/// The trace, if there is one.
fn given<T>(trace: Option<T>) -> Result<T, Failed> {
    trace.ok_or(Failed::Null("trace"))
}

/// One more than the largest number that a value of a trace has.
#[unsafe(no_mangle)]
pub extern "C" fn planish_trace_values(trace: Option<&PlanishTrace>, count: Out<'_, usize>) -> Status {
    alone(|| {
        let (trace, count) = (given(trace)?, place(count, "count")?);
        count.write(trace.trace.value_count());
        Ok(())
    })
}

/// The step at a place, which goes on to the next.
#[unsafe(no_mangle)]
pub extern "C" fn planish_trace_step(
    trace: Option<&mut PlanishTrace>,
    cursor: Option<&mut PlanishCursor>,
    step: Out<'_, PlanishStep>,
) -> Status {
    alone(|| {
        let PlanishTrace { trace, lists } = given(trace)?;
        let (cursor, step) = (cursor.ok_or(Failed::Null("cursor"))?, place(step, "step")?);
        let mut at = Cursor { block: cursor.block, position: cursor.position };
        let found = trace.step(&mut at).ok_or(Failed::End)?;
        step.write(show(trace, lists, found));
        *cursor = PlanishCursor { block: at.block, position: at.position };
        Ok(())
    })
}

/// A step of the recipe of the step that was asked for last.
#[unsafe(no_mangle)]
pub extern "C" fn planish_trace_recipe(
    trace: Option<&PlanishTrace>,
    index: usize,
    step: Out<'_, PlanishRecipeStep>,
) -> Status {
    alone(|| {
        let (lists, step) = (&given(trace)?.lists, place(step, "step")?);
        let (op, word, range) = lists.steps.get(index).ok_or(Failed::End)?;
        let operands = slots(&lists.slots[range.clone()]);
        step.write(PlanishRecipeStep { op: *op, word: *word, operands });
        Ok(())
    })
}

/// What the other side gets where the step that was asked for last leaves.
#[unsafe(no_mangle)]
pub extern "C" fn planish_trace_state(trace: Option<&PlanishTrace>, state: Out<'_, PlanishSlots>) -> Status {
    alone(|| {
        let (lists, state) = (&given(trace)?.lists, place(state, "state")?);
        state.write(slots(&lists.slots[lists.state..]));
        Ok(())
    })
}

/// What a value of a trace is that was made by a recorder.
#[unsafe(no_mangle)]
pub extern "C" fn planish_trace_operand(
    recorder: Option<&mut PlanishRecorder>,
    trace: Option<&PlanishTrace>,
    value: u32,
    operand: Out<'_, PlanishOperand>,
) -> Status {
    with(recorder, |r| {
        let (trace, operand) = (&given(trace)?.trace, place(operand, "operand")?);
        if value as usize >= trace.value_count() {
            return Err(Failed::Value(value));
        }
        let mut is = PlanishOperand { kind: 0, word: NONE, integer: 0, real: 0.0 };
        match trace.operand(Value::from_index(value as usize)) {
            Operand::Value(_) => {}
            Operand::Const(Const::Int(int)) => (is.kind, is.integer) = (1, Int::signed(int)),
            Operand::Const(Const::Real(real)) => (is.kind, is.real) = (2, real.0.to_f64()),
            Operand::Const(Const::Null) => is.kind = 3,
            Operand::Const(Const::Symbol(symbol, _)) => {
                is.kind = 4;
                is.word = r.symbols.get(symbol.index()).copied().unwrap_or(NONE);
            }
            Operand::Const(Const::Hole) => is.kind = 5,
        }
        operand.write(is);
        Ok(())
    })
}
