//! Optimization remarks: every rewrite of a record in words, with the names that values had.

use planish_base::{Id, Interner, SideTable};
use planish_book as book;
use planish_ir::text::ValueNames;
use planish_ir::{Const, Function, Symbol, Value};
use planish_ops::Op;
use planish_pass::{Became, Entry, Kind, Record};
use planish_rules::RuleSet;

use crate::manager::registry;

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
    pub fn add_nameless(&mut self, function: &str) {
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

    /// The name of a function.
    pub fn function(&self, index: u32) -> &str {
        self.get(index).map_or("", |(name, _)| name)
    }

    /// What a value of a function is called.
    pub fn value(&self, function: u32, value: Value) -> &str {
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
            Kind::Pass(name) | Kind::Lemma(name, _) => registry::find(name).map(|info| info.sentence),
            _ => None,
        };
        match (self.operation, does) {
            (Some(op), Some(does)) => format!("{op}: {does}"),
            (Some(op), None) => format!("{op} simpler"),
            (None, does) => does.unwrap_or("simpler").to_owned(),
        }
    }

    /// A line for people: `f:3: mul -> lshift  [rewrite: rule mul_shift (int.rules:7)]`.
    pub fn line(&self, rule: RuleInfo<'_>) -> String {
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
}

/// Every rewrite of a record, in order.
pub fn remarks<'r>(record: &'r Record, names: &'r Names) -> impl Iterator<Item = Remark> + 'r {
    record.entries().iter().map(|entry| Remark::of(entry, names))
}

/// A function, and a line of the source if there is one.
pub fn place(function: &str, line: u32) -> String {
    match line {
        0 => function.to_owned(),
        line => format!("{function}:{line}"),
    }
}
