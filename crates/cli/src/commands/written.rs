//! Translation validation of what is written: the text of a result is read again and run beside the source.
//!
//! Passes are held against their input as functions. What lies behind them, the way from a function to its text, is not seen there: a
//! label that another trace takes for its beginning, a name, a literal. (Pnueli, Siegel and Singerman, *Translation validation*, TACAS
//! 1998.)

use planish_driver::{Checked, Dialect, Reading, Session, validate};
use planish_ir::{FuncId, Function};
use planish_ops::Type;

use super::opening;
use crate::args::Input;
use crate::failure::Failure;
use crate::io;

/// A program as it was read, to hold the text of its result against.
pub struct Source {
    name: String,
    bytes: Vec<u8>,
    dialect: Dialect,
    reading: Reading,
    inputs: u64,
}

impl Source {
    /// The bytes of an input, and on how many inputs each of its functions is run.
    pub fn new(input: &Input, bytes: Vec<u8>, inputs: u64) -> Result<Source, Failure> {
        Ok(Source {
            name: io::display_name(&input.path),
            bytes,
            dialect: opening::dialect(&input.path, input.from)?,
            reading: opening::what_is_open(&input.reading),
            inputs,
        })
    }

    /// Reads a result of the same dialect, and runs it beside the source; an error says where they differ.
    pub fn holds(self, result: &[u8]) -> Result<(), Failure> {
        let Source { name, bytes, dialect, reading, inputs } = self;
        let open = |name: &str, bytes: Vec<u8>| {
            Session::open(name, bytes, dialect, reading).map_err(Failure::Rejected)
        };
        let mut before = open(&name, bytes)?;
        // Operations on vectors are written, and not read.
        if before.is_vectorized() {
            return Ok(());
        }
        let mut after = open("the result", result.to_vec())?;
        Session::set_side_by_side([&mut before, &mut after]);
        let (Some(old), Some(new)) = (before.module(), after.module()) else { return Ok(()) };
        // Exits are told apart by their order in the text, and a guard that went would be taken for another one.
        if !old.bridges.is_empty() {
            return Ok(());
        }
        // Where the text says no types, less of it may leave others to a parameter.
        let types = |f: &Function| f.params().iter().map(|&param| f.ty(param)).collect::<Vec<Type>>();
        let is_alike = |&id: &FuncId| {
            let function = &old.functions[id];
            new.find(&function.name).is_none_or(|other| types(&new.functions[other]) == types(function))
        };
        let entries: Vec<FuncId> = before.entries().into_iter().filter(is_alike).collect();
        match validate::modules(old, &entries, new, inputs, before.form()) {
            Checked::Tested { .. } => Ok(()),
            Checked::Different(text) => Err(Failure::Rejected(format!(
                "the text of the optimized program does something else: this is a mistake of planish\n{text}"
            ))),
        }
    }
}
