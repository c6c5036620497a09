//! What is outside of a program: what it observes of it, and what it answers and asks.
//!
//! Each answer is made of a number, the seed, and of how much was observed before, so two programs that do the same find the
//! same world.

/// A call that the outside hears of, or what a call from outside gave.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Event(pub String);

/// The world of a run.
#[derive(Clone, Copy)]
pub struct World {
    /// Where everything comes from.
    pub seed: u64,
}

/// One step of a mixing function (splitmix64).
pub fn mix(state: u64, word: u64) -> u64 {
    let mut z = (state ^ word).wrapping_add(0x9e37_79b9_7f4a_7c15);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

impl World {
    /// The answer to a question.
    pub fn ask(self, question: &str, number: u64) -> u64 {
        question.bytes().fold(mix(mix(0, self.seed), number), |state, byte| mix(state, u64::from(byte)))
    }

    /// Whether nothing that the outside is asked for throws.
    pub fn is_quiet(self) -> bool {
        self.seed % 4 != 3
    }

    /// Whether the observed call of some number throws: in every fourth world, one of the first eight.
    pub fn throws(self, number: usize) -> bool {
        !self.is_quiet() && self.ask("throws", 0) % 8 == number as u64
    }
}
