//! `planish check`: reads and verifies.

use std::path::Path;

use planish_base::caught;
use planish_driver::{Dialect, logs};

use super::{opening, together};
use crate::args::Check;
use crate::failure::Failure;
use crate::io;

/// Succeeds silently when the program is well-formed; several files of traces are one program.
pub fn run(args: &Check) -> Result<(), Failure> {
    caught::set_guards(true);
    if args.input.from.is_none() && super::file_names::names_classes(&args.input.path) {
        let limit = args.input.reading.inflated_limit;
        let mut paths = std::iter::once(&args.input.path).chain(&args.more);
        return paths.try_for_each(|path| super::classes::check(path, limit));
    }
    let paths = std::iter::once(&args.input.path).chain(&args.more);
    let (mut traces, mut others) = (Vec::new(), Vec::new());
    for path in paths {
        match opening::dialect(path, args.input.from)? {
            Dialect::Trace => traces.push(path.clone()),
            Dialect::PypyLog => log(path, args)?,
            _ => others.push(path),
        }
    }
    for path in others {
        opening::open_path(path, args.input.from, &args.input.reading)?;
    }
    if !traces.is_empty() {
        together::open(together::read(&traces)?, &args.input.reading)?;
    }
    Ok(())
}

/// Looks a log over, piece by piece.
fn log(path: &Path, args: &Check) -> Result<(), Failure> {
    let reading = opening::what_is_open(&args.input.reading);
    io::again(path, |length, open| {
        let source = logs::Source { name: &io::display_name(path), length, open };
        let seen = logs::look_over(&source, reading, logs::PIECE, logs::Unread::Refused)
            .map_err(Failure::Rejected)?;
        io::say(format_args!("{}", seen.warnings()));
        Ok(())
    })
}
