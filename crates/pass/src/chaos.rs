//! Chaos mode (Cranelift's `chaos` feature): under a seed, what heuristics decide is decided at random.
//!
//! Budgets, costs and the passes that run must never matter to what a program does, only to how good the result is. So tests
//! and campaigns let them be anything, and the verifier and the interpreter judge what comes out. Everything follows
//! from the seed and from where in a run it is asked for: the same seed does the same again.

use std::hash::{BuildHasher, Hash};

use planish_ops::Op;
use rustc_hash::FxBuildHasher;

use crate::target::{Machine, Price};

/// A source of decisions.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Chaos(u64);

impl Chaos {
    /// The decisions of a seed.
    pub fn new(seed: u64) -> Self {
        Chaos(seed)
    }

    /// The decisions about one thing: independent of those about others.
    #[must_use]
    pub fn about(self, what: impl Hash) -> Self {
        Chaos(FxBuildHasher.hash_one((self.0, what)))
    }

    /// A number below a bound that is not zero.
    pub fn below(self, bound: u64) -> u64 {
        // The upper bits of a multiplicative hash are the good ones.
        let mixed =
            self.0.wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_right(29).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        ((u128::from(mixed) * u128::from(bound)) >> 64) as u64
    }

    /// A limit in the place of the usual one: nothing, next to nothing, some of it, all of it, or twice as much.
    pub fn limit(self, usual: u64) -> u64 {
        match self.about("kind").below(6) {
            0 => 0,
            1 => 1,
            2 | 3 => self.below(usual.saturating_add(1).max(1)),
            4 => usual,
            _ => usual.saturating_mul(2),
        }
    }

    /// How often a pass runs that usually runs once.
    pub fn times(self) -> u32 {
        match self.below(8) {
            0 | 1 => 0,
            2 => 2,
            _ => 1,
        }
    }

    /// What an operation costs, if it can be written.
    pub fn cost(self, op: Op, price: Price<'_>) -> Option<u32> {
        price(op).map(|_| self.about(op).below(12) as u32)
    }

    /// Where values live.
    pub fn machine(self) -> Machine {
        if self.about("machine").below(2) == 0 { Machine::Registers } else { Machine::Stack }
    }
}

#[cfg(test)]
mod tests {
    use super::Chaos;

    #[test]
    fn every_kind_of_limit_comes_up_and_a_seed_repeats_itself() {
        let limits: Vec<u64> = (0..200).map(|seed| Chaos::new(seed).about("growth").limit(100)).collect();
        for limit in [0, 1, 100, 200] {
            assert!(limits.contains(&limit), "{limit}: {limits:?}");
        }
        assert!(limits.iter().any(|limit| (2..100).contains(limit)));
        assert_eq!(
            limits,
            (0..200).map(|seed| Chaos::new(seed).about("growth").limit(100)).collect::<Vec<_>>()
        );
        assert!((0..64).all(|seed| Chaos::new(seed).below(3) < 3));
    }
}
