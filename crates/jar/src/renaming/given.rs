//! What is said of new names: options of configurations, and the files that they name.

use planish_jvm::rename::asked::{Layout, NameFilter};
use planish_jvm::rename::old::OldNames;
use planish_keep::Configuration;

/// The options that name files to read: lists of names, and names that an earlier run gave.
pub const FILES: [&str; 4] =
    ["obfuscationdictionary", "classobfuscationdictionary", "packageobfuscationdictionary", "applymapping"];

/// The options that mean nothing where names stay.
pub const NAMING: [&str; 11] = [
    "obfuscationdictionary",
    "classobfuscationdictionary",
    "packageobfuscationdictionary",
    "applymapping",
    "repackageclasses",
    "flattenpackagehierarchy",
    "defaultpackage",
    "useuniqueclassmembernames",
    "adaptclassstrings",
    "adaptresourcefilenames",
    "adaptresourcefilecontents",
];

/// What files say of new names.
#[derive(Clone, Default, Debug)]
pub struct NameFiles {
    /// Names for members, classes and packages.
    pub dictionaries: [Vec<Box<[u8]>>; 3],
    /// Names that an earlier run gave.
    pub old: OldNames,
}

impl NameFiles {
    /// Takes what the file of an option says. The error says what is wrong with it.
    pub fn read(&mut self, option: &str, text: &str) -> Result<(), String> {
        match FILES.iter().position(|name| *name == option) {
            Some(3) => self.old = OldNames::parse(text)?,
            Some(place) => {
                self.dictionaries[place] = dictionary(text);
                if self.dictionaries[place].is_empty() {
                    return Err("there is no name in this dictionary".to_owned());
                }
            }
            None => {}
        }
        Ok(())
    }
}

/// The names in a dictionary, each once: words of letters and digits; `#` begins a comment.
fn dictionary(text: &str) -> Vec<Box<[u8]>> {
    let mut names: Vec<Box<[u8]>> = Vec::new();
    let mut known = std::collections::BTreeSet::new();
    for line in text.lines() {
        let line = line.split('#').next().unwrap_or_default();
        for word in line.split(|c: char| !(c.is_alphanumeric() || c == '_' || c == '$')) {
            let is_name = word.chars().next().is_some_and(|first| !first.is_numeric());
            // Beyond the basic plane texts of class files are written in another way.
            if is_name && word.chars().all(|c| u32::from(c) < 0x10000) && known.insert(word) {
                names.push(word.as_bytes().into());
            }
        }
    }
    names
}

/// What options say of new names.
pub struct Options {
    /// Where packages go.
    pub layout: Layout,
    /// Packages that keep their names.
    pub package_names: NameFilter,
    /// Classes in which strings that are names of classes change.
    pub adapted: NameFilter,
    /// Resources that are called after classes.
    pub file_names: NameFilter,
    /// Resources that speak of classes.
    pub file_contents: NameFilter,
    /// Whether names of classes may differ in nothing but capitals.
    pub has_mixed_case: bool,
    /// Whether members that are called alike get one name.
    pub has_unique_members: bool,
}

impl Options {
    /// What a configuration says.
    pub fn of(rules: &Configuration) -> Options {
        let setting = |option: &str| {
            let mut given = rules.settings.iter().rev();
            given.find(|(name, _)| name == option).map(|(_, package)| package.replace('.', "/").into_bytes())
        };
        let together = setting("repackageclasses").or_else(|| setting("defaultpackage"));
        let layout = match (together, setting("flattenpackagehierarchy")) {
            (Some(package), _) => Layout::Together(package.into()),
            (None, Some(package)) => Layout::Below(package.into()),
            (None, None) => Layout::Nested,
        };
        Options {
            layout,
            package_names: NameFilter::of(rules, "keeppackagenames", false),
            adapted: NameFilter::of(rules, "adaptclassstrings", false),
            file_names: NameFilter::of(rules, "adaptresourcefilenames", true),
            file_contents: NameFilter::of(rules, "adaptresourcefilecontents", true),
            has_mixed_case: !rules.has("dontusemixedcaseclassnames"),
            has_unique_members: rules.has("useuniqueclassmembernames"),
        }
    }
}

/// The options of a configuration that ask for new names, as they are written.
pub fn asks(rules: &Configuration) -> Vec<String> {
    let is_given =
        |name: &&&str| rules.has(name) || rules.settings.iter().any(|(option, _)| option == **name);
    NAMING.iter().filter(is_given).map(|name| format!("-{name}")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_dictionary_has_each_name_once() {
        let names = dictionary("# words\nif, do if\n9x x9 \u{e4} # last\n");
        let names: Vec<String> = names.iter().map(|name| String::from_utf8(name.to_vec()).unwrap()).collect();
        assert_eq!(names, ["if", "do", "x9", "\u{e4}"]);
        assert!(NameFiles::default().read("obfuscationdictionary", "# nothing").is_err());
    }
}
