//! Rules whose pattern begins with `uge`, in the order in which they are tried:
//!
//! - uge_flipped_signs
//! - uge_add_sext
//! - uge_add_zext
//! - uge_zext_zext
//! - uge_flipped_sign
//! - uge_urshift_const
//! - uge_zext_const
//! - uge_all_ones
//! - uge_one
//! - uge_sign
//! - uge_const_left
//!
//! Generated from `rules/*.rules`.

use planish_ops::{Bits, Int, Machine, Op};
use planish_rules::functions::Resize;
use planish_rules::speaks::is_spoken_of;
use planish_rules::matching::{Const, Flow, Operand, Outcome, Plan, Rewrite, Root, Subject, int, nodes, offer, operands2, shl, size_word, ushr};

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
            match node {
                Some((Op::Xor, n)) => {
                    let [b0, b1] = operands2(s, n);
                    for node in nodes(s, a) {
                        if let Some((Op::Xor, n)) = node {
                            let [a0, a1] = operands2(s, n);
                            if s.constant(a1).is_some() {
                                if s.constant(b1).is_some() {
                                    offer(found, uge_flipped_signs(s, root, a0, a1, a, b0, b1, b))?;
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
                            offer(found, uge_zext_zext(s, root, a0, a, b0))?;
                        }
                    }
                }
                _ => {}
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
        match node {
            Some((Op::Add, n)) => {
                let [a0, a1] = operands2(s, n);
                for node in nodes(s, a0) {
                    match node {
                        Some((Op::Sext, n)) => {
                            let a00 = s.operand(n, 0);
                            if s.constant(a1).is_some() {
                                offer(found, uge_add_sext(s, root, a00, a0, a1, a, b))?;
                            }
                        }
                        Some((Op::Zext, n)) => {
                            let a00 = s.operand(n, 0);
                            if s.constant(a1).is_some() {
                                offer(found, uge_add_zext(s, root, a00, a0, a1, a, b))?;
                            }
                        }
                        _ => {}
                    }
                }
            }
            Some((Op::Xor, n)) => {
                let [a0, a1] = operands2(s, n);
                if s.constant(a1).is_some() {
                    offer(found, uge_flipped_sign(s, root, a0, a1, a, b))?;
                }
            }
            Some((Op::Urshift, n)) => {
                let [a0, a1] = operands2(s, n);
                if s.constant(a1).is_some() {
                    offer(found, uge_urshift_const(s, root, a0, a1, a, b))?;
                }
            }
            Some((Op::Zext, n)) => {
                let a0 = s.operand(n, 0);
                offer(found, uge_zext_const(s, root, a0, a, b))?;
            }
            _ => {}
        }
    }
    Flow::Continue(())
}

// uge_flipped_signs [pays]: uge(xor(x, MININT), xor(y, MININT))
//     # With the sign bits turned, the order with sign is that without.
//     => ge(x, y)
fn uge_flipped_signs<S: Subject>(
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
    let new1 = plan.push(Op::Ge, ty0, &[Operand::Value(x), Operand::Value(y)]);
    Some(Rewrite { rule: rule(names::UGE_FLIPPED_SIGNS), plan, outcome: Outcome::Value(new1) })
}

// uge_add_sext [pays]: uge(add(sext(x: a), C1), C2)
//     # A range that lies within the narrow numbers is one of them.
//     C3 = trunc(C1)
//     C4 = trunc(C2)
//     C5 = 1 << width(a)
//     check sext(-C3) == -C1 and zext(C4) == C2 and C4 != 0 and C2 <=u (C5 >>u 1) + C1
//     => uge(add(x, C3), C4)
fn uge_add_sext<S: Subject>(
    s: &S,
    root: &Root<'_, S::Value>,
    x: S::Value,
    inner1: S::Value,
    at_c1: S::Value,
    inner3: S::Value,
    at_c2: S::Value,
) -> Option<Rewrite<S::Value>> {
    let dies3 = s.used_once(inner3);
    let dies1 = dies3 && s.used_once(inner1);
    if 1 + if dies3 { 1 } else { 0 } + if dies1 { 1 } else { 0 } < 2 {
        return None;
    }
    let ty0 = root.ty;
    let ty1 = s.ty(inner3);
    let w1 = ty1.int_width()?;
    if w1 < 2 {
        return None;
    }
    let ty2 = s.ty(x);
    let w2 = ty2.int_width()?;
    let the_c1 = int(s, at_c1)?;
    let the_c2 = int(s, at_c2)?;
    let the_c3 = Resize::Trunc.apply(&mut Machine, the_c1, w2)?;
    let the_c4 = Resize::Trunc.apply(&mut Machine, the_c2, w2)?;
    let the_c5 = shl(Int::new(w1, 1), size_word(w1, i64::from(w2))?)?;
    if Resize::Sext.apply(&mut Machine, Machine.neg(the_c3), w1)? != Machine.neg(the_c1) {
        return None;
    }
    if Resize::Zext.apply(&mut Machine, the_c4, w1)? != the_c2 {
        return None;
    }
    if the_c4 == Int::new(w2, 0) {
        return None;
    }
    if Machine.ult(Machine.add(ushr(the_c5, Int::new(w1, 1))?, the_c1), the_c2) {
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
    let new1 = plan.push(Op::Add, ty2, &[Operand::Value(x), Operand::Const(Const::Int(the_c3))]);
    let new2 = plan.push(Op::Uge, ty0, &[new1, Operand::Const(Const::Int(the_c4))]);
    Some(Rewrite { rule: rule(names::UGE_ADD_SEXT), plan, outcome: Outcome::Value(new2) })
}

// uge_add_zext [pays]: uge(add(zext(x: a), C1), C2)
//     # A range that lies within the narrow numbers is one of them.
//     C3 = trunc(C1)
//     C4 = trunc(C2)
//     check zext(-C3) == -C1 and zext(C4) == C2 and C4 != 0 and C2 - C1 <=u 1 << width(a)
//     => uge(add(x, C3), C4)
fn uge_add_zext<S: Subject>(
    s: &S,
    root: &Root<'_, S::Value>,
    x: S::Value,
    inner1: S::Value,
    at_c1: S::Value,
    inner3: S::Value,
    at_c2: S::Value,
) -> Option<Rewrite<S::Value>> {
    let dies3 = s.used_once(inner3);
    let dies1 = dies3 && s.used_once(inner1);
    if 1 + if dies3 { 1 } else { 0 } + if dies1 { 1 } else { 0 } < 2 {
        return None;
    }
    let ty0 = root.ty;
    let ty1 = s.ty(inner3);
    let w1 = ty1.int_width()?;
    if w1 < 2 {
        return None;
    }
    let ty2 = s.ty(x);
    let w2 = ty2.int_width()?;
    let the_c1 = int(s, at_c1)?;
    let the_c2 = int(s, at_c2)?;
    let the_c3 = Resize::Trunc.apply(&mut Machine, the_c1, w2)?;
    let the_c4 = Resize::Trunc.apply(&mut Machine, the_c2, w2)?;
    if Resize::Zext.apply(&mut Machine, Machine.neg(the_c3), w1)? != Machine.neg(the_c1) {
        return None;
    }
    if Resize::Zext.apply(&mut Machine, the_c4, w1)? != the_c2 {
        return None;
    }
    if the_c4 == Int::new(w2, 0) {
        return None;
    }
    if Machine.ult(shl(Int::new(w1, 1), size_word(w1, i64::from(w2))?)?, Machine.sub(the_c2, the_c1)) {
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
    let new1 = plan.push(Op::Add, ty2, &[Operand::Value(x), Operand::Const(Const::Int(the_c3))]);
    let new2 = plan.push(Op::Uge, ty0, &[new1, Operand::Const(Const::Int(the_c4))]);
    Some(Rewrite { rule: rule(names::UGE_ADD_ZEXT), plan, outcome: Outcome::Value(new2) })
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

// uge_flipped_sign [pays]: uge(xor(x, MININT), C)
//     # With the sign bit turned, the order with sign is that without.
//     C1 = C ^ MININT
//     => ge(x, C1)
fn uge_flipped_sign<S: Subject>(
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
    let new1 = plan.push(Op::Ge, ty0, &[Operand::Value(x), Operand::Const(Const::Int(the_c1))]);
    Some(Rewrite { rule: rule(names::UGE_FLIPPED_SIGN), plan, outcome: Outcome::Value(new1) })
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

// uge_zext_const: uge(zext(x), C1)
//     # The constant is an extension too, which keeps the order.
//     C = trunc(C1)
//     check width(x) > 1 and zext(C) == C1
//     => uge(x, C)
fn uge_zext_const<S: Subject>(
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
    let new1 = plan.push(Op::Uge, ty0, &[Operand::Value(x), Operand::Const(Const::Int(the_c))]);
    Some(Rewrite { rule: rule(names::UGE_ZEXT_CONST), plan, outcome: Outcome::Value(new1) })
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

