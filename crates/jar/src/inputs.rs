//! What a program of classes is read from: inputs that become one archive, and the classes around it.
//!
//! Inputs are merged as a class path would find their entries: of a name that several have, the first
//! one stays, and files that list the classes of a service, or what a framework reads line by line, become one. Around the program are the
//! libraries and the JDK, from which classes are taken as they are asked for.

use std::borrow::Cow;
use std::collections::BTreeMap;

use planish_base::Budget;
use planish_classfile::jar::Role;
use planish_classfile::jimage::Image;
use planish_classfile::zip::{Archive, Entry, INFLATED_LIMIT, Method};
use planish_jvm_model::hierarchy::{Hierarchy, Origin};
use planish_jvm_model::library::Library;

use crate::classes::add_classes;
use crate::entry::LEVEL;
use crate::reflect_config;

/// Makes one archive of several, as a class path would find their entries. Returns what the user should
/// know.
pub fn merge(archives: Vec<Archive>) -> Result<(Archive, Vec<String>), String> {
    let mut warnings = Vec::new();
    let several = archives.len() > 1;
    let mut merged = Archive::default();
    let mut places: BTreeMap<Vec<u8>, usize> = BTreeMap::new();
    let mut budget = Budget::new("inflated bytes", INFLATED_LIMIT);
    let mut lost = Vec::new();
    let mut modules = 0u64;
    for (number, mut archive) in archives.into_iter().enumerate() {
        if several && archive.is_signed() {
            let removed = archive.remove_signatures(&mut budget, LEVEL).map_err(|e| e.to_string())?;
            warnings.push(format!("inputs are merged, so {} signature files were removed", removed.len()));
        }
        if number == 0 {
            merged.prefix = std::mem::take(&mut archive.prefix);
            merged.comment = std::mem::take(&mut archive.comment);
        }
        let last: BTreeMap<Vec<u8>, usize> =
            archive.entries.iter().enumerate().map(|(place, entry)| (entry.name.clone(), place)).collect();
        for (place, entry) in archive.entries.into_iter().enumerate() {
            let role = Role::of(&entry.name);
            if several && matches!(role, Role::ModuleInfo(_)) {
                modules += 1;
                continue;
            }
            if several && role == Role::Index {
                continue;
            }
            // Of entries with one name in one archive a JVM finds the last.
            if several && last.get(&entry.name) != Some(&place) {
                continue;
            }
            match places.get(&entry.name).copied().filter(|_| several) {
                None => {
                    places.insert(entry.name.clone(), merged.entries.len());
                    merged.entries.push(entry);
                }
                Some(place) => match role {
                    Role::Service(_) | Role::Lines => {
                        let first = merged.entries[place].content(&mut budget).map_err(|e| e.to_string())?;
                        let more = entry.content(&mut budget).map_err(|e| e.to_string())?;
                        let mut text = first.into_owned();
                        if text.last().is_some_and(|byte| *byte != b'\n') {
                            text.push(b'\n');
                        }
                        text.extend_from_slice(&more);
                        let entry = &mut merged.entries[place];
                        entry.set_content(&text, entry.method().unwrap_or(Method::Deflated), LEVEL);
                    }
                    Role::Directory | Role::Manifest => {}
                    _ => lost.push(entry.name),
                },
            }
        }
    }
    if !lost.is_empty() {
        // Programs that ask for all files of a name ask for those of META-INF.
        lost.sort_by_key(|name: &Vec<u8>| !name.starts_with(b"META-INF/"));
        let some: Vec<_> = lost.iter().take(8).map(|name| String::from_utf8_lossy(name)).collect();
        let more = lost.len().checked_sub(8).filter(|&more| more > 0);
        let more = more.map(|more| format!(" and {more} more")).unwrap_or_default();
        warnings.push(format!(
            "of {}{more} the one of the first input stays, which a class path finds; -o DIR/ keeps inputs apart, for a \
             program that asks for all",
            some.join(", ")
        ));
    }
    if modules > 0 {
        warnings.push(format!("inputs are merged, so {modules} module descriptors were left out"));
    }
    Ok((merged, warnings))
}

/// Rules inside of archives.
#[derive(Default)]
pub struct RulesInside {
    /// Their texts, with the names of entries.
    pub texts: Vec<(String, String)>,
    /// What is wrong with some, one message each.
    pub wrong: Vec<String>,
}

/// The keep rules that archives bring along, as texts with names, lists for native images among them.
pub fn rules_inside(archives: &[Archive]) -> Result<RulesInside, String> {
    let mut budget = Budget::new("inflated bytes", INFLATED_LIMIT);
    let mut inside = RulesInside::default();
    for entry in archives.iter().flat_map(|archive| &archive.entries) {
        let is_list = reflect_config::is_config(&entry.name);
        if !is_list && Role::of(&entry.name) != Role::KeepRules {
            continue;
        }
        let content = entry.content(&mut budget).map_err(|error| error.to_string())?;
        let name = String::from_utf8_lossy(&entry.name).into_owned();
        let text = String::from_utf8_lossy(&content).into_owned();
        match is_list.then(|| reflect_config::rules(&text)) {
            None => inside.texts.push((name, text)),
            Some(Ok(rules)) => inside.texts.push((name, rules)),
            Some(Err(error)) => inside.wrong.push(format!("{name}: {error}; what it keeps is not known")),
        }
    }
    Ok(inside)
}

/// Where the classes of the JDK are.
#[derive(Default)]
pub enum Platform {
    /// Nowhere: they are missing.
    #[default]
    Missing,
    /// In the JDK that is installed.
    Image(Image),
    /// In a summary of one: heads only, which is all that is asked of them.
    Heads(Archive),
}

impl Platform {
    /// The summary, for when no JDK is installed.
    pub fn heads() -> Platform {
        Platform::Heads(planish_jdk::archive())
    }

    /// Adds its classes, read on so many threads, to a hierarchy that has the program and its libraries.
    pub fn add_to(
        &self,
        hierarchy: &mut Hierarchy,
        threads: usize,
        warnings: &mut Vec<String>,
    ) -> Result<(), String> {
        match self {
            Platform::Missing => Ok(()),
            Platform::Image(image) => hierarchy.add_image(image, threads).map_err(|error| error.to_string()),
            Platform::Heads(heads) => {
                warnings.push(format!(
                    "no JDK is found; what its classes extend is taken from a summary of JDK {}",
                    planish_jdk::RELEASE
                ));
                let mut budget = Budget::new("inflated bytes", INFLATED_LIMIT);
                add_classes(hierarchy, heads, Origin::Platform, &mut budget, warnings)
            }
        }
    }
}

/// Classes outside of the program: library archives, then the JDK.
#[derive(Default)]
pub struct Classpath {
    /// Library jars and directories.
    pub libraries: Vec<Archive>,
    /// Classes of the program that the JDK has as well.
    pub shadowed: Vec<Entry>,
    /// The JDK.
    pub platform: Platform,
}

impl Classpath {
    /// A function that finds class files.
    pub(crate) fn library(&self) -> Result<Library<'_>, String> {
        let mut entries: BTreeMap<&[u8], &Entry> = BTreeMap::new();
        let (image, heads) = match &self.platform {
            Platform::Missing => (None, None),
            Platform::Image(image) => (Some(image), None),
            Platform::Heads(heads) => (None, Some(heads)),
        };
        for entry in self.libraries.iter().chain(heads).flat_map(|archive| &archive.entries) {
            if let Role::Class { name, release: None } = Role::of(&entry.name) {
                entries.entry(name).or_insert(entry);
            }
        }
        Ok(Library::new(Box::new(move |name| {
            if let Some(entry) = entries.get(name) {
                let mut budget = Budget::new("inflated bytes", INFLATED_LIMIT);
                return entry.content(&mut budget).ok();
            }
            let resource = image?.find_class(name).ok()??;
            image?.content(&resource).ok().map(Cow::Borrowed)
        })))
    }
}
