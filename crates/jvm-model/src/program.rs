//! The classes of a program, their members, and where a name leads.

use hashbrown::{HashMap, HashSet};
use planish_base::{Arena, Id, Interner};
use planish_classfile::{ClassFile, Error, Flags, Result};
use rustc_hash::FxBuildHasher;

use crate::hierarchy::{ClassId, Hierarchy};
use crate::library::Library;
use crate::names::{joined, package};

planish_base::define_id!(
    /// A class of the program.
    Class, "class"
);
planish_base::define_id!(
    /// A method of the program.
    Method, "method"
);
planish_base::define_id!(
    /// A field of the program.
    Field, "field"
);
planish_base::define_id!(
    /// A name with a descriptor: `run()V`, `size:I`.
    Selector, "selector"
);

/// A method or field: where it is declared.
#[derive(Clone, Copy, Debug)]
pub struct MemberInfo {
    /// The class that declares it.
    pub class: Class,
    /// Its place among the methods or fields of that class.
    pub place: u16,
    /// Its flags.
    pub flags: Flags,
    /// Its name and descriptor.
    pub selector: Selector,
}

/// A class of the program.
pub struct ProgramClass<'a> {
    /// The class file.
    pub file: ClassFile<'a>,
    /// How many bytes that has.
    pub size: usize,
    /// Its id in the hierarchy.
    pub id: ClassId,
    /// Its methods, in order.
    pub methods: Vec<Method>,
    /// Its fields, in order.
    pub fields: Vec<Field>,
    /// Itself and everything above it, program or not, missing or not.
    pub supertypes: Vec<ClassId>,
    /// Whether nobody knows which bodies its methods have when the program runs: there are other versions of it, or what
    /// its file says may mean something new.
    pub is_opaque: bool,
    /// What is wrong with the numbers of constants in the file. Such a class is copied, and nobody looks into it.
    pub flaw: Option<Error>,
}

/// The classes of a program.
pub struct Program<'a> {
    /// Which class extends which, libraries included.
    pub hierarchy: &'a Hierarchy,
    /// The classes outside of the program.
    pub library: Library<'a>,
    /// The classes.
    pub classes: Arena<Class, ProgramClass<'a>>,
    /// Every method.
    pub methods: Arena<Method, MemberInfo>,
    /// Every field.
    pub fields: Arena<Field, MemberInfo>,
    selectors: Interner<Selector, Box<[u8]>>,
    by_id: HashMap<ClassId, Class, FxBuildHasher>,
    method_of: HashMap<(Class, Selector), Method, FxBuildHasher>,
    field_of: HashMap<(Class, Selector), Field, FxBuildHasher>,
    /// Selectors of methods of objects that only a package sees.
    seen_near: HashSet<Selector, FxBuildHasher>,
    /// Methods from whose bodies nothing is to be concluded.
    hidden: HashSet<Method, FxBuildHasher>,
    /// By class or interface, of the program or not: those of the program that are it, extend or implement it.
    subtypes: HashMap<ClassId, Vec<Class>, FxBuildHasher>,
}

/// Where the search for a member led.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Found<T> {
    /// To a member of the program.
    Program(T),
    /// To a class outside of the program.
    Library,
    /// Nowhere, or a missing class hides the answer.
    Unknown,
}

impl<'a> Program<'a> {
    /// A program without classes.
    pub fn new(hierarchy: &'a Hierarchy, library: Library<'a>) -> Self {
        Program {
            hierarchy,
            library,
            classes: Arena::new(),
            methods: Arena::new(),
            fields: Arena::new(),
            selectors: Interner::new(),
            by_id: HashMap::default(),
            method_of: HashMap::default(),
            field_of: HashMap::default(),
            seen_near: HashSet::default(),
            hidden: HashSet::default(),
            subtypes: HashMap::default(),
        }
    }

    /// Adds a class whose file is `bytes`. Returns nothing if a class of that name is there already.
    pub fn add(&mut self, bytes: &'a [u8]) -> Result<Option<Class>> {
        let file = ClassFile::read(bytes)?;
        let Some(id) = self.hierarchy.lookup(file.name()?) else { return Ok(None) };
        if self.by_id.contains_key(&id) {
            return Ok(None);
        }
        let class = self.classes.next_id();
        let mut selectors = Vec::with_capacity(file.methods.len() + file.fields.len());
        for (members, divider) in [(&file.methods, &b""[..]), (&file.fields, b":")] {
            for member in members {
                let name = file.pool.utf8(member.name)?;
                let descriptor = file.pool.utf8(member.descriptor)?;
                selectors.push(self.selectors.intern([name, divider, descriptor].concat().into()));
            }
        }
        let (of_methods, of_fields) = selectors.split_at(file.methods.len());
        let mut methods = Vec::with_capacity(file.methods.len());
        for (place, (member, &selector)) in file.methods.iter().zip(of_methods).enumerate() {
            let info = MemberInfo { class, place: place as u16, flags: member.flags, selector };
            let method = self.methods.push(info);
            self.method_of.insert((class, selector), method);
            if !member.flags.any(Flags::PUBLIC | Flags::PROTECTED | Flags::PRIVATE | Flags::STATIC) {
                self.seen_near.insert(selector);
            }
            methods.push(method);
        }
        let mut fields = Vec::with_capacity(file.fields.len());
        for (place, (member, &selector)) in file.fields.iter().zip(of_fields).enumerate() {
            let info = MemberInfo { class, place: place as u16, flags: member.flags, selector };
            let field = self.fields.push(info);
            self.field_of.insert((class, selector), field);
            fields.push(field);
        }
        let supertypes = self.hierarchy.supertypes(id);
        self.by_id.insert(id, class);
        for &above in &supertypes {
            self.subtypes.entry(above).or_default().push(class);
        }
        let size = bytes.len();
        let (is_opaque, flaw) = (false, file.check_indices().err());
        self.classes.push(ProgramClass { file, size, id, methods, fields, supertypes, is_opaque, flaw });
        Ok(Some(class))
    }

    /// Nothing is to be concluded from the bodies of a class.
    pub fn hide_bodies(&mut self, class: Class) {
        self.classes[class].is_opaque = true;
    }

    /// Nothing is to be concluded from the body of a method, by class, name and descriptor as in `a/B.run()V`, if it is
    /// there.
    pub fn hide_body(&mut self, method: &[u8]) {
        self.hidden.extend(self.method_named(method));
    }

    /// Whether something may be concluded from the body of a method.
    pub fn shows_body(&self, method: Method) -> bool {
        !self.classes[self.methods[method].class].is_opaque && !self.hides_body(method)
    }

    /// Whether the body of a method is hidden, and those of its class need not be.
    pub fn hides_body(&self, method: Method) -> bool {
        self.hidden.contains(&method)
    }

    /// Whether the body of some method is hidden by itself.
    pub fn has_hidden_bodies(&self) -> bool {
        !self.hidden.is_empty()
    }

    /// The method of a class, name and descriptor, as in `a/B.run()V`.
    pub fn method_named(&self, method: &[u8]) -> Option<Method> {
        let end = method.iter().position(|byte| *byte == b'.')?;
        self.declared_method(self.class_named(&method[..end])?, self.selector(&method[end + 1..])?)
    }

    /// The classes of the program that are this class or interface, or extend or implement it, in their order.
    pub fn subtypes(&self, id: ClassId) -> &[Class] {
        self.subtypes.get(&id).map_or(&[], Vec::as_slice)
    }

    /// The class of the program with this id.
    pub fn class(&self, id: ClassId) -> Option<Class> {
        self.by_id.get(&id).copied()
    }

    /// The class of the program with this name; for arrays, the class of the innermost elements.
    pub fn class_named(&self, name: &[u8]) -> Option<Class> {
        let name = match name.first() {
            Some(b'[') => {
                let element = name.iter().position(|byte| *byte != b'[')?;
                name[element..].strip_prefix(b"L")?.strip_suffix(b";")?
            }
            _ => name,
        };
        self.class(self.hierarchy.lookup(name)?)
    }

    /// The name of a class.
    pub fn name(&self, class: Class) -> &[u8] {
        self.hierarchy.name(self.classes[class].id)
    }

    /// The id of a selector that some member of the program has.
    pub fn selector(&self, text: &[u8]) -> Option<Selector> {
        self.selectors.lookup(text)
    }

    /// The text of a selector.
    pub fn text(&self, selector: Selector) -> &[u8] {
        self.selectors.get(selector)
    }

    /// The name in a selector.
    pub fn member_name(&self, selector: Selector) -> &[u8] {
        let text = self.text(selector);
        let end = text.iter().position(|byte| matches!(byte, b'(' | b':'));
        &text[..end.unwrap_or(text.len())]
    }

    /// The descriptor in a selector.
    pub fn descriptor(&self, selector: Selector) -> &[u8] {
        let text = self.text(selector);
        match text.iter().position(|byte| matches!(byte, b'(' | b':')) {
            Some(at) if text[at] == b'(' => &text[at..],
            Some(at) => &text[at + 1..],
            None => &[],
        }
    }

    /// The method that `class` itself declares.
    pub fn declared_method(&self, class: Class, selector: Selector) -> Option<Method> {
        self.method_of.get(&(class, selector)).copied()
    }

    /// The field that `class` itself declares.
    pub fn declared_field(&self, class: Class, selector: Selector) -> Option<Field> {
        self.field_of.get(&(class, selector)).copied()
    }

    /// The method that a reference leads to, by sections 5.4.3.3 and 5.4.3.4 of the specification: super classes
    /// first, then super interfaces. Of an interface, `Object` is above all as well, but only with what is public.
    pub fn resolve_method(&self, class: ClassId, selector: Selector) -> Found<Method> {
        let mut missing = false;
        let is_public = !matches!(self.text(selector), b"clone()Ljava/lang/Object;" | b"finalize()V")
            || self.hierarchy.is_interface(class) != Some(true);
        let is_in_library = |above| {
            let name = self.hierarchy.name(above);
            (is_public || name != b"java/lang/Object") && self.library.has_method(name, self.text(selector))
        };
        for above in self.hierarchy.ancestors(class) {
            match self.class(above) {
                Some(above) => {
                    if let Some(method) = self.declared_method(above, selector) {
                        return Found::Program(method);
                    }
                }
                None if self.hierarchy.get(above).is_none() => missing = true,
                None => {
                    if is_in_library(above) {
                        return Found::Library;
                    }
                }
            }
        }
        let supertypes = self.hierarchy.supertypes(class);
        let mut found = Found::Unknown;
        for &above in &supertypes {
            match self.class(above) {
                Some(above) => {
                    let Some(method) = self.declared_method(above, selector) else { continue };
                    // One with a body is preferred; which of several is the dispatch's business.
                    if found == Found::Unknown || !self.methods[method].flags.has(Flags::ABSTRACT) {
                        found = Found::Program(method);
                    }
                }
                None if self.hierarchy.get(above).is_none() => missing = true,
                None => {
                    if found == Found::Unknown && is_in_library(above) {
                        found = Found::Library;
                    }
                }
            }
        }
        match found {
            Found::Unknown if !missing => Found::Unknown,
            found => found,
        }
    }

    /// The field that a reference leads to, by section 5.4.3.2: the class, its super interfaces, its
    /// super classes.
    pub fn resolve_field(&self, class: ClassId, selector: Selector) -> Found<Field> {
        let mut unknown = false;
        for above in self.hierarchy.ancestors(class) {
            let interfaces = self.hierarchy.superinterfaces(above);
            for owner in std::iter::once(above).chain(interfaces) {
                match self.class(owner) {
                    Some(owner) => {
                        if let Some(&field) = self.field_of.get(&(owner, selector)) {
                            return Found::Program(field);
                        }
                    }
                    None => unknown |= self.hierarchy.get(owner).is_none(),
                }
            }
        }
        if unknown { Found::Unknown } else { Found::Library }
    }

    /// The methods that may run when `selector` is called on an instance of exactly `class`, whichever class the call names:
    /// those of its super classes that no class further down overrides; without one, the default methods of its super
    /// interfaces.
    ///
    /// What only a package sees is overridden by its neighbours alone (section 5.4.5): of a class of another package, a method
    /// of that name is another one, and which of both runs is decided by the class that the call names.
    pub fn select(&self, class: Class, selector: Selector, found: &mut Vec<Method>) {
        let before = found.len();
        let mut last = None;
        for above in self.hierarchy.ancestors(self.classes[class].id) {
            let Some(above) = self.class(above) else { break };
            let Some(method) = self.declared_method(above, selector) else { continue };
            let flags = self.methods[method].flags;
            if flags.any(Flags::STATIC | Flags::PRIVATE) {
                continue;
            }
            let is_seen = flags.any(Flags::PUBLIC | Flags::PROTECTED);
            let is_overridden = last.is_some() && (is_seen || self.has_neighbour(class, above, selector));
            if !flags.has(Flags::ABSTRACT) && !is_overridden {
                found.push(method);
            }
            // Further up, nothing is left that this one would not override.
            if is_seen && !self.seen_near.contains(&selector) {
                break;
            }
            last = Some(method);
        }
        if found.len() > before {
            return;
        }
        for &above in &self.classes[class].supertypes {
            let Some(above) = self.class(above) else { continue };
            if let Some(method) = self.declared_method(above, selector)
                && self.classes[above].file.flags.has(Flags::INTERFACE)
                && !self.methods[method].flags.any(Flags::STATIC | Flags::PRIVATE | Flags::ABSTRACT)
            {
                found.push(method);
            }
        }
    }

    /// Whether between `class` and `above`, not counting that, a class of the package of `above` has a method that may
    /// override one which only the package sees.
    fn has_neighbour(&self, class: Class, above: Class, selector: Selector) -> bool {
        let home = package(self.name(above));
        let between = self.hierarchy.ancestors(self.classes[class].id).map_while(|id| self.class(id));
        between.take_while(|&between| between != above).any(|between| {
            let declared = self.declared_method(between, selector);
            package(self.name(between)) == home
                && declared
                    .is_some_and(|method| !self.methods[method].flags.any(Flags::STATIC | Flags::PRIVATE))
        })
    }

    /// A method as people write it: `a.B.run()V`.
    pub fn show_method(&self, method: Method) -> String {
        let info = &self.methods[method];
        joined(self.name(info.class), self.text(info.selector))
    }

    /// A field as people write it: `a.B.size:I`.
    pub fn show_field(&self, field: Field) -> String {
        let info = &self.fields[field];
        joined(self.name(info.class), self.text(info.selector))
    }

    /// A class as people write it: `a.B`.
    pub fn show_class(&self, class: Class) -> String {
        String::from_utf8_lossy(self.name(class)).replace('/', ".")
    }

    /// The id of the next class, method or field of one of these arenas, as an index.
    pub fn counts(&self) -> [usize; 3] {
        [self.classes.next_id().index(), self.methods.next_id().index(), self.fields.next_id().index()]
    }
}

/// The names of the classes in a descriptor or in any text that is made like one.
pub fn classes_in(descriptor: &[u8]) -> impl Iterator<Item = &[u8]> {
    let mut rest = descriptor;
    std::iter::from_fn(move || {
        let start = rest.iter().position(|byte| *byte == b'L')? + 1;
        let length = rest[start..].iter().position(|byte| matches!(byte, b';' | b'<'))?;
        let name = &rest[start..start + length];
        rest = &rest[start + length..];
        Some(name)
    })
}
