//! `planish rules`: looks into the rule book.

use std::path::PathBuf;
use std::sync::Arc;

use planish_book as book;
use planish_driver::witness::FactOf;
use planish_driver::{Settings, Watched, Witness, explain};
use planish_ir::Function;
use planish_mine::{Remaining, Remains};
use planish_ops::Op;
use planish_prove::rule;
use planish_rules::set::Strictness;
use planish_rules::show;
use planish_rules::stats::Counts;

use super::corpus::Program;
use super::rule_files::{any_error, read_rules};
use super::rule_names::{all_rules, named, unknown};
use super::{generalize, ledgers, lsp, opening, pairs, rule_files, worth};
use crate::args::{Format, HowMissed, Input, Reading, RuleFiles, Rules, RulesCommand};
use crate::failure::Failure;
use crate::io;

/// Runs one of the sub-commands.
pub fn run(args: &Rules) -> Result<(), Failure> {
    let text = match &args.command {
        RulesCommand::List { format: Format::Text } => show::list(book::set()),
        RulesCommand::List { format: Format::Json } => show::list_json(book::set()) + "\n",
        RulesCommand::Show { name, files } => show(name, files)?,
        RulesCommand::Check { files } => return check(files),
        RulesCommand::Tree { operation } => tree(operation.as_deref())?,
        RulesCommand::Stats { inputs, format, leave_one_out: false, rules } => stats(inputs, *format, rules)?,
        RulesCommand::Stats { inputs, format, leave_one_out: true, rules } => {
            worth::table(inputs, *format, rule_files::rules(rules)?)?
        }
        RulesCommand::Pairs { rules, all, slice } => return pairs::run(rules, *all, *slice),
        RulesCommand::Generalize { files, solver } => return generalize::run(files, solver),
        RulesCommand::Lsp { solver } => return lsp::run(solver),
        RulesCommand::Missed { inputs, how, rules } => missed(inputs, how, rules)?,
        RulesCommand::Why { name, input, rules } => why(name, input, rules)?,
    };
    io::write(None, text.as_bytes())
}

/// The rule with a name: of files, or of the book.
fn watched(name: &str, files: &[PathBuf]) -> Result<Watched, Failure> {
    if files.is_empty() {
        return Ok(Watched { set: None, rule: named(name)? });
    }
    // One without a proof may be asked about as well: it is watched and not used.
    let (set, _) = read_rules(files)?;
    match (set.named(name), book::set().named(name)) {
        (Some(rule), _) => Ok(Watched { set: Some(Arc::new(set)), rule }),
        (None, Some(rule)) => Ok(Watched { set: None, rule }),
        (None, None) => Err(unknown(name, "the files or the book", &[&set, book::set()])),
    }
}

/// The text, place, order, cost and proof of a rule.
fn show(name: &str, files: &[PathBuf]) -> Result<String, Failure> {
    let watched = watched(name, files)?;
    let text = show::rule(watched.set(), watched.rule);
    if watched.set().rules[watched.rule].sorry.is_some() {
        return Ok(text);
    }
    let standing = match &watched.set {
        None => rule::standing(&ledgers::shipped()?, name),
        Some(set) => ledgers::standing(set, watched.rule, files)?,
    };
    Ok(format!("{text}{standing}\n"))
}

/// Where the shape of a rule's pattern stands in a program, and what the rule missed there.
fn why(name: &str, input: &Input, files: &RuleFiles) -> Result<String, Failure> {
    let watched = watched(name, &files.files)?;
    let rules = rule_files::rules_if_any(files)?;
    let settings = Settings { log: true, watched: Some(watched.clone()), rules, ..Settings::default() };
    let outcome = opening::open(input)?.optimize(&settings).map_err(Failure::Rejected)?;
    let (set, rule) = (watched.set(), watched.rule);
    let text = explain::trials(&outcome.record, &outcome.names, set, rule);
    if text.is_empty() {
        let summary = show::summary(&set.rules[rule]);
        return Ok(format!("the pattern stands nowhere: {summary}\n"));
    }
    Ok(text)
}

/// Judges files as any file, or the book as the book.
fn check(files: &[PathBuf]) -> Result<(), Failure> {
    let (shown, wrong) = if files.is_empty() {
        let findings = planish_prove::shadow::judge(book::set(), Strictness::Book);
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

/// The pairs of operations that remain, with what an author asks about them.
fn missed(inputs: &[PathBuf], how: &HowMissed, rules: &RuleFiles) -> Result<String, Failure> {
    let rules = rule_files::rules(rules)?;
    let mut remaining = Remaining::default();
    for path in inputs {
        let program = Program::read(path, None, &how.library)?;
        let name = (inputs.len() > 1).then(|| program.name().to_owned());
        let mut seen = None;
        program.optimize(|executed| {
            let remains = Arc::new(Remains::new(name, program.is_classes(), executed));
            seen = Some(Arc::clone(&remains));
            let add = move |name: &str, f: &Function, fact_of: FactOf<'_>| remains.add(name, f, fact_of);
            Settings { rules: rules.clone(), witness: Some(Witness::new(add)), ..Settings::default() }
        })?;
        seen.expect("settings are asked for once").add_to(&mut remaining);
    }
    Ok(match how.format {
        Format::Json => remaining.json(how.most) + "\n",
        Format::Text => remaining.table(how.most, how.full),
    })
}

/// How often each rule of the book, and of files, fires on programs, rules that never do included.
fn stats(inputs: &[PathBuf], format: Format, files: &RuleFiles) -> Result<String, Failure> {
    let settings = Settings { rules: rule_files::rules(files)?, ..Settings::default() };
    let rules = all_rules(settings.rules.as_deref());
    let mut fired = vec![0u64; rules.len()];
    for path in inputs {
        let mut session = opening::open_path(path, None, &Reading::default())?;
        let outcome = session.optimize(&settings).map_err(Failure::Rejected)?;
        for (sum, count) in fired.iter_mut().zip(outcome.record.rules()) {
            *sum += count;
        }
    }
    let counts = Counts::from_slice(&fired);
    Ok(match format {
        Format::Json => counts.json(&rules) + "\n",
        Format::Text => counts.text(&rules),
    })
}
