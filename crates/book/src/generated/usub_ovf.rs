//! Rules whose pattern begins with `usub_ovf`, in the order in which they are tried:
//!
//! - usub_ovf_self
//! - usub_ovf_zero
//! - usub_ovf_from_all_ones
//! - usub_ovf_fits
//!
//! Generated from `rules/*.rules`.

use planish_ops::{Int, Op};
use planish_rules::speaks::is_spoken_of;
use planish_rules::matching::{Const, Flow, Operand, Outcome, Plan, Rewrite, Root, Subject, integer, offer, same};

use super::names::{self, rule};

/// Hands every rewrite of a `usub_ovf` to `found`, until it says stop.
pub fn root<S: Subject>(
    s: &S,
    root: &Root<'_, S::Value>,
    found: &mut impl FnMut(Rewrite<S::Value>) -> Flow,
) -> Flow {
    let a = root.args[0];
    let b = root.args[1];
    offer(found, usub_ovf_self(s, root, a, b))?;
    if integer(s, b) == Some(0) {
        offer(found, usub_ovf_zero(s, root, a))?;
    }
    if integer(s, a) == Some(-1) {
        offer(found, usub_ovf_from_all_ones(s, root, b))?;
    }
    offer(found, usub_ovf_fits(s, root, a, b))?;
    Flow::Continue(())
}

// usub_ovf_self: usub_ovf(x, x)
//     # Nothing is left.
//     => 0
fn usub_ovf_self<S: Subject>(
    s: &S,
    root: &Root<'_, S::Value>,
    x: S::Value,
    x_2: S::Value,
) -> Option<Rewrite<S::Value>> {
    if !same(s, x, x_2) {
        return None;
    }
    let ty0 = root.ty;
    let w0 = ty0.int_width()?;
    if !is_spoken_of(ty0) {
        return None;
    }
    Some(Rewrite { rule: rule(names::USUB_OVF_SELF), plan: Plan::new(), outcome: Outcome::Value(Operand::Const(Const::Int(Int::new(w0, 0)))) })
}

// usub_ovf_zero: usub_ovf(x, 0)
//     # Nothing is taken away.
//     => x
fn usub_ovf_zero<S: Subject>(
    _s: &S,
    root: &Root<'_, S::Value>,
    x: S::Value,
) -> Option<Rewrite<S::Value>> {
    if !is_spoken_of(root.ty) {
        return None;
    }
    Some(Rewrite { rule: rule(names::USUB_OVF_ZERO), plan: Plan::new(), outcome: Outcome::Value(Operand::Value(x)) })
}

// usub_ovf_from_all_ones: usub_ovf(-1, x)
//     # The largest number less another is its complement, and never negative.
//     => not(x)
fn usub_ovf_from_all_ones<S: Subject>(
    _s: &S,
    root: &Root<'_, S::Value>,
    x: S::Value,
) -> Option<Rewrite<S::Value>> {
    let ty0 = root.ty;
    if !is_spoken_of(ty0) {
        return None;
    }
    let mut plan = Plan::new();
    let new1 = plan.push(Op::Not, ty0, &[Operand::Value(x)]);
    Some(Rewrite { rule: rule(names::USUB_OVF_FROM_ALL_ONES), plan, outcome: Outcome::Value(new1) })
}

// usub_ovf_fits: usub_ovf(x, y)
//     # The difference is not negative.
//     check y.known_unsigned_le(x)
//     => sub(x, y)
fn usub_ovf_fits<S: Subject>(
    s: &S,
    root: &Root<'_, S::Value>,
    x: S::Value,
    y: S::Value,
) -> Option<Rewrite<S::Value>> {
    let ty0 = root.ty;
    let x_fact = s.fact(x);
    let y_fact = s.fact(y);
    if !y_fact.known_unsigned_le(x_fact) {
        return None;
    }
    if !is_spoken_of(ty0) {
        return None;
    }
    let mut plan = Plan::new();
    let new1 = plan.push(Op::Sub, ty0, &[Operand::Value(x), Operand::Value(y)]);
    Some(Rewrite { rule: rule(names::USUB_OVF_FITS), plan, outcome: Outcome::Value(new1) })
}

