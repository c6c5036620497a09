//! What nobody needs any more once its readers went: arrays that are only filled, constants that are only made. And
//! what is found out about a variant when more calls come to lead to it.

use planish_classfile::builder::CodeBuilder;
use planish_classfile::frame::{Form, VerificationType};
use planish_classfile::{ClassFile, Constant, Flags, Opcode};
use planish_driver::Settings;
use planish_jar::inputs::Classpath;
use planish_jar::programs::around::Surroundings;
use planish_jar::programs::roots::Roots;
use planish_jar::rounds::optimize_each;

use crate::small::listing::{listing, read};
use crate::small::{Build, Pool, call, class, class_below, optimized, optimized_by, read_in};

const STATIC: Flags = Flags::STATIC;

/// A fresh array of this length, whose items are ints or of a class.
fn array(code: &mut CodeBuilder, pool: &mut Pool, length: i32, of: Option<&str>) {
    code.int(length, pool).unwrap();
    match of {
        None => code.new_array(10),
        Some(class) => code.class(Opcode::Anewarray, class.as_bytes(), pool).unwrap(),
    };
}

/// Sets an item of the array on the stack to a number, and leaves the array there.
fn set(code: &mut CodeBuilder, pool: &mut Pool, place: i32, number: i32) {
    code.op(Opcode::Dup).int(place, pool).unwrap();
    code.int(number, pool).unwrap().op(Opcode::Iastore);
}

/// The instructions that are left of a body that makes an array, does this with it, and returns its argument.
fn left(build: impl Fn(&mut CodeBuilder, &mut Pool)) -> String {
    let run = |code: &mut CodeBuilder, pool: &mut Pool| {
        build(code, pool);
        code.op(Opcode::Pop).local(Opcode::Iload, 0).op(Opcode::Ireturn);
    };
    let init = |code: &mut CodeBuilder, pool: &mut Pool| {
        code.local(Opcode::Aload, 0);
        call(code, pool, Opcode::Invokespecial, "java/lang/Object", "<init>", "()V");
        code.op(Opcode::Return);
    };
    let files = [
        ("T", class("T", &[], &[(STATIC, "run", "(I)I", &run)])),
        ("A", class("A", &[], &[(Flags::PUBLIC, "<init>", "()V", &init)])),
        ("B", class("B", &[], &[(Flags::PUBLIC, "<init>", "()V", &init)])),
    ];
    listing(&optimized(&files, "run", false), "T", "run")
}

const NOTHING: &str = "iload_0\nireturn\n";

#[test]
fn an_array_that_is_only_filled_goes() {
    let numbers = |code: &mut CodeBuilder, pool: &mut Pool| {
        array(code, pool, 2, None);
        set(code, pool, 0, 7);
        set(code, pool, 1, 70_000);
    };
    assert_eq!(left(numbers), NOTHING);
    let nested = |code: &mut CodeBuilder, pool: &mut Pool| {
        array(code, pool, 1, Some("[I"));
        code.op(Opcode::Dup).op(Opcode::Iconst0);
        numbers(code, pool);
        code.op(Opcode::Aastore);
    };
    assert_eq!(left(nested), NOTHING);
    let objects = |code: &mut CodeBuilder, pool: &mut Pool| {
        array(code, pool, 1, Some("A"));
        code.op(Opcode::Dup).op(Opcode::Iconst0);
        code.class(Opcode::New, b"A", pool).unwrap().op(Opcode::Dup);
        call(code, pool, Opcode::Invokespecial, "A", "<init>", "()V");
        code.op(Opcode::Aastore);
    };
    assert_eq!(left(objects), NOTHING);
    let texts = |code: &mut CodeBuilder, pool: &mut Pool| {
        array(code, pool, 1, Some("java/lang/String"));
        let text = pool.add_utf8(b"text").unwrap();
        code.op(Opcode::Dup).op(Opcode::Iconst0).load(Constant::String(text), pool).unwrap();
        code.op(Opcode::Aastore);
    };
    assert_eq!(left(texts), NOTHING);
}

#[test]
fn a_store_that_throws_stays_with_its_array() {
    let outside = |code: &mut CodeBuilder, pool: &mut Pool| {
        array(code, pool, 2, None);
        set(code, pool, 2, 7);
    };
    assert!(left(outside).contains("iastore"));
    let before = |code: &mut CodeBuilder, pool: &mut Pool| {
        array(code, pool, 2, None);
        set(code, pool, -1, 7);
    };
    assert!(left(before).contains("iastore"));
    let negative = |code: &mut CodeBuilder, pool: &mut Pool| array(code, pool, -1, None);
    assert!(left(negative).contains("newarray"));
    let wrong = |code: &mut CodeBuilder, pool: &mut Pool| {
        array(code, pool, 1, Some("A"));
        code.op(Opcode::Dup).op(Opcode::Iconst0);
        code.class(Opcode::New, b"B", pool).unwrap().op(Opcode::Dup);
        call(code, pool, Opcode::Invokespecial, "B", "<init>", "()V");
        code.op(Opcode::Aastore);
    };
    assert!(left(wrong).contains("aastore"));
    let unknown = |code: &mut CodeBuilder, pool: &mut Pool| {
        array(code, pool, 2, None);
        code.op(Opcode::Dup).local(Opcode::Iload, 0).op(Opcode::Iconst1).op(Opcode::Iastore);
    };
    assert!(left(unknown).contains("iastore"));
}

#[test]
fn an_array_that_is_read_stays() {
    let read = |code: &mut CodeBuilder, pool: &mut Pool| {
        array(code, pool, 2, None);
        set(code, pool, 0, 7);
        code.op(Opcode::Dup).local(Opcode::Iload, 0).op(Opcode::Iaload).local(Opcode::Istore, 0);
    };
    assert!(left(read).contains("newarray"));
}

/// A class may make its own objects while it is initialized, and a static field is no part of an object that is
/// written out: constants that nobody reads go, here of a class that is a `Number` and serializable.
#[test]
fn constants_of_a_class_that_nobody_reads_are_not_made() {
    let clinit = |code: &mut CodeBuilder, pool: &mut Pool| {
        for name in [b"READ", b"GONE"] {
            code.class(Opcode::New, b"T", pool).unwrap().op(Opcode::Dup);
            call(code, pool, Opcode::Invokespecial, "T", "<init>", "()V");
            code.field(Opcode::Putstatic, [b"T", name, b"LT;"], pool).unwrap();
        }
        code.op(Opcode::Return);
    };
    let init = |code: &mut CodeBuilder, pool: &mut Pool| {
        code.local(Opcode::Aload, 0);
        call(code, pool, Opcode::Invokespecial, "java/lang/Number", "<init>", "()V");
        code.op(Opcode::Return);
    };
    let run = |code: &mut CodeBuilder, pool: &mut Pool| {
        code.field(Opcode::Getstatic, [b"T", b"READ", b"LT;"], pool).unwrap().op(Opcode::Areturn);
    };
    let methods: &[(Flags, &str, &str, Build<'_>)] = &[
        (STATIC, "<clinit>", "()V", &clinit),
        (Flags::PUBLIC, "<init>", "()V", &init),
        (STATIC | Flags::PUBLIC, "run", "()LT;", &run),
    ];
    let bytes = class_below(b"java/lang/Number", "T", &[], methods);
    let mut file = ClassFile::read(&bytes).unwrap();
    for name in [&b"READ"[..], b"GONE"] {
        file.add_field(STATIC, name, b"LT;").unwrap();
    }
    let serializable = file.pool.add_class(b"java/io/Serializable").unwrap();
    file.interfaces.push(serializable);
    let files = [("T", file.to_bytes().unwrap())];
    let result = optimized(&files, "run", false);
    let bytes = read(&result, "T");
    let left = ClassFile::read(&bytes).unwrap();
    assert_eq!(left.fields.len(), 1, "one constant is left");
    assert_eq!(listing(&result, "T", "<clinit>").matches("invokespecial").count(), 1);
}

/// `f(k, what)` remembers `k * k` or `-k` and more, by what `what` is. One call has constants for both; two others show
/// only later that theirs is one. They come to lead to the variant that the first call made, which then must not take
/// the first number of that call for the only one.
#[test]
fn a_variant_that_more_calls_come_to_lead_to_is_not_taken_for_that_of_the_first() {
    let f = |code: &mut CodeBuilder, pool: &mut Pool| {
        let other = code.label();
        code.local(Opcode::Iload, 1).jump(Opcode::Ifne, other);
        code.local(Opcode::Iload, 0).local(Opcode::Iload, 0).op(Opcode::Imul);
        code.field(Opcode::Putstatic, [b"T", b"seen", b"I"], pool).unwrap();
        code.local(Opcode::Iload, 0);
        code.field(Opcode::Putstatic, [b"T", b"last", b"I"], pool).unwrap();
        code.local(Opcode::Iload, 0);
        code.field(Opcode::Putstatic, [b"T", b"third", b"I"], pool).unwrap();
        code.op(Opcode::Return);
        code.bind(other).frame(Form::Same);
        code.local(Opcode::Iload, 0).op(Opcode::Ineg);
        code.field(Opcode::Putstatic, [b"T", b"seen", b"I"], pool).unwrap();
        code.op(Opcode::Return);
    };
    let run = |code: &mut CodeBuilder, pool: &mut Pool| {
        code.op(Opcode::Iconst1).op(Opcode::Iconst0);
        call(code, pool, Opcode::Invokestatic, "T", "f", "(II)V");
        for slot in [0, 1] {
            code.local(Opcode::Iload, slot).local(Opcode::Iload, slot).local(Opcode::Iload, slot);
            code.op(Opcode::Ixor);
            call(code, pool, Opcode::Invokestatic, "T", "f", "(II)V");
        }
        code.local(Opcode::Iload, 0).local(Opcode::Iload, 1);
        call(code, pool, Opcode::Invokestatic, "T", "f", "(II)V");
        for name in [&b"seen"[..], b"last", b"third"] {
            code.field(Opcode::Getstatic, [b"T", name, b"I"], pool).unwrap();
        }
        code.op(Opcode::Iadd).op(Opcode::Iadd).op(Opcode::Ireturn);
    };
    let methods: &[(Flags, &str, &str, Build<'_>)] =
        &[(STATIC, "f", "(II)V", &f), (STATIC | Flags::PUBLIC, "run", "(II)I", &run)];
    let bytes = class("T", &[], methods);
    let mut file = ClassFile::read(&bytes).unwrap();
    for name in [&b"seen"[..], b"last", b"third"] {
        file.add_field(STATIC | Flags::VOLATILE, name, b"I").unwrap();
    }
    let result = optimized(&[("T", file.to_bytes().unwrap())], "run", false);
    let calls = listing(&result, "T", "run");
    assert!(calls.matches("T.f__k_0\n").count() >= 2, "{calls}");
    let variant = listing(&result, "T", "f__k_0");
    assert!(variant.contains("imul") && !variant.contains("iconst_1"), "{variant}");
}

/// `f(k, what)` counts, and gives `k * k * k` or `-k`. Nobody uses what the first call gives, so that the variant that it made
/// would not compute it; another call that comes to lead there a round later does use it.
#[test]
fn a_variant_gives_what_calls_need_that_come_to_lead_to_it_later() {
    let f = |code: &mut CodeBuilder, pool: &mut Pool| {
        let other = code.label();
        code.field(Opcode::Getstatic, [b"T", b"seen", b"I"], pool)
            .unwrap()
            .op(Opcode::Iconst1)
            .op(Opcode::Iadd);
        code.field(Opcode::Putstatic, [b"T", b"seen", b"I"], pool).unwrap();
        code.local(Opcode::Iload, 1).jump(Opcode::Ifne, other);
        code.local(Opcode::Iload, 0).local(Opcode::Iload, 0).op(Opcode::Imul);
        code.local(Opcode::Iload, 0).op(Opcode::Imul).op(Opcode::Ireturn);
        code.bind(other).frame(Form::Same);
        code.local(Opcode::Iload, 0).op(Opcode::Ineg).op(Opcode::Ireturn);
    };
    let run = |code: &mut CodeBuilder, pool: &mut Pool| {
        code.local(Opcode::Iload, 1).op(Opcode::Iconst0);
        call(code, pool, Opcode::Invokestatic, "T", "f", "(II)I");
        code.op(Opcode::Pop);
        code.local(Opcode::Iload, 0).local(Opcode::Iload, 1).local(Opcode::Iload, 1).op(Opcode::Ixor);
        call(code, pool, Opcode::Invokestatic, "T", "f", "(II)I");
        code.local(Opcode::Iload, 0).local(Opcode::Iload, 1);
        call(code, pool, Opcode::Invokestatic, "T", "f", "(II)I");
        code.op(Opcode::Iadd).op(Opcode::Ireturn);
    };
    let methods: &[(Flags, &str, &str, Build<'_>)] =
        &[(STATIC, "f", "(II)I", &f), (STATIC | Flags::PUBLIC, "run", "(II)I", &run)];
    let bytes = class("T", &[], methods);
    let mut file = ClassFile::read(&bytes).unwrap();
    file.add_field(STATIC | Flags::VOLATILE, b"seen", b"I").unwrap();
    let rules = "-keep class T { *** run(...); }\n-optimizations !method/inlining/*";
    let result = optimized_by(&[("T", file.to_bytes().unwrap())], rules, false);
    let calls = listing(&result, "T", "run");
    assert!(calls.contains("pop\niload_0\ninvokestatic T.f__k_0\n"), "{calls}");
    let variant = listing(&result, "T", "f__k_0");
    assert!(variant.ends_with("imul\nireturn\n"), "{variant}");
}

/// A class that everybody may name inherits a method from one that only its neighbours may.
#[test]
fn a_variant_is_called_by_the_class_that_the_call_names() {
    let main: Build<'_> = &|code, pool| {
        code.local(Opcode::Iload, 0).op(Opcode::Iconst5);
        call(code, pool, Opcode::Invokestatic, "p/Facade", "f", "(II)I");
        code.op(Opcode::Ireturn);
    };
    let f: Build<'_> = &|code, _| {
        code.local(Opcode::Iload, 0).local(Opcode::Iload, 0).op(Opcode::Imul).op(Opcode::Ireturn);
    };
    let hidden = class("p/Hidden", &[], &[(Flags::PUBLIC | STATIC, "f", "(II)I", f)]);
    let mut hidden = ClassFile::read(&hidden).unwrap();
    hidden.flags = hidden.flags.without(Flags::PUBLIC);
    let files = [
        ("T", class("T", &[], &[(STATIC, "main", "(I)I", main)])),
        ("p/Facade", class_below(b"p/Hidden", "p/Facade", &[], &[])),
        ("p/Hidden", hidden.to_bytes().unwrap()),
    ];
    let rules = "-keep class T { *** main(...); }\n-optimizations !method/inlining/*";
    let main = listing(&optimized_by(&files, rules, false), "T", "main");
    assert!(main.contains("invokestatic p/Facade.f__k_x"), "{main}");
}

/// A method of `T` loads the field `x` of what is in this slot for nothing; the field has these flags besides.
fn loaded_for_nothing(slot: u16, flags: Flags) -> String {
    let run = |code: &mut CodeBuilder, pool: &mut Pool| {
        code.local(Opcode::Aload, slot).field(Opcode::Getfield, [b"T", b"x", b"I"], pool).unwrap();
        code.op(Opcode::Pop).local(Opcode::Iload, 2).op(Opcode::Ireturn);
    };
    let set = |code: &mut CodeBuilder, pool: &mut Pool| {
        code.local(Opcode::Aload, 0).local(Opcode::Iload, 1);
        code.field(Opcode::Putfield, [b"T", b"x", b"I"], pool).unwrap().op(Opcode::Return);
    };
    let see = |code: &mut CodeBuilder, pool: &mut Pool| {
        code.local(Opcode::Aload, 0).field(Opcode::Getfield, [b"T", b"x", b"I"], pool).unwrap();
        code.op(Opcode::Ireturn);
    };
    let methods: [(Flags, &str, &str, Build<'_>); 3] = [
        (Flags::PUBLIC, "mainRun", "(LT;I)I", &run),
        (Flags::PUBLIC, "mainSet", "(I)V", &set),
        (Flags::PUBLIC, "mainSee", "()I", &see),
    ];
    let bytes = class("T", &[("x", "I")], &methods);
    let mut file = ClassFile::read(&bytes).unwrap();
    file.fields[0].flags = file.fields[0].flags.with(flags);
    listing(&optimized(&[("T", file.to_bytes().unwrap())], "main*", false), "T", "mainRun")
}

/// Of an object that may be null a load is a check, and one of a volatile field waits for what other threads did.
#[test]
fn a_load_for_nothing_goes() {
    assert_eq!(loaded_for_nothing(0, Flags(0)), "iload_2\nireturn\n");
    assert_eq!(loaded_for_nothing(1, Flags(0)), "aload_1\ngetfield T.x\npop\niload_2\nireturn\n");
    assert_eq!(loaded_for_nothing(0, Flags::VOLATILE), "aload_0\ngetfield T.x\npop\niload_2\nireturn\n");
}

/// Whether the class has an initializer behind optimization, which puts these instructions in front of its return.
fn initializer_stays(build: impl Fn(&mut CodeBuilder, &mut Pool)) -> bool {
    let initialize = |code: &mut CodeBuilder, pool: &mut Pool| {
        build(code, pool);
        code.op(Opcode::Return);
    };
    let one = |code: &mut CodeBuilder, _: &mut Pool| {
        code.op(Opcode::Iconst1).op(Opcode::Ireturn);
    };
    let run = |code: &mut CodeBuilder, pool: &mut Pool| {
        call(code, pool, Opcode::Invokestatic, "A", "one", "()I");
        code.op(Opcode::Ireturn);
    };
    let methods: [(Flags, &str, &str, Build<'_>); 2] =
        [(STATIC, "<clinit>", "()V", &initialize), (STATIC, "one", "()I", &one)];
    let a = class("A", &[], &methods);
    let mut file = ClassFile::read(&a).unwrap();
    file.add_field(Flags::PUBLIC | STATIC, b"kept", b"I").unwrap();
    file.add_field(Flags::PRIVATE | STATIC, b"unread", b"I").unwrap();
    let a = file.to_bytes().unwrap();
    let files = [("T", class("T", &[], &[(STATIC, "run", "()I", &run)])), ("A", a)];
    let rules = "-keep class T { *** run(...); }\n-keep class A { *** one(); *** kept; }";
    let result = read(&optimized_by(&files, rules, false), "A");
    let file = ClassFile::read(&result).unwrap();
    file.method(b"<clinit>", b"()V").is_some()
}

/// Stores a number in a field of the class.
fn store(code: &mut CodeBuilder, pool: &mut Pool, field: &str) {
    code.int(7, pool).unwrap();
    code.field(Opcode::Putstatic, [b"A", field.as_bytes(), b"I"], pool).unwrap();
}

#[test]
fn an_initializer_that_does_nothing_goes() {
    assert!(!initializer_stays(|_, _| {}));
    assert!(!initializer_stays(|code, pool| store(code, pool, "unread")));
}

#[test]
fn an_initializer_that_does_something_stays() {
    assert!(initializer_stays(|code, pool| store(code, pool, "kept")));
    assert!(initializer_stays(|code, pool| call(
        code,
        pool,
        Opcode::Invokestatic,
        "Missing",
        "begin",
        "()V"
    )));
}

/// A class with an initializer.
fn with_initializer(build: Build<'_>, serializable: bool, version: bool) -> Vec<u8> {
    let bytes = class("T", &[], &[(Flags::STATIC, "<clinit>", "()V", build)]);
    let mut file = ClassFile::read(&bytes).unwrap();
    if serializable {
        let interface = file.pool.add_class(b"java/io/Serializable").unwrap();
        file.interfaces.push(interface);
    }
    if version {
        file.add_field(Flags::STATIC | Flags::FINAL, b"serialVersionUID", b"J").unwrap();
    }
    file.add_field(Flags::STATIC, b"seen", b"I").unwrap();
    file.to_bytes().unwrap()
}

/// Whether the initializer is there where bodies alone were optimized, with so much fuel.
fn stays_alone_with(file: Vec<u8>, fuel: Option<u64>) -> bool {
    let (mut archive, hierarchy) = read_in(&[("T", file)]);
    let (classpath, roots) = (Classpath::default(), Roots::default());
    let around = Surroundings::quiet(&hierarchy, &classpath, &roots);
    let outcome = optimize_each(&mut archive, around, &Settings { fuel, ..Settings::default() }).unwrap();
    let bytes = read(&archive, "T");
    let file = ClassFile::read(&bytes).unwrap();
    let stays = file.method(b"<clinit>", b"()V").is_some();
    assert!(stays || outcome.changed > 0, "what goes is counted");
    stays
}

fn stays_alone(build: Build<'_>) -> bool {
    stays_alone_with(with_initializer(build, false, false), None)
}

fn nothing(code: &mut CodeBuilder, _: &mut Pool) {
    code.op(Opcode::Return);
}

/// `int k = 9; do k += STEP; while (k TEST 0);`
fn counts(step: i16, goes_on: Opcode) -> impl Fn(&mut CodeBuilder, &mut Pool) {
    move |code, pool| {
        let top = code.label();
        code.int(9, pool).unwrap().local(Opcode::Istore, 0);
        code.bind(top).frame(Form::Append(vec![VerificationType::Integer]));
        code.increment(0, step).local(Opcode::Iload, 0).jump(goes_on, top).op(Opcode::Return);
    }
}

#[test]
fn an_initializer_goes_where_bodies_alone_are_optimized() {
    assert!(!stays_alone(&nothing));
    assert!(!stays_alone(&counts(-1, Opcode::Ifgt)));
    assert!(!stays_alone(&counts(-3, Opcode::Ifne)));
}

#[test]
fn one_that_does_something_or_does_not_end_stays() {
    assert!(stays_alone(&|code, pool| {
        code.op(Opcode::Iconst1);
        code.field(Opcode::Putstatic, [b"T", b"seen", b"I"], pool).unwrap();
        code.op(Opcode::Return);
    }));
    assert!(stays_alone(&counts(0, Opcode::Ifgt)), "a loop for ever is seen");
}

#[test]
fn a_computed_version_stays_what_it_was() {
    assert!(stays_alone_with(with_initializer(&nothing, true, false), None));
    assert!(!stays_alone_with(with_initializer(&nothing, true, true), None), "it states its version");
}

#[test]
fn without_fuel_it_stays() {
    assert!(stays_alone_with(with_initializer(&nothing, false, false), Some(0)));
    assert!(!stays_alone_with(with_initializer(&nothing, false, false), Some(1)));
}
