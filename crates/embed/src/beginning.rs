//! What a recorder keeps for beginnings of bridges.

use planish_ir::Value;
use planish_opt::Engine;

/// What is kept for beginnings of bridges.
#[derive(Default)]
pub(crate) struct Beginning {
    /// Whether the trace at hand begins with what its parent knows.
    pub(crate) told: bool,
    /// Finds out ranges in parents.
    pub(crate) engine: Option<Box<Engine>>,
    /// What the last bridge was handed.
    pub(crate) state: Vec<Value>,
}
