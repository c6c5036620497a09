//! The class files of a program, and which of them are only copied.

use std::borrow::Cow;
use std::collections::BTreeSet;

use planish_classfile::class::NEWEST;
use planish_classfile::{Body, ClassFile, Code, CodeBytes, Kind, Member};
use planish_jvm_ir::lower::lines;
use planish_jvm_model::program::ProgramClass;

/// The contents of entries that are looked at, by their places in the archive.
pub(crate) type Contents<'a> = [(usize, Cow<'a, [u8]>)];

/// Whether a class is copied, since its file cannot be looked into.
pub(crate) fn is_copied(class: &ProgramClass<'_>) -> bool {
    is_newer(&class.file) || class.flaw.is_some()
}

/// The instructions of every method of a class.
pub(crate) fn instructions(file: &ClassFile<'_>) -> u64 {
    let mut count = 0;
    for method in &file.methods {
        let Some(attribute) = method.attribute(&file.pool, Kind::Code) else { continue };
        if let Ok(code) = CodeBytes::read(&mut attribute.cursor()) {
            count += code.instructions().take_while(Result::is_ok).count() as u64;
        }
    }
    count
}

/// Whether a class file may have what nobody here knows.
pub(crate) fn is_newer(file: &ClassFile<'_>) -> bool {
    file.major > NEWEST
}

/// The lines of a method, each once, in ascending order.
pub(crate) fn lines_of(method: &Member<'_>, file: &ClassFile<'_>) -> planish_classfile::Result<Vec<u16>> {
    let Some(attribute) = method.attribute(&file.pool, Kind::Code) else { return Ok(Vec::new()) };
    let Some(Body::Code(bytes)) = attribute.decode(&file.pool)? else { return Ok(Vec::new()) };
    let code = Code::read(&bytes, &file.pool)?;
    let lines: BTreeSet<u16> = lines(&code).into_iter().flatten().collect();
    Ok(lines.into_iter().collect())
}
