//! How much is said of a run in numbers.

use clap::ValueEnum;
use planish_driver::statistics::Detail;

/// What statistics say.
#[derive(ValueEnum, Debug, Clone, Copy, PartialEq, Eq)]
pub enum Statistics {
    /// What was done most, on a screen.
    Text,
    /// Everything, rules that never fired as well.
    Full,
    /// Everything, for tools.
    Json,
}

impl From<Statistics> for Detail {
    fn from(statistics: Statistics) -> Self {
        match statistics {
            Statistics::Text => Self::Screen,
            Statistics::Full => Self::Full,
            Statistics::Json => Self::Json,
        }
    }
}
