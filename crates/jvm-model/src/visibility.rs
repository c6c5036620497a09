//! Access control (JVMS 5.4.4): packages, nests, and which members a class sees.

use planish_classfile::pool::MemberKind;
use planish_classfile::{Body, Flags, Kind, Opcode};

use crate::names::package;
use crate::program::{Class, Found, MemberInfo, Method, Program};

/// Whether a call of a class is linked: there is what it names, it is of the kind that the call says, and visible. Of classes that
/// were compiled at different times it may not be, and then the call throws.
pub fn is_linked(
    program: &Program<'_>,
    caller: Class,
    (op, says): (Opcode, MemberKind),
    (named, found): (Class, Found<Method>),
) -> bool {
    let is_interface = program.classes[named].file.flags.has(Flags::INTERFACE);
    let is_near = package(program.name(named)) == package(program.name(caller));
    let is_seen = program.classes[named].file.flags.has(Flags::PUBLIC) || is_near;
    let is_visible = || match found {
        Found::Program(method) => is_visible(program, caller, &program.methods[method]),
        // What is not visible there no class of a program can override.
        Found::Library => true,
        Found::Unknown => false,
    };
    is_interface == (says == MemberKind::InterfaceMethod)
        && (op != Opcode::Invokeinterface || is_interface)
        && (op != Opcode::Invokevirtual || !is_interface)
        && is_seen
        && is_visible()
}

/// Whether a class sees a member of the program.
pub fn is_visible(program: &Program<'_>, caller: Class, info: &MemberInfo) -> bool {
    let is_near = || package(program.name(info.class)) == package(program.name(caller));
    let is_above = || program.classes[caller].supertypes.contains(&program.classes[info.class].id);
    match () {
        () if info.flags.has(Flags::PUBLIC) => true,
        () if info.flags.has(Flags::PRIVATE) => are_nestmates(program, info.class, caller),
        () => is_near() || info.flags.has(Flags::PROTECTED) && is_above(),
    }
}

/// Whether two classes see what is private in each other: both are of one nest, and its host says so.
pub fn are_nestmates(program: &Program<'_>, a: Class, b: Class) -> bool {
    if a == b {
        return true;
    }
    let host = nest_host(program, a);
    host == nest_host(program, b) && [a, b].iter().all(|&class| is_in_nest_of(program, class, host))
}

/// The classes that see what is private in a class: itself, and those of its nest.
pub fn nestmates(program: &Program<'_>, class: Class) -> Vec<Class> {
    let mut found = vec![class];
    let Some(host) = nest_host(program, class) else { return found };
    let file = &program.classes[host].file;
    let members = file.attribute(Kind::NestMembers).map(|attribute| attribute.decode(&file.pool));
    if let Some(Ok(Some(Body::NestMembers(members)))) = members {
        let named = members.iter().filter_map(|&member| program.class_named(file.pool.class(member).ok()?));
        let others = std::iter::once(host).chain(named).filter(|&other| other != class);
        found.extend(others.filter(|&other| are_nestmates(program, class, other)));
    }
    found
}

/// The class that hosts the nest of a class, as that says.
fn nest_host(program: &Program<'_>, class: Class) -> Option<Class> {
    let file = &program.classes[class].file;
    match file.attribute(Kind::NestHost).map(|attribute| attribute.decode(&file.pool)) {
        None => Some(class),
        Some(Ok(Some(Body::NestHost(host)))) => program.class_named(file.pool.class(host).ok()?),
        Some(_) => None,
    }
}

/// Whether a class is the host of a nest, or that names it among its members.
fn is_in_nest_of(program: &Program<'_>, class: Class, host: Option<Class>) -> bool {
    let Some(host) = host else { return false };
    let file = &program.classes[host].file;
    let members = file.attribute(Kind::NestMembers).map(|attribute| attribute.decode(&file.pool));
    let Some(Ok(Some(Body::NestMembers(members)))) = members else { return class == host };
    class == host || members.iter().any(|&member| file.pool.class(member) == Ok(program.name(class)))
}
