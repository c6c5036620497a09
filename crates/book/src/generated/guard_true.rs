//! Rules whose pattern begins with `guard_true`, in the order in which they are tried:
//!
//! - guard_true_nonzero
//! - guard_true_zero
//! - guard_true_is_true
//! - guard_true_is_zero
//!
//! Generated from `rules/*.rules`.

use planish_ops::{Int, Op, Type};
use planish_rules::speaks::is_spoken_of;
use planish_rules::matching::{Flow, Operand, Outcome, Plan, Rewrite, Root, Subject, nodes, offer};

use super::names::{self, rule};

/// Hands every rewrite of a `guard_true` to `found`, until it says stop.
pub fn root<S: Subject>(
    s: &S,
    root: &Root<'_, S::Value>,
    found: &mut impl FnMut(Rewrite<S::Value>) -> Flow,
) -> Flow {
    let a = root.args[0];
    offer(found, guard_true_nonzero(s, root, a))?;
    offer(found, guard_true_zero(s, root, a))?;
    for node in nodes(s, a) {
        match node {
            Some((Op::IsTrue, n)) => {
                let a0 = s.operand(n, 0);
                offer(found, guard_true_is_true(s, root, a0, a))?;
            }
            Some((Op::IsZero, n)) => {
                let a0 = s.operand(n, 0);
                offer(found, guard_true_is_zero(s, root, a0, a))?;
            }
            _ => {}
        }
    }
    Flow::Continue(())
}

// guard_true_nonzero: guard_true(x)
//     # The condition always holds.
//     check x.known_nonzero()
//     => pass
fn guard_true_nonzero<S: Subject>(
    s: &S,
    _root: &Root<'_, S::Value>,
    x: S::Value,
) -> Option<Rewrite<S::Value>> {
    let x_fact = s.fact(x);
    if !x_fact.known_nonzero() && !s.is_told_nonzero(x) {
        return None;
    }
    if !is_spoken_of(s.ty(x)) {
        return None;
    }
    Some(Rewrite { rule: rule(names::GUARD_TRUE_NONZERO), plan: Plan::new(), outcome: Outcome::Pass })
}

// guard_true_zero: guard_true(x)
//     # The condition never holds.
//     check x.known_eq_const(0)
//     => fail
fn guard_true_zero<S: Subject>(
    s: &S,
    _root: &Root<'_, S::Value>,
    x: S::Value,
) -> Option<Rewrite<S::Value>> {
    let ty0 = s.ty(x);
    let w0 = ty0.int_width()?;
    let x_fact = s.fact(x);
    if !x_fact.known_eq_const(Int::new(w0, 0)) {
        return None;
    }
    if !is_spoken_of(ty0) {
        return None;
    }
    Some(Rewrite { rule: rule(names::GUARD_TRUE_ZERO), plan: Plan::new(), outcome: Outcome::Fail })
}

// guard_true_is_true: guard_true(is_true(x))
//     # A guard asks whether its condition is zero.
//     => guard_true(x)
fn guard_true_is_true<S: Subject>(
    s: &S,
    _root: &Root<'_, S::Value>,
    x: S::Value,
    inner1: S::Value,
) -> Option<Rewrite<S::Value>> {
    if !is_spoken_of(s.ty(inner1)) {
        return None;
    }
    if !is_spoken_of(s.ty(x)) {
        return None;
    }
    let mut plan = Plan::new();
    plan.push(Op::GuardTrue, Type::State, &[Operand::Value(x)]);
    Some(Rewrite { rule: rule(names::GUARD_TRUE_IS_TRUE), plan, outcome: Outcome::Guard })
}

// guard_true_is_zero: guard_true(is_zero(x))
//     # A guard asks whether its condition is zero.
//     => guard_false(x)
fn guard_true_is_zero<S: Subject>(
    s: &S,
    _root: &Root<'_, S::Value>,
    x: S::Value,
    inner1: S::Value,
) -> Option<Rewrite<S::Value>> {
    if !is_spoken_of(s.ty(inner1)) {
        return None;
    }
    if !is_spoken_of(s.ty(x)) {
        return None;
    }
    let mut plan = Plan::new();
    plan.push(Op::GuardFalse, Type::State, &[Operand::Value(x)]);
    Some(Rewrite { rule: rule(names::GUARD_TRUE_IS_ZERO), plan, outcome: Outcome::Guard })
}

