//! Rules whose pattern begins with `ugt`, in the order in which they are tried:
//!
//! - ugt_zext_zext
//! - ugt_maxint
//! - ugt_zero
//! - ugt_const_left
//!
//! Generated from `rules/*.rules`.

use planish_ops::{Int, Op};
use planish_rules::speaks::is_spoken_of;
use planish_rules::matching::{Const, Flow, Operand, Outcome, Plan, Rewrite, Root, Subject, int, nodes, offer};

use super::names::{self, rule};

/// Hands every rewrite of a `ugt` to `found`, until it says stop.
pub fn root<S: Subject>(
    s: &S,
    root: &Root<'_, S::Value>,
    found: &mut impl FnMut(Rewrite<S::Value>) -> Flow,
) -> Flow {
    let a = root.args[0];
    let b = root.args[1];
    if let Some(constant) = s.constant(b) {
        match constant {
            Const::Int(i) if i.signed() == 0 => {
                offer(found, ugt_maxint(s, root, a, b))?;
                offer(found, ugt_zero(s, root, a))?;
            }
            _ => {
                offer(found, ugt_maxint(s, root, a, b))?;
            }
        }
    } else {
        for node in nodes(s, b) {
            if let Some((Op::Zext, n)) = node {
                let b0 = s.operand(n, 0);
                for node in nodes(s, a) {
                    if let Some((Op::Zext, n)) = node {
                        let a0 = s.operand(n, 0);
                        offer(found, ugt_zext_zext(s, root, a0, a, b0))?;
                    }
                }
            }
        }
    }
    if s.constant(a).is_some() {
        offer(found, ugt_const_left(s, root, a, b))?;
    }
    Flow::Continue(())
}

// ugt_zext_zext: ugt(zext(x), zext(y))
//     # Extension keeps the order.
//     => ugt(x, y)
fn ugt_zext_zext<S: Subject>(
    s: &S,
    root: &Root<'_, S::Value>,
    x: S::Value,
    inner1: S::Value,
    y: S::Value,
) -> Option<Rewrite<S::Value>> {
    if s.ty(x) != s.ty(y) {
        return None;
    }
    let ty0 = root.ty;
    if !is_spoken_of(ty0) {
        return None;
    }
    if !is_spoken_of(s.ty(inner1)) {
        return None;
    }
    if !is_spoken_of(s.ty(x)) {
        return None;
    }
    let mut plan = Plan::new();
    let new1 = plan.push(Op::Ugt, ty0, &[Operand::Value(x), Operand::Value(y)]);
    Some(Rewrite { rule: rule(names::UGT_ZEXT_ZEXT), plan, outcome: Outcome::Value(new1) })
}

// ugt_maxint: ugt(x, MAXINT)
//     # Unsigned, numbers with the sign bit come last.
//     => lt(x, 0)
fn ugt_maxint<S: Subject>(
    s: &S,
    root: &Root<'_, S::Value>,
    x: S::Value,
    inner1: S::Value,
) -> Option<Rewrite<S::Value>> {
    let ty0 = root.ty;
    let ty1 = s.ty(x);
    let w1 = ty1.int_width()?;
    if int(s, inner1)? != Int::new(w1, (1 << (w1 - 1)) - 1) {
        return None;
    }
    if !is_spoken_of(ty0) {
        return None;
    }
    if !is_spoken_of(ty1) {
        return None;
    }
    let mut plan = Plan::new();
    let new1 = plan.push(Op::Lt, ty0, &[Operand::Value(x), Operand::Const(Const::Int(Int::new(w1, 0)))]);
    Some(Rewrite { rule: rule(names::UGT_MAXINT), plan, outcome: Outcome::Value(new1) })
}

// ugt_zero: ugt(x, 0)
//     # Only 0 is not greater than 0, unsigned.
//     => is_true(x)
fn ugt_zero<S: Subject>(
    s: &S,
    root: &Root<'_, S::Value>,
    x: S::Value,
) -> Option<Rewrite<S::Value>> {
    let ty0 = root.ty;
    if !is_spoken_of(ty0) {
        return None;
    }
    if !is_spoken_of(s.ty(x)) {
        return None;
    }
    let mut plan = Plan::new();
    let new1 = plan.push(Op::IsTrue, ty0, &[Operand::Value(x)]);
    Some(Rewrite { rule: rule(names::UGT_ZERO), plan, outcome: Outcome::Value(new1) })
}

// ugt_const_left: ugt(C, x)
//     # A constant stands on the right.
//     => ult(x, C)
fn ugt_const_left<S: Subject>(
    s: &S,
    root: &Root<'_, S::Value>,
    at_c: S::Value,
    x: S::Value,
) -> Option<Rewrite<S::Value>> {
    let ty0 = root.ty;
    if !is_spoken_of(ty0) {
        return None;
    }
    if !is_spoken_of(s.ty(at_c)) {
        return None;
    }
    let mut plan = Plan::new();
    let new1 = plan.push(Op::Ult, ty0, &[Operand::Value(x), Operand::Value(at_c)]);
    Some(Rewrite { rule: rule(names::UGT_CONST_LEFT), plan, outcome: Outcome::Value(new1) })
}

