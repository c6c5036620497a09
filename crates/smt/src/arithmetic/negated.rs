//! Signed quotients and remainders of negated operands: -x / y and x / -y are -(x / y), and remainders have the sign of the dividend.
//!
//! That is so as quotients are rounded to zero (Boute, "The Euclidean definition of the functions div and mod", TOPLAS 1992). The
//! least number is no negation of another, and y = 0 has no quotient. Of operands that are not negative unsigned division is the same.
//!
//! Rounded down it is ~x that mirrors x: of ~x = -x - 1, which always fits, by y > 0 the quotient is ~(x / y), and the remainder counts
//! from the other end.

use planish_ops::{Bits, Op};

use super::quotients::rounded_down;
use super::words::{Division, Found, is_positive, is_signed, meaning, pair, state};
use crate::signature::Unary;
use crate::term::{Node, Pool, Term};

/// What each two divisions say of each other whose operands are the same or negated.
pub(super) fn negated(pool: &mut Pool, found: &Found, facts: &mut Vec<Term>) {
    for &one in found.divisions.iter().filter(|division| is_signed(division.op)) {
        for &other in &found.divisions {
            let is_quotient = pair(one.op).0 == one.op;
            if one.word != other.word && is_quotient == (pair(other.op).0 == other.op) {
                beside(pool, one, other, is_quotient, facts);
            }
        }
    }
}

/// What a signed division is beside another one, where that is not negative throughout if it is unsigned.
fn beside(pool: &mut Pool, one: Division, other: Division, is_quotient: bool, facts: &mut Vec<Term>) {
    let signs = [(one.x, other.x), (one.y, other.y)].map(|(a, b)| {
        let is_negated = a != b && (pool.neg(a) == b || pool.neg(b) == a);
        (a == b || is_negated).then_some(is_negated)
    });
    let [Some(of_x), Some(of_y)] = signs else { return };
    let mut given = vec![pool.is_nonzero(one.y)];
    for (operand, is_negated) in [(other.x, of_x), (other.y, of_y)] {
        if !is_signed(other.op) {
            let negative = pool.is_negative(operand);
            given.push(pool.negate(negative));
        } else if is_negated {
            let least = pool.signed_min(operand);
            given.push(pool.ne(operand, least));
        }
    }
    let flips = if is_quotient { of_x != of_y } else { of_x };
    let result = if flips { pool.neg(other.word) } else { other.word };
    let then = pool.eq(one.word, result);
    state(pool, given, then, facts);
}

/// What floor divisions and mods of inverted words are.
pub(super) fn inverted(pool: &mut Pool, found: &Found, facts: &mut Vec<Term>) {
    for &word in &found.choices {
        let Some((op, x, y)) = rounded_down(pool, word) else { continue };
        let Node::Unary(Unary::Not, n) = pool.node(x) else { continue };
        let of_n = meaning(pool, op, n, y).0;
        let mirrored = if op == Op::FloorDiv {
            pool.not(of_n)
        } else {
            let one = pool.one(y);
            let last = pool.sub(y, one);
            pool.sub(last, of_n)
        };
        let (positive, then) = (is_positive(pool, y), pool.eq(word, mirrored));
        state(pool, [positive], then, facts);
    }
}
