//! Rules whose pattern begins with `guard_value`, in the order in which they are tried:
//!
//! - guard_value_same
//! - guard_value_unequal
//! - guard_value_bool_one
//! - guard_value_bool_zero
//!
//! Generated from `rules/*.rules`.

use planish_ops::{Op, Type};
use planish_rules::speaks::is_spoken_of;
use planish_rules::matching::{Flow, Operand, Outcome, Plan, Rewrite, Root, Subject, integer, offer, same};

use super::names::{self, rule};

/// Hands every rewrite of a `guard_value` to `found`, until it says stop.
pub fn root<S: Subject>(
    s: &S,
    root: &Root<'_, S::Value>,
    found: &mut impl FnMut(Rewrite<S::Value>) -> Flow,
) -> Flow {
    let a = root.args[0];
    let b = root.args[1];
    offer(found, guard_value_same(s, root, a, b))?;
    offer(found, guard_value_unequal(s, root, a, b))?;
    match integer(s, b) {
        Some(0) => {
            offer(found, guard_value_bool_zero(s, root, a))?;
        }
        Some(1) => {
            offer(found, guard_value_bool_one(s, root, a))?;
        }
        _ => {}
    }
    Flow::Continue(())
}

// guard_value_same: guard_value(x, x)
//     # Every value is the same as itself.
//     => pass
fn guard_value_same<S: Subject>(
    s: &S,
    _root: &Root<'_, S::Value>,
    x: S::Value,
    x_2: S::Value,
) -> Option<Rewrite<S::Value>> {
    if !same(s, x, x_2) {
        return None;
    }
    Some(Rewrite { rule: rule(names::GUARD_VALUE_SAME), plan: Plan::new(), outcome: Outcome::Pass })
}

// guard_value_unequal: guard_value(x, y)
//     # No value is a member of both facts.
//     check x.known_ne(y)
//     => fail
fn guard_value_unequal<S: Subject>(
    s: &S,
    _root: &Root<'_, S::Value>,
    x: S::Value,
    y: S::Value,
) -> Option<Rewrite<S::Value>> {
    if !matches!(s.ty(x), Type::Int(_)) {
        return None;
    }
    let x_fact = s.fact(x);
    let y_fact = s.fact(y);
    if !x_fact.known_ne(y_fact) {
        return None;
    }
    if !is_spoken_of(s.ty(x)) {
        return None;
    }
    Some(Rewrite { rule: rule(names::GUARD_VALUE_UNEQUAL), plan: Plan::new(), outcome: Outcome::Fail })
}

// guard_value_bool_one [pypy]: guard_value(x, 1)
//     # A truth value is 1 where it holds.
//     check x.is_bool()
//     => guard_true(x)
fn guard_value_bool_one<S: Subject>(
    s: &S,
    _root: &Root<'_, S::Value>,
    x: S::Value,
) -> Option<Rewrite<S::Value>> {
    let x_fact = s.fact(x);
    if !x_fact.is_bool() {
        return None;
    }
    if !is_spoken_of(s.ty(x)) {
        return None;
    }
    let mut plan = Plan::new();
    plan.push(Op::GuardTrue, Type::State, &[Operand::Value(x)]);
    Some(Rewrite { rule: rule(names::GUARD_VALUE_BOOL_ONE), plan, outcome: Outcome::Guard })
}

// guard_value_bool_zero [pypy]: guard_value(x, 0)
//     # A truth value is 0 where it does not hold.
//     check x.is_bool()
//     => guard_false(x)
fn guard_value_bool_zero<S: Subject>(
    s: &S,
    _root: &Root<'_, S::Value>,
    x: S::Value,
) -> Option<Rewrite<S::Value>> {
    let x_fact = s.fact(x);
    if !x_fact.is_bool() {
        return None;
    }
    if !is_spoken_of(s.ty(x)) {
        return None;
    }
    let mut plan = Plan::new();
    plan.push(Op::GuardFalse, Type::State, &[Operand::Value(x)]);
    Some(Rewrite { rule: rule(names::GUARD_VALUE_BOOL_ZERO), plan, outcome: Outcome::Guard })
}

