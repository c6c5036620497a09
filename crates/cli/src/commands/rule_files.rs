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
/// A rule that cannot be read and one without a proof are named and do not stand in the way of the others: they are left
/// out before the rules are judged together, since a rule that is not used shadows none and is part of no cycle. Rules
/// without a proof stay if they are asked for. If no rule is left, or what is left goes round in circles, there is nothing
/// to optimize with.
pub fn rules(args: &args::RuleFiles) -> Result<Option<Arc<RuleSet>>, Failure> {
    if args.files.is_empty() {
        return Ok(None);
    }
    let (set, findings) = read_files(&args.files)?;
    let unproved = unproved(&set, &args.files)?;
    let is_used = |rule: &Rule| args.unproved || unproved.iter().all(|(name, _)| *name != rule.name);
    let mut used = set.keeping(is_used);
    if args.unproved {
        used.unproved = unproved.iter().map(|(name, _)| name.clone()).collect();
    }
    let objections = judged(&used, findings);
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

/// What is wrong with single rules and with those that are used together; an error if they cannot be used.
fn judged(used: &RuleSet, of_single: Vec<Finding>) -> Result<String, String> {
    let is_any_left_out = any_error(&of_single);
    let together = shadow::judge(used, Strictness::File);
    let is_refused = any_error(&together) || (is_any_left_out && used.rules.is_empty());
    let mut shown = used.render(&[of_single, together].concat());
    if is_refused {
        return Err(shown);
    }
    if !shown.is_empty() {
        shown.push('\n');
    }
    if is_any_left_out {
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
