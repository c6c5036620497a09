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
    /// Which of the functions that are the same: a program may export one under several names, and a reference may be to
    /// another one than that which is exported.
    pub copy: u32,
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
    /// A function, and how many values at run time it has itself.
    Function(Callable, usize),
    Number(i64),
    /// A value at run time, which a call passes behind the other inputs.
    AtRunTime,
}

impl Known {
    /// How many values at run time a call passes for it.
    pub fn passed(self) -> usize {
        match self {
            Known::Function(_, values) => values,
            Known::Number(_) => 0,
            Known::AtRunTime => 1,
        }
    }
}
