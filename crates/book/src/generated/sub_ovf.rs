//! Rules whose pattern begins with `sub_ovf`, in the order in which they are tried:
//!
//! - sub_ovf_self
//! - sub_ovf_zero
//! - sub_ovf_const
//! - sub_ovf_fits
//!
//! Generated from `rules/*.rules`.

use planish_ops::{Bits, Int, Machine, Op};
use planish_rules::speaks::is_spoken_of;
use planish_rules::matching::{Const, Flow, Operand, Outcome, Plan, Rewrite, Root, Subject, int, offer, same};

use super::names::{self, rule};

/// Hands every rewrite of a `sub_ovf` to `found`, until it says stop.
pub fn root<S: Subject>(
    s: &S,
    root: &Root<'_, S::Value>,
    found: &mut impl FnMut(Rewrite<S::Value>) -> Flow,
) -> Flow {
    let a = root.args[0];
    let b = root.args[1];
    offer(found, sub_ovf_self(s, root, a, b))?;
    if let Some(constant) = s.constant(b) {
        match constant {
            Const::Int(i) if i.signed() == 0 => {
                offer(found, sub_ovf_zero(s, root, a))?;
            }
            _ => {
                offer(found, sub_ovf_const(s, root, a, b))?;
            }
        }
    }
    offer(found, sub_ovf_fits(s, root, a, b))?;
    Flow::Continue(())
}

// sub_ovf_self [pypy]: sub_ovf(x, x)
//     # Nothing is left.
//     => 0
fn sub_ovf_self<S: Subject>(
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
    Some(Rewrite { rule: rule(names::SUB_OVF_SELF), plan: Plan::new(), outcome: Outcome::Value(Operand::Const(Const::Int(Int::new(w0, 0)))) })
}

// sub_ovf_zero: sub_ovf(x, 0)
//     # Nothing is taken away.
//     => x
fn sub_ovf_zero<S: Subject>(
    _s: &S,
    root: &Root<'_, S::Value>,
    x: S::Value,
) -> Option<Rewrite<S::Value>> {
    if !is_spoken_of(root.ty) {
        return None;
    }
    Some(Rewrite { rule: rule(names::SUB_OVF_ZERO), plan: Plan::new(), outcome: Outcome::Value(Operand::Value(x)) })
}

// sub_ovf_const: sub_ovf(x, C1)
//     # x - C = x + -C, and -C exists unless C is the smallest number.
//     check C1 != MININT
//     C = -C1
//     => add_ovf(x, C)
fn sub_ovf_const<S: Subject>(
    s: &S,
    root: &Root<'_, S::Value>,
    x: S::Value,
    at_c1: S::Value,
) -> Option<Rewrite<S::Value>> {
    let ty0 = root.ty;
    let w0 = ty0.int_width()?;
    let the_c1 = int(s, at_c1)?;
    if the_c1 == Int::new(w0, 1 << (w0 - 1)) {
        return None;
    }
    let the_c = Machine.neg(the_c1);
    if !is_spoken_of(ty0) {
        return None;
    }
    let mut plan = Plan::new();
    let new1 = plan.push(Op::AddOvf, ty0, &[Operand::Value(x), Operand::Const(Const::Int(the_c))]);
    Some(Rewrite { rule: rule(names::SUB_OVF_CONST), plan, outcome: Outcome::Value(new1) })
}

// sub_ovf_fits: sub_ovf(x, y)
//     # The bounds say that the true result fits.
//     check x.sub_bound_cannot_overflow(y)
//     => sub(x, y)
fn sub_ovf_fits<S: Subject>(
    s: &S,
    root: &Root<'_, S::Value>,
    x: S::Value,
    y: S::Value,
) -> Option<Rewrite<S::Value>> {
    let ty0 = root.ty;
    let x_fact = s.fact(x);
    let y_fact = s.fact(y);
    if !x_fact.sub_bound_cannot_overflow(y_fact) {
        return None;
    }
    if !is_spoken_of(ty0) {
        return None;
    }
    let mut plan = Plan::new();
    let new1 = plan.push(Op::Sub, ty0, &[Operand::Value(x), Operand::Value(y)]);
    Some(Rewrite { rule: rule(names::SUB_OVF_FITS), plan, outcome: Outcome::Value(new1) })
}

