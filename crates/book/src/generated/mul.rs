//! Rules whose pattern begins with `mul`, in the order in which they are tried:
//!
//! - mul_neg_neg
//! - mul_shift_of_one
//! - mul_consts
//! - mul_shift_const
//! - mul_shifted_one
//! - mul_neg_const
//! - mul_min
//! - mul_minus_one
//! - mul_pow2
//! - mul_bools
//!
//! Generated from `rules/*.rules`.

use planish_ops::{Bits, Int, Machine, Op};
use planish_rules::functions::{WordFunction, WordTest};
use planish_rules::speaks::is_spoken_of;
use planish_rules::matching::{Const, Flow, Operand, Outcome, Plan, Rewrite, Root, Subject, constant_last, int, integer, nodes, offer, operands2, shl};

use super::names::{self, rule};

/// Hands every rewrite of a `mul` to `found`, until it says stop.
pub fn root<S: Subject>(
    s: &S,
    root: &Root<'_, S::Value>,
    found: &mut impl FnMut(Rewrite<S::Value>) -> Flow,
) -> Flow {
    let [a, b] = constant_last(s, [root.args[0], root.args[1]]);
    for node in nodes(s, b) {
        match node {
            Some((Op::Neg, n)) => {
                let b0 = s.operand(n, 0);
                for node in nodes(s, a) {
                    if let Some((Op::Neg, n)) = node {
                        let a0 = s.operand(n, 0);
                        offer(found, mul_neg_neg(s, root, a0, b0))?;
                    }
                }
            }
            Some((Op::Lshift, n)) => {
                let [b0, b1] = operands2(s, n);
                if integer(s, b0) == Some(1) {
                    offer(found, mul_shift_of_one(s, root, a, b1))?;
                }
            }
            _ => {}
        }
    }
    for node in nodes(s, a) {
        match node {
            Some((Op::Mul, n)) => {
                let [a0, a1] = operands2(s, n);
                if s.constant(b).is_some() {
                    if s.constant(a1).is_some() {
                        offer(found, mul_consts(s, root, a0, a1, b))?;
                    }
                }
            }
            Some((Op::Lshift, n)) => {
                let [a0, a1] = operands2(s, n);
                if integer(s, a0) == Some(1) {
                    offer(found, mul_shift_of_one(s, root, b, a1))?;
                }
                if s.constant(b).is_some() {
                    if s.constant(a1).is_some() {
                        offer(found, mul_shift_const(s, root, a0, a1, b))?;
                    }
                }
            }
            _ => {}
        }
    }
    for node in nodes(s, b) {
        if let Some((Op::Lshift, n)) = node {
            let [b0, b1] = operands2(s, n);
            if integer(s, b0) == Some(1) {
                offer(found, mul_shifted_one(s, root, a, b1))?;
            }
        }
    }
    for node in nodes(s, a) {
        match node {
            Some((Op::Neg, n)) => {
                let a0 = s.operand(n, 0);
                if s.constant(b).is_some() {
                    offer(found, mul_neg_const(s, root, a0, b))?;
                }
            }
            Some((Op::Lshift, n)) => {
                let [a0, a1] = operands2(s, n);
                if integer(s, a0) == Some(1) {
                    offer(found, mul_shifted_one(s, root, b, a1))?;
                }
            }
            _ => {}
        }
    }
    if let Some(constant) = s.constant(b) {
        match constant {
            Const::Int(i) if i.signed() == -1 => {
                offer(found, mul_min(s, root, a, b))?;
                offer(found, mul_minus_one(s, root, a))?;
            }
            _ => {
                offer(found, mul_min(s, root, a, b))?;
                offer(found, mul_pow2(s, root, a, b))?;
            }
        }
    }
    offer(found, mul_bools(s, root, a, b))?;
    Flow::Continue(())
}

// mul_neg_neg: mul(neg(x), neg(y))
//     # -x * -y = x * y
//     => mul(x, y)
fn mul_neg_neg<S: Subject>(
    _s: &S,
    root: &Root<'_, S::Value>,
    x: S::Value,
    y: S::Value,
) -> Option<Rewrite<S::Value>> {
    let ty0 = root.ty;
    let mut plan = Plan::new();
    let new1 = plan.push(Op::Mul, ty0, &[Operand::Value(x), Operand::Value(y)]);
    Some(Rewrite { rule: rule(names::MUL_NEG_NEG), plan, outcome: Outcome::Value(new1) })
}

// mul_shift_of_one [pypy]: mul(x, lshift(1, y))
//     # x * 2^y = x << y, where no bit is shifted out.
//     check y.known_nonnegative() and y.known_lt_const(64)
//     => lshift(x, y)
fn mul_shift_of_one<S: Subject>(
    s: &S,
    root: &Root<'_, S::Value>,
    x: S::Value,
    y: S::Value,
) -> Option<Rewrite<S::Value>> {
    let ty0 = root.ty;
    let w0 = ty0.int_width()?;
    if w0 < 8 {
        return None;
    }
    let y_fact = s.fact(y);
    if !y_fact.known_nonnegative() {
        return None;
    }
    if !y_fact.known_lt_const(Int::new(w0, 64)) {
        return None;
    }
    if !is_spoken_of(ty0) {
        return None;
    }
    let mut plan = Plan::new();
    let new1 = plan.push(Op::Lshift, ty0, &[Operand::Value(x), Operand::Value(y)]);
    Some(Rewrite { rule: rule(names::MUL_SHIFT_OF_ONE), plan, outcome: Outcome::Value(new1) })
}

// mul_consts [pypy]: mul(mul(x, C1), C2)
//     # (x * C1) * C2 = x * (C1 * C2)
//     C = C1 * C2
//     => mul(x, C)
fn mul_consts<S: Subject>(
    s: &S,
    root: &Root<'_, S::Value>,
    x: S::Value,
    at_c1: S::Value,
    at_c2: S::Value,
) -> Option<Rewrite<S::Value>> {
    let ty0 = root.ty;
    let the_c1 = int(s, at_c1)?;
    let the_c2 = int(s, at_c2)?;
    let the_c = Machine.mul(the_c1, the_c2);
    let mut plan = Plan::new();
    let new1 = plan.push(Op::Mul, ty0, &[Operand::Value(x), Operand::Const(Const::Int(the_c))]);
    Some(Rewrite { rule: rule(names::MUL_CONSTS), plan, outcome: Outcome::Value(new1) })
}

// mul_shift_const: mul(lshift(x, C1), C2)
//     # (x * 2^C1) * C2 = x * (C2 * 2^C1)
//     C = C2 << C1
//     => mul(x, C)
fn mul_shift_const<S: Subject>(
    s: &S,
    root: &Root<'_, S::Value>,
    x: S::Value,
    at_c1: S::Value,
    at_c2: S::Value,
) -> Option<Rewrite<S::Value>> {
    let ty0 = root.ty;
    let the_c1 = int(s, at_c1)?;
    let the_c2 = int(s, at_c2)?;
    let the_c = shl(the_c2, the_c1)?;
    if !is_spoken_of(ty0) {
        return None;
    }
    let mut plan = Plan::new();
    let new1 = plan.push(Op::Mul, ty0, &[Operand::Value(x), Operand::Const(Const::Int(the_c))]);
    Some(Rewrite { rule: rule(names::MUL_SHIFT_CONST), plan, outcome: Outcome::Value(new1) })
}

// mul_shifted_one: mul(x, lshift(1, y))
//     # x * 2^y = x << y; both shifts take their amount in the same way.
//     => lshift(x, y)
fn mul_shifted_one<S: Subject>(
    _s: &S,
    root: &Root<'_, S::Value>,
    x: S::Value,
    y: S::Value,
) -> Option<Rewrite<S::Value>> {
    let ty0 = root.ty;
    if !is_spoken_of(ty0) {
        return None;
    }
    let mut plan = Plan::new();
    let new1 = plan.push(Op::Lshift, ty0, &[Operand::Value(x), Operand::Value(y)]);
    Some(Rewrite { rule: rule(names::MUL_SHIFTED_ONE), plan, outcome: Outcome::Value(new1) })
}

// mul_neg_const: mul(neg(x), C1)
//     # -x * C = x * -C
//     C = -C1
//     => mul(x, C)
fn mul_neg_const<S: Subject>(
    s: &S,
    root: &Root<'_, S::Value>,
    x: S::Value,
    at_c1: S::Value,
) -> Option<Rewrite<S::Value>> {
    let ty0 = root.ty;
    let the_c1 = int(s, at_c1)?;
    let the_c = Machine.neg(the_c1);
    let mut plan = Plan::new();
    let new1 = plan.push(Op::Mul, ty0, &[Operand::Value(x), Operand::Const(Const::Int(the_c))]);
    Some(Rewrite { rule: rule(names::MUL_NEG_CONST), plan, outcome: Outcome::Value(new1) })
}

// mul_min: mul(x, MININT)
//     # The smallest number is a power of two as well, modulo 2^w.
//     S = ctz(MININT)
//     => lshift(x, S)
fn mul_min<S: Subject>(
    s: &S,
    root: &Root<'_, S::Value>,
    x: S::Value,
    inner1: S::Value,
) -> Option<Rewrite<S::Value>> {
    let ty0 = root.ty;
    let w0 = ty0.int_width()?;
    if int(s, inner1)? != Int::new(w0, 1 << (w0 - 1)) {
        return None;
    }
    let the_s = WordFunction::Ctz.apply(&mut Machine, &[Int::new(w0, 1 << (w0 - 1))]);
    if !is_spoken_of(ty0) {
        return None;
    }
    let mut plan = Plan::new();
    let new1 = plan.push(Op::Lshift, ty0, &[Operand::Value(x), Operand::Const(Const::Int(the_s))]);
    Some(Rewrite { rule: rule(names::MUL_MIN), plan, outcome: Outcome::Value(new1) })
}

// mul_minus_one [pypy]: mul(x, -1)
//     # x * -1 = -x
//     => neg(x)
fn mul_minus_one<S: Subject>(
    _s: &S,
    root: &Root<'_, S::Value>,
    x: S::Value,
) -> Option<Rewrite<S::Value>> {
    let ty0 = root.ty;
    let mut plan = Plan::new();
    let new1 = plan.push(Op::Neg, ty0, &[Operand::Value(x)]);
    Some(Rewrite { rule: rule(names::MUL_MINUS_ONE), plan, outcome: Outcome::Value(new1) })
}

// mul_pow2 [pypy]: mul(x, C)
//     # x * 2^k = x << k
//     check is_pow2(C) and C > 0
//     S = ctz(C)
//     => lshift(x, S)
fn mul_pow2<S: Subject>(
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
    let new1 = plan.push(Op::Lshift, ty0, &[Operand::Value(x), Operand::Const(Const::Int(the_s))]);
    Some(Rewrite { rule: rule(names::MUL_POW2), plan, outcome: Outcome::Value(new1) })
}

// mul_bools: mul(x, y)
//     # A product of 0 and 1 is a conjunction.
//     check x.is_bool() and y.is_bool()
//     => and(x, y)
fn mul_bools<S: Subject>(
    s: &S,
    root: &Root<'_, S::Value>,
    x: S::Value,
    y: S::Value,
) -> Option<Rewrite<S::Value>> {
    let ty0 = root.ty;
    let x_fact = s.fact(x);
    let y_fact = s.fact(y);
    if !x_fact.is_bool() {
        return None;
    }
    if !y_fact.is_bool() {
        return None;
    }
    if !is_spoken_of(ty0) {
        return None;
    }
    let mut plan = Plan::new();
    let new1 = plan.push(Op::And, ty0, &[Operand::Value(x), Operand::Value(y)]);
    Some(Rewrite { rule: rule(names::MUL_BOOLS), plan, outcome: Outcome::Value(new1) })
}

