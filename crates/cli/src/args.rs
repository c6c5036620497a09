//! The command line: every command, option and help text.

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand, ValueEnum, ValueHint};
use planish_driver::Dialect;

/// An optimizing compiler's middle end whose every rewrite rule is proved.
///
/// Planish reads programs in several forms, brings them to one SSA representation, optimizes them with
/// one book of proved rules, and writes them back in the form they came in.
#[derive(Parser, Debug)]
#[command(name = "planish", version, max_term_width = 100, after_help = EXAMPLES)]
pub struct Cli {
    /// What to do.
    #[command(subcommand)]
    pub command: Command,
}

const EXAMPLES: &str = "\
Examples:
  planish opt program.ssa                 optimize, print the result
  planish opt --stats pypy.log -o out.log every trace of a PyPy log, with counts
  planish check program.tac               read and verify only

Dialects are told from file names (.ssa .trace .log .tac .cfg .rvsdg) or by --from.
Exit status: 0 done, 1 the answer is no (rejected input), 2 wrong usage.";

/// The commands.
#[derive(Subcommand, Debug)]
pub enum Command {
    /// Optimize a program and write it back in the form it came in.
    Opt(Opt),
    /// Read and verify only; prints nothing when all is well.
    Check(Check),
    /// Rewrite a program in another dialect.
    Convert(Convert),
    /// Print a completion script for a shell.
    Completions {
        /// The shell.
        shell: clap_complete::Shell,
    },
    /// Write the manual pages to a directory.
    Man {
        /// Where they go; it is made when it does not exist.
        #[arg(value_hint = ValueHint::DirPath)]
        directory: PathBuf,
    },
}

/// How an input is read.
#[derive(Args, Debug)]
pub struct Input {
    /// The program; `-` is standard input.
    #[arg(value_name = "INPUT", value_hint = ValueHint::FilePath)]
    pub path: PathBuf,

    /// The dialect of the input, when its name does not tell.
    #[arg(long, value_name = "DIALECT")]
    pub from: Option<Dialect>,

    #[command(flatten)]
    pub reading: Reading,
}

/// What is read into a text where its dialect leaves it open.
#[derive(Args, Debug, Clone, Default)]
pub struct Reading {
    /// The width of integers in the three-address and region languages.
    #[arg(long, value_name = "BITS", default_value_t = 64, value_parser = clap::value_parser!(u8).range(1..=64))]
    pub width: u8,

    /// What a read of a variable that was never assigned gives: an error unless this is said.
    #[arg(long, value_name = "VALUE")]
    pub undef: Option<Undef>,
}

/// The value of a variable that was never assigned.
#[derive(ValueEnum, Debug, Clone, Copy, PartialEq, Eq)]
pub enum Undef {
    /// Zero.
    Zero,
}

/// Where a result goes.
#[derive(Args, Debug)]
pub struct Output {
    /// Write to this file instead of standard output.
    #[arg(short, long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub output: Option<PathBuf>,

    /// Allow operations that the published languages do not have.
    #[arg(long)]
    pub extended: bool,
}

/// How statistics are printed.
#[derive(ValueEnum, Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    /// For people.
    Text,
    /// For tools.
    Json,
}

/// Optimize a program and write it back in the form it came in.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  planish opt examples/toy/running.ssa
  planish opt --explain program.ssa
  planish opt --stats=json pypy.log.gz -o out.log
  planish opt --fuel 10 program.tac")]
pub struct Opt {
    #[command(flatten)]
    pub input: Input,
    #[command(flatten)]
    pub output: Output,

    /// The dialect of the result, when it is not that of the input.
    #[arg(long, value_name = "DIALECT")]
    pub to: Option<Dialect>,

    /// The passes, divided by colons, in PyPy's names or ours.
    #[arg(long, value_name = "A:B:C")]
    pub passes: Option<String>,

    /// Print what was done, in numbers, to standard error.
    #[arg(long, value_name = "FORMAT", num_args = 0..=1, require_equals = true, default_missing_value = "text")]
    pub stats: Option<Format>,

    /// Print one line a rewrite to standard error: where, what, and by which rule.
    #[arg(long)]
    pub explain: bool,

    /// Write every rewrite as a line of JSON to this file.
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub remarks: Option<PathBuf>,

    /// Stop after this many rewrites.
    #[arg(long, value_name = "N")]
    pub fuel: Option<u64>,
}

/// Read and verify only.
#[derive(Args, Debug)]
pub struct Check {
    #[command(flatten)]
    pub input: Input,
}

/// Rewrite a program in another dialect.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  planish convert power.tac --to rvsdg
  planish convert power.rvsdg --to ssa -o power.ssa")]
pub struct Convert {
    #[command(flatten)]
    pub input: Input,
    #[command(flatten)]
    pub output: Output,

    /// The dialect of the result.
    #[arg(long, value_name = "DIALECT")]
    pub to: Dialect,
}
