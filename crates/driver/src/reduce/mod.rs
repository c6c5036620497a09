//! Making a failing program small.
//!
//! A program that shows a mistake is hard to read while most of it has nothing to do with the mistake. So
//! parts of it are taken away for as long as what is left still fails, which is Zeller and Hildebrandt's
//! delta debugging ("Simplifying and Isolating Failure-Inducing Input", TSE 2002), with steps that know
//! what a program is:
//!
//! - A program of functions ([`functions`]) loses functions, edges, blocks, operations, parameters and exits;
//!   operands become constants or each other. Every candidate keeps the invariants of the IR, so a
//!   broken program is never mistaken for the mistake.
//! - A file of traces or a log ([`lines`]) loses lines and fail arguments; what loses its operation becomes
//!   an input.
//!
//! Large pieces are tried first. The result is minimal in that none of the steps can be taken any more,
//! unless the number of tests ran out.

pub mod functions;
pub mod lines;
mod oracle;

use planish_ir::Module;

use crate::content::Content;
use crate::reading::Writing;
use crate::session::Session;
use crate::{Dialect, Reading};

pub use self::oracle::Oracle;

/// How many candidates are tried, unless said otherwise.
pub const TESTS: u64 = 20_000;

/// A program that was made small.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Reduced {
    /// The program, in the dialect that it came in.
    pub program: Vec<u8>,
    /// Whether the number of tests ran out before nothing could be taken away any more.
    pub is_cut_short: bool,
}

/// Makes a program small for which `fails` holds; it is asked about programs in the same dialect.
///
/// The error is the message of the reader, or that `fails` does not hold of the program to begin with: as
/// it stands, or written anew.
pub fn reduce(
    name: &str,
    source: Vec<u8>,
    dialect: Dialect,
    reading: Reading,
    tests: u64,
    fails: &mut dyn FnMut(&[u8]) -> bool,
) -> Result<Reduced, String> {
    let session = Session::open(name, source.clone(), dialect, reading)?;
    if !fails(&source) {
        return Err(format!("{name} does not fail"));
    }
    let Session { content: Content::Module { module, .. }, .. } = &session else {
        return by_lines(name, source, dialect, reading, tests, fails);
    };
    let write = |module: &Module| {
        session.write_module(module, dialect, Writing { extended: true, ..Writing::default() })
    };
    if !fails(&write(module)?) {
        return Err(format!("{name} fails, but not when it is read and written anew"));
    }
    // What cannot be written in the dialect is no candidate.
    let mut asked = |module: &Module| write(module).is_ok_and(|bytes| fails(&bytes));
    let mut oracle = Oracle::new(&mut asked, tests);
    let small = functions::reduce(module, &mut oracle);
    let (program, is_cut_short) = (write(&small)?, oracle.is_spent());
    match dialect {
        // Declarations that nothing names any more are lines of their own.
        Dialect::Ssa => by_lines(name, program, dialect, reading, tests, fails),
        _ => Ok(Reduced { program, is_cut_short }),
    }
}

/// Takes lines away. What cannot be read is no candidate.
fn by_lines(
    name: &str,
    source: Vec<u8>,
    dialect: Dialect,
    reading: Reading,
    tests: u64,
    fails: &mut dyn FnMut(&[u8]) -> bool,
) -> Result<Reduced, String> {
    let text = String::from_utf8(source).map_err(|_| format!("{name} is not text"))?;
    let mut asked = |text: &str| {
        Session::open(name, text.as_bytes().to_vec(), dialect, reading).is_ok() && fails(text.as_bytes())
    };
    let mut oracle = Oracle::new(&mut asked, tests);
    let program = lines::reduce(&text, &mut oracle).into_bytes();
    Ok(Reduced { program, is_cut_short: oracle.is_spent() })
}
