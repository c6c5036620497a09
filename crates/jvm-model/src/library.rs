//! Library classes (ProGuard's `-libraryjars`): which of their methods a program may override.
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

/// The methods of a class, by name and descriptor.
#[derive(Default)]
struct Methods {
    all: HashSet<Box<[u8]>, FxBuildHasher>,
    overridable: Vec<Box<[u8]>>,
    /// Those that may not.
    fixed: Vec<Box<[u8]>>,
    /// Whether the class was found.
    is_known: bool,
}

type Known = HashMap<Box<[u8]>, Methods, FxBuildHasher>;

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

    fn with<T>(&self, class: &[u8], ask: impl FnOnce(&Methods) -> T) -> T {
        if let Some(methods) = self.known().get(class) {
            return ask(methods);
        }
        let methods = self.read(class).unwrap_or_default();
        let answer = ask(&methods);
        self.known().insert(class.into(), methods);
        answer
    }

    fn known(&self) -> MutexGuard<'_, Known> {
        // Nothing is half done when a thread panics while it holds the table.
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn read(&self, class: &[u8]) -> Option<Methods> {
        let mut methods = Methods::default();
        let Some(bytes) = (self.find)(class) else {
            if class == b"java/lang/Object" {
                methods.is_known = true;
                methods.overridable = OF_OBJECT.iter().map(|&text| text.into()).collect();
                methods.all = methods.overridable.iter().cloned().collect();
            }
            return Some(methods);
        };
        let file = ClassFile::read(&bytes).ok()?;
        methods.is_known = true;
        for method in &file.methods {
            let name = file.pool.utf8(method.name).ok()?;
            let text: Box<[u8]> = [name, file.pool.utf8(method.descriptor).ok()?].concat().into();
            if !method.flags.any(Flags::STATIC | Flags::PRIVATE | Flags::FINAL) && !name.starts_with(b"<") {
                methods.overridable.push(text.clone());
            } else {
                methods.fixed.push(text.clone());
            }
            methods.all.insert(text);
        }
        Some(methods)
    }

    /// Whether a class declares a method.
    pub fn has_method(&self, class: &[u8], selector: &[u8]) -> bool {
        self.with(class, |methods| methods.all.contains(selector))
    }

    /// Shows each method of a class that may be overridden.
    pub fn overridable(&self, class: &[u8], mut see: impl FnMut(&[u8])) {
        self.with(class, |methods| methods.overridable.iter().for_each(|text| see(text)));
    }

    /// Shows each method that a class declares. Whether it is known which.
    pub fn each_method(&self, class: &[u8], mut see: impl FnMut(&[u8])) -> bool {
        self.with(class, |methods| {
            methods.overridable.iter().chain(&methods.fixed).for_each(|text| see(text));
            methods.is_known
        })
    }

    /// The file of a class.
    pub fn file(&self, class: &[u8]) -> Option<Cow<'a, [u8]>> {
        (self.find)(class)
    }
}
