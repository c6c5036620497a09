//! A method that asks its argument is copied for the classes that calls give it, and a call whose receiver is known names its
//! class.

use crate::small::listing::{listing, read};
use crate::small::{Build, Pool, call, class, class_below, optimized, optimized_by};
use planish_classfile::builder::CodeBuilder;
use planish_classfile::{ClassFile, Flags, Opcode};
use planish_jar::classes::Archive;

const STATIC: Flags = Flags(Flags::PUBLIC.0 | Flags::STATIC.0);
const PRIVATE: Flags = Flags(Flags::PRIVATE.0 | Flags::STATIC.0);

/// Calls stay calls.
const NO_INLINING: &str = "-keep class T { *** main(...); }\n-optimizations !method/inlining/*";

/// A number of that in a slot which takes too much to stand in the place of a call.
fn compute(code: &mut CodeBuilder, pool: &mut Pool, slot: u16, rounds: i32) {
    code.local(Opcode::Iload, slot);
    for round in 0..rounds {
        code.int(1000 * (round + 1), pool).unwrap().op(Opcode::Ixor);
        code.local(Opcode::Iload, slot).op(Opcode::Imul);
    }
}

fn make(code: &mut CodeBuilder, pool: &mut Pool, name: &str) {
    code.class(Opcode::New, name.as_bytes(), pool).unwrap().op(Opcode::Dup);
    call(code, pool, Opcode::Invokespecial, name, "<init>", "()V");
}

/// The constructor of a class below another.
fn init(above: &'static str) -> impl Fn(&mut CodeBuilder, &mut Pool) {
    move |code: &mut CodeBuilder, pool: &mut Pool| {
        code.local(Opcode::Aload, 0);
        call(code, pool, Opcode::Invokespecial, above, "<init>", "()V");
        code.op(Opcode::Return);
    }
}

/// A method that gives its argument with something of its own.
fn area(salt: i32, rounds: i32) -> impl Fn(&mut CodeBuilder, &mut Pool) {
    move |code: &mut CodeBuilder, pool: &mut Pool| {
        compute(code, pool, 1, rounds);
        code.int(salt, pool).unwrap().op(Opcode::Ixor).op(Opcode::Ireturn);
    }
}

/// `Shape` has `area`, and so have `A` and `B` below it, of which bodies do so many rounds of computing.
fn shapes(rounds: i32) -> Vec<(&'static str, Vec<u8>)> {
    let (shape_init, below_init) = (init("java/lang/Object"), init("Shape"));
    let areas = [1111, 2222, 3333].map(|salt| area(salt, rounds));
    let methods = |init, area| -> [(Flags, &'static str, &'static str, Build<'_>); 2] {
        [(Flags::PUBLIC, "<init>", "()V", init), (Flags::PUBLIC, "area", "(I)I", area)]
    };
    vec![
        ("Shape", class("Shape", &[], &methods(&shape_init, &areas[0]))),
        ("A", class_below(b"Shape", "A", &[], &methods(&below_init, &areas[1]))),
        ("B", class_below(b"Shape", "B", &[], &methods(&below_init, &areas[2]))),
    ]
}

/// `T.f` asks a shape and does `rounds` things more, `T.g` hands it to `f`; `T.main` calls `callee` twice with each class.
fn program(callee: &str, rounds: i32, made: &[&str]) -> Vec<(&'static str, Vec<u8>)> {
    let f: Build<'_> = &|code, pool| {
        compute(code, pool, 1, rounds);
        code.local(Opcode::Aload, 0).local(Opcode::Iload, 1);
        call(code, pool, Opcode::Invokevirtual, "Shape", "area", "(I)I");
        code.op(Opcode::Iadd).op(Opcode::Ireturn);
    };
    let g: Build<'_> = &|code, pool| {
        code.local(Opcode::Aload, 0).local(Opcode::Iload, 1);
        call(code, pool, Opcode::Invokestatic, "T", "f", "(LShape;I)I");
        code.int(5, pool).unwrap().op(Opcode::Ixor).op(Opcode::Ireturn);
    };
    let main: Build<'_> = &|code, pool| {
        code.local(Opcode::Iload, 0);
        for more in [3, 5] {
            for name in made {
                make(code, pool, name);
                code.local(Opcode::Iload, 0).int(more, pool).unwrap().op(Opcode::Iadd);
                call(code, pool, Opcode::Invokestatic, "T", callee, "(LShape;I)I");
                code.op(Opcode::Iadd);
            }
        }
        code.op(Opcode::Ireturn);
    };
    let t = class(
        "T",
        &[],
        &[(PRIVATE, "f", "(LShape;I)I", f), (PRIVATE, "g", "(LShape;I)I", g), (STATIC, "main", "(I)I", main)],
    );
    [vec![("T", t)], shapes(0)].concat()
}

/// The methods of `T` but `main`, with their descriptors.
fn methods(archive: &Archive) -> Vec<String> {
    let bytes = read(archive, "T");
    let file = ClassFile::read(&bytes).unwrap();
    let text = |index| String::from_utf8_lossy(file.pool.utf8(index).unwrap()).into_owned();
    let all = file.methods.iter().map(|method| text(method.name) + &text(method.descriptor));
    all.filter(|method| !method.starts_with("main")).collect()
}

#[test]
fn each_class_has_a_copy_in_which_the_call_is_its_body() {
    let archive = optimized(&program("f", 3, &["A", "B"]), "main", false);
    // Each copy stands in the place of its only call.
    assert!(methods(&archive).is_empty());
    let text = listing(&archive, "T", "main");
    assert!(!text.contains("invokevirtual") && !text.contains("new "), "{text}");
    assert!(text.contains("sipush 2222") && text.contains("sipush 3333"), "{text}");
}

#[test]
fn what_hands_it_on_is_copied_too() {
    let archive = optimized_by(&program("g", 2, &["A", "B"]), NO_INLINING, false);
    let found = methods(&archive);
    assert_eq!(found, ["g__A_k__x_k(I)I", "g__B_k__x_k(I)I", "f__A_k__x_k(I)I", "f__B_k__x_k(I)I"]);
    assert!(listing(&archive, "T", "g__A_k__x_k").contains("T.f__A_k"));
    let text = listing(&archive, "T", "f__B_k__x_k");
    assert!(text.contains("invokestatic B.area__s_k"), "{text}");
}

#[test]
fn where_all_calls_give_one_class_there_is_one_method() {
    let archive = optimized(&program("f", 2, &["A"]), "main", false);
    assert_eq!(methods(&archive).len(), 1);
}

#[test]
fn a_large_method_is_not_copied() {
    let archive = optimized(&program("f", 40, &["A", "B"]), "main", false);
    assert_eq!(methods(&archive), ["f(LShape;I)I"]);
    assert!(listing(&archive, "T", "f").contains("invokevirtual Shape.area"));
}

/// `T.main` calls `area` on what `made` leaves on the stack.
fn one_call(made: Build<'_>) -> Vec<(&'static str, Vec<u8>)> {
    let main: Build<'_> = &|code, pool| {
        // Both classes have instances.
        for (index, name) in [(Opcode::Iconst0, "A"), (Opcode::Iconst1, "B")] {
            code.local(Opcode::Aload, 1).op(index);
            make(code, pool, name);
            code.op(Opcode::Aastore);
        }
        made(code, pool);
        code.local(Opcode::Iload, 0);
        call(code, pool, Opcode::Invokevirtual, "Shape", "area", "(I)I");
        code.op(Opcode::Ireturn);
    };
    let give: Build<'_> = &|code, _| {
        code.local(Opcode::Aload, 0).op(Opcode::Areturn);
    };
    let t = class(
        "T",
        &[],
        &[(PRIVATE, "give", "(LShape;)LShape;", give), (STATIC, "main", "(I[Ljava/lang/Object;)I", main)],
    );
    [vec![("T", t)], shapes(6)].concat()
}

#[test]
fn a_call_names_the_class_of_a_fresh_object() {
    let files = one_call(&|code, pool| make(code, pool, "A"));
    let archive = optimized_by(&files, NO_INLINING, false);
    let text = listing(&archive, "T", "main");
    assert!(text.contains("invokestatic A.area__s_k"), "{text}");
}

/// A verifier sees a `Shape`: the class cannot be named without a cast, which is longer, but by a call that needs no object.
#[test]
fn a_call_names_no_class_that_a_verifier_does_not_see() {
    let files = one_call(&|code, pool| {
        make(code, pool, "A");
        call(code, pool, Opcode::Invokestatic, "T", "give", "(LShape;)LShape;");
    });
    let archive = optimized_by(&files, NO_INLINING, false);
    let text = listing(&archive, "T", "main");
    assert!(text.contains("invokestatic A.area__s") && !text.contains("checkcast"), "{text}");
}
