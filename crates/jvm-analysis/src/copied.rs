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
    pub size: CopySize,
    /// What it is for.
    pub purpose: Purpose,
}

/// How many instructions a copy has.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct CopySize {
    /// Those of the method.
    pub method: usize,
    /// Those of the copy, which is longer where loops are written out; nothing if it would be longer than any may be.
    pub copy: Option<usize>,
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
    /// The methods that only compute of which calls wanted copies, and how many instructions they have together.
    computing: (HashSet<Box<[u8]>, FxBuildHasher>, usize),
    /// How many instructions the program had in the first round.
    instructions: Option<usize>,
    /// Those that were wanted and are too much.
    cut: HashSet<(Box<[u8]>, Vec<Part>), FxBuildHasher>,
}

impl Copied {
    /// Which of these copies there may be: those that were paid for, and of the others as many as the run may have. Each method
    /// gets its first one before any gets a second, small ones come first, and names decide between those that are equal: so it
    /// does not matter where a method stands, nor a call. O(copies x log of their number).
    pub fn grant(&self, wanted: &[CopyOf], instructions: usize, precision: &Precision) -> Vec<bool> {
        let has = |copy: &CopyOf| self.of(&copy.of);
        let mut granted: Vec<bool> = wanted.iter().map(|copy| has(copy).contains(&copy.parts)).collect();
        let mut ranks: HashMap<&[u8], usize, FxBuildHasher> = HashMap::default();
        let may_be = |&number: &usize| !granted[number] && wanted[number].size.copy.is_some();
        let mut new: Vec<usize> = (0..wanted.len()).filter(may_be).collect();
        new.sort_by_cached_key(|&number| {
            let CopyOf { of, parts, .. } = &wanted[number];
            (of, parts.iter().map(Part::suffix).collect::<Vec<_>>())
        });
        // Sorted by name, and stably by rank and size below.
        let mut order: Vec<(usize, usize, usize)> = Vec::new();
        for number in new {
            let copy = &wanted[number];
            let rank = ranks.entry(&copy.of).or_insert(has(copy).len());
            order.push((*rank, copy.size.copy.unwrap_or(usize::MAX), number));
            *rank += 1;
        }
        order.sort_by_key(|&(rank, size, _)| (rank, size));
        let instructions = self.instructions.unwrap_or(instructions);
        let computing = precision.copied_of(self.computing_with(wanted));
        let mut left = [computing, precision.copied_in(instructions), precision.copied_for_classes];
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

    /// How many instructions the methods have that only compute and of which copies are wanted, now or before.
    fn computing_with(&self, wanted: &[CopyOf]) -> usize {
        let (known, instructions) = &self.computing;
        let mut new: HashSet<&[u8], FxBuildHasher> = HashSet::default();
        let wanted = wanted.iter().filter(|copy| copy.purpose == Purpose::Computing);
        let wanted = wanted.filter(|copy| !known.contains(&copy.of) && new.insert(&copy.of));
        instructions + wanted.map(|copy| copy.size.method).sum::<usize>()
    }

    /// Notes which copies a round wants of a program of so many instructions, and which of them there are to be.
    pub fn note(&mut self, copies: &[(CopyOf, bool)], instructions: usize) {
        self.instructions.get_or_insert(instructions);
        for (copy, is_granted) in copies {
            if copy.purpose == Purpose::Computing && self.computing.0.insert(copy.of.clone()) {
                self.computing.1 += copy.size.method;
            }
            let key = (copy.of.clone(), copy.parts.clone());
            if !is_granted {
                self.cut.insert(key);
                continue;
            }
            self.cut.remove(&key);
            let known = self.copies.entry(copy.of.clone()).or_default();
            if !known.contains(&copy.parts) {
                known.push(copy.parts.clone());
                self.spent[copy.purpose as usize] += copy.size.copy.unwrap_or(copy.size.method);
            }
        }
    }

    /// The copies of a method that were paid for.
    pub fn of(&self, method: &[u8]) -> &[Vec<Part>] {
        self.copies.get(method).map_or(&[], Vec::as_slice)
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
        let size = CopySize { method: size, copy: Some(size) };
        CopyOf { of: of.as_bytes().into(), parts, size, purpose: Purpose::Computing }
    }

    #[test]
    fn each_method_gets_its_first_copy_before_any_gets_a_second() {
        let precision =
            Precision { copies: 2, copied_computing: 30, copied_computing_times: 0, ..Precision::USUAL };
        let wanted = [copy("a", 1, 10), copy("a", 2, 5), copy("a", 3, 1), copy("b", 1, 12), copy("c", 1, 4)];
        let mut turned = wanted.clone();
        turned.reverse();
        let mut granted = Copied::default().grant(&turned, 1_000, &precision);
        granted.reverse();
        assert_eq!(granted, [true, false, false, true, true], "whichever is asked for first");
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

    /// A copy that would be too long counts as cut, and takes nothing from others.
    #[test]
    fn what_is_too_long_is_cut_and_costs_nothing() {
        let too_long = |number| {
            let copy = copy("a", number, 10);
            CopyOf { size: CopySize { copy: None, ..copy.size }, ..copy }
        };
        let wanted = [too_long(1), too_long(2), copy("a", 3, 10)];
        let precision = Precision { copies: 1, ..Precision::USUAL };
        let mut copied = Copied::default();
        let granted = copied.grant(&wanted, 1_000, &precision);
        assert_eq!(granted, [false, false, true]);
        copied.note(&wanted.iter().cloned().zip(granted).collect::<Vec<_>>(), 1_000);
        assert_eq!((copied.cut(), copied.spent[0], copied.computing.1), (2, 10, 10));
    }

    /// What a run may copy grows with what there is to copy: nothing is left out for what stands beside it.
    #[test]
    fn as_many_methods_have_as_many_times_what_one_has() {
        let names: Vec<String> = (0..1_000).map(|number| format!("m{number}")).collect();
        let wanted = |count: usize| -> Vec<CopyOf> {
            names[..count].iter().flat_map(|of| (0..3).map(|number| copy(of, number, 20))).collect()
        };
        for count in [1, 3, 30, 1_000] {
            let wanted = wanted(count);
            let mut copied = Copied::default();
            // Half of them in a first round, and all in a second.
            let granted = copied.grant(&wanted[..wanted.len() / 2], 1_000, &Precision::USUAL);
            assert!(granted.iter().all(|&granted| granted), "{count}");
            copied.note(&wanted.iter().cloned().zip(granted).collect::<Vec<_>>(), 1_000);
            let granted = copied.grant(&wanted, 1_000, &Precision::USUAL);
            assert!(granted.iter().all(|&granted| granted), "{count}");
        }
    }
}
