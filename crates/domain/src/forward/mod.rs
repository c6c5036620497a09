//! From facts about operands to a fact about the result: one function an operation, and the one place
//! where an operation is sent to its function.
//!
//! Operations come in shapes: some keep the width of their operands, some change it, some yield a
//! condition. A new operation of the table is a function here, a line in [`shape`], and a line in the
//! function of its shape; until it has them its results are unknown, which is sound.
//!
//! Operands are reduced facts with members. On others the functions yield something that holds, all
//! the same: their theorems assume nothing of the facts.

pub mod arith;
pub mod bitwise;
pub mod compare;
pub mod convert;
pub mod count;
pub mod divide;
pub mod shift;

use planish_ops::{Bits, Op};

use crate::fact::FactOf;
use crate::truth::Truth;

/// How an operation moves facts.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Shape {
    /// One operand, and a result of its width.
    Unary,
    /// Two operands, and a result of their width.
    Binary,
    /// One operand, and a result of the width that the instruction names.
    Convert,
    /// One operand, and a condition.
    Test,
    /// Two operands, and a condition.
    Compare,
    /// Two operands, a result of their width, and whether it overflows.
    Checked,
    /// A condition and two operands.
    Select,
}

/// The shape of an operation; `None` where nothing is known of its result.
#[inline]
pub fn shape(op: Op) -> Option<Shape> {
    Some(match op {
        Op::Neg | Op::Abs | Op::ForceGeZero | Op::Not | Op::Clz | Op::Ctz | Op::Popcount => Shape::Unary,
        Op::Add | Op::Sub | Op::Mul | Op::Umulh | Op::Smulh => Shape::Binary,
        Op::Min | Op::Max | Op::Umin | Op::Umax => Shape::Binary,
        Op::Udiv | Op::Urem | Op::Sdiv | Op::Srem | Op::FloorDiv | Op::FloorMod => Shape::Binary,
        Op::And | Op::Or | Op::Xor => Shape::Binary,
        Op::Lshift | Op::Rshift | Op::Urshift | Op::Rotl | Op::Rotr | Op::Signext => Shape::Binary,
        Op::Sext | Op::Zext | Op::Trunc => Shape::Convert,
        Op::IsTrue | Op::IsZero => Shape::Test,
        Op::Eq | Op::Ne | Op::Lt | Op::Le | Op::Gt | Op::Ge => Shape::Compare,
        Op::Ult | Op::Ule | Op::Ugt | Op::Uge => Shape::Compare,
        Op::AddOvf | Op::SubOvf | Op::MulOvf | Op::UaddOvf | Op::UsubOvf | Op::UmulOvf => Shape::Checked,
        Op::Select => Shape::Select,
        _ => return None,
    })
}

fn misdirected(op: Op) -> ! {
    panic!("{op} is not of this shape: `shape` says which function takes it")
}

/// The result of an operation of shape [`Shape::Unary`].
#[inline]
pub fn unary<B: Bits>(b: &mut B, op: Op, x: FactOf<B>) -> FactOf<B> {
    match op {
        Op::Neg => arith::neg(b, x),
        Op::Abs => arith::abs(b, x),
        Op::ForceGeZero => arith::force_ge_zero(b, x),
        Op::Not => bitwise::not(b, x),
        Op::Clz => count::clz(b, x),
        Op::Ctz => count::ctz(b, x),
        Op::Popcount => count::popcount(b, x),
        _ => misdirected(op),
    }
}

/// The result of an operation of shape [`Shape::Binary`].
#[inline]
pub fn binary<B: Bits>(b: &mut B, op: Op, x: FactOf<B>, y: FactOf<B>) -> FactOf<B> {
    match op {
        Op::Add => arith::add(b, x, y),
        Op::Sub => arith::sub(b, x, y),
        Op::Mul => arith::mul(b, x, y),
        Op::Umulh => arith::umulh(b, x, y),
        Op::Smulh => arith::smulh(b, x, y),
        Op::Min => arith::min(b, x, y),
        Op::Max => arith::max(b, x, y),
        Op::Umin => arith::umin(b, x, y),
        Op::Umax => arith::umax(b, x, y),
        Op::Udiv => divide::udiv(b, x, y),
        Op::Urem => divide::urem(b, x, y),
        Op::Sdiv => divide::sdiv(b, x, y),
        Op::Srem => divide::srem(b, x, y),
        Op::FloorDiv => divide::floordiv(b, x, y),
        Op::FloorMod => divide::floormod(b, x, y),
        Op::And => bitwise::and(b, x, y),
        Op::Or => bitwise::or(b, x, y),
        Op::Xor => bitwise::xor(b, x, y),
        Op::Lshift => shift::lshift(b, x, y),
        Op::Rshift => shift::rshift(b, x, y),
        Op::Urshift => shift::urshift(b, x, y),
        Op::Rotl => shift::rotl(b, x, y),
        Op::Rotr => shift::rotr(b, x, y),
        Op::Signext => shift::signext(b, x, y),
        _ => misdirected(op),
    }
}

/// The result of an operation of shape [`Shape::Convert`], of `width` bits.
#[inline]
pub fn convert<B: Bits>(b: &mut B, op: Op, x: FactOf<B>, width: u32) -> FactOf<B> {
    match op {
        Op::Sext => convert::sext(b, x, width),
        Op::Zext => convert::zext(b, x, width),
        Op::Trunc => convert::trunc(b, x, width),
        _ => misdirected(op),
    }
}

/// The condition of an operation of shape [`Shape::Test`].
#[inline]
pub fn test<B: Bits>(b: &mut B, op: Op, x: FactOf<B>) -> Truth<B::Bool> {
    match op {
        Op::IsTrue => compare::is_true(b, x),
        Op::IsZero => compare::is_true(b, x).negated(),
        _ => misdirected(op),
    }
}

/// The condition of an operation of shape [`Shape::Compare`].
#[inline]
pub fn compare<B: Bits>(b: &mut B, op: Op, x: FactOf<B>, y: FactOf<B>) -> Truth<B::Bool> {
    match op {
        Op::Eq => compare::eq(b, x, y),
        Op::Ne => compare::eq(b, x, y).negated(),
        Op::Lt => compare::lt(b, x, y),
        Op::Le => compare::le(b, x, y),
        Op::Gt => compare::lt(b, y, x),
        Op::Ge => compare::le(b, y, x),
        Op::Ult => compare::ult(b, x, y),
        Op::Ule => compare::ule(b, x, y),
        Op::Ugt => compare::ult(b, y, x),
        Op::Uge => compare::ule(b, y, x),
        _ => misdirected(op),
    }
}

/// What an operation of shape [`Shape::Checked`] yields.
#[derive(Clone, Copy, Debug)]
pub struct Checked<B: Bits> {
    /// The result modulo 2^w, overflow or not.
    pub value: FactOf<B>,
    /// The result where it does not overflow: what holds behind a guard against overflow.
    pub exact: FactOf<B>,
    /// Whether it overflows.
    pub overflow: Truth<B::Bool>,
}

/// The results of an operation of shape [`Shape::Checked`].
#[inline]
pub fn checked<B: Bits>(b: &mut B, op: Op, x: FactOf<B>, y: FactOf<B>) -> Checked<B> {
    let (value, (exact, overflow)) = match op {
        Op::AddOvf => (arith::add(b, x, y), arith::add_exact(b, x, y)),
        Op::SubOvf => (arith::sub(b, x, y), arith::sub_exact(b, x, y)),
        Op::MulOvf => (arith::mul(b, x, y), arith::mul_exact(b, x, y)),
        Op::UaddOvf => (arith::add(b, x, y), arith::uadd_exact(b, x, y)),
        Op::UsubOvf => (arith::sub(b, x, y), arith::usub_exact(b, x, y)),
        Op::UmulOvf => (arith::mul(b, x, y), arith::umul_exact(b, x, y)),
        _ => misdirected(op),
    };
    Checked { value, exact, overflow }
}
