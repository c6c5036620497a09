//! Questions about words and floats, and who answers them.
//!
//! - [`term`]: hash-consed terms over the [`signature`]; [`bits`] makes the pool an instance of [`planish_ops::Bits`], so that
//!   the table's meanings and the domain's transfer functions become terms by being called.
//! - [`simplify`]: the little that is simplified on the way; [`value`]: what the functions compute.
//! - [`query`]: assertions, models, verdicts. [`solver`]: the trait, and [`solver::decide`], which
//!   evaluates every model before it is believed; [`budget`]: what an answer may cost.
//! - [`print`](mod@print): SMT-LIB 2 text. [`process`]: any solver that reads it. [`sexp`]: what it answers.
//! - [`builtin`]: the solver that needs no installation: algebra, laws of division, circuits, cases. [`blast`] makes circuits of terms from [`gates`],
//!   which write a [`cnf`]; [`sat`] decides it; [`refutation`] checks a negative answer.
//!
//! - `opaque`: queries in which products and quotients are unknown; `arithmetic`: theorems about these, which [`theorems`] names; `powers`: those by 1 << c as shifts; `floats`: queries about
//!   floats in words, with theorems about their arithmetic.
//!
//! The crate knows nothing of rules, programs or ledgers.

mod arithmetic;
pub mod bits;
pub mod blast;
pub mod budget;
pub mod builtin;
pub mod cnf;
mod floats;
pub mod gates;
mod laws;
mod opaque;
mod order;
mod powers;
pub mod print;
pub mod process;
pub mod query;
pub mod refutation;
mod ring;
pub mod sat;
pub mod sexp;
pub mod signature;
pub mod simplify;
mod simulation;
mod small_domain;
pub mod solver;
mod split;
pub mod term;
pub mod theorems;
pub mod value;

pub use budget::{Budget, Cancel};
pub use builtin::Builtin;
pub use opaque::opaque;
pub use process::{NoSolver, ProcessSolver};
pub use query::{Model, Query, Reason, Verdict};
pub use signature::Sort;
pub use solver::{Solver, decide};
pub use term::{Pool, Term};
pub use theorems::{Theorem, Theorems};
pub use value::Value;
