//! Classes of which something went still read what was written before: see [`planish_jvm::shrink::serial_version`].

use std::collections::BTreeMap;

use planish_base::Budget;
use planish_classfile::jar::Role;
use planish_classfile::zip::{Archive, Entry, INFLATED_LIMIT, Method};
use planish_classfile::{ClassFile, Result};
use planish_jvm::shrink::serial_version::{computed_version, stated_version, with_version};
use planish_jvm_model::hierarchy::Hierarchy;

use crate::entry::LEVEL;

/// Lets classes say the version that they had or said in `before`, if their objects can be written and it would be another
/// one now. Gives their number.
pub fn keep_versions(
    before: &Archive,
    after: &mut Archive,
    hierarchy: &Hierarchy,
    renames: bool,
) -> Result<u64> {
    let mut budget = Budget::new("inflated bytes", INFLATED_LIMIT);
    let is_class = |entry: &&Entry| matches!(Role::of(&entry.name), Role::Class { release: None, .. });
    let old: BTreeMap<&[u8], &Entry> =
        before.entries.iter().filter(is_class).map(|entry| (&entry.name[..], entry)).collect();
    let Some(serializable) = hierarchy.lookup(b"java/io/Serializable") else { return Ok(0) };
    let mut stated = 0;
    for entry in &mut after.entries {
        let Some(was) = old.get(&entry.name[..]) else { continue };
        let (was, is) = (was.content(&mut budget)?, entry.content(&mut budget)?);
        if was == is && !renames {
            continue;
        }
        // What cannot be read was copied.
        let (Ok(was), Ok(mut is)) = (ClassFile::read(&was), ClassFile::read(&is)) else { continue };
        let id = hierarchy.lookup(is.name()?);
        if id.and_then(|id| hierarchy.is_subtype(id, serializable)) != Some(true) {
            continue;
        }
        let (said, now) = (stated_version(&was)?, computed_version(&is)?);
        let Some(version) = said.or(computed_version(&was)?) else { continue };
        // It says one still, or none is needed.
        if said.is_some() && now.is_none() || !renames && now == Some(version) {
            continue;
        }
        with_version(&mut is, version)?;
        let (bytes, method) = (is.to_bytes()?, entry.method());
        stated += 1;
        entry.set_content(&bytes, method.unwrap_or(Method::Deflated), LEVEL);
    }
    Ok(stated)
}
