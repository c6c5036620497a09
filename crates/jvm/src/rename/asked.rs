//! What is asked of new names.

use std::collections::BTreeSet;

use planish_classfile::ClassFile;
use planish_jvm_analysis::sought::Sought;
use planish_keep::pattern::NamePattern;
use planish_keep::{Configuration, first_match};

use crate::rename::old::OldNames;

/// Where packages go that get another name.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub enum Layout {
    /// Each stays below the one above it.
    #[default]
    Nested,
    /// All of them go below this one.
    Below(Box<[u8]>),
    /// Their classes all go to this one.
    Together(Box<[u8]>),
}

/// A list of names that an option gives: the first that matches decides.
#[derive(Clone, Default, Debug)]
pub struct NameFilter(Option<Vec<(bool, NamePattern)>>);

impl NameFilter {
    /// The filter of an option with a list of names; all of them if it is empty. Nothing matches if the option is not given.
    pub fn of(rules: &Configuration, option: &str, is_path: bool) -> Self {
        let given = rules.settings.iter().filter(|(name, _)| name == option);
        let mut patterns = Vec::new();
        let mut is_given = false;
        for (_, list) in given {
            is_given = true;
            let list = if list.is_empty() { "**" } else { list };
            for pattern in list.split(',').filter(|pattern| !pattern.is_empty()) {
                let (is_positive, text) = match pattern.strip_prefix('!') {
                    Some(text) => (false, text),
                    None => (true, pattern),
                };
                let parsed = if is_path { NamePattern::of_path(text) } else { NamePattern::parse(text) };
                patterns.extend(parsed.map(|pattern| (is_positive, pattern)));
            }
        }
        NameFilter(is_given.then_some(patterns))
    }

    /// Whether a name is meant.
    pub fn matches(&self, name: &[u8]) -> bool {
        self.0.as_ref().is_some_and(|patterns| first_match(patterns, name, &mut Vec::new()))
    }
}

/// What is asked of new names.
pub struct Asked<'r> {
    /// Keep rules.
    pub rules: &'r Configuration,
    /// Classes that something outside begins at, as in `a/B`.
    pub main: &'r BTreeSet<Vec<u8>>,
    /// Whether the public interface is used from outside.
    pub is_library: bool,
    /// Whether classes still say of which others they are members.
    pub has_inner_classes: bool,
    /// What the program looks for by names.
    pub sought: &'r Sought,
    /// Class files that stay as they are.
    pub outside: &'r [ClassFile<'r>],
    /// Classes that resources name which stay as they are.
    pub in_resources: &'r BTreeSet<Vec<u8>>,
    /// Packages in whose directories something lies that stays there.
    pub with_resources: &'r BTreeSet<Vec<u8>>,
    /// Whether all packages keep their names.
    pub keeps_packages: bool,
    /// Packages that do.
    pub package_names: &'r NameFilter,
    /// Classes in which strings that are names of classes change.
    pub adapted: &'r NameFilter,
    /// Where packages go.
    pub layout: &'r Layout,
    /// Whether names of classes may differ in nothing but capitals.
    pub has_mixed_case: bool,
    /// Whether members that are called alike get one name.
    pub has_unique_members: bool,
    /// Names for members, classes and packages, before all others.
    pub dictionaries: &'r [Vec<Box<[u8]>>; 3],
    /// Names that were given before.
    pub old: &'r OldNames,
}
