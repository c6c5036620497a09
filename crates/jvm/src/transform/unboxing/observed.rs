//! Enums that something other than instructions of the program may look at: those stay what they are.

use std::collections::BTreeMap;

use planish_classfile::{Body, Flags, Kind};
use planish_jvm_analysis::reach::Reach;
use planish_jvm_analysis::reach::cause::Root;
use planish_jvm_analysis::reach::listing::lists;
use planish_jvm_model::program::{Class, Field, Method, Program, classes_in};
use planish_keep::Configuration;

use super::place::Place;
use super::reason::Reason;
use crate::transform::merging::observed::is_written;

/// The class that all enums extend.
pub(super) const ENUM: &[u8] = b"java/lang/Enum";

/// The names of the enums of a program, each with what outside may look at it, and where that shows.
pub type Enums = BTreeMap<Box<[u8]>, Option<(Reason, String)>>;

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
            found.insert(program.name(class).into(), None);
        }
    }
    if found.is_empty() {
        return found;
    }
    let kept = kept(reach, rules);
    for &(class, place) in &kept {
        see(program, Reason::Rule, place, &mut found);
        note(program, program.name(class), (Reason::Rule, place), &mut found);
    }
    for class in program.classes.ids() {
        if let Some(None) = found.get(program.name(class))
            && let Some(seen) = seen(reach, class)
        {
            note(program, program.name(class), seen, &mut found);
        }
    }
    let open = open(reach);
    for &(reason, place) in &open {
        see(program, reason, place, &mut found);
    }
    // Last of all, since it is no reason where nobody asks for generic types.
    for place in kept.into_iter().map(|(_, place)| place).chain(open.into_iter().map(|(_, place)| place)) {
        for name in classes_in(generic_type(program, place).unwrap_or_default()) {
            note(program, name, (Reason::GenericTypes, place), &mut found);
        }
    }
    found
}

/// What rules keep, with its class, but for what who has the object of the class finds.
fn kept(reach: &Reach<'_, '_>, rules: &Configuration) -> Vec<(Class, Place)> {
    let mut kept = Vec::new();
    for (_, class, member) in reach.kept_by_rules(rules) {
        let place = match member {
            Some(member) if lists(reach.program, member) => continue,
            Some(Root::Method(method)) => Place::Method(method, None),
            Some(Root::Field(field)) => Place::Field(field),
            None => Place::Class(class),
        };
        kept.push((class, place));
    }
    kept
}

/// What may be called, read or written from outside, and so be asked for its type.
fn open(reach: &Reach<'_, '_>) -> Vec<(Reason, Place)> {
    let program = reach.program;
    let mut open = Vec::new();
    for method in program.methods.ids() {
        let info = &program.methods[method];
        let flags = program.classes[info.class].file.flags;
        // What implements an interface outside, as a proxy does, gets the arguments as objects.
        let is_implemented =
            !info.flags.any(Flags::STATIC | Flags::PRIVATE) && reach.is_extended_by_name(info.class);
        let is_open = reach.is_open_to_all(method) || reach.is_received(method) || is_implemented;
        if is_open
            || flags.has(Flags::ANNOTATION)
            || info.flags.has(Flags::NATIVE)
            || program.hides_body(method)
        {
            open.push((of_members(program, info.class), Place::Method(method, None)));
        }
    }
    for field in program.fields.ids() {
        let class = program.fields[field].class;
        if is_part_of_written(reach, field) {
            open.push((Reason::Written, Place::Field(field)));
        } else if reach.is_field_open(field) && !lists(program, Root::Field(field)) {
            open.push((of_members(program, class), Place::Field(field)));
        }
    }
    open
}

/// Whether a field is written and read with an object of its class. A constant is nowhere else in a stream: what writes or reads one
/// by itself takes or gives an object.
fn is_part_of_written(reach: &Reach<'_, '_>, field: Field) -> bool {
    let info = &reach.program.fields[field];
    !info.flags.any(Flags::STATIC | Flags::TRANSIENT) && is_written(reach, info.class)
}

/// Why something outside uses members of a class.
fn of_members(program: &Program<'_>, class: Class) -> Reason {
    let file = &program.classes[class].file;
    match (file.attribute(Kind::Record), file.flags.has(Flags::ANNOTATION)) {
        (Some(_), _) => Reason::Record,
        (None, true) => Reason::Annotations,
        (None, false) => Reason::Outside,
    }
}

/// Something outside uses a member, and so the enums in its type.
fn see(program: &Program<'_>, reason: Reason, place: Place, found: &mut Enums) {
    let selector = match place {
        Place::Class(_) => return,
        Place::Field(field) => program.fields[field].selector,
        Place::Method(method, _) => program.methods[method].selector,
    };
    for name in classes_in(program.descriptor(selector)) {
        note(program, name, (reason, place), found);
    }
}

/// The generic type of a member, if it says one.
fn generic_type<'p>(program: &'p Program<'_>, place: Place) -> Option<&'p [u8]> {
    let (class, attributes) = match place {
        Place::Class(_) => return None,
        Place::Field(field) => {
            let info = &program.fields[field];
            let file = &program.classes[info.class].file;
            (info.class, &file.fields[usize::from(info.place)].attributes)
        }
        Place::Method(method, _) => {
            let info = &program.methods[method];
            let file = &program.classes[info.class].file;
            (info.class, &file.methods[usize::from(info.place)].attributes)
        }
    };
    let pool = &program.classes[class].file.pool;
    let kind = attributes.iter().find(|attribute| attribute.kind(pool) == Ok(Some(Kind::Signature)))?;
    match kind.decode(pool) {
        Ok(Some(Body::Signature(text))) => pool.utf8(text).ok(),
        _ => None,
    }
}

/// Something outside looks at a class, which may be an enum.
fn note(program: &Program<'_>, name: &[u8], (reason, place): (Reason, Place), found: &mut Enums) {
    if let Some(seen @ None) = found.get_mut(name) {
        *seen = Some((reason, place.show(program)));
    }
}

/// Who may have a constant, the object of the class, or call its methods, other than by instructions. Instructions that have the
/// object of the class are looked at where they stand.
fn seen(reach: &Reach<'_, '_>, class: Class) -> Option<(Reason, Place)> {
    let (program, own) = (reach.program, &reach.program.classes[class]);
    let is_open = |&method: &Method| {
        let info = &program.methods[method];
        // No reflection makes a constant (JLS 8.9).
        let is_called = !matches!(program.member_name(info.selector), b"<clinit>" | b"<init>")
            && reach.is_open_to_all(method);
        is_called || info.flags.has(Flags::NATIVE) || program.hides_body(method)
    };
    if own.is_opaque || own.flaw.is_some() {
        return Some((Reason::Named, Place::Class(class)));
    }
    if reach.is_kept(class) {
        return Some((Reason::Rule, Place::Class(class)));
    }
    if reach.is_listed(class) {
        return Some((Reason::ClassObject, Place::Class(class)));
    }
    if let Some(&method) = own.methods.iter().find(|method| is_open(method)) {
        return Some((Reason::Outside, Place::Method(method, None)));
    }
    let open = own.fields.iter().copied().filter(|&field| reach.is_field_open(field));
    let (lists, others): (Vec<_>, Vec<_>) = open.partition(|&field| lists(program, Root::Field(field)));
    if let Some(&field) = others.first() {
        return Some((Reason::Outside, Place::Field(field)));
    }
    if reach.finds_classes() {
        let method = own
            .methods
            .iter()
            .find(|&&method| reach.is_open_besides_handles(method) && gives(program, method));
        let place = method.map(|&method| Place::Method(method, None));
        let place = place.or_else(|| lists.first().map(|&field| Place::Field(field)));
        if let Some(place) = place {
            return Some((Reason::Listed, place));
        }
    }
    reach.is_extended_by_name(class).then_some((Reason::Outside, Place::Class(class)))
}

/// Whether a method gives constants of its enum.
fn gives(program: &Program<'_>, method: Method) -> bool {
    lists(program, Root::Method(method))
}
