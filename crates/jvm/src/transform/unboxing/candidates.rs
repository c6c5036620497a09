//! Which enums may become numbers, as far as classes and constant pools say.

use std::collections::BTreeSet;

use planish_base::Id;
use planish_classfile::annotation::{Annotation, ElementValue};
use planish_classfile::{Attribute, Body, ClassFile, Constant, Flags, Kind};
use planish_jvm_analysis::sought::Sought;
use planish_jvm_model::program::{Class, Program, classes_in};
use planish_keep::Configuration;
use planish_keep::attributes::KeptAttributes;

use super::constants::Constants;
use super::observed::{Enums, observed};
use super::reason::{Kept, Reason};
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
        let observed = observed(program, around.enums);
        for class in program.classes.ids() {
            match observed[class.index()] {
                None => {}
                Some(true) => found.count(class, Reason::Observed),
                Some(false) => match alone(program, class) {
                    Ok(constants) => found.chosen[class.index()] = Some(constants),
                    Err(reason) => found.count(class, reason),
                },
            }
        }
        if found.is_empty() {
            return found;
        }
        let outside = Outside {
            rules: around.rules,
            files: around.outside,
            sought: around.sought,
            unobserved: around.unobserved,
        };
        let facts = Facts::of(program, &outside);
        for class in found.classes() {
            if facts[class].is_named {
                found.refuse(class, Reason::Named);
            } else if !facts[class].below.is_empty() {
                found.refuse(class, Reason::Bodies);
            }
        }
        for method in around.pinned {
            let end = method.iter().position(|byte| *byte == b'.').unwrap_or(0);
            if let Some(class) = program.class_named(&method[..end]) {
                found.mentioned(&program.classes[class].file, Reason::Named);
            }
        }
        for class in program.classes.ids() {
            found.constants(&program.classes[class].file);
            found.attributes(
                &program.classes[class].file,
                facts.asks_generic && around.kept.keeps(b"Signature"),
            );
        }
        found
    }

    fn count(&mut self, class: Class, reason: Reason) {
        self.kept.entry(reason).or_insert_with(|| (0, self.program.show_class(class))).0 += 1;
    }

    /// An enum stays what it is.
    pub fn refuse(&mut self, class: Class, reason: Reason) {
        if self.chosen[class.index()].take().is_some() {
            self.count(class, reason);
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

    /// All that a class file speaks of stay what they are.
    pub fn mentioned(&mut self, file: &ClassFile<'_>, reason: Reason) {
        for class in self.spoken_of(file) {
            self.refuse(class, reason);
        }
    }

    fn refuse_type(&mut self, descriptor: &[u8], reason: Reason) {
        for class in self.of_type(descriptor) {
            self.refuse(class, reason);
        }
    }

    /// Constants whose types cannot be those of numbers: those of call sites and handles.
    fn constants(&mut self, file: &ClassFile<'_>) {
        let pool = &file.pool;
        for index in pool.indices() {
            let Ok(constant) = pool.get(index) else { continue };
            match constant {
                Constant::MethodHandle(_, member) => {
                    let Ok(member) = pool.member(member) else { continue };
                    self.refuse_type(member.descriptor, Reason::Sites);
                    if let Some(class) = self.named(member.class) {
                        self.refuse(class, Reason::Sites);
                    }
                }
                Constant::MethodType(text) => {
                    if let Ok(text) = pool.utf8(text) {
                        self.refuse_type(text, Reason::Sites);
                    }
                }
                Constant::Dynamic(..) | Constant::InvokeDynamic(..) => {
                    if let Ok((_, _, descriptor)) = pool.dynamic(index) {
                        self.refuse_type(descriptor, Reason::Sites);
                    }
                }
                _ => {}
            }
        }
    }

    /// Attributes of a class and its members that speak of types.
    fn attributes(&mut self, file: &ClassFile<'_>, asks_generic: bool) {
        let members = file.fields.iter().chain(&file.methods).map(|member| &member.attributes);
        for attribute in members.chain([&file.attributes]).flatten() {
            self.attribute(file, attribute, asks_generic);
        }
    }

    fn attribute(&mut self, file: &ClassFile<'_>, attribute: &Attribute<'_>, asks_generic: bool) {
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
            Ok(Some(Signature(index))) => {
                if asks_generic {
                    self.refuse_type(text(index), Reason::GenericTypes);
                }
            }
            Ok(Some(Record(components))) => {
                for component in components {
                    self.refuse_type(text(component.descriptor), Reason::Sites);
                }
            }
            Ok(Some(AnnotationDefault(value))) => self.element(file, &value),
            Ok(Some(RuntimeVisibleAnnotations(list) | RuntimeInvisibleAnnotations(list))) => {
                list.iter().for_each(|item| self.annotation(file, item));
            }
            Ok(Some(
                RuntimeVisibleParameterAnnotations(lists) | RuntimeInvisibleParameterAnnotations(lists),
            )) => lists.iter().flatten().for_each(|item| self.annotation(file, item)),
            Ok(Some(RuntimeVisibleTypeAnnotations(list) | RuntimeInvisibleTypeAnnotations(list))) => {
                list.iter().for_each(|item| self.annotation(file, &item.annotation));
            }
            _ => self.mentioned(file, Reason::Annotations),
        }
    }

    fn annotation(&mut self, file: &ClassFile<'_>, annotation: &Annotation) {
        annotation.elements.iter().for_each(|(_, value)| self.element(file, value));
    }

    fn element(&mut self, file: &ClassFile<'_>, value: &ElementValue) {
        match value {
            ElementValue::Constant { .. } => {}
            ElementValue::Enum { descriptor, .. } | ElementValue::Class(descriptor) => {
                let text = file.pool.utf8(*descriptor).unwrap_or_default();
                self.refuse_type(text, Reason::Annotations);
            }
            ElementValue::Annotation(annotation) => self.annotation(file, annotation),
            ElementValue::Array(values) => values.iter().for_each(|value| self.element(file, value)),
        }
    }
}

/// What can be said of an enum by itself.
fn alone(program: &Program<'_>, class: Class) -> Result<Constants, Reason> {
    let own = &program.classes[class];
    if own.file.flags.has(Flags::ABSTRACT) {
        return Err(Reason::Bodies);
    }
    let is_lock = |&method: &_| {
        let info: &planish_jvm_model::program::MemberInfo = &program.methods[method];
        info.flags.has(Flags::SYNCHRONIZED) && !info.flags.has(Flags::STATIC)
    };
    if own.methods.iter().any(is_lock) {
        return Err(Reason::Lock);
    }
    Constants::of(program, class)
}
