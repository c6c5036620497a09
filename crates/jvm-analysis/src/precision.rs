//! Precision as a setting: what finding out more of a program may cost.
//!
//! Whatever is bounded for the sake of time and size alone has its bound here, and each level of `--precision` is one row
//! of [`Precision::LEVELS`]: how often the program is looked at, how many copies of methods for constants and classes of
//! arguments there may be and how large, how many values are followed back to see of which class one is, and how long a
//! call with constant arguments may be run ahead of time. What a run spends is counted for the whole run, so that no
//! method is worse off for coming late.

use planish_pass::Chaos;

/// The bounds of one run.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Precision {
    /// How many rounds there are at most.
    pub rounds: u32,
    /// The same where the program is small.
    pub rounds_if_small: u32,
    /// How many copies of one method there may be for constants or classes that other calls do not have.
    pub copies: usize,
    /// How many instructions of methods that only compute may be copied for constants, in any program.
    pub copied_computing: usize,
    /// So many more for each instruction of these methods.
    pub copied_computing_times: usize,
    /// How many of other methods may be, in any program.
    pub copied: usize,
    /// One more for each so many instructions of the program.
    pub copied_one_in: usize,
    /// How many instructions may be copied for classes of arguments.
    pub copied_for_classes: usize,
    /// The most instructions of a method that only computes and is copied for constants.
    pub largest_copy: usize,
    /// The most instructions of any other method that is.
    pub largest_copy_with_effects: usize,
    /// The most instructions of a method that is copied for the class of an argument.
    pub largest_copy_for_a_class: usize,
    /// How many instructions more than it has parameters a copy for constants may have that only computes and is put in the
    /// place of every call.
    pub largest_copy_in_place: usize,
    /// How many values are looked at to see of which class one is.
    pub followed: usize,
    /// How many instructions of a call are run ahead of time.
    pub fuel: u32,
    /// What heuristics without a bound here ask, if anything.
    pub chaos: Option<Chaos>,
}

impl Precision {
    /// What each level stands for, from fast and coarse to slow and precise.
    pub const LEVELS: [Precision; 4] = [
        Precision {
            rounds: 2,
            rounds_if_small: 2,
            copies: 0,
            copied_computing: 0,
            copied_computing_times: 0,
            copied: 0,
            copied_one_in: usize::MAX,
            copied_for_classes: 0,
            largest_copy: 0,
            largest_copy_with_effects: 0,
            largest_copy_for_a_class: 0,
            largest_copy_in_place: 6,
            followed: 8,
            fuel: 10_000,
            chaos: None,
        },
        Precision {
            rounds: 4,
            rounds_if_small: 6,
            copies: 3,
            copied_computing: 80,
            copied_computing_times: 1,
            copied: 20,
            copied_one_in: 2_000,
            copied_for_classes: 20,
            largest_copy: 60,
            followed: 16,
            fuel: 30_000,
            ..Precision::USUAL
        },
        Precision::USUAL,
        Precision {
            rounds: 10,
            rounds_if_small: 48,
            copies: 16,
            copied_computing: 2_000,
            copied_computing_times: 12,
            copied: 400,
            copied_one_in: 500,
            copied_for_classes: 500,
            largest_copy: 120,
            largest_copy_with_effects: 20,
            largest_copy_for_a_class: 40,
            largest_copy_in_place: 12,
            followed: 64,
            fuel: 300_000,
            chaos: None,
        },
    ];

    /// What is done unless something else is asked for.
    pub const USUAL: Precision = Precision {
        rounds: 6,
        rounds_if_small: 24,
        copies: 8,
        copied_computing: 400,
        copied_computing_times: 6,
        copied: 60,
        copied_one_in: 2_000,
        copied_for_classes: 60,
        largest_copy: 60,
        largest_copy_with_effects: 10,
        largest_copy_for_a_class: 20,
        largest_copy_in_place: 6,
        followed: 32,
        fuel: 100_000,
        chaos: None,
    };

    /// Bounds at random: what is found out decides how good a result is, never whether it is right.
    #[must_use]
    pub fn in_chaos(self, chaos: Chaos) -> Self {
        let limit = |name: &str, usual: u64| chaos.about(name).limit(usual);
        let count = |name: &str, usual: usize| limit(name, usual as u64) as usize;
        Precision {
            // Without a round nothing is tried, and more than twice as many only take time.
            rounds: limit("rounds", self.rounds.into()).max(1) as u32,
            rounds_if_small: limit("rounds of small programs", self.rounds_if_small.into()).max(1) as u32,
            copies: count("copies", self.copies),
            copied_computing: count("copied that computes", self.copied_computing),
            copied_computing_times: count("copied that computes, times", self.copied_computing_times),
            copied: count("copied", self.copied),
            copied_one_in: count("copied one in", self.copied_one_in).max(1),
            copied_for_classes: count("copied for classes", self.copied_for_classes),
            largest_copy: count("largest copy", self.largest_copy),
            largest_copy_with_effects: count("largest copy with effects", self.largest_copy_with_effects),
            largest_copy_for_a_class: count("largest copy for a class", self.largest_copy_for_a_class),
            largest_copy_in_place: count("largest copy in place", self.largest_copy_in_place),
            followed: count("followed", self.followed).max(1),
            fuel: limit("fuel", self.fuel.into()) as u32,
            chaos: Some(chaos),
        }
    }

    /// How many instructions may be copied for constants of methods that only compute and have so many.
    pub fn copied_of(self, computing: usize) -> usize {
        self.copied_computing.saturating_add(computing.saturating_mul(self.copied_computing_times))
    }

    /// How many instructions of other methods may be copied for constants in a program of so many.
    pub fn copied_in(self, instructions: usize) -> usize {
        self.copied.saturating_add(instructions / self.copied_one_in)
    }
}

impl Default for Precision {
    fn default() -> Self {
        Precision::USUAL
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bounds_at_random_are_those_of_the_seed_and_none_stops_a_run() {
        let of = |seed| Precision::USUAL.in_chaos(Chaos::new(seed));
        assert!((0..50).all(|seed| of(seed) == of(seed)));
        assert!(
            (0..50).all(|seed| of(seed).rounds > 0 && of(seed).copied_one_in > 0 && of(seed).followed > 0)
        );
        assert!(
            (0..50).any(|seed| of(seed).copies == 0)
                && (0..50).any(|seed| of(seed).copies > Precision::USUAL.copies)
        );
        // No sum of bounds is too large for a number.
        for level in Precision::LEVELS {
            (0..50).for_each(|seed| {
                let level = level.in_chaos(Chaos::new(seed));
                _ = (level.copied_in(usize::MAX), level.copied_of(usize::MAX));
            });
        }
    }
}
