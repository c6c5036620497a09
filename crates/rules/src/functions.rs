//! Functions of constants that expressions may call.
//!
//! Each is one row: name, arguments, result, and its meaning over [`Floats`], so that the matcher's
//! answer and the prover's semantics are one function. A *guess* is different: it computes a constant
//! by an algorithm that the proof does not look into. The rule then has to certify the constant by
//! checks, and the proof assumes nothing but those.

use planish_ops::{Bits, Floats};

use crate::guess;

/// The type of an argument or result.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FunctionTy {
    /// A word of one type variable, the same for all arguments and the result.
    Word,
    /// A word of another type than the argument: named by its use.
    OtherWord,
    /// A float of one type variable.
    Float,
    /// A truth value.
    Bool,
}

/// What a function computes.
pub enum Compute {
    /// Words to a word.
    Word(WordFunction),
    /// A word to a word of another width.
    Resize(Resize),
    /// A word to a truth value.
    WordTest(WordTest),
    /// A float to a float.
    Float(FloatFunction),
    /// A float to a truth value.
    FloatTest(FloatTest),
    /// A guess: the signed or unsigned constants to a word.
    Guess(fn(planish_ops::Int) -> Option<planish_ops::Int>),
}

/// Words to a word.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum WordFunction {
    /// The position of the highest one bit; all ones for zero.
    HighestBit,
    /// The number of one bits.
    Popcount,
    /// The number of zero bits below the lowest one bit.
    Ctz,
    /// The number of zero bits above the highest one bit.
    Clz,
    /// The smaller, signed.
    Min,
    /// The larger, signed.
    Max,
    /// The smaller, unsigned.
    Umin,
    /// The larger, unsigned.
    Umax,
    /// The high word of the unsigned product.
    Umulh,
    /// The high word of the signed product.
    Smulh,
    /// The absolute value.
    Abs,
}

/// Conversions between widths.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Resize {
    /// Sign extension.
    Sext,
    /// Zero extension.
    Zext,
    /// The low bits.
    Trunc,
}

/// Tests of a word.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum WordTest {
    /// Exactly one bit is set.
    IsPow2,
}

/// Floats to a float.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FloatFunction {
    /// 1 / a
    Reciprocal,
}

/// Tests of a float.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FloatTest {
    /// A power of two, of either sign, whose reciprocal is a normal number too.
    ExactReciprocal,
}

/// A function of constants.
pub struct Function {
    /// Its name in rules.
    pub name: &'static str,
    /// What it computes, in a sentence.
    pub doc: &'static str,
    /// Its arguments.
    pub args: &'static [FunctionTy],
    /// Its result.
    pub result: FunctionTy,
    /// What it computes.
    pub compute: Compute,
}

impl std::fmt::Debug for Function {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name)
    }
}

impl Function {
    /// The function with a name.
    pub fn named(name: &str) -> Option<&'static Function> {
        FUNCTIONS.iter().find(|f| f.name == name)
    }

    /// The names of all.
    pub fn names() -> impl Iterator<Item = &'static str> {
        FUNCTIONS.iter().map(|function| function.name)
    }

    /// Whether the proof must not look into it.
    pub fn is_guess(&self) -> bool {
        matches!(self.compute, Compute::Guess(_))
    }
}

use FunctionTy::{Bool, Float, OtherWord, Word};

const fn words(
    name: &'static str,
    doc: &'static str,
    args: &'static [FunctionTy],
    function: WordFunction,
) -> Function {
    Function { name, doc, args, result: Word, compute: Compute::Word(function) }
}

const fn resize(name: &'static str, doc: &'static str, function: Resize) -> Function {
    Function { name, doc, args: &[OtherWord], result: Word, compute: Compute::Resize(function) }
}

const fn guessed(
    name: &'static str,
    doc: &'static str,
    guess: fn(planish_ops::Int) -> Option<planish_ops::Int>,
) -> Function {
    Function { name, doc, args: &[Word], result: Word, compute: Compute::Guess(guess) }
}

/// All functions.
pub static FUNCTIONS: &[Function] = &[
    words(
        "highest_bit",
        "The position of the highest one bit; all ones for zero.",
        &[Word],
        WordFunction::HighestBit,
    ),
    words("popcount", "The number of one bits.", &[Word], WordFunction::Popcount),
    words("ctz", "The number of zero bits below the lowest one bit.", &[Word], WordFunction::Ctz),
    words("clz", "The number of zero bits above the highest one bit.", &[Word], WordFunction::Clz),
    words("min", "The smaller, signed.", &[Word, Word], WordFunction::Min),
    words("max", "The larger, signed.", &[Word, Word], WordFunction::Max),
    words("umin", "The smaller, unsigned.", &[Word, Word], WordFunction::Umin),
    words("umax", "The larger, unsigned.", &[Word, Word], WordFunction::Umax),
    words("umulh", "The high word of the unsigned product.", &[Word, Word], WordFunction::Umulh),
    words("smulh", "The high word of the signed product.", &[Word, Word], WordFunction::Smulh),
    words("abs", "The absolute value.", &[Word], WordFunction::Abs),
    resize("sext", "Sign extension.", Resize::Sext),
    resize("zext", "Zero extension.", Resize::Zext),
    resize("trunc", "The low bits.", Resize::Trunc),
    Function {
        name: "is_pow2",
        doc: "Whether exactly one bit is set.",
        args: &[Word],
        result: Bool,
        compute: Compute::WordTest(WordTest::IsPow2),
    },
    Function {
        name: "reciprocal",
        doc: "One divided by the argument, rounded.",
        args: &[Float],
        result: Float,
        compute: Compute::Float(FloatFunction::Reciprocal),
    },
    Function {
        name: "exact_reciprocal",
        doc: "Whether one divided by the argument is exact: it is a power of two that is neither too large nor too small.",
        args: &[Float],
        result: Bool,
        compute: Compute::FloatTest(FloatTest::ExactReciprocal),
    },
    guessed(
        "guess_unsigned_multiplier",
        "The multiplier by which an unsigned division by the argument is a high product.",
        guess::unsigned_multiplier,
    ),
    guessed("guess_unsigned_shift", "The shift after that product.", guess::unsigned_shift),
    guessed(
        "guess_long_multiplier",
        "The low word of a multiplier of one bit more than a word, for unsigned divisions that need it.",
        guess::long_multiplier,
    ),
    guessed("guess_long_shift", "The shift that goes with it.", guess::long_shift),
    guessed(
        "guess_signed_multiplier",
        "The multiplier by which a signed division by the argument is a high product.",
        guess::signed_multiplier,
    ),
    guessed("guess_signed_shift", "The shift after that product.", guess::signed_shift),
];

impl WordFunction {
    /// What it computes.
    pub fn apply<B: Bits>(self, b: &mut B, args: &[B::Word]) -> B::Word {
        match (self, args) {
            (WordFunction::HighestBit, &[a]) => {
                let (zeros, top) = (b.leading_zeros(a), b.width(a) - 1);
                let top = b.word(b.width(a), u64::from(top));
                b.sub(top, zeros)
            }
            (WordFunction::Popcount, &[a]) => b.popcount(a),
            (WordFunction::Ctz, &[a]) => b.trailing_zeros(a),
            (WordFunction::Clz, &[a]) => b.leading_zeros(a),
            (WordFunction::Abs, &[a]) => {
                let (negative, negated) = (b.is_negative(a), b.neg(a));
                b.select(negative, negated, a)
            }
            (WordFunction::Min, &[x, y]) => b.smin(x, y),
            (WordFunction::Max, &[x, y]) => b.smax(x, y),
            (WordFunction::Umin, &[x, y]) => b.umin(x, y),
            (WordFunction::Umax, &[x, y]) => b.umax(x, y),
            (WordFunction::Umulh, &[x, y]) => b.umulh(x, y),
            (WordFunction::Smulh, &[x, y]) => b.smulh(x, y),
            _ => panic!("the checker counts arguments: {self:?} of {args:?}"),
        }
    }
}

impl Resize {
    /// What it computes; `None` where the widths do not allow it.
    pub fn apply<B: Bits>(self, b: &mut B, a: B::Word, width: u32) -> Option<B::Word> {
        let from = b.width(a);
        match self {
            Resize::Sext if from <= width => Some(b.sign_extend(a, width)),
            Resize::Zext if from <= width => Some(b.zero_extend(a, width)),
            Resize::Trunc if width <= from => Some(b.truncate(a, width)),
            _ => None,
        }
    }
}

impl WordTest {
    /// What it computes.
    pub fn apply<B: Bits>(self, b: &mut B, a: B::Word) -> B::Bool {
        match self {
            WordTest::IsPow2 => {
                let (count, one) = (b.popcount(a), b.one(a));
                b.eq(count, one)
            }
        }
    }
}

impl FloatFunction {
    /// What it computes.
    pub fn apply<B: Floats>(self, b: &mut B, a: B::Float) -> B::Float {
        match self {
            FloatFunction::Reciprocal => {
                let format = b.format(a);
                let one = match format {
                    planish_ops::FloatFormat::F32 => u64::from(1f32.to_bits()),
                    planish_ops::FloatFormat::F64 => 1f64.to_bits(),
                };
                let one = b.float(format, one);
                b.f_div(one, a)
            }
        }
    }
}

impl FloatTest {
    /// What it computes.
    pub fn apply<B: Floats>(self, b: &mut B, a: B::Float) -> B::Bool {
        match self {
            FloatTest::ExactReciprocal => {
                // The significand is zero, and the biased exponent e, and that of the reciprocal (which
                // is 2 * bias - e), lie between those of subnormals and infinity.
                let (exponent_bits, significand) = b.format(a).smt_sizes();
                let width = b.format(a).bits();
                let bits = b.f_to_bits(a);
                let fraction_mask = b.word(width, (1 << (significand - 1)) - 1);
                let fraction = b.and(bits, fraction_mask);
                let amount = b.word(width, u64::from(significand - 1));
                let shifted = b.lshr(bits, amount);
                let exponent_mask = b.word(width, (1 << exponent_bits) - 1);
                let exponent = b.and(shifted, exponent_mask);
                let (zero, one) = (b.word(width, 0), b.word(width, 1));
                let last = b.word(width, (1 << exponent_bits) - 3);
                let (plain, low, high) = (b.eq(fraction, zero), b.ule(one, exponent), b.ule(exponent, last));
                let range = b.both(low, high);
                b.both(plain, range)
            }
        }
    }
}
