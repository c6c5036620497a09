//! Calls that throw, since the classes were compiled at different times: they still do.

use crate::small::listing::listing;
use crate::small::{Build, Pool, call, class, optimized};
use planish_classfile::builder::CodeBuilder;
use planish_classfile::{ClassFile, Flags, Opcode};

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
    let bytes = crate::small::class_below(b"A", "B", &[], &[(PUBLIC, "<init>", "()V", &of_a)]);
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
        let bytes = crate::small::listing::read(&archive, "B");
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
            crate::small::class_below(
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
        listing(&crate::small::optimized_by(&files, rules, false), "T", "main")
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
    let a =
        crate::small::class_below(b"java/lang/Number", "A", &[], &[(PUBLIC, "<init>", "()V", &of_number)]);
    let b = crate::small::class_below(
        b"A",
        "B",
        &[],
        &[(PUBLIC, "<init>", "()V", &of_a), (PUBLIC, "m", "()I", &five)],
    );
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
    // What throws keeps the bytes around it, too.
    let hidden = [Flags::STATIC, Flags(Flags::STATIC.0 | Flags::PRIVATE.0)].map(|of_f| (of_f, PUBLIC));
    let all =
        hidden.into_iter().chain([Flags(0), Flags::PRIVATE, Flags::PROTECTED].map(|of_a| (STATIC, of_a)));
    for (of_f, of_a) in all {
        let listing = left(of_f, of_a);
        assert!(listing.contains("invokestatic p/A.f") && listing.contains("p/A.<init>"), "{listing}");
    }
}

/// Of a class with this flag on its only field `x`, its method `m` and itself.
struct Flagged {
    class: Flags,
    field: Flags,
    method: Flags,
}

/// What becomes of `p.A.main`, which calls `p.B.g`, which does something with a `p.C`, and forgets what comes of it.
fn left_of(Flagged { class: of_class, field, method }: Flagged, does: Build<'_>) -> (String, String) {
    let g: Build<'_> = &|code, pool| {
        does(code, pool);
        code.op(Opcode::Iconst5).op(Opcode::Ireturn);
    };
    let main: Build<'_> = &|code, pool| {
        call(code, pool, Opcode::Invokestatic, "p/B", "g", "()I");
        code.op(Opcode::Ireturn);
    };
    let of_object = construct("java/lang/Object");
    let own = [(PUBLIC, "<init>", "()V", &of_object as Build<'_>), (method, "m", "()I", &five)];
    let mut c = ClassFile::new(52, of_class | Flags::SUPER, b"p/C", Some(crate::small::OBJECT)).unwrap();
    c.add_field(field, b"x", b"I").unwrap();
    for (flags, name, descriptor, build) in own {
        let mut code = CodeBuilder::new();
        build(&mut code, &mut c.pool);
        let code = code.finish(u16::from(!flags.has(Flags::STATIC)), &mut c.pool).unwrap();
        c.add_method(flags, name.as_bytes(), descriptor.as_bytes(), Some(&code)).unwrap();
    }
    let files = [
        ("T", class("T", &[], &[(STATIC, "main", "()I", main)])),
        ("p/B", class("p/B", &[], &[(STATIC, "g", "()I", g)])),
        ("p/C", c.to_bytes().unwrap()),
    ];
    let rules = "-keep class T { *** main(...); } -allowaccessmodification";
    let archive = crate::small::optimized_by(&files, rules, false);
    let of_g = archive.find(b"p/B.class").map(|_| listing(&archive, "p/B", "g"));
    (listing(&archive, "T", "main"), of_g.unwrap_or_default())
}

#[test]
fn what_throws_since_it_is_not_linked_stays() {
    let linked = || Flagged { class: PUBLIC, field: PUBLIC, method: PUBLIC };
    let with_field = |field| Flagged { field, ..linked() };
    let makes: Build<'_> = &|code, pool| {
        make("p/C")(code, pool);
        code.op(Opcode::Pop);
    };
    let field = |op: Opcode| {
        move |code: &mut CodeBuilder, pool: &mut Pool| {
            let is_static = matches!(op, Opcode::Getstatic | Opcode::Putstatic);
            let writes = matches!(op, Opcode::Putfield | Opcode::Putstatic);
            if !is_static {
                make("p/C")(code, pool);
            }
            if writes {
                code.op(Opcode::Iconst2);
            }
            code.field(op, [b"p/C", b"x", b"I"], pool).unwrap();
            if !writes {
                code.op(Opcode::Pop);
            }
        }
    };
    let static_call: Build<'_> = &|code, pool| {
        call(code, pool, Opcode::Invokestatic, "p/C", "m", "()I");
        code.op(Opcode::Pop);
    };
    let (reads, writes) = (field(Opcode::Getfield), field(Opcode::Putfield));
    let (reads_static, writes_static) = (field(Opcode::Getstatic), field(Opcode::Putstatic));
    let static_method = || Flagged { method: STATIC, ..linked() };
    for (flagged, does) in
        [(linked(), makes), (linked(), &reads), (linked(), &writes), (static_method(), static_call)]
    {
        assert_eq!(left_of(flagged, does).0, "iconst_5\nireturn\n", "it is linked");
    }
    let (private, last) = (Flags::PRIVATE, Flags(PUBLIC.0 | Flags::FINAL.0));
    for (flagged, does, stays) in [
        (Flagged { class: PUBLIC | Flags::ABSTRACT, ..linked() }, makes, "new"),
        (with_field(private), &reads, "getfield p/C.x"),
        (with_field(STATIC), &reads, "getfield p/C.x"),
        (with_field(private), &writes, "putfield p/C.x"),
        (with_field(last), &writes, "putfield p/C.x"),
        (linked(), &reads_static, "getstatic p/C.x"),
        (with_field(STATIC | last), &writes_static, "putstatic p/C.x"),
        (linked(), static_call, "invokestatic p/C.m"),
        (Flagged { method: private | Flags::STATIC, ..linked() }, static_call, "invokestatic p/C.m"),
    ] {
        let (main, g) = left_of(flagged, does);
        assert!(main.contains("p/B.g") && g.contains(stays), "{main}{g}");
    }
}

/// `T` is not of the package of `p.A`, which only that sees, and asks whether something is one.
#[test]
fn a_test_for_what_is_not_visible_stays() {
    let asks: Build<'_> = &|code, pool| {
        code.op(Opcode::AconstNull).class(Opcode::Instanceof, b"p/A", pool).unwrap().op(Opcode::Pop);
        code.op(Opcode::Iconst5).op(Opcode::Ireturn);
    };
    let left = |of_a: Flags| {
        let of_object = construct("java/lang/Object");
        let a = class("p/A", &[], &[(PUBLIC, "<init>", "()V", &of_object)]);
        let mut a = ClassFile::read(&a).unwrap();
        a.flags = of_a | Flags::SUPER;
        let t = class("T", &[], &[(STATIC, "main", "()I", asks)]);
        listing(&optimized(&[("T", t), ("p/A", a.to_bytes().unwrap())], "main", false), "T", "main")
    };
    assert_eq!(left(PUBLIC), "iconst_5\nireturn\n");
    assert!(left(Flags(0)).contains("instanceof"));
}

/// `B` extends `A`, which is final by now, or overrides a method of it that is.
#[test]
fn a_class_that_is_never_loaded_stays() {
    let left = |of_a: Flags, of_m: Flags| {
        let (of_object, of_above) = (construct("java/lang/Object"), construct("A"));
        let a = class("A", &[], &[(PUBLIC, "<init>", "()V", &of_object), (of_m, "m", "()I", &five)]);
        let mut a = ClassFile::read(&a).unwrap();
        a.flags = of_a | Flags::SUPER;
        let own = [(PUBLIC, "<init>", "()V", &of_above as Build<'_>), (PUBLIC, "m", "()I", &five)];
        let b = crate::small::class_below(b"A", "B", &[], &own);
        let files = [("T", main_of(Opcode::Invokevirtual)), ("A", a.to_bytes().unwrap()), ("B", b)];
        let archive = optimized(&files, "main", false);
        let is_whole = archive.find(b"B.class").is_some_and(|_| {
            ClassFile::read(&crate::small::listing::read(&archive, "B"))
                .unwrap()
                .method(b"m", b"()I")
                .is_some()
        });
        (listing(&archive, "T", "main"), is_whole)
    };
    assert_eq!(left(PUBLIC, PUBLIC), ("iconst_5\nireturn\n".to_owned(), false));
    let last = PUBLIC | Flags::FINAL;
    for (of_a, of_m) in [(last, PUBLIC), (PUBLIC, last), (PUBLIC | Flags::INTERFACE, PUBLIC)] {
        let (main, is_whole) = left(of_a, of_m);
        assert!(main.contains("A.m") && is_whole, "{main}");
    }
}
