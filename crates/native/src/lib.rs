//! Functions as machine code, by Cranelift.
//!
//! - `compile`: a function of a module and all that it calls, as `Code`.
//! - `Code`: machine code that is run on arguments, once or many times; it ends as the interpreter would end.
//! - `Refused`: what has no machine code, and where.
//! - `agrees`: whether a run may stand for one of the interpreter.
//!
//! A run of the code ends in the same way as one of the interpreter: with results, through an exit, with a trap. What
//! means nothing there may be anything here, but it is safe: memory has bounds, the stack is watched, and no operation
//! faults. Objects, the world outside, and what only a trace has are refused.
//!
//! The meanings of the table of operations are compiled as they are: `words` is one more instance of the traits over
//! which they are written, next to those that compute and that reason.
//!
//! Without the feature `cranelift` there is nothing here.

#[cfg(feature = "cranelift")]
mod access;
#[cfg(feature = "cranelift")]
mod agree;
#[cfg(feature = "cranelift")]
mod bulk;
#[cfg(feature = "cranelift")]
mod calls;
#[cfg(feature = "cranelift")]
mod code;
#[cfg(feature = "cranelift")]
mod compile;
#[cfg(feature = "cranelift")]
mod function;
#[cfg(feature = "cranelift")]
mod lanes;
#[cfg(feature = "cranelift")]
mod memory;
#[cfg(feature = "cranelift")]
mod operation;
#[cfg(feature = "cranelift")]
mod refused;
#[cfg(feature = "cranelift")]
mod tables;
#[cfg(feature = "cranelift")]
mod unit;
#[cfg(feature = "cranelift")]
mod vectors;
#[cfg(feature = "cranelift")]
mod words;

#[cfg(feature = "cranelift")]
pub use self::{
    agree::agrees,
    code::{Code, Timed},
    compile::compile,
    refused::Refused,
    unit::Options,
};
