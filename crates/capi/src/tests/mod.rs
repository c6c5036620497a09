//! The functions of the header, called as C calls them.

mod entered;
mod random;
mod refused;

use std::mem::MaybeUninit;
use std::ptr::null;

use crate::border::{Out, Status};
use crate::recorder::PlanishRecorder;
use crate::walk::PlanishTrace;
use crate::words::{planish_op, planish_recorder_error, planish_recorder_new};

/// The memory for a result: as in C, something is in there already.
struct Place<T>(MaybeUninit<T>);

impl<T> Place<T> {
    fn of(value: T) -> Self {
        Place(MaybeUninit::new(value))
    }

    /// The place, or null.
    fn out(&mut self, null: bool) -> Out<'_, T> {
        (!null).then_some(&mut self.0)
    }

    fn read(self) -> T {
        // SAFETY: it was made with a value, and what is written to a place is one.
        unsafe { self.0.assume_init() }
    }
}

/// What a function gives through a pointer.
fn given<T: Default>(act: impl FnOnce(Out<'_, T>) -> Status) -> Result<T, Status> {
    let mut place = Place::of(T::default());
    match act(place.out(false)) {
        Status::Ok => Ok(place.read()),
        status => Err(status),
    }
}

fn recorder() -> Box<PlanishRecorder> {
    given(|out| planish_recorder_new(null(), out)).expect("a recorder").expect("not null")
}

fn op(name: &std::ffi::CStr) -> u32 {
    given(|out| planish_op(name.as_ptr(), out)).expect("an operation")
}

/// What the recorder says of the last refusal.
fn message(recorder: &PlanishRecorder) -> String {
    assert_eq!(planish_recorder_error(Some(recorder)), recorder.message.as_ptr());
    recorder.message.to_string_lossy().into_owned()
}

/// The trace as text, which the verifier has nothing against.
fn text(recorder: &PlanishRecorder, trace: &PlanishTrace) -> String {
    let text = trace.trace.text(recorder.recorder.words());
    assert_eq!(trace.trace.violations(), Vec::<String>::new(), "{text}");
    text
}
