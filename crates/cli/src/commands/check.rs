//! `planish check`: reads and verifies.

use planish_base::caught;
use planish_driver::Session;

use crate::args::Check;
use crate::failure::Failure;

/// Succeeds silently when the program is well-formed; several files of traces are also held against each other.
pub fn run(args: &Check) -> Result<(), Failure> {
    caught::set_guards(true);
    if args.input.from.is_none() && super::classes::names_classes(&args.input.path) {
        let limit = args.input.reading.inflated_limit;
        let mut paths = std::iter::once(&args.input.path).chain(&args.more);
        return paths.try_for_each(|path| super::classes::check(path, limit));
    }
    let mut sessions = vec![super::open(&args.input)?];
    for path in &args.more {
        sessions.push(super::open_path(path, args.input.from, &args.input.reading)?);
    }
    Session::hold_together(&sessions).map_err(Failure::Rejected)
}
