//! Values at run time.
//!
//! A reference is null, an object that was there before the run ([`Reference::Outside`]), one that the
//! run made, or what an operation throws by itself. A symbol is an outside object whose number comes
//! from its name, so that it is the same object in every run.
//!
//! [`Val::Undefined`] is the result of an operation that means nothing on its operands and cannot leave
//! (a conversion out of range). It spreads through pure operations; a run that must decide something by
//! it has no behaviour that anybody could rely on.

use std::fmt;

use planish_ops::{Datum, FloatFormat, Int, Lane, Machine, Real, Type};

use crate::vector::Vector;

/// What an operation throws by itself.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Fault {
    /// A division by zero.
    Division,
    /// An access through null.
    Null,
    /// An index that is not below the length.
    Bounds,
    /// An object that is not of the class.
    Cast,
    /// An array of negative length.
    NegativeLength,
    /// A guard that failed and has no exit.
    Guard,
}

impl Fault {
    /// The name by which handlers know it.
    pub fn name(self) -> &'static str {
        match self {
            Fault::Division => "division",
            Fault::Null => "null",
            Fault::Bounds => "bounds",
            Fault::Cast => "cast",
            Fault::NegativeLength => "negative length",
            Fault::Guard => "guard",
        }
    }
}

/// A reference.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Reference {
    /// Null.
    Null,
    /// An object that was there before the run.
    Outside(u64),
    /// The n-th object that the run made.
    Fresh(u32),
    /// What an operation throws by itself.
    Thrown(Fault),
}

impl fmt::Display for Reference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Reference::Null => f.write_str("null"),
            Reference::Outside(n) if *n < 1 << 32 => write!(f, "object{n}"),
            Reference::Outside(n) => write!(f, "object@{n:x}"),
            Reference::Fresh(n) => write!(f, "new{n}"),
            Reference::Thrown(fault) => write!(f, "fault({})", fault.name()),
        }
    }
}

/// A value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Val {
    /// An integer.
    Int(Int),
    /// A floating-point number.
    Real(Real),
    /// A reference.
    Ref(Reference),
    /// A vector.
    Vector(Vector),
    /// An effect as a value, or a hole.
    State,
    /// The result of an operation that means nothing on its operands.
    Undefined,
}

impl Val {
    /// An integer.
    pub fn int(ty: Type, value: i64) -> Val {
        Val::Int(Int::new(ty.int_width().expect("an integer type"), value as u64))
    }

    /// Zero or null: what fresh memory holds.
    pub fn zero(ty: Type) -> Val {
        match ty {
            Type::Int(width) => Val::Int(Int::new(u32::from(width), 0)),
            Type::Float(FloatFormat::F32) => Val::Real(Real::F32(0.0)),
            Type::Float(FloatFormat::F64) => Val::Real(Real::F64(0.0)),
            Type::Ref => Val::Ref(Reference::Null),
            Type::State => Val::State,
            Type::Vector(lane) => {
                let zeros = vec![Val::zero(lane.ty()); lane.count() as usize];
                Val::vector(lane, &zeros).expect("a zero for each lane")
            }
        }
    }

    /// A vector of such lanes; `None` if they are of other types or of another number.
    pub fn vector(lane: Lane, lanes: &[Val]) -> Option<Val> {
        let lanes: Option<Vec<Datum<Machine>>> = lanes.iter().map(|value| value.datum()).collect();
        Vector::of(lane, &lanes?).map(Val::Vector)
    }

    /// An integer or a float as operations of the table take it.
    pub(crate) fn datum(self) -> Option<Datum<Machine>> {
        match self {
            Val::Int(int) => Some(Datum::Word(int)),
            Val::Real(real) => Some(Datum::Float(real)),
            _ => None,
        }
    }

    /// What an operation of the table gives.
    pub(crate) fn of_datum(datum: Datum<Machine>) -> Val {
        match datum {
            Datum::Word(int) => Val::Int(int),
            Datum::Float(real) => Val::Real(real),
        }
    }

    /// The type; `None` for what is undefined.
    pub fn ty(self) -> Option<Type> {
        match self {
            Val::Int(int) => Some(int.ty()),
            Val::Real(real) => Some(Type::Float(real.format())),
            Val::Ref(_) => Some(Type::Ref),
            Val::State => Some(Type::State),
            Val::Vector(vector) => Some(Type::Vector(vector.lane())),
            Val::Undefined => None,
        }
    }
}

/// Integers as in `.ssa` text, with their type unless it is i64.
impl fmt::Display for Val {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Val::Int(int) if int.width() == 64 => write!(f, "{int}"),
            Val::Int(int) => write!(f, "{int}: {}", int.ty()),
            Val::Real(Real::F64(value)) => write!(f, "{value:?}"),
            Val::Real(Real::F32(value)) => write!(f, "{value:?}: f32"),
            Val::Ref(reference) => reference.fmt(f),
            Val::Vector(vector) => vector.fmt(f),
            Val::State => f.write_str("none"),
            Val::Undefined => f.write_str("undefined"),
        }
    }
}
