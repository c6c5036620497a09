//! What a wrong rule does to the program: it is optimized with that rule as if it were proved, and both are run side by side.

use std::sync::Arc;

use planish_base::shown;
use planish_driver::validate::INPUTS;
use planish_driver::{Checked, Session, Settings, execute};
use planish_interp::refine::Verdict;
use planish_interp::{Limits, Program, Run, Scenario, Val, refine, run};
use planish_ir::{Form, Function, Module};
use planish_rules::set::RuleSet;
use serde_json::{Value, json};

use crate::input::Input;
use crate::optimize::{open, settings};
use crate::rule_box::{RuleBox, is_endless};

/// So many arguments are made of the values of a counterexample.
const MOST_TRIED: usize = 400;

/// Operations of each run.
const FUEL: u64 = 20_000;

/// What each wrong rule does to the program.
pub(crate) fn shown_on_program(input: &Input, rules: &RuleBox) -> Value {
    let one = |(rule, set, values): (&planish_rules::rule::Rule, Arc<RuleSet>, Vec<&str>)| {
        let done = does(input, set, &values).unwrap_or_else(Done::Nothing);
        let (does, text) = match done {
            Done::Nothing(why) => ("nothing", why),
            Done::NoDifference(said) => ("no difference", said),
            Done::Difference(shown) => ("difference", shown),
        };
        json!({ "rule": rule.name, "does": does, "text": shown(&text) })
    };
    json!({ "tries": rules.wrong().map(one).collect::<Vec<_>>() })
}

enum Done {
    /// It was not applied: why.
    Nothing(String),
    /// It was, and nobody can tell by the inputs that were tried.
    NoDifference(String),
    /// An input, and both runs.
    Difference(String),
}

fn does(input: &Input, set: Arc<RuleSet>, values: &[&str]) -> Result<Done, String> {
    if is_endless(&set) {
        return Ok(Done::Nothing("rewriting with this rule would go round in circles".to_owned()));
    }
    let before = open(input)?;
    let mut after = open(input)?;
    let settings = Settings { rules: Some(set), ..settings(input) };
    let outcome = after.optimize(&settings)?;
    let of_book = planish_book::RULES.len();
    let fired: u64 = outcome.record.rules().iter().skip(of_book).sum();
    if fired == 0 {
        return Ok(Done::Nothing("nothing in this program is what the rule is about".to_owned()));
    }
    // Its own values first: they are small, and made to show it.
    let (found, tried) = by_counterexample(&before, &after, values);
    if let Some(shown) = found {
        return Ok(Done::Difference(shown));
    }
    let compared = open(input)?.optimize(&Settings { validate: INPUTS, ..settings })?;
    if let Some(Checked::Different(text)) = compared.checked {
        return Ok(Done::Difference(text));
    }
    let times = if fired == 1 { "once".to_owned() } else { format!("{fired} times") };
    Ok(Done::NoDifference(format!(
        "it is applied {times}, and none of {tried} inputs made of the counterexample and {INPUTS} random ones tells"
    )))
}

/// Runs both on arguments that are values of the counterexample, and small numbers. A difference, and how many were tried.
fn by_counterexample(before: &Session, after: &Session, values: &[&str]) -> (Option<String>, usize) {
    let (Some(old), Some(new)) = (before.module(), after.module()) else { return (None, 0) };
    let texts: Vec<&str> = values.iter().copied().chain(["0", "1", "-1", "2", "1.5"]).collect();
    let limits = Limits { fuel: FUEL, wild_accesses: before.form() == Form::Trace, ..Limits::default() };
    let mut tried = 0;
    for id in before.entries() {
        let source = &old.functions[id];
        let Some(target) = new.find(&source.name).map(|id| &new.functions[id]) else { continue };
        for arguments in choices(source, &texts) {
            tried += 1;
            if let Some(shown) = difference((old, source), (new, target), &arguments, limits) {
                return (Some(shown), tried);
            }
        }
    }
    (None, tried)
}

/// Arguments for a function, each one of these texts.
fn choices(function: &Function, texts: &[&str]) -> Vec<Vec<Val>> {
    let mut all = vec![Vec::new()];
    for &param in function.params() {
        let values: Vec<Val> =
            texts.iter().filter_map(|text| execute::argument(function.ty(param), text)).collect();
        let values = if values.is_empty() { vec![Val::zero(function.ty(param))] } else { values };
        let longer = |chosen: &Vec<Val>| {
            let chosen = chosen.clone();
            values.iter().map(move |&value| [&chosen[..], &[value]].concat()).collect::<Vec<_>>()
        };
        all = all.iter().flat_map(longer).take(MOST_TRIED).collect();
    }
    all
}

fn difference(
    before: (&Module, &Function),
    after: (&Module, &Function),
    arguments: &[Val],
    limits: Limits,
) -> Option<String> {
    let scenario = Scenario::new(0);
    let ran = |(module, function): (&Module, &Function)| -> Run {
        run(&Program::of(module), function, arguments, &scenario, limits)
    };
    let (old, new) = (ran(before), ran(after));
    let Verdict::Differs(difference) = refine(&scenario, &old, &new) else { return None };
    let shown: Vec<String> = arguments.iter().map(|&value| old.show(value)).collect();
    Some(format!(
        "function {} on ({}): {difference}\nbefore:\n{old}\nafter:\n{new}",
        before.1.name,
        shown.join(", ")
    ))
}
