//! Rules whose pattern begins with `rotl`, in the order in which they are tried:
//!
//! - rotl_rotr
//!
//! Generated from `rules/*.rules`.

use planish_ops::Op;
use planish_rules::matching::{Flow, Operand, Outcome, Plan, Rewrite, Root, Subject, nodes, offer, operands2, same};

use super::names::{self, rule};

/// Hands every rewrite of a `rotl` to `found`, until it says stop.
pub fn root<S: Subject>(
    s: &S,
    root: &Root<'_, S::Value>,
    found: &mut impl FnMut(Rewrite<S::Value>) -> Flow,
) -> Flow {
    let a = root.args[0];
    let b = root.args[1];
    for node in nodes(s, a) {
        if let Some((Op::Rotr, n)) = node {
            let [a0, a1] = operands2(s, n);
            offer(found, rotl_rotr(s, root, a0, a1, b))?;
        }
    }
    Flow::Continue(())
}

// rotl_rotr: rotl(rotr(x, y), y)
//     # There and back.
//     => x
fn rotl_rotr<S: Subject>(
    s: &S,
    _root: &Root<'_, S::Value>,
    x: S::Value,
    y: S::Value,
    y_2: S::Value,
) -> Option<Rewrite<S::Value>> {
    if !same(s, y, y_2) {
        return None;
    }
    Some(Rewrite { rule: rule(names::ROTL_ROTR), plan: Plan::new(), outcome: Outcome::Value(Operand::Value(x)) })
}

