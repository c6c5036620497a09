//! Proof by cases on the amount of a shift.
//!
//! A shift by an unknown amount is a whole shifter of gates, and (x >> c) >> d = x >> (c + d) at 64 bits
//! keeps a SAT solver busy for long. With the amount known it is wiring. So a question that a first try
//! leaves open is asked once for each amount below the width, and once for all that are not below it: these
//! are all cases. Amounts that depend on each other are split one after the other.

use planish_base::Id;
use planish_ops::Bits;

use crate::query::Query;
use crate::term::{Binary, Node, Pool, Term};

/// The amount of a shift that is not a constant and on which no other such amount is built, and the width.
pub(crate) fn amount(pool: &Pool, query: &Query) -> Option<(Term, u32)> {
    let reached = pool.reachable(&query.assertions);
    let amounts = reached.iter().enumerate().filter(|&(_, &r)| r).filter_map(|(index, _)| {
        let term = Term::from_index(index);
        match pool.node(term) {
            Node::Binary(Binary::Shl | Binary::Lshr | Binary::Ashr, _, amount)
                if pool.value(amount).is_none() =>
            {
                Some((amount, pool.width(term)))
            }
            _ => None,
        }
    });
    // Operands have smaller ids: the smallest depends on no other.
    amounts.min()
}

/// The query in the case that `amount` is `value`, or, for the width itself, that it is not below.
pub(crate) fn case(pool: &mut Pool, query: &Query, amount: Term, width: u32, value: u32) -> Query {
    let constant = pool.word(pool.width(amount), u64::from(value));
    let premise = if value < width {
        pool.eq(amount, constant)
    } else {
        let below = pool.ult(amount, constant);
        pool.negate(below)
    };
    let reached = pool.reachable(&query.assertions);
    let mut images: Vec<Option<Term>> = vec![None; reached.len()];
    for (index, _) in reached.iter().enumerate().filter(|&(_, &r)| r) {
        let term = Term::from_index(index);
        let at = |term: Term| images[term.index()].expect("operands are older");
        images[index] = Some(match pool.node(term) {
            // Any amount of the width or more shifts alike, but only as an amount.
            Node::Binary(op @ (Binary::Shl | Binary::Lshr | Binary::Ashr), a, by) if by == amount => {
                pool.binary(op, at(a), constant)
            }
            _ if term == amount && value < width => constant,
            Node::Unary(op, a) => pool.unary(op, at(a)),
            Node::Binary(op, a, b) => pool.binary(op, at(a), at(b)),
            Node::Select(c, a, b) => pool.choose(at(c), at(a), at(b)),
            _ => term,
        });
    }
    let image = |term: &Term| images[term.index()].expect("assertions are reached");
    Query::new(query.assertions.iter().map(image).chain([premise]).collect())
}
