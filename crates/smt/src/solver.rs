//! What a solver is, and the one way to ask it.
//!
//! [`decide`] stands between every caller and every back end: it answers what construction has already
//! decided, and evaluates each model that a solver returns. A model under which the assertions do not
//! hold is a fault of the solver and is reported as one, so that a counterexample that is shown is a
//! counterexample.

use crate::budget::Budget;
use crate::query::{Model, Query, Reason, Verdict};
use crate::term::Pool;
use crate::theorems::Theorems;
use crate::value::Value;

/// Something that answers queries.
pub trait Solver {
    /// Name and version, as ledgers record them.
    fn name(&self) -> &str;

    /// Decides a query, or says that it does not know when the budget is spent.
    fn solve(&mut self, pool: &Pool, query: &Query, budget: &mut Budget) -> Verdict;

    /// The theorems that its last refutation was given, besides what its circuits and rules say.
    fn rests_on(&self) -> Theorems {
        Theorems::default()
    }
}

/// Asks `solver`, and believes a model only if it evaluates to what it claims.
pub fn decide(solver: &mut dyn Solver, pool: &Pool, query: &Query, budget: &mut Budget) -> Verdict {
    if query.assertions.iter().any(|&a| pool.value(a) == Some(Value::Truth(false))) {
        return Verdict::Unsat;
    }
    if query.assertions.iter().all(|&a| pool.value(a) == Some(Value::Truth(true))) {
        return Verdict::Sat(Model::new());
    }
    match solver.solve(pool, query, budget) {
        Verdict::Sat(model) if !model.satisfies(pool, query) => Verdict::Unknown(Reason::Failed(format!(
            "the model of {} does not satisfy the query",
            solver.name()
        ))),
        verdict => verdict,
    }
}
