//! Who has to look again when something grows: the callers of a method, the readers of a field.
//!
//! What everything calls has as many callers as the program has methods, and each of them says so each time it is
//! looked at. So who is there already is known by hash, and the lists are only walked.

use hashbrown::HashSet;
use planish_base::Id;
use rustc_hash::FxBuildHasher;

use crate::program::Method;

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
