//! Final marking (`class/marking/final` of ProGuard, and the same for fields): classes and fields that are final in
//! effect.
//!
//! A static field to which only the initializer of its class stores is a constant to the compiler of a JVM, once that ran, if it
//! is final. A class that nothing extends needs no look at what is loaded later. Both are marked when all else is done, since
//! code does not move any more then.
//!
//! What something outside may store to or extend stays as it is. So does what counts in the version that serialization
//! computes of a class: stating that one would cost more than the mark gives.

use hashbrown::HashSet;
use planish_base::Id;
use planish_classfile::{CodeBytes, Flags, Kind, Opcode, Operand};
use planish_jvm_analysis::final_marks::FinalMarks;
use planish_jvm_analysis::passes::FINAL_MARKING;
use planish_jvm_analysis::reach::Reach;
use planish_jvm_analysis::record::ProgramRecord;
use planish_jvm_model::program::{Class, Field, Found, Method, Program, Selector};
use rustc_hash::FxBuildHasher;

/// The classes and fields of a program that become final. `classes` and `fields` say which of both are looked for.
/// O(program).
pub fn finals(reach: &Reach<'_, '_>, asked: (bool, bool), record: &mut ProgramRecord) -> FinalMarks {
    let program = reach.program;
    let mut found = final_in_effect(reach, asked);
    for (class, is_final) in program.classes.ids().zip(&mut found.classes) {
        let say = || format!("class {} is final", program.show_class(class));
        *is_final = *is_final && record.rewrite(&FINAL_MARKING, say);
    }
    for (field, is_final) in program.fields.ids().zip(&mut found.fields) {
        let say = || format!("field {} is final", program.show_field(field));
        *is_final = *is_final && record.rewrite(&FINAL_MARKING, say);
    }
    found
}

/// What could be final and is not.
fn final_in_effect(reach: &Reach<'_, '_>, (classes, fields): (bool, bool)) -> FinalMarks {
    let program = reach.program;
    let class = |class| classes && is_final_class(reach, class);
    let is_final = program.classes.ids().map(class).collect();
    let mut found = FinalMarks { classes: is_final, fields: vec![false; program.counts()[2]] };
    if !fields {
        return found;
    }
    for field in program.fields.ids() {
        found.fields[field.index()] = may_be_final(reach, field);
    }
    let mut hidden: HashSet<Selector, FxBuildHasher> = HashSet::default();
    for method in program.methods.ids().filter(|&method| reach.is_live(method)) {
        let info = &program.methods[method];
        let is_initializer = program.member_name(info.selector) == b"<clinit>";
        each_store(program, method, |selector, stored| match stored {
            Found::Program(field) => {
                found.fields[field.index()] &= is_initializer && program.fields[field].class == info.class;
            }
            Found::Library => {}
            // A class that is missing may have one of the program above it.
            Found::Unknown => _ = hidden.insert(selector),
        });
    }
    for field in program.fields.ids() {
        found.fields[field.index()] &= !hidden.contains(&program.fields[field].selector);
    }
    found
}

/// Whether nothing extends a class, or ever will.
fn is_final_class(reach: &Reach<'_, '_>, class: Class) -> bool {
    let (program, own) = (reach.program, &reach.program.classes[class]);
    let others = Flags::INTERFACE | Flags::ABSTRACT | Flags::ENUM | Flags::FINAL;
    let has_below = program.subtypes(own.id).iter().any(|&below| below != class && reach.is_needed(below));
    reach.is_needed(class)
        && !own.file.flags.any(others)
        && !own.is_opaque
        && !has_below
        && !reach.is_extended(class)
        && !reach.is_kept(class)
        && !has_version(reach, class)
        && own.file.attribute(Kind::PermittedSubclasses).is_none()
}

/// Whether only instructions of the program store to a static field, whose reads need not look again.
fn may_be_final(reach: &Reach<'_, '_>, field: Field) -> bool {
    let info = &reach.program.fields[field];
    let own = &reach.program.classes[info.class];
    let has_natives = || own.file.methods.iter().any(|method| method.flags.has(Flags::NATIVE));
    info.flags.has(Flags::STATIC)
        && !info.flags.any(Flags::FINAL | Flags::VOLATILE)
        && !reach.is_field_open(field)
        && !own.is_opaque
        && (info.flags.has(Flags::PRIVATE) || !has_version(reach, info.class))
        && !has_natives()
}

/// Whether serialization computes a version of a class.
fn has_version(reach: &Reach<'_, '_>, class: Class) -> bool {
    let serializable = reach.program.hierarchy.lookup(b"java/io/Serializable");
    let above = &reach.program.classes[class].supertypes;
    reach.may_write_objects() && serializable.is_some_and(|serializable| above.contains(&serializable))
}

/// Shows the static fields to which a method stores. A JVM refuses a body that cannot be read.
fn each_store(program: &Program<'_>, method: Method, mut see: impl FnMut(Selector, Found<Field>)) {
    let info = &program.methods[method];
    let file = &program.classes[info.class].file;
    let attribute = file.methods[usize::from(info.place)].attribute(&file.pool, Kind::Code);
    let Some(Ok(code)) = attribute.map(|attribute| CodeBytes::read(&mut attribute.cursor())) else { return };
    for (_, instruction) in code.instructions().map_while(Result::ok) {
        if let (Opcode::Putstatic, &Operand::Constant(index)) = (instruction.op, &instruction.operand)
            && let Ok(member) = file.pool.member(index)
            && let Some(class) = program.hierarchy.lookup(member.class)
            && let Some(selector) = program.selector(&[member.name, b":", member.descriptor].concat())
        {
            see(selector, program.resolve_field(class, selector));
        }
    }
}
