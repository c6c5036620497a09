//! Rules whose pattern begins with `or`, in the order in which they are tried:
//!
//! - or_not_self
//! - or_is_zero_ne_popcount
//! - or_both_ways
//! - or_or_and
//! - or_or_xor
//! - or_absorbs_and
//! - or_or_self
//! - or_covered
//! - or_is_zero_more
//! - or_range
//! - or_rotate
//! - or_two_masks
//! - or_le_ge_const
//! - or_le_gt_const
//! - or_lt_ge_const
//! - or_lt_gt_const
//! - or_ule_uge_const
//! - or_ule_ugt_const
//! - or_ult_uge_const
//! - or_ult_ugt_const
//! - or_gt_eq
//! - or_lt_eq
//! - or_lt_gt
//! - or_ugt_eq
//! - or_ult_eq
//! - or_ult_ugt
//! - or_xor_and
//! - or_common_and
//! - or_ge_bounds
//! - or_gt_bounds
//! - or_le_bounds
//! - or_lshift_common
//! - or_lt_bounds
//! - or_rshift_common
//! - or_uge_bounds
//! - or_ugt_bounds
//! - or_ule_bounds
//! - or_ult_bounds
//! - or_urshift_common
//! - or_and_not
//! - or_is_true
//! - or_not_not
//! - or_consts
//! - or_xor_self
//!
//! Generated from `rules/*.rules`.

use planish_ops::{Bits, Int, Machine, Op};
use planish_rules::speaks::is_spoken_of;
use planish_rules::matching::{Const, Flow, Operand, Outcome, Plan, Rewrite, Root, Subject, constant_last, int, integer, nodes, offer, operands2, same};

use super::names::{self, rule};

/// Hands every rewrite of a `or` to `found`, until it says stop.
pub fn root<S: Subject>(
    s: &S,
    root: &Root<'_, S::Value>,
    found: &mut impl FnMut(Rewrite<S::Value>) -> Flow,
) -> Flow {
    let [a, b] = constant_last(s, [root.args[0], root.args[1]]);
    for node in nodes(s, b) {
        if let Some((Op::Not, n)) = node {
            let b0 = s.operand(n, 0);
            offer(found, or_not_self(s, root, a, b0))?;
        }
    }
    for node in nodes(s, a) {
        match node {
            Some((Op::And, n)) => {
                let [a0, a1] = operands2(s, n);
                for node in nodes(s, b) {
                    match node {
                        Some((Op::And, n)) => {
                            let [b0, b1] = operands2(s, n);
                            for node in nodes(s, b1) {
                                if let Some((Op::Not, n)) = node {
                                    let b10 = s.operand(n, 0);
                                    offer(found, or_both_ways(s, root, a0, a1, b0, b10))?;
                                }
                            }
                            for node in nodes(s, a1) {
                                if let Some((Op::Not, n)) = node {
                                    let a10 = s.operand(n, 0);
                                    offer(found, or_both_ways(s, root, b0, b1, a0, a10))?;
                                }
                            }
                            for node in nodes(s, b0) {
                                if let Some((Op::Not, n)) = node {
                                    let b00 = s.operand(n, 0);
                                    offer(found, or_both_ways(s, root, a0, a1, b1, b00))?;
                                }
                            }
                            for node in nodes(s, a0) {
                                if let Some((Op::Not, n)) = node {
                                    let a00 = s.operand(n, 0);
                                    offer(found, or_both_ways(s, root, b0, b1, a1, a00))?;
                                }
                            }
                            for node in nodes(s, b1) {
                                if let Some((Op::Not, n)) = node {
                                    let b10 = s.operand(n, 0);
                                    offer(found, or_both_ways(s, root, a1, a0, b0, b10))?;
                                }
                            }
                            for node in nodes(s, a1) {
                                if let Some((Op::Not, n)) = node {
                                    let a10 = s.operand(n, 0);
                                    offer(found, or_both_ways(s, root, b1, b0, a0, a10))?;
                                }
                            }
                            for node in nodes(s, b0) {
                                if let Some((Op::Not, n)) = node {
                                    let b00 = s.operand(n, 0);
                                    offer(found, or_both_ways(s, root, a1, a0, b1, b00))?;
                                }
                            }
                            for node in nodes(s, a0) {
                                if let Some((Op::Not, n)) = node {
                                    let a00 = s.operand(n, 0);
                                    offer(found, or_both_ways(s, root, b1, b0, a1, a00))?;
                                }
                            }
                        }
                        Some((Op::Or, n)) => {
                            let [b0, b1] = operands2(s, n);
                            offer(found, or_or_and(s, root, b0, b1, b, a0, a1))?;
                            offer(found, or_or_and(s, root, b0, b1, b, a1, a0))?;
                        }
                        _ => {}
                    }
                }
            }
            Some((Op::Or, n)) => {
                let [a0, a1] = operands2(s, n);
                for node in nodes(s, b) {
                    match node {
                        Some((Op::And, n)) => {
                            let [b0, b1] = operands2(s, n);
                            offer(found, or_or_and(s, root, a0, a1, a, b0, b1))?;
                            offer(found, or_or_and(s, root, a0, a1, a, b1, b0))?;
                        }
                        Some((Op::Xor, n)) => {
                            let [b0, b1] = operands2(s, n);
                            offer(found, or_or_xor(s, root, a0, a1, a, b0, b1))?;
                            offer(found, or_or_xor(s, root, a0, a1, a, b1, b0))?;
                        }
                        _ => {}
                    }
                }
            }
            Some((Op::Xor, n)) => {
                let [a0, a1] = operands2(s, n);
                for node in nodes(s, b) {
                    if let Some((Op::Or, n)) = node {
                        let [b0, b1] = operands2(s, n);
                        offer(found, or_or_xor(s, root, b0, b1, b, a0, a1))?;
                        offer(found, or_or_xor(s, root, b0, b1, b, a1, a0))?;
                    }
                }
            }
            Some((Op::Not, n)) => {
                let a0 = s.operand(n, 0);
                offer(found, or_not_self(s, root, b, a0))?;
            }
            Some((Op::Ne, n)) => {
                let [a0, a1] = operands2(s, n);
                for node in nodes(s, b) {
                    if let Some((Op::IsZero, n)) = node {
                        let b0 = s.operand(n, 0);
                        for node in nodes(s, a0) {
                            if let Some((Op::Popcount, n)) = node {
                                let a00 = s.operand(n, 0);
                                if s.constant(a1).is_some() {
                                    offer(found, or_is_zero_ne_popcount(s, root, b0, a00, a1, a))?;
                                }
                            }
                        }
                    }
                }
            }
            Some((Op::IsZero, n)) => {
                let a0 = s.operand(n, 0);
                for node in nodes(s, b) {
                    if let Some((Op::Ne, n)) = node {
                        let [b0, b1] = operands2(s, n);
                        for node in nodes(s, b0) {
                            if let Some((Op::Popcount, n)) = node {
                                let b00 = s.operand(n, 0);
                                if s.constant(b1).is_some() {
                                    offer(found, or_is_zero_ne_popcount(s, root, a0, b00, b1, b))?;
                                }
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
            let [b0, _] = operands2(s, n);
            offer(found, or_absorbs_and(s, root, a, b0))?;
        }
    }
    for node in nodes(s, a) {
        if let Some((Op::And, n)) = node {
            let [a0, _] = operands2(s, n);
            offer(found, or_absorbs_and(s, root, b, a0))?;
        }
    }
    for node in nodes(s, b) {
        if let Some((Op::And, n)) = node {
            let [_, b1] = operands2(s, n);
            offer(found, or_absorbs_and(s, root, a, b1))?;
        }
    }
    for node in nodes(s, a) {
        if let Some((Op::And, n)) = node {
            let [_, a1] = operands2(s, n);
            offer(found, or_absorbs_and(s, root, b, a1))?;
        }
    }
    for node in nodes(s, b) {
        if let Some((Op::Or, n)) = node {
            let [b0, _] = operands2(s, n);
            offer(found, or_or_self(s, root, a, b0, b))?;
        }
    }
    for node in nodes(s, a) {
        if let Some((Op::Or, n)) = node {
            let [a0, _] = operands2(s, n);
            offer(found, or_or_self(s, root, b, a0, a))?;
        }
    }
    for node in nodes(s, b) {
        if let Some((Op::Or, n)) = node {
            let [_, b1] = operands2(s, n);
            offer(found, or_or_self(s, root, a, b1, b))?;
        }
    }
    for node in nodes(s, a) {
        if let Some((Op::Or, n)) = node {
            let [_, a1] = operands2(s, n);
            offer(found, or_or_self(s, root, b, a1, a))?;
        }
    }
    offer(found, or_covered(s, root, a, b))?;
    offer(found, or_covered(s, root, b, a))?;
    for node in nodes(s, b) {
        match node {
            Some((Op::And, n)) => {
                let [b0, b1] = operands2(s, n);
                for node in nodes(s, a) {
                    match node {
                        Some((Op::And, n)) => {
                            let [a0, a1] = operands2(s, n);
                            if s.constant(a1).is_some() {
                                if s.constant(b1).is_some() {
                                    offer(found, or_two_masks(s, root, a0, a1, b0, b1))?;
                                }
                            }
                            offer(found, or_common_and(s, root, a0, a1, a, b0, b1, b))?;
                            offer(found, or_common_and(s, root, a0, a1, a, b1, b0, b))?;
                            offer(found, or_common_and(s, root, b0, b1, b, a1, a0, a))?;
                            offer(found, or_common_and(s, root, a1, a0, a, b1, b0, b))?;
                        }
                        Some((Op::Xor, n)) => {
                            let [a0, a1] = operands2(s, n);
                            offer(found, or_xor_and(s, root, a0, a1, b0, b1))?;
                            offer(found, or_xor_and(s, root, a0, a1, b1, b0))?;
                        }
                        _ => {}
                    }
                }
                for node in nodes(s, b0) {
                    if let Some((Op::Not, n)) = node {
                        let b00 = s.operand(n, 0);
                        offer(found, or_and_not(s, root, a, b00, b1))?;
                    }
                }
            }
            Some((Op::Xor, n)) => {
                let [b0, b1] = operands2(s, n);
                for node in nodes(s, a) {
                    if let Some((Op::And, n)) = node {
                        let [a0, a1] = operands2(s, n);
                        offer(found, or_xor_and(s, root, b0, b1, a0, a1))?;
                        offer(found, or_xor_and(s, root, b0, b1, a1, a0))?;
                    }
                }
            }
            Some((Op::Lshift, n)) => {
                let [b0, b1] = operands2(s, n);
                for node in nodes(s, a) {
                    match node {
                        Some((Op::Lshift, n)) => {
                            let [a0, a1] = operands2(s, n);
                            offer(found, or_lshift_common(s, root, a0, a1, a, b0, b1, b))?;
                        }
                        Some((Op::Urshift, n)) => {
                            let [a0, a1] = operands2(s, n);
                            if s.constant(a1).is_some() {
                                if s.constant(b1).is_some() {
                                    offer(found, or_rotate(s, root, b0, b1, a0, a1))?;
                                }
                            }
                        }
                        _ => {}
                    }
                }
            }
            Some((Op::Rshift, n)) => {
                let [b0, b1] = operands2(s, n);
                for node in nodes(s, a) {
                    if let Some((Op::Rshift, n)) = node {
                        let [a0, a1] = operands2(s, n);
                        offer(found, or_rshift_common(s, root, a0, a1, a, b0, b1, b))?;
                    }
                }
            }
            Some((Op::Urshift, n)) => {
                let [b0, b1] = operands2(s, n);
                for node in nodes(s, a) {
                    match node {
                        Some((Op::Lshift, n)) => {
                            let [a0, a1] = operands2(s, n);
                            if s.constant(a1).is_some() {
                                if s.constant(b1).is_some() {
                                    offer(found, or_rotate(s, root, a0, a1, b0, b1))?;
                                }
                            }
                        }
                        Some((Op::Urshift, n)) => {
                            let [a0, a1] = operands2(s, n);
                            offer(found, or_urshift_common(s, root, a0, a1, a, b0, b1, b))?;
                        }
                        _ => {}
                    }
                }
            }
            Some((Op::Eq, n)) => {
                let [b0, b1] = operands2(s, n);
                for node in nodes(s, a) {
                    match node {
                        Some((Op::Lt, n)) => {
                            let [a0, a1] = operands2(s, n);
                            offer(found, or_lt_eq(s, root, a0, a1, b0, b1))?;
                            offer(found, or_lt_eq(s, root, a0, a1, b1, b0))?;
                        }
                        Some((Op::Gt, n)) => {
                            let [a0, a1] = operands2(s, n);
                            offer(found, or_gt_eq(s, root, a0, a1, b0, b1))?;
                            offer(found, or_gt_eq(s, root, a0, a1, b1, b0))?;
                        }
                        Some((Op::Ult, n)) => {
                            let [a0, a1] = operands2(s, n);
                            offer(found, or_ult_eq(s, root, a0, a1, b0, b1))?;
                            offer(found, or_ult_eq(s, root, a0, a1, b1, b0))?;
                        }
                        Some((Op::Ugt, n)) => {
                            let [a0, a1] = operands2(s, n);
                            offer(found, or_ugt_eq(s, root, a0, a1, b0, b1))?;
                            offer(found, or_ugt_eq(s, root, a0, a1, b1, b0))?;
                        }
                        _ => {}
                    }
                }
            }
            Some((Op::Lt, n)) => {
                let [b0, b1] = operands2(s, n);
                for node in nodes(s, a) {
                    match node {
                        Some((Op::Eq, n)) => {
                            let [a0, a1] = operands2(s, n);
                            offer(found, or_lt_eq(s, root, b0, b1, a0, a1))?;
                            offer(found, or_lt_eq(s, root, b0, b1, a1, a0))?;
                        }
                        Some((Op::Lt, n)) => {
                            let [a0, a1] = operands2(s, n);
                            offer(found, or_lt_bounds(s, root, a0, a1, a, b0, b1, b))?;
                        }
                        Some((Op::Gt, n)) => {
                            let [a0, a1] = operands2(s, n);
                            if s.constant(b1).is_some() {
                                if s.constant(a1).is_some() {
                                    offer(found, or_lt_gt_const(s, root, b0, b1, b, a0, a1, a))?;
                                }
                            }
                            offer(found, or_lt_gt(s, root, b0, b1, a0, a1))?;
                        }
                        Some((Op::Ge, n)) => {
                            let [a0, a1] = operands2(s, n);
                            if let Some(constant) = s.constant(b1) {
                                match constant {
                                    Const::Int(i) if i.signed() == 0 => {
                                        offer(found, or_range(s, root, b0, a0, a1))?;
                                        part1(s, root, found, a, b, a0, a1, b0, b1)?;
                                    }
                                    _ => {
                                        part1(s, root, found, a, b, a0, a1, b0, b1)?;
                                    }
                                }
                            }
                        }
                        _ => {}
                    }
                }
            }
            Some((Op::Le, n)) => {
                let [b0, b1] = operands2(s, n);
                for node in nodes(s, a) {
                    match node {
                        Some((Op::Le, n)) => {
                            let [a0, a1] = operands2(s, n);
                            offer(found, or_le_bounds(s, root, a0, a1, a, b0, b1, b))?;
                        }
                        Some((Op::Gt, n)) => {
                            let [a0, a1] = operands2(s, n);
                            if s.constant(b1).is_some() {
                                if s.constant(a1).is_some() {
                                    offer(found, or_le_gt_const(s, root, b0, b1, b, a0, a1, a))?;
                                }
                            }
                        }
                        Some((Op::Ge, n)) => {
                            let [a0, a1] = operands2(s, n);
                            if s.constant(a1).is_some() {
                                if s.constant(b1).is_some() {
                                    offer(found, or_le_ge_const(s, root, b0, b1, b, a0, a1, a))?;
                                }
                            }
                        }
                        _ => {}
                    }
                }
            }
            Some((Op::Gt, n)) => {
                let [b0, b1] = operands2(s, n);
                for node in nodes(s, a) {
                    match node {
                        Some((Op::Eq, n)) => {
                            let [a0, a1] = operands2(s, n);
                            offer(found, or_gt_eq(s, root, b0, b1, a0, a1))?;
                            offer(found, or_gt_eq(s, root, b0, b1, a1, a0))?;
                        }
                        Some((Op::Lt, n)) => {
                            let [a0, a1] = operands2(s, n);
                            if s.constant(a1).is_some() {
                                if s.constant(b1).is_some() {
                                    offer(found, or_lt_gt_const(s, root, a0, a1, a, b0, b1, b))?;
                                }
                            }
                            offer(found, or_lt_gt(s, root, a0, a1, b0, b1))?;
                        }
                        Some((Op::Le, n)) => {
                            let [a0, a1] = operands2(s, n);
                            if s.constant(a1).is_some() {
                                if s.constant(b1).is_some() {
                                    offer(found, or_le_gt_const(s, root, a0, a1, a, b0, b1, b))?;
                                }
                            }
                        }
                        Some((Op::Gt, n)) => {
                            let [a0, a1] = operands2(s, n);
                            offer(found, or_gt_bounds(s, root, a0, a1, a, b0, b1, b))?;
                        }
                        _ => {}
                    }
                }
            }
            Some((Op::Ge, n)) => {
                let [b0, b1] = operands2(s, n);
                for node in nodes(s, a) {
                    match node {
                        Some((Op::Lt, n)) => {
                            let [a0, a1] = operands2(s, n);
                            if let Some(constant) = s.constant(a1) {
                                match constant {
                                    Const::Int(i) if i.signed() == 0 => {
                                        offer(found, or_range(s, root, a0, b0, b1))?;
                                        part2(s, root, found, a, b, a0, a1, b0, b1)?;
                                    }
                                    _ => {
                                        part2(s, root, found, a, b, a0, a1, b0, b1)?;
                                    }
                                }
                            }
                        }
                        Some((Op::Le, n)) => {
                            let [a0, a1] = operands2(s, n);
                            if s.constant(b1).is_some() {
                                if s.constant(a1).is_some() {
                                    offer(found, or_le_ge_const(s, root, a0, a1, a, b0, b1, b))?;
                                }
                            }
                        }
                        Some((Op::Ge, n)) => {
                            let [a0, a1] = operands2(s, n);
                            offer(found, or_ge_bounds(s, root, a0, a1, a, b0, b1, b))?;
                        }
                        _ => {}
                    }
                }
            }
            Some((Op::Ult, n)) => {
                let [b0, b1] = operands2(s, n);
                for node in nodes(s, a) {
                    match node {
                        Some((Op::Eq, n)) => {
                            let [a0, a1] = operands2(s, n);
                            offer(found, or_ult_eq(s, root, b0, b1, a0, a1))?;
                            offer(found, or_ult_eq(s, root, b0, b1, a1, a0))?;
                        }
                        Some((Op::Ult, n)) => {
                            let [a0, a1] = operands2(s, n);
                            offer(found, or_ult_bounds(s, root, a0, a1, a, b0, b1, b))?;
                        }
                        Some((Op::Ugt, n)) => {
                            let [a0, a1] = operands2(s, n);
                            if s.constant(a1).is_some() {
                                if s.constant(b1).is_some() {
                                    offer(found, or_ult_ugt_const(s, root, b0, b1, b, a0, a1, a))?;
                                }
                            }
                            offer(found, or_ult_ugt(s, root, b0, b1, a0, a1))?;
                        }
                        Some((Op::Uge, n)) => {
                            let [a0, a1] = operands2(s, n);
                            if s.constant(a1).is_some() {
                                if s.constant(b1).is_some() {
                                    offer(found, or_ult_uge_const(s, root, b0, b1, b, a0, a1, a))?;
                                }
                            }
                        }
                        _ => {}
                    }
                }
            }
            Some((Op::Ule, n)) => {
                let [b0, b1] = operands2(s, n);
                for node in nodes(s, a) {
                    match node {
                        Some((Op::Ule, n)) => {
                            let [a0, a1] = operands2(s, n);
                            offer(found, or_ule_bounds(s, root, a0, a1, a, b0, b1, b))?;
                        }
                        Some((Op::Ugt, n)) => {
                            let [a0, a1] = operands2(s, n);
                            if s.constant(b1).is_some() {
                                if s.constant(a1).is_some() {
                                    offer(found, or_ule_ugt_const(s, root, b0, b1, b, a0, a1, a))?;
                                }
                            }
                        }
                        Some((Op::Uge, n)) => {
                            let [a0, a1] = operands2(s, n);
                            if s.constant(a1).is_some() {
                                if s.constant(b1).is_some() {
                                    offer(found, or_ule_uge_const(s, root, b0, b1, b, a0, a1, a))?;
                                }
                            }
                        }
                        _ => {}
                    }
                }
            }
            Some((Op::Ugt, n)) => {
                let [b0, b1] = operands2(s, n);
                for node in nodes(s, a) {
                    match node {
                        Some((Op::Eq, n)) => {
                            let [a0, a1] = operands2(s, n);
                            offer(found, or_ugt_eq(s, root, b0, b1, a0, a1))?;
                            offer(found, or_ugt_eq(s, root, b0, b1, a1, a0))?;
                        }
                        Some((Op::Ult, n)) => {
                            let [a0, a1] = operands2(s, n);
                            if s.constant(b1).is_some() {
                                if s.constant(a1).is_some() {
                                    offer(found, or_ult_ugt_const(s, root, a0, a1, a, b0, b1, b))?;
                                }
                            }
                            offer(found, or_ult_ugt(s, root, a0, a1, b0, b1))?;
                        }
                        Some((Op::Ule, n)) => {
                            let [a0, a1] = operands2(s, n);
                            if s.constant(a1).is_some() {
                                if s.constant(b1).is_some() {
                                    offer(found, or_ule_ugt_const(s, root, a0, a1, a, b0, b1, b))?;
                                }
                            }
                        }
                        Some((Op::Ugt, n)) => {
                            let [a0, a1] = operands2(s, n);
                            offer(found, or_ugt_bounds(s, root, a0, a1, a, b0, b1, b))?;
                        }
                        _ => {}
                    }
                }
            }
            Some((Op::Uge, n)) => {
                let [b0, b1] = operands2(s, n);
                for node in nodes(s, a) {
                    match node {
                        Some((Op::Ult, n)) => {
                            let [a0, a1] = operands2(s, n);
                            if s.constant(b1).is_some() {
                                if s.constant(a1).is_some() {
                                    offer(found, or_ult_uge_const(s, root, a0, a1, a, b0, b1, b))?;
                                }
                            }
                        }
                        Some((Op::Ule, n)) => {
                            let [a0, a1] = operands2(s, n);
                            if s.constant(a1).is_some() {
                                if s.constant(b1).is_some() {
                                    offer(found, or_ule_uge_const(s, root, a0, a1, a, b0, b1, b))?;
                                }
                            }
                        }
                        Some((Op::Uge, n)) => {
                            let [a0, a1] = operands2(s, n);
                            offer(found, or_uge_bounds(s, root, a0, a1, a, b0, b1, b))?;
                        }
                        _ => {}
                    }
                }
            }
            Some((Op::IsTrue, n)) => {
                let b0 = s.operand(n, 0);
                for node in nodes(s, a) {
                    if let Some((Op::IsZero, n)) = node {
                        let a0 = s.operand(n, 0);
                        for node in nodes(s, b0) {
                            if let Some((Op::And, n)) = node {
                                let [b00, b01] = operands2(s, n);
                                for node in nodes(s, b01) {
                                    if let Some((Op::Add, n)) = node {
                                        let [b010, b011] = operands2(s, n);
                                        if integer(s, b011) == Some(-1) {
                                            offer(found, or_is_zero_more(s, root, a0, a, b00, b010, b01, b0, b))?;
                                        }
                                    }
                                }
                                for node in nodes(s, b00) {
                                    if let Some((Op::Add, n)) = node {
                                        let [b000, b001] = operands2(s, n);
                                        if integer(s, b001) == Some(-1) {
                                            offer(found, or_is_zero_more(s, root, a0, a, b01, b000, b00, b0, b))?;
                                        }
                                    }
                                }
                            }
                        }
                    }
                }
            }
            Some((Op::IsZero, n)) => {
                let b0 = s.operand(n, 0);
                for node in nodes(s, a) {
                    if let Some((Op::IsTrue, n)) = node {
                        let a0 = s.operand(n, 0);
                        for node in nodes(s, a0) {
                            if let Some((Op::And, n)) = node {
                                let [a00, a01] = operands2(s, n);
                                for node in nodes(s, a01) {
                                    if let Some((Op::Add, n)) = node {
                                        let [a010, a011] = operands2(s, n);
                                        if integer(s, a011) == Some(-1) {
                                            offer(found, or_is_zero_more(s, root, b0, b, a00, a010, a01, a0, a))?;
                                        }
                                    }
                                }
                                for node in nodes(s, a00) {
                                    if let Some((Op::Add, n)) = node {
                                        let [a000, a001] = operands2(s, n);
                                        if integer(s, a001) == Some(-1) {
                                            offer(found, or_is_zero_more(s, root, b0, b, a01, a000, a00, a0, a))?;
                                        }
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
                if let Some((Op::Not, n)) = node {
                    let a00 = s.operand(n, 0);
                    offer(found, or_and_not(s, root, b, a00, a1))?;
                }
            }
        }
    }
    for node in nodes(s, b) {
        if let Some((Op::And, n)) = node {
            let [b0, b1] = operands2(s, n);
            for node in nodes(s, b1) {
                if let Some((Op::Not, n)) = node {
                    let b10 = s.operand(n, 0);
                    offer(found, or_and_not(s, root, a, b10, b0))?;
                }
            }
        }
    }
    for node in nodes(s, a) {
        match node {
            Some((Op::And, n)) => {
                let [a0, a1] = operands2(s, n);
                for node in nodes(s, a1) {
                    if let Some((Op::Not, n)) = node {
                        let a10 = s.operand(n, 0);
                        offer(found, or_and_not(s, root, b, a10, a0))?;
                    }
                }
            }
            Some((Op::Or, n)) => {
                let [a0, a1] = operands2(s, n);
                if s.constant(b).is_some() {
                    if s.constant(a1).is_some() {
                        offer(found, or_consts(s, root, a0, a1, b))?;
                    }
                }
            }
            Some((Op::Xor, n)) => {
                let [a0, a1] = operands2(s, n);
                offer(found, or_xor_self(s, root, a0, a1, b))?;
            }
            Some((Op::Not, n)) => {
                let a0 = s.operand(n, 0);
                for node in nodes(s, b) {
                    if let Some((Op::Not, n)) = node {
                        let b0 = s.operand(n, 0);
                        offer(found, or_not_not(s, root, a0, a, b0, b))?;
                    }
                }
            }
            Some((Op::IsTrue, n)) => {
                let a0 = s.operand(n, 0);
                for node in nodes(s, b) {
                    if let Some((Op::IsTrue, n)) = node {
                        let b0 = s.operand(n, 0);
                        offer(found, or_is_true(s, root, a0, a, b0, b))?;
                    }
                }
            }
            _ => {}
        }
    }
    for node in nodes(s, b) {
        if let Some((Op::Xor, n)) = node {
            let [b0, b1] = operands2(s, n);
            offer(found, or_xor_self(s, root, b0, b1, a))?;
        }
    }
    for node in nodes(s, a) {
        if let Some((Op::Xor, n)) = node {
            let [a0, a1] = operands2(s, n);
            offer(found, or_xor_self(s, root, a1, a0, b))?;
        }
    }
    for node in nodes(s, b) {
        if let Some((Op::Xor, n)) = node {
            let [b0, b1] = operands2(s, n);
            offer(found, or_xor_self(s, root, b1, b0, a))?;
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
    a0: S::Value,
    a1: S::Value,
    b0: S::Value,
    b1: S::Value,
) -> Flow {
    if s.constant(a1).is_some() {
        offer(found, or_lt_ge_const(s, root, b0, b1, b, a0, a1, a))?;
    }
    Flow::Continue(())
}

fn part2<S: Subject>(
    s: &S,
    root: &Root<'_, S::Value>,
    found: &mut impl FnMut(Rewrite<S::Value>) -> Flow,
    a: S::Value,
    b: S::Value,
    a0: S::Value,
    a1: S::Value,
    b0: S::Value,
    b1: S::Value,
) -> Flow {
    if s.constant(b1).is_some() {
        offer(found, or_lt_ge_const(s, root, a0, a1, a, b0, b1, b))?;
    }
    Flow::Continue(())
}

// or_not_self: or(x, not(x))
//     # Every bit is set in one of the two.
//     => -1
fn or_not_self<S: Subject>(
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
    Some(Rewrite { rule: rule(names::OR_NOT_SELF), plan: Plan::new(), outcome: Outcome::Value(Operand::Const(Const::Int(Int::new(w0, -1i64 as u64)))) })
}

// or_is_zero_ne_popcount: or(is_zero(x), ne(popcount(x), C))
//     # A word without bits has none to count.
//     check C != 0
//     => ne(popcount(x), C)
fn or_is_zero_ne_popcount<S: Subject>(
    s: &S,
    root: &Root<'_, S::Value>,
    x: S::Value,
    x_2: S::Value,
    at_c: S::Value,
    inner5: S::Value,
) -> Option<Rewrite<S::Value>> {
    if !same(s, x, x_2) {
        return None;
    }
    let ty1 = s.ty(x);
    let w1 = ty1.int_width()?;
    let the_c = int(s, at_c)?;
    if the_c == Int::new(w1, 0) {
        return None;
    }
    if !is_spoken_of(root.ty) {
        return None;
    }
    if !is_spoken_of(ty1) {
        return None;
    }
    Some(Rewrite { rule: rule(names::OR_IS_ZERO_NE_POPCOUNT), plan: Plan::new(), outcome: Outcome::Value(Operand::Value(inner5)) })
}

// or_both_ways: or(and(x, y), and(x, not(y)))
//     # Whatever y is, x is enough.
//     => x
fn or_both_ways<S: Subject>(
    s: &S,
    _root: &Root<'_, S::Value>,
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
    Some(Rewrite { rule: rule(names::OR_BOTH_WAYS), plan: Plan::new(), outcome: Outcome::Value(Operand::Value(x)) })
}

// or_or_and: or(or(x, y), and(x, y))
//     # x & y has no bit that x | y has not.
//     => or(x, y)
fn or_or_and<S: Subject>(
    s: &S,
    _root: &Root<'_, S::Value>,
    x: S::Value,
    y: S::Value,
    inner2: S::Value,
    x_2: S::Value,
    y_2: S::Value,
) -> Option<Rewrite<S::Value>> {
    if !same(s, x, x_2) {
        return None;
    }
    if !same(s, y, y_2) {
        return None;
    }
    Some(Rewrite { rule: rule(names::OR_OR_AND), plan: Plan::new(), outcome: Outcome::Value(Operand::Value(inner2)) })
}

// or_or_xor: or(or(x, y), xor(x, y))
//     # x ^ y has no bit that x | y has not.
//     => or(x, y)
fn or_or_xor<S: Subject>(
    s: &S,
    _root: &Root<'_, S::Value>,
    x: S::Value,
    y: S::Value,
    inner2: S::Value,
    x_2: S::Value,
    y_2: S::Value,
) -> Option<Rewrite<S::Value>> {
    if !same(s, x, x_2) {
        return None;
    }
    if !same(s, y, y_2) {
        return None;
    }
    Some(Rewrite { rule: rule(names::OR_OR_XOR), plan: Plan::new(), outcome: Outcome::Value(Operand::Value(inner2)) })
}

// or_absorbs_and [pypy]: or(x, and(x, y))
//     # x | (x & y) = x
//     => x
fn or_absorbs_and<S: Subject>(
    s: &S,
    _root: &Root<'_, S::Value>,
    x: S::Value,
    x_2: S::Value,
) -> Option<Rewrite<S::Value>> {
    if !same(s, x, x_2) {
        return None;
    }
    Some(Rewrite { rule: rule(names::OR_ABSORBS_AND), plan: Plan::new(), outcome: Outcome::Value(Operand::Value(x)) })
}

// or_or_self [pypy]: or(x, or(x, y))
//     # x | (x | y) = x | y, which exists.
//     => or(x, y)
fn or_or_self<S: Subject>(
    s: &S,
    _root: &Root<'_, S::Value>,
    x: S::Value,
    x_2: S::Value,
    inner3: S::Value,
) -> Option<Rewrite<S::Value>> {
    if !same(s, x, x_2) {
        return None;
    }
    Some(Rewrite { rule: rule(names::OR_OR_SELF), plan: Plan::new(), outcome: Outcome::Value(Operand::Value(inner3)) })
}

// or_covered [pypy]: or(x, y)
//     # Every bit that may be set in y is set in x.
//     check x.ones | y.zeros == -1
//     => x
fn or_covered<S: Subject>(
    s: &S,
    root: &Root<'_, S::Value>,
    x: S::Value,
    y: S::Value,
) -> Option<Rewrite<S::Value>> {
    let ty0 = root.ty;
    let w0 = ty0.int_width()?;
    if w0 < 2 {
        return None;
    }
    let x_fact = s.fact(x);
    let y_fact = s.fact(y);
    if Machine.or(x_fact.ones(), y_fact.zeros()) != Machine.neg(Int::new(w0, 1)) {
        return None;
    }
    if !is_spoken_of(ty0) {
        return None;
    }
    Some(Rewrite { rule: rule(names::OR_COVERED), plan: Plan::new(), outcome: Outcome::Value(Operand::Value(x)) })
}

// or_is_zero_more [pays]: or(is_zero(x), is_true(and(x, add(x, -1))))
//     # No bit is set, or more than one.
//     => ne(popcount(x), 1)
fn or_is_zero_more<S: Subject>(
    s: &S,
    root: &Root<'_, S::Value>,
    x: S::Value,
    inner1: S::Value,
    x_2: S::Value,
    x_3: S::Value,
    inner5: S::Value,
    inner6: S::Value,
    inner7: S::Value,
) -> Option<Rewrite<S::Value>> {
    if !same(s, x, x_2) {
        return None;
    }
    if !same(s, x, x_3) {
        return None;
    }
    let dies1 = s.used_once(inner1);
    let dies7 = s.used_once(inner7);
    let dies6 = dies7 && s.used_once(inner6);
    let dies5 = dies6 && s.used_once(inner5);
    if 1 + if dies1 { 1 } else { 0 } + if dies7 { 1 } else { 0 } + if dies6 { 1 } else { 0 } + if dies5 { 1 } else { 0 } < 2 {
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
    let new1 = plan.push(Op::Popcount, ty1, &[Operand::Value(x)]);
    let new2 = plan.push(Op::Ne, ty0, &[new1, Operand::Const(Const::Int(Int::new(w1, 1)))]);
    Some(Rewrite { rule: rule(names::OR_IS_ZERO_MORE), plan, outcome: Outcome::Value(new2) })
}

// or_range: or(lt(x, 0), ge(x, y))
//     # Outside of 0 to below a number that is not negative: one unsigned comparison.
//     check y.known_nonnegative()
//     => uge(x, y)
fn or_range<S: Subject>(
    s: &S,
    root: &Root<'_, S::Value>,
    x: S::Value,
    x_2: S::Value,
    y: S::Value,
) -> Option<Rewrite<S::Value>> {
    if !same(s, x, x_2) {
        return None;
    }
    let ty0 = root.ty;
    let y_fact = s.fact(y);
    if !y_fact.known_nonnegative() {
        return None;
    }
    if !is_spoken_of(ty0) {
        return None;
    }
    if !is_spoken_of(s.ty(x)) {
        return None;
    }
    let mut plan = Plan::new();
    let new1 = plan.push(Op::Uge, ty0, &[Operand::Value(x), Operand::Value(y)]);
    Some(Rewrite { rule: rule(names::OR_RANGE), plan, outcome: Outcome::Value(new1) })
}

// or_rotate [rotate]: or(lshift(x, C1), urshift(x, C2))
//     # The two parts of a word change places.
//     check C1 <u LONG_BIT and C2 <u LONG_BIT and C1 + C2 == LONG_BIT
//     => rotl(x, C1)
fn or_rotate<S: Subject>(
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
    if Machine.add(the_c1, the_c2) != Int::new(w0, u64::from(w0)) {
        return None;
    }
    if !is_spoken_of(ty0) {
        return None;
    }
    let mut plan = Plan::new();
    let new1 = plan.push(Op::Rotl, ty0, &[Operand::Value(x), Operand::Value(at_c1)]);
    Some(Rewrite { rule: rule(names::OR_ROTATE), plan, outcome: Outcome::Value(new1) })
}

// or_two_masks [pypy]: or(and(x, C1), and(x, C2))
//     # Bits of x under either mask.
//     C = C1 | C2
//     => and(x, C)
fn or_two_masks<S: Subject>(
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
    let the_c = Machine.or(the_c1, the_c2);
    let mut plan = Plan::new();
    let new1 = plan.push(Op::And, ty0, &[Operand::Value(x), Operand::Const(Const::Int(the_c))]);
    Some(Rewrite { rule: rule(names::OR_TWO_MASKS), plan, outcome: Outcome::Value(new1) })
}

// or_le_ge_const [pays]: or(le(x, C1), ge(x, C2))
//     # What is outside of a range is one comparison with its length.
//     C3 = C1 + 1
//     C4 = C2
//     C5 = C4 - C3
//     check C1 != MAXINT and C3 < C4
//     => uge(sub(x, C3), C5)
fn or_le_ge_const<S: Subject>(
    s: &S,
    root: &Root<'_, S::Value>,
    x: S::Value,
    at_c1: S::Value,
    inner2: S::Value,
    x_2: S::Value,
    at_c2: S::Value,
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
    let ty1 = s.ty(x);
    let w1 = ty1.int_width()?;
    if w1 < 2 {
        return None;
    }
    let the_c1 = int(s, at_c1)?;
    let the_c2 = int(s, at_c2)?;
    let the_c3 = Machine.add(the_c1, Int::new(w1, 1));
    let the_c4 = the_c2;
    let the_c5 = Machine.sub(the_c4, the_c3);
    if the_c1 == Int::new(w1, (1 << (w1 - 1)) - 1) {
        return None;
    }
    if Machine.sle(the_c4, the_c3) {
        return None;
    }
    if !is_spoken_of(ty0) {
        return None;
    }
    if !is_spoken_of(ty1) {
        return None;
    }
    let mut plan = Plan::new();
    let new1 = plan.push(Op::Sub, ty1, &[Operand::Value(x), Operand::Const(Const::Int(the_c3))]);
    let new2 = plan.push(Op::Uge, ty0, &[new1, Operand::Const(Const::Int(the_c5))]);
    Some(Rewrite { rule: rule(names::OR_LE_GE_CONST), plan, outcome: Outcome::Value(new2) })
}

// or_le_gt_const [pays]: or(le(x, C1), gt(x, C2))
//     # What is outside of a range is one comparison with its length.
//     C3 = C1 + 1
//     C4 = C2 + 1
//     C5 = C4 - C3
//     check C1 != MAXINT and C2 != MAXINT and C3 < C4
//     => uge(sub(x, C3), C5)
fn or_le_gt_const<S: Subject>(
    s: &S,
    root: &Root<'_, S::Value>,
    x: S::Value,
    at_c1: S::Value,
    inner2: S::Value,
    x_2: S::Value,
    at_c2: S::Value,
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
    let ty1 = s.ty(x);
    let w1 = ty1.int_width()?;
    if w1 < 2 {
        return None;
    }
    let the_c1 = int(s, at_c1)?;
    let the_c2 = int(s, at_c2)?;
    let the_c3 = Machine.add(the_c1, Int::new(w1, 1));
    let the_c4 = Machine.add(the_c2, Int::new(w1, 1));
    let the_c5 = Machine.sub(the_c4, the_c3);
    if the_c1 == Int::new(w1, (1 << (w1 - 1)) - 1) {
        return None;
    }
    if the_c2 == Int::new(w1, (1 << (w1 - 1)) - 1) {
        return None;
    }
    if Machine.sle(the_c4, the_c3) {
        return None;
    }
    if !is_spoken_of(ty0) {
        return None;
    }
    if !is_spoken_of(ty1) {
        return None;
    }
    let mut plan = Plan::new();
    let new1 = plan.push(Op::Sub, ty1, &[Operand::Value(x), Operand::Const(Const::Int(the_c3))]);
    let new2 = plan.push(Op::Uge, ty0, &[new1, Operand::Const(Const::Int(the_c5))]);
    Some(Rewrite { rule: rule(names::OR_LE_GT_CONST), plan, outcome: Outcome::Value(new2) })
}

// or_lt_ge_const [pays]: or(lt(x, C1), ge(x, C2))
//     # What is outside of a range is one comparison with its length.
//     C3 = C1
//     C4 = C2
//     C5 = C4 - C3
//     check C3 < C4
//     => uge(sub(x, C3), C5)
fn or_lt_ge_const<S: Subject>(
    s: &S,
    root: &Root<'_, S::Value>,
    x: S::Value,
    at_c1: S::Value,
    inner2: S::Value,
    x_2: S::Value,
    at_c2: S::Value,
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
    let ty1 = s.ty(x);
    let the_c1 = int(s, at_c1)?;
    let the_c2 = int(s, at_c2)?;
    let the_c3 = the_c1;
    let the_c4 = the_c2;
    let the_c5 = Machine.sub(the_c4, the_c3);
    if Machine.sle(the_c4, the_c3) {
        return None;
    }
    if !is_spoken_of(ty0) {
        return None;
    }
    if !is_spoken_of(ty1) {
        return None;
    }
    let mut plan = Plan::new();
    let new1 = plan.push(Op::Sub, ty1, &[Operand::Value(x), Operand::Const(Const::Int(the_c3))]);
    let new2 = plan.push(Op::Uge, ty0, &[new1, Operand::Const(Const::Int(the_c5))]);
    Some(Rewrite { rule: rule(names::OR_LT_GE_CONST), plan, outcome: Outcome::Value(new2) })
}

// or_lt_gt_const [pays]: or(lt(x, C1), gt(x, C2))
//     # What is outside of a range is one comparison with its length.
//     C3 = C1
//     C4 = C2 + 1
//     C5 = C4 - C3
//     check C2 != MAXINT and C3 < C4
//     => uge(sub(x, C3), C5)
fn or_lt_gt_const<S: Subject>(
    s: &S,
    root: &Root<'_, S::Value>,
    x: S::Value,
    at_c1: S::Value,
    inner2: S::Value,
    x_2: S::Value,
    at_c2: S::Value,
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
    let ty1 = s.ty(x);
    let w1 = ty1.int_width()?;
    if w1 < 2 {
        return None;
    }
    let the_c1 = int(s, at_c1)?;
    let the_c2 = int(s, at_c2)?;
    let the_c3 = the_c1;
    let the_c4 = Machine.add(the_c2, Int::new(w1, 1));
    let the_c5 = Machine.sub(the_c4, the_c3);
    if the_c2 == Int::new(w1, (1 << (w1 - 1)) - 1) {
        return None;
    }
    if Machine.sle(the_c4, the_c3) {
        return None;
    }
    if !is_spoken_of(ty0) {
        return None;
    }
    if !is_spoken_of(ty1) {
        return None;
    }
    let mut plan = Plan::new();
    let new1 = plan.push(Op::Sub, ty1, &[Operand::Value(x), Operand::Const(Const::Int(the_c3))]);
    let new2 = plan.push(Op::Uge, ty0, &[new1, Operand::Const(Const::Int(the_c5))]);
    Some(Rewrite { rule: rule(names::OR_LT_GT_CONST), plan, outcome: Outcome::Value(new2) })
}

// or_ule_uge_const [pays]: or(ule(x, C1), uge(x, C2))
//     # What is outside of a range is one comparison with its length.
//     C3 = C1 + 1
//     C4 = C2
//     C5 = C4 - C3
//     check C1 != -1 and C3 <u C4
//     => uge(sub(x, C3), C5)
fn or_ule_uge_const<S: Subject>(
    s: &S,
    root: &Root<'_, S::Value>,
    x: S::Value,
    at_c1: S::Value,
    inner2: S::Value,
    x_2: S::Value,
    at_c2: S::Value,
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
    let ty1 = s.ty(x);
    let w1 = ty1.int_width()?;
    if w1 < 2 {
        return None;
    }
    let the_c1 = int(s, at_c1)?;
    let the_c2 = int(s, at_c2)?;
    let the_c3 = Machine.add(the_c1, Int::new(w1, 1));
    let the_c4 = the_c2;
    let the_c5 = Machine.sub(the_c4, the_c3);
    if the_c1 == Machine.neg(Int::new(w1, 1)) {
        return None;
    }
    if Machine.ule(the_c4, the_c3) {
        return None;
    }
    if !is_spoken_of(ty0) {
        return None;
    }
    if !is_spoken_of(ty1) {
        return None;
    }
    let mut plan = Plan::new();
    let new1 = plan.push(Op::Sub, ty1, &[Operand::Value(x), Operand::Const(Const::Int(the_c3))]);
    let new2 = plan.push(Op::Uge, ty0, &[new1, Operand::Const(Const::Int(the_c5))]);
    Some(Rewrite { rule: rule(names::OR_ULE_UGE_CONST), plan, outcome: Outcome::Value(new2) })
}

// or_ule_ugt_const [pays]: or(ule(x, C1), ugt(x, C2))
//     # What is outside of a range is one comparison with its length.
//     C3 = C1 + 1
//     C4 = C2 + 1
//     C5 = C4 - C3
//     check C1 != -1 and C2 != -1 and C3 <u C4
//     => uge(sub(x, C3), C5)
fn or_ule_ugt_const<S: Subject>(
    s: &S,
    root: &Root<'_, S::Value>,
    x: S::Value,
    at_c1: S::Value,
    inner2: S::Value,
    x_2: S::Value,
    at_c2: S::Value,
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
    let ty1 = s.ty(x);
    let w1 = ty1.int_width()?;
    if w1 < 2 {
        return None;
    }
    let the_c1 = int(s, at_c1)?;
    let the_c2 = int(s, at_c2)?;
    let the_c3 = Machine.add(the_c1, Int::new(w1, 1));
    let the_c4 = Machine.add(the_c2, Int::new(w1, 1));
    let the_c5 = Machine.sub(the_c4, the_c3);
    if the_c1 == Machine.neg(Int::new(w1, 1)) {
        return None;
    }
    if the_c2 == Machine.neg(Int::new(w1, 1)) {
        return None;
    }
    if Machine.ule(the_c4, the_c3) {
        return None;
    }
    if !is_spoken_of(ty0) {
        return None;
    }
    if !is_spoken_of(ty1) {
        return None;
    }
    let mut plan = Plan::new();
    let new1 = plan.push(Op::Sub, ty1, &[Operand::Value(x), Operand::Const(Const::Int(the_c3))]);
    let new2 = plan.push(Op::Uge, ty0, &[new1, Operand::Const(Const::Int(the_c5))]);
    Some(Rewrite { rule: rule(names::OR_ULE_UGT_CONST), plan, outcome: Outcome::Value(new2) })
}

// or_ult_uge_const [pays]: or(ult(x, C1), uge(x, C2))
//     # What is outside of a range is one comparison with its length.
//     C3 = C1
//     C4 = C2
//     C5 = C4 - C3
//     check C3 <u C4
//     => uge(sub(x, C3), C5)
fn or_ult_uge_const<S: Subject>(
    s: &S,
    root: &Root<'_, S::Value>,
    x: S::Value,
    at_c1: S::Value,
    inner2: S::Value,
    x_2: S::Value,
    at_c2: S::Value,
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
    let ty1 = s.ty(x);
    let the_c1 = int(s, at_c1)?;
    let the_c2 = int(s, at_c2)?;
    let the_c3 = the_c1;
    let the_c4 = the_c2;
    let the_c5 = Machine.sub(the_c4, the_c3);
    if Machine.ule(the_c4, the_c3) {
        return None;
    }
    if !is_spoken_of(ty0) {
        return None;
    }
    if !is_spoken_of(ty1) {
        return None;
    }
    let mut plan = Plan::new();
    let new1 = plan.push(Op::Sub, ty1, &[Operand::Value(x), Operand::Const(Const::Int(the_c3))]);
    let new2 = plan.push(Op::Uge, ty0, &[new1, Operand::Const(Const::Int(the_c5))]);
    Some(Rewrite { rule: rule(names::OR_ULT_UGE_CONST), plan, outcome: Outcome::Value(new2) })
}

// or_ult_ugt_const [pays]: or(ult(x, C1), ugt(x, C2))
//     # What is outside of a range is one comparison with its length.
//     C3 = C1
//     C4 = C2 + 1
//     C5 = C4 - C3
//     check C2 != -1 and C3 <u C4
//     => uge(sub(x, C3), C5)
fn or_ult_ugt_const<S: Subject>(
    s: &S,
    root: &Root<'_, S::Value>,
    x: S::Value,
    at_c1: S::Value,
    inner2: S::Value,
    x_2: S::Value,
    at_c2: S::Value,
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
    let ty1 = s.ty(x);
    let w1 = ty1.int_width()?;
    if w1 < 2 {
        return None;
    }
    let the_c1 = int(s, at_c1)?;
    let the_c2 = int(s, at_c2)?;
    let the_c3 = the_c1;
    let the_c4 = Machine.add(the_c2, Int::new(w1, 1));
    let the_c5 = Machine.sub(the_c4, the_c3);
    if the_c2 == Machine.neg(Int::new(w1, 1)) {
        return None;
    }
    if Machine.ule(the_c4, the_c3) {
        return None;
    }
    if !is_spoken_of(ty0) {
        return None;
    }
    if !is_spoken_of(ty1) {
        return None;
    }
    let mut plan = Plan::new();
    let new1 = plan.push(Op::Sub, ty1, &[Operand::Value(x), Operand::Const(Const::Int(the_c3))]);
    let new2 = plan.push(Op::Uge, ty0, &[new1, Operand::Const(Const::Int(the_c5))]);
    Some(Rewrite { rule: rule(names::OR_ULT_UGT_CONST), plan, outcome: Outcome::Value(new2) })
}

// or_gt_eq: or(gt(x, y), eq(x, y))
//     # Greater or equal.
//     => ge(x, y)
fn or_gt_eq<S: Subject>(
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
    if !is_spoken_of(ty0) {
        return None;
    }
    if !is_spoken_of(s.ty(x)) {
        return None;
    }
    let mut plan = Plan::new();
    let new1 = plan.push(Op::Ge, ty0, &[Operand::Value(x), Operand::Value(y)]);
    Some(Rewrite { rule: rule(names::OR_GT_EQ), plan, outcome: Outcome::Value(new1) })
}

// or_lt_eq: or(lt(x, y), eq(x, y))
//     # Less or equal.
//     => le(x, y)
fn or_lt_eq<S: Subject>(
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
    if !is_spoken_of(ty0) {
        return None;
    }
    if !is_spoken_of(s.ty(x)) {
        return None;
    }
    let mut plan = Plan::new();
    let new1 = plan.push(Op::Le, ty0, &[Operand::Value(x), Operand::Value(y)]);
    Some(Rewrite { rule: rule(names::OR_LT_EQ), plan, outcome: Outcome::Value(new1) })
}

// or_lt_gt: or(lt(x, y), gt(x, y))
//     # One way or the other.
//     => ne(x, y)
fn or_lt_gt<S: Subject>(
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
    if !is_spoken_of(ty0) {
        return None;
    }
    if !is_spoken_of(s.ty(x)) {
        return None;
    }
    let mut plan = Plan::new();
    let new1 = plan.push(Op::Ne, ty0, &[Operand::Value(x), Operand::Value(y)]);
    Some(Rewrite { rule: rule(names::OR_LT_GT), plan, outcome: Outcome::Value(new1) })
}

// or_ugt_eq: or(ugt(x, y), eq(x, y))
//     # Greater or equal.
//     => uge(x, y)
fn or_ugt_eq<S: Subject>(
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
    if !is_spoken_of(ty0) {
        return None;
    }
    if !is_spoken_of(s.ty(x)) {
        return None;
    }
    let mut plan = Plan::new();
    let new1 = plan.push(Op::Uge, ty0, &[Operand::Value(x), Operand::Value(y)]);
    Some(Rewrite { rule: rule(names::OR_UGT_EQ), plan, outcome: Outcome::Value(new1) })
}

// or_ult_eq: or(ult(x, y), eq(x, y))
//     # Less or equal.
//     => ule(x, y)
fn or_ult_eq<S: Subject>(
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
    if !is_spoken_of(ty0) {
        return None;
    }
    if !is_spoken_of(s.ty(x)) {
        return None;
    }
    let mut plan = Plan::new();
    let new1 = plan.push(Op::Ule, ty0, &[Operand::Value(x), Operand::Value(y)]);
    Some(Rewrite { rule: rule(names::OR_ULT_EQ), plan, outcome: Outcome::Value(new1) })
}

// or_ult_ugt: or(ult(x, y), ugt(x, y))
//     # One way or the other.
//     => ne(x, y)
fn or_ult_ugt<S: Subject>(
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
    if !is_spoken_of(ty0) {
        return None;
    }
    if !is_spoken_of(s.ty(x)) {
        return None;
    }
    let mut plan = Plan::new();
    let new1 = plan.push(Op::Ne, ty0, &[Operand::Value(x), Operand::Value(y)]);
    Some(Rewrite { rule: rule(names::OR_ULT_UGT), plan, outcome: Outcome::Value(new1) })
}

// or_xor_and: or(xor(x, y), and(x, y))
//     # The bits in one of the two or in both.
//     => or(x, y)
fn or_xor_and<S: Subject>(
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
    Some(Rewrite { rule: rule(names::OR_XOR_AND), plan, outcome: Outcome::Value(new1) })
}

// or_common_and [pays]: or(and(x, y), and(x, z))
//     # And distributes over or.
//     => and(x, or(y, z))
fn or_common_and<S: Subject>(
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
    let new1 = plan.push(Op::Or, ty0, &[Operand::Value(y), Operand::Value(z)]);
    let new2 = plan.push(Op::And, ty0, &[Operand::Value(x), new1]);
    Some(Rewrite { rule: rule(names::OR_COMMON_AND), plan, outcome: Outcome::Value(new2) })
}

// or_ge_bounds [pays]: or(ge(x, y), ge(x, z))
//     # At least one of them is at least the smaller.
//     => ge(x, min(y, z))
fn or_ge_bounds<S: Subject>(
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
    let ty1 = s.ty(x);
    if !is_spoken_of(ty0) {
        return None;
    }
    if !is_spoken_of(ty1) {
        return None;
    }
    let mut plan = Plan::new();
    let new1 = plan.push(Op::Min, ty1, &[Operand::Value(y), Operand::Value(z)]);
    let new2 = plan.push(Op::Ge, ty0, &[Operand::Value(x), new1]);
    Some(Rewrite { rule: rule(names::OR_GE_BOUNDS), plan, outcome: Outcome::Value(new2) })
}

// or_gt_bounds [pays]: or(gt(x, y), gt(x, z))
//     # Above one of them is above the smaller.
//     => gt(x, min(y, z))
fn or_gt_bounds<S: Subject>(
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
    let ty1 = s.ty(x);
    if !is_spoken_of(ty0) {
        return None;
    }
    if !is_spoken_of(ty1) {
        return None;
    }
    let mut plan = Plan::new();
    let new1 = plan.push(Op::Min, ty1, &[Operand::Value(y), Operand::Value(z)]);
    let new2 = plan.push(Op::Gt, ty0, &[Operand::Value(x), new1]);
    Some(Rewrite { rule: rule(names::OR_GT_BOUNDS), plan, outcome: Outcome::Value(new2) })
}

// or_le_bounds [pays]: or(le(x, y), le(x, z))
//     # At most one of them is at most the larger.
//     => le(x, max(y, z))
fn or_le_bounds<S: Subject>(
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
    let ty1 = s.ty(x);
    if !is_spoken_of(ty0) {
        return None;
    }
    if !is_spoken_of(ty1) {
        return None;
    }
    let mut plan = Plan::new();
    let new1 = plan.push(Op::Max, ty1, &[Operand::Value(y), Operand::Value(z)]);
    let new2 = plan.push(Op::Le, ty0, &[Operand::Value(x), new1]);
    Some(Rewrite { rule: rule(names::OR_LE_BOUNDS), plan, outcome: Outcome::Value(new2) })
}

// or_lshift_common [pays]: or(lshift(x, z), lshift(y, z))
//     # Each bit moves by itself.
//     => lshift(or(x, y), z)
fn or_lshift_common<S: Subject>(
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
    let new1 = plan.push(Op::Or, ty0, &[Operand::Value(x), Operand::Value(y)]);
    let new2 = plan.push(Op::Lshift, ty0, &[new1, Operand::Value(z)]);
    Some(Rewrite { rule: rule(names::OR_LSHIFT_COMMON), plan, outcome: Outcome::Value(new2) })
}

// or_lt_bounds [pays]: or(lt(x, y), lt(x, z))
//     # Below one of them is below the larger.
//     => lt(x, max(y, z))
fn or_lt_bounds<S: Subject>(
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
    let ty1 = s.ty(x);
    if !is_spoken_of(ty0) {
        return None;
    }
    if !is_spoken_of(ty1) {
        return None;
    }
    let mut plan = Plan::new();
    let new1 = plan.push(Op::Max, ty1, &[Operand::Value(y), Operand::Value(z)]);
    let new2 = plan.push(Op::Lt, ty0, &[Operand::Value(x), new1]);
    Some(Rewrite { rule: rule(names::OR_LT_BOUNDS), plan, outcome: Outcome::Value(new2) })
}

// or_rshift_common [pays]: or(rshift(x, z), rshift(y, z))
//     # Each bit moves by itself, and the sign is one of them.
//     => rshift(or(x, y), z)
fn or_rshift_common<S: Subject>(
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
    let new1 = plan.push(Op::Or, ty0, &[Operand::Value(x), Operand::Value(y)]);
    let new2 = plan.push(Op::Rshift, ty0, &[new1, Operand::Value(z)]);
    Some(Rewrite { rule: rule(names::OR_RSHIFT_COMMON), plan, outcome: Outcome::Value(new2) })
}

// or_uge_bounds [pays]: or(uge(x, y), uge(x, z))
//     # At least one of them is at least the smaller.
//     => uge(x, umin(y, z))
fn or_uge_bounds<S: Subject>(
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
    let ty1 = s.ty(x);
    if !is_spoken_of(ty0) {
        return None;
    }
    if !is_spoken_of(ty1) {
        return None;
    }
    let mut plan = Plan::new();
    let new1 = plan.push(Op::Umin, ty1, &[Operand::Value(y), Operand::Value(z)]);
    let new2 = plan.push(Op::Uge, ty0, &[Operand::Value(x), new1]);
    Some(Rewrite { rule: rule(names::OR_UGE_BOUNDS), plan, outcome: Outcome::Value(new2) })
}

// or_ugt_bounds [pays]: or(ugt(x, y), ugt(x, z))
//     # Above one of them is above the smaller.
//     => ugt(x, umin(y, z))
fn or_ugt_bounds<S: Subject>(
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
    let ty1 = s.ty(x);
    if !is_spoken_of(ty0) {
        return None;
    }
    if !is_spoken_of(ty1) {
        return None;
    }
    let mut plan = Plan::new();
    let new1 = plan.push(Op::Umin, ty1, &[Operand::Value(y), Operand::Value(z)]);
    let new2 = plan.push(Op::Ugt, ty0, &[Operand::Value(x), new1]);
    Some(Rewrite { rule: rule(names::OR_UGT_BOUNDS), plan, outcome: Outcome::Value(new2) })
}

// or_ule_bounds [pays]: or(ule(x, y), ule(x, z))
//     # At most one of them is at most the larger.
//     => ule(x, umax(y, z))
fn or_ule_bounds<S: Subject>(
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
    let ty1 = s.ty(x);
    if !is_spoken_of(ty0) {
        return None;
    }
    if !is_spoken_of(ty1) {
        return None;
    }
    let mut plan = Plan::new();
    let new1 = plan.push(Op::Umax, ty1, &[Operand::Value(y), Operand::Value(z)]);
    let new2 = plan.push(Op::Ule, ty0, &[Operand::Value(x), new1]);
    Some(Rewrite { rule: rule(names::OR_ULE_BOUNDS), plan, outcome: Outcome::Value(new2) })
}

// or_ult_bounds [pays]: or(ult(x, y), ult(x, z))
//     # Below one of them is below the larger.
//     => ult(x, umax(y, z))
fn or_ult_bounds<S: Subject>(
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
    let ty1 = s.ty(x);
    if !is_spoken_of(ty0) {
        return None;
    }
    if !is_spoken_of(ty1) {
        return None;
    }
    let mut plan = Plan::new();
    let new1 = plan.push(Op::Umax, ty1, &[Operand::Value(y), Operand::Value(z)]);
    let new2 = plan.push(Op::Ult, ty0, &[Operand::Value(x), new1]);
    Some(Rewrite { rule: rule(names::OR_ULT_BOUNDS), plan, outcome: Outcome::Value(new2) })
}

// or_urshift_common [pays]: or(urshift(x, z), urshift(y, z))
//     # Each bit moves by itself.
//     => urshift(or(x, y), z)
fn or_urshift_common<S: Subject>(
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
    let new1 = plan.push(Op::Or, ty0, &[Operand::Value(x), Operand::Value(y)]);
    let new2 = plan.push(Op::Urshift, ty0, &[new1, Operand::Value(z)]);
    Some(Rewrite { rule: rule(names::OR_URSHIFT_COMMON), plan, outcome: Outcome::Value(new2) })
}

// or_and_not: or(x, and(not(x), y))
//     # Where x is not set, ~x is.
//     => or(x, y)
fn or_and_not<S: Subject>(
    s: &S,
    root: &Root<'_, S::Value>,
    x: S::Value,
    x_2: S::Value,
    y: S::Value,
) -> Option<Rewrite<S::Value>> {
    if !same(s, x, x_2) {
        return None;
    }
    let ty0 = root.ty;
    let mut plan = Plan::new();
    let new1 = plan.push(Op::Or, ty0, &[Operand::Value(x), Operand::Value(y)]);
    Some(Rewrite { rule: rule(names::OR_AND_NOT), plan, outcome: Outcome::Value(new1) })
}

// or_is_true [pays]: or(is_true(x), is_true(y))
//     # One is not zero exactly where some bit is set in either.
//     => is_true(or(x, y))
fn or_is_true<S: Subject>(
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
    let new1 = plan.push(Op::Or, ty1, &[Operand::Value(x), Operand::Value(y)]);
    let new2 = plan.push(Op::IsTrue, ty0, &[new1]);
    Some(Rewrite { rule: rule(names::OR_IS_TRUE), plan, outcome: Outcome::Value(new2) })
}

// or_not_not [pays]: or(not(x), not(y))
//     # De Morgan.
//     => not(and(x, y))
fn or_not_not<S: Subject>(
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
    let new1 = plan.push(Op::And, ty0, &[Operand::Value(x), Operand::Value(y)]);
    let new2 = plan.push(Op::Not, ty0, &[new1]);
    Some(Rewrite { rule: rule(names::OR_NOT_NOT), plan, outcome: Outcome::Value(new2) })
}

// or_consts [pypy]: or(or(x, C1), C2)
//     # (x | C1) | C2 = x | (C1 | C2)
//     C = C1 | C2
//     => or(x, C)
fn or_consts<S: Subject>(
    s: &S,
    root: &Root<'_, S::Value>,
    x: S::Value,
    at_c1: S::Value,
    at_c2: S::Value,
) -> Option<Rewrite<S::Value>> {
    let ty0 = root.ty;
    let the_c1 = int(s, at_c1)?;
    let the_c2 = int(s, at_c2)?;
    let the_c = Machine.or(the_c1, the_c2);
    let mut plan = Plan::new();
    let new1 = plan.push(Op::Or, ty0, &[Operand::Value(x), Operand::Const(Const::Int(the_c))]);
    Some(Rewrite { rule: rule(names::OR_CONSTS), plan, outcome: Outcome::Value(new1) })
}

// or_xor_self: or(xor(x, y), y)
//     # Where y is not set, x ^ y is x.
//     => or(x, y)
fn or_xor_self<S: Subject>(
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
    let mut plan = Plan::new();
    let new1 = plan.push(Op::Or, ty0, &[Operand::Value(x), Operand::Value(y)]);
    Some(Rewrite { rule: rule(names::OR_XOR_SELF), plan, outcome: Outcome::Value(new1) })
}

