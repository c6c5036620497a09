//! Quotients compared with words: as the dividend compared with products of the divisor.
//!
//! That x / y < d exactly where x < d y is what makes a quotient a bound of factors: a word of at most (2^(w-1) - 1) / y times y fits.
//! (Division and multiplication are a Galois connection; Graham, Knuth and Patashnik, "Concrete Mathematics", 1994, 3.2.) The products are
//! of twice the width and lose nothing. Of a quotient it is said beside each word that a query compares it with, or multiplies by
//! its divisor.

use std::collections::BTreeSet;

use planish_ops::Bits;

use super::ordered_quotients::{Quotient, Rounding, quotients};
use super::words::{Found, is_positive, state, widened};
use crate::term::{Pool, Term};

/// What is said of all quotients.
pub(super) fn compared(pool: &mut Pool, found: &Found, facts: &mut Vec<Term>) {
    for quotient in quotients(pool, found) {
        if pool.width(quotient.x) > 64 {
            continue;
        }
        for word in words_beside(quotient, found) {
            beside(pool, quotient, word, facts);
        }
    }
}

/// The words with which a quotient is compared, and those that are multiplied by its divisor.
fn words_beside(Quotient { y, word, .. }: Quotient, found: &Found) -> BTreeSet<Term> {
    let orders = found.orders.iter().map(|&(_, sides)| (word, sides));
    let equalities = found.equalities.iter().map(|&sides| (word, sides));
    let products = found.products.iter().map(|&[a, b, _]| (y, [a, b]));
    let others = orders.chain(equalities).chain(products).flat_map(|(wanted, [a, b])| {
        [(a, b), (b, a)].into_iter().filter(move |&(side, _)| side == wanted).map(|(_, other)| other)
    });
    others.filter(|&other| other != word).collect()
}

/// What is said of a quotient and a word d.
fn beside(pool: &mut Pool, Quotient { rounding, x, y, word }: Quotient, d: Term, facts: &mut Vec<Term>) {
    let signed = rounding != Rounding::Unsigned;
    let less = |pool: &mut Pool, a: Term, b: Term| if signed { pool.slt(a, b) } else { pool.ult(a, b) };
    let [whole, divisor, other] = [x, y, d].map(|word| widened(pool, signed, word));
    let product = pool.mul(other, divisor);
    let (above, below) = (pool.add(product, divisor), pool.sub(product, divisor));
    let (is_less, is_more) = (less(pool, word, d), less(pool, d, word));
    let given = if signed { is_positive(pool, y) } else { pool.is_nonzero(y) };
    // Rounded down, x / y < d is x < d y, and d < x / y is d y + y <= x.
    let (under, short) = (less(pool, whole, product), less(pool, whole, above));
    let over = pool.negate(short);
    if rounding != Rounding::ToZero {
        let then = [pool.same(is_less, under), pool.same(is_more, over)];
        return facts.extend(then.map(|then| pool.implies(given, then)));
    }
    // Below 0 it is rounded up: x / y < d is x <= d y - y, and d < x / y is d y < x.
    let (zero, past) = (pool.zero(d), less(pool, below, whole));
    let (far_under, just_over) = (pool.negate(past), less(pool, product, whole));
    let (positive, negative) = (pool.slt(zero, d), pool.is_negative(d));
    for (sign, compared, of_positive, of_negative) in
        [(positive, is_less, under, far_under), (negative, is_more, just_over, over)]
    {
        let (one, two) = (pool.same(compared, of_positive), pool.same(compared, of_negative));
        let other_sign = pool.negate(sign);
        state(pool, [given, sign], one, facts);
        state(pool, [given, other_sign], two, facts);
    }
}
