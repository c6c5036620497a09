//! Files in and out. Nothing else in Planish opens one.
//!
//! An output file appears whole or not at all: bytes go to a temporary file in the same directory,
//! which is renamed when everything is written. What is no regular file (a device, a pipe) is written to.
//!
//! The standard streams can be [`captured`]: a worker's belong to the build that it answers.

use std::cell::RefCell;
use std::io::{ErrorKind, Read, Write};
use std::path::{Path, PathBuf};

use crate::failure::Failure;

/// The name under which standard input and output are given.
const STREAM: &str = "-";

thread_local! {
    /// What goes to both standard streams while they are captured.
    static CAPTURED: RefCell<Option<Vec<u8>>> = const { RefCell::new(None) };
}

/// Runs a command on this thread and collects what it would write to the standard streams. Standard input
/// cannot be read meanwhile.
pub fn captured<T>(run: impl FnOnce() -> T) -> (T, Vec<u8>) {
    CAPTURED.set(Some(Vec::new()));
    let result = run();
    (result, CAPTURED.take().unwrap_or_default())
}

/// Whether the text went to whoever captures the streams.
fn capture(text: &[u8]) -> bool {
    CAPTURED.with_borrow_mut(|captured| captured.as_mut().map(|all| all.extend_from_slice(text)).is_some())
}

/// The bytes of a file, or of standard input for `-`.
pub fn read(path: &Path) -> Result<Vec<u8>, Failure> {
    if path == Path::new(STREAM) {
        if capture(b"") {
            return Err(Failure::Rejected("standard input belongs to the build: name a file".to_owned()));
        }
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
    if !capture(text.to_string().as_bytes()) {
        let _ = std::io::stderr().lock().write_fmt(text);
    }
}

/// Writes to a file, whole or not at all, or to standard output when there is none or it is `-`.
///
/// A reader that closed its end of a pipe has seen enough: that is not an error.
pub fn write(path: Option<&Path>, bytes: &[u8]) -> Result<(), Failure> {
    match path {
        Some(path) if path != Path::new(STREAM) => {
            write_file(path, bytes).map_err(|e| Failure::Rejected(format!("{}: {e}", path.display())))
        }
        _ if capture(bytes) => Ok(()),
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
