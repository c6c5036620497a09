//! A program of classes as the command line names it: its inputs in one archive, and what is around them.

use std::path::PathBuf;
use std::sync::Arc;

use planish_base::Budget;
use planish_driver::{Settings, explain};
use planish_jar::cache::ClassCache;
use planish_jar::classes::{
    Archive, Hierarchy, INFLATED_LIMIT, Image, Origin, SourceForm, add_classes, find_image, strip,
};
use planish_jar::inputs::{Classpath, Platform, merge};
use planish_jar::library_rules::{Taken, take};
use planish_jar::manifests::Manifests;
use planish_jar::outcome::ClassOutcome;
use planish_jar::output_splitting::Apart;
use planish_jar::programs::around::Surroundings;
use planish_jar::programs::outcome::ShrinkOutcome;
use planish_jar::programs::roots::Roots;
use planish_jar::releases::{only_release, without_unseen_versions};
use planish_jar::rounds::{optimize_each, optimize_program, rename_program, shrink_program};
use planish_jar::stored::pack;
use planish_rules::RuleSet;

use super::configuration::{doubts_about_names, filters_of_outputs, let_in, library_rules, rules_of};
use super::files::{bytes_of, read, well_formed};
use crate::args::{ClassMode, ClassOptions};
use crate::commands::bisection::Answer;
use crate::commands::file_names::has_ending;
use crate::failure::Failure;

/// What is read, and how.
#[derive(Clone, Copy)]
pub struct Reading<'a> {
    /// The inputs, each with the filter of its entries if it has one.
    pub inputs: &'a [(PathBuf, Option<String>)],
    /// More that the program uses.
    pub libraries: &'a [PathBuf],
    /// Up to how many bytes a jar may inflate, if that is said.
    pub inflated_limit: Option<u64>,
    /// Whether each input is to be written apart.
    pub splits: bool,
}

/// A program with all that is around it.
pub struct Program {
    /// Where it begins, and what is asked about it.
    pub roots: Roots,
    /// The inputs in one, as they were.
    pub whole: Archive,
    /// The same without what a class path hides.
    pub(super) archive: Archive,
    pub(super) classpath: Classpath,
    pub(super) hierarchy: Hierarchy,
    /// Which entry is of which input, where each is written apart.
    pub apart: Option<Apart>,
    /// What the user should know of the inputs.
    pub warnings: Vec<String>,
    /// What the summary says of versions of classes that went.
    pub unseen: String,
    /// The rules for libraries that were taken.
    pub library_rules: Taken,
    /// Whether it is one class file.
    pub is_class: bool,
    pub(super) mode: ClassMode,
    threads: usize,
    /// What became of classes in other runs, if that is kept.
    pub(super) cache: Option<Arc<ClassCache>>,
    /// The inputs by name, for messages.
    names: String,
}

/// What became of a program.
#[derive(Default)]
pub struct Done {
    /// The optimized program.
    pub archive: Archive,
    /// What went, if anything may.
    pub shrunk: Option<ShrinkOutcome>,
    /// What became of bodies, if they may change.
    pub optimized: Option<ClassOutcome>,
}

impl Program {
    /// Reads a program. `roots` is what options and configuration files say.
    pub fn read(reading: Reading<'_>, options: &ClassOptions, mut roots: Roots) -> Result<Program, Failure> {
        let (mut archives, is_class) = archives(reading)?;
        // What is read late, such as the content of an entry, is wrong in one of them.
        let names = reading.inputs.iter().map(|(path, _)| path.display().to_string());
        let names = names.collect::<Vec<String>>().join(" or ");
        let named = |error: String| Failure::Rejected(format!("{names}: {error}"));
        let mut warnings = rules_of(&archives, &mut roots)?;
        warnings.extend(filters_of_outputs(&roots));
        warnings.extend(doubts_about_names(options, &roots));
        let unseen = releases_of(options, &roots, &mut archives).map_err(named)?;
        if options.strip_debug {
            archives.iter_mut().try_for_each(|archive| strip(archive, &mut warnings)).map_err(named)?;
        }
        let apart = reading.splits.then(|| Apart::of(&archives));
        if let Some(apart) = &apart {
            roots.main.extend(apart.main_classes().map_err(Failure::rejected)?);
        }
        let mut classpath = classpath(reading.libraries, reading.inflated_limit)?;
        let manifests = match apart {
            None if archives.len() > 1 => Manifests::of(&archives).map_err(named)?,
            _ => Manifests::default(),
        };
        let (mut archive, more) = merge(archives).map_err(named)?;
        warnings.extend(more);
        warnings.extend(manifests.join(&mut archive).map_err(named)?);
        let whole = archive.clone();
        warnings.extend(classpath.set_aside(&mut archive, &roots.main).map_err(named)?);
        let of_libraries = reading.libraries.iter().map(|path| path.display().to_string());
        let all_names: Vec<String> = std::iter::once(names.clone()).chain(of_libraries).collect();
        let threads = options.threads.or(std::thread::available_parallelism().ok()).map_or(1, usize::from);
        let hierarchy = hierarchy(&archive, &classpath, &all_names, threads, &mut warnings)?;
        let mode = mode(options, &roots, &archive, is_class)?;
        if mode == ClassMode::Bodies && options.obfuscate {
            return Err(Failure::Usage(
                "--obfuscate needs the whole program: with --mode bodies, and of one class file alone, nobody knows who \
                 else speaks of it; --main or --keep says where it begins"
                    .to_owned(),
            ));
        }
        roots.library = mode == ClassMode::Library;
        let all = std::iter::once(&archive).chain(&classpath.libraries);
        let library_rules = match (library_rules(options)?, mode) {
            // Nothing goes.
            (_, ClassMode::Bodies) => Taken::default(),
            (wanted, _) => take(&wanted, all, (&mut roots.rules, &mut warnings)),
        };
        Ok(Program {
            roots,
            whole,
            archive,
            classpath,
            hierarchy,
            apart,
            warnings,
            unseen,
            library_rules,
            is_class,
            mode,
            threads,
            cache: None,
            names,
        })
    }

    /// Shrinks and optimizes a program, as far as options and rules let us. `progress` is told what begins.
    pub fn optimize(&self, settings: &Settings, progress: &dyn Fn(&str)) -> Result<Done, Failure> {
        self.optimize_from(&self.roots, settings, progress)
    }

    /// The same from roots that differ from its own in what is kept.
    pub fn optimize_from(
        &self,
        roots: &Roots,
        settings: &Settings,
        progress: &dyn Fn(&str),
    ) -> Result<Done, Failure> {
        let around = Surroundings {
            hierarchy: &self.hierarchy,
            classpath: &self.classpath,
            roots,
            threads: self.threads,
            progress,
            cache: self.cache.as_deref(),
        };
        let mut done = Done { archive: self.archive.clone(), ..Done::default() };
        let archive = &mut done.archive;
        let shrinks = self.mode != ClassMode::Bodies && !roots.rules.has("dontshrink");
        match (shrinks, !roots.rules.has("dontoptimize")) {
            (true, true) => {
                let ended = optimize_program(archive, around, settings).map_err(|e| self.named(e))?;
                (done.shrunk, done.optimized) = (Some(ended.0), Some(ended.1));
            }
            (true, false) => {
                done.shrunk = Some(shrink_program(archive, around, settings).map_err(Failure::rejected)?);
            }
            (false, true) => {
                done.optimized = Some(optimize_each(archive, around, settings).map_err(|e| self.named(e))?);
            }
            (false, false) => {}
        }
        if !shrinks && roots.new_names().is_some() {
            let optimized = done.optimized.take().unwrap_or_default();
            let named = rename_program(archive, around, settings, &optimized).map_err(|e| self.named(e))?;
            done.shrunk = Some(named);
            done.optimized = (!roots.rules.has("dontoptimize")).then_some(optimized);
        }
        Ok(done)
    }

    /// The bytes of what is written to each target: of the result, or of what became of each input.
    pub fn bytes(&self, done: &Done, targets: &[PathBuf]) -> Result<Vec<Vec<u8>>, Failure> {
        let archive = &done.archive;
        let is_jar = |target: &PathBuf| has_ending(target, "jar");
        let Some(apart) = &self.apart else {
            return Ok(vec![bytes_of(archive, self.is_class && !targets.iter().any(is_jar))?]);
        };
        let names = done.shrunk.as_ref().and_then(|shrunk| shrunk.names.as_ref());
        let archives = apart.clone().split(archive, names).map_err(Failure::rejected)?;
        let each = targets.iter().zip(&archives);
        each.map(|(target, archive)| bytes_of(archive, has_ending(target, "class"))).collect()
    }

    /// One run of a bisection: the bytes of the result, the ending of its name, and what is answered. The check holds
    /// as far as bodies and runs were compared.
    pub fn attempt(
        &self,
        settings: &Settings,
        rules: Option<&RuleSet>,
    ) -> Result<(Vec<u8>, &'static str, Answer), Failure> {
        let mut done = self.optimize(settings, &|_| {})?;
        done.finish(self)?;
        let bytes = bytes_of(&done.archive, self.is_class)?;
        let Done { shrunk, optimized, .. } = &done;
        let of_program = shrunk.as_ref().map_or(0, |outcome| outcome.rewrites);
        let of_bodies = optimized.as_ref().map_or(0, |outcome| outcome.rewrites);
        let mut holds = optimized.as_ref().is_none_or(|outcome| outcome.methods.broken.is_empty());
        holds &= settings.validate == 0 || self.side_by_side(&done, settings.validate).different.is_none();
        let answer = Answer { rewrites: of_program + of_bodies, holds, last: done.last(rules) };
        Ok((bytes, if self.is_class { "class" } else { "jar" }, answer))
    }

    fn named(&self, error: String) -> Failure {
        Failure::Rejected(format!("{}: {error}", self.names))
    }
}

impl Done {
    /// How often each rule fired in bodies, by number.
    pub fn fired(&self) -> Vec<u64> {
        self.optimized.as_ref().map_or_else(Vec::new, |outcome| outcome.record.rules().to_vec())
    }

    /// The program as it is called in the input: before it got new names, if it did.
    pub fn with_old_names(&self) -> &Archive {
        let names = self.shrunk.as_ref().and_then(|shrunk| shrunk.names.as_ref());
        names.and_then(|names| names.before.as_ref()).unwrap_or(&self.archive)
    }

    /// Takes what the user should know.
    pub fn warnings(&mut self) -> Vec<String> {
        let shrunk = self.shrunk.iter_mut().map(|outcome| &mut outcome.warnings);
        let optimized = self.optimized.iter_mut().map(|outcome| &mut outcome.warnings);
        shrunk.chain(optimized).flat_map(std::mem::take).collect()
    }

    /// The last rewrite and the pass that made it, if a log was kept.
    fn last(&self, rules: Option<&RuleSet>) -> String {
        let of_body = self.optimized.as_ref().and_then(|outcome| outcome.last.as_ref());
        let of_program = self.shrunk.as_ref().and_then(|outcome| outcome.last.as_ref());
        if let Some(remark) = of_body {
            let info = |number: u32| explain::rule_info(rules, number);
            let line = explain::lines(std::iter::once(remark.clone()), &info);
            return format!("in pass {}: {}", remark.kind.pass(), line.trim_end());
        }
        of_program.map_or_else(String::new, |last| format!("in pass {}: {}", last.pass, last.what))
    }

    /// Gives the archive the form in which it is written.
    pub fn finish(&mut self, program: &Program) -> Result<(), Failure> {
        let to_deflate = self.shrunk.as_mut().map(|outcome| std::mem::take(&mut outcome.to_deflate));
        pack(&mut self.archive, &to_deflate.unwrap_or_default(), program.threads)
            .map_err(|error| program.named(error))?;
        program.classpath.put_back(&mut self.archive);
        Ok(())
    }
}

/// Reads the inputs. Whether they are one class file is told as well.
fn archives(reading: Reading<'_>) -> Result<(Vec<Archive>, bool), Failure> {
    let mut form = SourceForm::Jar;
    let mut archives = Vec::new();
    for (path, entries) in reading.inputs {
        let mut source = read(path, reading.inflated_limit)?;
        if let Some(entries) = entries {
            let_in(&mut source.archive, entries, path)?;
        }
        if source.form == SourceForm::Class {
            well_formed(&source)?;
            source.name_by_class().map_err(Failure::rejected)?;
        }
        form = source.form;
        archives.push(source.archive);
    }
    let is_class = form == SourceForm::Class && archives.len() == 1;
    Ok((archives, is_class))
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
    let manifest = archive.manifest(&mut budget).map_err(Failure::rejected)?;
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

/// What is around a program.
pub(super) fn classpath(libraries: &[PathBuf], inflated_limit: Option<u64>) -> Result<Classpath, Failure> {
    let mut classpath = Classpath::default();
    for path in libraries {
        classpath.libraries.push(read(path, inflated_limit)?.archive);
    }
    classpath.platform = match find_image() {
        Some(path) => Platform::Image(Image::open(&path).map_err(Failure::rejected)?),
        None => Platform::heads(),
    };
    Ok(classpath)
}

/// The classes of the program, of its libraries, by these names, and of the JDK that is found.
pub(super) fn hierarchy(
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
    classpath.platform.add_to(&mut hierarchy, threads, warnings).map_err(Failure::rejected)?;
    Ok(hierarchy)
}
