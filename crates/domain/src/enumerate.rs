//! Every reduced fact of a small width, and its members.
//!
//! What the exhaustive tests and the table of precision range over. There are 40 facts of two bits,
//! a few hundred of three, some thousands of four.

use planish_ops::{Int, Machine};

use crate::fact::{Fact, reduce};
use crate::int_fact::IntFact;

/// Every reduced fact of `width` bits that has a member, in order, each once.
pub fn facts(width: u32) -> Vec<IntFact> {
    assert!(width <= 6, "the number of facts grows with the fourth power of the number of words");
    let words: Vec<Int> = (0..1u64 << width).map(|w| Int::new(width, w)).collect();
    let mut facts = Vec::new();
    for &lo in &words {
        for &hi in words.iter().filter(|hi| lo.signed() <= hi.signed()) {
            for &ones in &words {
                for &zeros in words.iter().filter(|zeros| zeros.unsigned() & ones.unsigned() == 0) {
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
    let width = f.width();
    (0..1u64 << width).map(move |w| Int::new(width, w)).filter(move |&w| f.contains(w))
}
