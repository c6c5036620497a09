//! Branch folding (LLVM's `FoldBranchToCommonDest`): two tests of one value that lead to the same place are one.
//!
//! ```text
//! h(i): branch lt(i, n), t, x               b = min(n, m)
//! t:    branch lt(i, m), b, x    becomes    h(i): branch lt(i, b), b, x
//!
//! e: branch ge(c, 97), t, x
//! t: branch le(c, 122), b, x     becomes    e: branch ult(add(c, -97), 26), b, x
//!
//! e: branch ult(add(c, -97), 26), x, t
//! t: branch ult(add(c, -65), 26), x, b      becomes    e: branch ult(add(and(c, -33), -65), 26), x, b
//!
//! e: branch ne(c, 0), t, x
//! t: branch eq(popcount(c), 1), b, x        becomes    e: branch eq(popcount(c), 1), b, x
//! ```
//!
//! Against two bounds that do not change in a loop it is one test against the nearer bound: that is computed once, and global
//! code motion brings it in front. Then the loop has one exit that says how many rounds it makes. Against a least and a greatest
//! constant it is a test of a range, which takes one comparison without signs. Two such ranges that differ
//! in one bit are one without it (`twins`), and one that asks for a number is not needed in front of one by which that number goes
//! the same way (`implied`). The second test has to stand alone in its block, and both have to leave with the same
//! arguments. O(size of the function).

mod implied;
mod twins;

use planish_base::SideTable;
use planish_ir::{Block, Cfg, Function, Location, Terminator, Value};
use planish_ops::{Int, Op, Type};
use planish_pass::{Change, Example, FunctionPass, LoopInfo, Machine, PassCx, PassInfo, Target};

use self::implied::Implied;
use self::twins::Twins;
use super::strength_reduction::uses;

/// Makes one test of two.
pub const PASS: FunctionPass = FunctionPass {
    info: PassInfo {
        source: "LLVM FoldBranchToCommonDest",
        handlers: false,
        analyses: &["edges", "loops"],
        example: Example { file: "branch_folding.ssa", text: include_str!("examples/branch_folding.ssa") },
        test: "crates/opt/src/passes/branch_folding.rs",
        ..PassInfo::new(
            "branch-folding",
            "Branch folding: two tests of a value against bounds are one, against the nearer bound or of a range.",
        )
    },
    run,
};

/// A test: the comparison that holds where it goes on.
#[derive(Clone, Copy)]
struct Test {
    op: Op,
    x: Value,
    y: Value,
}

/// Two tests that are one.
struct Pair {
    first: Block,
    second: Block,
    x: Value,
    is: One,
}

/// What two tests of a value are.
#[derive(Clone, Copy)]
enum One {
    /// A test against the nearer of two bounds.
    Nearer(Op, [Value; 2]),
    /// Whether it is one of so many numbers from the least one on.
    Range { least: Int, count: u64 },
}

impl One {
    /// Whether that costs no more than the two tests.
    fn pays(self, target: Target<'_>) -> bool {
        match self {
            One::Nearer(op, _) => target.cost(nearer(op)) <= target.cost(op),
            One::Range { .. } => One::may_be_a_range(target),
        }
    }

    /// Whether to test for a range costs no more than to test against a bound.
    fn may_be_a_range(target: Target<'_>) -> bool {
        target.machine == Machine::Registers
            && (target.price)(Op::Ult).is_some_and(|price| price <= target.cost(Op::Lt))
    }
}

fn run(f: &mut Function, cx: &mut PassCx<'_>) {
    if f.blocks().len() < 3 || !cx.record.has_fuel() {
        return;
    }
    let loops = cx.get::<LoopInfo>(f);
    let cfg = cx.get::<Cfg>(f);
    let mut homes: SideTable<Value, Option<u32>> = SideTable::new();
    for (number, &block) in (0..).zip(cfg.order()) {
        f.block_params(block).iter().for_each(|&param| homes[param] = Some(number));
        let results = f.block_insts(block).iter().flat_map(|&inst| f.results(inst));
        results.for_each(|result| homes[result] = Some(number));
    }
    let stays = |value: Value, number: u32| {
        let l = loops.innermost(number);
        l.is_some_and(|l| homes[value].is_none_or(|home| !loops.contains(l, home)))
    };
    let mut gone: SideTable<Block, bool> = SideTable::new();
    for number in 0..cfg.order().len() as u32 {
        if gone[cfg.block(number)] {
            continue;
        }
        // Of several tests one after the other folds into the first.
        let mut folded = vec![number];
        while let Some(pair) = pair(f, &cfg, &folded, &stays) {
            if !pair.is.pays(cx.target) || !cx.may_change(f, pair.first) {
                break;
            }
            fold(f, &pair);
            folded.extend(cfg.number(pair.second));
            gone[pair.second] = true;
        }
    }
    if One::may_be_a_range(cx.target) {
        fold_twins(f, cx);
    }
    drop_implied(f, cx);
}

/// Takes tests of a number away where the next test says as much.
fn drop_implied(f: &mut Function, cx: &mut PassCx<'_>) {
    if cx.target.machine != Machine::Registers {
        return;
    }
    cx.changed(Change::Flow);
    let cfg = cx.get::<Cfg>(f);
    let mut gone: SideTable<Block, bool> = SideTable::new();
    for &block in cfg.order().iter().rev() {
        let Some(implied) = Implied::of(f, &cfg, cx.target, block) else { continue };
        if !cx.may_change(f, block) {
            break;
        }
        implied.drop(f);
        gone[implied.second] = true;
    }
    f.retain_blocks(|block| !gone[block]);
}

/// Makes one test of two ranges that differ in one bit.
fn fold_twins(f: &mut Function, cx: &mut PassCx<'_>) {
    let has_range = |&&block: &&Block| Twins::tests(f, block);
    if f.blocks().iter().filter(has_range).nth(1).is_none() {
        return;
    }
    cx.changed(Change::Flow);
    let cfg = cx.get::<Cfg>(f);
    let uses = uses(f);
    let mut gone: SideTable<Block, bool> = SideTable::new();
    for &block in cfg.order() {
        let twins = if gone[block] { None } else { Twins::of(f, &cfg, &uses, block) };
        let Some(twins) = twins else { continue };
        if !cx.may_change(f, twins.first) {
            break;
        }
        twins.fold(f);
        gone[twins.second] = true;
    }
    f.retain_blocks(|block| !gone[block]);
}

/// The test at the end of a block where it goes to another one.
fn test(f: &Function, block: Block, to: Block) -> Option<Test> {
    let Terminator::Branch { condition, then, other } = *f.terminator(block) else { return None };
    if then.block == other.block {
        return None;
    }
    let inst = f.def_inst(condition)?;
    let (op, &[x, y]) = (f.inst(inst).op, f.args(inst)) else { return None };
    let op = if then.block == to { op } else { op.row().negated? };
    let ordered = matches!(op, Op::Lt | Op::Le | Op::Gt | Op::Ge | Op::Ult | Op::Ule | Op::Ugt | Op::Uge);
    ordered.then_some(Test { op, x, y })
}

/// The test in a block, into which some folded already, and the one behind it, if they are one.
fn pair(f: &Function, cfg: &Cfg, folded: &[u32], stays: &dyn Fn(Value, u32) -> bool) -> Option<Pair> {
    let number = folded[0];
    let first = cfg.block(number);
    let Terminator::Branch { then, other, .. } = *f.terminator(first) else { return None };
    [(then, other), (other, then)].into_iter().find_map(|(on, out)| {
        let second = on.block;
        let preds = cfg.number(second).map(|second| cfg.preds().of(second));
        let alone = preds.is_some_and(|preds| preds.iter().all(|pred| folded.contains(pred)));
        let &[only] = f.block_insts(second) else { return None };
        let Terminator::Branch { condition, then, other } = *f.terminator(second) else { return None };
        let goes_on = match (then.block == out.block, other.block == out.block) {
            (false, true) => (then, other),
            (true, false) => (other, then),
            _ => return None,
        };
        let (next, leaves) = goes_on;
        let local = f.first_result(only)?;
        let passes = f.list(next.args).contains(&local);
        if !alone
            || second == first
            || !f.block_params(second).is_empty()
            || condition != local
            || passes
            || f.list(leaves.args) != f.list(out.args)
        {
            return None;
        }
        let (one, two) = (test(f, first, second)?, test(f, second, next.block)?);
        let of = |x, is| Some(Pair { first, second, x, is });
        if let Some((x, is)) = range(f, one, two) {
            return of(x, is);
        }
        [(one, two), (one, turned(two)?), (turned(one)?, two), (turned(one)?, turned(two)?)]
            .into_iter()
            .find_map(|(one, two)| {
                let same = one.op == two.op && one.x == two.x && !stays(one.x, number);
                let bounds = [one.y, two.y];
                let suits = same && bounds.iter().all(|&bound| stays(bound, number));
                if suits { of(one.x, One::Nearer(one.op, bounds)) } else { None }
            })
    })
}

/// The range of constants in which a value is where two tests of it hold: one against the least, the other against the greatest.
fn range(f: &Function, one: Test, two: Test) -> Option<(Value, One)> {
    let constant_last = |test: Test| if f.int_constant(test.x).is_some() { turned(test) } else { Some(test) };
    let (one, two) = (constant_last(one)?, constant_last(two)?);
    let (from, to) = (bound(f, one), bound(f, two));
    let (from, to) = match (from?, to?) {
        (from @ Bound { least: true, .. }, to @ Bound { least: false, .. }) => (from, to),
        (to @ Bound { least: false, .. }, from @ Bound { least: true, .. }) => (from, to),
        _ => return None,
    };
    let mask = u64::MAX >> (64 - from.number.width());
    let behind = to.number.unsigned().wrapping_sub(from.number.unsigned()) & mask;
    let some = match from.signed {
        true => from.number.signed() <= to.number.signed(),
        false => from.number.unsigned() <= to.number.unsigned(),
    };
    // All numbers of the width are no range.
    let suits = one.x == two.x && from.signed == to.signed && some && behind < mask;
    suits.then(|| (one.x, One::Range { least: from.number, count: behind + 1 }))
}

/// A constant that a value is not below, or not above.
#[derive(Clone, Copy)]
struct Bound {
    number: Int,
    least: bool,
    signed: bool,
}

/// The bound that a test against a constant is. Where the constant itself is left out, it is the next one; none is left
/// out of a test that always fails.
fn bound(f: &Function, test: Test) -> Option<Bound> {
    let number = f.int_constant(test.y)?;
    let (least, signed, step) = match test.op {
        Op::Ge => (true, true, 0),
        Op::Gt => (true, true, 1),
        Op::Le => (false, true, 0),
        Op::Lt => (false, true, -1),
        Op::Uge => (true, false, 0),
        Op::Ugt => (true, false, 1),
        Op::Ule => (false, false, 0),
        Op::Ult => (false, false, -1),
        _ => return None,
    };
    let next = Int::new(number.width(), number.unsigned().wrapping_add_signed(step));
    let ordered = match signed {
        true => next.signed().wrapping_sub(number.signed()) == step,
        false => next.unsigned().wrapping_sub(number.unsigned()) == step as u64,
    };
    ordered.then_some(Bound { number: next, least, signed })
}

/// The same test with its operands exchanged.
fn turned(test: Test) -> Option<Test> {
    Some(Test { op: test.op.swapped()?, x: test.y, y: test.x })
}

/// The operation that gives the nearer of two bounds.
fn nearer(op: Op) -> Op {
    match op {
        Op::Lt | Op::Le => Op::Min,
        Op::Gt | Op::Ge => Op::Max,
        Op::Ult | Op::Ule => Op::Umin,
        _ => Op::Umax,
    }
}

/// Makes one test of two; the second block is left without ways into it.
fn fold(f: &mut Function, pair: &Pair) {
    let append = |f: &mut Function, op: Op, args: [Value; 2], ty: Type| {
        let inst = f.make_inst(op, &args, &[ty], None, None, Location::default());
        f.append_inst(pair.first, inst);
        f.result(inst)
    };
    let ty = f.ty(pair.x);
    let condition = match pair.is {
        One::Nearer(op, bounds) => {
            let bound = append(f, nearer(op), bounds, ty);
            append(f, op, [pair.x, bound], Type::I1)
        }
        One::Range { least, count } => {
            let least = f.make_int(ty, least.signed().wrapping_neg());
            let count = f.make_int(ty, count as i64);
            let above = append(f, Op::Add, [pair.x, least], ty);
            append(f, Op::Ult, [above, count], Type::I1)
        }
    };
    let [first, second] = [pair.first, pair.second].map(|block| f.take_terminator(block));
    let (Terminator::Branch { then, other, .. }, Terminator::Branch { then: yes, other: no, .. }) =
        (&first, &second)
    else {
        unreachable!("both are branches")
    };
    let out = if then.block == pair.second { *other } else { *then };
    let next = if yes.block == out.block { *no } else { *yes };
    f.set_terminator(pair.second, second);
    f.set_terminator(pair.first, Terminator::Branch { condition, then: next, other: out });
    f.retain_blocks(|block| block != pair.second);
}

#[cfg(test)]
mod tests {
    use super::PASS;
    use crate::passes::testing::after;

    fn looped(tests: &str) -> (u64, String) {
        after(
            &PASS,
            &format!(
                "func f(v0: i32, v1: i32, v2: i32) -> i32 {{\ne:\n    jump h(0, 1)\nh(v3: i32, v4: i32):\n{tests}b:\n    \
                 v8 = mul(v4, 3)\n    v9 = add(v3, 1)\n    jump h(v9, v8)\nx(v10: i32):\n    return v10\n}}\n"
            ),
        )
    }

    #[test]
    fn two_bounds_are_the_nearer_one() {
        let (count, text) = looped(
            "    v5: i1 = lt(v3, v0)\n    branch v5, t, x(v4)\nt:\n    v6: i1 = lt(v3, v1)\n    branch v6, b, x(v4)\n",
        );
        assert!(count == 1 && text.contains("min(v0, v1)") && text.matches("branch").count() == 1, "{text}");
    }

    #[test]
    fn tests_the_other_way_around_fold_too() {
        let (count, text) = looped(
            "    v5: i1 = uge(v3, v0)\n    branch v5, x(v4), t\nt:\n    v6: i1 = ugt(v1, v3)\n    branch v6, b, x(v4)\n",
        );
        assert!(count == 1 && text.contains("umin(v0, v1)"), "{text}");
    }

    #[test]
    fn three_bounds_fold_into_one() {
        let (count, text) = looped(
            "    v5: i1 = le(v3, v0)\n    branch v5, t, x(v4)\nt:\n    v6: i1 = le(v3, v1)\n    branch v6, u, x(v4)\n\
             u:\n    v7: i1 = le(v3, v2)\n    branch v7, b, x(v4)\n",
        );
        assert!(count == 2 && text.matches("branch").count() == 1, "{text}");
    }

    fn straight(first: &str, second: &str) -> (u64, String) {
        after(
            &PASS,
            &format!(
                "func f(v0: i8, v1: i32) -> i32 {{\ne:\n    v5: i1 = {first}\nt:\n    v6: i1 = {second}\nb:\n    return v1\n\
                 x:\n    return 0\n}}\n"
            ),
        )
    }

    #[test]
    fn a_least_and_a_greatest_number_are_a_range() {
        for (first, second, expected) in [
            (
                "ge(v0, 97)\n    branch v5, t, x",
                "le(v0, 122)\n    branch v6, b, x",
                ["add(v0, -97)", ", 26)"],
            ),
            ("lt(v0, 10)\n    branch v5, t, x", "gt(-3, v0)\n    branch v6, x, b", ["add(v0, 3)", ", 13)"]),
            (
                "lt(v0, -100)\n    branch v5, x, t",
                "gt(v0, 99)\n    branch v6, x, b",
                ["add(v0, 100)", ", -56)"],
            ),
            (
                "ult(v0, 250)\n    branch v5, t, x",
                "ugt(v0, 3)\n    branch v6, b, x",
                ["add(v0, -4)", ", -10)"],
            ),
        ] {
            let (count, text) = straight(first, second);
            let lines = expected.iter().all(|line| text.contains(line)) && text.contains("ult(");
            assert!(count == 1 && lines && text.matches("branch").count() == 1, "{text}");
        }
    }

    #[test]
    fn what_is_no_range_stays() {
        for (first, second) in [
            ("ge(v0, 97)\n    branch v5, t, x", "ge(v0, 122)\n    branch v6, b, x"),
            ("ge(v0, 97)\n    branch v5, t, x", "ule(v0, 122)\n    branch v6, b, x"),
            ("ge(v0, 97)\n    branch v5, t, x", "le(v0, 90)\n    branch v6, b, x"),
            ("gt(v0, 127)\n    branch v5, t, x", "le(v0, 90)\n    branch v6, b, x"),
            ("ge(v0, 97)\n    branch v5, t, x", "le(v0, 122)\n    branch v6, x, b"),
            ("ge(v0, -128)\n    branch v5, t, x", "le(v0, 127)\n    branch v6, b, x"),
        ] {
            let (count, text) = straight(first, second);
            assert_eq!(count, 0, "{text}");
        }
    }

    #[test]
    fn what_differs_stays() {
        for (first, second) in [
            ("lt(v3, v0)\n    branch v5, t, x(v4)", "le(v3, v1)\n    branch v6, b, x(v4)"),
            ("lt(v3, v0)\n    branch v5, t, x(v4)", "ult(v3, v1)\n    branch v6, b, x(v4)"),
            ("lt(v3, v0)\n    branch v5, t, x(v4)", "lt(v3, v1)\n    branch v6, b, x(v3)"),
            ("lt(v3, v0)\n    branch v5, t, x(v4)", "lt(v3, v4)\n    branch v6, b, x(v4)"),
            ("lt(v3, v0)\n    branch v5, t, x(v4)", "lt(v3, v1)\n    branch v6, x(v4), b"),
            ("lt(v0, v1)\n    branch v5, t, x(v4)", "lt(v0, v2)\n    branch v6, b, x(v4)"),
        ] {
            let (count, text) = looped(&format!("    v5: i1 = {first}\nt:\n    v6: i1 = {second}\n"));
            assert_eq!(count, 0, "{text}");
        }
    }
}
