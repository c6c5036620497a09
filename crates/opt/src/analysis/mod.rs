//! Analyses that several passes ask for: of loops, and of memory.

pub mod alias;
pub mod expressions;
pub mod loop_context;
pub mod recurrence;
pub mod scalar_evolution;
pub mod trip_count;
mod wrapping;
