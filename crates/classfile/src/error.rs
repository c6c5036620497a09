//! What is wrong with a class file, and at which byte.
//!
//! Binary input has no lines and columns; the place of an error is a byte offset from the start of
//! the file. The message says what was expected there, so that a reader of a hex dump can follow. An
//! error of writing (a table with too many entries, say) has no place in any input.

use std::borrow::Cow;
use std::fmt;

/// Why bytes were refused, or why a value cannot be written.
///
/// One pointer in size, so that a `Result` of a small integer stays in registers.
#[derive(Clone, PartialEq, Eq)]
pub struct Error(Box<Inner>);

#[derive(Clone, PartialEq, Eq)]
struct Inner {
    offset: Option<usize>,
    expected: Cow<'static, str>,
}

/// A result whose error is [`Error`].
pub type Result<T, E = Error> = std::result::Result<T, E>;

impl Error {
    /// An error of reading: at byte `offset` of the file, `expected` was not there.
    #[cold]
    pub fn at(offset: usize, expected: impl Into<Cow<'static, str>>) -> Self {
        Error(Box::new(Inner { offset: Some(offset), expected: expected.into() }))
    }

    /// An error of writing: a value breaks a limit of the format.
    #[cold]
    pub fn unwritable(expected: impl Into<Cow<'static, str>>) -> Self {
        Error(Box::new(Inner { offset: None, expected: expected.into() }))
    }

    /// The byte of the input that the error is about; `None` for an error of writing.
    pub fn offset(&self) -> Option<usize> {
        self.0.offset
    }

    /// What was expected.
    pub fn expected(&self) -> &str {
        &self.0.expected
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0.offset {
            Some(offset) => write!(f, "byte {offset} ({offset:#x}): expected {}", self.0.expected),
            None => write!(f, "cannot be written: expected {}", self.0.expected),
        }
    }
}

impl fmt::Debug for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl std::error::Error for Error {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_result_of_a_small_integer_fits_in_two_words() {
        assert!(size_of::<Result<u16>>() <= 16);
    }

    #[test]
    fn an_error_names_its_byte_in_both_bases() {
        assert_eq!(Error::at(17, "a tag").to_string(), "byte 17 (0x11): expected a tag");
    }
}
