//! Induction variable simplification: what the rounds of a loop decide (LLVM's IndVarSimplify).
//!
//! ```text
//! h(i):  branch lt(i, n), b, x          h(i):  branch lt(i, n), b, x
//! b:     j = add(i, 1)         becomes  b:     j = add(i, 1)
//!        branch gt(j, n), fail, c              jump c
//! ```
//!
//! 1. *Comparisons* of a counter with what the loop does not change are decided where the counter lies between its first value
//!    and the one with which the loop ends (`indvars/ranges.rs`). Engines decide with constants, and with one bound each; here bounds are
//!    expressions, and what branches in front of the loop say of them counts.
//! 2. *Congruent counters*: a value that is in every round what a parameter of the header is, is that parameter. Value
//!    numbering sees this where both are made alike; the chains of both are equal whatever they are made of.
//!
//! What a loop leaves behind, tests of other counters and products are the work of [`loop-deletion`](super::loop_deletion) and
//! [`strength-reduction`](super::strength_reduction), which ask the same analysis.
//!
//! O(size of the function * depth of loops).

mod ranges;

use hashbrown::HashMap;
use planish_ir::dominators::Dominators;
use planish_ir::{Block, Cfg, Function, Inst, Stands, Value};
use planish_ops::Op;
use planish_pass::{Became, Change, Example, FunctionPass, LoopInfo, PassCx, PassInfo};
use rustc_hash::FxBuildHasher;

use self::ranges::{Known, Range, decided};
use crate::analysis::evolution::Evolution;
use crate::analysis::expressions::Expressions;
use crate::analysis::recurrence::Recurrence;
use crate::analysis::scalar_evolution::ScalarEvolution;

/// Simplifies induction variables.
pub const PASS: FunctionPass = FunctionPass {
    info: PassInfo {
        changes: Change::Operations,
        source: "LLVM IndVarSimplify; Bachmann, Wang and Zima, \"Chains of Recurrences\", 1994",
        handlers: false,
        analyses: &["edges", "dominators", "loops", "scalar-evolution"],
        example: Example { file: "indvars.ssa", text: include_str!("examples/indvars.ssa") },
        test: "crates/opt/src/passes/indvars.rs",
        ..PassInfo::new(
            "indvars",
            "Induction variable simplification: comparisons that the rounds of a loop decide, and counters that are one.",
        )
    },
    run,
};

fn run(f: &mut Function, cx: &mut PassCx<'_>) {
    let loops = cx.get::<LoopInfo>(f);
    if loops.all().is_empty() {
        return;
    }
    let (cfg, dominators) = (cx.get::<Cfg>(f), cx.get::<Dominators>(f));
    let evolution = cx.get::<ScalarEvolution>(f);
    let mut expressions = evolution.expressions.clone();
    let mut stands = Stands::default();
    for (index, l) in (0..).zip(loops.all()) {
        let of = &evolution.loops[index as usize];
        if of.values.is_empty() {
            continue;
        }
        let own = Own { cfg: &cfg, of, index, loops: &loops, homes: &evolution, header: cfg.block(l.header) };
        for (inst, value) in own.congruent(f) {
            let result = f.result(inst);
            if cx.rewrite(f, inst, Became::Value { of: result, is: value }) {
                stands.put(value, result);
            }
        }
        if of.exits.iter().all(|exit| exit.count.is_none()) {
            continue;
        }
        let mut known = None;
        for (inst, x, op, y, home) in own.comparisons(f) {
            let known = known
                .get_or_insert_with(|| Known::in_front(f, &cfg, &dominators, &mut expressions, l.header));
            let Some(truth) = own.truth(f, known, &mut expressions, (op, x, y), home) else { continue };
            let result = f.result(inst);
            let ty = f.ty(result);
            let is = f.make_int(ty, truth.into());
            if cx.rewrite(f, inst, Became::Value { of: result, is }) {
                stands.put(is, result);
            }
        }
    }
    stands.write(f);
}

/// A loop.
struct Own<'a> {
    cfg: &'a Cfg,
    of: &'a Evolution,
    index: u32,
    loops: &'a LoopInfo,
    homes: &'a ScalarEvolution,
    header: Block,
}

impl Own<'_> {
    /// The operations of the loop whose value is that of a parameter of its header in every round, with that.
    fn congruent(&self, f: &Function) -> Vec<(Inst, Value)> {
        let mut params: HashMap<&Recurrence, Value, FxBuildHasher> = HashMap::default();
        for &param in f.block_params(self.header) {
            if let Some(chain) = self.of.values.get(&param).filter(|chain| chain.as_invariant().is_none()) {
                params.entry(chain).or_insert(param);
            }
        }
        let mut found = Vec::new();
        if params.is_empty() {
            return found;
        }
        for &number in &self.loops.all()[self.index as usize].own {
            for &inst in f.block_insts(self.cfg.block(number)) {
                if f.row(inst).results.len() != 1 {
                    continue;
                }
                let chain = self.of.values.get(&f.result(inst));
                found.extend(chain.and_then(|chain| params.get(chain)).map(|&param| (inst, param)));
            }
        }
        found
    }

    /// The comparisons in the loop of what changes with what does not, in that order.
    fn comparisons(&self, f: &Function) -> Vec<(Inst, Value, Op, Value, u32)> {
        let mut found = Vec::new();
        for number in self.loops.blocks(self.index) {
            for &inst in f.block_insts(self.cfg.block(number)) {
                let (op, &[x, y]) = (f.inst(inst).op, f.args(inst)) else { continue };
                if op.row().negated.is_none() || f.ty(x).int_width().is_none() {
                    continue;
                }
                match (self.varies(x), self.varies(y)) {
                    (true, false) => found.push((inst, x, op, y, number)),
                    (false, true) => found.extend(op.swapped().map(|op| (inst, y, op, x, number))),
                    _ => {}
                }
            }
        }
        found
    }

    fn varies(&self, value: Value) -> bool {
        self.homes.home(value).is_some_and(|home| self.loops.contains(self.index, home))
    }

    /// Whether a comparison in a block holds whenever it is made, or never.
    fn truth(
        &self,
        f: &Function,
        known: &Known,
        expressions: &mut Expressions,
        (op, x, y): (Op, Value, Value),
        home: u32,
    ) -> Option<bool> {
        let (start, step) = self.of.values.get(&x)?.as_linear()?;
        let step = expressions.as_constant(step)?;
        let y = expressions.value(f, y)?;
        let inner = self.cfg.block(home) != self.header;
        for exit in &self.of.exits {
            let behind_test = inner && self.cfg.block(exit.from) == self.header;
            let Some(tested) = exit.count.and_then(|count| count.tested) else { continue };
            for range in Range::of(expressions, (start, step), tested, behind_test) {
                let truth = decided(expressions, known, op, range, y);
                if truth.is_some() {
                    return truth;
                }
            }
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::PASS;
    use crate::passes::testing::after;

    /// A loop that counts `v2` from `start`, tested at its beginning, with a comparison in its body that leaves.
    fn top(start: &str, goes_on: &str, step: i64, check: &str) -> u64 {
        after(
            &PASS,
            &format!(
                "func f(v0: i8, v1: i8) -> i8 {{\ne:\n    jump h({start}, 0)\nh(v2: i8, v3: i8):\n    v4: i1 = {goes_on}\n    \
                 branch v4, b, x(v3)\nb:\n    v5 = add(v2, {step})\n    v6: i1 = {check}\n    \
                 branch v6, x(-1), c\nc:\n    v7 = xor(v3, v5)\n    jump h(v5, v7)\nx(v8: i8):\n    return v8\n}}\n"
            ),
        )
        .0
    }

    #[test]
    fn the_next_number_is_at_most_the_bound() {
        assert_eq!(top("0", "lt(v2, v0)", 1, "gt(v5, v0)"), 1);
        assert_eq!(top("0", "lt(v2, v0)", 1, "le(v5, 0)"), 1);
        assert_eq!(top("0", "ult(v2, v0)", 1, "ugt(v5, v0)"), 1);
        assert_eq!(top("0", "lt(v2, v0)", 1, "ugt(v5, v0)"), 1, "both have no sign");
        assert_eq!(top("0", "lt(v2, v0)", 1, "ge(v5, v0)"), 0, "the last one is the bound");
        assert_eq!(top("v1", "lt(v2, v0)", 1, "le(v5, 0)"), 0, "it may begin anywhere");
        assert_eq!(top("0", "lt(v2, v0)", 1, "gt(v5, v1)"), 0);
    }

    #[test]
    fn what_falls_is_at_most_its_start() {
        assert_eq!(top("v0", "gt(v2, 0)", -1, "gt(v2, v0)"), 1);
        assert_eq!(top("v0", "gt(v2, 0)", -1, "ge(v5, v0)"), 1);
        assert_eq!(top("v0", "gt(v2, 0)", -1, "lt(v5, 0)"), 1);
        assert_eq!(top("v0", "gt(v2, 0)", -1, "lt(v5, 1)"), 0);
    }

    #[test]
    fn a_counter_that_may_wrap_is_compared() {
        assert_eq!(top("0", "ne(v2, v0)", 1, "lt(v5, 0)"), 0, "v0 may be negative");
        assert_eq!(top("0", "ne(v2, v0)", 1, "ugt(v5, v0)"), 1);
        assert_eq!(top("0", "ne(v2, v0)", 3, "ugt(v5, v0)"), 0);
    }

    /// A loop that is tested at its end, behind a branch.
    fn bottom(guard: &str, check: &str) -> u64 {
        after(
            &PASS,
            &format!(
                "func f(v0: i32, v1: i32) -> i32 {{\ne:\n    v9: i1 = {guard}\n    branch v9, h(0, 0), x(0)\n\
                 h(v2: i32, v3: i32):\n    v5 = add(v2, 1)\n    v6: i1 = {check}\n    branch v6, x(-1), c\nc:\n    \
                 v7 = xor(v3, v5)\n    v4: i1 = lt(v5, v0)\n    branch v4, h(v5, v7), x(v7)\nx(v8: i32):\n    return v8\n}}\n"
            ),
        )
        .0
    }

    #[test]
    fn what_a_branch_in_front_says_of_the_bound_counts() {
        assert_eq!(bottom("gt(v0, 0)", "gt(v5, v0)"), 1);
        assert_eq!(bottom("lt(1, v0)", "ugt(v5, v0)"), 1);
        assert_eq!(bottom("ge(v0, 0)", "gt(v5, v0)"), 0, "the first round is made with 0, too");
        assert_eq!(bottom("gt(v0, v1)", "gt(v5, v0)"), 0);
        assert_eq!(bottom("gt(v0, 0)", "ge(v5, v0)"), 1, "the test that comes behind the same one");
    }

    #[test]
    fn what_is_a_counter_in_every_round_is_that() {
        let (count, text) = after(
            &PASS,
            "func f(v0: i8) -> i8 {\ne:\n    jump h(0, 0, 7)\nh(v1: i8, v2: i8, v3: i8):\n    v4 = mul(v1, 6)\n    \
             v5 = xor(v3, v4)\n    v6 = add(v2, 6)\n    v7 = add(v1, 1)\n    v8: i1 = ne(v7, v0)\n    \
             branch v8, h(v7, v6, v5), x\nx:\n    return v5\n}\n",
        );
        assert!(count == 1 && text.contains("xor(v3, v2)"), "{text}");
    }
}
