//! How programs are read and written, as far as their texts leave it open.

/// What a text leaves open, and how much of it there may be.
#[derive(Clone, Copy, Debug)]
pub struct Reading {
    /// The width of integers in the three-address and region languages.
    pub width: u8,
    /// Whether a variable that some path leaves unassigned reads as zero there.
    pub unassigned_is_zero: bool,
    /// How many bytes a compressed text may inflate to; `None` for all that nobody would take for a bomb.
    pub inflated_limit: Option<u64>,
}

impl Default for Reading {
    fn default() -> Self {
        Reading { width: 64, unassigned_is_zero: false, inflated_limit: None }
    }
}

/// How a program is written.
#[derive(Clone, Copy, Debug, Default)]
pub struct Writing<'a> {
    /// Whether operations outside of a published language may be written.
    pub extended: bool,
    /// What stands in front of the numbers of values in `.ssa` text, if not what usually does.
    pub prefix: Option<&'a str>,
}
