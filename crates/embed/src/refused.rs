//! Why something was not recorded.

use planish_opt::PipelineError;
use std::fmt;

use planish_ops::{Op, Type, catalogue};

/// A guard of the trace can never hold: the trace would be left there each time it runs.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct InvalidLoop {
    /// The operation, counted from 1 as it was recorded.
    pub operation: u32,
    /// Its name.
    pub name: &'static str,
}

impl fmt::Display for InvalidLoop {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} at operation {} can never pass", self.name, self.operation)
    }
}

impl std::error::Error for InvalidLoop {}

/// Something was not recorded, because of what the recorder was told. The trace is as it was before.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Refused {
    /// No trace was begun.
    NotBegun,
    /// The trace has a loop already.
    SecondLoop,
    /// The trace has no loop that could be closed.
    NoLoop,
    /// The state at the end of a loop is not like that at its head: another number of values, or other types.
    State {
        /// How many values were given.
        given: usize,
        /// How many the loop has.
        expected: usize,
    },
    /// What is handed over where a loop is entered is not what its entry says: another number of values, or other types.
    Entry {
        /// How many values were given.
        given: usize,
        /// How many the entry takes.
        expected: usize,
    },
    /// A bridge out of an exit that no guard of the trace has.
    NoExit(u32),
    /// A bridge that takes what is kept for an exit of which several guards make different things.
    Differently(u32),
    /// A value from before a loop that other traces enter, used in it: only what is handed over is there.
    Outside {
        /// The position among those that were given.
        position: usize,
    },
    /// A value that the trace does not have.
    NoValue {
        /// The position among those that were given.
        position: usize,
    },
    /// Too few operands, or too many.
    Count {
        /// The operation.
        op: Op,
        /// How many were given.
        given: usize,
        /// How many it takes.
        expected: usize,
    },
    /// An operand of a type that the operation does not take there.
    Operand {
        /// The operation.
        op: Op,
        /// The position of the operand.
        position: usize,
        /// Its type.
        ty: Type,
    },
    /// The operands do not tell the type of the result, which was not named either.
    Untyped(Op),
    /// The operation has no result of this type on these operands.
    Result {
        /// The operation.
        op: Op,
        /// The type that was named.
        ty: Type,
    },
    /// No value is of this type.
    Type(Type),
    /// The operation is of another kind than the function that was to record it.
    Kind(Op),
    /// The trace has as many operations as can be numbered.
    TooLong,
    /// The name is that of another word.
    Taken(String),
    /// There is no such pass for traces, or it has no such option.
    Pass(PipelineError),
    /// These passes need the whole trace, or several walks over it.
    NeedsWholeTrace(String),
    /// The trace can never run to its end, and is over.
    Invalid(InvalidLoop),
}

impl fmt::Display for Refused {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Refused::NotBegun => f.write_str("no trace was begun"),
            Refused::SecondLoop => f.write_str("the trace has a loop already"),
            Refused::NoLoop => f.write_str("the trace has no loop that could be closed"),
            Refused::State { given, expected } if given == expected => {
                f.write_str("the values at the end of the loop have other types than at its head")
            }
            Refused::State { given, expected } => {
                write!(f, "{given} values at the end of a loop that has {expected}")
            }
            Refused::Entry { given, expected } if given == expected => {
                f.write_str("the values handed over have other types than the entry of the loop takes")
            }
            Refused::Entry { given, expected } => {
                write!(f, "{given} values for a loop whose entry takes {expected}")
            }
            Refused::NoExit(exit) => write!(f, "no guard of the trace leaves through the exit {exit}"),
            Refused::Differently(exit) => {
                write!(f, "several guards leave through the exit {exit} and keep different things for it")
            }
            Refused::Outside { position } => {
                write!(f, "value {position} is from before the loop, and others who enter it do not have it")
            }
            Refused::NoValue { position } => write!(f, "value {position} is none of this trace"),
            Refused::Count { op, given, .. } => {
                write!(f, "`{op}` on {given} operands, but it is {}", catalogue::signature(op.row()))
            }
            Refused::Operand { op, position, ty } => {
                let signature = catalogue::signature(op.row());
                write!(f, "operand {position} of `{op}` is of type {ty}, but it is {signature}")
            }
            Refused::Untyped(op) => {
                let signature = catalogue::signature(op.row());
                write!(
                    f,
                    "the operands of `{op}` do not tell the type of its result, for it is {signature}: it has to be named"
                )
            }
            Refused::Result { op, ty } => {
                let signature = catalogue::signature(op.row());
                write!(f, "`{op}` gives no {ty} here, for it is {signature}")
            }
            Refused::Type(ty) => write!(f, "no value is of type {ty}"),
            Refused::Kind(op) => write!(f, "`{op}` is not recorded by this function"),
            Refused::TooLong => f.write_str("the trace has too many operations"),
            Refused::Taken(name) => write!(f, "`{name}` is described twice"),
            Refused::Pass(why) => why.fmt(f),
            Refused::NeedsWholeTrace(passes) => write!(f, "`{passes}` needs the whole trace"),
            Refused::Invalid(invalid) => invalid.fmt(f),
        }
    }
}

impl std::error::Error for Refused {}
