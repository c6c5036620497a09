//! Rules whose pattern begins with `urshift`, in the order in which they are tried:
//!
//! - urshift_urshift_out
//! - urshift_zero
//! - urshift_lshift_exact
//! - urshift_lshift
//! - urshift_lshift_less
//! - urshift_lshift_more
//! - urshift_rshift_sign
//! - urshift_urshift
//!
//! Generated from `rules/*.rules`.

use planish_domain::IntFact;
use planish_ops::{Bits, Int, Machine, Op};
use planish_rules::speaks::is_spoken_of;
use planish_rules::matching::{Const, Flow, Operand, Outcome, Plan, Rewrite, Root, Subject, int, nodes, offer, operands2, same, shl, ushr};

use super::names::{self, rule};

/// Hands every rewrite of a `urshift` to `found`, until it says stop.
pub fn root<S: Subject>(
    s: &S,
    root: &Root<'_, S::Value>,
    found: &mut impl FnMut(Rewrite<S::Value>) -> Flow,
) -> Flow {
    let a = root.args[0];
    let b = root.args[1];
    if let Some(constant) = s.constant(a) {
        match constant {
            Const::Int(i) if i.signed() == 0 => {
                offer(found, urshift_zero(s, root))?;
            }
            _ => {
            }
        }
    } else {
        for node in nodes(s, a) {
            match node {
                Some((Op::Lshift, n)) => {
                    let [a0, a1] = operands2(s, n);
                    offer(found, urshift_lshift_exact(s, root, a0, a1, b))?;
                    if s.constant(b).is_some() {
                        if s.constant(a1).is_some() {
                            offer(found, urshift_lshift(s, root, a0, a1, b))?;
                            offer(found, urshift_lshift_less(s, root, a0, a1, b))?;
                            offer(found, urshift_lshift_more(s, root, a0, a1, b))?;
                        }
                    }
                }
                Some((Op::Rshift, n)) => {
                    let [a0, a1] = operands2(s, n);
                    if s.constant(b).is_some() {
                        if s.constant(a1).is_some() {
                            offer(found, urshift_rshift_sign(s, root, a0, a1, b))?;
                        }
                    }
                }
                Some((Op::Urshift, n)) => {
                    let [a0, a1] = operands2(s, n);
                    if s.constant(a1).is_some() {
                        if s.constant(b).is_some() {
                            offer(found, urshift_urshift_out(s, root, a1, b))?;
                            offer(found, urshift_urshift(s, root, a0, a1, b))?;
                        }
                    }
                }
                _ => {}
            }
        }
    }
    Flow::Continue(())
}

// urshift_urshift_out: urshift(urshift(x, C1), C2)
//     # Every bit is shifted out.
//     check C1 <u LONG_BIT and C2 <u LONG_BIT and C1 + C2 >=u LONG_BIT
//     => 0
fn urshift_urshift_out<S: Subject>(
    s: &S,
    root: &Root<'_, S::Value>,
    at_c1: S::Value,
    at_c2: S::Value,
) -> Option<Rewrite<S::Value>> {
    let ty0 = root.ty;
    let w0 = ty0.int_width()?;
    if w0 < 3 {
        return None;
    }
    let the_c1 = int(s, at_c1)?;
    let the_c2 = int(s, at_c2)?;
    if Machine.ule(Int::new(w0, u64::from(w0)), the_c1) {
        return None;
    }
    if Machine.ule(Int::new(w0, u64::from(w0)), the_c2) {
        return None;
    }
    if Machine.ult(Machine.add(the_c1, the_c2), Int::new(w0, u64::from(w0))) {
        return None;
    }
    if !is_spoken_of(ty0) {
        return None;
    }
    Some(Rewrite { rule: rule(names::URSHIFT_URSHIFT_OUT), plan: Plan::new(), outcome: Outcome::Value(Operand::Const(Const::Int(Int::new(w0, 0)))) })
}

// urshift_zero [pypy]: urshift(0, x)
//     # Nothing to shift.
//     => 0
fn urshift_zero<S: Subject>(
    _s: &S,
    root: &Root<'_, S::Value>,
) -> Option<Rewrite<S::Value>> {
    let ty0 = root.ty;
    let w0 = ty0.int_width()?;
    if !is_spoken_of(ty0) {
        return None;
    }
    Some(Rewrite { rule: rule(names::URSHIFT_ZERO), plan: Plan::new(), outcome: Outcome::Value(Operand::Const(Const::Int(Int::new(w0, 0)))) })
}

// urshift_lshift_exact: urshift(lshift(x, y), y)
//     # No bit is lost on the way, and the sign stays clear.
//     check x.lshift_bound_cannot_overflow(y) and x.known_nonnegative()
//     => x
fn urshift_lshift_exact<S: Subject>(
    s: &S,
    root: &Root<'_, S::Value>,
    x: S::Value,
    y: S::Value,
    y_2: S::Value,
) -> Option<Rewrite<S::Value>> {
    if !same(s, y, y_2) {
        return None;
    }
    let x_fact = s.fact(x);
    let y_fact = s.fact(y);
    if !x_fact.lshift_bound_cannot_overflow(y_fact) {
        return None;
    }
    if !x_fact.known_nonnegative() {
        return None;
    }
    if !is_spoken_of(root.ty) {
        return None;
    }
    Some(Rewrite { rule: rule(names::URSHIFT_LSHIFT_EXACT), plan: Plan::new(), outcome: Outcome::Value(Operand::Value(x)) })
}

// urshift_lshift [pypy]: urshift(lshift(x, C), C)
//     # There and back clears the high bits.
//     M = (-1 << C) >>u C
//     => and(x, M)
fn urshift_lshift<S: Subject>(
    s: &S,
    root: &Root<'_, S::Value>,
    x: S::Value,
    at_c: S::Value,
    at_c_2: S::Value,
) -> Option<Rewrite<S::Value>> {
    if !same(s, at_c, at_c_2) {
        return None;
    }
    let ty0 = root.ty;
    let w0 = ty0.int_width()?;
    if w0 < 2 {
        return None;
    }
    let the_c = int(s, at_c)?;
    let the_m = ushr(shl(Machine.neg(Int::new(w0, 1)), the_c)?, the_c)?;
    if !is_spoken_of(ty0) {
        return None;
    }
    let mut plan = Plan::new();
    let new1 = plan.push(Op::And, ty0, &[Operand::Value(x), Operand::Const(Const::Int(the_m))]);
    Some(Rewrite { rule: rule(names::URSHIFT_LSHIFT), plan, outcome: Outcome::Value(new1) })
}

// urshift_lshift_less: urshift(lshift(x, C1), C2)
//     # No bit is lost on the way.
//     check C1 <u LONG_BIT and C2 <u C1 and x.known_unsigned_le_const(-1 >>u C1)
//     C = C1 - C2
//     => lshift(x, C)
fn urshift_lshift_less<S: Subject>(
    s: &S,
    root: &Root<'_, S::Value>,
    x: S::Value,
    at_c1: S::Value,
    at_c2: S::Value,
) -> Option<Rewrite<S::Value>> {
    let ty0 = root.ty;
    let w0 = ty0.int_width()?;
    if w0 < 3 {
        return None;
    }
    let x_fact = s.fact(x);
    let the_c1 = int(s, at_c1)?;
    let the_c2 = int(s, at_c2)?;
    if Machine.ule(Int::new(w0, u64::from(w0)), the_c1) {
        return None;
    }
    if Machine.ule(the_c1, the_c2) {
        return None;
    }
    if !x_fact.known_unsigned_le(IntFact::constant(ushr(Machine.neg(Int::new(w0, 1)), the_c1)?)) {
        return None;
    }
    let the_c = Machine.sub(the_c1, the_c2);
    if !is_spoken_of(ty0) {
        return None;
    }
    let mut plan = Plan::new();
    let new1 = plan.push(Op::Lshift, ty0, &[Operand::Value(x), Operand::Const(Const::Int(the_c))]);
    Some(Rewrite { rule: rule(names::URSHIFT_LSHIFT_LESS), plan, outcome: Outcome::Value(new1) })
}

// urshift_lshift_more: urshift(lshift(x, C1), C2)
//     # No bit is lost on the way.
//     check C2 <u LONG_BIT and C1 <u C2 and x.known_unsigned_le_const(-1 >>u C1)
//     C = C2 - C1
//     => urshift(x, C)
fn urshift_lshift_more<S: Subject>(
    s: &S,
    root: &Root<'_, S::Value>,
    x: S::Value,
    at_c1: S::Value,
    at_c2: S::Value,
) -> Option<Rewrite<S::Value>> {
    let ty0 = root.ty;
    let w0 = ty0.int_width()?;
    if w0 < 3 {
        return None;
    }
    let x_fact = s.fact(x);
    let the_c1 = int(s, at_c1)?;
    let the_c2 = int(s, at_c2)?;
    if Machine.ule(Int::new(w0, u64::from(w0)), the_c2) {
        return None;
    }
    if Machine.ule(the_c2, the_c1) {
        return None;
    }
    if !x_fact.known_unsigned_le(IntFact::constant(ushr(Machine.neg(Int::new(w0, 1)), the_c1)?)) {
        return None;
    }
    let the_c = Machine.sub(the_c2, the_c1);
    if !is_spoken_of(ty0) {
        return None;
    }
    let mut plan = Plan::new();
    let new1 = plan.push(Op::Urshift, ty0, &[Operand::Value(x), Operand::Const(Const::Int(the_c))]);
    Some(Rewrite { rule: rule(names::URSHIFT_LSHIFT_MORE), plan, outcome: Outcome::Value(new1) })
}

// urshift_rshift_sign: urshift(rshift(x, C1), C2)
//     # The sign bit stays where it is.
//     check C1 <u LONG_BIT and C2 == LONG_BIT - 1
//     => urshift(x, C2)
fn urshift_rshift_sign<S: Subject>(
    s: &S,
    root: &Root<'_, S::Value>,
    x: S::Value,
    at_c1: S::Value,
    at_c2: S::Value,
) -> Option<Rewrite<S::Value>> {
    let ty0 = root.ty;
    let w0 = ty0.int_width()?;
    if w0 < 3 {
        return None;
    }
    let the_c1 = int(s, at_c1)?;
    let the_c2 = int(s, at_c2)?;
    if Machine.ule(Int::new(w0, u64::from(w0)), the_c1) {
        return None;
    }
    if the_c2 != Machine.sub(Int::new(w0, u64::from(w0)), Int::new(w0, 1)) {
        return None;
    }
    if !is_spoken_of(ty0) {
        return None;
    }
    let mut plan = Plan::new();
    let new1 = plan.push(Op::Urshift, ty0, &[Operand::Value(x), Operand::Value(at_c2)]);
    Some(Rewrite { rule: rule(names::URSHIFT_RSHIFT_SIGN), plan, outcome: Outcome::Value(new1) })
}

// urshift_urshift: urshift(urshift(x, C1), C2)
//     # Amounts add up while they stay below the width.
//     check C1 <u LONG_BIT and C2 <u LONG_BIT
//     C = C1 + C2
//     check C <u LONG_BIT
//     => urshift(x, C)
fn urshift_urshift<S: Subject>(
    s: &S,
    root: &Root<'_, S::Value>,
    x: S::Value,
    at_c1: S::Value,
    at_c2: S::Value,
) -> Option<Rewrite<S::Value>> {
    let ty0 = root.ty;
    let w0 = ty0.int_width()?;
    if w0 < 3 {
        return None;
    }
    let the_c1 = int(s, at_c1)?;
    let the_c2 = int(s, at_c2)?;
    if Machine.ule(Int::new(w0, u64::from(w0)), the_c1) {
        return None;
    }
    if Machine.ule(Int::new(w0, u64::from(w0)), the_c2) {
        return None;
    }
    let the_c = Machine.add(the_c1, the_c2);
    if Machine.ule(Int::new(w0, u64::from(w0)), the_c) {
        return None;
    }
    if !is_spoken_of(ty0) {
        return None;
    }
    let mut plan = Plan::new();
    let new1 = plan.push(Op::Urshift, ty0, &[Operand::Value(x), Operand::Const(Const::Int(the_c))]);
    Some(Rewrite { rule: rule(names::URSHIFT_URSHIFT), plan, outcome: Outcome::Value(new1) })
}

