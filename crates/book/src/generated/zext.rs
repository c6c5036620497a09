//! Rules whose pattern begins with `zext`, in the order in which they are tried:
//!
//! - zext_trunc_fits
//! - zext_and_zext
//! - zext_trunc
//! - zext_eq
//! - zext_ge
//! - zext_gt
//! - zext_is_true
//! - zext_is_zero
//! - zext_le
//! - zext_lt
//! - zext_ne
//! - zext_uge
//! - zext_ugt
//! - zext_ule
//! - zext_ult
//! - zext_zext
//!
//! Generated from `rules/*.rules`.

use planish_ops::{Bits, Int, Machine, Op};
use planish_rules::functions::Resize;
use planish_rules::speaks::is_spoken_of;
use planish_rules::matching::{Const, Flow, Operand, Outcome, Plan, Rewrite, Root, Subject, int, nodes, offer, operands2, shl, size_word};

use super::names::{self, rule};

/// Hands every rewrite of a `zext` to `found`, until it says stop.
pub fn root<S: Subject>(
    s: &S,
    root: &Root<'_, S::Value>,
    found: &mut impl FnMut(Rewrite<S::Value>) -> Flow,
) -> Flow {
    let a = root.args[0];
    for node in nodes(s, a) {
        match node {
            Some((Op::And, n)) => {
                let [a0, a1] = operands2(s, n);
                for node in nodes(s, a0) {
                    if let Some((Op::Zext, n)) = node {
                        let a00 = s.operand(n, 0);
                        if s.constant(a1).is_some() {
                            offer(found, zext_and_zext(s, root, a00, a0, a1, a))?;
                        }
                    }
                }
            }
            Some((Op::Zext, n)) => {
                let a0 = s.operand(n, 0);
                offer(found, zext_zext(s, root, a0, a))?;
            }
            Some((Op::Trunc, n)) => {
                let a0 = s.operand(n, 0);
                offer(found, zext_trunc_fits(s, root, a0, a))?;
                offer(found, zext_trunc(s, root, a0, a))?;
            }
            Some((Op::Eq, n)) => {
                let [a0, a1] = operands2(s, n);
                offer(found, zext_eq(s, root, a0, a1, a))?;
            }
            Some((Op::Ne, n)) => {
                let [a0, a1] = operands2(s, n);
                offer(found, zext_ne(s, root, a0, a1, a))?;
            }
            Some((Op::Lt, n)) => {
                let [a0, a1] = operands2(s, n);
                offer(found, zext_lt(s, root, a0, a1, a))?;
            }
            Some((Op::Le, n)) => {
                let [a0, a1] = operands2(s, n);
                offer(found, zext_le(s, root, a0, a1, a))?;
            }
            Some((Op::Gt, n)) => {
                let [a0, a1] = operands2(s, n);
                offer(found, zext_gt(s, root, a0, a1, a))?;
            }
            Some((Op::Ge, n)) => {
                let [a0, a1] = operands2(s, n);
                offer(found, zext_ge(s, root, a0, a1, a))?;
            }
            Some((Op::Ult, n)) => {
                let [a0, a1] = operands2(s, n);
                offer(found, zext_ult(s, root, a0, a1, a))?;
            }
            Some((Op::Ule, n)) => {
                let [a0, a1] = operands2(s, n);
                offer(found, zext_ule(s, root, a0, a1, a))?;
            }
            Some((Op::Ugt, n)) => {
                let [a0, a1] = operands2(s, n);
                offer(found, zext_ugt(s, root, a0, a1, a))?;
            }
            Some((Op::Uge, n)) => {
                let [a0, a1] = operands2(s, n);
                offer(found, zext_uge(s, root, a0, a1, a))?;
            }
            Some((Op::IsTrue, n)) => {
                let a0 = s.operand(n, 0);
                offer(found, zext_is_true(s, root, a0, a))?;
            }
            Some((Op::IsZero, n)) => {
                let a0 = s.operand(n, 0);
                offer(found, zext_is_zero(s, root, a0, a))?;
            }
            _ => {}
        }
    }
    Flow::Continue(())
}

// zext_trunc_fits: zext(trunc(x: a): b): a
//     # The value fits the narrow type.
//     C = ~(-1 << width(b))
//     check x.unsigned_upper <=u C
//     => x
fn zext_trunc_fits<S: Subject>(
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
    let the_c = Machine.not(shl(Machine.neg(Int::new(w0, 1)), size_word(w0, i64::from(w1))?)?);
    if Machine.ult(the_c, x_fact.unsigned_upper()) {
        return None;
    }
    if !is_spoken_of(ty0) {
        return None;
    }
    if !is_spoken_of(ty1) {
        return None;
    }
    Some(Rewrite { rule: rule(names::ZEXT_TRUNC_FITS), plan: Plan::new(), outcome: Outcome::Value(Operand::Value(x)) })
}

// zext_and_zext [pays]: zext(and(zext(x), C))
//     # Zeros above a mask of what has zeros above.
//     D = zext(C)
//     => and(zext(x), D)
fn zext_and_zext<S: Subject>(
    s: &S,
    root: &Root<'_, S::Value>,
    x: S::Value,
    inner1: S::Value,
    at_c: S::Value,
    inner3: S::Value,
) -> Option<Rewrite<S::Value>> {
    let dies3 = s.used_once(inner3);
    let dies1 = dies3 && s.used_once(inner1);
    if 1 + if dies3 { 1 } else { 0 } + if dies1 { 1 } else { 0 } < 2 {
        return None;
    }
    let ty0 = root.ty;
    let w0 = ty0.int_width()?;
    let the_c = int(s, at_c)?;
    let the_d = Resize::Zext.apply(&mut Machine, the_c, w0)?;
    if !is_spoken_of(ty0) {
        return None;
    }
    if !is_spoken_of(s.ty(inner3)) {
        return None;
    }
    if !is_spoken_of(s.ty(x)) {
        return None;
    }
    let mut plan = Plan::new();
    let new1 = plan.push(Op::Zext, ty0, &[Operand::Value(x)]);
    let new2 = plan.push(Op::And, ty0, &[new1, Operand::Const(Const::Int(the_d))]);
    Some(Rewrite { rule: rule(names::ZEXT_AND_ZEXT), plan, outcome: Outcome::Value(new2) })
}

// zext_trunc: zext(trunc(x: a): b): a
//     # The low bits stay where they are.
//     C = ~(-1 << width(b))
//     => and(x, C)
fn zext_trunc<S: Subject>(
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
    let the_c = Machine.not(shl(Machine.neg(Int::new(w0, 1)), size_word(w0, i64::from(w1))?)?);
    if !is_spoken_of(ty0) {
        return None;
    }
    if !is_spoken_of(ty1) {
        return None;
    }
    let mut plan = Plan::new();
    let new1 = plan.push(Op::And, ty0, &[Operand::Value(x), Operand::Const(Const::Int(the_c))]);
    Some(Rewrite { rule: rule(names::ZEXT_TRUNC), plan, outcome: Outcome::Value(new1) })
}

// zext_eq: zext(eq(x, y))
//     # A comparison yields 0 or 1 in the type that is asked for.
//     => eq(x, y)
fn zext_eq<S: Subject>(
    s: &S,
    root: &Root<'_, S::Value>,
    x: S::Value,
    y: S::Value,
    inner2: S::Value,
) -> Option<Rewrite<S::Value>> {
    let ty0 = root.ty;
    if !is_spoken_of(ty0) {
        return None;
    }
    if !is_spoken_of(s.ty(inner2)) {
        return None;
    }
    if !is_spoken_of(s.ty(x)) {
        return None;
    }
    let mut plan = Plan::new();
    let new1 = plan.push(Op::Eq, ty0, &[Operand::Value(x), Operand::Value(y)]);
    Some(Rewrite { rule: rule(names::ZEXT_EQ), plan, outcome: Outcome::Value(new1) })
}

// zext_ge: zext(ge(x, y))
//     # A comparison yields 0 or 1 in the type that is asked for.
//     => ge(x, y)
fn zext_ge<S: Subject>(
    s: &S,
    root: &Root<'_, S::Value>,
    x: S::Value,
    y: S::Value,
    inner2: S::Value,
) -> Option<Rewrite<S::Value>> {
    let ty0 = root.ty;
    if !is_spoken_of(ty0) {
        return None;
    }
    if !is_spoken_of(s.ty(inner2)) {
        return None;
    }
    if !is_spoken_of(s.ty(x)) {
        return None;
    }
    let mut plan = Plan::new();
    let new1 = plan.push(Op::Ge, ty0, &[Operand::Value(x), Operand::Value(y)]);
    Some(Rewrite { rule: rule(names::ZEXT_GE), plan, outcome: Outcome::Value(new1) })
}

// zext_gt: zext(gt(x, y))
//     # A comparison yields 0 or 1 in the type that is asked for.
//     => gt(x, y)
fn zext_gt<S: Subject>(
    s: &S,
    root: &Root<'_, S::Value>,
    x: S::Value,
    y: S::Value,
    inner2: S::Value,
) -> Option<Rewrite<S::Value>> {
    let ty0 = root.ty;
    if !is_spoken_of(ty0) {
        return None;
    }
    if !is_spoken_of(s.ty(inner2)) {
        return None;
    }
    if !is_spoken_of(s.ty(x)) {
        return None;
    }
    let mut plan = Plan::new();
    let new1 = plan.push(Op::Gt, ty0, &[Operand::Value(x), Operand::Value(y)]);
    Some(Rewrite { rule: rule(names::ZEXT_GT), plan, outcome: Outcome::Value(new1) })
}

// zext_is_true: zext(is_true(x))
//     # The answer is 0 or 1 in the type that is asked for.
//     => is_true(x)
fn zext_is_true<S: Subject>(
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
    let new1 = plan.push(Op::IsTrue, ty0, &[Operand::Value(x)]);
    Some(Rewrite { rule: rule(names::ZEXT_IS_TRUE), plan, outcome: Outcome::Value(new1) })
}

// zext_is_zero: zext(is_zero(x))
//     # The answer is 0 or 1 in the type that is asked for.
//     => is_zero(x)
fn zext_is_zero<S: Subject>(
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
    let new1 = plan.push(Op::IsZero, ty0, &[Operand::Value(x)]);
    Some(Rewrite { rule: rule(names::ZEXT_IS_ZERO), plan, outcome: Outcome::Value(new1) })
}

// zext_le: zext(le(x, y))
//     # A comparison yields 0 or 1 in the type that is asked for.
//     => le(x, y)
fn zext_le<S: Subject>(
    s: &S,
    root: &Root<'_, S::Value>,
    x: S::Value,
    y: S::Value,
    inner2: S::Value,
) -> Option<Rewrite<S::Value>> {
    let ty0 = root.ty;
    if !is_spoken_of(ty0) {
        return None;
    }
    if !is_spoken_of(s.ty(inner2)) {
        return None;
    }
    if !is_spoken_of(s.ty(x)) {
        return None;
    }
    let mut plan = Plan::new();
    let new1 = plan.push(Op::Le, ty0, &[Operand::Value(x), Operand::Value(y)]);
    Some(Rewrite { rule: rule(names::ZEXT_LE), plan, outcome: Outcome::Value(new1) })
}

// zext_lt: zext(lt(x, y))
//     # A comparison yields 0 or 1 in the type that is asked for.
//     => lt(x, y)
fn zext_lt<S: Subject>(
    s: &S,
    root: &Root<'_, S::Value>,
    x: S::Value,
    y: S::Value,
    inner2: S::Value,
) -> Option<Rewrite<S::Value>> {
    let ty0 = root.ty;
    if !is_spoken_of(ty0) {
        return None;
    }
    if !is_spoken_of(s.ty(inner2)) {
        return None;
    }
    if !is_spoken_of(s.ty(x)) {
        return None;
    }
    let mut plan = Plan::new();
    let new1 = plan.push(Op::Lt, ty0, &[Operand::Value(x), Operand::Value(y)]);
    Some(Rewrite { rule: rule(names::ZEXT_LT), plan, outcome: Outcome::Value(new1) })
}

// zext_ne: zext(ne(x, y))
//     # A comparison yields 0 or 1 in the type that is asked for.
//     => ne(x, y)
fn zext_ne<S: Subject>(
    s: &S,
    root: &Root<'_, S::Value>,
    x: S::Value,
    y: S::Value,
    inner2: S::Value,
) -> Option<Rewrite<S::Value>> {
    let ty0 = root.ty;
    if !is_spoken_of(ty0) {
        return None;
    }
    if !is_spoken_of(s.ty(inner2)) {
        return None;
    }
    if !is_spoken_of(s.ty(x)) {
        return None;
    }
    let mut plan = Plan::new();
    let new1 = plan.push(Op::Ne, ty0, &[Operand::Value(x), Operand::Value(y)]);
    Some(Rewrite { rule: rule(names::ZEXT_NE), plan, outcome: Outcome::Value(new1) })
}

// zext_uge: zext(uge(x, y))
//     # A comparison yields 0 or 1 in the type that is asked for.
//     => uge(x, y)
fn zext_uge<S: Subject>(
    s: &S,
    root: &Root<'_, S::Value>,
    x: S::Value,
    y: S::Value,
    inner2: S::Value,
) -> Option<Rewrite<S::Value>> {
    let ty0 = root.ty;
    if !is_spoken_of(ty0) {
        return None;
    }
    if !is_spoken_of(s.ty(inner2)) {
        return None;
    }
    if !is_spoken_of(s.ty(x)) {
        return None;
    }
    let mut plan = Plan::new();
    let new1 = plan.push(Op::Uge, ty0, &[Operand::Value(x), Operand::Value(y)]);
    Some(Rewrite { rule: rule(names::ZEXT_UGE), plan, outcome: Outcome::Value(new1) })
}

// zext_ugt: zext(ugt(x, y))
//     # A comparison yields 0 or 1 in the type that is asked for.
//     => ugt(x, y)
fn zext_ugt<S: Subject>(
    s: &S,
    root: &Root<'_, S::Value>,
    x: S::Value,
    y: S::Value,
    inner2: S::Value,
) -> Option<Rewrite<S::Value>> {
    let ty0 = root.ty;
    if !is_spoken_of(ty0) {
        return None;
    }
    if !is_spoken_of(s.ty(inner2)) {
        return None;
    }
    if !is_spoken_of(s.ty(x)) {
        return None;
    }
    let mut plan = Plan::new();
    let new1 = plan.push(Op::Ugt, ty0, &[Operand::Value(x), Operand::Value(y)]);
    Some(Rewrite { rule: rule(names::ZEXT_UGT), plan, outcome: Outcome::Value(new1) })
}

// zext_ule: zext(ule(x, y))
//     # A comparison yields 0 or 1 in the type that is asked for.
//     => ule(x, y)
fn zext_ule<S: Subject>(
    s: &S,
    root: &Root<'_, S::Value>,
    x: S::Value,
    y: S::Value,
    inner2: S::Value,
) -> Option<Rewrite<S::Value>> {
    let ty0 = root.ty;
    if !is_spoken_of(ty0) {
        return None;
    }
    if !is_spoken_of(s.ty(inner2)) {
        return None;
    }
    if !is_spoken_of(s.ty(x)) {
        return None;
    }
    let mut plan = Plan::new();
    let new1 = plan.push(Op::Ule, ty0, &[Operand::Value(x), Operand::Value(y)]);
    Some(Rewrite { rule: rule(names::ZEXT_ULE), plan, outcome: Outcome::Value(new1) })
}

// zext_ult: zext(ult(x, y))
//     # A comparison yields 0 or 1 in the type that is asked for.
//     => ult(x, y)
fn zext_ult<S: Subject>(
    s: &S,
    root: &Root<'_, S::Value>,
    x: S::Value,
    y: S::Value,
    inner2: S::Value,
) -> Option<Rewrite<S::Value>> {
    let ty0 = root.ty;
    if !is_spoken_of(ty0) {
        return None;
    }
    if !is_spoken_of(s.ty(inner2)) {
        return None;
    }
    if !is_spoken_of(s.ty(x)) {
        return None;
    }
    let mut plan = Plan::new();
    let new1 = plan.push(Op::Ult, ty0, &[Operand::Value(x), Operand::Value(y)]);
    Some(Rewrite { rule: rule(names::ZEXT_ULT), plan, outcome: Outcome::Value(new1) })
}

// zext_zext: zext(zext(x))
//     # Zeros above zeros.
//     => zext(x)
fn zext_zext<S: Subject>(
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
    Some(Rewrite { rule: rule(names::ZEXT_ZEXT), plan, outcome: Outcome::Value(new1) })
}

