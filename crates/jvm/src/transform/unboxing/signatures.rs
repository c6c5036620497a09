//! Types and names of members in which enums became numbers.
//!
//! `f(E)` becomes `f(int)`. All methods that override each other have one name and type, and so they have afterwards: the new
//! name goes by the old name and type alone. It is the old name, unless some member has that with the new type already, or
//! something above a class may.

use std::collections::BTreeMap;

use hashbrown::{HashMap, HashSet};
use planish_classfile::rename::{NewNames, new_descriptor};
use planish_classfile::{ClassFile, Flags, MemberRef};
use planish_jvm_model::program::{Class, MemberInfo, Method, Program, Selector};
use rustc_hash::FxBuildHasher;

use super::candidates::{Candidates, Refused};
use super::helpers::{Called, Helper};
use super::place::Place;
use super::reason::Reason;

/// Names and types that are taken.
type Taken = HashSet<Vec<u8>, FxBuildHasher>;

/// What members are called by whom a type changes.
#[derive(Default)]
pub(super) struct Signatures {
    /// New names, by old names and types.
    names: HashMap<Box<[u8]>, Box<[u8]>, FxBuildHasher>,
    /// Names and types of methods of enums, which are static now.
    pub statics: BTreeMap<Method, Called>,
    /// Names and types of helpers.
    pub helpers: BTreeMap<(Class, Helper), Called>,
}

/// The types of enums that become numbers, for descriptors.
pub(super) struct Numbers<'n, 'p, 'a> {
    pub enums: &'n Candidates<'p, 'a>,
    pub signatures: &'n Signatures,
}

impl NewNames for Numbers<'_, '_, '_> {
    fn class(&self, _: &[u8]) -> Option<&[u8]> {
        None
    }

    fn member(&self, member: &MemberRef<'_>) -> Option<&[u8]> {
        let separator: &[u8] = if member.descriptor.starts_with(b"(") { b"" } else { b":" };
        let text = [member.name, separator, member.descriptor].concat();
        self.signatures.names.get(&text[..]).map(|name| &name[..])
    }

    fn site(&self, _: &ClassFile<'_>, _: u16, _: &[u8], _: &[u8]) -> Option<&[u8]> {
        None
    }

    fn string(&self, _: &[u8]) -> Option<Vec<u8>> {
        None
    }

    fn primitive(&self, name: &[u8]) -> Option<u8> {
        self.enums.named(name).map(|_| b'I')
    }
}

impl Numbers<'_, '_, '_> {
    /// What a member is called, if its type changes, with the new name and type in one text.
    pub fn selector(&self, program: &Program<'_>, selector: Selector) -> Option<Vec<u8>> {
        let (text, ty) = (program.text(selector), program.descriptor(selector));
        let new = new_descriptor(ty, self)?;
        let name = self.signatures.names.get(text).map_or(program.member_name(selector), |name| name);
        Some(joined(name, &new))
    }
}

/// A name and a type in one text.
fn joined(name: &[u8], ty: &[u8]) -> Vec<u8> {
    let separator: &[u8] = if ty.starts_with(b"(") { b"" } else { b":" };
    [name, separator, ty].concat()
}

/// The first of `name`, `name$1`, `name$2`, ... that is free.
fn free(name: &[u8], is_free: impl Fn(&[u8]) -> bool) -> Box<[u8]> {
    let mut tried = name.to_vec();
    let mut number = 0;
    while !is_free(&tried) {
        number += 1;
        tried = [name, format!("${number}").as_bytes()].concat();
    }
    tried.into()
}

impl Signatures {
    /// What members are called, or the enums for which two constructors would get one type. O(members).
    pub fn of(enums: &Candidates<'_, '_>) -> Result<Signatures, Vec<Refused>> {
        let program = enums.program;
        let mut made = Signatures::default();
        let changed = changed(enums);
        let mut wrong = Vec::new();
        let mut taken: Taken = HashSet::default();
        for (selector, infos) in &changed {
            let text = program.text(*selector);
            let name = program.member_name(*selector);
            let numbers = Numbers { enums, signatures: &made };
            let Some(ty) = new_descriptor(program.descriptor(*selector), &numbers) else { continue };
            if name == b"<init>" {
                wrong.extend(constructors(enums, infos, &joined(name, &ty), &changed));
                continue;
            }
            let has_library = infos.iter().any(|info| has_library(program, info.class));
            let is_free = |tried: &[u8]| {
                let text = joined(tried, &ty);
                program.selector(&text).is_none()
                    && !taken.contains(&text)
                    && (tried != name || !has_library || !ty.starts_with(b"("))
            };
            let new = free(name, is_free);
            taken.insert(joined(&new, &ty));
            if *new != *name {
                made.names.insert(text.into(), new);
            }
        }
        if !wrong.is_empty() {
            return Err(wrong);
        }
        enums.classes().into_iter().for_each(|class| made.enumeration(enums, class, &taken));
        Ok(made)
    }

    /// The names of static methods of an enum: those of its constants, and helpers.
    fn enumeration(&mut self, enums: &Candidates<'_, '_>, class: Class, taken: &Taken) {
        let program = enums.program;
        let mut own: Taken = HashSet::default();
        for &method in &program.classes[class].methods {
            let info = &program.methods[method];
            let name = program.member_name(info.selector);
            if info.flags.has(Flags::STATIC) || name == b"<init>" {
                continue;
            }
            let old = program.descriptor(info.selector);
            let ty =
                new_descriptor(old, &Numbers { enums, signatures: self }).unwrap_or_else(|| old.to_vec());
            let ty = [b"(I", &ty[1..]].concat();
            let new = free(name, |tried| is_free(program, class, (taken, &own), &joined(tried, &ty)));
            own.insert(joined(&new, &ty));
            self.statics.insert(method, (new, ty.into()));
        }
        let Some(constants) = enums.get(class) else { return };
        for helper in Helper::of_enum(constants) {
            let (name, ty) = helper.selector(constants);
            let new = free(&name, |tried| is_free(program, class, (taken, &own), &joined(tried, &ty)));
            own.insert(joined(&new, &ty));
            self.helpers.insert((class, helper), (new, ty));
        }
    }
}

/// Whether an enum has no method that is called so.
fn is_free(program: &Program<'_>, class: Class, (taken, own): (&Taken, &Taken), text: &[u8]) -> bool {
    let declared = program.selector(text).and_then(|selector| program.declared_method(class, selector));
    declared.is_none() && !taken.contains(text) && !own.contains(text)
}

/// The members whose types change, by name and type.
fn changed<'p>(enums: &Candidates<'p, '_>) -> BTreeMap<Selector, Vec<&'p MemberInfo>> {
    let program = enums.program;
    let mut changed: BTreeMap<Selector, Vec<&MemberInfo>> = BTreeMap::new();
    for info in program.methods.values().chain(program.fields.values()) {
        if !enums.of_type(program.descriptor(info.selector)).is_empty() {
            changed.entry(info.selector).or_default().push(info);
        }
    }
    changed
}

/// The enums of constructors that would get a type that another one of their class has.
fn constructors(
    enums: &Candidates<'_, '_>,
    infos: &[&MemberInfo],
    new: &[u8],
    changed: &BTreeMap<Selector, Vec<&MemberInfo>>,
) -> Vec<Refused> {
    let program = enums.program;
    let mut wrong = Vec::new();
    let unnamed = Signatures::default();
    let numbers = Numbers { enums, signatures: &unnamed };
    for info in infos {
        let is_same = |&method: &Method| {
            let other = program.methods[method].selector;
            other != info.selector
                && match changed.contains_key(&other) {
                    true => numbers.selector(program, other).is_some_and(|text| text == new),
                    false => program.text(other) == new,
                }
        };
        if program.classes[info.class].methods.iter().any(is_same) {
            let of_type = enums.of_type(program.descriptor(info.selector));
            let why = (Reason::Overloads, Place::Class(info.class));
            wrong.extend(of_type.into_iter().map(|class| (class, why)));
        }
    }
    wrong
}

/// Whether a class has something above it that is not of the program, but for `Object` and `Enum`.
fn has_library(program: &Program<'_>, class: Class) -> bool {
    let is_other = |&&id: &&_| {
        let name = program.hierarchy.name(id);
        program.class(id).is_none() && name != b"java/lang/Object" && name != b"java/lang/Enum"
    };
    program.classes[class].supertypes.iter().any(|id| is_other(&id))
}
