//! Floats as words: a query about floats as one about their encodings.
//!
//! The sign of a float, what it is compared with, a choice between floats and their encodings are functions of bits, and are said
//! exactly. Arithmetic and conversions are *unknown*: words of which nothing is known but that equal operands give equal
//! results, and what these theorems say. So what has no model in words has none in floats; a model says something only
//! where it is one of the query itself.
//!
//! ```text
//! NaN        is the result where an operand is
//! identity   x + -0 = x - 0 = x * 1 = x / 1 = x;   x * -1 = x / -1 = -0 - x = -x
//! sign       x - y = x + -y;   a product or quotient has the size of that of the sizes, and the sign of both signs
//! power      x / c = x * (1 / c), where c and 1 / c are powers of two (and no subnormals): both round one number
//! double     x * 2 = x / (1/2) = x + x, with the sign of x
//! widening   f64(x) = f64(y) only where x = y, and the order is the same; y may be a constant
//! ```
//!
//! What is computed in the wide format and narrowed is computed in the narrow one ([`narrowed`](mod@narrowed)).

mod narrowed;

use planish_base::Id;
use planish_ops::{Bits, FloatFormat};

use crate::query::{Model, Query};
use crate::signature::{Binary, Sort, Unary};
use crate::term::{Node, Pool, Term, Variable};
use crate::value::Value;

/// A query about words in place of one about floats.
pub(crate) struct Encoded {
    /// If this has no model, neither has the other.
    pub query: Query,
    /// Variables for floats, and the words for them.
    variables: Vec<(Variable, FloatFormat, Variable)>,
}

impl Encoded {
    /// The query in words; `None` of one without floats. The pool grows.
    pub fn of(pool: &mut Pool, query: &Query) -> Option<Encoded> {
        let reached = pool.reachable(&query.assertions);
        let is_float = |index: usize| matches!(pool.sort(Term::from_index(index)), Sort::Float(_));
        if !(0..reached.len()).any(|index| reached[index] && is_float(index)) {
            return None;
        }
        let query = narrowed::narrowed(pool, query);
        let reached = pool.reachable(&query.assertions);
        let mut encoder = Encoder {
            pool,
            images: vec![None; reached.len()],
            facts: Vec::new(),
            unknown: Vec::new(),
            variables: Vec::new(),
            narrow: Vec::new(),
        };
        for index in (0..reached.len()).filter(|&index| reached[index]) {
            let term = Term::from_index(index);
            let image = encoder.image(term);
            encoder.images[index] = Some(image);
        }
        encoder.relate();
        let Encoder { images, facts, variables, .. } = encoder;
        let image = |term: &Term| images[term.index()].expect("assertions are reached");
        let assertions = query.assertions.iter().map(image).chain(facts).collect();
        Some(Encoded { query: Query::new(assertions), variables })
    }

    /// The values that a model gives to the variables of the query about floats.
    pub fn decoded(&self, model: &Model) -> Model {
        let mut decoded = model.clone();
        for &(float, format, word) in &self.variables {
            let encoding = model.get(word).map_or(0, |value| value.int().unsigned());
            decoded.set(float, Value::float(format, encoding));
        }
        decoded
    }
}

/// A result of which little is known.
#[derive(Clone, Copy)]
struct Unknown {
    function: Function,
    /// The operands in words; twice the same of one.
    operands: [Term; 2],
    /// The term in floats.
    term: Term,
    word: Term,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Function {
    One(Unary),
    Two(Binary),
}

struct Encoder<'a> {
    pool: &'a mut Pool,
    images: Vec<Option<Term>>,
    facts: Vec<Term>,
    unknown: Vec<Unknown>,
    variables: Vec<(Variable, FloatFormat, Variable)>,
    /// Wide constants that are narrow floats, as these.
    narrow: Vec<(u64, u64)>,
}

/// The masks of a format.
#[derive(Clone, Copy)]
struct Layout {
    width: u32,
    /// The number of digits that are stored.
    digits: u32,
    sign: u64,
    exponent: u64,
}

impl Layout {
    fn of(format: FloatFormat) -> Layout {
        let (exponent, significand) = format.smt_sizes();
        let (width, digits) = (format.bits(), significand - 1);
        Layout { width, digits, sign: 1 << (width - 1), exponent: ((1 << exponent) - 1) << digits }
    }

    /// 2^exponent, of a small exponent.
    fn power(self, exponent: i32) -> u64 {
        let bias = (self.exponent >> self.digits) / 2;
        bias.wrapping_add_signed(i64::from(exponent)) << self.digits
    }

    /// The one NaN.
    fn nan(self) -> u64 {
        self.exponent | 1 << (self.digits - 1)
    }
}

impl Encoder<'_> {
    fn at(&self, term: Term) -> Term {
        self.images[term.index()].expect("operands are older")
    }

    fn layout(&self, float: Term) -> Layout {
        Layout::of(self.pool.sort(float).format())
    }

    /// What stands for a term.
    fn image(&mut self, term: Term) -> Term {
        match self.pool.node(term) {
            Node::Float { format, encoding } => {
                if format == FloatFormat::F64
                    && let Some(narrow) = narrowed::exact(self.pool, term)
                    && let Some(number) = self.pool.value(narrow)
                {
                    self.narrow.push((encoding, number.real().to_bits()));
                }
                self.pool.word(format.bits(), encoding)
            }
            Node::Variable(variable) => match self.pool.sort(term) {
                Sort::Float(format) => self.variable(variable, format),
                _ => term,
            },
            Node::Unary(op, a) => self.unary(op, a, term),
            Node::Binary(op, a, b) => self.binary(op, a, b, term),
            _ => self.pool.rebuilt(term, &self.images),
        }
    }

    fn variable(&mut self, variable: Variable, format: FloatFormat) -> Term {
        let name = format!("{}.bits", self.pool.declaration(variable).name);
        let word = self.pool.fresh(&name, Sort::Bits(format.bits()));
        let Node::Variable(bits) = self.pool.node(word) else { unreachable!("it is one") };
        self.variables.push((variable, format, bits));
        self.take_for_encoding(word, Layout::of(format));
        word
    }

    /// States that a word encodes a float: of the NaNs it is the one.
    fn take_for_encoding(&mut self, word: Term, layout: Layout) {
        let (is_nan, nan) = (self.is_some_nan(word, layout), self.pool.word(layout.width, layout.nan()));
        let is_the_one = self.pool.eq(word, nan);
        let fact = self.pool.implies(is_nan, is_the_one);
        self.facts.push(fact);
    }

    /// Whether any word encodes a NaN.
    fn is_some_nan(&mut self, word: Term, layout: Layout) -> Term {
        let (size, infinity) = (self.size(word, layout), self.pool.word(layout.width, layout.exponent));
        self.pool.ult(infinity, size)
    }

    fn size(&mut self, word: Term, layout: Layout) -> Term {
        let mask = self.pool.word(layout.width, !layout.sign);
        self.pool.and(word, mask)
    }

    fn is_nan(&mut self, word: Term, layout: Layout) -> Term {
        let nan = self.pool.word(layout.width, layout.nan());
        self.pool.eq(word, nan)
    }

    fn negated(&mut self, word: Term, layout: Layout) -> Term {
        let (is_nan, sign) = (self.is_nan(word, layout), self.pool.word(layout.width, layout.sign));
        let flipped = self.pool.xor(word, sign);
        self.pool.select(is_nan, word, flipped)
    }

    fn unary(&mut self, op: Unary, a: Term, term: Term) -> Term {
        let Sort::Float(_) = self.pool.sort(a) else {
            return match op {
                Unary::FFromBits(format) => self.decoded(a, Layout::of(format)),
                Unary::FFromSigned(_) | Unary::FFromUnsigned(_) => {
                    self.unknown(Function::One(op), [a, a], term)
                }
                _ => self.pool.rebuilt(term, &self.images),
            };
        };
        let (word, layout) = (self.at(a), self.layout(a));
        match op {
            Unary::FNeg => self.negated(word, layout),
            // That of NaN has no sign.
            Unary::FAbs => self.size(word, layout),
            Unary::FIsNan => self.is_nan(word, layout),
            Unary::FToBits => word,
            _ => self.unknown(Function::One(op), [a, a], term),
        }
    }

    /// The float that any word encodes.
    fn decoded(&mut self, bits: Term, layout: Layout) -> Term {
        let word = self.at(bits);
        let (is_nan, nan) = (self.is_some_nan(word, layout), self.pool.word(layout.width, layout.nan()));
        self.pool.select(is_nan, nan, word)
    }

    fn binary(&mut self, op: Binary, a: Term, b: Term, term: Term) -> Term {
        let Sort::Float(format) = self.pool.sort(a) else { return self.pool.rebuilt(term, &self.images) };
        let (layout, x, y) = (Layout::of(format), self.at(a), self.at(b));
        match op {
            Binary::Same => self.pool.eq(x, y),
            Binary::FEq => self.equal(x, y, layout),
            Binary::FLt => self.less(x, y, layout),
            Binary::FLe => {
                let (less, equal) = (self.less(x, y, layout), self.equal(x, y, layout));
                self.pool.either(less, equal)
            }
            _ => self.unknown(Function::Two(op), [a, b], term),
        }
    }

    /// Whether both are zero, of any sign.
    fn are_zero(&mut self, x: Term, y: Term, layout: Layout) -> Term {
        let both = self.pool.or(x, y);
        let size = self.size(both, layout);
        let zero = self.pool.zero(size);
        self.pool.eq(size, zero)
    }

    fn are_numbers(&mut self, x: Term, y: Term, layout: Layout) -> Term {
        let (no_x, no_y) = (self.is_nan(x, layout), self.is_nan(y, layout));
        let none = self.pool.either(no_x, no_y);
        self.pool.negate(none)
    }

    fn equal(&mut self, x: Term, y: Term, layout: Layout) -> Term {
        let (same, zero) = (self.pool.eq(x, y), self.are_zero(x, y, layout));
        let (alike, numbers) = (self.pool.either(same, zero), self.are_numbers(x, y, layout));
        self.pool.both(alike, numbers)
    }

    fn less(&mut self, x: Term, y: Term, layout: Layout) -> Term {
        let keys = [x, y].map(|word| self.key(word, layout));
        let (below, zero) = (self.pool.ult(keys[0], keys[1]), self.are_zero(x, y, layout));
        let (differ, numbers) = (self.pool.negate(zero), self.are_numbers(x, y, layout));
        let apart = self.pool.both(below, differ);
        self.pool.both(apart, numbers)
    }

    /// A word that is larger for larger floats.
    fn key(&mut self, word: Term, layout: Layout) -> Term {
        let (negative, sign) = (self.pool.is_negative(word), self.pool.word(layout.width, layout.sign));
        let (turned, raised) = (self.pool.not(word), self.pool.or(word, sign));
        self.pool.select(negative, turned, raised)
    }

    /// A new word for a result.
    fn unknown(&mut self, function: Function, operands: [Term; 2], term: Term) -> Term {
        let operands = operands.map(|operand| self.at(operand));
        let twin = self.unknown.iter().find(|known| {
            let same_sort = self.pool.sort(known.term) == self.pool.sort(term);
            same_sort && known.function == function && known.operands == operands
        });
        if let Some(twin) = twin {
            return twin.word;
        }
        let name = format!("float!{}", self.unknown.len());
        let word = match self.pool.sort(term) {
            Sort::Float(format) => {
                let word = self.pool.fresh(&name, Sort::Bits(format.bits()));
                self.take_for_encoding(word, Layout::of(format));
                word
            }
            sort => self.pool.fresh(&name, sort),
        };
        self.unknown.push(Unknown { function, operands, term, word });
        word
    }

    /// States what is known of unknown results.
    fn relate(&mut self) {
        let unknown = std::mem::take(&mut self.unknown);
        for (index, &one) in unknown.iter().enumerate() {
            self.alone(one);
            self.beside_constants(one);
            for &other in &unknown[..index] {
                self.congruent(one, other);
                self.pair(one, other);
                self.pair(other, one);
            }
        }
    }

    fn fact(&mut self, conditions: &[Term], then: Term) {
        let always = self.pool.truth(true);
        let given = conditions.iter().fold(always, |all, &one| self.pool.both(all, one));
        let fact = self.pool.implies(given, then);
        self.facts.push(fact);
    }

    fn congruent(&mut self, one: Unknown, other: Unknown) {
        let sorts =
            [one, other].map(|unknown| (self.pool.sort(unknown.word), self.pool.sort(unknown.operands[0])));
        if one.function != other.function || sorts[0] != sorts[1] {
            return;
        }
        let ([a, b], [c, d]) = (one.operands, other.operands);
        let same = self.pool.eq(one.word, other.word);
        let straight = [self.pool.eq(a, c), self.pool.eq(b, d)];
        self.fact(&straight, same);
        if matches!(one.function, Function::Two(op) if op.commutes()) {
            let crossed = [self.pool.eq(a, d), self.pool.eq(b, c)];
            self.fact(&crossed, same);
        }
    }

    /// What is known of a result by itself.
    fn alone(&mut self, Unknown { function, operands, term, word }: Unknown) {
        let Sort::Float(format) = self.pool.sort(term) else { return };
        let layout = Layout::of(format);
        let from = match self.pool.node(term) {
            Node::Unary(_, a) | Node::Binary(_, a, _) => self.pool.sort(a),
            _ => return,
        };
        if let Sort::Float(from) = from {
            for operand in operands {
                let (is_nan, result) = (self.is_nan(operand, Layout::of(from)), self.is_nan(word, layout));
                self.fact(&[is_nan], result);
            }
        }
        let Function::Two(op) = function else { return };
        let [x, y] = operands;
        let constant = |encoder: &mut Self, value: f64| {
            let encoding = match format {
                FloatFormat::F32 => u64::from((value as f32).to_bits()),
                FloatFormat::F64 => value.to_bits(),
            };
            encoder.pool.word(layout.width, encoding)
        };
        // An operand, the constant that it may be, and the operand that the result is then, negated or not.
        let identities: &[(Term, f64, Term, bool)] = match op {
            Binary::FAdd => &[(y, -0.0, x, false), (x, -0.0, y, false)],
            Binary::FSub => &[(y, 0.0, x, false), (x, -0.0, y, true)],
            Binary::FMul => &[(y, 1.0, x, false), (x, 1.0, y, false), (y, -1.0, x, true), (x, -1.0, y, true)],
            Binary::FDiv => &[(y, 1.0, x, false), (y, -1.0, x, true)],
            _ => &[],
        };
        for &(operand, value, result, is_negated) in identities {
            let value = constant(self, value);
            let is_it = self.pool.eq(operand, value);
            let result = if is_negated { self.negated(result, layout) } else { result };
            let same = self.pool.eq(word, result);
            self.fact(&[is_it], same);
        }
        if matches!(op, Binary::FMul | Binary::FDiv) {
            let differ = self.pool.xor(x, y);
            let (negative, sign) = (self.pool.is_negative(differ), self.pool.is_negative(word));
            let (is_nan, agrees) = (self.is_nan(word, layout), self.pool.same(negative, sign));
            let is_number = self.pool.negate(is_nan);
            // NaN has no sign here, so operands that are numbers.
            let numbers = self.are_numbers(x, y, layout);
            self.fact(&[is_number, numbers], agrees);
        }
        if op == Binary::FAdd {
            let (twice, is_nan) = (self.pool.eq(x, y), self.is_nan(x, layout));
            let (of_x, of_sum) = (self.pool.is_negative(x), self.pool.is_negative(word));
            let (is_number, agrees) = (self.pool.negate(is_nan), self.pool.same(of_x, of_sum));
            self.fact(&[twice, is_number], agrees);
        }
        if op == Binary::FDiv {
            let one = constant(self, 1.0);
            let (is_one, power, inverse) =
                (self.pool.eq(x, one), self.is_power(y, layout), self.inverse(y, layout));
            let same = self.pool.eq(word, inverse);
            self.fact(&[is_one, power], same);
        }
    }

    /// Whether a float and its reciprocal are powers of two, and no subnormals.
    fn is_power(&mut self, word: Term, layout: Layout) -> Term {
        let digits = self.pool.word(layout.width, (1 << layout.digits) - 1);
        let (stored, zero) = (self.pool.and(word, digits), self.pool.word(layout.width, 0));
        let size = self.size(word, layout);
        // Exponents from 1 to twice the bias less 1.
        let least = self.pool.word(layout.width, 1 << layout.digits);
        let most = self.pool.word(layout.width, layout.exponent - (2 << layout.digits));
        let (no_digits, above, below) =
            (self.pool.eq(stored, zero), self.pool.ule(least, size), self.pool.ule(size, most));
        let range = self.pool.both(above, below);
        self.pool.both(no_digits, range)
    }

    /// The reciprocal of such a float: the exponent is twice the bias less that of the float.
    fn inverse(&mut self, word: Term, layout: Layout) -> Term {
        let twice_the_bias = self.pool.word(layout.width, layout.exponent - (1 << layout.digits));
        let (size, mask) = (self.size(word, layout), self.pool.word(layout.width, layout.sign));
        let (other, sign) = (self.pool.sub(twice_the_bias, size), self.pool.and(word, mask));
        self.pool.or(other, sign)
    }

    /// What is known of the first result beside the second.
    fn pair(&mut self, one: Unknown, other: Unknown) {
        let ([x, y], [a, b]) = (one.operands, other.operands);
        let sorts = [one.word, other.word, x, a].map(|word| self.pool.sort(word));
        if let (Function::One(Unary::FConvert(_)), Function::One(Unary::FConvert(_))) =
            (one.function, other.function)
        {
            return self.widened(one, other);
        }
        let (Function::Two(op), Function::Two(second)) = (one.function, other.function) else { return };
        if sorts.iter().any(|&sort| sort != sorts[0]) {
            return;
        }
        let layout = self.layout(one.term);
        let same = self.pool.eq(one.word, other.word);
        match (op, second) {
            (Binary::FSub, Binary::FAdd) => {
                let negated = self.negated(y, layout);
                for [a, b] in [[a, b], [b, a]] {
                    let alike = [self.pool.eq(x, a), self.pool.eq(negated, b)];
                    self.fact(&alike, same);
                }
            }
            (Binary::FMul, Binary::FMul) | (Binary::FDiv, Binary::FDiv) => {
                let sizes = [x, y, a, b, one.word, other.word].map(|word| self.size(word, layout));
                let same = self.pool.eq(sizes[4], sizes[5]);
                let straight = [self.pool.eq(sizes[0], sizes[2]), self.pool.eq(sizes[1], sizes[3])];
                self.fact(&straight, same);
                if op == Binary::FMul {
                    let crossed = [self.pool.eq(sizes[0], sizes[3]), self.pool.eq(sizes[1], sizes[2])];
                    self.fact(&crossed, same);
                }
            }
            (Binary::FMul | Binary::FDiv, Binary::FAdd) => {
                // Up to signs, as below.
                let two = if op == Binary::FMul { layout.power(1) } else { layout.power(-1) };
                let two = self.pool.word(layout.width, two);
                let sizes = [x, y, a, b, one.word, other.word].map(|word| self.size(word, layout));
                let (twice, same) = (self.pool.eq(a, b), self.pool.eq(sizes[4], sizes[5]));
                let straight = [twice, self.pool.eq(sizes[0], sizes[2]), self.pool.eq(sizes[1], two)];
                self.fact(&straight, same);
                if op == Binary::FMul {
                    let crossed = [twice, self.pool.eq(sizes[1], sizes[2]), self.pool.eq(sizes[0], two)];
                    self.fact(&crossed, same);
                }
            }
            (Binary::FDiv, Binary::FMul) => {
                // Up to signs, which are those of a quotient and a product.
                let (power, inverse) = (self.is_power(y, layout), self.inverse(y, layout));
                let sizes = [x, inverse, a, b, one.word, other.word].map(|word| self.size(word, layout));
                let same = self.pool.eq(sizes[4], sizes[5]);
                for [a, b] in [[sizes[2], sizes[3]], [sizes[3], sizes[2]]] {
                    let alike = [power, self.pool.eq(sizes[0], a), self.pool.eq(sizes[1], b)];
                    self.fact(&alike, same);
                }
            }
            _ => {}
        }
    }

    /// Two floats in the wide format.
    fn widened(&mut self, one: Unknown, other: Unknown) {
        if self.is_widened(one) && self.is_widened(other) {
            self.widened_alike([one.operands[0], one.word], [other.operands[0], other.word]);
        }
    }

    /// A float in the wide format beside constants that are narrow floats.
    fn beside_constants(&mut self, one: Unknown) {
        if !self.is_widened(one) {
            return;
        }
        for (wide, narrow) in self.narrow.clone() {
            let (narrow, wide) = (self.pool.word(32, narrow), self.pool.word(64, wide));
            self.widened_alike([one.operands[0], one.word], [narrow, wide]);
            self.widened_alike([narrow, wide], [one.operands[0], one.word]);
        }
    }

    fn is_widened(&self, unknown: Unknown) -> bool {
        unknown.function == Function::One(Unary::FConvert(FloatFormat::F64))
            && self.pool.sort(unknown.operands[0]) == Sort::Bits(FloatFormat::F32.bits())
    }

    /// Two narrow floats, and the same in the wide format.
    fn widened_alike(&mut self, [x, wide_x]: [Term; 2], [y, wide_y]: [Term; 2]) {
        let (narrow, layout) = (Layout::of(FloatFormat::F32), Layout::of(FloatFormat::F64));
        let (before, after) = (self.pool.eq(x, y), self.pool.eq(wide_x, wide_y));
        let same = self.pool.same(before, after);
        self.fact(&[], same);
        let (before, after) = (self.less(x, y, narrow), self.less(wide_x, wide_y, layout));
        let same = self.pool.same(before, after);
        self.fact(&[], same);
    }
}

#[cfg(test)]
mod tests;
