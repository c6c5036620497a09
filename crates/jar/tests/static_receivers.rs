//! S3.10, S3.36: a receiver that recursions only hand on is no argument; without it the method has copies for constants as a
//! static one has them.

use crate::small::listing::{listing, read};
use crate::small::{Build, Pool, call, class, class_below, optimized, optimized_by};
use planish_classfile::builder::CodeBuilder;
use planish_classfile::frame::Form;
use planish_classfile::{ClassFile, Flags, Opcode};
use planish_jar::classes::Archive;

const STATIC: Flags = Flags(Flags::PUBLIC.0 | Flags::STATIC.0);

/// A constructor that does nothing more.
fn init(code: &mut CodeBuilder, pool: &mut Pool) {
    code.local(Opcode::Aload, 0);
    call(code, pool, Opcode::Invokespecial, "java/lang/Object", "<init>", "()V");
    code.op(Opcode::Return);
}

/// `m == 0 ? n + 1 : n == 0 ? a(m - 1, 1) : a(m - 1, a(m, n - 1))`, of an object unless it is static.
fn ackermann<'m>(class: &'m str, name: &'m str, op: Opcode) -> impl Fn(&mut CodeBuilder, &mut Pool) + 'm {
    move |code, pool| {
        let (more, inner) = (code.label(), code.label());
        let (m, n) = if op == Opcode::Invokestatic { (0, 1) } else { (1, 2) };
        let hand_on = |code: &mut CodeBuilder, pool: &mut Pool| call(code, pool, op, class, name, "(II)I");
        let object = |code: &mut CodeBuilder| {
            if m == 1 {
                code.local(Opcode::Aload, 0);
            }
        };
        let less = |code: &mut CodeBuilder, slot| {
            code.local(Opcode::Iload, slot).op(Opcode::Iconst1).op(Opcode::Isub);
        };
        code.local(Opcode::Iload, m).jump(Opcode::Ifne, more);
        code.local(Opcode::Iload, n).op(Opcode::Iconst1).op(Opcode::Iadd).op(Opcode::Ireturn);
        code.bind(more).frame(Form::Same);
        code.local(Opcode::Iload, n).jump(Opcode::Ifne, inner);
        object(code);
        less(code, m);
        code.op(Opcode::Iconst1);
        hand_on(code, pool);
        code.op(Opcode::Ireturn).bind(inner).frame(Form::Same);
        object(code);
        less(code, m);
        object(code);
        code.local(Opcode::Iload, m);
        less(code, n);
        hand_on(code, pool);
        hand_on(code, pool);
        code.op(Opcode::Ireturn);
    }
}

/// How the methods are declared.
#[derive(Clone, Copy, Debug)]
enum Kind {
    Static,
    Private,
    Final,
    Virtual,
}

/// `main(n)` adds up `(2, n)` and `(n, 2)` of some Ackermann functions, each of an object: of one class, or of one each.
fn solved(count: usize, together: bool, kind: Kind, rules: &str) -> Archive {
    let names: Vec<(String, String)> = (0..count)
        .map(|number| (if together { "A".to_owned() } else { format!("A{number}") }, format!("a{number}")))
        .collect();
    let (flags, op) = match kind {
        Kind::Static => (STATIC, Opcode::Invokestatic),
        Kind::Private => (Flags::PRIVATE, Opcode::Invokespecial),
        Kind::Final => (Flags::PUBLIC | Flags::FINAL, Opcode::Invokevirtual),
        Kind::Virtual => (Flags::PUBLIC, Opcode::Invokevirtual),
    };
    // What is private is called by a method beside it.
    let enter: Vec<_> = names.iter().map(|(class, name)| enter(class, name, op)).collect();
    let bodies: Vec<_> = names.iter().map(|(class, name)| ackermann(class, name, op)).collect();
    let entries: Vec<String> = (0..count).map(|number| format!("enter{number}")).collect();
    let main = |code: &mut CodeBuilder, pool: &mut Pool| {
        code.op(Opcode::Iconst0);
        for ((class, _), entry) in names.iter().zip(&entries) {
            code.class(Opcode::New, class.as_bytes(), pool).unwrap().op(Opcode::Dup);
            call(code, pool, Opcode::Invokespecial, class, "<init>", "()V");
            code.local(Opcode::Iload, 0);
            call(code, pool, Opcode::Invokevirtual, class, entry, "(I)I");
            code.op(Opcode::Iadd);
        }
        code.op(Opcode::Ireturn);
    };
    let of_class = |members: &[usize]| {
        let mut methods: Vec<(Flags, &str, &str, Build<'_>)> = vec![(Flags::PUBLIC, "<init>", "()V", &init)];
        for &number in members {
            methods.push((flags, &names[number].1, "(II)I", &bodies[number]));
            methods.push((Flags::PUBLIC, &entries[number], "(I)I", &enter[number]));
        }
        class(&names[members[0]].0, &[], &methods)
    };
    let all: Vec<usize> = (0..count).collect();
    let mut files: Vec<(&str, Vec<u8>)> = match together {
        true => vec![("A", of_class(&all))],
        false => all.iter().map(|&number| (&*names[number].0, of_class(&[number]))).collect(),
    };
    files.push(("T", class("T", &[], &[(STATIC, "main", "(I)I", &main)])));
    optimized_by(&files, &format!("-keep class T {{ *** main(...); }}\n{rules}"), false)
}

/// `a(2, n) ^ a(n, 2)`
fn enter<'m>(class: &'m str, name: &'m str, op: Opcode) -> impl Fn(&mut CodeBuilder, &mut Pool) + 'm {
    move |code, pool| {
        for is_first in [true, false] {
            if op != Opcode::Invokestatic {
                code.local(Opcode::Aload, 0);
            }
            match is_first {
                true => code.op(Opcode::Iconst2).local(Opcode::Iload, 1),
                false => code.local(Opcode::Iload, 1).op(Opcode::Iconst2),
            };
            call(code, pool, op, class, name, "(II)I");
        }
        code.op(Opcode::Ixor).op(Opcode::Ireturn);
    }
}

/// The methods of all classes, but constructors: whether they are static, class, name and descriptor.
fn methods(archive: &Archive) -> Vec<(bool, String, String)> {
    let mut found = Vec::new();
    for entry in &archive.entries {
        let name = String::from_utf8_lossy(&entry.name).replace(".class", "");
        let bytes = read(archive, &name);
        let file = ClassFile::read(&bytes).unwrap();
        for method in &file.methods {
            let text = |index| String::from_utf8_lossy(file.pool.utf8(index).unwrap()).into_owned();
            let shown = text(method.name) + &text(method.descriptor);
            if !shown.starts_with('<') {
                found.push((method.flags.has(Flags::STATIC), name.clone(), shown));
            }
        }
    }
    found
}

/// What is left of `solved`, with the bodies; what is static by now has the name that it would have had.
fn left(count: usize, together: bool, kind: Kind) -> String {
    let archive = solved(count, together, kind, "");
    let mut text = String::new();
    for (is_static, class, method) in methods(&archive) {
        let name = method.split('(').next().unwrap();
        text += &format!("{is_static} {class}.{method}:\n{}", listing(&archive, &class, name));
    }
    text.replace("__s_k_k", "")
}

#[test]
fn ackermann_of_an_object_is_solved_as_the_static_one_is() {
    for (count, together) in [(1, true), (3, true), (3, false)] {
        let solved = left(count, together, Kind::Static);
        assert!(solved.contains("__k_2(I)I") && !solved.contains("new "), "{solved}");
        for kind in [Kind::Private, Kind::Final, Kind::Virtual] {
            let found = left(count, together, kind);
            assert_eq!(found, solved, "{kind:?}, {count}, together: {together}");
        }
    }
}

/// ProGuard's name for what makes methods static forbids it.
#[test]
fn a_receiver_stays_where_a_rule_forbids_static_methods() {
    let archive = solved(1, true, Kind::Virtual, "-optimizations !method/marking/static");
    assert!(is_any_an_instance_method(&archive), "{:?}", methods(&archive));
}

/// `n == 0 ? ends : other(n - 1)`, of the same object.
fn round<'m>(other: &'m str, ends: i32) -> impl Fn(&mut CodeBuilder, &mut Pool) + 'm {
    move |code, pool| {
        let more = code.label();
        code.local(Opcode::Iload, 1).jump(Opcode::Ifne, more);
        code.int(ends, pool).unwrap().op(Opcode::Ireturn);
        code.bind(more).frame(Form::Same);
        code.local(Opcode::Aload, 0).local(Opcode::Iload, 1).op(Opcode::Iconst1).op(Opcode::Isub);
        call(code, pool, Opcode::Invokevirtual, "A", other, "(I)I");
        code.op(Opcode::Ireturn);
    }
}

/// Three methods that call each other in a circle, `main(n)`, which calls the first one on what `object` puts there, and a class
/// below that is made, too, if something is said of that.
fn circle(last: Build<'_>, object: Build<'_>, below: Option<Build<'_>>) -> Archive {
    let (one, two) = (round("two", 1), round("three", 2));
    let methods: [(Flags, &str, &str, Build<'_>); 4] = [
        (Flags::PUBLIC, "<init>", "()V", &init),
        (Flags::PUBLIC, "one", "(I)I", &one),
        (Flags::PUBLIC, "two", "(I)I", &two),
        (Flags::PUBLIC, "three", "(I)I", last),
    ];
    let main: Build<'_> = &|code, pool| {
        object(code, pool);
        code.local(Opcode::Iload, 0);
        call(code, pool, Opcode::Invokevirtual, "A", "one", "(I)I");
        code.op(Opcode::Ireturn);
    };
    let mut files = vec![("A", class("A", &[("x", "I")], &methods))];
    if let Some(body) = below {
        let made: Build<'_> = &|code, pool| {
            code.local(Opcode::Aload, 0);
            call(code, pool, Opcode::Invokespecial, "A", "<init>", "()V");
            code.op(Opcode::Return);
        };
        let own: [(Flags, &str, &str, Build<'_>); 2] =
            [(Flags::PUBLIC, "<init>", "()V", made), (Flags::PUBLIC, "two", "(I)I", body)];
        files.push(("B", class_below(b"A", "B", &[], &own)));
    }
    files.push(("T", class("T", &[], &[(STATIC, "main", "(I)I", main)])));
    optimized(&files, "main", false)
}

/// A new object of a class.
fn object(class: &'static str) -> impl Fn(&mut CodeBuilder, &mut Pool) {
    move |code, pool| {
        code.class(Opcode::New, class.as_bytes(), pool).unwrap().op(Opcode::Dup);
        call(code, pool, Opcode::Invokespecial, class, "<init>", "()V");
    }
}

/// One of two classes, as `n` says.
fn either(code: &mut CodeBuilder, pool: &mut Pool) {
    use planish_classfile::frame::VerificationType;
    let (other, behind) = (code.label(), code.label());
    code.local(Opcode::Iload, 0).op(Opcode::Iconst3).op(Opcode::Iand).jump(Opcode::Ifne, other);
    object("A")(code, pool);
    code.jump(Opcode::Goto, behind).bind(other).frame(Form::Same);
    object("B")(code, pool);
    let class = pool.add_class(b"A").unwrap();
    code.bind(behind).frame(Form::Stack1(VerificationType::Object(class)));
}

fn is_any_an_instance_method(archive: &Archive) -> bool {
    methods(archive).iter().any(|(is_static, ..)| !is_static)
}

#[test]
fn a_receiver_that_goes_round_in_a_circle_of_methods_is_dropped() {
    let archive = circle(&round("one", 3), &object("A"), None);
    assert!(!is_any_an_instance_method(&archive), "{:?}", methods(&archive));
}

#[test]
fn a_receiver_that_one_of_them_reads_stays() {
    let reads: Build<'_> = &|code, pool| {
        let more = code.label();
        code.local(Opcode::Iload, 1).jump(Opcode::Ifgt, more);
        code.local(Opcode::Aload, 0).field(Opcode::Getfield, [b"A", b"x", b"I"], pool).unwrap();
        code.op(Opcode::Ireturn).bind(more).frame(Form::Same);
        for of in [0, 1] {
            code.local(Opcode::Aload, 0);
            if of == 1 {
                code.local(Opcode::Aload, 0).field(Opcode::Getfield, [b"A", b"x", b"I"], pool).unwrap();
                code.local(Opcode::Iload, 1).op(Opcode::Iadd);
                code.field(Opcode::Putfield, [b"A", b"x", b"I"], pool).unwrap();
            }
        }
        code.local(Opcode::Iload, 1).op(Opcode::Iconst1).op(Opcode::Isub);
        call(code, pool, Opcode::Invokevirtual, "A", "one", "(I)I");
        code.op(Opcode::Ireturn);
    };
    let archive = circle(reads, &object("A"), None);
    assert!(is_any_an_instance_method(&archive), "{:?}", methods(&archive));
}

#[test]
fn where_the_receiver_may_be_null_the_call_throws() {
    let nothing: Build<'_> = &|code, pool| {
        code.op(Opcode::AconstNull).class(Opcode::Checkcast, b"A", pool).unwrap();
    };
    let archive = circle(&round("one", 3), nothing, None);
    let main = listing(&archive, "T", "main");
    assert!(main.contains("athrow") || main.contains("invokevirtual"), "{main}");
    assert!(!main.contains("invokestatic A"), "{main}");
}

#[test]
fn where_the_class_of_the_receiver_decides_it_stays() {
    let other: Build<'_> = &|code, _| {
        code.local(Opcode::Iload, 1).op(Opcode::Ireturn);
    };
    let archive = circle(&round("one", 3), &either, Some(other));
    assert!(is_any_an_instance_method(&archive), "{:?}", methods(&archive));
}
