//! Bodies as deep as a class file may have them: expressions within expressions, to the last byte of a method.

use planish_base::threads::on_large_stack;
use planish_classfile::Flags;
use planish_classfile::Opcode;
use planish_classfile::builder::CodeBuilder;

use crate::small::listing::listing;
use crate::small::{Pool, call, class, optimized};

/// How many instructions are left of a body that computes an `int` of two, beside a method that it may call.
fn left(build: impl Fn(&mut CodeBuilder, &mut Pool) + Sync) -> usize {
    on_large_stack(|| {
        let body = |code: &mut CodeBuilder, pool: &mut Pool| {
            build(code, pool);
            code.op(Opcode::Ireturn);
        };
        let add = |code: &mut CodeBuilder, _: &mut Pool| {
            code.local(Opcode::Iload, 0).op(Opcode::Iconst1).op(Opcode::Iadd).op(Opcode::Ireturn);
        };
        let methods: [(Flags, &str, &str, crate::small::Build<'_>); 2] =
            [(Flags::STATIC, "run", "(II)I", &body), (Flags::STATIC, "add", "(I)I", &add)];
        let files = [("T", class("T", &[], &methods))];
        listing(&optimized(&files, "run", false), "T", "run").lines().count()
    })
}

#[test]
fn operands_on_the_left() {
    let build = |code: &mut CodeBuilder, _: &mut Pool| {
        code.local(Opcode::Iload, 0);
        for _ in 0..10_000 {
            code.local(Opcode::Iload, 1).op(Opcode::Iadd).local(Opcode::Iload, 0).op(Opcode::Imul);
        }
    };
    assert!(left(build) > 10_000);
}

#[test]
fn operands_on_the_right() {
    let build = |code: &mut CodeBuilder, _: &mut Pool| {
        (0..30_000).for_each(|_| _ = code.local(Opcode::Iload, 1));
        (1..30_000).for_each(|n| _ = code.op(if n % 2 == 0 { Opcode::Isub } else { Opcode::Imul }));
    };
    assert!(left(build) > 10_000);
}

#[test]
fn calls_within_calls() {
    let build = |code: &mut CodeBuilder, pool: &mut Pool| {
        code.local(Opcode::Iload, 0);
        (0..20_000).for_each(|_| call(code, pool, Opcode::Invokestatic, "T", "add", "(I)I"));
    };
    assert!(left(build) > 1);
}
