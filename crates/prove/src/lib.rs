//! Proofs: of rules, of the abstract domain, of single translations; and the ledger that remembers them.
//!
//! - [`engine`]: which solver is asked. [`parallel`]: on several threads.
//! - [`question`]: a claim as a question. [`domain`]: the theorems of the abstract domain, proved in [`steps`].
//! - [`rule`]: proofs of rules, from the questions of [`claim`], which [`prover`] asks; a counterexample becomes small in
//!   [`minimize`](mod@minimize) and is told in [`counterexample`].
//! - [`integers`]: lemmas about integers with certificates, on which theorems about products and quotients rest.
//! - [`magic`]: the theorem behind division by multiplication; [`certified`]: what it says of a rule's constants.
//! - [`shadow`]: rules that others leave nothing for, by arithmetic.
//! - [`discover`]: what a rule could say: constants that it leaves open, the condition under which it holds, how general it is.
//! - [`mod@validate`]: whether one function may stand for another, from all ends of both ([`symbolic`]).
//! - [`catalogue`]: the book and its proofs as pages of Markdown.
//! - [`ledger`]: what was proved, keyed by the questions themselves.
//!
//! Nothing here prints or ends a process: results are values, and texts are made for callers to show.

pub mod catalogue;
pub mod certified;
pub mod claim;
pub mod counterexample;
pub mod discover;
pub mod domain;
pub mod engine;
pub mod integers;
pub mod lanes;
pub mod ledger;
pub mod magic;
pub mod minimize;
pub mod parallel;
pub mod prover;
pub mod question;
pub mod rule;
pub mod shadow;
pub mod show;
pub mod steps;
pub mod symbolic;
mod tables;
pub mod under_way;
pub mod validate;

pub use engine::{Answer, Engine};
pub use ledger::Ledger;
pub use planish_smt::{Budget, Cancel};
pub use question::{Options, Question};
pub use validate::{Validation, validate};
