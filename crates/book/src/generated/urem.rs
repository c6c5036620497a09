//! Rules whose pattern begins with `urem`, in the order in which they are tried:
//!
//! - urem_zero
//! - urem_one
//! - urem_urem
//! - urem_small
//! - urem_pow2
//! - urem_magic
//! - urem_magic_long
//!
//! Generated from `rules/*.rules`.

use planish_ops::{Bits, Int, Machine, Op};
use planish_rules::functions::{WordFunction, WordTest};
use planish_rules::guess;
use planish_rules::speaks::is_spoken_of;
use planish_rules::matching::{Const, Flow, Operand, Outcome, Plan, Rewrite, Root, Subject, int, integer, nodes, offer, operands2, same, shl};

use super::names::{self, rule};

/// Hands every rewrite of a `urem` to `found`, until it says stop.
pub fn root<S: Subject>(
    s: &S,
    root: &Root<'_, S::Value>,
    found: &mut impl FnMut(Rewrite<S::Value>) -> Flow,
) -> Flow {
    let a = root.args[0];
    let b = root.args[1];
    if integer(s, a) == Some(0) {
        offer(found, urem_zero(s, root, b))?;
    }
    if integer(s, b) == Some(1) {
        offer(found, urem_one(s, root))?;
    }
    for node in nodes(s, a) {
        if let Some((Op::Urem, n)) = node {
            let [_, a1] = operands2(s, n);
            offer(found, urem_urem(s, root, a1, a, b))?;
        }
    }
    offer(found, urem_small(s, root, a, b))?;
    if s.constant(b).is_some() {
        offer(found, urem_pow2(s, root, a, b))?;
        offer(found, urem_magic(s, root, a, b))?;
        offer(found, urem_magic_long(s, root, a, b))?;
    }
    Flow::Continue(())
}

// urem_zero: urem(0, x)
//     # Nothing is left of nothing.
//     check x.known_nonzero()
//     => 0
fn urem_zero<S: Subject>(
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
    Some(Rewrite { rule: rule(names::UREM_ZERO), plan: Plan::new(), outcome: Outcome::Value(Operand::Const(Const::Int(Int::new(w0, 0)))) })
}

// urem_one: urem(x, 1)
//     # 1 divides everything.
//     => 0
fn urem_one<S: Subject>(
    _s: &S,
    root: &Root<'_, S::Value>,
) -> Option<Rewrite<S::Value>> {
    let ty0 = root.ty;
    let w0 = ty0.int_width()?;
    if !is_spoken_of(ty0) {
        return None;
    }
    Some(Rewrite { rule: rule(names::UREM_ONE), plan: Plan::new(), outcome: Outcome::Value(Operand::Const(Const::Int(Int::new(w0, 0)))) })
}

// urem_urem: urem(urem(x, y), y)
//     # A remainder is its own remainder.
//     => urem(x, y)
fn urem_urem<S: Subject>(
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
    Some(Rewrite { rule: rule(names::UREM_UREM), plan: Plan::new(), outcome: Outcome::Value(Operand::Value(inner2)) })
}

// urem_small: urem(x, y)
//     # The dividend is less than the divisor.
//     check x.known_unsigned_lt(y)
//     => x
fn urem_small<S: Subject>(
    s: &S,
    root: &Root<'_, S::Value>,
    x: S::Value,
    y: S::Value,
) -> Option<Rewrite<S::Value>> {
    let x_fact = s.fact(x);
    let y_fact = s.fact(y);
    if !x_fact.known_unsigned_lt(y_fact) {
        return None;
    }
    if !is_spoken_of(root.ty) {
        return None;
    }
    Some(Rewrite { rule: rule(names::UREM_SMALL), plan: Plan::new(), outcome: Outcome::Value(Operand::Value(x)) })
}

// urem_pow2: urem(x, C1)
//     # The low bits are the remainder.
//     check is_pow2(C1)
//     C = C1 - 1
//     => and(x, C)
fn urem_pow2<S: Subject>(
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
    let the_c = Machine.sub(the_c1, Int::new(w0, 1));
    if !is_spoken_of(ty0) {
        return None;
    }
    let mut plan = Plan::new();
    let new1 = plan.push(Op::And, ty0, &[Operand::Value(x), Operand::Const(Const::Int(the_c))]);
    Some(Rewrite { rule: rule(names::UREM_POW2), plan, outcome: Outcome::Value(new1) })
}

// urem_magic [certified, expand]: urem(x, C)
//     # The remainder is what the quotient leaves.
//     M = guess_unsigned_multiplier(C)
//     S = guess_unsigned_shift(C)
//     check umulh(M, C) == 1 << S and M * C <=u 1 << S
//     => sub(x, mul(urshift(umulh(x, M), S), C))
fn urem_magic<S: Subject>(
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
    let new3 = plan.push(Op::Mul, ty0, &[new2, Operand::Value(at_c)]);
    let new4 = plan.push(Op::Sub, ty0, &[Operand::Value(x), new3]);
    Some(Rewrite { rule: rule(names::UREM_MAGIC), plan, outcome: Outcome::Value(new4) })
}

// urem_magic_long [certified, expand]: urem(x, C)
//     # The remainder is what the quotient leaves.
//     M = guess_long_multiplier(C)
//     S = guess_long_shift(C)
//     check S != 0 and C <=u 1 << S and C + umulh(M, C) == 1 << S and M * C <=u 1 << S
//     T = S - 1
//     => sub(x, mul(urshift(add(urshift(sub(x, umulh(x, M)), 1), umulh(x, M)), T), C))
fn urem_magic_long<S: Subject>(
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
    let new6 = plan.push(Op::Mul, ty0, &[new5, Operand::Value(at_c)]);
    let new7 = plan.push(Op::Sub, ty0, &[Operand::Value(x), new6]);
    Some(Rewrite { rule: rule(names::UREM_MAGIC_LONG), plan, outcome: Outcome::Value(new7) })
}

