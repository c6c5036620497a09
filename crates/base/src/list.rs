//! Lists of ids in one pool.
//!
//! An operand list is a range of one long vector. Lists are written once; a longer list is a new
//! range, and equal neighbours may share one ([`ListPool::push_shared`]: exits of a run of guards
//! carry the same arguments).

use std::marker::PhantomData;

/// A list in a [`ListPool`]: eight bytes, and meaningless without its pool.
pub struct List<T> {
    start: u32,
    len: u32,
    item: PhantomData<T>,
}

impl<T> List<T> {
    /// The list without items, valid in every pool.
    pub const EMPTY: Self = List { start: 0, len: 0, item: PhantomData };

    /// The number of items.
    #[inline]
    pub fn len(self) -> usize {
        self.len as usize
    }

    /// Whether the list has no item.
    #[inline]
    pub fn is_empty(self) -> bool {
        self.len == 0
    }

    /// Whether a longer list is this one with more behind it, in the same place.
    pub fn grew_into(self, longer: Self) -> bool {
        self.start == longer.start && self.len <= longer.len
    }
}

impl<T> Clone for List<T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for List<T> {}

impl<T> PartialEq for List<T> {
    fn eq(&self, other: &Self) -> bool {
        self.start == other.start && self.len == other.len
    }
}

impl<T> Eq for List<T> {}

impl<T> Default for List<T> {
    fn default() -> Self {
        Self::EMPTY
    }
}

impl<T> std::fmt::Debug for List<T> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}..{}", self.start, self.start + self.len)
    }
}

/// The memory of many short lists.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ListPool<T> {
    items: Vec<T>,
}

impl<T: Copy + PartialEq> ListPool<T> {
    /// A pool without lists.
    pub const fn new() -> Self {
        ListPool { items: Vec::new() }
    }

    /// Adds a list. O(length). Panics when the pool would hold more than 2^32 - 1 items.
    pub fn push(&mut self, items: &[T]) -> List<T> {
        if items.is_empty() {
            return List::EMPTY;
        }
        let start = u32::try_from(self.items.len()).expect("a list pool holds at most 2^32 - 1 items");
        self.items.extend_from_slice(items);
        assert!(u32::try_from(self.items.len()).is_ok(), "a list pool holds at most 2^32 - 1 items");
        List { start, len: items.len() as u32, item: PhantomData }
    }

    /// Adds a list, or returns `neighbour` when it already holds these items.
    pub fn push_shared(&mut self, items: &[T], neighbour: List<T>) -> List<T> {
        if self.get(neighbour) == items { neighbour } else { self.push(items) }
    }

    /// The list with one more item. The list that was stays valid. O(1) if it was the last that was added,
    /// else O(length). Panics as [`push`](Self::push) does.
    pub fn push_behind(&mut self, list: List<T>, item: T) -> List<T> {
        let range = list.start as usize..(list.start + list.len) as usize;
        let start = if range.end == self.items.len() {
            range.start
        } else {
            let start = self.items.len();
            self.items.extend_from_within(range);
            start
        };
        self.items.push(item);
        let fits = |length: usize| u32::try_from(length).expect("a list pool holds at most 2^32 - 1 items");
        List { start: fits(start), len: fits(self.items.len()) - fits(start), item: PhantomData }
    }

    /// The items of a list.
    #[inline]
    pub fn get(&self, list: List<T>) -> &[T] {
        &self.items[list.start as usize..(list.start + list.len) as usize]
    }

    /// The items of a list, to change in place. Lists that share the range change with it.
    #[inline]
    pub fn get_mut(&mut self, list: List<T>) -> &mut [T] {
        &mut self.items[list.start as usize..(list.start + list.len) as usize]
    }

    /// The items of all lists, one behind the other. Lists that are shared are here once.
    pub fn items(&self) -> &[T] {
        &self.items
    }

    /// Keeps those items of a list, which is not shared, for which `keep` holds, in order.
    pub fn retain(&mut self, list: List<T>, mut keep: impl FnMut(T) -> bool) -> List<T> {
        let items = self.get_mut(list);
        let mut kept = 0;
        for index in 0..items.len() {
            if keep(items[index]) {
                items[kept] = items[index];
                kept += 1;
            }
        }
        if kept == 0 { List::EMPTY } else { List { len: kept as u32, ..list } }
    }

    /// Forgets all lists and keeps the memory.
    pub fn clear(&mut self) {
        self.items.clear();
    }
}

impl<T: Copy + PartialEq> Default for ListPool<T> {
    fn default() -> Self {
        Self::new()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_list_grows_in_place_and_in_another() {
        let mut pool = ListPool::new();
        let none = pool.push_behind(List::EMPTY, 1);
        let a = pool.push_behind(none, 2);
        let b = pool.push(&[7]);
        let c = pool.push_behind(a, 3);
        assert_eq!(
            [none, a, b, c].map(|list| pool.get(list).to_vec()),
            [vec![1], vec![1, 2], vec![7], vec![1, 2, 3]]
        );
        // A quadratic step would take minutes.
        let mut long = List::EMPTY;
        (0..1_000_000).for_each(|item| long = pool.push_behind(long, item));
        assert!(pool.get(long).iter().copied().eq(0..1_000_000));
    }

    #[test]
    fn a_list_shrinks_in_place() {
        let mut pool = ListPool::new();
        let (a, b) = (pool.push(&[1, 2, 3, 4]), pool.push(&[5]));
        let even = pool.retain(a, |item| item % 2 == 0);
        assert_eq!((pool.get(even), pool.get(b)), (&[2, 4][..], &[5][..]));
        assert_eq!(pool.retain(even, |_| false), List::EMPTY);
    }

    #[test]
    fn neighbours_share_equal_lists() {
        let mut pool = ListPool::new();
        let a = pool.push(&[1, 2, 3]);
        let b = pool.push_shared(&[1, 2, 3], a);
        let c = pool.push_shared(&[1, 2], a);
        assert_eq!(a, b);
        assert_ne!(a, c);
        assert_eq!(pool.get(c), [1, 2]);
        assert!(pool.get(List::EMPTY).is_empty());
    }
}
