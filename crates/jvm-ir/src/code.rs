//! Method bodies as the program has them, without what nothing reaches.

use planish_classfile::{Body, Code, CodeBytes, ConstantPool, Flags, Kind, Result};
use planish_ir::Function;
use planish_jvm_model::program::{Method, Program};
use planish_jvm_model::transfer::MethodInfo;
use planish_jvm_model::vtype::TypeContext;

use crate::lift::lift;
use crate::lower::tighten::remove_unreachable;
use crate::naming::Names;

/// The body of a method, without what nothing reaches; nothing if there is none, or it may be another one at run time.
pub fn body(program: &Program<'_>, method: Method) -> Option<Code> {
    read_body(program, method, Code::read)
}

/// The same without its attributes, for who only looks at what it does.
pub fn bare_body(program: &Program<'_>, method: Method) -> Option<Code> {
    read_body(program, method, |bytes, _| Code::read_bare(bytes))
}

fn read_body(
    program: &Program<'_>,
    method: Method,
    read: impl FnOnce(&CodeBytes<'_>, &ConstantPool<'_>) -> Result<Code>,
) -> Option<Code> {
    let info = &program.methods[method];
    let file = &program.classes[info.class].file;
    program.shows_body(method).then_some(())?;
    let attribute = file.methods[usize::from(info.place)].attribute(&file.pool, Kind::Code)?;
    let Ok(Some(Body::Code(bytes))) = attribute.decode(&file.pool) else { return None };
    let mut code = read(&bytes, &file.pool).ok()?;
    remove_unreachable(&mut code).ok()?;
    Some(code)
}

/// The body of a method in SSA form; nothing if it cannot be lifted, or may be another one at run time.
pub fn lifted(
    program: &Program<'_>,
    method: Method,
    names: &mut Names,
    context: &mut TypeContext<'_>,
) -> Option<Function> {
    let info = &program.methods[method];
    let file = &program.classes[info.class].file;
    let code = body(program, method)?;
    let info = MethodInfo {
        class: program.name(info.class),
        super_class: file.super_name().ok()?,
        name: program.member_name(info.selector),
        descriptor: program.descriptor(info.selector),
        is_static: info.flags.has(Flags::STATIC),
        pool: &file.pool,
    };
    lift(&code, &info, names, context).ok()
}
