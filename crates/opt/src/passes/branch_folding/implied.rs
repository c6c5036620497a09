//! A test for one number in front of a test by which that number goes the same way (LLVM's InstSimplify, `isImpliedCondition`, on
//! the `and` of both).
//!
//! The second test is computed for that number: if it leads to where the first one does, with the same arguments, it alone decides.
//! What it takes then happens for that number, too, so it may be little and has to be defined for all.

use planish_ir::{Block, BlockCall, Cfg, Function, Inst, Terminator, Value};
use planish_ops::machine::Machine;
use planish_ops::meaning::Datum;
use planish_ops::{Fold, Int, Op, fold};
use planish_pass::Target;

use crate::passes::global_code_motion::floats;

/// At most so many cost of what makes the second test.
const SPECULATED: u32 = 2;

/// A test that is not needed.
pub(super) struct Implied {
    pub first: Block,
    /// The block of the test behind it.
    pub second: Block,
}

/// A test whether a value is a number.
struct Asked {
    x: Value,
    number: Int,
    /// Where it goes for that number, and for others.
    same: BlockCall,
    differs: BlockCall,
}

impl Implied {
    /// The test at the end of a block, if the one behind it says as much.
    pub fn of(f: &Function, cfg: &Cfg, target: Target<'_>, first: Block) -> Option<Implied> {
        let Asked { x, number, same, differs } = asked(f, first)?;
        let second = differs.block;
        let alone = cfg.preds().of(cfg.number(second)?).len() == 1 && f.block_params(second).is_empty();
        let Terminator::Branch { condition, then, other } = *f.terminator(second) else { return None };
        if !alone || second == first || same.block == second {
            return None;
        }
        let insts = f.block_insts(second);
        let costs: Option<u32> =
            insts.iter().map(|&inst| (target.price)(f.inst(inst).op).filter(|_| floats(f, inst))).sum();
        if costs.is_none_or(|costs| costs > SPECULATED) {
            return None;
        }
        let holds = value_for(f, insts, condition, (x, number))?.is_true();
        let way = if holds { then } else { other };
        let leads_there = way.block == same.block && f.list(way.args) == f.list(same.args);
        leads_there.then_some(Implied { first, second })
    }

    /// Makes the second test the only one; its block is left without ways into it.
    pub fn drop(&self, f: &mut Function) {
        for inst in f.replace_insts(self.second, Vec::new()) {
            f.append_inst(self.first, inst);
        }
        let test = f.take_terminator(self.second);
        f.set_terminator(self.first, test);
    }
}

/// Whether a block ends in the question whether a value is a number.
fn asked(f: &Function, block: Block) -> Option<Asked> {
    let Terminator::Branch { condition, then, other } = *f.terminator(block) else { return None };
    let width = f.ty(condition).int_width()?;
    let made = f.def_inst(condition).map(|inst| (f.inst(inst).op, f.args(inst)));
    let of = |x: Value, number: Int, same: BlockCall, differs: BlockCall| Asked { x, number, same, differs };
    Some(match made {
        Some((Op::Eq, &[x, y])) => of(x, f.int_constant(y)?, then, other),
        Some((Op::Ne, &[x, y])) => of(x, f.int_constant(y)?, other, then),
        Some((Op::IsZero, &[x])) => of(x, Int::new(f.ty(x).int_width()?, 0), then, other),
        Some((Op::IsTrue, &[x])) => of(x, Int::new(f.ty(x).int_width()?, 0), other, then),
        _ => of(condition, Int::new(width, 0), other, then),
    })
}

/// What a condition is if a value is a number, as far as operations that make it say so.
fn value_for(f: &Function, insts: &[Inst], condition: Value, (x, number): (Value, Int)) -> Option<Int> {
    let mut known = vec![(x, number)];
    let find = |known: &[(Value, Int)], value: Value| {
        let known = known.iter().find(|(one, _)| *one == value).map(|&(_, number)| number);
        known.or_else(|| f.int_constant(value))
    };
    for &inst in insts {
        let args: Option<Vec<Datum<Machine>>> =
            f.args(inst).iter().map(|&arg| find(&known, arg).map(Datum::Word)).collect();
        let result = f.first_result(inst)?;
        match fold(f.inst(inst).op, &args?, &[f.ty(result)])? {
            Fold::Int(value) => known.push((result, value)),
            Fold::Real(_) | Fold::Pair(..) | Fold::Undefined => return None,
        }
    }
    find(&known, condition)
}

#[cfg(test)]
mod tests {
    use super::super::PASS;
    use crate::passes::testing::after;

    /// Two tests, the second of which is made by so many lines.
    fn tested(first: &str, lines: &str, second: &str) -> (u64, String) {
        after(
            &PASS,
            &format!(
                "func f(v0: i8, v1: i32) -> i32 {{\ne:\n    v5: i1 = {first}\nt:\n{lines}    branch v6, {second}\nb:\n    \
                 return v1\nx:\n    return 0\n}}\n"
            ),
        )
    }

    const ONE: &str = "    v7 = popcount(v0)\n    v6: i1 = eq(v7, 1)\n";

    #[test]
    fn what_the_next_test_says_too_is_not_asked() {
        for (first, lines, second) in [
            ("ne(v0, 0)\n    branch v5, t, x", ONE, "b, x"),
            ("is_zero(v0)\n    branch v5, x, t", ONE, "b, x"),
            ("eq(v0, 7)\n    branch v5, x, t", ONE, "b, x"),
            ("ne(v0, 10)\n    branch v5, t, x", "    v6: i1 = gt(v0, 31)\n", "b, x"),
        ] {
            let (count, text) = tested(first, lines, second);
            assert!(count == 1 && text.matches("branch").count() == 1, "{text}");
        }
        let (count, text) = tested("ne(v0, 0)\n    branch v0, t, x", ONE, "b, x");
        assert!(count == 1 && text.matches("branch").count() == 1, "a word is its own test: {text}");
    }

    #[test]
    fn what_the_next_test_does_not_say_is_asked() {
        for (first, lines, second) in [
            ("ne(v0, 1)\n    branch v5, t, x", ONE, "b, x"),
            ("ne(v0, 0)\n    branch v5, t, x", ONE, "x, b"),
            ("eq(v0, 0)\n    branch v5, t, x", ONE, "b, x"),
            ("ne(v0, 0)\n    branch v5, t, x", "    v6: i1 = gt(v1, 31)\n", "b, x"),
            ("ne(v0, 0)\n    branch v5, t, x", "    v7 = urem(9, v0)\n    v6: i1 = eq(v7, 1)\n", "b, x"),
            (
                "ne(v0, 10)\n    branch v5, t, x",
                "    v7 = and(v0, 7)\n    v8 = xor(v7, 5)\n    v6: i1 = eq(v8, 1)\n",
                "b, x",
            ),
        ] {
            let (count, text) = tested(first, lines, second);
            assert_eq!(count, 0, "{text}");
        }
    }
}
