//! The solver that needs no installation: circuits, a SAT solver, and a check of what it says.
//!
//! `unsat` counts only when [`crate::refutation::check`] has accepted the refutation, and a model only when
//! it evaluates (see [`crate::solver::decide`]), so neither the search nor its bookkeeping is trusted: what
//! remains to be trusted are algebra, circuits ([`crate::blast`]) and cases, which are tested at every value
//! of small widths, and the checker.
//!
//! Before there is a circuit, equalities are decided by algebra (`ring`); what stays open for a while
//! is split into cases (`split`).
//!
//! Good for additions, bitwise operations, comparisons, shifts and products by constants at 64 bits, and
//! for everything at 8; products of two unknowns at 32 or 64 bits exceed it, as they exceed most solvers.

use std::time::{Duration, Instant};

use crate::blast::Circuit;
use crate::query::{Query, Reason, Verdict};
use crate::refutation;
use crate::ring;
use crate::sat::{self, Outcome};
use crate::solver::Solver;
use crate::split;
use crate::term::Pool;
use crate::value::Value;

/// The built-in bit-blaster.
#[derive(Clone, Copy, Debug, Default)]
pub struct Builtin;

/// How long a case is tried before it is split further.
const CASE: Duration = Duration::from_millis(500);

/// Name and version: the version changes with the circuits and the search.
const NAME: &str = "builtin 1";

impl Solver for Builtin {
    fn name(&self) -> &str {
        NAME
    }

    fn solve(&mut self, pool: &Pool, query: &Query, limit: Duration) -> Verdict {
        let deadline = Instant::now() + limit;
        let mut pool = pool.clone();
        let query = ring::simplified(&mut pool, query);
        let patience = Instant::now() + limit / 8;
        split::search(&mut pool, &query, (deadline, patience, CASE), &mut attempt)
    }

    fn solve_text(&mut self, _text: &str, _limit: Duration) -> Verdict {
        Verdict::Unknown(Reason::Unsupported("SMT-LIB text".to_owned()))
    }
}

/// Decides a query as one circuit.
fn attempt(pool: &Pool, query: &Query, deadline: Instant) -> Verdict {
    if query.assertions.iter().any(|&a| pool.value(a) == Some(Value::Truth(false))) {
        return Verdict::Unsat;
    }
    let circuit = match Circuit::new(pool, query) {
        Ok(circuit) => circuit,
        Err(what) => return Verdict::Unknown(Reason::Unsupported(what.to_owned())),
    };
    match sat::solve(&circuit.cnf, deadline) {
        Outcome::Satisfiable(assignment) => Verdict::Sat(circuit.model(&assignment)),
        Outcome::Refuted(refutation) => match refutation::check(&circuit.cnf, &refutation) {
            Ok(()) => Verdict::Unsat,
            Err(flaw) => Verdict::Unknown(Reason::Failed(format!("a refutation that is none: {flaw:?}"))),
        },
        Outcome::OutOfTime => Verdict::Unknown(Reason::Timeout),
        Outcome::OutOfMemory => Verdict::Unknown(Reason::GaveUp),
    }
}
