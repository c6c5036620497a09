//! Rules whose pattern begins with `fsub`, in the order in which they are tried:
//!
//! - fsub_zero
//! - fsub_fneg
//! - fsub_minus_zero_left
//!
//! Generated from `rules/*.rules`.

use planish_ops::Op;
use planish_rules::matching::{Flow, Operand, Outcome, Plan, Rewrite, Root, Subject, float, nodes, offer, real};

use super::names::{self, rule};

/// Hands every rewrite of a `fsub` to `found`, until it says stop.
pub fn root<S: Subject>(
    s: &S,
    root: &Root<'_, S::Value>,
    found: &mut impl FnMut(Rewrite<S::Value>) -> Flow,
) -> Flow {
    let a = root.args[0];
    let b = root.args[1];
    if s.constant(b).is_some() {
        offer(found, fsub_zero(s, root, a, b))?;
    } else {
        for node in nodes(s, b) {
            if let Some((Op::Fneg, n)) = node {
                let b0 = s.operand(n, 0);
                offer(found, fsub_fneg(s, root, a, b0))?;
            }
        }
    }
    if s.constant(a).is_some() {
        offer(found, fsub_minus_zero_left(s, root, a, b))?;
    }
    Flow::Continue(())
}

// fsub_zero: fsub(x, 0.0)
//     # x - 0 = x + -0
//     => x
fn fsub_zero<S: Subject>(
    s: &S,
    root: &Root<'_, S::Value>,
    x: S::Value,
    inner1: S::Value,
) -> Option<Rewrite<S::Value>> {
    let ty0 = root.ty;
    if real(s, inner1)? != float(ty0, 0.0)? {
        return None;
    }
    Some(Rewrite { rule: rule(names::FSUB_ZERO), plan: Plan::new(), outcome: Outcome::Value(Operand::Value(x)) })
}

// fsub_fneg: fsub(x, fneg(y))
//     # x - -y = x + y
//     => fadd(x, y)
fn fsub_fneg<S: Subject>(
    _s: &S,
    root: &Root<'_, S::Value>,
    x: S::Value,
    y: S::Value,
) -> Option<Rewrite<S::Value>> {
    let ty0 = root.ty;
    let mut plan = Plan::new();
    let new1 = plan.push(Op::Fadd, ty0, &[Operand::Value(x), Operand::Value(y)]);
    Some(Rewrite { rule: rule(names::FSUB_FNEG), plan, outcome: Outcome::Value(new1) })
}

// fsub_minus_zero_left: fsub(-0.0, x)
//     # -0 - x is -x for zeros, too.
//     => fneg(x)
fn fsub_minus_zero_left<S: Subject>(
    s: &S,
    root: &Root<'_, S::Value>,
    inner0: S::Value,
    x: S::Value,
) -> Option<Rewrite<S::Value>> {
    let ty0 = root.ty;
    if real(s, inner0)? != float(ty0, -0.0)? {
        return None;
    }
    let mut plan = Plan::new();
    let new1 = plan.push(Op::Fneg, ty0, &[Operand::Value(x)]);
    Some(Rewrite { rule: rule(names::FSUB_MINUS_ZERO_LEFT), plan, outcome: Outcome::Value(new1) })
}

