//! The lemmas of quotients and remainders.
//!
//! The quotient of x and y lies between those of the ends of x by y, and these between quotients of ends, since quotients
//! of one sign of the divisor grow or fall with both operands. Remainders are smaller than divisors, and what is taken off the dividend
//! is a multiple of the divisor.

use planish_ops::{Bits, Op};

use super::products;
use crate::backward::divide::{floordiv_dividends, sdiv_dividends};
use crate::calc::calc;
use crate::fact::{FactOf, is_between, is_constant, unsigned_max, unsigned_min};
use crate::forward::arith::lowest_bit;
use crate::forward::divide::{
    Quotient, corners_above, corners_below, floor_quotient, most_less_one, nonzero_unsigned,
};

/// Those of the unsigned quotient by a divisor that is not 0.
pub(super) fn unsigned<B: Bits>(
    b: &mut B,
    lemmas: &mut Vec<B::Bool>,
    [f, g]: [FactOf<B>; 2],
    [x, y]: [B::Word; 2],
) {
    let [(low_x, high_x), (low_y, high_y)] = unsigned_bounds(b, lemmas, [f, g], [x, y]);
    let chain =
        [(low_x, high_y), (x, high_y), (x, y), (x, low_y), (high_x, low_y)].map(|(p, q)| b.udiv(p, q));
    for pair in chain.windows(2) {
        lemmas.push(b.ule(pair[0], pair[1]));
    }
    let [from, _, value, _, to] = chain;
    inside(b, lemmas, [from, value, to]);
}

/// That a word lies between two that are in unsigned order, and so in the circle from one to the other.
fn inside<B: Bits>(b: &mut B, lemmas: &mut Vec<B::Bool>, [from, value, to]: [B::Word; 3]) {
    lemmas.extend([b.ule(from, value), b.ule(value, to)]);
    let always = b.truth(true);
    lemmas.push(is_between(b, always, value, from, to));
}

/// The least and the greatest dividend and divisor, of which 0 is none.
fn unsigned_bounds<B: Bits>(
    b: &mut B,
    lemmas: &mut Vec<B::Bool>,
    [f, g]: [FactOf<B>; 2],
    [x, y]: [B::Word; 2],
) -> [(B::Word, B::Word); 2] {
    let bounds = [(unsigned_min(b, f), unsigned_max(b, f)), nonzero_unsigned(b, g)];
    for ((low, high), word) in bounds.into_iter().zip([x, y]) {
        lemmas.extend([b.ule(low, word), b.ule(word, high)]);
    }
    bounds
}

/// Those of the unsigned remainder.
pub(super) fn unsigned_rest<B: Bits>(
    b: &mut B,
    lemmas: &mut Vec<B::Bool>,
    [f, g]: [FactOf<B>; 2],
    [x, y]: [B::Word; 2],
    value: B::Word,
) {
    let [(low_x, high_x), (low_y, high_y)] = unsigned_bounds(b, lemmas, [f, g], [x, y]);
    let one = b.one(x);
    let last = b.sub(high_y, one);
    lemmas.extend([b.ult(value, y), b.ule(value, last), b.ule(value, x), b.ule(value, high_x)]);
    let (zero, most) = (b.zero(x), b.umin(high_x, last));
    inside(b, lemmas, [zero, value, most]);
    // Of one divisor, and no multiple of it between.
    let straight = calc!(b; both(eq(low_y, high_y), eq(udiv(low_x, low_y), udiv(high_x, low_y))));
    lemmas.push(calc!(b; implies(straight, eq(y, low_y))));
    let quotients = [low_x, x, high_x].map(|word| b.udiv(word, low_y));
    lemmas.push(calc!(b; implies(straight, eq(udiv(low_x, low_y), udiv(x, low_y)))));
    lemmas.push(b.ule(quotients[0], quotients[1]));
    lemmas.push(b.ule(quotients[1], quotients[2]));
    let rests = [low_x, x, high_x].map(|word| b.urem(word, low_y));
    for pair in rests.windows(2) {
        let (low, high) = (pair[0], pair[1]);
        lemmas.push(calc!(b; implies(straight, ule(low, high))));
    }
    let [low, _, high] = rests;
    lemmas.push(calc!(b; implies(straight, both(ule(low, value), ule(value, high)))));
    low_bits(b, lemmas, g, [x, y], value);
}

/// That the dividend and the remainder agree below the lowest bit that the divisor may have.
pub(super) fn low_bits<B: Bits>(
    b: &mut B,
    lemmas: &mut Vec<B::Bool>,
    g: FactOf<B>,
    [x, y]: [B::Word; 2],
    value: B::Word,
) {
    let possible = b.not(g.zeros);
    let (lowest, one, zero) = (lowest_bit(b, possible), b.one(x), b.zero(x));
    let mask = b.sub(lowest, one);
    lemmas.push(calc!(b; eq(and(y, mask), zero)));
    lemmas.push(calc!(b; eq(and(sub(x, value), mask), zero)));
    lemmas.push(calc!(b; eq(and(xor(x, value), mask), zero)));
}

/// Those of a signed remainder.
pub(super) fn signed_rest<B: Bits>(
    b: &mut B,
    lemmas: &mut Vec<B::Bool>,
    op: Op,
    [f, g]: [FactOf<B>; 2],
    [x, y]: [B::Word; 2],
    value: B::Word,
) {
    let (zero, one) = (b.zero(x), b.one(x));
    let (from, to) = if op == Op::Srem {
        let most = most_less_one(b, g);
        let least = b.neg(most);
        lemmas.extend([b.sle(least, value), b.sle(value, most)]);
        (b.smin(f.lo, zero), b.smax(f.hi, zero))
    } else {
        let positive = b.slt(zero, g.hi);
        let from = calc!(b; select(is_negative(g.lo), add(g.lo, one), zero));
        (from, calc!(b; select(positive, sub(g.hi, one), zero)))
    };
    lemmas.extend([b.sle(from, value), b.sle(value, to)]);
    low_bits(b, lemmas, g, [x, y], value);
}

/// How an operation rounds a signed quotient.
pub(super) fn rounding<B: Bits>(op: Op) -> Option<Quotient<B>> {
    match op {
        Op::Sdiv => Some(B::sdiv),
        Op::FloorDiv => Some(floor_quotient),
        _ => None,
    }
}

/// Those of a signed quotient by a divisor of one sign, which is a member of `side`.
pub(super) fn signed<B: Bits>(
    b: &mut B,
    divide: Quotient<B>,
    [f, side]: [FactOf<B>; 2],
    [x, y, value]: [B::Word; 3],
    is_negative: bool,
) -> Vec<B::Bool> {
    let (from, to) =
        if is_negative { corners_below(b, f, side, divide) } else { corners_above(b, f, side, divide) };
    let (first, last) = if is_negative { (f.hi, f.lo) } else { (f.lo, f.hi) };
    let sides = [first, last].map(|end| divide(b, end, y));
    let (min, minus, negative) = (b.signed_min(x), b.ones(x), b.is_negative(y));
    let sign = if is_negative { negative } else { b.negate(negative) };
    let wraps = calc!(b; both(eq(f.lo, min), eq(side.hi, minus)));
    let given = calc!(b; both(sign, negate(wraps)));
    let chain =
        [(from, sides[0]), (sides[0], value), (value, sides[1]), (sides[1], to), (from, value), (value, to)];
    chain.map(|(low, high)| calc!(b; implies(given, sle(low, high)))).to_vec()
}

/// Those of the dividend of an unsigned quotient: it is the quotient times the divisor, and a remainder.
pub(super) fn unsigned_dividend<B: Bits>(
    b: &mut B,
    lemmas: &mut Vec<B::Bool>,
    [g, result]: [FactOf<B>; 2],
    [x, y, value]: [B::Word; 3],
) {
    let rest = b.urem(x, y);
    let (product, high) = (b.mul(value, y), b.umulh(value, y));
    let zero = b.zero(x);
    lemmas.extend([b.eq(high, zero), b.ule(product, x), calc!(b; eq(sub(x, product), rest)), b.ult(rest, y)]);
    products::unsigned_ends(b, lemmas, [result, g], [value, y]);
    let (low, high) = (unsigned_min(b, result), unsigned_max(b, result));
    let (low_y, high_y) = (unsigned_min(b, g), unsigned_max(b, g));
    let (least, most) = (b.mul(low, low_y), b.mul(high, high_y));
    let (low_carry, carry, one) = (b.umulh(low, low_y), b.umulh(high, high_y), b.one(x));
    lemmas.push(calc!(b; implies(eq(low_carry, zero), ule(least, x))));
    let last = b.sub(high_y, one);
    let to = b.add(most, last);
    let fits = calc!(b; both(eq(carry, zero), ule(most, to)));
    lemmas.push(calc!(b; implies(fits, ule(product, most))));
    lemmas.push(b.ule(rest, last));
    lemmas.push(calc!(b; implies(fits, ule(x, to))));
}

/// Those of the dividend of a signed quotient by a positive constant.
pub(super) fn signed_dividend<B: Bits>(
    b: &mut B,
    lemmas: &mut Vec<B::Bool>,
    op: Op,
    [g, result]: [FactOf<B>; 2],
    [x, y, value]: [B::Word; 3],
) {
    let (zero, constant) = (b.zero(x), is_constant(b, g));
    let given = calc!(b; both(constant, slt(zero, y)));
    let chain = [(result.lo, value), (value, result.hi)];
    let mut of_constant = vec![b.eq(y, g.lo)];
    for (low, high) in chain {
        let wide = [low, high].map(|word| products::signed(b, word, y));
        of_constant.push(products::at_most(b, B::slt, wide[0], wide[1]));
    }
    let (from, to) = match op {
        Op::FloorDiv => floordiv_dividends(b, result, g),
        _ => sdiv_dividends(b, result, g),
    };
    of_constant.extend([b.sle(from, x), b.sle(x, to)]);
    let always = b.truth(true);
    of_constant.push(is_between(b, always, x, from, to));
    for lemma in of_constant {
        lemmas.push(b.implies(given, lemma));
    }
}
