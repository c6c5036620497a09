//! Theorems cut at a lemma: the same functions, with one primitive known by its contract only.
//!
//! Every transfer function ends in [`Bits::tighten`], through which a solver has to see each time; at 64
//! bits that is where its time goes. [`Contracts`] is an instance of [`Bits`] that hands everything on
//! to another, except that the results of `tighten` become new variables, with the assumptions that
//!
//! - they only narrow: no bound moves out, no known bit is lost;
//! - of some words, the *witnesses*, those that were described still are.
//!
//! Both are theorems about `tighten` itself ([`Law::Narrows`](crate::theorems::Law::Narrows) and
//! [`Law::Reduce`](crate::theorems::Law::Reduce)), so a claim that follows from them holds of the
//! functions as they are. Whether it follows is another matter: claims about bounds being the best do
//! not, and are asked about whole.
//!
//! The assumptions are listed in the order of the calls. Each may be used when those after it are
//! proved, so a solver can go step by step: show that a witness was described before a call, and from there on
//! take it that it is described after.

use planish_ops::{Bits, FloatFormat, Floats};

use crate::calc::calc;
use crate::fact::{Fact, FactOf, contains, membership};

/// Makes a variable of a width: a word of which nothing is known, and which is no other.
pub type Fresh<'a, B> = &'a mut dyn FnMut(&mut B, u32) -> <B as Bits>::Word;

/// What is assumed of one call.
#[derive(Clone, Debug)]
pub enum Assumed<T> {
    /// It holds.
    Always(T),
    /// It holds of a witness that was described before the call that it is described after.
    Kept {
        /// The conjuncts of its being described before.
        before: Vec<T>,
        /// Its being described after.
        after: T,
    },
}

/// An instance in which `tighten` is known by its contract.
pub struct Contracts<'a, B: Bits> {
    inner: &'a mut B,
    fresh: Fresh<'a, B>,
    witnesses: Vec<B::Word>,
    assumed: Vec<Assumed<B::Bool>>,
}

impl<'a, B: Bits> Contracts<'a, B> {
    /// The contract is assumed of these words.
    pub fn new(inner: &'a mut B, fresh: Fresh<'a, B>, witnesses: &[B::Word]) -> Self {
        Contracts { inner, fresh, witnesses: witnesses.to_vec(), assumed: Vec::new() }
    }

    /// What has been assumed, in the order of the calls.
    pub fn into_assumed(self) -> Vec<Assumed<B::Bool>> {
        self.assumed
    }
}

/// [`Bits::tighten`] only narrows.
pub(crate) fn narrows<B: Bits>(b: &mut B, before: FactOf<B>, after: FactOf<B>) -> B::Bool {
    let bounds = calc!(b; both(sle(before.lo, after.lo), sle(after.hi, before.hi)));
    let ones = calc!(b; eq(and(before.ones, after.ones), before.ones));
    let zeros = calc!(b; eq(and(before.zeros, after.zeros), before.zeros));
    calc!(b; both(bounds, both(ones, zeros)))
}

macro_rules! forward {
    ($($name:ident($($arg:ident: $ty:ty),*) -> $ret:ty;)*) => {
        $(fn $name(&mut self, $($arg: $ty),*) -> $ret { self.inner.$name($($arg),*) })*
    };
}

impl<B: Bits> Bits for Contracts<'_, B> {
    type Word = B::Word;
    type Bool = B::Bool;

    fn width(&self, a: B::Word) -> u32 {
        self.inner.width(a)
    }

    fn tighten(&mut self, [lo, hi, ones, zeros]: [B::Word; 4]) -> [B::Word; 4] {
        let width = self.inner.width(lo);
        let before = Fact { lo, hi, ones, zeros };
        let [lo, hi, ones, zeros] = [(); 4].map(|()| (self.fresh)(self.inner, width));
        let after = Fact { lo, hi, ones, zeros };
        self.assumed.push(Assumed::Always(narrows(self.inner, before, after)));
        for &w in &self.witnesses {
            if self.inner.width(w) == width {
                let was = membership(self.inner, before, w).to_vec();
                let is = contains(self.inner, after, w);
                self.assumed.push(Assumed::Kept { before: was, after: is });
            }
        }
        [lo, hi, ones, zeros]
    }

    forward! {
        word(width: u32, value: u64) -> B::Word;
        truth(value: bool) -> B::Bool;
        add(a: B::Word, b: B::Word) -> B::Word;
        sub(a: B::Word, b: B::Word) -> B::Word;
        mul(a: B::Word, b: B::Word) -> B::Word;
        umulh(a: B::Word, b: B::Word) -> B::Word;
        smulh(a: B::Word, b: B::Word) -> B::Word;
        udiv(a: B::Word, b: B::Word) -> B::Word;
        urem(a: B::Word, b: B::Word) -> B::Word;
        sdiv(a: B::Word, b: B::Word) -> B::Word;
        srem(a: B::Word, b: B::Word) -> B::Word;
        and(a: B::Word, b: B::Word) -> B::Word;
        or(a: B::Word, b: B::Word) -> B::Word;
        xor(a: B::Word, b: B::Word) -> B::Word;
        not(a: B::Word) -> B::Word;
        shl(a: B::Word, b: B::Word) -> B::Word;
        lshr(a: B::Word, b: B::Word) -> B::Word;
        ashr(a: B::Word, b: B::Word) -> B::Word;
        truncate(a: B::Word, width: u32) -> B::Word;
        zero_extend(a: B::Word, width: u32) -> B::Word;
        sign_extend(a: B::Word, width: u32) -> B::Word;
        eq(a: B::Word, b: B::Word) -> B::Bool;
        ult(a: B::Word, b: B::Word) -> B::Bool;
        slt(a: B::Word, b: B::Word) -> B::Bool;
        both(a: B::Bool, b: B::Bool) -> B::Bool;
        either(a: B::Bool, b: B::Bool) -> B::Bool;
        negate(a: B::Bool) -> B::Bool;
        select(condition: B::Bool, then: B::Word, other: B::Word) -> B::Word;
        neg(a: B::Word) -> B::Word;
        popcount(a: B::Word) -> B::Word;
        leading_zeros(a: B::Word) -> B::Word;
        trailing_zeros(a: B::Word) -> B::Word;
        smear_right(a: B::Word) -> B::Word;
    }
}

impl<B: Floats> Floats for Contracts<'_, B> {
    type Float = B::Float;

    fn format(&self, a: B::Float) -> FloatFormat {
        self.inner.format(a)
    }

    forward! {
        float(format: FloatFormat, encoding: u64) -> B::Float;
        f_add(a: B::Float, b: B::Float) -> B::Float;
        f_sub(a: B::Float, b: B::Float) -> B::Float;
        f_mul(a: B::Float, b: B::Float) -> B::Float;
        f_div(a: B::Float, b: B::Float) -> B::Float;
        f_rem(a: B::Float, b: B::Float) -> B::Float;
        f_sqrt(a: B::Float) -> B::Float;
        f_neg(a: B::Float) -> B::Float;
        f_abs(a: B::Float) -> B::Float;
        f_eq(a: B::Float, b: B::Float) -> B::Bool;
        f_lt(a: B::Float, b: B::Float) -> B::Bool;
        f_le(a: B::Float, b: B::Float) -> B::Bool;
        f_is_nan(a: B::Float) -> B::Bool;
        f_same(a: B::Float, b: B::Float) -> B::Bool;
        f_select(condition: B::Bool, then: B::Float, other: B::Float) -> B::Float;
        f_convert(a: B::Float, to: FloatFormat) -> B::Float;
        f_from_signed(a: B::Word, to: FloatFormat) -> B::Float;
        f_from_unsigned(a: B::Word, to: FloatFormat) -> B::Float;
        f_to_signed(a: B::Float, width: u32) -> B::Word;
        f_to_unsigned(a: B::Float, width: u32) -> B::Word;
        f_from_bits(a: B::Word) -> B::Float;
        f_to_bits(a: B::Float) -> B::Word;
    }
}
