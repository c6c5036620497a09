//! Fields that are set before anybody can read them, what they hold, and the traps: initializers that go in circles,
//! classes above, constructors that show their object.

use crate::small::asks::asks;
use crate::small::fields::{field, with_fields};
use crate::small::listing::listing;
use crate::small::{Build, OBJECT, Pool, call, class, class_below, optimized};
use planish_classfile::builder::CodeBuilder;
use planish_classfile::frame::{Form, VerificationType};
use planish_classfile::{ClassFile, Flags, Opcode};
use planish_jar::classes::Archive;

const STATIC: Flags = Flags(Flags::PUBLIC.0 | Flags::STATIC.0);
const FINAL: Flags = Flags(Flags::PUBLIC.0 | Flags::FINAL.0);
const INIT: &str = "<clinit>";

/// Makes an object of a class without arguments.
fn make(code: &mut CodeBuilder, pool: &mut Pool, class: &str) {
    code.class(Opcode::New, class.as_bytes(), pool).unwrap().op(Opcode::Dup);
    call(code, pool, Opcode::Invokespecial, class, "<init>", "()V");
}

/// A constructor that does nothing but call the one above.
fn above(of: &'static str) -> impl Fn(&mut CodeBuilder, &mut Pool) {
    move |code, pool| {
        code.local(Opcode::Aload, 0);
        call(code, pool, Opcode::Invokespecial, of, "<init>", "()V");
        code.op(Opcode::Return);
    }
}

/// A class with a method of objects that uses it, and nothing to initialize.
fn helper(name: &'static str) -> (&'static str, Vec<u8>) {
    let plain = above("java/lang/Object");
    (name, class(name, &[], &[(Flags::PUBLIC, "<init>", "()V", &plain)]))
}

/// `T.main` asks whether `C.X` is null, which the initializer of `C` sets after what `before` does. Other classes may
/// ask too.
fn asked(before: Build<'_>, fields: &[(Flags, &str, &str)], others: &[(&'static str, Vec<u8>)]) -> Archive {
    let initialize: Build<'_> = &|code, pool| {
        before(code, pool);
        make(code, pool, "A");
        field(code, pool, Opcode::Putstatic, ["C", "X", "LA;"]);
        code.op(Opcode::Return);
    };
    let read: Build<'_> = &|code, pool| field(code, pool, Opcode::Getstatic, ["C", "X", "LA;"]);
    let ask = asks(read, Opcode::Ifnull);
    let c = class("C", &[], &[(Flags::STATIC, INIT, "()V", initialize), (STATIC, "get", "()I", &ask)]);
    let c = with_fields(&c, &[&[(STATIC, "X", "LA;")], fields].concat());
    let main: Build<'_> = &|code, pool| {
        call(code, pool, Opcode::Invokestatic, "C", "get", "()I");
        code.op(Opcode::Ireturn);
    };
    let t = class("T", &[], &[(STATIC, "main", "()I", main)]);
    let files = [&[("T", t), ("C", c), helper("A")], others].concat();
    optimized(&files, "main", false)
}

/// Whether anybody still asks for null.
fn asks_for_null(archive: &Archive, class: &str, method: &str) -> bool {
    listing(archive, class, method).contains("null")
}

/// The body that asks, wherever it came to stand.
fn is_asked(archive: &Archive) -> bool {
    let has = |class: &str, method: &str| {
        let bytes = crate::small::listing::read(archive, class);
        let file = ClassFile::read(&bytes).unwrap();
        file.methods.iter().any(|found| file.pool.utf8(found.name) == Ok(method.as_bytes()))
    };
    let mut asked = asks_for_null(archive, "T", "main");
    if archive.find(b"C.class").is_some() {
        asked |= has("C", "get") && asks_for_null(archive, "C", "get");
    }
    asked
}

#[test]
fn a_static_field_that_the_initializer_sets_first_is_there() {
    assert!(!is_asked(&asked(&|_, _| {}, &[], &[])));
}

#[test]
fn a_static_field_that_some_way_leaves_out_may_be_null() {
    let archive = asked(
        &|code, pool| {
            let go_on = code.label();
            field(code, pool, Opcode::Getstatic, ["T2", "skip", "I"]);
            code.jump(Opcode::Ifeq, go_on).op(Opcode::Return).bind(go_on).frame(Form::Same);
        },
        &[],
        &[("T2", {
            let set: Build<'_> = &|code, pool| {
                call(code, pool, Opcode::Invokestatic, "java/lang/System", "nanoTime", "()J");
                code.op(Opcode::L2i);
                field(code, pool, Opcode::Putstatic, ["T2", "skip", "I"]);
                code.op(Opcode::Return);
            };
            let t2 = class("T2", &[], &[(Flags::STATIC, INIT, "()V", set)]);
            with_fields(&t2, &[(STATIC, "skip", "I")])
        })],
    );
    assert!(is_asked(&archive));
}

/// The initializer of `C` makes a `B` first, and that of `B` reads `C.X`, which is null so far.
#[test]
fn initializers_that_go_in_circles_see_null() {
    let circle: Build<'_> = &|code, pool| {
        let there = code.label();
        field(code, pool, Opcode::Getstatic, ["C", "X", "LA;"]);
        code.jump(Opcode::Ifnonnull, there).op(Opcode::Iconst1);
        field(code, pool, Opcode::Putstatic, ["B", "saw", "I"]);
        code.bind(there).frame(Form::Same).op(Opcode::Return);
    };
    let get: Build<'_> = &|code, pool| {
        field(code, pool, Opcode::Getstatic, ["B", "saw", "I"]);
        code.op(Opcode::Ireturn);
    };
    let plain = above("java/lang/Object");
    let methods = [
        (Flags::STATIC, INIT, "()V", circle),
        (STATIC, "get", "()I", get),
        (Flags::PUBLIC, "<init>", "()V", &plain as Build<'_>),
    ];
    // Another thread may look at it, so that it is not left out.
    let b = with_fields(&class("B", &[], &methods), &[(STATIC | Flags::VOLATILE, "saw", "I")]);
    let archive = asked(
        &|code, pool| {
            make(code, pool, "B");
            code.op(Opcode::Pop);
            call(code, pool, Opcode::Invokestatic, "B", "get", "()I");
            field(code, pool, Opcode::Putstatic, ["C", "seen", "I"]);
        },
        &[(STATIC, "seen", "I")],
        &[("B", b)],
    );
    assert!(asks_for_null(&archive, "B", INIT), "{}", listing(&archive, "B", INIT));
}

/// What the class above does comes before the initializer of the class.
#[test]
fn the_initializer_of_the_class_above_sees_null() {
    let read: Build<'_> = &|code, pool| {
        let there = code.label();
        field(code, pool, Opcode::Getstatic, ["C", "X", "LA;"]);
        code.jump(Opcode::Ifnonnull, there).op(Opcode::Iconst1);
        field(code, pool, Opcode::Putstatic, ["T", "saw", "I"]);
        code.bind(there).frame(Form::Same).op(Opcode::Return);
    };
    let s = class("S", &[], &[(Flags::STATIC, INIT, "()V", read)]);
    let set: Build<'_> = &|code, pool| {
        make(code, pool, "A");
        field(code, pool, Opcode::Putstatic, ["C", "X", "LA;"]);
        code.op(Opcode::Return);
    };
    let c = class_below(b"S", "C", &[], &[(Flags::STATIC, INIT, "()V", set)]);
    let c = with_fields(&c, &[(STATIC, "X", "LA;")]);
    let main: Build<'_> = &|code, pool| {
        field(code, pool, Opcode::Getstatic, ["C", "X", "LA;"]);
        code.op(Opcode::Pop);
        field(code, pool, Opcode::Getstatic, ["T", "saw", "I"]);
        code.op(Opcode::Ireturn);
    };
    let t = with_fields(&class("T", &[], &[(STATIC, "main", "()I", main)]), &[(STATIC, "saw", "I")]);
    let archive = optimized(&[("T", t), ("C", c), ("S", s), helper("A")], "main", false);
    assert!(asks_for_null(&archive, "S", INIT), "{}", listing(&archive, "S", INIT));
}

/// `T.main` compares two static fields of `C`, which the initializer sets to what `x` and `y` push.
fn compared(x: Build<'_>, y: Build<'_>, ty: &str) -> String {
    let initialize: Build<'_> = &|code, pool| {
        x(code, pool);
        field(code, pool, Opcode::Putstatic, ["T", "X", ty]);
        y(code, pool);
        field(code, pool, Opcode::Putstatic, ["T", "Y", ty]);
        code.op(Opcode::Return);
    };
    let both: Build<'_> = &|code, pool| {
        field(code, pool, Opcode::Getstatic, ["T", "X", ty]);
        field(code, pool, Opcode::Getstatic, ["T", "Y", ty]);
    };
    let ask = asks(both, Opcode::IfAcmpeq);
    let t = class("T", &[], &[(Flags::STATIC, INIT, "()V", initialize), (STATIC, "main", "()I", &ask)]);
    let t = with_fields(&t, &[(STATIC, "X", ty), (STATIC, "Y", ty)]);
    let archive = optimized(&[("T", t), helper("A")], "main", false);
    listing(&archive, "T", "main")
}

#[test]
fn objects_that_an_initializer_makes_are_different() {
    let a: Build<'_> = &|code, pool| make(code, pool, "A");
    assert_eq!(compared(a, a, "LA;"), "iconst_2\nireturn\n");
    // The same object twice.
    let again: Build<'_> = &|code, pool| field(code, pool, Opcode::Getstatic, ["T", "X", "LA;"]);
    assert_eq!(compared(a, again, "LA;"), "iconst_3\nireturn\n");
    // In a loop each round makes another one.
    let text = |text: &'static str| {
        move |code: &mut CodeBuilder, pool: &mut Pool| {
            let index = pool.add_string(text.as_bytes()).unwrap();
            code.load(pool.get(index).unwrap(), &mut pool.clone()).unwrap();
        }
    };
    assert_eq!(compared(&text("a"), &text("b"), "Ljava/lang/String;"), "iconst_2\nireturn\n");
    assert_eq!(compared(&text("a"), &text("a"), "Ljava/lang/String;"), "iconst_3\nireturn\n");
    let some: Build<'_> = &|code, pool| {
        call(code, pool, Opcode::Invokestatic, "java/lang/System", "lineSeparator", "()Ljava/lang/String;");
    };
    assert!(compared(&text("a"), some, "Ljava/lang/String;").contains("if"));
}

/// `intern` takes the text as the constant if none is there so far, as it is in JVMs that make constants when they are
/// first used: then both are one object.
#[test]
fn a_text_that_an_initializer_makes_may_become_the_constant() {
    const TEXT: &str = "Ljava/lang/String;";
    let constant: Build<'_> = &|code, pool| {
        let index = pool.add_string(b"").unwrap();
        code.load(pool.get(index).unwrap(), &mut pool.clone()).unwrap();
    };
    let made: Build<'_> = &|code, pool| {
        code.class(Opcode::New, b"java/lang/String", pool).unwrap().op(Opcode::Dup);
        call(code, pool, Opcode::Invokespecial, "java/lang/String", "<init>", "()V");
        code.op(Opcode::Dup);
        call(code, pool, Opcode::Invokevirtual, "java/lang/String", "intern", "()Ljava/lang/String;");
        code.op(Opcode::Pop);
    };
    let text = compared(made, constant, TEXT);
    assert!(text.contains("if"), "{text}");
}

/// A method that a loop in the initializer calls makes another object each time.
#[test]
fn objects_that_are_made_more_than_once_may_differ() {
    let made: Build<'_> = &|code, pool| {
        make(code, pool, "A");
        code.op(Opcode::Areturn);
    };
    let initialize: Build<'_> = &|code, pool| {
        let (round, done) = (code.label(), code.label());
        code.int(0, pool).unwrap().local(Opcode::Istore, 0);
        code.bind(round).frame(Form::Append(vec![VerificationType::Integer]));
        code.local(Opcode::Iload, 0).int(2, pool).unwrap().jump(Opcode::IfIcmpge, done);
        field(code, pool, Opcode::Getstatic, ["T", "X", "LA;"]);
        field(code, pool, Opcode::Putstatic, ["T", "Y", "LA;"]);
        make(code, pool, "A");
        field(code, pool, Opcode::Putstatic, ["T", "X", "LA;"]);
        code.increment(0, 1).jump(Opcode::Goto, round);
        code.bind(done).frame(Form::Chop(1)).op(Opcode::Return);
    };
    let both: Build<'_> = &|code, pool| {
        field(code, pool, Opcode::Getstatic, ["T", "X", "LA;"]);
        field(code, pool, Opcode::Getstatic, ["T", "Y", "LA;"]);
    };
    let ask = asks(both, Opcode::IfAcmpeq);
    let methods = [
        (Flags::STATIC, INIT, "()V", initialize),
        (STATIC, "main", "()I", &ask as Build<'_>),
        (STATIC, "mainMade", "()LA;", made),
    ];
    let t = with_fields(&class("T", &[], &methods), &[(STATIC, "X", "LA;"), (STATIC, "Y", "LA;")]);
    let archive = optimized(&[("T", t), helper("A")], "main*", false);
    assert!(listing(&archive, "T", "main").contains("if"), "{}", listing(&archive, "T", "main"));
}

/// `T.main` asks whether the array in a field of a `C` has eight elements. What `first` does comes before the array is
/// made in the constructor; `main` gets a `C` that `T.mainMake` made.
fn length(flags: Flags, first: Build<'_>, extends: &str, others: &[(&'static str, Vec<u8>)]) -> String {
    let archive = asked_for_length(flags, first, extends, others);
    let text = listing(&archive, "T", "main");
    match text.contains("C.size") {
        true => listing(&archive, "C", "size"),
        false => text,
    }
}

fn asked_for_length(
    flags: Flags,
    first: Build<'_>,
    extends: &str,
    others: &[(&'static str, Vec<u8>)],
) -> Archive {
    let construct: Build<'_> = &|code, pool| {
        code.local(Opcode::Aload, 0);
        call(code, pool, Opcode::Invokespecial, extends, "<init>", "()V");
        first(code, pool);
        code.local(Opcode::Aload, 0).int(8, pool).unwrap().new_array(10);
        field(code, pool, Opcode::Putfield, ["C", "a", "[I"]);
        code.op(Opcode::Return);
    };
    let size: Build<'_> = &|code, pool| {
        let there = code.label();
        code.local(Opcode::Aload, 0);
        field(code, pool, Opcode::Getfield, ["C", "a", "[I"]);
        code.jump(Opcode::Ifnonnull, there).op(Opcode::IconstM1).op(Opcode::Ireturn);
        code.bind(there).frame(Form::Same).local(Opcode::Aload, 0);
        field(code, pool, Opcode::Getfield, ["C", "a", "[I"]);
        code.op(Opcode::Arraylength).op(Opcode::Ireturn);
    };
    let methods = [(Flags::PUBLIC, "<init>", "()V", construct), (Flags::PUBLIC, "size", "()I", size)];
    let c = class_below(extends.as_bytes(), "C", &[], &methods);
    let c = with_fields(&c, &[(flags, "a", "[I"), (STATIC, "kept", "LC;")]);
    let main: Build<'_> = &|code, pool| {
        code.local(Opcode::Aload, 0);
        call(code, pool, Opcode::Invokevirtual, "C", "size", "()I");
        code.op(Opcode::Ireturn);
    };
    let made: Build<'_> = &|code, pool| {
        make(code, pool, "C");
        code.op(Opcode::Areturn);
    };
    let t = class("T", &[], &[(STATIC, "main", "(LC;)I", main), (STATIC, "mainMake", "()LC;", made)]);
    optimized(&[&[("T", t), ("C", c)], others].concat(), "main*", false)
}

#[test]
fn the_length_of_an_array_in_a_final_field_is_known() {
    let object = std::str::from_utf8(OBJECT).unwrap();
    let text = length(FINAL, &|_, _| {}, object, &[]);
    // What is left of reading it is that the object may be null.
    assert!(!text.contains("arraylength") && !text.contains("if") && text.contains("bipush 8"), "{text}");
    // Another thread that came by the object without care may see null.
    let text = length(Flags::PUBLIC, &|_, _| {}, object, &[]);
    assert!(text.contains("ifn"), "{text}");
}

#[test]
fn a_final_field_of_an_object_that_others_see_too_early_may_be_null() {
    let shown: Build<'_> = &|code, pool| {
        code.local(Opcode::Aload, 0);
        field(code, pool, Opcode::Putstatic, ["C", "kept", "LC;"]);
        field(code, pool, Opcode::Getstatic, ["C", "kept", "LC;"]);
        call(code, pool, Opcode::Invokevirtual, "C", "size", "()I");
        code.op(Opcode::Pop);
    };
    let text = length(FINAL, shown, "java/lang/Object", &[]);
    assert!(text.contains("null"), "{text}");
    // The constructor above calls a method that reads the field.
    let early: Build<'_> = &|code, pool| {
        code.local(Opcode::Aload, 0);
        call(code, pool, Opcode::Invokespecial, "java/lang/Object", "<init>", "()V");
        code.local(Opcode::Aload, 0);
        call(code, pool, Opcode::Invokevirtual, "P", "size", "()I");
        code.op(Opcode::Pop).op(Opcode::Return);
    };
    let zero: Build<'_> = &|code, _| {
        code.op(Opcode::Iconst0).op(Opcode::Ireturn);
    };
    let p = class("P", &[], &[(Flags::PUBLIC, "<init>", "()V", early), (Flags::PUBLIC, "size", "()I", zero)]);
    let text = length(FINAL, &|_, _| {}, "P", &[("P", p)]);
    assert!(text.contains("null"), "{text}");
}

/// A constructor throws if somebody finds the array in its object, before it is there.
#[test]
fn an_object_in_a_static_field_is_seen_before_it_is_done() {
    let shown: Build<'_> = &|code, pool| {
        let go_on = code.label();
        code.local(Opcode::Aload, 0);
        field(code, pool, Opcode::Putstatic, ["C", "kept", "LC;"]);
        field(code, pool, Opcode::Getstatic, ["C", "kept", "LC;"]);
        field(code, pool, Opcode::Getfield, ["C", "a", "[I"]);
        code.jump(Opcode::Ifnull, go_on).op(Opcode::IconstM1).new_array(10).op(Opcode::Pop);
        let locals = vec![VerificationType::Object(pool.add_class(b"C").unwrap())];
        code.bind(go_on).frame(Form::Full { locals, stack: Vec::new() });
    };
    let archive = asked_for_length(FINAL, shown, "java/lang/Object", &[]);
    let text = listing(&archive, "C", "<init>");
    assert!(text.contains("putfield C.a"), "{text}");
}

/// A parameter that is always the same text is that text.
#[test]
fn a_text_that_is_always_the_same_is_written_in() {
    let load: Build<'_> = &|code, pool| {
        let index = pool.add_string(b"n").unwrap();
        code.load(pool.get(index).unwrap(), &mut pool.clone()).unwrap();
    };
    let set: Build<'_> = &|code, pool| {
        load(code, pool);
        field(code, pool, Opcode::Putstatic, ["T", "name", "Ljava/lang/String;"]);
        code.op(Opcode::Return);
    };
    let main: Build<'_> = &|code, pool| {
        field(code, pool, Opcode::Getstatic, ["T", "name", "Ljava/lang/String;"]);
        code.op(Opcode::Areturn);
    };
    let methods = [(Flags::STATIC, INIT, "()V", set), (STATIC, "main", "()Ljava/lang/String;", main)];
    let t = with_fields(&class("T", &[], &methods), &[(Flags::STATIC, "name", "Ljava/lang/String;")]);
    let text = listing(&optimized(&[("T", t)], "main", false), "T", "main");
    assert!(text.contains("ldc") && !text.contains("getstatic"), "{text}");
}
