//! `planish retrace`: stack traces of a result as those of the program that it was made of.

use std::path::{Path, PathBuf};

use planish_driver::retrace::mapping::Mapping;
use planish_driver::retrace::retrace;

use crate::claims::Claims;
use crate::failure::Failure;
use crate::io;

/// Turns back the frames of a text, standard input if none is named.
pub fn run(mapping: &Path, trace: Option<&PathBuf>, output: Option<&PathBuf>) -> Result<(), Failure> {
    let trace = trace.map_or(Path::new("-"), PathBuf::as_path);
    let mut claims = Claims::default();
    [mapping, trace].into_iter().for_each(|path| claims.read(path));
    claims.write("-o", output.map(PathBuf::as_path))?;
    if mapping == Path::new("-") && trace == mapping {
        return Err(Failure::Usage(
            "one of the mapping and the trace is a file: standard input is one text".into(),
        ));
    }
    let text = |path: &Path| io::read(path).map(|bytes| String::from_utf8_lossy(&bytes).into_owned());
    let read = Mapping::parse(&text(mapping)?)
        .map_err(|error| Failure::Rejected(format!("{}: {error}", io::display_name(mapping))))?;
    io::write(output.map(PathBuf::as_path), retrace(&read, &text(trace)?).as_bytes())
}
