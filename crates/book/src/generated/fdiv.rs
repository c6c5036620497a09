//! Rules whose pattern begins with `fdiv`, in the order in which they are tried:
//!
//! - fdiv_one
//! - fdiv_minus_one
//!
//! Generated from `rules/*.rules`.

use planish_ops::Op;
use planish_rules::matching::{Flow, Operand, Outcome, Plan, Rewrite, Root, Subject, float, offer, real};

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
        offer(found, fdiv_minus_one(s, root, a, b))?;
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

