//! One manifest for several inputs.
//!
//! Of several manifests the first one stays ([`crate::inputs::merge`]), but what two of the others say is more than words.
//! With `Multi-Release: true` a JVM takes classes from `META-INF/versions`: so the result says it if one of the inputs does, and
//! has no versions but those that a JVM would have taken. With `Class-Path` it looks for classes
//! elsewhere: that is nothing which may be copied, since the names are relative to the input, so there is a warning.

use std::collections::BTreeSet;

use planish_base::Budget;
use planish_classfile::zip::{Archive, Entry, INFLATED_LIMIT};

use crate::entry::LEVEL;

/// What manifests of several inputs say.
#[derive(Default)]
pub struct Manifests {
    /// Whether one of them says that there are versions of classes.
    is_versioned: bool,
    /// The names of versions that no JVM takes: of an input that does not say so, or of what is in an earlier one.
    unseen: BTreeSet<Vec<u8>>,
    /// What later ones name as their class paths.
    class_paths: Vec<String>,
}

impl Manifests {
    /// Reads the manifests. O(entries).
    pub fn of(inputs: &[Archive]) -> Result<Self, String> {
        let mut manifests = Manifests::default();
        let mut budget = Budget::new("inflated bytes", INFLATED_LIMIT);
        let mut earlier: BTreeSet<&[u8]> = BTreeSet::new();
        for (number, input) in inputs.iter().enumerate() {
            let is_versioned = input.is_multi_release(&mut budget).map_err(|error| error.to_string())?;
            manifests.is_versioned |= is_versioned;
            let unseen = input
                .entries
                .iter()
                .filter(|entry| versioned(entry).is_some_and(|name| !is_versioned || earlier.contains(name)));
            manifests.unseen.extend(unseen.map(|entry| entry.name.clone()));
            let manifest = input.manifest(&mut budget).map_err(|error| error.to_string())?;
            let class_path = manifest.as_ref().and_then(|manifest| manifest.main.get("Class-Path"));
            if let Some(class_path) = class_path.filter(|_| number > 0) {
                manifests.class_paths.push(String::from_utf8_lossy(class_path.trim_ascii()).into_owned());
            }
            earlier.extend(input.entries.iter().map(|entry| &entry.name[..]));
        }
        Ok(manifests)
    }

    /// Lets the one manifest of what the inputs became say it. Returns what the user should know.
    pub fn join(self, merged: &mut Archive) -> Result<Vec<String>, String> {
        let mut budget = Budget::new("inflated bytes", INFLATED_LIMIT);
        if self.is_versioned {
            merged.entries.retain(|entry| !self.unseen.contains(&entry.name));
            if !merged.is_multi_release(&mut budget).map_err(|error| error.to_string())? {
                let manifest = merged.manifest(&mut budget).map_err(|error| error.to_string())?;
                let mut manifest = manifest.unwrap_or_default();
                manifest.main.set("Multi-Release", "true");
                merged.set_manifest(&manifest, LEVEL);
            }
        }
        let paths = self.class_paths.into_iter();
        Ok(paths
            .map(|path| format!("inputs are merged, so this class path of one of them is left out: {path}"))
            .collect())
    }
}

/// The name of which an entry is a version.
fn versioned(entry: &Entry) -> Option<&[u8]> {
    let rest = entry.name.strip_prefix(b"META-INF/versions/")?;
    let end = rest.iter().position(|byte| *byte == b'/')?;
    Some(&rest[end + 1..]).filter(|name| !name.is_empty())
}
