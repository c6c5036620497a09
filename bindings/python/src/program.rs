//! Programs: read, optimized, run, written.

use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

use planish_driver::bril::Output;
use planish_driver::validate::INPUTS;
use planish_driver::{Checked, Dialect, Reading, Session, Settings, Writing};
use planish_interp::{End, Host, Limits, NoHost, Program as Runnable, Scenario, Val, run_with};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyTuple};

use crate::report::Report;
use crate::rules::Rules;
use crate::{refused, values};

/// A program in one of the dialects. `read` and `open` make one; `optimize` changes it.
#[pyclass(module = "planish", frozen)]
pub struct Program {
    session: Mutex<Session>,
}

/// A text or bytes.
#[derive(FromPyObject)]
pub enum Source {
    /// A text.
    Text(String),
    /// Bytes, such as a compressed log.
    Bytes(Vec<u8>),
}

/// Reads a program from a text, or from bytes.
///
/// `dialect` is one of ssa, trace, pypylog, tac, rvsdg, bril and bril-json; `name` is the file of which messages speak;
/// `width` is that of integers in tac and rvsdg. Raises Error where the text is wrong.
#[pyfunction]
#[pyo3(signature = (source, dialect = "ssa", *, name = "input", width = 64))]
pub fn read(py: Python<'_>, source: Source, dialect: &str, name: &str, width: u8) -> PyResult<Program> {
    let bytes = match source {
        Source::Text(text) => text.into_bytes(),
        Source::Bytes(bytes) => bytes,
    };
    let dialect = dialect.parse().map_err(refused)?;
    opened(py, name, bytes, dialect, width)
}

/// Reads a program from a file, whose name tells the dialect if `dialect` does not.
///
/// Raises OSError where the file cannot be read, and Error where what it holds is wrong.
#[pyfunction]
#[pyo3(signature = (path, dialect = None, *, width = 64))]
pub fn open(py: Python<'_>, path: PathBuf, dialect: Option<&str>, width: u8) -> PyResult<Program> {
    let name = path.display().to_string();
    let dialect = match dialect {
        Some(dialect) => dialect.parse().map_err(refused)?,
        None => Dialect::of_path(Path::new(&path)).ok_or_else(|| {
            refused(format!("{name}: the name does not tell a dialect; say it with dialect="))
        })?,
    };
    let bytes = std::fs::read(&path)?;
    opened(py, &name, bytes, dialect, width)
}

fn opened(py: Python<'_>, name: &str, bytes: Vec<u8>, dialect: Dialect, width: u8) -> PyResult<Program> {
    if !(1..=64).contains(&width) {
        return Err(refused(format!("integers have 1 to 64 bits, not {width}")));
    }
    let reading = Reading { width, ..Reading::default() };
    let session = py.detach(|| Session::open(name, bytes, dialect, reading)).map_err(refused)?;
    Ok(Program { session: Mutex::new(session) })
}

impl Program {
    fn session(&self) -> MutexGuard<'_, Session> {
        // Whatever broke off left a program that can be written, or says that it cannot.
        self.session.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn written(&self, py: Python<'_>, dialect: Option<&str>, extended: bool) -> PyResult<Vec<u8>> {
        let to = dialect.map(str::parse).transpose().map_err(refused)?;
        let written = py.detach(|| {
            let session = self.session();
            let to = to.unwrap_or(session.dialect());
            session.write(to, Writing { extended, ..Writing::default() })
        });
        written.map_err(refused)
    }
}

#[pymethods]
impl Program {
    /// The dialect that the program was read in.
    #[getter]
    fn dialect(&self) -> &'static str {
        self.session().dialect().name()
    }

    /// The names of its functions, in order. A log has none: its traces exist one at a time.
    #[getter]
    fn functions(&self) -> Vec<String> {
        let session = self.session();
        let functions = session.module().into_iter().flat_map(|module| module.functions.values());
        functions.map(|function| function.name.clone()).collect()
    }

    /// What is odd about the program but no error, one message after the other; empty when nothing is.
    #[getter]
    fn warnings(&self) -> String {
        self.session().warnings().to_owned()
    }

    /// Optimizes every function, in place, and returns what was done.
    ///
    /// `passes` are the names of passes, divided by colons, instead of the dialect's own; `rules` are rules of one's own
    /// besides the book: only those that were proved are used, unless `unproved` is true; `fuel` is the most rewrites;
    /// with `validate` the result is held against the original on random inputs, and Error raised if they differ.
    #[pyo3(signature = (*, passes = None, rules = None, unproved = false, fuel = None, validate = false))]
    fn optimize(
        &self,
        py: Python<'_>,
        passes: Option<String>,
        rules: Option<&Rules>,
        unproved: bool,
        fuel: Option<u64>,
        validate: bool,
    ) -> PyResult<Report> {
        let rules = rules.map(|rules| rules.usable(unproved)).transpose()?;
        let settings = Settings {
            rules: rules.clone(),
            evaluate: passes.is_none(),
            passes,
            fuel,
            log: true,
            validate: if validate { INPUTS } else { 0 },
            ..Settings::default()
        };
        let outcome = py.detach(|| self.session().optimize(&settings)).map_err(refused)?;
        if let Some(Checked::Different(text)) = &outcome.checked {
            return Err(refused(format!("the optimized program is different\n{text}")));
        }
        Ok(Report::new(&outcome, rules.as_deref()))
    }

    /// The program as bytes in a dialect: its own unless `dialect` says another one. With `extended`, operations may be
    /// written that the published language does not have.
    #[pyo3(signature = (dialect = None, *, extended = false))]
    fn write<'py>(
        &self,
        py: Python<'py>,
        dialect: Option<&str>,
        extended: bool,
    ) -> PyResult<Bound<'py, PyBytes>> {
        Ok(PyBytes::new(py, &self.written(py, dialect, extended)?))
    }

    /// The program as text in its own dialect.
    fn __str__(&self, py: Python<'_>) -> PyResult<String> {
        let bytes = self.written(py, None, false)?;
        String::from_utf8(bytes).map_err(|_| refused("the program is no text; write() gives its bytes"))
    }

    fn __repr__(&self) -> String {
        format!("<planish.Program of {} in {}>", self.functions().join(", "), self.dialect())
    }

    /// Runs a function in the interpreter and returns the list of its results.
    ///
    /// Arguments are int, float, bool and None (for null) by the types of the parameters. Raises Error where there is no
    /// such function, where an argument is not of its parameter's type, and where the function does anything but return:
    /// it traps, throws, leaves through an exit, is undefined, or goes on after `fuel` operations.
    #[pyo3(signature = (function, *args, fuel = 100_000_000))]
    fn run<'py>(
        &self,
        py: Python<'py>,
        function: &str,
        args: &Bound<'py, PyTuple>,
        fuel: u64,
    ) -> PyResult<Vec<Bound<'py, PyAny>>> {
        let session = self.session();
        let is_bril = matches!(session.dialect(), Dialect::Bril | Dialect::BrilJson);
        let module = session.module().ok_or_else(|| refused("a log of traces is no program to run"))?;
        let found = module.find(function).map(|id| &module.functions[id]);
        let f = found.ok_or_else(|| refused(format!("there is no function `{function}`")))?;
        let args = values::arguments(f, args)?;
        let limits = Limits { fuel, ..Limits::default() };
        let ran = py.detach(|| {
            let mut output = Output::default();
            let host: &mut dyn Host = if is_bril { &mut output } else { &mut NoHost };
            run_with(&Runnable::of(module), f, &args, &Scenario::new(0), limits, host)
        });
        match &ran.end {
            End::Return(results) => results.iter().map(|&result| values::to_python(py, result)).collect(),
            End::Throw(thrown, _) => {
                Err(refused(format!("`{function}` threw {}", ran.show(Val::Ref(*thrown)))))
            }
            End::Leave(exit, _) => Err(refused(format!("`{function}` left through exit {exit}"))),
            End::Trap(fault) => Err(refused(format!("`{function}` trapped: {}", fault.name()))),
            End::Undefined(what) => Err(refused(format!("`{function}` is undefined: {what}"))),
            End::OutOfFuel => Err(refused(format!("`{function}` did not end within {fuel} operations"))),
        }
    }
}
