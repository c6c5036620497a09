//! Rules whose pattern begins with `select`, in the order in which they are tried:
//!
//! - select_bits_zero
//! - select_eq_popcount
//! - select_ne_popcount
//! - select_eq
//! - select_ne
//! - select_self_zero
//! - select_same
//! - select_nonzero
//! - select_zero
//! - select_abs_sub_ge
//! - select_abs_sub_gt
//! - select_abs_sub_le
//! - select_abs_sub_lt
//! - select_abs_sext_ge
//! - select_abs_sext_gt
//! - select_abs_sext_le
//! - select_abs_sext_lt
//! - select_uge_sub_zext_zero
//! - select_ugt_sub_zext_zero
//! - select_ule_zero_sub_zext
//! - select_ult_zero_sub_zext
//! - select_sign
//! - select_ge_sext
//! - select_ge_sext_swapped
//! - select_gt_sext
//! - select_gt_sext_swapped
//! - select_le_sext
//! - select_le_sext_swapped
//! - select_lt_sext
//! - select_lt_sext_swapped
//! - select_uge_zext
//! - select_uge_zext_swapped
//! - select_ugt_zext
//! - select_ugt_zext_swapped
//! - select_ule_zext
//! - select_ule_zext_swapped
//! - select_ult_zext
//! - select_ult_zext_swapped
//! - select_ge_sub_zero
//! - select_gt_sub_zero
//! - select_le_zero_sub
//! - select_lt_zero_sub
//! - select_uge_sub_zero
//! - select_ugt_sub_zero
//! - select_ule_zero_sub
//! - select_ult_zero_sub
//! - select_abs_ge
//! - select_abs_gt
//! - select_abs_le
//! - select_abs_lt
//! - select_ge_const_sext
//! - select_ge_sext_const
//! - select_gt_const_sext
//! - select_gt_sext_const
//! - select_le_const_sext
//! - select_le_sext_const
//! - select_lt_const_sext
//! - select_lt_sext_const
//! - select_uge_const_zext
//! - select_uge_zext_const
//! - select_ugt_const_zext
//! - select_ugt_zext_const
//! - select_ule_const_zext
//! - select_ule_zext_const
//! - select_ult_const_zext
//! - select_ult_zext_const
//! - select_clamp_ge
//! - select_clamp_gt
//! - select_clamp_le
//! - select_clamp_lt
//! - select_add_one
//! - select_add_one_else
//! - select_minus_one
//! - select_minus_one_else
//! - select_ge
//! - select_ge_swapped
//! - select_gt
//! - select_gt_swapped
//! - select_le
//! - select_le_swapped
//! - select_lt
//! - select_lt_swapped
//! - select_uge
//! - select_uge_swapped
//! - select_ugt
//! - select_ugt_swapped
//! - select_ule
//! - select_ule_swapped
//! - select_ult
//! - select_ult_swapped
//! - select_nested_else
//! - select_nested_then
//! - select_is_true
//! - select_is_zero
//! - select_bits
//! - select_bits_negated
//! - select_one_zero
//! - select_zero_one
//!
//! Generated from `rules/*.rules`.

use planish_domain::IntFact;
use planish_ops::{Int, Machine, Op, Type};
use planish_rules::functions::Resize;
use planish_rules::speaks::is_spoken_of;
use planish_rules::matching::{Const, Flow, Operand, Outcome, Plan, Rewrite, Root, Subject, int, integer, nodes, offer, operands2, same};

use super::names::{self, rule};

/// Hands every rewrite of a `select` to `found`, until it says stop.
pub fn root<S: Subject>(
    s: &S,
    root: &Root<'_, S::Value>,
    found: &mut impl FnMut(Rewrite<S::Value>) -> Flow,
) -> Flow {
    let a = root.args[0];
    let b = root.args[1];
    let c = root.args[2];
    for node in nodes(s, b) {
        match node {
            Some((Op::Sub, n)) => {
                let [b0, b1] = operands2(s, n);
                for node in nodes(s, a) {
                    if let Some((Op::Uge, n)) = node {
                        let [a0, a1] = operands2(s, n);
                        if integer(s, a1) == Some(2) {
                            if s.constant(b0).is_some() {
                                for node in nodes(s, b1) {
                                    if let Some((Op::Clz, n)) = node {
                                        let b10 = s.operand(n, 0);
                                        for node in nodes(s, b10) {
                                            if let Some((Op::Urshift, n)) = node {
                                                let [b100, b101] = operands2(s, n);
                                                if integer(s, b101) == Some(1) {
                                                    if integer(s, c) == Some(0) {
                                                        offer(found, select_bits_zero(s, root, a0, a, b0, b100, b))?;
                                                    }
                                                }
                                            }
                                        }
                                    }
                                }
                            }
                        }
                    }
                }
            }
            Some((Op::Eq, n)) => {
                let [b0, b1] = operands2(s, n);
                if integer(s, c) == Some(0) {
                    for node in nodes(s, b0) {
                        if let Some((Op::Popcount, n)) = node {
                            let b00 = s.operand(n, 0);
                            if s.constant(b1).is_some() {
                                offer(found, select_eq_popcount(s, root, a, b00, b1, b))?;
                            }
                        }
                    }
                }
            }
            Some((Op::Ne, n)) => {
                let [b0, b1] = operands2(s, n);
                if integer(s, c) == Some(1) {
                    for node in nodes(s, b0) {
                        if let Some((Op::Popcount, n)) = node {
                            let b00 = s.operand(n, 0);
                            if s.constant(b1).is_some() {
                                offer(found, select_ne_popcount(s, root, a, b00, b1, b))?;
                            }
                        }
                    }
                }
            }
            _ => {}
        }
    }
    for node in nodes(s, a) {
        match node {
            Some((Op::Eq, n)) => {
                let [a0, a1] = operands2(s, n);
                offer(found, select_eq(s, root, a0, a1, a, b, c))?;
                offer(found, select_eq(s, root, a1, a0, a, b, c))?;
            }
            Some((Op::Ne, n)) => {
                let [a0, a1] = operands2(s, n);
                offer(found, select_ne(s, root, a0, a1, a, b, c))?;
                offer(found, select_ne(s, root, a1, a0, a, b, c))?;
            }
            _ => {}
        }
    }
    if integer(s, c) == Some(0) {
        offer(found, select_self_zero(s, root, a, b))?;
    }
    offer(found, select_same(s, root, b, c))?;
    offer(found, select_nonzero(s, root, a, b))?;
    offer(found, select_zero(s, root, a, c))?;
    for node in nodes(s, a) {
        match node {
            Some((Op::Lt, n)) => {
                let [a0, a1] = operands2(s, n);
                if let Some(constant) = s.constant(b) {
                    match constant {
                        Const::Int(i) if i.signed() == 0 => {
                            for node in nodes(s, c) {
                                match node {
                                    Some((Op::Sub, n)) => {
                                        let [c0, c1] = operands2(s, n);
                                        offer(found, select_lt_zero_sub(s, root, a0, a1, a, c0, c1, c))?;
                                    }
                                    Some((Op::Sext, n)) => {
                                        let c0 = s.operand(n, 0);
                                        part1(s, root, found, a, b, c, a0, a1, c0)?;
                                    }
                                    _ => {}
                                }
                            }
                        }
                        _ => {
                            for node in nodes(s, c) {
                                if let Some((Op::Sext, n)) = node {
                                    let c0 = s.operand(n, 0);
                                    part1(s, root, found, a, b, c, a0, a1, c0)?;
                                }
                            }
                        }
                    }
                } else {
                    for node in nodes(s, b) {
                        match node {
                            Some((Op::Sub, n)) => {
                                let [b0, b1] = operands2(s, n);
                                for node in nodes(s, c) {
                                    if let Some((Op::Sub, n)) = node {
                                        let [c0, c1] = operands2(s, n);
                                        for node in nodes(s, a0) {
                                            if let Some((Op::Sub, n)) = node {
                                                let [a00, a01] = operands2(s, n);
                                                if integer(s, a1) == Some(0) {
                                                    offer(found, select_abs_sub_lt(s, root, a00, a01, a0, a, b0, b1, c0, c1))?;
                                                }
                                            }
                                        }
                                    }
                                }
                            }
                            Some((Op::Neg, n)) => {
                                let b0 = s.operand(n, 0);
                                if integer(s, a1) == Some(0) {
                                    for node in nodes(s, c) {
                                        if let Some((Op::Sext, n)) = node {
                                            let c0 = s.operand(n, 0);
                                            for node in nodes(s, b0) {
                                                if let Some((Op::Sext, n)) = node {
                                                    let b00 = s.operand(n, 0);
                                                    offer(found, select_abs_sext_lt(s, root, a0, a, b00, b0, b, c0, c))?;
                                                }
                                            }
                                        }
                                    }
                                    offer(found, select_abs_lt(s, root, a0, a, b0, c))?;
                                }
                            }
                            Some((Op::Sext, n)) => {
                                let b0 = s.operand(n, 0);
                                if s.constant(c).is_some() {
                                    if s.constant(a1).is_some() {
                                        offer(found, select_lt_sext_const(s, root, a0, a1, a, b0, b, c))?;
                                    }
                                } else {
                                    for node in nodes(s, c) {
                                        if let Some((Op::Sext, n)) = node {
                                            let c0 = s.operand(n, 0);
                                            offer(found, select_lt_sext(s, root, a0, a1, a, b0, b, c0, c))?;
                                            offer(found, select_lt_sext_swapped(s, root, a0, a1, a, b0, b, c0, c))?;
                                        }
                                    }
                                }
                            }
                            _ => {}
                        }
                    }
                }
                for node in nodes(s, c) {
                    if let Some((Op::Min, n)) = node {
                        let [c0, c1] = operands2(s, n);
                        if s.constant(c1).is_some() {
                            offer(found, select_clamp_lt(s, root, a0, a1, a, b, c0, c1, c))?;
                        }
                    }
                }
            }
            Some((Op::Le, n)) => {
                let [a0, a1] = operands2(s, n);
                if let Some(constant) = s.constant(b) {
                    match constant {
                        Const::Int(i) if i.signed() == 0 => {
                            for node in nodes(s, c) {
                                match node {
                                    Some((Op::Sub, n)) => {
                                        let [c0, c1] = operands2(s, n);
                                        offer(found, select_le_zero_sub(s, root, a0, a1, a, c0, c1, c))?;
                                    }
                                    Some((Op::Sext, n)) => {
                                        let c0 = s.operand(n, 0);
                                        part2(s, root, found, a, b, c, a0, a1, c0)?;
                                    }
                                    _ => {}
                                }
                            }
                        }
                        _ => {
                            for node in nodes(s, c) {
                                if let Some((Op::Sext, n)) = node {
                                    let c0 = s.operand(n, 0);
                                    part2(s, root, found, a, b, c, a0, a1, c0)?;
                                }
                            }
                        }
                    }
                } else {
                    for node in nodes(s, b) {
                        match node {
                            Some((Op::Sub, n)) => {
                                let [b0, b1] = operands2(s, n);
                                for node in nodes(s, c) {
                                    if let Some((Op::Sub, n)) = node {
                                        let [c0, c1] = operands2(s, n);
                                        for node in nodes(s, a0) {
                                            if let Some((Op::Sub, n)) = node {
                                                let [a00, a01] = operands2(s, n);
                                                if integer(s, a1) == Some(0) {
                                                    offer(found, select_abs_sub_le(s, root, a00, a01, a0, a, b0, b1, c0, c1))?;
                                                }
                                            }
                                        }
                                    }
                                }
                            }
                            Some((Op::Neg, n)) => {
                                let b0 = s.operand(n, 0);
                                if integer(s, a1) == Some(0) {
                                    for node in nodes(s, c) {
                                        if let Some((Op::Sext, n)) = node {
                                            let c0 = s.operand(n, 0);
                                            for node in nodes(s, b0) {
                                                if let Some((Op::Sext, n)) = node {
                                                    let b00 = s.operand(n, 0);
                                                    offer(found, select_abs_sext_le(s, root, a0, a, b00, b0, b, c0, c))?;
                                                }
                                            }
                                        }
                                    }
                                    offer(found, select_abs_le(s, root, a0, a, b0, c))?;
                                }
                            }
                            Some((Op::Sext, n)) => {
                                let b0 = s.operand(n, 0);
                                if s.constant(c).is_some() {
                                    if s.constant(a1).is_some() {
                                        offer(found, select_le_sext_const(s, root, a0, a1, a, b0, b, c))?;
                                    }
                                } else {
                                    for node in nodes(s, c) {
                                        if let Some((Op::Sext, n)) = node {
                                            let c0 = s.operand(n, 0);
                                            offer(found, select_le_sext(s, root, a0, a1, a, b0, b, c0, c))?;
                                            offer(found, select_le_sext_swapped(s, root, a0, a1, a, b0, b, c0, c))?;
                                        }
                                    }
                                }
                            }
                            _ => {}
                        }
                    }
                }
                for node in nodes(s, c) {
                    if let Some((Op::Min, n)) = node {
                        let [c0, c1] = operands2(s, n);
                        if s.constant(c1).is_some() {
                            offer(found, select_clamp_le(s, root, a0, a1, a, b, c0, c1, c))?;
                        }
                    }
                }
            }
            Some((Op::Gt, n)) => {
                let [a0, a1] = operands2(s, n);
                if let Some(constant) = s.constant(c) {
                    match constant {
                        Const::Int(i) if i.signed() == 0 => {
                            for node in nodes(s, b) {
                                match node {
                                    Some((Op::Sub, n)) => {
                                        let [b0, b1] = operands2(s, n);
                                        offer(found, select_gt_sub_zero(s, root, a0, a1, a, b0, b1, b))?;
                                    }
                                    Some((Op::Sext, n)) => {
                                        let b0 = s.operand(n, 0);
                                        part3(s, root, found, a, b, c, a0, a1, b0)?;
                                    }
                                    _ => {}
                                }
                            }
                        }
                        _ => {
                            for node in nodes(s, b) {
                                if let Some((Op::Sext, n)) = node {
                                    let b0 = s.operand(n, 0);
                                    part3(s, root, found, a, b, c, a0, a1, b0)?;
                                }
                            }
                        }
                    }
                } else {
                    for node in nodes(s, c) {
                        match node {
                            Some((Op::Sub, n)) => {
                                let [c0, c1] = operands2(s, n);
                                for node in nodes(s, b) {
                                    if let Some((Op::Sub, n)) = node {
                                        let [b0, b1] = operands2(s, n);
                                        for node in nodes(s, a0) {
                                            if let Some((Op::Sub, n)) = node {
                                                let [a00, a01] = operands2(s, n);
                                                if integer(s, a1) == Some(0) {
                                                    offer(found, select_abs_sub_gt(s, root, a00, a01, a0, a, b0, b1, c0, c1))?;
                                                }
                                            }
                                        }
                                    }
                                }
                            }
                            Some((Op::Neg, n)) => {
                                let c0 = s.operand(n, 0);
                                if integer(s, a1) == Some(0) {
                                    for node in nodes(s, b) {
                                        if let Some((Op::Sext, n)) = node {
                                            let b0 = s.operand(n, 0);
                                            for node in nodes(s, c0) {
                                                if let Some((Op::Sext, n)) = node {
                                                    let c00 = s.operand(n, 0);
                                                    offer(found, select_abs_sext_gt(s, root, a0, a, b0, b, c00, c0, c))?;
                                                }
                                            }
                                        }
                                    }
                                    offer(found, select_abs_gt(s, root, a0, a, b, c0))?;
                                }
                            }
                            Some((Op::Max, n)) => {
                                let [c0, c1] = operands2(s, n);
                                if s.constant(c1).is_some() {
                                    offer(found, select_clamp_gt(s, root, a0, a1, a, b, c0, c1, c))?;
                                }
                            }
                            Some((Op::Sext, n)) => {
                                let c0 = s.operand(n, 0);
                                if s.constant(b).is_some() {
                                    if s.constant(a1).is_some() {
                                        offer(found, select_gt_const_sext(s, root, a0, a1, a, b, c0, c))?;
                                    }
                                } else {
                                    for node in nodes(s, b) {
                                        if let Some((Op::Sext, n)) = node {
                                            let b0 = s.operand(n, 0);
                                            offer(found, select_gt_sext(s, root, a0, a1, a, b0, b, c0, c))?;
                                            offer(found, select_gt_sext_swapped(s, root, a0, a1, a, b0, b, c0, c))?;
                                        }
                                    }
                                }
                            }
                            Some((Op::Select, n)) => {
                                let c0 = s.operand(n, 0);
                                let c1 = s.operand(n, 1);
                                let c2 = s.operand(n, 2);
                                if integer(s, b) == Some(1) {
                                    if integer(s, a1) == Some(0) {
                                        for node in nodes(s, c0) {
                                            if let Some((Op::Lt, n)) = node {
                                                let [c00, c01] = operands2(s, n);
                                                if integer(s, c01) == Some(0) {
                                                    if integer(s, c1) == Some(-1) {
                                                        if integer(s, c2) == Some(0) {
                                                            offer(found, select_sign(s, root, a0, a, c00, c0, c))?;
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
                }
            }
            Some((Op::Ge, n)) => {
                let [a0, a1] = operands2(s, n);
                if let Some(constant) = s.constant(c) {
                    match constant {
                        Const::Int(i) if i.signed() == 0 => {
                            for node in nodes(s, b) {
                                match node {
                                    Some((Op::Sub, n)) => {
                                        let [b0, b1] = operands2(s, n);
                                        offer(found, select_ge_sub_zero(s, root, a0, a1, a, b0, b1, b))?;
                                    }
                                    Some((Op::Sext, n)) => {
                                        let b0 = s.operand(n, 0);
                                        part4(s, root, found, a, b, c, a0, a1, b0)?;
                                    }
                                    _ => {}
                                }
                            }
                        }
                        _ => {
                            for node in nodes(s, b) {
                                if let Some((Op::Sext, n)) = node {
                                    let b0 = s.operand(n, 0);
                                    part4(s, root, found, a, b, c, a0, a1, b0)?;
                                }
                            }
                        }
                    }
                } else {
                    for node in nodes(s, c) {
                        match node {
                            Some((Op::Sub, n)) => {
                                let [c0, c1] = operands2(s, n);
                                for node in nodes(s, b) {
                                    if let Some((Op::Sub, n)) = node {
                                        let [b0, b1] = operands2(s, n);
                                        for node in nodes(s, a0) {
                                            if let Some((Op::Sub, n)) = node {
                                                let [a00, a01] = operands2(s, n);
                                                if integer(s, a1) == Some(0) {
                                                    offer(found, select_abs_sub_ge(s, root, a00, a01, a0, a, b0, b1, c0, c1))?;
                                                }
                                            }
                                        }
                                    }
                                }
                            }
                            Some((Op::Neg, n)) => {
                                let c0 = s.operand(n, 0);
                                if integer(s, a1) == Some(0) {
                                    for node in nodes(s, b) {
                                        if let Some((Op::Sext, n)) = node {
                                            let b0 = s.operand(n, 0);
                                            for node in nodes(s, c0) {
                                                if let Some((Op::Sext, n)) = node {
                                                    let c00 = s.operand(n, 0);
                                                    offer(found, select_abs_sext_ge(s, root, a0, a, b0, b, c00, c0, c))?;
                                                }
                                            }
                                        }
                                    }
                                    offer(found, select_abs_ge(s, root, a0, a, b, c0))?;
                                }
                            }
                            Some((Op::Max, n)) => {
                                let [c0, c1] = operands2(s, n);
                                if s.constant(c1).is_some() {
                                    offer(found, select_clamp_ge(s, root, a0, a1, a, b, c0, c1, c))?;
                                }
                            }
                            Some((Op::Sext, n)) => {
                                let c0 = s.operand(n, 0);
                                if s.constant(b).is_some() {
                                    if s.constant(a1).is_some() {
                                        offer(found, select_ge_const_sext(s, root, a0, a1, a, b, c0, c))?;
                                    }
                                } else {
                                    for node in nodes(s, b) {
                                        if let Some((Op::Sext, n)) = node {
                                            let b0 = s.operand(n, 0);
                                            offer(found, select_ge_sext(s, root, a0, a1, a, b0, b, c0, c))?;
                                            offer(found, select_ge_sext_swapped(s, root, a0, a1, a, b0, b, c0, c))?;
                                        }
                                    }
                                }
                            }
                            _ => {}
                        }
                    }
                }
            }
            Some((Op::Ult, n)) => {
                let [a0, a1] = operands2(s, n);
                if let Some(constant) = s.constant(b) {
                    match constant {
                        Const::Int(i) if i.signed() == 0 => {
                            for node in nodes(s, c) {
                                match node {
                                    Some((Op::Sub, n)) => {
                                        let [c0, c1] = operands2(s, n);
                                        for node in nodes(s, c0) {
                                            if let Some((Op::Zext, n)) = node {
                                                let c00 = s.operand(n, 0);
                                                for node in nodes(s, c1) {
                                                    if let Some((Op::Zext, n)) = node {
                                                        let c10 = s.operand(n, 0);
                                                        offer(found, select_ult_zero_sub_zext(s, root, a0, a1, a, c00, c0, c10, c1, c))?;
                                                    }
                                                }
                                            }
                                        }
                                        offer(found, select_ult_zero_sub(s, root, a0, a1, a, c0, c1, c))?;
                                    }
                                    Some((Op::Zext, n)) => {
                                        let c0 = s.operand(n, 0);
                                        part5(s, root, found, a, b, c, a0, a1, c0)?;
                                    }
                                    _ => {}
                                }
                            }
                        }
                        _ => {
                            for node in nodes(s, c) {
                                if let Some((Op::Zext, n)) = node {
                                    let c0 = s.operand(n, 0);
                                    part5(s, root, found, a, b, c, a0, a1, c0)?;
                                }
                            }
                        }
                    }
                } else {
                    for node in nodes(s, b) {
                        if let Some((Op::Zext, n)) = node {
                            let b0 = s.operand(n, 0);
                            if s.constant(c).is_some() {
                                if s.constant(a1).is_some() {
                                    offer(found, select_ult_zext_const(s, root, a0, a1, a, b0, b, c))?;
                                }
                            } else {
                                for node in nodes(s, c) {
                                    if let Some((Op::Zext, n)) = node {
                                        let c0 = s.operand(n, 0);
                                        offer(found, select_ult_zext(s, root, a0, a1, a, b0, b, c0, c))?;
                                        offer(found, select_ult_zext_swapped(s, root, a0, a1, a, b0, b, c0, c))?;
                                    }
                                }
                            }
                        }
                    }
                }
            }
            Some((Op::Ule, n)) => {
                let [a0, a1] = operands2(s, n);
                if let Some(constant) = s.constant(b) {
                    match constant {
                        Const::Int(i) if i.signed() == 0 => {
                            for node in nodes(s, c) {
                                match node {
                                    Some((Op::Sub, n)) => {
                                        let [c0, c1] = operands2(s, n);
                                        for node in nodes(s, c0) {
                                            if let Some((Op::Zext, n)) = node {
                                                let c00 = s.operand(n, 0);
                                                for node in nodes(s, c1) {
                                                    if let Some((Op::Zext, n)) = node {
                                                        let c10 = s.operand(n, 0);
                                                        offer(found, select_ule_zero_sub_zext(s, root, a0, a1, a, c00, c0, c10, c1, c))?;
                                                    }
                                                }
                                            }
                                        }
                                        offer(found, select_ule_zero_sub(s, root, a0, a1, a, c0, c1, c))?;
                                    }
                                    Some((Op::Zext, n)) => {
                                        let c0 = s.operand(n, 0);
                                        part6(s, root, found, a, b, c, a0, a1, c0)?;
                                    }
                                    _ => {}
                                }
                            }
                        }
                        _ => {
                            for node in nodes(s, c) {
                                if let Some((Op::Zext, n)) = node {
                                    let c0 = s.operand(n, 0);
                                    part6(s, root, found, a, b, c, a0, a1, c0)?;
                                }
                            }
                        }
                    }
                } else {
                    for node in nodes(s, b) {
                        if let Some((Op::Zext, n)) = node {
                            let b0 = s.operand(n, 0);
                            if s.constant(c).is_some() {
                                if s.constant(a1).is_some() {
                                    offer(found, select_ule_zext_const(s, root, a0, a1, a, b0, b, c))?;
                                }
                            } else {
                                for node in nodes(s, c) {
                                    if let Some((Op::Zext, n)) = node {
                                        let c0 = s.operand(n, 0);
                                        offer(found, select_ule_zext(s, root, a0, a1, a, b0, b, c0, c))?;
                                        offer(found, select_ule_zext_swapped(s, root, a0, a1, a, b0, b, c0, c))?;
                                    }
                                }
                            }
                        }
                    }
                }
            }
            Some((Op::Ugt, n)) => {
                let [a0, a1] = operands2(s, n);
                if s.constant(b).is_some() {
                    for node in nodes(s, c) {
                        if let Some((Op::Zext, n)) = node {
                            let c0 = s.operand(n, 0);
                            if s.constant(a1).is_some() {
                                offer(found, select_ugt_const_zext(s, root, a0, a1, a, b, c0, c))?;
                            }
                        }
                    }
                } else {
                    for node in nodes(s, b) {
                        match node {
                            Some((Op::Sub, n)) => {
                                let [b0, b1] = operands2(s, n);
                                if integer(s, c) == Some(0) {
                                    for node in nodes(s, b0) {
                                        if let Some((Op::Zext, n)) = node {
                                            let b00 = s.operand(n, 0);
                                            for node in nodes(s, b1) {
                                                if let Some((Op::Zext, n)) = node {
                                                    let b10 = s.operand(n, 0);
                                                    offer(found, select_ugt_sub_zext_zero(s, root, a0, a1, a, b00, b0, b10, b1, b))?;
                                                }
                                            }
                                        }
                                    }
                                    offer(found, select_ugt_sub_zero(s, root, a0, a1, a, b0, b1, b))?;
                                }
                            }
                            Some((Op::Zext, n)) => {
                                let b0 = s.operand(n, 0);
                                if s.constant(c).is_some() {
                                    if s.constant(a1).is_some() {
                                        offer(found, select_ugt_zext_const(s, root, a0, a1, a, b0, b, c))?;
                                    }
                                } else {
                                    for node in nodes(s, c) {
                                        if let Some((Op::Zext, n)) = node {
                                            let c0 = s.operand(n, 0);
                                            offer(found, select_ugt_zext(s, root, a0, a1, a, b0, b, c0, c))?;
                                            offer(found, select_ugt_zext_swapped(s, root, a0, a1, a, b0, b, c0, c))?;
                                        }
                                    }
                                }
                            }
                            _ => {}
                        }
                    }
                }
            }
            Some((Op::Uge, n)) => {
                let [a0, a1] = operands2(s, n);
                if s.constant(b).is_some() {
                    if s.constant(a1).is_some() {
                        for node in nodes(s, c) {
                            if let Some((Op::Zext, n)) = node {
                                let c0 = s.operand(n, 0);
                                offer(found, select_uge_const_zext(s, root, a0, a1, a, b, c0, c))?;
                            }
                        }
                    }
                } else {
                    for node in nodes(s, b) {
                        match node {
                            Some((Op::Sub, n)) => {
                                let [b0, b1] = operands2(s, n);
                                if integer(s, c) == Some(0) {
                                    for node in nodes(s, b0) {
                                        if let Some((Op::Zext, n)) = node {
                                            let b00 = s.operand(n, 0);
                                            for node in nodes(s, b1) {
                                                if let Some((Op::Zext, n)) = node {
                                                    let b10 = s.operand(n, 0);
                                                    offer(found, select_uge_sub_zext_zero(s, root, a0, a1, a, b00, b0, b10, b1, b))?;
                                                }
                                            }
                                        }
                                    }
                                    offer(found, select_uge_sub_zero(s, root, a0, a1, a, b0, b1, b))?;
                                }
                            }
                            Some((Op::Zext, n)) => {
                                let b0 = s.operand(n, 0);
                                if s.constant(c).is_some() {
                                    if s.constant(a1).is_some() {
                                        offer(found, select_uge_zext_const(s, root, a0, a1, a, b0, b, c))?;
                                    }
                                } else {
                                    for node in nodes(s, c) {
                                        if let Some((Op::Zext, n)) = node {
                                            let c0 = s.operand(n, 0);
                                            offer(found, select_uge_zext(s, root, a0, a1, a, b0, b, c0, c))?;
                                            offer(found, select_uge_zext_swapped(s, root, a0, a1, a, b0, b, c0, c))?;
                                        }
                                    }
                                }
                            }
                            _ => {}
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
            if integer(s, b1) == Some(1) {
                offer(found, select_add_one(s, root, a, b0, b, c))?;
            }
        }
    }
    for node in nodes(s, c) {
        if let Some((Op::Add, n)) = node {
            let [c0, c1] = operands2(s, n);
            if integer(s, c1) == Some(1) {
                offer(found, select_add_one_else(s, root, a, b, c0, c))?;
            }
        }
    }
    for node in nodes(s, b) {
        if let Some((Op::Add, n)) = node {
            let [b0, b1] = operands2(s, n);
            if integer(s, b1) == Some(-1) {
                offer(found, select_minus_one(s, root, a, b0, b, c))?;
            }
        }
    }
    for node in nodes(s, c) {
        if let Some((Op::Add, n)) = node {
            let [c0, c1] = operands2(s, n);
            if integer(s, c1) == Some(-1) {
                offer(found, select_minus_one_else(s, root, a, b, c0, c))?;
            }
        }
    }
    for node in nodes(s, a) {
        match node {
            Some((Op::Lt, n)) => {
                let [a0, a1] = operands2(s, n);
                offer(found, select_lt(s, root, a0, a1, a, b, c))?;
                offer(found, select_lt_swapped(s, root, a0, a1, a, b, c))?;
            }
            Some((Op::Le, n)) => {
                let [a0, a1] = operands2(s, n);
                offer(found, select_le(s, root, a0, a1, a, b, c))?;
                offer(found, select_le_swapped(s, root, a0, a1, a, b, c))?;
            }
            Some((Op::Gt, n)) => {
                let [a0, a1] = operands2(s, n);
                offer(found, select_gt(s, root, a0, a1, a, b, c))?;
                offer(found, select_gt_swapped(s, root, a0, a1, a, b, c))?;
            }
            Some((Op::Ge, n)) => {
                let [a0, a1] = operands2(s, n);
                offer(found, select_ge(s, root, a0, a1, a, b, c))?;
                offer(found, select_ge_swapped(s, root, a0, a1, a, b, c))?;
            }
            Some((Op::Ult, n)) => {
                let [a0, a1] = operands2(s, n);
                offer(found, select_ult(s, root, a0, a1, a, b, c))?;
                offer(found, select_ult_swapped(s, root, a0, a1, a, b, c))?;
            }
            Some((Op::Ule, n)) => {
                let [a0, a1] = operands2(s, n);
                offer(found, select_ule(s, root, a0, a1, a, b, c))?;
                offer(found, select_ule_swapped(s, root, a0, a1, a, b, c))?;
            }
            Some((Op::Ugt, n)) => {
                let [a0, a1] = operands2(s, n);
                offer(found, select_ugt(s, root, a0, a1, a, b, c))?;
                offer(found, select_ugt_swapped(s, root, a0, a1, a, b, c))?;
            }
            Some((Op::Uge, n)) => {
                let [a0, a1] = operands2(s, n);
                offer(found, select_uge(s, root, a0, a1, a, b, c))?;
                offer(found, select_uge_swapped(s, root, a0, a1, a, b, c))?;
            }
            _ => {}
        }
    }
    for node in nodes(s, c) {
        if let Some((Op::Select, n)) = node {
            let c0 = s.operand(n, 0);
            let c2 = s.operand(n, 2);
            offer(found, select_nested_else(s, root, a, b, c0, c2))?;
        }
    }
    for node in nodes(s, b) {
        if let Some((Op::Select, n)) = node {
            let b0 = s.operand(n, 0);
            let b1 = s.operand(n, 1);
            offer(found, select_nested_then(s, root, a, b0, b1, c))?;
        }
    }
    for node in nodes(s, a) {
        match node {
            Some((Op::IsTrue, n)) => {
                let a0 = s.operand(n, 0);
                offer(found, select_is_true(s, root, a0, a, b, c))?;
            }
            Some((Op::IsZero, n)) => {
                let a0 = s.operand(n, 0);
                offer(found, select_is_zero(s, root, a0, a, b, c))?;
            }
            _ => {}
        }
    }
    match integer(s, b) {
        Some(-1) => {
            if integer(s, c) == Some(0) {
                offer(found, select_bits(s, root, a))?;
            }
        }
        Some(0) => {
            match integer(s, c) {
                Some(-1) => {
                    offer(found, select_bits_negated(s, root, a))?;
                }
                Some(1) => {
                    offer(found, select_zero_one(s, root, a))?;
                }
                _ => {}
            }
        }
        Some(1) => {
            if integer(s, c) == Some(0) {
                offer(found, select_one_zero(s, root, a))?;
            }
        }
        _ => {}
    }
    Flow::Continue(())
}

fn part1<S: Subject>(
    s: &S,
    root: &Root<'_, S::Value>,
    found: &mut impl FnMut(Rewrite<S::Value>) -> Flow,
    a: S::Value,
    b: S::Value,
    c: S::Value,
    a0: S::Value,
    a1: S::Value,
    c0: S::Value,
) -> Flow {
    if s.constant(a1).is_some() {
        offer(found, select_lt_const_sext(s, root, a0, a1, a, b, c0, c))?;
    }
    Flow::Continue(())
}

fn part2<S: Subject>(
    s: &S,
    root: &Root<'_, S::Value>,
    found: &mut impl FnMut(Rewrite<S::Value>) -> Flow,
    a: S::Value,
    b: S::Value,
    c: S::Value,
    a0: S::Value,
    a1: S::Value,
    c0: S::Value,
) -> Flow {
    if s.constant(a1).is_some() {
        offer(found, select_le_const_sext(s, root, a0, a1, a, b, c0, c))?;
    }
    Flow::Continue(())
}

fn part3<S: Subject>(
    s: &S,
    root: &Root<'_, S::Value>,
    found: &mut impl FnMut(Rewrite<S::Value>) -> Flow,
    a: S::Value,
    b: S::Value,
    c: S::Value,
    a0: S::Value,
    a1: S::Value,
    b0: S::Value,
) -> Flow {
    if s.constant(a1).is_some() {
        offer(found, select_gt_sext_const(s, root, a0, a1, a, b0, b, c))?;
    }
    Flow::Continue(())
}

fn part4<S: Subject>(
    s: &S,
    root: &Root<'_, S::Value>,
    found: &mut impl FnMut(Rewrite<S::Value>) -> Flow,
    a: S::Value,
    b: S::Value,
    c: S::Value,
    a0: S::Value,
    a1: S::Value,
    b0: S::Value,
) -> Flow {
    if s.constant(a1).is_some() {
        offer(found, select_ge_sext_const(s, root, a0, a1, a, b0, b, c))?;
    }
    Flow::Continue(())
}

fn part5<S: Subject>(
    s: &S,
    root: &Root<'_, S::Value>,
    found: &mut impl FnMut(Rewrite<S::Value>) -> Flow,
    a: S::Value,
    b: S::Value,
    c: S::Value,
    a0: S::Value,
    a1: S::Value,
    c0: S::Value,
) -> Flow {
    if s.constant(a1).is_some() {
        offer(found, select_ult_const_zext(s, root, a0, a1, a, b, c0, c))?;
    }
    Flow::Continue(())
}

fn part6<S: Subject>(
    s: &S,
    root: &Root<'_, S::Value>,
    found: &mut impl FnMut(Rewrite<S::Value>) -> Flow,
    a: S::Value,
    b: S::Value,
    c: S::Value,
    a0: S::Value,
    a1: S::Value,
    c0: S::Value,
) -> Flow {
    if s.constant(a1).is_some() {
        offer(found, select_ule_const_zext(s, root, a0, a1, a, b, c0, c))?;
    }
    Flow::Continue(())
}

// select_bits_zero [pays]: select(uge(x, 2), sub(LONG_BIT, clz(urshift(x, 1))), 0)
//     # Of less than 2 no bit is left after the shift.
//     => sub(LONG_BIT, clz(urshift(x, 1)))
fn select_bits_zero<S: Subject>(
    s: &S,
    root: &Root<'_, S::Value>,
    x: S::Value,
    inner2: S::Value,
    inner3: S::Value,
    x_2: S::Value,
    inner8: S::Value,
) -> Option<Rewrite<S::Value>> {
    if !same(s, x, x_2) {
        return None;
    }
    let dies2 = s.used_once(inner2);
    if 1 + if dies2 { 1 } else { 0 } < 0 {
        return None;
    }
    let ty0 = root.ty;
    let w0 = ty0.int_width()?;
    if w0 < 3 {
        return None;
    }
    if int(s, inner3)? != Int::new(w0, u64::from(w0)) {
        return None;
    }
    if !is_spoken_of(ty0) {
        return None;
    }
    if !is_spoken_of(s.ty(inner2)) {
        return None;
    }
    Some(Rewrite { rule: rule(names::SELECT_BITS_ZERO), plan: Plan::new(), outcome: Outcome::Value(Operand::Value(inner8)) })
}

// select_eq_popcount: select(x, eq(popcount(x), C), 0)
//     # A word without bits has none to count.
//     check C != 0
//     => eq(popcount(x), C)
fn select_eq_popcount<S: Subject>(
    s: &S,
    root: &Root<'_, S::Value>,
    x: S::Value,
    x_2: S::Value,
    at_c: S::Value,
    inner4: S::Value,
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
    Some(Rewrite { rule: rule(names::SELECT_EQ_POPCOUNT), plan: Plan::new(), outcome: Outcome::Value(Operand::Value(inner4)) })
}

// select_ne_popcount: select(x, ne(popcount(x), C), 1)
//     # A word without bits has none to count.
//     check C != 0
//     => ne(popcount(x), C)
fn select_ne_popcount<S: Subject>(
    s: &S,
    root: &Root<'_, S::Value>,
    x: S::Value,
    x_2: S::Value,
    at_c: S::Value,
    inner4: S::Value,
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
    Some(Rewrite { rule: rule(names::SELECT_NE_POPCOUNT), plan: Plan::new(), outcome: Outcome::Value(Operand::Value(inner4)) })
}

// select_eq: select(eq(x, y), x, y)
//     # Where they are equal, y is x.
//     => y
fn select_eq<S: Subject>(
    s: &S,
    root: &Root<'_, S::Value>,
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
    if !is_spoken_of(root.ty) {
        return None;
    }
    if !is_spoken_of(s.ty(inner2)) {
        return None;
    }
    Some(Rewrite { rule: rule(names::SELECT_EQ), plan: Plan::new(), outcome: Outcome::Value(Operand::Value(y)) })
}

// select_ne: select(ne(x, y), x, y)
//     # Where they are equal, y is x.
//     => x
fn select_ne<S: Subject>(
    s: &S,
    root: &Root<'_, S::Value>,
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
    if !is_spoken_of(root.ty) {
        return None;
    }
    if !is_spoken_of(s.ty(inner2)) {
        return None;
    }
    Some(Rewrite { rule: rule(names::SELECT_NE), plan: Plan::new(), outcome: Outcome::Value(Operand::Value(x)) })
}

// select_self_zero: select(x, x, 0)
//     # Where x is zero, 0 is x.
//     => x
fn select_self_zero<S: Subject>(
    s: &S,
    root: &Root<'_, S::Value>,
    x: S::Value,
    x_2: S::Value,
) -> Option<Rewrite<S::Value>> {
    if !same(s, x, x_2) {
        return None;
    }
    if !is_spoken_of(root.ty) {
        return None;
    }
    Some(Rewrite { rule: rule(names::SELECT_SELF_ZERO), plan: Plan::new(), outcome: Outcome::Value(Operand::Value(x)) })
}

// select_same: select(c, x, x)
//     # Both ways are the same.
//     => x
fn select_same<S: Subject>(
    s: &S,
    _root: &Root<'_, S::Value>,
    x: S::Value,
    x_2: S::Value,
) -> Option<Rewrite<S::Value>> {
    if !same(s, x, x_2) {
        return None;
    }
    Some(Rewrite { rule: rule(names::SELECT_SAME), plan: Plan::new(), outcome: Outcome::Value(Operand::Value(x)) })
}

// select_nonzero: select(c, x, y)
//     # The condition always holds.
//     check c.known_nonzero()
//     => x
fn select_nonzero<S: Subject>(
    s: &S,
    _root: &Root<'_, S::Value>,
    c: S::Value,
    x: S::Value,
) -> Option<Rewrite<S::Value>> {
    let c_fact = s.fact(c);
    if !c_fact.known_nonzero() && !s.is_told_nonzero(c) {
        return None;
    }
    if !is_spoken_of(s.ty(c)) {
        return None;
    }
    Some(Rewrite { rule: rule(names::SELECT_NONZERO), plan: Plan::new(), outcome: Outcome::Value(Operand::Value(x)) })
}

// select_zero: select(c, x, y)
//     # The condition never holds.
//     check c.known_eq_const(0)
//     => y
fn select_zero<S: Subject>(
    s: &S,
    _root: &Root<'_, S::Value>,
    c: S::Value,
    y: S::Value,
) -> Option<Rewrite<S::Value>> {
    let ty1 = s.ty(c);
    let w1 = ty1.int_width()?;
    let c_fact = s.fact(c);
    if !c_fact.known_eq_const(Int::new(w1, 0)) {
        return None;
    }
    if !is_spoken_of(ty1) {
        return None;
    }
    Some(Rewrite { rule: rule(names::SELECT_ZERO), plan: Plan::new(), outcome: Outcome::Value(Operand::Value(y)) })
}

// select_abs_sub_ge: select(ge(sub(x, y), 0), sub(x, y), sub(y, x))
//     # The absolute value, as y - x = -(x - y).
//     => abs(sub(x, y))
fn select_abs_sub_ge<S: Subject>(
    s: &S,
    root: &Root<'_, S::Value>,
    x: S::Value,
    y: S::Value,
    inner2: S::Value,
    inner4: S::Value,
    x_2: S::Value,
    y_2: S::Value,
    y_3: S::Value,
    x_3: S::Value,
) -> Option<Rewrite<S::Value>> {
    if !same(s, x, x_2) {
        return None;
    }
    if !same(s, y, y_2) {
        return None;
    }
    if !same(s, y, y_3) {
        return None;
    }
    if !same(s, x, x_3) {
        return None;
    }
    let ty0 = root.ty;
    if !is_spoken_of(ty0) {
        return None;
    }
    if !is_spoken_of(s.ty(inner4)) {
        return None;
    }
    let mut plan = Plan::new();
    let new1 = plan.push(Op::Abs, ty0, &[Operand::Value(inner2)]);
    Some(Rewrite { rule: rule(names::SELECT_ABS_SUB_GE), plan, outcome: Outcome::Value(new1) })
}

// select_abs_sub_gt: select(gt(sub(x, y), 0), sub(x, y), sub(y, x))
//     # The absolute value, as y - x = -(x - y); that of 0 is 0 both ways.
//     => abs(sub(x, y))
fn select_abs_sub_gt<S: Subject>(
    s: &S,
    root: &Root<'_, S::Value>,
    x: S::Value,
    y: S::Value,
    inner2: S::Value,
    inner4: S::Value,
    x_2: S::Value,
    y_2: S::Value,
    y_3: S::Value,
    x_3: S::Value,
) -> Option<Rewrite<S::Value>> {
    if !same(s, x, x_2) {
        return None;
    }
    if !same(s, y, y_2) {
        return None;
    }
    if !same(s, y, y_3) {
        return None;
    }
    if !same(s, x, x_3) {
        return None;
    }
    let ty0 = root.ty;
    if !is_spoken_of(ty0) {
        return None;
    }
    if !is_spoken_of(s.ty(inner4)) {
        return None;
    }
    let mut plan = Plan::new();
    let new1 = plan.push(Op::Abs, ty0, &[Operand::Value(inner2)]);
    Some(Rewrite { rule: rule(names::SELECT_ABS_SUB_GT), plan, outcome: Outcome::Value(new1) })
}

// select_abs_sub_le: select(le(sub(x, y), 0), sub(y, x), sub(x, y))
//     # The absolute value, as y - x = -(x - y); that of 0 is 0 both ways.
//     => abs(sub(x, y))
fn select_abs_sub_le<S: Subject>(
    s: &S,
    root: &Root<'_, S::Value>,
    x: S::Value,
    y: S::Value,
    inner2: S::Value,
    inner4: S::Value,
    y_2: S::Value,
    x_2: S::Value,
    x_3: S::Value,
    y_3: S::Value,
) -> Option<Rewrite<S::Value>> {
    if !same(s, y, y_2) {
        return None;
    }
    if !same(s, x, x_2) {
        return None;
    }
    if !same(s, x, x_3) {
        return None;
    }
    if !same(s, y, y_3) {
        return None;
    }
    let ty0 = root.ty;
    if !is_spoken_of(ty0) {
        return None;
    }
    if !is_spoken_of(s.ty(inner4)) {
        return None;
    }
    let mut plan = Plan::new();
    let new1 = plan.push(Op::Abs, ty0, &[Operand::Value(inner2)]);
    Some(Rewrite { rule: rule(names::SELECT_ABS_SUB_LE), plan, outcome: Outcome::Value(new1) })
}

// select_abs_sub_lt: select(lt(sub(x, y), 0), sub(y, x), sub(x, y))
//     # The absolute value, as y - x = -(x - y).
//     => abs(sub(x, y))
fn select_abs_sub_lt<S: Subject>(
    s: &S,
    root: &Root<'_, S::Value>,
    x: S::Value,
    y: S::Value,
    inner2: S::Value,
    inner4: S::Value,
    y_2: S::Value,
    x_2: S::Value,
    x_3: S::Value,
    y_3: S::Value,
) -> Option<Rewrite<S::Value>> {
    if !same(s, y, y_2) {
        return None;
    }
    if !same(s, x, x_2) {
        return None;
    }
    if !same(s, x, x_3) {
        return None;
    }
    if !same(s, y, y_3) {
        return None;
    }
    let ty0 = root.ty;
    if !is_spoken_of(ty0) {
        return None;
    }
    if !is_spoken_of(s.ty(inner4)) {
        return None;
    }
    let mut plan = Plan::new();
    let new1 = plan.push(Op::Abs, ty0, &[Operand::Value(inner2)]);
    Some(Rewrite { rule: rule(names::SELECT_ABS_SUB_LT), plan, outcome: Outcome::Value(new1) })
}

// select_abs_sext_ge [pays]: select(ge(x, 0), sext(x), neg(sext(x)))
//     # The absolute value; extension keeps the sign.
//     => abs(sext(x))
fn select_abs_sext_ge<S: Subject>(
    s: &S,
    root: &Root<'_, S::Value>,
    x: S::Value,
    inner2: S::Value,
    x_2: S::Value,
    inner4: S::Value,
    x_3: S::Value,
    inner6: S::Value,
    inner7: S::Value,
) -> Option<Rewrite<S::Value>> {
    if !same(s, x, x_2) {
        return None;
    }
    if !same(s, x, x_3) {
        return None;
    }
    let dies2 = s.used_once(inner2);
    let dies7 = s.used_once(inner7);
    let dies6 = dies7 && s.used_once(inner6);
    if 1 + if dies2 { 1 } else { 0 } + if dies7 { 1 } else { 0 } + if dies6 { 1 } else { 0 } < 1 {
        return None;
    }
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
    let new1 = plan.push(Op::Abs, ty0, &[Operand::Value(inner4)]);
    Some(Rewrite { rule: rule(names::SELECT_ABS_SEXT_GE), plan, outcome: Outcome::Value(new1) })
}

// select_abs_sext_gt [pays]: select(gt(x, 0), sext(x), neg(sext(x)))
//     # The absolute value; extension keeps the sign.
//     => abs(sext(x))
fn select_abs_sext_gt<S: Subject>(
    s: &S,
    root: &Root<'_, S::Value>,
    x: S::Value,
    inner2: S::Value,
    x_2: S::Value,
    inner4: S::Value,
    x_3: S::Value,
    inner6: S::Value,
    inner7: S::Value,
) -> Option<Rewrite<S::Value>> {
    if !same(s, x, x_2) {
        return None;
    }
    if !same(s, x, x_3) {
        return None;
    }
    let dies2 = s.used_once(inner2);
    let dies7 = s.used_once(inner7);
    let dies6 = dies7 && s.used_once(inner6);
    if 1 + if dies2 { 1 } else { 0 } + if dies7 { 1 } else { 0 } + if dies6 { 1 } else { 0 } < 1 {
        return None;
    }
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
    let new1 = plan.push(Op::Abs, ty0, &[Operand::Value(inner4)]);
    Some(Rewrite { rule: rule(names::SELECT_ABS_SEXT_GT), plan, outcome: Outcome::Value(new1) })
}

// select_abs_sext_le [pays]: select(le(x, 0), neg(sext(x)), sext(x))
//     # The absolute value; extension keeps the sign.
//     => abs(sext(x))
fn select_abs_sext_le<S: Subject>(
    s: &S,
    root: &Root<'_, S::Value>,
    x: S::Value,
    inner2: S::Value,
    x_2: S::Value,
    inner4: S::Value,
    inner5: S::Value,
    x_3: S::Value,
    inner7: S::Value,
) -> Option<Rewrite<S::Value>> {
    if !same(s, x, x_2) {
        return None;
    }
    if !same(s, x, x_3) {
        return None;
    }
    let dies2 = s.used_once(inner2);
    let dies5 = s.used_once(inner5);
    let dies7 = s.used_once(inner7);
    if 1 + if dies2 { 1 } else { 0 } + if dies5 { 1 } else { 0 } + if dies7 { 1 } else { 0 } < 1 {
        return None;
    }
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
    let new1 = plan.push(Op::Abs, ty0, &[Operand::Value(inner4)]);
    Some(Rewrite { rule: rule(names::SELECT_ABS_SEXT_LE), plan, outcome: Outcome::Value(new1) })
}

// select_abs_sext_lt [pays]: select(lt(x, 0), neg(sext(x)), sext(x))
//     # The absolute value; extension keeps the sign.
//     => abs(sext(x))
fn select_abs_sext_lt<S: Subject>(
    s: &S,
    root: &Root<'_, S::Value>,
    x: S::Value,
    inner2: S::Value,
    x_2: S::Value,
    inner4: S::Value,
    inner5: S::Value,
    x_3: S::Value,
    inner7: S::Value,
) -> Option<Rewrite<S::Value>> {
    if !same(s, x, x_2) {
        return None;
    }
    if !same(s, x, x_3) {
        return None;
    }
    let dies2 = s.used_once(inner2);
    let dies5 = s.used_once(inner5);
    let dies7 = s.used_once(inner7);
    if 1 + if dies2 { 1 } else { 0 } + if dies5 { 1 } else { 0 } + if dies7 { 1 } else { 0 } < 1 {
        return None;
    }
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
    let new1 = plan.push(Op::Abs, ty0, &[Operand::Value(inner4)]);
    Some(Rewrite { rule: rule(names::SELECT_ABS_SEXT_LT), plan, outcome: Outcome::Value(new1) })
}

// select_uge_sub_zext_zero [pays]: select(uge(x, y), sub(zext(x), zext(y)), 0)
//     # What is taken away is no more than what is there, so nothing is borrowed from higher bits.
//     => zext(sub(umax(x, y), y))
fn select_uge_sub_zext_zero<S: Subject>(
    s: &S,
    root: &Root<'_, S::Value>,
    x: S::Value,
    y: S::Value,
    inner2: S::Value,
    x_2: S::Value,
    inner4: S::Value,
    y_2: S::Value,
    inner6: S::Value,
    inner7: S::Value,
) -> Option<Rewrite<S::Value>> {
    if !same(s, x, x_2) {
        return None;
    }
    if !same(s, y, y_2) {
        return None;
    }
    let dies2 = s.used_once(inner2);
    let dies7 = s.used_once(inner7);
    let dies4 = dies7 && s.used_once(inner4);
    let dies6 = dies7 && s.used_once(inner6);
    if 1 + if dies2 { 1 } else { 0 } + if dies7 { 1 } else { 0 } + if dies4 { 1 } else { 0 } + if dies6 { 1 } else { 0 } < 3 {
        return None;
    }
    let ty0 = root.ty;
    let ty2 = s.ty(x);
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
    let new1 = plan.push(Op::Umax, ty2, &[Operand::Value(x), Operand::Value(y)]);
    let new2 = plan.push(Op::Sub, ty2, &[new1, Operand::Value(y)]);
    let new3 = plan.push(Op::Zext, ty0, &[new2]);
    Some(Rewrite { rule: rule(names::SELECT_UGE_SUB_ZEXT_ZERO), plan, outcome: Outcome::Value(new3) })
}

// select_ugt_sub_zext_zero [pays]: select(ugt(x, y), sub(zext(x), zext(y)), 0)
//     # What is taken away is no more than what is there, so nothing is borrowed from higher bits.
//     => zext(sub(umax(x, y), y))
fn select_ugt_sub_zext_zero<S: Subject>(
    s: &S,
    root: &Root<'_, S::Value>,
    x: S::Value,
    y: S::Value,
    inner2: S::Value,
    x_2: S::Value,
    inner4: S::Value,
    y_2: S::Value,
    inner6: S::Value,
    inner7: S::Value,
) -> Option<Rewrite<S::Value>> {
    if !same(s, x, x_2) {
        return None;
    }
    if !same(s, y, y_2) {
        return None;
    }
    let dies2 = s.used_once(inner2);
    let dies7 = s.used_once(inner7);
    let dies4 = dies7 && s.used_once(inner4);
    let dies6 = dies7 && s.used_once(inner6);
    if 1 + if dies2 { 1 } else { 0 } + if dies7 { 1 } else { 0 } + if dies4 { 1 } else { 0 } + if dies6 { 1 } else { 0 } < 3 {
        return None;
    }
    let ty0 = root.ty;
    let ty2 = s.ty(x);
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
    let new1 = plan.push(Op::Umax, ty2, &[Operand::Value(x), Operand::Value(y)]);
    let new2 = plan.push(Op::Sub, ty2, &[new1, Operand::Value(y)]);
    let new3 = plan.push(Op::Zext, ty0, &[new2]);
    Some(Rewrite { rule: rule(names::SELECT_UGT_SUB_ZEXT_ZERO), plan, outcome: Outcome::Value(new3) })
}

// select_ule_zero_sub_zext [pays]: select(ule(x, y), 0, sub(zext(x), zext(y)))
//     # What is taken away is no more than what is there, so nothing is borrowed from higher bits.
//     => zext(sub(umax(x, y), y))
fn select_ule_zero_sub_zext<S: Subject>(
    s: &S,
    root: &Root<'_, S::Value>,
    x: S::Value,
    y: S::Value,
    inner2: S::Value,
    x_2: S::Value,
    inner5: S::Value,
    y_2: S::Value,
    inner7: S::Value,
    inner8: S::Value,
) -> Option<Rewrite<S::Value>> {
    if !same(s, x, x_2) {
        return None;
    }
    if !same(s, y, y_2) {
        return None;
    }
    let dies2 = s.used_once(inner2);
    let dies8 = s.used_once(inner8);
    let dies5 = dies8 && s.used_once(inner5);
    let dies7 = dies8 && s.used_once(inner7);
    if 1 + if dies2 { 1 } else { 0 } + if dies8 { 1 } else { 0 } + if dies5 { 1 } else { 0 } + if dies7 { 1 } else { 0 } < 3 {
        return None;
    }
    let ty0 = root.ty;
    let ty2 = s.ty(x);
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
    let new1 = plan.push(Op::Umax, ty2, &[Operand::Value(x), Operand::Value(y)]);
    let new2 = plan.push(Op::Sub, ty2, &[new1, Operand::Value(y)]);
    let new3 = plan.push(Op::Zext, ty0, &[new2]);
    Some(Rewrite { rule: rule(names::SELECT_ULE_ZERO_SUB_ZEXT), plan, outcome: Outcome::Value(new3) })
}

// select_ult_zero_sub_zext [pays]: select(ult(x, y), 0, sub(zext(x), zext(y)))
//     # What is taken away is no more than what is there, so nothing is borrowed from higher bits.
//     => zext(sub(umax(x, y), y))
fn select_ult_zero_sub_zext<S: Subject>(
    s: &S,
    root: &Root<'_, S::Value>,
    x: S::Value,
    y: S::Value,
    inner2: S::Value,
    x_2: S::Value,
    inner5: S::Value,
    y_2: S::Value,
    inner7: S::Value,
    inner8: S::Value,
) -> Option<Rewrite<S::Value>> {
    if !same(s, x, x_2) {
        return None;
    }
    if !same(s, y, y_2) {
        return None;
    }
    let dies2 = s.used_once(inner2);
    let dies8 = s.used_once(inner8);
    let dies5 = dies8 && s.used_once(inner5);
    let dies7 = dies8 && s.used_once(inner7);
    if 1 + if dies2 { 1 } else { 0 } + if dies8 { 1 } else { 0 } + if dies5 { 1 } else { 0 } + if dies7 { 1 } else { 0 } < 3 {
        return None;
    }
    let ty0 = root.ty;
    let ty2 = s.ty(x);
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
    let new1 = plan.push(Op::Umax, ty2, &[Operand::Value(x), Operand::Value(y)]);
    let new2 = plan.push(Op::Sub, ty2, &[new1, Operand::Value(y)]);
    let new3 = plan.push(Op::Zext, ty0, &[new2]);
    Some(Rewrite { rule: rule(names::SELECT_ULT_ZERO_SUB_ZEXT), plan, outcome: Outcome::Value(new3) })
}

// select_sign [pays]: select(gt(x, 0), 1, select(lt(x, 0): t, -1, 0))
//     # Not above zero, so 0 is what the comparison says.
//     => select(lt(x, 0): t, -1, gt(x, 0))
fn select_sign<S: Subject>(
    s: &S,
    root: &Root<'_, S::Value>,
    x: S::Value,
    inner2: S::Value,
    x_2: S::Value,
    inner6: S::Value,
    inner9: S::Value,
) -> Option<Rewrite<S::Value>> {
    if !same(s, x, x_2) {
        return None;
    }
    let dies2 = s.used_once(inner2);
    let dies9 = s.used_once(inner9);
    if 1 + if dies2 { 1 } else { 0 } + if dies9 { 1 } else { 0 } < 2 {
        return None;
    }
    let ty0 = root.ty;
    let w0 = ty0.int_width()?;
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
    if !is_spoken_of(s.ty(inner6)) {
        return None;
    }
    let mut plan = Plan::new();
    let new1 = plan.push(Op::Gt, ty0, &[Operand::Value(x), Operand::Const(Const::Int(Int::new(w2, 0)))]);
    let new2 = plan.push(Op::Select, ty0, &[Operand::Value(inner6), Operand::Const(Const::Int(Int::new(w0, -1i64 as u64))), new1]);
    Some(Rewrite { rule: rule(names::SELECT_SIGN), plan, outcome: Outcome::Value(new2) })
}

// select_ge_sext [pays]: select(ge(x, y), sext(x), sext(y))
//     # Extension keeps the order.
//     => sext(max(x, y))
fn select_ge_sext<S: Subject>(
    s: &S,
    root: &Root<'_, S::Value>,
    x: S::Value,
    y: S::Value,
    inner2: S::Value,
    x_2: S::Value,
    inner4: S::Value,
    y_2: S::Value,
    inner6: S::Value,
) -> Option<Rewrite<S::Value>> {
    if !same(s, x, x_2) {
        return None;
    }
    if !same(s, y, y_2) {
        return None;
    }
    let dies2 = s.used_once(inner2);
    let dies4 = s.used_once(inner4);
    let dies6 = s.used_once(inner6);
    if 1 + if dies2 { 1 } else { 0 } + if dies4 { 1 } else { 0 } + if dies6 { 1 } else { 0 } < 2 {
        return None;
    }
    let ty0 = root.ty;
    let ty2 = s.ty(x);
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
    let new1 = plan.push(Op::Max, ty2, &[Operand::Value(x), Operand::Value(y)]);
    let new2 = plan.push(Op::Sext, ty0, &[new1]);
    Some(Rewrite { rule: rule(names::SELECT_GE_SEXT), plan, outcome: Outcome::Value(new2) })
}

// select_ge_sext_swapped [pays]: select(ge(x, y), sext(y), sext(x))
//     # Extension keeps the order.
//     => sext(min(x, y))
fn select_ge_sext_swapped<S: Subject>(
    s: &S,
    root: &Root<'_, S::Value>,
    x: S::Value,
    y: S::Value,
    inner2: S::Value,
    y_2: S::Value,
    inner4: S::Value,
    x_2: S::Value,
    inner6: S::Value,
) -> Option<Rewrite<S::Value>> {
    if !same(s, y, y_2) {
        return None;
    }
    if !same(s, x, x_2) {
        return None;
    }
    let dies2 = s.used_once(inner2);
    let dies4 = s.used_once(inner4);
    let dies6 = s.used_once(inner6);
    if 1 + if dies2 { 1 } else { 0 } + if dies4 { 1 } else { 0 } + if dies6 { 1 } else { 0 } < 2 {
        return None;
    }
    let ty0 = root.ty;
    let ty2 = s.ty(x);
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
    let new1 = plan.push(Op::Min, ty2, &[Operand::Value(x), Operand::Value(y)]);
    let new2 = plan.push(Op::Sext, ty0, &[new1]);
    Some(Rewrite { rule: rule(names::SELECT_GE_SEXT_SWAPPED), plan, outcome: Outcome::Value(new2) })
}

// select_gt_sext [pays]: select(gt(x, y), sext(x), sext(y))
//     # Extension keeps the order.
//     => sext(max(x, y))
fn select_gt_sext<S: Subject>(
    s: &S,
    root: &Root<'_, S::Value>,
    x: S::Value,
    y: S::Value,
    inner2: S::Value,
    x_2: S::Value,
    inner4: S::Value,
    y_2: S::Value,
    inner6: S::Value,
) -> Option<Rewrite<S::Value>> {
    if !same(s, x, x_2) {
        return None;
    }
    if !same(s, y, y_2) {
        return None;
    }
    let dies2 = s.used_once(inner2);
    let dies4 = s.used_once(inner4);
    let dies6 = s.used_once(inner6);
    if 1 + if dies2 { 1 } else { 0 } + if dies4 { 1 } else { 0 } + if dies6 { 1 } else { 0 } < 2 {
        return None;
    }
    let ty0 = root.ty;
    let ty2 = s.ty(x);
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
    let new1 = plan.push(Op::Max, ty2, &[Operand::Value(x), Operand::Value(y)]);
    let new2 = plan.push(Op::Sext, ty0, &[new1]);
    Some(Rewrite { rule: rule(names::SELECT_GT_SEXT), plan, outcome: Outcome::Value(new2) })
}

// select_gt_sext_swapped [pays]: select(gt(x, y), sext(y), sext(x))
//     # Extension keeps the order.
//     => sext(min(x, y))
fn select_gt_sext_swapped<S: Subject>(
    s: &S,
    root: &Root<'_, S::Value>,
    x: S::Value,
    y: S::Value,
    inner2: S::Value,
    y_2: S::Value,
    inner4: S::Value,
    x_2: S::Value,
    inner6: S::Value,
) -> Option<Rewrite<S::Value>> {
    if !same(s, y, y_2) {
        return None;
    }
    if !same(s, x, x_2) {
        return None;
    }
    let dies2 = s.used_once(inner2);
    let dies4 = s.used_once(inner4);
    let dies6 = s.used_once(inner6);
    if 1 + if dies2 { 1 } else { 0 } + if dies4 { 1 } else { 0 } + if dies6 { 1 } else { 0 } < 2 {
        return None;
    }
    let ty0 = root.ty;
    let ty2 = s.ty(x);
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
    let new1 = plan.push(Op::Min, ty2, &[Operand::Value(x), Operand::Value(y)]);
    let new2 = plan.push(Op::Sext, ty0, &[new1]);
    Some(Rewrite { rule: rule(names::SELECT_GT_SEXT_SWAPPED), plan, outcome: Outcome::Value(new2) })
}

// select_le_sext [pays]: select(le(x, y), sext(x), sext(y))
//     # Extension keeps the order.
//     => sext(min(x, y))
fn select_le_sext<S: Subject>(
    s: &S,
    root: &Root<'_, S::Value>,
    x: S::Value,
    y: S::Value,
    inner2: S::Value,
    x_2: S::Value,
    inner4: S::Value,
    y_2: S::Value,
    inner6: S::Value,
) -> Option<Rewrite<S::Value>> {
    if !same(s, x, x_2) {
        return None;
    }
    if !same(s, y, y_2) {
        return None;
    }
    let dies2 = s.used_once(inner2);
    let dies4 = s.used_once(inner4);
    let dies6 = s.used_once(inner6);
    if 1 + if dies2 { 1 } else { 0 } + if dies4 { 1 } else { 0 } + if dies6 { 1 } else { 0 } < 2 {
        return None;
    }
    let ty0 = root.ty;
    let ty2 = s.ty(x);
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
    let new1 = plan.push(Op::Min, ty2, &[Operand::Value(x), Operand::Value(y)]);
    let new2 = plan.push(Op::Sext, ty0, &[new1]);
    Some(Rewrite { rule: rule(names::SELECT_LE_SEXT), plan, outcome: Outcome::Value(new2) })
}

// select_le_sext_swapped [pays]: select(le(x, y), sext(y), sext(x))
//     # Extension keeps the order.
//     => sext(max(x, y))
fn select_le_sext_swapped<S: Subject>(
    s: &S,
    root: &Root<'_, S::Value>,
    x: S::Value,
    y: S::Value,
    inner2: S::Value,
    y_2: S::Value,
    inner4: S::Value,
    x_2: S::Value,
    inner6: S::Value,
) -> Option<Rewrite<S::Value>> {
    if !same(s, y, y_2) {
        return None;
    }
    if !same(s, x, x_2) {
        return None;
    }
    let dies2 = s.used_once(inner2);
    let dies4 = s.used_once(inner4);
    let dies6 = s.used_once(inner6);
    if 1 + if dies2 { 1 } else { 0 } + if dies4 { 1 } else { 0 } + if dies6 { 1 } else { 0 } < 2 {
        return None;
    }
    let ty0 = root.ty;
    let ty2 = s.ty(x);
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
    let new1 = plan.push(Op::Max, ty2, &[Operand::Value(x), Operand::Value(y)]);
    let new2 = plan.push(Op::Sext, ty0, &[new1]);
    Some(Rewrite { rule: rule(names::SELECT_LE_SEXT_SWAPPED), plan, outcome: Outcome::Value(new2) })
}

// select_lt_sext [pays]: select(lt(x, y), sext(x), sext(y))
//     # Extension keeps the order.
//     => sext(min(x, y))
fn select_lt_sext<S: Subject>(
    s: &S,
    root: &Root<'_, S::Value>,
    x: S::Value,
    y: S::Value,
    inner2: S::Value,
    x_2: S::Value,
    inner4: S::Value,
    y_2: S::Value,
    inner6: S::Value,
) -> Option<Rewrite<S::Value>> {
    if !same(s, x, x_2) {
        return None;
    }
    if !same(s, y, y_2) {
        return None;
    }
    let dies2 = s.used_once(inner2);
    let dies4 = s.used_once(inner4);
    let dies6 = s.used_once(inner6);
    if 1 + if dies2 { 1 } else { 0 } + if dies4 { 1 } else { 0 } + if dies6 { 1 } else { 0 } < 2 {
        return None;
    }
    let ty0 = root.ty;
    let ty2 = s.ty(x);
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
    let new1 = plan.push(Op::Min, ty2, &[Operand::Value(x), Operand::Value(y)]);
    let new2 = plan.push(Op::Sext, ty0, &[new1]);
    Some(Rewrite { rule: rule(names::SELECT_LT_SEXT), plan, outcome: Outcome::Value(new2) })
}

// select_lt_sext_swapped [pays]: select(lt(x, y), sext(y), sext(x))
//     # Extension keeps the order.
//     => sext(max(x, y))
fn select_lt_sext_swapped<S: Subject>(
    s: &S,
    root: &Root<'_, S::Value>,
    x: S::Value,
    y: S::Value,
    inner2: S::Value,
    y_2: S::Value,
    inner4: S::Value,
    x_2: S::Value,
    inner6: S::Value,
) -> Option<Rewrite<S::Value>> {
    if !same(s, y, y_2) {
        return None;
    }
    if !same(s, x, x_2) {
        return None;
    }
    let dies2 = s.used_once(inner2);
    let dies4 = s.used_once(inner4);
    let dies6 = s.used_once(inner6);
    if 1 + if dies2 { 1 } else { 0 } + if dies4 { 1 } else { 0 } + if dies6 { 1 } else { 0 } < 2 {
        return None;
    }
    let ty0 = root.ty;
    let ty2 = s.ty(x);
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
    let new1 = plan.push(Op::Max, ty2, &[Operand::Value(x), Operand::Value(y)]);
    let new2 = plan.push(Op::Sext, ty0, &[new1]);
    Some(Rewrite { rule: rule(names::SELECT_LT_SEXT_SWAPPED), plan, outcome: Outcome::Value(new2) })
}

// select_uge_zext [pays]: select(uge(x, y), zext(x), zext(y))
//     # Extension keeps the order.
//     => zext(umax(x, y))
fn select_uge_zext<S: Subject>(
    s: &S,
    root: &Root<'_, S::Value>,
    x: S::Value,
    y: S::Value,
    inner2: S::Value,
    x_2: S::Value,
    inner4: S::Value,
    y_2: S::Value,
    inner6: S::Value,
) -> Option<Rewrite<S::Value>> {
    if !same(s, x, x_2) {
        return None;
    }
    if !same(s, y, y_2) {
        return None;
    }
    let dies2 = s.used_once(inner2);
    let dies4 = s.used_once(inner4);
    let dies6 = s.used_once(inner6);
    if 1 + if dies2 { 1 } else { 0 } + if dies4 { 1 } else { 0 } + if dies6 { 1 } else { 0 } < 2 {
        return None;
    }
    let ty0 = root.ty;
    let ty2 = s.ty(x);
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
    let new1 = plan.push(Op::Umax, ty2, &[Operand::Value(x), Operand::Value(y)]);
    let new2 = plan.push(Op::Zext, ty0, &[new1]);
    Some(Rewrite { rule: rule(names::SELECT_UGE_ZEXT), plan, outcome: Outcome::Value(new2) })
}

// select_uge_zext_swapped [pays]: select(uge(x, y), zext(y), zext(x))
//     # Extension keeps the order.
//     => zext(umin(x, y))
fn select_uge_zext_swapped<S: Subject>(
    s: &S,
    root: &Root<'_, S::Value>,
    x: S::Value,
    y: S::Value,
    inner2: S::Value,
    y_2: S::Value,
    inner4: S::Value,
    x_2: S::Value,
    inner6: S::Value,
) -> Option<Rewrite<S::Value>> {
    if !same(s, y, y_2) {
        return None;
    }
    if !same(s, x, x_2) {
        return None;
    }
    let dies2 = s.used_once(inner2);
    let dies4 = s.used_once(inner4);
    let dies6 = s.used_once(inner6);
    if 1 + if dies2 { 1 } else { 0 } + if dies4 { 1 } else { 0 } + if dies6 { 1 } else { 0 } < 2 {
        return None;
    }
    let ty0 = root.ty;
    let ty2 = s.ty(x);
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
    let new1 = plan.push(Op::Umin, ty2, &[Operand::Value(x), Operand::Value(y)]);
    let new2 = plan.push(Op::Zext, ty0, &[new1]);
    Some(Rewrite { rule: rule(names::SELECT_UGE_ZEXT_SWAPPED), plan, outcome: Outcome::Value(new2) })
}

// select_ugt_zext [pays]: select(ugt(x, y), zext(x), zext(y))
//     # Extension keeps the order.
//     => zext(umax(x, y))
fn select_ugt_zext<S: Subject>(
    s: &S,
    root: &Root<'_, S::Value>,
    x: S::Value,
    y: S::Value,
    inner2: S::Value,
    x_2: S::Value,
    inner4: S::Value,
    y_2: S::Value,
    inner6: S::Value,
) -> Option<Rewrite<S::Value>> {
    if !same(s, x, x_2) {
        return None;
    }
    if !same(s, y, y_2) {
        return None;
    }
    let dies2 = s.used_once(inner2);
    let dies4 = s.used_once(inner4);
    let dies6 = s.used_once(inner6);
    if 1 + if dies2 { 1 } else { 0 } + if dies4 { 1 } else { 0 } + if dies6 { 1 } else { 0 } < 2 {
        return None;
    }
    let ty0 = root.ty;
    let ty2 = s.ty(x);
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
    let new1 = plan.push(Op::Umax, ty2, &[Operand::Value(x), Operand::Value(y)]);
    let new2 = plan.push(Op::Zext, ty0, &[new1]);
    Some(Rewrite { rule: rule(names::SELECT_UGT_ZEXT), plan, outcome: Outcome::Value(new2) })
}

// select_ugt_zext_swapped [pays]: select(ugt(x, y), zext(y), zext(x))
//     # Extension keeps the order.
//     => zext(umin(x, y))
fn select_ugt_zext_swapped<S: Subject>(
    s: &S,
    root: &Root<'_, S::Value>,
    x: S::Value,
    y: S::Value,
    inner2: S::Value,
    y_2: S::Value,
    inner4: S::Value,
    x_2: S::Value,
    inner6: S::Value,
) -> Option<Rewrite<S::Value>> {
    if !same(s, y, y_2) {
        return None;
    }
    if !same(s, x, x_2) {
        return None;
    }
    let dies2 = s.used_once(inner2);
    let dies4 = s.used_once(inner4);
    let dies6 = s.used_once(inner6);
    if 1 + if dies2 { 1 } else { 0 } + if dies4 { 1 } else { 0 } + if dies6 { 1 } else { 0 } < 2 {
        return None;
    }
    let ty0 = root.ty;
    let ty2 = s.ty(x);
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
    let new1 = plan.push(Op::Umin, ty2, &[Operand::Value(x), Operand::Value(y)]);
    let new2 = plan.push(Op::Zext, ty0, &[new1]);
    Some(Rewrite { rule: rule(names::SELECT_UGT_ZEXT_SWAPPED), plan, outcome: Outcome::Value(new2) })
}

// select_ule_zext [pays]: select(ule(x, y), zext(x), zext(y))
//     # Extension keeps the order.
//     => zext(umin(x, y))
fn select_ule_zext<S: Subject>(
    s: &S,
    root: &Root<'_, S::Value>,
    x: S::Value,
    y: S::Value,
    inner2: S::Value,
    x_2: S::Value,
    inner4: S::Value,
    y_2: S::Value,
    inner6: S::Value,
) -> Option<Rewrite<S::Value>> {
    if !same(s, x, x_2) {
        return None;
    }
    if !same(s, y, y_2) {
        return None;
    }
    let dies2 = s.used_once(inner2);
    let dies4 = s.used_once(inner4);
    let dies6 = s.used_once(inner6);
    if 1 + if dies2 { 1 } else { 0 } + if dies4 { 1 } else { 0 } + if dies6 { 1 } else { 0 } < 2 {
        return None;
    }
    let ty0 = root.ty;
    let ty2 = s.ty(x);
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
    let new1 = plan.push(Op::Umin, ty2, &[Operand::Value(x), Operand::Value(y)]);
    let new2 = plan.push(Op::Zext, ty0, &[new1]);
    Some(Rewrite { rule: rule(names::SELECT_ULE_ZEXT), plan, outcome: Outcome::Value(new2) })
}

// select_ule_zext_swapped [pays]: select(ule(x, y), zext(y), zext(x))
//     # Extension keeps the order.
//     => zext(umax(x, y))
fn select_ule_zext_swapped<S: Subject>(
    s: &S,
    root: &Root<'_, S::Value>,
    x: S::Value,
    y: S::Value,
    inner2: S::Value,
    y_2: S::Value,
    inner4: S::Value,
    x_2: S::Value,
    inner6: S::Value,
) -> Option<Rewrite<S::Value>> {
    if !same(s, y, y_2) {
        return None;
    }
    if !same(s, x, x_2) {
        return None;
    }
    let dies2 = s.used_once(inner2);
    let dies4 = s.used_once(inner4);
    let dies6 = s.used_once(inner6);
    if 1 + if dies2 { 1 } else { 0 } + if dies4 { 1 } else { 0 } + if dies6 { 1 } else { 0 } < 2 {
        return None;
    }
    let ty0 = root.ty;
    let ty2 = s.ty(x);
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
    let new1 = plan.push(Op::Umax, ty2, &[Operand::Value(x), Operand::Value(y)]);
    let new2 = plan.push(Op::Zext, ty0, &[new1]);
    Some(Rewrite { rule: rule(names::SELECT_ULE_ZEXT_SWAPPED), plan, outcome: Outcome::Value(new2) })
}

// select_ult_zext [pays]: select(ult(x, y), zext(x), zext(y))
//     # Extension keeps the order.
//     => zext(umin(x, y))
fn select_ult_zext<S: Subject>(
    s: &S,
    root: &Root<'_, S::Value>,
    x: S::Value,
    y: S::Value,
    inner2: S::Value,
    x_2: S::Value,
    inner4: S::Value,
    y_2: S::Value,
    inner6: S::Value,
) -> Option<Rewrite<S::Value>> {
    if !same(s, x, x_2) {
        return None;
    }
    if !same(s, y, y_2) {
        return None;
    }
    let dies2 = s.used_once(inner2);
    let dies4 = s.used_once(inner4);
    let dies6 = s.used_once(inner6);
    if 1 + if dies2 { 1 } else { 0 } + if dies4 { 1 } else { 0 } + if dies6 { 1 } else { 0 } < 2 {
        return None;
    }
    let ty0 = root.ty;
    let ty2 = s.ty(x);
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
    let new1 = plan.push(Op::Umin, ty2, &[Operand::Value(x), Operand::Value(y)]);
    let new2 = plan.push(Op::Zext, ty0, &[new1]);
    Some(Rewrite { rule: rule(names::SELECT_ULT_ZEXT), plan, outcome: Outcome::Value(new2) })
}

// select_ult_zext_swapped [pays]: select(ult(x, y), zext(y), zext(x))
//     # Extension keeps the order.
//     => zext(umax(x, y))
fn select_ult_zext_swapped<S: Subject>(
    s: &S,
    root: &Root<'_, S::Value>,
    x: S::Value,
    y: S::Value,
    inner2: S::Value,
    y_2: S::Value,
    inner4: S::Value,
    x_2: S::Value,
    inner6: S::Value,
) -> Option<Rewrite<S::Value>> {
    if !same(s, y, y_2) {
        return None;
    }
    if !same(s, x, x_2) {
        return None;
    }
    let dies2 = s.used_once(inner2);
    let dies4 = s.used_once(inner4);
    let dies6 = s.used_once(inner6);
    if 1 + if dies2 { 1 } else { 0 } + if dies4 { 1 } else { 0 } + if dies6 { 1 } else { 0 } < 2 {
        return None;
    }
    let ty0 = root.ty;
    let ty2 = s.ty(x);
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
    let new1 = plan.push(Op::Umax, ty2, &[Operand::Value(x), Operand::Value(y)]);
    let new2 = plan.push(Op::Zext, ty0, &[new1]);
    Some(Rewrite { rule: rule(names::SELECT_ULT_ZEXT_SWAPPED), plan, outcome: Outcome::Value(new2) })
}

// select_ge_sub_zero [pays]: select(ge(x, y), sub(x, y), 0)
//     # What is taken away is no more than what is there.
//     => sub(max(x, y), y)
fn select_ge_sub_zero<S: Subject>(
    s: &S,
    root: &Root<'_, S::Value>,
    x: S::Value,
    y: S::Value,
    inner2: S::Value,
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
    let dies2 = s.used_once(inner2);
    let dies5 = s.used_once(inner5);
    if 1 + if dies2 { 1 } else { 0 } + if dies5 { 1 } else { 0 } < 2 {
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
    let new1 = plan.push(Op::Max, ty0, &[Operand::Value(x), Operand::Value(y)]);
    let new2 = plan.push(Op::Sub, ty0, &[new1, Operand::Value(y)]);
    Some(Rewrite { rule: rule(names::SELECT_GE_SUB_ZERO), plan, outcome: Outcome::Value(new2) })
}

// select_gt_sub_zero [pays]: select(gt(x, y), sub(x, y), 0)
//     # What is taken away is no more than what is there.
//     => sub(max(x, y), y)
fn select_gt_sub_zero<S: Subject>(
    s: &S,
    root: &Root<'_, S::Value>,
    x: S::Value,
    y: S::Value,
    inner2: S::Value,
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
    let dies2 = s.used_once(inner2);
    let dies5 = s.used_once(inner5);
    if 1 + if dies2 { 1 } else { 0 } + if dies5 { 1 } else { 0 } < 2 {
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
    let new1 = plan.push(Op::Max, ty0, &[Operand::Value(x), Operand::Value(y)]);
    let new2 = plan.push(Op::Sub, ty0, &[new1, Operand::Value(y)]);
    Some(Rewrite { rule: rule(names::SELECT_GT_SUB_ZERO), plan, outcome: Outcome::Value(new2) })
}

// select_le_zero_sub [pays]: select(le(x, y), 0, sub(x, y))
//     # What is taken away is no more than what is there.
//     => sub(max(x, y), y)
fn select_le_zero_sub<S: Subject>(
    s: &S,
    root: &Root<'_, S::Value>,
    x: S::Value,
    y: S::Value,
    inner2: S::Value,
    x_2: S::Value,
    y_2: S::Value,
    inner6: S::Value,
) -> Option<Rewrite<S::Value>> {
    if !same(s, x, x_2) {
        return None;
    }
    if !same(s, y, y_2) {
        return None;
    }
    let dies2 = s.used_once(inner2);
    let dies6 = s.used_once(inner6);
    if 1 + if dies2 { 1 } else { 0 } + if dies6 { 1 } else { 0 } < 2 {
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
    let new1 = plan.push(Op::Max, ty0, &[Operand::Value(x), Operand::Value(y)]);
    let new2 = plan.push(Op::Sub, ty0, &[new1, Operand::Value(y)]);
    Some(Rewrite { rule: rule(names::SELECT_LE_ZERO_SUB), plan, outcome: Outcome::Value(new2) })
}

// select_lt_zero_sub [pays]: select(lt(x, y), 0, sub(x, y))
//     # What is taken away is no more than what is there.
//     => sub(max(x, y), y)
fn select_lt_zero_sub<S: Subject>(
    s: &S,
    root: &Root<'_, S::Value>,
    x: S::Value,
    y: S::Value,
    inner2: S::Value,
    x_2: S::Value,
    y_2: S::Value,
    inner6: S::Value,
) -> Option<Rewrite<S::Value>> {
    if !same(s, x, x_2) {
        return None;
    }
    if !same(s, y, y_2) {
        return None;
    }
    let dies2 = s.used_once(inner2);
    let dies6 = s.used_once(inner6);
    if 1 + if dies2 { 1 } else { 0 } + if dies6 { 1 } else { 0 } < 2 {
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
    let new1 = plan.push(Op::Max, ty0, &[Operand::Value(x), Operand::Value(y)]);
    let new2 = plan.push(Op::Sub, ty0, &[new1, Operand::Value(y)]);
    Some(Rewrite { rule: rule(names::SELECT_LT_ZERO_SUB), plan, outcome: Outcome::Value(new2) })
}

// select_uge_sub_zero [pays]: select(uge(x, y), sub(x, y), 0)
//     # What is taken away is no more than what is there.
//     => sub(umax(x, y), y)
fn select_uge_sub_zero<S: Subject>(
    s: &S,
    root: &Root<'_, S::Value>,
    x: S::Value,
    y: S::Value,
    inner2: S::Value,
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
    let dies2 = s.used_once(inner2);
    let dies5 = s.used_once(inner5);
    if 1 + if dies2 { 1 } else { 0 } + if dies5 { 1 } else { 0 } < 2 {
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
    let new1 = plan.push(Op::Umax, ty0, &[Operand::Value(x), Operand::Value(y)]);
    let new2 = plan.push(Op::Sub, ty0, &[new1, Operand::Value(y)]);
    Some(Rewrite { rule: rule(names::SELECT_UGE_SUB_ZERO), plan, outcome: Outcome::Value(new2) })
}

// select_ugt_sub_zero [pays]: select(ugt(x, y), sub(x, y), 0)
//     # What is taken away is no more than what is there.
//     => sub(umax(x, y), y)
fn select_ugt_sub_zero<S: Subject>(
    s: &S,
    root: &Root<'_, S::Value>,
    x: S::Value,
    y: S::Value,
    inner2: S::Value,
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
    let dies2 = s.used_once(inner2);
    let dies5 = s.used_once(inner5);
    if 1 + if dies2 { 1 } else { 0 } + if dies5 { 1 } else { 0 } < 2 {
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
    let new1 = plan.push(Op::Umax, ty0, &[Operand::Value(x), Operand::Value(y)]);
    let new2 = plan.push(Op::Sub, ty0, &[new1, Operand::Value(y)]);
    Some(Rewrite { rule: rule(names::SELECT_UGT_SUB_ZERO), plan, outcome: Outcome::Value(new2) })
}

// select_ule_zero_sub [pays]: select(ule(x, y), 0, sub(x, y))
//     # What is taken away is no more than what is there.
//     => sub(umax(x, y), y)
fn select_ule_zero_sub<S: Subject>(
    s: &S,
    root: &Root<'_, S::Value>,
    x: S::Value,
    y: S::Value,
    inner2: S::Value,
    x_2: S::Value,
    y_2: S::Value,
    inner6: S::Value,
) -> Option<Rewrite<S::Value>> {
    if !same(s, x, x_2) {
        return None;
    }
    if !same(s, y, y_2) {
        return None;
    }
    let dies2 = s.used_once(inner2);
    let dies6 = s.used_once(inner6);
    if 1 + if dies2 { 1 } else { 0 } + if dies6 { 1 } else { 0 } < 2 {
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
    let new1 = plan.push(Op::Umax, ty0, &[Operand::Value(x), Operand::Value(y)]);
    let new2 = plan.push(Op::Sub, ty0, &[new1, Operand::Value(y)]);
    Some(Rewrite { rule: rule(names::SELECT_ULE_ZERO_SUB), plan, outcome: Outcome::Value(new2) })
}

// select_ult_zero_sub [pays]: select(ult(x, y), 0, sub(x, y))
//     # What is taken away is no more than what is there.
//     => sub(umax(x, y), y)
fn select_ult_zero_sub<S: Subject>(
    s: &S,
    root: &Root<'_, S::Value>,
    x: S::Value,
    y: S::Value,
    inner2: S::Value,
    x_2: S::Value,
    y_2: S::Value,
    inner6: S::Value,
) -> Option<Rewrite<S::Value>> {
    if !same(s, x, x_2) {
        return None;
    }
    if !same(s, y, y_2) {
        return None;
    }
    let dies2 = s.used_once(inner2);
    let dies6 = s.used_once(inner6);
    if 1 + if dies2 { 1 } else { 0 } + if dies6 { 1 } else { 0 } < 2 {
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
    let new1 = plan.push(Op::Umax, ty0, &[Operand::Value(x), Operand::Value(y)]);
    let new2 = plan.push(Op::Sub, ty0, &[new1, Operand::Value(y)]);
    Some(Rewrite { rule: rule(names::SELECT_ULT_ZERO_SUB), plan, outcome: Outcome::Value(new2) })
}

// select_abs_ge: select(ge(x, 0), x, neg(x))
//     # The absolute value.
//     => abs(x)
fn select_abs_ge<S: Subject>(
    s: &S,
    root: &Root<'_, S::Value>,
    x: S::Value,
    inner2: S::Value,
    x_2: S::Value,
    x_3: S::Value,
) -> Option<Rewrite<S::Value>> {
    if !same(s, x, x_2) {
        return None;
    }
    if !same(s, x, x_3) {
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
    let new1 = plan.push(Op::Abs, ty0, &[Operand::Value(x)]);
    Some(Rewrite { rule: rule(names::SELECT_ABS_GE), plan, outcome: Outcome::Value(new1) })
}

// select_abs_gt: select(gt(x, 0), x, neg(x))
//     # The absolute value; that of 0 is 0 both ways.
//     => abs(x)
fn select_abs_gt<S: Subject>(
    s: &S,
    root: &Root<'_, S::Value>,
    x: S::Value,
    inner2: S::Value,
    x_2: S::Value,
    x_3: S::Value,
) -> Option<Rewrite<S::Value>> {
    if !same(s, x, x_2) {
        return None;
    }
    if !same(s, x, x_3) {
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
    let new1 = plan.push(Op::Abs, ty0, &[Operand::Value(x)]);
    Some(Rewrite { rule: rule(names::SELECT_ABS_GT), plan, outcome: Outcome::Value(new1) })
}

// select_abs_le: select(le(x, 0), neg(x), x)
//     # The absolute value; that of 0 is 0 both ways.
//     => abs(x)
fn select_abs_le<S: Subject>(
    s: &S,
    root: &Root<'_, S::Value>,
    x: S::Value,
    inner2: S::Value,
    x_2: S::Value,
    x_3: S::Value,
) -> Option<Rewrite<S::Value>> {
    if !same(s, x, x_2) {
        return None;
    }
    if !same(s, x, x_3) {
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
    let new1 = plan.push(Op::Abs, ty0, &[Operand::Value(x)]);
    Some(Rewrite { rule: rule(names::SELECT_ABS_LE), plan, outcome: Outcome::Value(new1) })
}

// select_abs_lt: select(lt(x, 0), neg(x), x)
//     # The absolute value.
//     => abs(x)
fn select_abs_lt<S: Subject>(
    s: &S,
    root: &Root<'_, S::Value>,
    x: S::Value,
    inner2: S::Value,
    x_2: S::Value,
    x_3: S::Value,
) -> Option<Rewrite<S::Value>> {
    if !same(s, x, x_2) {
        return None;
    }
    if !same(s, x, x_3) {
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
    let new1 = plan.push(Op::Abs, ty0, &[Operand::Value(x)]);
    Some(Rewrite { rule: rule(names::SELECT_ABS_LT), plan, outcome: Outcome::Value(new1) })
}

// select_ge_const_sext [pays]: select(ge(x, C), C1, sext(x))
//     # Extension keeps the order.
//     check C1 == sext(C)
//     => min(sext(x), C1)
fn select_ge_const_sext<S: Subject>(
    s: &S,
    root: &Root<'_, S::Value>,
    x: S::Value,
    at_c: S::Value,
    inner2: S::Value,
    at_c1: S::Value,
    x_2: S::Value,
    inner5: S::Value,
) -> Option<Rewrite<S::Value>> {
    if !same(s, x, x_2) {
        return None;
    }
    let dies2 = s.used_once(inner2);
    if 1 + if dies2 { 1 } else { 0 } < 1 {
        return None;
    }
    let ty0 = root.ty;
    let w0 = ty0.int_width()?;
    let the_c = int(s, at_c)?;
    let the_c1 = int(s, at_c1)?;
    if the_c1 != Resize::Sext.apply(&mut Machine, the_c, w0)? {
        return None;
    }
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
    let new1 = plan.push(Op::Min, ty0, &[Operand::Value(inner5), Operand::Value(at_c1)]);
    Some(Rewrite { rule: rule(names::SELECT_GE_CONST_SEXT), plan, outcome: Outcome::Value(new1) })
}

// select_ge_sext_const [pays]: select(ge(x, C), sext(x), C1)
//     # Extension keeps the order.
//     check C1 == sext(C)
//     => max(sext(x), C1)
fn select_ge_sext_const<S: Subject>(
    s: &S,
    root: &Root<'_, S::Value>,
    x: S::Value,
    at_c: S::Value,
    inner2: S::Value,
    x_2: S::Value,
    inner4: S::Value,
    at_c1: S::Value,
) -> Option<Rewrite<S::Value>> {
    if !same(s, x, x_2) {
        return None;
    }
    let dies2 = s.used_once(inner2);
    if 1 + if dies2 { 1 } else { 0 } < 1 {
        return None;
    }
    let ty0 = root.ty;
    let w0 = ty0.int_width()?;
    let the_c = int(s, at_c)?;
    let the_c1 = int(s, at_c1)?;
    if the_c1 != Resize::Sext.apply(&mut Machine, the_c, w0)? {
        return None;
    }
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
    let new1 = plan.push(Op::Max, ty0, &[Operand::Value(inner4), Operand::Value(at_c1)]);
    Some(Rewrite { rule: rule(names::SELECT_GE_SEXT_CONST), plan, outcome: Outcome::Value(new1) })
}

// select_gt_const_sext [pays]: select(gt(x, C), C1, sext(x))
//     # Extension keeps the order.
//     check C1 == sext(C)
//     => min(sext(x), C1)
fn select_gt_const_sext<S: Subject>(
    s: &S,
    root: &Root<'_, S::Value>,
    x: S::Value,
    at_c: S::Value,
    inner2: S::Value,
    at_c1: S::Value,
    x_2: S::Value,
    inner5: S::Value,
) -> Option<Rewrite<S::Value>> {
    if !same(s, x, x_2) {
        return None;
    }
    let dies2 = s.used_once(inner2);
    if 1 + if dies2 { 1 } else { 0 } < 1 {
        return None;
    }
    let ty0 = root.ty;
    let w0 = ty0.int_width()?;
    let the_c = int(s, at_c)?;
    let the_c1 = int(s, at_c1)?;
    if the_c1 != Resize::Sext.apply(&mut Machine, the_c, w0)? {
        return None;
    }
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
    let new1 = plan.push(Op::Min, ty0, &[Operand::Value(inner5), Operand::Value(at_c1)]);
    Some(Rewrite { rule: rule(names::SELECT_GT_CONST_SEXT), plan, outcome: Outcome::Value(new1) })
}

// select_gt_sext_const [pays]: select(gt(x, C), sext(x), C1)
//     # Extension keeps the order.
//     check C1 == sext(C)
//     => max(sext(x), C1)
fn select_gt_sext_const<S: Subject>(
    s: &S,
    root: &Root<'_, S::Value>,
    x: S::Value,
    at_c: S::Value,
    inner2: S::Value,
    x_2: S::Value,
    inner4: S::Value,
    at_c1: S::Value,
) -> Option<Rewrite<S::Value>> {
    if !same(s, x, x_2) {
        return None;
    }
    let dies2 = s.used_once(inner2);
    if 1 + if dies2 { 1 } else { 0 } < 1 {
        return None;
    }
    let ty0 = root.ty;
    let w0 = ty0.int_width()?;
    let the_c = int(s, at_c)?;
    let the_c1 = int(s, at_c1)?;
    if the_c1 != Resize::Sext.apply(&mut Machine, the_c, w0)? {
        return None;
    }
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
    let new1 = plan.push(Op::Max, ty0, &[Operand::Value(inner4), Operand::Value(at_c1)]);
    Some(Rewrite { rule: rule(names::SELECT_GT_SEXT_CONST), plan, outcome: Outcome::Value(new1) })
}

// select_le_const_sext [pays]: select(le(x, C), C1, sext(x))
//     # Extension keeps the order.
//     check C1 == sext(C)
//     => max(sext(x), C1)
fn select_le_const_sext<S: Subject>(
    s: &S,
    root: &Root<'_, S::Value>,
    x: S::Value,
    at_c: S::Value,
    inner2: S::Value,
    at_c1: S::Value,
    x_2: S::Value,
    inner5: S::Value,
) -> Option<Rewrite<S::Value>> {
    if !same(s, x, x_2) {
        return None;
    }
    let dies2 = s.used_once(inner2);
    if 1 + if dies2 { 1 } else { 0 } < 1 {
        return None;
    }
    let ty0 = root.ty;
    let w0 = ty0.int_width()?;
    let the_c = int(s, at_c)?;
    let the_c1 = int(s, at_c1)?;
    if the_c1 != Resize::Sext.apply(&mut Machine, the_c, w0)? {
        return None;
    }
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
    let new1 = plan.push(Op::Max, ty0, &[Operand::Value(inner5), Operand::Value(at_c1)]);
    Some(Rewrite { rule: rule(names::SELECT_LE_CONST_SEXT), plan, outcome: Outcome::Value(new1) })
}

// select_le_sext_const [pays]: select(le(x, C), sext(x), C1)
//     # Extension keeps the order.
//     check C1 == sext(C)
//     => min(sext(x), C1)
fn select_le_sext_const<S: Subject>(
    s: &S,
    root: &Root<'_, S::Value>,
    x: S::Value,
    at_c: S::Value,
    inner2: S::Value,
    x_2: S::Value,
    inner4: S::Value,
    at_c1: S::Value,
) -> Option<Rewrite<S::Value>> {
    if !same(s, x, x_2) {
        return None;
    }
    let dies2 = s.used_once(inner2);
    if 1 + if dies2 { 1 } else { 0 } < 1 {
        return None;
    }
    let ty0 = root.ty;
    let w0 = ty0.int_width()?;
    let the_c = int(s, at_c)?;
    let the_c1 = int(s, at_c1)?;
    if the_c1 != Resize::Sext.apply(&mut Machine, the_c, w0)? {
        return None;
    }
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
    let new1 = plan.push(Op::Min, ty0, &[Operand::Value(inner4), Operand::Value(at_c1)]);
    Some(Rewrite { rule: rule(names::SELECT_LE_SEXT_CONST), plan, outcome: Outcome::Value(new1) })
}

// select_lt_const_sext [pays]: select(lt(x, C), C1, sext(x))
//     # Extension keeps the order.
//     check C1 == sext(C)
//     => max(sext(x), C1)
fn select_lt_const_sext<S: Subject>(
    s: &S,
    root: &Root<'_, S::Value>,
    x: S::Value,
    at_c: S::Value,
    inner2: S::Value,
    at_c1: S::Value,
    x_2: S::Value,
    inner5: S::Value,
) -> Option<Rewrite<S::Value>> {
    if !same(s, x, x_2) {
        return None;
    }
    let dies2 = s.used_once(inner2);
    if 1 + if dies2 { 1 } else { 0 } < 1 {
        return None;
    }
    let ty0 = root.ty;
    let w0 = ty0.int_width()?;
    let the_c = int(s, at_c)?;
    let the_c1 = int(s, at_c1)?;
    if the_c1 != Resize::Sext.apply(&mut Machine, the_c, w0)? {
        return None;
    }
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
    let new1 = plan.push(Op::Max, ty0, &[Operand::Value(inner5), Operand::Value(at_c1)]);
    Some(Rewrite { rule: rule(names::SELECT_LT_CONST_SEXT), plan, outcome: Outcome::Value(new1) })
}

// select_lt_sext_const [pays]: select(lt(x, C), sext(x), C1)
//     # Extension keeps the order.
//     check C1 == sext(C)
//     => min(sext(x), C1)
fn select_lt_sext_const<S: Subject>(
    s: &S,
    root: &Root<'_, S::Value>,
    x: S::Value,
    at_c: S::Value,
    inner2: S::Value,
    x_2: S::Value,
    inner4: S::Value,
    at_c1: S::Value,
) -> Option<Rewrite<S::Value>> {
    if !same(s, x, x_2) {
        return None;
    }
    let dies2 = s.used_once(inner2);
    if 1 + if dies2 { 1 } else { 0 } < 1 {
        return None;
    }
    let ty0 = root.ty;
    let w0 = ty0.int_width()?;
    let the_c = int(s, at_c)?;
    let the_c1 = int(s, at_c1)?;
    if the_c1 != Resize::Sext.apply(&mut Machine, the_c, w0)? {
        return None;
    }
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
    let new1 = plan.push(Op::Min, ty0, &[Operand::Value(inner4), Operand::Value(at_c1)]);
    Some(Rewrite { rule: rule(names::SELECT_LT_SEXT_CONST), plan, outcome: Outcome::Value(new1) })
}

// select_uge_const_zext [pays]: select(uge(x, C), C1, zext(x))
//     # Extension keeps the order.
//     check C1 == zext(C)
//     => umin(zext(x), C1)
fn select_uge_const_zext<S: Subject>(
    s: &S,
    root: &Root<'_, S::Value>,
    x: S::Value,
    at_c: S::Value,
    inner2: S::Value,
    at_c1: S::Value,
    x_2: S::Value,
    inner5: S::Value,
) -> Option<Rewrite<S::Value>> {
    if !same(s, x, x_2) {
        return None;
    }
    let dies2 = s.used_once(inner2);
    if 1 + if dies2 { 1 } else { 0 } < 1 {
        return None;
    }
    let ty0 = root.ty;
    let w0 = ty0.int_width()?;
    let the_c = int(s, at_c)?;
    let the_c1 = int(s, at_c1)?;
    if the_c1 != Resize::Zext.apply(&mut Machine, the_c, w0)? {
        return None;
    }
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
    let new1 = plan.push(Op::Umin, ty0, &[Operand::Value(inner5), Operand::Value(at_c1)]);
    Some(Rewrite { rule: rule(names::SELECT_UGE_CONST_ZEXT), plan, outcome: Outcome::Value(new1) })
}

// select_uge_zext_const [pays]: select(uge(x, C), zext(x), C1)
//     # Extension keeps the order.
//     check C1 == zext(C)
//     => umax(zext(x), C1)
fn select_uge_zext_const<S: Subject>(
    s: &S,
    root: &Root<'_, S::Value>,
    x: S::Value,
    at_c: S::Value,
    inner2: S::Value,
    x_2: S::Value,
    inner4: S::Value,
    at_c1: S::Value,
) -> Option<Rewrite<S::Value>> {
    if !same(s, x, x_2) {
        return None;
    }
    let dies2 = s.used_once(inner2);
    if 1 + if dies2 { 1 } else { 0 } < 1 {
        return None;
    }
    let ty0 = root.ty;
    let w0 = ty0.int_width()?;
    let the_c = int(s, at_c)?;
    let the_c1 = int(s, at_c1)?;
    if the_c1 != Resize::Zext.apply(&mut Machine, the_c, w0)? {
        return None;
    }
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
    let new1 = plan.push(Op::Umax, ty0, &[Operand::Value(inner4), Operand::Value(at_c1)]);
    Some(Rewrite { rule: rule(names::SELECT_UGE_ZEXT_CONST), plan, outcome: Outcome::Value(new1) })
}

// select_ugt_const_zext [pays]: select(ugt(x, C), C1, zext(x))
//     # Extension keeps the order.
//     check C1 == zext(C)
//     => umin(zext(x), C1)
fn select_ugt_const_zext<S: Subject>(
    s: &S,
    root: &Root<'_, S::Value>,
    x: S::Value,
    at_c: S::Value,
    inner2: S::Value,
    at_c1: S::Value,
    x_2: S::Value,
    inner5: S::Value,
) -> Option<Rewrite<S::Value>> {
    if !same(s, x, x_2) {
        return None;
    }
    let dies2 = s.used_once(inner2);
    if 1 + if dies2 { 1 } else { 0 } < 1 {
        return None;
    }
    let ty0 = root.ty;
    let w0 = ty0.int_width()?;
    let the_c = int(s, at_c)?;
    let the_c1 = int(s, at_c1)?;
    if the_c1 != Resize::Zext.apply(&mut Machine, the_c, w0)? {
        return None;
    }
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
    let new1 = plan.push(Op::Umin, ty0, &[Operand::Value(inner5), Operand::Value(at_c1)]);
    Some(Rewrite { rule: rule(names::SELECT_UGT_CONST_ZEXT), plan, outcome: Outcome::Value(new1) })
}

// select_ugt_zext_const [pays]: select(ugt(x, C), zext(x), C1)
//     # Extension keeps the order.
//     check C1 == zext(C)
//     => umax(zext(x), C1)
fn select_ugt_zext_const<S: Subject>(
    s: &S,
    root: &Root<'_, S::Value>,
    x: S::Value,
    at_c: S::Value,
    inner2: S::Value,
    x_2: S::Value,
    inner4: S::Value,
    at_c1: S::Value,
) -> Option<Rewrite<S::Value>> {
    if !same(s, x, x_2) {
        return None;
    }
    let dies2 = s.used_once(inner2);
    if 1 + if dies2 { 1 } else { 0 } < 1 {
        return None;
    }
    let ty0 = root.ty;
    let w0 = ty0.int_width()?;
    let the_c = int(s, at_c)?;
    let the_c1 = int(s, at_c1)?;
    if the_c1 != Resize::Zext.apply(&mut Machine, the_c, w0)? {
        return None;
    }
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
    let new1 = plan.push(Op::Umax, ty0, &[Operand::Value(inner4), Operand::Value(at_c1)]);
    Some(Rewrite { rule: rule(names::SELECT_UGT_ZEXT_CONST), plan, outcome: Outcome::Value(new1) })
}

// select_ule_const_zext [pays]: select(ule(x, C), C1, zext(x))
//     # Extension keeps the order.
//     check C1 == zext(C)
//     => umax(zext(x), C1)
fn select_ule_const_zext<S: Subject>(
    s: &S,
    root: &Root<'_, S::Value>,
    x: S::Value,
    at_c: S::Value,
    inner2: S::Value,
    at_c1: S::Value,
    x_2: S::Value,
    inner5: S::Value,
) -> Option<Rewrite<S::Value>> {
    if !same(s, x, x_2) {
        return None;
    }
    let dies2 = s.used_once(inner2);
    if 1 + if dies2 { 1 } else { 0 } < 1 {
        return None;
    }
    let ty0 = root.ty;
    let w0 = ty0.int_width()?;
    let the_c = int(s, at_c)?;
    let the_c1 = int(s, at_c1)?;
    if the_c1 != Resize::Zext.apply(&mut Machine, the_c, w0)? {
        return None;
    }
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
    let new1 = plan.push(Op::Umax, ty0, &[Operand::Value(inner5), Operand::Value(at_c1)]);
    Some(Rewrite { rule: rule(names::SELECT_ULE_CONST_ZEXT), plan, outcome: Outcome::Value(new1) })
}

// select_ule_zext_const [pays]: select(ule(x, C), zext(x), C1)
//     # Extension keeps the order.
//     check C1 == zext(C)
//     => umin(zext(x), C1)
fn select_ule_zext_const<S: Subject>(
    s: &S,
    root: &Root<'_, S::Value>,
    x: S::Value,
    at_c: S::Value,
    inner2: S::Value,
    x_2: S::Value,
    inner4: S::Value,
    at_c1: S::Value,
) -> Option<Rewrite<S::Value>> {
    if !same(s, x, x_2) {
        return None;
    }
    let dies2 = s.used_once(inner2);
    if 1 + if dies2 { 1 } else { 0 } < 1 {
        return None;
    }
    let ty0 = root.ty;
    let w0 = ty0.int_width()?;
    let the_c = int(s, at_c)?;
    let the_c1 = int(s, at_c1)?;
    if the_c1 != Resize::Zext.apply(&mut Machine, the_c, w0)? {
        return None;
    }
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
    let new1 = plan.push(Op::Umin, ty0, &[Operand::Value(inner4), Operand::Value(at_c1)]);
    Some(Rewrite { rule: rule(names::SELECT_ULE_ZEXT_CONST), plan, outcome: Outcome::Value(new1) })
}

// select_ult_const_zext [pays]: select(ult(x, C), C1, zext(x))
//     # Extension keeps the order.
//     check C1 == zext(C)
//     => umax(zext(x), C1)
fn select_ult_const_zext<S: Subject>(
    s: &S,
    root: &Root<'_, S::Value>,
    x: S::Value,
    at_c: S::Value,
    inner2: S::Value,
    at_c1: S::Value,
    x_2: S::Value,
    inner5: S::Value,
) -> Option<Rewrite<S::Value>> {
    if !same(s, x, x_2) {
        return None;
    }
    let dies2 = s.used_once(inner2);
    if 1 + if dies2 { 1 } else { 0 } < 1 {
        return None;
    }
    let ty0 = root.ty;
    let w0 = ty0.int_width()?;
    let the_c = int(s, at_c)?;
    let the_c1 = int(s, at_c1)?;
    if the_c1 != Resize::Zext.apply(&mut Machine, the_c, w0)? {
        return None;
    }
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
    let new1 = plan.push(Op::Umax, ty0, &[Operand::Value(inner5), Operand::Value(at_c1)]);
    Some(Rewrite { rule: rule(names::SELECT_ULT_CONST_ZEXT), plan, outcome: Outcome::Value(new1) })
}

// select_ult_zext_const [pays]: select(ult(x, C), zext(x), C1)
//     # Extension keeps the order.
//     check C1 == zext(C)
//     => umin(zext(x), C1)
fn select_ult_zext_const<S: Subject>(
    s: &S,
    root: &Root<'_, S::Value>,
    x: S::Value,
    at_c: S::Value,
    inner2: S::Value,
    x_2: S::Value,
    inner4: S::Value,
    at_c1: S::Value,
) -> Option<Rewrite<S::Value>> {
    if !same(s, x, x_2) {
        return None;
    }
    let dies2 = s.used_once(inner2);
    if 1 + if dies2 { 1 } else { 0 } < 1 {
        return None;
    }
    let ty0 = root.ty;
    let w0 = ty0.int_width()?;
    let the_c = int(s, at_c)?;
    let the_c1 = int(s, at_c1)?;
    if the_c1 != Resize::Zext.apply(&mut Machine, the_c, w0)? {
        return None;
    }
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
    let new1 = plan.push(Op::Umin, ty0, &[Operand::Value(inner4), Operand::Value(at_c1)]);
    Some(Rewrite { rule: rule(names::SELECT_ULT_ZEXT_CONST), plan, outcome: Outcome::Value(new1) })
}

// select_clamp_ge: select(ge(x, y), y, max(x, C))
//     # Between two bounds; what is above the upper one is above the lower one, too.
//     check y.known_ge(C)
//     => min(max(x, C), y)
fn select_clamp_ge<S: Subject>(
    s: &S,
    root: &Root<'_, S::Value>,
    x: S::Value,
    y: S::Value,
    inner2: S::Value,
    y_2: S::Value,
    x_2: S::Value,
    at_c: S::Value,
    inner6: S::Value,
) -> Option<Rewrite<S::Value>> {
    if !same(s, y, y_2) {
        return None;
    }
    if !same(s, x, x_2) {
        return None;
    }
    let ty0 = root.ty;
    let y_fact = s.fact(y);
    let the_c = int(s, at_c)?;
    if !y_fact.known_ge(IntFact::constant(the_c)) {
        return None;
    }
    if !is_spoken_of(ty0) {
        return None;
    }
    if !is_spoken_of(s.ty(inner2)) {
        return None;
    }
    let mut plan = Plan::new();
    let new1 = plan.push(Op::Min, ty0, &[Operand::Value(inner6), Operand::Value(y)]);
    Some(Rewrite { rule: rule(names::SELECT_CLAMP_GE), plan, outcome: Outcome::Value(new1) })
}

// select_clamp_gt: select(gt(x, y), y, max(x, C))
//     # Between two bounds; what is above the upper one is above the lower one, too.
//     check y.known_ge(C)
//     => min(max(x, C), y)
fn select_clamp_gt<S: Subject>(
    s: &S,
    root: &Root<'_, S::Value>,
    x: S::Value,
    y: S::Value,
    inner2: S::Value,
    y_2: S::Value,
    x_2: S::Value,
    at_c: S::Value,
    inner6: S::Value,
) -> Option<Rewrite<S::Value>> {
    if !same(s, y, y_2) {
        return None;
    }
    if !same(s, x, x_2) {
        return None;
    }
    let ty0 = root.ty;
    let y_fact = s.fact(y);
    let the_c = int(s, at_c)?;
    if !y_fact.known_ge(IntFact::constant(the_c)) {
        return None;
    }
    if !is_spoken_of(ty0) {
        return None;
    }
    if !is_spoken_of(s.ty(inner2)) {
        return None;
    }
    let mut plan = Plan::new();
    let new1 = plan.push(Op::Min, ty0, &[Operand::Value(inner6), Operand::Value(y)]);
    Some(Rewrite { rule: rule(names::SELECT_CLAMP_GT), plan, outcome: Outcome::Value(new1) })
}

// select_clamp_le: select(le(x, y), y, min(x, C))
//     # Between two bounds; what is below the lower one is below the upper one, too.
//     check y.known_le(C)
//     => max(min(x, C), y)
fn select_clamp_le<S: Subject>(
    s: &S,
    root: &Root<'_, S::Value>,
    x: S::Value,
    y: S::Value,
    inner2: S::Value,
    y_2: S::Value,
    x_2: S::Value,
    at_c: S::Value,
    inner6: S::Value,
) -> Option<Rewrite<S::Value>> {
    if !same(s, y, y_2) {
        return None;
    }
    if !same(s, x, x_2) {
        return None;
    }
    let ty0 = root.ty;
    let y_fact = s.fact(y);
    let the_c = int(s, at_c)?;
    if !y_fact.known_le(IntFact::constant(the_c)) {
        return None;
    }
    if !is_spoken_of(ty0) {
        return None;
    }
    if !is_spoken_of(s.ty(inner2)) {
        return None;
    }
    let mut plan = Plan::new();
    let new1 = plan.push(Op::Max, ty0, &[Operand::Value(inner6), Operand::Value(y)]);
    Some(Rewrite { rule: rule(names::SELECT_CLAMP_LE), plan, outcome: Outcome::Value(new1) })
}

// select_clamp_lt: select(lt(x, y), y, min(x, C))
//     # Between two bounds; what is below the lower one is below the upper one, too.
//     check y.known_le(C)
//     => max(min(x, C), y)
fn select_clamp_lt<S: Subject>(
    s: &S,
    root: &Root<'_, S::Value>,
    x: S::Value,
    y: S::Value,
    inner2: S::Value,
    y_2: S::Value,
    x_2: S::Value,
    at_c: S::Value,
    inner6: S::Value,
) -> Option<Rewrite<S::Value>> {
    if !same(s, y, y_2) {
        return None;
    }
    if !same(s, x, x_2) {
        return None;
    }
    let ty0 = root.ty;
    let y_fact = s.fact(y);
    let the_c = int(s, at_c)?;
    if !y_fact.known_le(IntFact::constant(the_c)) {
        return None;
    }
    if !is_spoken_of(ty0) {
        return None;
    }
    if !is_spoken_of(s.ty(inner2)) {
        return None;
    }
    let mut plan = Plan::new();
    let new1 = plan.push(Op::Max, ty0, &[Operand::Value(inner6), Operand::Value(y)]);
    Some(Rewrite { rule: rule(names::SELECT_CLAMP_LT), plan, outcome: Outcome::Value(new1) })
}

// select_add_one [pays]: select(c, add(x, 1), x)
//     # The truth is what is added.
//     => add(x, is_true(c))
fn select_add_one<S: Subject>(
    s: &S,
    root: &Root<'_, S::Value>,
    c: S::Value,
    x: S::Value,
    inner3: S::Value,
    x_2: S::Value,
) -> Option<Rewrite<S::Value>> {
    if !same(s, x, x_2) {
        return None;
    }
    let dies3 = s.used_once(inner3);
    if 1 + if dies3 { 1 } else { 0 } < 2 {
        return None;
    }
    let ty0 = root.ty;
    if !is_spoken_of(ty0) {
        return None;
    }
    if !is_spoken_of(s.ty(c)) {
        return None;
    }
    let mut plan = Plan::new();
    let new1 = plan.push(Op::IsTrue, ty0, &[Operand::Value(c)]);
    let new2 = plan.push(Op::Add, ty0, &[Operand::Value(x), new1]);
    Some(Rewrite { rule: rule(names::SELECT_ADD_ONE), plan, outcome: Outcome::Value(new2) })
}

// select_add_one_else [pays]: select(c, x, add(x, 1))
//     # The negated truth is what is added.
//     => add(x, is_zero(c))
fn select_add_one_else<S: Subject>(
    s: &S,
    root: &Root<'_, S::Value>,
    c: S::Value,
    x: S::Value,
    x_2: S::Value,
    inner4: S::Value,
) -> Option<Rewrite<S::Value>> {
    if !same(s, x, x_2) {
        return None;
    }
    let dies4 = s.used_once(inner4);
    if 1 + if dies4 { 1 } else { 0 } < 2 {
        return None;
    }
    let ty0 = root.ty;
    if !is_spoken_of(ty0) {
        return None;
    }
    if !is_spoken_of(s.ty(c)) {
        return None;
    }
    let mut plan = Plan::new();
    let new1 = plan.push(Op::IsZero, ty0, &[Operand::Value(c)]);
    let new2 = plan.push(Op::Add, ty0, &[Operand::Value(x), new1]);
    Some(Rewrite { rule: rule(names::SELECT_ADD_ONE_ELSE), plan, outcome: Outcome::Value(new2) })
}

// select_minus_one [pays]: select(c, add(x, -1), x)
//     # The truth is what is taken away.
//     => sub(x, is_true(c))
fn select_minus_one<S: Subject>(
    s: &S,
    root: &Root<'_, S::Value>,
    c: S::Value,
    x: S::Value,
    inner3: S::Value,
    x_2: S::Value,
) -> Option<Rewrite<S::Value>> {
    if !same(s, x, x_2) {
        return None;
    }
    let dies3 = s.used_once(inner3);
    if 1 + if dies3 { 1 } else { 0 } < 2 {
        return None;
    }
    let ty0 = root.ty;
    if !is_spoken_of(ty0) {
        return None;
    }
    if !is_spoken_of(s.ty(c)) {
        return None;
    }
    let mut plan = Plan::new();
    let new1 = plan.push(Op::IsTrue, ty0, &[Operand::Value(c)]);
    let new2 = plan.push(Op::Sub, ty0, &[Operand::Value(x), new1]);
    Some(Rewrite { rule: rule(names::SELECT_MINUS_ONE), plan, outcome: Outcome::Value(new2) })
}

// select_minus_one_else [pays]: select(c, x, add(x, -1))
//     # The negated truth is what is taken away.
//     => sub(x, is_zero(c))
fn select_minus_one_else<S: Subject>(
    s: &S,
    root: &Root<'_, S::Value>,
    c: S::Value,
    x: S::Value,
    x_2: S::Value,
    inner4: S::Value,
) -> Option<Rewrite<S::Value>> {
    if !same(s, x, x_2) {
        return None;
    }
    let dies4 = s.used_once(inner4);
    if 1 + if dies4 { 1 } else { 0 } < 2 {
        return None;
    }
    let ty0 = root.ty;
    if !is_spoken_of(ty0) {
        return None;
    }
    if !is_spoken_of(s.ty(c)) {
        return None;
    }
    let mut plan = Plan::new();
    let new1 = plan.push(Op::IsZero, ty0, &[Operand::Value(c)]);
    let new2 = plan.push(Op::Sub, ty0, &[Operand::Value(x), new1]);
    Some(Rewrite { rule: rule(names::SELECT_MINUS_ONE_ELSE), plan, outcome: Outcome::Value(new2) })
}

// select_ge: select(ge(x, y), x, y)
//     # The larger.
//     => max(x, y)
fn select_ge<S: Subject>(
    s: &S,
    root: &Root<'_, S::Value>,
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
    let ty0 = root.ty;
    if !is_spoken_of(ty0) {
        return None;
    }
    if !is_spoken_of(s.ty(inner2)) {
        return None;
    }
    let mut plan = Plan::new();
    let new1 = plan.push(Op::Max, ty0, &[Operand::Value(x), Operand::Value(y)]);
    Some(Rewrite { rule: rule(names::SELECT_GE), plan, outcome: Outcome::Value(new1) })
}

// select_ge_swapped: select(ge(x, y), y, x)
//     # The smaller.
//     => min(x, y)
fn select_ge_swapped<S: Subject>(
    s: &S,
    root: &Root<'_, S::Value>,
    x: S::Value,
    y: S::Value,
    inner2: S::Value,
    y_2: S::Value,
    x_2: S::Value,
) -> Option<Rewrite<S::Value>> {
    if !same(s, y, y_2) {
        return None;
    }
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
    let new1 = plan.push(Op::Min, ty0, &[Operand::Value(x), Operand::Value(y)]);
    Some(Rewrite { rule: rule(names::SELECT_GE_SWAPPED), plan, outcome: Outcome::Value(new1) })
}

// select_gt: select(gt(x, y), x, y)
//     # The larger.
//     => max(x, y)
fn select_gt<S: Subject>(
    s: &S,
    root: &Root<'_, S::Value>,
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
    let ty0 = root.ty;
    if !is_spoken_of(ty0) {
        return None;
    }
    if !is_spoken_of(s.ty(inner2)) {
        return None;
    }
    let mut plan = Plan::new();
    let new1 = plan.push(Op::Max, ty0, &[Operand::Value(x), Operand::Value(y)]);
    Some(Rewrite { rule: rule(names::SELECT_GT), plan, outcome: Outcome::Value(new1) })
}

// select_gt_swapped: select(gt(x, y), y, x)
//     # The smaller.
//     => min(x, y)
fn select_gt_swapped<S: Subject>(
    s: &S,
    root: &Root<'_, S::Value>,
    x: S::Value,
    y: S::Value,
    inner2: S::Value,
    y_2: S::Value,
    x_2: S::Value,
) -> Option<Rewrite<S::Value>> {
    if !same(s, y, y_2) {
        return None;
    }
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
    let new1 = plan.push(Op::Min, ty0, &[Operand::Value(x), Operand::Value(y)]);
    Some(Rewrite { rule: rule(names::SELECT_GT_SWAPPED), plan, outcome: Outcome::Value(new1) })
}

// select_le: select(le(x, y), x, y)
//     # The smaller.
//     => min(x, y)
fn select_le<S: Subject>(
    s: &S,
    root: &Root<'_, S::Value>,
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
    let ty0 = root.ty;
    if !is_spoken_of(ty0) {
        return None;
    }
    if !is_spoken_of(s.ty(inner2)) {
        return None;
    }
    let mut plan = Plan::new();
    let new1 = plan.push(Op::Min, ty0, &[Operand::Value(x), Operand::Value(y)]);
    Some(Rewrite { rule: rule(names::SELECT_LE), plan, outcome: Outcome::Value(new1) })
}

// select_le_swapped: select(le(x, y), y, x)
//     # The larger.
//     => max(x, y)
fn select_le_swapped<S: Subject>(
    s: &S,
    root: &Root<'_, S::Value>,
    x: S::Value,
    y: S::Value,
    inner2: S::Value,
    y_2: S::Value,
    x_2: S::Value,
) -> Option<Rewrite<S::Value>> {
    if !same(s, y, y_2) {
        return None;
    }
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
    let new1 = plan.push(Op::Max, ty0, &[Operand::Value(x), Operand::Value(y)]);
    Some(Rewrite { rule: rule(names::SELECT_LE_SWAPPED), plan, outcome: Outcome::Value(new1) })
}

// select_lt: select(lt(x, y), x, y)
//     # The smaller.
//     => min(x, y)
fn select_lt<S: Subject>(
    s: &S,
    root: &Root<'_, S::Value>,
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
    let ty0 = root.ty;
    if !is_spoken_of(ty0) {
        return None;
    }
    if !is_spoken_of(s.ty(inner2)) {
        return None;
    }
    let mut plan = Plan::new();
    let new1 = plan.push(Op::Min, ty0, &[Operand::Value(x), Operand::Value(y)]);
    Some(Rewrite { rule: rule(names::SELECT_LT), plan, outcome: Outcome::Value(new1) })
}

// select_lt_swapped: select(lt(x, y), y, x)
//     # The larger.
//     => max(x, y)
fn select_lt_swapped<S: Subject>(
    s: &S,
    root: &Root<'_, S::Value>,
    x: S::Value,
    y: S::Value,
    inner2: S::Value,
    y_2: S::Value,
    x_2: S::Value,
) -> Option<Rewrite<S::Value>> {
    if !same(s, y, y_2) {
        return None;
    }
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
    let new1 = plan.push(Op::Max, ty0, &[Operand::Value(x), Operand::Value(y)]);
    Some(Rewrite { rule: rule(names::SELECT_LT_SWAPPED), plan, outcome: Outcome::Value(new1) })
}

// select_uge: select(uge(x, y), x, y)
//     # The larger.
//     => umax(x, y)
fn select_uge<S: Subject>(
    s: &S,
    root: &Root<'_, S::Value>,
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
    let ty0 = root.ty;
    if !is_spoken_of(ty0) {
        return None;
    }
    if !is_spoken_of(s.ty(inner2)) {
        return None;
    }
    let mut plan = Plan::new();
    let new1 = plan.push(Op::Umax, ty0, &[Operand::Value(x), Operand::Value(y)]);
    Some(Rewrite { rule: rule(names::SELECT_UGE), plan, outcome: Outcome::Value(new1) })
}

// select_uge_swapped: select(uge(x, y), y, x)
//     # The smaller.
//     => umin(x, y)
fn select_uge_swapped<S: Subject>(
    s: &S,
    root: &Root<'_, S::Value>,
    x: S::Value,
    y: S::Value,
    inner2: S::Value,
    y_2: S::Value,
    x_2: S::Value,
) -> Option<Rewrite<S::Value>> {
    if !same(s, y, y_2) {
        return None;
    }
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
    let new1 = plan.push(Op::Umin, ty0, &[Operand::Value(x), Operand::Value(y)]);
    Some(Rewrite { rule: rule(names::SELECT_UGE_SWAPPED), plan, outcome: Outcome::Value(new1) })
}

// select_ugt: select(ugt(x, y), x, y)
//     # The larger.
//     => umax(x, y)
fn select_ugt<S: Subject>(
    s: &S,
    root: &Root<'_, S::Value>,
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
    let ty0 = root.ty;
    if !is_spoken_of(ty0) {
        return None;
    }
    if !is_spoken_of(s.ty(inner2)) {
        return None;
    }
    let mut plan = Plan::new();
    let new1 = plan.push(Op::Umax, ty0, &[Operand::Value(x), Operand::Value(y)]);
    Some(Rewrite { rule: rule(names::SELECT_UGT), plan, outcome: Outcome::Value(new1) })
}

// select_ugt_swapped: select(ugt(x, y), y, x)
//     # The smaller.
//     => umin(x, y)
fn select_ugt_swapped<S: Subject>(
    s: &S,
    root: &Root<'_, S::Value>,
    x: S::Value,
    y: S::Value,
    inner2: S::Value,
    y_2: S::Value,
    x_2: S::Value,
) -> Option<Rewrite<S::Value>> {
    if !same(s, y, y_2) {
        return None;
    }
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
    let new1 = plan.push(Op::Umin, ty0, &[Operand::Value(x), Operand::Value(y)]);
    Some(Rewrite { rule: rule(names::SELECT_UGT_SWAPPED), plan, outcome: Outcome::Value(new1) })
}

// select_ule: select(ule(x, y), x, y)
//     # The smaller.
//     => umin(x, y)
fn select_ule<S: Subject>(
    s: &S,
    root: &Root<'_, S::Value>,
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
    let ty0 = root.ty;
    if !is_spoken_of(ty0) {
        return None;
    }
    if !is_spoken_of(s.ty(inner2)) {
        return None;
    }
    let mut plan = Plan::new();
    let new1 = plan.push(Op::Umin, ty0, &[Operand::Value(x), Operand::Value(y)]);
    Some(Rewrite { rule: rule(names::SELECT_ULE), plan, outcome: Outcome::Value(new1) })
}

// select_ule_swapped: select(ule(x, y), y, x)
//     # The larger.
//     => umax(x, y)
fn select_ule_swapped<S: Subject>(
    s: &S,
    root: &Root<'_, S::Value>,
    x: S::Value,
    y: S::Value,
    inner2: S::Value,
    y_2: S::Value,
    x_2: S::Value,
) -> Option<Rewrite<S::Value>> {
    if !same(s, y, y_2) {
        return None;
    }
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
    let new1 = plan.push(Op::Umax, ty0, &[Operand::Value(x), Operand::Value(y)]);
    Some(Rewrite { rule: rule(names::SELECT_ULE_SWAPPED), plan, outcome: Outcome::Value(new1) })
}

// select_ult: select(ult(x, y), x, y)
//     # The smaller.
//     => umin(x, y)
fn select_ult<S: Subject>(
    s: &S,
    root: &Root<'_, S::Value>,
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
    let ty0 = root.ty;
    if !is_spoken_of(ty0) {
        return None;
    }
    if !is_spoken_of(s.ty(inner2)) {
        return None;
    }
    let mut plan = Plan::new();
    let new1 = plan.push(Op::Umin, ty0, &[Operand::Value(x), Operand::Value(y)]);
    Some(Rewrite { rule: rule(names::SELECT_ULT), plan, outcome: Outcome::Value(new1) })
}

// select_ult_swapped: select(ult(x, y), y, x)
//     # The larger.
//     => umax(x, y)
fn select_ult_swapped<S: Subject>(
    s: &S,
    root: &Root<'_, S::Value>,
    x: S::Value,
    y: S::Value,
    inner2: S::Value,
    y_2: S::Value,
    x_2: S::Value,
) -> Option<Rewrite<S::Value>> {
    if !same(s, y, y_2) {
        return None;
    }
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
    let new1 = plan.push(Op::Umax, ty0, &[Operand::Value(x), Operand::Value(y)]);
    Some(Rewrite { rule: rule(names::SELECT_ULT_SWAPPED), plan, outcome: Outcome::Value(new1) })
}

// select_nested_else: select(c, x, select(c, y, z))
//     # Inside, the condition does not hold.
//     => select(c, x, z)
fn select_nested_else<S: Subject>(
    s: &S,
    root: &Root<'_, S::Value>,
    c: S::Value,
    x: S::Value,
    c_2: S::Value,
    z: S::Value,
) -> Option<Rewrite<S::Value>> {
    if !same(s, c, c_2) {
        return None;
    }
    let ty0 = root.ty;
    let mut plan = Plan::new();
    let new1 = plan.push(Op::Select, ty0, &[Operand::Value(c), Operand::Value(x), Operand::Value(z)]);
    Some(Rewrite { rule: rule(names::SELECT_NESTED_ELSE), plan, outcome: Outcome::Value(new1) })
}

// select_nested_then: select(c, select(c, x, y), z)
//     # Inside, the condition holds.
//     => select(c, x, z)
fn select_nested_then<S: Subject>(
    s: &S,
    root: &Root<'_, S::Value>,
    c: S::Value,
    c_2: S::Value,
    x: S::Value,
    z: S::Value,
) -> Option<Rewrite<S::Value>> {
    if !same(s, c, c_2) {
        return None;
    }
    let ty0 = root.ty;
    let mut plan = Plan::new();
    let new1 = plan.push(Op::Select, ty0, &[Operand::Value(c), Operand::Value(x), Operand::Value(z)]);
    Some(Rewrite { rule: rule(names::SELECT_NESTED_THEN), plan, outcome: Outcome::Value(new1) })
}

// select_is_true: select(is_true(c), x, y)
//     # The condition is asked whether it is zero anyway.
//     => select(c, x, y)
fn select_is_true<S: Subject>(
    s: &S,
    root: &Root<'_, S::Value>,
    c: S::Value,
    inner1: S::Value,
    x: S::Value,
    y: S::Value,
) -> Option<Rewrite<S::Value>> {
    let ty0 = root.ty;
    if !is_spoken_of(s.ty(inner1)) {
        return None;
    }
    if !is_spoken_of(s.ty(c)) {
        return None;
    }
    let mut plan = Plan::new();
    let new1 = plan.push(Op::Select, ty0, &[Operand::Value(c), Operand::Value(x), Operand::Value(y)]);
    Some(Rewrite { rule: rule(names::SELECT_IS_TRUE), plan, outcome: Outcome::Value(new1) })
}

// select_is_zero: select(is_zero(c), x, y)
//     # The negation exchanges the ways.
//     => select(c, y, x)
fn select_is_zero<S: Subject>(
    s: &S,
    root: &Root<'_, S::Value>,
    c: S::Value,
    inner1: S::Value,
    x: S::Value,
    y: S::Value,
) -> Option<Rewrite<S::Value>> {
    let ty0 = root.ty;
    if !is_spoken_of(s.ty(inner1)) {
        return None;
    }
    if !is_spoken_of(s.ty(c)) {
        return None;
    }
    let mut plan = Plan::new();
    let new1 = plan.push(Op::Select, ty0, &[Operand::Value(c), Operand::Value(y), Operand::Value(x)]);
    Some(Rewrite { rule: rule(names::SELECT_IS_ZERO), plan, outcome: Outcome::Value(new1) })
}

// select_bits: select(c, -1: i1, 0)
//     # The condition as a bit.
//     => is_true(c)
fn select_bits<S: Subject>(
    s: &S,
    root: &Root<'_, S::Value>,
    c: S::Value,
) -> Option<Rewrite<S::Value>> {
    if root.ty != Type::Int(1) {
        return None;
    }
    if !is_spoken_of(s.ty(c)) {
        return None;
    }
    let mut plan = Plan::new();
    let new1 = plan.push(Op::IsTrue, Type::Int(1), &[Operand::Value(c)]);
    Some(Rewrite { rule: rule(names::SELECT_BITS), plan, outcome: Outcome::Value(new1) })
}

// select_bits_negated: select(c, 0: i1, -1)
//     # The negated condition as a bit.
//     => is_zero(c)
fn select_bits_negated<S: Subject>(
    s: &S,
    root: &Root<'_, S::Value>,
    c: S::Value,
) -> Option<Rewrite<S::Value>> {
    if root.ty != Type::Int(1) {
        return None;
    }
    if !is_spoken_of(s.ty(c)) {
        return None;
    }
    let mut plan = Plan::new();
    let new1 = plan.push(Op::IsZero, Type::Int(1), &[Operand::Value(c)]);
    Some(Rewrite { rule: rule(names::SELECT_BITS_NEGATED), plan, outcome: Outcome::Value(new1) })
}

// select_one_zero: select(c, 1, 0)
//     # The condition as a number.
//     => is_true(c)
fn select_one_zero<S: Subject>(
    s: &S,
    root: &Root<'_, S::Value>,
    c: S::Value,
) -> Option<Rewrite<S::Value>> {
    let ty0 = root.ty;
    if !is_spoken_of(ty0) {
        return None;
    }
    if !is_spoken_of(s.ty(c)) {
        return None;
    }
    let mut plan = Plan::new();
    let new1 = plan.push(Op::IsTrue, ty0, &[Operand::Value(c)]);
    Some(Rewrite { rule: rule(names::SELECT_ONE_ZERO), plan, outcome: Outcome::Value(new1) })
}

// select_zero_one: select(c, 0, 1)
//     # The negated condition as a number.
//     => is_zero(c)
fn select_zero_one<S: Subject>(
    s: &S,
    root: &Root<'_, S::Value>,
    c: S::Value,
) -> Option<Rewrite<S::Value>> {
    let ty0 = root.ty;
    if !is_spoken_of(ty0) {
        return None;
    }
    if !is_spoken_of(s.ty(c)) {
        return None;
    }
    let mut plan = Plan::new();
    let new1 = plan.push(Op::IsZero, ty0, &[Operand::Value(c)]);
    Some(Rewrite { rule: rule(names::SELECT_ZERO_ONE), plan, outcome: Outcome::Value(new1) })
}

