//! A claim as a question to a solver: are there values for which it fails?

use std::num::NonZeroUsize;
use std::sync::Arc;
use std::time::Duration;

use planish_base::Id;
use planish_ops::Bits;
use planish_smt::term::Node;
use planish_smt::{Budget, Cancel, Pool, Query, Term, print};

use crate::engine::{Answer, Engine};
use crate::ledger::{Fingerprint, Ledger};
use crate::parallel;
use crate::under_way::UnderWay;

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
    /// By which proofs that nobody wants any more are ended.
    pub cancel: Cancel,
    /// How many are proved at once.
    pub threads: NonZeroUsize,
    /// The theorems on which proofs may rest: those of a ledger that are [fresh](Ledger::fresh).
    pub lemmas: Arc<Ledger>,
    /// Where it is told what is being proved.
    pub under_way: UnderWay,
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
            cancel: Cancel::default(),
            threads: parallel::available(),
            lemmas: Arc::default(),
            under_way: UnderWay::default(),
            known: Arc::default(),
        }
    }

    /// What one rule or theorem may cost.
    pub fn budget(&self) -> Budget {
        Budget::new(self.limit).within(self.clock).until(self.cancel.clone())
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

    /// What is asked, whatever the order in which its terms were made: of two questions with one likeness an answer to one is
    /// an answer to the other. The text depends on that order, where operands may change places.
    ///
    /// A claim under an assumption asks the same as the claim where the assumption is given.
    pub fn likeness(&self) -> Fingerprint {
        let mut pool = self.pool.clone();
        let assertions: Vec<Term> =
            self.query.assertions.iter().flat_map(|&term| pool.asserted(term)).collect();
        let mut likeness: Vec<Option<Fingerprint>> = Vec::new();
        for (index, is_reached) in pool.reachable(&assertions).into_iter().enumerate() {
            let of = |term: Term| likeness[term.index()].expect("operands are older").to_string();
            let node = is_reached.then(|| {
                let (head, mut operands) = head(&pool, Term::from_index(index), of);
                if head.commutes {
                    operands.sort_unstable();
                }
                Fingerprint::of(std::iter::once(&head.text).chain(&operands).map(String::as_str))
            });
            likeness.push(node);
        }
        let mut all: Vec<String> =
            assertions.iter().map(|t| likeness[t.index()].expect("they are reached").to_string()).collect();
        all.sort_unstable();
        Fingerprint::of(all.iter().map(String::as_str))
    }

    /// Asks.
    pub fn ask(&self, engine: &Engine, budget: &mut Budget) -> Answer {
        engine.ask(&self.pool, &self.query, budget)
    }
}

/// A function or constant, operands apart.
struct Head {
    text: String,
    commutes: bool,
}

/// The head of a term, and its operands as `of` says them.
fn head(pool: &Pool, term: Term, of: impl Fn(Term) -> String) -> (Head, Vec<String>) {
    let plain = |text: String| Head { text, commutes: false };
    match pool.node(term) {
        Node::Variable(variable) => (plain(format!("{:?}", pool.declaration(variable))), Vec::new()),
        Node::Unary(op, a) => (plain(format!("{op:?}")), vec![of(a)]),
        Node::Binary(op, a, b) => {
            (Head { text: format!("{op:?}"), commutes: op.commutes() }, vec![of(a), of(b)])
        }
        Node::Select(c, a, b) => (plain("select".to_owned()), vec![of(c), of(a), of(b)]),
        constant => (plain(format!("{constant:?}")), Vec::new()),
    }
}

/// The hash of questions in order.
pub fn fingerprint<'a>(questions: impl IntoIterator<Item = &'a Question>) -> Fingerprint {
    let texts: Vec<String> = questions.into_iter().map(Question::text).collect();
    Fingerprint::of(texts.iter().map(String::as_str))
}

#[cfg(test)]
mod tests {
    use planish_smt::Sort;

    use super::*;

    /// x + y = y * x, its operands made in one order or the other; `other` is another question.
    fn question(first: &str, second: &str, other: bool) -> Question {
        let mut pool = Pool::new();
        let [a, b] = [first, second].map(|name| pool.variable(name, Sort::Bits(8)));
        let product = pool.mul(b, a);
        let sum = if other { pool.sub(a, b) } else { pool.add(a, b) };
        let same = pool.eq(sum, product);
        Question::refute(pool, &[], same)
    }

    #[test]
    fn likeness_sees_what_is_asked_and_not_in_which_order_terms_were_made() {
        let one = question("x", "y", false);
        assert_eq!(one.likeness(), question("y", "x", false).likeness());
        assert_ne!(one.likeness(), question("x", "z", false).likeness());
        assert_ne!(question("x", "y", true).likeness(), question("y", "x", true).likeness());
        assert_ne!(one.likeness(), question("x", "y", true).likeness());
    }

    #[test]
    fn a_claim_under_an_assumption_asks_the_same_as_where_that_is_given() {
        let mut pool = Pool::new();
        let [a, b] = ["a", "b"].map(|name| pool.variable(name, Sort::Bool));
        let claim = pool.implies(a, b);
        let [under, given, without] = [(&[][..], claim), (&[a][..], b), (&[][..], b)]
            .map(|(given, then)| Question::refute(pool.clone(), given, then).likeness());
        assert_eq!(under, given);
        assert_ne!(under, without);
    }
}
