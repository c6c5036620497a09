//! `planish check`: reads and verifies.

use crate::args::Check;
use crate::failure::Failure;

/// Succeeds silently when the program is well-formed.
pub fn run(args: &Check) -> Result<(), Failure> {
    super::open(&args.input).map(drop)
}
