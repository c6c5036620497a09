//! Rules whose pattern begins with `mul_ovf`, in the order in which they are tried:
//!
//! - mul_ovf_zero
//! - mul_ovf_one
//! - mul_ovf_minus_one
//! - mul_ovf_two
//!
//! Generated from `rules/*.rules`.

use planish_ops::{Int, Op};
use planish_rules::speaks::is_spoken_of;
use planish_rules::matching::{Const, Flow, Operand, Outcome, Plan, Rewrite, Root, Subject, constant_last, integer, offer};

use super::names::{self, rule};

/// Hands every rewrite of a `mul_ovf` to `found`, until it says stop.
pub fn root<S: Subject>(
    s: &S,
    root: &Root<'_, S::Value>,
    found: &mut impl FnMut(Rewrite<S::Value>) -> Flow,
) -> Flow {
    let [a, b] = constant_last(s, [root.args[0], root.args[1]]);
    match integer(s, b) {
        Some(-1) => {
            offer(found, mul_ovf_minus_one(s, root, a))?;
        }
        Some(0) => {
            offer(found, mul_ovf_zero(s, root))?;
        }
        Some(1) => {
            offer(found, mul_ovf_one(s, root, a))?;
        }
        Some(2) => {
            offer(found, mul_ovf_two(s, root, a))?;
        }
        _ => {}
    }
    Flow::Continue(())
}

// mul_ovf_zero: mul_ovf(x, 0)
//     # The product is 0.
//     => 0
fn mul_ovf_zero<S: Subject>(
    _s: &S,
    root: &Root<'_, S::Value>,
) -> Option<Rewrite<S::Value>> {
    let ty0 = root.ty;
    let w0 = ty0.int_width()?;
    if !is_spoken_of(ty0) {
        return None;
    }
    Some(Rewrite { rule: rule(names::MUL_OVF_ZERO), plan: Plan::new(), outcome: Outcome::Value(Operand::Const(Const::Int(Int::new(w0, 0)))) })
}

// mul_ovf_one: mul_ovf(x, 1)
//     # The product is x.
//     => x
fn mul_ovf_one<S: Subject>(
    _s: &S,
    root: &Root<'_, S::Value>,
    x: S::Value,
) -> Option<Rewrite<S::Value>> {
    if !is_spoken_of(root.ty) {
        return None;
    }
    Some(Rewrite { rule: rule(names::MUL_OVF_ONE), plan: Plan::new(), outcome: Outcome::Value(Operand::Value(x)) })
}

// mul_ovf_minus_one: mul_ovf(x, -1)
//     # -x overflows exactly where 0 - x does: for the smallest number.
//     check width(x) > 1
//     => sub_ovf(0, x)
fn mul_ovf_minus_one<S: Subject>(
    _s: &S,
    root: &Root<'_, S::Value>,
    x: S::Value,
) -> Option<Rewrite<S::Value>> {
    let ty0 = root.ty;
    let w0 = ty0.int_width()?;
    if i64::from(w0) <= 1 {
        return None;
    }
    if !is_spoken_of(ty0) {
        return None;
    }
    let mut plan = Plan::new();
    let new1 = plan.push(Op::SubOvf, ty0, &[Operand::Const(Const::Int(Int::new(w0, 0))), Operand::Value(x)]);
    Some(Rewrite { rule: rule(names::MUL_OVF_MINUS_ONE), plan, outcome: Outcome::Value(new1) })
}

// mul_ovf_two: mul_ovf(x, 2)
//     # Twice x overflows exactly where x + x does.
//     => add_ovf(x, x)
fn mul_ovf_two<S: Subject>(
    _s: &S,
    root: &Root<'_, S::Value>,
    x: S::Value,
) -> Option<Rewrite<S::Value>> {
    let ty0 = root.ty;
    if !is_spoken_of(ty0) {
        return None;
    }
    let mut plan = Plan::new();
    let new1 = plan.push(Op::AddOvf, ty0, &[Operand::Value(x), Operand::Value(x)]);
    Some(Rewrite { rule: rule(names::MUL_OVF_TWO), plan, outcome: Outcome::Value(new1) })
}

