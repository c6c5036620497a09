//! Bridges begin with what their parents know.

use planish_trace::{
    Class, Field, Mutability, Op, Optimizer, Recorder, Refused, Step, Trace, Type, Value, Words,
};

#[derive(Clone, Copy)]
struct Heap {
    class: Class,
    value: Field,
    count: Field,
}

fn heap(words: &mut Words) -> Heap {
    let field =
        |words: &mut Words, name| words.field(name, Type::I64, Mutability::Mutable).expect("a new word");
    Heap {
        class: words.class("Box").expect("a new word"),
        value: field(words, "Box.value"),
        count: field(words, "Box.count"),
    }
}

/// The recorders that there are, and whether each wants an optimizer behind it.
fn recorders() -> [(Recorder, bool); 2] {
    let streaming = Recorder::optimizing(Words::new(), Recorder::STREAMING).expect("these are passes");
    [(Recorder::new(Words::new()), true), (streaming, false)]
}

/// All passes for traces, and the unrolling of loops.
fn unrolling() -> Optimizer {
    Optimizer::with_passes(&format!("{}:peel", Recorder::STREAMING)).expect("these are passes")
}

fn optimized(mut trace: Trace, r: &Recorder, optimize: bool) -> Trace {
    if optimize {
        unrolling().optimize(&mut trace, r.words()).expect("the trace can be run to its end");
    }
    assert_eq!(trace.violations(), Vec::<String>::new(), "{}", trace.text(r.words()));
    trace
}

/// Reads the value of a box, which is a byte, and makes another box that only the guard needs, which leaves unless x is less.
fn parent(r: &mut Recorder, heap: Heap) -> Result<Trace, Refused> {
    let &[object, x] = r.begin("parent", &[Type::Ref, Type::I64])? else { unreachable!("two values") };
    let (class, mask) = (r.class(heap.class), r.int(255));
    r.guard(Op::GuardNonnullClass, &[object, class], 0, &[object])?;
    let read = r.get(heap.value, object)?;
    let byte = r.op(Op::And, &[read, mask])?;
    let kept = r.new_object(heap.class)?;
    r.set(heap.value, kept, byte)?;
    r.set(heap.count, kept, x)?;
    let less = r.op(Op::Lt, &[x, byte])?;
    r.guard(Op::GuardTrue, &[less], 1, &[object, byte, kept])?;
    r.finish(&[byte])
}

/// Asks for all that the parent knows, and for the value of the box that it has not made.
fn bridge(r: &mut Recorder, heap: Heap, state: &[Value]) -> Result<Trace, Refused> {
    let &[object, byte, kept] = state else { unreachable!("three values") };
    let (class, mask, limit) = (r.class(heap.class), r.int(255), r.int(256));
    r.guard(Op::GuardNonnullClass, &[object, class], 0, &[object])?;
    r.guard(Op::GuardNonnullClass, &[kept, class], 1, &[object])?;
    let read = r.get(heap.value, object)?;
    let again = r.op(Op::And, &[read, mask])?;
    let small = r.op(Op::Lt, &[again, limit])?;
    r.guard(Op::GuardTrue, &[small], 2, &[object])?;
    let x = r.get(heap.count, kept)?;
    let less = r.op(Op::Lt, &[x, byte])?;
    r.guard(Op::GuardFalse, &[less], 3, &[object])?;
    let held = r.get(heap.value, kept)?;
    let sum = r.op(Op::Add, &[held, again])?;
    r.finish(&[sum])
}

fn ops(trace: &Trace) -> Vec<Op> {
    let op = |step| match step {
        Step::Operation(operation) => Some(operation.op),
        _ => None,
    };
    trace.steps().filter_map(op).collect()
}

/// Nothing that the parent found out is asked again.
#[test]
fn a_bridge_knows_what_its_parent_found_out() {
    for (mut r, optimize) in recorders() {
        let heap = heap(r.words_mut());
        let trace = parent(&mut r, heap).expect("operations that fit");
        let trace = optimized(trace, &r, optimize);
        let state = r.begin_bridge("bridge", &trace, 1).expect("the guard is there").to_vec();
        assert_eq!(state.len(), 3);
        let known = bridge(&mut r, heap, &state).expect("operations that fit");
        let known = optimized(known, &r, optimize);
        assert_eq!(ops(&known), [Op::Lshift], "{}", known.text(r.words()));

        let state = r.begin("alone", &[Type::Ref, Type::I64, Type::Ref]).expect("types of values").to_vec();
        let alone = bridge(&mut r, heap, &state).expect("operations that fit");
        let alone = optimized(alone, &r, optimize);
        assert!(ops(&alone).len() > 7, "{}", alone.text(r.words()));
    }
}

/// An object that only the guard needs is not made for the bridge either.
#[test]
fn an_object_that_only_the_guard_needs_stays_unmade_in_the_bridge() {
    for (mut r, optimize) in recorders() {
        let heap = heap(r.words_mut());
        let trace = parent(&mut r, heap).expect("operations that fit");
        let trace = optimized(trace, &r, optimize);
        let kept = trace.steps().find_map(|step| match step {
            Step::Operation(operation) => operation.leave.filter(|leave| leave.number == 1),
            _ => None,
        });
        let kept: Vec<Type> = kept.expect("the guard").live.iter().map(|&value| trace.ty(value)).collect();
        let state = r.begin_bridge_unmade("bridge", &trace, 1).expect("the guard is there").to_vec();
        assert_eq!(state.len(), 3);
        let known = bridge(&mut r, heap, &state).expect("operations that fit");
        let known = optimized(known, &r, optimize);
        let inputs: Vec<Type> = known.inputs().iter().map(|&value| known.ty(value)).collect();
        assert_eq!(inputs, kept);
        assert_eq!(ops(&known), [Op::Lshift], "{}", known.text(r.words()));
    }
}

#[test]
fn an_exit_that_no_guard_has_is_refused() {
    let (mut r, _) = recorders().into_iter().next_back().expect("two recorders");
    let heap = heap(r.words_mut());
    let trace = parent(&mut r, heap).expect("operations that fit");
    assert_eq!(r.begin_bridge("bridge", &trace, 7).err(), Some(Refused::NoExit(7)));
    assert_eq!(r.begin_bridge_unmade("bridge", &trace, 7).err(), Some(Refused::NoExit(7)));
    assert!(!r.is_recording());
}

/// In a loop that was peeled a guard stands twice: the bridge knows what holds in both places.
#[test]
fn a_bridge_of_a_peeled_loop_knows_what_holds_in_both_places() {
    let mut r = Recorder::new(Words::new());
    let heap = heap(r.words_mut());
    let inputs = r.begin("loop", &[Type::Ref, Type::I64]).expect("types of values").to_vec();
    let &[object, x] = r.begin_loop(&inputs).expect("a head") else { unreachable!("two values") };
    let (class, one) = (r.class(heap.class), r.int(1));
    let mut record = || {
        r.guard(Op::GuardNonnullClass, &[object, class], 0, &[object])?;
        let limit = r.get(heap.value, object)?;
        let less = r.op(Op::Lt, &[x, limit])?;
        r.guard(Op::GuardTrue, &[less], 1, &[object, x])?;
        let next = r.op(Op::Add, &[x, one])?;
        r.close_loop(&[object, next])
    };
    let trace = record().expect("operations that fit");
    let trace = optimized(trace, &r, true);
    assert_eq!(ops(&trace).iter().filter(|&&op| op == Op::GuardTrue).count(), 2, "{}", trace.text(r.words()));
    let state = r.begin_bridge("bridge", &trace, 1).expect("the guard is there").to_vec();
    let &[object, x] = &state[..] else { unreachable!("two values") };
    let class = r.class(heap.class);
    let mut record = || {
        r.guard(Op::GuardNonnullClass, &[object, class], 0, &[object])?;
        let limit = r.get(heap.value, object)?;
        let less = r.op(Op::Lt, &[x, limit])?;
        r.guard(Op::GuardFalse, &[less], 1, &[object])?;
        r.finish(&[x])
    };
    let bridge = record().expect("operations that fit");
    let bridge = optimized(bridge, &r, true);
    assert_eq!(ops(&bridge), [], "{}", bridge.text(r.words()));
}
