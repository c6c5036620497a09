//! Access checks of inlining (JVMS 5.4.4): which bodies may stand in which classes.
//!
//! In its own class every body may. In another class of the same package it may speak of what that class
//! may see: public and package-private members, private ones of its nest, and private fields, constructors and static methods, which become
//! visible in their package if nothing outside of the program can tell. In other packages it may speak of public things
//! only, unless who optimizes the program allows that classes and members become public (`-allowaccessmodification`).
//! A private method that objects have becomes visible only if no class above or below has one of its name: otherwise
//! one would override the other. What depends on the class that it stands in, dynamic constants, most call sites, methods of the
//! JDK that look at their caller, stays where it is. Of call sites those move that make texts or plain lambdas ([`Site`]): what
//! links them acts for the class where they stand, so that class has to see all types that they speak of, and what they call.

use hashbrown::HashMap;
use planish_classfile::pool::MemberKind;
use planish_classfile::{Flags, Opcode};
use planish_jvm_analysis::reach::Reach;
use planish_jvm_analysis::variant::base_name;
use planish_jvm_model::hierarchy::ClassId;
use planish_jvm_model::names::package;
use planish_jvm_model::program::{Class, Found, Method, Program, classes_in};
use planish_jvm_model::visibility::are_nestmates;
use rustc_hash::FxBuildHasher;

use crate::transform::inline::portable::{Portable, PortableCode, Site};

/// From where something has to be visible that was not.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Visible {
    /// From its package.
    InPackage,
    /// From everywhere.
    Everywhere,
}

impl Visible {
    /// The flags of a class or member that is visible from there.
    pub fn flags(self, flags: Flags) -> Flags {
        match self {
            Visible::InPackage => flags.without(Flags::PRIVATE),
            Visible::Everywhere => flags.without(Flags::PRIVATE | Flags::PROTECTED).with(Flags::PUBLIC),
        }
    }
}

/// A class by its name, or a member by class, name and descriptor, that has to be visible.
pub type Widened = (Box<[u8]>, Visible);

/// Answers about bodies in classes.
pub struct Access<'r, 'p, 'a> {
    reach: &'r Reach<'p, 'a>,
    program: &'p Program<'a>,
    /// Whether things may become public.
    anywhere: bool,
    /// Methods of objects, and whether they may be visible from somewhere else.
    free: HashMap<Method, bool, FxBuildHasher>,
}

/// The methods that every object has.
const OF_OBJECT: [&[u8]; 9] = [
    b"clone",
    b"equals",
    b"finalize",
    b"getClass",
    b"hashCode",
    b"notify",
    b"notifyAll",
    b"toString",
    b"wait",
];

/// The first class-file version of which compilers let lambdas call what is private in their nest (Java 15): JVMs before make
/// the classes of lambdas in another way.
const NEST_IN_LAMBDAS: u16 = 59;

/// Whether a method of the JDK looks at the stack, so that its caller has to keep its frame.
pub(crate) fn counts_frames(class: &[u8], name: &[u8]) -> bool {
    class == b"java/lang/StackWalker"
        || matches!(name, b"getStackTrace" | b"getCallerClass" | b"fillInStackTrace" | b"dumpStack")
        || (class == b"java/lang/Class" && name == b"forName")
}

/// Whether a method of the JDK may look at the class of its caller.
pub(crate) fn looks_at_caller(class: &[u8], name: &[u8]) -> bool {
    let harmless: &[&[u8]] =
        &[b"getName", b"getSimpleName", b"isInstance", b"isArray", b"isAssignableFrom", b"getComponentType"];
    match class {
        b"java/lang/Class" => !harmless.contains(&name),
        b"java/lang/System" => {
            matches!(
                name,
                b"load" | b"loadLibrary" | b"getLogger" | b"getSecurityManager" | b"setSecurityManager"
            )
        }
        b"java/lang/Runtime" => matches!(name, b"load" | b"loadLibrary"),
        b"java/lang/Thread" => {
            matches!(name, b"getContextClassLoader" | b"getStackTrace" | b"getAllStackTraces")
        }
        b"java/lang/ClassLoader" | b"java/lang/Package" | b"java/lang/Module" | b"java/lang/StackWalker" => {
            true
        }
        b"java/util/ResourceBundle" | b"java/util/ServiceLoader" | b"java/sql/DriverManager" => true,
        b"java/security/AccessController" | b"java/util/logging/Logger" => true,
        _ => {
            let starts = |prefix: &[u8]| class.starts_with(prefix);
            starts(b"java/lang/reflect/")
                || starts(b"java/lang/invoke/")
                || starts(b"java/util/concurrent/atomic/Atomic") && class.ends_with(b"FieldUpdater")
                || starts(b"sun/")
                || starts(b"jdk/")
        }
    }
}

impl<'r, 'p, 'a> Access<'r, 'p, 'a> {
    /// For a program of which is known what something outside may see. With `anywhere`, things may become public, unless
    /// there is an instruction that throws because they are not.
    pub fn new(reach: &'r Reach<'p, 'a>, anywhere: bool) -> Self {
        let anywhere = anywhere && !reach.program.has_hidden_bodies();
        Access { reach, program: reach.program, anywhere, free: HashMap::default() }
    }

    /// Whether the body of a method, which names these classes besides, may stand in a class: then, what has to be
    /// visible that is not.
    pub fn allows(
        &mut self,
        into: Class,
        method: Method,
        code: &PortableCode,
        besides: Option<&[u8]>,
    ) -> Option<Vec<Widened>> {
        let from = self.program.methods[method].class;
        let counts = |constant: &Portable| match constant {
            Portable::Member(_, class, name, _) => counts_frames(class, name),
            _ => false,
        };
        if code.constants().any(|(_, constant)| counts(constant)) {
            return None;
        }
        if into == from {
            return Some(Vec::new());
        }
        let (own, other) = (&self.program.classes[from].file, &self.program.classes[into].file);
        if own.major > other.major || self.is_strict(method) {
            return None;
        }
        let mut widened = Vec::new();
        for class in code.caught() {
            self.class(into, class.class()?, &mut widened)?;
        }
        if let Some(class) = besides {
            self.class(into, class, &mut widened)?;
        }
        for (instruction, constant) in code.constants() {
            match constant {
                Portable::Own(_) => return None,
                Portable::Class(name) => self.class(into, name, &mut widened)?,
                Portable::MethodType(ty) => self.types(into, ty, &mut widened)?,
                Portable::Handle(kind, member) => self.handle(into, from, *kind, member, &mut widened)?,
                Portable::Site(site) => self.site(into, from, site, &mut widened)?,
                Portable::Member(kind, class, name, descriptor) => {
                    self.class(into, class, &mut widened)?;
                    let is_field = *kind == MemberKind::Field;
                    if is_field {
                        let writes = matches!(instruction.op, Opcode::Putfield | Opcode::Putstatic);
                        self.field(into, from, writes, [class, name, descriptor], &mut widened)?;
                    } else {
                        if looks_at_caller(class, name) {
                            return None;
                        }
                        let by = (instruction.op, false);
                        self.method(into, from, by, [class, name, descriptor], &mut widened)?;
                    }
                }
                _ => {}
            }
        }
        Some(widened)
    }

    fn is_strict(&self, method: Method) -> bool {
        self.program.methods[method].flags.has(Flags::STRICT)
    }

    fn same_package(&self, a: &[u8], b: &[u8]) -> bool {
        package(a) == package(b)
    }

    /// Whether a class may be named in another.
    fn class(&self, into: Class, name: &[u8], widened: &mut Vec<Widened>) -> Option<()> {
        let name = match name.first() {
            Some(b'[') => match classes_in(name).next() {
                Some(element) => element,
                None => return Some(()),
            },
            _ => name,
        };
        let id = self.program.hierarchy.lookup(name)?;
        let info = self.program.hierarchy.get(id)?;
        let in_program = self.program.class(id).is_some();
        let is_visible =
            info.flags.has(Flags::PUBLIC) || in_program && self.same_package(name, self.program.name(into));
        if !is_visible {
            (in_program && self.anywhere).then_some(())?;
            widened.push((name.into(), Visible::Everywhere));
        }
        Some(())
    }

    /// From where something has to be visible that a class names which is its neighbour or not; nothing if that cannot be.
    fn wanted(&self, near: bool) -> Option<Visible> {
        match (near, self.anywhere) {
            (true, _) => Some(Visible::InPackage),
            (false, true) => Some(Visible::Everywhere),
            (false, false) => None,
        }
    }

    fn id(&self, name: &[u8]) -> Option<ClassId> {
        self.program.hierarchy.lookup(name)
    }

    fn field(
        &self,
        into: Class,
        from: Class,
        writes: bool,
        [class, name, descriptor]: [&[u8]; 3],
        widened: &mut Vec<Widened>,
    ) -> Option<()> {
        let program = self.program;
        let selector = program.selector(&[name, b":", descriptor].concat());
        let id = self.id(class)?;
        let found = selector.map(|selector| program.resolve_field(id, selector));
        let Some(Found::Program(field)) = found else {
            return self.outside(from, class);
        };
        let info = &program.fields[field];
        // A final field is written by its own class only, in the methods that make its objects.
        if writes && info.flags.has(Flags::FINAL) {
            return None;
        }
        let owner = program.name(info.class);
        let near = self.same_package(owner, program.name(into));
        if info.flags.has(Flags::PUBLIC)
            || near && !info.flags.has(Flags::PRIVATE)
            || are_nestmates(self.program, info.class, into)
        {
            return Some(());
        }
        let wanted = self.wanted(near)?;
        if self.reach.is_field_open(field) || self.is_serializable(info.class) {
            return None;
        }
        widened.push(([owner, b".", name, descriptor].concat().into(), wanted));
        Some(())
    }

    fn method(
        &mut self,
        into: Class,
        from: Class,
        (op, by_handle): (Opcode, bool),
        [class, name, descriptor]: [&[u8]; 3],
        widened: &mut Vec<Widened>,
    ) -> Option<()> {
        let program = self.program;
        let selector = program.selector(&[name, descriptor].concat());
        let id = self.id(class)?;
        let found = selector.map(|selector| program.resolve_method(id, selector));
        let Some(Found::Program(method)) = found else {
            if op == Opcode::Invokespecial && name != b"<init>" {
                return None;
            }
            return self.outside(from, class);
        };
        let info = &program.methods[method];
        let near = self.same_package(program.name(info.class), program.name(into));
        // Constructors and static methods are not overridden; members of interfaces are public or private.
        let is_fixed = info.flags.has(Flags::STATIC) || name == b"<init>";
        // What its class calls for itself, other classes call as what overrides it.
        let is_interface = program.classes[info.class].file.flags.has(Flags::INTERFACE);
        if op == Opcode::Invokespecial && !is_fixed && (is_interface || !self.is_free(method)) {
            return None;
        }
        let sees_nest = match by_handle {
            true => program.classes[into].file.major >= NEST_IN_LAMBDAS,
            false => op != Opcode::Invokespecial || name == b"<init>",
        };
        if info.flags.has(Flags::PUBLIC)
            || near && !info.flags.has(Flags::PRIVATE)
            || sees_nest && are_nestmates(self.program, info.class, into)
        {
            return Some(());
        }
        let wanted = self.wanted(near)?;
        // Who has a handle of a method does not look for it, and nothing overrides one that is fixed.
        let is_open = match is_fixed {
            true => self.reach.is_open_besides_handles(method),
            false => self.reach.is_open(method),
        };
        if is_interface || is_open || self.is_serializable(info.class) {
            return None;
        }
        // What overrides a protected method would do so if it were public.
        if !is_fixed && !info.flags.has(Flags::PROTECTED) && !self.is_free(method) {
            return None;
        }
        widened.push(([program.name(info.class), b".", name, descriptor].concat().into(), wanted));
        Some(())
    }

    /// Whether a call site may stand in a class.
    fn site(&mut self, into: Class, from: Class, site: &Site, widened: &mut Vec<Widened>) -> Option<()> {
        site.may_move().then_some(())?;
        self.types(into, site.descriptor(), widened)?;
        for part in site.arguments() {
            match part {
                Portable::Class(name) => self.class(into, name, widened)?,
                Portable::MethodType(ty) => self.types(into, ty, widened)?,
                Portable::Handle(kind, member) => self.handle(into, from, *kind, member, widened)?,
                _ => {}
            }
        }
        Some(())
    }

    /// Whether a method handle may be named in a class: one of a call that any class may make. Which method an object calls for
    /// itself or above, only its own class may ask.
    fn handle(
        &mut self,
        into: Class,
        from: Class,
        kind: u8,
        member: &Portable,
        widened: &mut Vec<Widened>,
    ) -> Option<()> {
        let Portable::Member(_, class, name, descriptor) = member else { return None };
        let op = match kind {
            5 => Opcode::Invokevirtual,
            6 => Opcode::Invokestatic,
            8 => Opcode::Invokespecial,
            9 => Opcode::Invokeinterface,
            _ => return None,
        };
        if looks_at_caller(class, name) {
            return None;
        }
        self.class(into, class, widened)?;
        self.types(into, descriptor, widened)?;
        self.method(into, from, (op, true), [class, name, descriptor], widened)
    }

    /// Whether a class may name all types of a descriptor, as it has to where that is linked.
    fn types(&self, into: Class, descriptor: &[u8], widened: &mut Vec<Widened>) -> Option<()> {
        classes_in(descriptor).try_for_each(|name| self.class(into, name, widened))
    }

    /// Whether a private method, or one that its package sees, may be visible from further away: nothing that has its
    /// name overrides it then, or is overridden by it. That holds for the names that variants of methods may get later.
    pub(crate) fn is_free(&mut self, method: Method) -> bool {
        if let Some(&known) = self.free.get(&method) {
            return known;
        }
        let found = self.finds_free(method);
        self.free.insert(method, found);
        found
    }

    fn finds_free(&self, method: Method) -> bool {
        let (program, info) = (self.program, &self.program.methods[method]);
        let own = &program.classes[info.class];
        let name = program.member_name(info.selector);
        let base = base_name(name);
        let may_have = |class: Class| {
            let has_base =
                |&method: &Method| base_name(program.member_name(program.methods[method].selector)) == base;
            program.declared_method(class, info.selector).is_some()
                || base.len() < name.len() && program.classes[class].methods.iter().any(has_base)
        };
        let is_above = |&above: &ClassId| match program.class(above) {
            None if above == program.hierarchy.object() => OF_OBJECT.contains(&name),
            Some(above) => may_have(above),
            None => {
                program.hierarchy.get(above).is_none()
                    || program.library.has_method(program.hierarchy.name(above), program.text(info.selector))
            }
        };
        let has_or_may_have = |&below: &Class| {
            below != info.class && may_have(below)
                || self.reach.is_extended(below)
                || self.reach.is_kept(below)
        };
        !own.supertypes[1..].iter().any(is_above) && !program.subtypes(own.id).iter().any(has_or_may_have)
    }

    /// Whether objects of a class may be written, so that it has a version that is computed of its members if it does
    /// not say one.
    pub(crate) fn is_serializable(&self, class: Class) -> bool {
        if !self.reach.may_write_objects() {
            return false;
        }
        let serializable = self.id(b"java/io/Serializable");
        serializable.is_some_and(|above| self.program.classes[class].supertypes.contains(&above))
    }

    /// Whether a member of a library class that a class speaks of may be spoken of elsewhere: what is not
    /// public is seen by classes below and by neighbours only.
    fn outside(&self, from: Class, class: &[u8]) -> Option<()> {
        let program = self.program;
        let id = self.id(class)?;
        let own = &program.classes[from];
        let may_be_protected = own.supertypes.contains(&id) || program.class(id).is_some();
        let is_near = self.same_package(class, program.name(from));
        (!may_be_protected && !is_near).then_some(())
    }
}
