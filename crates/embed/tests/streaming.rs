//! Optimizing while recording.

mod boxes;

use boxes::{Heap, heap};
use planish_opt::PipelineError;
use planish_trace::{Op, Optimizer, Recorder, Refused, Step, Trace, Type, Value, Words};

/// One round of the loop over boxes.
fn record(r: &mut Recorder, heap: Heap) -> Result<Trace, Refused> {
    boxes::record(r, heap, 1)
}

fn streaming() -> (Recorder, Heap) {
    let mut words = Words::new();
    let heap = heap(&mut words).expect("new words");
    (Recorder::optimizing(words, Recorder::STREAMING).expect("these are passes"), heap)
}

fn operations(trace: &Trace) -> Vec<Op> {
    let operation = |step| match step {
        Step::Operation(operation) => Some(operation.op),
        _ => None,
    };
    trace.steps().filter_map(operation).collect()
}

/// S3.38
#[test]
fn at_once_is_as_good_as_afterwards() {
    let (mut at_once, heap) = streaming();
    let streamed = record(&mut at_once, heap).expect("operations that fit");
    let mut plain = Recorder::new(at_once.words().clone());
    let mut trace = record(&mut plain, heap).expect("operations that fit");
    let recorded = operations(&trace).len();
    Optimizer::new().optimize(&mut trace, plain.words()).expect("the loop can run");
    assert_eq!(operations(&streamed), operations(&trace));
    assert!(operations(&streamed).len() + 4 < recorded, "{}", streamed.text(at_once.words()));
}

#[test]
fn what_was_not_looked_at_is_taken_down_as_it_is() {
    let (mut recorder, heap) = streaming();
    let mut lengths = Vec::new();
    for work in 0..=40 {
        recorder.limit_work(Some(work));
        let trace = record(&mut recorder, heap).expect("operations that fit");
        assert_eq!(trace.violations(), Vec::<String>::new(), "{}", trace.text(recorder.words()));
        lengths.push(trace.len());
    }
    // Whether each of these does what was recorded is held over random traces, in `opt`.
    assert!(lengths[0] > lengths[40], "{lengths:?}");
    let mut plain = Recorder::new(recorder.words().clone());
    assert_eq!(lengths[0], record(&mut plain, heap).expect("operations that fit").len());
}

#[test]
fn the_trace_so_far_is_there_at_any_time() {
    let (mut r, heap) = streaming();
    let x = r.begin("line", &[Type::I64]).expect("types of values")[0];
    let one = r.int(1);
    let y = r.op(Op::Add, &[x, one]).expect("it fits");
    let z = r.op(Op::Sub, &[y, one]).expect("it fits");
    assert_eq!(r.len(), 1, "x + 1 may still be needed, (x + 1) - 1 is x");
    let object = r.new_object(heap.class).expect("it fits");
    r.set(heap.value, object, z).expect("it fits");
    assert_eq!(r.len(), 1, "nothing needs the object so far");
    let trace = r.finish(&[z]).expect("a trace");
    assert!(trace.is_empty(), "{}", trace.text(r.words()));
}

/// What is recorded before the loop is known to be needed only later.
#[test]
fn what_the_loop_needs_is_made_before_it() {
    let (mut r, heap) = streaming();
    let x = r.begin("before", &[Type::I64]).expect("types of values")[0];
    let used = r.new_object(heap.class).expect("it fits");
    r.set(heap.value, used, x).expect("it fits");
    let unused = r.new_object(heap.class).expect("it fits");
    r.set(heap.value, unused, x).expect("it fits");
    let state = r.begin_loop(&[x]).expect("a first loop").to_vec();
    let next = r.get(heap.value, used).expect("it fits");
    r.call(heap.print, &[used], None).expect("it fits");
    let trace = r.close_loop(&[next]).expect("a loop");
    assert_eq!(trace.violations(), Vec::<String>::new());
    let made = operations(&trace).into_iter().filter(|&op| op == Op::New).count();
    assert_eq!((made, state.len()), (1, 1), "{}", trace.text(r.words()));
}

#[test]
fn a_loop_that_cannot_run_is_refused_and_the_next_one_is_not() {
    let (mut r, heap) = streaming();
    let x = r.begin("never", &[Type::I64]).expect("types of values")[0];
    let state = r.begin_loop(&[x]).expect("a first loop").to_vec();
    let one = r.int(1);
    let next = r.op(Op::Add, &[state[0], one]).expect("it fits");
    let equal = r.op(Op::Eq, &[next, state[0]]).expect("it fits");
    r.guard(Op::GuardTrue, &[equal], 0, &[]).expect("it fits");
    let Err(Refused::Invalid(invalid)) = r.close_loop(&[next]) else { panic!("x + 1 is never x") };
    assert_eq!((invalid.operation, invalid.name), (3, "guard_true"));
    assert!(record(&mut r, heap).is_ok());
}

#[test]
fn wrong_use_is_refused_and_leaves_the_trace_as_it_was() {
    let refusals = |r: &mut Recorder, heap: Heap| -> Vec<String> {
        let mut refused = Vec::new();
        let mut note = |result: Result<(), Refused>| refused.push(result.expect_err("wrong").to_string());
        let far = {
            let long = r.begin("long", &[Type::I64; 40]).expect("types of values");
            long[39]
        };
        note(r.close_loop(&[]).map(drop));
        let x = r.begin("wrong", &[Type::I64, Type::Ref]).expect("types of values").to_vec();
        note(r.op(Op::Add, &[x[0]]).map(drop));
        note(r.op(Op::Add, &[x[0], x[1]]).map(drop));
        note(r.op(Op::Add, &[x[0], far]).map(drop));
        note(r.op(Op::GuardTrue, &[x[0]]).map(drop));
        note(r.op(Op::AddOvf, &[x[0], x[0]]).map(drop));
        note(r.guard(Op::Add, &[x[0]], 0, &[]));
        note(r.guard(Op::GuardTrue, &[x[0]], 0, &[far]));
        note(r.set(heap.value, x[1], x[1]));
        note(r.get(heap.value, x[0]).map(drop));
        r.begin_loop(&x).expect("a first loop");
        note(r.begin_loop(&x).map(drop));
        note(r.close_loop(&x[..1]).map(drop));
        note(r.close_loop(&[x[1], x[0]]).map(drop));
        r.close_loop(&x).expect("nothing but the loop");
        note(r.op(Op::Add, &[x[0], x[0]]).map(drop));
        note(r.finish(&[]).map(drop));
        refused
    };
    let (mut at_once, heap) = streaming();
    let refused = refusals(&mut at_once, heap);
    assert_eq!(refused, refusals(&mut Recorder::new(at_once.words().clone()), heap));
    let expected = [
        "the trace has no loop that could be closed",
        "`add` on 1 operands, but it is",
        "operand 1 of `add` is of type ref, but it is",
        "value 1 is none of this trace",
        "`guard_true` is not recorded by this function",
        "`add_ovf` is not recorded by this function",
        "`add` is not recorded by this function",
        "value 0 is none of this trace",
        "operand 1 of `set_field` is of type ref",
        "operand 0 of `get_field` is of type i64",
        "the trace has a loop already",
        "1 values at the end of a loop that has 2",
        "the values at the end of the loop have other types than at its head",
        "no trace was begun",
        "no trace was begun",
    ];
    assert_eq!(refused.len(), expected.len());
    for (refused, expected) in refused.iter().zip(expected) {
        assert!(refused.starts_with(expected), "{refused}, and not {expected}");
    }
    let twice = at_once.words_mut().class("Items");
    assert_eq!(twice, Err(Refused::Taken("Items".to_owned())));
    let whole = Recorder::optimizing(Words::new(), "intbounds:peel").map(drop);
    assert_eq!(whole, Err(Refused::NeedsWholeTrace("intbounds:peel".to_owned())));
    assert_eq!(
        Recorder::optimizing(Words::new(), "peal").map(drop),
        Err(Refused::Pass(PipelineError::Unknown("peal".to_owned())))
    );
}

/// A JIT may compile in the background.
#[test]
fn everything_can_be_sent_to_another_thread() {
    fn is_send<T: Send>() {}
    is_send::<Recorder>();
    is_send::<Optimizer>();
    is_send::<Trace>();
    is_send::<Words>();
    is_send::<Value>();
    is_send::<Refused>();
}
