//! Keep rules for well-known libraries: which are taken for a program, and what is said of them.
//!
//! The rules themselves, and the packages by which a library is recognized, are files in `planish_keep::libraries`. They are added
//! behind the rules that a user gave and those that inputs bring along, as if they were among the latter: they do not
//! say where a program begins.

use std::collections::BTreeSet;
use std::fmt::Write;

use planish_base::{Diagnostics, SourceText};
use planish_classfile::jar::Role;
use planish_classfile::zip::Archive;
use planish_jvm_analysis::reach::cause::Root;
use planish_jvm_model::program::Class;
use planish_keep::Configuration;
use planish_keep::libraries::{LibraryRules, all, recognized};
use planish_keep::read::read;

/// Which rules are wanted.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub enum Wanted {
    /// Those for libraries that are recognized.
    #[default]
    Recognized,
    /// None.
    None,
    /// Those with these names.
    Named(Vec<String>),
}

/// The rules that were taken, each file with how many rules are in front of it and how many it has.
#[derive(Default)]
pub struct Taken(Vec<(LibraryRules, usize, usize)>);

/// Adds the rules that are wanted for a program of which these are the archives, libraries included. A library of which rules are
/// asked for by name and that is not there is a warning.
pub fn take<'a>(
    wanted: &Wanted,
    archives: impl Iterator<Item = &'a Archive>,
    (rules, warnings): (&mut Configuration, &mut Vec<String>),
) -> Taken {
    let class = |name: &'a [u8]| match Role::of(name) {
        Role::Class { name, .. } => Some(name),
        _ => None,
    };
    if *wanted == Wanted::None {
        return Taken::default();
    }
    let classes = archives.flat_map(|archive| &archive.entries).filter_map(|entry| class(&entry.name));
    let mut libraries = recognized(classes);
    if let Wanted::Named(names) = wanted {
        let is_there = |library: &LibraryRules| libraries.iter().any(|found| found.name == library.name);
        let is_named = |library: &LibraryRules| names.iter().any(|name| name == library.name);
        let named: Vec<LibraryRules> = all().into_iter().filter(is_named).collect();
        warnings.extend(named.iter().filter(|library| !is_there(library)).map(|library| {
            let (name, packages) = (library.name, library.packages.join(" or "));
            format!("--library-rules {name}: neither the program nor a --library has classes of {packages}")
        }));
        libraries = named;
    }
    let mut taken = Taken::default();
    for library in libraries {
        let before = rules.keep.len();
        // A test sees to it that there is nothing to say of them.
        read(&SourceText::new(library.file_name(), library.text), rules, &mut Diagnostics::new());
        taken.0.push((library, before, rules.keep.len() - before));
    }
    taken
}

impl Taken {
    /// A line for the summary; nothing if there are none.
    pub fn summary(&self) -> String {
        if self.0.is_empty() {
            return String::new();
        }
        let names: Vec<&str> = self.0.iter().map(|(library, ..)| library.name).collect();
        format!("rules for {}: --library-rules off leaves them out\n", names.join(", "))
    }

    /// How much each file keeps of what is there.
    pub fn details(&self, kept: &BTreeSet<(usize, Class, Option<Root>)>) -> String {
        let mut text = String::new();
        for (library, first, count) in &self.0 {
            let of_file = || kept.iter().filter(|(rule, ..)| (*first..first + count).contains(rule));
            let rules: BTreeSet<usize> = of_file().map(|(rule, ..)| *rule).collect();
            let classes: BTreeSet<Class> = of_file().map(|(_, class, _)| *class).collect();
            let members: BTreeSet<Root> = of_file().filter_map(|(.., member)| *member).collect();
            let _ = writeln!(
                text,
                "{} ({}, tried with {}): {} of {count} rules keep something: classes: {}, members: {}",
                library.file_name(),
                library.library,
                library.tried,
                rules.len(),
                classes.len(),
                members.len(),
            );
        }
        text
    }
}
