//! What random bodies do with exceptions: classes of the program that can be thrown, methods that throw them or what the
//! JVM throws itself, sometimes, and handlers in any order of classes, with effects, that throw again.
//!
//! `E0` is below a class of the JDK, `E1` below `E0`, `E2` below one of them, `E3` again below a class of the JDK.
//! The static methods of `Throwers` throw, hand on what others throw, take it or turn it into something else, and may
//! call themselves; `A` and `B` have a method that throws, which can be called through the interface. The initializer
//! of `Start` may fail. Each program throws only some of all this, so that some handlers never run.

use arbitrary::{Result, Unstructured};
use planish_classfile::builder::{CodeBuilder, Label};
use planish_classfile::{ClassFile, Flags, Opcode};
use planish_jvm_model::hierarchy::Hierarchy;

use super::assemble::{Pool, add, new_class};
use super::body::Body;
use super::names::{Names, THROWERS, WAYS};
use super::platform::{OBJECT, OF_PLATFORM};
use super::signature::Ty;

/// The methods that throw: the static ones, and that of `A` and `B`.
pub(super) const OF_NUMBER: &str = "(I)I";
pub(super) const THROWING: &str = "fail";

/// All classes of the program that have to do with exceptions, in the order of their names above.
pub(super) fn files<'n>(
    u: &mut Unstructured<'_>,
    names: &'n Names,
    hierarchy: &Hierarchy,
) -> Result<Vec<(&'n Vec<u8>, ClassFile<'static>)>> {
    let exceptions = &names.exceptions;
    let mut files: Vec<_> =
        exceptions.classes().map(|(name, above)| (name, exception(name, above, names, hierarchy))).collect();
    let mut class = new_class(&exceptions.throwers, OBJECT);
    for number in 0..THROWERS {
        let mut code = CodeBuilder::new();
        thrower(u, number, names, &mut code, &mut class.pool)?;
        let code = code.finish(1, &mut class.pool).expect("labels are bound");
        add(&mut class, Flags::STATIC, (&format!("t{number}"), OF_NUMBER), code, hierarchy);
    }
    files.push((&exceptions.throwers, class));
    files.push((&exceptions.start, start(u, names, hierarchy)?));
    Ok(files)
}

/// A class of exceptions: those right below the JDK have a number.
fn exception(name: &[u8], above: &[u8], names: &Names, hierarchy: &Hierarchy) -> ClassFile<'static> {
    use Opcode::*;
    let mut class = new_class(name, above);
    let has_number = !names.exceptions.classes.iter().any(|class| class == above);
    let mut code = CodeBuilder::new();
    code.local(Aload, 0);
    if has_number {
        code.call(Invokespecial, [above, b"<init>", b"()V"], &mut class.pool).expect("room");
        code.local(Aload, 0).local(Iload, 1);
        code.field(Putfield, [name, b"number", b"I"], &mut class.pool).expect("room");
        class.add_field(Flags(0), b"number", b"I").expect("room for a field");
    } else {
        code.local(Iload, 1);
        code.call(Invokespecial, [above, b"<init>", b"(I)V"], &mut class.pool).expect("room");
    }
    code.op(Return);
    let code = code.finish(2, &mut class.pool).expect("labels are bound");
    add(&mut class, Flags::PUBLIC, ("<init>", "(I)V"), code, hierarchy);
    class
}

/// The class whose initializer may fail, always or when the trace says so.
fn start(u: &mut Unstructured<'_>, names: &Names, hierarchy: &Hierarchy) -> Result<ClassFile<'static>> {
    use Opcode::*;
    let own = &names.exceptions.start[..];
    let mut class = new_class(own, OBJECT);
    class.add_field(Flags::STATIC, b"value", b"I").expect("room for a field");
    let pool = &mut class.pool;
    let mut code = CodeBuilder::new();
    match u.arbitrary()? {
        true => code.field(Getstatic, [&names.t, b"trace", b"J"], pool).expect("room").op(L2i),
        false => code.int(u.int_in_range(0..=3)?, pool).expect("room"),
    };
    code.local(Istore, 0);
    arise(u, 0, names, &mut code, pool)?;
    code.field(Putstatic, [own, b"value", b"I"], pool).expect("room").op(Return);
    let code = code.finish(0, pool).expect("labels are bound");
    add(&mut class, Flags::STATIC, ("<clinit>", "()V"), code, hierarchy);
    Ok(class)
}

/// Adds the method of `A` or `B` that throws.
pub(super) fn method(
    u: &mut Unstructured<'_>,
    names: &Names,
    class: &mut ClassFile<'static>,
    hierarchy: &Hierarchy,
) -> Result<()> {
    let mut code = CodeBuilder::new();
    arise(u, 1, names, &mut code, &mut class.pool)?;
    code.op(Opcode::Ireturn);
    let code = code.finish(2, &mut class.pool).expect("labels are bound");
    add(class, Flags::PUBLIC, (THROWING, OF_NUMBER), code, hierarchy);
    Ok(())
}

/// Adds the method to the interface, without a body.
pub(super) fn abstract_method(class: &mut ClassFile<'static>) {
    let flags = Flags::PUBLIC | Flags::ABSTRACT;
    class.add_method(flags, THROWING.as_bytes(), OF_NUMBER.as_bytes(), None).expect("room for a method");
}

/// A static method that throws, by itself or since it calls one with a larger number or itself.
fn thrower(
    u: &mut Unstructured<'_>,
    number: usize,
    names: &Names,
    code: &mut CodeBuilder,
    pool: &mut Pool,
) -> Result<()> {
    use Opcode::*;
    if u.ratio(1, 4)? {
        let end = code.label();
        code.local(Iload, 0).int(3, pool).expect("room").op(Iand).jump(Ifeq, end);
        let handled = u.arbitrary::<bool>()?.then(|| code.here());
        code.local(Iload, 0).int(3, pool).expect("room").op(Iand).op(Iconst1).op(Isub);
        call_thrower(number, names, code, pool);
        if let Some(from) = handled {
            handler(u, from, names, code, pool)?;
        }
        code.bind(end);
    }
    let handled = u.ratio(2, 3)?.then(|| code.here());
    if number + 1 < THROWERS && u.ratio(2, 3)? {
        let other = u.int_in_range(number + 1..=THROWERS - 1)?;
        code.local(Iload, 0);
        call_thrower(other, names, code, pool);
    }
    arise(u, 0, names, code, pool)?;
    code.local(Istore, 0);
    if let Some(from) = handled {
        handler(u, from, names, code, pool)?;
    }
    code.local(Iload, 0).op(Ireturn);
    Ok(())
}

/// Calls a static method that throws with the number on the stack, and keeps what it gives.
fn call_thrower(number: usize, names: &Names, code: &mut CodeBuilder, pool: &mut Pool) {
    let name = format!("t{number}");
    let method = [&names.exceptions.throwers[..], name.as_bytes(), OF_NUMBER.as_bytes()];
    code.call(Opcode::Invokestatic, method, pool).expect("room").local(Opcode::Istore, 0);
}

/// Guards the code of a method that throws from a label up to here: the handler mixes what it got into the trace, and goes
/// on, throws it again, or throws another one.
pub(super) fn handler(
    u: &mut Unstructured<'_>,
    from: Label,
    names: &Names,
    code: &mut CodeBuilder,
    pool: &mut Pool,
) -> Result<()> {
    use Opcode::*;
    let [stop, target, end] = [(); 3].map(|()| code.label());
    code.bind(stop).jump(Goto, end).bind(target).local(Astore, 1);
    look(u, 1, names, code, pool)?;
    code.local(Istore, 0);
    let trace = [&names.t[..], b"trace", b"J"];
    code.field(Getstatic, trace, pool).expect("room").long(31, pool).expect("room").op(Lmul);
    code.local(Iload, 0).op(I2l).op(Ladd).field(Putstatic, trace, pool).expect("room");
    match u.int_in_range(0..=3)? {
        0 => {
            code.local(Aload, 1).op(Athrow);
        }
        1 => {
            arise(u, 0, names, code, pool)?;
            code.local(Istore, 0);
        }
        _ => {}
    }
    code.bind(end);
    let class = match names.exceptions.caught(u)? {
        Some(class) => pool.add_class(class).expect("room"),
        None => 0,
    };
    code.handler(from, stop, target, class);
    Ok(())
}

/// Puts a number on the stack that says which exception is in a variable.
fn look(
    u: &mut Unstructured<'_>,
    slot: u16,
    names: &Names,
    code: &mut CodeBuilder,
    pool: &mut Pool,
) -> Result<()> {
    use Opcode::*;
    let end = code.label();
    for root in [0, 3] {
        let (class, other) = (&names.exceptions.classes[root], code.label());
        code.local(Aload, slot).class(Instanceof, class, pool).expect("room").jump(Ifeq, other);
        code.local(Aload, slot).class(Checkcast, class, pool).expect("room");
        code.field(Getfield, [class, b"number", b"I"], pool).expect("room").jump(Goto, end).bind(other);
    }
    let classes: Vec<&[u8]> = vec![u.choose(&OF_PLATFORM)?, u.choose(&names.exceptions.classes)?];
    code.op(Iconst5);
    for class in classes {
        code.op(Iconst1).op(Ishl).local(Aload, slot).class(Instanceof, class, pool).expect("room").op(Ior);
    }
    code.bind(end);
    Ok(())
}

/// Puts a number on the stack, unless an exception arises for the number in a variable.
pub(super) fn arise(
    u: &mut Unstructured<'_>,
    slot: u16,
    names: &Names,
    code: &mut CodeBuilder,
    pool: &mut Pool,
) -> Result<()> {
    use Opcode::*;
    let Names { a, b, exceptions, .. } = names;
    let way = if exceptions.ways.is_empty() { WAYS } else { *u.choose(&exceptions.ways)? };
    // The first ways are those of the program, and count more.
    let way = if u.ratio(1, 3)? { way.min(1) } else { way };
    let masked = |code: &mut CodeBuilder, mask: i32, pool: &mut Pool| {
        code.local(Iload, slot).int(mask, pool).expect("room").op(Iand);
    };
    let object = |code: &mut CodeBuilder, class: &[u8], pool: &mut Pool| {
        code.class(New, class, pool).expect("room").op(Dup).local(Iload, slot);
        code.call(Invokespecial, [class, b"<init>", b"(I)V"], pool).expect("room");
    };
    let either = |code: &mut CodeBuilder, pool: &mut Pool| {
        let [other, end] = [(); 2].map(|()| code.label());
        masked(code, 1, pool);
        code.jump(Ifeq, other);
        object(code, a, pool);
        code.jump(Goto, end).bind(other);
        object(code, b, pool);
        code.bind(end);
    };
    match way {
        0 | 1 if !exceptions.thrown.is_empty() => {
            let goes_on = code.label();
            masked(code, *u.choose(&[1, 3, 7])?, pool);
            code.int(u.int_in_range(0..=2)?, pool).expect("room").jump(IfIcmpne, goes_on);
            let class = &exceptions.classes[*u.choose(&exceptions.thrown)?];
            object(code, class, pool);
            code.op(Athrow).bind(goes_on).local(Iload, slot);
        }
        2 => {
            code.int(100, pool).expect("room");
            masked(code, 3, pool);
            code.op(*u.choose(&[Idiv, Irem])?);
        }
        3 => {
            let [other, end] = [(); 2].map(|()| code.label());
            masked(code, 3, pool);
            code.jump(Ifeq, other).op(Iconst2).new_array(10).jump(Goto, end);
            code.bind(other).op(AconstNull).bind(end).op(Arraylength);
        }
        4 => {
            code.op(Iconst3).new_array(10);
            masked(code, 3, pool);
            code.op(Iaload).local(Iload, slot).op(Iadd);
        }
        5 => {
            masked(code, 7, pool);
            code.op(Iconst2).op(Isub).new_array(10).op(Arraylength);
        }
        6 => {
            either(code, pool);
            code.class(Checkcast, b, pool).expect("room");
            code.field(Getfield, [a, b"f", b"I"], pool).expect("room");
        }
        7 => {
            code.op(Iconst1).class(Anewarray, if u.arbitrary()? { a } else { b }, pool).expect("room");
            code.op(Dup).op(Iconst0);
            either(code, pool);
            code.op(Aastore).op(Arraylength);
        }
        _ => {
            code.local(Iload, slot);
        }
    }
    Ok(())
}

impl Body<'_> {
    /// Puts a number on the stack, which comes from something that may throw.
    pub(super) fn int_that_may_fail(&mut self, u: &mut Unstructured<'_>, pool: &mut Pool) -> Result<()> {
        use Opcode::*;
        let exceptions = &self.names.exceptions;
        let fail = [THROWING.as_bytes(), OF_NUMBER.as_bytes()];
        match u.int_in_range(0..=9)? {
            0..=4 => {
                let thrower = format!("t{}", u.int_in_range(0..=THROWERS - 1)?);
                self.expression(u, Ty::Int, 1, pool)?;
                let thrower = [&exceptions.throwers[..], thrower.as_bytes(), OF_NUMBER.as_bytes()];
                self.code.call(Invokestatic, thrower, pool).expect("room");
            }
            place @ 5..=7 => {
                self.code.local(Aload, if u.ratio(2, 3)? { self.object } else { self.other });
                self.expression(u, Ty::Int, 1, pool)?;
                let (op, class) = match place {
                    5 => (Invokeinterface, &self.names.i),
                    _ => (Invokevirtual, &self.names.a),
                };
                self.code.call(op, [class, fail[0], fail[1]], pool).expect("room");
            }
            8 => {
                self.code.field(Getstatic, [&exceptions.start, b"value", b"I"], pool).expect("room");
            }
            _ => {
                let slot = self.local(u, Ty::Int)?;
                arise(u, slot, self.names, &mut self.code, pool)?;
            }
        }
        Ok(())
    }

    /// Statements with handlers, in any order, and one around them that runs at the end.
    pub(super) fn handlers(&mut self, u: &mut Unstructured<'_>, depth: u32, pool: &mut Pool) -> Result<()> {
        use Opcode::*;
        let caught = self.slot(1);
        let [start, stop, end] = [(); 3].map(|()| self.code.label());
        self.code.bind(start).op(Nop);
        if u.arbitrary()? {
            self.statement(u, depth, pool)?;
        }
        self.int_that_may_fail(u, pool)?;
        let result = self.local(u, Ty::Int)?;
        self.code.local(Istore, result);
        if u.arbitrary()? {
            self.statement(u, depth, pool)?;
        }
        self.code.bind(stop).jump(Goto, end);
        for _ in 0..u.int_in_range(1..=3)? {
            let target = self.code.label();
            self.code.bind(target).local(Astore, caught);
            look(u, caught, self.names, &mut self.code, pool)?;
            let number = self.local(u, Ty::Int)?;
            self.code.local(Istore, number);
            self.statement(u, depth, pool)?;
            if u.ratio(1, 4)? {
                let goes_on = self.code.label();
                if u.arbitrary()? {
                    self.unless(u, 1, goes_on, pool)?;
                    self.code.local(Aload, caught).op(Athrow).bind(goes_on).jump(Goto, end);
                } else {
                    self.code.local(Aload, caught).op(Athrow);
                }
            } else {
                self.code.jump(Goto, end);
            }
            let class = match self.names.exceptions.caught(u)? {
                Some(class) => pool.add_class(class).expect("room"),
                None => 0,
            };
            self.code.handler(start, stop, target, class);
        }
        self.code.bind(end);
        if u.ratio(1, 3)? {
            let [target, after] = [(); 2].map(|()| self.code.label());
            self.statement(u, depth, pool)?;
            self.code.jump(Goto, after).bind(target).local(Astore, caught);
            self.statement(u, depth, pool)?;
            self.code.local(Aload, caught).op(Athrow).bind(after).handler(start, end, target, 0);
        }
        Ok(())
    }
}
