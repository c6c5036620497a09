//! Leading zeros, trailing zeros, one bits.

use planish_ops::Bits;

use crate::calc::calc;
use crate::fact::{FactOf, top, unsigned_max, unsigned_min, within};

/// The words of an unsigned interval.
fn unsigned_interval<B: Bits>(b: &mut B, from: B::Word, to: B::Word) -> FactOf<B> {
    let any = top(b, b.width(from));
    within(b, any, from, to)
}

/// Zero bits above the highest one bit: falls as x rises, unsigned.
pub fn clz<B: Bits>(b: &mut B, x: FactOf<B>) -> FactOf<B> {
    let (low, high) = (unsigned_min(b, x), unsigned_max(b, x));
    let (from, to) = (b.leading_zeros(high), b.leading_zeros(low));
    unsigned_interval(b, from, to)
}

/// Zero bits below the lowest one bit: up to the lowest bit that may be one, down from the lowest that
/// is.
pub fn ctz<B: Bits>(b: &mut B, x: FactOf<B>) -> FactOf<B> {
    let from = calc!(b; trailing_zeros(not(x.zeros)));
    let to = b.trailing_zeros(x.ones);
    unsigned_interval(b, from, to)
}

/// One bits: at least those known, at most those possible.
pub fn popcount<B: Bits>(b: &mut B, x: FactOf<B>) -> FactOf<B> {
    let from = b.popcount(x.ones);
    let to = calc!(b; popcount(not(x.zeros)));
    unsigned_interval(b, from, to)
}
