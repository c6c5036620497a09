//! What bodies know of fields and arrays: how often a field is still loaded, and which arrays are never made.

use planish_classfile::builder::CodeBuilder;
use planish_classfile::{ClassFile, Flags, Opcode};

use crate::small::listing::listing;
use crate::small::{Build, OBJECT, Pool, call, class, optimized};

const STATIC: Flags = Flags::STATIC;

/// `H`: one field that only the constructor sets, a plain one, a volatile one.
const FIELDS: [(&str, Flags); 3] =
    [("set", Flags::PUBLIC), ("plain", Flags::PUBLIC), ("seen", Flags::VOLATILE)];

fn field(code: &mut CodeBuilder, pool: &mut Pool, op: Opcode, object: u16, name: &str) {
    code.local(Opcode::Aload, object);
    if op == Opcode::Putfield {
        code.op(Opcode::Iconst1);
    }
    code.field(op, [b"H", name.as_bytes(), b"I"], pool).unwrap();
}

/// Calls something of which nothing is known.
fn unknown(code: &mut CodeBuilder, pool: &mut Pool) {
    code.local(Opcode::Aload, 0);
    call(code, pool, Opcode::Invokevirtual, "java/lang/Object", "hashCode", "()I");
    code.op(Opcode::Pop);
}

/// A class with a constructor that does nothing else, and an initializer if it has one.
fn made(name: &str, initializer: Option<Build<'_>>) -> Vec<u8> {
    let init: Build<'_> = &|code, pool| {
        code.local(Opcode::Aload, 0);
        call(code, pool, Opcode::Invokespecial, "java/lang/Object", "<init>", "()V");
        code.op(Opcode::Return);
    };
    let mut methods = vec![(Flags::PUBLIC, "<init>", "()V", init)];
    methods.extend(initializer.map(|build| (STATIC, "<clinit>", "()V", build)));
    class(name, &[], &methods)
}

/// `H`, whose constructor sets a field and then does something else. That field has more flags.
fn holder(set: Flags, in_constructor: Build<'_>) -> Vec<u8> {
    let mut class = ClassFile::new(52, Flags::PUBLIC | Flags::SUPER, b"H", Some(OBJECT)).unwrap();
    for (name, flags) in FIELDS {
        let flags = if name == "set" { flags | set } else { flags };
        class.add_field(flags, name.as_bytes(), b"I").unwrap();
    }
    let mut code = CodeBuilder::new();
    code.local(Opcode::Aload, 0);
    call(&mut code, &mut class.pool, Opcode::Invokespecial, "java/lang/Object", "<init>", "()V");
    code.local(Opcode::Aload, 0).local(Opcode::Iload, 1);
    code.field(Opcode::Putfield, [b"H", b"set", b"I"], &mut class.pool).unwrap();
    in_constructor(&mut code, &mut class.pool);
    code.op(Opcode::Return);
    let code = code.finish(2, &mut class.pool).unwrap();
    class.add_method(Flags::PUBLIC, b"<init>", b"(I)V", Some(&code)).unwrap();
    class.to_bytes().unwrap()
}

/// A program whose `main(H, H)` multiplies a field of the first object six times, with something in the middle.
fn program(name: &str, between: Build<'_>, holder: Vec<u8>) -> Vec<(&'static str, Vec<u8>)> {
    let main: Build<'_> = &|code, pool| {
        code.op(Opcode::Iconst3).local(Opcode::Istore, 2);
        for half in 0..2 {
            for _ in 0..3 {
                code.local(Opcode::Iload, 2);
                field(code, pool, Opcode::Getfield, 0, name);
                code.op(Opcode::Imul).local(Opcode::Istore, 2);
            }
            if half == 0 {
                between(code, pool);
            }
        }
        code.local(Opcode::Iload, 2).op(Opcode::Ireturn);
    };
    let changes: Build<'_> = &|code, pool| {
        ["plain", "seen"].into_iter().for_each(|name| field(code, pool, Opcode::Putfield, 0, name));
        code.op(Opcode::Return);
    };
    let makes: Build<'_> = &|code, pool| {
        code.class(Opcode::New, b"H", pool).unwrap().op(Opcode::Dup).local(Opcode::Iload, 0);
        call(code, pool, Opcode::Invokespecial, "H", "<init>", "(I)V");
        code.op(Opcode::Areturn);
    };
    let gives: Build<'_> = &|code, pool| {
        code.field(Opcode::Getstatic, [b"T", b"kept", b"Ljava/lang/Object;"], pool)
            .unwrap()
            .op(Opcode::Areturn);
    };
    let mut class = ClassFile::new(52, Flags::PUBLIC | Flags::SUPER, b"T", Some(OBJECT)).unwrap();
    class.add_field(STATIC, b"kept", b"Ljava/lang/Object;").unwrap();
    for (name, descriptor, build, slots) in [
        ("main", "(LH;LH;)I", main, 2),
        ("mainChanges", "(LH;)V", changes, 1),
        ("mainMakes", "(I)LH;", makes, 1),
        ("mainGives", "()Ljava/lang/Object;", gives, 0),
    ] {
        let mut code = CodeBuilder::new();
        build(&mut code, &mut class.pool);
        let code = code.finish(slots, &mut class.pool).unwrap();
        class.add_method(STATIC, name.as_bytes(), descriptor.as_bytes(), Some(&code)).unwrap();
    }
    let counts: Build<'_> = &|code, pool| {
        code.op(Opcode::AconstNull);
        code.field(Opcode::Putstatic, [b"T", b"kept", b"Ljava/lang/Object;"], pool)
            .unwrap()
            .op(Opcode::Return);
    };
    vec![
        ("T", class.to_bytes().unwrap()),
        ("H", holder),
        ("Quiet", made("Quiet", None)),
        ("Noisy", made("Noisy", Some(counts))),
    ]
}

/// How often the field is still loaded.
fn loads(name: &str, between: Build<'_>) -> usize {
    loads_with(name, between, holder(Flags::PUBLIC, &|_, _| {}))
}

/// The same with another `H`.
fn loads_with(name: &str, between: Build<'_>, holder: Vec<u8>) -> usize {
    let files = program(name, between, holder);
    listing(&optimized(&files, "main*", false), "T", "main").matches(&format!("getfield H.{name}\n")).count()
}

#[test]
fn a_field_is_loaded_once_until_something_may_change_it() {
    let nothing: Build<'_> = &|_, _| {};
    assert_eq!([loads("plain", nothing), loads("set", nothing), loads("seen", nothing)], [1, 1, 6]);
    let other: Build<'_> = &|code, pool| field(code, pool, Opcode::Putfield, 1, "plain");
    assert_eq!([loads("plain", other), loads("set", other)], [2, 1], "the other object may be the same");
    assert_eq!(
        [loads("plain", &unknown), loads("set", &unknown)],
        [2, 1],
        "constructors are done before a call"
    );
    let volatile: Build<'_> = &|code, pool| {
        field(code, pool, Opcode::Getfield, 1, "seen");
        code.op(Opcode::Pop);
    };
    assert_eq!(loads("plain", volatile), 2, "another thread may have written before");
    let monitor: Build<'_> = &|code, _| {
        code.local(Opcode::Aload, 1).op(Opcode::Monitorenter).local(Opcode::Aload, 1).op(Opcode::Monitorexit);
    };
    assert_eq!(loads("plain", monitor), 2, "another thread may have written before");
}

#[test]
fn making_an_object_changes_no_other_unless_its_class_runs_something_first() {
    let makes = |name: &'static str| {
        loads("plain", &move |code: &mut CodeBuilder, pool: &mut Pool| {
            code.class(Opcode::New, name.as_bytes(), pool).unwrap().op(Opcode::Dup);
            call(code, pool, Opcode::Invokespecial, name, "<init>", "()V");
            code.field(Opcode::Putstatic, [b"T", b"kept", b"Ljava/lang/Object;"], pool).unwrap();
        })
    };
    assert_eq!((makes("Quiet"), makes("Noisy")), (1, 2));
}

#[test]
fn a_constructor_that_shows_its_object_sets_only_final_fields_for_good() {
    let with = |flags: Flags| loads_with("set", &unknown, holder(flags, &unknown));
    assert_eq!((with(Flags::FINAL), with(Flags::PUBLIC)), (1, 2));
}

#[test]
fn a_constructor_sees_its_own_stores() {
    let looks: Build<'_> = &|code, pool| {
        unknown(code, pool);
        field(code, pool, Opcode::Getfield, 0, "set");
        code.field(Opcode::Putstatic, [b"T", b"number", b"I"], pool).unwrap();
    };
    let gives: Build<'_> = &|code, pool| {
        code.field(Opcode::Getstatic, [b"T", b"number", b"I"], pool).unwrap().op(Opcode::Ireturn);
    };
    let makes: Build<'_> = &|code, pool| {
        code.class(Opcode::New, b"H", pool).unwrap().op(Opcode::Dup).local(Opcode::Iload, 0);
        call(code, pool, Opcode::Invokespecial, "H", "<init>", "(I)V");
        code.op(Opcode::Areturn);
    };
    let mut class = ClassFile::new(52, Flags::PUBLIC | Flags::SUPER, b"T", Some(OBJECT)).unwrap();
    class.add_field(STATIC, b"number", b"I").unwrap();
    for (name, descriptor, build, slots) in
        [("mainGives", "()I", gives, 0), ("mainMakes", "(I)LH;", makes, 1)]
    {
        let mut code = CodeBuilder::new();
        build(&mut code, &mut class.pool);
        let code = code.finish(slots, &mut class.pool).unwrap();
        class.add_method(STATIC, name.as_bytes(), descriptor.as_bytes(), Some(&code)).unwrap();
    }
    let files = [("T", class.to_bytes().unwrap()), ("H", holder(Flags::FINAL, looks))];
    let body = listing(&optimized(&files, "main*", false), "H", "<init>");
    assert_eq!(body.matches("getfield H.set").count(), 1, "{body}");
}

/// What is left of a static method of `T`.
fn left(descriptor: &'static str, build: Build<'_>) -> String {
    let files = [("T", class("T", &[], &[(STATIC, "main", descriptor, build)]))];
    listing(&optimized(&files, "main", false), "T", "main")
}

/// Makes an array of two, stores the argument at an index, loads from another.
fn stores(store: i32, load: i32) -> impl Fn(&mut CodeBuilder, &mut Pool) {
    move |code, pool| {
        code.op(Opcode::Iconst2).new_array(10).local(Opcode::Astore, 1).local(Opcode::Aload, 1);
        code.int(store, pool).unwrap().local(Opcode::Iload, 0).op(Opcode::Iastore).local(Opcode::Aload, 1);
        code.int(load, pool).unwrap().op(Opcode::Iaload).op(Opcode::Ireturn);
    }
}

#[test]
fn an_array_that_goes_nowhere_is_its_elements() {
    assert_eq!(left("(I)I", &stores(1, 1)), "iload_0\nireturn\n");
    assert_eq!(left("(I)I", &stores(1, 0)), "iconst_0\nireturn\n");
    for outside in [stores(2, 1), stores(1, 2), stores(-1, 0)] {
        assert!(left("(I)I", &outside).contains("newarray"), "it throws");
    }
}

#[test]
fn what_an_array_may_refuse_keeps_it() {
    let stores = |class: &'static [u8]| {
        left("(Ljava/lang/Object;)Ljava/lang/Object;", &move |code: &mut CodeBuilder, pool: &mut Pool| {
            code.op(Opcode::Iconst1).class(Opcode::Anewarray, class, pool).unwrap().local(Opcode::Astore, 1);
            code.local(Opcode::Aload, 1).op(Opcode::Iconst0).local(Opcode::Aload, 0).op(Opcode::Aastore);
            code.local(Opcode::Aload, 1).op(Opcode::Iconst0).op(Opcode::Aaload).op(Opcode::Areturn);
        })
    };
    assert_eq!(stores(OBJECT), "aload_0\nareturn\n");
    assert!(stores(b"java/lang/String").contains("anewarray"), "what is stored need not be a text");
}

#[test]
fn narrow_elements_are_cut_off_and_an_array_that_is_asked_for_by_a_number_stays() {
    let narrow: Build<'_> = &|code, _| {
        code.op(Opcode::Iconst1)
            .new_array(8)
            .local(Opcode::Astore, 1)
            .local(Opcode::Aload, 1)
            .op(Opcode::Iconst0);
        code.local(Opcode::Iload, 0).op(Opcode::Bastore).local(Opcode::Aload, 1).op(Opcode::Iconst0);
        code.op(Opcode::Baload).op(Opcode::Ireturn);
    };
    assert_eq!(left("(I)I", narrow), "iload_0\ni2b\nireturn\n");
    let any: Build<'_> = &|code, _| {
        code.op(Opcode::Iconst1).new_array(10).local(Opcode::Iload, 0).op(Opcode::Iaload).op(Opcode::Ireturn);
    };
    assert!(left("(I)I", any).contains("newarray"));
}
