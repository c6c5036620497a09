//! `planish opt` on jars, directories of classes and class files.

mod configuration;
mod summary;

use std::collections::BTreeSet;
use std::io::IsTerminal;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use planish_base::Budget;
use planish_driver::apart::Apart;
use planish_driver::assumptions;
use planish_driver::class_report::ClassRun;
use planish_driver::classes::{
    Archive, ClassOutcome, Hierarchy, INFLATED_LIMIT, Image, Origin, Source, SourceForm, add_classes,
    check_classes, find_image, strip,
};
use planish_driver::inputs::{Classpath, Platform, merge};
use planish_driver::manifests::Manifests;
use planish_driver::programs::Roots;
use planish_driver::releases::{only_release, without_unseen_versions};
use planish_driver::rounds::{Surroundings, optimize_each, optimize_program, shrink_program};
use planish_driver::statistics::{self, Statistics};
use planish_driver::stored::pack;
use planish_driver::{Settings, explain, narrate};
use planish_rules::RuleSet;

use crate::args::{ClassMode, ClassOptions, Opt, Statistics as Detail};
use crate::claims::Claims;
use crate::failure::Failure;
use crate::io;
use configuration::{
    WRITTEN, configured, filtered_jars, filters_of_outputs, jars, let_in, library_jars, rules_of, written,
};
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
    let (options, inflated_limit) = (&args.classes, args.input.reading.inflated_limit);
    let mut roots = configured(options)?;
    let inputs = args.input.path.iter().chain(&args.more);
    let mut named: Vec<(PathBuf, Option<String>)> = inputs.map(|path| (path.clone(), None)).collect();
    if named.is_empty() {
        named = filtered_jars(&roots, "injars");
    }
    if named.is_empty() {
        return Err(Failure::Usage("no program is named, here or by -injars of a configuration".into()));
    }
    let paths: Vec<&PathBuf> = named.iter().map(|(path, _)| path).collect();
    let output = args.output.output.clone().or_else(|| jars(&roots, "outjars").pop());
    let Some(output) = &output else {
        return Err(Failure::Usage("say with -o where the classes go".into()));
    };
    let mut libraries = options.library.clone();
    libraries.extend(library_jars(&roots));
    let removed = options.removed.clone().or_else(|| written(&roots, "printusage"));
    let targets = match is_directory(output) {
        true => targets(output, &paths)?,
        false => vec![output.clone()],
    };
    claim(args, &roots, paths.iter().copied().chain(&libraries), &targets)?;
    let mut form = SourceForm::Jar;
    let mut archives = Vec::new();
    for (path, entries) in &named {
        let mut source = read(path, inflated_limit)?;
        if let Some(entries) = entries {
            let_in(&mut source.archive, entries, path)?;
        }
        if source.form == SourceForm::Class {
            well_formed(&source)?;
        }
        form = source.form;
        archives.push(source.archive);
    }
    let is_class = form == SourceForm::Class && archives.len() == 1;
    // What is read late, such as the content of an entry, is wrong in one of them.
    let inputs = paths.iter().map(|path| path.display().to_string()).collect::<Vec<String>>().join(" or ");
    let named = |error: String| Failure::Rejected(format!("{inputs}: {error}"));
    let mut warnings = rules_of(&archives, &mut roots)?;
    warnings.extend(filters_of_outputs(&roots));
    let unseen = releases_of(options, &roots, &mut archives).map_err(named)?;
    if options.strip_debug {
        archives.iter_mut().try_for_each(|archive| strip(archive, &mut warnings)).map_err(named)?;
    }
    let apart = is_directory(output).then(|| Apart::of(&archives));
    if let Some(apart) = &apart {
        roots.main.extend(apart.main_classes().map_err(rejected)?);
    }
    let mut classpath = classpath(&libraries, inflated_limit)?;
    let manifests = match apart {
        None if archives.len() > 1 => Manifests::of(&archives).map_err(named)?,
        _ => Manifests::default(),
    };
    let (mut archive, more) = merge(archives).map_err(named)?;
    warnings.extend(more);
    warnings.extend(manifests.join(&mut archive).map_err(named)?);
    let before = args.report.is_some().then(|| archive.clone());
    roots.why_all = before.is_some();
    warnings.extend(classpath.set_aside(&mut archive, &roots.main).map_err(named)?);
    let of_libraries = libraries.iter().map(|path| path.display().to_string());
    let names: Vec<String> = std::iter::once(inputs.clone()).chain(of_libraries).collect();
    let threads = options.threads.or(std::thread::available_parallelism().ok()).map_or(1, usize::from);
    let hierarchy = hierarchy(&archive, &classpath, &names, threads, &mut warnings)?;

    let mode = mode(options, &roots, &archive, is_class)?;
    roots.library = mode == ClassMode::Library;
    let (mut summary, mut notes, mut details) = (String::new(), String::new(), String::new());
    let mut to_deflate = Vec::new();
    let shrinks = mode != ClassMode::Bodies && !roots.rules.has("dontshrink");
    let optimizes = !roots.rules.has("dontoptimize");
    let began = Instant::now();
    let progress = |what: &str| {
        if began.elapsed() > SOON && std::io::stderr().is_terminal() {
            io::say(format_args!("{what}\n"));
        }
    };
    let around = Surroundings {
        hierarchy: &hierarchy,
        classpath: &classpath,
        roots: &roots,
        threads,
        progress: &progress,
    };
    let (mut shrunk, mut optimized) = (None, None);
    match (shrinks, optimizes) {
        (true, true) => {
            let (first, second) = optimize_program(&mut archive, around, settings).map_err(named)?;
            (shrunk, optimized) = (Some(first), Some(second));
        }
        (true, false) => {
            shrunk = Some(shrink_program(&mut archive, around).map_err(rejected)?);
        }
        (false, true) => {
            optimized = Some(optimize_each(&mut archive, around, settings).map_err(named)?);
        }
        (false, false) => {}
    }
    let mapping = shrunk.as_ref().and_then(|outcome| outcome.mapping.as_ref());
    if let (Some(path), Some(text)) = (written(&roots, "printmapping"), mapping) {
        io::write(Some(&path), text.as_bytes())?;
    }
    if let (Some(path), Some(outcome)) = (written(&roots, "printseeds"), &shrunk) {
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
                io::write(Some(path), noted(outcome, &roots, &archive).as_bytes())?;
            }
            summary = outcome.summary();
            details = outcome.details();
            to_deflate = std::mem::take(&mut outcome.to_deflate);
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
    pack(&mut archive, &to_deflate, threads).map_err(named)?;
    classpath.put_back(&mut archive);
    if let (Some(path), Some(before)) = (&args.report, &before) {
        let run =
            ClassRun { before, after: &archive, shrunk: shrunk.as_ref(), optimized: optimized.as_ref() };
        io::write(Some(path), super::report::class_page(args, &run, rules)?.as_bytes())?;
    }
    // Several stages come to a class that is broken.
    let mut said = BTreeSet::new();
    for warning in warnings.iter().filter(|warning| said.insert(*warning)) {
        io::say(format_args!("warning: {warning}\n"));
    }
    let about = in_short(began.elapsed(), said.len(), shrunk.as_ref(), optimized.as_ref());
    let next = next(options, shrunk.as_ref(), args.stats.is_some());
    io::say(format_args!("{notes}{summary}{details}{unseen}{about}{next}"));
    match apart {
        None => io::write(Some(output), &bytes_of(&archive, is_class)?),
        Some(apart) => write_apart(output, &targets, &apart.split(&archive).map_err(rejected)?),
    }
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
fn is_directory(output: &Path) -> bool {
    output.as_os_str().as_encoded_bytes().ends_with(b"/") || output.is_dir()
}

/// Where what becomes of each input is written in a directory: under its own name. A directory of classes becomes a jar.
fn targets(directory: &Path, paths: &[&PathBuf]) -> Result<Vec<PathBuf>, Failure> {
    let mut targets = Vec::with_capacity(paths.len());
    for path in paths {
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

/// Writes what became of each input.
fn write_apart(directory: &Path, targets: &[PathBuf], archives: &[Archive]) -> Result<(), Failure> {
    std::fs::create_dir_all(directory)
        .map_err(|error| Failure::Rejected(format!("{}: {error}", directory.display())))?;
    for (target, archive) in targets.iter().zip(archives) {
        let is_class = target.extension().is_some_and(|ending| ending == "class");
        io::write(Some(target), &bytes_of(archive, is_class)?)?;
    }
    Ok(())
}

/// Sees to it that nothing is written to a file that is read or written for something else.
fn claim<'p>(
    args: &'p Opt,
    roots: &Roots,
    inputs: impl Iterator<Item = &'p PathBuf>,
    targets: &[PathBuf],
) -> Result<(), Failure> {
    let mut claims = Claims::default();
    inputs.chain(&args.rules.files).chain(&args.classes.keep).for_each(|path| claims.read(path));
    for (option, path) in super::opt::written(args) {
        claims.write(option, Some(path))?;
    }
    // A file that `--removed` names takes the place of another.
    let is_replaced = |option: &str| option == "printusage" && args.classes.removed.is_some();
    for option in WRITTEN.into_iter().filter(|option| !is_replaced(option)) {
        // Of what goes to standard output, people read one behind the other.
        if let Some(path) = written(roots, option).filter(|path| path != Path::new("-")) {
            claims.write(&format!("-{option}"), Some(&path))?;
        }
    }
    targets.iter().try_for_each(|target| claims.write("-o", Some(target)))
}

/// What is kept: what was asked for, else what the roots suggest.
fn mode(
    options: &ClassOptions,
    roots: &Roots,
    archive: &Archive,
    is_class: bool,
) -> Result<ClassMode, Failure> {
    if let Some(mode) = options.mode {
        return Ok(mode);
    }
    if roots.say_where_it_begins() {
        return Ok(ClassMode::Program);
    }
    if is_class {
        return Ok(ClassMode::Bodies);
    }
    let mut budget = Budget::new("inflated bytes", INFLATED_LIMIT);
    let manifest = archive.manifest(&mut budget).map_err(rejected)?;
    let has_main = manifest.is_some_and(|manifest| manifest.main.get("Main-Class").is_some());
    Ok(if has_main { ClassMode::Program } else { ClassMode::Library })
}

/// Leaves of versions of classes those that are asked for, or that some JVM takes. What is said of it in the summary.
fn releases_of(options: &ClassOptions, roots: &Roots, archives: &mut [Archive]) -> Result<String, String> {
    let removes = options.mode != Some(ClassMode::Bodies) && !roots.rules.has("dontshrink");
    let mut count = 0;
    for archive in archives {
        count += match options.release {
            Some(release) => only_release(archive, release)?,
            None if removes => without_unseen_versions(archive)?,
            None => 0,
        };
    }
    Ok(match (count, options.release) {
        (0, _) => String::new(),
        (count, Some(release)) => format!(
            "entries for other releases than Java {release}: {count} went or took the place of older ones\n"
        ),
        (count, None) => {
            format!("versions of classes that no JVM takes (no `Multi-Release: true`): {count} removed\n")
        }
    })
}

fn classpath(libraries: &[PathBuf], inflated_limit: Option<u64>) -> Result<Classpath, Failure> {
    let mut classpath = Classpath::default();
    for path in libraries {
        classpath.libraries.push(read(path, inflated_limit)?.archive);
    }
    classpath.platform = match find_image() {
        Some(path) => Platform::Image(Image::open(&path).map_err(rejected)?),
        None => Platform::heads(),
    };
    Ok(classpath)
}

/// The classes of the program, of its libraries, by these names, and of the JDK that is found.
fn hierarchy(
    program: &Archive,
    classpath: &Classpath,
    names: &[String],
    threads: usize,
    warnings: &mut Vec<String>,
) -> Result<Hierarchy, Failure> {
    let mut hierarchy = Hierarchy::new();
    let mut budget = Budget::new("inflated bytes", INFLATED_LIMIT);
    let archives = std::iter::once((program, Origin::Program))
        .chain(classpath.libraries.iter().map(|library| (library, Origin::Library)));
    for ((archive, origin), name) in archives.zip(names) {
        add_classes(&mut hierarchy, archive, origin, &mut budget, warnings)
            .map_err(|error| Failure::Rejected(format!("{name}: {error}")))?;
    }
    classpath.platform.add_to(&mut hierarchy, threads, warnings).map_err(rejected)?;
    Ok(hierarchy)
}
