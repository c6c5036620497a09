//! What edges say of the block that they go to: what its parameters are, and what holds there.

use planish_ir::Value;

/// What the arguments that come to a parameter have in common so far.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) enum Join {
    /// None came.
    #[default]
    None,
    /// All are this value.
    Same(Value),
    /// They differ.
    Differ,
}

/// What an edge teaches.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Lesson {
    /// The value is not zero, or is zero.
    Truth(Value, bool),
    /// The values are the same.
    Equal(Value, Value),
    /// 0 ≤ the first < the second, signed.
    Within(Value, Value),
}
