//! Fixed-width words and floats, abstractly: the two traits over which every meaning is written.
//!
//! Three kinds of instance exist. [`Machine`](crate::Machine) computes (folding, interpreting,
//! exhaustive tests at small widths). The term pool of the `smt` crate builds formulas, so that a
//! meaning is also the solver's semantics. A bit-blaster builds circuits.
//!
//! Every primitive is **total**, as in SMT-LIB, because [`select`](Bits::select) evaluates both of
//! its arms: a division by zero gives all ones, a shift by the width or more gives zero (or the sign).
//! What an *operation* makes of those cases is said in its row. There is no way to branch on a
//! [`Bool`](Bits::Bool), only to select: so whatever is written over `Bits` is a theorem's subject as
//! it stands (PyPy's `Z3IntBound` has to restate its branchy methods; nothing is restated here).
//!
//! The context (`self`) is the term pool, or nothing. Provided methods are definitions in terms of
//! the primitives; an instance may override one with something faster that computes the same, and
//! tests compare the two.

use crate::types::FloatFormat;

/// Words of known width, and truth values.
///
/// Binary primitives demand operands of equal width; `Machine` panics on others in debug builds.
pub trait Bits {
    /// A word of some width from 1 to 64.
    type Word: Copy + std::fmt::Debug;
    /// A truth value.
    type Bool: Copy + std::fmt::Debug;

    /// The constant `value` modulo 2^`width`.
    fn word(&mut self, width: u32, value: u64) -> Self::Word;
    /// A constant truth value.
    fn truth(&mut self, value: bool) -> Self::Bool;
    /// The width of a word.
    fn width(&self, a: Self::Word) -> u32;

    /// a + b mod 2^w
    fn add(&mut self, a: Self::Word, b: Self::Word) -> Self::Word;
    /// a - b mod 2^w
    fn sub(&mut self, a: Self::Word, b: Self::Word) -> Self::Word;
    /// a * b mod 2^w
    fn mul(&mut self, a: Self::Word, b: Self::Word) -> Self::Word;
    /// The high word of the unsigned product.
    fn umulh(&mut self, a: Self::Word, b: Self::Word) -> Self::Word;
    /// The high word of the signed product.
    fn smulh(&mut self, a: Self::Word, b: Self::Word) -> Self::Word;
    /// Unsigned quotient; all ones when b = 0.
    fn udiv(&mut self, a: Self::Word, b: Self::Word) -> Self::Word;
    /// Unsigned remainder; a when b = 0.
    fn urem(&mut self, a: Self::Word, b: Self::Word) -> Self::Word;
    /// Signed quotient, truncating; MIN / -1 = MIN; for b = 0: 1 when a is negative, else -1.
    fn sdiv(&mut self, a: Self::Word, b: Self::Word) -> Self::Word;
    /// Signed remainder with the sign of a; a when b = 0.
    fn srem(&mut self, a: Self::Word, b: Self::Word) -> Self::Word;
    /// Bitwise and.
    fn and(&mut self, a: Self::Word, b: Self::Word) -> Self::Word;
    /// Bitwise or.
    fn or(&mut self, a: Self::Word, b: Self::Word) -> Self::Word;
    /// Bitwise exclusive or.
    fn xor(&mut self, a: Self::Word, b: Self::Word) -> Self::Word;
    /// Bitwise complement.
    fn not(&mut self, a: Self::Word) -> Self::Word;
    /// Shift left; zero when the amount is w or more.
    fn shl(&mut self, a: Self::Word, amount: Self::Word) -> Self::Word;
    /// Shift right filling with zeros; zero when the amount is w or more.
    fn lshr(&mut self, a: Self::Word, amount: Self::Word) -> Self::Word;
    /// Shift right filling with the sign; all sign when the amount is w or more.
    fn ashr(&mut self, a: Self::Word, amount: Self::Word) -> Self::Word;
    /// The low `width` bits; `width` is at most that of a.
    fn truncate(&mut self, a: Self::Word, width: u32) -> Self::Word;
    /// Zero extension; `width` is at least that of a.
    fn zero_extend(&mut self, a: Self::Word, width: u32) -> Self::Word;
    /// Sign extension; `width` is at least that of a.
    fn sign_extend(&mut self, a: Self::Word, width: u32) -> Self::Word;

    /// a = b
    fn eq(&mut self, a: Self::Word, b: Self::Word) -> Self::Bool;
    /// a < b, unsigned
    fn ult(&mut self, a: Self::Word, b: Self::Word) -> Self::Bool;
    /// a < b, signed
    fn slt(&mut self, a: Self::Word, b: Self::Word) -> Self::Bool;

    /// Conjunction. Both sides are evaluated.
    fn both(&mut self, a: Self::Bool, b: Self::Bool) -> Self::Bool;
    /// Disjunction. Both sides are evaluated.
    fn either(&mut self, a: Self::Bool, b: Self::Bool) -> Self::Bool;
    /// Negation.
    fn negate(&mut self, a: Self::Bool) -> Self::Bool;
    /// `then` where `condition` holds, `other` elsewhere. Both are evaluated.
    fn select(&mut self, condition: Self::Bool, then: Self::Word, other: Self::Word) -> Self::Word;

    /// 0 - a mod 2^w
    fn neg(&mut self, a: Self::Word) -> Self::Word {
        let zero = self.zero(a);
        self.sub(zero, a)
    }

    /// a != b
    fn ne(&mut self, a: Self::Word, b: Self::Word) -> Self::Bool {
        let equal = self.eq(a, b);
        self.negate(equal)
    }

    /// a <= b, unsigned
    fn ule(&mut self, a: Self::Word, b: Self::Word) -> Self::Bool {
        let above = self.ult(b, a);
        self.negate(above)
    }

    /// a <= b, signed
    fn sle(&mut self, a: Self::Word, b: Self::Word) -> Self::Bool {
        let above = self.slt(b, a);
        self.negate(above)
    }

    /// The smaller, signed.
    fn smin(&mut self, a: Self::Word, b: Self::Word) -> Self::Word {
        let less = self.slt(a, b);
        self.select(less, a, b)
    }

    /// The larger, signed.
    fn smax(&mut self, a: Self::Word, b: Self::Word) -> Self::Word {
        let less = self.slt(a, b);
        self.select(less, b, a)
    }

    /// The smaller, unsigned.
    fn umin(&mut self, a: Self::Word, b: Self::Word) -> Self::Word {
        let less = self.ult(a, b);
        self.select(less, a, b)
    }

    /// The larger, unsigned.
    fn umax(&mut self, a: Self::Word, b: Self::Word) -> Self::Word {
        let less = self.ult(a, b);
        self.select(less, b, a)
    }

    /// Truth as a word of `width` bits: 0 or 1.
    fn bool_word(&mut self, width: u32, a: Self::Bool) -> Self::Word {
        let (one, zero) = (self.word(width, 1), self.word(width, 0));
        self.select(a, one, zero)
    }

    /// Whether a word has a bit set.
    fn is_nonzero(&mut self, a: Self::Word) -> Self::Bool {
        let zero = self.zero(a);
        self.ne(a, zero)
    }

    /// Whether a word is negative when read as signed.
    fn is_negative(&mut self, a: Self::Word) -> Self::Bool {
        let zero = self.zero(a);
        self.slt(a, zero)
    }

    /// a implies b.
    fn implies(&mut self, a: Self::Bool, b: Self::Bool) -> Self::Bool {
        let not_a = self.negate(a);
        self.either(not_a, b)
    }

    /// a if and only if b.
    fn same(&mut self, a: Self::Bool, b: Self::Bool) -> Self::Bool {
        let (forth, back) = (self.implies(a, b), self.implies(b, a));
        self.both(forth, back)
    }

    /// Zero of the width of `like`.
    fn zero(&mut self, like: Self::Word) -> Self::Word {
        let width = self.width(like);
        self.word(width, 0)
    }

    /// One of the width of `like`.
    fn one(&mut self, like: Self::Word) -> Self::Word {
        let width = self.width(like);
        self.word(width, 1)
    }

    /// All ones of the width of `like`.
    fn ones(&mut self, like: Self::Word) -> Self::Word {
        let width = self.width(like);
        self.word(width, u64::MAX)
    }

    /// The smallest signed number of the width of `like`: only the sign bit set.
    fn signed_min(&mut self, like: Self::Word) -> Self::Word {
        let width = self.width(like);
        self.word(width, 1 << (width - 1))
    }

    /// The largest signed number of the width of `like`.
    fn signed_max(&mut self, like: Self::Word) -> Self::Word {
        let width = self.width(like);
        self.word(width, (1 << (width - 1)) - 1)
    }

    /// A shift amount brought below the width: amount mod w, which is `amount & (w - 1)` where w is a
    /// power of two, as on the JVM.
    fn mask_amount(&mut self, amount: Self::Word) -> Self::Word {
        let width = self.width(amount);
        if width.is_power_of_two() {
            let mask = self.word(width, u64::from(width) - 1);
            self.and(amount, mask)
        } else {
            // The width itself fits: 2^w > w.
            let modulus = self.word(width, u64::from(width));
            self.urem(amount, modulus)
        }
    }

    /// The number of one bits.
    fn popcount(&mut self, a: Self::Word) -> Self::Word {
        let (one, mut sum) = (self.one(a), self.zero(a));
        for bit in 0..self.width(a) {
            let amount = self.word(self.width(a), u64::from(bit));
            let shifted = self.lshr(a, amount);
            let digit = self.and(shifted, one);
            sum = self.add(sum, digit);
        }
        sum
    }

    /// The whole bytes in the opposite order; bits above the last whole byte stay.
    fn swap_bytes(&mut self, a: Self::Word) -> Self::Word {
        bytes_swapped(self, a)
    }

    /// The number of zero bits above the highest one bit; w for zero.
    fn leading_zeros(&mut self, a: Self::Word) -> Self::Word {
        let smeared = self.smear_right(a);
        let above = self.not(smeared);
        self.popcount(above)
    }

    /// The number of zero bits below the lowest one bit; w for zero.
    fn trailing_zeros(&mut self, a: Self::Word) -> Self::Word {
        // a - 1 turns exactly the trailing zeros into ones where a has zeros.
        let one = self.one(a);
        let less = self.sub(a, one);
        let not_a = self.not(a);
        let below = self.and(less, not_a);
        self.popcount(below)
    }

    /// The least word from `from` on, signed, that has every bit of `ones` and none of `zeros`; and whether
    /// there is none, in which case the word means nothing. No bit is in both.
    fn least_fitting(
        &mut self,
        from: Self::Word,
        ones: Self::Word,
        zeros: Self::Word,
    ) -> (Self::Word, Self::Bool) {
        least_fitting(self, from, ones, zeros)
    }

    /// The words from `lo` to `hi`, signed, that have every bit of `ones` and none of `zeros`, told by the
    /// tightest such bounds and the most such bits: `[lo, hi, ones, zeros]`. If there are none, the
    /// greatest word, the least one, and every bit in both.
    fn tighten(&mut self, [lo, hi, ones, zeros]: [Self::Word; 4]) -> [Self::Word; 4] {
        let (least, below_all) = self.least_fitting(lo, ones, zeros);
        // Complement turns the order around and swaps known ones and zeros.
        let not_hi = self.not(hi);
        let (not_greatest, above_all) = self.least_fitting(not_hi, zeros, ones);
        let greatest = self.not(not_greatest);

        let twice = self.and(ones, zeros);
        let clash = self.is_nonzero(twice);
        let missing = self.either(below_all, above_all);
        let crossed = self.slt(greatest, least);
        let empty = {
            let contrary = self.either(clash, crossed);
            self.either(missing, contrary)
        };

        // All words between the bounds have their common prefix. Below it nothing more is known: of the
        // first bit in which the bounds differ, the largest word with 0 there has all unknown bits set
        // below, and the smallest with 1 has them clear.
        let differ = self.xor(least, greatest);
        let below = self.smear_right(differ);
        let prefix = self.not(below);
        let (set, not_least) = (self.and(prefix, least), self.not(least));
        let clear = self.and(prefix, not_least);
        let (ones, zeros) = (self.or(ones, set), self.or(zeros, clear));

        let (min, max, all) = (self.signed_min(lo), self.signed_max(lo), self.ones(lo));
        [
            self.select(empty, max, least),
            self.select(empty, min, greatest),
            self.select(empty, all, ones),
            self.select(empty, all, zeros),
        ]
    }

    /// The bounds `[lo, hi]`, signed, moved into the circular interval that goes up from `from` to `to`, wrapping
    /// behind the greatest signed number when `to` < `from`; as they are where the condition does not hold.
    fn clip_if(
        &mut self,
        condition: Self::Bool,
        [lo, hi]: [Self::Word; 2],
        [from, to]: [Self::Word; 2],
    ) -> [Self::Word; 2] {
        // From the least number to the greatest is everything.
        let (min, max) = (self.signed_min(from), self.signed_max(from));
        let (from, to) = (self.select(condition, from, min), self.select(condition, to, max));
        // Wrapped: what is excluded is the gap strictly between `to` and `from`. A bound inside the gap
        // moves out of it.
        let wrapped = self.slt(to, from);
        let (lo_in_gap, hi_in_gap) = (self.slt(to, lo), self.slt(hi, from));
        let (move_lo, move_hi) = (self.implies(wrapped, lo_in_gap), self.implies(wrapped, hi_in_gap));
        let (raised, lowered) = (self.smax(lo, from), self.smin(hi, to));
        [self.select(move_lo, raised, lo), self.select(move_hi, lowered, hi)]
    }

    /// The fact about a quotient, signed or unsigned, of members of two facts, each given by its bounds and its known bits. It is
    /// computed; an instance that knows what the computation promises may answer with words of which it knows just that.
    fn quotient_fact(
        &mut self,
        _is_signed: bool,
        _operands: [[Self::Word; 4]; 2],
        compute: impl FnOnce(&mut Self) -> [Self::Word; 4],
    ) -> [Self::Word; 4]
    where
        Self: Sized,
    {
        compute(self)
    }

    /// Copies the highest one bit to every position below it: the smallest 2^k - 1 not below a.
    fn smear_right(&mut self, a: Self::Word) -> Self::Word {
        let width = self.width(a);
        let (mut smeared, mut distance) = (a, 1);
        while distance < width {
            let amount = self.word(width, u64::from(distance));
            let shifted = self.lshr(smeared, amount);
            smeared = self.or(smeared, shifted);
            distance *= 2;
        }
        smeared
    }
}

/// [`Bits::least_fitting`] in terms of the other primitives: what the method does where an instance has
/// nothing faster, and what a faster one may fall back on.
pub fn least_fitting<B: Bits + ?Sized>(
    b: &mut B,
    from: B::Word,
    ones: B::Word,
    zeros: B::Word,
) -> (B::Word, B::Bool) {
    // Flipping the sign makes the order unsigned; what is asked of the sign flips along.
    let (sign, one, zero) = (b.signed_min(from), b.one(from), b.zero(from));
    let asked = b.xor(ones, zeros);
    let flip = b.and(asked, sign);
    let (start, ones, zeros) = (b.xor(from, sign), b.xor(ones, flip), b.xor(zeros, flip));

    // Where `start` has a wrong bit, a zero bit has to become one: at the highest wrong bit when that
    // must be one, else at the next position above where a one is allowed. Above it all stays, below
    // it all is least.
    let (extra, not_start) = (b.and(start, zeros), b.not(start));
    let missing = b.and(not_start, ones);
    let wrong = b.or(extra, missing);
    let smeared = b.smear_right(wrong);
    let below_wrong = b.lshr(smeared, one);
    let fixed = b.or(zeros, below_wrong);
    let taken = b.or(start, fixed);
    let candidates = b.not(taken);
    let negated = b.neg(candidates);
    let raised = b.and(candidates, negated);
    let below = b.sub(raised, one);
    let changed = b.or(raised, below);
    let stays = b.not(changed);
    let (kept, low) = (b.and(start, stays), b.and(ones, below));
    let high = b.or(kept, raised);
    let least = b.or(high, low);

    let fits = b.eq(wrong, zero);
    let (unfit, stuck) = (b.negate(fits), b.eq(raised, zero));
    let none = b.both(unfit, stuck);
    let found = b.select(fits, start, least);
    (b.xor(found, sign), none)
}

/// Words and IEEE 754 floats. All NaNs are one value; rounding is to nearest, ties to even.
pub trait Floats: Bits {
    /// A number of some format.
    type Float: Copy + std::fmt::Debug;

    /// The constant with this encoding (in the low 32 bits for binary32).
    fn float(&mut self, format: FloatFormat, encoding: u64) -> Self::Float;
    /// The format of a number.
    fn format(&self, a: Self::Float) -> FloatFormat;

    /// a + b
    fn f_add(&mut self, a: Self::Float, b: Self::Float) -> Self::Float;
    /// a - b
    fn f_sub(&mut self, a: Self::Float, b: Self::Float) -> Self::Float;
    /// a * b
    fn f_mul(&mut self, a: Self::Float, b: Self::Float) -> Self::Float;
    /// a / b
    fn f_div(&mut self, a: Self::Float, b: Self::Float) -> Self::Float;
    /// The remainder of the truncated quotient, exact (C's `fmod`, the JVM's `drem`).
    fn f_rem(&mut self, a: Self::Float, b: Self::Float) -> Self::Float;
    /// Square root.
    fn f_sqrt(&mut self, a: Self::Float) -> Self::Float;
    /// The sign flipped.
    fn f_neg(&mut self, a: Self::Float) -> Self::Float;
    /// The sign cleared.
    fn f_abs(&mut self, a: Self::Float) -> Self::Float;
    /// a = b: false for NaN, true for 0 and -0.
    fn f_eq(&mut self, a: Self::Float, b: Self::Float) -> Self::Bool;
    /// a < b: false for NaN.
    fn f_lt(&mut self, a: Self::Float, b: Self::Float) -> Self::Bool;
    /// a <= b: false for NaN.
    fn f_le(&mut self, a: Self::Float, b: Self::Float) -> Self::Bool;
    /// Whether a is a NaN.
    fn f_is_nan(&mut self, a: Self::Float) -> Self::Bool;
    /// Whether a and b are the same value: as `f_eq`, but NaN is itself and 0 is not -0.
    fn f_same(&mut self, a: Self::Float, b: Self::Float) -> Self::Bool;
    /// `then` where `condition` holds, `other` elsewhere.
    fn f_select(&mut self, condition: Self::Bool, then: Self::Float, other: Self::Float) -> Self::Float;
    /// Conversion between formats.
    fn f_convert(&mut self, a: Self::Float, to: FloatFormat) -> Self::Float;
    /// The nearest number to a signed integer.
    fn f_from_signed(&mut self, a: Self::Word, to: FloatFormat) -> Self::Float;
    /// The nearest number to an unsigned integer.
    fn f_from_unsigned(&mut self, a: Self::Word, to: FloatFormat) -> Self::Float;
    /// Truncation to a signed integer; out of range is clamped and NaN is 0, as on the JVM.
    fn f_to_signed(&mut self, a: Self::Float, width: u32) -> Self::Word;
    /// Truncation to an unsigned integer; out of range is clamped and NaN is 0.
    fn f_to_unsigned(&mut self, a: Self::Float, width: u32) -> Self::Word;
    /// The number with an encoding.
    fn f_from_bits(&mut self, a: Self::Word) -> Self::Float;
    /// The encoding of a number; every NaN gives the quiet NaN without payload.
    fn f_to_bits(&mut self, a: Self::Float) -> Self::Word;
}

/// The whole bytes of a word in the opposite order, by shifts and masks.
pub fn bytes_swapped<B: Bits + ?Sized>(b: &mut B, a: B::Word) -> B::Word {
    let width = b.width(a);
    let bytes = width / 8;
    let stays = b.word(width, if bytes == 8 { 0 } else { u64::MAX << (8 * bytes) });
    let mut swapped = b.and(a, stays);
    if bytes == 0 {
        return swapped;
    }
    let low = b.word(width, 0xff);
    for byte in 0..bytes {
        let from = b.word(width, u64::from(8 * byte));
        let to = b.word(width, u64::from(8 * (bytes - 1 - byte)));
        let shifted = b.lshr(a, from);
        let digit = b.and(shifted, low);
        let placed = b.shl(digit, to);
        swapped = b.or(swapped, placed);
    }
    swapped
}
