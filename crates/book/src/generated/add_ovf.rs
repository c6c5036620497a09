//! Rules whose pattern begins with `add_ovf`, in the order in which they are tried:
//!
//! - add_ovf_zero
//! - add_ovf_fits
//!
//! Generated from `rules/*.rules`.

use planish_ops::Op;
use planish_rules::speaks::is_spoken_of;
use planish_rules::matching::{Flow, Operand, Outcome, Plan, Rewrite, Root, Subject, constant_last, integer, offer};

use super::names::{self, rule};

/// Hands every rewrite of a `add_ovf` to `found`, until it says stop.
pub fn root<S: Subject>(
    s: &S,
    root: &Root<'_, S::Value>,
    found: &mut impl FnMut(Rewrite<S::Value>) -> Flow,
) -> Flow {
    let [a, b] = constant_last(s, [root.args[0], root.args[1]]);
    if integer(s, b) == Some(0) {
        offer(found, add_ovf_zero(s, root, a))?;
    }
    offer(found, add_ovf_fits(s, root, a, b))?;
    Flow::Continue(())
}

// add_ovf_zero: add_ovf(x, 0)
//     # Nothing is added.
//     => x
fn add_ovf_zero<S: Subject>(
    _s: &S,
    root: &Root<'_, S::Value>,
    x: S::Value,
) -> Option<Rewrite<S::Value>> {
    if !is_spoken_of(root.ty) {
        return None;
    }
    Some(Rewrite { rule: rule(names::ADD_OVF_ZERO), plan: Plan::new(), outcome: Outcome::Value(Operand::Value(x)) })
}

// add_ovf_fits: add_ovf(x, y)
//     # The bounds say that the true result fits.
//     check x.add_bound_cannot_overflow(y)
//     => add(x, y)
fn add_ovf_fits<S: Subject>(
    s: &S,
    root: &Root<'_, S::Value>,
    x: S::Value,
    y: S::Value,
) -> Option<Rewrite<S::Value>> {
    let ty0 = root.ty;
    let x_fact = s.fact(x);
    let y_fact = s.fact(y);
    if !x_fact.add_bound_cannot_overflow(y_fact) {
        return None;
    }
    if !is_spoken_of(ty0) {
        return None;
    }
    let mut plan = Plan::new();
    let new1 = plan.push(Op::Add, ty0, &[Operand::Value(x), Operand::Value(y)]);
    Some(Rewrite { rule: rule(names::ADD_OVF_FITS), plan, outcome: Outcome::Value(new1) })
}

