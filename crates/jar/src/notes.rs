//! Notes: places of the program that look for something which is not there any more, for all that is known.
//!
//! Rules say what reflection finds, and one may be missing. What the analysis knows of each such place is in
//! [`planish_jvm_analysis::lookups`]; here it is held against what went, so a place that can mean nothing of it is not
//! spoken of, and a rule that keeps what is meant makes the note go. As in ProGuard, `-dontnote` names classes about
//! which there are none.
//!
//! The list is a configuration file: what is noted is a comment, and behind it are the rules that would help.

use std::collections::BTreeMap;
use std::fmt;

use planish_classfile::mutf8::Shown;
use planish_jvm_analysis::lookups::Lookup;
use planish_jvm_analysis::lookups::gone::{Gone, Lost, attribute_rule, rules};
use planish_jvm_analysis::lookups::scope::Asks;
use planish_jvm_model::program::Program;
use planish_keep::show::java_method;
use planish_keep::{Configuration, first_match};

use crate::attributes::GoneAttributes;

/// How many lines there are at most where people read them.
const LINES: usize = 10;

/// How many parts of a package name a library.
const LIBRARY: usize = 3;

/// A place that may miss something.
#[derive(Clone, Debug)]
struct Note {
    lookup: Lookup,
    lost: Lost,
    /// Whether what it may mean is there, only because of it.
    is_held: bool,
    rules: Vec<String>,
}

/// The places of one library that do the same, those that may miss most first.
struct Group<'n> {
    library: String,
    asks: Asks,
    notes: Vec<&'n Note>,
}

/// All notes.
#[derive(Clone, Default, Debug)]
pub struct Notes(Vec<Note>);

impl Notes {
    /// What of these places should be known, where some attributes of classes that are there are gone.
    pub(crate) fn of(
        (before, after): (&Program<'_>, &Program<'_>),
        attributes: &GoneAttributes,
        lookups: &[Lookup],
        rules_given: &Configuration,
    ) -> Self {
        let gone = Gone::of(before, after);
        let is_silent =
            |lookup: &&Lookup| !first_match(&rules_given.dont_note, &lookup.class, &mut Vec::new());
        let note = |lookup: &Lookup| match lookup.asks {
            Asks::Attributes => reads_what_went(lookup, attributes),
            _ => {
                let lost = gone.meant_by(lookup)?;
                Some(Note { lookup: lookup.clone(), lost, is_held: false, rules: rules(lookup, before) })
            }
        };
        Notes(lookups.iter().filter(is_silent).filter_map(note).collect())
    }

    /// What these places may mean of what is not needed.
    pub(crate) fn about(gone: &Gone<'_, '_>, program: &Program<'_>, lookups: &[Lookup]) -> Self {
        let note = |lookup: &Lookup| {
            let lost = gone.meant_by(lookup)?;
            Some(Note { lookup: lookup.clone(), lost, is_held: true, rules: rules(lookup, program) })
        };
        Notes(lookups.iter().filter_map(note).collect())
    }

    /// So many lines at most, with what is not shown in the last one.
    pub(crate) fn lines(&self, most: usize) -> Vec<String> {
        let groups = self.groups();
        let shown = if groups.len() > most { most - 1 } else { groups.len() };
        let mut lines: Vec<String> = groups[..shown].iter().map(ToString::to_string).collect();
        let rest: usize = groups[shown..].iter().map(|group| group.notes.len()).sum();
        lines.extend((rest > 0).then(|| format!("{rest} more places")));
        lines
    }

    /// How many places there are.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether there is nothing to say.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The most important, at most ten lines. `file` is where all of them are written, if anywhere.
    pub fn brief(&self, file: Option<&str>) -> String {
        let mut lines = self.lines(LINES);
        if self.groups().len() > LINES
            && let Some(last) = lines.last_mut()
        {
            *last += &match file {
                Some(file) => format!("; {file} has all {}", self.0.len()),
                None => format!("; --notes FILE writes all {}", self.0.len()),
            };
        }
        lines.iter().map(|line| format!("note: {line}\n")).collect()
    }

    fn groups(&self) -> Vec<Group<'_>> {
        let mut groups: BTreeMap<(Asks, Vec<String>, String), Vec<&Note>> = BTreeMap::new();
        for note in &self.0 {
            let asks = note.lookup.asks;
            let attributes = if asks == Asks::Attributes { note.lookup.names.clone() } else { Vec::new() };
            groups.entry((asks, attributes, library(&note.lookup.class))).or_default().push(note);
        }
        let group = |((asks, _, library), notes)| Group { library, asks, notes };
        let mut groups: Vec<Group<'_>> = groups.into_iter().map(group).collect();
        for group in &mut groups {
            group.notes.sort_by_cached_key(|note| {
                (std::cmp::Reverse(note.lost.count), note.place(), note.lookup.at)
            });
        }
        groups.sort_by_key(|group| (group.asks, std::cmp::Reverse(group.notes[0].lost.count)));
        groups
    }
}

/// The note about a place that reads attributes, if some of those went.
fn reads_what_went(lookup: &Lookup, gone: &GoneAttributes) -> Option<Note> {
    let names: Vec<String> = lookup.names.iter().filter(|name| gone.contains_key(*name)).cloned().collect();
    let lost = names.iter().filter_map(|name| gone.get(name));
    let count = lost.clone().map(|(count, _)| count).sum();
    let (_, class) = lost.clone().next()?;
    let lost = Lost { count, first: format!("{} of {class}", names[0]) };
    let rules = vec![attribute_rule(&names)];
    Some(Note { lookup: Lookup { names, ..lookup.clone() }, lost, is_held: false, rules })
}

/// The name of a class as in Java.
fn dotted(class: &[u8]) -> String {
    Shown(class).to_string().replace('/', ".")
}

/// The first parts of the package of a class.
fn library(class: &[u8]) -> String {
    let name = Shown(class).to_string();
    let parts: Vec<&str> = name.split('/').collect();
    match parts.len() {
        1 => "the unnamed package".to_owned(),
        count => parts[..LIBRARY.min(count - 1)].join("."),
    }
}

impl Note {
    /// The method, with the line in its source.
    fn place(&self) -> String {
        let Lookup { class, method, .. } = &self.lookup;
        let end = method.iter().position(|byte| *byte == b'(').unwrap_or(method.len());
        let shown = java_method(class, &method[..end], &method[end..]);
        // Without what it gives.
        let shown = shown.split_once(' ').map_or(&shown[..], |(_, shown)| shown);
        format!("{}.{shown}{}", dotted(class), self.line())
    }

    /// The same without its parameters.
    fn short_place(&self) -> String {
        let Lookup { class, method, .. } = &self.lookup;
        let end = method.iter().position(|byte| *byte == b'(').unwrap_or(method.len());
        format!("{}.{}{}", dotted(class), Shown(&method[..end]), self.line())
    }

    fn line(&self) -> String {
        match &self.lookup.source {
            (Some(file), Some(line)) => format!(" ({file}:{line})"),
            (None, Some(line)) => format!(" (line {line})"),
            _ => String::new(),
        }
    }

    /// What is known of what it looks for.
    fn wants(&self) -> String {
        let Lookup { asks, of, names, call, .. } = &self.lookup;
        let below = of.below.as_ref().map(|class| dotted(class));
        let classes = match (below, of.is_any()) {
            (Some(below), _) if of.names.iter().any(|name| name == "**") => format!("what is a {below}"),
            (Some(below), _) => format!("{}, which is a {below}", of.names.join(" or ")),
            (None, true) => "any class".to_owned(),
            (None, false) => of.names.join(" or "),
        };
        match asks {
            Asks::Names => format!("{call} for {} of {classes}", names.join(" or ")),
            Asks::Attributes => format!("{call} reads {}", names.join(" and ")),
            Asks::Native => format!("{call}, and may use {classes}"),
            _ => format!("{call} for {classes}"),
        }
    }

    fn meant(&self) -> String {
        match (self.lost.count, self.is_held) {
            (1, false) => format!("{} went", self.lost.first),
            (1, true) => format!("{} stays", self.lost.first),
            (count, false) => format!("{count} that it may mean went, such as {}", self.lost.first),
            (count, true) => format!("{count} that it may mean stay, such as {}", self.lost.first),
        }
    }
}

impl fmt::Display for Group<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let first = self.notes[0];
        let places = match self.notes.len() {
            1 => String::new(),
            count => format!(" at {count} places"),
        };
        write!(
            f,
            "{} {}{places}: {}; {}; {}",
            self.library,
            self.asks.describe(),
            first.short_place(),
            first.meant(),
            first.rules.join(" ")
        )
    }
}

impl fmt::Display for Notes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for group in self.groups() {
            writeln!(f, "# {} {}", group.library, group.asks.describe())?;
            for note in group.notes {
                writeln!(f, "#   {}: {}; {}", note.place(), note.wants(), note.meant())?;
                note.rules.iter().try_for_each(|rule| writeln!(f, "{rule}"))?;
            }
            writeln!(f)?;
        }
        Ok(())
    }
}
