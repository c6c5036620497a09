//! Properties that hold for any input.
//!
//! A property is a function that takes arbitrary data and panics when something is wrong. The fuzz
//! targets in `fuzz/` are a line each that calls one; the tests of this crate run each for a second on
//! random data. So what the fuzzer checks is checked in every test run, and a finding of the fuzzer is a
//! test when its data is added.
//!
//! - [`texts`]: readers of text. Any text gives diagnostics, never a panic; what is read without an error
//!   is written so that it reads back the same.
//! - [`classes`]: random programs of classes.
//! - [`binaries`]: class files and archives, in the same way.
//! - [`cached`]: programs of classes that change, optimized with what the run before kept.
//! - [`functions`]: random functions, optimized and run beside themselves; [`cells`]: those over memory of cells.
//! - [`traces`]: traces as text, optimized and run beside themselves; what bridges are told of their parents.
//! - [`regions`]: random statements, to regions and back; [`calls`]: random regions whose functions call one another;
//!   [`closures`]: those whose values are functions.
//! - [`settled`]: programs that are optimized are so a second time.
//! - [`compiler`]: random rules, matched by the compiled tree and one by one.
//! - `native`: random functions as machine code beside the interpreter, with the feature of that name.
//! - [`vector_loops`]: random loops over items side by side, done in lanes.
//! - [`mutate`]: texts near those that are right, which reach deeper than random bytes.

pub mod binaries;
pub mod cached;
pub mod calls;
pub mod cells;
pub mod classes;
pub mod closures;
pub mod compiler;
pub mod functions;
pub mod mutate;
#[cfg(feature = "native")]
pub mod native;
pub mod recursion;
pub mod regions;
pub mod settled;
pub mod texts;
pub mod traces;
pub mod vector_loops;
