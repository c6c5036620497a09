//! Rules marked `explore` whose pattern begins with `not`, in the order in which they are tried:
//!
//! - not_and
//! - not_or
//!
//! Generated from `rules/*.rules`.

use planish_ops::Op;
use planish_rules::matching::{Flow, Operand, Outcome, Plan, Rewrite, Root, Subject, nodes, offer, operands2};

use super::names::{self, rule};

/// Hands every rewrite of a `not` to `found`, until it says stop.
pub fn root<S: Subject>(
    s: &S,
    root: &Root<'_, S::Value>,
    found: &mut impl FnMut(Rewrite<S::Value>) -> Flow,
) -> Flow {
    let a = root.args[0];
    for node in nodes(s, a) {
        match node {
            Some((Op::And, n)) => {
                let [a0, a1] = operands2(s, n);
                offer(found, not_and(s, root, a0, a1))?;
            }
            Some((Op::Or, n)) => {
                let [a0, a1] = operands2(s, n);
                offer(found, not_or(s, root, a0, a1))?;
            }
            _ => {}
        }
    }
    Flow::Continue(())
}

// not_and [explore]: not(and(x, y))
//     # De Morgan.
//     => or(not(x), not(y))
fn not_and<S: Subject>(
    _s: &S,
    root: &Root<'_, S::Value>,
    x: S::Value,
    y: S::Value,
) -> Option<Rewrite<S::Value>> {
    let ty0 = root.ty;
    let mut plan = Plan::new();
    let new1 = plan.push(Op::Not, ty0, &[Operand::Value(x)]);
    let new2 = plan.push(Op::Not, ty0, &[Operand::Value(y)]);
    let new3 = plan.push(Op::Or, ty0, &[new1, new2]);
    Some(Rewrite { rule: rule(names::NOT_AND), plan, outcome: Outcome::Value(new3) })
}

// not_or [explore]: not(or(x, y))
//     # De Morgan.
//     => and(not(x), not(y))
fn not_or<S: Subject>(
    _s: &S,
    root: &Root<'_, S::Value>,
    x: S::Value,
    y: S::Value,
) -> Option<Rewrite<S::Value>> {
    let ty0 = root.ty;
    let mut plan = Plan::new();
    let new1 = plan.push(Op::Not, ty0, &[Operand::Value(x)]);
    let new2 = plan.push(Op::Not, ty0, &[Operand::Value(y)]);
    let new3 = plan.push(Op::And, ty0, &[new1, new2]);
    Some(Rewrite { rule: rule(names::NOT_OR), plan, outcome: Outcome::Value(new3) })
}

