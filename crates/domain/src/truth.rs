//! What is known of a condition: that it always holds, never holds, or neither.
//!
//! Comparisons and overflow bits yield a [`Truth`] first and an integer fact of the width that the
//! instruction names after that ([`Truth::fact`]), so that a comparison of 64-bit words need not care
//! whether its result is one bit or a word.

use planish_ops::Bits;

use crate::calc::calc;
use crate::fact::{Fact, FactOf, from_bits};

/// What is known of a condition. Both hold only of a condition that is never evaluated.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Truth<T> {
    /// It holds whenever it is evaluated.
    pub always: T,
    /// It does not hold whenever it is evaluated.
    pub never: T,
}

impl<T> Truth<T> {
    /// What is known of the opposite condition.
    pub fn negated(self) -> Self {
        Truth { always: self.never, never: self.always }
    }

    /// The fact about the condition as a word of `width` bits, 0 or 1.
    pub fn fact<B: Bits<Bool = T>>(self, b: &mut B, width: u32) -> FactOf<B> {
        let (one, zero) = (b.word(width, 1), b.word(width, 0));
        let ones = b.select(self.always, one, zero);
        let low = b.select(self.never, one, zero);
        let zeros = calc!(b; or(not(one), low));
        from_bits(b, ones, zeros)
    }

    /// What is known of "this word is not zero" from a fact about the word.
    pub fn of_word<B: Bits<Bool = T>>(b: &mut B, f: Fact<B::Word>) -> Truth<B::Bool> {
        let zero = b.zero(f.lo);
        let outside = calc!(b; either(slt(zero, f.lo), slt(f.hi, zero)));
        let always = calc!(b; either(outside, is_nonzero(f.ones)));
        let never = calc!(b; both(eq(f.lo, zero), eq(f.hi, zero)));
        Truth { always, never }
    }

    /// Whether a truth value agrees with what is known.
    pub fn contains<B: Bits<Bool = T>>(self, b: &mut B, value: B::Bool) -> B::Bool
    where
        T: Copy,
    {
        let always = self.always;
        let never = self.never;
        calc!(b; both(implies(always, value), implies(never, negate(value))))
    }
}
