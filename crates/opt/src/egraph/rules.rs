//! The rules of a run, and how much is made by them.

use planish_base::Budget;
use planish_pass::{Chaos, Price};
use planish_rules::RuleSet;

use super::bodies::Bodies;

/// How deep rules are applied to what rules made.
pub const REWRITE_DEPTH: u32 = 5;
/// How many members a class may have before rules stop adding to it.
pub const CLASS_MEMBERS: u32 = 8;
/// How many rewrites of one node are taken.
pub const REWRITES_OF_ONE_NODE: u32 = 16;
/// How many nodes rules may make in all for one operation of the program, to whatever depth.
pub const MADE_FOR_ONE_NODE: u64 = 256;
/// How many nodes rules may make in a function for each of its operations, and besides.
pub const MADE_ON_AVERAGE: u64 = 16;
/// See [`MADE_ON_AVERAGE`].
pub const MADE_AT_LEAST: u64 = 4_000;
/// How many operations of bodies may stand beside calls in a function for each of its operations.
pub const BODIES_ON_AVERAGE: u64 = 16;
/// How many operations of bodies may be computed in a function whose operands are constants.
pub const BODIES_ON_CONSTANTS: u64 = 100_000;
/// How many calls deep bodies stand beside calls.
pub const CALLS_DEEP: u32 = 64;
/// How many members of classes the matchers may look at for one operation of the program.
pub const LOOKS_FOR_ONE_NODE: u64 = 4_096;

/// Where rules come from, and so how they are matched.
#[derive(Clone, Copy)]
pub enum Source<'a> {
    /// The rule book, by the matchers that are generated from it; nothing is read.
    Book,
    /// Rules that were read when the program ran, by decision trees in memory.
    Read(&'a RuleSet),
}

/// The rules of a run.
#[derive(Clone, Copy)]
pub struct Rules<'a> {
    /// Where they come from.
    pub source: Source<'a>,
    /// The number of the first rule in records.
    pub first: u32,
    /// For each rule whether it is not used; without it all are.
    pub disabled: Option<&'a [bool]>,
    /// What operations cost where the program will be written.
    pub price: Price<'a>,
    /// The functions of the module that are expressions.
    pub bodies: &'a Bodies,
    /// Budgets at random, for tests.
    pub chaos: Option<Chaos>,
}

impl Rules<'_> {
    /// A budget: the usual one, unless there is [`Chaos`].
    pub(super) fn budget(&self, name: &'static str, usual: u64) -> Budget {
        Budget::new(name, self.chaos.map_or(usual, |chaos| chaos.about(name).limit(usual)))
    }
}
