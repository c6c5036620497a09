//! A trace that is recorded, optimized and walked in the memory of one before allocates nothing.

#![allow(unsafe_code, reason = "an allocator that counts")]

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

use planish_trace::{
    Array, CallEffect, Callee, Class, Field, Mutability, Op, Optimizer, Recorder, Refused, Step, Trace, Type,
    Words,
};

struct Counting;

thread_local! {
    static COUNT: Cell<u64> = const { Cell::new(0) };
}

// SAFETY: the system's allocator does the work.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        COUNT.set(COUNT.get() + 1);
        // SAFETY: what is asked of this allocator is asked of the system's.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, memory: *mut u8, layout: Layout) {
        // SAFETY: the same.
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

#[derive(Clone, Copy)]
struct Heap {
    class: Class,
    value: Field,
    next: Field,
    fixed: Field,
    items: Array,
    print: Callee,
    hash: Callee,
}

fn heap(words: &mut Words) -> Result<Heap, Refused> {
    Ok(Heap {
        class: words.class("Box")?,
        value: words.field("Box.value", Type::I64, Mutability::Mutable)?,
        next: words.field("Box.next", Type::Ref, Mutability::Mutable)?,
        fixed: words.field("Box.fixed", Type::I64, Mutability::Immutable)?,
        items: words.array("Items", Type::I64)?,
        print: words.callee("print", CallEffect::unknown())?,
        hash: words.callee("hash", CallEffect::pure())?,
    })
}

/// A loop with objects that nothing needs, that only exits need and that a call needs, with loads, stores, calls that
/// are made once, guards of all kinds and arithmetic that rules rewrite.
fn record(r: &mut Recorder, heap: Heap) -> Result<Trace, Refused> {
    let inputs: [_; 3] =
        r.begin("boxes", &[Type::I64, Type::Ref, Type::Ref]).try_into().expect("three values");
    let before = r.get(heap.value, inputs[1])?;
    let start = r.op(Op::Add, &[inputs[0], before])?;
    let [mut x, mut object, array]: [_; 3] =
        r.begin_loop(&[start, inputs[1], inputs[2]])?.try_into().expect("three values");
    let (zero, one, eight) = (r.int(0), r.int(1), r.int(8));
    for round in 0..20 {
        let class = r.class(heap.class);
        r.guard(Op::GuardNonnullClass, &[object, class], 10 * round, &[x, object])?;
        let fixed = r.get(heap.fixed, object)?;
        let product = r.op(Op::Mul, &[fixed, eight])?;
        let rest = r.op(Op::And, &[product, one])?;
        let sum = r.op(Op::Add, &[x, rest])?;
        let kept = r.new_object(heap.class)?;
        r.set(heap.value, kept, sum)?;
        r.set(heap.next, kept, object)?;
        let read = r.get(heap.value, kept)?;
        let (next, overflows) = r.overflowing(Op::AddOvf, &[read, one])?;
        r.guard(Op::GuardFalse, &[overflows], 10 * round + 1, &[kept, next])?;
        r.set(heap.next, object, kept)?;
        r.guard(Op::GuardTrue, &[next], 10 * round + 2, &[kept, object, x])?;
        r.set(heap.value, object, next)?;
        let again = r.get(heap.value, object)?;
        let item = r.get_item(heap.items, array, zero)?;
        let other = r.get_item(heap.items, array, item)?;
        r.set_item(heap.items, array, one, other)?;
        let length = r.array_len(heap.items, array)?;
        let less = r.op(Op::Lt, &[again, length])?;
        r.guard(Op::GuardTrue, &[less], 10 * round + 3, &[kept, again])?;
        let (first, second) =
            (r.call(heap.hash, &[again], Some(Type::I64))?, r.call(heap.hash, &[again], Some(Type::I64))?);
        let (Some(first), Some(second)) = (first, second) else { unreachable!("the calls have results") };
        let same = r.op(Op::Eq, &[first, second])?;
        r.guard(Op::GuardTrue, &[same], 10 * round + 4, &[kept])?;
        r.call(heap.print, &[kept, first], None)?;
        (x, object) = (again, kept);
    }
    r.close_loop(&[x, object, array])
}

fn walked(trace: &Trace) -> usize {
    let values = |step: Step<'_>| match step {
        Step::Operation(operation) => {
            operation.operands.len() + operation.leave.map_or(0, |leave| leave.live.len())
        }
        Step::Loop { state, .. } | Step::Jump(state) | Step::Finish(state) => state.len(),
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
            let trace = record(&mut recorder, heap).expect("operations that fit");
            assert!(walked(&trace) > 100);
            lengths.push(trace.len());
            recorder.recycle(trace);
        }));
    }
    assert!(counts[0] > 50, "the counter counts: {counts:?}");
    assert_eq!(counts[ROUNDS - 3..], [0; 3], "{counts:?}");
    assert!(lengths.iter().all(|&length| length == lengths[0] && length < 20 * 20), "{lengths:?}");
}

#[test]
fn optimizing_in_used_memory_allocates_nothing() {
    let mut recorder = Recorder::new(Words::new());
    let heap = heap(recorder.words_mut()).expect("new words");
    let mut optimizer = Optimizer::with_passes(Recorder::STREAMING).expect("these are passes");
    optimizer.verify(false);
    let mut counts = Vec::with_capacity(ROUNDS);
    for _ in 0..ROUNDS {
        let mut trace = record(&mut recorder, heap).expect("operations that fit");
        counts.push(allocations(|| {
            optimizer.optimize(&mut trace, recorder.words()).expect("the loop can run");
        }));
        recorder.recycle(trace);
    }
    assert!(counts[0] > 50, "the counter counts: {counts:?}");
    assert_eq!(counts[ROUNDS - 3..], [0; 3], "{counts:?}");
}
