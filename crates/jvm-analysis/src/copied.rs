//! What copies of methods for constants and classes of arguments cost in a run, and which of those that calls want there are.
//!
//! Everything is counted for the whole run ([`Precision`]): a copy that was paid for once is there for any call in any round.

use hashbrown::{HashMap, HashSet};
use rustc_hash::FxBuildHasher;

use crate::precision::Precision;
use crate::variant::Part;

/// A copy of a method for constants or classes of arguments that other calls do not have.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CopyOf {
    /// The method: class, name and descriptor.
    pub of: Box<[u8]>,
    /// What becomes of its parameters.
    pub parts: Vec<Part>,
    /// How many instructions it has.
    pub size: usize,
    /// What it is for.
    pub purpose: Purpose,
}

/// What a copy of a method is for.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Purpose {
    /// Constants of a method that only computes: little may be left of it.
    Computing,
    /// Constants of any other method.
    Constants,
    /// Classes of arguments.
    Classes,
}

/// The copies of a run.
#[derive(Default)]
pub struct Copied {
    /// By method, those that were paid for.
    copies: HashMap<Box<[u8]>, Vec<Vec<Part>>, FxBuildHasher>,
    /// How many instructions they have together, by what they are for.
    spent: [usize; 3],
    /// How many instructions the program had in the first round.
    instructions: Option<usize>,
    /// Those that were wanted and are too much.
    cut: HashSet<(Box<[u8]>, Vec<Part>), FxBuildHasher>,
}

impl Copied {
    /// Which of these copies there may be: those that were paid for, and of the others as many as the run may have. Each method
    /// gets its first one before any gets a second, and small ones come first, so that it does not matter where a method
    /// stands. O(copies x log of their number).
    pub fn grant(&self, wanted: &[CopyOf], instructions: usize, precision: &Precision) -> Vec<bool> {
        let none = Vec::new();
        let has = |copy: &CopyOf| self.copies.get(&copy.of).unwrap_or(&none);
        let mut granted: Vec<bool> = wanted.iter().map(|copy| has(copy).contains(&copy.parts)).collect();
        let mut ranks: HashMap<&[u8], usize, FxBuildHasher> = HashMap::default();
        let mut order: Vec<(usize, usize, usize)> = Vec::new();
        for (number, copy) in wanted.iter().enumerate().filter(|&(number, _)| !granted[number]) {
            let rank = ranks.entry(&copy.of).or_insert(has(copy).len());
            order.push((*rank, copy.size, number));
            *rank += 1;
        }
        order.sort_unstable();
        let instructions = self.instructions.unwrap_or(instructions);
        let mut left =
            [precision.copied_computing, precision.copied_in(instructions), precision.copied_for_classes];
        left.iter_mut().zip(self.spent).for_each(|(left, spent)| *left = left.saturating_sub(spent));
        for (rank, size, number) in order {
            let left = &mut left[wanted[number].purpose as usize];
            if rank < precision.copies && size <= *left {
                *left -= size;
                granted[number] = true;
            }
        }
        granted
    }

    /// Notes which copies a round wants of a program of so many instructions, and which of them there are to be.
    pub fn note(&mut self, copies: &[(CopyOf, bool)], instructions: usize) {
        self.instructions.get_or_insert(instructions);
        for (copy, is_granted) in copies {
            let key = (copy.of.clone(), copy.parts.clone());
            if !is_granted {
                self.cut.insert(key);
                continue;
            }
            self.cut.remove(&key);
            let known = self.copies.entry(copy.of.clone()).or_default();
            if !known.contains(&copy.parts) {
                known.push(copy.parts.clone());
                self.spent[copy.purpose as usize] += copy.size;
            }
        }
    }

    /// How many copies were wanted that were too much for the run.
    pub fn cut(&self) -> u64 {
        self.cut.len() as u64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn copy(of: &str, number: i64, size: usize) -> CopyOf {
        let parts = vec![Part::Is(planish_ir::Const::Int(planish_ops::Int::new(32, number as u64)))];
        CopyOf { of: of.as_bytes().into(), parts, size, purpose: Purpose::Computing }
    }

    #[test]
    fn each_method_gets_its_first_copy_before_any_gets_a_second() {
        let precision = Precision { copies: 2, copied_computing: 30, ..Precision::USUAL };
        let wanted = [copy("a", 1, 10), copy("a", 2, 5), copy("a", 3, 1), copy("b", 1, 12), copy("c", 1, 4)];
        let mut copied = Copied::default();
        let granted = copied.grant(&wanted, 1_000, &precision);
        // The third of `a` is one too many, and for the second nothing is left.
        assert_eq!(granted, [true, false, false, true, true]);
        let copies: Vec<_> = wanted.iter().cloned().zip(granted).collect();
        copied.note(&copies, 1_000);
        assert_eq!((copied.cut(), copied.spent[0]), (2, 26));
        // What was paid for is there for any call; a small one still fits.
        let again = copied.grant(&[copy("b", 1, 12), copy("d", 1, 5), copy("d", 2, 4)], 1_000, &precision);
        assert_eq!(again, [true, false, true]);
    }
}
