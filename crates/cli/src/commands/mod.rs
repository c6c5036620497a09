//! One file a command.

pub mod agent;
pub mod bisect;
mod bisection;
pub mod check;
pub mod classes;
pub mod convert;
mod corpus;
mod endings;
pub mod explore;
mod file_names;
pub mod generalize;
pub mod ledgers;
pub mod library_rules;
pub mod lsp;
pub mod mine;
pub mod native;
pub mod opening;
pub mod opt;
pub mod pairs;
pub mod passes;
pub mod probe;
pub mod prove;
pub mod reduce;
pub mod report;
pub mod retrace;
pub mod rule_files;
mod rule_names;
pub mod rules;
pub mod run;
pub mod shell;
pub mod summarize;
mod together;
mod told;
pub mod validate;
pub mod worth;
mod written;

use crate::args::Command;
use crate::io;

/// Does what a command says, tells why it failed, and returns the exit status.
pub fn run(command: Command) -> u8 {
    let result = match command {
        Command::Opt(args) => opt::run(&args),
        Command::Report(args) => opt::only_report(*args),
        Command::Explore(args) => explore::run(&args),
        Command::Run(args) => run::run(&args),
        Command::Check(args) => check::run(&args),
        Command::Convert(args) => convert::run(&args),
        Command::Agent { output } => agent::run(&output),
        Command::LibraryRules { names } => library_rules::run(&names),
        Command::Retrace { mapping, trace, output } => {
            retrace::run(&mapping, trace.as_ref(), output.as_ref())
        }
        Command::Summarize { inputs, output } => summarize::run(&inputs, output.as_ref()),
        Command::Validate(args) => validate::run(&args),
        Command::Prove(args) => prove::run(&args),
        Command::Passes(args) => passes::run(&args),
        Command::Rules(args) => rules::run(&args),
        Command::Mine(args) => mine::run(&args),
        Command::Bisect(args) => bisect::run(&args),
        Command::Reduce(args) => reduce::run(&args),
        Command::Completions { shell } => shell::completions(shell),
        Command::Man { directory } => shell::manual(&directory),
    };
    match result {
        Ok(()) => 0,
        Err(failure) => {
            if !failure.message().is_empty() {
                io::say(format_args!("{}\n", failure.message()));
            }
            failure.status()
        }
    }
}
