//! What bits of a result tell about bits of the operands: and, or, exclusive or, complement, shifts,
//! rotations, counts.

use planish_base::fault;
use planish_ops::Bits;

use crate::calc::calc;
use crate::fact::{
    Fact, FactOf, choose, clip, from_bits, is_bottom, is_constant, meet, reduce, unsigned_max, unsigned_min,
    within,
};
use crate::forward::{bitwise, shift};

/// r = ~x
pub fn not<B: Bits>(b: &mut B, r: FactOf<B>, x: FactOf<B>) -> FactOf<B> {
    let complement = bitwise::not(b, r);
    meet(b, x, complement)
}

/// r = x & y: a one of r is one of both; a zero of r under a known one of the other is a zero; and
/// neither operand is less than r, unsigned.
pub fn and<B: Bits>(b: &mut B, r: FactOf<B>, x: FactOf<B>, y: FactOf<B>) -> (FactOf<B>, FactOf<B>) {
    (and_one(b, r, x, y), and_one(b, r, y, x))
}

fn and_one<B: Bits>(b: &mut B, r: FactOf<B>, x: FactOf<B>, y: FactOf<B>) -> FactOf<B> {
    let ones = b.or(x.ones, r.ones);
    let under = if fault!("and backward: every zero is shared") { b.ones(r.lo) } else { y.ones };
    let zeros = calc!(b; or(x.zeros, and(r.zeros, under)));
    let (least, most) = (unsigned_min(b, r), b.ones(r.lo));
    within(b, Fact { ones, zeros, ..x }, least, most)
}

/// r = x | y, by complement.
pub fn or<B: Bits>(b: &mut B, r: FactOf<B>, x: FactOf<B>, y: FactOf<B>) -> (FactOf<B>, FactOf<B>) {
    let (r, x, y) = (bitwise::not(b, r), bitwise::not(b, x), bitwise::not(b, y));
    let (x, y) = and(b, r, x, y);
    (bitwise::not(b, x), bitwise::not(b, y))
}

/// r = x ^ y, so x = r ^ y.
pub fn xor<B: Bits>(b: &mut B, r: FactOf<B>, x: FactOf<B>, y: FactOf<B>) -> (FactOf<B>, FactOf<B>) {
    let (left, right) = (bitwise::xor(b, r, y), bitwise::xor(b, r, x));
    (meet(b, x, left), meet(b, y, right))
}

/// r = x << y by a constant: the bits that are not shifted out; all of x where none is lost.
pub fn lshift<B: Bits>(b: &mut B, r: FactOf<B>, x: FactOf<B>, y: FactOf<B>) -> (FactOf<B>, FactOf<B>) {
    let amount = shift::masked_amount(b, y);
    let by = amount.lo;
    let (ones, zeros) = (b.lshr(r.ones, by), b.lshr(r.zeros, by));
    let bits = from_bits(b, ones, zeros);
    let met = meet(b, x, bits);
    let lossless = shift::lshift_fits(b, x, amount);
    let back = shift::rshift_by(b, r, amount);
    let exact = meet(b, met, back);
    let found = choose(b, lossless, exact, met);
    (if_constant(b, amount, found, x), y)
}

/// r = x >> y by a constant, filling with the sign.
pub fn rshift<B: Bits>(b: &mut B, r: FactOf<B>, x: FactOf<B>, y: FactOf<B>) -> (FactOf<B>, FactOf<B>) {
    let amount = shift::masked_amount(b, y);
    let by = amount.lo;
    let (min, max) = (b.signed_min(r.lo), b.signed_max(r.lo));
    let (least, most) = (b.ashr(min, by), b.ashr(max, by));
    let r = within(b, r, least, most);
    let fill = low_mask(b, by);
    let (from, to) = (b.shl(r.lo, by), calc!(b; or(shl(r.hi, by), fill)));
    (if_constant_bits(b, amount, r, x, from, to), y)
}

/// r = x >> y by a constant, filling with zeros.
pub fn urshift<B: Bits>(b: &mut B, r: FactOf<B>, x: FactOf<B>, y: FactOf<B>) -> (FactOf<B>, FactOf<B>) {
    let amount = shift::masked_amount(b, y);
    let by = amount.lo;
    let (zero, ones) = (b.zero(r.lo), b.ones(r.lo));
    let most = b.lshr(ones, by);
    let r = within(b, r, zero, most);
    let (low, high) = (unsigned_min(b, r), unsigned_max(b, r));
    let fill = low_mask(b, by);
    let (from, to) = (b.shl(low, by), calc!(b; or(shl(high, by), fill)));
    (if_constant_bits(b, amount, r, x, from, to), y)
}

/// The bits that a shift by `amount` takes away.
fn low_mask<B: Bits>(b: &mut B, amount: B::Word) -> B::Word {
    let one = b.one(amount);
    calc!(b; sub(shl(one, amount), one))
}

/// For a shift to the right by a constant: x with the bits of r in their old place, from `from` to `to`.
fn if_constant_bits<B: Bits>(
    b: &mut B,
    amount: FactOf<B>,
    r: FactOf<B>,
    x: FactOf<B>,
    from: B::Word,
    to: B::Word,
) -> FactOf<B> {
    let ones = calc!(b; or(x.ones, shl(r.ones, amount.lo)));
    let zeros = calc!(b; or(x.zeros, shl(r.zeros, amount.lo)));
    let found = within(b, Fact { ones, zeros, ..x }, from, to);
    // A result that no shift yields leaves nothing.
    let none = is_bottom(b, r);
    let found = choose(b, none, r, found);
    if_constant(b, amount, found, x)
}

fn if_constant<B: Bits>(b: &mut B, amount: FactOf<B>, found: FactOf<B>, x: FactOf<B>) -> FactOf<B> {
    let fixed = is_constant(b, amount);
    choose(b, fixed, found, x)
}

/// r = x rotated to the left by y.
pub fn rotl<B: Bits>(b: &mut B, r: FactOf<B>, x: FactOf<B>, y: FactOf<B>) -> (FactOf<B>, FactOf<B>) {
    let back = shift::rotr(b, r, y);
    (meet(b, x, back), y)
}

/// r = x rotated to the right by y.
pub fn rotr<B: Bits>(b: &mut B, r: FactOf<B>, x: FactOf<B>, y: FactOf<B>) -> (FactOf<B>, FactOf<B>) {
    let back = shift::rotl(b, r, y);
    (meet(b, x, back), y)
}

/// r = the low n bits of x sign-extended, n constant: they are the low n bits of r.
pub fn signext<B: Bits>(b: &mut B, r: FactOf<B>, x: FactOf<B>, n: FactOf<B>) -> (FactOf<B>, FactOf<B>) {
    let width = b.word(b.width(x.lo), u64::from(b.width(x.lo)));
    let all = b.ones(x.lo);
    let whole = calc!(b; either(negate(is_nonzero(n.lo)), ult(width, n.lo)));
    let mask = low_mask(b, n.lo);
    let mask = b.select(whole, all, mask);
    let ones = calc!(b; or(x.ones, and(r.ones, mask)));
    let zeros = calc!(b; or(x.zeros, and(r.zeros, mask)));
    let found = reduce(b, Fact { ones, zeros, ..x });
    let same = meet(b, found, r);
    let found = choose(b, whole, same, found);
    (if_constant(b, n, found, x), n)
}

/// r = the number of zero bits above the highest one.
pub fn clz<B: Bits>(b: &mut B, r: FactOf<B>, x: FactOf<B>) -> FactOf<B> {
    let (least, most) = (unsigned_min(b, r), unsigned_max(b, r));
    let (ones, sign) = (b.ones(x.lo), b.signed_min(x.lo));
    let (from, to) = (b.lshr(sign, most), b.lshr(ones, least));
    within(b, x, from, to)
}

/// r = the number of zero bits below the lowest one.
pub fn ctz<B: Bits>(b: &mut B, r: FactOf<B>, x: FactOf<B>) -> FactOf<B> {
    let (least, most) = (unsigned_min(b, r), unsigned_max(b, r));
    let (one, zero, minus) = (b.one(x.lo), b.zero(x.lo), b.ones(x.lo));
    let lowest = b.shl(one, least);
    let below = b.sub(lowest, one);
    let exact = b.eq(least, most);
    let ones = calc!(b; or(x.ones, select(exact, lowest, zero)));
    let zeros = b.or(x.zeros, below);
    let width = b.word(b.width(x.lo), u64::from(b.width(x.lo)));
    // Fewer than w of them: there is a one.
    let nonzero = b.ult(most, width);
    let found = Fact { ones, zeros, ..x };
    let cut = clip(b, found, one, minus);
    let found = choose(b, nonzero, cut, found);
    reduce(b, found)
}

/// r = the number of one bits: where all of them are known, the other bits are zero; where all that may
/// be one are needed, they are.
pub fn popcount<B: Bits>(b: &mut B, r: FactOf<B>, x: FactOf<B>) -> FactOf<B> {
    let (least, most) = (unsigned_min(b, r), unsigned_max(b, r));
    let (known, possible) = (b.popcount(x.ones), calc!(b; popcount(not(x.zeros))));
    let (full, needed) = (b.eq(known, most), b.eq(possible, least));
    let zeros = calc!(b; select(full, not(x.ones), x.zeros));
    let ones = calc!(b; select(needed, not(x.zeros), x.ones));
    reduce(b, Fact { ones, zeros, ..x })
}
