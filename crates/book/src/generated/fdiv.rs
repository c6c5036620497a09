//! Rules whose pattern begins with `fdiv`, in the order in which they are tried:
//!
//! - fdiv_one
//! - fdiv_fneg_fneg
//! - fdiv_fneg_const
//! - fdiv_minus_one
//!
//! Generated from `rules/*.rules`.

use planish_ops::{Floats, Machine, Op};
use planish_rules::matching::{Const, Flow, Operand, Outcome, Plan, Rewrite, Root, Subject, float, nodes, offer, real};

use super::names::{self, rule};

/// Hands every rewrite of a `fdiv` to `found`, until it says stop.
pub fn root<S: Subject>(
    s: &S,
    root: &Root<'_, S::Value>,
    found: &mut impl FnMut(Rewrite<S::Value>) -> Flow,
) -> Flow {
    let a = root.args[0];
    let b = root.args[1];
    if s.constant(b).is_some() {
        offer(found, fdiv_one(s, root, a, b))?;
        for node in nodes(s, a) {
            if let Some((Op::Fneg, n)) = node {
                let a0 = s.operand(n, 0);
                offer(found, fdiv_fneg_const(s, root, a0, b))?;
            }
        }
        offer(found, fdiv_minus_one(s, root, a, b))?;
    } else {
        for node in nodes(s, b) {
            if let Some((Op::Fneg, n)) = node {
                let b0 = s.operand(n, 0);
                for node in nodes(s, a) {
                    if let Some((Op::Fneg, n)) = node {
                        let a0 = s.operand(n, 0);
                        offer(found, fdiv_fneg_fneg(s, root, a0, b0))?;
                    }
                }
            }
        }
    }
    Flow::Continue(())
}

// fdiv_one: fdiv(x, 1.0)
//     # 1 is the identity of division.
//     => x
fn fdiv_one<S: Subject>(
    s: &S,
    root: &Root<'_, S::Value>,
    x: S::Value,
    inner1: S::Value,
) -> Option<Rewrite<S::Value>> {
    let ty0 = root.ty;
    if real(s, inner1)? != float(ty0, 1.0)? {
        return None;
    }
    Some(Rewrite { rule: rule(names::FDIV_ONE), plan: Plan::new(), outcome: Outcome::Value(Operand::Value(x)) })
}

// fdiv_fneg_fneg: fdiv(fneg(x), fneg(y))
//     # The signs cancel.
//     => fdiv(x, y)
fn fdiv_fneg_fneg<S: Subject>(
    _s: &S,
    root: &Root<'_, S::Value>,
    x: S::Value,
    y: S::Value,
) -> Option<Rewrite<S::Value>> {
    let ty0 = root.ty;
    let mut plan = Plan::new();
    let new1 = plan.push(Op::Fdiv, ty0, &[Operand::Value(x), Operand::Value(y)]);
    Some(Rewrite { rule: rule(names::FDIV_FNEG_FNEG), plan, outcome: Outcome::Value(new1) })
}

// fdiv_fneg_const: fdiv(fneg(x), C)
//     # The sign goes to the constant.
//     D = -C
//     => fdiv(x, D)
fn fdiv_fneg_const<S: Subject>(
    s: &S,
    root: &Root<'_, S::Value>,
    x: S::Value,
    at_c: S::Value,
) -> Option<Rewrite<S::Value>> {
    let ty0 = root.ty;
    let the_c = real(s, at_c)?;
    let the_d = Machine.f_neg(the_c);
    let mut plan = Plan::new();
    let new1 = plan.push(Op::Fdiv, ty0, &[Operand::Value(x), Operand::Const(Const::Real(the_d))]);
    Some(Rewrite { rule: rule(names::FDIV_FNEG_CONST), plan, outcome: Outcome::Value(new1) })
}

// fdiv_minus_one: fdiv(x, -1.0)
//     # The sign flips and nothing is rounded.
//     => fneg(x)
fn fdiv_minus_one<S: Subject>(
    s: &S,
    root: &Root<'_, S::Value>,
    x: S::Value,
    inner1: S::Value,
) -> Option<Rewrite<S::Value>> {
    let ty0 = root.ty;
    if real(s, inner1)? != float(ty0, -1.0)? {
        return None;
    }
    let mut plan = Plan::new();
    let new1 = plan.push(Op::Fneg, ty0, &[Operand::Value(x)]);
    Some(Rewrite { rule: rule(names::FDIV_MINUS_ONE), plan, outcome: Outcome::Value(new1) })
}

