//! Where a program begins, and what is asked about it.

use std::collections::BTreeSet;

use planish_jvm::transform::inline::plan::Inlining;
use planish_jvm_analysis::precision::Precision;
use planish_keep::attributes::KeptAttributes;
use planish_keep::{Configuration, KeepRule, Keeps};

use crate::optimizations::{
    ENUM_UNBOXING, HORIZONTAL_MERGING, INLINING_SHORT, INLINING_UNIQUE, VERTICAL_MERGING, allows,
};
use crate::programs::assumptions::Assumptions;
use crate::renaming::given::NameFiles;

/// The methods that keep their bodies: class, name and descriptor.
pub type Pinned = BTreeSet<Box<[u8]>>;

/// Where a program begins, and what is asked about it.
#[derive(Clone, Default, Debug)]
pub struct Roots {
    /// Whether the public interface is one.
    pub library: bool,
    /// Main classes, as in `a.B`.
    pub main: Vec<String>,
    /// What is taken for granted.
    pub assumes: Assumptions,
    /// Keep rules.
    pub rules: Configuration,
    /// How many of them a user gave; all of them if nothing is said. The others were in the inputs.
    pub own_rules: Option<usize>,
    /// The same of assumptions.
    pub own_assumptions: Option<usize>,
    /// Whether a user gave keep rules, and so says what reflection finds.
    pub rules_given: bool,
    /// Methods that keep their bytes, with all that they mention: class, name and descriptor.
    pub as_they_are: Pinned,
    /// Classes about which the reason is asked, as in `a.B`.
    pub why: Vec<String>,
    /// Whether the reason is asked about every class and method.
    pub why_all: bool,
    /// What files say of new names, if there are to be any.
    pub names: Option<NameFiles>,
    /// Whether the program before it gets new names is asked for.
    pub compares_names: bool,
}

impl Roots {
    /// Whether main classes or keep rules say where the program begins; else the manifest does.
    pub fn say_where_it_begins(&self) -> bool {
        let keeps = |rule: &KeepRule| rule.keeps != Keeps::Members && !rule.allow_shrinking;
        !self.main.is_empty() || self.rules_given && self.rules.keep[..self.own_rules()].iter().any(keeps)
    }

    /// How many of the keep rules, the first ones, a user gave.
    pub(crate) fn own_rules(&self) -> usize {
        self.own_rules.unwrap_or(self.rules.keep.len())
    }

    /// How many of the assumptions, the first ones, a user gave.
    pub(crate) fn own_assumptions(&self) -> usize {
        self.own_assumptions.unwrap_or(self.rules.assume.len())
    }

    /// Whether the configuration asks for a list by which stack traces are turned back.
    pub(crate) fn wants_mapping(&self) -> bool {
        self.rules.settings.iter().any(|(option, _)| option == "printmapping")
    }

    /// What files say of new names, if there are to be any and the configuration does not forbid them.
    pub fn new_names(&self) -> Option<&NameFiles> {
        self.names.as_ref().filter(|_| !self.rules.has("dontobfuscate"))
    }

    /// Which attributes of class files stay.
    pub(crate) fn kept_attributes(&self) -> KeptAttributes {
        if self.rules_given { KeptAttributes::of(&self.rules) } else { KeptAttributes::all() }
    }

    /// What the configuration calls source files.
    pub(crate) fn source_file(&self) -> Option<&str> {
        let mut settings = self.rules.settings.iter().rev();
        settings.find(|(option, _)| option == "renamesourcefileattribute").map(|(_, name)| name.as_str())
    }

    /// How many rounds the configuration asks for. Fewer than there are anyway would leave out what was begun.
    pub(crate) fn rounds(&self) -> u32 {
        let passes = self.rules.settings.iter().rev().find(|(option, _)| option == "optimizationpasses");
        passes.and_then(|(_, number)| number.trim().parse().ok()).unwrap_or(0)
    }

    /// Whether of methods that do the same one is enough: then stack traces may name another one.
    pub(crate) fn merges(&self) -> bool {
        self.assumes.calls_change() && !self.rules.has("dontoptimize") && !self.rules.has("dontshrink")
    }

    /// Whether classes may become a part of the one below, and of one beside. Stack traces and messages about casts name others
    /// then.
    pub(crate) fn unites(&self) -> (bool, bool) {
        let may = self.merges() && self.assumes.frames && self.assumes.messages;
        (may && allows(&self.rules, VERTICAL_MERGING), may && allows(&self.rules, HORIZONTAL_MERGING))
    }

    /// Whether enums may become numbers. Stack traces and messages about null name others then.
    pub(crate) fn unboxes(&self) -> bool {
        let may = self.merges() && self.assumes.frames && self.assumes.messages;
        may && allows(&self.rules, ENUM_UNBOXING)
    }

    /// What the configuration says of bodies in the place of calls. What becomes public must not be seen from outside.
    pub(crate) fn inlining(&self, precision: &Precision) -> Inlining {
        Inlining {
            chaos: precision.chaos,
            anywhere: self.rules.has("allowaccessmodification") && !self.library,
            small: allows(&self.rules, INLINING_SHORT),
            unique: allows(&self.rules, INLINING_UNIQUE),
            small_variants: precision.largest_copy_in_place,
            lines: self.wants_mapping(),
        }
    }
}
