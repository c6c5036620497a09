//! Interning: one id for equal things, numbered by first appearance.
//!
//! The hash table is only ever asked, never iterated, so ids do not depend on hashing.

use std::borrow::Borrow;
use std::hash::{BuildHasher, Hash};

use hashbrown::HashTable;
use rustc_hash::FxBuildHasher;

use crate::arena::{Arena, Id};

/// A set of values, each with an id.
#[derive(Clone)]
pub struct Interner<K: Id, V: Eq + Hash> {
    items: Arena<K, V>,
    table: HashTable<K>,
}

impl<K: Id, V: Eq + Hash> Interner<K, V> {
    /// An empty interner.
    pub fn new() -> Self {
        Interner { items: Arena::new(), table: HashTable::new() }
    }

    /// Makes room for so many more values.
    pub fn reserve(&mut self, more: usize) {
        let items = &self.items;
        self.table.reserve(more, |&id| FxBuildHasher.hash_one(&items[id]));
    }

    /// The id of `value`, which is stored when it is new. Expected O(1).
    pub fn intern(&mut self, value: V) -> K {
        let hash = FxBuildHasher.hash_one(&value);
        let items = &self.items;
        if let Some(&id) = self.table.find(hash, |&id| items[id] == value) {
            return id;
        }
        let id = self.items.push(value);
        let items = &self.items;
        self.table.insert_unique(hash, id, |&id| FxBuildHasher.hash_one(&items[id]));
        id
    }

    /// The id of a borrowed `value`, which is copied when it is new. Expected O(1).
    pub fn intern_ref<Q>(&mut self, value: &Q) -> K
    where
        V: Borrow<Q>,
        Q: Eq + Hash + ToOwned + ?Sized,
        Q::Owned: Into<V>,
    {
        match self.lookup(value) {
            Some(id) => id,
            None => self.intern(value.to_owned().into()),
        }
    }

    /// The id of `value` if it was interned.
    pub fn lookup<Q>(&self, value: &Q) -> Option<K>
    where
        V: Borrow<Q>,
        Q: Eq + Hash + ?Sized,
    {
        let hash = FxBuildHasher.hash_one(value);
        self.table.find(hash, |&id| self.items[id].borrow() == value).copied()
    }

    /// The value named by `id`.
    #[inline]
    pub fn get(&self, id: K) -> &V {
        &self.items[id]
    }

    /// All values with their ids, in order of first appearance.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = (K, &V)> + ExactSizeIterator {
        self.items.iter()
    }

    /// The number of different values.
    pub fn len(&self) -> usize {
        self.items.len()
    }

    /// Whether nothing was interned.
    pub fn is_empty(&self) -> bool {
        self.items.is_empty()
    }

    /// Forgets everything and keeps the memory.
    pub fn clear(&mut self) {
        self.items.clear();
        self.table.clear();
    }
}

impl<K: Id> Interner<K, String> {
    /// The id of a text, which is copied only when it is new. Expected O(length).
    pub fn intern_str(&mut self, text: &str) -> K {
        match self.lookup_str(text) {
            Some(id) => id,
            None => self.intern(text.to_owned()),
        }
    }

    /// The id of a text if it was interned.
    pub fn lookup_str(&self, text: &str) -> Option<K> {
        // A `String` hashes as its `str` does.
        let hash = FxBuildHasher.hash_one(text);
        self.table.find(hash, |&id| self.items[id] == text).copied()
    }
}

impl<K: Id, V: Eq + Hash> Default for Interner<K, V> {
    fn default() -> Self {
        Self::new()
    }
}

impl<K: Id, V: Eq + Hash + std::fmt::Debug> std::fmt::Debug for Interner<K, V> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.items.fmt(f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    crate::define_id!(Name, "n");

    #[test]
    fn equal_things_get_one_id_in_order_of_appearance() {
        let mut names = Interner::<Name, &str>::new();
        let ids: Vec<String> =
            ["b", "a", "b", "c"].into_iter().map(|n| names.intern(n).to_string()).collect();
        assert_eq!(ids, ["n0", "n1", "n0", "n2"]);
        assert_eq!(names.lookup(&"c").map(|id| *names.get(id)), Some("c"));
        assert_eq!(names.lookup(&"d"), None);
    }

    #[test]
    fn a_text_is_found_whether_borrowed_or_owned() {
        let mut names = Interner::<Name, String>::new();
        let first = names.intern("list.items".to_owned());
        assert_eq!(names.intern_str("list.items"), first);
        let second = names.intern_str("list.length");
        assert_eq!(names.intern("list.length".to_owned()), second);
        assert_eq!(names.lookup_str("list"), None);
    }
}
