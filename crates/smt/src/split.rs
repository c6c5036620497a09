//! Proof by cases: on the amount of a shift, and on which power of two a word is.
//!
//! A shift by an unknown amount is a whole shifter of gates, and (x >> c) >> d = x >> (c + d) at 64 bits
//! keeps a SAT solver busy for long. With the amount known it is wiring. So a question that a first try
//! leaves open is asked once for each amount below the width, and once for all that are not below it: these
//! are all cases. A division by a power of two 2^k is likewise asked for each k, and once for words that are
//! none. What depends on another thing to be split is split after it.

use std::time::{Duration, Instant};

use planish_base::Id;
use planish_ops::Bits;

use crate::query::{Query, Reason, Verdict};
use crate::ring;
use crate::term::{Binary, Node, Pool, Term, Unary};
use crate::value::Value;

/// What a query is split by.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Split {
    /// By the exponent of a word that is asked to have one bit; the truth value that asks.
    Power(Term, Term),
    /// The same of a word that is asked to have one bit or none, as by `x & (x - 1) == 0`.
    PowerOrZero(Term, Term),
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
            Node::Binary(Binary::Same, a, b) => asked_power(pool, term, [a, b]),
            _ => None,
        }
    });
    // Powers come first; of amounts, the oldest depends on no other.
    found.min()
}

/// Whether an equality asks that a word has one bit, or at most one.
fn asked_power(pool: &Pool, asked: Term, sides: [Term; 2]) -> Option<Split> {
    let [a, b] = sides;
    [(a, b), (b, a)].into_iter().find_map(|(term, constant)| {
        let Some(Value::Bits { value, .. }) = pool.value(constant) else { return None };
        match (pool.node(term), value) {
            (Node::Unary(Unary::Popcount, word), 1) => Some(Split::Power(word, asked)),
            (Node::Binary(Binary::And, x, y), 0) => [(x, y), (y, x)]
                .into_iter()
                .find(|&(word, less)| is_predecessor(pool, less, word))
                .map(|(word, _)| Split::PowerOrZero(word, asked)),
            _ => None,
        }
    })
}

/// Whether `less` is `word` - 1.
fn is_predecessor(pool: &Pool, less: Term, word: Term) -> bool {
    let is = |term: Term, wanted: u128| {
        let width = pool.sort(word).width();
        matches!(pool.value(term), Some(Value::Bits { value, .. }) if value == wanted & (u128::MAX >> (128 - width)))
    };
    match pool.node(less) {
        Node::Binary(Binary::Sub, a, b) => a == word && is(b, 1),
        Node::Binary(Binary::Add, a, b) => (a == word && is(b, u128::MAX)) || (b == word && is(a, u128::MAX)),
        _ => false,
    }
}

/// Decides a query by `attempt`; where that brings nothing by `patience`, by cases, each of which is tried
/// for `case` before it is split further. All ends by `deadline`.
pub(crate) fn search(
    pool: &mut Pool,
    query: &Query,
    (deadline, patience, case): (Instant, Instant, Duration),
    attempt: &mut dyn FnMut(&Pool, &Query, Instant) -> Verdict,
) -> Verdict {
    let split = find(pool, query);
    let first = attempt(pool, query, if split.is_some() { patience.min(deadline) } else { deadline });
    let (Some(split), Verdict::Unknown(Reason::Timeout | Reason::GaveUp)) = (split, &first) else {
        return first;
    };
    for number in 0..split.cases(pool) {
        let part = split.case(pool, query, number);
        let part = ring::simplified(pool, &part);
        if part.assertions.iter().any(|&a| pool.value(a) == Some(Value::Truth(false))) {
            continue;
        }
        let now = Instant::now();
        if now >= deadline {
            return Verdict::Unknown(Reason::Timeout);
        }
        let share = (deadline - now) / 8;
        match search(pool, &part, (deadline, now + share.min(case), case), attempt) {
            Verdict::Unsat => {}
            other => return other,
        }
    }
    Verdict::Unsat
}

impl Split {
    /// The number of cases.
    pub fn cases(self, pool: &Pool) -> u32 {
        match self {
            Split::Amount(_, width) => width + 1,
            Split::Power(word, _) => pool.width(word) + 1,
            Split::PowerOrZero(word, _) => pool.width(word) + 2,
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
            Split::Power(word, asked) | Split::PowerOrZero(word, asked) => {
                let width = pool.width(word);
                let zero = matches!(self, Split::PowerOrZero(..));
                if number < width + u32::from(zero) {
                    let constant = pool.word(width, if number < width { 1 << number } else { 0 });
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
        let less = pool.sub(x, one);
        let common = pool.and(less, x);
        let zero = pool.zero(x);
        let power_or_zero = pool.eq(common, zero);
        let by_power_or_zero = pool.either(power_or_zero, small);
        for (claim, amounts) in [(by_amount, true), (by_power, false), (by_power_or_zero, false)] {
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
