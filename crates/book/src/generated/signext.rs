//! Rules whose pattern begins with `signext`, in the order in which they are tried:
//!
//! - signext_fits
//! - signext_and
//!
//! Generated from `rules/*.rules`.

use planish_ops::{Bits, Int, Machine, Op};
use planish_rules::speaks::is_spoken_of;
use planish_rules::matching::{Flow, Operand, Outcome, Plan, Rewrite, Root, Subject, int, nodes, offer, operands2, shl};

use super::names::{self, rule};

/// Hands every rewrite of a `signext` to `found`, until it says stop.
pub fn root<S: Subject>(
    s: &S,
    root: &Root<'_, S::Value>,
    found: &mut impl FnMut(Rewrite<S::Value>) -> Flow,
) -> Flow {
    let a = root.args[0];
    let b = root.args[1];
    if s.constant(b).is_some() {
        offer(found, signext_fits(s, root, a, b))?;
        for node in nodes(s, a) {
            if let Some((Op::And, n)) = node {
                let [a0, a1] = operands2(s, n);
                if s.constant(a1).is_some() {
                    offer(found, signext_and(s, root, a0, a1, b))?;
                }
            }
        }
    }
    Flow::Continue(())
}

// signext_fits [pypy]: signext(x, C)
//     # The value fits the shorter signed type.
//     check C != 0 and C <=u LONG_BIT and x.lower >= -1 << (C - 1) and x.upper <= ~(-1 << (C - 1))
//     => x
fn signext_fits<S: Subject>(
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
    let x_fact = s.fact(x);
    let the_c = int(s, at_c)?;
    if the_c == Int::new(w0, 0) {
        return None;
    }
    if Machine.ult(Int::new(w0, u64::from(w0)), the_c) {
        return None;
    }
    if Machine.slt(x_fact.lower(), shl(Machine.neg(Int::new(w0, 1)), Machine.sub(the_c, Int::new(w0, 1)))?) {
        return None;
    }
    if Machine.slt(Machine.not(shl(Machine.neg(Int::new(w0, 1)), Machine.sub(the_c, Int::new(w0, 1)))?), x_fact.upper()) {
        return None;
    }
    if !is_spoken_of(ty0) {
        return None;
    }
    Some(Rewrite { rule: rule(names::SIGNEXT_FITS), plan: Plan::new(), outcome: Outcome::Value(Operand::Value(x)) })
}

// signext_and: signext(and(x, C1), C2)
//     # The mask clears only bits that are dropped.
//     check C2 != 0 and C2 <u LONG_BIT and C1 | (-1 << C2) == -1
//     => signext(x, C2)
fn signext_and<S: Subject>(
    s: &S,
    root: &Root<'_, S::Value>,
    x: S::Value,
    at_c1: S::Value,
    at_c2: S::Value,
) -> Option<Rewrite<S::Value>> {
    let ty0 = root.ty;
    let w0 = ty0.int_width()?;
    if w0 < 3 {
        return None;
    }
    let the_c1 = int(s, at_c1)?;
    let the_c2 = int(s, at_c2)?;
    if the_c2 == Int::new(w0, 0) {
        return None;
    }
    if Machine.ule(Int::new(w0, u64::from(w0)), the_c2) {
        return None;
    }
    if Machine.or(the_c1, shl(Machine.neg(Int::new(w0, 1)), the_c2)?) != Machine.neg(Int::new(w0, 1)) {
        return None;
    }
    if !is_spoken_of(ty0) {
        return None;
    }
    let mut plan = Plan::new();
    let new1 = plan.push(Op::Signext, ty0, &[Operand::Value(x), Operand::Value(at_c2)]);
    Some(Rewrite { rule: rule(names::SIGNEXT_AND), plan, outcome: Outcome::Value(new1) })
}

