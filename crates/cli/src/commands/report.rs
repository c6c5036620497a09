//! `planish report` and `planish opt --report`: what is told of a run, with what the ledger says of each rule.

use planish_book as book;
use planish_driver::explain;
use planish_driver::report::{self, Picture, Report, RuleNote, page, text};
use planish_driver::run::Outcome;
use planish_jar::class_report::{self, ClassRun};
use planish_prove::{Ledger, rule};
use planish_rules::RuleSet;

use super::ledgers;
use crate::args::{Engine, Opt};
use crate::failure::Failure;
use crate::io;

/// The path of a report that stands for standard output.
pub const STANDARD_OUTPUT: &str = "-";

/// Writes the report about a run of `planish opt`.
pub fn write(
    args: &Opt,
    outcome: &Outcome,
    regions: &[(&str, Vec<Picture>)],
    extra: Option<&RuleSet>,
) -> Result<(), Failure> {
    let ledger = ledgers::shipped()?;
    let note = |number: u32| note(number, extra, &ledger);
    let name = io::display_name(&args.input.named().path);
    put(args, &report::report(&name, &subtitle(args), outcome, regions, &note))
}

/// Writes the report about a run over a program of classes.
pub fn write_of_classes(args: &Opt, run: &ClassRun<'_>, extra: Option<&RuleSet>) -> Result<(), Failure> {
    let ledger = ledgers::shipped()?;
    let note = |number: u32| note(number, extra, &ledger);
    let name = io::display_name(&args.input.named().path);
    put(args, &class_report::report(&name, &subtitle(args), run, &note).map_err(Failure::Rejected)?)
}

/// Writes a report as a page, or as text to standard output and to files that are called so.
fn put(args: &Opt, report: &Report) -> Result<(), Failure> {
    let Some(path) = &args.report else { return Ok(()) };
    if path.as_os_str() == STANDARD_OUTPUT {
        return io::write(None, text::render(report).as_bytes());
    }
    let is_text = path.extension().is_some_and(|ending| ending == "txt");
    let text = match is_text {
        true => text::render(report),
        false => page::render(report),
    };
    io::write(Some(path), text.as_bytes())
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
        false => rule::standing(ledger, &name),
    };
    RuleNote { name, place, proof }
}
