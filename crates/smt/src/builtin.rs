//! The solver that needs no installation: circuits, a SAT solver, and a check of what it says.
//!
//! `unsat` counts only when [`crate::refutation::check`] has accepted the refutation, and a model only when
//! it evaluates (see [`crate::solver::decide`]), so neither the search nor its bookkeeping is trusted: what
//! remains to be trusted are algebra, circuits ([`crate::blast`]) and cases, which are tested at every value
//! of small widths, and the checker. Where a circuit has few inputs and the search goes on for longer than it takes to
//! try all of them, all of them are tried (`simulation`): there the gates are evaluated, and nothing is left to be checked.
//!
//! A query of few bits has a circuit at once. Before there is one of others, products and quotients by 1 << c become shifts (`powers`), equalities are decided by algebra (`ring`), comparisons by the order of so many words in few bits
//! (`small_domain`), products and quotients of which a theorem
//! speaks are taken by it (`arithmetic`), and divisions by their laws (`laws`); what stays open for a while is split into cases
//! (`split`). Floats are taken as their encodings, of whose arithmetic theorems are known (`floats`).
//!
//! Good for additions, bitwise operations, comparisons, shifts and products by constants at 64 bits, and
//! for everything at 8; products of two unknowns at 32 or 64 bits exceed it where no theorem helps, as they exceed most
//! solvers, and so does the rounding of floats.

use std::time::Duration;

use crate::arithmetic::Facts;
use crate::blast::{Circuit, NoCircuit};
use crate::budget::Budget;
use crate::floats::Encoded;
use crate::opaque::{without_divisions, without_products, without_shifts};
use crate::query::{Query, Reason, Verdict};
use crate::refutation::{self, Flaw};
use crate::sat::{self, Outcome};
use crate::simulation::{self, Simulated};
use crate::solver::Solver;
use crate::split::{self, Cases, prepared};
use crate::term::Pool;
use crate::theorems::{Theorem, Theorems};
use crate::value::Value;
use crate::{arithmetic, laws, powers, small_domain};

/// The built-in bit-blaster.
#[derive(Clone, Copy, Debug, Default)]
pub struct Builtin {
    /// What its last refutation was given.
    theorems: Theorems,
}

/// How much is done for a case before it is split further.
const CASE: Duration = Duration::from_millis(250);

/// How much is done for a query with products before facts about their order are stated.
const EASY: Duration = Duration::from_millis(100);

/// How much is done for the powers of two before anything else: mostly nothing is left to be asked of each.
const POWERS: Duration = Duration::from_secs(1);

/// What trying every value of a query may cost for that to be the first thing that is done.
const SMALL: Duration = Duration::from_millis(100);

/// How much is done at least for a query with facts about its words, if that is no more than half of all: small budgets are those of first turns,
/// and an eighth of one decides nothing.
const FACTS: Duration = Duration::from_millis(100);

/// Name and version: the version changes with the circuits, the search, and what is said of a refutation.
const NAME: &str = "builtin 12";

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
        self.theorems = Theorems::default();
        let theorems = &mut self.theorems;
        let Some(encoded) = Encoded::of(&mut words, query) else {
            return of_words(words, query, budget, theorems);
        };
        match of_words(words, &encoded.query, budget, theorems) {
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

    fn rests_on(&self) -> Theorems {
        self.theorems
    }
}

/// Decides a query about words; which theorems a refutation was given is noted.
fn of_words(mut pool: Pool, query: &Query, budget: &mut Budget, given: &mut Theorems) -> Verdict {
    let query = powers::as_shifts(&mut pool, query);
    let query = prepared(&mut pool, &query);
    if let Some(split) = split::find(&pool, &query).filter(|split| split.is_power()) {
        let mut cases = Cases { attempt: &mut attempt, case: CASE };
        match budget.share(POWERS, |part| cases.by(split, &pool, &query, part)) {
            Verdict::Unknown(_) => {}
            decided => return decided,
        }
    }
    if is_small(&pool, &query, budget) {
        return attempt(&pool, &query, budget);
    }
    if follows_from_order(&pool, &query, budget) {
        return Verdict::Unsat;
    }
    if let Some(theorems) = follows_from_theorems(&pool, &query, budget) {
        *given = theorems;
        return Verdict::Unsat;
    }
    let mut weaker = pool.clone();
    if let Some(relaxed) = laws::relaxed(&mut weaker, &query) {
        let relaxed = prepared(&mut weaker, &relaxed);
        let share = budget.left() / 8;
        if budget.share(share, |part| attempt(&weaker, &relaxed, part)) == Verdict::Unsat {
            given.insert(Theorem::Division);
            return Verdict::Unsat;
        }
    }
    if arithmetic::numbers::has_orders(&pool, &query) {
        // The facts about these are many: what is easy without them is decided without them.
        match budget.share(EASY, |part| attempt(&pool, &query, part)) {
            Verdict::Unknown(Reason::Timeout) => {}
            decided => return decided,
        }
        let share = part(budget.left(), 4);
        let orders: Statement = (arithmetic::numbers::orders, without_divisions);
        if let Some(theorems) = follows_from(orders, &pool, &query, share, budget) {
            *given = theorems;
            return Verdict::Unsat;
        }
    }
    Cases { attempt: &mut attempt, case: CASE }.decide(&pool, &query, budget)
}

/// Whether every value can be tried in less time than theorems are worth.
fn is_small(pool: &Pool, query: &Query, budget: &Budget) -> bool {
    if simulation::has_many_inputs(pool, query) {
        return false;
    }
    let mut aside = budget.aside(SMALL);
    let circuit = Circuit::new(pool, query, &mut aside);
    let cost = circuit.ok().and_then(|circuit| simulation::cost(&circuit));
    cost.is_some_and(|cost| cost <= SMALL.min(budget.left() / 4))
}

/// One of so many parts of a budget, or what is worth trying.
fn part(left: Duration, parts: u32) -> Duration {
    (left / parts).max(FACTS.min(left / 2))
}

/// Whether a query has no model because of the order of its words.
fn follows_from_order(pool: &Pool, query: &Query, budget: &mut Budget) -> bool {
    let mut ranks = pool.clone();
    small_domain::instance(&mut ranks, query).is_some_and(|ranked| {
        let ranked = prepared(&mut ranks, &ranked);
        budget.share(EASY, |part| attempt(&ranks, &ranked, part)) == Verdict::Unsat
    })
}

/// Facts about the words of a query, and the query with the functions hidden of which they speak.
type Statement = (fn(&mut Pool, &Query) -> Facts, fn(&mut Pool, &Query) -> Query);

/// The theorems because of which a query has no model, if what they say of some of its words is enough, whatever these are else.
fn follows_from_theorems(pool: &Pool, query: &Query, budget: &mut Budget) -> Option<Theorems> {
    let all: [Statement; 3] = [
        (arithmetic::shifts, without_shifts),
        (arithmetic::magic, without_products),
        (arithmetic::instances, without_divisions),
    ];
    let share = part(budget.left(), 8);
    all.into_iter().find_map(|statement| follows_from(statement, pool, query, share, budget))
}

/// The theorems that say some facts because of which a query has no model, as far as that is found for a share of the budget.
fn follows_from(
    (facts, hidden): Statement,
    pool: &Pool,
    query: &Query,
    share: Duration,
    budget: &mut Budget,
) -> Option<Theorems> {
    let mut weaker = pool.clone();
    let Facts { terms, theorems } = facts(&mut weaker, query);
    if terms.is_empty() {
        return None;
    }
    let with_facts = query.assertions.iter().copied().chain(terms).collect();
    let unknown = hidden(&mut weaker, &Query::new(with_facts));
    let simple = prepared(&mut weaker, &unknown);
    let verdict = budget.share(share, |part| attempt(&weaker, &simple, part));
    (verdict == Verdict::Unsat).then_some(theorems)
}

/// Decides a query as one circuit.
pub(crate) fn attempt(pool: &Pool, query: &Query, budget: &mut Budget) -> Verdict {
    if query.assertions.iter().any(|&a| pool.value(a) == Some(Value::Truth(false))) {
        return Verdict::Unsat;
    }
    let circuit = match Circuit::new(pool, query, budget) {
        Ok(circuit) => circuit,
        Err(NoCircuit::Unsupported(what)) => return Verdict::Unknown(Reason::Unsupported(what.to_owned())),
        Err(NoCircuit::OutOfTime) => return Verdict::Unknown(Reason::Timeout),
    };
    match searched(&circuit, budget) {
        Outcome::Satisfiable(assignment) => Verdict::Sat(circuit.model(&assignment)),
        Outcome::Refuted(refutation) => match refutation::check(&circuit.cnf, &refutation, budget) {
            Ok(()) => Verdict::Unsat,
            Err(Flaw::OutOfTime) => Verdict::Unknown(Reason::Timeout),
            Err(flaw) => Verdict::Unknown(Reason::Failed(format!("a refutation that is none: {flaw:?}"))),
        },
        Outcome::OutOfTime => match simulation::solve(&circuit, budget) {
            Simulated::Satisfied(assignment) => Verdict::Sat(circuit.model(&assignment)),
            Simulated::Never => Verdict::Unsat,
            Simulated::OutOfTime => Verdict::Unknown(Reason::Timeout),
        },
        Outcome::OutOfMemory => Verdict::Unknown(Reason::GaveUp),
    }
}

/// Searches for an assignment: where all of them can be tried, for no longer than that takes.
fn searched(circuit: &Circuit, budget: &mut Budget) -> Outcome {
    match simulation::cost(circuit).filter(|&cost| cost < budget.left() / 2) {
        Some(cost) => budget.share(cost, |part| sat::solve(&circuit.cnf, part)),
        None => sat::solve(&circuit.cnf, budget),
    }
}
