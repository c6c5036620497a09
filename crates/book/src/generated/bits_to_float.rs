//! Rules whose pattern begins with `bits_to_float`, in the order in which they are tried:
//!
//! - float_of_bits
//! - float_of_raw_bits
//!
//! Generated from `rules/*.rules`.

use planish_ops::Op;
use planish_rules::speaks::is_spoken_of;
use planish_rules::matching::{Flow, Operand, Outcome, Plan, Rewrite, Root, Subject, nodes, offer};

use super::names::{self, rule};

/// Hands every rewrite of a `bits_to_float` to `found`, until it says stop.
pub fn root<S: Subject>(
    s: &S,
    root: &Root<'_, S::Value>,
    found: &mut impl FnMut(Rewrite<S::Value>) -> Flow,
) -> Flow {
    let a = root.args[0];
    for node in nodes(s, a) {
        match node {
            Some((Op::FloatToBits, n)) => {
                let a0 = s.operand(n, 0);
                offer(found, float_of_bits(s, root, a0, a))?;
            }
            Some((Op::FloatToRawBits, n)) => {
                let a0 = s.operand(n, 0);
                offer(found, float_of_raw_bits(s, root, a0, a))?;
            }
            _ => {}
        }
    }
    Flow::Continue(())
}

// float_of_bits: bits_to_float(float_to_bits(x))
//     # There and back; all NaNs are one value.
//     => x
fn float_of_bits<S: Subject>(
    s: &S,
    root: &Root<'_, S::Value>,
    x: S::Value,
    inner1: S::Value,
) -> Option<Rewrite<S::Value>> {
    if root.ty != s.ty(x) {
        return None;
    }
    if !is_spoken_of(s.ty(inner1)) {
        return None;
    }
    Some(Rewrite { rule: rule(names::FLOAT_OF_BITS), plan: Plan::new(), outcome: Outcome::Value(Operand::Value(x)) })
}

// float_of_raw_bits: bits_to_float(float_to_raw_bits(x))
//     # There and back; all NaNs are one value.
//     => x
fn float_of_raw_bits<S: Subject>(
    s: &S,
    root: &Root<'_, S::Value>,
    x: S::Value,
    inner1: S::Value,
) -> Option<Rewrite<S::Value>> {
    if root.ty != s.ty(x) {
        return None;
    }
    if !is_spoken_of(s.ty(inner1)) {
        return None;
    }
    Some(Rewrite { rule: rule(names::FLOAT_OF_RAW_BITS), plan: Plan::new(), outcome: Outcome::Value(Operand::Value(x)) })
}

