//! Bridges begin with what their parents know.

use planish_trace::{Op, Step};

use super::{message, op, recorder};
use crate::border::Status;
use crate::place::given;
use crate::trace::record::*;
use crate::trace::recorder::PlanishRecorder;
use crate::trace::walk::PlanishTrace;
use crate::trace::words::*;

const I64: u32 = 4;

fn record(r: &mut PlanishRecorder, name: &std::ffi::CStr, operands: [u32; 2]) -> u32 {
    given(|out| planish_record(Some(r), op(name), operands.as_ptr(), 2, out)).expect("an operation")
}

fn guard(r: &mut PlanishRecorder, name: &std::ffi::CStr, on: u32, exit: u32, live: &[u32]) {
    let (guard, count) = (op(name), live.len());
    let status = planish_record_guard(Some(r), guard, &raw const on, 1, exit, live.as_ptr(), count);
    assert_eq!(status, Status::Ok);
}

fn finish(r: &mut PlanishRecorder, result: u32) -> Box<PlanishTrace> {
    given(|out| planish_finish(Some(r), &raw const result, 1, out)).expect("a trace").expect("not null")
}

/// x is less than y, or a box with x in it is left.
fn parent(r: &mut PlanishRecorder, class: u32, value: u32) -> Box<PlanishTrace> {
    let mut inputs = [0; 2];
    let begun = planish_begin(Some(r), c"parent".as_ptr(), [I64; 2].as_ptr(), 2, inputs.as_mut_ptr());
    assert_eq!(begun, Status::Ok);
    let boxed = given(|out| planish_new_object(Some(r), class, out)).expect("an object");
    assert_eq!(planish_set_field(Some(r), value, boxed, inputs[0]), Status::Ok);
    let less = record(r, c"lt", inputs);
    guard(r, c"guard_true", less, 5, &[boxed, inputs[1]]);
    finish(r, inputs[0])
}

/// Asks again, and adds.
fn rest(r: &mut PlanishRecorder, value: u32, [boxed, y]: [u32; 2]) -> Box<PlanishTrace> {
    let x = given(|out| planish_get_field(Some(r), value, boxed, out)).expect("a field");
    let less = record(r, c"lt", [x, y]);
    guard(r, c"guard_false", less, 0, &[y]);
    let sum = record(r, c"add", [x, y]);
    finish(r, sum)
}

fn ops(trace: &PlanishTrace) -> Vec<Op> {
    let op = |step| match step {
        Step::Operation(operation) => Some(operation.op),
        _ => None,
    };
    trace.trace.steps().filter_map(op).collect()
}

#[test]
fn a_bridge_knows_what_its_parent_found_out_and_makes_what_the_guard_would() {
    let mut recorder = recorder();
    let r = &mut *recorder;
    let class = given(|out| planish_class(Some(r), c"Box".as_ptr(), out)).expect("a class");
    let value = given(|out| planish_field(Some(r), c"Box.value".as_ptr(), I64, false, out)).expect("a field");
    let parent = parent(r, class, value);
    let mut state = [0; 2];
    let begin = |r: &mut PlanishRecorder, exit, count, state: &mut [u32; 2]| {
        planish_begin_bridge(Some(r), c"bridge".as_ptr(), Some(&parent), exit, count, state.as_mut_ptr())
    };
    assert_eq!(begin(r, 6, 2, &mut state), Status::Refused);
    assert_eq!(message(r), "no guard of the trace leaves through the exit 6");
    assert_eq!(begin(r, 5, 1, &mut state), Status::Refused);
    assert_eq!(message(r), "room for 1 values where the exit 5 has 2");
    assert_eq!(begin(r, 5, 2, &mut state), Status::Ok);
    let bridge = rest(r, value, state);
    assert_eq!(ops(&bridge), [Op::GetField, Op::Add]);

    let mut kept = [0; 2];
    let (name, into) = (c"bridge".as_ptr(), state.as_mut_ptr());
    let begun = planish_begin_bridge_unmade(Some(r), name, Some(&parent), 5, 2, into, 2, kept.as_mut_ptr());
    assert_eq!(begun, Status::Ok);
    let bridge = rest(r, value, state);
    assert_eq!(ops(&bridge), [Op::Add]);
    assert_eq!(bridge.trace.inputs().len(), 2);
}
