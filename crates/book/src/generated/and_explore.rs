//! Rules marked `explore` whose pattern begins with `and`, in the order in which they are tried:
//!
//! - and_assoc
//! - and_distribute
//!
//! Generated from `rules/*.rules`.

use planish_ops::Op;
use planish_rules::matching::{Flow, Operand, Outcome, Plan, Rewrite, Root, Subject, constant_last, nodes, offer, operands2};

use super::names::{self, rule};

/// Hands every rewrite of a `and` to `found`, until it says stop.
pub fn root<S: Subject>(
    s: &S,
    root: &Root<'_, S::Value>,
    found: &mut impl FnMut(Rewrite<S::Value>) -> Flow,
) -> Flow {
    let [a, b] = constant_last(s, [root.args[0], root.args[1]]);
    for node in nodes(s, a) {
        if let Some((Op::And, n)) = node {
            let [a0, a1] = operands2(s, n);
            offer(found, and_assoc(s, root, a0, a1, b))?;
        }
    }
    for node in nodes(s, b) {
        match node {
            Some((Op::And, n)) => {
                let [b0, b1] = operands2(s, n);
                offer(found, and_assoc(s, root, b0, b1, a))?;
            }
            Some((Op::Or, n)) => {
                let [b0, b1] = operands2(s, n);
                offer(found, and_distribute(s, root, a, b0, b1))?;
            }
            _ => {}
        }
    }
    for node in nodes(s, a) {
        if let Some((Op::Or, n)) = node {
            let [a0, a1] = operands2(s, n);
            offer(found, and_distribute(s, root, b, a0, a1))?;
        }
    }
    Flow::Continue(())
}

// and_assoc [explore]: and(and(x, y), z)
//     # Conjunctions associate.
//     => and(x, and(y, z))
fn and_assoc<S: Subject>(
    _s: &S,
    root: &Root<'_, S::Value>,
    x: S::Value,
    y: S::Value,
    z: S::Value,
) -> Option<Rewrite<S::Value>> {
    let ty0 = root.ty;
    let mut plan = Plan::new();
    let new1 = plan.push(Op::And, ty0, &[Operand::Value(y), Operand::Value(z)]);
    let new2 = plan.push(Op::And, ty0, &[Operand::Value(x), new1]);
    Some(Rewrite { rule: rule(names::AND_ASSOC), plan, outcome: Outcome::Value(new2) })
}

// and_distribute [explore]: and(x, or(y, z))
//     # And distributes over or.
//     => or(and(x, y), and(x, z))
fn and_distribute<S: Subject>(
    _s: &S,
    root: &Root<'_, S::Value>,
    x: S::Value,
    y: S::Value,
    z: S::Value,
) -> Option<Rewrite<S::Value>> {
    let ty0 = root.ty;
    let mut plan = Plan::new();
    let new1 = plan.push(Op::And, ty0, &[Operand::Value(x), Operand::Value(y)]);
    let new2 = plan.push(Op::And, ty0, &[Operand::Value(x), Operand::Value(z)]);
    let new3 = plan.push(Op::Or, ty0, &[new1, new2]);
    Some(Rewrite { rule: rule(names::AND_DISTRIBUTE), plan, outcome: Outcome::Value(new3) })
}

