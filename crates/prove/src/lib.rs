//! Proofs: of rules, of the abstract domain, of single translations; and the ledger that remembers them.
//!
//! - [`engine`]: which solver is asked. [`parallel`]: on several threads.
//! - [`ledger`]: what was proved, keyed by the questions themselves.
//!
//! Nothing here prints or ends a process: results are values, and texts are made for callers to show.

pub mod engine;
pub mod ledger;
pub mod parallel;

pub use engine::{Answer, Engine};
pub use ledger::Ledger;
