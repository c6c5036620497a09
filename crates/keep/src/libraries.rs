//! Keep rules for well-known libraries, which come along: what these look for by reflection in the programs that use them, and
//! in themselves.
//!
//! Each is a file in `rules/` beside `src/`, in ProGuard's language, so that a user can take it and change it. Its first lines say
//! of which library it is, by which packages that is recognized, with which versions the rules were tried, and what they
//! keep; everything else is read from there.

use hashbrown::HashSet;
use rustc_hash::FxBuildHasher;

/// The rules for one library.
#[derive(Clone, Debug)]
pub struct LibraryRules {
    /// What the command line calls them.
    pub name: &'static str,
    /// The library.
    pub library: &'static str,
    /// The packages by which it is recognized, as in `a.b`: it is there if a class is in one of them or below.
    pub packages: Vec<&'static str>,
    /// The versions that they were tried with.
    pub tried: &'static str,
    /// What they keep, in a sentence.
    pub keeps: &'static str,
    /// The file.
    pub text: &'static str,
}

macro_rules! files {
    ($($name:literal),* $(,)?) => {
        /// The files by name.
        const FILES: &[(&str, &str)] = &[$(($name, include_str!(concat!("../rules/", $name, ".pro")))),*];
    };
}

files!(
    "args4j",
    "bouncy-castle",
    "gson",
    "inject",
    "jackson",
    "jaxb",
    "jcommander",
    "jna",
    "junit4",
    "junit5",
    "log4j1",
    "log4j2",
    "logback",
    "looks",
    "lucene",
    "netty",
    "picocli",
    "protobuf",
    "quartz",
    "spring",
    "testng",
    "velocity",
    "xstream",
);

/// The names of all rules, in order.
pub fn names() -> impl Iterator<Item = &'static str> {
    FILES.iter().map(|(name, _)| *name)
}

/// All rules, in the order of their names.
pub fn all() -> Vec<LibraryRules> {
    FILES.iter().map(|&(name, text)| LibraryRules::of(name, text)).collect()
}

/// The rules of this name.
pub fn named(name: &str) -> Option<LibraryRules> {
    FILES.iter().find(|(known, _)| *known == name).map(|&(name, text)| LibraryRules::of(name, text))
}

/// The rules of the libraries that have classes among these, which are named as in `a/B`. O(length of all names).
pub fn recognized<'n>(classes: impl Iterator<Item = &'n [u8]>) -> Vec<LibraryRules> {
    let mut packages: HashSet<&[u8], FxBuildHasher> = HashSet::default();
    for class in classes {
        let mut package = class;
        while let Some(end) = package.iter().rposition(|byte| *byte == b'/') {
            package = &package[..end];
            // What is above one that is known is known.
            if !packages.insert(package) {
                break;
            }
        }
    }
    let is_there = |package: &&str| packages.contains(package.replace('.', "/").as_bytes());
    all().into_iter().filter(|rules| rules.packages.iter().any(&is_there)).collect()
}

impl LibraryRules {
    fn of(name: &'static str, text: &'static str) -> Self {
        let said = |key: &str| {
            let head = text.lines().map_while(|line| line.strip_prefix("# "));
            head.filter_map(|line| line.split_once(": "))
                .find(|(found, _)| *found == key)
                .map(|(_, said)| said)
        };
        let said = |key: &str| said(key).unwrap_or_default();
        LibraryRules {
            name,
            library: said("library"),
            packages: said("recognized by").split(", ").collect(),
            tried: said("tried with"),
            keeps: said("keeps"),
            text,
        }
    }

    /// What messages call the file.
    pub fn file_name(&self) -> String {
        format!("library-rules/{}.pro", self.name)
    }
}

/// The list of all rules for people.
pub fn list() -> String {
    let width = names().map(str::len).max().unwrap_or(0);
    let line = |rules: LibraryRules| {
        let (name, packages) = (rules.name, rules.packages.join(", "));
        format!("{name:width$}  {} ({packages}), tried with {}\n", rules.library, rules.tried)
    };
    all().into_iter().map(line).collect()
}

/// The table of all rules, as Markdown.
pub fn table() -> String {
    let mut text =
        String::from("| name | library | recognized by | tried with | keeps |\n|---|---|---|---|---|\n");
    for rules in all() {
        let packages: Vec<String> = rules.packages.iter().map(|package| format!("`{package}`")).collect();
        text += &format!(
            "| `{}` | {} | {} | {} | {} |\n",
            rules.name,
            rules.library,
            packages.join(", "),
            rules.tried,
            rules.keeps
        );
    }
    text
}

#[cfg(test)]
mod tests {
    use planish_base::{Diagnostics, SourceText};

    use super::*;
    use crate::Configuration;
    use crate::read::read;

    #[test]
    fn a_library_is_recognized_by_its_packages_and_by_nothing_else() {
        let found = |classes: &[&str]| -> Vec<&str> {
            recognized(classes.iter().map(|class| class.as_bytes())).iter().map(|rules| rules.name).collect()
        };
        assert_eq!(found(&["a/B", "com/google/gson/Gson", "com/google/gson/stream/X"]), ["gson"]);
        assert_eq!(found(&["com/google/gson/internal/bind/Only"]), ["gson"]);
        assert_eq!(
            found(&["com/google/gsonic/Gson", "com/google/Gson", "shaded/com/google/gson/Gson", "Gson"]),
            [""; 0]
        );
        assert_eq!(found(&[]), [""; 0]);
    }

    /// Every file says in its first lines what it is, is read without a word, and says nothing but what is kept, so it cannot
    /// change what else is done to a program.
    #[test]
    fn every_file_says_what_it_is_and_only_what_is_kept() {
        assert!(names().is_sorted(), "the list is in order");
        for rules in all() {
            let name = rules.file_name();
            let said = [rules.library, rules.tried, rules.keeps, rules.packages[0]];
            assert!(said.iter().all(|said| !said.is_empty()), "{name} says {said:?}");
            let (mut read_rules, mut diagnostics) = (Configuration::default(), Diagnostics::new());
            let source = SourceText::new(&name, rules.text);
            let includes = read(&source, &mut read_rules, &mut diagnostics);
            assert_eq!(diagnostics.render(&source), "");
            assert!(includes.is_empty() && !read_rules.keep.is_empty(), "{name}");
            let Configuration { flags, settings, jars, why, discard, assume, dont_warn, .. } = read_rules;
            assert!(flags.is_empty() && settings.is_empty() && jars.is_empty(), "{name}");
            assert!(
                why.is_empty() && discard.is_empty() && assume.is_empty() && dont_warn.is_empty(),
                "{name}"
            );
        }
    }
}
