//! Threads with room for recursion, as far as the system gives them.
//!
//! Under a limit on memory or on processes a thread may not be had. Nothing needs one: work that cannot be given away is
//! done by whoever has it.

use std::sync::{Mutex, PoisonError};
use std::thread::{Builder, Scope, ScopedJoinHandle};

use crate::caught;

/// The stack of a thread, in bytes. Readers and passes that follow the nesting of a program bound its depth, so that this
/// is enough.
const STACK: usize = 64 << 20;

/// What is tried where there is no room for that: the size that Linux gives the first thread of a process.
const SMALL_STACK: usize = 8 << 20;

/// Begins a thread; `None` if the system gives none.
pub fn begin<'scope, T: Send + 'scope>(
    scope: &'scope Scope<'scope, '_>,
    work: impl Fn() -> T + Copy + Send + 'scope,
) -> Option<ScopedJoinHandle<'scope, T>> {
    let is_caught = caught::is_caught();
    let work = move || caught::catching(is_caught, work);
    // What a thread is called stands in the message of a panic.
    let begin = |size| Builder::new().name("planish".into()).stack_size(size).spawn_scoped(scope, work);
    [STACK, SMALL_STACK].into_iter().find_map(|size| begin(size).ok())
}

/// Does work on a thread with a large stack and waits for it. A panic goes on here.
pub fn on_large_stack<T: Send>(work: impl Fn() -> T + Sync) -> T {
    std::thread::scope(|scope| match begin(scope, &work) {
        Some(thread) => joined(thread),
        None => work(),
    })
}

/// Does two things, on two threads if there may be two.
pub fn beside<A: Send, B>(
    threads: usize,
    first: impl FnOnce() -> A + Send,
    second: impl FnOnce() -> B,
) -> (A, B) {
    if threads < 2 {
        return (first(), second());
    }
    let first = Mutex::new(Some(first));
    let first = || {
        let work = first.lock().unwrap_or_else(PoisonError::into_inner).take();
        work.map(|work| work())
    };
    let (first, second) = std::thread::scope(|scope| match begin(scope, first) {
        Some(thread) => {
            let second = second();
            (joined(thread), second)
        }
        None => (first(), second()),
    });
    (first.expect("it is done once"), second)
}

/// What a thread gives; its panic goes on here.
pub(crate) fn joined<T>(thread: ScopedJoinHandle<'_, T>) -> T {
    thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Needs some 100 bytes of stack a level.
    fn depth(levels: u32) -> u32 {
        if levels == 0 { 0 } else { std::hint::black_box(depth(levels - 1)) + 1 }
    }

    #[test]
    fn there_is_room_for_deep_recursion() {
        assert_eq!(on_large_stack(|| depth(300_000)), 300_000);
        for threads in [1, 2] {
            assert_eq!(beside(threads, || "first", || 2), ("first", 2));
        }
    }

    #[test]
    fn a_panic_is_that_of_the_caller() {
        let panics = || on_large_stack(|| std::panic::panic_any(7));
        let caught = std::panic::catch_unwind(panics).expect_err("it panics");
        assert_eq!(caught.downcast_ref(), Some(&7));
    }
}
