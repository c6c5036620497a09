//! The optimizer: the engine's walk, the passes, and the manager that runs them.
//!
//! - [`analysis`]: what the values of loops are in each round, and how many rounds there are.
//! - [`bridge`]: what a trace knows that goes on where a guard of another one fails.
//! - [`manager`]: the registry of passes, pipelines as data, and the one place that runs them.
//! - [`passes`]: passes over control-flow graphs, by their standard names, one file each.
//! - [`engine`]: one forward walk over a function: constant folding, value numbering, algebraic simplification, facts
//!   (ranges and known bits), rewrite rules, guards and branches, each operation through all of them before the next.
//! - [`memory`]: load and store forwarding and allocation removal along that walk; with it, `unroll` optimizes a loop of a
//!   trace with what its first iteration found out.
//! - [`egraph`]: an acyclic e-graph of all forms of a value; the cheapest is extracted.
//! - [`remarks`]: every rewrite in words.
//!
//! What a pass is, its context, the target and the record of rewrites are in [`planish_pass`].
//!
//! Everything here knows operations only through their rows, and descriptors only through
//! [`World`](planish_ops::world::World): no dialect is imported.

pub mod analysis;
pub mod bridge;
pub mod egraph;
pub mod engine;
pub mod manager;
pub mod memory;
pub mod passes;
pub mod remarks;

mod unroll;

pub use engine::Engine;
pub use engine::config::{Config, Features};
pub use manager::results::facts_of_results;
pub use manager::stream::{Stream, Tape};
pub use manager::{Observer, Optimizer, Options, Pipeline, PipelineError, Ran};
pub use planish_pass::aggregates;
pub use planish_pass::{
    Analyses, Became, Change, Chaos, Column, Entry, Example, FunctionPass, Kind, Level, Machine, ModuleCx,
    ModulePass, Part, Pass, PassCx, PassInfo, PassOption, Price, Record, Refusal, Site, Target, Tried,
    Writes, apply, machine_price,
};
pub use unroll::{Entered, Meets, Short};
