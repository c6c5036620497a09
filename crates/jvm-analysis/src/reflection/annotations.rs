//! Reflection, annotations: those that a program asks for stay, whatever rules say of the rest.
//!
//! Who asks for annotations of a type has the class of that type, as a constant or loaded by its name. So one that goes
//! with all others stays from when code that runs has its type, and then what it speaks of is needed; where some may be
//! repeated, what holds them is asked for with them.

use std::collections::BTreeSet;

use planish_classfile::annotation::{Annotation, ElementValue};
use planish_classfile::{Body, ClassFile, Kind};
use planish_jvm_model::program::{Class, classes_in};
use planish_keep::attributes::is_asked_for;

use crate::reach::Reach;
use crate::reach::cause::Cause;

impl Reach<'_, '_> {
    /// The types of annotations that are asked for, as in `a/B`, and other classes that are values.
    pub fn annotations_asked_for(&self) -> &BTreeSet<Box<[u8]>> {
        &self.reflection.annotations.asked
    }

    /// Something has an annotation, which stays by itself or only if it is asked for.
    pub(super) fn annotated(&mut self, class: Class, annotation: &Annotation, stays: bool) {
        let pool = &self.program.classes[class].file.pool;
        let Some(name) = pool.utf8(annotation.descriptor).ok().and_then(|ty| classes_in(ty).next()) else {
            return;
        };
        let state = &mut self.reflection.annotations;
        match stays || is_asked_for(name, &state.asked) {
            true => self.annotation(class, annotation),
            false => state.waiting.entry(name.into()).or_default().push((class, annotation.clone())),
        }
    }

    /// Somebody has a class, which may be the type of an annotation.
    pub(super) fn asks_for_annotation(&mut self, name: &[u8]) {
        if self.kept_attributes.is_all() || !self.reflection.annotations.asked.insert(name.into()) {
            return;
        }
        for (class, annotation) in self.reflection.annotations.waiting.remove(name).unwrap_or_default() {
            self.annotation(class, &annotation);
        }
        let program = self.program;
        let holder = match program.class_named(name) {
            Some(class) => holder(&program.classes[class].file),
            None => {
                let id = program.hierarchy.lookup(name);
                let is_interface = id.is_some_and(|id| program.hierarchy.is_interface(id) == Some(true));
                let file = program.library.file(name).filter(|_| is_interface);
                file.and_then(|bytes| holder(&ClassFile::read(&bytes).ok()?))
            }
        };
        if let Some(holder) = holder {
            self.asks_for_annotation(&holder);
        }
    }

    pub(super) fn annotation(&mut self, class: Class, annotation: &Annotation) {
        let pool = &self.program.classes[class].file.pool;
        if let Ok(descriptor) = pool.utf8(annotation.descriptor) {
            classes_in(descriptor).for_each(|name| self.mention_name(name, Cause::Class(class)));
        }
        annotation.elements.iter().for_each(|(_, value)| self.element(class, value));
    }
}

/// The annotation that holds those of a type that may be repeated: what `@Repeatable` says.
fn holder(file: &ClassFile<'_>) -> Option<Vec<u8>> {
    let pool = &file.pool;
    let attribute = file.attribute(Kind::RuntimeVisibleAnnotations)?;
    let Ok(Some(Body::RuntimeVisibleAnnotations(list))) = attribute.decode(pool) else { return None };
    let is_it = |item: &&Annotation| pool.utf8(item.descriptor) == Ok(b"Ljava/lang/annotation/Repeatable;");
    let (_, value) = list.iter().find(is_it)?.elements.first()?;
    let ElementValue::Class(descriptor) = value else { return None };
    classes_in(pool.utf8(*descriptor).ok()?).next().map(<[u8]>::to_vec)
}
