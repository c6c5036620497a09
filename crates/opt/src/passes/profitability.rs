//! Profitability of load elimination on a stack machine: whether a load of a known value costs more than keeping the
//! value.
//!
//! On a stack machine a value that is used once, where it is made, takes no instruction to keep, and one that is used
//! again later takes two: a copy and a store. Kept beyond its block, it is one more variable of which every target of a
//! jump on the way has to say what it is, which counts as one more. A load takes one more than its operands. So the
//! loads of one value are looked at together: they go if that makes no more instructions. A load whose result only
//! another one uses that goes as well goes with it for nothing.

use planish_base::{Id, SideTable};
use planish_ir::liveness::for_each_use;
use planish_ir::{Block, Def, Function, Inst, Value};

/// A load of what is known.
pub(super) struct Known {
    /// The load.
    pub inst: Inst,
    /// What it gives.
    pub value: Value,
}

/// Which of the loads that were found go.
pub(super) struct Choice<'a> {
    f: &'a Function,
    found: &'a [Known],
    /// How often each value is used.
    uses: Vec<u32>,
    /// The block that makes it.
    home: SideTable<Value, Option<Block>>,
    /// Whether it is used in another block.
    is_far: Vec<bool>,
    /// The number of a load by its result, from 1.
    number: SideTable<Value, u32>,
    goes: Vec<bool>,
}

impl<'a> Choice<'a> {
    /// Counts uses. O(function).
    pub fn new(f: &'a Function, found: &'a [Known]) -> Self {
        let mut uses = vec![0u32; f.value_count()];
        let mut is_far = vec![false; f.value_count()];
        let mut home: SideTable<Value, Option<Block>> = SideTable::new();
        for (block, inst) in f.live_insts() {
            f.results(inst).for_each(|result| home[result] = Some(block));
        }
        for &block in f.blocks() {
            for_each_use(f, block, |_, value| {
                uses[value.index()] += 1;
                is_far[value.index()] |= home[value].is_some_and(|home| home != block);
            });
        }
        let mut number = SideTable::new();
        for (load, at) in found.iter().zip(1..) {
            number[f.result(load.inst)] = at;
        }
        Choice { f, found, uses, home, is_far, number, goes: vec![false; found.len()] }
    }

    /// For each load whether it goes. Loads from what other loads give come first: those may go for nothing then.
    pub fn choose(mut self) -> Vec<bool> {
        let mut groups: Vec<Vec<usize>> = Vec::new();
        let mut group_of: SideTable<Value, u32> = SideTable::new();
        for (load, at) in self.found.iter().zip(0..) {
            let group = &mut group_of[load.value];
            if *group == 0 {
                groups.push(Vec::new());
                *group = groups.len() as u32;
            }
            groups[*group as usize - 1].push(at);
        }
        for group in groups.iter().rev() {
            self.decide(group);
        }
        self.goes
    }

    /// Whether the loads of one value go.
    fn decide(&mut self, group: &[usize]) {
        let value = self.found[group[0]].value;
        let mut worth = 0;
        for &at in group {
            let cost = self.cost(at, 0);
            // The place of the load takes one instruction that brings the value.
            worth += if self.uses_of(self.f.result(self.found[at].inst)) > 0 { cost - 1 } else { cost };
        }
        let results = group.iter().map(|&at| self.f.result(self.found[at].inst));
        let mut used = results.filter(|&result| self.uses_of(result) > 0).peekable();
        let is_used = used.peek().is_some();
        let leaves = used.any(|result| self.home[result] != self.home[value] || self.is_far[result.index()]);
        if is_used && worth < self.price_of_keeping(value, leaves) {
            return;
        }
        for &at in group {
            let inst = self.found[at].inst;
            self.goes[at] = true;
            self.uses[value.index()] += self.uses_of(self.f.result(inst));
            self.f.args(inst).iter().for_each(|arg| self.uses[arg.index()] -= 1);
        }
    }

    fn uses_of(&self, value: Value) -> u32 {
        self.uses[value.index()]
    }

    /// How many instructions a load takes with what it alone uses.
    fn cost(&self, at: usize, depth: u32) -> i64 {
        let operand = |&arg: &Value| match self.number[arg] {
            // A load that goes when this one does.
            number @ 1.. if self.uses_of(arg) == 1 && depth < 8 => self.cost(number as usize - 1, depth + 1),
            _ => 1,
        };
        1 + self.f.args(self.found[at].inst).iter().map(operand).sum::<i64>()
    }

    /// How many instructions it takes to have a value once more, later, perhaps in another block.
    fn price_of_keeping(&self, value: Value, leaves: bool) -> i64 {
        match self.f.def(value) {
            Def::Const(_) | Def::Param(..) => 0,
            Def::Result(..) if self.is_far[value.index()] => 0,
            // It is stored, and copied before that if its use needs it where it is.
            Def::Result(..) => i64::from(leaves) + if self.uses_of(value) > 1 { 1 } else { 2 },
        }
    }
}
