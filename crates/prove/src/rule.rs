//! Proofs of rules.
//!
//! A rule is proved part by part, from the narrowest width up, so that a wrong rule fails within
//! milliseconds with a small counterexample. Beside the solver stands a trial of the same semantics on the
//! machine, at every input of small widths: an encoding that is wrong in the solver's favour fails there.
//!
//! A rule that can never apply is refused too: its proof would be empty. A rule for which no answer comes
//! in time is unproved, and unproved is no weaker than wrong.

use std::cmp::Reverse;
use std::collections::BTreeSet;
use std::time::{Duration, Instant};

use planish_ops::Op;
use planish_rules::exhaust::{Tally, exhaust};
use planish_rules::rule::{NodeKind, Rule, Step};
use planish_smt::{Budget, Reason, Verdict as Answered, decide};

use crate::claim::{self, Claim, Part};
use crate::ledger::{Entry, Expected, Fingerprint, Premise, Record, Standing, TimeClass};
use crate::magic;
use crate::minimize::minimize;
use crate::parallel;
use crate::question::Options;
use crate::story::Story;

/// The widths at which every input is tried, all mixtures of them included.
pub const TRIAL_WIDTHS: [u32; 2] = [1, 4];

/// How many inputs are tried for each type assignment and reading; beyond, they are sampled.
const TRIAL_LIMIT: u64 = 20_000;

/// The name of the part that is tried.
const TRIAL: &str = "4";

/// How much is done to make a counterexample smaller.
const MINIMIZE: Duration = Duration::from_secs(3);

/// The judgement on a rule.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// It holds.
    Proved,
    /// It does not.
    Refuted(Box<Story>),
    /// Its checks cannot hold: the first that contradicts those before it, as written.
    NeverApplies(String),
    /// There is no answer: for which part, and why.
    Unproved(String),
    /// No proof is asked for, with a reason, and none was found.
    Sorry(String),
}

/// What came of proving a rule.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Proof {
    /// The rule's name.
    pub rule: String,
    /// File and line.
    pub place: String,
    /// The judgement.
    pub verdict: Verdict,
    /// Part by part what the ledger records.
    pub entries: Vec<Entry>,
    /// How long it took.
    pub time: Duration,
}

impl Proof {
    /// Whether the rule may be used.
    pub fn is_good(&self) -> bool {
        matches!(self.verdict, Verdict::Proved | Verdict::Sorry(_))
    }

    /// What the ledger records; `None` of a rule that may not be used.
    pub fn record(&self) -> Option<Record> {
        self.is_good().then(|| Record { theorem: theorem(&self.rule), entries: self.entries.clone() })
    }
}

/// One line for a rule that holds, a story for one that does not.
impl std::fmt::Display for Proof {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let time = self.time.as_secs_f64();
        match &self.verdict {
            Verdict::Proved => {
                write!(f, "proved {} in {time:.2} s", self.rule)?;
                let left: Vec<&str> = (self.entries.iter())
                    .filter(|e| e.standing == Standing::LeftOut)
                    .map(|e| e.part.as_str())
                    .collect();
                if !left.is_empty() {
                    write!(f, " (not about widths {})", left.join(", "))?;
                }
                Ok(())
            }
            Verdict::Refuted(story) => story.fmt(f),
            Verdict::NeverApplies(condition) => {
                write!(
                    f,
                    "rule {} can never apply\n  {}: no input satisfies `{condition}`",
                    self.rule, self.place
                )
            }
            Verdict::Unproved(why) => {
                write!(f, "unproved {} after {time:.2} s\n  {}: {why}", self.rule, self.place)
            }
            Verdict::Sorry(reason) => write!(f, "sorry {}: {reason}", self.rule),
        }
    }
}

/// The name of a rule in the ledger.
pub fn theorem(rule: &str) -> String {
    format!("rule {rule}")
}

/// What the ledger must hold of these rules. Needs no solver.
pub fn expected(rules: &[&Rule], options: &Options) -> Vec<Expected> {
    let one = |rule: &&Rule| {
        let mut parts: Vec<(String, Fingerprint)> = (claim::parts(rule).iter())
            .map(|part| (part.name.clone(), hash(&claim::claims(rule, part).collect::<Vec<_>>())))
            .collect();
        parts.push((TRIAL.to_owned(), trial_hash(rule)));
        Expected { theorem: theorem(&rule.name), parts }
    };
    parallel::map(rules, options.threads, one, &mut |_, _, _| {})
}

/// Proves rules, several at once, and tells `progress` how many are done.
pub fn prove(rules: &[&Rule], options: &Options, progress: &mut dyn FnMut(usize, &Proof)) -> Vec<Proof> {
    // The hardest first: one that begins last keeps a single processor busy when all others are done.
    let mut order: Vec<usize> = (0..rules.len()).collect();
    order.sort_by_key(|&index| Reverse(hardness(rules[index])));
    let hardest_first: Vec<&Rule> = order.iter().map(|&index| rules[index]).collect();
    let proofs = parallel::map(
        &hardest_first,
        options.threads,
        |rule| prove_one(rule, options),
        &mut |done, _, proof| {
            progress(done, proof);
        },
    );
    let mut placed: Vec<(usize, Proof)> = order.into_iter().zip(proofs).collect();
    placed.sort_by_key(|(index, _)| *index);
    placed.into_iter().map(|(_, proof)| proof).collect()
}

/// How hard the operations of a pattern are for solvers: rotations by any amount, then divisions, then products
/// and shifts.
fn hardness(rule: &Rule) -> usize {
    let of = |op: Op| match op {
        Op::Rotl | Op::Rotr => 100,
        Op::Sdiv | Op::Srem | Op::Udiv | Op::Urem | Op::FloorDiv | Op::FloorMod => 10,
        Op::Mul | Op::Lshift | Op::Rshift | Op::Urshift => 1,
        _ => 0,
    };
    let operations = rule.preorder(rule.pattern).into_iter().map(|term| match rule.terms[term].kind {
        NodeKind::Op(op, _) => of(op),
        _ => 0,
    });
    operations.sum()
}

/// Proves one rule.
pub fn prove_one(rule: &Rule, options: &Options) -> Proof {
    let start = Instant::now();
    let mut prover = Prover { rule, options, budget: Budget::new(options.limit), entries: Vec::new() };
    let verdict = prover.judge();
    Proof {
        rule: rule.name.clone(),
        place: format!("{}:{}", rule.file, rule.line),
        verdict,
        entries: prover.entries,
        time: start.elapsed(),
    }
}

/// Of the claims with the domain's code in them. What a cut adds are promises, which are theorems with
/// hashes of their own.
fn hash(claims: &[Claim]) -> Fingerprint {
    crate::question::fingerprint(claims.iter().map(|claim| &claim.question))
}

/// Adds a name to those who answered.
fn note(by: &mut Vec<String>, name: String) {
    if !by.contains(&name) {
        by.push(name);
    }
}

/// The hash of what is tried: the same semantics as questions at the first width, since a trial has no
/// text of its own.
fn trial_hash(rule: &Rule) -> Fingerprint {
    let assignments = planish_rules::exhaust::assignments(rule, &TRIAL_WIDTHS);
    let admitted = assignments.into_iter().filter(|types| rule.admits(types)).collect();
    let part = Part { name: TRIAL.to_owned(), assignments: admitted };
    hash(&claim::claims(rule, &part).collect::<Vec<_>>())
}

struct Prover<'a> {
    rule: &'a Rule,
    options: &'a Options,
    budget: Budget,
    entries: Vec<Entry>,
}

/// What came of a part.
enum PartOutcome {
    Holds { by: String, premises: Vec<Premise> },
    Wrong(Box<Story>),
    Unknown { by: String, why: Reason },
}

impl Prover<'_> {
    fn judge(&mut self) -> Verdict {
        let parts = claim::parts(self.rule);
        if let Some(condition) = self.never_applies(&parts) {
            return Verdict::NeverApplies(condition);
        }
        let mut unknown: Option<String> = None;
        for part in &parts {
            let before = self.budget.used();
            let mut claims: Vec<Claim> = claim::claims(self.rule, part).collect();
            let hash = hash(&claims);
            let mut entry = Entry {
                part: part.name.clone(),
                standing: Standing::Proved,
                hash,
                by: String::new(),
                time: TimeClass::Instant,
                premises: Vec::new(),
                note: String::new(),
            };
            if part.assignments.is_empty() {
                entry.standing = Standing::LeftOut;
                entry.by = "nobody".to_owned();
                entry.note = "a literal does not fit, or an operation has no such width".to_owned();
            } else if let Some(types) =
                part.assignments.iter().find(|types| !self.rule.target_is_legal(types))
            {
                return Verdict::Unproved(format!("its target is ill-typed where types are {types:?}"));
            } else if self.rule.marks.certified && part.name != "8" {
                // What remains is arithmetic of magic numbers, which no solver decides in bit-vectors.
                entry.standing = Standing::Follows;
                entry.by = "theorem".to_owned();
                entry.premises = magic::premises(part.width());
                entry.note = "tried on samples".to_owned();
                if let Some(premise) = entry.premises.iter().find(|p| !self.options.lemmas.vouches_for(p)) {
                    entry.standing = Standing::Open;
                    let why = format!("at width {}, it rests on {premise}, which is not proved", part.name);
                    unknown.get_or_insert(why);
                }
                let tally = exhaust(self.rule, &[part.width()], TRIAL_LIMIT);
                if let Some(wrong) = tally.wrong {
                    return Verdict::Refuted(Box::new(Story::of_trial(self.rule, &wrong)));
                }
            } else {
                match self.part(&mut claims) {
                    PartOutcome::Holds { by, premises } => (entry.by, entry.premises) = (by, premises),
                    PartOutcome::Wrong(story) => return Verdict::Refuted(story),
                    PartOutcome::Unknown { by, why } => {
                        entry.standing = Standing::Open;
                        entry.by = by;
                        unknown.get_or_insert(format!("at width {}, {why}", part.name));
                    }
                }
            }
            entry.time = TimeClass::of(self.budget.used() - before);
            self.entries.push(entry);
        }
        if let Some(story) = self.try_all() {
            return Verdict::Refuted(Box::new(story));
        }
        match (unknown, &self.rule.sorry) {
            (None, _) => Verdict::Proved,
            (Some(_), Some(reason)) if !reason.is_empty() => {
                for entry in self.entries.iter_mut().filter(|e| e.standing == Standing::Open) {
                    (entry.standing, entry.note) = (Standing::Sorry, reason.clone());
                }
                Verdict::Sorry(reason.clone())
            }
            (Some(why), _) => Verdict::Unproved(why),
        }
    }

    /// Asks all questions of a part.
    fn part(&mut self, claims: &mut [Claim]) -> PartOutcome {
        let mut by: Vec<String> = Vec::new();
        let mut premises = BTreeSet::new();
        let mut unknown = None;
        for claim in claims {
            if self.budget.is_spent() {
                return PartOutcome::Unknown { by: self.options.engine.to_string(), why: Reason::Timeout };
            }
            let engine = &self.options.engine;
            if let Some(cut) = &claim.cut
                && cut.lemmas.iter().all(|lemma| self.options.lemmas.vouches_for(lemma))
            {
                let half = self.budget.left() / 2;
                let answer = self.budget.share(half, |part| cut.question.ask(engine, part));
                if answer.verdict == Answered::Unsat {
                    premises.extend(cut.lemmas.iter().cloned());
                    note(&mut by, answer.by);
                    continue;
                }
            }
            let answer = claim.question.ask(engine, &mut self.budget);
            match answer.verdict {
                Answered::Unsat => note(&mut by, answer.by),
                Answered::Sat(model) => {
                    let small = minimize(claim, model.clone(), engine, &mut Budget::new(MINIMIZE));
                    let story =
                        Story::of(self.rule, claim, &small).or_else(|| Story::of(self.rule, claim, &model));
                    match story {
                        Some(story) => return PartOutcome::Wrong(Box::new(story)),
                        None => {
                            let why = Reason::Failed("its counterexample is none when it is run".to_owned());
                            return PartOutcome::Unknown { by: answer.by, why };
                        }
                    }
                }
                Answered::Unknown(why) => {
                    unknown.get_or_insert(PartOutcome::Unknown { by: answer.by, why });
                }
            }
        }
        let premises = premises.into_iter().collect();
        unknown.unwrap_or_else(|| PartOutcome::Holds { by: by.join(" and "), premises })
    }

    /// The first check that contradicts those before it at every width, if the rule can never apply.
    fn never_applies(&mut self, parts: &[Part]) -> Option<String> {
        let has_conditions =
            self.rule.steps.iter().any(|step| matches!(step, Step::Check(_) | Step::Compute(..)));
        if !has_conditions {
            return None;
        }
        let mut narrow: Option<Claim> = None;
        for part in parts {
            for claim in claim::claims(self.rule, part) {
                let query = claim.satisfiable(usize::MAX);
                let (engine, quarter) = (&self.options.engine, self.budget.left() / 4);
                let answer =
                    self.budget.share(quarter, |part| engine.ask(&claim.question.pool, &query, part));
                // Only a refutation says that it never applies.
                if answer.verdict != Answered::Unsat {
                    return None;
                }
                narrow.get_or_insert(claim);
            }
        }
        let claim = narrow?;
        let checks: Vec<String> = (self.rule.steps.iter())
            .filter_map(|step| match step {
                Step::Check(expr) => Some(self.written(expr.span)),
                Step::Compute(..) => None,
            })
            .collect();
        for count in 1..=checks.len() {
            let query = claim.satisfiable(count);
            let mut solver = planish_smt::Builtin;
            let verdict = decide(&mut solver, &claim.question.pool, &query, &mut Budget::new(MINIMIZE));
            if verdict == Answered::Unsat {
                return Some(checks[..count].join(" and "));
            }
        }
        Some("what it computes is never defined".to_owned())
    }

    /// A piece of the rule as written.
    fn written(&self, span: planish_base::Span) -> String {
        let range = span.range();
        let start = self.rule.name_span.range().start;
        let piece = range.start.checked_sub(start).zip(range.end.checked_sub(start));
        let text = piece.and_then(|(from, to)| self.rule.text.get(from..to));
        text.unwrap_or(&self.rule.text).trim().to_owned()
    }

    /// Tries every input of small widths; the story of one that is wrong.
    fn try_all(&mut self) -> Option<Story> {
        let start = Instant::now();
        let Tally { cases, sampled, wrong, .. } = exhaust(self.rule, &TRIAL_WIDTHS, TRIAL_LIMIT);
        if let Some(wrong) = wrong {
            return Some(Story::of_trial(self.rule, &wrong));
        }
        self.entries.push(Entry {
            part: TRIAL.to_owned(),
            standing: match (cases, sampled) {
                (0, _) => Standing::LeftOut,
                (_, true) => Standing::Sampled,
                (_, false) => Standing::Exhausted,
            },
            hash: trial_hash(self.rule),
            by: "trial".to_owned(),
            time: TimeClass::of(start.elapsed()),
            premises: Vec::new(),
            note: format!("{cases} cases"),
        });
        None
    }
}
