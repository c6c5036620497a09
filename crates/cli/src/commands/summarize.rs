//! `planish summarize`: what jars need of others, as keep rules.

use std::path::PathBuf;

use planish_jar::summary::summarize;

use crate::claims::Claims;
use crate::failure::Failure;
use crate::io;

/// Writes the summary of jars, directories of classes or class files.
pub fn run(inputs: &[PathBuf], output: Option<&PathBuf>) -> Result<(), Failure> {
    let mut claims = Claims::default();
    inputs.iter().for_each(|path| claims.read(path));
    claims.write("-o", output.map(PathBuf::as_path))?;
    let mut archives = Vec::new();
    for path in inputs {
        archives.push(super::classes::files::read(path, None)?.archive);
    }
    let text = summarize(&archives).map_err(Failure::Rejected)?;
    io::write(output.map(PathBuf::as_path), text.as_bytes())
}
