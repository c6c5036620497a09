//! `planish opt --report`: the page about a run, with what the ledger says of each rule.

use planish_book as book;
use planish_driver::explain;
use planish_driver::report::{self, Picture, RuleNote};
use planish_driver::run::Outcome;
use planish_jar::class_report::{self, ClassRun};
use planish_prove::Ledger;
use planish_rules::RuleSet;

use super::{ledgers, prove};
use crate::args::{Engine, Opt};
use crate::failure::Failure;
use crate::io;

/// The page about a run of `planish opt`.
pub fn page(
    args: &Opt,
    outcome: &Outcome,
    regions: &[(&str, Vec<Picture>)],
    extra: Option<&RuleSet>,
) -> Result<String, Failure> {
    let ledger = ledgers::shipped()?;
    let note = |number: u32| note(number, extra, &ledger);
    Ok(report::page(&io::display_name(&args.input.named().path), &subtitle(args), outcome, regions, &note))
}

/// The page about a run over a program of classes.
pub fn class_page(args: &Opt, run: &ClassRun<'_>, extra: Option<&RuleSet>) -> Result<String, Failure> {
    let ledger = ledgers::shipped()?;
    let note = |number: u32| note(number, extra, &ledger);
    class_report::page(&io::display_name(&args.input.named().path), &subtitle(args), run, &note)
        .map_err(Failure::Rejected)
}

/// One line on how.
fn subtitle(args: &Opt) -> String {
    let engine = match args.engine {
        Engine::Linear => "linear engine",
        Engine::Egraph => "e-graph engine",
    };
    match &args.passes {
        Some(passes) => format!("{engine}, {passes}"),
        None => engine.to_owned(),
    }
}

/// What is said of a rule.
fn note(number: u32, extra: Option<&RuleSet>, ledger: &Ledger) -> RuleNote {
    let (name, place) = explain::rule_info(extra, number);
    let proof = match number as usize >= book::RULES.len() {
        true => "not proved: read with --rules".to_owned(),
        false => prove::standing(ledger, &name),
    };
    RuleNote { name, place, proof }
}
