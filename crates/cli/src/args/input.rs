//! How a program is read, and where what becomes of it goes.

use std::path::PathBuf;

use clap::{Args, ValueEnum, ValueHint};
use planish_driver::Dialect;

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

/// How the input of `planish opt` is read.
#[derive(Args, Debug)]
pub struct OptInput {
    /// The program; `-` is standard input. A configuration file may name jars instead (`-injars`).
    #[arg(value_name = "INPUT", value_hint = ValueHint::FilePath, required_unless_present = "keep")]
    pub path: Option<PathBuf>,

    /// The dialect of the input, when its name does not tell.
    #[arg(long, value_name = "DIALECT")]
    pub from: Option<Dialect>,

    #[command(flatten)]
    pub reading: Reading,
}

impl OptInput {
    /// The input that is named; one without a name if it is not.
    pub fn named(&self) -> Input {
        let path = self.path.clone().unwrap_or_default();
        Input { path, from: self.from, reading: self.reading.clone() }
    }
}

/// The width of integers where nothing else is said.
const WIDTH: u8 = 64;

/// What is read into a text where its dialect leaves it open.
#[derive(Args, Debug, Clone)]
pub struct Reading {
    /// The width of integers in the three-address and region languages.
    #[arg(long, value_name = "BITS", default_value_t = WIDTH, value_parser = clap::value_parser!(u8).range(1..=64))]
    pub width: u8,

    /// What a read of a variable that was never assigned gives: an error unless this is said.
    #[arg(long, value_name = "VALUE")]
    pub undef: Option<Undef>,

    /// Take jars and compressed logs that inflate to so many bytes, and logs of so many that have to be in memory as a whole.
    /// Without it, those are refused that inflate to more than 256 MiB and to more than 100 times their size: bombs; and logs
    /// of more than 128 MiB of which a report is asked, or another command than `opt` and `check`.
    #[arg(long, value_name = "BYTES")]
    pub inflated_limit: Option<u64>,
}

impl Default for Reading {
    fn default() -> Self {
        Reading { width: WIDTH, undef: None, inflated_limit: None }
    }
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
    /// Write to this file instead of standard output. A directory (`DIR/`) gets one file for each input, when
    /// these are jars or files of traces.
    #[arg(short, long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub output: Option<PathBuf>,

    /// Allow operations that the published languages do not have.
    #[arg(long)]
    pub extended: bool,

    /// What stands in front of the numbers of values in .ssa text, instead of `v`.
    #[arg(long, value_name = "NAME", value_parser = prefix)]
    pub prefix: Option<String>,
}

/// A text with which a name may begin.
fn prefix(text: &str) -> Result<String, String> {
    match planish_ir::text::is_prefix(text) {
        true => Ok(text.to_owned()),
        false => {
            Err("a name begins with a letter, letters, digits, `_`, `.` and `$` follow, and it is no type"
                .into())
        }
    }
}
