//! Rules whose pattern begins with `float_to_signed_sat`, in the order in which they are tried:
//!
//! - signed_of_float_sat
//!
//! Generated from `rules/*.rules`.

use planish_ops::{Op, Type};
use planish_rules::matching::{Flow, Operand, Outcome, Plan, Rewrite, Root, Subject, nodes, offer};

use super::names::{self, rule};

/// Hands every rewrite of a `float_to_signed_sat` to `found`, until it says stop.
pub fn root<S: Subject>(
    s: &S,
    root: &Root<'_, S::Value>,
    found: &mut impl FnMut(Rewrite<S::Value>) -> Flow,
) -> Flow {
    let a = root.args[0];
    for node in nodes(s, a) {
        if let Some((Op::SignedToFloat, n)) = node {
            let a0 = s.operand(n, 0);
            offer(found, signed_of_float_sat(s, root, a0, a))?;
        }
    }
    Flow::Continue(())
}

// signed_of_float_sat: float_to_signed_sat(signed_to_float(x: i32): f64): i32
//     # Every number of 32 bits is exact in binary64.
//     => x
fn signed_of_float_sat<S: Subject>(
    s: &S,
    root: &Root<'_, S::Value>,
    x: S::Value,
    inner1: S::Value,
) -> Option<Rewrite<S::Value>> {
    if root.ty != Type::Int(32) {
        return None;
    }
    if s.ty(inner1) != Type::F64 {
        return None;
    }
    if s.ty(x) != Type::Int(32) {
        return None;
    }
    Some(Rewrite { rule: rule(names::SIGNED_OF_FLOAT_SAT), plan: Plan::new(), outcome: Outcome::Value(Operand::Value(x)) })
}

