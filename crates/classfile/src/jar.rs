//! Jars: what the entries of an archive mean to a JVM.
//!
//! Names decide. A class is `a/B.class`, or `META-INF/versions/N/a/B.class` for Java N and newer where
//! the manifest says `Multi-Release: true`. Of entries with the same name a JVM finds the last one. A
//! signature covers bytes, so it is void as soon as one class changes: [`Archive::remove_signatures`]
//! takes everything away that belongs to it, since a jar with a wrong signature does not load at all.

use hashbrown::HashMap;
use planish_base::Budget;
use rustc_hash::FxBuildHasher;

use crate::error::Result;
use crate::manifest::Manifest;
use crate::zip::{Archive, DosTime, Entry, Method};

/// The name of the manifest.
pub const MANIFEST: &[u8] = b"META-INF/MANIFEST.MF";

/// What an entry is, by its name.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Role<'n> {
    /// A class, by its name as in `a/B`; `release` is the oldest Java release that it is for, if it
    /// is for some only.
    Class {
        /// The name of the class.
        name: &'n [u8],
        /// The oldest release.
        release: Option<u16>,
    },
    /// A module descriptor, for some releases only or for all.
    ModuleInfo(Option<u16>),
    /// The manifest.
    Manifest,
    /// A part of a signature.
    Signature,
    /// The classes that implement a service, by its name as in `a.B`.
    Service(&'n [u8]),
    /// A list of one item a line, of which a program reads every one that its class path has: the index of named classes of
    /// Eclipse Sisu, and of Spring what configures itself and what reads its XML.
    Lines,
    /// `META-INF/INDEX.LIST`, which names the packages of several jars.
    Index,
    /// Keep rules for shrinkers that the jar brings along.
    KeepRules,
    /// A directory.
    Directory,
    /// Anything else.
    Resource,
}

impl<'n> Role<'n> {
    /// The role of the entry of this name.
    pub fn of(name: &'n [u8]) -> Self {
        if name.ends_with(b"/") {
            return Role::Directory;
        }
        let Some(meta) = strip_prefix_ignoring_case(name, b"META-INF/") else {
            return match name.strip_suffix(b".class") {
                Some(class) => Self::class(class, None),
                None => Role::Resource,
            };
        };
        if meta.eq_ignore_ascii_case(b"MANIFEST.MF") {
            return Role::Manifest;
        }
        if meta.eq_ignore_ascii_case(b"INDEX.LIST") {
            return Role::Index;
        }
        if let Some(service) = meta.strip_prefix(b"services/")
            && !service.contains(&b'/')
        {
            return Role::Service(service);
        }
        if is_list(meta) {
            return Role::Lines;
        }
        if meta.starts_with(b"proguard/") || meta.starts_with(b"com.android.tools/") {
            return Role::KeepRules;
        }
        if !meta.contains(&b'/') && is_signature(meta) {
            return Role::Signature;
        }
        if let Some(versioned) = meta.strip_prefix(b"versions/")
            && let Some(slash) = versioned.iter().position(|byte| *byte == b'/')
            && let Some(release) = number(&versioned[..slash])
            && let Some(class) = versioned[slash + 1..].strip_suffix(b".class")
            && release >= 9
        {
            return Self::class(class, Some(release));
        }
        Role::Resource
    }

    fn class(name: &'n [u8], release: Option<u16>) -> Self {
        if name == b"module-info" { Role::ModuleInfo(release) } else { Role::Class { name, release } }
    }
}

/// Whether a file of `META-INF` is a list, of those that frameworks look for in every jar.
fn is_list(name: &[u8]) -> bool {
    let in_spring = name.strip_prefix(b"spring/").is_some_and(|name| name.ends_with(b".imports"));
    in_spring
        || matches!(name, b"sisu/javax.inject.Named" | b"sisu/jakarta.inject.Named")
        || matches!(name, b"spring.handlers" | b"spring.schemas" | b"spring.tooling")
}

fn strip_prefix_ignoring_case<'n>(name: &'n [u8], prefix: &[u8]) -> Option<&'n [u8]> {
    let (start, rest) = name.split_at_checked(prefix.len())?;
    start.eq_ignore_ascii_case(prefix).then_some(rest)
}

/// Whether a file in `META-INF` is a signature: `X.SF`, `X.RSA`, `X.DSA`, `X.EC`, `SIG-X`.
fn is_signature(name: &[u8]) -> bool {
    let upper = name.to_ascii_uppercase();
    upper.starts_with(b"SIG-")
        || [&b".SF"[..], b".RSA", b".DSA", b".EC"].iter().any(|end| upper.ends_with(end))
}

fn number(digits: &[u8]) -> Option<u16> {
    if digits.first() == Some(&b'0') || digits.first() == Some(&b'+') {
        return None;
    }
    std::str::from_utf8(digits).ok()?.parse().ok()
}

impl Archive {
    /// The entry that a JVM finds under a name: the last one.
    pub fn find(&self, name: &[u8]) -> Option<&Entry> {
        self.entries.iter().rev().find(|entry| entry.name == name)
    }

    /// The manifest, if there is one.
    pub fn manifest(&self, budget: &mut Budget) -> Result<Option<Manifest>> {
        match self.find(MANIFEST) {
            Some(entry) => Ok(Some(Manifest::read(&entry.content(budget)?))),
            None => Ok(None),
        }
    }

    /// Replaces the manifest, or puts one first.
    pub fn set_manifest(&mut self, manifest: &Manifest, level: u32) {
        let content = manifest.to_bytes();
        match self.entries.iter_mut().rev().find(|entry| entry.name == MANIFEST) {
            Some(entry) => {
                let method = entry.method().unwrap_or(Method::Deflated);
                entry.set_content(&content, method, level);
            }
            None => {
                let modified = self.entries.first().map_or(DosTime::EPOCH, |entry| entry.modified);
                self.entries.insert(0, Entry::new(MANIFEST, modified, &content, Method::Deflated));
            }
        }
    }

    /// Whether classes under `META-INF/versions` count.
    pub fn is_multi_release(&self, budget: &mut Budget) -> Result<bool> {
        let manifest = self.manifest(budget)?;
        let value = manifest.as_ref().and_then(|manifest| manifest.main.get("Multi-Release"));
        Ok(value.is_some_and(|value| value.trim_ascii().eq_ignore_ascii_case(b"true")))
    }

    /// Whether there is a signature.
    pub fn is_signed(&self) -> bool {
        self.entries.iter().any(|entry| Role::of(&entry.name) == Role::Signature)
    }

    /// Removes signatures, and the digests of entries from the manifest. Returns the names of the
    /// signature files that were removed.
    pub fn remove_signatures(&mut self, budget: &mut Budget, level: u32) -> Result<Vec<Vec<u8>>> {
        let mut removed = Vec::new();
        if !self.is_signed() {
            return Ok(removed);
        }
        self.entries.retain(|entry| {
            let is_signature = Role::of(&entry.name) == Role::Signature;
            if is_signature {
                removed.push(entry.name.clone());
            }
            !is_signature
        });
        if let Some(mut manifest) = self.manifest(budget)?
            && manifest.remove_digests() > 0
        {
            self.set_manifest(&manifest, level);
        }
        Ok(removed)
    }

    /// Names that more than one file has, in order of their first appearance. O(entries).
    pub fn duplicates(&self) -> Vec<&[u8]> {
        let mut seen: HashMap<&[u8], u32, FxBuildHasher> = HashMap::default();
        let mut twice = Vec::new();
        for entry in self.entries.iter().filter(|entry| !entry.is_directory()) {
            let count = seen.entry(&entry.name).or_insert(0);
            *count += 1;
            if *count == 2 {
                twice.push(entry.name.as_slice());
            }
        }
        twice
    }
}

/// The class names in a service file, as in `a.B`: one a line, comments after `#`.
pub fn service_classes(content: &[u8]) -> impl Iterator<Item = &[u8]> {
    let lines = content.split(|byte| matches!(byte, b'\n' | b'\r'));
    let text = lines.map(|line| line.split(|byte| *byte == b'#').next().unwrap_or(line).trim_ascii());
    text.filter(|name| !name.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_say_what_entries_are() {
        let class = |name: &'static [u8], release| Role::Class { name, release };
        for (name, role) in [
            ("a/B.class", class(b"a/B", None)),
            ("META-INF/versions/11/a/B.class", class(b"a/B", Some(11))),
            ("META-INF/versions/8/a/B.class", Role::Resource),
            ("META-INF/versions/011/a/B.class", Role::Resource),
            ("META-INF/versions/9/module-info.class", Role::ModuleInfo(Some(9))),
            ("module-info.class", Role::ModuleInfo(None)),
            ("META-INF/MANIFEST.MF", Role::Manifest),
            ("meta-inf/manifest.mf", Role::Manifest),
            ("META-INF/X.SF", Role::Signature),
            ("META-INF/x.rsa", Role::Signature),
            ("META-INF/sub/X.SF", Role::Resource),
            ("META-INF/services/a.B", Role::Service(b"a.B")),
            ("META-INF/sisu/javax.inject.Named", Role::Lines),
            ("META-INF/spring/a.b.AutoConfiguration.imports", Role::Lines),
            ("META-INF/spring.schemas", Role::Lines),
            ("META-INF/spring.factories", Role::Resource),
            ("META-INF/proguard/x.pro", Role::KeepRules),
            ("META-INF/INDEX.LIST", Role::Index),
            ("META-INF/x/Y.class", Role::Resource),
            ("a/", Role::Directory),
            ("a/b.txt", Role::Resource),
        ] {
            assert_eq!(Role::of(name.as_bytes()), role, "{name}");
        }
    }

    #[test]
    fn a_service_file_is_read_without_its_comments() {
        let text = b"# about\n a.B # the first\r\n\r\nc.D\n";
        assert_eq!(service_classes(text).collect::<Vec<_>>(), [&b"a.B"[..], b"c.D"]);
    }
}
