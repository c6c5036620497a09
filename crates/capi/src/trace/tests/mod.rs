//! The functions of the header, called as C calls them.

mod bridges;
mod entered;
mod random;
mod refused;

use std::ptr::null;

use super::recorder::PlanishRecorder;
use super::walk::PlanishTrace;
use super::words::{planish_recorder_error, planish_recorder_new};
use crate::names::planish_op;
use crate::place::given;

fn recorder() -> Box<PlanishRecorder> {
    given(|out| planish_recorder_new(null(), out)).expect("a recorder").expect("not null")
}

fn op(name: &std::ffi::CStr) -> u32 {
    given(|out| planish_op(name.as_ptr(), out)).expect("an operation")
}

/// What the recorder says of the last refusal.
fn message(recorder: &PlanishRecorder) -> String {
    assert_eq!(planish_recorder_error(Some(recorder)), recorder.said.message.as_ptr());
    recorder.said.message.to_string_lossy().into_owned()
}

/// The trace as text, which the verifier has nothing against.
fn text(recorder: &PlanishRecorder, trace: &PlanishTrace) -> String {
    let text = trace.trace.text(recorder.recorder.words());
    assert_eq!(trace.trace.violations(), Vec::<String>::new(), "{text}");
    text
}
