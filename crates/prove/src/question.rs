//! A claim as a question to a solver: are there values for which it fails?

use std::num::NonZeroUsize;
use std::sync::Arc;
use std::time::Duration;

use planish_ops::Bits;
use planish_smt::{Budget, Pool, Query, Term, print};

use crate::engine::{Answer, Engine};
use crate::ledger::{Fingerprint, Ledger};
use crate::parallel;

/// How proofs are run.
#[derive(Clone, Debug)]
pub struct Options {
    /// Who is asked.
    pub engine: Engine,
    /// The work for one rule, or one theorem at one width, as the time that it takes on a usual machine (see
    /// [`Budget`]).
    pub limit: Duration,
    /// How long one rule or one theorem may take by the clock, if that is to be bounded: a solver that says nothing is ended.
    pub clock: Option<Duration>,
    /// How many are proved at once.
    pub threads: NonZeroUsize,
    /// The theorems on which proofs may rest: those of a ledger that are [fresh](Ledger::fresh).
    pub lemmas: Arc<Ledger>,
    /// What is proved already: its entries stand for answers to the same questions.
    pub known: Arc<Ledger>,
}

impl Options {
    /// The engine with the usual limit of 20 seconds' work, on all processors, and without lemmas.
    pub fn new(engine: Engine) -> Self {
        Options {
            engine,
            limit: Duration::from_secs(20),
            clock: None,
            threads: parallel::available(),
            lemmas: Arc::default(),
            known: Arc::default(),
        }
    }

    /// What one rule or theorem may cost.
    pub fn budget(&self) -> Budget {
        Budget::new(self.limit).within(self.clock)
    }
}

/// Terms, and what is asked of them. `unsat` is the answer that proves.
pub struct Question {
    /// The terms.
    pub pool: Pool,
    /// Premises and the negated conclusion.
    pub query: Query,
}

impl Question {
    /// Asks for a case in which all `given` hold and `then` does not.
    pub fn refute(mut pool: Pool, given: &[Term], then: Term) -> Question {
        let wrong = pool.negate(then);
        let assertions = given.iter().copied().chain([wrong]).collect();
        Question { pool, query: Query::new(assertions) }
    }

    /// The text that a solver gets.
    pub fn text(&self) -> String {
        print::question(&self.pool, &self.query)
    }

    /// Asks.
    pub fn ask(&self, engine: &Engine, budget: &mut Budget) -> Answer {
        engine.ask(&self.pool, &self.query, budget)
    }
}

/// The hash of questions in order.
pub fn fingerprint<'a>(questions: impl IntoIterator<Item = &'a Question>) -> Fingerprint {
    let texts: Vec<String> = questions.into_iter().map(Question::text).collect();
    Fingerprint::of(texts.iter().map(String::as_str))
}
