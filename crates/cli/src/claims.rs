//! The files that a command line names, of which no output may be another file of the command.
//!
//! Two outputs in one file would be one, and what is written over an input cannot be looked at again. Files are told
//! apart by what they are, not by how they are spelt: links, `./` and hard links are seen through. A file that is not
//! there yet is told by its directory and its name. Devices and pipes take whatever is written to them.

use std::fs;
use std::path::{Path, PathBuf};

use crate::failure::Failure;
use crate::outputs::{behind_links, directory_of};

/// What is named so far.
#[derive(Default)]
pub struct Claims {
    files: Vec<(File, String)>,
    /// Directories that are read, and all that is in them.
    directories: Vec<(PathBuf, String)>,
}

/// Which file it is.
#[derive(PartialEq, Eq)]
enum File {
    /// Standard output.
    Output,
    /// One that is there: the device and the number of it there.
    #[cfg(unix)]
    Numbered(u64, u64),
    /// One that is not, or has no number: its path.
    At(PathBuf),
}

impl Claims {
    /// A file or directory that is read. The same may be read twice.
    pub fn read(&mut self, path: &Path) {
        match fs::metadata(path) {
            Ok(metadata) if metadata.is_dir() => {
                let canonical = path.canonicalize().unwrap_or_else(|_| path.to_owned());
                self.directories.push((canonical, path.display().to_string()));
            }
            _ => {
                // What is not there is the business of whoever reads it; standard input is no output.
                let what = format!("the input {}", path.display());
                self.files
                    .extend(identity(path).filter(|file| *file != File::Output).map(|file| (file, what)));
            }
        }
    }

    /// A file that an option writes to, `None` for standard output. All inputs are named before.
    pub fn write(&mut self, option: &str, path: Option<&Path>) -> Result<(), Failure> {
        let path = path.unwrap_or(Path::new("-"));
        let Some(file) = identity(path) else { return Ok(()) };
        if let Some((_, other)) = self.files.iter().find(|(other, _)| *other == file) {
            return Err(refused(option, path, &format!("is {other}")));
        }
        let canonical = path.canonicalize().ok();
        let within = |(directory, _): &&(PathBuf, String)| {
            canonical.as_ref().is_some_and(|file| file.is_file() && file.starts_with(directory))
        };
        if let Some((_, directory)) = self.directories.iter().find(within) {
            return Err(refused(option, path, &format!("is a file of the input {directory}")));
        }
        self.files.push((file, format!("what {option} writes to")));
        Ok(())
    }
}

fn refused(option: &str, path: &Path, why: &str) -> Failure {
    let name = if path == Path::new("-") { "standard output".into() } else { path.display().to_string() };
    Failure::Usage(format!("{option}: {name} {why}; say another file"))
}

/// Which file a path names; `None` for devices, pipes and what cannot be looked at.
fn identity(path: &Path) -> Option<File> {
    if path == Path::new("-") {
        return Some(File::Output);
    }
    match fs::metadata(path) {
        Ok(metadata) if !metadata.is_file() => None,
        #[cfg(unix)]
        Ok(metadata) => {
            use std::os::unix::fs::MetadataExt;
            Some(File::Numbered(metadata.dev(), metadata.ino()))
        }
        #[cfg(not(unix))]
        Ok(_) => path.canonicalize().ok().map(File::At),
        Err(_) => {
            let path = behind_links(path).ok()?;
            let directory = directory_of(&path);
            let directory = directory.canonicalize().unwrap_or_else(|_| directory.to_owned());
            Some(File::At(directory.join(path.file_name()?)))
        }
    }
}
