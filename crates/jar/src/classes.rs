//! Jars, directories of classes and single class files.
//!
//! Every method body is optimized for itself, and replaced only if the new one is better and verifies;
//! nothing else in a class changes, and no class, method or field goes. So the result works wherever the
//! input did, with reflection too. Classes are shared out to threads, each with an engine of its own;
//! what becomes of a class does not depend on the others, so the result does not depend on threads.
//!
//! Rules that pay on a machine and not in bytecode are left out: a division by a constant is one
//! instruction here, and a JVM's own compiler knows the multiplication.
//!
//! Classes for some Java releases only (`META-INF/versions`) are copied: their super classes may differ
//! from those of the same name that the hierarchy has.

use planish_base::{Budget, caught, share_out_by_size};
use planish_classfile::ClassFile;
use planish_classfile::jar::Role;
use planish_classfile::strip::strip_debug;
use planish_jvm::bodies::Report;
use planish_jvm_ir::lower::expression::is_native;
use planish_rules::rule::{Rule, Target};

pub use planish_classfile::jimage::{Image, find_image};
pub use planish_classfile::source::{Form as SourceForm, Source};
pub use planish_classfile::zip::{Archive, Entry, INFLATED_LIMIT, Method};
pub use planish_jvm::bodies::known::Known;
pub use planish_jvm_model::hierarchy::{Hierarchy, Origin};

use crate::cache::{ClassCache, Round};
use crate::entry::{LEVEL, unread};
use crate::narrate::Narrator;
use crate::outcome::ClassOutcome;
use planish_driver::rule_filter::operations;
use planish_driver::settings::Settings;

/// Adds the classes of an archive to a hierarchy.
pub fn add_classes(
    hierarchy: &mut Hierarchy,
    archive: &Archive,
    origin: Origin,
    budget: &mut Budget,
    warnings: &mut Vec<String>,
) -> Result<(), String> {
    // Of entries with one name a JVM finds the last.
    for entry in archive.entries.iter().rev() {
        if let Role::Class { release: None, .. } = Role::of(&entry.name) {
            let bytes = entry.content(budget).map_err(|error| error.to_string())?;
            if let Err(error) = hierarchy.add(&bytes, origin) {
                warnings.push(unread(&entry.name, &error));
            }
        }
    }
    Ok(())
}

/// What is wrong with the class files of an archive, one message each: where, in which file. The error is
/// that of the archive itself.
pub fn check_classes(archive: &Archive, budget: &mut Budget) -> Result<Vec<String>, String> {
    let mut wrong = Vec::new();
    for entry in &archive.entries {
        if let Role::Class { .. } = Role::of(&entry.name) {
            let bytes = entry.content(budget).map_err(|error| error.to_string())?;
            let name = String::from_utf8_lossy(&entry.name);
            match caught::guard(|| ClassFile::read(&bytes).and_then(|class| class.check())) {
                Ok(Ok(_)) => {}
                Ok(Err(error)) => wrong.push(format!("{name}: {error}")),
                Err(panicked) => wrong.push(panicked.report(&name)),
            }
        }
    }
    Ok(wrong)
}

/// Removes the debug information of every class. A class that cannot be read keeps it.
pub fn strip(archive: &mut Archive, warnings: &mut Vec<String>) -> Result<(), String> {
    let mut budget = Budget::new("inflated bytes", INFLATED_LIMIT);
    let mut changed = false;
    for entry in &mut archive.entries {
        if !matches!(Role::of(&entry.name), Role::Class { .. }) {
            continue;
        }
        let content = entry.content(&mut budget).map_err(|error| error.to_string())?.into_owned();
        match strip_debug(&content) {
            Ok(Some(bytes)) => {
                entry.set_content(&bytes, entry.method().unwrap_or(Method::Deflated), LEVEL);
                changed = true;
            }
            Ok(None) => {}
            Err(error) => {
                warnings.push(format!("{}: {error}; not stripped", String::from_utf8_lossy(&entry.name)));
            }
        }
    }
    if changed && archive.is_signed() {
        let removed = archive.remove_signatures(&mut budget, LEVEL).map_err(|error| error.to_string())?;
        warnings.push(format!("classes changed, so {} signature files were removed", removed.len()));
    }
    Ok(())
}

/// The rules of the book that make bytecode longer: those with a tag, and those that make an operation
/// which the instruction set lacks and the pattern does not have.
fn left_out() -> Vec<bool> {
    let lacks = |rule: &Rule| {
        let mut had = Vec::new();
        operations(rule, rule.pattern, &mut had);
        let mut made = Vec::new();
        match rule.target {
            Target::Value(term) => operations(rule, term, &mut made),
            Target::Pair(first, second) => {
                operations(rule, first, &mut made);
                operations(rule, second, &mut made);
            }
            Target::Pass | Target::Fail => {}
        }
        !rule.marks.tags.is_empty() || made.iter().any(|op| !is_native(*op) && !had.contains(op))
    };
    planish_book::set().rules.values().map(lacks).collect()
}

/// Optimizes the method bodies of every class in an archive.
pub fn optimize_bodies(
    archive: &mut Archive,
    hierarchy: &Hierarchy,
    known: &Known,
    settings: &Settings,
    (threads, cache): (usize, Option<&ClassCache>),
) -> Result<ClassOutcome, String> {
    let mut outcome = ClassOutcome::default();
    let mut budget = Budget::new("inflated bytes", INFLATED_LIMIT);
    let mut inputs = Vec::new();
    for (index, entry) in archive.entries.iter().enumerate() {
        if let Role::Class { release: None, .. } = Role::of(&entry.name) {
            inputs.push((index, entry.content(&mut budget).map_err(|error| error.to_string())?.into_owned()));
        }
    }
    // Fuel is counted in program order, as bodies are shown, and a wrong pipeline should fail before threads start.
    let threads = if settings.fuel.is_some() || settings.instrument.shows() { 1 } else { threads };
    let left_out = left_out();
    Narrator::new(settings, &left_out)?;

    let begin = || {
        let narrator = Narrator::new(settings, &left_out).ok()?;
        Some((narrator, Report { stories: settings.log.then(Vec::new), ..Report::default() }))
    };
    let entries = &archive.entries;
    let round = Round::new(cache, hierarchy, known, settings);
    let rewrite = |state: &mut Option<(Narrator<'_>, Report)>, (index, bytes): &(usize, Vec<u8>)| {
        let (narrator, report) = state.as_mut()?;
        let name = &entries[*index].name;
        let rewritten = match caught::guard(|| round.rewrite(bytes, narrator, report)) {
            Ok(rewritten) => rewritten.map_err(|error| unread(name, &error)),
            Err(panicked) => {
                narrator.renew(&left_out);
                report.stories.iter_mut().for_each(Vec::clear);
                return Some((Err(panicked.report(&String::from_utf8_lossy(name))), Vec::new()));
            }
        };
        let stories = report.stories.as_mut().map(std::mem::take).unwrap_or_default();
        Some((rewritten, narrator.tell(stories.into_iter())))
    };
    let end = |state: Option<(Narrator<'_>, Report)>| {
        state.map(|(narrator, report)| {
            (report, narrator.record().clone(), narrator.last().cloned(), narrator.times().clone())
        })
    };
    let size = |(_, bytes): &(usize, Vec<u8>)| bytes.len();
    let (results, reports) = share_out_by_size(threads, &inputs, size, begin, rewrite, end);
    for (report, record, last, times) in reports.into_iter().flatten() {
        outcome.times.merge(&times);
        outcome.methods.add(report);
        outcome.rewrites += record.total();
        outcome.record.add(&record);
        // With fuel there is one thread, so the last rewrite of one is the last of all.
        outcome.last = last;
    }
    for ((index, before), result) in inputs.into_iter().zip(results) {
        let entry = &mut archive.entries[index];
        outcome.classes += 1;
        outcome.bytes.0 += before.len() as u64;
        let mut after = before.len();
        let Some((result, stories)) = result else { return Err("a class was not looked at".into()) };
        outcome.stories.extend(stories);
        match result {
            Ok(Some(bytes)) => {
                after = bytes.len();
                outcome.changed += 1;
                entry.set_content(&bytes, entry.method().unwrap_or(Method::Deflated), LEVEL);
            }
            Ok(None) => {}
            Err(warning) => outcome.warnings.push(warning),
        }
        outcome.bytes.1 += after as u64;
    }
    if outcome.changed > 0 && archive.is_signed() {
        let removed = archive.remove_signatures(&mut budget, LEVEL).map_err(|error| error.to_string())?;
        outcome.warnings.push(format!("classes changed, so {} signature files were removed", removed.len()));
    }
    Ok(outcome)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::outcome::REASONS;

    #[test]
    fn of_many_reasons_the_summary_lists_those_of_most_methods() {
        let reason = |number: u64| (format!("reason {number:02}"), (number, format!("a.B.m{number}()V")));
        let methods = Report { refused: (1..=13).map(reason).collect(), ..Report::default() };
        let summary = ClassOutcome { methods, ..ClassOutcome::default() }.details();
        let copied: Vec<&str> = summary.lines().filter(|line| line.contains("copied")).collect();
        assert_eq!(copied.len(), REASONS + 1);
        assert_eq!(copied[0], "13 methods copied: reason 13 (a.B.m13()V)");
        assert_eq!(copied[9], "4 methods copied: reason 04 (a.B.m4()V)");
        assert_eq!(copied[10], "6 methods copied for 3 other reasons, which --explain=METHOD says");
    }
}
