//! Quotients and remainders of extended words: those of the words themselves, extended alike.
//!
//! Extended words are the same numbers, whose quotient is one of the narrow width again, but for the least number by -1; there the
//! low bits are still those of the narrow quotient, which wraps.

use planish_ops::Bits;

use super::words::{Division, is_signed, pair, state};
use crate::signature::Unary;
use crate::term::{Node, Pool, Term};
use crate::value::Value;

/// What is said of a division whose operands are extended from one width, or one of them, the other being a number that fits.
pub(super) fn extended(pool: &mut Pool, Division { op, x, y, word }: Division, facts: &mut Vec<Term>) {
    let signed = is_signed(op);
    let Some(width) = [x, y].into_iter().find_map(|operand| extended_from(pool, signed, operand)) else {
        return;
    };
    let (Some(a), Some(b)) = (narrow(pool, signed, x, width), narrow(pool, signed, y, width)) else { return };
    let wide = pool.width(word);
    let (of_narrow, some) = (pool.binary(op, a, b), pool.is_nonzero(b));
    let low = pool.truncate(word, width);
    let same_low = pool.eq(low, of_narrow);
    state(pool, [some], same_low, facts);
    let whole = if signed { pool.sign_extend(of_narrow, wide) } else { pool.zero_extend(of_narrow, wide) };
    let same = pool.eq(word, whole);
    if signed && op == pair(op).0 {
        let (min, minus) = (pool.signed_min(a), pool.ones(b));
        let (is_least, is_minus) = (pool.eq(a, min), pool.eq(b, minus));
        let wraps = pool.both(is_least, is_minus);
        let fits = pool.negate(wraps);
        state(pool, [some, fits], same, facts);
    } else {
        state(pool, [some], same, facts);
    }
}

/// The width from which a word is extended, with its sign or without.
fn extended_from(pool: &Pool, signed: bool, word: Term) -> Option<u32> {
    match pool.node(word) {
        Node::Unary(Unary::SignExtend(_), inner) if signed => Some(pool.width(inner)),
        Node::Unary(Unary::ZeroExtend(_), inner) if !signed => Some(pool.width(inner)),
        _ => None,
    }
}

/// The word of a width that gives this one when it is extended; `None` where it is not known to be one.
fn narrow(pool: &mut Pool, signed: bool, word: Term, width: u32) -> Option<Term> {
    match pool.node(word) {
        Node::Unary(Unary::SignExtend(_) | Unary::ZeroExtend(_), inner)
            if extended_from(pool, signed, word) == Some(width) =>
        {
            Some(inner)
        }
        _ => {
            let Some(Value::Bits { .. }) = pool.value(word) else { return None };
            let wide = pool.width(word);
            let low = pool.truncate(word, width);
            let back = if signed { pool.sign_extend(low, wide) } else { pool.zero_extend(low, wide) };
            (pool.value(back) == pool.value(word)).then_some(low)
        }
    }
}
