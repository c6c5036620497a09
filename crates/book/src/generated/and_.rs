//! Rules whose pattern begins with `and`, in the order in which they are tried:
//!
//! - and_xor_and
//! - and_not_self
//! - and_is_true_eq_popcount
//! - and_both_ways
//! - and_and_or
//! - and_or_xor
//! - and_zext
//! - and_absorbs_or
//! - and_and_self
//! - and_covered
//! - and_is_true_no_more
//! - and_range
//! - and_ge_le_const
//! - and_ge_lt_const
//! - and_gt_le_const
//! - and_gt_lt_const
//! - and_uge_ule_const
//! - and_uge_ult_const
//! - and_ugt_ule_const
//! - and_ugt_ult_const
//! - and_ge_ne
//! - and_le_ge
//! - and_le_ne
//! - and_uge_ne
//! - and_ule_ne
//! - and_ule_uge
//! - and_common_or
//! - and_ge_bounds
//! - and_gt_bounds
//! - and_le_bounds
//! - and_lshift_common
//! - and_lt_bounds
//! - and_rshift_common
//! - and_uge_bounds
//! - and_ugt_bounds
//! - and_ule_bounds
//! - and_ult_bounds
//! - and_urshift_common
//! - and_or_not
//! - and_is_zero
//! - and_not_not
//! - and_consts
//! - and_signext
//! - and_xor_const_self
//! - and_sext
//! - and_or_masked
//! - and_xor_masked
//!
//! Generated from `rules/*.rules`.

use planish_ops::{Bits, Int, Machine, Op};
use planish_rules::speaks::is_spoken_of;
use planish_rules::matching::{Const, Flow, Operand, Outcome, Plan, Rewrite, Root, Subject, constant_last, int, integer, nodes, offer, operands2, same, shl, size_word};

use super::names::{self, rule};

/// Hands every rewrite of a `and` to `found`, until it says stop.
pub fn root<S: Subject>(
    s: &S,
    root: &Root<'_, S::Value>,
    found: &mut impl FnMut(Rewrite<S::Value>) -> Flow,
) -> Flow {
    let [a, b] = constant_last(s, [root.args[0], root.args[1]]);
    for node in nodes(s, b) {
        match node {
            Some((Op::And, n)) => {
                let [b0, b1] = operands2(s, n);
                for node in nodes(s, a) {
                    if let Some((Op::Xor, n)) = node {
                        let [a0, a1] = operands2(s, n);
                        offer(found, and_xor_and(s, root, a0, a1, b0, b1))?;
                        offer(found, and_xor_and(s, root, a0, a1, b1, b0))?;
                    }
                }
            }
            Some((Op::Xor, n)) => {
                let [b0, b1] = operands2(s, n);
                for node in nodes(s, a) {
                    if let Some((Op::And, n)) = node {
                        let [a0, a1] = operands2(s, n);
                        offer(found, and_xor_and(s, root, b0, b1, a0, a1))?;
                        offer(found, and_xor_and(s, root, b0, b1, a1, a0))?;
                    }
                }
            }
            Some((Op::Not, n)) => {
                let b0 = s.operand(n, 0);
                offer(found, and_not_self(s, root, a, b0))?;
            }
            _ => {}
        }
    }
    for node in nodes(s, a) {
        match node {
            Some((Op::And, n)) => {
                let [a0, a1] = operands2(s, n);
                for node in nodes(s, b) {
                    if let Some((Op::Or, n)) = node {
                        let [b0, b1] = operands2(s, n);
                        offer(found, and_and_or(s, root, a0, a1, a, b0, b1))?;
                        offer(found, and_and_or(s, root, a0, a1, a, b1, b0))?;
                    }
                }
            }
            Some((Op::Or, n)) => {
                let [a0, a1] = operands2(s, n);
                for node in nodes(s, b) {
                    match node {
                        Some((Op::And, n)) => {
                            let [b0, b1] = operands2(s, n);
                            offer(found, and_and_or(s, root, b0, b1, b, a0, a1))?;
                            offer(found, and_and_or(s, root, b0, b1, b, a1, a0))?;
                        }
                        Some((Op::Or, n)) => {
                            let [b0, b1] = operands2(s, n);
                            for node in nodes(s, b1) {
                                if let Some((Op::Not, n)) = node {
                                    let b10 = s.operand(n, 0);
                                    offer(found, and_both_ways(s, root, a0, a1, b0, b10))?;
                                }
                            }
                            for node in nodes(s, a1) {
                                if let Some((Op::Not, n)) = node {
                                    let a10 = s.operand(n, 0);
                                    offer(found, and_both_ways(s, root, b0, b1, a0, a10))?;
                                }
                            }
                            for node in nodes(s, b0) {
                                if let Some((Op::Not, n)) = node {
                                    let b00 = s.operand(n, 0);
                                    offer(found, and_both_ways(s, root, a0, a1, b1, b00))?;
                                }
                            }
                            for node in nodes(s, a0) {
                                if let Some((Op::Not, n)) = node {
                                    let a00 = s.operand(n, 0);
                                    offer(found, and_both_ways(s, root, b0, b1, a1, a00))?;
                                }
                            }
                            for node in nodes(s, b1) {
                                if let Some((Op::Not, n)) = node {
                                    let b10 = s.operand(n, 0);
                                    offer(found, and_both_ways(s, root, a1, a0, b0, b10))?;
                                }
                            }
                            for node in nodes(s, a1) {
                                if let Some((Op::Not, n)) = node {
                                    let a10 = s.operand(n, 0);
                                    offer(found, and_both_ways(s, root, b1, b0, a0, a10))?;
                                }
                            }
                            for node in nodes(s, b0) {
                                if let Some((Op::Not, n)) = node {
                                    let b00 = s.operand(n, 0);
                                    offer(found, and_both_ways(s, root, a1, a0, b1, b00))?;
                                }
                            }
                            for node in nodes(s, a0) {
                                if let Some((Op::Not, n)) = node {
                                    let a00 = s.operand(n, 0);
                                    offer(found, and_both_ways(s, root, b1, b0, a1, a00))?;
                                }
                            }
                        }
                        Some((Op::Xor, n)) => {
                            let [b0, b1] = operands2(s, n);
                            offer(found, and_or_xor(s, root, a0, a1, b0, b1, b))?;
                            offer(found, and_or_xor(s, root, a0, a1, b1, b0, b))?;
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
                        offer(found, and_or_xor(s, root, b0, b1, a0, a1, a))?;
                        offer(found, and_or_xor(s, root, b0, b1, a1, a0, a))?;
                    }
                }
            }
            Some((Op::Not, n)) => {
                let a0 = s.operand(n, 0);
                offer(found, and_not_self(s, root, b, a0))?;
            }
            Some((Op::Zext, n)) => {
                let a0 = s.operand(n, 0);
                if s.constant(b).is_some() {
                    offer(found, and_zext(s, root, a0, a, b))?;
                }
            }
            Some((Op::Eq, n)) => {
                let [a0, a1] = operands2(s, n);
                for node in nodes(s, b) {
                    if let Some((Op::IsTrue, n)) = node {
                        let b0 = s.operand(n, 0);
                        for node in nodes(s, a0) {
                            if let Some((Op::Popcount, n)) = node {
                                let a00 = s.operand(n, 0);
                                if s.constant(a1).is_some() {
                                    offer(found, and_is_true_eq_popcount(s, root, b0, a00, a1, a))?;
                                }
                            }
                        }
                    }
                }
            }
            Some((Op::IsTrue, n)) => {
                let a0 = s.operand(n, 0);
                for node in nodes(s, b) {
                    if let Some((Op::Eq, n)) = node {
                        let [b0, b1] = operands2(s, n);
                        for node in nodes(s, b0) {
                            if let Some((Op::Popcount, n)) = node {
                                let b00 = s.operand(n, 0);
                                if s.constant(b1).is_some() {
                                    offer(found, and_is_true_eq_popcount(s, root, a0, b00, b1, b))?;
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
        if let Some((Op::Or, n)) = node {
            let [b0, _] = operands2(s, n);
            offer(found, and_absorbs_or(s, root, a, b0))?;
        }
    }
    for node in nodes(s, a) {
        if let Some((Op::Or, n)) = node {
            let [a0, _] = operands2(s, n);
            offer(found, and_absorbs_or(s, root, b, a0))?;
        }
    }
    for node in nodes(s, b) {
        if let Some((Op::Or, n)) = node {
            let [_, b1] = operands2(s, n);
            offer(found, and_absorbs_or(s, root, a, b1))?;
        }
    }
    for node in nodes(s, a) {
        if let Some((Op::Or, n)) = node {
            let [_, a1] = operands2(s, n);
            offer(found, and_absorbs_or(s, root, b, a1))?;
        }
    }
    for node in nodes(s, b) {
        if let Some((Op::And, n)) = node {
            let [b0, _] = operands2(s, n);
            offer(found, and_and_self(s, root, a, b0, b))?;
        }
    }
    for node in nodes(s, a) {
        if let Some((Op::And, n)) = node {
            let [a0, _] = operands2(s, n);
            offer(found, and_and_self(s, root, b, a0, a))?;
        }
    }
    for node in nodes(s, b) {
        if let Some((Op::And, n)) = node {
            let [_, b1] = operands2(s, n);
            offer(found, and_and_self(s, root, a, b1, b))?;
        }
    }
    for node in nodes(s, a) {
        if let Some((Op::And, n)) = node {
            let [_, a1] = operands2(s, n);
            offer(found, and_and_self(s, root, b, a1, a))?;
        }
    }
    offer(found, and_covered(s, root, a, b))?;
    offer(found, and_covered(s, root, b, a))?;
    for node in nodes(s, b) {
        match node {
            Some((Op::Or, n)) => {
                let [b0, b1] = operands2(s, n);
                for node in nodes(s, a) {
                    if let Some((Op::Or, n)) = node {
                        let [a0, a1] = operands2(s, n);
                        offer(found, and_common_or(s, root, a0, a1, a, b0, b1, b))?;
                        offer(found, and_common_or(s, root, a0, a1, a, b1, b0, b))?;
                        offer(found, and_common_or(s, root, b0, b1, b, a1, a0, a))?;
                        offer(found, and_common_or(s, root, a1, a0, a, b1, b0, b))?;
                    }
                }
                for node in nodes(s, b0) {
                    if let Some((Op::Not, n)) = node {
                        let b00 = s.operand(n, 0);
                        offer(found, and_or_not(s, root, a, b00, b1))?;
                    }
                }
            }
            Some((Op::Lshift, n)) => {
                let [b0, b1] = operands2(s, n);
                for node in nodes(s, a) {
                    if let Some((Op::Lshift, n)) = node {
                        let [a0, a1] = operands2(s, n);
                        offer(found, and_lshift_common(s, root, a0, a1, a, b0, b1, b))?;
                    }
                }
            }
            Some((Op::Rshift, n)) => {
                let [b0, b1] = operands2(s, n);
                for node in nodes(s, a) {
                    if let Some((Op::Rshift, n)) = node {
                        let [a0, a1] = operands2(s, n);
                        offer(found, and_rshift_common(s, root, a0, a1, a, b0, b1, b))?;
                    }
                }
            }
            Some((Op::Urshift, n)) => {
                let [b0, b1] = operands2(s, n);
                for node in nodes(s, a) {
                    if let Some((Op::Urshift, n)) = node {
                        let [a0, a1] = operands2(s, n);
                        offer(found, and_urshift_common(s, root, a0, a1, a, b0, b1, b))?;
                    }
                }
            }
            Some((Op::Ne, n)) => {
                let [b0, b1] = operands2(s, n);
                for node in nodes(s, a) {
                    match node {
                        Some((Op::Le, n)) => {
                            let [a0, a1] = operands2(s, n);
                            offer(found, and_le_ne(s, root, a0, a1, b0, b1))?;
                            offer(found, and_le_ne(s, root, a0, a1, b1, b0))?;
                        }
                        Some((Op::Ge, n)) => {
                            let [a0, a1] = operands2(s, n);
                            offer(found, and_ge_ne(s, root, a0, a1, b0, b1))?;
                            offer(found, and_ge_ne(s, root, a0, a1, b1, b0))?;
                        }
                        Some((Op::Ule, n)) => {
                            let [a0, a1] = operands2(s, n);
                            offer(found, and_ule_ne(s, root, a0, a1, b0, b1))?;
                            offer(found, and_ule_ne(s, root, a0, a1, b1, b0))?;
                        }
                        Some((Op::Uge, n)) => {
                            let [a0, a1] = operands2(s, n);
                            offer(found, and_uge_ne(s, root, a0, a1, b0, b1))?;
                            offer(found, and_uge_ne(s, root, a0, a1, b1, b0))?;
                        }
                        _ => {}
                    }
                }
            }
            Some((Op::Lt, n)) => {
                let [b0, b1] = operands2(s, n);
                for node in nodes(s, a) {
                    match node {
                        Some((Op::Lt, n)) => {
                            let [a0, a1] = operands2(s, n);
                            offer(found, and_lt_bounds(s, root, a0, a1, a, b0, b1, b))?;
                        }
                        Some((Op::Gt, n)) => {
                            let [a0, a1] = operands2(s, n);
                            if s.constant(b1).is_some() {
                                if s.constant(a1).is_some() {
                                    offer(found, and_gt_lt_const(s, root, a0, a1, a, b0, b1, b))?;
                                }
                            }
                        }
                        Some((Op::Ge, n)) => {
                            let [a0, a1] = operands2(s, n);
                            if let Some(constant) = s.constant(a1) {
                                match constant {
                                    Const::Int(i) if i.signed() == 0 => {
                                        offer(found, and_range(s, root, a0, b0, b1))?;
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
                        Some((Op::Ne, n)) => {
                            let [a0, a1] = operands2(s, n);
                            offer(found, and_le_ne(s, root, b0, b1, a0, a1))?;
                            offer(found, and_le_ne(s, root, b0, b1, a1, a0))?;
                        }
                        Some((Op::Le, n)) => {
                            let [a0, a1] = operands2(s, n);
                            offer(found, and_le_bounds(s, root, a0, a1, a, b0, b1, b))?;
                        }
                        Some((Op::Gt, n)) => {
                            let [a0, a1] = operands2(s, n);
                            if s.constant(b1).is_some() {
                                if s.constant(a1).is_some() {
                                    offer(found, and_gt_le_const(s, root, a0, a1, a, b0, b1, b))?;
                                }
                            }
                        }
                        Some((Op::Ge, n)) => {
                            let [a0, a1] = operands2(s, n);
                            if s.constant(a1).is_some() {
                                if s.constant(b1).is_some() {
                                    offer(found, and_ge_le_const(s, root, a0, a1, a, b0, b1, b))?;
                                }
                            }
                            offer(found, and_le_ge(s, root, b0, b1, a0, a1))?;
                        }
                        _ => {}
                    }
                }
            }
            Some((Op::Gt, n)) => {
                let [b0, b1] = operands2(s, n);
                for node in nodes(s, a) {
                    match node {
                        Some((Op::Lt, n)) => {
                            let [a0, a1] = operands2(s, n);
                            if s.constant(a1).is_some() {
                                if s.constant(b1).is_some() {
                                    offer(found, and_gt_lt_const(s, root, b0, b1, b, a0, a1, a))?;
                                }
                            }
                        }
                        Some((Op::Le, n)) => {
                            let [a0, a1] = operands2(s, n);
                            if s.constant(a1).is_some() {
                                if s.constant(b1).is_some() {
                                    offer(found, and_gt_le_const(s, root, b0, b1, b, a0, a1, a))?;
                                }
                            }
                        }
                        Some((Op::Gt, n)) => {
                            let [a0, a1] = operands2(s, n);
                            offer(found, and_gt_bounds(s, root, a0, a1, a, b0, b1, b))?;
                        }
                        _ => {}
                    }
                }
            }
            Some((Op::Ge, n)) => {
                let [b0, b1] = operands2(s, n);
                for node in nodes(s, a) {
                    match node {
                        Some((Op::Ne, n)) => {
                            let [a0, a1] = operands2(s, n);
                            offer(found, and_ge_ne(s, root, b0, b1, a0, a1))?;
                            offer(found, and_ge_ne(s, root, b0, b1, a1, a0))?;
                        }
                        Some((Op::Lt, n)) => {
                            let [a0, a1] = operands2(s, n);
                            if let Some(constant) = s.constant(b1) {
                                match constant {
                                    Const::Int(i) if i.signed() == 0 => {
                                        offer(found, and_range(s, root, b0, a0, a1))?;
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
                                    offer(found, and_ge_le_const(s, root, b0, b1, b, a0, a1, a))?;
                                }
                            }
                            offer(found, and_le_ge(s, root, a0, a1, b0, b1))?;
                        }
                        Some((Op::Ge, n)) => {
                            let [a0, a1] = operands2(s, n);
                            offer(found, and_ge_bounds(s, root, a0, a1, a, b0, b1, b))?;
                        }
                        _ => {}
                    }
                }
            }
            Some((Op::Ult, n)) => {
                let [b0, b1] = operands2(s, n);
                for node in nodes(s, a) {
                    match node {
                        Some((Op::Ult, n)) => {
                            let [a0, a1] = operands2(s, n);
                            offer(found, and_ult_bounds(s, root, a0, a1, a, b0, b1, b))?;
                        }
                        Some((Op::Ugt, n)) => {
                            let [a0, a1] = operands2(s, n);
                            if s.constant(b1).is_some() {
                                if s.constant(a1).is_some() {
                                    offer(found, and_ugt_ult_const(s, root, a0, a1, a, b0, b1, b))?;
                                }
                            }
                        }
                        Some((Op::Uge, n)) => {
                            let [a0, a1] = operands2(s, n);
                            if s.constant(a1).is_some() {
                                if s.constant(b1).is_some() {
                                    offer(found, and_uge_ult_const(s, root, a0, a1, a, b0, b1, b))?;
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
                        Some((Op::Ne, n)) => {
                            let [a0, a1] = operands2(s, n);
                            offer(found, and_ule_ne(s, root, b0, b1, a0, a1))?;
                            offer(found, and_ule_ne(s, root, b0, b1, a1, a0))?;
                        }
                        Some((Op::Ule, n)) => {
                            let [a0, a1] = operands2(s, n);
                            offer(found, and_ule_bounds(s, root, a0, a1, a, b0, b1, b))?;
                        }
                        Some((Op::Ugt, n)) => {
                            let [a0, a1] = operands2(s, n);
                            if s.constant(b1).is_some() {
                                if s.constant(a1).is_some() {
                                    offer(found, and_ugt_ule_const(s, root, a0, a1, a, b0, b1, b))?;
                                }
                            }
                        }
                        Some((Op::Uge, n)) => {
                            let [a0, a1] = operands2(s, n);
                            if s.constant(a1).is_some() {
                                if s.constant(b1).is_some() {
                                    offer(found, and_uge_ule_const(s, root, a0, a1, a, b0, b1, b))?;
                                }
                            }
                            offer(found, and_ule_uge(s, root, b0, b1, a0, a1))?;
                        }
                        _ => {}
                    }
                }
            }
            Some((Op::Ugt, n)) => {
                let [b0, b1] = operands2(s, n);
                for node in nodes(s, a) {
                    match node {
                        Some((Op::Ult, n)) => {
                            let [a0, a1] = operands2(s, n);
                            if s.constant(a1).is_some() {
                                if s.constant(b1).is_some() {
                                    offer(found, and_ugt_ult_const(s, root, b0, b1, b, a0, a1, a))?;
                                }
                            }
                        }
                        Some((Op::Ule, n)) => {
                            let [a0, a1] = operands2(s, n);
                            if s.constant(a1).is_some() {
                                if s.constant(b1).is_some() {
                                    offer(found, and_ugt_ule_const(s, root, b0, b1, b, a0, a1, a))?;
                                }
                            }
                        }
                        Some((Op::Ugt, n)) => {
                            let [a0, a1] = operands2(s, n);
                            offer(found, and_ugt_bounds(s, root, a0, a1, a, b0, b1, b))?;
                        }
                        _ => {}
                    }
                }
            }
            Some((Op::Uge, n)) => {
                let [b0, b1] = operands2(s, n);
                for node in nodes(s, a) {
                    match node {
                        Some((Op::Ne, n)) => {
                            let [a0, a1] = operands2(s, n);
                            offer(found, and_uge_ne(s, root, b0, b1, a0, a1))?;
                            offer(found, and_uge_ne(s, root, b0, b1, a1, a0))?;
                        }
                        Some((Op::Ult, n)) => {
                            let [a0, a1] = operands2(s, n);
                            if s.constant(b1).is_some() {
                                if s.constant(a1).is_some() {
                                    offer(found, and_uge_ult_const(s, root, b0, b1, b, a0, a1, a))?;
                                }
                            }
                        }
                        Some((Op::Ule, n)) => {
                            let [a0, a1] = operands2(s, n);
                            if s.constant(a1).is_some() {
                                if s.constant(b1).is_some() {
                                    offer(found, and_uge_ule_const(s, root, b0, b1, b, a0, a1, a))?;
                                }
                            }
                            offer(found, and_ule_uge(s, root, a0, a1, b0, b1))?;
                        }
                        Some((Op::Uge, n)) => {
                            let [a0, a1] = operands2(s, n);
                            offer(found, and_uge_bounds(s, root, a0, a1, a, b0, b1, b))?;
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
                        for node in nodes(s, a0) {
                            if let Some((Op::And, n)) = node {
                                let [a00, a01] = operands2(s, n);
                                for node in nodes(s, a01) {
                                    if let Some((Op::Add, n)) = node {
                                        let [a010, a011] = operands2(s, n);
                                        if integer(s, a011) == Some(-1) {
                                            offer(found, and_is_true_no_more(s, root, b0, b, a00, a010, a01, a0, a))?;
                                        }
                                    }
                                }
                                for node in nodes(s, a00) {
                                    if let Some((Op::Add, n)) = node {
                                        let [a000, a001] = operands2(s, n);
                                        if integer(s, a001) == Some(-1) {
                                            offer(found, and_is_true_no_more(s, root, b0, b, a01, a000, a00, a0, a))?;
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
                        for node in nodes(s, b0) {
                            if let Some((Op::And, n)) = node {
                                let [b00, b01] = operands2(s, n);
                                for node in nodes(s, b01) {
                                    if let Some((Op::Add, n)) = node {
                                        let [b010, b011] = operands2(s, n);
                                        if integer(s, b011) == Some(-1) {
                                            offer(found, and_is_true_no_more(s, root, a0, a, b00, b010, b01, b0, b))?;
                                        }
                                    }
                                }
                                for node in nodes(s, b00) {
                                    if let Some((Op::Add, n)) = node {
                                        let [b000, b001] = operands2(s, n);
                                        if integer(s, b001) == Some(-1) {
                                            offer(found, and_is_true_no_more(s, root, a0, a, b01, b000, b00, b0, b))?;
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
        if let Some((Op::Or, n)) = node {
            let [a0, a1] = operands2(s, n);
            for node in nodes(s, a0) {
                if let Some((Op::Not, n)) = node {
                    let a00 = s.operand(n, 0);
                    offer(found, and_or_not(s, root, b, a00, a1))?;
                }
            }
        }
    }
    for node in nodes(s, b) {
        if let Some((Op::Or, n)) = node {
            let [b0, b1] = operands2(s, n);
            for node in nodes(s, b1) {
                if let Some((Op::Not, n)) = node {
                    let b10 = s.operand(n, 0);
                    offer(found, and_or_not(s, root, a, b10, b0))?;
                }
            }
        }
    }
    for node in nodes(s, a) {
        match node {
            Some((Op::And, n)) => {
                let [a0, a1] = operands2(s, n);
                if s.constant(b).is_some() {
                    if s.constant(a1).is_some() {
                        offer(found, and_consts(s, root, a0, a1, b))?;
                    }
                }
            }
            Some((Op::Or, n)) => {
                let [a0, a1] = operands2(s, n);
                for node in nodes(s, a1) {
                    if let Some((Op::Not, n)) = node {
                        let a10 = s.operand(n, 0);
                        offer(found, and_or_not(s, root, b, a10, a0))?;
                    }
                }
            }
            Some((Op::Xor, n)) => {
                let [a0, a1] = operands2(s, n);
                if s.constant(a1).is_some() {
                    offer(found, and_xor_const_self(s, root, a0, a1, b))?;
                }
            }
            Some((Op::Not, n)) => {
                let a0 = s.operand(n, 0);
                for node in nodes(s, b) {
                    if let Some((Op::Not, n)) = node {
                        let b0 = s.operand(n, 0);
                        offer(found, and_not_not(s, root, a0, a, b0, b))?;
                    }
                }
            }
            Some((Op::Signext, n)) => {
                let [a0, a1] = operands2(s, n);
                if s.constant(b).is_some() {
                    if s.constant(a1).is_some() {
                        offer(found, and_signext(s, root, a0, a1, b))?;
                    }
                }
            }
            Some((Op::IsZero, n)) => {
                let a0 = s.operand(n, 0);
                for node in nodes(s, b) {
                    if let Some((Op::IsZero, n)) = node {
                        let b0 = s.operand(n, 0);
                        offer(found, and_is_zero(s, root, a0, a, b0, b))?;
                    }
                }
            }
            _ => {}
        }
    }
    if s.constant(b).is_some() {
        for node in nodes(s, a) {
            if let Some((Op::Sext, n)) = node {
                let a0 = s.operand(n, 0);
                offer(found, and_sext(s, root, a0, b))?;
            }
        }
    } else {
        for node in nodes(s, b) {
            if let Some((Op::Xor, n)) = node {
                let [b0, b1] = operands2(s, n);
                if s.constant(b1).is_some() {
                    offer(found, and_xor_const_self(s, root, b0, b1, a))?;
                }
            }
        }
    }
    for node in nodes(s, a) {
        if let Some((Op::Or, n)) = node {
            let [a0, a1] = operands2(s, n);
            offer(found, and_or_masked(s, root, a0, a1, b))?;
        }
    }
    for node in nodes(s, b) {
        if let Some((Op::Or, n)) = node {
            let [b0, b1] = operands2(s, n);
            offer(found, and_or_masked(s, root, b0, b1, a))?;
        }
    }
    for node in nodes(s, a) {
        if let Some((Op::Or, n)) = node {
            let [a0, a1] = operands2(s, n);
            offer(found, and_or_masked(s, root, a1, a0, b))?;
        }
    }
    for node in nodes(s, b) {
        if let Some((Op::Or, n)) = node {
            let [b0, b1] = operands2(s, n);
            offer(found, and_or_masked(s, root, b1, b0, a))?;
        }
    }
    for node in nodes(s, a) {
        if let Some((Op::Xor, n)) = node {
            let [a0, a1] = operands2(s, n);
            offer(found, and_xor_masked(s, root, a0, a1, b))?;
        }
    }
    for node in nodes(s, b) {
        if let Some((Op::Xor, n)) = node {
            let [b0, b1] = operands2(s, n);
            offer(found, and_xor_masked(s, root, b0, b1, a))?;
        }
    }
    for node in nodes(s, a) {
        if let Some((Op::Xor, n)) = node {
            let [a0, a1] = operands2(s, n);
            offer(found, and_xor_masked(s, root, a1, a0, b))?;
        }
    }
    for node in nodes(s, b) {
        if let Some((Op::Xor, n)) = node {
            let [b0, b1] = operands2(s, n);
            offer(found, and_xor_masked(s, root, b1, b0, a))?;
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
    if s.constant(b1).is_some() {
        offer(found, and_ge_lt_const(s, root, a0, a1, a, b0, b1, b))?;
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
    if s.constant(a1).is_some() {
        offer(found, and_ge_lt_const(s, root, b0, b1, b, a0, a1, a))?;
    }
    Flow::Continue(())
}

// and_xor_and: and(xor(x, y), and(x, y))
//     # What is in both is not in just one.
//     => 0
fn and_xor_and<S: Subject>(
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
    let w0 = ty0.int_width()?;
    Some(Rewrite { rule: rule(names::AND_XOR_AND), plan: Plan::new(), outcome: Outcome::Value(Operand::Const(Const::Int(Int::new(w0, 0)))) })
}

// and_not_self: and(x, not(x))
//     # No bit is set in both.
//     => 0
fn and_not_self<S: Subject>(
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
    Some(Rewrite { rule: rule(names::AND_NOT_SELF), plan: Plan::new(), outcome: Outcome::Value(Operand::Const(Const::Int(Int::new(w0, 0)))) })
}

// and_is_true_eq_popcount: and(is_true(x), eq(popcount(x), C))
//     # A word without bits has none to count.
//     check C != 0
//     => eq(popcount(x), C)
fn and_is_true_eq_popcount<S: Subject>(
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
    Some(Rewrite { rule: rule(names::AND_IS_TRUE_EQ_POPCOUNT), plan: Plan::new(), outcome: Outcome::Value(Operand::Value(inner5)) })
}

// and_both_ways: and(or(x, y), or(x, not(y)))
//     # Whatever y is, x is needed.
//     => x
fn and_both_ways<S: Subject>(
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
    Some(Rewrite { rule: rule(names::AND_BOTH_WAYS), plan: Plan::new(), outcome: Outcome::Value(Operand::Value(x)) })
}

// and_and_or: and(and(x, y), or(x, y))
//     # x & y has no bit that x | y has not.
//     => and(x, y)
fn and_and_or<S: Subject>(
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
    Some(Rewrite { rule: rule(names::AND_AND_OR), plan: Plan::new(), outcome: Outcome::Value(Operand::Value(inner2)) })
}

// and_or_xor: and(or(x, y), xor(x, y))
//     # x ^ y has no bit that x | y has not.
//     => xor(x, y)
fn and_or_xor<S: Subject>(
    s: &S,
    _root: &Root<'_, S::Value>,
    x: S::Value,
    y: S::Value,
    x_2: S::Value,
    y_2: S::Value,
    inner5: S::Value,
) -> Option<Rewrite<S::Value>> {
    if !same(s, x, x_2) {
        return None;
    }
    if !same(s, y, y_2) {
        return None;
    }
    Some(Rewrite { rule: rule(names::AND_OR_XOR), plan: Plan::new(), outcome: Outcome::Value(Operand::Value(inner5)) })
}

// and_zext: and(zext(x: a), C)
//     # The mask covers all that may be set.
//     check C | (-1 << width(a)) == -1
//     => zext(x)
fn and_zext<S: Subject>(
    s: &S,
    root: &Root<'_, S::Value>,
    x: S::Value,
    inner1: S::Value,
    at_c: S::Value,
) -> Option<Rewrite<S::Value>> {
    let ty0 = root.ty;
    let w0 = ty0.int_width()?;
    if w0 < 2 {
        return None;
    }
    let ty1 = s.ty(x);
    let w1 = ty1.int_width()?;
    let the_c = int(s, at_c)?;
    if Machine.or(the_c, shl(Machine.neg(Int::new(w0, 1)), size_word(w0, i64::from(w1))?)?) != Machine.neg(Int::new(w0, 1)) {
        return None;
    }
    if !is_spoken_of(ty0) {
        return None;
    }
    if !is_spoken_of(ty1) {
        return None;
    }
    Some(Rewrite { rule: rule(names::AND_ZEXT), plan: Plan::new(), outcome: Outcome::Value(Operand::Value(inner1)) })
}

// and_absorbs_or [pypy]: and(x, or(x, y))
//     # x & (x | y) = x
//     => x
fn and_absorbs_or<S: Subject>(
    s: &S,
    _root: &Root<'_, S::Value>,
    x: S::Value,
    x_2: S::Value,
) -> Option<Rewrite<S::Value>> {
    if !same(s, x, x_2) {
        return None;
    }
    Some(Rewrite { rule: rule(names::AND_ABSORBS_OR), plan: Plan::new(), outcome: Outcome::Value(Operand::Value(x)) })
}

// and_and_self [pypy]: and(x, and(x, y))
//     # x & (x & y) = x & y, which exists.
//     => and(x, y)
fn and_and_self<S: Subject>(
    s: &S,
    _root: &Root<'_, S::Value>,
    x: S::Value,
    x_2: S::Value,
    inner3: S::Value,
) -> Option<Rewrite<S::Value>> {
    if !same(s, x, x_2) {
        return None;
    }
    Some(Rewrite { rule: rule(names::AND_AND_SELF), plan: Plan::new(), outcome: Outcome::Value(Operand::Value(inner3)) })
}

// and_covered [pypy]: and(x, y)
//     # Every bit that may be set in x is set in y.
//     check y.ones | x.zeros == -1
//     => x
fn and_covered<S: Subject>(
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
    if Machine.or(y_fact.ones(), x_fact.zeros()) != Machine.neg(Int::new(w0, 1)) {
        return None;
    }
    if !is_spoken_of(ty0) {
        return None;
    }
    Some(Rewrite { rule: rule(names::AND_COVERED), plan: Plan::new(), outcome: Outcome::Value(Operand::Value(x)) })
}

// and_is_true_no_more [pays]: and(is_true(x), is_zero(and(x, add(x, -1))))
//     # One bit is set, and none but that.
//     => eq(popcount(x), 1)
fn and_is_true_no_more<S: Subject>(
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
    let new2 = plan.push(Op::Eq, ty0, &[new1, Operand::Const(Const::Int(Int::new(w1, 1)))]);
    Some(Rewrite { rule: rule(names::AND_IS_TRUE_NO_MORE), plan, outcome: Outcome::Value(new2) })
}

// and_range: and(ge(x, 0), lt(x, y))
//     # From 0 to below a number that is not negative: one unsigned comparison.
//     check y.known_nonnegative()
//     => ult(x, y)
fn and_range<S: Subject>(
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
    let new1 = plan.push(Op::Ult, ty0, &[Operand::Value(x), Operand::Value(y)]);
    Some(Rewrite { rule: rule(names::AND_RANGE), plan, outcome: Outcome::Value(new1) })
}

// and_ge_le_const [pays]: and(ge(x, C1), le(x, C2))
//     # A range is one comparison with its length.
//     C3 = C1
//     C4 = C2 + 1
//     C5 = C4 - C3
//     check C2 != MAXINT and C3 < C4
//     => ult(sub(x, C3), C5)
fn and_ge_le_const<S: Subject>(
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
    let new2 = plan.push(Op::Ult, ty0, &[new1, Operand::Const(Const::Int(the_c5))]);
    Some(Rewrite { rule: rule(names::AND_GE_LE_CONST), plan, outcome: Outcome::Value(new2) })
}

// and_ge_lt_const [pays]: and(ge(x, C1), lt(x, C2))
//     # A range is one comparison with its length.
//     C3 = C1
//     C4 = C2
//     C5 = C4 - C3
//     check C3 < C4
//     => ult(sub(x, C3), C5)
fn and_ge_lt_const<S: Subject>(
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
    let new2 = plan.push(Op::Ult, ty0, &[new1, Operand::Const(Const::Int(the_c5))]);
    Some(Rewrite { rule: rule(names::AND_GE_LT_CONST), plan, outcome: Outcome::Value(new2) })
}

// and_gt_le_const [pays]: and(gt(x, C1), le(x, C2))
//     # A range is one comparison with its length.
//     C3 = C1 + 1
//     C4 = C2 + 1
//     C5 = C4 - C3
//     check C1 != MAXINT and C2 != MAXINT and C3 < C4
//     => ult(sub(x, C3), C5)
fn and_gt_le_const<S: Subject>(
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
    let new2 = plan.push(Op::Ult, ty0, &[new1, Operand::Const(Const::Int(the_c5))]);
    Some(Rewrite { rule: rule(names::AND_GT_LE_CONST), plan, outcome: Outcome::Value(new2) })
}

// and_gt_lt_const [pays]: and(gt(x, C1), lt(x, C2))
//     # A range is one comparison with its length.
//     C3 = C1 + 1
//     C4 = C2
//     C5 = C4 - C3
//     check C1 != MAXINT and C3 < C4
//     => ult(sub(x, C3), C5)
fn and_gt_lt_const<S: Subject>(
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
    let new2 = plan.push(Op::Ult, ty0, &[new1, Operand::Const(Const::Int(the_c5))]);
    Some(Rewrite { rule: rule(names::AND_GT_LT_CONST), plan, outcome: Outcome::Value(new2) })
}

// and_uge_ule_const [pays]: and(uge(x, C1), ule(x, C2))
//     # A range is one comparison with its length.
//     C3 = C1
//     C4 = C2 + 1
//     C5 = C4 - C3
//     check C2 != -1 and C3 <u C4
//     => ult(sub(x, C3), C5)
fn and_uge_ule_const<S: Subject>(
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
    let new2 = plan.push(Op::Ult, ty0, &[new1, Operand::Const(Const::Int(the_c5))]);
    Some(Rewrite { rule: rule(names::AND_UGE_ULE_CONST), plan, outcome: Outcome::Value(new2) })
}

// and_uge_ult_const [pays]: and(uge(x, C1), ult(x, C2))
//     # A range is one comparison with its length.
//     C3 = C1
//     C4 = C2
//     C5 = C4 - C3
//     check C3 <u C4
//     => ult(sub(x, C3), C5)
fn and_uge_ult_const<S: Subject>(
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
    let new2 = plan.push(Op::Ult, ty0, &[new1, Operand::Const(Const::Int(the_c5))]);
    Some(Rewrite { rule: rule(names::AND_UGE_ULT_CONST), plan, outcome: Outcome::Value(new2) })
}

// and_ugt_ule_const [pays]: and(ugt(x, C1), ule(x, C2))
//     # A range is one comparison with its length.
//     C3 = C1 + 1
//     C4 = C2 + 1
//     C5 = C4 - C3
//     check C1 != -1 and C2 != -1 and C3 <u C4
//     => ult(sub(x, C3), C5)
fn and_ugt_ule_const<S: Subject>(
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
    let new2 = plan.push(Op::Ult, ty0, &[new1, Operand::Const(Const::Int(the_c5))]);
    Some(Rewrite { rule: rule(names::AND_UGT_ULE_CONST), plan, outcome: Outcome::Value(new2) })
}

// and_ugt_ult_const [pays]: and(ugt(x, C1), ult(x, C2))
//     # A range is one comparison with its length.
//     C3 = C1 + 1
//     C4 = C2
//     C5 = C4 - C3
//     check C1 != -1 and C3 <u C4
//     => ult(sub(x, C3), C5)
fn and_ugt_ult_const<S: Subject>(
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
    let new2 = plan.push(Op::Ult, ty0, &[new1, Operand::Const(Const::Int(the_c5))]);
    Some(Rewrite { rule: rule(names::AND_UGT_ULT_CONST), plan, outcome: Outcome::Value(new2) })
}

// and_ge_ne: and(ge(x, y), ne(x, y))
//     # At least and not equal.
//     => gt(x, y)
fn and_ge_ne<S: Subject>(
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
    let new1 = plan.push(Op::Gt, ty0, &[Operand::Value(x), Operand::Value(y)]);
    Some(Rewrite { rule: rule(names::AND_GE_NE), plan, outcome: Outcome::Value(new1) })
}

// and_le_ge: and(le(x, y), ge(x, y))
//     # Neither way.
//     => eq(x, y)
fn and_le_ge<S: Subject>(
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
    let new1 = plan.push(Op::Eq, ty0, &[Operand::Value(x), Operand::Value(y)]);
    Some(Rewrite { rule: rule(names::AND_LE_GE), plan, outcome: Outcome::Value(new1) })
}

// and_le_ne: and(le(x, y), ne(x, y))
//     # At most and not equal.
//     => lt(x, y)
fn and_le_ne<S: Subject>(
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
    let new1 = plan.push(Op::Lt, ty0, &[Operand::Value(x), Operand::Value(y)]);
    Some(Rewrite { rule: rule(names::AND_LE_NE), plan, outcome: Outcome::Value(new1) })
}

// and_uge_ne: and(uge(x, y), ne(x, y))
//     # At least and not equal.
//     => ugt(x, y)
fn and_uge_ne<S: Subject>(
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
    let new1 = plan.push(Op::Ugt, ty0, &[Operand::Value(x), Operand::Value(y)]);
    Some(Rewrite { rule: rule(names::AND_UGE_NE), plan, outcome: Outcome::Value(new1) })
}

// and_ule_ne: and(ule(x, y), ne(x, y))
//     # At most and not equal.
//     => ult(x, y)
fn and_ule_ne<S: Subject>(
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
    let new1 = plan.push(Op::Ult, ty0, &[Operand::Value(x), Operand::Value(y)]);
    Some(Rewrite { rule: rule(names::AND_ULE_NE), plan, outcome: Outcome::Value(new1) })
}

// and_ule_uge: and(ule(x, y), uge(x, y))
//     # Neither way.
//     => eq(x, y)
fn and_ule_uge<S: Subject>(
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
    let new1 = plan.push(Op::Eq, ty0, &[Operand::Value(x), Operand::Value(y)]);
    Some(Rewrite { rule: rule(names::AND_ULE_UGE), plan, outcome: Outcome::Value(new1) })
}

// and_common_or [pays]: and(or(x, y), or(x, z))
//     # Or distributes over and.
//     => or(x, and(y, z))
fn and_common_or<S: Subject>(
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
    let new1 = plan.push(Op::And, ty0, &[Operand::Value(y), Operand::Value(z)]);
    let new2 = plan.push(Op::Or, ty0, &[Operand::Value(x), new1]);
    Some(Rewrite { rule: rule(names::AND_COMMON_OR), plan, outcome: Outcome::Value(new2) })
}

// and_ge_bounds [pays]: and(ge(x, y), ge(x, z))
//     # At least both of them is at least the larger.
//     => ge(x, max(y, z))
fn and_ge_bounds<S: Subject>(
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
    let new2 = plan.push(Op::Ge, ty0, &[Operand::Value(x), new1]);
    Some(Rewrite { rule: rule(names::AND_GE_BOUNDS), plan, outcome: Outcome::Value(new2) })
}

// and_gt_bounds [pays]: and(gt(x, y), gt(x, z))
//     # Above both of them is above the larger.
//     => gt(x, max(y, z))
fn and_gt_bounds<S: Subject>(
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
    let new2 = plan.push(Op::Gt, ty0, &[Operand::Value(x), new1]);
    Some(Rewrite { rule: rule(names::AND_GT_BOUNDS), plan, outcome: Outcome::Value(new2) })
}

// and_le_bounds [pays]: and(le(x, y), le(x, z))
//     # At most both of them is at most the smaller.
//     => le(x, min(y, z))
fn and_le_bounds<S: Subject>(
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
    let new2 = plan.push(Op::Le, ty0, &[Operand::Value(x), new1]);
    Some(Rewrite { rule: rule(names::AND_LE_BOUNDS), plan, outcome: Outcome::Value(new2) })
}

// and_lshift_common [pays]: and(lshift(x, z), lshift(y, z))
//     # Each bit moves by itself.
//     => lshift(and(x, y), z)
fn and_lshift_common<S: Subject>(
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
    let new1 = plan.push(Op::And, ty0, &[Operand::Value(x), Operand::Value(y)]);
    let new2 = plan.push(Op::Lshift, ty0, &[new1, Operand::Value(z)]);
    Some(Rewrite { rule: rule(names::AND_LSHIFT_COMMON), plan, outcome: Outcome::Value(new2) })
}

// and_lt_bounds [pays]: and(lt(x, y), lt(x, z))
//     # Below both of them is below the smaller.
//     => lt(x, min(y, z))
fn and_lt_bounds<S: Subject>(
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
    let new2 = plan.push(Op::Lt, ty0, &[Operand::Value(x), new1]);
    Some(Rewrite { rule: rule(names::AND_LT_BOUNDS), plan, outcome: Outcome::Value(new2) })
}

// and_rshift_common [pays]: and(rshift(x, z), rshift(y, z))
//     # Each bit moves by itself, and the sign is one of them.
//     => rshift(and(x, y), z)
fn and_rshift_common<S: Subject>(
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
    let new1 = plan.push(Op::And, ty0, &[Operand::Value(x), Operand::Value(y)]);
    let new2 = plan.push(Op::Rshift, ty0, &[new1, Operand::Value(z)]);
    Some(Rewrite { rule: rule(names::AND_RSHIFT_COMMON), plan, outcome: Outcome::Value(new2) })
}

// and_uge_bounds [pays]: and(uge(x, y), uge(x, z))
//     # At least both of them is at least the larger.
//     => uge(x, umax(y, z))
fn and_uge_bounds<S: Subject>(
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
    let new2 = plan.push(Op::Uge, ty0, &[Operand::Value(x), new1]);
    Some(Rewrite { rule: rule(names::AND_UGE_BOUNDS), plan, outcome: Outcome::Value(new2) })
}

// and_ugt_bounds [pays]: and(ugt(x, y), ugt(x, z))
//     # Above both of them is above the larger.
//     => ugt(x, umax(y, z))
fn and_ugt_bounds<S: Subject>(
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
    let new2 = plan.push(Op::Ugt, ty0, &[Operand::Value(x), new1]);
    Some(Rewrite { rule: rule(names::AND_UGT_BOUNDS), plan, outcome: Outcome::Value(new2) })
}

// and_ule_bounds [pays]: and(ule(x, y), ule(x, z))
//     # At most both of them is at most the smaller.
//     => ule(x, umin(y, z))
fn and_ule_bounds<S: Subject>(
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
    let new2 = plan.push(Op::Ule, ty0, &[Operand::Value(x), new1]);
    Some(Rewrite { rule: rule(names::AND_ULE_BOUNDS), plan, outcome: Outcome::Value(new2) })
}

// and_ult_bounds [pays]: and(ult(x, y), ult(x, z))
//     # Below both of them is below the smaller.
//     => ult(x, umin(y, z))
fn and_ult_bounds<S: Subject>(
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
    let new2 = plan.push(Op::Ult, ty0, &[Operand::Value(x), new1]);
    Some(Rewrite { rule: rule(names::AND_ULT_BOUNDS), plan, outcome: Outcome::Value(new2) })
}

// and_urshift_common [pays]: and(urshift(x, z), urshift(y, z))
//     # Each bit moves by itself.
//     => urshift(and(x, y), z)
fn and_urshift_common<S: Subject>(
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
    let new1 = plan.push(Op::And, ty0, &[Operand::Value(x), Operand::Value(y)]);
    let new2 = plan.push(Op::Urshift, ty0, &[new1, Operand::Value(z)]);
    Some(Rewrite { rule: rule(names::AND_URSHIFT_COMMON), plan, outcome: Outcome::Value(new2) })
}

// and_or_not: and(x, or(not(x), y))
//     # Where x is set, ~x is not.
//     => and(x, y)
fn and_or_not<S: Subject>(
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
    let new1 = plan.push(Op::And, ty0, &[Operand::Value(x), Operand::Value(y)]);
    Some(Rewrite { rule: rule(names::AND_OR_NOT), plan, outcome: Outcome::Value(new1) })
}

// and_is_zero [pays]: and(is_zero(x), is_zero(y))
//     # Both are zero exactly where no bit is set in either.
//     => is_zero(or(x, y))
fn and_is_zero<S: Subject>(
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
    let new2 = plan.push(Op::IsZero, ty0, &[new1]);
    Some(Rewrite { rule: rule(names::AND_IS_ZERO), plan, outcome: Outcome::Value(new2) })
}

// and_not_not [pays]: and(not(x), not(y))
//     # De Morgan.
//     => not(or(x, y))
fn and_not_not<S: Subject>(
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
    let new1 = plan.push(Op::Or, ty0, &[Operand::Value(x), Operand::Value(y)]);
    let new2 = plan.push(Op::Not, ty0, &[new1]);
    Some(Rewrite { rule: rule(names::AND_NOT_NOT), plan, outcome: Outcome::Value(new2) })
}

// and_consts [pypy]: and(and(x, C1), C2)
//     # (x & C1) & C2 = x & (C1 & C2)
//     C = C1 & C2
//     => and(x, C)
fn and_consts<S: Subject>(
    s: &S,
    root: &Root<'_, S::Value>,
    x: S::Value,
    at_c1: S::Value,
    at_c2: S::Value,
) -> Option<Rewrite<S::Value>> {
    let ty0 = root.ty;
    let the_c1 = int(s, at_c1)?;
    let the_c2 = int(s, at_c2)?;
    let the_c = Machine.and(the_c1, the_c2);
    let mut plan = Plan::new();
    let new1 = plan.push(Op::And, ty0, &[Operand::Value(x), Operand::Const(Const::Int(the_c))]);
    Some(Rewrite { rule: rule(names::AND_CONSTS), plan, outcome: Outcome::Value(new1) })
}

// and_signext: and(signext(x, C1), C2)
//     # The mask clears the copies of the sign.
//     check C1 != 0 and C1 <u LONG_BIT and C2 & (-1 << C1) == 0
//     => and(x, C2)
fn and_signext<S: Subject>(
    s: &S,
    root: &Root<'_, S::Value>,
    x: S::Value,
    at_c1: S::Value,
    at_c2: S::Value,
) -> Option<Rewrite<S::Value>> {
    let ty0 = root.ty;
    let w0 = ty0.int_width()?;
    if w0 < 3 {
        return None;
    }
    let the_c1 = int(s, at_c1)?;
    let the_c2 = int(s, at_c2)?;
    if the_c1 == Int::new(w0, 0) {
        return None;
    }
    if Machine.ule(Int::new(w0, u64::from(w0)), the_c1) {
        return None;
    }
    if Machine.and(the_c2, shl(Machine.neg(Int::new(w0, 1)), the_c1)?) != Int::new(w0, 0) {
        return None;
    }
    if !is_spoken_of(ty0) {
        return None;
    }
    let mut plan = Plan::new();
    let new1 = plan.push(Op::And, ty0, &[Operand::Value(x), Operand::Value(at_c2)]);
    Some(Rewrite { rule: rule(names::AND_SIGNEXT), plan, outcome: Outcome::Value(new1) })
}

// and_xor_const_self: and(xor(x, C1), x)
//     # The bits of x that do not flip.
//     C = ~C1
//     => and(x, C)
fn and_xor_const_self<S: Subject>(
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
    Some(Rewrite { rule: rule(names::AND_XOR_CONST_SELF), plan, outcome: Outcome::Value(new1) })
}

// and_sext: and(sext(x: a), C)
//     # The mask clears the copies of the sign and nothing else.
//     check C == ~(-1 << width(a))
//     => zext(x)
fn and_sext<S: Subject>(
    s: &S,
    root: &Root<'_, S::Value>,
    x: S::Value,
    at_c: S::Value,
) -> Option<Rewrite<S::Value>> {
    let ty0 = root.ty;
    let w0 = ty0.int_width()?;
    if w0 < 2 {
        return None;
    }
    let ty1 = s.ty(x);
    let w1 = ty1.int_width()?;
    let the_c = int(s, at_c)?;
    if the_c != Machine.not(shl(Machine.neg(Int::new(w0, 1)), size_word(w0, i64::from(w1))?)?) {
        return None;
    }
    if !is_spoken_of(ty0) {
        return None;
    }
    if !is_spoken_of(ty1) {
        return None;
    }
    let mut plan = Plan::new();
    let new1 = plan.push(Op::Zext, ty0, &[Operand::Value(x)]);
    Some(Rewrite { rule: rule(names::AND_SEXT), plan, outcome: Outcome::Value(new1) })
}

// and_or_masked [pypy]: and(or(x, y), z)
//     # y and z have no common bits, so y adds nothing.
//     check y.and_bound(z).known_eq_const(0)
//     => and(x, z)
fn and_or_masked<S: Subject>(
    s: &S,
    root: &Root<'_, S::Value>,
    x: S::Value,
    y: S::Value,
    z: S::Value,
) -> Option<Rewrite<S::Value>> {
    let ty0 = root.ty;
    let w0 = ty0.int_width()?;
    let y_fact = s.fact(y);
    let z_fact = s.fact(z);
    if !y_fact.and_bound(z_fact).known_eq_const(Int::new(w0, 0)) {
        return None;
    }
    if !is_spoken_of(ty0) {
        return None;
    }
    let mut plan = Plan::new();
    let new1 = plan.push(Op::And, ty0, &[Operand::Value(x), Operand::Value(z)]);
    Some(Rewrite { rule: rule(names::AND_OR_MASKED), plan, outcome: Outcome::Value(new1) })
}

// and_xor_masked: and(xor(x, y), z)
//     # y and z have no common bits, so y changes nothing.
//     check y.and_bound(z).known_eq_const(0)
//     => and(x, z)
fn and_xor_masked<S: Subject>(
    s: &S,
    root: &Root<'_, S::Value>,
    x: S::Value,
    y: S::Value,
    z: S::Value,
) -> Option<Rewrite<S::Value>> {
    let ty0 = root.ty;
    let w0 = ty0.int_width()?;
    let y_fact = s.fact(y);
    let z_fact = s.fact(z);
    if !y_fact.and_bound(z_fact).known_eq_const(Int::new(w0, 0)) {
        return None;
    }
    if !is_spoken_of(ty0) {
        return None;
    }
    let mut plan = Plan::new();
    let new1 = plan.push(Op::And, ty0, &[Operand::Value(x), Operand::Value(z)]);
    Some(Rewrite { rule: rule(names::AND_XOR_MASKED), plan, outcome: Outcome::Value(new1) })
}

