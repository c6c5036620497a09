//! The solver that needs no installation: circuits, a SAT solver, and a check of what it says.
//!
//! `unsat` counts only when [`crate::refutation::check`] has accepted the refutation, and a model only when
//! it evaluates (see [`crate::solver::decide`]), so neither the search nor its bookkeeping is trusted: what
//! remains to be trusted are the circuits of [`crate::blast`], which are tested at every value of small
//! widths, and the checker.
//!
//! Good for additions, bitwise operations, comparisons, shifts and products by constants at 64 bits, and
//! for everything at 8; products of two unknowns at 32 or 64 bits exceed it, as they exceed most solvers.

use std::time::{Duration, Instant};

use crate::blast::Circuit;
use crate::query::{Query, Reason, Verdict};
use crate::refutation;
use crate::sat::{self, Outcome};
use crate::solver::Solver;
use crate::term::Pool;

/// The built-in bit-blaster.
#[derive(Clone, Copy, Debug, Default)]
pub struct Builtin;

/// Name and version: the version changes with the circuits and the search.
const NAME: &str = "builtin 1";

impl Solver for Builtin {
    fn name(&self) -> &str {
        NAME
    }

    fn solve(&mut self, pool: &Pool, query: &Query, limit: Duration) -> Verdict {
        let deadline = Instant::now() + limit;
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

    fn solve_text(&mut self, _text: &str, _limit: Duration) -> Verdict {
        Verdict::Unknown(Reason::Unsupported("SMT-LIB text".to_owned()))
    }
}
