//! Constants: values that no instruction makes.
//!
//! A constant is interned per function and has a [`Value`](crate::Value) of its own, so an operand is a
//! value and nothing else, and two equal constants are one value.

use planish_ops::{Int, Real, Type};

planish_base::define_id!(
    /// The name of something whose address or contents are not known here: a class, a function, an
    /// object that a trace has as a constant. Names live in the [`Module`](crate::Module).
    Symbol, "s"
);

/// A constant.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Const {
    /// An integer.
    Int(Int),
    /// A floating-point number.
    Real(Number),
    /// The null reference.
    Null,
    /// The address of a symbol: a reference, or the address as an integer. Equal symbols are equal; of
    /// different symbols nothing is known, but that none is null (or zero).
    Symbol(Symbol, Type),
    /// No value at all: a hole in the arguments of an exit. It has the type `state`.
    Hole,
}

impl Const {
    /// The type of the constant.
    pub fn ty(self) -> Type {
        match self {
            Const::Int(int) => int.ty(),
            Const::Real(Number(real)) => Type::Float(real.format()),
            Const::Null => Type::Ref,
            Const::Symbol(_, ty) => ty,
            Const::Hole => Type::State,
        }
    }
}

/// A float as a key: equal when the encodings are, all NaNs being one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Number(pub Real);

impl std::hash::Hash for Number {
    fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
        (self.0.format(), self.0.to_bits()).hash(state);
    }
}

impl From<Int> for Const {
    fn from(int: Int) -> Self {
        Const::Int(int)
    }
}

impl From<Real> for Const {
    fn from(real: Real) -> Self {
        Const::Real(Number(real))
    }
}
