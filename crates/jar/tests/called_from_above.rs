//! S3.10: which type a call names makes no difference. A recursion of objects that is called through an abstract class or an
//! interface, lies in an interface, or has a call whose receiver may be null, has copies for constants as a static one has them, in
//! the first run.

use crate::small::listing::listing;
use crate::small::{Build, Pool, call, class, optimized_by};
use planish_classfile::builder::CodeBuilder;
use planish_classfile::frame::Form;
use planish_classfile::{ClassFile, Flags, Opcode};
use planish_jar::classes::Archive;

const STATIC: Flags = Flags(Flags::PUBLIC.0 | Flags::STATIC.0);
const ABSTRACT: Flags = Flags(Flags::PUBLIC.0 | Flags::ABSTRACT.0);
const INTERFACE: Flags = Flags(ABSTRACT.0 | Flags::INTERFACE.0);

/// A constructor that calls the one above and does nothing more.
fn init(above: &'static str) -> impl Fn(&mut CodeBuilder, &mut Pool) {
    move |code, pool| {
        code.local(Opcode::Aload, 0);
        call(code, pool, Opcode::Invokespecial, above, "<init>", "()V");
        code.op(Opcode::Return);
    }
}

/// `k == 0 ? x : p(k - 1, x) * p(k - 1, x)`, of the same object.
fn power(op: Opcode, class: &'static str) -> impl Fn(&mut CodeBuilder, &mut Pool) {
    move |code, pool| {
        let more = code.label();
        code.local(Opcode::Iload, 1).jump(Opcode::Ifne, more).local(Opcode::Iload, 2).op(Opcode::Ireturn);
        code.bind(more).frame(Form::Same);
        for _ in 0..2 {
            code.local(Opcode::Aload, 0).local(Opcode::Iload, 1).op(Opcode::Iconst1).op(Opcode::Isub);
            code.local(Opcode::Iload, 2);
            call(code, pool, op, class, "p", "(II)I");
        }
        code.op(Opcode::Imul).op(Opcode::Ireturn);
    }
}

/// Where the recursion is, and through what it is called.
#[derive(Clone, Copy, PartialEq, Debug)]
enum Through {
    /// A class below, called by its own type.
    Itself,
    /// A class below an abstract one.
    AbstractClass,
    /// A class that implements an interface.
    Interface,
    /// An interface that two classes implement.
    Default,
}

/// A class or interface `S`, with a body or without.
fn above(through: Through) -> Vec<u8> {
    let is_class = matches!(through, Through::AbstractClass | Through::Itself);
    let flags = if is_class { ABSTRACT.with(Flags::SUPER) } else { INTERFACE };
    let mut file = ClassFile::new(52, flags, b"S", Some(crate::small::OBJECT)).unwrap();
    let mut add = |flags, name: &str, descriptor: &str, body: Option<Build<'_>>| {
        let code = body.map(|build| {
            let mut code = CodeBuilder::new();
            build(&mut code, &mut file.pool);
            code.finish(3, &mut file.pool).unwrap()
        });
        file.add_method(flags, name.as_bytes(), descriptor.as_bytes(), code.as_ref()).unwrap();
    };
    if is_class {
        add(Flags::PUBLIC, "<init>", "()V", Some(&init("java/lang/Object")));
    }
    match through {
        Through::Default => {
            add(Flags::PUBLIC, "p", "(II)I", Some(&power(Opcode::Invokeinterface, "S")));
        }
        _ => add(ABSTRACT, "p", "(II)I", None),
    }
    file.to_bytes().unwrap()
}

/// A class below `S`.
fn below(name: &'static str, through: Through, flags: Flags) -> Vec<u8> {
    let above =
        if matches!(through, Through::AbstractClass | Through::Itself) { "S" } else { "java/lang/Object" };
    let mut file =
        ClassFile::new(52, flags.with(Flags::PUBLIC | Flags::SUPER), name.as_bytes(), Some(above.as_bytes()))
            .unwrap();
    if above != "S" {
        let interface = file.pool.add_class(b"S").unwrap();
        file.interfaces.push(interface);
    }
    let (init, power) = (init(above), power(Opcode::Invokevirtual, name));
    let mut methods: Vec<(&str, &str, Build<'_>)> = vec![("<init>", "()V", &init)];
    if through != Through::Default {
        methods.push(("p", "(II)I", &power));
    }
    for (method, descriptor, build) in methods {
        let mut code = CodeBuilder::new();
        build(&mut code, &mut file.pool);
        let code = code.finish(3, &mut file.pool).unwrap();
        file.add_method(Flags::PUBLIC, method.as_bytes(), descriptor.as_bytes(), Some(&code)).unwrap();
    }
    file.to_bytes().unwrap()
}

/// Where `main(n)` has the object from on which it calls `p(3, n)`.
#[derive(Clone, Copy, PartialEq)]
enum From {
    /// It hands a new one to a method that calls it.
    Caller,
    /// A field in which there is none if `n` is 0.
    Field,
}

/// A program that makes the call.
fn program(through: Through, from: From, flags: Flags, rules: &str) -> Archive {
    let named = if through == Through::Itself { "T" } else { "S" };
    let (ty, takes) = (format!("L{named};"), format!("(L{named};I)I"));
    let op = match through {
        Through::Interface | Through::Default => Opcode::Invokeinterface,
        _ => Opcode::Invokevirtual,
    };
    let make = |code: &mut CodeBuilder, pool: &mut Pool, class: &str| {
        code.class(Opcode::New, class.as_bytes(), pool).unwrap().op(Opcode::Dup);
        call(code, pool, Opcode::Invokespecial, class, "<init>", "()V");
    };
    let run: Build<'_> = &|code, pool| {
        code.local(Opcode::Aload, 0).op(Opcode::Iconst3).local(Opcode::Iload, 1);
        call(code, pool, op, named, "p", "(II)I");
        code.op(Opcode::Ireturn);
    };
    let main: Build<'_> = &|code, pool| {
        if from == From::Field {
            let behind = code.label();
            code.local(Opcode::Iload, 0).jump(Opcode::Ifeq, behind);
            make(code, pool, if through == Through::Default { "U" } else { "T" });
            code.field(Opcode::Putstatic, [b"Main", b"held", ty.as_bytes()], pool).unwrap();
            code.bind(behind).frame(Form::Same);
            code.field(Opcode::Getstatic, [b"Main", b"held", ty.as_bytes()], pool).unwrap();
            code.local(Opcode::Iload, 0);
            call(code, pool, Opcode::Invokestatic, "Main", "run", &takes);
            code.op(Opcode::Ireturn);
            return;
        }
        code.op(Opcode::Iconst0);
        for class in if through == Through::Default { &["T", "U"][..] } else { &["T"] } {
            make(code, pool, class);
            code.local(Opcode::Iload, 0);
            call(code, pool, Opcode::Invokestatic, "Main", "run", &takes);
            code.op(Opcode::Iadd);
        }
        code.op(Opcode::Ireturn);
    };
    let methods = [(STATIC, "main", "(I)I", main), (STATIC, "run", &*takes, run)];
    let bytes = class("Main", &[], &methods);
    let mut main = ClassFile::read(&bytes).unwrap();
    main.add_field(STATIC, b"held", ty.as_bytes()).unwrap();
    let files = [
        ("S", above(through)),
        ("T", below("T", through, flags)),
        ("U", below("U", Through::Default, flags)),
        ("Main", main.to_bytes().unwrap()),
    ];
    let is_there = |file: &&(&str, Vec<u8>)| file.0 != "U" || through == Through::Default;
    let files: Vec<(&str, Vec<u8>)> = files.iter().filter(is_there).cloned().collect();
    optimized_by(&files, &format!("-keep class Main {{ *** main(...); }}\n{rules}"), false)
}

const ALL: [Through; 4] = [Through::Itself, Through::AbstractClass, Through::Interface, Through::Default];

#[test]
fn a_recursion_is_solved_through_whichever_type_it_is_called() {
    for through in ALL {
        for flags in [Flags(0), Flags::FINAL] {
            let archive = program(through, From::Caller, flags, "");
            let main = listing(&archive, "Main", "main");
            let is_solved = main.contains("imul") && !main.contains("invoke");
            assert!(is_solved, "{through:?}\n{main}");
            assert_eq!(archive.entries.len(), 1, "{through:?}: nobody needs an object");
        }
    }
}

#[test]
fn a_receiver_that_may_be_null_is_checked_where_it_is() {
    for through in ALL {
        let archive = program(through, From::Field, Flags(0), "");
        let main = listing(&archive, "Main", "main");
        let is_solved = main.contains("imul") && !main.contains(".p");
        assert!(is_solved && main.contains("getClass"), "{through:?}\n{main}");
    }
}

#[test]
fn a_rule_that_forbids_static_methods_holds_for_these_as_well() {
    for through in [Through::AbstractClass, Through::Interface] {
        let archive = program(through, From::Caller, Flags(0), "-optimizations !method/marking/static");
        let main = listing(&archive, "Main", "main");
        assert!(main.contains("invokevirtual") || main.contains("invokeinterface"), "{through:?}\n{main}");
    }
}
