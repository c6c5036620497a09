//! Programs in archives, run side by side.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

use planish_base::Budget;
use planish_classfile::jar::Role;
use planish_classfile::zip::Entry;
use planish_classfile::{ClassFile, Flags};
use planish_jvm_model::hierarchy::Hierarchy;

use super::{Beginnings, Held, Side, side_by_side};
use crate::classes::{Archive, INFLATED_LIMIT};
use crate::inputs::{Classpath, Platform};

/// Packages of the JDK whose bodies are run where a JDK is found: what they do stays inside the program.
const FOLLOWED: [&[u8]; 2] = [b"java/util/", b"jdk/internal/util/"];

/// Parts of those that talk to the outside or need a JVM.
const NOT_FOLLOWED: [&[u8]; 6] = [
    b"java/util/concurrent/",
    b"java/util/zip/",
    b"java/util/jar/",
    b"java/util/logging/",
    b"java/util/prefs/",
    b"java/util/spi/",
];

impl Beginnings {
    /// The main class that a manifest names, or what is public if it names none.
    pub fn of(archive: &Archive) -> Beginnings {
        let mut budget = Budget::new("inflated bytes", INFLATED_LIMIT);
        let manifest = archive.manifest(&mut budget).ok().flatten();
        let main = manifest.and_then(|manifest| {
            let name = String::from_utf8_lossy(manifest.main.get("Main-Class")?).into_owned();
            Some(name.trim().replace('.', "/").into_bytes())
        });
        match main {
            Some(main) => Beginnings { main: vec![main], ..Beginnings::default() },
            None => Beginnings { api: public_classes(archive), ..Beginnings::default() },
        }
    }

    /// The public methods of an archive; with a list of members as keep rules name them, those in it.
    pub fn public(archive: &Archive, kept: Option<&str>) -> Beginnings {
        let kept = kept.map(|lines| lines.lines().map(str::to_owned).collect::<BTreeSet<_>>());
        Beginnings { main: Vec::new(), api: public_classes(archive), kept }
    }
}

/// The public classes of an archive, in its order.
fn public_classes(archive: &Archive) -> Vec<Vec<u8>> {
    let mut budget = Budget::new("inflated bytes", INFLATED_LIMIT);
    let mut found = Vec::new();
    for entry in &archive.entries {
        if let Role::Class { name, release: None } = Role::of(&entry.name)
            && let Ok(content) = entry.content(&mut budget)
            && ClassFile::read(&content).is_ok_and(|file| file.flags.has(Flags::PUBLIC))
        {
            found.push(name.to_vec());
        }
    }
    found
}

/// The classes of archives by name.
fn classes<'a>(archives: impl Iterator<Item = &'a Archive>) -> BTreeMap<&'a [u8], &'a Entry> {
    let mut classes = BTreeMap::new();
    for entry in archives.flat_map(|archive| &archive.entries) {
        if let Role::Class { name, release: None } = Role::of(&entry.name) {
            classes.entry(name).or_insert(entry);
        }
    }
    classes
}

fn content(classes: &BTreeMap<&[u8], &Entry>, name: &[u8]) -> Option<Vec<u8>> {
    let mut budget = Budget::new("inflated bytes", INFLATED_LIMIT);
    classes.get(name)?.content(&mut budget).ok().map(Cow::into_owned)
}

/// Finds the bodies of libraries that are at hand.
fn library(classpath: &Classpath) -> impl Fn(&[u8]) -> Option<Vec<u8>> {
    let libraries = classes(classpath.libraries.iter());
    move |name| {
        if let Some(found) = content(&libraries, name) {
            return Some(found);
        }
        let begins = |parts: &[&[u8]]| parts.iter().any(|part| name.starts_with(part));
        let Platform::Image(image) = &classpath.platform else { return None };
        if !begins(&FOLLOWED) || begins(&NOT_FOLLOWED) {
            return None;
        }
        let resource = image.find_class(name).ok()??;
        image.content(&resource).ok().map(<[u8]>::to_vec)
    }
}

/// Runs a program and what became of it side by side. Libraries are run where they are at hand.
pub fn archives(
    before: &Archive,
    after: &Archive,
    (classpath, hierarchy): (&Classpath, &Hierarchy),
    beginnings: &Beginnings,
    worlds: u64,
) -> Held {
    let library = library(classpath);
    let (before, after) = (classes([before].into_iter()), classes([after].into_iter()));
    let (old, new) = (|name: &[u8]| content(&before, name), |name: &[u8]| content(&after, name));
    side_by_side(
        Side { program: &old, library: &library, hierarchy },
        Side { program: &new, library: &library, hierarchy },
        beginnings,
        worlds,
    )
}

/// What the outside hears of a program in one world.
pub fn observed(
    archive: &Archive,
    (classpath, hierarchy): (&Classpath, &Hierarchy),
    beginnings: &Beginnings,
    seed: u64,
) -> Vec<String> {
    let library = library(classpath);
    let classes = classes([archive].into_iter());
    let program = |name: &[u8]| content(&classes, name);
    super::observed(Side { program: &program, library: &library, hierarchy }, beginnings, seed)
}
