//! Output splitting: the result of several inputs in as many archives.
//!
//! Inputs are optimized as one program ([`crate::inputs::merge`]). Here each entry of the result goes back to
//! where it came from: the input that a class path finds it in. What a later input has under a name that was taken
//! stays as it was, for whoever puts the archives in another order: resources and manifests are often called
//! alike.

use std::collections::{BTreeMap, BTreeSet};

use planish_base::Budget;
use planish_classfile::jar::Role;
use planish_classfile::zip::{Archive, INFLATED_LIMIT};

use crate::entry::LEVEL;
use crate::renaming::renamed::Names;
use crate::renaming::resources::service;

/// The inputs, before they became one program.
#[derive(Clone)]
pub struct Apart {
    inputs: Vec<Archive>,
}

impl Apart {
    /// Remembers the inputs.
    pub fn of(inputs: &[Archive]) -> Apart {
        Apart { inputs: inputs.to_vec() }
    }

    /// The main classes that manifests other than the first one name, which the one program has no place for.
    pub fn main_classes(&self) -> Result<Vec<String>, String> {
        let mut budget = Budget::new("inflated bytes", INFLATED_LIMIT);
        let mut names = Vec::new();
        for input in self.inputs.iter().skip(1) {
            let manifest = input.manifest(&mut budget).map_err(|error| error.to_string())?;
            let main = manifest.as_ref().and_then(|manifest| manifest.main.get("Main-Class"));
            names.extend(main.map(|name| String::from_utf8_lossy(name).trim().to_owned()));
        }
        Ok(names)
    }

    /// What became of each input, with the names that entries have by now, if they got others. O(entries x log(entries)).
    pub fn split(self, result: &Archive, names: Option<&Names>) -> Result<Vec<Archive>, String> {
        let of_result: BTreeMap<&[u8], usize> =
            result.entries.iter().enumerate().map(|(place, entry)| (&entry.name[..], place)).collect();
        let mut budget = Budget::new("inflated bytes", INFLATED_LIMIT);
        let mut taken: BTreeSet<Vec<u8>> = BTreeSet::new();
        let mut made = Vec::with_capacity(self.inputs.len());
        for mut input in self.inputs {
            // Of entries with one name in one archive a JVM finds the last.
            let last: BTreeMap<Vec<u8>, usize> =
                input.entries.iter().enumerate().map(|(place, entry)| (entry.name.clone(), place)).collect();
            let mut entries = Vec::with_capacity(input.entries.len());
            for (place, entry) in std::mem::take(&mut input.entries).into_iter().enumerate() {
                if last.get(&entry.name) != Some(&place) {
                    continue;
                }
                let is_first = taken.insert(entry.name.clone());
                let path = names.map_or(&entry.name[..], |names| names.path(&entry.name));
                match of_result.get(path) {
                    None if is_first => {}
                    // In the result it has the services, or lines, of all inputs.
                    Some(&place)
                        if is_first && !matches!(Role::of(&entry.name), Role::Service(_) | Role::Lines) =>
                    {
                        entries.push(result.entries[place].clone());
                    }
                    _ => entries.push(match names {
                        Some(names) => service(&entry, &names.naming)?,
                        None => entry,
                    }),
                }
            }
            input.entries = entries;
            if input.is_signed() {
                input.remove_signatures(&mut budget, LEVEL).map_err(|error| error.to_string())?;
            }
            made.push(input);
        }
        Ok(made)
    }
}
