//! **The table of operations.** One row is one operation; there is no other place to add one.
//!
//! ```text
//! /// Sum modulo 2^w.
//! Add = "add"(x: W, y: W) -> (W) [pypy("int_add"), commutative, ...]
//!     |b, to| Meaning::word(b.add(x, y));
//! ^     ^    ^                 ^   ^
//! Op    name operands          columns (methods of Row), then the meaning
//! ```
//!
//! Operand shapes: `W` and `V` are integer type variables, `F` and `G` float type variables, `P` a
//! reference, `C` one bit, `T` a type variable of any kind, `X` anything, `N` a vector of integers, `M` one of
//! floats, `U` any vector and `E` what is in its lanes. `R` among the results is an
//! integer type that the instruction names. In the meaning, `b` is the instance of
//! [`Floats`] and `to` the result types; an operand of shape `W`, `V` or `C` is a word,
//! `F` or `G` a float, `T` a [`Datum`].
//!
//! Rows without a meaning touch memory, control or the outside: what they do is said by the
//! interpreter's heap and by `World`; the table says their shape and effect. Rows of vectors name the operation
//! that their lanes undergo, whose meaning is theirs ([`lanes`](crate::lanes)).
//!
//! From a row come: constant folding, the interpreter, the solver's semantics, the exhaustive tests at
//! small widths, the verifier's checks, both text forms, the random generators, the rule language's
//! signature, and `docs/ops.md`.

use crate::arithmetic::{
    choose, float_format, floor_div, int_width, rotate_left, rotate_right, sign_extend_low, three_way,
    truncation_fits,
};
use crate::bits::Floats;
use crate::meaning::{Datum, Meaning};
use crate::row::EqualOperands::{Constant, Operand};
use crate::row::{self, Conversion, Effect, Exits, Lanes, Lanewise, Named, Shape};
use crate::types::Type;

const W: Shape = Shape::Int(0);
const V: Shape = Shape::Int(1);
const R: Shape = Shape::Int(2);
const C: Shape = Shape::Bit;
const F: Shape = Shape::Float(0);
const G: Shape = Shape::Float(1);
const P: Shape = Shape::Ref;
const T: Shape = Shape::Any(0);
const X: Shape = Shape::Free;
const N: Shape = Shape::Vector(Lanes::Ints);
const M: Shape = Shape::Vector(Lanes::Floats);
const U: Shape = Shape::Vector(Lanes::Any);
const E: Shape = Shape::Lane;

/// Reads an operand in the way its shape says.
macro_rules! operand {
    (F, $datum:expr) => {
        $datum.float()
    };
    (G, $datum:expr) => {
        $datum.float()
    };
    (T, $datum:expr) => {
        $datum
    };
    (P, $datum:expr) => {
        $datum
    };
    ($word:ident, $datum:expr) => {
        $datum.word()
    };
}

/// The shapes of an operand list.
macro_rules! shapes {
    (($($arg:ident: $shape:ident),*)) => {
        &[$($shape),*]
    };
}

/// Binds the operands of a list to its names.
macro_rules! bind {
    (($($arg:ident: $shape:ident),*), $args:expr, $op:expr) => {
        let &[$($arg),*] = $args else { panic!("{} takes other operands than {:?}", $op, $args) };
        $(let $arg = operand!($shape, $arg);)*
    };
}

macro_rules! table {
    ($(
        $(#[doc = $doc:literal])+
        $op:ident = $name:literal $operands:tt -> ($($result:ident),*)
            $([$($column:ident $(($($value:tt)*))?),* $(,)?])?
            $(|$b:ident, $to:ident| $meaning:expr)?;
    )*) => {
        /// An operation: the key of a row of the table.
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[repr(u16)]
        pub enum Op {
            $($(#[doc = $doc])+ $op,)*
        }

        /// Every operation, in the order of the table.
        pub const ALL: &[Op] = &[$(Op::$op),*];

        static ROWS: [Row; ALL.len()] = [$(
            Row::new($name, concat!($($doc, "\n"),+), shapes!($operands), &[$($result),*])
                $($(.$column($($($value)*)?))*)?
        ),*];

        /// One column of the table by itself, a byte each: it is asked of every operation that comes by, and a
        /// row is longer than a line of the cache.
        static EFFECTS: [Effect; ALL.len()] = [$(ROWS[Op::$op as usize].effect),*];

        /// The same of the operations with their operands swapped.
        static MIRRORS: [Option<Op>; ALL.len()] = [$(ROWS[Op::$op as usize].mirror(Op::$op)),*];

        impl Op {
            /// The meaning of a pure operation on `args`, with results of the types `to`.
            ///
            /// `None` for operations whose behaviour lies outside the table. Panics when the operands
            /// do not fit the row.
            pub fn meaning<B: Floats>(self, b: &mut B, args: &[Datum<B>], to: &[Type]) -> Option<Meaning<B>> {
                match self {
                    $($(Op::$op => {
                        bind!($operands, args, self);
                        let ($b, $to) = (b, to);
                        Some($meaning)
                    })?)*
                    _ => None,
                }
            }
        }
    };
}

table! {
    // ---- Integer arithmetic ---------------------------------------------------------------------

    /// Sum modulo 2^w.
    Add = "add"(x: W, y: W) -> (W) [pypy("int_add"), commutative, associative, identity(0)]
        |b, _to| Meaning::word(b.add(x, y));
    /// Difference modulo 2^w.
    Sub = "sub"(x: W, y: W) -> (W) [pypy("int_sub"), identity(0), equal(Constant(0))]
        |b, _to| Meaning::word(b.sub(x, y));
    /// Product modulo 2^w.
    Mul = "mul"(x: W, y: W) -> (W) [pypy("int_mul"), commutative, associative, identity(1), absorbing(0), cost(3)]
        |b, _to| Meaning::word(b.mul(x, y));
    /// High word of the unsigned product.
    Umulh = "umulh"(x: W, y: W) -> (W) [pypy("uint_mul_high"), commutative, absorbing(0), cost(4)]
        |b, _to| Meaning::word(b.umulh(x, y));
    /// High word of the signed product.
    Smulh = "smulh"(x: W, y: W) -> (W) [commutative, absorbing(0), cost(4)]
        |b, _to| Meaning::word(b.smulh(x, y));
    /// Negation modulo 2^w.
    Neg = "neg"(x: W) -> (W) [pypy("int_neg"), involution]
        |b, _to| Meaning::word(b.neg(x));
    /// Absolute value; that of the smallest number is itself.
    Abs = "abs"(x: W) -> (W)
        |b, _to| { let (negative, negated) = (b.is_negative(x), b.neg(x)); Meaning::word(b.select(negative, negated, x)) };
    /// The smaller, signed.
    Min = "min"(x: W, y: W) -> (W) [commutative, associative, equal(Operand)]
        |b, _to| Meaning::word(b.smin(x, y));
    /// The larger, signed.
    Max = "max"(x: W, y: W) -> (W) [commutative, associative, equal(Operand)]
        |b, _to| Meaning::word(b.smax(x, y));
    /// The smaller, unsigned.
    Umin = "umin"(x: W, y: W) -> (W) [commutative, associative, identity(-1), absorbing(0), equal(Operand)]
        |b, _to| Meaning::word(b.umin(x, y));
    /// The larger, unsigned.
    Umax = "umax"(x: W, y: W) -> (W) [commutative, associative, identity(0), absorbing(-1), equal(Operand)]
        |b, _to| Meaning::word(b.umax(x, y));
    /// Zero where negative, else the operand.
    ForceGeZero = "force_ge_zero"(x: W) -> (W) [pypy("int_force_ge_zero")]
        |b, _to| { let zero = b.zero(x); Meaning::word(b.smax(x, zero)) };

    // ---- Division: undefined for a zero divisor; where it can leave, it leaves before -----------

    /// Unsigned quotient.
    Udiv = "udiv"(x: W, y: W) -> (W) [identity(1), divisor(1), cost(20)]
        |b, _to| { let defined = b.is_nonzero(y); Meaning::word(b.udiv(x, y)).where_defined(defined) };
    /// Unsigned remainder.
    Urem = "urem"(x: W, y: W) -> (W) [equal(Constant(0)), divisor(1), cost(20)]
        |b, _to| { let defined = b.is_nonzero(y); Meaning::word(b.urem(x, y)).where_defined(defined) };
    /// Signed quotient, truncating towards zero; MIN / -1 is MIN.
    Sdiv = "sdiv"(x: W, y: W) -> (W) [identity(1), divisor(1), cost(20)]
        |b, _to| { let defined = b.is_nonzero(y); Meaning::word(b.sdiv(x, y)).where_defined(defined) };
    /// Signed remainder with the sign of the dividend.
    Srem = "srem"(x: W, y: W) -> (W) [equal(Constant(0)), divisor(1), cost(20)]
        |b, _to| { let defined = b.is_nonzero(y); Meaning::word(b.srem(x, y)).where_defined(defined) };
    /// Signed quotient, rounding down; MIN / -1 is MIN.
    FloorDiv = "floordiv"(x: W, y: W) -> (W) [pypy("int_py_div"), identity(1), divisor(1), cost(22)]
        |b, _to| { let defined = b.is_nonzero(y); Meaning::word(floor_div(b, x, y).0).where_defined(defined) };
    /// Signed remainder with the sign of the divisor.
    FloorMod = "floormod"(x: W, y: W) -> (W) [pypy("int_py_mod"), equal(Constant(0)), divisor(1), cost(22)]
        |b, _to| { let defined = b.is_nonzero(y); Meaning::word(floor_div(b, x, y).1).where_defined(defined) };

    // ---- Bits -----------------------------------------------------------------------------------

    /// Bitwise and.
    And = "and"(x: W, y: W) -> (W)
        [pypy("int_and"), commutative, associative, identity(-1), absorbing(0), equal(Operand)]
        |b, _to| Meaning::word(b.and(x, y));
    /// Bitwise or.
    Or = "or"(x: W, y: W) -> (W)
        [pypy("int_or"), commutative, associative, identity(0), absorbing(-1), equal(Operand)]
        |b, _to| Meaning::word(b.or(x, y));
    /// Bitwise exclusive or.
    Xor = "xor"(x: W, y: W) -> (W)
        [pypy("int_xor"), commutative, associative, identity(0), equal(Constant(0))]
        |b, _to| Meaning::word(b.xor(x, y));
    /// Bitwise complement.
    Not = "not"(x: W) -> (W) [pypy("int_invert"), involution]
        |b, _to| Meaning::word(b.not(x));
    /// Shift left; the amount is taken modulo w.
    Lshift = "lshift"(x: W, y: W) -> (W) [pypy("int_lshift"), identity(0), amount(1)]
        |b, _to| { let amount = b.mask_amount(y); Meaning::word(b.shl(x, amount)) };
    /// Shift right filling with the sign; the amount is taken modulo w.
    Rshift = "rshift"(x: W, y: W) -> (W) [pypy("int_rshift"), identity(0), amount(1)]
        |b, _to| { let amount = b.mask_amount(y); Meaning::word(b.ashr(x, amount)) };
    /// Shift right filling with zeros; the amount is taken modulo w.
    Urshift = "urshift"(x: W, y: W) -> (W) [pypy("uint_rshift"), identity(0), amount(1)]
        |b, _to| { let amount = b.mask_amount(y); Meaning::word(b.lshr(x, amount)) };
    /// Rotation to the left; the amount is taken modulo w.
    Rotl = "rotl"(x: W, y: W) -> (W) [identity(0), amount(1)]
        |b, _to| Meaning::word(rotate_left(b, x, y));
    /// Rotation to the right; the amount is taken modulo w.
    Rotr = "rotr"(x: W, y: W) -> (W) [identity(0), amount(1)]
        |b, _to| Meaning::word(rotate_right(b, x, y));
    /// Number of zero bits above the highest one bit; w for zero.
    Clz = "clz"(x: W) -> (W)
        |b, _to| Meaning::word(b.leading_zeros(x));
    /// Number of zero bits below the lowest one bit; w for zero.
    Ctz = "ctz"(x: W) -> (W)
        |b, _to| Meaning::word(b.trailing_zeros(x));
    /// Number of one bits.
    Popcount = "popcount"(x: W) -> (W)
        |b, _to| Meaning::word(b.popcount(x));
    /// The whole bytes in the opposite order; bits above the last whole byte stay.
    Bswap = "bswap"(x: W) -> (W) [involution]
        |b, _to| Meaning::word(b.swap_bytes(x));

    // ---- Widths ---------------------------------------------------------------------------------

    /// Sign extension to the wider type that the instruction names.
    Sext = "sext"(x: V) -> (W) [converts(Conversion::Widens)]
        |b, to| Meaning::word(b.sign_extend(x, int_width(to)));
    /// Zero extension to the wider type that the instruction names.
    Zext = "zext"(x: V) -> (W) [converts(Conversion::Widens)]
        |b, to| Meaning::word(b.zero_extend(x, int_width(to)));
    /// The low bits, as many as the narrower type that the instruction names has.
    Trunc = "trunc"(x: V) -> (W) [converts(Conversion::Narrows)]
        |b, to| Meaning::word(b.truncate(x, int_width(to)));
    /// The low n bits of x, sign-extended in place; x itself where n is 0 or more than w.
    Signext = "signext"(x: W, n: W) -> (W) [identity(0)]
        |b, _to| Meaning::word(sign_extend_low(b, x, n));

    // ---- Comparisons: 0 or 1 in the integer type that the instruction names ---------------------

    /// x = y
    Eq = "eq"(x: W, y: W) -> (R)
        [truth, pypy("int_eq"), commutative, equal(Constant(1)), negated(Op::Ne), swapped(Op::Eq)]
        |b, to| { let holds = b.eq(x, y); Meaning::truth(b, holds, int_width(to)) };
    /// x ≠ y
    Ne = "ne"(x: W, y: W) -> (R)
        [truth, pypy("int_ne"), commutative, equal(Constant(0)), negated(Op::Eq), swapped(Op::Ne)]
        |b, to| { let holds = b.ne(x, y); Meaning::truth(b, holds, int_width(to)) };
    /// x < y, signed
    Lt = "lt"(x: W, y: W) -> (R) [truth, pypy("int_lt"), equal(Constant(0)), negated(Op::Ge), swapped(Op::Gt)]
        |b, to| { let holds = b.slt(x, y); Meaning::truth(b, holds, int_width(to)) };
    /// x ≤ y, signed
    Le = "le"(x: W, y: W) -> (R) [truth, pypy("int_le"), equal(Constant(1)), negated(Op::Gt), swapped(Op::Ge)]
        |b, to| { let holds = b.sle(x, y); Meaning::truth(b, holds, int_width(to)) };
    /// x > y, signed
    Gt = "gt"(x: W, y: W) -> (R) [truth, pypy("int_gt"), equal(Constant(0)), negated(Op::Le), swapped(Op::Lt)]
        |b, to| { let holds = b.slt(y, x); Meaning::truth(b, holds, int_width(to)) };
    /// x ≥ y, signed
    Ge = "ge"(x: W, y: W) -> (R) [truth, pypy("int_ge"), equal(Constant(1)), negated(Op::Lt), swapped(Op::Le)]
        |b, to| { let holds = b.sle(y, x); Meaning::truth(b, holds, int_width(to)) };
    /// x < y, unsigned
    Ult = "ult"(x: W, y: W) -> (R) [truth, pypy("uint_lt"), equal(Constant(0)), negated(Op::Uge), swapped(Op::Ugt)]
        |b, to| { let holds = b.ult(x, y); Meaning::truth(b, holds, int_width(to)) };
    /// x ≤ y, unsigned
    Ule = "ule"(x: W, y: W) -> (R) [truth, pypy("uint_le"), equal(Constant(1)), negated(Op::Ugt), swapped(Op::Uge)]
        |b, to| { let holds = b.ule(x, y); Meaning::truth(b, holds, int_width(to)) };
    /// x > y, unsigned
    Ugt = "ugt"(x: W, y: W) -> (R) [truth, pypy("uint_gt"), equal(Constant(0)), negated(Op::Ule), swapped(Op::Ult)]
        |b, to| { let holds = b.ult(y, x); Meaning::truth(b, holds, int_width(to)) };
    /// x ≥ y, unsigned
    Uge = "uge"(x: W, y: W) -> (R) [truth, pypy("uint_ge"), equal(Constant(1)), negated(Op::Ult), swapped(Op::Ule)]
        |b, to| { let holds = b.ule(y, x); Meaning::truth(b, holds, int_width(to)) };
    /// x ≠ 0
    IsTrue = "is_true"(x: W) -> (R) [truth, pypy("int_is_true"), negated(Op::IsZero)]
        |b, to| { let holds = b.is_nonzero(x); Meaning::truth(b, holds, int_width(to)) };
    /// x = 0
    IsZero = "is_zero"(x: W) -> (R) [truth, pypy("int_is_zero"), negated(Op::IsTrue)]
        |b, to| { let nonzero = b.is_nonzero(x); let holds = b.negate(nonzero); Meaning::truth(b, holds, int_width(to)) };
    /// x where the condition is not zero, else y. Both are evaluated.
    Select = "select"(c: V, x: T, y: T) -> (T)
        |b, _to| { let holds = b.is_nonzero(c); choose(b, holds, x, y) };

    // ---- Arithmetic with an overflow bit: the sum modulo 2^w, and whether it is not the true sum --

    /// Signed sum and whether it overflows.
    AddOvf = "add_ovf"(x: W, y: W) -> (W, C) [pypy("int_add_ovf"), commutative, wrapping(Op::Add)]
        |b, _to| {
            // It overflows when both operands differ in sign from the sum.
            let sum = b.add(x, y);
            let (left, right) = (b.xor(x, sum), b.xor(y, sum));
            let differ = b.and(left, right);
            let overflow = b.is_negative(differ);
            Meaning::checked(b, sum, overflow)
        };
    /// Signed difference and whether it overflows.
    SubOvf = "sub_ovf"(x: W, y: W) -> (W, C) [pypy("int_sub_ovf"), wrapping(Op::Sub)]
        |b, _to| {
            let difference = b.sub(x, y);
            let (operands, result) = (b.xor(x, y), b.xor(x, difference));
            let differ = b.and(operands, result);
            let overflow = b.is_negative(differ);
            Meaning::checked(b, difference, overflow)
        };
    /// Signed product and whether it overflows.
    MulOvf = "mul_ovf"(x: W, y: W) -> (W, C) [pypy("int_mul_ovf"), commutative, cost(4), wrapping(Op::Mul)]
        |b, _to| {
            // It fits when the high word is the sign of the low one.
            let (low, high) = (b.mul(x, y), b.smulh(x, y));
            let (zero, ones, negative) = (b.zero(low), b.ones(low), b.is_negative(low));
            let sign = b.select(negative, ones, zero);
            let overflow = b.ne(high, sign);
            Meaning::checked(b, low, overflow)
        };
    /// Unsigned sum and whether it overflows.
    UaddOvf = "uadd_ovf"(x: W, y: W) -> (W, C) [commutative, wrapping(Op::Add)]
        |b, _to| { let sum = b.add(x, y); let overflow = b.ult(sum, x); Meaning::checked(b, sum, overflow) };
    /// Unsigned difference and whether it is negative.
    UsubOvf = "usub_ovf"(x: W, y: W) -> (W, C) [wrapping(Op::Sub)]
        |b, _to| { let (difference, overflow) = (b.sub(x, y), b.ult(x, y)); Meaning::checked(b, difference, overflow) };
    /// Unsigned product and whether it overflows.
    UmulOvf = "umul_ovf"(x: W, y: W) -> (W, C) [commutative, cost(4), wrapping(Op::Mul)]
        |b, _to| {
            let (low, high) = (b.mul(x, y), b.umulh(x, y));
            let overflow = b.is_nonzero(high);
            Meaning::checked(b, low, overflow)
        };

    // ---- Floating point: IEEE 754, nearest even; all NaNs are one value ---------------------------

    /// Sum.
    Fadd = "fadd"(x: F, y: F) -> (F) [pypy("float_add"), commutative, cost(4)]
        |b, _to| Meaning::float(b.f_add(x, y));
    /// Difference.
    Fsub = "fsub"(x: F, y: F) -> (F) [pypy("float_sub"), cost(4)]
        |b, _to| Meaning::float(b.f_sub(x, y));
    /// Product.
    Fmul = "fmul"(x: F, y: F) -> (F) [pypy("float_mul"), commutative, cost(4)]
        |b, _to| Meaning::float(b.f_mul(x, y));
    /// Quotient: a zero divisor gives an infinity or NaN.
    Fdiv = "fdiv"(x: F, y: F) -> (F) [pypy("float_truediv"), cost(15)]
        |b, _to| Meaning::float(b.f_div(x, y));
    /// Remainder of the truncated quotient, exact.
    Frem = "frem"(x: F, y: F) -> (F) [cost(40)]
        |b, _to| Meaning::float(b.f_rem(x, y));
    /// The sign flipped.
    Fneg = "fneg"(x: F) -> (F) [pypy("float_neg"), involution]
        |b, _to| Meaning::float(b.f_neg(x));
    /// The sign cleared.
    Fabs = "fabs"(x: F) -> (F) [pypy("float_abs")]
        |b, _to| Meaning::float(b.f_abs(x));
    /// Square root; NaN for negative numbers other than -0.
    Fsqrt = "fsqrt"(x: F) -> (F) [cost(15)]
        |b, _to| Meaning::float(b.f_sqrt(x));
    /// x = y: false for NaN, true for 0 and -0.
    Feq = "feq"(x: F, y: F) -> (R) [truth, pypy("float_eq"), commutative, negated(Op::Fne), swapped(Op::Feq), cost(2)]
        |b, to| { let holds = b.f_eq(x, y); Meaning::truth(b, holds, int_width(to)) };
    /// x ≠ y: true for NaN.
    Fne = "fne"(x: F, y: F) -> (R) [truth, pypy("float_ne"), commutative, negated(Op::Feq), swapped(Op::Fne), cost(2)]
        |b, to| { let equal = b.f_eq(x, y); let holds = b.negate(equal); Meaning::truth(b, holds, int_width(to)) };
    /// x < y: false for NaN.
    Flt = "flt"(x: F, y: F) -> (R) [truth, pypy("float_lt"), equal(Constant(0)), swapped(Op::Fgt), cost(2)]
        |b, to| { let holds = b.f_lt(x, y); Meaning::truth(b, holds, int_width(to)) };
    /// x ≤ y: false for NaN.
    Fle = "fle"(x: F, y: F) -> (R) [truth, pypy("float_le"), swapped(Op::Fge), cost(2)]
        |b, to| { let holds = b.f_le(x, y); Meaning::truth(b, holds, int_width(to)) };
    /// x > y: false for NaN.
    Fgt = "fgt"(x: F, y: F) -> (R) [truth, pypy("float_gt"), equal(Constant(0)), swapped(Op::Flt), cost(2)]
        |b, to| { let holds = b.f_lt(y, x); Meaning::truth(b, holds, int_width(to)) };
    /// x ≥ y: false for NaN.
    Fge = "fge"(x: F, y: F) -> (R) [truth, pypy("float_ge"), swapped(Op::Fle), cost(2)]
        |b, to| { let holds = b.f_le(y, x); Meaning::truth(b, holds, int_width(to)) };
    /// -1, 0 or 1 as x is less than, equal to or greater than y; -1 for NaN (the JVM's `fcmpl`).
    Fcmpl = "fcmpl"(x: F, y: F) -> (R) [cost(3)]
        |b, to| { let nan = b.word(int_width(to), u64::MAX); Meaning::word(three_way(b, x, y, nan)) };
    /// -1, 0 or 1 as x is less than, equal to or greater than y; 1 for NaN (the JVM's `fcmpg`).
    Fcmpg = "fcmpg"(x: F, y: F) -> (R) [cost(3)]
        |b, to| { let nan = b.word(int_width(to), 1); Meaning::word(three_way(b, x, y, nan)) };

    // ---- Conversions ----------------------------------------------------------------------------

    /// The nearest number to a signed integer.
    SignedToFloat = "signed_to_float"(x: W) -> (F) [pypy("cast_int_to_float"), cost(4)]
        |b, to| Meaning::float(b.f_from_signed(x, float_format(to)));
    /// The nearest number to an unsigned integer.
    UnsignedToFloat = "unsigned_to_float"(x: W) -> (F) [cost(4)]
        |b, to| Meaning::float(b.f_from_unsigned(x, float_format(to)));
    /// Truncation to a signed integer as the JVM does it: clamped out of range, 0 for NaN.
    FloatToSignedSat = "float_to_signed_sat"(x: F) -> (W) [cost(5)]
        |b, to| Meaning::word(b.f_to_signed(x, int_width(to)));
    /// Truncation to an unsigned integer: clamped out of range, 0 for NaN.
    FloatToUnsignedSat = "float_to_unsigned_sat"(x: F) -> (W) [cost(5)]
        |b, to| Meaning::word(b.f_to_unsigned(x, int_width(to)));
    /// Truncation to a signed integer as C does it: undefined out of range and for NaN.
    FloatToSigned = "float_to_signed"(x: F) -> (W) [partial, pypy("cast_float_to_int"), cost(4)]
        |b, to| {
            let width = int_width(to);
            let defined = truncation_fits(b, x, width);
            Meaning::word(b.f_to_signed(x, width)).where_defined(defined)
        };
    /// The same number in the other format, rounded if need be.
    FloatConvert = "float_convert"(x: F) -> (G) [converts(Conversion::Changes), cost(2)]
        |b, to| Meaning::float(b.f_convert(x, float_format(to)));
    /// The encoding; every NaN gives the quiet NaN without payload (the JVM's `doubleToLongBits`).
    FloatToBits = "float_to_bits"(x: F) -> (W) [converts(Conversion::Encodes)]
        |b, _to| Meaning::word(b.f_to_bits(x));
    /// The encoding as it is; which NaN it is, is unspecified.
    FloatToRawBits = "float_to_raw_bits"(x: F) -> (W) [converts(Conversion::Encodes), partial, pypy("convert_float_bytes_to_longlong")]
        |b, _to| {
            let nan = b.f_is_nan(x);
            let defined = b.negate(nan);
            Meaning::word(b.f_to_bits(x)).where_defined(defined)
        };
    /// The number with an encoding.
    BitsToFloat = "bits_to_float"(x: W) -> (F) [converts(Conversion::Encodes), pypy("convert_longlong_bytes_to_float")]
        |b, _to| Meaning::float(b.f_from_bits(x));

    // ---- References -----------------------------------------------------------------------------

    /// Whether a reference is null.
    IsNull = "is_null"(x: P) -> (R) [truth, negated(Op::IsNonnull)];
    /// Whether a reference is not null.
    IsNonnull = "is_nonnull"(x: P) -> (R) [truth, negated(Op::IsNull)];
    /// Whether two references are the same.
    RefEq = "ref_eq"(x: P, y: P) -> (R)
        [truth, pypy("ptr_eq"), commutative, equal(Constant(1)), negated(Op::RefNe), swapped(Op::RefEq)];
    /// Whether two references differ.
    RefNe = "ref_ne"(x: P, y: P) -> (R)
        [truth, pypy("ptr_ne"), commutative, equal(Constant(0)), negated(Op::RefEq), swapped(Op::RefNe)];
    /// Whether a reference is not null and of a class or one below it.
    InstanceOf = "instance_of"(x: P) -> (R) [truth, names(Named::Class), cost(3)];
    /// The address of a class object, as an integer.
    ClassOf = "class_of"(x: P) -> (W) [cost(2)];
    /// The address of an object as an integer.
    RefToInt = "ref_to_int"(x: P) -> (W) [pypy("cast_ptr_to_int")];
    /// The object at an address.
    IntToRef = "int_to_ref"(x: W) -> (P) [pypy("cast_int_to_ptr")];

    // ---- Constant tables ------------------------------------------------------------------------

    /// An item of a constant table, by its number without sign; behind the last item there is the last item again.
    Lookup = "lookup"(i: V) -> (T) [names(Named::Table), cost(4)];

    // ---- Memory: the descriptor says which ------------------------------------------------------

    /// A fresh object of the described class or size.
    New = "new"() -> (P) [names(Named::Class), effect(Effect::Allocate), exits(Exits::Before), cost(10)];
    /// A fresh array of a length.
    NewArray = "new_array"(n: W) -> (P) [names(Named::Array), effect(Effect::Allocate), exits(Exits::Before), cost(10)];
    /// A field of an object.
    GetField = "get_field"(o: P) -> (T) [names(Named::Location), effect(Effect::Load), exits(Exits::Before), cost(3)];
    /// Sets a field of an object.
    SetField = "set_field"(o: P, x: X) -> () [names(Named::Location), effect(Effect::Store), exits(Exits::Before), cost(3)];
    /// An item of an array.
    GetItem = "get_item"(a: P, i: W) -> (T) [names(Named::Location), effect(Effect::Load), exits(Exits::Before), cost(3)];
    /// Sets an item of an array.
    SetItem = "set_item"(a: P, i: W, x: X) -> () [names(Named::Location), effect(Effect::Store), exits(Exits::Before), cost(3)];
    /// A field of an item of an array of structures.
    GetInterior = "get_interior"(a: P, i: W) -> (T) [names(Named::Location), effect(Effect::Load), exits(Exits::Before), cost(3)];
    /// Sets a field of an item of an array of structures.
    SetInterior = "set_interior"(a: P, i: W, x: X) -> ()
        [names(Named::Location), effect(Effect::Store), exits(Exits::Before), cost(3)];
    /// The length of an array. It never changes.
    ArrayLen = "array_len"(a: P) -> (R) [names(Named::Array), exits(Exits::Before), cost(2)];
    /// Reads raw memory at base + offset.
    RawLoad = "raw_load"(p: W, offset: W) -> (T) [names(Named::Location), effect(Effect::Load), cost(3)];
    /// Writes raw memory at base + offset.
    RawStore = "raw_store"(p: W, offset: W, x: X) -> () [names(Named::Location), effect(Effect::Store), cost(3)];
    /// Writes a value into n cells of raw memory, one behind the other from base + offset on. No cell is nothing at all.
    RawFill = "raw_fill"(p: W, offset: W, n: W, x: X) -> () [names(Named::Location), effect(Effect::Store), cost(10)];
    /// Copies n cells of raw memory, one behind the other from the second base + offset on, to the first; all of them are read
    /// before any is written.
    RawCopy = "raw_copy"(p: W, offset: W, from: W, distance: W, n: W) -> ()
        [names(Named::Location), effect(Effect::Store), cost(10)];
    /// A static field.
    GetStatic = "get_static"() -> (T) [names(Named::Location), effect(Effect::Load), exits(Exits::Before), cost(3)];
    /// Sets a static field.
    SetStatic = "set_static"(x: X) -> () [names(Named::Location), effect(Effect::Store), exits(Exits::Before), cost(3)];
    /// A fresh string of a length, its characters unset; the descriptor says of which characters.
    NewStr = "new_str"(n: W) -> (P) [names(Named::Location), effect(Effect::Allocate), exits(Exits::Before), cost(10)];
    /// The length of a string. It never changes.
    StrLen = "str_len"(s: P) -> (W) [names(Named::Location), cost(2)];
    /// A character of a string.
    StrGet = "str_get"(s: P, i: W) -> (W) [names(Named::Location), effect(Effect::Load), cost(3)];
    /// Sets a character of a string that was just made.
    StrSet = "str_set"(s: P, i: W, c: W) -> () [names(Named::Location), effect(Effect::Store), cost(3)];
    /// Copies n characters from one string into another that was just made.
    StrCopy = "str_copy"(from: P, to_str: P, i: W, j: W, n: W) -> () [names(Named::Location), effect(Effect::Store), cost(10)];

    // ---- Calls and effects made visible ----------------------------------------------------------

    /// Calls what the descriptor says with any operands; results as the instruction names them.
    Call = "call"() -> ()
        [variadic, free_results, names(Named::Callee), effect(Effect::Call), exits(Exits::After), cost(50)];
    /// Calls the function that the first operand refers to with the others; the descriptor says what such functions may
    /// do. Operands are those of the function, results the first of its results; a reference to anything else leaves.
    CallRef = "call_ref"(function: P) -> ()
        [variadic, free_results, names(Named::Callee), effect(Effect::Call), exits(Exits::After), cost(60)];
    /// The value of the operands that nothing looks into: orders effects that are values.
    Use = "use"() -> (T) [variadic];
    /// A remark in its place among the effects: a merge point, a line number, a hint.
    Marker = "marker"() -> () [variadic, names(Named::Other), effect(Effect::Marker), cost(0)];

    // ---- Guards: they leave through their exit, or teach that the condition holds -----------------

    /// Leaves unless the condition is not zero.
    GuardTrue = "guard_true"(c: W) -> () [pypy("guard_true"), effect(Effect::Guard), exits(Exits::Before), negated(Op::GuardFalse)];
    /// Leaves unless the condition is zero.
    GuardFalse = "guard_false"(c: W) -> () [pypy("guard_false"), effect(Effect::Guard), exits(Exits::Before), negated(Op::GuardTrue)];
    /// Leaves unless both operands are the same value.
    GuardValue = "guard_value"(x: T, y: T) -> () [pypy("guard_value"), effect(Effect::Guard), exits(Exits::Before)];
    /// Leaves when the reference is null.
    GuardNonnull = "guard_nonnull"(x: P) -> () [pypy("guard_nonnull"), effect(Effect::Guard), exits(Exits::Before)];
    /// Leaves unless the reference is null.
    GuardIsnull = "guard_isnull"(x: P) -> () [pypy("guard_isnull"), effect(Effect::Guard), exits(Exits::Before)];
    /// Leaves unless the object, which is not null, is of exactly the class at an address.
    GuardClass = "guard_class"(x: P, class: W) -> () [pypy("guard_class"), effect(Effect::Guard), exits(Exits::Before)];
    /// Leaves unless the reference is not null and of exactly the class at an address.
    GuardNonnullClass = "guard_nonnull_class"(x: P, class: W) -> ()
        [pypy("guard_nonnull_class"), effect(Effect::Guard), exits(Exits::Before)];
    /// Leaves when the call before it raised an exception.
    GuardNoException = "guard_no_exception"() -> () [pypy("guard_no_exception"), effect(Effect::Guard), exits(Exits::Before)];
    /// Leaves unless the call before it raised an exception of the class at an address; yields it.
    GuardException = "guard_exception"(class: W) -> (P) [pypy("guard_exception"), effect(Effect::Guard), exits(Exits::Before)];
    /// Leaves when the call before it forced the frame.
    GuardNotForced = "guard_not_forced"() -> () [pypy("guard_not_forced"), effect(Effect::Guard), exits(Exits::Before)];
    /// Leaves when a quasi-immutable field on which the trace relies has changed.
    GuardNotInvalidated = "guard_not_invalidated"() -> ()
        [pypy("guard_not_invalidated"), effect(Effect::Guard), exits(Exits::Before)];
    /// Leaves as the descriptor says, which nothing here looks into.
    GuardOther = "guard_other"() -> () [variadic, names(Named::Other), effect(Effect::Guard), exits(Exits::Before)];
    /// Leaves when the reference is null; yields it.
    NullCheck = "null_check"(x: P) -> (P) [effect(Effect::Guard), exits(Exits::Before)];
    /// Leaves unless 0 ≤ i < n.
    BoundsCheck = "bounds_check"(i: W, n: W) -> () [effect(Effect::Guard), exits(Exits::Before)];
    /// Leaves unless the reference is null or of the described class or one below it; yields it.
    CheckCast = "check_cast"(x: P) -> (P) [names(Named::Class), effect(Effect::Guard), exits(Exits::Before), cost(3)];
    /// Runs the initialisation of the described class if it has not run.
    InitClass = "init_class"() -> () [names(Named::Class), effect(Effect::Call), exits(Exits::After), cost(3)];
    /// Enters the monitor of an object.
    MonitorEnter = "monitor_enter"(x: P) -> () [effect(Effect::Call), exits(Exits::Before), cost(20)];
    /// Leaves the monitor of an object.
    MonitorExit = "monitor_exit"(x: P) -> () [effect(Effect::Call), exits(Exits::Before), cost(20)];

    // ---- Vectors: what a lane undergoes is said by the operation that is named --------------------

    /// A vector with a value in every lane.
    Splat = "splat"(x: E) -> (U) [lanes(Lanewise::Splat)];
    /// A lane of a vector, by its number modulo the number of lanes.
    Extract = "extract"(v: U, i: V) -> (E) [lanes(Lanewise::Extract), cost(2)];
    /// A vector with another value in a lane, by its number modulo the number of lanes.
    Insert = "insert"(v: U, i: V, x: E) -> (U) [lanes(Lanewise::Insert), cost(2)];
    /// Sums, lane by lane.
    Vadd = "vadd"(x: N, y: N) -> (N) [each(Op::Add)];
    /// Differences, lane by lane.
    Vsub = "vsub"(x: N, y: N) -> (N) [each(Op::Sub)];
    /// Products, lane by lane.
    Vmul = "vmul"(x: N, y: N) -> (N) [each(Op::Mul), cost(3)];
    /// Negations, lane by lane.
    Vneg = "vneg"(x: N) -> (N) [each(Op::Neg)];
    /// Absolute values, lane by lane.
    Vabs = "vabs"(x: N) -> (N) [each(Op::Abs)];
    /// The smaller ones, signed, lane by lane.
    Vmin = "vmin"(x: N, y: N) -> (N) [each(Op::Min)];
    /// The larger ones, signed, lane by lane.
    Vmax = "vmax"(x: N, y: N) -> (N) [each(Op::Max)];
    /// The smaller ones, unsigned, lane by lane.
    Vumin = "vumin"(x: N, y: N) -> (N) [each(Op::Umin)];
    /// The larger ones, unsigned, lane by lane.
    Vumax = "vumax"(x: N, y: N) -> (N) [each(Op::Umax)];
    /// Bitwise and, lane by lane.
    Vand = "vand"(x: N, y: N) -> (N) [each(Op::And)];
    /// Bitwise or, lane by lane.
    Vor = "vor"(x: N, y: N) -> (N) [each(Op::Or)];
    /// Bitwise exclusive or, lane by lane.
    Vxor = "vxor"(x: N, y: N) -> (N) [each(Op::Xor)];
    /// Bitwise complement, lane by lane.
    Vnot = "vnot"(x: N) -> (N) [each(Op::Not)];
    /// Shifts left by amounts modulo w, lane by lane.
    Vlshift = "vlshift"(x: N, y: N) -> (N) [each(Op::Lshift)];
    /// Shifts right filling with the sign by amounts modulo w, lane by lane.
    Vrshift = "vrshift"(x: N, y: N) -> (N) [each(Op::Rshift)];
    /// Shifts right filling with zeros by amounts modulo w, lane by lane.
    Vurshift = "vurshift"(x: N, y: N) -> (N) [each(Op::Urshift)];
    /// x = y: 1 or 0, lane by lane.
    Veq = "veq"(x: N, y: N) -> (N) [each(Op::Eq)];
    /// x ≠ y: 1 or 0, lane by lane.
    Vne = "vne"(x: N, y: N) -> (N) [each(Op::Ne)];
    /// x < y, signed: 1 or 0, lane by lane.
    Vlt = "vlt"(x: N, y: N) -> (N) [each(Op::Lt)];
    /// x ≤ y, signed: 1 or 0, lane by lane.
    Vle = "vle"(x: N, y: N) -> (N) [each(Op::Le)];
    /// x < y, unsigned: 1 or 0, lane by lane.
    Vult = "vult"(x: N, y: N) -> (N) [each(Op::Ult)];
    /// x ≤ y, unsigned: 1 or 0, lane by lane.
    Vule = "vule"(x: N, y: N) -> (N) [each(Op::Ule)];
    /// x where the condition is not zero, else y, lane by lane.
    Vselect = "vselect"(c: N, x: N, y: N) -> (N) [each(Op::Select)];
    /// Sums of floats, lane by lane.
    Vfadd = "vfadd"(x: M, y: M) -> (M) [each(Op::Fadd), cost(4)];
    /// Differences of floats, lane by lane.
    Vfsub = "vfsub"(x: M, y: M) -> (M) [each(Op::Fsub), cost(4)];
    /// Products of floats, lane by lane.
    Vfmul = "vfmul"(x: M, y: M) -> (M) [each(Op::Fmul), cost(4)];
    /// Quotients of floats, lane by lane.
    Vfdiv = "vfdiv"(x: M, y: M) -> (M) [each(Op::Fdiv), cost(15)];
    /// Negations of floats, lane by lane.
    Vfneg = "vfneg"(x: M) -> (M) [each(Op::Fneg)];
    /// Absolute values of floats, lane by lane.
    Vfabs = "vfabs"(x: M) -> (M) [each(Op::Fabs)];
    /// Square roots of floats, lane by lane.
    Vfsqrt = "vfsqrt"(x: M) -> (M) [each(Op::Fsqrt), cost(15)];
    /// The sum of all lanes.
    ReduceAdd = "reduce_add"(v: N) -> (E) [across(Op::Add), cost(6)];
    /// The product of all lanes.
    ReduceMul = "reduce_mul"(v: N) -> (E) [across(Op::Mul), cost(6)];
    /// The bitwise and of all lanes.
    ReduceAnd = "reduce_and"(v: N) -> (E) [across(Op::And), cost(6)];
    /// The bitwise or of all lanes.
    ReduceOr = "reduce_or"(v: N) -> (E) [across(Op::Or), cost(6)];
    /// The bitwise exclusive or of all lanes.
    ReduceXor = "reduce_xor"(v: N) -> (E) [across(Op::Xor), cost(6)];
    /// The smallest, signed, of all lanes.
    ReduceMin = "reduce_min"(v: N) -> (E) [across(Op::Min), cost(6)];
    /// The largest, signed, of all lanes.
    ReduceMax = "reduce_max"(v: N) -> (E) [across(Op::Max), cost(6)];
    /// The smallest, unsigned, of all lanes.
    ReduceUmin = "reduce_umin"(v: N) -> (E) [across(Op::Umin), cost(6)];
    /// The largest, unsigned, of all lanes.
    ReduceUmax = "reduce_umax"(v: N) -> (E) [across(Op::Umax), cost(6)];
    /// Reads a vector from raw memory at base + offset: its lanes one behind the other, the first one first.
    Vload = "vload"(p: W, offset: W) -> (U) [names(Named::Location), effect(Effect::Load), cost(3)];
    /// Writes a vector to raw memory at base + offset: its lanes one behind the other, the first one first.
    Vstore = "vstore"(p: W, offset: W, v: U) -> () [names(Named::Location), effect(Effect::Store), cost(3)];
}

/// What the table says of an operation.
pub type Row = row::Row<Op>;

impl Op {
    /// What the table says of this operation.
    #[inline]
    pub fn row(self) -> &'static Row {
        &ROWS[self as usize]
    }

    /// What the operation may do: the column of its row.
    #[inline]
    pub fn effect(self) -> Effect {
        EFFECTS[self as usize]
    }

    /// The name in `.ssa` text and in rules.
    pub fn name(self) -> &'static str {
        self.row().name
    }

    /// Whether the operation goes from the type of its first operand to a type of its result, beyond what
    /// its shapes say.
    pub fn converts(self, from: Type, to: Type) -> bool {
        self.row().conversion.is_none_or(|conversion| conversion.admits(from, to))
    }

    /// The operation that means the same with its two operands swapped.
    #[inline]
    pub fn swapped(self) -> Option<Op> {
        MIRRORS[self as usize]
    }
}

impl std::fmt::Display for Op {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name())
    }
}

impl std::fmt::Debug for Op {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name())
    }
}
