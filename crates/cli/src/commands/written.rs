//! Translation validation of what is written: the text of a result is read again and run beside the source.
//!
//! Passes are held against their input as functions. What lies behind them, the way from a function to its text, is not seen there: a
//! label that another trace takes for its beginning, a name, a literal. (Pnueli, Siegel and Singerman, *Translation validation*, TACAS
//! 1998.)

use planish_driver::{Checked, Dialect, Reading, Session, validate};
use planish_ir::{FuncId, Function};
use planish_ops::Type;

use crate::failure::Failure;

/// A program as it was read, to hold the text of its result against.
pub struct Source {
    /// The names and the bytes of its files.
    files: Vec<(String, Vec<u8>)>,
    dialect: Dialect,
    reading: Reading,
    inputs: u64,
}

impl Source {
    /// The files of a program, and on how many inputs each of its functions is run.
    pub fn new(files: Vec<(String, Vec<u8>)>, dialect: Dialect, reading: Reading, inputs: u64) -> Source {
        Source { files, dialect, reading, inputs }
    }

    /// Opens the program, or one of other files.
    pub fn open(&self, files: Vec<(String, Vec<u8>)>) -> Result<Session, Failure> {
        let opened = match (self.dialect, <[_; 1]>::try_from(files)) {
            (_, Ok([(name, bytes)])) => Session::open(&name, bytes, self.dialect, self.reading),
            (_, Err(files)) => Session::open_traces(files, self.reading),
        };
        opened.map_err(Failure::Rejected)
    }

    /// Reads files of the same dialect that a session wrote, and runs them beside the source; an error says where they differ.
    pub fn holds(self, results: &[Vec<u8>], written: &Session) -> Result<(), Failure> {
        let mut before = self.open(self.files.clone())?;
        // Operations on vectors are written, and not read.
        if before.is_vectorized() {
            return Ok(());
        }
        // A function of several files is called by the name of its own.
        let names = self.files.iter().map(|(name, _)| name.clone());
        let mut after = self.open(names.zip(results.iter().cloned()).collect()).map_err(|failure| {
            Failure::Rejected(format!(
                "the text of the optimized program cannot be read: this is a mistake of planish\n{}",
                failure.message()
            ))
        })?;
        Session::set_behind([&mut before, &mut after], written);
        let (Some(old), Some(new)) = (before.module(), after.module()) else { return Ok(()) };
        // Where the text says no types, less of it may leave others to a parameter.
        let types = |f: &Function| f.params().iter().map(|&param| f.ty(param)).collect::<Vec<Type>>();
        let is_alike = |&id: &FuncId| {
            let function = &old.functions[id];
            new.find(&function.name).is_none_or(|other| types(&new.functions[other]) == types(function))
        };
        let entries: Vec<FuncId> = before.entries().into_iter().filter(is_alike).collect();
        match validate::modules(old, &entries, new, self.inputs, before.form()) {
            Checked::Tested { .. } => Ok(()),
            Checked::Different(text) => Err(Failure::Rejected(format!(
                "the text of the optimized program does something else: this is a mistake of planish\n{text}"
            ))),
        }
    }
}
