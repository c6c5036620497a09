//! Resources with names of classes in them: properties, XML, JSON, lists. A program that reads one by a constant name may
//! load what it names.

use std::collections::BTreeSet;

use planish_base::Budget;
use planish_classfile::jar::Role;
use planish_classfile::zip::{Archive, Entry, INFLATED_LIMIT};
use planish_jvm_analysis::reach::places::Listing;

/// A text of more bytes is no list that somebody wrote.
const LARGEST: u64 = 4 << 20;

/// How much of a resource says whether it is a text.
const BEGINNING: usize = 1_024;

/// The resources of an archive that have names of its classes in them, each name once, in the order of the entries.
/// O(bytes of texts).
pub fn listings(archive: &Archive) -> Vec<Listing> {
    let class = |entry: &Entry| match Role::of(&entry.name) {
        Role::Class { name, .. } => Some(name.to_vec()),
        _ => None,
    };
    let classes: BTreeSet<Vec<u8>> = archive.entries.iter().filter_map(class).collect();
    let mut budget = Budget::new("inflated bytes", INFLATED_LIMIT);
    let mut listings = Vec::new();
    for entry in &archive.entries {
        let is_text = matches!(Role::of(&entry.name), Role::Resource | Role::Lines | Role::Service(_));
        if !is_text || entry.size() > LARGEST {
            continue;
        }
        // What cannot be read is copied.
        let Ok(content) = entry.content(&mut budget) else { continue };
        if content[..BEGINNING.min(content.len())].contains(&0) {
            continue;
        }
        let mut named = BTreeSet::<Vec<u8>>::new();
        let mut names = Vec::new();
        for name in words(&content) {
            if classes.contains(&name) && named.insert(name.clone()) {
                names.push(name.into_boxed_slice());
            }
        }
        if !names.is_empty() {
            listings.push((entry.name.clone().into_boxed_slice(), names));
        }
    }
    listings
}

/// The words of a text that may be names of classes, with slashes between packages.
pub(crate) fn words(text: &[u8]) -> impl Iterator<Item = Vec<u8>> {
    let is_name = |byte: &u8| byte.is_ascii_alphanumeric() || b"_$./".contains(byte) || *byte >= 0x80;
    let words = text.split(move |byte| !is_name(byte)).filter(|word| !word.is_empty());
    words.map(|word| {
        let end = word.strip_suffix(b".").unwrap_or(word);
        let name = end.strip_suffix(b".class").unwrap_or(end);
        name.iter().map(|&byte| if byte == b'.' { b'/' } else { byte }).collect()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_names_however_they_are_written() {
        let found = |text: &str| words(text.as_bytes()).collect::<Vec<_>>();
        assert_eq!(found("red=app.Red$In,app/Blue"), [&b"red"[..], b"app/Red$In", b"app/Blue"]);
        assert_eq!(
            found("<bean class=\"a.B\"/> See a.C."),
            [&b"bean"[..], b"class", b"a/B", b"/", b"See", b"a/C"]
        );
        assert_eq!(found("[\"a/D.class\"]"), [&b"a/D"[..]]);
        assert_eq!(found(""), Vec::<Vec<u8>>::new());
    }
}
