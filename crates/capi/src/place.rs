//! Memory for results, as tests have it.

use std::mem::MaybeUninit;

use crate::border::{Out, Status};

/// The memory for a result: as in C, something is in there already.
pub struct Place<T>(pub MaybeUninit<T>);

impl<T> Place<T> {
    pub fn of(value: T) -> Self {
        Place(MaybeUninit::new(value))
    }

    /// The place, or null.
    pub fn out(&mut self, null: bool) -> Out<'_, T> {
        (!null).then_some(&mut self.0)
    }

    pub fn read(self) -> T {
        // SAFETY: it was made with a value, and what is written to a place is one.
        unsafe { self.0.assume_init() }
    }
}

/// What a function gives through a pointer.
pub fn given<T: Default>(act: impl FnOnce(Out<'_, T>) -> Status) -> Result<T, Status> {
    let mut place = Place::of(T::default());
    match act(place.out(false)) {
        Status::Ok => Ok(place.read()),
        status => Err(status),
    }
}
