//! Rules whose pattern begins with `ne`, in the order in which they are tried:
//!
//! - ne_unequal
//! - ne_signs
//! - ne_and_zext
//! - ne_zext_masked
//! - ne_and_and
//! - ne_add_common
//! - ne_sub_common
//! - ne_sub_common_right
//! - ne_xor_common
//! - ne_sext_sext
//! - ne_zext_zext
//! - ne_neg_neg
//! - ne_not_not
//! - ne_high_mask_least
//! - ne_rshift_ones
//! - ne_high_mask_all
//! - ne_mask_bit
//! - ne_add_const
//! - ne_clz_width
//! - ne_const_sub
//! - ne_ctz_width
//! - ne_high_mask_most
//! - ne_rshift_least
//! - ne_rshift_most
//! - ne_urshift_most
//! - ne_xor_const
//! - ne_srem_pow2
//! - ne_srem_pow2_below
//! - ne_neg_const
//! - ne_not_const
//! - ne_sext_const
//! - ne_zext_const
//! - ne_add_self
//! - ne_sub_self
//! - ne_xor_self
//! - ne_bit
//! - ne_bool_one
//! - ne_zero
//!
//! Generated from `rules/*.rules`.

use planish_ops::{Bits, Int, Machine, Op, Type};
use planish_rules::functions::{Resize, WordTest};
use planish_rules::speaks::is_spoken_of;
use planish_rules::matching::{Const, Flow, Operand, Outcome, Plan, Rewrite, Root, Subject, constant_last, int, integer, nodes, offer, operands2, same, shl, shr, size_word, ushr};

use super::names::{self, rule};

/// Hands every rewrite of a `ne` to `found`, until it says stop.
pub fn root<S: Subject>(
    s: &S,
    root: &Root<'_, S::Value>,
    found: &mut impl FnMut(Rewrite<S::Value>) -> Flow,
) -> Flow {
    let [a, b] = constant_last(s, [root.args[0], root.args[1]]);
    offer(found, ne_unequal(s, root, a, b))?;
    for node in nodes(s, a) {
        match node {
            Some((Op::Add, n)) => {
                let [a0, a1] = operands2(s, n);
                if s.constant(b).is_some() {
                    if s.constant(a1).is_some() {
                        offer(found, ne_add_const(s, root, a0, a1, a, b))?;
                    }
                } else {
                    for node in nodes(s, b) {
                        if let Some((Op::Add, n)) = node {
                            let [b0, b1] = operands2(s, n);
                            offer(found, ne_add_common(s, root, a0, a1, a, b0, b1))?;
                            offer(found, ne_add_common(s, root, a0, a1, a, b1, b0))?;
                            offer(found, ne_add_common(s, root, b0, b1, b, a1, a0))?;
                            offer(found, ne_add_common(s, root, a1, a0, a, b1, b0))?;
                        }
                    }
                }
                offer(found, ne_add_self(s, root, a0, a1, a, b))?;
            }
            Some((Op::Sub, n)) => {
                let [a0, a1] = operands2(s, n);
                if s.constant(b).is_some() {
                    if s.constant(a0).is_some() {
                        offer(found, ne_const_sub(s, root, a0, a1, a, b))?;
                    }
                } else {
                    for node in nodes(s, b) {
                        if let Some((Op::Sub, n)) = node {
                            let [b0, b1] = operands2(s, n);
                            offer(found, ne_sub_common(s, root, a0, a1, a, b0, b1))?;
                            offer(found, ne_sub_common_right(s, root, a0, a1, a, b0, b1))?;
                        }
                    }
                }
            }
            Some((Op::Neg, n)) => {
                let a0 = s.operand(n, 0);
                if s.constant(b).is_some() {
                    offer(found, ne_neg_const(s, root, a0, a, b))?;
                } else {
                    for node in nodes(s, b) {
                        if let Some((Op::Neg, n)) = node {
                            let b0 = s.operand(n, 0);
                            offer(found, ne_neg_neg(s, root, a0, a, b0))?;
                        }
                    }
                }
            }
            Some((Op::Srem, n)) => {
                let [a0, a1] = operands2(s, n);
                if s.constant(b).is_some() {
                    if s.constant(a1).is_some() {
                        offer(found, ne_srem_pow2(s, root, a0, a1, a, b))?;
                        offer(found, ne_srem_pow2_below(s, root, a0, a1, a, b))?;
                    }
                }
            }
            Some((Op::And, n)) => {
                let [a0, a1] = operands2(s, n);
                if s.constant(b).is_some() {
                    if s.constant(a1).is_some() {
                        for node in nodes(s, a0) {
                            if let Some((Op::Zext, n)) = node {
                                let a00 = s.operand(n, 0);
                                offer(found, ne_and_zext(s, root, a00, a0, a1, a, b))?;
                            }
                        }
                        offer(found, ne_high_mask_least(s, root, a0, a1, a, b))?;
                        offer(found, ne_high_mask_all(s, root, a0, a1, a, b))?;
                        offer(found, ne_mask_bit(s, root, a1, a, b))?;
                        offer(found, ne_high_mask_most(s, root, a0, a1, a, b))?;
                    }
                } else {
                    for node in nodes(s, b) {
                        match node {
                            Some((Op::And, n)) => {
                                let [b0, b1] = operands2(s, n);
                                offer(found, ne_and_and(s, root, a0, a1, a, b0, b1, b))?;
                                offer(found, ne_and_and(s, root, a0, a1, a, b1, b0, b))?;
                                offer(found, ne_and_and(s, root, b0, b1, b, a1, a0, a))?;
                                offer(found, ne_and_and(s, root, a1, a0, a, b1, b0, b))?;
                            }
                            Some((Op::Zext, n)) => {
                                let b0 = s.operand(n, 0);
                                if s.constant(a1).is_some() {
                                    offer(found, ne_zext_masked(s, root, b0, b, a0, a1, a))?;
                                }
                            }
                            _ => {}
                        }
                    }
                }
            }
            Some((Op::Xor, n)) => {
                let [a0, a1] = operands2(s, n);
                if s.constant(b).is_some() {
                    if s.constant(a1).is_some() {
                        offer(found, ne_xor_const(s, root, a0, a1, a, b))?;
                    }
                } else {
                    for node in nodes(s, b) {
                        if let Some((Op::Xor, n)) = node {
                            let [b0, b1] = operands2(s, n);
                            offer(found, ne_xor_common(s, root, a0, a1, a, b0, b1))?;
                            offer(found, ne_xor_common(s, root, a0, a1, a, b1, b0))?;
                            offer(found, ne_xor_common(s, root, b0, b1, b, a1, a0))?;
                            offer(found, ne_xor_common(s, root, a1, a0, a, b1, b0))?;
                        }
                    }
                }
            }
            Some((Op::Not, n)) => {
                let a0 = s.operand(n, 0);
                if s.constant(b).is_some() {
                    offer(found, ne_not_const(s, root, a0, a, b))?;
                } else {
                    for node in nodes(s, b) {
                        if let Some((Op::Not, n)) = node {
                            let b0 = s.operand(n, 0);
                            offer(found, ne_not_not(s, root, a0, a, b0))?;
                        }
                    }
                }
            }
            Some((Op::Rshift, n)) => {
                let [a0, a1] = operands2(s, n);
                if let Some(constant) = s.constant(b) {
                    match constant {
                        Const::Int(i) if i.signed() == -1 => {
                            if s.constant(a1).is_some() {
                                offer(found, ne_rshift_ones(s, root, a0, a1, a))?;
                                offer(found, ne_rshift_least(s, root, a0, a1, a, b))?;
                                offer(found, ne_rshift_most(s, root, a0, a1, a, b))?;
                            }
                        }
                        _ => {
                            if s.constant(a1).is_some() {
                                offer(found, ne_rshift_least(s, root, a0, a1, a, b))?;
                                offer(found, ne_rshift_most(s, root, a0, a1, a, b))?;
                            }
                        }
                    }
                }
            }
            Some((Op::Urshift, n)) => {
                let [a0, a1] = operands2(s, n);
                if s.constant(b).is_some() {
                    if s.constant(a1).is_some() {
                        offer(found, ne_urshift_most(s, root, a0, a1, a, b))?;
                    }
                }
            }
            Some((Op::Clz, n)) => {
                let a0 = s.operand(n, 0);
                if s.constant(b).is_some() {
                    offer(found, ne_clz_width(s, root, a0, a, b))?;
                }
            }
            Some((Op::Ctz, n)) => {
                let a0 = s.operand(n, 0);
                if s.constant(b).is_some() {
                    offer(found, ne_ctz_width(s, root, a0, a, b))?;
                }
            }
            Some((Op::Sext, n)) => {
                let a0 = s.operand(n, 0);
                if s.constant(b).is_some() {
                    offer(found, ne_sext_const(s, root, a0, a, b))?;
                } else {
                    for node in nodes(s, b) {
                        if let Some((Op::Sext, n)) = node {
                            let b0 = s.operand(n, 0);
                            offer(found, ne_sext_sext(s, root, a0, a, b0))?;
                        }
                    }
                }
            }
            Some((Op::Zext, n)) => {
                let a0 = s.operand(n, 0);
                if s.constant(b).is_some() {
                    offer(found, ne_zext_const(s, root, a0, a, b))?;
                } else {
                    for node in nodes(s, b) {
                        match node {
                            Some((Op::And, n)) => {
                                let [b0, b1] = operands2(s, n);
                                if s.constant(b1).is_some() {
                                    offer(found, ne_zext_masked(s, root, a0, a, b0, b1, b))?;
                                }
                            }
                            Some((Op::Zext, n)) => {
                                let b0 = s.operand(n, 0);
                                offer(found, ne_zext_zext(s, root, a0, a, b0))?;
                            }
                            _ => {}
                        }
                    }
                }
            }
            Some((Op::Lt, n)) => {
                let [a0, a1] = operands2(s, n);
                for node in nodes(s, b) {
                    if let Some((Op::Lt, n)) = node {
                        let [b0, b1] = operands2(s, n);
                        if integer(s, a1) == Some(0) {
                            if integer(s, b1) == Some(0) {
                                offer(found, ne_signs(s, root, a0, a, b0, b))?;
                            }
                        }
                    }
                }
            }
            _ => {}
        }
    }
    for node in nodes(s, b) {
        if let Some((Op::Add, n)) = node {
            let [b0, b1] = operands2(s, n);
            offer(found, ne_add_self(s, root, b0, b1, b, a))?;
        }
    }
    for node in nodes(s, a) {
        if let Some((Op::Add, n)) = node {
            let [a0, a1] = operands2(s, n);
            offer(found, ne_add_self(s, root, a1, a0, a, b))?;
        }
    }
    for node in nodes(s, b) {
        if let Some((Op::Add, n)) = node {
            let [b0, b1] = operands2(s, n);
            offer(found, ne_add_self(s, root, b1, b0, b, a))?;
        }
    }
    for node in nodes(s, a) {
        if let Some((Op::Sub, n)) = node {
            let [a0, a1] = operands2(s, n);
            offer(found, ne_sub_self(s, root, a0, a1, a, b))?;
        }
    }
    for node in nodes(s, b) {
        if let Some((Op::Sub, n)) = node {
            let [b0, b1] = operands2(s, n);
            offer(found, ne_sub_self(s, root, b0, b1, b, a))?;
        }
    }
    for node in nodes(s, a) {
        if let Some((Op::Xor, n)) = node {
            let [a0, a1] = operands2(s, n);
            offer(found, ne_xor_self(s, root, a0, a1, a, b))?;
        }
    }
    for node in nodes(s, b) {
        if let Some((Op::Xor, n)) = node {
            let [b0, b1] = operands2(s, n);
            offer(found, ne_xor_self(s, root, b0, b1, b, a))?;
        }
    }
    for node in nodes(s, a) {
        if let Some((Op::Xor, n)) = node {
            let [a0, a1] = operands2(s, n);
            offer(found, ne_xor_self(s, root, a1, a0, a, b))?;
        }
    }
    if let Some(constant) = s.constant(b) {
        match constant {
            Const::Int(i) if i.signed() == -1 => {
                offer(found, ne_bit(s, root, a))?;
            }
            Const::Int(i) if i.signed() == 0 => {
                offer(found, ne_zero(s, root, a))?;
            }
            Const::Int(i) if i.signed() == 1 => {
                offer(found, ne_bool_one(s, root, a))?;
            }
            _ => {
            }
        }
    } else {
        for node in nodes(s, b) {
            if let Some((Op::Xor, n)) = node {
                let [b0, b1] = operands2(s, n);
                offer(found, ne_xor_self(s, root, b1, b0, b, a))?;
            }
        }
    }
    Flow::Continue(())
}

// ne_unequal [pypy]: ne(x, y)
//     # No value is a member of both facts.
//     check x.known_ne(y)
//     => 1
fn ne_unequal<S: Subject>(
    s: &S,
    root: &Root<'_, S::Value>,
    x: S::Value,
    y: S::Value,
) -> Option<Rewrite<S::Value>> {
    let ty0 = root.ty;
    let w0 = ty0.int_width()?;
    let x_fact = s.fact(x);
    let y_fact = s.fact(y);
    if !x_fact.known_ne(y_fact) {
        return None;
    }
    if !is_spoken_of(ty0) {
        return None;
    }
    if !is_spoken_of(s.ty(x)) {
        return None;
    }
    Some(Rewrite { rule: rule(names::NE_UNEQUAL), plan: Plan::new(), outcome: Outcome::Value(Operand::Const(Const::Int(Int::new(w0, 1)))) })
}

// ne_signs [pays]: ne(lt(x, 0), lt(y, 0))
//     # The signs differ where their exclusive or is a sign.
//     => lt(xor(x, y), 0)
fn ne_signs<S: Subject>(
    s: &S,
    root: &Root<'_, S::Value>,
    x: S::Value,
    inner2: S::Value,
    y: S::Value,
    inner5: S::Value,
) -> Option<Rewrite<S::Value>> {
    if s.ty(x) != s.ty(y) {
        return None;
    }
    let dies2 = s.used_once(inner2);
    let dies5 = s.used_once(inner5);
    if 1 + if dies2 { 1 } else { 0 } + if dies5 { 1 } else { 0 } < 2 {
        return None;
    }
    let ty0 = root.ty;
    let ty2 = s.ty(x);
    let w2 = ty2.int_width()?;
    if !is_spoken_of(ty0) {
        return None;
    }
    if !is_spoken_of(s.ty(inner2)) {
        return None;
    }
    if !is_spoken_of(ty2) {
        return None;
    }
    let mut plan = Plan::new();
    let new1 = plan.push(Op::Xor, ty2, &[Operand::Value(x), Operand::Value(y)]);
    let new2 = plan.push(Op::Lt, ty0, &[new1, Operand::Const(Const::Int(Int::new(w2, 0)))]);
    Some(Rewrite { rule: rule(names::NE_SIGNS), plan, outcome: Outcome::Value(new2) })
}

// ne_and_zext [pays]: ne(and(zext(x: a), C1), C2)
//     # Of what was extended the mask leaves low bits only.
//     C3 = trunc(C1)
//     C4 = trunc(C2)
//     check zext(C4) == C2
//     => ne(and(x, C3), C4)
fn ne_and_zext<S: Subject>(
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
    let ty2 = s.ty(x);
    let w2 = ty2.int_width()?;
    let the_c1 = int(s, at_c1)?;
    let the_c2 = int(s, at_c2)?;
    let the_c3 = Resize::Trunc.apply(&mut Machine, the_c1, w2)?;
    let the_c4 = Resize::Trunc.apply(&mut Machine, the_c2, w2)?;
    if Resize::Zext.apply(&mut Machine, the_c4, w1)? != the_c2 {
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
    let new1 = plan.push(Op::And, ty2, &[Operand::Value(x), Operand::Const(Const::Int(the_c3))]);
    let new2 = plan.push(Op::Ne, ty0, &[new1, Operand::Const(Const::Int(the_c4))]);
    Some(Rewrite { rule: rule(names::NE_AND_ZEXT), plan, outcome: Outcome::Value(new2) })
}

// ne_zext_masked [pays]: ne(zext(x: a), and(y, C))
//     # Both are what the low bits are.
//     check C == ~(-1 << width(a))
//     => ne(x, trunc(y))
fn ne_zext_masked<S: Subject>(
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
    let new2 = plan.push(Op::Ne, ty0, &[Operand::Value(x), new1]);
    Some(Rewrite { rule: rule(names::NE_ZEXT_MASKED), plan, outcome: Outcome::Value(new2) })
}

// ne_and_and [pays]: ne(and(x, z), and(y, z))
//     # They differ in a bit of the mask.
//     => is_true(and(xor(x, y), z))
fn ne_and_and<S: Subject>(
    s: &S,
    root: &Root<'_, S::Value>,
    x: S::Value,
    z: S::Value,
    inner2: S::Value,
    y: S::Value,
    z_2: S::Value,
    inner5: S::Value,
) -> Option<Rewrite<S::Value>> {
    if !same(s, z, z_2) {
        return None;
    }
    let dies2 = s.used_once(inner2);
    let dies5 = s.used_once(inner5);
    if 1 + if dies2 { 1 } else { 0 } + if dies5 { 1 } else { 0 } < 3 {
        return None;
    }
    let ty0 = root.ty;
    let ty1 = s.ty(inner2);
    if !is_spoken_of(ty0) {
        return None;
    }
    if !is_spoken_of(ty1) {
        return None;
    }
    let mut plan = Plan::new();
    let new1 = plan.push(Op::Xor, ty1, &[Operand::Value(x), Operand::Value(y)]);
    let new2 = plan.push(Op::And, ty1, &[new1, Operand::Value(z)]);
    let new3 = plan.push(Op::IsTrue, ty0, &[new2]);
    Some(Rewrite { rule: rule(names::NE_AND_AND), plan, outcome: Outcome::Value(new3) })
}

// ne_add_common: ne(add(x, y), add(x, z))
//     # The common term goes.
//     => ne(y, z)
fn ne_add_common<S: Subject>(
    s: &S,
    root: &Root<'_, S::Value>,
    x: S::Value,
    y: S::Value,
    inner2: S::Value,
    x_2: S::Value,
    z: S::Value,
) -> Option<Rewrite<S::Value>> {
    if !same(s, x, x_2) {
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
    let new1 = plan.push(Op::Ne, ty0, &[Operand::Value(y), Operand::Value(z)]);
    Some(Rewrite { rule: rule(names::NE_ADD_COMMON), plan, outcome: Outcome::Value(new1) })
}

// ne_sub_common: ne(sub(x, y), sub(x, z))
//     # The common minuend goes.
//     => ne(y, z)
fn ne_sub_common<S: Subject>(
    s: &S,
    root: &Root<'_, S::Value>,
    x: S::Value,
    y: S::Value,
    inner2: S::Value,
    x_2: S::Value,
    z: S::Value,
) -> Option<Rewrite<S::Value>> {
    if !same(s, x, x_2) {
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
    let new1 = plan.push(Op::Ne, ty0, &[Operand::Value(y), Operand::Value(z)]);
    Some(Rewrite { rule: rule(names::NE_SUB_COMMON), plan, outcome: Outcome::Value(new1) })
}

// ne_sub_common_right: ne(sub(x, y), sub(z, y))
//     # The common subtrahend goes.
//     => ne(x, z)
fn ne_sub_common_right<S: Subject>(
    s: &S,
    root: &Root<'_, S::Value>,
    x: S::Value,
    y: S::Value,
    inner2: S::Value,
    z: S::Value,
    y_2: S::Value,
) -> Option<Rewrite<S::Value>> {
    if !same(s, y, y_2) {
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
    let new1 = plan.push(Op::Ne, ty0, &[Operand::Value(x), Operand::Value(z)]);
    Some(Rewrite { rule: rule(names::NE_SUB_COMMON_RIGHT), plan, outcome: Outcome::Value(new1) })
}

// ne_xor_common: ne(xor(x, y), xor(x, z))
//     # The common operand goes.
//     => ne(y, z)
fn ne_xor_common<S: Subject>(
    s: &S,
    root: &Root<'_, S::Value>,
    x: S::Value,
    y: S::Value,
    inner2: S::Value,
    x_2: S::Value,
    z: S::Value,
) -> Option<Rewrite<S::Value>> {
    if !same(s, x, x_2) {
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
    let new1 = plan.push(Op::Ne, ty0, &[Operand::Value(y), Operand::Value(z)]);
    Some(Rewrite { rule: rule(names::NE_XOR_COMMON), plan, outcome: Outcome::Value(new1) })
}

// ne_sext_sext: ne(sext(x), sext(y))
//     # Extension keeps different numbers apart.
//     => ne(x, y)
fn ne_sext_sext<S: Subject>(
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
    let new1 = plan.push(Op::Ne, ty0, &[Operand::Value(x), Operand::Value(y)]);
    Some(Rewrite { rule: rule(names::NE_SEXT_SEXT), plan, outcome: Outcome::Value(new1) })
}

// ne_zext_zext: ne(zext(x), zext(y))
//     # Extension keeps different numbers apart.
//     => ne(x, y)
fn ne_zext_zext<S: Subject>(
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
    let new1 = plan.push(Op::Ne, ty0, &[Operand::Value(x), Operand::Value(y)]);
    Some(Rewrite { rule: rule(names::NE_ZEXT_ZEXT), plan, outcome: Outcome::Value(new1) })
}

// ne_neg_neg: ne(neg(x), neg(y))
//     # Negation keeps different numbers apart.
//     => ne(x, y)
fn ne_neg_neg<S: Subject>(
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
    let new1 = plan.push(Op::Ne, ty0, &[Operand::Value(x), Operand::Value(y)]);
    Some(Rewrite { rule: rule(names::NE_NEG_NEG), plan, outcome: Outcome::Value(new1) })
}

// ne_not_not: ne(not(x), not(y))
//     # Complement keeps different numbers apart.
//     => ne(x, y)
fn ne_not_not<S: Subject>(
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
    let new1 = plan.push(Op::Ne, ty0, &[Operand::Value(x), Operand::Value(y)]);
    Some(Rewrite { rule: rule(names::NE_NOT_NOT), plan, outcome: Outcome::Value(new1) })
}

// ne_high_mask_least [pays]: ne(and(x, C), MININT)
//     # Of the high bits the sign alone is set exactly in the smallest signed numbers.
//     check is_pow2(-C)
//     C1 = MININT - C
//     => ge(x, C1)
fn ne_high_mask_least<S: Subject>(
    s: &S,
    root: &Root<'_, S::Value>,
    x: S::Value,
    at_c: S::Value,
    inner2: S::Value,
    inner3: S::Value,
) -> Option<Rewrite<S::Value>> {
    let dies2 = s.used_once(inner2);
    if 1 + if dies2 { 1 } else { 0 } < 1 {
        return None;
    }
    let ty0 = root.ty;
    let ty1 = s.ty(inner2);
    let w1 = ty1.int_width()?;
    if int(s, inner3)? != Int::new(w1, 1 << (w1 - 1)) {
        return None;
    }
    let the_c = int(s, at_c)?;
    if !WordTest::IsPow2.apply(&mut Machine, Machine.neg(the_c)) {
        return None;
    }
    let the_c1 = Machine.sub(Int::new(w1, 1 << (w1 - 1)), the_c);
    if !is_spoken_of(ty0) {
        return None;
    }
    if !is_spoken_of(ty1) {
        return None;
    }
    let mut plan = Plan::new();
    let new1 = plan.push(Op::Ge, ty0, &[Operand::Value(x), Operand::Const(Const::Int(the_c1))]);
    Some(Rewrite { rule: rule(names::NE_HIGH_MASK_LEAST), plan, outcome: Outcome::Value(new1) })
}

// ne_rshift_ones [pays]: ne(rshift(x, C), -1)
//     # Nothing but copies of the sign, which is set.
//     C1 = -1 << C
//     => ult(x, C1)
fn ne_rshift_ones<S: Subject>(
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
    let ty1 = s.ty(inner2);
    let w1 = ty1.int_width()?;
    if w1 < 2 {
        return None;
    }
    let the_c = int(s, at_c)?;
    let the_c1 = shl(Machine.neg(Int::new(w1, 1)), the_c)?;
    if !is_spoken_of(ty0) {
        return None;
    }
    if !is_spoken_of(ty1) {
        return None;
    }
    let mut plan = Plan::new();
    let new1 = plan.push(Op::Ult, ty0, &[Operand::Value(x), Operand::Const(Const::Int(the_c1))]);
    Some(Rewrite { rule: rule(names::NE_RSHIFT_ONES), plan, outcome: Outcome::Value(new1) })
}

// ne_high_mask_all [pays]: ne(and(x, C), C)
//     # All high bits are set exactly in the largest unsigned numbers.
//     check is_pow2(-C)
//     => ult(x, C)
fn ne_high_mask_all<S: Subject>(
    s: &S,
    root: &Root<'_, S::Value>,
    x: S::Value,
    at_c: S::Value,
    inner2: S::Value,
    at_c_2: S::Value,
) -> Option<Rewrite<S::Value>> {
    if !same(s, at_c, at_c_2) {
        return None;
    }
    let dies2 = s.used_once(inner2);
    if 1 + if dies2 { 1 } else { 0 } < 1 {
        return None;
    }
    let ty0 = root.ty;
    let the_c = int(s, at_c)?;
    if !WordTest::IsPow2.apply(&mut Machine, Machine.neg(the_c)) {
        return None;
    }
    if !is_spoken_of(ty0) {
        return None;
    }
    if !is_spoken_of(s.ty(inner2)) {
        return None;
    }
    let mut plan = Plan::new();
    let new1 = plan.push(Op::Ult, ty0, &[Operand::Value(x), Operand::Value(at_c)]);
    Some(Rewrite { rule: rule(names::NE_HIGH_MASK_ALL), plan, outcome: Outcome::Value(new1) })
}

// ne_mask_bit: ne(and(x, C), C)
//     # Of a single bit, it is set or the result is zero.
//     check is_pow2(C)
//     => is_zero(and(x, C))
fn ne_mask_bit<S: Subject>(
    s: &S,
    root: &Root<'_, S::Value>,
    at_c: S::Value,
    inner2: S::Value,
    at_c_2: S::Value,
) -> Option<Rewrite<S::Value>> {
    if !same(s, at_c, at_c_2) {
        return None;
    }
    let ty0 = root.ty;
    let the_c = int(s, at_c)?;
    if !WordTest::IsPow2.apply(&mut Machine, the_c) {
        return None;
    }
    if !is_spoken_of(ty0) {
        return None;
    }
    if !is_spoken_of(s.ty(inner2)) {
        return None;
    }
    let mut plan = Plan::new();
    let new1 = plan.push(Op::IsZero, ty0, &[Operand::Value(inner2)]);
    Some(Rewrite { rule: rule(names::NE_MASK_BIT), plan, outcome: Outcome::Value(new1) })
}

// ne_add_const [pypy]: ne(add(x, C1), C2)
//     # x + C1 = C2 exactly where x = C2 - C1
//     C = C2 - C1
//     => ne(x, C)
fn ne_add_const<S: Subject>(
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
    let the_c = Machine.sub(the_c2, the_c1);
    if !is_spoken_of(ty0) {
        return None;
    }
    if !is_spoken_of(s.ty(inner2)) {
        return None;
    }
    let mut plan = Plan::new();
    let new1 = plan.push(Op::Ne, ty0, &[Operand::Value(x), Operand::Const(Const::Int(the_c))]);
    Some(Rewrite { rule: rule(names::NE_ADD_CONST), plan, outcome: Outcome::Value(new1) })
}

// ne_clz_width [pays]: ne(clz(x), LONG_BIT)
//     # Only zero is zeros from the front to the end.
//     => is_true(x)
fn ne_clz_width<S: Subject>(
    s: &S,
    root: &Root<'_, S::Value>,
    x: S::Value,
    inner1: S::Value,
    inner2: S::Value,
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
    if int(s, inner2)? != Int::new(w1, u64::from(w1)) {
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
    Some(Rewrite { rule: rule(names::NE_CLZ_WIDTH), plan, outcome: Outcome::Value(new1) })
}

// ne_const_sub: ne(sub(C1, x), C2)
//     # C1 - x = C2 exactly where x = C1 - C2
//     C = C1 - C2
//     => ne(x, C)
fn ne_const_sub<S: Subject>(
    s: &S,
    root: &Root<'_, S::Value>,
    at_c1: S::Value,
    x: S::Value,
    inner2: S::Value,
    at_c2: S::Value,
) -> Option<Rewrite<S::Value>> {
    let ty0 = root.ty;
    let the_c1 = int(s, at_c1)?;
    let the_c2 = int(s, at_c2)?;
    let the_c = Machine.sub(the_c1, the_c2);
    if !is_spoken_of(ty0) {
        return None;
    }
    if !is_spoken_of(s.ty(inner2)) {
        return None;
    }
    let mut plan = Plan::new();
    let new1 = plan.push(Op::Ne, ty0, &[Operand::Value(x), Operand::Const(Const::Int(the_c))]);
    Some(Rewrite { rule: rule(names::NE_CONST_SUB), plan, outcome: Outcome::Value(new1) })
}

// ne_ctz_width [pays]: ne(ctz(x), LONG_BIT)
//     # Only zero has no lowest one bit.
//     => is_true(x)
fn ne_ctz_width<S: Subject>(
    s: &S,
    root: &Root<'_, S::Value>,
    x: S::Value,
    inner1: S::Value,
    inner2: S::Value,
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
    if int(s, inner2)? != Int::new(w1, u64::from(w1)) {
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
    Some(Rewrite { rule: rule(names::NE_CTZ_WIDTH), plan, outcome: Outcome::Value(new1) })
}

// ne_high_mask_most [pays]: ne(and(x, C), C1)
//     # All high bits but the sign are set exactly in the largest signed numbers.
//     check is_pow2(-C) and C1 == C ^ MININT
//     => lt(x, C1)
fn ne_high_mask_most<S: Subject>(
    s: &S,
    root: &Root<'_, S::Value>,
    x: S::Value,
    at_c: S::Value,
    inner2: S::Value,
    at_c1: S::Value,
) -> Option<Rewrite<S::Value>> {
    let dies2 = s.used_once(inner2);
    if 1 + if dies2 { 1 } else { 0 } < 1 {
        return None;
    }
    let ty0 = root.ty;
    let ty1 = s.ty(inner2);
    let w1 = ty1.int_width()?;
    let the_c = int(s, at_c)?;
    let the_c1 = int(s, at_c1)?;
    if !WordTest::IsPow2.apply(&mut Machine, Machine.neg(the_c)) {
        return None;
    }
    if the_c1 != Machine.xor(the_c, Int::new(w1, 1 << (w1 - 1))) {
        return None;
    }
    if !is_spoken_of(ty0) {
        return None;
    }
    if !is_spoken_of(ty1) {
        return None;
    }
    let mut plan = Plan::new();
    let new1 = plan.push(Op::Lt, ty0, &[Operand::Value(x), Operand::Value(at_c1)]);
    Some(Rewrite { rule: rule(names::NE_HIGH_MASK_MOST), plan, outcome: Outcome::Value(new1) })
}

// ne_rshift_least [pays]: ne(rshift(x, C), C1)
//     # The smallest quotient is that of the smallest numbers.
//     check C1 == MININT >> C
//     C2 = (C1 + 1) << C
//     check C <u LONG_BIT - 1
//     => ge(x, C2)
fn ne_rshift_least<S: Subject>(
    s: &S,
    root: &Root<'_, S::Value>,
    x: S::Value,
    at_c: S::Value,
    inner2: S::Value,
    at_c1: S::Value,
) -> Option<Rewrite<S::Value>> {
    let dies2 = s.used_once(inner2);
    if 1 + if dies2 { 1 } else { 0 } < 1 {
        return None;
    }
    let ty0 = root.ty;
    let ty1 = s.ty(inner2);
    let w1 = ty1.int_width()?;
    if w1 < 3 {
        return None;
    }
    let the_c = int(s, at_c)?;
    let the_c1 = int(s, at_c1)?;
    if the_c1 != shr(Int::new(w1, 1 << (w1 - 1)), the_c)? {
        return None;
    }
    let the_c2 = shl(Machine.add(the_c1, Int::new(w1, 1)), the_c)?;
    if Machine.ule(Machine.sub(Int::new(w1, u64::from(w1)), Int::new(w1, 1)), the_c) {
        return None;
    }
    if !is_spoken_of(ty0) {
        return None;
    }
    if !is_spoken_of(ty1) {
        return None;
    }
    let mut plan = Plan::new();
    let new1 = plan.push(Op::Ge, ty0, &[Operand::Value(x), Operand::Const(Const::Int(the_c2))]);
    Some(Rewrite { rule: rule(names::NE_RSHIFT_LEAST), plan, outcome: Outcome::Value(new1) })
}

// ne_rshift_most [pays]: ne(rshift(x, C), C1)
//     # The largest quotient is that of the largest numbers.
//     check C1 == MAXINT >> C
//     C2 = C1 << C
//     check C <u LONG_BIT - 1
//     => lt(x, C2)
fn ne_rshift_most<S: Subject>(
    s: &S,
    root: &Root<'_, S::Value>,
    x: S::Value,
    at_c: S::Value,
    inner2: S::Value,
    at_c1: S::Value,
) -> Option<Rewrite<S::Value>> {
    let dies2 = s.used_once(inner2);
    if 1 + if dies2 { 1 } else { 0 } < 1 {
        return None;
    }
    let ty0 = root.ty;
    let ty1 = s.ty(inner2);
    let w1 = ty1.int_width()?;
    if w1 < 3 {
        return None;
    }
    let the_c = int(s, at_c)?;
    let the_c1 = int(s, at_c1)?;
    if the_c1 != shr(Int::new(w1, (1 << (w1 - 1)) - 1), the_c)? {
        return None;
    }
    let the_c2 = shl(the_c1, the_c)?;
    if Machine.ule(Machine.sub(Int::new(w1, u64::from(w1)), Int::new(w1, 1)), the_c) {
        return None;
    }
    if !is_spoken_of(ty0) {
        return None;
    }
    if !is_spoken_of(ty1) {
        return None;
    }
    let mut plan = Plan::new();
    let new1 = plan.push(Op::Lt, ty0, &[Operand::Value(x), Operand::Const(Const::Int(the_c2))]);
    Some(Rewrite { rule: rule(names::NE_RSHIFT_MOST), plan, outcome: Outcome::Value(new1) })
}

// ne_urshift_most [pays]: ne(urshift(x, C), C1)
//     # The largest quotient is that of the largest numbers.
//     check C1 == -1 >>u C
//     C2 = C1 << C
//     => ult(x, C2)
fn ne_urshift_most<S: Subject>(
    s: &S,
    root: &Root<'_, S::Value>,
    x: S::Value,
    at_c: S::Value,
    inner2: S::Value,
    at_c1: S::Value,
) -> Option<Rewrite<S::Value>> {
    let dies2 = s.used_once(inner2);
    if 1 + if dies2 { 1 } else { 0 } < 1 {
        return None;
    }
    let ty0 = root.ty;
    let ty1 = s.ty(inner2);
    let w1 = ty1.int_width()?;
    if w1 < 2 {
        return None;
    }
    let the_c = int(s, at_c)?;
    let the_c1 = int(s, at_c1)?;
    if the_c1 != ushr(Machine.neg(Int::new(w1, 1)), the_c)? {
        return None;
    }
    let the_c2 = shl(the_c1, the_c)?;
    if !is_spoken_of(ty0) {
        return None;
    }
    if !is_spoken_of(ty1) {
        return None;
    }
    let mut plan = Plan::new();
    let new1 = plan.push(Op::Ult, ty0, &[Operand::Value(x), Operand::Const(Const::Int(the_c2))]);
    Some(Rewrite { rule: rule(names::NE_URSHIFT_MOST), plan, outcome: Outcome::Value(new1) })
}

// ne_xor_const: ne(xor(x, C1), C2)
//     # x ^ C1 = C2 exactly where x = C1 ^ C2
//     C = C1 ^ C2
//     => ne(x, C)
fn ne_xor_const<S: Subject>(
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
    let the_c = Machine.xor(the_c1, the_c2);
    if !is_spoken_of(ty0) {
        return None;
    }
    if !is_spoken_of(s.ty(inner2)) {
        return None;
    }
    let mut plan = Plan::new();
    let new1 = plan.push(Op::Ne, ty0, &[Operand::Value(x), Operand::Const(Const::Int(the_c))]);
    Some(Rewrite { rule: rule(names::NE_XOR_CONST), plan, outcome: Outcome::Value(new1) })
}

// ne_srem_pow2 [pays]: ne(srem(x, C1), C2)
//     # A remainder above zero is that of the low bits of a number that is not negative.
//     check C1 > 0 and is_pow2(C1) and C2 > 0
//     C3 = MININT | (C1 - 1)
//     => ne(and(x, C3), C2)
fn ne_srem_pow2<S: Subject>(
    s: &S,
    root: &Root<'_, S::Value>,
    x: S::Value,
    at_c1: S::Value,
    inner2: S::Value,
    at_c2: S::Value,
) -> Option<Rewrite<S::Value>> {
    let dies2 = s.used_once(inner2);
    if 1 + if dies2 { 20 } else { 0 } < 2 {
        return None;
    }
    let ty0 = root.ty;
    let ty1 = s.ty(inner2);
    let w1 = ty1.int_width()?;
    if w1 < 2 {
        return None;
    }
    let the_c1 = int(s, at_c1)?;
    let the_c2 = int(s, at_c2)?;
    if Machine.sle(the_c1, Int::new(w1, 0)) {
        return None;
    }
    if !WordTest::IsPow2.apply(&mut Machine, the_c1) {
        return None;
    }
    if Machine.sle(the_c2, Int::new(w1, 0)) {
        return None;
    }
    let the_c3 = Machine.or(Int::new(w1, 1 << (w1 - 1)), Machine.sub(the_c1, Int::new(w1, 1)));
    if !is_spoken_of(ty0) {
        return None;
    }
    if !is_spoken_of(ty1) {
        return None;
    }
    let mut plan = Plan::new();
    let new1 = plan.push(Op::And, ty1, &[Operand::Value(x), Operand::Const(Const::Int(the_c3))]);
    let new2 = plan.push(Op::Ne, ty0, &[new1, Operand::Value(at_c2)]);
    Some(Rewrite { rule: rule(names::NE_SREM_POW2), plan, outcome: Outcome::Value(new2) })
}

// ne_srem_pow2_below [pays]: ne(srem(x, C1), C2)
//     # A remainder below zero is that of the low bits of a negative number.
//     check C1 > 0 and is_pow2(C1) and C2 < 0 and C2 > -C1
//     C3 = MININT | (C1 - 1)
//     C4 = C2 & C3
//     => ne(and(x, C3), C4)
fn ne_srem_pow2_below<S: Subject>(
    s: &S,
    root: &Root<'_, S::Value>,
    x: S::Value,
    at_c1: S::Value,
    inner2: S::Value,
    at_c2: S::Value,
) -> Option<Rewrite<S::Value>> {
    let dies2 = s.used_once(inner2);
    if 1 + if dies2 { 20 } else { 0 } < 2 {
        return None;
    }
    let ty0 = root.ty;
    let ty1 = s.ty(inner2);
    let w1 = ty1.int_width()?;
    if w1 < 2 {
        return None;
    }
    let the_c1 = int(s, at_c1)?;
    let the_c2 = int(s, at_c2)?;
    if Machine.sle(the_c1, Int::new(w1, 0)) {
        return None;
    }
    if !WordTest::IsPow2.apply(&mut Machine, the_c1) {
        return None;
    }
    if Machine.sle(Int::new(w1, 0), the_c2) {
        return None;
    }
    if Machine.sle(the_c2, Machine.neg(the_c1)) {
        return None;
    }
    let the_c3 = Machine.or(Int::new(w1, 1 << (w1 - 1)), Machine.sub(the_c1, Int::new(w1, 1)));
    let the_c4 = Machine.and(the_c2, the_c3);
    if !is_spoken_of(ty0) {
        return None;
    }
    if !is_spoken_of(ty1) {
        return None;
    }
    let mut plan = Plan::new();
    let new1 = plan.push(Op::And, ty1, &[Operand::Value(x), Operand::Const(Const::Int(the_c3))]);
    let new2 = plan.push(Op::Ne, ty0, &[new1, Operand::Const(Const::Int(the_c4))]);
    Some(Rewrite { rule: rule(names::NE_SREM_POW2_BELOW), plan, outcome: Outcome::Value(new2) })
}

// ne_neg_const: ne(neg(x), C1)
//     # -x = C exactly where x = -C
//     C = -C1
//     => ne(x, C)
fn ne_neg_const<S: Subject>(
    s: &S,
    root: &Root<'_, S::Value>,
    x: S::Value,
    inner1: S::Value,
    at_c1: S::Value,
) -> Option<Rewrite<S::Value>> {
    let ty0 = root.ty;
    let the_c1 = int(s, at_c1)?;
    let the_c = Machine.neg(the_c1);
    if !is_spoken_of(ty0) {
        return None;
    }
    if !is_spoken_of(s.ty(inner1)) {
        return None;
    }
    let mut plan = Plan::new();
    let new1 = plan.push(Op::Ne, ty0, &[Operand::Value(x), Operand::Const(Const::Int(the_c))]);
    Some(Rewrite { rule: rule(names::NE_NEG_CONST), plan, outcome: Outcome::Value(new1) })
}

// ne_not_const: ne(not(x), C1)
//     # ~x = C exactly where x = ~C
//     C = ~C1
//     => ne(x, C)
fn ne_not_const<S: Subject>(
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
    let new1 = plan.push(Op::Ne, ty0, &[Operand::Value(x), Operand::Const(Const::Int(the_c))]);
    Some(Rewrite { rule: rule(names::NE_NOT_CONST), plan, outcome: Outcome::Value(new1) })
}

// ne_sext_const: ne(sext(x), C1)
//     # The constant is an extension too.
//     C = trunc(C1)
//     check sext(C) == C1
//     => ne(x, C)
fn ne_sext_const<S: Subject>(
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
    let new1 = plan.push(Op::Ne, ty0, &[Operand::Value(x), Operand::Const(Const::Int(the_c))]);
    Some(Rewrite { rule: rule(names::NE_SEXT_CONST), plan, outcome: Outcome::Value(new1) })
}

// ne_zext_const: ne(zext(x), C1)
//     # The constant is an extension too.
//     C = trunc(C1)
//     check zext(C) == C1
//     => ne(x, C)
fn ne_zext_const<S: Subject>(
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
    let new1 = plan.push(Op::Ne, ty0, &[Operand::Value(x), Operand::Const(Const::Int(the_c))]);
    Some(Rewrite { rule: rule(names::NE_ZEXT_CONST), plan, outcome: Outcome::Value(new1) })
}

// ne_add_self [pypy]: ne(add(x, y), x)
//     # x + y = x exactly where y = 0
//     => is_true(y)
fn ne_add_self<S: Subject>(
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
    if !is_spoken_of(ty0) {
        return None;
    }
    if !is_spoken_of(s.ty(inner2)) {
        return None;
    }
    let mut plan = Plan::new();
    let new1 = plan.push(Op::IsTrue, ty0, &[Operand::Value(y)]);
    Some(Rewrite { rule: rule(names::NE_ADD_SELF), plan, outcome: Outcome::Value(new1) })
}

// ne_sub_self: ne(sub(x, y), x)
//     # x - y = x exactly where y = 0
//     => is_true(y)
fn ne_sub_self<S: Subject>(
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
    if !is_spoken_of(ty0) {
        return None;
    }
    if !is_spoken_of(s.ty(inner2)) {
        return None;
    }
    let mut plan = Plan::new();
    let new1 = plan.push(Op::IsTrue, ty0, &[Operand::Value(y)]);
    Some(Rewrite { rule: rule(names::NE_SUB_SELF), plan, outcome: Outcome::Value(new1) })
}

// ne_xor_self: ne(xor(x, y), x)
//     # x ^ y = x exactly where y = 0
//     => is_true(y)
fn ne_xor_self<S: Subject>(
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
    if !is_spoken_of(ty0) {
        return None;
    }
    if !is_spoken_of(s.ty(inner2)) {
        return None;
    }
    let mut plan = Plan::new();
    let new1 = plan.push(Op::IsTrue, ty0, &[Operand::Value(y)]);
    Some(Rewrite { rule: rule(names::NE_XOR_SELF), plan, outcome: Outcome::Value(new1) })
}

// ne_bit: ne(x: i1, -1)
//     # A single bit is -1, all its ones, where it is set.
//     => is_zero(x)
fn ne_bit<S: Subject>(
    s: &S,
    root: &Root<'_, S::Value>,
    x: S::Value,
) -> Option<Rewrite<S::Value>> {
    if s.ty(x) != Type::Int(1) {
        return None;
    }
    let ty0 = root.ty;
    if !is_spoken_of(ty0) {
        return None;
    }
    let mut plan = Plan::new();
    let new1 = plan.push(Op::IsZero, ty0, &[Operand::Value(x)]);
    Some(Rewrite { rule: rule(names::NE_BIT), plan, outcome: Outcome::Value(new1) })
}

// ne_bool_one: ne(x, 1)
//     # A truth value is not 1 where it does not hold.
//     check x.is_bool()
//     => is_zero(x)
fn ne_bool_one<S: Subject>(
    s: &S,
    root: &Root<'_, S::Value>,
    x: S::Value,
) -> Option<Rewrite<S::Value>> {
    let ty0 = root.ty;
    let x_fact = s.fact(x);
    if !x_fact.is_bool() {
        return None;
    }
    if !is_spoken_of(ty0) {
        return None;
    }
    if !is_spoken_of(s.ty(x)) {
        return None;
    }
    let mut plan = Plan::new();
    let new1 = plan.push(Op::IsZero, ty0, &[Operand::Value(x)]);
    Some(Rewrite { rule: rule(names::NE_BOOL_ONE), plan, outcome: Outcome::Value(new1) })
}

// ne_zero [pypy]: ne(x, 0)
//     # The question has an operation of its own.
//     => is_true(x)
fn ne_zero<S: Subject>(
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
    Some(Rewrite { rule: rule(names::NE_ZERO), plan, outcome: Outcome::Value(new1) })
}

