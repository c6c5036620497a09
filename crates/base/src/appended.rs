//! A list that grows while it is read: an append-only vector behind a shared reference.
//!
//! Items stand in chunks of which each is twice as large as the one before, so that none moves when there are more, and a
//! reference to one stays what it is (as in the crates `boxcar` and `elsa`).

use std::sync::OnceLock;
use std::sync::atomic::{AtomicU32, Ordering};

/// A list to which anyone adds who sees it. Items never move and never go.
pub struct Appended<T> {
    /// The chunk of a number has room for two to the power of it.
    chunks: [OnceLock<Chunk<T>>; CHUNKS],
    len: AtomicU32,
}

type Chunk<T> = Box<[OnceLock<T>]>;

const CHUNKS: usize = 32;

/// The chunk of an item and its place there.
fn place(index: u32) -> (usize, usize) {
    let behind = u64::from(index) + 1;
    let chunk = behind.ilog2();
    (chunk as usize, (behind - (1 << chunk)) as usize)
}

impl<T> Appended<T> {
    /// Adds an item; its number.
    pub fn push(&self, item: T) -> u32 {
        let index = self.len.fetch_add(1, Ordering::Relaxed);
        let (chunk, place) = place(index);
        let room = || (0..1_usize << chunk).map(|_| OnceLock::new()).collect();
        let slots = self.chunks[chunk].get_or_init(room);
        assert!(slots[place].set(item).is_ok(), "each number is given once");
        index
    }

    /// The item of a number, if it was added.
    pub fn get(&self, index: u32) -> Option<&T> {
        let (chunk, place) = place(index);
        self.chunks.get(chunk)?.get()?[place].get()
    }

    /// How many there are.
    pub fn len(&self) -> u32 {
        self.len.load(Ordering::Relaxed)
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The items in the order in which they were added.
    pub fn iter(&self) -> impl Iterator<Item = &T> {
        (0..self.len()).map_while(|index| self.get(index))
    }

    /// Takes all items out.
    pub fn take(&mut self) -> impl Iterator<Item = T> + use<T> {
        let all = std::mem::take(self);
        all.chunks.into_iter().filter_map(OnceLock::into_inner).flatten().filter_map(OnceLock::into_inner)
    }
}

impl<T> Default for Appended<T> {
    fn default() -> Self {
        Appended { chunks: [const { OnceLock::new() }; CHUNKS], len: AtomicU32::new(0) }
    }
}

impl<T: Clone> Clone for Appended<T> {
    fn clone(&self) -> Self {
        let copy = Appended::default();
        self.iter().for_each(|item| {
            copy.push(item.clone());
        });
        copy
    }
}

#[cfg(test)]
mod tests {
    use super::Appended;

    #[test]
    fn items_keep_their_numbers_and_their_places() {
        let list = Appended::default();
        list.push("first".to_owned());
        let first = list.get(0).expect("it was added");
        for number in 1..100_u32 {
            assert_eq!(list.push(number.to_string()), number);
        }
        assert_eq!((first.as_str(), list.len()), ("first", 100));
        assert_eq!(list.get(77).map(String::as_str), Some("77"));
        assert_eq!(list.get(100), None);
        let mut copy = list.clone();
        assert!(copy.iter().eq(list.iter()));
        assert_eq!(copy.take().count(), 100);
        assert!(copy.is_empty());
    }

    #[test]
    fn threads_that_add_get_different_numbers() {
        let list = Appended::default();
        std::thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(|| (0..100).for_each(|_| _ = list.push(())));
            }
        });
        assert_eq!((list.len(), list.iter().count()), (400, 400));
    }
}
