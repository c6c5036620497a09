//! Global value numbering, optimistic, by repeated walks in reverse postorder (Simpson 1996, RPO numbering): finds
//! values that are equal around loops.
//!
//! The walk of the engine is pessimistic at the header of a loop: two parameters are different until shown
//! equal, and what shows it comes later. Here all values are equal until shown different: value numbering by
//! repeated walks in reverse postorder (Simpson 1996). Two parameters of a block are equal when the same
//! edges bring equal values; a parameter is what all edges bring, itself apart.
//!
//! ```text
//! i = 0; j = 0; while ... { i = i + 1; j = j + 1 }     j is i
//! ```
//!
//! A value is replaced by the first that equals it where that dominates it; what then is unused goes with
//! the rest that is dead. Functions without loops have nothing to find here. O(size) a walk, at most [`WALKS`];
//! a function that needs more is left as it is.

use std::hash::BuildHasher;

use hashbrown::HashTable;
use planish_base::{SideTable, fault};
use planish_ir::dominators::Dominators;
use planish_ir::{Cfg, Def, Function, Inst, Value};
use planish_ops::{Effect, Exits, Op, Type};
use rustc_hash::FxBuildHasher;

use planish_pass::{Became, Example, FunctionPass, PassCx, PassInfo};

/// How often a function is walked.
pub const WALKS: usize = 24;

/// Equates values.
pub const PASS: FunctionPass = FunctionPass {
    info: PassInfo {
        aliases: &["congruence"],
        source: "Simpson, \"Value-Driven Redundancy Elimination\", 1996",
        handlers: false,
        analyses: &["edges", "dominators"],
        example: Example { file: "gvn.ssa", text: include_str!("examples/gvn.ssa") },
        test: "crates/opt/src/passes/gvn.rs",
        ..PassInfo::new(
            "gvn",
            "Global value numbering, optimistic: loop variables and operations that are always equal become one.",
        )
    },
    run,
};

fn run(f: &mut Function, cx: &mut PassCx<'_>) {
    let cfg = cx.get::<Cfg>(f);
    let goes_back = |&(from, to): &(u32, u32)| to <= from;
    if !cfg.succs().edges().any(|edge| goes_back(&edge)) {
        return;
    }
    let mut numbering = Numbering {
        f,
        cfg: &cfg,
        leaders: SideTable::new(),
        arguments: arguments(f, &cfg),
        table: HashTable::new(),
        keys: Vec::new(),
        changed: true,
    };
    for _ in 0..WALKS {
        if !std::mem::take(&mut numbering.changed) {
            break;
        }
        numbering.walk();
    }
    if numbering.changed {
        return;
    }
    let leaders = numbering.leaders;
    let dominators = cx.get::<Dominators>(f);
    let place = |f: &Function, value: Value, stands: &SideTable<Inst, (u32, u32)>| match f.def(value) {
        Def::Const(_) => (0, 0),
        Def::Param(block, _) => (cfg.number(block).unwrap_or(0), 0),
        Def::Result(inst, _) => stands[inst],
    };
    let mut stands: SideTable<Inst, (u32, u32)> = SideTable::new();
    for (number, &block) in (0..).zip(cfg.order()) {
        for (&inst, position) in f.block_insts(block).iter().zip(1..) {
            stands[inst] = (number, position);
        }
    }
    let mut replaced: SideTable<Value, Option<Value>> = SideTable::new();
    let mut any = false;
    let mut consider = |f: &Function, value: Value, cx: &mut PassCx<'_>| {
        let Some(leader) = leaders[value].filter(|&leader| leader != value) else { return };
        let (of, by) = (place(f, value, &stands), place(f, leader, &stands));
        let before = if of.0 == by.0 { by.1 <= of.1 } else { dominators.dominates(by.0, of.0) };
        let became = Became::Value { of: value, is: leader };
        if before && cx.rewrite_somewhere(became) {
            replaced[value] = Some(leader);
            any = true;
        }
    };
    for &block in cfg.order() {
        if block != f.entry() {
            f.block_params(block).iter().for_each(|&param| consider(f, param, cx));
        }
        for &inst in f.block_insts(block) {
            f.results(inst).for_each(|result| consider(f, result, cx));
        }
    }
    if any {
        // A leader leads itself, so one step is all there is.
        f.map_uses(|value| replaced[value].unwrap_or(value));
    }
}

/// What each parameter of a block is given, an edge after the other: by parameter.
fn arguments(f: &Function, cfg: &Cfg) -> SideTable<Value, Vec<Value>> {
    let mut arguments: SideTable<Value, Vec<Value>> = SideTable::new();
    for &block in cfg.order() {
        for call in f.block_calls(block) {
            for (&param, &arg) in f.block_params(call.block).iter().zip(f.list(call.args)) {
                arguments[param].push(arg);
            }
        }
    }
    arguments
}

/// What makes a value, in leaders.
#[derive(Clone, PartialEq, Eq, Hash)]
enum Key {
    /// An operation with one result.
    Op(Op, Type, Vec<Value>),
    /// A parameter of a block, by what edges bring.
    Param(u32, Vec<Option<Value>>),
}

struct Numbering<'a> {
    f: &'a Function,
    cfg: &'a Cfg,
    /// The first value that equals a value, as far as is known; nothing before it was seen.
    leaders: SideTable<Value, Option<Value>>,
    arguments: SideTable<Value, Vec<Value>>,
    /// Positions in `keys`.
    table: HashTable<usize>,
    keys: Vec<(Key, Value)>,
    changed: bool,
}

impl Numbering<'_> {
    fn walk(&mut self) {
        self.table.clear();
        self.keys.clear();
        for (number, &block) in (0..).zip(self.cfg.order()) {
            for &param in self.f.block_params(block) {
                let leader = self.param(block == self.f.entry(), number, param);
                self.lead(param, leader);
            }
            for &inst in self.f.block_insts(block) {
                self.inst(inst);
            }
        }
    }

    fn leader(&self, value: Value) -> Option<Value> {
        match self.f.def(value) {
            Def::Const(_) => Some(value),
            _ => self.leaders[value],
        }
    }

    fn lead(&mut self, value: Value, leader: Value) {
        if self.leaders[value] != Some(leader) {
            self.leaders[value] = Some(leader);
            self.changed = true;
        }
    }

    fn param(&mut self, entry: bool, block: u32, param: Value) -> Value {
        if entry {
            return param;
        }
        let brought: Vec<Option<Value>> = self.arguments[param].iter().map(|&arg| self.leader(arg)).collect();
        let mut others = brought.iter().flatten().filter(|&&leader| leader != param);
        if let Some(&first) = others.next()
            && (others.all(|&other| other == first) || fault!("gvn: a variable stays what it is at first"))
        {
            return first;
        }
        self.find(Key::Param(block, brought), param)
    }

    fn inst(&mut self, inst: Inst) {
        let (data, row) = (self.f.inst(inst), self.f.row(inst));
        let computes = row.effect == Effect::Pure
            && data.exit.is_none()
            && data.descr.is_none()
            && row.results.len() == 1
            && (row.exits == Exits::Never || row.partial);
        if !computes {
            self.f.results(inst).for_each(|result| self.lead(result, result));
            return;
        }
        let result = self.f.result(inst);
        let args: Option<Vec<Value>> = self.f.args(inst).iter().map(|&arg| self.leader(arg)).collect();
        // An operand that was not seen comes from a cycle that nothing enters yet.
        let Some(mut args) = args else { return };
        if row.algebra.commutative {
            args.sort_unstable();
        }
        let leader = self.find(Key::Op(data.op, self.f.ty(result), args), result);
        self.lead(result, leader);
    }

    /// The first value with a key in this walk.
    fn find(&mut self, key: Key, value: Value) -> Value {
        let hash = FxBuildHasher.hash_one(&key);
        if let Some(&at) = self.table.find(hash, |&at| self.keys[at].0 == key) {
            return self.keys[at].1;
        }
        self.keys.push((key, value));
        let keys = &self.keys;
        let rehash = |&at: &usize| FxBuildHasher.hash_one(&keys[at].0);
        self.table.insert_unique(hash, keys.len() - 1, rehash);
        value
    }
}

#[cfg(test)]
mod tests {
    use super::PASS;
    use crate::passes::testing::after;

    #[test]
    fn variables_that_change_alike_are_one() {
        let (count, text) = after(
            &PASS,
            "func f(v0: i64) -> i64 {\ne:\n    jump h(0, 0, v0)\nh(v1: i64, v2: i64, v3: i64):\n    \
             v4 = add(v1, 3)\n    v5 = add(v2, 3)\n    v6 = sub(v3, v5)\n    branch v6, h(v4, v5, v6), x\nx:\n    \
             v7 = sub(v4, v5)\n    return v7\n}\n",
        );
        assert_eq!(count, 2, "{text}");
        assert!(text.contains("= sub(v4, v4)"), "{text}");
    }

    #[test]
    fn variables_that_begin_or_change_differently_are_not() {
        let (count, _) = after(
            &PASS,
            "func f(v0: i64) -> i64 {\ne:\n    jump h(0, 1, 0)\nh(v1: i64, v2: i64, v3: i64):\n    \
             v4 = add(v1, 3)\n    v5 = add(v2, 3)\n    v6 = sub(v3, 3)\n    branch v6, h(v4, v5, v6), x\nx:\n    \
             v7 = sub(v4, v5)\n    return v7\n}\n",
        );
        assert_eq!(count, 0);
    }

    #[test]
    fn a_parameter_that_two_loops_pass_around_is_what_it_was() {
        let (count, text) = after(
            &PASS,
            "func f(v0: i64, v1: i64) -> i64 {\ne:\n    jump h(v0)\nh(v2: i64):\n    jump i(v2)\ni(v3: i64):\n    \
             branch v1, i(v3), j\nj:\n    branch v1, h(v3), x\nx:\n    return v3\n}\n",
        );
        assert_eq!(count, 2, "{text}");
        assert!(text.contains("return v0"), "{text}");
    }
}
