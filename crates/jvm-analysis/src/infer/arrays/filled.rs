//! Initialization analysis of arrays: arrays that are filled where they are made.
//!
//! `{a, b, c}` is an array of a constant length, and a store for each of its items, one after the other. If nothing else
//! touches the array up to the last of them, nobody sees the zeros that it held before. Where something in between
//! throws, nobody has the array. O(instructions of the block).

use hashbrown::HashMap;
use planish_ir::{Block, Function, Inst, Value};
use planish_ops::Op;
use rustc_hash::FxBuildHasher;

/// The arrays that a block makes and has begun to fill.
#[derive(Default)]
pub(super) struct Filling {
    /// By array how many items are set so far, and how many it has.
    begun: HashMap<Value, (i64, i64), FxBuildHasher>,
    /// Those that are filled, or came to their end otherwise.
    done: Vec<(Value, bool)>,
}

impl Filling {
    /// Shows each array that a block makes by an instruction of its own, and whether it is filled there.
    pub fn block(&mut self, f: &Function, block: Block, mut see: impl FnMut(Value, bool)) {
        for &inst in f.block_insts(block) {
            self.touch(f, inst);
            if f.inst(inst).op == Op::NewArray {
                match f.int_constant(f.args(inst)[0]).map(|length| length.signed()) {
                    Some(0) => self.done.push((f.result(inst), true)),
                    Some(length) if length > 0 => drop(self.begun.insert(f.result(inst), (0, length))),
                    _ => self.done.push((f.result(inst), false)),
                }
            }
        }
        self.done.extend(self.begun.drain().map(|(array, _)| (array, false)));
        // The order of a hash table is none.
        self.done.sort_unstable_by_key(|(array, _)| *array);
        self.done.drain(..).for_each(|(array, is_filled)| see(array, is_filled));
    }

    /// What an instruction does to the arrays that are being filled.
    fn touch(&mut self, f: &Function, inst: Inst) {
        if self.begun.is_empty() {
            return;
        }
        let mut end = |array: &Value, begun: &mut HashMap<_, _, _>| {
            if begun.remove(array).is_some() {
                self.done.push((*array, false));
            }
        };
        // A handler sees what is there so far.
        if let Some(exit) = f.inst(inst).exit {
            f.exit_args(exit).iter().for_each(|value| end(value, &mut self.begun));
        }
        match (f.inst(inst).op, f.args(inst)) {
            (Op::SetItem, [array, place, stored]) => {
                end(stored, &mut self.begun);
                let Some((set, length)) = self.begun.get_mut(array) else { return };
                if f.int_constant(*place).is_none_or(|place| place.signed() != *set) {
                    return end(array, &mut self.begun);
                }
                *set += 1;
                if *set == *length {
                    self.begun.remove(array);
                    self.done.push((*array, true));
                }
            }
            (_, args) => args.iter().for_each(|value| end(value, &mut self.begun)),
        }
    }
}
