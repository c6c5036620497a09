//! Programs that arguments name: their dialect, and what its text leaves open.

use std::path::Path;

use planish_driver::{Dialect, Reading, Session, Writing};

use crate::failure::Failure;
use crate::{args, io};

/// Reads the program that the arguments name; warnings go to standard error.
pub fn open(input: &args::Input) -> Result<Session, Failure> {
    open_path(&input.path, input.from, &input.reading)
}

/// Reads a program by path.
pub fn open_path(path: &Path, from: Option<Dialect>, reading: &args::Reading) -> Result<Session, Failure> {
    let dialect = dialect(path, from)?;
    session(path, io::read(path)?, dialect, reading)
}

/// A program whose bytes were read before.
pub fn open_bytes(input: &args::Input, bytes: Vec<u8>) -> Result<Session, Failure> {
    session(&input.path, bytes, dialect(&input.path, input.from)?, &input.reading)
}

/// The dialect of a program, by what was said or by its name.
pub fn dialect(path: &Path, from: Option<Dialect>) -> Result<Dialect, Failure> {
    if let Some(dialect) = from.or_else(|| Dialect::of_path(path)) {
        return Ok(dialect);
    }
    io::must_exist(path)?;
    let name = io::display_name(path);
    Err(Failure::Usage(format!("{name}: the name does not tell a dialect; say it with --from")))
}

fn session(
    path: &Path,
    bytes: Vec<u8>,
    dialect: Dialect,
    reading: &args::Reading,
) -> Result<Session, Failure> {
    let session = Session::open(&io::display_name(path), bytes, dialect, what_is_open(reading))
        .map_err(Failure::Rejected)?;
    if !session.warnings().is_empty() {
        io::say(format_args!("{}\n", session.warnings()));
    }
    Ok(session)
}

/// What the arguments say about what a text leaves open.
pub fn what_is_open(reading: &args::Reading) -> Reading {
    Reading {
        width: reading.width,
        unassigned_is_zero: reading.undef.is_some(),
        inflated_limit: reading.inflated_limit,
    }
}

/// What the arguments say about how a dialect is written.
pub fn writing(output: &args::Output, to: Dialect) -> Result<Writing<'_>, Failure> {
    if output.prefix.is_some() && to != Dialect::Ssa {
        return Err(Failure::Usage("--prefix is about .ssa text".into()));
    }
    Ok(Writing { extended: output.extended, prefix: output.prefix.as_deref() })
}
