//! Quotients and remainders. A zero divisor means nothing, so it is not among the divisors here.
//!
//! A signed divisor is split by its sign: on either side a quotient rises or falls with each operand,
//! so its bounds are at corners. Low bits of a remainder are those of the dividend as far as the
//! divisor is a multiple of a power of two.

use planish_base::fault;
use planish_ops::Bits;

use crate::calc::calc;
use crate::fact::{
    FactOf, bottom, choose, clip, from_bits, interval, is_bottom, join, top, unsigned_max, unsigned_min,
    within,
};
use crate::forward::arith::lowest_bit;

/// Unsigned quotient.
pub fn udiv<B: Bits>(b: &mut B, x: FactOf<B>, y: FactOf<B>) -> FactOf<B> {
    let (low_x, high_x) = (unsigned_min(b, x), unsigned_max(b, x));
    let (low_y, high_y) = nonzero_unsigned(b, y);
    let most = if fault!("udiv: bounds are not crossed") { high_y } else { low_y };
    let (from, to) = (b.udiv(low_x, high_y), b.udiv(high_x, most));
    let any = top(b, b.width(from));
    within(b, any, from, to)
}

/// The unsigned bounds of a divisor, zero left out.
pub(crate) fn nonzero_unsigned<B: Bits>(b: &mut B, y: FactOf<B>) -> (B::Word, B::Word) {
    let (low, high, one) = (unsigned_min(b, y), unsigned_max(b, y), b.one(y.lo));
    (b.umax(low, one), b.umax(high, one))
}

/// Unsigned remainder.
pub fn urem<B: Bits>(b: &mut B, x: FactOf<B>, y: FactOf<B>) -> FactOf<B> {
    let (low_x, high_x) = (unsigned_min(b, x), unsigned_max(b, x));
    let (low_y, high_y) = nonzero_unsigned(b, y);
    let (zero, one) = (b.zero(high_y), b.one(high_y));
    let bits = low_bits(b, x, y);
    let most = calc!(b; umin(high_x, sub(high_y, one)));
    let rest = within(b, bits, zero, most);
    // One divisor, and no multiple of it between the least and the greatest dividend: the remainders
    // are an interval again.
    let fixed = b.eq(low_y, high_y);
    let one_turn = calc!(b; eq(udiv(low_x, low_y), udiv(high_x, low_y)));
    let straight = b.both(fixed, one_turn);
    let (from, to) = (b.urem(low_x, low_y), b.urem(high_x, low_y));
    let turned = within(b, rest, from, to);
    let rest = choose(b, straight, turned, rest);
    let untouched = b.ult(high_x, low_y);
    choose(b, untouched, x, rest)
}

/// The bits of x below the lowest one that y may have: multiples of y do not touch them.
pub(crate) fn low_bits<B: Bits>(b: &mut B, x: FactOf<B>, y: FactOf<B>) -> FactOf<B> {
    let possible = b.not(y.zeros);
    let lowest = lowest_bit(b, possible);
    let one = b.one(lowest);
    let mask = b.sub(lowest, one);
    let (ones, zeros) = (b.and(x.ones, mask), b.and(x.zeros, mask));
    from_bits(b, ones, zeros)
}

/// The negative and the positive members of a divisor; either may be empty.
fn split<B: Bits>(b: &mut B, y: FactOf<B>) -> (FactOf<B>, FactOf<B>) {
    let (one, minus) = (b.one(y.lo), b.ones(y.lo));
    let (min, max) = (b.signed_min(y.lo), b.signed_max(y.lo));
    let negative = within(b, y, min, minus);
    // In one bit there is no positive number, and the interval from 1 would be that from -1.
    let any_positive = b.slt(minus, max);
    let positive = within(b, y, one, max);
    let exists = calc!(b; both(any_positive, slt(minus, one)));
    let none = bottom(b, b.width(one));
    (negative, choose(b, exists, positive, none))
}

/// A division of words.
pub(crate) type Quotient<B> = fn(&mut B, <B as Bits>::Word, <B as Bits>::Word) -> <B as Bits>::Word;

/// The least and the greatest quotient by a positive divisor, which keeps the order of dividends; the nearer to zero it is, the further
/// the quotient is.
pub(crate) fn corners_above<B: Bits>(
    b: &mut B,
    x: FactOf<B>,
    positive: FactOf<B>,
    divide: Quotient<B>,
) -> (B::Word, B::Word) {
    let near = calc!(b; select(is_negative(x.lo), positive.lo, positive.hi));
    let far = calc!(b; select(is_negative(x.hi), positive.hi, positive.lo));
    (divide(b, x.lo, near), divide(b, x.hi, far))
}

/// The least and the greatest quotient by a negative divisor, which turns the order around.
pub(crate) fn corners_below<B: Bits>(
    b: &mut B,
    x: FactOf<B>,
    negative: FactOf<B>,
    divide: Quotient<B>,
) -> (B::Word, B::Word) {
    let far = calc!(b; select(is_negative(x.hi), negative.lo, negative.hi));
    let near = calc!(b; select(is_negative(x.lo), negative.hi, negative.lo));
    (divide(b, x.hi, far), divide(b, x.lo, near))
}

/// The bounds of a rounded quotient, whichever way it rounds as long as that is monotonic.
fn quotient<B: Bits>(b: &mut B, x: FactOf<B>, y: FactOf<B>, divide: Quotient<B>) -> FactOf<B> {
    let (negative, positive) = split(b, y);
    let (from, to) = corners_above(b, x, positive, divide);
    let above = interval(b, from, to);
    let no_positive = is_bottom(b, positive);
    let none = bottom(b, b.width(from));
    let above = choose(b, no_positive, none, above);

    let (from, to) = corners_below(b, x, negative, divide);
    let below = interval(b, from, to);
    // MIN / -1 is MIN again, out of order.
    let (min, minus) = (b.signed_min(from), b.ones(from));
    let wraps = calc!(b; both(eq(x.lo, min), eq(negative.hi, minus)));
    let any = top(b, b.width(from));
    let below = choose(b, wraps, any, below);
    let no_negative = is_bottom(b, negative);
    let below = choose(b, no_negative, none, below);

    join(b, above, below)
}

/// Signed quotient, truncating.
pub fn sdiv<B: Bits>(b: &mut B, x: FactOf<B>, y: FactOf<B>) -> FactOf<B> {
    quotient(b, x, y, B::sdiv)
}

/// Signed quotient, rounding down.
pub fn floordiv<B: Bits>(b: &mut B, x: FactOf<B>, y: FactOf<B>) -> FactOf<B> {
    quotient(b, x, y, floor_quotient)
}

/// A quotient of words, rounded down.
pub(crate) fn floor_quotient<B: Bits>(b: &mut B, x: B::Word, y: B::Word) -> B::Word {
    // Truncation went up when there is a remainder whose sign is not the divisor's.
    let (truncated, rest, one) = (b.sdiv(x, y), b.srem(x, y), b.one(x));
    let up = calc!(b; both(is_nonzero(rest), is_negative(xor(rest, y))));
    calc!(b; select(up, sub(truncated, one), truncated))
}

/// The greatest absolute value less one of the members, as a number from 0 to MAX. Zero for {0}.
pub(crate) fn most_less_one<B: Bits>(b: &mut B, y: FactOf<B>) -> B::Word {
    // -(y + 1) = ~y is |y| - 1 of a negative y.
    let (one, zero) = (b.one(y.lo), b.zero(y.lo));
    let from_lo = calc!(b; select(is_negative(y.lo), not(y.lo), zero));
    let hi_positive = b.slt(zero, y.hi);
    let from_hi = calc!(b; select(hi_positive, sub(y.hi, one), zero));
    b.smax(from_lo, from_hi)
}

/// Signed remainder with the sign of the dividend.
pub fn srem<B: Bits>(b: &mut B, x: FactOf<B>, y: FactOf<B>) -> FactOf<B> {
    let zero = b.zero(x.lo);
    let most = most_less_one(b, y);
    let least = b.neg(most);
    let bits = low_bits(b, x, y);
    let bits = clip(b, bits, least, most);
    let from = if fault!("srem: never negative") { zero } else { b.smin(x.lo, zero) };
    let to = b.smax(x.hi, zero);
    let rest = within(b, bits, from, to);
    // Dividends smaller than every divisor are their own remainders.
    let (negative, positive) = split(b, y);
    let below_positive = {
        let none = is_bottom(b, positive);
        let (one, floor) = (b.one(zero), b.neg(positive.lo));
        let floor = b.add(floor, one);
        let inside = calc!(b; both(sle(floor, x.lo), slt(x.hi, positive.lo)));
        b.either(none, inside)
    };
    let below_negative = {
        let none = is_bottom(b, negative);
        // -|y| = y < x and x < |y|, that is, ~x ≥ y.
        let inside = calc!(b; both(slt(negative.hi, x.lo), sle(negative.hi, not(x.hi))));
        b.either(none, inside)
    };
    let untouched = b.both(below_positive, below_negative);
    choose(b, untouched, x, rest)
}

/// Signed remainder with the sign of the divisor.
pub fn floormod<B: Bits>(b: &mut B, x: FactOf<B>, y: FactOf<B>) -> FactOf<B> {
    let (zero, one) = (b.zero(x.lo), b.one(x.lo));
    // From y + 1 to 0 for negative divisors, from 0 to y - 1 for positive ones.
    let from = calc!(b; select(is_negative(y.lo), add(y.lo, one), zero));
    let hi_positive = b.slt(zero, y.hi);
    let to = calc!(b; select(hi_positive, sub(y.hi, one), zero));
    let bits = low_bits(b, x, y);
    let rest = within(b, bits, from, to);
    // Dividends between zero and every divisor are their own remainders.
    let from_zero = calc!(b; both(sle(zero, x.lo), slt(x.hi, y.lo)));
    let to_zero = calc!(b; both(sle(x.hi, zero), slt(y.hi, x.lo)));
    let untouched = b.either(from_zero, to_zero);
    choose(b, untouched, x, rest)
}
