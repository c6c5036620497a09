//! Questions to a solver and their answers.
//!
//! A [`Query`] asks whether some values of the variables make all assertions true. A claim is proved by
//! asking for a value that refutes it and being told that there is none. Only [`Verdict::Unsat`] proves:
//! no answer in time, an answer that is not understood and a model that does not do what it should are
//! all [`Verdict::Unknown`] with a [`Reason`], and unknown is never yes.

use std::fmt;

use planish_base::Id;

use crate::term::{Node, Pool, Term, Variable};
use crate::value::{self, Value};

/// A conjunction of assertions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Query {
    /// Truth values that shall all hold.
    pub assertions: Vec<Term>,
}

impl Query {
    /// Asks for values that make all `assertions` true.
    pub fn new(assertions: Vec<Term>) -> Self {
        Query { assertions }
    }
}

/// The answer to a query.
#[derive(Clone, Debug, PartialEq)]
pub enum Verdict {
    /// No values make all assertions true.
    Unsat,
    /// These do.
    Sat(Model),
    /// Nothing is known.
    Unknown(Reason),
}

/// Why a solver has no answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reason {
    /// The time was up.
    Timeout,
    /// The solver gave up by itself.
    GaveUp,
    /// The solver cannot treat such a query; the text says what.
    Unsupported(String),
    /// The solver could not be run, or what it said is no answer, or its answer is wrong.
    Failed(String),
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Reason::Timeout => f.write_str("no answer in time"),
            Reason::GaveUp => f.write_str("the solver gave up"),
            Reason::Unsupported(what) => write!(f, "not supported by the solver: {what}"),
            Reason::Failed(what) => write!(f, "the solver failed: {what}"),
        }
    }
}

/// Values of variables. A variable without a value may have any.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Model {
    values: Vec<Option<Value>>,
}

impl Model {
    /// A model without values.
    pub fn new() -> Self {
        Self::default()
    }

    /// Gives a variable a value.
    pub fn set(&mut self, variable: Variable, value: Value) {
        if self.values.len() <= variable.index() {
            self.values.resize(variable.index() + 1, None);
        }
        self.values[variable.index()] = Some(value);
    }

    /// The value of a variable, if it has one.
    pub fn get(&self, variable: Variable) -> Option<Value> {
        self.values.get(variable.index()).copied().flatten()
    }

    /// The values of `terms`, a variable without a value being zero. Linear in the terms that these
    /// depend on and all older ones.
    pub fn evaluate(&self, pool: &Pool, terms: &[Term]) -> Vec<Value> {
        let reached = pool.reachable(terms);
        let mut values: Vec<Option<Value>> = vec![None; reached.len()];
        let at = |values: &[Option<Value>], term: Term| values[term.index()].expect("operands are older");
        for (index, _) in reached.iter().enumerate().filter(|&(_, &r)| r) {
            let term = Term::from_index(index);
            let value = match pool.node(term) {
                Node::Variable(variable) => {
                    self.get(variable).unwrap_or_else(|| Value::zero(pool.sort(term)))
                }
                Node::Unary(op, a) => value::unary(op, at(&values, a)),
                Node::Binary(op, a, b) => value::binary(op, at(&values, a), at(&values, b)),
                Node::Select(c, a, b) => at(&values, if at(&values, c).truth() { a } else { b }),
                _ => pool.value(term).expect("a constant"),
            };
            values[index] = Some(value);
        }
        terms.iter().map(|&t| at(&values, t)).collect()
    }

    /// Whether all assertions of `query` hold under this model.
    pub fn satisfies(&self, pool: &Pool, query: &Query) -> bool {
        self.evaluate(pool, &query.assertions).into_iter().all(Value::truth)
    }
}
