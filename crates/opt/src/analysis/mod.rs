//! Analyses of loops that several passes ask for.

pub mod expressions;
pub mod recurrence;
pub mod scalar_evolution;
pub mod trip_count;
