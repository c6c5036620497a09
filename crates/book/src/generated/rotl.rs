//! Rules whose pattern begins with `rotl`, in the order in which they are tried:
//!
//! - rotl_rotr
//! - rotl_rotl
//!
//! Generated from `rules/*.rules`.

use planish_ops::{Bits, Int, Machine, Op};
use planish_rules::speaks::is_spoken_of;
use planish_rules::matching::{Const, Flow, Operand, Outcome, Plan, Rewrite, Root, Subject, int, nodes, offer, operands2, same};

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
        match node {
            Some((Op::Rotl, n)) => {
                let [a0, a1] = operands2(s, n);
                if s.constant(b).is_some() {
                    if s.constant(a1).is_some() {
                        offer(found, rotl_rotl(s, root, a0, a1, b))?;
                    }
                }
            }
            Some((Op::Rotr, n)) => {
                let [a0, a1] = operands2(s, n);
                offer(found, rotl_rotr(s, root, a0, a1, b))?;
            }
            _ => {}
        }
    }
    Flow::Continue(())
}

// rotl_rotr: rotl(rotr(x, y), y)
//     # There and back.
//     => x
fn rotl_rotr<S: Subject>(
    s: &S,
    root: &Root<'_, S::Value>,
    x: S::Value,
    y: S::Value,
    y_2: S::Value,
) -> Option<Rewrite<S::Value>> {
    if !same(s, y, y_2) {
        return None;
    }
    if !is_spoken_of(root.ty) {
        return None;
    }
    Some(Rewrite { rule: rule(names::ROTL_ROTR), plan: Plan::new(), outcome: Outcome::Value(Operand::Value(x)) })
}

// rotl_rotl: rotl(rotl(x, C1), C2)
//     # Amounts add up while they stay below the width.
//     check C1 <u LONG_BIT and C2 <u LONG_BIT
//     C = C1 + C2
//     check C <u LONG_BIT
//     => rotl(x, C)
fn rotl_rotl<S: Subject>(
    s: &S,
    root: &Root<'_, S::Value>,
    x: S::Value,
    at_c1: S::Value,
    at_c2: S::Value,
) -> Option<Rewrite<S::Value>> {
    let ty0 = root.ty;
    let w0 = ty0.int_width()?;
    if w0 < 3 {
        return None;
    }
    let the_c1 = int(s, at_c1)?;
    let the_c2 = int(s, at_c2)?;
    if Machine.ule(Int::new(w0, u64::from(w0)), the_c1) {
        return None;
    }
    if Machine.ule(Int::new(w0, u64::from(w0)), the_c2) {
        return None;
    }
    let the_c = Machine.add(the_c1, the_c2);
    if Machine.ule(Int::new(w0, u64::from(w0)), the_c) {
        return None;
    }
    if !is_spoken_of(ty0) {
        return None;
    }
    let mut plan = Plan::new();
    let new1 = plan.push(Op::Rotl, ty0, &[Operand::Value(x), Operand::Const(Const::Int(the_c))]);
    Some(Rewrite { rule: rule(names::ROTL_ROTL), plan, outcome: Outcome::Value(new1) })
}

