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
    put(args, &report::report(&name, &subtitle(args, extra), outcome, regions, &note))
}

/// Writes the report about a run over a program of classes.
pub fn write_of_classes(args: &Opt, run: &ClassRun<'_>, extra: Option<&RuleSet>) -> Result<(), Failure> {
    let ledger = ledgers::shipped()?;
    let note = |number: u32| note(number, extra, &ledger);
    let name = io::display_name(&args.input.named().path);
    put(args, &class_report::report(&name, &subtitle(args, extra), run, &note).map_err(Failure::Rejected)?)
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
fn subtitle(args: &Opt, extra: Option<&RuleSet>) -> String {
    let engine = match args.engine {
        Engine::Linear => "linear engine",
        Engine::Egraph => "e-graph engine",
    };
    let passes = args.passes.as_ref().map(|passes| format!(", {passes}")).unwrap_or_default();
    let unproved = match extra.map_or(0, |set| set.unproved.len()) {
        0 => String::new(),
        1 => ", 1 rule used without a proof".to_owned(),
        many => format!(", {many} rules used without a proof"),
    };
    format!("{engine}{passes}{unproved}")
}

/// What is said of a rule.
fn note(number: u32, extra: Option<&RuleSet>, ledger: &Ledger) -> RuleNote {
    let (name, place) = explain::rule_info(extra, number);
    let is_of_book = (number as usize) < book::RULES.len();
    let proof = match is_of_book {
        true => rule::standing(ledger, &name),
        false if extra.is_some_and(|set| set.unproved.contains(&name)) => "used without a proof".to_owned(),
        false => "proved, as the ledger beside its file says".to_owned(),
    };
    RuleNote { name, place, proof }
}
