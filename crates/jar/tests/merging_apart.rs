//! Classes that stay apart, since something could tell them from each other.

mod small;

use planish_classfile::{Flags, Opcode};
use small::{Build, call, class, class_below, optimized_by};

const STATIC: Flags = Flags(Flags::PUBLIC.0 | Flags::STATIC.0);

/// Whether `A`, which only `B` extends and of which there are no objects, is still there. `T.main` makes a `B`, asks it through `A`, and
/// does something besides.
fn stays(rules: &str, besides: Build<'_>) -> bool {
    let construct = |above: &'static str| {
        move |code: &mut planish_classfile::builder::CodeBuilder, pool: &mut small::Pool| {
            code.local(Opcode::Aload, 0);
            call(code, pool, Opcode::Invokespecial, above, "<init>", "()V");
            code.op(Opcode::Return);
        }
    };
    let (of_a, of_b) = (construct("java/lang/Object"), construct("A"));
    let asked: Build<'_> = &|code, pool| {
        code.local(Opcode::Aload, 0);
        call(code, pool, Opcode::Invokevirtual, "java/lang/Object", "hashCode", "()I");
        code.op(Opcode::Ireturn);
    };
    let main: Build<'_> = &|code, pool| {
        besides(code, pool);
        code.class(Opcode::New, b"B", pool).unwrap().op(Opcode::Dup);
        call(code, pool, Opcode::Invokespecial, "B", "<init>", "()V");
        call(code, pool, Opcode::Invokevirtual, "A", "asked", "()I");
        code.op(Opcode::Iadd).op(Opcode::Ireturn);
    };
    let a = [(Flags::PUBLIC, "<init>", "()V", &of_a as Build<'_>), (Flags::PUBLIC, "asked", "()I", asked)];
    let b = [(Flags::PUBLIC, "<init>", "()V", &of_b as Build<'_>)];
    let files = [
        ("A", class("A", &[], &a)),
        ("B", class_below(b"A", "B", &[], &b)),
        ("T", class("T", &[], &[(STATIC, "main", "(Ljava/lang/Object;)I", main)])),
    ];
    let archive = optimized_by(&files, &format!("-keep class T {{ *** main(...); }}\n{rules}"), false);
    archive.find(b"A.class").is_some()
}

#[test]
fn nothing_else_keeps_them_apart() {
    let nothing: Build<'_> = &|code, _| drop(code.op(Opcode::Iconst0));
    assert!(!stays("", nothing));
    assert!(stays("-optimizations !class/merging/*", nothing));
    assert!(stays("-nevermerge class A", nothing));
    assert!(!stays("-nevermerge class T", nothing));
}

/// `new A[2] instanceof B[]` is false.
#[test]
fn an_array_of_the_class_above_is_none_of_the_one_below() {
    assert!(stays("", &|code, pool| {
        code.op(Opcode::Iconst2).class(Opcode::Anewarray, b"A", pool).unwrap();
        code.class(Opcode::Instanceof, b"[LB;", pool).unwrap();
    }));
    assert!(stays("", &|code, pool| {
        code.op(Opcode::Iconst2).class(Opcode::Anewarray, b"[LA;", pool).unwrap().op(Opcode::Arraylength);
    }));
    assert!(!stays("", &|code, pool| {
        code.op(Opcode::Iconst2).class(Opcode::Anewarray, b"B", pool).unwrap().op(Opcode::Arraylength);
    }));
}

#[test]
fn a_program_that_asks_classes_what_they_extend_sees_each() {
    assert!(stays("", &|code, pool| {
        code.local(Opcode::Aload, 0);
        call(code, pool, Opcode::Invokevirtual, "java/lang/Object", "getClass", "()Ljava/lang/Class;");
        call(code, pool, Opcode::Invokevirtual, "java/lang/Class", "getSuperclass", "()Ljava/lang/Class;");
        call(code, pool, Opcode::Invokevirtual, "java/lang/Object", "hashCode", "()I");
    }));
}
