//! Judging rules.
//!
//! First a rule is tried on the machine: on every input of small widths, and on samples at each type assignment of
//! wide ones. No solver is believed before: an encoding, or a solver, that is wrong in the rule's favour fails here.
//! Then it is proved part by part, from the narrowest width up.

use std::cmp::Reverse;
use std::collections::BTreeSet;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::{Duration, Instant};

use planish_ops::{Datum, Op};
use planish_rules::exhaust::{SMALL_WIDTHS, Tally, Wrong, exhaust_while};
use planish_rules::rule::{NodeKind, Rule, Step, TyKind};
use planish_rules::sample::sample;
use planish_smt::{Budget, Model, Reason, Value, Verdict as Answered};

use crate::claim::{self, Case, Claim, FIXED, Part};
use crate::counterexample::Counterexample;
use crate::engine::Engine;
use crate::ledger::{Entry, Fingerprint, NOBODY, Premise, Standing, TimeClass, is_builtin};
use crate::minimize::minimize;
use crate::question::Options;
use crate::rule::{EMPTY, Proof, TRIAL, Verdict, hash, places, theorem, trial_hash};
use crate::{integers, magic, parallel};

/// How many samples are taken of a rule at wide types, all assignments together.
const SAMPLES: usize = 4000;

/// How much is done for a smaller counterexample: to find one of few bits, and to make one smaller.
const MINIMIZE: Duration = Duration::from_secs(1);

/// The widest words at which a smaller counterexample is looked for.
const SMALL: u32 = 8;

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
    let _begun = options.under_way.begin(theorem(&rule.name));
    let mut prover = Prover::new(rule, options);
    // A mistake of the prover is the verdict of one rule and of no other.
    let verdict = catch_unwind(AssertUnwindSafe(|| prover.judge())).unwrap_or_else(|panic| {
        let said = panic.downcast_ref::<String>().map(String::as_str);
        let said = said.or(panic.downcast_ref::<&str>().copied()).unwrap_or("it says nothing");
        Verdict::Unproved(format!("the prover failed on this rule: {said}"))
    });
    Proof {
        rule: rule.name.clone(),
        place: format!("{}:{}", rule.file, rule.line),
        verdict,
        entries: prover.entries,
        time: start.elapsed(),
    }
}

struct Prover<'a> {
    rule: &'a Rule,
    options: &'a Options,
    budget: Budget,
    /// What was found out, part by part.
    entries: Vec<Entry>,
}

/// What came of a part.
enum PartOutcome {
    Holds { by: String, premises: Vec<Premise> },
    Wrong(Box<Counterexample>),
    Unknown { by: String, why: Reason },
}

impl<'a> Prover<'a> {
    fn new(rule: &'a Rule, options: &'a Options) -> Self {
        Prover { rule, options, budget: options.budget(), entries: Vec::new() }
    }

    fn judge(&mut self) -> Verdict {
        let parts = claim::parts(self.rule);
        let start = Instant::now();
        let goes_on = || !self.budget.clock().is_zero();
        let small = exhaust_while(self.rule, &SMALL_WIDTHS, trial_limit(self.rule), &goes_on);
        let tried = start.elapsed();
        let samples = self.samples(&parts, &goes_on);
        if let Some(wrong) = samples.iter().find_map(|tally| tally.wrong.as_ref()).or(small.wrong.as_ref()) {
            return self.refuted(wrong, &parts);
        }
        if small.is_cut_short || samples.iter().any(|tally| tally.is_cut_short) {
            return Verdict::Unproved(format!("trying it on inputs: {}", Reason::Timeout));
        }
        if parts.iter().all(|part| part.assignments.is_empty()) {
            return Verdict::Unproved("it speaks of no types, so there is nothing to ask".to_owned());
        }
        if let Some(reason) = &self.rule.sorry {
            return self.sorry(&parts, reason);
        }
        let has_applied = samples.iter().any(|tally| tally.applied > 0);
        if !has_applied && let Some(verdict) = self.never_applies(&parts) {
            return verdict;
        }
        let mut unknown: Option<String> = None;
        for (part, tally) in parts.iter().zip(&samples) {
            match self.prove_part(part, tally) {
                Ok(None) => {}
                Ok(Some(why)) => _ = unknown.get_or_insert(format!("{}, {why}", places(&part.name))),
                Err(counterexample) => return Verdict::Refuted(counterexample),
            }
        }
        self.note_trial(&small, tried);
        unknown.map_or(Verdict::Proved, Verdict::Unproved)
    }

    /// Tries samples at each assignment of each part.
    fn samples(&self, parts: &[Part], goes_on: &dyn Fn() -> bool) -> Vec<Tally> {
        let assignments: usize = parts.iter().map(|part| part.assignments.len()).sum();
        let each = (SAMPLES / assignments.max(1)).clamp(20, 400) as u64;
        let of_part = |part: &Part| {
            let mut tally = Tally::default();
            for types in &part.assignments {
                if tally.wrong.is_none() {
                    sample(self.rule, types, each, goes_on, &mut tally);
                }
            }
            tally
        };
        parts.iter().map(of_part).collect()
    }

    /// The verdict on a rule that is wrong for some input: with small numbers, if they are found soon.
    fn refuted(&self, wrong: &Wrong, parts: &[Part]) -> Verdict {
        let engine = Engine::builtin();
        let mut budget = self.budget.aside(MINIMIZE).within(Some(MINIMIZE));
        let narrow = parts.iter().filter(|part| part.width() == SMALL || part.name == FIXED);
        for mut claim in
            narrow.flat_map(|part| claim::claims(self.rule, part)).filter(|c| c.rests_on_magic.is_none())
        {
            if budget.is_spent() {
                break;
            }
            if let Answered::Sat(model) = claim.question.ask(&engine, &mut budget).verdict {
                let small = minimize(&mut claim, model, &engine, &mut budget);
                if let Some(counterexample) = Counterexample::of(self.rule, &claim, &small) {
                    return Verdict::Refuted(Box::new(counterexample));
                }
            }
        }
        // At its own types, from its own values on.
        let case = Case { types: wrong.types.clone(), reading: wrong.reading };
        let mut claim = Claim::new(self.rule, case);
        let mut budget = self.budget.aside(MINIMIZE).within(Some(MINIMIZE));
        let small = claim.rests_on_magic.is_none().then(|| {
            let model = model_of(&claim, wrong);
            minimize(&mut claim, model, &engine, &mut budget)
        });
        let counterexample = small.and_then(|small| Counterexample::of(self.rule, &claim, &small));
        match counterexample.or_else(|| Counterexample::of_trial(self.rule, wrong)) {
            Some(counterexample) => Verdict::Refuted(Box::new(counterexample)),
            None => Verdict::Unproved("a trial found it wrong once and not again".to_owned()),
        }
    }

    /// The verdict on a rule for which no proof is asked.
    fn sorry(&mut self, parts: &[Part], reason: &str) -> Verdict {
        let reason = if reason.is_empty() { "no reason is given" } else { reason };
        for part in parts {
            let claims: Vec<Claim> = claim::claims(self.rule, part).collect();
            let mut entry = entry(&part.name, hash(&claims));
            (entry.standing, entry.note) = (Standing::Sorry, reason.to_owned());
            self.entries.push(entry);
        }
        Verdict::Sorry(reason.to_owned())
    }

    /// Proves a part and notes what came of it. Why it is not proved, if it is not; a counterexample if it is wrong.
    fn prove_part(&mut self, part: &Part, tally: &Tally) -> Result<Option<String>, Box<Counterexample>> {
        let before = self.budget.used();
        let mut claims: Vec<Claim> = Vec::new();
        for claim in claim::claims(self.rule, part) {
            if self.budget.clock().is_zero() {
                return Ok(Some(Reason::Timeout.to_string()));
            }
            claims.push(claim);
        }
        let hash = hash(&claims);
        if let Some(known) = self.known(&part.name, hash) {
            self.entries.push(known);
            return Ok(None);
        }
        let mut entry = entry(&part.name, hash);
        let mut open = None;
        if part.assignments.is_empty() {
            entry.standing = Standing::LeftOut;
            entry.note = "a literal does not fit, or an operation has no such width".to_owned();
        } else if let Some((by, premises)) = self.emptiness(&claims, tally) {
            (entry.standing, entry.note) = (Standing::LeftOut, EMPTY.to_owned());
            (entry.by, entry.premises) = (by, premises);
        } else {
            let magic: BTreeSet<u32> = claims.iter().filter_map(|claim| claim.rests_on_magic).collect();
            match self.part(&mut claims) {
                PartOutcome::Holds { by, premises } => (entry.by, entry.premises) = (by, premises),
                PartOutcome::Wrong(counterexample) => return Err(counterexample),
                PartOutcome::Unknown { by, why } => {
                    (entry.standing, entry.by) = (Standing::Open, by);
                    open = Some(why.to_string());
                }
            }
            if !magic.is_empty() && open.is_none() {
                entry.standing = Standing::Follows;
                entry.premises.extend(magic.into_iter().flat_map(magic::premises));
                if let Some(premise) = entry.premises.iter().find(|p| !self.options.lemmas.vouches_for(p)) {
                    entry.standing = Standing::Open;
                    open = Some(format!("it rests on {premise}, which is not proved"));
                }
            }
        }
        entry.time = TimeClass::of(self.budget.used() - before);
        entry.premises = self.options.lemmas.stamped(entry.premises);
        self.entries.push(entry);
        Ok(open)
    }

    /// What is known already of the same questions.
    fn known(&self, part: &str, hash: Fingerprint) -> Option<Entry> {
        let entry = self.options.known.entry(&theorem(&self.rule.name), part)?;
        let is_proved = matches!(entry.standing, Standing::Proved | Standing::Follows | Standing::LeftOut);
        let stands = entry.premises.iter().all(|premise| self.options.lemmas.vouches_for(premise));
        (entry.hash == hash && is_proved && stands).then(|| entry.clone())
    }

    /// Who says that no input meets the checks in any case of a part, and from what, if that is so.
    fn emptiness(&mut self, claims: &[Claim], tally: &Tally) -> Option<(String, Vec<Premise>)> {
        if tally.applied > 0 {
            return None;
        }
        let (engine, share) = (&self.options.engine, self.budget.left() / 8);
        let (mut by, mut premises) = (Vec::new(), BTreeSet::new());
        for claim in claims {
            let query = claim.satisfiable(usize::MAX);
            let answer = self.budget.share(share, |part| engine.ask(&claim.question.pool, &query, part));
            if answer.verdict != Answered::Unsat {
                return None;
            }
            premises.extend(integers::premises(answer.theorems));
            note(&mut by, answer.by);
        }
        Some((by.join(" and "), premises.into_iter().collect()))
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
                    premises.extend(integers::premises(answer.theorems));
                    note(&mut by, answer.by);
                    continue;
                }
            }
            let answer = claim.question.ask(engine, &mut self.budget);
            match answer.verdict {
                Answered::Unsat => {
                    premises.extend(integers::premises(answer.theorems));
                    note(&mut by, answer.by);
                }
                Answered::Sat(_) if claim.rests_on_magic.is_some() => {
                    let why = "it does not follow from the theorem about magic numbers".to_owned();
                    return PartOutcome::Unknown { by: answer.by, why: Reason::Failed(why) };
                }
                Answered::Sat(model) => match self.counterexample(claim, model) {
                    Some(counterexample) => return PartOutcome::Wrong(Box::new(counterexample)),
                    None => {
                        let why = Reason::Failed("its counterexample is none when it is run".to_owned());
                        return PartOutcome::Unknown { by: answer.by, why };
                    }
                },
                Answered::Unknown(why) => {
                    unknown.get_or_insert(PartOutcome::Unknown { by: answer.by, why });
                }
            }
        }
        let premises = premises.into_iter().collect();
        unknown.unwrap_or_else(|| PartOutcome::Holds { by: by.join(" and "), premises })
    }

    /// The counterexample of a model, made small.
    fn counterexample(&self, claim: &mut Claim, model: Model) -> Option<Counterexample> {
        let mut budget = self.budget.aside(3 * MINIMIZE);
        let small = minimize(claim, model.clone(), &self.options.engine, &mut budget);
        Counterexample::of(self.rule, claim, &small).or_else(|| Counterexample::of(self.rule, claim, &model))
    }

    /// The verdict on a rule whose checks contradict each other at every width, if they do.
    fn never_applies(&mut self, parts: &[Part]) -> Option<Verdict> {
        let has_conditions =
            self.rule.steps.iter().any(|step| matches!(step, Step::Check(_) | Step::Compute(..)));
        if !has_conditions {
            return None;
        }
        let mut narrow: Option<Claim> = None;
        let mut by: Vec<String> = Vec::new();
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
                note(&mut by, answer.by);
                narrow.get_or_insert(claim);
            }
        }
        let claim = narrow?;
        if let Some(other) = by.iter().find(|by| !is_builtin(by)) {
            let word = format!("{other} says that no input meets its checks, which nobody confirmed");
            return Some(Verdict::Unproved(word));
        }
        let checks: Vec<String> = (self.rule.steps.iter())
            .filter_map(|step| match step {
                Step::Check(expr) => Some(self.written(expr.span)),
                Step::Compute(..) => None,
            })
            .collect();
        let engine = Engine::builtin();
        for count in 1..=checks.len() {
            let query = claim.satisfiable(count);
            let mut budget = self.budget.aside(MINIMIZE);
            if engine.ask(&claim.question.pool, &query, &mut budget).verdict == Answered::Unsat {
                let contradiction = checks[..count].join(" and ");
                return Some(Verdict::NeverApplies(format!("no input satisfies `{contradiction}`")));
            }
        }
        let computed: Vec<String> = (self.rule.steps.iter())
            .filter_map(|step| match step {
                Step::Compute(_, expr) => Some(format!("`{}`", self.written(expr.span))),
                Step::Check(_) => None,
            })
            .collect();
        let what = match computed.as_slice() {
            [] => "its pattern".to_owned(),
            some => format!("its pattern or {}", some.join(" or ")),
        };
        let place = if checks.is_empty() { "" } else { " where its checks hold" };
        Some(Verdict::NeverApplies(format!("{what} is never defined{place}")))
    }

    /// A piece of the rule as written.
    fn written(&self, span: planish_base::Span) -> String {
        let range = span.range();
        let start = self.rule.name_span.range().start;
        let piece = range.start.checked_sub(start).zip(range.end.checked_sub(start));
        let text = piece.and_then(|(from, to)| self.rule.text.get(from..to));
        text.unwrap_or(&self.rule.text).trim().to_owned()
    }

    /// Notes what came of trying every input of small widths.
    fn note_trial(&mut self, Tally { cases, sampled, .. }: &Tally, time: Duration) {
        self.entries.push(Entry {
            standing: match (cases, sampled) {
                (0, _) => Standing::LeftOut,
                (_, true) => Standing::Sampled,
                (_, false) => Standing::Exhausted,
            },
            by: "trial".to_owned(),
            time: TimeClass::of(time),
            note: format!("{cases} cases"),
            ..entry(TRIAL, trial_hash(self.rule))
        });
    }
}

/// An entry for a part that is proved unless something else is noted.
fn entry(part: &str, hash: Fingerprint) -> Entry {
    Entry {
        part: part.to_owned(),
        standing: Standing::Proved,
        hash,
        by: NOBODY.to_owned(),
        time: TimeClass::Instant,
        premises: Vec::new(),
        note: String::new(),
    }
}

/// Adds a name to those who answered.
fn note(by: &mut Vec<String>, name: String) {
    if !by.contains(&name) {
        by.push(name);
    }
}

/// How many inputs are tried at each type assignment and reading: fewer the more assignments there are.
fn trial_limit(rule: &Rule) -> u64 {
    match rule.kinds().iter().filter(|kind| **kind != TyKind::Float).count() {
        // Three words of 5 bits.
        0 | 1 => 33_000,
        2 => 8_000,
        3 => 1_600,
        4 => 200,
        _ => 40,
    }
}

/// The inputs of a case as a model of its question.
fn model_of(claim: &Claim, wrong: &Wrong) -> Model {
    let mut model = Model::new();
    let mut set = |term, value: Value| {
        if let planish_smt::term::Node::Variable(variable) = claim.question.pool.node(term) {
            model.set(variable, value);
        }
    };
    let bits = |word: planish_ops::Int| Value::bits(word.width(), u128::from(word.unsigned()));
    for (index, input) in claim.inputs.iter().enumerate() {
        let (Some(input), Some(datum)) = (input, wrong.case.data[index]) else { continue };
        match (input.value, datum) {
            (Datum::Word(term), Datum::Word(word)) => set(term, bits(word)),
            (Datum::Float(term), Datum::Float(real)) => set(term, Value::Float(real)),
            _ => {}
        }
        if let (Some(terms), Some(fact)) = (input.fact, wrong.case.known[index]) {
            let pairs = [
                (terms.lo, fact.lo),
                (terms.hi, fact.hi),
                (terms.ones, fact.ones),
                (terms.zeros, fact.zeros),
            ];
            pairs.into_iter().for_each(|(term, word)| set(term, bits(word)));
        }
        if let (Some(term), Some(is_defined)) = (input.defined, wrong.case.defined[index]) {
            set(term, Value::Truth(is_defined));
        }
    }
    model
}
