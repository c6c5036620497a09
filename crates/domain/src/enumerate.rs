//! Every fact of a small width, and sets of words as bit masks.
//!
//! What the exhaustive tests and the table of precision range over: 3 facts of one bit, 12 of two, 60
//! of three, 336 of four. A set of words of up to 6 bits is a `u64`, so that the image of two facts
//! under an operation costs a loop over a few masks.

use planish_ops::{Int, Machine};

use crate::fact::{Fact, reduce};
use crate::int_fact::IntFact;
use crate::theorems::{Free, Theorem};

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

/// An assignment at which a theorem does not hold.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Failure {
    /// The facts of the theorem.
    pub facts: Vec<IntFact>,
    /// Its words.
    pub words: Vec<Int>,
}

/// Tries a theorem at every reduced fact and every word of a small width: the number of cases in which
/// its assumption holds, or the first in which its conclusion does not.
pub fn check(theorem: Theorem, width: u32) -> Result<u64, Failure> {
    let Some(params) = theorem.params(width) else { return Ok(0) };
    let choices: Vec<Vec<IntFact>> = params.facts.iter().map(|&w| facts(w)).collect();
    let mut walk = Walk { theorem, width, free: &params.words, cases: 0 };
    walk.facts(&choices, &mut Vec::new())?;
    Ok(walk.cases)
}

/// The state of [`check`]: facts first, then words, each in turn.
struct Walk<'a> {
    theorem: Theorem,
    width: u32,
    free: &'a [Free],
    cases: u64,
}

impl Walk<'_> {
    fn facts(&mut self, choices: &[Vec<IntFact>], picked: &mut Vec<IntFact>) -> Result<(), Failure> {
        let Some(choice) = choices.get(picked.len()) else {
            return self.words(picked, &mut Vec::new());
        };
        for &f in choice {
            picked.push(f);
            self.facts(choices, picked)?;
            picked.pop();
        }
        Ok(())
    }

    fn words(&mut self, facts: &[IntFact], picked: &mut Vec<Int>) -> Result<(), Failure> {
        let range: Vec<Int> = match self.free.get(picked.len()) {
            None => return self.case(facts, picked),
            Some(&Free::Any(width)) => words(width).collect(),
            Some(&Free::Member(fact)) => members(facts[fact]).collect(),
        };
        for word in range {
            picked.push(word);
            self.words(facts, picked)?;
            picked.pop();
        }
        Ok(())
    }

    fn case(&mut self, facts: &[IntFact], words: &[Int]) -> Result<(), Failure> {
        let raw: Vec<Fact<Int>> = facts.iter().map(|f| f.to_words()).collect();
        let claim = self.theorem.claim(&mut Machine, self.width, &raw, words);
        if claim.given && !claim.then {
            return Err(Failure { facts: facts.to_vec(), words: words.to_vec() });
        }
        self.cases += u64::from(claim.given);
        Ok(())
    }
}
