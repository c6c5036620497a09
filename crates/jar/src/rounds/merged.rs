//! What is found out of a program once [classes have become one](planish_jvm::transform::merging).
//!
//! A constructor of the class above may have a body in the place of its calls now, since whoever makes an object may call what
//! was `super(...)` and is `this(...)`; methods of both are of one class, and a cast to the one above is one to the one below.
//! So the program is looked at as in other rounds, in a hierarchy that has no classes that are gone. Parameters that only told
//! constructors of both apart go by variants.

use planish_base::Budget;
use planish_classfile::jar::Role;
use planish_classfile::zip::{Archive, INFLATED_LIMIT};
use planish_driver::settings::Settings;
use planish_jvm::bodies::Broken;
use planish_jvm::bodies::known::Known;
use planish_jvm_model::hierarchy::{Hierarchy, Origin};
use planish_keep::KeepRule;

use super::rewriting::{alone, left, note_rewrites, rewrite_bodies, rewrite_round};
use crate::outcome::ClassOutcome;
use crate::programs::around::Surroundings;
use crate::programs::outcome::ShrinkOutcome;
use crate::programs::remembered::Remembered;
use crate::programs::roots::Pinned;
use crate::programs::shrink;

/// A program in which classes have become one, and what was done to it so far.
pub(super) struct Merged<'a> {
    pub archive: &'a mut Archive,
    pub settings: &'a Settings,
    pub shrunk: &'a mut ShrinkOutcome,
    pub optimized: &'a mut ClassOutcome,
    pub remembered: &'a mut Remembered,
    pub pinned: &'a Pinned,
}

impl Merged<'_> {
    /// Rewrites bodies once more, with what the program shows now if it may be looked at. Gives those that were wrong, if there
    /// are any.
    pub fn rewrite(mut self, around: Surroundings<'_>) -> Result<Vec<Broken>, String> {
        if may_look(around) {
            let hierarchy = without_those_gone(self.archive, around.hierarchy)?;
            return self.look_again(Surroundings { hierarchy: &hierarchy, ..around });
        }
        // Each body by itself: a cast to a class above is one to the class below, and may go.
        let known = alone(self.remembered.as_they_are(self.pinned), around.roots);
        let kept = (&self.remembered.record, &known);
        let after = rewrite_bodies(self.archive, around, self.settings, self.optimized, kept)?;
        Ok(self.then(after))
    }

    /// Looks at the program once more. Gives the bodies that were wrong.
    fn look_again(&mut self, around: Surroundings<'_>) -> Result<Vec<Broken>, String> {
        self.remembered.made.settle();
        for _ in 0..self.remembered.precision.rounds {
            (around.progress)("what classes that became one show");
            self.remembered.looks_again = true;
            let known = self.shrink(around);
            self.remembered.looks_again = false;
            let kept = (&mut *self.remembered, known?);
            let outcome = rewrite_round(self.archive, around, self.settings, self.optimized, kept)?;
            let changed = outcome.changed;
            let broken = self.then(outcome);
            if !broken.is_empty() {
                return Ok(broken);
            }
            if changed == 0 {
                break;
            }
        }
        // What nobody calls any more goes.
        if let Some(origins) = self.shrink(around)?.origins {
            self.remembered.origins = origins;
        }
        Ok(Vec::new())
    }

    /// Removes what is not needed any more, and finds out what is known of the rest.
    fn shrink(&mut self, around: Surroundings<'_>) -> Result<Known, String> {
        self.remembered.record.refuel(left(self.settings, self.optimized, &self.remembered.record));
        let later = shrink(self.archive, around, self.remembered, self.pinned)?;
        let known = self.shrunk.followed_by(later);
        note_rewrites(self.shrunk, self.optimized, &mut self.remembered.record);
        Ok(known)
    }

    /// Adds what was done to bodies, unless some were wrong, and gives these.
    fn then(&mut self, outcome: ClassOutcome) -> Vec<Broken> {
        if !outcome.methods.broken.is_empty() {
            return outcome.methods.broken;
        }
        *self.optimized = std::mem::take(self.optimized).then(outcome);
        Vec::new()
    }
}

/// Whether a program may be looked at once more: rules speak of what classes extended before.
fn may_look(around: Surroundings<'_>) -> bool {
    let rules = &around.roots.rules.keep;
    let asks = |rule: &KeepRule| {
        let condition = rule.condition.as_ref();
        rule.classes.extends.is_some() || condition.is_some_and(|condition| condition.extends.is_some())
    };
    !rules.iter().any(asks)
}

/// The hierarchy without classes of the program that are there no more. Of entries with one name a JVM finds the last.
fn without_those_gone(archive: &Archive, hierarchy: &Hierarchy) -> Result<Hierarchy, String> {
    let mut budget = Budget::new("inflated bytes", INFLATED_LIMIT);
    let mut left = hierarchy.without_program();
    for entry in archive.entries.iter().rev() {
        if let Role::Class { release: None, .. } = Role::of(&entry.name) {
            let content = entry.content(&mut budget).map_err(|error| error.to_string())?;
            // What cannot be read is copied, with a warning.
            let _ = left.add(&content, Origin::Program);
        }
    }
    Ok(left)
}
