//! Files in and out. Nothing else in Planish opens one.
//!
//! An output file appears whole or not at all: bytes go to a temporary file in the same directory,
//! which is renamed when everything is written. What is no regular file (a device, a pipe) is written to.

use std::io::{ErrorKind, Read, Write};
use std::path::{Path, PathBuf};

use crate::failure::Failure;

/// The name under which standard input and output are given.
const STREAM: &str = "-";

/// The bytes of a file, or of standard input for `-`.
pub fn read(path: &Path) -> Result<Vec<u8>, Failure> {
    if path == Path::new(STREAM) {
        let mut bytes = Vec::new();
        std::io::stdin()
            .lock()
            .read_to_end(&mut bytes)
            .map_err(|e| Failure::Rejected(format!("standard input: {e}")))?;
        return Ok(bytes);
    }
    std::fs::read(path).map_err(|e| Failure::Rejected(format!("{}: {e}", path.display())))
}

/// The name that messages give to an input.
pub fn display_name(path: &Path) -> String {
    if path == Path::new(STREAM) { "<stdin>".to_owned() } else { path.display().to_string() }
}

/// Writes to standard error: messages, progress, statistics. A reader that is gone has no use for them, so a
/// failure to write is none of the command.
pub fn say(text: std::fmt::Arguments<'_>) {
    let _ = std::io::stderr().lock().write_fmt(text);
}

/// Writes to a file, whole or not at all, or to standard output when there is none or it is `-`.
///
/// A reader that closed its end of a pipe has seen enough: that is not an error.
pub fn write(path: Option<&Path>, bytes: &[u8]) -> Result<(), Failure> {
    match path {
        Some(path) if path != Path::new(STREAM) => {
            write_file(path, bytes).map_err(|e| Failure::Rejected(format!("{}: {e}", path.display())))
        }
        _ => {
            let mut out = std::io::stdout().lock();
            match out.write_all(bytes).and_then(|()| out.flush()) {
                Err(e) if e.kind() != ErrorKind::BrokenPipe => {
                    Err(Failure::Rejected(format!("standard output: {e}")))
                }
                _ => Ok(()),
            }
        }
    }
}

fn write_file(path: &Path, bytes: &[u8]) -> std::io::Result<()> {
    // A link stays one: its target is replaced. Devices and pipes are written to, never replaced.
    let path = &match path.canonicalize() {
        Ok(target) => target,
        Err(e) if e.kind() == ErrorKind::NotFound => path.to_owned(),
        Err(e) => return Err(e),
    };
    if path.metadata().is_ok_and(|metadata| !metadata.is_file()) {
        return std::fs::OpenOptions::new().write(true).open(path)?.write_all(bytes);
    }
    let temporary = temporary_beside(path);
    let written = std::fs::write(&temporary, bytes).and_then(|()| std::fs::rename(&temporary, path));
    if written.is_err() {
        // The first error is the one to report; a temporary file that was never made cannot be removed.
        let _ = std::fs::remove_file(&temporary);
    }
    written
}

fn temporary_beside(path: &Path) -> PathBuf {
    let mut name = path.file_name().unwrap_or_default().to_os_string();
    name.push(format!(".{}.tmp", std::process::id()));
    path.with_file_name(name)
}
