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

/// What makes an object of a class.
fn make(of: &'static str) -> impl Fn(&mut CodeBuilder, &mut Pool) {
    move |code, pool| {
        code.class(Opcode::New, of.as_bytes(), pool).unwrap().op(Opcode::Dup);
        call(code, pool, Opcode::Invokespecial, of, "<init>", "()V");
    }
}

/// `T.main` makes a `B`, and calls a method `m` of `A` on it.
fn main_of(op: Opcode) -> Vec<u8> {
    let main: Build<'_> = &|code, pool| {
        make("B")(code, pool);
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

/// `T.main` calls `m` of `p.A` on a `p.B`, of which it knows that it is one; a `p.C` overrides `m` as well.
#[test]
fn a_call_of_what_is_not_visible_stays_whatever_is_known_of_its_object() {
    let whole = |of_a: Flags, of_m: Flags| {
        let main: Build<'_> = &|code, pool| {
            make("p/C")(code, pool);
            code.op(Opcode::Pop);
            make("p/B")(code, pool);
            call(code, pool, Opcode::Invokevirtual, "p/A", "m", "()I");
            code.op(Opcode::Ireturn);
        };
        let keeps: Build<'_> = &|code, pool| {
            make("p/C")(code, pool);
            code.op(Opcode::Areturn);
        };
        let calls: Build<'_> = &|code, pool| {
            code.local(Opcode::Aload, 0);
            call(code, pool, Opcode::Invokevirtual, "p/A", "m", "()I");
            code.op(Opcode::Ireturn);
        };
        let t = [(STATIC, "main", "()I", main), (STATIC, "mainC", "()Ljava/lang/Object;", keeps)];
        let (of_object, above) = (construct("java/lang/Object"), construct("p/A"));
        let a = [
            (PUBLIC, "<init>", "()V", &of_object as Build<'_>),
            (of_m, "m", "()I", &five),
            (STATIC, "mainCalls", "(Lp/A;)I", calls),
        ];
        let a = class("p/A", &[], &a);
        let mut a = ClassFile::read(&a).unwrap();
        a.flags = of_a | Flags::SUPER;
        let below = |name: &str, number: Opcode| {
            let m = move |code: &mut CodeBuilder, _: &mut Pool| {
                code.op(number).op(Opcode::Ireturn);
            };
            small::class_below(
                b"p/A",
                name,
                &[],
                &[(PUBLIC, "<init>", "()V", &above), (PUBLIC, "m", "()I", &m)],
            )
        };
        let files = [
            ("T", class("T", &[], &t)),
            ("p/A", a.to_bytes().unwrap()),
            ("p/B", below("p/B", Opcode::Iconst2)),
            ("p/C", below("p/C", Opcode::Iconst3)),
        ];
        let rules = "-keep class T { *** main*(...); } -keep class p.A { *** main*(...); }";
        listing(&small::optimized_by(&files, rules, false), "T", "main")
    };
    assert!(!whole(PUBLIC, PUBLIC).contains("p/A.m"), "it is linked");
    for (of_a, of_m) in [(PUBLIC, Flags::PROTECTED), (PUBLIC, Flags(0)), (Flags(0), PUBLIC)] {
        assert!(whole(of_a, of_m).contains("invokevirtual p/A.m"), "{}", whole(of_a, of_m));
    }
}

/// `A` has no `m`, only `B` has: looking it up fails.
#[test]
fn a_call_of_what_is_not_there_stays() {
    let (of_number, of_a) = (construct("java/lang/Number"), construct("A"));
    let a = small::class_below(b"java/lang/Number", "A", &[], &[(PUBLIC, "<init>", "()V", &of_number)]);
    let b =
        small::class_below(b"A", "B", &[], &[(PUBLIC, "<init>", "()V", &of_a), (PUBLIC, "m", "()I", &five)]);
    let files = [("T", main_of(Opcode::Invokevirtual)), ("A", a), ("B", b)];
    let listing = listing(&optimized(&files, "main", false), "T", "main");
    assert!(listing.contains("invokevirtual A.m"), "{listing}");
}

/// `T` calls a method of `A` that only computes, and makes an `A` for nothing: it may not see either.
#[test]
fn what_is_known_by_name_holds_for_those_who_see_it() {
    let left = |of_f: Flags, of_a: Flags| {
        let main: Build<'_> = &|code, pool| {
            code.class(Opcode::New, b"p/A", pool).unwrap().op(Opcode::Dup);
            call(code, pool, Opcode::Invokespecial, "p/A", "<init>", "()V");
            code.op(Opcode::Pop).op(Opcode::Iconst5);
            call(code, pool, Opcode::Invokestatic, "p/A", "f", "(I)I");
            code.op(Opcode::Ireturn);
        };
        let square: Build<'_> = &|code, _| {
            code.local(Opcode::Iload, 0).local(Opcode::Iload, 0).op(Opcode::Imul).op(Opcode::Ireturn);
        };
        let of_object = construct("java/lang/Object");
        let a = class("p/A", &[], &[(of_a, "<init>", "()V", &of_object), (of_f, "f", "(I)I", square)]);
        let t = class("T", &[], &[(STATIC, "main", "()I", main)]);
        listing(&optimized(&[("T", t), ("p/A", a)], "main", false), "T", "main")
    };
    assert_eq!(left(STATIC, PUBLIC), "bipush 25\nireturn\n");
    for hidden in [Flags::STATIC, Flags(Flags::STATIC.0 | Flags::PRIVATE.0)] {
        let listing = left(hidden, PUBLIC);
        assert!(listing.contains("invokestatic p/A.f") && !listing.contains("new"), "{listing}");
    }
    for hidden in [Flags(0), Flags::PRIVATE, Flags::PROTECTED] {
        let listing = left(STATIC, hidden);
        assert!(listing.contains("p/A.<init>") && !listing.contains("p/A.f"), "{listing}");
    }
}
