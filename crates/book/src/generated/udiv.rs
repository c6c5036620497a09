//! Rules whose pattern begins with `udiv`, in the order in which they are tried:
//!
//! - udiv_zero
//! - udiv_self
//! - udiv_small
//! - udiv_large
//! - udiv_pow2
//! - udiv_magic
//! - udiv_magic_long
//!
//! Generated from `rules/*.rules`.

use planish_ops::{Bits, Int, Machine, Op};
use planish_rules::functions::{WordFunction, WordTest};
use planish_rules::guess;
use planish_rules::speaks::is_spoken_of;
use planish_rules::matching::{Const, Flow, Operand, Outcome, Plan, Rewrite, Root, Subject, int, integer, offer, same, shl};

use super::names::{self, rule};

/// Hands every rewrite of a `udiv` to `found`, until it says stop.
pub fn root<S: Subject>(
    s: &S,
    root: &Root<'_, S::Value>,
    found: &mut impl FnMut(Rewrite<S::Value>) -> Flow,
) -> Flow {
    let a = root.args[0];
    let b = root.args[1];
    if integer(s, a) == Some(0) {
        offer(found, udiv_zero(s, root, b))?;
    }
    offer(found, udiv_self(s, root, a, b))?;
    offer(found, udiv_small(s, root, a, b))?;
    if s.constant(b).is_some() {
        offer(found, udiv_large(s, root, a, b))?;
        offer(found, udiv_pow2(s, root, a, b))?;
        offer(found, udiv_magic(s, root, a, b))?;
        offer(found, udiv_magic_long(s, root, a, b))?;
    }
    Flow::Continue(())
}

// udiv_zero: udiv(0, x)
//     # Nothing to divide.
//     check x.known_nonzero()
//     => 0
fn udiv_zero<S: Subject>(
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
    Some(Rewrite { rule: rule(names::UDIV_ZERO), plan: Plan::new(), outcome: Outcome::Value(Operand::Const(Const::Int(Int::new(w0, 0)))) })
}

// udiv_self: udiv(x, x)
//     # A number goes into itself once.
//     check x.known_nonzero()
//     => 1
fn udiv_self<S: Subject>(
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
    Some(Rewrite { rule: rule(names::UDIV_SELF), plan: Plan::new(), outcome: Outcome::Value(Operand::Const(Const::Int(Int::new(w0, 1)))) })
}

// udiv_small: udiv(x, y)
//     # The dividend is less than the divisor.
//     check x.known_unsigned_lt(y)
//     => 0
fn udiv_small<S: Subject>(
    s: &S,
    root: &Root<'_, S::Value>,
    x: S::Value,
    y: S::Value,
) -> Option<Rewrite<S::Value>> {
    let ty0 = root.ty;
    let w0 = ty0.int_width()?;
    let x_fact = s.fact(x);
    let y_fact = s.fact(y);
    if !x_fact.known_unsigned_lt(y_fact) {
        return None;
    }
    if !is_spoken_of(ty0) {
        return None;
    }
    Some(Rewrite { rule: rule(names::UDIV_SMALL), plan: Plan::new(), outcome: Outcome::Value(Operand::Const(Const::Int(Int::new(w0, 0)))) })
}

// udiv_large: udiv(x, C)
//     # A divisor with the sign bit goes in once or not at all.
//     check C < 0
//     => uge(x, C)
fn udiv_large<S: Subject>(
    s: &S,
    root: &Root<'_, S::Value>,
    x: S::Value,
    at_c: S::Value,
) -> Option<Rewrite<S::Value>> {
    let ty0 = root.ty;
    let w0 = ty0.int_width()?;
    let the_c = int(s, at_c)?;
    if Machine.sle(Int::new(w0, 0), the_c) {
        return None;
    }
    if !is_spoken_of(ty0) {
        return None;
    }
    let mut plan = Plan::new();
    let new1 = plan.push(Op::Uge, ty0, &[Operand::Value(x), Operand::Value(at_c)]);
    Some(Rewrite { rule: rule(names::UDIV_LARGE), plan, outcome: Outcome::Value(new1) })
}

// udiv_pow2: udiv(x, C)
//     # A shift drops the low bits.
//     check is_pow2(C)
//     S = ctz(C)
//     => urshift(x, S)
fn udiv_pow2<S: Subject>(
    s: &S,
    root: &Root<'_, S::Value>,
    x: S::Value,
    at_c: S::Value,
) -> Option<Rewrite<S::Value>> {
    let ty0 = root.ty;
    let the_c = int(s, at_c)?;
    if !WordTest::IsPow2.apply(&mut Machine, the_c) {
        return None;
    }
    let the_s = WordFunction::Ctz.apply(&mut Machine, &[the_c]);
    if !is_spoken_of(ty0) {
        return None;
    }
    let mut plan = Plan::new();
    let new1 = plan.push(Op::Urshift, ty0, &[Operand::Value(x), Operand::Const(Const::Int(the_s))]);
    Some(Rewrite { rule: rule(names::UDIV_POW2), plan, outcome: Outcome::Value(new1) })
}

// udiv_magic [certified, expand]: udiv(x, C)
//     # With 2^(w+S) <= M * C <= 2^(w+S) + 2^S, x * M / 2^(w+S) is less than 1 / C above x / C.
//     M = guess_unsigned_multiplier(C)
//     S = guess_unsigned_shift(C)
//     check umulh(M, C) == 1 << S and M * C <=u 1 << S
//     => urshift(umulh(x, M), S)
fn udiv_magic<S: Subject>(
    s: &S,
    root: &Root<'_, S::Value>,
    x: S::Value,
    at_c: S::Value,
) -> Option<Rewrite<S::Value>> {
    let ty0 = root.ty;
    let w0 = ty0.int_width()?;
    if w0 < 2 {
        return None;
    }
    let the_c = int(s, at_c)?;
    let the_m = guess::unsigned_multiplier(the_c)?;
    let the_s = guess::unsigned_shift(the_c)?;
    if WordFunction::Umulh.apply(&mut Machine, &[the_m, the_c]) != shl(Int::new(w0, 1), the_s)? {
        return None;
    }
    if Machine.ult(shl(Int::new(w0, 1), the_s)?, Machine.mul(the_m, the_c)) {
        return None;
    }
    if !is_spoken_of(ty0) {
        return None;
    }
    let mut plan = Plan::new();
    let new1 = plan.push(Op::Umulh, ty0, &[Operand::Value(x), Operand::Const(Const::Int(the_m))]);
    let new2 = plan.push(Op::Urshift, ty0, &[new1, Operand::Const(Const::Int(the_s))]);
    Some(Rewrite { rule: rule(names::UDIV_MAGIC), plan, outcome: Outcome::Value(new2) })
}

// udiv_magic_long [certified, expand]: udiv(x, C)
//     # As udiv_magic with the multiplier 2^w + M: x * (2^w + M) / 2^w = x + umulh(x, M), added up without a carry.
//     M = guess_long_multiplier(C)
//     S = guess_long_shift(C)
//     check S != 0 and C <=u 1 << S and C + umulh(M, C) == 1 << S and M * C <=u 1 << S
//     T = S - 1
//     => urshift(add(urshift(sub(x, umulh(x, M)), 1), umulh(x, M)), T)
fn udiv_magic_long<S: Subject>(
    s: &S,
    root: &Root<'_, S::Value>,
    x: S::Value,
    at_c: S::Value,
) -> Option<Rewrite<S::Value>> {
    let ty0 = root.ty;
    let w0 = ty0.int_width()?;
    if w0 < 2 {
        return None;
    }
    let the_c = int(s, at_c)?;
    let the_m = guess::long_multiplier(the_c)?;
    let the_s = guess::long_shift(the_c)?;
    if the_s == Int::new(w0, 0) {
        return None;
    }
    if Machine.ult(shl(Int::new(w0, 1), the_s)?, the_c) {
        return None;
    }
    if Machine.add(the_c, WordFunction::Umulh.apply(&mut Machine, &[the_m, the_c])) != shl(Int::new(w0, 1), the_s)? {
        return None;
    }
    if Machine.ult(shl(Int::new(w0, 1), the_s)?, Machine.mul(the_m, the_c)) {
        return None;
    }
    let the_t = Machine.sub(the_s, Int::new(w0, 1));
    if !is_spoken_of(ty0) {
        return None;
    }
    let mut plan = Plan::new();
    let new1 = plan.push(Op::Umulh, ty0, &[Operand::Value(x), Operand::Const(Const::Int(the_m))]);
    let new2 = plan.push(Op::Sub, ty0, &[Operand::Value(x), new1]);
    let new3 = plan.push(Op::Urshift, ty0, &[new2, Operand::Const(Const::Int(Int::new(w0, 1)))]);
    let new4 = plan.push(Op::Add, ty0, &[new3, new1]);
    let new5 = plan.push(Op::Urshift, ty0, &[new4, Operand::Const(Const::Int(the_t))]);
    Some(Rewrite { rule: rule(names::UDIV_MAGIC_LONG), plan, outcome: Outcome::Value(new5) })
}

