//! Rules whose pattern begins with `xor`, in the order in which they are tried:
//!
//! - xor_not_self
//! - xor_xor_self
//! - xor_add_sign
//! - xor_masked_choice
//! - xor_signs
//! - xor_two_masks
//! - xor_and_or
//! - xor_xor_and
//! - xor_xor_or
//! - xor_common_and
//! - xor_lshift_common
//! - xor_rshift_common
//! - xor_urshift_common
//! - xor_zext_zext
//! - xor_not_not
//! - xor_or_const_same
//! - xor_consts
//! - xor_and_const_self
//! - xor_or_const_self
//! - xor_not_const
//! - xor_bool_one
//! - xor_minus_one
//!
//! Generated from `rules/*.rules`.

use planish_ops::{Bits, Int, Machine, Op};
use planish_rules::speaks::is_spoken_of;
use planish_rules::matching::{Const, Flow, Operand, Outcome, Plan, Rewrite, Root, Subject, constant_last, int, integer, nodes, offer, operands2, same};

use super::names::{self, rule};

/// Hands every rewrite of a `xor` to `found`, until it says stop.
pub fn root<S: Subject>(
    s: &S,
    root: &Root<'_, S::Value>,
    found: &mut impl FnMut(Rewrite<S::Value>) -> Flow,
) -> Flow {
    let [a, b] = constant_last(s, [root.args[0], root.args[1]]);
    for node in nodes(s, b) {
        if let Some((Op::Not, n)) = node {
            let b0 = s.operand(n, 0);
            offer(found, xor_not_self(s, root, a, b0))?;
        }
    }
    for node in nodes(s, a) {
        match node {
            Some((Op::Xor, n)) => {
                let [a0, a1] = operands2(s, n);
                offer(found, xor_xor_self(s, root, a0, a1, b))?;
            }
            Some((Op::Not, n)) => {
                let a0 = s.operand(n, 0);
                offer(found, xor_not_self(s, root, b, a0))?;
            }
            _ => {}
        }
    }
    for node in nodes(s, b) {
        if let Some((Op::Xor, n)) = node {
            let [b0, b1] = operands2(s, n);
            offer(found, xor_xor_self(s, root, b0, b1, a))?;
        }
    }
    for node in nodes(s, a) {
        if let Some((Op::Xor, n)) = node {
            let [a0, a1] = operands2(s, n);
            offer(found, xor_xor_self(s, root, a1, a0, b))?;
        }
    }
    for node in nodes(s, b) {
        match node {
            Some((Op::Add, n)) => {
                let [b0, b1] = operands2(s, n);
                for node in nodes(s, a) {
                    if let Some((Op::Rshift, n)) = node {
                        let [a0, a1] = operands2(s, n);
                        if s.constant(a1).is_some() {
                            for node in nodes(s, b1) {
                                if let Some((Op::Rshift, n)) = node {
                                    let [b10, b11] = operands2(s, n);
                                    if s.constant(b11).is_some() {
                                        offer(found, xor_add_sign(s, root, b0, b10, b11, b1, b, a0, a1, a))?;
                                    }
                                }
                            }
                            for node in nodes(s, b0) {
                                if let Some((Op::Rshift, n)) = node {
                                    let [b00, b01] = operands2(s, n);
                                    if s.constant(b01).is_some() {
                                        offer(found, xor_add_sign(s, root, b1, b00, b01, b0, b, a0, a1, a))?;
                                    }
                                }
                            }
                        }
                    }
                }
            }
            Some((Op::And, n)) => {
                let [b0, b1] = operands2(s, n);
                for node in nodes(s, b0) {
                    if let Some((Op::Xor, n)) = node {
                        let [b00, b01] = operands2(s, n);
                        for node in nodes(s, b1) {
                            if let Some((Op::Neg, n)) = node {
                                let b10 = s.operand(n, 0);
                                offer(found, xor_masked_choice(s, root, a, b00, b01, b0, b10, b1, b))?;
                            }
                        }
                    }
                }
            }
            Some((Op::Xor, n)) => {
                let [b0, b1] = operands2(s, n);
                offer(found, xor_xor_self(s, root, b1, b0, a))?;
            }
            Some((Op::Rshift, n)) => {
                let [b0, b1] = operands2(s, n);
                for node in nodes(s, a) {
                    if let Some((Op::Add, n)) = node {
                        let [a0, a1] = operands2(s, n);
                        if s.constant(b1).is_some() {
                            for node in nodes(s, a1) {
                                if let Some((Op::Rshift, n)) = node {
                                    let [a10, a11] = operands2(s, n);
                                    if s.constant(a11).is_some() {
                                        offer(found, xor_add_sign(s, root, a0, a10, a11, a1, a, b0, b1, b))?;
                                    }
                                }
                            }
                            for node in nodes(s, a0) {
                                if let Some((Op::Rshift, n)) = node {
                                    let [a00, a01] = operands2(s, n);
                                    if s.constant(a01).is_some() {
                                        offer(found, xor_add_sign(s, root, a1, a00, a01, a0, a, b0, b1, b))?;
                                    }
                                }
                            }
                        }
                    }
                }
            }
            _ => {}
        }
    }
    for node in nodes(s, a) {
        if let Some((Op::And, n)) = node {
            let [a0, a1] = operands2(s, n);
            for node in nodes(s, a0) {
                if let Some((Op::Xor, n)) = node {
                    let [a00, a01] = operands2(s, n);
                    for node in nodes(s, a1) {
                        if let Some((Op::Neg, n)) = node {
                            let a10 = s.operand(n, 0);
                            offer(found, xor_masked_choice(s, root, b, a00, a01, a0, a10, a1, a))?;
                        }
                    }
                }
            }
        }
    }
    for node in nodes(s, b) {
        if let Some((Op::And, n)) = node {
            let [b0, b1] = operands2(s, n);
            for node in nodes(s, b0) {
                if let Some((Op::Neg, n)) = node {
                    let b00 = s.operand(n, 0);
                    for node in nodes(s, b1) {
                        if let Some((Op::Xor, n)) = node {
                            let [b10, b11] = operands2(s, n);
                            offer(found, xor_masked_choice(s, root, a, b10, b11, b1, b00, b0, b))?;
                        }
                    }
                }
            }
        }
    }
    for node in nodes(s, a) {
        if let Some((Op::And, n)) = node {
            let [a0, a1] = operands2(s, n);
            for node in nodes(s, a0) {
                if let Some((Op::Neg, n)) = node {
                    let a00 = s.operand(n, 0);
                    for node in nodes(s, a1) {
                        if let Some((Op::Xor, n)) = node {
                            let [a10, a11] = operands2(s, n);
                            offer(found, xor_masked_choice(s, root, b, a10, a11, a1, a00, a0, a))?;
                        }
                    }
                }
            }
        }
    }
    for node in nodes(s, b) {
        if let Some((Op::And, n)) = node {
            let [b0, b1] = operands2(s, n);
            for node in nodes(s, b0) {
                if let Some((Op::Xor, n)) = node {
                    let [b00, b01] = operands2(s, n);
                    for node in nodes(s, b1) {
                        if let Some((Op::Neg, n)) = node {
                            let b10 = s.operand(n, 0);
                            offer(found, xor_masked_choice(s, root, a, b01, b00, b0, b10, b1, b))?;
                        }
                    }
                }
            }
        }
    }
    for node in nodes(s, a) {
        if let Some((Op::And, n)) = node {
            let [a0, a1] = operands2(s, n);
            for node in nodes(s, a0) {
                if let Some((Op::Xor, n)) = node {
                    let [a00, a01] = operands2(s, n);
                    for node in nodes(s, a1) {
                        if let Some((Op::Neg, n)) = node {
                            let a10 = s.operand(n, 0);
                            offer(found, xor_masked_choice(s, root, b, a01, a00, a0, a10, a1, a))?;
                        }
                    }
                }
            }
        }
    }
    for node in nodes(s, b) {
        if let Some((Op::And, n)) = node {
            let [b0, b1] = operands2(s, n);
            for node in nodes(s, b0) {
                if let Some((Op::Neg, n)) = node {
                    let b00 = s.operand(n, 0);
                    for node in nodes(s, b1) {
                        if let Some((Op::Xor, n)) = node {
                            let [b10, b11] = operands2(s, n);
                            offer(found, xor_masked_choice(s, root, a, b11, b10, b1, b00, b0, b))?;
                        }
                    }
                }
            }
        }
    }
    for node in nodes(s, a) {
        match node {
            Some((Op::And, n)) => {
                let [a0, a1] = operands2(s, n);
                if s.constant(a1).is_some() {
                    for node in nodes(s, b) {
                        if let Some((Op::And, n)) = node {
                            let [b0, b1] = operands2(s, n);
                            if s.constant(b1).is_some() {
                                offer(found, xor_two_masks(s, root, a0, a1, b0, b1))?;
                            }
                        }
                    }
                } else {
                    for node in nodes(s, a1) {
                        if let Some((Op::Xor, n)) = node {
                            let [a10, a11] = operands2(s, n);
                            for node in nodes(s, a0) {
                                if let Some((Op::Neg, n)) = node {
                                    let a00 = s.operand(n, 0);
                                    offer(found, xor_masked_choice(s, root, b, a11, a10, a1, a00, a0, a))?;
                                }
                            }
                        }
                    }
                }
                for node in nodes(s, b) {
                    match node {
                        Some((Op::And, n)) => {
                            let [b0, b1] = operands2(s, n);
                            offer(found, xor_common_and(s, root, a0, a1, a, b0, b1, b))?;
                            offer(found, xor_common_and(s, root, a0, a1, a, b1, b0, b))?;
                            offer(found, xor_common_and(s, root, b0, b1, b, a1, a0, a))?;
                            offer(found, xor_common_and(s, root, a1, a0, a, b1, b0, b))?;
                        }
                        Some((Op::Or, n)) => {
                            let [b0, b1] = operands2(s, n);
                            offer(found, xor_and_or(s, root, a0, a1, b0, b1))?;
                            offer(found, xor_and_or(s, root, a0, a1, b1, b0))?;
                        }
                        Some((Op::Xor, n)) => {
                            let [b0, b1] = operands2(s, n);
                            offer(found, xor_xor_and(s, root, b0, b1, a0, a1))?;
                            offer(found, xor_xor_and(s, root, b0, b1, a1, a0))?;
                        }
                        _ => {}
                    }
                }
                if s.constant(a1).is_some() {
                    offer(found, xor_and_const_self(s, root, a0, a1, b))?;
                }
            }
            Some((Op::Or, n)) => {
                let [a0, a1] = operands2(s, n);
                if s.constant(b).is_some() {
                    if s.constant(a1).is_some() {
                        offer(found, xor_or_const_same(s, root, a0, a1, b))?;
                    }
                } else {
                    for node in nodes(s, b) {
                        match node {
                            Some((Op::And, n)) => {
                                let [b0, b1] = operands2(s, n);
                                offer(found, xor_and_or(s, root, b0, b1, a0, a1))?;
                                offer(found, xor_and_or(s, root, b0, b1, a1, a0))?;
                            }
                            Some((Op::Xor, n)) => {
                                let [b0, b1] = operands2(s, n);
                                offer(found, xor_xor_or(s, root, b0, b1, a0, a1))?;
                                offer(found, xor_xor_or(s, root, b0, b1, a1, a0))?;
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
                        offer(found, xor_consts(s, root, a0, a1, b))?;
                    }
                } else {
                    for node in nodes(s, b) {
                        match node {
                            Some((Op::And, n)) => {
                                let [b0, b1] = operands2(s, n);
                                offer(found, xor_xor_and(s, root, a0, a1, b0, b1))?;
                                offer(found, xor_xor_and(s, root, a0, a1, b1, b0))?;
                            }
                            Some((Op::Or, n)) => {
                                let [b0, b1] = operands2(s, n);
                                offer(found, xor_xor_or(s, root, a0, a1, b0, b1))?;
                                offer(found, xor_xor_or(s, root, a0, a1, b1, b0))?;
                            }
                            _ => {}
                        }
                    }
                }
            }
            Some((Op::Not, n)) => {
                let a0 = s.operand(n, 0);
                for node in nodes(s, b) {
                    if let Some((Op::Not, n)) = node {
                        let b0 = s.operand(n, 0);
                        offer(found, xor_not_not(s, root, a0, b0))?;
                    }
                }
            }
            Some((Op::Lshift, n)) => {
                let [a0, a1] = operands2(s, n);
                for node in nodes(s, b) {
                    if let Some((Op::Lshift, n)) = node {
                        let [b0, b1] = operands2(s, n);
                        offer(found, xor_lshift_common(s, root, a0, a1, a, b0, b1, b))?;
                    }
                }
            }
            Some((Op::Rshift, n)) => {
                let [a0, a1] = operands2(s, n);
                for node in nodes(s, b) {
                    if let Some((Op::Rshift, n)) = node {
                        let [b0, b1] = operands2(s, n);
                        offer(found, xor_rshift_common(s, root, a0, a1, a, b0, b1, b))?;
                    }
                }
            }
            Some((Op::Urshift, n)) => {
                let [a0, a1] = operands2(s, n);
                for node in nodes(s, b) {
                    if let Some((Op::Urshift, n)) = node {
                        let [b0, b1] = operands2(s, n);
                        offer(found, xor_urshift_common(s, root, a0, a1, a, b0, b1, b))?;
                    }
                }
            }
            Some((Op::Zext, n)) => {
                let a0 = s.operand(n, 0);
                for node in nodes(s, b) {
                    if let Some((Op::Zext, n)) = node {
                        let b0 = s.operand(n, 0);
                        offer(found, xor_zext_zext(s, root, a0, a, b0, b))?;
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
                                offer(found, xor_signs(s, root, a0, a, b0, b))?;
                            }
                        }
                    }
                }
            }
            _ => {}
        }
    }
    for node in nodes(s, b) {
        if let Some((Op::And, n)) = node {
            let [b0, b1] = operands2(s, n);
            if s.constant(b1).is_some() {
                offer(found, xor_and_const_self(s, root, b0, b1, a))?;
            }
        }
    }
    for node in nodes(s, a) {
        if let Some((Op::Or, n)) = node {
            let [a0, a1] = operands2(s, n);
            if s.constant(a1).is_some() {
                offer(found, xor_or_const_self(s, root, a0, a1, a, b))?;
            }
        }
    }
    if let Some(constant) = s.constant(b) {
        match constant {
            Const::Int(i) if i.signed() == -1 => {
                part1(s, root, found, a, b)?;
                offer(found, xor_minus_one(s, root, a))?;
            }
            Const::Int(i) if i.signed() == 1 => {
                part1(s, root, found, a, b)?;
                offer(found, xor_bool_one(s, root, a))?;
            }
            _ => {
                part1(s, root, found, a, b)?;
            }
        }
    } else {
        for node in nodes(s, b) {
            if let Some((Op::Or, n)) = node {
                let [b0, b1] = operands2(s, n);
                if s.constant(b1).is_some() {
                    offer(found, xor_or_const_self(s, root, b0, b1, b, a))?;
                }
            }
        }
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
        if let Some((Op::Not, n)) = node {
            let a0 = s.operand(n, 0);
            offer(found, xor_not_const(s, root, a0, b))?;
        }
    }
    Flow::Continue(())
}

// xor_not_self: xor(x, not(x))
//     # Every bit is set in exactly one of the two.
//     => -1
fn xor_not_self<S: Subject>(
    s: &S,
    root: &Root<'_, S::Value>,
    x: S::Value,
    x_2: S::Value,
) -> Option<Rewrite<S::Value>> {
    if !same(s, x, x_2) {
        return None;
    }
    let ty0 = root.ty;
    let w0 = ty0.int_width()?;
    Some(Rewrite { rule: rule(names::XOR_NOT_SELF), plan: Plan::new(), outcome: Outcome::Value(Operand::Const(Const::Int(Int::new(w0, -1i64 as u64)))) })
}

// xor_xor_self [pypy]: xor(xor(x, y), y)
//     # (x ^ y) ^ y = x
//     => x
fn xor_xor_self<S: Subject>(
    s: &S,
    _root: &Root<'_, S::Value>,
    x: S::Value,
    y: S::Value,
    y_2: S::Value,
) -> Option<Rewrite<S::Value>> {
    if !same(s, y, y_2) {
        return None;
    }
    Some(Rewrite { rule: rule(names::XOR_XOR_SELF), plan: Plan::new(), outcome: Outcome::Value(Operand::Value(x)) })
}

// xor_add_sign [pays]: xor(add(x, rshift(x, C)), rshift(x, C))
//     # Where x is negative, ~(x - 1) = -x.
//     check C == LONG_BIT - 1
//     => abs(x)
fn xor_add_sign<S: Subject>(
    s: &S,
    root: &Root<'_, S::Value>,
    x: S::Value,
    x_2: S::Value,
    at_c: S::Value,
    inner3: S::Value,
    inner4: S::Value,
    x_3: S::Value,
    at_c_2: S::Value,
    inner7: S::Value,
) -> Option<Rewrite<S::Value>> {
    if !same(s, x, x_2) {
        return None;
    }
    if !same(s, x, x_3) {
        return None;
    }
    if !same(s, at_c, at_c_2) {
        return None;
    }
    let dies4 = s.used_once(inner4);
    let dies3 = dies4 && s.used_once(inner3);
    let dies7 = s.used_once(inner7);
    if 1 + if dies4 { 1 } else { 0 } + if dies3 { 1 } else { 0 } + if dies7 { 1 } else { 0 } < 1 {
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
    let new1 = plan.push(Op::Abs, ty0, &[Operand::Value(x)]);
    Some(Rewrite { rule: rule(names::XOR_ADD_SIGN), plan, outcome: Outcome::Value(new1) })
}

// xor_masked_choice [pays]: xor(y, and(xor(x, y), neg(c)))
//     # All bits of the difference, or none.
//     check c.is_bool()
//     => select(c, x, y)
fn xor_masked_choice<S: Subject>(
    s: &S,
    root: &Root<'_, S::Value>,
    y: S::Value,
    x: S::Value,
    y_2: S::Value,
    inner3: S::Value,
    c: S::Value,
    inner5: S::Value,
    inner6: S::Value,
) -> Option<Rewrite<S::Value>> {
    if !same(s, y, y_2) {
        return None;
    }
    let dies6 = s.used_once(inner6);
    let dies3 = dies6 && s.used_once(inner3);
    let dies5 = dies6 && s.used_once(inner5);
    if 1 + if dies6 { 1 } else { 0 } + if dies3 { 1 } else { 0 } + if dies5 { 1 } else { 0 } < 1 {
        return None;
    }
    let ty0 = root.ty;
    let c_fact = s.fact(c);
    if !c_fact.is_bool() {
        return None;
    }
    if !is_spoken_of(ty0) {
        return None;
    }
    let mut plan = Plan::new();
    let new1 = plan.push(Op::Select, ty0, &[Operand::Value(c), Operand::Value(x), Operand::Value(y)]);
    Some(Rewrite { rule: rule(names::XOR_MASKED_CHOICE), plan, outcome: Outcome::Value(new1) })
}

// xor_signs [pays]: xor(lt(x, 0), lt(y, 0))
//     # The signs differ where their exclusive or is a sign.
//     => lt(xor(x, y), 0)
fn xor_signs<S: Subject>(
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
    let ty1 = s.ty(x);
    let w1 = ty1.int_width()?;
    if !is_spoken_of(ty0) {
        return None;
    }
    if !is_spoken_of(ty1) {
        return None;
    }
    let mut plan = Plan::new();
    let new1 = plan.push(Op::Xor, ty1, &[Operand::Value(x), Operand::Value(y)]);
    let new2 = plan.push(Op::Lt, ty0, &[new1, Operand::Const(Const::Int(Int::new(w1, 0)))]);
    Some(Rewrite { rule: rule(names::XOR_SIGNS), plan, outcome: Outcome::Value(new2) })
}

// xor_two_masks: xor(and(x, C1), and(x, C2))
//     # Bits of x under exactly one of the masks.
//     C = C1 ^ C2
//     => and(x, C)
fn xor_two_masks<S: Subject>(
    s: &S,
    root: &Root<'_, S::Value>,
    x: S::Value,
    at_c1: S::Value,
    x_2: S::Value,
    at_c2: S::Value,
) -> Option<Rewrite<S::Value>> {
    if !same(s, x, x_2) {
        return None;
    }
    let ty0 = root.ty;
    let the_c1 = int(s, at_c1)?;
    let the_c2 = int(s, at_c2)?;
    let the_c = Machine.xor(the_c1, the_c2);
    let mut plan = Plan::new();
    let new1 = plan.push(Op::And, ty0, &[Operand::Value(x), Operand::Const(Const::Int(the_c))]);
    Some(Rewrite { rule: rule(names::XOR_TWO_MASKS), plan, outcome: Outcome::Value(new1) })
}

// xor_and_or: xor(and(x, y), or(x, y))
//     # The bits in one of the two and not in both.
//     => xor(x, y)
fn xor_and_or<S: Subject>(
    s: &S,
    root: &Root<'_, S::Value>,
    x: S::Value,
    y: S::Value,
    x_2: S::Value,
    y_2: S::Value,
) -> Option<Rewrite<S::Value>> {
    if !same(s, x, x_2) {
        return None;
    }
    if !same(s, y, y_2) {
        return None;
    }
    let ty0 = root.ty;
    let mut plan = Plan::new();
    let new1 = plan.push(Op::Xor, ty0, &[Operand::Value(x), Operand::Value(y)]);
    Some(Rewrite { rule: rule(names::XOR_AND_OR), plan, outcome: Outcome::Value(new1) })
}

// xor_xor_and: xor(xor(x, y), and(x, y))
//     # The bits in one of the two or in both.
//     => or(x, y)
fn xor_xor_and<S: Subject>(
    s: &S,
    root: &Root<'_, S::Value>,
    x: S::Value,
    y: S::Value,
    x_2: S::Value,
    y_2: S::Value,
) -> Option<Rewrite<S::Value>> {
    if !same(s, x, x_2) {
        return None;
    }
    if !same(s, y, y_2) {
        return None;
    }
    let ty0 = root.ty;
    let mut plan = Plan::new();
    let new1 = plan.push(Op::Or, ty0, &[Operand::Value(x), Operand::Value(y)]);
    Some(Rewrite { rule: rule(names::XOR_XOR_AND), plan, outcome: Outcome::Value(new1) })
}

// xor_xor_or: xor(xor(x, y), or(x, y))
//     # The bits of x | y that are in both.
//     => and(x, y)
fn xor_xor_or<S: Subject>(
    s: &S,
    root: &Root<'_, S::Value>,
    x: S::Value,
    y: S::Value,
    x_2: S::Value,
    y_2: S::Value,
) -> Option<Rewrite<S::Value>> {
    if !same(s, x, x_2) {
        return None;
    }
    if !same(s, y, y_2) {
        return None;
    }
    let ty0 = root.ty;
    let mut plan = Plan::new();
    let new1 = plan.push(Op::And, ty0, &[Operand::Value(x), Operand::Value(y)]);
    Some(Rewrite { rule: rule(names::XOR_XOR_OR), plan, outcome: Outcome::Value(new1) })
}

// xor_common_and [pays]: xor(and(x, y), and(x, z))
//     # And distributes over exclusive or.
//     => and(x, xor(y, z))
fn xor_common_and<S: Subject>(
    s: &S,
    root: &Root<'_, S::Value>,
    x: S::Value,
    y: S::Value,
    inner2: S::Value,
    x_2: S::Value,
    z: S::Value,
    inner5: S::Value,
) -> Option<Rewrite<S::Value>> {
    if !same(s, x, x_2) {
        return None;
    }
    let dies2 = s.used_once(inner2);
    let dies5 = s.used_once(inner5);
    if 1 + if dies2 { 1 } else { 0 } + if dies5 { 1 } else { 0 } < 2 {
        return None;
    }
    let ty0 = root.ty;
    let mut plan = Plan::new();
    let new1 = plan.push(Op::Xor, ty0, &[Operand::Value(y), Operand::Value(z)]);
    let new2 = plan.push(Op::And, ty0, &[Operand::Value(x), new1]);
    Some(Rewrite { rule: rule(names::XOR_COMMON_AND), plan, outcome: Outcome::Value(new2) })
}

// xor_lshift_common [pays]: xor(lshift(x, z), lshift(y, z))
//     # Each bit moves by itself.
//     => lshift(xor(x, y), z)
fn xor_lshift_common<S: Subject>(
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
    if 1 + if dies2 { 1 } else { 0 } + if dies5 { 1 } else { 0 } < 2 {
        return None;
    }
    let ty0 = root.ty;
    if !is_spoken_of(ty0) {
        return None;
    }
    let mut plan = Plan::new();
    let new1 = plan.push(Op::Xor, ty0, &[Operand::Value(x), Operand::Value(y)]);
    let new2 = plan.push(Op::Lshift, ty0, &[new1, Operand::Value(z)]);
    Some(Rewrite { rule: rule(names::XOR_LSHIFT_COMMON), plan, outcome: Outcome::Value(new2) })
}

// xor_rshift_common [pays]: xor(rshift(x, z), rshift(y, z))
//     # Each bit moves by itself, and the sign is one of them.
//     => rshift(xor(x, y), z)
fn xor_rshift_common<S: Subject>(
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
    if 1 + if dies2 { 1 } else { 0 } + if dies5 { 1 } else { 0 } < 2 {
        return None;
    }
    let ty0 = root.ty;
    if !is_spoken_of(ty0) {
        return None;
    }
    let mut plan = Plan::new();
    let new1 = plan.push(Op::Xor, ty0, &[Operand::Value(x), Operand::Value(y)]);
    let new2 = plan.push(Op::Rshift, ty0, &[new1, Operand::Value(z)]);
    Some(Rewrite { rule: rule(names::XOR_RSHIFT_COMMON), plan, outcome: Outcome::Value(new2) })
}

// xor_urshift_common [pays]: xor(urshift(x, z), urshift(y, z))
//     # Each bit moves by itself.
//     => urshift(xor(x, y), z)
fn xor_urshift_common<S: Subject>(
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
    if 1 + if dies2 { 1 } else { 0 } + if dies5 { 1 } else { 0 } < 2 {
        return None;
    }
    let ty0 = root.ty;
    if !is_spoken_of(ty0) {
        return None;
    }
    let mut plan = Plan::new();
    let new1 = plan.push(Op::Xor, ty0, &[Operand::Value(x), Operand::Value(y)]);
    let new2 = plan.push(Op::Urshift, ty0, &[new1, Operand::Value(z)]);
    Some(Rewrite { rule: rule(names::XOR_URSHIFT_COMMON), plan, outcome: Outcome::Value(new2) })
}

// xor_zext_zext [pays]: xor(zext(x: a), zext(y: a))
//     # The bits above differ in neither.
//     => zext(xor(x, y))
fn xor_zext_zext<S: Subject>(
    s: &S,
    root: &Root<'_, S::Value>,
    x: S::Value,
    inner1: S::Value,
    y: S::Value,
    inner3: S::Value,
) -> Option<Rewrite<S::Value>> {
    if s.ty(x) != s.ty(y) {
        return None;
    }
    let dies1 = s.used_once(inner1);
    let dies3 = s.used_once(inner3);
    if 1 + if dies1 { 1 } else { 0 } + if dies3 { 1 } else { 0 } < 2 {
        return None;
    }
    let ty0 = root.ty;
    let ty1 = s.ty(x);
    if !is_spoken_of(ty0) {
        return None;
    }
    if !is_spoken_of(ty1) {
        return None;
    }
    let mut plan = Plan::new();
    let new1 = plan.push(Op::Xor, ty1, &[Operand::Value(x), Operand::Value(y)]);
    let new2 = plan.push(Op::Zext, ty0, &[new1]);
    Some(Rewrite { rule: rule(names::XOR_ZEXT_ZEXT), plan, outcome: Outcome::Value(new2) })
}

// xor_not_not: xor(not(x), not(y))
//     # Flipping both sides flips the result twice.
//     => xor(x, y)
fn xor_not_not<S: Subject>(
    _s: &S,
    root: &Root<'_, S::Value>,
    x: S::Value,
    y: S::Value,
) -> Option<Rewrite<S::Value>> {
    let ty0 = root.ty;
    let mut plan = Plan::new();
    let new1 = plan.push(Op::Xor, ty0, &[Operand::Value(x), Operand::Value(y)]);
    Some(Rewrite { rule: rule(names::XOR_NOT_NOT), plan, outcome: Outcome::Value(new1) })
}

// xor_or_const_same: xor(or(x, C1), C1)
//     # Bits that are set are cleared again.
//     C = ~C1
//     => and(x, C)
fn xor_or_const_same<S: Subject>(
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
    let the_c1 = int(s, at_c1)?;
    let the_c = Machine.not(the_c1);
    let mut plan = Plan::new();
    let new1 = plan.push(Op::And, ty0, &[Operand::Value(x), Operand::Const(Const::Int(the_c))]);
    Some(Rewrite { rule: rule(names::XOR_OR_CONST_SAME), plan, outcome: Outcome::Value(new1) })
}

// xor_consts [pypy]: xor(xor(x, C1), C2)
//     # (x ^ C1) ^ C2 = x ^ (C1 ^ C2)
//     C = C1 ^ C2
//     => xor(x, C)
fn xor_consts<S: Subject>(
    s: &S,
    root: &Root<'_, S::Value>,
    x: S::Value,
    at_c1: S::Value,
    at_c2: S::Value,
) -> Option<Rewrite<S::Value>> {
    let ty0 = root.ty;
    let the_c1 = int(s, at_c1)?;
    let the_c2 = int(s, at_c2)?;
    let the_c = Machine.xor(the_c1, the_c2);
    let mut plan = Plan::new();
    let new1 = plan.push(Op::Xor, ty0, &[Operand::Value(x), Operand::Const(Const::Int(the_c))]);
    Some(Rewrite { rule: rule(names::XOR_CONSTS), plan, outcome: Outcome::Value(new1) })
}

// xor_and_const_self: xor(and(x, C1), x)
//     # What the mask takes away.
//     C = ~C1
//     => and(x, C)
fn xor_and_const_self<S: Subject>(
    s: &S,
    root: &Root<'_, S::Value>,
    x: S::Value,
    at_c1: S::Value,
    x_2: S::Value,
) -> Option<Rewrite<S::Value>> {
    if !same(s, x, x_2) {
        return None;
    }
    let ty0 = root.ty;
    let the_c1 = int(s, at_c1)?;
    let the_c = Machine.not(the_c1);
    let mut plan = Plan::new();
    let new1 = plan.push(Op::And, ty0, &[Operand::Value(x), Operand::Const(Const::Int(the_c))]);
    Some(Rewrite { rule: rule(names::XOR_AND_CONST_SELF), plan, outcome: Outcome::Value(new1) })
}

// xor_or_const_self [pays]: xor(or(x, C1), x)
//     # The bits that are set anew: C & ~x
//     => xor(and(x, C1), C1)
fn xor_or_const_self<S: Subject>(
    s: &S,
    root: &Root<'_, S::Value>,
    x: S::Value,
    at_c1: S::Value,
    inner2: S::Value,
    x_2: S::Value,
) -> Option<Rewrite<S::Value>> {
    if !same(s, x, x_2) {
        return None;
    }
    let dies2 = s.used_once(inner2);
    if 1 + if dies2 { 1 } else { 0 } < 2 {
        return None;
    }
    let ty0 = root.ty;
    let mut plan = Plan::new();
    let new1 = plan.push(Op::And, ty0, &[Operand::Value(x), Operand::Value(at_c1)]);
    let new2 = plan.push(Op::Xor, ty0, &[new1, Operand::Value(at_c1)]);
    Some(Rewrite { rule: rule(names::XOR_OR_CONST_SELF), plan, outcome: Outcome::Value(new2) })
}

// xor_not_const: xor(not(x), C1)
//     # ~x ^ C = x ^ ~C
//     C = ~C1
//     => xor(x, C)
fn xor_not_const<S: Subject>(
    s: &S,
    root: &Root<'_, S::Value>,
    x: S::Value,
    at_c1: S::Value,
) -> Option<Rewrite<S::Value>> {
    let ty0 = root.ty;
    let the_c1 = int(s, at_c1)?;
    let the_c = Machine.not(the_c1);
    let mut plan = Plan::new();
    let new1 = plan.push(Op::Xor, ty0, &[Operand::Value(x), Operand::Const(Const::Int(the_c))]);
    Some(Rewrite { rule: rule(names::XOR_NOT_CONST), plan, outcome: Outcome::Value(new1) })
}

// xor_bool_one [pypy]: xor(x, 1)
//     # Of a truth value, exclusive or with 1 is the negation.
//     check x.is_bool()
//     => is_zero(x)
fn xor_bool_one<S: Subject>(
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
    let mut plan = Plan::new();
    let new1 = plan.push(Op::IsZero, ty0, &[Operand::Value(x)]);
    Some(Rewrite { rule: rule(names::XOR_BOOL_ONE), plan, outcome: Outcome::Value(new1) })
}

// xor_minus_one [pypy]: xor(x, -1)
//     # Every bit flips.
//     => not(x)
fn xor_minus_one<S: Subject>(
    _s: &S,
    root: &Root<'_, S::Value>,
    x: S::Value,
) -> Option<Rewrite<S::Value>> {
    let ty0 = root.ty;
    let mut plan = Plan::new();
    let new1 = plan.push(Op::Not, ty0, &[Operand::Value(x)]);
    Some(Rewrite { rule: rule(names::XOR_MINUS_ONE), plan, outcome: Outcome::Value(new1) })
}

