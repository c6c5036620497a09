//! What can be computed from the constants of a rule, from small to large.
//!
//! Of expressions that have one value in every example the smallest is kept. One that shifts out of range or divides by zero in an
//! example has no value there: the rule does not apply then. It has to have one in all usual examples, and is no large one.

use std::collections::BTreeSet;

use planish_base::Id;
use planish_ops::{Bits, Datum, Int, Machine};
use planish_rules::Rule;
use planish_rules::eval::{concrete, integer_literal};
use planish_rules::rule::{Literal, Ty, VarKind};

use super::examples::Example;
use super::vocabulary::of_pattern;

/// How many operators an expression has at most.
const SIZE: usize = 3;

/// How many operators an expression has at most that is without a value in some examples.
const PARTIAL_SIZE: usize = 2;

/// How many expressions there are at most, and how many of those that are without a value in some examples.
const MOST: usize = 4000;
const MOST_PARTIAL: usize = 800;

/// An expression.
#[derive(Clone, Debug)]
pub struct Expression {
    /// As it is written in a rule.
    pub text: String,
    /// Its value in each example, if it has one there.
    pub values: Vec<Option<Int>>,
    /// Whether it is a name or a number.
    pub is_atom: bool,
    /// Whether it has a value in every example.
    pub is_total: bool,
}

type Unary = (&'static str, fn(Int) -> Int);
type Binary = (&'static str, fn(Int, Int) -> Option<Int>, bool);

/// The functions of one word; `@` stands for the operand.
const UNARY: [Unary; 5] = [
    ("-@", |a| Machine.neg(a)),
    ("~@", |a| Machine.not(a)),
    ("ctz(@)", |a| Machine.trailing_zeros(a)),
    ("clz(@)", |a| Machine.leading_zeros(a)),
    ("popcount(@)", |a| Machine.popcount(a)),
];

/// The operators, and whether their operands may change places.
const BINARY: [Binary; 11] = [
    ("+", |a, b| Some(Machine.add(a, b)), true),
    ("-", |a, b| Some(Machine.sub(a, b)), false),
    ("&", |a, b| Some(Machine.and(a, b)), true),
    ("|", |a, b| Some(Machine.or(a, b)), true),
    ("^", |a, b| Some(Machine.xor(a, b)), true),
    ("*", |a, b| Some(Machine.mul(a, b)), true),
    ("<<", |a, b| in_range(a, b).then(|| Machine.shl(a, b)), false),
    (">>u", |a, b| in_range(a, b).then(|| Machine.lshr(a, b)), false),
    (">>", |a, b| in_range(a, b).then(|| Machine.ashr(a, b)), false),
    ("//u", |a, b| (b.unsigned() != 0).then(|| Machine.udiv(a, b)), false),
    ("%u", |a, b| (b.unsigned() != 0).then(|| Machine.urem(a, b)), false),
];

fn in_range(a: Int, amount: Int) -> bool {
    amount.unsigned() < u64::from(a.width())
}

/// The expressions of a type over the constants of a rule and the numbers of its pattern, small ones first.
pub fn expressions(rule: &Rule, ty: Ty, examples: &[Example]) -> Vec<Expression> {
    let usual = examples.iter().map(|example| example.is_usual).collect();
    let mut found = Found { by_size: vec![Vec::new()], known: BTreeSet::new(), usual, count: 0, partial: 0 };
    for (id, var) in rule.vars.iter().filter(|(_, var)| var.kind == VarKind::Constant && var.ty == ty) {
        let values = examples.iter().map(|example| match example.case.data[id.index()] {
            Some(Datum::Word(word)) => Some(word),
            _ => None,
        });
        found.add(0, var.name.clone(), true, values.collect());
    }
    let literals = [0, 1, -1].map(|value| (value.to_string(), Literal::Integer(value)));
    let named =
        [Literal::LongBit, Literal::MinInt, Literal::MaxInt].map(|literal| (literal.to_string(), literal));
    let of_pattern = of_pattern(rule).into_iter().map(|value| (value.to_string(), Literal::Integer(value)));
    for (text, literal) in literals.into_iter().chain(named).chain(of_pattern) {
        let value = |example: &Example| {
            let width = concrete(ty, &example.types).int_width()?;
            integer_literal(literal, width).map(|bits| Int::new(width, bits))
        };
        found.add(0, text, true, examples.iter().map(value).collect());
    }
    for size in 1..=SIZE {
        found.by_size.push(Vec::new());
        found.grow(size);
    }
    found.by_size.into_iter().flatten().collect()
}

struct Found {
    by_size: Vec<Vec<Expression>>,
    /// The values of those that were found.
    known: BTreeSet<Vec<Option<u64>>>,
    /// Which examples are usual.
    usual: Vec<bool>,
    count: usize,
    partial: usize,
}

impl Found {
    /// Keeps an expression that has values where they count and is like none before.
    fn add(&mut self, size: usize, text: String, is_atom: bool, values: Vec<Option<Int>>) {
        let is_total = values.iter().all(Option::is_some);
        let is_usual = || {
            let mut usual = self.usual.iter().zip(&values).filter(|(is_usual, _)| **is_usual).peekable();
            usual.peek().is_some() && usual.all(|(_, value)| value.is_some())
        };
        let is_partial = || !is_atom && size <= PARTIAL_SIZE && self.partial < MOST_PARTIAL && is_usual();
        if self.count >= MOST || !(is_total || is_partial()) {
            return;
        }
        if self.known.insert(values.iter().map(|value| value.map(Int::unsigned)).collect()) {
            self.count += usize::from(is_total);
            self.partial += usize::from(!is_total);
            self.by_size[size].push(Expression { text, values, is_atom, is_total });
        }
    }

    /// Those of a size that may be operands in one of another.
    fn operands(&self, size: usize, within: usize) -> Vec<Expression> {
        let all = self.by_size[size].iter();
        all.filter(|expression| expression.is_total || within <= PARTIAL_SIZE).cloned().collect()
    }

    /// Finds those of a size from smaller ones.
    fn grow(&mut self, size: usize) {
        for below in self.operands(size - 1, size) {
            for (pattern, function) in UNARY {
                let operand = if pattern.contains('(') { below.text.clone() } else { inside(&below) };
                let text = pattern.replace('@', &operand);
                self.add(size, text, false, below.values.iter().map(|a| a.map(function)).collect());
            }
        }
        for left in 0..size {
            let (left, right) = (self.operands(left, size), self.operands(size - 1 - left, size));
            for (a, b) in left.iter().flat_map(|a| right.iter().map(move |b| (a, b))) {
                if self.count >= MOST {
                    return;
                }
                for (symbol, function, commutes) in BINARY {
                    if commutes && a.text > b.text {
                        continue;
                    }
                    let values = a.values.iter().zip(&b.values).map(|(&x, &y)| function(x?, y?)).collect();
                    self.add(size, format!("{} {symbol} {}", inside(a), inside(b)), false, values);
                }
            }
        }
    }
}

/// An expression as an operand.
fn inside(expression: &Expression) -> String {
    let is_call =
        expression.text.ends_with(')') && expression.text.starts_with(|c: char| c.is_ascii_lowercase());
    if expression.is_atom || is_call && !expression.text.contains(' ') {
        expression.text.clone()
    } else {
        format!("({})", expression.text)
    }
}
