//! Rules whose pattern begins with `is_true`, in the order in which they are tried:
//!
//! - is_true_nonzero
//! - is_true_bool
//! - is_true_more
//! - is_true_and_zext
//! - is_true_sign
//! - is_true_add_const
//! - is_true_high_mask
//! - is_true_mul_odd
//! - is_true_rshift
//! - is_true_udiv
//! - is_true_urshift
//! - is_true_srem_pow2
//! - fcmpg_ne
//! - fcmpl_ne
//! - is_true_feq
//! - is_true_fge
//! - is_true_fgt
//! - is_true_fle
//! - is_true_flt
//! - is_true_fne
//! - is_true_abs
//! - is_true_eq
//! - is_true_ge
//! - is_true_gt
//! - is_true_is_true
//! - is_true_is_zero
//! - is_true_le
//! - is_true_lt
//! - is_true_ne
//! - is_true_neg
//! - is_true_not
//! - is_true_popcount
//! - is_true_sext
//! - is_true_sub
//! - is_true_uge
//! - is_true_ugt
//! - is_true_ule
//! - is_true_ult
//! - is_true_xor
//! - is_true_zext
//!
//! Generated from `rules/*.rules`.

use planish_ops::{Bits, Int, Machine, Op};
use planish_rules::functions::{Resize, WordTest};
use planish_rules::speaks::is_spoken_of;
use planish_rules::matching::{Const, Flow, Operand, Outcome, Plan, Rewrite, Root, Subject, int, integer, nodes, offer, operands2, same, shl};

use super::names::{self, rule};

/// Hands every rewrite of a `is_true` to `found`, until it says stop.
pub fn root<S: Subject>(
    s: &S,
    root: &Root<'_, S::Value>,
    found: &mut impl FnMut(Rewrite<S::Value>) -> Flow,
) -> Flow {
    let a = root.args[0];
    offer(found, is_true_nonzero(s, root, a))?;
    offer(found, is_true_bool(s, root, a))?;
    for node in nodes(s, a) {
        match node {
            Some((Op::Add, n)) => {
                let [a0, a1] = operands2(s, n);
                if s.constant(a1).is_some() {
                    offer(found, is_true_add_const(s, root, a0, a1, a))?;
                }
            }
            Some((Op::Sub, n)) => {
                let [a0, a1] = operands2(s, n);
                offer(found, is_true_sub(s, root, a0, a1, a))?;
            }
            Some((Op::Mul, n)) => {
                let [a0, a1] = operands2(s, n);
                if s.constant(a1).is_some() {
                    offer(found, is_true_mul_odd(s, root, a0, a1, a))?;
                }
            }
            Some((Op::Neg, n)) => {
                let a0 = s.operand(n, 0);
                offer(found, is_true_neg(s, root, a0, a))?;
            }
            Some((Op::Abs, n)) => {
                let a0 = s.operand(n, 0);
                offer(found, is_true_abs(s, root, a0, a))?;
            }
            Some((Op::Udiv, n)) => {
                let [a0, a1] = operands2(s, n);
                if s.constant(a1).is_some() {
                    offer(found, is_true_udiv(s, root, a0, a1, a))?;
                }
            }
            Some((Op::Srem, n)) => {
                let [a0, a1] = operands2(s, n);
                if s.constant(a1).is_some() {
                    offer(found, is_true_srem_pow2(s, root, a0, a1, a))?;
                }
            }
            Some((Op::And, n)) => {
                let [a0, a1] = operands2(s, n);
                for node in nodes(s, a1) {
                    if let Some((Op::Add, n)) = node {
                        let [a10, a11] = operands2(s, n);
                        if integer(s, a11) == Some(-1) {
                            offer(found, is_true_more(s, root, a0, a10, a1, a))?;
                        }
                    }
                }
                for node in nodes(s, a0) {
                    match node {
                        Some((Op::Add, n)) => {
                            let [a00, a01] = operands2(s, n);
                            if integer(s, a01) == Some(-1) {
                                offer(found, is_true_more(s, root, a1, a00, a0, a))?;
                            }
                        }
                        Some((Op::Zext, n)) => {
                            let a00 = s.operand(n, 0);
                            if s.constant(a1).is_some() {
                                offer(found, is_true_and_zext(s, root, a00, a0, a1, a))?;
                            }
                        }
                        _ => {}
                    }
                }
                if s.constant(a1).is_some() {
                    offer(found, is_true_sign(s, root, a0, a1, a))?;
                    offer(found, is_true_high_mask(s, root, a0, a1, a))?;
                }
            }
            Some((Op::Xor, n)) => {
                let [a0, a1] = operands2(s, n);
                offer(found, is_true_xor(s, root, a0, a1, a))?;
            }
            Some((Op::Not, n)) => {
                let a0 = s.operand(n, 0);
                offer(found, is_true_not(s, root, a0, a))?;
            }
            Some((Op::Rshift, n)) => {
                let [a0, a1] = operands2(s, n);
                if s.constant(a1).is_some() {
                    offer(found, is_true_rshift(s, root, a0, a1, a))?;
                }
            }
            Some((Op::Urshift, n)) => {
                let [a0, a1] = operands2(s, n);
                if s.constant(a1).is_some() {
                    offer(found, is_true_urshift(s, root, a0, a1, a))?;
                }
            }
            Some((Op::Popcount, n)) => {
                let a0 = s.operand(n, 0);
                offer(found, is_true_popcount(s, root, a0, a))?;
            }
            Some((Op::Sext, n)) => {
                let a0 = s.operand(n, 0);
                offer(found, is_true_sext(s, root, a0, a))?;
            }
            Some((Op::Zext, n)) => {
                let a0 = s.operand(n, 0);
                offer(found, is_true_zext(s, root, a0, a))?;
            }
            Some((Op::Eq, n)) => {
                let [a0, a1] = operands2(s, n);
                offer(found, is_true_eq(s, root, a0, a1, a))?;
            }
            Some((Op::Ne, n)) => {
                let [a0, a1] = operands2(s, n);
                offer(found, is_true_ne(s, root, a0, a1, a))?;
            }
            Some((Op::Lt, n)) => {
                let [a0, a1] = operands2(s, n);
                offer(found, is_true_lt(s, root, a0, a1, a))?;
            }
            Some((Op::Le, n)) => {
                let [a0, a1] = operands2(s, n);
                offer(found, is_true_le(s, root, a0, a1, a))?;
            }
            Some((Op::Gt, n)) => {
                let [a0, a1] = operands2(s, n);
                offer(found, is_true_gt(s, root, a0, a1, a))?;
            }
            Some((Op::Ge, n)) => {
                let [a0, a1] = operands2(s, n);
                offer(found, is_true_ge(s, root, a0, a1, a))?;
            }
            Some((Op::Ult, n)) => {
                let [a0, a1] = operands2(s, n);
                offer(found, is_true_ult(s, root, a0, a1, a))?;
            }
            Some((Op::Ule, n)) => {
                let [a0, a1] = operands2(s, n);
                offer(found, is_true_ule(s, root, a0, a1, a))?;
            }
            Some((Op::Ugt, n)) => {
                let [a0, a1] = operands2(s, n);
                offer(found, is_true_ugt(s, root, a0, a1, a))?;
            }
            Some((Op::Uge, n)) => {
                let [a0, a1] = operands2(s, n);
                offer(found, is_true_uge(s, root, a0, a1, a))?;
            }
            Some((Op::IsTrue, n)) => {
                let a0 = s.operand(n, 0);
                offer(found, is_true_is_true(s, root, a0, a))?;
            }
            Some((Op::IsZero, n)) => {
                let a0 = s.operand(n, 0);
                offer(found, is_true_is_zero(s, root, a0, a))?;
            }
            Some((Op::Feq, n)) => {
                let [a0, a1] = operands2(s, n);
                offer(found, is_true_feq(s, root, a0, a1, a))?;
            }
            Some((Op::Fne, n)) => {
                let [a0, a1] = operands2(s, n);
                offer(found, is_true_fne(s, root, a0, a1, a))?;
            }
            Some((Op::Flt, n)) => {
                let [a0, a1] = operands2(s, n);
                offer(found, is_true_flt(s, root, a0, a1, a))?;
            }
            Some((Op::Fle, n)) => {
                let [a0, a1] = operands2(s, n);
                offer(found, is_true_fle(s, root, a0, a1, a))?;
            }
            Some((Op::Fgt, n)) => {
                let [a0, a1] = operands2(s, n);
                offer(found, is_true_fgt(s, root, a0, a1, a))?;
            }
            Some((Op::Fge, n)) => {
                let [a0, a1] = operands2(s, n);
                offer(found, is_true_fge(s, root, a0, a1, a))?;
            }
            Some((Op::Fcmpl, n)) => {
                let [a0, a1] = operands2(s, n);
                offer(found, fcmpl_ne(s, root, a0, a1, a))?;
            }
            Some((Op::Fcmpg, n)) => {
                let [a0, a1] = operands2(s, n);
                offer(found, fcmpg_ne(s, root, a0, a1, a))?;
            }
            _ => {}
        }
    }
    Flow::Continue(())
}

// is_true_nonzero [pypy]: is_true(x)
//     # It cannot be zero.
//     check x.known_nonzero()
//     => 1
fn is_true_nonzero<S: Subject>(
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
    Some(Rewrite { rule: rule(names::IS_TRUE_NONZERO), plan: Plan::new(), outcome: Outcome::Value(Operand::Const(Const::Int(Int::new(w0, 1)))) })
}

// is_true_bool [pypy]: is_true(x)
//     # A truth value is its own answer.
//     check x.is_bool()
//     => x
fn is_true_bool<S: Subject>(
    s: &S,
    root: &Root<'_, S::Value>,
    x: S::Value,
) -> Option<Rewrite<S::Value>> {
    if root.ty != s.ty(x) {
        return None;
    }
    let x_fact = s.fact(x);
    if !x_fact.is_bool() {
        return None;
    }
    if !is_spoken_of(root.ty) {
        return None;
    }
    Some(Rewrite { rule: rule(names::IS_TRUE_BOOL), plan: Plan::new(), outcome: Outcome::Value(Operand::Value(x)) })
}

// is_true_more [pays]: is_true(and(x, add(x, -1)))
//     # A bit is set, and not only that.
//     check x.known_nonzero()
//     => ne(popcount(x), 1)
fn is_true_more<S: Subject>(
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
    let new2 = plan.push(Op::Ne, ty0, &[new1, Operand::Const(Const::Int(Int::new(w1, 1)))]);
    Some(Rewrite { rule: rule(names::IS_TRUE_MORE), plan, outcome: Outcome::Value(new2) })
}

// is_true_and_zext [pays]: is_true(and(zext(x), C1))
//     # Of what was extended the mask leaves low bits only.
//     C = trunc(C1)
//     => is_true(and(x, C))
fn is_true_and_zext<S: Subject>(
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
    let new2 = plan.push(Op::IsTrue, ty0, &[new1]);
    Some(Rewrite { rule: rule(names::IS_TRUE_AND_ZEXT), plan, outcome: Outcome::Value(new2) })
}

// is_true_sign [pypy]: is_true(and(x, MININT))
//     # Only the sign bit is left.
//     => lt(x, 0)
fn is_true_sign<S: Subject>(
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
    let new1 = plan.push(Op::Lt, ty0, &[Operand::Value(x), Operand::Const(Const::Int(Int::new(w1, 0)))]);
    Some(Rewrite { rule: rule(names::IS_TRUE_SIGN), plan, outcome: Outcome::Value(new1) })
}

// is_true_add_const: is_true(add(x, C1))
//     # x + C = 0 exactly where x = -C
//     C = -C1
//     => ne(x, C)
fn is_true_add_const<S: Subject>(
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
    let new1 = plan.push(Op::Ne, ty0, &[Operand::Value(x), Operand::Const(Const::Int(the_c))]);
    Some(Rewrite { rule: rule(names::IS_TRUE_ADD_CONST), plan, outcome: Outcome::Value(new1) })
}

// is_true_high_mask [pays]: is_true(and(x, C))
//     # One of the high bits is set exactly where x is at least the lowest of them.
//     C1 = -C
//     check is_pow2(C1)
//     => uge(x, C1)
fn is_true_high_mask<S: Subject>(
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
    let new1 = plan.push(Op::Uge, ty0, &[Operand::Value(x), Operand::Const(Const::Int(the_c1))]);
    Some(Rewrite { rule: rule(names::IS_TRUE_HIGH_MASK), plan, outcome: Outcome::Value(new1) })
}

// is_true_mul_odd: is_true(mul(x, C))
//     # A product by an odd number can be undone.
//     check C & 1 == 1
//     => is_true(x)
fn is_true_mul_odd<S: Subject>(
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
    let new1 = plan.push(Op::IsTrue, ty0, &[Operand::Value(x)]);
    Some(Rewrite { rule: rule(names::IS_TRUE_MUL_ODD), plan, outcome: Outcome::Value(new1) })
}

// is_true_rshift [pays]: is_true(rshift(x, C))
//     # Nothing but copies of the sign, which is zero: x is less than a power of two.
//     C1 = 1 << C
//     check C1 > 0
//     => uge(x, C1)
fn is_true_rshift<S: Subject>(
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
    let new1 = plan.push(Op::Uge, ty0, &[Operand::Value(x), Operand::Const(Const::Int(the_c1))]);
    Some(Rewrite { rule: rule(names::IS_TRUE_RSHIFT), plan, outcome: Outcome::Value(new1) })
}

// is_true_udiv [pays]: is_true(udiv(x, C))
//     # The quotient is zero where x is less than the divisor.
//     check C != 0
//     => uge(x, C)
fn is_true_udiv<S: Subject>(
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
    let new1 = plan.push(Op::Uge, ty0, &[Operand::Value(x), Operand::Value(at_c)]);
    Some(Rewrite { rule: rule(names::IS_TRUE_UDIV), plan, outcome: Outcome::Value(new1) })
}

// is_true_urshift: is_true(urshift(x, C1))
//     # All bits are shifted out exactly where x < 2^C, unsigned.
//     C = 1 << C1
//     => uge(x, C)
fn is_true_urshift<S: Subject>(
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
    let new1 = plan.push(Op::Uge, ty0, &[Operand::Value(x), Operand::Const(Const::Int(the_c))]);
    Some(Rewrite { rule: rule(names::IS_TRUE_URSHIFT), plan, outcome: Outcome::Value(new1) })
}

// is_true_srem_pow2 [pays]: is_true(srem(x, C1))
//     # No multiple of 2^k, whatever its sign, is one of which some low bit is set.
//     check is_pow2(C1)
//     C = C1 - 1
//     => is_true(and(x, C))
fn is_true_srem_pow2<S: Subject>(
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
    let new2 = plan.push(Op::IsTrue, ty0, &[new1]);
    Some(Rewrite { rule: rule(names::IS_TRUE_SREM_POW2), plan, outcome: Outcome::Value(new2) })
}

// fcmpg_ne [pays]: is_true(fcmpg(x, y))
//     # 0 stands for equal.
//     => fne(x, y)
fn fcmpg_ne<S: Subject>(
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
    let new1 = plan.push(Op::Fne, ty0, &[Operand::Value(x), Operand::Value(y)]);
    Some(Rewrite { rule: rule(names::FCMPG_NE), plan, outcome: Outcome::Value(new1) })
}

// fcmpl_ne [pays]: is_true(fcmpl(x, y))
//     # 0 stands for equal.
//     => fne(x, y)
fn fcmpl_ne<S: Subject>(
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
    let new1 = plan.push(Op::Fne, ty0, &[Operand::Value(x), Operand::Value(y)]);
    Some(Rewrite { rule: rule(names::FCMPL_NE), plan, outcome: Outcome::Value(new1) })
}

// is_true_feq [pays]: is_true(feq(x, y))
//     # A comparison yields 0 or 1.
//     => feq(x, y)
fn is_true_feq<S: Subject>(
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
    Some(Rewrite { rule: rule(names::IS_TRUE_FEQ), plan, outcome: Outcome::Value(new1) })
}

// is_true_fge [pays]: is_true(fge(x, y))
//     # A comparison yields 0 or 1.
//     => fge(x, y)
fn is_true_fge<S: Subject>(
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
    let new1 = plan.push(Op::Fge, ty0, &[Operand::Value(x), Operand::Value(y)]);
    Some(Rewrite { rule: rule(names::IS_TRUE_FGE), plan, outcome: Outcome::Value(new1) })
}

// is_true_fgt [pays]: is_true(fgt(x, y))
//     # A comparison yields 0 or 1.
//     => fgt(x, y)
fn is_true_fgt<S: Subject>(
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
    let new1 = plan.push(Op::Fgt, ty0, &[Operand::Value(x), Operand::Value(y)]);
    Some(Rewrite { rule: rule(names::IS_TRUE_FGT), plan, outcome: Outcome::Value(new1) })
}

// is_true_fle [pays]: is_true(fle(x, y))
//     # A comparison yields 0 or 1.
//     => fle(x, y)
fn is_true_fle<S: Subject>(
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
    let new1 = plan.push(Op::Fle, ty0, &[Operand::Value(x), Operand::Value(y)]);
    Some(Rewrite { rule: rule(names::IS_TRUE_FLE), plan, outcome: Outcome::Value(new1) })
}

// is_true_flt [pays]: is_true(flt(x, y))
//     # A comparison yields 0 or 1.
//     => flt(x, y)
fn is_true_flt<S: Subject>(
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
    let new1 = plan.push(Op::Flt, ty0, &[Operand::Value(x), Operand::Value(y)]);
    Some(Rewrite { rule: rule(names::IS_TRUE_FLT), plan, outcome: Outcome::Value(new1) })
}

// is_true_fne [pays]: is_true(fne(x, y))
//     # A comparison yields 0 or 1.
//     => fne(x, y)
fn is_true_fne<S: Subject>(
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
    Some(Rewrite { rule: rule(names::IS_TRUE_FNE), plan, outcome: Outcome::Value(new1) })
}

// is_true_abs: is_true(abs(x))
//     # Only the absolute value of 0 is 0.
//     => is_true(x)
fn is_true_abs<S: Subject>(
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
    let new1 = plan.push(Op::IsTrue, ty0, &[Operand::Value(x)]);
    Some(Rewrite { rule: rule(names::IS_TRUE_ABS), plan, outcome: Outcome::Value(new1) })
}

// is_true_eq: is_true(eq(x, y))
//     # A comparison yields 0 or 1.
//     => eq(x, y)
fn is_true_eq<S: Subject>(
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
    Some(Rewrite { rule: rule(names::IS_TRUE_EQ), plan, outcome: Outcome::Value(new1) })
}

// is_true_ge: is_true(ge(x, y))
//     # A comparison yields 0 or 1.
//     => ge(x, y)
fn is_true_ge<S: Subject>(
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
    Some(Rewrite { rule: rule(names::IS_TRUE_GE), plan, outcome: Outcome::Value(new1) })
}

// is_true_gt: is_true(gt(x, y))
//     # A comparison yields 0 or 1.
//     => gt(x, y)
fn is_true_gt<S: Subject>(
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
    Some(Rewrite { rule: rule(names::IS_TRUE_GT), plan, outcome: Outcome::Value(new1) })
}

// is_true_is_true: is_true(is_true(x))
//     # The answer is 0 or 1.
//     => is_true(x)
fn is_true_is_true<S: Subject>(
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
    Some(Rewrite { rule: rule(names::IS_TRUE_IS_TRUE), plan, outcome: Outcome::Value(new1) })
}

// is_true_is_zero: is_true(is_zero(x))
//     # The answer is 0 or 1.
//     => is_zero(x)
fn is_true_is_zero<S: Subject>(
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
    Some(Rewrite { rule: rule(names::IS_TRUE_IS_ZERO), plan, outcome: Outcome::Value(new1) })
}

// is_true_le: is_true(le(x, y))
//     # A comparison yields 0 or 1.
//     => le(x, y)
fn is_true_le<S: Subject>(
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
    Some(Rewrite { rule: rule(names::IS_TRUE_LE), plan, outcome: Outcome::Value(new1) })
}

// is_true_lt: is_true(lt(x, y))
//     # A comparison yields 0 or 1.
//     => lt(x, y)
fn is_true_lt<S: Subject>(
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
    Some(Rewrite { rule: rule(names::IS_TRUE_LT), plan, outcome: Outcome::Value(new1) })
}

// is_true_ne: is_true(ne(x, y))
//     # A comparison yields 0 or 1.
//     => ne(x, y)
fn is_true_ne<S: Subject>(
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
    Some(Rewrite { rule: rule(names::IS_TRUE_NE), plan, outcome: Outcome::Value(new1) })
}

// is_true_neg: is_true(neg(x))
//     # -x = 0 exactly where x = 0
//     => is_true(x)
fn is_true_neg<S: Subject>(
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
    let new1 = plan.push(Op::IsTrue, ty0, &[Operand::Value(x)]);
    Some(Rewrite { rule: rule(names::IS_TRUE_NEG), plan, outcome: Outcome::Value(new1) })
}

// is_true_not: is_true(not(x))
//     # ~x = 0 exactly where x = -1
//     => ne(x, -1)
fn is_true_not<S: Subject>(
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
    let new1 = plan.push(Op::Ne, ty0, &[Operand::Value(x), Operand::Const(Const::Int(Int::new(w1, -1i64 as u64)))]);
    Some(Rewrite { rule: rule(names::IS_TRUE_NOT), plan, outcome: Outcome::Value(new1) })
}

// is_true_popcount: is_true(popcount(x))
//     # Only 0 has no one bits.
//     => is_true(x)
fn is_true_popcount<S: Subject>(
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
    let new1 = plan.push(Op::IsTrue, ty0, &[Operand::Value(x)]);
    Some(Rewrite { rule: rule(names::IS_TRUE_POPCOUNT), plan, outcome: Outcome::Value(new1) })
}

// is_true_sext: is_true(sext(x))
//     # Extension repeats the sign, which 0 has not.
//     => is_true(x)
fn is_true_sext<S: Subject>(
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
    Some(Rewrite { rule: rule(names::IS_TRUE_SEXT), plan, outcome: Outcome::Value(new1) })
}

// is_true_sub: is_true(sub(x, y))
//     # x - y = 0 exactly where x = y
//     => ne(x, y)
fn is_true_sub<S: Subject>(
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
    let new1 = plan.push(Op::Ne, ty0, &[Operand::Value(x), Operand::Value(y)]);
    Some(Rewrite { rule: rule(names::IS_TRUE_SUB), plan, outcome: Outcome::Value(new1) })
}

// is_true_uge: is_true(uge(x, y))
//     # A comparison yields 0 or 1.
//     => uge(x, y)
fn is_true_uge<S: Subject>(
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
    Some(Rewrite { rule: rule(names::IS_TRUE_UGE), plan, outcome: Outcome::Value(new1) })
}

// is_true_ugt: is_true(ugt(x, y))
//     # A comparison yields 0 or 1.
//     => ugt(x, y)
fn is_true_ugt<S: Subject>(
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
    Some(Rewrite { rule: rule(names::IS_TRUE_UGT), plan, outcome: Outcome::Value(new1) })
}

// is_true_ule: is_true(ule(x, y))
//     # A comparison yields 0 or 1.
//     => ule(x, y)
fn is_true_ule<S: Subject>(
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
    Some(Rewrite { rule: rule(names::IS_TRUE_ULE), plan, outcome: Outcome::Value(new1) })
}

// is_true_ult: is_true(ult(x, y))
//     # A comparison yields 0 or 1.
//     => ult(x, y)
fn is_true_ult<S: Subject>(
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
    Some(Rewrite { rule: rule(names::IS_TRUE_ULT), plan, outcome: Outcome::Value(new1) })
}

// is_true_xor: is_true(xor(x, y))
//     # x ^ y = 0 exactly where x = y
//     => ne(x, y)
fn is_true_xor<S: Subject>(
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
    let new1 = plan.push(Op::Ne, ty0, &[Operand::Value(x), Operand::Value(y)]);
    Some(Rewrite { rule: rule(names::IS_TRUE_XOR), plan, outcome: Outcome::Value(new1) })
}

// is_true_zext: is_true(zext(x))
//     # Extension adds no ones.
//     => is_true(x)
fn is_true_zext<S: Subject>(
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
    Some(Rewrite { rule: rule(names::IS_TRUE_ZEXT), plan, outcome: Outcome::Value(new1) })
}

