//! Rules whose pattern begins with `smulh`, in the order in which they are tried:
//!
//! - smulh_one
//!
//! Generated from `rules/*.rules`.

use planish_ops::{Bits, Int, Machine, Op};
use planish_rules::speaks::is_spoken_of;
use planish_rules::matching::{Const, Flow, Operand, Outcome, Plan, Rewrite, Root, Subject, constant_last, integer, offer};

use super::names::{self, rule};

/// Hands every rewrite of a `smulh` to `found`, until it says stop.
pub fn root<S: Subject>(
    s: &S,
    root: &Root<'_, S::Value>,
    found: &mut impl FnMut(Rewrite<S::Value>) -> Flow,
) -> Flow {
    let [a, b] = constant_last(s, [root.args[0], root.args[1]]);
    if integer(s, b) == Some(1) {
        offer(found, smulh_one(s, root, a))?;
    }
    Flow::Continue(())
}

// smulh_one: smulh(x, 1)
//     # The high word of a sign-extended word is its sign.
//     S = LONG_BIT - 1
//     => rshift(x, S)
fn smulh_one<S: Subject>(
    _s: &S,
    root: &Root<'_, S::Value>,
    x: S::Value,
) -> Option<Rewrite<S::Value>> {
    let ty0 = root.ty;
    let w0 = ty0.int_width()?;
    if w0 < 3 {
        return None;
    }
    let the_s = Machine.sub(Int::new(w0, u64::from(w0)), Int::new(w0, 1));
    if !is_spoken_of(ty0) {
        return None;
    }
    let mut plan = Plan::new();
    let new1 = plan.push(Op::Rshift, ty0, &[Operand::Value(x), Operand::Const(Const::Int(the_s))]);
    Some(Rewrite { rule: rule(names::SMULH_ONE), plan, outcome: Outcome::Value(new1) })
}

