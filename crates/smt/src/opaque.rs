//! Products and quotients as unknowns.
//!
//! A claim that follows from what is given of some products needs nothing else of them. So a query is weakened: each
//! product, quotient and remainder of two unknowns becomes a new word, of which nothing is known but that equal operands
//! give equal results. If what is left has no model, then neither has the query; a model of it says nothing.

use planish_base::Id;
use planish_ops::Bits;

use crate::query::Query;
use crate::signature::{Binary, Sort};
use crate::term::{Node, Pool, Term};

/// The query with products and quotients of unknowns known by congruence only.
pub fn opaque(pool: &mut Pool, query: &Query) -> Query {
    let is_unknown = |pool: &Pool, term: Term| pool.value(term).is_none();
    unknowns(pool, query, |pool, op, [x, y]| is_hard(op) && is_unknown(pool, x) && is_unknown(pool, y))
}

/// The query with all divisions, and products of unknowns, known by congruence only.
pub(crate) fn without_divisions(pool: &mut Pool, query: &Query) -> Query {
    let is_unknown = |pool: &Pool, term: Term| pool.value(term).is_none();
    unknowns(pool, query, |pool, op, [x, y]| {
        is_hard(op) && (op != Binary::Mul || (is_unknown(pool, x) && is_unknown(pool, y)))
    })
}

/// The query with all products and divisions known by congruence only.
pub(crate) fn without_products(pool: &mut Pool, query: &Query) -> Query {
    unknowns(pool, query, |_, op, _| is_hard(op))
}

/// The query with shifts, and products and quotients of unknowns, known by congruence only.
pub(crate) fn without_shifts(pool: &mut Pool, query: &Query) -> Query {
    let is_unknown = |pool: &Pool, term: Term| pool.value(term).is_none();
    unknowns(pool, query, |pool, op, [x, y]| {
        matches!(op, Binary::Shl | Binary::Lshr | Binary::Ashr)
            || (is_hard(op) && is_unknown(pool, x) && is_unknown(pool, y))
    })
}

/// The query with the results of some functions known by congruence only.
fn unknowns(pool: &mut Pool, query: &Query, is_hidden: impl Fn(&Pool, Binary, [Term; 2]) -> bool) -> Query {
    let mut images: Vec<Option<Term>> = vec![None; pool.len()];
    let mut known: Vec<(Binary, [Term; 2], Term)> = Vec::new();
    for (index, _) in pool.reachable(&query.assertions).into_iter().enumerate().filter(|&(_, r)| r) {
        let image = pool.rebuilt(Term::from_index(index), &images);
        images[index] = Some(match pool.node(image) {
            Node::Binary(op, x, y) if is_hidden(pool, op, [x, y]) => {
                let twin = known.iter().find(|(other, operands, _)| (*other, *operands) == (op, [x, y]));
                match twin {
                    Some(&(.., word)) => word,
                    None => {
                        let sort = Sort::Bits(pool.width(x));
                        let word = pool.fresh(&format!("{op:?}!{}", known.len()), sort);
                        known.push((op, [x, y], word));
                        word
                    }
                }
            }
            _ => image,
        });
    }
    let image = |t: &Term| images[t.index()].expect("assertions are reached");
    let mut assertions: Vec<Term> = query.assertions.iter().map(image).collect();
    for (index, &(op, [x, y], word)) in known.iter().enumerate() {
        for &(other, [a, c], twin) in &known[..index] {
            if other == op && pool.width(word) == pool.width(twin) {
                let operands = (pool.eq(x, a), pool.eq(y, c));
                let (equal, results) = (pool.both(operands.0, operands.1), pool.eq(word, twin));
                assertions.push(pool.implies(equal, results));
            }
        }
    }
    Query::new(assertions)
}

fn is_hard(op: Binary) -> bool {
    matches!(op, Binary::Mul | Binary::Udiv | Binary::Urem | Binary::Sdiv | Binary::Srem)
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::{Budget, Builtin, Verdict, decide};

    /// Whether the opaque form of the negation of `claim` has no model.
    fn follows(claim: impl FnOnce(&mut Pool, [Term; 3]) -> Term) -> bool {
        let mut pool = Pool::new();
        let words = ["x", "y", "z"].map(|name| pool.variable(name, Sort::Bits(64)));
        let claim = claim(&mut pool, words);
        let wrong = pool.negate(claim);
        let query = opaque(&mut pool, &Query::new(vec![wrong]));
        decide(&mut Builtin::default(), &pool, &query, &mut Budget::new(Duration::from_secs(20)))
            == Verdict::Unsat
    }

    #[test]
    fn equal_products_are_equal_and_nothing_else_is_known_of_them() {
        assert!(follows(|p, [x, y, z]| {
            let (same, a, b) = (p.eq(y, z), p.mul(x, y), p.mul(x, z));
            let equal = p.eq(a, b);
            p.implies(same, equal)
        }));
        // True, and known only to who knows what a product is.
        assert!(!follows(|p, [x, y, z]| {
            let (sum, a, b) = (p.add(y, z), p.mul(x, y), p.mul(x, z));
            let (whole, parts) = (p.mul(x, sum), p.add(a, b));
            p.eq(whole, parts)
        }));
    }
}
