//! Shifts of shifted words, and products of them, as SMT-LIB has them for all amounts: from the width on every bit is out.
//!
//! Each is an argument about bits. A shift moves every bit alike and fills with one bit, so bitwise operations may come before it
//! or behind it. A shift to the left is the product by 2^a modulo 2^w, also where that is 0, so it distributes over sums and
//! moves between factors. A shift to the right and back, or the reverse, leaves the bits that stay inside; where those are all,
//! the amounts cancel.

use planish_base::Id;
use planish_ops::Bits;

use super::words::{LIMIT, beside, state};
use crate::query::Query;
use crate::signature::{Binary, Unary};
use crate::term::{Node, Pool, Term};

/// How often what is said may speak of shifts that were not there before.
const ROUNDS: usize = 2;

/// What is known of shifts of shifts, sums and bitwise operations, and of products with a word that is shifted to the left.
pub(super) fn shifted(pool: &mut Pool, query: &Query, facts: &mut Vec<Term>) {
    let mut known = 0;
    for _ in 0..ROUNDS {
        let reached = pool.reachable(&beside(query, facts).assertions);
        let end = reached.len();
        for index in (known..end).filter(|&index| reached[index]) {
            if facts.len() > LIMIT {
                return;
            }
            of_word(pool, Term::from_index(index), facts);
        }
        known = end;
    }
}

fn of_word(pool: &mut Pool, word: Term, facts: &mut Vec<Term>) {
    match pool.node(word) {
        Node::Binary(op @ (Binary::Shl | Binary::Lshr | Binary::Ashr), once, b)
            if pool.value(b).is_none() =>
        {
            let Node::Binary(inner, x, a) = pool.node(once) else { return };
            match (inner, op) {
                _ if inner == op => one_way(pool, word, op, [x, a, b], facts),
                (Binary::Lshr | Binary::Ashr, Binary::Shl) | (Binary::Shl, Binary::Lshr | Binary::Ashr) => {
                    there_and_back(pool, word, [inner, op], [x, a, b], facts);
                }
                (Binary::Lshr, Binary::Ashr) => below_the_sign(pool, word, [x, a, b], facts),
                (Binary::And | Binary::Or | Binary::Xor, _) | (Binary::Add | Binary::Sub, Binary::Shl) => {
                    let parts = (pool.binary(op, x, b), pool.binary(op, a, b));
                    let apart = pool.binary(inner, parts.0, parts.1);
                    let same = pool.eq(word, apart);
                    facts.push(same);
                }
                (Binary::Mul, Binary::Shl) => {
                    for (factor, other) in [(x, a), (a, x)] {
                        let up = pool.shl(factor, b);
                        let product = pool.mul(up, other);
                        let same = pool.eq(word, product);
                        facts.push(same);
                    }
                }
                _ => {}
            }
        }
        Node::Unary(Unary::Popcount, bits) => counted(pool, word, bits, facts),
        Node::Binary(Binary::Or, ..) => rotated_twice(pool, word, facts),
        Node::Binary(less @ (Binary::Ult | Binary::Slt), p, q) => compared(pool, word, less, [p, q], facts),
        Node::Binary(Binary::Mul, p, q) => {
            for (shifted, y) in [(p, q), (q, p)] {
                if let Node::Binary(Binary::Shl, x, a) = pool.node(shifted) {
                    let factor = pool.shl(y, a);
                    let product = pool.mul(x, factor);
                    let same = pool.eq(word, product);
                    facts.push(same);
                }
            }
        }
        _ => {}
    }
}

/// Two shifts in one direction are one by the sum, which may have a carry.
fn one_way(pool: &mut Pool, word: Term, op: Binary, [x, a, b]: [Term; 3], facts: &mut Vec<Term>) {
    let sum = pool.add(a, b);
    let at_once = pool.binary(op, x, sum);
    let carries = pool.ult(sum, a);
    let fits = pool.negate(carries);
    let same = pool.eq(word, at_once);
    state(pool, [fits], same, facts);
    let last = pool.word(pool.width(x), u64::from(pool.width(x) - 1));
    let out = if op == Binary::Ashr { pool.ashr(x, last) } else { pool.zero(x) };
    let gone = pool.eq(word, out);
    state(pool, [carries], gone, facts);
    let beyond = if op == Binary::Ashr { pool.ule(last, sum) } else { pool.ult(last, sum) };
    let all_out = pool.eq(at_once, out);
    state(pool, [beyond], all_out, facts);
}

/// Two shifts in opposite directions by one amount clear bits; where the first loses none, two are one by the difference.
fn there_and_back(
    pool: &mut Pool,
    word: Term,
    [inner, op]: [Binary; 2],
    [x, a, b]: [Term; 3],
    facts: &mut Vec<Term>,
) {
    let (ones, zero) = (pool.ones(x), pool.zero(x));
    if a == b && (inner, op) != (Binary::Shl, Binary::Ashr) {
        let mask = pool.binary(op, ones, a);
        let masked = pool.and(x, mask);
        let same = pool.eq(word, masked);
        facts.push(same);
        return;
    }
    let is_whole = match (inner, op) {
        (Binary::Shl, Binary::Lshr) => {
            let most = pool.lshr(ones, a);
            pool.ule(x, most)
        }
        (Binary::Shl, _) => {
            let up = pool.shl(x, a);
            let back = pool.ashr(up, a);
            pool.eq(back, x)
        }
        _ => {
            let kept = pool.shl(ones, a);
            let lost = pool.not(kept);
            let low = pool.and(x, lost);
            pool.eq(low, zero)
        }
    };
    let (less, more) = (pool.sub(a, b), pool.sub(b, a));
    let (as_first, as_second) = (pool.binary(inner, x, less), pool.binary(op, x, more));
    for (smaller, larger, at_once) in [(b, a, as_first), (a, b, as_second)] {
        let (order, same) = (pool.ule(smaller, larger), pool.eq(word, at_once));
        state(pool, [is_whole, order], same, facts);
    }
}

/// A word that was shifted down with zeros has no sign: another shift down fills with zeros as well.
fn below_the_sign(pool: &mut Pool, word: Term, [x, a, b]: [Term; 3], facts: &mut Vec<Term>) {
    let sum = pool.add(a, b);
    let (is_shifted, carries) = (pool.is_nonzero(a), pool.ult(sum, a));
    let fits = pool.negate(carries);
    let at_once = pool.lshr(x, sum);
    let same = pool.eq(word, at_once);
    state(pool, [is_shifted, fits], same, facts);
}

/// A word that is shifted down lies below d where the whole word lies below d 2^a, and above d where it lies above the last
/// word of which d is the upper part.
fn compared(pool: &mut Pool, word: Term, less: Binary, [p, q]: [Term; 2], facts: &mut Vec<Term>) {
    let down = if less == Binary::Slt { Binary::Ashr } else { Binary::Lshr };
    for (shifted, d) in [(p, q), (q, p)] {
        let Node::Binary(op, x, a) = pool.node(shifted) else { continue };
        if op != down || pool.value(a).is_some() {
            continue;
        }
        let (ones, width) = (pool.ones(d), pool.word(pool.width(x), u64::from(pool.width(x))));
        let (is_amount, up) = (pool.ult(a, width), pool.shl(d, a));
        let is_whole = is_upper(pool, down, [d, up, a]);
        let whole = if shifted == p {
            pool.binary(less, x, up)
        } else {
            let upper = pool.shl(ones, a);
            let lower = pool.not(upper);
            let last = pool.or(up, lower);
            pool.binary(less, last, x)
        };
        let same = pool.same(word, whole);
        state(pool, [is_whole, is_amount], same, facts);
        if shifted == q {
            let one = pool.one(d);
            let next = pool.add(d, one);
            let (fits, up) = (pool.binary(less, d, next), pool.shl(next, a));
            let (is_whole, is_below) = (is_upper(pool, down, [next, up, a]), pool.binary(less, x, up));
            let is_not = pool.negate(is_below);
            let same = pool.same(word, is_not);
            state(pool, [fits, is_whole, is_amount], same, facts);
        }
    }
}

/// Whether a word is what is left of it where it is shifted up and down again.
fn is_upper(pool: &mut Pool, down: Binary, [word, up, a]: [Term; 3]) -> Term {
    let back = pool.binary(down, up, a);
    pool.eq(back, word)
}

/// Two rotations by amounts that are at most the width are one by their sum, less the width where that is more; by the width it is none.
fn rotated_twice(pool: &mut Pool, word: Term, facts: &mut Vec<Term>) {
    let Some((once, second)) = rotation(pool, word) else { return };
    let Some((x, first)) = rotation(pool, once) else { return };
    let width = pool.word(pool.width(x), u64::from(pool.width(x)));
    let sum = pool.add(first, second);
    let less = pool.sub(sum, width);
    let [first_fits, second_fits, sum_fits] = [first, second, sum].map(|amount| pool.ule(amount, width));
    let goes_around = pool.ule(width, sum);
    for (order, amount) in [(sum_fits, sum), (goes_around, less)] {
        let rest = pool.sub(width, amount);
        let (up, down) = (pool.shl(x, amount), pool.lshr(x, rest));
        let at_once = pool.or(up, down);
        let same = pool.eq(word, at_once);
        state(pool, [first_fits, second_fits, order], same, facts);
    }
    let (all_around, unchanged) = (pool.eq(sum, width), pool.eq(word, x));
    state(pool, [first_fits, second_fits, all_around], unchanged, facts);
}

/// A rotated word has as many ones.
fn counted(pool: &mut Pool, word: Term, bits: Term, facts: &mut Vec<Term>) {
    let Some((x, amount)) = rotation(pool, bits) else { return };
    let width = pool.word(pool.width(x), u64::from(pool.width(x)));
    let (count, fits) = (pool.popcount(x), pool.ule(amount, width));
    let same = pool.eq(word, count);
    state(pool, [fits], same, facts);
}

/// What is rotated to the left, and by how much, where a word is a rotation: `x << a | x >>u (w - a)`.
fn rotation(pool: &mut Pool, word: Term) -> Option<(Term, Term)> {
    let Node::Binary(Binary::Or, p, q) = pool.node(word) else { return None };
    [(p, q), (q, p)].into_iter().find_map(|(up, down)| {
        let Node::Binary(Binary::Shl, x, amount) = pool.node(up) else { return None };
        let Node::Binary(Binary::Lshr, other, rest) = pool.node(down) else { return None };
        let width = pool.word(pool.width(x), u64::from(pool.width(x)));
        (x == other && pool.sub(width, amount) == rest).then_some((x, amount))
    })
}
