//! Rules whose pattern begins with `float_to_raw_bits`, in the order in which they are tried:
//!
//! - bits_of_float
//!
//! Generated from `rules/*.rules`.

use planish_ops::Op;
use planish_rules::speaks::is_spoken_of;
use planish_rules::matching::{Flow, Operand, Outcome, Plan, Rewrite, Root, Subject, nodes, offer};

use super::names::{self, rule};

/// Hands every rewrite of a `float_to_raw_bits` to `found`, until it says stop.
pub fn root<S: Subject>(
    s: &S,
    root: &Root<'_, S::Value>,
    found: &mut impl FnMut(Rewrite<S::Value>) -> Flow,
) -> Flow {
    let a = root.args[0];
    for node in nodes(s, a) {
        if let Some((Op::BitsToFloat, n)) = node {
            let a0 = s.operand(n, 0);
            offer(found, bits_of_float(s, root, a0))?;
        }
    }
    Flow::Continue(())
}

// bits_of_float: float_to_raw_bits(bits_to_float(x))
//     # There and back; which NaN it is, is nobody's concern.
//     => x
fn bits_of_float<S: Subject>(
    s: &S,
    root: &Root<'_, S::Value>,
    x: S::Value,
) -> Option<Rewrite<S::Value>> {
    if root.ty != s.ty(x) {
        return None;
    }
    if !is_spoken_of(root.ty) {
        return None;
    }
    Some(Rewrite { rule: rule(names::BITS_OF_FLOAT), plan: Plan::new(), outcome: Outcome::Value(Operand::Value(x)) })
}

