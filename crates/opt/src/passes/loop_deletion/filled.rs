//! Arrays that are only filled: nobody reads an item of them, or gets them.

use planish_base::Id;
use planish_ir::liveness::for_each_use;
use planish_ir::{Function, Inst};
use planish_ops::Op;

/// By value, whether it is an array that the function makes, in which items are set and whose length is asked for, and which
/// nobody uses for anything else. O(function).
pub(super) fn only_filled(f: &Function) -> Vec<bool> {
    let mut filled = vec![false; f.value_count()];
    let makes = |inst: &Inst| f.inst(*inst).op == Op::NewArray;
    let made: Vec<_> = f.live_insts().map(|(_, inst)| inst).filter(makes).collect();
    if made.is_empty() {
        return filled;
    }
    // How often each value is used otherwise.
    let mut uses = vec![0i64; f.value_count()];
    for &block in f.blocks() {
        for_each_use(f, block, |_, value| uses[value.index()] += 1);
        for &inst in f.block_insts(block) {
            if let Op::SetItem | Op::ArrayLen | Op::NullCheck = f.inst(inst).op {
                uses[f.args(inst)[0].index()] -= 1;
            }
        }
    }
    for inst in made {
        let array = f.result(inst);
        filled[array.index()] = uses[array.index()] == 0;
    }
    filled
}
