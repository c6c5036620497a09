//! Rules whose pattern begins with `srem`, in the order in which they are tried:
//!
//! - srem_zero
//! - srem_minus_one
//! - srem_one
//! - srem_srem
//! - srem_pow2_nonnegative
//! - srem_pow2
//! - srem_magic
//! - srem_magic_add
//! - srem_nonnegative
//!
//! Generated from `rules/*.rules`.

use planish_ops::{Bits, Int, Machine, Op};
use planish_rules::functions::{WordFunction, WordTest};
use planish_rules::guess;
use planish_rules::speaks::is_spoken_of;
use planish_rules::matching::{Const, Flow, Operand, Outcome, Plan, Rewrite, Root, Subject, int, integer, nodes, offer, operands2, same, shl, ushr};

use super::names::{self, rule};

/// Hands every rewrite of a `srem` to `found`, until it says stop.
pub fn root<S: Subject>(
    s: &S,
    root: &Root<'_, S::Value>,
    found: &mut impl FnMut(Rewrite<S::Value>) -> Flow,
) -> Flow {
    let a = root.args[0];
    let b = root.args[1];
    if integer(s, a) == Some(0) {
        offer(found, srem_zero(s, root, b))?;
    }
    match integer(s, b) {
        Some(-1) => {
            offer(found, srem_minus_one(s, root))?;
        }
        Some(1) => {
            offer(found, srem_one(s, root))?;
        }
        _ => {}
    }
    for node in nodes(s, a) {
        if let Some((Op::Srem, n)) = node {
            let [_, a1] = operands2(s, n);
            offer(found, srem_srem(s, root, a1, a, b))?;
        }
    }
    if s.constant(b).is_some() {
        offer(found, srem_pow2_nonnegative(s, root, a, b))?;
        offer(found, srem_pow2(s, root, a, b))?;
        offer(found, srem_magic(s, root, a, b))?;
        offer(found, srem_magic_add(s, root, a, b))?;
    }
    offer(found, srem_nonnegative(s, root, a, b))?;
    Flow::Continue(())
}

// srem_zero: srem(0, x)
//     # Nothing is left of nothing.
//     check x.known_nonzero()
//     => 0
fn srem_zero<S: Subject>(
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
    Some(Rewrite { rule: rule(names::SREM_ZERO), plan: Plan::new(), outcome: Outcome::Value(Operand::Const(Const::Int(Int::new(w0, 0)))) })
}

// srem_minus_one: srem(x, -1)
//     # -1 divides everything.
//     => 0
fn srem_minus_one<S: Subject>(
    _s: &S,
    root: &Root<'_, S::Value>,
) -> Option<Rewrite<S::Value>> {
    let ty0 = root.ty;
    let w0 = ty0.int_width()?;
    if !is_spoken_of(ty0) {
        return None;
    }
    Some(Rewrite { rule: rule(names::SREM_MINUS_ONE), plan: Plan::new(), outcome: Outcome::Value(Operand::Const(Const::Int(Int::new(w0, 0)))) })
}

// srem_one: srem(x, 1)
//     # 1 divides everything.
//     => 0
fn srem_one<S: Subject>(
    _s: &S,
    root: &Root<'_, S::Value>,
) -> Option<Rewrite<S::Value>> {
    let ty0 = root.ty;
    let w0 = ty0.int_width()?;
    if !is_spoken_of(ty0) {
        return None;
    }
    Some(Rewrite { rule: rule(names::SREM_ONE), plan: Plan::new(), outcome: Outcome::Value(Operand::Const(Const::Int(Int::new(w0, 0)))) })
}

// srem_srem: srem(srem(x, y), y)
//     # A remainder is its own remainder.
//     => srem(x, y)
fn srem_srem<S: Subject>(
    s: &S,
    root: &Root<'_, S::Value>,
    y: S::Value,
    inner2: S::Value,
    y_2: S::Value,
) -> Option<Rewrite<S::Value>> {
    if !same(s, y, y_2) {
        return None;
    }
    if !is_spoken_of(root.ty) {
        return None;
    }
    Some(Rewrite { rule: rule(names::SREM_SREM), plan: Plan::new(), outcome: Outcome::Value(Operand::Value(inner2)) })
}

// srem_pow2_nonnegative: srem(x, C1)
//     # The low bits are the remainder.
//     check x.known_nonnegative() and is_pow2(C1) and C1 > 0
//     C = C1 - 1
//     => and(x, C)
fn srem_pow2_nonnegative<S: Subject>(
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
    let x_fact = s.fact(x);
    let the_c1 = int(s, at_c1)?;
    if !x_fact.known_nonnegative() {
        return None;
    }
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
    Some(Rewrite { rule: rule(names::SREM_POW2_NONNEGATIVE), plan, outcome: Outcome::Value(new1) })
}

// srem_pow2 [expand]: srem(x, C)
//     # The bias that makes the low bits round towards zero is taken away again.
//     check is_pow2(C) and C > 1
//     S = ctz(C)
//     M = LONG_BIT - 1
//     K = LONG_BIT - S
//     L = C - 1
//     => sub(and(add(x, urshift(rshift(x, M), K)), L), urshift(rshift(x, M), K))
fn srem_pow2<S: Subject>(
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
    let the_l = Machine.sub(the_c, Int::new(w0, 1));
    if !is_spoken_of(ty0) {
        return None;
    }
    let mut plan = Plan::new();
    let new1 = plan.push(Op::Rshift, ty0, &[Operand::Value(x), Operand::Const(Const::Int(the_m))]);
    let new2 = plan.push(Op::Urshift, ty0, &[new1, Operand::Const(Const::Int(the_k))]);
    let new3 = plan.push(Op::Add, ty0, &[Operand::Value(x), new2]);
    let new4 = plan.push(Op::And, ty0, &[new3, Operand::Const(Const::Int(the_l))]);
    let new5 = plan.push(Op::Sub, ty0, &[new4, new2]);
    Some(Rewrite { rule: rule(names::SREM_POW2), plan, outcome: Outcome::Value(new5) })
}

// srem_magic [certified, expand]: srem(x, C)
//     # The remainder is what the quotient leaves.
//     M = guess_signed_multiplier(C)
//     S = guess_signed_shift(C)
//     check C > 1 and umulh(M, C) == 1 << S and M * C != 0 and (M * C - 1) >>u S <=u 1
//     K = LONG_BIT - 1
//     check M > 0
//     => sub(x, mul(sub(rshift(smulh(x, M), S), rshift(x, K)), C))
fn srem_magic<S: Subject>(
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
    let new5 = plan.push(Op::Mul, ty0, &[new4, Operand::Value(at_c)]);
    let new6 = plan.push(Op::Sub, ty0, &[Operand::Value(x), new5]);
    Some(Rewrite { rule: rule(names::SREM_MAGIC), plan, outcome: Outcome::Value(new6) })
}

// srem_magic_add [certified, expand]: srem(x, C)
//     # The remainder is what the quotient leaves.
//     M = guess_signed_multiplier(C)
//     S = guess_signed_shift(C)
//     check C > 1 and umulh(M, C) == 1 << S and M * C != 0 and (M * C - 1) >>u S <=u 1
//     K = LONG_BIT - 1
//     check M < 0
//     => sub(x, mul(sub(rshift(add(smulh(x, M), x), S), rshift(x, K)), C))
fn srem_magic_add<S: Subject>(
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
    let new6 = plan.push(Op::Mul, ty0, &[new5, Operand::Value(at_c)]);
    let new7 = plan.push(Op::Sub, ty0, &[Operand::Value(x), new6]);
    Some(Rewrite { rule: rule(names::SREM_MAGIC_ADD), plan, outcome: Outcome::Value(new7) })
}

// srem_nonnegative: srem(x, y)
//     # Of numbers that are not negative all remainders are one.
//     check x.known_nonnegative() and y.known_nonnegative()
//     => urem(x, y)
fn srem_nonnegative<S: Subject>(
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
    Some(Rewrite { rule: rule(names::SREM_NONNEGATIVE), plan, outcome: Outcome::Value(new1) })
}

