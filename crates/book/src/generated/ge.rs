//! Rules whose pattern begins with `ge`, in the order in which they are tried:
//!
//! - ge_flipped_signs
//! - ge_masked_zext
//! - ge_zext_masked
//! - ge_sext_sext
//! - ge_zext_zext
//! - ge_not_not
//! - ge_flipped_sign
//! - ge_rshift_const
//! - ge_sub_zero
//! - fcmpl_ge
//! - ge_not_const
//! - ge_sext_const
//! - ge_zext_const
//! - ge_add_self
//! - ge_sub_self
//! - ge_maxint
//! - ge_const_left
//!
//! Generated from `rules/*.rules`.

use planish_ops::{Bits, Int, Machine, Op};
use planish_rules::functions::Resize;
use planish_rules::speaks::is_spoken_of;
use planish_rules::matching::{Const, Flow, Operand, Outcome, Plan, Rewrite, Root, Subject, int, integer, nodes, offer, operands2, same, shl, shr, size_word};

use super::names::{self, rule};

/// Hands every rewrite of a `ge` to `found`, until it says stop.
pub fn root<S: Subject>(
    s: &S,
    root: &Root<'_, S::Value>,
    found: &mut impl FnMut(Rewrite<S::Value>) -> Flow,
) -> Flow {
    let a = root.args[0];
    let b = root.args[1];
    for node in nodes(s, a) {
        match node {
            Some((Op::Add, n)) => {
                let [a0, a1] = operands2(s, n);
                offer(found, ge_add_self(s, root, a0, a1, a, b))?;
                offer(found, ge_add_self(s, root, a1, a0, a, b))?;
            }
            Some((Op::Sub, n)) => {
                let [a0, a1] = operands2(s, n);
                if integer(s, b) == Some(0) {
                    offer(found, ge_sub_zero(s, root, a0, a1, a))?;
                }
                offer(found, ge_sub_self(s, root, a0, a1, a, b))?;
            }
            Some((Op::And, n)) => {
                let [a0, a1] = operands2(s, n);
                for node in nodes(s, b) {
                    if let Some((Op::Zext, n)) = node {
                        let b0 = s.operand(n, 0);
                        if s.constant(a1).is_some() {
                            offer(found, ge_masked_zext(s, root, a0, a1, a, b0, b))?;
                        }
                    }
                }
            }
            Some((Op::Xor, n)) => {
                let [a0, a1] = operands2(s, n);
                if s.constant(a1).is_some() {
                    if s.constant(b).is_some() {
                        offer(found, ge_flipped_sign(s, root, a0, a1, a, b))?;
                    } else {
                        for node in nodes(s, b) {
                            if let Some((Op::Xor, n)) = node {
                                let [b0, b1] = operands2(s, n);
                                if s.constant(b1).is_some() {
                                    offer(found, ge_flipped_signs(s, root, a0, a1, a, b0, b1, b))?;
                                }
                            }
                        }
                    }
                }
            }
            Some((Op::Not, n)) => {
                let a0 = s.operand(n, 0);
                if s.constant(b).is_some() {
                    offer(found, ge_not_const(s, root, a0, a, b))?;
                } else {
                    for node in nodes(s, b) {
                        if let Some((Op::Not, n)) = node {
                            let b0 = s.operand(n, 0);
                            offer(found, ge_not_not(s, root, a0, a, b0))?;
                        }
                    }
                }
            }
            Some((Op::Rshift, n)) => {
                let [a0, a1] = operands2(s, n);
                if s.constant(b).is_some() {
                    if s.constant(a1).is_some() {
                        offer(found, ge_rshift_const(s, root, a0, a1, a, b))?;
                    }
                }
            }
            Some((Op::Sext, n)) => {
                let a0 = s.operand(n, 0);
                if s.constant(b).is_some() {
                    offer(found, ge_sext_const(s, root, a0, a, b))?;
                } else {
                    for node in nodes(s, b) {
                        if let Some((Op::Sext, n)) = node {
                            let b0 = s.operand(n, 0);
                            offer(found, ge_sext_sext(s, root, a0, a, b0))?;
                        }
                    }
                }
            }
            Some((Op::Zext, n)) => {
                let a0 = s.operand(n, 0);
                if s.constant(b).is_some() {
                    offer(found, ge_zext_const(s, root, a0, a, b))?;
                } else {
                    for node in nodes(s, b) {
                        match node {
                            Some((Op::And, n)) => {
                                let [b0, b1] = operands2(s, n);
                                if s.constant(b1).is_some() {
                                    offer(found, ge_zext_masked(s, root, a0, a, b0, b1, b))?;
                                }
                            }
                            Some((Op::Zext, n)) => {
                                let b0 = s.operand(n, 0);
                                offer(found, ge_zext_zext(s, root, a0, a, b0))?;
                            }
                            _ => {}
                        }
                    }
                }
            }
            Some((Op::Fcmpl, n)) => {
                let [a0, a1] = operands2(s, n);
                if integer(s, b) == Some(0) {
                    offer(found, fcmpl_ge(s, root, a0, a1, a))?;
                }
            }
            _ => {}
        }
    }
    if s.constant(b).is_some() {
        offer(found, ge_maxint(s, root, a, b))?;
    }
    if s.constant(a).is_some() {
        offer(found, ge_const_left(s, root, a, b))?;
    }
    Flow::Continue(())
}

// ge_flipped_signs [pays]: ge(xor(x, MININT), xor(y, MININT))
//     # With the sign bits turned, the order without sign is that with.
//     => uge(x, y)
fn ge_flipped_signs<S: Subject>(
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
    let new1 = plan.push(Op::Uge, ty0, &[Operand::Value(x), Operand::Value(y)]);
    Some(Rewrite { rule: rule(names::GE_FLIPPED_SIGNS), plan, outcome: Outcome::Value(new1) })
}

// ge_masked_zext [pays]: ge(and(x, C), zext(y: a))
//     # Both are what the low bits are, and not negative.
//     check C == ~(-1 << width(a))
//     => uge(trunc(x), y)
fn ge_masked_zext<S: Subject>(
    s: &S,
    root: &Root<'_, S::Value>,
    x: S::Value,
    at_c: S::Value,
    inner2: S::Value,
    y: S::Value,
    inner4: S::Value,
) -> Option<Rewrite<S::Value>> {
    let dies2 = s.used_once(inner2);
    let dies4 = s.used_once(inner4);
    if 1 + if dies2 { 1 } else { 0 } + if dies4 { 1 } else { 0 } < 2 {
        return None;
    }
    let ty0 = root.ty;
    let ty1 = s.ty(inner2);
    let w1 = ty1.int_width()?;
    if w1 < 2 {
        return None;
    }
    let ty2 = s.ty(y);
    let w2 = ty2.int_width()?;
    let the_c = int(s, at_c)?;
    if the_c != Machine.not(shl(Machine.neg(Int::new(w1, 1)), size_word(w1, i64::from(w2))?)?) {
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
    let new1 = plan.push(Op::Trunc, ty2, &[Operand::Value(x)]);
    let new2 = plan.push(Op::Uge, ty0, &[new1, Operand::Value(y)]);
    Some(Rewrite { rule: rule(names::GE_MASKED_ZEXT), plan, outcome: Outcome::Value(new2) })
}

// ge_zext_masked [pays]: ge(zext(x: a), and(y, C))
//     # Both are what the low bits are, and not negative.
//     check C == ~(-1 << width(a))
//     => uge(x, trunc(y))
fn ge_zext_masked<S: Subject>(
    s: &S,
    root: &Root<'_, S::Value>,
    x: S::Value,
    inner1: S::Value,
    y: S::Value,
    at_c: S::Value,
    inner4: S::Value,
) -> Option<Rewrite<S::Value>> {
    let dies1 = s.used_once(inner1);
    let dies4 = s.used_once(inner4);
    if 1 + if dies1 { 1 } else { 0 } + if dies4 { 1 } else { 0 } < 2 {
        return None;
    }
    let ty0 = root.ty;
    let ty1 = s.ty(inner1);
    let w1 = ty1.int_width()?;
    if w1 < 2 {
        return None;
    }
    let ty2 = s.ty(x);
    let w2 = ty2.int_width()?;
    let the_c = int(s, at_c)?;
    if the_c != Machine.not(shl(Machine.neg(Int::new(w1, 1)), size_word(w1, i64::from(w2))?)?) {
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
    let new1 = plan.push(Op::Trunc, ty2, &[Operand::Value(y)]);
    let new2 = plan.push(Op::Uge, ty0, &[Operand::Value(x), new1]);
    Some(Rewrite { rule: rule(names::GE_ZEXT_MASKED), plan, outcome: Outcome::Value(new2) })
}

// ge_sext_sext: ge(sext(x), sext(y))
//     # Extension keeps the order.
//     => ge(x, y)
fn ge_sext_sext<S: Subject>(
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
    let new1 = plan.push(Op::Ge, ty0, &[Operand::Value(x), Operand::Value(y)]);
    Some(Rewrite { rule: rule(names::GE_SEXT_SEXT), plan, outcome: Outcome::Value(new1) })
}

// ge_zext_zext: ge(zext(x), zext(y))
//     # What was extended with zeros is not negative.
//     => uge(x, y)
fn ge_zext_zext<S: Subject>(
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
    Some(Rewrite { rule: rule(names::GE_ZEXT_ZEXT), plan, outcome: Outcome::Value(new1) })
}

// ge_not_not: ge(not(x), not(y))
//     # Complement turns the order around.
//     => ge(y, x)
fn ge_not_not<S: Subject>(
    s: &S,
    root: &Root<'_, S::Value>,
    x: S::Value,
    inner1: S::Value,
    y: S::Value,
) -> Option<Rewrite<S::Value>> {
    let ty0 = root.ty;
    if !is_spoken_of(ty0) {
        return None;
    }
    if !is_spoken_of(s.ty(inner1)) {
        return None;
    }
    let mut plan = Plan::new();
    let new1 = plan.push(Op::Ge, ty0, &[Operand::Value(y), Operand::Value(x)]);
    Some(Rewrite { rule: rule(names::GE_NOT_NOT), plan, outcome: Outcome::Value(new1) })
}

// ge_flipped_sign [pays]: ge(xor(x, MININT), C)
//     # With the sign bit turned, the order without sign is that with.
//     C1 = C ^ MININT
//     => uge(x, C1)
fn ge_flipped_sign<S: Subject>(
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
    let new1 = plan.push(Op::Uge, ty0, &[Operand::Value(x), Operand::Const(Const::Int(the_c1))]);
    Some(Rewrite { rule: rule(names::GE_FLIPPED_SIGN), plan, outcome: Outcome::Value(new1) })
}

// ge_rshift_const: ge(rshift(x, C1), C2)
//     # floor(x / 2^k) >= c is x >= c * 2^k, while that is a number.
//     C = C2 << C1
//     check C >> C1 == C2
//     => ge(x, C)
fn ge_rshift_const<S: Subject>(
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
    if shr(the_c, the_c1)? != the_c2 {
        return None;
    }
    if !is_spoken_of(ty0) {
        return None;
    }
    if !is_spoken_of(s.ty(inner2)) {
        return None;
    }
    let mut plan = Plan::new();
    let new1 = plan.push(Op::Ge, ty0, &[Operand::Value(x), Operand::Const(Const::Int(the_c))]);
    Some(Rewrite { rule: rule(names::GE_RSHIFT_CONST), plan, outcome: Outcome::Value(new1) })
}

// ge_sub_zero: ge(sub(x, y), 0)
//     # A difference that does not overflow has the sign of the comparison.
//     check x.sub_bound_cannot_overflow(y)
//     => ge(x, y)
fn ge_sub_zero<S: Subject>(
    s: &S,
    root: &Root<'_, S::Value>,
    x: S::Value,
    y: S::Value,
    inner2: S::Value,
) -> Option<Rewrite<S::Value>> {
    let ty0 = root.ty;
    let x_fact = s.fact(x);
    let y_fact = s.fact(y);
    if !x_fact.sub_bound_cannot_overflow(y_fact) {
        return None;
    }
    if !is_spoken_of(ty0) {
        return None;
    }
    if !is_spoken_of(s.ty(inner2)) {
        return None;
    }
    let mut plan = Plan::new();
    let new1 = plan.push(Op::Ge, ty0, &[Operand::Value(x), Operand::Value(y)]);
    Some(Rewrite { rule: rule(names::GE_SUB_ZERO), plan, outcome: Outcome::Value(new1) })
}

// fcmpl_ge [pays]: ge(fcmpl(x, y): a, 0)
//     # NaN gives -1.
//     check width(a) > 1
//     => fge(x, y)
fn fcmpl_ge<S: Subject>(
    s: &S,
    root: &Root<'_, S::Value>,
    x: S::Value,
    y: S::Value,
    inner2: S::Value,
) -> Option<Rewrite<S::Value>> {
    let dies2 = s.used_once(inner2);
    if 1 + if dies2 { 3 } else { 0 } < 2 {
        return None;
    }
    let ty0 = root.ty;
    let ty1 = s.ty(inner2);
    let w1 = ty1.int_width()?;
    if i64::from(w1) <= 1 {
        return None;
    }
    if !is_spoken_of(ty0) {
        return None;
    }
    if !is_spoken_of(ty1) {
        return None;
    }
    let mut plan = Plan::new();
    let new1 = plan.push(Op::Fge, ty0, &[Operand::Value(x), Operand::Value(y)]);
    Some(Rewrite { rule: rule(names::FCMPL_GE), plan, outcome: Outcome::Value(new1) })
}

// ge_not_const: ge(not(x), C1)
//     # Complement turns the order around.
//     C = ~C1
//     => le(x, C)
fn ge_not_const<S: Subject>(
    s: &S,
    root: &Root<'_, S::Value>,
    x: S::Value,
    inner1: S::Value,
    at_c1: S::Value,
) -> Option<Rewrite<S::Value>> {
    let ty0 = root.ty;
    let the_c1 = int(s, at_c1)?;
    let the_c = Machine.not(the_c1);
    if !is_spoken_of(ty0) {
        return None;
    }
    if !is_spoken_of(s.ty(inner1)) {
        return None;
    }
    let mut plan = Plan::new();
    let new1 = plan.push(Op::Le, ty0, &[Operand::Value(x), Operand::Const(Const::Int(the_c))]);
    Some(Rewrite { rule: rule(names::GE_NOT_CONST), plan, outcome: Outcome::Value(new1) })
}

// ge_sext_const: ge(sext(x), C1)
//     # The constant is an extension too, which keeps the order.
//     C = trunc(C1)
//     check sext(C) == C1
//     => ge(x, C)
fn ge_sext_const<S: Subject>(
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
    if Resize::Sext.apply(&mut Machine, the_c, w1)? != the_c1 {
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
    let new1 = plan.push(Op::Ge, ty0, &[Operand::Value(x), Operand::Const(Const::Int(the_c))]);
    Some(Rewrite { rule: rule(names::GE_SEXT_CONST), plan, outcome: Outcome::Value(new1) })
}

// ge_zext_const: ge(zext(x), C1)
//     # The constant is an extension too, and what was extended with zeros is not negative.
//     C = trunc(C1)
//     check width(x) > 1 and C1 >= 0 and zext(C) == C1
//     => uge(x, C)
fn ge_zext_const<S: Subject>(
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
    if Machine.slt(the_c1, Int::new(w1, 0)) {
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
    let new1 = plan.push(Op::Uge, ty0, &[Operand::Value(x), Operand::Const(Const::Int(the_c))]);
    Some(Rewrite { rule: rule(names::GE_ZEXT_CONST), plan, outcome: Outcome::Value(new1) })
}

// ge_add_self: ge(add(x, y), x)
//     # Without overflow x + y compares with x as y does with 0.
//     check x.add_bound_cannot_overflow(y)
//     => ge(y, 0)
fn ge_add_self<S: Subject>(
    s: &S,
    root: &Root<'_, S::Value>,
    x: S::Value,
    y: S::Value,
    inner2: S::Value,
    x_2: S::Value,
) -> Option<Rewrite<S::Value>> {
    if !same(s, x, x_2) {
        return None;
    }
    let ty0 = root.ty;
    let ty1 = s.ty(inner2);
    let w1 = ty1.int_width()?;
    let x_fact = s.fact(x);
    let y_fact = s.fact(y);
    if !x_fact.add_bound_cannot_overflow(y_fact) {
        return None;
    }
    if !is_spoken_of(ty0) {
        return None;
    }
    if !is_spoken_of(ty1) {
        return None;
    }
    let mut plan = Plan::new();
    let new1 = plan.push(Op::Ge, ty0, &[Operand::Value(y), Operand::Const(Const::Int(Int::new(w1, 0)))]);
    Some(Rewrite { rule: rule(names::GE_ADD_SELF), plan, outcome: Outcome::Value(new1) })
}

// ge_sub_self: ge(sub(x, y), x)
//     # Without overflow x - y compares with x as 0 does with y.
//     check x.sub_bound_cannot_overflow(y)
//     => le(y, 0)
fn ge_sub_self<S: Subject>(
    s: &S,
    root: &Root<'_, S::Value>,
    x: S::Value,
    y: S::Value,
    inner2: S::Value,
    x_2: S::Value,
) -> Option<Rewrite<S::Value>> {
    if !same(s, x, x_2) {
        return None;
    }
    let ty0 = root.ty;
    let ty1 = s.ty(inner2);
    let w1 = ty1.int_width()?;
    let x_fact = s.fact(x);
    let y_fact = s.fact(y);
    if !x_fact.sub_bound_cannot_overflow(y_fact) {
        return None;
    }
    if !is_spoken_of(ty0) {
        return None;
    }
    if !is_spoken_of(ty1) {
        return None;
    }
    let mut plan = Plan::new();
    let new1 = plan.push(Op::Le, ty0, &[Operand::Value(y), Operand::Const(Const::Int(Int::new(w1, 0)))]);
    Some(Rewrite { rule: rule(names::GE_SUB_SELF), plan, outcome: Outcome::Value(new1) })
}

// ge_maxint: ge(x, MAXINT)
//     # Only the largest number is not less than it.
//     => eq(x, MAXINT)
fn ge_maxint<S: Subject>(
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
    let new1 = plan.push(Op::Eq, ty0, &[Operand::Value(x), Operand::Const(Const::Int(Int::new(w1, (1 << (w1 - 1)) - 1)))]);
    Some(Rewrite { rule: rule(names::GE_MAXINT), plan, outcome: Outcome::Value(new1) })
}

// ge_const_left: ge(C, x)
//     # A constant stands on the right.
//     => le(x, C)
fn ge_const_left<S: Subject>(
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
    let new1 = plan.push(Op::Le, ty0, &[Operand::Value(x), Operand::Value(at_c)]);
    Some(Rewrite { rule: rule(names::GE_CONST_LEFT), plan, outcome: Outcome::Value(new1) })
}

