//! What is asked of merging.

use std::collections::BTreeSet;

use planish_classfile::ClassFile;
use planish_jvm_analysis::sought::Sought;
use planish_keep::Configuration;
use planish_keep::attributes::KeptAttributes;

use crate::transform::inline::origins::Origins;

use super::observed::Unobserved;

/// What is asked of merging.
pub struct Asked<'r> {
    /// Keep rules.
    pub rules: &'r Configuration,
    /// Which attributes stay.
    pub kept: &'r KeptAttributes,
    /// The annotations that the program asks for.
    pub annotations: &'r BTreeSet<Box<[u8]>>,
    /// Class files that stay as they are.
    pub outside: &'r [ClassFile<'r>],
    /// What the program looks for by names.
    pub sought: &'r Sought,
    /// Classes that nothing outside looks at.
    pub unobserved: &'r Unobserved,
    /// Where lines of inlined code are from, if stack traces will be turned back.
    pub origins: Option<&'r Origins>,
    /// Whether classes become a part of the one below, and of one beside.
    pub directions: (bool, bool),
}
