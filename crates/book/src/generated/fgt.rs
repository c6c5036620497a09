//! Rules whose pattern begins with `fgt`, in the order in which they are tried:
//!
//! - fgt_fneg_fneg
//! - fgt_fneg_const
//! - fgt_const_left
//!
//! Generated from `rules/*.rules`.

use planish_ops::{Floats, Machine, Op};
use planish_rules::speaks::is_spoken_of;
use planish_rules::matching::{Const, Flow, Operand, Outcome, Plan, Rewrite, Root, Subject, nodes, offer, real};

use super::names::{self, rule};

/// Hands every rewrite of a `fgt` to `found`, until it says stop.
pub fn root<S: Subject>(
    s: &S,
    root: &Root<'_, S::Value>,
    found: &mut impl FnMut(Rewrite<S::Value>) -> Flow,
) -> Flow {
    let a = root.args[0];
    let b = root.args[1];
    if s.constant(a).is_some() {
        offer(found, fgt_const_left(s, root, a, b))?;
    } else {
        for node in nodes(s, a) {
            if let Some((Op::Fneg, n)) = node {
                let a0 = s.operand(n, 0);
                if s.constant(b).is_some() {
                    offer(found, fgt_fneg_const(s, root, a0, b))?;
                } else {
                    for node in nodes(s, b) {
                        if let Some((Op::Fneg, n)) = node {
                            let b0 = s.operand(n, 0);
                            offer(found, fgt_fneg_fneg(s, root, a0, b0))?;
                        }
                    }
                }
            }
        }
    }
    Flow::Continue(())
}

// fgt_fneg_fneg: fgt(fneg(x), fneg(y))
//     # Negation turns the order around.
//     => fgt(y, x)
fn fgt_fneg_fneg<S: Subject>(
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
    let new1 = plan.push(Op::Fgt, ty0, &[Operand::Value(y), Operand::Value(x)]);
    Some(Rewrite { rule: rule(names::FGT_FNEG_FNEG), plan, outcome: Outcome::Value(new1) })
}

// fgt_fneg_const: fgt(fneg(x), C)
//     # Negation turns the order around.
//     D = -C
//     => flt(x, D)
fn fgt_fneg_const<S: Subject>(
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
    let new1 = plan.push(Op::Flt, ty0, &[Operand::Value(x), Operand::Const(Const::Real(the_d))]);
    Some(Rewrite { rule: rule(names::FGT_FNEG_CONST), plan, outcome: Outcome::Value(new1) })
}

// fgt_const_left: fgt(C, x)
//     # A constant stands on the right.
//     => flt(x, C)
fn fgt_const_left<S: Subject>(
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
    let new1 = plan.push(Op::Flt, ty0, &[Operand::Value(x), Operand::Value(at_c)]);
    Some(Rewrite { rule: rule(names::FGT_CONST_LEFT), plan, outcome: Outcome::Value(new1) })
}

