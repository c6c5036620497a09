//! References that would lead to another member once a class is a part of another one.
//!
//! `A.size` may mean a field of a class above `A`, and mean that of `B` once `A` is a part of `B`, if `B` has one of this name. The
//! same is true of static methods, and of what is not there at all: a JVM throws where `A.f()` is called and only `B` has an `f`. A
//! method of objects is found by the object, so that of `B` runs in any case, if it overrides the one above.

use std::collections::BTreeMap;

use planish_base::Id;
use planish_classfile::pool::MemberKind;
use planish_classfile::{Flags, MemberRef};
use planish_jvm_model::names::package;
use planish_jvm_model::program::{Class, Found, Method, Program};

use super::members::is_of_objects;
use super::reason::Reason;

/// The classes of which members are named that another one would hide. O(constants x classes of a group).
pub(super) fn hidden(
    program: &Program<'_>,
    into: &[Option<Class>],
    groups: &BTreeMap<Class, Vec<Class>>,
) -> Vec<(Class, Reason)> {
    let mut wrong = Vec::new();
    if groups.is_empty() {
        return wrong;
    }
    for class in program.classes.ids() {
        let pool = &program.classes[class].file.pool;
        for member in pool.indices().filter_map(|index| pool.member(index).ok()) {
            let Some(named) = program.class_named(member.class) else { continue };
            let Some(target) = into[named.index()] else { continue };
            let group = || groups[&target].iter().copied().chain([target]);
            if is_hidden(program, named, &member, &group) {
                wrong.push((named, Reason::Hidden));
            }
        }
    }
    wrong
}

/// Whether another class of a group has what a reference to one of them means, or would mean if it were there.
fn is_hidden<I: Iterator<Item = Class>>(
    program: &Program<'_>,
    named: Class,
    member: &MemberRef<'_>,
    group: &dyn Fn() -> I,
) -> bool {
    let is_field = member.kind == MemberKind::Field;
    let divider: &[u8] = if is_field { b":" } else { b"" };
    let Some(selector) = program.selector(&[member.name, divider, member.descriptor].concat()) else {
        return false;
    };
    let id = program.classes[named].id;
    if is_field {
        let has = |class: Class| {
            program.classes[class].fields.iter().any(|&field| program.fields[field].selector == selector)
        };
        let found = program.resolve_field(id, selector);
        let is_inside = |class: Class| matches!(found, Found::Program(f) if program.fields[f].class == class);
        return !group().any(is_inside) && group().any(has);
    }
    let found = program.resolve_method(id, selector);
    let is_inside = |class: Class| matches!(found, Found::Program(m) if program.methods[m].class == class);
    if group().any(is_inside) {
        return false;
    }
    let others = group().filter_map(|class| program.declared_method(class, selector));
    others.into_iter().any(|other| match found {
        Found::Program(above) => !overrides(program, other, above),
        Found::Library => !is_of_objects(program, other),
        _ => true,
    })
}

/// Whether a method of objects takes the place of one above.
fn overrides(program: &Program<'_>, method: Method, above: Method) -> bool {
    let [own, other] = [method, above].map(|method| &program.methods[method]);
    let [near, far] = [own, other].map(|info| package(program.name(info.class)));
    let is_seen = other.flags.any(Flags::PUBLIC | Flags::PROTECTED) || near == far;
    is_of_objects(program, method) && is_of_objects(program, above) && is_seen
}
