//! Class hierarchy: which class extends which, in the program, its libraries and the JDK.
//!
//! A verifier merges types at joins and asks whether one is assignable to another, so it needs the
//! super classes of everything that a method mentions, the JDK's non-public ones included. The classes
//! come from a run-time image, from library jars and from the program; of a class that several of them
//! have, the one that was added first stays, as on a class path. Only the head of each class file is
//! read: constants, flags, names.
//!
//! A class that nobody has is *missing*. Programs with missing classes are ordinary (optional
//! dependencies), so every question has the answer "unknown", which never counts as yes.

use std::hash::{Hash, Hasher};
use std::ops::Range;
use std::sync::OnceLock;

use planish_base::{Arena, Id, Interner, Worklist, share_out};
use planish_classfile::bytes::Cursor;
use planish_classfile::jimage::{Image, Resource};
use planish_classfile::{ConstantPool, Error, Flags, Result};

planish_base::define_id!(
    /// A class, known or missing.
    ClassId, "class"
);

/// Where a class comes from.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Origin {
    /// The program that is optimized.
    Program,
    /// A library on its class path.
    Library,
    /// The JDK.
    Platform,
}

/// What is known of a class.
#[derive(Clone, Hash, Debug)]
pub struct ClassInfo {
    /// Its access flags.
    pub flags: Flags,
    /// Its super class; `None` for `java/lang/Object`.
    pub super_class: Option<ClassId>,
    /// Its direct super interfaces.
    pub interfaces: Box<[ClassId]>,
    /// Where it comes from.
    pub origin: Origin,
}

/// The class above all others.
const OBJECT: &[u8] = b"java/lang/Object";

/// How names of classes begin that every module of a JDK may use.
const PUBLIC: [&[u8]; 4] = [b"java/", b"javax/", b"org/w3c/", b"org/xml/"];

/// How many classes of a run-time image are read at once.
const PIECE: usize = 1 << 10;

/// What class files say of the hierarchy, in a few tables: they are read on threads, and added in order.
#[derive(Default)]
struct Heads {
    /// Names, one behind the other, and where each ends.
    texts: Vec<u8>,
    ends: Vec<usize>,
    /// By class its flags, whether it extends one, and the places of its names: its own, that of the class which it
    /// extends, and those of its interfaces.
    classes: Vec<(Flags, bool, Range<usize>)>,
}

impl Heads {
    /// Adds what the bytes of a class file say.
    fn read(&mut self, file: &[u8]) -> Result<()> {
        let (pool, end) = ConstantPool::read(file, 8)?;
        let mut cursor = Cursor::new(&file[end..], end);
        let flags = Flags(cursor.u16()?);
        let name = pool.class(cursor.u16()?)?;
        let extends = pool.optional_class(cursor.u16()?)?;
        if extends.is_none() && name != OBJECT && !flags.has(Flags::MODULE) {
            return Err(Error::at(end + 4, "a super class"));
        }
        let before = self.ends.len();
        let mut add = |name: &[u8]| {
            self.texts.extend_from_slice(name);
            self.ends.push(self.texts.len());
        };
        add(name);
        extends.into_iter().for_each(&mut add);
        for index in cursor.indices()? {
            add(pool.class(index)?);
        }
        self.classes.push((flags, extends.is_some(), before..self.ends.len()));
        Ok(())
    }

    /// The name at a place.
    fn name(&self, place: usize) -> &[u8] {
        let start = place.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.texts[start..self.ends[place]]
    }
}

/// The classes that are known, by name.
pub struct Hierarchy {
    names: Interner<ClassId, Box<[u8]>>,
    classes: Arena<ClassId, Option<ClassInfo>>,
    object: ClassId,
    /// By class, whether it is surely there, once somebody asked.
    sure: OnceLock<Vec<bool>>,
}

impl Default for Hierarchy {
    fn default() -> Self {
        Self::new()
    }
}

impl Hierarchy {
    /// A hierarchy without classes.
    pub fn new() -> Self {
        let mut hierarchy = Hierarchy {
            names: Interner::new(),
            classes: Arena::new(),
            // Overwritten at once; an id needs a table that it is of.
            object: ClassId::from_index(0),
            sure: OnceLock::new(),
        };
        hierarchy.object = hierarchy.id(OBJECT);
        hierarchy
    }

    /// The same classes, but for those of the program: they are missing, but have the ids that they had.
    pub fn without_program(&self) -> Self {
        let mut classes = self.classes.clone();
        for class in classes.values_mut() {
            if class.as_ref().is_some_and(|class| class.origin == Origin::Program) {
                *class = None;
            }
        }
        Hierarchy { names: self.names.clone(), classes, object: self.object, sure: OnceLock::new() }
    }

    /// The id of a name, known or not.
    fn id(&mut self, name: &[u8]) -> ClassId {
        let id = self.names.intern_ref(name);
        if self.classes.get(id).is_none() {
            self.classes.push(None);
        }
        id
    }

    /// Adds a class from the bytes of its file, unless one of the same name is there. Returns its id
    /// and whether it is new.
    pub fn add(&mut self, file: &[u8], origin: Origin) -> Result<(ClassId, bool)> {
        let mut heads = Heads::default();
        heads.read(file)?;
        Ok(self.add_head(&heads, 0, origin))
    }

    /// Adds every class of a run-time image, whose heads are read on so many threads.
    pub fn add_image(&mut self, image: &Image, threads: usize) -> Result<()> {
        let classes = image.classes()?;
        let pieces: Vec<&[Resource<'_>]> = classes.chunks(PIECE).collect();
        let read = |(): &mut (), piece: &&[Resource<'_>]| {
            let mut heads = Heads::default();
            image.each_content(piece, |class| heads.read(class)).map(|()| heads)
        };
        let (pieces, _) = share_out(threads, &pieces, || (), read, drop);
        self.names.reserve(classes.len());
        for heads in pieces {
            let heads = heads?;
            for number in 0..heads.classes.len() {
                self.add_head(&heads, number, Origin::Platform);
            }
        }
        Ok(())
    }

    /// Adds a class unless one of the same name is there. Returns its id and whether it is new.
    fn add_head(&mut self, heads: &Heads, number: usize, origin: Origin) -> (ClassId, bool) {
        let (flags, extends, ref names) = heads.classes[number];
        self.sure.take();
        let id = self.id(heads.name(names.start));
        if self.classes[id].is_some() {
            return (id, false);
        }
        let mut above = names.clone().skip(1).map(|place| self.id(heads.name(place)));
        let super_class = if extends { above.next() } else { None };
        let interfaces = above.collect();
        self.classes[id] = Some(ClassInfo { flags, super_class, interfaces, origin });
        (id, true)
    }

    /// The id of a name that some class has or mentions.
    pub fn lookup(&self, name: &[u8]) -> Option<ClassId> {
        self.names.lookup(name)
    }

    /// Whether a class of this name is known to be the platform's.
    pub fn is_platform(&self, name: &[u8]) -> bool {
        let known = self.lookup(name).and_then(|class| self.get(class));
        known.is_some_and(|known| known.origin == Origin::Platform)
    }

    /// The name of a class.
    pub fn name(&self, class: ClassId) -> &[u8] {
        self.names.get(class)
    }

    /// What is known of a class; `None` if it is missing.
    pub fn get(&self, class: ClassId) -> Option<&ClassInfo> {
        self.classes[class].as_ref()
    }

    /// `java/lang/Object`.
    pub fn object(&self) -> ClassId {
        self.object
    }

    /// The number of classes that are not missing.
    pub fn len(&self) -> usize {
        self.classes.values().filter(|class| class.is_some()).count()
    }

    /// Whether every class is missing.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The class and its super classes up to `java/lang/Object`, or up to the first missing one, which
    /// comes last. Ends even where malformed files make a class its own ancestor.
    pub fn ancestors(&self, class: ClassId) -> impl Iterator<Item = ClassId> + '_ {
        let mut next = Some(class);
        let mut left = self.classes.len();
        std::iter::from_fn(move || {
            let class = next?;
            left = left.checked_sub(1)?;
            next = self.get(class).and_then(|info| info.super_class);
            Some(class)
        })
    }

    /// Whether `class` is `ancestor` or extends it through super classes; `None` if a missing class
    /// hides the answer.
    pub fn extends(&self, class: ClassId, ancestor: ClassId) -> Option<bool> {
        if ancestor == self.object {
            return Some(true);
        }
        let mut last = class;
        for class in self.ancestors(class) {
            if class == ancestor {
                return Some(true);
            }
            last = class;
        }
        (last == self.object).then_some(false)
    }

    /// Whether a class is surely there, with everything above it, wherever the program runs: one of the program itself, or
    /// of the public part of the JDK. A library may be left out where nothing needs it, and the rest of the JDK is not for
    /// everybody. The first question takes O(classes and what they extend).
    pub fn is_surely_there(&self, class: ClassId) -> bool {
        self.sure.get_or_init(|| self.sure_classes())[class.index()]
    }

    /// By class, whether it is surely there: what is below one that may be missing is not.
    fn sure_classes(&self) -> Vec<bool> {
        let mut below: Vec<Vec<ClassId>> = vec![Vec::new(); self.classes.len()];
        let mut sure = vec![true; self.classes.len()];
        let mut unsure: Worklist<ClassId> = Worklist::default();
        for (class, info) in self.classes.iter() {
            sure[class.index()] = match info {
                Some(info) if info.origin == Origin::Program => {
                    for above in info.super_class.iter().chain(&info.interfaces) {
                        below[above.index()].push(class);
                    }
                    true
                }
                Some(info) if info.origin == Origin::Platform => {
                    PUBLIC.iter().any(|package| self.name(class).starts_with(package))
                }
                _ => false,
            };
            if !sure[class.index()] {
                unsure.push(class);
            }
        }
        while let Some(class) = unsure.pop() {
            for &class in &below[class.index()] {
                if std::mem::replace(&mut sure[class.index()], false) {
                    unsure.push(class);
                }
            }
        }
        sure
    }

    /// Hashes all that is known, with the ids that classes have: where two fingerprints are equal, every question has the same
    /// answer. O(classes).
    pub fn fingerprint(&self, hasher: &mut impl Hasher) {
        self.classes.len().hash(hasher);
        for (class, info) in self.classes.iter() {
            (self.name(class), info).hash(hasher);
        }
    }

    /// Whether a class is an interface; `None` if it is missing.
    pub fn is_interface(&self, class: ClassId) -> Option<bool> {
        self.get(class).map(|info| info.flags.has(Flags::INTERFACE))
    }

    /// The nearest class that both extend; `None` if a missing class hides the answer.
    pub fn common_ancestor(&self, a: ClassId, b: ClassId) -> Option<ClassId> {
        if a == b {
            return Some(a);
        }
        let of_a: Vec<_> = self.ancestors(a).collect();
        let of_b: Vec<_> = self.ancestors(b).collect();
        if of_a.last() != Some(&self.object) || of_b.last() != Some(&self.object) {
            // One chain may still contain the other's start.
            return of_a.contains(&b).then_some(b).or_else(|| of_b.contains(&a).then_some(a));
        }
        let shared = of_a.iter().rev().zip(of_b.iter().rev()).take_while(|(a, b)| a == b).last();
        shared.map(|(class, _)| *class)
    }

    /// The class and everything above it, super classes and interfaces, missing ones included, each
    /// once; nearer ones come before what is above them in the same line. O(number of supertypes^2).
    pub fn supertypes(&self, class: ClassId) -> Vec<ClassId> {
        let mut seen = vec![class];
        let mut at = 0;
        while let Some(&class) = seen.get(at) {
            at += 1;
            let Some(info) = self.get(class) else { continue };
            for &above in info.super_class.iter().chain(&info.interfaces) {
                if !seen.contains(&above) {
                    seen.push(above);
                }
            }
        }
        seen
    }

    /// The interfaces that a class declares and everything above them, in order.
    pub fn superinterfaces(&self, class: ClassId) -> Vec<ClassId> {
        let mut seen: Vec<ClassId> = Vec::new();
        let mut next: Vec<ClassId> = self.get(class).map_or(Vec::new(), |info| info.interfaces.to_vec());
        while let Some(interface) = next.pop() {
            if !seen.contains(&interface) {
                seen.push(interface);
                next.extend(self.get(interface).into_iter().flat_map(|info| info.interfaces.iter()));
            }
        }
        seen
    }

    /// Whether `class` is `supertype` or has it among its super classes and interfaces; `None` if a
    /// missing class hides the answer. O(number of supertypes).
    pub fn is_subtype(&self, class: ClassId, supertype: ClassId) -> Option<bool> {
        // Most questions are about super classes.
        if supertype == self.object || self.ancestors(class).any(|above| above == supertype) {
            return Some(true);
        }
        let mut seen = Vec::with_capacity(16);
        seen.push(class);
        let mut missing = false;
        let mut at = 0;
        while let Some(&class) = seen.get(at) {
            at += 1;
            if class == supertype {
                return Some(true);
            }
            let Some(info) = self.get(class) else {
                missing = true;
                continue;
            };
            for &above in info.super_class.iter().chain(&info.interfaces) {
                if !seen.contains(&above) {
                    seen.push(above);
                }
            }
        }
        (!missing).then_some(false)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use planish_classfile::ClassFile;

    fn class(name: &str, extends: Option<&str>, implements: &[&str], flags: Flags) -> Vec<u8> {
        let mut class = ClassFile::new(52, flags, name.as_bytes(), extends.map(str::as_bytes)).unwrap();
        for name in implements {
            let index = class.pool.add_class(name.as_bytes()).unwrap();
            class.interfaces.push(index);
        }
        class.to_bytes().unwrap()
    }

    fn sample() -> Hierarchy {
        let mut hierarchy = Hierarchy::new();
        let object = Some("java/lang/Object");
        for file in [
            class("java/lang/Object", None, &[], Flags::PUBLIC),
            class("I", object, &[], Flags::INTERFACE),
            class("J", object, &["I"], Flags::INTERFACE),
            class("A", object, &["J"], Flags::PUBLIC),
            class("B", Some("A"), &[], Flags::PUBLIC),
            class("C", Some("A"), &[], Flags::PUBLIC),
            class("D", Some("Missing"), &[], Flags::PUBLIC),
            class("E", Some("D"), &[], Flags::PUBLIC),
        ] {
            hierarchy.add(&file, Origin::Program).unwrap();
        }
        hierarchy
    }

    #[test]
    fn the_common_ancestor_is_the_nearest() {
        let h = sample();
        let id = |name: &str| h.lookup(name.as_bytes()).unwrap();
        let common =
            |a, b| h.common_ancestor(id(a), id(b)).map(|c| String::from_utf8_lossy(h.name(c)).into_owned());
        assert_eq!(common("B", "C").as_deref(), Some("A"));
        assert_eq!(common("B", "A").as_deref(), Some("A"));
        assert_eq!(common("A", "I").as_deref(), Some("java/lang/Object"));
        assert_eq!(common("D", "E").as_deref(), Some("D"), "one extends the other");
        assert_eq!(common("E", "A"), None, "the missing class may extend A");
    }

    #[test]
    fn a_missing_class_answers_neither_yes_nor_no() {
        let h = sample();
        let id = |name: &str| h.lookup(name.as_bytes()).unwrap();
        assert_eq!(h.extends(id("B"), id("A")), Some(true));
        assert_eq!(h.extends(id("A"), id("B")), Some(false));
        assert_eq!(h.extends(id("E"), id("A")), None);
        assert_eq!(h.extends(id("E"), id("Missing")), Some(true));
        assert_eq!(h.is_subtype(id("B"), id("I")), Some(true));
        assert_eq!(h.is_subtype(id("I"), id("J")), Some(false));
        assert_eq!(h.is_subtype(id("E"), id("I")), None);
        assert_eq!(h.is_interface(id("Missing")), None);
    }

    #[test]
    fn heads_keep_apart_what_classes_say() {
        let mut heads = Heads::default();
        let object = Some("java/lang/Object");
        for file in [
            class("java/lang/Object", None, &[], Flags::PUBLIC),
            class("A", object, &["J", "I"], Flags::FINAL),
            class("B", Some("A"), &[], Flags::PUBLIC),
        ] {
            heads.read(&file).unwrap();
        }
        assert!(heads.read(&class("C", None, &[], Flags::PUBLIC)).is_err(), "it extends nothing");
        let mut h = Hierarchy::new();
        for number in 0..heads.classes.len() {
            assert!(h.add_head(&heads, number, Origin::Platform).1);
        }
        let names = |ids: &[ClassId]| -> Vec<String> {
            ids.iter().map(|&id| String::from_utf8_lossy(h.name(id)).into_owned()).collect()
        };
        let above = |name: &str| {
            let info = h.get(h.lookup(name.as_bytes()).unwrap()).unwrap();
            (info.flags, names(info.super_class.as_slice()), names(&info.interfaces))
        };
        assert_eq!(above("java/lang/Object"), (Flags::PUBLIC, vec![], vec![]));
        let object = vec!["java/lang/Object".to_owned()];
        assert_eq!(above("A"), (Flags::FINAL, object, vec!["J".to_owned(), "I".to_owned()]));
        assert_eq!(above("B"), (Flags::PUBLIC, vec!["A".to_owned()], vec![]));
        assert_eq!(h.lookup(b"C"), None);
    }

    #[test]
    fn the_first_class_of_a_name_stays() {
        let mut h = sample();
        let again = class("B", Some("C"), &[], Flags::PUBLIC);
        assert!(!h.add(&again, Origin::Library).unwrap().1);
        let b = h.lookup(b"B").unwrap();
        assert_eq!(h.get(b).unwrap().super_class, h.lookup(b"A"));
    }

    #[test]
    fn a_class_that_is_its_own_ancestor_ends_the_walk() {
        let mut h = Hierarchy::new();
        h.add(&class("X", Some("Y"), &[], Flags::PUBLIC), Origin::Program).unwrap();
        h.add(&class("Y", Some("X"), &[], Flags::PUBLIC), Origin::Program).unwrap();
        let (x, y) = (h.lookup(b"X").unwrap(), h.lookup(b"Y").unwrap());
        assert_eq!(h.extends(x, y), Some(true));
        assert!(h.ancestors(x).count() <= 3);
        assert_eq!(h.is_subtype(x, h.object()), Some(true));
    }
}
