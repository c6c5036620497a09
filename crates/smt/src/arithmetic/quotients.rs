//! Quotients of quotients, of products and of sums.

use planish_ops::{Bits, Op};

use super::words::{Division, Found, is_positive, is_signed, is_zero, meaning, pair, product, state};
use crate::signature::Binary;
use crate::term::{Node, Pool, Term};

/// The operands of a floor division or mod, as the table has it.
pub(super) fn rounded_down(pool: &mut Pool, word: Term) -> Option<(Op, Term, Term)> {
    let Node::Select(_, _, inner) = pool.node(word) else { return None };
    let (op, x, y) = match pool.node(inner) {
        Node::Binary(Binary::Sdiv, x, y) => (Op::FloorDiv, x, y),
        Node::Binary(Binary::Srem, x, y) => (Op::FloorMod, x, y),
        _ => return None,
    };
    (pool.width(x) <= 64 && meaning(pool, op, x, y).0 == word).then_some((op, x, y))
}

/// Quotients of words that are shifted down, and quotients that are: a shift divides by a power of two.
pub(super) fn shifted(pool: &mut Pool, found: &Found, facts: &mut Vec<Term>) {
    let of_shifted = found.divisions.iter().filter(|division| division.op == Binary::Udiv);
    let of_shifted = of_shifted.filter_map(|&Division { x, y, word, .. }| match pool.node(x) {
        Node::Binary(Binary::Lshr, x, c) => Some([x, y, c, word]),
        _ => None,
    });
    let of_quotients = found.shifts.iter().filter_map(|&[quotient, c, word]| match pool.node(quotient) {
        Node::Binary(Binary::Udiv, x, y) => Some([x, y, c, word]),
        _ => None,
    });
    let all: Vec<[Term; 4]> = of_shifted.chain(of_quotients).collect();
    for [x, y, c, word] in all {
        let divisor = pool.shl(y, c);
        let (back, some) = (pool.lshr(divisor, c), pool.is_nonzero(y));
        let (fits, at_once) = (pool.eq(back, y), pool.udiv(x, divisor));
        let then = pool.eq(word, at_once);
        state(pool, [some, fits], then, facts);
    }
}

pub(super) fn nested(pool: &mut Pool, Division { op, x, y: b, word }: Division, facts: &mut Vec<Term>) {
    let (quotient, remainder) = pair(op);
    if let Node::Binary(inner, x, a) = pool.node(x)
        && inner == op
    {
        if op == quotient {
            let (product, fits) = product(pool, is_signed(op), a, b);
            let some = pool.is_nonzero(a);
            let mut given = vec![fits, some];
            if is_signed(op) {
                let minus_one = pool.ones(a);
                given.extend([pool.ne(a, minus_one), pool.is_nonzero(b)]);
            }
            let at_once = pool.binary(op, x, product);
            let then = pool.eq(word, at_once);
            state(pool, given, then, facts);
        } else {
            let divides = divides(pool, remainder, a, b);
            let at_once = pool.binary(op, x, b);
            let then = pool.eq(word, at_once);
            state(pool, [divides], then, facts);
        }
    }
    let Some((down, x, a)) = rounded_down(pool, x).filter(|_| is_signed(op)) else { return };
    let outer = if op == quotient { Op::FloorDiv } else { Op::FloorMod };
    if outer != down {
        return;
    }
    let inner = meaning(pool, down, x, a).0;
    let twice = meaning(pool, down, inner, b).0;
    let positive = [is_positive(pool, a), is_positive(pool, b)];
    let (given, divisor) = match down {
        Op::FloorDiv => {
            let (product, fits) = product(pool, true, a, b);
            (fits, product)
        }
        _ => (divides(pool, Binary::Srem, a, b), b),
    };
    let once = meaning(pool, down, x, divisor).0;
    let then = pool.eq(twice, once);
    state(pool, positive.into_iter().chain([given]), then, facts);
}

/// What a dividend is made of, where the product of quotient and divisor is asked of, or the remainder beside the quotient. Only where it is rounded down may that lie beyond
/// the words, so the sum is one of twice the width.
pub(super) fn dividend(pool: &mut Pool, found: &Found, facts: &mut Vec<Term>) {
    let mut quotients: Vec<(bool, [Term; 4])> = Vec::new();
    for &Division { op, x, y, word } in &found.divisions {
        let (quotient, remainder) = pair(op);
        if op == quotient {
            quotients.push((is_signed(op), [x, y, word, pool.binary(remainder, x, y)]));
        }
    }
    for &word in &found.choices {
        if let Some((Op::FloorDiv, x, y)) = rounded_down(pool, word) {
            quotients.push((true, [x, y, word, meaning(pool, Op::FloorMod, x, y).0]));
        }
    }
    let is_multiplied =
        |q: Term, y: Term| found.products.iter().any(|&[a, b, _]| [a, b] == [q, y] || [b, a] == [q, y]);
    let is_asked = |word: Term| found.divisions.iter().any(|division| division.word == word);
    quotients
        .retain(|&(_, [x, y, word, rest])| pool.width(x) <= 64 && (is_multiplied(word, y) || is_asked(rest)));
    for (signed, [x, y, word, rest]) in quotients {
        let extend = if signed { Pool::sign_extend } else { Pool::zero_extend };
        let wide = 2 * pool.width(x);
        let [whole, y_whole, q_whole, rest_whole] = [x, y, word, rest].map(|word| extend(pool, word, wide));
        let product = pool.mul(q_whole, y_whole);
        let (sum, low, low_product) = (pool.add(product, rest_whole), pool.sub(x, rest), pool.mul(word, y));
        let (is_whole, is_low) = (pool.eq(whole, sum), pool.eq(low, low_product));
        let mut given = vec![pool.is_nonzero(y)];
        if signed {
            // The least number by -1 is no word.
            let (least, minus) = (pool.signed_min(x), pool.ones(y));
            let (other, many) = (pool.ne(x, least), pool.ne(y, minus));
            given.push(pool.either(other, many));
        }
        let then = pool.both(is_whole, is_low);
        state(pool, given, then, facts);
    }
}

/// Whether b divides a.
pub(super) fn divides(pool: &mut Pool, remainder: Binary, a: Term, b: Term) -> Term {
    let rest = pool.binary(remainder, a, b);
    is_zero(pool, rest)
}

pub(super) fn signs(
    pool: &mut Pool,
    Division { op, x, y, word }: Division,
    others: &[Division],
    facts: &mut Vec<Term>,
) {
    let unsigned = match op {
        Binary::Sdiv => Binary::Udiv,
        Binary::Srem => Binary::Urem,
        _ => return,
    };
    for other in others.iter().filter(|other| other.op == unsigned && [other.x, other.y] == [x, y]) {
        let nonnegative = [x, y].map(|word| {
            let is_negative = pool.is_negative(word);
            pool.negate(is_negative)
        });
        let same = pool.eq(word, other.word);
        state(pool, nonnegative, same, facts);
    }
}

/// Whether a query may know that b divides a: it asks for it, or can tell without.
fn may_divide(pool: &Pool, divisions: &[Division], remainder: Binary, a: Term, b: Term) -> bool {
    let is_asked = |d: &Division| d.op == remainder && [d.x, d.y] == [a, b];
    let is_known = pool.value(a).is_some() && pool.value(b).is_some();
    a == b
        || is_known
        || matches!(pool.node(a), Node::Binary(Binary::Mul, ..))
        || divisions.iter().any(is_asked)
}

pub(super) fn multiple(
    pool: &mut Pool,
    Division { op, x, y, word }: Division,
    divisions: &[Division],
    facts: &mut Vec<Term>,
) {
    let Node::Binary(Binary::Mul, p, q) = pool.node(x) else { return };
    if pool.width(x) > 64 {
        return;
    }
    let (quotient, remainder) = pair(op);
    let some = pool.is_nonzero(y);
    for (n, a) in [(p, q), (q, p)] {
        if a != y && may_divide(pool, divisions, remainder, y, a) {
            let (_, fits) = product(pool, is_signed(op), n, a);
            part(pool, Division { op, x: n, y, word }, a, [fits, some], facts);
        }
        if a != y && !may_divide(pool, divisions, remainder, a, y) {
            continue;
        }
        let (_, fits) = product(pool, is_signed(op), n, a);
        // y divides itself, and 0 divides 0.
        let (divides, times) = if a == y {
            (pool.truth(true), n)
        } else {
            let divides = divides(pool, remainder, a, y);
            let part = pool.binary(quotient, a, y);
            (divides, pool.mul(n, part))
        };
        let then = if op == quotient { pool.eq(word, times) } else { is_zero(pool, word) };
        let needed = if op == quotient || a != y { some } else { pool.truth(true) };
        state(pool, [fits, divides, needed], then, facts);
    }
}

/// A divisor that is a multiple of the factor a: what is left to be divided is n alone.
fn part(
    pool: &mut Pool,
    Division { op, x: n, y, word }: Division,
    a: Term,
    given: [Term; 2],
    facts: &mut Vec<Term>,
) {
    let (quotient, remainder) = pair(op);
    let (divides, factor) = (divides(pool, remainder, y, a), pool.is_nonzero(a));
    let less = pool.binary(quotient, y, a);
    let of_less = pool.binary(op, n, less);
    let result = if op == quotient { of_less } else { pool.mul(of_less, a) };
    let then = pool.eq(word, result);
    state(pool, given.into_iter().chain([divides, factor]), then, facts);
}

/// A sum with a multiple of the divisor.
pub(super) fn sum(
    pool: &mut Pool,
    Division { op, x, y, word }: Division,
    divisions: &[Division],
    facts: &mut Vec<Term>,
) {
    let Node::Binary(Binary::Add, p, q) = pool.node(x) else { return };
    if pool.width(x) > 64 {
        return;
    }
    let (quotient, remainder) = pair(op);
    let some = pool.is_nonzero(y);
    for (n, m) in [(p, q), (q, p)] {
        if !may_divide(pool, divisions, remainder, m, y) {
            continue;
        }
        let multiple = divides(pool, remainder, m, y);
        let of_n = pool.binary(op, n, y);
        let result = if op == quotient {
            let of_m = if m == y { pool.one(y) } else { pool.binary(quotient, m, y) };
            pool.add(of_n, of_m)
        } else {
            of_n
        };
        let then = pool.eq(word, result);
        let mut given = vec![some, multiple];
        if is_signed(op) {
            // Rounding to zero goes one way on both sides only where both have one sign.
            let overflow = meaning(pool, Op::AddOvf, n, m).1;
            let (differ, fits) = (pool.xor(n, m), pool.negate(overflow));
            let differ = pool.is_negative(differ);
            given.extend([fits, pool.negate(differ)]);
        } else {
            let carries = pool.ult(x, n);
            given.push(pool.negate(carries));
        }
        state(pool, given, then, facts);
    }
}

/// The same of floor divisions, which round one way on both sides of zero.
pub(super) fn sum_rounded_down(pool: &mut Pool, word: Term, divisions: &[Division], facts: &mut Vec<Term>) {
    let Some((op, x, y)) = rounded_down(pool, word) else { return };
    let Node::Binary(Binary::Add, p, q) = pool.node(x) else { return };
    for (n, m) in [(p, q), (q, p)] {
        if !may_divide(pool, divisions, Binary::Srem, m, y) {
            continue;
        }
        let (multiple, some) = (divides(pool, Binary::Srem, m, y), pool.is_nonzero(y));
        let overflow = meaning(pool, Op::AddOvf, n, m).1;
        let fits = pool.negate(overflow);
        let of_n = meaning(pool, op, n, y).0;
        let result = if op == Op::FloorDiv {
            let of_m = if m == y { pool.one(y) } else { pool.sdiv(m, y) };
            pool.add(of_n, of_m)
        } else {
            of_n
        };
        let then = pool.eq(word, result);
        state(pool, [multiple, some, fits], then, facts);
    }
}
