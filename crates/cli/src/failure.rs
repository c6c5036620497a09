//! How a command fails, and what the exit status says of it.

use std::borrow::Cow;

/// Why a command did not do what it was asked.
#[derive(Debug)]
pub enum Failure {
    /// The answer is no: rejected input, not proved, not equivalent. Exit status 1.
    Rejected(String),
    /// The command was not understood. Exit status 2.
    Usage(String),
}

impl Failure {
    /// The answer is no, since of this error.
    pub fn rejected(error: impl ToString) -> Failure {
        Failure::Rejected(error.to_string())
    }

    /// The exit status.
    pub fn status(&self) -> u8 {
        match self {
            Failure::Rejected(_) => 1,
            Failure::Usage(_) => 2,
        }
    }

    /// What standard error shows; may be empty when everything was said before.
    pub fn message(&self) -> Cow<'_, str> {
        let (Failure::Rejected(message) | Failure::Usage(message)) = self;
        // What a reader of a program found says of each thing what it is.
        if message.is_empty() || ["error:", "warning:"].iter().any(|begin| message.starts_with(begin)) {
            Cow::Borrowed(message)
        } else {
            Cow::Owned(format!("error: {message}"))
        }
    }
}
