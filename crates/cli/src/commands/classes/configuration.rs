//! What is kept, read and written: options and ProGuard's configuration files.

use std::path::{Path, PathBuf};

use planish_base::{Diagnostics, SourceText};
use planish_jar::classes::Archive;
use planish_jar::inputs::{RulesInside, rules_inside};
use planish_jar::library_rules::Wanted;
use planish_jar::programs::assumptions::Assumptions;
use planish_jar::programs::roots::Roots;
use planish_jar::renaming::given::{self, NameFiles};
use planish_keep::filter::EntryFilter;
use planish_keep::read::read as read_rules;

use crate::args::{Assumption, ClassOptions};
use crate::failure::Failure;
use crate::io;

/// How deep configuration files may include each other.
const DEEPEST: usize = 20;

/// The options of a configuration that name files to write.
pub const WRITTEN: [&str; 3] = ["printseeds", "printusage", "printmapping"];

/// What is taken for granted.
fn assumptions(options: &ClassOptions) -> Assumptions {
    let mut assumes = match options.strict || options.assume.is_some() {
        true => Assumptions::NONE,
        false => Assumptions::default(),
    };
    for named in options.assume.iter().flatten() {
        match named {
            Assumption::Returns => assumes.returns = true,
            Assumption::Frames => assumes.frames = true,
            Assumption::Messages => assumes.messages = true,
        }
    }
    assumes
}

/// The roots that options and configuration files name.
pub fn configured(options: &ClassOptions) -> Result<Roots, Failure> {
    let mut roots = Roots { main: options.main.clone(), assumes: assumptions(options), ..Roots::default() };
    for path in &options.keep {
        include(path, &mut roots, 0)?;
    }
    // Who gives a file says what is found by reflection, if it is empty: nothing that is not seen.
    roots.rules_given = !options.keep.is_empty();
    if options.obfuscate {
        roots.names = Some(name_files(&roots)?);
    }
    Ok(roots)
}

/// What the files say that options about new names name.
fn name_files(roots: &Roots) -> Result<NameFiles, Failure> {
    let mut files = NameFiles::default();
    for (option, path) in &roots.rules.settings {
        if given::FILES.contains(&option.as_str()) {
            let text = String::from_utf8_lossy(&io::read(Path::new(path))?).into_owned();
            files
                .read(option, &text)
                .map_err(|error| Failure::Rejected(format!("-{option} {path}: {error}")))?;
        }
    }
    Ok(files)
}

/// What should be known of options that ask for new names, or forbid them, where the command line says something else.
pub fn doubts_about_names(options: &ClassOptions, roots: &Roots) -> Option<String> {
    if options.obfuscate {
        return roots
            .rules
            .has("dontobfuscate")
            .then(|| "--obfuscate does nothing: the configuration says -dontobfuscate".to_owned());
    }
    let asks = given::asks(&roots.rules);
    let does = if asks.len() == 1 { "does" } else { "do" };
    (!asks.is_empty())
        .then(|| format!("names stay without --obfuscate, so {} {does} nothing", asks.join(", ")))
}

/// Which rules for libraries are wanted.
pub fn library_rules(options: &ClassOptions) -> Result<Wanted, Failure> {
    match &options.library_rules[..] {
        [] => Ok(Wanted::Recognized),
        [one] if one == "on" => Ok(Wanted::Recognized),
        [one] if one == "off" => Ok(Wanted::None),
        names if names.iter().any(|name| name == "on" || name == "off") => {
            Err(Failure::Usage("--library-rules is `on`, `off` or names of rules".into()))
        }
        names => Ok(Wanted::Named(names.to_vec())),
    }
}

/// Adds the rules inside of jars.
pub fn rules_of(archives: &[Archive], roots: &mut Roots) -> Result<Vec<String>, Failure> {
    roots.own_rules = Some(roots.rules.keep.len());
    roots.own_assumptions = Some(roots.rules.assume.len());
    let RulesInside { texts, wrong } = rules_inside(archives).map_err(Failure::rejected)?;
    for (name, text) in texts {
        let source = SourceText::new(name, text);
        let mut diagnostics = Diagnostics::new();
        let (jars, settings) = (roots.rules.jars.len(), roots.rules.settings.len());
        // Files that rules in a jar include are not there, and a jar does not say what is read or written.
        read_rules(&source, &mut roots.rules, &mut diagnostics);
        roots.rules.jars.truncate(jars);
        let added = roots.rules.settings.split_off(settings).into_iter();
        let is_file = |option: &str| WRITTEN.contains(&option) || given::FILES.contains(&option);
        roots.rules.settings.extend(added.filter(|(option, _)| !is_file(option)));
        io::say(format_args!("{}", diagnostics.render(&source)));
    }
    Ok(wrong)
}

/// Reads a configuration file and those that it includes.
fn include(path: &Path, roots: &mut Roots, depth: usize) -> Result<(), Failure> {
    if depth > DEEPEST {
        return Err(Failure::Rejected(format!("{}: files include each other", path.display())));
    }
    let text = String::from_utf8_lossy(&io::read(path)?).into_owned();
    let source = SourceText::new(io::display_name(path), text);
    let mut diagnostics = Diagnostics::new();
    let before = (roots.rules.jars.len(), roots.rules.settings.len());
    let includes = read_rules(&source, &mut roots.rules, &mut diagnostics);
    if diagnostics.has_errors() {
        return Err(Failure::Rejected(diagnostics.render(&source)));
    }
    for diagnostic in diagnostics.iter() {
        io::say(format_args!("{}\n", diagnostic.headline(&source)));
    }
    let directory = path.parent().unwrap_or(Path::new(""));
    // Files are where the configuration is, not where it is read.
    let is_written = |option: &str| WRITTEN.contains(&option) || given::FILES.contains(&option);
    let settings = roots.rules.settings[before.1..].iter_mut();
    let written = settings.filter(|(option, value)| is_written(option) && !value.is_empty() && value != "-");
    for (_, list) in roots.rules.jars[before.0..].iter_mut().chain(written) {
        let place = |path: PathBuf| match path.starts_with("<java.home>") {
            true => path,
            false => directory.join(path),
        };
        let placed = std::env::join_paths(std::env::split_paths(list).map(place));
        if let Some(placed) = placed.ok().and_then(|placed| placed.into_string().ok()) {
            *list = placed;
        }
    }
    for include_of in includes {
        let base = include_of.base.map_or_else(|| directory.to_path_buf(), |base| directory.join(base));
        let included = base.join(include_of.path);
        if !included.exists() {
            let mut missing = Diagnostics::new();
            missing.error(include_of.span, format!("there is no file {}", included.display()));
            return Err(Failure::Rejected(missing.render(&source)));
        }
        include(&included, roots, depth + 1)?;
    }
    Ok(())
}

/// The file to which an option of the configuration writes: `-` is standard output, as for an option without a file.
pub fn written(roots: &Roots, name: &str) -> Option<PathBuf> {
    let setting = roots.rules.settings.iter().rev().find(|(option, _)| option == name);
    setting.map(|(_, value)| PathBuf::from(if value.is_empty() { "-" } else { value }))
}

/// The jars and directories that an option of the configuration names, without what stands behind them in parentheses.
pub fn jars(roots: &Roots, name: &str) -> Vec<PathBuf> {
    filtered_jars(roots, name).into_iter().map(|(path, _)| path).collect()
}

/// The same with what stands behind each in parentheses.
pub fn filtered_jars(roots: &Roots, name: &str) -> Vec<(PathBuf, Option<String>)> {
    let paths = roots.rules.jars.iter().filter(|(option, _)| option == name);
    let parts = |path: PathBuf| match path.to_string_lossy().split_once('(') {
        Some((path, filter)) => (PathBuf::from(path), Some(filter.trim_end_matches(')').to_owned())),
        None => (path, None),
    };
    paths.flat_map(|(_, list)| std::env::split_paths(list).collect::<Vec<_>>()).map(parts).collect()
}

/// Leaves the entries that a filter behind the name of an input lets in, and directories.
pub fn let_in(archive: &mut Archive, filter: &str, path: &Path) -> Result<(), Failure> {
    let Some(filter) = EntryFilter::parse(filter) else {
        let message = format!("{}: `({filter})` is no filter of entries", path.display());
        return Err(Failure::Rejected(message));
    };
    archive.entries.retain(|entry| entry.name.ends_with(b"/") || filter.lets_in(&entry.name));
    Ok(())
}

/// What is said of filters behind the names of outputs, which are not looked at: more is written than they say.
pub fn filters_of_outputs(roots: &Roots) -> Vec<String> {
    let outputs = roots.rules.jars.iter().filter(|(option, path)| option == "outjars" && path.contains('('));
    outputs.map(|(_, path)| format!("the filter of -outjars {path} is ignored")).collect()
}

/// The libraries that the configuration names and that are there; the JDK is found by itself.
pub fn library_jars(roots: &Roots) -> Vec<PathBuf> {
    let paths = jars(roots, "libraryjars").into_iter();
    paths.filter(|path| !path.starts_with("<java.home>") && path.exists()).collect()
}
