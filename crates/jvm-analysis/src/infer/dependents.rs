//! Dependence lists of the worklist: the callers of a method and the readers of a field, to visit again when something
//! grows.
//!
//! What everything calls has as many callers as the program has methods, and each of them says so each time it is
//! looked at. So who is there already is known by hash, and the lists are only walked.

use hashbrown::HashSet;
use planish_base::Id;
use planish_ir::{Function, Inst};
use planish_jvm_model::program::Method;
use rustc_hash::FxBuildHasher;

use crate::dispatch::SetId;

/// For each `K` the methods that depend on it.
pub(super) struct Dependents<K> {
    lists: Vec<Vec<Method>>,
    known: HashSet<(K, Method), FxBuildHasher>,
}

impl<K: Id> Dependents<K> {
    /// Nobody depends on anything.
    pub fn new() -> Self {
        Dependents { lists: Vec::new(), known: HashSet::default() }
    }

    /// A method depends on something. O(1).
    pub fn add(&mut self, on: K, method: Method) {
        if self.known.insert((on, method)) {
            if self.lists.len() <= on.index() {
                self.lists.resize_with(on.index() + 1, Vec::new);
            }
            self.lists[on.index()].push(method);
        }
    }

    /// The methods that depend on something, in the order in which they came.
    pub fn of(&self, on: K) -> &[Method] {
        self.lists.get(on.index()).map_or(&[], Vec::as_slice)
    }
}

/// For each instruction of a body on what it was last said that the method depends for its sake: most depend on the same
/// whenever they are looked at.
#[derive(Default)]
pub(super) struct Said(Vec<u32>);

impl Said {
    /// Nothing was said for any instruction of a body.
    pub fn nothing(f: &Function) -> Self {
        Said(vec![0; f.inst_count()])
    }

    /// Whether what an instruction leads to is news: the methods of a set, or without one what the instruction alone
    /// says. It is said now.
    pub fn is_news(&mut self, inst: Inst, set: Option<SetId>) -> bool {
        let now = set.map_or(1, |set| set.index() as u32 + 2);
        std::mem::replace(&mut self.0[inst.index()], now) != now
    }
}
