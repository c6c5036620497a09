//! Which guards sections go on from.

use planish_trace_dialect::text::Text;

/// A guard that a section goes on from.
pub(super) struct Leaving {
    /// The section that is a bridge.
    pub bridge: usize,
    /// The descriptor of the guard.
    pub guard: Text,
    /// The section of the guard.
    pub parent: usize,
    /// The number of its exit.
    pub exit: u32,
}
