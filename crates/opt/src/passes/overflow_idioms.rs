//! Overflow idioms (the `combineToUAddWithOverflow` and `combineToUSubWithOverflow` of LLVM's CodeGenPrepare): a difference
//! and the comparison that says whether it borrows are one operation with an overflow bit, and so are a sum and its carry.
//!
//! ```text
//! c: i1 = ult(x, y)                                s = add(x, y)
//! d = sub(x, y)      becomes   d, c = usub_ovf     c: i1 = ult(s, x)     becomes   s, c = uadd_ovf
//! ```
//!
//! A machine subtracts to compare, so one of both was for nothing. The operation stands where the first of them stood, which has
//! to dominate the other: nothing is computed where nothing was. A comparison the other way around is the negated bit, and only
//! where all that asks for it are branches and choices, which change their arms. What other passes know of sums and differences they
//! do not know of these operations, so this pass comes late. O(size of the function).

use hashbrown::HashMap;
use planish_base::{SideTable, fault};
use planish_ir::dominators::Dominators;
use planish_ir::{Block, Cfg, Function, Inst, Terminator, Value};
use planish_ops::{Int, Op, Type};
use planish_pass::{Became, Change, Example, FunctionPass, Machine, PassCx, PassInfo};
use rustc_hash::FxBuildHasher;

use super::bit_idioms::homes;
use super::insertions::Insertions;
use super::strength_reduction::uses;

/// Puts sums and differences together with their carries.
pub const PASS: FunctionPass = FunctionPass {
    info: PassInfo {
        changes: Change::Operations,
        source: "LLVM CodeGenPrepare, combineToUAddWithOverflow and combineToUSubWithOverflow",
        handlers: false,
        analyses: &["edges", "dominators"],
        example: Example { file: "overflow_idioms.ssa", text: include_str!("examples/overflow_idioms.ssa") },
        test: "crates/opt/src/passes/overflow_idioms.rs",
        ..PassInfo::new(
            "overflow-idioms",
            "Overflow idioms: a sum or a difference and the comparison that says whether it wraps are one operation.",
        )
    },
    run,
};

fn run(f: &mut Function, cx: &mut PassCx<'_>) {
    let pays = |op: Op, plain: Op| cx.target.cost(op) < cx.target.cost(plain) + cx.target.cost(Op::Ult);
    let suits = pays(Op::UsubOvf, Op::Sub) && pays(Op::UaddOvf, Op::Add);
    if cx.target.machine != Machine::Registers || !suits || !cx.record.has_fuel() {
        return;
    }
    let candidates = candidates(f);
    if candidates.is_empty() {
        return;
    }
    let places = Places { cfg: cx.get::<Cfg>(f), dominators: cx.get::<Dominators>(f), homes: homes(f) };
    let only_asked = only_asked(f);
    let mut taken: SideTable<Inst, bool> = SideTable::new();
    let mut made = Insertions::default();
    for (compares, less, found) in candidates {
        if taken[found.inst] || less.negated && !only_asked[f.result(compares)] {
            continue;
        }
        let Some(first) = places.first(found.inst, compares) else { continue };
        if !cx.rewrite(f, compares, Became::Op(found.op)) {
            break;
        }
        taken[found.inst] = true;
        let ty = f.ty(f.result(found.inst));
        let operands = found.operands.map(|operand| match operand {
            Operand::Value(value) => value,
            Operand::Number(number) => f.make_constant(number),
        });
        let [value, bit] = made.make_two(f, first, found.op, &operands, [ty, Type::I1]);
        made.stands.put(value, f.result(found.inst));
        let truth = match less.negated && !fault!("overflow-idioms: a comparison is not negated") {
            true => made.make(f, compares, Op::IsZero, &[bit], Type::I1),
            false => bit,
        };
        made.stands.put(truth, f.result(compares));
    }
    made.write(f);
}

/// The comparisons beside which there is a sum or a difference that they are about.
fn candidates(f: &Function) -> Vec<(Inst, Less, Wraps)> {
    let comparisons = || f.live_insts().filter_map(|(_, inst)| Some((inst, Less::of(f, inst)?)));
    if comparisons().next().is_none() {
        return Vec::new();
    }
    let differences = differences(f);
    comparisons().filter_map(|(inst, less)| Some((inst, less, Wraps::find(f, less, &differences)?))).collect()
}

/// A comparison without signs: whether one value is less than another one, or not.
#[derive(Clone, Copy)]
struct Less {
    x: Value,
    y: Value,
    negated: bool,
}

impl Less {
    fn of(f: &Function, inst: Inst) -> Option<Less> {
        let (op, &[a, b]) = (f.inst(inst).op, f.args(inst)) else { return None };
        let (x, y, negated) = match op {
            Op::Ult => (a, b, false),
            Op::Ugt => (b, a, false),
            Op::Uge => (a, b, true),
            Op::Ule => (b, a, true),
            _ => return None,
        };
        (f.ty(f.result(inst)) == Type::I1).then_some(Less { x, y, negated })
    }
}

/// An operand: constants of one number are the same.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Operand {
    Value(Value),
    Number(Int),
}

impl Operand {
    fn of(f: &Function, value: Value) -> Operand {
        f.int_constant(value).map_or(Operand::Value(value), Operand::Number)
    }
}

/// The first difference of each two operands; that with a constant is a sum.
type Differences = HashMap<(Value, Operand), Inst, FxBuildHasher>;

fn differences(f: &Function) -> Differences {
    let mut differences = Differences::default();
    for (_, inst) in f.live_insts() {
        let key = match (f.inst(inst).op, f.args(inst)) {
            (Op::Sub, &[x, y]) => (x, Operand::of(f, y)),
            (Op::Add, &[x, y]) => match f.int_constant(y) {
                Some(number) => (x, Operand::Number(negated(number))),
                None => continue,
            },
            _ => continue,
        };
        differences.entry(key).or_insert(inst);
    }
    differences
}

fn negated(number: Int) -> Int {
    Int::new(number.width(), number.unsigned().wrapping_neg())
}

/// A sum or a difference of which a comparison says whether it wraps, and what does both.
struct Wraps {
    inst: Inst,
    op: Op,
    operands: [Operand; 2],
}

impl Wraps {
    fn find(f: &Function, less: Less, differences: &Differences) -> Option<Wraps> {
        let Less { x, y, .. } = less;
        // A sum is less than what it is of if it wraps, and then less than both.
        if let Some(inst) = f.def_inst(x).filter(|&inst| f.inst(inst).op == Op::Add)
            && let &[a, b] = f.args(inst)
            && [a, b].map(|of| Operand::of(f, of)).contains(&Operand::of(f, y))
        {
            return Some(Wraps { inst, op: Op::UaddOvf, operands: [a, b].map(|of| Operand::of(f, of)) });
        }
        let operands = [Operand::Value(x), Operand::of(f, y)];
        let inst = *differences.get(&(x, operands[1]))?;
        Some(Wraps { inst, op: Op::UsubOvf, operands })
    }
}

/// Where operations stand.
struct Places {
    cfg: std::sync::Arc<Cfg>,
    dominators: std::sync::Arc<Dominators>,
    homes: SideTable<Inst, Option<(Block, u32)>>,
}

impl Places {
    /// Which of two operations comes first on every way to the other one.
    fn first(&self, a: Inst, b: Inst) -> Option<Inst> {
        let (of_a, at_a) = self.homes[a]?;
        let (of_b, at_b) = self.homes[b]?;
        if of_a == of_b {
            return Some(if at_a < at_b { a } else { b });
        }
        let (of_a, of_b) = (self.cfg.number(of_a)?, self.cfg.number(of_b)?);
        let above = |upper, lower| self.dominators.dominates(upper, lower);
        if above(of_a, of_b) { Some(a) } else { above(of_b, of_a).then_some(b) }
    }
}

/// The values that are nothing but conditions of branches and choices.
fn only_asked(f: &Function) -> SideTable<Value, bool> {
    let mut asked: SideTable<Value, u32> = SideTable::new();
    let choices = f.live_insts().filter(|&(_, inst)| f.inst(inst).op == Op::Select);
    let choices = choices.map(|(_, inst)| f.args(inst)[0]);
    let branches = f.blocks().iter().filter_map(|&block| match f.terminator(block) {
        Terminator::Branch { condition, .. } => Some(*condition),
        _ => None,
    });
    choices.chain(branches).for_each(|condition| asked[condition] += 1);
    let uses = uses(f);
    let mut only = SideTable::new();
    for (_, inst) in f.live_insts() {
        f.results(inst).for_each(|result| only[result] = uses[result] == asked[result]);
    }
    only
}

#[cfg(test)]
mod tests {
    use super::PASS;
    use crate::passes::testing::after;

    fn straight(lines: &str, result: &str) -> (u64, String) {
        after(
            &PASS,
            &format!("func f(v0: i32, v1: i32, v2: i32) -> i32 {{\ne:\n{lines}    return {result}\n}}\n"),
        )
    }

    #[test]
    fn a_difference_and_its_borrow_are_one_operation() {
        for (test, choice) in [
            ("ult(v0, v1)", "select(v4, v2, v3)"),
            ("ugt(v1, v0)", "select(v4, v2, v3)"),
            ("uge(v0, v1)", "select(v4, v3, v2)"),
            ("ule(v1, v0)", "select(v4, v3, v2)"),
        ] {
            for swapped in [false, true] {
                let (compare, subtract) = (format!("    v4: i1 = {test}\n"), "    v3 = sub(v0, v1)\n");
                let lines =
                    if swapped { format!("{subtract}{compare}") } else { format!("{compare}{subtract}") };
                let (count, text) = straight(&format!("{lines}    v5 = {choice}\n"), "v5");
                assert!(count == 1 && text.contains("= usub_ovf(v0, v1)"), "{test}: {text}");
            }
        }
        let (count, text) =
            straight("    v3 = sub(v1, v0)\n    v4: i1 = ult(v0, v1)\n    v5 = select(v4, v2, v3)\n", "v5");
        assert_eq!(count, 0, "the other way around: {text}");
    }

    #[test]
    fn a_difference_with_a_constant_is_a_sum() {
        let (count, text) =
            straight("    v3: i1 = uge(v0, 10)\n    v4 = add(v0, -10)\n    v5 = select(v3, v4, v0)\n", "v5");
        assert!(count == 1 && text.contains("usub_ovf(v0, 10)"), "{text}");
    }

    #[test]
    fn a_sum_and_its_carry_are_one_operation() {
        for test in ["ult(v3, v0)", "ult(v3, v1)", "ugt(v1, v3)"] {
            let lines = format!("    v3 = add(v0, v1)\n    v4: i1 = {test}\n    v5 = select(v4, -1, v3)\n");
            let (count, text) = straight(&lines, "v5");
            assert!(count == 1 && text.contains("= uadd_ovf(v0, v1)"), "{test}: {text}");
        }
        let (count, text) =
            straight("    v3 = add(v0, v1)\n    v4: i1 = ult(v0, v3)\n    v5 = select(v4, -1, v3)\n", "v5");
        assert_eq!(count, 0, "a sum that is greater may wrap or not: {text}");
    }

    #[test]
    fn a_negated_truth_that_is_a_number_stays() {
        let (count, text) = straight(
            "    v3: i1 = uge(v0, v1)\n    v4 = sub(v0, v1)\n    v5: i32 = zext(v3)\n    v6 = add(v4, v5)\n",
            "v6",
        );
        assert_eq!(count, 0, "{text}");
    }

    #[test]
    fn one_of_both_dominates_the_other() {
        let source = |at: &str, behind: &str| {
            format!(
                "func f(v0: i32, v1: i32, v2: i32) -> i32 {{\ne:\n    branch v2, a, j(v1)\na:\n{at}    \
                 branch v3, b, j(v0)\nb:\n    v4 = sub(v0, v1)\n    jump j(v4)\nj(v5: i32):\n{behind}    return v5\n}}\n"
            )
        };
        let (count, text) = after(&PASS, &source("    v3: i1 = uge(v0, v1)\n", ""));
        assert!(count == 1 && text.contains("usub_ovf"), "{text}");
        let beside =
            source("    v3: i1 = eq(v0, 7)\n", "    v6: i1 = ult(v0, v1)\n    v7 = select(v6, v2, v5)\n");
        assert_eq!(after(&PASS, &beside.replace("return v5", "return v7")).0, 0);
    }
}
