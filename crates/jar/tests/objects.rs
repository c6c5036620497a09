//! Objects in programs of a few methods: what they are asked, whether they are made, and of which class a result is.

use planish_classfile::builder::CodeBuilder;
use planish_classfile::frame::{Form, VerificationType};
use planish_classfile::{ClassFile, Flags, Opcode};

use crate::small::listing::{listing, read};
use crate::small::visible::with_public_fields;
use crate::small::{Build, Pool, call, class, optimized};

const STATIC: Flags = Flags::STATIC;

/// A class with a private field and its getter.
fn holder() -> Vec<u8> {
    class(
        "H",
        &[("x", "I")],
        &[
            (Flags::PUBLIC, "<init>", "(I)V", &|code, pool| {
                code.local(Opcode::Aload, 0);
                call(code, pool, Opcode::Invokespecial, "java/lang/Object", "<init>", "()V");
                code.local(Opcode::Aload, 0).local(Opcode::Iload, 1);
                code.field(Opcode::Putfield, [b"H", b"x", b"I"], pool).unwrap().op(Opcode::Return);
            }),
            (Flags::PUBLIC, "get", "()I", &|code, pool| {
                code.local(Opcode::Aload, 0);
                code.field(Opcode::Getfield, [b"H", b"x", b"I"], pool).unwrap().op(Opcode::Ireturn);
            }),
            (Flags::PUBLIC, "set", "(I)V", &|code, pool| {
                code.local(Opcode::Aload, 0).local(Opcode::Iload, 1);
                code.field(Opcode::Putfield, [b"H", b"x", b"I"], pool).unwrap().op(Opcode::Return);
            }),
            (Flags::PUBLIC, "one", "()I", &|code, _| {
                code.op(Opcode::Iconst1).op(Opcode::Ireturn);
            }),
        ],
    )
}

fn asks(name: &'static str) -> impl Fn(&mut CodeBuilder, &mut Pool) {
    move |code, pool| {
        code.local(Opcode::Aload, 0);
        call(code, pool, Opcode::Invokevirtual, "H", name, "()I");
        code.op(Opcode::Ireturn);
    }
}

fn makes(code: &mut CodeBuilder, pool: &mut Pool) {
    made_of_three(code, pool);
    code.op(Opcode::Areturn);
}

fn made_of_three(code: &mut CodeBuilder, pool: &mut Pool) {
    code.class(Opcode::New, b"H", pool).unwrap().op(Opcode::Dup).op(Opcode::Iconst3);
    call(code, pool, Opcode::Invokespecial, "H", "<init>", "(I)V");
}

#[test]
fn a_getter_is_read_where_it_is_called_and_null_still_throws() {
    let files = [
        (
            "T",
            class(
                "T",
                &[],
                &[
                    (STATIC, "mainGet", "(LH;)I", &asks("get")),
                    (STATIC, "mainOne", "(LH;)I", &asks("one")),
                    (STATIC, "mainMake", "()LH;", &makes),
                ],
            ),
        ),
        ("H", holder()),
    ];
    let archive = optimized(&files, "main*", false);
    // The field read throws by itself, and the field is visible now.
    assert_eq!(listing(&archive, "T", "mainGet"), "aload_0\ngetfield H.x\nireturn\n");
    let bytes = read(&archive, "H");
    assert!(!ClassFile::read(&bytes).unwrap().fields[0].flags.has(Flags::PRIVATE));
    // A constant does not, so a check stays. There is no other call, so the method goes.
    let checked = "aload_0\ninvokevirtual java/lang/Object.getClass\npop\niconst_1\nireturn\n";
    assert_eq!(listing(&archive, "T", "mainOne"), checked);
    assert!(ClassFile::read(&bytes).unwrap().method(b"one", b"()I").is_none());
    // Frames of inlined methods vanish, which nobody may take for granted.
    let strict = optimized(&files, "main*", true);
    assert_eq!(listing(&strict, "T", "mainGet"), "aload_0\ninvokevirtual H.get\nireturn\n");
}

/// S3.8, S3.15: an allocation that nobody uses goes.
#[test]
fn an_object_that_nobody_uses_goes_with_its_class_and_its_field() {
    let files = [
        (
            "T",
            class(
                "T",
                &[],
                &[(STATIC, "main", "()I", &|code, pool| {
                    code.class(Opcode::New, b"H", pool).unwrap().op(Opcode::Dup).op(Opcode::Iconst3);
                    call(code, pool, Opcode::Invokespecial, "H", "<init>", "(I)V");
                    code.op(Opcode::Pop).op(Opcode::Iconst1).op(Opcode::Ireturn);
                })],
            ),
        ),
        ("H", holder()),
    ];
    let archive = optimized(&files, "main", false);
    assert_eq!(listing(&archive, "T", "main"), "iconst_1\nireturn\n");
    assert!(archive.find(b"H.class").is_none());
}

#[test]
fn a_constructor_is_not_inlined_and_an_object_that_is_returned_stays() {
    let files = [("T", class("T", &[], &[(STATIC, "main", "()LH;", &makes)])), ("H", holder())];
    let archive = optimized(&files, "main", false);
    let main = listing(&archive, "T", "main");
    assert!(main.starts_with("new ") && main.contains("invokespecial H.<init>\n"), "{main}");
}

/// S3.31: a recursive call gives nothing before the method returned once, so its declared type does not
/// count.
#[test]
fn a_recursive_method_is_as_precise_as_what_it_begins_with() {
    // f(n): n == 0 ? new H(3) : f(n - 1), declared to give any object
    let files = [
        (
            "T",
            class(
                "T",
                &[],
                &[
                    (STATIC, "main", "(I)I", &|code, pool| {
                        code.local(Opcode::Iload, 0);
                        call(code, pool, Opcode::Invokestatic, "T", "f", "(I)Ljava/lang/Object;");
                        let other = code.label();
                        code.class(Opcode::Instanceof, b"H", pool).unwrap().jump(Opcode::Ifeq, other);
                        code.op(Opcode::Iconst5).op(Opcode::Ireturn);
                        code.bind(other).frame(Form::Same);
                        code.op(Opcode::Iconst4).op(Opcode::Ireturn);
                    }),
                    (STATIC, "f", "(I)Ljava/lang/Object;", &|code, pool| {
                        let more = code.label();
                        code.local(Opcode::Iload, 0).jump(Opcode::Ifne, more);
                        makes(code, pool);
                        code.bind(more).frame(Form::Same);
                        code.local(Opcode::Iload, 0).op(Opcode::Iconst1).op(Opcode::Isub);
                        call(code, pool, Opcode::Invokestatic, "T", "f", "(I)Ljava/lang/Object;");
                        code.op(Opcode::Areturn);
                    }),
                ],
            ),
        ),
        ("H", holder()),
    ];
    let main = listing(&optimized(&files, "ma*", false), "T", "main");
    assert!(main.contains("iconst_5\nireturn\n") && !main.contains("iconst_4"), "{main}");
}

/// `c < 0 ? new H(7) : new H(c)` in a variable, of which something is asked.
fn one_of_two(code: &mut CodeBuilder, pool: &mut Pool, other: impl Fn(&mut CodeBuilder, &mut Pool)) {
    let [negative, end] = [(); 2].map(|()| code.label());
    code.local(Opcode::Iload, 0).jump(Opcode::Iflt, negative);
    other(code, pool);
    code.local(Opcode::Astore, 1).jump(Opcode::Goto, end);
    code.bind(negative).frame(Form::Same).class(Opcode::New, b"H", pool).unwrap().op(Opcode::Dup);
    code.int(7, pool).unwrap();
    call(code, pool, Opcode::Invokespecial, "H", "<init>", "(I)V");
    code.local(Opcode::Astore, 1);
    let holder = VerificationType::Object(pool.add_class(b"H").unwrap());
    code.bind(end).frame(Form::Append(vec![holder]));
}

fn made_of_argument(code: &mut CodeBuilder, pool: &mut Pool) {
    code.class(Opcode::New, b"H", pool).unwrap().op(Opcode::Dup).local(Opcode::Iload, 0);
    call(code, pool, Opcode::Invokespecial, "H", "<init>", "(I)V");
}

fn asked(code: &mut CodeBuilder, pool: &mut Pool) {
    code.local(Opcode::Aload, 1);
    call(code, pool, Opcode::Invokevirtual, "H", "get", "()I");
    code.op(Opcode::Ireturn);
}

#[test]
fn objects_of_which_a_join_takes_one_are_never_made() {
    let main: Build<'_> = &|code, pool| {
        one_of_two(code, pool, made_of_argument);
        asked(code, pool);
    };
    let files = [("T", class("T", &[], &[(STATIC, "main", "(I)I", main)])), ("H", holder())];
    let archive = optimized(&files, "main", false);
    assert_eq!(listing(&archive, "T", "main"), "iload_0\nifge -> 4\nbipush 7\nireturn\niload_0\nireturn\n");
    assert!(archive.find(b"H.class").is_none());
}

#[test]
fn an_object_that_a_loop_makes_of_the_last_is_a_variable() {
    // H h = new H(n); for (int i = 0; i < n; i++) h = new H(h.get() * n); return h.get();
    let main: Build<'_> = &|code, pool| {
        let [top, end] = [(); 2].map(|()| code.label());
        made_of_argument(code, pool);
        code.local(Opcode::Astore, 1).op(Opcode::Iconst0).local(Opcode::Istore, 2);
        let holder = VerificationType::Object(pool.add_class(b"H").unwrap());
        code.bind(top).frame(Form::Append(vec![holder, VerificationType::Integer]));
        code.local(Opcode::Iload, 2).local(Opcode::Iload, 0).jump(Opcode::IfIcmpge, end);
        code.class(Opcode::New, b"H", pool).unwrap().op(Opcode::Dup).local(Opcode::Aload, 1);
        call(code, pool, Opcode::Invokevirtual, "H", "get", "()I");
        code.local(Opcode::Iload, 0).op(Opcode::Imul);
        call(code, pool, Opcode::Invokespecial, "H", "<init>", "(I)V");
        code.local(Opcode::Astore, 1).increment(2, 1).jump(Opcode::Goto, top);
        code.bind(end).frame(Form::Same);
        asked(code, pool);
    };
    let files = [("T", class("T", &[], &[(STATIC, "main", "(I)I", main)])), ("H", holder())];
    let archive = optimized(&files, "main", false);
    let main = listing(&archive, "T", "main");
    assert!(!main.contains("new ") && !main.contains("getfield") && main.contains("imul"), "{main}");
    assert!(archive.find(b"H.class").is_none());
}

#[test]
fn an_object_that_changes_may_meet_the_last_one_of_its_loop() {
    // H h = new H(n); for (int i = 0; i < n; i++) { H g = new H(h.get()); g.set(i * n); h = g; } return h.get();
    let main: Build<'_> = &|code, pool| {
        let [top, end] = [(); 2].map(|()| code.label());
        made_of_argument(code, pool);
        code.local(Opcode::Astore, 1).op(Opcode::Iconst0).local(Opcode::Istore, 2);
        let holder = VerificationType::Object(pool.add_class(b"H").unwrap());
        code.bind(top).frame(Form::Append(vec![holder, VerificationType::Integer]));
        code.local(Opcode::Iload, 2).local(Opcode::Iload, 0).jump(Opcode::IfIcmpge, end);
        code.class(Opcode::New, b"H", pool).unwrap().op(Opcode::Dup).local(Opcode::Aload, 1);
        call(code, pool, Opcode::Invokevirtual, "H", "get", "()I");
        call(code, pool, Opcode::Invokespecial, "H", "<init>", "(I)V");
        code.local(Opcode::Astore, 3).local(Opcode::Aload, 3);
        code.local(Opcode::Iload, 2).local(Opcode::Iload, 0).op(Opcode::Imul);
        call(code, pool, Opcode::Invokevirtual, "H", "set", "(I)V");
        code.local(Opcode::Aload, 3).local(Opcode::Astore, 1);
        code.increment(2, 1).jump(Opcode::Goto, top);
        code.bind(end).frame(Form::Same);
        asked(code, pool);
    };
    let files = [("T", class("T", &[], &[(STATIC, "main", "(I)I", main)])), ("H", holder())];
    let archive = optimized(&files, "main", false);
    let main = listing(&archive, "T", "main");
    assert!(!main.contains("new ") && !main.contains("field"), "{main}");
    assert!(archive.find(b"H.class").is_none());
}

/// `int[] a = n < 0 ? new int[] {7, n} : new int[] {n, 7}; return a[1] + a.length;`
#[test]
fn arrays_of_which_a_join_takes_one_are_never_made() {
    let array = |code: &mut CodeBuilder, items: [Option<()>; 2]| {
        code.op(Opcode::Iconst2).new_array(10);
        for (index, item) in [Opcode::Iconst0, Opcode::Iconst1].into_iter().zip(items) {
            code.op(Opcode::Dup).op(index);
            match item {
                Some(()) => code.local(Opcode::Iload, 0),
                None => code.op(Opcode::Iconst5),
            };
            code.op(Opcode::Iastore);
        }
    };
    let main: Build<'_> = &|code, pool| {
        let [other, end] = [(); 2].map(|()| code.label());
        code.local(Opcode::Iload, 0).jump(Opcode::Ifge, other);
        array(code, [None, Some(())]);
        code.local(Opcode::Astore, 1).jump(Opcode::Goto, end);
        code.bind(other).frame(Form::Same);
        array(code, [Some(()), None]);
        code.local(Opcode::Astore, 1);
        let ints = VerificationType::Object(pool.add_class(b"[I").unwrap());
        code.bind(end).frame(Form::Append(vec![ints]));
        code.local(Opcode::Aload, 1).op(Opcode::Iconst1).op(Opcode::Iaload);
        code.local(Opcode::Aload, 1).op(Opcode::Arraylength).op(Opcode::Iadd).op(Opcode::Ireturn);
    };
    let files = [("T", class("T", &[], &[(STATIC, "main", "(I)I", main)]))];
    let main = listing(&optimized(&files, "main", false), "T", "main");
    assert!(!main.contains("array") && !main.contains("iaload"), "{main}");
}

/// A field as wide as a number may be is not cut off, and has the type of the number.
#[test]
fn a_wide_constant_in_a_field_stays_wide() {
    let wide = class(
        "W",
        &[("x", "J")],
        &[(Flags::PUBLIC, "<init>", "(J)V", &|code, pool| {
            code.local(Opcode::Aload, 0);
            call(code, pool, Opcode::Invokespecial, "java/lang/Object", "<init>", "()V");
            code.local(Opcode::Aload, 0).local(Opcode::Lload, 1);
            code.field(Opcode::Putfield, [b"W", b"x", b"J"], pool).unwrap().op(Opcode::Return);
        })],
    );
    let wide = with_public_fields(&wide);
    // return new W(1).x + n;
    let main: Build<'_> = &|code, pool| {
        code.class(Opcode::New, b"W", pool).unwrap().op(Opcode::Dup).op(Opcode::Lconst1);
        call(code, pool, Opcode::Invokespecial, "W", "<init>", "(J)V");
        code.field(Opcode::Getfield, [b"W", b"x", b"J"], pool).unwrap();
        code.local(Opcode::Lload, 0).op(Opcode::Ladd).op(Opcode::Lreturn);
    };
    let files = [("T", class("T", &[], &[(STATIC, "main", "(J)J", main)])), ("W", wide)];
    let archive = optimized(&files, "main", false);
    assert_eq!(listing(&archive, "T", "main"), "lconst_1\nlload_0\nladd\nlreturn\n");
    assert!(archive.find(b"W.class").is_none());
}

/// What one of both ways passes, or what is done with either, keeps all objects that are passed for each other.
#[test]
fn objects_that_meet_others_are_made() {
    let null: Build<'_> = &|code, _| {
        code.op(Opcode::AconstNull);
    };
    let stored: Build<'_> = &|code, pool| {
        code.local(Opcode::Aload, 1).local(Opcode::Iload, 0);
        call(code, pool, Opcode::Invokevirtual, "H", "set", "(I)V");
    };
    let locked: Build<'_> = &|code, _| {
        code.local(Opcode::Aload, 1).op(Opcode::Monitorenter).local(Opcode::Aload, 1).op(Opcode::Monitorexit);
    };
    let seen: Build<'_> = &|code, pool| {
        code.local(Opcode::Aload, 1);
        call(code, pool, Opcode::Invokevirtual, "java/lang/Object", "hashCode", "()I");
        code.op(Opcode::Pop);
    };
    let nothing: Build<'_> = &|_, _| {};
    let plain: Build<'_> = &|code, pool| made_of_argument(code, pool);
    let left = |other: Build<'_>, then: Build<'_>| {
        let main: Build<'_> = &|code, pool| {
            one_of_two(code, pool, other);
            then(code, pool);
            asked(code, pool);
        };
        let files = [("T", class("T", &[], &[(STATIC, "main", "(I)I", main)])), ("H", holder())];
        listing(&optimized(&files, "main", false), "T", "main")
    };
    for (other, then) in [(null, nothing), (plain, locked), (plain, seen)] {
        let main = left(other, then);
        assert!(main.contains("new ") && main.contains("getfield H.x"), "{main}");
    }
    // What was stored is what is loaded, so nobody needs the objects.
    assert_eq!(left(plain, stored), "iload_0\nireturn\n");
}

/// What is left of a method that makes an object, does something with its monitor, and returns.
fn locked(with: impl Fn(&mut CodeBuilder, &mut Pool)) -> String {
    let main: Build<'_> = &|code, pool| {
        made_of_three(code, pool);
        code.local(Opcode::Astore, 1);
        with(code, pool);
        code.local(Opcode::Iload, 0).op(Opcode::Ireturn);
    };
    let files = [("T", class("T", &[], &[(STATIC, "main", "(I)I", main)])), ("H", holder())];
    listing(&optimized(&files, "main", false), "T", "main")
}

fn monitor(code: &mut CodeBuilder, ops: &[Opcode]) {
    for &op in ops {
        code.local(Opcode::Aload, 1).op(op);
    }
}

#[test]
fn a_fresh_object_goes_with_its_monitor_if_that_is_left_as_often_as_entered() {
    use Opcode::{Monitorenter as Enter, Monitorexit as Leave};
    let goes = |ops: &[Opcode]| locked(|code, _| monitor(code, ops)) == "iload_0\nireturn\n";
    assert!(goes(&[Enter, Leave]));
    assert!(goes(&[Enter, Enter, Leave, Leave]));
    assert!(goes(&[Enter, Leave, Enter, Leave]));
    for ops in [&[Leave][..], &[Enter, Leave, Leave], &[Leave, Enter], &[Enter], &[Enter, Enter, Leave]] {
        assert!(!goes(ops), "{ops:?}: it throws what the original threw");
    }
}

#[test]
fn all_ways_leave_a_monitor_as_often_as_they_enter_it() {
    use Opcode::{Monitorenter as Enter, Monitorexit as Leave};
    let goes = |ways: [&[Opcode]; 2], then: &[Opcode]| {
        let left = locked(|code, pool| {
            let [other, end] = [(); 2].map(|()| code.label());
            let object = VerificationType::Object(pool.add_class(b"H").unwrap());
            code.local(Opcode::Iload, 0).jump(Opcode::Ifeq, other);
            monitor(code, ways[0]);
            code.increment(0, 3).jump(Opcode::Goto, end);
            code.bind(other).frame(Form::Append(vec![object]));
            monitor(code, ways[1]);
            code.increment(0, 5);
            code.bind(end).frame(Form::Same);
            monitor(code, then);
        });
        !left.contains("monitor")
    };
    assert!(goes([&[Enter], &[Enter]], &[Leave]));
    assert!(goes([&[Enter, Leave], &[]], &[]));
    assert!(!goes([&[Enter], &[]], &[Leave]), "one way did not enter it");
    assert!(!goes([&[Enter, Leave], &[Leave]], &[]));
}
