//! Which functions of two programs are the same value.
//!
//! The address of a function is its name's, and texts of regions have no names: a function that is gone moves all behind it.
//! What a function value denotes is what a call of it does. So two that meet are taken for the same and are compared like those
//! that they were met in; where one refers to itself, or to another that refers to it, that is sound, since whatever could
//! part them is met in some pair (coinduction).

use hashbrown::{HashMap, HashSet};
use planish_ir::Function;
use planish_ops::Type;
use rustc_hash::FxBuildHasher;

use crate::machine::Program;

/// A function of the source and one of the target, by their numbers.
pub(crate) type Pair = (u64, u64);

/// Says whether two outside objects, by their numbers, are the same.
pub(crate) trait Denoted {
    /// Whether the second, of the target, may stand for the first, of the source.
    fn are_same(&mut self, pair: Pair) -> bool;
}

/// What has one name is the same.
pub(crate) struct ByName;

impl Denoted for ByName {
    fn are_same(&mut self, (old, new): Pair) -> bool {
        old == new
    }
}

/// Functions that met, and are to be compared.
pub(crate) struct Met<'a> {
    functions: [HashMap<u64, &'a Function, FxBuildHasher>; 2],
    known: HashSet<Pair, FxBuildHasher>,
    open: Vec<Pair>,
}

impl<'a> Met<'a> {
    /// No functions have met.
    pub(crate) fn new(source: &Program<'a>, target: &Program<'a>) -> Self {
        Met {
            functions: [source, target].map(Program::referred),
            known: HashSet::default(),
            open: Vec::new(),
        }
    }

    /// The next pair to compare.
    pub(crate) fn next(&mut self) -> Option<(&'a Function, &'a Function)> {
        let (old, new) = self.open.pop()?;
        Some((self.functions[0][&old], self.functions[1][&new]))
    }

    /// The function of the source that has a number.
    pub(crate) fn function(&self, number: u64) -> Option<&'a Function> {
        self.functions[0].get(&number).copied()
    }

    /// The name of the function of the target that has a number.
    pub(crate) fn name(&self, number: u64) -> Option<String> {
        self.functions[1].get(&number).map(|function| function.name.clone())
    }

    /// The functions of the target that might stand for one of the source: first that of its name.
    pub(crate) fn candidates(&self, number: u64) -> Vec<u64> {
        let Some(function) = self.function(number) else { return Vec::new() };
        let fit = self.functions[1].iter().filter(|(_, other)| types(other) == types(function));
        let mut candidates: Vec<u64> = fit.map(|(&other, _)| other).collect();
        candidates.sort_unstable_by_key(|&other| (other != number, other));
        candidates
    }
}

impl Denoted for Met<'_> {
    fn are_same(&mut self, pair: Pair) -> bool {
        let (old, new) = pair;
        match (self.functions[0].get(&old), self.functions[1].get(&new)) {
            (Some(function), Some(other)) if types(function) == types(other) => {
                if self.known.insert(pair) {
                    self.open.push(pair);
                }
                true
            }
            (Some(_), Some(_)) => false,
            _ => old == new,
        }
    }
}

/// The types of parameters and results.
fn types(function: &Function) -> (Vec<Type>, &[Type]) {
    (function.params().iter().map(|&param| function.ty(param)).collect(), function.result_types())
}
