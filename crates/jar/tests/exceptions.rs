//! Handlers run for exceptions that can arise, and go if there are none.
//!
//! `T.main` calls `A.risky`, which calls itself, so that it stays a method, and does something that the test says. The program
//! has exceptions `X` and `Y`, which extends it, and `Z`.

use crate::small::listing::listing;
use crate::small::{Build, OBJECT, Pool, call, class, class_below, optimized};
use planish_classfile::builder::CodeBuilder;
use planish_classfile::frame::{Form, VerificationType};
use planish_classfile::{ClassFile, Flags, Opcode};

const STATIC: Flags = Flags(Flags::PUBLIC.0 | Flags::STATIC.0);
const EXCEPTION: &[u8] = b"java/lang/Exception";

/// `try { return call(); } catch (caught e) { return 77; }`, where nothing catches everything.
fn guarded(code: &mut CodeBuilder, pool: &mut Pool, caught: &str, guards: Build<'_>) {
    let class = match caught {
        "" => 0,
        caught => pool.add_class(caught.as_bytes()).unwrap(),
    };
    let any =
        pool.add_class(if caught.is_empty() { b"java/lang/Throwable" } else { caught.as_bytes() }).unwrap();
    let (start, end, handler) = (code.here(), code.label(), code.label());
    guards(code, pool);
    code.op(Opcode::Ireturn).bind(end).handler(start, end, handler, class).bind(handler);
    code.frame(Form::Stack1(VerificationType::Object(any)));
    code.op(Opcode::Pop).int(77, pool).unwrap().op(Opcode::Ireturn);
}

/// `throw new class()`.
fn throws(class: &'static str) -> impl Fn(&mut CodeBuilder, &mut Pool) {
    move |code, pool| {
        code.class(Opcode::New, class.as_bytes(), pool).unwrap().op(Opcode::Dup);
        call(code, pool, Opcode::Invokespecial, class, "<init>", "()V");
        code.op(Opcode::Athrow);
    }
}

/// Calls a static method `(I)I` and returns what it gives.
fn calls(class: &'static str, name: &'static str) -> impl Fn(&mut CodeBuilder, &mut Pool) {
    move |code, pool| {
        code.local(Opcode::Iload, 0);
        call(code, pool, Opcode::Invokestatic, class, name, "(I)I");
        code.op(Opcode::Ireturn);
    }
}

/// A static method `(I)I` that calls itself until its argument is 0, and then does something else.
fn again<'b>(name: &'static str, then: Build<'b>) -> impl Fn(&mut CodeBuilder, &mut Pool) + 'b {
    move |code, pool| {
        let end = code.label();
        code.local(Opcode::Iload, 0).jump(Opcode::Ifeq, end);
        code.local(Opcode::Iload, 0).op(Opcode::Iconst1).op(Opcode::Isub);
        call(code, pool, Opcode::Invokestatic, "A", name, "(I)I");
        code.local(Opcode::Iload, 0)
            .op(Opcode::Ixor)
            .op(Opcode::Iconst3)
            .op(Opcode::Imul)
            .op(Opcode::Ireturn);
        code.bind(end).frame(Form::Same);
        then(code, pool);
    }
}

/// What is left of `T.main`, which catches one class around a call of `A.risky`. That ends by `then`, and `A` has more methods.
fn left(caught: &str, then: Build<'_>, more: &[(Flags, &str, &str, Build<'_>)]) -> String {
    let main: Build<'_> = &|code, pool| {
        guarded(code, pool, caught, &|code, pool| {
            code.local(Opcode::Iload, 0);
            call(code, pool, Opcode::Invokestatic, "A", "risky", "(I)I");
        });
    };
    // Makes one of each, so that there may be one.
    let makes: Build<'_> = &|code, pool| {
        for made in ["X", "Y", "Z"] {
            code.class(Opcode::New, made.as_bytes(), pool).unwrap().op(Opcode::Dup);
            call(code, pool, Opcode::Invokespecial, made, "<init>", "()V");
            call(code, pool, Opcode::Invokestatic, "java/lang/Unknown", "see", "(Ljava/lang/Object;)V");
        }
        code.op(Opcode::Return);
    };
    let exception = |name, above: &'static str| {
        let construct = move |code: &mut CodeBuilder, pool: &mut Pool| {
            code.local(Opcode::Aload, 0);
            call(code, pool, Opcode::Invokespecial, above, "<init>", "()V");
            code.op(Opcode::Return);
        };
        class_below(above.as_bytes(), name, &[], &[(Flags::PUBLIC, "<init>", "()V", &construct)])
    };
    let risky = again("risky", then);
    let mut methods: Vec<(Flags, &str, &str, Build<'_>)> = vec![(STATIC, "risky", "(I)I", &risky)];
    methods.extend_from_slice(more);
    let files = [
        ("T", class("T", &[], &[(STATIC, "main", "(I)I", main), (STATIC, "makes", "()V", makes)])),
        ("A", class_below(OBJECT, "A", &[], &methods)),
        ("X", exception("X", "java/lang/Exception")),
        ("Y", exception("Y", "X")),
        ("Z", exception("Z", "java/lang/Exception")),
    ];
    listing(&optimized(&files, "ma*", false), "T", "main")
}

/// Whether the handler is there.
fn is_handled(caught: &str, then: Build<'_>, more: &[(Flags, &str, &str, Build<'_>)]) -> bool {
    left(caught, then, more).contains("bipush 77")
}

#[test]
fn a_handler_for_what_no_callee_throws_goes() {
    for (thrown, caught, is_there) in [
        ("X", "X", true),
        ("Y", "X", true),
        ("X", "Y", false),
        ("Z", "X", false),
        ("X", "java/lang/Exception", true),
        ("X", "java/lang/Error", true),
        ("X", "java/lang/ArithmeticException", false),
        ("X", "", true),
    ] {
        assert_eq!(is_handled(caught, &throws(thrown), &[]), is_there, "{thrown} for {caught}");
    }
}

#[test]
fn what_is_thrown_far_below_is_handled() {
    let throws_z = throws("Z");
    let deepest = again("deepest", &throws_z);
    let middle_calls = calls("A", "deepest");
    let middle = again("middle", &middle_calls);
    let more: [(Flags, &str, &str, Build<'_>); 2] =
        [(STATIC, "middle", "(I)I", &middle), (STATIC, "deepest", "(I)I", &deepest)];
    assert!(is_handled("Z", &calls("A", "middle"), &more));
    assert!(!is_handled("X", &calls("A", "middle"), &more));
}

/// Nobody knows what else the library does.
#[test]
fn what_leaves_the_program_may_throw_anything() {
    assert!(is_handled("X", &calls("java/lang/Unknown", "see"), &[]));
    let divides: Build<'_> = &|code, _| {
        code.op(Opcode::Iconst5).local(Opcode::Iload, 0).op(Opcode::Idiv).op(Opcode::Ireturn);
    };
    assert!(is_handled("java/lang/ArithmeticException", divides, &[]));
    assert!(!is_handled("java/lang/NullPointerException", divides, &[]));
    assert!(!is_handled("X", divides, &[]));
}

/// What a handler takes does not leave the method, and what it throws again does.
#[test]
fn what_is_caught_on_the_way_does_not_arrive() {
    let throws_y = throws("Y");
    let thrower = again("thrower", &throws_y);
    let more: [(Flags, &str, &str, Build<'_>); 1] = [(STATIC, "thrower", "(I)I", &thrower)];
    let catches = |caught: &'static str| {
        move |code: &mut CodeBuilder, pool: &mut Pool| {
            guarded(code, pool, caught, &|code, pool| {
                code.local(Opcode::Iload, 0);
                call(code, pool, Opcode::Invokestatic, "A", "thrower", "(I)I");
            });
        }
    };
    assert!(!is_handled("X", &catches("X"), &more));
    assert!(!is_handled("X", &catches(""), &more));
    assert!(is_handled("X", &catches("Z"), &more));
    // `finally`
    let again: Build<'_> = &|code, pool| {
        let any = pool.add_class(b"java/lang/Throwable").unwrap();
        let (start, end, handler) = (code.here(), code.label(), code.label());
        code.local(Opcode::Iload, 0);
        call(code, pool, Opcode::Invokestatic, "A", "thrower", "(I)I");
        code.op(Opcode::Ireturn).bind(end).handler(start, end, handler, 0).bind(handler);
        code.frame(Form::Stack1(VerificationType::Object(any)));
        code.int(5, pool).unwrap();
        call(code, pool, Opcode::Invokestatic, "java/lang/Math", "abs", "(I)I");
        code.op(Opcode::Pop).op(Opcode::Athrow);
    };
    assert!(is_handled("X", again, &more));
    assert!(is_handled("Y", again, &more));
    assert!(!is_handled("Z", again, &more), "it throws again what it caught");
}

/// Of what a parameter is, only the type is known.
#[test]
fn what_is_thrown_of_a_variable_may_be_of_a_class_below() {
    let thrower: Build<'_> = &|code, _| {
        code.local(Opcode::Aload, 0).op(Opcode::Athrow);
    };
    let more: [(Flags, &str, &str, Build<'_>); 1] = [(STATIC, "thrower", "(LX;)I", thrower)];
    let given: Build<'_> = &|code, pool| {
        call(code, pool, Opcode::Invokestatic, "java/lang/Unknown", "exception", "()LX;");
        call(code, pool, Opcode::Invokestatic, "A", "thrower", "(LX;)I");
        code.op(Opcode::Ireturn);
    };
    assert!(is_handled("Y", given, &more));
    let exact: Build<'_> = &|code, pool| {
        code.class(Opcode::New, b"X", pool).unwrap().op(Opcode::Dup);
        call(code, pool, Opcode::Invokespecial, "X", "<init>", "()V");
        call(code, pool, Opcode::Invokestatic, "A", "thrower", "(LX;)I");
        code.op(Opcode::Ireturn);
    };
    assert!(is_handled("X", exact, &more));
    assert!(!is_handled("Y", exact, &more));
    let null: Build<'_> = &|code, pool| {
        code.op(Opcode::AconstNull);
        call(code, pool, Opcode::Invokestatic, "A", "thrower", "(LX;)I");
        code.op(Opcode::Ireturn);
    };
    assert!(is_handled("java/lang/NullPointerException", null, &more));
    assert!(!is_handled("X", null, &more));
}

/// A call of one of many methods throws what any of them throws.
#[test]
fn any_of_many_methods_may_throw() {
    for (thrower, is_there) in [("Z", true), ("X", false)] {
        let construct: Build<'_> = &|code, pool| {
            code.local(Opcode::Aload, 0);
            call(code, pool, Opcode::Invokespecial, "B", "<init>", "()V");
            code.op(Opcode::Return);
        };
        let of_object: Build<'_> = &|code, pool| {
            code.local(Opcode::Aload, 0);
            call(code, pool, Opcode::Invokespecial, "java/lang/Object", "<init>", "()V");
            code.op(Opcode::Return);
        };
        let gives: Build<'_> = &|code, _| {
            code.local(Opcode::Iload, 1).op(Opcode::Iconst3).op(Opcode::Ixor).op(Opcode::Ireturn);
        };
        let main: Build<'_> = &|code, pool| {
            guarded(code, pool, "Z", &|code, pool| {
                code.local(Opcode::Aload, 0).int(5, pool).unwrap();
                call(code, pool, Opcode::Invokevirtual, "B", "go", "(I)I");
            });
        };
        let makes: Build<'_> = &|code, pool| {
            for made in ["B", "C", "D", "E", "Z"] {
                code.class(Opcode::New, made.as_bytes(), pool).unwrap().op(Opcode::Dup);
                call(code, pool, Opcode::Invokespecial, made, "<init>", "()V");
                call(code, pool, Opcode::Invokestatic, "java/lang/Unknown", "see", "(Ljava/lang/Object;)V");
            }
            code.op(Opcode::Return);
        };
        let exception: Build<'_> = &|code, pool| {
            code.local(Opcode::Aload, 0);
            call(code, pool, Opcode::Invokespecial, "java/lang/Exception", "<init>", "()V");
            code.op(Opcode::Return);
        };
        let thrown = throws(thrower);
        let below = |name, go: Build<'_>| {
            class_below(
                b"B",
                name,
                &[],
                &[(Flags::PUBLIC, "<init>", "()V", construct), (Flags::PUBLIC, "go", "(I)I", go)],
            )
        };
        let files = [
            ("T", class("T", &[], &[(STATIC, "main", "(LB;)I", main), (STATIC, "makes", "()V", makes)])),
            (
                "B",
                class(
                    "B",
                    &[],
                    &[(Flags::PUBLIC, "<init>", "()V", of_object), (Flags::PUBLIC, "go", "(I)I", gives)],
                ),
            ),
            ("C", below("C", gives)),
            ("D", below("D", &thrown)),
            ("E", below("E", gives)),
            ("X", class_below(EXCEPTION, "X", &[], &[(Flags::PUBLIC, "<init>", "()V", exception)])),
            ("Z", class_below(EXCEPTION, "Z", &[], &[(Flags::PUBLIC, "<init>", "()V", exception)])),
        ];
        let text = listing(&optimized(&files, "ma*", false), "T", "main");
        assert_eq!(text.contains("bipush 77"), is_there, "{thrower}:\n{text}");
    }
}

/// An exception of which only an interface is known that it implements may be of any class: another one below may implement it.
#[test]
fn what_implements_an_interface_may_be_of_any_class() {
    let main: Build<'_> = &|code, pool| {
        code.local(Opcode::Aload, 0).class(Opcode::Checkcast, b"M", pool).unwrap().local(Opcode::Astore, 1);
        let (start, end, handler) = (code.label(), code.label(), code.label());
        let [object, m] = [OBJECT, b"M"].map(|name| VerificationType::Object(pool.add_class(name).unwrap()));
        code.bind(start).local(Opcode::Aload, 1).class(Opcode::Checkcast, EXCEPTION, pool).unwrap();
        code.op(Opcode::Athrow).bind(end);
        let x = pool.add_class(b"X").unwrap();
        code.handler(start, end, handler, x).bind(handler);
        let stack = vec![VerificationType::Object(x)];
        code.frame(Form::Full { locals: vec![object, m], stack });
        code.op(Opcode::Pop).int(77, pool).unwrap().op(Opcode::Ireturn);
    };
    let construct = |above: &'static str| {
        move |code: &mut CodeBuilder, pool: &mut Pool| {
            code.local(Opcode::Aload, 0);
            call(code, pool, Opcode::Invokespecial, above, "<init>", "()V");
            code.op(Opcode::Return);
        }
    };
    let makes: Build<'_> = &|code, pool| {
        code.class(Opcode::New, b"Y", pool).unwrap().op(Opcode::Dup);
        call(code, pool, Opcode::Invokespecial, "Y", "<init>", "()V");
        call(code, pool, Opcode::Invokestatic, "java/lang/Unknown", "see", "(Ljava/lang/Object;)V");
        code.op(Opcode::Return);
    };
    let exception = |name, above: &'static str| {
        class_below(above.as_bytes(), name, &[], &[(Flags::PUBLIC, "<init>", "()V", &construct(above))])
    };
    let y = exception("Y", "X");
    let mut y = ClassFile::read(&y).unwrap();
    let m = y.pool.add_class(b"M").unwrap();
    y.interfaces.push(m);
    let interface = Flags::PUBLIC | Flags::INTERFACE | Flags::ABSTRACT;
    let main = [(STATIC, "main", "(Ljava/lang/Object;)I", main), (STATIC, "makes", "()V", makes)];
    let files = [
        ("T", class("T", &[], &main)),
        ("M", ClassFile::new(52, interface, b"M", Some(OBJECT)).unwrap().to_bytes().unwrap()),
        ("X", exception("X", "java/lang/Exception")),
        ("Y", y.to_bytes().unwrap()),
    ];
    let text = listing(&optimized(&files, "ma*", false), "T", "main");
    assert!(text.contains("bipush 77"), "{text}");
}

/// A constructor of an exception may look at what it gets, and throw another one.
#[test]
fn making_an_exception_may_throw_another_one() {
    for (made, caught, is_there) in [
        ("java/lang/ArithmeticException", "java/lang/NullPointerException", false),
        ("java/lang/ArithmeticException", "java/lang/Error", true),
        ("java/util/UnknownFormatFlagsException", "java/lang/NullPointerException", true),
    ] {
        let makes: Build<'_> = &|code, pool| {
            code.class(Opcode::New, made.as_bytes(), pool).unwrap().op(Opcode::Dup).op(Opcode::AconstNull);
            call(code, pool, Opcode::Invokespecial, made, "<init>", "(Ljava/lang/String;)V");
            code.op(Opcode::Athrow);
        };
        assert_eq!(is_handled(caught, makes, &[]), is_there, "{made} for {caught}");
    }
}
