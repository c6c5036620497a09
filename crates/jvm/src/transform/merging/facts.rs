//! What the constants of a program say of its classes, as far as merging asks: who extends whom, who is named by texts,
//! who is named from other packages, and what the program asks about classes. What is known of a class is a row.

use std::ops::{Index, IndexMut};

use planish_base::Id;
use planish_classfile::descriptor::Type;
use planish_classfile::{Body, ClassFile, Constant, Flags, Insn, Kind, MemberRef, Opcode, Operand};
use planish_jvm_analysis::lookups::attributes_read_by;
use planish_jvm_analysis::reach::listing::lists;
use planish_jvm_analysis::roots::{matches_class, with_names};
use planish_jvm_analysis::sought::Sought;
use planish_jvm_ir::code::bare_body;
use planish_jvm_model::hierarchy::Origin;
use planish_jvm_model::names::package;
use planish_jvm_model::program::{Class, Program, classes_in};
use planish_keep::Configuration;

use super::observed::Unobserved;
use super::superclasses::asked_above;
use crate::rename::kept::class_of_text;
use crate::transform::inline::access::{counts_frames, looks_at_caller};

/// What is known of a program.
pub(in crate::transform) struct Facts {
    classes: Vec<ClassFacts>,
    /// Whether something asks for generic types.
    pub asks_generic: bool,
    /// Whether something asks in which classes others lie.
    pub asks_around: bool,
}

/// What is known of a class.
#[derive(Clone, Default)]
pub(in crate::transform) struct ClassFacts {
    /// The classes that extend it.
    pub below: Vec<Class>,
    /// A text, a rule or a class file that stays as it is names it.
    pub is_named: bool,
    /// A class of another package names it.
    pub is_named_afar: bool,
    /// It calls something of the JDK that looks at its caller.
    pub shows_caller: bool,
    /// It names a class that is neither one of the program nor of the JDK.
    pub misses_classes: bool,
    /// It has a handle of a method that is called in a special way, and is not private.
    pub handles_super: bool,
    /// Another one says that it lies in this one.
    pub is_around: bool,
    /// Arrays of it may be made: an array is of the class that it was made for, whatever is in it.
    pub has_arrays: bool,
    /// Somebody may ask it which class it extends.
    pub is_asked_above: bool,
}

impl Index<Class> for Facts {
    type Output = ClassFacts;

    fn index(&self, class: Class) -> &ClassFacts {
        &self.classes[class.index()]
    }
}

impl IndexMut<Class> for Facts {
    fn index_mut(&mut self, class: Class) -> &mut ClassFacts {
        &mut self.classes[class.index()]
    }
}

/// Class files and names that stay, whatever becomes of the program.
pub(in crate::transform) struct Outside<'r> {
    pub rules: &'r Configuration,
    pub files: &'r [ClassFile<'r>],
    pub sought: &'r Sought,
    pub unobserved: &'r Unobserved,
}

impl Facts {
    /// Collects them. O(constants, and those of the class files outside).
    pub fn of(program: &Program<'_>, outside: &Outside<'_>) -> Facts {
        let count = program.counts()[0];
        let mut facts =
            Facts { classes: vec![ClassFacts::default(); count], asks_generic: false, asks_around: false };
        for rule in outside.rules.assume.iter().filter(|rule| rule.option == "nevermerge") {
            let is_meant = |&class: &Class| matches_class(program, &rule.classes, class, &mut Vec::new());
            program.classes.ids().filter(is_meant).for_each(|class| facts[class].is_named = true);
        }
        for (class, is_named, members) in with_names(program, outside.rules) {
            // What gives the constants of an enum is found by who has the object of the class.
            let is_found = members.iter().any(|&member| !lists(program, member));
            facts[class].is_named |= is_named || is_found;
        }
        for name in outside.sought.classes.iter().chain(&outside.sought.whole) {
            facts.name(program, name);
        }
        outside.files.iter().for_each(|file| facts.spoken_of(program, file));
        for class in program.classes.ids() {
            facts.class(program, class);
        }
        for class in program.classes.ids() {
            facts.arrays(program, class);
        }
        for (class, is_asked) in program.classes.ids().zip(asked_above(program, outside.unobserved)) {
            facts[class].is_asked_above = is_asked;
        }
        facts
    }

    /// Notes the classes that may become a part of another one of which a class makes arrays, or has the class of arrays.
    fn arrays(&mut self, program: &Program<'_>, class: Class) {
        let pool = &program.classes[class].file.pool;
        let element = |index: u16| {
            let name = pool.class(index).ok()?;
            let named = program.class_named(Type::parse(name).and_then(innermost).unwrap_or(name))?;
            (self[named].below.len() == 1).then_some(named)
        };
        if !pool.indices().any(|index| element(index).is_some()) {
            return;
        }
        let makes = |insn: &Insn| match (insn.op, &insn.operand) {
            (Opcode::Anewarray | Opcode::Ldc | Opcode::LdcW, &Operand::Constant(index)) => element(index),
            (_, &Operand::Dimensions { class, .. }) => element(class),
            _ => None,
        };
        let bodies = program.classes[class].methods.iter().filter_map(|&method| bare_body(program, method));
        let made: Vec<Class> =
            bodies.flat_map(|code| code.instructions.iter().filter_map(makes).collect::<Vec<_>>()).collect();
        made.into_iter().for_each(|class| self[class].has_arrays = true);
    }

    fn name(&mut self, program: &Program<'_>, name: &[u8]) {
        if let Some(class) = program.class_named(name) {
            self[class].is_named = true;
        }
    }

    /// A class file that stays as it is speaks of classes by names and types.
    fn spoken_of(&mut self, program: &Program<'_>, file: &ClassFile<'_>) {
        for index in file.pool.indices() {
            if let Ok(name) = file.pool.class(index) {
                self.name(program, name);
            }
            if let Ok(text) = file.pool.utf8(index) {
                classes_in(text).for_each(|name| self.name(program, name));
            }
        }
        if let Ok(name) = file.name() {
            self.name(program, name);
        }
    }

    fn class(&mut self, program: &Program<'_>, class: Class) {
        let own = &program.classes[class];
        let above = own.file.super_name().ok().flatten().and_then(|name| program.class_named(name));
        if let Some(above) = above {
            self[above].below.push(class);
        }
        if own.flaw.is_some() || own.is_opaque {
            self.spoken_of(program, &own.file);
        }
        let home = package(program.name(class));
        let pool = &own.file.pool;
        for index in pool.indices() {
            match pool.get(index) {
                Ok(Constant::Class(name)) => {
                    let Ok(name) = pool.utf8(name) else { continue };
                    self.mention(program, class, home, name);
                }
                Ok(Constant::String(text)) => {
                    let named = pool.utf8(text).ok().and_then(|text| class_of_text(program, text));
                    named.into_iter().for_each(|named| self[named].is_named = true);
                }
                // Texts of annotations are no strings.
                Ok(Constant::Utf8(text)) if text.contains(&b'.') => {
                    let named = class_of_text(program, text);
                    named.into_iter().for_each(|named| self[named].is_named = true);
                }
                Ok(Constant::MethodHandle(7, member)) => {
                    if let Ok(member) = pool.member(member) {
                        self[class].handles_super |= !is_private(program, &member);
                    }
                }
                Ok(Constant::Field(..) | Constant::Method(..) | Constant::InterfaceMethod(..)) => {
                    if let Ok(member) = pool.member(index) {
                        self.member(class, &member);
                    }
                }
                _ => {}
            }
        }
        for &method in &own.methods {
            let info = &program.methods[method];
            if info.flags.has(Flags::NATIVE) {
                classes_in(program.descriptor(info.selector)).for_each(|name| self.name(program, name));
            }
        }
        self.surroundings(program, class);
    }

    fn mention(&mut self, program: &Program<'_>, class: Class, home: &[u8], name: &[u8]) {
        match program.class_named(name) {
            Some(named) => self[named].is_named_afar |= package(program.name(named)) != home,
            None => {
                let element = name.iter().position(|byte| *byte != b'[').unwrap_or(0);
                let bare = match &name[element..] {
                    bare if element == 0 => bare,
                    bare => bare.strip_prefix(b"L").and_then(|bare| bare.strip_suffix(b";")).unwrap_or(b""),
                };
                let origin = program.hierarchy.lookup(bare).and_then(|id| program.hierarchy.get(id));
                let is_there = origin.is_some_and(|info| info.origin != Origin::Library);
                self[class].misses_classes |= !is_there && !bare.is_empty();
            }
        }
    }

    fn member(&mut self, class: Class, member: &MemberRef<'_>) {
        for attribute in attributes_read_by(member) {
            self.asks_generic |= *attribute == "Signature";
            self.asks_around |= *attribute == "InnerClasses";
        }
        // What links call sites looks at the class for what the site names, which is there all the same.
        let is_linker = matches!(
            member.class,
            b"java/lang/invoke/LambdaMetafactory" | b"java/lang/invoke/StringConcatFactory"
        );
        let looks = || looks_at_caller(member.class, member.name) || counts_frames(member.class, member.name);
        self[class].shows_caller |= !is_linker && looks();
    }

    /// The classes that a class says it lies in.
    fn surroundings(&mut self, program: &Program<'_>, class: Class) {
        let file = &program.classes[class].file;
        let own = program.name(class);
        for attribute in &file.attributes {
            match attribute.decode(&file.pool) {
                Ok(Some(Body::InnerClasses(list))) => {
                    let rows = list.iter().filter(|item| file.pool.class(item.class) == Ok(own));
                    for outer in rows.filter_map(|item| file.pool.class(item.outer).ok()) {
                        self.lies_in(program, outer);
                    }
                }
                Ok(Some(Body::EnclosingMethod { class, .. })) => {
                    if let Ok(outer) = file.pool.class(class) {
                        self.lies_in(program, outer);
                    }
                }
                _ => {}
            }
        }
    }

    fn lies_in(&mut self, program: &Program<'_>, outer: &[u8]) {
        if let Some(outer) = program.class_named(outer) {
            self[outer].is_around = true;
        }
    }
}

/// The class of which an array is, however many dimensions it has; nothing of what is no array.
fn innermost(ty: Type<'_>) -> Option<&[u8]> {
    let mut element = ty.element()?;
    while let Some(inner) = element.element() {
        element = inner;
    }
    element.class_name()
}

/// Whether a handle leads to a private method of the program.
fn is_private(program: &Program<'_>, member: &MemberRef<'_>) -> bool {
    let class = program.class_named(member.class);
    let selector = program.selector(&[member.name, member.descriptor].concat());
    let method = class.zip(selector).and_then(|(class, selector)| program.declared_method(class, selector));
    method.is_some_and(|method| program.methods[method].flags.has(Flags::PRIVATE))
}

/// Whether a class has attributes that say in which nest it is.
pub(super) fn nest(program: &Program<'_>, class: Class) -> Nest {
    let file = &program.classes[class].file;
    match file.attribute(Kind::NestHost).map(|attribute| attribute.decode(&file.pool)) {
        None if file.attribute(Kind::NestMembers).is_some() => Nest::Of(class),
        None => Nest::Alone,
        Some(Ok(Some(Body::NestHost(host)))) => {
            let host = file.pool.class(host).ok().and_then(|name| program.class_named(name));
            host.map_or(Nest::Lost, Nest::Of)
        }
        Some(_) => Nest::Lost,
    }
}

/// The nest that a class is in.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Nest {
    /// None but its own.
    Alone,
    /// That of this host.
    Of(Class),
    /// One whose host is not there.
    Lost,
}
