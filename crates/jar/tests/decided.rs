//! What was decided before is not asked, computed or checked again: tests of types, truths, calls that can be made ahead of
//! time, objects that nobody needs.

use crate::small::listing::listing;
use crate::small::{APART, Build, Pool, call, class, class_below, optimized_by};
use planish_classfile::builder::CodeBuilder;
use planish_classfile::class::Attribute;
use planish_classfile::frame::{Form, VerificationType};
use planish_classfile::{Body, ClassFile, Flags, Opcode};
use planish_jar::classes::Archive;

const STATIC: Flags = Flags::STATIC;

/// What is left of `T.main`, if `A` and `B`, which extends it, are there as well.
fn left(descriptor: &str, main: Build<'_>, others: &[(Flags, &str, &str, Build<'_>)]) -> String {
    listing(&result(descriptor, main, others), "T", "main")
}

/// What becomes of all three.
fn result(descriptor: &str, main: Build<'_>, others: &[(Flags, &str, &str, Build<'_>)]) -> Archive {
    let construct = |above: &'static str| {
        move |code: &mut CodeBuilder, pool: &mut Pool| {
            code.local(Opcode::Aload, 0);
            call(code, pool, Opcode::Invokespecial, above, "<init>", "()V");
            code.op(Opcode::Return);
        }
    };
    let (of_object, of_a) = (construct("java/lang/Object"), construct("A"));
    let mut methods = vec![(STATIC, "main", descriptor, main)];
    methods.extend_from_slice(others);
    let files = [
        ("T", class("T", &[], &methods)),
        ("A", class("A", &[], &[(Flags::PUBLIC, "<init>", "()V", &of_object)])),
        ("B", class_below(b"A", "B", &[], &[(Flags::PUBLIC, "<init>", "()V", &of_a)])),
    ];
    optimized_by(&files, &format!("-keep class T {{ *** main(...); }}{APART}"), false)
}

/// Tests a parameter for one class, then for another; 1 if it is of both.
fn both(first: &'static str, second: &'static str) -> impl Fn(&mut CodeBuilder, &mut Pool) {
    move |code, pool| {
        let no = code.label();
        for asked in [first, second] {
            code.local(Opcode::Aload, 0).class(Opcode::Instanceof, asked.as_bytes(), pool).unwrap();
            code.jump(Opcode::Ifeq, no);
        }
        code.op(Opcode::Iconst2).op(Opcode::Ireturn).bind(no).frame(Form::Same);
        code.op(Opcode::Iconst3).op(Opcode::Ireturn);
    }
}

#[test]
fn a_test_that_another_one_decided_is_not_made() {
    for (first, second) in [("A", "A"), ("B", "A")] {
        let text = left("(Ljava/lang/Object;)I", &both(first, second), &[]);
        assert_eq!(text.matches("instanceof").count(), 1, "{first}, {second}:\n{text}");
    }
    let text = left("(Ljava/lang/Object;)I", &both("A", "B"), &[]);
    assert_eq!(text.matches("instanceof").count(), 2, "an A may be a B:\n{text}");
    let text = left("(Ljava/lang/Object;)I", &both("A", "java/lang/String"), &[]);
    assert_eq!(text, "iconst_3\nireturn\n", "nothing is an A and a text");
    let text = left("(LB;)I", &both("A", "A"), &[]);
    assert!(!text.contains("instanceof") && text.contains("ifn"), "a B is an A, or null:\n{text}");
}

/// Where a test failed, the class below needs no test, but the one above does.
#[test]
fn what_an_object_is_not_is_known_where_a_test_failed() {
    let text = |second: &'static str| {
        let main: Build<'_> = &|code, pool| {
            let (first, no) = (code.label(), code.label());
            code.local(Opcode::Aload, 0).class(Opcode::Instanceof, b"A", pool).unwrap();
            code.jump(Opcode::Ifne, first);
            code.local(Opcode::Aload, 0).class(Opcode::Instanceof, second.as_bytes(), pool).unwrap();
            code.jump(Opcode::Ifeq, no).op(Opcode::Iconst4).op(Opcode::Ireturn);
            code.bind(first).frame(Form::Same).op(Opcode::Iconst2).op(Opcode::Ireturn);
            code.bind(no).frame(Form::Same).op(Opcode::Iconst3).op(Opcode::Ireturn);
        };
        left("(Ljava/lang/Object;)I", main, &[])
    };
    assert_eq!(text("B").matches("instanceof").count(), 1, "{}", text("B"));
    assert_eq!(text("java/lang/Number").matches("instanceof").count(), 2, "{}", text("java/lang/Number"));
}

#[test]
fn a_cast_is_made_once_and_one_after_a_test_tells_the_verifier() {
    let main: Build<'_> = &|code, pool| {
        for _ in 0..3 {
            code.local(Opcode::Aload, 0).class(Opcode::Checkcast, b"A", pool).unwrap();
            call(code, pool, Opcode::Invokestatic, "T", "see", "(LA;)V");
        }
        code.op(Opcode::Return);
    };
    let see: Build<'_> = &|code, pool| {
        code.local(Opcode::Aload, 0);
        call(code, pool, Opcode::Invokevirtual, "java/lang/Object", "hashCode", "()I");
        call(code, pool, Opcode::Invokestatic, "java/lang/Unknown", "see", "(I)V");
        code.op(Opcode::Return);
    };
    let text = left("(Ljava/lang/Object;)V", main, &[(STATIC, "see", "(LA;)V", see)]);
    assert_eq!(text.matches("checkcast").count(), 1, "{text}");
}

#[test]
fn a_handler_does_not_know_what_its_block_found_out_later() {
    let main: Build<'_> = &|code, pool| {
        let (start, end, caught) = (code.label(), code.label(), code.label());
        code.bind(start);
        call(code, pool, Opcode::Invokestatic, "java/lang/Unknown", "see", "()V");
        code.local(Opcode::Aload, 0).class(Opcode::Checkcast, b"A", pool).unwrap().op(Opcode::Pop);
        code.bind(end).op(Opcode::Iconst0).op(Opcode::Ireturn);
        let any = pool.add_class(b"java/lang/Throwable").unwrap();
        code.handler(start, end, caught, 0).bind(caught);
        code.frame(Form::Stack1(VerificationType::Object(any)));
        code.op(Opcode::Pop).local(Opcode::Aload, 0).class(Opcode::Instanceof, b"A", pool).unwrap();
        code.op(Opcode::Ireturn);
    };
    let text = left("(Ljava/lang/Object;)I", main, &[]);
    assert!(text.contains("instanceof"), "the call may have thrown:\n{text}");
}

/// `b() ? 1 : 0`, or the other way around.
fn truth(test: Opcode) -> impl Fn(&mut CodeBuilder, &mut Pool) {
    move |code, pool| {
        let other = code.label();
        call(code, pool, Opcode::Invokestatic, "java/lang/Unknown", "b", "()Z");
        code.jump(test, other).op(Opcode::Iconst1).op(Opcode::Ireturn);
        code.bind(other).frame(Form::Same).op(Opcode::Iconst0).op(Opcode::Ireturn);
    }
}

#[test]
fn what_is_true_or_false_is_not_made_so() {
    let called = "invokestatic java/lang/Unknown.b\n";
    assert_eq!(left("()Z", &truth(Opcode::Ifeq), &[]), format!("{called}ireturn\n"));
    assert_eq!(left("()Z", &truth(Opcode::Ifne), &[]), format!("{called}iconst_1\nixor\nireturn\n"));
    let number: Build<'_> = &|code, _| {
        let other = code.label();
        code.local(Opcode::Iload, 0).jump(Opcode::Ifeq, other).op(Opcode::Iconst1).op(Opcode::Ireturn);
        code.bind(other).frame(Form::Same).op(Opcode::Iconst0).op(Opcode::Ireturn);
    };
    assert!(left("(Z)Z", number, &[]).contains("if"), "a caller may pass 2");
}

/// What two arms pass on to one block may be used far behind it.
#[test]
fn a_block_where_both_arms_meet_stays_if_what_it_gets_is_used_later() {
    let main: Build<'_> = &|code, pool| {
        let (no, met, end) = (code.label(), code.label(), code.label());
        let integers = |count: usize| Form::Append(vec![VerificationType::Integer; count]);
        call(code, pool, Opcode::Invokestatic, "java/lang/Unknown", "b", "()Z");
        code.jump(Opcode::Ifeq, no);
        code.op(Opcode::Iconst1).local(Opcode::Istore, 1).op(Opcode::Iconst1).local(Opcode::Istore, 2);
        code.jump(Opcode::Goto, met).bind(no).frame(Form::Same);
        code.op(Opcode::Iconst0).local(Opcode::Istore, 1).op(Opcode::Iconst0).local(Opcode::Istore, 2);
        code.bind(met).frame(integers(2));
        code.local(Opcode::Iload, 1).local(Opcode::Iload, 0).jump(Opcode::IfIcmpge, end);
        code.local(Opcode::Iload, 2);
        call(code, pool, Opcode::Invokestatic, "java/lang/Unknown", "see", "(I)V");
        code.increment(1, 1).jump(Opcode::Goto, met);
        code.bind(end).frame(Form::Same).op(Opcode::Return);
    };
    let text = left("(I)V", main, &[]);
    assert!(text.contains("Unknown.see") && !text.contains("ifeq"), "{text}");
}

/// `f(n)` for a constant: how often `n` can be divided by 2, in a loop that divides.
#[test]
fn a_call_that_was_made_ahead_of_time_is_not_made_nor_is_its_body_put_there() {
    let main: Build<'_> = &|code, pool| {
        code.int(96, pool).unwrap();
        call(code, pool, Opcode::Invokestatic, "T", "f", "(I)I");
        code.op(Opcode::Ireturn);
    };
    let f: Build<'_> = &|code, _| {
        let end = code.label();
        code.op(Opcode::Iconst0).local(Opcode::Istore, 1);
        let top = code.here();
        code.frame(Form::Append(vec![VerificationType::Integer]));
        code.local(Opcode::Iload, 0).op(Opcode::Iconst2).op(Opcode::Irem).jump(Opcode::Ifne, end);
        code.local(Opcode::Iload, 0).op(Opcode::Iconst2).op(Opcode::Idiv).local(Opcode::Istore, 0);
        code.increment(1, 1).jump(Opcode::Goto, top);
        code.bind(end).frame(Form::Same).local(Opcode::Iload, 1).op(Opcode::Ireturn);
    };
    assert_eq!(left("()I", main, &[(STATIC, "f", "(I)I", f)]), "iconst_5\nireturn\n");
}

#[test]
fn a_list_that_nobody_sees_is_not_made() {
    let main: Build<'_> = &|code, pool| {
        code.class(Opcode::New, b"java/util/ArrayList", pool).unwrap();
        call(code, pool, Opcode::Invokespecial, "java/util/ArrayList", "<init>", "()V");
        code.op(Opcode::Return);
    };
    assert_eq!(left("()V", main, &[]), "return\n");
}

/// `down(n, a)` of an object: `n == 0 ? a : down(n - 1, a ^ n)`, on the object itself or on another one.
fn down(flags: Flags, receiver: u16) -> String {
    let main: Build<'_> = &|code, pool| {
        code.class(Opcode::New, b"H", pool).unwrap().op(Opcode::Dup);
        call(code, pool, Opcode::Invokespecial, "H", "<init>", "()V");
        code.local(Opcode::Iload, 0).local(Opcode::Iload, 0).op(Opcode::AconstNull);
        call(code, pool, Opcode::Invokevirtual, "H", "down", "(IILH;)I");
        code.op(Opcode::Ireturn);
    };
    let init: Build<'_> = &|code, pool| {
        code.local(Opcode::Aload, 0);
        call(code, pool, Opcode::Invokespecial, "java/lang/Object", "<init>", "()V");
        code.op(Opcode::Return);
    };
    let body: Build<'_> = &|code, pool| {
        let more = code.label();
        // So that the object matters.
        code.local(Opcode::Aload, 0);
        call(code, pool, Opcode::Invokestatic, "java/lang/Unknown", "see", "(LH;)V");
        code.local(Opcode::Iload, 1).jump(Opcode::Ifne, more);
        code.local(Opcode::Iload, 2).op(Opcode::Ireturn);
        code.bind(more).frame(Form::Same);
        code.local(Opcode::Aload, receiver).local(Opcode::Iload, 1).op(Opcode::Iconst1).op(Opcode::Isub);
        code.local(Opcode::Iload, 2).local(Opcode::Iload, 1).op(Opcode::Ixor).local(Opcode::Aload, 3);
        call(code, pool, Opcode::Invokevirtual, "H", "down", "(IILH;)I");
        code.op(Opcode::Ireturn);
    };
    let files = [
        ("T", class("T", &[], &[(STATIC, "main", "(I)I", main)])),
        ("H", class("H", &[], &[(Flags::PUBLIC, "<init>", "()V", init), (flags, "down", "(IILH;)I", body)])),
    ];
    let archive = optimized_by(&files, "-keep class T { *** main(...); }\n-keep class H { *; }", false);
    listing(&archive, "H", "down")
}

#[test]
fn a_method_of_an_object_that_ends_by_calling_itself_on_it_is_a_loop() {
    let calls = |text: &str| text.matches("invokevirtual H.down").count();
    let text = down(Flags::FINAL, 0);
    assert_eq!(calls(&text), 0, "{text}");
    let text = down(Flags::PUBLIC, 0);
    assert_eq!(calls(&text), 1, "something may override it:\n{text}");
    let text = down(Flags::FINAL, 3);
    assert_eq!(calls(&text), 1, "another object may be null:\n{text}");
}

/// `T.main(h)` asks `h` for one more than its private field, by a method, and takes one away.
fn asks_neighbour(nest: bool) -> String {
    let main: Build<'_> = &|code, pool| {
        code.local(Opcode::Aload, 0);
        call(code, pool, Opcode::Invokevirtual, "H", "size", "()I");
        code.op(Opcode::Iconst1).op(Opcode::Isub).op(Opcode::Ireturn);
    };
    let size: Build<'_> = &|code, pool| {
        code.local(Opcode::Aload, 0).field(Opcode::Getfield, [b"H", b"size", b"I"], pool).unwrap();
        code.op(Opcode::Iconst1).op(Opcode::Iadd).op(Opcode::Ireturn);
    };
    let init: Build<'_> = &|code, pool| {
        code.local(Opcode::Aload, 0);
        call(code, pool, Opcode::Invokespecial, "java/lang/Object", "<init>", "()V");
        code.op(Opcode::Return);
    };
    let in_nest = |bytes: Vec<u8>, other: &[u8], is_host: bool| {
        let mut file = ClassFile::read(&bytes).unwrap();
        file.major = 61;
        file.flags = file.flags.with(Flags::FINAL);
        if nest {
            let other = file.pool.add_class(other).unwrap();
            let body = if is_host { Body::NestMembers(vec![other]) } else { Body::NestHost(other) };
            let attribute = Attribute::new(&mut file.pool, &body).unwrap();
            file.attributes.push(attribute);
        }
        file.to_bytes().unwrap()
    };
    let t = class("T", &[], &[(STATIC, "main", "(LH;)I", main)]);
    let h = class(
        "H",
        &[("size", "I")],
        &[(Flags::PUBLIC, "size", "()I", size), (Flags::PUBLIC, "<init>", "()V", init)],
    );
    let files = [("T", in_nest(t, b"H", true)), ("H", in_nest(h, b"T", false))];
    let archive = optimized_by(&files, "-keep class T { *** main(...); }\n-keep class H { *; }", false);
    listing(&archive, "T", "main")
}

#[test]
fn classes_of_one_nest_see_what_is_private() {
    assert!(asks_neighbour(false).contains("invokevirtual"), "{}", asks_neighbour(false));
    assert!(!asks_neighbour(true).contains("invokevirtual"), "{}", asks_neighbour(true));
}

#[test]
fn what_a_method_reads_of_a_text_that_is_known_is_known() {
    let at = |code: &mut CodeBuilder, pool: &mut Pool| {
        code.local(Opcode::Aload, 0).local(Opcode::Iload, 1);
        call(code, pool, Opcode::Invokevirtual, "java/lang/String", "charAt", "(I)C");
        code.int(1_000, pool).unwrap().op(Opcode::Imul).int(77, pool).unwrap().op(Opcode::Ixor);
        code.local(Opcode::Iload, 1)
            .op(Opcode::Iadd)
            .int(31, pool)
            .unwrap()
            .op(Opcode::Irem)
            .op(Opcode::Ireturn);
    };
    let reads = |place: i32| {
        let main = move |code: &mut CodeBuilder, pool: &mut Pool| {
            let text = pool.add_utf8(b"abc").unwrap();
            code.load(planish_classfile::Constant::String(text), pool).unwrap().int(place, pool).unwrap();
            call(code, pool, Opcode::Invokestatic, "T", "at", "(Ljava/lang/String;I)I");
            code.op(Opcode::Ireturn);
        };
        left("()I", &main, &[(STATIC, "at", "(Ljava/lang/String;I)I", &at)])
    };
    assert_eq!(reads(1), format!("bipush {}\nireturn\n", (((98 * 1_000) ^ 77) + 1) % 31));
    assert!(reads(3).contains("charAt"), "it throws:\n{}", reads(3));
}

/// What is left of a method that asks whether a text is of a type, and hands it on as one if it is.
fn asks_of_a_text(ty: &'static str) -> String {
    let descriptor = if ty.starts_with('[') { format!("({ty})I") } else { format!("(L{ty};)I") };
    let hash: Build<'_> = &|code, pool| {
        code.local(Opcode::Aload, 0);
        call(code, pool, Opcode::Invokevirtual, "java/lang/Object", "hashCode", "()I");
        code.op(Opcode::Ireturn);
    };
    let of: Build<'_> = &|code, pool| {
        for (asked, taker, descriptor) in [(ty, "takes", &*descriptor), ("A", "a", "(LA;)I")] {
            let no = code.label();
            code.local(Opcode::Aload, 0).class(Opcode::Instanceof, asked.as_bytes(), pool).unwrap();
            code.jump(Opcode::Ifeq, no);
            code.local(Opcode::Aload, 0).class(Opcode::Checkcast, asked.as_bytes(), pool).unwrap();
            call(code, pool, Opcode::Invokestatic, "T", taker, descriptor);
            code.op(Opcode::Ireturn).bind(no).frame(Form::Same);
        }
        hash(code, pool);
    };
    let main: Build<'_> = &|code, pool| {
        code.op(Opcode::Iconst0);
        for _ in 0..5 {
            let text = pool.add_utf8(b"a word").unwrap();
            code.load(planish_classfile::Constant::String(text), pool).unwrap();
            call(code, pool, Opcode::Invokestatic, "T", "of", "(Ljava/lang/Object;)I");
            code.op(Opcode::Iadd);
        }
        code.op(Opcode::Ireturn);
    };
    let others: &[(Flags, &str, &str, Build<'_>)] = &[
        (STATIC, "of", "(Ljava/lang/Object;)I", of),
        (STATIC, "takes", &descriptor, hash),
        (STATIC, "a", "(LA;)I", hash),
    ];
    listing(&result("()I", main, others), "T", "of__x")
}

/// An array is of no class but its own and `Object`. Of a class that is missing nothing is known, and a text that was cast
/// to it is a text no longer, to a verifier.
#[test]
fn a_text_is_no_array() {
    for ty in ["[J", "[[I", "[Ljava/lang/String;", "[LMissing;"] {
        let text = asks_of_a_text(ty);
        assert!(!text.contains("takes"), "{ty}:\n{text}");
    }
    let text = asks_of_a_text("Missing");
    assert!(text.contains("instanceof") && text.contains("checkcast"), "{text}");
}
