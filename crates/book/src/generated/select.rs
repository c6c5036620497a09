//! Rules whose pattern begins with `select`, in the order in which they are tried:
//!
//! - select_eq
//! - select_ne
//! - select_self_zero
//! - select_same
//! - select_nonzero
//! - select_zero
//! - select_abs_ge
//! - select_abs_gt
//! - select_abs_le
//! - select_abs_lt
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

use planish_ops::{Int, Op, Type};
use planish_rules::matching::{Const, Flow, Operand, Outcome, Plan, Rewrite, Root, Subject, nodes, offer, operands2, same};

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
    for node in nodes(s, a) {
        match node {
            Some((Op::Eq, n)) => {
                let [a0, a1] = operands2(s, n);
                if let Some(constant) = s.constant(c) {
                    match constant {
                        Const::Int(i) if i.signed() == -1 => {
                            if let Some(constant) = s.constant(b) {
                                match constant {
                                    Const::Int(i) if i.signed() == 0 => {
                                        offer(found, select_eq(s, root, a0, a1, b, c))?;
                                        offer(found, select_eq(s, root, a1, a0, b, c))?;
                                        offer(found, select_same(s, root, b, c))?;
                                        offer(found, select_nonzero(s, root, a, b))?;
                                        offer(found, select_zero(s, root, a, c))?;
                                        offer(found, select_bits_negated(s, root, a))?;
                                    }
                                    _ => {
                                        part2(s, root, found, a, a0, a1, b, c)?;
                                    }
                                }
                            } else {
                                for node in nodes(s, b) {
                                    match node {
                                        Some((Op::Select, n)) => {
                                            let b0 = s.operand(n, 0);
                                            let b1 = s.operand(n, 1);
                                            part1(s, root, found, a, a0, a1, b, c, b0, b1)?;
                                        }
                                        _ => {
                                            part2(s, root, found, a, a0, a1, b, c)?;
                                        }
                                    }
                                }
                            }
                        }
                        Const::Int(i) if i.signed() == 0 => {
                            if let Some(constant) = s.constant(b) {
                                match constant {
                                    Const::Int(i) if i.signed() == -1 => {
                                        offer(found, select_eq(s, root, a0, a1, b, c))?;
                                        offer(found, select_eq(s, root, a1, a0, b, c))?;
                                        offer(found, select_self_zero(s, root, a, b))?;
                                        offer(found, select_same(s, root, b, c))?;
                                        offer(found, select_nonzero(s, root, a, b))?;
                                        offer(found, select_zero(s, root, a, c))?;
                                        offer(found, select_bits(s, root, a))?;
                                    }
                                    Const::Int(i) if i.signed() == 1 => {
                                        offer(found, select_eq(s, root, a0, a1, b, c))?;
                                        offer(found, select_eq(s, root, a1, a0, b, c))?;
                                        offer(found, select_self_zero(s, root, a, b))?;
                                        offer(found, select_same(s, root, b, c))?;
                                        offer(found, select_nonzero(s, root, a, b))?;
                                        offer(found, select_zero(s, root, a, c))?;
                                        offer(found, select_one_zero(s, root, a))?;
                                    }
                                    _ => {
                                        part3(s, root, found, a, a0, a1, b, c)?;
                                    }
                                }
                            } else {
                                for node in nodes(s, b) {
                                    match node {
                                        Some((Op::Select, n)) => {
                                            let b0 = s.operand(n, 0);
                                            let b1 = s.operand(n, 1);
                                            offer(found, select_eq(s, root, a0, a1, b, c))?;
                                            offer(found, select_eq(s, root, a1, a0, b, c))?;
                                            offer(found, select_self_zero(s, root, a, b))?;
                                            offer(found, select_same(s, root, b, c))?;
                                            offer(found, select_nonzero(s, root, a, b))?;
                                            offer(found, select_zero(s, root, a, c))?;
                                            offer(found, select_nested_then(s, root, a, b0, b1, c))?;
                                        }
                                        _ => {
                                            part3(s, root, found, a, a0, a1, b, c)?;
                                        }
                                    }
                                }
                            }
                        }
                        Const::Int(i) if i.signed() == 1 => {
                            if let Some(constant) = s.constant(b) {
                                match constant {
                                    Const::Int(i) if i.signed() == 0 => {
                                        offer(found, select_eq(s, root, a0, a1, b, c))?;
                                        offer(found, select_eq(s, root, a1, a0, b, c))?;
                                        offer(found, select_same(s, root, b, c))?;
                                        offer(found, select_nonzero(s, root, a, b))?;
                                        offer(found, select_zero(s, root, a, c))?;
                                        offer(found, select_zero_one(s, root, a))?;
                                    }
                                    _ => {
                                        part2(s, root, found, a, a0, a1, b, c)?;
                                    }
                                }
                            } else {
                                for node in nodes(s, b) {
                                    match node {
                                        Some((Op::Select, n)) => {
                                            let b0 = s.operand(n, 0);
                                            let b1 = s.operand(n, 1);
                                            part1(s, root, found, a, a0, a1, b, c, b0, b1)?;
                                        }
                                        _ => {
                                            part2(s, root, found, a, a0, a1, b, c)?;
                                        }
                                    }
                                }
                            }
                        }
                        _ => {
                            part5(s, root, found, a, a0, a1, b, c)?;
                        }
                    }
                } else {
                    for node in nodes(s, c) {
                        match node {
                            Some((Op::Select, n)) => {
                                let c0 = s.operand(n, 0);
                                let c2 = s.operand(n, 2);
                                for node in nodes(s, b) {
                                    match node {
                                        Some((Op::Select, n)) => {
                                            let b0 = s.operand(n, 0);
                                            let b1 = s.operand(n, 1);
                                            offer(found, select_eq(s, root, a0, a1, b, c))?;
                                            offer(found, select_eq(s, root, a1, a0, b, c))?;
                                            offer(found, select_same(s, root, b, c))?;
                                            offer(found, select_nonzero(s, root, a, b))?;
                                            offer(found, select_zero(s, root, a, c))?;
                                            offer(found, select_nested_else(s, root, a, b, c0, c2))?;
                                            offer(found, select_nested_then(s, root, a, b0, b1, c))?;
                                        }
                                        _ => {
                                            part4(s, root, found, a, a0, a1, b, c, c0, c2)?;
                                        }
                                    }
                                }
                            }
                            _ => {
                                part5(s, root, found, a, a0, a1, b, c)?;
                            }
                        }
                    }
                }
            }
            Some((Op::Ne, n)) => {
                let [a0, a1] = operands2(s, n);
                if let Some(constant) = s.constant(c) {
                    match constant {
                        Const::Int(i) if i.signed() == -1 => {
                            if let Some(constant) = s.constant(b) {
                                match constant {
                                    Const::Int(i) if i.signed() == 0 => {
                                        offer(found, select_ne(s, root, a0, a1, b, c))?;
                                        offer(found, select_ne(s, root, a1, a0, b, c))?;
                                        offer(found, select_same(s, root, b, c))?;
                                        offer(found, select_nonzero(s, root, a, b))?;
                                        offer(found, select_zero(s, root, a, c))?;
                                        offer(found, select_bits_negated(s, root, a))?;
                                    }
                                    _ => {
                                        part7(s, root, found, a, b, c, a0, a1)?;
                                    }
                                }
                            } else {
                                for node in nodes(s, b) {
                                    match node {
                                        Some((Op::Select, n)) => {
                                            let b0 = s.operand(n, 0);
                                            let b1 = s.operand(n, 1);
                                            part6(s, root, found, a, b, c, a0, a1, b0, b1)?;
                                        }
                                        _ => {
                                            part7(s, root, found, a, b, c, a0, a1)?;
                                        }
                                    }
                                }
                            }
                        }
                        Const::Int(i) if i.signed() == 0 => {
                            if let Some(constant) = s.constant(b) {
                                match constant {
                                    Const::Int(i) if i.signed() == -1 => {
                                        offer(found, select_ne(s, root, a0, a1, b, c))?;
                                        offer(found, select_ne(s, root, a1, a0, b, c))?;
                                        offer(found, select_self_zero(s, root, a, b))?;
                                        offer(found, select_same(s, root, b, c))?;
                                        offer(found, select_nonzero(s, root, a, b))?;
                                        offer(found, select_zero(s, root, a, c))?;
                                        offer(found, select_bits(s, root, a))?;
                                    }
                                    Const::Int(i) if i.signed() == 1 => {
                                        offer(found, select_ne(s, root, a0, a1, b, c))?;
                                        offer(found, select_ne(s, root, a1, a0, b, c))?;
                                        offer(found, select_self_zero(s, root, a, b))?;
                                        offer(found, select_same(s, root, b, c))?;
                                        offer(found, select_nonzero(s, root, a, b))?;
                                        offer(found, select_zero(s, root, a, c))?;
                                        offer(found, select_one_zero(s, root, a))?;
                                    }
                                    _ => {
                                        part8(s, root, found, a, b, c, a0, a1)?;
                                    }
                                }
                            } else {
                                for node in nodes(s, b) {
                                    match node {
                                        Some((Op::Select, n)) => {
                                            let b0 = s.operand(n, 0);
                                            let b1 = s.operand(n, 1);
                                            offer(found, select_ne(s, root, a0, a1, b, c))?;
                                            offer(found, select_ne(s, root, a1, a0, b, c))?;
                                            offer(found, select_self_zero(s, root, a, b))?;
                                            offer(found, select_same(s, root, b, c))?;
                                            offer(found, select_nonzero(s, root, a, b))?;
                                            offer(found, select_zero(s, root, a, c))?;
                                            offer(found, select_nested_then(s, root, a, b0, b1, c))?;
                                        }
                                        _ => {
                                            part8(s, root, found, a, b, c, a0, a1)?;
                                        }
                                    }
                                }
                            }
                        }
                        Const::Int(i) if i.signed() == 1 => {
                            if let Some(constant) = s.constant(b) {
                                match constant {
                                    Const::Int(i) if i.signed() == 0 => {
                                        offer(found, select_ne(s, root, a0, a1, b, c))?;
                                        offer(found, select_ne(s, root, a1, a0, b, c))?;
                                        offer(found, select_same(s, root, b, c))?;
                                        offer(found, select_nonzero(s, root, a, b))?;
                                        offer(found, select_zero(s, root, a, c))?;
                                        offer(found, select_zero_one(s, root, a))?;
                                    }
                                    _ => {
                                        part7(s, root, found, a, b, c, a0, a1)?;
                                    }
                                }
                            } else {
                                for node in nodes(s, b) {
                                    match node {
                                        Some((Op::Select, n)) => {
                                            let b0 = s.operand(n, 0);
                                            let b1 = s.operand(n, 1);
                                            part6(s, root, found, a, b, c, a0, a1, b0, b1)?;
                                        }
                                        _ => {
                                            part7(s, root, found, a, b, c, a0, a1)?;
                                        }
                                    }
                                }
                            }
                        }
                        _ => {
                            part10(s, root, found, a, b, c, a0, a1)?;
                        }
                    }
                } else {
                    for node in nodes(s, c) {
                        match node {
                            Some((Op::Select, n)) => {
                                let c0 = s.operand(n, 0);
                                let c2 = s.operand(n, 2);
                                for node in nodes(s, b) {
                                    match node {
                                        Some((Op::Select, n)) => {
                                            let b0 = s.operand(n, 0);
                                            let b1 = s.operand(n, 1);
                                            offer(found, select_ne(s, root, a0, a1, b, c))?;
                                            offer(found, select_ne(s, root, a1, a0, b, c))?;
                                            offer(found, select_same(s, root, b, c))?;
                                            offer(found, select_nonzero(s, root, a, b))?;
                                            offer(found, select_zero(s, root, a, c))?;
                                            offer(found, select_nested_else(s, root, a, b, c0, c2))?;
                                            offer(found, select_nested_then(s, root, a, b0, b1, c))?;
                                        }
                                        _ => {
                                            part9(s, root, found, a, b, c, a0, a1, c0, c2)?;
                                        }
                                    }
                                }
                            }
                            _ => {
                                part10(s, root, found, a, b, c, a0, a1)?;
                            }
                        }
                    }
                }
            }
            Some((Op::Lt, n)) => {
                let [a0, a1] = operands2(s, n);
                if let Some(constant) = s.constant(c) {
                    match constant {
                        Const::Int(i) if i.signed() == -1 => {
                            if let Some(constant) = s.constant(b) {
                                match constant {
                                    Const::Int(i) if i.signed() == 0 => {
                                        offer(found, select_same(s, root, b, c))?;
                                        offer(found, select_nonzero(s, root, a, b))?;
                                        offer(found, select_zero(s, root, a, c))?;
                                        offer(found, select_lt(s, root, a0, a1, b, c))?;
                                        offer(found, select_lt_swapped(s, root, a0, a1, b, c))?;
                                        offer(found, select_bits_negated(s, root, a))?;
                                    }
                                    _ => {
                                        part11(s, root, found, a, b, c, a0, a1)?;
                                    }
                                }
                            } else {
                                for node in nodes(s, b) {
                                    match node {
                                        Some((Op::Neg, n)) => {
                                            let b0 = s.operand(n, 0);
                                            part12(s, root, found, a, b, c, b0, a0, a1)?;
                                        }
                                        Some((Op::Select, n)) => {
                                            let b0 = s.operand(n, 0);
                                            let b1 = s.operand(n, 1);
                                            part13(s, root, found, a, b, c, a0, a1, b0, b1)?;
                                        }
                                        _ => {
                                            part11(s, root, found, a, b, c, a0, a1)?;
                                        }
                                    }
                                }
                            }
                        }
                        Const::Int(i) if i.signed() == 0 => {
                            if let Some(constant) = s.constant(b) {
                                match constant {
                                    Const::Int(i) if i.signed() == -1 => {
                                        offer(found, select_self_zero(s, root, a, b))?;
                                        offer(found, select_same(s, root, b, c))?;
                                        offer(found, select_nonzero(s, root, a, b))?;
                                        offer(found, select_zero(s, root, a, c))?;
                                        offer(found, select_lt(s, root, a0, a1, b, c))?;
                                        offer(found, select_lt_swapped(s, root, a0, a1, b, c))?;
                                        offer(found, select_bits(s, root, a))?;
                                    }
                                    Const::Int(i) if i.signed() == 1 => {
                                        offer(found, select_self_zero(s, root, a, b))?;
                                        offer(found, select_same(s, root, b, c))?;
                                        offer(found, select_nonzero(s, root, a, b))?;
                                        offer(found, select_zero(s, root, a, c))?;
                                        offer(found, select_lt(s, root, a0, a1, b, c))?;
                                        offer(found, select_lt_swapped(s, root, a0, a1, b, c))?;
                                        offer(found, select_one_zero(s, root, a))?;
                                    }
                                    _ => {
                                        part14(s, root, found, a, b, c, a0, a1)?;
                                    }
                                }
                            } else {
                                for node in nodes(s, b) {
                                    match node {
                                        Some((Op::Neg, n)) => {
                                            let b0 = s.operand(n, 0);
                                            if let Some(constant) = s.constant(a1) {
                                                match constant {
                                                    Const::Int(i) if i.signed() == 0 => {
                                                        offer(found, select_self_zero(s, root, a, b))?;
                                                        offer(found, select_same(s, root, b, c))?;
                                                        offer(found, select_nonzero(s, root, a, b))?;
                                                        offer(found, select_zero(s, root, a, c))?;
                                                        offer(found, select_abs_lt(s, root, a0, b0, c))?;
                                                        offer(found, select_lt(s, root, a0, a1, b, c))?;
                                                        offer(found, select_lt_swapped(s, root, a0, a1, b, c))?;
                                                    }
                                                    _ => {
                                                        part14(s, root, found, a, b, c, a0, a1)?;
                                                    }
                                                }
                                            } else {
                                                part14(s, root, found, a, b, c, a0, a1)?;
                                            }
                                        }
                                        Some((Op::Select, n)) => {
                                            let b0 = s.operand(n, 0);
                                            let b1 = s.operand(n, 1);
                                            offer(found, select_self_zero(s, root, a, b))?;
                                            offer(found, select_same(s, root, b, c))?;
                                            offer(found, select_nonzero(s, root, a, b))?;
                                            offer(found, select_zero(s, root, a, c))?;
                                            offer(found, select_lt(s, root, a0, a1, b, c))?;
                                            offer(found, select_lt_swapped(s, root, a0, a1, b, c))?;
                                            offer(found, select_nested_then(s, root, a, b0, b1, c))?;
                                        }
                                        _ => {
                                            part14(s, root, found, a, b, c, a0, a1)?;
                                        }
                                    }
                                }
                            }
                        }
                        Const::Int(i) if i.signed() == 1 => {
                            if let Some(constant) = s.constant(b) {
                                match constant {
                                    Const::Int(i) if i.signed() == 0 => {
                                        offer(found, select_same(s, root, b, c))?;
                                        offer(found, select_nonzero(s, root, a, b))?;
                                        offer(found, select_zero(s, root, a, c))?;
                                        offer(found, select_lt(s, root, a0, a1, b, c))?;
                                        offer(found, select_lt_swapped(s, root, a0, a1, b, c))?;
                                        offer(found, select_zero_one(s, root, a))?;
                                    }
                                    _ => {
                                        part11(s, root, found, a, b, c, a0, a1)?;
                                    }
                                }
                            } else {
                                for node in nodes(s, b) {
                                    match node {
                                        Some((Op::Neg, n)) => {
                                            let b0 = s.operand(n, 0);
                                            part12(s, root, found, a, b, c, b0, a0, a1)?;
                                        }
                                        Some((Op::Select, n)) => {
                                            let b0 = s.operand(n, 0);
                                            let b1 = s.operand(n, 1);
                                            part13(s, root, found, a, b, c, a0, a1, b0, b1)?;
                                        }
                                        _ => {
                                            part11(s, root, found, a, b, c, a0, a1)?;
                                        }
                                    }
                                }
                            }
                        }
                        _ => {
                            part16(s, root, found, a, b, c, a0, a1)?;
                        }
                    }
                } else {
                    for node in nodes(s, c) {
                        match node {
                            Some((Op::Select, n)) => {
                                let c0 = s.operand(n, 0);
                                let c2 = s.operand(n, 2);
                                for node in nodes(s, b) {
                                    match node {
                                        Some((Op::Neg, n)) => {
                                            let b0 = s.operand(n, 0);
                                            if let Some(constant) = s.constant(a1) {
                                                match constant {
                                                    Const::Int(i) if i.signed() == 0 => {
                                                        offer(found, select_same(s, root, b, c))?;
                                                        offer(found, select_nonzero(s, root, a, b))?;
                                                        offer(found, select_zero(s, root, a, c))?;
                                                        offer(found, select_abs_lt(s, root, a0, b0, c))?;
                                                        offer(found, select_lt(s, root, a0, a1, b, c))?;
                                                        offer(found, select_lt_swapped(s, root, a0, a1, b, c))?;
                                                        offer(found, select_nested_else(s, root, a, b, c0, c2))?;
                                                    }
                                                    _ => {
                                                        part15(s, root, found, a, b, c, a0, a1, c0, c2)?;
                                                    }
                                                }
                                            } else {
                                                part15(s, root, found, a, b, c, a0, a1, c0, c2)?;
                                            }
                                        }
                                        Some((Op::Select, n)) => {
                                            let b0 = s.operand(n, 0);
                                            let b1 = s.operand(n, 1);
                                            offer(found, select_same(s, root, b, c))?;
                                            offer(found, select_nonzero(s, root, a, b))?;
                                            offer(found, select_zero(s, root, a, c))?;
                                            offer(found, select_lt(s, root, a0, a1, b, c))?;
                                            offer(found, select_lt_swapped(s, root, a0, a1, b, c))?;
                                            offer(found, select_nested_else(s, root, a, b, c0, c2))?;
                                            offer(found, select_nested_then(s, root, a, b0, b1, c))?;
                                        }
                                        _ => {
                                            part15(s, root, found, a, b, c, a0, a1, c0, c2)?;
                                        }
                                    }
                                }
                            }
                            _ => {
                                part16(s, root, found, a, b, c, a0, a1)?;
                            }
                        }
                    }
                }
            }
            Some((Op::Le, n)) => {
                let [a0, a1] = operands2(s, n);
                if let Some(constant) = s.constant(c) {
                    match constant {
                        Const::Int(i) if i.signed() == -1 => {
                            if let Some(constant) = s.constant(b) {
                                match constant {
                                    Const::Int(i) if i.signed() == 0 => {
                                        offer(found, select_same(s, root, b, c))?;
                                        offer(found, select_nonzero(s, root, a, b))?;
                                        offer(found, select_zero(s, root, a, c))?;
                                        offer(found, select_le(s, root, a0, a1, b, c))?;
                                        offer(found, select_le_swapped(s, root, a0, a1, b, c))?;
                                        offer(found, select_bits_negated(s, root, a))?;
                                    }
                                    _ => {
                                        part17(s, root, found, a, b, c, a0, a1)?;
                                    }
                                }
                            } else {
                                for node in nodes(s, b) {
                                    match node {
                                        Some((Op::Neg, n)) => {
                                            let b0 = s.operand(n, 0);
                                            part18(s, root, found, a, b, c, a0, a1, b0)?;
                                        }
                                        Some((Op::Select, n)) => {
                                            let b0 = s.operand(n, 0);
                                            let b1 = s.operand(n, 1);
                                            part19(s, root, found, a, b, c, a0, a1, b0, b1)?;
                                        }
                                        _ => {
                                            part17(s, root, found, a, b, c, a0, a1)?;
                                        }
                                    }
                                }
                            }
                        }
                        Const::Int(i) if i.signed() == 0 => {
                            if let Some(constant) = s.constant(b) {
                                match constant {
                                    Const::Int(i) if i.signed() == -1 => {
                                        offer(found, select_self_zero(s, root, a, b))?;
                                        offer(found, select_same(s, root, b, c))?;
                                        offer(found, select_nonzero(s, root, a, b))?;
                                        offer(found, select_zero(s, root, a, c))?;
                                        offer(found, select_le(s, root, a0, a1, b, c))?;
                                        offer(found, select_le_swapped(s, root, a0, a1, b, c))?;
                                        offer(found, select_bits(s, root, a))?;
                                    }
                                    Const::Int(i) if i.signed() == 1 => {
                                        offer(found, select_self_zero(s, root, a, b))?;
                                        offer(found, select_same(s, root, b, c))?;
                                        offer(found, select_nonzero(s, root, a, b))?;
                                        offer(found, select_zero(s, root, a, c))?;
                                        offer(found, select_le(s, root, a0, a1, b, c))?;
                                        offer(found, select_le_swapped(s, root, a0, a1, b, c))?;
                                        offer(found, select_one_zero(s, root, a))?;
                                    }
                                    _ => {
                                        part20(s, root, found, a, b, c, a0, a1)?;
                                    }
                                }
                            } else {
                                for node in nodes(s, b) {
                                    match node {
                                        Some((Op::Neg, n)) => {
                                            let b0 = s.operand(n, 0);
                                            if let Some(constant) = s.constant(a1) {
                                                match constant {
                                                    Const::Int(i) if i.signed() == 0 => {
                                                        offer(found, select_self_zero(s, root, a, b))?;
                                                        offer(found, select_same(s, root, b, c))?;
                                                        offer(found, select_nonzero(s, root, a, b))?;
                                                        offer(found, select_zero(s, root, a, c))?;
                                                        offer(found, select_abs_le(s, root, a0, b0, c))?;
                                                        offer(found, select_le(s, root, a0, a1, b, c))?;
                                                        offer(found, select_le_swapped(s, root, a0, a1, b, c))?;
                                                    }
                                                    _ => {
                                                        part20(s, root, found, a, b, c, a0, a1)?;
                                                    }
                                                }
                                            } else {
                                                part20(s, root, found, a, b, c, a0, a1)?;
                                            }
                                        }
                                        Some((Op::Select, n)) => {
                                            let b0 = s.operand(n, 0);
                                            let b1 = s.operand(n, 1);
                                            offer(found, select_self_zero(s, root, a, b))?;
                                            offer(found, select_same(s, root, b, c))?;
                                            offer(found, select_nonzero(s, root, a, b))?;
                                            offer(found, select_zero(s, root, a, c))?;
                                            offer(found, select_le(s, root, a0, a1, b, c))?;
                                            offer(found, select_le_swapped(s, root, a0, a1, b, c))?;
                                            offer(found, select_nested_then(s, root, a, b0, b1, c))?;
                                        }
                                        _ => {
                                            part20(s, root, found, a, b, c, a0, a1)?;
                                        }
                                    }
                                }
                            }
                        }
                        Const::Int(i) if i.signed() == 1 => {
                            if let Some(constant) = s.constant(b) {
                                match constant {
                                    Const::Int(i) if i.signed() == 0 => {
                                        offer(found, select_same(s, root, b, c))?;
                                        offer(found, select_nonzero(s, root, a, b))?;
                                        offer(found, select_zero(s, root, a, c))?;
                                        offer(found, select_le(s, root, a0, a1, b, c))?;
                                        offer(found, select_le_swapped(s, root, a0, a1, b, c))?;
                                        offer(found, select_zero_one(s, root, a))?;
                                    }
                                    _ => {
                                        part17(s, root, found, a, b, c, a0, a1)?;
                                    }
                                }
                            } else {
                                for node in nodes(s, b) {
                                    match node {
                                        Some((Op::Neg, n)) => {
                                            let b0 = s.operand(n, 0);
                                            part18(s, root, found, a, b, c, a0, a1, b0)?;
                                        }
                                        Some((Op::Select, n)) => {
                                            let b0 = s.operand(n, 0);
                                            let b1 = s.operand(n, 1);
                                            part19(s, root, found, a, b, c, a0, a1, b0, b1)?;
                                        }
                                        _ => {
                                            part17(s, root, found, a, b, c, a0, a1)?;
                                        }
                                    }
                                }
                            }
                        }
                        _ => {
                            part22(s, root, found, a, b, c, a0, a1)?;
                        }
                    }
                } else {
                    for node in nodes(s, c) {
                        match node {
                            Some((Op::Select, n)) => {
                                let c0 = s.operand(n, 0);
                                let c2 = s.operand(n, 2);
                                for node in nodes(s, b) {
                                    match node {
                                        Some((Op::Neg, n)) => {
                                            let b0 = s.operand(n, 0);
                                            if let Some(constant) = s.constant(a1) {
                                                match constant {
                                                    Const::Int(i) if i.signed() == 0 => {
                                                        offer(found, select_same(s, root, b, c))?;
                                                        offer(found, select_nonzero(s, root, a, b))?;
                                                        offer(found, select_zero(s, root, a, c))?;
                                                        offer(found, select_abs_le(s, root, a0, b0, c))?;
                                                        offer(found, select_le(s, root, a0, a1, b, c))?;
                                                        offer(found, select_le_swapped(s, root, a0, a1, b, c))?;
                                                        offer(found, select_nested_else(s, root, a, b, c0, c2))?;
                                                    }
                                                    _ => {
                                                        part21(s, root, found, a, b, c, a0, a1, c0, c2)?;
                                                    }
                                                }
                                            } else {
                                                part21(s, root, found, a, b, c, a0, a1, c0, c2)?;
                                            }
                                        }
                                        Some((Op::Select, n)) => {
                                            let b0 = s.operand(n, 0);
                                            let b1 = s.operand(n, 1);
                                            offer(found, select_same(s, root, b, c))?;
                                            offer(found, select_nonzero(s, root, a, b))?;
                                            offer(found, select_zero(s, root, a, c))?;
                                            offer(found, select_le(s, root, a0, a1, b, c))?;
                                            offer(found, select_le_swapped(s, root, a0, a1, b, c))?;
                                            offer(found, select_nested_else(s, root, a, b, c0, c2))?;
                                            offer(found, select_nested_then(s, root, a, b0, b1, c))?;
                                        }
                                        _ => {
                                            part21(s, root, found, a, b, c, a0, a1, c0, c2)?;
                                        }
                                    }
                                }
                            }
                            _ => {
                                part22(s, root, found, a, b, c, a0, a1)?;
                            }
                        }
                    }
                }
            }
            Some((Op::Gt, n)) => {
                let [a0, a1] = operands2(s, n);
                if let Some(constant) = s.constant(c) {
                    match constant {
                        Const::Int(i) if i.signed() == -1 => {
                            if let Some(constant) = s.constant(b) {
                                match constant {
                                    Const::Int(i) if i.signed() == 0 => {
                                        offer(found, select_same(s, root, b, c))?;
                                        offer(found, select_nonzero(s, root, a, b))?;
                                        offer(found, select_zero(s, root, a, c))?;
                                        offer(found, select_gt(s, root, a0, a1, b, c))?;
                                        offer(found, select_gt_swapped(s, root, a0, a1, b, c))?;
                                        offer(found, select_bits_negated(s, root, a))?;
                                    }
                                    _ => {
                                        part24(s, root, found, a, b, c, a0, a1)?;
                                    }
                                }
                            } else {
                                for node in nodes(s, b) {
                                    match node {
                                        Some((Op::Select, n)) => {
                                            let b0 = s.operand(n, 0);
                                            let b1 = s.operand(n, 1);
                                            part23(s, root, found, a, b, c, a0, a1, b0, b1)?;
                                        }
                                        _ => {
                                            part24(s, root, found, a, b, c, a0, a1)?;
                                        }
                                    }
                                }
                            }
                        }
                        Const::Int(i) if i.signed() == 0 => {
                            if let Some(constant) = s.constant(b) {
                                match constant {
                                    Const::Int(i) if i.signed() == -1 => {
                                        offer(found, select_self_zero(s, root, a, b))?;
                                        offer(found, select_same(s, root, b, c))?;
                                        offer(found, select_nonzero(s, root, a, b))?;
                                        offer(found, select_zero(s, root, a, c))?;
                                        offer(found, select_gt(s, root, a0, a1, b, c))?;
                                        offer(found, select_gt_swapped(s, root, a0, a1, b, c))?;
                                        offer(found, select_bits(s, root, a))?;
                                    }
                                    Const::Int(i) if i.signed() == 1 => {
                                        offer(found, select_self_zero(s, root, a, b))?;
                                        offer(found, select_same(s, root, b, c))?;
                                        offer(found, select_nonzero(s, root, a, b))?;
                                        offer(found, select_zero(s, root, a, c))?;
                                        offer(found, select_gt(s, root, a0, a1, b, c))?;
                                        offer(found, select_gt_swapped(s, root, a0, a1, b, c))?;
                                        offer(found, select_one_zero(s, root, a))?;
                                    }
                                    _ => {
                                        part25(s, root, found, a, b, c, a0, a1)?;
                                    }
                                }
                            } else {
                                for node in nodes(s, b) {
                                    match node {
                                        Some((Op::Select, n)) => {
                                            let b0 = s.operand(n, 0);
                                            let b1 = s.operand(n, 1);
                                            offer(found, select_self_zero(s, root, a, b))?;
                                            offer(found, select_same(s, root, b, c))?;
                                            offer(found, select_nonzero(s, root, a, b))?;
                                            offer(found, select_zero(s, root, a, c))?;
                                            offer(found, select_gt(s, root, a0, a1, b, c))?;
                                            offer(found, select_gt_swapped(s, root, a0, a1, b, c))?;
                                            offer(found, select_nested_then(s, root, a, b0, b1, c))?;
                                        }
                                        _ => {
                                            part25(s, root, found, a, b, c, a0, a1)?;
                                        }
                                    }
                                }
                            }
                        }
                        Const::Int(i) if i.signed() == 1 => {
                            if let Some(constant) = s.constant(b) {
                                match constant {
                                    Const::Int(i) if i.signed() == 0 => {
                                        offer(found, select_same(s, root, b, c))?;
                                        offer(found, select_nonzero(s, root, a, b))?;
                                        offer(found, select_zero(s, root, a, c))?;
                                        offer(found, select_gt(s, root, a0, a1, b, c))?;
                                        offer(found, select_gt_swapped(s, root, a0, a1, b, c))?;
                                        offer(found, select_zero_one(s, root, a))?;
                                    }
                                    _ => {
                                        part24(s, root, found, a, b, c, a0, a1)?;
                                    }
                                }
                            } else {
                                for node in nodes(s, b) {
                                    match node {
                                        Some((Op::Select, n)) => {
                                            let b0 = s.operand(n, 0);
                                            let b1 = s.operand(n, 1);
                                            part23(s, root, found, a, b, c, a0, a1, b0, b1)?;
                                        }
                                        _ => {
                                            part24(s, root, found, a, b, c, a0, a1)?;
                                        }
                                    }
                                }
                            }
                        }
                        _ => {
                            part27(s, root, found, a, b, c, a0, a1)?;
                        }
                    }
                } else {
                    for node in nodes(s, c) {
                        match node {
                            Some((Op::Neg, n)) => {
                                let c0 = s.operand(n, 0);
                                if let Some(constant) = s.constant(a1) {
                                    match constant {
                                        Const::Int(i) if i.signed() == 0 => {
                                            for node in nodes(s, b) {
                                                match node {
                                                    Some((Op::Select, n)) => {
                                                        let b0 = s.operand(n, 0);
                                                        let b1 = s.operand(n, 1);
                                                        offer(found, select_same(s, root, b, c))?;
                                                        offer(found, select_nonzero(s, root, a, b))?;
                                                        offer(found, select_zero(s, root, a, c))?;
                                                        offer(found, select_abs_gt(s, root, a0, b, c0))?;
                                                        offer(found, select_gt(s, root, a0, a1, b, c))?;
                                                        offer(found, select_gt_swapped(s, root, a0, a1, b, c))?;
                                                        offer(found, select_nested_then(s, root, a, b0, b1, c))?;
                                                    }
                                                    _ => {
                                                        part26(s, root, found, a, b, c, c0, a0, a1)?;
                                                    }
                                                }
                                            }
                                        }
                                        _ => {
                                            part27(s, root, found, a, b, c, a0, a1)?;
                                        }
                                    }
                                } else {
                                    part27(s, root, found, a, b, c, a0, a1)?;
                                }
                            }
                            Some((Op::Select, n)) => {
                                let c0 = s.operand(n, 0);
                                let c2 = s.operand(n, 2);
                                for node in nodes(s, b) {
                                    match node {
                                        Some((Op::Select, n)) => {
                                            let b0 = s.operand(n, 0);
                                            let b1 = s.operand(n, 1);
                                            offer(found, select_same(s, root, b, c))?;
                                            offer(found, select_nonzero(s, root, a, b))?;
                                            offer(found, select_zero(s, root, a, c))?;
                                            offer(found, select_gt(s, root, a0, a1, b, c))?;
                                            offer(found, select_gt_swapped(s, root, a0, a1, b, c))?;
                                            offer(found, select_nested_else(s, root, a, b, c0, c2))?;
                                            offer(found, select_nested_then(s, root, a, b0, b1, c))?;
                                        }
                                        _ => {
                                            part28(s, root, found, a, b, c, a0, a1, c0, c2)?;
                                        }
                                    }
                                }
                            }
                            _ => {
                                part27(s, root, found, a, b, c, a0, a1)?;
                            }
                        }
                    }
                }
            }
            Some((Op::Ge, n)) => {
                let [a0, a1] = operands2(s, n);
                if let Some(constant) = s.constant(c) {
                    match constant {
                        Const::Int(i) if i.signed() == -1 => {
                            if let Some(constant) = s.constant(b) {
                                match constant {
                                    Const::Int(i) if i.signed() == 0 => {
                                        offer(found, select_same(s, root, b, c))?;
                                        offer(found, select_nonzero(s, root, a, b))?;
                                        offer(found, select_zero(s, root, a, c))?;
                                        offer(found, select_ge(s, root, a0, a1, b, c))?;
                                        offer(found, select_ge_swapped(s, root, a0, a1, b, c))?;
                                        offer(found, select_bits_negated(s, root, a))?;
                                    }
                                    _ => {
                                        part30(s, root, found, a, b, c, a0, a1)?;
                                    }
                                }
                            } else {
                                for node in nodes(s, b) {
                                    match node {
                                        Some((Op::Select, n)) => {
                                            let b0 = s.operand(n, 0);
                                            let b1 = s.operand(n, 1);
                                            part29(s, root, found, a, b, c, a0, a1, b0, b1)?;
                                        }
                                        _ => {
                                            part30(s, root, found, a, b, c, a0, a1)?;
                                        }
                                    }
                                }
                            }
                        }
                        Const::Int(i) if i.signed() == 0 => {
                            if let Some(constant) = s.constant(b) {
                                match constant {
                                    Const::Int(i) if i.signed() == -1 => {
                                        offer(found, select_self_zero(s, root, a, b))?;
                                        offer(found, select_same(s, root, b, c))?;
                                        offer(found, select_nonzero(s, root, a, b))?;
                                        offer(found, select_zero(s, root, a, c))?;
                                        offer(found, select_ge(s, root, a0, a1, b, c))?;
                                        offer(found, select_ge_swapped(s, root, a0, a1, b, c))?;
                                        offer(found, select_bits(s, root, a))?;
                                    }
                                    Const::Int(i) if i.signed() == 1 => {
                                        offer(found, select_self_zero(s, root, a, b))?;
                                        offer(found, select_same(s, root, b, c))?;
                                        offer(found, select_nonzero(s, root, a, b))?;
                                        offer(found, select_zero(s, root, a, c))?;
                                        offer(found, select_ge(s, root, a0, a1, b, c))?;
                                        offer(found, select_ge_swapped(s, root, a0, a1, b, c))?;
                                        offer(found, select_one_zero(s, root, a))?;
                                    }
                                    _ => {
                                        part31(s, root, found, a, b, c, a0, a1)?;
                                    }
                                }
                            } else {
                                for node in nodes(s, b) {
                                    match node {
                                        Some((Op::Select, n)) => {
                                            let b0 = s.operand(n, 0);
                                            let b1 = s.operand(n, 1);
                                            offer(found, select_self_zero(s, root, a, b))?;
                                            offer(found, select_same(s, root, b, c))?;
                                            offer(found, select_nonzero(s, root, a, b))?;
                                            offer(found, select_zero(s, root, a, c))?;
                                            offer(found, select_ge(s, root, a0, a1, b, c))?;
                                            offer(found, select_ge_swapped(s, root, a0, a1, b, c))?;
                                            offer(found, select_nested_then(s, root, a, b0, b1, c))?;
                                        }
                                        _ => {
                                            part31(s, root, found, a, b, c, a0, a1)?;
                                        }
                                    }
                                }
                            }
                        }
                        Const::Int(i) if i.signed() == 1 => {
                            if let Some(constant) = s.constant(b) {
                                match constant {
                                    Const::Int(i) if i.signed() == 0 => {
                                        offer(found, select_same(s, root, b, c))?;
                                        offer(found, select_nonzero(s, root, a, b))?;
                                        offer(found, select_zero(s, root, a, c))?;
                                        offer(found, select_ge(s, root, a0, a1, b, c))?;
                                        offer(found, select_ge_swapped(s, root, a0, a1, b, c))?;
                                        offer(found, select_zero_one(s, root, a))?;
                                    }
                                    _ => {
                                        part30(s, root, found, a, b, c, a0, a1)?;
                                    }
                                }
                            } else {
                                for node in nodes(s, b) {
                                    match node {
                                        Some((Op::Select, n)) => {
                                            let b0 = s.operand(n, 0);
                                            let b1 = s.operand(n, 1);
                                            part29(s, root, found, a, b, c, a0, a1, b0, b1)?;
                                        }
                                        _ => {
                                            part30(s, root, found, a, b, c, a0, a1)?;
                                        }
                                    }
                                }
                            }
                        }
                        _ => {
                            part33(s, root, found, a, b, c, a0, a1)?;
                        }
                    }
                } else {
                    for node in nodes(s, c) {
                        match node {
                            Some((Op::Neg, n)) => {
                                let c0 = s.operand(n, 0);
                                if let Some(constant) = s.constant(a1) {
                                    match constant {
                                        Const::Int(i) if i.signed() == 0 => {
                                            for node in nodes(s, b) {
                                                match node {
                                                    Some((Op::Select, n)) => {
                                                        let b0 = s.operand(n, 0);
                                                        let b1 = s.operand(n, 1);
                                                        offer(found, select_same(s, root, b, c))?;
                                                        offer(found, select_nonzero(s, root, a, b))?;
                                                        offer(found, select_zero(s, root, a, c))?;
                                                        offer(found, select_abs_ge(s, root, a0, b, c0))?;
                                                        offer(found, select_ge(s, root, a0, a1, b, c))?;
                                                        offer(found, select_ge_swapped(s, root, a0, a1, b, c))?;
                                                        offer(found, select_nested_then(s, root, a, b0, b1, c))?;
                                                    }
                                                    _ => {
                                                        part32(s, root, found, a, b, c, a0, a1, c0)?;
                                                    }
                                                }
                                            }
                                        }
                                        _ => {
                                            part33(s, root, found, a, b, c, a0, a1)?;
                                        }
                                    }
                                } else {
                                    part33(s, root, found, a, b, c, a0, a1)?;
                                }
                            }
                            Some((Op::Select, n)) => {
                                let c0 = s.operand(n, 0);
                                let c2 = s.operand(n, 2);
                                for node in nodes(s, b) {
                                    match node {
                                        Some((Op::Select, n)) => {
                                            let b0 = s.operand(n, 0);
                                            let b1 = s.operand(n, 1);
                                            offer(found, select_same(s, root, b, c))?;
                                            offer(found, select_nonzero(s, root, a, b))?;
                                            offer(found, select_zero(s, root, a, c))?;
                                            offer(found, select_ge(s, root, a0, a1, b, c))?;
                                            offer(found, select_ge_swapped(s, root, a0, a1, b, c))?;
                                            offer(found, select_nested_else(s, root, a, b, c0, c2))?;
                                            offer(found, select_nested_then(s, root, a, b0, b1, c))?;
                                        }
                                        _ => {
                                            part34(s, root, found, a, b, c, a0, a1, c0, c2)?;
                                        }
                                    }
                                }
                            }
                            _ => {
                                part33(s, root, found, a, b, c, a0, a1)?;
                            }
                        }
                    }
                }
            }
            Some((Op::Ult, n)) => {
                let [a0, a1] = operands2(s, n);
                if let Some(constant) = s.constant(c) {
                    match constant {
                        Const::Int(i) if i.signed() == -1 => {
                            if let Some(constant) = s.constant(b) {
                                match constant {
                                    Const::Int(i) if i.signed() == 0 => {
                                        offer(found, select_same(s, root, b, c))?;
                                        offer(found, select_nonzero(s, root, a, b))?;
                                        offer(found, select_zero(s, root, a, c))?;
                                        offer(found, select_ult(s, root, a0, a1, b, c))?;
                                        offer(found, select_ult_swapped(s, root, a0, a1, b, c))?;
                                        offer(found, select_bits_negated(s, root, a))?;
                                    }
                                    _ => {
                                        part36(s, root, found, a, b, c, a0, a1)?;
                                    }
                                }
                            } else {
                                for node in nodes(s, b) {
                                    match node {
                                        Some((Op::Select, n)) => {
                                            let b0 = s.operand(n, 0);
                                            let b1 = s.operand(n, 1);
                                            part35(s, root, found, a, b, c, a0, a1, b0, b1)?;
                                        }
                                        _ => {
                                            part36(s, root, found, a, b, c, a0, a1)?;
                                        }
                                    }
                                }
                            }
                        }
                        Const::Int(i) if i.signed() == 0 => {
                            if let Some(constant) = s.constant(b) {
                                match constant {
                                    Const::Int(i) if i.signed() == -1 => {
                                        offer(found, select_self_zero(s, root, a, b))?;
                                        offer(found, select_same(s, root, b, c))?;
                                        offer(found, select_nonzero(s, root, a, b))?;
                                        offer(found, select_zero(s, root, a, c))?;
                                        offer(found, select_ult(s, root, a0, a1, b, c))?;
                                        offer(found, select_ult_swapped(s, root, a0, a1, b, c))?;
                                        offer(found, select_bits(s, root, a))?;
                                    }
                                    Const::Int(i) if i.signed() == 1 => {
                                        offer(found, select_self_zero(s, root, a, b))?;
                                        offer(found, select_same(s, root, b, c))?;
                                        offer(found, select_nonzero(s, root, a, b))?;
                                        offer(found, select_zero(s, root, a, c))?;
                                        offer(found, select_ult(s, root, a0, a1, b, c))?;
                                        offer(found, select_ult_swapped(s, root, a0, a1, b, c))?;
                                        offer(found, select_one_zero(s, root, a))?;
                                    }
                                    _ => {
                                        part37(s, root, found, a, b, c, a0, a1)?;
                                    }
                                }
                            } else {
                                for node in nodes(s, b) {
                                    match node {
                                        Some((Op::Select, n)) => {
                                            let b0 = s.operand(n, 0);
                                            let b1 = s.operand(n, 1);
                                            offer(found, select_self_zero(s, root, a, b))?;
                                            offer(found, select_same(s, root, b, c))?;
                                            offer(found, select_nonzero(s, root, a, b))?;
                                            offer(found, select_zero(s, root, a, c))?;
                                            offer(found, select_ult(s, root, a0, a1, b, c))?;
                                            offer(found, select_ult_swapped(s, root, a0, a1, b, c))?;
                                            offer(found, select_nested_then(s, root, a, b0, b1, c))?;
                                        }
                                        _ => {
                                            part37(s, root, found, a, b, c, a0, a1)?;
                                        }
                                    }
                                }
                            }
                        }
                        Const::Int(i) if i.signed() == 1 => {
                            if let Some(constant) = s.constant(b) {
                                match constant {
                                    Const::Int(i) if i.signed() == 0 => {
                                        offer(found, select_same(s, root, b, c))?;
                                        offer(found, select_nonzero(s, root, a, b))?;
                                        offer(found, select_zero(s, root, a, c))?;
                                        offer(found, select_ult(s, root, a0, a1, b, c))?;
                                        offer(found, select_ult_swapped(s, root, a0, a1, b, c))?;
                                        offer(found, select_zero_one(s, root, a))?;
                                    }
                                    _ => {
                                        part36(s, root, found, a, b, c, a0, a1)?;
                                    }
                                }
                            } else {
                                for node in nodes(s, b) {
                                    match node {
                                        Some((Op::Select, n)) => {
                                            let b0 = s.operand(n, 0);
                                            let b1 = s.operand(n, 1);
                                            part35(s, root, found, a, b, c, a0, a1, b0, b1)?;
                                        }
                                        _ => {
                                            part36(s, root, found, a, b, c, a0, a1)?;
                                        }
                                    }
                                }
                            }
                        }
                        _ => {
                            part39(s, root, found, a, b, c, a0, a1)?;
                        }
                    }
                } else {
                    for node in nodes(s, c) {
                        match node {
                            Some((Op::Select, n)) => {
                                let c0 = s.operand(n, 0);
                                let c2 = s.operand(n, 2);
                                for node in nodes(s, b) {
                                    match node {
                                        Some((Op::Select, n)) => {
                                            let b0 = s.operand(n, 0);
                                            let b1 = s.operand(n, 1);
                                            offer(found, select_same(s, root, b, c))?;
                                            offer(found, select_nonzero(s, root, a, b))?;
                                            offer(found, select_zero(s, root, a, c))?;
                                            offer(found, select_ult(s, root, a0, a1, b, c))?;
                                            offer(found, select_ult_swapped(s, root, a0, a1, b, c))?;
                                            offer(found, select_nested_else(s, root, a, b, c0, c2))?;
                                            offer(found, select_nested_then(s, root, a, b0, b1, c))?;
                                        }
                                        _ => {
                                            part38(s, root, found, a, b, c, a0, a1, c0, c2)?;
                                        }
                                    }
                                }
                            }
                            _ => {
                                part39(s, root, found, a, b, c, a0, a1)?;
                            }
                        }
                    }
                }
            }
            Some((Op::Ule, n)) => {
                let [a0, a1] = operands2(s, n);
                if let Some(constant) = s.constant(c) {
                    match constant {
                        Const::Int(i) if i.signed() == -1 => {
                            if let Some(constant) = s.constant(b) {
                                match constant {
                                    Const::Int(i) if i.signed() == 0 => {
                                        offer(found, select_same(s, root, b, c))?;
                                        offer(found, select_nonzero(s, root, a, b))?;
                                        offer(found, select_zero(s, root, a, c))?;
                                        offer(found, select_ule(s, root, a0, a1, b, c))?;
                                        offer(found, select_ule_swapped(s, root, a0, a1, b, c))?;
                                        offer(found, select_bits_negated(s, root, a))?;
                                    }
                                    _ => {
                                        part41(s, root, found, a, b, c, a0, a1)?;
                                    }
                                }
                            } else {
                                for node in nodes(s, b) {
                                    match node {
                                        Some((Op::Select, n)) => {
                                            let b0 = s.operand(n, 0);
                                            let b1 = s.operand(n, 1);
                                            part40(s, root, found, a, b, c, a0, a1, b0, b1)?;
                                        }
                                        _ => {
                                            part41(s, root, found, a, b, c, a0, a1)?;
                                        }
                                    }
                                }
                            }
                        }
                        Const::Int(i) if i.signed() == 0 => {
                            if let Some(constant) = s.constant(b) {
                                match constant {
                                    Const::Int(i) if i.signed() == -1 => {
                                        offer(found, select_self_zero(s, root, a, b))?;
                                        offer(found, select_same(s, root, b, c))?;
                                        offer(found, select_nonzero(s, root, a, b))?;
                                        offer(found, select_zero(s, root, a, c))?;
                                        offer(found, select_ule(s, root, a0, a1, b, c))?;
                                        offer(found, select_ule_swapped(s, root, a0, a1, b, c))?;
                                        offer(found, select_bits(s, root, a))?;
                                    }
                                    Const::Int(i) if i.signed() == 1 => {
                                        offer(found, select_self_zero(s, root, a, b))?;
                                        offer(found, select_same(s, root, b, c))?;
                                        offer(found, select_nonzero(s, root, a, b))?;
                                        offer(found, select_zero(s, root, a, c))?;
                                        offer(found, select_ule(s, root, a0, a1, b, c))?;
                                        offer(found, select_ule_swapped(s, root, a0, a1, b, c))?;
                                        offer(found, select_one_zero(s, root, a))?;
                                    }
                                    _ => {
                                        part42(s, root, found, a, b, c, a0, a1)?;
                                    }
                                }
                            } else {
                                for node in nodes(s, b) {
                                    match node {
                                        Some((Op::Select, n)) => {
                                            let b0 = s.operand(n, 0);
                                            let b1 = s.operand(n, 1);
                                            offer(found, select_self_zero(s, root, a, b))?;
                                            offer(found, select_same(s, root, b, c))?;
                                            offer(found, select_nonzero(s, root, a, b))?;
                                            offer(found, select_zero(s, root, a, c))?;
                                            offer(found, select_ule(s, root, a0, a1, b, c))?;
                                            offer(found, select_ule_swapped(s, root, a0, a1, b, c))?;
                                            offer(found, select_nested_then(s, root, a, b0, b1, c))?;
                                        }
                                        _ => {
                                            part42(s, root, found, a, b, c, a0, a1)?;
                                        }
                                    }
                                }
                            }
                        }
                        Const::Int(i) if i.signed() == 1 => {
                            if let Some(constant) = s.constant(b) {
                                match constant {
                                    Const::Int(i) if i.signed() == 0 => {
                                        offer(found, select_same(s, root, b, c))?;
                                        offer(found, select_nonzero(s, root, a, b))?;
                                        offer(found, select_zero(s, root, a, c))?;
                                        offer(found, select_ule(s, root, a0, a1, b, c))?;
                                        offer(found, select_ule_swapped(s, root, a0, a1, b, c))?;
                                        offer(found, select_zero_one(s, root, a))?;
                                    }
                                    _ => {
                                        part41(s, root, found, a, b, c, a0, a1)?;
                                    }
                                }
                            } else {
                                for node in nodes(s, b) {
                                    match node {
                                        Some((Op::Select, n)) => {
                                            let b0 = s.operand(n, 0);
                                            let b1 = s.operand(n, 1);
                                            part40(s, root, found, a, b, c, a0, a1, b0, b1)?;
                                        }
                                        _ => {
                                            part41(s, root, found, a, b, c, a0, a1)?;
                                        }
                                    }
                                }
                            }
                        }
                        _ => {
                            part44(s, root, found, a, b, c, a0, a1)?;
                        }
                    }
                } else {
                    for node in nodes(s, c) {
                        match node {
                            Some((Op::Select, n)) => {
                                let c0 = s.operand(n, 0);
                                let c2 = s.operand(n, 2);
                                for node in nodes(s, b) {
                                    match node {
                                        Some((Op::Select, n)) => {
                                            let b0 = s.operand(n, 0);
                                            let b1 = s.operand(n, 1);
                                            offer(found, select_same(s, root, b, c))?;
                                            offer(found, select_nonzero(s, root, a, b))?;
                                            offer(found, select_zero(s, root, a, c))?;
                                            offer(found, select_ule(s, root, a0, a1, b, c))?;
                                            offer(found, select_ule_swapped(s, root, a0, a1, b, c))?;
                                            offer(found, select_nested_else(s, root, a, b, c0, c2))?;
                                            offer(found, select_nested_then(s, root, a, b0, b1, c))?;
                                        }
                                        _ => {
                                            part43(s, root, found, a, b, c, a0, a1, c0, c2)?;
                                        }
                                    }
                                }
                            }
                            _ => {
                                part44(s, root, found, a, b, c, a0, a1)?;
                            }
                        }
                    }
                }
            }
            Some((Op::Ugt, n)) => {
                let [a0, a1] = operands2(s, n);
                if let Some(constant) = s.constant(c) {
                    match constant {
                        Const::Int(i) if i.signed() == -1 => {
                            if let Some(constant) = s.constant(b) {
                                match constant {
                                    Const::Int(i) if i.signed() == 0 => {
                                        offer(found, select_same(s, root, b, c))?;
                                        offer(found, select_nonzero(s, root, a, b))?;
                                        offer(found, select_zero(s, root, a, c))?;
                                        offer(found, select_ugt(s, root, a0, a1, b, c))?;
                                        offer(found, select_ugt_swapped(s, root, a0, a1, b, c))?;
                                        offer(found, select_bits_negated(s, root, a))?;
                                    }
                                    _ => {
                                        part46(s, root, found, a, b, c, a0, a1)?;
                                    }
                                }
                            } else {
                                for node in nodes(s, b) {
                                    match node {
                                        Some((Op::Select, n)) => {
                                            let b0 = s.operand(n, 0);
                                            let b1 = s.operand(n, 1);
                                            part45(s, root, found, a, b, c, a0, a1, b0, b1)?;
                                        }
                                        _ => {
                                            part46(s, root, found, a, b, c, a0, a1)?;
                                        }
                                    }
                                }
                            }
                        }
                        Const::Int(i) if i.signed() == 0 => {
                            if let Some(constant) = s.constant(b) {
                                match constant {
                                    Const::Int(i) if i.signed() == -1 => {
                                        offer(found, select_self_zero(s, root, a, b))?;
                                        offer(found, select_same(s, root, b, c))?;
                                        offer(found, select_nonzero(s, root, a, b))?;
                                        offer(found, select_zero(s, root, a, c))?;
                                        offer(found, select_ugt(s, root, a0, a1, b, c))?;
                                        offer(found, select_ugt_swapped(s, root, a0, a1, b, c))?;
                                        offer(found, select_bits(s, root, a))?;
                                    }
                                    Const::Int(i) if i.signed() == 1 => {
                                        offer(found, select_self_zero(s, root, a, b))?;
                                        offer(found, select_same(s, root, b, c))?;
                                        offer(found, select_nonzero(s, root, a, b))?;
                                        offer(found, select_zero(s, root, a, c))?;
                                        offer(found, select_ugt(s, root, a0, a1, b, c))?;
                                        offer(found, select_ugt_swapped(s, root, a0, a1, b, c))?;
                                        offer(found, select_one_zero(s, root, a))?;
                                    }
                                    _ => {
                                        part47(s, root, found, a, b, c, a0, a1)?;
                                    }
                                }
                            } else {
                                for node in nodes(s, b) {
                                    match node {
                                        Some((Op::Select, n)) => {
                                            let b0 = s.operand(n, 0);
                                            let b1 = s.operand(n, 1);
                                            offer(found, select_self_zero(s, root, a, b))?;
                                            offer(found, select_same(s, root, b, c))?;
                                            offer(found, select_nonzero(s, root, a, b))?;
                                            offer(found, select_zero(s, root, a, c))?;
                                            offer(found, select_ugt(s, root, a0, a1, b, c))?;
                                            offer(found, select_ugt_swapped(s, root, a0, a1, b, c))?;
                                            offer(found, select_nested_then(s, root, a, b0, b1, c))?;
                                        }
                                        _ => {
                                            part47(s, root, found, a, b, c, a0, a1)?;
                                        }
                                    }
                                }
                            }
                        }
                        Const::Int(i) if i.signed() == 1 => {
                            if let Some(constant) = s.constant(b) {
                                match constant {
                                    Const::Int(i) if i.signed() == 0 => {
                                        offer(found, select_same(s, root, b, c))?;
                                        offer(found, select_nonzero(s, root, a, b))?;
                                        offer(found, select_zero(s, root, a, c))?;
                                        offer(found, select_ugt(s, root, a0, a1, b, c))?;
                                        offer(found, select_ugt_swapped(s, root, a0, a1, b, c))?;
                                        offer(found, select_zero_one(s, root, a))?;
                                    }
                                    _ => {
                                        part46(s, root, found, a, b, c, a0, a1)?;
                                    }
                                }
                            } else {
                                for node in nodes(s, b) {
                                    match node {
                                        Some((Op::Select, n)) => {
                                            let b0 = s.operand(n, 0);
                                            let b1 = s.operand(n, 1);
                                            part45(s, root, found, a, b, c, a0, a1, b0, b1)?;
                                        }
                                        _ => {
                                            part46(s, root, found, a, b, c, a0, a1)?;
                                        }
                                    }
                                }
                            }
                        }
                        _ => {
                            part49(s, root, found, a, b, c, a0, a1)?;
                        }
                    }
                } else {
                    for node in nodes(s, c) {
                        match node {
                            Some((Op::Select, n)) => {
                                let c0 = s.operand(n, 0);
                                let c2 = s.operand(n, 2);
                                for node in nodes(s, b) {
                                    match node {
                                        Some((Op::Select, n)) => {
                                            let b0 = s.operand(n, 0);
                                            let b1 = s.operand(n, 1);
                                            offer(found, select_same(s, root, b, c))?;
                                            offer(found, select_nonzero(s, root, a, b))?;
                                            offer(found, select_zero(s, root, a, c))?;
                                            offer(found, select_ugt(s, root, a0, a1, b, c))?;
                                            offer(found, select_ugt_swapped(s, root, a0, a1, b, c))?;
                                            offer(found, select_nested_else(s, root, a, b, c0, c2))?;
                                            offer(found, select_nested_then(s, root, a, b0, b1, c))?;
                                        }
                                        _ => {
                                            part48(s, root, found, a, b, c, a0, a1, c0, c2)?;
                                        }
                                    }
                                }
                            }
                            _ => {
                                part49(s, root, found, a, b, c, a0, a1)?;
                            }
                        }
                    }
                }
            }
            Some((Op::Uge, n)) => {
                let [a0, a1] = operands2(s, n);
                if let Some(constant) = s.constant(c) {
                    match constant {
                        Const::Int(i) if i.signed() == -1 => {
                            if let Some(constant) = s.constant(b) {
                                match constant {
                                    Const::Int(i) if i.signed() == 0 => {
                                        offer(found, select_same(s, root, b, c))?;
                                        offer(found, select_nonzero(s, root, a, b))?;
                                        offer(found, select_zero(s, root, a, c))?;
                                        offer(found, select_uge(s, root, a0, a1, b, c))?;
                                        offer(found, select_uge_swapped(s, root, a0, a1, b, c))?;
                                        offer(found, select_bits_negated(s, root, a))?;
                                    }
                                    _ => {
                                        part51(s, root, found, a, b, c, a0, a1)?;
                                    }
                                }
                            } else {
                                for node in nodes(s, b) {
                                    match node {
                                        Some((Op::Select, n)) => {
                                            let b0 = s.operand(n, 0);
                                            let b1 = s.operand(n, 1);
                                            part50(s, root, found, a, b, c, a0, a1, b0, b1)?;
                                        }
                                        _ => {
                                            part51(s, root, found, a, b, c, a0, a1)?;
                                        }
                                    }
                                }
                            }
                        }
                        Const::Int(i) if i.signed() == 0 => {
                            if let Some(constant) = s.constant(b) {
                                match constant {
                                    Const::Int(i) if i.signed() == -1 => {
                                        offer(found, select_self_zero(s, root, a, b))?;
                                        offer(found, select_same(s, root, b, c))?;
                                        offer(found, select_nonzero(s, root, a, b))?;
                                        offer(found, select_zero(s, root, a, c))?;
                                        offer(found, select_uge(s, root, a0, a1, b, c))?;
                                        offer(found, select_uge_swapped(s, root, a0, a1, b, c))?;
                                        offer(found, select_bits(s, root, a))?;
                                    }
                                    Const::Int(i) if i.signed() == 1 => {
                                        offer(found, select_self_zero(s, root, a, b))?;
                                        offer(found, select_same(s, root, b, c))?;
                                        offer(found, select_nonzero(s, root, a, b))?;
                                        offer(found, select_zero(s, root, a, c))?;
                                        offer(found, select_uge(s, root, a0, a1, b, c))?;
                                        offer(found, select_uge_swapped(s, root, a0, a1, b, c))?;
                                        offer(found, select_one_zero(s, root, a))?;
                                    }
                                    _ => {
                                        part52(s, root, found, a, b, c, a0, a1)?;
                                    }
                                }
                            } else {
                                for node in nodes(s, b) {
                                    match node {
                                        Some((Op::Select, n)) => {
                                            let b0 = s.operand(n, 0);
                                            let b1 = s.operand(n, 1);
                                            offer(found, select_self_zero(s, root, a, b))?;
                                            offer(found, select_same(s, root, b, c))?;
                                            offer(found, select_nonzero(s, root, a, b))?;
                                            offer(found, select_zero(s, root, a, c))?;
                                            offer(found, select_uge(s, root, a0, a1, b, c))?;
                                            offer(found, select_uge_swapped(s, root, a0, a1, b, c))?;
                                            offer(found, select_nested_then(s, root, a, b0, b1, c))?;
                                        }
                                        _ => {
                                            part52(s, root, found, a, b, c, a0, a1)?;
                                        }
                                    }
                                }
                            }
                        }
                        Const::Int(i) if i.signed() == 1 => {
                            if let Some(constant) = s.constant(b) {
                                match constant {
                                    Const::Int(i) if i.signed() == 0 => {
                                        offer(found, select_same(s, root, b, c))?;
                                        offer(found, select_nonzero(s, root, a, b))?;
                                        offer(found, select_zero(s, root, a, c))?;
                                        offer(found, select_uge(s, root, a0, a1, b, c))?;
                                        offer(found, select_uge_swapped(s, root, a0, a1, b, c))?;
                                        offer(found, select_zero_one(s, root, a))?;
                                    }
                                    _ => {
                                        part51(s, root, found, a, b, c, a0, a1)?;
                                    }
                                }
                            } else {
                                for node in nodes(s, b) {
                                    match node {
                                        Some((Op::Select, n)) => {
                                            let b0 = s.operand(n, 0);
                                            let b1 = s.operand(n, 1);
                                            part50(s, root, found, a, b, c, a0, a1, b0, b1)?;
                                        }
                                        _ => {
                                            part51(s, root, found, a, b, c, a0, a1)?;
                                        }
                                    }
                                }
                            }
                        }
                        _ => {
                            part54(s, root, found, a, b, c, a0, a1)?;
                        }
                    }
                } else {
                    for node in nodes(s, c) {
                        match node {
                            Some((Op::Select, n)) => {
                                let c0 = s.operand(n, 0);
                                let c2 = s.operand(n, 2);
                                for node in nodes(s, b) {
                                    match node {
                                        Some((Op::Select, n)) => {
                                            let b0 = s.operand(n, 0);
                                            let b1 = s.operand(n, 1);
                                            offer(found, select_same(s, root, b, c))?;
                                            offer(found, select_nonzero(s, root, a, b))?;
                                            offer(found, select_zero(s, root, a, c))?;
                                            offer(found, select_uge(s, root, a0, a1, b, c))?;
                                            offer(found, select_uge_swapped(s, root, a0, a1, b, c))?;
                                            offer(found, select_nested_else(s, root, a, b, c0, c2))?;
                                            offer(found, select_nested_then(s, root, a, b0, b1, c))?;
                                        }
                                        _ => {
                                            part53(s, root, found, a, b, c, a0, a1, c0, c2)?;
                                        }
                                    }
                                }
                            }
                            _ => {
                                part54(s, root, found, a, b, c, a0, a1)?;
                            }
                        }
                    }
                }
            }
            Some((Op::IsTrue, n)) => {
                let a0 = s.operand(n, 0);
                if let Some(constant) = s.constant(c) {
                    match constant {
                        Const::Int(i) if i.signed() == 0 => {
                            for node in nodes(s, b) {
                                match node {
                                    Some((Op::Select, n)) => {
                                        let b0 = s.operand(n, 0);
                                        let b1 = s.operand(n, 1);
                                        offer(found, select_self_zero(s, root, a, b))?;
                                        offer(found, select_same(s, root, b, c))?;
                                        offer(found, select_nonzero(s, root, a, b))?;
                                        offer(found, select_zero(s, root, a, c))?;
                                        offer(found, select_nested_then(s, root, a, b0, b1, c))?;
                                        offer(found, select_is_true(s, root, a0, b, c))?;
                                    }
                                    _ => {
                                        part55(s, root, found, a, b, c, a0)?;
                                    }
                                }
                            }
                        }
                        _ => {
                            part58(s, root, found, a, b, c, a0)?;
                        }
                    }
                } else {
                    for node in nodes(s, c) {
                        match node {
                            Some((Op::Select, n)) => {
                                let c0 = s.operand(n, 0);
                                let c2 = s.operand(n, 2);
                                for node in nodes(s, b) {
                                    match node {
                                        Some((Op::Select, n)) => {
                                            let b0 = s.operand(n, 0);
                                            let b1 = s.operand(n, 1);
                                            offer(found, select_same(s, root, b, c))?;
                                            offer(found, select_nonzero(s, root, a, b))?;
                                            offer(found, select_zero(s, root, a, c))?;
                                            offer(found, select_nested_else(s, root, a, b, c0, c2))?;
                                            offer(found, select_nested_then(s, root, a, b0, b1, c))?;
                                            offer(found, select_is_true(s, root, a0, b, c))?;
                                        }
                                        _ => {
                                            part56(s, root, found, a, b, c, c0, c2, a0)?;
                                        }
                                    }
                                }
                            }
                            _ => {
                                part58(s, root, found, a, b, c, a0)?;
                            }
                        }
                    }
                }
            }
            Some((Op::IsZero, n)) => {
                let a0 = s.operand(n, 0);
                if let Some(constant) = s.constant(c) {
                    match constant {
                        Const::Int(i) if i.signed() == 0 => {
                            for node in nodes(s, b) {
                                match node {
                                    Some((Op::Select, n)) => {
                                        let b0 = s.operand(n, 0);
                                        let b1 = s.operand(n, 1);
                                        offer(found, select_self_zero(s, root, a, b))?;
                                        offer(found, select_same(s, root, b, c))?;
                                        offer(found, select_nonzero(s, root, a, b))?;
                                        offer(found, select_zero(s, root, a, c))?;
                                        offer(found, select_nested_then(s, root, a, b0, b1, c))?;
                                        offer(found, select_is_zero(s, root, a0, b, c))?;
                                    }
                                    _ => {
                                        part59(s, root, found, a, b, c, a0)?;
                                    }
                                }
                            }
                        }
                        _ => {
                            part62(s, root, found, a, b, c, a0)?;
                        }
                    }
                } else {
                    for node in nodes(s, c) {
                        match node {
                            Some((Op::Select, n)) => {
                                let c0 = s.operand(n, 0);
                                let c2 = s.operand(n, 2);
                                for node in nodes(s, b) {
                                    match node {
                                        Some((Op::Select, n)) => {
                                            let b0 = s.operand(n, 0);
                                            let b1 = s.operand(n, 1);
                                            offer(found, select_same(s, root, b, c))?;
                                            offer(found, select_nonzero(s, root, a, b))?;
                                            offer(found, select_zero(s, root, a, c))?;
                                            offer(found, select_nested_else(s, root, a, b, c0, c2))?;
                                            offer(found, select_nested_then(s, root, a, b0, b1, c))?;
                                            offer(found, select_is_zero(s, root, a0, b, c))?;
                                        }
                                        _ => {
                                            part60(s, root, found, a, b, c, c0, c2, a0)?;
                                        }
                                    }
                                }
                            }
                            _ => {
                                part62(s, root, found, a, b, c, a0)?;
                            }
                        }
                    }
                }
            }
            _ => {
                part68(s, root, found, a, b, c)?;
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
    a0: S::Value,
    a1: S::Value,
    b: S::Value,
    c: S::Value,
    b0: S::Value,
    b1: S::Value,
) -> Flow {
    offer(found, select_eq(s, root, a0, a1, b, c))?;
    offer(found, select_eq(s, root, a1, a0, b, c))?;
    offer(found, select_same(s, root, b, c))?;
    offer(found, select_nonzero(s, root, a, b))?;
    offer(found, select_zero(s, root, a, c))?;
    offer(found, select_nested_then(s, root, a, b0, b1, c))?;
    Flow::Continue(())
}

fn part2<S: Subject>(
    s: &S,
    root: &Root<'_, S::Value>,
    found: &mut impl FnMut(Rewrite<S::Value>) -> Flow,
    a: S::Value,
    a0: S::Value,
    a1: S::Value,
    b: S::Value,
    c: S::Value,
) -> Flow {
    offer(found, select_eq(s, root, a0, a1, b, c))?;
    offer(found, select_eq(s, root, a1, a0, b, c))?;
    offer(found, select_same(s, root, b, c))?;
    offer(found, select_nonzero(s, root, a, b))?;
    offer(found, select_zero(s, root, a, c))?;
    Flow::Continue(())
}

fn part3<S: Subject>(
    s: &S,
    root: &Root<'_, S::Value>,
    found: &mut impl FnMut(Rewrite<S::Value>) -> Flow,
    a: S::Value,
    a0: S::Value,
    a1: S::Value,
    b: S::Value,
    c: S::Value,
) -> Flow {
    offer(found, select_eq(s, root, a0, a1, b, c))?;
    offer(found, select_eq(s, root, a1, a0, b, c))?;
    offer(found, select_self_zero(s, root, a, b))?;
    offer(found, select_same(s, root, b, c))?;
    offer(found, select_nonzero(s, root, a, b))?;
    offer(found, select_zero(s, root, a, c))?;
    Flow::Continue(())
}

fn part4<S: Subject>(
    s: &S,
    root: &Root<'_, S::Value>,
    found: &mut impl FnMut(Rewrite<S::Value>) -> Flow,
    a: S::Value,
    a0: S::Value,
    a1: S::Value,
    b: S::Value,
    c: S::Value,
    c0: S::Value,
    c2: S::Value,
) -> Flow {
    offer(found, select_eq(s, root, a0, a1, b, c))?;
    offer(found, select_eq(s, root, a1, a0, b, c))?;
    offer(found, select_same(s, root, b, c))?;
    offer(found, select_nonzero(s, root, a, b))?;
    offer(found, select_zero(s, root, a, c))?;
    offer(found, select_nested_else(s, root, a, b, c0, c2))?;
    Flow::Continue(())
}

fn part5<S: Subject>(
    s: &S,
    root: &Root<'_, S::Value>,
    found: &mut impl FnMut(Rewrite<S::Value>) -> Flow,
    a: S::Value,
    a0: S::Value,
    a1: S::Value,
    b: S::Value,
    c: S::Value,
) -> Flow {
    for node in nodes(s, b) {
        match node {
            Some((Op::Select, n)) => {
                let b0 = s.operand(n, 0);
                let b1 = s.operand(n, 1);
                part1(s, root, found, a, a0, a1, b, c, b0, b1)?;
            }
            _ => {
                part2(s, root, found, a, a0, a1, b, c)?;
            }
        }
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
    b0: S::Value,
    b1: S::Value,
) -> Flow {
    offer(found, select_ne(s, root, a0, a1, b, c))?;
    offer(found, select_ne(s, root, a1, a0, b, c))?;
    offer(found, select_same(s, root, b, c))?;
    offer(found, select_nonzero(s, root, a, b))?;
    offer(found, select_zero(s, root, a, c))?;
    offer(found, select_nested_then(s, root, a, b0, b1, c))?;
    Flow::Continue(())
}

fn part7<S: Subject>(
    s: &S,
    root: &Root<'_, S::Value>,
    found: &mut impl FnMut(Rewrite<S::Value>) -> Flow,
    a: S::Value,
    b: S::Value,
    c: S::Value,
    a0: S::Value,
    a1: S::Value,
) -> Flow {
    offer(found, select_ne(s, root, a0, a1, b, c))?;
    offer(found, select_ne(s, root, a1, a0, b, c))?;
    offer(found, select_same(s, root, b, c))?;
    offer(found, select_nonzero(s, root, a, b))?;
    offer(found, select_zero(s, root, a, c))?;
    Flow::Continue(())
}

fn part8<S: Subject>(
    s: &S,
    root: &Root<'_, S::Value>,
    found: &mut impl FnMut(Rewrite<S::Value>) -> Flow,
    a: S::Value,
    b: S::Value,
    c: S::Value,
    a0: S::Value,
    a1: S::Value,
) -> Flow {
    offer(found, select_ne(s, root, a0, a1, b, c))?;
    offer(found, select_ne(s, root, a1, a0, b, c))?;
    offer(found, select_self_zero(s, root, a, b))?;
    offer(found, select_same(s, root, b, c))?;
    offer(found, select_nonzero(s, root, a, b))?;
    offer(found, select_zero(s, root, a, c))?;
    Flow::Continue(())
}

fn part9<S: Subject>(
    s: &S,
    root: &Root<'_, S::Value>,
    found: &mut impl FnMut(Rewrite<S::Value>) -> Flow,
    a: S::Value,
    b: S::Value,
    c: S::Value,
    a0: S::Value,
    a1: S::Value,
    c0: S::Value,
    c2: S::Value,
) -> Flow {
    offer(found, select_ne(s, root, a0, a1, b, c))?;
    offer(found, select_ne(s, root, a1, a0, b, c))?;
    offer(found, select_same(s, root, b, c))?;
    offer(found, select_nonzero(s, root, a, b))?;
    offer(found, select_zero(s, root, a, c))?;
    offer(found, select_nested_else(s, root, a, b, c0, c2))?;
    Flow::Continue(())
}

fn part10<S: Subject>(
    s: &S,
    root: &Root<'_, S::Value>,
    found: &mut impl FnMut(Rewrite<S::Value>) -> Flow,
    a: S::Value,
    b: S::Value,
    c: S::Value,
    a0: S::Value,
    a1: S::Value,
) -> Flow {
    for node in nodes(s, b) {
        match node {
            Some((Op::Select, n)) => {
                let b0 = s.operand(n, 0);
                let b1 = s.operand(n, 1);
                part6(s, root, found, a, b, c, a0, a1, b0, b1)?;
            }
            _ => {
                part7(s, root, found, a, b, c, a0, a1)?;
            }
        }
    }
    Flow::Continue(())
}

fn part11<S: Subject>(
    s: &S,
    root: &Root<'_, S::Value>,
    found: &mut impl FnMut(Rewrite<S::Value>) -> Flow,
    a: S::Value,
    b: S::Value,
    c: S::Value,
    a0: S::Value,
    a1: S::Value,
) -> Flow {
    offer(found, select_same(s, root, b, c))?;
    offer(found, select_nonzero(s, root, a, b))?;
    offer(found, select_zero(s, root, a, c))?;
    offer(found, select_lt(s, root, a0, a1, b, c))?;
    offer(found, select_lt_swapped(s, root, a0, a1, b, c))?;
    Flow::Continue(())
}

fn part12<S: Subject>(
    s: &S,
    root: &Root<'_, S::Value>,
    found: &mut impl FnMut(Rewrite<S::Value>) -> Flow,
    a: S::Value,
    b: S::Value,
    c: S::Value,
    b0: S::Value,
    a0: S::Value,
    a1: S::Value,
) -> Flow {
    if let Some(constant) = s.constant(a1) {
        match constant {
            Const::Int(i) if i.signed() == 0 => {
                offer(found, select_same(s, root, b, c))?;
                offer(found, select_nonzero(s, root, a, b))?;
                offer(found, select_zero(s, root, a, c))?;
                offer(found, select_abs_lt(s, root, a0, b0, c))?;
                offer(found, select_lt(s, root, a0, a1, b, c))?;
                offer(found, select_lt_swapped(s, root, a0, a1, b, c))?;
            }
            _ => {
                part11(s, root, found, a, b, c, a0, a1)?;
            }
        }
    } else {
        part11(s, root, found, a, b, c, a0, a1)?;
    }
    Flow::Continue(())
}

fn part13<S: Subject>(
    s: &S,
    root: &Root<'_, S::Value>,
    found: &mut impl FnMut(Rewrite<S::Value>) -> Flow,
    a: S::Value,
    b: S::Value,
    c: S::Value,
    a0: S::Value,
    a1: S::Value,
    b0: S::Value,
    b1: S::Value,
) -> Flow {
    offer(found, select_same(s, root, b, c))?;
    offer(found, select_nonzero(s, root, a, b))?;
    offer(found, select_zero(s, root, a, c))?;
    offer(found, select_lt(s, root, a0, a1, b, c))?;
    offer(found, select_lt_swapped(s, root, a0, a1, b, c))?;
    offer(found, select_nested_then(s, root, a, b0, b1, c))?;
    Flow::Continue(())
}

fn part14<S: Subject>(
    s: &S,
    root: &Root<'_, S::Value>,
    found: &mut impl FnMut(Rewrite<S::Value>) -> Flow,
    a: S::Value,
    b: S::Value,
    c: S::Value,
    a0: S::Value,
    a1: S::Value,
) -> Flow {
    offer(found, select_self_zero(s, root, a, b))?;
    offer(found, select_same(s, root, b, c))?;
    offer(found, select_nonzero(s, root, a, b))?;
    offer(found, select_zero(s, root, a, c))?;
    offer(found, select_lt(s, root, a0, a1, b, c))?;
    offer(found, select_lt_swapped(s, root, a0, a1, b, c))?;
    Flow::Continue(())
}

fn part15<S: Subject>(
    s: &S,
    root: &Root<'_, S::Value>,
    found: &mut impl FnMut(Rewrite<S::Value>) -> Flow,
    a: S::Value,
    b: S::Value,
    c: S::Value,
    a0: S::Value,
    a1: S::Value,
    c0: S::Value,
    c2: S::Value,
) -> Flow {
    offer(found, select_same(s, root, b, c))?;
    offer(found, select_nonzero(s, root, a, b))?;
    offer(found, select_zero(s, root, a, c))?;
    offer(found, select_lt(s, root, a0, a1, b, c))?;
    offer(found, select_lt_swapped(s, root, a0, a1, b, c))?;
    offer(found, select_nested_else(s, root, a, b, c0, c2))?;
    Flow::Continue(())
}

fn part16<S: Subject>(
    s: &S,
    root: &Root<'_, S::Value>,
    found: &mut impl FnMut(Rewrite<S::Value>) -> Flow,
    a: S::Value,
    b: S::Value,
    c: S::Value,
    a0: S::Value,
    a1: S::Value,
) -> Flow {
    for node in nodes(s, b) {
        match node {
            Some((Op::Neg, n)) => {
                let b0 = s.operand(n, 0);
                part12(s, root, found, a, b, c, b0, a0, a1)?;
            }
            Some((Op::Select, n)) => {
                let b0 = s.operand(n, 0);
                let b1 = s.operand(n, 1);
                part13(s, root, found, a, b, c, a0, a1, b0, b1)?;
            }
            _ => {
                part11(s, root, found, a, b, c, a0, a1)?;
            }
        }
    }
    Flow::Continue(())
}

fn part17<S: Subject>(
    s: &S,
    root: &Root<'_, S::Value>,
    found: &mut impl FnMut(Rewrite<S::Value>) -> Flow,
    a: S::Value,
    b: S::Value,
    c: S::Value,
    a0: S::Value,
    a1: S::Value,
) -> Flow {
    offer(found, select_same(s, root, b, c))?;
    offer(found, select_nonzero(s, root, a, b))?;
    offer(found, select_zero(s, root, a, c))?;
    offer(found, select_le(s, root, a0, a1, b, c))?;
    offer(found, select_le_swapped(s, root, a0, a1, b, c))?;
    Flow::Continue(())
}

fn part18<S: Subject>(
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
    if let Some(constant) = s.constant(a1) {
        match constant {
            Const::Int(i) if i.signed() == 0 => {
                offer(found, select_same(s, root, b, c))?;
                offer(found, select_nonzero(s, root, a, b))?;
                offer(found, select_zero(s, root, a, c))?;
                offer(found, select_abs_le(s, root, a0, b0, c))?;
                offer(found, select_le(s, root, a0, a1, b, c))?;
                offer(found, select_le_swapped(s, root, a0, a1, b, c))?;
            }
            _ => {
                part17(s, root, found, a, b, c, a0, a1)?;
            }
        }
    } else {
        part17(s, root, found, a, b, c, a0, a1)?;
    }
    Flow::Continue(())
}

fn part19<S: Subject>(
    s: &S,
    root: &Root<'_, S::Value>,
    found: &mut impl FnMut(Rewrite<S::Value>) -> Flow,
    a: S::Value,
    b: S::Value,
    c: S::Value,
    a0: S::Value,
    a1: S::Value,
    b0: S::Value,
    b1: S::Value,
) -> Flow {
    offer(found, select_same(s, root, b, c))?;
    offer(found, select_nonzero(s, root, a, b))?;
    offer(found, select_zero(s, root, a, c))?;
    offer(found, select_le(s, root, a0, a1, b, c))?;
    offer(found, select_le_swapped(s, root, a0, a1, b, c))?;
    offer(found, select_nested_then(s, root, a, b0, b1, c))?;
    Flow::Continue(())
}

fn part20<S: Subject>(
    s: &S,
    root: &Root<'_, S::Value>,
    found: &mut impl FnMut(Rewrite<S::Value>) -> Flow,
    a: S::Value,
    b: S::Value,
    c: S::Value,
    a0: S::Value,
    a1: S::Value,
) -> Flow {
    offer(found, select_self_zero(s, root, a, b))?;
    offer(found, select_same(s, root, b, c))?;
    offer(found, select_nonzero(s, root, a, b))?;
    offer(found, select_zero(s, root, a, c))?;
    offer(found, select_le(s, root, a0, a1, b, c))?;
    offer(found, select_le_swapped(s, root, a0, a1, b, c))?;
    Flow::Continue(())
}

fn part21<S: Subject>(
    s: &S,
    root: &Root<'_, S::Value>,
    found: &mut impl FnMut(Rewrite<S::Value>) -> Flow,
    a: S::Value,
    b: S::Value,
    c: S::Value,
    a0: S::Value,
    a1: S::Value,
    c0: S::Value,
    c2: S::Value,
) -> Flow {
    offer(found, select_same(s, root, b, c))?;
    offer(found, select_nonzero(s, root, a, b))?;
    offer(found, select_zero(s, root, a, c))?;
    offer(found, select_le(s, root, a0, a1, b, c))?;
    offer(found, select_le_swapped(s, root, a0, a1, b, c))?;
    offer(found, select_nested_else(s, root, a, b, c0, c2))?;
    Flow::Continue(())
}

fn part22<S: Subject>(
    s: &S,
    root: &Root<'_, S::Value>,
    found: &mut impl FnMut(Rewrite<S::Value>) -> Flow,
    a: S::Value,
    b: S::Value,
    c: S::Value,
    a0: S::Value,
    a1: S::Value,
) -> Flow {
    for node in nodes(s, b) {
        match node {
            Some((Op::Neg, n)) => {
                let b0 = s.operand(n, 0);
                part18(s, root, found, a, b, c, a0, a1, b0)?;
            }
            Some((Op::Select, n)) => {
                let b0 = s.operand(n, 0);
                let b1 = s.operand(n, 1);
                part19(s, root, found, a, b, c, a0, a1, b0, b1)?;
            }
            _ => {
                part17(s, root, found, a, b, c, a0, a1)?;
            }
        }
    }
    Flow::Continue(())
}

fn part23<S: Subject>(
    s: &S,
    root: &Root<'_, S::Value>,
    found: &mut impl FnMut(Rewrite<S::Value>) -> Flow,
    a: S::Value,
    b: S::Value,
    c: S::Value,
    a0: S::Value,
    a1: S::Value,
    b0: S::Value,
    b1: S::Value,
) -> Flow {
    offer(found, select_same(s, root, b, c))?;
    offer(found, select_nonzero(s, root, a, b))?;
    offer(found, select_zero(s, root, a, c))?;
    offer(found, select_gt(s, root, a0, a1, b, c))?;
    offer(found, select_gt_swapped(s, root, a0, a1, b, c))?;
    offer(found, select_nested_then(s, root, a, b0, b1, c))?;
    Flow::Continue(())
}

fn part24<S: Subject>(
    s: &S,
    root: &Root<'_, S::Value>,
    found: &mut impl FnMut(Rewrite<S::Value>) -> Flow,
    a: S::Value,
    b: S::Value,
    c: S::Value,
    a0: S::Value,
    a1: S::Value,
) -> Flow {
    offer(found, select_same(s, root, b, c))?;
    offer(found, select_nonzero(s, root, a, b))?;
    offer(found, select_zero(s, root, a, c))?;
    offer(found, select_gt(s, root, a0, a1, b, c))?;
    offer(found, select_gt_swapped(s, root, a0, a1, b, c))?;
    Flow::Continue(())
}

fn part25<S: Subject>(
    s: &S,
    root: &Root<'_, S::Value>,
    found: &mut impl FnMut(Rewrite<S::Value>) -> Flow,
    a: S::Value,
    b: S::Value,
    c: S::Value,
    a0: S::Value,
    a1: S::Value,
) -> Flow {
    offer(found, select_self_zero(s, root, a, b))?;
    offer(found, select_same(s, root, b, c))?;
    offer(found, select_nonzero(s, root, a, b))?;
    offer(found, select_zero(s, root, a, c))?;
    offer(found, select_gt(s, root, a0, a1, b, c))?;
    offer(found, select_gt_swapped(s, root, a0, a1, b, c))?;
    Flow::Continue(())
}

fn part26<S: Subject>(
    s: &S,
    root: &Root<'_, S::Value>,
    found: &mut impl FnMut(Rewrite<S::Value>) -> Flow,
    a: S::Value,
    b: S::Value,
    c: S::Value,
    c0: S::Value,
    a0: S::Value,
    a1: S::Value,
) -> Flow {
    offer(found, select_same(s, root, b, c))?;
    offer(found, select_nonzero(s, root, a, b))?;
    offer(found, select_zero(s, root, a, c))?;
    offer(found, select_abs_gt(s, root, a0, b, c0))?;
    offer(found, select_gt(s, root, a0, a1, b, c))?;
    offer(found, select_gt_swapped(s, root, a0, a1, b, c))?;
    Flow::Continue(())
}

fn part27<S: Subject>(
    s: &S,
    root: &Root<'_, S::Value>,
    found: &mut impl FnMut(Rewrite<S::Value>) -> Flow,
    a: S::Value,
    b: S::Value,
    c: S::Value,
    a0: S::Value,
    a1: S::Value,
) -> Flow {
    for node in nodes(s, b) {
        match node {
            Some((Op::Select, n)) => {
                let b0 = s.operand(n, 0);
                let b1 = s.operand(n, 1);
                part23(s, root, found, a, b, c, a0, a1, b0, b1)?;
            }
            _ => {
                part24(s, root, found, a, b, c, a0, a1)?;
            }
        }
    }
    Flow::Continue(())
}

fn part28<S: Subject>(
    s: &S,
    root: &Root<'_, S::Value>,
    found: &mut impl FnMut(Rewrite<S::Value>) -> Flow,
    a: S::Value,
    b: S::Value,
    c: S::Value,
    a0: S::Value,
    a1: S::Value,
    c0: S::Value,
    c2: S::Value,
) -> Flow {
    offer(found, select_same(s, root, b, c))?;
    offer(found, select_nonzero(s, root, a, b))?;
    offer(found, select_zero(s, root, a, c))?;
    offer(found, select_gt(s, root, a0, a1, b, c))?;
    offer(found, select_gt_swapped(s, root, a0, a1, b, c))?;
    offer(found, select_nested_else(s, root, a, b, c0, c2))?;
    Flow::Continue(())
}

fn part29<S: Subject>(
    s: &S,
    root: &Root<'_, S::Value>,
    found: &mut impl FnMut(Rewrite<S::Value>) -> Flow,
    a: S::Value,
    b: S::Value,
    c: S::Value,
    a0: S::Value,
    a1: S::Value,
    b0: S::Value,
    b1: S::Value,
) -> Flow {
    offer(found, select_same(s, root, b, c))?;
    offer(found, select_nonzero(s, root, a, b))?;
    offer(found, select_zero(s, root, a, c))?;
    offer(found, select_ge(s, root, a0, a1, b, c))?;
    offer(found, select_ge_swapped(s, root, a0, a1, b, c))?;
    offer(found, select_nested_then(s, root, a, b0, b1, c))?;
    Flow::Continue(())
}

fn part30<S: Subject>(
    s: &S,
    root: &Root<'_, S::Value>,
    found: &mut impl FnMut(Rewrite<S::Value>) -> Flow,
    a: S::Value,
    b: S::Value,
    c: S::Value,
    a0: S::Value,
    a1: S::Value,
) -> Flow {
    offer(found, select_same(s, root, b, c))?;
    offer(found, select_nonzero(s, root, a, b))?;
    offer(found, select_zero(s, root, a, c))?;
    offer(found, select_ge(s, root, a0, a1, b, c))?;
    offer(found, select_ge_swapped(s, root, a0, a1, b, c))?;
    Flow::Continue(())
}

fn part31<S: Subject>(
    s: &S,
    root: &Root<'_, S::Value>,
    found: &mut impl FnMut(Rewrite<S::Value>) -> Flow,
    a: S::Value,
    b: S::Value,
    c: S::Value,
    a0: S::Value,
    a1: S::Value,
) -> Flow {
    offer(found, select_self_zero(s, root, a, b))?;
    offer(found, select_same(s, root, b, c))?;
    offer(found, select_nonzero(s, root, a, b))?;
    offer(found, select_zero(s, root, a, c))?;
    offer(found, select_ge(s, root, a0, a1, b, c))?;
    offer(found, select_ge_swapped(s, root, a0, a1, b, c))?;
    Flow::Continue(())
}

fn part32<S: Subject>(
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
    offer(found, select_same(s, root, b, c))?;
    offer(found, select_nonzero(s, root, a, b))?;
    offer(found, select_zero(s, root, a, c))?;
    offer(found, select_abs_ge(s, root, a0, b, c0))?;
    offer(found, select_ge(s, root, a0, a1, b, c))?;
    offer(found, select_ge_swapped(s, root, a0, a1, b, c))?;
    Flow::Continue(())
}

fn part33<S: Subject>(
    s: &S,
    root: &Root<'_, S::Value>,
    found: &mut impl FnMut(Rewrite<S::Value>) -> Flow,
    a: S::Value,
    b: S::Value,
    c: S::Value,
    a0: S::Value,
    a1: S::Value,
) -> Flow {
    for node in nodes(s, b) {
        match node {
            Some((Op::Select, n)) => {
                let b0 = s.operand(n, 0);
                let b1 = s.operand(n, 1);
                part29(s, root, found, a, b, c, a0, a1, b0, b1)?;
            }
            _ => {
                part30(s, root, found, a, b, c, a0, a1)?;
            }
        }
    }
    Flow::Continue(())
}

fn part34<S: Subject>(
    s: &S,
    root: &Root<'_, S::Value>,
    found: &mut impl FnMut(Rewrite<S::Value>) -> Flow,
    a: S::Value,
    b: S::Value,
    c: S::Value,
    a0: S::Value,
    a1: S::Value,
    c0: S::Value,
    c2: S::Value,
) -> Flow {
    offer(found, select_same(s, root, b, c))?;
    offer(found, select_nonzero(s, root, a, b))?;
    offer(found, select_zero(s, root, a, c))?;
    offer(found, select_ge(s, root, a0, a1, b, c))?;
    offer(found, select_ge_swapped(s, root, a0, a1, b, c))?;
    offer(found, select_nested_else(s, root, a, b, c0, c2))?;
    Flow::Continue(())
}

fn part35<S: Subject>(
    s: &S,
    root: &Root<'_, S::Value>,
    found: &mut impl FnMut(Rewrite<S::Value>) -> Flow,
    a: S::Value,
    b: S::Value,
    c: S::Value,
    a0: S::Value,
    a1: S::Value,
    b0: S::Value,
    b1: S::Value,
) -> Flow {
    offer(found, select_same(s, root, b, c))?;
    offer(found, select_nonzero(s, root, a, b))?;
    offer(found, select_zero(s, root, a, c))?;
    offer(found, select_ult(s, root, a0, a1, b, c))?;
    offer(found, select_ult_swapped(s, root, a0, a1, b, c))?;
    offer(found, select_nested_then(s, root, a, b0, b1, c))?;
    Flow::Continue(())
}

fn part36<S: Subject>(
    s: &S,
    root: &Root<'_, S::Value>,
    found: &mut impl FnMut(Rewrite<S::Value>) -> Flow,
    a: S::Value,
    b: S::Value,
    c: S::Value,
    a0: S::Value,
    a1: S::Value,
) -> Flow {
    offer(found, select_same(s, root, b, c))?;
    offer(found, select_nonzero(s, root, a, b))?;
    offer(found, select_zero(s, root, a, c))?;
    offer(found, select_ult(s, root, a0, a1, b, c))?;
    offer(found, select_ult_swapped(s, root, a0, a1, b, c))?;
    Flow::Continue(())
}

fn part37<S: Subject>(
    s: &S,
    root: &Root<'_, S::Value>,
    found: &mut impl FnMut(Rewrite<S::Value>) -> Flow,
    a: S::Value,
    b: S::Value,
    c: S::Value,
    a0: S::Value,
    a1: S::Value,
) -> Flow {
    offer(found, select_self_zero(s, root, a, b))?;
    offer(found, select_same(s, root, b, c))?;
    offer(found, select_nonzero(s, root, a, b))?;
    offer(found, select_zero(s, root, a, c))?;
    offer(found, select_ult(s, root, a0, a1, b, c))?;
    offer(found, select_ult_swapped(s, root, a0, a1, b, c))?;
    Flow::Continue(())
}

fn part38<S: Subject>(
    s: &S,
    root: &Root<'_, S::Value>,
    found: &mut impl FnMut(Rewrite<S::Value>) -> Flow,
    a: S::Value,
    b: S::Value,
    c: S::Value,
    a0: S::Value,
    a1: S::Value,
    c0: S::Value,
    c2: S::Value,
) -> Flow {
    offer(found, select_same(s, root, b, c))?;
    offer(found, select_nonzero(s, root, a, b))?;
    offer(found, select_zero(s, root, a, c))?;
    offer(found, select_ult(s, root, a0, a1, b, c))?;
    offer(found, select_ult_swapped(s, root, a0, a1, b, c))?;
    offer(found, select_nested_else(s, root, a, b, c0, c2))?;
    Flow::Continue(())
}

fn part39<S: Subject>(
    s: &S,
    root: &Root<'_, S::Value>,
    found: &mut impl FnMut(Rewrite<S::Value>) -> Flow,
    a: S::Value,
    b: S::Value,
    c: S::Value,
    a0: S::Value,
    a1: S::Value,
) -> Flow {
    for node in nodes(s, b) {
        match node {
            Some((Op::Select, n)) => {
                let b0 = s.operand(n, 0);
                let b1 = s.operand(n, 1);
                part35(s, root, found, a, b, c, a0, a1, b0, b1)?;
            }
            _ => {
                part36(s, root, found, a, b, c, a0, a1)?;
            }
        }
    }
    Flow::Continue(())
}

fn part40<S: Subject>(
    s: &S,
    root: &Root<'_, S::Value>,
    found: &mut impl FnMut(Rewrite<S::Value>) -> Flow,
    a: S::Value,
    b: S::Value,
    c: S::Value,
    a0: S::Value,
    a1: S::Value,
    b0: S::Value,
    b1: S::Value,
) -> Flow {
    offer(found, select_same(s, root, b, c))?;
    offer(found, select_nonzero(s, root, a, b))?;
    offer(found, select_zero(s, root, a, c))?;
    offer(found, select_ule(s, root, a0, a1, b, c))?;
    offer(found, select_ule_swapped(s, root, a0, a1, b, c))?;
    offer(found, select_nested_then(s, root, a, b0, b1, c))?;
    Flow::Continue(())
}

fn part41<S: Subject>(
    s: &S,
    root: &Root<'_, S::Value>,
    found: &mut impl FnMut(Rewrite<S::Value>) -> Flow,
    a: S::Value,
    b: S::Value,
    c: S::Value,
    a0: S::Value,
    a1: S::Value,
) -> Flow {
    offer(found, select_same(s, root, b, c))?;
    offer(found, select_nonzero(s, root, a, b))?;
    offer(found, select_zero(s, root, a, c))?;
    offer(found, select_ule(s, root, a0, a1, b, c))?;
    offer(found, select_ule_swapped(s, root, a0, a1, b, c))?;
    Flow::Continue(())
}

fn part42<S: Subject>(
    s: &S,
    root: &Root<'_, S::Value>,
    found: &mut impl FnMut(Rewrite<S::Value>) -> Flow,
    a: S::Value,
    b: S::Value,
    c: S::Value,
    a0: S::Value,
    a1: S::Value,
) -> Flow {
    offer(found, select_self_zero(s, root, a, b))?;
    offer(found, select_same(s, root, b, c))?;
    offer(found, select_nonzero(s, root, a, b))?;
    offer(found, select_zero(s, root, a, c))?;
    offer(found, select_ule(s, root, a0, a1, b, c))?;
    offer(found, select_ule_swapped(s, root, a0, a1, b, c))?;
    Flow::Continue(())
}

fn part43<S: Subject>(
    s: &S,
    root: &Root<'_, S::Value>,
    found: &mut impl FnMut(Rewrite<S::Value>) -> Flow,
    a: S::Value,
    b: S::Value,
    c: S::Value,
    a0: S::Value,
    a1: S::Value,
    c0: S::Value,
    c2: S::Value,
) -> Flow {
    offer(found, select_same(s, root, b, c))?;
    offer(found, select_nonzero(s, root, a, b))?;
    offer(found, select_zero(s, root, a, c))?;
    offer(found, select_ule(s, root, a0, a1, b, c))?;
    offer(found, select_ule_swapped(s, root, a0, a1, b, c))?;
    offer(found, select_nested_else(s, root, a, b, c0, c2))?;
    Flow::Continue(())
}

fn part44<S: Subject>(
    s: &S,
    root: &Root<'_, S::Value>,
    found: &mut impl FnMut(Rewrite<S::Value>) -> Flow,
    a: S::Value,
    b: S::Value,
    c: S::Value,
    a0: S::Value,
    a1: S::Value,
) -> Flow {
    for node in nodes(s, b) {
        match node {
            Some((Op::Select, n)) => {
                let b0 = s.operand(n, 0);
                let b1 = s.operand(n, 1);
                part40(s, root, found, a, b, c, a0, a1, b0, b1)?;
            }
            _ => {
                part41(s, root, found, a, b, c, a0, a1)?;
            }
        }
    }
    Flow::Continue(())
}

fn part45<S: Subject>(
    s: &S,
    root: &Root<'_, S::Value>,
    found: &mut impl FnMut(Rewrite<S::Value>) -> Flow,
    a: S::Value,
    b: S::Value,
    c: S::Value,
    a0: S::Value,
    a1: S::Value,
    b0: S::Value,
    b1: S::Value,
) -> Flow {
    offer(found, select_same(s, root, b, c))?;
    offer(found, select_nonzero(s, root, a, b))?;
    offer(found, select_zero(s, root, a, c))?;
    offer(found, select_ugt(s, root, a0, a1, b, c))?;
    offer(found, select_ugt_swapped(s, root, a0, a1, b, c))?;
    offer(found, select_nested_then(s, root, a, b0, b1, c))?;
    Flow::Continue(())
}

fn part46<S: Subject>(
    s: &S,
    root: &Root<'_, S::Value>,
    found: &mut impl FnMut(Rewrite<S::Value>) -> Flow,
    a: S::Value,
    b: S::Value,
    c: S::Value,
    a0: S::Value,
    a1: S::Value,
) -> Flow {
    offer(found, select_same(s, root, b, c))?;
    offer(found, select_nonzero(s, root, a, b))?;
    offer(found, select_zero(s, root, a, c))?;
    offer(found, select_ugt(s, root, a0, a1, b, c))?;
    offer(found, select_ugt_swapped(s, root, a0, a1, b, c))?;
    Flow::Continue(())
}

fn part47<S: Subject>(
    s: &S,
    root: &Root<'_, S::Value>,
    found: &mut impl FnMut(Rewrite<S::Value>) -> Flow,
    a: S::Value,
    b: S::Value,
    c: S::Value,
    a0: S::Value,
    a1: S::Value,
) -> Flow {
    offer(found, select_self_zero(s, root, a, b))?;
    offer(found, select_same(s, root, b, c))?;
    offer(found, select_nonzero(s, root, a, b))?;
    offer(found, select_zero(s, root, a, c))?;
    offer(found, select_ugt(s, root, a0, a1, b, c))?;
    offer(found, select_ugt_swapped(s, root, a0, a1, b, c))?;
    Flow::Continue(())
}

fn part48<S: Subject>(
    s: &S,
    root: &Root<'_, S::Value>,
    found: &mut impl FnMut(Rewrite<S::Value>) -> Flow,
    a: S::Value,
    b: S::Value,
    c: S::Value,
    a0: S::Value,
    a1: S::Value,
    c0: S::Value,
    c2: S::Value,
) -> Flow {
    offer(found, select_same(s, root, b, c))?;
    offer(found, select_nonzero(s, root, a, b))?;
    offer(found, select_zero(s, root, a, c))?;
    offer(found, select_ugt(s, root, a0, a1, b, c))?;
    offer(found, select_ugt_swapped(s, root, a0, a1, b, c))?;
    offer(found, select_nested_else(s, root, a, b, c0, c2))?;
    Flow::Continue(())
}

fn part49<S: Subject>(
    s: &S,
    root: &Root<'_, S::Value>,
    found: &mut impl FnMut(Rewrite<S::Value>) -> Flow,
    a: S::Value,
    b: S::Value,
    c: S::Value,
    a0: S::Value,
    a1: S::Value,
) -> Flow {
    for node in nodes(s, b) {
        match node {
            Some((Op::Select, n)) => {
                let b0 = s.operand(n, 0);
                let b1 = s.operand(n, 1);
                part45(s, root, found, a, b, c, a0, a1, b0, b1)?;
            }
            _ => {
                part46(s, root, found, a, b, c, a0, a1)?;
            }
        }
    }
    Flow::Continue(())
}

fn part50<S: Subject>(
    s: &S,
    root: &Root<'_, S::Value>,
    found: &mut impl FnMut(Rewrite<S::Value>) -> Flow,
    a: S::Value,
    b: S::Value,
    c: S::Value,
    a0: S::Value,
    a1: S::Value,
    b0: S::Value,
    b1: S::Value,
) -> Flow {
    offer(found, select_same(s, root, b, c))?;
    offer(found, select_nonzero(s, root, a, b))?;
    offer(found, select_zero(s, root, a, c))?;
    offer(found, select_uge(s, root, a0, a1, b, c))?;
    offer(found, select_uge_swapped(s, root, a0, a1, b, c))?;
    offer(found, select_nested_then(s, root, a, b0, b1, c))?;
    Flow::Continue(())
}

fn part51<S: Subject>(
    s: &S,
    root: &Root<'_, S::Value>,
    found: &mut impl FnMut(Rewrite<S::Value>) -> Flow,
    a: S::Value,
    b: S::Value,
    c: S::Value,
    a0: S::Value,
    a1: S::Value,
) -> Flow {
    offer(found, select_same(s, root, b, c))?;
    offer(found, select_nonzero(s, root, a, b))?;
    offer(found, select_zero(s, root, a, c))?;
    offer(found, select_uge(s, root, a0, a1, b, c))?;
    offer(found, select_uge_swapped(s, root, a0, a1, b, c))?;
    Flow::Continue(())
}

fn part52<S: Subject>(
    s: &S,
    root: &Root<'_, S::Value>,
    found: &mut impl FnMut(Rewrite<S::Value>) -> Flow,
    a: S::Value,
    b: S::Value,
    c: S::Value,
    a0: S::Value,
    a1: S::Value,
) -> Flow {
    offer(found, select_self_zero(s, root, a, b))?;
    offer(found, select_same(s, root, b, c))?;
    offer(found, select_nonzero(s, root, a, b))?;
    offer(found, select_zero(s, root, a, c))?;
    offer(found, select_uge(s, root, a0, a1, b, c))?;
    offer(found, select_uge_swapped(s, root, a0, a1, b, c))?;
    Flow::Continue(())
}

fn part53<S: Subject>(
    s: &S,
    root: &Root<'_, S::Value>,
    found: &mut impl FnMut(Rewrite<S::Value>) -> Flow,
    a: S::Value,
    b: S::Value,
    c: S::Value,
    a0: S::Value,
    a1: S::Value,
    c0: S::Value,
    c2: S::Value,
) -> Flow {
    offer(found, select_same(s, root, b, c))?;
    offer(found, select_nonzero(s, root, a, b))?;
    offer(found, select_zero(s, root, a, c))?;
    offer(found, select_uge(s, root, a0, a1, b, c))?;
    offer(found, select_uge_swapped(s, root, a0, a1, b, c))?;
    offer(found, select_nested_else(s, root, a, b, c0, c2))?;
    Flow::Continue(())
}

fn part54<S: Subject>(
    s: &S,
    root: &Root<'_, S::Value>,
    found: &mut impl FnMut(Rewrite<S::Value>) -> Flow,
    a: S::Value,
    b: S::Value,
    c: S::Value,
    a0: S::Value,
    a1: S::Value,
) -> Flow {
    for node in nodes(s, b) {
        match node {
            Some((Op::Select, n)) => {
                let b0 = s.operand(n, 0);
                let b1 = s.operand(n, 1);
                part50(s, root, found, a, b, c, a0, a1, b0, b1)?;
            }
            _ => {
                part51(s, root, found, a, b, c, a0, a1)?;
            }
        }
    }
    Flow::Continue(())
}

fn part55<S: Subject>(
    s: &S,
    root: &Root<'_, S::Value>,
    found: &mut impl FnMut(Rewrite<S::Value>) -> Flow,
    a: S::Value,
    b: S::Value,
    c: S::Value,
    a0: S::Value,
) -> Flow {
    offer(found, select_self_zero(s, root, a, b))?;
    offer(found, select_same(s, root, b, c))?;
    offer(found, select_nonzero(s, root, a, b))?;
    offer(found, select_zero(s, root, a, c))?;
    offer(found, select_is_true(s, root, a0, b, c))?;
    Flow::Continue(())
}

fn part56<S: Subject>(
    s: &S,
    root: &Root<'_, S::Value>,
    found: &mut impl FnMut(Rewrite<S::Value>) -> Flow,
    a: S::Value,
    b: S::Value,
    c: S::Value,
    c0: S::Value,
    c2: S::Value,
    a0: S::Value,
) -> Flow {
    offer(found, select_same(s, root, b, c))?;
    offer(found, select_nonzero(s, root, a, b))?;
    offer(found, select_zero(s, root, a, c))?;
    offer(found, select_nested_else(s, root, a, b, c0, c2))?;
    offer(found, select_is_true(s, root, a0, b, c))?;
    Flow::Continue(())
}

fn part57<S: Subject>(
    s: &S,
    root: &Root<'_, S::Value>,
    found: &mut impl FnMut(Rewrite<S::Value>) -> Flow,
    a: S::Value,
    b: S::Value,
    c: S::Value,
    a0: S::Value,
) -> Flow {
    offer(found, select_same(s, root, b, c))?;
    offer(found, select_nonzero(s, root, a, b))?;
    offer(found, select_zero(s, root, a, c))?;
    offer(found, select_is_true(s, root, a0, b, c))?;
    Flow::Continue(())
}

fn part58<S: Subject>(
    s: &S,
    root: &Root<'_, S::Value>,
    found: &mut impl FnMut(Rewrite<S::Value>) -> Flow,
    a: S::Value,
    b: S::Value,
    c: S::Value,
    a0: S::Value,
) -> Flow {
    for node in nodes(s, b) {
        match node {
            Some((Op::Select, n)) => {
                let b0 = s.operand(n, 0);
                let b1 = s.operand(n, 1);
                offer(found, select_same(s, root, b, c))?;
                offer(found, select_nonzero(s, root, a, b))?;
                offer(found, select_zero(s, root, a, c))?;
                offer(found, select_nested_then(s, root, a, b0, b1, c))?;
                offer(found, select_is_true(s, root, a0, b, c))?;
            }
            _ => {
                part57(s, root, found, a, b, c, a0)?;
            }
        }
    }
    Flow::Continue(())
}

fn part59<S: Subject>(
    s: &S,
    root: &Root<'_, S::Value>,
    found: &mut impl FnMut(Rewrite<S::Value>) -> Flow,
    a: S::Value,
    b: S::Value,
    c: S::Value,
    a0: S::Value,
) -> Flow {
    offer(found, select_self_zero(s, root, a, b))?;
    offer(found, select_same(s, root, b, c))?;
    offer(found, select_nonzero(s, root, a, b))?;
    offer(found, select_zero(s, root, a, c))?;
    offer(found, select_is_zero(s, root, a0, b, c))?;
    Flow::Continue(())
}

fn part60<S: Subject>(
    s: &S,
    root: &Root<'_, S::Value>,
    found: &mut impl FnMut(Rewrite<S::Value>) -> Flow,
    a: S::Value,
    b: S::Value,
    c: S::Value,
    c0: S::Value,
    c2: S::Value,
    a0: S::Value,
) -> Flow {
    offer(found, select_same(s, root, b, c))?;
    offer(found, select_nonzero(s, root, a, b))?;
    offer(found, select_zero(s, root, a, c))?;
    offer(found, select_nested_else(s, root, a, b, c0, c2))?;
    offer(found, select_is_zero(s, root, a0, b, c))?;
    Flow::Continue(())
}

fn part61<S: Subject>(
    s: &S,
    root: &Root<'_, S::Value>,
    found: &mut impl FnMut(Rewrite<S::Value>) -> Flow,
    a: S::Value,
    b: S::Value,
    c: S::Value,
    a0: S::Value,
) -> Flow {
    offer(found, select_same(s, root, b, c))?;
    offer(found, select_nonzero(s, root, a, b))?;
    offer(found, select_zero(s, root, a, c))?;
    offer(found, select_is_zero(s, root, a0, b, c))?;
    Flow::Continue(())
}

fn part62<S: Subject>(
    s: &S,
    root: &Root<'_, S::Value>,
    found: &mut impl FnMut(Rewrite<S::Value>) -> Flow,
    a: S::Value,
    b: S::Value,
    c: S::Value,
    a0: S::Value,
) -> Flow {
    for node in nodes(s, b) {
        match node {
            Some((Op::Select, n)) => {
                let b0 = s.operand(n, 0);
                let b1 = s.operand(n, 1);
                offer(found, select_same(s, root, b, c))?;
                offer(found, select_nonzero(s, root, a, b))?;
                offer(found, select_zero(s, root, a, c))?;
                offer(found, select_nested_then(s, root, a, b0, b1, c))?;
                offer(found, select_is_zero(s, root, a0, b, c))?;
            }
            _ => {
                part61(s, root, found, a, b, c, a0)?;
            }
        }
    }
    Flow::Continue(())
}

fn part63<S: Subject>(
    s: &S,
    root: &Root<'_, S::Value>,
    found: &mut impl FnMut(Rewrite<S::Value>) -> Flow,
    a: S::Value,
    b: S::Value,
    c: S::Value,
    b0: S::Value,
    b1: S::Value,
) -> Flow {
    offer(found, select_same(s, root, b, c))?;
    offer(found, select_nonzero(s, root, a, b))?;
    offer(found, select_zero(s, root, a, c))?;
    offer(found, select_nested_then(s, root, a, b0, b1, c))?;
    Flow::Continue(())
}

fn part64<S: Subject>(
    s: &S,
    root: &Root<'_, S::Value>,
    found: &mut impl FnMut(Rewrite<S::Value>) -> Flow,
    a: S::Value,
    b: S::Value,
    c: S::Value,
) -> Flow {
    offer(found, select_same(s, root, b, c))?;
    offer(found, select_nonzero(s, root, a, b))?;
    offer(found, select_zero(s, root, a, c))?;
    Flow::Continue(())
}

fn part65<S: Subject>(
    s: &S,
    root: &Root<'_, S::Value>,
    found: &mut impl FnMut(Rewrite<S::Value>) -> Flow,
    a: S::Value,
    b: S::Value,
    c: S::Value,
) -> Flow {
    offer(found, select_self_zero(s, root, a, b))?;
    offer(found, select_same(s, root, b, c))?;
    offer(found, select_nonzero(s, root, a, b))?;
    offer(found, select_zero(s, root, a, c))?;
    Flow::Continue(())
}

fn part66<S: Subject>(
    s: &S,
    root: &Root<'_, S::Value>,
    found: &mut impl FnMut(Rewrite<S::Value>) -> Flow,
    a: S::Value,
    b: S::Value,
    c: S::Value,
    c0: S::Value,
    c2: S::Value,
) -> Flow {
    offer(found, select_same(s, root, b, c))?;
    offer(found, select_nonzero(s, root, a, b))?;
    offer(found, select_zero(s, root, a, c))?;
    offer(found, select_nested_else(s, root, a, b, c0, c2))?;
    Flow::Continue(())
}

fn part67<S: Subject>(
    s: &S,
    root: &Root<'_, S::Value>,
    found: &mut impl FnMut(Rewrite<S::Value>) -> Flow,
    a: S::Value,
    b: S::Value,
    c: S::Value,
) -> Flow {
    for node in nodes(s, b) {
        match node {
            Some((Op::Select, n)) => {
                let b0 = s.operand(n, 0);
                let b1 = s.operand(n, 1);
                part63(s, root, found, a, b, c, b0, b1)?;
            }
            _ => {
                part64(s, root, found, a, b, c)?;
            }
        }
    }
    Flow::Continue(())
}

fn part68<S: Subject>(
    s: &S,
    root: &Root<'_, S::Value>,
    found: &mut impl FnMut(Rewrite<S::Value>) -> Flow,
    a: S::Value,
    b: S::Value,
    c: S::Value,
) -> Flow {
    if let Some(constant) = s.constant(c) {
        match constant {
            Const::Int(i) if i.signed() == -1 => {
                if let Some(constant) = s.constant(b) {
                    match constant {
                        Const::Int(i) if i.signed() == 0 => {
                            offer(found, select_same(s, root, b, c))?;
                            offer(found, select_nonzero(s, root, a, b))?;
                            offer(found, select_zero(s, root, a, c))?;
                            offer(found, select_bits_negated(s, root, a))?;
                        }
                        _ => {
                            part64(s, root, found, a, b, c)?;
                        }
                    }
                } else {
                    for node in nodes(s, b) {
                        match node {
                            Some((Op::Select, n)) => {
                                let b0 = s.operand(n, 0);
                                let b1 = s.operand(n, 1);
                                part63(s, root, found, a, b, c, b0, b1)?;
                            }
                            _ => {
                                part64(s, root, found, a, b, c)?;
                            }
                        }
                    }
                }
            }
            Const::Int(i) if i.signed() == 0 => {
                if let Some(constant) = s.constant(b) {
                    match constant {
                        Const::Int(i) if i.signed() == -1 => {
                            offer(found, select_self_zero(s, root, a, b))?;
                            offer(found, select_same(s, root, b, c))?;
                            offer(found, select_nonzero(s, root, a, b))?;
                            offer(found, select_zero(s, root, a, c))?;
                            offer(found, select_bits(s, root, a))?;
                        }
                        Const::Int(i) if i.signed() == 1 => {
                            offer(found, select_self_zero(s, root, a, b))?;
                            offer(found, select_same(s, root, b, c))?;
                            offer(found, select_nonzero(s, root, a, b))?;
                            offer(found, select_zero(s, root, a, c))?;
                            offer(found, select_one_zero(s, root, a))?;
                        }
                        _ => {
                            part65(s, root, found, a, b, c)?;
                        }
                    }
                } else {
                    for node in nodes(s, b) {
                        match node {
                            Some((Op::Select, n)) => {
                                let b0 = s.operand(n, 0);
                                let b1 = s.operand(n, 1);
                                offer(found, select_self_zero(s, root, a, b))?;
                                offer(found, select_same(s, root, b, c))?;
                                offer(found, select_nonzero(s, root, a, b))?;
                                offer(found, select_zero(s, root, a, c))?;
                                offer(found, select_nested_then(s, root, a, b0, b1, c))?;
                            }
                            _ => {
                                part65(s, root, found, a, b, c)?;
                            }
                        }
                    }
                }
            }
            Const::Int(i) if i.signed() == 1 => {
                if let Some(constant) = s.constant(b) {
                    match constant {
                        Const::Int(i) if i.signed() == 0 => {
                            offer(found, select_same(s, root, b, c))?;
                            offer(found, select_nonzero(s, root, a, b))?;
                            offer(found, select_zero(s, root, a, c))?;
                            offer(found, select_zero_one(s, root, a))?;
                        }
                        _ => {
                            part64(s, root, found, a, b, c)?;
                        }
                    }
                } else {
                    for node in nodes(s, b) {
                        match node {
                            Some((Op::Select, n)) => {
                                let b0 = s.operand(n, 0);
                                let b1 = s.operand(n, 1);
                                part63(s, root, found, a, b, c, b0, b1)?;
                            }
                            _ => {
                                part64(s, root, found, a, b, c)?;
                            }
                        }
                    }
                }
            }
            _ => {
                part67(s, root, found, a, b, c)?;
            }
        }
    } else {
        for node in nodes(s, c) {
            match node {
                Some((Op::Select, n)) => {
                    let c0 = s.operand(n, 0);
                    let c2 = s.operand(n, 2);
                    for node in nodes(s, b) {
                        match node {
                            Some((Op::Select, n)) => {
                                let b0 = s.operand(n, 0);
                                let b1 = s.operand(n, 1);
                                offer(found, select_same(s, root, b, c))?;
                                offer(found, select_nonzero(s, root, a, b))?;
                                offer(found, select_zero(s, root, a, c))?;
                                offer(found, select_nested_else(s, root, a, b, c0, c2))?;
                                offer(found, select_nested_then(s, root, a, b0, b1, c))?;
                            }
                            _ => {
                                part66(s, root, found, a, b, c, c0, c2)?;
                            }
                        }
                    }
                }
                _ => {
                    part67(s, root, found, a, b, c)?;
                }
            }
        }
    }
    Flow::Continue(())
}

// select_eq: select(eq(x, y), x, y)
//     # Where they are equal, y is x.
//     => y
fn select_eq<S: Subject>(
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
    Some(Rewrite { rule: rule(names::SELECT_EQ), plan: Plan::new(), outcome: Outcome::Value(Operand::Value(y)) })
}

// select_ne: select(ne(x, y), x, y)
//     # Where they are equal, y is x.
//     => x
fn select_ne<S: Subject>(
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
    Some(Rewrite { rule: rule(names::SELECT_NE), plan: Plan::new(), outcome: Outcome::Value(Operand::Value(x)) })
}

// select_self_zero: select(x, x, 0)
//     # Where x is zero, 0 is x.
//     => x
fn select_self_zero<S: Subject>(
    s: &S,
    _root: &Root<'_, S::Value>,
    x: S::Value,
    x_2: S::Value,
) -> Option<Rewrite<S::Value>> {
    if !same(s, x, x_2) {
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
    if !c_fact.known_nonzero() {
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
    Some(Rewrite { rule: rule(names::SELECT_ZERO), plan: Plan::new(), outcome: Outcome::Value(Operand::Value(y)) })
}

// select_abs_ge: select(ge(x, 0), x, neg(x))
//     # The absolute value.
//     => abs(x)
fn select_abs_ge<S: Subject>(
    s: &S,
    root: &Root<'_, S::Value>,
    x: S::Value,
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
    let mut plan = Plan::new();
    let new1 = plan.push(Op::Abs, ty0, &[Operand::Value(x)]);
    Some(Rewrite { rule: rule(names::SELECT_ABS_LT), plan, outcome: Outcome::Value(new1) })
}

// select_ge: select(ge(x, y), x, y)
//     # The larger.
//     => max(x, y)
fn select_ge<S: Subject>(
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
    _s: &S,
    root: &Root<'_, S::Value>,
    c: S::Value,
    x: S::Value,
    y: S::Value,
) -> Option<Rewrite<S::Value>> {
    let ty0 = root.ty;
    let mut plan = Plan::new();
    let new1 = plan.push(Op::Select, ty0, &[Operand::Value(c), Operand::Value(x), Operand::Value(y)]);
    Some(Rewrite { rule: rule(names::SELECT_IS_TRUE), plan, outcome: Outcome::Value(new1) })
}

// select_is_zero: select(is_zero(c), x, y)
//     # The negation exchanges the ways.
//     => select(c, y, x)
fn select_is_zero<S: Subject>(
    _s: &S,
    root: &Root<'_, S::Value>,
    c: S::Value,
    x: S::Value,
    y: S::Value,
) -> Option<Rewrite<S::Value>> {
    let ty0 = root.ty;
    let mut plan = Plan::new();
    let new1 = plan.push(Op::Select, ty0, &[Operand::Value(c), Operand::Value(y), Operand::Value(x)]);
    Some(Rewrite { rule: rule(names::SELECT_IS_ZERO), plan, outcome: Outcome::Value(new1) })
}

// select_bits: select(c, -1: i1, 0)
//     # The condition as a bit.
//     => is_true(c)
fn select_bits<S: Subject>(
    _s: &S,
    root: &Root<'_, S::Value>,
    c: S::Value,
) -> Option<Rewrite<S::Value>> {
    if root.ty != Type::Int(1) {
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
    _s: &S,
    root: &Root<'_, S::Value>,
    c: S::Value,
) -> Option<Rewrite<S::Value>> {
    if root.ty != Type::Int(1) {
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
    _s: &S,
    root: &Root<'_, S::Value>,
    c: S::Value,
) -> Option<Rewrite<S::Value>> {
    let ty0 = root.ty;
    let mut plan = Plan::new();
    let new1 = plan.push(Op::IsTrue, ty0, &[Operand::Value(c)]);
    Some(Rewrite { rule: rule(names::SELECT_ONE_ZERO), plan, outcome: Outcome::Value(new1) })
}

// select_zero_one: select(c, 0, 1)
//     # The negated condition as a number.
//     => is_zero(c)
fn select_zero_one<S: Subject>(
    _s: &S,
    root: &Root<'_, S::Value>,
    c: S::Value,
) -> Option<Rewrite<S::Value>> {
    let ty0 = root.ty;
    let mut plan = Plan::new();
    let new1 = plan.push(Op::IsZero, ty0, &[Operand::Value(c)]);
    Some(Rewrite { rule: rule(names::SELECT_ZERO_ONE), plan, outcome: Outcome::Value(new1) })
}

