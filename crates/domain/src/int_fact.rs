//! The compact fact that engines keep: [`IntFact`], and the lattice on it.
//!
//! It holds the bounds sign-extended and the bits masked, so that a reader sees numbers. Each function
//! here is a generic one of [`fact`] instantiated once for 64 bits, once for 32 and once
//! for any width. Facts are always reduced; the empty one is [`IntFact::bottom`] and nothing else.

use std::fmt;

use planish_ops::{Bits, Int, Machine, Type};

use crate::fact::{self, Fact};
use crate::native::Native;
use crate::truth::Truth;

/// What is known of an integer of 1 to 64 bits. Always reduced.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct IntFact {
    lo: i64,
    hi: i64,
    ones: u64,
    zeros: u64,
    width: u8,
}

/// An instance of [`Bits`] that computes on words of a given width.
pub(crate) trait Computes: Bits<Bool = bool> {
    fn unpack(&mut self, f: IntFact) -> Fact<Self::Word>;
    fn pack(&mut self, width: u32, f: Fact<Self::Word>) -> IntFact;
    fn unpack_word(&mut self, a: Int) -> Self::Word;
    fn pack_word(&mut self, width: u32, a: Self::Word) -> Int;
}

impl Computes for Machine {
    #[inline]
    fn unpack(&mut self, f: IntFact) -> Fact<Int> {
        let w = f.width();
        Fact {
            lo: Int::new(w, f.lo as u64),
            hi: Int::new(w, f.hi as u64),
            ones: Int::new(w, f.ones),
            zeros: Int::new(w, f.zeros),
        }
    }
    #[inline]
    fn pack(&mut self, width: u32, f: Fact<Int>) -> IntFact {
        debug_assert_eq!(f.lo.width(), width);
        IntFact {
            lo: f.lo.signed(),
            hi: f.hi.signed(),
            ones: f.ones.unsigned(),
            zeros: f.zeros.unsigned(),
            width: width as u8,
        }
    }
    #[inline]
    fn unpack_word(&mut self, a: Int) -> Int {
        a
    }
    #[inline]
    fn pack_word(&mut self, _: u32, a: Int) -> Int {
        a
    }
}

impl<const W: u32> Computes for Native<W> {
    #[inline(always)]
    fn unpack(&mut self, f: IntFact) -> Fact<u64> {
        debug_assert_eq!(f.width(), W);
        let mask = u64::MAX >> (64 - W);
        Fact { lo: f.lo as u64 & mask, hi: f.hi as u64 & mask, ones: f.ones, zeros: f.zeros }
    }
    #[inline(always)]
    fn pack(&mut self, _: u32, f: Fact<u64>) -> IntFact {
        let signed = |a: u64| ((a << (64 - W)) as i64) >> (64 - W);
        IntFact { lo: signed(f.lo), hi: signed(f.hi), ones: f.ones, zeros: f.zeros, width: W as u8 }
    }
    #[inline(always)]
    fn unpack_word(&mut self, a: Int) -> u64 {
        debug_assert_eq!(a.width(), W);
        a.unsigned()
    }
    #[inline(always)]
    fn pack_word(&mut self, _: u32, a: u64) -> Int {
        Int::new(W, a)
    }
}

/// Runs an expression with the instance that computes fastest on words of a width.
macro_rules! at_width {
    ($width:expr, |$b:ident| $body:expr) => {
        match $width {
            64 => {
                let $b = &mut $crate::native::Native::<64>;
                $body
            }
            32 => {
                let $b = &mut $crate::native::Native::<32>;
                $body
            }
            _ => {
                let $b = &mut planish_ops::Machine;
                $body
            }
        }
    };
}
pub(crate) use at_width;

impl IntFact {
    /// Every word of a width.
    #[inline]
    pub const fn top(width: u32) -> Self {
        let (lo, hi) = (i64::MIN >> (64 - width), i64::MAX >> (64 - width));
        IntFact { lo, hi, ones: 0, zeros: 0, width: width as u8 }
    }

    /// No word: what is known of a value that is never computed, or of one that contradicts itself.
    #[inline]
    pub const fn bottom(width: u32) -> Self {
        let top = Self::top(width);
        let mask = u64::MAX >> (64 - width);
        IntFact { lo: top.hi, hi: top.lo, ones: mask, zeros: mask, width: width as u8 }
    }

    /// One word.
    #[inline]
    pub const fn constant(value: Int) -> Self {
        let (lo, ones) = (value.signed(), value.unsigned());
        let mask = u64::MAX >> (64 - value.width());
        IntFact { lo, hi: lo, ones, zeros: !ones & mask, width: value.width() as u8 }
    }

    /// The words from `lo` to `hi`, signed; bounds beyond the width say nothing.
    pub fn interval(width: u32, lo: i64, hi: i64) -> Self {
        let top = Self::top(width);
        if hi < top.lo || lo > top.hi {
            return Self::bottom(width);
        }
        let (lo, hi) = (lo.max(top.lo), hi.min(top.hi));
        IntFact { lo, hi, ..top }.reduced()
    }

    /// The words from `lo` to `hi`, unsigned: the least fact that holds of them all.
    pub fn unsigned_interval(width: u32, lo: u64, hi: u64) -> Self {
        let mask = u64::MAX >> (64 - width);
        if lo > hi || lo > mask {
            return Self::bottom(width);
        }
        let (from, to) = (Int::new(width, lo), Int::new(width, hi.min(mask)));
        let top = fact::top(&mut Machine, width);
        let within = fact::within(&mut Machine, top, from, to);
        Machine.pack(width, within)
    }

    /// The words with these bits set and clear.
    pub fn bits(width: u32, ones: u64, zeros: u64) -> Self {
        let mask = u64::MAX >> (64 - width);
        IntFact { ones: ones & mask, zeros: zeros & mask, ..Self::top(width) }.reduced()
    }

    /// 0 or 1. In one bit that is every word.
    #[inline]
    pub const fn boolean(width: u32) -> Self {
        let zeros = (u64::MAX >> (64 - width)) & !1;
        match width {
            1 => Self::top(1),
            _ => IntFact { lo: 0, hi: 1, ones: 0, zeros, width: width as u8 },
        }
    }

    /// The fact about a condition as a word of `width` bits, 0 or 1.
    #[inline]
    pub const fn truth(width: u32, truth: Truth<bool>) -> Self {
        match (truth.always, truth.never) {
            (true, true) => Self::bottom(width),
            (true, false) => Self::constant(Int::new(width, 1)),
            (false, true) => Self::constant(Int::new(width, 0)),
            (false, false) => Self::boolean(width),
        }
    }

    #[inline]
    fn reduced(self) -> Self {
        at_width!(self.width(), |b| {
            let f = b.unpack(self);
            let f = fact::reduce(b, f);
            b.pack(self.width(), f)
        })
    }

    /// The width of the words.
    #[inline]
    pub const fn width(self) -> u32 {
        self.width as u32
    }

    /// The type of the words.
    #[inline]
    pub const fn ty(self) -> Type {
        Type::Int(self.width)
    }

    /// The least member, signed.
    #[inline]
    pub const fn lo(self) -> i64 {
        self.lo
    }

    /// The greatest member, signed.
    #[inline]
    pub const fn hi(self) -> i64 {
        self.hi
    }

    /// The fact in the words of [`Machine`]: an argument of [`Method::call`](crate::methods::Method::call).
    #[inline]
    pub fn to_words(self) -> Fact<Int> {
        Machine.unpack(self)
    }

    /// The fact of words of [`Machine`], reduced.
    pub fn from_words(f: Fact<Int>) -> Self {
        Machine.pack(f.lo.width(), f).reduced()
    }

    /// The only member, if there is just one.
    #[inline]
    pub fn as_constant(self) -> Option<Int> {
        (self.lo == self.hi).then(|| Int::new(self.width(), self.ones))
    }

    /// Whether nothing is known.
    #[inline]
    pub fn is_top(self) -> bool {
        self == Self::top(self.width())
    }

    /// Whether there is no member.
    #[inline]
    pub const fn is_bottom(self) -> bool {
        self.lo > self.hi
    }

    /// Whether a word is a member.
    #[inline]
    pub fn contains(self, x: Int) -> bool {
        debug_assert_eq!(self.width(), x.width());
        let (signed, bits) = (x.signed(), x.unsigned());
        self.lo <= signed && signed <= self.hi && bits & self.zeros == 0 && !bits & self.ones == 0
    }

    /// The best fact that holds of the members of both.
    #[inline]
    pub fn join(self, other: Self) -> Self {
        debug_assert_eq!(self.width, other.width);
        at_width!(self.width(), |b| {
            let (f, g) = (b.unpack(self), b.unpack(other));
            let f = fact::join(b, f, g);
            b.pack(self.width(), f)
        })
    }

    /// The best fact of the words that are members of both; bottom where they contradict each other.
    #[inline]
    pub fn meet(self, other: Self) -> Self {
        debug_assert_eq!(self.width, other.width);
        // What is learned is a constant more often than anything else.
        if let Some(constant) = other.as_constant() {
            return if self.contains(constant) { other } else { Self::bottom(self.width()) };
        }
        at_width!(self.width(), |b| {
            let (f, g) = (b.unpack(self), b.unpack(other));
            let f = fact::meet(b, f, g);
            b.pack(self.width(), f)
        })
    }

    /// Whether every member is one of `other`.
    #[inline]
    pub fn implies(self, other: Self) -> bool {
        debug_assert_eq!(self.width, other.width);
        at_width!(self.width(), |b| {
            let (f, g) = (b.unpack(self), b.unpack(other));
            fact::implies(b, f, g)
        })
    }

    /// PyPy's widening of one fact; see [`fact::relax`].
    pub fn relax(self) -> Self {
        at_width!(self.width(), |b| {
            let f = b.unpack(self);
            let f = fact::relax(b, f);
            b.pack(self.width(), f)
        })
    }

    /// A fact that holds of both, `self` being the older: no rising chain of these is long.
    pub fn widen(self, newer: Self) -> Self {
        debug_assert_eq!(self.width, newer.width);
        at_width!(self.width(), |b| {
            let (f, g) = (b.unpack(self), b.unpack(newer));
            let f = fact::widen(b, f, g);
            b.pack(self.width(), f)
        })
    }

    /// Whether the word is known to be zero or known not to be.
    pub fn truthiness(self) -> Truth<bool> {
        at_width!(self.width(), |b| {
            let f = b.unpack(self);
            Truth::of_word(b, f)
        })
    }
}

/// `[0, 12] ?..?00`: the interval, then the bits where they say more than it does.
impl fmt::Display for IntFact {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.is_bottom() {
            return f.write_str("none");
        }
        if let Some(value) = self.as_constant() {
            return write!(f, "{value}");
        }
        let top = Self::top(self.width());
        match (self.lo == top.lo, self.hi == top.hi) {
            (true, true) => f.write_str("any")?,
            (true, false) => write!(f, "≤ {}", self.hi)?,
            (false, true) => write!(f, "≥ {}", self.lo)?,
            (false, false) => write!(f, "{} to {}", self.lo, self.hi)?,
        }
        let plain = Self::interval(self.width(), self.lo, self.hi);
        if (self.ones, self.zeros) != (plain.ones, plain.zeros) {
            f.write_str(", bits ")?;
            let digit = |i: u32| match (self.ones >> i & 1, self.zeros >> i & 1) {
                (1, _) => '1',
                (_, 1) => '0',
                _ => '?',
            };
            // A run of equal digits at the top is written once, with dots.
            let first = digit(self.width() - 1);
            let run = (0..self.width()).rev().take_while(|&i| digit(i) == first).count() as u32;
            let rest = if run > 3 {
                write!(f, "{first}..")?;
                self.width() - run + 1
            } else {
                self.width()
            };
            for i in (0..rest).rev() {
                write!(f, "{}", digit(i))?;
            }
        }
        Ok(())
    }
}

impl fmt::Debug for IntFact {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self}:i{}", self.width)
    }
}
