//! Arguments in a file.
//!
//! Builds pass command lines that no system call would take: a last argument `@FILE` stands for the lines of the file, an
//! argument each, as Bazel's parameter files have them (format `multiline`). Nothing in such a file is special: a line is an
//! argument as it stands.

use std::ffi::OsString;

/// The arguments, with the lines of the file in place of the last if that names one. The error says which file cannot be read.
pub fn expanded(arguments: impl Iterator<Item = OsString>) -> Result<Vec<OsString>, String> {
    let mut arguments: Vec<OsString> = arguments.collect();
    let named = arguments.last().and_then(|last| last.to_str()).and_then(|last| last.strip_prefix('@'));
    let Some(path) = named.map(str::to_owned) else { return Ok(arguments) };
    let text = std::fs::read_to_string(&path).map_err(|error| format!("{path}: {error}"))?;
    arguments.pop();
    arguments.extend(text.lines().map(OsString::from));
    Ok(arguments)
}
