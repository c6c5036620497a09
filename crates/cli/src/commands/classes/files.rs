//! Files of a run over classes: archives that are read, and where results go.

use std::path::{Path, PathBuf};

use planish_base::Budget;
use planish_jar::classes::{Archive, INFLATED_LIMIT, Source, SourceForm, check_classes};
use planish_jar::programs::roots::Roots;

use crate::args::{ClassOptions, Opt};
use crate::claims::Claims;
use crate::commands::classes::configuration::{WRITTEN, filtered_jars, jars, library_jars, written};
use crate::commands::ledgers;
use crate::failure::Failure;

pub fn well_formed(source: &Source) -> Result<(), Failure> {
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
    let source = Source::read(path).map_err(Failure::rejected)?;
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
pub struct Files {
    /// The jars, directories and class files, each with the filter of its entries if it has one.
    pub inputs: Vec<(PathBuf, Option<String>)>,
    /// More that the program uses.
    pub libraries: Vec<PathBuf>,
    pub output: PathBuf,
    /// Where what becomes of each input goes; the output alone unless that is a directory.
    pub targets: Vec<PathBuf>,
    /// Where the list of what was removed goes, if it is wanted.
    pub removed: Option<PathBuf>,
}

impl Files {
    pub fn of(args: &Opt, roots: &Roots) -> Result<Files, Failure> {
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

    /// Makes the directory for the results, if they go to one.
    pub fn make_directory(&self) -> Result<(), Failure> {
        match is_directory(&self.output) {
            true => std::fs::create_dir_all(&self.output)
                .map_err(|error| Failure::Rejected(format!("{}: {error}", self.output.display()))),
            false => Ok(()),
        }
    }
}

/// The bytes of a jar, or of a class that came alone.
pub fn bytes_of(archive: &Archive, is_class: bool) -> Result<Vec<u8>, Failure> {
    match &archive.entries[..] {
        [class] if is_class => {
            let mut budget = Budget::new("inflated bytes", INFLATED_LIMIT);
            Ok(class.content(&mut budget).map_err(Failure::rejected)?.into_owned())
        }
        _ => {
            let mut bytes = Vec::new();
            archive.write(&mut bytes).map_err(Failure::rejected)?;
            Ok(bytes)
        }
    }
}

/// Where what becomes of each input is written in a directory: under its own name. A directory of classes becomes a jar.
pub fn targets(directory: &Path, inputs: &[(PathBuf, Option<String>)]) -> Result<Vec<PathBuf>, Failure> {
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

/// Whether an output is a directory, in which each input has a file of its own.
pub fn is_directory(output: &Path) -> bool {
    output.as_os_str().as_encoded_bytes().ends_with(b"/") || output.is_dir()
}

/// The inputs that are named, else those of configuration files.
pub fn inputs<'p>(
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
pub fn libraries(options: &ClassOptions, roots: &Roots) -> Vec<PathBuf> {
    options.library.iter().cloned().chain(library_jars(roots)).collect()
}

/// Sees to it that nothing is written to a file that is read or written for something else.
pub fn claim(args: &Opt, roots: &Roots, files: &Files) -> Result<(), Failure> {
    let mut claims = Claims::default();
    let inputs = files.inputs.iter().map(|(path, _)| path).chain(&files.libraries);
    inputs.chain(&args.rules.files).chain(&args.classes.keep).for_each(|path| claims.read(path));
    args.rules.files.iter().for_each(|path| claims.read(&ledgers::beside(path)));
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
