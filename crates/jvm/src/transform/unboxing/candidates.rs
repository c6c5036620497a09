//! Which enums may become numbers, as far as classes and constant pools say.

use std::collections::{BTreeMap, BTreeSet};

use planish_base::Id;
use planish_classfile::annotation::{Annotation, ElementValue};
use planish_classfile::attribute::BootstrapMethod;
use planish_classfile::{Attribute, Body, ClassFile, Constant, Flags, Kind, MemberRef, Opcode, Operand};
use planish_jvm_analysis::sought::Sought;
use planish_jvm_ir::code::bare_body;
use planish_jvm_model::program::{Class, Method, Program, classes_in};
use planish_keep::Configuration;
use planish_keep::attributes::KeptAttributes;

use super::constants::Constants;
use super::observed::{Enums, is_enum};
use super::place::Place;
use super::reason::{Kept, Object, Reason};
use crate::transform::merging::facts::{Facts, Outside};
use crate::transform::merging::observed::Unobserved;

/// What is around a program whose enums are to become numbers.
pub struct Around<'r> {
    /// Keep rules.
    pub rules: &'r Configuration,
    /// Which attributes stay.
    pub kept: &'r KeptAttributes,
    /// Class files that stay as they are.
    pub outside: &'r [ClassFile<'r>],
    /// What the program looks for by names.
    pub sought: &'r Sought,
    /// Classes that nothing outside looks at.
    pub unobserved: &'r Unobserved,
    /// Enums, with whether something outside looks at them.
    pub enums: &'r Enums,
    /// Methods that keep their bytes.
    pub pinned: &'r BTreeSet<Box<[u8]>>,
}

/// An enum that stays what it is, with the reason, and the place where it shows.
pub(super) type Refused = (Class, (Reason, Place));

/// The enums that may still become numbers, and why others do not.
pub(super) struct Candidates<'p, 'a> {
    pub program: &'p Program<'a>,
    /// By class its constants, if it is such an enum.
    chosen: Vec<Option<Constants>>,
    pub kept: Kept,
}

impl<'p, 'a> Candidates<'p, 'a> {
    /// Those of a program. O(constants and attributes).
    pub fn of(program: &'p Program<'a>, around: &Around<'_>) -> Self {
        let mut found = Candidates { program, chosen: Vec::new(), kept: Kept::new() };
        found.chosen.resize_with(program.counts()[0], || None);
        let facts = Facts::of(
            program,
            &Outside {
                rules: around.rules,
                files: around.outside,
                sought: around.sought,
                unobserved: around.unobserved,
            },
        );
        for class in program.classes.ids().filter(|&class| is_enum(program, class)) {
            match alone(program, class, &facts) {
                Ok(constants) => found.chosen[class.index()] = Some(constants),
                Err((reason, place)) => found.count(class, reason, place.show(program)),
            }
        }
        if found.is_empty() {
            return found;
        }
        let asks_generic = facts.asks_generic && around.kept.keeps(b"Signature");
        for class in program.classes.ids() {
            found.attributes(class, asks_generic);
            found.sites(class);
        }
        for class in found.classes() {
            match around.enums.get(program.name(class)) {
                Some(None) => {}
                Some(Some((Reason::GenericTypes, _))) if !asks_generic => {}
                Some(Some((reason, place))) => found.refuse_at(class, *reason, place.clone()),
                // It was not there before.
                None => found.refuse(class, (Reason::Outside, Place::Class(class))),
            }
            if facts[class].is_named {
                found.refuse(class, (Reason::Named, Place::Class(class)));
            }
            // From inside it somebody gets at the object of its class.
            let is_asked = facts.asks_around && around.kept.keeps(b"InnerClasses");
            if is_asked && facts[class].is_around || facts[class].shows_caller {
                found.refuse(class, (Reason::ClassObject, Place::Class(class)));
            }
        }
        for method in around.pinned {
            let end = method.iter().position(|byte| *byte == b'.').unwrap_or(0);
            if let Some(class) = program.class_named(&method[..end]) {
                for spoken_of in found.spoken_of(&program.classes[class].file) {
                    found.refuse(spoken_of, (Reason::Named, Place::Class(class)));
                }
            }
        }
        found
    }

    fn count(&mut self, class: Class, reason: Reason, place: String) {
        self.kept.push(Object { reason, name: self.program.show_class(class), place });
    }

    /// An enum stays what it is.
    pub fn refuse(&mut self, class: Class, (reason, place): (Reason, Place)) {
        self.refuse_at(class, reason, place.show(self.program));
    }

    fn refuse_at(&mut self, class: Class, reason: Reason, place: String) {
        if self.chosen[class.index()].take().is_some() {
            self.count(class, reason, place);
        }
    }

    /// One stays what it is without a reason of its own.
    pub fn leave_out(&mut self, class: Class) {
        self.chosen[class.index()] = None;
    }

    /// Whether none is left.
    pub fn is_empty(&self) -> bool {
        self.chosen.iter().all(Option::is_none)
    }

    /// Those that are left.
    pub fn classes(&self) -> Vec<Class> {
        self.program.classes.ids().filter(|class| self.chosen[class.index()].is_some()).collect()
    }

    /// The constants of an enum that becomes a number.
    pub fn get(&self, class: Class) -> Option<&Constants> {
        self.chosen[class.index()].as_ref()
    }

    /// The enum of this name, if it becomes a number.
    pub fn named(&self, name: &[u8]) -> Option<Class> {
        self.program.class_named(name).filter(|class| self.chosen[class.index()].is_some())
    }

    /// The enums that a type speaks of.
    pub fn of_type(&self, descriptor: &[u8]) -> Vec<Class> {
        classes_in(descriptor).filter_map(|name| self.named(name)).collect()
    }

    /// The enums that a class file speaks of, by their names or in types.
    pub fn spoken_of(&self, file: &ClassFile<'_>) -> BTreeSet<Class> {
        let mut found = BTreeSet::new();
        for index in file.pool.indices() {
            if let Ok(name) = file.pool.class(index) {
                found.extend(self.named(name));
            }
            if let Ok(text) = file.pool.utf8(index) {
                found.extend(self.of_type(text));
            }
        }
        found
    }

    /// Whether a static method of an enum goes with its initializer, which calls it, or is not there.
    pub fn makes_constants(&self, member: &MemberRef<'_>) -> bool {
        let Some(class) = self.named(member.class) else { return false };
        let selector = self.program.selector(&[member.name, member.descriptor].concat());
        let method = selector.and_then(|selector| self.program.declared_method(class, selector));
        let goes = |method| self.get(class).is_some_and(|constants| constants.called.contains(&method));
        method.is_none_or(goes)
    }

    fn refuse_type(&mut self, descriptor: &[u8], why: (Reason, Place)) {
        for class in self.of_type(descriptor) {
            self.refuse(class, why);
        }
    }

    /// The enums whose types and classes call sites, handles and types of methods have in a class: those of numbers are others.
    fn sites(&mut self, class: Class) {
        let file = &self.program.classes[class].file;
        let mut named = BTreeSet::new();
        let table = bootstraps(file);
        for index in file.pool.indices() {
            if matches!(file.pool.get(index), Ok(Constant::Class(_))) {
                continue;
            }
            self.of_site(file, (index, &table), &mut named);
        }
        if named.is_empty() {
            return;
        }
        let mut places: BTreeMap<Class, Place> = BTreeMap::new();
        for &method in &self.program.classes[class].methods {
            let Some(code) = bare_body(self.program, method) else { continue };
            for (at, insn) in code.instructions.iter().enumerate() {
                let (
                    Opcode::Invokedynamic | Opcode::Ldc | Opcode::LdcW | Opcode::Ldc2W,
                    &Operand::Constant(index),
                ) = (insn.op, &insn.operand)
                else {
                    continue;
                };
                let mut found = BTreeSet::new();
                self.of_site(file, (index, &table), &mut found);
                for found in found {
                    places.entry(found).or_insert_with(|| Place::of(self.program, method, at));
                }
            }
        }
        for enumeration in named {
            let place = places.get(&enumeration).copied().unwrap_or(Place::Class(class));
            self.refuse(enumeration, (Reason::Sites, place));
        }
    }

    /// The enums whose types or classes a constant has that something links.
    fn of_site(
        &self,
        file: &ClassFile<'_>,
        (index, table): (u16, &[BootstrapMethod]),
        found: &mut BTreeSet<Class>,
    ) {
        let pool = &file.pool;
        match pool.get(index) {
            Ok(Constant::MethodHandle(kind, member)) => {
                let Ok(member) = pool.member(member) else { return };
                found.extend(self.of_type(member.descriptor));
                // A static method of an enum stays what it is.
                let stays = kind == INVOKE_STATIC && !self.makes_constants(&member);
                found.extend(self.named(member.class).filter(|_| !stays));
            }
            Ok(Constant::MethodType(text)) => found.extend(self.of_type(pool.utf8(text).unwrap_or_default())),
            Ok(Constant::Dynamic(linked, _) | Constant::InvokeDynamic(linked, _)) => {
                if let Ok((_, _, descriptor)) = pool.dynamic(index) {
                    found.extend(self.of_type(descriptor));
                }
                let Some(method) = table.get(usize::from(linked)) else { return };
                for &argument in method.arguments.iter().chain([&method.handle]) {
                    match pool.get(argument) {
                        Ok(Constant::Class(_)) => {
                            let name = pool.class(argument).unwrap_or_default();
                            found.extend(self.named(name));
                            found.extend(self.of_type(name));
                        }
                        Ok(Constant::MethodHandle(..) | Constant::MethodType(_)) => {
                            self.of_site(file, (argument, table), found);
                        }
                        _ => {}
                    }
                }
            }
            _ => {}
        }
    }

    /// Attributes of a class and its members that speak of types.
    fn attributes(&mut self, class: Class, asks_generic: bool) {
        let own = &self.program.classes[class];
        let file = &own.file;
        let fields =
            file.fields.iter().zip(&own.fields).map(|(member, &field)| (member, Place::Field(field)));
        let methods = file
            .methods
            .iter()
            .zip(&own.methods)
            .map(|(member, &method)| (member, Place::Method(method, None)));
        let members = fields.chain(methods).map(|(member, place)| (&member.attributes, place));
        for (attributes, place) in members.chain([(&file.attributes, Place::Class(class))]) {
            for attribute in attributes {
                self.attribute(file, (attribute, place), asks_generic);
            }
        }
    }

    fn attribute(
        &mut self,
        file: &ClassFile<'_>,
        (attribute, place): (&Attribute<'_>, Place),
        asks_generic: bool,
    ) {
        use Body::*;
        let Ok(Some(kind)) = attribute.kind(&file.pool) else { return };
        let speaks = [
            Kind::Signature,
            Kind::Record,
            Kind::AnnotationDefault,
            Kind::RuntimeVisibleAnnotations,
            Kind::RuntimeInvisibleAnnotations,
            Kind::RuntimeVisibleParameterAnnotations,
            Kind::RuntimeInvisibleParameterAnnotations,
            Kind::RuntimeVisibleTypeAnnotations,
            Kind::RuntimeInvisibleTypeAnnotations,
        ];
        if !speaks.contains(&kind) {
            return;
        }
        let text = |index: u16| file.pool.utf8(index).unwrap_or_default();
        match attribute.decode(&file.pool) {
            // What an enum says of itself asks who has the object of its class; what a member says is asked of those that are found,
            // as all of a record are.
            Ok(Some(Signature(index))) => {
                let is_found = match place {
                    Place::Class(_) => true,
                    _ => file.attribute(Kind::Record).is_some(),
                };
                let is_own = |class: Class| matches!(place, Place::Class(own) if own == class);
                let is_asked = |class: &Class| asks_generic && is_found && !is_own(*class);
                for class in self.of_type(text(index)).into_iter().filter(is_asked) {
                    self.refuse(class, (Reason::GenericTypes, place));
                }
            }
            Ok(Some(Record(components))) => {
                for component in components {
                    self.refuse_type(text(component.descriptor), (Reason::Record, place));
                }
            }
            Ok(Some(AnnotationDefault(value))) => self.element(file, &value, place),
            Ok(Some(RuntimeVisibleAnnotations(list) | RuntimeInvisibleAnnotations(list))) => {
                list.iter().for_each(|item| self.annotation(file, item, place));
            }
            Ok(Some(
                RuntimeVisibleParameterAnnotations(lists) | RuntimeInvisibleParameterAnnotations(lists),
            )) => lists.iter().flatten().for_each(|item| self.annotation(file, item, place)),
            Ok(Some(RuntimeVisibleTypeAnnotations(list) | RuntimeInvisibleTypeAnnotations(list))) => {
                list.iter().for_each(|item| self.annotation(file, &item.annotation, place));
            }
            _ => {
                for class in self.spoken_of(file) {
                    self.refuse(class, (Reason::Annotations, place));
                }
            }
        }
    }

    fn annotation(&mut self, file: &ClassFile<'_>, annotation: &Annotation, place: Place) {
        annotation.elements.iter().for_each(|(_, value)| self.element(file, value, place));
    }

    fn element(&mut self, file: &ClassFile<'_>, value: &ElementValue, place: Place) {
        match value {
            ElementValue::Constant { .. } => {}
            ElementValue::Enum { descriptor, .. } | ElementValue::Class(descriptor) => {
                let text = file.pool.utf8(*descriptor).unwrap_or_default();
                self.refuse_type(text, (Reason::Annotations, place));
            }
            ElementValue::Annotation(annotation) => self.annotation(file, annotation, place),
            ElementValue::Array(values) => values.iter().for_each(|value| self.element(file, value, place)),
        }
    }
}

/// Whether a method of an enum, by name and type, is the one that finds a constant by its name (JLS 8.9.3).
pub(super) fn is_value_of(text: &[u8]) -> bool {
    text.starts_with(b"valueOf(Ljava/lang/String;)L")
}

/// How constant pools number handles of static methods (JVMS 4.4.8).
const INVOKE_STATIC: u8 = 6;

/// The bootstrap methods of a class file.
fn bootstraps(file: &ClassFile<'_>) -> Vec<BootstrapMethod> {
    match file.attribute(Kind::BootstrapMethods).map(|attribute| attribute.decode(&file.pool)) {
        Some(Ok(Some(Body::BootstrapMethods(list)))) => list,
        _ => Vec::new(),
    }
}

/// What can be said of an enum by itself, and of what extends it.
fn alone(program: &Program<'_>, class: Class, facts: &Facts) -> Result<Constants, (Reason, Place)> {
    let own = &program.classes[class];
    if let Some(&below) = facts[class].below.first() {
        return Err((Reason::Bodies, Place::Class(below)));
    }
    if own.file.flags.has(Flags::ABSTRACT) {
        return Err((Reason::Bodies, Place::Class(class)));
    }
    let is_lock = |&&method: &&Method| {
        let flags = program.methods[method].flags;
        flags.has(Flags::SYNCHRONIZED) && !flags.has(Flags::STATIC)
    };
    if let Some(&method) = own.methods.iter().find(is_lock) {
        return Err((Reason::Lock, Place::Method(method, None)));
    }
    if let Some(place) = initialized_with(program, class) {
        return Err((Reason::Interface, place));
    }
    Constants::of(program, class)
}

/// An interface that may do something when an enum is initialized: one with an initializer and a method that has a body (JLS 12.4.1),
/// or one of which neither is known.
fn initialized_with(program: &Program<'_>, class: Class) -> Option<Place> {
    let initializer = program.selector(b"<clinit>()V");
    program.classes[class].supertypes.iter().find_map(|&above| {
        let Some(above) = program.class(above) else {
            let is_known = program.hierarchy.name(above).starts_with(b"java/");
            return (!is_known).then_some(Place::Class(class));
        };
        let own = &program.classes[above];
        let is_default =
            |&method: &Method| !program.methods[method].flags.any(Flags::ABSTRACT | Flags::STATIC);
        let is_initialized = own.file.flags.has(Flags::INTERFACE) && own.methods.iter().any(is_default);
        let initializer = initializer.filter(|_| is_initialized)?;
        program.declared_method(above, initializer).map(|method| Place::Method(method, None))
    })
}
