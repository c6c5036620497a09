//! Methods of one name and different parameters stay apart when parameters go.

use crate::small::listing::{listing, read};
use crate::small::methods::methods;
use crate::small::{Build, Pool, call, class, optimized};
use planish_classfile::builder::CodeBuilder;
use planish_classfile::{ClassFile, Flags, Opcode};

const STATIC: Flags = Flags(Flags::PUBLIC.0 | Flags::STATIC.0);

/// A number of that in a slot, which depends on `salt`, and takes too much to stand in the place of a call.
fn compute(code: &mut CodeBuilder, pool: &mut Pool, slot: u16, salt: i32) {
    code.local(Opcode::Iload, slot);
    for round in 0..6 {
        code.int(salt + 1000 * round, pool).unwrap().op(Opcode::Ixor);
        code.local(Opcode::Iload, slot).op(Opcode::Imul);
    }
}

/// Variants of `f(x, y)` and `f(x, text)` without the second parameter have one name and one descriptor.
#[test]
fn variants_of_methods_that_differ_in_what_goes_are_two_methods() {
    let other: Build<'_> = &|code, pool| {
        compute(code, pool, 0, 500);
        code.op(Opcode::Ireturn);
    };
    let first: Build<'_> = &|code, pool| {
        compute(code, pool, 0, 700);
        code.op(Opcode::Ireturn);
    };
    let main: Build<'_> = &|code, pool| {
        for (more, seven) in [(3, 7), (5, 9)] {
            code.local(Opcode::Iload, 0).int(more, pool).unwrap().op(Opcode::Iadd);
            code.local(Opcode::Iload, 0).int(seven, pool).unwrap().op(Opcode::Imul);
            call(code, pool, Opcode::Invokestatic, "T", "f", "(II)I");
            code.local(Opcode::Iload, 0).int(more, pool).unwrap().op(Opcode::Ixor);
            code.local(Opcode::Aload, 1);
            call(code, pool, Opcode::Invokestatic, "T", "f", "(ILjava/lang/Object;)I");
            code.op(Opcode::Iadd);
            if more == 5 {
                code.op(Opcode::Iadd);
            }
        }
        code.op(Opcode::Ireturn);
    };
    let private = Flags::PRIVATE | Flags::STATIC;
    let file = class(
        "T",
        &[],
        &[
            (private, "f", "(II)I", first),
            (private, "f", "(ILjava/lang/Object;)I", other),
            (STATIC, "main", "(ILjava/lang/Object;)I", main),
        ],
    );
    let archive = optimized(&[("T", file)], "main*", false);
    let bodies = methods(&archive, "T");
    assert_eq!(bodies.len(), 3, "two bodies and their caller: {bodies:?}");
    let bytes = read(&archive, "T");
    let file = ClassFile::read(&bytes).unwrap();
    let has = |number: i32| {
        file.pool
            .indices()
            .any(|index| file.pool.get(index) == Ok(planish_classfile::Constant::Integer(number)))
            || methods(&archive, "T").iter().any(|method| {
                let name = method.split('(').next().unwrap_or_default();
                listing(&archive, "T", name).contains(&format!("sipush {number}\n"))
            })
    };
    assert!(has(700 + 3000) && has(500 + 3000), "what each computes is still there");
}
