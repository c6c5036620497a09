//! Sign and zero extension, truncation.

use planish_base::fault;
use planish_ops::Bits;

use crate::calc::calc;
use crate::fact::{Fact, FactOf, from_bits, unsigned_max, unsigned_min, within, within_if};

/// Sign extension to `width` bits. Exact: order and known sign are kept.
pub fn sext<B: Bits>(b: &mut B, x: FactOf<B>, width: u32) -> FactOf<B> {
    Fact {
        lo: b.sign_extend(x.lo, width),
        hi: b.sign_extend(x.hi, width),
        ones: b.sign_extend(x.ones, width),
        zeros: b.sign_extend(x.zeros, width),
    }
}

/// Zero extension to `width` bits.
pub fn zext<B: Bits>(b: &mut B, x: FactOf<B>, width: u32) -> FactOf<B> {
    let (low, high) = (unsigned_min(b, x), unsigned_max(b, x));
    let (from, to) = (b.zero_extend(low, width), b.zero_extend(high, width));
    let ones = if fault!("zext: a known sign is extended") {
        b.sign_extend(x.ones, width)
    } else {
        b.zero_extend(x.ones, width)
    };
    let possible = b.not(x.zeros);
    let possible = b.zero_extend(possible, width);
    let zeros = b.not(possible);
    let bits = from_bits(b, ones, zeros);
    within(b, bits, from, to)
}

/// The low `width` bits: a circular interval where the span fits.
pub fn trunc<B: Bits>(b: &mut B, x: FactOf<B>, width: u32) -> FactOf<B> {
    let (ones, zeros) = (b.truncate(x.ones, width), b.truncate(x.zeros, width));
    let bits = from_bits(b, ones, zeros);
    let most = b.word(b.width(x.lo), u64::MAX >> (64 - width));
    let short = if fault!("trunc: every interval fits") {
        b.truth(true)
    } else {
        calc!(b; ule(sub(x.hi, x.lo), most))
    };
    let (from, to) = (b.truncate(x.lo, width), b.truncate(x.hi, width));
    within_if(b, short, bits, from, to)
}
