//! Objects whose class can be known, and methods that they inherit, override, or only seem to override.
//!
//! `N` extends `L`, which extends `K`; `L`, `N` or both are in another package. They have `w`, which in `K` only the package may
//! see: then that of a class elsewhere overrides nothing, unless it overrides one that is a neighbour of `K`. All implement
//! an interface, whose method has a body that
//! they may override. Static methods of `T` ask an object that they get, give it back, or hand it on; fields, arrays, casts
//! and branches stand between where an object is made and where it is asked. It may be null.

use arbitrary::{Result, Unstructured};
use planish_classfile::builder::CodeBuilder;
use planish_classfile::{ClassFile, Flags, Opcode};
use planish_jvm_model::hierarchy::Hierarchy;

use super::assemble::{Pool, add, new_class};
use super::body::Body;
use super::control::{D, method_of_interface};
use super::names::{Names, Receivers};
use super::signature::Ty;

/// The method that the classes have.
const W: (&str, &str) = ("w", "(I)I");

/// The class at a place: a constructor, `w`, and the method of the interface if it overrides that.
pub(super) fn class(
    u: &mut Unstructured<'_>,
    (names, place): (&Names, usize),
    hierarchy: &Hierarchy,
) -> Result<ClassFile<'static>> {
    use Opcode::*;
    let receivers = &names.receivers;
    let above = receivers.above(place);
    let mut class = new_class(&receivers.classes[place], above);
    let mut code = CodeBuilder::new();
    code.local(Aload, 0);
    code.call(Invokespecial, [above, b"<init>", b"()V"], &mut class.pool).expect("room").op(Return);
    let made = code.finish(1, &mut class.pool).expect("labels are bound");
    add(&mut class, Flags::PUBLIC, ("<init>", "()V"), made, hierarchy);
    if place == 0 {
        let index = class.pool.add_class(&names.i).expect("room for a class");
        class.interfaces.push(index);
    }
    if place == 0 || u.ratio(3, 4)? {
        let mut code = CodeBuilder::new();
        // Some bodies do not look at their argument, some are too long to stand in the place of calls.
        if u.ratio(3, 4)? {
            code.local(Iload, 1)
        } else {
            code.op(Iconst2)
        };
        for _ in 0..*u.choose(&[1, 1, 4])? {
            code.int(i32::from(u.arbitrary::<i8>()?), &mut class.pool).expect("room");
            code.op(*u.choose(&[Iadd, Isub, Imul, Ixor])?);
        }
        code.op(Ireturn);
        let code = code.finish(2, &mut class.pool).expect("labels are bound");
        let flags = if place > 0 || receivers.is_public { Flags::PUBLIC } else { Flags(0) };
        add(&mut class, flags, W, code, hierarchy);
    }
    if u.ratio(1, 3)? {
        method_of_interface(u, &mut class, hierarchy)?;
    }
    Ok(class)
}

/// Adds a field of `T` that holds one, and methods that ask, give back and hand on what they get.
pub(super) fn helpers(names: &Names, class: &mut ClassFile<'static>, hierarchy: &Hierarchy) {
    use Opcode::*;
    let Receivers { classes, .. } = &names.receivers;
    let descriptor = |text: &str| names.receivers.descriptor(text);
    class.add_field(Flags::STATIC, b"some", descriptor("K").as_bytes()).expect("room for a field");
    let mut method = |(name, text): (&str, &str), write: &dyn Fn(&mut CodeBuilder, &mut Pool)| {
        let mut code = CodeBuilder::new();
        write(&mut code, &mut class.pool);
        let code = code.finish(2, &mut class.pool).expect("labels are bound");
        add(class, Flags::STATIC, (name, &descriptor(text)), code, hierarchy);
    };
    method(("ask", "(KI)I"), &|code, pool| {
        code.local(Aload, 0).local(Iload, 1);
        code.call(Invokevirtual, [&classes[0], W.0.as_bytes(), W.1.as_bytes()], pool).expect("room");
        code.op(Iconst5).op(Ixor).op(Ireturn);
    });
    method(("pass", "(KI)I"), &|code, pool| {
        let ask = descriptor("(KI)I");
        code.local(Aload, 0).local(Iload, 1);
        code.call(Invokestatic, [&names.t, b"ask", ask.as_bytes()], pool).expect("room").op(Ireturn);
    });
    method(("give", "(KI)K"), &|code, _| {
        code.local(Aload, 0).op(Areturn);
    });
    method(("which", "(KI)I"), &|code, pool| {
        let no = code.label();
        code.local(Aload, 0).class(Instanceof, &classes[1], pool).expect("room").jump(Ifeq, no);
        code.local(Aload, 0).class(Instanceof, &classes[2], pool).expect("room").local(Iload, 1).op(Ixor);
        code.op(Ireturn).bind(no).op(IconstM1).op(Ireturn);
    });
}

impl Body<'_> {
    /// Puts an object on the stack, or null.
    fn receiver(&mut self, u: &mut Unstructured<'_>, pool: &mut Pool) -> Result<()> {
        use Opcode::*;
        let Names { t, receivers, .. } = self.names;
        let class = u.choose(&receivers.classes)?;
        let make = |body: &mut Self, class: &[u8], pool: &mut Pool| {
            body.code.class(New, class, pool).expect("room").op(Dup);
            body.code.call(Invokespecial, [class, b"<init>", b"()V"], pool).expect("room");
        };
        let some = receivers.descriptor("K");
        match u.int_in_range(0..=7)? {
            0..=2 => make(self, class, pool),
            3 => {
                make(self, class, pool);
                let give = receivers.descriptor("(KI)K");
                self.code.op(Iconst0).call(Invokestatic, [t, b"give", give.as_bytes()], pool).expect("room");
            }
            4 => {
                if u.arbitrary()? {
                    make(self, class, pool);
                    self.code.field(Putstatic, [t, b"some", some.as_bytes()], pool).expect("room");
                }
                self.code.field(Getstatic, [t, b"some", some.as_bytes()], pool).expect("room");
            }
            5 => {
                self.code.op(Iconst1).class(Anewarray, &receivers.classes[0], pool).expect("room");
                self.code.op(Dup).op(Iconst0);
                make(self, class, pool);
                self.code.op(Aastore).op(Iconst0).op(Aaload);
            }
            6 => {
                let [other, end] = [(); 2].map(|()| self.code.label());
                self.unless(u, 1, other, pool)?;
                make(self, class, pool);
                self.code.jump(Goto, end).bind(other);
                let class = u.choose(&receivers.classes)?;
                make(self, class, pool);
                self.code.bind(end);
            }
            _ if u.ratio(1, 3)? => {
                self.code.op(AconstNull);
            }
            _ => {
                make(self, class, pool);
                // It may fail.
                let cast = u.choose(&receivers.classes)?;
                self.code.class(Checkcast, cast, pool).expect("room");
            }
        }
        Ok(())
    }

    /// Asks an object for a number, directly, through the interface, or by a method that gets it.
    pub(super) fn call_of_receiver(
        &mut self,
        u: &mut Unstructured<'_>,
        depth: u32,
        pool: &mut Pool,
    ) -> Result<()> {
        use Opcode::*;
        let Names { t, i, receivers, .. } = self.names;
        self.receiver(u, pool)?;
        self.expression(u, Ty::Int, depth.min(1), pool)?;
        let k = &receivers.classes[0];
        match u.int_in_range(0..=5)? {
            0 | 1 => {
                self.code.call(Invokevirtual, [k, W.0.as_bytes(), W.1.as_bytes()], pool).expect("room");
            }
            2 => {
                self.code.op(Iconst3);
                self.code.call(Invokeinterface, [i, D.0.as_bytes(), D.1.as_bytes()], pool).expect("room");
            }
            helper => {
                let name: &[u8] = [&b"ask"[..], b"pass", b"which"][helper as usize - 3];
                let descriptor = receivers.descriptor("(KI)I");
                self.code.call(Invokestatic, [t, name, descriptor.as_bytes()], pool).expect("room");
            }
        }
        Ok(())
    }
}
