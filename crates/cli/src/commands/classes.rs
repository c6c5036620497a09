//! `planish opt` on jars, directories of classes and class files.

mod check_run;
mod configuration;
mod program;
mod summary;

use std::collections::BTreeSet;
use std::io::IsTerminal;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use planish_base::Budget;
use planish_driver::statistics::{self, Statistics};
use planish_driver::{Settings, explain};
use planish_jar::assumptions;
use planish_jar::class_report::ClassRun;
use planish_jar::classes::{Archive, ClassOutcome, INFLATED_LIMIT, Source, SourceForm, check_classes};
use planish_jar::narrate;
use planish_jar::programs::{Roots, ShrinkOutcome};
use planish_rules::RuleSet;

use crate::args::{Bisect, ClassOptions, Opt, Statistics as Detail};
use crate::claims::Claims;
use crate::failure::Failure;
use crate::io;
use check_run::Check;
use configuration::{WRITTEN, configured, filtered_jars, jars, library_jars, written};
use program::{Done, Program, Reading};
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

/// What `planish opt` reads and writes, by options and configuration files.
struct Files {
    /// The jars, directories and class files, each with the filter of its entries if it has one.
    inputs: Vec<(PathBuf, Option<String>)>,
    /// More that the program uses.
    libraries: Vec<PathBuf>,
    output: PathBuf,
    /// Where what becomes of each input goes; the output alone unless that is a directory.
    targets: Vec<PathBuf>,
    /// Where the list of what was removed goes, if it is wanted.
    removed: Option<PathBuf>,
}

impl Files {
    fn of(args: &Opt, roots: &Roots) -> Result<Files, Failure> {
        let inputs = inputs(args.input.path.iter().chain(&args.more), roots)?;
        let output = args.output.output.clone().or_else(|| jars(roots, "outjars").pop());
        let Some(output) = output else {
            return Err(Failure::Usage("say with -o where the classes go".into()));
        };
        let targets = match is_directory(&output) {
            true => targets(&output, &inputs)?,
            false => vec![output.clone()],
        };
        let removed = args.lists.removed.clone().or_else(|| written(roots, "printusage"));
        let files = Files { inputs, libraries: libraries(&args.classes, roots), output, targets, removed };
        claim(args, roots, &files)?;
        Ok(files)
    }
}

/// The inputs that are named, else those of configuration files.
fn inputs<'p>(
    paths: impl Iterator<Item = &'p PathBuf>,
    roots: &Roots,
) -> Result<Vec<(PathBuf, Option<String>)>, Failure> {
    let named: Vec<_> = paths.map(|path| (path.clone(), None)).collect();
    let named = if named.is_empty() { filtered_jars(roots, "injars") } else { named };
    match named.is_empty() {
        true => Err(Failure::Usage("no program is named, here or by -injars of a configuration".into())),
        false => Ok(named),
    }
}

/// The libraries that options and configuration files name.
fn libraries(options: &ClassOptions, roots: &Roots) -> Vec<PathBuf> {
    options.library.iter().cloned().chain(library_jars(roots)).collect()
}

/// Reads the program whose rewrites are bisected.
pub fn of_bisect(args: &Bisect) -> Result<Program, Failure> {
    let roots = configured(&args.classes)?;
    let reading = Reading {
        inputs: &inputs(std::iter::once(&args.input.path).chain(&args.more), &roots)?,
        libraries: &libraries(&args.classes, &roots),
        inflated_limit: args.input.reading.inflated_limit,
        splits: false,
    };
    Program::read(reading, &args.classes, roots)
}

/// Optimizes a program of classes.
pub fn run(args: &Opt, settings: &Settings, rules: Option<&RuleSet>) -> Result<(), Failure> {
    let options = &args.classes;
    let check = Check::asked(&args.check)?;
    let mut roots = configured(options)?;
    let files = Files::of(args, &roots)?;
    roots.why.clone_from(&args.lists.why_kept);
    roots.why_all = args.report.is_some();
    let reading = Reading {
        inputs: &files.inputs,
        libraries: &files.libraries,
        inflated_limit: args.input.reading.inflated_limit,
        splits: is_directory(&files.output),
    };
    let mut program = Program::read(reading, options, roots)?;
    let began = Instant::now();
    let progress = |what: &str| {
        if began.elapsed() > SOON && std::io::stderr().is_terminal() {
            io::say(format_args!("{what}\n"));
        }
    };
    let mut done = program.optimize(settings, &progress)?;
    done.finish(&program)?;
    let bytes = program.bytes(&done.archive, &files.targets)?;
    // Nothing is written of a result that does something else.
    let held = match &check {
        Some(check) => check.hold(&program, &files, &bytes, (settings, rules))?,
        None => String::new(),
    };
    let mut warnings = std::mem::take(&mut program.warnings);
    warnings.append(&mut done.warnings());
    write_lists(args, &program, &files, &done)?;
    if let Some(outcome) = &done.optimized {
        tell(args, outcome, rules)?;
    }
    if let Some(path) = &args.report {
        let (shrunk, optimized) = (done.shrunk.as_ref(), done.optimized.as_ref());
        let run = ClassRun { before: &program.whole, after: &done.archive, shrunk, optimized };
        io::write(Some(path), super::report::class_page(args, &run, rules)?.as_bytes())?;
    }
    // Several stages come to a class that is broken.
    let mut said = BTreeSet::new();
    for warning in warnings.iter().filter(|warning| said.insert(*warning)) {
        io::say(format_args!("warning: {warning}\n"));
    }
    summarize(args, &program, &done, rules, (began.elapsed(), said.len()));
    io::say(format_args!("{held}"));
    if is_directory(&files.output) {
        std::fs::create_dir_all(&files.output)
            .map_err(|error| Failure::Rejected(format!("{}: {error}", files.output.display())))?;
    }
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
    if let Some(path) = written(roots, "printseeds") {
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
        (Some(outcome), _) => outcome.summary(),
        (None, Some(outcome)) => outcome.sizes(),
        (None, None) => String::new(),
    };
    summary += &optimized.map_or_else(String::new, ClassOutcome::broken);
    if matches!(args.stats, Some(Detail::Text | Detail::Full)) {
        summary += &shrunk.map_or_else(String::new, ShrinkOutcome::details);
        if let Some(outcome) = optimized {
            summary += &outcome.details();
            summary += &statistics::brief(&outcome.record, rules);
            summary += &assumptions::summary(shrunk, outcome);
        }
    }
    let about = in_short(time, warnings, shrunk, optimized);
    let next = next(args, shrunk);
    io::say(format_args!("{notes}{summary}{}{about}{next}", program.unseen));
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

/// The bytes of a jar, or of a class that came alone.
fn bytes_of(archive: &Archive, is_class: bool) -> Result<Vec<u8>, Failure> {
    match &archive.entries[..] {
        [class] if is_class => {
            let mut budget = Budget::new("inflated bytes", INFLATED_LIMIT);
            Ok(class.content(&mut budget).map_err(rejected)?.into_owned())
        }
        _ => {
            let mut bytes = Vec::new();
            archive.write(&mut bytes).map_err(rejected)?;
            Ok(bytes)
        }
    }
}

/// Whether an output is a directory, in which each input has a file of its own.
pub(super) fn is_directory(output: &Path) -> bool {
    output.as_os_str().as_encoded_bytes().ends_with(b"/") || output.is_dir()
}

/// Where what becomes of each input is written in a directory: under its own name. A directory of classes becomes a jar.
fn targets(directory: &Path, inputs: &[(PathBuf, Option<String>)]) -> Result<Vec<PathBuf>, Failure> {
    let mut targets = Vec::with_capacity(inputs.len());
    for (path, _) in inputs {
        let name = path.canonicalize().ok().and_then(|path| path.file_name().map(PathBuf::from));
        let name = name.ok_or_else(|| Failure::Rejected(format!("{}: no name", path.display())))?;
        let name = if path.is_dir() { name.with_extension("jar") } else { name };
        let target = directory.join(name);
        if targets.contains(&target) {
            return Err(Failure::Usage(format!("two inputs would become {}", target.display())));
        }
        targets.push(target);
    }
    Ok(targets)
}

/// Sees to it that nothing is written to a file that is read or written for something else.
fn claim(args: &Opt, roots: &Roots, files: &Files) -> Result<(), Failure> {
    let mut claims = Claims::default();
    let inputs = files.inputs.iter().map(|(path, _)| path).chain(&files.libraries);
    inputs.chain(&args.rules.files).chain(&args.classes.keep).for_each(|path| claims.read(path));
    for (option, path) in args.written() {
        claims.write(option, Some(path))?;
    }
    // A file that `--removed` names takes the place of another.
    let is_replaced = |option: &str| option == "printusage" && args.lists.removed.is_some();
    for option in WRITTEN.into_iter().filter(|option| !is_replaced(option)) {
        // Of what goes to standard output, people read one behind the other.
        if let Some(path) = written(roots, option).filter(|path| path != Path::new("-")) {
            claims.write(&format!("-{option}"), Some(&path))?;
        }
    }
    files.targets.iter().try_for_each(|target| claims.write("-o", Some(target)))
}
