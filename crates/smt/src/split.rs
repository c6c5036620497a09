//! Proof by cases: on the amount of a shift, and on which power of two a word is.
//!
//! A shift by an unknown amount is a whole shifter of gates, and (x >> c) >> d = x >> (c + d) at 64 bits
//! keeps a SAT solver busy for long. With the amount known it is wiring. So a question that a first try
//! leaves open is asked once for each amount below the width, and once for all that are not below it: these
//! are all cases. A division by a power of two 2^k is likewise asked for each k, and once for words that are
//! none. What depends on another thing to be split is split after it.

use planish_base::Id;
use planish_ops::Bits;

use crate::query::Query;
use crate::term::{Binary, Node, Pool, Term, Unary};
use crate::value::Value;

/// What a query is split by.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Split {
    /// By the exponent of a word that is asked to have one bit; the truth value that asks.
    Power(Term, Term),
    /// By the amount of a shift.
    Amount(Term, u32),
}

/// What there is to split: something that is not a constant and depends on nothing else to be split.
pub(crate) fn find(pool: &Pool, query: &Query) -> Option<Split> {
    let reached = pool.reachable(&query.assertions);
    let found = reached.iter().enumerate().filter(|&(_, &r)| r).filter_map(|(index, _)| {
        let term = Term::from_index(index);
        match pool.node(term) {
            Node::Binary(Binary::Shl | Binary::Lshr | Binary::Ashr, _, amount)
                if pool.value(amount).is_none() =>
            {
                Some(Split::Amount(amount, pool.width(term)))
            }
            Node::Binary(Binary::Same, count, one) => match (pool.node(count), pool.value(one)) {
                (Node::Unary(Unary::Popcount, word), Some(Value::Bits { value: 1, .. })) => {
                    Some(Split::Power(word, term))
                }
                _ => None,
            },
            _ => None,
        }
    });
    // Powers come first; of amounts, the oldest depends on no other.
    found.min()
}

impl Split {
    /// The number of cases.
    pub fn cases(self, pool: &Pool) -> u32 {
        match self {
            Split::Amount(_, width) => width + 1,
            Split::Power(word, _) => pool.width(word) + 1,
        }
    }

    /// The query in a case. The last is that none of the others holds.
    pub fn case(self, pool: &mut Pool, query: &Query, number: u32) -> Query {
        let (premise, replaced) = match self {
            Split::Amount(amount, width) => {
                let constant = pool.word(pool.width(amount), u64::from(number));
                if number < width {
                    (pool.eq(amount, constant), Replace::Everywhere(amount, constant))
                } else {
                    // Any amount of the width or more shifts alike, but only as an amount.
                    let below = pool.ult(amount, constant);
                    (pool.negate(below), Replace::Amounts(amount, constant))
                }
            }
            Split::Power(word, asked) => {
                let width = pool.width(word);
                if number < width {
                    let constant = pool.word(width, 1 << number);
                    (pool.eq(word, constant), Replace::Everywhere(word, constant))
                } else {
                    let no = pool.truth(false);
                    (pool.negate(asked), Replace::Everywhere(asked, no))
                }
            }
        };
        let mut assertions = replaced.rebuild(pool, query);
        assertions.push(premise);
        Query::new(assertions)
    }
}

/// A term and what stands for it, where the premise of a case makes them equal.
#[derive(Clone, Copy)]
enum Replace {
    Everywhere(Term, Term),
    Amounts(Term, Term),
}

impl Replace {
    /// The assertions over what the replacement leaves.
    fn rebuild(self, pool: &mut Pool, query: &Query) -> Vec<Term> {
        let reached = pool.reachable(&query.assertions);
        let mut images: Vec<Option<Term>> = vec![None; reached.len()];
        for (index, _) in reached.iter().enumerate().filter(|&(_, &r)| r) {
            let term = Term::from_index(index);
            let at = |term: Term| images[term.index()].expect("operands are older");
            let image = match (self, pool.node(term)) {
                (Replace::Everywhere(old, new), _) if old == term => new,
                (Replace::Amounts(old, new), Node::Binary(op, a, by))
                    if by == old && matches!(op, Binary::Shl | Binary::Lshr | Binary::Ashr) =>
                {
                    pool.binary(op, at(a), new)
                }
                (_, Node::Unary(op, a)) => pool.unary(op, at(a)),
                (_, Node::Binary(op, a, b)) => pool.binary(op, at(a), at(b)),
                (_, Node::Select(c, a, b)) => pool.choose(at(c), at(a), at(b)),
                _ => term,
            };
            images[index] = Some(image);
        }
        query.assertions.iter().map(|t| images[t.index()].expect("assertions are reached")).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::query::Model;
    use crate::term::Sort;

    /// A model of the query is one of exactly one case, and other assignments are models of none.
    #[test]
    fn the_cases_are_all_cases_and_exclude_each_other() {
        let mut pool = Pool::new();
        let [x, y] = ["x", "y"].map(|name| pool.variable(name, Sort::Bits(3)));
        let (up, count, one) = (pool.shl(x, y), pool.popcount(x), pool.one(x));
        let by_amount = pool.ult(up, y);
        let power = pool.eq(count, one);
        let quotient = pool.udiv(y, x);
        let small = pool.ult(quotient, x);
        let by_power = pool.either(power, small);
        for (claim, amounts) in [(by_amount, true), (by_power, false)] {
            let query = Query::new(vec![claim]);
            let split = find(&pool, &query).expect("there is something to split");
            assert_eq!(matches!(split, Split::Amount(..)), amounts);
            let cases: Vec<Query> =
                (0..split.cases(&pool)).map(|n| split.case(&mut pool, &query, n)).collect();
            for bits in 0..64 {
                let mut model = Model::new();
                for (id, shift) in pool.variables().map(|(id, _)| id).zip([0, 3]) {
                    model.set(id, Value::bits(3, bits >> shift));
                }
                let holding = cases.iter().filter(|case| model.satisfies(&pool, case)).count();
                assert_eq!(holding, usize::from(model.satisfies(&pool, &query)), "{bits:#b}");
            }
        }
    }
}
