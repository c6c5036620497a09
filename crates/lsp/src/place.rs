//! Bytes of a text, and the positions in lines that a client speaks of.

use std::ops::Range;

use lsp_types::Position;
use planish_base::Span;

/// In what a client counts the columns of a line.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Encoding {
    /// In bytes.
    Utf8,
    /// In units of UTF-16, which every client knows.
    Utf16,
}

/// Where the lines of a text begin.
#[derive(Clone, Debug)]
pub struct Places {
    starts: Vec<usize>,
    encoding: Encoding,
}

impl Places {
    /// The lines of a text.
    pub fn new(text: &str, encoding: Encoding) -> Places {
        let breaks = text.bytes().enumerate().filter(|(_, b)| *b == b'\n').map(|(at, _)| at + 1);
        Places { starts: std::iter::once(0).chain(breaks).collect(), encoding }
    }

    /// The position of a byte.
    pub fn position(&self, text: &str, byte: usize) -> Position {
        let byte = text.floor_char_boundary(byte.min(text.len()));
        let line = self.starts.partition_point(|&start| start <= byte) - 1;
        let before = &text[self.starts[line]..byte];
        let column = match self.encoding {
            Encoding::Utf8 => before.len(),
            Encoding::Utf16 => before.encode_utf16().count(),
        };
        Position { line: line as u32, character: column as u32 }
    }

    /// The byte at a position; the end of the line where that is shorter, of the text where it has fewer lines.
    pub fn byte(&self, text: &str, position: Position) -> usize {
        let Some(&start) = self.starts.get(position.line as usize) else { return text.len() };
        let end = self.starts.get(position.line as usize + 1).map_or(text.len(), |next| next - 1);
        let (line, wanted) = (&text[start..end], position.character as usize);
        match self.encoding {
            Encoding::Utf8 => start + line.floor_char_boundary(wanted.min(line.len())),
            Encoding::Utf16 => {
                let mut units = 0;
                let inside = line.char_indices().find(|(_, c)| {
                    units += c.len_utf16();
                    units > wanted
                });
                start + inside.map_or(line.len(), |(at, _)| at)
            }
        }
    }

    /// The positions of a range of bytes.
    pub fn range(&self, text: &str, bytes: Range<usize>) -> lsp_types::Range {
        lsp_types::Range { start: self.position(text, bytes.start), end: self.position(text, bytes.end) }
    }

    /// The positions of a span.
    pub fn span(&self, text: &str, span: Span) -> lsp_types::Range {
        self.range(text, span.range())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_counted_as_the_client_counts() {
        let text = "# \u{e4}\u{1d538}b\nxy";
        for (encoding, column) in [(Encoding::Utf8, 8), (Encoding::Utf16, 5)] {
            let places = Places::new(text, encoding);
            let at_b = Position { line: 0, character: column };
            assert_eq!(places.byte(text, at_b), 8);
            assert_eq!(places.position(text, 8), at_b);
            assert_eq!(places.position(text, 11), Position { line: 1, character: 1 });
            assert_eq!(places.byte(text, Position { line: 0, character: 99 }), 9);
            assert_eq!(places.byte(text, Position { line: 7, character: 0 }), text.len());
        }
    }
}
