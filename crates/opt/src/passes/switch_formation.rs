//! Switch formation (LLVM's `FoldValueComparisonIntoPredecessors`): tests of one value against numbers, one after the other, are
//! one choice.
//!
//! ```text
//! branch x, t, a                     switch x [0: a, 1: b], c
//! t: branch eq(x, 1), b, c  becomes
//! ```
//!
//! The test that comes next stands alone in its block, to which nothing else goes; a number that was asked before is not asked
//! again. A test may ask for several numbers at once, `or(eq(x, 1), eq(x, 4))`, and what is handed on where a test is the last
//! one may be its truth, or a choice by it: then it is told apart as well. A choice by what was extended is one by what it was
//! extended from. Only where a choice is written as one ([`Target::switches`](planish_pass::Target)). O(size of the function).

use planish_base::{SideTable, fault};
use planish_ir::{Block, BlockCall, Function, Inst, Terminator, Value};
use planish_ops::{Int, Op, Type};
use planish_pass::{Example, FunctionPass, PassCx, PassInfo};
use rustc_hash::FxHashSet;

use super::strength_reduction::uses;

/// Makes choices of tests.
pub const PASS: FunctionPass = FunctionPass {
    info: PassInfo {
        source: "LLVM FoldValueComparisonIntoPredecessors",
        handlers: false,
        example: Example {
            file: "switch_formation.ssa",
            text: include_str!("examples/switch_formation.ssa"),
        },
        test: "crates/opt/src/passes/switch_formation.rs",
        ..PassInfo::new(
            "switch-formation",
            "Switch formation: tests of one value against numbers, one after the other, are one choice.",
        )
    },
    run,
};

/// Tests of a value against numbers.
pub(super) struct Tests {
    pub(super) on: Value,
    pub(super) cases: Vec<(Int, BlockCall)>,
    /// Where it goes with any other number.
    pub(super) default: BlockCall,
    /// The comparisons that are for this alone.
    comparisons: Vec<Inst>,
    /// The blocks behind the first one in which tests are.
    pub(super) behind: Vec<Block>,
}

fn run(f: &mut Function, cx: &mut PassCx<'_>) {
    let branches = f.blocks().iter().filter(|&&block| !matches!(f.terminator(block), Terminator::Jump(_)));
    if !cx.target.switches || branches.count() == 0 || !cx.record.has_fuel() {
        return;
    }
    let counts = Counts::new(f);
    let mut gone: SideTable<Block, bool> = SideTable::new();
    let mut any = false;
    for block in f.blocks().to_vec() {
        let tests = if gone[block] { None } else { all_tests(f, &counts, block) };
        let chosen_on = match f.terminator(block) {
            Terminator::Switch { on, .. } => Some(*on),
            _ => None,
        };
        let is_one = |tests: &Tests| {
            let asks_the_same = chosen_on.is_some_and(|on| on == tests.on);
            tests.behind.is_empty() && (asks_the_same || chosen_on.is_none() && tests.cases.len() < 2)
        };
        let Some(tests) = tests.filter(|tests| !is_one(tests)) else { continue };
        if !cx.may_change(f, block) {
            break;
        }
        let Tests { on, cases, default, comparisons, behind } = tests;
        behind.into_iter().for_each(|block| gone[block] = true);
        let mut insts = f.replace_insts(block, Vec::new());
        insts.retain(|inst| !comparisons.contains(inst));
        f.replace_insts(block, insts);
        // Each way hands on values of its own: what is known of the number differs from way to way.
        let mut own = |(key, call): (Int, BlockCall)| {
            let args = f.list(call.args).to_vec();
            (key, f.make_call(call.block, &args))
        };
        let cases: Vec<(Int, BlockCall)> = cases.into_iter().map(&mut own).collect();
        let choice = match cases.is_empty() {
            true => Terminator::Jump(default),
            false => Terminator::Switch { on, cases: cases.into(), default },
        };
        f.set_terminator(block, choice);
        any = true;
    }
    if any {
        f.retain_blocks(|block| !gone[block]);
    }
}

/// How often values are used and blocks are gone to.
pub(super) struct Counts {
    uses: SideTable<Value, u32>,
    edges: SideTable<Block, u32>,
}

impl Counts {
    /// Counts them. O(size of the function).
    pub(super) fn new(f: &Function) -> Counts {
        let mut edges: SideTable<Block, u32> = SideTable::new();
        f.blocks().iter().flat_map(|&block| f.block_calls(block)).for_each(|call| edges[call.block] += 1);
        Counts { uses: uses(f), edges }
    }
}

/// The tests at the end of a block, and those behind it that one choice can do as well.
pub(super) fn all_tests(f: &mut Function, counts: &Counts, block: Block) -> Option<Tests> {
    let mut tests = tests(f, &counts.uses, block)?;
    let mut asked: FxHashSet<Int> = FxHashSet::default();
    while let Some(next) = next(f, counts, block, &tests) {
        if asked.is_empty() {
            asked.extend(tests.cases.iter().map(|&(key, _)| key));
        }
        tests.cases.extend(next.cases.into_iter().filter(|&(key, _)| asked.insert(key)));
        tests.behind.push(tests.default.block);
        tests.default = next.default;
    }
    Some(tests)
}

/// The tests at the end of a block.
fn tests(f: &Function, uses: &SideTable<Value, u32>, block: Block) -> Option<Tests> {
    let (condition, then, other) = match f.terminator(block) {
        Terminator::Branch { condition, then, other } => (*condition, *then, *other),
        Terminator::Switch { on, cases, default } => {
            let (mut on, mut cases, default) = (*on, cases.to_vec(), *default);
            let mut comparisons = Vec::new();
            if let Some((inst, of)) = extended(f, on) {
                cases = narrow_cases(f, inst, of, cases);
                comparisons.extend((uses[on] == 1).then_some(inst));
                on = of;
            }
            return Some(Tests { on, cases, default, comparisons, behind: Vec::new() });
        }
        _ => return None,
    };
    let Asked { one_of, on, keys, comparisons } = asked_at_once(f, uses, condition)?;
    let (case, default) = if one_of { (then, other) } else { (other, then) };
    let cases = keys.into_iter().map(|key| (key, case)).collect();
    Some(Tests { on, cases, default, comparisons, behind: Vec::new() })
}

/// The operation that extends a narrower word to a value, and that word.
fn extended(f: &Function, value: Value) -> Option<(Inst, Value)> {
    let inst = f.def_inst(value)?;
    match (f.inst(inst).op, f.args(inst)) {
        (Op::Zext | Op::Sext, &[of]) => Some((inst, of)),
        _ => None,
    }
}

/// The cases of a choice by what is extended, for what it is extended from: the others cannot be.
fn narrow_cases(
    f: &Function,
    extension: Inst,
    of: Value,
    cases: Vec<(Int, BlockCall)>,
) -> Vec<(Int, BlockCall)> {
    let width = f.ty(of).int_width().expect("what is extended is a word");
    let narrow = |(key, call): (Int, BlockCall)| {
        let low = Int::new(width, key.unsigned());
        let wide = match f.inst(extension).op {
            Op::Zext => low.unsigned(),
            _ => low.signed() as u64,
        };
        (Int::new(key.width(), wide) == key).then_some((low, call))
    };
    cases.into_iter().filter_map(narrow).collect()
}

/// Which numbers a condition asks a value for.
struct Asked {
    /// Whether it holds where the value is one of them, or where it is none.
    one_of: bool,
    on: Value,
    /// The numbers, each once.
    keys: Vec<Int>,
    /// The operations that are for the condition alone.
    comparisons: Vec<Inst>,
}

/// What a condition asks: one comparison, or several of one value, any or all of which hold.
fn asked_at_once(f: &Function, uses: &SideTable<Value, u32>, condition: Value) -> Option<Asked> {
    /// So many comparisons at most.
    const MOST: usize = 64;
    let mut work = vec![(condition, true)];
    let (mut found, mut comparisons): (Option<Asked>, _) = (None, Vec::new());
    while let Some((value, alone)) = work.pop() {
        let alone = alone && uses[value] == 1;
        if let Some((any, parts)) = joined(f, value) {
            // All are joined in one way.
            if found.as_ref().is_some_and(|found| found.one_of != any) || work.len() > MOST {
                return None;
            }
            found = found.or_else(|| {
                Some(Asked { one_of: any, on: value, keys: Vec::new(), comparisons: Vec::new() })
            });
            comparisons.extend(f.def_inst(value).filter(|_| alone));
            work.extend(parts.map(|part| (part, alone)));
            continue;
        }
        let (one_of, on, key, inst) = asked(f, value)?;
        comparisons.extend(inst.filter(|_| alone));
        match &mut found {
            Some(found) if found.one_of != one_of || found.keys.len() == MOST => return None,
            Some(found) if found.keys.is_empty() => (found.on, found.keys) = (on, vec![key]),
            Some(found) if found.on != on => return None,
            Some(found) if found.keys.contains(&key) => {}
            Some(found) => found.keys.push(key),
            None => found = Some(Asked { one_of, on, keys: vec![key], comparisons: Vec::new() }),
        }
    }
    found.map(|found| Asked { comparisons, ..found })
}

/// The two conditions of which a bit says whether any or all of them hold.
fn joined(f: &Function, value: Value) -> Option<(bool, [Value; 2])> {
    let inst = f.def_inst(value).filter(|_| f.ty(value) == Type::I1)?;
    let is = |value: Value, number: u64| f.int_constant(value).is_some_and(|it| it.unsigned() == number);
    match (f.inst(inst).op, f.args(inst)) {
        (Op::Or, &[x, y]) => Some((true, [x, y])),
        (Op::And, &[x, y]) => Some((false, [x, y])),
        (Op::Select, &[x, one, y]) if is(one, 1) => Some((true, [x, y])),
        (Op::Select, &[x, y, zero]) if is(zero, 0) => Some((false, [x, y])),
        _ => None,
    }
}

/// Whether a condition holds where a value is a number or where it is not, which ones, and the comparison if it is one.
fn asked(f: &Function, condition: Value) -> Option<(bool, Value, Int, Option<Inst>)> {
    let inst = f.def_inst(condition);
    let zero = |value: Value| f.ty(value).int_width().map(|width| Int::new(width, 0));
    let asked = inst.and_then(|inst| match (f.inst(inst).op, f.args(inst)) {
        (op @ (Op::Eq | Op::Ne), &[x, y]) => Some((op == Op::Eq, x, f.int_constant(y)?, Some(inst))),
        // Not zero with a number added: it is not that number taken from zero.
        (Op::Add, &[x, y]) => {
            let number = f.int_constant(y)?;
            Some((false, x, Int::new(number.width(), number.unsigned().wrapping_neg()), Some(inst)))
        }
        (op @ (Op::IsZero | Op::IsTrue), &[x]) => Some((op == Op::IsZero, x, zero(x)?, Some(inst))),
        _ => None,
    });
    asked.or_else(|| Some((false, condition, zero(condition)?, None)))
}

/// Whether a block and the one behind it ask one value for numbers, and the latter does nothing else: so both are one choice
/// later.
pub(super) fn asks_on(f: &Function, block: Block, behind: Block) -> bool {
    let value = |block: Block| match *f.terminator(block) {
        Terminator::Branch { condition, .. } => asked(f, condition).map(|(_, on, ..)| on),
        Terminator::Switch { on, .. } => Some(extended(f, on).map_or(on, |(_, of)| of)),
        _ => None,
    };
    let alone = f.block_insts(behind).len() <= 1 && f.block_params(behind).is_empty();
    alone && value(block).is_some() && value(block) == value(behind)
}

/// The tests behind some, if they are of the same value and nothing else happens in their block.
fn next(f: &mut Function, counts: &Counts, block: Block, tests: &Tests) -> Option<Tests> {
    let behind = tests.default.block;
    if behind == block || counts.edges[behind] != 1 || !f.block_params(behind).is_empty() {
        return None;
    }
    let next = match f.terminator(behind) {
        Terminator::Jump(call) => handed_on(f, counts, tests.on, behind, *call),
        _ => self::tests(f, &counts.uses, behind),
    }?;
    let alone = f.block_insts(behind).iter().all(|inst| next.comparisons.contains(inst));
    let is_same = next.on == tests.on || fault!("switch-formation: all tests are of one value");
    (alone && is_same).then_some(next)
}

/// The test in a block that hands on its truth, or one of two constants by it: each goes its own way.
///
/// ```text
/// jump out(eq(x, 7))     is    branch eq(x, 7), out(1), out(0)
/// ```
fn handed_on(f: &mut Function, counts: &Counts, on: Value, block: Block, call: BlockCall) -> Option<Tests> {
    let &last = f.block_insts(block).last()?;
    let result = f.first_result(last)?;
    let args = f.list(call.args).to_vec();
    let count = args.iter().filter(|&&arg| arg == result).count();
    if count == 0 || counts.uses[result] as usize != count {
        return None;
    }
    let (condition, yes, no) = match (f.inst(last).op, f.args(last)) {
        (Op::Select, &[condition, yes, no]) => (condition, yes, no),
        (Op::Eq | Op::Ne | Op::IsZero | Op::IsTrue, _) => {
            let ty = f.ty(result);
            (result, f.make_int(ty, 1), f.make_int(ty, 0))
        }
        _ => return None,
    };
    let (equal, of, key, comparison) = asked(f, condition)?;
    // A truth is asked by what makes it.
    let is_asked = condition != result || comparison == Some(last);
    if of != on || !is_asked || [yes, no].iter().any(|&value| f.constant(value).is_none()) {
        return None;
    }
    let mut with = |value| {
        let args: Vec<Value> = args.iter().map(|&arg| if arg == result { value } else { arg }).collect();
        f.make_call(call.block, &args)
    };
    let (yes, no) = (with(yes), with(no));
    let (case, default) = if equal { (yes, no) } else { (no, yes) };
    let alone = |inst: &Inst| condition == result || counts.uses[condition] == 1 && *inst != last;
    let comparisons = comparison.filter(alone).into_iter().chain([last]).collect();
    Some(Tests { on, cases: vec![(key, case)], default, comparisons, behind: Vec::new() })
}

#[cfg(test)]
mod tests {
    use super::PASS;
    use crate::passes::testing::{after, changed};
    use planish_pass::Target;

    fn function(body: &str) -> String {
        format!(
            "func f(v0: i32, v1: i32) -> i32 {{\ne:\n{body}a:\n    return 1\nb:\n    return 2\nc:\n    return 3\n}}\n"
        )
    }

    #[test]
    fn tests_one_after_the_other_are_one_choice() {
        let source = function(
            "    branch v0, t, a\nt:\n    v2: i1 = eq(v0, 1)\n    branch v2, b, u\nu:\n    v3: i1 = ne(v0, 7)\n    \
             branch v3, c, a\n",
        );
        let (count, text) = after(&PASS, &source);
        assert!(count == 1 && text.contains("switch v0 [0: a, 1: b, 7: a], c"), "{text}");
        let branches = Target { switches: false, ..Target::MACHINE };
        assert_eq!(changed(&PASS, &source, branches).0, 0);
    }

    #[test]
    fn a_sum_that_is_zero_is_a_number() {
        let (_, text) = after(
            &PASS,
            &function(
                "    branch v0, t, a\nt:\n    v2 = add(v0, -3)\n    branch v2, u, b\nu:\n    v3 = add(v0, 5)\n    branch v3, c, a\n",
            ),
        );
        assert!(text.contains("switch v0 [0: a, 3: b, -5: a], c") && !text.contains("add("), "{text}");
    }

    #[test]
    fn a_number_that_was_asked_before_is_not_asked_again() {
        let (_, text) = after(
            &PASS,
            &function(
                "    branch v0, t, a\nt:\n    v2: i1 = eq(v0, 0)\n    branch v2, b, u\nu:\n    v3: i1 = eq(v0, 7)\n    \
                 branch v3, b, c\n",
            ),
        );
        assert!(text.contains("switch v0 [0: a, 7: b], c"), "{text}");
    }

    #[test]
    fn several_numbers_that_are_asked_for_at_once_are_one_choice() {
        for (condition, expected) in [
            ("v3: i1 = eq(v0, 4)\n    v4 = or(v2, v3)\n    branch v4, a, b\n", "[4: a, 1: a], b"),
            ("v3: i1 = eq(v0, 4)\n    v4 = select(v2, 1, v3)\n    branch v4, a, b\n", "[4: a, 1: a], b"),
            (
                "v3: i1 = ne(v0, 4)\n    v4: i1 = ne(v0, 1)\n    v5 = and(v3, v4)\n    branch v5, a, b\n",
                "[1: b, 4: b], a",
            ),
        ] {
            let (count, text) = after(&PASS, &function(&format!("    v2: i1 = eq(v0, 1)\n    {condition}")));
            assert!(count == 1 && text.contains(&format!("switch v0 {expected}")), "{text}");
            assert!(!text.contains("or(") && !text.contains("and(") && !text.contains("select("), "{text}");
        }
        for condition in
            ["v3: i1 = eq(v1, 4)\n    v4 = or(v2, v3)", "v3: i1 = ne(v0, 4)\n    v4 = or(v2, v3)"]
        {
            let source = format!("    v2: i1 = eq(v0, 1)\n    {condition}\n    branch v4, a, b\n");
            let (count, text) = after(&PASS, &function(&source));
            assert_eq!(count, 0, "{text}");
        }
    }

    #[test]
    fn what_is_handed_on_by_the_last_test_is_told_apart() {
        let source = |last: &str, result: &str| {
            format!(
                "func f(v0: i32) -> i32 {{\ne:\n    v1: i1 = eq(v0, 3)\n    branch v1, o(1), t\nt:\n{last}    jump o({result})\n\
                 o(v9: i32):\n    v10 = mul(v9, 3)\n    return v10\n}}\n"
            )
        };
        let (_, text) = after(&PASS, &source("    v2: i32 = ne(v0, 9)\n", "v2"));
        assert!(text.contains("switch v0 [3: o(1), 9: o(0)], o(1)"), "{text}");
        let (_, text) =
            after(&PASS, &source("    v2: i1 = eq(v0, 9)\n    v3 = select(v2, 7: i32, -2: i32)\n", "v3"));
        assert!(text.contains("switch v0 [3: o(1), 9: o(7)], o(-2)"), "{text}");
        for (last, result) in [("    v2: i32 = lt(v0, 9)\n", "v2"), ("    v2 = add(v0, 9)\n", "v2")] {
            let (count, text) = after(&PASS, &source(last, result));
            assert_eq!(count, 0, "{text}");
        }
    }

    #[test]
    fn a_choice_by_what_is_extended_is_one_by_what_it_is_extended_from() {
        let source = |op: &str| {
            format!(
                "func f(v0: i8) -> i32 {{\ne:\n    branch v0, t, a\nt:\n    v1: i32 = {op}(v0)\n    \
                 switch v1 [1: b, 200: c, -3: a, 400: b], c\na:\n    return 1\nb:\n    return 2\nc:\n    return 3\n}}\n"
            )
        };
        let (_, text) = after(&PASS, &source("zext"));
        assert!(text.contains("switch v0 [0: a, 1: b, -56: c], c") && !text.contains("zext"), "{text}");
        let (_, text) = after(&PASS, &source("sext"));
        assert!(text.contains("switch v0 [0: a, 1: b, -3: a], c") && !text.contains("sext"), "{text}");
        let none = source("sext")
            .replace("[1: b, 200: c, -3: a, 400: b]", "[300: b]")
            .replace("branch v0, t, a", "jump t");
        assert!(after(&PASS, &none).1.contains("t:\n    jump c\n"));
        let alone = source("sext").replace("branch v0, t, a", "jump t");
        assert!(after(&PASS, &alone).1.contains("switch v0 [1: b, -3: a], c"));
        let used = source("sext").replace("return 1", "return v1").replace("branch v0, t, a", "jump t");
        let (_, text) = after(&PASS, &used);
        assert!(text.contains("sext(v0)\n    switch v0 [1: b, -3: a], c"), "{text}");
    }

    #[test]
    fn what_else_happens_and_what_else_is_asked_stays() {
        for body in [
            "    branch v0, t, a\nt:\n    v2: i1 = eq(v1, 1)\n    branch v2, b, c\n",
            "    branch v0, t, a\nt:\n    v2: i1 = eq(v0, v1)\n    branch v2, b, c\n",
            "    branch v0, t, a\nt:\n    v2: i1 = lt(v0, 5)\n    branch v2, b, c\n",
            "    branch v0, t, a\nt:\n    v2: i1 = eq(v0, 1)\n    v3 = sdiv(v1, v0)\n    branch v2, b, c\n",
            "    branch v0, t, a\nt:\n    v2: i1 = eq(v0, 1)\n    branch v2, b, t\n",
        ] {
            let (count, text) = after(&PASS, &function(body));
            assert_eq!(count, 0, "{text}");
        }
    }
}
