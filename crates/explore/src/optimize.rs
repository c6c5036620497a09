//! A program and what becomes of it: the result, every state, what rewrote it and why, what was missed, what it executes, and
//! pictures.

use std::collections::BTreeMap;

use planish_driver::report::{self, RuleNote};
use planish_driver::run::Outcome;
use planish_driver::{Reading, Session, Settings, Writing, explain};
use planish_opt::Kind;
use planish_prove::{Ledger, rule};
use planish_report::{Panel, page};
use planish_rules::set::RuleSet;
use serde_json::{Value, json};

use crate::counts::{Wanted, counted};
use crate::input::Input;
use crate::rule_box::RuleBox;

/// Of a program of so many bytes each state is kept; of a larger one only the result.
const MOST_SHOWN: usize = 128 << 10;

/// So many lines are named at which a rule fired.
const MOST_LINES: usize = 50;

/// So many lines are shown of what passes left.
const MOST_LEFT: usize = 500;

/// What is shown of a program. A program that cannot be read, or a pipeline that is none, is an `error` in it.
pub(crate) fn optimized(input: &Input, rules: &RuleBox, ledger: &Ledger) -> Value {
    let mut answer = json!({ "rules": rules.standings(), "findings": rules.findings() });
    match Shown::of(input, rules, ledger) {
        Ok(shown) => shown.add_to(&mut answer),
        Err(error) => {
            answer["places"] = places(&error, &input.name());
            answer["error"] = json!(planish_base::shown(&error));
        }
    }
    answer
}

/// Opens the program.
pub(crate) fn open(input: &Input) -> Result<Session, String> {
    Session::open(&input.name(), input.program.clone().into_bytes(), input.dialect, Reading::default())
}

/// How it is optimized.
pub(crate) fn settings(input: &Input) -> Settings {
    Settings {
        engine: input.engine,
        passes: input.passes.clone(),
        evaluate: input.passes.is_none(),
        log: true,
        ..Settings::default()
    }
}

/// What there is to show.
struct Shown {
    warnings: String,
    result: String,
    outcome: Outcome,
    report: page::Data,
    rewrites: Vec<Value>,
    left: String,
    counts: [Result<Value, String>; 2],
    is_shortened: bool,
}

impl Shown {
    fn of(input: &Input, rules: &RuleBox, ledger: &Ledger) -> Result<Shown, String> {
        let mut session = open(input)?;
        let is_shortened = input.program.len() > MOST_SHOWN;
        let proved = rules.proved();
        let mut wanted = Wanted { function: input.function.as_deref(), arguments: &input.arguments };
        let before = counted(&session, &wanted);
        let regions = if is_shortened { Vec::new() } else { session.pictures()? };
        let settings = Settings {
            rules: proved.clone(),
            states: !is_shortened,
            graphs: !is_shortened && input.engine == planish_driver::EngineChoice::Egraph,
            remains: true,
            ..settings(input)
        };
        let outcome = session.optimize(&settings)?;
        let result = session.write(input.to, Writing::default())?;
        // The same function: another may have become the first.
        let ran = before.as_ref().ok().and_then(|before| before["function"].as_str());
        wanted.function = wanted.function.or(ran);
        let after = counted(&session, &wanted);
        let drawn = if is_shortened { Vec::new() } else { session.pictures()? };
        let note = |number: u32| note(number, proved.as_deref(), ledger);
        let regions = [("regions before", regions), ("regions after", drawn)];
        let report = report::report(&input.name(), "", &outcome, &regions, &note);
        let left = explain::left(&outcome.record, &outcome.names, "");
        let left = left.lines().take(MOST_LEFT).collect::<Vec<_>>().join("\n");
        Ok(Shown {
            warnings: [session.warnings(), &session.nowhere(), &outcome.warnings].concat(),
            result: String::from_utf8(result).map_err(|error| error.to_string())?,
            report: page::Data::of(&report),
            rewrites: rewrites(&outcome, proved.as_deref(), &note),
            left,
            counts: [before, after],
            is_shortened,
            outcome,
        })
    }

    fn add_to(self, answer: &mut Value) {
        let [before, after] = self.counts.map(|side| side.unwrap_or_else(|error| json!({ "error": error })));
        answer["warnings"] = json!(planish_base::shown(&self.warnings));
        answer["result"] = json!(self.result);
        answer["overview"] = self.report.overview;
        answer["items"] = json!(self.report.items);
        answer["rewrites"] = json!(self.rewrites);
        answer["missed"] = page::panel(&Panel::Bars(report::missed(&self.outcome)));
        answer["left"] = json!(planish_base::shown(&self.left));
        answer["counts"] = json!([before, after]);
        answer["shortened"] = json!(self.is_shortened);
    }
}

/// What is said of a rule.
fn note(number: u32, extra: Option<&RuleSet>, ledger: &Ledger) -> RuleNote {
    let (name, place) = explain::rule_info(extra, number);
    let proof = match number as usize >= planish_book::RULES.len() {
        true => "proved while you typed".to_owned(),
        false => rule::standing(ledger, &name),
    };
    RuleNote { name, place, proof }
}

/// How often a rule or a pass did something, where, and what it did first.
struct Fired {
    kind: Kind,
    times: u64,
    what: String,
    lines: Vec<u32>,
}

/// What rewrote the program: rules, then everything else, each once with the lines at which it did.
fn rewrites(outcome: &Outcome, extra: Option<&RuleSet>, rule: &dyn Fn(u32) -> RuleNote) -> Vec<Value> {
    let mut fired: BTreeMap<(Option<&str>, u32), Fired> = BTreeMap::new();
    for remark in explain::remarks(&outcome.record, &outcome.names) {
        let kind = remark.kind;
        let key = if let Kind::Rule(number) = kind { (None, number) } else { (Some(kind.name()), 0) };
        let new = || Fired { kind, times: 0, what: remark.what(), lines: Vec::new() };
        let fired = fired.entry(key).or_insert_with(new);
        fired.times += 1;
        if remark.line != 0 && fired.lines.len() < MOST_LINES && !fired.lines.contains(&remark.line) {
            fired.lines.push(remark.line);
        }
    }
    let row = |Fired { kind, times, what, lines }: Fired| {
        let (note, text) = match kind {
            Kind::Rule(number) => (rule(number), rule_text(number as usize, extra)),
            kind => {
                let (place, proof) = Default::default();
                (RuleNote { name: kind.name().to_owned(), place, proof }, None)
            }
        };
        let what = planish_base::shown(&what);
        json!({
            "by": note.name, "text": text, "place": note.place, "proof": note.proof, "times": times, "lines": lines,
            "what": what,
        })
    };
    fired.into_values().map(row).collect()
}

/// The text of a rule as it was written, by its number in a record.
fn rule_text(number: usize, extra: Option<&RuleSet>) -> Option<&str> {
    let of_book = planish_book::RULES.len();
    let rule = match number.checked_sub(of_book) {
        None => planish_book::set().rules.values().nth(number),
        Some(number) => extra?.rules.values().nth(number),
    };
    rule.map(|rule| rule.text.as_str())
}

/// The places that a message names: ` --> program.ssa:3:5`, or `program.ssa:3: ...`.
fn places(message: &str, name: &str) -> Value {
    let start = format!("{name}:");
    let place = |line: &str| {
        let (_, behind) = line.split_once(&start)?;
        let mut numbers = behind.split(|c: char| !c.is_ascii_digit()).map(str::parse::<u32>);
        let line = numbers.next()?.ok()?;
        Some(json!([line, numbers.next().and_then(Result::ok).unwrap_or(1)]))
    };
    message.lines().filter_map(place).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_read_from_messages() {
        let message = "error: no\n  --> p.ssa:3:15\n   |\n 3 | x\np.ssa:12: `&f` is called\np.ssa is not\n";
        assert_eq!(places(message, "p.ssa"), json!([[3, 15], [12, 1]]));
    }
}
