//! The theorems of the abstract domain, proved from the functions that ship.
//!
//! `planish_domain` states its theorems generically over words ([`planish_domain::theorems`]); here they
//! are built over terms and refuted by a solver at 4, 8, 16, 32 and 64 bits. A theorem is asked about
//!
//! 1. *cut* at the contract of tightening ([`planish_domain::contracts`]), which is a pair of theorems itself,
//!    where it follows from them; and where that brings nothing,
//! 2. cut, and step by step: that each witness is described before a call that keeps what is described, which
//!    may then be taken for granted after it; at last each conjunct of the conclusion by itself;
//! 3. whole.
//!
//! Products and quotients of intervals exceed solvers at the larger widths: such a part stays *open*, and the
//! ledger says what covers it, which is the test that holds every theorem at every fact of up to three bits.

use std::time::{Duration, Instant};

use planish_domain::contracts::Assumed;
use planish_domain::theorems::{self, Free, Law, Theorem};
use planish_domain::{Fact, FactOf};
use planish_ops::Bits;
use planish_smt::{Model, Pool, Query, Reason, Sort, Term, Verdict};

use crate::engine::{Answer, Engine};
use crate::ledger::{Entry, Expected, Fingerprint, Ledger, Premise, Record, Standing, TimeClass};
use crate::parallel;
use crate::question::{Options, Question, fingerprint};

/// The widths at which theorems are proved.
pub const WIDTHS: [u32; 5] = [4, 8, 16, 32, 64];

/// The width up to which nothing is cut.
const NARROW: u32 = 4;

/// How long one step may take.
const STEP: Duration = Duration::from_secs(10);

/// What covers a theorem at widths where no solver answers in time.
const COVER: &str =
    "no answer in time; held by test at every fact of 1 to 3 bits and at random ones of 8 to 64";

/// What came of a theorem at a width.
#[derive(Clone, Debug, PartialEq)]
pub struct Outcome {
    /// The width.
    pub width: u32,
    /// The hash of the question.
    pub hash: Fingerprint,
    /// The answer.
    pub answer: Answer,
    /// What the answer rests on.
    pub premises: Vec<Premise>,
    /// The case in which it fails, if it does: names and values.
    pub counterexample: Option<Vec<(String, String)>>,
}

/// What came of a theorem.
#[derive(Clone, Debug, PartialEq)]
pub struct Proof {
    /// The theorem.
    pub theorem: Theorem,
    /// Width by width.
    pub outcomes: Vec<Outcome>,
}

/// The name of a theorem in the ledger.
pub fn name(theorem: Theorem) -> String {
    format!("domain {}", theorem.name())
}

/// The variables of a theorem at a width.
fn variables(theorem: Theorem, width: u32, pool: &mut Pool) -> Option<(Vec<FactOf<Pool>>, Vec<Term>)> {
    let params = theorem.params(width)?;
    let facts: Vec<FactOf<Pool>> = (params.facts.iter().enumerate())
        .map(|(i, &width)| {
            let mut word = |part: &str| pool.variable(&format!("f{i}.{part}"), Sort::Bits(width));
            Fact { lo: word("lo"), hi: word("hi"), ones: word("ones"), zeros: word("zeros") }
        })
        .collect();
    let words: Vec<Term> = (params.words.iter().enumerate())
        .map(|(i, &free)| {
            let width = match free {
                Free::Any(width) => width,
                Free::Member(fact) => params.facts[fact],
            };
            pool.variable(&format!("x{i}"), Sort::Bits(width))
        })
        .collect();
    Some((facts, words))
}

/// A theorem at a width, as questions.
struct Statement {
    whole: Question,
    cut: Option<Cut>,
}

impl Statement {
    /// `None` where the theorem says nothing.
    fn new(theorem: Theorem, width: u32) -> Option<Statement> {
        let mut pool = Pool::new();
        let (facts, words) = variables(theorem, width, &mut pool)?;
        let claim = theorem.claim(&mut pool, width, &facts, &words);
        let whole = Question::refute(pool, &[claim.given], claim.then);
        Some(Statement { whole, cut: Cut::new(theorem, width) })
    }

    /// Of what is claimed, the code of the domain in it. What the cut adds are the contracts, which are
    /// theorems with hashes of their own.
    fn fingerprint(&self) -> Fingerprint {
        fingerprint([&self.whole])
    }
}

/// A theorem cut at the contract of tightening.
struct Cut {
    pool: Pool,
    given: Term,
    assumed: Vec<Assumed<Term>>,
    then: Term,
    premises: Vec<Premise>,
}

impl Cut {
    /// `None` of narrow theorems and of those that do not follow from the contract.
    fn new(theorem: Theorem, width: u32) -> Option<Cut> {
        if width <= NARROW {
            return None;
        }
        let mut pool = Pool::new();
        let (facts, words) = variables(theorem, width, &mut pool)?;
        let (mut made, mut widths) = (0, Vec::new());
        let mut fresh = |pool: &mut Pool, width: u32| {
            made += 1;
            if !widths.contains(&width) {
                widths.push(width);
            }
            pool.variable(&format!("lemma{made}"), Sort::Bits(width))
        };
        let (claim, assumed) = theorem.cut(&mut pool, &mut fresh, width, &facts, &words)?;
        let premises: Vec<Premise> = (widths.iter().flat_map(|width| {
            [Law::Reduce, Law::Narrows]
                .map(|law| Premise { theorem: name(Theorem::Law(law)), part: width.to_string() })
        }))
        .collect();
        // Nothing was cut.
        if premises.is_empty() {
            return None;
        }
        Some(Cut { pool, given: claim.given, assumed, then: claim.then, premises })
    }

    /// All at once: every use of the contract as an implication.
    fn question(&self) -> Question {
        let mut pool = self.pool.clone();
        let mut given = vec![self.given];
        for assumed in &self.assumed {
            given.push(match assumed {
                Assumed::Always(holds) => *holds,
                Assumed::Kept { before, after } => kept(&mut pool, before, *after),
            });
        }
        Question::refute(pool, &given, self.then)
    }

    /// Step by step. Whatever follows at a step holds of the functions as they are, so it may be used from
    /// there on.
    fn by_steps(&self, engine: &Engine, deadline: Instant) -> Option<String> {
        let mut steps =
            Steps { pool: self.pool.clone(), given: vec![self.given], engine, deadline, by: None };
        for assumed in &self.assumed {
            let holds = match assumed {
                Assumed::Always(holds) => *holds,
                Assumed::Kept { before, after } if before.iter().all(|&b| steps.follows(b)) => *after,
                Assumed::Kept { before, after } => kept(&mut steps.pool, before, *after),
            };
            steps.given.push(holds);
        }
        let conclusion = steps.pool.conjuncts(self.then);
        conclusion.into_iter().all(|c| steps.follows(c)).then_some(steps.by).flatten()
    }
}

/// That a witness which was described before is described after.
fn kept(pool: &mut Pool, before: &[Term], after: Term) -> Term {
    let always = pool.truth(true);
    let before = before.iter().fold(always, |all, &one| pool.both(all, one));
    pool.implies(before, after)
}

/// A proof step by step.
struct Steps<'a> {
    pool: Pool,
    given: Vec<Term>,
    engine: &'a Engine,
    deadline: Instant,
    by: Option<String>,
}

impl Steps<'_> {
    /// Whether a conclusion follows from what is known so far, as far as the solver knows.
    fn follows(&mut self, conclusion: Term) -> bool {
        let left = self.deadline.saturating_duration_since(Instant::now());
        if left.is_zero() {
            return false;
        }
        let not = self.pool.negate(conclusion);
        let query = Query::new(self.given.iter().copied().chain([not]).collect());
        let answer = self.engine.ask(&self.pool, &query, left.min(STEP));
        let follows = answer.verdict == Verdict::Unsat;
        if follows {
            self.by.get_or_insert(answer.by);
        }
        follows
    }
}

/// What the ledger must hold of all theorems. Needs no solver.
pub fn expected(options: &Options) -> Vec<Expected> {
    let one = |&theorem: &Theorem| Expected {
        theorem: name(theorem),
        parts: (WIDTHS.iter())
            .filter_map(|&w| Some((w.to_string(), Statement::new(theorem, w)?.fingerprint())))
            .collect(),
    };
    parallel::map(&theorems::all(), options.threads, one, &mut |_, _, _| {})
}

/// Proves theorems, several at once; the time limit is that of one width.
pub fn prove(theorems: &[Theorem], options: &Options, progress: &mut dyn FnMut(usize, &Proof)) -> Vec<Proof> {
    let one = |&t: &Theorem| prove_one(t, &WIDTHS, options);
    parallel::map(theorems, options.threads, one, &mut |done, _, proof| progress(done, proof))
}

/// Proves again what a ledger says is proved, and nothing that it says is open.
pub fn prove_again(
    ledger: &Ledger,
    options: &Options,
    progress: &mut dyn FnMut(usize, &Proof),
) -> Vec<Proof> {
    let one = |&theorem: &Theorem| {
        let proved =
            |width: &u32| ledger.vouches_for(&Premise { theorem: name(theorem), part: width.to_string() });
        let widths: Vec<u32> = WIDTHS.into_iter().filter(proved).collect();
        prove_one(theorem, &widths, options)
    };
    let all = theorems::all();
    parallel::map(&all, options.threads, one, &mut |done, _, proof| progress(done, proof))
}

fn prove_one(theorem: Theorem, widths: &[u32], options: &Options) -> Proof {
    let outcomes = widths.iter().filter_map(|&width| prove_at(theorem, width, options)).collect();
    Proof { theorem, outcomes }
}

fn prove_at(theorem: Theorem, width: u32, options: &Options) -> Option<Outcome> {
    let start = Instant::now();
    let (engine, deadline) = (&options.engine, start + options.limit);
    let statement = Statement::new(theorem, width)?;
    let hash = statement.fingerprint();
    let outcome = |answer, premises| Outcome { width, hash, answer, premises, counterexample: None };
    if let Some(cut) = &statement.cut {
        let answer = cut.question().ask(engine, options.limit / 3 * 2);
        if answer.verdict == Verdict::Unsat {
            return Some(outcome(answer, cut.premises.clone()));
        }
        if let Some(by) = cut.by_steps(engine, start + options.limit / 6 * 5) {
            let answer = Answer { verdict: Verdict::Unsat, by, time: start.elapsed() };
            return Some(outcome(answer, cut.premises.clone()));
        }
    }
    let left = deadline.saturating_duration_since(Instant::now());
    let answer = if left.is_zero() {
        let verdict = Verdict::Unknown(Reason::Timeout);
        Answer { verdict, by: engine.to_string(), time: start.elapsed() }
    } else {
        statement.whole.ask(engine, left)
    };
    let counterexample = match &answer.verdict {
        Verdict::Sat(model) => Some(values(&statement.whole, model)),
        _ => None,
    };
    Some(Outcome { counterexample, ..outcome(answer, Vec::new()) })
}

/// The values of all variables of a question, in order.
fn values(question: &Question, model: &Model) -> Vec<(String, String)> {
    (question.pool.variables())
        .map(|(id, declaration)| {
            let value = model.get(id).map_or_else(|| "any".to_owned(), |value| value.to_string());
            (declaration.name.clone(), value)
        })
        .collect()
}

impl Proof {
    /// Whether some width has a counterexample.
    pub fn is_refuted(&self) -> bool {
        self.outcomes.iter().any(|outcome| outcome.counterexample.is_some())
    }

    /// What the ledger records; `None` of a theorem that is wrong.
    pub fn record(&self) -> Option<Record> {
        if self.is_refuted() {
            return None;
        }
        let entries = (self.outcomes.iter())
            .map(|outcome| {
                let proved = outcome.answer.verdict == Verdict::Unsat;
                Entry {
                    part: outcome.width.to_string(),
                    standing: if proved { Standing::Proved } else { Standing::Open },
                    hash: outcome.hash,
                    by: outcome.answer.by.clone(),
                    time: TimeClass::of(outcome.answer.time),
                    premises: outcome.premises.clone(),
                    note: if proved { String::new() } else { COVER.to_owned() },
                }
            })
            .collect();
        Some(Record { theorem: name(self.theorem), entries })
    }
}

#[cfg(test)]
mod tests {
    use std::num::NonZeroUsize;

    use planish_domain::theorems::Law;
    use planish_ops::Op;

    use super::*;
    use crate::engine::Engine;

    fn options() -> Options {
        Options {
            limit: Duration::from_secs(30),
            threads: NonZeroUsize::MIN,
            ..Options::new(Engine::builtin())
        }
    }

    #[test]
    fn laws_and_transfer_functions_are_proved_without_an_installed_solver() {
        let theorems = [Theorem::Law(Law::Implies), Theorem::Law(Law::FromBits), Theorem::Forward(Op::Lt)];
        for proof in prove(&theorems, &options(), &mut |_, _| {}) {
            for outcome in &proof.outcomes {
                assert_eq!(
                    outcome.answer.verdict,
                    Verdict::Unsat,
                    "{} at {}",
                    name(proof.theorem),
                    outcome.width
                );
            }
            let record = proof.record().expect("proved");
            assert!(record.entries.iter().all(|e| e.standing == Standing::Proved));
        }
    }

    #[test]
    fn questions_are_the_same_on_every_run_and_differ_from_each_other() {
        let (first, second) = (expected(&options()), expected(&options()));
        assert_eq!(first, second);
        let mut names: Vec<&str> = first.iter().map(|e| e.theorem.as_str()).collect();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), first.len());
    }

    #[test]
    fn what_gets_no_answer_is_open_and_says_what_covers_it() {
        let late = Options { limit: Duration::ZERO, ..options() };
        let proof = &prove(&[Theorem::Forward(Op::Mul)], &late, &mut |_, _| {})[0];
        let record = proof.record().expect("not refuted");
        assert!(record.entries.iter().all(|e| e.standing == Standing::Open && !e.note.is_empty()));
    }
}
