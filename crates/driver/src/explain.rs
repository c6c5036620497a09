//! Every rewrite of a run: a line for people, or a JSON object for tools.
//!
//! The JSON is one object a line, as `docs/remarks.schema.json` describes it:
//!
//! ```text
//! {"n":1,"function":"f","line":3,"operation":"add","kind":"rule","rule":"add_zero","outcome":"value",...}
//! ```

use std::collections::BTreeSet;
use std::fmt::Write;

use planish_base::{Id, Interner, SideTable};
use planish_ir::text::ValueNames;
use planish_ir::{Const, Function, Symbol, Value};
use planish_opt::pipeline::PASSES;
use planish_opt::{Became, Entry, Kind, Record, Tried};
use planish_rules::matching::Const as Constant;
use planish_rules::trial::{self, Binding};
use planish_rules::{RuleId, RuleSet};
use serde_json::{Map, Value as Json, json};

/// What values are called in explanations, for each function of a run.
#[derive(Default)]
pub struct Names {
    functions: Vec<(String, ValueNames)>,
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
                    Some(Const::Symbol(symbol, _)) => format!("&{}", symbols.get(symbol)),
                    Some(Const::Hole) => "none".to_owned(),
                    None => format!("new{index}"),
                }
                .into()
            });
        }
        self.functions.push((function.name.clone(), known));
    }

    fn function(&self, index: u32) -> &str {
        self.functions.get(index as usize).map_or("", |(name, _)| name)
    }

    fn value(&self, function: u32, value: Value) -> &str {
        self.functions.get(function as usize).and_then(|(_, names)| names[value].as_deref()).unwrap_or("")
    }
}

/// `v0`, `v1`, ... by position, as the `.ssa` text numbers values.
pub fn positions(f: &Function) -> ValueNames {
    let mut names = SideTable::new();
    let mut next = 0;
    let mut name = |value: Value| {
        names[value] = Some(format!("v{next}").into());
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

/// What became of what: `add v2 = v0`, `mul -> lshift`, `add gone`.
pub(crate) fn what(entry: &Entry, names: &Names) -> String {
    let became = match entry.became {
        Became::Nothing => "gone".to_owned(),
        Became::Value { of, is } => {
            let [of, is] = [of, is].map(|v| names.value(entry.function, v));
            format!("{of} = {is}")
        }
        Became::Op(op) => format!("-> {op}"),
        Became::Changed => return what_a_pass_does(entry),
    };
    match entry.site.op {
        Some(op) => format!("{op} {became}"),
        None => became,
    }
}

/// What a pass does where it changes more than one operation: the sentence that describes it.
fn what_a_pass_does(entry: &Entry) -> String {
    let does = match entry.kind {
        Kind::Stage(name) => PASSES.iter().find(|pass| pass.name == name).map(|pass| pass.doc),
        _ => None,
    };
    match (entry.site.op, does) {
        (Some(op), Some(does)) => format!("{op}: {does}"),
        (Some(op), None) => format!("{op} simpler"),
        (None, does) => does.unwrap_or("simpler").to_owned(),
    }
}

/// One line for each rewrite, in order.
pub fn lines(record: &Record, names: &Names, rule: RuleInfo<'_>) -> String {
    let mut out = String::new();
    for entry in record.entries() {
        let place = place(names.function(entry.function), entry.site.location.0);
        let what = what(entry, names);
        let why = match entry.kind {
            Kind::Rule(number) => {
                let (name, place) = rule(number);
                format!("rule {name} ({place})")
            }
            kind => kind.name().to_owned(),
        };
        writeln!(out, "{place}: {what}  [{why}]").expect("writing to a string does not fail");
    }
    out
}

/// Where a rule of a set was tried and how far it got: the place and the verdict, then a line for each variable of
/// the pattern. What is found again as it was is said once.
pub fn trials(record: &Record, names: &Names, set: &RuleSet, rule: RuleId) -> String {
    let mut out = String::new();
    let mut said = BTreeSet::new();
    for tried in record.trials() {
        let text = one_trial(tried, names, set, rule);
        if said.insert(text.clone()) {
            out.push_str(&text);
        }
    }
    out
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

/// One JSON object a line for each rewrite, in order.
pub fn json_lines(record: &Record, names: &Names, rule: RuleInfo<'_>) -> String {
    let mut out = String::new();
    for (index, entry) in record.entries().iter().enumerate() {
        let mut object = Map::new();
        object.insert("n".into(), json!(index + 1));
        object.insert("function".into(), json!(names.function(entry.function)));
        if entry.site.location.0 != 0 {
            object.insert("line".into(), json!(entry.site.location.0));
        }
        if let Some(op) = entry.site.op {
            object.insert("operation".into(), json!(op.name()));
        }
        object.insert("kind".into(), json!(entry.kind.name()));
        if let Kind::Rule(number) = entry.kind {
            let (name, place) = rule(number);
            object.insert("rule".into(), json!(name));
            object.insert("place".into(), json!(place));
        }
        let outcome = match entry.became {
            Became::Value { .. } => "value",
            Became::Op(_) => "operation",
            Became::Nothing => "gone",
            Became::Changed => "simpler",
        };
        object.insert("outcome".into(), json!(outcome));
        match entry.became {
            Became::Value { of, is } => {
                object.insert("value".into(), json!(names.value(entry.function, of)));
                object.insert("became".into(), json!(names.value(entry.function, is)));
            }
            Became::Op(op) => {
                object.insert("became".into(), json!(op.name()));
            }
            Became::Nothing | Became::Changed => {}
        }
        out.push_str(&Json::Object(object).to_string());
        out.push('\n');
    }
    out
}
