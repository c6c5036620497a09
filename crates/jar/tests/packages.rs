//! Methods that only a package sees: of another package, one of the same name is another method.

use crate::small::listing::{listing, read};
use crate::small::{APART, Build, Pool, call, class, class_below, optimized, optimized_by};
use planish_classfile::builder::CodeBuilder;
use planish_classfile::{ClassFile, Flags, Opcode};
use planish_jar::classes::Archive;

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

/// A class: its name, whether everybody sees its method `f`, and whether it has that.
type Link = (&'static str, Flags, bool);

/// A line of classes, each below the one before, whose method gives a number of its own. `p1.P.ask` makes an object of one
/// of two classes and calls the method by the name of another.
fn line(
    links: &[Link],
    [one, other]: [&'static str; 2],
    named: &'static str,
) -> Vec<(&'static str, Vec<u8>)> {
    let ask: Build<'_> = &move |code, pool| {
        let [no, end] = [(); 2].map(|()| code.label());
        code.local(Opcode::Iload, 0).jump(Opcode::Ifeq, no);
        for (class, end) in [(one, Some(end)), (other, None)] {
            code.class(Opcode::New, class.as_bytes(), pool).unwrap().op(Opcode::Dup);
            call(code, pool, Opcode::Invokespecial, class, "<init>", "()V");
            if let Some(end) = end {
                code.jump(Opcode::Goto, end).bind(no);
            }
        }
        code.bind(end);
        call(code, pool, Opcode::Invokevirtual, named, "f", "()I");
        code.op(Opcode::Ireturn);
    };
    let main: Build<'_> = &|code, pool| {
        code.local(Opcode::Iload, 0);
        call(code, pool, Opcode::Invokestatic, "p1/P", "ask", "(I)I");
        code.op(Opcode::Ireturn);
    };
    let mut files = vec![
        ("T", class("T", &[], &[(STATIC, "main", "(I)I", main)])),
        ("p1/P", class("p1/P", &[], &[(STATIC, "ask", "(I)I", ask)])),
    ];
    let mut above = "java/lang/Object";
    for (place, &(name, flags, has_method)) in (1..).zip(links) {
        let init = init(above);
        let f = |code: &mut CodeBuilder, pool: &mut Pool| {
            // Too long to be left as it is where it cannot run.
            code.int(1000 * place, pool).unwrap().op(Opcode::Ireturn);
        };
        let methods: [(Flags, &str, &str, Build<'_>); 2] =
            [(Flags::PUBLIC, "<init>", "()V", &init), (flags, "f", "()I", &f)];
        let methods = &methods[..1 + usize::from(has_method)];
        files.push((name, class_below(above.as_bytes(), name, &[], methods)));
        above = name;
    }
    files
}

/// The classes of a result that have the method `f`, and whether it may run in them.
fn having(archive: &Archive, links: &[Link]) -> Vec<(&'static str, bool)> {
    let mut found = Vec::new();
    for &(name, ..) in links {
        if archive.find(format!("{name}.class").as_bytes()).is_none() {
            continue;
        }
        let bytes = read(archive, name);
        let file = ClassFile::read(&bytes).unwrap();
        if file.methods.iter().any(|method| file.pool.utf8(method.name) == Ok(b"f")) {
            found.push((name, !listing(archive, name, "f").ends_with("athrow\n")));
        }
    }
    found
}

const PUBLIC: Flags = Flags::PUBLIC;

/// Classes stay, so that it shows which methods are left.
fn keep() -> String {
    format!("-keep class T {{ *** main(...); }}{APART}")
}

/// Which of the methods of a line are left, and whether they may run.
fn left(links: &[Link], made: [&'static str; 2], named: &'static str) -> Vec<(&'static str, bool)> {
    let archive = optimized_by(&line(links, made, named), &keep(), false);
    let caller = if archive.find(b"p1/P.class").is_some() { ("p1/P", "ask") } else { ("T", "main") };
    assert!(listing(&archive, caller.0, caller.1).contains("invokevirtual"));
    having(&archive, links)
}

#[test]
fn what_overrides_through_another_needs_that() {
    let links =
        [("p1/A", NEAR, true), ("p1/B", PUBLIC, true), ("p2/C", PUBLIC, true), ("p2/D", PUBLIC, true)];
    let expected = [("p1/A", false), ("p1/B", false), ("p2/C", true), ("p2/D", true)];
    assert_eq!(left(&links, ["p2/C", "p2/D"], "p1/A"), expected);
}

#[test]
fn one_link_is_enough() {
    let links = [
        ("p1/A", NEAR, true),
        ("p1/B", Flags::PROTECTED, true),
        ("p2/X", PUBLIC, true),
        ("p1/Y", PUBLIC, true),
        ("p2/C", PUBLIC, true),
        ("p2/D", PUBLIC, true),
    ];
    let expected = [("p1/A", false), ("p1/B", false), ("p2/C", true), ("p2/D", true)];
    assert_eq!(left(&links, ["p2/C", "p2/D"], "p1/A"), expected);
    // One that runs is enough, too.
    let expected = [("p1/A", false), ("p1/Y", true), ("p2/D", true)];
    assert_eq!(left(&links, ["p1/Y", "p2/D"], "p1/A"), expected);
}

#[test]
fn only_what_everybody_sees_is_a_link() {
    // That of `X` overrides that of `A`, and is overridden by that of `B` alone.
    let links = [
        ("p1/A", NEAR, true),
        ("p1/X", NEAR, true),
        ("p1/B", PUBLIC, true),
        ("p2/C", PUBLIC, true),
        ("p2/D", PUBLIC, true),
    ];
    let expected = [("p1/A", false), ("p1/B", false), ("p2/C", true), ("p2/D", true)];
    assert_eq!(left(&links, ["p2/C", "p2/D"], "p1/A"), expected);
    let expected = [("p1/X", false), ("p1/B", false), ("p2/C", true), ("p2/D", true)];
    assert_eq!(left(&links, ["p2/C", "p2/D"], "p1/X"), expected);
}

#[test]
fn what_nobody_overrides_through_goes() {
    let two = [("p2/C", true), ("p2/D", true)];
    // Everybody sees what is called.
    let links =
        [("p1/A", PUBLIC, true), ("p1/B", PUBLIC, true), ("p2/C", PUBLIC, true), ("p2/D", PUBLIC, true)];
    assert_eq!(left(&links, ["p2/C", "p2/D"], "p1/A"), [&[("p1/A", false)], &two[..]].concat());
    // Another method is called.
    let links =
        [("p1/A", NEAR, true), ("p1/B", PUBLIC, true), ("p2/C", PUBLIC, true), ("p2/D", PUBLIC, true)];
    assert_eq!(left(&links, ["p2/C", "p2/D"], "p2/C"), two);
    assert_eq!(left(&links, ["p2/C", "p2/D"], "p1/B"), [&[("p1/B", false)], &two[..]].concat());
    // What runs overrides it itself.
    let links =
        [("p1/A", NEAR, true), ("p1/B", PUBLIC, true), ("p1/C", PUBLIC, true), ("p1/D", PUBLIC, true)];
    let expected = [("p1/A", false), ("p1/C", true), ("p1/D", true)];
    assert_eq!(left(&links, ["p1/C", "p1/D"], "p1/A"), expected);
}
