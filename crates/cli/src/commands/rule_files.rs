//! Rule files that arguments name: rules that can be read, and those of them that may be used.

use std::path::PathBuf;
use std::sync::Arc;

use planish_base::{Severity, SourceText};
use planish_prove::shadow;
use planish_rules::RuleSet;
use planish_rules::rule::Rule;
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

/// Rules to optimize with: warnings go to standard error, no files are no set.
///
/// A rule that cannot be read, one without a proof and one that the others cannot stand beside are named and do not stand in
/// the way of the others. Those without a proof are left out before the rules are judged together, since a rule that is not
/// used shadows none and is part of no cycle; they stay if they are asked for. If no rule is left, there is nothing to
/// optimize with.
pub fn rules(args: &args::RuleFiles) -> Result<Option<Arc<RuleSet>>, Failure> {
    if args.files.is_empty() {
        return Ok(None);
    }
    let (set, mut findings) = read_files(&args.files)?;
    let unproved = unproved(&set, &args.files)?;
    let is_used = |rule: &Rule| args.unproved || unproved.iter().all(|(name, _)| *name != rule.name);
    let (mut used, together) = set.keeping(is_used).usable(|set| shadow::judge(set, Strictness::File));
    if args.unproved {
        let names = unproved.iter().map(|(name, _)| name);
        used.unproved = names.filter(|name| used.named(name).is_some()).cloned().collect();
    }
    findings.extend(together);
    let objections = said_of_errors(&used, &findings);
    let of_proofs = said_of_proofs(&unproved, args.unproved, used.rules.is_empty());
    match (objections, of_proofs) {
        (Ok(shown), Ok(said)) => {
            io::say(format_args!("{shown}{said}"));
            Ok(Some(Arc::new(used)))
        }
        (Ok(other), Err(why)) | (Err(why), Ok(other)) => Err(Failure::Rejected(format!("{other}{why}"))),
        (Err(objections), Err(why)) => Err(Failure::Rejected(format!("{objections}\n{why}"))),
    }
}

/// What is wrong with rules by themselves and beside others; an error if none is left that can be used.
fn said_of_errors(used: &RuleSet, findings: &[Finding]) -> Result<String, String> {
    let mut shown = used.render(findings);
    if any_error(findings) && used.rules.is_empty() {
        return Err(shown);
    }
    if !shown.is_empty() {
        shown.push('\n');
    }
    if any_error(findings) {
        shown.push_str("warning: the rules with errors are left out, the others are used\n");
    }
    Ok(shown)
}

/// What there is to say of rules without a proof, which are used or not; an error if no rule is left.
fn said_of_proofs(unproved: &[(String, String)], are_used: bool, is_empty: bool) -> Result<String, String> {
    if unproved.is_empty() {
        return Ok(String::new());
    }
    let lines: String = unproved.iter().map(|(_, why)| format!("\n  {why}")).collect();
    let hint = "`planish prove` proves them and notes it in the ledger beside their file; --unproved uses them without";
    match (are_used, is_empty) {
        (true, _) => Ok(format!("warning: these rules are used without a proof:{lines}\n")),
        (false, true) => Err(format!("no rule is proved:{lines}\n{hint}")),
        (false, false) => Ok(format!("warning: these rules are not proved and left out:{lines}\n{hint}\n")),
    }
}
