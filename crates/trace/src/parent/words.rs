//! Words of operations and names.

use crate::opcode::Opcode;
use crate::text::OpData;

/// What the name of a constant object begins with that only the parent has.
pub(crate) const FOREIGN: &str = "parent_";

/// Whether an operation is a guard.
pub(super) fn is_guard(op: &OpData) -> bool {
    op.opcode.is_some_and(Opcode::is_guard)
}

/// What an operation is called, if it is one of those that are known.
pub(super) fn name(op: &OpData) -> &'static str {
    op.opcode.map_or("", Opcode::name)
}
