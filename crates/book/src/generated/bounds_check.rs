//! Rules whose pattern begins with `bounds_check`, in the order in which they are tried:
//!
//! - bounds_check_above
//! - bounds_check_below
//! - bounds_check_inside
//!
//! Generated from `rules/*.rules`.

use planish_ops::Int;
use planish_rules::speaks::is_spoken_of;
use planish_rules::matching::{Flow, Outcome, Plan, Rewrite, Root, Subject, offer};

use super::names::{self, rule};

/// Hands every rewrite of a `bounds_check` to `found`, until it says stop.
pub fn root<S: Subject>(
    s: &S,
    root: &Root<'_, S::Value>,
    found: &mut impl FnMut(Rewrite<S::Value>) -> Flow,
) -> Flow {
    let a = root.args[0];
    let b = root.args[1];
    offer(found, bounds_check_above(s, root, a, b))?;
    offer(found, bounds_check_below(s, root, a))?;
    offer(found, bounds_check_inside(s, root, a, b))?;
    Flow::Continue(())
}

// bounds_check_above: bounds_check(x, y)
//     # The index is known not to be below the length.
//     check x.known_ge(y)
//     => fail
fn bounds_check_above<S: Subject>(
    s: &S,
    _root: &Root<'_, S::Value>,
    x: S::Value,
    y: S::Value,
) -> Option<Rewrite<S::Value>> {
    let x_fact = s.fact(x);
    let y_fact = s.fact(y);
    if !x_fact.known_ge(y_fact) {
        return None;
    }
    if !is_spoken_of(s.ty(x)) {
        return None;
    }
    Some(Rewrite { rule: rule(names::BOUNDS_CHECK_ABOVE), plan: Plan::new(), outcome: Outcome::Fail })
}

// bounds_check_below: bounds_check(x, y)
//     # A negative index is out of bounds.
//     check x.known_lt_const(0)
//     => fail
fn bounds_check_below<S: Subject>(
    s: &S,
    _root: &Root<'_, S::Value>,
    x: S::Value,
) -> Option<Rewrite<S::Value>> {
    let ty0 = s.ty(x);
    let w0 = ty0.int_width()?;
    let x_fact = s.fact(x);
    if !x_fact.known_lt_const(Int::new(w0, 0)) {
        return None;
    }
    if !is_spoken_of(ty0) {
        return None;
    }
    Some(Rewrite { rule: rule(names::BOUNDS_CHECK_BELOW), plan: Plan::new(), outcome: Outcome::Fail })
}

// bounds_check_inside: bounds_check(x, y)
//     # The index is known to be within bounds.
//     check x.known_nonnegative() and x.known_lt(y)
//     => pass
fn bounds_check_inside<S: Subject>(
    s: &S,
    _root: &Root<'_, S::Value>,
    x: S::Value,
    y: S::Value,
) -> Option<Rewrite<S::Value>> {
    let x_fact = s.fact(x);
    let y_fact = s.fact(y);
    if !x_fact.known_nonnegative() {
        return None;
    }
    if !x_fact.known_lt(y_fact) {
        return None;
    }
    if !is_spoken_of(s.ty(x)) {
        return None;
    }
    Some(Rewrite { rule: rule(names::BOUNDS_CHECK_INSIDE), plan: Plan::new(), outcome: Outcome::Pass })
}

