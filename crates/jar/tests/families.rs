//! Methods that override each other lose parameters and results together, or not at all.

use crate::small::lambda::with_lambda;
use crate::small::listing::{listing, read};
use crate::small::methods::methods;
use crate::small::{APART, Build, OBJECT, Pool, call, class, class_below, optimized, optimized_by};
use planish_classfile::builder::CodeBuilder;
use planish_classfile::frame::Form;
use planish_classfile::pool::MemberKind;
use planish_classfile::{ClassFile, Flags, MemberRef, Opcode};

const STATIC: Flags = Flags(Flags::PUBLIC.0 | Flags::STATIC.0);

/// Enough of what is seen that nobody puts the body in the place of calls, and that no two bodies are the same.
fn long(code: &mut CodeBuilder, pool: &mut Pool, slot: u16, salt: i32) {
    for number in 0..40 {
        code.local(Opcode::Iload, slot).int(salt + number, pool).unwrap().op(Opcode::Ixor);
        call(code, pool, Opcode::Invokestatic, "java/lang/Unknown", "see", "(I)V");
    }
}

/// A constructor of a class below another.
fn init(above: &'static str) -> impl Fn(&mut CodeBuilder, &mut Pool) {
    move |code, pool| {
        code.local(Opcode::Aload, 0);
        call(code, pool, Opcode::Invokespecial, above, "<init>", "()V");
        code.op(Opcode::Return);
    }
}

/// `int go(int, int)` that returns its first parameter times a number, and sees the second if that is wanted.
fn go(factor: i32, sees_second: bool) -> impl Fn(&mut CodeBuilder, &mut Pool) {
    move |code, pool| {
        long(code, pool, 1, 1000 * factor);
        if sees_second {
            code.local(Opcode::Iload, 2);
            call(code, pool, Opcode::Invokestatic, "java/lang/Unknown", "see", "(I)V");
        }
        code.local(Opcode::Iload, 1).int(factor, pool).unwrap().op(Opcode::Imul).op(Opcode::Ireturn);
    }
}

/// The interface `F`, which has `int go(int, int)`.
fn interface() -> Vec<u8> {
    let flags = Flags::PUBLIC | Flags::INTERFACE | Flags::ABSTRACT;
    let mut file = ClassFile::new(52, flags, b"F", Some(OBJECT)).unwrap();
    file.add_method(Flags::PUBLIC | Flags::ABSTRACT, b"go", b"(II)I", None).unwrap();
    file.to_bytes().unwrap()
}

/// The class in a file, implementing `F`.
fn implementing(file: &[u8]) -> Vec<u8> {
    let mut file = ClassFile::read(file).unwrap();
    let interface = file.pool.add_class(b"F").unwrap();
    file.interfaces.push(interface);
    file.to_bytes().unwrap()
}

/// A class with `go` and further methods, below another class.
fn subject(
    above: &'static str,
    name: &str,
    go: Build<'_>,
    more: &[(Flags, &str, &str, Build<'_>)],
) -> Vec<u8> {
    let init = init(above);
    let mut methods: Vec<(Flags, &str, &str, Build<'_>)> =
        vec![(Flags::PUBLIC, "<init>", "()V", &init), (Flags::PUBLIC, "go", "(II)I", go)];
    methods.extend_from_slice(more);
    class_below(above.as_bytes(), name, &[], &methods)
}

/// What a call does with its result.
#[derive(Clone, Copy, PartialEq)]
enum Does {
    Drops,
    Sees,
    /// Sees that it is 0, or does not.
    Tests,
}

/// What calls do with their results, and which second argument they give.
#[derive(Clone, Copy)]
struct Caller {
    does: Does,
    second: Option<i32>,
}

const CALLER: Caller = Caller { does: Does::Sees, second: None };

/// `T`, whose `main` makes objects of classes, on each of which `any` calls `F.go` twice.
fn caller(made: &[&str], Caller { does, second }: Caller) -> Vec<u8> {
    let main: Build<'_> = &|code, pool| {
        for name in made {
            code.class(Opcode::New, name.as_bytes(), pool).unwrap().op(Opcode::Dup);
            call(code, pool, Opcode::Invokespecial, name, "<init>", "()V");
            call(code, pool, Opcode::Invokestatic, "java/lang/Unknown", "number", "()I");
            code.local(Opcode::Iload, 0);
            call(code, pool, Opcode::Invokestatic, "T", "any", "(LF;II)V");
        }
        code.op(Opcode::Iconst0).op(Opcode::Ireturn);
    };
    let any: Build<'_> = &|code, pool| {
        long(code, pool, 1, 7);
        for slot in [1, 2] {
            code.local(Opcode::Aload, 0).local(Opcode::Iload, slot);
            match second {
                Some(constant) => code.int(constant, pool).unwrap(),
                None => code.local(Opcode::Iload, 3 - slot),
            };
            call(code, pool, Opcode::Invokeinterface, "F", "go", "(II)I");
            let see = |code: &mut CodeBuilder, pool: &mut Pool| {
                call(code, pool, Opcode::Invokestatic, "java/lang/Unknown", "see", "(I)V");
            };
            match does {
                Does::Drops => drop(code.op(Opcode::Pop)),
                Does::Sees => see(code, pool),
                Does::Tests => {
                    let end = code.label();
                    code.jump(Opcode::Ifne, end).op(Opcode::Iconst0);
                    see(code, pool);
                    code.bind(end).frame(Form::Same);
                }
            }
        }
        code.op(Opcode::Return);
    };
    class("T", &[], &[(STATIC, "main", "(I)I", main), (STATIC, "any", "(LF;II)V", any)])
}

/// `F`, and `A` and `B` that implement it, as they are left.
fn of_two(caller_is: Caller, a: Build<'_>, b: Build<'_>) -> [Vec<String>; 3] {
    let files = [
        ("T", caller(&["A", "B"], caller_is)),
        ("F", interface()),
        ("A", implementing(&subject("java/lang/Object", "A", a, &[]))),
        ("B", implementing(&subject("java/lang/Object", "B", b, &[]))),
    ];
    let archive = optimized(&files, "main", false);
    ["F", "A", "B"].map(|class| methods(&archive, class))
}

fn each(method: &str) -> [Vec<String>; 3] {
    [(); 3].map(|()| vec![method.to_owned()])
}

#[test]
fn a_parameter_that_no_method_of_a_family_needs_goes_from_all() {
    assert_eq!(of_two(CALLER, &go(3, false), &go(5, false)), each("go__k_x(I)I"));
}

#[test]
fn a_parameter_that_one_method_of_a_family_needs_stays_in_all() {
    assert_eq!(of_two(CALLER, &go(3, false), &go(5, true)), each("go(II)I"));
}

#[test]
fn a_parameter_that_is_the_same_in_all_calls_of_a_family_is_written_into_its_methods() {
    let nine = Caller { second: Some(9), ..CALLER };
    assert_eq!(of_two(nine, &go(3, true), &go(5, true)), each("go__k_9(I)I"));
}

#[test]
fn a_result_that_no_caller_of_a_family_needs_is_none() {
    let drops = Caller { does: Does::Drops, ..CALLER };
    assert_eq!(of_two(drops, &go(3, true), &go(5, true)), each("go__k_k_v(II)V"));
    assert_eq!(of_two(drops, &go(3, false), &go(5, false)), each("go__k_x_v(I)V"));
}

#[test]
fn a_result_that_is_the_same_from_all_of_a_family_is_none_where_it_decides_branches() {
    let seven = |salt: i32| {
        move |code: &mut CodeBuilder, pool: &mut Pool| {
            long(code, pool, 1, salt);
            long(code, pool, 2, salt + 500);
            code.int(7, pool).unwrap().op(Opcode::Ireturn);
        }
    };
    let tests = Caller { does: Does::Tests, ..CALLER };
    assert_eq!(of_two(tests, &seven(1000), &seven(3000)), each("go__k_k_v(II)V"));
    // Where it is handed on, it would have to be put there.
    assert_eq!(of_two(CALLER, &seven(1000), &seven(3000)), each("go(II)I"));
}

/// A recursion through the family hands the parameter on and does nothing else with it, and multiplies what it gets.
#[test]
fn a_family_that_calls_itself_needs_what_others_need() {
    let hands_on = |salt: i32| {
        move |code: &mut CodeBuilder, pool: &mut Pool| {
            long(code, pool, 1, salt);
            call(code, pool, Opcode::Invokestatic, "java/lang/Unknown", "next", "()LF;");
            code.local(Opcode::Iload, 1).local(Opcode::Iload, 2);
            call(code, pool, Opcode::Invokeinterface, "F", "go", "(II)I");
            code.local(Opcode::Iload, 1).op(Opcode::Imul).op(Opcode::Ireturn);
        }
    };
    let drops = Caller { does: Does::Drops, ..CALLER };
    assert_eq!(of_two(drops, &hands_on(1000), &hands_on(3000)), each("go__k_x_v(I)V"));
}

/// What is left of `A.go`, which implements `F.go`, and of `B.go`, which overrides that and calls it, by these rules.
fn below(rules: &str, more_of_b: &[(Flags, &str, &str, Build<'_>)]) -> [Vec<String>; 3] {
    let calls_super: Build<'_> = &|code, pool| {
        long(code, pool, 1, 3000);
        code.local(Opcode::Aload, 0).local(Opcode::Iload, 1).local(Opcode::Iload, 2);
        call(code, pool, Opcode::Invokespecial, "A", "go", "(II)I");
        code.op(Opcode::Iconst3).op(Opcode::Iadd).op(Opcode::Ireturn);
    };
    let files = [
        ("T", caller(&["A", "B"], CALLER)),
        ("F", interface()),
        ("A", implementing(&subject("java/lang/Object", "A", &go(3, false), &[]))),
        ("B", subject("A", "B", calls_super, more_of_b)),
    ];
    let archive = optimized_by(&files, &format!("-keep class T {{ *** main(...); }}\n{rules}"), false);
    ["F", "A", "B"].map(|class| methods(&archive, class))
}

#[test]
fn calls_of_super_lose_what_the_family_loses() {
    assert_eq!(below("", &[]), each("go__k_x(I)I"));
}

/// `A` takes away what `B` calls: the call throws, whatever it is named.
#[test]
fn a_call_of_super_that_finds_no_body_changes_with_the_others() {
    let calls_super: Build<'_> = &|code, pool| {
        code.local(Opcode::Aload, 0).local(Opcode::Iload, 1).local(Opcode::Iload, 2);
        call(code, pool, Opcode::Invokespecial, "A", "go", "(II)I");
        code.op(Opcode::Ireturn);
    };
    let of_object = init("java/lang/Object");
    let a = class("A", &[], &[(Flags::PUBLIC, "<init>", "()V", &of_object)]);
    let mut file = ClassFile::read(&a).unwrap();
    file.add_method(Flags::PUBLIC | Flags::ABSTRACT, b"go", b"(II)I", None).unwrap();
    let a = implementing(&file.to_bytes().unwrap());
    let files = [
        ("T", caller(&["B", "C"], CALLER)),
        ("F", interface()),
        ("A", a),
        ("B", subject("A", "B", calls_super, &[])),
        ("C", subject("A", "C", &go(3, false), &[])),
    ];
    let archive = optimized(&files, "main", false);
    assert_eq!(methods(&archive, "C"), ["go__k_x(I)I"]);
    assert!(listing(&archive, "B", "go__k_x").contains("A.go"));
}

#[test]
fn a_family_of_which_a_rule_keeps_one_method_stays() {
    for class in ["F", "A", "B"] {
        let left = below(&format!("-keep class {class} {{ *** go(...); }}"), &[]);
        assert_eq!(left, each("go(II)I"), "{class}");
    }
}

#[test]
fn a_rule_that_keeps_a_class_keeps_none_of_its_methods() {
    assert_eq!(below("-keep class A", &[]), each("go__k_x(I)I"));
}

/// A variant of `two` still calls `A.go` when all other calls of that lead to a variant which has no object to run on, and
/// so no body. In the next round it calls that one, too.
#[test]
fn a_variant_that_lost_its_body_has_one_again_when_it_is_called() {
    let of_object = init("java/lang/Object");
    let abstract_below = |name: &str| {
        let build: [(Flags, &str, &str, Build<'_>); 1] = [(Flags::PUBLIC, "<init>", "()V", &init("A"))];
        let mut file = class_below(b"A", name, &[], &build);
        let mut read = ClassFile::read(&file).unwrap();
        read.flags = read.flags.with(Flags::ABSTRACT);
        file = read.to_bytes().unwrap();
        file
    };
    let main: Build<'_> = &|code, pool| {
        for _ in 0..2 {
            call(code, pool, Opcode::Invokestatic, "java/lang/Unknown", "number", "()I");
            code.local(Opcode::Iload, 0);
            call(code, pool, Opcode::Invokestatic, "T", "two", "(II)V");
            code.local(Opcode::Iload, 0);
            call(code, pool, Opcode::Invokestatic, "T", "lost", "(I)V");
        }
        code.op(Opcode::Iconst0).op(Opcode::Ireturn);
    };
    let two: Build<'_> = &|code, pool| {
        long(code, pool, 0, 7000);
        code.class(Opcode::New, b"B", pool).unwrap().op(Opcode::Dup);
        call(code, pool, Opcode::Invokespecial, "B", "<init>", "()V");
        code.local(Opcode::Iload, 0).local(Opcode::Iload, 0);
        call(code, pool, Opcode::Invokevirtual, "B", "go", "(II)I");
        code.op(Opcode::Pop).op(Opcode::Return);
    };
    let lost: Build<'_> = &|code, pool| {
        long(code, pool, 0, 9000);
        call(code, pool, Opcode::Invokestatic, "java/lang/Unknown", "object", "()Ljava/lang/Object;");
        code.class(Opcode::Checkcast, b"N", pool).unwrap().op(Opcode::Iconst1).op(Opcode::Iconst2);
        call(code, pool, Opcode::Invokevirtual, "N", "go", "(II)I");
        code.op(Opcode::Pop).op(Opcode::Return);
    };
    let more: [(Flags, &str, &str, Build<'_>); 3] =
        [(STATIC, "main", "(I)I", main), (STATIC, "two", "(II)V", two), (STATIC, "lost", "(I)V", lost)];
    let needs_its_object: Build<'_> = &|code, pool| {
        code.local(Opcode::Aload, 0);
        call(code, pool, Opcode::Invokestatic, "java/lang/Unknown", "keep", "(LA;)V");
        go(3, false)(code, pool);
    };
    let a: [(Flags, &str, &str, Build<'_>); 2] =
        [(Flags::PUBLIC, "<init>", "()V", &of_object), (Flags::PUBLIC, "go", "(II)I", needs_its_object)];
    let files = [
        ("T", class("T", &[], &more)),
        ("A", class("A", &[], &a)),
        ("N", abstract_below("N")),
        ("B", class_below(b"A", "B", &[], &[(Flags::PUBLIC, "<init>", "()V", &init("A"))])),
    ];
    let archive = optimized(&files, "main", false);
    let names = methods(&archive, "A");
    let names = names.iter().filter_map(|method| method.split('(').next());
    let bodies: Vec<String> = names.map(|name| listing(&archive, "A", name)).collect();
    assert!(bodies.iter().any(|body| body.contains("Unknown.see")), "{bodies:?}");
}

/// What has the new name already would override the variant.
#[test]
fn a_family_stays_if_a_class_of_it_has_the_new_name() {
    let own: Build<'_> = &|code, pool| {
        long(code, pool, 1, 9000);
        code.local(Opcode::Iload, 1).op(Opcode::Ireturn);
    };
    let calls: Build<'_> = &|code, pool| {
        code.local(Opcode::Aload, 0).op(Opcode::Iconst1);
        call(code, pool, Opcode::Invokevirtual, "B", "go__k_x", "(I)I");
        code.op(Opcode::Ireturn);
    };
    let more: [(Flags, &str, &str, Build<'_>); 2] =
        [(Flags::PUBLIC, "go__k_x", "(I)I", own), (Flags::PUBLIC, "calls", "()I", calls)];
    let [f, a, b] = below("-keep class B { *** go__k_x(...); *** calls(...); }", &more);
    assert_eq!([f, a], [vec!["go(II)I"], vec!["go(II)I"]]);
    assert_eq!(b, ["go(II)I", "go__k_x(I)I", "calls()I"]);
}

/// `L`, whose `make` gives a lambda that implements `F`.
fn lambda() -> Vec<u8> {
    let body = MemberRef { kind: MemberKind::Method, class: b"L", name: b"lambda", descriptor: b"(II)I" };
    let make: Build<'_> = &|code, pool| {
        code.dynamic(0, b"go", b"()LF;", pool).unwrap().op(Opcode::Areturn);
    };
    let sum: Build<'_> = &|code, _| {
        code.local(Opcode::Iload, 0).local(Opcode::Iload, 1).op(Opcode::Iadd).op(Opcode::Ireturn);
    };
    let file = class("L", &[], &[(STATIC, "make", "()LF;", make), (STATIC, "lambda", "(II)I", sum)]);
    with_lambda(&file, (6, body), ["(II)I"; 2])
}

/// A JVM makes a class for the lambda that has the name which the call site says.
#[test]
fn a_family_of_which_a_lambda_is_made_stays() {
    let makes: Build<'_> = &|code, pool| {
        call(code, pool, Opcode::Invokestatic, "L", "make", "()LF;");
        call(code, pool, Opcode::Invokestatic, "java/lang/Unknown", "keep", "(LF;)V");
        go(3, false)(code, pool);
    };
    let files = [
        ("T", caller(&["A", "B"], CALLER)),
        ("F", interface()),
        ("L", lambda()),
        ("A", implementing(&subject("java/lang/Object", "A", makes, &[]))),
        ("B", implementing(&subject("java/lang/Object", "B", &go(5, false), &[]))),
    ];
    let archive = optimized(&files, "main", false);
    for class in ["F", "A", "B"] {
        assert_eq!(methods(&archive, class), ["go(II)I"]);
    }
}

/// What the missing class has nobody knows.
#[test]
fn a_family_below_a_class_that_is_missing_stays() {
    let files = [
        ("T", caller(&["A", "B"], CALLER)),
        ("F", interface()),
        ("A", implementing(&subject("java/lang/Object", "A", &go(3, false), &[]))),
        ("B", implementing(&subject("lost/Class", "B", &go(5, false), &[]))),
    ];
    let archive = optimized(&files, "main", false);
    for class in ["F", "A", "B"] {
        assert_eq!(methods(&archive, class), ["go(II)I"]);
    }
}

/// `A.f(int, long)` and `B.f(int, int)`, which does not override it, would both be `f__k_x(int)`, and the one would override
/// the other.
#[test]
fn variants_of_methods_that_do_not_override_each_other_do_not_either() {
    let f = |factor: i32| {
        move |code: &mut CodeBuilder, pool: &mut Pool| {
            long(code, pool, 1, 1000 * factor);
            code.local(Opcode::Iload, 1).int(factor, pool).unwrap().op(Opcode::Imul).op(Opcode::Ireturn);
        }
    };
    let of_b: Build<'_> = &|code, pool| {
        for name in ["A", "B", "B"] {
            code.class(Opcode::New, name.as_bytes(), pool).unwrap().op(Opcode::Dup);
            call(code, pool, Opcode::Invokespecial, name, "<init>", "()V");
            code.local(Opcode::Iload, 0).op(Opcode::Lconst1);
            call(code, pool, Opcode::Invokevirtual, "A", "f", "(IJ)I");
            call(code, pool, Opcode::Invokestatic, "java/lang/Unknown", "see", "(I)V");
        }
        for _ in 0..2 {
            code.class(Opcode::New, b"B", pool).unwrap().op(Opcode::Dup);
            call(code, pool, Opcode::Invokespecial, "B", "<init>", "()V");
            code.local(Opcode::Iload, 0).op(Opcode::Iconst4);
            call(code, pool, Opcode::Invokevirtual, "B", "f", "(II)I");
            call(code, pool, Opcode::Invokestatic, "java/lang/Unknown", "see", "(I)V");
        }
        code.op(Opcode::Iconst0).op(Opcode::Ireturn);
    };
    let (of_object, of_a) = (init("java/lang/Object"), init("A"));
    // They use their receiver, so that no variant is static.
    let sees_this = |f: Build<'static>| {
        move |code: &mut CodeBuilder, pool: &mut Pool| {
            code.local(Opcode::Aload, 0);
            call(code, pool, Opcode::Invokestatic, "java/lang/Unknown", "keep", "(Ljava/lang/Object;)V");
            f(code, pool);
        }
    };
    let (three, five) = (f(3), f(5));
    let (three, five) = (sees_this(Box::leak(Box::new(three))), sees_this(Box::leak(Box::new(five))));
    let files = [
        ("T", class("T", &[], &[(STATIC, "main", "(I)I", of_b)])),
        (
            "A",
            class(
                "A",
                &[],
                &[(Flags::PUBLIC, "<init>", "()V", &of_object), (Flags::PUBLIC, "f", "(IJ)I", &three)],
            ),
        ),
        (
            "B",
            class_below(
                b"A",
                "B",
                &[],
                &[(Flags::PUBLIC, "<init>", "()V", &of_a), (Flags::PUBLIC, "f", "(II)I", &five)],
            ),
        ),
    ];
    let archive = optimized(&files, "main", false);
    let [a, b] = ["A", "B"].map(|class| methods(&archive, class));
    assert_eq!([a.len(), b.len()], [1, 1]);
    assert_ne!(a, b);
}

/// `E.m` stands in `T.main` soon, and calls there what was private, of which a variant is there by then.
#[test]
fn a_variant_is_seen_as_far_as_its_method() {
    let p: Build<'_> = &|code, pool| {
        long(code, pool, 0, 1000);
        code.local(Opcode::Iload, 0).op(Opcode::Ireturn);
    };
    let calls_p = |salt: i32, more: bool| {
        move |code: &mut CodeBuilder, pool: &mut Pool| {
            if more {
                long(code, pool, 0, salt);
            }
            code.local(Opcode::Iload, 0).int(salt, pool).unwrap().local(Opcode::Iload, 0);
            code.op(Opcode::Imul);
            call(code, pool, Opcode::Invokestatic, "E", "p", "(II)I");
            code.op(Opcode::Ireturn);
        }
    };
    let main: Build<'_> = &|code, pool| {
        for method in ["m", "k", "k"] {
            code.local(Opcode::Iload, 0);
            call(code, pool, Opcode::Invokestatic, "E", method, "(I)I");
            code.local(Opcode::Istore, 0);
        }
        code.local(Opcode::Iload, 0).op(Opcode::Ireturn);
    };
    let (m, k) = (calls_p(3, false), calls_p(5, true));
    let e = class(
        "E",
        &[],
        &[
            (Flags::PRIVATE | Flags::STATIC, "p", "(II)I", p),
            (Flags::STATIC, "m", "(I)I", &m),
            (Flags::STATIC, "k", "(I)I", &k),
        ],
    );
    let archive =
        optimized(&[("T", class("T", &[], &[(STATIC, "main", "(I)I", main)])), ("E", e)], "main", false);
    assert!(listing(&archive, "T", "main").contains("E.p__k_x"));
    let bytes = read(&archive, "E");
    let file = ClassFile::read(&bytes).unwrap();
    assert!(!file.method(b"p__k_x", b"(I)I").unwrap().flags.has(Flags::PRIVATE));
}

/// `A.r` runs on a `B` only, by a call of `super`. Its variant does not run when it is made, as far as calls of it tell; and
/// when the call of `super` comes to lead to it, it has no body any more.
#[test]
fn a_variant_without_a_body_is_not_called() {
    let next = |code: &mut CodeBuilder, pool: &mut Pool, (op, salt): (Opcode, i32)| {
        let end = code.label();
        code.local(Opcode::Iload, 1).jump(Opcode::Ifle, end);
        code.local(Opcode::Iload, 1).int(salt, pool).unwrap().op(Opcode::Ixor);
        call(code, pool, Opcode::Invokestatic, "java/lang/Unknown", "see", "(I)V");
        code.local(Opcode::Aload, 0).local(Opcode::Iload, 1).op(Opcode::Iconst1).op(Opcode::Isub);
        code.local(Opcode::Iload, 2).local(Opcode::Iload, 3);
        call(code, pool, op, "A", "r", "(III)I");
        code.local(Opcode::Iload, 1).op(Opcode::Imul).op(Opcode::Ireturn);
        code.bind(end);
        code.frame(Form::Same).int(salt, pool).unwrap().op(Opcode::Ireturn);
    };
    let of_a: Build<'_> = &|code, pool| next(code, pool, (Opcode::Invokevirtual, 54));
    let of_b: Build<'_> = &|code, pool| next(code, pool, (Opcode::Invokespecial, 104));
    let main: Build<'_> = &|code, pool| {
        code.class(Opcode::New, b"B", pool).unwrap().op(Opcode::Dup);
        call(code, pool, Opcode::Invokespecial, "B", "<init>", "()V");
        code.op(Opcode::Iconst2).int(34, pool).unwrap().local(Opcode::Iload, 0);
        call(code, pool, Opcode::Invokevirtual, "A", "r", "(III)I");
        code.op(Opcode::Pop).op(Opcode::Return);
    };
    let (of_object, of_a_object) = (init("java/lang/Object"), init("A"));
    let a = class(
        "A",
        &[],
        &[(Flags::PUBLIC, "<init>", "()V", &of_object), (Flags::PUBLIC, "r", "(III)I", of_a)],
    );
    let b =
        [(Flags::PUBLIC, "<init>", "()V", &of_a_object as Build<'_>), (Flags::PUBLIC, "r", "(III)I", of_b)];
    let files = [
        ("T", class("T", &[], &[(STATIC, "main", "(I)V", main)])),
        ("A", a),
        ("B", class_below(b"A", "B", &[], &b)),
    ];
    let archive = optimized_by(&files, &format!("-keep class T {{ *** main(...); }}{APART}"), false);
    let text = listing(&archive, "B", base_of_calls(&listing(&archive, "T", "main")));
    let called = base_of_calls(&text);
    assert!(listing(&archive, "A", called).contains("see"), "{text}");
}

/// The name of the last method of `A` that a listing names.
fn base_of_calls(listing: &str) -> &str {
    let mut named = listing.lines().filter_map(|line| line.split_once(" A.")).map(|(_, name)| name);
    named.rfind(|name| !name.starts_with('<')).expect("a call of a method of A")
}
