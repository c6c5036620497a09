//! What the constants of a program say of its classes, as far as merging asks: who extends whom, who is named by texts,
//! who is named from other packages, and what the program asks about classes.

use planish_base::Id;
use planish_classfile::descriptor::Type;
use planish_classfile::{Body, ClassFile, Constant, Flags, Insn, Kind, MemberRef, Opcode, Operand};
use planish_jvm_analysis::lookups::attributes_read_by;
use planish_jvm_analysis::roots::{matches_class, with_names};
use planish_jvm_analysis::sought::Sought;
use planish_jvm_ir::code::bare_body;
use planish_jvm_model::hierarchy::Origin;
use planish_jvm_model::names::package;
use planish_jvm_model::program::{Class, Program, classes_in};
use planish_keep::Configuration;

use crate::rename::kept::class_of_text;
use crate::transform::inline::access::{counts_frames, looks_at_caller};

/// What is known of a program.
pub(super) struct Facts {
    /// By class the classes that extend it.
    pub below: Vec<Vec<Class>>,
    /// By class whether a text, a rule or a class file that stays as it is names it.
    pub is_named: Vec<bool>,
    /// By class whether a class of another package names it.
    pub is_named_afar: Vec<bool>,
    /// By class whether it calls something of the JDK that looks at its caller.
    pub shows_caller: Vec<bool>,
    /// By class whether every class that it names is one of the program or of the JDK.
    pub is_whole: Vec<bool>,
    /// By class whether it has a handle of a method that is called in a special way, and is not private.
    pub handles_super: Vec<bool>,
    /// By class whether another one says that it lies in this one.
    pub is_around: Vec<bool>,
    /// By class whether arrays of it may be made: an array is of the class that it was made for, whatever is in it.
    pub has_arrays: Vec<bool>,
    /// Whether something asks for generic types, and for classes around others.
    pub asks: (bool, bool),
    /// Whether something asks classes which ones they extend.
    pub asks_above: bool,
}

/// Class files and names that stay, whatever becomes of the program.
pub(super) struct Outside<'r> {
    pub rules: &'r Configuration,
    pub files: &'r [ClassFile<'r>],
    pub sought: &'r Sought,
}

impl Facts {
    /// Collects them. O(constants, and those of the class files outside).
    pub fn of(program: &Program<'_>, outside: &Outside<'_>) -> Facts {
        let count = program.counts()[0];
        let none = || vec![false; count];
        let mut facts = Facts {
            below: vec![Vec::new(); count],
            is_named: none(),
            is_named_afar: none(),
            shows_caller: none(),
            is_whole: vec![true; count],
            handles_super: none(),
            is_around: none(),
            has_arrays: none(),
            asks: (false, false),
            asks_above: false,
        };
        for rule in outside.rules.assume.iter().filter(|rule| rule.option == "nevermerge") {
            let is_meant = |&class: &Class| matches_class(program, &rule.classes, class, &mut Vec::new());
            program.classes.ids().filter(is_meant).for_each(|class| facts.is_named[class.index()] = true);
        }
        for (class, is_named, members) in with_names(program, outside.rules) {
            facts.is_named[class.index()] |= is_named || !members.is_empty();
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
        facts
    }

    /// Notes the classes that may become a part of another one of which a class makes arrays, or has the class of arrays.
    fn arrays(&mut self, program: &Program<'_>, class: Class) {
        let pool = &program.classes[class].file.pool;
        let element = |index: u16| {
            let name = pool.class(index).ok()?;
            let named = program.class_named(Type::parse(name).and_then(innermost).unwrap_or(name))?;
            (self.below[named.index()].len() == 1).then_some(named)
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
        made.into_iter().for_each(|class| self.has_arrays[class.index()] = true);
    }

    fn name(&mut self, program: &Program<'_>, name: &[u8]) {
        if let Some(class) = program.class_named(name) {
            self.is_named[class.index()] = true;
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
            self.below[above.index()].push(class);
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
                    named.into_iter().for_each(|named| self.is_named[named.index()] = true);
                }
                // Texts of annotations are no strings.
                Ok(Constant::Utf8(text)) if text.contains(&b'.') => {
                    let named = class_of_text(program, text);
                    named.into_iter().for_each(|named| self.is_named[named.index()] = true);
                }
                Ok(Constant::MethodHandle(7, member)) => {
                    if let Ok(member) = pool.member(member) {
                        self.handles_super[class.index()] |= !is_private(program, &member);
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
            Some(named) => self.is_named_afar[named.index()] |= package(program.name(named)) != home,
            None => {
                let element = name.iter().position(|byte| *byte != b'[').unwrap_or(0);
                let bare = match &name[element..] {
                    bare if element == 0 => bare,
                    bare => bare.strip_prefix(b"L").and_then(|bare| bare.strip_suffix(b";")).unwrap_or(b""),
                };
                let origin = program.hierarchy.lookup(bare).and_then(|id| program.hierarchy.get(id));
                let is_there = origin.is_some_and(|info| info.origin != Origin::Library);
                self.is_whole[class.index()] &= is_there || bare.is_empty();
            }
        }
    }

    fn member(&mut self, class: Class, member: &MemberRef<'_>) {
        let (generic, around) = &mut self.asks;
        for attribute in attributes_read_by(member) {
            *generic |= *attribute == "Signature";
            *around |= *attribute == "InnerClasses";
        }
        self.asks_above |= member.class == b"java/lang/Class"
            && matches!(member.name, b"getSuperclass" | b"getGenericSuperclass" | b"getAnnotatedSuperclass");
        // What links call sites looks at the class for what the site names, which is there all the same.
        let is_linker = matches!(
            member.class,
            b"java/lang/invoke/LambdaMetafactory" | b"java/lang/invoke/StringConcatFactory"
        );
        let looks = || looks_at_caller(member.class, member.name) || counts_frames(member.class, member.name);
        self.shows_caller[class.index()] |= !is_linker && looks();
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
            self.is_around[outer.index()] = true;
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
