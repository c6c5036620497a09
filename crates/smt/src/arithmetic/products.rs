//! Products: what is zero and one in them, and those of twice the width, which lose nothing.

use std::collections::BTreeSet;

use planish_base::Id;
use planish_ops::Bits;

use super::words::{is_zero, product, state};
use crate::query::Query;
use crate::signature::{Binary, Unary};
use crate::term::{Node, Pool, Term};
use crate::value::Value;

/// Nothing and one as factors.
pub(super) fn zero(pool: &mut Pool, [a, b]: [Term; 2], word: Term, facts: &mut Vec<Term>) {
    zero_if(pool, [a, b], word, facts);
    for (one_of, other) in [(a, b), (b, a)] {
        let one = pool.one(one_of);
        let (is_one, same) = (pool.eq(one_of, one), pool.eq(word, other));
        state(pool, [is_one], same, facts);
    }
}

/// That a product is zero where one of the words is of which it is made.
pub(super) fn zero_if(pool: &mut Pool, [a, b]: [Term; 2], product: Term, facts: &mut Vec<Term>) {
    let (none, no_a, no_b) = (is_zero(pool, product), is_zero(pool, a), is_zero(pool, b));
    let no_factor = pool.either(no_a, no_b);
    state(pool, [no_factor], none, facts);
}

/// The words of which a product of extended words is, and whether they are extended with their signs.
pub(super) fn extended(pool: &Pool, [a, b, word]: [Term; 3]) -> Option<(bool, Term, Term)> {
    let (signed, x, y) = match (pool.node(a), pool.node(b)) {
        (Node::Unary(Unary::ZeroExtend(_), x), Node::Unary(Unary::ZeroExtend(_), y)) => (false, x, y),
        (Node::Unary(Unary::SignExtend(_), x), Node::Unary(Unary::SignExtend(_), y)) => (true, x, y),
        _ => return None,
    };
    (2 * pool.width(x) == pool.width(word) && pool.width(x) == pool.width(y)).then_some((signed, x, y))
}

/// A product of extended words loses nothing.
pub(super) fn wide(pool: &mut Pool, product: [Term; 3], others: &[[Term; 3]], facts: &mut Vec<Term>) {
    let Some((signed, x, y)) = extended(pool, product) else { return };
    let [.., word] = product;
    let width = pool.width(x);
    let (low, same_low) = (pool.truncate(word, width), pool.mul(x, y));
    facts.push(pool.eq(low, same_low));
    let (none, no_x, no_y) = (is_zero(pool, word), is_zero(pool, x), is_zero(pool, y));
    let no_factor = pool.either(no_x, no_y);
    state(pool, [none], no_factor, facts);
    for &other in others {
        let Some((other_signed, a, b)) = extended(pool, other) else { continue };
        if signed != other_signed && ([a, b] == [x, y] || [b, a] == [x, y]) {
            let nonnegative = [x, y].map(|word| {
                let is_negative = pool.is_negative(word);
                pool.negate(is_negative)
            });
            let same = pool.eq(word, other[2]);
            state(pool, nonnegative, same, facts);
        }
    }
}

/// A product fits that lies between two that fit: of each product of a query, by the words that its factors are compared with.
pub(super) fn between(pool: &mut Pool, query: &Query, products: &[[Term; 3]], facts: &mut Vec<Term>) {
    for &[x, y, word] in products {
        if pool.width(word) > 64 {
            continue;
        }
        for (x, y) in [(x, y), (y, x)] {
            inside(pool, query, x, y, facts);
            for end in bounds(pool, query, x) {
                inside(pool, query, y, end, facts);
            }
        }
    }
}

/// The same of one factor, the other being kept.
fn inside(pool: &mut Pool, query: &Query, x: Term, kept: Term, facts: &mut Vec<Term>) {
    let ends = bounds(pool, query, x);
    for (&low, &high) in ends.iter().flat_map(|low| ends.iter().map(move |high| (low, high))) {
        if low == high {
            continue;
        }
        let fits = [low, high, x].map(|factor| product(pool, true, factor, kept).1);
        let ends = [pool.sle(low, x), pool.sle(x, high)];
        state(pool, [fits[0], fits[1], ends[0], ends[1]], fits[2], facts);
    }
}

/// How many bounds of a word are looked at.
const BOUNDS: usize = 3;

/// The words with which a query compares a word.
pub(super) fn bounds(pool: &Pool, query: &Query, word: Term) -> Vec<Term> {
    let mut found: BTreeSet<Term> = BTreeSet::new();
    for (index, _) in pool.reachable(&query.assertions).into_iter().enumerate().filter(|&(_, r)| r) {
        if let Node::Binary(Binary::Ult | Binary::Slt, a, b) = pool.node(Term::from_index(index)) {
            found.extend([(a, b), (b, a)].into_iter().filter(|&(a, _)| a == word).map(|(_, b)| b));
        }
    }
    found.into_iter().take(BOUNDS).collect()
}

/// Products with a common factor, or one and zero, are ordered as the other factors are.
pub(super) fn ordered(pool: &mut Pool, op: Binary, [a, b]: [Term; 2], facts: &mut Vec<Term>) {
    if pool.width(a) > 64 {
        return;
    }
    let factors = |pool: &Pool, term: Term| match pool.node(term) {
        Node::Binary(Binary::Mul, p, q) => vec![(p, q), (q, p)],
        _ => Vec::new(),
    };
    let (of_a, of_b) = (factors(pool, a), factors(pool, b));
    let is_zero = |pool: &Pool, term: Term| pool.value(term) == Some(Value::bits(pool.width(term), 0));
    let mut found: Vec<(Term, Term, Term)> = Vec::new();
    for &(x, c) in &of_a {
        found.extend(of_b.iter().filter(|&&(_, other)| other == c).map(|&(y, _)| (c, x, y)));
    }
    if is_zero(pool, b) {
        found.extend(of_a.iter().map(|&(x, c)| (c, x, b)));
    }
    if is_zero(pool, a) {
        found.extend(of_b.iter().map(|&(y, c)| (c, a, y)));
    }
    let signs: &[bool] = match op {
        Binary::Same => &[false, true],
        Binary::Slt => &[true],
        _ => &[false],
    };
    for (&signed, &(c, x, y)) in signs.iter().flat_map(|sign| found.iter().map(move |it| (sign, it))) {
        let fits = [x, y].map(|factor| product(pool, signed, factor, c).1);
        let (products, some, negative) = (pool.binary(op, a, b), pool.is_nonzero(c), pool.is_negative(c));
        let mut given = vec![fits[0], fits[1], some];
        if op == Binary::Slt {
            let reversed = pool.binary(op, y, x);
            let falls = pool.same(products, reversed);
            state(pool, given.iter().copied().chain([negative]), falls, facts);
            given.push(pool.negate(negative));
        }
        let straight = pool.binary(op, x, y);
        let grows = pool.same(products, straight);
        state(pool, given, grows, facts);
    }
}
