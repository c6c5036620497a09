//! Signed quotients and remainders of negated operands: -x / y and x / -y are -(x / y), and remainders have the sign of the dividend.
//!
//! That is so as quotients are rounded to zero (Boute, "The Euclidean definition of the functions div and mod", TOPLAS 1992). The
//! least number is no negation of another, and y = 0 has no quotient.

use planish_ops::Bits;

use super::words::{Division, Found, is_signed, pair, state};
use crate::term::{Pool, Term};

/// What each two divisions say of each other whose operands are the same or negated.
pub(super) fn negated(pool: &mut Pool, found: &Found, facts: &mut Vec<Term>) {
    let signed: Vec<Division> = found.divisions.iter().copied().filter(|it| is_signed(it.op)).collect();
    for (index, &one) in signed.iter().enumerate() {
        for &other in signed[..index].iter().filter(|other| other.op == one.op) {
            let Some(signs) = signs(pool, one, other) else { continue };
            let mut given = vec![pool.is_nonzero(one.y)];
            for (operand, is_negated) in [one.x, one.y].into_iter().zip(signs) {
                if is_negated {
                    let least = pool.signed_min(operand);
                    given.push(pool.ne(operand, least));
                }
            }
            let is_quotient = pair(one.op).0 == one.op;
            let flips = if is_quotient { signs[0] != signs[1] } else { signs[0] };
            let result = if flips { pool.neg(other.word) } else { other.word };
            let then = pool.eq(one.word, result);
            state(pool, given, then, facts);
        }
    }
}

/// Which operands of one are negated in the other, if each is negated or the same.
fn signs(pool: &mut Pool, one: Division, other: Division) -> Option<[bool; 2]> {
    let mut of = |a: Term, b: Term| {
        let is_negated = a != b && (pool.neg(a) == b || pool.neg(b) == a);
        (a == b || is_negated).then_some(is_negated)
    };
    Some([of(one.x, other.x)?, of(one.y, other.y)?])
}
