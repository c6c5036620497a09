//! Rules whose pattern begins with `force_ge_zero`, in the order in which they are tried:
//!
//! - force_ge_zero_negative
//! - force_ge_zero_nonnegative
//!
//! Generated from `rules/*.rules`.

use planish_ops::Int;
use planish_rules::speaks::is_spoken_of;
use planish_rules::matching::{Const, Flow, Operand, Outcome, Plan, Rewrite, Root, Subject, offer};

use super::names::{self, rule};

/// Hands every rewrite of a `force_ge_zero` to `found`, until it says stop.
pub fn root<S: Subject>(
    s: &S,
    root: &Root<'_, S::Value>,
    found: &mut impl FnMut(Rewrite<S::Value>) -> Flow,
) -> Flow {
    let a = root.args[0];
    offer(found, force_ge_zero_negative(s, root, a))?;
    offer(found, force_ge_zero_nonnegative(s, root, a))?;
    Flow::Continue(())
}

// force_ge_zero_negative [pypy]: force_ge_zero(x)
//     # Everything is below zero.
//     check x.known_lt_const(0)
//     => 0
fn force_ge_zero_negative<S: Subject>(
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
    Some(Rewrite { rule: rule(names::FORCE_GE_ZERO_NEGATIVE), plan: Plan::new(), outcome: Outcome::Value(Operand::Const(Const::Int(Int::new(w0, 0)))) })
}

// force_ge_zero_nonnegative [pypy]: force_ge_zero(x)
//     # Nothing to force.
//     check x.known_nonnegative()
//     => x
fn force_ge_zero_nonnegative<S: Subject>(
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
    Some(Rewrite { rule: rule(names::FORCE_GE_ZERO_NONNEGATIVE), plan: Plan::new(), outcome: Outcome::Value(Operand::Value(x)) })
}

