//! Rules whose pattern begins with `fadd`, in the order in which they are tried:
//!
//! - fadd_minus_zero
//! - fadd_fneg
//!
//! Generated from `rules/*.rules`.

use planish_ops::Op;
use planish_rules::matching::{Flow, Operand, Outcome, Plan, Rewrite, Root, Subject, constant_last, float, nodes, offer, real};

use super::names::{self, rule};

/// Hands every rewrite of a `fadd` to `found`, until it says stop.
pub fn root<S: Subject>(
    s: &S,
    root: &Root<'_, S::Value>,
    found: &mut impl FnMut(Rewrite<S::Value>) -> Flow,
) -> Flow {
    let [a, b] = constant_last(s, [root.args[0], root.args[1]]);
    if s.constant(b).is_some() {
        offer(found, fadd_minus_zero(s, root, a, b))?;
    } else {
        for node in nodes(s, b) {
            if let Some((Op::Fneg, n)) = node {
                let b0 = s.operand(n, 0);
                offer(found, fadd_fneg(s, root, a, b0))?;
            }
        }
    }
    for node in nodes(s, a) {
        if let Some((Op::Fneg, n)) = node {
            let a0 = s.operand(n, 0);
            offer(found, fadd_fneg(s, root, b, a0))?;
        }
    }
    Flow::Continue(())
}

// fadd_minus_zero: fadd(x, -0.0)
//     # -0 is the identity of addition.
//     => x
fn fadd_minus_zero<S: Subject>(
    s: &S,
    root: &Root<'_, S::Value>,
    x: S::Value,
    inner1: S::Value,
) -> Option<Rewrite<S::Value>> {
    let ty0 = root.ty;
    if real(s, inner1)? != float(ty0, -0.0)? {
        return None;
    }
    Some(Rewrite { rule: rule(names::FADD_MINUS_ZERO), plan: Plan::new(), outcome: Outcome::Value(Operand::Value(x)) })
}

// fadd_fneg: fadd(x, fneg(y))
//     # x + -y = x - y
//     => fsub(x, y)
fn fadd_fneg<S: Subject>(
    _s: &S,
    root: &Root<'_, S::Value>,
    x: S::Value,
    y: S::Value,
) -> Option<Rewrite<S::Value>> {
    let ty0 = root.ty;
    let mut plan = Plan::new();
    let new1 = plan.push(Op::Fsub, ty0, &[Operand::Value(x), Operand::Value(y)]);
    Some(Rewrite { rule: rule(names::FADD_FNEG), plan, outcome: Outcome::Value(new1) })
}

