//! Products as numbers: where they lie follows from where their factors lie.
//!
//! The product of two words of w bits is a number of 2 w bits, of which a query may say that it fits w. Whether it does for
//! factors in some ranges is decided by the corners of these: x y lies between the products of the bounds of x and y. That is
//! a matter of two steps, each of which keeps a factor, so products of every factor with every bound of the other are
//! *instantiated*, and what is known of two that share a factor:
//!
//! ```text
//! step      a < b, c >= 0        a c + c <= b c
//!           a < b, c <= 0        b c <= a c + c
//! range     |a b| <= 2^(2 w - 2) signed, a b <= (2^w - 1)^2 unsigned
//! units     1 b = b,             signed -1 b = -b
//! euclid    y != 0               (x / y) y + x % y = x, where the quotient is no overflow
//! ```
//!
//! All are in exact arithmetic: integers are proved by them to have one quotient and one remainder, and bounds to be
//! bounds. *step* is b = a + 1 + d with d >= 0, multiplied by c. Products are unknown words otherwise.

use planish_base::Id;
use planish_ops::Bits;

use super::words::{Division, Facts, Found, is_signed, is_zero, pair, state, widened};
use super::{about, products, with_laws};
use crate::query::Query;
use crate::signature::{Binary, Unary};
use crate::term::{Node, Pool, Term};
use crate::theorems::Theorem;

/// How many products are made, and how many divisions are looked at.
const PRODUCTS: usize = 40;
const DIVISIONS: usize = 6;

/// A factor may be bounded by a word that is bounded itself.
const ROUNDS: usize = 3;

/// A product as a word of twice the width.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Exact {
    signed: bool,
    factors: [Term; 2],
    word: Term,
}

/// Whether a query multiplies unknowns and compares or divides words.
pub(crate) fn has_orders(pool: &Pool, query: &Query) -> bool {
    let found = Found::of(pool, query);
    found.products.iter().any(|&[a, b, word]| {
        let is_unknown = pool.value(a).is_none() && pool.value(b).is_none();
        is_unknown || (!found.divisions.is_empty() && pool.width(word) <= 64)
    })
}

/// What follows from the order of products; empty where there are none.
pub(crate) fn orders(pool: &mut Pool, query: &Query) -> Facts {
    let found = Found::of(pool, query);
    if found.products.is_empty() {
        return Facts::default();
    }
    let mut facts = Facts::default();
    let mut exact: Vec<Exact> = Vec::new();
    for &[a, b, _] in &found.products {
        if let Some((signed, factors)) = extended(pool, [a, b]) {
            add(pool, signed, factors, &mut exact);
        }
    }
    for &division in found.divisions.iter().take(DIVISIONS) {
        if pool.width(division.x) <= 64 {
            facts.by(Theorem::Division, |facts| euclid(pool, division, &mut exact, facts));
        }
    }
    // What the query itself multiplies is a number of one sign or the other, as it treats others.
    let mut wanted = compared(pool, query);
    for one in &exact {
        wanted[usize::from(one.signed)] = true;
    }
    for &[a, b, word] in &found.products {
        let is_narrow = pool.width(word) <= 64;
        for signed in [false, true].into_iter().filter(|&signed| is_narrow && wanted[usize::from(signed)]) {
            add(pool, signed, [a, b], &mut exact);
        }
    }
    for &Exact { factors: [a, b], word, .. } in &exact {
        let (low, product) = (pool.truncate(word, pool.width(a)), pool.mul(a, b));
        facts.by(Theorem::Wide, |facts| facts.push(pool.eq(low, product)));
    }
    corners(pool, query, &mut exact);
    for (index, &one) in exact.iter().enumerate() {
        facts.by(Theorem::Zero, |facts| {
            products::zero_if(pool, one.factors, one.word, facts);
            by_one(pool, one, facts);
        });
        facts.by(Theorem::Ranges, |facts| in_range(pool, one, facts));
        for &other in &exact[..index] {
            facts.by(Theorem::Steps, |facts| related(pool, one, other, facts));
        }
    }
    facts.extend(about(pool, query));
    with_laws(pool, query, facts)
}

/// Whether a query compares products unsigned, and signed.
fn compared(pool: &Pool, query: &Query) -> [bool; 2] {
    let mut found = [false; 2];
    for (index, _) in pool.reachable(&query.assertions).into_iter().enumerate().filter(|&(_, r)| r) {
        let (signed, sides) = match pool.node(Term::from_index(index)) {
            Node::Binary(Binary::Ult, a, b) => (0, [a, b]),
            Node::Binary(Binary::Slt, a, b) => (1, [a, b]),
            _ => continue,
        };
        found[signed] |= sides.iter().any(|&side| matches!(pool.node(side), Node::Binary(Binary::Mul, ..)));
    }
    found
}

/// The product of two words, once.
fn add(pool: &mut Pool, signed: bool, [a, b]: [Term; 2], exact: &mut Vec<Exact>) -> Term {
    let (x, y) = (widened(pool, signed, a), widened(pool, signed, b));
    let word = pool.mul(x, y);
    let is_known = |known: &Exact| {
        let same = known.factors == [a, b] || known.factors == [b, a];
        known.signed == signed && same
    };
    if exact.len() < PRODUCTS && !exact.iter().any(is_known) {
        exact.push(Exact { signed, factors: [a, b], word });
    }
    word
}

/// The words of which a product of extended words is; a constant is one as well.
fn extended(pool: &mut Pool, operands: [Term; 2]) -> Option<(bool, [Term; 2])> {
    let inner = |pool: &Pool, term: Term| match pool.node(term) {
        Node::Unary(Unary::ZeroExtend(_), x) => Some((false, x)),
        Node::Unary(Unary::SignExtend(_), x) => Some((true, x)),
        _ => None,
    };
    let [a, b] = operands;
    let (signed, x) = inner(pool, a).or_else(|| inner(pool, b))?;
    let width = pool.width(x);
    if 2 * width != pool.width(a) {
        return None;
    }
    let mut factors = [x; 2];
    for (factor, operand) in factors.iter_mut().zip(operands) {
        *factor = pool.truncate(operand, width);
        if widened(pool, signed, *factor) != operand {
            return None;
        }
    }
    Some((signed, factors))
}

/// Dividend, divisor, quotient and remainder.
fn euclid(
    pool: &mut Pool,
    Division { op, x, y, .. }: Division,
    exact: &mut Vec<Exact>,
    facts: &mut Vec<Term>,
) {
    let signed = is_signed(op);
    let (quotient, remainder) = pair(op);
    let (q, r) = (pool.binary(quotient, x, y), pool.binary(remainder, x, y));
    let product = add(pool, signed, [q, y], exact);
    let (rest, whole) = (widened(pool, signed, r), widened(pool, signed, x));
    let sum = pool.add(product, rest);
    let then = pool.eq(sum, whole);
    let mut given = vec![pool.is_nonzero(y)];
    if signed {
        let (least, minus) = (pool.signed_min(x), pool.ones(y));
        let (is_least, by_minus) = (pool.eq(x, least), pool.eq(y, minus));
        let overflows = pool.both(is_least, by_minus);
        given.push(pool.negate(overflows));
    }
    state(pool, given, then, facts);
}

/// Products of the bounds of factors, and of one factor with the bounds of the other.
fn corners(pool: &mut Pool, query: &Query, exact: &mut Vec<Exact>) {
    let mut done = 0;
    for _ in 0..ROUNDS {
        let end = exact.len();
        for index in done..end {
            let Exact { signed, factors: [a, b], .. } = exact[index];
            for bound in products::bounds(pool, query, a) {
                add(pool, signed, [bound, b], exact);
            }
            for bound in products::bounds(pool, query, b) {
                add(pool, signed, [a, bound], exact);
            }
            // Between two products without a common factor is one that shares a factor with each.
            for other in 0..index {
                let Exact { signed: other_signed, factors: [c, d], .. } = exact[other];
                let apart = [a, b].iter().all(|factor| ![c, d].contains(factor));
                if signed == other_signed && apart && pool.width(a) == pool.width(c) {
                    for mixed in [[a, d], [c, b]] {
                        add(pool, signed, mixed, exact);
                    }
                }
            }
        }
        done = end;
    }
}

/// What a product is at most and at least, so that a factor may be added to it.
fn in_range(pool: &mut Pool, Exact { signed, factors: [a, _], word }: Exact, facts: &mut Vec<Term>) {
    if signed {
        let least = pool.signed_min(a);
        let least = widened(pool, true, least);
        let most = pool.mul(least, least);
        let negated = pool.neg(most);
        facts.extend([pool.sle(word, most), pool.sle(negated, word)]);
    } else {
        let most = pool.ones(a);
        let most = widened(pool, false, most);
        let most = pool.mul(most, most);
        facts.push(pool.ule(word, most));
    }
}

/// A product by 1 or -1.
fn by_one(pool: &mut Pool, Exact { signed, factors: [a, b], word }: Exact, facts: &mut Vec<Term>) {
    for (factor, other) in [(a, b), (b, a)] {
        let (one, same) = (pool.one(factor), widened(pool, signed, other));
        // In one bit, 1 is -1.
        if !signed || pool.width(factor) > 1 {
            let (is_one, then) = (pool.eq(factor, one), pool.eq(word, same));
            state(pool, [is_one], then, facts);
        }
        if signed {
            let (minus_one, negated) = (pool.ones(factor), pool.neg(same));
            let (is_minus_one, then) = (pool.eq(factor, minus_one), pool.eq(word, negated));
            state(pool, [is_minus_one], then, facts);
        }
    }
}

/// What is known of two products.
fn related(pool: &mut Pool, one: Exact, other: Exact, facts: &mut Vec<Term>) {
    if pool.width(one.word) != pool.width(other.word) {
        return;
    }
    let [a, b] = one.factors;
    if one.signed != other.signed {
        if one.factors == other.factors {
            let nonnegative = [a, b].map(|word| {
                let is_negative = pool.is_negative(word);
                pool.negate(is_negative)
            });
            let same = pool.eq(one.word, other.word);
            state(pool, nonnegative, same, facts);
        }
        return;
    }
    let [c, d] = other.factors;
    for (common, x) in [(a, b), (b, a)] {
        for (_, y) in [(c, d), (d, c)].into_iter().filter(|&(factor, _)| factor == common) {
            step(pool, common, [(x, one), (y, other)], facts);
            step(pool, common, [(y, other), (x, one)], facts);
        }
    }
}

/// What follows where a < b.
fn step(pool: &mut Pool, common: Term, [(a, less), (b, more)]: [(Term, Exact); 2], facts: &mut Vec<Term>) {
    let extended = widened(pool, less.signed, common);
    let next = pool.add(less.word, extended);
    if !less.signed {
        let (below, then) = (pool.ult(a, b), pool.ule(next, more.word));
        return state(pool, [below], then, facts);
    }
    let (below, negative) = (pool.slt(a, b), pool.is_negative(common));
    let positive = pool.negate(negative);
    let grows = pool.sle(next, more.word);
    state(pool, [below, positive], grows, facts);
    let falls = pool.sle(more.word, next);
    let zero = is_zero(pool, common);
    let not_positive = pool.either(negative, zero);
    state(pool, [below, not_positive], falls, facts);
}
