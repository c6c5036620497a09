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

use planish_ops::Op;
pub use planish_opt::Record;
use planish_opt::remarks::place;
pub use planish_opt::remarks::{Names, Outcome, Remark, RuleInfo, names, positions, remarks, rule_info};
use planish_opt::{Kind, Refusal, Tried};
use planish_rules::apply::Miss;
use planish_rules::matching::Const as Constant;
use planish_rules::trial::{self, Binding};
use planish_rules::{RuleId, RuleSet};
use serde_json::{Map, Value as Json, json};

/// A JSON object for tools.
fn json(remark: &Remark, number: usize, rule: RuleInfo<'_>) -> Json {
    let mut object = Map::new();
    object.insert("n".into(), json!(number));
    object.insert("function".into(), json!(remark.function));
    if remark.line != 0 {
        object.insert("line".into(), json!(remark.line));
    }
    if let Some(op) = remark.operation {
        object.insert("operation".into(), json!(op.name()));
    }
    object.insert("pass".into(), json!(remark.kind.pass()));
    object.insert("kind".into(), json!(remark.kind.name()));
    if let Kind::Rule(number) = remark.kind {
        let (name, place) = rule(number);
        object.insert("rule".into(), json!(name));
        object.insert("place".into(), json!(place));
    }
    let (outcome, became) = match &remark.outcome {
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

/// One JSON object a line for each rewrite. They are numbered from `first`.
pub fn json_lines(first: usize, remarks: impl Iterator<Item = Remark>, rule: RuleInfo<'_>) -> String {
    (first..).zip(remarks).map(|(number, remark)| format!("{}\n", json(&remark, number, rule))).collect()
}

/// A line for each budget that was hit: how often, and which rule asked it in vain most often, and where first.
pub fn budgets(record: &Record, rule: RuleInfo<'_>) -> String {
    let line = |&(budget, refusals): &(&str, u64)| {
        let of_rule = record.denied(budget).map_or_else(String::new, |denied| {
            let (name, written) = rule(denied.rule);
            let at = place(&denied.function, denied.location.0);
            let op = denied.op.map_or("", Op::name);
            format!("; most often ({} times) it was the rule `{name}` ({written}) that asked, first at {at}: {op}", denied.times)
        });
        format!(
            "warning: the budget `{budget}` was hit {refusals} times; what it refused was not done{of_rule}\n"
        )
    };
    record.budgets().iter().map(line).collect()
}

/// How many places are shown at which a part of the pattern is missing: every operation like the root may be one.
const WITHOUT_A_PART: usize = 20;

/// Where a rule of a set was tried and how far it got: the place and the verdict, then a line for each variable of
/// the pattern. What is found again as it was is said once, and what was missed where the rule applies all the same not at all. Where the whole pattern stands somewhere, places at which a part of
/// it is missing are left out.
pub fn trials(record: &Record, names: &Names, set: &RuleSet, rule: RuleId) -> String {
    let place_of = |tried: &Tried| (tried.function, tried.site.inst, tried.site.location.0);
    // Where it applies in the end nobody asks what it missed in an earlier walk, or will miss in a later one.
    let applied: BTreeSet<_> =
        record.trials().iter().filter(|tried| tried.trial.missed.is_none()).map(place_of).collect();
    let is_whole = |tried: &&Tried| !matches!(tried.trial.missed, Some(Miss::Part(..)));
    let stands = record.trials().iter().any(|tried| is_whole(&tried));
    let mut said = BTreeSet::new();
    let texts: Vec<String> = (record.trials().iter())
        .filter(|tried| is_whole(tried) || !stands)
        .filter(|tried| tried.trial.missed.is_none() || !applied.contains(&place_of(tried)))
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
