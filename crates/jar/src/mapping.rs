//! The list by which stack traces are turned back: `-printmapping`.
//!
//! Names are those that the program has in the end; variants of methods stand for the method of which they are one. Lines stay, but
//! for those of inlined code, which stand for frames that are not there, and those of methods that merging of classes moved. The form
//! is ProGuard's, so that its `retrace` reads it: a line for each range of lines of a method, and one for each frame of such a number,
//! the innermost first. What is more are comments, as R8 writes them in version 2.2 of its format: names of source files, those of
//! classes that are not there any more among them, and types of members that are not what new names of classes make of them.

use std::collections::BTreeSet;
use std::fmt::Write;

use planish_base::Budget;
use planish_classfile::jar::Role;
use planish_classfile::mutf8::Shown;
use planish_classfile::zip::{Archive, INFLATED_LIMIT};
use planish_classfile::{Body, ClassFile, Kind, Member};
use planish_jvm::rename::naming::Naming;
use planish_jvm::rename::old::REMOVED;
use planish_jvm::transform::inline::origins::{ClassOrigins, Frame};
use planish_keep::show::{java_field, java_method};

use crate::programs::contents::lines_of;
use crate::programs::remembered::Remembered;

/// The list for an archive that rounds made of another one. O(instructions).
pub fn mapping(
    before: &Archive,
    archive: &Archive,
    remembered: &Remembered,
    naming: &Naming,
) -> Result<String, String> {
    let mut list = List { remembered, naming, text: String::new(), spoken_of: BTreeSet::new() };
    list.comment("", &serde_json::json!({"id": "com.android.tools.r8.mapping", "version": "2.2"}));
    let mut left = BTreeSet::new();
    let mut budget = Budget::new("inflated bytes", INFLATED_LIMIT);
    for entry in &archive.entries {
        let Role::Class { name, release: None } = Role::of(&entry.name) else { continue };
        left.insert(name.to_vec());
        let content = entry.content(&mut budget).map_err(|error| error.to_string())?;
        // What cannot be read was copied, with a warning.
        if let Ok(file) = ClassFile::read(&content) {
            list.class(&file).map_err(|error| error.to_string())?;
        }
    }
    let spoken_of = std::mem::take(&mut list.spoken_of);
    let is_gone = |name: &[u8]| spoken_of.contains(name) && !left.contains(name);
    let mut number = 0;
    for entry in &before.entries {
        let Role::Class { name, release: None } = Role::of(&entry.name) else { continue };
        if !is_gone(name) {
            continue;
        }
        let content = entry.content(&mut budget).map_err(|error| error.to_string())?;
        if let Ok(file) = ClassFile::read(&content) {
            let _ = writeln!(list.text, "{} -> {REMOVED}{number}:", dotted(name));
            list.source_file(&file).map_err(|error| error.to_string())?;
            number += 1;
        }
    }
    Ok(list.text)
}

/// The list, as far as it is written.
struct List<'m> {
    remembered: &'m Remembered,
    naming: &'m Naming,
    text: String,
    /// The classes of which frames are.
    spoken_of: BTreeSet<Box<[u8]>>,
}

impl List<'_> {
    fn comment(&mut self, indent: &str, content: &serde_json::Value) {
        let _ = writeln!(self.text, "{indent}# {content}");
    }

    fn source_file(&mut self, file: &ClassFile<'_>) -> planish_classfile::Result<()> {
        if let Some(attribute) = file.attribute(Kind::SourceFile)
            && let Some(Body::SourceFile(source)) = attribute.decode(&file.pool)?
        {
            let source = Shown(file.pool.utf8(source)?).to_string();
            self.comment("", &serde_json::json!({"id": "sourceFile", "fileName": source}));
        }
        Ok(())
    }

    fn class(&mut self, file: &ClassFile<'_>) -> planish_classfile::Result<()> {
        let (pool, name) = (&file.pool, file.name()?);
        let new = self.naming.class(name).unwrap_or(name);
        let _ = writeln!(self.text, "{} -> {}:", dotted(name), dotted(new));
        self.source_file(file)?;
        for field in &file.fields {
            let (field, ty) = (pool.utf8(field.name)?, pool.utf8(field.descriptor)?);
            let own = [field, b":", ty].concat();
            let new = self.naming.member(name, &own).unwrap_or(field);
            let (of, was) = self.remembered.moved.from(name, &own);
            let end = was.iter().position(|byte| *byte == b':').unwrap_or(was.len() - 1);
            let shown = java_field(&was[..end], &was[end + 1..]);
            let _ = writeln!(self.text, "    {} -> {}", qualified(shown, of, name), Shown(new));
            self.signature(&was[end + 1..], ty);
        }
        file.methods.iter().try_for_each(|method| self.method(file, method))
    }

    fn method(&mut self, file: &ClassFile<'_>, method: &Member<'_>) -> planish_classfile::Result<()> {
        let (pool, name) = (&file.pool, file.name()?);
        let (called, ty) = (pool.utf8(method.name)?, pool.utf8(method.descriptor)?);
        let own = [called, ty].concat();
        let (of, was, first) = first_name(name, &own, self.remembered);
        let unknown = ClassOrigins::default();
        let origins = self.remembered.origins.of(name).unwrap_or(&unknown);
        let first_type = &first[type_of(&first)..];
        let shown = self.shown(&of, &first, name);
        let called = Shown(self.naming.member(name, &own).unwrap_or(called)).to_string();
        let (plain, inlined): (Vec<u16>, Vec<u16>) =
            lines_of(method, file)?.into_iter().partition(|&line| !origins.has(line));
        match (plain.first(), plain.last()) {
            (Some(first), Some(last)) => {
                let _ = writeln!(self.text, "    {first}:{last}:{shown}:{first}:{last} -> {called}");
                self.signature(first_type, ty);
            }
            _ if inlined.is_empty() => {
                let _ = writeln!(self.text, "    {shown} -> {called}");
                self.signature(first_type, ty);
            }
            _ => {}
        }
        let full_name = [&of[..], b".", &was].concat();
        let frames: Vec<(u16, Vec<Frame>)> =
            inlined.into_iter().map(|number| (number, origins.of(&full_name, number))).collect();
        for (numbers, frames) in ranges(&frames) {
            let (from, to) = numbers;
            for (depth, (frame, line)) in frames.iter().enumerate() {
                let end = frame.iter().position(|byte| *byte == b'.').unwrap_or(0);
                let (of, member) = (&frame[..end], frame.get(end + 1..).unwrap_or_default());
                let member = self.remembered.moved.with_old_types(of, member);
                let shown = self.shown(of, &original(of, member, self.remembered), name);
                let lines =
                    if depth == 0 { format!("{line}:{}", line + (to - from)) } else { line.to_string() };
                let _ = writeln!(self.text, "    {from}:{to}:{shown}:{lines} -> {called}");
            }
            self.signature(first_type, ty);
        }
        Ok(())
    }

    /// A method as it was called at first, with the name of its class if that is another one than the one where it stands.
    fn shown(&mut self, of: &[u8], original: &[u8], name: &[u8]) -> String {
        if of != name && !self.spoken_of.contains(of) {
            self.spoken_of.insert(of.into());
        }
        let end = type_of(original);
        let shown = java_method(of, &original[..end], &original[end..]);
        let shown = match shown.find('(') {
            // Here a constructor is called as the JVM calls it.
            Some(open) if &original[..end] == b"<init>" => format!("void <init>{}", &shown[open..]),
            _ => shown,
        };
        qualified(shown, of, name)
    }

    /// Says the type of a member in the end, unless it is what new names of classes make of the one that it had.
    fn signature(&mut self, was: &[u8], is: &[u8]) {
        let renamed = |ty: &[u8]| self.naming.descriptor(ty).unwrap_or_else(|| ty.to_vec());
        let is = renamed(is);
        if is != renamed(was) {
            let signature = Shown(&is).to_string();
            self.comment(
                "      ",
                &serde_json::json!({"id": "com.android.tools.r8.residualsignature", "signature": signature}),
            );
        }
    }
}

/// Numbers of lines with what they stand for, those together that follow each other and stand for lines of one method that do.
fn ranges(numbers: &[(u16, Vec<Frame>)]) -> Vec<((u16, u16), &[Frame])> {
    let mut ranges: Vec<((u16, u16), &[Frame])> = Vec::new();
    for (number, frames) in numbers {
        if let Some(((from, to), known)) = ranges.last_mut()
            && let ([(method, first)], [(other, line)]) = (&known[..], &frames[..])
            && method == other
            && *to + 1 == *number
            && line.checked_sub(*first) == Some(number - *from)
        {
            *to = *number;
            continue;
        }
        ranges.push(((*number, *number), frames));
    }
    ranges
}

fn dotted(name: &[u8]) -> String {
    Shown(name).to_string().replace('/', ".")
}

/// Where the type begins of a method that is given by name and type.
fn type_of(member: &[u8]) -> usize {
    member.iter().position(|byte| *byte == b'(').unwrap_or(member.len())
}

/// A member with the name of its class in front of its own, if that is another one than the one where it stands.
fn qualified(mut shown: String, of: &[u8], name: &[u8]) -> String {
    if of != name {
        let end = shown.find('(').unwrap_or(shown.len());
        let at = shown[..end].rfind(' ').map_or(0, |space| space + 1);
        shown.insert_str(at, &format!("{}.", dotted(of)));
    }
    shown
}

/// The class of which a method was, the name and descriptor that it had there, and those that it had at first. What moved
/// may have been a variant, and there may be variants of what moved.
fn first_name(class: &[u8], member: &[u8], remembered: &Remembered) -> (Vec<u8>, Vec<u8>, Vec<u8>) {
    let own = match remembered.moved.has(class, member) {
        true => member.to_vec(),
        false => original(class, member, remembered),
    };
    let (of, was) = remembered.moved.from(class, &own);
    let first = original(of, was, remembered);
    match remembered.moved.has(class, &own) {
        true => (of.to_vec(), was.to_vec(), first),
        false => (class.to_vec(), member.to_vec(), first),
    }
}

/// A method of a class, by name and descriptor, as it was called at first.
fn original(class: &[u8], member: &[u8], remembered: &Remembered) -> Vec<u8> {
    let mut member = member.to_vec();
    while let Some(original) = remembered.made.original(class, &member) {
        member = original;
    }
    member
}
