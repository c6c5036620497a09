//! Ledgers of proofs as files: the one that planish was built with, that of `--lock`, and one beside each other file
//! of rules.
//!
//! A file that does not begin as a ledger does is never overwritten. Who renews a ledger holds a lock on the file while
//! it is read and written, and adds what was learned to what stands there then, so that two runs at once lose nothing.

use std::fs::{File, OpenOptions};
use std::io::{Read, Seek, Write};
use std::path::{Path, PathBuf};

use planish_base::{Diagnostics, SourceText};
use planish_book as book;
use planish_prove::ledger::Record;
use planish_prove::{Engine, Ledger, Options, rule};
use planish_rules::RuleSet;
use planish_rules::rule::{Rule, RuleId};

use crate::failure::Failure;
use crate::io;

/// The ledger that planish was built with.
pub fn shipped() -> Result<Ledger, Failure> {
    parse(&SourceText::new("rules.lock", book::LEDGER))
}

fn parse(source: &SourceText) -> Result<Ledger, Failure> {
    let mut diagnostics = Diagnostics::new();
    let ledger = Ledger::parse(source, &mut diagnostics);
    if diagnostics.has_errors() { Err(Failure::Rejected(diagnostics.render(source))) } else { Ok(ledger) }
}

/// The ledger beside a file of rules: `my.rules.lock` for `my.rules`.
pub fn beside(rules: &Path) -> PathBuf {
    let mut name = rules.as_os_str().to_os_string();
    name.push(".lock");
    PathBuf::from(name)
}

/// Whether a file is one of the book as planish was built with it: its proofs are in the ledger that came along.
fn is_of_book(rules: &Path) -> bool {
    let name = rules.file_name().and_then(|name| name.to_str());
    let is_called = |file: &str| Path::new(file).file_name().and_then(|name| name.to_str()) == name;
    let book = book::FILES.iter().find(|(file, _)| is_called(file));
    book.is_some_and(|(_, text)| std::fs::read(rules).is_ok_and(|bytes| bytes == text.as_bytes()))
}

/// What is proved of the rules of a file: nothing, where there is no ledger.
pub fn of_file(rules: &Path) -> Result<Ledger, Failure> {
    if is_of_book(rules) { shipped() } else { read(&beside(rules)) }
}

/// The ledger at a path; an empty one where there is no file.
pub fn read(path: &Path) -> Result<Ledger, Failure> {
    if !path.exists() {
        return Ok(Ledger::default());
    }
    let text = SourceText::from_bytes(io::display_name(path), io::read(path)?);
    // What is lost with it are proofs, which are made again.
    let hint = format!("if {} is removed, `planish prove` writes it anew", io::display_name(path));
    let parsed =
        text.map_err(|error| Failure::Rejected(error.1.render(&error.0))).and_then(|text| parse(&text));
    parsed.map_err(|failure| match failure {
        Failure::Rejected(why) => Failure::Rejected(format!("{why}\n{hint}")),
        other => other,
    })
}

/// Notes in the ledger beside a file what is proved of its rules now, and keeps what it says of the theorems of `others`, which were
/// not asked about and are in order, and of nothing else; a file of the book needs none.
pub fn note(rules: &Path, records: Vec<Record>, others: &[String]) -> Result<(), Failure> {
    let is_nothing = records.is_empty() && !beside(rules).exists();
    if is_nothing || rules == Path::new("-") || is_of_book(rules) {
        return Ok(());
    }
    renew(&beside(rules), |ledger| {
        ledger.retain(others);
        ledger.update(records);
    })
}

/// Changes the ledger at a path, which is made if there is none.
pub fn renew(path: &Path, change: impl FnOnce(&mut Ledger)) -> Result<(), Failure> {
    let failed = |error: std::io::Error| Failure::Rejected(format!("{}: {error}", path.display()));
    let mut file = locked(path).map_err(failed)?;
    let mut bytes = Vec::new();
    file.read_to_end(&mut bytes).map_err(failed)?;
    let mut ledger = if bytes.is_empty() {
        Ledger::default()
    } else {
        let text = SourceText::from_bytes(io::display_name(path), bytes);
        parse(&text.map_err(|error| Failure::Rejected(error.1.render(&error.0)))?)?
    };
    change(&mut ledger);
    // In place, since a lock belongs to the file and not to its name.
    let text = ledger.to_string();
    file.rewind().and_then(|()| file.write_all(text.as_bytes())).map_err(failed)?;
    file.set_len(text.len() as u64).map_err(failed)
}

fn locked(path: &Path) -> std::io::Result<File> {
    let file = OpenOptions::new().read(true).write(true).create(true).truncate(false).open(path)?;
    file.lock()?;
    Ok(file)
}

/// How a rule of files is proved, or why the ledger beside its file does not vouch for it.
pub fn standing(set: &RuleSet, rule: RuleId, files: &[PathBuf]) -> Result<String, Failure> {
    let rule = &set.rules[rule];
    if let Some((_, objection)) = unproved(set, files)?.into_iter().find(|(name, _)| *name == rule.name) {
        return Ok(format!("not proved: {objection}"));
    }
    let file = files.iter().find(|path| io::display_name(path) == rule.file).expect("rules come from files");
    Ok(rule::standing(&of_file(file)?, &rule.name))
}

/// The rules of files that the ledgers beside them do not vouch for, each with the reason.
pub fn unproved(set: &RuleSet, files: &[PathBuf]) -> Result<Vec<(String, String)>, Failure> {
    let options = Options::new(Engine::builtin());
    let rules: Vec<&Rule> = set.rules.values().collect();
    let lemmas = shipped()?;
    let mut of_files = Vec::new();
    for path in files {
        of_files.push((io::display_name(path), of_file(path)?));
    }
    let objections =
        rule::expected(&rules, &options).into_iter().zip(&rules).filter_map(|(expected, rule)| {
            let ledger = of_files.iter().find(|(name, _)| *name == rule.file).map(|(_, ledger)| ledger)?;
            let objection = ledger.objection(&expected, &lemmas)?;
            Some((rule.name.clone(), format!("{}:{}: {objection}", rule.file, rule.line)))
        });
    Ok(objections.collect())
}
