//! The three-address language: `.tac` and `.cfg` files.
//!
//! One statement a line, tokens separated by blanks, comments from `#` or `;` to the end of the line:
//!
//! ```text
//! function -> x n          # arguments; the arrow may go when there are none
//!   mov 1 -> y
//! label loop
//!   & n 1 -> odd
//!   switch odd even multiply
//! label multiply
//!   * y x -> y
//! label even
//!   * x x -> x
//!   >> n 1 -> n
//!   = n 0 -> done
//!   switch done loop end
//! label end
//!   return y
//! ```
//!
//! The language is that of Jamey Sharp's *optir* (its README, "CFG input language"), without its
//! restrictions: several returns, unreachable blocks, any number of cases and variables, loops without a
//! way out. A file may hold several functions, `function NAME -> x y`, that `call NAME a b -> c` one
//! another; and every pure operation of the table on words may be named, as in `or a b -> c`.
//!
//! # Meaning
//!
//! Variables hold words of 64 bits (or as [`Options::width`](lift::Options::width) says). Arithmetic
//! wraps, the amount of a shift is taken modulo the width, `/` and `%` truncate and trap on zero, `>` is
//! signed, comparisons give 0 or 1. The value of a `switch` selects a label, counted from 0; outside of
//! the labels nothing is defined. `use` hands on each of its operands, behind all of them, and does
//! nothing when it runs. A variable that some path leaves unassigned must not be read, or reads as zero.
//!
//! - [`ast`]: programs as they are written.
//! - [`mod@read`], [`mod@write`]: text to programs and back.
//! - [`mod@lift`], [`mod@lower`]: programs to SSA and back.
//! - [`legal`]: the operators of the published language, and of the extension.

pub mod ast;
mod layout;
pub mod legal;
pub mod lift;
pub mod lower;
pub mod read;
pub mod write;

pub use ast::Program;
pub use lift::lift;
pub use lower::lower;
pub use read::read;
pub use write::write;
