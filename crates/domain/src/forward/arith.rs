//! Sums, differences, products, negation, absolute value, minimum and maximum.
//!
//! Sums modulo 2^w of intervals are circular intervals as long as the spans do not add up to 2^w, so
//! an interval that overflows as a whole keeps its bounds. Known bits of sums and differences are those
//! of Vishwanathan et al., "Sound, Precise, and Fast Abstract Interpretation with Tristate Numbers"
//! (CGO 2022): the best there are. Products know their low bits only, which costs two multiplications
//! of powers of two instead of a loop.

use planish_base::fault;
use planish_ops::Bits;

use crate::calc::calc;
use crate::fact::{
    FactOf, bottom, choose, clip, constant, from_bits, interval, is_bottom, join, top, unsigned_max,
    unsigned_min, within, within_if,
};
use crate::truth::Truth;

/// x + y mod 2^w
pub fn add<B: Bits>(b: &mut B, x: FactOf<B>, y: FactOf<B>) -> FactOf<B> {
    let bits = add_bits(b, x, y);
    let (from, to) = (b.add(x.lo, y.lo), b.add(x.hi, y.hi));
    let short = if fault!("add: overflow keeps the bounds") { b.truth(true) } else { spans_fit(b, x, y) };
    within_if(b, short, bits, from, to)
}

/// x - y mod 2^w
pub fn sub<B: Bits>(b: &mut B, x: FactOf<B>, y: FactOf<B>) -> FactOf<B> {
    let bits = sub_bits(b, x, y);
    let least = if fault!("sub: bounds are not crossed") { y.lo } else { y.hi };
    let (from, to) = (b.sub(x.lo, least), b.sub(x.hi, y.lo));
    let short = spans_fit(b, x, y);
    within_if(b, short, bits, from, to)
}

/// Whether the spans of two intervals add up to less than 2^w.
pub(crate) fn spans_fit<B: Bits>(b: &mut B, x: FactOf<B>, y: FactOf<B>) -> B::Bool {
    let (span_x, span_y) = (b.sub(x.hi, x.lo), b.sub(y.hi, y.lo));
    calc!(b; ule(span_x, add(span_x, span_y)))
}

/// The known bits of a sum: a bit is known where both operands know it and the least and the greatest
/// sum carry the same into it.
fn add_bits<B: Bits>(b: &mut B, x: FactOf<B>, y: FactOf<B>) -> FactOf<B> {
    let least = b.add(x.ones, y.ones);
    let greatest = calc!(b; add(not(x.zeros), not(y.zeros)));
    let (unknown_x, unknown_y) = (unknown(b, x), unknown(b, y));
    let carries = if fault!("add: carries are forgotten") { b.zero(least) } else { b.xor(least, greatest) };
    let unknown = calc!(b; or(carries, or(unknown_x, unknown_y)));
    known_bits(b, least, unknown)
}

/// The known bits of a difference, likewise.
fn sub_bits<B: Bits>(b: &mut B, x: FactOf<B>, y: FactOf<B>) -> FactOf<B> {
    let least = calc!(b; sub(x.ones, not(y.zeros)));
    let greatest = calc!(b; sub(not(x.zeros), y.ones));
    let (unknown_x, unknown_y) = (unknown(b, x), unknown(b, y));
    let carries = b.xor(least, greatest);
    let unknown = calc!(b; or(carries, or(unknown_x, unknown_y)));
    known_bits(b, least, unknown)
}

/// The fact of the bits of `value` outside `unknown`.
fn known_bits<B: Bits>(b: &mut B, value: B::Word, unknown: B::Word) -> FactOf<B> {
    let ones = calc!(b; and(value, not(unknown)));
    let zeros = calc!(b; not(or(value, unknown)));
    from_bits(b, ones, zeros)
}

/// The bits that are not known.
pub(crate) fn unknown<B: Bits>(b: &mut B, f: FactOf<B>) -> B::Word {
    calc!(b; not(or(f.ones, f.zeros)))
}

/// -x mod 2^w
pub fn neg<B: Bits>(b: &mut B, x: FactOf<B>) -> FactOf<B> {
    let zero = b.zero(x.lo);
    let zero = constant(b, zero);
    sub(b, zero, x)
}

/// |x|, the least number being its own absolute value.
pub fn abs<B: Bits>(b: &mut B, x: FactOf<B>) -> FactOf<B> {
    let (zero, minus, min, max) = (b.zero(x.lo), b.ones(x.lo), b.signed_min(x.lo), b.signed_max(x.lo));
    let upper = within(b, x, zero, max);
    let lower = within(b, x, min, minus);
    let negated = neg(b, lower);
    // The negation of no number is no number.
    let none = is_bottom(b, lower);
    let negated = choose(b, none, lower, negated);
    join(b, upper, negated)
}

/// The smaller, signed: x where it is at most the greatest y, joined with y likewise.
pub fn min<B: Bits>(b: &mut B, x: FactOf<B>, y: FactOf<B>) -> FactOf<B> {
    let least = b.signed_min(x.lo);
    let (left, right) = (within(b, x, least, y.hi), within(b, y, least, x.hi));
    join(b, left, right)
}

/// The larger, signed.
pub fn max<B: Bits>(b: &mut B, x: FactOf<B>, y: FactOf<B>) -> FactOf<B> {
    let greatest = b.signed_max(x.lo);
    let (left, right) = (within(b, x, y.lo, greatest), within(b, y, x.lo, greatest));
    join(b, left, right)
}

/// The smaller, unsigned.
pub fn umin<B: Bits>(b: &mut B, x: FactOf<B>, y: FactOf<B>) -> FactOf<B> {
    let zero = b.zero(x.lo);
    let (top_x, top_y) = (unsigned_max(b, x), unsigned_max(b, y));
    let (left, right) = (within(b, x, zero, top_y), within(b, y, zero, top_x));
    join(b, left, right)
}

/// The larger, unsigned.
pub fn umax<B: Bits>(b: &mut B, x: FactOf<B>, y: FactOf<B>) -> FactOf<B> {
    let ones = b.ones(x.lo);
    let (low_x, low_y) = (unsigned_min(b, x), unsigned_min(b, y));
    let (left, right) = (within(b, x, low_y, ones), within(b, y, low_x, ones));
    join(b, left, right)
}

/// Zero where negative, else x.
pub fn force_ge_zero<B: Bits>(b: &mut B, x: FactOf<B>) -> FactOf<B> {
    let zero = b.zero(x.lo);
    let zero = constant(b, zero);
    max(b, x, zero)
}

/// The least and the greatest product of two intervals, clamped to the signed range, and what is known
/// of its overflow.
pub(crate) struct Products<B: Bits> {
    pub(crate) lo: B::Word,
    pub(crate) hi: B::Word,
    pub(crate) overflow: Truth<B::Bool>,
}

pub(crate) fn products<B: Bits>(b: &mut B, x: FactOf<B>, y: FactOf<B>) -> Products<B> {
    let (min, max) = (b.signed_min(x.lo), b.signed_max(x.lo));
    let (mut lo, mut hi) = (max, min);
    let (mut never, mut below, mut above) = (b.truth(true), b.truth(true), b.truth(true));
    for (p, q) in [(x.lo, y.lo), (x.lo, y.hi), (x.hi, y.lo), (x.hi, y.hi)] {
        let (low, high) = (b.mul(p, q), b.smulh(p, q));
        let low_negative = b.is_negative(low);
        let (zero, ones) = (b.zero(low), b.ones(low));
        let fits = calc!(b; eq(high, select(low_negative, ones, zero)));
        let negative = b.is_negative(high);
        let clamped = calc!(b; select(fits, low, select(negative, min, max)));
        lo = b.smin(lo, clamped);
        hi = b.smax(hi, clamped);
        never = b.both(never, fits);
        // The product lies below, or above, the signed range.
        below = calc!(b; both(below, both(negate(fits), negative)));
        above = calc!(b; both(above, both(negate(fits), negate(negative))));
    }
    let always = b.either(below, above);
    Products { lo, hi, overflow: Truth { always, never } }
}

/// x * y mod 2^w
pub fn mul<B: Bits>(b: &mut B, x: FactOf<B>, y: FactOf<B>) -> FactOf<B> {
    let bits = mul_bits(b, x, y);
    let signed = products(b, x, y);
    let (low, high) = unsigned_products(b, x, y);
    let zero = b.zero(low);
    let small = b.eq(high, zero);
    let (least_x, least_y) = (unsigned_min(b, x), unsigned_min(b, y));
    let least = b.mul(least_x, least_y);
    let (all, none) = (b.ones(low), b.zero(low));
    let (from, to) = (b.select(small, least, none), b.select(small, low, all));
    let bits = clip(b, bits, from, to);
    within_if(b, signed.overflow.never, bits, signed.lo, signed.hi)
}

/// The low and high word of the greatest unsigned product.
pub(crate) fn unsigned_products<B: Bits>(b: &mut B, x: FactOf<B>, y: FactOf<B>) -> (B::Word, B::Word) {
    let (x, y) = (unsigned_max(b, x), unsigned_max(b, y));
    (b.mul(x, y), b.umulh(x, y))
}

/// The low bits of a product: the product of the known ones is right below the lowest bit that an
/// unknown bit of one operand times a possible bit of the other can reach.
pub(crate) fn mul_bits<B: Bits>(b: &mut B, x: FactOf<B>, y: FactOf<B>) -> FactOf<B> {
    let (unknown_x, unknown_y) = (unknown(b, x), unknown(b, y));
    let possible_x = b.not(x.zeros);
    let possible_y = b.not(y.zeros);
    let (lowest_x, lowest_y) = (lowest_bit(b, unknown_x), lowest_bit(b, unknown_y));
    let (base_x, base_y) = (lowest_bit(b, possible_x), lowest_bit(b, possible_y));
    let reach = calc!(b; or(mul(lowest_x, base_y), mul(lowest_y, base_x)));
    let lowest = lowest_bit(b, reach);
    let one = b.one(lowest);
    // Nothing reached: 0 - 1 says that every bit is known.
    let known = b.sub(lowest, one);
    let product = b.mul(x.ones, y.ones);
    let unknown = b.not(known);
    known_bits(b, product, unknown)
}

/// The lowest one bit, alone.
pub(crate) fn lowest_bit<B: Bits>(b: &mut B, x: B::Word) -> B::Word {
    calc!(b; and(x, neg(x)))
}

/// High word of the unsigned product.
pub fn umulh<B: Bits>(b: &mut B, x: FactOf<B>, y: FactOf<B>) -> FactOf<B> {
    let (_, to) = unsigned_products(b, x, y);
    let (low_x, low_y) = (unsigned_min(b, x), unsigned_min(b, y));
    let from = b.umulh(low_x, low_y);
    let width = b.width(from);
    let any = top(b, width);
    within(b, any, from, to)
}

/// High word of the signed product: rounding down keeps the order of the four corner products.
pub fn smulh<B: Bits>(b: &mut B, x: FactOf<B>, y: FactOf<B>) -> FactOf<B> {
    let first = b.smulh(x.lo, y.lo);
    let (mut lo, mut hi) = (first, first);
    for (p, q) in [(x.lo, y.hi), (x.hi, y.lo), (x.hi, y.hi)] {
        let high = b.smulh(p, q);
        lo = b.smin(lo, high);
        hi = b.smax(hi, high);
    }
    interval(b, lo, hi)
}

/// Whether a signed sum overflows.
fn add_overflows<B: Bits>(b: &mut B, x: B::Word, y: B::Word) -> (B::Word, B::Bool) {
    let sum = b.add(x, y);
    (sum, calc!(b; is_negative(and(xor(x, sum), xor(y, sum)))))
}

/// Whether a signed difference overflows.
fn sub_overflows<B: Bits>(b: &mut B, x: B::Word, y: B::Word) -> (B::Word, B::Bool) {
    let difference = b.sub(x, y);
    (difference, calc!(b; is_negative(and(xor(x, y), xor(x, difference)))))
}

/// A bound of a sum or difference, clamped to the signed range; it overflows to the side on which the
/// first operand lies.
fn clamped<B: Bits>(b: &mut B, first: B::Word, (value, overflow): (B::Word, B::Bool)) -> B::Word {
    let (min, max) = (b.signed_min(value), b.signed_max(value));
    calc!(b; select(overflow, select(is_negative(first), min, max), value))
}

/// The bounds of an exact sum or difference: the two ends, and the first operand of each.
fn exact<B: Bits>(
    b: &mut B,
    bits: FactOf<B>,
    (first_lo, low): (B::Word, (B::Word, B::Bool)),
    (first_hi, high): (B::Word, (B::Word, B::Bool)),
) -> (FactOf<B>, Truth<B::Bool>) {
    let (low_overflows, high_overflows) = (low.1, high.1);
    let never = if fault!("overflow: only the least sum is looked at") {
        b.negate(low_overflows)
    } else {
        calc!(b; negate(either(low_overflows, high_overflows)))
    };
    // Even the least is above the range, or even the greatest below it.
    let above = calc!(b; both(low_overflows, negate(is_negative(first_lo))));
    let below = calc!(b; both(high_overflows, is_negative(first_hi)));
    let always = b.either(above, below);
    let (from, to) = (clamped(b, first_lo, low), clamped(b, first_hi, high));
    let fact = within(b, bits, from, to);
    let width = b.width(from);
    let none = bottom(b, width);
    (choose(b, always, none, fact), Truth { always, never })
}

/// x + y where that does not overflow, signed, and what is known of the overflow.
pub fn add_exact<B: Bits>(b: &mut B, x: FactOf<B>, y: FactOf<B>) -> (FactOf<B>, Truth<B::Bool>) {
    let bits = add_bits(b, x, y);
    let (low, high) = (add_overflows(b, x.lo, y.lo), add_overflows(b, x.hi, y.hi));
    exact(b, bits, (x.lo, low), (x.hi, high))
}

/// x - y where that does not overflow, signed, and what is known of the overflow.
pub fn sub_exact<B: Bits>(b: &mut B, x: FactOf<B>, y: FactOf<B>) -> (FactOf<B>, Truth<B::Bool>) {
    let bits = sub_bits(b, x, y);
    let (low, high) = (sub_overflows(b, x.lo, y.hi), sub_overflows(b, x.hi, y.lo));
    exact(b, bits, (x.lo, low), (x.hi, high))
}

/// x * y where that does not overflow, signed, and what is known of the overflow.
pub fn mul_exact<B: Bits>(b: &mut B, x: FactOf<B>, y: FactOf<B>) -> (FactOf<B>, Truth<B::Bool>) {
    let bits = mul_bits(b, x, y);
    let signed = products(b, x, y);
    let fact = within(b, bits, signed.lo, signed.hi);
    let width = b.width(signed.lo);
    let none = bottom(b, width);
    (choose(b, signed.overflow.always, none, fact), signed.overflow)
}

/// x + y where that does not overflow, unsigned, and what is known of the overflow.
pub fn uadd_exact<B: Bits>(b: &mut B, x: FactOf<B>, y: FactOf<B>) -> (FactOf<B>, Truth<B::Bool>) {
    let (low_x, low_y) = (unsigned_min(b, x), unsigned_min(b, y));
    let (high_x, high_y) = (unsigned_max(b, x), unsigned_max(b, y));
    let (low, high) = (b.add(low_x, low_y), b.add(high_x, high_y));
    let (always, never) = (b.ult(low, low_x), b.ule(high_x, high));
    let ones = b.ones(low);
    let to = b.select(never, high, ones);
    let bits = add_bits(b, x, y);
    let fact = within(b, bits, low, to);
    let width = b.width(low);
    let none = bottom(b, width);
    (choose(b, always, none, fact), Truth { always, never })
}

/// x - y where that is not negative, unsigned, and what is known of the overflow.
pub fn usub_exact<B: Bits>(b: &mut B, x: FactOf<B>, y: FactOf<B>) -> (FactOf<B>, Truth<B::Bool>) {
    let (low_x, low_y) = (unsigned_min(b, x), unsigned_min(b, y));
    let (high_x, high_y) = (unsigned_max(b, x), unsigned_max(b, y));
    let (always, never) = (b.ult(high_x, low_y), b.ule(high_y, low_x));
    let (low, high, zero) = (b.sub(low_x, high_y), b.sub(high_x, low_y), b.zero(low_x));
    let from = b.select(never, low, zero);
    let bits = sub_bits(b, x, y);
    let fact = within(b, bits, from, high);
    let width = b.width(low);
    let none = bottom(b, width);
    (choose(b, always, none, fact), Truth { always, never })
}

/// x * y where that does not overflow, unsigned, and what is known of the overflow.
pub fn umul_exact<B: Bits>(b: &mut B, x: FactOf<B>, y: FactOf<B>) -> (FactOf<B>, Truth<B::Bool>) {
    let (low_x, low_y) = (unsigned_min(b, x), unsigned_min(b, y));
    let (low, low_carry) = (b.mul(low_x, low_y), b.umulh(low_x, low_y));
    let (high, high_carry) = unsigned_products(b, x, y);
    let always = b.is_nonzero(low_carry);
    let never = calc!(b; negate(is_nonzero(high_carry)));
    let ones = b.ones(low);
    let to = b.select(never, high, ones);
    let bits = mul_bits(b, x, y);
    let fact = within(b, bits, low, to);
    let width = b.width(low);
    let none = bottom(b, width);
    (choose(b, always, none, fact), Truth { always, never })
}
