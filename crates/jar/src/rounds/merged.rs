//! What is found out of a program once [classes have become one](planish_jvm::transform::merging).
//!
//! A constructor of the class above may have a body in the place of its calls now, since whoever makes an object may call what
//! was `super(...)` and is `this(...)`; methods of both are of one class, and a cast to the one above is one to the one below.
//! So the program is looked at as in other rounds, in a hierarchy that has no classes that are gone. Parameters that only told
//! constructors of both apart go by variants.

use planish_base::Budget;
use planish_classfile::jar::Role;
use planish_classfile::zip::{Archive, INFLATED_LIMIT};
use planish_driver::run::Settings;
use planish_jvm::bodies::Broken;
use planish_jvm::bodies::known::Known;
use planish_jvm_model::hierarchy::{Hierarchy, Origin};
use planish_keep::KeepRule;

use super::rewriting::{alone, left, note_rewrites, rewrite_bodies};
use crate::classes::optimize_bodies;
use crate::outcome::ClassOutcome;
use crate::programs::around::Surroundings;
use crate::programs::outcome::ShrinkOutcome;
use crate::programs::remembered::Remembered;
use crate::programs::roots::Pinned;
use crate::programs::shrink;

/// Rewrites bodies once more, with what the program shows now if it may be looked at. Gives those that were wrong, if there are
/// any.
pub(super) fn rewrite_merged(
    archive: &mut Archive,
    around: Surroundings<'_>,
    settings: &Settings,
    (shrunk, optimized): (&mut ShrinkOutcome, &mut ClassOutcome),
    (remembered, pinned): (&mut Remembered, &Pinned),
) -> Result<Vec<Broken>, String> {
    if may_look(around) {
        return look_again(archive, around, settings, (shrunk, optimized), (remembered, pinned));
    }
    // Each body by itself: a cast to a class above is one to the class below, and may go.
    let known = alone(remembered.as_they_are(pinned), around.roots);
    let after = rewrite_bodies(archive, around, settings, optimized, (&remembered.record, &known))?;
    if !after.methods.broken.is_empty() {
        return Ok(after.methods.broken);
    }
    *optimized = std::mem::take(optimized).then(after);
    Ok(Vec::new())
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

/// Looks at a program once more in which classes became one. Gives the bodies that were wrong.
fn look_again(
    archive: &mut Archive,
    around: Surroundings<'_>,
    settings: &Settings,
    (shrunk, optimized): (&mut ShrinkOutcome, &mut ClassOutcome),
    (remembered, pinned): (&mut Remembered, &Pinned),
) -> Result<Vec<Broken>, String> {
    let hierarchy = without_those_gone(archive, around.hierarchy)?;
    let around = Surroundings { hierarchy: &hierarchy, ..around };
    remembered.made.settle();
    for _ in 0..remembered.precision.rounds {
        (around.progress)("what classes that became one show");
        remembered.looks_again = true;
        let known = shrink_again(archive, around, settings, (shrunk, optimized), (remembered, pinned));
        remembered.looks_again = false;
        let mut known = known?;
        let of_round = Settings { fuel: left(settings, optimized, &remembered.record), ..settings.clone() };
        let mut outcome = optimize_bodies(archive, around.hierarchy, &known, &of_round, around.threads)?;
        remembered.settled = std::mem::take(&mut known.settled);
        remembered.settled.extend(outcome.methods.settled.drain(..));
        remembered.enum_switches = std::mem::take(&mut known.enum_switches);
        remembered.origins = known.origins.take().unwrap_or_default();
        remembered.origins.extend(outcome.methods.origins.drain(..));
        if !outcome.methods.broken.is_empty() {
            return Ok(outcome.methods.broken);
        }
        let changed = outcome.changed;
        *optimized = std::mem::take(optimized).then(outcome);
        if changed == 0 {
            break;
        }
    }
    // What nobody calls any more goes.
    let known = shrink_again(archive, around, settings, (shrunk, optimized), (remembered, pinned))?;
    if let Some(origins) = known.origins {
        remembered.origins = origins;
    }
    Ok(Vec::new())
}

/// Removes what is not needed any more, and finds out what is known of the rest.
fn shrink_again(
    archive: &mut Archive,
    around: Surroundings<'_>,
    settings: &Settings,
    (shrunk, optimized): (&mut ShrinkOutcome, &mut ClassOutcome),
    (remembered, pinned): (&mut Remembered, &Pinned),
) -> Result<Known, String> {
    remembered.record.refuel(left(settings, optimized, &remembered.record));
    let later = shrink(archive, around, remembered, pinned)?;
    let known = shrunk.followed_by(later);
    note_rewrites(shrunk, optimized, &mut remembered.record);
    Ok(known)
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
