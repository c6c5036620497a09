//! What names of files say is in them; of an output, held against what is. An ending that nobody knows says nothing.

use std::path::Path;

use planish_driver::Dialect;

use crate::failure::Failure;

/// Whether a path names classes: a jar, a class file or a directory.
pub fn names_classes(path: &Path) -> bool {
    let ending = path.extension().and_then(|ending| ending.to_str());
    matches!(ending, Some("jar" | "class")) || path.is_dir()
}

/// Refuses to write a text of a dialect under a name that tells another one.
pub fn hold_text(output: Option<&Path>, written: Dialect) -> Result<(), Failure> {
    let Some(path) = output else { return Ok(()) };
    let shown = path.display();
    if names_classes(path) && !path.is_dir() {
        return Err(Failure::Usage(format!(
            "{shown}: this is the name of classes, and the result is {written}"
        )));
    }
    match Dialect::of_path(path) {
        Some(named) if named != written => Err(Failure::Usage(format!(
            "{shown}: this is the name of {named}, and the result is {written}; --to {named} writes it as that"
        ))),
        _ => Ok(()),
    }
}

/// Refuses to write classes under a name that tells a text, or more than one class under that of a class file.
pub fn hold_classes(output: &Path, is_class: bool) -> Result<(), Failure> {
    let shown = output.display();
    if let Some(named) = Dialect::of_path(output) {
        return Err(Failure::Usage(format!(
            "{shown}: this is the name of {named}, and classes are written as classes"
        )));
    }
    match has_ending(output, "class") && !is_class {
        true => Err(Failure::Usage(format!(
            "{shown}: this is the name of one class file, and the result is a jar"
        ))),
        false => Ok(()),
    }
}

/// Whether a name ends so.
pub fn has_ending(path: &Path, ending: &str) -> bool {
    path.extension().is_some_and(|of_path| of_path == ending)
}
