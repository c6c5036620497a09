//! The meaning of the table, instantiated for the machine and compiled once.
//!
//! [`fold`] is what the linear engine calls on constant operands and the interpreter on every pure
//! operation. It allocates nothing.

use crate::machine::{Int, Machine, Real};
use crate::meaning::Datum;
use crate::table::Op;
use crate::types::Type;

/// What an operation yields on the machine.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Fold {
    /// One integer.
    Int(Int),
    /// An integer and its overflow bit.
    Pair(Int, Int),
    /// One float.
    Real(Real),
    /// The operation means nothing on these operands: a division by zero, say.
    Undefined,
}

/// Computes an operation on machine values, its results being of the types `to`.
///
/// `None` when the table gives the operation no meaning. Panics when the operands do not fit the row.
pub fn fold(op: Op, args: &[Datum<Machine>], to: &[Type]) -> Option<Fold> {
    let meaning = op.meaning(&mut Machine, args, to)?;
    if meaning.defined == Some(false) {
        return Some(Fold::Undefined);
    }
    Some(match (meaning.value, meaning.flag) {
        (Datum::Word(value), None) => Fold::Int(value),
        (Datum::Word(value), Some(flag)) => Fold::Pair(value, flag),
        (Datum::Float(value), _) => Fold::Real(value),
    })
}
