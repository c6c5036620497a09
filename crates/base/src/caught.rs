//! Panics that end a unit of work and not the run.
//!
//! A panic is a mistake of ours. Where work falls into units of which one may stay as it was (a class, a function, a trace),
//! the others need not suffer: the unit is copied, and whoever runs the command is told what to report.

use std::any::Any;
use std::cell::{Cell, RefCell};
use std::fmt;
use std::panic::{self, AssertUnwindSafe, PanicHookInfo};
use std::sync::Once;
use std::sync::atomic::{AtomicBool, Ordering};

thread_local! {
    /// Whether a panic on this thread is caught by one of us.
    static IS_CAUGHT: Cell<bool> = const { Cell::new(false) };
    /// What the last one was, and where.
    static LAST: RefCell<Option<String>> = const { RefCell::new(None) };
}

/// A panic that was caught: its message and where it arose.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Panicked(String);

impl Panicked {
    /// What is said of it: in which unit it arose, and that the unit stays as it was.
    pub fn report(&self, unit: &str) -> String {
        let place = concat!(env!("CARGO_PKG_REPOSITORY"), "/issues");
        format!(
            "{unit}: a mistake of planish ({self}), so it is copied; please report it at {place} and attach it"
        )
    }
}

impl fmt::Display for Panicked {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// Does work that may panic. What it was changing is in no known state afterwards, and has to be thrown away.
pub fn catch<T>(work: impl FnOnce() -> T) -> Result<T, Panicked> {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        let usual = panic::take_hook();
        panic::set_hook(Box::new(move |info| if is_caught() { remember(info) } else { usual(info) }));
    });
    let result = catching(true, || panic::catch_unwind(AssertUnwindSafe(work)));
    result.map_err(|payload| Panicked(LAST.take().unwrap_or_else(|| message(&*payload).to_owned())))
}

/// Whether units of work are guarded. Tests, fuzzers and whoever looks for the smallest program that makes us panic want to see
/// panics; only whoever runs the optimizer on a program does not.
static GUARDS: AtomicBool = AtomicBool::new(false);

/// Says whether [`guard`] catches panics, from here on, on all threads.
pub fn set_guards(guards: bool) {
    GUARDS.store(guards, Ordering::Relaxed);
}

/// Whether [`guard`] catches panics.
pub fn guards() -> bool {
    GUARDS.load(Ordering::Relaxed)
}

/// Does the work of a unit. Its panic ends the unit only, if units are guarded.
pub fn guard<T>(work: impl FnOnce() -> T) -> Result<T, Panicked> {
    if guards() { catch(work) } else { Ok(work()) }
}

/// Whether somebody on this thread catches panics.
pub fn is_caught() -> bool {
    IS_CAUGHT.get()
}

/// Does work on a thread whose panics go on in one that catches them, if it does.
pub(crate) fn catching<T>(is_caught: bool, work: impl FnOnce() -> T) -> T {
    let before = IS_CAUGHT.replace(is_caught);
    let result = work();
    IS_CAUGHT.set(before);
    result
}

fn remember(info: &PanicHookInfo<'_>) {
    let message = message(info.payload());
    let place = info.location().map(|place| format!(" at {}:{}", place.file(), place.line()));
    LAST.set(Some(message.to_owned() + &place.unwrap_or_default()));
}

fn message(payload: &(dyn Any + Send)) -> &str {
    match (payload.downcast_ref::<&str>(), payload.downcast_ref::<String>()) {
        (Some(text), _) => text,
        (_, Some(text)) => text,
        _ => "a panic",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::share::share_out;

    #[test]
    fn a_panic_is_an_error_that_says_where() {
        let list = [1, 2];
        let at = std::hint::black_box(7);
        let panicked = catch(|| list[at]).expect_err("there are two");
        let said = panicked.to_string();
        assert!(said.contains("index is 7") && said.contains("caught.rs:"), "{said}");
        assert!(!is_caught());
        assert_eq!(catch(|| 3), Ok(3));
        let nested = catch(|| {
            let _ = catch(|| panic!("inner"));
            panic!("outer {}", 1)
        });
        assert!(nested.expect_err("it panics").to_string().starts_with("outer 1"));
    }

    #[test]
    fn panics_of_other_threads_are_those_of_who_waits() {
        let items: Vec<u32> = (0..100).collect();
        for threads in [1, 4] {
            let work = |(): &mut (), item: &u32| assert_ne!(*item, 50, "no fifty");
            let panicked = catch(|| share_out(threads, &items, || (), work, drop)).expect_err("it panics");
            assert!(panicked.to_string().contains("no fifty"), "{panicked}");
        }
    }
}
