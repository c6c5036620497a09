//! The lemmas of products.
//!
//! The product of x and y lies between those of x and the ends of y, and these between the products of the ends, since a
//! product of twice the width grows or falls with a factor. Of what it knows besides, its low bits, x is taken apart into the
//! bits that are known and the rest, which is a multiple of its lowest bit.

use planish_ops::Bits;

use crate::calc::calc;
use crate::fact::{FactOf, is_between, membership, unsigned_max, unsigned_min};
use crate::forward::arith::{Products, lowest_bit, mul_bits, products, unknown, unsigned_products};
use crate::truth::Truth;

/// A product of twice the width: its high and its low word.
type Whole<W> = (W, W);

/// Whether one is at most the other; `less` compares high words.
pub(super) fn at_most<B: Bits>(
    b: &mut B,
    less: fn(&mut B, B::Word, B::Word) -> B::Bool,
    one: Whole<B::Word>,
    other: Whole<B::Word>,
) -> B::Bool {
    let (above, same) = (less(b, one.0, other.0), b.eq(one.0, other.0));
    let low = b.ule(one.1, other.1);
    calc!(b; either(above, both(same, low)))
}

pub(super) fn signed<B: Bits>(b: &mut B, x: B::Word, y: B::Word) -> Whole<B::Word> {
    (b.smulh(x, y), b.mul(x, y))
}

fn unsigned<B: Bits>(b: &mut B, x: B::Word, y: B::Word) -> Whole<B::Word> {
    (b.umulh(x, y), b.mul(x, y))
}

/// Those of `value`, which is x y mod 2^w.
pub(super) fn lemmas<B: Bits>(
    b: &mut B,
    lemmas: &mut Vec<B::Bool>,
    [f, g]: [FactOf<B>; 2],
    [x, y]: [B::Word; 2],
) {
    corners(b, lemmas, [f, g], [x, y]);
    unsigned_ends(b, lemmas, [f, g], [x, y]);
    low_bits(b, lemmas, [f, g], [x, y]);
}

/// That the signed product lies between the least and the greatest of the corners.
pub(super) fn corners<B: Bits>(
    b: &mut B,
    lemmas: &mut Vec<B::Bool>,
    [f, g]: [FactOf<B>; 2],
    [x, y]: [B::Word; 2],
) {
    let product = signed(b, x, y);
    let sides = [g.lo, g.hi].map(|end| signed(b, x, end));
    for (end, side) in [g.lo, g.hi].into_iter().zip(sides) {
        let ends = [f.lo, f.hi].map(|bound| signed(b, bound, end));
        between(b, lemmas, side, &ends);
    }
    between(b, lemmas, product, &sides);
    let corners = [(f.lo, g.lo), (f.lo, g.hi), (f.hi, g.lo), (f.hi, g.hi)].map(|(p, q)| signed(b, p, q));
    between(b, lemmas, product, &corners);
    let Products { lo, hi, overflow } = products(b, f, g);
    let (fits, value) = (fits(b, product), product.1);
    lemmas.push(calc!(b; implies(overflow.never, fits)));
    lemmas.push(calc!(b; implies(fits, both(sle(lo, value), sle(value, hi)))));
    lemmas.push(calc!(b; implies(fits, negate(overflow.always))));
    lemmas.extend([overflow.never, fits].map(|condition| is_between(b, condition, value, lo, hi)));
}

/// Whether a product is one of the width.
fn fits<B: Bits>(b: &mut B, (high, low): Whole<B::Word>) -> B::Bool {
    let (negative, zero, ones) = (b.is_negative(low), b.zero(low), b.ones(low));
    calc!(b; eq(high, select(negative, ones, zero)))
}

/// That a product is not below all of some, and not above all.
fn between<B: Bits>(b: &mut B, lemmas: &mut Vec<B::Bool>, product: Whole<B::Word>, ends: &[Whole<B::Word>]) {
    let (mut above, mut below) = (b.truth(false), b.truth(false));
    for &end in ends {
        let (low, high) = (at_most(b, B::slt, end, product), at_most(b, B::slt, product, end));
        (above, below) = (b.either(above, low), b.either(below, high));
    }
    lemmas.extend([above, below]);
}

/// That the unsigned product lies between those of the least and the greatest words.
pub(super) fn unsigned_ends<B: Bits>(
    b: &mut B,
    lemmas: &mut Vec<B::Bool>,
    [f, g]: [FactOf<B>; 2],
    [x, y]: [B::Word; 2],
) {
    let (low_x, high_x) = (unsigned_min(b, f), unsigned_max(b, f));
    let (low_y, high_y) = (unsigned_min(b, g), unsigned_max(b, g));
    for (low, high) in [(low_x, x), (x, high_x), (low_y, y), (y, high_y)] {
        lemmas.push(b.ule(low, high));
    }
    let chain =
        [(low_x, low_y), (low_x, y), (x, y), (x, high_y), (high_x, high_y)].map(|(p, q)| unsigned(b, p, q));
    for pair in chain.windows(2) {
        lemmas.push(at_most(b, B::ult, pair[0], pair[1]));
    }
    let [least, _, product, _, most] = chain;
    for (low, high) in [(least, product), (product, most)] {
        lemmas.push(at_most(b, B::ult, low, high));
        lemmas.push(b.ule(low.0, high.0));
    }
    let (greatest, carry) = unsigned_products(b, f, g);
    let (zero, least, value) = (b.zero(carry), least.1, product.1);
    lemmas.push(calc!(b; implies(eq(carry, zero), both(ule(least, value), ule(value, greatest)))));
    let (high, to) = (product.0, calc!(b; select(eq(carry, zero), greatest, not(zero))));
    lemmas.push(calc!(b; implies(eq(high, zero), both(ule(least, value), ule(value, to)))));
}

/// That the low bits of the product are those of the product of what is known.
pub(super) fn low_bits<B: Bits>(
    b: &mut B,
    lemmas: &mut Vec<B::Bool>,
    [f, g]: [FactOf<B>; 2],
    [x, y]: [B::Word; 2],
) {
    let one = b.one(x);
    let below = |b: &mut B, power: B::Word| b.sub(power, one);
    let unknown = [f, g].map(|fact| unknown(b, fact)).map(|word| lowest_bit(b, word));
    let possible = [f, g].map(|fact| b.not(fact.zeros)).map(|word| lowest_bit(b, word));
    let rest = [b.sub(x, f.ones), b.sub(y, g.ones)];
    let zero = b.zero(x);
    let (one_part, other_part) = (b.mul(rest[0], y), b.mul(rest[1], f.ones));
    let powers = [b.mul(unknown[0], possible[1]), b.mul(unknown[1], possible[0])];
    let multiples = [
        (rest[0], unknown[0]),
        (y, possible[1]),
        (one_part, powers[0]),
        (rest[1], unknown[1]),
        (f.ones, possible[0]),
        (other_part, powers[1]),
    ];
    for (word, power) in multiples {
        let mask = below(b, power);
        lemmas.push(calc!(b; eq(and(word, mask), zero)));
    }
    let reach = b.or(powers[0], powers[1]);
    let lowest = lowest_bit(b, reach);
    let known = below(b, lowest);
    let parts = b.add(one_part, other_part);
    for word in [one_part, other_part, parts] {
        lemmas.push(calc!(b; eq(and(word, known), zero)));
    }
    let (value, product) = (b.mul(x, y), b.mul(f.ones, g.ones));
    lemmas.push(calc!(b; eq(value, add(product, parts))));
    lemmas.push(calc!(b; eq(and(sub(value, product), known), zero)));
    lemmas.push(calc!(b; eq(and(xor(value, product), known), zero)));
    let described = mul_bits(b, f, g);
    lemmas.extend(membership(b, described, value));
}

/// The cases of what a product tells of its factors: whether each factor is known not to be 0, and, where that is not given,
/// whether no product of members overflows.
pub(super) fn cases_of_factors<B: Bits>(b: &mut B, [f, g]: [FactOf<B>; 2], is_exact: bool) -> Vec<B::Bool> {
    let mut cases = [f, g].map(|fact| Truth::of_word(b, fact).always).to_vec();
    if !is_exact {
        cases.push(products(b, f, g).overflow.never);
    }
    cases
}

/// Those of the factors of a product: where it fits, each is the quotient of the product by the other; and both are odd where it is.
pub(super) fn factors<B: Bits>(
    b: &mut B,
    lemmas: &mut Vec<B::Bool>,
    [f, g]: [FactOf<B>; 2],
    [x, y, value]: [B::Word; 3],
    [is_signed, is_exact]: [bool; 2],
) {
    let (zero, one) = (b.zero(x), b.one(x));
    if !is_exact {
        for word in [x, y] {
            lemmas.push(calc!(b; eq(and(and(value, one), not(word)), zero)));
        }
        corners(b, lemmas, [f, g], [x, y]);
    }
    let fits = if is_signed {
        let product = signed(b, x, y);
        fits(b, product)
    } else {
        let high = b.umulh(x, y);
        b.eq(high, zero)
    };
    for (word, other) in [(x, y), (y, x)] {
        let quotient = if is_signed { b.sdiv(value, other) } else { b.udiv(value, other) };
        let given = calc!(b; both(fits, is_nonzero(other)));
        lemmas.push(calc!(b; implies(given, eq(quotient, word))));
    }
}
