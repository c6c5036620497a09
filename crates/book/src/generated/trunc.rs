//! Rules whose pattern begins with `trunc`, in the order in which they are tried:
//!
//! - trunc_sext_back
//! - trunc_zext_back
//! - trunc_and
//! - trunc_sext_less
//! - trunc_sext_more
//! - trunc_zext_less
//! - trunc_zext_more
//! - trunc_eq
//! - trunc_ge
//! - trunc_gt
//! - trunc_is_true
//! - trunc_is_zero
//! - trunc_le
//! - trunc_lt
//! - trunc_ne
//! - trunc_trunc
//! - trunc_uge
//! - trunc_ugt
//! - trunc_ule
//! - trunc_ult
//!
//! Generated from `rules/*.rules`.

use planish_ops::{Bits, Int, Machine, Op};
use planish_rules::speaks::is_spoken_of;
use planish_rules::matching::{Flow, Operand, Outcome, Plan, Rewrite, Root, Subject, int, nodes, offer, operands2, shl, size_word};

use super::names::{self, rule};

/// Hands every rewrite of a `trunc` to `found`, until it says stop.
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
                if s.constant(a1).is_some() {
                    offer(found, trunc_and(s, root, a0, a1, a))?;
                }
            }
            Some((Op::Sext, n)) => {
                let a0 = s.operand(n, 0);
                offer(found, trunc_sext_back(s, root, a0, a))?;
                offer(found, trunc_sext_less(s, root, a0, a))?;
                offer(found, trunc_sext_more(s, root, a0, a))?;
            }
            Some((Op::Zext, n)) => {
                let a0 = s.operand(n, 0);
                offer(found, trunc_zext_back(s, root, a0, a))?;
                offer(found, trunc_zext_less(s, root, a0, a))?;
                offer(found, trunc_zext_more(s, root, a0, a))?;
            }
            Some((Op::Trunc, n)) => {
                let a0 = s.operand(n, 0);
                offer(found, trunc_trunc(s, root, a0, a))?;
            }
            Some((Op::Eq, n)) => {
                let [a0, a1] = operands2(s, n);
                offer(found, trunc_eq(s, root, a0, a1, a))?;
            }
            Some((Op::Ne, n)) => {
                let [a0, a1] = operands2(s, n);
                offer(found, trunc_ne(s, root, a0, a1, a))?;
            }
            Some((Op::Lt, n)) => {
                let [a0, a1] = operands2(s, n);
                offer(found, trunc_lt(s, root, a0, a1, a))?;
            }
            Some((Op::Le, n)) => {
                let [a0, a1] = operands2(s, n);
                offer(found, trunc_le(s, root, a0, a1, a))?;
            }
            Some((Op::Gt, n)) => {
                let [a0, a1] = operands2(s, n);
                offer(found, trunc_gt(s, root, a0, a1, a))?;
            }
            Some((Op::Ge, n)) => {
                let [a0, a1] = operands2(s, n);
                offer(found, trunc_ge(s, root, a0, a1, a))?;
            }
            Some((Op::Ult, n)) => {
                let [a0, a1] = operands2(s, n);
                offer(found, trunc_ult(s, root, a0, a1, a))?;
            }
            Some((Op::Ule, n)) => {
                let [a0, a1] = operands2(s, n);
                offer(found, trunc_ule(s, root, a0, a1, a))?;
            }
            Some((Op::Ugt, n)) => {
                let [a0, a1] = operands2(s, n);
                offer(found, trunc_ugt(s, root, a0, a1, a))?;
            }
            Some((Op::Uge, n)) => {
                let [a0, a1] = operands2(s, n);
                offer(found, trunc_uge(s, root, a0, a1, a))?;
            }
            Some((Op::IsTrue, n)) => {
                let a0 = s.operand(n, 0);
                offer(found, trunc_is_true(s, root, a0, a))?;
            }
            Some((Op::IsZero, n)) => {
                let a0 = s.operand(n, 0);
                offer(found, trunc_is_zero(s, root, a0, a))?;
            }
            _ => {}
        }
    }
    Flow::Continue(())
}

// trunc_sext_back: trunc(sext(x: a)): a
//     # There and back.
//     => x
fn trunc_sext_back<S: Subject>(
    s: &S,
    root: &Root<'_, S::Value>,
    x: S::Value,
    inner1: S::Value,
) -> Option<Rewrite<S::Value>> {
    if root.ty != s.ty(x) {
        return None;
    }
    if !is_spoken_of(root.ty) {
        return None;
    }
    if !is_spoken_of(s.ty(inner1)) {
        return None;
    }
    Some(Rewrite { rule: rule(names::TRUNC_SEXT_BACK), plan: Plan::new(), outcome: Outcome::Value(Operand::Value(x)) })
}

// trunc_zext_back: trunc(zext(x: a)): a
//     # There and back.
//     => x
fn trunc_zext_back<S: Subject>(
    s: &S,
    root: &Root<'_, S::Value>,
    x: S::Value,
    inner1: S::Value,
) -> Option<Rewrite<S::Value>> {
    if root.ty != s.ty(x) {
        return None;
    }
    if !is_spoken_of(root.ty) {
        return None;
    }
    if !is_spoken_of(s.ty(inner1)) {
        return None;
    }
    Some(Rewrite { rule: rule(names::TRUNC_ZEXT_BACK), plan: Plan::new(), outcome: Outcome::Value(Operand::Value(x)) })
}

// trunc_and: trunc(and(x, C)): b
//     # The mask clears only bits that are dropped.
//     check C | (-1 << width(b)) == -1
//     => trunc(x)
fn trunc_and<S: Subject>(
    s: &S,
    root: &Root<'_, S::Value>,
    x: S::Value,
    at_c: S::Value,
    inner2: S::Value,
) -> Option<Rewrite<S::Value>> {
    let ty0 = root.ty;
    let w0 = ty0.int_width()?;
    let ty1 = s.ty(inner2);
    let w1 = ty1.int_width()?;
    if w1 < 2 {
        return None;
    }
    let the_c = int(s, at_c)?;
    if Machine.or(the_c, shl(Machine.neg(Int::new(w1, 1)), size_word(w1, i64::from(w0))?)?) != Machine.neg(Int::new(w1, 1)) {
        return None;
    }
    if !is_spoken_of(ty0) {
        return None;
    }
    if !is_spoken_of(ty1) {
        return None;
    }
    let mut plan = Plan::new();
    let new1 = plan.push(Op::Trunc, ty0, &[Operand::Value(x)]);
    Some(Rewrite { rule: rule(names::TRUNC_AND), plan, outcome: Outcome::Value(new1) })
}

// trunc_sext_less: trunc(sext(x: a)): b
//     # Only low bits of x are left.
//     check width(b) < width(a)
//     => trunc(x)
fn trunc_sext_less<S: Subject>(
    s: &S,
    root: &Root<'_, S::Value>,
    x: S::Value,
    inner1: S::Value,
) -> Option<Rewrite<S::Value>> {
    let ty0 = root.ty;
    let w0 = ty0.int_width()?;
    let ty2 = s.ty(x);
    let w2 = ty2.int_width()?;
    if i64::from(w0) >= i64::from(w2) {
        return None;
    }
    if !is_spoken_of(ty0) {
        return None;
    }
    if !is_spoken_of(s.ty(inner1)) {
        return None;
    }
    if !is_spoken_of(ty2) {
        return None;
    }
    let mut plan = Plan::new();
    let new1 = plan.push(Op::Trunc, ty0, &[Operand::Value(x)]);
    Some(Rewrite { rule: rule(names::TRUNC_SEXT_LESS), plan, outcome: Outcome::Value(new1) })
}

// trunc_sext_more: trunc(sext(x: a)): b
//     # Fewer bits are added.
//     check width(b) > width(a)
//     => sext(x)
fn trunc_sext_more<S: Subject>(
    s: &S,
    root: &Root<'_, S::Value>,
    x: S::Value,
    inner1: S::Value,
) -> Option<Rewrite<S::Value>> {
    let ty0 = root.ty;
    let w0 = ty0.int_width()?;
    let ty2 = s.ty(x);
    let w2 = ty2.int_width()?;
    if i64::from(w0) <= i64::from(w2) {
        return None;
    }
    if !is_spoken_of(ty0) {
        return None;
    }
    if !is_spoken_of(s.ty(inner1)) {
        return None;
    }
    if !is_spoken_of(ty2) {
        return None;
    }
    let mut plan = Plan::new();
    let new1 = plan.push(Op::Sext, ty0, &[Operand::Value(x)]);
    Some(Rewrite { rule: rule(names::TRUNC_SEXT_MORE), plan, outcome: Outcome::Value(new1) })
}

// trunc_zext_less: trunc(zext(x: a)): b
//     # Only low bits of x are left.
//     check width(b) < width(a)
//     => trunc(x)
fn trunc_zext_less<S: Subject>(
    s: &S,
    root: &Root<'_, S::Value>,
    x: S::Value,
    inner1: S::Value,
) -> Option<Rewrite<S::Value>> {
    let ty0 = root.ty;
    let w0 = ty0.int_width()?;
    let ty2 = s.ty(x);
    let w2 = ty2.int_width()?;
    if i64::from(w0) >= i64::from(w2) {
        return None;
    }
    if !is_spoken_of(ty0) {
        return None;
    }
    if !is_spoken_of(s.ty(inner1)) {
        return None;
    }
    if !is_spoken_of(ty2) {
        return None;
    }
    let mut plan = Plan::new();
    let new1 = plan.push(Op::Trunc, ty0, &[Operand::Value(x)]);
    Some(Rewrite { rule: rule(names::TRUNC_ZEXT_LESS), plan, outcome: Outcome::Value(new1) })
}

// trunc_zext_more: trunc(zext(x: a)): b
//     # Fewer bits are added.
//     check width(b) > width(a)
//     => zext(x)
fn trunc_zext_more<S: Subject>(
    s: &S,
    root: &Root<'_, S::Value>,
    x: S::Value,
    inner1: S::Value,
) -> Option<Rewrite<S::Value>> {
    let ty0 = root.ty;
    let w0 = ty0.int_width()?;
    let ty2 = s.ty(x);
    let w2 = ty2.int_width()?;
    if i64::from(w0) <= i64::from(w2) {
        return None;
    }
    if !is_spoken_of(ty0) {
        return None;
    }
    if !is_spoken_of(s.ty(inner1)) {
        return None;
    }
    if !is_spoken_of(ty2) {
        return None;
    }
    let mut plan = Plan::new();
    let new1 = plan.push(Op::Zext, ty0, &[Operand::Value(x)]);
    Some(Rewrite { rule: rule(names::TRUNC_ZEXT_MORE), plan, outcome: Outcome::Value(new1) })
}

// trunc_eq: trunc(eq(x, y))
//     # A comparison yields 0 or 1 in the type that is asked for.
//     => eq(x, y)
fn trunc_eq<S: Subject>(
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
    Some(Rewrite { rule: rule(names::TRUNC_EQ), plan, outcome: Outcome::Value(new1) })
}

// trunc_ge: trunc(ge(x, y))
//     # A comparison yields 0 or 1 in the type that is asked for.
//     => ge(x, y)
fn trunc_ge<S: Subject>(
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
    Some(Rewrite { rule: rule(names::TRUNC_GE), plan, outcome: Outcome::Value(new1) })
}

// trunc_gt: trunc(gt(x, y))
//     # A comparison yields 0 or 1 in the type that is asked for.
//     => gt(x, y)
fn trunc_gt<S: Subject>(
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
    Some(Rewrite { rule: rule(names::TRUNC_GT), plan, outcome: Outcome::Value(new1) })
}

// trunc_is_true: trunc(is_true(x))
//     # The answer is 0 or 1 in the type that is asked for.
//     => is_true(x)
fn trunc_is_true<S: Subject>(
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
    Some(Rewrite { rule: rule(names::TRUNC_IS_TRUE), plan, outcome: Outcome::Value(new1) })
}

// trunc_is_zero: trunc(is_zero(x))
//     # The answer is 0 or 1 in the type that is asked for.
//     => is_zero(x)
fn trunc_is_zero<S: Subject>(
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
    Some(Rewrite { rule: rule(names::TRUNC_IS_ZERO), plan, outcome: Outcome::Value(new1) })
}

// trunc_le: trunc(le(x, y))
//     # A comparison yields 0 or 1 in the type that is asked for.
//     => le(x, y)
fn trunc_le<S: Subject>(
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
    Some(Rewrite { rule: rule(names::TRUNC_LE), plan, outcome: Outcome::Value(new1) })
}

// trunc_lt: trunc(lt(x, y))
//     # A comparison yields 0 or 1 in the type that is asked for.
//     => lt(x, y)
fn trunc_lt<S: Subject>(
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
    Some(Rewrite { rule: rule(names::TRUNC_LT), plan, outcome: Outcome::Value(new1) })
}

// trunc_ne: trunc(ne(x, y))
//     # A comparison yields 0 or 1 in the type that is asked for.
//     => ne(x, y)
fn trunc_ne<S: Subject>(
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
    Some(Rewrite { rule: rule(names::TRUNC_NE), plan, outcome: Outcome::Value(new1) })
}

// trunc_trunc: trunc(trunc(x))
//     # The low bits of the low bits.
//     => trunc(x)
fn trunc_trunc<S: Subject>(
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
    let new1 = plan.push(Op::Trunc, ty0, &[Operand::Value(x)]);
    Some(Rewrite { rule: rule(names::TRUNC_TRUNC), plan, outcome: Outcome::Value(new1) })
}

// trunc_uge: trunc(uge(x, y))
//     # A comparison yields 0 or 1 in the type that is asked for.
//     => uge(x, y)
fn trunc_uge<S: Subject>(
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
    Some(Rewrite { rule: rule(names::TRUNC_UGE), plan, outcome: Outcome::Value(new1) })
}

// trunc_ugt: trunc(ugt(x, y))
//     # A comparison yields 0 or 1 in the type that is asked for.
//     => ugt(x, y)
fn trunc_ugt<S: Subject>(
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
    Some(Rewrite { rule: rule(names::TRUNC_UGT), plan, outcome: Outcome::Value(new1) })
}

// trunc_ule: trunc(ule(x, y))
//     # A comparison yields 0 or 1 in the type that is asked for.
//     => ule(x, y)
fn trunc_ule<S: Subject>(
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
    Some(Rewrite { rule: rule(names::TRUNC_ULE), plan, outcome: Outcome::Value(new1) })
}

// trunc_ult: trunc(ult(x, y))
//     # A comparison yields 0 or 1 in the type that is asked for.
//     => ult(x, y)
fn trunc_ult<S: Subject>(
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
    Some(Rewrite { rule: rule(names::TRUNC_ULT), plan, outcome: Outcome::Value(new1) })
}

