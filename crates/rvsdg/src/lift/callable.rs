//! Functions by what is known of them: the same code with the same constants is one function.

use crate::terms::Term;

planish_base::define_id!(
    /// A function that can be called.
    Callable, "f"
);

/// A function with what is known of its constant inputs.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(super) struct CallableData {
    pub what: Code,
    pub constants: Vec<Known>,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) enum Code {
    /// A `func` term.
    Function(Term),
    /// A function of a `phi` term; the constants are the inputs of the `phi`.
    Member(Term, u32),
}

/// What is known of a constant input.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) enum Known {
    Function(Callable),
    Number(i64),
    /// A value at run time, which a call passes behind the other inputs.
    AtRunTime,
}
