//! Text of a program as it can be shown to a person.
//!
//! Names and string constants hold any character. Some would steer the terminal that shows them, others turn the
//! direction of the text around them, so that it reads as what it is not
//! (*Trojan Source*, Boucher and Anderson, 2021). They are shown as the escapes that Rust has for them.

use std::borrow::Cow;

/// The text with escapes for what steers a terminal or turns the direction of the text. Line feeds and tabs stay. O(length).
pub fn shown(text: &str) -> Cow<'_, str> {
    // Nearly all texts are ASCII with no more than line feeds.
    let is_plain = |byte: u8| matches!(byte, b'\n' | b'\t' | b' '..=b'~');
    if text.bytes().all(is_plain) || !text.char_indices().any(|(at, c)| is_hidden(c, &text[at..])) {
        return Cow::Borrowed(text);
    }
    let mut shown = String::with_capacity(text.len() + 16);
    for (at, c) in text.char_indices() {
        match is_hidden(c, &text[at..]) {
            true => shown.extend(c.escape_default()),
            false => shown.push(c),
        }
    }
    Cow::Owned(shown)
}

/// Whether a character, with which a rest begins, is not shown as it is. A carriage return is, at the end of a line.
fn is_hidden(c: char, rest: &str) -> bool {
    match c {
        '\n' | '\t' => false,
        '\r' => !rest.starts_with("\r\n"),
        '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' => true,
        _ => c.is_control(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_steers_a_terminal_or_turns_text_is_an_escape() {
        let text = "a\x1b[31m\u{9b}1m\u{202e}b\u{2067}\u{61c}\x07\r";
        assert_eq!(shown(text), "a\\u{1b}[31m\\u{9b}1m\\u{202e}b\\u{2067}\\u{61c}\\u{7}\\r");
    }

    #[test]
    fn everything_else_stays() {
        for text in ["a\tb\nc", "a\r\nb\r\n", "größer שלום 漢字", ""] {
            assert!(matches!(shown(text), Cow::Borrowed(same) if same == text), "{text:?}");
        }
    }
}
