//! A recorder as C has it: values and words by number, and what was said last.

use planish_trace::{Array, Callee, Class, Entry, Field, Recorder, Refused, Value};

use crate::border::{Failed, Handle, Said};

/// A word of the vocabulary; its number is that of its descriptor.
#[derive(Clone, Copy)]
pub enum Word {
    Class(Class),
    Field(Field),
    Array(Array),
    Callee(Callee),
    Entry(Entry),
}

/// A recorder, its vocabulary by number, and what it said last.
pub struct PlanishRecorder {
    pub recorder: Recorder,
    /// By the number of the descriptor.
    pub words: Vec<Option<Word>>,
    /// The words whose addresses are constants, by the number of the symbol.
    pub symbols: Vec<u32>,
    pub operands: Vec<Value>,
    pub live: Vec<Value>,
    pub said: Said,
}

impl PlanishRecorder {
    pub fn word(&self, number: u32) -> Result<Word, Failed> {
        self.words.get(number as usize).copied().flatten().ok_or(Failed::Word(number))
    }

    /// The value of a number, in the trace at hand.
    pub fn value(&self, number: u32) -> Result<Value, Failed> {
        self.begun()?;
        self.recorder.value(number as usize).ok_or(Failed::Value(number))
    }

    /// Puts the values of some numbers into memory that is used again.
    pub fn values(&self, numbers: &[u32], into: &mut Vec<Value>) -> Result<(), Failed> {
        into.clear();
        numbers.iter().try_for_each(|&number| {
            into.push(self.value(number)?);
            Ok(())
        })
    }

    /// Refuses what needs a trace where there is none.
    pub fn begun(&self) -> Result<(), Failed> {
        if self.recorder.is_recording() { Ok(()) } else { Err(Refused::NotBegun.into()) }
    }
}

impl Handle for PlanishRecorder {
    fn said(&mut self) -> &mut Said {
        &mut self.said
    }
}
