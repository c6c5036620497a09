//! What a body makes for nobody, where the body alone is looked at and in a whole program: builders however they begin, lambdas,
//! arrays of arrays. What may be seen of it stays.

use crate::small::lambda::with_lambda;
use crate::small::listing::listing;
use crate::small::{Build, Pool, call, class, optimized, read_in};
use planish_classfile::builder::CodeBuilder;
use planish_classfile::pool::MemberKind;
use planish_classfile::{Constant, Flags, MemberRef, Opcode};
use planish_driver::Settings;
use planish_jar::inputs::Classpath;
use planish_jar::programs::around::Surroundings;
use planish_jar::programs::roots::Roots;
use planish_jar::rounds::optimize_each;

const STATIC: Flags = Flags(Flags::PUBLIC.0 | Flags::STATIC.0);

/// What is left of a method that does this and returns, where bodies alone are looked at, and in the whole program.
fn left(descriptor: &str, build: impl Fn(&mut CodeBuilder, &mut Pool)) -> [String; 2] {
    let run = |code: &mut CodeBuilder, pool: &mut Pool| {
        build(code, pool);
        code.op(Opcode::Return);
    };
    let nothing: Build<'_> = &|code, _| {
        code.op(Opcode::Return);
    };
    let methods = [(STATIC, "run", descriptor, &run as Build<'_>), (STATIC, "called", "(I)V", nothing)];
    let called = MemberRef { kind: MemberKind::Method, class: b"T", name: b"called", descriptor: b"(I)V" };
    let files = [("T", with_lambda(&class("T", &[], &methods), (6, called), ["()V", "()V"]))];
    let (mut archive, hierarchy) = read_in(&files);
    let (classpath, roots) = (Classpath::default(), Roots::default());
    let around = Surroundings::quiet(&hierarchy, &classpath, &roots);
    optimize_each(&mut archive, around, &Settings::default()).unwrap();
    [archive, optimized(&files, "run", false)].map(|archive| listing(&archive, "T", "run"))
}

/// Whether nothing is left.
fn goes(descriptor: &str, build: impl Fn(&mut CodeBuilder, &mut Pool)) -> bool {
    let left = left(descriptor, build);
    let [alone, whole] = left.each_ref().map(|text| text == "return\n");
    assert_eq!(alone, whole, "{left:?}");
    alone
}

/// Makes a builder of this class, by a constructor that gets what `with` pushes.
fn builder(
    code: &mut CodeBuilder,
    pool: &mut Pool,
    (class, descriptor): (&str, &str),
    with: impl Fn(&mut CodeBuilder, &mut Pool),
) {
    code.class(Opcode::New, class.as_bytes(), pool).unwrap().op(Opcode::Dup);
    with(code, pool);
    call(code, pool, Opcode::Invokespecial, class, "<init>", descriptor);
}

/// Appends what `push` pushes to the builder on the stack.
fn append(
    code: &mut CodeBuilder,
    pool: &mut Pool,
    (class, ty): (&str, &str),
    push: impl Fn(&mut CodeBuilder, &mut Pool),
) {
    push(code, pool);
    call(code, pool, Opcode::Invokevirtual, class, "append", &format!("({ty})L{class};"));
}

const TEXT: &str = "Ljava/lang/String;";

fn text(code: &mut CodeBuilder, pool: &mut Pool) {
    let text = pool.add_utf8(b"text").unwrap();
    code.load(Constant::String(text), pool).unwrap();
}

#[test]
fn a_builder_goes_however_it_begins() {
    for class in ["java/lang/StringBuilder", "java/lang/StringBuffer"] {
        let ends: [Build<'_>; 2] = [
            &|code, _| {
                code.op(Opcode::Pop);
            },
            &|code, pool| {
                append(code, pool, (class, TEXT), text);
                append(code, pool, (class, "C"), |code, _| {
                    code.local(Opcode::Iload, 0);
                });
                append(code, pool, (class, TEXT), |code, _| {
                    code.op(Opcode::AconstNull);
                });
                call(code, pool, Opcode::Invokevirtual, class, "toString", "()Ljava/lang/String;");
                code.op(Opcode::Pop);
            },
        ];
        for end in ends {
            assert!(goes("(I)V", |code, pool| {
                builder(code, pool, (class, "()V"), |_, _| {});
                end(code, pool);
            }));
            assert!(goes("(I)V", |code, pool| {
                builder(code, pool, (class, "(Ljava/lang/String;)V"), text);
                end(code, pool);
            }));
            assert!(goes("(I)V", |code, pool| {
                builder(code, pool, (class, "(Ljava/lang/String;)V"), |code, pool| {
                    code.local(Opcode::Iload, 0);
                    let descriptor = "(I)Ljava/lang/String;";
                    call(code, pool, Opcode::Invokestatic, "java/lang/Integer", "toString", descriptor);
                });
                end(code, pool);
            }));
            assert!(goes("(I)V", |code, pool| {
                builder(code, pool, (class, "(I)V"), |code, pool| {
                    code.int(64, pool).unwrap();
                });
                end(code, pool);
            }));
        }
    }
}

/// A text that is made anew, and exceptions that nobody throws.
#[test]
fn texts_and_exceptions_go() {
    assert!(goes("(I)V", |code, pool| {
        builder(code, pool, ("java/lang/String", "(Ljava/lang/String;)V"), text);
        call(code, pool, Opcode::Invokevirtual, "java/lang/String", "hashCode", "()I");
        code.op(Opcode::Pop);
    }));
    for (class, descriptor) in [
        ("java/lang/ArithmeticException", "(Ljava/lang/String;)V"),
        ("java/lang/Exception", "(Ljava/lang/String;)V"),
    ] {
        assert!(goes("(I)V", |code, pool| {
            builder(code, pool, (class, descriptor), text);
            code.op(Opcode::Pop);
        }));
    }
    assert!(!goes("(I)V", |code, pool| {
        builder(code, pool, ("java/lang/Exception", "()V"), |_, _| {});
        call(code, pool, Opcode::Invokestatic, "Other", "takes", "(Ljava/lang/Exception;)V");
    }));
    // What it looks at nobody knows.
    let class = "java/util/UnknownFormatFlagsException";
    assert!(!goes("(I)V", |code, pool| {
        builder(code, pool, (class, "(Ljava/lang/String;)V"), text);
        code.op(Opcode::Pop);
    }));
}

#[test]
fn a_builder_stays_that_may_not_begin_or_that_somebody_gets() {
    let class = "java/lang/StringBuilder";
    assert!(!goes("(Ljava/lang/String;)V", |code, pool| {
        builder(code, pool, (class, "(Ljava/lang/String;)V"), |code, _| {
            code.local(Opcode::Aload, 0);
        });
        code.op(Opcode::Pop);
    }));
    assert!(!goes("()V", |code, pool| {
        builder(code, pool, (class, "(Ljava/lang/String;)V"), |code, _| {
            code.op(Opcode::AconstNull);
        });
        code.op(Opcode::Pop);
    }));
    for room in [None, Some(-1)] {
        assert!(!goes("(I)V", |code, pool| {
            builder(code, pool, (class, "(I)V"), |code, pool| {
                match room {
                    Some(room) => code.int(room, pool).unwrap(),
                    None => code.local(Opcode::Iload, 0),
                };
            });
            code.op(Opcode::Pop);
        }));
    }
    assert!(!goes("(Ljava/lang/Object;)V", |code, pool| {
        builder(code, pool, (class, "()V"), |_, _| {});
        append(code, pool, (class, "Ljava/lang/Object;"), |code, _| {
            code.local(Opcode::Aload, 0);
        });
        code.op(Opcode::Pop);
    }));
}

#[test]
fn a_lambda_that_nobody_calls_is_not_made() {
    assert!(goes("(I)V", |code, pool| {
        code.local(Opcode::Iload, 0);
        code.dynamic(0, b"run", b"(I)Ljava/lang/Runnable;", pool).unwrap();
        code.local(Opcode::Astore, 1);
    }));
    let [alone, _] = left("(I)V", |code, pool| {
        code.local(Opcode::Iload, 0);
        code.dynamic(0, b"run", b"(I)Ljava/lang/Runnable;", pool).unwrap();
        call(code, pool, Opcode::Invokestatic, "Other", "takes", "(Ljava/lang/Runnable;)V");
    });
    assert!(alone.contains("invokedynamic"), "{alone}");
}

/// `new int[...][...][...]`, of constants, or of the parameter.
fn arrays(lengths: [Option<i32>; 3]) -> impl Fn(&mut CodeBuilder, &mut Pool) {
    move |code, pool| {
        for length in lengths {
            match length {
                Some(length) => code.int(length, pool).unwrap(),
                None => code.local(Opcode::Iload, 0),
            };
        }
        code.new_arrays(b"[[[I", 3, pool).unwrap().op(Opcode::Pop);
    }
}

#[test]
fn arrays_of_arrays_go_where_they_can_be_made() {
    assert!(goes("(I)V", arrays([Some(2), Some(3), Some(4)])));
    assert!(goes("(I)V", arrays([Some(0), Some(300), Some(0)])));
    assert!(!goes("(I)V", arrays([Some(2), Some(-1), Some(4)])), "it throws");
    assert!(!goes("(I)V", arrays([Some(2), None, Some(4)])), "it may throw");
    assert!(!goes("(I)V", arrays([Some(10_000), Some(10_000), Some(1)])), "there may be no room");
}
