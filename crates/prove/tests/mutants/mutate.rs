//! Mutants of rules, as mutation testing makes them of programs (DeMillo, Lipton and Sayward, "Hints on test data
//! selection", Computer 1978): one small mistake that a person could make.

use std::ops::Range;

use planish_base::{Diagnostics, SourceText};
use planish_rules::lexer::{self, Kind};

/// Names and symbols that are taken for each other.
const NEIGHBOURS: &[&[&str]] = &[
    &["lt", "le", "gt", "ge", "ult", "ule", "ugt", "uge", "eq", "ne"],
    &["sdiv", "udiv", "floordiv"],
    &["srem", "urem", "floormod"],
    &["sdiv", "srem"],
    &["udiv", "urem"],
    &["floordiv", "floormod"],
    &["lshift", "rshift", "urshift", "rotl", "rotr"],
    &["sext", "zext", "trunc"],
    &["min", "max", "umin", "umax"],
    &["and", "or", "xor"],
    &["add", "sub", "or", "xor"],
    &["mul", "umulh", "smulh", "and", "lshift"],
    &["neg", "not", "abs", "force_ge_zero"],
    &["clz", "ctz", "popcount", "bswap"],
    &["is_true", "is_zero", "not"],
    &["add_ovf", "uadd_ovf", "sub_ovf", "usub_ovf"],
    &["mul_ovf", "umul_ovf"],
    &["fadd", "fsub"],
    &["fmul", "fdiv", "frem"],
    &["fneg", "fabs", "fsqrt"],
    &["flt", "fle", "fgt", "fge", "feq", "fne"],
    &["fcmpl", "fcmpg"],
    &["signed_to_float", "unsigned_to_float"],
    &["float_to_signed_sat", "float_to_unsigned_sat", "float_to_signed"],
    &["guard_true", "guard_false"],
    &["pass", "fail"],
    &["<", "<=", ">", ">=", "==", "!=", "<u", "<=u", ">u", ">=u"],
    &["+", "-", "|", "^"],
    &["*", "&", "+"],
    &["<<", ">>", ">>u"],
    &["//", "//u"],
    &["%", "%u"],
    &["known_lt", "known_le", "known_gt", "known_ge", "known_ne"],
    &[
        "known_unsigned_lt",
        "known_unsigned_le",
        "known_unsigned_gt",
        "known_unsigned_ge",
        "known_lt",
        "known_le",
    ],
    &["known_lt_const", "known_le_const", "known_gt_const", "known_ge_const", "known_eq_const"],
    &[
        "known_unsigned_lt_const",
        "known_unsigned_le_const",
        "known_unsigned_gt_const",
        "known_unsigned_ge_const",
    ],
    &["known_unsigned_lt_const", "known_lt_const"],
    &["known_unsigned_le_const", "known_le_const"],
    &["known_nonnegative", "known_nonzero", "is_bool", "is_constant"],
    &["and_bound", "or_bound", "xor_bound", "add_bound", "sub_bound", "mul_bound"],
    &["lshift_bound", "rshift_bound", "urshift_bound"],
    &[
        "add_bound_cannot_overflow",
        "sub_bound_cannot_overflow",
        "mul_bound_cannot_overflow",
        "lshift_bound_cannot_overflow",
    ],
    &["lower", "upper", "unsigned_lower", "unsigned_upper"],
    &["ones", "zeros", "tvalue", "tmask"],
    &["MININT", "MAXINT", "LONG_BIT"],
    &["i1", "i8", "i16", "i32", "i64"],
    &["f32", "f64"],
];

/// Names that are no variables.
const KEYWORDS: &[&str] =
    &["check", "and", "or", "not", "pass", "fail", "MININT", "MAXINT", "LONG_BIT", "inf", "nan", "SORRY_Z3"];

/// Numbers in no order (xorshift64*).
pub struct Draw(pub u64);

impl Draw {
    pub fn next(&mut self) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        self.0.wrapping_mul(0x2545_f491_4f6c_dd1d)
    }

    /// A number below `end`.
    pub fn below(&mut self, end: usize) -> usize {
        ((u128::from(self.next()) * end as u128) >> 64) as usize
    }

    /// One of these; nothing of nothing.
    pub fn one<'a, T>(&mut self, of: &'a [T]) -> Option<&'a T> {
        (!of.is_empty()).then(|| &of[self.below(of.len())])
    }
}

/// The text of a rule, and its tokens without those before the pattern.
struct Text<'a> {
    text: &'a str,
    tokens: Vec<(Kind, Range<usize>)>,
}

impl<'a> Text<'a> {
    fn new(text: &'a str) -> Text<'a> {
        let source = SourceText::new("mutant.rules", text);
        let lines = lexer::lines(&source, &mut Diagnostics::new());
        let all = lines.iter().flat_map(|line| &line.tokens);
        let mut tokens: Vec<(Kind, Range<usize>)> =
            all.map(|token| (token.kind, token.span.range())).collect();
        let head = tokens.iter().position(|(_, at)| &text[at.clone()] == ":").map_or(0, |colon| colon + 1);
        tokens.drain(..head);
        Text { text, tokens }
    }

    fn word(&self, index: usize) -> &'a str {
        self.tokens.get(index).map_or("", |(_, at)| &self.text[at.clone()])
    }

    fn before(&self, index: usize) -> &'a str {
        index.checked_sub(1).map_or("", |before| self.word(before))
    }

    fn is_variable(&self, index: usize) -> bool {
        let word = self.word(index);
        self.tokens[index].0 == Kind::Name
            && !KEYWORDS.contains(&word)
            && self.word(index + 1) != "("
            && !matches!(self.before(index), "." | ":")
    }

    /// The text with a range of it replaced.
    fn with(&self, at: Range<usize>, instead: &str) -> String {
        format!("{}{instead}{}", &self.text[..at.start], &self.text[at.end..])
    }
}

/// A rule with one mistake; nothing where the mistake that was drawn has no place in it.
pub fn mutant(text: &str, draw: &mut Draw) -> Option<String> {
    let rule = Text::new(text);
    match draw.below(12) {
        0..=3 => neighbour(&rule, draw),
        4 | 5 => number(&rule, draw),
        6 => variable(&rule, draw),
        7 => exchanged(&rule, draw),
        8 => without_check(&rule, draw),
        9 => without_conjunct(&rule, draw),
        10 => ascription(&rule, draw),
        _ => bare(&rule, draw),
    }
}

/// A name or symbol for one that is taken for it.
fn neighbour(rule: &Text<'_>, draw: &mut Draw) -> Option<String> {
    let places: Vec<(usize, &[&str])> = (0..rule.tokens.len())
        .flat_map(|index| {
            let of = NEIGHBOURS.iter().filter(move |group| group.contains(&rule.word(index)));
            of.map(move |&group| (index, group))
        })
        .collect();
    let &(index, group) = draw.one(&places)?;
    let instead = draw.one(group)?;
    (*instead != rule.word(index)).then(|| rule.with(rule.tokens[index].1.clone(), instead))
}

/// A number that is one off, twice or half as large, negated or another one of the rule.
fn number(rule: &Text<'_>, draw: &mut Draw) -> Option<String> {
    let of_kind = |kind: Kind| (0..rule.tokens.len()).filter(move |&index| rule.tokens[index].0 == kind);
    let numbers: Vec<usize> = of_kind(Kind::Integer).chain(of_kind(Kind::Float)).collect();
    let &index = draw.one(&numbers)?;
    let (kind, at) = rule.tokens[index].clone();
    let instead = if kind == Kind::Integer {
        let value: i128 = rule.word(index).parse().ok()?;
        let &other = draw.one(&numbers)?;
        match draw.below(7) {
            0 | 1 => (value + 1).to_string(),
            2 => (value - 1).to_string(),
            3 => (value * 2).to_string(),
            4 => (value / 2).to_string(),
            5 => (-value).to_string(),
            _ => rule.word(other).to_owned(),
        }
    } else {
        let value: f64 = rule.word(index).parse().ok()?;
        let near =
            [-value, value * 2.0, value / 2.0, 1.0 / value, value + 1.0, 0.1, 0.0, -0.0, f64::MIN_POSITIVE];
        format!("{:?}", draw.one(&near)?)
    };
    Some(rule.with(at, &instead))
}

/// Another variable of the rule.
fn variable(rule: &Text<'_>, draw: &mut Draw) -> Option<String> {
    let variables: Vec<usize> = (0..rule.tokens.len()).filter(|&index| rule.is_variable(index)).collect();
    let (&index, &other) = (draw.one(&variables)?, draw.one(&variables)?);
    let (old, new) = (rule.word(index), rule.word(other));
    (old != new).then(|| rule.with(rule.tokens[index].1.clone(), new))
}

/// The ranges of the operands of an operation or function, whose name stands at `index`.
fn operands(rule: &Text<'_>, index: usize) -> Vec<Range<usize>> {
    let (mut depth, mut start, mut found) = (0, rule.tokens[index + 1].1.end, Vec::new());
    for (_, at) in &rule.tokens[index + 1..] {
        let word = &rule.text[at.clone()];
        match word {
            "(" => depth += 1,
            ")" => depth -= 1,
            _ => {}
        }
        if (word == "," && depth == 1) || depth == 0 {
            found.push(start..at.start);
            start = at.end;
        }
        if depth == 0 {
            break;
        }
    }
    found
}

/// Two operands change places.
fn exchanged(rule: &Text<'_>, draw: &mut Draw) -> Option<String> {
    let is_call = |index: &usize| rule.tokens[*index].0 == Kind::Name && rule.word(index + 1) == "(";
    let calls: Vec<usize> = (0..rule.tokens.len()).filter(is_call).collect();
    let operands = operands(rule, *draw.one(&calls)?);
    let first = draw.below(operands.len().checked_sub(1).filter(|&pairs| pairs > 0)?);
    let (one, other) = (operands[first].clone(), operands[first + 1].clone());
    let [a, b] = [one.clone(), other.clone()].map(|at| rule.text[at].trim());
    (a != b).then(|| rule.with(one.start..other.end, &format!("{b}, {a}")))
}

/// The rule without one of its checks.
fn without_check(rule: &Text<'_>, draw: &mut Draw) -> Option<String> {
    let lines: Vec<&str> = rule.text.lines().collect();
    let is_check = |index: &usize| lines[*index].trim_start().starts_with("check ");
    let checks: Vec<usize> = (0..lines.len()).filter(is_check).collect();
    let gone = *draw.one(&checks)?;
    let kept: Vec<&str> = (0..lines.len()).filter(|&index| index != gone).map(|index| lines[index]).collect();
    Some(format!("{}\n", kept.join("\n")))
}

/// A check without a part, or with one turned around.
fn without_conjunct(rule: &Text<'_>, draw: &mut Draw) -> Option<String> {
    let is_between = |index: &usize| matches!(rule.word(*index), "and" | "or") && rule.word(index + 1) != "(";
    let between: Vec<usize> = (0..rule.tokens.len()).filter(is_between).collect();
    let Some(&index) = draw.one(&between) else {
        let checks: Vec<usize> = (0..rule.tokens.len()).filter(|&at| rule.word(at) == "check").collect();
        let at = rule.tokens[*draw.one(&checks)?].1.end;
        return Some(rule.with(at..at, " not"));
    };
    let is_end = |at: &usize| matches!(rule.word(*at), "and" | "or" | "check" | "=>");
    let at = rule.tokens[index].1.clone();
    if draw.below(3) == 0 {
        return Some(rule.with(at, if rule.word(index) == "and" { "or" } else { "and" }));
    }
    if draw.below(2) == 0 {
        let end = (index + 1..rule.tokens.len()).find(is_end)?;
        // What follows stands on a line of its own.
        let stop = if matches!(rule.word(end), "and" | "or") {
            rule.tokens[end].1.start
        } else {
            rule.text[at.start..].find('\n').map(|length| at.start + length)?
        };
        return Some(rule.with(at.start..stop, ""));
    }
    let start = (0..index).rev().find(is_end)?;
    Some(rule.with(rule.tokens[start].1.end..at.end, ""))
}

/// Another type after a colon, or none.
fn ascription(rule: &Text<'_>, draw: &mut Draw) -> Option<String> {
    let colons: Vec<usize> = (0..rule.tokens.len()).filter(|&index| rule.word(index) == ":").collect();
    let (&index, &other) = (draw.one(&colons)?, draw.one(&colons)?);
    let (old, new) = (rule.word(index + 1), rule.word(other + 1));
    if draw.below(3) == 0 {
        let end = rule.tokens.get(index + 1)?.1.end;
        return Some(rule.with(rule.tokens[index].1.start..end, ""));
    }
    (old != new).then(|| rule.with(rule.tokens[index + 1].1.clone(), new))
}

/// An operation that is left out: its first operand in its place. At the root of the pattern that makes no rule.
fn bare(rule: &Text<'_>, draw: &mut Draw) -> Option<String> {
    let is_call = |index: &usize| {
        rule.tokens[*index].0 == Kind::Name && rule.word(index + 1) == "(" && rule.before(*index) != "."
    };
    let calls: Vec<usize> = (1..rule.tokens.len()).filter(is_call).collect();
    let &index = draw.one(&calls)?;
    let operands = operands(rule, index);
    let (first, last) = (operands.first()?.clone(), operands.last()?.clone());
    let inner = rule.text[first].to_owned();
    Some(rule.with(rule.tokens[index].1.start..last.end + 1, &inner))
}
