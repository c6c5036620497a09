//! Theorems cut at lemmas: the same functions, with three primitives known by their contracts only.
//!
//! Every transfer function moves bounds into an interval ([`Bits::clip_if`]), often several times, and ends in
//! [`Bits::tighten`]. Through these a solver has to see each time; at 64 bits that is where its time goes.
//! [`Contracts`] is an instance of [`Bits`] that hands everything on to another, except that the results
//! of these two become new variables, with the assumptions that
//!
//! - they only narrow: no bound moves out, no known bit is lost;
//! - of some words, the *witnesses*, those that were described still are: of clipping, those that were between the
//!   bounds and are in the interval; of tightening, those that were members.
//!
//! Where a proof needs it, as of the positive members of a divisor, a third is assumed of clipping: bounds that are moved into an
//! interval that does not wrap are inside.
//!
//! These are theorems about the two themselves ([`Law::Narrows`], [`Law::Reduce`], [`Law::ClipNarrows`],
//! [`Law::Clip`], [`Law::ClipInside`]), so a claim that follows from them holds of the functions as they are. Whether it follows
//! is another matter: claims about bounds being the best do not, and are asked about whole.
//!
//! The third is the fact about a quotient ([`Bits::quotient_fact`]), by which a product tells of its factors. What is assumed of it is
//! the theorem about division ([`Contract::Forward`]): the quotient of members is a member.
//!
//! The assumptions are listed in the order of the calls, and between them the lemmas that
//! speak of what a call yields. Each may be used when those after it are
//! proved, so a solver can go step by step: show that a witness was described before a call, and from there on
//! take it that it is described after.

use planish_ops::{Bits, FloatFormat, Floats, Op};

use crate::calc::calc;
use crate::fact::{Fact, FactOf, contains, is_between, membership};
use crate::laws::Law;
use crate::lemmas::Guide;

/// Makes a variable of a width: a word of which nothing is known, and which is no other.
pub type Fresh<'a, B> = &'a mut dyn FnMut(&mut B, u32) -> <B as Bits>::Word;

/// A step of a proof.
#[derive(Clone, Debug)]
pub enum Step<T> {
    /// Leads from what is known before it to what comes after it. To be shown before it is used.
    Lemma(T),
    /// Assumed of a call: it holds.
    Always(T),
    /// Assumed of a call: it holds of a witness that was described before that it is described after.
    Kept {
        /// The conjuncts of its being described before.
        before: Vec<T>,
        /// Its being described after.
        after: T,
    },
}

/// A theorem that says what is assumed of a call.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Contract {
    /// A law of the domain.
    Law(Law),
    /// Forward transfer of an operation yields a fact of which results are members.
    Forward(Op),
}

/// An instance in which `clip_if`, `tighten` and `quotient_fact` are known by their contracts.
pub struct Contracts<'a, B: Bits> {
    inner: &'a mut B,
    fresh: Fresh<'a, B>,
    guide: Guide<B>,
    /// What has been tightened so far.
    tightened: Vec<FactOf<B>>,
    steps: Vec<Step<B::Bool>>,
    cases: Vec<B::Bool>,
    /// How many facts of quotients have been asked for.
    quotients: usize,
    contracts: Vec<(Contract, u32)>,
}

impl<'a, B: Bits> Contracts<'a, B> {
    /// The contract is assumed of the witnesses of a guide.
    pub(crate) fn new(inner: &'a mut B, fresh: Fresh<'a, B>, guide: Guide<B>) -> Self {
        let steps = guide.lemmas(inner).into_iter().map(Step::Lemma).collect();
        let cases = guide.cases(inner);
        Contracts {
            inner,
            fresh,
            guide,
            tightened: Vec::new(),
            steps,
            cases,
            quotients: 0,
            contracts: Vec::new(),
        }
    }

    /// The theorems on which rests what has been assumed, each at a width.
    pub fn contracts(&self) -> Vec<(Contract, u32)> {
        self.contracts.clone()
    }

    /// What has been assumed, and the lemmas between, in the order of the calls; and the conditions by which the proof
    /// is split.
    pub fn into_steps(self) -> (Vec<Step<B::Bool>>, Vec<B::Bool>) {
        (self.steps, self.cases)
    }

    fn rest_on<const N: usize>(&mut self, contracts: [Contract; N], width: u32) {
        for contract in contracts {
            if !self.contracts.contains(&(contract, width)) {
                self.contracts.push((contract, width));
            }
        }
    }

    /// A fact of unknown words.
    fn fresh_fact(&mut self, width: u32) -> FactOf<B> {
        Fact::of_words([(); 4].map(|()| (self.fresh)(self.inner, width)))
    }
}

/// [`Bits::tighten`] only narrows.
pub(crate) fn narrows<B: Bits>(b: &mut B, before: FactOf<B>, after: FactOf<B>) -> B::Bool {
    let bounds = calc!(b; both(sle(before.lo, after.lo), sle(after.hi, before.hi)));
    let ones = calc!(b; eq(and(before.ones, after.ones), before.ones));
    let zeros = calc!(b; eq(and(before.zeros, after.zeros), before.zeros));
    calc!(b; both(bounds, both(ones, zeros)))
}

/// [`Bits::clip_if`] moves bounds into an interval that does not wrap.
pub(crate) fn bounds_are_inside<B: Bits>(
    b: &mut B,
    condition: B::Bool,
    [lo, hi]: [B::Word; 2],
    [from, to]: [B::Word; 2],
) -> B::Bool {
    let straight = calc!(b; both(condition, sle(from, to)));
    calc!(b; implies(straight, both(sle(from, lo), sle(hi, to))))
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

    fn tighten(&mut self, before: [B::Word; 4]) -> [B::Word; 4] {
        let before = Fact::of_words(before);
        let width = self.inner.width(before.lo);
        self.rest_on([Law::Reduce, Law::Narrows].map(Contract::Law), width);
        let after = self.fresh_fact(width);
        self.steps.push(Step::Always(narrows(self.inner, before, after)));
        for &w in self.guide.witnesses(self.tightened.len()) {
            if self.inner.width(w) == width {
                let was = membership(self.inner, before, w).to_vec();
                let is = contains(self.inner, after, w);
                self.steps.push(Step::Kept { before: was, after: is });
            }
        }
        self.tightened.push(after);
        let lemmas = self.guide.lemmas_after(self.inner, &self.tightened);
        self.steps.extend(lemmas.into_iter().map(Step::Lemma));
        self.cases.extend(self.guide.cases_after(self.inner, &self.tightened));
        after.words()
    }

    fn quotient_fact(
        &mut self,
        is_signed: bool,
        [dividend, divisor]: [[B::Word; 4]; 2],
        _compute: impl FnOnce(&mut Self) -> [B::Word; 4],
    ) -> [B::Word; 4] {
        let width = self.inner.width(dividend[0]);
        self.rest_on([Contract::Forward(if is_signed { Op::Sdiv } else { Op::Udiv })], width);
        let after = self.fresh_fact(width);
        if let Some([x, y]) = self.guide.quotient(self.quotients) {
            let b = &mut *self.inner;
            let facts = [dividend, divisor].map(Fact::of_words);
            let mut before = vec![b.is_nonzero(y)];
            before.extend(membership(b, facts[0], x));
            before.extend(membership(b, facts[1], y));
            let quotient = if is_signed { b.sdiv(x, y) } else { b.udiv(x, y) };
            let after = contains(b, after, quotient);
            self.steps.push(Step::Kept { before, after });
        }
        self.quotients += 1;
        after.words()
    }

    fn clip_if(
        &mut self,
        condition: B::Bool,
        before: [B::Word; 2],
        [from, to]: [B::Word; 2],
    ) -> [B::Word; 2] {
        let width = self.inner.width(from);
        self.rest_on([Law::Clip, Law::ClipNarrows].map(Contract::Law), width);
        let (lo, hi) = ((self.fresh)(self.inner, width), (self.fresh)(self.inner, width));
        if self.guide.needs_bounds_inside() {
            self.rest_on([Contract::Law(Law::ClipInside)], width);
            let inside = bounds_are_inside(self.inner, condition, [lo, hi], [from, to]);
            self.steps.push(Step::Always(inside));
        }
        let b = &mut *self.inner;
        let [least, greatest] = before;
        self.steps.push(Step::Always(calc!(b; both(sle(least, lo), sle(hi, greatest)))));
        for &w in self.guide.witnesses(self.tightened.len()) {
            if b.width(w) == width {
                let inside = is_between(b, condition, w, from, to);
                let was = vec![b.sle(least, w), b.sle(w, greatest), inside];
                let is = calc!(b; both(sle(lo, w), sle(w, hi)));
                self.steps.push(Step::Kept { before: was, after: is });
            }
        }
        [lo, hi]
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
