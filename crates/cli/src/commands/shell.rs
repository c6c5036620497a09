//! `planish completions` and `planish man`: made from the declaration of the command line.

use std::path::Path;

use clap::CommandFactory;

use crate::args::Cli;
use crate::failure::Failure;
use crate::io;

/// Prints a completion script.
pub fn completions(shell: clap_complete::Shell) -> Result<(), Failure> {
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut Cli::command(), "planish", &mut script);
    io::write(None, &script)
}

/// Writes one manual page a command.
pub fn manual(directory: &Path) -> Result<(), Failure> {
    let failed = |e: std::io::Error| Failure::Rejected(format!("{}: {e}", directory.display()));
    std::fs::create_dir_all(directory).map_err(failed)?;
    clap_mangen::generate_to(Cli::command(), directory).map_err(failed)
}
