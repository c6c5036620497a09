//! Bodies in classes that could not see what they speak of: what becomes visible, and what does not.

use crate::small::listing::listing;
use crate::small::{Build, Pool, call, class, class_below, optimized, optimized_by};
use planish_classfile::builder::CodeBuilder;
use planish_classfile::{ClassFile, Flags, Opcode};
use planish_jar::classes::Archive;

const STATIC: Flags = Flags(Flags::PUBLIC.0 | Flags::STATIC.0);
const PUBLIC: Flags = Flags::PUBLIC;

const KEEP: &str = "-keep class T { *** main*(...); }\n";

fn construct(above: &'static str) -> impl Fn(&mut CodeBuilder, &mut Pool) {
    move |code, pool| {
        code.local(Opcode::Aload, 0);
        call(code, pool, Opcode::Invokespecial, above, "<init>", "()V");
        code.op(Opcode::Return);
    }
}

fn program(of_a: &str, below: bool) -> Vec<(String, Vec<u8>)> {
    program_with(of_a, "step", below)
}

/// `T.main(a)` calls `A.run`, which calls the private `A.step` twice, so that it stays a method; it may have another name.
/// `below` is a class that extends `A` and has a method `step` of its own.
fn program_with(of_a: &str, private: &str, below: bool) -> Vec<(String, Vec<u8>)> {
    let main: Build<'_> = &|code, pool| {
        code.local(Opcode::Aload, 0);
        call(code, pool, Opcode::Invokevirtual, of_a, "run", "()I");
        code.op(Opcode::Ireturn);
    };
    let run: Build<'_> = &|code, pool| {
        for number in [5, 3] {
            code.local(Opcode::Aload, 0).int(number, pool).unwrap();
            call(code, pool, Opcode::Invokespecial, of_a, private, "(I)I");
        }
        code.op(Opcode::Iadd).op(Opcode::Ireturn);
    };
    let step: Build<'_> = &|code, pool| {
        let top = code.here();
        code.frame(planish_classfile::frame::Form::Same);
        call(code, pool, Opcode::Invokestatic, "java/lang/String", "unknown", "()V");
        code.increment(1, -1).local(Opcode::Iload, 1).jump(Opcode::Ifgt, top);
        code.local(Opcode::Aload, 0);
        call(code, pool, Opcode::Invokevirtual, "java/lang/Object", "hashCode", "()I");
        code.op(Opcode::Ireturn);
    };
    let of_object = construct("java/lang/Object");
    let methods = [
        (PUBLIC, "<init>", "()V", &of_object as Build<'_>),
        (PUBLIC, "run", "()I", run),
        (Flags::PRIVATE, private, "(I)I", step),
    ];
    let make = |which: &'static str| {
        move |code: &mut CodeBuilder, pool: &mut Pool| {
            code.class(Opcode::New, which.as_bytes(), pool).unwrap().op(Opcode::Dup);
            call(code, pool, Opcode::Invokespecial, which, "<init>", "()V");
            code.op(Opcode::Areturn);
        }
    };
    let (of_a_name, of_a): (&'static str, &str) = (if of_a == "A" { "A" } else { "p/A" }, of_a);
    let (make_a, make_b) = (make(of_a_name), make("B"));
    let descriptor = format!("(L{of_a};)I");
    let mut t: Vec<(Flags, &str, &str, Build<'_>)> =
        vec![(STATIC, "main", &descriptor, main), (STATIC, "mainMake", "()Ljava/lang/Object;", &make_a)];
    let mut files = Vec::new();
    let in_b: Build<'_> = &|code, _| {
        code.op(Opcode::Iconst0).op(Opcode::Ireturn);
    };
    let above = construct(of_a_name);
    if below {
        t.push((STATIC, "mainMakeB", "()Ljava/lang/Object;", &make_b));
        t.push((STATIC, "mainStep", "(LB;)I", &|code, pool| {
            code.local(Opcode::Aload, 0).op(Opcode::Iconst3);
            call(code, pool, Opcode::Invokevirtual, "B", "step", "(I)I");
            code.op(Opcode::Ireturn);
        }));
        let methods = [(PUBLIC, "<init>", "()V", &above as Build<'_>), (PUBLIC, "step", "(I)I", in_b)];
        files.push(("B".to_owned(), class_below(of_a.as_bytes(), "B", &[], &methods)));
    }
    files.push(("T".to_owned(), class("T", &[], &t)));
    files.push((of_a.to_owned(), class(of_a, &[], &methods)));
    files
}

/// What becomes of a program whose methods `main*` are kept, with more rules or none.
fn kept(files: &[(String, Vec<u8>)], rules: &str) -> Archive {
    let files: Vec<(&str, Vec<u8>)> = files.iter().map(|(name, file)| (&name[..], file.clone())).collect();
    match rules {
        "" => optimized(&files, "main*", false),
        _ => optimized_by(&files, &format!("{KEEP}{rules}"), false),
    }
}

/// Whether `T.main` still calls `run`.
fn calls_run(archive: &Archive) -> bool {
    listing(archive, "T", "main").contains(".run")
}

/// Whether `B` still has a method of a name, which would override one of `A`.
fn below_has(archive: &Archive, name: &str) -> bool {
    let bytes = crate::small::listing::read(archive, "B");
    let file = ClassFile::read(&bytes).unwrap();
    file.methods.iter().any(|method| file.pool.utf8(method.name) == Ok(name.as_bytes()))
}

#[test]
fn a_private_method_becomes_visible_in_its_package_if_nothing_has_its_name() {
    let archive = kept(&program("A", false), "");
    assert!(!calls_run(&archive), "{}", listing(&archive, "T", "main"));
    let archive = kept(&program("A", true), "");
    let may_override = !calls_run(&archive) && below_has(&archive, "step");
    assert!(!may_override, "the method below would override it: {}", listing(&archive, "T", "main"));
}

#[test]
fn a_variant_becomes_visible_only_if_nothing_may_get_its_name() {
    let archive = kept(&program_with("A", "step__k", false), "");
    assert!(!calls_run(&archive), "{}", listing(&archive, "T", "main"));
    let archive = kept(&program_with("A", "step__k", true), "");
    let may_override = !calls_run(&archive) && below_has(&archive, "step__k");
    assert!(!may_override, "so may a variant be called below: {}", listing(&archive, "T", "main"));
}

#[test]
fn things_become_public_only_if_that_is_allowed() {
    let rules = "-allowaccessmodification";
    assert!(calls_run(&kept(&program("p/A", false), "")));
    let archive = kept(&program("p/A", false), rules);
    assert!(!calls_run(&archive), "{}", listing(&archive, "T", "main"));
    let archive = kept(&program("p/A", true), rules);
    assert!(calls_run(&archive) || !below_has(&archive, "step"));
}

/// The outer object of an inner one is set before anything can ask for it, so it is never null.
#[test]
fn a_field_that_is_set_before_the_constructor_above_is_called_is_never_unset() {
    let inner = |early: bool, flags: Flags| {
        let build = move |code: &mut CodeBuilder, pool: &mut Pool| {
            for step in if early { [0, 1] } else { [1, 0] } {
                code.local(Opcode::Aload, 0);
                if step == 0 {
                    code.local(Opcode::Aload, 1);
                    code.field(Opcode::Putfield, [b"I", b"outer", b"LT;"], pool).unwrap();
                } else {
                    call(code, pool, Opcode::Invokespecial, "java/lang/Object", "<init>", "()V");
                }
            }
            code.op(Opcode::Return);
        };
        let is_null: Build<'_> = &|code, pool| {
            let no = code.label();
            code.local(Opcode::Aload, 0).field(Opcode::Getfield, [b"I", b"outer", b"LT;"], pool).unwrap();
            code.jump(Opcode::Ifnonnull, no).op(Opcode::Iconst1).op(Opcode::Ireturn);
            code.bind(no).frame(planish_classfile::frame::Form::Same).op(Opcode::Iconst0).op(Opcode::Ireturn);
        };
        let methods =
            [(PUBLIC, "<init>", "(LT;)V", &build as Build<'_>), (PUBLIC, "mainAsk", "()I", is_null)];
        let of_inner = class("I", &[], &methods);
        let mut of_inner = ClassFile::read(&of_inner).unwrap();
        of_inner.add_field(flags, b"outer", b"LT;").unwrap();
        let make: Build<'_> = &|code, pool| {
            code.class(Opcode::New, b"I", pool).unwrap().op(Opcode::Dup).local(Opcode::Aload, 0);
            call(code, pool, Opcode::Invokespecial, "I", "<init>", "(LT;)V");
            code.op(Opcode::Areturn);
        };
        let t = class("T", &[], &[(PUBLIC, "mainMake", "()LI;", make)]);
        let files = [("T".to_owned(), t), ("I".to_owned(), of_inner.to_bytes().unwrap())];
        let archive = kept(&files, "-keepclassmembers class I { *** mainAsk(); }");
        listing(&archive, "I", "mainAsk")
    };
    let early = inner(true, Flags::FINAL);
    assert!(!early.contains("if") && early.contains("iconst_0"), "{early}");
    // What is not final another thread may see as it was, early or late.
    for is_early in [true, false] {
        let text = inner(is_early, Flags::PUBLIC);
        assert!(text.contains("if"), "{text}");
    }
}
