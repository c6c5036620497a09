//! Objects that vanish since the methods that get them stand in the place of their calls, and those that do not.

use planish_classfile::builder::CodeBuilder;
use planish_classfile::frame::Form;
use planish_classfile::{ClassFile, Flags, Opcode};

use crate::small::listing::{listing, read};
use crate::small::visible::with_public_fields;
use crate::small::{Build, Pool, call, class, optimized};

const STATIC: Flags = Flags::STATIC;

/// A class of two numbers.
fn pair() -> Vec<u8> {
    with_public_fields(&class(
        "P",
        &[("x", "I"), ("y", "I")],
        &[(Flags::PUBLIC, "<init>", "(II)V", &|code, pool| {
            code.local(Opcode::Aload, 0);
            call(code, pool, Opcode::Invokespecial, "java/lang/Object", "<init>", "()V");
            code.local(Opcode::Aload, 0).local(Opcode::Iload, 1);
            code.field(Opcode::Putfield, [b"P", b"x", b"I"], pool).unwrap();
            code.local(Opcode::Aload, 0).local(Opcode::Iload, 2);
            code.field(Opcode::Putfield, [b"P", b"y", b"I"], pool).unwrap().op(Opcode::Return);
        })],
    ))
}

/// Pushes a field of the first parameter.
fn field(code: &mut CodeBuilder, pool: &mut Pool, name: &str) {
    code.local(Opcode::Aload, 0);
    code.field(Opcode::Getfield, [b"P", name.as_bytes(), b"I"], pool).unwrap();
}

/// Pushes a number that both fields matter for, by more instructions than the body of a short method has.
fn weighs(code: &mut CodeBuilder, pool: &mut Pool) {
    field(code, pool, "x");
    code.op(Opcode::Iconst3).op(Opcode::Imul);
    field(code, pool, "y");
    code.op(Opcode::Iconst5).op(Opcode::Imul).op(Opcode::Iadd);
}

/// Calls a method with a pair of the only argument and 1, or of 1 and the argument.
fn hands_on(method: &'static str, first: bool) -> impl Fn(&mut CodeBuilder, &mut Pool) {
    move |code, pool| {
        code.class(Opcode::New, b"P", pool).unwrap().op(Opcode::Dup);
        match first {
            true => code.local(Opcode::Iload, 0).op(Opcode::Iconst1),
            false => code.op(Opcode::Iconst1).local(Opcode::Iload, 0),
        };
        call(code, pool, Opcode::Invokespecial, "P", "<init>", "(II)V");
        call(code, pool, Opcode::Invokestatic, "T", method, "(LP;)I");
        code.op(Opcode::Ireturn);
    }
}

/// A program of two methods that hand a pair on to a third one, and what becomes of the first two.
fn handed_on(flags: Flags, body: Build<'_>, strict: bool) -> [String; 2] {
    let methods: [(Flags, &str, &str, Build<'_>); 3] = [
        (STATIC, "mainOne", "(I)I", &hands_on("weight", true)),
        (STATIC, "mainTwo", "(I)I", &hands_on("weight", false)),
        (flags, "weight", "(LP;)I", body),
    ];
    let archive = optimized(&[("T", class("T", &[], &methods)), ("P", pair())], "main*", strict);
    ["mainOne", "mainTwo"].map(|method| listing(&archive, "T", method))
}

#[test]
fn an_object_vanishes_that_a_method_only_looks_at() {
    let weight = |code: &mut CodeBuilder, pool: &mut Pool| {
        weighs(code, pool);
        code.op(Opcode::Ireturn);
    };
    let [one, two] = handed_on(STATIC, &weight, false);
    assert_eq!(one, "iload_0\niconst_3\nimul\niconst_5\niadd\nireturn\n");
    assert!(!two.contains("new") && !two.contains("invoke"), "{two}");
    for kept in handed_on(STATIC, &weight, true) {
        assert!(kept.contains("invokestatic T.weight"), "a frame would vanish:\n{kept}");
    }
    for kept in handed_on(STATIC | Flags::SYNCHRONIZED, &weight, false) {
        assert!(kept.contains("new") && kept.contains("invokestatic T.weight"), "a lock is taken:\n{kept}");
    }
}

#[test]
fn a_method_that_calls_itself_with_the_object_stays() {
    let recursive = |code: &mut CodeBuilder, pool: &mut Pool| {
        let end = code.label();
        field(code, pool, "x");
        code.jump(Opcode::Ifle, end);
        code.local(Opcode::Aload, 0).op(Opcode::Dup);
        code.field(Opcode::Getfield, [b"P", b"x", b"I"], pool).unwrap().op(Opcode::Iconst2).op(Opcode::Isub);
        code.field(Opcode::Putfield, [b"P", b"x", b"I"], pool).unwrap();
        code.local(Opcode::Aload, 0);
        call(code, pool, Opcode::Invokestatic, "T", "weight", "(LP;)I");
        weighs(code, pool);
        code.op(Opcode::Ixor).op(Opcode::Ireturn);
        code.bind(end).frame(Form::Same);
        weighs(code, pool);
        code.op(Opcode::Ireturn);
    };
    for body in handed_on(STATIC, &recursive, false) {
        assert!(body.contains("new") && body.contains("T.weight"), "{body}");
    }
}

#[test]
fn methods_that_hand_the_object_to_each_other_stay() {
    let hands_to = |other: &'static str| {
        move |code: &mut CodeBuilder, pool: &mut Pool| {
            let end = code.label();
            field(code, pool, "x");
            code.jump(Opcode::Ifle, end);
            code.local(Opcode::Aload, 0).op(Opcode::Dup);
            code.field(Opcode::Getfield, [b"P", b"x", b"I"], pool).unwrap();
            code.op(Opcode::Iconst2).op(Opcode::Isub);
            code.field(Opcode::Putfield, [b"P", b"x", b"I"], pool).unwrap();
            code.local(Opcode::Aload, 0);
            call(code, pool, Opcode::Invokestatic, "T", other, "(LP;)I");
            weighs(code, pool);
            code.op(Opcode::Ixor).op(Opcode::Ireturn);
            code.bind(end).frame(Form::Same);
            weighs(code, pool);
            code.op(Opcode::Ireturn);
        }
    };
    let methods: [(Flags, &str, &str, Build<'_>); 4] = [
        (STATIC, "mainOne", "(I)I", &hands_on("odd", true)),
        (STATIC, "mainTwo", "(I)I", &hands_on("even", false)),
        (STATIC, "odd", "(LP;)I", &hands_to("even")),
        (STATIC, "even", "(LP;)I", &hands_to("odd")),
    ];
    let archive = optimized(&[("T", class("T", &[], &methods)), ("P", pair())], "main*", false);
    for method in ["mainOne", "mainTwo"] {
        assert!(listing(&archive, "T", method).contains("new"), "{method}");
    }
}

#[test]
fn what_a_method_changes_and_throws_is_seen_where_it_is_called() {
    // It counts, then divides by what is left: the handler of the caller sees the exception.
    let divides = |code: &mut CodeBuilder, pool: &mut Pool| {
        code.local(Opcode::Aload, 0).op(Opcode::Dup);
        code.field(Opcode::Getfield, [b"P", b"x", b"I"], pool).unwrap().op(Opcode::Iconst2).op(Opcode::Isub);
        code.field(Opcode::Putfield, [b"P", b"x", b"I"], pool).unwrap();
        field(code, pool, "y");
        field(code, pool, "x");
        code.op(Opcode::Idiv).op(Opcode::Ireturn);
    };
    let [one, two] = handed_on(STATIC, &divides, false);
    assert_eq!(one, "iconst_1\niload_0\niconst_2\nisub\nidiv\nireturn\n");
    assert_eq!(two, "iload_0\nineg\nireturn\n");
}

#[test]
fn what_another_package_may_not_see_keeps_the_call() {
    let total: Build<'_> = &|code, pool| {
        let get = |code: &mut CodeBuilder, pool: &mut Pool, name: &[u8]| {
            code.local(Opcode::Aload, 0);
            code.field(Opcode::Getfield, [b"q/Q", name, b"I"], pool).unwrap();
        };
        get(code, pool, b"x");
        code.op(Opcode::Iconst3).op(Opcode::Imul);
        get(code, pool, b"x");
        code.op(Opcode::Iconst5).op(Opcode::Iadd).op(Opcode::Ixor).op(Opcode::Ireturn);
    };
    let other = class(
        "q/Q",
        &[("x", "I")],
        &[
            (Flags::PUBLIC, "<init>", "(I)V", &|code, pool| {
                code.local(Opcode::Aload, 0);
                call(code, pool, Opcode::Invokespecial, "java/lang/Object", "<init>", "()V");
                code.local(Opcode::Aload, 0).local(Opcode::Iload, 1);
                code.field(Opcode::Putfield, [b"q/Q", b"x", b"I"], pool).unwrap().op(Opcode::Return);
            }),
            (Flags::PUBLIC | Flags::FINAL, "total", "()I", total),
        ],
    );
    let main = |code: &mut CodeBuilder, pool: &mut Pool| {
        code.class(Opcode::New, b"q/Q", pool).unwrap().op(Opcode::Dup).local(Opcode::Iload, 0);
        call(code, pool, Opcode::Invokespecial, "q/Q", "<init>", "(I)V");
        call(code, pool, Opcode::Invokevirtual, "q/Q", "total", "()I");
        code.op(Opcode::Ireturn);
    };
    let methods: [(Flags, &str, &str, Build<'_>); 2] =
        [(STATIC, "mainOne", "(I)I", &main), (STATIC, "mainTwo", "(I)I", &main)];
    let archive = optimized(&[("T", class("T", &[], &methods)), ("q/Q", other)], "main*", false);
    assert!(listing(&archive, "T", "mainOne").contains("invokevirtual q/Q.total"));
    let bytes = read(&archive, "q/Q");
    assert!(ClassFile::read(&bytes).unwrap().fields[0].flags.has(Flags::PRIVATE));
}
