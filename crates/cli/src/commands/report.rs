//! `planish opt --report`: the page about a run, with what the ledger says of each rule.

use planish_book as book;
use planish_driver::report::{self, RuleNote};
use planish_driver::session::Outcome;
use planish_rules::RuleSet;

use super::prove;
use crate::args::{Engine, Opt};
use crate::failure::Failure;
use crate::io;

/// The page about a run of `planish opt`.
pub fn page(args: &Opt, outcome: &Outcome, extra: Option<&RuleSet>) -> Result<String, Failure> {
    let ledger = prove::shipped()?;
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
            false => prove::standing(&ledger, &name),
        };
        RuleNote { name, place, proof }
    };
    Ok(report::page(&io::display_name(&args.input.path), &subtitle, outcome, &note))
}
