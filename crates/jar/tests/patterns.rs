//! What is left of the methods of `examples/patterns`, as compiled by javac: `after.txt` beside them says it.
//! `BLESS=1` renews that file; `scripts/test` runs the program before and after on a JVM. No JDK is needed here: the
//! classes of it that the program mentions are made up.

use std::fmt::Write;
use std::path::Path;

use planish_base::{Budget, Diagnostics, SourceText};
use planish_classfile::zip::{DosTime, Entry};
use planish_classfile::{ClassFile, Flags};
use planish_driver::Settings;
use planish_jar::classes::{Archive, Hierarchy, Method, Origin, Source, add_classes};
use planish_jar::inputs::Classpath;
use planish_jar::programs::around::Surroundings;
use planish_jar::programs::assumptions::Assumptions;
use planish_jar::programs::roots::Roots;
use planish_jar::rounds::optimize_program;

use crate::small::listing;

const EXAMPLE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/patterns");

/// An interface of the library, which the hierarchy gets, too.
fn interface(name: &str, methods: &[(&str, &str)], hierarchy: &mut Hierarchy) -> Entry {
    let flags = Flags::PUBLIC | Flags::INTERFACE | Flags::ABSTRACT;
    let object = Some(&b"java/lang/Object"[..]);
    let mut file = ClassFile::new(61, flags, name.as_bytes(), object).unwrap();
    for (method, descriptor) in methods {
        let flags = Flags::PUBLIC | Flags::ABSTRACT;
        file.add_method(flags, method.as_bytes(), descriptor.as_bytes(), None).unwrap();
    }
    let file = file.to_bytes().unwrap();
    hierarchy.add(&file, Origin::Platform).unwrap();
    Entry::new(format!("{name}.class").as_bytes(), DosTime::EPOCH, &file, Method::Stored)
}

/// The program after everything was done to it, with or without assumptions.
fn optimized(strict: bool) -> Archive {
    let path = Path::new(EXAMPLE);
    let mut archive = Source::read(path).unwrap().archive;
    let mut hierarchy = Hierarchy::new();
    for (name, above) in [
        ("Object", None),
        ("String", Some("Object")),
        ("StringBuilder", Some("Object")),
        ("System", Some("Object")),
        ("Number", Some("Object")),
        ("Enum", Some("Object")),
        ("NoSuchFieldError", Some("Object")),
        ("Throwable", Some("Object")),
        ("Exception", Some("Throwable")),
        ("RuntimeException", Some("Exception")),
        ("IllegalArgumentException", Some("RuntimeException")),
        ("Integer", Some("Number")),
        ("Long", Some("Number")),
    ] {
        let name = format!("java/lang/{name}");
        let above = above.map(|above| format!("java/lang/{above}"));
        let above = above.as_ref().map(String::as_bytes);
        let file = ClassFile::new(61, Flags::PUBLIC, name.as_bytes(), above).unwrap().to_bytes().unwrap();
        hierarchy.add(&file, Origin::Platform).unwrap();
    }
    let library = [
        interface("java/util/function/IntUnaryOperator", &[("applyAsInt", "(I)I")], &mut hierarchy),
        interface("java/lang/Iterable", &[("iterator", "()Ljava/util/Iterator;")], &mut hierarchy),
        interface(
            "java/util/Iterator",
            &[("hasNext", "()Z"), ("next", "()Ljava/lang/Object;")],
            &mut hierarchy,
        ),
    ];
    let mut budget = Budget::new("bytes", 1 << 20);
    add_classes(&mut hierarchy, &archive, Origin::Program, &mut budget, &mut Vec::new()).unwrap();
    let assumes = if strict { Assumptions::NONE } else { Assumptions::default() };
    let mut roots = Roots { rules_given: true, assumes, ..Roots::default() };
    let rules = std::fs::read_to_string(path.join("keep.pro")).unwrap();
    let mut diagnostics = Diagnostics::new();
    planish_keep::read::read(
        &SourceText::new("keep.pro".to_owned(), rules),
        &mut roots.rules,
        &mut diagnostics,
    );
    assert!(!diagnostics.has_errors());
    let library = Archive { entries: library.into(), ..Archive::default() };
    let classpath = Classpath { libraries: vec![library], ..Classpath::default() };
    let around = Surroundings::quiet(&hierarchy, &classpath, &roots);
    optimize_program(&mut archive, around, &Settings::default()).unwrap();
    archive
}

/// The bodies of all methods but `main`.
fn bodies(archive: &Archive) -> String {
    let mut text = String::new();
    let bytes = listing::read(archive, "Patterns");
    let class = ClassFile::read(&bytes).unwrap();
    for method in &class.methods {
        let name = String::from_utf8_lossy(class.pool.utf8(method.name).unwrap()).into_owned();
        if name != "main" {
            let body = listing::listing(archive, "Patterns", &name);
            writeln!(text, "{name}\n    {}\n", body.trim_end().replace('\n', "\n    ")).unwrap();
        }
    }
    text
}

#[test]
fn what_is_left_of_each_pattern_is_what_the_file_says() {
    let (found, path) = (bodies(&optimized(false)), Path::new(EXAMPLE).join("after.txt"));
    if std::env::var_os("BLESS").is_some() {
        std::fs::write(&path, &found).unwrap();
    }
    assert_eq!(found, std::fs::read_to_string(&path).unwrap(), "BLESS=1 renews after.txt");
}

/// The calls that a method makes.
fn calls(text: &str, method: &str) -> usize {
    let body = text.split("\n\n").find(|part| part.trim_start().starts_with(&format!("{method}\n")));
    body.unwrap_or_else(|| panic!("there is no {method} in\n{text}")).matches("invoke").count()
}

#[test]
fn objects_boxes_lambdas_and_recursions_go() {
    let text = bodies(&optimized(false));
    for method in ["object", "changingObject", "objectInObject", "boxed", "lock", "lambda", "capture"] {
        assert_eq!(calls(&text, method), 0, "{method}:\n{text}");
    }
    // These are the methods that called themselves.
    for method in ["factorial", "digits__k_1", "constantTexts"] {
        assert_eq!(calls(&text, method), 0, "{method}:\n{text}");
    }
    for method in ["constructorReference", "curried", "anonymousClass", "textThatIsRead"] {
        assert_eq!(calls(&text, method), 0, "{method}:\n{text}");
    }
    assert_eq!(calls(&text, "boxInBetween"), 1, "no box is made:\n{text}");
    assert_eq!(calls(&text, "widerInBetween"), 2, "the lambda widens what the method gives:\n{text}");
    assert_eq!(calls(&text, "sameCallTwice"), 1, "{text}");
    assert_eq!(calls(&text, "escapes"), 1, "what goes somewhere is made:\n{text}");
    assert_eq!(calls(&text, "boxesAreObjects"), 2, "which box it is can be seen:\n{text}");
}

#[test]
fn machines_truths_and_short_arrays_are_jumps_and_variables() {
    let text = bodies(&optimized(false));
    let has = |method: &str, what: &str| {
        let body = text.split("\n\n").find(|part| part.trim_start().starts_with(&format!("{method}\n")));
        body.unwrap_or_else(|| panic!("there is no {method} in\n{text}")).contains(what)
    };
    assert!(!has("states", "switch") && has("states", "if_icmp"), "{text}");
    assert!(!has("truths", "istore"), "{text}");
    assert!(!has("filledInLoop", "newarray") && !has("filledInLoop", "if_icmp"), "{text}");
    assert!(
        has("filledAndGiven", "newarray") && has("filledAndGiven", "if_icmp"),
        "a loop is shorter:\n{text}"
    );
    assert_eq!(calls(&text, "wideBoxInLoop"), 0, "{text}");
}

#[test]
fn objects_go_where_exceptions_are_caught_unless_handlers_need_them() {
    let text = bodies(&optimized(false));
    assert_eq!(calls(&text, "changedInTry"), 1, "{text}");
    assert_eq!(calls(&text, "askedInHandler"), 3, "the handler sees what was stored:\n{text}");
}

#[test]
fn objects_vanish_in_methods_that_only_look_at_them() {
    let text = bodies(&optimized(false));
    for method in ["handedOn", "sumHandedOn", "iterated", "lambdaHandedOn", "boxesHandedOn"] {
        assert_eq!(calls(&text, method), 0, "{method}:\n{text}");
    }
    assert_eq!(calls(&text, "sumsInLoop"), 1, "how often the loop went round is a maximum:\n{text}");
    assert_eq!(calls(&text, "handedToKeeper"), 4, "what is kept is made:\n{text}");
    assert_eq!(calls(&text, "handedToLoud"), 4, "the call initializes the class:\n{text}");
    assert_eq!(calls(&text, "handedToLocked"), 4, "the method is locked:\n{text}");
    assert!(calls(&bodies(&optimized(true)), "handedOn") > 0, "a frame would vanish");
}

#[test]
fn of_methods_that_do_the_same_one_is_left() {
    let text = bodies(&optimized(false));
    assert_eq!(calls(&text, "sameMethods"), 4, "{text}");
    assert!(text.contains("scramble\n") && !text.contains("mix\n"), "{text}");
}

#[test]
fn methods_that_override_each_other_change_together() {
    let archive = optimized(false);
    let text = bodies(&archive);
    assert!(text.contains("invokevirtual Patterns$Gauge.read__k_x\n"), "{text}");
    assert!(
        text.contains("countDown__k_v\n") && calls(&text, "countDown__k_v") == 1,
        "a loop that prints:\n{text}"
    );
    let entry = archive.find(b"Patterns$Gauge.class").unwrap();
    let bytes = entry.content(&mut Budget::new("bytes", 1 << 20)).unwrap();
    assert!(ClassFile::read(&bytes).unwrap().fields.is_empty(), "nobody reads what is counted");
}

#[test]
fn the_table_of_an_enum_goes_with_its_class() {
    let archive = optimized(false);
    let text = bodies(&archive);
    assert_eq!(calls(&text, "enumSwitch"), 1, "the ordinal is asked for:\n{text}");
    assert!(archive.find(b"Patterns$Level.class").is_some());
    assert!(archive.find(b"Patterns$1.class").is_none() && archive.find(b"Patterns$2.class").is_none());
}

#[test]
fn equal_ends_are_one_where_traces_stay_what_they_are() {
    let text = bodies(&optimized(true));
    let count = |method: &str, what: &str| {
        let body = text.split("\n\n").find(|part| part.trim_start().starts_with(&format!("{method}\n")));
        body.unwrap().matches(what).count()
    };
    assert_eq!(count("equalEnds", "ireturn"), 1, "{text}");
    assert_eq!(calls(&text, "endsOfOtherLines"), 6, "calls are on lines of their own:\n{text}");
}

#[test]
fn nothing_vanishes_from_a_trace_when_nothing_is_assumed() {
    let text = bodies(&optimized(true));
    assert!(calls(&text, "recursion") > 0 && calls(&text, "lambda") > 0, "{text}");
}
