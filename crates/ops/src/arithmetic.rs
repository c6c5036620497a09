//! Arithmetic that the meanings of several operations share, over any [`Floats`].
//!
//! Each is written once over the primitive words and floats of the instance, so the machine, the constant
//! folder and the solver see the same formula.

use crate::bits::Floats;
use crate::meaning::{Datum, Meaning};
use crate::types::{FloatFormat, Type};

/// The width of the first result.
pub(crate) fn int_width(to: &[Type]) -> u32 {
    to[0].int_width().expect("the instruction names an integer type")
}

/// The format of the first result.
pub(crate) fn float_format(to: &[Type]) -> FloatFormat {
    to[0].float_format().expect("the instruction names a float type")
}

/// Quotient rounded down and the remainder with the sign of the divisor.
pub(crate) fn floor_div<B: Floats>(b: &mut B, x: B::Word, y: B::Word) -> (B::Word, B::Word) {
    let (quotient, remainder) = (b.sdiv(x, y), b.srem(x, y));
    // Truncation went up when there is a remainder whose sign is not the divisor's.
    let signs = b.xor(remainder, y);
    let (differ, inexact) = (b.is_negative(signs), b.is_nonzero(remainder));
    let up = b.both(differ, inexact);
    let (one, adjusted) = (b.one(quotient), b.add(remainder, y));
    let less = b.sub(quotient, one);
    (b.select(up, less, quotient), b.select(up, adjusted, remainder))
}

/// x rotated left by y mod w.
pub(crate) fn rotate_left<B: Floats>(b: &mut B, x: B::Word, y: B::Word) -> B::Word {
    let amount = b.mask_amount(y);
    rotate(b, x, amount)
}

/// x rotated right by y mod w: left by w - (y mod w).
pub(crate) fn rotate_right<B: Floats>(b: &mut B, x: B::Word, y: B::Word) -> B::Word {
    let amount = b.mask_amount(y);
    let width = width_word(b, x);
    let left = b.sub(width, amount);
    // In i1 the width is 1 and the amount 0: left is 1, which shifts out what the other shift keeps.
    rotate(b, x, left)
}

/// x rotated left by an amount from 0 to w: a shift by w gives zero, so 0 and w both give x.
fn rotate<B: Floats>(b: &mut B, x: B::Word, amount: B::Word) -> B::Word {
    let width = width_word(b, x);
    let back = b.sub(width, amount);
    let (high, low) = (b.shl(x, amount), b.lshr(x, back));
    b.or(high, low)
}

/// The width as a word of itself. It fits, for 2^w > w.
fn width_word<B: Floats>(b: &mut B, x: B::Word) -> B::Word {
    let width = b.width(x);
    b.word(width, u64::from(width))
}

/// The low n bits of x sign-extended; x where n is 0 or more than w.
pub(crate) fn sign_extend_low<B: Floats>(b: &mut B, x: B::Word, n: B::Word) -> B::Word {
    let width = width_word(b, x);
    let up = b.sub(width, n);
    let high = b.shl(x, up);
    let extended = b.ashr(high, up);
    let (zero, all) = (b.zero(n), b.ult(width, n));
    let none = b.eq(n, zero);
    let whole = b.either(none, all);
    b.select(whole, x, extended)
}

/// -1, 0, 1 by order, or `nan`.
pub(crate) fn three_way<B: Floats>(b: &mut B, x: B::Float, y: B::Float, nan: B::Word) -> B::Word {
    let (less, equal, greater) = (b.f_lt(x, y), b.f_eq(x, y), b.f_lt(y, x));
    let (minus, zero, one) = (b.ones(nan), b.zero(nan), b.one(nan));
    let above = b.select(greater, one, nan);
    let level = b.select(equal, zero, above);
    b.select(less, minus, level)
}

/// Whether x truncated fits a signed integer of `width` bits: -2^(w-1) - 1 < x < 2^(w-1).
pub(crate) fn truncation_fits<B: Floats>(b: &mut B, x: B::Float, width: u32) -> B::Bool {
    let format = b.format(x);
    // Powers of two are exact in both formats. Where MIN - 1 is not, MIN itself is the bound.
    let edge = -(2f64.powi(width as i32 - 1));
    let exact = match format {
        FloatFormat::F32 => width <= 24,
        FloatFormat::F64 => width <= 53,
    };
    let encode = |value: f64| match format {
        FloatFormat::F32 => u64::from((value as f32).to_bits()),
        FloatFormat::F64 => value.to_bits(),
    };
    let upper = b.float(format, encode(-edge));
    let lower = b.float(format, encode(if exact { edge - 1.0 } else { edge }));
    let below = b.f_lt(x, upper);
    let above = if exact { b.f_lt(lower, x) } else { b.f_le(lower, x) };
    b.both(below, above)
}

/// One of two data of the same kind.
pub(crate) fn choose<B: Floats>(b: &mut B, condition: B::Bool, x: Datum<B>, y: Datum<B>) -> Meaning<B> {
    match (x, y) {
        (Datum::Word(x), Datum::Word(y)) => Meaning::word(b.select(condition, x, y)),
        (Datum::Float(x), Datum::Float(y)) => Meaning::float(b.f_select(condition, x, y)),
        _ => panic!("select between a word and a float"),
    }
}
