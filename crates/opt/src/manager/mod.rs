//! The pass manager: which passes there are, pipelines of them, and the one place that runs them.
//!
//! - [`registry`]: every pass, a line each; what a pass is, is said in [`planish_pass`].
//! - [`pipeline`]: pipelines as data, from text or put together by hand.
//! - [`running`]: runs a pipeline on a function. It alone verifies, times, shows and counts, and keeps analyses.
//! - [`results`]: what the results of a function can be.
//! - [`stream`]: the same for a trace that is optimized while it is recorded.

pub mod pipeline;
pub mod registry;
pub mod results;
pub mod running;
pub mod stream;

mod honest;

pub use pipeline::{Pipeline, PipelineError, Step};
pub use running::{Observer, Optimizer, Options, Ran};
