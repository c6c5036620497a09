//! Library classes (ProGuard's `-libraryjars`): which of their methods a program may override, and which fields it inherits.
//!
//! Only few library classes matter, those above a class of the program, so files are looked at when
//! they are asked for. What a library class calls is unknown: it may call every method that a class
//! of the program inherits from it or overrides.

use std::borrow::Cow;
use std::sync::{Mutex, MutexGuard, PoisonError};

use hashbrown::{HashMap, HashSet};
use planish_classfile::{ClassFile, Flags};
use rustc_hash::FxBuildHasher;

/// Finds the file of a class outside of the program by its name, as in `java/util/List`.
pub type FindClass<'a> = dyn Fn(&[u8]) -> Option<Cow<'a, [u8]>> + Sync + 'a;

/// The members of a class, by name and descriptor.
#[derive(Default)]
struct Members {
    all: HashSet<Box<[u8]>, FxBuildHasher>,
    overridable: Vec<Box<[u8]>>,
    /// Those that may not.
    fixed: Vec<Box<[u8]>>,
    /// The fields that classes below may inherit.
    fields: Vec<Box<[u8]>>,
    /// Whether the class was found.
    is_known: bool,
}

type Known = HashMap<Box<[u8]>, Members, FxBuildHasher>;

/// The classes outside of the program.
pub struct Library<'a> {
    find: Box<FindClass<'a>>,
    known: Mutex<Known>,
}

/// The methods of `java/lang/Object` that may be overridden, for when there is no JDK to look.
const OF_OBJECT: [&[u8]; 5] = [
    b"hashCode()I",
    b"equals(Ljava/lang/Object;)Z",
    b"toString()Ljava/lang/String;",
    b"finalize()V",
    b"clone()Ljava/lang/Object;",
];

impl<'a> Library<'a> {
    /// The library in which `find` finds classes.
    pub fn new(find: Box<FindClass<'a>>) -> Self {
        Library { find, known: Mutex::default() }
    }

    fn with<T>(&self, class: &[u8], ask: impl FnOnce(&Members) -> T) -> T {
        if let Some(members) = self.known().get(class) {
            return ask(members);
        }
        let members = self.read(class).unwrap_or_default();
        let answer = ask(&members);
        self.known().insert(class.into(), members);
        answer
    }

    fn known(&self) -> MutexGuard<'_, Known> {
        // Nothing is half done when a thread panics while it holds the table.
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn read(&self, class: &[u8]) -> Option<Members> {
        let mut members = Members::default();
        let Some(bytes) = (self.find)(class) else {
            if class == b"java/lang/Object" {
                members.is_known = true;
                members.overridable = OF_OBJECT.iter().map(|&text| text.into()).collect();
                members.all = members.overridable.iter().cloned().collect();
            }
            return Some(members);
        };
        let file = ClassFile::read(&bytes).ok()?;
        members.is_known = true;
        for method in &file.methods {
            let name = file.pool.utf8(method.name).ok()?;
            let text: Box<[u8]> = [name, file.pool.utf8(method.descriptor).ok()?].concat().into();
            if !method.flags.any(Flags::STATIC | Flags::PRIVATE | Flags::FINAL) && !name.starts_with(b"<") {
                members.overridable.push(text.clone());
            } else {
                members.fixed.push(text.clone());
            }
            members.all.insert(text);
        }
        for field in file.fields.iter().filter(|field| !field.flags.has(Flags::PRIVATE)) {
            let (name, ty) = (file.pool.utf8(field.name).ok()?, file.pool.utf8(field.descriptor).ok()?);
            members.fields.push([name, b":", ty].concat().into());
        }
        Some(members)
    }

    /// Whether a class declares a method.
    pub fn has_method(&self, class: &[u8], selector: &[u8]) -> bool {
        self.with(class, |members| members.all.contains(selector))
    }

    /// Shows each method of a class that may be overridden.
    pub fn overridable(&self, class: &[u8], mut see: impl FnMut(&[u8])) {
        self.with(class, |members| members.overridable.iter().for_each(|text| see(text)));
    }

    /// Shows each method that a class declares. Whether it is known which.
    pub fn each_method(&self, class: &[u8], mut see: impl FnMut(&[u8])) -> bool {
        self.with(class, |members| {
            members.overridable.iter().chain(&members.fixed).for_each(|text| see(text));
            members.is_known
        })
    }

    /// Shows each field of a class that classes below may inherit.
    pub fn each_field(&self, class: &[u8], mut see: impl FnMut(&[u8])) {
        self.with(class, |members| members.fields.iter().for_each(|text| see(text)));
    }

    /// The file of a class.
    pub fn file(&self, class: &[u8]) -> Option<Cow<'a, [u8]>> {
        (self.find)(class)
    }
}
