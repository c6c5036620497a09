//! Where classes come from and go to: jars, directories and single class files on disk.
//!
//! A directory is read as the archive that a jar tool would make of it, files in order of their names,
//! so that everything else knows archives only. Writing goes to a new file beside the target that is
//! renamed at the end: whoever reads the target sees the old bytes or the new ones, never a part.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use planish_base::Budget;

use crate::class::ClassFile;
use crate::zip::{Archive, DosTime, Entry, INFLATED_LIMIT, Method};

/// What an input was on disk.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Form {
    /// A jar.
    Jar,
    /// A directory of classes and resources.
    Directory,
    /// A single class file.
    Class,
}

/// An input: its path, its form and its files.
pub struct Source {
    /// Where it was read from.
    pub path: PathBuf,
    /// What it was there.
    pub form: Form,
    /// Its files.
    pub archive: Archive,
}

/// Directories may nest so deep.
const DEEPEST: usize = 100;

impl Source {
    /// Reads a jar, a directory or a class file, which its first bytes or its name tell.
    pub fn read(path: &Path) -> io::Result<Self> {
        let within = |error: io::Error| io::Error::new(error.kind(), format!("{}: {error}", path.display()));
        let (form, archive) = read(path).map_err(within)?;
        Ok(Source { path: path.to_path_buf(), form, archive })
    }

    /// Gives a class file that came alone the name that it has in a jar, which its class says and not its path; one that
    /// leads elsewhere stays what it is.
    pub fn name_by_class(&mut self) -> crate::Result<()> {
        if let (Form::Class, [entry]) = (self.form, &mut self.archive.entries[..]) {
            let content = entry.content(&mut Budget::new("inflated bytes", INFLATED_LIMIT))?;
            let name = ClassFile::read(&content)?.name()?.to_vec();
            if !name.split(|&byte| byte == b'/').any(|part| matches!(part, b"" | b"." | b"..")) {
                entry.name = [&name[..], b".class"].concat();
            }
        }
        Ok(())
    }
}

fn read(path: &Path) -> io::Result<(Form, Archive)> {
    if fs::metadata(path)?.is_dir() {
        let mut archive = Archive::default();
        collect(path, &mut Vec::new(), 0, &mut archive.entries)?;
        return Ok((Form::Directory, archive));
    }
    let bytes = fs::read(path)?;
    let named_class = path.extension().is_some_and(|ending| ending == "class");
    if named_class || bytes.starts_with(&crate::class::MAGIC.to_be_bytes()) {
        let name = path.file_name().unwrap_or_default().as_encoded_bytes().to_vec();
        let entry = Entry::new(&name, modified(path)?, &bytes, Method::Stored);
        return Ok((Form::Class, Archive { entries: vec![entry], ..Archive::default() }));
    }
    Ok((Form::Jar, Archive::read(bytes).map_err(|error| io::Error::new(io::ErrorKind::InvalidData, error))?))
}

/// Appends the files below a directory in order of their names.
fn collect(directory: &Path, prefix: &mut Vec<u8>, depth: usize, entries: &mut Vec<Entry>) -> io::Result<()> {
    if depth > DEEPEST {
        // Links that lead back up end here.
        return Err(io::Error::other(format!("{}: directories nested too deep", directory.display())));
    }
    let mut paths = fs::read_dir(directory)?
        .map(|item| item.map(|item| (item.file_name(), item.path())))
        .collect::<io::Result<Vec<_>>>()?;
    paths.sort_unstable();
    for (name, path) in paths {
        let length = prefix.len();
        prefix.extend_from_slice(name.as_encoded_bytes());
        if fs::metadata(&path)?.is_dir() {
            prefix.push(b'/');
            collect(&path, prefix, depth + 1, entries)?;
        } else {
            entries.push(Entry::new(prefix, modified(&path)?, &fs::read(&path)?, Method::Stored));
        }
        prefix.truncate(length);
    }
    Ok(())
}

fn modified(path: &Path) -> io::Result<DosTime> {
    let time = fs::metadata(path)?.modified()?;
    let seconds = time.duration_since(std::time::UNIX_EPOCH).map_or(0, |since| since.as_secs());
    Ok(DosTime::from_unix(i64::try_from(seconds).unwrap_or(i64::MAX)))
}

/// Writes a file whole or not at all.
pub fn write_atomically(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let name =
        path.file_name().ok_or_else(|| io::Error::other(format!("{} names no file", path.display())))?;
    let directory = match path.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent,
        _ => Path::new("."),
    };
    let (temporary, mut file) = create_beside(directory, name)?;
    let written = file.write_all(bytes).and_then(|()| {
        if let Ok(old) = fs::metadata(path) {
            file.set_permissions(old.permissions())?;
        }
        file.sync_all()?;
        drop(file);
        fs::rename(&temporary, path)
    });
    if written.is_err() {
        // The first error is the one to report.
        let _ = fs::remove_file(&temporary);
    }
    written
}

/// A new file of a name that nothing has.
fn create_beside(directory: &Path, name: &std::ffi::OsStr) -> io::Result<(PathBuf, File)> {
    let mut attempt = 0u32;
    loop {
        let mut candidate = std::ffi::OsString::from(".");
        candidate.push(name);
        candidate.push(format!(".{}.{attempt}.tmp", std::process::id()));
        let path = directory.join(candidate);
        match OpenOptions::new().write(true).create_new(true).open(&path) {
            Ok(file) => return Ok((path, file)),
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists && attempt < 1000 => attempt += 1,
            Err(error) => return Err(error),
        }
    }
}
