//! Words of a query of which theorems speak, and what they are made of.

use planish_base::Id;
use planish_ops::{Bits, Datum, Op, Type};

use crate::query::Query;
use crate::signature::{Binary, Sort};
use crate::term::{Node, Pool, Term};
use crate::theorems::{Theorem, Theorems};

/// How many facts are stated of a query: the terms of a claim make few, those of a large program could make too many.
pub(super) const LIMIT: usize = 256;

/// Facts about the words of a query, and the theorems that say them.
#[derive(Default)]
pub(crate) struct Facts {
    pub(crate) terms: Vec<Term>,
    pub(crate) theorems: Theorems,
}

impl Facts {
    /// What a theorem states is noted as its own.
    pub(super) fn by(&mut self, theorem: Theorem, state: impl FnOnce(&mut Vec<Term>)) {
        let before = self.terms.len();
        state(&mut self.terms);
        if self.terms.len() > before {
            self.theorems.insert(theorem);
        }
    }

    pub(super) fn extend(&mut self, other: Facts) {
        self.terms.extend(other.terms);
        self.theorems.extend(other.theorems);
    }
}

/// The query and facts.
pub(super) fn beside(query: &Query, facts: &[Term]) -> Query {
    Query::new(query.assertions.iter().chain(facts).copied().collect())
}

/// A quotient or remainder.
#[derive(Clone, Copy)]
pub(super) struct Division {
    pub(super) op: Binary,
    pub(super) x: Term,
    pub(super) y: Term,
    pub(super) word: Term,
}

/// The terms of a query of which theorems speak, oldest first.
#[derive(Default)]
pub(super) struct Found {
    pub(super) divisions: Vec<Division>,
    /// Both factors and the product.
    pub(super) products: Vec<[Term; 3]>,
    pub(super) equalities: Vec<[Term; 2]>,
    /// Comparisons by order.
    pub(super) orders: Vec<(Binary, [Term; 2])>,
    /// Shifts down that fill with zeros: word, amount and result.
    pub(super) shifts: Vec<[Term; 3]>,
    /// Choices between words, as which floor divisions are written.
    pub(super) choices: Vec<Term>,
}

impl Found {
    pub(super) fn of(pool: &Pool, query: &Query) -> Found {
        let mut found = Found::default();
        for (index, _) in pool.reachable(&query.assertions).into_iter().enumerate().filter(|&(_, r)| r) {
            let word = Term::from_index(index);
            match pool.node(word) {
                Node::Binary(op, x, y) if is_division(op) => {
                    found.divisions.push(Division { op, x, y, word })
                }
                Node::Binary(Binary::Mul, a, b) => found.products.push([a, b, word]),
                Node::Binary(Binary::Lshr, a, c) => found.shifts.push([a, c, word]),
                Node::Binary(Binary::Same, a, b) if matches!(pool.sort(a), Sort::Bits(_)) => {
                    found.equalities.push([a, b]);
                }
                Node::Binary(op @ (Binary::Ult | Binary::Slt), a, b) => found.orders.push((op, [a, b])),
                Node::Select(_, a, _) if matches!(pool.sort(a), Sort::Bits(_)) => found.choices.push(word),
                _ => {}
            }
        }
        found
    }
}

pub(crate) fn is_division(op: Binary) -> bool {
    matches!(op, Binary::Udiv | Binary::Urem | Binary::Sdiv | Binary::Srem)
}

pub(super) fn is_signed(op: Binary) -> bool {
    matches!(op, Binary::Sdiv | Binary::Srem)
}

/// The quotient and the remainder that belong to a division.
pub(super) fn pair(op: Binary) -> (Binary, Binary) {
    if is_signed(op) { (Binary::Sdiv, Binary::Srem) } else { (Binary::Udiv, Binary::Urem) }
}

/// A word as one of twice the width, with its sign if it has one.
pub(super) fn widened(pool: &mut Pool, signed: bool, word: Term) -> Term {
    let width = 2 * pool.width(word);
    if signed { pool.sign_extend(word, width) } else { pool.zero_extend(word, width) }
}

/// The product of two words, and whether it is that of the numbers.
pub(super) fn product(pool: &mut Pool, signed: bool, a: Term, b: Term) -> (Term, Term) {
    let low = pool.mul(a, b);
    let fits = if signed {
        // As the table says it of `mul_ovf`, so that both speak of one term.
        let overflow = meaning(pool, Op::MulOvf, a, b).1;
        pool.negate(overflow)
    } else {
        let high = pool.umulh(a, b);
        let zero = pool.zero(high);
        pool.eq(high, zero)
    };
    (low, fits)
}

/// The value of an operation of the table, and its overflow.
pub(super) fn meaning(pool: &mut Pool, op: Op, x: Term, y: Term) -> (Term, Term) {
    let ty = Type::Int(pool.width(x) as u8);
    let meaning = op.meaning(pool, &[Datum::Word(x), Datum::Word(y)], &[ty]).expect("it has one");
    let overflow = match meaning.flag {
        Some(flag) => pool.is_nonzero(flag),
        None => pool.truth(false),
    };
    (meaning.value.word(), overflow)
}

/// The value of an operation of one operand.
pub(super) fn meaning_of_one(pool: &mut Pool, op: Op, x: Term) -> Term {
    let ty = Type::Int(pool.width(x) as u8);
    op.meaning(pool, &[Datum::Word(x)], &[ty]).expect("it has one").value.word()
}

pub(super) fn all(pool: &mut Pool, conditions: impl IntoIterator<Item = Term>) -> Term {
    let always = pool.truth(true);
    conditions.into_iter().fold(always, |all, one| pool.both(all, one))
}

pub(super) fn is_zero(pool: &mut Pool, a: Term) -> Term {
    let zero = pool.zero(a);
    pool.eq(a, zero)
}

pub(super) fn is_positive(pool: &mut Pool, a: Term) -> Term {
    let zero = pool.zero(a);
    pool.slt(zero, a)
}

/// States that `then` holds where all conditions do.
pub(super) fn state(
    pool: &mut Pool,
    conditions: impl IntoIterator<Item = Term>,
    then: Term,
    facts: &mut Vec<Term>,
) {
    let given = all(pool, conditions);
    facts.push(pool.implies(given, then));
}
