//! Rules marked `explore` whose pattern begins with `lshift`, in the order in which they are tried:
//!
//! - lshift_and
//! - lshift_distribute
//! - lshift_as_mul
//!
//! Generated from `rules/*.rules`.

use planish_ops::{Int, Op};
use planish_rules::speaks::is_spoken_of;
use planish_rules::matching::{Const, Flow, Operand, Outcome, Plan, Rewrite, Root, Subject, int, nodes, offer, operands2, shl};

use super::names::{self, rule};

/// Hands every rewrite of a `lshift` to `found`, until it says stop.
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
                offer(found, lshift_distribute(s, root, a0, a1, b))?;
            }
            Some((Op::And, n)) => {
                let [a0, a1] = operands2(s, n);
                offer(found, lshift_and(s, root, a0, a1, b))?;
            }
            _ => {}
        }
    }
    if s.constant(b).is_some() {
        offer(found, lshift_as_mul(s, root, a, b))?;
    }
    Flow::Continue(())
}

// lshift_and [explore]: lshift(and(x, y), z)
//     # Shifts move each bit alike.
//     => and(lshift(x, z), lshift(y, z))
fn lshift_and<S: Subject>(
    _s: &S,
    root: &Root<'_, S::Value>,
    x: S::Value,
    y: S::Value,
    z: S::Value,
) -> Option<Rewrite<S::Value>> {
    let ty0 = root.ty;
    if !is_spoken_of(ty0) {
        return None;
    }
    let mut plan = Plan::new();
    let new1 = plan.push(Op::Lshift, ty0, &[Operand::Value(x), Operand::Value(z)]);
    let new2 = plan.push(Op::Lshift, ty0, &[Operand::Value(y), Operand::Value(z)]);
    let new3 = plan.push(Op::And, ty0, &[new1, new2]);
    Some(Rewrite { rule: rule(names::LSHIFT_AND), plan, outcome: Outcome::Value(new3) })
}

// lshift_distribute [explore]: lshift(add(x, y), z)
//     # A shift to the left is a product.
//     => add(lshift(x, z), lshift(y, z))
fn lshift_distribute<S: Subject>(
    _s: &S,
    root: &Root<'_, S::Value>,
    x: S::Value,
    y: S::Value,
    z: S::Value,
) -> Option<Rewrite<S::Value>> {
    let ty0 = root.ty;
    if !is_spoken_of(ty0) {
        return None;
    }
    let mut plan = Plan::new();
    let new1 = plan.push(Op::Lshift, ty0, &[Operand::Value(x), Operand::Value(z)]);
    let new2 = plan.push(Op::Lshift, ty0, &[Operand::Value(y), Operand::Value(z)]);
    let new3 = plan.push(Op::Add, ty0, &[new1, new2]);
    Some(Rewrite { rule: rule(names::LSHIFT_DISTRIBUTE), plan, outcome: Outcome::Value(new3) })
}

// lshift_as_mul [explore]: lshift(x, C1)
//     # A shift to the left is a product.
//     C = 1 << C1
//     => mul(x, C)
fn lshift_as_mul<S: Subject>(
    s: &S,
    root: &Root<'_, S::Value>,
    x: S::Value,
    at_c1: S::Value,
) -> Option<Rewrite<S::Value>> {
    let ty0 = root.ty;
    let w0 = ty0.int_width()?;
    if w0 < 2 {
        return None;
    }
    let the_c1 = int(s, at_c1)?;
    let the_c = shl(Int::new(w0, 1), the_c1)?;
    if !is_spoken_of(ty0) {
        return None;
    }
    let mut plan = Plan::new();
    let new1 = plan.push(Op::Mul, ty0, &[Operand::Value(x), Operand::Const(Const::Int(the_c))]);
    Some(Rewrite { rule: rule(names::LSHIFT_AS_MUL), plan, outcome: Outcome::Value(new1) })
}

