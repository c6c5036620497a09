//! Every fact of a small width, and sets of words as bit masks.
//!
//! What the exhaustive tests and the table of precision range over: 3 facts of one bit, 12 of two, 60
//! of three, 336 of four. A set of words of up to 6 bits is a `u64`, so that the image of two facts
//! under an operation costs a loop over a few masks.

use planish_ops::{Int, Machine};

use crate::fact::{Fact, reduce};
use crate::int_fact::IntFact;

/// Every word of a width, in unsigned order.
pub fn words(width: u32) -> impl Iterator<Item = Int> + Clone {
    assert!(width <= 6, "sets of words are masks of 64 bits");
    (0..1u64 << width).map(move |w| Int::new(width, w))
}

/// Every reduced fact of `width` bits that has a member, in order, each once.
pub fn facts(width: u32) -> Vec<IntFact> {
    let mut facts = Vec::new();
    for lo in words(width) {
        for hi in words(width).filter(|hi| lo.signed() <= hi.signed()) {
            for ones in words(width) {
                for zeros in words(width).filter(|zeros| zeros.unsigned() & ones.unsigned() == 0) {
                    let raw = Fact { lo, hi, ones, zeros };
                    if reduce(&mut Machine, raw) == raw {
                        facts.push(IntFact::from_words(raw));
                    }
                }
            }
        }
    }
    facts
}

/// The members of a fact of a small width.
pub fn members(f: IntFact) -> impl Iterator<Item = Int> + Clone {
    words(f.width()).filter(move |&w| f.contains(w))
}

/// The members of a fact as a mask: bit i stands for the word i.
pub fn mask(f: IntFact) -> u64 {
    members(f).fold(0, |mask, w| mask | 1 << w.unsigned())
}

/// The words of a mask.
pub fn words_of(width: u32, mask: u64) -> impl Iterator<Item = Int> + Clone {
    words(width).filter(move |w| mask >> w.unsigned() & 1 == 1)
}

/// The best fact of a set of words: no fact with these members has fewer.
pub fn best(width: u32, mask: u64) -> IntFact {
    let constants = words_of(width, mask).map(IntFact::constant);
    constants.reduce(IntFact::join).unwrap_or(IntFact::bottom(width))
}
