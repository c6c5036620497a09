//! Rules whose pattern begins with `uadd_ovf`, in the order in which they are tried:
//!
//! - uadd_ovf_zero
//! - uadd_ovf_fits
//!
//! Generated from `rules/*.rules`.

use planish_ops::{Bits, Machine, Op};
use planish_rules::speaks::is_spoken_of;
use planish_rules::matching::{Flow, Operand, Outcome, Plan, Rewrite, Root, Subject, constant_last, integer, offer};

use super::names::{self, rule};

/// Hands every rewrite of a `uadd_ovf` to `found`, until it says stop.
pub fn root<S: Subject>(
    s: &S,
    root: &Root<'_, S::Value>,
    found: &mut impl FnMut(Rewrite<S::Value>) -> Flow,
) -> Flow {
    let [a, b] = constant_last(s, [root.args[0], root.args[1]]);
    if integer(s, b) == Some(0) {
        offer(found, uadd_ovf_zero(s, root, a))?;
    }
    offer(found, uadd_ovf_fits(s, root, a, b))?;
    offer(found, uadd_ovf_fits(s, root, b, a))?;
    Flow::Continue(())
}

// uadd_ovf_zero: uadd_ovf(x, 0)
//     # Nothing is added.
//     => x
fn uadd_ovf_zero<S: Subject>(
    _s: &S,
    root: &Root<'_, S::Value>,
    x: S::Value,
) -> Option<Rewrite<S::Value>> {
    if !is_spoken_of(root.ty) {
        return None;
    }
    Some(Rewrite { rule: rule(names::UADD_OVF_ZERO), plan: Plan::new(), outcome: Outcome::Value(Operand::Value(x)) })
}

// uadd_ovf_fits: uadd_ovf(x, y)
//     # The largest sum fits: the bound of x is at most 2^w - 1 less the bound of y.
//     check x.unsigned_upper <=u ~y.unsigned_upper
//     => add(x, y)
fn uadd_ovf_fits<S: Subject>(
    s: &S,
    root: &Root<'_, S::Value>,
    x: S::Value,
    y: S::Value,
) -> Option<Rewrite<S::Value>> {
    let ty0 = root.ty;
    let x_fact = s.fact(x);
    let y_fact = s.fact(y);
    if Machine.ult(Machine.not(y_fact.unsigned_upper()), x_fact.unsigned_upper()) {
        return None;
    }
    if !is_spoken_of(ty0) {
        return None;
    }
    let mut plan = Plan::new();
    let new1 = plan.push(Op::Add, ty0, &[Operand::Value(x), Operand::Value(y)]);
    Some(Rewrite { rule: rule(names::UADD_OVF_FITS), plan, outcome: Outcome::Value(new1) })
}

