//! `planish-trace` for C: the functions that `include/planish_trace.h` declares.
//!
//! A handle is a pointer to something that this library owns; words, values and operations are numbers. Every
//! function answers with a `Status`; nothing of Rust crosses the border, panics included: a recorder in which one
//! happened does nothing more.
//!
//! Types do most of the work of the border. `Option<&mut T>` and `Option<Box<T>>` have the form of a pointer that
//! may be null, so only the extent of arrays and the end of strings have to be believed: the three `unsafe` blocks
//! of `border`. The header is held to these functions by a test.

#![allow(unsafe_code, reason = "names that a C linker finds, arrays and strings of C")]

mod border;
mod record;
#[cfg(test)]
mod tests;
mod walk;
mod words;

use planish_base::Id;
use planish_trace::{Array, Callee, Class, Entry, Field, Recorder, Refused, Trace, Value};

use border::Failed;

/// A word of the vocabulary; its number is that of its descriptor.
#[derive(Clone, Copy)]
enum Word {
    Class(Class),
    Field(Field),
    Array(Array),
    Callee(Callee),
    Entry(Entry),
}

/// A recorder, its vocabulary by number, and what it said last.
pub struct PlanishRecorder {
    recorder: Recorder,
    /// By the number of the descriptor.
    words: Vec<Option<Word>>,
    /// The words whose addresses are constants, by the number of the symbol.
    symbols: Vec<u32>,
    operands: Vec<Value>,
    live: Vec<Value>,
    message: std::ffi::CString,
    broken: bool,
}

/// A trace, and what the last step showed of it.
pub struct PlanishTrace {
    trace: Trace,
    lists: walk::Lists,
}

impl PlanishRecorder {
    fn word(&self, number: u32) -> Result<Word, Failed> {
        self.words.get(number as usize).copied().flatten().ok_or(Failed::Word(number))
    }

    /// The value of a number, in the trace at hand.
    fn value(&self, number: u32) -> Result<Value, Failed> {
        self.begun()?;
        self.recorder.value(number as usize).ok_or(Failed::Value(number))
    }

    /// Puts the values of some numbers into memory that is used again.
    fn values(&self, numbers: &[u32], into: &mut Vec<Value>) -> Result<(), Failed> {
        into.clear();
        numbers.iter().try_for_each(|&number| {
            into.push(self.value(number)?);
            Ok(())
        })
    }

    /// Refuses what needs a trace where there is none.
    fn begun(&self) -> Result<(), Failed> {
        if self.recorder.is_recording() { Ok(()) } else { Err(Refused::NotBegun.into()) }
    }

    /// Keeps the reason for which something was not done.
    fn say(&mut self, reason: &dyn std::fmt::Display) {
        let text = reason.to_string().replace('\0', " ");
        self.message = std::ffi::CString::new(text).unwrap_or_default();
    }
}

/// The number of a value.
fn number(value: Value) -> u32 {
    value.index() as u32
}
