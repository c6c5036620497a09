//! `planish-trace` for C: the functions that `include/planish_trace.h` declares.
//!
//! A handle is a pointer to something that this library owns; words, values and operations are numbers. Every
//! function answers with a `Status`; nothing of Rust crosses the border, panics included: a recorder in which one
//! happened does nothing more.
//!
//! Types do most of the work of the border. `Option<&mut T>` and `Option<Box<T>>` have the form of a pointer that
//! may be null, so only the extent of arrays and the end of strings have to be believed: the three `unsafe` blocks
//! of `border`. The header is held to these functions by a test.

#![allow(unsafe_code, reason = "names that a C linker finds, arrays and strings of C")]

mod border;
mod record;
mod recorder;
#[cfg(test)]
mod tests;
mod walk;
mod words;
