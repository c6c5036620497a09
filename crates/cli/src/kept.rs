//! Files that one run keeps for another, in a directory of their own.
//!
//! Each begins with a mark and a digest of its name and of what follows, so one that was cut off, damaged or renamed is told and
//! passed over. It appears whole, under a name that says all that it depends on: several processes may share the directory,
//! and the last of two that write the same file is as good as the first. Of a directory that is not marked as such a one
//! ([Cache Directory Tagging](https://bford.info/cachedir/)) nothing is read, and nothing is written or removed there.

use std::fs::{self, File};
use std::io::{Error, ErrorKind, Result};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use planish_jar::cache::{Digest, Digester, Writer};

use crate::io;
use crate::outputs::write_file;

/// The file that marks a directory as a cache.
const TAG: &str = "CACHEDIR.TAG";

/// What it holds: the line that backup programs look for, and one that says whose cache it is.
const MARK: &str = "Signature: 8a477f597d28d172789f06886806bc55\n# What planish opt --cache keeps.\n";

/// What files begin with.
const MAGIC: &[u8] = b"planish keeps 1\n";

/// What names of files end with.
const ENDINGS: [&str; 2] = [".run", ".classes"];

/// How many bytes behind the mark the digest has.
const DIGEST: usize = size_of::<Digest>();

/// A directory of files that were kept.
pub struct Store {
    directory: PathBuf,
    limit: u64,
}

impl Store {
    /// The files of a directory, of which there may be so many bytes. It is made if there is none.
    pub fn open(directory: &Path, limit: u64) -> Result<Self> {
        if fs::metadata(directory).is_ok_and(|found| !found.is_dir()) {
            return Err(Error::other("it is not a directory"));
        }
        fs::create_dir_all(directory)?;
        let tag = directory.join(TAG);
        match fs::read(&tag) {
            Ok(mark) if mark == MARK.as_bytes() => {}
            Err(error) if error.kind() == ErrorKind::NotFound && is_empty(directory)? => {
                write_file(&tag, MARK.as_bytes())?;
            }
            Err(error) if error.kind() == ErrorKind::PermissionDenied => return Err(error),
            Ok(_) | Err(_) => {
                return Err(Error::other(format!("it holds other files, and no {TAG} of planish")));
            }
        }
        Ok(Store { directory: directory.to_owned(), limit })
    }

    /// What was kept under a name, if it is there and whole. It counts as used now.
    pub fn read(&self, name: &str) -> Option<Vec<u8>> {
        let path = self.directory.join(name);
        if fs::metadata(&path).is_ok_and(|found| !found.is_file()) {
            warn(&path, "it is no file, and passed over");
            return None;
        }
        let mut bytes = match fs::read(&path) {
            Ok(bytes) => bytes,
            Err(error) => {
                if error.kind() != ErrorKind::NotFound {
                    warn(&path, &error.to_string());
                }
                return None;
            }
        };
        let start = MAGIC.len() + DIGEST;
        let is_whole = bytes.len() >= start
            && bytes.starts_with(MAGIC)
            && bytes[MAGIC.len()..start] == digest(name, &bytes[start..]);
        if !is_whole {
            warn(&path, "it is damaged, and passed over");
            return None;
        }
        // Where the time cannot be set, the file goes sooner.
        let _ =
            File::options().append(true).open(&path).and_then(|file| file.set_modified(SystemTime::now()));
        bytes.drain(..start);
        Some(bytes)
    }

    /// Keeps something under a name, and removes what was not used for longest, if it is too much.
    pub fn write(&self, name: &str, content: &[u8]) {
        let path = self.directory.join(name);
        let bytes = [MAGIC, &digest(name, content), content].concat();
        if let Err(error) = write_file(&path, &bytes).and_then(|()| self.prune()) {
            warn(&path, &error.to_string());
        }
    }

    /// Removes files of the cache, those first that were used least recently, until the rest is not too much.
    fn prune(&self) -> Result<()> {
        let mut files = Vec::new();
        for item in fs::read_dir(&self.directory)? {
            let item = item?;
            if !item.file_name().to_str().is_some_and(is_name) {
                continue;
            }
            // Another process may have removed it.
            let Ok(metadata) = item.metadata() else { continue };
            files.push((metadata.modified()?, metadata.len(), item.path()));
        }
        files.sort_unstable();
        let mut size: u64 = files.iter().map(|(_, length, _)| length).sum();
        for (_, length, path) in files {
            if size <= self.limit {
                break;
            }
            match fs::remove_file(path) {
                Err(error) if error.kind() != ErrorKind::NotFound => return Err(error),
                _ => size -= length,
            }
        }
        Ok(())
    }
}

/// Whether a name is one under which something is kept.
fn is_name(name: &str) -> bool {
    let digest = ENDINGS.iter().find_map(|ending| name.strip_suffix(ending));
    digest.is_some_and(|digest| digest.len() == 2 * DIGEST && digest.bytes().all(|b| b.is_ascii_hexdigit()))
}

fn is_empty(directory: &Path) -> Result<bool> {
    Ok(fs::read_dir(directory)?.next().is_none())
}

/// The digest of a name and of what is kept under it.
fn digest(name: &str, content: &[u8]) -> Digest {
    use std::hash::Hasher;
    let mut writer = Writer::default();
    writer.text(name.as_bytes());
    let mut digester = Digester::default();
    digester.write(&writer.0);
    digester.write(content);
    digester.digest()
}

fn warn(path: &Path, why: &str) {
    io::say(format_args!("warning: --cache: {}: {why}\n", path.display()));
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A directory that goes when the test ends.
    struct Scratch(PathBuf);

    impl Scratch {
        fn new(name: &str) -> Self {
            let path = std::env::temp_dir().join(format!("planish-kept-{name}-{}", std::process::id()));
            let _ = fs::remove_dir_all(&path);
            Scratch(path)
        }
    }

    impl Drop for Scratch {
        fn drop(&mut self) {
            let _ = fs::remove_dir_all(&self.0);
        }
    }

    fn name(digit: char) -> String {
        digit.to_string().repeat(2 * DIGEST) + ENDINGS[0]
    }

    #[test]
    fn a_file_with_any_bit_changed_is_passed_over() {
        let scratch = Scratch::new("flipped");
        let store = Store::open(&scratch.0, 1 << 20).expect("a directory");
        store.write(&name('a'), b"what was kept");
        assert_eq!(store.read(&name('a')).as_deref(), Some(&b"what was kept"[..]));
        let path = scratch.0.join(name('a'));
        let whole = fs::read(&path).expect("the file");
        for at in 0..whole.len() {
            let mut bytes = whole.clone();
            bytes[at] ^= 1 << (at % 8);
            fs::write(&path, bytes).expect("a file");
            assert_eq!(store.read(&name('a')), None, "byte {at}");
            fs::write(&path, &whole[..at]).expect("a file");
            assert_eq!(store.read(&name('a')), None, "{at} bytes of it");
        }
        fs::write(scratch.0.join(name('b')), &whole).expect("a file");
        assert_eq!(store.read(&name('b')), None, "it was kept under another name");
        store.write(&name('a'), b"again");
        assert_eq!(store.read(&name('a')).as_deref(), Some(&b"again"[..]));
    }

    #[test]
    fn what_was_not_used_for_longest_goes_first() {
        let scratch = Scratch::new("pruned");
        let store = Store::open(&scratch.0, 350).expect("a directory");
        fs::write(scratch.0.join("of somebody else"), [0; 400]).expect("a file");
        let at = |second| SystemTime::UNIX_EPOCH + std::time::Duration::from_secs(second);
        for (digit, second) in [('a', 1), ('b', 3), ('c', 2)] {
            store.write(&name(digit), &[0; 50]);
            let file = File::options().append(true).open(scratch.0.join(name(digit))).expect("the file");
            file.set_modified(at(second)).expect("a time");
        }
        store.read(&name('a')).expect("it is there");
        store.write(&name('d'), &[0; 50]);
        let left: Vec<char> = "abcd".chars().filter(|&digit| scratch.0.join(name(digit)).exists()).collect();
        assert_eq!(left, ['a', 'b', 'd']);
        assert!(scratch.0.join("of somebody else").exists());
    }

    #[test]
    fn a_directory_of_others_stays_theirs() {
        let scratch = Scratch::new("foreign");
        fs::create_dir_all(&scratch.0).expect("a directory");
        fs::write(scratch.0.join(name('a')), "mine").expect("a file");
        assert!(Store::open(&scratch.0, 0).is_err());
        fs::write(scratch.0.join(TAG), "Signature: 8a477f597d28d172789f06886806bc55\n").expect("a file");
        assert!(Store::open(&scratch.0, 0).is_err(), "it is another program's cache");
        let names = fs::read_dir(&scratch.0).expect("the directory").count();
        assert_eq!(names, 2);
        fs::write(scratch.0.join(TAG), MARK).expect("a file");
        assert!(Store::open(&scratch.0, 0).is_ok());
    }
}
