//! Bodies in the place of calls, where a verifier would load classes for them that may be missing.

use planish_classfile::builder::CodeBuilder;
use planish_classfile::{ClassFile, Flags, Opcode};

use crate::small::listing::listing;
use crate::small::{OBJECT, Pool, call, class, class_below, optimized};

const STATIC: Flags = Flags::STATIC;

fn constructor<'c>(above: &'c str) -> impl Fn(&mut CodeBuilder, &mut Pool) + 'c {
    move |code, pool| {
        code.local(Opcode::Aload, 0);
        call(code, pool, Opcode::Invokespecial, above, "<init>", "()V");
        code.op(Opcode::Return);
    }
}

/// Hands a new object of a class to what takes one of the class above.
fn hands_over(class: &'static str) -> impl Fn(&mut CodeBuilder, &mut Pool) {
    move |code, pool| {
        code.class(Opcode::New, class.as_bytes(), pool).unwrap().op(Opcode::Dup);
        call(code, pool, Opcode::Invokespecial, class, "<init>", "()V");
        call(code, pool, Opcode::Invokestatic, "Sink", "take", "(LA;)V");
        code.op(Opcode::Return);
    }
}

/// A class below `A` that implements an interface which nobody has.
fn optional() -> Vec<u8> {
    let bytes = class_below(b"A", "Optional", &[], &[(Flags::PUBLIC, "<init>", "()V", &constructor("A"))]);
    let mut class = ClassFile::read(&bytes).unwrap();
    class.interfaces.push(class.pool.add_class(b"Missing").unwrap());
    class.to_bytes().unwrap()
}

/// What becomes of a method that calls the one method of `Helper`, which hands over an object of `handed`, in a class with
/// such a method of its own if `has_own`.
fn caller(handed: &'static str, has_own: bool) -> String {
    let own = hands_over(handed);
    let nothing = |code: &mut CodeBuilder, _: &mut Pool| {
        code.op(Opcode::Return);
    };
    let calls = |code: &mut CodeBuilder, pool: &mut Pool| {
        call(code, pool, Opcode::Invokestatic, "Helper", "help", "()V");
        code.op(Opcode::Return);
    };
    let made = (Flags::PUBLIC, "<init>", "()V");
    let object = std::str::from_utf8(OBJECT).unwrap();
    let files = [
        (
            "T",
            class(
                "T",
                &[],
                &[
                    (STATIC, "mainCalls", "()V", &calls),
                    (STATIC, "mainOwn", "()V", if has_own { &own } else { &nothing }),
                ],
            ),
        ),
        ("Helper", class("Helper", &[], &[(STATIC, "help", "()V", &own)])),
        (
            "Sink",
            class(
                "Sink",
                &[],
                &[(STATIC | Flags::SYNCHRONIZED, "take", "(LA;)V", &|code, pool| {
                    code.local(Opcode::Aload, 0);
                    call(code, pool, Opcode::Invokevirtual, "java/lang/Object", "hashCode", "()I");
                    code.op(Opcode::Pop).op(Opcode::Return);
                })],
            ),
        ),
        ("A", class("A", &[], &[(made.0, made.1, made.2, &constructor(object))])),
        ("B", class_below(b"A", "B", &[], &[(made.0, made.1, made.2, &constructor("A"))])),
        ("Optional", optional()),
    ];
    listing(&optimized(&files, "main*", false), "T", "mainCalls")
}

/// To see that an `Optional` is an `A`, a verifier loads it, which fails without the interface: so it stays in a class of its
/// own, which is used only where the interface is there.
#[test]
fn what_needs_a_missing_class_stays_in_its_class() {
    assert!(caller("Optional", false).contains("invokestatic Helper.help"));
    assert!(!caller("B", false).contains("Helper"), "a class that is there may be loaded");
    assert!(!caller("Optional", true).contains("Helper"), "it was loaded before");
}
