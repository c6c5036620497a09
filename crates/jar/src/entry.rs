//! Entries of archives: how they are packed again, and what is said of one that cannot be read.

use std::fmt::Display;

/// The level at which changed entries are deflated.
pub(crate) const LEVEL: u32 = 6;

/// The warning about a class that stays as it is, since this is wrong with it. Whoever comes to it says the same.
pub(crate) fn unread(entry: &[u8], error: &dyn Display) -> String {
    format!("{}: {error}; kept as it is", String::from_utf8_lossy(entry))
}
