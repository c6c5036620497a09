//! The instance of [`Bits`] and [`Floats`] that computes.
//!
//! An [`Int`] is a width and the bits, always masked; a [`Real`] is a hardware float with its format.
//! Folding, the interpreter and the exhaustive tests at small widths are this instance.

use std::fmt;

use crate::bits::{Bits, Floats};
use crate::types::{FloatFormat, Type};

/// A word of 1 to 64 bits. Bits above the width are zero.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Int {
    bits: u64,
    width: u8,
}

impl Int {
    /// `value` modulo 2^`width`. Panics when the width is not from 1 to 64.
    #[inline]
    pub const fn new(width: u32, value: u64) -> Self {
        assert!(1 <= width && width <= 64, "a word has 1 to 64 bits");
        Int { bits: value & mask(width), width: width as u8 }
    }

    /// A truth value in one bit.
    pub const fn bit(value: bool) -> Self {
        Int { bits: value as u64, width: 1 }
    }

    /// The width in bits.
    #[inline]
    pub const fn width(self) -> u32 {
        self.width as u32
    }

    /// The value read as unsigned.
    #[inline]
    pub const fn unsigned(self) -> u64 {
        self.bits
    }

    /// The value read as signed.
    #[inline]
    pub const fn signed(self) -> i64 {
        let up = 64 - self.width as u32;
        ((self.bits << up) as i64) >> up
    }

    /// The type of this word.
    pub const fn ty(self) -> Type {
        Type::Int(self.width)
    }

    /// Whether some bit is set.
    #[inline]
    pub const fn is_true(self) -> bool {
        self.bits != 0
    }
}

/// The signed value: what a reader of a program expects.
impl fmt::Display for Int {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // A single bit prints as 0 or 1, not as 0 or -1.
        if self.width == 1 { write!(f, "{}", self.bits) } else { write!(f, "{}", self.signed()) }
    }
}

impl fmt::Debug for Int {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self}:i{}", self.width)
    }
}

/// The low `width` bits set.
#[inline]
const fn mask(width: u32) -> u64 {
    u64::MAX >> (64 - width)
}

/// A float with its format.
#[derive(Clone, Copy)]
pub enum Real {
    /// binary32
    F32(f32),
    /// binary64
    F64(f64),
}

impl Real {
    /// The number with an encoding (in the low 32 bits for binary32).
    pub fn from_bits(format: FloatFormat, encoding: u64) -> Self {
        match format {
            FloatFormat::F32 => Real::F32(f32::from_bits(encoding as u32)),
            FloatFormat::F64 => Real::F64(f64::from_bits(encoding)),
        }
    }

    /// The encoding; every NaN is the quiet NaN without payload, so that equal values have equal bits.
    pub fn to_bits(self) -> u64 {
        match self {
            Real::F32(a) if a.is_nan() => 0x7fc0_0000,
            Real::F64(a) if a.is_nan() => 0x7ff8_0000_0000_0000,
            Real::F32(a) => u64::from(a.to_bits()),
            Real::F64(a) => a.to_bits(),
        }
    }

    /// The format.
    pub fn format(self) -> FloatFormat {
        match self {
            Real::F32(_) => FloatFormat::F32,
            Real::F64(_) => FloatFormat::F64,
        }
    }

    /// The exact value in binary64.
    pub fn to_f64(self) -> f64 {
        match self {
            Real::F32(a) => f64::from(a),
            Real::F64(a) => a,
        }
    }

    /// Whether this is a NaN.
    pub fn is_nan(self) -> bool {
        self.to_f64().is_nan()
    }
}

/// The same value: NaN equals itself, 0 and -0 differ.
impl PartialEq for Real {
    fn eq(&self, other: &Self) -> bool {
        self.format() == other.format() && self.to_bits() == other.to_bits()
    }
}

impl Eq for Real {}

impl fmt::Debug for Real {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Real::F32(a) => write!(f, "{a:?}:f32"),
            Real::F64(a) => write!(f, "{a:?}:f64"),
        }
    }
}

/// The context of machine words: nothing.
#[derive(Clone, Copy, Debug, Default)]
pub struct Machine;

macro_rules! int_op {
    ($($name:ident = |$a:ident, $b:ident| $body:expr;)*) => {
        $(
            #[inline]
            fn $name(&mut self, $a: Int, $b: Int) -> Int {
                debug_assert_eq!($a.width, $b.width, "operands of {}", stringify!($name));
                Int::new($a.width(), $body)
            }
        )*
    };
}

impl Bits for Machine {
    type Word = Int;
    type Bool = bool;

    #[inline]
    fn word(&mut self, width: u32, value: u64) -> Int {
        Int::new(width, value)
    }
    #[inline]
    fn truth(&mut self, value: bool) -> bool {
        value
    }
    #[inline]
    fn width(&self, a: Int) -> u32 {
        a.width()
    }

    int_op! {
        add = |a, b| a.bits.wrapping_add(b.bits);
        sub = |a, b| a.bits.wrapping_sub(b.bits);
        mul = |a, b| a.bits.wrapping_mul(b.bits);
        umulh = |a, b| ((u128::from(a.bits) * u128::from(b.bits)) >> a.width) as u64;
        smulh = |a, b| ((i128::from(a.signed()) * i128::from(b.signed())) >> a.width) as u64;
        udiv = |a, b| a.bits.checked_div(b.bits).unwrap_or(u64::MAX);
        urem = |a, b| a.bits.checked_rem(b.bits).unwrap_or(a.bits);
        sdiv = |a, b| match (a.signed(), b.signed()) {
            (a, 0) => if a < 0 { 1 } else { u64::MAX },
            (a, b) => a.wrapping_div(b) as u64,
        };
        srem = |a, b| match (a.signed(), b.signed()) {
            (a, 0) => a as u64,
            (a, b) => a.wrapping_rem(b) as u64,
        };
        and = |a, b| a.bits & b.bits;
        or = |a, b| a.bits | b.bits;
        xor = |a, b| a.bits ^ b.bits;
        shl = |a, b| if b.bits < u64::from(a.width) { a.bits << b.bits } else { 0 };
        lshr = |a, b| if b.bits < u64::from(a.width) { a.bits >> b.bits } else { 0 };
        ashr = |a, b| (a.signed() >> b.bits.min(63)) as u64;
    }

    #[inline]
    fn not(&mut self, a: Int) -> Int {
        Int::new(a.width(), !a.bits)
    }
    #[inline]
    fn truncate(&mut self, a: Int, width: u32) -> Int {
        debug_assert!(width <= a.width());
        Int::new(width, a.bits)
    }
    #[inline]
    fn zero_extend(&mut self, a: Int, width: u32) -> Int {
        debug_assert!(width >= a.width());
        Int::new(width, a.bits)
    }
    #[inline]
    fn sign_extend(&mut self, a: Int, width: u32) -> Int {
        debug_assert!(width >= a.width());
        Int::new(width, a.signed() as u64)
    }

    #[inline]
    fn eq(&mut self, a: Int, b: Int) -> bool {
        debug_assert_eq!(a.width, b.width);
        a.bits == b.bits
    }
    #[inline]
    fn ult(&mut self, a: Int, b: Int) -> bool {
        debug_assert_eq!(a.width, b.width);
        a.bits < b.bits
    }
    #[inline]
    fn slt(&mut self, a: Int, b: Int) -> bool {
        debug_assert_eq!(a.width, b.width);
        a.signed() < b.signed()
    }
    #[inline]
    fn both(&mut self, a: bool, b: bool) -> bool {
        a & b
    }
    #[inline]
    fn either(&mut self, a: bool, b: bool) -> bool {
        a | b
    }
    #[inline]
    fn negate(&mut self, a: bool) -> bool {
        !a
    }
    #[inline]
    fn select(&mut self, condition: bool, then: Int, other: Int) -> Int {
        debug_assert_eq!(then.width, other.width);
        if condition { then } else { other }
    }

    #[inline]
    fn popcount(&mut self, a: Int) -> Int {
        Int::new(a.width(), u64::from(a.bits.count_ones()))
    }
    #[inline]
    fn leading_zeros(&mut self, a: Int) -> Int {
        Int::new(a.width(), u64::from(a.bits.leading_zeros() - (64 - a.width())))
    }
    #[inline]
    fn trailing_zeros(&mut self, a: Int) -> Int {
        Int::new(a.width(), u64::from(a.bits.trailing_zeros().min(a.width())))
    }
    #[inline]
    fn smear_right(&mut self, a: Int) -> Int {
        Int::new(a.width(), u64::MAX.checked_shr(a.bits.leading_zeros()).unwrap_or(0))
    }
}

macro_rules! real_op {
    ($($name:ident = |$a:ident, $b:ident| $body:expr;)*) => {
        $(
            fn $name(&mut self, a: Real, b: Real) -> Real {
                match (a, b) {
                    (Real::F32($a), Real::F32($b)) => Real::F32($body),
                    (Real::F64($a), Real::F64($b)) => Real::F64($body),
                    _ => panic!(concat!(stringify!($name), " of different formats")),
                }
            }
        )*
    };
}

macro_rules! real_map {
    ($($name:ident = |$a:ident| $body:expr;)*) => {
        $(
            fn $name(&mut self, a: Real) -> Real {
                match a {
                    Real::F32($a) => Real::F32($body),
                    Real::F64($a) => Real::F64($body),
                }
            }
        )*
    };
}

impl Floats for Machine {
    type Float = Real;

    fn float(&mut self, format: FloatFormat, encoding: u64) -> Real {
        Real::from_bits(format, encoding)
    }
    fn format(&self, a: Real) -> FloatFormat {
        a.format()
    }

    real_op! {
        f_add = |a, b| a + b;
        f_sub = |a, b| a - b;
        f_mul = |a, b| a * b;
        f_div = |a, b| a / b;
        f_rem = |a, b| a % b;
    }
    real_map! {
        f_sqrt = |a| a.sqrt();
        f_neg = |a| -a;
        f_abs = |a| a.abs();
    }

    fn f_eq(&mut self, a: Real, b: Real) -> bool {
        a.to_f64() == b.to_f64()
    }
    fn f_lt(&mut self, a: Real, b: Real) -> bool {
        a.to_f64() < b.to_f64()
    }
    fn f_le(&mut self, a: Real, b: Real) -> bool {
        a.to_f64() <= b.to_f64()
    }
    fn f_is_nan(&mut self, a: Real) -> bool {
        a.is_nan()
    }
    fn f_same(&mut self, a: Real, b: Real) -> bool {
        a == b
    }
    fn f_select(&mut self, condition: bool, then: Real, other: Real) -> Real {
        if condition { then } else { other }
    }
    fn f_convert(&mut self, a: Real, to: FloatFormat) -> Real {
        match to {
            FloatFormat::F32 => Real::F32(match a {
                Real::F32(a) => a,
                Real::F64(a) => a as f32,
            }),
            FloatFormat::F64 => Real::F64(a.to_f64()),
        }
    }
    fn f_from_signed(&mut self, a: Int, to: FloatFormat) -> Real {
        match to {
            FloatFormat::F32 => Real::F32(a.signed() as f32),
            FloatFormat::F64 => Real::F64(a.signed() as f64),
        }
    }
    fn f_from_unsigned(&mut self, a: Int, to: FloatFormat) -> Real {
        match to {
            FloatFormat::F32 => Real::F32(a.unsigned() as f32),
            FloatFormat::F64 => Real::F64(a.unsigned() as f64),
        }
    }
    fn f_to_signed(&mut self, a: Real, width: u32) -> Int {
        let (min, max) = (i64::MIN >> (64 - width), i64::MAX >> (64 - width));
        Int::new(width, (a.to_f64() as i64).clamp(min, max) as u64)
    }
    fn f_to_unsigned(&mut self, a: Real, width: u32) -> Int {
        Int::new(width, (a.to_f64() as u64).min(mask(width)))
    }
    fn f_from_bits(&mut self, a: Int) -> Real {
        match a.width() {
            32 => Real::from_bits(FloatFormat::F32, a.unsigned()),
            64 => Real::from_bits(FloatFormat::F64, a.unsigned()),
            width => panic!("no float has an encoding of {width} bits"),
        }
    }
    fn f_to_bits(&mut self, a: Real) -> Int {
        Int::new(a.format().bits(), a.to_bits())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `Machine` without its overrides: the provided definitions over its primitives.
    struct Plain;

    macro_rules! forward {
        ($($name:ident($($arg:ident: $ty:ty),*) -> $ret:ty;)*) => {
            $(fn $name(&mut self, $($arg: $ty),*) -> $ret { Machine.$name($($arg),*) })*
        };
    }

    impl Bits for Plain {
        type Word = Int;
        type Bool = bool;
        fn width(&self, a: Int) -> u32 {
            a.width()
        }
        forward! {
            word(width: u32, value: u64) -> Int;
            truth(value: bool) -> bool;
            add(a: Int, b: Int) -> Int;
            sub(a: Int, b: Int) -> Int;
            mul(a: Int, b: Int) -> Int;
            umulh(a: Int, b: Int) -> Int;
            smulh(a: Int, b: Int) -> Int;
            udiv(a: Int, b: Int) -> Int;
            urem(a: Int, b: Int) -> Int;
            sdiv(a: Int, b: Int) -> Int;
            srem(a: Int, b: Int) -> Int;
            and(a: Int, b: Int) -> Int;
            or(a: Int, b: Int) -> Int;
            xor(a: Int, b: Int) -> Int;
            not(a: Int) -> Int;
            shl(a: Int, b: Int) -> Int;
            lshr(a: Int, b: Int) -> Int;
            ashr(a: Int, b: Int) -> Int;
            truncate(a: Int, width: u32) -> Int;
            zero_extend(a: Int, width: u32) -> Int;
            sign_extend(a: Int, width: u32) -> Int;
            eq(a: Int, b: Int) -> bool;
            ult(a: Int, b: Int) -> bool;
            slt(a: Int, b: Int) -> bool;
            both(a: bool, b: bool) -> bool;
            either(a: bool, b: bool) -> bool;
            negate(a: bool) -> bool;
            select(c: bool, a: Int, b: Int) -> Int;
        }
    }

    #[test]
    fn overrides_compute_what_the_definitions_say() {
        for width in [1, 2, 3, 5, 8, 32, 64] {
            let samples: Vec<u64> = if width <= 8 {
                (0..1 << width).collect()
            } else {
                let edges =
                    [0, 1, 2, 3, u64::MAX, 1 << (width - 1), (1 << (width - 1)) - 1, 0xdead_beef_1234_5678];
                edges.into_iter().chain((0..width).map(|i| 3 << i)).collect()
            };
            for value in samples {
                let a = Int::new(width, value);
                assert_eq!(Machine.popcount(a), Plain.popcount(a), "popcount {a:?}");
                assert_eq!(Machine.leading_zeros(a), Plain.leading_zeros(a), "leading_zeros {a:?}");
                assert_eq!(Machine.trailing_zeros(a), Plain.trailing_zeros(a), "trailing_zeros {a:?}");
                assert_eq!(Machine.smear_right(a), Plain.smear_right(a), "smear_right {a:?}");
            }
        }
    }

    #[test]
    fn the_least_fitting_word_is_the_first_that_fits() {
        for width in 1..=5 {
            let words = || (0..1u64 << width).map(|v| Int::new(width, v));
            let mut ascending: Vec<Int> = words().collect();
            ascending.sort_by_key(|w| w.signed());
            for ones in words() {
                for zeros in words().filter(|z| z.bits & ones.bits == 0) {
                    for from in words() {
                        let fits = |w: &&Int| {
                            w.signed() >= from.signed()
                                && w.bits & zeros.bits == 0
                                && !w.bits & ones.bits == 0
                        };
                        let expected = ascending.iter().find(fits);
                        let (least, none) = Machine.least_fitting(from, ones, zeros);
                        assert_eq!(expected.is_none(), none, "{from:?} {ones:?} {zeros:?}");
                        assert!(expected.is_none_or(|&w| w == least), "{from:?} {ones:?} {zeros:?}");
                    }
                }
            }
        }
    }

    #[test]
    fn partial_primitives_are_total_as_in_smt_lib() {
        let (min, minus, zero) = (Int::new(8, 0x80), Int::new(8, 0xff), Int::new(8, 0));
        assert_eq!(Machine.sdiv(min, minus), min);
        assert_eq!(Machine.srem(min, minus), zero);
        assert_eq!(Machine.udiv(min, zero), minus);
        assert_eq!(Machine.urem(min, zero), min);
        assert_eq!(Machine.sdiv(min, zero), Int::new(8, 1));
        assert_eq!(Machine.ashr(min, Int::new(8, 200)), minus);
        assert_eq!(Machine.shl(minus, Int::new(8, 8)), zero);
    }

    #[test]
    fn signed_values_of_narrow_words() {
        assert_eq!(Int::new(1, 1).signed(), -1);
        assert_eq!(Int::new(4, 0x18).signed(), -8);
        assert_eq!(Int::new(64, u64::MAX).signed(), -1);
        assert_eq!(format!("{:?}", Int::new(4, 15)), "-1:i4");
    }

    #[test]
    fn floats_saturate_as_on_the_jvm() {
        let f = Real::F64;
        assert_eq!(Machine.f_to_signed(f(f64::NAN), 32).signed(), 0);
        assert_eq!(Machine.f_to_signed(f(1e300), 32).signed(), i64::from(i32::MAX));
        assert_eq!(Machine.f_to_signed(f(-1e300), 32).signed(), i64::from(i32::MIN));
        assert_eq!(Machine.f_to_signed(f(-1.9), 8).signed(), -1);
        assert_ne!(f(0.0), f(-0.0));
        assert_eq!(f(f64::from_bits(0x7ff8_0000_0000_0001)), f(f64::NAN));
    }
}
