//! What a reader of a generated matcher wants to know of a rule without its text.

use planish_ops::Op;

/// A rule of a compiled book.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct RuleInfo {
    /// Its name.
    pub name: &'static str,
    /// The file it stands in.
    pub file: &'static str,
    /// The line of its name, counted from 1.
    pub line: u32,
    /// The operation at the root of its pattern.
    pub root: Op,
    /// Whether it is for the e-graph engine only.
    pub explore: bool,
}
