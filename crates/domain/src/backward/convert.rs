//! What an extended or truncated word tells about the one it comes from.

use planish_ops::Bits;

use crate::calc::calc;
use crate::fact::{Fact, FactOf, bottom, choose, is_bottom, meet, reduce};
use crate::forward::convert;

/// r = x sign-extended
pub fn sext<B: Bits>(b: &mut B, r: FactOf<B>, x: FactOf<B>) -> FactOf<B> {
    let width = b.width(r.lo);
    let wide = convert::sext(b, x, width);
    narrowed(b, r, wide, x)
}

/// r = x zero-extended
pub fn zext<B: Bits>(b: &mut B, r: FactOf<B>, x: FactOf<B>) -> FactOf<B> {
    let width = b.width(r.lo);
    let wide = convert::zext(b, x, width);
    narrowed(b, r, wide, x)
}

/// The low bits of what r and the extension of x have in common.
fn narrowed<B: Bits>(b: &mut B, r: FactOf<B>, wide: FactOf<B>, x: FactOf<B>) -> FactOf<B> {
    let width = b.width(x.lo);
    let common = meet(b, r, wide);
    let none = is_bottom(b, common);
    let narrow = convert::trunc(b, common, width);
    let empty = bottom(b, width);
    let narrow = choose(b, none, empty, narrow);
    meet(b, x, narrow)
}

/// r = the low bits of x: they are known of x; where x fits them, signed or unsigned, it is the
/// extension of r.
pub fn trunc<B: Bits>(b: &mut B, r: FactOf<B>, x: FactOf<B>) -> FactOf<B> {
    let (narrow, wide) = (b.width(r.lo), b.width(x.lo));
    let ones = b.zero_extend(r.ones, wide);
    let zeros = b.zero_extend(r.zeros, wide);
    let found = Fact { ones: b.or(x.ones, ones), zeros: b.or(x.zeros, zeros), ..x };
    let found = reduce(b, found);
    let (signed, unsigned) = fits(b, x, narrow);
    let (sign_extended, zero_extended) = (convert::sext(b, r, wide), convert::zext(b, r, wide));
    let as_signed = meet(b, found, sign_extended);
    let found = choose(b, signed, as_signed, found);
    let as_unsigned = meet(b, found, zero_extended);
    choose(b, unsigned, as_unsigned, found)
}

/// Whether the members of a fact fit so many bits, signed, and unsigned.
pub(crate) fn fits<B: Bits>(b: &mut B, x: FactOf<B>, narrow: u32) -> (B::Bool, B::Bool) {
    let wide = b.width(x.lo);
    let zero = b.word(narrow, 0);
    let (min, max) = (b.signed_min(zero), b.signed_max(zero));
    let (min, max) = (b.sign_extend(min, wide), b.sign_extend(max, wide));
    let signed = calc!(b; both(sle(min, x.lo), sle(x.hi, max)));
    let (zero, most) = (b.zero(x.lo), b.word(wide, u64::MAX >> (64 - narrow)));
    let unsigned = calc!(b; both(both(sle(zero, x.lo), ule(x.hi, most)), sle(x.lo, x.hi)));
    (signed, unsigned)
}
