//! The facts that rules ask: those of the abstract domain.

use planish_ops::Bits;

/// What is known of a word.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Words<W> {
    /// The least member, signed.
    pub lo: W,
    /// The greatest member, signed.
    pub hi: W,
    /// The bits that are one in every member.
    pub ones: W,
    /// The bits that are zero in every member.
    pub zeros: W,
}

/// The facts of an instance of [`Bits`].
pub type Fact<B> = Words<<B as Bits>::Word>;

/// The answer to a question about facts.
pub enum Answer<B: Bits> {
    /// A truth value.
    Bool(B::Bool),
    /// A word.
    Word(B::Word),
    /// A fact.
    Fact(Fact<B>),
}
