//! Loops that only count go: what they leave behind is computed.
//!
//! ```text
//! h(i, s): branch lt(i, n), b, x(s)                m = max(n, 0); h = m >> 1
//! b: s' = add(s, i); i' = add(i, 1)     becomes    jump x(mul(h, or(sub(m, 1), 1)))
//!    jump h(i', s')
//! ```
//!
//! The anchors are LLVM's LoopDeletion and the replacement of exit values in its IndVarSimplify. A loop goes if
//!
//! 1. no operation in it, nor in loops inside it, does anything besides computing or loading, or may leave, but checks with
//!    which it begins, and which say the same in every round (`quiet.rs`): those are made once, in front;
//! 2. it ends whatever its values are, and so do those inside ([`Evolution::ends`]); or it ends unless its bound is the largest
//!    number there is (`i <= n`): then an endless loop that does nothing is left beside what it leaves behind;
//! 3. where it goes then is known: all its exits go to one block with equal arguments that do not change; or it has one
//!    exit, and each argument, like each value that is used behind it, is a chain of recurrences, of which the value in
//!    the last round is known ([`Evolution::rounds`]).
//!
//! By 1 and 2 nothing is seen of running it but the values that are used outside, by 3 those are the same. They are
//! computed in the block in front of the loop, which comes to the loop and nowhere else: what a chain is made of is made
//! outside and dominates a block of the loop, so it dominates the header, and the header has no other way in. What is
//! used outside is dominated by a block of the loop, and so by that block in front.
//!
//! A loop whose number of rounds is not a constant may make none at all, so closed forms may cost [`COST`] at most, and no more
//! than [`ROUNDS`] rounds of the loop; those that are constants cost nothing.
//!
//! Outer loops come first, with all inside. Where only inner ones went, their closed forms may be what an outer one
//! adds up, so it is all done again, at most [`DEPTH`] times, each O(size of the function * depth of loops).
//!
//! No exit of a loop that goes leads to a handler, by 1. A loop that begins with a handler has no block in front of it, and
//! stays.
//!
//! [`Evolution::ends`]: crate::analysis::evolution::Evolution::ends
//! [`Evolution::rounds`]: crate::analysis::evolution::Evolution::rounds

mod filled;
mod quiet;

use std::cell::OnceCell;

use planish_base::{SideTable, fault};
use planish_ir::dominators::Dominators;
use planish_ir::{Block, BlockCall, Cfg, Def, Function, Inst, Location, Stands, Terminator, Value};
use planish_ops::{Op, Type};
use planish_pass::{Change, Example, FunctionPass, LoopInfo, PassCx, PassInfo, PassOption};

use self::quiet::Quiet;
use super::preheaders::{put_blocks_in_front_of_loops, take_back_empty};
use crate::analysis::evolution::Unless;
use crate::analysis::expressions::{Expr, Expressions, Writer};
use crate::analysis::loop_context::Guard;
use crate::analysis::scalar_evolution::ScalarEvolution;
use crate::analysis::wrapping::where_not;

/// What the closed forms of a loop may cost.
pub const COST: PassOption = PassOption::new("cost", 48, "the most that the closed forms of a loop cost");

/// In how many rounds closed forms are worth what they cost.
pub const ROUNDS: PassOption =
    PassOption::new("rounds", 8, "in how many rounds of a loop what its closed forms cost has to be saved");

/// How deep loops are that go one after the other.
pub const DEPTH: PassOption =
    PassOption::new("depth", 3, "how often loops around those that went are looked at again");

/// Deletes loops.
pub const PASS: FunctionPass = FunctionPass {
    info: PassInfo {
        source: "LLVM LoopDeletion and IndVarSimplify; Bachmann, Wang and Zima, \"Chains of Recurrences\", 1994",
        analyses: &["edges", "dominators", "loops", "scalar-evolution"],
        options: &[&COST, &ROUNDS, &DEPTH],
        example: Example { file: "loop_deletion.ssa", text: include_str!("examples/loop_deletion.ssa") },
        test: "crates/opt/src/passes/loop_deletion.rs",
        ..PassInfo::new(
            "loop-deletion",
            "Loop deletion: a loop that surely ends and does nothing goes; what it leaves behind is a closed form.",
        )
    },
    run,
};

fn run(f: &mut Function, cx: &mut PassCx<'_>) {
    if cx.get::<LoopInfo>(f).all().is_empty() || !cx.record.has_fuel() {
        return;
    }
    let mut fronts = put_blocks_in_front_of_loops(f, cx);
    // Those of loops that went: behind them their parameters may be used.
    let mut kept: SideTable<Block, bool> = SideTable::new();
    for _ in 0..cx.count(&DEPTH) {
        if !delete(f, cx, &mut kept) {
            break;
        }
        cx.changed(Change::Flow);
    }
    fronts.retain(|&front| !kept[front]);
    take_back_empty(f, cx, &fronts);
}

/// Deletes what can go now, and notes the blocks in front of it. Whether anything went.
fn delete(f: &mut Function, cx: &mut PassCx<'_>, kept: &mut SideTable<Block, bool>) -> bool {
    let (cfg, loops) = (cx.get::<Cfg>(f), cx.get::<LoopInfo>(f));
    let (evolution, dominators) = (cx.get::<ScalarEvolution>(f), cx.get::<Dominators>(f));
    let world = cx.world;
    let (dominators, filled) = (&dominators, OnceCell::new());
    let quiet = Quiet { f, world, cfg: &cfg, dominators, loops: &loops, evolution: &evolution, filled }.all();
    if quiet.iter().all(Option::is_none) {
        return false;
    }
    let used = used_outside(f, &cfg, &loops, &evolution);
    let mut expressions = evolution.expressions.clone();
    let mut gone = vec![false; loops.all().len()];
    let mut stands = Stands::default();
    let mut made: SideTable<Block, bool> = SideTable::new();
    for (index, l) in (0..).zip(loops.all()) {
        if l.parent.is_some_and(|parent| gone[parent as usize]) {
            gone[index as usize] = true;
            continue;
        }
        let Some(checks) = &quiet[index as usize] else { continue };
        let expressions = &mut expressions;
        let mut deletion =
            Deletion { f, cfg: &cfg, loops: &loops, evolution: &evolution, expressions, index, checks };
        let Some(front) = deletion.front() else { continue };
        let Some(left) = deletion.left(&used[index as usize]) else { continue };
        let price = |op| u64::from(cx.target.cost(op));
        let most =
            cx.option(&COST).min(round(f, &cfg, &loops, index, price).saturating_mul(cx.option(&ROUNDS)));
        let cost = deletion.expressions.cost(left.expressions(), |op| cx.target.cost(op));
        if cost.is_none_or(|cost| u64::from(cost) > most) || !cx.may_change(f, cfg.block(l.header)) {
            continue;
        }
        make_in_front(f, cfg.block(l.header), front, checks);
        left.write(f, front, expressions, &mut stands).into_iter().for_each(|block| made[block] = true);
        (gone[index as usize], kept[front]) = (true, true);
    }
    if !gone.contains(&true) {
        return false;
    }
    let stays = |number: u32| loops.innermost(number).is_none_or(|index| !gone[index as usize]);
    // What cannot be reached goes too: it may lead into a loop that went.
    f.retain_blocks(|block| cfg.number(block).map_or(made[block], stays));
    stands.write(f);
    true
}

/// What a round of a loop costs, loops inside taken once.
fn round(f: &Function, cfg: &Cfg, loops: &LoopInfo, index: u32, price: impl Fn(Op) -> u64) -> u64 {
    let block = |number: u32| {
        let block = cfg.block(number);
        let insts = f.block_insts(block).iter().map(|&inst| price(f.inst(inst).op)).sum::<u64>();
        insts + u64::from(f.block_calls(block).count() > 1)
    };
    loops.blocks(index).map(block).sum()
}

/// Checks of a loop are made in front of it.
fn make_in_front(f: &mut Function, header: Block, front: Block, checks: &[Inst]) {
    if checks.is_empty() {
        return;
    }
    let mut insts = f.replace_insts(header, Vec::new());
    insts.retain(|inst| !checks.contains(inst));
    f.replace_insts(header, insts);
    checks.iter().for_each(|&check| f.append_inst(front, check));
}

/// For each loop, the values that are made in it and used outside, each once, in order. Arguments of its exits are used
/// in it.
pub(super) fn used_outside(
    f: &Function,
    cfg: &Cfg,
    loops: &LoopInfo,
    evolution: &ScalarEvolution,
) -> Vec<Vec<Value>> {
    let mut used: Vec<Vec<Value>> = vec![Vec::new(); loops.all().len()];
    for (number, &block) in (0..).zip(cfg.order()) {
        let mut note = |value: Value| {
            if let Some(home) = evolution.home(value).filter(|&home| home != number) {
                loops.left_by(home, number).for_each(|index| used[index as usize].push(value));
            }
        };
        for &inst in f.block_insts(block) {
            f.args(inst).iter().copied().for_each(&mut note);
            if let Some(exit) = f.inst(inst).exit {
                f.exit_args(exit).iter().copied().for_each(&mut note);
            }
        }
        let terminator = f.terminator(block);
        terminator.condition().into_iter().for_each(&mut note);
        match terminator {
            Terminator::Return(results) => f.list(*results).iter().copied().for_each(&mut note),
            Terminator::Throw(value, exit) => {
                note(*value);
                exit.iter().for_each(|&exit| f.exit_args(exit).iter().copied().for_each(&mut note));
            }
            _ => {}
        }
        f.block_calls(block).for_each(|call| f.list(call.args).iter().copied().for_each(&mut note));
    }
    for values in &mut used {
        values.sort_unstable();
        values.dedup();
    }
    used
}

/// What stands for a value of a loop behind it.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Last {
    /// A value from outside.
    Value(Value),
    /// What can be computed in front.
    Computed(Expr),
}

/// What a loop leaves behind.
struct Left {
    to: Block,
    args: Vec<Last>,
    values: Vec<(Value, Expr)>,
    /// If there is one: where these are equal, the loop does not end.
    unless: Option<Unless>,
}

impl Left {
    /// What has to be computed.
    fn expressions(&self) -> impl Iterator<Item = Expr> + '_ {
        let computed = |&last: &Last| match last {
            Last::Computed(expr) => Some(expr),
            Last::Value(_) => None,
        };
        self.args.iter().filter_map(computed).chain(self.values.iter().map(|&(_, expr)| expr))
    }

    /// Computes it in front of the loop, and goes on behind; where the loop does not end, nothing is done for ever.
    /// The blocks that were made.
    fn write(
        self,
        f: &mut Function,
        mut front: Block,
        expressions: &Expressions,
        stands: &mut Stands,
    ) -> Vec<Block> {
        let mut made = Vec::new();
        if let Some(Unless { bound, is, .. }) = self.unless {
            let bound = Writer::new(expressions, front).write(f, bound);
            let is = f.make_constant(is);
            let ends = f.make_inst(Op::Ne, &[bound, is], &[Type::I1], None, None, Location::default());
            f.append_inst(front, ends);
            let (behind, endless) = (f.make_block(), f.make_block());
            let again = f.make_call(endless, &[]);
            f.set_terminator(endless, Terminator::Jump(again));
            let (then, other) = (f.make_call(behind, &[]), f.make_call(endless, &[]));
            f.set_terminator(front, Terminator::Branch { condition: f.result(ends), then, other });
            made.extend([behind, endless]);
            front = behind;
        }
        let mut writer = Writer::new(expressions, front);
        for (value, expr) in self.values {
            stands.put(writer.write(f, expr), value);
        }
        let arg = |last| match last {
            Last::Value(value) => value,
            Last::Computed(expr) => writer.write(f, expr),
        };
        let args: Vec<Value> = self.args.into_iter().map(arg).collect();
        let call = f.make_call(self.to, &args);
        f.set_terminator(front, Terminator::Jump(call));
        made
    }
}

/// A loop that may go.
struct Deletion<'a> {
    f: &'a Function,
    cfg: &'a Cfg,
    loops: &'a LoopInfo,
    evolution: &'a ScalarEvolution,
    expressions: &'a mut Expressions,
    index: u32,
    /// What it begins with that is made in front of it.
    checks: &'a [Inst],
}

impl Deletion<'_> {
    /// The block that comes to the loop and nowhere else, if there is no other way in.
    fn front(&self) -> Option<Block> {
        let cfg = self.cfg;
        let header = self.loops.all()[self.index as usize].header;
        let mut outside =
            cfg.preds().of(header).iter().filter(|&&pred| !self.loops.contains(self.index, pred));
        let (Some(&front), None) = (outside.next(), outside.next()) else { return None };
        let front = cfg.block(front);
        let mut calls = self.f.block_calls(front);
        let enters = calls.next().is_some_and(|call| call.block == cfg.block(header));
        (enters && calls.next().is_none()).then_some(front)
    }

    /// What the loop leaves behind, if all of it is known.
    fn left(&mut self, used: &[Value]) -> Option<Left> {
        let (first, others) = self.evolution.loops[self.index as usize].exits.split_first()?;
        let args = self.args(first.call)?;
        for other in others {
            if other.call.block != first.call.block || self.args(other.call)? != args {
                return None;
            }
        }
        let (f, checks) = (self.f, self.checks);
        let checked = |value| is_checked(f, checks, value);
        let last = |&value: &Value| match self.last(value)? {
            Last::Computed(expr) => Some((value, expr)),
            Last::Value(_) => None,
        };
        let loops_own = used.iter().filter(|&&value| !checked(value));
        let values = loops_own.map(last).collect::<Option<_>>()?;
        let ends = self.evolution.loops[self.index as usize].ends;
        let unless = first.or_never().filter(|_| !ends).and_then(|count| count.unless);
        Some(Left { to: first.call.block, args, values, unless })
    }

    fn args(&mut self, call: BlockCall) -> Option<Vec<Last>> {
        self.f.list(call.args).iter().map(|&arg| self.last(arg)).collect()
    }

    /// In which round it is left if it is, by its only exit.
    fn perhaps(&self) -> Option<Expr> {
        match &*self.evolution.loops[self.index as usize].exits {
            [exit] => exit.or_never().map(|count| count.rounds),
            _ => None,
        }
    }

    /// What a value is equal to where the loop ends, as it goes on by its only exit while it is not.
    fn met(&self, value: Value) -> Option<Value> {
        let [exit] = &*self.evolution.loops[self.index as usize].exits else { return None };
        let Guard { op: Op::Ne, x, y } = where_not(self.f, self.cfg.block(exit.from), exit.call.block)?
        else {
            return None;
        };
        let is_outside = |other: Value| {
            self.evolution.home(other).is_none_or(|home| !self.loops.contains(self.index, home))
        };
        [(x, y), (y, x)].into_iter().find(|&(met, by)| met == value && is_outside(by)).map(|(_, by)| by)
    }

    /// What a value is when the loop ends.
    fn last(&mut self, value: Value) -> Option<Last> {
        let inside = self.evolution.home(value).is_some_and(|home| self.loops.contains(self.index, home));
        if !inside || is_checked(self.f, self.checks, value) {
            return Some(Last::Value(value));
        }
        if let Some(bound) = self.met(value) {
            return self.expressions.value(self.f, bound).map(Last::Computed);
        }
        let evolution = &self.evolution.loops[self.index as usize];
        let chain = evolution.values.get(&value)?;
        let expr = match chain.as_invariant() {
            Some(expr) => expr,
            None if fault!("loop-deletion: what a loop leaves it began with") => chain.terms()[0],
            None => chain.at(self.expressions, evolution.rounds.or(self.perhaps())?),
        };
        Some(Last::Computed(expr))
    }
}

/// Whether a value is what a check gives.
fn is_checked(f: &Function, checks: &[Inst], value: Value) -> bool {
    matches!(f.def(value), Def::Result(inst, _) if checks.contains(&inst))
}

#[cfg(test)]
mod tests {
    use super::PASS;
    use crate::passes::testing::{after, changed_with};
    use planish_pass::Target;

    /// A loop of one block, tested at its end: a counter from `start`, and a sum of what the body makes as `v5`.
    fn counting(body: &str, start: &str, test: &str) -> (u64, String) {
        after(
            &PASS,
            &format!(
                "func f(v0: i8, v1: i8) -> i8, i8 {{\ne:\n    jump h({start}, 0)\nh(v2: i8, v3: i8):\n{body}    \
                 v6 = add(v2, 1)\n    v7: i1 = {test}\n    branch v7, h(v6, v5), x\nx:\n    return v5, v2\n}}\n"
            ),
        )
    }

    #[test]
    fn a_sum_of_known_rounds_is_a_number() {
        let (count, text) = counting("    v5 = add(v3, v2)\n", "0", "lt(v6, 10)");
        assert_eq!(count, 1);
        assert!(text.contains("return 45, 9"), "{text}");
    }

    #[test]
    fn what_costs_more_than_some_rounds_stays() {
        let source = "func f(v0: i32) -> i32 {\ne:\n    jump h(v0, 0)\nh(v1: i32, v2: i32):\n    v3 = add(v2, v1)\n    \
            v4 = add(v1, 3)\n    v5: i1 = lt(v4, 1000)\n    branch v5, h(v4, v3), x\nx:\n    return v3\n}\n";
        assert_eq!(after(&PASS, source).0, 0, "a division and a product for rounds of four operations");
        assert_eq!(changed_with(&PASS, &[("rounds", 12)], source, Target::MACHINE).0, 1);
        assert_eq!(
            changed_with(&PASS, &[("rounds", 1)], &source.replace("h(v0, 0)", "h(1, 0)"), Target::MACHINE).0,
            1
        );
    }

    #[test]
    fn a_sum_to_n_keeps_the_high_bit() {
        let (count, text) = counting("    v5 = add(v3, v2)\n", "0", "ne(v6, v0)");
        assert_eq!(
            (count, text.matches("urshift(").count(), text.contains("branch")),
            (1, 1, false),
            "{text}"
        );
    }

    #[test]
    fn squares_and_products_are_added_up() {
        let (count, text) = counting("    v4 = mul(v2, v2)\n    v5 = add(v3, v4)\n", "1", "ult(v6, 200)");
        // 1 + 4 + ... + 199^2 = 2646700, modulo 256 as i8.
        assert_eq!(count, 1);
        assert!(text.contains(&format!("return {}, -57", (2_646_700_i64 as u8) as i8)), "{text}");
        let (count, text) = counting("    v4 = mul(v2, v1)\n    v5 = add(v3, v4)\n", "0", "lt(v6, 100)");
        assert!(count == 1 && !text.contains("branch"), "{text}");
    }

    #[test]
    fn a_step_that_wraps_is_counted_round_the_width() {
        // From 1 to 127 and on from -128 to -1: 255 rounds of 3.
        let (count, text) = counting("    v5 = add(v3, 3)\n", "1", "ne(v6, 0)");
        assert_eq!(count, 1);
        assert!(text.contains("return -3, -1"), "{text}");
    }

    /// A loop beside a call that may throw: `count` stands in front of the loop or in it.
    fn guarded(in_front: &str, inside: &str) -> (u64, String) {
        after(
            &PASS,
            &format!(
                "callee @g raises\nfunc f(v0: i64) -> i64 {{\ne:\n{in_front}    jump h(0)\nh(v2: i64):\n{inside}    \
                 v3 = add(v2, 1)\n    v4: i1 = lt(v3, v0)\n    branch v4, h(v3), x\nx:\n    return v3\n\
                 y(v5: ref, v6: i64):\n    return v6\n}}\n"
            ),
        )
    }

    #[test]
    fn a_loop_goes_beside_handlers_and_stays_if_it_leads_to_one() {
        let call = "    call(v0) @g else to(v0) [*: y]\n";
        let (count, text) = guarded(call, "");
        assert_eq!((count, text.contains("branch"), text.contains("else to(")), (1, false, true), "{text}");
        assert_eq!(guarded("", call).0, 0);
    }

    #[test]
    fn a_loop_that_begins_with_a_handler_stays() {
        let source = "callee @g raises\nfunc f(v0: i64) -> i64 {\ne:\n    call(v0) @g else to(v0) [*: h]\n    return 1\n\
                      h(v1: ref, v2: i64):\n    v3 = add(v2, 1)\n    v4: i1 = lt(v3, 10)\n    branch v4, h(v1, v3), x\nx:\n    return v3\n}\n";
        let (count, text) = after(&PASS, source);
        assert_eq!((count, text.contains("branch")), (0, true), "{text}");
    }

    #[test]
    fn a_loop_that_may_not_end_stays() {
        assert_eq!(counting("    v5 = add(v3, 3)\n", "0", "le(v6, 127)").0, 0);
        assert_eq!(counting("    v5 = add(v3, 3)\n", "0", "lt(v3, v0)").0, 0, "by threes over the largest");
        assert_eq!(counting("    v5 = add(v3, 2)\n", "0", "ne(v3, 7)").0, 0, "by twos past an odd number");
    }

    #[test]
    fn a_loop_that_ends_unless_its_bound_is_the_largest_number_is_endless_there() {
        let source = |test: &str| counting("    v5 = add(v3, 3)\n", "0", test);
        for (test, is) in [("le(v6, v0)", "ne(v0, 127)"), ("ule(v6, v0)", "ne(v0, -1)")] {
            let (count, text) = source(test);
            assert!(count == 1 && text.contains(is) && !text.contains("jump h"), "{test}: {text}");
        }
        let effect = "callee @use\nfunc f(v0: i8) {\ne:\n    jump h(0)\nh(v1: i8):\n    call(v1) @use\n    \
                      v2 = add(v1, 1)\n    v3: i1 = le(v2, v0)\n    branch v3, h(v2), x\nx:\n    return\n}\n";
        assert_eq!(after(&PASS, effect).0, 0);
    }

    #[test]
    fn an_outer_loop_stays_if_one_inside_may_not_end() {
        let source = "func f(v0: i8, v1: i8) -> i8 {\ne:\n    jump o(0)\no(v2: i8):\n    jump h(0)\nh(v3: i8):\n    \
                      v4 = add(v3, 1)\n    v5: i1 = le(v4, v0)\n    branch v5, h(v4), l\nl:\n    v6 = add(v2, 1)\n    \
                      v7: i1 = lt(v6, v1)\n    branch v7, o(v6), x\nx:\n    return v1\n}\n";
        let (count, text) = after(&PASS, source);
        assert!(count == 1 && text.contains("ne(v0, 127)") && text.contains("lt("), "{text}");
    }

    #[test]
    fn what_has_no_closed_form_keeps_the_loop() {
        assert_eq!(counting("    v5 = xor(v3, v2)\n", "0", "lt(v6, 10)").0, 0);
    }

    #[test]
    fn a_counter_that_leaves_where_it_meets_its_bound_is_that() {
        let (count, text) = after(
            &PASS,
            "func f(v0: i32) -> i32 {\ne:\n    v1: i8 = trunc(v0)\n    v2: i32 = sext(v1)\n    jump h(5)\nh(v3: i32):\n    \
             v4: i1 = eq(v3, v2)\n    branch v4, x, b\nb:\n    v5 = add(v3, 1)\n    v6: i8 = trunc(v5)\n    v7: i32 = sext(v6)\n    \
             jump h(v7)\nx:\n    return v3\n}\n",
        );
        assert!(count == 1 && text.contains("return v2"), "{text}");
    }

    #[test]
    fn what_is_seen_keeps_the_loop() {
        let source = "callee @use\nfunc f(v0: i64) {\ne:\n    jump h(0)\nh(v1: i64):\n    call(v1) @use\n    \
                      v2 = add(v1, 1)\n    v3: i1 = lt(v2, 9)\n    branch v3, h(v2), x\nx:\n    return\n}\n";
        assert_eq!(after(&PASS, source).0, 0);
        let division = source.replace("call(v1) @use", "v4 = sdiv(v0, v1)");
        assert_eq!(after(&PASS, &division).0, 0, "it may divide by zero");
        assert_eq!(after(&PASS, &division.replace("v1)\n    v2", "3)\n    v2")).0, 1);
    }

    #[test]
    fn a_loop_of_several_exits_goes_if_they_are_one() {
        let source = "func f(v0: i64, v9: i64) -> i64 {\ne:\n    jump h(0)\nh(v1: i64):\n    v4 = xor(v1, v0)\n    \
                      branch v4, b, x(v0)\nb:\n    v2 = add(v1, 1)\n    v3: i1 = lt(v2, v9)\n    \
                      branch v3, h(v2), x(v0)\nx(v5: i64):\n    return v5\n}\n";
        let (count, text) = after(&PASS, source);
        assert!(count == 1 && !text.contains("branch"), "{text}");
        assert_eq!(after(&PASS, &source.replacen("x(v0)", "x(7)", 1)).0, 0, "which exit it is matters");
    }

    #[test]
    fn loops_one_after_the_other_go_where_several_ways_lead_to_them() {
        let source = "func f(v0: i64, v1: i64) -> i64 {\ne:\n    branch v0, h(v1), g\ng:\n    jump h(7)\nh(v2: i64):\n    \
                      v3 = add(v2, 1)\n    v4: i1 = ne(v3, 9)\n    branch v4, h(v3), k(v2)\nk(v5: i64):\n    \
                      v6 = add(v5, 1)\n    v7: i1 = ne(v6, v1)\n    branch v7, k(v6), x\nx:\n    v8 = xor(v3, v6)\n    \
                      return v8\n}\n";
        let (count, text) = after(&PASS, source);
        assert_eq!((count, text.matches("branch").count()), (2, 1), "{text}");
        // With a parameter of the block in front that is what the loop leaves.
        let (count, text) =
            after(&PASS, &source.replace("xor(v3, v6)", "xor(v3, v5)").replace("k(v2)", "k(v0)"));
        assert_eq!((count, text.matches("branch").count()), (2, 1), "{text}");
    }

    #[test]
    fn what_cannot_be_reached_does_not_lead_into_a_loop_that_went() {
        let source = "func f(v0: i64) -> i64 {\ne:\n    jump h(0)\nu:\n    branch v0, h(7), x\nh(v1: i64):\n    \
                      v2 = add(v1, 1)\n    v3: i1 = ne(v2, v0)\n    branch v3, h(v2), x\nx:\n    return v0\n}\n";
        let (count, text) = after(&PASS, source);
        assert_eq!((count, text.matches("branch").count()), (1, 0), "{text}");
    }

    #[test]
    fn loops_in_loops_go_one_after_the_other() {
        let (count, text) = after(
            &PASS,
            "func f(v0: i64) -> i64 {\ne:\n    jump o(0, 0)\no(v1: i64, v2: i64):\n    jump i(0, v2)\n\
             i(v3: i64, v4: i64):\n    v5 = add(v4, v1)\n    v6 = add(v3, 1)\n    v7: i1 = lt(v6, 10)\n    \
             branch v7, i(v6, v5), n\nn:\n    v8 = add(v1, 1)\n    v9: i1 = lt(v8, 5)\n    \
             branch v9, o(v8, v5), x\nx:\n    return v5\n}\n",
        );
        assert_eq!(count, 2, "{text}");
        assert!(text.contains("return 100"), "{text}");
    }
}
