//! Linkage errors (JVMS 5.4.3 and 5.4.4): methods with an instruction that cannot be linked.
//!
//! Of classes that were compiled at different times, one may name what is not any more what it was: a class that is
//! abstract by now, a field that has become static, a method that has become private. Such an instruction throws once it
//! is reached, and no sooner (The Java Virtual Machine Specification, 5.4.3 and 5.4.4). Whatever is known of what it names
//! would be wrong there: a body in the place of the call would run, a field that nobody reads would go with the read that
//! throws. So a method with such an instruction keeps its bytes, nothing is concluded from them, and what they name keeps
//! its flags, since an instruction that names what became visible would be linked.
//!
//! A class that extends what is final by now, implements what is no interface, or overrides a final method is never there
//! at all: neither its methods nor those that name it are what they seem to be.
//!
//! What is missing is not looked for: nothing is known of that anyway. Neither is what a program names of libraries.

use std::collections::BTreeSet;

use planish_base::Id;
use planish_classfile::{Flags, MemberRef, Opcode};
use planish_jvm_model::hierarchy::ClassId;
use planish_jvm_model::names::package;
use planish_jvm_model::program::{Class, Found, Method, Program, classes_in};
use planish_jvm_model::uses::{Scanner, Use};
use planish_jvm_model::visibility::{is_linked, is_visible};

/// What is not linked.
#[derive(Default)]
pub struct Unlinked {
    /// Methods that name what they do not see, or what is of another kind than they say, by class, name and descriptor, as
    /// in `a/B.run()V`.
    pub methods: BTreeSet<Box<[u8]>>,
    /// Classes that no JVM loads, by name.
    pub classes: BTreeSet<Box<[u8]>>,
}

impl Unlinked {
    /// Finds what is not linked in a program. O(instructions, and for each method the classes above).
    pub fn of(program: &Program<'_>) -> Self {
        let linker = Linker { program, is_refused: refused(program) };
        let mut unlinked = Unlinked::default();
        for class in program.classes.ids() {
            let own = &program.classes[class];
            if linker.is_refused[class.index()] {
                unlinked.classes.insert(program.name(class).into());
                continue;
            }
            // Of what cannot be scanned nothing is concluded anyway.
            let Ok(scanner) = Scanner::new(&own.file) else { continue };
            for &method in &own.methods {
                let info = &program.methods[method];
                let mut is_linked = true;
                // What stands behind the instructions is for the verifier, which looks at no flags, or handlers.
                let mut see = |at, found: Use<'_>| is_linked &= at == u32::MAX || linker.links(class, &found);
                let scanned = scanner.method(&own.file.methods[usize::from(info.place)], &mut see);
                if scanned.is_ok() && !is_linked {
                    let name = [program.name(class), b".", program.text(info.selector)].concat();
                    unlinked.methods.insert(name.into());
                }
            }
        }
        unlinked
    }
}

/// By class whether no JVM loads it.
fn refused(program: &Program<'_>) -> Vec<bool> {
    let mut is_refused = vec![false; program.counts()[0]];
    for class in program.classes.ids() {
        if !may_be_loaded(program, class) {
            // Nor is what extends it.
            program
                .subtypes(program.classes[class].id)
                .iter()
                .for_each(|&below| is_refused[below.index()] = true);
        }
    }
    is_refused
}

/// Whether the classes above a class let it extend them, as far as they are of the program.
fn may_be_loaded(program: &Program<'_>, class: Class) -> bool {
    let own = &program.classes[class];
    let Some(info) = program.hierarchy.get(own.id) else { return true };
    let may_extend = |above: ClassId, as_interface: bool| {
        program.class(above).is_none_or(|above| {
            let flags = program.classes[above].file.flags;
            flags.has(Flags::INTERFACE) == as_interface
                && !flags.has(Flags::FINAL)
                && (flags.has(Flags::PUBLIC) || are_neighbours(program, above, class))
        })
    };
    info.super_class.is_none_or(|above| may_extend(above, false))
        && info.interfaces.iter().all(|&above| may_extend(above, true))
        && !own.methods.iter().any(|&method| overrides_final(program, method))
}

fn are_neighbours(program: &Program<'_>, one: Class, other: Class) -> bool {
    package(program.name(one)) == package(program.name(other))
}

/// Whether a method overrides a final one.
fn overrides_final(program: &Program<'_>, method: Method) -> bool {
    let info = &program.methods[method];
    if info.flags.any(Flags::STATIC | Flags::PRIVATE) || program.member_name(info.selector).starts_with(b"<")
    {
        return false;
    }
    let above = program.hierarchy.ancestors(program.classes[info.class].id).skip(1);
    above.filter_map(|above| program.class(above)).any(|above| {
        program.declared_method(above, info.selector).is_some_and(|overridden| {
            let flags = program.methods[overridden].flags;
            flags.has(Flags::FINAL)
                && !flags.any(Flags::STATIC | Flags::PRIVATE)
                && (flags.any(Flags::PUBLIC | Flags::PROTECTED) || are_neighbours(program, above, info.class))
        })
    })
}

/// Links what methods name.
struct Linker<'p, 'a> {
    program: &'p Program<'a>,
    is_refused: Vec<bool>,
}

impl Linker<'_, '_> {
    /// Whether what a class names is what it says, as far as that is of the program.
    fn links(&self, caller: Class, found: &Use<'_>) -> bool {
        match *found {
            Use::New(name) => self.sees(caller, name) && self.has_objects(name),
            Use::Class(name) | Use::ClassConstant(name) => match name.first() {
                Some(b'[') => classes_in(name).all(|name| self.sees(caller, name)),
                _ => self.sees(caller, name),
            },
            Use::Field(op, member) => self.links_field(caller, op, &member),
            Use::Call(op, member) => self.links_method(caller, op, &member),
            Use::Handle(kind, member) => match kind {
                1 => self.links_field(caller, Opcode::Getfield, &member),
                2 => self.links_field(caller, Opcode::Getstatic, &member),
                3 => self.links_field(caller, Opcode::Putfield, &member),
                4 => self.links_field(caller, Opcode::Putstatic, &member),
                6 => self.links_method(caller, Opcode::Invokestatic, &member),
                7 => self.links_method(caller, Opcode::Invokespecial, &member),
                8 => {
                    self.has_objects(member.class)
                        && self.links_method(caller, Opcode::Invokespecial, &member)
                }
                9 => self.links_method(caller, Opcode::Invokeinterface, &member),
                _ => self.links_method(caller, Opcode::Invokevirtual, &member),
            },
            Use::Lambda(_) | Use::MethodType(_) | Use::String(_) => true,
        }
    }

    /// Whether a class may be named.
    fn sees(&self, caller: Class, name: &[u8]) -> bool {
        self.program.class_named(name).is_none_or(|class| {
            let is_public = self.program.classes[class].file.flags.has(Flags::PUBLIC);
            !self.is_refused[class.index()] && (is_public || are_neighbours(self.program, class, caller))
        })
    }

    /// Whether objects of a class may be made.
    fn has_objects(&self, name: &[u8]) -> bool {
        let flags = |class: Class| self.program.classes[class].file.flags;
        self.program
            .class_named(name)
            .is_none_or(|class| !flags(class).any(Flags::ABSTRACT | Flags::INTERFACE))
    }

    fn links_field(&self, caller: Class, op: Opcode, member: &MemberRef<'_>) -> bool {
        let program = self.program;
        if !self.sees(caller, member.class) {
            return false;
        }
        let selector = program.selector(&[member.name, b":", member.descriptor].concat());
        let named = program.class_named(member.class).zip(selector);
        let found = named.map(|(class, selector)| program.resolve_field(program.classes[class].id, selector));
        let Some(Found::Program(field)) = found else { return true };
        let info = &program.fields[field];
        let is_static = matches!(op, Opcode::Getstatic | Opcode::Putstatic);
        let writes = matches!(op, Opcode::Putfield | Opcode::Putstatic);
        info.flags.has(Flags::STATIC) == is_static
            && is_visible(program, caller, info)
            && !(writes && info.flags.has(Flags::FINAL) && info.class != caller)
    }

    fn links_method(&self, caller: Class, op: Opcode, member: &MemberRef<'_>) -> bool {
        let program = self.program;
        if member.class.first() == Some(&b'[') {
            return true;
        }
        if !self.sees(caller, member.class) {
            return false;
        }
        let selector = program.selector(&[member.name, member.descriptor].concat());
        let Some((named, selector)) = program.class_named(member.class).zip(selector) else { return true };
        let found = program.resolve_method(program.classes[named].id, selector);
        let Found::Program(method) = found else { return true };
        let info = &program.methods[method];
        // Constructors are not inherited.
        (member.name != b"<init>" || info.class == named)
            && info.flags.has(Flags::STATIC) == (op == Opcode::Invokestatic)
            && is_linked(program, caller, (op, member.kind), (named, found))
    }
}
