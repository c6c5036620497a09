//! The text of a trace for a reader: lines of the program are headings, descriptors are short, and what runs most comes first.

use planish_report::Line;
use planish_trace_dialect::source_lines::{merge_point_text, place};

/// A block of a trace.
#[derive(Default)]
pub(super) struct Part {
    /// Its name and parameters.
    header: Option<Line>,
    /// What stands in it, in order.
    lines: Vec<Line>,
}

/// The text of a trace, divided.
pub(super) struct Readable {
    /// The head of the function, which has the notes about what is no operation.
    head: Option<Line>,
    parts: Vec<Part>,
}

impl Readable {
    /// Reads what a listing of the function says.
    pub fn of(lines: impl IntoIterator<Item = Line>) -> Readable {
        let mut readable = Readable { head: None, parts: Vec::new() };
        for line in lines {
            let is_inside = line.text.starts_with(' ');
            if line.text.starts_with("func ") {
                readable.head = Some(without_parameters(line));
            } else if is_inside && let Some(part) = readable.parts.last_mut() {
                part.push(line);
            } else if !is_inside && line.text.ends_with(':') {
                let header = Some(without_parameters(line));
                readable.parts.push(Part { header, ..Part::default() });
            }
        }
        readable.parts.iter_mut().for_each(|part| _ = part.lines.pop_if(|line| line.is_heading));
        readable
    }

    /// The same without the reads of the interpreter's frame with which PyPy's loops begin, and which are in no recording.
    pub fn without_frame_reads(mut self) -> Readable {
        if self.parts.len() > 1 {
            self.parts.remove(0);
        }
        self
    }

    /// What runs most, which is the last part, and everything before.
    pub fn divided(mut self) -> (Vec<Line>, Vec<Line>) {
        let last = self.parts.pop().map_or(Vec::new(), Part::lines);
        let rest: Vec<Line> = self.parts.into_iter().flat_map(Part::lines).collect();
        // A part that only goes on to the next says nothing.
        let says = rest.iter().any(is_operation);
        (self.head.into_iter().chain(last).collect(), if says { rest } else { Vec::new() })
    }
}

impl Part {
    fn push(&mut self, line: Line) {
        match marked(&line.text) {
            Some(Marked::Place(place)) => {
                // The same line of the program goes on, or nothing came of the one before.
                let last = self.lines.iter().rev().find(|line| line.is_heading);
                if last.is_some_and(|last| last.text == place) {
                    return;
                }
                self.lines.pop_if(|line| line.is_heading);
                self.lines.push(Line { text: place, is_heading: true, ..Line::default() });
            }
            // Costs nothing.
            Some(Marked::Hint) if line.notes.is_empty() => {}
            Some(Marked::Hint) | None => self.lines.push(short(line)),
        }
    }

    fn lines(self) -> Vec<Line> {
        self.header.into_iter().chain(self.lines).collect()
    }
}

/// Whether a line is an operation, and not a heading, a header or a jump.
pub(super) fn is_operation(line: &Line) -> bool {
    let text = line.text.trim_start();
    let is_flow = ["jump ", "return", "branch ", "unreachable"].iter().any(|word| text.starts_with(word));
    !line.is_heading && line.text.starts_with(' ') && !is_flow && !text.starts_with("marker(")
}

/// What an operation marks that does nothing.
enum Marked {
    /// A place in the program.
    Place(String),
    /// A hint for an optimizer, or what a profiler looks for.
    Hint,
}

fn marked(text: &str) -> Option<Marked> {
    let (_, descr) = text.trim_start().strip_prefix("marker(")?.split_once(") @")?;
    let descr = descr.trim_matches('"');
    if let Some(arguments) = descr.strip_prefix("debug_merge_point(") {
        let text = merge_point_text(arguments.strip_suffix(')').unwrap_or(arguments));
        return Some(Marked::Place(place(text)));
    }
    // Where a trace goes on is no hint.
    let goes_on = descr.starts_with("jump") || descr.starts_with("finish");
    (!goes_on).then_some(Marked::Hint)
}

/// A line with a list of parameters that is only counted; on hover it is all there.
fn without_parameters(line: Line) -> Line {
    let Some((name, rest)) = line.text.split_once('(') else { return line };
    let parameters = rest.split(')').next().unwrap_or("");
    let count = if parameters.is_empty() { 0 } else { parameters.split(',').count() };
    let end = if line.text.ends_with(':') { ":" } else { "" };
    let values = if count == 1 { "value" } else { "values" };
    let text = format!("{name}({count} {values}){end}");
    Line { text, whole: line.text.clone(), ..line }
}

/// A line whose descriptors are short, and which leaves out what is made where a guard fails. On hover it is all there.
fn short(line: Line) -> Line {
    let (mut text, mut rest) = (String::new(), line.text.as_str());
    if let Some((guard, _)) = rest.split_once(" with [") {
        rest = guard;
    }
    let is_cut = rest.len() < line.text.len();
    while let Some((before, quoted)) = rest.split_once(" @\"")
        && let Some((descr, after)) = quoted.split_once('"')
    {
        text += &format!("{before} @{}", brief(descr));
        rest = after;
    }
    text += rest;
    if is_cut {
        text += " with \u{2026}";
    }
    match text == line.text {
        true => line,
        false => Line { text, whole: line.text.trim_start().to_owned(), ..line },
    }
}

/// Of the descriptor of a field its class and its name, of a call what it is.
fn brief(descr: &str) -> String {
    match descr.split_once('<') {
        Some(("", inside)) if inside.starts_with("Field") => {
            let path = inside.split(' ').nth(1).unwrap_or(inside);
            let parts: Vec<&str> = path.rsplitn(3, '.').take(2).collect();
            parts.into_iter().rev().collect::<Vec<_>>().join(".")
        }
        Some(("", inside)) => inside.trim_end_matches('>').to_owned(),
        Some((word, _)) => word.trim_end().to_owned(),
        None => descr.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(lines: &[Line]) -> Vec<&str> {
        lines.iter().map(|line| line.text.as_str()).collect()
    }

    #[test]
    fn lines_of_the_program_are_headings_and_bodies_come_first() {
        let text = "func trace0(p0: ref, i1: i64) -> i64 {
entry:
    i2 = add(i1, 1)
    jump loop(p0, i2)
loop(p0: ref):
    marker() @\"debug_merge_point(0, 0, 'f;a.py:1-2~#0 LOAD')\"
    marker() @\"debug_merge_point(0, 0, 'f;a.py:1-3~#2 LOAD')\"
    i3 = get_field(p0) @\"<FieldS a.b.C.x 8 pure>\"
    marker(p0) @assert_not_none
    marker() @\"debug_merge_point(0, 0, 'f;a.py:1-3~#4 ADD')\"
    p4: ref = call(&f: i64) @\"call_r <Callr 8 i EF=1>\"
    marker() @\"debug_merge_point(0, 0, 'odd')\"
    marker() @\"jump <Loop2>\"
    jump loop(p0)
}";
        let lines = text.lines().map(|text| Line { text: text.into(), ..Line::default() });
        let (body, before) = Readable::of(lines).divided();
        assert_eq!(
            texts(&body),
            [
                "func trace0(2 values)",
                "loop(1 value):",
                "f a.py:3",
                "    i3 = get_field(p0) @C.x",
                "    p4: ref = call(&f: i64) @call_r",
                "odd",
                "    marker() @jump",
                "    jump loop(p0)"
            ]
        );
        assert!(body[2].is_heading && !body[3].is_heading);
        assert_eq!(body[3].whole, "i3 = get_field(p0) @\"<FieldS a.b.C.x 8 pure>\"");
        assert_eq!(texts(&before), ["entry:", "    i2 = add(i1, 1)", "    jump loop(p0, i2)"]);
    }

    #[test]
    fn what_is_made_where_a_guard_fails_is_told_on_hover() {
        let text = "    guard_true(i1) else leave 3(p2) with [made0 = new() @\"<SizeDescr 8>\"] as (made0)";
        let shown = short(Line { text: text.into(), ..Line::default() });
        assert_eq!(shown.text, "    guard_true(i1) else leave 3(p2) with \u{2026}");
        assert_eq!(shown.whole, text.trim_start());
    }

    #[test]
    fn a_text_without_blocks_or_ends_is_shown_as_far_as_it_goes() {
        for odd in
            ["", "    i1 = add(i0, 1)", "func f(", "entry:", "    marker() @\"debug_merge_point(", "x @\""]
        {
            let (body, before) = Readable::of([Line { text: odd.into(), ..Line::default() }]).divided();
            assert!(body.len() <= 1 && before.is_empty(), "{odd}");
        }
    }
}
