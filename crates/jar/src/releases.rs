//! Versions of classes for newer releases of Java (`META-INF/versions`, JEP 238).
//!
//! A JVM looks there only where the manifest says `Multi-Release: true`; else what is there are files that nothing loads, and
//! they go. Of a jar that says it, each release has a view of its own; the view of one release is an ordinary program.

use std::collections::BTreeMap;

use planish_base::Budget;
use planish_classfile::jar::Role;
use planish_classfile::zip::{Archive, Entry, INFLATED_LIMIT};

use crate::entry::LEVEL;

/// Removes the versions of classes that no JVM takes, of an input. Gives their number.
pub fn without_unseen_versions(archive: &mut Archive) -> Result<usize, String> {
    let mut budget = Budget::new("inflated bytes", INFLATED_LIMIT);
    if archive.is_multi_release(&mut budget).map_err(|error| error.to_string())? {
        return Ok(0);
    }
    let before = archive.entries.len();
    let is_version = |entry: &Entry| {
        matches!(Role::of(&entry.name), Role::Class { release: Some(_), .. } | Role::ModuleInfo(Some(_)))
    };
    archive.entries.retain(|entry| !is_version(entry));
    let count = before - archive.entries.len();
    if count > 0 {
        remove_empty_versions(archive);
    }
    Ok(count)
}

/// Leaves of an input what a JVM of one release sees. Gives how many entries went or took the place of others.
pub fn only_release(archive: &mut Archive, release: u16) -> Result<usize, String> {
    let mut budget = Budget::new("inflated bytes", INFLATED_LIMIT);
    if !archive.is_multi_release(&mut budget).map_err(|error| error.to_string())? {
        return without_unseen_versions(archive);
    }
    // By name the entry of the newest release that is not too new.
    let mut newest: BTreeMap<Vec<u8>, (u16, Entry)> = BTreeMap::new();
    let mut changed = 0;
    archive.entries.retain(|entry| {
        let Some((of, name)) = version(&entry.name) else { return true };
        if name.is_empty() || name.ends_with(b"/") {
            return false;
        }
        changed += 1;
        let is_newer = newest.get(name).is_none_or(|(known, _)| *known <= of);
        if of <= release && is_newer {
            newest.insert(name.to_vec(), (of, entry.clone()));
        }
        false
    });
    for entry in &mut archive.entries {
        if let Some((_, version)) = newest.remove(&entry.name) {
            *entry = named(version, std::mem::take(&mut entry.name));
        }
    }
    archive.entries.extend(newest.into_iter().map(|(name, (_, version))| named(version, name)));
    remove_empty_versions(archive);
    if let Some(mut manifest) = archive.manifest(&mut budget).map_err(|error| error.to_string())? {
        manifest.main.remove(|name| name.eq_ignore_ascii_case(b"Multi-Release"));
        archive.set_manifest(&manifest, LEVEL);
    }
    Ok(changed)
}

fn named(mut entry: Entry, name: Vec<u8>) -> Entry {
    entry.name = name;
    entry
}

/// The release of a versioned entry, and what it is a version of.
fn version(name: &[u8]) -> Option<(u16, &[u8])> {
    let rest = name.strip_prefix(b"META-INF/versions/")?;
    let end = rest.iter().position(|byte| *byte == b'/')?;
    let release = std::str::from_utf8(&rest[..end]).ok()?.parse().ok()?;
    Some((release, &rest[end + 1..]))
}

/// Removes the directories of versions in which nothing is left.
fn remove_empty_versions(archive: &mut Archive) {
    let has = crate::directories::with_content(archive);
    archive.entries.retain(|entry| {
        !entry.name.starts_with(b"META-INF/versions/")
            || !entry.name.ends_with(b"/")
            || has.contains(&entry.name)
    });
}

#[cfg(test)]
mod tests {
    use planish_classfile::zip::DosTime;

    use super::*;
    use planish_classfile::zip::Method;

    fn archive(manifest: &str) -> Archive {
        let entry = |(name, content): (&str, &str)| {
            Entry::new(name.as_bytes(), DosTime::EPOCH, content.as_bytes(), Method::Stored)
        };
        let entries = [
            ("META-INF/MANIFEST.MF", manifest),
            ("a/B.class", "8"),
            ("META-INF/versions/", ""),
            ("META-INF/versions/9/a/B.class", "9"),
            ("META-INF/versions/11/a/B.class", "11"),
            ("META-INF/versions/11/a/C.class", "11"),
            ("META-INF/versions/9/text", "9"),
        ];
        Archive { entries: entries.map(entry).into(), ..Archive::default() }
    }

    fn shown(archive: &Archive) -> String {
        let content = |entry: &Entry| {
            let content = entry.content(&mut Budget::new("bytes", 1 << 20)).unwrap();
            format!("{} {}\n", String::from_utf8_lossy(&entry.name), String::from_utf8_lossy(&content).trim())
        };
        archive.entries.iter().skip(1).map(content).collect()
    }

    #[test]
    fn versions_that_no_jvm_takes_go() {
        let mut unseen = archive("Manifest-Version: 1.0\r\n");
        assert_eq!(without_unseen_versions(&mut unseen), Ok(3));
        assert_eq!(shown(&unseen), "a/B.class 8\nMETA-INF/versions/ \nMETA-INF/versions/9/text 9\n");
        let mut seen = archive("Manifest-Version: 1.0\r\nMulti-Release: true\r\n");
        assert_eq!(without_unseen_versions(&mut seen), Ok(0));
    }

    #[test]
    fn one_release_sees_the_newest_version_that_is_not_too_new() {
        for (release, left) in [
            (8, "a/B.class 8\n"),
            (10, "a/B.class 9\ntext 9\n"),
            (17, "a/B.class 11\na/C.class 11\ntext 9\n"),
        ] {
            let mut seen = archive("Manifest-Version: 1.0\r\nMulti-Release: true\r\n");
            assert_eq!(only_release(&mut seen, release), Ok(4));
            assert_eq!(shown(&seen), left, "{release}");
            assert_eq!(seen.is_multi_release(&mut Budget::new("bytes", 1 << 20)), Ok(false));
        }
    }
}
