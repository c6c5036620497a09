//! Classes that may become one: a chain of two or three of which only the last has objects, and holders of static methods.
//!
//! All have a field and a private method of the same name, and static members; methods override each other, or are abstract,
//! and call `super`. Constructors call a method that is overridden before the fields further down are set. Some classes do
//! something when they are initialized. A public method of `T` makes an object, which goes through an array, tests and casts.

use arbitrary::{Result, Unstructured};
use planish_classfile::builder::CodeBuilder;
use planish_classfile::{ClassFile, Flags, Opcode};
use planish_jvm_model::hierarchy::{Hierarchy, Origin};

use super::assemble::{Pool, add, new_class};
use super::platform::OBJECT;

const INT: &str = "(I)I";

/// What the classes are called, from above, and the holders.
pub(super) struct Called {
    t: Vec<u8>,
    chain: Vec<Vec<u8>>,
    holders: [Vec<u8>; 2],
}

/// Class files by their names.
type Files = Vec<(String, ClassFile<'static>)>;

/// The classes of a package, and what they are called.
pub(super) fn files(
    u: &mut Unstructured<'_>,
    package: &str,
    hierarchy: &mut Hierarchy,
) -> Result<(Called, Files)> {
    let name = |class: &str| format!("{package}/{class}").into_bytes();
    let chain: &[&str] = if u.arbitrary()? { &["X", "Y", "Z"] } else { &["X", "Z"] };
    let called = Called {
        t: name("T"),
        chain: chain.iter().map(|class| name(class)).collect(),
        holders: ["Left", "Right"].map(name),
    };
    let above = |place: usize| place.checked_sub(1).map_or(OBJECT, |above| &called.chain[above][..]);
    let headers = called.chain.iter().enumerate().map(|(place, class)| new_class(class, above(place)));
    for class in headers.chain(called.holders.iter().map(|class| new_class(class, OBJECT))) {
        hierarchy.add(&class.to_bytes().expect("it fits"), Origin::Program).expect("it is well-formed");
    }
    let mut files = Vec::new();
    for place in 0..called.chain.len() {
        files.push(link(u, &called, (place, above(place)), hierarchy)?);
    }
    for holder in &called.holders {
        let mut class = new_class(holder, OBJECT);
        class.add_field(Flags::STATIC, b"s", b"I").expect("room for a field");
        let other = u.choose(&called.holders)?;
        statics(u, &mut class, (&called, other), "st", hierarchy)?;
        files.push(class);
    }
    let text = |file: &ClassFile<'_>| String::from_utf8_lossy(file.name().expect("a name")).into_owned();
    let files = files.into_iter().map(|file| (text(&file), file)).collect();
    Ok((called, files))
}

/// Mixes the number in a slot into what everybody sees.
fn mix(code: &mut CodeBuilder, t: &[u8], slot: u16, pool: &mut Pool) {
    use Opcode::*;
    let trace = [t, b"trace", b"J"];
    code.field(Getstatic, trace, pool).expect("room").long(31, pool).expect("room").op(Lmul);
    code.local(Iload, slot).op(I2l).op(Ladd).field(Putstatic, trace, pool).expect("room");
}

/// A class of the chain.
fn link(
    u: &mut Unstructured<'_>,
    called: &Called,
    (place, above): (usize, &[u8]),
    hierarchy: &Hierarchy,
) -> Result<ClassFile<'static>> {
    use Opcode::*;
    let own = &called.chain[place][..];
    let (is_first, is_last) = (place == 0, place + 1 == called.chain.len());
    let mut class = new_class(own, above);
    if !is_last {
        class.flags = class.flags.with(Flags::ABSTRACT);
    }
    let f = if u.arbitrary()? { Flags::PRIVATE } else { Flags(0) };
    class.add_field(f, b"f", b"I").expect("room for a field");
    class.add_field(Flags::STATIC, b"s", b"I").expect("room for a field");
    let mut code = CodeBuilder::new();
    code.local(Aload, 0);
    if !is_first {
        code.local(Iload, 1).int(place as i32 + 1, &mut class.pool).expect("room").op(Imul);
    }
    let descriptor: &[u8] = if is_first { b"()V" } else { INIT.as_bytes() };
    code.call(Invokespecial, [above, b"<init>", descriptor], &mut class.pool).expect("room");
    // A method further down may run before what it looks at is set.
    code.local(Aload, 0)
        .op(Iconst2)
        .call(Invokevirtual, [own, b"v", INT.as_bytes()], &mut class.pool)
        .expect("room");
    code.local(Istore, 2).local(Aload, 0).local(Iload, 2).local(Iload, 1).op(Iadd);
    code.field(Putfield, [own, b"f", b"I"], &mut class.pool).expect("room");
    mix(&mut code, &called.t, 2, &mut class.pool);
    if u.ratio(1, 3)? {
        let end = code.label();
        code.local(Iload, 1).jump(Ifle, end);
        mix(&mut code, &called.t, 1, &mut class.pool);
        code.bind(end);
    }
    code.op(Return);
    let made = code.finish(3, &mut class.pool).expect("labels are bound");
    add(&mut class, Flags(0), ("<init>", INIT), made, hierarchy);
    for (name, flags) in
        [("p", Flags::PRIVATE), ("v", Flags::PUBLIC), ("u", Flags(0)), ("o", Flags::PROTECTED)]
    {
        let is_there = match name {
            "p" => true,
            "v" => is_last || u.ratio(2, 3)?,
            "u" => is_first,
            _ => is_first || u.arbitrary()?,
        };
        match is_there {
            true => recursive(u, &mut class, (called, above, is_first), (name, flags), hierarchy)?,
            false if name == "v" && is_first => {
                class.add_method(flags | Flags::ABSTRACT, b"v", INT.as_bytes(), None).expect("room");
            }
            false => {}
        }
    }
    if u.arbitrary()? {
        let name = if u.arbitrary()? { "st" } else { "other" };
        statics(u, &mut class, (called, &called.holders[0]), name, hierarchy)?;
    }
    if !u.ratio(5, 6)? {
        let mut code = CodeBuilder::new();
        code.int(place as i32 + 7, &mut class.pool).expect("room").local(Istore, 0);
        mix(&mut code, &called.t, 0, &mut class.pool);
        let made = code.op(Return);
        let made = std::mem::take(made).finish(1, &mut class.pool).expect("labels are bound");
        add(&mut class, Flags::STATIC, ("<clinit>", "()V"), made, hierarchy);
    }
    Ok(class)
}

const INIT: &str = "(I)V";

/// Adds a method that calls itself as often as its argument says, and perhaps the private one, or that of the class above.
fn recursive(
    u: &mut Unstructured<'_>,
    class: &mut ClassFile<'static>,
    (called, above, is_first): (&Called, &[u8], bool),
    (name, flags): (&str, Flags),
    hierarchy: &Hierarchy,
) -> Result<()> {
    use Opcode::*;
    let own = class.name().expect("it has one").to_vec();
    let pool = &mut class.pool;
    let mut code = CodeBuilder::new();
    let end = code.label();
    code.local(Iload, 1).jump(Ifle, end);
    mix(&mut code, &called.t, 1, pool);
    let op = if flags.has(Flags::PRIVATE) { Invokespecial } else { Invokevirtual };
    code.local(Aload, 0).local(Iload, 1).op(Iconst1).op(Isub);
    code.call(op, [&own, name.as_bytes(), INT.as_bytes()], pool).expect("room");
    code.int(i32::from(u.arbitrary::<i8>()?), pool).expect("room").op(*u.choose(&[Iadd, Imul, Ixor])?);
    // The class above need not have one of its own: then what is further up is called.
    let has_above = !is_first && (name == "o" || name == "v" && u.ratio(1, 8)?);
    if has_above && name == "o" && u.ratio(2, 3)? {
        code.local(Aload, 0).local(Iload, 1).op(Iconst2).op(Ishr);
        code.call(Invokespecial, [above, name.as_bytes(), INT.as_bytes()], pool).expect("room").op(Isub);
    } else if name != "p" && u.arbitrary()? {
        code.local(Aload, 0).local(Iload, 1).op(Iconst1).op(Ishr);
        code.call(Invokespecial, [&own, b"p", INT.as_bytes()], pool).expect("room").op(Ixor);
    }
    code.op(Ireturn).bind(end);
    code.local(Aload, 0).field(Getfield, [&own, b"f", b"I"], pool).expect("room");
    if u.ratio(1, 3)? {
        code.field(Getstatic, [&own, b"s", b"I"], pool).expect("room").op(Iadd);
    }
    code.op(Ireturn);
    let made = code.finish(2, pool).expect("labels are bound");
    add(class, flags, (name, INT), made, hierarchy);
    Ok(())
}

/// Adds a static method that calls itself, and perhaps one of a holder.
fn statics(
    u: &mut Unstructured<'_>,
    class: &mut ClassFile<'static>,
    (called, other): (&Called, &[u8]),
    name: &str,
    hierarchy: &Hierarchy,
) -> Result<()> {
    use Opcode::*;
    let own = class.name().expect("it has one").to_vec();
    let pool = &mut class.pool;
    let mut code = CodeBuilder::new();
    let end = code.label();
    let counted = [&own[..], b"s", b"I"];
    code.field(Getstatic, counted, pool).expect("room").local(Iload, 0).op(Iadd);
    code.field(Putstatic, counted, pool).expect("room").local(Iload, 0).jump(Ifle, end);
    mix(&mut code, &called.t, 0, pool);
    code.local(Iload, 0).op(Iconst1).op(Isub);
    code.call(Invokestatic, [&own, name.as_bytes(), INT.as_bytes()], pool).expect("room");
    if u.arbitrary()? {
        code.local(Iload, 0).op(Iconst2).op(Ishr);
        code.call(Invokestatic, [other, b"st", INT.as_bytes()], pool).expect("room").op(Ixor);
    }
    code.int(i32::from(u.arbitrary::<i8>()?), pool).expect("room").op(Imul).op(Ireturn).bind(end);
    code.field(Getstatic, counted, pool).expect("room").op(Ireturn);
    let made = code.finish(1, pool).expect("labels are bound");
    add(class, Flags::STATIC, (name, INT), made, hierarchy);
    Ok(())
}

/// Adds the method of `T`: it makes an object, and calls what it has by the names of classes above.
pub(super) fn user(
    u: &mut Unstructured<'_>,
    called: &Called,
    main: &mut ClassFile<'static>,
    hierarchy: &Hierarchy,
) -> Result<()> {
    use Opcode::*;
    let pool = &mut main.pool;
    let (top, last) = (&called.chain[0][..], &called.chain[called.chain.len() - 1][..]);
    let mut code = CodeBuilder::new();
    // An object in an array, and null behind it. An array of the class above keeps that apart.
    let element = if called.chain.len() > 2 { top } else { last };
    code.op(Iconst2).class(Anewarray, element, pool).expect("room").local(Astore, 1);
    code.local(Aload, 1).op(Iconst0).class(New, last, pool).expect("room").op(Dup).local(Iload, 0);
    code.call(Invokespecial, [last, b"<init>", INIT.as_bytes()], pool).expect("room").op(Aastore);
    let no = code.label();
    code.local(Aload, 1).local(Iload, 0).op(Iconst1).op(Iand).op(Aaload).local(Astore, 2);
    code.local(Aload, 2).class(Instanceof, u.choose(&called.chain)?, pool).expect("room").jump(Ifeq, no);
    for name in ["v", "u", "o"] {
        let class = u.choose(&called.chain)?;
        code.local(Aload, 2).class(Checkcast, class, pool).expect("room");
        code.local(Iload, 0).int(7, pool).expect("room").op(Iand);
        code.call(Invokevirtual, [class, name.as_bytes(), INT.as_bytes()], pool).expect("room");
        code.local(Istore, 3);
        mix(&mut code, &called.t, 3, pool);
    }
    code.bind(no);
    for holder in &called.holders {
        code.local(Iload, 0).op(Iconst3).op(Iand);
        code.call(Invokestatic, [holder, b"st", INT.as_bytes()], pool).expect("room").local(Istore, 3);
        mix(&mut code, &called.t, 3, pool);
    }
    code.local(Iload, 0).op(Ireturn);
    let made = code.finish(4, pool).expect("labels are bound");
    add(main, Flags::PUBLIC | Flags::STATIC, ("m9", INT), made, hierarchy);
    Ok(())
}
