//! Sharing work out to threads: items that do not depend on each other, results in the order of the items.
//!
//! Each thread takes the next item when it is done with one, and has a state of its own: tables that would have to be
//! made anew for each item, or what is counted over all of them. What becomes of an item must not depend on the
//! state's past; then the results are the same for any number of threads.

use std::cell::Cell;
use std::cmp::Reverse;
use std::hash::BuildHasher;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use rustc_hash::FxBuildHasher;

use crate::{threads, worklist};

thread_local! {
    static SCHEDULE: Cell<Option<u64>> = const { Cell::new(None) };
}

/// For tests: from here on this thread shares out items in an order that a seed gives, as if threads took turns at random.
pub fn schedule(seed: Option<u64>) {
    SCHEDULE.set(seed);
}

/// Does `work` with each item on so many threads, each of which begins with what `begin` gives and leaves what `end`
/// makes of that. One thread is the one that asks. The results are in the order of the items, what is left in none.
pub fn share_out<T: Sync, S, R: Send, E: Send>(
    threads: usize,
    items: &[T],
    begin: impl Fn() -> S + Sync,
    work: impl Fn(&mut S, &T) -> R + Sync,
    end: impl Fn(S) -> E + Sync,
) -> (Vec<R>, Vec<E>) {
    share_out_by_size(threads, items, |_| 0, begin, work, end)
}

/// The same, where some items are much more work than others: of several threads none is left alone with a large one in
/// the end, since the largest come first (Graham, *Bounds on multiprocessing timing anomalies*, 1969). One thread takes
/// the items in their order.
pub fn share_out_by_size<T: Sync, S, R: Send, E: Send>(
    threads: usize,
    items: &[T],
    size: impl Fn(&T) -> usize,
    begin: impl Fn() -> S + Sync,
    work: impl Fn(&mut S, &T) -> R + Sync,
    end: impl Fn(S) -> E + Sync,
) -> (Vec<R>, Vec<E>) {
    let mut order: Vec<usize> = (0..items.len()).collect();
    if threads > 1 {
        order.sort_by_key(|&number| Reverse(size(&items[number])));
    }
    if let Some(seed) = SCHEDULE.get() {
        order.sort_by_key(|&number| FxBuildHasher.hash_one((seed, number)));
    }
    let parts = worklist::Parts::here();
    let next = AtomicUsize::new(0);
    let run = || {
        let mut state = begin();
        let mut done = Vec::new();
        while let Some(&number) = order.get(next.fetch_add(1, Ordering::Relaxed)) {
            done.push((number, parts.run(number, || work(&mut state, &items[number]))));
        }
        (done, end(state))
    };
    let count = threads.clamp(1, items.len().max(1));
    let all: Mutex<Vec<_>> = Mutex::new(Vec::new());
    if count == 1 {
        all.lock().expect("nobody else has it").push(run());
    } else {
        let take = || {
            let done = run();
            all.lock().expect("nothing panics that has it").push(done);
        };
        std::thread::scope(|scope| {
            // Those that the system does not give are not needed: whoever is there takes all items.
            let others: Vec<_> = (1..count).filter_map(|_| threads::begin(scope, take)).collect();
            take();
            others.into_iter().for_each(threads::joined);
        });
    }
    let mut results: Vec<Option<R>> = items.iter().map(|_| None).collect();
    let mut ends = Vec::with_capacity(count);
    for (done, end) in all.into_inner().expect("no thread panicked") {
        done.into_iter().for_each(|(number, result)| results[number] = Some(result));
        ends.push(end);
    }
    (results.into_iter().flatten().collect(), ends)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_are_in_the_order_of_the_items_and_every_item_is_counted_once() {
        let items: Vec<u32> = (0..1000).collect();
        for threads in [0, 1, 2, 7] {
            let count = |seen: &mut u32, item: &u32| {
                *seen += 1;
                item * 2
            };
            let size = |item: &u32| (item % 10) as usize;
            let (results, seen) = share_out_by_size(threads, &items, size, || 0, count, |seen| seen);
            assert!(results.iter().zip(&items).all(|(result, item)| *result == item * 2));
            assert_eq!(results.len(), items.len());
            assert_eq!(seen.len(), threads.max(1));
            assert_eq!(seen.iter().sum::<u32>(), 1000);
        }
        let begin = Vec::new;
        let note = |seen: &mut Vec<u32>, item: &u32| seen.push(*item);
        let (_, seen) = share_out_by_size(1, &items, |item| *item as usize, begin, note, |seen| seen);
        assert_eq!(seen, [items], "one thread keeps the order");
        let nothing: [u32; 0] = [];
        assert_eq!(share_out(4, &nothing, || (), |(), item| *item, |()| ()).0, []);
    }
    #[test]
    fn a_seed_is_an_order_of_its_own_with_the_same_results() {
        let items: Vec<u32> = (0..100).collect();
        let orders = [None, Some(1), Some(2), Some(1)].map(|seed| {
            schedule(seed);
            let note = |seen: &mut Vec<u32>, item: &u32| {
                seen.push(*item);
                *item
            };
            let (results, mut seen) = share_out(1, &items, Vec::new, note, |seen| seen);
            assert_eq!(results, items);
            seen.pop()
        });
        schedule(None);
        assert!(orders[0] != orders[1] && orders[1] != orders[2] && orders[1] == orders[3], "{orders:?}");
    }
}
