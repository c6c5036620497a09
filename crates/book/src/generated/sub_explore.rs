//! Rules marked `explore` whose pattern begins with `sub`, in the order in which they are tried:
//!
//! - sub_add_assoc
//! - sub_sub_assoc
//! - sub_as_add
//!
//! Generated from `rules/*.rules`.

use planish_ops::Op;
use planish_rules::matching::{Flow, Operand, Outcome, Plan, Rewrite, Root, Subject, nodes, offer, operands2};

use super::names::{self, rule};

/// Hands every rewrite of a `sub` to `found`, until it says stop.
pub fn root<S: Subject>(
    s: &S,
    root: &Root<'_, S::Value>,
    found: &mut impl FnMut(Rewrite<S::Value>) -> Flow,
) -> Flow {
    let a = root.args[0];
    let b = root.args[1];
    for node in nodes(s, b) {
        match node {
            Some((Op::Add, n)) => {
                let [b0, b1] = operands2(s, n);
                offer(found, sub_add_assoc(s, root, a, b0, b1))?;
            }
            Some((Op::Sub, n)) => {
                let [b0, b1] = operands2(s, n);
                offer(found, sub_sub_assoc(s, root, a, b0, b1))?;
            }
            _ => {}
        }
    }
    offer(found, sub_as_add(s, root, a, b))?;
    Flow::Continue(())
}

// sub_add_assoc [explore]: sub(x, add(y, z))
//     # x - (y + z) = (x - y) - z
//     => sub(sub(x, y), z)
fn sub_add_assoc<S: Subject>(
    _s: &S,
    root: &Root<'_, S::Value>,
    x: S::Value,
    y: S::Value,
    z: S::Value,
) -> Option<Rewrite<S::Value>> {
    let ty0 = root.ty;
    let mut plan = Plan::new();
    let new1 = plan.push(Op::Sub, ty0, &[Operand::Value(x), Operand::Value(y)]);
    let new2 = plan.push(Op::Sub, ty0, &[new1, Operand::Value(z)]);
    Some(Rewrite { rule: rule(names::SUB_ADD_ASSOC), plan, outcome: Outcome::Value(new2) })
}

// sub_sub_assoc [explore]: sub(x, sub(y, z))
//     # x - (y - z) = (x - y) + z
//     => add(sub(x, y), z)
fn sub_sub_assoc<S: Subject>(
    _s: &S,
    root: &Root<'_, S::Value>,
    x: S::Value,
    y: S::Value,
    z: S::Value,
) -> Option<Rewrite<S::Value>> {
    let ty0 = root.ty;
    let mut plan = Plan::new();
    let new1 = plan.push(Op::Sub, ty0, &[Operand::Value(x), Operand::Value(y)]);
    let new2 = plan.push(Op::Add, ty0, &[new1, Operand::Value(z)]);
    Some(Rewrite { rule: rule(names::SUB_SUB_ASSOC), plan, outcome: Outcome::Value(new2) })
}

// sub_as_add [explore]: sub(x, y)
//     # x - y = x + -y
//     => add(x, neg(y))
fn sub_as_add<S: Subject>(
    _s: &S,
    root: &Root<'_, S::Value>,
    x: S::Value,
    y: S::Value,
) -> Option<Rewrite<S::Value>> {
    let ty0 = root.ty;
    let mut plan = Plan::new();
    let new1 = plan.push(Op::Neg, ty0, &[Operand::Value(y)]);
    let new2 = plan.push(Op::Add, ty0, &[Operand::Value(x), new1]);
    Some(Rewrite { rule: rule(names::SUB_AS_ADD), plan, outcome: Outcome::Value(new2) })
}

