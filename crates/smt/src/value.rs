//! Values of terms, and what each function of a term computes on them.
//!
//! Words of up to 64 bits and floats are computed by [`Machine`], so that folding a term, evaluating it
//! in a model and interpreting a program are one arithmetic. Wider words occur only inside the high
//! word of a product: extension, multiplication and extraction.

use std::fmt;

use planish_ops::{Bits, FloatFormat, Floats, Int, Machine, Real};

use crate::signature::{Binary, Sort, Unary};

/// A value of some sort.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Value {
    /// A truth value.
    Truth(bool),
    /// A word; bits above the width are zero.
    Bits {
        /// The width, from 1 to 128.
        width: u32,
        /// The value, read as unsigned.
        value: u128,
    },
    /// A float. Equal when the same number: NaN equals itself, 0 differs from -0.
    Float(Real),
}

impl Value {
    /// `value` modulo 2^`width`.
    pub fn bits(width: u32, value: u128) -> Self {
        assert!((1..=128).contains(&width), "a word of {width} bits");
        Value::Bits { width, value: value & (u128::MAX >> (128 - width)) }
    }

    /// The float with an encoding.
    pub fn float(format: FloatFormat, encoding: u64) -> Self {
        Value::Float(Real::from_bits(format, encoding))
    }

    /// Zero, or false.
    pub fn zero(sort: Sort) -> Self {
        match sort {
            Sort::Bool => Value::Truth(false),
            Sort::Bits(width) => Value::bits(width, 0),
            Sort::Float(format) => Value::float(format, 0),
        }
    }

    /// The sort of this value.
    pub fn sort(self) -> Sort {
        match self {
            Value::Truth(_) => Sort::Bool,
            Value::Bits { width, .. } => Sort::Bits(width),
            Value::Float(real) => Sort::Float(real.format()),
        }
    }

    /// The truth value. Panics on other sorts.
    pub fn truth(self) -> bool {
        match self {
            Value::Truth(value) => value,
            _ => panic!("{self:?} is not a truth value"),
        }
    }

    /// The word. Panics on other sorts and on words of more than 64 bits.
    pub fn int(self) -> Int {
        match self {
            Value::Bits { width, value } => {
                assert!(width <= 64, "a word of {width} bits is not a machine word");
                Int::new(width, value as u64)
            }
            _ => panic!("{self:?} is not a word"),
        }
    }

    /// The float. Panics on other sorts.
    pub fn real(self) -> Real {
        match self {
            Value::Float(real) => real,
            _ => panic!("{self:?} is not a float"),
        }
    }

    /// The width of a word, and its value. Panics on other sorts.
    pub(crate) fn unsigned(self) -> (u32, u128) {
        match self {
            Value::Bits { width, value } => (width, value),
            _ => panic!("{self:?} is not a word"),
        }
    }
}

impl From<Int> for Value {
    fn from(int: Int) -> Self {
        Value::bits(int.width(), u128::from(int.unsigned()))
    }
}

impl From<bool> for Value {
    fn from(value: bool) -> Self {
        Value::Truth(value)
    }
}

impl From<Real> for Value {
    fn from(value: Real) -> Self {
        // One NaN, as everywhere in terms.
        Value::float(value.format(), value.to_bits())
    }
}

/// Words in signed decimal, truth as `true` and `false`.
impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Value::Truth(value) => write!(f, "{value}"),
            Value::Bits { width, value } if width > 64 => write!(f, "{value}"),
            Value::Bits { .. } => write!(f, "{}", self.int()),
            Value::Float(Real::F32(x)) => write!(f, "{x:?}"),
            Value::Float(Real::F64(x)) => write!(f, "{x:?}"),
        }
    }
}

impl fmt::Debug for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Value::Truth(value) => write!(f, "{value}"),
            Value::Bits { width, value } => write!(f, "{value}:{width}"),
            Value::Float(real) => write!(f, "{real:?}"),
        }
    }
}

/// What `op` computes.
pub fn unary(op: Unary, a: Value) -> Value {
    let m = &mut Machine;
    match op {
        Unary::Negate => Value::Truth(!a.truth()),
        Unary::Not => {
            let (width, value) = a.unsigned();
            Value::bits(width, !value)
        }
        Unary::Popcount => m.popcount(a.int()).into(),
        Unary::Extract { low, width } => Value::bits(width, a.unsigned().1 >> low),
        Unary::ZeroExtend(width) => Value::bits(width, a.unsigned().1),
        Unary::SignExtend(width) => {
            let (from, value) = a.unsigned();
            let up = 128 - from;
            Value::bits(width, (((value << up) as i128) >> up) as u128)
        }
        Unary::FNeg => m.f_neg(a.real()).into(),
        Unary::FAbs => m.f_abs(a.real()).into(),
        Unary::FSqrt => m.f_sqrt(a.real()).into(),
        Unary::FIsNan => m.f_is_nan(a.real()).into(),
        Unary::FConvert(format) => m.f_convert(a.real(), format).into(),
        Unary::FFromSigned(format) => m.f_from_signed(a.int(), format).into(),
        Unary::FFromUnsigned(format) => m.f_from_unsigned(a.int(), format).into(),
        Unary::FToSigned(width) => m.f_to_signed(a.real(), width).into(),
        Unary::FToUnsigned(width) => m.f_to_unsigned(a.real(), width).into(),
        Unary::FFromBits(_) => m.f_from_bits(a.int()).into(),
        Unary::FToBits => m.f_to_bits(a.real()).into(),
    }
}

/// What `op` computes of words that are wider than those of the machine, as far as products of two words need it.
fn binary_of_wide(op: Binary, width: u32, x: u128, y: u128) -> Option<Value> {
    let up = 128 - width;
    Some(match op {
        Binary::Add => Value::bits(width, x.wrapping_add(y)),
        Binary::Sub => Value::bits(width, x.wrapping_sub(y)),
        Binary::Ult => Value::Truth(x < y),
        Binary::Slt => Value::Truth(((x << up) as i128) < ((y << up) as i128)),
        _ => return None,
    })
}

/// What `op` computes.
pub fn binary(op: Binary, a: Value, b: Value) -> Value {
    if let (Value::Bits { width, value: x }, Value::Bits { value: y, .. }) = (a, b)
        && width > 64
        && let Some(value) = binary_of_wide(op, width, x, y)
    {
        return value;
    }
    let m = &mut Machine;
    match op {
        Binary::Both => Value::Truth(a.truth() & b.truth()),
        Binary::Either => Value::Truth(a.truth() | b.truth()),
        Binary::Same => Value::Truth(a == b),
        Binary::Mul => {
            let ((width, x), (_, y)) = (a.unsigned(), b.unsigned());
            Value::bits(width, x.wrapping_mul(y))
        }
        Binary::Add => m.add(a.int(), b.int()).into(),
        Binary::Sub => m.sub(a.int(), b.int()).into(),
        Binary::Udiv => m.udiv(a.int(), b.int()).into(),
        Binary::Urem => m.urem(a.int(), b.int()).into(),
        Binary::Sdiv => m.sdiv(a.int(), b.int()).into(),
        Binary::Srem => m.srem(a.int(), b.int()).into(),
        Binary::And => m.and(a.int(), b.int()).into(),
        Binary::Or => m.or(a.int(), b.int()).into(),
        Binary::Xor => m.xor(a.int(), b.int()).into(),
        Binary::Shl => m.shl(a.int(), b.int()).into(),
        Binary::Lshr => m.lshr(a.int(), b.int()).into(),
        Binary::Ashr => m.ashr(a.int(), b.int()).into(),
        Binary::Ult => m.ult(a.int(), b.int()).into(),
        Binary::Slt => m.slt(a.int(), b.int()).into(),
        Binary::FAdd => m.f_add(a.real(), b.real()).into(),
        Binary::FSub => m.f_sub(a.real(), b.real()).into(),
        Binary::FMul => m.f_mul(a.real(), b.real()).into(),
        Binary::FDiv => m.f_div(a.real(), b.real()).into(),
        Binary::FRem => m.f_rem(a.real(), b.real()).into(),
        Binary::FEq => m.f_eq(a.real(), b.real()).into(),
        Binary::FLt => m.f_lt(a.real(), b.real()).into(),
        Binary::FLe => m.f_le(a.real(), b.real()).into(),
    }
}
