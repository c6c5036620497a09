//! Values that lie on the stack, and where instructions that keep them are put later.

use planish_ir::Value;

use crate::lower::item::Made;

/// What was decided about a value that came onto the stack.
#[derive(Clone, Copy, Default)]
pub struct Definition {
    /// How often a consumer took it from the stack.
    pub(crate) taken: u32,
    /// Whether it is kept in a register as well.
    pub(crate) kept: bool,
    /// Whether its second copy lies below an operand that the first one is taken with.
    pub(crate) crossed: bool,
}

/// An item, or the place where a value came onto the stack.
pub enum Step {
    /// An item.
    Made(Made),
    /// The value is on top of the stack.
    Defined(Value),
}

/// A value that waits on the stack.
#[derive(Clone, Copy)]
pub struct Pending {
    pub(crate) value: Value,
    /// The step before which something can be put below it; `None` if there is no such place.
    pub(crate) start: Option<usize>,
}

impl Pending {
    /// Whether it is this value that waits.
    pub(crate) fn is_of(&self, value: Value) -> bool {
        self.value == value
    }
}

/// Items that came too late to their place.
pub struct Insert {
    /// The step before which they go. Of several the last one goes first: it lies deeper.
    pub(crate) at: usize,
    pub(crate) items: Vec<Made>,
}
