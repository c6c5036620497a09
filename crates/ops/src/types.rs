//! The types of values.
//!
//! An integer type is a width and nothing else: signedness is a property of operations. A `Ref` is any
//! reference; classes are facts about values (see the `domain` crate), not types. `State` is the type
//! of an effect made visible as a value, as region languages do. A vector is a row of lanes of one type,
//! which operations of their own compute lane by lane (SIMD); all vectors have 128 bits, which every
//! machine with vectors has, so the type of a lane says that of the vector.

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

/// The type of a lane of a vector.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Lane {
    /// 16 lanes of 8 bits.
    I8,
    /// 8 lanes of 16 bits.
    I16,
    /// 4 lanes of 32 bits.
    I32,
    /// 2 lanes of 64 bits.
    I64,
    /// 4 lanes of binary32.
    F32,
    /// 2 lanes of binary64.
    F64,
}

/// How many bits a vector has.
const VECTOR_BITS: u32 = 128;

impl Lane {
    /// Every type of lanes.
    pub const ALL: [Lane; 6] = [Lane::I8, Lane::I16, Lane::I32, Lane::I64, Lane::F32, Lane::F64];

    /// The lane of a type, if vectors have such lanes.
    pub fn of(ty: Type) -> Option<Lane> {
        Lane::ALL.into_iter().find(|lane| lane.ty() == ty)
    }

    /// The type of the value in a lane.
    pub const fn ty(self) -> Type {
        match self {
            Lane::I8 => Type::Int(8),
            Lane::I16 => Type::Int(16),
            Lane::I32 => Type::I32,
            Lane::I64 => Type::I64,
            Lane::F32 => Type::F32,
            Lane::F64 => Type::F64,
        }
    }

    /// The width of a lane in bits.
    pub const fn bits(self) -> u32 {
        match self {
            Lane::I8 => 8,
            Lane::I16 => 16,
            Lane::I32 | Lane::F32 => 32,
            Lane::I64 | Lane::F64 => 64,
        }
    }

    /// How many lanes a vector has.
    pub const fn count(self) -> u32 {
        VECTOR_BITS / self.bits()
    }

    /// Whether lanes are floats.
    pub const fn is_float(self) -> bool {
        matches!(self, Lane::F32 | Lane::F64)
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
    /// A vector: as many lanes as 128 bits hold.
    Vector(Lane),
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

    /// The lane of a vector type.
    pub fn lane(self) -> Option<Lane> {
        match self {
            Type::Vector(lane) => Some(lane),
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
            Type::Vector(lane) => write!(f, "{}x{}", lane.ty(), lane.count()),
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
            _ if let Some((lane, count)) = text.split_once('x') => {
                let lane = lane.parse().ok().and_then(Lane::of).ok_or(NotAType)?;
                if count == lane.count().to_string() { Ok(Type::Vector(lane)) } else { Err(NotAType) }
            }
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
        for lane in Lane::ALL {
            assert_eq!(Type::Vector(lane).to_string().parse(), Ok(Type::Vector(lane)));
        }
        assert_eq!("i8x16".parse(), Ok(Type::Vector(Lane::I8)));
        let vectors = ["i32x8", "i32x04", "i32x", "x4", "i1x128", "refx2", "i32x4x1", "f64x2x"];
        for wrong in ["i0", "i65", "i", "i01", "i+1", "f16", "int", ""].into_iter().chain(vectors) {
            assert_eq!(wrong.parse::<Type>(), Err(NotAType), "{wrong}");
        }
    }
}
