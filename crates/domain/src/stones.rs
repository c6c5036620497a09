//! Stepping stones: statements that lead from what a theorem is given to what it claims.
//!
//! That x & y lies at most the bits of x that y may lack below a word of an interval is a chain of small
//! steps, each of which a solver takes at once: how far x lies above the least word, what is taken away, that neither sum
//! wraps. To find the chain is what it takes minutes for. So the chain is said here, for the
//! operations whose bounds come from sums and shifts.
//!
//! A stone is a hint and nothing else: it is used only where it was shown to follow from what is given and the
//! stones before it. What it says of the transfer function is said in terms of the function's own expressions.

use planish_ops::{Bits, Op};

use crate::calc::calc;
use crate::contracts::is_between;
use crate::fact::{FactOf, unsigned_max, unsigned_min};
use crate::forward::{arith, bitwise};

/// The stones of theorems about an operation on members `words` of `facts`, in order; none where it needs none.
pub(crate) fn of<B: Bits>(b: &mut B, op: Option<Op>, facts: &[FactOf<B>], words: &[B::Word]) -> Vec<B::Bool> {
    let mut stones = Vec::new();
    match (op, facts, words) {
        (Some(Op::And), &[f, g, ..], &[x, y, ..]) => and(b, &mut stones, [f, g], [x, y]),
        (Some(Op::Or), &[f, g, ..], &[x, y, ..]) => {
            let (f, g) = (bitwise::not(b, f), bitwise::not(b, g));
            let (x, y) = (b.not(x), b.not(y));
            and(b, &mut stones, [f, g], [x, y]);
        }
        (Some(Op::Xor), &[f, g, ..], &[x, y, ..]) => xor(b, &mut stones, [f, g], [x, y]),
        (Some(Op::Add | Op::AddOvf | Op::UaddOvf), &[f, g, ..], &[x, y, ..]) => {
            let above_x = above(b, &mut stones, f, x);
            let above_y = above(b, &mut stones, g, y);
            let (value, from, to) = (b.add(x, y), b.add(f.lo, g.lo), b.add(f.hi, g.hi));
            let fits = arith::spans_fit(b, f, g);
            sum(b, &mut stones, fits, [above_x, above_y], [value, from, to]);
        }
        (Some(Op::Sub | Op::SubOvf | Op::UsubOvf), &[f, g, ..], &[x, y, ..]) => {
            let above_x = above(b, &mut stones, f, x);
            let below_y = below(b, &mut stones, g, y);
            let (value, from, to) = (b.sub(x, y), b.sub(f.lo, g.hi), b.sub(f.hi, g.lo));
            let fits = arith::spans_fit(b, f, g);
            sum(b, &mut stones, fits, [above_x, below_y], [value, from, to]);
        }
        (Some(op @ (Op::Lshift | Op::Rshift | Op::Urshift)), &[f, _, ..], &[x, y, ..]) => {
            shift(b, &mut stones, op, f, x, y);
        }
        _ => {}
    }
    stones
}

/// Those of shifts: by one amount, the bounds shift to bounds.
fn shift<B: Bits>(b: &mut B, stones: &mut Vec<B::Bool>, op: Op, f: FactOf<B>, x: B::Word, y: B::Word) {
    let amount = b.mask_amount(y);
    match op {
        Op::Rshift => {
            for (low, high) in [(f.lo, x), (x, f.hi)] {
                stones.push(calc!(b; sle(ashr(low, amount), ashr(high, amount))));
            }
        }
        Op::Urshift => {
            let (least, most) = (unsigned_min(b, f), unsigned_max(b, f));
            for (low, high) in [(least, x), (x, most)] {
                stones.push(b.ule(low, high));
                stones.push(calc!(b; ule(lshr(low, amount), lshr(high, amount))));
            }
        }
        _ => {
            let low_fits = calc!(b; eq(ashr(shl(f.lo, amount), amount), f.lo));
            let high_fits = calc!(b; eq(ashr(shl(f.hi, amount), amount), f.hi));
            let fits = b.both(low_fits, high_fits);
            for (low, high) in [(f.lo, x), (x, f.hi)] {
                stones.push(calc!(b; implies(fits, sle(shl(low, amount), shl(high, amount)))));
            }
        }
    }
}

/// A distance and its greatest value.
type Distance<W> = (W, W);

/// How far a member lies above the least.
fn above<B: Bits>(b: &mut B, stones: &mut Vec<B::Bool>, f: FactOf<B>, x: B::Word) -> Distance<B::Word> {
    let (distance, span) = (b.sub(x, f.lo), b.sub(f.hi, f.lo));
    stones.push(b.ule(distance, span));
    (distance, span)
}

/// How far a member lies below the greatest.
fn below<B: Bits>(b: &mut B, stones: &mut Vec<B::Bool>, f: FactOf<B>, x: B::Word) -> Distance<B::Word> {
    let (distance, span) = (b.sub(f.hi, x), b.sub(f.hi, f.lo));
    stones.push(b.ule(distance, span));
    (distance, span)
}

/// That `value` is in the circular interval, being `from` and two distances, where their spans fit.
fn sum<B: Bits>(
    b: &mut B,
    stones: &mut Vec<B::Bool>,
    fits: B::Bool,
    [(first, first_span), (second, second_span)]: [Distance<B::Word>; 2],
    [value, from, to]: [B::Word; 3],
) {
    let (distance, span) = (b.add(first, second), b.add(first_span, second_span));
    stones.push(calc!(b; implies(fits, ule(distance, span))));
    stones.push(calc!(b; eq(sub(value, from), distance)));
    stones.push(calc!(b; eq(sub(to, from), span)));
    stones.push(is_between(b, fits, value, from, to));
}

/// Those of x & y.
fn and<B: Bits>(b: &mut B, stones: &mut Vec<B::Bool>, [f, g]: [FactOf<B>; 2], [x, y]: [B::Word; 2]) {
    let value = b.and(x, y);
    // In the unsigned order.
    let ones = b.and(f.ones, g.ones);
    let (most_f, most_g) = (unsigned_max(b, f), unsigned_max(b, g));
    let most = b.umin(most_f, most_g);
    for (low, high) in [(value, x), (value, y), (x, most_f), (y, most_g), (ones, value), (value, most)] {
        stones.push(b.ule(low, high));
    }
    let always = b.truth(true);
    stones.push(is_between(b, always, value, ones, most));
    // By distance from either operand.
    let zero = b.zero(x);
    for (f, g, x, y) in [(f, g, x, y), (g, f, y, x)] {
        let less = calc!(b; not(or(f.zeros, g.ones)));
        let lost = calc!(b; and(x, not(y)));
        near(b, stones, f, x, [(lost, less), (zero, zero)], value);
    }
    sign_bits(b, stones, [f, g], [x, y, value]);
}

/// Those of x ^ y.
fn xor<B: Bits>(b: &mut B, stones: &mut Vec<B::Bool>, [f, g]: [FactOf<B>; 2], [x, y]: [B::Word; 2]) {
    let value = b.xor(x, y);
    let common = calc!(b; not(or(f.zeros, g.zeros)));
    let lost = b.and(x, y);
    for (f, g, x, y) in [(f, g, x, y), (g, f, y, x)] {
        let only = calc!(b; not(or(g.zeros, f.ones)));
        let gained = calc!(b; and(y, not(x)));
        near(b, stones, f, x, [(lost, common), (gained, only)], value);
    }
    sign_bits(b, stones, [f, g], [x, y, value]);
}

/// That `value`, which is x less `lost` and `gained`, is as near to the interval of x as their masks say.
fn near<B: Bits>(
    b: &mut B,
    stones: &mut Vec<B::Bool>,
    f: FactOf<B>,
    x: B::Word,
    [(lost, less), (gained, more)]: [Distance<B::Word>; 2],
    value: B::Word,
) {
    let (fits, from, to) = bitwise::around(b, f, less, more);
    let (distance, span) = above(b, stones, f, x);
    let kept = b.sub(less, lost);
    stones.push(b.ule(kept, less));
    stones.push(b.ule(gained, more));
    let (farther, wider) = (b.add(distance, kept), b.add(span, less));
    stones.push(calc!(b; implies(ule(span, wider), ule(farther, wider))));
    let (farthest, widest) = (b.add(farther, gained), b.add(wider, more));
    stones.push(calc!(b; implies(fits, ule(farthest, widest))));
    let sum = calc!(b; add(sub(x, lost), gained));
    stones.push(b.eq(value, sum));
    stones.push(calc!(b; eq(sub(value, from), farthest)));
    stones.push(calc!(b; eq(sub(to, from), widest)));
    stones.push(is_between(b, fits, value, from, to));
}

/// That words of which two are members of facts, and the third a bitwise function of these, fit the signed bits.
fn sign_bits<B: Bits>(b: &mut B, stones: &mut Vec<B::Bool>, [f, g]: [FactOf<B>; 2], words: [B::Word; 3]) {
    let mask = bitwise::signed_mask(b, f, g);
    let last = b.word(b.width(mask), u64::from(b.width(mask)) - 1);
    let zero = b.zero(mask);
    for word in words {
        stones.push(calc!(b; eq(and(xor(word, ashr(word, last)), not(mask)), zero)));
    }
    let (always, from) = (b.truth(true), b.not(mask));
    stones.push(is_between(b, always, words[2], from, mask));
}
