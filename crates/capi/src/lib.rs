//! Planish for C: the functions that the headers in `include` declare.
//!
//! - `module`, `optimizer`: functions and modules, `planish.h`, over the crate `planish`.
//! - `trace`: traces of JITs, `planish_trace.h`, over the crate `planish-trace`.
//! - `names`: types and operations, which both have, `planish_common.h`.
//!
//! A handle is a pointer to something that this library owns; everything else is a number or memory of the caller's. Every
//! function answers with a `Status`; nothing of Rust crosses the border, panics included: a handle with which one happened
//! does nothing more.
//!
//! Types do most of the work of the border. `Option<&mut T>` and `Option<Box<T>>` have the form of a pointer that
//! may be null, so only the extent of arrays and the end of strings have to be believed: the three `unsafe` blocks
//! of `border`. The headers are held to these functions by a test.

#![allow(unsafe_code, reason = "names that a C linker finds, arrays and strings of C")]

mod border;
mod module;
mod names;
mod optimizer;
#[cfg(test)]
mod place;
#[cfg(test)]
#[path = "../../opt/tests/common/rng.rs"]
mod rng;
mod trace;
