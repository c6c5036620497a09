//! One file a command.

pub mod check;
pub mod convert;
pub mod opt;
pub mod shell;

use planish_driver::{Dialect, Reading, Session};

use crate::args;
use crate::failure::Failure;
use crate::io;

/// Reads the program that the arguments name; warnings go to standard error.
pub fn open(input: &args::Input) -> Result<Session, Failure> {
    open_path(&input.path, input.from, &input.reading)
}

/// Reads a program by path.
pub fn open_path(
    path: &std::path::Path,
    from: Option<Dialect>,
    reading: &args::Reading,
) -> Result<Session, Failure> {
    let Some(dialect) = from.or_else(|| Dialect::of_path(path)) else {
        let message =
            format!("{}: the name does not tell a dialect; say it with --from", io::display_name(path));
        return Err(Failure::Usage(message));
    };
    let bytes = io::read(path)?;
    let reading = Reading { width: reading.width, unassigned_is_zero: reading.undef.is_some() };
    let session =
        Session::open(&io::display_name(path), bytes, dialect, reading).map_err(Failure::Rejected)?;
    if !session.warnings().is_empty() {
        eprintln!("{}", session.warnings());
    }
    Ok(session)
}
