//! How a program is optimized, as its user says: engine, rules, passes, and what is kept to be told.

use std::sync::Arc;

use planish_base::worklist::Shuffled;
use planish_book as book;
use planish_ir::bridge::FactKinds;
use planish_jvm_analysis::precision::Precision;
use planish_rules::{RuleId, RuleSet};
use planish_trace_dialect::facts::Facts;

use crate::Dialect;
use crate::about::About;
use crate::instrument::Instrument;
use crate::witness::Witness;

/// Which engine optimizes.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum EngineChoice {
    /// One forward walk that keeps one form of each value.
    #[default]
    Linear,
    /// The walk, then an e-graph of all forms of pure values, then the walk again.
    Egraph,
}

/// Whose results an optimization is to be compared with, operation by operation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Compat {
    /// PyPy's trace optimizer: its passes, no removal of dead operations, only rules tagged for it.
    Pypy,
}

/// How a program is optimized.
#[derive(Clone, Debug, Default)]
pub struct Settings {
    /// Which engine.
    pub engine: EngineChoice,
    /// Rules besides the book.
    pub rules: Option<Arc<RuleSet>>,
    /// Only rules of the book with this tag, and those without tags.
    pub profile: Option<String>,
    /// Whom to conform to, at the cost of better results.
    pub compat: Option<Compat>,
    /// On how many random inputs each function is held against its original; none when 0.
    pub validate: u64,
    /// The passes by name, divided by colons; the dialect's own pipeline without it.
    pub passes: Option<String>,
    /// How many rewrites may happen; as many as there are without it.
    pub fuel: Option<u64>,
    /// Passes, budgets and costs at random, by a seed: see [`planish_opt::Chaos`].
    pub chaos: Option<u64>,
    /// Whether every rewrite is kept for explanation.
    pub log: bool,
    /// Of which methods of classes, if it is.
    pub about: About,
    /// Whether the state of each function after each step is kept for a report; wants `log`.
    pub states: bool,
    /// Whether operations outside of a published language may be written in the end.
    pub extended: bool,
    /// The dialect in which the result is written, if that is another one.
    pub to: Option<Dialect>,
    /// Whether divisions by constants become products and shifts in a dialect whose code generator does that itself.
    pub expand: bool,
    /// Whether the graphs of the e-graph engine are kept.
    pub graphs: bool,
    /// Whether a Bril program whose `main` is given nothing is run at once.
    pub evaluate: bool,
    /// A rule of the book that is not used.
    pub without: Option<RuleId>,
    /// A rule of which the record keeps where it was tried and what it missed; wants `log`.
    pub watched: Option<Watched>,
    /// Whether the pairs of operations are counted that remain.
    pub remains: bool,
    /// Who is shown each optimized function.
    pub witness: Option<Witness>,
    /// Whether what a log lacks of constants and fresh objects is assumed.
    pub assume_constants: bool,
    /// What is known of functions that logs name; what is known of RPython's runtime without it.
    pub facts: Option<Arc<Facts>>,
    /// Whether what PyPy's result shows of the calls of a log is left aside.
    pub without_shown_effects: bool,
    /// What bridges of a log are told of their parents.
    pub bridge_facts: FactKinds,
    /// Whether it is counted how much is left of bridges that are told nothing.
    pub untold: bool,
    /// What finding out more of a program of classes may cost.
    pub precision: Precision,
    /// What is shown between passes.
    pub instrument: Instrument,
}

impl Settings {
    /// In chaos mode, work lists are in an order by the seed as long as this is there.
    pub fn order_of_work(&self) -> Option<Shuffled> {
        self.chaos.map(Shuffled::by)
    }
}

/// A rule that is watched. It need not be one of those that are used.
#[derive(Clone, Debug)]
pub struct Watched {
    /// The set that it is of; the book without one.
    pub set: Option<Arc<RuleSet>>,
    /// Which one.
    pub rule: RuleId,
}

impl Watched {
    /// The set that it is of.
    pub fn set(&self) -> &RuleSet {
        self.set.as_deref().unwrap_or_else(|| book::set())
    }
}

/// The rules of the book that a profile leaves out: those with tags, none of which is its name, and those
/// without tags where only its own are wanted.
pub(crate) fn left_out(profile: &str, only: bool) -> Result<Vec<bool>, String> {
    let tags = || book::set().rules.values().map(|rule| &rule.marks.tags);
    if !tags().any(|tags| tags.iter().any(|tag| tag == profile)) {
        return Err(format!("error: no rule of the book has the tag `{profile}`"));
    }
    Ok(tags().map(|tags| (only || !tags.is_empty()) && !tags.iter().any(|tag| tag == profile)).collect())
}
