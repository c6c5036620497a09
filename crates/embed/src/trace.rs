//! A recorded trace, and the walk over it that a code generator makes.

use planish_base::Id;
use planish_ir::function::{ExitTarget, Terminator};
use planish_ir::text::{ValueNames, listing};
use planish_ir::{Block, Const, Function, Inst, Recipe, Value};
use planish_ops::world::Descr;
use planish_ops::{Op, Type};
use planish_opt::bridge::{Parent, Taken, handed_over};

use crate::words::Words;

/// A trace: inputs, perhaps some operations, perhaps a loop.
#[derive(Clone)]
pub struct Trace {
    pub(crate) function: Function,
    /// Whether it begins with what its parent knows, which goes again when it is optimized.
    pub(crate) told: bool,
}

/// Where a value comes from, for code generators.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Operand {
    /// An input, a parameter of the loop, or the result of a step before.
    Value(Value),
    /// A constant.
    Const(Const),
}

/// One step of a trace.
#[derive(Clone, Copy, Debug)]
pub enum Step<'a> {
    /// The loop begins: its parameters take these values, and take new ones at each jump back.
    Loop {
        /// The parameters.
        params: &'a [Value],
        /// What they begin with.
        state: &'a [Value],
    },
    /// An operation.
    Operation(Operation<'a>),
    /// Back to the head of the loop with these values for its parameters; [`Trace::jumps_to`] says which, where there are two.
    Jump(&'a [Value]),
    /// The end, with results.
    Finish(&'a [Value]),
    /// The end: on at the head of another trace's loop.
    Enter {
        /// The entry of that loop.
        entry: Descr,
        /// What it takes, in order.
        state: &'a [Value],
    },
}

/// A place in a trace: its beginning, until [`Trace::step`] goes on from there.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Cursor {
    /// The number of blocks that were walked over.
    pub block: u32,
    /// The number of operations of the block at hand that were.
    pub position: u32,
}

/// An operation of a trace.
#[derive(Clone, Copy, Debug)]
pub struct Operation<'a> {
    /// What it does.
    pub op: Op,
    /// Its operands.
    pub operands: &'a [Value],
    /// Its results: `count` values from the first on, which [`Trace::results`] lists.
    inst: Inst,
    /// The field, array, class or function that it names.
    pub descr: Option<Descr>,
    /// How it leaves the trace, if it may.
    pub leave: Option<Leave<'a>>,
    /// Its number as it was recorded, from 1; that of an operation which the optimizer made is that of the
    /// operation it was made for.
    pub number: u32,
}

/// How a guard leaves the trace.
#[derive(Clone, Copy, Debug)]
pub struct Leave<'a> {
    /// The number of the exit, as the recorder was told.
    pub number: u32,
    /// The values that are kept for it: those that were asked for, in order, if there is no recipe.
    pub live: &'a [Value],
    /// How what was asked for is made of `live`, where objects that only guards see are not made before.
    pub recipe: Option<&'a Recipe>,
}

impl Trace {
    pub(crate) fn new(function: Function, told: bool) -> Self {
        Trace { function, told }
    }

    /// The inputs.
    pub fn inputs(&self) -> &[Value] {
        self.function.params()
    }

    /// The type of a value.
    pub fn ty(&self, value: Value) -> Type {
        self.function.ty(value)
    }

    /// The types of what a bridge takes that goes on from an exit: of what its guard was recorded with. Nothing where no guard leaves
    /// there any more. O(length).
    pub fn handed_over(&self, exit: u32) -> Option<Vec<Type>> {
        handed_over(Parent { function: &self.function, exit }, Taken::State)
    }

    /// The types of what is kept for an exit, which a bridge takes that makes objects itself. Nothing where no guard leaves there any
    /// more, or several keep different things. O(length).
    pub fn kept(&self, exit: u32) -> Option<Vec<Type>> {
        handed_over(Parent { function: &self.function, exit }, Taken::Kept)
    }

    /// What a value is to a code generator.
    pub fn operand(&self, value: Value) -> Operand {
        match self.function.constant(value) {
            Some(constant) => Operand::Const(constant),
            None => Operand::Value(value),
        }
    }

    /// The results of an operation.
    pub fn results(&self, operation: &Operation<'_>) -> impl ExactSizeIterator<Item = Value> + use<> {
        self.function.results(operation.inst)
    }

    /// The number of a value, for tables over values.
    pub fn number(&self, value: Value) -> usize {
        value.index()
    }

    /// The trace in the `.ssa` text, for people; a value goes by its number.
    pub fn text(&self, words: &Words) -> String {
        let mut names = ValueNames::new();
        for value in (0..self.value_count()).map(Value::from_index) {
            names[value] = Some(format!("v{}", value.index()).into());
        }
        let lines = listing(words.tables(), &self.function, &names);
        lines.into_iter().map(|line| line.text + "\n").collect()
    }

    /// What the verifier finds wrong with the trace: nothing, or there is a mistake in Planish. O(length).
    pub fn violations(&self) -> Vec<String> {
        let found = planish_ir::verify::verify(&self.function, planish_ir::Form::Trace);
        found.iter().map(|violation| format!("{violation:?}")).collect()
    }

    /// One more than the largest number that a value of the trace has: the size of a table over values.
    pub fn value_count(&self) -> usize {
        self.function.value_count()
    }

    /// The number of operations.
    pub fn len(&self) -> usize {
        self.function.live_insts().filter(|&(_, inst)| self.function.inst(inst).op != Op::Marker).count()
    }

    /// Whether there is nothing to do in the trace.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// To which of its loop heads the trace jumps at its end, by their order among the steps: the first iteration of a loop
    /// that was peeled has a head of its own, and the body may go back to either.
    pub fn jumps_to(&self) -> Option<usize> {
        let (&last, heads) = (self.function.blocks().last()?, &self.function.blocks()[1..]);
        match self.function.terminator(last) {
            Terminator::Jump(call) => heads.iter().position(|&head| head == call.block),
            _ => None,
        }
    }

    /// The trace from its beginning.
    pub fn steps(&self) -> impl Iterator<Item = Step<'_>> {
        let mut cursor = Cursor::default();
        std::iter::from_fn(move || self.step(&mut cursor))
    }

    /// The step at a place, which goes on to the next; nothing at the end. For those who cannot hold an iterator.
    pub fn step(&self, cursor: &mut Cursor) -> Option<Step<'_>> {
        loop {
            let &block = self.function.blocks().get(cursor.block as usize)?;
            if let Some(&inst) = self.function.block_insts(block).get(cursor.position as usize) {
                cursor.position += 1;
                // It says where the trace goes on, which is its last step.
                if self.function.inst(inst).op == Op::Marker {
                    continue;
                }
                return Some(Step::Operation(self.operation(inst)));
            }
            *cursor = Cursor { block: cursor.block + 1, position: 0 };
            if let Some(step) = self.end(block, self.function.blocks().get(cursor.block as usize).copied()) {
                return Some(step);
            }
        }
    }

    /// What stands at the end of a block.
    fn end(&self, block: Block, next: Option<Block>) -> Option<Step<'_>> {
        match self.function.terminator(block) {
            Terminator::Jump(call) if Some(call.block) == next => {
                let (params, state) = (self.function.block_params(call.block), self.function.list(call.args));
                Some(Step::Loop { params, state })
            }
            Terminator::Jump(call) => Some(Step::Jump(self.function.list(call.args))),
            Terminator::Return(results) => {
                let state = self.function.list(*results);
                Some(match self.function.goes_on_at(block) {
                    Some(entry) => Step::Enter { entry, state },
                    None => Step::Finish(state),
                })
            }
            // A trace that leaves always has nothing behind the guard that does.
            _ => None,
        }
    }

    fn operation(&self, inst: Inst) -> Operation<'_> {
        let data = self.function.inst(inst);
        let leave = data.exit.and_then(|exit| match self.function.exit(exit).target {
            ExitTarget::Leave(number) => {
                let (live, recipe) = (self.function.exit_args(exit), self.function.recipe(exit));
                Some(Leave { number, live, recipe })
            }
            _ => None,
        });
        Operation {
            op: data.op,
            operands: self.function.args(inst),
            inst,
            descr: data.descr,
            leave,
            number: data.location.0,
        }
    }
}
