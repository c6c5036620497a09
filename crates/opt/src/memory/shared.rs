//! Escape at the end of a block: references that are used in another block than where they are made.
//!
//! What a block keeps back it must make at its end, if another block looks at it.

use planish_base::SideTable;
use planish_ir::{Block, Function, Terminator, Value};
use planish_ops::Type;

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

/// References that are used in another block than where they are made, by the block that makes them.
#[derive(Default)]
pub(super) struct Shared {
    values: Vec<(Block, Value)>,
    home: SideTable<Value, Option<Block>>,
}

impl Shared {
    /// Finds them. O(size of the function); O(number of blocks) where only one has instructions.
    pub(super) fn find(&mut self, f: &Function) {
        self.values.clear();
        self.home.clear();
        let blocks = f.blocks();
        let mut working = blocks.iter().filter(|&&block| !f.block_insts(block).is_empty());
        let (Some(&first), second) = (working.next(), working.next()) else { return };
        if second.is_none() {
            self.find_uses_outside(f, first);
            return;
        }
        for &block in blocks {
            for &inst in f.block_insts(block) {
                for result in f.results(inst).filter(|&result| f.ty(result) == Type::Ref) {
                    self.home[result] = Some(block);
                }
            }
        }
        for &block in blocks {
            let mut visit = |value: Value| {
                if let Some(home) = self.home[value].filter(|&home| home != block) {
                    self.values.push((home, value));
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
    fn find_uses_outside(&mut self, f: &Function, home: Block) {
        for &block in f.blocks().iter().filter(|&&block| block != home) {
            for_each_use_at_end(f, block, |value| {
                if f.def_inst(value).is_some() && f.ty(value) == Type::Ref {
                    self.values.push((home, value));
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

    /// Those that a block makes.
    pub(super) fn of(&self, block: Block) -> impl Iterator<Item = Value> + '_ {
        let first = self.values.partition_point(|&(home, _)| home < block);
        self.values[first..].iter().take_while(move |&&(home, _)| home == block).map(|&(_, value)| value)
    }
}
