//! Recorders and their vocabularies.

use std::ffi::c_char;

use planish_base::Id;
use planish_trace::{CallEffect, Mutability, Recorder, Type, Words};

use super::recorder::{PlanishRecorder, Word};
use crate::border::{Failed, Out, Said, Status, alone, array, error, free, place, text, with};
use crate::names::type_of;

impl PlanishRecorder {
    /// Keeps a word, and says its number.
    fn keep(&mut self, word: Word) -> u32 {
        let descr = match word {
            Word::Class(word) => word.descr(),
            Word::Field(word) => word.descr(),
            Word::Array(word) => word.descr(),
            Word::Callee(word) => word.descr(),
            Word::Entry(word) => word.descr(),
        };
        let index = descr.index();
        if self.words.len() <= index {
            self.words.resize(index + 1, None);
        }
        self.words[index] = Some(word);
        index as u32
    }
}

/// Makes a recorder that optimizes with these passes while it records; null stands for all that can be done then.
#[unsafe(no_mangle)]
pub extern "C" fn planish_recorder_new(
    passes: *const c_char,
    recorder: Out<'_, Option<Box<PlanishRecorder>>>,
) -> Status {
    alone(|| {
        let recorder = place(recorder, "recorder")?;
        let passes = if passes.is_null() { Recorder::STREAMING } else { text(passes, "passes")? };
        let made = Recorder::optimizing(Words::new(), passes).map_err(|_| Failed::Name(passes.to_owned()))?;
        let made = PlanishRecorder {
            recorder: made,
            words: Vec::new(),
            symbols: Vec::new(),
            operands: Vec::new(),
            live: Vec::new(),
            said: Said::default(),
        };
        recorder.write(Some(Box::new(made)));
        Ok(())
    })
}

/// Gives a recorder back. Its traces stay.
#[unsafe(no_mangle)]
pub extern "C" fn planish_recorder_free(recorder: Option<Box<PlanishRecorder>>) {
    free(recorder);
}

/// Why a function that was given the recorder did not do what it was asked for, the last time: a text that is there
/// until the next call for the recorder. Empty without a recorder.
#[unsafe(no_mangle)]
pub extern "C" fn planish_recorder_error(recorder: Option<&PlanishRecorder>) -> *const c_char {
    error(recorder.map(|recorder| &recorder.said))
}

/// Lets a recorder look at so many operations of each trace; those behind are recorded as they are.
#[unsafe(no_mangle)]
pub extern "C" fn planish_recorder_limit(recorder: Option<&mut PlanishRecorder>, operations: u64) -> Status {
    with(recorder, |r| {
        r.recorder.limit_work(Some(operations));
        Ok(())
    })
}

/// Describes a class of objects.
#[unsafe(no_mangle)]
pub extern "C" fn planish_class(
    recorder: Option<&mut PlanishRecorder>,
    name: *const c_char,
    word: Out<'_, u32>,
) -> Status {
    with(recorder, |r| {
        let (name, word) = (text(name, "name")?, place(word, "word")?);
        let class = r.recorder.words_mut().class(name)?;
        let number = r.keep(Word::Class(class));
        r.symbols.push(number);
        word.write(number);
        Ok(())
    })
}

/// Describes a field of a type.
#[unsafe(no_mangle)]
pub extern "C" fn planish_field(
    recorder: Option<&mut PlanishRecorder>,
    name: *const c_char,
    ty: u32,
    immutable: bool,
    word: Out<'_, u32>,
) -> Status {
    with(recorder, |r| {
        let (name, word) = (text(name, "name")?, place(word, "word")?);
        let mutability = if immutable { Mutability::Immutable } else { Mutability::Mutable };
        let field = r.recorder.words_mut().field(name, type_of(ty)?, mutability)?;
        word.write(r.keep(Word::Field(field)));
        Ok(())
    })
}

/// Describes arrays of items of a type.
#[unsafe(no_mangle)]
pub extern "C" fn planish_array(
    recorder: Option<&mut PlanishRecorder>,
    name: *const c_char,
    item: u32,
    word: Out<'_, u32>,
) -> Status {
    with(recorder, |r| {
        let (name, word) = (text(name, "name")?, place(word, "word")?);
        let array = r.recorder.words_mut().array(name, type_of(item)?)?;
        word.write(r.keep(Word::Array(array)));
        Ok(())
    })
}

/// Describes a function: one that only computes from its arguments, or one that may do anything.
#[unsafe(no_mangle)]
pub extern "C" fn planish_callee(
    recorder: Option<&mut PlanishRecorder>,
    name: *const c_char,
    pure: bool,
    word: Out<'_, u32>,
) -> Status {
    with(recorder, |r| {
        let (name, word) = (text(name, "name")?, place(word, "word")?);
        let effect = if pure { CallEffect::pure() } else { CallEffect::unknown() };
        let callee = r.recorder.words_mut().callee(name, effect)?;
        let number = r.keep(Word::Callee(callee));
        r.symbols.push(number);
        word.write(number);
        Ok(())
    })
}

/// Describes the head of a loop that other traces may enter, with the types of what they hand over.
#[unsafe(no_mangle)]
pub extern "C" fn planish_entry(
    recorder: Option<&mut PlanishRecorder>,
    name: *const c_char,
    types: *const u32,
    count: usize,
    word: Out<'_, u32>,
) -> Status {
    with(recorder, |r| {
        let (name, types) = (text(name, "name")?, array(types, count, "types")?);
        let word = place(word, "word")?;
        let types: Vec<Type> = types.iter().map(|&ty| type_of(ty)).collect::<Result<_, _>>()?;
        let entry = r.recorder.words_mut().entry(name, &types)?;
        word.write(r.keep(Word::Entry(entry)));
        Ok(())
    })
}

/// A word of some kind; others are refused by the border.
macro_rules! word {
    ($r:ident, $kind:ident, $number:expr) => {
        match $r.word($number)? {
            Word::$kind(word) => word,
            _ => return Err(Failed::Word($number)),
        }
    };
}
pub(crate) use word;
