//! Enums that something other than instructions of the program may look at: those stay what they are.

use std::collections::BTreeMap;

use planish_base::Id;
use planish_classfile::Flags;
use planish_jvm_analysis::reach::Reach;
use planish_jvm_analysis::reach::cause::Root;
use planish_jvm_model::program::{Class, MemberInfo, Program, classes_in};
use planish_keep::Configuration;

/// The class that all enums extend.
pub(super) const ENUM: &[u8] = b"java/lang/Enum";

/// The names of the enums of a program, each with whether something outside may look at it.
pub type Enums = BTreeMap<Box<[u8]>, bool>;

/// Whether a class is an enum, and not that of a constant with a body of its own.
pub(super) fn is_enum(program: &Program<'_>, class: Class) -> bool {
    let file = &program.classes[class].file;
    file.flags.has(Flags::ENUM) && file.super_name() == Ok(Some(ENUM))
}

/// The enums that are there. O(program).
pub fn enums(reach: &Reach<'_, '_>, rules: &Configuration) -> Enums {
    let program = reach.program;
    let mut found = Enums::new();
    for class in program.classes.ids() {
        if reach.is_needed(class) && is_enum(program, class) {
            found.insert(program.name(class).into(), is_seen(reach, class));
        }
    }
    if found.is_empty() {
        return found;
    }
    let see = |info: &MemberInfo, found: &mut Enums| {
        for name in classes_in(program.descriptor(info.selector)) {
            if let Some(is_seen) = found.get_mut(name) {
                *is_seen = true;
            }
        }
    };
    // What may be called, read or written from outside, by its type.
    for method in program.methods.ids() {
        let info = &program.methods[method];
        let is_annotation = program.classes[info.class].file.flags.has(Flags::ANNOTATION);
        if reach.is_open(method)
            || is_annotation
            || info.flags.has(Flags::NATIVE)
            || program.hides_body(method)
        {
            see(info, &mut found);
        }
    }
    for field in program.fields.ids().filter(|&field| reach.is_field_open(field)) {
        see(&program.fields[field], &mut found);
    }
    for (_, class, member) in reach.kept_by_rules(rules) {
        match member {
            Some(Root::Method(method)) => see(&program.methods[method], &mut found),
            Some(Root::Field(field)) => see(&program.fields[field], &mut found),
            None => {}
        }
        if let Some(is_seen) = found.get_mut(program.name(class)) {
            *is_seen = true;
        }
    }
    found
}

/// Whether somebody may have a constant, the object of the class, or call its methods, other than by instructions.
fn is_seen(reach: &Reach<'_, '_>, class: Class) -> bool {
    let (program, own) = (reach.program, &reach.program.classes[class]);
    let is_open = |&method: &_| {
        let name = program.member_name(program.methods[method].selector);
        name != b"<clinit>" && reach.is_open(method) || program.hides_body(method)
    };
    own.is_opaque
        || own.flaw.is_some()
        || reach.is_kept(class)
        || reach.is_extended_by_name(class)
        || reach.is_value(class)
        // Every enum can be written, as a part of other objects, too.
        || reach.may_write_objects()
        || own.methods.iter().any(is_open)
        || own.fields.iter().any(|&field| reach.is_field_open(field))
}

/// By class whether it is an enum that something outside may look at. Those that were not there before are none.
pub(super) fn observed(program: &Program<'_>, enums: &Enums) -> Vec<Option<bool>> {
    let mut found = vec![None; program.counts()[0]];
    for class in program.classes.ids().filter(|&class| is_enum(program, class)) {
        found[class.index()] = Some(enums.get(program.name(class)).copied().unwrap_or(true));
    }
    found
}
