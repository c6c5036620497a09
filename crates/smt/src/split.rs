//! Proof by cases: on the amount of a shift, and on which power of two a word is.
//!
//! A shift by an unknown amount is a whole shifter of gates, and (x >> c) >> d = x >> (c + d) at 64 bits
//! keeps a SAT solver busy for long. With the amount known it is wiring. So a question that a first try
//! leaves open is asked once for each amount below the width, and once for all that are not below it: these
//! are all cases. An amount that is made of a variable which the question bounds elsewhere, as c & 63 and 64 - c
//! are, is split by the variable, so that the bounds are decided as well. A division by a power of two
//! 2^k is likewise asked for each k, and once for words that are none. What depends on another thing to be
//! split is split after it.
//!
//! In each case what is known is put in its place ([`prepared`]), and usually nothing is left to be asked.

use std::time::Duration;

use planish_base::Id;
use planish_ops::Bits;

use crate::budget::Budget;
use crate::query::{Query, Reason, Verdict};
use crate::ring;
use crate::signature::{Binary, Unary};
use crate::term::{Node, Pool, Term};
use crate::value::Value;

/// What a query is split by.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Split {
    /// By the exponent of a word that is asked to have one bit; the truth value that asks.
    Power(Term, Term),
    /// The same of a word that is asked to have one bit or none, as by `x & (x - 1) == 0`.
    PowerOrZero(Term, Term),
    /// By the value of a variable that is bounded, and of which the amount of a shift is made.
    Variable(Term, u32),
    /// By the amount of a shift.
    Amount(Term, u32),
}

/// What there is to split: something that is not a constant and depends on nothing else to be split.
pub(crate) fn find(pool: &Pool, query: &Query) -> Option<Split> {
    let reached = pool.reachable(&query.assertions);
    let live = || reached.iter().enumerate().filter(|&(_, &r)| r).map(|(index, _)| Term::from_index(index));
    let is_variable = |term: Term| matches!(pool.node(term), Node::Variable(_));
    // Variables that are compared with constants, and have not been split already.
    let mut bounded = vec![false; reached.len()];
    for term in live() {
        if let Node::Binary(Binary::Ult | Binary::Slt | Binary::Same, a, b) = pool.node(term)
            && (pool.value(a).is_some() || pool.value(b).is_some())
        {
            (bounded[a.index()], bounded[b.index()]) = (is_variable(a), is_variable(b));
        }
    }
    for &assertion in &query.assertions {
        if let Node::Unary(Unary::Negate, below) = pool.node(assertion)
            && let Node::Binary(Binary::Ult, a, _) = pool.node(below)
        {
            bounded[a.index()] = false;
        }
    }
    // The oldest such variable on which a term depends in a plain way.
    let mut rests_on: Vec<Option<Term>> = vec![None; reached.len()];
    for term in live() {
        rests_on[term.index()] = match pool.node(term) {
            Node::Variable(_) => bounded[term.index()].then_some(term),
            Node::Unary(Unary::Extract { .. } | Unary::ZeroExtend(_) | Unary::SignExtend(_), _)
            | Node::Binary(Binary::Add | Binary::Sub | Binary::And | Binary::Ult | Binary::Slt, ..)
            | Node::Select(..) => pool.node(term).operands().filter_map(|t| rests_on[t.index()]).min(),
            _ => None,
        };
    }
    let found = live().filter_map(|term| match pool.node(term) {
        Node::Binary(Binary::Shl | Binary::Lshr | Binary::Ashr, _, amount)
            if pool.value(amount).is_none() =>
        {
            let width = pool.width(term);
            // The variable by itself is split as an amount.
            let variable = rests_on[amount.index()].filter(|&variable| variable != amount);
            Some(variable.map_or(Split::Amount(amount, width), |variable| Split::Variable(variable, width)))
        }
        Node::Binary(Binary::Same, a, b) => asked_power(pool, term, [a, b]),
        _ => None,
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

/// Decides queries by cases.
pub(crate) struct Cases<'a> {
    /// Decides one without cases.
    pub attempt: &'a mut dyn FnMut(&Pool, &Query, &mut Budget) -> Verdict,
    /// How much is done for a case before it is split further.
    pub case: Duration,
}

/// How often what can be split further has been decided without that, by depth.
#[derive(Clone, Copy, Default)]
struct Record {
    decided: u32,
    open: u32,
}

impl Record {
    /// Whether it is worth trying.
    fn is_promising(self) -> bool {
        self.open < 2 || self.decided > self.open
    }
}

impl Cases<'_> {
    /// The query as it is, for as long as a case may take, then by cases for most of the budget, and then as it is again.
    pub fn decide(&mut self, pool: &Pool, query: &Query, budget: &mut Budget) -> Verdict {
        if find(pool, query).is_none() {
            return (self.attempt)(pool, query, budget);
        }
        let first = budget.share(self.case.min(budget.left() / 8), |part| (self.attempt)(pool, query, part));
        if !is_open(&first) {
            return first;
        }
        let by_cases = budget.share(budget.left() / 8 * 7, |part| self.split(pool, query, part));
        if is_open(&by_cases) { (self.attempt)(pool, query, budget) } else { by_cases }
    }

    fn split(&mut self, pool: &Pool, query: &Query, budget: &mut Budget) -> Verdict {
        // Every case copies the pool, so it is as small as can be.
        let (pool, assertions) = pool.restricted(&query.assertions);
        let query = Query::new(assertions);
        let Some(split) = find(&pool, &query) else { return (self.attempt)(&pool, &query, budget) };
        self.by(split, &pool, &query, budget)
    }

    /// The query by these cases.
    pub fn by(&mut self, split: Split, pool: &Pool, query: &Query, budget: &mut Budget) -> Verdict {
        self.each(pool, query, split, budget, &mut vec![Record::default()])
    }

    /// Decides every case. `records` are those from here on down.
    fn each(
        &mut self,
        pool: &Pool,
        query: &Query,
        split: Split,
        budget: &mut Budget,
        records: &mut Vec<Record>,
    ) -> Verdict {
        let depth = records.len();
        records.push(Record::default());
        let mut verdict = Verdict::Unsat;
        for number in 0..split.cases(pool) {
            if budget.is_spent() {
                verdict = Verdict::Unknown(Reason::Timeout);
                break;
            }
            // Each in a pool of its own: what one builds does not stand in the way of the others.
            let mut pool = pool.clone();
            let part = split.case(&mut pool, query, number);
            let part = prepared(&mut pool, &part);
            budget.charge(TERM * u32::try_from(pool.len()).unwrap_or(u32::MAX));
            if part.assertions.iter().any(|&a| pool.value(a) == Some(Value::Truth(false))) {
                continue;
            }
            match self.case(&pool, &part, budget, records, depth) {
                Verdict::Unsat => {}
                other => {
                    verdict = other;
                    break;
                }
            }
        }
        records.truncate(depth);
        verdict
    }

    fn case(
        &mut self,
        pool: &Pool,
        part: &Query,
        budget: &mut Budget,
        records: &mut Vec<Record>,
        depth: usize,
    ) -> Verdict {
        let Some(split) = find(pool, part) else {
            return budget.share(self.case.max(budget.left() / 4), |b| (self.attempt)(pool, part, b));
        };
        if records[depth].is_promising() {
            let verdict = budget.share(self.case.min(budget.left() / 8), |b| (self.attempt)(pool, part, b));
            if !is_open(&verdict) {
                records[depth].decided += 1;
                return verdict;
            }
            records[depth].open += 1;
        }
        self.each(pool, part, split, budget, records)
    }
}

/// What building a term costs.
const TERM: Duration = Duration::from_nanos(200);

/// Whether cases may bring an answer.
fn is_open(verdict: &Verdict) -> bool {
    matches!(verdict, Verdict::Unknown(Reason::Timeout | Reason::GaveUp))
}

/// The query with everything that is asserted an assertion, variables that equal constants replaced by these, and
/// equalities decided by algebra ([`ring`]). A model of it is one of the query.
pub(crate) fn prepared(pool: &mut Pool, query: &Query) -> Query {
    let mut assertions: Vec<Term> = query.assertions.iter().flat_map(|&a| pool.asserted(a)).collect();
    let mut known: Vec<Term> = Vec::new();
    while let Some(at) = assertions.iter().position(|&a| binding(pool, a).is_some()) {
        let assertion = assertions.remove(at);
        let (variable, constant) = binding(pool, assertion).expect("it was one");
        known.push(assertion);
        let replaced = Replace::Everywhere(variable, constant).rebuild(pool, &Query::new(assertions));
        assertions = replaced.iter().flat_map(|&a| pool.asserted(a)).collect();
    }
    assertions.extend(known);
    ring::simplified(pool, &Query::new(assertions))
}

/// A variable and the constant that an assertion says it is.
fn binding(pool: &Pool, assertion: Term) -> Option<(Term, Term)> {
    let Node::Binary(Binary::Same, a, b) = pool.node(assertion) else { return None };
    let is = |variable: Term, constant: Term| {
        matches!(pool.node(variable), Node::Variable(_)) && pool.value(constant).is_some()
    };
    [(a, b), (b, a)].into_iter().find(|&(variable, constant)| is(variable, constant))
}

impl Split {
    /// Whether it is by the exponent of a power of two.
    pub fn is_power(self) -> bool {
        matches!(self, Split::Power(..) | Split::PowerOrZero(..))
    }

    /// The number of cases.
    pub fn cases(self, pool: &Pool) -> u32 {
        match self {
            Split::Amount(_, width) | Split::Variable(_, width) => width + 1,
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
            Split::Variable(variable, width) => {
                let constant = pool.word(pool.width(variable), u64::from(number));
                if number < width {
                    (pool.eq(variable, constant), Replace::Everywhere(variable, constant))
                } else {
                    let below = pool.ult(variable, constant);
                    (pool.negate(below), Replace::Nothing)
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
    Nothing,
}

impl Replace {
    /// The assertions over what the replacement leaves.
    fn rebuild(self, pool: &mut Pool, query: &Query) -> Vec<Term> {
        if let Replace::Nothing = self {
            return query.assertions.clone();
        }
        let reached = pool.reachable(&query.assertions);
        let mut images: Vec<Option<Term>> = vec![None; reached.len()];
        for (index, _) in reached.iter().enumerate().filter(|&(_, &r)| r) {
            let term = Term::from_index(index);
            let image = match (self, pool.node(term)) {
                (Replace::Everywhere(old, new), _) if old == term => new,
                (Replace::Amounts(old, new), Node::Binary(op, a, by))
                    if by == old && matches!(op, Binary::Shl | Binary::Lshr | Binary::Ashr) =>
                {
                    let a = images[a.index()].expect("operands are older");
                    pool.binary(op, a, new)
                }
                _ => pool.rebuilt(term, &images),
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
    use crate::signature::Sort;

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
        let (two, mask) = (pool.word(3, 2), pool.word(3, 3));
        let (below, amount) = (pool.ult(y, two), pool.and(y, mask));
        let (bounded_up, bounded) = (pool.lshr(x, amount), pool.negate(below));
        let grows = pool.ult(bounded_up, y);
        let by_variable = pool.both(grows, bounded);
        let kinds = ["amount", "power", "power or zero", "variable"];
        for (claim, kind) in [by_amount, by_power, by_power_or_zero, by_variable].into_iter().zip(kinds) {
            let query = Query::new(vec![claim]);
            let split = find(&pool, &query).expect("there is something to split");
            let found = match split {
                Split::Amount(..) => "amount",
                Split::Power(..) => "power",
                Split::PowerOrZero(..) => "power or zero",
                Split::Variable(..) => "variable",
            };
            assert_eq!(found, kind);
            let cases: Vec<Query> =
                (0..split.cases(&pool)).map(|n| split.case(&mut pool, &query, n)).collect();
            for bits in 0..64 {
                let mut model = Model::new();
                for (id, shift) in pool.variables().map(|(id, _)| id).zip([0, 3]) {
                    model.set(id, Value::bits(3, bits >> shift));
                }
                let holding = cases.iter().filter(|case| model.satisfies(&pool, case)).count();
                assert_eq!(holding, usize::from(model.satisfies(&pool, &query)), "{bits:#b}");
                for case in &cases {
                    let simple = prepared(&mut pool, case);
                    assert_eq!(model.satisfies(&pool, &simple), model.satisfies(&pool, case), "{bits:#b}");
                }
            }
        }
    }
}
