//! `planish check`: reads and verifies.

use planish_base::caught;

use crate::args::Check;
use crate::failure::Failure;

/// Succeeds silently when the program is well-formed.
pub fn run(args: &Check) -> Result<(), Failure> {
    caught::set_guards(true);
    if args.input.from.is_none() && super::classes::names_classes(&args.input.path) {
        return super::classes::check(&args.input.path, args.input.reading.inflated_limit);
    }
    super::open(&args.input).map(drop)
}
