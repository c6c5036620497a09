//! Arguments in a file.
//!
//! Builds pass command lines that no system call would take: a last argument `@FILE` stands for the lines of the file, an
//! argument each, as Bazel's parameter files have them (format `multiline`). Nothing in such a file is special: a line is an
//! argument as it stands. An argument `@FILE.pro` is a configuration file instead, as ProGuard takes it: `--keep FILE.pro`.

use std::ffi::OsString;

/// The configuration file that an argument names.
fn configuration(argument: &str) -> Option<&str> {
    argument.strip_prefix('@').filter(|path| path.ends_with(".pro"))
}

/// The arguments, with the lines of the file in place of the last if that names one. The error says which file cannot be read.
pub fn expanded(arguments: impl Iterator<Item = OsString>) -> Result<Vec<OsString>, String> {
    let mut arguments: Vec<OsString> = arguments
        .flat_map(|argument| match argument.to_str().and_then(configuration) {
            Some(path) => vec!["--keep".into(), path.into()],
            None => vec![argument],
        })
        .collect();
    let named = arguments.last().and_then(|last| last.to_str()).and_then(|last| last.strip_prefix('@'));
    let Some(path) = named.map(str::to_owned) else { return Ok(arguments) };
    let text = std::fs::read_to_string(&path).map_err(|error| format!("{path}: {error}"))?;
    arguments.pop();
    arguments.extend(text.trim_start_matches('\u{feff}').lines().map(OsString::from));
    Ok(arguments)
}
