//! Rules whose pattern begins with `float_convert`, in the order in which they are tried:
//!
//! - float_convert_back
//!
//! Generated from `rules/*.rules`.

use planish_ops::{Op, Type};
use planish_rules::matching::{Flow, Operand, Outcome, Plan, Rewrite, Root, Subject, nodes, offer};

use super::names::{self, rule};

/// Hands every rewrite of a `float_convert` to `found`, until it says stop.
pub fn root<S: Subject>(
    s: &S,
    root: &Root<'_, S::Value>,
    found: &mut impl FnMut(Rewrite<S::Value>) -> Flow,
) -> Flow {
    let a = root.args[0];
    for node in nodes(s, a) {
        if let Some((Op::FloatConvert, n)) = node {
            let a0 = s.operand(n, 0);
            offer(found, float_convert_back(s, root, a0, a))?;
        }
    }
    Flow::Continue(())
}

// float_convert_back: float_convert(float_convert(x: f32): f64): f32
//     # Every number of the narrow format is one of the wide format.
//     => x
fn float_convert_back<S: Subject>(
    s: &S,
    root: &Root<'_, S::Value>,
    x: S::Value,
    inner1: S::Value,
) -> Option<Rewrite<S::Value>> {
    if root.ty != Type::F32 {
        return None;
    }
    if s.ty(inner1) != Type::F64 {
        return None;
    }
    if s.ty(x) != Type::F32 {
        return None;
    }
    Some(Rewrite { rule: rule(names::FLOAT_CONVERT_BACK), plan: Plan::new(), outcome: Outcome::Value(Operand::Value(x)) })
}

