//! Rules whose pattern begins with `is_zero`, in the order in which they are tried:
//!
//! - is_zero_add_apart
//! - is_zero_nonzero
//! - is_zero_no_more
//! - is_zero_and_zext
//! - is_zero_sign
//! - is_zero_add_const
//! - is_zero_high_mask
//! - is_zero_mul_odd
//! - is_zero_rshift
//! - is_zero_udiv
//! - is_zero_urshift
//! - is_zero_srem_pow2
//! - fcmpg_eq
//! - fcmpl_eq
//! - is_zero_feq
//! - is_zero_fne
//! - is_zero_abs
//! - is_zero_bswap
//! - is_zero_eq
//! - is_zero_ge
//! - is_zero_gt
//! - is_zero_is_true
//! - is_zero_is_zero
//! - is_zero_le
//! - is_zero_lt
//! - is_zero_ne
//! - is_zero_neg
//! - is_zero_not
//! - is_zero_popcount
//! - is_zero_rotl
//! - is_zero_rotr
//! - is_zero_sext
//! - is_zero_sub
//! - is_zero_uge
//! - is_zero_ugt
//! - is_zero_ule
//! - is_zero_ult
//! - is_zero_xor
//! - is_zero_zext
//!
//! Generated from `rules/*.rules`.

use planish_domain::IntFact;
use planish_ops::{Bits, Int, Machine, Op};
use planish_rules::functions::{Resize, WordTest};
use planish_rules::speaks::is_spoken_of;
use planish_rules::matching::{Const, Flow, Operand, Outcome, Plan, Rewrite, Root, Subject, int, integer, nodes, offer, operands2, same, shl};

use super::names::{self, rule};

/// Hands every rewrite of a `is_zero` to `found`, until it says stop.
pub fn root<S: Subject>(
    s: &S,
    root: &Root<'_, S::Value>,
    found: &mut impl FnMut(Rewrite<S::Value>) -> Flow,
) -> Flow {
    let a = root.args[0];
    for node in nodes(s, a) {
        if let Some((Op::Add, n)) = node {
            let [a0, a1] = operands2(s, n);
            if s.constant(a1).is_some() {
                offer(found, is_zero_add_apart(s, root, a0, a1, a))?;
            }
        }
    }
    offer(found, is_zero_nonzero(s, root, a))?;
    for node in nodes(s, a) {
        match node {
            Some((Op::Add, n)) => {
                let [a0, a1] = operands2(s, n);
                if s.constant(a1).is_some() {
                    offer(found, is_zero_add_const(s, root, a0, a1, a))?;
                }
            }
            Some((Op::Sub, n)) => {
                let [a0, a1] = operands2(s, n);
                offer(found, is_zero_sub(s, root, a0, a1, a))?;
            }
            Some((Op::Mul, n)) => {
                let [a0, a1] = operands2(s, n);
                if s.constant(a1).is_some() {
                    offer(found, is_zero_mul_odd(s, root, a0, a1, a))?;
                }
            }
            Some((Op::Neg, n)) => {
                let a0 = s.operand(n, 0);
                offer(found, is_zero_neg(s, root, a0, a))?;
            }
            Some((Op::Abs, n)) => {
                let a0 = s.operand(n, 0);
                offer(found, is_zero_abs(s, root, a0, a))?;
            }
            Some((Op::Udiv, n)) => {
                let [a0, a1] = operands2(s, n);
                if s.constant(a1).is_some() {
                    offer(found, is_zero_udiv(s, root, a0, a1, a))?;
                }
            }
            Some((Op::Srem, n)) => {
                let [a0, a1] = operands2(s, n);
                if s.constant(a1).is_some() {
                    offer(found, is_zero_srem_pow2(s, root, a0, a1, a))?;
                }
            }
            Some((Op::And, n)) => {
                let [a0, a1] = operands2(s, n);
                for node in nodes(s, a1) {
                    if let Some((Op::Add, n)) = node {
                        let [a10, a11] = operands2(s, n);
                        if integer(s, a11) == Some(-1) {
                            offer(found, is_zero_no_more(s, root, a0, a10, a1, a))?;
                        }
                    }
                }
                for node in nodes(s, a0) {
                    match node {
                        Some((Op::Add, n)) => {
                            let [a00, a01] = operands2(s, n);
                            if integer(s, a01) == Some(-1) {
                                offer(found, is_zero_no_more(s, root, a1, a00, a0, a))?;
                            }
                        }
                        Some((Op::Zext, n)) => {
                            let a00 = s.operand(n, 0);
                            if s.constant(a1).is_some() {
                                offer(found, is_zero_and_zext(s, root, a00, a0, a1, a))?;
                            }
                        }
                        _ => {}
                    }
                }
                if s.constant(a1).is_some() {
                    offer(found, is_zero_sign(s, root, a0, a1, a))?;
                    offer(found, is_zero_high_mask(s, root, a0, a1, a))?;
                }
            }
            Some((Op::Xor, n)) => {
                let [a0, a1] = operands2(s, n);
                offer(found, is_zero_xor(s, root, a0, a1, a))?;
            }
            Some((Op::Not, n)) => {
                let a0 = s.operand(n, 0);
                offer(found, is_zero_not(s, root, a0, a))?;
            }
            Some((Op::Rshift, n)) => {
                let [a0, a1] = operands2(s, n);
                if s.constant(a1).is_some() {
                    offer(found, is_zero_rshift(s, root, a0, a1, a))?;
                }
            }
            Some((Op::Urshift, n)) => {
                let [a0, a1] = operands2(s, n);
                if s.constant(a1).is_some() {
                    offer(found, is_zero_urshift(s, root, a0, a1, a))?;
                }
            }
            Some((Op::Rotl, n)) => {
                let [a0, _] = operands2(s, n);
                offer(found, is_zero_rotl(s, root, a0, a))?;
            }
            Some((Op::Rotr, n)) => {
                let [a0, _] = operands2(s, n);
                offer(found, is_zero_rotr(s, root, a0, a))?;
            }
            Some((Op::Popcount, n)) => {
                let a0 = s.operand(n, 0);
                offer(found, is_zero_popcount(s, root, a0, a))?;
            }
            Some((Op::Bswap, n)) => {
                let a0 = s.operand(n, 0);
                offer(found, is_zero_bswap(s, root, a0, a))?;
            }
            Some((Op::Sext, n)) => {
                let a0 = s.operand(n, 0);
                offer(found, is_zero_sext(s, root, a0, a))?;
            }
            Some((Op::Zext, n)) => {
                let a0 = s.operand(n, 0);
                offer(found, is_zero_zext(s, root, a0, a))?;
            }
            Some((Op::Eq, n)) => {
                let [a0, a1] = operands2(s, n);
                offer(found, is_zero_eq(s, root, a0, a1, a))?;
            }
            Some((Op::Ne, n)) => {
                let [a0, a1] = operands2(s, n);
                offer(found, is_zero_ne(s, root, a0, a1, a))?;
            }
            Some((Op::Lt, n)) => {
                let [a0, a1] = operands2(s, n);
                offer(found, is_zero_lt(s, root, a0, a1, a))?;
            }
            Some((Op::Le, n)) => {
                let [a0, a1] = operands2(s, n);
                offer(found, is_zero_le(s, root, a0, a1, a))?;
            }
            Some((Op::Gt, n)) => {
                let [a0, a1] = operands2(s, n);
                offer(found, is_zero_gt(s, root, a0, a1, a))?;
            }
            Some((Op::Ge, n)) => {
                let [a0, a1] = operands2(s, n);
                offer(found, is_zero_ge(s, root, a0, a1, a))?;
            }
            Some((Op::Ult, n)) => {
                let [a0, a1] = operands2(s, n);
                offer(found, is_zero_ult(s, root, a0, a1, a))?;
            }
            Some((Op::Ule, n)) => {
                let [a0, a1] = operands2(s, n);
                offer(found, is_zero_ule(s, root, a0, a1, a))?;
            }
            Some((Op::Ugt, n)) => {
                let [a0, a1] = operands2(s, n);
                offer(found, is_zero_ugt(s, root, a0, a1, a))?;
            }
            Some((Op::Uge, n)) => {
                let [a0, a1] = operands2(s, n);
                offer(found, is_zero_uge(s, root, a0, a1, a))?;
            }
            Some((Op::IsTrue, n)) => {
                let a0 = s.operand(n, 0);
                offer(found, is_zero_is_true(s, root, a0, a))?;
            }
            Some((Op::IsZero, n)) => {
                let a0 = s.operand(n, 0);
                offer(found, is_zero_is_zero(s, root, a0, a))?;
            }
            Some((Op::Feq, n)) => {
                let [a0, a1] = operands2(s, n);
                offer(found, is_zero_feq(s, root, a0, a1, a))?;
            }
            Some((Op::Fne, n)) => {
                let [a0, a1] = operands2(s, n);
                offer(found, is_zero_fne(s, root, a0, a1, a))?;
            }
            Some((Op::Fcmpl, n)) => {
                let [a0, a1] = operands2(s, n);
                offer(found, fcmpl_eq(s, root, a0, a1, a))?;
            }
            Some((Op::Fcmpg, n)) => {
                let [a0, a1] = operands2(s, n);
                offer(found, fcmpg_eq(s, root, a0, a1, a))?;
            }
            _ => {}
        }
    }
    Flow::Continue(())
}

// is_zero_add_apart [pypy]: is_zero(add(x, C1))
//     # It is not -C.
//     C = -C1
//     check x.known_ne(C)
//     => 0
fn is_zero_add_apart<S: Subject>(
    s: &S,
    root: &Root<'_, S::Value>,
    x: S::Value,
    at_c1: S::Value,
    inner2: S::Value,
) -> Option<Rewrite<S::Value>> {
    let ty0 = root.ty;
    let w0 = ty0.int_width()?;
    let x_fact = s.fact(x);
    let the_c1 = int(s, at_c1)?;
    let the_c = Machine.neg(the_c1);
    if !x_fact.known_ne(IntFact::constant(the_c)) {
        return None;
    }
    if !is_spoken_of(ty0) {
        return None;
    }
    if !is_spoken_of(s.ty(inner2)) {
        return None;
    }
    Some(Rewrite { rule: rule(names::IS_ZERO_ADD_APART), plan: Plan::new(), outcome: Outcome::Value(Operand::Const(Const::Int(Int::new(w0, 0)))) })
}

// is_zero_nonzero [pypy]: is_zero(x)
//     # It cannot be zero.
//     check x.known_nonzero()
//     => 0
fn is_zero_nonzero<S: Subject>(
    s: &S,
    root: &Root<'_, S::Value>,
    x: S::Value,
) -> Option<Rewrite<S::Value>> {
    let ty0 = root.ty;
    let w0 = ty0.int_width()?;
    let x_fact = s.fact(x);
    if !x_fact.known_nonzero() && !s.is_told_nonzero(x) {
        return None;
    }
    if !is_spoken_of(ty0) {
        return None;
    }
    if !is_spoken_of(s.ty(x)) {
        return None;
    }
    Some(Rewrite { rule: rule(names::IS_ZERO_NONZERO), plan: Plan::new(), outcome: Outcome::Value(Operand::Const(Const::Int(Int::new(w0, 0)))) })
}

// is_zero_no_more [pays]: is_zero(and(x, add(x, -1)))
//     # A bit is set, and none but that.
//     check x.known_nonzero()
//     => eq(popcount(x), 1)
fn is_zero_no_more<S: Subject>(
    s: &S,
    root: &Root<'_, S::Value>,
    x: S::Value,
    x_2: S::Value,
    inner3: S::Value,
    inner4: S::Value,
) -> Option<Rewrite<S::Value>> {
    if !same(s, x, x_2) {
        return None;
    }
    let dies4 = s.used_once(inner4);
    let dies3 = dies4 && s.used_once(inner3);
    if if dies4 { 1 } else { 0 } + if dies3 { 1 } else { 0 } < 2 {
        return None;
    }
    let ty0 = root.ty;
    let ty1 = s.ty(inner4);
    let w1 = ty1.int_width()?;
    let x_fact = s.fact(x);
    if !x_fact.known_nonzero() && !s.is_told_nonzero(x) {
        return None;
    }
    if !is_spoken_of(ty0) {
        return None;
    }
    if !is_spoken_of(ty1) {
        return None;
    }
    let mut plan = Plan::new();
    let new1 = plan.push(Op::Popcount, ty1, &[Operand::Value(x)]);
    let new2 = plan.push(Op::Eq, ty0, &[new1, Operand::Const(Const::Int(Int::new(w1, 1)))]);
    Some(Rewrite { rule: rule(names::IS_ZERO_NO_MORE), plan, outcome: Outcome::Value(new2) })
}

// is_zero_and_zext [pays]: is_zero(and(zext(x), C1))
//     # Of what was extended the mask leaves low bits only.
//     C = trunc(C1)
//     => is_zero(and(x, C))
fn is_zero_and_zext<S: Subject>(
    s: &S,
    root: &Root<'_, S::Value>,
    x: S::Value,
    inner1: S::Value,
    at_c1: S::Value,
    inner3: S::Value,
) -> Option<Rewrite<S::Value>> {
    let dies3 = s.used_once(inner3);
    let dies1 = dies3 && s.used_once(inner1);
    if if dies3 { 1 } else { 0 } + if dies1 { 1 } else { 0 } < 2 {
        return None;
    }
    let ty0 = root.ty;
    let ty2 = s.ty(x);
    let w2 = ty2.int_width()?;
    let the_c1 = int(s, at_c1)?;
    let the_c = Resize::Trunc.apply(&mut Machine, the_c1, w2)?;
    if !is_spoken_of(ty0) {
        return None;
    }
    if !is_spoken_of(s.ty(inner3)) {
        return None;
    }
    if !is_spoken_of(ty2) {
        return None;
    }
    let mut plan = Plan::new();
    let new1 = plan.push(Op::And, ty2, &[Operand::Value(x), Operand::Const(Const::Int(the_c))]);
    let new2 = plan.push(Op::IsZero, ty0, &[new1]);
    Some(Rewrite { rule: rule(names::IS_ZERO_AND_ZEXT), plan, outcome: Outcome::Value(new2) })
}

// is_zero_sign: is_zero(and(x, MININT))
//     # Only the sign bit is left.
//     => ge(x, 0)
fn is_zero_sign<S: Subject>(
    s: &S,
    root: &Root<'_, S::Value>,
    x: S::Value,
    inner1: S::Value,
    inner2: S::Value,
) -> Option<Rewrite<S::Value>> {
    let ty0 = root.ty;
    let ty1 = s.ty(inner2);
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
    let new1 = plan.push(Op::Ge, ty0, &[Operand::Value(x), Operand::Const(Const::Int(Int::new(w1, 0)))]);
    Some(Rewrite { rule: rule(names::IS_ZERO_SIGN), plan, outcome: Outcome::Value(new1) })
}

// is_zero_add_const: is_zero(add(x, C1))
//     # x + C = 0 exactly where x = -C
//     C = -C1
//     => eq(x, C)
fn is_zero_add_const<S: Subject>(
    s: &S,
    root: &Root<'_, S::Value>,
    x: S::Value,
    at_c1: S::Value,
    inner2: S::Value,
) -> Option<Rewrite<S::Value>> {
    let ty0 = root.ty;
    let the_c1 = int(s, at_c1)?;
    let the_c = Machine.neg(the_c1);
    if !is_spoken_of(ty0) {
        return None;
    }
    if !is_spoken_of(s.ty(inner2)) {
        return None;
    }
    let mut plan = Plan::new();
    let new1 = plan.push(Op::Eq, ty0, &[Operand::Value(x), Operand::Const(Const::Int(the_c))]);
    Some(Rewrite { rule: rule(names::IS_ZERO_ADD_CONST), plan, outcome: Outcome::Value(new1) })
}

// is_zero_high_mask [pays]: is_zero(and(x, C))
//     # The high bits are zero exactly where x is less than the lowest of them.
//     C1 = -C
//     check is_pow2(C1)
//     => ult(x, C1)
fn is_zero_high_mask<S: Subject>(
    s: &S,
    root: &Root<'_, S::Value>,
    x: S::Value,
    at_c: S::Value,
    inner2: S::Value,
) -> Option<Rewrite<S::Value>> {
    let dies2 = s.used_once(inner2);
    if if dies2 { 1 } else { 0 } < 1 {
        return None;
    }
    let ty0 = root.ty;
    let the_c = int(s, at_c)?;
    let the_c1 = Machine.neg(the_c);
    if !WordTest::IsPow2.apply(&mut Machine, the_c1) {
        return None;
    }
    if !is_spoken_of(ty0) {
        return None;
    }
    if !is_spoken_of(s.ty(inner2)) {
        return None;
    }
    let mut plan = Plan::new();
    let new1 = plan.push(Op::Ult, ty0, &[Operand::Value(x), Operand::Const(Const::Int(the_c1))]);
    Some(Rewrite { rule: rule(names::IS_ZERO_HIGH_MASK), plan, outcome: Outcome::Value(new1) })
}

// is_zero_mul_odd: is_zero(mul(x, C))
//     # A product by an odd number can be undone.
//     check C & 1 == 1
//     => is_zero(x)
fn is_zero_mul_odd<S: Subject>(
    s: &S,
    root: &Root<'_, S::Value>,
    x: S::Value,
    at_c: S::Value,
    inner2: S::Value,
) -> Option<Rewrite<S::Value>> {
    let ty0 = root.ty;
    let ty1 = s.ty(inner2);
    let w1 = ty1.int_width()?;
    if w1 < 2 {
        return None;
    }
    let the_c = int(s, at_c)?;
    if Machine.and(the_c, Int::new(w1, 1)) != Int::new(w1, 1) {
        return None;
    }
    if !is_spoken_of(ty0) {
        return None;
    }
    if !is_spoken_of(ty1) {
        return None;
    }
    let mut plan = Plan::new();
    let new1 = plan.push(Op::IsZero, ty0, &[Operand::Value(x)]);
    Some(Rewrite { rule: rule(names::IS_ZERO_MUL_ODD), plan, outcome: Outcome::Value(new1) })
}

// is_zero_rshift [pays]: is_zero(rshift(x, C))
//     # Nothing but copies of the sign, which is zero: x is less than a power of two.
//     C1 = 1 << C
//     check C1 > 0
//     => ult(x, C1)
fn is_zero_rshift<S: Subject>(
    s: &S,
    root: &Root<'_, S::Value>,
    x: S::Value,
    at_c: S::Value,
    inner2: S::Value,
) -> Option<Rewrite<S::Value>> {
    let dies2 = s.used_once(inner2);
    if if dies2 { 1 } else { 0 } < 1 {
        return None;
    }
    let ty0 = root.ty;
    let ty1 = s.ty(inner2);
    let w1 = ty1.int_width()?;
    if w1 < 2 {
        return None;
    }
    let the_c = int(s, at_c)?;
    let the_c1 = shl(Int::new(w1, 1), the_c)?;
    if Machine.sle(the_c1, Int::new(w1, 0)) {
        return None;
    }
    if !is_spoken_of(ty0) {
        return None;
    }
    if !is_spoken_of(ty1) {
        return None;
    }
    let mut plan = Plan::new();
    let new1 = plan.push(Op::Ult, ty0, &[Operand::Value(x), Operand::Const(Const::Int(the_c1))]);
    Some(Rewrite { rule: rule(names::IS_ZERO_RSHIFT), plan, outcome: Outcome::Value(new1) })
}

// is_zero_udiv [pays]: is_zero(udiv(x, C))
//     # The quotient is zero where x is less than the divisor.
//     check C != 0
//     => ult(x, C)
fn is_zero_udiv<S: Subject>(
    s: &S,
    root: &Root<'_, S::Value>,
    x: S::Value,
    at_c: S::Value,
    inner2: S::Value,
) -> Option<Rewrite<S::Value>> {
    let dies2 = s.used_once(inner2);
    if if dies2 { 20 } else { 0 } < 1 {
        return None;
    }
    let ty0 = root.ty;
    let ty1 = s.ty(inner2);
    let w1 = ty1.int_width()?;
    let the_c = int(s, at_c)?;
    if the_c == Int::new(w1, 0) {
        return None;
    }
    if !is_spoken_of(ty0) {
        return None;
    }
    if !is_spoken_of(ty1) {
        return None;
    }
    let mut plan = Plan::new();
    let new1 = plan.push(Op::Ult, ty0, &[Operand::Value(x), Operand::Value(at_c)]);
    Some(Rewrite { rule: rule(names::IS_ZERO_UDIV), plan, outcome: Outcome::Value(new1) })
}

// is_zero_urshift: is_zero(urshift(x, C1))
//     # All bits are shifted out exactly where x < 2^C, unsigned.
//     C = 1 << C1
//     => ult(x, C)
fn is_zero_urshift<S: Subject>(
    s: &S,
    root: &Root<'_, S::Value>,
    x: S::Value,
    at_c1: S::Value,
    inner2: S::Value,
) -> Option<Rewrite<S::Value>> {
    let ty0 = root.ty;
    let ty1 = s.ty(inner2);
    let w1 = ty1.int_width()?;
    if w1 < 2 {
        return None;
    }
    let the_c1 = int(s, at_c1)?;
    let the_c = shl(Int::new(w1, 1), the_c1)?;
    if !is_spoken_of(ty0) {
        return None;
    }
    if !is_spoken_of(ty1) {
        return None;
    }
    let mut plan = Plan::new();
    let new1 = plan.push(Op::Ult, ty0, &[Operand::Value(x), Operand::Const(Const::Int(the_c))]);
    Some(Rewrite { rule: rule(names::IS_ZERO_URSHIFT), plan, outcome: Outcome::Value(new1) })
}

// is_zero_srem_pow2 [pays]: is_zero(srem(x, C1))
//     # A multiple of 2^k, whatever its sign, is one whose low bits are zero.
//     check is_pow2(C1)
//     C = C1 - 1
//     => is_zero(and(x, C))
fn is_zero_srem_pow2<S: Subject>(
    s: &S,
    root: &Root<'_, S::Value>,
    x: S::Value,
    at_c1: S::Value,
    inner2: S::Value,
) -> Option<Rewrite<S::Value>> {
    let dies2 = s.used_once(inner2);
    if if dies2 { 20 } else { 0 } < 2 {
        return None;
    }
    let ty0 = root.ty;
    let ty1 = s.ty(inner2);
    let w1 = ty1.int_width()?;
    if w1 < 2 {
        return None;
    }
    let the_c1 = int(s, at_c1)?;
    if !WordTest::IsPow2.apply(&mut Machine, the_c1) {
        return None;
    }
    let the_c = Machine.sub(the_c1, Int::new(w1, 1));
    if !is_spoken_of(ty0) {
        return None;
    }
    if !is_spoken_of(ty1) {
        return None;
    }
    let mut plan = Plan::new();
    let new1 = plan.push(Op::And, ty1, &[Operand::Value(x), Operand::Const(Const::Int(the_c))]);
    let new2 = plan.push(Op::IsZero, ty0, &[new1]);
    Some(Rewrite { rule: rule(names::IS_ZERO_SREM_POW2), plan, outcome: Outcome::Value(new2) })
}

// fcmpg_eq [pays]: is_zero(fcmpg(x, y))
//     # 0 stands for equal.
//     => feq(x, y)
fn fcmpg_eq<S: Subject>(
    s: &S,
    root: &Root<'_, S::Value>,
    x: S::Value,
    y: S::Value,
    inner2: S::Value,
) -> Option<Rewrite<S::Value>> {
    let dies2 = s.used_once(inner2);
    if if dies2 { 3 } else { 0 } < 2 {
        return None;
    }
    let ty0 = root.ty;
    if !is_spoken_of(ty0) {
        return None;
    }
    if !is_spoken_of(s.ty(inner2)) {
        return None;
    }
    let mut plan = Plan::new();
    let new1 = plan.push(Op::Feq, ty0, &[Operand::Value(x), Operand::Value(y)]);
    Some(Rewrite { rule: rule(names::FCMPG_EQ), plan, outcome: Outcome::Value(new1) })
}

// fcmpl_eq [pays]: is_zero(fcmpl(x, y))
//     # 0 stands for equal.
//     => feq(x, y)
fn fcmpl_eq<S: Subject>(
    s: &S,
    root: &Root<'_, S::Value>,
    x: S::Value,
    y: S::Value,
    inner2: S::Value,
) -> Option<Rewrite<S::Value>> {
    let dies2 = s.used_once(inner2);
    if if dies2 { 3 } else { 0 } < 2 {
        return None;
    }
    let ty0 = root.ty;
    if !is_spoken_of(ty0) {
        return None;
    }
    if !is_spoken_of(s.ty(inner2)) {
        return None;
    }
    let mut plan = Plan::new();
    let new1 = plan.push(Op::Feq, ty0, &[Operand::Value(x), Operand::Value(y)]);
    Some(Rewrite { rule: rule(names::FCMPL_EQ), plan, outcome: Outcome::Value(new1) })
}

// is_zero_feq [pays]: is_zero(feq(x, y))
//     # These two comparisons are each other's negation, for NaN too.
//     => fne(x, y)
fn is_zero_feq<S: Subject>(
    s: &S,
    root: &Root<'_, S::Value>,
    x: S::Value,
    y: S::Value,
    inner2: S::Value,
) -> Option<Rewrite<S::Value>> {
    let dies2 = s.used_once(inner2);
    if if dies2 { 2 } else { 0 } < 2 {
        return None;
    }
    let ty0 = root.ty;
    if !is_spoken_of(ty0) {
        return None;
    }
    if !is_spoken_of(s.ty(inner2)) {
        return None;
    }
    let mut plan = Plan::new();
    let new1 = plan.push(Op::Fne, ty0, &[Operand::Value(x), Operand::Value(y)]);
    Some(Rewrite { rule: rule(names::IS_ZERO_FEQ), plan, outcome: Outcome::Value(new1) })
}

// is_zero_fne [pays]: is_zero(fne(x, y))
//     # These two comparisons are each other's negation, for NaN too.
//     => feq(x, y)
fn is_zero_fne<S: Subject>(
    s: &S,
    root: &Root<'_, S::Value>,
    x: S::Value,
    y: S::Value,
    inner2: S::Value,
) -> Option<Rewrite<S::Value>> {
    let dies2 = s.used_once(inner2);
    if if dies2 { 2 } else { 0 } < 2 {
        return None;
    }
    let ty0 = root.ty;
    if !is_spoken_of(ty0) {
        return None;
    }
    if !is_spoken_of(s.ty(inner2)) {
        return None;
    }
    let mut plan = Plan::new();
    let new1 = plan.push(Op::Feq, ty0, &[Operand::Value(x), Operand::Value(y)]);
    Some(Rewrite { rule: rule(names::IS_ZERO_FNE), plan, outcome: Outcome::Value(new1) })
}

// is_zero_abs: is_zero(abs(x))
//     # Only the absolute value of 0 is 0.
//     => is_zero(x)
fn is_zero_abs<S: Subject>(
    s: &S,
    root: &Root<'_, S::Value>,
    x: S::Value,
    inner1: S::Value,
) -> Option<Rewrite<S::Value>> {
    let ty0 = root.ty;
    if !is_spoken_of(ty0) {
        return None;
    }
    if !is_spoken_of(s.ty(inner1)) {
        return None;
    }
    let mut plan = Plan::new();
    let new1 = plan.push(Op::IsZero, ty0, &[Operand::Value(x)]);
    Some(Rewrite { rule: rule(names::IS_ZERO_ABS), plan, outcome: Outcome::Value(new1) })
}

// is_zero_bswap: is_zero(bswap(x))
//     # Only 0 has no one bits in any order.
//     => is_zero(x)
fn is_zero_bswap<S: Subject>(
    s: &S,
    root: &Root<'_, S::Value>,
    x: S::Value,
    inner1: S::Value,
) -> Option<Rewrite<S::Value>> {
    let ty0 = root.ty;
    if !is_spoken_of(ty0) {
        return None;
    }
    if !is_spoken_of(s.ty(inner1)) {
        return None;
    }
    let mut plan = Plan::new();
    let new1 = plan.push(Op::IsZero, ty0, &[Operand::Value(x)]);
    Some(Rewrite { rule: rule(names::IS_ZERO_BSWAP), plan, outcome: Outcome::Value(new1) })
}

// is_zero_eq: is_zero(eq(x, y))
//     # The negation of a comparison is a comparison.
//     => ne(x, y)
fn is_zero_eq<S: Subject>(
    s: &S,
    root: &Root<'_, S::Value>,
    x: S::Value,
    y: S::Value,
    inner2: S::Value,
) -> Option<Rewrite<S::Value>> {
    let ty0 = root.ty;
    if !is_spoken_of(ty0) {
        return None;
    }
    if !is_spoken_of(s.ty(inner2)) {
        return None;
    }
    if !is_spoken_of(s.ty(x)) {
        return None;
    }
    let mut plan = Plan::new();
    let new1 = plan.push(Op::Ne, ty0, &[Operand::Value(x), Operand::Value(y)]);
    Some(Rewrite { rule: rule(names::IS_ZERO_EQ), plan, outcome: Outcome::Value(new1) })
}

// is_zero_ge: is_zero(ge(x, y))
//     # The negation of a comparison is a comparison.
//     => lt(x, y)
fn is_zero_ge<S: Subject>(
    s: &S,
    root: &Root<'_, S::Value>,
    x: S::Value,
    y: S::Value,
    inner2: S::Value,
) -> Option<Rewrite<S::Value>> {
    let ty0 = root.ty;
    if !is_spoken_of(ty0) {
        return None;
    }
    if !is_spoken_of(s.ty(inner2)) {
        return None;
    }
    if !is_spoken_of(s.ty(x)) {
        return None;
    }
    let mut plan = Plan::new();
    let new1 = plan.push(Op::Lt, ty0, &[Operand::Value(x), Operand::Value(y)]);
    Some(Rewrite { rule: rule(names::IS_ZERO_GE), plan, outcome: Outcome::Value(new1) })
}

// is_zero_gt: is_zero(gt(x, y))
//     # The negation of a comparison is a comparison.
//     => le(x, y)
fn is_zero_gt<S: Subject>(
    s: &S,
    root: &Root<'_, S::Value>,
    x: S::Value,
    y: S::Value,
    inner2: S::Value,
) -> Option<Rewrite<S::Value>> {
    let ty0 = root.ty;
    if !is_spoken_of(ty0) {
        return None;
    }
    if !is_spoken_of(s.ty(inner2)) {
        return None;
    }
    if !is_spoken_of(s.ty(x)) {
        return None;
    }
    let mut plan = Plan::new();
    let new1 = plan.push(Op::Le, ty0, &[Operand::Value(x), Operand::Value(y)]);
    Some(Rewrite { rule: rule(names::IS_ZERO_GT), plan, outcome: Outcome::Value(new1) })
}

// is_zero_is_true: is_zero(is_true(x))
//     # The question is the same.
//     => is_zero(x)
fn is_zero_is_true<S: Subject>(
    s: &S,
    root: &Root<'_, S::Value>,
    x: S::Value,
    inner1: S::Value,
) -> Option<Rewrite<S::Value>> {
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
    let new1 = plan.push(Op::IsZero, ty0, &[Operand::Value(x)]);
    Some(Rewrite { rule: rule(names::IS_ZERO_IS_TRUE), plan, outcome: Outcome::Value(new1) })
}

// is_zero_is_zero: is_zero(is_zero(x))
//     # Negated twice.
//     => is_true(x)
fn is_zero_is_zero<S: Subject>(
    s: &S,
    root: &Root<'_, S::Value>,
    x: S::Value,
    inner1: S::Value,
) -> Option<Rewrite<S::Value>> {
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
    let new1 = plan.push(Op::IsTrue, ty0, &[Operand::Value(x)]);
    Some(Rewrite { rule: rule(names::IS_ZERO_IS_ZERO), plan, outcome: Outcome::Value(new1) })
}

// is_zero_le: is_zero(le(x, y))
//     # The negation of a comparison is a comparison.
//     => gt(x, y)
fn is_zero_le<S: Subject>(
    s: &S,
    root: &Root<'_, S::Value>,
    x: S::Value,
    y: S::Value,
    inner2: S::Value,
) -> Option<Rewrite<S::Value>> {
    let ty0 = root.ty;
    if !is_spoken_of(ty0) {
        return None;
    }
    if !is_spoken_of(s.ty(inner2)) {
        return None;
    }
    if !is_spoken_of(s.ty(x)) {
        return None;
    }
    let mut plan = Plan::new();
    let new1 = plan.push(Op::Gt, ty0, &[Operand::Value(x), Operand::Value(y)]);
    Some(Rewrite { rule: rule(names::IS_ZERO_LE), plan, outcome: Outcome::Value(new1) })
}

// is_zero_lt: is_zero(lt(x, y))
//     # The negation of a comparison is a comparison.
//     => ge(x, y)
fn is_zero_lt<S: Subject>(
    s: &S,
    root: &Root<'_, S::Value>,
    x: S::Value,
    y: S::Value,
    inner2: S::Value,
) -> Option<Rewrite<S::Value>> {
    let ty0 = root.ty;
    if !is_spoken_of(ty0) {
        return None;
    }
    if !is_spoken_of(s.ty(inner2)) {
        return None;
    }
    if !is_spoken_of(s.ty(x)) {
        return None;
    }
    let mut plan = Plan::new();
    let new1 = plan.push(Op::Ge, ty0, &[Operand::Value(x), Operand::Value(y)]);
    Some(Rewrite { rule: rule(names::IS_ZERO_LT), plan, outcome: Outcome::Value(new1) })
}

// is_zero_ne: is_zero(ne(x, y))
//     # The negation of a comparison is a comparison.
//     => eq(x, y)
fn is_zero_ne<S: Subject>(
    s: &S,
    root: &Root<'_, S::Value>,
    x: S::Value,
    y: S::Value,
    inner2: S::Value,
) -> Option<Rewrite<S::Value>> {
    let ty0 = root.ty;
    if !is_spoken_of(ty0) {
        return None;
    }
    if !is_spoken_of(s.ty(inner2)) {
        return None;
    }
    if !is_spoken_of(s.ty(x)) {
        return None;
    }
    let mut plan = Plan::new();
    let new1 = plan.push(Op::Eq, ty0, &[Operand::Value(x), Operand::Value(y)]);
    Some(Rewrite { rule: rule(names::IS_ZERO_NE), plan, outcome: Outcome::Value(new1) })
}

// is_zero_neg: is_zero(neg(x))
//     # -x = 0 exactly where x = 0
//     => is_zero(x)
fn is_zero_neg<S: Subject>(
    s: &S,
    root: &Root<'_, S::Value>,
    x: S::Value,
    inner1: S::Value,
) -> Option<Rewrite<S::Value>> {
    let ty0 = root.ty;
    if !is_spoken_of(ty0) {
        return None;
    }
    if !is_spoken_of(s.ty(inner1)) {
        return None;
    }
    let mut plan = Plan::new();
    let new1 = plan.push(Op::IsZero, ty0, &[Operand::Value(x)]);
    Some(Rewrite { rule: rule(names::IS_ZERO_NEG), plan, outcome: Outcome::Value(new1) })
}

// is_zero_not: is_zero(not(x))
//     # ~x = 0 exactly where x = -1
//     => eq(x, -1)
fn is_zero_not<S: Subject>(
    s: &S,
    root: &Root<'_, S::Value>,
    x: S::Value,
    inner1: S::Value,
) -> Option<Rewrite<S::Value>> {
    let ty0 = root.ty;
    let ty1 = s.ty(inner1);
    let w1 = ty1.int_width()?;
    if !is_spoken_of(ty0) {
        return None;
    }
    if !is_spoken_of(ty1) {
        return None;
    }
    let mut plan = Plan::new();
    let new1 = plan.push(Op::Eq, ty0, &[Operand::Value(x), Operand::Const(Const::Int(Int::new(w1, -1i64 as u64)))]);
    Some(Rewrite { rule: rule(names::IS_ZERO_NOT), plan, outcome: Outcome::Value(new1) })
}

// is_zero_popcount: is_zero(popcount(x))
//     # Only 0 has no one bits.
//     => is_zero(x)
fn is_zero_popcount<S: Subject>(
    s: &S,
    root: &Root<'_, S::Value>,
    x: S::Value,
    inner1: S::Value,
) -> Option<Rewrite<S::Value>> {
    let ty0 = root.ty;
    if !is_spoken_of(ty0) {
        return None;
    }
    if !is_spoken_of(s.ty(inner1)) {
        return None;
    }
    let mut plan = Plan::new();
    let new1 = plan.push(Op::IsZero, ty0, &[Operand::Value(x)]);
    Some(Rewrite { rule: rule(names::IS_ZERO_POPCOUNT), plan, outcome: Outcome::Value(new1) })
}

// is_zero_rotl: is_zero(rotl(x, y))
//     # Only 0 has no one bits in any order.
//     => is_zero(x)
fn is_zero_rotl<S: Subject>(
    s: &S,
    root: &Root<'_, S::Value>,
    x: S::Value,
    inner2: S::Value,
) -> Option<Rewrite<S::Value>> {
    let ty0 = root.ty;
    if !is_spoken_of(ty0) {
        return None;
    }
    if !is_spoken_of(s.ty(inner2)) {
        return None;
    }
    let mut plan = Plan::new();
    let new1 = plan.push(Op::IsZero, ty0, &[Operand::Value(x)]);
    Some(Rewrite { rule: rule(names::IS_ZERO_ROTL), plan, outcome: Outcome::Value(new1) })
}

// is_zero_rotr: is_zero(rotr(x, y))
//     # Only 0 has no one bits in any order.
//     => is_zero(x)
fn is_zero_rotr<S: Subject>(
    s: &S,
    root: &Root<'_, S::Value>,
    x: S::Value,
    inner2: S::Value,
) -> Option<Rewrite<S::Value>> {
    let ty0 = root.ty;
    if !is_spoken_of(ty0) {
        return None;
    }
    if !is_spoken_of(s.ty(inner2)) {
        return None;
    }
    let mut plan = Plan::new();
    let new1 = plan.push(Op::IsZero, ty0, &[Operand::Value(x)]);
    Some(Rewrite { rule: rule(names::IS_ZERO_ROTR), plan, outcome: Outcome::Value(new1) })
}

// is_zero_sext: is_zero(sext(x))
//     # Extension repeats the sign, which 0 has not.
//     => is_zero(x)
fn is_zero_sext<S: Subject>(
    s: &S,
    root: &Root<'_, S::Value>,
    x: S::Value,
    inner1: S::Value,
) -> Option<Rewrite<S::Value>> {
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
    let new1 = plan.push(Op::IsZero, ty0, &[Operand::Value(x)]);
    Some(Rewrite { rule: rule(names::IS_ZERO_SEXT), plan, outcome: Outcome::Value(new1) })
}

// is_zero_sub: is_zero(sub(x, y))
//     # x - y = 0 exactly where x = y
//     => eq(x, y)
fn is_zero_sub<S: Subject>(
    s: &S,
    root: &Root<'_, S::Value>,
    x: S::Value,
    y: S::Value,
    inner2: S::Value,
) -> Option<Rewrite<S::Value>> {
    let ty0 = root.ty;
    if !is_spoken_of(ty0) {
        return None;
    }
    if !is_spoken_of(s.ty(inner2)) {
        return None;
    }
    let mut plan = Plan::new();
    let new1 = plan.push(Op::Eq, ty0, &[Operand::Value(x), Operand::Value(y)]);
    Some(Rewrite { rule: rule(names::IS_ZERO_SUB), plan, outcome: Outcome::Value(new1) })
}

// is_zero_uge: is_zero(uge(x, y))
//     # The negation of a comparison is a comparison.
//     => ult(x, y)
fn is_zero_uge<S: Subject>(
    s: &S,
    root: &Root<'_, S::Value>,
    x: S::Value,
    y: S::Value,
    inner2: S::Value,
) -> Option<Rewrite<S::Value>> {
    let ty0 = root.ty;
    if !is_spoken_of(ty0) {
        return None;
    }
    if !is_spoken_of(s.ty(inner2)) {
        return None;
    }
    if !is_spoken_of(s.ty(x)) {
        return None;
    }
    let mut plan = Plan::new();
    let new1 = plan.push(Op::Ult, ty0, &[Operand::Value(x), Operand::Value(y)]);
    Some(Rewrite { rule: rule(names::IS_ZERO_UGE), plan, outcome: Outcome::Value(new1) })
}

// is_zero_ugt: is_zero(ugt(x, y))
//     # The negation of a comparison is a comparison.
//     => ule(x, y)
fn is_zero_ugt<S: Subject>(
    s: &S,
    root: &Root<'_, S::Value>,
    x: S::Value,
    y: S::Value,
    inner2: S::Value,
) -> Option<Rewrite<S::Value>> {
    let ty0 = root.ty;
    if !is_spoken_of(ty0) {
        return None;
    }
    if !is_spoken_of(s.ty(inner2)) {
        return None;
    }
    if !is_spoken_of(s.ty(x)) {
        return None;
    }
    let mut plan = Plan::new();
    let new1 = plan.push(Op::Ule, ty0, &[Operand::Value(x), Operand::Value(y)]);
    Some(Rewrite { rule: rule(names::IS_ZERO_UGT), plan, outcome: Outcome::Value(new1) })
}

// is_zero_ule: is_zero(ule(x, y))
//     # The negation of a comparison is a comparison.
//     => ugt(x, y)
fn is_zero_ule<S: Subject>(
    s: &S,
    root: &Root<'_, S::Value>,
    x: S::Value,
    y: S::Value,
    inner2: S::Value,
) -> Option<Rewrite<S::Value>> {
    let ty0 = root.ty;
    if !is_spoken_of(ty0) {
        return None;
    }
    if !is_spoken_of(s.ty(inner2)) {
        return None;
    }
    if !is_spoken_of(s.ty(x)) {
        return None;
    }
    let mut plan = Plan::new();
    let new1 = plan.push(Op::Ugt, ty0, &[Operand::Value(x), Operand::Value(y)]);
    Some(Rewrite { rule: rule(names::IS_ZERO_ULE), plan, outcome: Outcome::Value(new1) })
}

// is_zero_ult: is_zero(ult(x, y))
//     # The negation of a comparison is a comparison.
//     => uge(x, y)
fn is_zero_ult<S: Subject>(
    s: &S,
    root: &Root<'_, S::Value>,
    x: S::Value,
    y: S::Value,
    inner2: S::Value,
) -> Option<Rewrite<S::Value>> {
    let ty0 = root.ty;
    if !is_spoken_of(ty0) {
        return None;
    }
    if !is_spoken_of(s.ty(inner2)) {
        return None;
    }
    if !is_spoken_of(s.ty(x)) {
        return None;
    }
    let mut plan = Plan::new();
    let new1 = plan.push(Op::Uge, ty0, &[Operand::Value(x), Operand::Value(y)]);
    Some(Rewrite { rule: rule(names::IS_ZERO_ULT), plan, outcome: Outcome::Value(new1) })
}

// is_zero_xor: is_zero(xor(x, y))
//     # x ^ y = 0 exactly where x = y
//     => eq(x, y)
fn is_zero_xor<S: Subject>(
    s: &S,
    root: &Root<'_, S::Value>,
    x: S::Value,
    y: S::Value,
    inner2: S::Value,
) -> Option<Rewrite<S::Value>> {
    let ty0 = root.ty;
    if !is_spoken_of(ty0) {
        return None;
    }
    if !is_spoken_of(s.ty(inner2)) {
        return None;
    }
    let mut plan = Plan::new();
    let new1 = plan.push(Op::Eq, ty0, &[Operand::Value(x), Operand::Value(y)]);
    Some(Rewrite { rule: rule(names::IS_ZERO_XOR), plan, outcome: Outcome::Value(new1) })
}

// is_zero_zext: is_zero(zext(x))
//     # Extension adds no ones.
//     => is_zero(x)
fn is_zero_zext<S: Subject>(
    s: &S,
    root: &Root<'_, S::Value>,
    x: S::Value,
    inner1: S::Value,
) -> Option<Rewrite<S::Value>> {
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
    let new1 = plan.push(Op::IsZero, ty0, &[Operand::Value(x)]);
    Some(Rewrite { rule: rule(names::IS_ZERO_ZEXT), plan, outcome: Outcome::Value(new1) })
}

