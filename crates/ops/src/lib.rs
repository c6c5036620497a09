//! THE table of operations, and what it needs to say what an operation means.
//!
//! - [`bits`]: the trait [`Bits`] of fixed-width words and [`Floats`] beside it.
//!   Everything an operation means is written over these two, once.
//! - [`items`]: constant tables, from which operations look up.
//! - [`machine`]: the instance that runs: words of 1 to 64 bits in a `u64`, hardware floats.
//! - [`types`]: the types of values.
//! - [`row`]: what the table says of an operation: operands, results, effect, exits, algebra, cost.
//! - [`table`]: the rows, each with its meaning. **Operations are added there and nowhere else.**
//! - `arithmetic`: formulas that several rows share.
//! - [`lanes`]: what operations on vectors mean, made of the meaning of those on their lanes.
//! - [`mod@fold`]: the meaning instantiated for the machine: constant folding, and half the interpreter.
//! - [`world`]: what a field, array, class or callee is, asked through one trait.
//! - [`catalogue`]: the table as a page of Markdown.
//! - [`spelling`]: what an unknown word was probably meant for.
//!
//! The crate knows nothing of functions, rules or solvers. The solver's instance of `Bits` is a term
//! pool in the `smt` crate; the meaning it gives to `add` is the one function in [`table`] that also
//! folds `add`.

mod arithmetic;
pub mod bits;
pub mod catalogue;
pub mod fold;
pub mod items;
pub mod lanes;
mod look_up;
pub mod machine;
pub mod meaning;
mod names;
pub mod row;
pub mod spelling;
pub mod table;
pub mod types;
pub mod world;

pub use bits::{Bits, Floats};
pub use fold::{Fold, fold};
pub use items::{Item, Items};
pub use machine::{Int, Machine, Real};
pub use meaning::{Datum, Meaning};
pub use row::{Algebra, Conversion, Effect, EqualOperands, Exits, Lanewise, Named, Shape};
pub use table::{Op, Row};
pub use types::{FloatFormat, Lane, Type};
