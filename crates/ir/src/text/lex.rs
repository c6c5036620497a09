//! Words of the `.ssa` text.

use planish_base::{Diagnostics, Span};

/// A word.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Token<'t> {
    /// A name or keyword.
    Word(&'t str),
    /// A name in quotes, which stand outside of the slice.
    Quoted(&'t str),
    /// An integer, with its sign.
    Integer(&'t str),
    /// A float, with its sign.
    Float(&'t str),
    /// One of `( ) { } [ ] , : = @ & *`.
    Mark(char),
    /// `->`
    Arrow,
    /// The end of the text.
    End,
}

impl std::fmt::Display for Token<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Token::Word(text) | Token::Integer(text) | Token::Float(text) => write!(f, "`{text}`"),
            Token::Quoted(text) => write!(f, "`\"{text}\"`"),
            Token::Mark(c) => write!(f, "`{c}`"),
            Token::Arrow => f.write_str("`->`"),
            Token::End => f.write_str("the end of the text"),
        }
    }
}

/// Whether a character may stand in a name without quotes.
pub(super) fn is_word(c: char) -> bool {
    c.is_alphanumeric() || matches!(c, '_' | '.' | '$' | '%')
}

/// Divides a text into words; the last is [`Token::End`]. O(length).
pub(super) fn tokens<'t>(text: &'t str, diagnostics: &mut Diagnostics) -> Vec<(Token<'t>, Span)> {
    // A word is seldom shorter than four bytes, with what is around it.
    let mut tokens = Vec::with_capacity(text.len() / 4);
    let mut position = 0;
    while let Some(&byte) = text.as_bytes().get(position) {
        if byte == b' ' || byte == b'\n' {
            position += 1;
            continue;
        }
        let rest = &text[position..];
        let c = if byte.is_ascii() { char::from(byte) } else { rest.chars().next().unwrap_or_default() };
        let (token, len) = match c {
            _ if c.is_whitespace() => (None, c.len_utf8()),
            '#' | ';' => (None, rest.find('\n').unwrap_or(rest.len())),
            '(' | ')' | '{' | '}' | '[' | ']' | ',' | ':' | '=' | '@' | '&' | '*' => {
                (Some(Token::Mark(c)), 1)
            }
            '-' if rest.starts_with("->") => (Some(Token::Arrow), 2),
            '"' => match rest[1..].find(['"', '\n']) {
                Some(end) if rest.as_bytes()[end + 1] == b'"' => {
                    (Some(Token::Quoted(&rest[1..end + 1])), end + 2)
                }
                found => {
                    let len = found.map_or(rest.len(), |end| end + 1);
                    diagnostics
                        .error(Span::new(position..position + len), "this quote is not closed on its line");
                    (None, len)
                }
            },
            '-' | '+' | '0'..='9' => number(rest),
            _ if is_word(c) => {
                let len = word(rest);
                (Some(Token::Word(&rest[..len])), len)
            }
            _ => {
                diagnostics.error(
                    Span::new(position..position + c.len_utf8()),
                    format!("unexpected character `{c}`"),
                );
                (None, c.len_utf8())
            }
        };
        if let Some(token) = token {
            tokens.push((token, Span::new(position..position + len)));
        }
        position += len;
    }
    tokens.push((Token::End, Span::new(text.len()..text.len())));
    tokens
}

/// The length of the characters of a word at the start of a text.
fn word(rest: &str) -> usize {
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'.' | b'$' | b'%');
    match rest.bytes().position(|byte| !is_plain(byte)) {
        Some(end) if rest.as_bytes()[end].is_ascii() => end,
        Some(_) => rest.find(|c| !is_word(c)).unwrap_or(rest.len()),
        None => rest.len(),
    }
}

/// A number at the start of a text, or a word that begins like one (`3d` is a name).
fn number(rest: &str) -> (Option<Token<'_>>, usize) {
    let signed = usize::from(rest.starts_with(['-', '+']));
    let body = &rest[signed..];
    // Nearly all are digits and nothing else.
    let digits = body.bytes().take_while(u8::is_ascii_digit).count();
    if digits > 0 && body.as_bytes().get(digits).is_none_or(|&b| b.is_ascii() && !is_word(char::from(b))) {
        return (Some(Token::Integer(&rest[..signed + digits])), signed + digits);
    }
    if body.starts_with("inf") || body.starts_with("nan") {
        return (Some(Token::Float(&rest[..signed + 3])), signed + 3);
    }
    let mut previous = ' ';
    let len = body
        .find(|c: char| {
            let part = is_word(c) || (matches!(c, '-' | '+') && matches!(previous, 'e' | 'E'));
            previous = c;
            !part
        })
        .unwrap_or(body.len());
    let text = &rest[..signed + len];
    let token = if body[..len].bytes().all(|b| b.is_ascii_digit()) {
        Token::Integer(text)
    } else if text.parse::<f64>().is_ok() {
        Token::Float(text)
    } else {
        Token::Word(text)
    };
    (Some(token), text.len().max(1))
}
