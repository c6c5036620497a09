//! Planish for Python: programs are read, optimized, run and written, rewrites explained, rules proved.
//!
//! The module stands on the driver, so it reads and writes what the command does, class files apart. What a function is
//! for is said once, in the docstring that Python shows; `planish.pyi` has the types. Whatever takes time lets other threads
//! of Python run.

use pyo3::create_exception;
use pyo3::exceptions::PyException;
use pyo3::prelude::*;

mod program;
mod report;
mod rules;
mod values;

create_exception!(
    planish,
    Error,
    PyException,
    "What planish refuses: the message is the one of the command, with file, line and column where there are some."
);

/// A refusal, as Python gets it.
fn refused(message: impl Into<String>) -> PyErr {
    Error::new_err(message.into())
}

/// The passes, in the order of the registry: for each its name and what it does.
#[pyfunction]
fn passes() -> Vec<(String, String)> {
    planish_driver::passes::infos().map(|info| (info.name.to_owned(), info.sentence.to_owned())).collect()
}

/// An optimizing middle end whose every rewrite rule is proved.
#[pymodule]
fn planish(module: &Bound<'_, PyModule>) -> PyResult<()> {
    // A panic of ours becomes an exception; it says itself what it is.
    planish_base::caught::set_guards(true);
    module.add("__version__", env!("CARGO_PKG_VERSION"))?;
    module.add("Error", module.py().get_type::<Error>())?;
    module.add_class::<program::Program>()?;
    module.add_class::<report::Report>()?;
    module.add_class::<report::Remark>()?;
    module.add_class::<rules::Rules>()?;
    module.add_class::<rules::Proof>()?;
    module.add_function(wrap_pyfunction!(program::read, module)?)?;
    module.add_function(wrap_pyfunction!(program::open, module)?)?;
    module.add_function(wrap_pyfunction!(rules::prove, module)?)?;
    module.add_function(wrap_pyfunction!(passes, module)?)
}
