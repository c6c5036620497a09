//! Rule files that arguments name: rules that can be read, and those of them that may be used.

use std::path::PathBuf;
use std::sync::Arc;

use planish_base::{Severity, SourceText};
use planish_prove::shadow;
use planish_rules::RuleSet;
use planish_rules::set::{Finding, Strictness};

use crate::commands::ledgers::unproved;
use crate::failure::Failure;
use crate::{args, io};

/// Reads rule files and judges the rules together. Rules with errors are left out; what is wrong is among the findings.
pub fn read_rules(paths: &[PathBuf]) -> Result<(RuleSet, Vec<Finding>), Failure> {
    let (set, mut findings) = read_files(paths)?;
    findings.extend(shadow::judge(&set, Strictness::File));
    Ok((set, findings))
}

/// Reads rule files; the findings are about single rules.
fn read_files(paths: &[PathBuf]) -> Result<(RuleSet, Vec<Finding>), Failure> {
    let mut files = Vec::new();
    for path in paths {
        let source = SourceText::from_bytes(io::display_name(path), io::read(path)?);
        files.push(source.map_err(|error| Failure::Rejected(error.1.render(&error.0)))?);
    }
    Ok(RuleSet::read(files))
}

/// Whether a finding is an error.
pub fn any_error(findings: &[Finding]) -> bool {
    findings.iter().any(|(_, diagnostic)| diagnostic.severity == Severity::Error)
}

/// The rules of files that can be read. Those that cannot do not stand in the way of the others: they are named on standard
/// error, with the warnings. If none is left, or what is left goes round in circles, there is nothing to optimize with.
fn without_errors(files: &[PathBuf]) -> Result<RuleSet, Failure> {
    let (set, mut findings) = read_files(files)?;
    let is_any_wrong = any_error(&findings);
    let together = shadow::judge(&set, Strictness::File);
    let is_refused = any_error(&together) || (is_any_wrong && set.rules.is_empty());
    findings.extend(together);
    let shown = set.render(&findings);
    if is_refused {
        return Err(Failure::Rejected(shown));
    }
    if !shown.is_empty() {
        io::say(format_args!("{shown}\n"));
    }
    if is_any_wrong {
        io::say(format_args!("warning: the rules with errors are left out, the others are used\n"));
    }
    Ok(set)
}

/// The same as [`rules`]; that none is proved is no error where rules are only asked about.
pub fn rules_if_any(args: &args::RuleFiles) -> Result<Option<Arc<RuleSet>>, Failure> {
    match rules(args) {
        Err(Failure::Rejected(why)) => {
            io::say(format_args!("warning: {why}\n"));
            Ok(None)
        }
        found => found,
    }
}

/// Rules to optimize with: warnings go to standard error, no files are no set. Rules without a proof are named; they
/// are left out unless they are asked for, and if no rule is left there is nothing to optimize with.
pub fn rules(args: &args::RuleFiles) -> Result<Option<Arc<RuleSet>>, Failure> {
    if args.files.is_empty() {
        return Ok(None);
    }
    let set = without_errors(&args.files)?;
    let unproved = unproved(&set, &args.files)?;
    if unproved.is_empty() {
        return Ok(Some(Arc::new(set)));
    }
    let named = |what: &str| {
        let lines: String = unproved.iter().map(|(_, why)| format!("\n  {why}")).collect();
        format!("{what}:{lines}")
    };
    if args.unproved {
        io::say(format_args!("warning: {}\n", named("these rules are used without a proof")));
        return Ok(Some(Arc::new(set)));
    }
    let hint = "`planish prove` proves them and notes it in the ledger beside their file; --unproved uses them without";
    if unproved.len() == set.rules.len() {
        return Err(Failure::Rejected(format!("{}\n{hint}", named("no rule is proved"))));
    }
    io::say(format_args!("warning: {}\n{hint}\n", named("these rules are not proved and left out")));
    Ok(Some(Arc::new(set.keeping(|rule| unproved.iter().all(|(name, _)| *name != rule.name)))))
}
