//! The ground floor of Planish: what every other crate needs and none of it knows about programs.
//!
//! - [`arena`]: typed ids, dense arenas and side tables over them. Nothing in Planish holds a
//!   reference into an arena; everything holds an id of four bytes.
//! - [`appended`]: a list that grows while it is read.
//! - [`list`]: lists of ids in one pool, so that an operand list costs no allocation of its own.
//! - [`intern`]: one id for equal things, in order of first appearance.
//! - [`unionfind`]: directed union-find, the "forwarding" of the linear engine.
//! - [`components`]: strongly connected components of a graph.
//! - [`diag`]: diagnostics with spans, collected rather than returned one by one.
//! - [`budget`]: fuel (stop after N rewrites) and named budgets that report when they are hit.
//! - [`caught`]: panics that end a unit of work and not the run.
//! - [`faults`]: deliberate mistakes that tests switch on by name.
//! - [`share`]: work on independent items by several threads, with results in their order.
//! - [`shown`](mod@shown): text of a program as it can be shown to a person.
//! - [`spelling`]: the known name that a misspelt one may mean.
//! - [`threads`]: threads with room for recursion, as far as the system gives them.
//! - [`worklist`]: work lists whose order does not matter, and is random where that is to be shown.
//!
//! Iteration is deterministic everywhere: arenas iterate by id, and interners by first appearance.
//! No type here exposes the order of a hash table.

pub mod appended;
pub mod arena;
pub mod budget;
pub mod caught;
pub mod components;
pub mod diag;
pub mod faults;
pub mod intern;
pub mod list;
pub mod share;
pub mod shown;
pub mod spelling;
pub mod threads;
pub mod unionfind;
pub mod worklist;

pub use appended::Appended;
pub use arena::{Arena, Id, SideTable};
pub use budget::{Budget, Fuel};
pub use components::Components;
pub use diag::{Diagnostic, Diagnostics, Severity, SourceText, Span};
pub use intern::Interner;
pub use list::{List, ListPool};
pub use share::{share_out, share_out_by_size};
pub use shown::shown;
pub use unionfind::UnionFind;
pub use worklist::Worklist;
