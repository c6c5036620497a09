//! What is said of mining for rules.

use std::path::PathBuf;

use clap::{Args, ValueHint};
use planish_driver::Dialect;

use super::Solver;

/// Find rules in programs: what they compute often, and what computes the same for less.
#[derive(Args, Debug)]
#[command(after_help = "\
Programs are optimized with the book. Of four fifths of their functions, chosen by a hash of their names, pieces of pure
integer operations are counted, and for the most frequent ones something cheaper is searched. What is found is made more
general, proved at all widths, left out if it follows from the book or from another rule that was found, and priced on the
functions that were held back: one that saves nothing there is left out. A program that cannot be read is named, and the
others are learned from; only if there is none the exit status is 1. The rules go to standard output or a file, for a person to accept; what was done goes to
standard error. The same programs give the same rules. A candidate may cost 5 seconds of work unless --timeout says otherwise.

Examples:
  planish mine program.ssa -o mined.rules
  planish mine logs/*.log.gz library.jar -o mined.rules
  planish mine --size 4 --top 1000 --timeout 2 traces/*.trace")]
pub struct Mine {
    /// Programs of any dialect. Each jar or directory of classes is a program.
    #[arg(required = true, value_name = "CORPUS", value_hint = ValueHint::AnyPath)]
    pub inputs: Vec<PathBuf>,

    /// The dialect of the programs whose names do not tell.
    #[arg(long, value_name = "DIALECT")]
    pub from: Option<Dialect>,

    /// Write the rules to this file instead of standard output.
    #[arg(short, long, value_name = "FILE.rules", value_hint = ValueHint::FilePath)]
    pub output: Option<PathBuf>,

    /// How many operations a piece has at most.
    #[arg(long, value_name = "OPERATIONS", default_value_t = 3, value_parser = clap::value_parser!(u8).range(2..=5))]
    pub size: u8,

    /// For how many pieces something cheaper is searched, the most frequent ones.
    #[arg(long, value_name = "N", default_value_t = 300)]
    pub top: usize,

    /// Leave out pieces that stand at fewer places.
    #[arg(long, value_name = "PLACES", default_value_t = 2)]
    pub least: u64,

    /// A jar or directory of classes that programs of classes use; may be repeated.
    #[arg(long, value_name = "JAR", value_hint = ValueHint::AnyPath)]
    pub library: Vec<PathBuf>,

    #[command(flatten)]
    pub solver: Solver,
}
