//! Text of a rule file to tokens, line by line.
//!
//! A rule file is read in *logical lines*: a line break inside parentheses does not end a line, unless
//! the next line begins at the margin, with `=>` or with `check` (so that a forgotten parenthesis spoils
//! one line and not the file). Comments are kept, since a rule's comment is its documentation.
//!
//! Every byte sequence lexes: what is no token becomes a diagnostic and is skipped.

use planish_base::{Diagnostic, Diagnostics, SourceText, Span};

/// What a token is. Names and numbers are read from the text by their span.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// A name or keyword.
    Name,
    /// A decimal or hexadecimal integer without sign.
    Integer,
    /// A number with a point or an exponent.
    Float,
    /// An operator or bracket.
    Symbol(&'static str),
    /// The rest of a line that begins with `SORRY_Z3`: a reason, in plain language.
    Reason,
}

/// A token and where it stands.
#[derive(Clone, Copy, Debug)]
pub struct Token {
    /// What it is.
    pub kind: Kind,
    /// Where it stands.
    pub span: Span,
}

/// One logical line: its tokens, whether it begins at the margin, and the comment that ends it.
#[derive(Clone, Debug, Default)]
pub struct Line {
    /// The tokens; none for a line that is only a comment.
    pub tokens: Vec<Token>,
    /// Whether the first token (or the comment) stands in the first column.
    pub margin: bool,
    /// The texts of the comments of the line, without `#`.
    pub comments: Vec<Span>,
    /// Whether the line has neither tokens nor comments.
    pub blank: bool,
    /// Whether something in it is no token, which was reported: what the line says is not known.
    pub spoiled: bool,
    /// The end of the line.
    pub end: Span,
}

/// Operators and brackets, longer ones before their prefixes.
const SYMBOLS: &[&str] = &[
    ">>u", "<=u", ">=u", "//u", "<u", ">u", "%u", "=>", "==", "!=", "<<", ">>", "<=", ">=", "//", "<", ">",
    "=", "+", "-", "*", "/", "%", "&", "|", "^", "~", "(", ")", "[", "]", ",", ":", ".",
];

/// Splits a file into logical lines. O(length).
pub fn lines(source: &SourceText, diagnostics: &mut Diagnostics) -> Vec<Line> {
    let text = source.text();
    let mut lines = Vec::new();
    let mut line = Line::default();
    let mut depth = 0usize;
    let mut at = 0;
    let mut line_start = 0;
    while at < text.len() {
        let rest = &text[at..];
        let first = rest.as_bytes()[0];
        match first {
            b'\n' => {
                let next_is_margin =
                    !matches!(rest.as_bytes().get(1), Some(b' ' | b'\t' | b'\r' | b'#' | b'\n'));
                let next = rest[1..].trim_start_matches([' ', '\t']);
                if depth == 0 || next_is_margin || next.starts_with("=>") || next.starts_with("check ") {
                    finish(&mut line, &mut lines, at);
                    depth = 0;
                }
                at += 1;
                line_start = at;
            }
            b' ' | b'\t' | b'\r' => at += 1,
            b'#' => {
                let end = rest.find('\n').map_or(text.len(), |n| at + n);
                if line.tokens.is_empty() && line.comments.is_empty() {
                    line.margin = at == line_start;
                }
                line.comments.push(Span::new(at + 1..end));
                at = end;
            }
            _ => {
                let (kind, len) = token(rest);
                let span = Span::new(at..at + len);
                if line.tokens.is_empty() && line.comments.is_empty() && !line.spoiled {
                    line.margin = at == line_start;
                }
                match kind {
                    Some(kind) => {
                        match kind {
                            Kind::Symbol("(") => depth += 1,
                            Kind::Symbol(")") => depth = depth.saturating_sub(1),
                            _ => {}
                        }
                        line.tokens.push(Token { kind, span });
                        if line.tokens.len() == 1 && &rest[..len] == "SORRY_Z3" {
                            let end = rest.find('\n').map_or(text.len(), |n| at + n);
                            line.tokens.push(Token { kind: Kind::Reason, span: Span::new(at + len..end) });
                            at = end;
                            continue;
                        }
                    }
                    None => {
                        diagnostics.push(Diagnostic::error(span, no_token(&rest[..len])));
                        line.spoiled = true;
                    }
                }
                at += len;
            }
        }
    }
    finish(&mut line, &mut lines, at);
    lines
}

/// What is wrong with a piece of text that is no token.
fn no_token(what: &str) -> String {
    if what.bytes().all(|b| b.is_ascii_digit()) {
        format!("`{what}` is too large: integers have at most 64 bits")
    } else if what.as_bytes()[0].is_ascii_digit() {
        format!("`{what}` is not a number")
    } else {
        format!("`{what}` means nothing in a rule")
    }
}

fn finish(line: &mut Line, lines: &mut Vec<Line>, at: usize) {
    let mut done = std::mem::take(line);
    done.blank = done.tokens.is_empty() && done.comments.is_empty() && !done.spoiled;
    done.end = Span::new(at..at);
    lines.push(done);
}

/// The kind of the token at the beginning of `text` (which is not empty) and its length in bytes.
fn token(text: &str) -> (Option<Kind>, usize) {
    let bytes = text.as_bytes();
    let is_name = |b: u8| b.is_ascii_alphanumeric() || b == b'_';
    if bytes[0].is_ascii_digit() {
        let mut len = bytes.iter().take_while(|&&b| is_name(b)).count();
        let mut float = false;
        if bytes.get(len) == Some(&b'.') && bytes.get(len + 1).is_some_and(u8::is_ascii_digit) {
            float = true;
            len += 1 + bytes[len + 1..].iter().take_while(|&&b| is_name(b)).count();
        }
        // A signed exponent: the sign belongs to the number.
        if float && bytes[len - 1] == b'e' && matches!(bytes.get(len), Some(b'+' | b'-')) {
            len += 1 + bytes[len + 1..].iter().take_while(|&&b| b.is_ascii_digit()).count();
        }
        let written = &text[..len];
        let kind = if float {
            written.parse::<f64>().ok().map(|_| Kind::Float)
        } else {
            parse_integer(written).map(|_| Kind::Integer)
        };
        return (kind, len);
    }
    if is_name(bytes[0]) {
        return (Some(Kind::Name), bytes.iter().take_while(|&&b| is_name(b)).count());
    }
    for &symbol in SYMBOLS {
        // `<u` is an operator, `<upper` is `<` and a name.
        let glued = symbol.ends_with('u') && bytes.get(symbol.len()).is_some_and(|&b| is_name(b));
        if text.starts_with(symbol) && !glued {
            return (Some(Kind::Symbol(symbol)), symbol.len());
        }
    }
    (None, text.chars().next().map_or(1, char::len_utf8))
}

/// The value of an integer token, if it is one of at most 64 bits.
pub fn parse_integer(text: &str) -> Option<u64> {
    match text.strip_prefix("0x") {
        Some(digits) if !digits.starts_with('+') => u64::from_str_radix(digits, 16).ok(),
        Some(_) => None,
        None => text.parse().ok(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kinds(text: &str) -> Vec<String> {
        let source = SourceText::new("t.rules", text);
        let mut diagnostics = Diagnostics::new();
        let lines = lines(&source, &mut diagnostics);
        assert!(diagnostics.is_empty(), "{}", diagnostics.render(&source));
        lines.iter().flat_map(|l| &l.tokens).map(|t| source.slice(t.span).to_string()).collect()
    }

    /// S5.10
    #[test]
    fn unsigned_operators_are_tokens_and_names_after_operators_are_not_eaten() {
        assert_eq!(kinds("C1 <u C2 >>u C3"), ["C1", "<u", "C2", ">>u", "C3"]);
        assert_eq!(kinds("C1<upper"), ["C1", "<", "upper"]);
        assert_eq!(kinds("a>=ub"), ["a", ">=", "ub"]);
        assert_eq!(kinds("C1 %u C2 //u C3"), ["C1", "%u", "C2", "//u", "C3"]);
        assert_eq!(kinds("a%upper//ub / c"), ["a", "%", "upper", "//", "ub", "/", "c"]);
    }

    #[test]
    fn numbers_have_points_exponents_and_bases() {
        assert_eq!(kinds("0x7f 12 1.5 2.0e-3+1"), ["0x7f", "12", "1.5", "2.0e-3", "+", "1"]);
    }

    #[test]
    fn parentheses_join_lines_until_one_begins_at_the_margin() {
        let source = SourceText::new("t.rules", "a: add(x,\n   0)\n    => x\nb: add(x\nc: d\n");
        let lines = lines(&source, &mut Diagnostics::new());
        let counts: Vec<usize> = lines.iter().map(|l| l.tokens.len()).collect();
        assert_eq!(counts, [8, 2, 5, 3, 0]);
    }

    #[test]
    fn what_is_no_token_is_reported_and_skipped() {
        let source = SourceText::new("t.rules", "a $ ü 12x 99999999999999999999");
        let mut diagnostics = Diagnostics::new();
        let lines = lines(&source, &mut diagnostics);
        assert_eq!(lines[0].tokens.len(), 1);
        assert_eq!(diagnostics.len(), 4);
    }
}
