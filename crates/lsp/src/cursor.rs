//! What stands at a place of a rule file, and what may stand there.
//!
//! A place is understood from the tokens of its line alone, so that this works while the rule is being written.

use planish_base::Span;
use planish_domain::methods::Method;
use planish_ops::Op;
use planish_rules::functions::Function;
use planish_rules::lexer::{Kind, Line, Token};

use crate::document::Document;

/// Which part of a rule a place is in.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Part {
    /// The name of a rule.
    Name,
    /// In the brackets after it.
    Marks,
    /// A pattern or target.
    Term,
    /// Behind the colon of a term.
    Type,
    /// Where a line between pattern and target begins.
    Start,
    /// A condition, or what computes a constant.
    Expression,
    /// Behind a point.
    Member,
    /// A comment or a reason.
    Text,
}

/// What stands at a place.
#[derive(Clone, Copy, Debug)]
pub enum Thing {
    /// The name of a rule.
    Rule,
    /// A mark of a rule.
    Mark,
    /// An operation.
    Operation(Op),
    /// A function of constants.
    Function(&'static Function),
    /// A question about facts.
    Method(&'static Method),
    /// A type, or the name of one.
    Type,
    /// A variable or constant.
    Variable,
    /// A word of the language.
    Keyword(&'static str),
}

/// Words of the language, and what they mean.
pub const KEYWORDS: [(&str, &str); 13] = [
    ("check", "The rule applies only where this condition holds."),
    ("SORRY_Z3", "No proof is asked for; the reason follows. The rule is not optimized with."),
    ("LONG_BIT", "The number of bits of the type at hand."),
    ("MININT", "The smallest signed number of the type at hand."),
    ("MAXINT", "The largest signed number of the type at hand."),
    ("inf", "Infinity."),
    ("nan", "Not a number; all are one value."),
    ("pass", "The guard always passes."),
    ("fail", "The guard always fails."),
    ("and", "Both hold."),
    ("or", "At least one holds."),
    ("not", "It does not hold."),
    ("width", "The number of bits of a type or of a variable's type."),
];

/// Marks of a rule, and what they mean.
pub const MARKS: [(&str, &str); 3] = [
    ("explore", "Proved like any other, but for the e-graph engine only; exempt from cost and order."),
    ("pays", "Fires only where the operations that die with the root cost at least what the target makes."),
    ("certified", "The rule guesses constants, and its checks certify them in exact arithmetic."),
];

/// What stands at a place, and where it begins and ends.
pub fn thing(document: &Document, byte: usize) -> Option<(Thing, Span)> {
    let touches = |token: &Token| {
        token.kind == Kind::Name && (token.span.start as usize..=token.span.end as usize).contains(&byte)
    };
    let (line, index) =
        (document.lines.iter()).find_map(|line| Some((line, line.tokens.iter().position(touches)?)))?;
    let span = line.tokens[index].span;
    let word = document.source.slice(span);
    let calls = line.tokens.get(index + 1).is_some_and(|next| next.kind == Kind::Symbol("("));
    let keyword = KEYWORDS.iter().find(|(name, _)| *name == word).map(|(name, _)| Thing::Keyword(name));
    let thing = match part(line, document, index) {
        Part::Text => return None,
        Part::Name => Thing::Rule,
        Part::Marks => Thing::Mark,
        Part::Type => Thing::Type,
        Part::Member => Thing::Method(Method::named(word)?),
        Part::Term if calls => Thing::Operation(Op::from_name(word).or_else(|| Op::from_pypy_name(word))?),
        Part::Expression if calls && keyword.is_none() => Thing::Function(Function::named(word)?),
        _ => keyword.unwrap_or(Thing::Variable),
    };
    Some((thing, span))
}

/// In which part of a rule what is written at a place would stand.
pub fn part_at(document: &Document, byte: usize) -> Part {
    let start = document.text()[..byte].rfind('\n').map_or(0, |at| at + 1);
    let is_comment = |line: &Line| {
        line.comments.iter().any(|span| span.start as usize <= byte && byte <= span.end as usize)
    };
    if document.lines.iter().any(is_comment) {
        return Part::Text;
    }
    // A word that is being written is no context of itself.
    let is_before = |token: &Token| {
        let end = token.span.end as usize;
        end < byte || (end == byte && token.kind != Kind::Name)
    };
    let of = |line: &&Line| line.tokens.first().is_some_and(|token| (token.span.start as usize) < byte);
    let line = document.lines.iter().rev().find(of);
    let ended = |line: &Line| (line.end.start as usize) < byte;
    match line.filter(|line| !ended(line)) {
        Some(line) => part(line, document, line.tokens.iter().filter(|token| is_before(token)).count()),
        None if document.text()[start..byte].starts_with([' ', '\t']) => Part::Start,
        None => Part::Name,
    }
}

/// The part in which the token with this index stands, by those before it in its line.
fn part(line: &Line, document: &Document, index: usize) -> Part {
    let symbol = |token: &Token, wanted: &'static str| token.kind == Kind::Symbol(wanted);
    let (before, last) = (&line.tokens[..index], index.checked_sub(1).map(|at| &line.tokens[at]));
    let mut part = if line.margin { Part::Name } else { Part::Start };
    for (at, token) in before.iter().enumerate() {
        let word = (token.kind == Kind::Name).then(|| document.source.slice(token.span));
        part = match (part, word) {
            (Part::Name, _) if symbol(token, "[") => Part::Marks,
            (Part::Marks, _) if symbol(token, "]") => Part::Name,
            (Part::Name, _) if symbol(token, ":") => Part::Term,
            (Part::Start, Some("SORRY_Z3")) => Part::Text,
            (Part::Start, Some("check")) => Part::Expression,
            (Part::Start, Some(_)) if line.tokens.get(at + 1).is_some_and(|t| symbol(t, "=")) => {
                Part::Expression
            }
            (_, _) if symbol(token, "=>") => Part::Term,
            (part, _) => part,
        };
    }
    match (part, last) {
        // The colon behind the name and its marks is no type's.
        (Part::Term, Some(last)) if symbol(last, ":") && !ends_head(line, index - 1) => Part::Type,
        (Part::Expression, Some(last)) if symbol(last, ".") => Part::Member,
        (part, _) => part,
    }
}

/// Whether the colon with this index is the one after the rule's name and marks.
fn ends_head(line: &Line, index: usize) -> bool {
    let colons = line.tokens.iter().enumerate().filter(|(_, token)| token.kind == Kind::Symbol(":"));
    line.margin && colons.map(|(at, _)| at).next() == Some(index)
}
