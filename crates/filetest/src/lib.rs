//! File tests, and random programs.
//!
//! - [`case`]: a file that holds a program, what is done with it and what must come out.
//! - [`action`]: what can be done with a program: `read`, `errors`, `run`, `count`, `opt`, `convert`.
//! - [`bridges`]: what bridges of logs are told of their parents, held against runs of those; `told`: the same of bridges out of
//!   guards of `.trace` files.
//! - [`check`]: doing it, comparing, blessing.
//! - [`diff`]: the difference between two texts.
//! - [`generate`]: random functions from the table of operations, made from the bytes of a fuzzer or a
//!   seed.
//! - [`property`]: what must hold of every optimized random function.
//!
//! The files lie in `tests/` at the root of the workspace and are ordinary inputs of the `planish`
//! command: what a test adds stands in comments.
//!
//! ```text
//! # test: opt
//! # passes: rewrite:dead
//! v0 = getarg(0)
//! v1 = add(5, 4)
//! v2 = add(v1, v0)
//! # expected:
//! # v0 = getarg(0)
//! # v1 = add(9, v0)
//! ```
//!
//! `BLESS=1 cargo test -p planish-filetest --test files` writes what comes out into the files. An
//! optimized program is run beside its source before it may be blessed.

pub mod action;
pub mod bridges;
pub mod case;
pub mod check;
pub mod diff;
pub mod generate;
pub mod property;
mod told;
