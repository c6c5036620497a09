//! Instructions of a function that are marked to be removed.

use planish_base::Id;
use planish_ir::{Function, Inst};

/// Instructions that are to go.
pub(super) struct Marked {
    is_marked: Vec<bool>,
    count: u64,
}

impl Marked {
    /// None so far.
    pub(super) fn new(f: &Function) -> Self {
        Marked { is_marked: vec![false; f.inst_count()], count: 0 }
    }

    /// An instruction is to go.
    pub(super) fn add(&mut self, inst: Inst) {
        let mark = &mut self.is_marked[inst.index()];
        self.count += u64::from(!std::mem::replace(mark, true));
    }

    /// Removes them from the blocks of their function. Gives their number.
    pub(super) fn remove(self, f: &mut Function) -> u64 {
        if self.count > 0 {
            for block in f.blocks().to_vec() {
                let insts = f.block_insts(block);
                let is_kept = |inst: &Inst| !self.is_marked.get(inst.index()).is_some_and(|mark| *mark);
                if !insts.iter().all(is_kept) {
                    let kept = insts.iter().copied().filter(is_kept).collect();
                    f.replace_insts(block, kept);
                }
            }
        }
        self.count
    }
}
