//! The linear engine, the passes and the pipelines that are made of them.
//!
//! - [`engine`]: one forward walk over a function: forwarding, value numbering, folding, algebra, facts,
//!   rules, guards and branches, each operation through all of them before the next.
//! - [`egraph`]: all forms of a value at once in an acyclic e-graph, the cheapest extracted.
//! - [`memory`]: loads, stores and allocations; with it, `peel` optimizes a loop with what its first
//!   iteration found out.
//! - [`stage`]: how a further optimization takes part in that walk.
//! - [`pipeline`]: pipelines as data and the driver that runs them; [`tidy`] is a pass apart.
//! - [`passes`]: loops, branches, places: what copies blocks or moves operations.
//! - [`record`]: every rewrite, counted or logged, and the fuel that limits them.
//!
//! Inside: `config` says what the engine is asked to do, `blocks` takes the walk through blocks, `pure` takes one operation without effects through everything, `control` does so with guards,
//! `ends` with branches and block parameters; `loops` finds what holds at loop headers before the walk; `flow` and `walk`
//! say in which order blocks come, `forward` which value stands for which, `number` which operation was made
//! before, `algebra` what the table's columns say, `dead` what nothing uses; `peel` gives a loop of a trace a
//! first iteration of its own.
//!
//! Everything here knows operations only through their rows, and descriptors only through
//! [`World`](planish_ops::world::World): no dialect is imported.

pub mod egraph;
pub mod engine;
pub mod memory;
pub mod passes;
pub mod pipeline;
pub mod record;
pub mod stage;
pub mod stream;
pub mod tidy;

mod algebra;
mod blocks;
mod config;
mod control;
mod dead;
mod ends;
mod facts;
mod flow;
mod forward;
mod learn;
mod loops;
mod number;
mod peel;
mod pure;
mod refs;
mod rules;
mod uses;
mod walk;

pub use config::{Config, Features};
pub use engine::Engine;
pub use peel::{Entered, Meets, Short};
pub use pipeline::{Options, Pass, Pipeline};
pub use record::{Became, Column, Entry, Kind, Part, Record, Site, Tried};
pub use stream::{Stream, Tape};
