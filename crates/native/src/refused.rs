//! What has no machine code, and where it stands.

use std::fmt;

use planish_ir::Location;

/// A function that cannot be compiled.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Refused {
    /// The function.
    pub function: String,
    /// Where in the source; unknown where it is 0.
    pub location: Location,
    /// Why.
    pub why: String,
}

impl fmt::Display for Refused {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "`{}` has no machine code", self.function)?;
        if self.location != Location::default() {
            write!(f, ": line {}", self.location.0)?;
        }
        write!(f, ": {}", self.why)
    }
}

impl std::error::Error for Refused {}
