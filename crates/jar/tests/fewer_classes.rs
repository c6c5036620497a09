//! Classes that a program can do without: interfaces that only stand in lists, classes that only make constructors differ, and
//! those that become a part of the one below, and which do not.

use crate::small::listing::{listing, read};
use crate::small::{
    Build, Pool, add_rules, call, class, class_below, optimized, optimized_by, optimized_for, read_in,
};
use planish_classfile::builder::CodeBuilder;
use planish_classfile::zip::{DosTime, Entry};
use planish_classfile::{Body, ClassFile, Constant, Flags, Member, Opcode};
use planish_driver::Settings;
use planish_jar::classes::{Archive, Method, Origin};
use planish_jar::inputs::Classpath;
use planish_jar::programs::around::Surroundings;
use planish_jar::programs::roots::Roots;
use planish_jar::rounds::optimize_program;
use planish_jvm::shrink::serial_version::{computed_version, stated_version, with_version};

const PUBLIC: Flags = Flags::PUBLIC;
const INTERFACE: Flags = Flags(Flags::PUBLIC.0 | Flags::INTERFACE.0 | Flags::ABSTRACT.0);

/// The same class, implementing interfaces.
fn implementing(file: &[u8], interfaces: &[&str]) -> Vec<u8> {
    let mut file = ClassFile::read(file).unwrap();
    for interface in interfaces {
        let index = file.pool.add_class(interface.as_bytes()).unwrap();
        file.interfaces.push(index);
    }
    file.to_bytes().unwrap()
}

/// An interface without members.
fn marker(name: &str, above: &[&str]) -> Vec<u8> {
    let file = ClassFile::new(52, INTERFACE, name.as_bytes(), Some(crate::small::OBJECT)).unwrap();
    implementing(&file.to_bytes().unwrap(), above)
}

/// A constructor that calls the one above.
fn construct(code: &mut CodeBuilder, pool: &mut Pool) {
    code.local(Opcode::Aload, 0);
    call(code, pool, Opcode::Invokespecial, "java/lang/Object", "<init>", "()V");
    code.op(Opcode::Return);
}

fn names(archive: &Archive) -> Vec<String> {
    archive.entries.iter().map(|entry| String::from_utf8_lossy(&entry.name).into_owned()).collect()
}

/// Gives a new `C`.
const MAKE: Build<'_> = &|code, pool| {
    code.class(Opcode::New, b"C", pool).unwrap().op(Opcode::Dup);
    call(code, pool, Opcode::Invokespecial, "C", "<init>", "()V");
    code.op(Opcode::Areturn);
};

fn interfaces(file: &[u8]) -> Vec<String> {
    let file = ClassFile::read(file).unwrap();
    file.interface_names().map(|name| String::from_utf8_lossy(name.unwrap()).into_owned()).collect()
}

/// `T` makes a `C`, which implements `A` and `B`, and asks whether something is an `Above`, of which both are.
#[test]
fn interfaces_that_only_stand_in_lists_go() {
    let test: Build<'_> = &|code, pool| {
        code.local(Opcode::Aload, 0).class(Opcode::Instanceof, b"Above", pool).unwrap().op(Opcode::Ireturn);
    };
    let methods = [
        (PUBLIC | Flags::STATIC, "mainTest", "(Ljava/lang/Object;)I", test),
        (PUBLIC | Flags::STATIC, "mainMake", "()Ljava/lang/Object;", MAKE),
    ];
    let files = [
        ("T", class("T", &[], &methods)),
        ("C", implementing(&class("C", &[], &[(PUBLIC, "<init>", "()V", &construct)]), &["A", "B"])),
        ("A", marker("A", &["Above", "Apart"])),
        ("B", marker("B", &["Above"])),
        ("Above", marker("Above", &[])),
        ("Apart", marker("Apart", &[])),
    ];
    let archive = optimized(&files, "main*", false);
    assert_eq!(names(&archive), ["T.class", "C.class", "Above.class"]);
    assert_eq!(interfaces(&read(&archive, "C")), ["Above"]);
    // Reflection is not asked about where nothing is assumed.
    let strict = optimized(&files, "main*", true);
    assert_eq!(interfaces(&read(&strict, "C")), ["A", "B"]);
}

/// A class may become larger by it, and is written all the same.
#[test]
fn a_class_implements_all_that_was_above_an_interface_that_went() {
    let above = ["one/of/the/interfaces/AboveIt", "another/of/the/interfaces/AboveIt"];
    let test = |which: usize| {
        move |code: &mut CodeBuilder, pool: &mut Pool| {
            code.local(Opcode::Aload, 0).class(Opcode::Instanceof, above[which].as_bytes(), pool).unwrap();
            code.op(Opcode::Ireturn);
        }
    };
    let (first, second) = (test(0), test(1));
    let methods = [
        (PUBLIC | Flags::STATIC, "mainFirst", "(Ljava/lang/Object;)I", &first as Build<'_>),
        (PUBLIC | Flags::STATIC, "mainSecond", "(Ljava/lang/Object;)I", &second),
        (PUBLIC | Flags::STATIC, "mainMake", "()Ljava/lang/Object;", MAKE),
    ];
    let files = [
        ("T", class("T", &[], &methods)),
        ("C", implementing(&class("C", &[], &[(PUBLIC, "<init>", "()V", &construct)]), &["A"])),
        ("A", marker("A", &above)),
        (above[0], marker(above[0], &[])),
        (above[1], marker(above[1], &[])),
    ];
    let archive = optimized(&files, "main*", false);
    assert_eq!(
        names(&archive),
        ["T.class", "C.class"]
            .map(str::to_owned)
            .into_iter()
            .chain(above.map(|name| format!("{name}.class")))
            .collect::<Vec<_>>()
    );
    assert_eq!(interfaces(&read(&archive, "C")), above);
}

/// `C` implements `I`, whose initializer runs when a `C` is made, since `I` has a method with a body. Nobody calls that
/// method, and nobody speaks of `I`; what the initializer does is seen all the same.
#[test]
fn an_interface_is_still_initialized_with_what_implements_it() {
    let exit: Build<'_> = &|code, pool| {
        code.op(Opcode::Iconst0);
        call(code, pool, Opcode::Invokestatic, "java/lang/System", "exit", "(I)V");
        code.op(Opcode::Return);
    };
    let nothing: Build<'_> = &|code, _| {
        code.op(Opcode::Return);
    };
    let methods = [(Flags::STATIC, "<clinit>", "()V", exit), (PUBLIC, "unused", "()V", nothing)];
    let interface = class("I", &[], &methods);
    let mut interface = ClassFile::read(&interface).unwrap();
    interface.flags = INTERFACE;
    let files = [
        ("T", class("T", &[], &[(PUBLIC | Flags::STATIC, "mainMake", "()Ljava/lang/Object;", MAKE)])),
        ("C", implementing(&class("C", &[], &[(PUBLIC, "<init>", "()V", &construct)]), &["I"])),
        ("I", interface.to_bytes().unwrap()),
    ];
    for strict in [false, true] {
        let archive = optimized(&files, "main*", strict);
        assert_eq!(interfaces(&read(&archive, "C")), ["I"]);
        let left = read(&archive, "I");
        let left = ClassFile::read(&left).unwrap();
        let has_body = |flags: Flags| !flags.any(Flags::ABSTRACT | Flags::STATIC);
        assert!(left.methods.iter().any(|method| has_body(method.flags)), "initialized without a C");
    }
}

/// A static field goes of a class whose objects are written. The version that serialization computed of the class before
/// is said now; where no objects are written, nobody asks.
#[test]
fn a_class_of_which_something_went_still_reads_what_was_written() {
    let write: Build<'_> = &|code, pool| {
        code.local(Opcode::Aload, 0).local(Opcode::Aload, 1);
        let stream = "java/io/ObjectOutputStream";
        call(code, pool, Opcode::Invokevirtual, stream, "writeObject", "(Ljava/lang/Object;)V");
        code.op(Opcode::Return);
    };
    let methods = [
        (PUBLIC | Flags::STATIC, "mainMake", "()Ljava/lang/Object;", MAKE),
        (PUBLIC | Flags::STATIC, "mainWrite", "(Ljava/io/ObjectOutputStream;Ljava/lang/Object;)V", write),
    ];
    let bytes = class("C", &[], &[(PUBLIC, "<init>", "()V", &construct)]);
    let mut written = ClassFile::read(&bytes).unwrap();
    written.add_field(Flags::STATIC, b"unused", b"I").unwrap();
    let files = [
        ("T", class("T", &[], &methods)),
        ("C", implementing(&written.to_bytes().unwrap(), &["java/io/Serializable"])),
    ];
    let version = computed_version(&ClassFile::read(&files[1].1).unwrap()).unwrap();
    let fields = |keep: &str| {
        let archive = optimized(&files, keep, false);
        let bytes = read(&archive, "C");
        let file = ClassFile::read(&bytes).unwrap();
        let show = |field: &Member<'_>| {
            let name = String::from_utf8_lossy(file.pool.utf8(field.name).unwrap()).into_owned();
            let value = field.attributes.first().map(|value| value.decode(&file.pool).unwrap().unwrap());
            let value = value.map(|value| match value {
                Body::ConstantValue(index) => file.pool.get(index).unwrap(),
                other => panic!("{other:?}"),
            });
            let Some(Constant::Long(value)) = value else { return (name, None) };
            (name, Some(value))
        };
        file.fields.iter().map(show).collect::<Vec<_>>()
    };
    assert_eq!(fields("mainMake"), []);
    assert_eq!(fields("main*"), [("serialVersionUID".to_owned(), version)]);
}

/// What a class says of its version is private and read by nobody but serialization, of which a library does not know
/// whether anybody asks it.
#[test]
fn a_class_of_a_library_says_the_version_that_it_said() {
    let methods = [(PUBLIC | Flags::STATIC, "mainMake", "()Ljava/lang/Object;", MAKE)];
    let bytes = class("C", &[], &[(PUBLIC, "<init>", "()V", &construct)]);
    let mut said = ClassFile::read(&bytes).unwrap();
    said.flags = Flags::SUPER;
    said.add_field(Flags::STATIC | Flags::PRIVATE, b"unused", b"I").unwrap();
    with_version(&mut said, -77).unwrap();
    let files = [
        ("T", class("T", &[], &methods)),
        ("C", implementing(&said.to_bytes().unwrap(), &["java/io/Serializable"])),
    ];
    let archive = optimized_for(&files, "", Roots { library: true, ..Roots::default() });
    let bytes = read(&archive, "C");
    let file = ClassFile::read(&bytes).unwrap();
    assert_eq!(file.fields.len(), 1, "the other one goes");
    assert_eq!(stated_version(&file), Ok(Some(-77)));
}

/// `A` has a private constructor that sets its field, and what compilers make so that `T` may call it: one that takes a
/// `T$1`, too, which nobody makes.
#[test]
fn constructors_that_have_others_do_the_work_go_with_what_makes_them_differ() {
    let set: Build<'_> = &|code, pool| {
        code.local(Opcode::Aload, 0);
        call(code, pool, Opcode::Invokespecial, "java/lang/Object", "<init>", "()V");
        code.local(Opcode::Aload, 0).local(Opcode::Iload, 1);
        code.field(Opcode::Putfield, [b"A", b"value", b"I"], pool).unwrap().op(Opcode::Return);
    };
    let delegate: Build<'_> = &|code, pool| {
        code.local(Opcode::Aload, 0).local(Opcode::Iload, 1);
        call(code, pool, Opcode::Invokespecial, "A", "<init>", "(I)V");
        code.op(Opcode::Return);
    };
    let get: Build<'_> = &|code, pool| {
        code.local(Opcode::Aload, 0);
        code.field(Opcode::Getfield, [b"A", b"value", b"I"], pool).unwrap().op(Opcode::Ireturn);
    };
    let main: Build<'_> = &|code, pool| {
        code.class(Opcode::New, b"A", pool).unwrap().op(Opcode::Dup);
        code.local(Opcode::Iload, 0).op(Opcode::AconstNull);
        call(code, pool, Opcode::Invokespecial, "A", "<init>", "(ILT$1;)V");
        code.op(Opcode::Areturn);
    };
    let test: Build<'_> = &|code, pool| {
        code.local(Opcode::Aload, 0).class(Opcode::Checkcast, b"A", pool).unwrap();
        call(code, pool, Opcode::Invokevirtual, "A", "get", "()I");
        code.op(Opcode::Ireturn);
    };
    let methods = [
        (PUBLIC | Flags::STATIC, "mainMake", "(I)Ljava/lang/Object;", main),
        (PUBLIC | Flags::STATIC, "mainTest", "(Ljava/lang/Object;)I", test),
    ];
    let t = class("T", &[], &methods);
    let a = class(
        "A",
        &[("value", "I")],
        &[
            (Flags::PRIVATE, "<init>", "(I)V", set),
            (Flags::SYNTHETIC, "<init>", "(ILT$1;)V", delegate),
            (PUBLIC, "get", "()I", get),
        ],
    );
    let nothing = class("T$1", &[], &[]);
    let archive = optimized(&[("T", t), ("A", a), ("T$1", nothing)], "main*", false);
    assert_eq!(names(&archive), ["T.class", "A.class"]);
    let make = listing(&archive, "T", "mainMake");
    assert!(make.ends_with("dup\niload_0\ninvokespecial A.<init>\nareturn\n"), "{make}");
    let bytes = read(&archive, "A");
    let file = ClassFile::read(&bytes).unwrap();
    let constructor = file.method(b"<init>", b"(I)V").unwrap();
    assert!(!constructor.flags.has(Flags::PRIVATE), "`T` calls it");
    assert!(file.method(b"<init>", b"(ILT$1;)V").is_none());
}

const STATIC: Flags = Flags(Flags::PUBLIC.0 | Flags::STATIC.0);

/// Whether `A`, which only `B` extends and of which there are no objects, is still there. `T.main` makes a `B`, asks it through `A`, and
/// does something besides.
fn stays(rules: &str, besides: Build<'_>) -> bool {
    let construct = |above: &'static str| {
        move |code: &mut CodeBuilder, pool: &mut Pool| {
            code.local(Opcode::Aload, 0);
            call(code, pool, Opcode::Invokespecial, above, "<init>", "()V");
            code.op(Opcode::Return);
        }
    };
    let (of_a, of_b) = (construct("java/lang/Object"), construct("A"));
    let asked: Build<'_> = &|code, pool| {
        code.local(Opcode::Aload, 0);
        call(code, pool, Opcode::Invokevirtual, "java/lang/Object", "hashCode", "()I");
        code.op(Opcode::Ireturn);
    };
    let main: Build<'_> = &|code, pool| {
        besides(code, pool);
        code.class(Opcode::New, b"B", pool).unwrap().op(Opcode::Dup);
        call(code, pool, Opcode::Invokespecial, "B", "<init>", "()V");
        call(code, pool, Opcode::Invokevirtual, "A", "asked", "()I");
        code.op(Opcode::Iadd).op(Opcode::Ireturn);
    };
    let a = [(Flags::PUBLIC, "<init>", "()V", &of_a as Build<'_>), (Flags::PUBLIC, "asked", "()I", asked)];
    let b = [(Flags::PUBLIC, "<init>", "()V", &of_b as Build<'_>)];
    let files = [
        ("A", class("A", &[], &a)),
        ("B", class_below(b"A", "B", &[], &b)),
        ("T", class("T", &[], &[(STATIC, "main", "(Ljava/lang/Object;)I", main)])),
    ];
    let archive = optimized_by(&files, &format!("-keep class T {{ *** main(...); }}\n{rules}"), false);
    archive.find(b"A.class").is_some()
}

#[test]
fn nothing_else_keeps_them_apart() {
    let nothing: Build<'_> = &|code, _| {
        code.op(Opcode::Iconst0);
    };
    assert!(!stays("", nothing));
    assert!(stays("-optimizations !class/merging/*", nothing));
    assert!(stays("-nevermerge class A", nothing));
    assert!(!stays("-nevermerge class T", nothing));
}

/// `new A[2] instanceof B[]` is false.
#[test]
fn an_array_of_the_class_above_is_none_of_the_one_below() {
    assert!(stays("", &|code, pool| {
        code.op(Opcode::Iconst2).class(Opcode::Anewarray, b"A", pool).unwrap();
        code.class(Opcode::Instanceof, b"[LB;", pool).unwrap();
    }));
    assert!(stays("", &|code, pool| {
        code.op(Opcode::Iconst2).class(Opcode::Anewarray, b"[LA;", pool).unwrap();
        code.class(Opcode::Instanceof, b"[[LB;", pool).unwrap();
    }));
    assert!(!stays("", &|code, pool| {
        code.op(Opcode::Iconst2).class(Opcode::Anewarray, b"B", pool).unwrap().op(Opcode::Arraylength);
    }));
}

/// A call of a method without parameters.
fn ask(code: &mut CodeBuilder, pool: &mut Pool, class: &str, name: &str, result: &str) {
    call(code, pool, Opcode::Invokevirtual, class, name, &format!("(){result}"));
}

/// Asks which class is above that on the stack.
fn above(code: &mut CodeBuilder, pool: &mut Pool) {
    ask(code, pool, "java/lang/Class", "getSuperclass", "Ljava/lang/Class;");
    ask(code, pool, "java/lang/Object", "hashCode", "I");
}

#[test]
fn a_program_that_asks_classes_what_they_extend_sees_each() {
    assert!(stays("", &|code, pool| {
        code.local(Opcode::Aload, 0);
        ask(code, pool, "java/lang/Object", "getClass", "Ljava/lang/Class;");
        above(code, pool);
    }));
    assert!(stays("", &|code, pool| {
        code.class(Opcode::Ldc, b"B", pool).unwrap();
        above(code, pool);
    }));
    assert!(stays("", &|code, pool| {
        code.class(Opcode::Ldc, b"B", pool).unwrap().local(Opcode::Astore, 1).local(Opcode::Aload, 1);
        above(code, pool);
    }));
    // Any object may be the one that is asked elsewhere.
    assert!(stays("", &|code, pool| {
        code.local(Opcode::Aload, 0);
        ask(code, pool, "java/lang/Object", "getClass", "Ljava/lang/Class;");
        code.local(Opcode::Astore, 1).local(Opcode::Aload, 1);
        above(code, pool);
    }));
}

/// Another class is asked, and a `B` only what it is called.
#[test]
fn who_asks_other_classes_what_they_extend_does_not_see_it() {
    assert!(!stays("", &|code, pool| {
        code.class(Opcode::Ldc, b"java/lang/String", pool).unwrap();
        above(code, pool);
    }));
    assert!(!stays("", &|code, pool| {
        code.local(Opcode::Aload, 0);
        ask(code, pool, "java/lang/Object", "getClass", "Ljava/lang/Class;");
        ask(code, pool, "java/lang/Class", "getName", "Ljava/lang/String;");
        ask(code, pool, "java/lang/Object", "hashCode", "I");
        code.class(Opcode::Ldc, b"T", pool).unwrap().local(Opcode::Astore, 1).local(Opcode::Aload, 1);
        above(code, pool);
        code.op(Opcode::Iadd);
    }));
}

/// Whether `A` is still there, which extends `S` and is extended by `B`, where `A.s` is called and these classes have an `s`.
fn stays_if_called(having: &[&str]) -> bool {
    let construct = |above: &'static str| {
        move |code: &mut CodeBuilder, pool: &mut Pool| {
            code.local(Opcode::Aload, 0);
            call(code, pool, Opcode::Invokespecial, above, "<init>", "()V");
            code.op(Opcode::Return);
        }
    };
    let (of_s, of_a, of_b) = (construct("java/lang/Object"), construct("S"), construct("A"));
    // Each gives something else.
    let s = |number: Opcode| {
        move |code: &mut CodeBuilder, pool: &mut Pool| {
            code.local(Opcode::Aload, 0);
            call(code, pool, Opcode::Invokevirtual, "java/lang/Object", "hashCode", "()I");
            code.op(number).op(Opcode::Iadd).op(Opcode::Ireturn);
        }
    };
    let (first, second, third) = (s(Opcode::Iconst1), s(Opcode::Iconst2), s(Opcode::Iconst3));
    let main: Build<'_> = &|code, pool| {
        code.local(Opcode::Aload, 0);
        for of in ["A", "B"] {
            code.class(Opcode::New, b"B", pool).unwrap().op(Opcode::Dup);
            call(code, pool, Opcode::Invokespecial, "B", "<init>", "()V");
            call(code, pool, Opcode::Invokestatic, of, "s", "(Ljava/lang/Object;)I");
        }
        code.op(Opcode::Iadd).op(Opcode::Ireturn);
    };
    let methods = |name: &str, init: Build<'_>| {
        let mut methods: Vec<(Flags, &str, &str, Build<'_>)> = vec![(PUBLIC, "<init>", "()V", init)];
        let (above, s): (_, Build<'_>) = match name {
            "S" => (crate::small::OBJECT, &first),
            "A" => (&b"S"[..], &second),
            _ => (&b"A"[..], &third),
        };
        if having.contains(&name) {
            methods.push((STATIC, "s", "(Ljava/lang/Object;)I", s));
        }
        class_below(above, name, &[], &methods)
    };
    let files = [
        ("S", methods("S", &of_s)),
        ("A", methods("A", &of_a)),
        ("B", methods("B", &of_b)),
        ("T", class("T", &[], &[(STATIC, "main", "(Ljava/lang/Object;)I", main)])),
    ];
    let rules = "-keep class T { *** main(...); }\n-keep,allowoptimization,allowshrinking class S { *; }\n\
                 -optimizations !method/inlining/*";
    optimized_by(&files, rules, false).find(b"A.class").is_some()
}

/// `A.s` means that of `S`, and would be that of `B`.
#[test]
fn a_member_that_another_one_would_hide_keeps_classes_apart() {
    assert!(stays_if_called(&["S", "B"]));
    assert!(!stays_if_called(&["S"]));
    assert!(!stays_if_called(&["S", "A"]));
}

/// Whether `A`, which implements `I` of a library and has no `m`, is still there, if `m` of `B` calls that above or something else.
fn stays_with_default(calls_above: bool) -> bool {
    let construct = |above: &'static str| {
        move |code: &mut CodeBuilder, pool: &mut Pool| {
            code.local(Opcode::Aload, 0);
            call(code, pool, Opcode::Invokespecial, above, "<init>", "()V");
            code.op(Opcode::Return);
        }
    };
    let (of_a, of_b) = (construct("java/lang/Object"), construct("A"));
    let default: Build<'_> = &|code, _| {
        code.op(Opcode::Iconst5).op(Opcode::Ireturn);
    };
    let m: Build<'_> = &|code, pool| {
        code.local(Opcode::Aload, 0);
        match calls_above {
            true => call(code, pool, Opcode::Invokespecial, "A", "m", "()I"),
            false => call(code, pool, Opcode::Invokevirtual, "java/lang/Object", "hashCode", "()I"),
        }
        code.op(Opcode::Ireturn);
    };
    let asked: Build<'_> = &|code, pool| {
        code.local(Opcode::Aload, 0);
        call(code, pool, Opcode::Invokevirtual, "java/lang/Object", "hashCode", "()I");
        code.op(Opcode::Ireturn);
    };
    let main: Build<'_> = &|code, pool| {
        code.class(Opcode::New, b"B", pool).unwrap().op(Opcode::Dup);
        call(code, pool, Opcode::Invokespecial, "B", "<init>", "()V");
        code.op(Opcode::Dup);
        call(code, pool, Opcode::Invokevirtual, "B", "m", "()I");
        code.op(Opcode::Swap);
        call(code, pool, Opcode::Invokevirtual, "A", "asked", "()I");
        code.op(Opcode::Iadd).op(Opcode::Ireturn);
    };
    let interface = class("I", &[], &[(PUBLIC, "m", "()I", default)]);
    let mut interface = ClassFile::read(&interface).unwrap();
    interface.flags = INTERFACE;
    let interface = interface.to_bytes().unwrap();
    let a = class("A", &[], &[(PUBLIC, "<init>", "()V", &of_a), (PUBLIC, "asked", "()I", asked)]);
    let files = [
        ("A", implementing(&a, &["I"])),
        ("B", class_below(b"A", "B", &[], &[(PUBLIC, "<init>", "()V", &of_b), (PUBLIC, "m", "()I", m)])),
        ("T", class("T", &[], &[(STATIC, "main", "()I", main)])),
    ];
    let (mut archive, mut hierarchy) = read_in(&files);
    hierarchy.add(&interface, Origin::Library).unwrap();
    let entry = Entry::new(b"I.class", DosTime::EPOCH, &interface, Method::Stored);
    let library = Archive { entries: vec![entry], ..Archive::default() };
    let classpath = Classpath { libraries: vec![library], ..Classpath::default() };
    let mut roots = Roots { rules_given: true, ..Roots::default() };
    add_rules("-keep class T { *** main(...); }", &mut roots);
    let around = Surroundings::quiet(&hierarchy, &classpath, &roots);
    optimize_program(&mut archive, around, &Settings::default()).unwrap();
    archive.find(b"A.class").is_some()
}

/// Above `B` there would be no `m` but that of an interface, which a call of `super.m()` has to name.
#[test]
fn what_calls_a_default_of_a_library_above_stays_below_it() {
    assert!(stays_with_default(true));
    assert!(!stays_with_default(false));
}
