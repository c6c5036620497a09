//! Asking a command of the user's about a program.

use std::process::Command;

use crate::failure::Failure;
use crate::io;

/// Whether a command succeeds on a program, which it finds in a temporary file.
pub fn accepts(command: &str, extension: &str, program: &[u8]) -> Result<bool, Failure> {
    let path = std::env::temp_dir().join(format!("planish-probe-{}.{extension}", std::process::id()));
    io::write(Some(&path), program)?;
    // The command line is the user's own; the shell divides it into words.
    let status = Command::new("sh").arg("-c").arg(format!("{command} \"$0\"")).arg(&path).status();
    // The file is in a temporary directory: leaving it behind is no failure.
    let _ = std::fs::remove_file(&path);
    status.map(|status| status.success()).map_err(|e| Failure::Rejected(format!("{command}: {e}")))
}
