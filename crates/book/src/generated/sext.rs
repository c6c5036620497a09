//! Rules whose pattern begins with `sext`, in the order in which they are tried:
//!
//! - sext_sext
//! - sext_zext
//!
//! Generated from `rules/*.rules`.

use planish_ops::Op;
use planish_rules::speaks::is_spoken_of;
use planish_rules::matching::{Flow, Operand, Outcome, Plan, Rewrite, Root, Subject, nodes, offer};

use super::names::{self, rule};

/// Hands every rewrite of a `sext` to `found`, until it says stop.
pub fn root<S: Subject>(
    s: &S,
    root: &Root<'_, S::Value>,
    found: &mut impl FnMut(Rewrite<S::Value>) -> Flow,
) -> Flow {
    let a = root.args[0];
    for node in nodes(s, a) {
        match node {
            Some((Op::Sext, n)) => {
                let a0 = s.operand(n, 0);
                offer(found, sext_sext(s, root, a0, a))?;
            }
            Some((Op::Zext, n)) => {
                let a0 = s.operand(n, 0);
                offer(found, sext_zext(s, root, a0, a))?;
            }
            _ => {}
        }
    }
    Flow::Continue(())
}

// sext_sext: sext(sext(x))
//     # Copies of copies of the sign.
//     => sext(x)
fn sext_sext<S: Subject>(
    s: &S,
    root: &Root<'_, S::Value>,
    x: S::Value,
    inner1: S::Value,
) -> Option<Rewrite<S::Value>> {
    let ty0 = root.ty;
    if !is_spoken_of(ty0) {
        return None;
    }
    if !is_spoken_of(s.ty(inner1)) {
        return None;
    }
    if !is_spoken_of(s.ty(x)) {
        return None;
    }
    let mut plan = Plan::new();
    let new1 = plan.push(Op::Sext, ty0, &[Operand::Value(x)]);
    Some(Rewrite { rule: rule(names::SEXT_SEXT), plan, outcome: Outcome::Value(new1) })
}

// sext_zext: sext(zext(x))
//     # The sign is a zero.
//     => zext(x)
fn sext_zext<S: Subject>(
    s: &S,
    root: &Root<'_, S::Value>,
    x: S::Value,
    inner1: S::Value,
) -> Option<Rewrite<S::Value>> {
    let ty0 = root.ty;
    if !is_spoken_of(ty0) {
        return None;
    }
    if !is_spoken_of(s.ty(inner1)) {
        return None;
    }
    if !is_spoken_of(s.ty(x)) {
        return None;
    }
    let mut plan = Plan::new();
    let new1 = plan.push(Op::Zext, ty0, &[Operand::Value(x)]);
    Some(Rewrite { rule: rule(names::SEXT_ZEXT), plan, outcome: Outcome::Value(new1) })
}

