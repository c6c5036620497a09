//! Bril: the Big Red Intermediate Language of Cornell's compiler courses and of much research.
//!
//! A program is functions of labels and instructions over named, typed variables. It comes as text or
//! as JSON; both are read to one [`ast`] and written from it. The language is described by Adrian Sampson's
//! "Bril" documentation; core, float, char and memory extensions are understood, and the operations
//! on words that the authors of eggcc added: those are written only where the program has some already.
//!
//! - [`text`], [`json`]: both forms to programs and back.
//! - [`mod@lift`], [`mod@lower`]: programs to SSA and back.
//! - [`legalize`]: what is said by more, before it is written.
//! - [`legal`]: the operations that compute; [`memory`]: memory and output, as calls with effects.

pub mod ast;
pub mod json;
pub mod legal;
pub mod legalize;
pub mod lift;
pub mod lower;
pub mod memory;
pub mod text;

pub use lift::{Signature, Signatures, lift};
pub use lower::lower;
