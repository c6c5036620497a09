//! Bril: the Big Red Intermediate Language of Cornell's compiler courses and of much research.
//!
//! A program is functions of labels and instructions over named, typed variables. It comes as text or
//! as JSON; both are read to one [`ast`] and written from it. The language is described by Adrian Sampson's
//! "Bril" documentation; core, float, char and memory extensions are understood.

pub mod ast;
pub mod json;
pub mod text;
