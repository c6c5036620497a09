//! Files of stand-alone traces: declarations, then one trace, or several divided by `#! section NAME` lines.

use hashbrown::HashMap;
use planish_base::diag::{Diagnostic, Diagnostics, SourceText, Span};
use rustc_hash::FxBuildHasher;

use super::Reader;
use crate::text::{Text, Texts, Trace};

/// A file of stand-alone traces.
#[derive(Clone, Default)]
pub struct TraceFile {
    /// All strings.
    pub texts: Texts,
    /// The `#! ` lines above the first section, in order.
    pub directives: Vec<Span>,
    /// The traces, in order.
    pub sections: Vec<Section>,
}

/// One trace of a file.
#[derive(Clone)]
pub struct Section {
    /// What the `#! section` line says, as in `loop 0`; `None` for a file without sections.
    pub name: Option<Text>,
    /// The `#! ` lines inside the section.
    pub directives: Vec<Span>,
    /// The lines of the section.
    pub span: Span,
    /// The trace.
    pub trace: Trace,
}

/// Reads a file of stand-alone traces.
pub fn read(source: &SourceText) -> (TraceFile, Diagnostics) {
    read_beside(source, Texts::default())
}

/// Reads a file whose strings are kept with those of the files that were read before.
pub fn read_beside(source: &SourceText, texts: Texts) -> (TraceFile, Diagnostics) {
    let mut file = TraceFile { texts, ..TraceFile::default() };
    let mut diagnostics = Diagnostics::new();
    let text = source.text();
    let divided = divide(text, &mut file.directives);
    twice(source, &divided, &mut diagnostics);
    let mut reader = Reader::new(text, &mut diagnostics);
    let several = divided.len() > 1;
    for Lines { name, directives, span } in divided {
        let content = lines(text, span.range());
        let trace = reader.trace(content, &mut file.texts);
        if let Some(trace) = trace {
            let name = name.map(|(name, _)| file.texts.intern_str(name));
            file.sections.push(Section { name, directives, span, trace });
        } else if name.is_some() || !several {
            reader
                .diagnostics
                .error(span, "there is no trace here: a line of inputs such as `[i0, p1]` is missing");
        }
    }
    (file, diagnostics)
}

/// The lines of a section before they are read.
struct Lines<'t> {
    /// Its name, and the line that says it.
    name: Option<(&'t str, Span)>,
    directives: Vec<Span>,
    span: Span,
}

/// Divides a text into sections; the declarations above the first are those of the file.
fn divide<'t>(text: &'t str, of_file: &mut Vec<Span>) -> Vec<Lines<'t>> {
    let mut divided: Vec<Lines<'_>> = Vec::new();
    let mut current = Lines { name: None, directives: Vec::new(), span: Span::default() };
    let is_section = |lines: &Lines<'_>| lines.name.is_some() || !text[lines.span.range()].trim().is_empty();
    for span in lines(text, 0..text.len()) {
        let line = &text[span.range()];
        if let Some(directive) = line.strip_prefix("#!") {
            let directive = directive.trim();
            let section = directive.strip_prefix("section").filter(|rest| rest.starts_with([' ', '\t']));
            if let Some(name) = section {
                let here = Span { start: span.end, end: span.end };
                let next = Lines { name: Some((name.trim(), span)), directives: Vec::new(), span: here };
                let before = std::mem::replace(&mut current, next);
                if is_section(&before) {
                    divided.push(before);
                }
                continue;
            }
            if current.name.is_none() && divided.is_empty() {
                of_file.push(span);
            } else {
                current.directives.push(span);
            }
        }
        current.span.end = span.end;
    }
    if divided.is_empty() || is_section(&current) {
        divided.push(current);
    }
    divided
}

/// Reports sections that have the name of an earlier one.
fn twice(source: &SourceText, divided: &[Lines<'_>], diagnostics: &mut Diagnostics) {
    let mut first: HashMap<&str, Span, FxBuildHasher> = HashMap::default();
    for (name, span) in divided.iter().filter_map(|lines| lines.name) {
        if let Some(before) = first.get(name) {
            let (line, _) = source.position(before.start);
            let error = Diagnostic::error(span, format!("there is a section `{name}` already"));
            diagnostics.push(error.note(format!("{}:{line}: {}", source.name(), source.slice(*before))));
        } else {
            first.insert(name, span);
        }
    }
}

/// The lines of a range of a text, without their ends: a line feed and all carriage returns before it.
pub(crate) fn lines(text: &str, range: std::ops::Range<usize>) -> impl Iterator<Item = Span> + '_ {
    let bytes = text.as_bytes();
    let mut at = range.start;
    std::iter::from_fn(move || {
        if at >= range.end {
            return None;
        }
        let start = at;
        let length = bytes[start..range.end].iter().position(|&b| b == b'\n');
        let mut end = length.map_or(range.end, |length| start + length);
        at = end + 1;
        while end > start && bytes[end - 1] == b'\r' {
            end -= 1;
        }
        Some(Span { start: start as u32, end: end as u32 })
    })
}
