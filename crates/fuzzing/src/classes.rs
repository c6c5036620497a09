//! Random programs of classes that verify: what becomes of them must do the same on a JVM.
//!
//! A program is a class `T` with public static methods `m0`, `m1`, ... of numbers, private ones that they call, and
//! classes `A` and `B` with a constructor, fields and a method that `B` overrides. Fields are plain, narrow, volatile,
//! static, set by the constructor alone, and of the class itself; two variables hold objects that may be one, or null.
//! Private methods may have one name and different parameters, and some have a twin with the same body. The method that `B`
//! overrides takes more than one argument, of which each body may ignore some; another one calls itself, and nobody may need
//! what it gives.
//! Exceptions have a hierarchy of their own, methods that throw them, handlers in any order.
//! Arrays are passed around, in static fields, in each other, to methods of the JDK.
//! Both implement an interface, whose only method has a body that they may override. Classes of two packages have methods
//! that override each other, or not, and objects whose class can be known. Fresh objects and boxes flow through joins.
//! Bodies are made of all arithmetic of the instruction set, arrays, fields, calls, casts, texts, conditions, loops
//! that end, switches, over texts too, handlers and monitors. Lambdas and references to methods are made, kept, handed on,
//! joined and called. Chains of classes of which only the last has objects, and holders of static methods, may become one. Enums may become numbers.
//! Methods only call those with larger numbers, so every call ends. Effects are mixed
//! into a public static field, so that their order can be seen.

mod arrays;
mod assemble;
mod body;
mod control;
mod enums;
mod exceptions;
mod functions;
mod joins;
mod lambdas;
mod memory;
mod merging;
mod names;
mod platform;
mod receivers;
mod recursion;
mod signature;
mod sites;
mod statements;

use arbitrary::{Result, Unstructured};
use planish_classfile::builder::CodeBuilder;
use planish_classfile::{ClassFile, Code, Flags, Opcode};
use planish_jvm_model::hierarchy::{Hierarchy, Origin};

use assemble::{add, new_class, new_interface};
use body::Body;
use memory::{FIELDS, STATICS};
use names::{Arrays, Exceptions, Functions, Names, Receivers, Recursion, a_descriptor};
use platform::OBJECT;
pub use platform::platform;
use signature::{Signature, Ty, V, V_PARAMS};
use sites::Rows;

/// How many methods a program has at most: public ones, others, and bodies of lambdas.
const METHODS: [(&str, usize); 3] = [("m", 3), ("h", 4), ("lambda$", 3)];

/// Makes a program in a package of this name: class files, with their names as in `p/T`.
pub fn program(u: &mut Unstructured<'_>, package: &str) -> Result<Vec<(String, Vec<u8>)>> {
    let name = |class: &str| format!("{package}/{class}").into_bytes();
    let names = Names {
        t: name("T"),
        a: name("A"),
        b: name("B"),
        i: name("I"),
        receivers: Receivers::new(u, package)?,
        recursion: Recursion::new(u)?,
        arrays: Arrays::new(u, package)?,
        exceptions: Exceptions::new(u, package)?,
        functions: Functions::new(package, &name("A")),
    };
    let mut hierarchy = hierarchy(&names);
    let (called, chains) = merging::files(u, package, &mut hierarchy)?;
    let (states, enumerations) = enums::files(u, package, &mut hierarchy)?;
    let signatures = signatures(u)?;
    let interface = control::interface(u, &names.i, &hierarchy)?;
    hierarchy.add(&interface.to_bytes().expect("it fits"), Origin::Program).expect("it is well-formed");
    let mut files = vec![(&names.i, interface)];
    for (class, above) in [(&names.a, OBJECT), (&names.b, &names.a[..])] {
        files.push((class, object_class(u, &names, class, above, &hierarchy)?));
    }
    for (place, class) in names.receivers.classes.iter().enumerate() {
        files.push((class, receivers::class(u, (&names, place), &hierarchy)?));
    }
    files.extend(exceptions::files(u, &names, &hierarchy)?);
    let tables = arrays::class(u, &names, &hierarchy)?;
    files.push((names.arrays.class(), tables));
    files.extend(functions::files(u, &names, &hierarchy)?);
    let mut main = main_class(u, &names, &signatures, &hierarchy)?;
    merging::user(u, &called, &mut main, &hierarchy)?;
    enums::users(u, &states, &mut main, &hierarchy)?;
    files.push((&names.t, main));
    let text = |name: &[u8]| String::from_utf8_lossy(name).into_owned();
    let bytes = |class: ClassFile<'static>| class.to_bytes().expect("what was built fits its format");
    let files = files.into_iter().map(|(name, class)| (text(name), class)).chain(chains).chain(enumerations);
    Ok(files.map(|(name, class)| (name, bytes(class))).collect())
}

/// The static methods of `T`.
fn signatures(u: &mut Unstructured<'_>) -> Result<Vec<Signature>> {
    let mut signatures = Vec::new();
    for (prefix, most) in METHODS {
        for number in 0..u.int_in_range(1..=most)? {
            let mut params = Vec::new();
            for _ in 0..u.int_in_range(0..=4)? {
                params.push(*u.choose(&Ty::ALL)?);
            }
            let name = format!("{prefix}{number}");
            let mut made =
                Signature { name, params, result: *u.choose(&Ty::ALL)?, is_twin: false, shares: false };
            if prefix == "lambda$" {
                made.params.push(Ty::Int);
                made.result = Ty::Int;
            }
            made.shares = prefix != "m" && u.ratio(1, 3)?;
            if prefix == "h" && u.ratio(1, 4)? {
                made.name = "h".to_owned();
                let is_same = |other: &Signature| {
                    other.name == "h" && other.params == made.params && other.shares == made.shares
                };
                if signatures.iter().any(is_same) {
                    made.name = format!("h{number}");
                }
            }
            signatures.push(made.clone());
            if prefix == "h" && u.ratio(1, 4)? {
                let name = format!("twin{number}");
                signatures.push(Signature { name, is_twin: true, ..made });
            }
        }
    }
    Ok(signatures)
}

/// The JDK and the classes of a program, but for its interface, which has a body of its own.
fn hierarchy(names: &Names) -> Hierarchy {
    let mut hierarchy = platform();
    let receivers = (0..3).map(|place| (&names.receivers.classes[place], names.receivers.above(place)));
    let tables = names.arrays.class();
    let others = [(&names.a, OBJECT), (&names.b, &names.a[..]), (&names.t, OBJECT), (tables, OBJECT)];
    let plain = names.exceptions.others().into_iter().chain(names.functions.others());
    let plain = plain.map(|class| (class, OBJECT));
    let classes = others.into_iter().chain(receivers).chain(names.exceptions.classes()).chain(plain);
    let classes = classes.map(|(name, above)| new_class(name, above));
    for class in classes.chain(names.functions.interfaces().map(|name| new_interface(name))) {
        hierarchy.add(&class.to_bytes().expect("it fits"), Origin::Program).expect("it is well-formed");
    }
    hierarchy
}

/// `T`: fields for everybody, and the methods that are called.
fn main_class(
    u: &mut Unstructured<'_>,
    names: &Names,
    signatures: &[Signature],
    hierarchy: &Hierarchy,
) -> Result<ClassFile<'static>> {
    let mut class = new_class(&names.t, OBJECT);
    receivers::helpers(names, &mut class, hierarchy);
    class.add_field(Flags::PUBLIC | Flags::STATIC, b"trace", b"J").expect("room for a field");
    for (name, flags) in STATICS {
        class.add_field(flags | Flags::STATIC, name, b"I").expect("room for a field");
    }
    let mut rows = Rows::new();
    let mut body: Option<Code> = None;
    for (number, signature) in signatures.iter().enumerate() {
        // A method that called its twin would do something else than the twin does.
        let mut callable = &signatures[number + 1..];
        if let Some((Signature { is_twin: true, .. }, rest)) = callable.split_first() {
            callable = rest;
        }
        let access = match &signature.name[..1] {
            "m" => Flags::PUBLIC,
            "l" => Flags::PRIVATE | Flags::SYNTHETIC,
            _ => Flags::PRIVATE,
        };
        let made = match body.take().filter(|_| signature.is_twin) {
            Some(same) => same,
            None => {
                let mut body = Body::new(names, callable, &mut rows);
                if signature.shares {
                    (body.array, body.object) = (body.slot(1), body.slot(1));
                    body.shares = true;
                }
                body.write(u, &signature.params, signature.result, &mut class.pool)?
            }
        };
        body = Some(made.clone());
        add(
            &mut class,
            access | Flags::STATIC,
            (&signature.name, &signature.descriptor(names)),
            made,
            hierarchy,
        );
    }
    sites::finish(&mut class, rows);
    Ok(class)
}

/// `A` or `B`: a constructor that stores its argument, and `v`, which makes something of it.
fn object_class(
    u: &mut Unstructured<'_>,
    names: &Names,
    name: &[u8],
    above: &[u8],
    hierarchy: &Hierarchy,
) -> Result<ClassFile<'static>> {
    let mut class = new_class(name, above);
    let (is_base, pool) = (above == OBJECT, &mut class.pool);
    let mut code = CodeBuilder::new();
    code.local(Opcode::Aload, 0);
    if !is_base {
        code.local(Opcode::Iload, 1);
    }
    let descriptor: &[u8] = if is_base { b"()V" } else { b"(I)V" };
    code.call(Opcode::Invokespecial, [above, b"<init>", descriptor], pool).expect("room");
    if is_base {
        code.local(Opcode::Aload, 0).local(Opcode::Iload, 1);
        code.field(Opcode::Putfield, [name, b"f", b"I"], pool).expect("room");
        code.local(Opcode::Aload, 0).local(Opcode::Iload, 1).op(Opcode::Iconst1).op(Opcode::Ixor);
        code.field(Opcode::Putfield, [name, b"set", b"I"], pool).expect("room");
    }
    code.op(Opcode::Return);
    let made = code.finish(2, pool).expect("labels are bound");
    let mut rows = Rows::new();
    let mut body = Body::new(names, &[], &mut rows);
    body.receiver = Some(0);
    body.next_slot = 1;
    body.may_ignore = true;
    let v = body.write(u, &V_PARAMS, Ty::Int, &mut class.pool)?;
    sites::finish(&mut class, rows);
    if is_base {
        for (name, descriptor, flags) in FIELDS {
            class.add_field(flags, name, descriptor).expect("room for a field");
        }
        class.add_field(Flags::PUBLIC, b"next", a_descriptor(&names.a).as_bytes()).expect("room for a field");
    }
    add(&mut class, Flags::PUBLIC, ("<init>", "(I)V"), made, hierarchy);
    add(&mut class, Flags::PUBLIC, ("v", V), v, hierarchy);
    arrays::method(names, &mut class, is_base, hierarchy);
    if is_base {
        let index = class.pool.add_class(&names.i).expect("room for a class");
        class.interfaces.push(index);
    }
    if is_base || u.arbitrary()? {
        exceptions::method(u, names, &mut class, hierarchy)?;
    }
    if u.arbitrary()? {
        control::method_of_interface(u, &mut class, hierarchy)?;
    }
    if is_base || u.arbitrary()? {
        recursion::method(u, names, &mut class, hierarchy)?;
    }
    Ok(class)
}
