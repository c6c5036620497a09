//! Rules whose pattern begins with `fmul`, in the order in which they are tried:
//!
//! - fmul_one
//! - fmul_fabs_same
//! - fmul_fneg_fneg
//! - fmul_fneg_const
//! - fmul_minus_one
//!
//! Generated from `rules/*.rules`.

use planish_ops::{Floats, Machine, Op};
use planish_rules::matching::{Const, Flow, Operand, Outcome, Plan, Rewrite, Root, Subject, constant_last, float, nodes, offer, real, same};

use super::names::{self, rule};

/// Hands every rewrite of a `fmul` to `found`, until it says stop.
pub fn root<S: Subject>(
    s: &S,
    root: &Root<'_, S::Value>,
    found: &mut impl FnMut(Rewrite<S::Value>) -> Flow,
) -> Flow {
    let [a, b] = constant_last(s, [root.args[0], root.args[1]]);
    if s.constant(b).is_some() {
        offer(found, fmul_one(s, root, a, b))?;
        for node in nodes(s, a) {
            if let Some((Op::Fneg, n)) = node {
                let a0 = s.operand(n, 0);
                offer(found, fmul_fneg_const(s, root, a0, b))?;
            }
        }
        offer(found, fmul_minus_one(s, root, a, b))?;
    } else {
        for node in nodes(s, b) {
            match node {
                Some((Op::Fneg, n)) => {
                    let b0 = s.operand(n, 0);
                    for node in nodes(s, a) {
                        if let Some((Op::Fneg, n)) = node {
                            let a0 = s.operand(n, 0);
                            offer(found, fmul_fneg_fneg(s, root, a0, b0))?;
                        }
                    }
                }
                Some((Op::Fabs, n)) => {
                    let b0 = s.operand(n, 0);
                    for node in nodes(s, a) {
                        if let Some((Op::Fabs, n)) = node {
                            let a0 = s.operand(n, 0);
                            offer(found, fmul_fabs_same(s, root, a0, b0))?;
                        }
                    }
                }
                _ => {}
            }
        }
    }
    Flow::Continue(())
}

// fmul_one [pypy]: fmul(x, 1.0)
//     # 1 is the identity of multiplication.
//     => x
fn fmul_one<S: Subject>(
    s: &S,
    root: &Root<'_, S::Value>,
    x: S::Value,
    inner1: S::Value,
) -> Option<Rewrite<S::Value>> {
    let ty0 = root.ty;
    if real(s, inner1)? != float(ty0, 1.0)? {
        return None;
    }
    Some(Rewrite { rule: rule(names::FMUL_ONE), plan: Plan::new(), outcome: Outcome::Value(Operand::Value(x)) })
}

// fmul_fabs_same: fmul(fabs(x), fabs(x))
//     # A square has no sign.
//     => fmul(x, x)
fn fmul_fabs_same<S: Subject>(
    s: &S,
    root: &Root<'_, S::Value>,
    x: S::Value,
    x_2: S::Value,
) -> Option<Rewrite<S::Value>> {
    if !same(s, x, x_2) {
        return None;
    }
    let ty0 = root.ty;
    let mut plan = Plan::new();
    let new1 = plan.push(Op::Fmul, ty0, &[Operand::Value(x), Operand::Value(x)]);
    Some(Rewrite { rule: rule(names::FMUL_FABS_SAME), plan, outcome: Outcome::Value(new1) })
}

// fmul_fneg_fneg: fmul(fneg(x), fneg(y))
//     # The signs cancel.
//     => fmul(x, y)
fn fmul_fneg_fneg<S: Subject>(
    _s: &S,
    root: &Root<'_, S::Value>,
    x: S::Value,
    y: S::Value,
) -> Option<Rewrite<S::Value>> {
    let ty0 = root.ty;
    let mut plan = Plan::new();
    let new1 = plan.push(Op::Fmul, ty0, &[Operand::Value(x), Operand::Value(y)]);
    Some(Rewrite { rule: rule(names::FMUL_FNEG_FNEG), plan, outcome: Outcome::Value(new1) })
}

// fmul_fneg_const: fmul(fneg(x), C)
//     # The sign goes to the constant.
//     D = -C
//     => fmul(x, D)
fn fmul_fneg_const<S: Subject>(
    s: &S,
    root: &Root<'_, S::Value>,
    x: S::Value,
    at_c: S::Value,
) -> Option<Rewrite<S::Value>> {
    let ty0 = root.ty;
    let the_c = real(s, at_c)?;
    let the_d = Machine.f_neg(the_c);
    let mut plan = Plan::new();
    let new1 = plan.push(Op::Fmul, ty0, &[Operand::Value(x), Operand::Const(Const::Real(the_d))]);
    Some(Rewrite { rule: rule(names::FMUL_FNEG_CONST), plan, outcome: Outcome::Value(new1) })
}

// fmul_minus_one [pypy]: fmul(x, -1.0)
//     # The sign flips and nothing is rounded.
//     => fneg(x)
fn fmul_minus_one<S: Subject>(
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
    Some(Rewrite { rule: rule(names::FMUL_MINUS_ONE), plan, outcome: Outcome::Value(new1) })
}

