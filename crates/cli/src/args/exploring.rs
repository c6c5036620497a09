//! `planish explore`: a page to try things on.

use std::path::PathBuf;

use clap::{Args, ValueHint};
use planish_driver::Dialect;

/// Try programs and rules on a local page that shows, while one types, what becomes of them.
#[derive(Args, Debug)]
#[command(after_help = "\
The command prints the address of the page and serves it on this machine only, until Ctrl-C.
Nothing is written but what is saved by hand. A link of the page holds all that was typed, and may
be given in place of a file.

Examples:
  planish explore
  planish explore examples/power.ssa
  planish explore program.tac --rules my.rules --port 8000")]
pub struct Explore {
    /// The program with which the page opens, or a link of the page; an example without one.
    #[arg(value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub path: Option<PathBuf>,

    /// The dialect of the program, when its name does not tell.
    #[arg(long, value_name = "DIALECT")]
    pub from: Option<Dialect>,

    /// The rules with which it opens.
    #[arg(long, value_name = "FILE.rules", value_hint = ValueHint::FilePath)]
    pub rules: Option<PathBuf>,

    /// The port; any that is free for 0.
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub port: u16,
}
