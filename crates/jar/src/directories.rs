//! The directories of a jar: entries without content, which class loaders find by name.
//!
//! Those that became empty go. Of the others a program may ask for the place, and then look at what is there.
//! Where keep rules are given, they go as they do in ProGuard, unless `-keepdirectories` names them or code that runs may
//! ask for their places, which can be seen: by a name that is theirs, or one that is computed.

use std::collections::BTreeSet;

use planish_classfile::jar::Role;
use planish_classfile::zip::Archive;
use planish_jvm_analysis::reach::places::Places;
use planish_keep::Configuration;
use planish_keep::pattern::NamePattern;

/// The names of the directories in which something is that is no directory, as entries have them: with the slash.
pub fn with_content(archive: &Archive) -> BTreeSet<Vec<u8>> {
    let is_content = |name: &&[u8]| Role::of(name) != Role::Directory;
    let names = archive.entries.iter().map(|entry| &entry.name[..]).filter(is_content);
    let mut directories = BTreeSet::new();
    for name in names {
        let mut end = name.len();
        while let Some(slash) = name[..end].iter().rposition(|byte| *byte == b'/') {
            if !directories.insert(name[..=slash].to_vec()) {
                break;
            }
            end = slash;
        }
    }
    directories
}

/// Removes the directories that rules do not keep and for which nobody asks.
pub fn remove_unnamed(archive: &mut Archive, rules: &Configuration, places: &Places) {
    let stays =
        |name: &[u8]| Role::of(name) != Role::Directory || places.may_be(name) || is_named(rules, name);
    archive.entries.retain(|entry| stays(&entry.name));
}

/// Whether `-keepdirectories` names a directory: without a filter it names all; of a filter's patterns the first that
/// matches decides.
fn is_named(rules: &Configuration, name: &[u8]) -> bool {
    let name = name.strip_suffix(b"/").unwrap_or(name);
    let names = |filter: &str| {
        let mut patterns = filter.split(',').map(|pattern| match pattern.strip_prefix('!') {
            Some(not) => (false, not),
            None => (true, pattern),
        });
        let matches = |text: &str| {
            NamePattern::parse(text).is_some_and(|pattern| pattern.matches(name, &mut Vec::new()))
        };
        patterns.find(|(_, text)| matches(text)).is_some_and(|(keeps, _)| keeps)
    };
    let mut filters = rules.settings.iter().filter(|(option, _)| option == "keepdirectories");
    filters.any(|(_, filter)| filter.is_empty() || names(filter))
}

#[cfg(test)]
mod tests {
    use super::*;
    use planish_classfile::zip::Method;
    use planish_classfile::zip::{DosTime, Entry};

    fn left(filter: Option<&str>) -> Vec<String> {
        let names = [&b"a/"[..], b"a/b/", b"c/", b"a/b/text"];
        let entries = names.map(|name| Entry::new(name, DosTime::EPOCH, b"", Method::Stored));
        let mut archive = Archive { entries: entries.into(), ..Archive::default() };
        let settings =
            filter.map(|filter| ("keepdirectories".to_owned(), filter.to_owned())).into_iter().collect();
        let rules = Configuration { settings, ..Configuration::default() };
        remove_unnamed(&mut archive, &rules, &Places::default());
        archive.entries.iter().map(|entry| String::from_utf8_lossy(&entry.name).into_owned()).collect()
    }

    #[test]
    fn rules_say_which_directories_stay() {
        assert_eq!(left(None), ["a/b/text"]);
        assert_eq!(left(Some("")), ["a/", "a/b/", "c/", "a/b/text"]);
        assert_eq!(left(Some("a/*")), ["a/b/", "a/b/text"]);
        assert_eq!(left(Some("!c,*")), ["a/", "a/b/text"]);
        assert_eq!(left(Some("a/**,c")), ["a/b/", "c/", "a/b/text"]);
    }
}
