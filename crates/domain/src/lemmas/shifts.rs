//! The lemmas of shifts and rotations, once there is a fact about the amount.
//!
//! First the bounds: a shift by the least or the greatest amount bounds the shift of a bound, which bounds the shift
//! of x. Then the known bits, which go through a barrel of stages: x goes through the same stages by the bits of the
//! amount, and is described after each. What leaves the last stage is the shifted x.

use planish_ops::{Bits, Op};

use crate::calc::calc;
use crate::fact::{FactOf, from_bits, membership, unsigned_max, unsigned_min, wrong_bits};
use crate::forward::shift::{distances, lshift_bounds, rshift_bounds, shift_bits, stage};

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
