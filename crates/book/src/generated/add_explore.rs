//! Rules marked `explore` whose pattern begins with `add`, in the order in which they are tried:
//!
//! - mul_factor
//! - mul_factor_one
//! - add_assoc
//! - add_sub_assoc
//!
//! Generated from `rules/*.rules`.

use planish_ops::{Int, Op};
use planish_rules::speaks::is_spoken_of;
use planish_rules::matching::{Const, Flow, Operand, Outcome, Plan, Rewrite, Root, Subject, constant_last, nodes, offer, operands2, same};

use super::names::{self, rule};

/// Hands every rewrite of a `add` to `found`, until it says stop.
pub fn root<S: Subject>(
    s: &S,
    root: &Root<'_, S::Value>,
    found: &mut impl FnMut(Rewrite<S::Value>) -> Flow,
) -> Flow {
    let [a, b] = constant_last(s, [root.args[0], root.args[1]]);
    for node in nodes(s, a) {
        if let Some((Op::Mul, n)) = node {
            let [a0, a1] = operands2(s, n);
            for node in nodes(s, b) {
                if let Some((Op::Mul, n)) = node {
                    let [b0, b1] = operands2(s, n);
                    offer(found, mul_factor(s, root, a0, a1, b0, b1))?;
                    offer(found, mul_factor(s, root, a0, a1, b1, b0))?;
                    offer(found, mul_factor(s, root, b0, b1, a1, a0))?;
                    offer(found, mul_factor(s, root, a1, a0, b1, b0))?;
                }
            }
            offer(found, mul_factor_one(s, root, a0, a1, b))?;
        }
    }
    for node in nodes(s, b) {
        if let Some((Op::Mul, n)) = node {
            let [b0, b1] = operands2(s, n);
            offer(found, mul_factor_one(s, root, b0, b1, a))?;
        }
    }
    for node in nodes(s, a) {
        if let Some((Op::Mul, n)) = node {
            let [a0, a1] = operands2(s, n);
            offer(found, mul_factor_one(s, root, a1, a0, b))?;
        }
    }
    for node in nodes(s, b) {
        if let Some((Op::Mul, n)) = node {
            let [b0, b1] = operands2(s, n);
            offer(found, mul_factor_one(s, root, b1, b0, a))?;
        }
    }
    for node in nodes(s, a) {
        if let Some((Op::Add, n)) = node {
            let [a0, a1] = operands2(s, n);
            offer(found, add_assoc(s, root, a0, a1, b))?;
        }
    }
    for node in nodes(s, b) {
        match node {
            Some((Op::Add, n)) => {
                let [b0, b1] = operands2(s, n);
                offer(found, add_assoc(s, root, b0, b1, a))?;
            }
            Some((Op::Sub, n)) => {
                let [b0, b1] = operands2(s, n);
                offer(found, add_sub_assoc(s, root, a, b0, b1))?;
            }
            _ => {}
        }
    }
    for node in nodes(s, a) {
        if let Some((Op::Sub, n)) = node {
            let [a0, a1] = operands2(s, n);
            offer(found, add_sub_assoc(s, root, b, a0, a1))?;
        }
    }
    Flow::Continue(())
}

// mul_factor [explore]: add(mul(x, y), mul(x, z))
//     # A common factor.
//     => mul(x, add(y, z))
fn mul_factor<S: Subject>(
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
    let new1 = plan.push(Op::Add, ty0, &[Operand::Value(y), Operand::Value(z)]);
    let new2 = plan.push(Op::Mul, ty0, &[Operand::Value(x), new1]);
    Some(Rewrite { rule: rule(names::MUL_FACTOR), plan, outcome: Outcome::Value(new2) })
}

// mul_factor_one [explore]: add(mul(x, y), x)
//     # A common factor, once 1.
//     check width(x) > 1
//     => mul(x, add(y, 1))
fn mul_factor_one<S: Subject>(
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
    let w0 = ty0.int_width()?;
    if i64::from(w0) <= 1 {
        return None;
    }
    if !is_spoken_of(ty0) {
        return None;
    }
    let mut plan = Plan::new();
    let new1 = plan.push(Op::Add, ty0, &[Operand::Value(y), Operand::Const(Const::Int(Int::new(w0, 1)))]);
    let new2 = plan.push(Op::Mul, ty0, &[Operand::Value(x), new1]);
    Some(Rewrite { rule: rule(names::MUL_FACTOR_ONE), plan, outcome: Outcome::Value(new2) })
}

// add_assoc [explore]: add(add(x, y), z)
//     # Sums associate.
//     => add(x, add(y, z))
fn add_assoc<S: Subject>(
    _s: &S,
    root: &Root<'_, S::Value>,
    x: S::Value,
    y: S::Value,
    z: S::Value,
) -> Option<Rewrite<S::Value>> {
    let ty0 = root.ty;
    let mut plan = Plan::new();
    let new1 = plan.push(Op::Add, ty0, &[Operand::Value(y), Operand::Value(z)]);
    let new2 = plan.push(Op::Add, ty0, &[Operand::Value(x), new1]);
    Some(Rewrite { rule: rule(names::ADD_ASSOC), plan, outcome: Outcome::Value(new2) })
}

// add_sub_assoc [explore]: add(x, sub(y, z))
//     # x + (y - z) = (x + y) - z
//     => sub(add(x, y), z)
fn add_sub_assoc<S: Subject>(
    _s: &S,
    root: &Root<'_, S::Value>,
    x: S::Value,
    y: S::Value,
    z: S::Value,
) -> Option<Rewrite<S::Value>> {
    let ty0 = root.ty;
    let mut plan = Plan::new();
    let new1 = plan.push(Op::Add, ty0, &[Operand::Value(x), Operand::Value(y)]);
    let new2 = plan.push(Op::Sub, ty0, &[new1, Operand::Value(z)]);
    Some(Rewrite { rule: rule(names::ADD_SUB_ASSOC), plan, outcome: Outcome::Value(new2) })
}

