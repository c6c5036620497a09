//! Programs of a few methods, and what is left of them when the whole program is known. No JDK is needed.

use planish_classfile::builder::CodeBuilder;
use planish_classfile::{ClassFile, Flags, Opcode};

use crate::small::listing::{listing, read};
use crate::small::{Build, Pool, call, class, class_below, optimized};

const STATIC: Flags = Flags::STATIC;

fn multiply(code: &mut CodeBuilder, _: &mut Pool) {
    code.local(Opcode::Iload, 0).local(Opcode::Iload, 1).op(Opcode::Imul).op(Opcode::Ireturn);
}

/// S3.29: facts cross calls.
#[test]
fn a_product_with_zero_is_known_across_a_call() {
    let files = [(
        "T",
        class(
            "T",
            &[],
            &[
                (STATIC, "main", "(I)I", &|code, pool| {
                    code.local(Opcode::Iload, 0).op(Opcode::Iconst0);
                    call(code, pool, Opcode::Invokestatic, "T", "called", "(II)I");
                    code.op(Opcode::Ireturn);
                }),
                (STATIC, "called", "(II)I", &multiply),
            ],
        ),
    )];
    assert_eq!(listing(&optimized(&files, "main", false), "T", "main"), "iconst_0\nireturn\n");
}

/// `f(x, a, b)` of T, `x > 2 ? x + b : -f(x + 1, a, b)`, or, with a receiver, of H, `x > 2 ? x + b : f(x + 1, a, b)`.
fn hands_on(receiver: u16) -> impl Fn(&mut CodeBuilder, &mut Pool) {
    move |code, pool| {
        let [x, a, b] = [receiver, receiver + 1, receiver + 2];
        let more = code.label();
        code.local(Opcode::Iload, x).op(Opcode::Iconst2).jump(Opcode::IfIcmple, more);
        code.local(Opcode::Iload, x).local(Opcode::Iload, b).op(Opcode::Iadd).op(Opcode::Ireturn);
        code.bind(more).frame(planish_classfile::frame::Form::Same);
        if receiver > 0 {
            code.local(Opcode::Aload, 0);
        }
        code.local(Opcode::Iload, x).op(Opcode::Iconst1).op(Opcode::Iadd);
        code.local(Opcode::Iload, a).local(Opcode::Iload, b);
        match receiver {
            0 => {
                call(code, pool, Opcode::Invokestatic, "T", "f", "(III)I");
                // So that there is something to do behind the call, and it stays one.
                code.op(Opcode::Ineg);
            }
            _ => call(code, pool, Opcode::Invokevirtual, "H", "f", "(III)I"),
        }
        code.op(Opcode::Ireturn);
    }
}

/// S3.14, S3.19, S3.46: copies for constant arguments, by `NAME__SUFFIX`; an argument that is not used is
/// dropped, in recursions too.
#[test]
fn a_parameter_that_a_recursion_only_hands_on_goes_and_a_constant_one_is_written_in() {
    let files = [(
        "T",
        class(
            "T",
            &[],
            &[
                (STATIC, "main", "(I)I", &|code, pool| {
                    code.local(Opcode::Iload, 0).op(Opcode::Iconst4).op(Opcode::Iconst5);
                    call(code, pool, Opcode::Invokestatic, "T", "f", "(III)I");
                    code.op(Opcode::Ireturn);
                }),
                (STATIC, "f", "(III)I", &hands_on(0)),
            ],
        ),
    )];
    let archive = optimized(&files, "main", false);
    assert_eq!(listing(&archive, "T", "main"), "iload_0\ninvokestatic T.f__k_x_5\nireturn\n");
    let variant = listing(&archive, "T", "f__k_x_5");
    assert!(variant.contains("iconst_5\n") && !variant.contains("iconst_4\n"), "{variant}");
    assert!(variant.contains("invokestatic T.f__k_x_5\n"), "it calls itself:\n{variant}");
    let bytes = read(&archive, "T");
    assert!(ClassFile::read(&bytes).unwrap().method(b"f", b"(III)I").is_none(), "nobody calls it any more");
}

#[test]
fn a_method_with_a_receiver_loses_parameters_if_every_call_leads_there_alone() {
    let main: Build<'_> = &|code, pool| {
        code.local(Opcode::Aload, 0).local(Opcode::Iload, 1).op(Opcode::Iconst4).op(Opcode::Iconst5);
        call(code, pool, Opcode::Invokevirtual, "H", "f", "(III)I");
        code.op(Opcode::Ireturn);
    };
    let make: Build<'_> = &|code, pool| {
        code.class(Opcode::New, b"H", pool).unwrap().op(Opcode::Dup);
        call(code, pool, Opcode::Invokespecial, "H", "<init>", "()V");
        code.op(Opcode::Areturn);
    };
    let init: Build<'_> = &|code, pool| {
        code.local(Opcode::Aload, 0);
        call(code, pool, Opcode::Invokespecial, "java/lang/Object", "<init>", "()V");
        code.op(Opcode::Return);
    };
    let holder = class(
        "H",
        &[],
        &[(Flags::PUBLIC, "<init>", "()V", init), (Flags::PUBLIC, "f", "(III)I", &hands_on(1))],
    );
    let methods = [(STATIC, "main", "(LH;I)I", main), (STATIC, "mainMake", "()LH;", make)];
    let archive = optimized(&[("T", class("T", &[], &methods)), ("H", holder)], "main*", false);
    assert_eq!(listing(&archive, "T", "main"), "aload_0\niload_1\ninvokevirtual H.f__k_x_5\nireturn\n");
    let bytes = read(&archive, "H");
    assert!(ClassFile::read(&bytes).unwrap().method(b"f", b"(III)I").is_none(), "nobody calls it any more");
}

#[test]
fn a_call_that_is_known_ahead_of_time_still_counts_as_a_call_with_its_arguments() {
    // f(m, n): m == 0 ? n : f(m - 1, n + 1). `main` gives f(2, 3) and f(0, x); if the first were left out,
    // m would be 0 in every call, and f would lose its branch although main may still call f(2, 3).
    let files = [(
        "T",
        class(
            "T",
            &[],
            &[
                (STATIC, "main", "(I)I", &|code, pool| {
                    code.op(Opcode::Iconst2).op(Opcode::Iconst3);
                    call(code, pool, Opcode::Invokestatic, "T", "f", "(II)I");
                    code.op(Opcode::Iconst0).local(Opcode::Iload, 0);
                    call(code, pool, Opcode::Invokestatic, "T", "f", "(II)I");
                    code.op(Opcode::Iadd).op(Opcode::Ireturn);
                }),
                (STATIC, "f", "(II)I", &|code, pool| {
                    let more = code.label();
                    code.local(Opcode::Iload, 0).jump(Opcode::Ifne, more);
                    code.local(Opcode::Iload, 1).op(Opcode::Ireturn);
                    code.bind(more).frame(planish_classfile::frame::Form::Same);
                    code.local(Opcode::Iload, 0).op(Opcode::Iconst1).op(Opcode::Isub);
                    code.local(Opcode::Iload, 1).op(Opcode::Iconst1).op(Opcode::Iadd);
                    call(code, pool, Opcode::Invokestatic, "T", "f", "(II)I");
                    code.op(Opcode::Ireturn);
                }),
            ],
        ),
    )];
    let main = listing(&optimized(&files, "main", false), "T", "main");
    assert_eq!(main, "iconst_5\niload_0\niadd\nireturn\n");
}

#[test]
fn a_static_method_is_called_as_long_as_its_class_has_something_to_initialize() {
    let with = |initializer: bool| {
        let mut methods: Vec<(Flags, &str, &str, Build<'_>)> = vec![(STATIC, "get", "(I)I", &|code, _| {
            code.local(Opcode::Iload, 0).op(Opcode::Iconst2).op(Opcode::Imul).op(Opcode::Ireturn);
        })];
        if initializer {
            methods.push((STATIC, "<clinit>", "()V", &|code, pool| {
                call(code, pool, Opcode::Invokestatic, "Other", "effect", "()V");
                code.op(Opcode::Return);
            }));
        }
        [
            (
                "T",
                class(
                    "T",
                    &[],
                    &[(STATIC, "main", "(I)I", &|code, pool| {
                        code.local(Opcode::Iload, 0);
                        call(code, pool, Opcode::Invokestatic, "S", "get", "(I)I");
                        code.op(Opcode::Ireturn);
                    })],
                ),
            ),
            ("S", class("S", &[], &methods)),
        ]
    };
    let without = listing(&optimized(&with(false), "main", false), "T", "main");
    assert_eq!(without, "iload_0\niconst_2\nimul\nireturn\n");
    let kept = listing(&optimized(&with(true), "main", false), "T", "main");
    assert_eq!(kept, "iload_0\ninvokestatic S.get\nireturn\n");
}

/// A program of static methods of one class.
fn of_methods(methods: &[(&str, &str, Build<'_>)]) -> [(&'static str, Vec<u8>); 1] {
    let methods: Vec<_> =
        methods.iter().map(|&(name, descriptor, build)| (STATIC, name, descriptor, build)).collect();
    [("T", class("T", &[], &methods))]
}

/// S3.30: calls of calls are looked through, however deep.
#[test]
fn a_constant_is_known_through_calls_of_calls() {
    let hand_on = |to: &'static str| {
        move |code: &mut CodeBuilder, pool: &mut Pool| {
            code.local(Opcode::Iload, 0).local(Opcode::Iload, 1);
            call(code, pool, Opcode::Invokestatic, "T", to, "(II)I");
            code.op(Opcode::Ireturn);
        }
    };
    let (first, second, third) = (hand_on("second"), hand_on("third"), hand_on("called"));
    let files = of_methods(&[
        ("main", "(I)I", &|code, pool| {
            code.local(Opcode::Iload, 0).op(Opcode::Iconst0);
            call(code, pool, Opcode::Invokestatic, "T", "first", "(II)I");
            code.op(Opcode::Ireturn);
        }),
        ("first", "(II)I", &first),
        ("second", "(II)I", &second),
        ("third", "(II)I", &third),
        ("called", "(II)I", &multiply),
    ]);
    assert_eq!(listing(&optimized(&files, "main", false), "T", "main"), "iconst_0\nireturn\n");
}

/// `x > 2 ? 1 : other(x + 1)`
fn one_or(other: &'static str) -> impl Fn(&mut CodeBuilder, &mut Pool) {
    move |code, pool| {
        let more = code.label();
        code.local(Opcode::Iload, 0).op(Opcode::Iconst2).jump(Opcode::IfIcmple, more);
        code.op(Opcode::Iconst1).op(Opcode::Ireturn);
        code.bind(more).frame(planish_classfile::frame::Form::Same);
        code.local(Opcode::Iload, 0).op(Opcode::Iconst1).op(Opcode::Iadd);
        call(code, pool, Opcode::Invokestatic, "T", other, "(I)I");
        code.op(Opcode::Ireturn);
    }
}

/// S3.26, S3.32, S3.33: methods that call each other give one constant, which is found for both together;
/// they have no effects, so the call goes.
#[test]
fn methods_that_call_each_other_are_found_to_give_one_constant() {
    let (even, odd) = (one_or("odd"), one_or("even"));
    let files = of_methods(&[
        ("main", "(I)I", &|code, pool| {
            code.local(Opcode::Iload, 0);
            call(code, pool, Opcode::Invokestatic, "T", "even", "(I)I");
            code.op(Opcode::Ireturn);
        }),
        ("even", "(I)I", &even),
        ("odd", "(I)I", &odd),
    ]);
    assert_eq!(listing(&optimized(&files, "main", false), "T", "main"), "iconst_1\nireturn\n");
}

/// A class below `A` whose `f` gives 3, or what it is given.
fn gives(name: &str, itself: bool) -> Vec<u8> {
    class_below(
        b"A",
        name,
        &[],
        &[
            (Flags::PUBLIC, "<init>", "()V", &|code, pool| {
                code.local(Opcode::Aload, 0);
                call(code, pool, Opcode::Invokespecial, "A", "<init>", "()V");
                code.op(Opcode::Return);
            }),
            (Flags::PUBLIC, "f", "(I)I", &move |code, _| {
                if itself {
                    code.local(Opcode::Iload, 1)
                } else {
                    code.op(Opcode::Iconst3)
                };
                code.op(Opcode::Ireturn);
            }),
        ],
    )
}

/// `return new NAME()`
fn make(code: &mut CodeBuilder, pool: &mut Pool, name: &str) {
    code.class(Opcode::New, name.as_bytes(), pool).unwrap().op(Opcode::Dup);
    call(code, pool, Opcode::Invokespecial, name, "<init>", "()V");
    code.op(Opcode::Areturn);
}

/// What all calls hand over, and what all methods give, is known for calls that may lead to many methods.
#[test]
fn a_call_that_may_lead_to_many_methods_gives_what_all_of_them_give() {
    let pick = |code: &mut CodeBuilder, pool: &mut Pool| {
        for (name, number) in [("B", Opcode::Iconst1), ("C", Opcode::Iconst2), ("D", Opcode::Iconst3)] {
            let next = code.label();
            code.local(Opcode::Iload, 0).op(number).jump(Opcode::IfIcmpne, next);
            make(code, pool, name);
            code.bind(next).frame(planish_classfile::frame::Form::Same);
        }
        make(code, pool, "E");
    };
    let calls = |with: Opcode| {
        move |code: &mut CodeBuilder, pool: &mut Pool| {
            code.local(Opcode::Iload, 0);
            call(code, pool, Opcode::Invokestatic, "T", "pick", "(I)LA;");
            code.op(with);
            call(code, pool, Opcode::Invokevirtual, "A", "f", "(I)I");
            let other = code.label();
            code.op(Opcode::Iconst3).jump(Opcode::IfIcmpne, other).op(Opcode::Iconst5).op(Opcode::Ireturn);
            code.bind(other).frame(planish_classfile::frame::Form::Same);
            code.op(Opcode::Iconst4).op(Opcode::Ireturn);
        }
    };
    let main_call = |second: Opcode| {
        let (first, second) = (calls(Opcode::Iconst3), calls(second));
        let main = class(
            "T",
            &[],
            &[
                (STATIC, "pick", "(I)LA;", &pick),
                (STATIC, "mainCall", "(I)I", &first),
                (STATIC, "mainOther", "(I)I", &second),
            ],
        );
        let above = class(
            "A",
            &[],
            &[
                (Flags::PUBLIC, "<init>", "()V", &|code, pool| {
                    code.local(Opcode::Aload, 0);
                    call(code, pool, Opcode::Invokespecial, "java/lang/Object", "<init>", "()V");
                    code.op(Opcode::Return);
                }),
                (Flags::PUBLIC, "f", "(I)I", &|code, _| {
                    code.op(Opcode::Iconst0).op(Opcode::Ireturn);
                }),
            ],
        );
        let below = [("B", true), ("C", false), ("D", true), ("E", false)];
        let mut files = vec![("T", main), ("A", above)];
        files.extend(below.map(|(name, itself)| (name, gives(name, itself))));
        listing(&optimized(&files, "main*", false), "T", "mainCall")
    };
    // `A.f` gives 0, and never runs: `A` has no instances.
    let known = main_call(Opcode::Iconst3);
    assert!(known.ends_with("iconst_5\nireturn\n") && !known.contains("if_icmp"), "{known}");
    let unknown = main_call(Opcode::Iconst4);
    assert!(unknown.contains("if_icmp"), "{unknown}");
}

/// f(n): n == 0 ? 7 : f(n - 1), in a program that asks `main`'s argument whether it is of a class.
fn tail_recursion(asks: &'static [u8]) -> String {
    let main: Build<'_> = &|code, pool| {
        code.local(Opcode::Aload, 0).class(Opcode::Instanceof, asks, pool).unwrap();
        code.local(Opcode::Iload, 1).op(Opcode::Iadd);
        call(code, pool, Opcode::Invokestatic, "T", "f", "(I)I");
        code.op(Opcode::Ireturn);
    };
    let f: Build<'_> = &|code, pool| {
        let more = code.label();
        code.local(Opcode::Iload, 0).jump(Opcode::Ifne, more);
        code.local(Opcode::Iload, 1).op(Opcode::Ireturn);
        code.bind(more).frame(planish_classfile::frame::Form::Same);
        code.local(Opcode::Iload, 0).op(Opcode::Iconst1).op(Opcode::Isub);
        code.local(Opcode::Iload, 1).local(Opcode::Iload, 0).op(Opcode::Ixor);
        call(code, pool, Opcode::Invokestatic, "T", "f", "(II)I");
        code.op(Opcode::Ireturn);
    };
    let start: Build<'_> = &|code, pool| {
        code.local(Opcode::Iload, 0).local(Opcode::Iload, 0);
        call(code, pool, Opcode::Invokestatic, "T", "f", "(II)I");
        code.op(Opcode::Ireturn);
    };
    let methods = [
        (STATIC, "main", "(Ljava/lang/Object;I)I", main),
        (STATIC, "f", "(I)I", start),
        (STATIC, "f", "(II)I", f),
    ];
    listing(&optimized(&[("T", class("T", &[], &methods))], "main", false), "T", "main")
}

#[test]
fn a_program_that_waits_for_an_exhausted_stack_gets_one() {
    let loops = tail_recursion(b"java/lang/String");
    assert!(!loops.contains("invokestatic") && loops.contains("goto"), "{loops}");
    let calls = tail_recursion(b"java/lang/StackOverflowError");
    assert!(calls.contains("invokestatic"), "{calls}");
}

/// S3.17, S3.16: what differs in the copies that it makes becomes one body.
#[test]
fn copies_of_locals_make_no_difference() {
    let files = of_methods(&[
        ("mainA", "(II)I", &multiply),
        ("mainB", "(II)I", &|code, _| {
            code.local(Opcode::Iload, 1).local(Opcode::Istore, 3).local(Opcode::Iload, 0);
            code.local(Opcode::Istore, 2).local(Opcode::Iload, 2).local(Opcode::Iload, 3);
            code.op(Opcode::Imul).local(Opcode::Istore, 4).local(Opcode::Iload, 4).op(Opcode::Ireturn);
        }),
    ]);
    let archive = optimized(&files, "main*", false);
    assert_eq!(listing(&archive, "T", "mainA"), listing(&archive, "T", "mainB"));
}

/// S3.16: neither do the places of locals, nor what stands on the stack in the meantime.
#[test]
fn where_locals_stand_makes_no_difference() {
    let files = of_methods(&[
        ("mainA", "(III)I", &|code, _| {
            code.local(Opcode::Iload, 0).local(Opcode::Iload, 1).op(Opcode::Isub).local(Opcode::Istore, 3);
            code.local(Opcode::Iload, 3).local(Opcode::Iload, 2).op(Opcode::Ixor).op(Opcode::Ireturn);
        }),
        ("mainB", "(III)I", &|code, _| {
            code.local(Opcode::Iload, 2).local(Opcode::Istore, 9).local(Opcode::Iload, 0);
            code.local(Opcode::Iload, 1).op(Opcode::Swap).local(Opcode::Istore, 7).local(Opcode::Istore, 0);
            code.local(Opcode::Iload, 7).local(Opcode::Iload, 0).op(Opcode::Isub);
            code.local(Opcode::Iload, 9).op(Opcode::Ixor).op(Opcode::Ireturn);
        }),
    ]);
    let archive = optimized(&files, "main*", false);
    assert_eq!(listing(&archive, "T", "mainA"), listing(&archive, "T", "mainB"));
}

/// S3.28, S3.34, S3.35, S3.36, S3.37: of a loop that counts, sums up and doubles, only the count is left, and
/// a test that never holds goes with its arm.
#[test]
fn a_loop_loses_what_its_result_does_not_need() {
    let files = of_methods(&[("main", "(I)I", &|code, _| {
        let [top, end, skip] = [(); 3].map(|()| code.label());
        for slot in 1..=2 {
            code.op(Opcode::Iconst0).local(Opcode::Istore, slot);
        }
        code.op(Opcode::Iconst1).local(Opcode::Istore, 3);
        let int = planish_classfile::frame::VerificationType::Integer;
        code.bind(top).frame(planish_classfile::frame::Form::Append(vec![int; 3]));
        code.local(Opcode::Iload, 1).local(Opcode::Iload, 0).jump(Opcode::IfIcmpge, end);
        code.increment(1, 1).local(Opcode::Iload, 3).op(Opcode::Iconst2).op(Opcode::Imul);
        code.local(Opcode::Istore, 3).op(Opcode::Iconst0).op(Opcode::Iconst5);
        code.jump(Opcode::IfIcmple, skip).increment(1, 7);
        code.bind(skip).frame(planish_classfile::frame::Form::Same).increment(2, 1);
        code.jump(Opcode::Goto, top);
        code.bind(end).frame(planish_classfile::frame::Form::Same).local(Opcode::Iload, 1);
        code.op(Opcode::Ireturn);
    })]);
    let main = listing(&optimized(&files, "main", false), "T", "main");
    // And what it counts is a maximum.
    assert_eq!(main, "iload_0\niconst_0\ninvokestatic java/lang/Math.max\nireturn\n");
}

/// `for (k = 0; k TEST x; k++) {}` beside a division that a handler guards, in front of the loop or in it.
fn counts_beside_a_handler(inside: bool, goes_on: Opcode) -> impl Fn(&mut CodeBuilder, &mut Pool) {
    use planish_classfile::frame::{Form, VerificationType};
    move |code, pool| {
        let [start, end, handler, top, behind] = [(); 5].map(|()| code.label());
        let divide = |code: &mut CodeBuilder| {
            code.bind(start).op(Opcode::Iconst1).local(Opcode::Iload, 0).op(Opcode::Idiv).op(Opcode::Pop);
            code.bind(end);
        };
        code.op(Opcode::Iconst0).local(Opcode::Istore, 1);
        if !inside {
            divide(code);
        }
        code.bind(top).frame(Form::Append(vec![VerificationType::Integer]));
        if inside {
            divide(code);
        }
        code.increment(1, 1).local(Opcode::Iload, 1).local(Opcode::Iload, 0).jump(goes_on, top);
        code.bind(behind).local(Opcode::Iload, 0).op(Opcode::Ireturn).bind(handler);
        let thrown = VerificationType::Object(pool.add_class(b"java/lang/Throwable").unwrap());
        let locals = vec![VerificationType::Integer, VerificationType::Integer];
        code.frame(Form::Full { locals, stack: vec![thrown] });
        code.handler(start, end, handler, 0).op(Opcode::Pop).op(Opcode::IconstM1).op(Opcode::Ireturn);
    }
}

/// A loop that does nothing goes, also beside a handler; one in which something may leave for it stays, and so does one that
/// may not end.
#[test]
fn a_loop_without_effect_goes_beside_a_handler() {
    let left = |inside: bool, goes_on: Opcode| {
        let files = of_methods(&[("main", "(I)I", &counts_beside_a_handler(inside, goes_on))]);
        listing(&optimized(&files, "main", false), "T", "main")
    };
    let gone = left(false, Opcode::IfIcmplt);
    assert!(!gone.contains("iinc") && gone.contains("idiv") && gone.contains("iconst_m1"), "{gone}");
    let endless = left(false, Opcode::IfIcmple);
    assert!(endless.contains("if_icmp"), "x may be the largest number: {endless}");
    let guarded = left(true, Opcode::IfIcmplt);
    assert!(guarded.contains("idiv") && guarded.contains("if_icmp"), "{guarded}");
}

/// S3.42: a test that was passed already is not made again.
#[test]
fn a_test_is_made_once() {
    let files = of_methods(&[("main", "(I)I", &|code, _| {
        let [first, second] = [(); 2].map(|()| code.label());
        code.local(Opcode::Iload, 0).jump(Opcode::Ifne, first).op(Opcode::Iconst3).op(Opcode::Ireturn);
        code.bind(first).frame(planish_classfile::frame::Form::Same);
        code.local(Opcode::Iload, 0).jump(Opcode::Ifne, second).op(Opcode::Iconst4).op(Opcode::Ireturn);
        code.bind(second).frame(planish_classfile::frame::Form::Same);
        code.op(Opcode::Iconst5).op(Opcode::Ireturn);
    })]);
    let main = listing(&optimized(&files, "main", false), "T", "main");
    assert_eq!((main.matches("ifne").count(), main.contains("iconst_4")), (1, false), "{main}");
}

/// S3.44: what does not return soon is left to the program.
#[test]
fn a_call_that_would_take_too_long_is_not_made_ahead_of_time() {
    // f(n): n == 0 ? 0 : f(n + 1), which comes to 0 after four thousand million calls.
    let files = of_methods(&[
        ("main", "()I", &|code, pool| {
            code.op(Opcode::Iconst1);
            call(code, pool, Opcode::Invokestatic, "T", "f", "(I)I");
            code.op(Opcode::Ireturn);
        }),
        ("f", "(I)I", &|code, pool| {
            let more = code.label();
            code.local(Opcode::Iload, 0).jump(Opcode::Ifne, more);
            code.local(Opcode::Iload, 0).op(Opcode::Iconst2).op(Opcode::Iadd).op(Opcode::Ireturn);
            code.bind(more).frame(planish_classfile::frame::Form::Same);
            code.local(Opcode::Iload, 0).op(Opcode::Iconst1).op(Opcode::Iadd);
            call(code, pool, Opcode::Invokestatic, "T", "f", "(I)I");
            code.op(Opcode::Iconst3).op(Opcode::Imul).op(Opcode::Ireturn);
        }),
    ]);
    let main = listing(&optimized(&files, "main", false), "T", "main");
    // A few copies for the first arguments are made, in which the recursion becomes a loop.
    assert!(main.contains("imul") && main.contains("ifne ->"), "{main}");
}

/// Where two references are equal, the one whose class is known to have a method is not the other one to a verifier.
#[test]
fn a_reference_does_not_stand_for_an_equal_one_of_another_class() {
    let run: Build<'_> = &|code, pool| {
        let same = code.label();
        code.local(Opcode::Aload, 0).local(Opcode::Aload, 1).jump(Opcode::IfAcmpeq, same);
        code.op(Opcode::Iconst0).op(Opcode::Ireturn);
        code.bind(same).frame(planish_classfile::frame::Form::Same);
        code.local(Opcode::Aload, 1);
        call(code, pool, Opcode::Invokevirtual, "B", "of_b", "()I");
        // What makes the new body shorter.
        code.op(Opcode::Iconst0).op(Opcode::Iadd).op(Opcode::Ireturn);
    };
    let mut b = ClassFile::new(52, Flags::PUBLIC | Flags::SUPER, b"B", Some(b"A")).unwrap();
    b.add_method(Flags::NATIVE, b"of_b", b"()I", None).unwrap();
    let files = [
        ("T", class("T", &[], &[(STATIC | Flags::PUBLIC, "run", "(LA;LB;)I", run)])),
        ("A", class("A", &[], &[])),
        ("B", b.to_bytes().unwrap()),
    ];
    assert_eq!(
        listing(&optimized(&files, "run", false), "T", "run"),
        "aload_0\naload_1\nif_acmpeq -> 5\niconst_0\nireturn\naload_1\ninvokevirtual B.of_b\nireturn\n"
    );
}
