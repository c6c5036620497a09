//! And, or, exclusive or, complement.
//!
//! Known bits are exact bit by bit. Bounds come from four sides: from the bits; from the unsigned order
//! (x & y is at most either); from the distance to an operand, which is at most the bits that may be
//! taken away or added (`x & -8` is at most 7 below x); and from the number of sign bits: words that
//! fit k signed bits stay within k signed bits, which no known bit can say while the sign is unknown.

use planish_base::fault;
use planish_ops::Bits;

use crate::calc::calc;
use crate::fact::{Fact, FactOf, clip, clip_if, from_bits, unsigned_max, within};

/// ~x: the order turns around, the bits change places. Exact.
pub fn not<B: Bits>(b: &mut B, x: FactOf<B>) -> FactOf<B> {
    Fact { lo: b.not(x.hi), hi: b.not(x.lo), ones: x.zeros, zeros: x.ones }
}

/// x & y
#[inline]
pub fn and<B: Bits>(b: &mut B, x: FactOf<B>, y: FactOf<B>) -> FactOf<B> {
    let (ones, zeros) = (b.and(x.ones, y.ones), b.or(x.zeros, y.zeros));
    let bits = from_bits(b, ones, zeros);
    let (most_x, most_y) = (unsigned_max(b, x), unsigned_max(b, y));
    let most = if fault!("and: at most what x has for certain") { x.ones } else { b.umin(most_x, most_y) };
    let bits = clip(b, bits, ones, most);
    // x & y = x - (x & ~y): at most the bits that x may have and y may lack are taken away.
    let (less_x, less_y) = (calc!(b; not(or(x.zeros, y.ones))), calc!(b; not(or(y.zeros, x.ones))));
    let zero = b.zero(ones);
    let bits = clip_around(b, bits, x, less_x, zero);
    let bits = clip_around(b, bits, y, less_y, zero);
    within_sign_bits(b, bits, x, y)
}

/// The words of `f` that lie at most `less` below or `more` above a word of x, both unsigned: a circular
/// interval, unless its span is the whole circle.
#[inline]
fn clip_around<B: Bits>(b: &mut B, f: FactOf<B>, x: FactOf<B>, less: B::Word, more: B::Word) -> FactOf<B> {
    let (fits, from, to) = around(b, x, less, more);
    clip_if(b, fits, f, from, to)
}

/// Whether the span of x, `less` and `more` add up to less than 2^w, and the circular interval from the least of x
/// less `less` to the greatest and `more`.
#[inline]
pub(crate) fn around<B: Bits>(
    b: &mut B,
    x: FactOf<B>,
    less: B::Word,
    more: B::Word,
) -> (B::Bool, B::Word, B::Word) {
    let span = b.sub(x.hi, x.lo);
    let wider = b.add(span, less);
    let widest = b.add(wider, more);
    let fits = calc!(b; both(ule(span, wider), ule(wider, widest)));
    (fits, b.sub(x.lo, less), b.add(x.hi, more))
}

/// x | y = ~(~x & ~y)
pub fn or<B: Bits>(b: &mut B, x: FactOf<B>, y: FactOf<B>) -> FactOf<B> {
    let (x, y) = (not(b, x), not(b, y));
    let both = and(b, x, y);
    not(b, both)
}

/// x ^ y
pub fn xor<B: Bits>(b: &mut B, x: FactOf<B>, y: FactOf<B>) -> FactOf<B> {
    let ones = calc!(b; or(and(x.ones, y.zeros), and(x.zeros, y.ones)));
    let zeros = calc!(b; or(and(x.ones, y.ones), and(x.zeros, y.zeros)));
    let bits = from_bits(b, ones, zeros);
    // x ^ y = x - (x & y) + (y & ~x), and the same with x and y swapped.
    let common = if fault!("xor: common bits are not taken away") {
        b.zero(ones)
    } else {
        calc!(b; not(or(x.zeros, y.zeros)))
    };
    let (only_y, only_x) = (calc!(b; not(or(y.zeros, x.ones))), calc!(b; not(or(x.zeros, y.ones))));
    let bits = clip_around(b, bits, x, common, only_y);
    let bits = clip_around(b, bits, y, common, only_x);
    within_sign_bits(b, bits, x, y)
}

/// The words of `f` that fit as few signed bits as both operands do.
#[inline]
fn within_sign_bits<B: Bits>(b: &mut B, f: FactOf<B>, x: FactOf<B>, y: FactOf<B>) -> FactOf<B> {
    let to = signed_mask(b, x, y);
    let from = b.not(to);
    within(b, f, from, to)
}

/// The bits that differ from the sign in some member of x or y, and all below.
pub(crate) fn signed_mask<B: Bits>(b: &mut B, x: FactOf<B>, y: FactOf<B>) -> B::Word {
    let (magnitude_x, magnitude_y) = (magnitude(b, x), magnitude(b, y));
    calc!(b; smear_right(or(magnitude_x, magnitude_y)))
}

/// A word with the highest bit in which a member differs from its sign.
fn magnitude<B: Bits>(b: &mut B, f: FactOf<B>) -> B::Word {
    let last = b.word(b.width(f.lo), u64::from(b.width(f.lo)) - 1);
    calc!(b; or(xor(f.lo, ashr(f.lo, last)), xor(f.hi, ashr(f.hi, last))))
}
