//! The laws of the lattice of facts, by name.

/// A law of the lattice of facts.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Law {
    /// A constant has exactly one member.
    Constant,
    /// Known bits have exactly the members with those bits.
    FromBits,
    /// Reducing keeps exactly the members.
    Reduce,
    /// Reducing moves no bound out and loses no bit.
    Narrows,
    /// Moving the bounds into a circular interval, or not, keeps the members in it.
    Clip,
    /// Moving the bounds into a circular interval moves none out.
    ClipNarrows,
    /// Moving the bounds into an interval that does not wrap moves them inside.
    ClipInside,
    /// Reducing twice is reducing once.
    ReduceTwice,
    /// A member of either is one of the join.
    Join,
    /// The members of the meet are those of both.
    Meet,
    /// Meeting a circular interval keeps the members in it.
    Within,
    /// A fact that implies another has no other members.
    Implies,
    /// PyPy's widening of one fact keeps its members.
    Relax,
    /// A member of either is one of the widening.
    Widen,
    /// What is known of a condition is known of its word.
    TruthFact,
    /// What is known of a word being zero agrees with its members.
    TruthOfWord,
}

/// All laws.
pub const LAWS: [Law; 16] = [
    Law::Constant,
    Law::FromBits,
    Law::Reduce,
    Law::Narrows,
    Law::Clip,
    Law::ClipNarrows,
    Law::ClipInside,
    Law::ReduceTwice,
    Law::Join,
    Law::Meet,
    Law::Within,
    Law::Implies,
    Law::Relax,
    Law::Widen,
    Law::TruthFact,
    Law::TruthOfWord,
];
