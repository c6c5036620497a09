//! Terms as text of the rule language.

use planish_ops::{Op, Type};

use crate::term::{Kind, Node, Term};

/// The names of values.
const VALUES: [&str; 4] = ["x", "y", "z", "w"];

/// How types are written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Types {
    /// Not at all: the rule is about every width.
    Left,
    /// At values and conversions.
    Written,
}

/// The name of a value.
pub fn value(number: u8) -> &'static str {
    VALUES[number as usize]
}

/// The name of a constant.
pub fn constant(number: usize) -> String {
    format!("C{}", number + 1)
}

/// An operation with operands that are written already.
pub fn operation(op: Op, ty: Type, args: &[String], types: Types) -> String {
    let text = format!("{}({})", op.row().name, args.join(", "));
    if types == Types::Written && op.row().conversion.is_some() { format!("{text}: {ty}") } else { text }
}

/// The text of each node, as it stands in a target.
pub fn texts(term: &Term, types: Types) -> Vec<String> {
    let mut texts: Vec<String> = Vec::new();
    for Node { kind, ty } in &term.nodes {
        let text = match kind {
            Kind::Value(number) => value(*number).to_owned(),
            Kind::Constant(number) => constant(*number as usize),
            Kind::Literal(number) => number.to_string(),
            Kind::Op(op, args) => {
                let args: Vec<String> = args.iter().map(|&arg| texts[arg as usize].clone()).collect();
                operation(*op, *ty, &args, types)
            }
        };
        texts.push(text);
    }
    texts
}

/// The term as a pattern: values have their types where they stand first, if types are written.
pub fn pattern(term: &Term, types: Types) -> String {
    let text = texts(term, types).pop().expect("a term has a root");
    if types == Types::Left {
        return text;
    }
    term.value_types().iter().enumerate().fold(text, |text, (number, ty)| {
        let name = value(number as u8);
        let is_name = |at: usize| {
            let beside = |c: Option<char>| c.is_some_and(|c| c.is_alphanumeric() || c == '_');
            !beside(text[..at].chars().next_back()) && !beside(text[at + name.len()..].chars().next())
        };
        match text.match_indices(name).map(|(at, _)| at).find(|&at| is_name(at)) {
            Some(at) => format!("{}{name}: {ty}{}", &text[..at], &text[at + name.len()..]),
            None => text,
        }
    })
}

/// A name for a rule that says what becomes of what: `and_or_not_is_xor`.
pub fn name(term: &Term, target: &str) -> String {
    let mut words: Vec<&str> = Vec::new();
    preorder(term, term.nodes.len() - 1, &mut words);
    let made: String = target.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect();
    let made = match (made.as_str(), target) {
        (_, "0") => "zero",
        (_, "1") => "one",
        (_, "-1") => "ones",
        ("", _) => "constant",
        (word, _) if word.starts_with(|c: char| c.is_ascii_uppercase() || c.is_ascii_digit()) => "constant",
        ("x" | "y" | "z" | "w", _) => "operand",
        (word, _) => word,
    };
    format!("{}_is_{made}", words.join("_"))
}

fn preorder(term: &Term, at: usize, words: &mut Vec<&str>) {
    if let Kind::Op(op, args) = &term.nodes[at].kind {
        words.push(op.row().name);
        args.iter().for_each(|&arg| preorder(term, arg as usize, words));
    }
}
