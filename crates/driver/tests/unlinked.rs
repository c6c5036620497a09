//! Calls that throw, since the classes were compiled at different times: they still do.

mod small;

use planish_classfile::builder::CodeBuilder;
use planish_classfile::{ClassFile, Flags, Opcode};
use small::listing::listing;
use small::{Build, Pool, call, class, optimized};

const STATIC: Flags = Flags(Flags::PUBLIC.0 | Flags::STATIC.0);
const PUBLIC: Flags = Flags::PUBLIC;

fn construct(above: &'static str) -> impl Fn(&mut CodeBuilder, &mut Pool) {
    move |code, pool| {
        code.local(Opcode::Aload, 0);
        call(code, pool, Opcode::Invokespecial, above, "<init>", "()V");
        code.op(Opcode::Return);
    }
}

fn five(code: &mut CodeBuilder, _: &mut Pool) {
    code.op(Opcode::Iconst5).op(Opcode::Ireturn);
}

/// `T.main` makes a `B`, and calls a method `m` of `A` on it.
fn main_of(op: Opcode) -> Vec<u8> {
    let main: Build<'_> = &|code, pool| {
        code.class(Opcode::New, b"B", pool).unwrap().op(Opcode::Dup);
        call(code, pool, Opcode::Invokespecial, "B", "<init>", "()V");
        call(code, pool, op, "A", "m", "()I");
        code.op(Opcode::Ireturn);
    };
    class("T", &[], &[(STATIC, "main", "()I", main)])
}

fn a(flags: Flags) -> Vec<u8> {
    let of_object = construct("java/lang/Object");
    class("A", &[], &[(PUBLIC, "<init>", "()V", &of_object), (flags, "m", "()I", &five)])
}

/// `B` extends `A`; `abstracts` says whether it takes `m` away again, although it is no abstract class.
fn b(abstracts: bool) -> Vec<u8> {
    let of_a = construct("A");
    let bytes = small::class_below(b"A", "B", &[], &[(PUBLIC, "<init>", "()V", &of_a)]);
    let mut file = ClassFile::read(&bytes).unwrap();
    if abstracts {
        file.add_method(PUBLIC | Flags::ABSTRACT, b"m", b"()I", None).unwrap();
    }
    file.to_bytes().unwrap()
}

#[test]
fn a_call_of_what_is_private_elsewhere_stays() {
    let whole = |flags| {
        let files = [("T", main_of(Opcode::Invokevirtual)), ("A", a(flags)), ("B", b(false))];
        listing(&optimized(&files, "main", false), "T", "main")
    };
    assert!(!whole(PUBLIC).contains("A.m"), "it is linked");
    assert!(whole(Flags::PRIVATE).contains("invokevirtual A.m"), "{}", whole(Flags::PRIVATE));
}

#[test]
fn a_call_through_an_interface_that_is_none_stays() {
    let files = [("T", main_of(Opcode::Invokeinterface)), ("A", a(PUBLIC)), ("B", b(false))];
    let listing = listing(&optimized(&files, "main", false), "T", "main");
    assert!(listing.contains("invokeinterface"), "{listing}");
}

#[test]
fn an_abstract_method_stays_that_takes_another_away() {
    let files = [("T", main_of(Opcode::Invokevirtual)), ("A", a(PUBLIC)), ("B", b(true))];
    for strict in [false, true] {
        let archive = optimized(&files, "main", strict);
        let bytes = small::listing::read(&archive, "B");
        assert!(ClassFile::read(&bytes).unwrap().method(b"m", b"()I").is_some(), "the call throws");
        assert!(listing(&archive, "T", "main").contains(".m"));
    }
}
