//! Files of stand-alone traces: declarations, then one trace, or several divided by `#! section NAME` lines.

use planish_base::diag::{Diagnostics, SourceText, Span};

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
    // First the division into sections: a section is its name, its directives and its lines.
    let mut parts: Vec<(Option<&str>, Vec<Span>, Span)> = Vec::new();
    let mut current = (None, Vec::new(), Span::new(0..0));
    for span in lines(text, 0..text.len()) {
        let line = &text[span.range()];
        if let Some(directive) = line.strip_prefix("#!") {
            let directive = directive.trim();
            let section = directive.strip_prefix("section").filter(|rest| rest.starts_with([' ', '\t']));
            if let Some(name) = section {
                let here = Span { start: span.end, end: span.end };
                let before = std::mem::replace(&mut current, (Some(name.trim()), Vec::new(), here));
                if before.0.is_some() || !text[before.2.range()].trim().is_empty() {
                    parts.push(before);
                }
                continue;
            }
            if current.0.is_none() && file.sections.is_empty() && parts.is_empty() {
                file.directives.push(span);
            } else {
                current.1.push(span);
            }
        }
        current.2.end = span.end;
    }
    if current.0.is_some() || parts.is_empty() || !text[current.2.range()].trim().is_empty() {
        parts.push(current);
    }
    let mut reader = Reader::new(text, &mut diagnostics);
    let divided = parts.len() > 1;
    for (name, directives, span) in parts {
        let content = lines(text, span.range());
        let trace = reader.trace(content, &mut file.texts);
        if let Some(trace) = trace {
            let name = name.map(|name| file.texts.intern_str(name));
            file.sections.push(Section { name, directives, span, trace });
        } else if name.is_some() || !divided {
            reader
                .diagnostics
                .error(span, "there is no trace here: a line of inputs such as `[i0, p1]` is missing");
        }
    }
    (file, diagnostics)
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
