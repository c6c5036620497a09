//! Optimization remarks (LLVM's `-Rpass` and `-fsave-optimization-record`): every rewrite of a run, as a line for
//! people or a JSON object for tools.
//!
//! The JSON is one object a line, as `docs/remarks.schema.json` describes it:
//!
//! ```text
//! {"n":1,"function":"f","line":3,"operation":"add","pass":"rewrite","kind":"rule","rule":"add_zero",...}
//! ```

use std::collections::BTreeSet;
use std::fmt::Write;

use planish_base::{Id, Interner, SideTable};
use planish_book as book;
use planish_ir::text::ValueNames;
use planish_ir::{Const, Function, Symbol, Value};
use planish_ops::Op;
use planish_opt::manager::registry;
use planish_opt::{Became, Entry, Kind, Record, Refusal, Tried};
use planish_rules::apply::Miss;
use planish_rules::matching::Const as Constant;
use planish_rules::trial::{self, Binding};
use planish_rules::{RuleId, RuleSet};
use serde_json::{Map, Value as Json, json};

/// What values are called in explanations, for each function of a run.
#[derive(Default)]
pub struct Names {
    functions: Vec<(String, ValueNames)>,
    /// The number of the first of them: those before it were forgotten.
    first: u32,
}

impl Names {
    /// Adds the next function. `known` are the names before the run (see [`positions`]); constants and
    /// values that the run made are named here, so it is called afterwards.
    pub fn add(&mut self, function: &Function, mut known: ValueNames, symbols: &Interner<Symbol, String>) {
        for index in 0..function.value_count() {
            let value = Value::from_index(index);
            known[value].get_or_insert_with(|| {
                match function.constant(value) {
                    Some(Const::Int(int)) => int.to_string(),
                    Some(Const::Real(real)) => format!("{:?}", real.0),
                    Some(Const::Null) => "null".to_owned(),
                    // Methods of classes have their constants in a pool, and no names for them.
                    Some(Const::Symbol(symbol, _)) if symbol.index() >= symbols.len() => {
                        format!("&{}", symbol.index())
                    }
                    Some(Const::Symbol(symbol, _)) => format!("&{}", symbols.get(symbol)),
                    Some(Const::Hole) => "none".to_owned(),
                    None => format!("new{index}"),
                }
                .into()
            });
        }
        self.functions.push((function.name.clone(), known));
    }

    /// Adds the next function, of whose values nothing is told.
    pub(crate) fn add_nameless(&mut self, function: &str) {
        self.functions.push((function.to_owned(), ValueNames::default()));
    }

    /// Drops the names so far; functions keep their numbers.
    pub fn forget(&mut self) {
        self.first += self.functions.len() as u32;
        self.functions.clear();
    }

    fn get(&self, function: u32) -> Option<&(String, ValueNames)> {
        self.functions.get(function.checked_sub(self.first)? as usize)
    }

    fn function(&self, index: u32) -> &str {
        self.get(index).map_or("", |(name, _)| name)
    }

    fn value(&self, function: u32, value: Value) -> &str {
        self.get(function).and_then(|(_, names)| names[value].as_deref()).unwrap_or("")
    }
}

/// `v0`, `v1`, ... by position, as the `.ssa` text numbers values.
pub fn positions(f: &Function) -> ValueNames {
    names(f, None)
}

/// The same, with the names that the author of the text gave.
pub fn names(f: &Function, given: Option<&ValueNames>) -> ValueNames {
    let mut names = SideTable::new();
    let mut next = 0;
    let mut name = |value: Value| {
        let given = given.and_then(|given| given[value].clone());
        names[value] = Some(given.unwrap_or_else(|| format!("v{next}").into()));
        next += 1;
    };
    for &block in f.blocks() {
        f.block_params(block).iter().for_each(|&param| name(param));
        f.block_insts(block).iter().for_each(|&inst| f.results(inst).for_each(&mut name));
    }
    names
}

/// What is known of a rule by its number: its name and where it is written.
pub type RuleInfo<'a> = &'a dyn Fn(u32) -> (String, String);

/// The name of a rule and where it is written, by its number in the record of a run: rules of the book come first.
pub fn rule_info(extra: Option<&RuleSet>, number: u32) -> (String, String) {
    let number = number as usize;
    if let Some(rule) = book::RULES.get(number) {
        return (rule.name.to_owned(), format!("{}:{}", rule.file, rule.line));
    }
    let rule = extra.and_then(|set| set.rules.values().nth(number - book::RULES.len()));
    rule.map_or_else(Default::default, |rule| (rule.name.clone(), format!("{}:{}", rule.file, rule.line)))
}

/// A rewrite, with the names that were known when it was made.
#[derive(Clone, PartialEq, Debug)]
pub struct Remark {
    /// The function or method.
    pub function: String,
    /// The line of the source, 0 where there is none.
    pub line: u32,
    /// The operation that was rewritten, if it is one.
    pub operation: Option<Op>,
    /// Why.
    pub kind: Kind,
    /// To what.
    pub outcome: Outcome,
}

/// What became of what was rewritten.
#[derive(Clone, PartialEq, Debug)]
pub enum Outcome {
    /// Nothing stands for it.
    Gone,
    /// Its result is another value.
    Value {
        /// The name of the value that went.
        of: String,
        /// The name of the value that stands for it.
        is: String,
    },
    /// Another operation stands in its place.
    Operation(Op),
    /// It stays, with less to do.
    Simpler,
}

impl Remark {
    /// An entry of a record.
    pub fn of(entry: &Entry, names: &Names) -> Remark {
        let value = |value: Value| names.value(entry.function, value).to_owned();
        let outcome = match entry.became {
            Became::Nothing => Outcome::Gone,
            Became::Value { of, is } => Outcome::Value { of: value(of), is: value(is) },
            Became::Op(op) => Outcome::Operation(op),
            Became::Changed => Outcome::Simpler,
        };
        Remark {
            function: names.function(entry.function).to_owned(),
            line: entry.site.location.0,
            operation: entry.site.op,
            kind: entry.kind,
            outcome,
        }
    }

    /// The number of the rule that says why, if one does: see [`rule_info`].
    pub fn rule(&self) -> Option<u32> {
        match self.kind {
            Kind::Rule(number) => Some(number),
            _ => None,
        }
    }

    /// What became of what: `add v2 = v0`, `mul -> lshift`, `add gone`.
    pub fn what(&self) -> String {
        let became = match &self.outcome {
            Outcome::Gone => "gone".to_owned(),
            Outcome::Value { of, is } => format!("{of} = {is}"),
            Outcome::Operation(op) => format!("-> {op}"),
            Outcome::Simpler => return self.what_a_pass_does(),
        };
        match self.operation {
            Some(op) => format!("{op} {became}"),
            None => became,
        }
    }

    /// What a pass does where it changes more than one operation: the sentence that describes it.
    fn what_a_pass_does(&self) -> String {
        let does = match self.kind {
            Kind::Pass(name) => registry::find(name).map(|info| info.sentence),
            _ => None,
        };
        match (self.operation, does) {
            (Some(op), Some(does)) => format!("{op}: {does}"),
            (Some(op), None) => format!("{op} simpler"),
            (None, does) => does.unwrap_or("simpler").to_owned(),
        }
    }

    fn line(&self, rule: RuleInfo<'_>) -> String {
        let why = match self.kind {
            Kind::Rule(number) => {
                let (name, place) = rule(number);
                format!("rule {name} ({place})")
            }
            kind => kind.name().to_owned(),
        };
        let pass = self.kind.pass();
        let why = if why == pass { why } else { format!("{pass}: {why}") };
        format!("{}: {}  [{why}]\n", place(&self.function, self.line), self.what())
    }

    fn json(&self, number: usize, rule: RuleInfo<'_>) -> Json {
        let mut object = Map::new();
        object.insert("n".into(), json!(number));
        object.insert("function".into(), json!(self.function));
        if self.line != 0 {
            object.insert("line".into(), json!(self.line));
        }
        if let Some(op) = self.operation {
            object.insert("operation".into(), json!(op.name()));
        }
        object.insert("pass".into(), json!(self.kind.pass()));
        object.insert("kind".into(), json!(self.kind.name()));
        if let Kind::Rule(number) = self.kind {
            let (name, place) = rule(number);
            object.insert("rule".into(), json!(name));
            object.insert("place".into(), json!(place));
        }
        let (outcome, became) = match &self.outcome {
            Outcome::Gone => ("gone", None),
            Outcome::Value { of, is } => {
                object.insert("value".into(), json!(of));
                ("value", Some(is.as_str()))
            }
            Outcome::Operation(op) => ("operation", Some(op.name())),
            Outcome::Simpler => ("simpler", None),
        };
        object.insert("outcome".into(), json!(outcome));
        if let Some(became) = became {
            object.insert("became".into(), json!(became));
        }
        Json::Object(object)
    }
}

/// Every rewrite of a record, in order.
pub fn remarks<'r>(record: &'r Record, names: &'r Names) -> impl Iterator<Item = Remark> + 'r {
    record.entries().iter().map(|entry| Remark::of(entry, names))
}

/// One line for each rewrite.
pub fn lines(remarks: impl Iterator<Item = Remark>, rule: RuleInfo<'_>) -> String {
    remarks.map(|remark| remark.line(rule)).collect()
}

/// One line for each thing that a pass left in a function, or in any if no function is named.
pub fn left(record: &Record, names: &Names, function: &str) -> String {
    let mut lines = String::new();
    for Refusal { function: number, pass, site, why } in record.refusals() {
        let name = names.function(*number);
        if function.is_empty() || function == name {
            let op = site.op.map_or("", Op::name);
            let place = place(name, site.location.0);
            writeln!(lines, "{place}: {op} stays: {why}  [{pass}]")
                .expect("writing to a string does not fail");
        }
    }
    lines
}

/// One JSON object a line for each rewrite.
pub fn json_lines(remarks: impl Iterator<Item = Remark>, rule: RuleInfo<'_>) -> String {
    (1..).zip(remarks).map(|(number, remark)| format!("{}\n", remark.json(number, rule))).collect()
}

/// How many places are shown at which a part of the pattern is missing: every operation like the root may be one.
const WITHOUT_A_PART: usize = 20;

/// Where a rule of a set was tried and how far it got: the place and the verdict, then a line for each variable of
/// the pattern. What is found again as it was is said once. Where the whole pattern stands somewhere, places at which a part of
/// it is missing are left out.
pub fn trials(record: &Record, names: &Names, set: &RuleSet, rule: RuleId) -> String {
    let is_whole = |tried: &&Tried| !matches!(tried.trial.missed, Some(Miss::Part(..)));
    let stands = record.trials().iter().any(|tried| is_whole(&tried));
    let mut said = BTreeSet::new();
    let texts: Vec<String> = (record.trials().iter())
        .filter(|tried| is_whole(tried) || !stands)
        .map(|tried| one_trial(tried, names, set, rule))
        .filter(|text| said.insert(text.clone()))
        .collect();
    if stands || texts.len() <= WITHOUT_A_PART {
        return texts.concat();
    }
    let more = texts.len() - WITHOUT_A_PART;
    format!("{}and {more} more places where a part is missing\n", texts[..WITHOUT_A_PART].concat())
}

fn one_trial(tried: &Tried, names: &Names, set: &RuleSet, rule: RuleId) -> String {
    let verdict = match tried.trial.missed {
        None => "applies".to_owned(),
        Some(miss) => trial::missed(set, rule, miss),
    };
    let mut text = format!("{}: {verdict}\n", place(names.function(tried.function), tried.site.location.0));
    for Binding { var, value, constant, fact } in &tried.trial.bindings {
        let name = &set.rules[rule].vars[*var].name;
        let known = match (constant, fact) {
            (Some(Constant::Int(int)), _) => int.to_string(),
            (Some(Constant::Real(real)), _) => format!("{real:?}"),
            (None, Some(fact)) => format!("{}: {fact}", names.value(tried.function, *value)),
            (None, None) => names.value(tried.function, *value).to_owned(),
        };
        writeln!(text, "    {name} = {known}").expect("writing to a string does not fail");
    }
    text
}

/// A function, and a line of the source if there is one.
fn place(function: &str, line: u32) -> String {
    match line {
        0 => function.to_owned(),
        line => format!("{function}:{line}"),
    }
}
