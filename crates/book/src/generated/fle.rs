//! Rules whose pattern begins with `fle`, in the order in which they are tried:
//!
//! - fle_fneg_fneg
//! - fle_fneg_const
//! - fle_const_left
//!
//! Generated from `rules/*.rules`.

use planish_ops::{Floats, Machine, Op};
use planish_rules::speaks::is_spoken_of;
use planish_rules::matching::{Const, Flow, Operand, Outcome, Plan, Rewrite, Root, Subject, nodes, offer, real};

use super::names::{self, rule};

/// Hands every rewrite of a `fle` to `found`, until it says stop.
pub fn root<S: Subject>(
    s: &S,
    root: &Root<'_, S::Value>,
    found: &mut impl FnMut(Rewrite<S::Value>) -> Flow,
) -> Flow {
    let a = root.args[0];
    let b = root.args[1];
    if s.constant(a).is_some() {
        offer(found, fle_const_left(s, root, a, b))?;
    } else {
        for node in nodes(s, a) {
            if let Some((Op::Fneg, n)) = node {
                let a0 = s.operand(n, 0);
                if s.constant(b).is_some() {
                    offer(found, fle_fneg_const(s, root, a0, b))?;
                } else {
                    for node in nodes(s, b) {
                        if let Some((Op::Fneg, n)) = node {
                            let b0 = s.operand(n, 0);
                            offer(found, fle_fneg_fneg(s, root, a0, b0))?;
                        }
                    }
                }
            }
        }
    }
    Flow::Continue(())
}

// fle_fneg_fneg: fle(fneg(x), fneg(y))
//     # Negation turns the order around.
//     => fle(y, x)
fn fle_fneg_fneg<S: Subject>(
    _s: &S,
    root: &Root<'_, S::Value>,
    x: S::Value,
    y: S::Value,
) -> Option<Rewrite<S::Value>> {
    let ty0 = root.ty;
    if !is_spoken_of(ty0) {
        return None;
    }
    let mut plan = Plan::new();
    let new1 = plan.push(Op::Fle, ty0, &[Operand::Value(y), Operand::Value(x)]);
    Some(Rewrite { rule: rule(names::FLE_FNEG_FNEG), plan, outcome: Outcome::Value(new1) })
}

// fle_fneg_const: fle(fneg(x), C)
//     # Negation turns the order around.
//     D = -C
//     => fge(x, D)
fn fle_fneg_const<S: Subject>(
    s: &S,
    root: &Root<'_, S::Value>,
    x: S::Value,
    at_c: S::Value,
) -> Option<Rewrite<S::Value>> {
    let ty0 = root.ty;
    let the_c = real(s, at_c)?;
    let the_d = Machine.f_neg(the_c);
    if !is_spoken_of(ty0) {
        return None;
    }
    let mut plan = Plan::new();
    let new1 = plan.push(Op::Fge, ty0, &[Operand::Value(x), Operand::Const(Const::Real(the_d))]);
    Some(Rewrite { rule: rule(names::FLE_FNEG_CONST), plan, outcome: Outcome::Value(new1) })
}

// fle_const_left: fle(C, x)
//     # A constant stands on the right.
//     => fge(x, C)
fn fle_const_left<S: Subject>(
    _s: &S,
    root: &Root<'_, S::Value>,
    at_c: S::Value,
    x: S::Value,
) -> Option<Rewrite<S::Value>> {
    let ty0 = root.ty;
    if !is_spoken_of(ty0) {
        return None;
    }
    let mut plan = Plan::new();
    let new1 = plan.push(Op::Fge, ty0, &[Operand::Value(x), Operand::Value(at_c)]);
    Some(Rewrite { rule: rule(names::FLE_CONST_LEFT), plan, outcome: Outcome::Value(new1) })
}

