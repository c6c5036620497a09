//! What two optimizers made of one trace, laid beside each other operation by operation.
//!
//! Operations are the same when they do the same to constants and to some values: what values are called says nothing, since
//! each optimizer has names of its own. Values of the peer are then called as ours, where the same operations make and use
//! them; a prime marks the name of a value that is none of ours.

use std::collections::{HashMap, HashSet};

use planish_report::{Change, Line, diff};

use super::readable::is_operation;

/// Two texts of equal length, and what only one of them has.
pub(super) struct Aligned {
    /// Ours, with gaps.
    pub ours: Vec<Line>,
    /// The peer's, with gaps.
    pub theirs: Vec<Line>,
    /// How many operations only ours has.
    pub only_ours: usize,
    /// How many operations only the peer's has.
    pub only_theirs: usize,
    /// What values of the peer are called in ours.
    names: Names,
}

/// Values of the peer by the names of ours.
#[derive(Default, Clone)]
pub(super) struct Names {
    known: HashMap<String, String>,
    taken: HashSet<String>,
}

impl Names {
    fn add(&mut self, theirs: &str, ours: &str) {
        if !self.known.contains_key(theirs) && self.taken.insert(ours.to_owned()) {
            self.known.insert(theirs.to_owned(), ours.to_owned());
        }
    }

    /// A line of the peer in our names.
    fn rename(&self, text: &str) -> String {
        with_values(text, |value| match self.known.get(value) {
            Some(ours) => ours.clone(),
            None => format!("{value}\u{2032}"),
        })
    }
}

/// Lays two texts beside each other. What is known of names comes from parts that were aligned before.
pub(super) fn aligned(ours: Vec<Line>, theirs: Vec<Line>, known: Names) -> Aligned {
    let keys = |lines: &[Line]| lines.iter().map(key).collect::<Vec<_>>();
    let pairs = diff::matched(&keys(&ours), &keys(&theirs));
    let mut aligned =
        Aligned { ours: Vec::new(), theirs: Vec::new(), only_ours: 0, only_theirs: 0, names: known };
    for &(a, b) in &pairs {
        let [ours, theirs] = [&ours[a], &theirs[b]].map(named);
        if ours.len() == theirs.len() {
            ours.iter().zip(&theirs).for_each(|(ours, theirs)| aligned.names.add(theirs, ours));
        }
    }
    let (mut ours, mut theirs) = (ours.into_iter().enumerate(), theirs.into_iter().enumerate());
    for pair in pairs.into_iter().map(Some).chain([None]) {
        let end = |side: fn((usize, usize)) -> usize| pair.map_or(usize::MAX, side);
        for (at, line) in ours.by_ref() {
            if at == end(|pair| pair.0) {
                aligned.ours.push(both(line));
                break;
            }
            aligned.only_ours += usize::from(is_operation(&line));
            aligned.ours.push(only(line));
            aligned.theirs.push(Line::default());
        }
        for (at, line) in theirs.by_ref() {
            if at == end(|pair| pair.1) {
                aligned.theirs.push(both(line));
                break;
            }
            aligned.only_theirs += usize::from(is_operation(&line));
            aligned.theirs.push(only(line));
            // The match of ours was laid down already, and comes behind.
            let place = aligned.ours.len() - usize::from(pair.is_some());
            aligned.ours.insert(place, Line::default());
        }
    }
    for line in &mut aligned.theirs {
        if !line.is_heading {
            line.text = aligned.names.rename(&line.text);
        }
    }
    aligned
}

impl Aligned {
    /// What is known of names, for the next part.
    pub fn names(&self) -> Names {
        self.names.clone()
    }
}

/// A line that both have. What it was before is told beside the input.
fn both(line: Line) -> Line {
    Line { change: Change::None, ..line }
}

fn only(line: Line) -> Line {
    let change = if is_operation(&line) { Change::Only } else { Change::None };
    Line { change, ..line }
}

/// What makes two lines the same: all but names of values and of pointers, and where guards leave.
fn key(line: &Line) -> String {
    if line.is_heading {
        return line.text.clone();
    }
    if !is_operation(line) {
        // Functions and blocks are called as one likes.
        return match line.text.starts_with([' ', 'f']) {
            true => line.text.split_whitespace().next().unwrap_or_default().to_owned(),
            false => "block".to_owned(),
        };
    }
    let text = line.text.trim_start();
    let text = text.split(" else leave").next().unwrap_or(text);
    let text = match text.split_once(" = ") {
        Some((results, rest)) => format!("{} = {rest}", results.split(',').count()),
        None => text.to_owned(),
    };
    with_values(&text, |_| "_".to_owned())
}

/// The values of a line that are those of the same line of another text: of an operation all, of the head of a function its
/// parameters, if there are as many. What blocks are given is in no order.
fn named(line: &Line) -> Vec<String> {
    match is_operation(line) {
        true => values(&line.text),
        false if line.text.starts_with("func ") => values(line.whole.split(')').next().unwrap_or_default()),
        false => Vec::new(),
    }
}

/// The values that a line names, in order.
fn values(text: &str) -> Vec<String> {
    let text = text.split(" else leave").next().unwrap_or(text);
    let mut values = Vec::new();
    with_values(text, |value| {
        values.push(value.to_owned());
        String::new()
    });
    values
}

/// A text with other words for the values in it: `i12`, `p3`, `f4`, `new5`, and constant objects `&ptr6`, whose names a log
/// gives anew to each trace.
fn with_values(text: &str, mut word: impl FnMut(&str) -> String) -> String {
    let is_word = |c: char| c.is_alphanumeric() || c == '_' || c == '$';
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(begin) = rest.find(is_word) {
        let end = rest[begin..].find(|c| !is_word(c)).map_or(rest.len(), |length| begin + length);
        let (name, before) = (&rest[begin..end], rest[..begin].chars().next_back());
        out.push_str(&rest[..begin]);
        // What stands behind `@` or a dot is of a descriptor, what stands behind a colon is a type.
        let is_free = !matches!(before, Some('@' | '.' | '<')) && !rest[..begin].ends_with(": ");
        match is_free && is_value(name) {
            true => out.push_str(&word(name)),
            false => out.push_str(name),
        }
        rest = &rest[end..];
    }
    out + rest
}

fn is_value(name: &str) -> bool {
    let number = ["new", "ptr", "i", "p", "f"].iter().find_map(|prefix| name.strip_prefix(prefix));
    number.is_some_and(|n| !n.is_empty() && n.bytes().all(|b| b.is_ascii_digit()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(text: &str) -> Vec<Line> {
        let line =
            |text: &str| Line { text: text.to_owned(), is_heading: text.contains(".py"), ..Line::default() };
        text.lines().map(line).collect()
    }

    fn shown(lines: &[Line]) -> Vec<String> {
        let mark = |line: &Line| if line.change == Change::Only { "!" } else { "" };
        lines.iter().map(|line| format!("{}{}", mark(line), line.text)).collect()
    }

    #[test]
    fn the_same_operations_stand_beside_each_other_under_our_names() {
        let ours = lines(
            "loop(2 values):\nf a.py:3\n    i3 = add(i1, 1)\n    guard_true(i3) else leave 4(i1)\n    jump loop(i3)",
        );
        let theirs = lines(
            "loop1(3 values):\nf a.py:3\n    i9 = get_field(p7) @C.x\n    i8 = add(i9, 1)\n    guard_true(i8) else leave 0\n    \
             i10 = mul(i8, i9)\nf a.py:4\n    jump loop1(i8)",
        );
        let Aligned { ours, theirs, only_ours, only_theirs, .. } = aligned(ours, theirs, Names::default());
        assert_eq!((only_ours, only_theirs), (0, 2));
        let beside: Vec<[String; 2]> = shown(&ours).into_iter().zip(shown(&theirs)).map(Into::into).collect();
        assert_eq!(
            beside,
            [
                ["loop(2 values):", "loop1(3 values):"],
                ["f a.py:3", "f a.py:3"],
                ["", "!    i1 = get_field(p7\u{2032}) @C.x"],
                ["    i3 = add(i1, 1)", "    i3 = add(i1, 1)"],
                ["    guard_true(i3) else leave 4(i1)", "    guard_true(i3) else leave 0"],
                ["", "!    i10\u{2032} = mul(i3, i1)"],
                ["", "f a.py:4"],
                ["    jump loop(i3)", "    jump loop1(i3)"],
            ]
        );
    }

    #[test]
    fn nothing_beside_something_is_all_gaps() {
        let some = "f a.py:1\n    i3 = add(i1, 1)";
        let Aligned { ours, theirs, only_theirs, .. } = aligned(Vec::new(), lines(some), Names::default());
        assert_eq!(shown(&ours), ["", ""]);
        assert_eq!(shown(&theirs), ["f a.py:1", "!    i3\u{2032} = add(i1\u{2032}, 1)"]);
        assert_eq!(only_theirs, 1);
        let Aligned { ours, theirs, .. } = aligned(lines(some), Vec::new(), Names::default());
        assert_eq!((ours.len(), theirs.len()), (2, 2));
    }

    #[test]
    fn what_a_bridge_is_given_has_our_names() {
        let head = |name: &str, values: &str| Line {
            text: format!("func {name}(2 values)"),
            whole: format!("func {name}({values}) -> i64 {{"),
            ..Line::default()
        };
        let ours = [vec![head("trace1", "p0: ref, i1: i64")], lines("    return i1")].concat();
        let theirs = [vec![head("PyPy", "p7: ref, i8: i64")], lines("    return i8")].concat();
        assert_eq!(shown(&aligned(ours, theirs, Names::default()).theirs)[1], "    return i1");
    }

    #[test]
    fn words_that_look_like_values_are_told_from_values() {
        let text = "    i3: i64 = call(&ptr4, i64, i, p0x, new5) @f7 else leave 1(i3)";
        assert_eq!(values(text), ["i3", "ptr4", "i64", "new5"]);
    }
}
