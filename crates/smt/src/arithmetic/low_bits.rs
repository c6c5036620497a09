//! The low bits of products and remainders of words that are multiples of powers of two.

use planish_base::Id;
use planish_ops::{Bits, Op};

use super::quotients::rounded_down;
use super::words::{Division, Found, is_zero, state};
use crate::query::Query;
use crate::signature::Binary;
use crate::term::{Node, Pool, Term};
use crate::value::Value;

/// A product is a multiple of a power of two where a factor is, and of the product of two where each factor is one of its. Powers
/// of two are known by how they are written, as the lowest one bit of a word; two are asked of where there is their product.
pub(super) fn multiples(pool: &mut Pool, query: &Query, found: &Found, facts: &mut Vec<Term>) {
    let products = &found.products;
    let is_power = |pool: &Pool, [p, q, _]: [Term; 3]| is_lowest_bit(pool, p) && is_lowest_bit(pool, q);
    let (powers, words): (Vec<[Term; 3]>, Vec<[Term; 3]>) =
        products.iter().partition(|&&product| is_power(pool, product));
    for &[p, q, power] in &powers {
        for &[a, b, word] in &words {
            for [p, q] in [[p, q], [q, p]] {
                if pool.width(word) == pool.width(power) {
                    multiple(pool, [(a, p), (b, q)], (word, power), facts);
                }
            }
        }
    }
    if powers.is_empty() {
        let rests = rests(pool, found);
        for power in lowest_bits(pool, query) {
            for &[x, y, rest] in &rests {
                if pool.width(x) != pool.width(power) {
                    continue;
                }
                let taken = pool.sub(x, rest);
                multiple(pool, [(y, power)], (taken, power), facts);
            }
            for &[a, b, word] in &words {
                for factor in [a, b] {
                    if pool.width(word) == pool.width(power) {
                        multiple(pool, [(factor, power)], (word, power), facts);
                    }
                }
            }
        }
    }
}

/// The remainders of a query, each with its operands: what is taken off a dividend is a multiple of the divisor.
fn rests(pool: &mut Pool, found: &Found) -> Vec<[Term; 3]> {
    let is_rest = |division: &&Division| matches!(division.op, Binary::Urem | Binary::Srem);
    let of = |division: &Division| [division.x, division.y, division.word];
    let mut rests: Vec<[Term; 3]> = found.divisions.iter().filter(is_rest).map(of).collect();
    for &word in &found.choices {
        if let Some((Op::FloorMod, x, y)) = rounded_down(pool, word) {
            rests.push([x, y, word]);
        }
    }
    rests
}

/// That a word is a multiple where some are.
fn multiple<const N: usize>(
    pool: &mut Pool,
    given: [(Term, Term); N],
    (word, power): (Term, Term),
    facts: &mut Vec<Term>,
) {
    let given = given.map(|(factor, power)| multiple_of(pool, factor, power));
    let then = multiple_of(pool, word, power);
    state(pool, given, then, facts);
}

/// The words of a query that are written as lowest bits, none of them a constant.
fn lowest_bits(pool: &Pool, query: &Query) -> Vec<Term> {
    let reached = pool.reachable(&query.assertions).into_iter().enumerate().filter(|&(_, reached)| reached);
    reached.map(|(index, _)| Term::from_index(index)).filter(|&term| is_lowest_bit(pool, term)).collect()
}

/// Whether a word is written as x & -x.
fn is_lowest_bit(pool: &Pool, word: Term) -> bool {
    let negates = |x: Term, negated: Term| match pool.node(negated) {
        Node::Binary(Binary::Sub, zero, of) => {
            of == x && pool.value(zero) == Some(Value::bits(pool.width(x), 0))
        }
        _ => false,
    };
    match pool.node(word) {
        Node::Binary(Binary::And, x, y) => negates(x, y) || negates(y, x),
        _ => false,
    }
}

/// Whether a word has no bit below a power of two; where that is 0, no bit at all.
fn multiple_of(pool: &mut Pool, word: Term, power: Term) -> Term {
    let one = pool.one(power);
    let below = pool.sub(power, one);
    let rest = pool.and(word, below);
    is_zero(pool, rest)
}
