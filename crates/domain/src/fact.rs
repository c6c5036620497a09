//! What is known of an integer: a signed interval and known bits, kept consistent.
//!
//! ```text
//! members of a fact:  lo ≤ x ≤ hi (signed),  x & zeros = 0,  x & ones = ones
//!
//!     MIN ------[lo ...................... hi]------ MAX      the interval
//!          x  x  x  x      x  x  x  x      x  x  x  x         what the bits allow
//!                [x........x..x..x..x......x]                 after `reduce`: both bounds are members
//! ```
//!
//! Neither part alone says enough: guards compare, masks and shifts set bits, and each lets the other
//! sharpen. [`reduce`] is that exchange, and one round of it is the *best* fact of the same members:
//! after the bounds are moved to members, both bounds carry the common prefix of all members, and
//! below the first bit in which they differ each unknown bit is 1 in the largest member of the lower
//! half and 0 in the smallest of the upper half, so no further bit is known. The search for the
//! nearest member is that of Michel and Van Hentenryck, "Constraint Satisfaction over Bit-Vectors"
//! (CP 2012), without its loop: it is [`Bits::least_fitting`], and the exchange is [`Bits::tighten`]. The pairing is that of PyPy's `IntBound`.
//!
//! Everything here is generic over [`Bits`] and selects instead of branching, so the prover states
//! its theorems about these functions and the machine runs them.
//!
//! An unsigned interval is not stored but derived ([`unsigned_min`], [`unsigned_max`]); it is met into
//! a fact as a *circular* interval ([`clip`]), which is also what sums modulo 2^w yield.
//!
//! The empty fact is a value: [`bottom`], neutral for [`join`]. A fact with no member that `reduce` has
//! not seen need not be `bottom`; whatever has been reduced is `bottom` exactly when it is empty.

use planish_base::fault;
use planish_ops::Bits;

use crate::calc::calc;

/// What is known of a word. See the module for what it stands for.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Fact<W> {
    /// The least member, signed.
    pub lo: W,
    /// The greatest member, signed.
    pub hi: W,
    /// The bits that are one in every member.
    pub ones: W,
    /// The bits that are zero in every member.
    pub zeros: W,
}

impl<W> Fact<W> {
    /// The fact of these words: the bounds, then the bits that are one and those that are zero.
    #[inline]
    pub fn of_words([lo, hi, ones, zeros]: [W; 4]) -> Self {
        Fact { lo, hi, ones, zeros }
    }

    /// The words of [`of_words`](Self::of_words).
    #[inline]
    pub fn words(self) -> [W; 4] {
        [self.lo, self.hi, self.ones, self.zeros]
    }
}

/// The facts of an instance of [`Bits`].
pub type FactOf<B> = Fact<<B as Bits>::Word>;

/// Every word of a width.
#[inline]
pub fn top<B: Bits>(b: &mut B, width: u32) -> FactOf<B> {
    let zero = b.word(width, 0);
    Fact { lo: b.signed_min(zero), hi: b.signed_max(zero), ones: zero, zeros: zero }
}

/// No word at all: the bounds are crossed and every bit is both zero and one.
#[inline]
pub fn bottom<B: Bits>(b: &mut B, width: u32) -> FactOf<B> {
    let ones = b.word(width, u64::MAX);
    Fact { lo: b.signed_max(ones), hi: b.signed_min(ones), ones, zeros: ones }
}

/// One word.
#[inline]
pub fn constant<B: Bits>(b: &mut B, value: B::Word) -> FactOf<B> {
    Fact { lo: value, hi: value, ones: value, zeros: b.not(value) }
}

/// The words with these bits; reduced as it stands unless a bit is in both.
#[inline]
pub fn from_bits<B: Bits>(b: &mut B, ones: B::Word, zeros: B::Word) -> FactOf<B> {
    // An unknown sign is set in the least member and clear in the greatest; other unknown bits are
    // clear and set.
    let sign = b.signed_min(ones);
    let lo = calc!(b; or(ones, and(sign, not(zeros))));
    let hi = calc!(b; and(not(zeros), or(not(sign), ones)));
    Fact { lo, hi, ones, zeros }
}

/// The words of a signed interval; `bottom` when it is empty.
pub fn interval<B: Bits>(b: &mut B, lo: B::Word, hi: B::Word) -> FactOf<B> {
    let zero = b.zero(lo);
    reduce(b, Fact { lo, hi, ones: zero, zeros: zero })
}

/// Whether a word is a member.
#[inline]
pub fn contains<B: Bits>(b: &mut B, f: FactOf<B>, x: B::Word) -> B::Bool {
    let inside = calc!(b; both(sle(f.lo, x), sle(x, f.hi)));
    let wrong = wrong_bits(b, f.ones, f.zeros, x);
    let zero = b.zero(x);
    calc!(b; both(inside, eq(wrong, zero)))
}

/// The three conditions of being a member: the bounds and the bits.
pub(crate) fn membership<B: Bits>(b: &mut B, f: FactOf<B>, x: B::Word) -> [B::Bool; 3] {
    let (above, below) = (b.sle(f.lo, x), b.sle(x, f.hi));
    let wrong = wrong_bits(b, f.ones, f.zeros, x);
    let zero = b.zero(x);
    [above, below, b.eq(wrong, zero)]
}

/// Whether a reduced fact has no member.
pub fn is_bottom<B: Bits>(b: &mut B, f: FactOf<B>) -> B::Bool {
    b.slt(f.hi, f.lo)
}

/// Whether a reduced fact has exactly one member.
pub fn is_constant<B: Bits>(b: &mut B, f: FactOf<B>) -> B::Bool {
    b.eq(f.lo, f.hi)
}

/// The best fact with the same members.
#[inline]
pub fn reduce<B: Bits>(b: &mut B, f: FactOf<B>) -> FactOf<B> {
    let words = b.tighten(f.words());
    Fact::of_words(words)
}

/// Whether a word is in a circular interval, if the condition holds.
pub(crate) fn is_between<B: Bits>(
    b: &mut B,
    condition: B::Bool,
    word: B::Word,
    from: B::Word,
    to: B::Word,
) -> B::Bool {
    calc!(b; implies(condition, ule(sub(word, from), sub(to, from))))
}

/// The bits of x that a fact does not allow.
pub(crate) fn wrong_bits<B: Bits>(b: &mut B, ones: B::Word, zeros: B::Word, x: B::Word) -> B::Word {
    calc!(b; or(and(x, zeros), and(not(x), ones)))
}

/// `then` where the condition holds, else `other`.
#[inline]
pub fn choose<B: Bits>(b: &mut B, condition: B::Bool, then: FactOf<B>, other: FactOf<B>) -> FactOf<B> {
    Fact {
        lo: b.select(condition, then.lo, other.lo),
        hi: b.select(condition, then.hi, other.hi),
        ones: b.select(condition, then.ones, other.ones),
        zeros: b.select(condition, then.zeros, other.zeros),
    }
}

/// The best fact that holds of the members of both. Reduced when both are: the bounds are members.
#[inline]
pub fn join<B: Bits>(b: &mut B, f: FactOf<B>, g: FactOf<B>) -> FactOf<B> {
    Fact {
        lo: b.smin(f.lo, g.lo),
        hi: if fault!("join: the upper bound of the first") { f.hi } else { b.smax(f.hi, g.hi) },
        ones: b.and(f.ones, g.ones),
        zeros: b.and(f.zeros, g.zeros),
    }
}

/// The best fact of the words that are members of both.
#[inline]
pub fn meet<B: Bits>(b: &mut B, f: FactOf<B>, g: FactOf<B>) -> FactOf<B> {
    let both = Fact {
        lo: b.smax(f.lo, g.lo),
        hi: b.smin(f.hi, g.hi),
        ones: b.or(f.ones, g.ones),
        zeros: b.or(f.zeros, g.zeros),
    };
    reduce(b, both)
}

/// Whether every member of f is one of g, both reduced.
pub fn implies<B: Bits>(b: &mut B, f: FactOf<B>, g: FactOf<B>) -> B::Bool {
    let inside = calc!(b; both(sle(g.lo, f.lo), sle(f.hi, g.hi)));
    let missing = calc!(b; or(and(g.ones, not(f.ones)), and(g.zeros, not(f.zeros))));
    let zero = b.zero(missing);
    let known = b.eq(missing, zero);
    let empty = is_bottom(b, f);
    calc!(b; either(empty, both(inside, known)))
}

/// Moves the bounds into the circular interval that goes up from `from` to `to`, wrapping behind the
/// greatest signed number when `to` < `from`. The result is not reduced.
///
/// An unsigned interval from ≤ to is such an interval, and so is a sum of two intervals.
#[inline]
pub fn clip<B: Bits>(b: &mut B, f: FactOf<B>, from: B::Word, to: B::Word) -> FactOf<B> {
    let always = b.truth(true);
    clip_if(b, always, f, from, to)
}

/// [`clip`] if the condition holds.
#[inline]
pub fn clip_if<B: Bits>(
    b: &mut B,
    condition: B::Bool,
    f: FactOf<B>,
    from: B::Word,
    to: B::Word,
) -> FactOf<B> {
    let [lo, hi] = b.clip_if(condition, [f.lo, f.hi], [from, to]);
    Fact { lo, hi, ..f }
}

/// The members within a circular interval; see [`clip`].
#[inline]
pub fn within<B: Bits>(b: &mut B, f: FactOf<B>, from: B::Word, to: B::Word) -> FactOf<B> {
    let clipped = clip(b, f, from, to);
    reduce(b, clipped)
}

/// The members within a circular interval if the condition holds, else all.
#[inline]
pub fn within_if<B: Bits>(
    b: &mut B,
    condition: B::Bool,
    f: FactOf<B>,
    from: B::Word,
    to: B::Word,
) -> FactOf<B> {
    let clipped = clip_if(b, condition, f, from, to);
    reduce(b, clipped)
}

/// The least member of a reduced fact, unsigned; where the sign is unknown, a lower bound from the bits.
#[inline]
pub fn unsigned_min<B: Bits>(b: &mut B, f: FactOf<B>) -> B::Word {
    let split = spans_zero(b, f);
    b.select(split, f.ones, f.lo)
}

/// The greatest member of a reduced fact, unsigned; where the sign is unknown, an upper bound from the
/// bits.
#[inline]
pub fn unsigned_max<B: Bits>(b: &mut B, f: FactOf<B>) -> B::Word {
    let split = spans_zero(b, f);
    calc!(b; select(split, not(f.zeros), f.hi))
}

/// Whether the interval has negative and other numbers.
#[inline]
fn spans_zero<B: Bits>(b: &mut B, f: FactOf<B>) -> B::Bool {
    calc!(b; is_negative(xor(f.lo, f.hi)))
}

/// PyPy's widening of one fact: a bound in the outer half of its side goes to the end of the range, and
/// known bits that the bounds do not imply are forgotten.
pub fn relax<B: Bits>(b: &mut B, f: FactOf<B>) -> FactOf<B> {
    let one = b.one(f.lo);
    let (min, max) = (b.signed_min(f.lo), b.signed_max(f.lo));
    let (low, high) = (b.ashr(min, one), b.ashr(max, one));
    let lo = calc!(b; select(slt(f.lo, low), min, f.lo));
    let hi = calc!(b; select(slt(high, f.hi), max, f.hi));
    let relaxed = interval(b, lo, hi);
    let empty = is_bottom(b, f);
    choose(b, empty, f, relaxed)
}

/// Widening: a fact that holds of both, such that no rising chain is long.
///
/// A bound that moved goes to 0 or -1 if that lies beyond it, else to the end of the range. Known bits
/// are joined; where a bound moved, those that the bounds imply are dropped, for they would pull the
/// bound back to the next power of two, and again in the next round. So a counter loses its upper bound
/// at once and keeps its alignment. Reducing the result brings back only bits that the wider interval
/// implies, so along a chain each bound moves at most twice and every further step loses a bit.
pub fn widen<B: Bits>(b: &mut B, old: FactOf<B>, new: FactOf<B>) -> FactOf<B> {
    let joined = join(b, old, new);
    let (zero, minus) = (b.zero(old.lo), b.ones(old.lo));
    let (min, max) = (b.signed_min(old.lo), b.signed_max(old.lo));
    let floor = calc!(b; select(is_negative(joined.lo), min, zero));
    let ceiling = calc!(b; select(is_negative(joined.hi), minus, max));
    let (fell, rose) = (b.slt(joined.lo, old.lo), b.slt(old.hi, joined.hi));
    let (lo, hi) = (b.select(fell, floor, joined.lo), b.select(rose, ceiling, joined.hi));
    let below_prefix = calc!(b; smear_right(xor(joined.lo, joined.hi)));
    let moved = b.either(fell, rose);
    let kept = b.select(moved, below_prefix, minus);
    let (ones, zeros) = (b.and(joined.ones, kept), b.and(joined.zeros, kept));
    let widened = reduce(b, Fact { lo, hi, ones, zeros });
    let fresh = is_bottom(b, old);
    if fault!("widen: the older fact is forgotten") {
        return new;
    }
    choose(b, fresh, new, widened)
}
