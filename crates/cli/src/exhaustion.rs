//! The end of memory: a message and exit status 1, where Rust would abort.
//!
//! Stable Rust has no hook for an allocation that fails, so the command has an allocator of its own: that of the system,
//! and what is to be done when it gives nothing. But for a look at standard output before `main`, this is all the `unsafe` of the command.
#![allow(unsafe_code)]

use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicBool, Ordering};

use crate::outputs;

/// What is said, which must need no memory.
const MESSAGE: &[u8] = b"error: out of memory; nothing was written\n";

struct Allocator;

#[global_allocator]
static ALLOCATOR: Allocator = Allocator;

// SAFETY: each function is that of the system's allocator, with the same arguments; where that gives null, the process
// ends, so no caller sees it.
unsafe impl GlobalAlloc for Allocator {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the caller keeps the contract of the same function.
        given(unsafe { System.alloc(layout) })
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the caller keeps the contract of the same function.
        given(unsafe { System.alloc_zeroed(layout) })
    }

    unsafe fn dealloc(&self, memory: *mut u8, layout: Layout) {
        // SAFETY: the caller keeps the contract of the same function, and the system gave the memory.
        unsafe { System.dealloc(memory, layout) }
    }

    unsafe fn realloc(&self, memory: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        // SAFETY: the caller keeps the contract of the same function, and the system gave the memory.
        given(unsafe { System.realloc(memory, layout, size) })
    }
}

#[inline]
fn given(memory: *mut u8) -> *mut u8 {
    match memory.is_null() {
        false => memory,
        true => end(),
    }
}

/// Ends the process.
#[cold]
fn end() -> ! {
    static ENDING: AtomicBool = AtomicBool::new(false);
    // What follows needs next to no memory; what it needs may be missing, too.
    if !ENDING.swap(true, Ordering::SeqCst) {
        outputs::try_abandon();
        say();
    }
    std::process::exit(1)
}

/// Writes the message past the lock of standard error, which whoever ran out of memory may hold.
#[cfg(unix)]
fn say() {
    use std::io::Write;
    use std::os::fd::AsFd;

    let stream = std::io::stderr().as_fd().try_clone_to_owned();
    let _ = stream.map(|stream| std::fs::File::from(stream).write_all(MESSAGE));
}

#[cfg(not(unix))]
fn say() {
    use std::io::Write;

    let _ = std::io::stderr().write_all(MESSAGE);
}
