//! Rules whose pattern begins with `sub`, in the order in which they are tried:
//!
//! - sub_or_disjoint
//! - sub_xor_disjoint
//! - sub_add_cancel
//! - sub_sub_self
//! - sub_xor_sign
//! - sub_lowest_bit
//! - sub_add_and
//! - sub_add_or
//! - sub_or_and
//! - sub_or_xor
//! - sub_shifted
//! - sub_factor
//! - sub_common_minuend
//! - sub_common_subtrahend
//! - sub_common_term
//! - sub_not_not
//! - sub_const_add
//! - sub_const_sub
//! - sub_and_const_self
//! - sub_multiple_self
//! - sub_from_part
//! - sub_sub_left_self
//! - sub_neg
//! - sub_minus_one_left
//! - sub_zero_left
//! - sub_const
//!
//! Generated from `rules/*.rules`.

use planish_ops::{Bits, Int, Machine, Op};
use planish_rules::speaks::is_spoken_of;
use planish_rules::matching::{Const, Flow, Operand, Outcome, Plan, Rewrite, Root, Subject, int, integer, nodes, offer, operands2, same};

use super::names::{self, rule};

/// Hands every rewrite of a `sub` to `found`, until it says stop.
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
                offer(found, sub_add_cancel(s, root, a0, a1, b))?;
                offer(found, sub_add_cancel(s, root, a1, a0, b))?;
            }
            Some((Op::Or, n)) => {
                let [a0, a1] = operands2(s, n);
                offer(found, sub_or_disjoint(s, root, a0, a1, b))?;
                offer(found, sub_or_disjoint(s, root, a1, a0, b))?;
            }
            Some((Op::Xor, n)) => {
                let [a0, a1] = operands2(s, n);
                offer(found, sub_xor_disjoint(s, root, a0, a1, b))?;
                offer(found, sub_xor_disjoint(s, root, a1, a0, b))?;
            }
            _ => {}
        }
    }
    for node in nodes(s, b) {
        match node {
            Some((Op::Add, n)) => {
                let [b0, b1] = operands2(s, n);
                if s.constant(a).is_some() {
                    if s.constant(b1).is_some() {
                        offer(found, sub_const_add(s, root, a, b0, b1))?;
                    }
                } else {
                    for node in nodes(s, a) {
                        if let Some((Op::Add, n)) = node {
                            let [a0, a1] = operands2(s, n);
                            offer(found, sub_common_term(s, root, a0, a1, b0, b1))?;
                            offer(found, sub_common_term(s, root, a0, a1, b1, b0))?;
                            offer(found, sub_common_term(s, root, a1, a0, b0, b1))?;
                            offer(found, sub_common_term(s, root, a1, a0, b1, b0))?;
                        }
                    }
                }
            }
            Some((Op::Sub, n)) => {
                let [b0, b1] = operands2(s, n);
                offer(found, sub_sub_self(s, root, a, b0, b1))?;
                if s.constant(a).is_some() {
                    if s.constant(b0).is_some() {
                        offer(found, sub_const_sub(s, root, a, b0, b1))?;
                    }
                } else {
                    for node in nodes(s, a) {
                        if let Some((Op::Sub, n)) = node {
                            let [a0, a1] = operands2(s, n);
                            offer(found, sub_common_minuend(s, root, a0, a1, b0, b1))?;
                            offer(found, sub_common_subtrahend(s, root, a0, a1, b0, b1))?;
                        }
                    }
                }
            }
            Some((Op::Mul, n)) => {
                let [b0, b1] = operands2(s, n);
                for node in nodes(s, a) {
                    if let Some((Op::Mul, n)) = node {
                        let [a0, a1] = operands2(s, n);
                        offer(found, sub_factor(s, root, a0, a1, a, b0, b1, b))?;
                        offer(found, sub_factor(s, root, a0, a1, a, b1, b0, b))?;
                        offer(found, sub_factor(s, root, a1, a0, a, b0, b1, b))?;
                        offer(found, sub_factor(s, root, a1, a0, a, b1, b0, b))?;
                    }
                }
            }
            Some((Op::And, n)) => {
                let [b0, b1] = operands2(s, n);
                for node in nodes(s, b1) {
                    if let Some((Op::Neg, n)) = node {
                        let b10 = s.operand(n, 0);
                        offer(found, sub_lowest_bit(s, root, a, b0, b10, b1, b))?;
                    }
                }
                for node in nodes(s, b0) {
                    if let Some((Op::Neg, n)) = node {
                        let b00 = s.operand(n, 0);
                        offer(found, sub_lowest_bit(s, root, a, b1, b00, b0, b))?;
                    }
                }
                for node in nodes(s, a) {
                    match node {
                        Some((Op::Add, n)) => {
                            let [a0, a1] = operands2(s, n);
                            offer(found, sub_add_and(s, root, a0, a1, b0, b1))?;
                            offer(found, sub_add_and(s, root, a0, a1, b1, b0))?;
                        }
                        Some((Op::Or, n)) => {
                            let [a0, a1] = operands2(s, n);
                            offer(found, sub_or_and(s, root, a0, a1, b0, b1))?;
                            offer(found, sub_or_and(s, root, a0, a1, b1, b0))?;
                        }
                        _ => {}
                    }
                }
                if s.constant(b1).is_some() {
                    offer(found, sub_and_const_self(s, root, a, b0, b1))?;
                }
            }
            Some((Op::Or, n)) => {
                let [b0, b1] = operands2(s, n);
                for node in nodes(s, a) {
                    if let Some((Op::Add, n)) = node {
                        let [a0, a1] = operands2(s, n);
                        offer(found, sub_add_or(s, root, a0, a1, b0, b1))?;
                        offer(found, sub_add_or(s, root, a0, a1, b1, b0))?;
                    }
                }
            }
            Some((Op::Xor, n)) => {
                let [b0, b1] = operands2(s, n);
                for node in nodes(s, a) {
                    if let Some((Op::Or, n)) = node {
                        let [a0, a1] = operands2(s, n);
                        offer(found, sub_or_xor(s, root, a0, a1, b0, b1))?;
                        offer(found, sub_or_xor(s, root, a0, a1, b1, b0))?;
                    }
                }
            }
            Some((Op::Not, n)) => {
                let b0 = s.operand(n, 0);
                for node in nodes(s, a) {
                    if let Some((Op::Not, n)) = node {
                        let a0 = s.operand(n, 0);
                        offer(found, sub_not_not(s, root, a0, b0))?;
                    }
                }
            }
            Some((Op::Lshift, n)) => {
                let [b0, b1] = operands2(s, n);
                for node in nodes(s, a) {
                    if let Some((Op::Lshift, n)) = node {
                        let [a0, a1] = operands2(s, n);
                        offer(found, sub_shifted(s, root, a0, a1, a, b0, b1, b))?;
                    }
                }
            }
            Some((Op::Rshift, n)) => {
                let [b0, b1] = operands2(s, n);
                for node in nodes(s, a) {
                    if let Some((Op::Xor, n)) = node {
                        let [a0, a1] = operands2(s, n);
                        if s.constant(b1).is_some() {
                            for node in nodes(s, a1) {
                                if let Some((Op::Rshift, n)) = node {
                                    let [a10, a11] = operands2(s, n);
                                    if s.constant(a11).is_some() {
                                        offer(found, sub_xor_sign(s, root, a0, a10, a11, a1, a, b0, b1, b))?;
                                    }
                                }
                            }
                            for node in nodes(s, a0) {
                                if let Some((Op::Rshift, n)) = node {
                                    let [a00, a01] = operands2(s, n);
                                    if s.constant(a01).is_some() {
                                        offer(found, sub_xor_sign(s, root, a1, a00, a01, a0, a, b0, b1, b))?;
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
        if let Some((Op::Mul, n)) = node {
            let [a0, a1] = operands2(s, n);
            if s.constant(a1).is_some() {
                offer(found, sub_multiple_self(s, root, a0, a1, a, b))?;
            }
        }
    }
    for node in nodes(s, b) {
        if let Some((Op::Add, n)) = node {
            let [b0, b1] = operands2(s, n);
            offer(found, sub_from_part(s, root, a, b0, b1))?;
            offer(found, sub_from_part(s, root, a, b1, b0))?;
        }
    }
    for node in nodes(s, a) {
        if let Some((Op::Sub, n)) = node {
            let [a0, a1] = operands2(s, n);
            offer(found, sub_sub_left_self(s, root, a0, a1, b))?;
        }
    }
    for node in nodes(s, b) {
        if let Some((Op::Neg, n)) = node {
            let b0 = s.operand(n, 0);
            offer(found, sub_neg(s, root, a, b0))?;
        }
    }
    match integer(s, a) {
        Some(-1) => {
            offer(found, sub_minus_one_left(s, root, b))?;
        }
        Some(0) => {
            offer(found, sub_zero_left(s, root, b))?;
        }
        _ => {}
    }
    if s.constant(b).is_some() {
        offer(found, sub_const(s, root, a, b))?;
    }
    Flow::Continue(())
}

// sub_or_disjoint [pypy]: sub(or(x, y), y)
//     # Without common bits x | y is x + y.
//     check x.and_bound(y).known_eq_const(0)
//     => x
fn sub_or_disjoint<S: Subject>(
    s: &S,
    root: &Root<'_, S::Value>,
    x: S::Value,
    y: S::Value,
    y_2: S::Value,
) -> Option<Rewrite<S::Value>> {
    if !same(s, y, y_2) {
        return None;
    }
    let ty0 = root.ty;
    let w0 = ty0.int_width()?;
    let x_fact = s.fact(x);
    let y_fact = s.fact(y);
    if !x_fact.and_bound(y_fact).known_eq_const(Int::new(w0, 0)) {
        return None;
    }
    if !is_spoken_of(ty0) {
        return None;
    }
    Some(Rewrite { rule: rule(names::SUB_OR_DISJOINT), plan: Plan::new(), outcome: Outcome::Value(Operand::Value(x)) })
}

// sub_xor_disjoint [pypy]: sub(xor(x, y), y)
//     # Without common bits x ^ y is x + y.
//     check x.and_bound(y).known_eq_const(0)
//     => x
fn sub_xor_disjoint<S: Subject>(
    s: &S,
    root: &Root<'_, S::Value>,
    x: S::Value,
    y: S::Value,
    y_2: S::Value,
) -> Option<Rewrite<S::Value>> {
    if !same(s, y, y_2) {
        return None;
    }
    let ty0 = root.ty;
    let w0 = ty0.int_width()?;
    let x_fact = s.fact(x);
    let y_fact = s.fact(y);
    if !x_fact.and_bound(y_fact).known_eq_const(Int::new(w0, 0)) {
        return None;
    }
    if !is_spoken_of(ty0) {
        return None;
    }
    Some(Rewrite { rule: rule(names::SUB_XOR_DISJOINT), plan: Plan::new(), outcome: Outcome::Value(Operand::Value(x)) })
}

// sub_add_cancel [pypy]: sub(add(x, y), y)
//     # (x + y) - y = x
//     => x
fn sub_add_cancel<S: Subject>(
    s: &S,
    _root: &Root<'_, S::Value>,
    x: S::Value,
    y: S::Value,
    y_2: S::Value,
) -> Option<Rewrite<S::Value>> {
    if !same(s, y, y_2) {
        return None;
    }
    Some(Rewrite { rule: rule(names::SUB_ADD_CANCEL), plan: Plan::new(), outcome: Outcome::Value(Operand::Value(x)) })
}

// sub_sub_self: sub(x, sub(x, y))
//     # x - (x - y) = y
//     => y
fn sub_sub_self<S: Subject>(
    s: &S,
    _root: &Root<'_, S::Value>,
    x: S::Value,
    x_2: S::Value,
    y: S::Value,
) -> Option<Rewrite<S::Value>> {
    if !same(s, x, x_2) {
        return None;
    }
    Some(Rewrite { rule: rule(names::SUB_SUB_SELF), plan: Plan::new(), outcome: Outcome::Value(Operand::Value(y)) })
}

// sub_xor_sign [pays]: sub(xor(x, rshift(x, C)), rshift(x, C))
//     # Where x is negative, ~x + 1 = -x.
//     check C == LONG_BIT - 1
//     => abs(x)
fn sub_xor_sign<S: Subject>(
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
    Some(Rewrite { rule: rule(names::SUB_XOR_SIGN), plan, outcome: Outcome::Value(new1) })
}

// sub_lowest_bit [pays]: sub(x, and(x, neg(x)))
//     # The lowest one bit is taken away.
//     => and(x, add(x, -1))
fn sub_lowest_bit<S: Subject>(
    s: &S,
    root: &Root<'_, S::Value>,
    x: S::Value,
    x_2: S::Value,
    x_3: S::Value,
    inner3: S::Value,
    inner4: S::Value,
) -> Option<Rewrite<S::Value>> {
    if !same(s, x, x_2) {
        return None;
    }
    if !same(s, x, x_3) {
        return None;
    }
    let dies4 = s.used_once(inner4);
    let dies3 = dies4 && s.used_once(inner3);
    if 1 + if dies4 { 1 } else { 0 } + if dies3 { 1 } else { 0 } < 2 {
        return None;
    }
    let ty0 = root.ty;
    let w0 = ty0.int_width()?;
    let mut plan = Plan::new();
    let new1 = plan.push(Op::Add, ty0, &[Operand::Value(x), Operand::Const(Const::Int(Int::new(w0, -1i64 as u64)))]);
    let new2 = plan.push(Op::And, ty0, &[Operand::Value(x), new1]);
    Some(Rewrite { rule: rule(names::SUB_LOWEST_BIT), plan, outcome: Outcome::Value(new2) })
}

// sub_add_and: sub(add(x, y), and(x, y))
//     # x + y = (x | y) + (x & y)
//     => or(x, y)
fn sub_add_and<S: Subject>(
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
    Some(Rewrite { rule: rule(names::SUB_ADD_AND), plan, outcome: Outcome::Value(new1) })
}

// sub_add_or: sub(add(x, y), or(x, y))
//     # x + y = (x | y) + (x & y)
//     => and(x, y)
fn sub_add_or<S: Subject>(
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
    Some(Rewrite { rule: rule(names::SUB_ADD_OR), plan, outcome: Outcome::Value(new1) })
}

// sub_or_and: sub(or(x, y), and(x, y))
//     # The bits in one of the two and not in both.
//     => xor(x, y)
fn sub_or_and<S: Subject>(
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
    Some(Rewrite { rule: rule(names::SUB_OR_AND), plan, outcome: Outcome::Value(new1) })
}

// sub_or_xor: sub(or(x, y), xor(x, y))
//     # x | y = (x ^ y) + (x & y)
//     => and(x, y)
fn sub_or_xor<S: Subject>(
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
    Some(Rewrite { rule: rule(names::SUB_OR_XOR), plan, outcome: Outcome::Value(new1) })
}

// sub_shifted [pays]: sub(lshift(x, z), lshift(y, z))
//     # A shift to the left is a product.
//     => lshift(sub(x, y), z)
fn sub_shifted<S: Subject>(
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
    let new1 = plan.push(Op::Sub, ty0, &[Operand::Value(x), Operand::Value(y)]);
    let new2 = plan.push(Op::Lshift, ty0, &[new1, Operand::Value(z)]);
    Some(Rewrite { rule: rule(names::SUB_SHIFTED), plan, outcome: Outcome::Value(new2) })
}

// sub_factor [pays]: sub(mul(x, y), mul(x, z))
//     # x * y - x * z = x * (y - z)
//     => mul(x, sub(y, z))
fn sub_factor<S: Subject>(
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
    if 1 + if dies2 { 3 } else { 0 } + if dies5 { 3 } else { 0 } < 4 {
        return None;
    }
    let ty0 = root.ty;
    let mut plan = Plan::new();
    let new1 = plan.push(Op::Sub, ty0, &[Operand::Value(y), Operand::Value(z)]);
    let new2 = plan.push(Op::Mul, ty0, &[Operand::Value(x), new1]);
    Some(Rewrite { rule: rule(names::SUB_FACTOR), plan, outcome: Outcome::Value(new2) })
}

// sub_common_minuend: sub(sub(x, y), sub(x, z))
//     # (x - y) - (x - z) = z - y
//     => sub(z, y)
fn sub_common_minuend<S: Subject>(
    s: &S,
    root: &Root<'_, S::Value>,
    x: S::Value,
    y: S::Value,
    x_2: S::Value,
    z: S::Value,
) -> Option<Rewrite<S::Value>> {
    if !same(s, x, x_2) {
        return None;
    }
    let ty0 = root.ty;
    let mut plan = Plan::new();
    let new1 = plan.push(Op::Sub, ty0, &[Operand::Value(z), Operand::Value(y)]);
    Some(Rewrite { rule: rule(names::SUB_COMMON_MINUEND), plan, outcome: Outcome::Value(new1) })
}

// sub_common_subtrahend: sub(sub(x, y), sub(z, y))
//     # (x - y) - (z - y) = x - z
//     => sub(x, z)
fn sub_common_subtrahend<S: Subject>(
    s: &S,
    root: &Root<'_, S::Value>,
    x: S::Value,
    y: S::Value,
    z: S::Value,
    y_2: S::Value,
) -> Option<Rewrite<S::Value>> {
    if !same(s, y, y_2) {
        return None;
    }
    let ty0 = root.ty;
    let mut plan = Plan::new();
    let new1 = plan.push(Op::Sub, ty0, &[Operand::Value(x), Operand::Value(z)]);
    Some(Rewrite { rule: rule(names::SUB_COMMON_SUBTRAHEND), plan, outcome: Outcome::Value(new1) })
}

// sub_common_term: sub(add(x, y), add(x, z))
//     # The common term goes.
//     => sub(y, z)
fn sub_common_term<S: Subject>(
    s: &S,
    root: &Root<'_, S::Value>,
    x: S::Value,
    y: S::Value,
    x_2: S::Value,
    z: S::Value,
) -> Option<Rewrite<S::Value>> {
    if !same(s, x, x_2) {
        return None;
    }
    let ty0 = root.ty;
    let mut plan = Plan::new();
    let new1 = plan.push(Op::Sub, ty0, &[Operand::Value(y), Operand::Value(z)]);
    Some(Rewrite { rule: rule(names::SUB_COMMON_TERM), plan, outcome: Outcome::Value(new1) })
}

// sub_not_not: sub(not(x), not(y))
//     # ~x - ~y = (-x - 1) - (-y - 1) = y - x
//     => sub(y, x)
fn sub_not_not<S: Subject>(
    _s: &S,
    root: &Root<'_, S::Value>,
    x: S::Value,
    y: S::Value,
) -> Option<Rewrite<S::Value>> {
    let ty0 = root.ty;
    let mut plan = Plan::new();
    let new1 = plan.push(Op::Sub, ty0, &[Operand::Value(y), Operand::Value(x)]);
    Some(Rewrite { rule: rule(names::SUB_NOT_NOT), plan, outcome: Outcome::Value(new1) })
}

// sub_const_add: sub(C1, add(x, C2))
//     # C1 - (x + C2) = (C1 - C2) - x
//     C = C1 - C2
//     => sub(C, x)
fn sub_const_add<S: Subject>(
    s: &S,
    root: &Root<'_, S::Value>,
    at_c1: S::Value,
    x: S::Value,
    at_c2: S::Value,
) -> Option<Rewrite<S::Value>> {
    let ty0 = root.ty;
    let the_c1 = int(s, at_c1)?;
    let the_c2 = int(s, at_c2)?;
    let the_c = Machine.sub(the_c1, the_c2);
    let mut plan = Plan::new();
    let new1 = plan.push(Op::Sub, ty0, &[Operand::Const(Const::Int(the_c)), Operand::Value(x)]);
    Some(Rewrite { rule: rule(names::SUB_CONST_ADD), plan, outcome: Outcome::Value(new1) })
}

// sub_const_sub [pypy]: sub(C1, sub(C2, x))
//     # C1 - (C2 - x) = x + (C1 - C2)
//     C = C1 - C2
//     => add(x, C)
fn sub_const_sub<S: Subject>(
    s: &S,
    root: &Root<'_, S::Value>,
    at_c1: S::Value,
    at_c2: S::Value,
    x: S::Value,
) -> Option<Rewrite<S::Value>> {
    let ty0 = root.ty;
    let the_c1 = int(s, at_c1)?;
    let the_c2 = int(s, at_c2)?;
    let the_c = Machine.sub(the_c1, the_c2);
    let mut plan = Plan::new();
    let new1 = plan.push(Op::Add, ty0, &[Operand::Value(x), Operand::Const(Const::Int(the_c))]);
    Some(Rewrite { rule: rule(names::SUB_CONST_SUB), plan, outcome: Outcome::Value(new1) })
}

// sub_and_const_self: sub(x, and(x, C1))
//     # What the mask takes away; nothing is borrowed.
//     C = ~C1
//     => and(x, C)
fn sub_and_const_self<S: Subject>(
    s: &S,
    root: &Root<'_, S::Value>,
    x: S::Value,
    x_2: S::Value,
    at_c1: S::Value,
) -> Option<Rewrite<S::Value>> {
    if !same(s, x, x_2) {
        return None;
    }
    let ty0 = root.ty;
    let the_c1 = int(s, at_c1)?;
    let the_c = Machine.not(the_c1);
    let mut plan = Plan::new();
    let new1 = plan.push(Op::And, ty0, &[Operand::Value(x), Operand::Const(Const::Int(the_c))]);
    Some(Rewrite { rule: rule(names::SUB_AND_CONST_SELF), plan, outcome: Outcome::Value(new1) })
}

// sub_multiple_self [pays]: sub(mul(x, C), x)
//     # C * x - x = (C - 1) * x
//     M = C - 1
//     => mul(x, M)
fn sub_multiple_self<S: Subject>(
    s: &S,
    root: &Root<'_, S::Value>,
    x: S::Value,
    at_c: S::Value,
    inner2: S::Value,
    x_2: S::Value,
) -> Option<Rewrite<S::Value>> {
    if !same(s, x, x_2) {
        return None;
    }
    let dies2 = s.used_once(inner2);
    if 1 + if dies2 { 3 } else { 0 } < 3 {
        return None;
    }
    let ty0 = root.ty;
    let w0 = ty0.int_width()?;
    if w0 < 2 {
        return None;
    }
    let the_c = int(s, at_c)?;
    let the_m = Machine.sub(the_c, Int::new(w0, 1));
    let mut plan = Plan::new();
    let new1 = plan.push(Op::Mul, ty0, &[Operand::Value(x), Operand::Const(Const::Int(the_m))]);
    Some(Rewrite { rule: rule(names::SUB_MULTIPLE_SELF), plan, outcome: Outcome::Value(new1) })
}

// sub_from_part [pypy]: sub(y, add(x, y))
//     # y - (x + y) = -x
//     => neg(x)
fn sub_from_part<S: Subject>(
    s: &S,
    root: &Root<'_, S::Value>,
    y: S::Value,
    x: S::Value,
    y_2: S::Value,
) -> Option<Rewrite<S::Value>> {
    if !same(s, y, y_2) {
        return None;
    }
    let ty0 = root.ty;
    let mut plan = Plan::new();
    let new1 = plan.push(Op::Neg, ty0, &[Operand::Value(x)]);
    Some(Rewrite { rule: rule(names::SUB_FROM_PART), plan, outcome: Outcome::Value(new1) })
}

// sub_sub_left_self: sub(sub(x, y), x)
//     # (x - y) - x = -y
//     => neg(y)
fn sub_sub_left_self<S: Subject>(
    s: &S,
    root: &Root<'_, S::Value>,
    x: S::Value,
    y: S::Value,
    x_2: S::Value,
) -> Option<Rewrite<S::Value>> {
    if !same(s, x, x_2) {
        return None;
    }
    let ty0 = root.ty;
    let mut plan = Plan::new();
    let new1 = plan.push(Op::Neg, ty0, &[Operand::Value(y)]);
    Some(Rewrite { rule: rule(names::SUB_SUB_LEFT_SELF), plan, outcome: Outcome::Value(new1) })
}

// sub_neg [pypy]: sub(x, neg(y))
//     # x - -y = x + y
//     => add(x, y)
fn sub_neg<S: Subject>(
    _s: &S,
    root: &Root<'_, S::Value>,
    x: S::Value,
    y: S::Value,
) -> Option<Rewrite<S::Value>> {
    let ty0 = root.ty;
    let mut plan = Plan::new();
    let new1 = plan.push(Op::Add, ty0, &[Operand::Value(x), Operand::Value(y)]);
    Some(Rewrite { rule: rule(names::SUB_NEG), plan, outcome: Outcome::Value(new1) })
}

// sub_minus_one_left: sub(-1, x)
//     # -1 - x = ~x
//     => not(x)
fn sub_minus_one_left<S: Subject>(
    _s: &S,
    root: &Root<'_, S::Value>,
    x: S::Value,
) -> Option<Rewrite<S::Value>> {
    let ty0 = root.ty;
    let mut plan = Plan::new();
    let new1 = plan.push(Op::Not, ty0, &[Operand::Value(x)]);
    Some(Rewrite { rule: rule(names::SUB_MINUS_ONE_LEFT), plan, outcome: Outcome::Value(new1) })
}

// sub_zero_left [pypy]: sub(0, x)
//     # 0 - x = -x
//     => neg(x)
fn sub_zero_left<S: Subject>(
    _s: &S,
    root: &Root<'_, S::Value>,
    x: S::Value,
) -> Option<Rewrite<S::Value>> {
    let ty0 = root.ty;
    let mut plan = Plan::new();
    let new1 = plan.push(Op::Neg, ty0, &[Operand::Value(x)]);
    Some(Rewrite { rule: rule(names::SUB_ZERO_LEFT), plan, outcome: Outcome::Value(new1) })
}

// sub_const [pypy]: sub(x, C1)
//     # x - C = x + -C: one form for sums with constants.
//     C = -C1
//     => add(x, C)
fn sub_const<S: Subject>(
    s: &S,
    root: &Root<'_, S::Value>,
    x: S::Value,
    at_c1: S::Value,
) -> Option<Rewrite<S::Value>> {
    let ty0 = root.ty;
    let the_c1 = int(s, at_c1)?;
    let the_c = Machine.neg(the_c1);
    let mut plan = Plan::new();
    let new1 = plan.push(Op::Add, ty0, &[Operand::Value(x), Operand::Const(Const::Int(the_c))]);
    Some(Rewrite { rule: rule(names::SUB_CONST), plan, outcome: Outcome::Value(new1) })
}

