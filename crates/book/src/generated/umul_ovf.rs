//! Rules whose pattern begins with `umul_ovf`, in the order in which they are tried:
//!
//! - umul_ovf_zero
//! - umul_ovf_one
//! - umul_ovf_two
//!
//! Generated from `rules/*.rules`.

use planish_ops::{Int, Op};
use planish_rules::speaks::is_spoken_of;
use planish_rules::matching::{Const, Flow, Operand, Outcome, Plan, Rewrite, Root, Subject, constant_last, integer, offer};

use super::names::{self, rule};

/// Hands every rewrite of a `umul_ovf` to `found`, until it says stop.
pub fn root<S: Subject>(
    s: &S,
    root: &Root<'_, S::Value>,
    found: &mut impl FnMut(Rewrite<S::Value>) -> Flow,
) -> Flow {
    let [a, b] = constant_last(s, [root.args[0], root.args[1]]);
    match integer(s, b) {
        Some(0) => {
            offer(found, umul_ovf_zero(s, root))?;
        }
        Some(1) => {
            offer(found, umul_ovf_one(s, root, a))?;
        }
        Some(2) => {
            offer(found, umul_ovf_two(s, root, a))?;
        }
        _ => {}
    }
    Flow::Continue(())
}

// umul_ovf_zero: umul_ovf(x, 0)
//     # The product is 0.
//     => 0
fn umul_ovf_zero<S: Subject>(
    _s: &S,
    root: &Root<'_, S::Value>,
) -> Option<Rewrite<S::Value>> {
    let ty0 = root.ty;
    let w0 = ty0.int_width()?;
    if !is_spoken_of(ty0) {
        return None;
    }
    Some(Rewrite { rule: rule(names::UMUL_OVF_ZERO), plan: Plan::new(), outcome: Outcome::Value(Operand::Const(Const::Int(Int::new(w0, 0)))) })
}

// umul_ovf_one: umul_ovf(x, 1)
//     # The product is x.
//     => x
fn umul_ovf_one<S: Subject>(
    _s: &S,
    root: &Root<'_, S::Value>,
    x: S::Value,
) -> Option<Rewrite<S::Value>> {
    if !is_spoken_of(root.ty) {
        return None;
    }
    Some(Rewrite { rule: rule(names::UMUL_OVF_ONE), plan: Plan::new(), outcome: Outcome::Value(Operand::Value(x)) })
}

// umul_ovf_two: umul_ovf(x, 2)
//     # Twice x overflows exactly where x + x does.
//     => uadd_ovf(x, x)
fn umul_ovf_two<S: Subject>(
    _s: &S,
    root: &Root<'_, S::Value>,
    x: S::Value,
) -> Option<Rewrite<S::Value>> {
    let ty0 = root.ty;
    if !is_spoken_of(ty0) {
        return None;
    }
    let mut plan = Plan::new();
    let new1 = plan.push(Op::UaddOvf, ty0, &[Operand::Value(x), Operand::Value(x)]);
    Some(Rewrite { rule: rule(names::UMUL_OVF_TWO), plan, outcome: Outcome::Value(new1) })
}

