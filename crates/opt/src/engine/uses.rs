//! Use counts, kept up to date during the walk: they tell rules whether an operation of the pattern dies.
//!
//! A rule that builds as much as it removes pays only if the operations in its pattern die, that is, if
//! nothing else uses them. The counts are those of the function as the walk leaves it so far: when a
//! value takes the place of another it takes over its uses, and an operation that goes, uses its operands
//! no more. They are never too low, so "used once" is never said wrongly of a value that stays needed.

use planish_base::{Id, List};
use planish_ir::{Function, Inst, Terminator, Value};

/// The number of uses of every value.
#[derive(Default)]
pub(crate) struct Uses {
    counts: Vec<u32>,
}

impl Uses {
    /// Counts the uses in a function. O(size of the function). Exits that leave with one list
    /// of arguments may use each of them once: that is enough for "used elsewhere too".
    pub fn count(&mut self, f: &Function) {
        self.counts.clear();
        self.counts.resize(f.value_count(), 0);
        match f.all_lists() {
            Some(lists) => self.count_lists(f, lists),
            None => self.count_blocks(f),
        }
    }

    /// Counts the uses in a function out of which nothing was taken yet: one pass over memory.
    fn count_lists(&mut self, f: &Function, lists: &[Value]) {
        lists.iter().for_each(|&value| self.counts[value.index()] += 1);
        for &block in f.blocks() {
            f.block_params(block).iter().for_each(|&param| self.release(param));
            f.terminator(block).condition().into_iter().for_each(|value| self.add(value, 1));
        }
    }

    /// Counts the uses in a function as it stands.
    fn count_blocks(&mut self, f: &Function) {
        let counts = &mut self.counts;
        let mut add = |values: &[Value]| values.iter().for_each(|value| counts[value.index()] += 1);
        for &block in f.blocks() {
            let mut last = List::EMPTY;
            for &inst in f.block_insts(block) {
                add(f.args(inst));
                if let Some(exit) = f.inst(inst).exit {
                    let list = f.exit(exit).args;
                    if std::mem::replace(&mut last, list) != list {
                        add(f.list(list));
                    }
                }
            }
            let terminator = f.terminator(block);
            terminator.calls().for_each(|call| add(f.list(call.args)));
            add(terminator.condition().as_slice());
            match terminator {
                Terminator::Return(results) => add(f.list(*results)),
                Terminator::Throw(_, Some(exit)) => add(f.exit_args(*exit)),
                _ => {}
            }
        }
    }

    /// An instruction was added at the end of the function.
    pub fn add_uses_of(&mut self, f: &Function, inst: Inst) {
        f.args(inst).iter().for_each(|&value| self.add(value, 1));
        if let Some(exit) = f.inst(inst).exit {
            f.exit_args(exit).iter().for_each(|&value| self.add(value, 1));
        }
    }

    /// Whether a value has at most one use.
    pub fn once(&self, value: Value) -> bool {
        self.counts.get(value.index()).is_none_or(|&count| count <= 1)
    }

    /// Uses of `from` are uses of `to` from here on.
    pub fn take_over(&mut self, from: Value, to: Value) {
        let Some(count) = self.counts.get(from.index()).copied() else { return };
        self.add(to, count);
    }

    /// A new operation uses a value.
    pub fn add(&mut self, value: Value, count: u32) {
        let index = value.index();
        if index >= self.counts.len() {
            self.counts.resize(index + 1, 0);
        }
        self.counts[index] += count;
    }

    /// An operation that went used a value.
    pub fn release(&mut self, value: Value) {
        if let Some(count) = self.counts.get_mut(value.index()) {
            *count = count.saturating_sub(1);
        }
    }
}
