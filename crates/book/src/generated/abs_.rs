//! Rules whose pattern begins with `abs`, in the order in which they are tried:
//!
//! - abs_abs
//! - abs_nonnegative
//! - abs_neg
//! - abs_negative
//!
//! Generated from `rules/*.rules`.

use planish_ops::{Int, Op};
use planish_rules::speaks::is_spoken_of;
use planish_rules::matching::{Flow, Operand, Outcome, Plan, Rewrite, Root, Subject, nodes, offer};

use super::names::{self, rule};

/// Hands every rewrite of a `abs` to `found`, until it says stop.
pub fn root<S: Subject>(
    s: &S,
    root: &Root<'_, S::Value>,
    found: &mut impl FnMut(Rewrite<S::Value>) -> Flow,
) -> Flow {
    let a = root.args[0];
    for node in nodes(s, a) {
        if let Some((Op::Abs, _)) = node {
            offer(found, abs_abs(s, root, a))?;
        }
    }
    offer(found, abs_nonnegative(s, root, a))?;
    for node in nodes(s, a) {
        if let Some((Op::Neg, n)) = node {
            let a0 = s.operand(n, 0);
            offer(found, abs_neg(s, root, a0))?;
        }
    }
    offer(found, abs_negative(s, root, a))?;
    Flow::Continue(())
}

// abs_abs: abs(abs(x))
//     # The inner result exists; the smallest number stays itself both times.
//     => abs(x)
fn abs_abs<S: Subject>(
    _s: &S,
    root: &Root<'_, S::Value>,
    inner1: S::Value,
) -> Option<Rewrite<S::Value>> {
    if !is_spoken_of(root.ty) {
        return None;
    }
    Some(Rewrite { rule: rule(names::ABS_ABS), plan: Plan::new(), outcome: Outcome::Value(Operand::Value(inner1)) })
}

// abs_nonnegative: abs(x)
//     # It is its own absolute value.
//     check x.known_nonnegative()
//     => x
fn abs_nonnegative<S: Subject>(
    s: &S,
    root: &Root<'_, S::Value>,
    x: S::Value,
) -> Option<Rewrite<S::Value>> {
    let x_fact = s.fact(x);
    if !x_fact.known_nonnegative() {
        return None;
    }
    if !is_spoken_of(root.ty) {
        return None;
    }
    Some(Rewrite { rule: rule(names::ABS_NONNEGATIVE), plan: Plan::new(), outcome: Outcome::Value(Operand::Value(x)) })
}

// abs_neg: abs(neg(x))
//     # The sign does not matter.
//     => abs(x)
fn abs_neg<S: Subject>(
    _s: &S,
    root: &Root<'_, S::Value>,
    x: S::Value,
) -> Option<Rewrite<S::Value>> {
    let ty0 = root.ty;
    if !is_spoken_of(ty0) {
        return None;
    }
    let mut plan = Plan::new();
    let new1 = plan.push(Op::Abs, ty0, &[Operand::Value(x)]);
    Some(Rewrite { rule: rule(names::ABS_NEG), plan, outcome: Outcome::Value(new1) })
}

// abs_negative: abs(x)
//     # Below zero the absolute value is the negation.
//     check x.known_lt_const(0)
//     => neg(x)
fn abs_negative<S: Subject>(
    s: &S,
    root: &Root<'_, S::Value>,
    x: S::Value,
) -> Option<Rewrite<S::Value>> {
    let ty0 = root.ty;
    let w0 = ty0.int_width()?;
    let x_fact = s.fact(x);
    if !x_fact.known_lt_const(Int::new(w0, 0)) {
        return None;
    }
    if !is_spoken_of(ty0) {
        return None;
    }
    let mut plan = Plan::new();
    let new1 = plan.push(Op::Neg, ty0, &[Operand::Value(x)]);
    Some(Rewrite { rule: rule(names::ABS_NEGATIVE), plan, outcome: Outcome::Value(new1) })
}

