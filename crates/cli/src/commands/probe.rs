//! Asking a command of the user's about a program.

use std::io::ErrorKind;
use std::path::PathBuf;
use std::process::Command;

use crate::failure::Failure;
use crate::io;

/// Whether a command succeeds on a program, which it finds in a temporary file.
pub fn accepts(command: &str, extension: &str, program: &[u8]) -> Result<bool, Failure> {
    let directory = temporary_directory()?;
    let path = directory.join("program").with_extension(extension);
    let written = io::write(Some(&path), program);
    // The command line is the user's own; the shell divides it into words.
    let run = || Command::new("sh").arg("-c").arg(format!("{command} \"$0\"")).arg(&path).status();
    let status =
        written.and_then(|()| run().map_err(|error| Failure::Rejected(format!("{command}: {error}"))));
    // What is in a temporary directory may be left behind.
    let _ = std::fs::remove_dir_all(&directory);
    status.map(|status| status.success())
}

/// A directory that was not there: in one that others write to, whoever guesses a name could lead us elsewhere.
pub fn temporary_directory() -> Result<PathBuf, Failure> {
    for number in 0u64.. {
        let name = format!("planish-probe-{}-{number}", std::process::id());
        let path = std::env::temp_dir().join(name);
        match std::fs::create_dir(&path) {
            Ok(()) => return Ok(path),
            Err(error) if error.kind() == ErrorKind::AlreadyExists => {}
            Err(error) => return Err(Failure::Rejected(format!("{}: {error}", path.display()))),
        }
    }
    Err(Failure::Rejected("no name for a temporary directory".into()))
}
