//! What is in the lanes of vectors, on unknown inputs: a term for each.

use planish_ops::lanes::{Value, lane_of};
use planish_ops::{Datum, Lane, Op, Type};
use planish_smt::{Pool, Sort, Term};

/// As many lanes as a vector has at most.
const MOST: usize = 16;

/// What is in the lanes of a vector.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Lanes {
    /// The terms, behind which the first one stands again.
    terms: [Term; MOST],
    count: u8,
}

impl Lanes {
    fn new(terms: &[Term]) -> Lanes {
        let mut all = [terms[0]; MOST];
        all[..terms.len()].copy_from_slice(terms);
        Lanes { terms: all, count: terms.len() as u8 }
    }

    fn terms(&self) -> &[Term] {
        &self.terms[..usize::from(self.count)]
    }

    /// These where a condition holds, those of the other elsewhere.
    pub(crate) fn choose(pool: &mut Pool, condition: Term, a: Lanes, b: Lanes) -> Lanes {
        let pairs = a.terms().iter().zip(b.terms());
        let terms: Vec<Term> = pairs.map(|(&x, &y)| pool.choose(condition, x, y)).collect();
        Lanes::new(&terms)
    }
}

/// A word or a float, or what is in the lanes of a vector.
#[derive(Clone, Copy)]
pub(crate) enum Part {
    /// A word or a float.
    One(Term),
    /// A vector.
    Lanes(Lanes),
}

/// What an operation on vectors gives on operands and with results of some types; `None` if it is none.
pub(crate) fn computed(
    pool: &mut Pool,
    op: Op,
    args: &[Part],
    types: impl Iterator<Item = Type>,
) -> Option<Part> {
    let lane: Lane = lane_of(types)?;
    let datum = |pool: &Pool, term: Term| match pool.sort(term) {
        Sort::Float(_) => Datum::Float(term),
        _ => Datum::Word(term),
    };
    let part = |part: &Part| match part {
        Part::One(term) => Value::One(datum(pool, *term)),
        Part::Lanes(lanes) => Value::Lanes(lanes.terms().iter().map(|&term| datum(pool, term)).collect()),
    };
    let operands: Vec<Value<Pool>> = args.iter().map(part).collect();
    let term = |datum: Datum<Pool>| match datum {
        Datum::Word(term) | Datum::Float(term) => term,
    };
    Some(match op.meaning_in_lanes(pool, &operands, lane)? {
        Value::One(datum) => Part::One(term(datum)),
        Value::Lanes(lanes) => Part::Lanes(Lanes::new(&lanes.into_iter().map(term).collect::<Vec<Term>>())),
    })
}
