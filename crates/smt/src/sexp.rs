//! S-expressions as solvers print them, and values in them.
//!
//! The answer to `get-value` is a list of pairs of a name and a value. Values of words are `#x..`, `#b..`
//! or `(_ bvN W)`; of floats `(fp #b. #b.. #b..)`, `(_ NaN 11 53)`, `(_ +oo 11 53)`, `(_ -zero 11 53)`.
//! Reading is iterative, so no depth of nesting overflows the stack.

use planish_ops::FloatFormat;

use crate::signature::Sort;
use crate::value::Value;

/// An atom or a list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Sexp {
    /// A symbol, numeral or string, without the bars of a quoted symbol.
    Atom(String),
    /// A list in parentheses.
    List(Vec<Sexp>),
}

impl Sexp {
    /// All expressions of a text, or `None` when its parentheses do not match.
    pub fn parse(text: &str) -> Option<Vec<Sexp>> {
        let mut open: Vec<Vec<Sexp>> = vec![Vec::new()];
        let mut rest = text;
        loop {
            rest = rest.trim_start();
            let Some(first) = rest.chars().next() else { break };
            let atom = match first {
                '(' => {
                    open.push(Vec::new());
                    rest = &rest[1..];
                    continue;
                }
                ')' => {
                    let list = open.pop()?;
                    open.last_mut()?.push(Sexp::List(list));
                    rest = &rest[1..];
                    continue;
                }
                ';' => {
                    rest = rest.find('\n').map_or("", |end| &rest[end..]);
                    continue;
                }
                '|' | '"' => {
                    let end = rest[1..].find(first)? + 1;
                    let atom = &rest[1..end];
                    rest = &rest[end + 1..];
                    atom
                }
                _ => {
                    let end =
                        rest.find(|c: char| c.is_whitespace() || "()|\";".contains(c)).unwrap_or(rest.len());
                    let atom = &rest[..end];
                    rest = &rest[end..];
                    atom
                }
            };
            open.last_mut()?.push(Sexp::Atom(atom.to_owned()));
        }
        let all = open.pop()?;
        open.is_empty().then_some(all)
    }

    fn atom(&self) -> Option<&str> {
        match self {
            Sexp::Atom(text) => Some(text),
            Sexp::List(_) => None,
        }
    }

    /// A name and its value in a pair of the answer to `get-value`.
    pub fn pair(&self) -> Option<(&str, &Sexp)> {
        match self {
            Sexp::List(items) => match items.as_slice() {
                [name, value] => Some((name.atom()?, value)),
                _ => None,
            },
            Sexp::Atom(_) => None,
        }
    }

    /// The value of this expression in a sort.
    pub fn value(&self, sort: Sort) -> Option<Value> {
        match sort {
            Sort::Bool => match self.atom()? {
                "true" => Some(Value::Truth(true)),
                "false" => Some(Value::Truth(false)),
                _ => None,
            },
            Sort::Bits(width) => {
                let (digits, value) = self.word()?;
                (digits == width).then(|| Value::bits(width, value))
            }
            Sort::Float(format) => Some(Value::float(format, self.encoding(format)?)),
        }
    }

    /// Width and value of a word.
    fn word(&self) -> Option<(u32, u128)> {
        match self {
            Sexp::Atom(text) => {
                let (digits, radix, bits) = match text.strip_prefix("#x") {
                    Some(digits) => (digits, 16, 4),
                    None => (text.strip_prefix("#b")?, 2, 1),
                };
                Some((digits.len() as u32 * bits, u128::from_str_radix(digits, radix).ok()?))
            }
            Sexp::List(items) => match items.as_slice() {
                [underscore, number, width] if underscore.atom() == Some("_") => {
                    let value = number.atom()?.strip_prefix("bv")?.parse().ok()?;
                    Some((width.atom()?.parse().ok()?, value))
                }
                _ => None,
            },
        }
    }

    /// The encoding of a float.
    fn encoding(&self, format: FloatFormat) -> Option<u64> {
        let (exponent, significand) = format.smt_sizes();
        let (sign_at, infinity) = (exponent + significand - 1, ((1u64 << exponent) - 1) << (significand - 1));
        let Sexp::List(items) = self else { return None };
        match items.as_slice() {
            [head, sign, high, low] if head.atom() == Some("fp") => {
                let ((1, sign), (e, high), (s, low)) = (sign.word()?, high.word()?, low.word()?) else {
                    return None;
                };
                let fits = e == exponent && s == significand - 1;
                fits.then_some((sign as u64) << sign_at | (high as u64) << (significand - 1) | low as u64)
            }
            [underscore, special, e, s] if underscore.atom() == Some("_") => {
                if e.atom()?.parse() != Ok(exponent) || s.atom()?.parse() != Ok(significand) {
                    return None;
                }
                match special.atom()? {
                    "NaN" => Some(infinity | 1 << (significand - 2)),
                    "+oo" => Some(infinity),
                    "-oo" => Some(1 << sign_at | infinity),
                    "+zero" => Some(0),
                    "-zero" => Some(1 << sign_at),
                    _ => None,
                }
            }
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn value(text: &str, sort: Sort) -> Option<Value> {
        Sexp::parse(text)?.first()?.value(sort)
    }

    #[test]
    fn values_in_every_form_that_solvers_print() {
        let f64_sort = Sort::Float(FloatFormat::F64);
        assert_eq!(value("#x0f", Sort::Bits(8)), Some(Value::bits(8, 15)));
        assert_eq!(value("#b101", Sort::Bits(3)), Some(Value::bits(3, 5)));
        assert_eq!(value("(_ bv7 64)", Sort::Bits(64)), Some(Value::bits(64, 7)));
        assert_eq!(value("#x0f", Sort::Bits(4)), None, "the width must be right");
        assert_eq!(value("true", Sort::Bool), Some(Value::Truth(true)));
        let one = "(fp #b0 #b01111111111 #x0000000000000)";
        assert_eq!(value(one, f64_sort), Some(Value::float(FloatFormat::F64, 1f64.to_bits())));
        let float = |x: f32| Some(Value::float(FloatFormat::F32, u64::from(x.to_bits())));
        let f32_sort = Sort::Float(FloatFormat::F32);
        assert_eq!(value("(_ -oo 8 24)", f32_sort), float(f32::NEG_INFINITY));
        assert_eq!(value("(_ -zero 8 24)", f32_sort), float(-0.0));
        assert_eq!(value("(_ NaN 8 24)", f32_sort), float(f32::NAN));
        assert_eq!(value("(fp #b1 #x80 #b10000000000000000000000)", f32_sort), float(-3.0));
    }

    #[test]
    fn pairs_with_quoted_names_and_unbalanced_text() {
        let answer = Sexp::parse("((x #x01)\n (|a b| #x02)) ; said so").expect("balanced");
        let Sexp::List(pairs) = &answer[0] else { panic!() };
        assert_eq!(pairs[1].pair().map(|(name, _)| name), Some("a b"));
        assert_eq!(Sexp::parse("((x"), None);
        assert_eq!(Sexp::parse("x))"), None);
        assert!(Sexp::parse(&"(".repeat(100_000)).is_none());
    }
}
