//! Call sites that make lambdas: the name at such a site is that of a method of an interface.

use planish_classfile::attribute::BootstrapMethod;
use planish_classfile::{Constant, ConstantPool, MemberRef};
use planish_jvm_model::program::Program;

/// An object that a call site makes.
pub struct Lambda<'p> {
    /// The interfaces that it implements.
    pub interfaces: Vec<&'p [u8]>,
    /// The types of its one method, erased, and of those that lead to it.
    pub types: Vec<&'p [u8]>,
}

/// What a bootstrap method does with the name that it is given.
pub enum Bootstrap<'p> {
    /// Makes an object with a method of that name.
    Lambda(Lambda<'p>),
    /// Nothing.
    Nameless,
    /// Nobody knows.
    Unknown,
}

/// Flags of `LambdaMetafactory.altMetafactory`.
const MARKERS: i32 = 2;
const BRIDGES: i32 = 4;

/// What the bootstrap method of a site does.
pub fn bootstrap<'p>(
    pool: &'p ConstantPool<'_>,
    rows: &[BootstrapMethod],
    row: u16,
    descriptor: &'p [u8],
) -> Bootstrap<'p> {
    let found = rows.get(usize::from(row)).and_then(|row| Some((row, maker(pool, row)?)));
    let Some((row, maker)) = found else { return Bootstrap::Unknown };
    match (maker.class, maker.name) {
        (b"java/lang/invoke/LambdaMetafactory", _) => {
            lambda(pool, row, descriptor).map_or(Bootstrap::Unknown, Bootstrap::Lambda)
        }
        (
            b"java/lang/invoke/StringConcatFactory"
            | b"java/lang/runtime/ObjectMethods"
            | b"java/lang/runtime/SwitchBootstraps",
            _,
        ) => Bootstrap::Nameless,
        _ => Bootstrap::Unknown,
    }
}

fn maker<'p>(pool: &'p ConstantPool<'_>, row: &BootstrapMethod) -> Option<MemberRef<'p>> {
    match pool.get(row.handle) {
        Ok(Constant::MethodHandle(_, member)) => pool.member(member).ok(),
        _ => None,
    }
}

fn lambda<'p>(pool: &'p ConstantPool<'_>, row: &BootstrapMethod, descriptor: &'p [u8]) -> Option<Lambda<'p>> {
    let result = descriptor.iter().position(|byte| *byte == b')').map(|at| &descriptor[at + 1..])?;
    let interface = result.strip_prefix(b"L")?.strip_suffix(b";")?;
    let ty = |index: &u16| pool.method_type(*index).ok();
    let mut lambda = Lambda { interfaces: vec![interface], types: vec![row.arguments.first().and_then(ty)?] };
    let mut more = row.arguments.get(3..).unwrap_or_default().iter();
    let number = |index: &u16| match pool.get(*index) {
        Ok(Constant::Integer(number)) => Some(number),
        _ => None,
    };
    let Some(flags) = more.next() else { return Some(lambda) };
    let flags = number(flags)?;
    if flags & MARKERS != 0 {
        for _ in 0..number(more.next()?)? {
            lambda.interfaces.push(pool.class(*more.next()?).ok()?);
        }
    }
    if flags & BRIDGES != 0 {
        for _ in 0..number(more.next()?)? {
            lambda.types.push(ty(more.next()?)?);
        }
    }
    Some(lambda)
}

impl Lambda<'_> {
    /// Where the method of this name is declared, for each interface and type in which it is.
    pub fn methods(
        &self,
        program: &Program<'_>,
        name: &[u8],
    ) -> Vec<planish_jvm_model::program::Found<planish_jvm_model::program::Method>> {
        let mut found = Vec::new();
        for interface in &self.interfaces {
            let Some(id) = program.hierarchy.lookup(interface) else { continue };
            for ty in &self.types {
                if let Some(selector) = program.selector(&[name, ty].concat()) {
                    found.push(program.resolve_method(id, selector));
                }
            }
        }
        found
    }
}
