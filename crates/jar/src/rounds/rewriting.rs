//! Rewriting the bodies of a program by what is known of it, as far as there is fuel.

use planish_classfile::zip::Archive;
use planish_driver::settings::Settings;
use planish_jvm::bodies::known::Known;
use planish_jvm_analysis::constructors::Constructors;
use planish_jvm_analysis::record::ProgramRecord;

use crate::classes::optimize_bodies;
use crate::outcome::ClassOutcome;
use crate::programs::around::Surroundings;
use crate::programs::outcome::ShrinkOutcome;
use crate::programs::remembered::Remembered;
use crate::programs::roots::{Pinned, Roots};

/// What is known of a program by whoever looks at each body alone: which stay as they are, and the JDK.
pub(super) fn alone(pinned: Pinned, roots: &Roots) -> Known {
    let constructors = Constructors::of_jdk().into();
    Known { pinned, keeps_messages: !roots.assumes.messages, constructors, ..Known::default() }
}

/// Rewrites bodies. Rounds share the fuel, and in them the program and its bodies.
pub(super) fn rewrite_bodies(
    archive: &mut Archive,
    around: Surroundings<'_>,
    settings: &Settings,
    optimized: &ClassOutcome,
    (record, known): (&ProgramRecord, &Known),
) -> Result<ClassOutcome, String> {
    let of_these = Settings { fuel: left(settings, optimized, record), ..settings.clone() };
    optimize_bodies(archive, around.hierarchy, known, &of_these, (around.threads, around.cache))
}

/// Rewrites bodies by what a look at the program showed, and remembers what is of use for the next one.
pub(super) fn rewrite_round(
    archive: &mut Archive,
    around: Surroundings<'_>,
    settings: &Settings,
    optimized: &ClassOutcome,
    (remembered, known): (&mut Remembered, Known),
) -> Result<ClassOutcome, String> {
    let mut outcome = rewrite_bodies(archive, around, settings, optimized, (&remembered.record, &known))?;
    remembered.settled = known.settled;
    remembered.settled.extend(outcome.methods.settled.drain(..));
    remembered.enum_switches = known.enum_switches;
    remembered.origins = known.origins.unwrap_or_default();
    remembered.origins.extend(outcome.methods.origins.drain(..));
    Ok(outcome)
}

/// How many more rewrites there may be.
pub(super) fn left(settings: &Settings, optimized: &ClassOutcome, record: &ProgramRecord) -> Option<u64> {
    settings.fuel.map(|fuel| fuel.saturating_sub(optimized.rewrites + record.counts().changes()))
}

/// Notes what was done to the program since this was called the last time.
pub(super) fn note_rewrites(
    shrunk: &mut ShrinkOutcome,
    optimized: &mut ClassOutcome,
    record: &mut ProgramRecord,
) {
    shrunk.rewrites = record.counts().changes();
    if let Some(last) = record.take_last() {
        (shrunk.last, optimized.last) = (Some(last), None);
    }
}
