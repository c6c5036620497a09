//! Constants that programs and rules care about.

use arbitrary::{Result, Unstructured};
use planish_ir::Const;
use planish_ops::{FloatFormat, Int, Real, Type};

/// Floats where something happens: zeros, infinities, NaN, the edges of integers and of precision.
const FLOATS: [f64; 16] = [
    0.0,
    -0.0,
    1.0,
    -1.0,
    2.0,
    0.5,
    -1.5,
    3.0,
    f64::INFINITY,
    f64::NEG_INFINITY,
    f64::NAN,
    2_147_483_648.0,
    -9_223_372_036_854_775_808.0,
    16_777_217.0,
    f64::MIN_POSITIVE,
    1e300,
];

/// A constant of a type: small, a power of two or next to one, at an edge, or anything. There are no
/// references here but null.
pub fn of(u: &mut Unstructured<'_>, ty: Type) -> Result<Const> {
    Ok(match ty {
        Type::Int(width) => int(u, u32::from(width))?.into(),
        Type::Float(format) => {
            let value = if u.ratio(1, 4)? { f64::from_bits(u.arbitrary()?) } else { *u.choose(&FLOATS)? };
            match format {
                FloatFormat::F32 => Real::F32(value as f32).into(),
                FloatFormat::F64 => Real::F64(value).into(),
            }
        }
        Type::Ref => Const::Null,
        Type::State => Const::Hole,
        Type::Vector(_) => unreachable!("a vector is made of what is in its lanes"),
    })
}

fn int(u: &mut Unstructured<'_>, width: u32) -> Result<Int> {
    let top = 1u64 << (width - 1);
    let bits: u64 = match u.int_in_range(0..=9)? {
        0..=2 => u.int_in_range(0..=8)?,
        3 => u64::MAX.wrapping_sub(u.int_in_range(0..=3)?),
        4 => *u.choose(&[top, top - 1, top + 1, u64::from(width), u64::from(width) - 1])?,
        5 | 6 => 1u64 << u.int_in_range(0..=width - 1)?,
        7 => (1u64 << u.int_in_range(0..=width - 1)?) - 1,
        8 => !((1u64 << u.int_in_range(0..=width - 1)?) - 1),
        _ => u.arbitrary()?,
    };
    Ok(Int::new(width, bits))
}
