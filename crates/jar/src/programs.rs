//! Whole programs of classes: what nothing reaches goes.
//!
//! The [inputs](crate::inputs) are one archive by now. The roots are set (`begin`), the analysis of
//! [`planish_jvm_analysis::reach`] runs, what can be known of the rest is found out (`learn`), and each class loses what is
//! not needed (`changes`). Versioned classes (`META-INF/versions`) are kept as they are, and so is everything that they
//! speak of. Which version of a class runs is not known, so nothing is concluded from the bodies of the others either. The
//! descriptor of a module loses packages that became empty.

pub mod around;
pub mod assumptions;
mod begin;
mod changes;
pub(crate) mod contents;
mod learn;
pub(crate) mod merging;
mod missing;
mod moved;
pub mod open;
pub mod outcome;
pub mod remembered;
pub mod roots;
pub(crate) mod unboxing;

use std::collections::{BTreeMap, BTreeSet};

use planish_base::{Budget, Id};
use planish_classfile::ClassFile;
use planish_classfile::class::NEWEST;
use planish_classfile::jar::Role;
use planish_classfile::zip::{Archive, INFLATED_LIMIT};
use planish_jvm::shrink::classes::shrink_class;
use planish_jvm::shrink::unmatched::unmatched;
use planish_jvm::transform::finals::finals;
use planish_jvm::transform::identical::identical;
use planish_jvm::transform::merging::asked_above;
use planish_jvm::transform::merging::observed::unobserved;
use planish_jvm::transform::unboxing::observed::enums;
use planish_jvm::transform::unlinked::Unlinked;
use planish_jvm_analysis::lookups::lookups;
use planish_jvm_analysis::reach::Reach;
use planish_jvm_analysis::reach::places::Listing;
use planish_jvm_analysis::record::ProgramRecord;
use planish_jvm_analysis::roots::{Active, with_main};
use planish_jvm_model::program::{Class, Program};

use crate::directories;
use crate::entry::{LEVEL, unread};
use crate::listings::listings;
use crate::modules::services;
use crate::optimizations::{FINAL_CLASSES, FINAL_FIELDS, allows};
use crate::programs::around::Surroundings;
use crate::programs::assumptions::Assumptions;
use crate::programs::contents::{Contents, instructions, is_copied, is_newer};
use crate::programs::outcome::ShrinkOutcome;
use crate::programs::remembered::Remembered;
use crate::programs::roots::{Pinned, Roots};

/// Removes from an archive what its roots do not reach, and finds out what is known of the rest. Variants
/// of methods that calls want are added. What is remembered of earlier rounds is part of what is known, and what the
/// next ones should know comes back with that.
/// Pinned methods stay as they are, with all that they mention.
pub fn shrink(
    archive: &mut Archive,
    around: Surroundings<'_>,
    remembered: &mut Remembered,
    pinned: &Pinned,
) -> Result<ShrinkOutcome, String> {
    let Surroundings { hierarchy, classpath, roots, threads, .. } = around;
    let mut outcome = ShrinkOutcome::default();
    let mut budget = Budget::new("inflated bytes", INFLATED_LIMIT);
    let may_change = remembered.record.has_fuel();

    let contents = contents_of(archive, &mut budget)?;
    let mut program = Program::new(hierarchy, classpath.library()?);
    let class_at = add_classes(&mut program, archive, &contents, &mut outcome);
    let is_first = remembered.unlinked.is_none();
    let unlinked = remembered.unlinked.get_or_insert_with(|| Unlinked::of(&program));
    unlinked.methods.iter().for_each(|method| program.hide_body(method));
    let opaque = hide_bodies(&mut program, archive, &contents, unlinked);
    let listings: &[Listing] = remembered.listings.get_or_insert_with(|| listings(archive));
    let (entries, seen) = ((&*archive, &contents[..]), (listings, &opaque[..], pinned));
    let by_computed_names = !roots.rules_given;
    let told = (&mut remembered.active, &mut outcome);
    let mut reach = reached(&program, entries, around, seen, by_computed_names, told)?;
    reach.limit(&mut remembered.record);
    if is_first && roots.rules_given {
        outcome.lookups = lookups(&reach);
        outcome.asked = reach.annotations_asked_for().clone();
    }
    if is_first && !roots.rules_given && !roots.library {
        let told = (&mut Active::new(), &mut ShrinkOutcome::default());
        outcome.open.find(&reach, &reached(&program, entries, around, seen, false, told)?);
    }
    outcome.held = reach.held();
    outcome.sought = reach.sought();
    outcome.may_write_objects = reach.may_write_objects();
    // Who gives rules says what reflection finds.
    let may_differ = roots.assumes != Assumptions::NONE;
    if roots.rules_given && !roots.library && may_differ && !roots.rules.has("dontoptimize") {
        drop_idle_interfaces(&mut reach, roots, remembered, &mut outcome);
    }
    // What is found out of bodies is for those of other rounds, too.
    if remembered.made.is_closed() && !remembered.looks_again && roots.merges() {
        fold_and_mark(&mut reach, roots, &mut remembered.record, &mut outcome);
    }
    if !class_at.is_empty() && !class_at.values().any(|&class| reach.is_needed(class)) {
        return Err("nothing of the program is kept: its main class (--main) or a rule that matches (--keep) is missing".into());
    }
    tell(&mut reach, roots, (is_first, remembered.made.is_empty()), &mut outcome);

    let wanted = learn::learn(&reach, roots, threads, remembered, &mut outcome);
    outcome.known.pinned = remembered.as_they_are(pinned);
    let Remembered { made, settled, origins, moved, record, .. } = remembered;
    let entries = (&*archive, &contents[..], &class_at);
    let kept = (&mut *made, &*moved, record);
    let mut changes = changes::changes(&reach, entries, &wanted, kept, threads, &mut outcome);
    if !may_change {
        changes.clear();
    }
    outcome.known.variants = wanted.granted(made);
    outcome.known.settled = std::mem::take(settled);
    outcome.known.origins = roots.wants_mapping().then(|| std::mem::take(origins));
    // Who uses a library may look for anything.
    let places = (roots.rules_given && !roots.library && may_change).then(|| reach.places().clone());
    drop(reach);
    drop(program);
    drop(contents);
    let changed = !changes.is_empty();
    outcome.to_deflate = changes::make(changes, archive);
    if let Some(places) = places {
        directories::remove_unnamed(archive, &roots.rules, &places);
    }
    if changed && archive.is_signed() {
        let removed = archive.remove_signatures(&mut budget, LEVEL).map_err(|error| error.to_string())?;
        outcome.warnings.push(format!("classes changed, so {} signature files were removed", removed.len()));
    }
    Ok(outcome)
}

/// The contents of entries that say something about classes, with their places.
fn contents_of<'c>(archive: &'c Archive, budget: &mut Budget) -> Result<Box<Contents<'c>>, String> {
    let mut contents = Vec::new();
    for (place, entry) in archive.entries.iter().enumerate() {
        match Role::of(&entry.name) {
            Role::Resource | Role::Lines | Role::Directory => {}
            _ => contents.push((place, entry.content(budget).map_err(|error| error.to_string())?)),
        }
    }
    Ok(contents.into_boxed_slice())
}

/// What is reached from the roots: what may be found by computed names, or nothing of that.
fn reached<'p, 'a>(
    program: &'p Program<'a>,
    (archive, contents): (&Archive, &Contents<'_>),
    Surroundings { classpath, roots, .. }: Surroundings<'_>,
    (listings, opaque, pinned): (&[Listing], &[Class], &Pinned),
    by_computed_names: bool,
    (active, outcome): (&mut Active, &mut ShrinkOutcome),
) -> Result<Reach<'p, 'a>, String> {
    let mut reach = Reach::new(program, services(archive, contents)?, by_computed_names);
    reach.know_listings(listings);
    reach.keep_attributes(roots.kept_attributes());
    begin::set_roots(&mut reach, archive, contents, classpath, (roots, active), outcome)?;
    keep_opaque(&mut reach, opaque, outcome)?;
    pinned.iter().for_each(|method| reach.pin(method));
    begin::finish(&mut reach, roots, active);
    Ok(reach)
}

/// Lets equal methods be one, and marks as final what nothing overrides or writes to.
fn fold_and_mark(
    reach: &mut Reach<'_, '_>,
    roots: &Roots,
    record: &mut ProgramRecord,
    outcome: &mut ShrinkOutcome,
) {
    let [classes, fields] = [FINAL_CLASSES, FINAL_FIELDS].map(|name| allows(&roots.rules, name));
    let identical = identical(reach, record);
    outcome.merged = identical.len() as u64;
    reach.fold(identical);
    let marks = finals(reach, (classes, fields), record);
    outcome.finals = marks.len();
    reach.make_final(marks);
    outcome.unobserved = unobserved(reach, &roots.rules);
    outcome.enums = enums(reach, &roots.rules);
}

/// Notes and warnings about what is reached, and why it is.
fn tell(
    reach: &mut Reach<'_, '_>,
    roots: &Roots,
    (is_first, made_nothing): (bool, bool),
    outcome: &mut ShrinkOutcome,
) {
    outcome.notes.extend(reach.reflection_seen().iter().map(|text| (*text).to_owned()));
    outcome.warnings.append(&mut reach.notes);
    if made_nothing {
        outcome.warnings.extend(missing::warning(reach, roots));
    }
    if is_first {
        let own = (roots.own_rules(), roots.own_assumptions());
        outcome.warnings.extend(unmatched(reach.program, &roots.rules, own));
    }
    if is_first && roots.library {
        outcome.may_begin = with_main(reach.program);
    }
    begin::explain(reach, roots, outcome);
    outcome.seeds = reach.seeds();
    outcome.kept_by_rules = reach.kept_by_rules(&roots.rules);
}

/// Adds the classes of an archive to a program. Returns them by their places.
fn add_classes<'a>(
    program: &mut Program<'a>,
    archive: &Archive,
    contents: &'a Contents<'_>,
    outcome: &mut ShrinkOutcome,
) -> BTreeMap<usize, Class> {
    let mut class_at = BTreeMap::new();
    // Of entries with one name a JVM finds the last.
    for (place, content) in contents.iter().rev() {
        let name = &archive.entries[*place].name;
        let Role::Class { release: None, .. } = Role::of(name) else { continue };
        match program.add(content) {
            Ok(Some(class)) => {
                class_at.insert(*place, class);
                outcome.classes.0 += 1;
                outcome.bytes.0 += content.len() as u64;
                outcome.instructions.0 += instructions(&program.classes[class].file);
            }
            Ok(None) => {}
            Err(error) => {
                outcome.warnings.push(unread(name, &error));
            }
        }
    }
    class_at
}

/// Sees to it that nothing is concluded from the bodies of classes that cannot be looked into, or of which there are versions
/// for newer releases. Gives these classes.
fn hide_bodies(
    program: &mut Program<'_>,
    archive: &Archive,
    contents: &Contents<'_>,
    unlinked: &Unlinked,
) -> Vec<Class> {
    let versions = contents.iter().filter_map(|(place, _)| match Role::of(&archive.entries[*place].name) {
        Role::Class { name, release: Some(_) } => program.class_named(name),
        _ => None,
    });
    let copied = program.classes.ids().filter(|&class| is_copied(&program.classes[class]));
    let refused = unlinked.classes.iter().filter_map(|name| program.class_named(name));
    let opaque: BTreeSet<Class> = versions.chain(copied).chain(refused).collect();
    opaque.iter().for_each(|&class| program.hide_bodies(class));
    opaque.into_iter().collect()
}

/// Keeps classes whose bodies nobody knows, and what they speak of. Those that cannot be looked into are named.
fn keep_opaque(
    reach: &mut Reach<'_, '_>,
    opaque: &[Class],
    outcome: &mut ShrinkOutcome,
) -> Result<(), String> {
    let program = reach.program;
    for &class in opaque {
        let (name, own) = (program.show_class(class), &program.classes[class]);
        if is_newer(&own.file) {
            outcome.warnings.push(format!(
                "{name}: class-file version {} is newer than {NEWEST}, the newest that is known; kept as it is",
                own.file.major,
            ));
        } else if let Some(flaw) = &own.flaw {
            outcome.warnings.push(format!("{name}: {flaw}; kept as it is"));
        }
        reach.keep_copied(class).map_err(|error| error.to_string())?;
    }
    Ok(())
}

/// The instructions and bytes of the classes of an archive, versions for newer releases not among them.
pub(crate) fn sizes(archive: &Archive) -> Result<(u64, u64), String> {
    let mut budget = Budget::new("inflated bytes", INFLATED_LIMIT);
    let (mut count, mut bytes) = (0, 0);
    for entry in &archive.entries {
        let Role::Class { release: None, .. } = Role::of(&entry.name) else { continue };
        let content = entry.content(&mut budget).map_err(|error| error.to_string())?;
        // One that cannot be read is copied, and did not count before.
        if let Ok(file) = ClassFile::read(&content) {
            count += instructions(&file);
            bytes += content.len() as u64;
        }
    }
    Ok((count, bytes))
}

/// Interfaces that do nothing go, unless a class that has them may be asked what it implements.
fn drop_idle_interfaces(
    reach: &mut Reach<'_, '_>,
    roots: &Roots,
    remembered: &mut Remembered,
    outcome: &mut ShrinkOutcome,
) {
    let mut idle = reach.idle_interfaces();
    outcome.has_idle_interfaces = !idle.is_empty();
    // The hierarchy of other rounds has them, and so have classes that cannot be written.
    if !remembered.made.is_closed() || idle.is_empty() {
        return;
    }
    let asked = asked_above(reach.program, &unobserved(reach, &roots.rules));
    idle.retain(|interface| !asked[interface.index()]);
    if interfaces_can_go(reach, &idle) {
        reach.drop_interfaces(&idle, &mut remembered.record);
    }
}

/// Whether the classes that implement interfaces which do nothing can all be written.
fn interfaces_can_go(reach: &Reach<'_, '_>, idle: &[Class]) -> bool {
    let program = reach.program;
    let idle: Vec<_> = idle.iter().map(|&class| program.classes[class].id).collect();
    let implements =
        |class: &Class| program.classes[*class].supertypes.iter().any(|above| idle.contains(above));
    let mut implementing = program.classes.ids().filter(|&class| reach.is_needed(class)).filter(implements);
    implementing.all(|class| shrink_class(reach, class).is_ok())
}
