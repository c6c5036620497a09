//! `planish rules`: looks into the rule book.

use planish_base::spelling::closest;
use planish_book as book;
use planish_driver::remains::Remains;
use planish_driver::{Settings, explain};
use planish_ops::Op;
use planish_rules::set::Strictness;
use planish_rules::stats::Counts;
use planish_rules::{RuleId, show};

use super::{any_error, ledgers, pairs, prove, read_rules, worth};
use crate::args::{Format, Input, Reading, Rules, RulesCommand};
use crate::failure::Failure;
use crate::io;

/// Runs one of the sub-commands.
pub fn run(args: &Rules) -> Result<(), Failure> {
    let text = match &args.command {
        RulesCommand::List { format: Format::Text } => show::list(book::set()),
        RulesCommand::List { format: Format::Json } => show::list_json(book::set()) + "\n",
        RulesCommand::Show { name } => show(name)?,
        RulesCommand::Check { files } => return check(files),
        RulesCommand::Tree { operation } => tree(operation.as_deref())?,
        RulesCommand::Stats { inputs, format, leave_one_out: false } => stats(inputs, *format)?,
        RulesCommand::Stats { inputs, format, leave_one_out: true } => worth::table(inputs, *format)?,
        RulesCommand::Pairs { rules, all, slice } => return pairs::run(rules, *all, *slice),
        RulesCommand::Missed { inputs, most } => missed(inputs, *most)?,
        RulesCommand::Why { name, input } => why(name, input)?,
    };
    io::write(None, text.as_bytes())
}

/// The rule of the book with a name.
pub(super) fn named(name: &str) -> Result<RuleId, Failure> {
    book::set().named(name).ok_or_else(|| {
        let near = closest(name, book::set().rules.values().map(|rule| rule.name.as_str()));
        let hint = near.map_or_else(String::new, |near| format!("; did you mean `{near}`?"));
        Failure::Usage(format!("there is no rule `{name}` in the book{hint}"))
    })
}

/// The text, place, order, cost and proof of a rule.
fn show(name: &str) -> Result<String, Failure> {
    let id = named(name)?;
    let text = show::rule(book::set(), id);
    match book::set().rules[id].sorry {
        Some(_) => Ok(text),
        None => Ok(format!("{text}{}\n", prove::standing(&ledgers::shipped()?, name))),
    }
}

/// Where the shape of a rule's pattern stands in a program, and what the rule missed there.
fn why(name: &str, input: &Input) -> Result<String, Failure> {
    let rule = named(name)?;
    let settings = Settings { log: true, watched: Some(rule), ..Settings::default() };
    let outcome = super::open(input)?.optimize(&settings).map_err(Failure::Rejected)?;
    let text = explain::trials(&outcome.record, &outcome.names, book::set(), rule);
    if text.is_empty() {
        let summary = show::summary(&book::set().rules[rule]);
        return Ok(format!("the pattern stands nowhere: {summary}\n"));
    }
    Ok(text)
}

/// Judges files as any file, or the book as the book.
fn check(files: &[std::path::PathBuf]) -> Result<(), Failure> {
    let (shown, wrong) = if files.is_empty() {
        let findings = book::set().judge(Strictness::Book);
        (book::set().render(&findings), any_error(&findings))
    } else {
        let (set, findings) = read_rules(files)?;
        (set.render(&findings), any_error(&findings))
    };
    if wrong {
        return Err(Failure::Rejected(shown));
    }
    if !shown.is_empty() {
        io::say(format_args!("{shown}\n"));
    }
    Ok(())
}

/// The decision trees: all, or that of one operation.
fn tree(operation: Option<&str>) -> Result<String, Failure> {
    let wanted = match operation {
        None => None,
        Some(name) => match Op::from_name(name).or_else(|| Op::from_pypy_name(name)) {
            Some(op) => Some(op),
            None => return Err(Failure::Usage(format!("there is no operation `{name}`"))),
        },
    };
    let set = book::set();
    let mut out = String::new();
    for &op in planish_ops::table::ALL.iter().filter(|op| wanted.is_none_or(|wanted| wanted == **op)) {
        for explore in [false, true] {
            out.extend(show::tree(set, op, explore));
        }
    }
    Ok(out)
}

/// The pairs of operations that remain.
fn missed(inputs: &[std::path::PathBuf], most: usize) -> Result<String, Failure> {
    let mut remains = Remains::default();
    for path in inputs {
        let mut session = super::open_path(path, None, &Reading::default())?;
        let settings = Settings { remains: true, ..Settings::default() };
        let outcome = session.optimize(&settings).map_err(Failure::Rejected)?;
        remains.merge(&outcome.remains.unwrap_or_default());
    }
    Ok(remains.table(most))
}

/// How often each rule of the book fires on programs, rules that never do included.
fn stats(inputs: &[std::path::PathBuf], format: Format) -> Result<String, Failure> {
    let mut fired = vec![0u64; book::RULES.len()];
    for path in inputs {
        let mut session = super::open_path(path, None, &Reading::default())?;
        let outcome = session.optimize(&Settings::default()).map_err(Failure::Rejected)?;
        for (sum, count) in fired.iter_mut().zip(outcome.record.rules()) {
            *sum += count;
        }
    }
    let counts = Counts::from_slice(&fired);
    Ok(match format {
        Format::Json => counts.json(&book::set().rules) + "\n",
        Format::Text => counts.text(&book::set().rules),
    })
}
