//! What can be wrong with what an embedder says.

use std::fmt;

use planish_opt::PipelineError;

/// Why something was refused. Nothing was changed then.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Error {
    /// A text that cannot be read: every error with file, line, column and the line itself.
    Text(String),
    /// A module that breaks an invariant of [`ir::verify`](mod@crate::ir::verify): one sentence each.
    Invalid(Vec<String>),
    /// The module has no function of this name.
    NoFunction(String),
    /// Arguments that are not of the types of the parameters.
    Arguments {
        /// The function or operation.
        of: String,
        /// The types that it takes.
        takes: String,
        /// The types that were given.
        given: String,
    },
    /// The name of an operation that already stands for something else in the module.
    Taken(String),
    /// Rules that were refuted, or for which no proof was found: the story of each.
    Unproved(String),
    /// Passes that are none, or that do not fit.
    Passes(PipelineError),
    /// A function without machine code, and why.
    NoCode(String),
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::Text(said) | Error::Unproved(said) | Error::NoCode(said) => f.write_str(said),
            Error::Passes(error) => error.fmt(f),
            Error::Invalid(found) => f.write_str(&found.join("\n")),
            Error::NoFunction(name) => write!(f, "there is no function `{name}`"),
            Error::Arguments { of, takes, given } => {
                write!(f, "`{of}` takes ({takes}) and was given ({given})")
            }
            Error::Taken(name) => write!(f, "`{name}` already stands for something else in the module"),
        }
    }
}

impl std::error::Error for Error {}

impl From<PipelineError> for Error {
    fn from(error: PipelineError) -> Error {
        Error::Passes(error)
    }
}
