//! Files of traces that are given together: one program, each file of which is written to one of its own.

use std::path::PathBuf;

use planish_driver::{Dialect, Session};

use super::classes::files::is_directory;
use super::opening;
use crate::args::{Opt, Reading};
use crate::claims::Claims;
use crate::failure::Failure;
use crate::io;

/// The names and the bytes of files.
pub fn read(paths: &[PathBuf]) -> Result<Vec<(String, Vec<u8>)>, Failure> {
    paths.iter().map(|path| Ok((io::display_name(path), io::read(path)?))).collect()
}

/// Opens files of traces as one program; warnings go to standard error.
pub fn open(files: Vec<(String, Vec<u8>)>, reading: &Reading) -> Result<Session, Failure> {
    let session = Session::open_traces(files, opening::what_is_open(reading)).map_err(Failure::Rejected)?;
    let said = format!("{}{}", session.warnings(), session.nowhere());
    if !said.is_empty() {
        io::say(format_args!("{said}\n"));
    }
    Ok(session)
}

/// The files of a run of `planish opt`.
pub struct Together {
    paths: Vec<PathBuf>,
    directory: PathBuf,
    /// Where what becomes of each goes; nowhere, if only a report is wanted.
    targets: Vec<PathBuf>,
}

impl Together {
    /// The files, if there are several, or one that goes to a directory; an error where they cannot be one program.
    pub fn of(args: &Opt) -> Result<Option<Self>, Failure> {
        let is_trace =
            |path: &PathBuf| opening::dialect(path, args.input.from).is_ok_and(|it| it == Dialect::Trace);
        let goes_to_a_directory = args.output.output.as_deref().is_some_and(is_directory)
            && args.input.path.as_ref().is_some_and(is_trace);
        if args.more.is_empty() && !goes_to_a_directory {
            return Ok(None);
        }
        let paths: Vec<PathBuf> = args.input.path.iter().chain(&args.more).cloned().collect();
        for path in &paths {
            if opening::dialect(path, args.input.from)? != Dialect::Trace {
                let message = "several inputs are for jars, directories of classes and files of traces";
                return Err(Failure::Usage(message.into()));
            }
        }
        if args.to.is_some_and(|to| to != Dialect::Trace) {
            return Err(Failure::Usage("several files of traces are written as traces".into()));
        }
        if args.only_report {
            return Ok(Some(Together { paths, directory: PathBuf::new(), targets: Vec::new() }));
        }
        let directory =
            args.output.output.clone().filter(|output| is_directory(output)).ok_or_else(|| {
                Failure::Usage("several files of traces are written to a directory: say `-o DIR/`".into())
            })?;
        let mut targets = Vec::with_capacity(paths.len());
        for path in &paths {
            let name = path.file_name().filter(|&name| name != "-").ok_or_else(|| {
                let name = io::display_name(path);
                Failure::Usage(format!("{name} has no name under which it could be written to a directory"))
            })?;
            let target = directory.join(name);
            if targets.contains(&target) {
                return Err(Failure::Usage(format!("two inputs would become {}", target.display())));
            }
            targets.push(target);
        }
        Ok(Some(Together { paths, directory, targets }))
    }

    /// Sees to it that no output is written to a file that is read or written for something else.
    pub fn claim(&self, claims: &mut Claims) -> Result<(), Failure> {
        self.targets.iter().try_for_each(|target| claims.write("-o", Some(target)))
    }

    /// Their names and bytes.
    pub fn read(&self) -> Result<Vec<(String, Vec<u8>)>, Failure> {
        read(&self.paths)
    }

    /// Writes what became of each.
    pub fn write(&self, files: &[Vec<u8>]) -> Result<(), Failure> {
        if self.targets.is_empty() {
            return Ok(());
        }
        std::fs::create_dir_all(&self.directory)
            .map_err(|error| Failure::Rejected(format!("{}: {error}", self.directory.display())))?;
        self.targets.iter().zip(files).try_for_each(|(target, bytes)| io::write(Some(target), bytes))
    }
}
