//! Rules whose pattern begins with `rotr`, in the order in which they are tried:
//!
//! - rotr_rotl
//! - rotr_const
//!
//! Generated from `rules/*.rules`.

use planish_ops::{Bits, Int, Machine, Op};
use planish_rules::speaks::is_spoken_of;
use planish_rules::matching::{Const, Flow, Operand, Outcome, Plan, Rewrite, Root, Subject, int, nodes, offer, operands2, same};

use super::names::{self, rule};

/// Hands every rewrite of a `rotr` to `found`, until it says stop.
pub fn root<S: Subject>(
    s: &S,
    root: &Root<'_, S::Value>,
    found: &mut impl FnMut(Rewrite<S::Value>) -> Flow,
) -> Flow {
    let a = root.args[0];
    let b = root.args[1];
    for node in nodes(s, a) {
        if let Some((Op::Rotl, n)) = node {
            let [a0, a1] = operands2(s, n);
            offer(found, rotr_rotl(s, root, a0, a1, b))?;
        }
    }
    if s.constant(b).is_some() {
        offer(found, rotr_const(s, root, a, b))?;
    }
    Flow::Continue(())
}

// rotr_rotl: rotr(rotl(x, y), y)
//     # There and back.
//     => x
fn rotr_rotl<S: Subject>(
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
    Some(Rewrite { rule: rule(names::ROTR_ROTL), plan: Plan::new(), outcome: Outcome::Value(Operand::Value(x)) })
}

// rotr_const: rotr(x, C1)
//     # A rotation to the right is one to the left.
//     check C1 != 0 and C1 <u LONG_BIT
//     C = LONG_BIT - C1
//     => rotl(x, C)
fn rotr_const<S: Subject>(
    s: &S,
    root: &Root<'_, S::Value>,
    x: S::Value,
    at_c1: S::Value,
) -> Option<Rewrite<S::Value>> {
    let ty0 = root.ty;
    let w0 = ty0.int_width()?;
    if w0 < 3 {
        return None;
    }
    let the_c1 = int(s, at_c1)?;
    if the_c1 == Int::new(w0, 0) {
        return None;
    }
    if Machine.ule(Int::new(w0, u64::from(w0)), the_c1) {
        return None;
    }
    let the_c = Machine.sub(Int::new(w0, u64::from(w0)), the_c1);
    if !is_spoken_of(ty0) {
        return None;
    }
    let mut plan = Plan::new();
    let new1 = plan.push(Op::Rotl, ty0, &[Operand::Value(x), Operand::Const(Const::Int(the_c))]);
    Some(Rewrite { rule: rule(names::ROTR_CONST), plan, outcome: Outcome::Value(new1) })
}

