//! The border: what comes from C and what goes there.

use std::ffi::{CStr, c_char};
use std::mem::MaybeUninit;
use std::panic::{AssertUnwindSafe, catch_unwind};

use planish_trace::Refused;

use crate::PlanishRecorder;

/// How a function ended.
#[repr(u32)]
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Status {
    /// Well.
    Ok = 0,
    /// What was asked for does not fit; the trace is as it was. `planish_recorder_error` says why.
    Refused = 1,
    /// The trace can never run to its end, and is over.
    InvalidLoop = 2,
    /// A pointer is null that must not be.
    Null = 3,
    /// A string is not UTF-8.
    Text = 4,
    /// No such word was described.
    NoSuchWord = 5,
    /// The trace at hand has no such value.
    NoSuchValue = 6,
    /// There is no such operation, type or kind.
    NoSuchName = 7,
    /// The trace ends here.
    End = 8,
    /// A mistake of the library. The recorder does nothing more.
    Broken = 9,
}

/// Where a result goes: memory of the caller that nothing is in yet.
pub type Out<'a, T> = Option<&'a mut MaybeUninit<T>>;

/// Gives a result.
pub fn put<T>(out: Out<'_, T>, value: T) -> Result<(), Status> {
    out.ok_or(Status::Null)?.write(value);
    Ok(())
}

/// An array of the caller's.
pub fn array<'a, T>(items: *const T, count: usize) -> Result<&'a [T], Status> {
    match (count, items.is_null()) {
        (0, _) => Ok(&[]),
        (_, true) => Err(Status::Null),
        // SAFETY: the header asks for `count` items that nobody changes during the call, and what is made of them does
        // not outlive it: no function keeps what it is given.
        (_, false) => Ok(unsafe { std::slice::from_raw_parts(items, count) }),
    }
}

/// Writes numbers into an array of the caller's.
pub fn fill(items: *mut u32, numbers: impl ExactSizeIterator<Item = u32>) -> Result<(), Status> {
    if numbers.len() > 0 && items.is_null() {
        return Err(Status::Null);
    }
    for (position, number) in numbers.enumerate() {
        // SAFETY: the header asks for room for as many numbers as were passed to the function.
        unsafe { items.add(position).write(number) };
    }
    Ok(())
}

/// A string of the caller's.
pub fn text<'a>(text: *const c_char) -> Result<&'a str, Status> {
    if text.is_null() {
        return Err(Status::Null);
    }
    // SAFETY: the header asks for a string that ends with zero and that nobody changes during the call.
    unsafe { CStr::from_ptr(text) }.to_str().map_err(|_| Status::Text)
}

/// Why a function of the library did not do what it was asked for.
pub enum Failed {
    /// The border says so.
    Status(Status),
    /// The recorder says so.
    Refused(Refused),
}

impl From<Status> for Failed {
    fn from(status: Status) -> Self {
        Failed::Status(status)
    }
}

impl From<Refused> for Failed {
    fn from(refused: Refused) -> Self {
        Failed::Refused(refused)
    }
}

/// Does something with a recorder; a panic ends here.
pub fn with(
    recorder: Option<&mut PlanishRecorder>,
    act: impl FnOnce(&mut PlanishRecorder) -> Result<(), Failed>,
) -> Status {
    let Some(recorder) = recorder else { return Status::Null };
    if recorder.broken {
        return Status::Broken;
    }
    match catch_unwind(AssertUnwindSafe(|| act(recorder))) {
        Ok(Ok(())) => Status::Ok,
        Ok(Err(Failed::Status(status))) => status,
        Ok(Err(Failed::Refused(refused))) => recorder.refuse(&refused),
        Err(_) => {
            recorder.broken = true;
            Status::Broken
        }
    }
}

/// Does something without a recorder; a panic ends here.
pub fn alone(act: impl FnOnce() -> Result<(), Status>) -> Status {
    match catch_unwind(AssertUnwindSafe(act)) {
        Ok(Ok(())) => Status::Ok,
        Ok(Err(status)) => status,
        Err(_) => Status::Broken,
    }
}
