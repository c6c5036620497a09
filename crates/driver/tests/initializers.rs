//! Class initializers that do nothing, from the start or once what they did went, are not there any more; those that
//! do something stay.

mod small;

use planish_classfile::builder::CodeBuilder;
use planish_classfile::{ClassFile, Flags, Opcode};

use small::listing::read;
use small::{Pool, call, class, optimized_by};

const STATIC: Flags = Flags::STATIC;

/// Whether the class has an initializer behind optimization, which puts these instructions in front of its return.
fn stays(build: impl Fn(&mut CodeBuilder, &mut Pool)) -> bool {
    let initialize = |code: &mut CodeBuilder, pool: &mut Pool| {
        build(code, pool);
        code.op(Opcode::Return);
    };
    let one = |code: &mut CodeBuilder, _: &mut Pool| {
        code.op(Opcode::Iconst1).op(Opcode::Ireturn);
    };
    let run = |code: &mut CodeBuilder, pool: &mut Pool| {
        call(code, pool, Opcode::Invokestatic, "A", "one", "()I");
        code.op(Opcode::Ireturn);
    };
    let methods: [(Flags, &str, &str, small::Build<'_>); 2] =
        [(STATIC, "<clinit>", "()V", &initialize), (STATIC, "one", "()I", &one)];
    let a = class("A", &[], &methods);
    let mut file = ClassFile::read(&a).unwrap();
    file.add_field(Flags::PUBLIC | STATIC, b"kept", b"I").unwrap();
    file.add_field(Flags::PRIVATE | STATIC, b"unread", b"I").unwrap();
    let a = file.to_bytes().unwrap();
    let files = [("T", class("T", &[], &[(STATIC, "run", "()I", &run)])), ("A", a)];
    let rules = "-keep class T { *** run(...); }\n-keep class A { *** one(); *** kept; }";
    let result = read(&optimized_by(&files, rules, false), "A");
    let file = ClassFile::read(&result).unwrap();
    file.method(b"<clinit>", b"()V").is_some()
}

/// Stores a number in a field.
fn store(code: &mut CodeBuilder, pool: &mut Pool, field: &str) {
    code.int(7, pool).unwrap();
    code.field(Opcode::Putstatic, [b"A", field.as_bytes(), b"I"], pool).unwrap();
}

#[test]
fn an_initializer_that_does_nothing_goes() {
    assert!(!stays(|_, _| {}));
    assert!(!stays(|code, pool| store(code, pool, "unread")));
}

#[test]
fn an_initializer_that_does_something_stays() {
    assert!(stays(|code, pool| store(code, pool, "kept")));
    assert!(stays(|code, pool| call(code, pool, Opcode::Invokestatic, "Missing", "begin", "()V")));
}
