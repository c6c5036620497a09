//! A program of classes as it was read, with what is around it; it is optimized as often as somebody asks.

use std::io::IsTerminal;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use planish_base::Budget;
use planish_driver::Settings;
use planish_driver::apart::Apart;
use planish_driver::classes::{
    Archive, ClassOutcome, Hierarchy, INFLATED_LIMIT, Image, Origin, SourceForm, add_classes, find_image,
    strip,
};
use planish_driver::inputs::{Classpath, Platform, merge};
use planish_driver::manifests::Manifests;
use planish_driver::programs::{Roots, ShrinkOutcome};
use planish_driver::releases::{only_release, without_unseen_versions};
use planish_driver::rounds::{Surroundings, optimize_each, optimize_program, shrink_program};
use planish_driver::stored::pack;

use super::configuration::{
    WRITTEN, configured, filtered_jars, filters_of_outputs, jars, let_in, library_jars, rules_of, written,
};
use super::{read, rejected, well_formed};
use crate::args::{ClassMode, ClassOptions, Opt};
use crate::claims::Claims;
use crate::failure::Failure;
use crate::io;

/// How long a run may take before it says what it does.
const SOON: Duration = Duration::from_secs(2);

/// A program of classes.
pub struct Program {
    /// All that was read, as one archive.
    pub archive: Archive,
    /// The same without classes that are set aside.
    optimized: Archive,
    classpath: Classpath,
    hierarchy: Hierarchy,
    apart: Option<Apart>,
    /// What is kept, and what is taken for granted.
    pub roots: Roots,
    mode: ClassMode,
    threads: usize,
    is_class: bool,
    /// What was read.
    pub inputs: Vec<PathBuf>,
    /// The directory of the results, if there are as many as inputs.
    pub directory: Option<PathBuf>,
    /// Where the results go.
    pub targets: Vec<PathBuf>,
    /// What the user should know so far.
    pub warnings: Vec<String>,
    /// What is said of versions for other releases.
    pub unseen: String,
}

/// What became of a program.
pub struct Optimized {
    /// The classes.
    pub archive: Archive,
    /// What shrinking did.
    pub shrunk: Option<ShrinkOutcome>,
    /// What became of bodies.
    pub optimized: Option<ClassOutcome>,
}

impl Program {
    /// Reads a program and what is around it.
    pub fn read(args: &Opt) -> Result<Program, Failure> {
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
        let paths: Vec<PathBuf> = named.iter().map(|(path, _)| path.clone()).collect();
        let output = args.output.output.clone().or_else(|| jars(&roots, "outjars").pop());
        let Some(output) = output else {
            return Err(Failure::Usage("say with -o where the classes go".into()));
        };
        let mut libraries = options.library.clone();
        libraries.extend(library_jars(&roots));
        let targets = match is_directory(&output) {
            true => targets(&output, &paths)?,
            false => vec![output.clone()],
        };
        claim(args, &roots, paths.iter().chain(&libraries), &targets)?;
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
        let inputs = shown(&paths);
        let named = |error: String| Failure::Rejected(format!("{inputs}: {error}"));
        let mut warnings = rules_of(&archives, &mut roots)?;
        warnings.extend(filters_of_outputs(&roots));
        let unseen = releases_of(options, &roots, &mut archives).map_err(named)?;
        if options.strip_debug {
            archives.iter_mut().try_for_each(|archive| strip(archive, &mut warnings)).map_err(named)?;
        }
        let apart = is_directory(&output).then(|| Apart::of(&archives));
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
        roots.why_all = args.report.is_some();
        let mut optimized = archive.clone();
        warnings.extend(classpath.set_aside(&mut optimized, &roots.main).map_err(named)?);
        let of_libraries = libraries.iter().map(|path| path.display().to_string());
        let names: Vec<String> = std::iter::once(inputs.clone()).chain(of_libraries).collect();
        let threads = options.threads.or(std::thread::available_parallelism().ok()).map_or(1, usize::from);
        let hierarchy = hierarchy(&optimized, &classpath, &names, threads, &mut warnings)?;
        let mode = mode(options, &roots, &optimized, is_class)?;
        roots.library = mode == ClassMode::Library;
        Ok(Program {
            archive,
            optimized,
            classpath,
            hierarchy,
            apart,
            roots,
            mode,
            threads,
            is_class,
            inputs: paths,
            directory: is_directory(&output).then_some(output),
            targets,
            warnings,
            unseen,
        })
    }

    /// An error in one of the inputs.
    fn wrong(&self, error: String) -> Failure {
        Failure::Rejected(format!("{}: {error}", shown(&self.inputs)))
    }

    /// Optimizes the program from these roots, which are its own or differ from those in what is kept.
    pub fn optimize(&self, roots: &Roots, settings: &Settings) -> Result<Optimized, Failure> {
        let shrinks = self.mode != ClassMode::Bodies && !roots.rules.has("dontshrink");
        let optimizes = !roots.rules.has("dontoptimize");
        let began = Instant::now();
        let progress = |what: &str| {
            if began.elapsed() > SOON && std::io::stderr().is_terminal() {
                io::say(format_args!("{what}\n"));
            }
        };
        let around = Surroundings {
            hierarchy: &self.hierarchy,
            classpath: &self.classpath,
            roots,
            threads: self.threads,
            progress: &progress,
        };
        let mut archive = self.optimized.clone();
        let (mut shrunk, mut optimized) = (None, None);
        match (shrinks, optimizes) {
            (true, true) => {
                let (first, second) =
                    optimize_program(&mut archive, around, settings).map_err(|error| self.wrong(error))?;
                (shrunk, optimized) = (Some(first), Some(second));
            }
            (true, false) => shrunk = Some(shrink_program(&mut archive, around).map_err(rejected)?),
            (false, true) => {
                let outcome = optimize_each(&mut archive, around, settings);
                optimized = Some(outcome.map_err(|error| self.wrong(error))?);
            }
            (false, false) => {}
        }
        let to_deflate = shrunk.as_mut().map(|outcome| std::mem::take(&mut outcome.to_deflate));
        pack(&mut archive, &to_deflate.unwrap_or_default(), self.threads)
            .map_err(|error| self.wrong(error))?;
        self.classpath.put_back(&mut archive);
        Ok(Optimized { archive, shrunk, optimized })
    }

    /// The bytes of each target.
    pub fn files(&self, archive: &Archive) -> Result<Vec<Vec<u8>>, Failure> {
        let Some(apart) = &self.apart else { return Ok(vec![bytes_of(archive, self.is_class)?]) };
        let archives = apart.clone().split(archive).map_err(rejected)?;
        let is_class = |target: &PathBuf| target.extension().is_some_and(|ending| ending == "class");
        let both = self.targets.iter().zip(&archives);
        both.map(|(target, archive)| bytes_of(archive, is_class(target))).collect()
    }
}

/// How messages name inputs.
fn shown(paths: &[PathBuf]) -> String {
    paths.iter().map(|path| path.display().to_string()).collect::<Vec<String>>().join(" or ")
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
fn targets(directory: &Path, paths: &[PathBuf]) -> Result<Vec<PathBuf>, Failure> {
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

/// Sees to it that nothing is written to a file that is read or written for something else.
fn claim<'p>(
    args: &'p Opt,
    roots: &Roots,
    inputs: impl Iterator<Item = &'p PathBuf>,
    targets: &[PathBuf],
) -> Result<(), Failure> {
    let mut claims = Claims::default();
    inputs.chain(&args.rules.files).chain(&args.classes.keep).for_each(|path| claims.read(path));
    for (option, path) in super::super::opt::written(args) {
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
