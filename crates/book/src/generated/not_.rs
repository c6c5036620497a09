//! Rules whose pattern begins with `not`, in the order in which they are tried:
//!
//! - not_add_const
//! - not_sub_const
//! - not_xor_const
//! - not_neg
//! - not_bit
//!
//! Generated from `rules/*.rules`.

use planish_ops::{Bits, Int, Machine, Op, Type};
use planish_rules::matching::{Const, Flow, Operand, Outcome, Plan, Rewrite, Root, Subject, int, nodes, offer, operands2};

use super::names::{self, rule};

/// Hands every rewrite of a `not` to `found`, until it says stop.
pub fn root<S: Subject>(
    s: &S,
    root: &Root<'_, S::Value>,
    found: &mut impl FnMut(Rewrite<S::Value>) -> Flow,
) -> Flow {
    let a = root.args[0];
    for node in nodes(s, a) {
        match node {
            Some((Op::Add, n)) => {
                let [a0, a1] = operands2(s, n);
                if s.constant(a1).is_some() {
                    offer(found, not_add_const(s, root, a0, a1))?;
                }
            }
            Some((Op::Sub, n)) => {
                let [a0, a1] = operands2(s, n);
                if s.constant(a0).is_some() {
                    offer(found, not_sub_const(s, root, a0, a1))?;
                }
            }
            Some((Op::Neg, n)) => {
                let a0 = s.operand(n, 0);
                offer(found, not_neg(s, root, a0))?;
            }
            Some((Op::Xor, n)) => {
                let [a0, a1] = operands2(s, n);
                if s.constant(a1).is_some() {
                    offer(found, not_xor_const(s, root, a0, a1))?;
                }
            }
            _ => {}
        }
    }
    offer(found, not_bit(s, root, a))?;
    Flow::Continue(())
}

// not_add_const: not(add(x, C1))
//     # ~(x + C) = -x - C - 1 = ~C - x
//     C = ~C1
//     => sub(C, x)
fn not_add_const<S: Subject>(
    s: &S,
    root: &Root<'_, S::Value>,
    x: S::Value,
    at_c1: S::Value,
) -> Option<Rewrite<S::Value>> {
    let ty0 = root.ty;
    let the_c1 = int(s, at_c1)?;
    let the_c = Machine.not(the_c1);
    let mut plan = Plan::new();
    let new1 = plan.push(Op::Sub, ty0, &[Operand::Const(Const::Int(the_c)), Operand::Value(x)]);
    Some(Rewrite { rule: rule(names::NOT_ADD_CONST), plan, outcome: Outcome::Value(new1) })
}

// not_sub_const: not(sub(C1, x))
//     # ~(C - x) = x - C - 1 = x + ~C
//     C = ~C1
//     => add(x, C)
fn not_sub_const<S: Subject>(
    s: &S,
    root: &Root<'_, S::Value>,
    at_c1: S::Value,
    x: S::Value,
) -> Option<Rewrite<S::Value>> {
    let ty0 = root.ty;
    let the_c1 = int(s, at_c1)?;
    let the_c = Machine.not(the_c1);
    let mut plan = Plan::new();
    let new1 = plan.push(Op::Add, ty0, &[Operand::Value(x), Operand::Const(Const::Int(the_c))]);
    Some(Rewrite { rule: rule(names::NOT_SUB_CONST), plan, outcome: Outcome::Value(new1) })
}

// not_xor_const: not(xor(x, C1))
//     # ~(x ^ C) = x ^ ~C
//     C = ~C1
//     => xor(x, C)
fn not_xor_const<S: Subject>(
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
    Some(Rewrite { rule: rule(names::NOT_XOR_CONST), plan, outcome: Outcome::Value(new1) })
}

// not_neg: not(neg(x))
//     # ~(-x) = x - 1
//     => add(x, -1)
fn not_neg<S: Subject>(
    _s: &S,
    root: &Root<'_, S::Value>,
    x: S::Value,
) -> Option<Rewrite<S::Value>> {
    let ty0 = root.ty;
    let w0 = ty0.int_width()?;
    let mut plan = Plan::new();
    let new1 = plan.push(Op::Add, ty0, &[Operand::Value(x), Operand::Const(Const::Int(Int::new(w0, -1i64 as u64)))]);
    Some(Rewrite { rule: rule(names::NOT_NEG), plan, outcome: Outcome::Value(new1) })
}

// not_bit: not(x: i1)
//     # One bit flips where it is zero.
//     => is_zero(x)
fn not_bit<S: Subject>(
    _s: &S,
    root: &Root<'_, S::Value>,
    x: S::Value,
) -> Option<Rewrite<S::Value>> {
    if root.ty != Type::Int(1) {
        return None;
    }
    let mut plan = Plan::new();
    let new1 = plan.push(Op::IsZero, Type::Int(1), &[Operand::Value(x)]);
    Some(Rewrite { rule: rule(names::NOT_BIT), plan, outcome: Outcome::Value(new1) })
}

