//! Work on all items of a list by several threads, with results in the order of the list.
//!
//! Items are taken in order by whichever thread is free; the report of progress runs on the calling
//! thread. Results do not depend on the number of threads as long as the work does not.

use std::num::NonZeroUsize;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc;
use std::thread;

/// The number of threads that this machine runs at once.
pub fn available() -> NonZeroUsize {
    thread::available_parallelism().unwrap_or(NonZeroUsize::MIN)
}

/// `work` on each of `items`. `progress` is told the number of finished items and the result of the
/// last.
pub fn map<T: Sync, R: Send>(
    items: &[T],
    threads: NonZeroUsize,
    work: impl Fn(&T) -> R + Sync,
    progress: &mut dyn FnMut(usize, &T, &R),
) -> Vec<R> {
    let next = AtomicUsize::new(0);
    let (sender, receiver) = mpsc::channel();
    let mut results: Vec<Option<R>> = items.iter().map(|_| None).collect();
    thread::scope(|scope| {
        for _ in 0..threads.get().min(items.len()) {
            let (sender, next, work) = (sender.clone(), &next, &work);
            scope.spawn(move || {
                while let Some(index) =
                    Some(next.fetch_add(1, Ordering::Relaxed)).filter(|&i| i < items.len())
                {
                    if sender.send((index, work(&items[index]))).is_err() {
                        break;
                    }
                }
            });
        }
        drop(sender);
        for (done, (index, result)) in receiver.iter().enumerate() {
            progress(done + 1, &items[index], &result);
            results[index] = Some(result);
        }
    });
    // A thread that panicked has made the scope panic, so every item has its result.
    results.into_iter().map(|result| result.expect("every item was worked on")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_are_in_order_and_progress_is_complete() {
        let items: Vec<u64> = (0..100).collect();
        let mut seen = 0;
        let three = NonZeroUsize::new(3).expect("not zero");
        let squares = map(&items, three, |&x| x * x, &mut |done, _, _| seen = seen.max(done));
        assert_eq!(squares, items.iter().map(|x| x * x).collect::<Vec<_>>());
        assert_eq!(seen, 100);
        assert!(map(&[] as &[u64], three, |&x| x, &mut |_, _, _| {}).is_empty());
    }
}
