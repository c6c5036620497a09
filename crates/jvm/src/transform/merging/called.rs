//! Where `super.f()` and calls of constructors lead in classes that become one.

use std::collections::BTreeSet;

use planish_classfile::{CodeBytes, Kind, MemberRef, Opcode, Operand};
use planish_jvm_model::program::{Class, Found, Method, Program};

/// Where a call leads.
pub(super) enum Leads {
    /// To a method of one of the classes that become one.
    Inside(Method),
    /// Further up.
    Above,
}

/// Where a call in `class` leads that names one of these classes, which become one; the one at the top comes first.
pub(super) fn leads(
    program: &Program<'_>,
    group: &[Class],
    class: Class,
    member: &MemberRef<'_>,
) -> Option<Leads> {
    let named = program.class_named(member.class).filter(|named| group.contains(named))?;
    let selector = program.selector(&[member.name, member.descriptor].concat());
    if member.name == b"<init>" {
        return Some(Leads::Inside(program.declared_method(named, selector?)?));
    }
    let Some(selector) = selector else { return Some(Leads::Above) };
    let start = match named == class {
        true => program.classes[class].id,
        false => program.hierarchy.lookup(program.classes[class].file.super_name().ok()??)?,
    };
    match program.resolve_method(start, selector) {
        Found::Program(method) if group.contains(&program.methods[method].class) => {
            Some(Leads::Inside(method))
        }
        _ => Some(Leads::Above),
    }
}

/// The methods of classes that become one to which `super.f()` in one of them leads.
pub(super) fn called_above(program: &Program<'_>, sources: &[Class], target: Class) -> BTreeSet<Method> {
    let group: Vec<Class> = sources.iter().copied().chain([target]).collect();
    let mut called = BTreeSet::new();
    for &class in &group {
        let file = &program.classes[class].file;
        for member in &file.methods {
            let attribute = member.attribute(&file.pool, Kind::Code);
            let code = attribute.map(|attribute| CodeBytes::read(&mut attribute.cursor()));
            // A JVM refuses a body that cannot be read.
            let Some(Ok(code)) = code else { continue };
            for (_, insn) in code.instructions().map_while(Result::ok) {
                if let (Opcode::Invokespecial, &Operand::Constant(index)) = (insn.op, &insn.operand)
                    && let Ok(member) = file.pool.member(index)
                    && let Some(Leads::Inside(method)) = leads(program, &group, class, &member)
                {
                    called.insert(method);
                }
            }
        }
    }
    called
}
