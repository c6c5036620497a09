//! How terms of a region are looked at when they are lifted.
//!
//! The published language says by two operators what the table says by one (difference, negation, negated
//! comparisons), and a branch can test either way round. What a region evaluates follows from that: only
//! what its results need, seen like this.

use hashbrown::{HashMap, HashSet};
use planish_base::Id;
use planish_ops::Op;
use rustc_hash::FxBuildHasher;

use crate::terms::{Kind, Term, Terms};

/// What a predicate tests: `(= x 0)` tests x the other way round.
pub(crate) fn tested(terms: &Terms, predicate: Term, two_ways: bool) -> (Term, bool) {
    if let (true, Kind::Op(Op::Eq), &[x, zero]) = (two_ways, terms.kind(predicate), terms.operands(predicate))
    {
        if terms.kind(zero) == Kind::Number(0) {
            return (x, true);
        }
        if terms.kind(x) == Kind::Number(0) {
            return (zero, true);
        }
    }
    (predicate, false)
}

/// The operation that a term is, with its operands: the published language says difference, negation and
/// the negated comparisons by two operators, and the table by one.
pub(crate) fn operation(terms: &Terms, term: Term) -> (Op, Vec<Term>) {
    let operands = terms.operands(term);
    let Kind::Op(op) = terms.kind(term) else { return (Op::Use, operands.to_vec()) };
    let inner = |term: Term| match terms.kind(term) {
        Kind::Op(op) => Some((op, terms.operands(term))),
        _ => None,
    };
    // -1 * y
    let negated = |term: Term| match inner(term) {
        Some((Op::Mul, &[minus, y])) if terms.kind(minus) == Kind::Number(-1) => Some(y),
        Some((Op::Mul, &[y, minus])) if terms.kind(minus) == Kind::Number(-1) => Some(y),
        _ => None,
    };
    match (op, operands) {
        (Op::Mul, _) => {
            if let Some(y) = negated(term) {
                return (Op::Neg, vec![y]);
            }
        }
        (Op::Add, &[x, y]) => {
            if let Some(y) = negated(y) {
                return (Op::Sub, vec![x, y]);
            }
            if let Some(x) = negated(x) {
                return (Op::Sub, vec![y, x]);
            }
        }
        (Op::Eq, &[x, y]) => {
            let (tested, zero) = if terms.kind(x) == Kind::Number(0) { (y, x) } else { (x, y) };
            if terms.kind(zero) == Kind::Number(0) {
                return match inner(tested) {
                    Some((Op::Eq, of)) => (Op::Ne, of.to_vec()),
                    Some((Op::Gt, of)) => (Op::Le, of.to_vec()),
                    _ => (Op::IsZero, vec![tested]),
                };
            }
        }
        _ => {}
    }
    (op, operands.to_vec())
}

/// What the results of a region need.
pub(crate) struct Ordered {
    /// The terms, operands first.
    pub order: Vec<Term>,
    /// The outputs of `switch` and `loop` terms.
    pub needed: HashMap<Term, Vec<bool>, FxBuildHasher>,
    /// How many outputs of each `call` there must be.
    pub called: HashMap<Term, u32, FxBuildHasher>,
}

/// The terms of a region that its results need, operands first, and what they need of tuples.
pub(crate) fn region_order(terms: &Terms, results: &[Term]) -> Ordered {
    let mut seen = HashSet::<Term, FxBuildHasher>::default();
    let mut needed = HashMap::<Term, Vec<bool>, FxBuildHasher>::default();
    let mut called = HashMap::<Term, u32, FxBuildHasher>::default();
    let mut order = Vec::new();
    let mut work = Vec::new();
    let need = |term: Term, work: &mut Vec<Term>, seen: &mut HashSet<Term, FxBuildHasher>| {
        if seen.insert(term) {
            work.push(term);
        }
    };
    results.iter().for_each(|&result| need(result, &mut work, &mut seen));
    while let Some(term) = work.pop() {
        order.push(term);
        match terms.kind(term) {
            Kind::Get(index) => {
                let tuple = terms.operands(term)[0];
                match (terms.kind(tuple), terms.tuple_len(tuple)) {
                    (Kind::Call, _) => {
                        let outputs = called.entry(tuple).or_default();
                        *outputs = (*outputs).max(index + 1);
                    }
                    (_, Some(count)) => {
                        let outputs = needed.entry(tuple).or_insert_with(|| vec![false; count as usize]);
                        outputs[index as usize] = true;
                    }
                    (_, None) => {}
                }
                need(tuple, &mut work, &mut seen);
            }
            Kind::Switch { cases, .. } => {
                let outer = terms.outer(term);
                let (tested, _) = tested(terms, outer[0], cases == 2);
                need(tested, &mut work, &mut seen);
                outer[1..].iter().for_each(|&input| need(input, &mut work, &mut seen));
            }
            Kind::Op(_) => {
                operation(terms, term).1.into_iter().for_each(|operand| need(operand, &mut work, &mut seen));
            }
            _ => terms.outer(term).iter().for_each(|&operand| need(operand, &mut work, &mut seen)),
        }
    }
    // Operands have smaller ids.
    order.sort_unstable_by_key(|term| term.index());
    Ordered { order, needed, called }
}

/// The variables of a loop that its outputs and its predicate need, be it the next time around.
pub(crate) fn needed_variables(
    terms: &Terms,
    results: &[Term],
    predicate: Term,
    asked: Vec<bool>,
) -> Vec<bool> {
    let mut needed = asked;
    let mut seen = HashSet::<Term, FxBuildHasher>::default();
    let mut work = vec![predicate];
    work.extend(results.iter().zip(&needed).filter(|(_, needed)| **needed).map(|(&result, _)| result));
    while let Some(term) = work.pop() {
        if !seen.insert(term) {
            continue;
        }
        if let Kind::Argument(index) = terms.kind(term)
            && !std::mem::replace(&mut needed[index as usize], true)
        {
            work.push(results[index as usize]);
        }
        work.extend(terms.outer(term));
    }
    needed
}
