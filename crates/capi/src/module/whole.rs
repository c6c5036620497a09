//! Modules as a whole: read, verified, printed, asked.

use std::ffi::c_char;
use std::mem::MaybeUninit;
use std::ptr::null;

use planish::base::{Diagnostic, Severity, SourceText};
use planish::ir::{Form, text as ssa, verify_module};
use planish::ops::world::World;
use planish::{Function, Type};

use super::handle::{Note, PlanishModule, Slot};
use crate::border::{Failed, Out, Status, alone, array, error, for_c, free, place, refused, text, with};
use crate::names::type_number;

/// One thing that is wrong with a text or a module.
#[repr(C)]
pub struct PlanishError {
    line: u32,
    column: u32,
    message: *const c_char,
}

/// The types of a function.
#[repr(C)]
pub struct PlanishSignature {
    params: *const u32,
    param_count: usize,
    results: *const u32,
    result_count: usize,
}

/// Makes a module without functions.
#[unsafe(no_mangle)]
pub extern "C" fn planish_module_new(module: Out<'_, Option<Box<PlanishModule>>>) -> Status {
    alone(|| {
        place(module, "module")?.write(Some(Box::default()));
        Ok(())
    })
}

/// Gives a module back.
#[unsafe(no_mangle)]
pub extern "C" fn planish_module_free(module: Option<Box<PlanishModule>>) {
    free(module);
}

/// Why a function that was given the module did not do what it was asked for, the last time.
#[unsafe(no_mangle)]
pub extern "C" fn planish_module_error(module: Option<&PlanishModule>) -> *const c_char {
    error(module.map(|module| &module.said))
}

/// One of the things that were wrong with the text, function or module that was looked at last.
#[unsafe(no_mangle)]
pub extern "C" fn planish_module_error_at(
    module: Option<&PlanishModule>,
    index: usize,
    error: Out<'_, PlanishError>,
) -> Status {
    alone(|| {
        let (module, error) = (module.ok_or(Failed::Null("module"))?, place(error, "error")?);
        let Note { line, column, message } = module.errors.get(index).ok_or(Failed::End)?;
        error.write(PlanishError { line: *line, column: *column, message: message.as_ptr() });
        Ok(())
    })
}

/// Text of the caller's, which says its length.
pub fn source<'a>(source: *const c_char, length: usize) -> Result<&'a [u8], Failed> {
    array(source.cast::<u8>(), length, "text")
}

/// What a diagnostic says, and where.
fn note(diagnostic: &Diagnostic, source: &SourceText) -> Note {
    let (line, column) = source.position(diagnostic.span.start);
    let message = for_c(diagnostic.render(source).trim_end());
    Note { line: line as u32, column: column as u32, message }
}

/// Reads `.ssa` text into an empty module.
#[unsafe(no_mangle)]
pub extern "C" fn planish_module_read(
    module: Option<&mut PlanishModule>,
    name: *const c_char,
    text: *const c_char,
    length: usize,
) -> Status {
    with(module, |m| {
        let (name, bytes) = (crate::border::text(name, "name")?, source(text, length)?);
        if !m.functions.is_empty() || m.words > 0 {
            return refused("a text is read into an empty module");
        }
        m.errors.clear();
        let text = match SourceText::from_bytes(name, bytes.to_vec()) {
            Ok(text) => text,
            Err(wrong) => return Err(m.fail(Status::Unreadable, vec![note(&wrong.1, &wrong.0)])),
        };
        let (read, diagnostics) = ssa::read(text.text());
        if diagnostics.has_errors() {
            let errors = diagnostics.iter().filter(|found| found.severity == Severity::Error);
            let errors = errors.map(|found| note(found, &text)).collect();
            return Err(m.fail(Status::Unreadable, errors));
        }
        let found = verify_module(&read, Form::Cfg);
        if !found.is_empty() {
            return Err(m.fail(Status::Invalid, found.iter().map(|found| Note::new(found)).collect()));
        }
        m.functions = read.functions.ids().map(Slot::Whole).collect();
        m.names = read.functions.values().zip(0..).map(|(f, number)| (f.name.clone(), number)).collect();
        m.words = read.descriptors.iter().count() as u32;
        m.module = read;
        Ok(())
    })
}

/// Says whether all functions are finished and the module holds together.
#[unsafe(no_mangle)]
pub extern "C" fn planish_module_verify(module: Option<&mut PlanishModule>) -> Status {
    with(module, |m| {
        m.is_whole()?;
        m.errors.clear();
        let found = verify_module(&m.module, Form::Cfg);
        match found.is_empty() {
            true => Ok(()),
            false => Err(m.fail(Status::Invalid, found.iter().map(|found| Note::new(found)).collect())),
        }
    })
}

/// The module as text, which reads back as the same module.
#[unsafe(no_mangle)]
pub extern "C" fn planish_module_text(
    module: Option<&mut PlanishModule>,
    text: Out<'_, *const c_char>,
    length: Out<'_, usize>,
) -> Status {
    with(module, |m| {
        let (text, length) = (place(text, "text")?, place(length, "length")?);
        m.is_whole()?;
        let written = planish::print(&m.module);
        length.write(written.len());
        text.write(m.show(written));
        Ok(())
    })
}

/// One more than the largest number of a function.
#[unsafe(no_mangle)]
pub extern "C" fn planish_module_functions(
    module: Option<&mut PlanishModule>,
    count: Out<'_, usize>,
) -> Status {
    with(module, |m| {
        place(count, "count")?.write(m.functions.len());
        Ok(())
    })
}

/// The number of the function of a name.
#[unsafe(no_mangle)]
pub extern "C" fn planish_function_find(
    module: Option<&mut PlanishModule>,
    name: *const c_char,
    function: Out<'_, u32>,
) -> Status {
    with(module, |m| {
        let (name, function) = (text(name, "name")?, place(function, "function")?);
        function.write(*m.names.get(name).ok_or_else(|| Failed::Name(name.to_owned()))?);
        Ok(())
    })
}

impl PlanishModule {
    /// The function of a slot, as far as there is one.
    fn at_slot<'a>(&'a self, slot: &'a Slot) -> Option<&'a Function> {
        match slot {
            Slot::Whole(id) => Some(&self.module.functions[*id]),
            Slot::Begun(begun) => Some(begun.builder.function()),
            Slot::GivenUp => None,
        }
    }

    /// The function of a number, finished or not.
    pub fn any_function(&self, number: u32) -> Result<&Function, Failed> {
        let slot = self.functions.get(number as usize).and_then(|slot| self.at_slot(slot));
        slot.ok_or_else(|| super::handle::no_function(number))
    }
}

/// The name of a function.
#[unsafe(no_mangle)]
pub extern "C" fn planish_function_name(
    module: Option<&mut PlanishModule>,
    function: u32,
    name: Out<'_, *const c_char>,
) -> Status {
    with(module, |m| {
        let name = place(name, "name")?;
        let called = m.any_function(function)?.name.clone();
        name.write(m.show(called));
        Ok(())
    })
}

/// The types of the parameters and results of a function.
#[unsafe(no_mangle)]
pub extern "C" fn planish_function_signature(
    module: Option<&mut PlanishModule>,
    function: u32,
    signature: Out<'_, PlanishSignature>,
) -> Status {
    with(module, |m| {
        let signature = place(signature, "signature")?;
        let f = m.any_function(function)?;
        let params = f.params().iter().map(|&param| type_number(f.ty(param))).collect();
        let results = f.result_types().iter().map(|&ty: &Type| type_number(ty)).collect();
        m.types = [params, results];
        write_signature(&m.types, signature);
        Ok(())
    })
}

fn write_signature([params, results]: &[Vec<u32>; 2], place: &mut MaybeUninit<PlanishSignature>) {
    let start = |list: &Vec<u32>| if list.is_empty() { null() } else { list.as_ptr() };
    place.write(PlanishSignature {
        params: start(params),
        param_count: params.len(),
        results: start(results),
        result_count: results.len(),
    });
}

/// How many operations a function has, ends of blocks apart.
#[unsafe(no_mangle)]
pub extern "C" fn planish_function_size(
    module: Option<&mut PlanishModule>,
    function: u32,
    operations: Out<'_, usize>,
) -> Status {
    with(module, |m| {
        let operations = place(operations, "operations")?;
        operations.write(m.any_function(function)?.live_inst_count());
        Ok(())
    })
}

/// The number of the word of a name.
#[unsafe(no_mangle)]
pub extern "C" fn planish_word_find(
    module: Option<&mut PlanishModule>,
    name: *const c_char,
    word: Out<'_, u32>,
) -> Status {
    with(module, |m| {
        let (name, word) = (text(name, "name")?, place(word, "word")?);
        let descr = m.module.descriptors.lookup(name).ok_or_else(|| Failed::Name(name.to_owned()))?;
        word.write(m.keep(descr));
        Ok(())
    })
}

/// The name of a word.
#[unsafe(no_mangle)]
pub extern "C" fn planish_word_name(
    module: Option<&mut PlanishModule>,
    word: u32,
    name: Out<'_, *const c_char>,
) -> Status {
    with(module, |m| {
        let (name, descr) = (place(name, "name")?, m.word(word)?);
        let called = m.module.descriptors.name(descr).to_owned();
        name.write(m.show(called));
        Ok(())
    })
}
