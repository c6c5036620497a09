//! The functional interfaces of a program, and what is done with their objects outside of random bodies.
//!
//! `F` is a function of a number, with methods that have bodies: one that calls it twice, one that joins it with another one
//! by a lambda that captures both, and a static one that makes a lambda. `M` makes an `F`, `H` also gets an object. `Own` is a
//! class that implements `F`, so that an `F` is not always a lambda. The static methods of `Lambdas` are what lambdas do,
//! by what they capture; they call functions that they get, once, in a loop, or under a handler, choose one of two, and make one.
//! Its static fields hold functions, which call nothing but that, so that every call ends.

use arbitrary::{Result, Unstructured};
use planish_classfile::builder::CodeBuilder;
use planish_classfile::pool::{MemberKind, MemberRef};
use planish_classfile::{ClassFile, Flags, Opcode};
use planish_jvm_model::hierarchy::Hierarchy;

use super::assemble::{Pool, add, new_class, new_interface};
use super::exceptions::{arise, handler};
use super::names::{CALL, LEAVES, Names, a_descriptor};
use super::platform::OBJECT;
use super::sites::{Lambda, Rows, finish, kind};

pub(super) const MAKE: &str = "make";
pub(super) const ASK: &str = "h";

/// All classes that have to do with functions.
pub(super) fn files<'n>(
    u: &mut Unstructured<'_>,
    names: &'n Names,
    hierarchy: &Hierarchy,
) -> Result<Vec<(&'n Vec<u8>, ClassFile<'static>)>> {
    let functions = &names.functions;
    let flags = Flags::PUBLIC | Flags::ABSTRACT;
    let [mut m, mut h] = [&functions.m, &functions.h].map(|name| new_interface(name));
    let make = functions.descriptor("(I)F");
    m.add_method(flags, MAKE.as_bytes(), make.as_bytes(), None).expect("room for a method");
    let ask = format!("({}I)I", a_descriptor(&names.a));
    h.add_method(flags, ASK.as_bytes(), ask.as_bytes(), None).expect("room for a method");
    Ok(vec![
        (&functions.f, interface(u, names, hierarchy)?),
        (&functions.m, m),
        (&functions.h, h),
        (&functions.own, own(u, names, hierarchy)?),
        (&functions.lambdas, lambdas(u, names, hierarchy)?),
    ])
}

/// A small sum on what is on the stack.
fn mixed(u: &mut Unstructured<'_>, code: &mut CodeBuilder, pool: &mut Pool) -> Result<()> {
    use Opcode::*;
    code.int(i32::from(u.arbitrary::<i8>()?), pool).expect("room").op(*u.choose(&[Iadd, Isub, Imul, Ixor])?);
    Ok(())
}

/// Appends one method.
fn method(
    class: &mut ClassFile<'static>,
    (flags, name, descriptor): (Flags, &str, &str),
    hierarchy: &Hierarchy,
    write: impl FnOnce(&mut CodeBuilder, &mut Pool) -> Result<()>,
) -> Result<()> {
    let mut code = CodeBuilder::new();
    write(&mut code, &mut class.pool)?;
    let slots = planish_classfile::descriptor::MethodType::parse(descriptor.as_bytes());
    let slots = slots.expect("it is one").parameter_slots() + u16::from(!flags.has(Flags::STATIC));
    let code = code.finish(slots, &mut class.pool).expect("labels are bound");
    add(class, flags, (name, descriptor), code, hierarchy);
    Ok(())
}

/// `F`.
fn interface(u: &mut Unstructured<'_>, names: &Names, hierarchy: &Hierarchy) -> Result<ClassFile<'static>> {
    use Opcode::*;
    let functions = &names.functions;
    let own = &functions.f[..];
    let mut class = new_interface(own);
    let mut rows = Rows::new();
    let flags = Flags::PUBLIC | Flags::ABSTRACT;
    class.add_method(flags, CALL.0.as_bytes(), CALL.1.as_bytes(), None).expect("room for a method");
    method(&mut class, (Flags::PUBLIC, "two", "(I)I"), hierarchy, |code, pool| {
        code.local(Aload, 0).local(Aload, 0).local(Iload, 1);
        functions.invoke(code, pool);
        mixed(u, code, pool)?;
        functions.invoke(code, pool);
        code.op(Ireturn);
        Ok(())
    })?;
    // Older compilers name the method of a lambda that captures its object as one of the class above.
    let is_static = u.arbitrary()?;
    let f = functions.descriptor("F");
    let joined = functions.descriptor(if is_static { "(FFI)I" } else { "(FI)I" });
    let flags = if is_static { Flags::PRIVATE | Flags::STATIC } else { Flags::PRIVATE };
    let flags = flags | Flags::SYNTHETIC;
    method(&mut class, (flags, "lambda$then$0", &joined), hierarchy, |code, pool| {
        code.local(Aload, 1).local(Aload, 0).local(Iload, 2);
        functions.invoke(code, pool);
        functions.invoke(code, pool);
        code.op(Ireturn);
        Ok(())
    })?;
    let then = functions.descriptor("(F)F");
    method(&mut class, (Flags::PUBLIC, "then", &then), hierarchy, |code, pool| {
        code.local(Aload, 0).local(Aload, 1);
        let captures = format!("{f}{f}");
        let handle = if is_static { kind::STATIC } else { kind::SPECIAL };
        let calls = (handle, [own, b"lambda$then$0", joined.as_bytes()]);
        let lambda =
            Lambda { of: functions.call(), actual: None, captures: &captures, calls, calls_interface: true };
        lambda.make(code, &mut rows, pool);
        code.op(Areturn);
        Ok(())
    })?;
    let flags = Flags::PRIVATE | Flags::STATIC | Flags::SYNTHETIC;
    method(&mut class, (flags, "lambda$of$1", "(II)I"), hierarchy, |code, _| {
        code.local(Iload, 0).local(Iload, 1).op(*u.choose(&[Iadd, Isub, Imul, Idiv])?).op(Ireturn);
        Ok(())
    })?;
    let of = functions.descriptor("(I)F");
    method(&mut class, (Flags::PUBLIC | Flags::STATIC, "of", &of), hierarchy, |code, pool| {
        code.local(Iload, 0);
        let calls = (kind::STATIC, [own, b"lambda$of$1", b"(II)I"]);
        let lambda =
            Lambda { of: functions.call(), actual: None, captures: "I", calls, calls_interface: true };
        lambda.make(code, &mut rows, pool);
        code.op(Areturn);
        Ok(())
    })?;
    finish(&mut class, rows);
    Ok(class)
}

/// `Own`.
fn own(u: &mut Unstructured<'_>, names: &Names, hierarchy: &Hierarchy) -> Result<ClassFile<'static>> {
    use Opcode::*;
    let own = &names.functions.own[..];
    let mut class = new_class(own, OBJECT);
    let above = class.pool.add_class(&names.functions.f).expect("room for a class");
    class.interfaces.push(above);
    class.add_field(Flags::FINAL, b"held", b"I").expect("room for a field");
    let held = [own, b"held", b"I"];
    method(&mut class, (Flags(0), "<init>", "(I)V"), hierarchy, |code, pool| {
        code.local(Aload, 0).call(Invokespecial, [OBJECT, b"<init>", b"()V"], pool).expect("room");
        code.local(Aload, 0).local(Iload, 1).field(Putfield, held, pool).expect("room").op(Return);
        Ok(())
    })?;
    method(&mut class, (Flags::PUBLIC, CALL.0, CALL.1), hierarchy, |code, pool| {
        code.local(Aload, 0).field(Getfield, held, pool).expect("room").local(Iload, 1);
        code.op(*u.choose(&[Iadd, Isub, Irem])?).op(Ireturn);
        Ok(())
    })?;
    if u.ratio(1, 3)? {
        method(&mut class, (Flags::PUBLIC, "two", "(I)I"), hierarchy, |code, pool| {
            code.local(Iload, 1);
            mixed(u, code, pool)?;
            code.op(Ireturn);
            Ok(())
        })?;
    }
    Ok(class)
}

/// `Lambdas`.
fn lambdas(u: &mut Unstructured<'_>, names: &Names, hierarchy: &Hierarchy) -> Result<ClassFile<'static>> {
    use Opcode::*;
    let functions = &names.functions;
    let own = &functions.lambdas[..];
    let mut class = new_class(own, OBJECT);
    let mut rows = Rows::new();
    let text = |text: &str| functions.descriptor(text);
    class.add_field(Flags::STATIC, b"one", text("F").as_bytes()).expect("room for a field");
    class.add_field(Flags::STATIC, b"many", text("[F").as_bytes()).expect("room for a field");
    for number in 0..LEAVES {
        let (name, descriptor) = functions.leaf(number);
        method(&mut class, (Flags::STATIC, &name, &descriptor), hierarchy, |code, pool| {
            leaf(u, number, names, code, pool)
        })?;
    }
    let mut helper =
        |name: &str, descriptor: &str, write: &mut dyn FnMut(&mut CodeBuilder, &mut Pool) -> Result<()>| {
            method(&mut class, (Flags::STATIC, name, &text(descriptor)), hierarchy, write)
        };
    helper("call", "(FI)I", &mut |code, pool| {
        code.local(Aload, 0).local(Iload, 1);
        functions.invoke(code, pool);
        mixed(u, code, pool)?;
        code.op(Ireturn);
        Ok(())
    })?;
    helper("calls", "(FII)I", &mut |code, pool| {
        let [top, end] = [(); 2].map(|()| code.label());
        code.local(Iload, 2).op(Iconst3).op(Iand).local(Istore, 2);
        code.bind(top).local(Iload, 2).jump(Ifle, end).local(Aload, 0).local(Iload, 1);
        functions.invoke(code, pool);
        code.local(Istore, 1).increment(2, -1).jump(Goto, top).bind(end).local(Iload, 1).op(Ireturn);
        Ok(())
    })?;
    helper("guarded", "(IF)I", &mut |code, pool| {
        code.local(Aload, 1).local(Astore, 2);
        let from = code.here();
        code.local(Aload, 2).local(Iload, 0);
        functions.invoke(code, pool);
        code.local(Istore, 0);
        handler(u, from, names, code, pool)?;
        code.local(Iload, 0).op(Ireturn);
        Ok(())
    })?;
    helper("pick", "(FFI)F", &mut |code, pool| {
        let other = code.label();
        code.local(Iload, 2);
        mixed(u, code, pool)?;
        code.jump(Ifgt, other).local(Aload, 0).op(Areturn).bind(other).local(Aload, 1).op(Areturn);
        Ok(())
    })?;
    helper("curried", "(I)F", &mut |code, pool| {
        let (name, descriptor) = functions.leaf(1);
        code.local(Iload, 0);
        let calls = [own, name.as_bytes(), descriptor.as_bytes()];
        Lambda::of_static(functions.call(), "I", calls).make(code, &mut rows, pool);
        code.op(Areturn);
        Ok(())
    })?;
    if u.ratio(2, 3)? {
        helper("<clinit>", "()V", &mut |code, pool| {
            let (name, descriptor) = functions.leaf(0);
            let calls = [own, name.as_bytes(), descriptor.as_bytes()];
            let lambda = Lambda::of_static(functions.call(), "", calls);
            lambda.make(code, &mut rows, pool);
            code.field(Putstatic, [own, b"one", text("F").as_bytes()], pool).expect("room");
            code.op(Iconst2).class(Anewarray, &functions.f, pool).expect("room").op(Dup).op(Iconst0);
            lambda.make(code, &mut rows, pool);
            code.op(Aastore).field(Putstatic, [own, b"many", text("[F").as_bytes()], pool).expect("room");
            code.op(Return);
            Ok(())
        })?;
    }
    finish(&mut class, rows);
    Ok(class)
}

/// What a lambda does: it makes something of its number and what it captured, which may throw.
fn leaf(
    u: &mut Unstructured<'_>,
    number: usize,
    names: &Names,
    code: &mut CodeBuilder,
    pool: &mut Pool,
) -> Result<()> {
    use Opcode::*;
    let number_of = |code: &mut CodeBuilder, slot: u16, pool: &mut Pool| {
        code.local(Aload, slot).field(Getfield, [&names.a[..], b"f", b"I"], pool).expect("room");
    };
    // Of an item of an array, which it may count up.
    let item = |u: &mut Unstructured<'_>, code: &mut CodeBuilder, slot: u16, pool: &mut Pool| {
        code.local(Aload, slot).int(u.int_in_range(0..=4)?, pool).expect("room");
        if u.arbitrary()? {
            code.op(Dup2).op(Iaload).op(Iconst1).op(Iadd).op(DupX2).op(Iastore);
        } else {
            code.op(Iaload);
        }
        Ok(())
    };
    let own = match number {
        0 => 0,
        2 => 2,
        6 => 6,
        _ => 1,
    };
    match number {
        0 => {
            code.int(i32::from(u.arbitrary::<i8>()?), pool).expect("room");
        }
        1 => {
            code.local(Iload, 0);
        }
        2 => {
            code.local(Lload, 0).op(L2i);
        }
        3 => number_of(code, 0, pool),
        4 => item(u, code, 0, pool)?,
        5 => {
            code.local(Aload, 0).local(Iload, 1);
            names.functions.invoke(code, pool);
        }
        _ => {
            code.local(Dload, 0).op(D2i).local(Lload, 2).op(L2i).op(Iadd);
            number_of(code, 4, pool);
            code.op(Ixor);
            item(u, code, 5, pool)?;
            code.op(Isub);
        }
    }
    if u.ratio(1, 3)? {
        arise(u, own, names, code, pool)?;
    } else {
        code.local(Iload, own);
    }
    code.op(*u.choose(&[Iadd, Isub, Imul, Ixor])?);
    if u.ratio(1, 3)? {
        let trace = [&names.t[..], b"trace", b"J"];
        code.op(Dup)
            .op(I2l)
            .field(Getstatic, trace, pool)
            .expect("room")
            .long(31, pool)
            .expect("room")
            .op(Lmul);
        code.op(Ladd).field(Putstatic, trace, pool).expect("room");
    }
    code.op(Ireturn);
    Ok(())
}

/// A call of a method of `F` that has a body, on what is on the stack, or a static one.
pub(super) fn method_of_f<'n>(names: &'n Names, name: &'n str, descriptor: &'n str) -> MemberRef<'n> {
    let (name, descriptor) = (name.as_bytes(), descriptor.as_bytes());
    MemberRef { kind: MemberKind::InterfaceMethod, class: &names.functions.f, name, descriptor }
}
