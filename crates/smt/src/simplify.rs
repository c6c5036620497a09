//! What is simplified while terms are built.
//!
//! Only identities that hold by inspection, so that little of a proof rests on this file: the neutral
//! and absorbing operands of each function, double negation, equal operands, and truth values that
//! travel as the words 0 and 1, which is how comparisons come out of the table. Constants are folded
//! before (see [`crate::term`]). Everything here is tested against the machine at every value of
//! small widths; the solver is left the work that needs a solver.

use planish_ops::Bits;

use crate::signature::{Binary, Sort, Unary};
use crate::term::{Node, Pool, Term};
use crate::value::Value;

impl Pool {
    /// A simpler form of `op(a)`, where a is no constant.
    pub(crate) fn simple_unary(&mut self, op: Unary, a: Term) -> Option<Term> {
        match (op, self.node(a)) {
            // ¬¬a = a, and likewise for complement and the sign of a float.
            (Unary::Negate | Unary::Not | Unary::FNeg, Node::Unary(inner, b)) if inner == op => Some(b),
            (Unary::FAbs, Node::Unary(Unary::FNeg | Unary::FAbs, b)) => Some(self.unary(Unary::FAbs, b)),
            // An extension or extraction of everything.
            (Unary::Extract { width, .. } | Unary::ZeroExtend(width) | Unary::SignExtend(width), _)
                if self.width(a) == width =>
            {
                Some(a)
            }
            (Unary::Extract { low, width }, Node::Unary(Unary::Extract { low: inner, .. }, b)) => {
                Some(self.unary(Unary::Extract { low: low + inner, width }, b))
            }
            // Low bits of an extension are low bits of what was extended, or all of it.
            (Unary::Extract { low: 0, width }, Node::Unary(Unary::ZeroExtend(_), b)) => {
                Some(if width <= self.width(b) {
                    self.truncate(b, width)
                } else {
                    self.zero_extend(b, width)
                })
            }
            (Unary::Extract { low: 0, width }, Node::Unary(Unary::SignExtend(_), b)) => {
                Some(if width <= self.width(b) {
                    self.truncate(b, width)
                } else {
                    self.sign_extend(b, width)
                })
            }
            // A zero-extended word is not negative, so extending its sign extends zeros.
            (Unary::ZeroExtend(width) | Unary::SignExtend(width), Node::Unary(Unary::ZeroExtend(_), b)) => {
                Some(self.zero_extend(b, width))
            }
            (Unary::SignExtend(width), Node::Unary(Unary::SignExtend(_), b)) => {
                Some(self.sign_extend(b, width))
            }
            // A function of a choice between constants is a choice between constants.
            (
                Unary::Extract { .. } | Unary::ZeroExtend(_) | Unary::SignExtend(_) | Unary::Not,
                Node::Select(c, x, y),
            ) if self.value(x).is_some() && self.value(y).is_some() => {
                let (x, y) = (self.unary(op, x), self.unary(op, y));
                Some(self.choose(c, x, y))
            }
            _ => None,
        }
    }

    /// A simpler form of `op(a, b)`, where not both are constants, and a is none if `op` commutes.
    pub(crate) fn simple_binary(&mut self, op: Binary, a: Term, b: Term) -> Option<Term> {
        if a == b
            && let Some(simple) = self.equal_operands(op, a)
        {
            return Some(simple);
        }
        if let Some(simple) = self.constant_operand(op, a, b) {
            return Some(simple);
        }
        if matches!(op, Binary::FMul | Binary::FDiv)
            && let Some(simple) = self.sign_outside(op, a, b)
        {
            return Some(simple);
        }
        if let Some(simple) = self.shifted_twice(op, a, b) {
            return Some(simple);
        }
        match op {
            Binary::Both | Binary::Either if self.opposite(a, b) => Some(self.truth(op == Binary::Either)),
            Binary::Same if self.sort(a) == Sort::Bool && self.opposite(a, b) => Some(self.truth(false)),
            _ => None,
        }
    }

    /// -x * y = -(x * y), and likewise for quotients: the sign of a result is that of its operands, rounding to nearest
    /// knows no sign, and there is one NaN.
    fn sign_outside(&mut self, op: Binary, a: Term, b: Term) -> Option<Term> {
        let positive = |term: Term| match self.node(term) {
            Node::Unary(Unary::FNeg, inner) => Some(inner),
            _ => None,
        };
        let (a, b, odd) = match (positive(a), positive(b)) {
            (None, None) => return None,
            (Some(a), Some(b)) => (a, b, false),
            (Some(a), None) => (a, b, true),
            (None, Some(b)) => (a, b, true),
        };
        let result = self.binary(op, a, b);
        Some(if odd { self.unary(Unary::FNeg, result) } else { result })
    }

    /// Two shifts in one direction by constants are one.
    fn shifted_twice(&mut self, op: Binary, a: Term, amount: Term) -> Option<Term> {
        let Node::Binary(inner, word, first) = self.node(a) else { return None };
        if inner != op || !matches!(op, Binary::Shl | Binary::Lshr | Binary::Ashr) {
            return None;
        }
        let (Value::Bits { width, value: x }, Value::Bits { value: y, .. }) =
            (self.value(first)?, self.value(amount)?)
        else {
            return None;
        };
        // Each amount alone may be the width or more, which shifts as the width does: everything out. The width
        // itself is a word of this many bits where there are two.
        let total = x.min(u128::from(width)) + y.min(u128::from(width));
        let total = match op {
            Binary::Ashr => total.min(u128::from(width) - 1),
            _ if total >= u128::from(width) => return Some(self.zero(word)),
            _ => total,
        };
        let total = self.constant(Value::bits(width, total));
        Some(self.binary(op, word, total))
    }

    /// Whether one of two truth values is the negation of the other.
    fn opposite(&self, a: Term, b: Term) -> bool {
        self.node(a) == Node::Unary(Unary::Negate, b) || self.node(b) == Node::Unary(Unary::Negate, a)
    }

    fn equal_operands(&mut self, op: Binary, a: Term) -> Option<Term> {
        use Binary::*;
        match op {
            Both | Either | And | Or => Some(a),
            Same => Some(self.truth(true)),
            Ult | Slt | FLt => Some(self.truth(false)),
            Sub | Xor => Some(self.zero(a)),
            // The remainder of a by itself is 0, also for a = 0, where it is a.
            Urem | Srem => Some(self.zero(a)),
            _ => None,
        }
    }

    fn constant_operand(&mut self, op: Binary, a: Term, b: Term) -> Option<Term> {
        use Binary::*;
        if let Some(Value::Bits { width, value }) = self.value(b) {
            let ones = u128::MAX >> (128 - width);
            return match op {
                Add | Sub | Or | Xor | Shl | Lshr | Ashr if value == 0 => Some(a),
                Mul | And if value == 0 => Some(b),
                // In one bit, 1 is -1, and a / -1 is a as well.
                Mul | Udiv | Sdiv if value == 1 => Some(a),
                And if value == ones => Some(a),
                Or if value == ones => Some(b),
                Xor if value == ones => Some(self.not(a)),
                Shl | Lshr if value >= u128::from(width) => Some(self.zero(a)),
                // Nothing is below zero.
                Ult if value == 0 => Some(self.truth(false)),
                Same => self.select_equals(a, b),
                _ => None,
            };
        }
        if let Some(Value::Bits { width, value }) = self.value(a) {
            return match op {
                Shl | Lshr | Ashr if value == 0 => Some(a),
                Ult if value == u128::MAX >> (128 - width) => Some(self.truth(false)),
                _ => None,
            };
        }
        if let Some(Value::Truth(value)) = self.value(b) {
            return match (op, value) {
                (Both, true) | (Either, false) | (Same, true) => Some(a),
                (Both, false) | (Either, true) => Some(b),
                (Same, false) => Some(self.negate(a)),
                _ => None,
            };
        }
        None
    }

    /// Whether a choice between two constants equals a third: the condition, its negation, or a
    /// constant.
    fn select_equals(&mut self, a: Term, constant: Term) -> Option<Term> {
        let Node::Select(condition, x, y) = self.node(a) else { return None };
        if self.value(x).is_none() || self.value(y).is_none() {
            return None;
        }
        // Constants are equal when they are the same term.
        Some(match (x == constant, y == constant) {
            (true, true) => self.truth(true),
            (true, false) => condition,
            (false, true) => self.negate(condition),
            (false, false) => self.truth(false),
        })
    }

    /// A simpler form of a choice.
    pub(crate) fn simple_select(&mut self, condition: Term, then: Term, other: Term) -> Option<Term> {
        if then == other {
            return Some(then);
        }
        match self.node(condition) {
            Node::Truth(value) => return Some(if value { then } else { other }),
            Node::Unary(Unary::Negate, positive) => return Some(self.choose(positive, other, then)),
            _ => {}
        }
        // Truth as a choice between truths.
        match (self.value(then), self.value(other)) {
            (Some(Value::Truth(true)), Some(Value::Truth(false))) => return Some(condition),
            (Some(Value::Truth(false)), Some(Value::Truth(true))) => return Some(self.negate(condition)),
            _ => {}
        }
        // The same condition asked again inside an arm.
        if let Node::Select(inner, x, _) = self.node(then)
            && inner == condition
        {
            return Some(self.choose(condition, x, other));
        }
        if let Node::Select(inner, _, y) = self.node(other)
            && inner == condition
        {
            return Some(self.choose(condition, then, y));
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use planish_base::Id;
    use planish_ops::FloatFormat;

    use super::*;
    use crate::query::Model;
    use crate::term::Variable;
    use crate::value::{binary, unary};

    /// At every pair of numbers of all kinds: zeros, subnormal and ordinary ones, infinities and NaN, and pairs of which
    /// the product and the quotient are rounded.
    #[test]
    fn signs_move_out_of_products_and_quotients() {
        for format in [FloatFormat::F32, FloatFormat::F64] {
            let numbers: Vec<Value> = match format {
                FloatFormat::F32 => {
                    [0.0, 1e-45, 1e-40, 0.1, 1.0, 3.0, 16_777_217.0, 3.3e38, f32::INFINITY, f32::NAN]
                        .iter()
                        .flat_map(|&x: &f32| [x, -x])
                        .map(|x| Value::float(format, u64::from(x.to_bits())))
                        .collect()
                }
                FloatFormat::F64 => {
                    [0.0, 5e-324, 1e-310, 0.1, 1.0, 3.0, 1e17 + 1.0, 1.7e308, f64::INFINITY, f64::NAN]
                        .iter()
                        .flat_map(|&x: &f64| [x, -x])
                        .map(|x| Value::float(format, x.to_bits()))
                        .collect()
                }
            };
            for op in [Binary::FMul, Binary::FDiv] {
                for (&a, &b) in numbers.iter().flat_map(|a| numbers.iter().map(move |b| (a, b))) {
                    let negated = |x: Value| unary(Unary::FNeg, x);
                    assert_eq!(binary(op, negated(a), b), negated(binary(op, a, b)), "{op:?} {a} {b}");
                    assert_eq!(binary(op, a, negated(b)), negated(binary(op, a, b)), "{op:?} {a} {b}");
                }
                let mut pool = Pool::new();
                let [x, y] = ["x", "y"].map(|name| pool.variable(name, Sort::Float(format)));
                let (minus_x, minus_y) = (pool.unary(Unary::FNeg, x), pool.unary(Unary::FNeg, y));
                assert_eq!(pool.binary(op, minus_x, minus_y), pool.binary(op, x, y));
                assert_eq!(pool.binary(op, minus_x, y), pool.binary(op, x, minus_y));
            }
        }
    }

    /// At every value and every two amounts of small widths, those of the width and more included.
    #[test]
    fn two_shifts_in_one_direction_are_one() {
        for width in 1..=4 {
            let words = || (0..1 << width).map(|value| Value::bits(width, value));
            for op in [Binary::Shl, Binary::Lshr, Binary::Ashr] {
                for (first, second) in words().flat_map(|x| words().map(move |y| (x, y))) {
                    let mut pool = Pool::new();
                    let x = pool.variable("x", Sort::Bits(width));
                    let (c, d) = (pool.constant(first), pool.constant(second));
                    let once = pool.binary(op, x, c);
                    let twice = pool.binary(op, once, d);
                    for value in words() {
                        let mut model = Model::new();
                        model.set(Variable::from_index(0), value);
                        let expected = binary(op, binary(op, value, first), second);
                        assert_eq!(model.evaluate(&pool, &[twice])[0], expected, "{op:?} {first} {second}");
                    }
                }
            }
        }
    }
}
