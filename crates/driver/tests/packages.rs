//! Methods that only a package sees: of another package, one of the same name is another method.

mod small;

use planish_classfile::builder::CodeBuilder;
use planish_classfile::{Flags, Opcode};
use small::listing::listing;
use small::{Build, Pool, call, class, class_below, optimized};

const STATIC: Flags = Flags(Flags::PUBLIC.0 | Flags::STATIC.0);

/// Only the package sees it.
const NEAR: Flags = Flags(0);

fn init(above: &'static str) -> impl Fn(&mut CodeBuilder, &mut Pool) {
    move |code: &mut CodeBuilder, pool: &mut Pool| {
        code.local(Opcode::Aload, 0);
        call(code, pool, Opcode::Invokespecial, above, "<init>", "()V");
        code.op(Opcode::Return);
    }
}

/// `p1.A` has a method that its package sees, `p2.B` below it a public one of that name, `p1.C` below that another.
/// `p1.P.ask`
/// calls the method on an object of a class by the name of another.
fn program(made: &'static str, named: &'static str) -> Vec<(&'static str, Vec<u8>)> {
    let gives = |number: Opcode| {
        move |code: &mut CodeBuilder, _: &mut Pool| {
            code.op(number).op(Opcode::Ireturn);
        }
    };
    let [one, two, three] = [Opcode::Iconst1, Opcode::Iconst2, Opcode::Iconst3].map(gives);
    let inits = ["java/lang/Object", "p1/A", "p2/B"].map(init);
    let methods = |flags, init, f| -> [(Flags, &'static str, &'static str, Build<'_>); 2] {
        [(Flags::PUBLIC, "<init>", "()V", init), (flags, "f", "()I", f)]
    };
    let ask: Build<'_> = &move |code, pool| {
        code.class(Opcode::New, made.as_bytes(), pool).unwrap().op(Opcode::Dup);
        call(code, pool, Opcode::Invokespecial, made, "<init>", "()V");
        call(code, pool, Opcode::Invokevirtual, named, "f", "()I");
        code.op(Opcode::Ireturn);
    };
    let main: Build<'_> = &|code, pool| {
        call(code, pool, Opcode::Invokestatic, "p1/P", "ask", "()I");
        code.op(Opcode::Ireturn);
    };
    vec![
        ("T", class("T", &[], &[(STATIC, "main", "()I", main)])),
        ("p1/P", class("p1/P", &[], &[(STATIC, "ask", "()I", ask)])),
        ("p1/A", class("p1/A", &[], &methods(NEAR, &inits[0], &one))),
        ("p2/B", class_below(b"p1/A", "p2/B", &[], &methods(Flags::PUBLIC, &inits[1], &two))),
        ("p1/C", class_below(b"p2/B", "p1/C", &[], &methods(Flags::PUBLIC, &inits[2], &three))),
    ]
}

const CONSTANT: [&str; 3] = ["iconst_1\nireturn\n", "iconst_2\nireturn\n", "iconst_3\nireturn\n"];

#[test]
fn a_class_of_another_package_overrides_nothing() {
    let archive = optimized(&program("p2/B", "p1/A"), "main", false);
    // Which of both runs is not found out, but the one that does is there.
    assert!(listing(&archive, "p1/P", "ask").contains("invokevirtual p1/A.f"));
    assert_eq!(listing(&archive, "p1/A", "f"), CONSTANT[0]);
}

#[test]
fn a_neighbour_overrides_both() {
    for named in ["p1/A", "p2/B", "p1/C"] {
        let archive = optimized(&program("p1/C", named), "main", false);
        assert_eq!(listing(&archive, "T", "main"), CONSTANT[2], "{named}");
    }
}
