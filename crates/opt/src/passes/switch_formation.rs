//! Switch formation (LLVM's `FoldValueComparisonIntoPredecessors`): tests of one value against numbers, one after the other, are
//! one choice.
//!
//! ```text
//! branch x, t, a                     switch x [0: a, 1: b], c
//! t: branch eq(x, 1), b, c  becomes
//! ```
//!
//! The test that comes next stands alone in its block, to which nothing else goes; a number that was asked before is not asked
//! again. Only where a choice is written as one ([`Target::switches`](planish_pass::Target)). O(size of the function).

use planish_base::{SideTable, fault};
use planish_ir::{Block, BlockCall, Function, Inst, Terminator, Value};
use planish_ops::{Int, Op};
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
    /// The comparison, if it is one and for this alone.
    comparison: Option<Inst>,
    /// The blocks behind the first one in which tests are.
    pub(super) behind: Vec<Block>,
}

fn run(f: &mut Function, cx: &mut PassCx<'_>) {
    let branches = f.blocks().iter().filter(|&&block| !matches!(f.terminator(block), Terminator::Jump(_)));
    if !cx.target.switches || branches.count() < 2 || !cx.record.has_fuel() {
        return;
    }
    let counts = Counts::new(f);
    let mut gone: SideTable<Block, bool> = SideTable::new();
    let mut any = false;
    for block in f.blocks().to_vec() {
        let tests = if gone[block] { None } else { all_tests(f, &counts, block) };
        let Some(tests) = tests.filter(|tests| !tests.behind.is_empty()) else { continue };
        if !cx.may_change(f, block) {
            break;
        }
        let Tests { on, cases, default, comparison, behind } = tests;
        behind.into_iter().for_each(|block| gone[block] = true);
        let mut insts = f.replace_insts(block, Vec::new());
        insts.retain(|&inst| Some(inst) != comparison);
        f.replace_insts(block, insts);
        f.set_terminator(block, Terminator::Switch { on, cases: cases.into(), default });
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
pub(super) fn all_tests(f: &Function, counts: &Counts, block: Block) -> Option<Tests> {
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
            let (on, cases, default) = (*on, cases.to_vec(), *default);
            return Some(Tests { on, cases, default, comparison: None, behind: Vec::new() });
        }
        _ => return None,
    };
    let (equal, on, key, inst) = asked(f, condition)?;
    let here = |inst: &Inst| uses[condition] == 1 && f.block_insts(block).contains(inst);
    let (case, default) = if equal { (then, other) } else { (other, then) };
    let comparison = inst.filter(here);
    Some(Tests { on, cases: vec![(key, case)], default, comparison, behind: Vec::new() })
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
        _ => None,
    };
    let alone = f.block_insts(behind).len() <= 1 && f.block_params(behind).is_empty();
    alone && value(block).is_some() && value(block) == value(behind)
}

/// The tests behind some, if they are of the same value and nothing else happens in their block.
fn next(f: &Function, counts: &Counts, block: Block, tests: &Tests) -> Option<Tests> {
    let behind = tests.default.block;
    if behind == block || counts.edges[behind] != 1 || !f.block_params(behind).is_empty() {
        return None;
    }
    let next = self::tests(f, &counts.uses, behind)?;
    let alone = f.block_insts(behind).iter().all(|&inst| Some(inst) == next.comparison);
    let is_same = next.on == tests.on || fault!("switch-formation: all tests are of one value");
    (alone && is_same).then_some(next)
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
