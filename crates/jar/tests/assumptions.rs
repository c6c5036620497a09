//! What each assumption allows, and what stays as it is without it.

use planish_classfile::builder::CodeBuilder;
use planish_classfile::{Flags, Opcode};
use planish_driver::Settings;
use planish_jar::inputs::Classpath;
use planish_jar::programs::around::Surroundings;
use planish_jar::programs::assumptions::Assumptions;
use planish_jar::programs::roots::Roots;
use planish_jar::rounds::optimize_each;

use crate::small::listing::listing;
use crate::small::{Pool, call, class, optimized, optimized_for, read_in};

const STATIC: Flags = Flags::STATIC;
const NONE: Assumptions = Assumptions::NONE;
const RETURNS: Assumptions = Assumptions { returns: true, ..NONE };
const FRAMES: Assumptions = Assumptions { frames: true, ..NONE };
const MESSAGES: Assumptions = Assumptions { messages: true, ..NONE };

/// `1 + 2`, which is 3 wherever the body may change.
fn three(code: &mut CodeBuilder) {
    code.op(Opcode::Iconst1).op(Opcode::Iconst2).op(Opcode::Iadd);
}

fn calls_twice(code: &mut CodeBuilder, pool: &mut Pool) {
    code.local(Opcode::Iload, 0);
    call(code, pool, Opcode::Invokestatic, "T", "twice", "(I)I");
}

fn program() -> Vec<u8> {
    class(
        "T",
        &[],
        &[
            (Flags::PUBLIC, "mainThis", "()I", &|code, pool| {
                code.local(Opcode::Aload, 0);
                call(code, pool, Opcode::Invokevirtual, "java/lang/Object", "hashCode", "()I");
                three(code);
                code.op(Opcode::Iadd).op(Opcode::Ireturn);
            }),
            (STATIC, "mainArray", "([I)I", &|code, _| {
                code.local(Opcode::Aload, 0).op(Opcode::Arraylength);
                three(code);
                code.op(Opcode::Iadd).op(Opcode::Ireturn);
            }),
            (STATIC, "mainCall", "(I)I", &|code, pool| {
                calls_twice(code, pool);
                code.op(Opcode::Ireturn);
            }),
            (STATIC, "mainUnused", "(I)I", &|code, pool| {
                calls_twice(code, pool);
                code.op(Opcode::Pop).op(Opcode::Iconst1).op(Opcode::Ireturn);
            }),
            (STATIC, "twice", "(I)I", &|code, _| {
                code.local(Opcode::Iload, 0).local(Opcode::Iload, 0).op(Opcode::Iadd).op(Opcode::Ireturn);
            }),
        ],
    )
}

/// What is left of a method of the program.
fn left(method: &str, assumes: Assumptions) -> String {
    let files = [("T", program())];
    let roots = Roots { rules_given: true, assumes, ..Roots::default() };
    let archive = match (assumes == NONE, assumes == Assumptions::default()) {
        (false, false) => optimized_for(&files, "-keep class T { *** main*(...); }", roots),
        (is_strict, _) => optimized(&files, "main*", is_strict),
    };
    listing(&archive, "T", method)
}

/// What the JVM says of an array that is null names the slot that held it; the receiver is never null.
#[test]
fn a_body_that_the_jvm_may_speak_of_changes_if_messages_may() {
    let added = "iconst_3\niadd\nireturn\n";
    for assumes in [NONE, RETURNS, FRAMES] {
        let array = left("mainArray", assumes);
        assert_eq!(array, "aload_0\narraylength\niconst_1\niconst_2\niadd\niadd\nireturn\n", "{assumes:?}");
    }
    assert_eq!(left("mainArray", MESSAGES), format!("aload_0\narraylength\n{added}"));
    for assumes in [NONE, MESSAGES] {
        assert_eq!(
            left("mainThis", assumes),
            format!("aload_0\ninvokevirtual java/lang/Object.hashCode\n{added}"),
            "{assumes:?}"
        );
    }
}

/// Messages name methods, so calls lead elsewhere only if both frames and messages may change.
#[test]
fn calls_stay_calls_unless_frames_and_messages_may_change() {
    let is_call = |assumes| left("mainCall", assumes).contains("invokestatic T.twice");
    for assumes in [NONE, RETURNS, FRAMES, MESSAGES] {
        assert!(is_call(assumes), "{assumes:?}");
    }
    assert!(!is_call(Assumptions { frames: true, ..MESSAGES }));
    assert!(!is_call(Assumptions::default()));
}

#[test]
fn bodies_alone_keep_what_the_jvm_may_say_as_well() {
    let array = |assumes| {
        let (mut archive, hierarchy) = read_in(&[("T", program())]);
        let (classpath, roots) = (Classpath::default(), Roots { assumes, ..Roots::default() });
        let around = Surroundings::quiet(&hierarchy, &classpath, &roots);
        optimize_each(&mut archive, around, &Settings::default()).unwrap();
        listing(&archive, "T", "mainArray")
    };
    assert!(array(NONE).contains("iconst_1"));
    assert!(!array(MESSAGES).contains("iconst_1"));
}

#[test]
fn a_call_for_nothing_goes_if_calls_are_known_to_return() {
    let gone = "iconst_1\nireturn\n";
    for assumes in [NONE, FRAMES, MESSAGES] {
        assert_ne!(left("mainUnused", assumes), gone, "{assumes:?}");
    }
    assert_eq!(left("mainUnused", RETURNS), gone);
    assert_eq!(left("mainUnused", Assumptions::default()), gone);
}
