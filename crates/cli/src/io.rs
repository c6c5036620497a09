//! Files in and out. Nothing else in Planish opens one; how output files come about is in [`outputs`].
//!
//! The standard streams can be [`captured`]: a worker's belong to the build that it answers. What a command writes and says can be
//! [`recorded`], so that it is [kept](crate::kept).

use std::borrow::Cow;
use std::cell::RefCell;
use std::io::{BufWriter, Cursor, Error, ErrorKind, IsTerminal, Read, Stdout, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use planish_base::shown;

use crate::failure::Failure;
use crate::outputs;

/// The name under which standard input and output are given.
const STREAM: &str = "-";

thread_local! {
    /// What goes to both standard streams while they are captured.
    static CAPTURED: RefCell<Option<Vec<u8>>> = const { RefCell::new(None) };

    /// What is written and said while that is recorded.
    static RECORDED: RefCell<Option<Vec<Event>>> = const { RefCell::new(None) };
}

/// What a command does that others see.
pub enum Event {
    /// It says something on standard error.
    Said(String),
    /// It says how long it took.
    Took,
    /// It writes a file, or to standard output.
    Wrote(Option<PathBuf>, Vec<u8>),
}

/// Whether there was no standard output when the process began. Before `main`, Rust puts a device in its place that
/// takes everything, so what is written would be lost without a word.
static IS_CLOSED: AtomicBool = AtomicBool::new(false);

#[cfg(unix)]
ctor::declarative::ctor! {
    // SAFETY: before `main` there is one thread, and nothing of the library may be used that `main` sets up. This asks the
    // system about a descriptor and sets a number.
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

/// Runs a part of a command on this thread and collects what it says, and what it writes at once.
pub fn recorded<T>(run: impl FnOnce() -> T) -> (T, Vec<Event>) {
    RECORDED.set(Some(Vec::new()));
    let result = run();
    (result, RECORDED.take().unwrap_or_default())
}

/// Adds to what is recorded, if anything is.
fn record(event: impl FnOnce() -> Event) {
    RECORDED.with_borrow_mut(|recorded| {
        if let Some(events) = recorded {
            events.push(event());
        }
    });
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

/// Fails as reading would if there is nothing of this name.
pub fn must_exist(path: &Path) -> Result<(), Failure> {
    if path == Path::new(STREAM) {
        return Ok(());
    }
    std::fs::metadata(path).map(drop).map_err(|e| Failure::Rejected(format!("{}: {e}", path.display())))
}

/// Calls `with` with the length of an input, and with what begins reading it, any number of times.
pub fn again<T>(
    path: &Path,
    with: impl FnOnce(u64, &dyn Fn() -> std::io::Result<Box<dyn Read>>) -> Result<T, Failure>,
) -> Result<T, Failure> {
    let at = |e| Failure::Rejected(format!("{}: {e}", path.display()));
    let length = match path == Path::new(STREAM) {
        true => None,
        false => {
            Some(std::fs::metadata(path).map_err(at)?).filter(std::fs::Metadata::is_file).map(|it| it.len())
        }
    };
    match length {
        Some(length) => {
            // That it cannot be opened is said in the usual words.
            std::fs::File::open(path).map_err(at)?;
            with(length, &|| Ok(Box::new(std::fs::File::open(path)?)))
        }
        // What comes through a pipe comes once.
        None => {
            let bytes: Arc<[u8]> = read(path)?.into();
            with(bytes.len() as u64, &|| Ok(Box::new(Cursor::new(Arc::clone(&bytes)))))
        }
    }
}

/// The name that messages give to an input.
pub fn display_name(path: &Path) -> String {
    if path == Path::new(STREAM) { "<stdin>".to_owned() } else { path.display().to_string() }
}

/// Writes to standard error: messages, progress, statistics. A reader that is gone has no use for them, so a
/// failure to write is none of the command.
pub fn say(text: std::fmt::Arguments<'_>) {
    let text = text.to_string();
    record(|| Event::Said(text.clone()));
    tell(&text);
}

/// Says how long something took.
pub fn say_time(time: Duration) {
    record(|| Event::Took);
    tell(&format!("{:.2} s", time.as_secs_f64()));
}

/// Says what a command is about while it works, which is of no interest afterwards.
pub fn say_meanwhile(text: std::fmt::Arguments<'_>) {
    tell(&text.to_string());
}

/// Writes a line of a terminal over the one that this wrote before; an empty one takes that away. Does not end it.
pub fn say_over(line: &str) {
    let mut err = std::io::stderr().lock();
    let _ = err.write_all(b"\r").and_then(|()| err.write_all(&for_whom(true, line.as_bytes())));
    let _ = err.write_all(b"\x1b[K").and_then(|()| err.flush());
}

fn tell(text: &str) {
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
    record(|| Event::Wrote(path.map(Path::to_owned), bytes.to_vec()));
    match path {
        Some(path) if path != Path::new(STREAM) => outputs::write_file(path, bytes)
            .map_err(|e| Failure::Rejected(format!("{}: {e}", path.display()))),
        _ if capture(bytes) => Ok(()),
        _ => print(|| {
            let mut out = std::io::stdout().lock();
            let is_terminal = out.is_terminal();
            out.write_all(&for_whom(is_terminal, bytes))
        }),
    }
}

/// Lets something print on standard output, and says if what it prints is lost.
pub fn print(what: impl FnOnce() -> std::io::Result<()>) -> Result<(), Failure> {
    if IS_CLOSED.load(Ordering::Relaxed) {
        return Err(Failure::Rejected("standard output: it is closed; -o writes to a file".to_owned()));
    }
    match what().and_then(|()| std::io::stdout().flush()) {
        Err(e) if e.kind() != ErrorKind::BrokenPipe => {
            Err(Failure::Rejected(format!("standard output: {e}")))
        }
        _ => Ok(()),
    }
}

/// An output that is written bit by bit: see [`write`].
pub enum Writer<'a> {
    /// A file, which appears when it is finished.
    File(BufWriter<outputs::Begun>, &'a Path),
    /// Standard output as it is.
    Stream(BufWriter<Stdout>, bool),
    /// What has to be seen whole, as by a terminal.
    Kept(Vec<u8>),
}

impl<'a> Writer<'a> {
    /// Begins an output.
    pub fn begin(path: Option<&'a Path>) -> Result<Self, Failure> {
        match path {
            Some(path) if path != Path::new(STREAM) => {
                let begun = outputs::Begun::at(path);
                let begun = begun.map_err(|e| Failure::Rejected(format!("{}: {e}", path.display())))?;
                Ok(Writer::File(BufWriter::new(begun), path))
            }
            _ if capture(b"") || IS_CLOSED.load(Ordering::Relaxed) || std::io::stdout().is_terminal() => {
                Ok(Writer::Kept(Vec::new()))
            }
            _ => Ok(Writer::Stream(BufWriter::new(std::io::stdout()), false)),
        }
    }

    /// Ends it.
    pub fn finish(mut self) -> Result<(), Failure> {
        self.flush().map_err(|e| Failure::Rejected(e.to_string()))?;
        match self {
            Writer::File(begun, path) => {
                let finished =
                    begun.into_inner().map_err(|e| e.into_error()).and_then(outputs::Begun::finish);
                finished.map_err(|e| Failure::Rejected(format!("{}: {e}", path.display())))
            }
            Writer::Stream(..) => Ok(()),
            Writer::Kept(bytes) => write(None, &bytes),
        }
    }

    /// Says which output failed. A reader that is gone has seen enough.
    fn named<T>(&mut self, result: std::io::Result<T>, gone: T) -> std::io::Result<T> {
        match (self, result) {
            (Writer::Stream(_, is_gone), Err(e)) if e.kind() == ErrorKind::BrokenPipe => {
                *is_gone = true;
                Ok(gone)
            }
            (Writer::File(_, path), Err(e)) => Err(Error::new(e.kind(), format!("{}: {e}", path.display()))),
            (Writer::Stream(..), Err(e)) => Err(Error::new(e.kind(), format!("standard output: {e}"))),
            (_, result) => result,
        }
    }
}

impl Write for Writer<'_> {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        let written = match self {
            Writer::File(file, _) => file.write(bytes),
            Writer::Stream(_, true) => Ok(bytes.len()),
            Writer::Stream(out, false) => out.write(bytes),
            Writer::Kept(kept) => kept.write(bytes),
        };
        self.named(written, bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        let flushed = match self {
            Writer::File(file, _) => file.flush(),
            Writer::Stream(out, false) => out.flush(),
            Writer::Stream(_, true) | Writer::Kept(_) => Ok(()),
        };
        self.named(flushed, ())
    }
}
