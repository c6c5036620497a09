//! Rules whose pattern begins with `sext`, in the order in which they are tried:
//!
//! - sext_trunc_fits
//! - sext_add_const
//! - sext_trunc
//! - sext_sext
//! - sext_zext
//!
//! Generated from `rules/*.rules`.

use planish_domain::IntFact;
use planish_ops::{Bits, Int, Machine, Op};
use planish_rules::functions::Resize;
use planish_rules::speaks::is_spoken_of;
use planish_rules::matching::{Const, Flow, Operand, Outcome, Plan, Rewrite, Root, Subject, int, nodes, offer, operands2, shl, size_word};

use super::names::{self, rule};

/// Hands every rewrite of a `sext` to `found`, until it says stop.
pub fn root<S: Subject>(
    s: &S,
    root: &Root<'_, S::Value>,
    found: &mut impl FnMut(Rewrite<S::Value>) -> Flow,
) -> Flow {
    let a = root.args[0];
    for node in nodes(s, a) {
        match node {
            Some((Op::Add, n)) => {
                let [a0, a1] = operands2(s, n);
                if s.constant(a1).is_some() {
                    offer(found, sext_add_const(s, root, a0, a1, a))?;
                }
            }
            Some((Op::Sext, n)) => {
                let a0 = s.operand(n, 0);
                offer(found, sext_sext(s, root, a0, a))?;
            }
            Some((Op::Zext, n)) => {
                let a0 = s.operand(n, 0);
                offer(found, sext_zext(s, root, a0, a))?;
            }
            Some((Op::Trunc, n)) => {
                let a0 = s.operand(n, 0);
                offer(found, sext_trunc_fits(s, root, a0, a))?;
                offer(found, sext_trunc(s, root, a0, a))?;
            }
            _ => {}
        }
    }
    Flow::Continue(())
}

// sext_trunc_fits: sext(trunc(x: a): b): a
//     # The value fits the narrow signed type.
//     C = width(b)
//     check x.lower >= -1 << (C - 1) and x.upper <= ~(-1 << (C - 1))
//     => x
fn sext_trunc_fits<S: Subject>(
    s: &S,
    root: &Root<'_, S::Value>,
    x: S::Value,
    inner1: S::Value,
) -> Option<Rewrite<S::Value>> {
    if root.ty != s.ty(x) {
        return None;
    }
    let ty0 = root.ty;
    let w0 = ty0.int_width()?;
    if w0 < 2 {
        return None;
    }
    let ty1 = s.ty(inner1);
    let w1 = ty1.int_width()?;
    let x_fact = s.fact(x);
    let the_c = size_word(w0, i64::from(w1))?;
    if Machine.slt(x_fact.lower(), shl(Machine.neg(Int::new(w0, 1)), Machine.sub(the_c, Int::new(w0, 1)))?) {
        return None;
    }
    if Machine.slt(Machine.not(shl(Machine.neg(Int::new(w0, 1)), Machine.sub(the_c, Int::new(w0, 1)))?), x_fact.upper()) {
        return None;
    }
    if !is_spoken_of(ty0) {
        return None;
    }
    if !is_spoken_of(ty1) {
        return None;
    }
    Some(Rewrite { rule: rule(names::SEXT_TRUNC_FITS), plan: Plan::new(), outcome: Outcome::Value(Operand::Value(x)) })
}

// sext_add_const [pays]: sext(add(x: a, C1)): b
//     # The sum is that of integers.
//     check x.add_bound_cannot_overflow(C1)
//     C = sext(C1)
//     => add(sext(x): b, C)
fn sext_add_const<S: Subject>(
    s: &S,
    root: &Root<'_, S::Value>,
    x: S::Value,
    at_c1: S::Value,
    inner2: S::Value,
) -> Option<Rewrite<S::Value>> {
    let dies2 = s.used_once(inner2);
    if 1 + if dies2 { 1 } else { 0 } < 2 {
        return None;
    }
    let ty0 = root.ty;
    let w0 = ty0.int_width()?;
    let x_fact = s.fact(x);
    let the_c1 = int(s, at_c1)?;
    if !x_fact.add_bound_cannot_overflow(IntFact::constant(the_c1)) {
        return None;
    }
    let the_c = Resize::Sext.apply(&mut Machine, the_c1, w0)?;
    if !is_spoken_of(ty0) {
        return None;
    }
    if !is_spoken_of(s.ty(inner2)) {
        return None;
    }
    let mut plan = Plan::new();
    let new1 = plan.push(Op::Sext, ty0, &[Operand::Value(x)]);
    let new2 = plan.push(Op::Add, ty0, &[new1, Operand::Const(Const::Int(the_c))]);
    Some(Rewrite { rule: rule(names::SEXT_ADD_CONST), plan, outcome: Outcome::Value(new2) })
}

// sext_trunc [pays]: sext(trunc(x: a): b): a
//     # The low bits stay where they are, and the others are copies of their sign.
//     C = width(b)
//     => signext(x, C)
fn sext_trunc<S: Subject>(
    s: &S,
    root: &Root<'_, S::Value>,
    x: S::Value,
    inner1: S::Value,
) -> Option<Rewrite<S::Value>> {
    if root.ty != s.ty(x) {
        return None;
    }
    let dies1 = s.used_once(inner1);
    if 1 + if dies1 { 1 } else { 0 } <= 1 {
        return None;
    }
    let ty0 = root.ty;
    let w0 = ty0.int_width()?;
    let ty1 = s.ty(inner1);
    let w1 = ty1.int_width()?;
    let the_c = size_word(w0, i64::from(w1))?;
    if !is_spoken_of(ty0) {
        return None;
    }
    if !is_spoken_of(ty1) {
        return None;
    }
    let mut plan = Plan::new();
    let new1 = plan.push(Op::Signext, ty0, &[Operand::Value(x), Operand::Const(Const::Int(the_c))]);
    Some(Rewrite { rule: rule(names::SEXT_TRUNC), plan, outcome: Outcome::Value(new1) })
}

// sext_sext: sext(sext(x))
//     # Copies of copies of the sign.
//     => sext(x)
fn sext_sext<S: Subject>(
    s: &S,
    root: &Root<'_, S::Value>,
    x: S::Value,
    inner1: S::Value,
) -> Option<Rewrite<S::Value>> {
    let ty0 = root.ty;
    if !is_spoken_of(ty0) {
        return None;
    }
    if !is_spoken_of(s.ty(inner1)) {
        return None;
    }
    if !is_spoken_of(s.ty(x)) {
        return None;
    }
    let mut plan = Plan::new();
    let new1 = plan.push(Op::Sext, ty0, &[Operand::Value(x)]);
    Some(Rewrite { rule: rule(names::SEXT_SEXT), plan, outcome: Outcome::Value(new1) })
}

// sext_zext: sext(zext(x))
//     # The sign is a zero.
//     => zext(x)
fn sext_zext<S: Subject>(
    s: &S,
    root: &Root<'_, S::Value>,
    x: S::Value,
    inner1: S::Value,
) -> Option<Rewrite<S::Value>> {
    let ty0 = root.ty;
    if !is_spoken_of(ty0) {
        return None;
    }
    if !is_spoken_of(s.ty(inner1)) {
        return None;
    }
    if !is_spoken_of(s.ty(x)) {
        return None;
    }
    let mut plan = Plan::new();
    let new1 = plan.push(Op::Zext, ty0, &[Operand::Value(x)]);
    Some(Rewrite { rule: rule(names::SEXT_ZEXT), plan, outcome: Outcome::Value(new1) })
}

