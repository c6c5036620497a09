//! Programs to learn from, of any dialect: each is optimized as often as it is asked for, and nothing of it is written.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use planish_driver::{Dialect, Executed, Session, Settings};

use super::{classes, file_names, opening};
use crate::args::Reading;
use crate::failure::Failure;
use crate::io;

/// A program of a corpus.
pub enum Program {
    /// A text.
    Text {
        /// The name of its file.
        name: String,
        /// Its dialect.
        dialect: Dialect,
        /// Its bytes.
        bytes: Vec<u8>,
    },
    /// A class file, a jar, or a directory of classes.
    Classes {
        /// The name of its file or directory.
        name: String,
        /// What was read.
        program: Box<classes::Program>,
    },
}

impl Program {
    /// Reads a program. `from` is the dialect where the name does not tell; `libraries` are for classes.
    pub fn read(path: &Path, from: Option<Dialect>, libraries: &[PathBuf]) -> Result<Program, Failure> {
        let name = path
            .file_name()
            .map_or_else(|| io::display_name(path), |name| name.to_string_lossy().into_owned());
        if file_names::names_classes(path) {
            let program = Box::new(classes::of_corpus(path, libraries)?);
            return Ok(Program::Classes { name, program });
        }
        // A name that tells is right, for a corpus has several.
        let dialect = opening::dialect(path, Dialect::of_path(path).or(from))?;
        let bytes = io::read(path)?;
        Ok(Program::Text { name, dialect, bytes })
    }

    /// The name of its file.
    pub fn name(&self) -> &str {
        let (Program::Text { name, .. } | Program::Classes { name, .. }) = self;
        name
    }

    /// Whether it is one of classes, which are optimized in several rounds.
    pub fn is_classes(&self) -> bool {
        matches!(self, Program::Classes { .. })
    }

    /// Optimizes it: how often each rule fired. The settings are made once it is known how often its functions ran.
    pub fn optimize(
        &self,
        settings: impl FnOnce(BTreeMap<String, Executed>) -> Settings,
    ) -> Result<Vec<u64>, Failure> {
        match self {
            Program::Text { name, dialect, bytes } => {
                let reading = opening::what_is_open(&Reading::default());
                let mut session =
                    Session::open(name, bytes.clone(), *dialect, reading).map_err(Failure::Rejected)?;
                let settings = settings(session.executed());
                let outcome = session.optimize(&settings).map_err(Failure::Rejected)?;
                Ok(outcome.record.rules().to_vec())
            }
            Program::Classes { program, .. } => {
                Ok(program.optimize(&settings(BTreeMap::new()), &|_| {})?.fired())
            }
        }
    }
}
