//! Use counts and places: how often and where each value of a function is used.
//!
//! Operations without effects that nothing needs do not count as users: they are not written.

use planish_base::{Id, Worklist};
use planish_ir::{Block, Exit, Function, Inst, Terminator, Value};
use planish_ops::{Effect, Exits};

/// Uses of values, and the blocks of operations.
pub struct Uses {
    values: Vec<Use>,
    homes: Vec<Option<Block>>,
    /// The places of operations in the order of the blocks.
    places: Vec<u32>,
    needed: Vec<bool>,
    /// Operations that are written in their place although they could be written where they are used.
    early: Vec<bool>,
}

/// How often and where a value is used.
#[derive(Clone, Copy, Default)]
struct Use {
    count: u32,
    /// The block of the first use that was seen.
    block: Option<Block>,
    /// Whether another use is in another block, or by an exit.
    scattered: bool,
    /// The place of the last use, and the operation that uses it there, if it is one.
    last: u32,
    user: Option<Inst>,
}

/// Whether an operation does nothing but compute its results.
pub fn is_pure(f: &Function, inst: Inst) -> bool {
    let row = f.row(inst);
    row.effect == Effect::Pure && row.exits == Exits::Never
}

impl Uses {
    /// Counts the uses in `blocks`.
    pub fn new(f: &Function, blocks: &[Block]) -> Self {
        let mut uses = Uses {
            values: vec![Use::default(); f.value_count()],
            homes: vec![None; f.inst_count()],
            places: vec![0; f.inst_count()],
            needed: vec![false; f.inst_count()],
            early: vec![false; f.inst_count()],
        };
        let mut place = 0;
        for &block in blocks {
            for &inst in f.block_insts(block) {
                uses.homes[inst.index()] = Some(block);
                uses.places[inst.index()] = place;
                place += 1;
            }
            // The end of a block has a place, too.
            place += 1;
        }
        let mut work = Worklist::default();
        let mut place = 0;
        for &block in blocks {
            place += f.block_insts(block).len() as u32;
            for &inst in f.block_insts(block) {
                if !is_pure(f, inst) {
                    uses.need(f, inst, &mut work);
                }
            }
            let terminator = f.terminator(block);
            let mut used: Vec<Value> = terminator.condition().into_iter().collect();
            for call in terminator.calls() {
                used.extend_from_slice(f.list(call.args));
            }
            if let Terminator::Return(results) = terminator {
                used.extend_from_slice(f.list(*results));
            }
            if let Terminator::Throw(_, Some(exit)) = terminator {
                uses.exit(f, *exit, &mut work);
            }
            for value in used {
                uses.note(value, block, (place, None), &mut work);
            }
            place += 1;
        }
        while let Some(value) = work.pop() {
            if let Some(inst) = f.def_inst(value) {
                uses.need(f, inst, &mut work);
            }
        }
        uses
    }

    /// An operation that is written uses its operands.
    fn need(&mut self, f: &Function, inst: Inst, work: &mut Worklist<Value>) {
        let Some(block) = self.homes[inst.index()] else { return };
        if std::mem::replace(&mut self.needed[inst.index()], true) {
            return;
        }
        for &value in f.args(inst) {
            self.note(value, block, (self.places[inst.index()], Some(inst)), work);
        }
        if let Some(exit) = f.inst(inst).exit {
            self.exit(f, exit, work);
        }
    }

    fn note(
        &mut self,
        value: Value,
        block: Block,
        (place, user): (u32, Option<Inst>),
        work: &mut Worklist<Value>,
    ) {
        let uses = &mut self.values[value.index()];
        if place >= uses.last {
            (uses.last, uses.user) = (place, user);
        }
        uses.count += 1;
        uses.scattered |= uses.block.is_some_and(|other| other != block);
        uses.block = Some(block);
        work.push(value);
    }

    fn exit(&mut self, f: &Function, exit: Exit, work: &mut Worklist<Value>) {
        for &value in f.exit_args(exit) {
            let uses = &mut self.values[value.index()];
            uses.count += 1;
            uses.scattered = true;
            work.push(value);
        }
    }

    /// How often a value is used.
    pub fn count(&self, value: Value) -> u32 {
        self.values[value.index()].count
    }

    /// Whether every use is in `block`, and none by an exit.
    pub fn only_in(&self, value: Value, block: Block) -> bool {
        let uses = self.values[value.index()];
        !uses.scattered && uses.block.is_none_or(|other| other == block)
    }

    /// Whether an operation is written at all.
    pub fn is_needed(&self, inst: Inst) -> bool {
        self.needed[inst.index()]
    }

    /// Whether an operation is written in its place: it is needed, and not written where it is used.
    pub fn is_root(&self, f: &Function, inst: Inst) -> bool {
        let is_deferred =
            || is_pure(f, inst) && f.results(inst).all(|value| self.deferred(f, value).is_some());
        self.is_needed(inst) && !is_deferred()
    }

    /// The operation that makes a value where it is used, and not before.
    pub fn deferred(&self, f: &Function, value: Value) -> Option<Inst> {
        let inst = f.def_inst(value)?;
        let home = self.homes[inst.index()]?;
        let is_late = is_pure(f, inst) && !self.early[inst.index()];
        (is_late && self.count(value) == 1 && self.only_in(value, home)).then_some(inst)
    }

    /// The operation that uses a value last; none if a terminator does, or only exits do.
    pub fn user(&self, value: Value) -> Option<Inst> {
        self.values[value.index()].user
    }

    /// Where an operation stands among all of them.
    pub fn place(&self, inst: Inst) -> u32 {
        self.places[inst.index()]
    }

    /// Lets an operation be written in its place.
    pub fn hasten(&mut self, inst: Inst) {
        self.early[inst.index()] = true;
    }
}
