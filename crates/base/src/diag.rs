//! Diagnostics: what is wrong with an input, where, shown with the offending text.
//!
//! Readers collect diagnostics instead of stopping at the first, so that one run shows all errors of
//! a file. Rendering is the Rust compiler's own (`annotate-snippets`): file, line, column, the source
//! line and carets. The plain form `file:line:column: error: text` is [`Diagnostic::headline`].

use std::fmt;
use std::ops::Range;

use annotate_snippets::{AnnotationKind, Level, Renderer, Snippet};

use crate::shown::shown;

/// A range of bytes in a [`SourceText`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Span {
    /// First byte.
    pub start: u32,
    /// One past the last byte.
    pub end: u32,
}

impl Span {
    /// The bytes of `range`. Panics when the text is larger than 4 GiB; readers refuse those before.
    pub fn new(range: Range<usize>) -> Self {
        let narrow = |n: usize| u32::try_from(n).expect("a source text is smaller than 4 GiB");
        Span { start: narrow(range.start), end: narrow(range.end) }
    }

    /// The smallest span that holds both.
    pub fn to(self, other: Span) -> Span {
        Span { start: self.start.min(other.start), end: self.end.max(other.end) }
    }

    /// The span as a range of `usize`.
    pub fn range(self) -> Range<usize> {
        self.start as usize..self.end as usize
    }
}

/// How much of a text is shown from the start of a span on, in bytes.
const MOST_BEHIND: usize = 2_000;

/// How many diagnostics of one text are shown.
pub const MOST_SHOWN: usize = 100;

/// Some editors put it at the beginning of a file. It says nothing of a text that is UTF-8 anyway.
const BYTE_ORDER_MARK: char = '\u{feff}';

/// A text with a name, and where its lines begin.
#[derive(Clone, Debug)]
pub struct SourceText {
    name: String,
    text: String,
    line_starts: Vec<u32>,
    /// How many lines of the text that it is a part of stand before it; negative where other lines were put in front.
    lines_before: isize,
}

impl SourceText {
    /// A text and the name (usually a path) under which messages speak of it. A byte order mark in front is no part of the
    /// text. O(length).
    pub fn new(name: impl Into<String>, text: impl Into<String>) -> Self {
        let mut text = text.into();
        if text.starts_with(BYTE_ORDER_MARK) {
            text.drain(..BYTE_ORDER_MARK.len_utf8());
        }
        Self::behind(name.into(), text, 0)
    }

    /// A text from bytes that should be UTF-8; the error says at which line and column they are not.
    pub fn from_bytes(name: impl Into<String>, bytes: Vec<u8>) -> Result<Self, Box<(Self, Diagnostic)>> {
        Self::part(name, bytes, 0)
    }

    /// The same for a part of a text, with so many lines of it before.
    pub fn part(
        name: impl Into<String>,
        mut bytes: Vec<u8>,
        lines_before: isize,
    ) -> Result<Self, Box<(Self, Diagnostic)>> {
        let name = name.into();
        if lines_before == 0 && bytes.starts_with(BYTE_ORDER_MARK.encode_utf8(&mut [0; 4]).as_bytes()) {
            bytes.drain(..BYTE_ORDER_MARK.len_utf8());
        }
        match String::from_utf8(bytes) {
            Ok(text) => Ok(Self::behind(name, text, lines_before)),
            Err(error) => {
                let at = error.utf8_error().valid_up_to();
                let text = String::from_utf8_lossy(error.as_bytes()).into_owned();
                // The lossy text agrees with the bytes up to the first bad one.
                let span = Span::new(at..at + '\u{fffd}'.len_utf8());
                let source = Self::behind(name, text, lines_before);
                Err(Box::new((source, Diagnostic::error(span, "this is not UTF-8"))))
            }
        }
    }

    fn behind(name: String, text: String, lines_before: isize) -> Self {
        let breaks = text.bytes().enumerate().filter(|(_, b)| *b == b'\n').map(|(i, _)| i as u32 + 1);
        let line_starts = std::iter::once(0).chain(breaks).collect();
        SourceText { name, text, line_starts, lines_before }
    }

    /// The number of a line in the text that this is, or is a part of.
    fn numbered(&self, line: usize) -> usize {
        line.saturating_add_signed(self.lines_before)
    }

    /// The name under which messages speak of this text.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The whole text.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The text of a span.
    pub fn slice(&self, span: Span) -> &str {
        &self.text[span.range()]
    }

    /// The lines that a span touches, the number of the first, and the span in them. Of a long line there
    /// is no more than [`MOST_BEHIND`] bytes behind the span's start.
    fn around(&self, span: Span) -> (&str, usize, Range<usize>) {
        let len = self.text.len();
        // A reader may speak of a byte. Whole characters are shown.
        let start = self.text.floor_char_boundary(span.start as usize);
        let end = self.text.ceil_char_boundary(span.end as usize).clamp(start, len);
        let line = self.line_starts.partition_point(|&first| first as usize <= start);
        let first = self.line_starts[line - 1] as usize;
        let mut last = self.text[end..].find('\n').map_or(len, |at| end + at);
        if last - start > MOST_BEHIND {
            last = self.text.floor_char_boundary(start + MOST_BEHIND);
        }
        (&self.text[first..last], self.numbered(line), start - first..end.min(last) - first)
    }

    /// Line and column of a byte, both counted from 1; columns count characters.
    pub fn position(&self, byte: u32) -> (usize, usize) {
        let line = self.line_starts.partition_point(|&start| start <= byte);
        let start = self.line_starts[line - 1] as usize;
        let end = self.text.floor_char_boundary(byte as usize);
        (self.numbered(line), self.text[start..end].chars().count() + 1)
    }
}

/// How bad it is.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Severity {
    /// Worth knowing; the result is still right.
    Warning,
    /// The input is refused.
    Error,
}

impl fmt::Display for Severity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Severity::Warning => "warning",
            Severity::Error => "error",
        })
    }
}

/// One thing that is wrong, and where.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Diagnostic {
    /// How bad it is.
    pub severity: Severity,
    /// The offending text.
    pub span: Span,
    /// What is wrong: a lower-case phrase without a full stop.
    pub message: String,
    /// What stands under the carets, if more than the message is to be said there.
    pub label: String,
    /// What to do about it, one line each.
    pub notes: Vec<String>,
}

impl Diagnostic {
    /// An error at `span`.
    pub fn error(span: Span, message: impl Into<String>) -> Self {
        Self::new(Severity::Error, span, message)
    }

    /// A warning at `span`.
    pub fn warning(span: Span, message: impl Into<String>) -> Self {
        Self::new(Severity::Warning, span, message)
    }

    fn new(severity: Severity, span: Span, message: impl Into<String>) -> Self {
        let message = shown(&shortened(message.into())).into_owned();
        Diagnostic { severity, span, message, label: String::new(), notes: Vec::new() }
    }

    /// Adds text under the carets.
    pub fn label(mut self, label: impl Into<String>) -> Self {
        self.label = label.into();
        self
    }

    /// Adds a note below the source line.
    pub fn note(mut self, note: impl Into<String>) -> Self {
        self.notes.push(note.into());
        self
    }

    /// `file:line:column: error: message`, in one line.
    pub fn headline(&self, source: &SourceText) -> String {
        let (line, column) = source.position(self.span.start);
        format!("{}:{line}:{column}: {}: {}", source.name(), self.severity, self.message)
    }

    /// The message with the source line and carets below the offending text.
    pub fn render(&self, source: &SourceText) -> String {
        let level = match self.severity {
            Severity::Warning => Level::WARNING,
            Severity::Error => Level::ERROR,
        };
        let (shown, line, range) = source.around(self.span);
        let mut annotation = AnnotationKind::Primary.span(range);
        if !self.label.is_empty() {
            annotation = annotation.label(self.label.as_str());
        }
        let snippet = Snippet::source(shown).line_start(line).path(source.name()).annotation(annotation);
        let mut group = level.primary_title(self.message.as_str()).element(snippet);
        for note in &self.notes {
            group = group.element(Level::HELP.message(note.as_str()));
        }
        Renderer::plain().render(&[group])
    }
}

/// How many characters of a message are kept at its start and at its end.
const ENDS: [usize; 2] = [300, 100];

/// A message that quotes a name of any length, without the middle of what is too long to be read.
fn shortened(message: String) -> String {
    // A character has at least one byte, so most messages are seen to be short without counting.
    if message.len() <= ENDS[0] + ENDS[1] {
        return message;
    }
    let from_start = message.char_indices().map(|(at, _)| at).nth(ENDS[0]);
    let from_end = message.char_indices().rev().map(|(at, _)| at).nth(ENDS[1] - 1);
    match from_start.zip(from_end) {
        Some((head, tail)) if head < tail => format!("{}...{}", &message[..head], &message[tail..]),
        _ => message,
    }
}

/// The diagnostics of one reading, in the order in which they were found.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Diagnostics {
    items: Vec<Diagnostic>,
}

impl Diagnostics {
    /// No diagnostic.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds one.
    pub fn push(&mut self, diagnostic: Diagnostic) {
        self.items.push(diagnostic);
    }

    /// Adds an error at `span`.
    pub fn error(&mut self, span: Span, message: impl Into<String>) {
        self.push(Diagnostic::error(span, message));
    }

    /// Adds a warning at `span`.
    pub fn warning(&mut self, span: Span, message: impl Into<String>) {
        self.push(Diagnostic::warning(span, message));
    }

    /// Whether one of them is an error.
    pub fn has_errors(&self) -> bool {
        self.items.iter().any(|d| d.severity == Severity::Error)
    }

    /// All of them, in the order in which they were found.
    pub fn iter(&self) -> std::slice::Iter<'_, Diagnostic> {
        self.items.iter()
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.items.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.items.is_empty()
    }

    /// All of them rendered, an empty line between two; of more than [`MOST_SHOWN`] errors come first, and
    /// the others are counted.
    pub fn render(&self, source: &SourceText) -> String {
        let mut items: Vec<&Diagnostic> = self.items.iter().collect();
        let hidden = items.len().saturating_sub(MOST_SHOWN);
        if hidden > 0 {
            items.sort_by_key(|diagnostic| std::cmp::Reverse(diagnostic.severity));
            items.truncate(MOST_SHOWN);
        }
        let mut rendered: Vec<String> = items.iter().map(|d| d.render(source)).collect();
        if hidden > 0 {
            rendered.push(format!("and {hidden} more"));
        }
        rendered.join("\n\n")
    }
}

impl IntoIterator for Diagnostics {
    type Item = Diagnostic;
    type IntoIter = std::vec::IntoIter<Diagnostic>;
    fn into_iter(self) -> Self::IntoIter {
        self.items.into_iter()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_byte_order_mark_is_no_part_of_a_text() {
        for text in [
            SourceText::new("a", "\u{feff}one\ntwo"),
            SourceText::from_bytes("a", b"\xef\xbb\xbfone\ntwo".to_vec()).expect("UTF-8"),
        ] {
            assert_eq!(text.text(), "one\ntwo");
            assert_eq!((text.position(0), text.position(4)), ((1, 1), (2, 1)));
        }
        let error = SourceText::from_bytes("a", b"\xef\xbb\xbfab\xff".to_vec()).expect_err("no UTF-8");
        assert_eq!(error.1.headline(&error.0), "a:1:3: error: this is not UTF-8");
        // Only in front is it a mark.
        assert_eq!(SourceText::new("a", "b\u{feff}").text(), "b\u{feff}");
        let part = SourceText::part("a", b"\xef\xbb\xbfx".to_vec(), 7).expect("UTF-8");
        assert_eq!(part.text(), "\u{feff}x");
    }

    #[test]
    fn a_part_of_a_text_counts_its_lines_from_the_start_of_the_text() {
        let part = SourceText::part("a", b"one\ntwo\n".to_vec(), 10).expect("UTF-8");
        let diagnostic = Diagnostic::error(Span::new(4..7), "wrong");
        assert_eq!(diagnostic.headline(&part), "a:12:1: error: wrong");
        assert!(diagnostic.render(&part).contains("12 | two"), "{}", diagnostic.render(&part));
        let error = SourceText::part("a", b"one\nt\xffo\n".to_vec(), 10).expect_err("no UTF-8");
        assert_eq!(error.1.headline(&error.0), "a:12:2: error: this is not UTF-8");
    }

    #[test]
    fn a_span_in_the_middle_of_a_character_is_that_of_the_character() {
        let source = SourceText::new("a", "one\n\u{968be}x\n");
        for span in [Span::new(4..5), Span::new(5..6), Span::new(6..9), Span::new(7..7)] {
            let diagnostic = Diagnostic::error(span, "wrong");
            assert_eq!(diagnostic.headline(&source), "a:2:1: error: wrong");
            assert!(diagnostic.render(&source).contains("\u{968be}x"), "{}", diagnostic.render(&source));
        }
    }

    #[test]
    fn marks_of_direction_are_shown_as_escapes() {
        let source = SourceText::new("a", "x\u{202e}y");
        let diagnostic = Diagnostic::error(Span::new(0..5), "no name: `x\u{202e}y`");
        assert_eq!(diagnostic.headline(&source), "a:1:1: error: no name: `x\\u{202e}y`");
        assert!(!diagnostic.render(&source).contains('\u{202e}'));
    }

    #[test]
    fn a_message_that_quotes_an_endless_name_is_shortened() {
        let message = format!("unknown operator `{}`, here", "ä".repeat(100_000));
        let shown = Diagnostic::error(Span::new(0..1), message).render(&SourceText::new("t", "x"));
        assert!(shown.starts_with("error: unknown operator `ää") && shown.contains("ä...ä"), "{shown}");
        assert!(shown.contains("`, here\n") && shown.len() < 1200, "{shown}");
        let short = "ä".repeat(399);
        assert_eq!(Diagnostic::error(Span::new(0..1), short.clone()).message, short);
    }

    #[test]
    fn a_message_names_file_line_column_and_shows_the_text() {
        let source = SourceText::new("a.ssa", "v0 = getarg(0)\nv1 = ädd(v0, 1)\n");
        let at = source.text().find("ädd").unwrap();
        let error =
            Diagnostic::error(Span::new(at..at + 4), "unknown operation `ädd`").note("did you mean `add`?");
        assert_eq!(error.headline(&source), "a.ssa:2:6: error: unknown operation `ädd`");
        let shown = error.render(&source);
        assert!(shown.contains("2 | v1 = ädd(v0, 1)"), "{shown}");
        assert!(shown.contains("^^^"), "{shown}");
        assert!(shown.contains("did you mean `add`?"), "{shown}");
    }

    #[test]
    fn spans_past_the_end_and_empty_texts_render() {
        let source = SourceText::new("empty", "");
        let error = Diagnostic::error(Span::new(5..9), "nothing here");
        assert_eq!(error.headline(&source), "empty:1:1: error: nothing here");
        assert!(error.render(&source).contains("nothing here"));
    }

    #[test]
    fn of_many_diagnostics_the_errors_are_shown_and_the_others_counted() {
        let source = SourceText::new("a", "x\n".repeat(300));
        let mut diagnostics = Diagnostics::new();
        for at in 0..150 {
            diagnostics.warning(Span::new(2 * at..2 * at + 1), format!("warning {at}"));
        }
        diagnostics.error(Span::new(500..501), "the error");
        let shown = diagnostics.render(&source);
        assert!(shown.starts_with("error: the error\n   --> a:251:1"), "{shown}");
        assert!(shown.contains("warning 98\n") && !shown.contains("warning 99\n"), "{shown}");
        assert!(shown.ends_with("\n\nand 51 more"), "{shown}");
    }

    #[test]
    fn a_place_in_an_endless_line_is_shown_without_the_rest_of_it() {
        let source = SourceText::new("a", format!("first\n{}é{}", "x".repeat(1000), "y".repeat(1 << 24)));
        let (shown, line, range) = source.around(Span::new(1006..1 << 24));
        assert_eq!((line, &shown[range.clone()][..3]), (2, "éy"));
        assert_eq!((shown.len(), range.end), (3000, 3000));
        let whole = Diagnostic::error(Span::new(1006..1008), "this").render(&source);
        assert!(whole.contains("a:2:1001"), "{whole}");
    }

    #[test]
    fn bytes_that_are_not_utf8_are_located() {
        let (source, error) = *SourceText::from_bytes("b", b"ok\nx\xff".to_vec()).unwrap_err();
        assert_eq!(error.headline(&source), "b:2:2: error: this is not UTF-8");
    }
}
