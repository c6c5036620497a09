//! Rules marked `explore` whose pattern begins with `neg`, in the order in which they are tried:
//!
//! - neg_mul
//!
//! Generated from `rules/*.rules`.

use planish_ops::Op;
use planish_rules::matching::{Flow, Operand, Outcome, Plan, Rewrite, Root, Subject, nodes, offer, operands2};

use super::names::{self, rule};

/// Hands every rewrite of a `neg` to `found`, until it says stop.
pub fn root<S: Subject>(
    s: &S,
    root: &Root<'_, S::Value>,
    found: &mut impl FnMut(Rewrite<S::Value>) -> Flow,
) -> Flow {
    let a = root.args[0];
    for node in nodes(s, a) {
        if let Some((Op::Mul, n)) = node {
            let [a0, a1] = operands2(s, n);
            offer(found, neg_mul(s, root, a0, a1))?;
        }
    }
    Flow::Continue(())
}

// neg_mul [explore]: neg(mul(x, y))
//     # The sign goes to a factor.
//     => mul(neg(x), y)
fn neg_mul<S: Subject>(
    _s: &S,
    root: &Root<'_, S::Value>,
    x: S::Value,
    y: S::Value,
) -> Option<Rewrite<S::Value>> {
    let ty0 = root.ty;
    let mut plan = Plan::new();
    let new1 = plan.push(Op::Neg, ty0, &[Operand::Value(x)]);
    let new2 = plan.push(Op::Mul, ty0, &[new1, Operand::Value(y)]);
    Some(Rewrite { rule: rule(names::NEG_MUL), plan, outcome: Outcome::Value(new2) })
}

