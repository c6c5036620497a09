//! What arrays hold, and the traps: whoever else has them, or sees them too early.

use crate::small::asks::asks;
use crate::small::fields::{field, with_fields};
use crate::small::listing::listing;
use crate::small::{Build, Pool, call, class, class_below, optimized};
use planish_classfile::Opcode::*;
use planish_classfile::builder::CodeBuilder;
use planish_classfile::frame::{Form, VerificationType};
use planish_classfile::{ClassFile, Constant, Flags, Opcode};

const STATIC: Flags = Flags::STATIC;
const INT: i8 = 10;
const BYTE: i8 = 8;
const BOOLEAN: i8 = 4;
const CHAR: i8 = 5;

type Files<'f> = &'f [(&'f str, Vec<u8>)];
type Methods<'m> = &'m [(Flags, &'m str, &'m str, Build<'m>)];

/// Whether it is decided how a test of what `value` pushes ends, in `T.main`, which gets a number. `T` has static
/// fields `a` of type `int[]`, `o` of `Object`, `i` of the interface `I`, and these methods besides.
fn is_decided_among(value: Build<'_>, test: Opcode, others: Methods<'_>, files: Files<'_>) -> bool {
    let ask = asks(value, test);
    let construct: Build<'_> = &|code, pool| {
        code.local(Aload, 0);
        call(code, pool, Invokespecial, "java/lang/Object", "<init>", "()V");
        code.op(Return);
    };
    let above: Build<'_> = &|code, pool| {
        code.local(Aload, 0);
        call(code, pool, Invokespecial, "A", "<init>", "()V");
        code.op(Return);
    };
    let t = class("T", &[], &[&[(STATIC, "main", "(I)I", &ask as Build<'_>)], others].concat());
    let fields = [(STATIC, "a", "[I"), (STATIC, "o", "Ljava/lang/Object;"), (STATIC, "i", "LI;")];
    let t = with_fields(&t, &fields);
    let interface = ClassFile::new(
        52,
        Flags::PUBLIC | Flags::INTERFACE | Flags::ABSTRACT,
        b"I",
        Some(b"java/lang/Object"),
    );
    let others = [
        ("T", t),
        ("I", interface.unwrap().to_bytes().unwrap()),
        ("A", class("A", &[], &[(Flags::PUBLIC, "<init>", "()V", construct)])),
        ("B", class_below(b"A", "B", &[], &[(Flags::PUBLIC, "<init>", "()V", above)])),
    ];
    let text = listing(&optimized(&[&others[..], files].concat(), "main", false), "T", "main");
    // Else both ways return by themselves.
    let returns = text.matches("ireturn").count();
    assert!(returns > 0 && returns < 3, "{text}");
    returns == 1
}

fn is_decided(value: Build<'_>, test: Opcode) -> bool {
    is_decided_among(value, test, &[], &[])
}

/// A static field of `T`.
fn own(code: &mut CodeBuilder, pool: &mut Pool, op: Opcode, name: &str, ty: &str) {
    field(code, pool, op, ["T", name, ty]);
}

/// Makes an array of as many items as `main` is given, in a local variable.
fn table(code: &mut CodeBuilder, element: i8, slot: u16) {
    code.local(Iload, 0).new_array(element).local(Astore, slot);
}

/// `array[0] = number`, of `int`s.
fn set(code: &mut CodeBuilder, pool: &mut Pool, slot: u16, number: i32) {
    code.local(Aload, slot).op(Iconst0).int(number, pool).unwrap().op(Iastore);
}

/// `array[0]`.
fn get(code: &mut CodeBuilder, slot: u16, load: Opcode) {
    code.local(Aload, slot).op(Iconst0).op(load);
}

/// Makes an array `{5, 5}`.
fn fives(code: &mut CodeBuilder) {
    code.op(Iconst2).new_array(INT);
    for place in [Iconst0, Iconst1] {
        code.op(Dup).op(place).op(Iconst5).op(Iastore);
    }
}

/// Makes an object of a class without arguments.
fn make(code: &mut CodeBuilder, pool: &mut Pool, class: &str) {
    code.class(New, class.as_bytes(), pool).unwrap().op(Dup);
    call(code, pool, Invokespecial, class, "<init>", "()V");
}

/// Whether it is decided that an item is zero of an array to which this was done.
fn stays_zero(with: Build<'_>) -> bool {
    stays_zero_among(with, &[], &[])
}

fn stays_zero_among(with: Build<'_>, others: Methods<'_>, files: Files<'_>) -> bool {
    let value: Build<'_> = &|code, pool| {
        table(code, INT, 1);
        with(code, pool);
        // Which item it is nobody knows.
        code.local(Aload, 1).local(Iload, 0).op(Iaload);
    };
    is_decided_among(value, Ifeq, others, files)
}

#[test]
fn an_array_holds_zeros_until_something_is_stored() {
    assert!(stays_zero(&|_, _| {}));
    assert!(stays_zero(&|code, pool| set(code, pool, 1, 0)));
    assert!(!stays_zero(&|code, pool| set(code, pool, 1, 7)));
    assert!(stays_zero(&|code, pool| {
        table(code, INT, 2);
        set(code, pool, 2, 7);
    }));
}

#[test]
fn items_of_other_types_are_apart() {
    assert!(stays_zero(&|code, pool| {
        // One variable holds arrays of both.
        code.local(Aload, 1);
        own(code, pool, Putstatic, "o", "Ljava/lang/Object;");
        table(code, BYTE, 2);
        code.local(Aload, 2).op(Iconst0).op(Iconst5).op(Bastore).local(Aload, 2);
        own(code, pool, Putstatic, "o", "Ljava/lang/Object;");
    }));
}

#[test]
fn what_goes_through_fields_is_followed() {
    for (name, ty) in [("a", "[I"), ("o", "Ljava/lang/Object;")] {
        for number in [0, 7] {
            let touch: Build<'_> = &|code, pool| {
                own(code, pool, Getstatic, name, ty);
                code.class(Checkcast, b"[I", pool).unwrap().local(Astore, 1);
                set(code, pool, 1, number);
                code.op(Return);
            };
            let through: Build<'_> = &|code, pool| {
                code.local(Aload, 1);
                own(code, pool, Putstatic, name, ty);
                code.local(Iload, 0);
                call(code, pool, Invokestatic, "T", "touch", "(I)V");
            };
            assert_eq!(
                stays_zero_among(through, &[(STATIC, "touch", "(I)V", touch)], &[]),
                number == 0,
                "{name}"
            );
        }
    }
}

/// A verifier lets anything be stored in a variable whose type is an interface.
#[test]
fn a_variable_of_an_interface_may_hold_an_array() {
    assert!(!stays_zero(&|code, pool| {
        code.local(Aload, 1);
        own(code, pool, Putstatic, "o", "Ljava/lang/Object;");
        own(code, pool, Getstatic, "o", "Ljava/lang/Object;");
        own(code, pool, Putstatic, "i", "LI;");
        own(code, pool, Getstatic, "i", "LI;");
        code.class(Checkcast, b"[I", pool).unwrap().local(Astore, 2);
        set(code, pool, 2, 7);
    }));
}

#[test]
fn arguments_and_results_are_followed() {
    for number in [0, 7] {
        let touch: Build<'_> = &|code, pool| {
            set(code, pool, 0, number);
            code.local(Aload, 0).op(Areturn);
        };
        let touch = (STATIC, "touch", "([I)[I", touch);
        let passed: Build<'_> = &|code, pool| {
            code.local(Aload, 1);
            call(code, pool, Invokestatic, "T", "touch", "([I)[I");
            code.op(Pop);
        };
        assert_eq!(stays_zero_among(passed, &[touch], &[]), number == 0);
        let result: Build<'_> = &|code, pool| {
            code.local(Aload, 1);
            call(code, pool, Invokestatic, "T", "same", "(Ljava/lang/Object;)Ljava/lang/Object;");
            code.class(Checkcast, b"[I", pool).unwrap().local(Astore, 2);
            set(code, pool, 2, number);
        };
        let same: Build<'_> = &|code, _| {
            code.local(Aload, 0).op(Areturn);
        };
        let same = (STATIC, "same", "(Ljava/lang/Object;)Ljava/lang/Object;", same);
        assert_eq!(stays_zero_among(result, &[same], &[]), number == 0);
    }
}

/// One of two methods to which a call leads stores something.
#[test]
fn virtual_calls_lead_everywhere() {
    for number in [0, 7] {
        let quiet: Build<'_> = &|code, _| {
            code.op(Return);
        };
        let store: Build<'_> = &|code, pool| {
            set(code, pool, 1, number);
            code.op(Return);
        };
        let construct = |above: &'static str| {
            move |code: &mut CodeBuilder, pool: &mut Pool| {
                code.local(Aload, 0);
                call(code, pool, Invokespecial, above, "<init>", "()V");
                code.op(Return);
            }
        };
        let (of_object, of_v) = (construct("java/lang/Object"), construct("V"));
        let v =
            [(Flags::PUBLIC, "<init>", "()V", &of_object as Build<'_>), (Flags::PUBLIC, "f", "([I)V", quiet)];
        let w = [(Flags::PUBLIC, "<init>", "()V", &of_v as Build<'_>), (Flags::PUBLIC, "f", "([I)V", store)];
        let files = [("V", class("V", &[], &v)), ("W", class_below(b"V", "W", &[], &w))];
        let either: Build<'_> = &|code, pool| {
            let (other, end) = (code.label(), code.label());
            let int = VerificationType::Integer;
            let class = VerificationType::Object(pool.add_class(b"V").unwrap());
            code.local(Iload, 0).jump(Ifeq, other);
            make(code, pool, "V");
            code.jump(Goto, end).bind(other).frame(Form::Same);
            make(code, pool, "W");
            code.bind(end).frame(Form::Full { locals: vec![int], stack: vec![class] });
            code.op(Areturn);
        };
        let call_it: Build<'_> = &|code, pool| {
            code.local(Iload, 0);
            call(code, pool, Invokestatic, "T", "either", "(I)LV;");
            code.local(Aload, 1);
            call(code, pool, Invokevirtual, "V", "f", "([I)V");
        };
        let is_zero = stays_zero_among(call_it, &[(STATIC, "either", "(I)LV;", either)], &files);
        assert_eq!(is_zero, number == 0);
    }
}

#[test]
fn code_outside_may_store_anything() {
    assert!(!stays_zero(&|code, pool| {
        code.local(Aload, 1);
        call(code, pool, Invokestatic, "java/lib/Some", "keep", "(Ljava/lang/Object;)V");
    }));
    assert!(!stays_zero(&|code, pool| {
        code.local(Aload, 1);
        field(code, pool, Putstatic, ["java/lib/Some", "kept", "[I"]);
    }));
    assert!(!stays_zero(&|code, pool| {
        call(code, pool, Invokestatic, "java/lib/Some", "get", "()[I");
        code.local(Astore, 1);
    }));
    // What is in an array that it has it has, too.
    assert!(!stays_zero(&|code, pool| {
        code.op(Iconst1)
            .class(Anewarray, b"[I", pool)
            .unwrap()
            .op(Dup)
            .op(Iconst0)
            .local(Aload, 1)
            .op(Aastore);
        call(code, pool, Invokestatic, "java/lib/Some", "keep", "(Ljava/lang/Object;)V");
    }));
}

/// A method that something outside calls gets what nobody knows.
#[test]
fn what_open_methods_get_and_give_is_open() {
    let ask = asks(&|code, _| get(code, 0, Iaload), Ifeq);
    let t = class("T", &[], &[(STATIC, "main", "([I)I", &ask)]);
    let text = listing(&optimized(&[("T", t)], "main", false), "T", "main");
    assert!(text.contains("iconst_2") && text.contains("iconst_3"), "{text}");
}

#[test]
fn a_native_method_may_store_anything() {
    let mut file = ClassFile::new(52, Flags::PUBLIC | Flags::SUPER, b"N", Some(b"java/lang/Object")).unwrap();
    file.add_method(STATIC | Flags::NATIVE, b"take", b"([I)V", None).unwrap();
    let take: Build<'_> = &|code, pool| {
        code.local(Aload, 1);
        call(code, pool, Invokestatic, "N", "take", "([I)V");
    };
    assert!(!stays_zero_among(take, &[], &[("N", file.to_bytes().unwrap())]));
}

#[test]
fn methods_of_the_jdk_that_only_read_are_known() {
    let passed = |class: &'static str, name: &'static str, descriptor: &'static str| {
        stays_zero(&move |code, pool| {
            code.local(Aload, 1);
            call(code, pool, Invokestatic, class, name, descriptor);
            code.op(Pop);
        })
    };
    assert!(passed("java/util/Arrays", "hashCode", "([I)I"));
    assert!(passed("java/lang/String", "valueOf", "(Ljava/lang/Object;)Ljava/lang/String;"));
    assert!(!passed("java/util/Arrays", "asList", "([Ljava/lang/Object;)Ljava/util/List;"));
    assert!(!passed("java/util/Arrays", "stream", "([I)Ljava/util/stream/IntStream;"));
}

#[test]
fn fill_stores_and_arraycopy_copies() {
    for number in [0, 7] {
        let is_zero = stays_zero(&|code, pool| {
            code.local(Aload, 1).int(number, pool).unwrap();
            call(code, pool, Invokestatic, "java/util/Arrays", "fill", "([II)V");
        });
        assert_eq!(is_zero, number == 0);
        let is_zero = stays_zero(&|code, pool| {
            table(code, INT, 2);
            set(code, pool, 2, number);
            code.local(Aload, 2).op(Iconst0).local(Aload, 1).op(Iconst0).op(Iconst1);
            let descriptor = "(Ljava/lang/Object;ILjava/lang/Object;II)V";
            call(code, pool, Invokestatic, "java/lang/System", "arraycopy", descriptor);
        });
        assert_eq!(is_zero, number == 0);
    }
}

#[test]
fn a_clone_holds_what_the_array_holds() {
    let cloned = |number: i32| {
        let value: Build<'_> = &|code, pool| {
            table(code, INT, 1);
            set(code, pool, 1, number);
            code.local(Aload, 1);
            call(code, pool, Invokevirtual, "[I", "clone", "()Ljava/lang/Object;");
            code.class(Checkcast, b"[I", pool).unwrap().op(Iconst0).op(Iaload);
        };
        is_decided(value, Ifeq)
    };
    assert!(cloned(0) && !cloned(7));
}

/// An array of texts is one of objects, too.
#[test]
fn arrays_are_covariant() {
    let holds = |stored: Build<'_>| {
        let value: Build<'_> = &|code, pool| {
            code.local(Iload, 0).class(Anewarray, b"java/lang/String", pool).unwrap().local(Astore, 1);
            code.local(Aload, 1).class(Checkcast, b"[Ljava/lang/Object;", pool).unwrap().op(Iconst0);
            stored(code, pool);
            code.op(Aastore);
            get(code, 1, Aaload);
        };
        is_decided(value, Ifnull)
    };
    assert!(holds(&|code, _| {
        code.op(AconstNull);
    }));
    assert!(!holds(&|code, pool| {
        let text = pool.add_utf8(b"x").unwrap();
        code.load(Constant::String(text), pool).unwrap();
    }));
}

#[test]
fn arrays_in_arrays_are_followed() {
    for number in [0, 7] {
        assert_eq!(
            stays_zero(&|code, pool| {
                code.local(Iload, 0).class(Anewarray, b"[I", pool).unwrap().local(Astore, 2);
                code.local(Aload, 2).op(Iconst0).local(Aload, 1).op(Aastore);
                get(code, 2, Aaload);
                code.local(Astore, 3);
                set(code, pool, 3, number);
            }),
            number == 0
        );
    }
}

#[test]
fn arrays_that_are_made_in_arrays_are_there() {
    let made = |code: &mut CodeBuilder, pool: &mut Pool| {
        code.local(Iload, 0).op(Iconst3);
        code.new_arrays(b"[[I", 2, pool).unwrap().local(Astore, 1);
    };
    let is_there: Build<'_> = &|code, pool| {
        made(code, pool);
        get(code, 1, Aaload);
    };
    assert!(!is_decided(is_there, Ifnull), "another thread may see null, this one does not");
    let inner: Build<'_> = &|code, pool| {
        made(code, pool);
        get(code, 1, Aaload);
        code.op(Iconst1).op(Iaload);
    };
    assert!(is_decided(inner, Ifeq));
}

/// What a handler has is what was there when something was thrown.
#[test]
fn handlers_have_arrays() {
    let caught = |number: i32| {
        let body: Build<'_> = &|code, pool| {
            let (start, end, handler) = (code.label(), code.label(), code.label());
            code.local(Iload, 0).new_array(INT).local(Astore, 1);
            code.bind(start).op(Iconst1).local(Iload, 0).op(Idiv).op(Pop).bind(end);
            code.local(Aload, 1).op(Iconst0).op(Iaload).op(Ireturn).bind(handler);
            let array = VerificationType::Object(pool.add_class(b"[I").unwrap());
            let thrown = VerificationType::Object(pool.add_class(b"java/lang/Throwable").unwrap());
            let locals = vec![VerificationType::Integer, array];
            code.frame(Form::Full { locals, stack: vec![thrown] });
            code.handler(start, end, handler, 0).op(Pop);
            code.local(Aload, 1).local(Astore, 2);
            set(code, pool, 2, number);
            get(code, 1, Iaload);
            code.op(Ireturn);
        };
        let value: Build<'_> = &|code, pool| {
            code.local(Iload, 0);
            call(code, pool, Invokestatic, "T", "f", "(I)I");
        };
        is_decided_among(value, Ifeq, &[(STATIC, "f", "(I)I", body)], &[])
    };
    assert!(caught(0) && !caught(7));
}

/// Arrays of truths keep one bit, those of bytes eight; nobody knows which one `bastore` gets.
#[test]
fn stores_narrow() {
    let stored = |element: i8, store: Opcode, load: Opcode, number: i32, limit: i32, test: Opcode| {
        let value: Build<'_> = &|code, pool| {
            table(code, element, 1);
            code.local(Aload, 1).op(Iconst0).int(number, pool).unwrap().op(store);
            get(code, 1, load);
            code.int(limit, pool).unwrap().op(Isub);
        };
        is_decided(value, test)
    };
    assert!(!stored(BOOLEAN, Bastore, Baload, 2, 0, Ifeq), "2 is false or true, as the JVM has it");
    assert!(!stored(BOOLEAN, Bastore, Baload, 3, 1, Ifeq), "3 is true");
    assert!(stored(BOOLEAN, Bastore, Baload, 1, 2, Iflt));
    assert!(!stored(BYTE, Bastore, Baload, 200, 0, Iflt), "200 is -56");
    assert!(stored(BYTE, Bastore, Baload, 200, 128, Iflt));
    assert!(stored(BYTE, Bastore, Baload, 5, 6, Iflt));
    assert!(stored(CHAR, Castore, Caload, -1, 0, Iflt) && !stored(CHAR, Castore, Caload, -1, 65_535, Iflt));
}

#[test]
fn what_is_in_an_array_has_a_class() {
    let holds = |class: &'static str, asked: &'static str| {
        let value: Build<'_> = &|code, pool| {
            code.local(Iload, 0).class(Anewarray, b"A", pool).unwrap().local(Astore, 1);
            code.local(Aload, 1).op(Iconst0);
            make(code, pool, class);
            code.op(Aastore);
            get(code, 1, Aaload);
            code.class(Instanceof, asked.as_bytes(), pool).unwrap();
        };
        is_decided(value, Ifeq)
    };
    assert!(holds("A", "B"));
    assert!(!holds("B", "B") && !holds("A", "A"), "it may be null");
}

/// Whether it is decided that an item of what `value` pushes is 5.
fn is_five(array: Build<'_>, others: Methods<'_>, files: Files<'_>) -> bool {
    let value: Build<'_> = &|code, pool| {
        array(code, pool);
        code.local(Iload, 0).op(Iaload).op(Iconst5).op(Isub);
    };
    is_decided_among(value, Ifeq, others, files)
}

#[test]
fn nobody_sees_the_zeros_of_an_array_that_is_filled_where_it_is_made() {
    assert!(is_five(&|code, _| fives(code), &[], &[]));
    let half: Build<'_> = &|code, _| {
        code.op(Iconst2).new_array(INT).op(Dup).op(Iconst0).op(Iconst5).op(Iastore);
    };
    assert!(!is_five(half, &[], &[]));
    let unknown: Build<'_> = &|code, _| {
        code.local(Iload, 0).new_array(INT).op(Dup).op(Iconst0).op(Iconst5).op(Iastore);
    };
    assert!(!is_five(unknown, &[], &[]));
    // It is read in between.
    let early: Build<'_> = &|code, _| {
        code.op(Iconst1).new_array(INT).local(Astore, 1);
        code.local(Aload, 1)
            .op(Iconst0)
            .local(Aload, 1)
            .op(Iconst0)
            .op(Iaload)
            .op(Iconst5)
            .op(Ior)
            .op(Iastore);
        code.local(Aload, 1);
    };
    assert!(!is_five(early, &[], &[]));
    let longer: Build<'_> = &|code, pool| {
        fives(code);
        code.op(Iconst4);
        call(code, pool, Invokestatic, "java/util/Arrays", "copyOf", "([II)[I");
    };
    assert!(!is_five(longer, &[], &[]), "zeros were added");
}

/// Others wait until the initializer is done, but not for a store that comes later.
#[test]
fn a_static_field_shows_a_filled_array_if_its_initializer_stores_it() {
    let store: Build<'_> = &|code, pool| {
        fives(code);
        own(code, pool, Putstatic, "a", "[I");
        code.op(Return);
    };
    let read: Build<'_> = &|code, pool| own(code, pool, Getstatic, "a", "[I");
    assert!(is_five(read, &[(STATIC, "<clinit>", "()V", store)], &[]));
    let later: Build<'_> = &|code, pool| {
        code.local(Iload, 0);
        call(code, pool, Invokestatic, "T", "later", "(I)V");
        read(code, pool);
    };
    assert!(!is_five(later, &[(STATIC, "later", "(I)V", store)], &[]));
}

/// A thread that came by the object without care sees what a final field holds, and no other.
#[test]
fn a_field_shows_a_filled_array_if_it_is_final() {
    for (flags, is_known) in [(Flags::FINAL, true), (Flags(0), false)] {
        let construct: Build<'_> = &|code, pool| {
            code.local(Aload, 0);
            call(code, pool, Invokespecial, "java/lang/Object", "<init>", "()V");
            code.local(Aload, 0);
            fives(code);
            field(code, pool, Putfield, ["F", "f", "[I"]);
            code.op(Return);
        };
        let own = class("F", &[], &[(Flags::PUBLIC, "<init>", "()V", construct)]);
        let files = [("F", with_fields(&own, &[(flags, "f", "[I")]))];
        let read: Build<'_> = &|code, pool| {
            make(code, pool, "F");
            own_object(code, pool);
            own_read(code, pool);
        };
        assert_eq!(is_five(read, &[], &files), is_known);
    }
}

/// The object goes where others have it.
fn own_object(code: &mut CodeBuilder, pool: &mut Pool) {
    own(code, pool, Putstatic, "o", "Ljava/lang/Object;");
}

fn own_read(code: &mut CodeBuilder, pool: &mut Pool) {
    own(code, pool, Getstatic, "o", "Ljava/lang/Object;");
    code.class(Checkcast, b"F", pool).unwrap();
    field(code, pool, Getfield, ["F", "f", "[I"]);
}

/// Another thread may find the array in there before what was stored into it.
#[test]
fn an_array_in_an_array_is_not_known_to_be_filled() {
    let inner: Build<'_> = &|code, pool| {
        code.op(Iconst1).class(Anewarray, b"[I", pool).unwrap().op(Dup).op(Iconst0);
        fives(code);
        code.op(Aastore).local(Iload, 0).op(Aaload);
    };
    assert!(!is_five(inner, &[], &[]));
}
