//! The lemmas of shifts and rotations, once there is a fact about the amount.
//!
//! First the bounds: a shift by the least or the greatest amount bounds the shift of a bound, which bounds the shift
//! of x. Then the known bits, which go through a barrel of stages: x goes through the same stages by the bits of the
//! amount, and is described after each. What leaves the last stage is the shifted x.

use planish_ops::{Bits, Op};

use crate::calc::calc;
use crate::fact::{FactOf, from_bits, is_bottom, membership, unsigned_max, unsigned_min, wrong_bits};
use crate::forward::shift::{distances, lshift_bounds, lshift_fits, rshift_bounds, shift_bits, stage};

/// The lemmas of `value`, which is x shifted by `by`, members of facts.
pub(super) fn lemmas<B: Bits>(
    b: &mut B,
    op: Op,
    [f, amount]: [FactOf<B>; 2],
    [x, by, value]: [B::Word; 3],
) -> Vec<B::Bool> {
    let zero = b.zero(by);
    let mut lemmas = vec![b.sle(zero, amount.lo), b.sle(amount.lo, by), b.sle(by, amount.hi)];
    match op {
        Op::Rshift => {
            let (from, to) = rshift_bounds(b, f, amount);
            let (low, high) = (b.ashr(f.lo, by), b.ashr(f.hi, by));
            lemmas.extend([(from, low), (low, value), (value, high), (high, to)].map(|(a, c)| b.sle(a, c)));
        }
        Op::Urshift => {
            let (least, most) = (unsigned_min(b, f), unsigned_max(b, f));
            let (from, to) = (b.lshr(least, amount.hi), b.lshr(most, amount.lo));
            let (low, high) = (b.lshr(least, by), b.lshr(most, by));
            let chain = [(least, x), (x, most), (from, low), (low, value), (value, high), (high, to)];
            lemmas.extend(chain.map(|(a, c)| b.ule(a, c)));
        }
        Op::Lshift => {
            let (from, to, fits) = lshift_bounds(b, f, amount);
            let (low, high) = (b.shl(f.lo, by), b.shl(f.hi, by));
            for (bound, shifted) in [(f.lo, low), (f.hi, high)] {
                lemmas.push(calc!(b; implies(fits, eq(ashr(shifted, by), bound))));
            }
            lemmas.extend(
                [(from, low), (low, value), (value, high), (high, to)]
                    .map(|(a, c)| calc!(b; implies(fits, sle(a, c)))),
            );
        }
        _ => {
            let still = calc!(b; eq(amount.hi, zero));
            lemmas.push(calc!(b; implies(still, eq(value, x))));
        }
    }
    known_bits(b, &mut lemmas, op, [f, amount], [x, by, value]);
    lemmas
}

/// Those of `value`, which is x shifted down by a known amount: where it lies, whatever x is.
pub(super) fn by_constant<B: Bits>(
    b: &mut B,
    op: Op,
    amount: FactOf<B>,
    [x, by, value]: [B::Word; 3],
) -> Vec<B::Bool> {
    let k = amount.lo;
    let (zero, ones, min, max) = (b.zero(x), b.ones(x), b.signed_min(x), b.signed_max(x));
    let mut lemmas = vec![b.eq(by, k)];
    if op == Op::Rshift {
        let (least, most) = (b.ashr(min, k), b.ashr(max, k));
        lemmas.extend([calc!(b; eq(value, ashr(x, k))), b.sle(least, value), b.sle(value, most)]);
    } else {
        let most = b.lshr(ones, k);
        lemmas.extend([calc!(b; eq(value, lshr(x, k))), b.ule(zero, value), b.ule(value, most)]);
    }
    lemmas
}

/// Those of x, of which the fact about `value`, x shifted down by a known amount, was cut to what can be shifted up again.
pub(super) fn unshifted<B: Bits>(
    b: &mut B,
    op: Op,
    [amount, result]: [FactOf<B>; 2],
    [x, value]: [B::Word; 2],
) -> Vec<B::Bool> {
    let (k, zero, one) = (amount.lo, b.zero(x), b.one(x));
    let fill = calc!(b; sub(shl(one, k), one));
    let empty = is_bottom(b, result);
    let mut lemmas = vec![b.negate(empty)];
    let (low, high) = match op {
        Op::Rshift => (result.lo, result.hi),
        _ => (unsigned_min(b, result), unsigned_max(b, result)),
    };
    let (from, to) = (b.shl(low, k), calc!(b; or(shl(high, k), fill)));
    let order: fn(&mut B, B::Word, B::Word) -> B::Bool = if op == Op::Rshift { B::sle } else { B::ule };
    lemmas.extend([order(b, low, value), order(b, value, high), order(b, from, x), order(b, x, to)]);
    lemmas.push(calc!(b; eq(and(shl(result.ones, k), not(x)), zero)));
    lemmas.push(calc!(b; eq(and(shl(result.zeros, k), x), zero)));
    lemmas
}

/// Those of x, which is shifted up to `value` by a known amount: the bits that are not shifted out, and where none is, that x is `value` shifted down.
pub(super) fn shifted_out<B: Bits>(
    b: &mut B,
    [f, amount, result]: [FactOf<B>; 3],
    [x, by, value]: [B::Word; 3],
) -> Vec<B::Bool> {
    let (k, zero) = (amount.lo, b.zero(x));
    let (ones, zeros) = (b.lshr(result.ones, k), b.lshr(result.zeros, k));
    let mut lemmas = vec![b.eq(by, k), calc!(b; eq(value, shl(x, k)))];
    lemmas.extend([calc!(b; eq(and(ones, not(x)), zero)), calc!(b; eq(and(zeros, x), zero))]);
    let described = from_bits(b, ones, zeros);
    lemmas.extend(membership(b, described, x));
    let lossless = lshift_fits(b, f, amount);
    let mut of_lossless = vec![calc!(b; eq(ashr(value, k), x))];
    of_lossless.extend(self::lemmas(b, Op::Rshift, [result, amount], [value, by, x]));
    for lemma in of_lossless {
        lemmas.push(b.implies(lossless, lemma));
    }
    lemmas
}

/// That what leaves each stage of the barrel is described by the bits that leave it.
fn known_bits<B: Bits>(
    b: &mut B,
    lemmas: &mut Vec<B::Bool>,
    op: Op,
    [f, amount]: [FactOf<B>; 2],
    [x, by, value]: [B::Word; 3],
) {
    let (mut known, mut word, zero) = ((f.ones, f.zeros), x, b.zero(x));
    for distance in distances(b.width(x)) {
        known = stage(b, op, known, amount, distance);
        let (power, complement) = (b.word(b.width(x), u64::from(distance)), b.not(word));
        // Of a word all bits are known.
        let (shifted, _) = shift_bits(op)(b, (word, complement), power);
        word = calc!(b; select(is_nonzero(and(by, power)), shifted, word));
        let wrong = wrong_bits(b, known.0, known.1, word);
        lemmas.push(b.eq(wrong, zero));
    }
    lemmas.push(b.eq(word, value));
    let described = from_bits(b, known.0, known.1);
    lemmas.extend(membership(b, described, value));
}
