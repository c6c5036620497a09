//! From a fact about a result, or a condition that is known to hold, to facts about the operands.
//!
//! A guard tells something about a condition; what it tells about `x` in `x + y < c` or in
//! `x & 7 == 0` is found by going through the definitions backward. Each function returns the facts
//! about the operands, sharpened; a fact without members says that the result contradicts them.
//!
//! The shapes are those of [`forward`](crate::forward), except that a condition is taken to hold:
//! [`Op`]'s row knows the opposite comparison for one that does not. An operation that has no line here
//! teaches nothing.

pub mod arith;
pub mod bitwise;
pub mod compare;
pub mod convert;
pub mod divide;

use planish_ops::{Bits, Op};

use crate::fact::FactOf;

/// What r = op(x) tells about x.
#[inline]
pub fn unary<B: Bits>(b: &mut B, op: Op, r: FactOf<B>, x: FactOf<B>) -> FactOf<B> {
    match op {
        Op::Neg => arith::neg(b, r, x),
        Op::Abs => arith::abs(b, r, x),
        Op::ForceGeZero => arith::force_ge_zero(b, r, x),
        Op::Not => bitwise::not(b, r, x),
        Op::Clz => bitwise::clz(b, r, x),
        Op::Ctz => bitwise::ctz(b, r, x),
        Op::Popcount => bitwise::popcount(b, r, x),
        _ => x,
    }
}

/// What r = op(x, y) tells about x and y.
#[inline]
pub fn binary<B: Bits>(
    b: &mut B,
    op: Op,
    r: FactOf<B>,
    x: FactOf<B>,
    y: FactOf<B>,
) -> (FactOf<B>, FactOf<B>) {
    match op {
        Op::Add | Op::AddOvf | Op::UaddOvf => arith::add(b, r, x, y),
        Op::Sub | Op::SubOvf | Op::UsubOvf => arith::sub(b, r, x, y),
        Op::Mul | Op::MulOvf | Op::UmulOvf => arith::mul(b, r, x, y),
        Op::Min => arith::min(b, r, x, y),
        Op::Max => arith::max(b, r, x, y),
        Op::Umin => arith::umin(b, r, x, y),
        Op::Umax => arith::umax(b, r, x, y),
        Op::Udiv => divide::udiv(b, r, x, y),
        Op::Urem => divide::urem(b, r, x, y),
        Op::Sdiv => divide::sdiv(b, r, x, y),
        Op::FloorDiv => divide::floordiv(b, r, x, y),
        Op::Srem | Op::FloorMod => divide::rem(b, r, x, y),
        Op::And => bitwise::and(b, r, x, y),
        Op::Or => bitwise::or(b, r, x, y),
        Op::Xor => bitwise::xor(b, r, x, y),
        Op::Lshift => bitwise::lshift(b, r, x, y),
        Op::Rshift => bitwise::rshift(b, r, x, y),
        Op::Urshift => bitwise::urshift(b, r, x, y),
        Op::Rotl => bitwise::rotl(b, r, x, y),
        Op::Rotr => bitwise::rotr(b, r, x, y),
        Op::Signext => bitwise::signext(b, r, x, y),
        _ => (x, y),
    }
}

/// What r = op(x, y) tells about x and y when the operation has an overflow bit and does not overflow.
#[inline]
pub fn exact<B: Bits>(b: &mut B, op: Op, r: FactOf<B>, x: FactOf<B>, y: FactOf<B>) -> (FactOf<B>, FactOf<B>) {
    match op {
        Op::AddOvf => arith::add_exact(b, r, x, y),
        Op::SubOvf => arith::sub_exact(b, r, x, y),
        Op::MulOvf => arith::mul_exact(b, r, x, y),
        Op::UaddOvf => arith::uadd_exact(b, r, x, y),
        Op::UsubOvf => arith::usub_exact(b, r, x, y),
        Op::UmulOvf => arith::umul_exact(b, r, x, y),
        _ => (x, y),
    }
}

/// What r = op(x) tells about x when the operation changes the width.
#[inline]
pub fn convert<B: Bits>(b: &mut B, op: Op, r: FactOf<B>, x: FactOf<B>) -> FactOf<B> {
    match op {
        Op::Sext => convert::sext(b, r, x),
        Op::Zext => convert::zext(b, r, x),
        Op::Trunc => convert::trunc(b, r, x),
        _ => x,
    }
}

/// What a condition on one word that holds tells about it.
#[inline]
pub fn test<B: Bits>(b: &mut B, op: Op, x: FactOf<B>) -> FactOf<B> {
    match op {
        Op::IsTrue => compare::is_true(b, x),
        Op::IsZero => compare::is_zero(b, x),
        _ => x,
    }
}

/// What a comparison that holds tells about x and y.
#[inline]
pub fn compare<B: Bits>(b: &mut B, op: Op, x: FactOf<B>, y: FactOf<B>) -> (FactOf<B>, FactOf<B>) {
    let turned = |(y, x): (FactOf<B>, FactOf<B>)| (x, y);
    match op {
        Op::Eq => compare::eq(b, x, y),
        Op::Ne => compare::ne(b, x, y),
        Op::Lt => compare::lt(b, x, y),
        Op::Le => compare::le(b, x, y),
        Op::Gt => turned(compare::lt(b, y, x)),
        Op::Ge => turned(compare::le(b, y, x)),
        Op::Ult => compare::ult(b, x, y),
        Op::Ule => compare::ule(b, x, y),
        Op::Ugt => turned(compare::ult(b, y, x)),
        Op::Uge => turned(compare::ule(b, y, x)),
        _ => (x, y),
    }
}
