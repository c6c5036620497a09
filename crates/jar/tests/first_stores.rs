//! Stores of zero and null in class initializers, to static fields that hold it anyhow: they go, and where something else may
//! have stored to the field before, they stay.

use crate::small::listing::{listing, read};
use crate::small::{Build, OBJECT, Pool, call, class, class_below, optimized, optimized_by, read_in};
use planish_classfile::builder::CodeBuilder;
use planish_classfile::frame::{Form, VerificationType};
use planish_classfile::{Attribute, Body, ClassFile, Constant, Flags, Opcode};
use planish_driver::Settings;
use planish_jar::inputs::Classpath;
use planish_jar::programs::around::Surroundings;
use planish_jar::programs::roots::Roots;
use planish_jar::rounds::optimize_each;

const STATIC: Flags = Flags(Flags::PUBLIC.0 | Flags::STATIC.0);

/// The fields of class `T`, one of each type; `z` is volatile.
const FIELDS: [(&str, &str); 9] = [
    ("i", "I"),
    ("j", "J"),
    ("f", "F"),
    ("d", "D"),
    ("b", "B"),
    ("z", "Z"),
    ("o", "Ljava/lang/Object;"),
    ("a", "[I"),
    ("stated", "I"),
];

/// Stores what is on the stack to a field of `T`.
fn store(code: &mut CodeBuilder, pool: &mut Pool, name: &str) {
    let ty = FIELDS.iter().find(|(field, _)| *field == name).unwrap().1;
    code.field(Opcode::Putstatic, [b"T", name.as_bytes(), ty.as_bytes()], pool).unwrap();
}

/// Class `T` below another one, with an initializer that does this and returns. The class file says of `stated` that it begins as 7.
fn with_initializer(above: &[u8], build: Build<'_>) -> Vec<u8> {
    let initializer = |code: &mut CodeBuilder, pool: &mut Pool| {
        build(code, pool);
        code.op(Opcode::Return);
    };
    let run = |code: &mut CodeBuilder, _: &mut Pool| {
        code.op(Opcode::Iconst1).op(Opcode::Ireturn);
    };
    let methods: [(Flags, &str, &str, Build<'_>); 2] =
        [(Flags::STATIC, "<clinit>", "()V", &initializer), (STATIC, "run", "()I", &run)];
    let bytes = class_below(above, "T", &[], &methods);
    let mut file = ClassFile::read(&bytes).unwrap();
    for (name, ty) in FIELDS {
        let flags = if name == "z" { STATIC | Flags::VOLATILE } else { STATIC };
        let place = file.add_field(flags, name.as_bytes(), ty.as_bytes()).unwrap();
        if name == "stated" {
            let value = file.pool.add(Constant::Integer(7)).unwrap();
            let value = Attribute::new(&mut file.pool, &Body::ConstantValue(value)).unwrap();
            file.fields[place].attributes.push(value);
        }
    }
    file.to_bytes().unwrap()
}

/// What is left of the initializer of `T` in these files, where bodies alone are looked at, and in the whole program, in which
/// everything stays visible; nothing if it goes.
fn left_in(files: &[(&str, Vec<u8>)]) -> [Option<String>; 2] {
    let (mut archive, hierarchy) = read_in(files);
    let (classpath, roots) = (Classpath::default(), Roots::default());
    let around = Surroundings::quiet(&hierarchy, &classpath, &roots);
    optimize_each(&mut archive, around, &Settings::default()).unwrap();
    [archive, optimized_by(files, "-keep class * { *; }", false)].map(|archive| {
        let bytes = read(&archive, "T");
        let has = ClassFile::read(&bytes).unwrap().method(b"<clinit>", b"()V").is_some();
        has.then(|| listing(&archive, "T", "<clinit>"))
    })
}

/// The same of `T` below `Object`, alone.
fn left(build: impl Fn(&mut CodeBuilder, &mut Pool)) -> [Option<String>; 2] {
    left_in(&[("T", with_initializer(OBJECT, &build))])
}

/// Whether nothing is left, in bodies alone and in the whole program.
fn goes(build: impl Fn(&mut CodeBuilder, &mut Pool)) -> bool {
    let [alone, whole] = left(build);
    assert_eq!(alone.is_none(), whole.is_none(), "{alone:?} {whole:?}");
    alone.is_none()
}

/// `FIELD = 0`, of whatever type.
fn nothing(code: &mut CodeBuilder, pool: &mut Pool, name: &str) {
    let ty = FIELDS.iter().find(|(field, _)| *field == name).unwrap().1;
    code.op(match ty {
        "J" => Opcode::Lconst0,
        "F" => Opcode::Fconst0,
        "D" => Opcode::Dconst0,
        "I" | "B" | "Z" => Opcode::Iconst0,
        _ => Opcode::AconstNull,
    });
    store(code, pool, name);
}

#[test]
fn zero_and_null_of_every_type_are_there_already() {
    for (name, _) in FIELDS {
        let is_redundant = goes(|code, pool| nothing(code, pool, name));
        assert_eq!(is_redundant, name != "stated", "{name}");
    }
    assert!(goes(|code, pool| FIELDS[..8].iter().for_each(|(name, _)| nothing(code, pool, name))));
}

/// The methods and fields of `T` that are left where `run` alone is kept.
#[test]
fn nothing_is_left_of_what_nobody_reads() {
    let build: Build<'_> = &|code, pool| FIELDS[..8].iter().for_each(|(name, _)| nothing(code, pool, name));
    let bytes = read(&optimized(&[("T", with_initializer(OBJECT, build))], "run", false), "T");
    let file = ClassFile::read(&bytes).unwrap();
    assert_eq!((file.methods.len(), file.fields.len()), (1, 0));
}

#[test]
fn what_is_not_nothing_is_stored() {
    assert!(!goes(|code, pool| {
        code.load(Constant::Double((-0.0f64).to_bits()), pool).unwrap();
        store(code, pool, "d");
    }));
    assert!(!goes(|code, pool| {
        code.load(Constant::Float((-0.0f32).to_bits()), pool).unwrap();
        store(code, pool, "f");
    }));
    assert!(!goes(|code, pool| {
        code.op(Opcode::IconstM1);
        store(code, pool, "b");
    }));
}

/// A text is made, a list, an array, an object of the class itself, and another field is set: none of it stores to `i`.
#[test]
fn what_runs_nothing_of_the_program_may_come_first() {
    let [alone, whole] = left(|code, pool| {
        code.class(Opcode::New, b"java/util/ArrayList", pool).unwrap().op(Opcode::Dup);
        call(code, pool, Opcode::Invokespecial, "java/util/ArrayList", "<init>", "()V");
        store(code, pool, "o");
        code.int(3, pool).unwrap().new_array(10);
        store(code, pool, "a");
        nothing(code, pool, "i");
        code.int(5, pool).unwrap();
        store(code, pool, "b");
    });
    for left in [alone, whole].map(Option::unwrap) {
        assert!(!left.contains("T.i\n") && left.contains("T.a\n") && left.contains("T.b\n"), "{left}");
    }
}

/// Behind a call that may store to it, zero is stored; so it is where a loop comes back behind the call, and where the
/// initializer stores something else as well.
#[test]
fn what_may_have_been_stored_before_is_stored_again() {
    let other = |code: &mut CodeBuilder, pool: &mut Pool| {
        call(code, pool, Opcode::Invokestatic, "Other", "poke", "()V");
    };
    assert!(!goes(|code, pool| {
        other(code, pool);
        nothing(code, pool, "j");
    }));
    assert!(!goes(|code, pool| {
        code.field(Opcode::Getstatic, [b"Other", b"x", b"I"], pool).unwrap().op(Opcode::Pop);
        nothing(code, pool, "o");
    }));
    assert!(!goes(|code, pool| {
        let top = code.label();
        code.int(9, pool).unwrap().local(Opcode::Istore, 0);
        code.bind(top).frame(Form::Append(vec![VerificationType::Integer]));
        nothing(code, pool, "i");
        other(code, pool);
        code.increment(0, -1).local(Opcode::Iload, 0).jump(Opcode::Ifgt, top);
    }));
    let [alone, _] = left(|code, pool| {
        let arm = code.label();
        code.field(Opcode::Getstatic, [b"T", b"z", b"Z"], pool).unwrap().jump(Opcode::Ifeq, arm);
        code.int(5, pool).unwrap();
        store(code, pool, "z");
        code.bind(arm).frame(Form::Same);
        nothing(code, pool, "z");
    });
    assert!(alone.unwrap().contains("iconst_0\nputstatic T.z"));
}

/// What a class extends is initialized first, and may store to a field of the class that comes.
#[test]
fn an_initializer_above_may_have_stored() {
    let build: Build<'_> = &|code, pool| nothing(code, pool, "i");
    let below = || ("T", with_initializer(b"Above", build));
    let initializer: Build<'_> = &|code, pool| {
        code.int(5, pool).unwrap();
        store(code, pool, "i");
        code.op(Opcode::Return);
    };
    let stores = class("Above", &[], &[(Flags::STATIC, "<clinit>", "()V", initializer)]);
    let [alone, whole] = left_in(&[below(), ("Above", stores)]);
    assert!(alone.is_some() && whole.is_some());
    let quiet = class("Above", &[], &[]);
    let [alone, whole] = left_in(&[below(), ("Above", quiet)]);
    assert!(alone.is_some(), "what is above is known in a whole program only");
    assert!(whole.is_none(), "{whole:?}");
    let [missing, _] = left_in(&[("T", with_initializer(b"Missing", build))]);
    assert!(missing.is_some(), "nobody knows what is above");
}
