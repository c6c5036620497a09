//! Where runs of a program begin.

use std::collections::BTreeSet;

/// Where programs begin.
#[derive(Clone, Debug, Default)]
pub struct Beginnings {
    /// Classes with a main method.
    pub main: Vec<Vec<u8>>,
    /// Classes whose public methods are called from outside.
    pub api: Vec<Vec<u8>>,
    /// Those of their members that are, as lists of what keep rules name have them; all if there is no list.
    pub kept: Option<BTreeSet<String>>,
}
