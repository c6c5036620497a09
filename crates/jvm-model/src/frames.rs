//! Stack map frames (`StackMapTable`) by type inference: the types at branch targets of code that was made.
//!
//! A forward analysis over the instructions (Kildall, *A unified approach to global program
//! optimization*, 1973) with the rules that the verifier uses. States are kept at targets only;
//! between them instructions run straight on. Types at a target are merged to the nearest common
//! class, in the order in which targets stand, so that the result does not depend on anything else.
//! A local whose types do not merge becomes unusable, a stack entry is an error. Instructions that
//! nothing reaches are an error, too: a frame for them would have to be invented.

use std::collections::BTreeSet;

use planish_classfile::frame::{Frame, difference};
use planish_classfile::{Code, ConstantPool, Insn};

use crate::state::{State, VerifyError};
use crate::transfer::{Machine, MethodInfo, changes_locals};
use crate::verify::{ActiveHandlers, caught_state, entry_locals};
use crate::vtype::TypeContext;

/// The types at the targets of a method, in ascending order of positions.
pub struct Targets {
    entry: State,
    states: Vec<(u32, State)>,
}

/// Finds the types at every target of a jump and at every handler.
pub fn infer(
    code: &Code,
    method: &MethodInfo<'_>,
    context: &mut TypeContext<'_>,
) -> Result<Targets, VerifyError> {
    let entry = method.entry(code.max_locals, context).map_err(|message| error(0, message))?;
    let mut flow = Flow::new(code, method)?;
    match flow.is_target.first() {
        Some(true) => flow.merge(0, &entry, context)?,
        _ => flow.run(0, entry.clone(), context)?,
    }
    while let Some(start) = flow.work.pop_first() {
        let state = flow.states[flow.place(start)].clone().expect("what is in the list has a state");
        flow.run(start, state, context)?;
    }
    if let Some(at) = flow.reached.iter().position(|reached| !reached) {
        return Err(error(at as u32, "nothing leads here".into()));
    }
    let states = flow.targets.into_iter().zip(flow.states);
    Ok(Targets { entry, states: states.filter_map(|(at, state)| Some((at, state?))).collect() })
}

fn error(at: u32, message: String) -> VerifyError {
    VerifyError { at, message }
}

/// The analysis on its way to the fixed point.
struct Flow<'c, 'm> {
    code: &'c Code,
    method: &'c MethodInfo<'m>,
    is_target: Vec<bool>,
    /// The targets, in ascending order.
    targets: Vec<u32>,
    /// What is known at each of them, once something leads there.
    states: Vec<Option<State>>,
    /// By instruction whether something leads there.
    reached: Vec<bool>,
    /// Targets whose states changed since instructions were run from there.
    work: BTreeSet<u32>,
}

impl<'c, 'm> Flow<'c, 'm> {
    fn new(code: &'c Code, method: &'c MethodInfo<'m>) -> Result<Self, VerifyError> {
        let count = code.instructions.len();
        let mut is_target = vec![false; count];
        let jumps = code.instructions.iter().flat_map(|instruction| instruction.targets());
        for target in jumps.chain(code.handlers.iter().map(|handler| handler.target)) {
            match is_target.get_mut(target as usize) {
                Some(place) => *place = true,
                None => return Err(error(target, "a target after the last instruction".into())),
            }
        }
        let targets: Vec<u32> = (0..count as u32).filter(|&at| is_target[at as usize]).collect();
        let states = vec![None; targets.len()];
        let (reached, work) = (vec![false; count], BTreeSet::new());
        Ok(Flow { code, method, is_target, targets, states, reached, work })
    }

    fn place(&self, target: u32) -> usize {
        self.targets.binary_search(&target).expect("every target is in the list")
    }

    /// Control gets to a target with these types.
    fn merge(
        &mut self,
        target: u32,
        state: &State,
        context: &mut TypeContext<'_>,
    ) -> Result<(), VerifyError> {
        let place = self.place(target);
        let changed = match &mut self.states[place] {
            Some(known) => known.merge(state, context).map_err(|message| error(target, message))?,
            unknown => {
                *unknown = Some(state.clone());
                true
            }
        };
        if changed {
            self.work.insert(target);
        }
        Ok(())
    }

    /// Runs instructions from `start` to the next target, or to where control does not go on.
    fn run(
        &mut self,
        start: u32,
        mut state: State,
        context: &mut TypeContext<'_>,
    ) -> Result<(), VerifyError> {
        let (code, method) = (self.code, self.method);
        let mut active = ActiveHandlers::new(&code.handlers);
        // Handlers get locals only, so they are asked again when these changed.
        let mut has_new_locals = true;
        let mut at = start;
        loop {
            let Some(instruction) = code.instructions.get(at as usize) else {
                return Err(error(at, "control runs off the end".into()));
            };
            self.reached[at as usize] = true;
            let has_new_handlers = active.go_to(at);
            let asked = if has_new_locals || has_new_handlers { active.current() } else { &[] };
            for &&handler in asked {
                let caught = caught_state(&state, handler, method, context).map_err(|m| error(at, m))?;
                self.merge(handler.target, &caught, context)?;
            }
            let mut machine = Machine { context, method, state };
            machine.execute(instruction, at).map_err(|message| error(at, message))?;
            state = machine.state;
            has_new_locals = changes_locals(instruction.op);
            for target in instruction.targets() {
                self.merge(target, &state, context)?;
            }
            if instruction.op.ends_flow() {
                return Ok(());
            }
            at += 1;
            if self.is_target.get(at as usize) == Some(&true) {
                return self.merge(at, &state, context);
            }
        }
    }
}

impl Targets {
    /// The positions and types.
    pub fn states(&self) -> &[(u32, State)] {
        &self.states
    }

    /// The types before each instruction, in their order, of the code of which these are the targets.
    pub fn each<'h>(
        &self,
        code: &Code,
        method: &MethodInfo<'_>,
        context: &mut TypeContext<'h>,
        mut see: impl FnMut(u32, &Insn, &State, &TypeContext<'h>),
    ) -> Result<(), VerifyError> {
        let mut targets = self.states.iter().peekable();
        let mut flow = Some(self.entry.clone());
        for (at, instruction) in (0..).zip(&code.instructions) {
            if let Some((_, state)) = targets.next_if(|(target, _)| *target == at) {
                flow = Some(state.clone());
            }
            let Some(state) = flow.take() else {
                return Err(VerifyError { at, message: "nothing leads here".into() });
            };
            see(at, instruction, &state, context);
            let mut machine = Machine { context: &mut *context, method, state };
            machine.execute(instruction, at).map_err(|message| VerifyError { at, message })?;
            flow = (!instruction.op.ends_flow()).then_some(machine.state);
        }
        Ok(())
    }

    /// The frames, each in its shortest form. Classes that they name are added to the pool, and no others.
    pub fn frames(
        &self,
        context: &TypeContext<'_>,
        pool: &mut ConstantPool<'_>,
    ) -> planish_classfile::Result<Vec<Frame>> {
        let mut before = entry_locals(&self.entry);
        let mut frames = Vec::with_capacity(self.states.len());
        for (at, state) in &self.states {
            let here = entry_locals(state);
            let form = difference((&here, &state.stack), &before, |&ty| context.to_frame(ty, pool))?;
            frames.push(Frame { at: *at, form });
            before = here;
        }
        Ok(frames)
    }
}
