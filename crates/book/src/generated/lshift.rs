//! Rules whose pattern begins with `lshift`, in the order in which they are tried:
//!
//! - lshift_lshift_out
//! - lshift_zero
//! - lshift_and_rshift
//! - lshift_and_urshift
//! - lshift_add_rshift
//! - lshift_add_urshift
//! - lshift_rshift
//! - lshift_urshift
//! - lshift_lshift
//! - lshift_rshift_less
//! - lshift_rshift_more
//! - lshift_urshift_less
//! - lshift_urshift_more
//! - lshift_mul_const
//!
//! Generated from `rules/*.rules`.

use planish_domain::IntFact;
use planish_ops::{Bits, Int, Machine, Op};
use planish_rules::speaks::is_spoken_of;
use planish_rules::matching::{Const, Flow, Operand, Outcome, Plan, Rewrite, Root, Subject, int, nodes, offer, operands2, same, shl};

use super::names::{self, rule};

/// Hands every rewrite of a `lshift` to `found`, until it says stop.
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
                offer(found, lshift_zero(s, root))?;
            }
            _ => {
            }
        }
    } else {
        for node in nodes(s, a) {
            match node {
                Some((Op::Add, n)) => {
                    let [a0, a1] = operands2(s, n);
                    if s.constant(b).is_some() {
                        for node in nodes(s, a0) {
                            match node {
                                Some((Op::Rshift, n)) => {
                                    let [a00, a01] = operands2(s, n);
                                    if s.constant(a01).is_some() {
                                        if s.constant(a1).is_some() {
                                            offer(found, lshift_add_rshift(s, root, a00, a01, a0, a1, a, b))?;
                                        }
                                    }
                                }
                                Some((Op::Urshift, n)) => {
                                    let [a00, a01] = operands2(s, n);
                                    if s.constant(a1).is_some() {
                                        if s.constant(a01).is_some() {
                                            offer(found, lshift_add_urshift(s, root, a00, a01, a0, a1, a, b))?;
                                        }
                                    }
                                }
                                _ => {}
                            }
                        }
                    }
                }
                Some((Op::Mul, n)) => {
                    let [a0, a1] = operands2(s, n);
                    if s.constant(b).is_some() {
                        if s.constant(a1).is_some() {
                            offer(found, lshift_mul_const(s, root, a0, a1, a, b))?;
                        }
                    }
                }
                Some((Op::And, n)) => {
                    let [a0, a1] = operands2(s, n);
                    if s.constant(b).is_some() {
                        for node in nodes(s, a0) {
                            match node {
                                Some((Op::Rshift, n)) => {
                                    let [a00, a01] = operands2(s, n);
                                    if s.constant(a01).is_some() {
                                        if s.constant(a1).is_some() {
                                            offer(found, lshift_and_rshift(s, root, a00, a01, a1, b))?;
                                        }
                                    }
                                }
                                Some((Op::Urshift, n)) => {
                                    let [a00, a01] = operands2(s, n);
                                    if s.constant(a1).is_some() {
                                        if s.constant(a01).is_some() {
                                            offer(found, lshift_and_urshift(s, root, a00, a01, a1, b))?;
                                        }
                                    }
                                }
                                _ => {}
                            }
                        }
                    }
                }
                Some((Op::Lshift, n)) => {
                    let [a0, a1] = operands2(s, n);
                    if s.constant(a1).is_some() {
                        if s.constant(b).is_some() {
                            offer(found, lshift_lshift_out(s, root, a1, b))?;
                            offer(found, lshift_lshift(s, root, a0, a1, b))?;
                        }
                    }
                }
                Some((Op::Rshift, n)) => {
                    let [a0, a1] = operands2(s, n);
                    if s.constant(b).is_some() {
                        if s.constant(a1).is_some() {
                            offer(found, lshift_rshift(s, root, a0, a1, b))?;
                            offer(found, lshift_rshift_less(s, root, a0, a1, b))?;
                            offer(found, lshift_rshift_more(s, root, a0, a1, b))?;
                        }
                    }
                }
                Some((Op::Urshift, n)) => {
                    let [a0, a1] = operands2(s, n);
                    if s.constant(b).is_some() {
                        if s.constant(a1).is_some() {
                            offer(found, lshift_urshift(s, root, a0, a1, b))?;
                            offer(found, lshift_urshift_less(s, root, a0, a1, b))?;
                            offer(found, lshift_urshift_more(s, root, a0, a1, b))?;
                        }
                    }
                }
                _ => {}
            }
        }
    }
    Flow::Continue(())
}

// lshift_lshift_out: lshift(lshift(x, C1), C2)
//     # Every bit is shifted out.
//     check C1 <u LONG_BIT and C2 <u LONG_BIT and C1 + C2 >=u LONG_BIT
//     => 0
fn lshift_lshift_out<S: Subject>(
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
    Some(Rewrite { rule: rule(names::LSHIFT_LSHIFT_OUT), plan: Plan::new(), outcome: Outcome::Value(Operand::Const(Const::Int(Int::new(w0, 0)))) })
}

// lshift_zero [pypy]: lshift(0, x)
//     # Nothing to shift.
//     => 0
fn lshift_zero<S: Subject>(
    _s: &S,
    root: &Root<'_, S::Value>,
) -> Option<Rewrite<S::Value>> {
    let ty0 = root.ty;
    let w0 = ty0.int_width()?;
    if !is_spoken_of(ty0) {
        return None;
    }
    Some(Rewrite { rule: rule(names::LSHIFT_ZERO), plan: Plan::new(), outcome: Outcome::Value(Operand::Const(Const::Int(Int::new(w0, 0)))) })
}

// lshift_and_rshift [pypy]: lshift(and(rshift(x, C1), C2), C1)
//     # The mask moves along.
//     C = C2 << C1
//     => and(x, C)
fn lshift_and_rshift<S: Subject>(
    s: &S,
    root: &Root<'_, S::Value>,
    x: S::Value,
    at_c1: S::Value,
    at_c2: S::Value,
    at_c1_2: S::Value,
) -> Option<Rewrite<S::Value>> {
    if !same(s, at_c1, at_c1_2) {
        return None;
    }
    let ty0 = root.ty;
    let the_c1 = int(s, at_c1)?;
    let the_c2 = int(s, at_c2)?;
    let the_c = shl(the_c2, the_c1)?;
    if !is_spoken_of(ty0) {
        return None;
    }
    let mut plan = Plan::new();
    let new1 = plan.push(Op::And, ty0, &[Operand::Value(x), Operand::Const(Const::Int(the_c))]);
    Some(Rewrite { rule: rule(names::LSHIFT_AND_RSHIFT), plan, outcome: Outcome::Value(new1) })
}

// lshift_and_urshift [pypy]: lshift(and(urshift(x, C1), C2), C1)
//     # The mask moves along.
//     C = C2 << C1
//     => and(x, C)
fn lshift_and_urshift<S: Subject>(
    s: &S,
    root: &Root<'_, S::Value>,
    x: S::Value,
    at_c1: S::Value,
    at_c2: S::Value,
    at_c1_2: S::Value,
) -> Option<Rewrite<S::Value>> {
    if !same(s, at_c1, at_c1_2) {
        return None;
    }
    let ty0 = root.ty;
    let the_c1 = int(s, at_c1)?;
    let the_c2 = int(s, at_c2)?;
    let the_c = shl(the_c2, the_c1)?;
    if !is_spoken_of(ty0) {
        return None;
    }
    let mut plan = Plan::new();
    let new1 = plan.push(Op::And, ty0, &[Operand::Value(x), Operand::Const(Const::Int(the_c))]);
    Some(Rewrite { rule: rule(names::LSHIFT_AND_URSHIFT), plan, outcome: Outcome::Value(new1) })
}

// lshift_add_rshift [pays]: lshift(add(rshift(x, C1), C2), C1)
//     # There and back clears the low bits.
//     M = -1 << C1
//     C = C2 << C1
//     => add(and(x, M), C)
fn lshift_add_rshift<S: Subject>(
    s: &S,
    root: &Root<'_, S::Value>,
    x: S::Value,
    at_c1: S::Value,
    inner2: S::Value,
    at_c2: S::Value,
    inner4: S::Value,
    at_c1_2: S::Value,
) -> Option<Rewrite<S::Value>> {
    if !same(s, at_c1, at_c1_2) {
        return None;
    }
    let dies4 = s.used_once(inner4);
    let dies2 = dies4 && s.used_once(inner2);
    if 1 + if dies4 { 1 } else { 0 } + if dies2 { 1 } else { 0 } < 2 {
        return None;
    }
    let ty0 = root.ty;
    let w0 = ty0.int_width()?;
    if w0 < 2 {
        return None;
    }
    let the_c1 = int(s, at_c1)?;
    let the_c2 = int(s, at_c2)?;
    let the_m = shl(Machine.neg(Int::new(w0, 1)), the_c1)?;
    let the_c = shl(the_c2, the_c1)?;
    if !is_spoken_of(ty0) {
        return None;
    }
    let mut plan = Plan::new();
    let new1 = plan.push(Op::And, ty0, &[Operand::Value(x), Operand::Const(Const::Int(the_m))]);
    let new2 = plan.push(Op::Add, ty0, &[new1, Operand::Const(Const::Int(the_c))]);
    Some(Rewrite { rule: rule(names::LSHIFT_ADD_RSHIFT), plan, outcome: Outcome::Value(new2) })
}

// lshift_add_urshift [pays]: lshift(add(urshift(x, C1), C2), C1)
//     # There and back clears the low bits.
//     M = -1 << C1
//     C = C2 << C1
//     => add(and(x, M), C)
fn lshift_add_urshift<S: Subject>(
    s: &S,
    root: &Root<'_, S::Value>,
    x: S::Value,
    at_c1: S::Value,
    inner2: S::Value,
    at_c2: S::Value,
    inner4: S::Value,
    at_c1_2: S::Value,
) -> Option<Rewrite<S::Value>> {
    if !same(s, at_c1, at_c1_2) {
        return None;
    }
    let dies4 = s.used_once(inner4);
    let dies2 = dies4 && s.used_once(inner2);
    if 1 + if dies4 { 1 } else { 0 } + if dies2 { 1 } else { 0 } < 2 {
        return None;
    }
    let ty0 = root.ty;
    let w0 = ty0.int_width()?;
    if w0 < 2 {
        return None;
    }
    let the_c1 = int(s, at_c1)?;
    let the_c2 = int(s, at_c2)?;
    let the_m = shl(Machine.neg(Int::new(w0, 1)), the_c1)?;
    let the_c = shl(the_c2, the_c1)?;
    if !is_spoken_of(ty0) {
        return None;
    }
    let mut plan = Plan::new();
    let new1 = plan.push(Op::And, ty0, &[Operand::Value(x), Operand::Const(Const::Int(the_m))]);
    let new2 = plan.push(Op::Add, ty0, &[new1, Operand::Const(Const::Int(the_c))]);
    Some(Rewrite { rule: rule(names::LSHIFT_ADD_URSHIFT), plan, outcome: Outcome::Value(new2) })
}

// lshift_rshift [pypy]: lshift(rshift(x, C1), C1)
//     # There and back clears the low bits.
//     C = -1 << C1
//     => and(x, C)
fn lshift_rshift<S: Subject>(
    s: &S,
    root: &Root<'_, S::Value>,
    x: S::Value,
    at_c1: S::Value,
    at_c1_2: S::Value,
) -> Option<Rewrite<S::Value>> {
    if !same(s, at_c1, at_c1_2) {
        return None;
    }
    let ty0 = root.ty;
    let w0 = ty0.int_width()?;
    if w0 < 2 {
        return None;
    }
    let the_c1 = int(s, at_c1)?;
    let the_c = shl(Machine.neg(Int::new(w0, 1)), the_c1)?;
    if !is_spoken_of(ty0) {
        return None;
    }
    let mut plan = Plan::new();
    let new1 = plan.push(Op::And, ty0, &[Operand::Value(x), Operand::Const(Const::Int(the_c))]);
    Some(Rewrite { rule: rule(names::LSHIFT_RSHIFT), plan, outcome: Outcome::Value(new1) })
}

// lshift_urshift [pypy]: lshift(urshift(x, C1), C1)
//     # There and back clears the low bits.
//     C = -1 << C1
//     => and(x, C)
fn lshift_urshift<S: Subject>(
    s: &S,
    root: &Root<'_, S::Value>,
    x: S::Value,
    at_c1: S::Value,
    at_c1_2: S::Value,
) -> Option<Rewrite<S::Value>> {
    if !same(s, at_c1, at_c1_2) {
        return None;
    }
    let ty0 = root.ty;
    let w0 = ty0.int_width()?;
    if w0 < 2 {
        return None;
    }
    let the_c1 = int(s, at_c1)?;
    let the_c = shl(Machine.neg(Int::new(w0, 1)), the_c1)?;
    if !is_spoken_of(ty0) {
        return None;
    }
    let mut plan = Plan::new();
    let new1 = plan.push(Op::And, ty0, &[Operand::Value(x), Operand::Const(Const::Int(the_c))]);
    Some(Rewrite { rule: rule(names::LSHIFT_URSHIFT), plan, outcome: Outcome::Value(new1) })
}

// lshift_lshift [pypy]: lshift(lshift(x, C1), C2)
//     # Amounts add up while they stay below the width.
//     check C1 <u LONG_BIT and C2 <u LONG_BIT
//     C = C1 + C2
//     check C <u LONG_BIT
//     => lshift(x, C)
fn lshift_lshift<S: Subject>(
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
    let new1 = plan.push(Op::Lshift, ty0, &[Operand::Value(x), Operand::Const(Const::Int(the_c))]);
    Some(Rewrite { rule: rule(names::LSHIFT_LSHIFT), plan, outcome: Outcome::Value(new1) })
}

// lshift_rshift_less: lshift(rshift(x, C1), C2)
//     # No bit is lost on the way.
//     check C1 <u LONG_BIT and C2 <u C1 and x.and_bound(~(-1 << C1)).known_eq_const(0)
//     C = C1 - C2
//     => rshift(x, C)
fn lshift_rshift_less<S: Subject>(
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
    if !x_fact.and_bound(IntFact::constant(Machine.not(shl(Machine.neg(Int::new(w0, 1)), the_c1)?))).known_eq_const(Int::new(w0, 0)) {
        return None;
    }
    let the_c = Machine.sub(the_c1, the_c2);
    if !is_spoken_of(ty0) {
        return None;
    }
    let mut plan = Plan::new();
    let new1 = plan.push(Op::Rshift, ty0, &[Operand::Value(x), Operand::Const(Const::Int(the_c))]);
    Some(Rewrite { rule: rule(names::LSHIFT_RSHIFT_LESS), plan, outcome: Outcome::Value(new1) })
}

// lshift_rshift_more: lshift(rshift(x, C1), C2)
//     # No bit is lost on the way.
//     check C2 <u LONG_BIT and C1 <u C2 and x.and_bound(~(-1 << C1)).known_eq_const(0)
//     C = C2 - C1
//     => lshift(x, C)
fn lshift_rshift_more<S: Subject>(
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
    if !x_fact.and_bound(IntFact::constant(Machine.not(shl(Machine.neg(Int::new(w0, 1)), the_c1)?))).known_eq_const(Int::new(w0, 0)) {
        return None;
    }
    let the_c = Machine.sub(the_c2, the_c1);
    if !is_spoken_of(ty0) {
        return None;
    }
    let mut plan = Plan::new();
    let new1 = plan.push(Op::Lshift, ty0, &[Operand::Value(x), Operand::Const(Const::Int(the_c))]);
    Some(Rewrite { rule: rule(names::LSHIFT_RSHIFT_MORE), plan, outcome: Outcome::Value(new1) })
}

// lshift_urshift_less: lshift(urshift(x, C1), C2)
//     # No bit is lost on the way.
//     check C1 <u LONG_BIT and C2 <u C1 and x.and_bound(~(-1 << C1)).known_eq_const(0)
//     C = C1 - C2
//     => urshift(x, C)
fn lshift_urshift_less<S: Subject>(
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
    if !x_fact.and_bound(IntFact::constant(Machine.not(shl(Machine.neg(Int::new(w0, 1)), the_c1)?))).known_eq_const(Int::new(w0, 0)) {
        return None;
    }
    let the_c = Machine.sub(the_c1, the_c2);
    if !is_spoken_of(ty0) {
        return None;
    }
    let mut plan = Plan::new();
    let new1 = plan.push(Op::Urshift, ty0, &[Operand::Value(x), Operand::Const(Const::Int(the_c))]);
    Some(Rewrite { rule: rule(names::LSHIFT_URSHIFT_LESS), plan, outcome: Outcome::Value(new1) })
}

// lshift_urshift_more: lshift(urshift(x, C1), C2)
//     # No bit is lost on the way.
//     check C2 <u LONG_BIT and C1 <u C2 and x.and_bound(~(-1 << C1)).known_eq_const(0)
//     C = C2 - C1
//     => lshift(x, C)
fn lshift_urshift_more<S: Subject>(
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
    if !x_fact.and_bound(IntFact::constant(Machine.not(shl(Machine.neg(Int::new(w0, 1)), the_c1)?))).known_eq_const(Int::new(w0, 0)) {
        return None;
    }
    let the_c = Machine.sub(the_c2, the_c1);
    if !is_spoken_of(ty0) {
        return None;
    }
    let mut plan = Plan::new();
    let new1 = plan.push(Op::Lshift, ty0, &[Operand::Value(x), Operand::Const(Const::Int(the_c))]);
    Some(Rewrite { rule: rule(names::LSHIFT_URSHIFT_MORE), plan, outcome: Outcome::Value(new1) })
}

// lshift_mul_const [pays]: lshift(mul(x, C1), C2)
//     # A shift to the left is a product.
//     C = C1 << C2
//     => mul(x, C)
fn lshift_mul_const<S: Subject>(
    s: &S,
    root: &Root<'_, S::Value>,
    x: S::Value,
    at_c1: S::Value,
    inner2: S::Value,
    at_c2: S::Value,
) -> Option<Rewrite<S::Value>> {
    let dies2 = s.used_once(inner2);
    if 1 + if dies2 { 3 } else { 0 } < 3 {
        return None;
    }
    let ty0 = root.ty;
    let the_c1 = int(s, at_c1)?;
    let the_c2 = int(s, at_c2)?;
    let the_c = shl(the_c1, the_c2)?;
    if !is_spoken_of(ty0) {
        return None;
    }
    let mut plan = Plan::new();
    let new1 = plan.push(Op::Mul, ty0, &[Operand::Value(x), Operand::Const(Const::Int(the_c))]);
    Some(Rewrite { rule: rule(names::LSHIFT_MUL_CONST), plan, outcome: Outcome::Value(new1) })
}

