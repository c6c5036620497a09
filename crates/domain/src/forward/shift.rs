//! Shifts and rotations, their amounts taken modulo w, and sign extension in place.
//!
//! Known bits go through a barrel shifter of facts: stage k shifts by 2^k where bit k of the amount is
//! known to be one, not where it is known to be zero, and joins both where it is unknown. So a shift
//! by an unknown amount costs the logarithm of the width, not the width.

use planish_base::fault;
use planish_ops::{Bits, Op};

use crate::calc::calc;
use crate::fact::{
    FactOf, choose, constant, from_bits, is_constant, top, unsigned_max, unsigned_min, within, within_if,
};
use crate::forward::bitwise;
use crate::forward::divide;

/// Known bits, as the ones and the zeros.
pub(crate) type Known<B> = (<B as Bits>::Word, <B as Bits>::Word);

/// A shift of known bits by a constant amount below w.
pub(crate) type ShiftBits<B> = fn(&mut B, Known<B>, <B as Bits>::Word) -> Known<B>;

/// What a shift or rotation does to known bits by a constant amount below w.
pub(crate) fn shift_bits<B: Bits>(op: Op) -> ShiftBits<B> {
    match op {
        Op::Lshift => |b, (ones, zeros), by| {
            let fill = low_mask(b, by);
            (b.shl(ones, by), calc!(b; or(shl(zeros, by), fill)))
        },
        // The sign bit of ones and of zeros says whether the sign is known, so both shift arithmetically.
        Op::Rshift => |b, (ones, zeros), by| (b.ashr(ones, by), b.ashr(zeros, by)),
        Op::Urshift => |b, (ones, zeros), by| {
            let all = b.ones(ones);
            (b.lshr(ones, by), calc!(b; or(lshr(zeros, by), not(lshr(all, by)))))
        },
        Op::Rotl => |b, (ones, zeros), by| (rotate_left(b, ones, by), rotate_left(b, zeros, by)),
        Op::Rotr => |b, (ones, zeros), by| {
            let width = b.word(b.width(by), u64::from(b.width(by)));
            let back = b.sub(width, by);
            (rotate_left(b, ones, back), rotate_left(b, zeros, back))
        },
        _ => panic!("{op} does not shift"),
    }
}

/// The fact about y mod w.
pub fn masked_amount<B: Bits>(b: &mut B, y: FactOf<B>) -> FactOf<B> {
    let width = b.width(y.lo);
    if width.is_power_of_two() {
        let mask = b.word(width, u64::from(width) - 1);
        let mask = constant(b, mask);
        bitwise::and(b, y, mask)
    } else {
        // The width itself fits: 2^w > w.
        let modulus = b.word(width, u64::from(width));
        let modulus = constant(b, modulus);
        divide::urem(b, y, modulus)
    }
}

/// Sends the known bits of x through the stages that the amount selects.
fn barrel<B: Bits>(b: &mut B, op: Op, x: FactOf<B>, amount: FactOf<B>) -> FactOf<B> {
    let mut bits = (x.ones, x.zeros);
    for distance in distances(b.width(x.lo)) {
        bits = stage(b, op, bits, amount, distance);
    }
    from_bits(b, bits.0, bits.1)
}

/// The powers of two below a width: how far the stages of the barrel shift.
pub(crate) fn distances(width: u32) -> impl Iterator<Item = u32> {
    (0..).map(|k| 1 << k).take_while(move |&distance| distance < width)
}

/// A stage of the barrel: shifts by the power of two where that bit of the amount is known to be one.
pub(crate) fn stage<B: Bits>(
    b: &mut B,
    op: Op,
    (ones, zeros): Known<B>,
    amount: FactOf<B>,
    distance: u32,
) -> Known<B> {
    let by = b.word(b.width(ones), u64::from(distance));
    let (shifted_ones, shifted_zeros) = shift_bits(op)(b, (ones, zeros), by);
    let zero = b.zero(by);
    let never = calc!(b; ne(and(amount.zeros, by), zero));
    let always = calc!(b; ne(and(amount.ones, by), zero));
    let (either_ones, either_zeros) = (b.and(ones, shifted_ones), b.and(zeros, shifted_zeros));
    let ones = calc!(b; select(always, shifted_ones, select(never, ones, either_ones)));
    let zeros = calc!(b; select(always, shifted_zeros, select(never, zeros, either_zeros)));
    (ones, zeros)
}

/// The low bits that a shift to the left by an amount below w fills.
fn low_mask<B: Bits>(b: &mut B, amount: B::Word) -> B::Word {
    let one = b.one(amount);
    calc!(b; sub(shl(one, amount), one))
}

/// x << (y mod w)
pub fn lshift<B: Bits>(b: &mut B, x: FactOf<B>, y: FactOf<B>) -> FactOf<B> {
    let amount = masked_amount(b, y);
    let bits = barrel(b, Op::Lshift, x, amount);
    let (from, to, fits) = lshift_bounds(b, x, amount);
    within_if(b, fits, bits, from, to)
}

/// The bounds of x << amount, and whether they hold: no shift changes the sign or loses a bit.
pub(crate) fn lshift_bounds<B: Bits>(
    b: &mut B,
    x: FactOf<B>,
    amount: FactOf<B>,
) -> (B::Word, B::Word, B::Bool) {
    let (least, most) = (amount.lo, amount.hi);
    let from = calc!(b; shl(x.lo, select(is_negative(x.lo), most, least)));
    let to = calc!(b; shl(x.hi, select(is_negative(x.hi), least, most)));
    let low_fits = calc!(b; eq(ashr(shl(x.lo, most), most), x.lo));
    let high_fits = calc!(b; eq(ashr(shl(x.hi, most), most), x.hi));
    let fits = if fault!("lshift: lost bits are ignored") { high_fits } else { b.both(low_fits, high_fits) };
    (from, to, fits)
}

/// Whether x << y, y being from 0 to w - 1, never loses a bit or changes the sign.
pub fn lshift_fits<B: Bits>(b: &mut B, x: FactOf<B>, y: FactOf<B>) -> B::Bool {
    let legal = amount_is_legal(b, y);
    let (_, _, fits) = lshift_bounds(b, x, y);
    b.both(legal, fits)
}

/// Whether an amount is from 0 to w - 1.
fn amount_is_legal<B: Bits>(b: &mut B, y: FactOf<B>) -> B::Bool {
    let width = b.word(b.width(y.lo), u64::from(b.width(y.lo)));
    let most = unsigned_max(b, y);
    b.ult(most, width)
}

/// x >> (y mod w), filling with the sign
pub fn rshift<B: Bits>(b: &mut B, x: FactOf<B>, y: FactOf<B>) -> FactOf<B> {
    let amount = masked_amount(b, y);
    rshift_by(b, x, amount)
}

/// x >> amount, which is below w, filling with the sign
pub(crate) fn rshift_by<B: Bits>(b: &mut B, x: FactOf<B>, amount: FactOf<B>) -> FactOf<B> {
    let bits = barrel(b, Op::Rshift, x, amount);
    let (from, to) = rshift_bounds(b, x, amount);
    within(b, bits, from, to)
}

/// The bounds of x >> amount.
pub(crate) fn rshift_bounds<B: Bits>(b: &mut B, x: FactOf<B>, amount: FactOf<B>) -> (B::Word, B::Word) {
    let (least, most) = (amount.lo, amount.hi);
    let from = if fault!("rshift: a negative bound is shifted furthest") {
        b.ashr(x.lo, most)
    } else {
        calc!(b; ashr(x.lo, select(is_negative(x.lo), least, most)))
    };
    let to = calc!(b; ashr(x.hi, select(is_negative(x.hi), most, least)));
    (from, to)
}

/// x >> (y mod w), filling with zeros
pub fn urshift<B: Bits>(b: &mut B, x: FactOf<B>, y: FactOf<B>) -> FactOf<B> {
    let amount = masked_amount(b, y);
    let bits = barrel(b, Op::Urshift, x, amount);
    let (low, high) = (unsigned_min(b, x), unsigned_max(b, x));
    let (from, to) = (b.lshr(low, amount.hi), b.lshr(high, amount.lo));
    within(b, bits, from, to)
}

/// x rotated to the left by y mod w
pub fn rotl<B: Bits>(b: &mut B, x: FactOf<B>, y: FactOf<B>) -> FactOf<B> {
    let amount = masked_amount(b, y);
    let bits = barrel(b, Op::Rotl, x, amount);
    unless_zero(b, amount, x, bits)
}

/// x rotated to the right by y mod w
pub fn rotr<B: Bits>(b: &mut B, x: FactOf<B>, y: FactOf<B>) -> FactOf<B> {
    let amount = masked_amount(b, y);
    let bits = barrel(b, Op::Rotr, x, amount);
    unless_zero(b, amount, x, bits)
}

/// A rotation by an amount from 1 to w - 1.
fn rotate_left<B: Bits>(b: &mut B, x: B::Word, by: B::Word) -> B::Word {
    let width = b.word(b.width(x), u64::from(b.width(x)));
    calc!(b; or(shl(x, by), lshr(x, sub(width, by))))
}

/// x where the amount is known to be zero, else `f`: the bounds of x are lost in its bits.
fn unless_zero<B: Bits>(b: &mut B, amount: FactOf<B>, x: FactOf<B>, f: FactOf<B>) -> FactOf<B> {
    let still = calc!(b; negate(is_nonzero(amount.hi)));
    choose(b, still, x, f)
}

/// The low n bits of x sign-extended; x itself where n is 0 or more than w.
pub fn signext<B: Bits>(b: &mut B, x: FactOf<B>, n: FactOf<B>) -> FactOf<B> {
    let bits = b.width(x.lo);
    let width = b.word(bits, u64::from(bits));
    let whole = calc!(b; either(negate(is_nonzero(n.lo)), ult(width, n.lo)));
    // Where n is not constant the result is x or lies in no stated range.
    let up = b.sub(width, n.lo);
    let (min, max) = (b.signed_min(x.lo), b.signed_max(x.lo));
    let (from, to) = (b.ashr(min, up), b.ashr(max, up));
    let ones = calc!(b; ashr(shl(x.ones, up), up));
    let zeros = calc!(b; ashr(shl(x.zeros, up), up));
    let narrow = from_bits(b, ones, zeros);
    let narrow = within(b, narrow, from, to);
    let fits = calc!(b; both(sle(from, x.lo), sle(x.hi, to)));
    let same = b.either(whole, fits);
    let known = choose(b, same, x, narrow);
    let unknown = top(b, bits);
    let fixed = is_constant(b, n);
    choose(b, fixed, known, unknown)
}
