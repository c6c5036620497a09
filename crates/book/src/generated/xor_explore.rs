//! Rules marked `explore` whose pattern begins with `xor`, in the order in which they are tried:
//!
//! - xor_assoc
//!
//! Generated from `rules/*.rules`.

use planish_ops::Op;
use planish_rules::matching::{Flow, Operand, Outcome, Plan, Rewrite, Root, Subject, constant_last, nodes, offer, operands2};

use super::names::{self, rule};

/// Hands every rewrite of a `xor` to `found`, until it says stop.
pub fn root<S: Subject>(
    s: &S,
    root: &Root<'_, S::Value>,
    found: &mut impl FnMut(Rewrite<S::Value>) -> Flow,
) -> Flow {
    let [a, b] = constant_last(s, [root.args[0], root.args[1]]);
    for node in nodes(s, a) {
        if let Some((Op::Xor, n)) = node {
            let [a0, a1] = operands2(s, n);
            offer(found, xor_assoc(s, root, a0, a1, b))?;
        }
    }
    for node in nodes(s, b) {
        if let Some((Op::Xor, n)) = node {
            let [b0, b1] = operands2(s, n);
            offer(found, xor_assoc(s, root, b0, b1, a))?;
        }
    }
    Flow::Continue(())
}

// xor_assoc [explore]: xor(xor(x, y), z)
//     # Exclusive disjunctions associate.
//     => xor(x, xor(y, z))
fn xor_assoc<S: Subject>(
    _s: &S,
    root: &Root<'_, S::Value>,
    x: S::Value,
    y: S::Value,
    z: S::Value,
) -> Option<Rewrite<S::Value>> {
    let ty0 = root.ty;
    let mut plan = Plan::new();
    let new1 = plan.push(Op::Xor, ty0, &[Operand::Value(y), Operand::Value(z)]);
    let new2 = plan.push(Op::Xor, ty0, &[Operand::Value(x), new1]);
    Some(Rewrite { rule: rule(names::XOR_ASSOC), plan, outcome: Outcome::Value(new2) })
}

