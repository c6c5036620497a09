//! A constructor that is called in the place of a lambda: the object is made before its arguments are converted, as the
//! class does that a JVM makes for the lambda. So the class is initialized, even if an argument turns out not to fit.

use crate::small::lambda::with_lambda;
use crate::small::listing::listing;
use crate::small::{Build, Pool, call, class, optimized};
use planish_classfile::builder::CodeBuilder;
use planish_classfile::pool::MemberKind;
use planish_classfile::{ClassFile, Flags, MemberRef, Opcode};

const STATIC: Flags = Flags(Flags::PUBLIC.0 | Flags::STATIC.0);

/// What is left of `((F) A::new).make(x)`, where the constructor takes `taken` and the lambda `actual`.
fn left(taken: &str, actual: &str) -> String {
    let descriptor = format!("({taken})V");
    let main: Build<'_> = &|code: &mut CodeBuilder, pool: &mut Pool| {
        // What is longer by nothing pays.
        for _ in 0..9 {
            code.op(Opcode::Nop);
        }
        code.dynamic(0, b"make", b"()LF;", pool).unwrap().local(Opcode::Aload, 0);
        call(code, pool, Opcode::Invokeinterface, "F", "make", "(Ljava/lang/Object;)Ljava/lang/Object;");
        code.op(Opcode::Areturn);
    };
    let t = class("T", &[], &[(STATIC, "main", "(Ljava/lang/Object;)Ljava/lang/Object;", main)]);
    let name = &b"<init>"[..];
    let constructor =
        MemberRef { kind: MemberKind::Method, class: b"A", name, descriptor: descriptor.as_bytes() };
    let erased = "(Ljava/lang/Object;)Ljava/lang/Object;";
    let t = with_lambda(&t, (8, constructor), [erased, &format!("({actual})LA;")]);
    let init: Build<'_> = &|code: &mut CodeBuilder, pool: &mut Pool| {
        code.local(Opcode::Aload, 0);
        call(code, pool, Opcode::Invokespecial, "java/lang/Object", "<init>", "()V");
        call(code, pool, Opcode::Invokestatic, "java/lang/System", "gc", "()V");
        code.op(Opcode::Return);
    };
    let starts: Build<'_> = &|code: &mut CodeBuilder, pool: &mut Pool| {
        call(code, pool, Opcode::Invokestatic, "java/lang/System", "gc", "()V");
        code.op(Opcode::Return);
    };
    let a =
        class("A", &[], &[(Flags::PUBLIC, "<init>", &descriptor, init), (STATIC, "<clinit>", "()V", starts)]);
    let flags = Flags::PUBLIC | Flags::INTERFACE | Flags::ABSTRACT;
    let mut f = ClassFile::new(52, flags, b"F", Some(b"java/lang/Object")).unwrap();
    let abstract_method = Flags::PUBLIC | Flags::ABSTRACT;
    f.add_method(abstract_method, b"make", b"(Ljava/lang/Object;)Ljava/lang/Object;", None).unwrap();
    let files = [("T", t), ("A", a), ("F", f.to_bytes().unwrap())];
    listing(&optimized(&files, "main", false), "T", "main")
}

/// Where an instruction stands in a body.
fn place(body: &str, op: &str) -> usize {
    body.lines().position(|line| line.starts_with(op)).unwrap_or_else(|| panic!("no {op} in\n{body}"))
}

#[test]
fn an_object_is_made_before_its_arguments_are_cast() {
    let body = left("Ljava/lang/Number;", "Ljava/lang/Number;");
    assert!(!body.contains("invokedynamic"), "{body}");
    assert!(place(&body, "new") < place(&body, "checkcast"), "{body}");
}
