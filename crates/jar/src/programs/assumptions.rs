//! What is taken for granted of a program.

/// What is taken for granted.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Assumptions {
    /// Calls without effects return and do not exhaust the stack.
    pub returns: bool,
    /// Frames may vanish from stack traces, or be of another method that does the same.
    pub frames: bool,
    /// What the JVM says where an object is null may change.
    pub messages: bool,
}

impl Default for Assumptions {
    fn default() -> Self {
        Assumptions { returns: true, frames: true, messages: true }
    }
}

impl Assumptions {
    /// Nothing is.
    pub const NONE: Assumptions = Assumptions { returns: false, frames: false, messages: false };

    /// Whether calls may lead elsewhere: to the body itself, to a variant, to a method that does the same.
    pub fn calls_change(self) -> bool {
        self.frames && self.messages
    }

    /// Whether a recursion may become a loop: then neither frames nor the stack are what they were.
    pub fn makes_loops(self) -> bool {
        self.calls_change() && self.returns
    }
}
