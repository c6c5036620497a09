//! Mapping files: what classes and methods of a result were called, and which frames lines of theirs stand for.
//!
//! The form is ProGuard's, with the comments in JSON of R8's version 2: names of source files, frames that tools made, frames
//! that an exception has too many, and outlines, whose line is told by the frame that called them.

use std::collections::{BTreeMap, HashMap};

use serde_json::Value;

/// A mapping file.
#[derive(Clone, Default, Debug)]
pub struct Mapping {
    /// Classes, by the name that they have in the result.
    classes: HashMap<String, ClassMap>,
    /// The source files of classes, by the name that they had.
    files: HashMap<String, String>,
}

/// What became of a class.
#[derive(Clone, Default, Debug)]
pub struct ClassMap {
    /// What it was called.
    pub original: String,
    /// Its methods, by the names that they have now, in the order of the file.
    methods: HashMap<String, Vec<Entry>>,
}

/// A line of the file about a method: one frame of the lines that it is about.
#[derive(Clone, Default, Debug)]
pub struct Entry {
    /// The lines of the result; all if nothing is said.
    pub range: Option<(u32, u32)>,
    /// The class, if it is another one.
    pub class: Option<String>,
    /// What the method was called.
    pub method: String,
    /// The lines that these were: the first and the last.
    pub lines: Option<(u32, u32)>,
    /// Whether it says both of them: of a method that called the one of the entry before it says the line of the call alone.
    pub is_innermost: bool,
    /// Whether a tool made it.
    pub is_synthesized: bool,
    /// Whether it has code of other methods, which call it.
    pub is_outline: bool,
    /// The line of this method, by the line of the outline that it called.
    pub positions: BTreeMap<u32, u32>,
    /// Of frames below an exception of one of these descriptors so many are left out.
    pub rewrites: Vec<(Vec<String>, usize)>,
}

impl Entry {
    /// Whether it is about a line.
    fn has(&self, line: u32) -> bool {
        self.range.is_some_and(|(first, last)| (first..=last).contains(&line))
    }

    /// The line that a line of the result was.
    pub fn original_line(&self, line: u32) -> u32 {
        match (self.lines, self.range) {
            (Some((first, last)), Some((from, to))) if last - first == to - from => first + (line - from),
            (Some((first, _)), _) => first,
            (None, _) => line,
        }
    }
}

impl Mapping {
    /// Reads a mapping file; the error says at which line it is none.
    pub fn parse(text: &str) -> Result<Mapping, String> {
        let mut mapping = Mapping::default();
        let mut current: Option<String> = None;
        // What a comment is about.
        let mut last: Option<String> = None;
        for (number, line) in text.lines().enumerate() {
            let wrong = |what: &str| format!("line {}: {what}: `{}`", number + 1, line.trim());
            let trimmed = line.trim();
            if trimmed.is_empty() {
                continue;
            }
            if let Some(comment) = trimmed.strip_prefix('#') {
                // Other comments are for people.
                if let (Ok(value), Some(class)) = (serde_json::from_str(comment.trim()), &current) {
                    mapping.comment(&value, class, last.as_deref());
                }
                continue;
            }
            let (before, after) =
                trimmed.rsplit_once(" -> ").ok_or_else(|| wrong("`ORIGINAL -> NAME` is expected"))?;
            if let Some(name) = after.strip_suffix(':') {
                let class = ClassMap { original: before.to_owned(), ..ClassMap::default() };
                mapping.classes.insert(name.to_owned(), class);
                (current, last) = (Some(name.to_owned()), None);
                continue;
            }
            let Some(class) = &current else { return Err(wrong("there is no class above this member")) };
            last = None;
            // No stack trace has fields.
            if before.contains('(') {
                let entry = entry(before).ok_or_else(|| wrong("no method"))?;
                let class = mapping.classes.entry(class.clone()).or_default();
                class.methods.entry(after.to_owned()).or_default().push(entry);
                last = Some(after.to_owned());
            }
        }
        Ok(mapping)
    }

    /// Heeds a comment about a class or the last line about one of its methods.
    fn comment(&mut self, value: &Value, class: &str, method: Option<&str>) {
        let Some(about) = self.classes.get_mut(class) else { return };
        let id = value.get("id").and_then(Value::as_str).unwrap_or_default();
        if id == "sourceFile" {
            if let Some(file) = value.get("fileName").and_then(Value::as_str) {
                self.files.insert(about.original.clone(), file.to_owned());
            }
            return;
        }
        let entries = method.and_then(|method| about.methods.get_mut(method));
        let Some(entry) = entries.and_then(|entries| entries.last_mut()) else { return };
        match id {
            "com.android.tools.r8.synthesized" => entry.is_synthesized = true,
            "com.android.tools.r8.outline" => entry.is_outline = true,
            "com.android.tools.r8.outlineCallsite" => {
                let positions = value.get("positions").and_then(Value::as_object).into_iter().flatten();
                entry.positions = positions
                    .filter_map(|(from, to)| Some((from.parse().ok()?, u32::try_from(to.as_u64()?).ok()?)))
                    .collect();
            }
            "com.android.tools.r8.rewriteFrame" => entry.rewrites.extend(rewrite(value)),
            _ => {}
        }
    }

    /// A class, by its name in the result.
    pub fn class(&self, name: &str) -> Option<&ClassMap> {
        self.classes.get(name)
    }

    /// The source file of a class, by the name that it had.
    pub fn file(&self, original: &str) -> Option<&str> {
        self.files.get(original).map(String::as_str)
    }
}

impl ClassMap {
    /// The frames that a line of a method stands for: several lists if it is not known which, each from the inside out.
    /// Nothing if the method is not in the file.
    pub fn frames(&self, method: &str, line: Option<u32>) -> Vec<Vec<&Entry>> {
        let Some(entries) = self.methods.get(method) else { return Vec::new() };
        let at_line: Vec<&Entry> = entries.iter().filter(|e| line.is_some_and(|line| e.has(line))).collect();
        if !at_line.is_empty() {
            return by_range(at_line);
        }
        let anywhere: Vec<Vec<&Entry>> =
            entries.iter().filter(|entry| entry.range.is_none()).map(|entry| vec![entry]).collect();
        if !anywhere.is_empty() {
            return anywhere;
        }
        // Which line is not known: the methods themselves, without what is inlined.
        let groups = by_range(entries.iter().collect());
        groups.into_iter().filter_map(|group| Some(vec![*group.last()?])).collect()
    }
}

/// Entries behind each other that are about the same lines are the frames of those.
fn by_range(entries: Vec<&Entry>) -> Vec<Vec<&Entry>> {
    let mut groups: Vec<Vec<&Entry>> = Vec::new();
    for entry in entries {
        match groups.last_mut() {
            Some(group) if group[0].range == entry.range && !stands_beside(group, entry) => group.push(entry),
            _ => groups.push(vec![entry]),
        }
    }
    groups
}

/// Whether an entry is about a method that stands on the line of another one of its class, and did not call that.
fn stands_beside(group: &[&Entry], entry: &Entry) -> bool {
    entry.is_innermost && entry.class.is_none() && group.last().is_some_and(|last| last.class.is_none())
}

/// `[1:3:]void a.B.run(int)[:4[:6]]`
fn entry(text: &str) -> Option<Entry> {
    let mut entry = Entry::default();
    let mut rest = text;
    if text.starts_with(|c: char| c.is_ascii_digit()) {
        let mut parts = text.splitn(3, ':');
        let (first, last) = (parts.next()?.parse().ok()?, parts.next()?.parse().ok()?);
        entry.range = Some((first, last)).filter(|(first, last)| first <= last);
        rest = parts.next()?;
    }
    let (_, member) = rest.split_once(' ')?;
    let (name, behind) = member.split_once('(')?;
    let (_, lines) = behind.split_once(')')?;
    let mut numbers = lines.split(':').skip(1).map(str::parse::<u32>);
    if let Some(first) = numbers.next() {
        let first = first.ok()?;
        let last = numbers.next();
        entry.is_innermost = last.is_some();
        let last = last.map_or(Ok(first), |last| last).ok()?;
        entry.lines = Some((first, last.max(first)));
    }
    let (class, method) = match name.rsplit_once('.') {
        Some((class, method)) => (Some(class.to_owned()), method),
        None => (None, name),
    };
    (entry.class, entry.method) = (class, method.to_owned());
    Some(entry)
}

/// The descriptors of exceptions, and how many frames below one of them are left out.
fn rewrite(value: &Value) -> Option<(Vec<String>, usize)> {
    let texts = |key: &str| {
        let list = value.get(key).and_then(Value::as_array)?;
        Some(list.iter().filter_map(Value::as_str).map(str::to_owned).collect::<Vec<String>>())
    };
    let inside = |text: &str, name: &str| {
        Some(text.strip_prefix(name)?.strip_prefix('(')?.strip_suffix(')')?.to_owned())
    };
    let thrown =
        texts("conditions")?.iter().map(|text| inside(text, "throws")).collect::<Option<Vec<_>>>()?;
    let actions = texts("actions")?;
    let removed = actions.iter().filter_map(|text| inside(text, "removeInnerFrames")?.parse::<usize>().ok());
    Some((thrown, removed.sum()))
}
