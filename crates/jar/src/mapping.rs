//! The list by which stack traces are turned back: `-printmapping`.
//!
//! Names are those that the program has in the end; variants of methods stand for the method of which they are one. Lines stay, but
//! for those of inlined code, which stand for frames that are not there. The form is ProGuard's, so that its `retrace` reads it: a line
//! for each range of lines of a method, and one for each frame of such a number, the innermost first. Names of source files
//! are comments, as R8 writes them.

use std::fmt::Write;

use planish_base::Budget;
use planish_classfile::jar::Role;
use planish_classfile::mutf8::Shown;
use planish_classfile::zip::{Archive, INFLATED_LIMIT};
use planish_classfile::{Body, ClassFile, Kind};
use planish_jvm::rename::naming::Naming;
use planish_jvm::transform::inline::origins::ClassOrigins;
use planish_keep::show::{java_field, java_method};

use crate::programs::contents::lines_of;
use crate::programs::remembered::Remembered;

/// The list for an archive that rounds made. O(instructions).
pub fn mapping(archive: &Archive, remembered: &Remembered, naming: &Naming) -> Result<String, String> {
    let mut text = String::new();
    let mut budget = Budget::new("inflated bytes", INFLATED_LIMIT);
    for entry in &archive.entries {
        let Role::Class { release: None, .. } = Role::of(&entry.name) else { continue };
        let content = entry.content(&mut budget).map_err(|error| error.to_string())?;
        // What cannot be read was copied, with a warning.
        if let Ok(file) = ClassFile::read(&content) {
            class(&file, (remembered, naming), &mut text).map_err(|error| error.to_string())?;
        }
    }
    Ok(text)
}

fn class(
    file: &ClassFile<'_>,
    (remembered, naming): (&Remembered, &Naming),
    text: &mut String,
) -> planish_classfile::Result<()> {
    let (pool, name) = (&file.pool, file.name()?);
    let shown = |name: &[u8]| Shown(name).to_string().replace('/', ".");
    let _ = writeln!(text, "{} -> {}:", shown(name), shown(naming.class(name).unwrap_or(name)));
    if let Some(attribute) = file.attribute(Kind::SourceFile)
        && let Some(Body::SourceFile(source)) = attribute.decode(pool)?
    {
        // As R8 says it, for classes that are not in a file of their name.
        let source =
            serde_json::json!({"id": "sourceFile", "fileName": Shown(pool.utf8(source)?).to_string()});
        let _ = writeln!(text, "# {source}");
    }
    for field in &file.fields {
        let (field, ty) = (pool.utf8(field.name)?, pool.utf8(field.descriptor)?);
        let own = [field, b":", ty].concat();
        let new = naming.member(name, &own).unwrap_or(field);
        let (of, was) = remembered.moved.from(name, &own);
        let end = was.iter().position(|byte| *byte == b':').unwrap_or(was.len() - 1);
        let shown = java_field(&was[..end], &was[end + 1..]);
        let _ = writeln!(text, "    {} -> {}", qualified(shown, of, name), Shown(new));
    }
    let unknown = ClassOrigins::default();
    for method in &file.methods {
        let (called, ty) = (pool.utf8(method.name)?, pool.utf8(method.descriptor)?);
        let own = [called, ty].concat();
        let (of, was) = remembered.moved.from(name, &own);
        let full_name = [of, b".", was].concat();
        let origins = remembered.origins.of(of).unwrap_or(&unknown);
        let original = qualified(original(of, was, remembered), of, name);
        let called = naming.member(name, &own).unwrap_or(called);
        let (plain, inlined): (Vec<u16>, Vec<u16>) =
            lines_of(method, file)?.into_iter().partition(|&line| !origins.has(line));
        match (plain.first(), plain.last()) {
            (Some(first), Some(last)) => {
                let _ = writeln!(text, "    {first}:{last}:{original}:{first}:{last} -> {}", Shown(called));
            }
            _ => {
                let _ = writeln!(text, "    {original} -> {}", Shown(called));
            }
        }
        for number in inlined {
            let frames = origins.of(&full_name, number);
            for (depth, (frame, line)) in frames.iter().enumerate() {
                let end = frame.iter().position(|byte| *byte == b'.').unwrap_or(0);
                let (of, member) = (&frame[..end], frame.get(end + 1..).unwrap_or_default());
                let shown = qualified(self::original(of, member, remembered), of, name);
                let lines = if depth == 0 { format!("{line}:{line}") } else { line.to_string() };
                let _ = writeln!(text, "    {number}:{number}:{shown}:{lines} -> {}", Shown(called));
            }
        }
    }
    Ok(())
}

/// A member with the name of its class in front of its own, if that is another one than the one where it stands.
fn qualified(mut shown: String, of: &[u8], name: &[u8]) -> String {
    if of != name {
        let class = Shown(of).to_string().replace('/', ".");
        let end = shown.find('(').unwrap_or(shown.len());
        let at = shown[..end].rfind(' ').map_or(0, |space| space + 1);
        shown.insert_str(at, &format!("{class}."));
    }
    shown
}

/// A method of a class, by name and descriptor, as it was called at first.
fn original(class: &[u8], member: &[u8], remembered: &Remembered) -> String {
    let mut member = member.to_vec();
    while let Some(original) = remembered.made.original(class, &member) {
        member = original;
    }
    let end = member.iter().position(|byte| *byte == b'(').unwrap_or(member.len());
    let shown = java_method(class, &member[..end], &member[end..]);
    match shown.find('(') {
        // Here a constructor is called as the JVM calls it.
        Some(open) if &member[..end] == b"<init>" => format!("void <init>{}", &shown[open..]),
        _ => shown,
    }
}
