//! Rules whose pattern begins with `umulh`, in the order in which they are tried:
//!
//! - umulh_one
//! - umulh_pow2
//!
//! Generated from `rules/*.rules`.

use planish_ops::{Bits, Int, Machine, Op};
use planish_rules::functions::{WordFunction, WordTest};
use planish_rules::speaks::is_spoken_of;
use planish_rules::matching::{Const, Flow, Operand, Outcome, Plan, Rewrite, Root, Subject, constant_last, int, offer};

use super::names::{self, rule};

/// Hands every rewrite of a `umulh` to `found`, until it says stop.
pub fn root<S: Subject>(
    s: &S,
    root: &Root<'_, S::Value>,
    found: &mut impl FnMut(Rewrite<S::Value>) -> Flow,
) -> Flow {
    let [a, b] = constant_last(s, [root.args[0], root.args[1]]);
    if let Some(constant) = s.constant(b) {
        match constant {
            Const::Int(i) if i.signed() == 1 => {
                offer(found, umulh_one(s, root))?;
            }
            _ => {
                offer(found, umulh_pow2(s, root, a, b))?;
            }
        }
    }
    Flow::Continue(())
}

// umulh_one: umulh(x, 1)
//     # x / 2^w is less than 1.
//     => 0
fn umulh_one<S: Subject>(
    _s: &S,
    root: &Root<'_, S::Value>,
) -> Option<Rewrite<S::Value>> {
    let ty0 = root.ty;
    let w0 = ty0.int_width()?;
    if !is_spoken_of(ty0) {
        return None;
    }
    Some(Rewrite { rule: rule(names::UMULH_ONE), plan: Plan::new(), outcome: Outcome::Value(Operand::Const(Const::Int(Int::new(w0, 0)))) })
}

// umulh_pow2: umulh(x, C)
//     # x * 2^k / 2^w = x / 2^(w - k)
//     check is_pow2(C) and C != 1
//     S = LONG_BIT - ctz(C)
//     => urshift(x, S)
fn umulh_pow2<S: Subject>(
    s: &S,
    root: &Root<'_, S::Value>,
    x: S::Value,
    at_c: S::Value,
) -> Option<Rewrite<S::Value>> {
    let ty0 = root.ty;
    let w0 = ty0.int_width()?;
    if w0 < 3 {
        return None;
    }
    let the_c = int(s, at_c)?;
    if !WordTest::IsPow2.apply(&mut Machine, the_c) {
        return None;
    }
    if the_c == Int::new(w0, 1) {
        return None;
    }
    let the_s = Machine.sub(Int::new(w0, u64::from(w0)), WordFunction::Ctz.apply(&mut Machine, &[the_c]));
    if !is_spoken_of(ty0) {
        return None;
    }
    let mut plan = Plan::new();
    let new1 = plan.push(Op::Urshift, ty0, &[Operand::Value(x), Operand::Const(Const::Int(the_s))]);
    Some(Rewrite { rule: rule(names::UMULH_POW2), plan, outcome: Outcome::Value(new1) })
}

