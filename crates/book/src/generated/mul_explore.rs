//! Rules marked `explore` whose pattern begins with `mul`, in the order in which they are tried:
//!
//! - mul_assoc
//! - mul_distribute
//!
//! Generated from `rules/*.rules`.

use planish_ops::Op;
use planish_rules::matching::{Flow, Operand, Outcome, Plan, Rewrite, Root, Subject, constant_last, nodes, offer, operands2};

use super::names::{self, rule};

/// Hands every rewrite of a `mul` to `found`, until it says stop.
pub fn root<S: Subject>(
    s: &S,
    root: &Root<'_, S::Value>,
    found: &mut impl FnMut(Rewrite<S::Value>) -> Flow,
) -> Flow {
    let [a, b] = constant_last(s, [root.args[0], root.args[1]]);
    for node in nodes(s, a) {
        if let Some((Op::Mul, n)) = node {
            let [a0, a1] = operands2(s, n);
            offer(found, mul_assoc(s, root, a0, a1, b))?;
        }
    }
    for node in nodes(s, b) {
        match node {
            Some((Op::Add, n)) => {
                let [b0, b1] = operands2(s, n);
                offer(found, mul_distribute(s, root, a, b0, b1))?;
            }
            Some((Op::Mul, n)) => {
                let [b0, b1] = operands2(s, n);
                offer(found, mul_assoc(s, root, b0, b1, a))?;
            }
            _ => {}
        }
    }
    for node in nodes(s, a) {
        if let Some((Op::Add, n)) = node {
            let [a0, a1] = operands2(s, n);
            offer(found, mul_distribute(s, root, b, a0, a1))?;
        }
    }
    Flow::Continue(())
}

// mul_assoc [explore]: mul(mul(x, y), z)
//     # Products associate.
//     => mul(x, mul(y, z))
fn mul_assoc<S: Subject>(
    _s: &S,
    root: &Root<'_, S::Value>,
    x: S::Value,
    y: S::Value,
    z: S::Value,
) -> Option<Rewrite<S::Value>> {
    let ty0 = root.ty;
    let mut plan = Plan::new();
    let new1 = plan.push(Op::Mul, ty0, &[Operand::Value(y), Operand::Value(z)]);
    let new2 = plan.push(Op::Mul, ty0, &[Operand::Value(x), new1]);
    Some(Rewrite { rule: rule(names::MUL_ASSOC), plan, outcome: Outcome::Value(new2) })
}

// mul_distribute [explore]: mul(x, add(y, z))
//     # Products distribute over sums.
//     => add(mul(x, y), mul(x, z))
fn mul_distribute<S: Subject>(
    _s: &S,
    root: &Root<'_, S::Value>,
    x: S::Value,
    y: S::Value,
    z: S::Value,
) -> Option<Rewrite<S::Value>> {
    let ty0 = root.ty;
    let mut plan = Plan::new();
    let new1 = plan.push(Op::Mul, ty0, &[Operand::Value(x), Operand::Value(y)]);
    let new2 = plan.push(Op::Mul, ty0, &[Operand::Value(x), Operand::Value(z)]);
    let new3 = plan.push(Op::Add, ty0, &[new1, new2]);
    Some(Rewrite { rule: rule(names::MUL_DISTRIBUTE), plan, outcome: Outcome::Value(new3) })
}

