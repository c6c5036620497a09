//! Classes that become one: see [`planish_jvm::transform::merging`].

use planish_base::{caught, share_out};
use planish_classfile::ClassFile;
use planish_classfile::jar::Role;
use planish_classfile::zip::Archive;
use planish_jvm::transform::merging::{Asked, Merges};
use planish_jvm_model::program::Class;

use crate::programs::around::Surroundings;
use crate::programs::changes::{Changes, make_last};
use crate::programs::contents::is_copied;
use crate::programs::outcome::ShrinkOutcome;
use crate::programs::remembered::Remembered;
use crate::renaming::renamed::{Read, contents, outside};

/// Lets classes become one, as far as nobody can tell. O(size of the program).
pub(crate) fn merge_classes(
    archive: &mut Archive,
    around: Surroundings<'_>,
    shrunk: &mut ShrinkOutcome,
    remembered: &mut Remembered,
) -> Result<(), String> {
    let roots = around.roots;
    let directions = roots.unites();
    shrunk.looks_for_any_class =
        !roots.rules_given && shrunk.sought.any_class && directions != (false, false);
    if shrunk.looks_for_any_class || directions == (false, false) || !remembered.record.has_fuel() {
        return Ok(());
    }
    (around.progress)("classes that become one");
    let contents = contents(archive)?;
    let Read { program, classes } = Read::of(&contents, around)?;
    let outside = outside(archive, around)?;
    let outside: Vec<ClassFile<'_>> =
        outside.iter().filter_map(|bytes| ClassFile::read(bytes).ok()).collect();
    let asked = Asked {
        rules: &roots.rules,
        kept: &roots.kept_attributes(),
        annotations: &shrunk.asked,
        outside: &outside,
        sought: &shrunk.sought,
        unobserved: &shrunk.unobserved,
        origins: roots.wants_mapping().then_some(&remembered.origins),
        directions,
    };
    let mut merges = Merges::of(&program, &asked, &mut remembered.record);
    shrunk.apart.clone_from(&merges.refused);
    if merges.is_empty() {
        return Ok(());
    }
    let one = |(): &mut (), (_, class): &(usize, Class)| {
        if merges.goes(*class) || is_copied(&program.classes[*class]) {
            return Ok(None);
        }
        let name = || program.show_class(*class);
        let new =
            caught::guard(|| merges.class(&program, *class)).map_err(|panicked| panicked.report(&name()))?;
        new.map_err(|error| format!("{}: {error}", name()))
    };
    let (new, _) = share_out(around.threads, &classes, || (), one, drop);
    let mut changes = Changes::new();
    for ((place, _), new) in classes.iter().zip(new) {
        match new {
            Ok(Some(bytes)) => changes.push((*place, Some(bytes))),
            Ok(None) => {}
            Err(warning) => {
                shrunk.warnings.push(format!("{warning}; no classes become one"));
                return Ok(());
            }
        }
    }
    // Of entries with one name a JVM finds the last; the others would be found now.
    for (place, entry) in archive.entries.iter().enumerate() {
        let Role::Class { name, release: None } = Role::of(&entry.name) else { continue };
        if program.class_named(name).is_some_and(|class| merges.goes(class)) {
            changes.push((place, None));
        }
    }
    remembered.moved.note(&program, &merges);
    remembered.origins.extend(merges.origins());
    shrunk.note_parts(merges.parts(&program));
    shrunk.united = merges.counts;
    shrunk.classes.1 -= merges.counts.0 + merges.counts.1;
    make_last(changes, archive, &mut shrunk.to_deflate)
}
