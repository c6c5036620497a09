//! The theorems of the abstract domain, proved from the functions that ship.
//!
//! `planish_domain` states its theorems generically over words ([`planish_domain::theorems`]); here they
//! are built over terms and refuted by a solver at 8, 32 and 64 bits, cut at the contract of tightening,
//! itself one of the theorems, where they follow from it ([`planish_domain::contracts`]). Products and quotients of intervals
//! exceed solvers at the larger widths: such a part stays *open*, and the ledger says what covers it, which
//! is the test that holds every theorem at every fact of up to three bits.

use std::time::{Duration, Instant};

use planish_domain::theorems::{self, Free, Theorem};
use planish_domain::{Fact, FactOf};
use planish_smt::{Model, Pool, Reason, Sort, Term, Verdict};

use crate::engine::Answer;
use crate::ledger::{Entry, Expected, Fingerprint, Record, Standing, TimeClass};
use crate::parallel;
use crate::question::{Options, Question, fingerprint};

/// The widths at which theorems are proved.
pub const WIDTHS: [u32; 3] = [8, 32, 64];

/// What covers a theorem at widths where no solver answers in time.
const COVER: &str = "held by test at every fact of 1 to 3 bits";

/// What came of a theorem at a width.
#[derive(Clone, Debug, PartialEq)]
pub struct Outcome {
    /// The width.
    pub width: u32,
    /// The hash of the question.
    pub hash: Fingerprint,
    /// The answer.
    pub answer: Answer,
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

/// The question of a theorem at a width; `None` where it says nothing.
pub fn question(theorem: Theorem, width: u32) -> Option<Question> {
    let params = theorem.params(width)?;
    let mut pool = Pool::new();
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
    let mut made = 0;
    let mut fresh = |pool: &mut Pool, width: u32| {
        made += 1;
        pool.variable(&format!("lemma{made}"), Sort::Bits(width))
    };
    let claim = match theorem.modular_claim(&mut pool, &mut fresh, width, &facts, &words) {
        Some(claim) => claim,
        None => theorem.claim(&mut pool, width, &facts, &words),
    };
    Some(Question::refute(pool, &[claim.given], claim.then))
}

/// What the ledger must hold of all theorems. Needs no solver.
pub fn expected() -> Vec<Expected> {
    theorems::all()
        .into_iter()
        .map(|theorem| Expected {
            theorem: name(theorem),
            parts: (WIDTHS.iter())
                .filter_map(|&w| Some((w.to_string(), fingerprint([&question(theorem, w)?]))))
                .collect(),
        })
        .collect()
}

/// Proves theorems, several at once.
pub fn prove(theorems: &[Theorem], options: &Options, progress: &mut dyn FnMut(usize, &Proof)) -> Vec<Proof> {
    parallel::map(theorems, options.threads, |&t| prove_one(t, options), &mut |done, _, proof| {
        progress(done, proof);
    })
}

fn prove_one(theorem: Theorem, options: &Options) -> Proof {
    let deadline = Instant::now() + options.limit;
    let mut outcomes = Vec::new();
    for width in WIDTHS {
        let Some(question) = question(theorem, width) else { continue };
        let hash = fingerprint([&question]);
        let left = deadline.saturating_duration_since(Instant::now());
        let answer = if left.is_zero() {
            let verdict = Verdict::Unknown(Reason::Timeout);
            Answer { verdict, by: options.engine.to_string(), time: Duration::ZERO }
        } else {
            question.ask(&options.engine, left)
        };
        let counterexample = match &answer.verdict {
            Verdict::Sat(model) => Some(values(&question, model)),
            _ => None,
        };
        outcomes.push(Outcome { width, hash, answer, counterexample });
    }
    Proof { theorem, outcomes }
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
        let (first, second) = (expected(), expected());
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
