//! The interpreter, and with it what counts as behaviour.
//!
//! - [`value`]: what a value is at run time.
//! - [`scenario`]: the world outside, made from a seed: contents of objects, answers of calls.
//! - [`heap`]: objects, arrays, strings and raw memory, by [`place`].
//! - [`machine`]: running a function, with fuel and counts.
//! - [`behaviour`]: what an observer sees of a run: calls with their arguments and memory, the end.
//! - [`mod@refine`]: whether one run may stand for another.
//! - [`mod@validate`]: running a function and what it became side by side.
//!
//! Pure operations mean what the table says ([`planish_ops::fold()`]); memory, control and calls mean what
//! is written here, and nowhere else. A run depends on the function, its arguments and the scenario
//! alone, so a function and its optimized form can be run in the same world and compared.
//!
//! What is not observed: time, addresses of fresh objects unless a program asks for them, elidable
//! calls, and the order of stores between two moments at which somebody could look.

pub mod behaviour;
pub mod heap;
mod known;
pub mod machine;
pub mod place;
pub mod refine;
pub mod scenario;
pub mod validate;
pub mod value;

mod aliasing;
mod bulk;
mod cells;
mod denote;
mod memory;
mod raw;
mod rebuild;
mod types;
mod vector;
mod vectors;

pub use behaviour::{Counts, End, Event, Run};
pub use machine::{Host, Limits, MayFail, NoHost, Program, run, run_with};
pub use refine::{Difference, Verdict, refine};
pub use scenario::Scenario;
pub use validate::{Counterexample, Subject, Validation, validate};
pub use value::{Reference, Val};
pub use vector::Vector;
