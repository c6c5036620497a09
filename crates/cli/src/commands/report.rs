//! `planish opt --report`: the page about a run, with what the ledger says of each rule.

use planish_base::{Diagnostics, SourceText};
use planish_book as book;
use planish_driver::report::{self, RuleNote};
use planish_driver::session::Outcome;
use planish_prove::ledger::Standing;
use planish_prove::{Ledger, rule};
use planish_rules::RuleSet;

use crate::args::{Engine, Opt};
use crate::failure::Failure;
use crate::io;

/// The ledger of the book that this command was built with.
const LEDGER: &str = include_str!("../../../../rules.lock");

/// The page about a run of `planish opt`.
pub fn page(args: &Opt, outcome: &Outcome, extra: Option<&RuleSet>) -> Result<String, Failure> {
    let source = SourceText::new("rules.lock", LEDGER);
    let mut diagnostics = Diagnostics::new();
    let ledger = Ledger::parse(&source, &mut diagnostics);
    if diagnostics.has_errors() {
        return Err(Failure::Rejected(diagnostics.render(&source)));
    }
    let engine = match args.engine {
        Engine::Linear => "linear engine",
        Engine::Egraph => "e-graph engine",
    };
    let subtitle = match &args.passes {
        Some(passes) => format!("{engine}, {passes}"),
        None => engine.to_owned(),
    };
    let note = |number: u32| {
        let (name, place) = super::rule_info(extra, number);
        let proof = match number as usize >= book::RULES.len() {
            true => "not proved: read with --rules".to_owned(),
            false => standing(&ledger, &name),
        };
        RuleNote { name, place, proof }
    };
    Ok(report::page(&io::display_name(&args.input.path), &subtitle, outcome, &note))
}

/// Where a rule of the book is proved: `proved at 8, 16, 32, 64 bits; every value of 4`.
fn standing(ledger: &Ledger, name: &str) -> String {
    let Some(record) = ledger.record(&rule::theorem(name)) else { return "not in the ledger".to_owned() };
    let parts = |standing: Standing| -> Vec<&str> {
        record.entries.iter().filter(|e| e.standing == standing).map(|e| e.part.as_str()).collect()
    };
    let mut said = Vec::new();
    for (standing, words) in [(Standing::Proved, "proved at"), (Standing::Exhausted, "every value of")] {
        let parts = parts(standing);
        if !parts.is_empty() {
            said.push(format!("{words} {} bits", parts.join(", ")));
        }
    }
    said.join("; ")
}
