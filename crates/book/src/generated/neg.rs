//! Rules whose pattern begins with `neg`, in the order in which they are tried:
//!
//! - neg_add_const
//! - neg_rshift_sign
//! - neg_sign
//! - neg_sign_bit
//! - neg_mul_const
//! - neg_not
//! - neg_sub
//!
//! Generated from `rules/*.rules`.

use planish_ops::{Bits, Int, Machine, Op};
use planish_rules::speaks::is_spoken_of;
use planish_rules::matching::{Const, Flow, Operand, Outcome, Plan, Rewrite, Root, Subject, int, nodes, offer, operands2};

use super::names::{self, rule};

/// Hands every rewrite of a `neg` to `found`, until it says stop.
pub fn root<S: Subject>(
    s: &S,
    root: &Root<'_, S::Value>,
    found: &mut impl FnMut(Rewrite<S::Value>) -> Flow,
) -> Flow {
    let a = root.args[0];
    for node in nodes(s, a) {
        match node {
            Some((Op::Add, n)) => {
                let [a0, a1] = operands2(s, n);
                if s.constant(a1).is_some() {
                    offer(found, neg_add_const(s, root, a0, a1))?;
                }
            }
            Some((Op::Sub, n)) => {
                let [a0, a1] = operands2(s, n);
                offer(found, neg_sub(s, root, a0, a1))?;
            }
            Some((Op::Mul, n)) => {
                let [a0, a1] = operands2(s, n);
                if s.constant(a1).is_some() {
                    offer(found, neg_mul_const(s, root, a0, a1, a))?;
                }
            }
            Some((Op::Not, n)) => {
                let a0 = s.operand(n, 0);
                offer(found, neg_not(s, root, a0))?;
            }
            Some((Op::Rshift, n)) => {
                let [a0, a1] = operands2(s, n);
                if s.constant(a1).is_some() {
                    offer(found, neg_rshift_sign(s, root, a0, a1, a))?;
                    offer(found, neg_sign(s, root, a0, a1))?;
                }
            }
            Some((Op::Urshift, n)) => {
                let [a0, a1] = operands2(s, n);
                if s.constant(a1).is_some() {
                    offer(found, neg_sign_bit(s, root, a0, a1))?;
                }
            }
            _ => {}
        }
    }
    Flow::Continue(())
}

// neg_add_const: neg(add(x, C1))
//     # -(x + C) = -C - x
//     C = -C1
//     => sub(C, x)
fn neg_add_const<S: Subject>(
    s: &S,
    root: &Root<'_, S::Value>,
    x: S::Value,
    at_c1: S::Value,
) -> Option<Rewrite<S::Value>> {
    let ty0 = root.ty;
    let the_c1 = int(s, at_c1)?;
    let the_c = Machine.neg(the_c1);
    let mut plan = Plan::new();
    let new1 = plan.push(Op::Sub, ty0, &[Operand::Const(Const::Int(the_c)), Operand::Value(x)]);
    Some(Rewrite { rule: rule(names::NEG_ADD_CONST), plan, outcome: Outcome::Value(new1) })
}

// neg_rshift_sign [pays]: neg(rshift(x, C))
//     # The sign as one bit.
//     check C == LONG_BIT - 1
//     => urshift(x, C)
fn neg_rshift_sign<S: Subject>(
    s: &S,
    root: &Root<'_, S::Value>,
    x: S::Value,
    at_c: S::Value,
    inner2: S::Value,
) -> Option<Rewrite<S::Value>> {
    let dies2 = s.used_once(inner2);
    if 1 + if dies2 { 1 } else { 0 } < 1 {
        return None;
    }
    let ty0 = root.ty;
    let w0 = ty0.int_width()?;
    if w0 < 3 {
        return None;
    }
    let the_c = int(s, at_c)?;
    if the_c != Machine.sub(Int::new(w0, u64::from(w0)), Int::new(w0, 1)) {
        return None;
    }
    if !is_spoken_of(ty0) {
        return None;
    }
    let mut plan = Plan::new();
    let new1 = plan.push(Op::Urshift, ty0, &[Operand::Value(x), Operand::Value(at_c)]);
    Some(Rewrite { rule: rule(names::NEG_RSHIFT_SIGN), plan, outcome: Outcome::Value(new1) })
}

// neg_sign: neg(rshift(x, C))
//     # The shift gives 0 or -1, the sign as a number.
//     check C == LONG_BIT - 1
//     => urshift(x, C)
fn neg_sign<S: Subject>(
    s: &S,
    root: &Root<'_, S::Value>,
    x: S::Value,
    at_c: S::Value,
) -> Option<Rewrite<S::Value>> {
    let ty0 = root.ty;
    let w0 = ty0.int_width()?;
    if w0 < 3 {
        return None;
    }
    let the_c = int(s, at_c)?;
    if the_c != Machine.sub(Int::new(w0, u64::from(w0)), Int::new(w0, 1)) {
        return None;
    }
    if !is_spoken_of(ty0) {
        return None;
    }
    let mut plan = Plan::new();
    let new1 = plan.push(Op::Urshift, ty0, &[Operand::Value(x), Operand::Value(at_c)]);
    Some(Rewrite { rule: rule(names::NEG_SIGN), plan, outcome: Outcome::Value(new1) })
}

// neg_sign_bit: neg(urshift(x, C))
//     # The shift gives the sign bit, 0 or 1.
//     check C == LONG_BIT - 1
//     => rshift(x, C)
fn neg_sign_bit<S: Subject>(
    s: &S,
    root: &Root<'_, S::Value>,
    x: S::Value,
    at_c: S::Value,
) -> Option<Rewrite<S::Value>> {
    let ty0 = root.ty;
    let w0 = ty0.int_width()?;
    if w0 < 3 {
        return None;
    }
    let the_c = int(s, at_c)?;
    if the_c != Machine.sub(Int::new(w0, u64::from(w0)), Int::new(w0, 1)) {
        return None;
    }
    if !is_spoken_of(ty0) {
        return None;
    }
    let mut plan = Plan::new();
    let new1 = plan.push(Op::Rshift, ty0, &[Operand::Value(x), Operand::Value(at_c)]);
    Some(Rewrite { rule: rule(names::NEG_SIGN_BIT), plan, outcome: Outcome::Value(new1) })
}

// neg_mul_const [pays]: neg(mul(x, C1))
//     # -(x * C) = x * -C
//     C = -C1
//     => mul(x, C)
fn neg_mul_const<S: Subject>(
    s: &S,
    root: &Root<'_, S::Value>,
    x: S::Value,
    at_c1: S::Value,
    inner2: S::Value,
) -> Option<Rewrite<S::Value>> {
    let dies2 = s.used_once(inner2);
    if 1 + if dies2 { 3 } else { 0 } < 3 {
        return None;
    }
    let ty0 = root.ty;
    let the_c1 = int(s, at_c1)?;
    let the_c = Machine.neg(the_c1);
    let mut plan = Plan::new();
    let new1 = plan.push(Op::Mul, ty0, &[Operand::Value(x), Operand::Const(Const::Int(the_c))]);
    Some(Rewrite { rule: rule(names::NEG_MUL_CONST), plan, outcome: Outcome::Value(new1) })
}

// neg_not: neg(not(x))
//     # ~x = -x - 1
//     => add(x, 1)
fn neg_not<S: Subject>(
    _s: &S,
    root: &Root<'_, S::Value>,
    x: S::Value,
) -> Option<Rewrite<S::Value>> {
    let ty0 = root.ty;
    let w0 = ty0.int_width()?;
    let mut plan = Plan::new();
    let new1 = plan.push(Op::Add, ty0, &[Operand::Value(x), Operand::Const(Const::Int(Int::new(w0, 1)))]);
    Some(Rewrite { rule: rule(names::NEG_NOT), plan, outcome: Outcome::Value(new1) })
}

// neg_sub [pypy]: neg(sub(x, y))
//     # -(x - y) = y - x
//     => sub(y, x)
fn neg_sub<S: Subject>(
    _s: &S,
    root: &Root<'_, S::Value>,
    x: S::Value,
    y: S::Value,
) -> Option<Rewrite<S::Value>> {
    let ty0 = root.ty;
    let mut plan = Plan::new();
    let new1 = plan.push(Op::Sub, ty0, &[Operand::Value(y), Operand::Value(x)]);
    Some(Rewrite { rule: rule(names::NEG_SUB), plan, outcome: Outcome::Value(new1) })
}

