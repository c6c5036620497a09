//! Typed ids, dense arenas and side tables.
//!
//! An id is a `u32` with a type; an [`Arena`] owns the things that an id names; a [`SideTable`]
//! attaches one more fact to each of them without the arena knowing. All three are plain vectors,
//! so a pass over a function is a pass over memory.
//!
//! ```
//! planish_base::define_id!(
//!     /// A house in the street.
//!     House, "house"
//! );
//! let mut street = planish_base::Arena::<House, &str>::new();
//! let first = street.push("bakery");
//! assert_eq!(street[first], "bakery");
//! assert_eq!(first.to_string(), "house0");
//! ```

use std::fmt;
use std::marker::PhantomData;
use std::ops::{Index, IndexMut};

/// A typed index. Implemented by the types that [`define_id!`](crate::define_id) makes.
pub trait Id: Copy + Eq + Ord + std::hash::Hash + fmt::Debug {
    /// The id of position `index`. Panics when `index` is `u32::MAX` or more.
    fn from_index(index: usize) -> Self;
    /// The position that this id names.
    fn index(self) -> usize;
}

/// Declares a typed id. The text is the prefix with which it prints: `v12`, `block3`.
#[macro_export]
macro_rules! define_id {
    ($(#[$meta:meta])* $name:ident, $prefix:literal) => {
        $(#[$meta])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name(::std::num::NonZeroU32);

        impl $crate::arena::Id for $name {
            #[inline]
            fn from_index(index: usize) -> Self {
                // One addition and one comparison: this stands in every loop over results.
                let raw = u32::try_from(index.wrapping_add(1)).ok();
                match raw.and_then(::std::num::NonZeroU32::new) {
                    Some(raw) => $name(raw),
                    None => panic!("more than 2^32 - 1 ids of one kind"),
                }
            }
            #[inline]
            fn index(self) -> usize {
                self.0.get() as usize - 1
            }
        }

        impl ::std::fmt::Display for $name {
            fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
                write!(f, concat!($prefix, "{}"), $crate::arena::Id::index(*self))
            }
        }

        impl ::std::fmt::Debug for $name {
            fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
                ::std::fmt::Display::fmt(self, f)
            }
        }
    };
}

/// A growing vector whose positions are ids. Nothing is ever removed.
#[derive(Clone, PartialEq, Eq)]
pub struct Arena<K: Id, V> {
    items: Vec<V>,
    key: PhantomData<K>,
}

impl<K: Id, V> Arena<K, V> {
    /// An empty arena.
    pub const fn new() -> Self {
        Arena { items: Vec::new(), key: PhantomData }
    }

    /// An empty arena with room for `capacity` items.
    pub fn with_capacity(capacity: usize) -> Self {
        Arena { items: Vec::with_capacity(capacity), key: PhantomData }
    }

    /// Appends an item and returns its id. Amortized O(1).
    #[inline]
    pub fn push(&mut self, item: V) -> K {
        let id = K::from_index(self.items.len());
        self.items.push(item);
        id
    }

    /// The id that the next [`push`](Self::push) returns.
    pub fn next_id(&self) -> K {
        K::from_index(self.items.len())
    }

    /// The number of items.
    #[inline]
    pub fn len(&self) -> usize {
        self.items.len()
    }

    /// Whether there is no item.
    pub fn is_empty(&self) -> bool {
        self.items.is_empty()
    }

    /// The item named by `id`, or `None` when the id is of a longer arena.
    pub fn get(&self, id: K) -> Option<&V> {
        self.items.get(id.index())
    }

    /// All ids, in order.
    pub fn ids(&self) -> impl DoubleEndedIterator<Item = K> + ExactSizeIterator + use<K, V> {
        (0..self.items.len()).map(K::from_index)
    }

    /// All items with their ids, in order.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = (K, &V)> + ExactSizeIterator {
        self.items.iter().enumerate().map(|(i, v)| (K::from_index(i), v))
    }

    /// All items in order.
    pub fn values(&self) -> std::slice::Iter<'_, V> {
        self.items.iter()
    }

    /// All items in order, to change.
    pub fn values_mut(&mut self) -> std::slice::IterMut<'_, V> {
        self.items.iter_mut()
    }

    /// All items in order, the arena being given up.
    pub fn into_values(self) -> std::vec::IntoIter<V> {
        self.items.into_iter()
    }

    /// Forgets all items and keeps the memory.
    pub fn clear(&mut self) {
        self.items.clear();
    }

    /// Takes all items out, in order, and keeps the memory.
    pub fn drain(&mut self) -> std::vec::Drain<'_, V> {
        self.items.drain(..)
    }
}

impl<K: Id, V> Default for Arena<K, V> {
    fn default() -> Self {
        Self::new()
    }
}

impl<K: Id, V> Index<K> for Arena<K, V> {
    type Output = V;
    #[inline]
    fn index(&self, id: K) -> &V {
        &self.items[id.index()]
    }
}

impl<K: Id, V> IndexMut<K> for Arena<K, V> {
    #[inline]
    fn index_mut(&mut self, id: K) -> &mut V {
        &mut self.items[id.index()]
    }
}

impl<K: Id + fmt::Debug, V: fmt::Debug> fmt::Debug for Arena<K, V> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_map().entries(self.iter()).finish()
    }
}

impl<K: Id, V> FromIterator<V> for Arena<K, V> {
    fn from_iter<I: IntoIterator<Item = V>>(items: I) -> Self {
        Arena { items: items.into_iter().collect(), key: PhantomData }
    }
}

/// One value of type `V` for each id of an arena, the default until set.
///
/// Reading past the end gives the default; writing grows the table. So a table never has to be told
/// how long its arena is, and an unknown fact costs nothing.
#[derive(Clone)]
pub struct SideTable<K: Id, V: Clone> {
    items: Vec<V>,
    default: V,
    key: PhantomData<K>,
}

impl<K: Id, V: Clone> SideTable<K, V> {
    /// A table in which every id has the value `default`.
    pub fn with_default(default: V) -> Self {
        SideTable { items: Vec::new(), default, key: PhantomData }
    }

    /// Makes room for ids below `len`, so that writing them allocates no more.
    pub fn reserve(&mut self, len: usize) {
        if self.items.len() < len {
            self.items.resize(len, self.default.clone());
        }
    }

    /// Sets every id back to the default and keeps the memory.
    pub fn clear(&mut self) {
        self.items.clear();
    }
}

impl<K: Id, V: Clone + Default> SideTable<K, V> {
    /// A table in which every id has the default value of `V`.
    pub fn new() -> Self {
        Self::with_default(V::default())
    }
}

impl<K: Id, V: Clone + Default> Default for SideTable<K, V> {
    fn default() -> Self {
        Self::new()
    }
}

impl<K: Id, V: Clone> Index<K> for SideTable<K, V> {
    type Output = V;
    #[inline]
    fn index(&self, id: K) -> &V {
        self.items.get(id.index()).unwrap_or(&self.default)
    }
}

impl<K: Id, V: Clone> IndexMut<K> for SideTable<K, V> {
    #[inline]
    fn index_mut(&mut self, id: K) -> &mut V {
        let index = id.index();
        if index >= self.items.len() {
            self.items.resize(index + 1, self.default.clone());
        }
        &mut self.items[index]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    define_id!(Thing, "t");

    #[test]
    fn an_optional_id_costs_no_more_than_an_id() {
        assert_eq!(size_of::<Option<Thing>>(), 4);
    }

    #[test]
    fn ids_are_positions_in_order_of_insertion() {
        let arena: Arena<Thing, char> = "abc".chars().collect();
        let printed: Vec<String> = arena.iter().map(|(id, c)| format!("{id}={c}")).collect();
        assert_eq!(printed, ["t0=a", "t1=b", "t2=c"]);
    }

    #[test]
    fn a_side_table_reads_the_default_past_its_end() {
        let mut table = SideTable::<Thing, u8>::with_default(7);
        table[Thing::from_index(2)] = 1;
        let read: Vec<u8> = (0..4).map(|i| table[Thing::from_index(i)]).collect();
        assert_eq!(read, [7, 7, 1, 7]);
    }
}
