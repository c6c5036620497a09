//! Work lists whose order does not matter: last in, first out, and at random where chaos mode asks for it.
//!
//! An analysis that runs until nothing changes (Kildall, *A unified approach to global program optimization*, 1973) has to
//! find what holds in whatever order it looks: what a list hands out first is a matter of speed. [`Shuffled`] lets every
//! list of a thread hand out what a seed says, so that tests and campaigns see whether one of them relies on its order.

use std::cell::Cell;
use std::collections::VecDeque;
use std::hash::BuildHasher;
use std::marker::PhantomData;

use rustc_hash::FxBuildHasher;

thread_local! {
    /// What the next choice is made from; 0 where nothing is chosen at random.
    static CHANCE: Cell<u64> = const { Cell::new(0) };
}

/// As long as it is there, the work lists of this thread, and of those to which it shares out work, hand out their entries in
/// an order that a seed gives. The same seed does the same again.
#[must_use = "the order is as usual when it is dropped"]
pub struct Shuffled {
    /// What was before.
    before: u64,
    /// It is of one thread.
    _thread: PhantomData<*const ()>,
}

impl Shuffled {
    /// In the order of a seed.
    pub fn by(seed: u64) -> Self {
        // The lower bits of what a hash gives are the bad ones; one is enough not to be 0.
        let chance = FxBuildHasher.hash_one(seed) | 1;
        Shuffled { before: CHANCE.replace(chance), _thread: PhantomData }
    }
}

impl Drop for Shuffled {
    fn drop(&mut self) {
        CHANCE.set(self.before);
    }
}

/// What the orders of a thread follow from in the parts of its work, which other threads may do: the same whichever does it.
pub(crate) struct Parts(u64);

impl Parts {
    /// Those of this thread.
    pub fn here() -> Self {
        Parts(CHANCE.get())
    }

    /// Runs a part of the work.
    pub fn run<R>(&self, part: usize, run: impl FnOnce() -> R) -> R {
        let _order = (self.0 != 0).then(|| Shuffled::by(FxBuildHasher.hash_one((self.0, part))));
        run()
    }
}

/// The place of the entry that a list of so many hands out next, where that is at random. O(1).
fn place(len: usize) -> Option<usize> {
    let chance = CHANCE.get();
    if chance == 0 || len == 0 {
        return None;
    }
    // A generator whose state is never 0 (Marsaglia, *Xorshift RNGs*, 2003).
    let next = chance ^ (chance << 13);
    let next = next ^ (next >> 7);
    let next = next ^ (next << 17);
    CHANCE.set(next);
    Some((next.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 32) as usize % len)
}

/// What is still to be looked at. Hands out what came last, or any entry under [`Shuffled`]; both in O(1).
#[derive(Clone, Debug)]
pub struct Worklist<T>(Vec<T>);

impl<T> Worklist<T> {
    /// One more entry.
    pub fn push(&mut self, entry: T) {
        self.0.push(entry);
    }

    /// Takes an entry out; nothing if there is none.
    pub fn pop(&mut self) -> Option<T> {
        match place(self.0.len()) {
            Some(place) => Some(self.0.swap_remove(place)),
            None => self.0.pop(),
        }
    }

    /// Whether there is no entry.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// More entries, copied. O(entries).
    pub fn extend_from_slice(&mut self, entries: &[T])
    where
        T: Clone,
    {
        self.0.extend_from_slice(entries);
    }

    /// Takes all entries out.
    pub fn clear(&mut self) {
        self.0.clear();
    }
}

impl<T> Default for Worklist<T> {
    fn default() -> Self {
        Worklist(Vec::new())
    }
}

impl<T> From<Vec<T>> for Worklist<T> {
    fn from(entries: Vec<T>) -> Self {
        Worklist(entries)
    }
}

impl<T> FromIterator<T> for Worklist<T> {
    fn from_iter<I: IntoIterator<Item = T>>(entries: I) -> Self {
        Worklist(entries.into_iter().collect())
    }
}

impl<T> Extend<T> for Worklist<T> {
    fn extend<I: IntoIterator<Item = T>>(&mut self, entries: I) {
        self.0.extend(entries);
    }
}

/// The same of which what came first is handed out first: for what is better looked at when more of it is known.
#[derive(Clone, Debug)]
pub struct Queue<T>(VecDeque<T>);

impl<T> Queue<T> {
    /// One more entry.
    pub fn push(&mut self, entry: T) {
        self.0.push_back(entry);
    }

    /// Takes an entry out; nothing if there is none.
    pub fn pop(&mut self) -> Option<T> {
        match place(self.0.len()) {
            Some(place) => self.0.swap_remove_back(place),
            None => self.0.pop_front(),
        }
    }
}

impl<T> Default for Queue<T> {
    fn default() -> Self {
        Queue(VecDeque::new())
    }
}

#[cfg(test)]
mod tests {
    use super::{Queue, Shuffled, Worklist, place};
    use crate::share_out;

    #[test]
    fn a_queue_hands_out_what_came_first_unless_a_seed_says_otherwise() {
        let handed_out = || {
            let mut queue = Queue::default();
            (0..6).for_each(|entry| queue.push(entry));
            std::iter::from_fn(|| queue.pop()).collect::<Vec<u32>>()
        };
        assert_eq!(handed_out(), [0, 1, 2, 3, 4, 5]);
        let mut other = at_random(9, handed_out);
        assert_ne!(other, handed_out());
        other.sort_unstable();
        assert_eq!(other, handed_out());
    }

    fn at_random<R>(seed: u64, run: impl FnOnce() -> R) -> R {
        let _order = Shuffled::by(seed);
        run()
    }

    fn handed_out() -> Vec<u32> {
        let mut list = Worklist::from_iter(0..6);
        std::iter::from_fn(|| list.pop()).collect()
    }

    #[test]
    fn what_came_last_is_handed_out_first_unless_a_seed_says_otherwise() {
        assert_eq!(handed_out(), [5, 4, 3, 2, 1, 0]);
        let orders: std::collections::BTreeSet<Vec<u32>> =
            (0..500).map(|seed| at_random(seed, handed_out)).collect();
        assert!(orders.len() > 150, "{} orders", orders.len());
        for mut order in orders {
            order.sort_unstable();
            assert_eq!(order, [0, 1, 2, 3, 4, 5]);
        }
        assert_eq!(at_random(7, handed_out), at_random(7, handed_out));
        assert_eq!(handed_out(), [5, 4, 3, 2, 1, 0], "it ends where it began");
    }

    #[test]
    fn a_panic_ends_the_random_order_as_well() {
        let panics = || at_random(1, || std::panic::panic_any(()));
        assert!(std::panic::catch_unwind(panics).is_err());
        assert_eq!(place(9), None);
    }

    #[test]
    fn what_is_shared_out_is_in_the_same_order_by_any_number_of_threads() {
        let items: Vec<u32> = (0..40).collect();
        let orders =
            |threads| at_random(3, || share_out(threads, &items, || (), |(), _| handed_out(), |()| ()).0);
        let alone = orders(1);
        assert_eq!(alone, orders(4));
        assert!(alone.iter().any(|order| *order != alone[0]));
        assert!(share_out(4, &items, || (), |(), _| handed_out(), |()| ()).0.iter().all(|o| o[0] == 5));
    }
}
