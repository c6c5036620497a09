//! The solver that needs no installation: circuits, a SAT solver, and a check of what it says.
//!
//! `unsat` counts only when [`crate::refutation::check`] has accepted the refutation, and a model only when
//! it evaluates (see [`crate::solver::decide`]), so neither the search nor its bookkeeping is trusted: what
//! remains to be trusted are algebra, circuits ([`crate::blast`]) and cases, which are tested at every value
//! of small widths, and the checker.
//!
//! Before there is a circuit, equalities are decided by algebra (`ring`), products and quotients of which a theorem
//! speaks are taken by it (`arithmetic`), and divisions by their laws (`laws`); what stays open for a while is split into cases
//! (`split`). Floats are taken as their encodings, of whose arithmetic theorems are known (`floats`).
//!
//! Good for additions, bitwise operations, comparisons, shifts and products by constants at 64 bits, and
//! for everything at 8; products of two unknowns at 32 or 64 bits exceed it where no theorem helps, as they exceed most
//! solvers, and so does the rounding of floats.

use std::time::Duration;

use crate::blast::{Circuit, NoCircuit};
use crate::budget::Budget;
use crate::floats::Encoded;
use crate::opaque::{without_divisions, without_shifts};
use crate::query::{Query, Reason, Verdict};
use crate::refutation::{self, Flaw};
use crate::sat::{self, Outcome};
use crate::solver::Solver;
use crate::split::{self, Cases, prepared};
use crate::term::{Pool, Term};
use crate::value::Value;
use crate::{arithmetic, laws};

/// The built-in bit-blaster.
#[derive(Clone, Copy, Debug, Default)]
pub struct Builtin;

/// How much is done for a case before it is split further.
const CASE: Duration = Duration::from_millis(250);

/// How much is done for a query with products before facts about their order are stated.
const EASY: Duration = Duration::from_millis(100);

/// How much is done for the powers of two before anything else: mostly nothing is left to be asked of each.
const POWERS: Duration = Duration::from_secs(1);

/// Name and version: the version changes with the circuits and the search.
const NAME: &str = "builtin 5";

impl Builtin {
    /// Whether a query falls into cases: it shifts by unknown amounts, or is about powers of two.
    pub fn has_cases(&self, pool: &Pool, query: &Query) -> bool {
        let mut pool = pool.clone();
        let query = prepared(&mut pool, query);
        split::find(&pool, &query).is_some()
    }
}

impl Solver for Builtin {
    fn name(&self) -> &str {
        NAME
    }

    fn solve(&mut self, pool: &Pool, query: &Query, budget: &mut Budget) -> Verdict {
        let mut words = pool.clone();
        let Some(encoded) = Encoded::of(&mut words, query) else { return of_words(words, query, budget) };
        match of_words(words, &encoded.query, budget) {
            Verdict::Sat(model) => {
                let model = encoded.decoded(&model);
                match model.satisfies(pool, query) {
                    true => Verdict::Sat(model),
                    false => Verdict::Unknown(Reason::Unsupported("arithmetic of floats".to_owned())),
                }
            }
            verdict => verdict,
        }
    }
}

/// Decides a query about words.
fn of_words(mut pool: Pool, query: &Query, budget: &mut Budget) -> Verdict {
    let query = prepared(&mut pool, query);
    if let Some(split) = split::find(&pool, &query).filter(|split| split.is_power()) {
        let mut cases = Cases { attempt: &mut attempt, case: CASE };
        match budget.share(POWERS, |part| cases.by(split, &pool, &query, part)) {
            Verdict::Unknown(_) => {}
            decided => return decided,
        }
    }
    if follows_from_theorems(&pool, &query, budget) {
        return Verdict::Unsat;
    }
    let mut weaker = pool.clone();
    if let Some(relaxed) = laws::relaxed(&mut weaker, &query) {
        let relaxed = prepared(&mut weaker, &relaxed);
        let share = budget.left() / 8;
        if budget.share(share, |part| attempt(&weaker, &relaxed, part)) == Verdict::Unsat {
            return Verdict::Unsat;
        }
    }
    if arithmetic::numbers::has_orders(&pool, &query) {
        // The facts about these are many: what is easy without them is decided without them.
        match budget.share(EASY, |part| attempt(&pool, &query, part)) {
            Verdict::Unknown(Reason::Timeout) => {}
            decided => return decided,
        }
        let share = budget.left() / 4;
        if follows_from((arithmetic::numbers::orders, without_divisions), &pool, &query, share, budget) {
            return Verdict::Unsat;
        }
    }
    Cases { attempt: &mut attempt, case: CASE }.decide(&pool, &query, budget)
}

/// Facts about the words of a query, and the query with the functions hidden of which they speak.
type Theorems = (fn(&mut Pool, &Query) -> Vec<Term>, fn(&mut Pool, &Query) -> Query);

/// Whether a query has no model because of what theorems say of some of its words, whatever these are else.
fn follows_from_theorems(pool: &Pool, query: &Query, budget: &mut Budget) -> bool {
    let all: [Theorems; 2] =
        [(arithmetic::instances, without_divisions), (arithmetic::shifts, without_shifts)];
    let share = budget.left() / 8;
    all.into_iter().any(|theorems| follows_from(theorems, pool, query, share, budget))
}

/// Whether a query has no model because of some facts, as far as that is found for a share of the budget.
fn follows_from(
    (theorems, hidden): Theorems,
    pool: &Pool,
    query: &Query,
    share: Duration,
    budget: &mut Budget,
) -> bool {
    let mut weaker = pool.clone();
    let facts = theorems(&mut weaker, query);
    if facts.is_empty() {
        return false;
    }
    let with_facts = query.assertions.iter().copied().chain(facts).collect();
    let unknown = hidden(&mut weaker, &Query::new(with_facts));
    let simple = prepared(&mut weaker, &unknown);
    budget.share(share, |part| attempt(&weaker, &simple, part)) == Verdict::Unsat
}

/// Decides a query as one circuit.
fn attempt(pool: &Pool, query: &Query, budget: &mut Budget) -> Verdict {
    if query.assertions.iter().any(|&a| pool.value(a) == Some(Value::Truth(false))) {
        return Verdict::Unsat;
    }
    let circuit = match Circuit::new(pool, query, budget) {
        Ok(circuit) => circuit,
        Err(NoCircuit::Unsupported(what)) => return Verdict::Unknown(Reason::Unsupported(what.to_owned())),
        Err(NoCircuit::OutOfTime) => return Verdict::Unknown(Reason::Timeout),
    };
    match sat::solve(&circuit.cnf, budget) {
        Outcome::Satisfiable(assignment) => Verdict::Sat(circuit.model(&assignment)),
        Outcome::Refuted(refutation) => match refutation::check(&circuit.cnf, &refutation, budget) {
            Ok(()) => Verdict::Unsat,
            Err(Flaw::OutOfTime) => Verdict::Unknown(Reason::Timeout),
            Err(flaw) => Verdict::Unknown(Reason::Failed(format!("a refutation that is none: {flaw:?}"))),
        },
        Outcome::OutOfTime => Verdict::Unknown(Reason::Timeout),
        Outcome::OutOfMemory => Verdict::Unknown(Reason::GaveUp),
    }
}
