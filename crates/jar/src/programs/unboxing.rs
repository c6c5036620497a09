//! Enums that become numbers: see [`planish_jvm::transform::unboxing`].

use planish_classfile::zip::Archive;
use planish_classfile::{ClassFile, Result};
use planish_jvm::transform::unboxing::{Around, Unboxing};
use planish_jvm_analysis::wanted::Made;
use planish_jvm_model::program::Program;

use crate::programs::around::Surroundings;
use crate::programs::changes::{Changes, make_last};
use crate::programs::contents::is_copied;
use crate::programs::outcome::ShrinkOutcome;
use crate::programs::remembered::Remembered;
use crate::programs::roots::Pinned;
use crate::removed::Removed;
use crate::renaming::renamed::{Read, contents, outside};

/// Lets enums become numbers, as far as nobody can tell. O(size of the program).
pub(crate) fn unbox_enums(
    archive: &mut Archive,
    around: Surroundings<'_>,
    shrunk: &mut ShrinkOutcome,
    (remembered, pinned): (&mut Remembered, &Pinned),
) -> std::result::Result<(), String> {
    let roots = around.roots;
    let looks_for_any_class = !roots.rules_given && shrunk.sought.any_class;
    if looks_for_any_class || !roots.unboxes() || shrunk.enums.is_empty() || !remembered.record.has_fuel() {
        return Ok(());
    }
    (around.progress)("enums that become numbers");
    let contents = contents(archive)?;
    let Read { mut program, classes } = Read::of(&contents, around)?;
    let copied = classes.iter().map(|(_, class)| *class).filter(|&class| is_copied(&program.classes[class]));
    copied.collect::<Vec<_>>().into_iter().for_each(|class| program.hide_bodies(class));
    let outside = outside(archive, around)?;
    let outside: Vec<ClassFile<'_>> =
        outside.iter().filter_map(|bytes| ClassFile::read(bytes).ok()).collect();
    let asked = Around {
        rules: &roots.rules,
        kept: &roots.kept_attributes(),
        outside: &outside,
        sought: &shrunk.sought,
        unobserved: &shrunk.unobserved,
        enums: &shrunk.enums,
        pinned: &remembered.as_they_are(pinned),
    };
    let mut unboxing = Unboxing::of(&program, &asked, &mut remembered.record);
    shrunk.boxed = std::mem::take(&mut unboxing.kept);
    if unboxing.is_empty() {
        return Ok(());
    }
    shrunk.unboxed = unboxing.count;
    remembered.moved.note_types(&program, &unboxing);
    list_gone(&program, &unboxing, &remembered.made, &mut shrunk.removed)
        .map_err(|error| error.to_string())?;
    let new = |(place, class): &(usize, _)| Some((*place, Some(unboxing.classes.remove(class)?)));
    let changes: Changes = classes.iter().filter_map(new).collect();
    make_last(changes, archive, &mut shrunk.to_deflate)
}

/// Lists what made constants, and the fields that held them, but for constructors that are copies of others.
fn list_gone(program: &Program<'_>, unboxing: &Unboxing, made: &Made, list: &mut Removed) -> Result<()> {
    for &field in &unboxing.gone.1 {
        let info = &program.fields[field];
        let file = &program.classes[info.class].file;
        list.add_field(&program.show_class(info.class), &file.fields[usize::from(info.place)], file)?;
    }
    for &method in &unboxing.gone.0 {
        let info = &program.methods[method];
        if made.is_variant(program.name(info.class), program.text(info.selector)) {
            continue;
        }
        let file = &program.classes[info.class].file;
        list.add_method(&program.show_class(info.class), &file.methods[usize::from(info.place)], file)?;
    }
    Ok(())
}
