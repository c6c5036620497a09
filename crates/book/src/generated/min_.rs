//! Rules whose pattern begins with `min`, in the order in which they are tried:
//!
//! - min_max_self
//! - min_min_self
//! - min_known
//! - min_consts
//!
//! Generated from `rules/*.rules`.

use planish_ops::{Machine, Op};
use planish_rules::functions::WordFunction;
use planish_rules::speaks::is_spoken_of;
use planish_rules::matching::{Const, Flow, Operand, Outcome, Plan, Rewrite, Root, Subject, constant_last, int, nodes, offer, operands2, same};

use super::names::{self, rule};

/// Hands every rewrite of a `min` to `found`, until it says stop.
pub fn root<S: Subject>(
    s: &S,
    root: &Root<'_, S::Value>,
    found: &mut impl FnMut(Rewrite<S::Value>) -> Flow,
) -> Flow {
    let [a, b] = constant_last(s, [root.args[0], root.args[1]]);
    for node in nodes(s, b) {
        if let Some((Op::Max, n)) = node {
            let [b0, _] = operands2(s, n);
            offer(found, min_max_self(s, root, a, b0))?;
        }
    }
    for node in nodes(s, a) {
        if let Some((Op::Max, n)) = node {
            let [a0, _] = operands2(s, n);
            offer(found, min_max_self(s, root, b, a0))?;
        }
    }
    for node in nodes(s, b) {
        if let Some((Op::Max, n)) = node {
            let [_, b1] = operands2(s, n);
            offer(found, min_max_self(s, root, a, b1))?;
        }
    }
    for node in nodes(s, a) {
        if let Some((Op::Max, n)) = node {
            let [_, a1] = operands2(s, n);
            offer(found, min_max_self(s, root, b, a1))?;
        }
    }
    for node in nodes(s, b) {
        if let Some((Op::Min, n)) = node {
            let [b0, _] = operands2(s, n);
            offer(found, min_min_self(s, root, a, b0, b))?;
        }
    }
    for node in nodes(s, a) {
        if let Some((Op::Min, n)) = node {
            let [a0, _] = operands2(s, n);
            offer(found, min_min_self(s, root, b, a0, a))?;
        }
    }
    for node in nodes(s, b) {
        if let Some((Op::Min, n)) = node {
            let [_, b1] = operands2(s, n);
            offer(found, min_min_self(s, root, a, b1, b))?;
        }
    }
    for node in nodes(s, a) {
        if let Some((Op::Min, n)) = node {
            let [_, a1] = operands2(s, n);
            offer(found, min_min_self(s, root, b, a1, a))?;
        }
    }
    offer(found, min_known(s, root, a, b))?;
    offer(found, min_known(s, root, b, a))?;
    for node in nodes(s, a) {
        if let Some((Op::Min, n)) = node {
            let [a0, a1] = operands2(s, n);
            if s.constant(b).is_some() {
                if s.constant(a1).is_some() {
                    offer(found, min_consts(s, root, a0, a1, b))?;
                }
            }
        }
    }
    Flow::Continue(())
}

// min_max_self: min(x, max(x, y))
//     # Absorption, as in every lattice.
//     => x
fn min_max_self<S: Subject>(
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
    Some(Rewrite { rule: rule(names::MIN_MAX_SELF), plan: Plan::new(), outcome: Outcome::Value(Operand::Value(x)) })
}

// min_min_self: min(x, min(x, y))
//     # The inner result exists and takes x into account.
//     => min(x, y)
fn min_min_self<S: Subject>(
    s: &S,
    root: &Root<'_, S::Value>,
    x: S::Value,
    x_2: S::Value,
    inner3: S::Value,
) -> Option<Rewrite<S::Value>> {
    if !same(s, x, x_2) {
        return None;
    }
    if !is_spoken_of(root.ty) {
        return None;
    }
    Some(Rewrite { rule: rule(names::MIN_MIN_SELF), plan: Plan::new(), outcome: Outcome::Value(Operand::Value(inner3)) })
}

// min_known: min(x, y)
//     # It is known which is the smaller.
//     check x.known_le(y)
//     => x
fn min_known<S: Subject>(
    s: &S,
    root: &Root<'_, S::Value>,
    x: S::Value,
    y: S::Value,
) -> Option<Rewrite<S::Value>> {
    let x_fact = s.fact(x);
    let y_fact = s.fact(y);
    if !x_fact.known_le(y_fact) {
        return None;
    }
    if !is_spoken_of(root.ty) {
        return None;
    }
    Some(Rewrite { rule: rule(names::MIN_KNOWN), plan: Plan::new(), outcome: Outcome::Value(Operand::Value(x)) })
}

// min_consts: min(min(x, C1), C2)
//     # Constants come together.
//     C = min(C1, C2)
//     => min(x, C)
fn min_consts<S: Subject>(
    s: &S,
    root: &Root<'_, S::Value>,
    x: S::Value,
    at_c1: S::Value,
    at_c2: S::Value,
) -> Option<Rewrite<S::Value>> {
    let ty0 = root.ty;
    let the_c1 = int(s, at_c1)?;
    let the_c2 = int(s, at_c2)?;
    let the_c = WordFunction::Min.apply(&mut Machine, &[the_c1, the_c2]);
    if !is_spoken_of(ty0) {
        return None;
    }
    let mut plan = Plan::new();
    let new1 = plan.push(Op::Min, ty0, &[Operand::Value(x), Operand::Const(Const::Int(the_c))]);
    Some(Rewrite { rule: rule(names::MIN_CONSTS), plan, outcome: Outcome::Value(new1) })
}

