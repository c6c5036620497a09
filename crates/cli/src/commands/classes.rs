//! `planish opt` on jars, directories of classes and class files.

use std::path::Path;

use planish_base::Budget;
use planish_driver::Settings;
use planish_driver::classes::{
    Hierarchy, INFLATED_LIMIT, Image, Origin, Source, SourceForm, add_classes, check_classes, find_image,
    optimize_bodies,
};

use crate::args::Opt;
use crate::failure::Failure;
use crate::io;

/// Whether a path names classes: a jar, a class file or a directory.
pub fn names_classes(path: &Path) -> bool {
    let ending = path.extension().and_then(|ending| ending.to_str());
    matches!(ending, Some("jar" | "class")) || path.is_dir()
}

/// Succeeds silently when every class file of a program is well-formed.
pub fn check(path: &Path) -> Result<(), Failure> {
    let source = Source::read(path).map_err(|error| Failure::Rejected(error.to_string()))?;
    well_formed(&source)
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

/// Optimizes a program of classes.
pub fn run(args: &Opt, settings: &Settings) -> Result<(), Failure> {
    let Some(output) = &args.output.output else {
        return Err(Failure::Usage("say with -o where the classes go".into()));
    };
    let rejected = |error: std::io::Error| Failure::Rejected(error.to_string());
    let mut source = Source::read(&args.input.path).map_err(rejected)?;
    if source.form == SourceForm::Class {
        well_formed(&source)?;
    }
    let mut warnings = Vec::new();
    let hierarchy = hierarchy(args, &source, &mut warnings)?;
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    let mut outcome = optimize_bodies(&mut source.archive, &hierarchy, settings, threads)
        .map_err(|error| Failure::Rejected(format!("{}: {error}", source.path.display())))?;
    warnings.append(&mut outcome.warnings);
    for warning in warnings {
        eprintln!("warning: {warning}");
    }
    let bytes = match (source.form, &source.archive.entries[..]) {
        (SourceForm::Class, [class]) => {
            let mut budget = Budget::new("inflated bytes", INFLATED_LIMIT);
            let content = class.content(&mut budget).map_err(|error| Failure::Rejected(error.to_string()))?;
            content.into_owned()
        }
        _ => {
            let mut bytes = Vec::new();
            source.archive.write(&mut bytes).map_err(|error| Failure::Rejected(error.to_string()))?;
            bytes
        }
    };
    eprint!("{}", outcome.summary());
    io::write(Some(output), &bytes)
}

/// The classes of the program, of its libraries and of the JDK that is found.
fn hierarchy(args: &Opt, source: &Source, warnings: &mut Vec<String>) -> Result<Hierarchy, Failure> {
    let mut hierarchy = Hierarchy::new();
    let mut budget = Budget::new("inflated bytes", INFLATED_LIMIT);
    let mut add = |archive: &_, origin, path: &Path| {
        add_classes(&mut hierarchy, archive, origin, &mut budget, warnings)
            .map_err(|error| Failure::Rejected(format!("{}: {error}", path.display())))
    };
    add(&source.archive, Origin::Program, &source.path)?;
    for path in &args.library {
        let library = Source::read(path).map_err(|error| Failure::Rejected(error.to_string()))?;
        add(&library.archive, Origin::Library, path)?;
    }
    match find_image() {
        Some(path) => {
            let image = Image::open(&path).map_err(|error| Failure::Rejected(error.to_string()))?;
            hierarchy
                .add_image(&image)
                .map_err(|error| Failure::Rejected(format!("{}: {error}", path.display())))?;
        }
        None => warnings.push("no JDK is found; methods that need to know its classes are copied".into()),
    }
    Ok(hierarchy)
}
