//! What is known of the program around a class whose bodies are rewritten.

use std::collections::BTreeSet;
use std::sync::Arc;

use planish_jvm_analysis::constructors::Constructors;
use planish_jvm_analysis::infer::Facts;
use planish_jvm_analysis::known::KnownMembers;
use planish_jvm_analysis::pure::PureMethods;
use planish_jvm_analysis::wanted::Variants;

use crate::bodies::settled::Settled;
use crate::transform::enum_switches::EnumSwitches;
use crate::transform::inline::origins::Origins;
use crate::transform::inline::plan::Plan;

/// What is known of the program around a class.
#[derive(Default)]
pub struct Known {
    /// Methods that only compute.
    pub pure: Arc<PureMethods>,
    /// What values are.
    pub facts: Facts,
    /// The calls that bodies are to replace.
    pub plan: Plan,
    /// The calls that lead to variants of what they call.
    pub variants: Variants,
    /// Constructors that only fill in their object.
    pub constructors: Arc<Constructors>,
    /// What the tables of switches over enums hold.
    pub enum_switches: EnumSwitches,
    /// Whether builders of strings may get texts at once that are given to them one after the other.
    pub joins_texts: bool,
    /// Whether what two methods do may become what one does, so that a frame vanishes.
    pub frames_vanish: bool,
    /// Whether bodies stay as they are of which the JVM might say what is null there.
    pub keeps_messages: bool,
    /// Whether methods that end by calling themselves may become loops.
    pub makes_loops: bool,
    /// Whether they do now. What is known of arguments comes first: a loop has no copies for constants.
    pub loops: bool,
    /// Whether bodies get their last form: equal ends become one, and nothing else is done.
    pub last: bool,
    /// Whether numbers of lines go afterwards, so that equal ends of several lines may be one.
    pub drops_lines: bool,
    /// Whether names of local variables do.
    pub drops_variables: bool,
    /// Whether class initializers that do nothing go. Whoever knows the program removes them with all else that does nothing.
    pub drops_initializers: bool,
    /// Methods that keep their bodies, by class, name and descriptor: `a/B.run()V`.
    pub pinned: BTreeSet<Box<[u8]>>,
    /// Where lines of inlined code are from, if somebody wants to know.
    pub origins: Option<Origins>,
    /// Bodies that did not get better before.
    pub settled: Settled,
}

impl Known {
    /// What the names of a class ask for.
    pub fn members(&self) -> KnownMembers {
        KnownMembers {
            pure: Arc::clone(&self.pure),
            fields: Arc::clone(&self.facts.fields),
            constructors: Arc::clone(&self.constructors),
        }
    }
}
