//! Numbers of targets as expressions over the constants of a pattern.
//!
//! A window is searched for several choices of its numbers. Where the targets differ in numbers only, what these are is looked for
//! among expressions that give them for all choices; so few are left that a proof decides. Masks and summands are mostly what the
//! window itself gives for a value of all ones, or for zero.

use std::collections::BTreeMap;

use planish_ops::{Int, Op};

use crate::pattern::{self, Types};
use crate::search::{Hit, over_constants};
use crate::term::{Kind, Term};

/// How many expressions for one number are tried.
const TRIED: usize = 2;

/// A target without its numbers, and what these are for some choices of the window's.
struct Shape<'a> {
    hit: &'a Hit,
    choices: Vec<(Vec<Int>, Vec<i64>)>,
}

/// The numbers of a target, and the text around them.
fn apart(target: &str) -> (Vec<String>, Vec<i64>) {
    let (mut around, mut numbers, mut text) = (Vec::new(), Vec::new(), String::new());
    let bytes = target.as_bytes();
    let mut at = 0;
    while at < bytes.len() {
        let begins = bytes[at].is_ascii_digit() || bytes[at] == b'-';
        let is_inside = at > 0 && (bytes[at - 1].is_ascii_alphanumeric() || bytes[at - 1] == b'_');
        let end = at + 1 + target[at + 1..].bytes().take_while(u8::is_ascii_digit).count();
        match target[at..end].parse() {
            Ok(number) if begins && !is_inside => {
                numbers.push(number);
                around.push(std::mem::take(&mut text));
                at = end;
            }
            _ => {
                text.push(char::from(bytes[at]));
                at += 1;
            }
        }
    }
    around.push(text);
    (around, numbers)
}

/// Whether there are numbers in a target.
pub fn has_numbers(target: &str) -> bool {
    !apart(target).1.is_empty()
}

/// The candidates for constants of any value, from what was found for several choices of numbers: those first that are of most.
pub fn fitted(term: &Term, types: Types, found: &[(Vec<Int>, Vec<Hit>)]) -> Vec<Hit> {
    let widths = term.types();
    if widths.len() != 1 {
        // Which number is of which width is not known.
        return Vec::new();
    }
    let mut shapes: BTreeMap<Vec<String>, Shape<'_>> = BTreeMap::new();
    for (numbers, hits) in found {
        for hit in hits {
            let (around, own) = apart(&hit.target);
            let shape = shapes.entry(around).or_insert(Shape { hit, choices: Vec::new() });
            if !own.is_empty() && shape.choices.iter().all(|(known, _)| known != numbers) {
                shape.choices.push((numbers.clone(), own));
            }
        }
    }
    let mut shapes: Vec<(Vec<String>, Shape<'_>)> =
        shapes.into_iter().filter(|(_, shape)| shape.choices.len() > 1).collect();
    shapes.sort_by_key(|(around, shape)| {
        (shape.hit.cost, std::cmp::Reverse(shape.choices.len()), around.clone())
    });
    shapes.iter().flat_map(|(around, shape)| of_shape(term, types, around, shape)).collect()
}

fn of_shape(term: &Term, types: Types, around: &[String], shape: &Shape<'_>) -> Vec<Hit> {
    let choices: Vec<Vec<Int>> = shape.choices.iter().map(|(numbers, _)| numbers.clone()).collect();
    let mut pool = with_values(term, &choices);
    pool.extend(over_constants(term, types, &choices));
    let width = term.root().ty.int_width().unwrap_or(64);
    let fits = |hole: usize| -> Vec<&str> {
        let wanted = |index: usize| Int::new(width, shape.choices[index].1[hole] as u64).unsigned();
        let is_fitting =
            |values: &Vec<u64>| values.iter().enumerate().all(|(index, &value)| value == wanted(index));
        pool.iter()
            .filter(|(_, values)| is_fitting(values))
            .map(|(text, _)| text.as_str())
            .take(TRIED)
            .collect()
    };
    let holes: Vec<Vec<&str>> = (0..around.len() - 1).map(fits).collect();
    if holes.iter().any(Vec::is_empty) {
        return Vec::new();
    }
    // All first expressions, then each with its second one.
    let seconds = (0..holes.len()).filter(|&hole| holes[hole].len() > 1).map(Some);
    let choose = |second: Option<usize>| -> Hit {
        let mut hit = Hit { target: around[0].clone(), steps: Vec::new(), cost: shape.hit.cost };
        for (hole, texts) in holes.iter().enumerate() {
            let expression = texts[usize::from(second == Some(hole))];
            hit.target.push_str(&named(term, expression, &mut hit.steps));
            hit.target.push_str(&around[hole + 1]);
        }
        hit
    };
    std::iter::once(None).chain(seconds).map(choose).collect()
}

/// An expression in a target: itself if it is a name or a number, else the name of a step.
fn named(term: &Term, expression: &str, steps: &mut Vec<(String, String)>) -> String {
    if expression.chars().all(|c| c.is_alphanumeric() || c == '_') || expression.parse::<i64>().is_ok() {
        return expression.to_owned();
    }
    if let Some((name, _)) = steps.iter().find(|(_, known)| known == expression) {
        return name.clone();
    }
    let name = pattern::constant(term.constant_types().len() + steps.len());
    steps.push((name.clone(), expression.to_owned()));
    name
}

/// What the window itself gives where its one value is all ones, or zero.
fn with_values(term: &Term, choices: &[Vec<Int>]) -> Vec<(String, Vec<u64>)> {
    let [ty] = term.value_types()[..] else { return Vec::new() };
    let width = ty.int_width().unwrap_or(64);
    [(-1i64, "-1"), (0, "0")]
        .into_iter()
        .filter_map(|(number, text)| {
            let value = Int::new(width, number as u64);
            let values: Option<Vec<u64>> = choices
                .iter()
                .map(|numbers| Some(term.evaluate(&[value], numbers)?.last()?.unsigned()))
                .collect();
            Some((expression(term, term.nodes.len() - 1, text)?, values?))
        })
        .collect()
}

/// A node as an expression in which the value is this text.
fn expression(term: &Term, at: usize, value: &str) -> Option<String> {
    let (op, args) = match &term.nodes[at].kind {
        Kind::Value(_) => return Some(value.to_owned()),
        Kind::Constant(number) => return Some(pattern::constant(*number as usize)),
        Kind::Literal(number) => return Some(number.to_string()),
        Kind::Op(op, args) => (*op, args),
    };
    let args: Option<Vec<String>> = args.iter().map(|&arg| expression(term, arg as usize, value)).collect();
    let inside = |text: &String| if text.contains(' ') { format!("({text})") } else { text.clone() };
    match (op, args?.as_slice()) {
        (Op::Not, [x]) => Some(format!("~{}", inside(x))),
        (Op::Neg, [x]) => Some(format!("-{}", inside(x))),
        (op, [x, y]) => symbol(op).map(|symbol| format!("{} {symbol} {}", inside(x), inside(y))),
        _ => None,
    }
}

fn symbol(op: Op) -> Option<&'static str> {
    Some(match op {
        Op::Add => "+",
        Op::Sub => "-",
        Op::Mul => "*",
        Op::And => "&",
        Op::Or => "|",
        Op::Xor => "^",
        Op::Lshift => "<<",
        Op::Rshift => ">>",
        Op::Urshift => ">>u",
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::apart;

    #[test]
    fn numbers_are_told_from_names() {
        let (around, numbers) = apart("and(lshift(x, 26), -8)");
        assert_eq!((around.concat(), numbers), ("and(lshift(x, ), )".to_owned(), vec![26, -8]));
        assert_eq!(apart("add(C1, x2)").1, Vec::<i64>::new());
    }
}
