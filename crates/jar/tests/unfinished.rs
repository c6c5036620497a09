//! Objects that are made, but whose constructor has not run: no two of them may meet, whatever is done with the branches
//! around them.

use planish_classfile::builder::CodeBuilder;
use planish_classfile::{Flags, Opcode};

use crate::small::listing::listing;
use crate::small::{Build, Pool, call, class, optimized};

const STATIC: Flags = Flags::STATIC;

/// Files without frames, as compilers before Java 6 wrote them.
fn without_frames(mut file: Vec<u8>) -> Vec<u8> {
    file[6..8].copy_from_slice(&49u16.to_be_bytes());
    file
}

#[test]
fn a_branch_between_an_object_and_its_constructor_is_not_copied_with_the_object() {
    // `y = x == 0 ? call(y) : call(call(y)); return new A(x == 0 ? 1 : 2).f(y)`, where the second branch is known on both
    // ways that lead to it.
    let unknown = |code: &mut CodeBuilder, pool: &mut Pool| {
        code.class(Opcode::Checkcast, b"A", pool).unwrap();
        call(code, pool, Opcode::Invokevirtual, "java/lang/Object", "hashCode", "()I");
        call(code, pool, Opcode::Invokestatic, "java/lang/Integer", "valueOf", "(I)Ljava/lang/Integer;");
    };
    let run: Build<'_> = &|code, pool| {
        let [other, both, two, made] = std::array::from_fn(|_| code.label());
        code.local(Opcode::Iload, 0).jump(Opcode::Ifne, other).local(Opcode::Aload, 1);
        unknown(code, pool);
        code.local(Opcode::Astore, 1).jump(Opcode::Goto, both).bind(other).local(Opcode::Aload, 1);
        unknown(code, pool);
        unknown(code, pool);
        code.local(Opcode::Astore, 1).bind(both).class(Opcode::New, b"A", pool).unwrap().op(Opcode::Dup);
        code.local(Opcode::Iload, 0).jump(Opcode::Ifne, two).op(Opcode::Iconst1).jump(Opcode::Goto, made);
        code.bind(two).op(Opcode::Iconst2).bind(made);
        call(code, pool, Opcode::Invokespecial, "A", "<init>", "(I)V");
        code.op(Opcode::Pop).local(Opcode::Aload, 1).op(Opcode::Areturn);
    };
    let init: Build<'_> = &|code, pool| {
        code.local(Opcode::Aload, 0);
        call(code, pool, Opcode::Invokespecial, "java/lang/Object", "<init>", "()V");
        code.local(Opcode::Iload, 1);
        call(code, pool, Opcode::Invokestatic, "java/lang/Thread", "exit", "(I)V");
        code.op(Opcode::Return);
    };
    let descriptor = "(ILjava/lang/Object;)Ljava/lang/Object;";
    let files = [
        ("T", without_frames(class("T", &[], &[(STATIC, "run", descriptor, run)]))),
        ("A", class("A", &[], &[(Flags::PUBLIC, "<init>", "(I)V", init)])),
    ];
    for strict in [false, true] {
        let left = listing(&optimized(&files, "run", strict), "T", "run");
        assert_eq!(left.matches("new ").count(), 1, "{left}");
    }
}
