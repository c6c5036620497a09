//! What becomes of each entry of an archive: nothing, new content, or it goes.

use std::collections::BTreeMap;

use planish_base::{Budget, caught, share_out};
use planish_classfile::jar::Role;
use planish_classfile::mutf8::Shown;
use planish_classfile::zip::{Archive, INFLATED_LIMIT, Method};
use planish_classfile::{ClassFile, Error, Result};
use planish_jvm::shrink::classes::{Shrunk, implements_what_went, shrink_class};
use planish_jvm::transform::specialize::add_variants;
use planish_jvm_analysis::passes::TREE_SHAKING;
use planish_jvm_analysis::reach::Reach;
use planish_jvm_analysis::record::ProgramRecord;
use planish_jvm_analysis::wanted::{Made, Wanted};
use planish_jvm_model::program::Class;

use crate::directories;
use crate::entry::{LEVEL, unread};
use crate::modules::module_without;
use crate::programs::contents::{Contents, instructions, is_copied};
use crate::programs::moved::Moved;
use crate::programs::outcome::ShrinkOutcome;
use crate::removed::Removed;

/// The places of entries that change, in order, with their new content; nothing for those that go.
pub(super) type Changes = Vec<(usize, Option<Vec<u8>>)>;

/// Whether a method that a class declares, by name and descriptor, is reached.
fn is_live_here(reach: &Reach<'_, '_>, class: Class, text: &[u8]) -> bool {
    let program = reach.program;
    let method = program.selector(text).and_then(|text| program.declared_method(class, text));
    method.is_some_and(|method| reach.is_live(method))
}

/// Counts a class that stays.
fn count(outcome: &mut ShrinkOutcome, bytes: &[u8]) {
    outcome.classes.1 += 1;
    outcome.bytes.1 += bytes.len() as u64;
    outcome.instructions.1 += ClassFile::read(bytes).as_ref().map_or(0, instructions);
}

/// Whether the file of a service goes, since nothing asks for the service.
fn service_goes(reach: &Reach<'_, '_>, name: &[u8], record: &mut ProgramRecord) -> bool {
    let name: Vec<u8> = name.iter().map(|&b| if b == b'.' { b'/' } else { b }).collect();
    let say = || format!("service {} goes", Shown(&name));
    !reach.is_service_used(&name) && record.rewrite(&TREE_SHAKING, say)
}

/// Classes without what nothing reaches, and with the variants that calls want; what speaks of classes that went.
pub(super) fn changes(
    reach: &Reach<'_, '_>,
    (archive, contents, class_at): (&Archive, &Contents<'_>, &BTreeMap<usize, Class>),
    wanted: &Wanted,
    (made, moved, record): (&mut Made, &Moved, &mut ProgramRecord),
    threads: usize,
    outcome: &mut ShrinkOutcome,
) -> Changes {
    let program = reach.program;
    let (variants, without_receivers) = (wanted.by_class(), wanted.without_receivers());
    let shrinks = |&class: &Class| reach.is_needed(class) && !is_copied(&program.classes[class]);
    let kept: Vec<Class> = class_at.values().copied().filter(shrinks).collect();
    let shrink_one = |(): &mut (), &class: &Class| {
        let shrunk = caught::guard(|| shrink_class(reach, class));
        shrunk.map_err(|panicked| panicked.report(&program.show_class(class).to_string()))
    };
    let (smaller, _) = share_out(threads, &kept, || (), shrink_one, drop);
    let mut smaller: BTreeMap<Class, _> = kept.into_iter().zip(smaller).collect();

    let mut changes = Changes::new();
    for (place, content) in contents {
        let entry = &archive.entries[*place];
        let failed = |error: Error| unread(&entry.name, &error);
        match Role::of(&entry.name) {
            Role::Class { release: None, .. } => {
                let Some(&class) = class_at.get(place) else { continue };
                if let Err(error) = list_removed(reach, class, (made, moved), &mut outcome.removed) {
                    outcome.warnings.push(failed(error));
                }
                let own = &program.classes[class];
                let members = (own.methods.len() as u64, own.fields.len() as u64);
                if !reach.is_needed(class) {
                    outcome.members.methods.0 += members.0;
                    outcome.members.fields.0 += members.1;
                    changes.push((*place, None));
                    continue;
                }
                let mut new = |counts: &mut Shrunk| -> Result<Option<Vec<u8>>, String> {
                    if is_copied(own) {
                        counts.copies(members.0, members.1);
                        return Ok(None);
                    }
                    let shrunk = smaller.remove(&class).expect("a class that is needed")?;
                    let (bytes, left) = shrunk.map_err(failed)?;
                    counts.add(left);
                    let is_needed = left.must_change || implements_what_went(reach, class);
                    let is_live = |text: &[u8]| is_live_here(reach, class, text);
                    let more = match variants.get(program.name(class)) {
                        Some(list) => {
                            let place = (program.hierarchy, is_live);
                            add_variants(&bytes, list, place, &without_receivers, made, record)
                                .map_err(failed)?
                        }
                        None => None,
                    };
                    let is_better = bytes.len() < content.len();
                    Ok(more.or_else(|| (is_better || is_needed).then_some(bytes)))
                };
                let new = new(&mut outcome.members).unwrap_or_else(|warning| {
                    outcome.warnings.push(warning);
                    None
                });
                count(outcome, new.as_deref().unwrap_or(content));
                if new.is_some() {
                    changes.push((*place, new));
                }
            }
            Role::Service(name) if service_goes(reach, name, record) => changes.push((*place, None)),
            Role::ModuleInfo(_) => match module_without(reach, content) {
                Ok(Some(bytes)) => changes.push((*place, Some(bytes))),
                Ok(None) => {}
                Err(error) => outcome.warnings.push(failed(error)),
            },
            Role::Index => changes.push((*place, None)),
            _ => {}
        }
    }
    changes
}

/// Makes the changes to classes that are there only once all rounds are over, in any order, and takes away the signatures of an archive that
/// was signed. What is to be deflated is noted. The error says which content cannot be read.
pub(super) fn make_last(
    mut changes: Changes,
    archive: &mut Archive,
    to_deflate: &mut Vec<Vec<u8>>,
) -> Result<(), String> {
    changes.sort_unstable_by_key(|(place, _)| *place);
    to_deflate.extend(make(changes, archive));
    if archive.is_signed() {
        let mut budget = Budget::new("inflated bytes", INFLATED_LIMIT);
        archive.remove_signatures(&mut budget, LEVEL).map_err(|error| error.to_string())?;
    }
    Ok(())
}

/// Makes the changes, and lets directories go that became empty by them. Returns the names of entries that were
/// deflated and are stored now.
pub(super) fn make(changes: Changes, archive: &mut Archive) -> Vec<Vec<u8>> {
    let (mut gone, mut to_deflate) = (Vec::new(), Vec::new());
    for (place, change) in changes {
        let entry = &mut archive.entries[place];
        match change {
            None => gone.push(place),
            Some(bytes) => {
                if entry.method() != Some(Method::Stored) {
                    to_deflate.push(entry.name.clone());
                }
                entry.set_content(&bytes, Method::Stored, 0);
            }
        }
    }
    let had = directories::with_content(archive);
    let mut place = 0;
    archive.entries.retain(|_| {
        place += 1;
        gone.binary_search(&(place - 1)).is_err()
    });
    let has = directories::with_content(archive);
    archive.entries.retain(|entry| !had.contains(&entry.name) || has.contains(&entry.name));
    to_deflate
}

/// Lists what goes of a class.
fn list_removed(
    reach: &Reach<'_, '_>,
    class: Class,
    (made, moved): (&Made, &Moved),
    list: &mut Removed,
) -> Result<()> {
    let program = reach.program;
    let name = program.show_class(class).to_string();
    if !reach.is_needed(class) {
        list.add_class(name);
        return Ok(());
    }
    let own = &program.classes[class];
    // What was made on the way is nobody's loss. Of a class that another one became a part of it is said that it did.
    let is_made = |selector| {
        let (class, member) = (program.name(class), program.text(selector));
        made.is_variant(class, member) || moved.has(class, member)
    };
    for &field in own.fields.iter().filter(|&&field| !reach.is_field_needed(field)) {
        let info = &program.fields[field];
        if !is_made(info.selector) {
            list.add_field(&name, &own.file.fields[usize::from(info.place)], &own.file)?;
        }
    }
    for &method in own.methods.iter().filter(|&&method| !reach.is_declared(method)) {
        let info = &program.methods[method];
        if !is_made(info.selector) {
            list.add_method(&name, &own.file.methods[usize::from(info.place)], &own.file)?;
        }
    }
    Ok(())
}
