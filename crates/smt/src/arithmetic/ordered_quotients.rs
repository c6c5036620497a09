//! Quotients in the order of their dividends and divisors.
//!
//! Of one positive divisor quotients grow with the dividend, and of one dividend that is not negative they fall with a positive
//! divisor. So the bounds of a quotient of two intervals are at corners, whichever way it is rounded.

use planish_ops::{Bits, Op};

use super::quotients::rounded_down;
use super::words::{Found, is_positive, state};
use crate::signature::Binary;
use crate::term::{Pool, Term};

/// How a quotient is rounded.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Rounding {
    Unsigned,
    ToZero,
    Down,
}

/// A quotient.
#[derive(Clone, Copy)]
pub(super) struct Quotient {
    pub(super) rounding: Rounding,
    pub(super) x: Term,
    pub(super) y: Term,
    pub(super) word: Term,
}

/// The quotients of a query.
pub(super) fn quotients(pool: &mut Pool, found: &Found) -> Vec<Quotient> {
    let divisions = found.divisions.iter().filter_map(|division| {
        let rounding = match division.op {
            Binary::Udiv => Rounding::Unsigned,
            Binary::Sdiv => Rounding::ToZero,
            _ => return None,
        };
        Some(Quotient { rounding, x: division.x, y: division.y, word: division.word })
    });
    let mut quotients: Vec<Quotient> = divisions.collect();
    for &word in &found.choices {
        if let Some((Op::FloorDiv, x, y)) = rounded_down(pool, word) {
            quotients.push(Quotient { rounding: Rounding::Down, x, y, word });
        }
    }
    quotients
}

/// The order of each two with one dividend or one divisor.
pub(super) fn ordered(pool: &mut Pool, found: &Found, facts: &mut Vec<Term>) {
    let quotients = quotients(pool, found);
    for (index, &one) in quotients.iter().enumerate() {
        for &other in quotients[..index].iter().filter(|other| other.rounding == one.rounding) {
            for [one, other] in [[one, other], [other, one]] {
                if one.y == other.y {
                    by_dividend(pool, one, other, facts);
                } else if one.x == other.x {
                    by_divisor(pool, one, other, facts);
                }
            }
        }
    }
}

/// Of dividends with one quotient the remainders are ordered as they are.
pub(super) fn ordered_rests(pool: &mut Pool, found: &Found, facts: &mut Vec<Term>) {
    let rests = || found.divisions.iter().filter(|division| division.op == Binary::Urem);
    for (less, more) in rests().flat_map(|less| rests().map(move |more| (less, more))) {
        if less.y == more.y && less.x != more.x {
            let quotients = [less, more].map(|rest| pool.udiv(rest.x, rest.y));
            let given = [pool.ule(less.x, more.x), pool.eq(quotients[0], quotients[1])];
            let then = pool.ule(less.word, more.word);
            state(pool, given, then, facts);
        }
    }
}

/// What the order of two dividends says.
fn by_dividend(pool: &mut Pool, less: Quotient, more: Quotient, facts: &mut Vec<Term>) {
    let y = less.y;
    if less.rounding == Rounding::Unsigned {
        let given = [pool.is_nonzero(y), pool.ule(less.x, more.x)];
        let then = pool.ule(less.word, more.word);
        return state(pool, given, then, facts);
    }
    let (ordered, grows, falls) = (pool.sle(less.x, more.x), is_positive(pool, y), pool.is_negative(y));
    let then = pool.sle(less.word, more.word);
    state(pool, [ordered, grows], then, facts);
    let (fits, then) = (fits(pool, less.x, y), pool.sle(more.word, less.word));
    state(pool, [ordered, falls, fits], then, facts);
}

/// What the order of two divisors says.
fn by_divisor(pool: &mut Pool, less: Quotient, more: Quotient, facts: &mut Vec<Term>) {
    let x = less.x;
    if less.rounding == Rounding::Unsigned {
        let given = [pool.is_nonzero(less.y), pool.ule(less.y, more.y)];
        let then = pool.ule(more.word, less.word);
        return state(pool, given, then, facts);
    }
    let zero = pool.zero(x);
    let (ordered, fits) = (pool.sle(less.y, more.y), fits(pool, x, more.y));
    let one_side = {
        let (positive, negative) = (is_positive(pool, less.y), pool.is_negative(more.y));
        pool.either(positive, negative)
    };
    let (falls, grows) = (pool.sle(zero, x), pool.sle(x, zero));
    let (down, up) = (pool.sle(more.word, less.word), pool.sle(less.word, more.word));
    state(pool, [ordered, one_side, fits, falls], down, facts);
    state(pool, [ordered, one_side, fits, grows], up, facts);
}

/// That a quotient is not that of the least number by -1, which is no word.
fn fits(pool: &mut Pool, x: Term, y: Term) -> Term {
    let (least, minus) = (pool.signed_min(x), pool.ones(y));
    let (is_least, is_minus) = (pool.eq(x, least), pool.eq(y, minus));
    let wraps = pool.both(is_least, is_minus);
    pool.negate(wraps)
}
