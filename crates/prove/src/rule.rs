//! Proofs of rules: what is recorded of them, and the judgement. [`prover`](crate::prover) comes to it.
//!
//! A rule that can never apply is refused: its proof would be empty. A rule for which no answer comes
//! in time is unproved, and unproved is no weaker than wrong. What the author asks no proof for is *sorry*: it is tried on
//! inputs and no solver sees it, and whoever counts proofs counts it apart.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use planish_rules::rule::Rule;
use planish_rules::speaks;

use crate::claim::{self, Claim, FIXED, FLOAT, Part};
use crate::counterexample::Counterexample;
use crate::ledger::{Entry, Expected, Fingerprint, Ledger, NOBODY, Record, Standing, is_builtin};
use crate::parallel;
use crate::question::Options;

/// The name of the part that is tried: every input of 1 to 5 bits.
pub(crate) const TRIAL: &str = "1-5";

/// The widths whose questions stand for the trial in the ledger.
const TRIAL_HASH_WIDTHS: [u32; 2] = [1, 4];

/// The judgement on a rule.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// It holds.
    Proved,
    /// It does not.
    Refuted(Box<Counterexample>),
    /// No input meets what it asks: which checks contradict each other, or what is never defined, as a clause.
    NeverApplies(String),
    /// There is no answer: for which part, and why.
    Unproved(String),
    /// No proof is asked for, with a reason: the rule was tried and not proved.
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
    /// Whether the rule is proved.
    pub fn is_good(&self) -> bool {
        self.verdict == Verdict::Proved
    }

    /// Whether no proof is asked for.
    pub fn is_sorry(&self) -> bool {
        matches!(self.verdict, Verdict::Sorry(_))
    }

    /// What the ledger records; `None` of a rule that is neither proved nor sorry.
    pub fn record(&self) -> Option<Record> {
        let is_recorded = self.is_good() || self.is_sorry();
        is_recorded.then(|| Record { theorem: theorem(&self.rule), entries: self.entries.clone() })
    }

    /// Solvers whose word is all that there is for a part, each with these parts.
    fn words_of_others(&self) -> Vec<String> {
        let mut of: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
        for entry in self.entries.iter().filter(|e| is_asked(e)) {
            for solver in entry.by.split(" and ").filter(|by| !is_builtin(by)) {
                of.entry(solver).or_default().push(&entry.part);
            }
        }
        let said = |(solver, parts): (&str, Vec<&str>)| {
            format!("on the word of {solver} alone {}", places(&parts.join(", ")))
        };
        of.into_iter().map(said).collect()
    }

    /// The parts of a standing, those whose note says that there is nothing to hold apart.
    fn parts(&self, standing: Standing, empty: bool) -> String {
        let parts = self.entries.iter().filter(|e| e.standing == standing && (e.note == EMPTY) == empty);
        parts.map(|e| e.part.as_str()).collect::<Vec<_>>().join(", ")
    }
}

/// Where parts are, as a person says it: at widths, at the types that the rule names, about floats.
pub(crate) fn places(parts: &str) -> String {
    match parts {
        FIXED => "at the types it names".to_owned(),
        FLOAT => "about floats".to_owned(),
        several if several.contains(", ") => format!("at widths {several}"),
        one => format!("at width {one}"),
    }
}

/// Whether a solver was asked about a part: it may have said that the part is empty.
fn is_asked(entry: &Entry) -> bool {
    let is_claimed = match entry.standing {
        Standing::Proved | Standing::Follows => true,
        Standing::LeftOut => entry.note == EMPTY,
        _ => false,
    };
    is_claimed && entry.by != NOBODY
}

/// The note of a part in which the checks of a rule cannot hold.
pub(crate) const EMPTY: &str = "no input meets the checks";

/// One line for a rule that holds, a counterexample for one that does not.
impl std::fmt::Display for Proof {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let time = self.time.as_secs_f64();
        match &self.verdict {
            Verdict::Proved => {
                write!(f, "proved {} in {time:.2} s", self.rule)?;
                let said = [
                    ("not about widths ", self.parts(Standing::LeftOut, false)),
                    ("empty: no input meets its checks at widths ", self.parts(Standing::LeftOut, true)),
                    ("sampled at widths ", self.parts(Standing::Sampled, false)),
                ];
                let mut said: Vec<String> = (said.into_iter())
                    .filter(|(_, parts)| !parts.is_empty())
                    .map(|(words, parts)| format!("{words}{parts}"))
                    .collect();
                said.extend(self.words_of_others());
                if said.is_empty() { Ok(()) } else { write!(f, " ({})", said.join("; ")) }
            }
            Verdict::Refuted(counterexample) => counterexample.fmt(f),
            Verdict::NeverApplies(why) => {
                write!(f, "rule {} can never apply\n  {}: {why}", self.rule, self.place)
            }
            Verdict::Unproved(why) => {
                write!(f, "unproved {} after {time:.2} s\n  {}: {why}", self.rule, self.place)
            }
            Verdict::Sorry(reason) => write!(f, "sorry {}, not proved: {reason}", self.rule),
        }
    }
}

/// The name of a rule in the ledger.
pub fn theorem(rule: &str) -> String {
    format!("rule {rule}")
}

/// Where a rule is proved, as a ledger has it, `proved at 1, 8, 16, 32, 64 bits; every value of 1-5 bits`, and in a second line
/// the theorems and lemmas on which that rests, if it does.
pub fn standing(ledger: &Ledger, rule: &str) -> String {
    let Some(record) = ledger.record(&theorem(rule)) else { return "not in the ledger".to_owned() };
    let parts = |standing: Standing| -> Vec<&str> {
        record.entries.iter().filter(|e| e.standing == standing).map(|e| e.part.as_str()).collect()
    };
    let mut said = Vec::new();
    for (standing, words) in [
        (Standing::Proved, "proved at"),
        (Standing::Follows, "follows from theorems at"),
        (Standing::Exhausted, "every value of"),
        (Standing::Sampled, "samples of values of"),
    ] {
        let parts = parts(standing);
        if !parts.is_empty() {
            said.push(format!("{words} {} bits", parts.join(", ")));
        }
    }
    let premises: BTreeSet<&str> =
        record.entries.iter().flat_map(|e| &e.premises).map(|premise| premise.theorem.as_str()).collect();
    let mut text = said.join("; ");
    if !premises.is_empty() {
        text.push_str("\nrests on ");
        text.push_str(&premises.into_iter().collect::<Vec<_>>().join(", "));
    }
    text
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

/// Of the claims with the domain's code in them. What a cut adds are promises, which are theorems with
/// hashes of their own.
pub(crate) fn hash(claims: &[Claim]) -> Fingerprint {
    crate::question::fingerprint(claims.iter().map(|claim| &claim.question))
}

/// The hash of what is tried: the same semantics as questions at small widths, since a trial has no
/// text of its own.
pub(crate) fn trial_hash(rule: &Rule) -> Fingerprint {
    let small = speaks::choices(&rule.kinds(), &TRIAL_HASH_WIDTHS);
    let admitted = small.filter(|types| rule.admits(types) && rule.target_is_legal(types)).collect();
    let part = Part { name: TRIAL.to_owned(), assignments: admitted };
    hash(&claim::claims(rule, &part).collect::<Vec<_>>())
}
