//! Which bodies may stand in which classes.
//!
//! In its own class every body may. In another class of the same package it may speak of what that class
//! may see: public and package-private members, and private fields, constructors and static methods, which become
//! visible in their package if nothing outside of the program can tell. In other packages it may speak of public things
//! only. What depends on the class that it stands in, dynamic constants and call sites, methods of the JDK
//! that look at their caller, stays where it is.

use planish_classfile::pool::MemberKind;
use planish_classfile::{Flags, Opcode};

use crate::hierarchy::ClassId;
use crate::program::inline::portable::{Portable, PortableCode};
use crate::program::reach::Reach;
use crate::program::{Class, Found, Method, Program};

/// Answers about bodies in classes.
pub struct Access<'r, 'p, 'a> {
    reach: &'r Reach<'p, 'a>,
    program: &'p Program<'a>,
}

/// The package of a class.
fn package(class: &[u8]) -> &[u8] {
    class.iter().rposition(|byte| *byte == b'/').map_or(&[], |end| &class[..end])
}

/// Whether a method of the JDK looks at the stack, so that its caller has to keep its frame.
fn counts_frames(class: &[u8], name: &[u8]) -> bool {
    class == b"java/lang/StackWalker"
        || matches!(name, b"getStackTrace" | b"getCallerClass" | b"fillInStackTrace" | b"dumpStack")
        || (class == b"java/lang/Class" && name == b"forName")
}

/// Whether a method of the JDK may look at the class of its caller.
fn looks_at_caller(class: &[u8], name: &[u8]) -> bool {
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
    /// For a program of which is known what something outside may see.
    pub fn new(reach: &'r Reach<'p, 'a>) -> Self {
        Access { reach, program: reach.program }
    }

    /// Whether the body of a method may stand in a class: then, the private members that have to be visible
    /// in their package, by class, name and descriptor.
    pub fn allows(&self, into: Class, method: Method, code: &PortableCode) -> Option<Vec<Box<[u8]>>> {
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
            self.class(into, class.class()?)?;
        }
        for (instruction, constant) in code.constants() {
            match constant {
                Portable::Own(_) => return None,
                Portable::Class(name) => self.class(into, name)?,
                Portable::Member(kind, class, name, descriptor) => {
                    self.class(into, class)?;
                    let is_field = *kind == MemberKind::Field;
                    if is_field {
                        let writes = matches!(instruction.op, Opcode::Putfield | Opcode::Putstatic);
                        self.field(into, from, writes, [class, name, descriptor], &mut widened)?;
                    } else {
                        if looks_at_caller(class, name) {
                            return None;
                        }
                        self.method(into, from, instruction.op, [class, name, descriptor], &mut widened)?;
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
    fn class(&self, into: Class, name: &[u8]) -> Option<()> {
        let name = match name.first() {
            Some(b'[') => match crate::program::classes_in(name).next() {
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
        is_visible.then_some(())
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
        widened: &mut Vec<Box<[u8]>>,
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
        if info.flags.has(Flags::PUBLIC) || near && !info.flags.has(Flags::PRIVATE) {
            return Some(());
        }
        let is_ours = near && info.flags.has(Flags::PRIVATE) && !self.reach.is_field_open(field);
        if !is_ours || self.is_serializable(info.class) {
            return None;
        }
        widened.push([owner, b".", name, descriptor].concat().into());
        Some(())
    }

    fn method(
        &self,
        into: Class,
        from: Class,
        op: Opcode,
        [class, name, descriptor]: [&[u8]; 3],
        widened: &mut Vec<Box<[u8]>>,
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
        if !info.flags.has(Flags::PRIVATE) {
            return (info.flags.has(Flags::PUBLIC) || near).then_some(());
        }
        // Constructors and static methods are not overridden; members of interfaces are public or private.
        let is_fixed = info.flags.has(Flags::STATIC) || name == b"<init>";
        let is_interface = program.classes[info.class].file.flags.has(Flags::INTERFACE);
        if !near
            || !is_fixed
            || is_interface
            || self.reach.is_open(method)
            || self.is_serializable(info.class)
        {
            return None;
        }
        widened.push([program.name(info.class), b".", name, descriptor].concat().into());
        Some(())
    }

    /// Whether a class has a version that is computed of its members, if it does not say one.
    fn is_serializable(&self, class: Class) -> bool {
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
