//! A trace that is recorded, optimized and walked in the memory of one before allocates nothing.

#![allow(unsafe_code, reason = "an allocator that counts")]

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

#[path = "../../embed/tests/boxes/mod.rs"]
mod boxes;

use boxes::heap;
use planish_trace::{Optimizer, Recorder, Step, Trace, Words};

struct Counting;

thread_local! {
    static COUNT: Cell<u64> = const { Cell::new(0) };
}

// SAFETY: the system's allocator does the work.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        COUNT.set(COUNT.get() + 1);
        // SAFETY: what this allocator is asked for, the system's is.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, memory: *mut u8, layout: Layout) {
        // SAFETY: what was allocated there is freed there.
        unsafe { System.dealloc(memory, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// How many allocations something makes.
fn allocations(act: impl FnOnce()) -> u64 {
    let before = COUNT.get();
    act();
    COUNT.get() - before
}

/// Traces of one recorder. Lists change places between traces, so some of them grow a few times.
const ROUNDS: usize = 10;

/// How much is in one iteration of the loop.
const INNER: u32 = 20;

fn walked(trace: &Trace) -> usize {
    let values = |step: Step<'_>| match step {
        Step::Operation(operation) => {
            operation.operands.len() + operation.leave.map_or(0, |leave| leave.live.len())
        }
        Step::Loop { state, .. } | Step::Jump(state) | Step::Finish(state) | Step::Enter { state, .. } => {
            state.len()
        }
    };
    trace.steps().map(values).sum()
}

#[test]
fn recording_in_used_memory_allocates_nothing() {
    let mut recorder = Recorder::optimizing(Words::new(), Recorder::STREAMING).expect("these are passes");
    let heap = heap(recorder.words_mut()).expect("new words");
    let mut lengths = Vec::with_capacity(ROUNDS);
    let mut counts = Vec::with_capacity(ROUNDS);
    for _ in 0..ROUNDS {
        counts.push(allocations(|| {
            let trace = boxes::record(&mut recorder, heap, INNER).expect("operations that fit");
            assert!(walked(&trace) > 100);
            lengths.push(trace.len());
            recorder.recycle(trace);
        }));
    }
    assert!(counts[0] > 50, "the counter counts: {counts:?}");
    assert_eq!(counts[ROUNDS - 3..], [0; 3], "{counts:?}");
    assert!(lengths.iter().all(|&length| length == lengths[0] && length < 20 * 20), "{lengths:?}");
}

/// How many allocations optimizing with these passes makes, trace after trace.
fn optimizing(passes: &str) -> Vec<u64> {
    let mut recorder = Recorder::new(Words::new());
    let heap = heap(recorder.words_mut()).expect("new words");
    let mut optimizer = Optimizer::with_passes(passes).expect("these are passes");
    optimizer.verify(false);
    let mut counts = Vec::with_capacity(ROUNDS);
    for _ in 0..ROUNDS {
        let mut trace = boxes::record(&mut recorder, heap, INNER).expect("operations that fit");
        counts.push(allocations(|| {
            optimizer.optimize(&mut trace, recorder.words()).expect("the loop can run");
        }));
        recorder.recycle(trace);
    }
    counts
}

#[test]
fn optimizing_in_used_memory_allocates_nothing() {
    let counts = optimizing(Recorder::STREAMING);
    assert!(counts[0] > 50, "the counter counts: {counts:?}");
    assert_eq!(counts[ROUNDS - 3..], [0; 3], "{counts:?}");
}

#[test]
fn unrolling_in_used_memory_allocates_nothing() {
    let counts = optimizing(&format!("{}:peel", Recorder::STREAMING));
    assert!(counts[0] > 50, "the counter counts: {counts:?}");
    assert_eq!(counts[ROUNDS - 3..], [0; 3], "{counts:?}");
}
