//! Fault injection (mutation testing of the compiler): deliberate mistakes that tests have to find.
//!
//! A validator or fuzzer that never fails may be blind. So the code has *faults*: places where, asked by
//! name, it does the wrong thing. They exist only with the feature `faults`; without it
//! [`fault!`](crate::fault) is the constant `false` and costs nothing. At most one fault is on, in the
//! thread that asked for it, so tests of different faults can run side by side.
//!
//! ```
//! fn double(x: u32) -> u32 {
//!     if planish_base::fault!("example doubles wrongly") { x * 3 } else { x * 2 }
//! }
//! assert_eq!(double(4), 8);
//! # #[cfg(feature = "faults")]
//! assert_eq!(planish_base::faults::with("example doubles wrongly", || double(4)), 12);
//! ```

/// Whether the fault of a name is on. Always `false` without the feature `faults`.
#[macro_export]
macro_rules! fault {
    ($name:literal) => {
        $crate::faults::is_on($name)
    };
}

#[cfg(feature = "faults")]
thread_local! {
    static ON: std::cell::Cell<Option<&'static str>> = const { std::cell::Cell::new(None) };
}

/// Whether the fault of a name is on in this thread.
#[inline(always)]
#[cfg(not(feature = "faults"))]
pub const fn is_on(_name: &str) -> bool {
    false
}

/// Whether the fault of a name is on in this thread.
#[cfg(feature = "faults")]
pub fn is_on(name: &str) -> bool {
    ON.get() == Some(name)
}

/// Runs something while the fault of a name is on in this thread; also switched off by a panic.
#[cfg(feature = "faults")]
pub fn with<T>(name: &'static str, run: impl FnOnce() -> T) -> T {
    struct Restore(Option<&'static str>);
    impl Drop for Restore {
        fn drop(&mut self) {
            ON.set(self.0);
        }
    }
    let _restore = Restore(ON.replace(Some(name)));
    run()
}
