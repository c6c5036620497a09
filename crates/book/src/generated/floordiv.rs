//! Rules whose pattern begins with `floordiv`, in the order in which they are tried:
//!
//! - floordiv_zero
//! - floordiv_self
//! - floordiv_minus_one
//! - floordiv_pow2
//! - floordiv_magic
//! - floordiv_nonnegative
//!
//! Generated from `rules/*.rules`.

use planish_ops::{Bits, Int, Machine, Op};
use planish_rules::functions::{WordFunction, WordTest};
use planish_rules::guess;
use planish_rules::speaks::is_spoken_of;
use planish_rules::matching::{Const, Flow, Operand, Outcome, Plan, Rewrite, Root, Subject, int, integer, offer, same, shl, ushr};

use super::names::{self, rule};

/// Hands every rewrite of a `floordiv` to `found`, until it says stop.
pub fn root<S: Subject>(
    s: &S,
    root: &Root<'_, S::Value>,
    found: &mut impl FnMut(Rewrite<S::Value>) -> Flow,
) -> Flow {
    let a = root.args[0];
    let b = root.args[1];
    if integer(s, a) == Some(0) {
        offer(found, floordiv_zero(s, root, b))?;
    }
    offer(found, floordiv_self(s, root, a, b))?;
    if let Some(constant) = s.constant(b) {
        match constant {
            Const::Int(i) if i.signed() == -1 => {
                offer(found, floordiv_minus_one(s, root, a))?;
            }
            _ => {
                offer(found, floordiv_pow2(s, root, a, b))?;
                offer(found, floordiv_magic(s, root, a, b))?;
            }
        }
    }
    offer(found, floordiv_nonnegative(s, root, a, b))?;
    Flow::Continue(())
}

// floordiv_zero: floordiv(0, x)
//     # Nothing to divide.
//     check x.known_nonzero()
//     => 0
fn floordiv_zero<S: Subject>(
    s: &S,
    root: &Root<'_, S::Value>,
    x: S::Value,
) -> Option<Rewrite<S::Value>> {
    let ty0 = root.ty;
    let w0 = ty0.int_width()?;
    let x_fact = s.fact(x);
    if !x_fact.known_nonzero() && !s.is_told_nonzero(x) {
        return None;
    }
    if !is_spoken_of(ty0) {
        return None;
    }
    Some(Rewrite { rule: rule(names::FLOORDIV_ZERO), plan: Plan::new(), outcome: Outcome::Value(Operand::Const(Const::Int(Int::new(w0, 0)))) })
}

// floordiv_self: floordiv(x, x)
//     # A number goes into itself once.
//     check x.known_nonzero()
//     => 1
fn floordiv_self<S: Subject>(
    s: &S,
    root: &Root<'_, S::Value>,
    x: S::Value,
    x_2: S::Value,
) -> Option<Rewrite<S::Value>> {
    if !same(s, x, x_2) {
        return None;
    }
    let ty0 = root.ty;
    let w0 = ty0.int_width()?;
    let x_fact = s.fact(x);
    if !x_fact.known_nonzero() && !s.is_told_nonzero(x) {
        return None;
    }
    if !is_spoken_of(ty0) {
        return None;
    }
    Some(Rewrite { rule: rule(names::FLOORDIV_SELF), plan: Plan::new(), outcome: Outcome::Value(Operand::Const(Const::Int(Int::new(w0, 1)))) })
}

// floordiv_minus_one: floordiv(x, -1)
//     # x / -1 = -x; the smallest number stays itself.
//     => neg(x)
fn floordiv_minus_one<S: Subject>(
    _s: &S,
    root: &Root<'_, S::Value>,
    x: S::Value,
) -> Option<Rewrite<S::Value>> {
    let ty0 = root.ty;
    if !is_spoken_of(ty0) {
        return None;
    }
    let mut plan = Plan::new();
    let new1 = plan.push(Op::Neg, ty0, &[Operand::Value(x)]);
    Some(Rewrite { rule: rule(names::FLOORDIV_MINUS_ONE), plan, outcome: Outcome::Value(new1) })
}

// floordiv_pow2: floordiv(x, C)
//     # An arithmetic shift rounds down.
//     check is_pow2(C) and C > 0
//     S = ctz(C)
//     => rshift(x, S)
fn floordiv_pow2<S: Subject>(
    s: &S,
    root: &Root<'_, S::Value>,
    x: S::Value,
    at_c: S::Value,
) -> Option<Rewrite<S::Value>> {
    let ty0 = root.ty;
    let w0 = ty0.int_width()?;
    let the_c = int(s, at_c)?;
    if !WordTest::IsPow2.apply(&mut Machine, the_c) {
        return None;
    }
    if Machine.sle(the_c, Int::new(w0, 0)) {
        return None;
    }
    let the_s = WordFunction::Ctz.apply(&mut Machine, &[the_c]);
    if !is_spoken_of(ty0) {
        return None;
    }
    let mut plan = Plan::new();
    let new1 = plan.push(Op::Rshift, ty0, &[Operand::Value(x), Operand::Const(Const::Int(the_s))]);
    Some(Rewrite { rule: rule(names::FLOORDIV_POW2), plan, outcome: Outcome::Value(new1) })
}

// floordiv_magic [certified, expand]: floordiv(x, C)
//     # With t = x >> (w - 1), x ^ t is not negative and below 2^(w-1), and floor(x / C) = ((x ^ t) / C) ^ t.
//     M = guess_signed_multiplier(C)
//     S = guess_signed_shift(C)
//     check C > 1 and umulh(M, C) == 1 << S and M * C != 0 and (M * C - 1) >>u S <=u 1
//     K = LONG_BIT - 1
//     => xor(urshift(umulh(xor(x, rshift(x, K)), M), S), rshift(x, K))
fn floordiv_magic<S: Subject>(
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
    let the_m = guess::signed_multiplier(the_c)?;
    let the_s = guess::signed_shift(the_c)?;
    if Machine.sle(the_c, Int::new(w0, 1)) {
        return None;
    }
    if WordFunction::Umulh.apply(&mut Machine, &[the_m, the_c]) != shl(Int::new(w0, 1), the_s)? {
        return None;
    }
    if Machine.mul(the_m, the_c) == Int::new(w0, 0) {
        return None;
    }
    if Machine.ult(Int::new(w0, 1), ushr(Machine.sub(Machine.mul(the_m, the_c), Int::new(w0, 1)), the_s)?) {
        return None;
    }
    let the_k = Machine.sub(Int::new(w0, u64::from(w0)), Int::new(w0, 1));
    if !is_spoken_of(ty0) {
        return None;
    }
    let mut plan = Plan::new();
    let new1 = plan.push(Op::Rshift, ty0, &[Operand::Value(x), Operand::Const(Const::Int(the_k))]);
    let new2 = plan.push(Op::Xor, ty0, &[Operand::Value(x), new1]);
    let new3 = plan.push(Op::Umulh, ty0, &[new2, Operand::Const(Const::Int(the_m))]);
    let new4 = plan.push(Op::Urshift, ty0, &[new3, Operand::Const(Const::Int(the_s))]);
    let new5 = plan.push(Op::Xor, ty0, &[new4, new1]);
    Some(Rewrite { rule: rule(names::FLOORDIV_MAGIC), plan, outcome: Outcome::Value(new5) })
}

// floordiv_nonnegative: floordiv(x, y)
//     # Of numbers that are not negative all divisions are one.
//     check x.known_nonnegative() and y.known_nonnegative()
//     => udiv(x, y)
fn floordiv_nonnegative<S: Subject>(
    s: &S,
    root: &Root<'_, S::Value>,
    x: S::Value,
    y: S::Value,
) -> Option<Rewrite<S::Value>> {
    let ty0 = root.ty;
    let x_fact = s.fact(x);
    let y_fact = s.fact(y);
    if !x_fact.known_nonnegative() {
        return None;
    }
    if !y_fact.known_nonnegative() {
        return None;
    }
    if !is_spoken_of(ty0) {
        return None;
    }
    let mut plan = Plan::new();
    let new1 = plan.push(Op::Udiv, ty0, &[Operand::Value(x), Operand::Value(y)]);
    Some(Rewrite { rule: rule(names::FLOORDIV_NONNEGATIVE), plan, outcome: Outcome::Value(new1) })
}

