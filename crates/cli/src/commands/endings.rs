//! How a run of a program ended, for people.

use crate::failure::Failure;
use crate::io;

/// Prints the results of a run, or says how else it ended.
pub fn print(results: Result<String, String>) -> Result<(), Failure> {
    io::write(None, results.map_err(Failure::Rejected)?.as_bytes())
}
