//! Rules whose pattern begins with `rshift`, in the order in which they are tried:
//!
//! - rshift_urshift_out
//! - rshift_minus_one
//! - rshift_zero
//! - rshift_lshift
//! - rshift_lshift_less
//! - rshift_lshift_more
//! - rshift_rshift
//! - rshift_urshift
//!
//! Generated from `rules/*.rules`.

use planish_domain::IntFact;
use planish_ops::{Bits, Int, Machine, Op};
use planish_rules::functions::WordFunction;
use planish_rules::speaks::is_spoken_of;
use planish_rules::matching::{Const, Flow, Operand, Outcome, Plan, Rewrite, Root, Subject, int, nodes, offer, operands2, same};

use super::names::{self, rule};

/// Hands every rewrite of a `rshift` to `found`, until it says stop.
pub fn root<S: Subject>(
    s: &S,
    root: &Root<'_, S::Value>,
    found: &mut impl FnMut(Rewrite<S::Value>) -> Flow,
) -> Flow {
    let a = root.args[0];
    let b = root.args[1];
    if let Some(constant) = s.constant(a) {
        match constant {
            Const::Int(i) if i.signed() == -1 => {
                offer(found, rshift_minus_one(s, root))?;
            }
            Const::Int(i) if i.signed() == 0 => {
                offer(found, rshift_zero(s, root))?;
            }
            _ => {
            }
        }
    } else {
        for node in nodes(s, a) {
            match node {
                Some((Op::Lshift, n)) => {
                    let [a0, a1] = operands2(s, n);
                    offer(found, rshift_lshift(s, root, a0, a1, b))?;
                    if s.constant(b).is_some() {
                        if s.constant(a1).is_some() {
                            offer(found, rshift_lshift_less(s, root, a0, a1, b))?;
                            offer(found, rshift_lshift_more(s, root, a0, a1, b))?;
                        }
                    }
                }
                Some((Op::Rshift, n)) => {
                    let [a0, a1] = operands2(s, n);
                    if s.constant(b).is_some() {
                        if s.constant(a1).is_some() {
                            offer(found, rshift_rshift(s, root, a0, a1, b))?;
                        }
                    }
                }
                Some((Op::Urshift, n)) => {
                    let [a0, a1] = operands2(s, n);
                    if s.constant(a1).is_some() {
                        if s.constant(b).is_some() {
                            offer(found, rshift_urshift_out(s, root, a1, b))?;
                            offer(found, rshift_urshift(s, root, a0, a1, b))?;
                        }
                    }
                }
                _ => {}
            }
        }
    }
    Flow::Continue(())
}

// rshift_urshift_out: rshift(urshift(x, C1), C2)
//     # Every bit is shifted out, and the sign is clear.
//     check C1 != 0 and C1 <u LONG_BIT and C2 <u LONG_BIT and C1 + C2 >=u LONG_BIT
//     => 0
fn rshift_urshift_out<S: Subject>(
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
    if the_c1 == Int::new(w0, 0) {
        return None;
    }
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
    Some(Rewrite { rule: rule(names::RSHIFT_URSHIFT_OUT), plan: Plan::new(), outcome: Outcome::Value(Operand::Const(Const::Int(Int::new(w0, 0)))) })
}

// rshift_minus_one: rshift(-1, x)
//     # The sign fills.
//     => -1
fn rshift_minus_one<S: Subject>(
    _s: &S,
    root: &Root<'_, S::Value>,
) -> Option<Rewrite<S::Value>> {
    let ty0 = root.ty;
    let w0 = ty0.int_width()?;
    if !is_spoken_of(ty0) {
        return None;
    }
    Some(Rewrite { rule: rule(names::RSHIFT_MINUS_ONE), plan: Plan::new(), outcome: Outcome::Value(Operand::Const(Const::Int(Int::new(w0, -1i64 as u64)))) })
}

// rshift_zero [pypy]: rshift(0, x)
//     # Nothing to shift.
//     => 0
fn rshift_zero<S: Subject>(
    _s: &S,
    root: &Root<'_, S::Value>,
) -> Option<Rewrite<S::Value>> {
    let ty0 = root.ty;
    let w0 = ty0.int_width()?;
    if !is_spoken_of(ty0) {
        return None;
    }
    Some(Rewrite { rule: rule(names::RSHIFT_ZERO), plan: Plan::new(), outcome: Outcome::Value(Operand::Const(Const::Int(Int::new(w0, 0)))) })
}

// rshift_lshift [pypy]: rshift(lshift(x, y), y)
//     # No bit is lost on the way.
//     check x.lshift_bound_cannot_overflow(y)
//     => x
fn rshift_lshift<S: Subject>(
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
    if !is_spoken_of(root.ty) {
        return None;
    }
    Some(Rewrite { rule: rule(names::RSHIFT_LSHIFT), plan: Plan::new(), outcome: Outcome::Value(Operand::Value(x)) })
}

// rshift_lshift_less: rshift(lshift(x, C1), C2)
//     # No bit is lost on the way, and the sign stays.
//     check C1 <u LONG_BIT and C2 <u C1 and x.lshift_bound_cannot_overflow(C1)
//     C = C1 - C2
//     => lshift(x, C)
fn rshift_lshift_less<S: Subject>(
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
    if !x_fact.lshift_bound_cannot_overflow(IntFact::constant(the_c1)) {
        return None;
    }
    let the_c = Machine.sub(the_c1, the_c2);
    if !is_spoken_of(ty0) {
        return None;
    }
    let mut plan = Plan::new();
    let new1 = plan.push(Op::Lshift, ty0, &[Operand::Value(x), Operand::Const(Const::Int(the_c))]);
    Some(Rewrite { rule: rule(names::RSHIFT_LSHIFT_LESS), plan, outcome: Outcome::Value(new1) })
}

// rshift_lshift_more: rshift(lshift(x, C1), C2)
//     # No bit is lost on the way, and the sign stays.
//     check C2 <u LONG_BIT and C1 <u C2 and x.lshift_bound_cannot_overflow(C1)
//     C = C2 - C1
//     => rshift(x, C)
fn rshift_lshift_more<S: Subject>(
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
    if !x_fact.lshift_bound_cannot_overflow(IntFact::constant(the_c1)) {
        return None;
    }
    let the_c = Machine.sub(the_c2, the_c1);
    if !is_spoken_of(ty0) {
        return None;
    }
    let mut plan = Plan::new();
    let new1 = plan.push(Op::Rshift, ty0, &[Operand::Value(x), Operand::Const(Const::Int(the_c))]);
    Some(Rewrite { rule: rule(names::RSHIFT_LSHIFT_MORE), plan, outcome: Outcome::Value(new1) })
}

// rshift_rshift [pypy]: rshift(rshift(x, C1), C2)
//     # Amounts add up, and from the width on there is nothing but sign.
//     check C1 <u LONG_BIT and C2 <u LONG_BIT
//     C = umin(C1 + C2, LONG_BIT - 1)
//     => rshift(x, C)
fn rshift_rshift<S: Subject>(
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
    let the_c = WordFunction::Umin.apply(&mut Machine, &[Machine.add(the_c1, the_c2), Machine.sub(Int::new(w0, u64::from(w0)), Int::new(w0, 1))]);
    if !is_spoken_of(ty0) {
        return None;
    }
    let mut plan = Plan::new();
    let new1 = plan.push(Op::Rshift, ty0, &[Operand::Value(x), Operand::Const(Const::Int(the_c))]);
    Some(Rewrite { rule: rule(names::RSHIFT_RSHIFT), plan, outcome: Outcome::Value(new1) })
}

// rshift_urshift: rshift(urshift(x, C1), C2)
//     # The sign is clear.
//     check C1 != 0 and C1 <u LONG_BIT and C2 <u LONG_BIT
//     C = C1 + C2
//     check C <u LONG_BIT
//     => urshift(x, C)
fn rshift_urshift<S: Subject>(
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
    if the_c1 == Int::new(w0, 0) {
        return None;
    }
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
    Some(Rewrite { rule: rule(names::RSHIFT_URSHIFT), plan, outcome: Outcome::Value(new1) })
}

