//! The signature of terms: their sorts, and the functions of one and of two operands.

use planish_ops::{FloatFormat, Type};

/// The sort of a term.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Sort {
    /// A truth value.
    Bool,
    /// A word of this width.
    Bits(u32),
    /// A floating-point number.
    Float(FloatFormat),
}

impl Sort {
    /// The sort of the values of a type; `None` for references, effects and vectors.
    pub fn of(ty: Type) -> Option<Sort> {
        match ty {
            Type::Int(width) => Some(Sort::Bits(u32::from(width))),
            Type::Float(format) => Some(Sort::Float(format)),
            Type::Ref | Type::State | Type::Vector(_) => None,
        }
    }

    /// The width of a sort of words. Panics on other sorts.
    pub fn width(self) -> u32 {
        match self {
            Sort::Bits(width) => width,
            _ => panic!("{self:?} has no width"),
        }
    }

    /// The format of a sort of floats. Panics on other sorts.
    pub fn format(self) -> FloatFormat {
        match self {
            Sort::Float(format) => format,
            _ => panic!("{self:?} has no format"),
        }
    }
}

/// Functions of one operand.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Unary {
    /// Negation of a truth value.
    Negate,
    /// Bitwise complement.
    Not,
    /// The number of one bits, as a word of the same width.
    Popcount,
    /// `width` bits from bit `low` on.
    Extract {
        /// The lowest bit taken.
        low: u32,
        /// How many bits.
        width: u32,
    },
    /// Zero extension to a width.
    ZeroExtend(u32),
    /// Sign extension to a width.
    SignExtend(u32),
    /// The sign of a float flipped.
    FNeg,
    /// The sign of a float cleared.
    FAbs,
    /// Square root.
    FSqrt,
    /// Whether a float is a NaN.
    FIsNan,
    /// Rounding to another format.
    FConvert(FloatFormat),
    /// The nearest float to a signed word.
    FFromSigned(FloatFormat),
    /// The nearest float to an unsigned word.
    FFromUnsigned(FloatFormat),
    /// Truncation to a signed word of a width: clamped, NaN is 0.
    FToSigned(u32),
    /// Truncation to an unsigned word of a width: clamped, NaN is 0.
    FToUnsigned(u32),
    /// The float with an encoding.
    FFromBits(FloatFormat),
    /// The encoding of a float; that of NaN is the quiet NaN without payload.
    FToBits,
}

/// Functions of two operands.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[expect(missing_docs, reason = "each is the function of this name in `planish_ops::Bits` or `Floats`")]
pub enum Binary {
    Both,
    Either,
    /// Equality of any sort; on floats NaN equals itself and 0 differs from -0.
    Same,
    Add,
    Sub,
    Mul,
    Udiv,
    Urem,
    Sdiv,
    Srem,
    And,
    Or,
    Xor,
    Shl,
    Lshr,
    Ashr,
    Ult,
    Slt,
    FAdd,
    FSub,
    FMul,
    FDiv,
    FRem,
    FEq,
    FLt,
    FLe,
}

impl Binary {
    /// Whether the operands may change places.
    pub fn commutes(self) -> bool {
        use Binary::*;
        matches!(self, Both | Either | Same | Add | Mul | And | Or | Xor | FAdd | FMul | FEq)
    }
}
