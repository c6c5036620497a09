//! Stack traces turned back: frames of a result become those of the program that it was made of, by a [mapping](mod@mapping) file.
//!
//! A line for a frame becomes one for each frame that it stands for, those of inlined methods first. Where it is not known
//! which, the others follow, marked `<OR>`. Names of exceptions are turned back as well, and frames that a trace has in common
//! with the one around it are counted anew; any other line stays as it is.

mod enclosed;
pub mod mapping;

use enclosed::Traces;
use mapping::{Entry, Mapping};

/// A frame of a stack trace: `    at loader//a.B.run(B.java:3) behind`.
struct Frame<'t> {
    /// All up to the name of the class.
    before: &'t str,
    class: &'t str,
    method: &'t str,
    file: &'t str,
    line: Option<u32>,
    /// All behind the parenthesis.
    behind: &'t str,
}

/// A stack trace, while it is turned back.
#[derive(Default)]
struct State {
    /// The descriptor of the exception, if its frames are next.
    thrown: Option<String>,
    /// The line of an outline, if its caller is next.
    outline: Option<u32>,
}

/// Turns the frames of a text back. O(length of the text).
pub fn retrace(mapping: &Mapping, text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let (mut state, mut traces) = (State::default(), Traces::default());
    for line in text.split_inclusive('\n') {
        let content = line.trim_end_matches(['\n', '\r']);
        let end = &line[content.len()..];
        let end = if end.is_empty() { "\n" } else { end };
        match Frame::of(content) {
            Some(frame) => {
                let shown = frame.turned_back(mapping, &mut state);
                traces.add(&shown, out.len(), end.len());
                for shown in shown {
                    out += &shown;
                    out += end;
                }
            }
            None if let Some((more, stays)) = traces.more(content, out.len()) => {
                out.truncate(stays);
                out += &more;
                out += &line[content.len()..];
            }
            None => {
                traces.begin(content);
                out += &exception(mapping, content, &mut state);
                out += &line[content.len()..];
            }
        }
    }
    if !text.ends_with('\n') && out.ends_with('\n') {
        out.pop();
    }
    out
}

/// Where `at CLASS.METHOD(` begins in a line; in a log file the time and the like stand in front of it.
fn start(line: &str) -> Option<usize> {
    let is_frame = |&(at, _): &(usize, &str)| {
        let name = line[at + "at ".len()..].split('(').next().unwrap_or("");
        let is_word = line[..at].chars().next_back().is_none_or(char::is_whitespace);
        is_word && name.contains('.') && !name.contains(char::is_whitespace)
    };
    line.match_indices("at ").find(is_frame).map(|(at, _)| at)
}

impl<'t> Frame<'t> {
    /// The frame of a line, if it has one.
    fn of(line: &'t str) -> Option<Self> {
        let start = start(line)?;
        let named = &line[start + "at ".len()..];
        let open = named.find('(')?;
        let close = open + named[open..].find(')')?;
        // Loaders and modules stand in front: `app//`, `java.base@17/`.
        let name = named[..open].rfind('/').map_or(0, |slash| slash + 1);
        let (class, method) = named[name..open].rsplit_once('.')?;
        let place = &named[open + 1..close];
        let (file, line_number) = match place.rsplit_once(':') {
            Some((file, number)) => (file, Some(number.parse().ok()?)),
            None => (place, None),
        };
        let before = &line[..start + "at ".len() + name];
        Some(Frame { before, class, method, file, line: line_number, behind: &named[close + 1..] })
    }

    /// The lines of the frames that it stands for.
    fn turned_back(&self, mapping: &Mapping, state: &mut State) -> Vec<String> {
        let thrown = state.thrown.take();
        let called = state.outline.take();
        let Some(class) = mapping.class(self.class) else {
            return vec![self.show(self.class, self.method, self.file, self.line)];
        };
        let mut line = self.line;
        let mut groups = class.frames(self.method, line);
        // Which line called an outline, the line of that says.
        let told =
            called.and_then(|at| groups.iter().flatten().find_map(|entry| entry.positions.get(&at).copied()));
        if let Some(told) = told {
            line = Some(told);
            groups = class.frames(self.method, line);
        }
        if groups.is_empty() {
            let file = self.file_of(mapping, &class.original, class.original == self.class);
            return vec![self.show(&class.original, self.method, &file, line)];
        }
        if groups.iter().flatten().all(|entry| entry.is_outline) {
            state.outline = line;
            return Vec::new();
        }
        let mut all: Vec<String> = Vec::new();
        let mut seen: Vec<Vec<String>> = Vec::new();
        for group in &groups {
            let shown: Vec<String> = kept(group, thrown.as_deref())
                .into_iter()
                .map(|entry| {
                    let owner = entry.class.as_deref().unwrap_or(&class.original);
                    let is_same = entry.class.is_none() && class.original == self.class;
                    let file = self.file_of(mapping, owner, is_same);
                    let original = line.map(|line| entry.original_line(line));
                    // A method without lines of its own may say the one that it stands for.
                    let fixed = entry.lines.filter(|(first, last)| entry.range.is_none() && first == last);
                    self.show(owner, &entry.method, &file, original.or(fixed.map(|(first, _)| first)))
                })
                .collect();
            if seen.contains(&shown) {
                continue;
            }
            let at = self.before.rfind("at ").unwrap_or(0);
            let mark = |text: &String| match seen.is_empty() {
                true => text.clone(),
                false => format!("{}<OR> {}", &text[..at], &text[at..]),
            };
            all.extend(shown.iter().map(mark));
            seen.push(shown);
        }
        all
    }

    fn show(&self, class: &str, method: &str, file: &str, line: Option<u32>) -> String {
        let Frame { before, behind, .. } = self;
        match line {
            Some(line) => format!("{before}{class}.{method}({file}:{line}){behind}"),
            None => format!("{before}{class}.{method}({file}){behind}"),
        }
    }

    /// The source file of a class: what the mapping says, what the frame says if it is of the same class, or what a
    /// compiler would ask for.
    fn file_of(&self, mapping: &Mapping, class: &str, is_same: bool) -> String {
        if let Some(file) = mapping.file(class) {
            return file.to_owned();
        }
        let ending = self
            .file
            .rsplit_once('.')
            .map(|(_, ending)| ending)
            .filter(|e| matches!(*e, "java" | "kt" | "scala" | "groovy"));
        if is_same && (ending.is_some() || self.line.is_none() && self.file == "Native Method") {
            return self.file.to_owned();
        }
        let simple = class.rsplit('.').next().unwrap_or(class);
        let outer = simple.split('$').find(|part| !part.is_empty()).unwrap_or(simple);
        format!("{outer}.{}", ending.unwrap_or("java"))
    }
}

/// The frames of a list that a trace shows: not those that a tool made, if there are others, nor those that an exception
/// has too many.
fn kept<'m>(group: &[&'m Entry], thrown: Option<&str>) -> Vec<&'m Entry> {
    let is_thrown = |(wanted, _): &&(Vec<String>, usize)| {
        thrown.is_some_and(|thrown| wanted.iter().all(|wanted| wanted == thrown))
    };
    let rewrites = group.iter().flat_map(|entry| entry.rewrites.iter().find(is_thrown));
    let skipped: usize = rewrites.map(|(_, count)| *count).sum();
    let all: Vec<&Entry> = group.iter().copied().skip(skipped).collect();
    let others: Vec<&Entry> = all.iter().copied().filter(|entry| !entry.is_synthesized).collect();
    if others.is_empty() { all } else { others }
}

/// A line that is no frame, with the name of the exception that it begins with turned back.
fn exception(mapping: &Mapping, line: &str, state: &mut State) -> String {
    *state = State::default();
    let start = ["Caused by: ", "Suppressed: ", "Exception in thread \""]
        .iter()
        .find_map(|start| {
            let at = line.find(start)? + start.len();
            match start.ends_with('"') {
                true => Some(at + line[at..].find("\" ")? + 2),
                false => Some(at),
            }
        })
        .unwrap_or(line.len() - line.trim_start().len());
    let rest = &line[start..];
    let end = rest.find([':', ' ']).unwrap_or(rest.len());
    let name = &rest[..end];
    // Words of a message are no names of classes, unless the mapping has them and a message or nothing follows.
    let original = mapping.class(name).map_or(name, |class| class.original.as_str());
    state.thrown = Some(format!("L{};", original.replace('.', "/")));
    let is_whole = rest[end..].is_empty() || rest[end..].starts_with(':');
    match is_whole {
        true => format!("{}{original}{}", &line[..start], &rest[end..]),
        false => line.to_owned(),
    }
}
