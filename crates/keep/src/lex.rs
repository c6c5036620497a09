//! Words of the configuration language.
//!
//! White space divides words; `{ } ( ) , ;` and `@` in front of a name are words of their own, and so is
//! `!` in front of anything. `#` begins a comment. Names in quotes may hold anything.

use planish_base::Span;

/// A word and where it stands.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Word {
    /// The text, without quotes.
    pub text: String,
    /// Where it stands.
    pub span: Span,
    /// Whether it was quoted: then it is a name and nothing else.
    pub quoted: bool,
}

/// The words of a text; the error is a quote that does not end. After options that take a path, a word
/// is all up to white space, so that paths may hold anything.
pub fn words(text: &str) -> Result<Vec<Word>, Span> {
    let bytes = text.as_bytes();
    let mut words: Vec<Word> = Vec::new();
    let mut at = 0;
    while at < bytes.len() {
        let start = at;
        match bytes[at] {
            byte if byte.is_ascii_whitespace() => {
                at += 1;
                continue;
            }
            b'#' => {
                at += bytes[at..].iter().position(|byte| *byte == b'\n').unwrap_or(bytes.len() - at);
                continue;
            }
            quote @ (b'\'' | b'"') => {
                let Some(length) = bytes[at + 1..].iter().position(|byte| *byte == quote) else {
                    return Err(Span::new(start..bytes.len()));
                };
                at += length + 2;
                words.push(Word {
                    text: text[start + 1..at - 1].to_owned(),
                    span: Span::new(start..at),
                    quoted: true,
                });
                continue;
            }
            b'{' | b'}' | b'(' | b')' | b',' | b';' | b'!' | b'=' => at += 1,
            b'@' => at += 1,
            _ => {
                while at < bytes.len()
                    && !bytes[at].is_ascii_whitespace()
                    && !b"{}(),;!@#'\"=".contains(&bytes[at])
                {
                    at += 1;
                }
            }
        }
        words.push(Word { text: text[start..at].to_owned(), span: Span::new(start..at), quoted: false });
    }
    Ok(words)
}
