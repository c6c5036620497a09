//! Questions about words and floats, and who answers them.
//!
//! - [`term`]: hash-consed terms; [`bits`] makes the pool an instance of [`planish_ops::Bits`], so that
//!   the table's meanings and the domain's transfer functions become terms by being called.
//! - [`simplify`]: the little that is simplified on the way; [`value`]: what the functions compute.
//! - [`query`]: assertions, models, verdicts. [`solver`]: the trait, and [`solver::decide`], which
//!   evaluates every model before it is believed.
//! - [`print`](mod@print): SMT-LIB 2 text. [`process`]: any solver that reads it. [`sexp`]: what it answers.
//!
//! The crate knows nothing of rules, programs or ledgers.

pub mod bits;
pub mod print;
pub mod process;
pub mod query;
pub mod sexp;
pub mod simplify;
pub mod solver;
pub mod term;
pub mod value;

pub use process::{NoSolver, ProcessSolver};
pub use query::{Model, Query, Reason, Verdict};
pub use solver::{Solver, decide};
pub use term::{Pool, Sort, Term};
pub use value::Value;
