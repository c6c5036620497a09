//! What is computed for a result that nobody needs is not computed, nor what is stored in a field that nobody needs; whoever
//! may need one gets it.

use crate::small::listing::{listing, read};
use crate::small::{Build, Pool, call, class, class_below, optimized, optimized_by};
use planish_classfile::builder::CodeBuilder;
use planish_classfile::frame::Form;
use planish_classfile::{ClassFile, Flags, Opcode};
use planish_jar::classes::Archive;

/// Enough of what is seen that nobody puts the body in the place of calls.
fn long(code: &mut CodeBuilder, pool: &mut Pool, number: u16) {
    for _ in 0..40 {
        code.local(Opcode::Iload, number);
        call(code, pool, Opcode::Invokestatic, "java/lang/Unknown", "see", "(I)V");
    }
}

/// What is left of `T.f`, a long method that returns its number times 99 and that `main` calls twice, if these methods
/// are kept.
fn left_of_f(kept: &str, main: Build<'_>) -> String {
    let f: Build<'_> = &|code, pool| {
        long(code, pool, 0);
        code.local(Opcode::Iload, 0).int(99, pool).unwrap().op(Opcode::Imul).op(Opcode::Ireturn);
    };
    let t = class("T", &[], &[(Flags::STATIC, "main", "(I)I", main), (Flags::STATIC, "f", "(I)I", f)]);
    let archive = optimized_by(&[("T", t)], &format!("-keep class T {{ *** {kept}; }}"), false);
    // A variant without the result, where nobody needs that.
    let bytes = read(&archive, "T");
    let file = ClassFile::read(&bytes).unwrap();
    let names = file.methods.iter().map(|method| file.pool.utf8(method.name).unwrap());
    let name = names.into_iter().find(|name| name.starts_with(b"f")).unwrap();
    listing(&archive, "T", std::str::from_utf8(name).unwrap())
}

/// Calls `f` twice and returns the first result, if that is wanted, or what it was given.
fn calls_twice(wants: bool) -> impl Fn(&mut CodeBuilder, &mut Pool) {
    move |code, pool| {
        for is_first in [true, false] {
            code.local(Opcode::Iload, 0);
            call(code, pool, Opcode::Invokestatic, "T", "f", "(I)I");
            if is_first && wants {
                code.local(Opcode::Istore, 0);
            } else {
                code.op(Opcode::Pop);
            }
        }
        code.local(Opcode::Iload, 0).op(Opcode::Ireturn);
    }
}

#[test]
fn a_result_that_every_caller_drops_is_not_computed() {
    let text = left_of_f("main(...)", &calls_twice(false));
    assert!(text.contains("Unknown.see") && !text.contains("imul"), "{text}");
}

#[test]
fn a_result_that_one_caller_needs_is_computed() {
    let text = left_of_f("main(...)", &calls_twice(true));
    assert!(text.contains("imul"), "{text}");
}

#[test]
fn a_result_that_something_outside_may_get_is_computed() {
    let text = left_of_f("*(...)", &calls_twice(false));
    assert!(text.contains("imul"), "{text}");
}

/// `f(n)`: sees `n`, then `f(n - 1)` or, at the end, a product.
fn recursion(wants: bool) -> String {
    let main: Build<'_> = &|code, pool| {
        code.local(Opcode::Iload, 0);
        call(code, pool, Opcode::Invokestatic, "T", "f", "(I)I");
        if !wants {
            code.op(Opcode::Pop).op(Opcode::Iconst0);
        }
        code.op(Opcode::Ireturn);
    };
    let f: Build<'_> = &|code, pool| {
        let end = code.label();
        code.local(Opcode::Iload, 0);
        call(code, pool, Opcode::Invokestatic, "java/lang/Unknown", "see", "(I)V");
        code.local(Opcode::Iload, 0).jump(Opcode::Ifle, end);
        code.local(Opcode::Iload, 0).op(Opcode::Iconst1).op(Opcode::Isub);
        call(code, pool, Opcode::Invokestatic, "T", "f", "(I)I");
        code.op(Opcode::Ireturn);
        code.bind(end).frame(Form::Same);
        code.local(Opcode::Iload, 0).int(99, pool).unwrap().op(Opcode::Imul).op(Opcode::Ireturn);
    };
    let t = class("T", &[], &[(Flags::STATIC, "main", "(I)I", main), (Flags::STATIC, "f", "(I)I", f)]);
    // As it is where frames must stay, so that it is no loop in `main`.
    listing(&optimized(&[("T", t)], "main", true), "T", "f")
}

#[test]
fn a_result_that_a_recursion_only_hands_on_is_not_computed() {
    let text = recursion(false);
    assert!(text.contains("T.f") && !text.contains("imul"), "{text}");
    let text = recursion(true);
    assert!(text.contains("imul"), "{text}");
}

/// All bodies of the classes that are left.
fn everything(archive: &Archive) -> String {
    let classes =
        ["T", "A", "B"].iter().filter(|class| archive.find(format!("{class}.class").as_bytes()).is_some());
    classes
        .flat_map(|class| {
            let bytes = read(archive, class);
            let file = ClassFile::read(&bytes).unwrap();
            let name = |index| String::from_utf8(file.pool.utf8(index).unwrap().to_vec()).unwrap();
            let methods = file.methods.iter().map(|method| listing(archive, class, &name(method.name)));
            methods.collect::<Vec<_>>()
        })
        .collect()
}

/// Whether the products by 99 and 77 are left that `A.v` and `B.v` give. A call on any `A` drops them; another call, on a
/// `B`, needs one if that is wanted.
fn family(wants: bool) -> [bool; 2] {
    let construct = |above: &'static str| {
        move |code: &mut CodeBuilder, pool: &mut Pool| {
            code.local(Opcode::Aload, 0);
            call(code, pool, Opcode::Invokespecial, above, "<init>", "()V");
            code.op(Opcode::Return);
        }
    };
    let product = |factor: i32| {
        move |code: &mut CodeBuilder, pool: &mut Pool| {
            long(code, pool, 1);
            // So that the two are not the same without their products.
            code.int(factor, pool).unwrap();
            call(code, pool, Opcode::Invokestatic, "java/lang/Unknown", "see", "(I)V");
            code.local(Opcode::Iload, 1).int(factor, pool).unwrap().op(Opcode::Imul).op(Opcode::Ireturn);
        }
    };
    let number = |code: &mut CodeBuilder, pool: &mut Pool| {
        call(code, pool, Opcode::Invokestatic, "java/lang/Unknown", "number", "()I");
    };
    let main: Build<'_> = &|code, pool| {
        let (other, met) = (code.label(), code.label());
        let make = |code: &mut CodeBuilder, pool: &mut Pool, name: &str| {
            code.class(Opcode::New, name.as_bytes(), pool).unwrap().op(Opcode::Dup);
            call(code, pool, Opcode::Invokespecial, name, "<init>", "()V");
        };
        code.local(Opcode::Iload, 0).jump(Opcode::Ifeq, other);
        make(code, pool, "A");
        number(code, pool);
        call(code, pool, Opcode::Invokestatic, "T", "any", "(LA;I)V");
        code.jump(Opcode::Goto, met).bind(other).frame(Form::Same);
        make(code, pool, "B");
        number(code, pool);
        call(code, pool, Opcode::Invokestatic, "T", "any", "(LA;I)V");
        code.bind(met).frame(Form::Same);
        make(code, pool, "B");
        number(code, pool);
        call(code, pool, Opcode::Invokevirtual, "A", "v", "(I)I");
        if !wants {
            code.op(Opcode::Pop).op(Opcode::Iconst0);
        }
        code.op(Opcode::Ireturn);
    };
    let any: Build<'_> = &|code, pool| {
        code.local(Opcode::Aload, 0).local(Opcode::Iload, 1);
        call(code, pool, Opcode::Invokevirtual, "A", "v", "(I)I");
        code.op(Opcode::Pop).op(Opcode::Return);
    };
    let (of_object, of_a, of_99, of_77) =
        (construct("java/lang/Object"), construct("A"), product(99), product(77));
    let methods = |init, v| [(Flags::PUBLIC, "<init>", "()V", init), (Flags::PUBLIC, "v", "(I)I", v)];
    let files = [
        (
            "T",
            class("T", &[], &[(Flags::STATIC, "main", "(I)I", main), (Flags::STATIC, "any", "(LA;I)V", any)]),
        ),
        ("A", class("A", &[], &methods(&of_object as Build<'_>, &of_99 as Build<'_>))),
        ("B", class_below(b"A", "B", &[], &methods(&of_a as Build<'_>, &of_77 as Build<'_>))),
    ];
    let archive = optimized(&files, "main", false);
    let text = everything(&archive);
    [99, 77].map(|factor| text.contains(&format!("bipush {factor}\nimul")))
}

#[test]
fn of_a_family_those_compute_a_result_that_a_call_which_needs_it_may_lead_to() {
    assert_eq!(family(false), [false, false]);
    assert_eq!(family(true), [false, true]);
}

/// The fields of `T` and the body of `T.count`, which adds one to a static field and does what `and` says; with these
/// flags of the field, by these rules.
fn left(flags: Flags, rules: &str, and: Build<'_>) -> (usize, String) {
    let count: Build<'_> = &|code, pool| {
        let field = [&b"T"[..], b"n", b"I"];
        code.field(Opcode::Getstatic, field, pool).unwrap().op(Opcode::Iconst1).op(Opcode::Iadd);
        code.field(Opcode::Putstatic, field, pool).unwrap();
        and(code, pool);
        code.op(Opcode::Return);
    };
    let file = class("T", &[], &[(Flags::STATIC, "count", "()V", count)]);
    let mut file = ClassFile::read(&file).unwrap();
    file.add_field(flags | Flags::STATIC, b"n", b"I").unwrap();
    let file = file.to_bytes().unwrap();
    let rules = format!("-keep class T {{ *** count(...); {rules} }}");
    let archive = optimized_by(&[("T", file)], &rules, false);
    let bytes = read(&archive, "T");
    (ClassFile::read(&bytes).unwrap().fields.len(), listing(&archive, "T", "count"))
}

fn nothing(_: &mut CodeBuilder, _: &mut Pool) {}

#[test]
fn a_field_that_is_only_counted_up_goes() {
    assert_eq!(left(Flags::PRIVATE, "", &nothing), (0, "return\n".into()));
}

#[test]
fn a_field_that_somebody_reads_stays() {
    let sees = |code: &mut CodeBuilder, pool: &mut Pool| {
        code.field(Opcode::Getstatic, [b"T", b"n", b"I"], pool).unwrap();
        call(code, pool, Opcode::Invokestatic, "java/lang/Unknown", "see", "(I)V");
    };
    let (fields, text) = left(Flags::PRIVATE, "", &sees);
    assert!(fields == 1 && text.contains("putstatic"), "{text}");
}

#[test]
fn a_field_that_may_be_seen_from_outside_stays() {
    for (flags, rules) in [(Flags::PRIVATE, "int n;"), (Flags::VOLATILE, "")] {
        let (fields, text) = left(flags, rules, &nothing);
        assert!(fields == 1 && text.contains("putstatic"), "{text}");
    }
}
