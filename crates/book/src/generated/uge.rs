//! Rules whose pattern begins with `uge`, in the order in which they are tried:
//!
//! - uge_zext_zext
//! - uge_urshift_const
//! - uge_all_ones
//! - uge_one
//! - uge_sign
//! - uge_const_left
//!
//! Generated from `rules/*.rules`.

use planish_ops::{Int, Op};
use planish_rules::speaks::is_spoken_of;
use planish_rules::matching::{Const, Flow, Operand, Outcome, Plan, Rewrite, Root, Subject, int, nodes, offer, operands2, shl, ushr};

use super::names::{self, rule};

/// Hands every rewrite of a `uge` to `found`, until it says stop.
pub fn root<S: Subject>(
    s: &S,
    root: &Root<'_, S::Value>,
    found: &mut impl FnMut(Rewrite<S::Value>) -> Flow,
) -> Flow {
    let a = root.args[0];
    let b = root.args[1];
    if let Some(constant) = s.constant(b) {
        match constant {
            Const::Int(i) if i.signed() == -1 => {
                part1(s, root, found, a, b)?;
                offer(found, uge_all_ones(s, root, a))?;
            }
            Const::Int(i) if i.signed() == 1 => {
                part1(s, root, found, a, b)?;
                offer(found, uge_one(s, root, a))?;
            }
            _ => {
                part1(s, root, found, a, b)?;
                offer(found, uge_sign(s, root, a, b))?;
            }
        }
    } else {
        for node in nodes(s, b) {
            if let Some((Op::Zext, n)) = node {
                let b0 = s.operand(n, 0);
                for node in nodes(s, a) {
                    if let Some((Op::Zext, n)) = node {
                        let a0 = s.operand(n, 0);
                        offer(found, uge_zext_zext(s, root, a0, a, b0))?;
                    }
                }
            }
        }
    }
    if s.constant(a).is_some() {
        offer(found, uge_const_left(s, root, a, b))?;
    }
    Flow::Continue(())
}

fn part1<S: Subject>(
    s: &S,
    root: &Root<'_, S::Value>,
    found: &mut impl FnMut(Rewrite<S::Value>) -> Flow,
    a: S::Value,
    b: S::Value,
) -> Flow {
    for node in nodes(s, a) {
        if let Some((Op::Urshift, n)) = node {
            let [a0, a1] = operands2(s, n);
            if s.constant(a1).is_some() {
                offer(found, uge_urshift_const(s, root, a0, a1, a, b))?;
            }
        }
    }
    Flow::Continue(())
}

// uge_zext_zext: uge(zext(x), zext(y))
//     # Extension keeps the order.
//     => uge(x, y)
fn uge_zext_zext<S: Subject>(
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
    let new1 = plan.push(Op::Uge, ty0, &[Operand::Value(x), Operand::Value(y)]);
    Some(Rewrite { rule: rule(names::UGE_ZEXT_ZEXT), plan, outcome: Outcome::Value(new1) })
}

// uge_urshift_const: uge(urshift(x, C1), C2)
//     # floor(x / 2^k) >= c is x >= c * 2^k, while that is a number.
//     C = C2 << C1
//     check C >>u C1 == C2
//     => uge(x, C)
fn uge_urshift_const<S: Subject>(
    s: &S,
    root: &Root<'_, S::Value>,
    x: S::Value,
    at_c1: S::Value,
    inner2: S::Value,
    at_c2: S::Value,
) -> Option<Rewrite<S::Value>> {
    let ty0 = root.ty;
    let the_c1 = int(s, at_c1)?;
    let the_c2 = int(s, at_c2)?;
    let the_c = shl(the_c2, the_c1)?;
    if ushr(the_c, the_c1)? != the_c2 {
        return None;
    }
    if !is_spoken_of(ty0) {
        return None;
    }
    if !is_spoken_of(s.ty(inner2)) {
        return None;
    }
    let mut plan = Plan::new();
    let new1 = plan.push(Op::Uge, ty0, &[Operand::Value(x), Operand::Const(Const::Int(the_c))]);
    Some(Rewrite { rule: rule(names::UGE_URSHIFT_CONST), plan, outcome: Outcome::Value(new1) })
}

// uge_all_ones: uge(x, -1)
//     # All ones is the largest unsigned number.
//     => eq(x, -1)
fn uge_all_ones<S: Subject>(
    s: &S,
    root: &Root<'_, S::Value>,
    x: S::Value,
) -> Option<Rewrite<S::Value>> {
    let ty0 = root.ty;
    let ty1 = s.ty(x);
    let w1 = ty1.int_width()?;
    if !is_spoken_of(ty0) {
        return None;
    }
    if !is_spoken_of(ty1) {
        return None;
    }
    let mut plan = Plan::new();
    let new1 = plan.push(Op::Eq, ty0, &[Operand::Value(x), Operand::Const(Const::Int(Int::new(w1, -1i64 as u64)))]);
    Some(Rewrite { rule: rule(names::UGE_ALL_ONES), plan, outcome: Outcome::Value(new1) })
}

// uge_one: uge(x, 1)
//     # Only 0 is less than 1, unsigned.
//     => is_true(x)
fn uge_one<S: Subject>(
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
    Some(Rewrite { rule: rule(names::UGE_ONE), plan, outcome: Outcome::Value(new1) })
}

// uge_sign: uge(x, MININT)
//     # Unsigned, numbers with the sign bit come last.
//     => lt(x, 0)
fn uge_sign<S: Subject>(
    s: &S,
    root: &Root<'_, S::Value>,
    x: S::Value,
    inner1: S::Value,
) -> Option<Rewrite<S::Value>> {
    let ty0 = root.ty;
    let ty1 = s.ty(x);
    let w1 = ty1.int_width()?;
    if int(s, inner1)? != Int::new(w1, 1 << (w1 - 1)) {
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
    Some(Rewrite { rule: rule(names::UGE_SIGN), plan, outcome: Outcome::Value(new1) })
}

// uge_const_left: uge(C, x)
//     # A constant stands on the right.
//     => ule(x, C)
fn uge_const_left<S: Subject>(
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
    let new1 = plan.push(Op::Ule, ty0, &[Operand::Value(x), Operand::Value(at_c)]);
    Some(Rewrite { rule: rule(names::UGE_CONST_LEFT), plan, outcome: Outcome::Value(new1) })
}

