//! The region language: `.rvsdg` files, and control flow turned into regions and back.
//!
//! A program is one s-expression:
//!
//! ```text
//! (?neg (func-1-inputs-1-outputs (* -1 get-0))
//!   (func-2-inputs-1-outputs (+ get-0 (get-0 (call ?neg get-1)))))
//! ```
//!
//! The language is that of Jamey Sharp's *optir* (its README, "RVSDG input language"): numbers, `+ * / %
//! & << >> >>s = > use`, tuples with `get-N`, functions, calls, `switch` (gamma), `loop` (theta), and
//! let-bindings, which stand for the term they bind. Here indices have no limit of 255, a program may be
//! `(module (name function) ...)`, `phi-N-functions` ties functions that call one another, and every pure
//! operation of the table on words may be named, as in `(select c a b)`. A `phi` takes constant inputs,
//! then N functions; the arguments of its region are the N functions themselves, then the constant inputs,
//! so that a function gets itself as a constant input:
//!
//! ```text
//! (get-0 (phi-1-functions
//!   (func-1-inputs-1-outputs get-0
//!     (get-0 (switch-2-cases-1-outputs (> get-0 1) get-0 get-1
//!       1
//!       (* get-0 (get-0 (call get-1 (+ get-0 -1)))))))))
//! ```
//!
//! # Meaning
//!
//! Values are words of 64 bits (or as the options say), and functions. Arithmetic wraps, amounts of shifts
//! are taken modulo the width, `/` and `%` truncate and trap on zero, `>` is signed, comparisons give one
//! or zero. A `loop` runs its body, then again while the predicate, computed from the arguments of that
//! iteration, is not zero. A `switch` whose predicate counts no case is not defined. `use` hands on its
//! first operand, of which optimizing knows nothing but that equal operands give equal values. What no result needs is not part
//! of a program; what a result needs is evaluated once where it stands: a case only when it is selected.
//! An effect is an order that results need: a state that is passed from `use` to `use`, or around a loop.
//!
//! - [`terms`]: programs as one graph without repetitions.
//! - [`mod@read`], [`mod@write`]: text to programs and back; printing finds what is shared.
//! - [`mod@lower`]: from SSA: [`restructure`] the control flow, [`mod@build`] the values, make terms.
//! - [`mod@lift`]: to SSA: calls of chosen functions are [spread](mod@devirtualize) over the choice, regions become nodes, and [`mod@thread`] skips the branches that are decided.
//! - [`mod@dot`]: regions as a drawing.
//! - [`legal`]: the operators of the published language, and of the extension.

pub mod build;
pub mod devirtualize;
pub mod dot;
pub mod legal;
pub mod lift;
pub mod lower;
pub mod picture;
pub mod read;
pub mod restructure;
pub mod terms;
pub mod thread;
mod view;
pub mod write;

pub use lift::lift;
pub use lower::lower;
pub use read::read;
pub use terms::{Program, Term, Terms};
pub use write::write;
