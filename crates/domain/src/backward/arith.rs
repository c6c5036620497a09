//! What a sum, difference, product, minimum or maximum tells about its operands.

use planish_base::fault;
use planish_ops::Bits;

use crate::calc::calc;
use crate::fact::{
    Fact, FactOf, choose, constant, is_bottom, join, meet, reduce, unsigned_max, unsigned_min, within,
};
use crate::forward::{arith, divide};
use crate::truth::Truth;

/// r = x + y
pub fn add<B: Bits>(b: &mut B, r: FactOf<B>, x: FactOf<B>, y: FactOf<B>) -> (FactOf<B>, FactOf<B>) {
    let from_l = arith::sub(b, r, x);
    let from_r =
        if fault!("add backward: the sum of the sum") { arith::add(b, r, y) } else { arith::sub(b, r, y) };
    (meet(b, x, from_r), meet(b, y, from_l))
}

/// r = x - y
pub fn sub<B: Bits>(b: &mut B, r: FactOf<B>, x: FactOf<B>, y: FactOf<B>) -> (FactOf<B>, FactOf<B>) {
    let (minuend, subtrahend) = (arith::add(b, r, y), arith::sub(b, x, r));
    (meet(b, x, minuend), meet(b, y, subtrahend))
}

/// r = -x
pub fn neg<B: Bits>(b: &mut B, r: FactOf<B>, x: FactOf<B>) -> FactOf<B> {
    let negated = arith::neg(b, r);
    meet(b, x, negated)
}

/// r = |x|: x is r or -r.
pub fn abs<B: Bits>(b: &mut B, r: FactOf<B>, x: FactOf<B>) -> FactOf<B> {
    let negated = arith::neg(b, r);
    let (same, opposite) = (meet(b, x, r), meet(b, x, negated));
    join(b, same, opposite)
}

/// r = x * y
///
/// Where no product of members overflows and y is not zero, x = r / y. An odd product has odd factors.
pub fn mul<B: Bits>(b: &mut B, r: FactOf<B>, x: FactOf<B>, y: FactOf<B>) -> (FactOf<B>, FactOf<B>) {
    let exact = arith::mul_exact(b, x, y).1.never;
    let (quotient_x, quotient_y) = mul_exact(b, r, x, y);
    let (x, y) = (choose(b, exact, quotient_x, x), choose(b, exact, quotient_y, y));
    (odd_if(b, r, x), odd_if(b, r, y))
}

/// x with its lowest bit set if that of r is.
fn odd_if<B: Bits>(b: &mut B, r: FactOf<B>, x: FactOf<B>) -> FactOf<B> {
    let one = b.one(x.lo);
    let ones = calc!(b; or(x.ones, and(one, r.ones)));
    reduce(b, FactOf::<B> { ones, ..x })
}

/// r = x * y without overflow, signed
pub fn mul_exact<B: Bits>(b: &mut B, r: FactOf<B>, x: FactOf<B>, y: FactOf<B>) -> (FactOf<B>, FactOf<B>) {
    (factor(b, true, r, x, y), factor(b, true, r, y, x))
}

/// The factor x of r = x * y, which does not overflow: where y is not zero, it is r / y.
fn factor<B: Bits>(b: &mut B, is_signed: bool, r: FactOf<B>, x: FactOf<B>, y: FactOf<B>) -> FactOf<B> {
    let nonzero =
        if fault!("mul backward: zero divides") { b.truth(true) } else { Truth::of_word(b, y).always };
    let quotient = b.quotient_fact(is_signed, [r.words(), y.words()], |b| {
        if is_signed { divide::sdiv(b, r, y).words() } else { divide::udiv(b, r, y).words() }
    });
    let met = meet(b, x, Fact::of_words(quotient));
    choose(b, nonzero, met, x)
}

/// r = x + y without overflow, signed
pub fn add_exact<B: Bits>(b: &mut B, r: FactOf<B>, x: FactOf<B>, y: FactOf<B>) -> (FactOf<B>, FactOf<B>) {
    let (from_r, from_l) = (arith::sub_exact(b, r, y).0, arith::sub_exact(b, r, x).0);
    (meet(b, x, from_r), meet(b, y, from_l))
}

/// r = x - y without overflow, signed
pub fn sub_exact<B: Bits>(b: &mut B, r: FactOf<B>, x: FactOf<B>, y: FactOf<B>) -> (FactOf<B>, FactOf<B>) {
    let (minuend, subtrahend) = (arith::add_exact(b, r, y).0, arith::sub_exact(b, x, r).0);
    (meet(b, x, minuend), meet(b, y, subtrahend))
}

/// r = x + y without overflow, unsigned
pub fn uadd_exact<B: Bits>(b: &mut B, r: FactOf<B>, x: FactOf<B>, y: FactOf<B>) -> (FactOf<B>, FactOf<B>) {
    let (from_r, from_l) = (arith::usub_exact(b, r, y).0, arith::usub_exact(b, r, x).0);
    (meet(b, x, from_r), meet(b, y, from_l))
}

/// r = x - y without overflow, unsigned
pub fn usub_exact<B: Bits>(b: &mut B, r: FactOf<B>, x: FactOf<B>, y: FactOf<B>) -> (FactOf<B>, FactOf<B>) {
    let (minuend, subtrahend) = (arith::uadd_exact(b, r, y).0, arith::usub_exact(b, x, r).0);
    (meet(b, x, minuend), meet(b, y, subtrahend))
}

/// r = x * y without overflow, unsigned
pub fn umul_exact<B: Bits>(b: &mut B, r: FactOf<B>, x: FactOf<B>, y: FactOf<B>) -> (FactOf<B>, FactOf<B>) {
    (factor(b, false, r, x, y), factor(b, false, r, y, x))
}

/// r is x or y, each of which has been cut to what the choice allows: where r cannot be the one, it is
/// the other.
fn one_of<B: Bits>(b: &mut B, r: FactOf<B>, x: FactOf<B>, y: FactOf<B>) -> (FactOf<B>, FactOf<B>) {
    let (as_x, as_y) = (meet(b, x, r), meet(b, y, r));
    let (not_x, not_y) = (is_bottom(b, as_x), is_bottom(b, as_y));
    (choose(b, not_y, as_x, x), choose(b, not_x, as_y, y))
}

/// r = min(x, y), signed: neither is less than r.
pub fn min<B: Bits>(b: &mut B, r: FactOf<B>, x: FactOf<B>, y: FactOf<B>) -> (FactOf<B>, FactOf<B>) {
    let greatest = b.signed_max(r.lo);
    let (x, y) = (within(b, x, r.lo, greatest), within(b, y, r.lo, greatest));
    one_of(b, r, x, y)
}

/// r = max(x, y), signed: neither is greater than r.
pub fn max<B: Bits>(b: &mut B, r: FactOf<B>, x: FactOf<B>, y: FactOf<B>) -> (FactOf<B>, FactOf<B>) {
    let least = b.signed_min(r.lo);
    let (x, y) = (within(b, x, least, r.hi), within(b, y, least, r.hi));
    one_of(b, r, x, y)
}

/// r = min(x, y), unsigned
pub fn umin<B: Bits>(b: &mut B, r: FactOf<B>, x: FactOf<B>, y: FactOf<B>) -> (FactOf<B>, FactOf<B>) {
    let (least, greatest) = (unsigned_min(b, r), b.ones(r.lo));
    let (x, y) = (within(b, x, least, greatest), within(b, y, least, greatest));
    one_of(b, r, x, y)
}

/// r = max(x, y), unsigned
pub fn umax<B: Bits>(b: &mut B, r: FactOf<B>, x: FactOf<B>, y: FactOf<B>) -> (FactOf<B>, FactOf<B>) {
    let (least, greatest) = (b.zero(r.lo), unsigned_max(b, r));
    let (x, y) = (within(b, x, least, greatest), within(b, y, least, greatest));
    one_of(b, r, x, y)
}

/// r = max(x, 0)
pub fn force_ge_zero<B: Bits>(b: &mut B, r: FactOf<B>, x: FactOf<B>) -> FactOf<B> {
    let zero = b.zero(x.lo);
    let zero = constant(b, zero);
    max(b, r, x, zero).0
}
