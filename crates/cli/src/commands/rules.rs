//! `planish rules`: looks into the rule book.

use std::fmt::Write;

use planish_book as book;
use planish_driver::Settings;
use planish_ops::Op;
use planish_rules::outline::outline;
use planish_rules::rule::Rule;
use planish_rules::set::Strictness;

use super::{any_error, read_rules};
use crate::args::{Format, Reading, Rules, RulesCommand};
use crate::failure::Failure;
use crate::io;

/// Runs one of the sub-commands.
pub fn run(args: &Rules) -> Result<(), Failure> {
    let text = match &args.command {
        RulesCommand::List => list(),
        RulesCommand::Show { name } => show(name)?,
        RulesCommand::Check { files } => return check(files),
        RulesCommand::Tree { operation } => tree(operation.as_deref())?,
        RulesCommand::Stats { inputs, format } => stats(inputs, *format)?,
    };
    io::write(None, text.as_bytes())
}

/// A line a rule: name, root, place.
fn list() -> String {
    let mut out = String::new();
    let width = book::RULES.iter().map(|rule| rule.name.len()).max().unwrap_or(0);
    for rule in book::RULES {
        let explore = if rule.explore { "  explore" } else { "" };
        let place = format!("{}:{}", rule.file, rule.line);
        writeln!(out, "{:width$}  {:22} {}{explore}", rule.name, place, rule.root).expect(NEVER);
    }
    out
}

const NEVER: &str = "writing to a string does not fail";

/// The text of a rule with its comments, and where it stands.
fn show(name: &str) -> Result<String, Failure> {
    let set = book::set();
    let Some(id) = set.named(name) else {
        return Err(Failure::Usage(format!("there is no rule `{name}` in the book")));
    };
    let rule: &Rule = &set.rules[id];
    let file = set.files.iter().find(|file| file.name() == rule.file);
    let text = file.map_or("", |file| {
        let lines = file.text().split_inclusive('\n');
        let start: usize = lines.take(rule.line as usize - 1).map(str::len).sum();
        let rest = &file.text()[start..];
        &rest[..rest.find("\n\n").map_or(rest.len(), |end| end + 1)]
    });
    Ok(format!("# {}:{}\n{text}", rule.file, rule.line))
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
        eprintln!("{shown}");
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
    for decision in set.decisions().filter(|d| wanted.is_none_or(|op| d.matrix.op == op)) {
        out.push_str(&outline(decision, &set.rules));
    }
    Ok(out)
}

/// How often each rule of the book fires on programs, rules that never do included.
fn stats(inputs: &[std::path::PathBuf], format: Format) -> Result<String, Failure> {
    let mut counts = vec![0u64; book::RULES.len()];
    for path in inputs {
        let mut session = super::open_path(path, None, &Reading::default())?;
        let outcome = session.optimize(&Settings::default()).map_err(Failure::Rejected)?;
        for (sum, count) in counts.iter_mut().zip(outcome.record.rules()) {
            *sum += count;
        }
    }
    if format == Format::Json {
        let object: serde_json::Map<String, serde_json::Value> = book::RULES
            .iter()
            .zip(&counts)
            .map(|(rule, &count)| (rule.name.to_owned(), count.into()))
            .collect();
        return Ok(format!("{:#}\n", serde_json::Value::Object(object)));
    }
    // Grouped by operation, in the order of the table.
    let mut rows: Vec<_> = book::RULES.iter().zip(&counts).collect();
    rows.sort_by_key(|(rule, count)| (rule.root, std::cmp::Reverse(**count), rule.name));
    let mut out = String::new();
    let mut root = None;
    for (rule, count) in rows {
        if root.replace(rule.root) != Some(rule.root) {
            writeln!(out, "{}", rule.root).expect(NEVER);
        }
        writeln!(out, "  {count:>8}  {}", rule.name).expect(NEVER);
    }
    Ok(out)
}
