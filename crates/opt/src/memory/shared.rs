//! Escape at the end of a block: references and addresses that are used in another block than where they are made.
//!
//! What a block keeps back it must make at its end, if another block looks at it.

use planish_base::SideTable;
use planish_ir::{Block, Function, Inst, Terminator, Value};
use planish_ops::{Op, Type};

/// Visits the values that the end of a block uses.
pub(super) fn for_each_use_at_end(f: &Function, block: Block, mut visit: impl FnMut(Value)) {
    let terminator = f.terminator(block);
    let mut visit_all = |values: &[Value]| values.iter().for_each(|&value| visit(value));
    visit_all(terminator.condition().as_slice());
    terminator.calls().for_each(|call| visit_all(f.list(call.args)));
    match terminator {
        Terminator::Return(results) => visit_all(f.list(*results)),
        Terminator::Throw(_, Some(exit)) => visit_all(f.exit_args(*exit)),
        _ => {}
    }
}

/// References and addresses that are used in another block than where they are made, by the block that makes them.
#[derive(Default)]
pub(super) struct Shared {
    /// With the blocks that use them.
    values: Vec<(Block, Value, Block)>,
    home: SideTable<Value, Option<Block>>,
}

impl Shared {
    /// Finds them, addresses where there is `raw` memory. O(size of the function); O(number of blocks) where only one has instructions.
    pub(super) fn find(&mut self, f: &Function, raw: bool) {
        self.values.clear();
        self.home.clear();
        let blocks = f.blocks();
        let mut working = blocks.iter().filter(|&&block| !f.block_insts(block).is_empty());
        let (Some(&first), second) = (working.next(), working.next()) else { return };
        if second.is_none() {
            self.find_uses_outside(f, first, raw);
            return;
        }
        for &block in blocks {
            for &inst in f.block_insts(block) {
                for result in f.results(inst).filter(|&result| may_be_kept_back(f, inst, result, raw)) {
                    self.home[result] = Some(block);
                }
            }
        }
        for &block in blocks {
            let mut visit = |value: Value| {
                if let Some(home) = self.home[value].filter(|&home| home != block) {
                    self.values.push((home, value, block));
                }
            };
            for_each_use_at_end(f, block, &mut visit);
            for &inst in f.block_insts(block) {
                let exit = f.inst(inst).exit.map_or(&[][..], |exit| f.exit_args(exit));
                f.args(inst).iter().chain(exit).for_each(|&value| visit(value));
            }
        }
        self.values.sort_unstable();
        self.values.dedup();
    }

    /// Finds them where one block has all instructions.
    fn find_uses_outside(&mut self, f: &Function, home: Block, raw: bool) {
        for &block in f.blocks().iter().filter(|&&block| block != home) {
            for_each_use_at_end(f, block, |value| {
                if f.def_inst(value).is_some_and(|inst| may_be_kept_back(f, inst, value, raw)) {
                    self.values.push((home, value, block));
                }
            });
        }
        self.values.sort_unstable();
        self.values.dedup();
    }

    /// Forgets them: a function is begun with of which nobody will ask.
    pub(super) fn forget(&mut self) {
        self.values.clear();
    }

    /// Those that a block makes, and what uses them.
    fn of(&self, block: Block) -> impl Iterator<Item = (Value, Block)> + '_ {
        let first = self.values.partition_point(|&(home, ..)| home < block);
        let of_block = self.values[first..].iter().take_while(move |&&(home, ..)| home == block);
        of_block.map(|&(_, value, user)| (value, user))
    }

    /// Those that one of some blocks makes, and that are used in another block than these.
    pub(super) fn behind<'a>(&'a self, blocks: &'a [Block]) -> impl Iterator<Item = Value> + 'a {
        let made = blocks.iter().flat_map(|&block| self.of(block));
        made.filter(|(_, user)| !blocks.contains(user)).map(|(value, _)| value)
    }
}

/// Whether a result may be something that is not made: a reference or, with memory outside of the heap, an address.
fn may_be_kept_back(f: &Function, inst: Inst, result: Value, raw: bool) -> bool {
    f.ty(result) == Type::Ref || raw && matches!(f.inst(inst).op, Op::Call | Op::Add)
}
