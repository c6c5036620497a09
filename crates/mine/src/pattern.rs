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

/// The term as a pattern in quotes, and in how many bits its values are, where that is known.
pub fn window(term: &Term, types: Types) -> String {
    let known = (0..term.bits.len() as u8).filter_map(|number| Some((value(number), term.bits_of(number)?)));
    let known: Vec<String> = known.map(|(name, bits)| format!("`{name}` is below 2^{bits}")).collect();
    match known.is_empty() {
        true => format!("`{}`", pattern(term, types)),
        false => format!("`{}` where {}", pattern(term, types), known.join(" and ")),
    }
}

/// What a rule may ask of the values of a term that are known to be small, the weakest first: that they are not negative, or 0 or 1,
/// or below a constant of the term, or below a power of two.
pub fn checks(term: &Term) -> Vec<String> {
    let types = term.value_types();
    let small =
        (0..).zip(&types).filter_map(|(number, ty)| Some((value(number), term.bits_of(number)?, *ty)));
    let small: Vec<(&str, u8, Type)> = small.collect();
    let asked = |of: &dyn Fn(&str, u8, Type) -> String| {
        let all: Vec<String> = small.iter().map(|&(name, bits, ty)| of(name, bits, ty)).collect();
        format!("check {}", all.join(" and "))
    };
    let nonnegative = |name: &str| format!("{name}.known_nonnegative()");
    let or_bool = |name: &str, bits: u8, _: Type| match bits {
        1 => format!("{name}.is_bool()"),
        _ => nonnegative(name),
    };
    let or_below = |name: &str, bits: u8, ty: Type| match u32::from(bits) + 1 {
        2 => format!("{name}.is_bool()"),
        all if ty.int_width() == Some(all) => nonnegative(name),
        _ => format!("{} and {name}.known_lt_const({})", nonnegative(name), 1u64 << bits),
    };
    let mut checks = vec![asked(&|name, _, _| nonnegative(name)), asked(&or_bool)];
    for number in 0..term.constant_types().len() {
        checks.push(asked(&|name, _, _| format!("{name}.known_unsigned_lt_const({})", constant(number))));
    }
    checks.push(asked(&or_below));
    checks.dedup();
    checks
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
