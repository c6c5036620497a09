//! `planish opt` on jars, directories of classes and class files.

mod check_run;
mod configuration;
mod program;
mod summary;

use std::collections::BTreeSet;
use std::path::Path;
use std::time::Instant;

use planish_base::Budget;
use planish_driver::assumptions;
use planish_driver::class_report::ClassRun;
use planish_driver::classes::{ClassOutcome, INFLATED_LIMIT, Source, SourceForm, check_classes};
use planish_driver::statistics::{self, Statistics};
use planish_driver::{Settings, explain, narrate};
use planish_rules::RuleSet;

use crate::args::{Opt, Statistics as Detail};
use crate::failure::Failure;
use crate::io;
use check_run::Check;
use configuration::written;
use program::{Optimized, Program};
use summary::{in_short, next, noted};

/// Whether a path names classes: a jar, a class file or a directory.
pub fn names_classes(path: &Path) -> bool {
    let ending = path.extension().and_then(|ending| ending.to_str());
    matches!(ending, Some("jar" | "class")) || path.is_dir()
}

fn rejected(error: impl ToString) -> Failure {
    Failure::Rejected(error.to_string())
}

/// Succeeds silently when every class file of a program is well-formed.
pub fn check(path: &Path, inflated_limit: Option<u64>) -> Result<(), Failure> {
    well_formed(&read(path, inflated_limit)?)
}

fn well_formed(source: &Source) -> Result<(), Failure> {
    let at = |message: String| match source.form {
        SourceForm::Class => message,
        _ => format!("{}: {message}", source.path.display()),
    };
    let mut budget = Budget::new("inflated bytes", INFLATED_LIMIT);
    let wrong = check_classes(&source.archive, &mut budget).map_err(|error| Failure::Rejected(at(error)))?;
    match wrong.is_empty() {
        true => Ok(()),
        false => Err(Failure::Rejected(wrong.into_iter().map(at).collect::<Vec<_>>().join("\n"))),
    }
}

/// Reads classes. A jar that inflates to more than it may is refused, resources included, which are only copied: whoever
/// unpacks the result would have the harm.
pub fn read(path: &Path, inflated_limit: Option<u64>) -> Result<Source, Failure> {
    let source = Source::read(path).map_err(rejected)?;
    let size = source.archive.inflated_size();
    let is_too_large = match inflated_limit {
        Some(limit) => size > limit,
        None => source.archive.is_bomb(),
    };
    match is_too_large {
        false => Ok(source),
        true => Err(Failure::Rejected(format!(
            "{}: it inflates to {size} bytes, which is taken for a bomb; --inflated-limit says what is not",
            path.display()
        ))),
    }
}

/// Optimizes a program of classes.
pub fn run(args: &Opt, settings: &Settings, rules: Option<&RuleSet>) -> Result<(), Failure> {
    let options = &args.classes;
    let check = Check::asked(options)?;
    let mut program = Program::read(args)?;
    let began = Instant::now();
    let Optimized { archive, mut shrunk, mut optimized } = program.optimize(&program.roots, settings)?;
    let files = program.files(&archive)?;
    // Nothing is written of a result that does something else.
    let held = match &check {
        Some(check) => check.hold(&program, &files, settings)?,
        None => String::new(),
    };
    let roots = &program.roots;
    let mut warnings = std::mem::take(&mut program.warnings);
    let removed = options.removed.clone().or_else(|| written(roots, "printusage"));
    let (mut summary, mut notes, mut details) = (String::new(), String::new(), String::new());
    let mapping = shrunk.as_ref().and_then(|outcome| outcome.mapping.as_ref());
    if let (Some(path), Some(text)) = (written(roots, "printmapping"), mapping) {
        io::write(Some(&path), text.as_bytes())?;
    }
    if let (Some(path), Some(outcome)) = (written(roots, "printseeds"), &shrunk) {
        io::write(Some(&path), outcome.seeds.as_bytes())?;
    }
    match &mut shrunk {
        Some(outcome) => {
            warnings.append(&mut outcome.warnings);
            for line in &outcome.explanations {
                io::say(format_args!("{line}\n"));
            }
            if let Some(path) = &removed {
                io::write(Some(path), outcome.removed.to_string().as_bytes())?;
            }
            notes =
                outcome.missed.brief(options.notes.as_ref().map(|path| io::display_name(path)).as_deref());
            if let Some(path) = &options.notes {
                io::write(Some(path), noted(outcome, roots, &archive).as_bytes())?;
            }
            summary = outcome.summary();
            details = outcome.details();
        }
        None => {
            // Nothing goes, so there is one answer to all questions.
            for class in &options.why_kept {
                io::say(format_args!("{class} is kept\n  since nothing is removed in this mode\n"));
            }
            for path in removed.iter().chain(&options.notes) {
                io::write(Some(path), b"")?;
            }
        }
    }
    if let Some(outcome) = &mut optimized {
        warnings.append(&mut outcome.warnings);
        tell(args, outcome, rules)?;
        if shrunk.is_none() {
            summary = outcome.sizes();
        }
        summary += &outcome.broken();
        details += &outcome.details();
        details += &statistics::brief(&outcome.record, rules);
        details += &assumptions::summary(shrunk.as_ref(), outcome);
    }
    if !matches!(args.stats, Some(Detail::Text | Detail::Full)) {
        details.clear();
    }
    if let Some(path) = &args.report {
        let run = ClassRun {
            before: &program.archive,
            after: &archive,
            shrunk: shrunk.as_ref(),
            optimized: optimized.as_ref(),
        };
        io::write(Some(path), super::report::class_page(args, &run, rules)?.as_bytes())?;
    }
    // Several stages come to a class that is broken.
    let mut said = BTreeSet::new();
    for warning in warnings.iter().filter(|warning| said.insert(*warning)) {
        io::say(format_args!("warning: {warning}\n"));
    }
    let about = in_short(began.elapsed(), said.len(), shrunk.as_ref(), optimized.as_ref());
    let next = next(options, shrunk.as_ref(), args.stats.is_some());
    let unseen = &program.unseen;
    io::say(format_args!("{notes}{summary}{details}{unseen}{held}{about}{next}"));
    if let Some(directory) = &program.directory {
        std::fs::create_dir_all(directory)
            .map_err(|error| Failure::Rejected(format!("{}: {error}", directory.display())))?;
    }
    program.targets.iter().zip(&files).try_for_each(|(target, bytes)| io::write(Some(target), bytes))
}

/// Says what was asked about the methods: explanations, remarks, statistics.
fn tell(args: &Opt, outcome: &ClassOutcome, rules: Option<&RuleSet>) -> Result<(), Failure> {
    let info = |number: u32| explain::rule_info(rules, number);
    if let Some(asked) = &args.explain {
        if !asked.is_empty() && outcome.stories.is_empty() {
            io::say(format_args!("nothing was done to a method called {asked}\n"));
        }
        for told in &outcome.stories {
            io::say(format_args!("{}", narrate::text(told, &info)));
        }
    }
    if let Some(path) = &args.remarks {
        let remarks = outcome.stories.iter().flat_map(|told| told.remarks.iter().cloned());
        io::write(Some(path), explain::json_lines(remarks, &info).as_bytes())?;
    }
    for (budget, refusals) in outcome.record.budgets() {
        io::say(format_args!(
            "warning: the budget `{budget}` was hit {refusals} times; what it refused was not done\n"
        ));
    }
    if let Some(how) = args.stats {
        io::say(format_args!("{}", Statistics::default().show(how.into(), &outcome.record, rules)));
    }
    if args.between.time_passes {
        io::say(format_args!("{}", outcome.times.table()));
    }
    Ok(())
}
