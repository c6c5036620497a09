//! Files in and out. Nothing else in Planish opens one; how output files come about is in [`outputs`].
//!
//! The standard streams can be [`captured`]: a worker's belong to the build that it answers.

use std::borrow::Cow;
use std::cell::RefCell;
use std::io::{ErrorKind, IsTerminal, Read, Write};
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};

use planish_base::shown;

use crate::failure::Failure;
use crate::outputs;

/// The name under which standard input and output are given.
const STREAM: &str = "-";

thread_local! {
    /// What goes to both standard streams while they are captured.
    static CAPTURED: RefCell<Option<Vec<u8>>> = const { RefCell::new(None) };
}

/// Whether there was no standard output when the process began. Before `main`, Rust puts a device in its place that
/// takes everything, so what is written would be lost without a word.
static IS_CLOSED: AtomicBool = AtomicBool::new(false);

#[cfg(unix)]
ctor::declarative::ctor! {
    #[ctor(unsafe)]
    fn look_at_standard_output() {
        use std::os::fd::AsFd;
        IS_CLOSED.store(std::io::stdout().as_fd().try_clone_to_owned().is_err(), Ordering::Relaxed);
    }
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
    let text = text.to_string();
    if !capture(text.as_bytes()) {
        let mut err = std::io::stderr().lock();
        let is_terminal = err.is_terminal();
        let _ = err.write_all(&for_whom(is_terminal, text.as_bytes()));
    }
}

/// What a terminal is shown of bytes: names and texts of programs do not steer it. Other readers get what is there.
fn for_whom(is_terminal: bool, bytes: &[u8]) -> Cow<'_, [u8]> {
    match std::str::from_utf8(bytes) {
        Ok(text) if is_terminal => match shown(text) {
            Cow::Borrowed(text) => Cow::Borrowed(text.as_bytes()),
            Cow::Owned(text) => Cow::Owned(text.into_bytes()),
        },
        _ => Cow::Borrowed(bytes),
    }
}

/// Writes to a file, whole or not at all, or to standard output when there is none or it is `-`.
///
/// A reader that closed its end of a pipe has seen enough: that is not an error.
pub fn write(path: Option<&Path>, bytes: &[u8]) -> Result<(), Failure> {
    match path {
        Some(path) if path != Path::new(STREAM) => outputs::write_file(path, bytes)
            .map_err(|e| Failure::Rejected(format!("{}: {e}", path.display()))),
        _ if capture(bytes) => Ok(()),
        _ if IS_CLOSED.load(Ordering::Relaxed) => {
            Err(Failure::Rejected("standard output: it is closed; -o writes to a file".to_owned()))
        }
        _ => {
            let mut out = std::io::stdout().lock();
            let is_terminal = out.is_terminal();
            match out.write_all(&for_whom(is_terminal, bytes)).and_then(|()| out.flush()) {
                Err(e) if e.kind() != ErrorKind::BrokenPipe => {
                    Err(Failure::Rejected(format!("standard output: {e}")))
                }
                _ => Ok(()),
            }
        }
    }
}
