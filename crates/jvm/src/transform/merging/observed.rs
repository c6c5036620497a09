//! Which classes something other than instructions of the program may look at: those stay what they are.

use std::collections::BTreeSet;

use planish_base::Id;
use planish_classfile::{Flags, Kind};
use planish_jvm_analysis::reach::Reach;
use planish_jvm_model::program::{Class, Program};
use planish_keep::Configuration;
use planish_keep::attributes::{KeptAttributes, is_asked_for};

/// The names of classes of which nothing but instructions of the program tells what they are.
#[derive(Clone, Default)]
pub struct Unobserved {
    /// Those that may become a part of another class: nobody has an instance of exactly such a class, or its class object.
    pub goes: BTreeSet<Box<[u8]>>,
    /// Those that may get the members of another one.
    pub gets: BTreeSet<Box<[u8]>>,
}

/// The classes that nothing outside looks at. O(program).
pub fn unobserved(reach: &Reach<'_, '_>, rules: &Configuration) -> Unobserved {
    let program = reach.program;
    let mut is_kept = vec![false; program.counts()[0]];
    for (_, class, _) in reach.kept_by_rules(rules) {
        is_kept[class.index()] = true;
    }
    let mut found = Unobserved::default();
    for class in program.classes.ids() {
        if is_kept[class.index()] || !is_plain(reach, class) {
            continue;
        }
        found.gets.insert(program.name(class).into());
        if is_nowhere_seen(reach, class) {
            found.goes.insert(program.name(class).into());
        }
    }
    found
}

/// Whether a class is needed, has no body that stays as it is, and is neither written as an object nor extended outside.
fn is_plain(reach: &Reach<'_, '_>, class: Class) -> bool {
    let (program, own) = (reach.program, &reach.program.classes[class]);
    let others = Flags::ANNOTATION | Flags::ENUM | Flags::MODULE;
    let is_native = |method| program.methods[method].flags.has(Flags::NATIVE);
    reach.is_needed(class)
        && !own.is_opaque
        && own.flaw.is_none()
        && !own.file.flags.any(others)
        && own.file.attribute(Kind::Record).is_none()
        && !reach.is_extended_by_name(class)
        && !reach.is_kept(class)
        && !is_written(reach, class)
        && !own.methods.iter().any(|&method| is_native(method) || program.hides_body(method))
}

/// Whether objects of a class may be written, which says all classes above.
pub(in crate::transform) fn is_written(reach: &Reach<'_, '_>, class: Class) -> bool {
    let serializable = reach.program.hierarchy.lookup(b"java/io/Serializable");
    let above = &reach.program.classes[class].supertypes;
    reach.may_write_objects() && serializable.is_some_and(|serializable| above.contains(&serializable))
}

/// Whether nobody has an instance or the object of a class, or finds its members by reflection.
fn is_nowhere_seen(reach: &Reach<'_, '_>, class: Class) -> bool {
    let (program, own) = (reach.program, &reach.program.classes[class]);
    // An initializer the JVM runs: whether it may be another one's is asked for itself.
    let is_bound = |name: &[u8], flags: Flags| {
        name == b"<init>" || name != b"<clinit>" && flags.any(Flags::STATIC | Flags::PRIVATE)
    };
    let is_found = |&method: &_| {
        let info = &program.methods[method];
        let name = program.member_name(info.selector);
        let is_made = name == b"<init>" && reach.is_open(method);
        is_made || is_bound(name, info.flags) && reach.is_open_besides_handles(method)
    };
    !reach.has_instances(class)
        && !reach.is_value(class)
        && !own.methods.iter().any(is_found)
        && !own.fields.iter().any(|&field| reach.is_field_open(field))
}

/// Whether a program may find annotations of a class.
pub(super) fn has_annotations(
    program: &Program<'_>,
    class: Class,
    (kept, asked): (&KeptAttributes, &BTreeSet<Box<[u8]>>),
) -> bool {
    let file = &program.classes[class].file;
    let kinds = [Kind::RuntimeVisibleAnnotations, Kind::RuntimeVisibleTypeAnnotations];
    let is_there = |kind: &Kind| {
        let Some(attribute) = file.attribute(*kind) else { return false };
        let is_asked = |index| {
            let name = file.pool.utf8(index).ok().and_then(|ty| ty.strip_prefix(b"L")?.strip_suffix(b";"));
            name.is_none_or(|name| is_asked_for(name, asked))
        };
        kept.keeps(kind.name())
            || match attribute.decode(&file.pool) {
                Ok(Some(planish_classfile::Body::RuntimeVisibleAnnotations(list))) => {
                    list.iter().any(|annotation| is_asked(annotation.descriptor))
                }
                _ => true,
            }
    };
    kinds.iter().any(is_there)
}
