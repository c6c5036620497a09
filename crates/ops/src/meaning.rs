//! What an operation yields, as its row says it.
//!
//! A meaning has one or two results and a condition: where [`defined`](Meaning::defined) does not hold
//! the results mean nothing, and a rewrite may do as it likes there. That is how partial operations
//! (division by zero) take part in rules: a rule is a *refinement* (wherever the source is defined,
//! the target is defined and equal).

use crate::bits::{Bits, Floats};

/// A value of some instance: a word or a float.
pub enum Datum<B: Floats + ?Sized> {
    /// An integer.
    Word(B::Word),
    /// A floating-point number.
    Float(B::Float),
}

impl<B: Floats + ?Sized> Clone for Datum<B> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<B: Floats + ?Sized> Copy for Datum<B> {}

impl<B: Floats + ?Sized> std::fmt::Debug for Datum<B> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Datum::Word(w) => w.fmt(f),
            Datum::Float(x) => x.fmt(f),
        }
    }
}

impl<B: Floats + ?Sized> Datum<B> {
    /// The word. Panics on a float: the caller checked types against the row.
    #[inline]
    pub fn word(self) -> B::Word {
        match self {
            Datum::Word(w) => w,
            Datum::Float(x) => panic!("expected a word, found the float {x:?}"),
        }
    }

    /// The float. Panics on a word: the caller checked types against the row.
    #[inline]
    pub fn float(self) -> B::Float {
        match self {
            Datum::Float(x) => x,
            Datum::Word(w) => panic!("expected a float, found the word {w:?}"),
        }
    }
}

/// The results of an operation and where they mean something.
pub struct Meaning<B: Floats + ?Sized> {
    /// The first result.
    pub value: Datum<B>,
    /// The second result of operations that have one: the overflow bit, as a word of one bit.
    pub flag: Option<B::Word>,
    /// Where the results mean something; `None` is everywhere.
    pub defined: Option<B::Bool>,
}

impl<B: Floats + ?Sized> Meaning<B> {
    /// A word, everywhere defined.
    pub fn word(value: B::Word) -> Self {
        Meaning { value: Datum::Word(value), flag: None, defined: None }
    }

    /// A float, everywhere defined.
    pub fn float(value: B::Float) -> Self {
        Meaning { value: Datum::Float(value), flag: None, defined: None }
    }

    /// A truth value as a word of `width` bits.
    pub fn truth(b: &mut B, value: B::Bool, width: u32) -> Self
    where
        B: Bits,
    {
        Self::word(b.bool_word(width, value))
    }

    /// A word and whether computing it overflowed.
    pub fn checked(b: &mut B, value: B::Word, overflow: B::Bool) -> Self {
        let flag = Some(b.bool_word(1, overflow));
        Meaning { value: Datum::Word(value), flag, defined: None }
    }

    /// The same results, but only where `condition` holds.
    pub fn where_defined(self, condition: B::Bool) -> Self {
        Meaning { defined: Some(condition), ..self }
    }
}
