//! Entries that are called after classes, or speak of them.
//!
//! Lists of services always follow. Others do where `-adaptresourcefilenames` and `-adaptresourcefilecontents` say so; else
//! what they name keeps its name, as far as they are texts.

use std::collections::{BTreeMap, BTreeSet};

use planish_base::Budget;
use planish_classfile::attribute::Body;
use planish_classfile::jar::Role;
use planish_classfile::manifest::Manifest;
use planish_classfile::zip::{Archive, Entry, INFLATED_LIMIT, Method};
use planish_classfile::{ClassFile, Kind};
use planish_jvm::rename::naming::Naming;

use crate::entry::LEVEL;
use crate::listings::{listings, words};
use crate::renaming::given::Options;

/// What resources hold fast.
#[derive(Default)]
pub struct Held {
    /// Classes, as in `a/B`.
    pub classes: BTreeSet<Vec<u8>>,
    /// Classes that something outside begins at.
    pub main: BTreeSet<Vec<u8>>,
    /// Packages in whose directories something lies.
    pub packages: BTreeSet<Vec<u8>>,
    /// Whether there is a descriptor of a module, which says what packages there are.
    pub is_module: bool,
}

/// What the resources of an archive hold fast. O(bytes of texts).
pub fn held(archive: &Archive, options: &Options, asks_for_resources: bool) -> Result<Held, String> {
    let mut held = Held::default();
    for (name, classes) in listings(archive) {
        if !options.file_contents.matches(&name) && !matches!(Role::of(&name), Role::Service(_)) {
            held.classes.extend(classes.iter().map(|class| class.to_vec()));
        }
    }
    let mut budget = Budget::new("inflated bytes", INFLATED_LIMIT);
    if let Some(manifest) = archive.manifest(&mut budget).map_err(|error| error.to_string())? {
        held.manifest(&manifest);
    }
    let packages: BTreeSet<&[u8]> =
        archive.entries.iter().filter_map(|entry| package_of(&entry.name)).collect();
    for entry in &archive.entries {
        match Role::of(&entry.name) {
            Role::ModuleInfo(_) => {
                held.is_module = true;
                let Ok(content) = entry.content(&mut budget) else { continue };
                if let Ok(file) = ClassFile::read(&content)
                    && let Some(attribute) = file.attribute(Kind::ModuleMainClass)
                    && let Ok(Some(Body::ModuleMainClass(main))) = attribute.decode(&file.pool)
                    && let Ok(name) = file.pool.class(main)
                {
                    held.main.insert(name.to_vec());
                }
            }
            Role::Resource if asks_for_resources && !options.file_names.matches(&entry.name) => {
                held.packages.extend(directory(&entry.name, &packages));
            }
            _ => {}
        }
    }
    Ok(held)
}

impl Held {
    fn manifest(&mut self, manifest: &Manifest) {
        for (name, value) in manifest.main.attributes() {
            let named = words(value).collect::<Vec<_>>();
            if matches!(name, b"Main-Class" | b"Premain-Class" | b"Agent-Class" | b"Launcher-Agent-Class") {
                self.main.extend(named.iter().cloned());
            }
            self.classes.extend(named);
        }
    }
}

/// The package of the class of an entry.
fn package_of(name: &[u8]) -> Option<&[u8]> {
    match Role::of(name) {
        Role::Class { name, release: None } => {
            Some(name.iter().rposition(|byte| *byte == b'/').map_or(&b""[..], |end| &name[..end]))
        }
        _ => None,
    }
}

/// The nearest directory around a resource that is a package.
fn directory(name: &[u8], packages: &BTreeSet<&[u8]>) -> Option<Vec<u8>> {
    let mut at = name;
    while let Some(slash) = at.iter().rposition(|byte| *byte == b'/') {
        at = &at[..slash];
        if packages.contains(at) {
            return Some(at.to_vec());
        }
    }
    None
}

/// What entries are called from now on, by the names that they had; those that keep theirs are not among them.
pub type Paths = BTreeMap<Vec<u8>, Vec<u8>>;

/// The new path of a class file, which need not begin at the root.
pub fn class_path(path: &[u8], name: &[u8], new: &[u8]) -> Option<Vec<u8>> {
    let front = path.strip_suffix(b".class")?.strip_suffix(name)?;
    Some([front, new, b".class"].concat())
}

/// Gives resources the names and contents that follow from those of classes. Returns the new names, and those of entries
/// that were deflated and are stored now.
pub fn rename(
    archive: &mut Archive,
    naming: &Naming,
    options: &Options,
) -> Result<(Paths, Vec<Vec<u8>>), String> {
    let mut budget = Budget::new("inflated bytes", INFLATED_LIMIT);
    let (mut paths, mut to_deflate) = (Paths::new(), Vec::new());
    for entry in &mut archive.entries {
        let old = entry.name.clone();
        let is_adapted = match Role::of(&old) {
            Role::Service(service) => {
                if let Some(new) = naming.class(&slashes(service)) {
                    paths.insert(old.clone(), [b"META-INF/services/", &dots(new)[..]].concat());
                }
                true
            }
            Role::Resource | Role::Lines => {
                if options.file_names.matches(&old)
                    && let Some(new) = file_name(&old, naming)
                {
                    paths.insert(old.clone(), new);
                }
                options.file_contents.matches(&old)
            }
            _ => false,
        };
        if is_adapted {
            let content = entry.content(&mut budget).map_err(|error| error.to_string())?;
            if let Some(new) = content_with_names(&content, naming) {
                if entry.method() != Some(Method::Stored) {
                    to_deflate.push(old.clone());
                }
                entry.set_content(&new, Method::Stored, 0);
            }
        }
        if let Some(new) = paths.get(&old) {
            entry.name.clone_from(new);
        }
    }
    Ok((paths, to_deflate))
}

/// An entry of one of several inputs as it is now.
pub fn service(entry: &Entry, naming: &Naming) -> Result<Entry, String> {
    let mut alone = Archive { entries: vec![entry.clone()], ..Archive::default() };
    rename(&mut alone, naming, &Options::of(&planish_keep::Configuration::default()))?;
    let mut entry = alone.entries.remove(0);
    if entry.method() == Some(Method::Stored) {
        let content = entry.content(&mut Budget::new("inflated bytes", INFLATED_LIMIT));
        let content = content.map_err(|error| error.to_string())?.into_owned();
        entry.set_content(&content, Method::Deflated, LEVEL);
    }
    Ok(entry)
}

fn slashes(name: &[u8]) -> Vec<u8> {
    name.iter().map(|&byte| if byte == b'.' { b'/' } else { byte }).collect()
}

fn dots(name: &[u8]) -> Vec<u8> {
    name.iter().map(|&byte| if byte == b'/' { b'.' } else { byte }).collect()
}

/// The new name of a file that is called after a class, as far as it is: `a/B.properties`, `a/B_de.properties`, `a/B/x`.
fn file_name(old: &[u8], naming: &Naming) -> Option<Vec<u8>> {
    let ends = |at: &usize| !(old[*at].is_ascii_alphanumeric() || old[*at] >= 0x80);
    (1..old.len()).rev().filter(ends).find_map(|end| {
        let new = naming.class(&old[..end])?;
        Some([new, &old[end..]].concat())
    })
}

/// A text with new names of classes, with dots or with slashes as they were; nothing if it has none.
fn content_with_names(text: &[u8], naming: &Naming) -> Option<Vec<u8>> {
    let is_name = |byte: &u8| byte.is_ascii_alphanumeric() || b"_$./".contains(byte) || *byte >= 0x80;
    let (mut new, mut copied, mut at) = (Vec::with_capacity(text.len()), 0, 0);
    while at < text.len() {
        let length = text[at..].iter().position(|byte| !is_name(byte)).unwrap_or(text.len() - at);
        let word = &text[at..at + length];
        if let Some((name, behind)) = word_with_names(word, naming) {
            new.extend_from_slice(&text[copied..at]);
            new.extend_from_slice(&name);
            copied = at + length - behind;
        }
        at += length + 1;
    }
    if copied == 0 {
        return None;
    }
    new.extend_from_slice(&text[copied..]);
    Some(new)
}

/// What takes the place of a word, and how many bytes of it stay behind that.
fn word_with_names(word: &[u8], naming: &Naming) -> Option<(Vec<u8>, usize)> {
    let behind = [&b".class"[..], b"."].into_iter().find(|end| word.ends_with(end)).map_or(0, <[u8]>::len);
    [0, behind].into_iter().find_map(|behind| {
        let old = &word[..word.len() - behind];
        let new = naming.class(&slashes(old))?;
        Some((if old.contains(&b'/') { new.to_vec() } else { dots(new) }, behind))
    })
}
