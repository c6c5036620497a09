//! Rules of one's own, from text.

use planish_base::{Severity, SourceText};
use planish_opt::Record;
use planish_prove::prover::prove;
use planish_prove::rule::Proof;
use planish_prove::{Engine, Options};
use planish_rules::set::Strictness;
use planish_rules::{Rule, RuleSet};

use crate::Error;

/// Reads rules; `name` is the file of which messages speak. The language is described in `rules/README.md`.
///
/// # Errors
///
/// [`Error::Text`] with every error of the text, rules that undo each other included. Warnings are not reported.
pub fn read_rules(name: &str, text: &str) -> Result<RuleSet, Error> {
    let (set, mut findings) = RuleSet::read(vec![SourceText::new(name, text)]);
    findings.extend(planish_prove::shadow::judge(&set, Strictness::File));
    findings.retain(|(_, finding)| finding.severity == Severity::Error);
    if findings.is_empty() { Ok(set) } else { Err(Error::Text(set.render(&findings))) }
}

/// Proves rules at 8, 16, 32 and 64 bits with the built-in solver; nothing is started. A rule that is marked `SORRY_Z3` for
/// a reason is among the proofs with the verdict `Sorry`: nobody proved it, and whoever marked it answers for it. Takes milliseconds for most rules and up to
/// twenty seconds' work for each that is hard.
///
/// # Errors
///
/// [`Error::Unproved`] with a counterexample for each rule that is wrong, and the reason where no proof was found.
pub fn prove_rules(rules: &RuleSet) -> Result<Vec<Proof>, Error> {
    let each: Vec<&Rule> = rules.rules.values().collect();
    let proofs = prove(&each, &Options::new(Engine::builtin()), &mut |_, _| {});
    let bad: Vec<String> =
        proofs.iter().filter(|proof| !proof.is_good() && !proof.is_sorry()).map(Proof::to_string).collect();
    if bad.is_empty() { Ok(proofs) } else { Err(Error::Unproved(bad.join("\n"))) }
}

/// How often a rule of one's own fired; `None` when there is no rule of this name. O(number of rules).
pub fn fired(record: &Record, rules: &RuleSet, name: &str) -> Option<u64> {
    // Rules that are read at run time are numbered behind those of the book.
    let position = rules.rules.values().position(|rule| rule.name == name)?;
    Some(record.rules().get(planish_book::RULES.len() + position).copied().unwrap_or(0))
}
