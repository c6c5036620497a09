//! Analyses that several passes ask for: of loops, and of memory.

pub mod alias;
mod bit_count;
mod cut_counters;
pub mod evolution;
pub mod expressions;
mod float_counters;
pub mod loop_context;
mod ranges;
pub mod recurrence;
pub mod scalar_evolution;
mod termination;
mod trial;
pub mod trip_count;
pub(crate) mod wrapping;
