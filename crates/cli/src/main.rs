//! The `planish` command: arguments, files, exit status.
//!
//! Each command is a file of [`commands`]; what is done with a program is done in the crates below. A
//! command fails with a [`Failure`](failure::Failure), whose text goes to standard error and whose kind
//! decides the exit status. With `--persistent_worker` among the arguments the command answers many requests
//! of a build, one after the other ([`worker`]); a last argument `@FILE` stands for the lines of a file
//! ([`response`]). Another argument, which nobody types, has it answer the page of `planish explore`.

mod args;
mod claims;
mod commands;
mod exhaustion;
mod failure;
mod io;
mod kept;
mod outputs;
mod progress;
mod response;
mod signals;
mod worker;

use std::process::ExitCode;

use clap::Parser;
use planish_base::threads;

use args::Cli;
use commands::explore;

fn main() -> ExitCode {
    ExitCode::from(threads::on_large_stack(status))
}

/// Does what the arguments say, and returns the exit status.
fn status() -> u8 {
    signals::outlive_file_limits();
    if let Some(worker) = worker::started(std::env::args_os()) {
        return worker::serve(&worker);
    }
    if explore::is_answering(std::env::args_os()) {
        return explore::answer();
    }
    match response::expanded(std::env::args_os()) {
        Ok(arguments) => match Cli::try_parse_from(arguments) {
            Ok(cli) => commands::run(cli.command),
            Err(error) => ended(error.use_stderr(), &error),
        },
        Err(message) => {
            io::say(format_args!("error: {message}\n"));
            2
        }
    }
}

/// Shows what arguments give in place of a command: what is wrong with them, or help and the version, which are an output
/// like others.
fn ended(is_wrong: bool, error: &clap::Error) -> u8 {
    if is_wrong {
        // Nobody is left to be told that this failed.
        let _ = error.print();
        return 2;
    }
    match io::print(|| error.print()) {
        Ok(()) => 0,
        Err(failure) => {
            io::say(format_args!("{}\n", failure.message()));
            failure.status()
        }
    }
}
