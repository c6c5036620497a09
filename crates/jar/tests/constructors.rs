//! Constructors take only what matters: their variants are told from them by their descriptors.

use crate::small::listing::{listing, read};
use crate::small::{APART, Build, Pool, call, class, class_below, optimized_by};
use planish_classfile::builder::CodeBuilder;
use planish_classfile::{ClassFile, Flags, Opcode};
use planish_jar::classes::Archive;

const PUBLIC: Flags = Flags::PUBLIC;
const STATIC: Flags = Flags(Flags::PUBLIC.0 | Flags::STATIC.0);
const KEEP: &str = "-keep class T { *** main*(...); }";

/// `new A(x, 5, y)` of a constructor `(III)V`, as a body that gives it for `x` and `y`.
fn make(code: &mut CodeBuilder, pool: &mut Pool) {
    code.class(Opcode::New, b"A", pool).unwrap().op(Opcode::Dup);
    code.local(Opcode::Iload, 0).op(Opcode::Iconst5).local(Opcode::Iload, 1);
    call(code, pool, Opcode::Invokespecial, "A", "<init>", "(III)V");
    code.op(Opcode::Areturn);
}

/// The constructor of `A`: its first and second parameter make the field, the third one does not matter.
fn fill(code: &mut CodeBuilder, pool: &mut Pool) {
    code.local(Opcode::Aload, 0);
    call(code, pool, Opcode::Invokespecial, "java/lang/Object", "<init>", "()V");
    code.local(Opcode::Aload, 0).local(Opcode::Iload, 1).local(Opcode::Iload, 2).op(Opcode::Imul);
    code.field(Opcode::Putfield, [b"A", b"x", b"I"], pool).unwrap().op(Opcode::Return);
}

fn get(code: &mut CodeBuilder, pool: &mut Pool) {
    code.local(Opcode::Aload, 0);
    code.field(Opcode::Getfield, [b"A", b"x", b"I"], pool).unwrap().op(Opcode::Ireturn);
}

/// What is left of `T`, which makes an `A`, and of `A`, which has other constructors, too.
fn left(rules: &str, others: &[(Flags, &str, &str, Build<'_>)]) -> Archive {
    let t: [(Flags, &str, &str, Build<'_>); 2] = [
        (STATIC, "mainMake", "(II)LA;", &make),
        (STATIC, "mainGet", "(LA;)I", &|code, pool| {
            code.local(Opcode::Aload, 0);
            call(code, pool, Opcode::Invokevirtual, "A", "get", "()I");
            code.op(Opcode::Ireturn);
        }),
    ];
    let mut a: Vec<(Flags, &str, &str, Build<'_>)> =
        vec![(PUBLIC, "<init>", "(III)V", &fill), (PUBLIC, "get", "()I", &get)];
    a.extend(others);
    optimized_by(&[("T", class("T", &[], &t)), ("A", class("A", &[("x", "I")], &a))], rules, false)
}

/// The descriptors of the constructors of a class.
fn constructors(archive: &Archive, class: &str) -> Vec<String> {
    let bytes = read(archive, class);
    let file = ClassFile::read(&bytes).unwrap();
    let text = |index| String::from_utf8_lossy(file.pool.utf8(index).unwrap()).into_owned();
    let made = file.methods.iter().filter(|method| text(method.name) == "<init>");
    made.map(|method| text(method.descriptor)).collect()
}

#[test]
fn a_constructor_takes_what_matters() {
    let archive = left(KEEP, &[]);
    assert_eq!(constructors(&archive, "A"), ["(I)V"]);
    let body = listing(&archive, "T", "mainMake");
    assert!(body.ends_with("dup\niload_0\ninvokespecial A.<init>\nareturn\n"), "{body}");
}

#[test]
fn one_that_something_outside_may_call_stays() {
    let archive = left(&format!("{KEEP}\n-keep class A {{ <init>(...); }}"), &[]);
    assert_eq!(constructors(&archive, "A"), ["(III)V"]);
}

/// Another constructor takes an `int` already, and is another one.
#[test]
fn another_one_that_takes_as_much_stays_in_the_way() {
    let other: Build<'_> = &|code, pool| {
        code.local(Opcode::Aload, 0);
        call(code, pool, Opcode::Invokespecial, "java/lang/Object", "<init>", "()V");
        code.local(Opcode::Aload, 0).local(Opcode::Iload, 1).op(Opcode::Ineg);
        code.field(Opcode::Putfield, [b"A", b"x", b"I"], pool).unwrap().op(Opcode::Return);
    };
    let rules = format!("{KEEP}\n-keep class A {{ <init>(int); }}");
    let archive = left(&rules, &[(PUBLIC, "<init>", "(I)V", other)]);
    assert_eq!(constructors(&archive, "A"), ["(III)V", "(I)V"]);
}

/// `B` is below `A`, whose constructor it calls with a constant; what it takes itself does not matter. Reflection may look
/// for a constructor without parameters, and finds what it found before.
#[test]
fn the_one_without_parameters_is_made_unless_somebody_looks_for_it() {
    let below: Build<'_> = &|code, pool| {
        code.local(Opcode::Aload, 0).op(Opcode::Iconst1).op(Opcode::Iconst2).local(Opcode::Iload, 1);
        call(code, pool, Opcode::Invokespecial, "A", "<init>", "(III)V");
        code.op(Opcode::Return);
    };
    let make: Build<'_> = &|code, pool| {
        code.class(Opcode::New, b"B", pool).unwrap().op(Opcode::Dup).local(Opcode::Iload, 0);
        call(code, pool, Opcode::Invokespecial, "B", "<init>", "(I)V");
        code.op(Opcode::Areturn);
    };
    let read: Build<'_> = &|code, pool| {
        code.local(Opcode::Aload, 0);
        call(code, pool, Opcode::Invokevirtual, "A", "get", "()I");
        code.op(Opcode::Ireturn);
    };
    let look: Build<'_> = &|code, pool| {
        code.local(Opcode::Aload, 0);
        call(code, pool, Opcode::Invokevirtual, "java/lang/Class", "newInstance", "()Ljava/lang/Object;");
        code.op(Opcode::Areturn);
    };
    let looks = (STATIC, "mainLook", "(Ljava/lang/Class;)Ljava/lang/Object;", look);
    let methods: [(Flags, &str, &str, Build<'_>); 3] =
        [(STATIC, "mainMake", "(I)LB;", make), (STATIC, "mainGet", "(LA;)I", read), looks];
    let files = |methods: &[(Flags, &str, &str, Build<'_>)]| {
        [
            ("T", class("T", &[], methods)),
            (
                "A",
                class(
                    "A",
                    &[("x", "I")],
                    &[(PUBLIC, "<init>", "(III)V", &fill), (PUBLIC, "get", "()I", &get)],
                ),
            ),
            ("B", class_below(b"A", "B", &[], &[(PUBLIC, "<init>", "(I)V", below)])),
        ]
    };
    let keep = format!("-keep class T {{ *** main*(...); }}{APART}");
    let archive = optimized_by(&files(&methods[..2]), &keep, false);
    assert_eq!([constructors(&archive, "A"), constructors(&archive, "B")], [["()V"], ["()V"]]);
    let body = listing(&archive, "T", "mainMake");
    assert!(body.ends_with("dup\ninvokespecial B.<init>\nareturn\n"), "{body}");
    let archive = optimized_by(&files(&methods), &keep, false);
    assert_eq!([constructors(&archive, "A"), constructors(&archive, "B")], [["(III)V"], ["(I)V"]]);
}
