//! Inverses modulo a power of two: exact division, odd multiples, and what divides what.

use planish_ops::{Bits, Op};

use super::quotients::{divides, rounded_down};
use super::words::{Division, is_positive, is_signed, is_zero, meaning, meaning_of_one, pair, state};
use crate::ring;
use crate::signature::{Binary, Unary};
use crate::term::{Node, Pool, Term};
use crate::value::Value;

pub(super) fn exact(
    pool: &mut Pool,
    Division { op, x: n, y: c, word }: Division,
    products: &[[Term; 3]],
    facts: &mut Vec<Term>,
) {
    let (quotient, remainder) = pair(op);
    if let Node::Binary(Binary::Sub, x, rest) = pool.node(n)
        && pool.node(rest) == Node::Binary(remainder, x, c)
    {
        if op == quotient {
            let (some, whole) = (pool.is_nonzero(c), pool.binary(quotient, x, c));
            let then = pool.eq(word, whole);
            state(pool, [some], then, facts);
            let rest = pool.binary(remainder, n, c);
            let none = is_zero(pool, rest);
            state(pool, [], none, facts);
        } else {
            let none = is_zero(pool, word);
            state(pool, [], none, facts);
        }
    }
    if let Node::Binary(Binary::Sub, x, rest) = pool.node(n)
        && is_signed(op)
        && rounded_down(pool, rest) == Some((Op::FloorMod, x, c))
    {
        let overflow = meaning(pool, Op::SubOvf, x, rest).1;
        let (fits, divides) = (pool.negate(overflow), divides(pool, remainder, n, c));
        state(pool, [fits], divides, facts);
    }
    if op != quotient {
        return;
    }
    let (one, width) = (pool.one(c), pool.width(c));
    for &[p, q, by_inverse] in products {
        if pool.width(p) != width {
            continue;
        }
        for (n_or_part, i) in [(p, q), (q, p)] {
            let divides = divides(pool, remainder, n, c);
            let then = pool.eq(word, by_inverse);
            if n_or_part == n {
                let unit = pool.mul(c, i);
                let inverse = pool.eq(unit, one);
                state(pool, [divides, inverse], then, facts);
            } else if let Some(k) = shifted(pool, n_or_part, n, is_signed(op)) {
                let odd = pool.lshr(c, k);
                let unit = pool.mul(odd, i);
                let (whole, inverse) = (loses_nothing(pool, c, k), pool.eq(unit, one));
                let mut given = vec![divides, whole, inverse];
                if is_signed(op) {
                    // The arithmetic shift of a negative divisor is another word.
                    given.push(is_positive(pool, c));
                }
                state(pool, given, then, facts);
            }
        }
    }
}

/// Whether c has k zeros at its end: none that a shift by their number drops.
fn loses_nothing(pool: &mut Pool, c: Term, k: Term) -> Term {
    if pool.width(c) <= 64 && meaning_of_one(pool, Op::Ctz, c) == k {
        return pool.is_nonzero(c);
    }
    let down = pool.lshr(c, k);
    let back = pool.shl(down, k);
    pool.eq(back, c)
}

/// The amount, where a word is n shifted down.
fn shifted(pool: &Pool, word: Term, n: Term, signed: bool) -> Option<Term> {
    let down = if signed { Binary::Ashr } else { Binary::Lshr };
    match pool.node(word) {
        Node::Binary(op, m, k) if op == down && m == n => Some(k),
        _ => None,
    }
}

pub(super) fn odd(pool: &mut Pool, [a, b]: [Term; 2], products: &[[Term; 3]], facts: &mut Vec<Term>) {
    let factors = |pool: &Pool, term: Term| match pool.node(term) {
        Node::Binary(Binary::Mul, p, q) => vec![(p, q), (q, p)],
        _ => Vec::new(),
    };
    let equal = pool.eq(a, b);
    let mut state_same = |pool: &mut Pool, condition: Term, x: Term, y: Term| {
        let same = pool.eq(x, y);
        let then = pool.same(equal, same);
        state(pool, [condition], then, facts);
    };
    for (x, c) in factors(pool, a) {
        for (y, _) in factors(pool, b).into_iter().filter(|&(_, other)| other == c) {
            let is_odd = odd_word(pool, c);
            state_same(pool, is_odd, x, y);
        }
    }
    for (product, other) in [(a, b), (b, a)] {
        for (x, c) in factors(pool, product) {
            if pool.value(other) == Some(Value::bits(pool.width(c), 0)) {
                let is_odd = odd_word(pool, c);
                state_same(pool, is_odd, x, other);
            }
            let one = pool.one(c);
            for &[p, q, by_inverse] in products {
                for i in [(p, q), (q, p)].into_iter().filter(|&(y, _)| y == other).map(|(_, i)| i) {
                    let unit = pool.mul(c, i);
                    let inverse = pool.eq(unit, one);
                    state_same(pool, inverse, x, by_inverse);
                }
            }
        }
    }
}

fn odd_word(pool: &mut Pool, c: Term) -> Term {
    let low = pool.unary(Unary::Extract { low: 0, width: 1 }, c);
    let one = pool.word(1, 1);
    pool.eq(low, one)
}

/// With an inverse i of c that the query asks for, x c = y exactly where x = y i.
pub(super) fn units(
    pool: &mut Pool,
    equalities: &[[Term; 2]],
    products: &[[Term; 3]],
    facts: &mut Vec<Term>,
) {
    let mut inverses: Vec<[Term; 2]> = Vec::new();
    for &[unit, one] in equalities {
        if pool.value(one).is_some_and(|value| value == Value::bits(pool.width(one), 1))
            && let Node::Binary(Binary::Mul, c, i) = pool.node(unit)
        {
            inverses.extend([[c, i], [i, c]]);
        }
    }
    for &[c, i] in &inverses {
        for [product, other] in equalities.iter().flat_map(|&[a, b]| [[a, b], [b, a]]) {
            let Node::Binary(Binary::Mul, p, q) = pool.node(product) else { continue };
            let Some(x) = [(p, q), (q, p)].into_iter().find(|&(_, factor)| factor == c).map(|(x, _)| x)
            else {
                continue;
            };
            let by_inverse = pool.mul(other, i);
            // The query may write the same product in another way.
            let known = products.iter().map(|product| product[2]);
            let alike: Vec<Term> =
                known.filter(|&known| known != by_inverse && pool.sort(known) == pool.sort(other)).collect();
            let by_inverse = alike
                .into_iter()
                .find(|&known| ring::are_equal(pool, known, by_inverse))
                .unwrap_or(by_inverse);
            let unit = pool.mul(c, i);
            let one = pool.one(c);
            let (is_inverse, equal, same) =
                (pool.eq(unit, one), pool.eq(product, other), pool.eq(x, by_inverse));
            let then = pool.same(equal, same);
            state(pool, [is_inverse], then, facts);
        }
    }
}

/// Whether a remainder is this number, asked of a product: the multiples of c are the numbers that the inverse of c makes
/// small.
pub(super) fn divisible(
    pool: &mut Pool,
    [rest, d]: [Term; 2],
    products: &[[Term; 3]],
    facts: &mut Vec<Term>,
) {
    let Node::Binary(op @ (Binary::Urem | Binary::Srem), n, c) = pool.node(rest) else { return };
    let above = pool.sub(n, d);
    let is_none = pool.value(d) == Some(Value::bits(pool.width(d), 0));
    for &[p, q, product] in products {
        let Some(i) = [(p, q), (q, p)].into_iter().find(|&(p, _)| p == above).map(|(_, i)| i) else {
            continue;
        };
        let (unit, one) = (pool.mul(c, i), pool.one(c));
        let (is_inverse, is_it) = (pool.eq(unit, one), pool.eq(rest, d));
        let (given, small) = if op == Binary::Urem {
            let ones = pool.ones(c);
            let most = pool.sub(ones, d);
            let most = pool.udiv(most, c);
            (pool.ult(d, c), pool.ule(product, most))
        } else if is_none {
            // The multiples of c lie on both sides of zero, as many on each.
            let greatest = pool.signed_max(c);
            let most = pool.sdiv(greatest, c);
            let (moved, twice) = (pool.add(product, most), pool.add(most, most));
            (pool.slt(one, c), pool.ule(moved, twice))
        } else {
            continue;
        };
        let then = pool.same(is_it, small);
        state(pool, [is_inverse, given], then, facts);
    }
}
