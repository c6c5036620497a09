//! Why something of a program is needed, and what rules name.

use planish_jvm_model::program::{Class, Field, Method};

/// Why something is needed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Cause {
    /// A root, by the number of its text.
    Root(u32),
    /// A method speaks of it, or runs it.
    Method(Method),
    /// A class has it.
    Class(Class),
}

/// A member that a rule keeps.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Root {
    /// A method.
    Method(Method),
    /// A field.
    Field(Field),
}
