//! Rules whose pattern begins with `sdiv`, in the order in which they are tried:
//!
//! - sdiv_zero
//! - sdiv_self
//! - sdiv_minus_one
//! - sdiv_pow2_nonnegative
//! - sdiv_pow2
//! - sdiv_magic
//! - sdiv_magic_add
//! - sdiv_nonnegative
//!
//! Generated from `rules/*.rules`.

use planish_ops::{Bits, Int, Machine, Op};
use planish_rules::functions::{WordFunction, WordTest};
use planish_rules::guess;
use planish_rules::speaks::is_spoken_of;
use planish_rules::matching::{Const, Flow, Operand, Outcome, Plan, Rewrite, Root, Subject, int, integer, offer, same, shl, ushr};

use super::names::{self, rule};

/// Hands every rewrite of a `sdiv` to `found`, until it says stop.
pub fn root<S: Subject>(
    s: &S,
    root: &Root<'_, S::Value>,
    found: &mut impl FnMut(Rewrite<S::Value>) -> Flow,
) -> Flow {
    let a = root.args[0];
    let b = root.args[1];
    if integer(s, a) == Some(0) {
        offer(found, sdiv_zero(s, root, b))?;
    }
    offer(found, sdiv_self(s, root, a, b))?;
    if let Some(constant) = s.constant(b) {
        match constant {
            Const::Int(i) if i.signed() == -1 => {
                offer(found, sdiv_minus_one(s, root, a))?;
            }
            _ => {
                offer(found, sdiv_pow2_nonnegative(s, root, a, b))?;
                offer(found, sdiv_pow2(s, root, a, b))?;
                offer(found, sdiv_magic(s, root, a, b))?;
                offer(found, sdiv_magic_add(s, root, a, b))?;
            }
        }
    }
    offer(found, sdiv_nonnegative(s, root, a, b))?;
    Flow::Continue(())
}

// sdiv_zero: sdiv(0, x)
//     # Nothing to divide.
//     check x.known_nonzero()
//     => 0
fn sdiv_zero<S: Subject>(
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
    Some(Rewrite { rule: rule(names::SDIV_ZERO), plan: Plan::new(), outcome: Outcome::Value(Operand::Const(Const::Int(Int::new(w0, 0)))) })
}

// sdiv_self: sdiv(x, x)
//     # A number goes into itself once.
//     check x.known_nonzero()
//     => 1
fn sdiv_self<S: Subject>(
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
    Some(Rewrite { rule: rule(names::SDIV_SELF), plan: Plan::new(), outcome: Outcome::Value(Operand::Const(Const::Int(Int::new(w0, 1)))) })
}

// sdiv_minus_one: sdiv(x, -1)
//     # x / -1 = -x; the smallest number stays itself.
//     => neg(x)
fn sdiv_minus_one<S: Subject>(
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
    Some(Rewrite { rule: rule(names::SDIV_MINUS_ONE), plan, outcome: Outcome::Value(new1) })
}

// sdiv_pow2_nonnegative: sdiv(x, C)
//     # A shift drops the low bits, which rounds towards zero.
//     check x.known_nonnegative() and is_pow2(C) and C > 0
//     S = ctz(C)
//     => urshift(x, S)
fn sdiv_pow2_nonnegative<S: Subject>(
    s: &S,
    root: &Root<'_, S::Value>,
    x: S::Value,
    at_c: S::Value,
) -> Option<Rewrite<S::Value>> {
    let ty0 = root.ty;
    let w0 = ty0.int_width()?;
    let x_fact = s.fact(x);
    let the_c = int(s, at_c)?;
    if !x_fact.known_nonnegative() {
        return None;
    }
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
    let new1 = plan.push(Op::Urshift, ty0, &[Operand::Value(x), Operand::Const(Const::Int(the_s))]);
    Some(Rewrite { rule: rule(names::SDIV_POW2_NONNEGATIVE), plan, outcome: Outcome::Value(new1) })
}

// sdiv_pow2 [expand]: sdiv(x, C)
//     # An arithmetic shift rounds down; 2^k - 1 more for a negative dividend rounds it up.
//     check is_pow2(C) and C > 1
//     S = ctz(C)
//     M = LONG_BIT - 1
//     K = LONG_BIT - S
//     => rshift(add(x, urshift(rshift(x, M), K)), S)
fn sdiv_pow2<S: Subject>(
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
    if Machine.sle(the_c, Int::new(w0, 1)) {
        return None;
    }
    let the_s = WordFunction::Ctz.apply(&mut Machine, &[the_c]);
    let the_m = Machine.sub(Int::new(w0, u64::from(w0)), Int::new(w0, 1));
    let the_k = Machine.sub(Int::new(w0, u64::from(w0)), the_s);
    if !is_spoken_of(ty0) {
        return None;
    }
    let mut plan = Plan::new();
    let new1 = plan.push(Op::Rshift, ty0, &[Operand::Value(x), Operand::Const(Const::Int(the_m))]);
    let new2 = plan.push(Op::Urshift, ty0, &[new1, Operand::Const(Const::Int(the_k))]);
    let new3 = plan.push(Op::Add, ty0, &[Operand::Value(x), new2]);
    let new4 = plan.push(Op::Rshift, ty0, &[new3, Operand::Const(Const::Int(the_s))]);
    Some(Rewrite { rule: rule(names::SDIV_POW2), plan, outcome: Outcome::Value(new4) })
}

// sdiv_magic [certified, expand]: sdiv(x, C)
//     # With 2^(w+S) < M * C <= 2^(w+S) + 2^(S+1) and |x| <= 2^(w-1); a negative quotient was rounded down.
//     M = guess_signed_multiplier(C)
//     S = guess_signed_shift(C)
//     check C > 1 and umulh(M, C) == 1 << S and M * C != 0 and (M * C - 1) >>u S <=u 1
//     K = LONG_BIT - 1
//     check M > 0
//     => sub(rshift(smulh(x, M), S), rshift(x, K))
fn sdiv_magic<S: Subject>(
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
    if Machine.sle(the_m, Int::new(w0, 0)) {
        return None;
    }
    if !is_spoken_of(ty0) {
        return None;
    }
    let mut plan = Plan::new();
    let new1 = plan.push(Op::Smulh, ty0, &[Operand::Value(x), Operand::Const(Const::Int(the_m))]);
    let new2 = plan.push(Op::Rshift, ty0, &[new1, Operand::Const(Const::Int(the_s))]);
    let new3 = plan.push(Op::Rshift, ty0, &[Operand::Value(x), Operand::Const(Const::Int(the_k))]);
    let new4 = plan.push(Op::Sub, ty0, &[new2, new3]);
    Some(Rewrite { rule: rule(names::SDIV_MAGIC), plan, outcome: Outcome::Value(new4) })
}

// sdiv_magic_add [certified, expand]: sdiv(x, C)
//     # As sdiv_magic where M as a signed number is 2^w too small: x is added to the high word.
//     M = guess_signed_multiplier(C)
//     S = guess_signed_shift(C)
//     check C > 1 and umulh(M, C) == 1 << S and M * C != 0 and (M * C - 1) >>u S <=u 1
//     K = LONG_BIT - 1
//     check M < 0
//     => sub(rshift(add(smulh(x, M), x), S), rshift(x, K))
fn sdiv_magic_add<S: Subject>(
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
    if Machine.sle(Int::new(w0, 0), the_m) {
        return None;
    }
    if !is_spoken_of(ty0) {
        return None;
    }
    let mut plan = Plan::new();
    let new1 = plan.push(Op::Smulh, ty0, &[Operand::Value(x), Operand::Const(Const::Int(the_m))]);
    let new2 = plan.push(Op::Add, ty0, &[new1, Operand::Value(x)]);
    let new3 = plan.push(Op::Rshift, ty0, &[new2, Operand::Const(Const::Int(the_s))]);
    let new4 = plan.push(Op::Rshift, ty0, &[Operand::Value(x), Operand::Const(Const::Int(the_k))]);
    let new5 = plan.push(Op::Sub, ty0, &[new3, new4]);
    Some(Rewrite { rule: rule(names::SDIV_MAGIC_ADD), plan, outcome: Outcome::Value(new5) })
}

// sdiv_nonnegative: sdiv(x, y)
//     # Of numbers that are not negative all divisions are one.
//     check x.known_nonnegative() and y.known_nonnegative()
//     => udiv(x, y)
fn sdiv_nonnegative<S: Subject>(
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
    Some(Rewrite { rule: rule(names::SDIV_NONNEGATIVE), plan, outcome: Outcome::Value(new1) })
}

