//! Of methods that do the same one is enough; where somebody could tell, all stay.

use crate::small::listing::{listing, read};
use crate::small::{APART, Build, Pool, call, class, class_below, optimized, optimized_by};
use planish_classfile::builder::CodeBuilder;
use planish_classfile::{ClassFile, Flags, Opcode};
use planish_jar::classes::Archive;

const PUBLIC: Flags = Flags::PUBLIC;
const STATIC: Flags = Flags(Flags::PUBLIC.0 | Flags::STATIC.0);

/// The names of the methods of a class.
fn methods(archive: &Archive, class: &str) -> Vec<String> {
    let bytes = read(archive, class);
    let file = ClassFile::read(&bytes).unwrap();
    let name = |index| String::from_utf8_lossy(file.pool.utf8(index).unwrap()).into_owned();
    file.methods.iter().map(|method| name(method.name)).collect()
}

/// Too much to stand in the place of a call: a number of that in a slot, which depends on `salt`.
fn compute(code: &mut CodeBuilder, pool: &mut Pool, slot: u16, salt: i32) {
    code.local(Opcode::Iload, slot);
    for round in 0..6 {
        code.int(salt + 1000 * round, pool).unwrap().op(Opcode::Ixor);
        code.local(Opcode::Iload, slot).op(Opcode::Imul);
    }
}

/// A static method of an `int` that computes.
fn computes(salt: i32) -> impl Fn(&mut CodeBuilder, &mut Pool) {
    move |code, pool| {
        compute(code, pool, 0, salt);
        code.op(Opcode::Ireturn);
    }
}

/// Calls static methods of an `int`, each twice, and adds up what they give.
fn calls(names: &'static [(&'static str, &'static str)]) -> impl Fn(&mut CodeBuilder, &mut Pool) {
    move |code, pool| {
        code.op(Opcode::Iconst0);
        for (class, name) in names {
            for more in [0, 11] {
                code.local(Opcode::Iload, 0).int(more, pool).unwrap().op(Opcode::Iadd);
                call(code, pool, Opcode::Invokestatic, class, name, "(I)I");
                code.op(Opcode::Iadd);
            }
        }
        code.op(Opcode::Ireturn);
    }
}

fn construct(above: &'static str) -> impl Fn(&mut CodeBuilder, &mut Pool) {
    move |code, pool| {
        code.local(Opcode::Aload, 0);
        call(code, pool, Opcode::Invokespecial, above, "<init>", "()V");
        code.op(Opcode::Return);
    }
}

/// `T` with private static methods of an `int`, of which `f` and `g` are the same, and a `main`.
fn with_twins(f: Build<'_>, others: &[(&str, Build<'_>)], main: Build<'_>) -> Vec<u8> {
    let private = Flags::PRIVATE | Flags::STATIC;
    let mut all = vec![(private, "f", "(I)I", f), (private, "g", "(I)I", f)];
    all.extend(others.iter().map(|&(name, build)| (private, name, "(I)I", build)));
    all.push((STATIC, "main", "(I)I", main));
    class("T", &[], &all)
}

#[test]
fn of_static_methods_of_a_class_one_stays() {
    let (f, other, main) = (computes(7), computes(8), calls(&[("T", "f"), ("T", "g"), ("T", "other")]));
    let file = with_twins(&f, &[("other", &other)], &main);
    let archive = optimized(&[("T", file.clone())], "main*", false);
    assert_eq!(methods(&archive, "T"), ["f", "other", "main"]);
    assert_eq!(listing(&archive, "T", "main").matches("T.f").count(), 4);
    let strict = optimized(&[("T", file.clone())], "main*", true);
    assert_eq!(methods(&strict, "T"), ["f", "g", "other", "main"]);
    let kept =
        optimized_by(&[("T", file)], "-keep class T { *** main(...); *** f(...); *** g(...); }", false);
    assert_eq!(methods(&kept, "T"), ["f", "g", "other", "main"], "both may be called from outside");
}

/// `one` calls `f` where `two` calls `g`.
#[test]
fn what_calls_the_same_is_the_same() {
    let f = computes(3);
    let calling = |inner: &'static str| {
        move |code: &mut CodeBuilder, pool: &mut Pool| {
            compute(code, pool, 0, 50);
            call(code, pool, Opcode::Invokestatic, "T", inner, "(I)I");
            code.local(Opcode::Iload, 0).int(9, pool).unwrap().op(Opcode::Iadd);
            call(code, pool, Opcode::Invokestatic, "T", inner, "(I)I");
            code.op(Opcode::Iadd).op(Opcode::Ireturn);
        }
    };
    let (one, two) = (calling("f"), calling("g"));
    let main = calls(&[("T", "one"), ("T", "two")]);
    let file = with_twins(&f, &[("one", &one), ("two", &two)], &main);
    assert_eq!(methods(&optimized(&[("T", file)], "main*", false), "T"), ["f", "one", "main"]);
}

#[test]
fn classes_share_static_methods_unless_one_is_initialized() {
    let (f, main) = (computes(7), calls(&[("A", "f"), ("B", "g")]));
    let t = class("T", &[], &[(STATIC, "main", "(I)I", &main as Build<'_>)]);
    let home = |name: &str, method: &str, flags: Flags, initializer: bool| {
        let trace: Build<'_> = &|code, pool| {
            code.op(Opcode::Iconst1);
            code.field(Opcode::Putstatic, [b"T", b"trace", b"I"], pool).unwrap().op(Opcode::Return);
        };
        let mut all: Vec<(Flags, &str, &str, Build<'_>)> = vec![(flags, method, "(I)I", &f)];
        if initializer {
            all.push((Flags::STATIC, "<clinit>", "()V", trace));
        }
        class(name, &[], &all)
    };
    let files = |second: Flags, initializer| {
        let mut t = ClassFile::read(&t).unwrap();
        t.add_field(STATIC, b"trace", b"I").unwrap();
        [
            ("T", t.to_bytes().unwrap()),
            ("A", home("A", "f", STATIC, initializer)),
            ("B", home("B", "g", second, false)),
        ]
    };
    let rules = format!("-keep class T {{ *** main(...); *** trace; }}{APART}");
    let called = |files: &[(&str, Vec<u8>)]| {
        let main = listing(&optimized_by(files, &rules, false), "T", "main");
        ["A.f", "B.g"].map(|name| main.matches(name).count())
    };
    assert_eq!(called(&files(STATIC, false)), [0, 4]);
    assert_eq!(called(&files(STATIC, true)), [2, 2], "its first call can be seen");
    assert_eq!(called(&files(STATIC | Flags::SYNCHRONIZED, false)), [2, 2], "it locks its own class");
}

/// `B` overrides a method of `A` with `salt`, and `T` calls it on objects of both.
fn overriding(salt: i32) -> [(&'static str, Vec<u8>); 3] {
    let computes = |salt: i32| {
        move |code: &mut CodeBuilder, pool: &mut Pool| {
            compute(code, pool, 1, salt);
            code.op(Opcode::Ireturn);
        }
    };
    overriding_with(&computes(5), &computes(salt))
}

/// The same with any bodies. `A` has a `hashCode` of its own.
fn overriding_with(of_a: Build<'_>, of_b: Build<'_>) -> [(&'static str, Vec<u8>); 3] {
    let make = |name: &'static str| {
        move |code: &mut CodeBuilder, pool: &mut Pool| {
            code.class(Opcode::New, name.as_bytes(), pool).unwrap().op(Opcode::Dup);
            call(code, pool, Opcode::Invokespecial, name, "<init>", "()V");
            code.op(Opcode::Areturn);
        }
    };
    let (make_a, make_b) = (make("A"), make("B"));
    let run: Build<'_> = &|code, pool| {
        code.local(Opcode::Aload, 0).class(Opcode::Checkcast, b"A", pool).unwrap().local(Opcode::Astore, 2);
        for _ in 0..2 {
            code.local(Opcode::Aload, 2).local(Opcode::Iload, 1);
            call(code, pool, Opcode::Invokevirtual, "A", "f", "(I)I");
        }
        code.op(Opcode::Iadd).op(Opcode::Ireturn);
    };
    let object = "()Ljava/lang/Object;";
    let t = [
        (STATIC, "mainA", object, &make_a as Build<'_>),
        (STATIC, "mainB", object, &make_b),
        (STATIC, "mainRun", "(Ljava/lang/Object;I)I", run),
    ];
    let (init_a, init_b) = (construct("java/lang/Object"), construct("A"));
    let hash: Build<'_> = &|code, _| _ = code.op(Opcode::Iconst5).op(Opcode::Ireturn);
    let a = [
        (PUBLIC, "<init>", "()V", &init_a as Build<'_>),
        (PUBLIC, "f", "(I)I", of_a),
        (PUBLIC, "hashCode", "()I", hash),
    ];
    let b = [(PUBLIC, "<init>", "()V", &init_b as Build<'_>), (PUBLIC, "f", "(I)I", of_b)];
    [("T", class("T", &[], &t)), ("A", class("A", &[], &a)), ("B", class_below(b"A", "B", &[], &b))]
}

#[test]
fn a_method_that_does_what_it_overrides_goes() {
    let archive = optimized(&overriding(5), "main*", false);
    assert_eq!((methods(&archive, "A").len(), methods(&archive, "B").len()), (3, 1));
    let archive = optimized(&overriding(6), "main*", false);
    assert_eq!(methods(&archive, "B"), ["<init>", "f"], "it does something else");
    let archive = optimized_by(
        &overriding(5),
        "-keep class T { *** main*(...); } -keep class B { *** f(...); }",
        false,
    );
    assert_eq!(methods(&archive, "B"), ["<init>", "f"], "it may be looked for");
}

/// The search for a method above begins above the class that asks, whatever class it names.
#[test]
fn methods_that_call_what_is_above_them_stay() {
    let asks_above: Build<'_> = &|code, pool| {
        compute(code, pool, 1, 5);
        code.local(Opcode::Aload, 0);
        call(code, pool, Opcode::Invokespecial, "java/lang/Object", "hashCode", "()I");
        code.op(Opcode::Iadd).op(Opcode::Ireturn);
    };
    let archive = optimized(&overriding_with(asks_above, asks_above), "main*", false);
    assert_eq!(methods(&archive, "B"), ["<init>", "f"]);
}

/// What looks at the stack sees its own name.
#[test]
fn methods_that_look_at_the_stack_stay() {
    let looks: Build<'_> = &|code, pool| {
        code.class(Opcode::New, b"java/lang/Throwable", pool).unwrap().op(Opcode::Dup);
        call(code, pool, Opcode::Invokespecial, "java/lang/Throwable", "<init>", "()V");
        call(
            code,
            pool,
            Opcode::Invokevirtual,
            "java/lang/Throwable",
            "getStackTrace",
            "()[Ljava/lang/StackTraceElement;",
        );
        code.op(Opcode::Arraylength).local(Opcode::Iload, 0).op(Opcode::Iadd).op(Opcode::Ireturn);
    };
    let main = calls(&[("T", "f"), ("T", "g")]);
    let file = with_twins(looks, &[], &main);
    assert_eq!(methods(&optimized(&[("T", file)], "main*", false), "T"), ["f", "g", "main"]);
}
