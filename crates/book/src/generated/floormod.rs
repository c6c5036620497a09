//! Rules whose pattern begins with `floormod`, in the order in which they are tried:
//!
//! - floormod_zero
//! - floormod_minus_one
//! - floormod_one
//! - floormod_pow2
//! - floormod_magic
//! - floormod_nonnegative
//!
//! Generated from `rules/*.rules`.

use planish_ops::{Bits, Int, Machine, Op};
use planish_rules::functions::{WordFunction, WordTest};
use planish_rules::guess;
use planish_rules::speaks::is_spoken_of;
use planish_rules::matching::{Const, Flow, Operand, Outcome, Plan, Rewrite, Root, Subject, int, integer, offer, shl, ushr};

use super::names::{self, rule};

/// Hands every rewrite of a `floormod` to `found`, until it says stop.
pub fn root<S: Subject>(
    s: &S,
    root: &Root<'_, S::Value>,
    found: &mut impl FnMut(Rewrite<S::Value>) -> Flow,
) -> Flow {
    let a = root.args[0];
    let b = root.args[1];
    if integer(s, a) == Some(0) {
        offer(found, floormod_zero(s, root, b))?;
    }
    if let Some(constant) = s.constant(b) {
        match constant {
            Const::Int(i) if i.signed() == -1 => {
                offer(found, floormod_minus_one(s, root))?;
            }
            Const::Int(i) if i.signed() == 1 => {
                offer(found, floormod_one(s, root))?;
            }
            _ => {
                offer(found, floormod_pow2(s, root, a, b))?;
                offer(found, floormod_magic(s, root, a, b))?;
            }
        }
    }
    offer(found, floormod_nonnegative(s, root, a, b))?;
    Flow::Continue(())
}

// floormod_zero: floormod(0, x)
//     # Nothing is left of nothing.
//     check x.known_nonzero()
//     => 0
fn floormod_zero<S: Subject>(
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
    Some(Rewrite { rule: rule(names::FLOORMOD_ZERO), plan: Plan::new(), outcome: Outcome::Value(Operand::Const(Const::Int(Int::new(w0, 0)))) })
}

// floormod_minus_one: floormod(x, -1)
//     # -1 divides everything.
//     => 0
fn floormod_minus_one<S: Subject>(
    _s: &S,
    root: &Root<'_, S::Value>,
) -> Option<Rewrite<S::Value>> {
    let ty0 = root.ty;
    let w0 = ty0.int_width()?;
    if !is_spoken_of(ty0) {
        return None;
    }
    Some(Rewrite { rule: rule(names::FLOORMOD_MINUS_ONE), plan: Plan::new(), outcome: Outcome::Value(Operand::Const(Const::Int(Int::new(w0, 0)))) })
}

// floormod_one: floormod(x, 1)
//     # 1 divides everything.
//     => 0
fn floormod_one<S: Subject>(
    _s: &S,
    root: &Root<'_, S::Value>,
) -> Option<Rewrite<S::Value>> {
    let ty0 = root.ty;
    let w0 = ty0.int_width()?;
    if !is_spoken_of(ty0) {
        return None;
    }
    Some(Rewrite { rule: rule(names::FLOORMOD_ONE), plan: Plan::new(), outcome: Outcome::Value(Operand::Const(Const::Int(Int::new(w0, 0)))) })
}

// floormod_pow2: floormod(x, C1)
//     # The low bits are the remainder, which has the sign of the divisor.
//     check is_pow2(C1) and C1 > 0
//     C = C1 - 1
//     => and(x, C)
fn floormod_pow2<S: Subject>(
    s: &S,
    root: &Root<'_, S::Value>,
    x: S::Value,
    at_c1: S::Value,
) -> Option<Rewrite<S::Value>> {
    let ty0 = root.ty;
    let w0 = ty0.int_width()?;
    if w0 < 2 {
        return None;
    }
    let the_c1 = int(s, at_c1)?;
    if !WordTest::IsPow2.apply(&mut Machine, the_c1) {
        return None;
    }
    if Machine.sle(the_c1, Int::new(w0, 0)) {
        return None;
    }
    let the_c = Machine.sub(the_c1, Int::new(w0, 1));
    if !is_spoken_of(ty0) {
        return None;
    }
    let mut plan = Plan::new();
    let new1 = plan.push(Op::And, ty0, &[Operand::Value(x), Operand::Const(Const::Int(the_c))]);
    Some(Rewrite { rule: rule(names::FLOORMOD_POW2), plan, outcome: Outcome::Value(new1) })
}

// floormod_magic [certified, expand]: floormod(x, C)
//     # The remainder is what the quotient of floordiv_magic leaves.
//     M = guess_signed_multiplier(C)
//     S = guess_signed_shift(C)
//     check C > 1 and umulh(M, C) == 1 << S and M * C != 0 and (M * C - 1) >>u S <=u 1
//     K = LONG_BIT - 1
//     => sub(x, mul(xor(urshift(umulh(xor(x, rshift(x, K)), M), S), rshift(x, K)), C))
fn floormod_magic<S: Subject>(
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
    let new6 = plan.push(Op::Mul, ty0, &[new5, Operand::Value(at_c)]);
    let new7 = plan.push(Op::Sub, ty0, &[Operand::Value(x), new6]);
    Some(Rewrite { rule: rule(names::FLOORMOD_MAGIC), plan, outcome: Outcome::Value(new7) })
}

// floormod_nonnegative: floormod(x, y)
//     # Of numbers that are not negative all remainders are one.
//     check x.known_nonnegative() and y.known_nonnegative()
//     => urem(x, y)
fn floormod_nonnegative<S: Subject>(
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
    let new1 = plan.push(Op::Urem, ty0, &[Operand::Value(x), Operand::Value(y)]);
    Some(Rewrite { rule: rule(names::FLOORMOD_NONNEGATIVE), plan, outcome: Outcome::Value(new1) })
}

