//! What a quotient or a remainder tells about the dividend, and a remainder about the divisor.

use planish_ops::Bits;

use crate::calc::calc;
use crate::fact::{FactOf, choose, is_constant, meet, unsigned_max, unsigned_min, within};
use crate::forward::divide::low_bits;

/// r = x / y, unsigned: r * y ≤ x < r * y + y.
pub fn udiv<B: Bits>(b: &mut B, r: FactOf<B>, x: FactOf<B>, y: FactOf<B>) -> (FactOf<B>, FactOf<B>) {
    let (low_r, high_r) = (unsigned_min(b, r), unsigned_max(b, r));
    let (low_y, high_y) = (unsigned_min(b, y), unsigned_max(b, y));
    let (ones, zero, one) = (b.ones(low_r), b.zero(low_r), b.one(low_r));
    let (from, from_carry) = (b.mul(low_r, low_y), b.umulh(low_r, low_y));
    let (product, carry) = (b.mul(high_r, high_y), b.umulh(high_r, high_y));
    let to = calc!(b; add(product, sub(high_y, one)));
    let to_fits = calc!(b; both(eq(carry, zero), ule(product, to)));
    // A least dividend beyond the range contradicts; nothing is claimed of that here.
    let from_fits = b.eq(from_carry, zero);
    let (from, to) = (b.select(from_fits, from, zero), b.select(to_fits, to, ones));
    (within(b, x, from, to), y)
}

/// r = x mod y, unsigned: r ≤ x and r < y, and x and r agree in the low bits that multiples of y leave.
pub fn urem<B: Bits>(b: &mut B, r: FactOf<B>, x: FactOf<B>, y: FactOf<B>) -> (FactOf<B>, FactOf<B>) {
    let (least, most, one) = (unsigned_min(b, r), b.ones(r.lo), b.one(r.lo));
    let low = low_bits(b, r, y);
    let x = meet(b, x, low);
    let x = within(b, x, least, most);
    let full = b.eq(least, most);
    let above = calc!(b; select(full, most, add(least, one)));
    (x, within(b, y, above, most))
}

/// r = x mod y, signed of either kind: x and r agree in the low bits that multiples of y leave.
pub fn rem<B: Bits>(b: &mut B, r: FactOf<B>, x: FactOf<B>, y: FactOf<B>) -> (FactOf<B>, FactOf<B>) {
    let low = low_bits(b, r, y);
    (meet(b, x, low), y)
}

/// A signed product, clamped to the range.
fn clamped_mul<B: Bits>(b: &mut B, p: B::Word, q: B::Word) -> B::Word {
    let (low, high) = (b.mul(p, q), b.smulh(p, q));
    let (min, max, zero, ones) = (b.signed_min(low), b.signed_max(low), b.zero(low), b.ones(low));
    let low_negative = b.is_negative(low);
    let fits = calc!(b; eq(high, select(low_negative, ones, zero)));
    calc!(b; select(fits, low, select(is_negative(high), min, max)))
}

/// r = x / y, signed, rounding down, by a positive constant: r * y ≤ x ≤ r * y + (y - 1).
pub fn floordiv<B: Bits>(b: &mut B, r: FactOf<B>, x: FactOf<B>, y: FactOf<B>) -> (FactOf<B>, FactOf<B>) {
    let (from, to) = floordiv_dividends(b, r, y);
    (by_positive_constant(b, x, y, from, to), y)
}

/// The least and the greatest dividend of a quotient that is rounded down, by a positive constant.
pub(crate) fn floordiv_dividends<B: Bits>(b: &mut B, r: FactOf<B>, y: FactOf<B>) -> (B::Word, B::Word) {
    let (from, last) = (clamped_mul(b, r.lo, y.lo), clamped_mul(b, r.hi, y.lo));
    (from, raised(b, last, y.lo))
}

/// r = x / y, signed, truncating, by a positive constant: the multiples of y towards zero, and what
/// truncation cut off away from zero.
pub fn sdiv<B: Bits>(b: &mut B, r: FactOf<B>, x: FactOf<B>, y: FactOf<B>) -> (FactOf<B>, FactOf<B>) {
    let (from, to) = sdiv_dividends(b, r, y);
    (by_positive_constant(b, x, y, from, to), y)
}

/// The least and the greatest dividend of a truncated quotient by a positive constant.
pub(crate) fn sdiv_dividends<B: Bits>(b: &mut B, r: FactOf<B>, y: FactOf<B>) -> (B::Word, B::Word) {
    let (first, last) = (clamped_mul(b, r.lo, y.lo), clamped_mul(b, r.hi, y.lo));
    let zero = b.zero(first);
    let (raised, lowered) = (raised(b, last, y.lo), lowered(b, first, y.lo));
    let from = calc!(b; select(slt(zero, r.lo), first, lowered));
    (from, calc!(b; select(is_negative(r.hi), last, raised)))
}

/// a + (y - 1), clamped, for positive y.
fn raised<B: Bits>(b: &mut B, a: B::Word, y: B::Word) -> B::Word {
    let (one, max) = (b.one(a), b.signed_max(a));
    let sum = calc!(b; add(a, sub(y, one)));
    calc!(b; select(slt(sum, a), max, sum))
}

/// a - (y - 1), clamped, for positive y.
fn lowered<B: Bits>(b: &mut B, a: B::Word, y: B::Word) -> B::Word {
    let (one, min) = (b.one(a), b.signed_min(a));
    let difference = calc!(b; sub(a, sub(y, one)));
    calc!(b; select(slt(a, difference), min, difference))
}

/// x from `from` to `to` if y is a positive constant.
fn by_positive_constant<B: Bits>(
    b: &mut B,
    x: FactOf<B>,
    y: FactOf<B>,
    from: B::Word,
    to: B::Word,
) -> FactOf<B> {
    let (fixed, zero) = (is_constant(b, y), b.zero(y.lo));
    let positive = calc!(b; both(fixed, slt(zero, y.lo)));
    let cut = within(b, x, from, to);
    choose(b, positive, cut, x)
}
