//! Rules whose pattern begins with `add`, in the order in which they are tried:
//!
//! - add_not_self
//! - add_floordiv_floormod
//! - add_sdiv_srem
//! - add_udiv_urem
//! - add_sub_cancel
//! - add_max_bits_minus_one
//! - add_umax_bits_minus_one
//! - add_multiple_floordiv
//! - add_multiple_sdiv
//! - add_multiple_udiv
//! - add_and_or
//! - add_xor_and
//! - add_shifted
//! - add_factor
//! - add_differences
//! - add_minus_cancel
//! - add_neg_neg
//! - add_const_minus
//! - add_consts
//! - add_not_one
//! - add_multiple_self
//! - add_neg_const
//! - add_neg
//! - add_same
//!
//! Generated from `rules/*.rules`.

use planish_ops::{Bits, Int, Machine, Op};
use planish_rules::speaks::is_spoken_of;
use planish_rules::matching::{Const, Flow, Operand, Outcome, Plan, Rewrite, Root, Subject, constant_last, int, integer, nodes, offer, operands2, same};

use super::names::{self, rule};

/// Hands every rewrite of a `add` to `found`, until it says stop.
pub fn root<S: Subject>(
    s: &S,
    root: &Root<'_, S::Value>,
    found: &mut impl FnMut(Rewrite<S::Value>) -> Flow,
) -> Flow {
    let [a, b] = constant_last(s, [root.args[0], root.args[1]]);
    for node in nodes(s, b) {
        if let Some((Op::Not, n)) = node {
            let b0 = s.operand(n, 0);
            offer(found, add_not_self(s, root, a, b0))?;
        }
    }
    for node in nodes(s, a) {
        match node {
            Some((Op::Sub, n)) => {
                let [a0, a1] = operands2(s, n);
                offer(found, add_sub_cancel(s, root, a0, a1, b))?;
            }
            Some((Op::Mul, n)) => {
                let [a0, a1] = operands2(s, n);
                for node in nodes(s, b) {
                    match node {
                        Some((Op::Urem, n)) => {
                            let [b0, b1] = operands2(s, n);
                            for node in nodes(s, a0) {
                                if let Some((Op::Udiv, n)) = node {
                                    let [a00, a01] = operands2(s, n);
                                    offer(found, add_udiv_urem(s, root, a00, a01, a1, b0, b1))?;
                                }
                            }
                            for node in nodes(s, a1) {
                                if let Some((Op::Udiv, n)) = node {
                                    let [a10, a11] = operands2(s, n);
                                    offer(found, add_udiv_urem(s, root, a10, a11, a0, b0, b1))?;
                                }
                            }
                        }
                        Some((Op::Srem, n)) => {
                            let [b0, b1] = operands2(s, n);
                            for node in nodes(s, a0) {
                                if let Some((Op::Sdiv, n)) = node {
                                    let [a00, a01] = operands2(s, n);
                                    offer(found, add_sdiv_srem(s, root, a00, a01, a1, b0, b1))?;
                                }
                            }
                            for node in nodes(s, a1) {
                                if let Some((Op::Sdiv, n)) = node {
                                    let [a10, a11] = operands2(s, n);
                                    offer(found, add_sdiv_srem(s, root, a10, a11, a0, b0, b1))?;
                                }
                            }
                        }
                        Some((Op::FloorMod, n)) => {
                            let [b0, b1] = operands2(s, n);
                            for node in nodes(s, a0) {
                                if let Some((Op::FloorDiv, n)) = node {
                                    let [a00, a01] = operands2(s, n);
                                    offer(found, add_floordiv_floormod(s, root, a00, a01, a1, b0, b1))?;
                                }
                            }
                            for node in nodes(s, a1) {
                                if let Some((Op::FloorDiv, n)) = node {
                                    let [a10, a11] = operands2(s, n);
                                    offer(found, add_floordiv_floormod(s, root, a10, a11, a0, b0, b1))?;
                                }
                            }
                        }
                        _ => {}
                    }
                }
            }
            Some((Op::Urem, n)) => {
                let [a0, a1] = operands2(s, n);
                for node in nodes(s, b) {
                    if let Some((Op::Mul, n)) = node {
                        let [b0, b1] = operands2(s, n);
                        for node in nodes(s, b0) {
                            if let Some((Op::Udiv, n)) = node {
                                let [b00, b01] = operands2(s, n);
                                offer(found, add_udiv_urem(s, root, b00, b01, b1, a0, a1))?;
                            }
                        }
                        for node in nodes(s, b1) {
                            if let Some((Op::Udiv, n)) = node {
                                let [b10, b11] = operands2(s, n);
                                offer(found, add_udiv_urem(s, root, b10, b11, b0, a0, a1))?;
                            }
                        }
                    }
                }
            }
            Some((Op::Srem, n)) => {
                let [a0, a1] = operands2(s, n);
                for node in nodes(s, b) {
                    if let Some((Op::Mul, n)) = node {
                        let [b0, b1] = operands2(s, n);
                        for node in nodes(s, b0) {
                            if let Some((Op::Sdiv, n)) = node {
                                let [b00, b01] = operands2(s, n);
                                offer(found, add_sdiv_srem(s, root, b00, b01, b1, a0, a1))?;
                            }
                        }
                        for node in nodes(s, b1) {
                            if let Some((Op::Sdiv, n)) = node {
                                let [b10, b11] = operands2(s, n);
                                offer(found, add_sdiv_srem(s, root, b10, b11, b0, a0, a1))?;
                            }
                        }
                    }
                }
            }
            Some((Op::FloorMod, n)) => {
                let [a0, a1] = operands2(s, n);
                for node in nodes(s, b) {
                    if let Some((Op::Mul, n)) = node {
                        let [b0, b1] = operands2(s, n);
                        for node in nodes(s, b0) {
                            if let Some((Op::FloorDiv, n)) = node {
                                let [b00, b01] = operands2(s, n);
                                offer(found, add_floordiv_floormod(s, root, b00, b01, b1, a0, a1))?;
                            }
                        }
                        for node in nodes(s, b1) {
                            if let Some((Op::FloorDiv, n)) = node {
                                let [b10, b11] = operands2(s, n);
                                offer(found, add_floordiv_floormod(s, root, b10, b11, b0, a0, a1))?;
                            }
                        }
                    }
                }
            }
            Some((Op::Not, n)) => {
                let a0 = s.operand(n, 0);
                offer(found, add_not_self(s, root, b, a0))?;
            }
            _ => {}
        }
    }
    if let Some(constant) = s.constant(b) {
        match constant {
            Const::Int(i) if i.signed() == -1 => {
                for node in nodes(s, a) {
                    match node {
                        Some((Op::Add, n)) => {
                            let [a0, a1] = operands2(s, n);
                            part1(s, root, found, b, a0, a1)?;
                        }
                        Some((Op::Sub, n)) => {
                            let [a0, a1] = operands2(s, n);
                            part2(s, root, found, b, a0, a1)?;
                        }
                        Some((Op::Max, n)) => {
                            let [a0, a1] = operands2(s, n);
                            for node in nodes(s, a0) {
                                if let Some((Op::Sub, n)) = node {
                                    let [a00, a01] = operands2(s, n);
                                    if s.constant(a00).is_some() {
                                        for node in nodes(s, a01) {
                                            if let Some((Op::Clz, n)) = node {
                                                let a010 = s.operand(n, 0);
                                                if integer(s, a1) == Some(1) {
                                                    offer(found, add_max_bits_minus_one(s, root, a00, a010, a01, a0, a))?;
                                                }
                                            }
                                        }
                                    }
                                }
                            }
                        }
                        Some((Op::Umax, n)) => {
                            let [a0, a1] = operands2(s, n);
                            for node in nodes(s, a0) {
                                if let Some((Op::Sub, n)) = node {
                                    let [a00, a01] = operands2(s, n);
                                    if s.constant(a00).is_some() {
                                        for node in nodes(s, a01) {
                                            if let Some((Op::Clz, n)) = node {
                                                let a010 = s.operand(n, 0);
                                                if integer(s, a1) == Some(1) {
                                                    offer(found, add_umax_bits_minus_one(s, root, a00, a010, a01, a0, a))?;
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
            }
            Const::Int(i) if i.signed() == 1 => {
                for node in nodes(s, a) {
                    match node {
                        Some((Op::Add, n)) => {
                            let [a0, a1] = operands2(s, n);
                            part1(s, root, found, b, a0, a1)?;
                        }
                        Some((Op::Sub, n)) => {
                            let [a0, a1] = operands2(s, n);
                            part2(s, root, found, b, a0, a1)?;
                        }
                        Some((Op::Not, n)) => {
                            let a0 = s.operand(n, 0);
                            offer(found, add_not_one(s, root, a0))?;
                        }
                        _ => {}
                    }
                }
            }
            _ => {
                for node in nodes(s, a) {
                    match node {
                        Some((Op::Add, n)) => {
                            let [a0, a1] = operands2(s, n);
                            part1(s, root, found, b, a0, a1)?;
                        }
                        Some((Op::Sub, n)) => {
                            let [a0, a1] = operands2(s, n);
                            part2(s, root, found, b, a0, a1)?;
                        }
                        _ => {}
                    }
                }
            }
        }
    } else {
        for node in nodes(s, b) {
            match node {
                Some((Op::Add, n)) => {
                    let [b0, b1] = operands2(s, n);
                    for node in nodes(s, a) {
                        if let Some((Op::Sub, n)) = node {
                            let [a0, a1] = operands2(s, n);
                            offer(found, add_minus_cancel(s, root, b0, b1, a0, a1))?;
                            offer(found, add_minus_cancel(s, root, b1, b0, a0, a1))?;
                        }
                    }
                }
                Some((Op::Sub, n)) => {
                    let [b0, b1] = operands2(s, n);
                    offer(found, add_sub_cancel(s, root, b0, b1, a))?;
                    for node in nodes(s, a) {
                        match node {
                            Some((Op::Add, n)) => {
                                let [a0, a1] = operands2(s, n);
                                offer(found, add_minus_cancel(s, root, a0, a1, b0, b1))?;
                                offer(found, add_minus_cancel(s, root, a1, a0, b0, b1))?;
                            }
                            Some((Op::Sub, n)) => {
                                let [a0, a1] = operands2(s, n);
                                offer(found, add_differences(s, root, a0, a1, b0, b1))?;
                                offer(found, add_differences(s, root, b0, b1, a0, a1))?;
                            }
                            _ => {}
                        }
                    }
                }
                Some((Op::Mul, n)) => {
                    let [b0, b1] = operands2(s, n);
                    for node in nodes(s, a) {
                        match node {
                            Some((Op::Mul, n)) => {
                                let [a0, a1] = operands2(s, n);
                                offer(found, add_factor(s, root, a0, a1, a, b0, b1, b))?;
                                offer(found, add_factor(s, root, a0, a1, a, b1, b0, b))?;
                                offer(found, add_factor(s, root, b0, b1, b, a1, a0, a))?;
                                offer(found, add_factor(s, root, a1, a0, a, b1, b0, b))?;
                            }
                            Some((Op::Urem, n)) => {
                                let [a0, a1] = operands2(s, n);
                                for node in nodes(s, b0) {
                                    if let Some((Op::Udiv, n)) = node {
                                        let [b00, b01] = operands2(s, n);
                                        if s.constant(b1).is_some() {
                                            if s.constant(a1).is_some() {
                                                if s.constant(b01).is_some() {
                                                    offer(found, add_multiple_udiv(s, root, b00, b01, b0, b1, b, a0, a1, a))?;
                                                }
                                            }
                                        }
                                    }
                                }
                            }
                            Some((Op::Srem, n)) => {
                                let [a0, a1] = operands2(s, n);
                                for node in nodes(s, b0) {
                                    if let Some((Op::Sdiv, n)) = node {
                                        let [b00, b01] = operands2(s, n);
                                        if s.constant(b1).is_some() {
                                            if s.constant(a1).is_some() {
                                                if s.constant(b01).is_some() {
                                                    offer(found, add_multiple_sdiv(s, root, b00, b01, b0, b1, b, a0, a1, a))?;
                                                }
                                            }
                                        }
                                    }
                                }
                            }
                            Some((Op::FloorMod, n)) => {
                                let [a0, a1] = operands2(s, n);
                                if s.constant(a1).is_some() {
                                    for node in nodes(s, b0) {
                                        if let Some((Op::FloorDiv, n)) = node {
                                            let [b00, b01] = operands2(s, n);
                                            if s.constant(b01).is_some() {
                                                if s.constant(b1).is_some() {
                                                    offer(found, add_multiple_floordiv(s, root, b00, b01, b0, b1, b, a0, a1, a))?;
                                                }
                                            }
                                        }
                                    }
                                }
                            }
                            _ => {}
                        }
                    }
                }
                Some((Op::Neg, n)) => {
                    let b0 = s.operand(n, 0);
                    for node in nodes(s, a) {
                        if let Some((Op::Neg, n)) = node {
                            let a0 = s.operand(n, 0);
                            offer(found, add_neg_neg(s, root, a0, a, b0, b))?;
                        }
                    }
                }
                Some((Op::Urem, n)) => {
                    let [b0, b1] = operands2(s, n);
                    for node in nodes(s, a) {
                        if let Some((Op::Mul, n)) = node {
                            let [a0, a1] = operands2(s, n);
                            for node in nodes(s, a0) {
                                if let Some((Op::Udiv, n)) = node {
                                    let [a00, a01] = operands2(s, n);
                                    if s.constant(a1).is_some() {
                                        if s.constant(a01).is_some() {
                                            if s.constant(b1).is_some() {
                                                offer(found, add_multiple_udiv(s, root, a00, a01, a0, a1, a, b0, b1, b))?;
                                            }
                                        }
                                    }
                                }
                            }
                        }
                    }
                }
                Some((Op::Srem, n)) => {
                    let [b0, b1] = operands2(s, n);
                    for node in nodes(s, a) {
                        if let Some((Op::Mul, n)) = node {
                            let [a0, a1] = operands2(s, n);
                            for node in nodes(s, a0) {
                                if let Some((Op::Sdiv, n)) = node {
                                    let [a00, a01] = operands2(s, n);
                                    if s.constant(a1).is_some() {
                                        if s.constant(a01).is_some() {
                                            if s.constant(b1).is_some() {
                                                offer(found, add_multiple_sdiv(s, root, a00, a01, a0, a1, a, b0, b1, b))?;
                                            }
                                        }
                                    }
                                }
                            }
                        }
                    }
                }
                Some((Op::FloorMod, n)) => {
                    let [b0, b1] = operands2(s, n);
                    for node in nodes(s, a) {
                        if let Some((Op::Mul, n)) = node {
                            let [a0, a1] = operands2(s, n);
                            for node in nodes(s, a0) {
                                if let Some((Op::FloorDiv, n)) = node {
                                    let [a00, a01] = operands2(s, n);
                                    if s.constant(a01).is_some() {
                                        if s.constant(a1).is_some() {
                                            if s.constant(b1).is_some() {
                                                offer(found, add_multiple_floordiv(s, root, a00, a01, a0, a1, a, b0, b1, b))?;
                                            }
                                        }
                                    }
                                }
                            }
                        }
                    }
                }
                Some((Op::And, n)) => {
                    let [b0, b1] = operands2(s, n);
                    for node in nodes(s, a) {
                        match node {
                            Some((Op::Or, n)) => {
                                let [a0, a1] = operands2(s, n);
                                offer(found, add_and_or(s, root, b0, b1, a0, a1))?;
                                offer(found, add_and_or(s, root, b0, b1, a1, a0))?;
                            }
                            Some((Op::Xor, n)) => {
                                let [a0, a1] = operands2(s, n);
                                offer(found, add_xor_and(s, root, a0, a1, b0, b1))?;
                                offer(found, add_xor_and(s, root, a0, a1, b1, b0))?;
                            }
                            _ => {}
                        }
                    }
                }
                Some((Op::Or, n)) => {
                    let [b0, b1] = operands2(s, n);
                    for node in nodes(s, a) {
                        if let Some((Op::And, n)) = node {
                            let [a0, a1] = operands2(s, n);
                            offer(found, add_and_or(s, root, a0, a1, b0, b1))?;
                            offer(found, add_and_or(s, root, a0, a1, b1, b0))?;
                        }
                    }
                }
                Some((Op::Xor, n)) => {
                    let [b0, b1] = operands2(s, n);
                    for node in nodes(s, a) {
                        if let Some((Op::And, n)) = node {
                            let [a0, a1] = operands2(s, n);
                            offer(found, add_xor_and(s, root, b0, b1, a0, a1))?;
                            offer(found, add_xor_and(s, root, b0, b1, a1, a0))?;
                        }
                    }
                }
                Some((Op::Lshift, n)) => {
                    let [b0, b1] = operands2(s, n);
                    for node in nodes(s, a) {
                        if let Some((Op::Lshift, n)) = node {
                            let [a0, a1] = operands2(s, n);
                            offer(found, add_shifted(s, root, a0, a1, a, b0, b1, b))?;
                        }
                    }
                }
                _ => {}
            }
        }
    }
    for node in nodes(s, a) {
        if let Some((Op::Mul, n)) = node {
            let [a0, a1] = operands2(s, n);
            if s.constant(a1).is_some() {
                offer(found, add_multiple_self(s, root, a0, a1, a, b))?;
            }
        }
    }
    if s.constant(b).is_some() {
        for node in nodes(s, a) {
            if let Some((Op::Neg, n)) = node {
                let a0 = s.operand(n, 0);
                offer(found, add_neg_const(s, root, a0, b))?;
            }
        }
    } else {
        for node in nodes(s, b) {
            match node {
                Some((Op::Mul, n)) => {
                    let [b0, b1] = operands2(s, n);
                    if s.constant(b1).is_some() {
                        offer(found, add_multiple_self(s, root, b0, b1, b, a))?;
                    }
                }
                Some((Op::Neg, n)) => {
                    let b0 = s.operand(n, 0);
                    offer(found, add_neg(s, root, a, b0))?;
                }
                _ => {}
            }
        }
    }
    for node in nodes(s, a) {
        if let Some((Op::Neg, n)) = node {
            let a0 = s.operand(n, 0);
            offer(found, add_neg(s, root, b, a0))?;
        }
    }
    offer(found, add_same(s, root, a, b))?;
    Flow::Continue(())
}

fn part1<S: Subject>(
    s: &S,
    root: &Root<'_, S::Value>,
    found: &mut impl FnMut(Rewrite<S::Value>) -> Flow,
    b: S::Value,
    a0: S::Value,
    a1: S::Value,
) -> Flow {
    if s.constant(a1).is_some() {
        offer(found, add_consts(s, root, a0, a1, b))?;
    }
    Flow::Continue(())
}

fn part2<S: Subject>(
    s: &S,
    root: &Root<'_, S::Value>,
    found: &mut impl FnMut(Rewrite<S::Value>) -> Flow,
    b: S::Value,
    a0: S::Value,
    a1: S::Value,
) -> Flow {
    if s.constant(a0).is_some() {
        offer(found, add_const_minus(s, root, a0, a1, b))?;
    }
    Flow::Continue(())
}

// add_not_self: add(x, not(x))
//     # ~x = -1 - x
//     => -1
fn add_not_self<S: Subject>(
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
    Some(Rewrite { rule: rule(names::ADD_NOT_SELF), plan: Plan::new(), outcome: Outcome::Value(Operand::Const(Const::Int(Int::new(w0, -1i64 as u64)))) })
}

// add_floordiv_floormod: add(mul(floordiv(x, y), y), floormod(x, y))
//     # The quotient times the divisor plus the remainder is the dividend.
//     => x
fn add_floordiv_floormod<S: Subject>(
    s: &S,
    root: &Root<'_, S::Value>,
    x: S::Value,
    y: S::Value,
    y_2: S::Value,
    x_2: S::Value,
    y_3: S::Value,
) -> Option<Rewrite<S::Value>> {
    if !same(s, y, y_2) {
        return None;
    }
    if !same(s, x, x_2) {
        return None;
    }
    if !same(s, y, y_3) {
        return None;
    }
    if !is_spoken_of(root.ty) {
        return None;
    }
    Some(Rewrite { rule: rule(names::ADD_FLOORDIV_FLOORMOD), plan: Plan::new(), outcome: Outcome::Value(Operand::Value(x)) })
}

// add_sdiv_srem: add(mul(sdiv(x, y), y), srem(x, y))
//     # The quotient times the divisor plus the remainder is the dividend.
//     => x
fn add_sdiv_srem<S: Subject>(
    s: &S,
    root: &Root<'_, S::Value>,
    x: S::Value,
    y: S::Value,
    y_2: S::Value,
    x_2: S::Value,
    y_3: S::Value,
) -> Option<Rewrite<S::Value>> {
    if !same(s, y, y_2) {
        return None;
    }
    if !same(s, x, x_2) {
        return None;
    }
    if !same(s, y, y_3) {
        return None;
    }
    if !is_spoken_of(root.ty) {
        return None;
    }
    Some(Rewrite { rule: rule(names::ADD_SDIV_SREM), plan: Plan::new(), outcome: Outcome::Value(Operand::Value(x)) })
}

// add_udiv_urem: add(mul(udiv(x, y), y), urem(x, y))
//     # The quotient times the divisor plus the remainder is the dividend.
//     => x
fn add_udiv_urem<S: Subject>(
    s: &S,
    root: &Root<'_, S::Value>,
    x: S::Value,
    y: S::Value,
    y_2: S::Value,
    x_2: S::Value,
    y_3: S::Value,
) -> Option<Rewrite<S::Value>> {
    if !same(s, y, y_2) {
        return None;
    }
    if !same(s, x, x_2) {
        return None;
    }
    if !same(s, y, y_3) {
        return None;
    }
    if !is_spoken_of(root.ty) {
        return None;
    }
    Some(Rewrite { rule: rule(names::ADD_UDIV_UREM), plan: Plan::new(), outcome: Outcome::Value(Operand::Value(x)) })
}

// add_sub_cancel [pypy]: add(sub(x, y), y)
//     # (x - y) + y = x
//     => x
fn add_sub_cancel<S: Subject>(
    s: &S,
    _root: &Root<'_, S::Value>,
    x: S::Value,
    y: S::Value,
    y_2: S::Value,
) -> Option<Rewrite<S::Value>> {
    if !same(s, y, y_2) {
        return None;
    }
    Some(Rewrite { rule: rule(names::ADD_SUB_CANCEL), plan: Plan::new(), outcome: Outcome::Value(Operand::Value(x)) })
}

// add_max_bits_minus_one [pays]: add(max(sub(LONG_BIT, clz(x)), 1), -1)
//     # With the lowest bit set there is at least one to count.
//     C = LONG_BIT - 1
//     => sub(C, clz(or(x, 1)))
fn add_max_bits_minus_one<S: Subject>(
    s: &S,
    root: &Root<'_, S::Value>,
    inner0: S::Value,
    x: S::Value,
    inner2: S::Value,
    inner3: S::Value,
    inner5: S::Value,
) -> Option<Rewrite<S::Value>> {
    let dies5 = s.used_once(inner5);
    let dies3 = dies5 && s.used_once(inner3);
    let dies2 = dies3 && s.used_once(inner2);
    if 1 + if dies5 { 1 } else { 0 } + if dies3 { 1 } else { 0 } + if dies2 { 1 } else { 0 } < 3 {
        return None;
    }
    let ty0 = root.ty;
    let w0 = ty0.int_width()?;
    if w0 < 3 {
        return None;
    }
    if int(s, inner0)? != Int::new(w0, u64::from(w0)) {
        return None;
    }
    let the_c = Machine.sub(Int::new(w0, u64::from(w0)), Int::new(w0, 1));
    if !is_spoken_of(ty0) {
        return None;
    }
    let mut plan = Plan::new();
    let new1 = plan.push(Op::Or, ty0, &[Operand::Value(x), Operand::Const(Const::Int(Int::new(w0, 1)))]);
    let new2 = plan.push(Op::Clz, ty0, &[new1]);
    let new3 = plan.push(Op::Sub, ty0, &[Operand::Const(Const::Int(the_c)), new2]);
    Some(Rewrite { rule: rule(names::ADD_MAX_BITS_MINUS_ONE), plan, outcome: Outcome::Value(new3) })
}

// add_umax_bits_minus_one [pays]: add(umax(sub(LONG_BIT, clz(x)), 1), -1)
//     # With the lowest bit set there is at least one to count.
//     C = LONG_BIT - 1
//     => sub(C, clz(or(x, 1)))
fn add_umax_bits_minus_one<S: Subject>(
    s: &S,
    root: &Root<'_, S::Value>,
    inner0: S::Value,
    x: S::Value,
    inner2: S::Value,
    inner3: S::Value,
    inner5: S::Value,
) -> Option<Rewrite<S::Value>> {
    let dies5 = s.used_once(inner5);
    let dies3 = dies5 && s.used_once(inner3);
    let dies2 = dies3 && s.used_once(inner2);
    if 1 + if dies5 { 1 } else { 0 } + if dies3 { 1 } else { 0 } + if dies2 { 1 } else { 0 } < 3 {
        return None;
    }
    let ty0 = root.ty;
    let w0 = ty0.int_width()?;
    if w0 < 3 {
        return None;
    }
    if int(s, inner0)? != Int::new(w0, u64::from(w0)) {
        return None;
    }
    let the_c = Machine.sub(Int::new(w0, u64::from(w0)), Int::new(w0, 1));
    if !is_spoken_of(ty0) {
        return None;
    }
    let mut plan = Plan::new();
    let new1 = plan.push(Op::Or, ty0, &[Operand::Value(x), Operand::Const(Const::Int(Int::new(w0, 1)))]);
    let new2 = plan.push(Op::Clz, ty0, &[new1]);
    let new3 = plan.push(Op::Sub, ty0, &[Operand::Const(Const::Int(the_c)), new2]);
    Some(Rewrite { rule: rule(names::ADD_UMAX_BITS_MINUS_ONE), plan, outcome: Outcome::Value(new3) })
}

// add_multiple_floordiv [pays]: add(mul(floordiv(x, C1), C2), floormod(x, C1))
//     # The remainder is what C1 times the quotient leaves of x.
//     C = C2 - C1
//     => add(mul(floordiv(x, C1), C), x)
fn add_multiple_floordiv<S: Subject>(
    s: &S,
    root: &Root<'_, S::Value>,
    x: S::Value,
    at_c1: S::Value,
    inner2: S::Value,
    at_c2: S::Value,
    inner4: S::Value,
    x_2: S::Value,
    at_c1_2: S::Value,
    inner7: S::Value,
) -> Option<Rewrite<S::Value>> {
    if !same(s, x, x_2) {
        return None;
    }
    if !same(s, at_c1, at_c1_2) {
        return None;
    }
    let dies4 = s.used_once(inner4);
    let dies7 = s.used_once(inner7);
    if 1 + if dies4 { 3 } else { 0 } + if dies7 { 22 } else { 0 } < 4 {
        return None;
    }
    let ty0 = root.ty;
    let the_c1 = int(s, at_c1)?;
    let the_c2 = int(s, at_c2)?;
    let the_c = Machine.sub(the_c2, the_c1);
    if !is_spoken_of(ty0) {
        return None;
    }
    let mut plan = Plan::new();
    let new1 = plan.push(Op::Mul, ty0, &[Operand::Value(inner2), Operand::Const(Const::Int(the_c))]);
    let new2 = plan.push(Op::Add, ty0, &[new1, Operand::Value(x)]);
    Some(Rewrite { rule: rule(names::ADD_MULTIPLE_FLOORDIV), plan, outcome: Outcome::Value(new2) })
}

// add_multiple_sdiv [pays]: add(mul(sdiv(x, C1), C2), srem(x, C1))
//     # The remainder is what C1 times the quotient leaves of x.
//     C = C2 - C1
//     => add(mul(sdiv(x, C1), C), x)
fn add_multiple_sdiv<S: Subject>(
    s: &S,
    root: &Root<'_, S::Value>,
    x: S::Value,
    at_c1: S::Value,
    inner2: S::Value,
    at_c2: S::Value,
    inner4: S::Value,
    x_2: S::Value,
    at_c1_2: S::Value,
    inner7: S::Value,
) -> Option<Rewrite<S::Value>> {
    if !same(s, x, x_2) {
        return None;
    }
    if !same(s, at_c1, at_c1_2) {
        return None;
    }
    let dies4 = s.used_once(inner4);
    let dies7 = s.used_once(inner7);
    if 1 + if dies4 { 3 } else { 0 } + if dies7 { 20 } else { 0 } < 4 {
        return None;
    }
    let ty0 = root.ty;
    let the_c1 = int(s, at_c1)?;
    let the_c2 = int(s, at_c2)?;
    let the_c = Machine.sub(the_c2, the_c1);
    if !is_spoken_of(ty0) {
        return None;
    }
    let mut plan = Plan::new();
    let new1 = plan.push(Op::Mul, ty0, &[Operand::Value(inner2), Operand::Const(Const::Int(the_c))]);
    let new2 = plan.push(Op::Add, ty0, &[new1, Operand::Value(x)]);
    Some(Rewrite { rule: rule(names::ADD_MULTIPLE_SDIV), plan, outcome: Outcome::Value(new2) })
}

// add_multiple_udiv [pays]: add(mul(udiv(x, C1), C2), urem(x, C1))
//     # The remainder is what C1 times the quotient leaves of x.
//     C = C2 - C1
//     => add(mul(udiv(x, C1), C), x)
fn add_multiple_udiv<S: Subject>(
    s: &S,
    root: &Root<'_, S::Value>,
    x: S::Value,
    at_c1: S::Value,
    inner2: S::Value,
    at_c2: S::Value,
    inner4: S::Value,
    x_2: S::Value,
    at_c1_2: S::Value,
    inner7: S::Value,
) -> Option<Rewrite<S::Value>> {
    if !same(s, x, x_2) {
        return None;
    }
    if !same(s, at_c1, at_c1_2) {
        return None;
    }
    let dies4 = s.used_once(inner4);
    let dies7 = s.used_once(inner7);
    if 1 + if dies4 { 3 } else { 0 } + if dies7 { 20 } else { 0 } < 4 {
        return None;
    }
    let ty0 = root.ty;
    let the_c1 = int(s, at_c1)?;
    let the_c2 = int(s, at_c2)?;
    let the_c = Machine.sub(the_c2, the_c1);
    if !is_spoken_of(ty0) {
        return None;
    }
    let mut plan = Plan::new();
    let new1 = plan.push(Op::Mul, ty0, &[Operand::Value(inner2), Operand::Const(Const::Int(the_c))]);
    let new2 = plan.push(Op::Add, ty0, &[new1, Operand::Value(x)]);
    Some(Rewrite { rule: rule(names::ADD_MULTIPLE_UDIV), plan, outcome: Outcome::Value(new2) })
}

// add_and_or: add(and(x, y), or(x, y))
//     # Each bit of x and y is counted in both or in one of the two: (x & y) + (x | y) = x + y
//     => add(x, y)
fn add_and_or<S: Subject>(
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
    let new1 = plan.push(Op::Add, ty0, &[Operand::Value(x), Operand::Value(y)]);
    Some(Rewrite { rule: rule(names::ADD_AND_OR), plan, outcome: Outcome::Value(new1) })
}

// add_xor_and: add(xor(x, y), and(x, y))
//     # No bit is set in both operands, so nothing is carried.
//     => or(x, y)
fn add_xor_and<S: Subject>(
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
    Some(Rewrite { rule: rule(names::ADD_XOR_AND), plan, outcome: Outcome::Value(new1) })
}

// add_shifted [pays]: add(lshift(x, z), lshift(y, z))
//     # A shift to the left is a product.
//     => lshift(add(x, y), z)
fn add_shifted<S: Subject>(
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
    let new1 = plan.push(Op::Add, ty0, &[Operand::Value(x), Operand::Value(y)]);
    let new2 = plan.push(Op::Lshift, ty0, &[new1, Operand::Value(z)]);
    Some(Rewrite { rule: rule(names::ADD_SHIFTED), plan, outcome: Outcome::Value(new2) })
}

// add_factor [pays]: add(mul(x, y), mul(x, z))
//     # x * y + x * z = x * (y + z)
//     => mul(x, add(y, z))
fn add_factor<S: Subject>(
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
    let new1 = plan.push(Op::Add, ty0, &[Operand::Value(y), Operand::Value(z)]);
    let new2 = plan.push(Op::Mul, ty0, &[Operand::Value(x), new1]);
    Some(Rewrite { rule: rule(names::ADD_FACTOR), plan, outcome: Outcome::Value(new2) })
}

// add_differences: add(sub(x, y), sub(y, z))
//     # (x - y) + (y - z) = x - z
//     => sub(x, z)
fn add_differences<S: Subject>(
    s: &S,
    root: &Root<'_, S::Value>,
    x: S::Value,
    y: S::Value,
    y_2: S::Value,
    z: S::Value,
) -> Option<Rewrite<S::Value>> {
    if !same(s, y, y_2) {
        return None;
    }
    let ty0 = root.ty;
    let mut plan = Plan::new();
    let new1 = plan.push(Op::Sub, ty0, &[Operand::Value(x), Operand::Value(z)]);
    Some(Rewrite { rule: rule(names::ADD_DIFFERENCES), plan, outcome: Outcome::Value(new1) })
}

// add_minus_cancel: add(add(x, y), sub(z, y))
//     # What one side adds, the other takes away.
//     => add(x, z)
fn add_minus_cancel<S: Subject>(
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
    let new1 = plan.push(Op::Add, ty0, &[Operand::Value(x), Operand::Value(z)]);
    Some(Rewrite { rule: rule(names::ADD_MINUS_CANCEL), plan, outcome: Outcome::Value(new1) })
}

// add_neg_neg [pays]: add(neg(x), neg(y))
//     # -x + -y = -(x + y)
//     => neg(add(x, y))
fn add_neg_neg<S: Subject>(
    s: &S,
    root: &Root<'_, S::Value>,
    x: S::Value,
    inner1: S::Value,
    y: S::Value,
    inner3: S::Value,
) -> Option<Rewrite<S::Value>> {
    let dies1 = s.used_once(inner1);
    let dies3 = s.used_once(inner3);
    if 1 + if dies1 { 1 } else { 0 } + if dies3 { 1 } else { 0 } < 2 {
        return None;
    }
    let ty0 = root.ty;
    let mut plan = Plan::new();
    let new1 = plan.push(Op::Add, ty0, &[Operand::Value(x), Operand::Value(y)]);
    let new2 = plan.push(Op::Neg, ty0, &[new1]);
    Some(Rewrite { rule: rule(names::ADD_NEG_NEG), plan, outcome: Outcome::Value(new2) })
}

// add_const_minus [pypy]: add(sub(C1, x), C2)
//     # (C1 - x) + C2 = (C1 + C2) - x
//     C = C1 + C2
//     => sub(C, x)
fn add_const_minus<S: Subject>(
    s: &S,
    root: &Root<'_, S::Value>,
    at_c1: S::Value,
    x: S::Value,
    at_c2: S::Value,
) -> Option<Rewrite<S::Value>> {
    let ty0 = root.ty;
    let the_c1 = int(s, at_c1)?;
    let the_c2 = int(s, at_c2)?;
    let the_c = Machine.add(the_c1, the_c2);
    let mut plan = Plan::new();
    let new1 = plan.push(Op::Sub, ty0, &[Operand::Const(Const::Int(the_c)), Operand::Value(x)]);
    Some(Rewrite { rule: rule(names::ADD_CONST_MINUS), plan, outcome: Outcome::Value(new1) })
}

// add_consts [pypy]: add(add(x, C1), C2)
//     # (x + C1) + C2 = x + (C1 + C2)
//     C = C1 + C2
//     => add(x, C)
fn add_consts<S: Subject>(
    s: &S,
    root: &Root<'_, S::Value>,
    x: S::Value,
    at_c1: S::Value,
    at_c2: S::Value,
) -> Option<Rewrite<S::Value>> {
    let ty0 = root.ty;
    let the_c1 = int(s, at_c1)?;
    let the_c2 = int(s, at_c2)?;
    let the_c = Machine.add(the_c1, the_c2);
    let mut plan = Plan::new();
    let new1 = plan.push(Op::Add, ty0, &[Operand::Value(x), Operand::Const(Const::Int(the_c))]);
    Some(Rewrite { rule: rule(names::ADD_CONSTS), plan, outcome: Outcome::Value(new1) })
}

// add_not_one [pypy]: add(not(x), 1)
//     # ~x = -x - 1
//     => neg(x)
fn add_not_one<S: Subject>(
    _s: &S,
    root: &Root<'_, S::Value>,
    x: S::Value,
) -> Option<Rewrite<S::Value>> {
    let ty0 = root.ty;
    let mut plan = Plan::new();
    let new1 = plan.push(Op::Neg, ty0, &[Operand::Value(x)]);
    Some(Rewrite { rule: rule(names::ADD_NOT_ONE), plan, outcome: Outcome::Value(new1) })
}

// add_multiple_self [pays]: add(mul(x, C), x)
//     # C * x + x = (C + 1) * x
//     M = C + 1
//     => mul(x, M)
fn add_multiple_self<S: Subject>(
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
    let the_m = Machine.add(the_c, Int::new(w0, 1));
    let mut plan = Plan::new();
    let new1 = plan.push(Op::Mul, ty0, &[Operand::Value(x), Operand::Const(Const::Int(the_m))]);
    Some(Rewrite { rule: rule(names::ADD_MULTIPLE_SELF), plan, outcome: Outcome::Value(new1) })
}

// add_neg_const [pypy]: add(neg(x), C)
//     # -x + C = C - x
//     => sub(C, x)
fn add_neg_const<S: Subject>(
    _s: &S,
    root: &Root<'_, S::Value>,
    x: S::Value,
    at_c: S::Value,
) -> Option<Rewrite<S::Value>> {
    let ty0 = root.ty;
    let mut plan = Plan::new();
    let new1 = plan.push(Op::Sub, ty0, &[Operand::Value(at_c), Operand::Value(x)]);
    Some(Rewrite { rule: rule(names::ADD_NEG_CONST), plan, outcome: Outcome::Value(new1) })
}

// add_neg [pypy]: add(x, neg(y))
//     # x + -y = x - y
//     => sub(x, y)
fn add_neg<S: Subject>(
    _s: &S,
    root: &Root<'_, S::Value>,
    x: S::Value,
    y: S::Value,
) -> Option<Rewrite<S::Value>> {
    let ty0 = root.ty;
    let mut plan = Plan::new();
    let new1 = plan.push(Op::Sub, ty0, &[Operand::Value(x), Operand::Value(y)]);
    Some(Rewrite { rule: rule(names::ADD_NEG), plan, outcome: Outcome::Value(new1) })
}

// add_same: add(x, x)
//     # x + x = 2 * x, and doubling is a shift where there is a bit to shift to.
//     check width(x) > 1
//     => lshift(x, 1)
fn add_same<S: Subject>(
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
    if i64::from(w0) <= 1 {
        return None;
    }
    if !is_spoken_of(ty0) {
        return None;
    }
    let mut plan = Plan::new();
    let new1 = plan.push(Op::Lshift, ty0, &[Operand::Value(x), Operand::Const(Const::Int(Int::new(w0, 1)))]);
    Some(Rewrite { rule: rule(names::ADD_SAME), plan, outcome: Outcome::Value(new1) })
}

