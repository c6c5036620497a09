//! What is known of methods of the JDK decides what is asked of their results.

use crate::small::asks::asks;
use crate::small::listing::listing;
use crate::small::{Build, Pool, call, class, optimized};
use planish_classfile::Flags;
use planish_classfile::Opcode;
use planish_classfile::builder::CodeBuilder;
use planish_classfile::frame::Form;

/// What is left of `T.main`.
fn left(descriptor: &str, main: Build<'_>) -> String {
    let files = [("T", class("T", &[], &[(Flags::STATIC, "main", descriptor, main)]))];
    listing(&optimized(&files, "main", false), "T", "main")
}

#[test]
fn methods_of_numbers_are_evaluated_for_constants() {
    let text = left("()I", &|code, pool| {
        code.op(Opcode::Iconst3).op(Opcode::Iconst4);
        call(code, pool, Opcode::Invokestatic, "java/lang/Math", "max", "(II)I");
        call(code, pool, Opcode::Invokestatic, "java/lang/Integer", "bitCount", "(I)I");
        code.op(Opcode::Ireturn);
    });
    assert_eq!(text, "iconst_1\nireturn\n");
    let text = left("(I)I", &|code, pool| {
        code.local(Opcode::Iload, 0).op(Opcode::Iconst4);
        call(code, pool, Opcode::Invokestatic, "java/lang/Math", "max", "(II)I");
        code.op(Opcode::Ireturn);
    });
    assert!(text.contains("Math.max"), "{text}");
}

#[test]
fn a_length_is_never_negative_and_bounds_go_through_max_and_min() {
    let length: Build<'_> = &|code, pool| {
        code.local(Opcode::Aload, 0);
        call(code, pool, Opcode::Invokevirtual, "java/lang/String", "length", "()I");
    };
    let text = left("(Ljava/lang/String;)I", &asks(length, Opcode::Iflt));
    assert!(!text.contains("if") && text.contains("iconst_2"), "{text}");
    let text = left("(Ljava/lang/String;)I", &asks(length, Opcode::Ifle));
    assert!(text.contains("if"), "a text may be empty:\n{text}");
    let clamped: Build<'_> = &|code, pool| {
        code.local(Opcode::Iload, 0).op(Opcode::Iconst1);
        call(code, pool, Opcode::Invokestatic, "java/lang/Math", "max", "(II)I");
        code.int(100, pool).unwrap();
        call(code, pool, Opcode::Invokestatic, "java/lang/Math", "min", "(II)I");
    };
    assert_eq!(left("(I)I", &asks(clamped, Opcode::Ifle)), "iconst_2\nireturn\n");
    let absolute: Build<'_> = &|code, pool| {
        code.local(Opcode::Iload, 0);
        call(code, pool, Opcode::Invokestatic, "java/lang/Math", "abs", "(I)I");
    };
    let text = left("(I)I", &asks(absolute, Opcode::Iflt));
    assert!(text.contains("if"), "the smallest number stays negative:\n{text}");
}

#[test]
fn a_text_of_a_number_is_there_and_one_of_an_object_may_not_be() {
    let of_number: Build<'_> = &|code, pool| {
        code.local(Opcode::Iload, 0);
        call(code, pool, Opcode::Invokestatic, "java/lang/String", "valueOf", "(I)Ljava/lang/String;");
    };
    let text = left("(I)I", &asks(of_number, Opcode::Ifnull));
    assert!(!text.contains("if") && text.contains("iconst_2"), "{text}");
    let of_object: Build<'_> = &|code, pool| {
        let descriptor = "(Ljava/lang/Object;)Ljava/lang/String;";
        code.local(Opcode::Aload, 0);
        call(code, pool, Opcode::Invokestatic, "java/lang/String", "valueOf", descriptor);
    };
    let text = left("(Ljava/lang/Object;)I", &asks(of_object, Opcode::Ifnull));
    assert!(text.contains("if"), "its toString may give null:\n{text}");
}

#[test]
fn what_was_required_to_be_there_is_there_from_then_on() {
    let required = |code: &mut CodeBuilder, pool: &mut Pool| {
        let descriptor = "(Ljava/lang/Object;)Ljava/lang/Object;";
        code.local(Opcode::Aload, 0);
        call(code, pool, Opcode::Invokestatic, "java/util/Objects", "requireNonNull", descriptor);
    };
    let behind: Build<'_> = &|code, pool| {
        for _ in 0..2 {
            required(code, pool);
            code.op(Opcode::Pop);
        }
        code.local(Opcode::Aload, 0);
    };
    let text = left("(Ljava/lang/Object;)I", &asks(behind, Opcode::Ifnull));
    assert!(!text.contains("if") && text.contains("iconst_2"), "{text}");
    assert_eq!(text.matches("requireNonNull").count(), 1, "{text}");
    // Where it was not required on the way, it may be null.
    let before: Build<'_> = &|code, pool| {
        let no = code.label();
        code.local(Opcode::Aload, 0).jump(Opcode::Ifnull, no);
        required(code, pool);
        code.op(Opcode::Pop).bind(no).frame(Form::Same);
        required(code, pool);
    };
    let text = left("(Ljava/lang/Object;)I", &asks(before, Opcode::Ifnull));
    assert_eq!(text.matches("requireNonNull").count(), 1, "{text}");
}
