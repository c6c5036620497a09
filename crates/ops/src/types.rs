//! The types of values.
//!
//! An integer type is a width and nothing else: signedness is a property of operations. A `Ref` is any
//! reference; classes are facts about values (see the `domain` crate), not types. `State` is the type
//! of an effect made visible as a value, as region languages do.

use std::fmt;
use std::str::FromStr;

/// The format of a floating-point number (IEEE 754 binary32 or binary64).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum FloatFormat {
    /// binary32
    F32,
    /// binary64
    F64,
}

impl FloatFormat {
    /// Exponent and significand widths as SMT-LIB counts them (the hidden bit included).
    pub fn smt_sizes(self) -> (u32, u32) {
        match self {
            FloatFormat::F32 => (8, 24),
            FloatFormat::F64 => (11, 53),
        }
    }

    /// The width of the encoding in bits.
    pub fn bits(self) -> u32 {
        match self {
            FloatFormat::F32 => 32,
            FloatFormat::F64 => 64,
        }
    }
}

/// The type of a value.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Type {
    /// An integer of 1 to 64 bits.
    Int(u8),
    /// A floating-point number.
    Float(FloatFormat),
    /// A reference to an object, array, string or function, or null.
    Ref,
    /// An effect as a value: orders operations, holds no data.
    State,
}

impl Type {
    /// One bit: the type of conditions in front of a branch.
    pub const I1: Type = Type::Int(1);
    /// 32-bit integers.
    pub const I32: Type = Type::Int(32);
    /// 64-bit integers, the word of traces and of the three-address language.
    pub const I64: Type = Type::Int(64);
    /// binary32
    pub const F32: Type = Type::Float(FloatFormat::F32);
    /// binary64
    pub const F64: Type = Type::Float(FloatFormat::F64);

    /// The width of an integer type.
    pub fn int_width(self) -> Option<u32> {
        match self {
            Type::Int(w) => Some(u32::from(w)),
            _ => None,
        }
    }

    /// The format of a floating-point type.
    pub fn float_format(self) -> Option<FloatFormat> {
        match self {
            Type::Float(format) => Some(format),
            _ => None,
        }
    }
}

impl fmt::Display for Type {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Type::Int(w) => write!(f, "i{w}"),
            Type::Float(FloatFormat::F32) => f.write_str("f32"),
            Type::Float(FloatFormat::F64) => f.write_str("f64"),
            Type::Ref => f.write_str("ref"),
            Type::State => f.write_str("state"),
        }
    }
}

/// The text is not the name of a type.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct NotAType;

impl FromStr for Type {
    type Err = NotAType;

    fn from_str(text: &str) -> Result<Self, NotAType> {
        match text {
            "f32" => Ok(Type::F32),
            "f64" => Ok(Type::F64),
            "ref" => Ok(Type::Ref),
            "state" => Ok(Type::State),
            _ => {
                let digits = text.strip_prefix('i').filter(|d| !d.starts_with(['0', '+'])).ok_or(NotAType)?;
                match digits.parse() {
                    Ok(w @ 1..=64) => Ok(Type::Int(w)),
                    _ => Err(NotAType),
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn type_names_round_trip() {
        for width in 1..=64 {
            assert_eq!(Type::Int(width).to_string().parse(), Ok(Type::Int(width)));
        }
        for ty in [Type::F32, Type::F64, Type::Ref, Type::State] {
            assert_eq!(ty.to_string().parse(), Ok(ty));
        }
        for wrong in ["i0", "i65", "i", "i01", "i+1", "f16", "int", ""] {
            assert_eq!(wrong.parse::<Type>(), Err(NotAType), "{wrong}");
        }
    }
}
