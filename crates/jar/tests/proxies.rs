//! What stays of interfaces and classes below which others are made at run time.

use crate::small::listing::{listing, read};
use crate::small::{Build, Pool, call, class, optimized, optimized_for};
use planish_classfile::builder::CodeBuilder;
use planish_classfile::{ClassFile, Constant, Flags, Opcode};
use planish_jar::programs::roots::Roots;

const STATIC: Flags = Flags(Flags::PUBLIC.0 | Flags::STATIC.0);

/// What a proxy does when it is called may run the body that the interface has.
#[test]
fn a_body_of_an_interface_stays_that_has_proxies() {
    let of_constant: Build<'_> = &|code: &mut CodeBuilder, pool: &mut Pool| {
        let name = pool.add_utf8(b"I").unwrap();
        code.load(Constant::Class(name), pool).unwrap();
        answers(code, pool);
    };
    let by_name: Build<'_> = &|code: &mut CodeBuilder, pool: &mut Pool| {
        let name = pool.add_utf8(b"I").unwrap();
        code.load(Constant::String(name), pool).unwrap();
        let named = "(Ljava/lang/String;)Ljava/lang/Class;";
        call(code, pool, Opcode::Invokestatic, "java/lang/Class", "forName", named);
        answers(code, pool);
    };
    for main in [of_constant, by_name] {
        let t = class("T", &[], &[(STATIC, "main", "()I", main)]);
        let flags = Flags::PUBLIC | Flags::INTERFACE | Flags::ABSTRACT;
        let mut i = ClassFile::new(52, flags, b"I", Some(b"java/lang/Object")).unwrap();
        let mut code = CodeBuilder::new();
        code.local(Opcode::Iload, 1).op(Opcode::Ireturn);
        let code = code.finish(2, &mut i.pool).unwrap();
        i.add_method(Flags::PUBLIC, b"answer", b"(I)I", Some(&code)).unwrap();
        let archive = optimized(&[("T", t), ("I", i.to_bytes().unwrap())], "main", false);
        assert_eq!(listing(&archive, "I", "answer"), "iload_1\nireturn\n", "with any arguments");
    }
}

/// Makes a proxy of a class that is an interface, and calls it.
fn answers(code: &mut CodeBuilder, pool: &mut Pool) {
    let make = "(Ljava/lang/Class;)Ljava/lang/Object;";
    call(code, pool, Opcode::Invokestatic, "java/lang/reflect/Proxy", "newProxyInstance", make);
    code.class(Opcode::Checkcast, b"I", pool).unwrap();
    code.int(42, pool).unwrap();
    call(code, pool, Opcode::Invokeinterface, "I", "answer", "(I)I");
    code.op(Opcode::Ireturn);
}

/// Calls a method of an object of `A`, if there is one.
fn calls_a(code: &mut CodeBuilder, pool: &mut Pool) {
    call(code, pool, Opcode::Invokestatic, "java/util/Objects", "something", "()Ljava/lang/Object;");
    code.class(Opcode::Checkcast, b"A", pool).unwrap();
    call(code, pool, Opcode::Invokevirtual, "A", "number", "()I");
    call(code, pool, Opcode::Invokestatic, "java/lang/System", "exit", "(I)V");
    code.op(Opcode::Return);
}

/// A program of `T`, whose `main` is given, and of `A`, which nothing here extends or makes.
fn with(main: Build<'_>) -> (String, Flags) {
    let t = class("T", &[], &[(STATIC, "main", "([Ljava/lang/String;)V", main)]);
    let mut a = ClassFile::new(52, Flags::PUBLIC, b"A", Some(b"java/lang/Object")).unwrap();
    let mut code = CodeBuilder::new();
    code.int(7, &mut a.pool).unwrap();
    code.op(Opcode::Ireturn);
    let code = code.finish(1, &mut a.pool).unwrap();
    a.add_method(Flags::PUBLIC, b"number", b"()I", Some(&code)).unwrap();
    // No rules say what else is found at run time.
    let files = [("T", t), ("A", a.to_bytes().unwrap())];
    let archive = optimized_for(&files, "", Roots { main: vec!["T".to_owned()], ..Roots::default() });
    (listing(&archive, "T", "main"), ClassFile::read(&read(&archive, "A")).unwrap().flags)
}

/// A class that is made of bytes may extend any that is there, with nothing that names it: what it is called on is found
/// by the class of an object, or in a file.
#[test]
fn a_class_may_be_extended_where_classes_are_made() {
    let main: Build<'_> = &|code, pool| {
        let lookup = "java/lang/invoke/MethodHandles$Lookup";
        let found = format!("()L{lookup};");
        call(code, pool, Opcode::Invokestatic, "java/lang/invoke/MethodHandles", "lookup", &found);
        code.op(Opcode::AconstNull);
        call(code, pool, Opcode::Invokevirtual, lookup, "defineClass", "([B)Ljava/lang/Class;");
        code.op(Opcode::Pop);
        calls_a(code, pool);
    };
    let (text, flags) = with(main);
    assert!(text.contains("invokevirtual A.number"), "it may be overridden: {text}");
    assert!(!flags.has(Flags::FINAL), "it may be extended");
}

/// Where no class is made, one that nothing extends is final in the end.
#[test]
fn a_class_is_final_that_nothing_may_extend() {
    let (_, flags) = with(&calls_a);
    assert!(flags.has(Flags::FINAL));
}
