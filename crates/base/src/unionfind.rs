//! Directed union-find: which value stands for which.
//!
//! The structure of PyPy's toy optimizer ("a simple optimizer for sequences of operations"): every
//! id starts in a set of its own, and [`UnionFind::forward`] makes one representative stand for
//! another. The union is *directed*: the caller says who stays, because an operation that was
//! emitted must stay and a constant beats everything.
//!
//! Path compression is halving (Tarjan and van Leeuwen 1984): amortized near O(1). A union made
//! inside a scope can be undone ([`UnionFind::undo_to`]); to keep undoing exact, paths are compressed
//! only while no scope is open.

use crate::arena::{Id, SideTable};

/// A partition of ids, each set with a representative.
#[derive(Clone)]
pub struct UnionFind<K: Id> {
    parent: SideTable<K, Option<K>>,
    /// Ids that were forwarded while a scope was open, oldest first.
    trail: Vec<K>,
    scopes: u32,
}

impl<K: Id> UnionFind<K> {
    /// Every id in a set of its own.
    pub fn new() -> Self {
        UnionFind { parent: SideTable::new(), trail: Vec::new(), scopes: 0 }
    }

    /// Whether `id` stands for its set.
    #[inline]
    pub fn is_representative(&self, id: K) -> bool {
        self.parent[id].is_none()
    }

    /// The representative of the set of `id`.
    #[inline]
    pub fn find(&mut self, mut id: K) -> K {
        while let Some(parent) = self.parent[id] {
            let Some(grandparent) = self.parent[parent] else { return parent };
            if self.scopes == 0 {
                self.parent[id] = Some(grandparent);
            }
            id = grandparent;
        }
        id
    }

    /// The representative of the set of `id`, without compressing paths.
    #[inline]
    pub fn peek(&self, mut id: K) -> K {
        while let Some(parent) = self.parent[id] {
            id = parent;
        }
        id
    }

    /// Lets the representative of `to` stand for the whole set of `from`.
    ///
    /// Returns whether anything changed: forwarding within one set is a no-op.
    pub fn forward(&mut self, from: K, to: K) -> bool {
        let (from, to) = (self.find(from), self.find(to));
        if from == to {
            return false;
        }
        self.parent[from] = Some(to);
        if self.scopes > 0 {
            self.trail.push(from);
        }
        true
    }

    /// Opens a scope: what is forwarded from here on can be undone.
    pub fn enter(&mut self) -> Mark {
        self.scopes += 1;
        Mark(self.trail.len())
    }

    /// Closes the scope opened last and undoes everything forwarded in it.
    pub fn undo_to(&mut self, mark: Mark) {
        for id in self.trail.drain(mark.0..) {
            self.parent[id] = None;
        }
        self.scopes -= 1;
    }

    /// Every id in a set of its own again; keeps the memory.
    pub fn clear(&mut self) {
        self.parent.clear();
        self.trail.clear();
        self.scopes = 0;
    }
}

impl<K: Id> Default for UnionFind<K> {
    fn default() -> Self {
        Self::new()
    }
}

/// The state of a [`UnionFind`] when a scope was opened.
#[derive(Clone, Copy, Debug)]
#[must_use = "a scope that is never closed keeps paths uncompressed"]
pub struct Mark(usize);

#[cfg(test)]
mod tests {
    use super::*;

    crate::define_id!(Op, "a");

    fn ops(n: usize) -> Vec<Op> {
        (0..n).map(Op::from_index).collect()
    }

    /// S1.15, S1.17, S1.18: the left side's representative goes to the right side's, which stays.
    #[test]
    fn unions_chain_through_representatives() {
        let (a, mut uf) = (ops(4), UnionFind::new());
        assert!(uf.forward(a[2], a[1]));
        assert!(uf.forward(a[3], a[2]));
        assert_eq!([1, 2, 3].map(|i| uf.find(a[i])), [a[1]; 3]);
        assert!(uf.forward(a[2], a[0]));
        assert_eq!([0, 1, 2, 3].map(|i| uf.find(a[i])), [a[0]; 4]);
        assert!(!uf.forward(a[3], a[1]), "already one set");
    }

    #[test]
    fn a_scope_is_undone_exactly() {
        let (a, mut uf) = (ops(6), UnionFind::new());
        uf.forward(a[1], a[0]);
        let outer = uf.enter();
        uf.forward(a[2], a[1]);
        let inner = uf.enter();
        uf.forward(a[0], a[5]);
        assert_eq!(uf.find(a[2]), a[5]);
        uf.undo_to(inner);
        assert_eq!(uf.find(a[2]), a[0]);
        uf.undo_to(outer);
        assert_eq!([1, 2].map(|i| uf.find(a[i])), [a[0], a[2]]);
    }

    /// S1.22: paths are compressed.
    #[test]
    fn long_chains_are_near_linear() {
        let (a, mut uf) = (ops(200_000), UnionFind::new());
        for pair in a.windows(2) {
            uf.forward(pair[0], pair[1]);
        }
        assert!(a.iter().all(|&id| uf.find(id) == a[199_999]));
    }
}
