//! Output files, each of which appears whole or not at all.
//!
//! Bytes go to a temporary file in the same directory, which takes the name and the mode of the output when everything is
//! written. It has a short name of its own, so that an output's name may be as long as its file system allows. What is no
//! regular file (a device, a pipe) is written to.
//!
//! Whoever writes a temporary file holds its lock. One whose lock is free was left by a process that died, and the next
//! that writes to the directory removes it. A signal that ends this process removes those that it writes.

use std::collections::BTreeSet;
use std::fs::{self, File, Metadata, OpenOptions};
use std::io::{Error, ErrorKind, Result, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// What names of temporary files begin and end with.
const NAME: [&str; 2] = [".planish-", ".tmp"];

/// So many links lead from one to the next at most, as in the kernel.
const MOST_LINKS: usize = 40;

/// The temporary files of this process, and the directories in which it looked for those of others.
struct Here {
    writing: Vec<PathBuf>,
    tidied: BTreeSet<PathBuf>,
}

static HERE: Mutex<Here> = Mutex::new(Here { writing: Vec::new(), tidied: BTreeSet::new() });

/// Names and directories stay right whatever else panicked.
fn here() -> MutexGuard<'static, Here> {
    HERE.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Writes a file, whole or not at all.
pub fn write_file(path: &Path, bytes: &[u8]) -> Result<()> {
    let mut begun = Begun::at(path)?;
    begun.write_all(bytes)?;
    begun.finish()
}

/// An output that is being written. A regular file appears when it is finished; one that is not leaves nothing.
pub struct Begun {
    file: File,
    /// What becomes of the file, where it is a temporary one.
    place: Option<(Temporary, PathBuf)>,
}

impl Begun {
    /// Begins the output that a path names.
    pub fn at(path: &Path) -> Result<Self> {
        let old = match fs::metadata(path) {
            Ok(metadata) if !metadata.is_file() => {
                return Ok(Begun { file: OpenOptions::new().write(true).open(path)?, place: None });
            }
            Ok(metadata) => Some(metadata),
            Err(e) if e.kind() == ErrorKind::NotFound => None,
            Err(e) => return Err(e),
        };
        let target = behind_links(path)?;
        let temporary = Temporary::beside(&target, old.as_ref())?;
        Ok(Begun { file: temporary.file.try_clone()?, place: Some((temporary, target)) })
    }

    /// Lets the file appear.
    pub fn finish(self) -> Result<()> {
        match self.place {
            Some((temporary, target)) => temporary.rename(&target),
            None => Ok(()),
        }
    }
}

impl Write for Begun {
    fn write(&mut self, bytes: &[u8]) -> Result<usize> {
        self.file.write(bytes)
    }

    fn flush(&mut self) -> Result<()> {
        self.file.flush()
    }
}

/// The file that a path names, be it there or not: a link stays one, and what it leads to is written.
pub fn behind_links(path: &Path) -> Result<PathBuf> {
    let mut path = path.to_owned();
    for _ in 0..MOST_LINKS {
        let Ok(to) = fs::read_link(&path) else { return Ok(path) };
        path = directory_of(&path).join(to);
    }
    Err(Error::other("too many links lead from one to the next"))
}

/// The directory in which a path's file is.
pub fn directory_of(path: &Path) -> &Path {
    match path.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent,
        _ => Path::new("."),
    }
}

/// Removes what this process writes, for when it is about to end. Nothing more is begun as long as the result is held.
pub fn abandon() -> impl Sized {
    let here = here();
    remove(&here);
    here
}

/// The same for whoever may be the one that is writing.
pub fn try_abandon() {
    if let Ok(here) = HERE.try_lock() {
        remove(&here);
    }
}

fn remove(here: &Here) {
    for path in &here.writing {
        // It may not have been made yet.
        let _ = fs::remove_file(path);
    }
}

/// A temporary file, which goes with its value.
struct Temporary {
    path: PathBuf,
    file: File,
}

impl Temporary {
    /// One in the directory of a file, with what the old file allows to whom.
    fn beside(target: &Path, old: Option<&Metadata>) -> Result<Self> {
        static NEXT: AtomicU64 = AtomicU64::new(0);
        // A signal leaves no temporary file.
        crate::signals::watch(abandon);
        let directory = directory_of(target);
        tidy(directory);
        loop {
            let number = NEXT.fetch_add(1, Ordering::Relaxed);
            let name = format!("{}{}-{number}{}", NAME[0], std::process::id(), NAME[1]);
            let path = directory.join(name);
            // It is known before it is there, or a signal between the two would leave it.
            here().writing.push(path.clone());
            let made = create(&path, old.is_some());
            let file = match made {
                Ok(file) => file,
                Err(e) => {
                    forget(&path);
                    match e.kind() {
                        ErrorKind::AlreadyExists => continue,
                        _ => return Err(e),
                    }
                }
            };
            let temporary = Temporary { path, file };
            // Where a file system has no locks, nobody can take this one for left behind.
            let _ = temporary.file.lock();
            // Who looked before it was locked took it for left behind.
            if temporary.path.symlink_metadata().is_ok() {
                if let Some(old) = old {
                    allow_the_same(&temporary.file, old)?;
                }
                return Ok(temporary);
            }
        }
    }

    /// Gives it the name of the output.
    fn rename(self, target: &Path) -> Result<()> {
        fs::rename(&self.path, target)
        // What drops now has no file any more, unless renaming failed.
    }
}

impl Drop for Temporary {
    fn drop(&mut self) {
        // It has another name when all went well; else the first error is the one to report.
        let _ = fs::remove_file(&self.path);
        forget(&self.path);
    }
}

fn forget(path: &Path) {
    here().writing.retain(|writing| writing != path);
}

/// Makes a file that was not there. Of one that takes the place of another, nobody else reads a byte before it allows
/// what the other did.
fn create(path: &Path, replaces: bool) -> Result<File> {
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    if replaces {
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    }
    #[cfg(not(unix))]
    let _ = replaces;
    options.open(path)
}

/// Gives a file the owner, the group and the mode of another. What cannot be given (most users give files to nobody) is
/// not made up for: a group that is another one than before may nothing.
#[cfg(unix)]
fn allow_the_same(file: &File, old: &Metadata) -> Result<()> {
    use std::os::unix::fs::{MetadataExt, PermissionsExt, fchown};
    const OF_GROUP: u32 = 0o070;
    let new = file.metadata()?;
    let mut mode = old.mode() & 0o777;
    if new.uid() != old.uid() {
        let _ = fchown(file, Some(old.uid()), None);
    }
    if new.gid() != old.gid() && fchown(file, None, Some(old.gid())).is_err() {
        mode &= !OF_GROUP;
    }
    file.set_permissions(fs::Permissions::from_mode(mode))
}

#[cfg(not(unix))]
fn allow_the_same(file: &File, old: &Metadata) -> Result<()> {
    file.set_permissions(old.permissions())
}

/// Removes what processes that died left in a directory, once.
fn tidy(directory: &Path) {
    if !here().tidied.insert(directory.to_owned()) {
        return;
    }
    // A directory that cannot be read is written to all the same.
    let Ok(entries) = fs::read_dir(directory) else { return };
    for entry in entries.flatten() {
        let name = entry.file_name();
        let name = name.to_string_lossy();
        if is_temporary(&name) && entry.file_type().is_ok_and(|kind| kind.is_file()) {
            remove_if_left(&entry.path());
        }
    }
}

/// Whether a file is called as temporary ones are: by a process and a number.
fn is_temporary(name: &str) -> bool {
    let numbers = name.strip_prefix(NAME[0]).and_then(|name| name.strip_suffix(NAME[1])?.split_once('-'));
    let is_number = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    numbers.is_some_and(|(process, number)| is_number(process) && is_number(number))
}

/// Removes a temporary file that nobody writes.
fn remove_if_left(path: &Path) {
    let Ok(file) = File::open(path) else { return };
    if file.try_lock().is_ok() {
        let _ = fs::remove_file(path);
    }
}

#[cfg(all(test, unix))]
mod tests {
    use std::io::{BufRead, BufReader};
    use std::os::unix::process::ExitStatusExt;
    use std::process::{Command, Stdio};

    use super::*;

    #[test]
    fn only_what_is_called_by_a_process_and_a_number_is_temporary() {
        let names = [
            ".planish-12-0.tmp",
            ".planish-notes.tmp",
            ".planish-1.tmp",
            ".planish--.tmp",
            ".planish-1-2-3.tmp",
        ];
        assert_eq!(names.map(is_temporary), [true, false, false, false, false]);
    }

    /// Says that a test runs this one in a process of its own, and where.
    const WRITES: &str = "PLANISH_TEST_WRITES_IN";

    #[test]
    fn writes_until_a_signal_comes() {
        let Some(directory) = std::env::var_os(WRITES) else { return };
        let target = Path::new(&directory).join("out");
        let _temporary = Temporary::beside(&target, None).expect("a temporary file");
        println!("\nwriting");
        std::thread::sleep(std::time::Duration::from_secs(60));
    }

    #[test]
    fn a_signal_ends_the_process_and_leaves_nothing() {
        let directory = std::env::temp_dir().join(format!("planish-signals-{}", std::process::id()));
        fs::create_dir_all(&directory).expect("a directory");
        for (name, number) in [("INT", 2), ("TERM", 15), ("HUP", 1)] {
            let mut process = Command::new(std::env::current_exe().expect("this test"))
                .args(["--exact", "outputs::tests::writes_until_a_signal_comes", "--nocapture"])
                .env(WRITES, &directory)
                .stdout(Stdio::piped())
                .spawn()
                .expect("it starts");
            let output = BufReader::new(process.stdout.take().expect("a pipe"));
            assert!(output.lines().any(|line| line.is_ok_and(|line| line == "writing")));
            assert_eq!(fs::read_dir(&directory).expect("a directory").count(), 1);
            let kill = Command::new("kill").args([&format!("-{name}"), &process.id().to_string()]).status();
            assert!(kill.expect("kill runs").success());
            assert_eq!(process.wait().expect("it ends").signal(), Some(number));
            assert_eq!(fs::read_dir(&directory).expect("a directory").count(), 0, "SIG{name}");
        }
        fs::remove_dir_all(&directory).expect("it is empty");
    }
}
