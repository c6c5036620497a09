//! Methods of a family that call themselves: arguments that they only hand on, results that somebody may need or not,
//! fields that only count.

use arbitrary::{Result, Unstructured};
use planish_classfile::builder::CodeBuilder;
use planish_classfile::{ClassFile, Flags, Opcode};
use planish_jvm_model::hierarchy::Hierarchy;

use super::assemble::{Pool, add};
use super::body::Body;
use super::names::Names;
use super::platform::OBJECT;
use super::signature::Ty;

/// The method of `A`, which `B` may override: how often it calls itself, and what it may look at.
const R: (&str, &str) = ("r", "(IIJ)I");

/// Adds the method to `A` or `B`, and to `A` the field that it counts in.
pub(super) fn method(
    u: &mut Unstructured<'_>,
    names: &Names,
    class: &mut ClassFile<'static>,
    hierarchy: &Hierarchy,
) -> Result<()> {
    use Opcode::*;
    let is_base = class.super_name() == Ok(Some(OBJECT));
    let a = &names.a[..];
    let (name, descriptor) = (R.0.as_bytes(), R.1.as_bytes());
    let pool = &mut class.pool;
    let mut code = CodeBuilder::new();
    let end = code.label();
    code.local(Iload, 1).jump(Ifle, end);
    let trace = [&names.t[..], b"trace", b"J"];
    code.field(Getstatic, trace, pool).expect("room").long(31, pool).expect("room").op(Lmul);
    code.local(Iload, if u.ratio(1, 4)? { 2 } else { 1 }).op(I2l).op(Ladd);
    code.long(i64::from(u.arbitrary::<i8>()?), pool).expect("room").op(Lxor);
    code.field(Putstatic, trace, pool).expect("room");
    let counted = [a, b"counted", b"I"];
    code.local(Aload, 0).op(Dup).field(Getfield, counted, pool).expect("room");
    code.op(Iconst1).op(Iadd).field(Putfield, counted, pool).expect("room");
    let call = if is_base || u.ratio(2, 3)? { Invokevirtual } else { Invokespecial };
    code.local(Aload, 0).local(Iload, 1).op(Iconst1).op(Isub).local(Iload, 2).local(Lload, 3);
    code.call(call, [a, name, descriptor], pool).expect("room");
    code.local(Iload, 1).op(Imul);
    if u.ratio(1, 4)? {
        code.op(Pop).op(Iconst5);
    }
    code.op(Ireturn).bind(end);
    if u.ratio(1, 4)? {
        code.local(Lload, 3).op(L2i);
    } else {
        code.op(Iconst5);
    }
    code.op(Ireturn);
    let code = code.finish(5, pool).expect("labels are bound");
    add(class, Flags::PUBLIC, R, code, hierarchy);
    if is_base {
        class.add_field(Flags::PUBLIC, b"counted", b"I").expect("room for a field");
    }
    Ok(())
}

impl Body<'_> {
    /// Calls the method, with a small number of calls of itself.
    pub(super) fn call_of_recursion(&mut self, u: &mut Unstructured<'_>, pool: &mut Pool) -> Result<()> {
        let Names { a, recursion, .. } = self.names;
        self.code.local(Opcode::Aload, if u.ratio(2, 3)? { self.object } else { self.other });
        self.code.int(u.int_in_range(0..=3)?, pool).expect("room");
        match recursion.second {
            Some(second) => drop(self.code.int(i32::from(second), pool).expect("room")),
            None => self.expression(u, Ty::Int, 1, pool)?,
        }
        self.expression(u, Ty::Long, 1, pool)?;
        self.code.call(Opcode::Invokevirtual, [a, R.0.as_bytes(), R.1.as_bytes()], pool).expect("room");
        if recursion.drops_result {
            self.code.op(Opcode::Pop);
        } else {
            let slot = self.local(u, Ty::Int)?;
            self.code.local(Opcode::Istore, slot);
        }
        Ok(())
    }
}
