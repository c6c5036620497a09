//! What was done: every rewrite, and the fuel that limits them.
//!
//! A pass asks [`Record::rewrite`] before it changes anything. The answer is no when the fuel is used up,
//! so `--fuel N` gives exactly the first N rewrites and bisection finds the one that breaks a check. The
//! record counts rewrites by kind at the cost of an addition; only in log mode does it keep one
//! [`Entry`] for each, from which explanations, remarks and reports are made.

use planish_base::{Budget, Fuel};
use planish_ir::{Block, Function, Inst, Location, Value};
use planish_ops::Op;
use planish_rules::chain::Form;
use planish_rules::trial::Trial;

use crate::denied::{AllDenied, Denied};

/// Which column of the table of operations allowed a rewrite.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Column {
    /// f(x, e) = x
    Identity,
    /// f(x, a) = a
    Absorbing,
    /// f(x, x)
    Equal,
    /// f(f(x)) = x
    Involution,
    /// f(f(x, c), d) = f(x, f(c, d))
    Associative,
    /// A comparison of a comparison is the negated one.
    Negated,
    /// A quotient is a product with the reciprocal.
    Inverse,
}

/// What the stage of the walk does that sees memory: it carries out what several passes of a pipeline ask for.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Part {
    /// Objects that are not made, and what becomes of accesses to them.
    Virtualize,
    /// Strings that are not made, and comparisons of strings.
    String,
    /// Loads that are forwarded, stores that are overwritten.
    Heap,
    /// Equal calls.
    Pure,
    /// Guards, calls and remarks that are others, or none.
    Rewrite,
}

impl Part {
    /// Every part.
    pub const ALL: [Part; 5] = [Part::Virtualize, Part::String, Part::Heap, Part::Pure, Part::Rewrite];

    /// The pass that asks for it, as pipelines name it.
    pub fn name(self) -> &'static str {
        match self {
            Part::Virtualize => "virtualize",
            Part::String => "string",
            Part::Heap => "heap",
            Part::Pure => "pure",
            Part::Rewrite => "rewrite",
        }
    }
}

/// Why a rewrite was made.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Kind {
    /// All operands are constants.
    Fold,
    /// An equal operation was made before.
    Number,
    /// The algebra of the table.
    Algebra(Column),
    /// A rule, by its number in the book; those read at run time are numbered after the book's.
    Rule(u32),
    /// A sum, a product or a bitwise chain is cheaper in its normal form.
    Chain(Form),
    /// What is known of the operands decides the result.
    Fact,
    /// A guard or check that always holds.
    Holds,
    /// A guard or check that never holds: what follows cannot be reached.
    Fails,
    /// The exit of an operation that cannot leave.
    NoExit,
    /// A branch or switch that goes one way, or is a simpler one.
    Branch,
    /// A block parameter that is always the same value.
    Parameter,
    /// A block that cannot be reached.
    Unreachable,
    /// A block that was joined with the one before, or jumped over.
    Join,
    /// Nothing uses the results.
    Dead,
    /// A part of the walk that sees memory.
    Part(Part),
    /// A pass of its own, by name.
    Pass(&'static str),
    /// A pass of its own, and the lemma about memory that it rests on.
    Lemma(&'static str, &'static str),
}

impl Kind {
    /// The name in statistics; that of a rule is in the book.
    pub fn name(self) -> &'static str {
        match self {
            Kind::Fold => "fold",
            Kind::Number => "number",
            Kind::Algebra(Column::Identity) => "algebra identity",
            Kind::Algebra(Column::Absorbing) => "algebra absorbing",
            Kind::Algebra(Column::Equal) => "algebra equal operands",
            Kind::Algebra(Column::Involution) => "algebra involution",
            Kind::Algebra(Column::Associative) => "algebra associative",
            Kind::Algebra(Column::Negated) => "algebra negated",
            Kind::Algebra(Column::Inverse) => "algebra inverse",
            Kind::Rule(_) => "rule",
            Kind::Chain(Form::Sum) => "chain sum",
            Kind::Chain(Form::Product) => "chain product",
            Kind::Chain(Form::Bitwise) => "chain bitwise",
            Kind::Chain(Form::Fields) => "chain fields",
            Kind::Fact => "fact",
            Kind::Holds => "holds",
            Kind::Fails => "fails",
            Kind::NoExit => "no exit",
            Kind::Branch => "branch",
            Kind::Parameter => "parameter",
            Kind::Unreachable => "unreachable",
            Kind::Join => "join",
            Kind::Dead => "dead",
            Kind::Part(part) => part.name(),
            Kind::Pass(name) | Kind::Lemma(_, name) => name,
        }
    }

    /// The pass that asks for rewrites of this kind, as pipelines name it.
    pub fn pass(self) -> &'static str {
        match self {
            Kind::Fact => "intbounds",
            Kind::Number => "pure",
            Kind::Dead => "dead",
            Kind::Parameter | Kind::Unreachable | Kind::Join => "simplify-cfg",
            Kind::Fold | Kind::Algebra(_) | Kind::Rule(_) | Kind::Chain(_) => "rewrite",
            Kind::Holds | Kind::Fails | Kind::NoExit | Kind::Branch => "rewrite",
            Kind::Part(part) => part.name(),
            Kind::Pass(name) | Kind::Lemma(name, _) => name,
        }
    }

    /// Every kind but rules, parts of a stage and passes, in the order of statistics.
    pub const PLAIN: [Kind; 22] = [
        Kind::Fold,
        Kind::Number,
        Kind::Algebra(Column::Identity),
        Kind::Algebra(Column::Absorbing),
        Kind::Algebra(Column::Equal),
        Kind::Algebra(Column::Involution),
        Kind::Algebra(Column::Associative),
        Kind::Algebra(Column::Negated),
        Kind::Algebra(Column::Inverse),
        Kind::Chain(Form::Sum),
        Kind::Chain(Form::Product),
        Kind::Chain(Form::Bitwise),
        Kind::Chain(Form::Fields),
        Kind::Fact,
        Kind::Holds,
        Kind::Fails,
        Kind::NoExit,
        Kind::Branch,
        Kind::Parameter,
        Kind::Unreachable,
        Kind::Join,
        Kind::Dead,
    ];

    #[inline]
    fn plain_index(self) -> Option<usize> {
        Some(match self {
            Kind::Fold => 0,
            Kind::Number => 1,
            Kind::Algebra(Column::Identity) => 2,
            Kind::Algebra(Column::Absorbing) => 3,
            Kind::Algebra(Column::Equal) => 4,
            Kind::Algebra(Column::Involution) => 5,
            Kind::Algebra(Column::Associative) => 6,
            Kind::Algebra(Column::Negated) => 7,
            Kind::Algebra(Column::Inverse) => 8,
            Kind::Chain(Form::Sum) => 9,
            Kind::Chain(Form::Product) => 10,
            Kind::Chain(Form::Bitwise) => 11,
            Kind::Chain(Form::Fields) => 12,
            Kind::Fact => 13,
            Kind::Holds => 14,
            Kind::Fails => 15,
            Kind::NoExit => 16,
            Kind::Branch => 17,
            Kind::Parameter => 18,
            Kind::Unreachable => 19,
            Kind::Join => 20,
            Kind::Dead => 21,
            Kind::Part(part) => Kind::PLAIN.len() + part as usize,
            Kind::Rule(_) | Kind::Pass(_) | Kind::Lemma(..) => return None,
        })
    }
}

/// Where a rewrite happened.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Site {
    /// The instruction that was rewritten; `None` for terminators, parameters and blocks.
    pub inst: Option<Inst>,
    /// Its operation before.
    pub op: Option<Op>,
    /// Where it stood in the source.
    pub location: Location,
}

impl Site {
    /// A place that is no instruction.
    pub const NONE: Site = Site { inst: None, op: None, location: Location(0) };

    /// An instruction.
    pub fn of(f: &Function, inst: Inst) -> Site {
        let data = f.inst(inst);
        Site { inst: Some(inst), op: Some(data.op), location: data.location }
    }

    /// Where a block begins: at its first operation that stood in the source.
    pub fn of_block(f: &Function, block: Block) -> Site {
        let locations = f.block_insts(block).iter().map(|&inst| f.inst(inst).location);
        let location = locations.into_iter().find(|location| location.0 != 0).unwrap_or_default();
        Site { location, ..Site::NONE }
    }
}

/// What became of the thing that was rewritten.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Became {
    /// Nothing stands for it.
    Nothing,
    /// Its result, or the parameter `of`, is another value.
    Value {
        /// The value that went.
        of: Value,
        /// The value that stands for it.
        is: Value,
    },
    /// Another operation stands in its place.
    Op(Op),
    /// It stays, with less to do: an exit gone, a branch turned.
    Changed,
}

/// One rewrite.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Entry {
    /// Which of the record's functions.
    pub function: u32,
    /// Which step of its pipeline, counted from 0 in each function.
    pub step: u32,
    /// Why.
    pub kind: Kind,
    /// Where.
    pub site: Site,
    /// To what.
    pub became: Became,
}

/// How far the rule that is watched got at a place.
#[derive(Clone, PartialEq, Debug)]
pub struct Tried {
    /// Which of the record's functions.
    pub function: u32,
    /// Where.
    pub site: Site,
    /// How far.
    pub trial: Trial<Value>,
}

/// A rewrite that a pass decided against, with the reason.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Refusal {
    /// Which of the record's functions.
    pub function: u32,
    /// The pass.
    pub pass: &'static str,
    /// Where.
    pub site: Site,
    /// Why, with the figures.
    pub why: String,
}

/// Rewrites counted and, in log mode, kept; budgets that were hit; the fuel.
#[derive(Clone, Debug)]
pub struct Record {
    fuel: Fuel,
    /// By kind, and behind those without data by part.
    plain: [u64; Kind::PLAIN.len() + Part::ALL.len()],
    rules: Vec<u64>,
    stages: Vec<(&'static str, u64)>,
    log: Option<Vec<Entry>>,
    functions: u32,
    step: u32,
    /// The step with which the pipeline of each function begins.
    first_step: u32,
    /// How many rewrites were recorded, with those that took no fuel.
    changes: u64,
    budgets: Vec<(&'static str, u64)>,
    denied: AllDenied,
    tried: Vec<Tried>,
    refusals: Vec<Refusal>,
}

impl Default for Record {
    fn default() -> Self {
        Self::new()
    }
}

impl Record {
    /// A record that counts, with fuel that does not run out.
    pub fn new() -> Self {
        Record {
            fuel: Fuel::unlimited(),
            plain: [0; Kind::PLAIN.len() + Part::ALL.len()],
            rules: Vec::new(),
            stages: Vec::new(),
            log: None,
            functions: 0,
            step: 0,
            first_step: 0,
            changes: 0,
            budgets: Vec::new(),
            denied: AllDenied::default(),
            tried: Vec::new(),
            refusals: Vec::new(),
        }
    }

    /// The same record, that also keeps an entry for every rewrite.
    pub fn logging(mut self) -> Self {
        self.log = Some(Vec::new());
        self
    }

    /// Whether it keeps an entry for every rewrite.
    pub fn is_logging(&self) -> bool {
        self.log.is_some()
    }

    /// The same record with fuel for `limit` rewrites.
    pub fn with_fuel(mut self, limit: u64) -> Self {
        self.fuel = Fuel::new(limit);
        self
    }

    /// Whether one more rewrite may happen. Nothing is recorded.
    pub fn has_fuel(&self) -> bool {
        self.fuel.left() > 0
    }

    /// Lets no further rewrite happen.
    pub fn stop(&mut self) {
        self.fuel.drain();
    }

    /// Lets as many rewrites happen as `limit` says from here on, counted anew; `None`: any number. What was
    /// counted by kind stays.
    pub fn refuel(&mut self, limit: Option<u64>) {
        self.fuel = limit.map_or_else(Fuel::unlimited, Fuel::new);
    }

    /// Asks for a rewrite and records it. `false`: it must not happen.
    // Where it is called the kind is nearly always known, and then so is what is counted.
    #[inline(always)]
    #[must_use]
    pub fn rewrite(&mut self, kind: Kind, site: Site, became: Became) -> bool {
        self.rewrite_at(kind, || site, became)
    }

    /// The same; where that was is found out only if it is kept.
    #[inline(always)]
    #[must_use]
    pub fn rewrite_at(&mut self, kind: Kind, site: impl FnOnce() -> Site, became: Became) -> bool {
        if !self.fuel.burn() {
            return false;
        }
        self.note_at(kind, site, became);
        true
    }

    /// Records a rewrite that an earlier one made necessary: it takes no fuel.
    #[inline(always)]
    pub fn note(&mut self, kind: Kind, site: Site, became: Became) {
        self.note_at(kind, || site, became);
    }

    #[inline(always)]
    fn note_at(&mut self, kind: Kind, site: impl FnOnce() -> Site, became: Became) {
        self.changes += 1;
        match kind.plain_index() {
            Some(index) => self.plain[index] += 1,
            None => self.count_named(kind),
        }
        if self.log.is_some() {
            self.keep(kind, site(), became);
        }
    }

    #[cold]
    fn keep(&mut self, kind: Kind, site: Site, became: Became) {
        if let Some(log) = &mut self.log {
            log.push(Entry { function: self.functions, step: self.step, kind, site, became });
        }
    }

    fn count_named(&mut self, kind: Kind) {
        match kind {
            Kind::Rule(rule) => {
                let rule = rule as usize;
                if self.rules.len() <= rule {
                    self.rules.resize(rule + 1, 0);
                }
                self.rules[rule] += 1;
            }
            Kind::Pass(name) | Kind::Lemma(name, _) => {
                match self.stages.iter_mut().find(|(known, _)| *known == name) {
                    Some((_, count)) => *count += 1,
                    None => self.stages.push((name, 1)),
                }
            }
            _ => unreachable!("every other kind has an index"),
        }
    }

    /// Keeps how far the rule that is watched got at a place.
    pub fn tried(&mut self, site: Site, trial: Trial<Value>) {
        self.tried.push(Tried { function: self.functions, site, trial });
    }

    /// Where the rule that was watched was tried, in order, and how far it got. A later step tries the places of an
    /// earlier one again.
    pub fn trials(&self) -> &[Tried] {
        &self.tried
    }

    /// Keeps why a pass leaves something, in log mode.
    pub fn refuse(&mut self, pass: &'static str, site: Site, why: impl FnOnce() -> String) {
        if self.log.is_some() {
            self.refusals.push(Refusal { function: self.functions, pass, site, why: why() });
        }
    }

    /// Takes back what a pass left so far: it looks again.
    pub fn take_back(&mut self, pass: &'static str) {
        self.refusals.retain(|refusal| refusal.pass != pass);
    }

    /// What passes decided against, in order; empty unless in log mode.
    pub fn refusals(&self) -> &[Refusal] {
        &self.refusals
    }

    /// Entries from here on belong to the next step of the function's pipeline.
    pub fn next_step(&mut self) {
        self.step += 1;
    }

    /// Entries from here on belong to the next function. Whoever has functions optimized says so, since
    /// one may run several pipelines on a function.
    pub fn next_function(&mut self) {
        self.functions += 1;
        self.step = self.first_step;
    }

    /// Entries from here on belong to a step of a pipeline over all functions, and to one of them.
    pub fn enter(&mut self, function: u32, step: u32) {
        (self.functions, self.step) = (function, step);
    }

    /// The same, of the step at hand.
    pub fn enter_function(&mut self, function: u32) {
        self.functions = function;
    }

    /// Such steps are done: entries from here on belong to the first function, whose pipeline goes on with a step.
    pub fn begin_functions(&mut self, first_step: u32) {
        self.first_step = first_step;
        self.enter(0, first_step);
    }

    /// Adds the refusals of a budget.
    pub fn note_budget(&mut self, budget: &Budget) {
        self.note_refusals(budget.name(), budget.hits());
    }

    fn note_refusals(&mut self, name: &'static str, hits: u64) {
        if hits == 0 {
            return;
        }
        match self.budgets.iter_mut().find(|(known, _)| *known == name) {
            Some((_, count)) => *count += hits,
            None => self.budgets.push((name, hits)),
        }
    }

    /// Keeps that a budget refused a rule. The budget counts for itself; this is for whoever asks which rule that was.
    #[cold]
    pub fn deny(&mut self, budget: &Budget, rule: u32, f: &Function, site: Site) {
        self.denied.count(budget.name(), rule, || (f.name.clone(), site.op, site.location));
    }

    /// The rule that a budget refused most often, and where first.
    pub fn denied(&self, budget: &str) -> Option<&Denied> {
        self.denied.most_often(budget)
    }

    /// How much fuel was used: the rewrites that were asked for and made.
    pub fn total(&self) -> u64 {
        self.fuel.used()
    }

    /// How many rewrites were recorded, with those that an earlier one made necessary.
    pub fn changes(&self) -> u64 {
        self.changes
    }

    /// How many rewrites of a kind happened; of a lemma, how many its pass made.
    pub fn count(&self, kind: Kind) -> u64 {
        match kind {
            Kind::Rule(rule) => self.rules.get(rule as usize).copied().unwrap_or(0),
            Kind::Pass(name) | Kind::Lemma(name, _) => {
                self.stages.iter().find(|(known, _)| *known == name).map_or(0, |s| s.1)
            }
            plain => plain.plain_index().map_or(0, |index| self.plain[index]),
        }
    }

    /// How often each rule fired, by its number; rules that are missing at the end never did.
    pub fn rules(&self) -> &[u64] {
        &self.rules
    }

    /// The parts of a stage and the passes that did something, with their counts: parts in their order, passes in
    /// that of first use.
    pub fn stages(&self) -> impl Iterator<Item = (&'static str, u64)> + '_ {
        let parts = Part::ALL.into_iter().map(|part| (part.name(), self.count(Kind::Part(part))));
        parts.filter(|&(_, count)| count > 0).chain(self.stages.iter().copied())
    }

    /// Budgets that were hit, with the number of refusals, in order of first refusal.
    pub fn budgets(&self) -> &[(&'static str, u64)] {
        &self.budgets
    }

    /// Drops the entries so far, which were read; functions keep their numbers.
    pub fn forget(&mut self) {
        self.log.iter_mut().for_each(Vec::clear);
        self.refusals.clear();
    }

    /// Adds the counts of another record: rewrites by kind, budgets, fuel that was used apart.
    pub fn add(&mut self, other: &Record) {
        self.plain.iter_mut().zip(other.plain).for_each(|(count, more)| *count += more);
        if self.rules.len() < other.rules.len() {
            self.rules.resize(other.rules.len(), 0);
        }
        self.rules.iter_mut().zip(&other.rules).for_each(|(count, more)| *count += more);
        for &(name, more) in &other.stages {
            match self.stages.iter_mut().find(|(known, _)| *known == name) {
                Some((_, count)) => *count += more,
                None => self.stages.push((name, more)),
            }
        }
        for &(name, hits) in &other.budgets {
            self.note_refusals(name, hits);
        }
        self.denied.add(&other.denied);
    }

    /// The rewrites in order; empty unless in log mode.
    pub fn entries(&self) -> &[Entry] {
        self.log.as_deref().unwrap_or(&[])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plain_kinds_count_apart() {
        let mut record = Record::new();
        for (times, kind) in Kind::PLAIN.into_iter().enumerate() {
            for _ in 0..times {
                assert!(record.rewrite(kind, Site::NONE, Became::Nothing));
            }
        }
        let counts: Vec<u64> = Kind::PLAIN.into_iter().map(|kind| record.count(kind)).collect();
        assert_eq!(counts, (0..Kind::PLAIN.len() as u64).collect::<Vec<_>>());
    }

    #[test]
    fn parts_and_passes_are_listed() {
        let mut record = Record::new();
        for part in Part::ALL {
            assert_eq!(record.count(Kind::Part(part)), 0);
        }
        for kind in
            [Kind::Pass("late"), Kind::Part(Part::Heap), Kind::Part(Part::String), Kind::Part(Part::Heap)]
        {
            record.note(kind, Site::NONE, Became::Nothing);
        }
        assert_eq!(record.stages().collect::<Vec<_>>(), [("string", 1), ("heap", 2), ("late", 1)]);
    }

    #[test]
    fn records_add_up() {
        let mut sum = Record::new();
        let mut other = Record::new();
        for kind in [Kind::Fold, Kind::Rule(3), Kind::Pass("late"), Kind::Rule(3)] {
            other.note(kind, Site::NONE, Became::Nothing);
        }
        sum.add(&other);
        sum.add(&other);
        assert_eq!([Kind::Fold, Kind::Rule(3), Kind::Pass("late")].map(|kind| sum.count(kind)), [2, 4, 2]);
    }

    #[test]
    fn a_rewrite_without_fuel_is_refused_and_not_recorded() {
        let mut record = Record::new().logging().with_fuel(1);
        assert!(record.rewrite(Kind::Rule(3), Site::NONE, Became::Changed));
        assert!(!record.rewrite(Kind::Fold, Site::NONE, Became::Changed));
        assert_eq!((record.total(), record.entries().len(), record.rules()), (1, 1, &[0, 0, 0, 1][..]));
    }
}
