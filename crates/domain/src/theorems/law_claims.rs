//! What the laws of the lattice say, and what a claim is.

use planish_ops::Floats;

use crate::calc::calc;
use crate::contracts;
use crate::fact::{self, FactOf, contains};
use crate::laws::Law;
use crate::truth::Truth;

/// `given` implies `then`.
#[derive(Clone, Copy, Debug)]
pub struct Claim<T> {
    /// The assumption.
    pub given: T,
    /// What follows.
    pub then: T,
}

/// What a law says of facts and words.
pub(super) fn law_claim<B: Floats>(
    b: &mut B,
    law: Law,
    facts: &[FactOf<B>],
    words: &[B::Word],
) -> Claim<B::Bool> {
    let claim = match law {
        Law::Constant | Law::FromBits | Law::TruthFact | Law::TruthOfWord => made_claim,
        Law::Narrows | Law::Reduce | Law::ReduceTwice | Law::Relax => reduction_claim,
        Law::Join | Law::Widen | Law::Meet | Law::Implies => pair_claim,
        Law::Within | Law::Clip | Law::ClipNarrows | Law::ClipInside => interval_claim,
    };
    claim(b, law, facts, words)
}

/// What facts that are made of words and truths hold.
fn made_claim<B: Floats>(b: &mut B, law: Law, facts: &[FactOf<B>], words: &[B::Word]) -> Claim<B::Bool> {
    let always = b.truth(true);
    match (law, facts, words) {
        (Law::Constant, _, &[c, x]) => {
            let f = fact::constant(b, c);
            let (member, equal) = (contains(b, f, x), b.eq(c, x));
            Claim { given: always, then: b.same(member, equal) }
        }
        (Law::FromBits, _, &[ones, zeros, x]) => {
            let f = fact::from_bits(b, ones, zeros);
            let member = contains(b, f, x);
            let fits = calc!(b; both(eq(and(x, ones), ones), negate(is_nonzero(and(x, zeros)))));
            Claim { given: always, then: b.same(member, fits) }
        }
        (Law::TruthFact, _, &[always_bit, never_bit, value]) => {
            let truth = Truth { always: b.is_nonzero(always_bit), never: b.is_nonzero(never_bit) };
            let value = b.is_nonzero(value);
            let given = truth.contains(b, value);
            let (fact, word) = (truth.fact(b, 8), b.bool_word(8, value));
            let (bit_fact, bit) = (truth.fact(b, 1), b.bool_word(1, value));
            let (wide, narrow) = (contains(b, fact, word), contains(b, bit_fact, bit));
            Claim { given, then: b.both(wide, narrow) }
        }
        (Law::TruthOfWord, &[f], &[x]) => {
            let given = contains(b, f, x);
            let known = Truth::of_word(b, f);
            let value = b.is_nonzero(x);
            Claim { given, then: known.contains(b, value) }
        }
        _ => panic!("{law:?} takes other parameters"),
    }
}

/// What a fact keeps where it is made smaller or larger.
fn reduction_claim<B: Floats>(b: &mut B, law: Law, facts: &[FactOf<B>], words: &[B::Word]) -> Claim<B::Bool> {
    let always = b.truth(true);
    match (law, facts, words) {
        (Law::Narrows, &[f], _) => {
            let reduced = fact::reduce(b, f);
            Claim { given: always, then: contracts::narrows(b, f, reduced) }
        }
        (Law::Reduce, &[f], &[x]) => {
            let reduced = fact::reduce(b, f);
            let (before, after) = (contains(b, f, x), contains(b, reduced, x));
            Claim { given: always, then: b.same(before, after) }
        }
        (Law::ReduceTwice, &[f], _) => {
            let once = fact::reduce(b, f);
            let twice = fact::reduce(b, once);
            let bounds = calc!(b; both(eq(once.lo, twice.lo), eq(once.hi, twice.hi)));
            let bits = calc!(b; both(eq(once.ones, twice.ones), eq(once.zeros, twice.zeros)));
            Claim { given: always, then: b.both(bounds, bits) }
        }
        (Law::Relax, &[f], &[x]) => {
            let given = contains(b, f, x);
            let relaxed = fact::relax(b, f);
            Claim { given, then: contains(b, relaxed, x) }
        }
        _ => panic!("{law:?} takes other parameters"),
    }
}

/// What is made of two facts.
fn pair_claim<B: Floats>(b: &mut B, law: Law, facts: &[FactOf<B>], words: &[B::Word]) -> Claim<B::Bool> {
    let always = b.truth(true);
    match (law, facts, words) {
        (Law::Join | Law::Widen, &[f, g], &[x]) => {
            let (left, right) = (contains(b, f, x), contains(b, g, x));
            let joined = if law == Law::Join { fact::join(b, f, g) } else { fact::widen(b, f, g) };
            Claim { given: b.either(left, right), then: contains(b, joined, x) }
        }
        (Law::Meet, &[f, g], &[x]) => {
            let (left, right) = (contains(b, f, x), contains(b, g, x));
            let common = b.both(left, right);
            let met = fact::meet(b, f, g);
            let member = contains(b, met, x);
            Claim { given: always, then: b.same(common, member) }
        }
        (Law::Implies, &[f, g], &[x]) => {
            let (implied, left) = (fact::implies(b, f, g), contains(b, f, x));
            Claim { given: b.both(implied, left), then: contains(b, g, x) }
        }
        _ => panic!("{law:?} takes other parameters"),
    }
}

/// What is left of a fact in an interval.
fn interval_claim<B: Floats>(b: &mut B, law: Law, facts: &[FactOf<B>], words: &[B::Word]) -> Claim<B::Bool> {
    let always = b.truth(true);
    match (law, facts, words) {
        (Law::Within, &[f], &[from, to, x]) => {
            let inside = calc!(b; ule(sub(x, from), sub(to, from)));
            let before = contains(b, f, x);
            let expected = b.both(before, inside);
            let within = fact::within(b, f, from, to);
            let member = contains(b, within, x);
            // A gap strictly inside the interval cannot be told, so this is one way only.
            Claim { given: expected, then: member }
        }
        (Law::Clip, &[f], &[condition, from, to, x]) => {
            let condition = b.is_nonzero(condition);
            let before = contains(b, f, x);
            let inside = fact::is_between(b, condition, x, from, to);
            let clipped = fact::clip_if(b, condition, f, from, to);
            Claim { given: b.both(before, inside), then: contains(b, clipped, x) }
        }
        (Law::ClipInside, &[f], &[condition, from, to]) => {
            let condition = b.is_nonzero(condition);
            let bounds = b.clip_if(condition, [f.lo, f.hi], [from, to]);
            let then = contracts::bounds_are_inside(b, condition, bounds, [from, to]);
            Claim { given: always, then }
        }
        (Law::ClipNarrows, &[f], &[condition, from, to]) => {
            let condition = b.is_nonzero(condition);
            let clipped = fact::clip_if(b, condition, f, from, to);
            Claim { given: always, then: contracts::narrows(b, f, clipped) }
        }
        _ => panic!("{law:?} takes other parameters"),
    }
}
