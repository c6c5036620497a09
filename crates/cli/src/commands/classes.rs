//! `planish opt` on jars, directories of classes and class files.

mod caching;
mod check_run;
mod configuration;
pub mod files;
mod program;
mod side_by_side;
mod summary;

use std::collections::BTreeSet;
use std::io::IsTerminal;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use planish_driver::statistics::{self, Statistics};
use planish_driver::{Settings, explain};
use planish_jar::cache::ClassCache;
use planish_jar::class_report::ClassRun;
use planish_jar::outcome::ClassOutcome;
use planish_jar::programs::roots::Roots;
use planish_jar::{assumptions, narrate};
use planish_rules::RuleSet;

use self::files::read;
use crate::args::{Bisect, ClassOptions, Opt, Statistics as Detail};
use crate::commands::classes::files::{Files, inputs, is_directory, libraries, well_formed};
use crate::commands::file_names;
use crate::failure::Failure;
use crate::io;
use caching::Caching;
use check_run::Check;
use configuration::{configured, written};
pub use program::Program;
use program::{Done, Reading};
pub use side_by_side::validate;
use summary::{in_short, next, noted};

/// Succeeds silently when every class file of a program is well-formed.
pub fn check(path: &Path, inflated_limit: Option<u64>) -> Result<(), Failure> {
    well_formed(&read(path, inflated_limit)?)
}

/// Reads the program whose rewrites are bisected.
pub fn of_bisect(args: &Bisect) -> Result<Program, Failure> {
    let mut roots = configured(&args.classes)?;
    roots.compares_names = true;
    let reading = Reading {
        inputs: &inputs(std::iter::once(&args.input.path).chain(&args.more), &roots)?,
        libraries: &libraries(&args.classes, &roots),
        inflated_limit: args.input.reading.inflated_limit,
        splits: false,
    };
    Program::read(reading, &args.classes, roots)
}

/// Reads a program of a corpus, of which its public interface or what its manifest names is kept.
pub fn of_corpus(path: &Path, libraries: &[PathBuf]) -> Result<Program, Failure> {
    let options = ClassOptions::default();
    let inputs = [(path.to_owned(), None)];
    let reading = Reading { inputs: &inputs, libraries, inflated_limit: None, splits: false };
    Program::read(reading, &options, configured(&options)?)
}

/// Optimizes a program of classes.
pub fn run(args: &Opt, settings: &Settings, rules: Option<&RuleSet>) -> Result<(), Failure> {
    let options = &args.classes;
    let check = Check::asked(&args.check)?;
    let mut roots = configured(options)?;
    let files = Files::of(args, &roots)?;
    roots.why.clone_from(&args.lists.why_kept);
    roots.why_all = args.report.is_some();
    roots.compares_names = args.report.is_some() || settings.validate > 0;
    let Some(caching) = Caching::of(args, settings, &roots, &files) else {
        return optimize(args, (settings, rules), (roots, &files, check), None);
    };
    if caching.replay(&files)? {
        return Ok(());
    }
    let classes = Arc::new(caching.classes());
    let with = Some(Arc::clone(&classes));
    let (result, events) = io::recorded(|| optimize(args, (settings, rules), (roots, &files, check), with));
    result?;
    caching.keep(&events, &classes, &files);
    Ok(())
}

/// The same with what is kept of classes, if anything is.
fn optimize(
    args: &Opt,
    (settings, rules): (&Settings, Option<&RuleSet>),
    (roots, files, check): (Roots, &Files, Option<Check<'_>>),
    cache: Option<Arc<ClassCache>>,
) -> Result<(), Failure> {
    let options = &args.classes;
    let reading = Reading {
        inputs: &files.inputs,
        libraries: &files.libraries,
        inflated_limit: args.input.reading.inflated_limit,
        splits: is_directory(&files.output),
    };
    let mut program = Program::read(reading, options, roots)?;
    program.cache = cache;
    if program.apart.is_none() {
        file_names::hold_classes(&files.output, program.is_class)?;
    }
    let began = Instant::now();
    let progress = |what: &str| {
        if began.elapsed() > SOON && std::io::stderr().is_terminal() {
            io::say_meanwhile(format_args!("{what}\n"));
        }
    };
    let mut done = program.optimize(settings, &progress)?;
    done.finish(&program)?;
    let bytes = program.bytes(&done, &files.targets)?;
    // Nothing is written of a result that does something else.
    let validated = program.validated(&done, settings)?;
    let held = match &check {
        Some(check) => check.hold(&program, files, &bytes, (settings, rules))?,
        None => String::new(),
    };
    let mut warnings = std::mem::take(&mut program.warnings);
    warnings.append(&mut done.warnings());
    write_lists(args, &program, files, &done)?;
    if let Some(outcome) = &done.optimized {
        tell(args, outcome, rules)?;
    }
    if args.report.is_some() {
        let (shrunk, optimized) = (done.shrunk.as_ref(), done.optimized.as_ref());
        let (after, written) = (done.with_old_names(), &done.archive);
        let run = ClassRun { before: &program.whole, after, written, shrunk, optimized };
        super::report::write_of_classes(args, &run, rules)?;
    }
    // Several stages come to a class that is broken.
    let mut said = BTreeSet::new();
    for warning in warnings.iter().filter(|warning| said.insert(*warning)) {
        io::say(format_args!("warning: {warning}\n"));
    }
    summarize(args, &program, &done, rules, (began.elapsed(), said.len()));
    io::say(format_args!("{validated}{held}"));
    files.make_directory()?;
    files.targets.iter().zip(&bytes).try_for_each(|(target, bytes)| io::write(Some(target), bytes))
}

/// Writes the lists that options and configuration files ask for, and answers why classes are kept.
fn write_lists(args: &Opt, program: &Program, files: &Files, done: &Done) -> Result<(), Failure> {
    let (lists, roots) = (&args.lists, &program.roots);
    let Some(outcome) = &done.shrunk else {
        // Nothing goes, so there is one answer to all questions.
        for class in &lists.why_kept {
            io::say(format_args!("{class} is kept\n  since nothing is removed in this mode\n"));
        }
        let mut empty = files.removed.iter().chain(&lists.notes);
        return empty.try_for_each(|path| io::write(Some(path), b""));
    };
    if let (Some(path), Some(text)) = (written(roots, "printmapping"), &outcome.mapping) {
        io::write(Some(&path), text.as_bytes())?;
    }
    // Where nothing goes, nothing was looked for.
    if let Some(path) = written(roots, "printseeds").filter(|_| outcome.classes.0 > 0) {
        io::write(Some(&path), outcome.seeds.as_bytes())?;
    }
    for line in &outcome.explanations {
        io::say(format_args!("{line}\n"));
    }
    if let Some(path) = &files.removed {
        io::write(Some(path), outcome.removed.to_string().as_bytes())?;
    }
    if let Some(path) = &lists.notes {
        io::write(Some(path), noted(outcome, roots, &done.archive).as_bytes())?;
    }
    Ok(())
}

/// Says in few lines what was done, and how long it took with how many warnings.
fn summarize(
    args: &Opt,
    program: &Program,
    done: &Done,
    rules: Option<&RuleSet>,
    (time, warnings): (Duration, usize),
) {
    let (shrunk, optimized) = (done.shrunk.as_ref(), done.optimized.as_ref());
    let notes_file = args.lists.notes.as_ref().map(|path| io::display_name(path));
    let notes = shrunk.map_or_else(String::new, |outcome| outcome.missed.brief(notes_file.as_deref()));
    let mut summary = match (shrunk, optimized) {
        // Nothing went of a program that only got new names.
        (Some(outcome), Some(optimized)) if outcome.classes.0 == 0 => optimized.sizes() + &outcome.summary(),
        (Some(outcome), _) => outcome.summary(),
        (None, Some(outcome)) => outcome.sizes(),
        (None, None) => String::new(),
    };
    summary += &optimized.map_or_else(String::new, ClassOutcome::broken);
    if matches!(args.stats, Some(Detail::Text | Detail::Full)) {
        if let Some(outcome) = shrunk {
            summary += &outcome.details();
            summary += &program.library_rules.details(&outcome.kept_by_rules);
        }
        if let Some(outcome) = optimized {
            summary += &outcome.details();
            summary += &statistics::brief(&outcome.record, rules);
            summary += &assumptions::summary(shrunk, outcome);
        }
    }
    let about = in_short(warnings, shrunk, optimized);
    let next = next(args, shrunk);
    let (unseen, taken) = (&program.unseen, program.library_rules.summary());
    io::say(format_args!("{notes}{summary}{unseen}{taken}"));
    io::say_time(time);
    io::say(format_args!("{about}{next}"));
}

/// How long a run may take before it says what it does.
const SOON: Duration = Duration::from_secs(2);

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
        io::write(Some(path), explain::json_lines(1, remarks, &info).as_bytes())?;
    }
    io::say(format_args!("{}", explain::budgets(&outcome.record, &info)));
    if let Some(how) = args.stats {
        io::say(format_args!("{}", Statistics::default().show(how.into(), &outcome.record, rules)));
    }
    if args.between.time_passes {
        io::say(format_args!("{}", outcome.times.table()));
    }
    Ok(())
}
