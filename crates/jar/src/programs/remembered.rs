//! What one round over a program knows of those before.

use planish_jvm::bodies::settled::Settled;
use planish_jvm::transform::enum_switches::EnumSwitches;
use planish_jvm::transform::inline::origins::Origins;
use planish_jvm::transform::unlinked::Unlinked;
use planish_jvm_analysis::precision::Precision;
use planish_jvm_analysis::reach::places::Listing;
use planish_jvm_analysis::record::ProgramRecord;
use planish_jvm_analysis::roots::Active;
use planish_jvm_analysis::wanted::Made;

use crate::programs::moved::Moved;
use crate::programs::roots::Pinned;

/// What one round knows of those before.
#[derive(Default)]
pub struct Remembered {
    /// The variants of methods that were made.
    pub made: Made,
    /// What finding out more may cost.
    pub precision: Precision,
    /// The bodies that did not get better.
    pub settled: Settled,
    /// The tables of switches over enums, which bodies read no more.
    pub enum_switches: EnumSwitches,
    /// Where lines of inlined code are from.
    pub origins: Origins,
    /// What is not linked, and so stays as it is.
    pub unlinked: Option<Unlinked>,
    /// The conditions of keep rules that were met.
    pub active: Active,
    /// Resources with names of classes in them.
    pub listings: Option<Vec<Listing>>,
    /// Members that changed their class, name or type with it, when classes became one.
    pub moved: Moved,
    /// Whether classes have become one, and bodies are to be rewritten once more all the same.
    pub looks_again: bool,
    /// What was done to the program, and how much more may be.
    pub record: ProgramRecord,
}

impl Remembered {
    /// The methods that keep their bytes: pinned ones, and those with an instruction that is not linked.
    pub fn as_they_are(&self, pinned: &Pinned) -> Pinned {
        let unlinked = self.unlinked.iter().flat_map(|unlinked| &unlinked.methods);
        pinned.iter().chain(unlinked).cloned().collect()
    }
}
