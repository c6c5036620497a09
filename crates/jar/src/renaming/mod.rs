//! Renaming a program of classes: who is called what is decided in [`planish_jvm::rename`]; here are the options, and what
//! lies beside the classes.
//!
//! It is the last thing that happens to a program, since all else speaks of it by the names that it had: keep rules,
//! notes, reports, the mapping.
//!
//! - [`given`]: what files and options say. [`resources`]: entries that are called after classes, or speak of them.
//! - [`renamed`]: a program with its new names.

pub mod given;
pub mod renamed;
pub mod resources;
