//! The theorems of the abstract domain, proved from the functions that ship.
//!
//! `planish_domain` states its theorems generically over words ([`planish_domain::theorems`]); here they
//! are built over terms and refuted by a solver at 4, 8, 16, 32 and 64 bits. A theorem is asked about
//!
//! 1. whole: most narrow ones and many wide ones are questions of no difficulty;
//! 2. *cut* at the contracts of clipping and tightening ([`planish_domain::contracts`]), which are theorems
//!    themselves, and step by step ([`crate::steps`]): over the lemmas that the theorem comes with, then call
//!    by call, that each witness is described before a call that keeps what is described, which may then
//!    be taken for granted after it; at last each conjunct of the conclusion by itself;
//! 3. cut, in one question, where it follows from the contracts;
//!
//! in rounds, each time for longer. What asks the same at several places is asked once.
//!
//! What a product tells of its factors rests on what is proved of quotients. Products and quotients of intervals exceed solvers at the
//! larger widths, where no theorem about their order helps ([`crate::integers`]). A part that nobody proves in time stays *open*, and the ledger says what covers it, which is the test that
//! holds every theorem at every fact of up to three bits.

mod cut;

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::fmt;
use std::time::{Duration, Instant};

use planish_domain::theorems::{self, Theorem};
use planish_smt::{Model, Pool, Verdict};

use crate::engine::Answer;
use crate::ledger::{Entry, Expected, Fingerprint, Ledger, Premise, Record, Standing, TimeClass};
use crate::question::{Options, Question, fingerprint};
use crate::{integers, parallel};

use cut::{Cut, variables};

/// The widths at which theorems are proved.
pub const WIDTHS: [u32; 5] = [4, 8, 16, 32, 64];

/// How much is done in the first round for a theorem as it stands; twice as much is done step by step.
const FIRST_TURN: Duration = Duration::from_millis(300);

/// How many times more is done in every further round.
const GROWTH: u32 = 4;

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
    /// How long it took by the clock.
    pub time: Duration,
}

/// What came of a theorem.
#[derive(Clone, Debug, PartialEq)]
pub struct Proof {
    /// The theorem.
    pub theorem: Theorem,
    /// Width by width.
    pub outcomes: Vec<Outcome>,
}

/// What the names of all theorems of the domain begin with.
const DOMAIN: &str = "domain ";

/// The name of a theorem in the ledger.
pub fn name(theorem: Theorem) -> String {
    format!("{DOMAIN}{}", theorem.name())
}

/// A theorem at a width as one question; `None` where it says nothing.
fn whole(theorem: Theorem, width: u32) -> Option<Question> {
    let mut pool = Pool::new();
    let (facts, words) = variables(theorem, width, &mut pool)?;
    let claim = theorem.claim(&mut pool, width, &facts, &words);
    Some(Question::refute(pool, &[claim.given], claim.then))
}

/// A theorem at a width, as questions.
struct Statement {
    whole: Question,
    cut: Option<Cut>,
}

impl Statement {
    /// `None` where the theorem says nothing.
    fn new(theorem: Theorem, width: u32) -> Option<Statement> {
        Some(Statement { whole: whole(theorem, width)?, cut: Cut::new(theorem, width) })
    }

    /// Of what is claimed, the code of the domain in it. What the cut adds are the contracts, which are
    /// theorems with hashes of their own.
    fn fingerprint(&self) -> Fingerprint {
        fingerprint([&self.whole])
    }
}

/// What the ledger must hold of all theorems. Needs no solver.
pub fn expected(options: &Options) -> Vec<Expected> {
    parallel::map(&theorems::all(), options.threads, |&theorem| expected_of(theorem), &mut |_, _, _| {})
}

/// What the ledger must hold of a theorem.
pub fn expected_of(theorem: Theorem) -> Expected {
    let part = |&w: &u32| Some((w.to_string(), fingerprint([&whole(theorem, w)?])));
    Expected { theorem: name(theorem), parts: WIDTHS.iter().filter_map(part).collect() }
}

/// A theorem at a width: what is proved at once, and what a line of the ledger is about.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Line {
    /// The theorem.
    pub theorem: Theorem,
    /// The width.
    pub width: u32,
}

impl Line {
    fn premise(self) -> Premise {
        Premise::new(name(self.theorem), self.width.to_string())
    }

    /// What it asks: the likeness of the question, and the hash of its text.
    fn asks(self) -> Option<(Fingerprint, Fingerprint)> {
        let whole = whole(self.theorem, self.width)?;
        Some((whole.likeness(), fingerprint([&whole])))
    }

    /// How a ledger says that it was proved.
    fn proved_before(self, ledger: &Ledger) -> Option<&Entry> {
        let Premise { theorem, part, .. } = self.premise();
        ledger.entry(&theorem, &part).filter(|entry| entry.standing == Standing::Proved)
    }

    /// The order of magnitude of its work: what a ledger remembers, or a guess. That decides only what begins first.
    fn expected_time(self, ledger: &Ledger) -> (TimeClass, u32) {
        let Premise { theorem, part, .. } = self.premise();
        let time = ledger.entry(&theorem, &part).map_or(TimeClass::Seconds, |entry| entry.time);
        (time, self.width)
    }
}

impl fmt::Display for Line {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.premise().fmt(f)
    }
}

/// Proves theorems, several lines at once; the time limit is that of one line.
pub fn prove(theorems: &[Theorem], options: &Options, progress: Progress<'_>) -> Vec<Proof> {
    prove_lines(theorems, &|_| true, &Ledger::default(), options, progress)
}

/// Proves again what a ledger says is proved of theorems, and nothing that it says is open.
pub fn prove_again(
    theorems: &[Theorem],
    ledger: &Ledger,
    options: &Options,
    progress: Progress<'_>,
) -> Vec<Proof> {
    prove_lines(theorems, &|line| ledger.vouches_for(&line.premise()), ledger, options, progress)
}

/// Is told how many lines of how many are done, and which was the last.
pub type Progress<'a> = &'a mut dyn FnMut(usize, usize, Line);

/// Proves the lines that are wanted. One that begins last keeps a single processor busy when all others are done, so those
/// that take long come first. Lines that ask the same, as those about a method and the operation that it is about, are
/// asked once.
fn prove_lines(
    theorems: &[Theorem],
    is_wanted: &dyn Fn(Line) -> bool,
    ledger: &Ledger,
    options: &Options,
    progress: Progress<'_>,
) -> Vec<Proof> {
    let of = |&theorem: &Theorem| WIDTHS.map(|width| Line { theorem, width });
    let mut lines: Vec<Line> = theorems.iter().flat_map(of).filter(|&line| is_wanted(line)).collect();
    lines.sort_by_key(|line| Reverse(line.expected_time(ledger)));
    let asked = parallel::map(&lines, options.threads, |line| line.asks(), &mut |_, _, _| {});
    let mut alike: BTreeMap<Fingerprint, Vec<(Line, Fingerprint)>> = BTreeMap::new();
    let mut order: Vec<Fingerprint> = Vec::new();
    for (&line, asks) in lines.iter().zip(asked) {
        let Some((likeness, hash)) = asks else { continue };
        let group = alike.entry(likeness).or_default();
        if group.is_empty() {
            order.push(likeness);
        }
        group.push((line, hash));
    }
    let total: usize = alike.values().map(Vec::len).sum();
    let mut done = 0;
    let outcomes = parallel::map(
        &order,
        options.threads,
        |likeness| prove_at(alike[likeness][0].0, ledger, options),
        &mut |_, likeness, _| {
            for &(line, _) in &alike[likeness] {
                done += 1;
                progress(done, total, line);
            }
        },
    );
    let mut proved: Vec<(Line, Outcome)> = Vec::new();
    for (likeness, outcome) in order.iter().zip(outcomes) {
        let Some(outcome) = outcome else { continue };
        for (index, &(line, hash)) in alike[likeness].iter().enumerate() {
            let time = if index == 0 { outcome.time } else { Duration::ZERO };
            // What asks the same may do so at several widths.
            proved.push((line, Outcome { width: line.width, hash, time, ..outcome.clone() }));
        }
    }
    proved.sort_by_key(|(line, _)| line.width);
    let of_theorem = |&theorem: &Theorem| {
        let mine = proved.iter().filter(|(line, _)| line.theorem == theorem);
        Proof { theorem, outcomes: mine.map(|(_, outcome)| outcome.clone()).collect() }
    };
    theorems.iter().map(of_theorem).collect()
}

/// Proves a line; `None` where the theorem says nothing. A theorem that is cut is asked whole and step by step in turns, each time for
/// longer: which of the two is the short way cannot be seen.
fn prove_at(line: Line, ledger: &Ledger, options: &Options) -> Option<Outcome> {
    let (engine, mut budget, start) = (&options.engine, options.budget(), Instant::now());
    let Line { theorem, width } = line;
    let _begun = options.under_way.begin(line.to_string());
    let statement = Statement::new(theorem, width)?;
    let hash = statement.fingerprint();
    let outcome = |answer, premises, counterexample| Outcome {
        width,
        hash,
        answer,
        premises,
        counterexample,
        time: start.elapsed(),
    };
    let whole = |answer: Answer| {
        let counterexample = match &answer.verdict {
            Verdict::Sat(model) => Some(values(&statement.whole, model)),
            _ => None,
        };
        let premises = integers::premises(answer.theorems);
        outcome(answer, premises, counterexample)
    };
    // How it was proved before says which way is taken first, and nothing else.
    let before = line.proved_before(ledger);
    if let Some(before) = before.filter(|entry| !is_cut(entry)) {
        let (engine, half) = (engine.recalling(&before.by), options.limit / 2);
        let answer = budget.share(half, |part| statement.whole.ask(&engine, part));
        if !matches!(answer.verdict, Verdict::Unknown(_)) {
            return Some(whole(answer));
        }
    }
    let Some(cut) = &statement.cut else { return Some(whole(statement.whole.ask(engine, &mut budget))) };
    let cut_proved = |by: String, theorems, work| {
        let answer = Answer { verdict: Verdict::Unsat, by, theorems, work };
        let contracts = cut.premises().iter().map(|&(theorem, width)| Line { theorem, width }.premise());
        let premises = contracts.chain(integers::premises(theorems)).collect();
        Some(outcome(answer, premises, None))
    };
    let was_cut = before.is_some_and(is_cut);
    if !was_cut {
        let quick = budget.share(FIRST_TURN, |part| statement.whole.ask(engine, part));
        if !matches!(quick.verdict, Verdict::Unknown(_)) {
            return Some(whole(quick));
        }
    }
    // What comes with lemmas is mostly not to be had without them.
    if was_cut || (before.is_none() && cut.is_guided()) {
        let recalling = before.map_or_else(|| engine.clone(), |before| engine.recalling(&before.by));
        if let Some(answered) = budget.share(options.limit / 2, |part| cut.by_steps(&recalling, part)) {
            return cut_proved(answered.names(), answered.theorems, budget.used());
        }
    }
    let mut turn = FIRST_TURN;
    loop {
        let answer = budget.share(turn, |part| statement.whole.ask(engine, part));
        if !matches!(answer.verdict, Verdict::Unknown(_)) || budget.is_spent() {
            return Some(whole(answer));
        }
        if let Some(answered) = budget.share(2 * turn, |part| cut.by_steps(engine, part)) {
            return cut_proved(answered.names(), answered.theorems, budget.used());
        }
        let answer = budget.share(turn, |part| cut.question().ask(engine, part));
        if answer.verdict == Verdict::Unsat {
            return cut_proved(answer.by, answer.theorems, answer.work);
        }
        turn *= GROWTH;
    }
}

/// Whether a line was proved from contracts.
fn is_cut(entry: &Entry) -> bool {
    entry.premises.iter().any(|premise| premise.theorem.starts_with(DOMAIN))
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
                    time: TimeClass::of(outcome.answer.work),
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
            limit: Duration::from_secs(120),
            threads: NonZeroUsize::MIN,
            ..Options::new(Engine::builtin())
        }
    }

    /// A law about truth values asks the same at every width, and is recorded at each.
    #[test]
    fn what_asks_the_same_is_recorded_line_by_line() {
        let theorems = [Theorem::Law(Law::TruthFact), Theorem::Law(Law::FromBits)];
        let expected = |theorem: &Theorem| expected_of(*theorem).parts;
        for (proof, expected) in
            prove(&theorems, &options(), &mut |_, _, _| {}).iter().zip(theorems.iter().map(expected))
        {
            let record = proof.record().expect("it is proved");
            let parts: Vec<(String, Fingerprint)> =
                record.entries.into_iter().map(|entry| (entry.part, entry.hash)).collect();
            assert_eq!(parts, expected);
        }
    }

    #[test]
    fn laws_and_transfer_functions_are_proved_without_an_installed_solver() {
        let theorems =
            [Theorem::Law(Law::ClipNarrows), Theorem::Law(Law::FromBits), Theorem::Forward(Op::Lt)];
        for proof in prove(&theorems, &options(), &mut |_, _, _| {}) {
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
        let proof = &prove(&[Theorem::Forward(Op::Mul)], &late, &mut |_, _, _| {})[0];
        let record = proof.record().expect("not refuted");
        assert!(record.entries.iter().all(|e| e.standing == Standing::Open && !e.note.is_empty()));
    }
}
