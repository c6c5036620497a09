//! Entries while they change: stored on the way, deflated in the end.
//!
//! Rounds read every class several times and write many of them, so classes are inflated once, before the first round,
//! and what is left of them is deflated once, after the last one. An entry that is what it was keeps the
//! bytes that it had.

use std::collections::BTreeSet;

use planish_base::{Budget, share_out, share_out_by_size};
use planish_classfile::ClassFile;
use planish_classfile::compact::sort;
use planish_classfile::jar::Role;
use planish_classfile::zip::{Archive, Deflater, Entry, INFLATED_LIMIT, Method};

/// The level at which what was stored for a while is deflated: the best one, since it is done once.
const PACKING: u32 = 9;

/// An archive whose classes are stored, inflated on so many threads.
pub fn with_stored_classes(archive: &Archive, threads: usize) -> Result<Archive, String> {
    let is_inflated = |entry: &Entry| {
        matches!(Role::of(&entry.name), Role::Class { .. }) && entry.method() == Some(Method::Deflated)
    };
    let budget = || Budget::new("inflated bytes", INFLATED_LIMIT);
    // Threads count for themselves what they inflate.
    let size = archive.entries.iter().filter(|entry| is_inflated(entry)).map(Entry::size);
    let size = size.fold(0, u64::saturating_add);
    if !budget().take(size) {
        return Err(format!("archives that inflate to at most {INFLATED_LIMIT} bytes, found {size}"));
    }
    let inflate = |budget: &mut Budget, entry: &Entry| {
        let mut stored = entry.clone();
        if is_inflated(entry) {
            stored.set_content(&entry.content(budget)?, Method::Stored, 0);
        }
        Ok(stored)
    };
    let (entries, _) = share_out(threads, &archive.entries, budget, inflate, drop);
    let entries: planish_classfile::Result<Vec<Entry>> = entries.into_iter().collect();
    let entries = entries.map_err(|error| error.to_string())?;
    Ok(Archive { entries, prefix: archive.prefix.clone(), comment: archive.comment.clone() })
}

/// Gives entries of `changed`, of which some went or changed since they were those of `stored`, the form that they had in
/// the `original`. Returns the names of those that are [still to be deflated](pack).
pub fn as_they_were(
    original: &Archive,
    stored: &Archive,
    changed: &mut Archive,
) -> Result<Vec<Vec<u8>>, String> {
    let mut budget = Budget::new("inflated bytes", INFLATED_LIMIT);
    let mut to_deflate = Vec::new();
    let mut before = original.entries.iter().zip(&stored.entries);
    for entry in &mut changed.entries {
        // The order is the same.
        let Some((was, before)) = before.find(|(was, _)| was.name == entry.name) else { break };
        if was.method() != Some(Method::Deflated) || entry.method() != Some(Method::Stored) {
            continue;
        }
        let old = before.content(&mut budget).map_err(|error| error.to_string())?;
        let new = entry.content(&mut budget).map_err(|error| error.to_string())?;
        if old == new {
            *entry = was.clone();
        } else {
            to_deflate.push(entry.name.clone());
        }
    }
    Ok(to_deflate)
}

/// Deflates entries, which were stored while they were still to change. If there are any, the program is another
/// one, and every class of it gets its constants in the order that deflates to less, where that is so.
pub fn pack(archive: &mut Archive, names: &[Vec<u8>], threads: usize) -> Result<(), String> {
    if names.is_empty() {
        return Ok(());
    }
    let names: BTreeSet<&[u8]> = names.iter().map(Vec::as_slice).collect();
    let budget = || Budget::new("inflated bytes", INFLATED_LIMIT);
    let begin = || (budget(), Deflater::new(PACKING));
    let pack_one = |(budget, deflater): &mut (Budget, Deflater), entry: &Entry| {
        let is_stored = names.contains(&entry.name[..]);
        let is_class = matches!(Role::of(&entry.name), Role::Class { release: None, .. });
        if !(is_stored || is_class && entry.method() == Some(Method::Deflated)) {
            return Ok(None);
        }
        packed(entry, is_stored, is_class, budget, deflater)
    };
    let size = |entry: &Entry| entry.compressed_size() as usize;
    let (packed, _) = share_out_by_size(threads, &archive.entries, size, begin, pack_one, drop);
    for (entry, packed) in archive.entries.iter_mut().zip(packed) {
        if let Some(packed) = packed? {
            *entry = packed;
        }
    }
    Ok(())
}

/// An entry that is deflated, and a class sorted if it is smaller then; nothing if it stays as it is.
fn packed(
    entry: &Entry,
    is_stored: bool,
    is_class: bool,
    budget: &mut Budget,
    deflater: &mut Deflater,
) -> Result<Option<Entry>, String> {
    let mut with = |content: &[u8]| {
        let mut entry = entry.clone();
        entry.set_deflated(content, deflater);
        entry
    };
    let content = entry.content(budget).map_err(|error| error.to_string())?;
    let deflated = is_stored.then(|| with(&content));
    let sorted = is_class.then(|| with_sorted_constants(&content)).flatten().map(|sorted| with(&sorted));
    let size = deflated.as_ref().unwrap_or(entry).compressed_size();
    Ok(sorted.filter(|sorted| sorted.compressed_size() < size).or(deflated))
}

/// A class with its constants in order; `None` if that cannot be, or makes it longer.
fn with_sorted_constants(content: &[u8]) -> Option<Vec<u8>> {
    let mut class = ClassFile::read(content).ok()?;
    let is_sorted = sort(&mut class).ok()?;
    class.to_bytes().ok().filter(|bytes| is_sorted && bytes.len() <= content.len())
}
