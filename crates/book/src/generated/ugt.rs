//! Rules whose pattern begins with `ugt`, in the order in which they are tried:
//!
//! - ugt_flipped_signs
//! - ugt_zext_zext
//! - ugt_flipped_sign
//! - ugt_urshift_const
//! - ugt_clz_const
//! - ugt_zext_const
//! - ugt_maxint
//! - ugt_zero
//! - ugt_const_left
//!
//! Generated from `rules/*.rules`.

use planish_ops::{Bits, Int, Machine, Op};
use planish_rules::functions::Resize;
use planish_rules::speaks::is_spoken_of;
use planish_rules::matching::{Const, Flow, Operand, Outcome, Plan, Rewrite, Root, Subject, int, nodes, offer, operands2, shl, ushr};

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
                part1(s, root, found, a, b)?;
                offer(found, ugt_maxint(s, root, a, b))?;
                offer(found, ugt_zero(s, root, a))?;
            }
            _ => {
                part1(s, root, found, a, b)?;
                offer(found, ugt_maxint(s, root, a, b))?;
            }
        }
    } else {
        for node in nodes(s, b) {
            match node {
                Some((Op::Xor, n)) => {
                    let [b0, b1] = operands2(s, n);
                    for node in nodes(s, a) {
                        if let Some((Op::Xor, n)) = node {
                            let [a0, a1] = operands2(s, n);
                            if s.constant(a1).is_some() {
                                if s.constant(b1).is_some() {
                                    offer(found, ugt_flipped_signs(s, root, a0, a1, a, b0, b1, b))?;
                                }
                            }
                        }
                    }
                }
                Some((Op::Zext, n)) => {
                    let b0 = s.operand(n, 0);
                    for node in nodes(s, a) {
                        if let Some((Op::Zext, n)) = node {
                            let a0 = s.operand(n, 0);
                            offer(found, ugt_zext_zext(s, root, a0, a, b0))?;
                        }
                    }
                }
                _ => {}
            }
        }
    }
    if s.constant(a).is_some() {
        offer(found, ugt_const_left(s, root, a, b))?;
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
        match node {
            Some((Op::Xor, n)) => {
                let [a0, a1] = operands2(s, n);
                if s.constant(a1).is_some() {
                    offer(found, ugt_flipped_sign(s, root, a0, a1, a, b))?;
                }
            }
            Some((Op::Urshift, n)) => {
                let [a0, a1] = operands2(s, n);
                if s.constant(a1).is_some() {
                    offer(found, ugt_urshift_const(s, root, a0, a1, a, b))?;
                }
            }
            Some((Op::Clz, n)) => {
                let a0 = s.operand(n, 0);
                offer(found, ugt_clz_const(s, root, a0, a, b))?;
            }
            Some((Op::Zext, n)) => {
                let a0 = s.operand(n, 0);
                offer(found, ugt_zext_const(s, root, a0, a, b))?;
            }
            _ => {}
        }
    }
    Flow::Continue(())
}

// ugt_flipped_signs [pays]: ugt(xor(x, MININT), xor(y, MININT))
//     # With the sign bits turned, the order with sign is that without.
//     => gt(x, y)
fn ugt_flipped_signs<S: Subject>(
    s: &S,
    root: &Root<'_, S::Value>,
    x: S::Value,
    inner1: S::Value,
    inner2: S::Value,
    y: S::Value,
    inner4: S::Value,
    inner5: S::Value,
) -> Option<Rewrite<S::Value>> {
    let dies2 = s.used_once(inner2);
    let dies5 = s.used_once(inner5);
    if 1 + if dies2 { 1 } else { 0 } + if dies5 { 1 } else { 0 } < 1 {
        return None;
    }
    let ty0 = root.ty;
    let ty1 = s.ty(inner2);
    let w1 = ty1.int_width()?;
    if int(s, inner1)? != Int::new(w1, 1 << (w1 - 1)) {
        return None;
    }
    if int(s, inner4)? != Int::new(w1, 1 << (w1 - 1)) {
        return None;
    }
    if !is_spoken_of(ty0) {
        return None;
    }
    if !is_spoken_of(ty1) {
        return None;
    }
    let mut plan = Plan::new();
    let new1 = plan.push(Op::Gt, ty0, &[Operand::Value(x), Operand::Value(y)]);
    Some(Rewrite { rule: rule(names::UGT_FLIPPED_SIGNS), plan, outcome: Outcome::Value(new1) })
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

// ugt_flipped_sign [pays]: ugt(xor(x, MININT), C)
//     # With the sign bit turned, the order with sign is that without.
//     C1 = C ^ MININT
//     => gt(x, C1)
fn ugt_flipped_sign<S: Subject>(
    s: &S,
    root: &Root<'_, S::Value>,
    x: S::Value,
    inner1: S::Value,
    inner2: S::Value,
    at_c: S::Value,
) -> Option<Rewrite<S::Value>> {
    let dies2 = s.used_once(inner2);
    if 1 + if dies2 { 1 } else { 0 } < 1 {
        return None;
    }
    let ty0 = root.ty;
    let ty1 = s.ty(inner2);
    let w1 = ty1.int_width()?;
    if int(s, inner1)? != Int::new(w1, 1 << (w1 - 1)) {
        return None;
    }
    let the_c = int(s, at_c)?;
    let the_c1 = Machine.xor(the_c, Int::new(w1, 1 << (w1 - 1)));
    if !is_spoken_of(ty0) {
        return None;
    }
    if !is_spoken_of(ty1) {
        return None;
    }
    let mut plan = Plan::new();
    let new1 = plan.push(Op::Gt, ty0, &[Operand::Value(x), Operand::Const(Const::Int(the_c1))]);
    Some(Rewrite { rule: rule(names::UGT_FLIPPED_SIGN), plan, outcome: Outcome::Value(new1) })
}

// ugt_urshift_const: ugt(urshift(x, C1), C2)
//     # Above the last number whose upper part is c.
//     check (C2 << C1) >>u C1 == C2
//     C = (C2 << C1) | ~(-1 << C1)
//     => ugt(x, C)
fn ugt_urshift_const<S: Subject>(
    s: &S,
    root: &Root<'_, S::Value>,
    x: S::Value,
    at_c1: S::Value,
    inner2: S::Value,
    at_c2: S::Value,
) -> Option<Rewrite<S::Value>> {
    let ty0 = root.ty;
    let ty1 = s.ty(inner2);
    let w1 = ty1.int_width()?;
    if w1 < 2 {
        return None;
    }
    let the_c1 = int(s, at_c1)?;
    let the_c2 = int(s, at_c2)?;
    if ushr(shl(the_c2, the_c1)?, the_c1)? != the_c2 {
        return None;
    }
    let the_c = Machine.or(shl(the_c2, the_c1)?, Machine.not(shl(Machine.neg(Int::new(w1, 1)), the_c1)?));
    if !is_spoken_of(ty0) {
        return None;
    }
    if !is_spoken_of(ty1) {
        return None;
    }
    let mut plan = Plan::new();
    let new1 = plan.push(Op::Ugt, ty0, &[Operand::Value(x), Operand::Const(Const::Int(the_c))]);
    Some(Rewrite { rule: rule(names::UGT_URSHIFT_CONST), plan, outcome: Outcome::Value(new1) })
}

// ugt_clz_const [pays]: ugt(clz(x), C)
//     # More zeros in front: less than a power of two.
//     check C <u LONG_BIT
//     C1 = MININT >>u C
//     => ult(x, C1)
fn ugt_clz_const<S: Subject>(
    s: &S,
    root: &Root<'_, S::Value>,
    x: S::Value,
    inner1: S::Value,
    at_c: S::Value,
) -> Option<Rewrite<S::Value>> {
    let dies1 = s.used_once(inner1);
    if 1 + if dies1 { 1 } else { 0 } < 1 {
        return None;
    }
    let ty0 = root.ty;
    let ty1 = s.ty(inner1);
    let w1 = ty1.int_width()?;
    if w1 < 3 {
        return None;
    }
    let the_c = int(s, at_c)?;
    if Machine.ule(Int::new(w1, u64::from(w1)), the_c) {
        return None;
    }
    let the_c1 = ushr(Int::new(w1, 1 << (w1 - 1)), the_c)?;
    if !is_spoken_of(ty0) {
        return None;
    }
    if !is_spoken_of(ty1) {
        return None;
    }
    let mut plan = Plan::new();
    let new1 = plan.push(Op::Ult, ty0, &[Operand::Value(x), Operand::Const(Const::Int(the_c1))]);
    Some(Rewrite { rule: rule(names::UGT_CLZ_CONST), plan, outcome: Outcome::Value(new1) })
}

// ugt_zext_const: ugt(zext(x), C1)
//     # The constant is an extension too, which keeps the order.
//     C = trunc(C1)
//     check width(x) > 1 and zext(C) == C1
//     => ugt(x, C)
fn ugt_zext_const<S: Subject>(
    s: &S,
    root: &Root<'_, S::Value>,
    x: S::Value,
    inner1: S::Value,
    at_c1: S::Value,
) -> Option<Rewrite<S::Value>> {
    let ty0 = root.ty;
    let ty1 = s.ty(inner1);
    let w1 = ty1.int_width()?;
    let ty2 = s.ty(x);
    let w2 = ty2.int_width()?;
    let the_c1 = int(s, at_c1)?;
    let the_c = Resize::Trunc.apply(&mut Machine, the_c1, w2)?;
    if i64::from(w2) <= 1 {
        return None;
    }
    if Resize::Zext.apply(&mut Machine, the_c, w1)? != the_c1 {
        return None;
    }
    if !is_spoken_of(ty0) {
        return None;
    }
    if !is_spoken_of(ty1) {
        return None;
    }
    if !is_spoken_of(ty2) {
        return None;
    }
    let mut plan = Plan::new();
    let new1 = plan.push(Op::Ugt, ty0, &[Operand::Value(x), Operand::Const(Const::Int(the_c))]);
    Some(Rewrite { rule: rule(names::UGT_ZEXT_CONST), plan, outcome: Outcome::Value(new1) })
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

