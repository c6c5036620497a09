//! Loop versioning (LLVM's predicated scalar evolution): a loop that ends unless its bound is the last number of its type is copied,
//! and which of both runs is asked once, in front.
//!
//! ```text
//! front: jump h(0)                            front: branch ne(n, MAX), h(0), h'(0)
//! h(i): ... sext(i) ...              becomes  h(i): ... sext(i) ...
//!       j = add(i, 1)                               j = add(i, 1)
//!       branch le(j, n), h(j), x                    branch le(j, n), h(j), x
//!                                             h': the same
//! ```
//!
//! A loop that goes on while `i <= n` is left by a `n` below the largest number only; else `i` wraps, and it goes on for ever or
//! leaves elsewhere. So it is where `i < n` and each round adds two. So nothing is known of how often it runs, whether `i` wraps, and what `i` is in a wider word, though it
//! is as good as never asked. Behind the branch it is known: scalar evolution learns from it that there is a number of rounds, and
//! the passes behind make counters as wide as addresses, fills and copies of it. Nothing is moved or changed, so the copy does what
//! the loop did.
//!
//! Only loops without loops inside, in which a counter that may wrap is extended to a wider word: there a round is shorter for it.
//! At most [`SIZE`] operations and blocks a loop, [`GROWTH`] in all. O(size of the function).

use planish_base::{Budget, fault};
use planish_ir::dominators::Dominators;
use planish_ir::{Block, Cfg, Function, Location, Terminator, Value, copy_blocks, repair};
use planish_ops::{Int, Op, Type};
use planish_pass::{Change, Example, FunctionPass, LoopInfo, Machine, PassCx, PassInfo, PassOption};

use super::own_loop::Own;
use super::preheaders::{put_blocks_in_front_of_loops, take_back_empty};
use crate::analysis::evolution::{Evolution, Unless};
use crate::analysis::expressions::{Expressions, Node};
use crate::analysis::scalar_evolution::ScalarEvolution;

/// At most so many operations and blocks of a loop.
pub const SIZE: PassOption = PassOption::new("size", 48, "the most operations and blocks of a loop");
/// At most so many operations and blocks that are copied in a function.
pub const GROWTH: PassOption =
    PassOption::new("growth", 256, "the most operations and blocks that are copied in a function");

/// Versions loops.
pub const PASS: FunctionPass = FunctionPass {
    info: PassInfo {
        source: "LLVM PredicatedScalarEvolution, LoopVersioning",
        handlers: false,
        analyses: &["edges", "dominators", "loops", "scalar-evolution"],
        options: &[&SIZE, &GROWTH],
        example: Example { file: "loop_versioning.ssa", text: include_str!("examples/loop_versioning.ssa") },
        test: "crates/opt/src/passes/loop_versioning.rs",
        ..PassInfo::new(
            "loop-versioning",
            "Loop versioning: a loop that may not end for one bound alone is copied, and that bound asked for in front.",
        )
    },
    run,
};

fn run(f: &mut Function, cx: &mut PassCx<'_>) {
    if cx.target.machine != Machine::Registers || !cx.record.has_fuel() || !is_undecided(f, cx) {
        return;
    }
    let fronts = put_blocks_in_front_of_loops(f, cx);
    let (cfg, dominators) = (cx.get::<Cfg>(f), cx.get::<Dominators>(f));
    let (loops, evolution) = (cx.get::<LoopInfo>(f), cx.get::<ScalarEvolution>(f));
    let mut budget = Budget::new("operations copied by loop-versioning", cx.option(&GROWTH));
    let mut groups = Vec::new();
    for index in 0..loops.all().len() as u32 {
        let evolved = &evolution.loops[index as usize];
        let Some((bound, last)) = asked(&evolution.expressions, evolved) else { continue };
        let Some(own) = Own::of(f, &cfg, &dominators, &loops, index) else { continue };
        let is_innermost = own.blocks.iter().all(|&number| loops.innermost(number) == Some(index));
        let size = own.insts(f).count() + own.blocks.len();
        if !is_innermost || size > cx.count(&SIZE) || !extends(f, &own, evolved, last.ty()) {
            continue;
        }
        if !budget.take(size as u64) || !cx.may_change(f, own.header) {
            break;
        }
        let blocks: Vec<Block> = own.blocks.iter().map(|&number| cfg.block(number)).collect();
        groups.extend(version(f, &own, &blocks, (bound, last)));
    }
    cx.record.note_budget(&budget);
    if !groups.is_empty() {
        if !fault!("loop-versioning: what is used behind the loop is not mended") {
            repair(f, &groups);
        }
        cx.changed(Change::Flow);
    }
    take_back_empty(f, cx, &fronts);
}

/// Whether there is a loop of which it depends on its bound whether it ends.
fn is_undecided(f: &Function, cx: &mut PassCx<'_>) -> bool {
    if cx.get::<LoopInfo>(f).all().is_empty() {
        return false;
    }
    let evolution = cx.get::<ScalarEvolution>(f);
    evolution.loops.iter().any(|evolved| asked(&evolution.expressions, evolved).is_some())
}

/// The value, made in front of a loop, by which it is told whether the loop ends, and what it is where that is not known.
fn asked(expressions: &Expressions, evolved: &Evolution) -> Option<(Value, Int)> {
    let mut perhaps = evolved.exits.iter().filter_map(|exit| exit.perhaps?.unless);
    perhaps.find_map(|Unless { bound, is, .. }| match expressions.node(bound) {
        Node::Value(value) => Some((value, is)),
        _ => None,
    })
}

/// Whether a counter of a type that may wrap is made a wider word in a loop.
fn extends(f: &Function, own: &Own<'_>, evolved: &Evolution, ty: Type) -> bool {
    own.insts(f).any(|(_, inst)| {
        let (Op::Sext | Op::Zext, &[x]) = (f.inst(inst).op, f.args(inst)) else { return false };
        let steps = evolved.values.get(&x).is_some_and(|chain| chain.as_invariant().is_none());
        f.ty(x) == ty && steps && !evolved.values.contains_key(&f.result(inst))
    })
}

/// Lets a copy of a loop run where its bound is the number at which nothing is known. The definitions of what has two now.
fn version(
    f: &mut Function,
    own: &Own<'_>,
    blocks: &[Block],
    (bound, last): (Value, Int),
) -> Vec<Vec<Value>> {
    let Terminator::Jump(enters) = f.take_terminator(own.front) else {
        unreachable!("the block in front goes to the loop alone")
    };
    let copied = copy_blocks(f, blocks);
    let is = f.make_constant(last);
    let ends = f.make_inst(Op::Ne, &[bound, is], &[Type::I1], None, None, Location::default());
    f.append_inst(own.front, ends);
    let args = f.list(enters.args).to_vec();
    let other = f.make_call(copied.block(own.header).expect("it was copied"), &args);
    f.set_terminator(own.front, Terminator::Branch { condition: f.result(ends), then: enters, other });
    copied.groups()
}

#[cfg(test)]
mod tests {
    use super::PASS;
    use crate::passes::testing::after;

    /// A loop over bytes that goes on while a test of its counter, `v3`, and `v1` holds.
    fn looping(test: &str, address: &str) -> (u64, String) {
        after(
            &PASS,
            &format!(
                "location @m: i8 class 1\nfunc f(v0: i64, v1: i32) -> i32 {{\ne:\n    jump h(0)\nh(v2: i32):\n    \
                 v4: i64 = {address}\n    raw_store(v0, v4, 1) @m\n    v3 = add(v2, 1)\n    v5: i1 = {test}\n    \
                 branch v5, h(v3), x\nx:\n    return v3\n}}\n"
            ),
        )
    }

    #[test]
    fn the_bound_at_which_a_loop_does_not_end_is_asked_for_in_front() {
        for (test, last) in
            [("le(v3, v1)", "2147483647"), ("ge(v1, v3)", "2147483647"), ("ule(v3, v1)", "-1")]
        {
            let (count, text) = looping(test, "sext(v2)");
            assert!(count == 1 && text.contains(&format!("ne(v1, {last})")), "{test}: {text}");
            assert_eq!(text.matches("raw_store").count(), 2, "{text}");
            assert!(text.contains("x(v"), "what is used behind the loop comes from both: {text}");
        }
    }

    #[test]
    fn a_step_of_two_may_go_over_the_largest_number_alone() {
        let by = |step: i64| {
            let source = format!(
                "location @m: i8 class 1\nfunc f(v0: i64, v1: i32) {{\ne:\n    jump h(0)\nh(v2: i32):\n    \
                 v3: i64 = sext(v2)\n    raw_store(v0, v3, 1) @m\n    v4 = add(v2, {step})\n    v5: i1 = lt(v4, v1)\n    \
                 branch v5, h(v4), x\nx:\n    return\n}}\n"
            );
            after(&PASS, &source).0
        };
        assert_eq!([by(1), by(2), by(3)], [0, 1, 0]);
    }

    /// The counter that either copy leaves behind meets in front of the second loop, which does not need it.
    #[test]
    fn what_both_copies_leave_is_known_behind_a_second_loop() {
        let source = "location @m: i8 class 1\nfunc f(v0: i64, v1: i32) -> i32 {\ne:\n    jump h(0)\nh(v2: i32):\n    \
                      v3: i64 = sext(v2)\n    raw_store(v0, v3, 1) @m\n    v4 = add(v2, 1)\n    v5: i1 = le(v4, v1)\n    \
                      branch v5, h(v4), l(v1)\nl(v6: i32):\n    v7 = urshift(v6, 1)\n    raw_store(v0, 99, 5) @m\n    \
                      branch v7, l(v7), x\nx:\n    return v2\n}\n";
        let (count, text) = after(&PASS, source);
        assert!(count == 1 && !text.contains("undefined"), "{text}");
    }

    #[test]
    fn where_the_loop_ends_or_nothing_is_extended_it_stays_one() {
        assert_eq!(looping("lt(v3, v1)", "sext(v2)").0, 0);
        assert_eq!(looping("ne(v3, v1)", "sext(v2)").0, 0);
        assert_eq!(looping("le(v3, 100)", "sext(v2)").0, 0);
        assert_eq!(looping("le(v3, v1)", "sext(v1)").0, 0);
    }

    #[test]
    fn a_loop_whose_bound_is_known_not_to_be_the_last_number_stays_one() {
        let source = "location @m: i8 class 1\nfunc f(v0: i64, v1: i32) {\ne:\n    v2: i1 = lt(v1, 100)\n    branch v2, h(0), x\n\
                      h(v3: i32):\n    v4: i64 = sext(v3)\n    raw_store(v0, v4, 1) @m\n    v5 = add(v3, 1)\n    \
                      v6: i1 = le(v5, v1)\n    branch v6, h(v5), x\nx:\n    return\n}\n";
        assert_eq!(after(&PASS, source).0, 0);
        assert_eq!(after(&PASS, &source.replace("lt(v1, 100)", "gt(v1, 100)")).0, 1);
    }
}
