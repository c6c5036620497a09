//! What is left of `examples/harbour`, as compiled by javac: what the post on an optimizing compiler for Java describes, in a
//! program of another hand. No JDK is needed: the classes of it that the program mentions are made up.

use std::path::Path;

use planish_base::{Budget, Diagnostics, SourceText};
use planish_classfile::{ClassFile, Flags};
use planish_driver::Settings;
use planish_jar::classes::{Archive, Hierarchy, Origin, Source, add_classes};
use planish_jar::inputs::Classpath;
use planish_jar::programs::around::Surroundings;
use planish_jar::programs::assumptions::Assumptions;
use planish_jar::programs::roots::Roots;
use planish_jar::rounds::optimize_program;

use crate::small::listing;

/// What is left where the public methods are kept, and the classes and members that went.
fn optimized(strict: bool) -> (Archive, String) {
    let path = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/harbour"));
    let mut archive = Source::read(path).unwrap().archive;
    let mut hierarchy = Hierarchy::new();
    let object = &b"java/lang/Object"[..];
    for name in
        [object, b"java/lang/String", b"java/lang/Integer", b"java/lang/System", b"java/io/PrintStream"]
    {
        let extends = Some(object).filter(|object| *object != name);
        let file = ClassFile::new(55, Flags::PUBLIC, name, extends).unwrap().to_bytes().unwrap();
        hierarchy.add(&file, Origin::Platform).unwrap();
    }
    let mut budget = Budget::new("bytes", 1 << 20);
    add_classes(&mut hierarchy, &archive, Origin::Program, &mut budget, &mut Vec::new()).unwrap();
    let assumes = if strict { Assumptions::NONE } else { Assumptions::default() };
    let mut roots = Roots { rules_given: true, assumes, ..Roots::default() };
    let rules = SourceText::new("keep.pro", "-keep class Harbour { public static int *(...); }");
    let mut diagnostics = Diagnostics::new();
    planish_keep::read::read(&rules, &mut roots.rules, &mut diagnostics);
    assert!(!diagnostics.has_errors());
    let classpath = Classpath::default();
    let around = Surroundings::quiet(&hierarchy, &classpath, &roots);
    let (shrunk, _) = optimize_program(&mut archive, around, &Settings::default()).unwrap();
    (archive, shrunk.removed.to_string())
}

/// The body of a method of `Harbour`.
fn left_of(method: &str) -> String {
    listing::listing(&optimized(false).0, "Harbour", method)
}

/// How often something stands in a body.
fn count(body: &str, what: &str) -> usize {
    body.lines().filter(|line| line.starts_with(what)).count()
}

/// S3.1, S3.2, S3.3, S3.12, S3.13, S3.24: the loop calls no gauge, and prints each tide where it did.
#[test]
fn the_gauge_is_read_without_a_gauge() {
    let body = left_of("measured");
    assert!(!body.contains("Gauge") && !body.contains("Wet") && !body.contains("new"), "{body}");
    assert_eq!(
        (count(&body, "invokestatic java/lang/Integer.valueOf"), count(&body, "invokevirtual")),
        (1, 1)
    );
    assert_eq!((count(&body, "iinc"), count(&body, "if_icmplt")), (1, 1), "{body}");
}

/// S3.4, S3.8, S3.45: classes go only since it is said where the program begins.
#[test]
fn gauges_are_gone() {
    let (archive, removed) = optimized(false);
    let classes = archive.entries.iter().filter(|entry| entry.name.ends_with(b".class")).count();
    assert_eq!(classes, 1, "{removed}");
    for class in ["Harbour$Gauge", "Harbour$Wet", "Harbour$Dry"] {
        assert!(removed.lines().any(|line| line == class), "{class}: {removed}");
    }
}

/// S3.5, S3.6, S3.7, S3.25, S3.28: no silt, no dredging, no call for it; of the years there is a count.
#[test]
fn what_is_nothing_in_every_round_is_nothing() {
    let body = left_of("silted");
    assert_eq!(body, "bipush 100\niload_0\niconst_0\ninvokestatic java/lang/Math.max\nisub\nireturn\n");
}

/// S3.7, S3.43: that a call returns is taken for granted, and not where nothing is.
#[test]
fn a_call_for_nothing_stays_where_it_may_not_return() {
    let body = listing::listing(&optimized(true).0, "Harbour", "silted");
    assert_eq!(count(&body, "invokestatic Harbour.depth"), 1, "{body}");
}

/// S3.11, S3.12, S3.40: the dues are computed in the arm that adds them, what is printed is printed in front of both.
#[test]
fn dues_are_computed_where_the_mooring_is_full() {
    let body = left_of("moored");
    let [prints, branch] = ["invokevirtual java/io/PrintStream.println", "ifne"].map(|what| {
        body.lines().position(|line| line.starts_with(what)).unwrap_or_else(|| panic!("{what}: {body}"))
    });
    let computes = body.lines().position(|line| line.starts_with("imul"));
    assert!(prints < branch && computes.is_some_and(|computes| branch < computes), "{body}");
}

/// S3.9, S3.35, S3.41: one test always holds, one never; both are gone, and so is what was printed.
#[test]
fn tests_that_are_known_go_with_the_arm_that_is_not_taken() {
    assert_eq!(left_of("berths"), "iload_0\nbipush 40\niadd\nireturn\n");
}

/// S3.10, S3.14, S3.19: a copy for each kind, by a name that says so, without the number that nobody looks at.
#[test]
fn each_kind_of_toll_has_a_copy() {
    let body = left_of("allTolls");
    assert!(body.contains("Harbour.toll__x_2_k") && body.contains("Harbour.toll__x_3_k"), "{body}");
    let copy = left_of("toll__x_3_k");
    assert_eq!((count(&copy, "if"), count(&copy, "iconst_2")), (1, 0), "the kind is no question: {copy}");
}

/// S3.22, S3.26, S3.27, S3.31: two methods that call each other begin with nothing known, and give one number.
#[test]
fn the_turns_of_the_tide_are_ten() {
    assert_eq!(left_of("turns"), "bipush 10\nireturn\n");
}

/// S3.34, S3.36: of three variables that feed each other one is left.
#[test]
fn a_ring_and_a_chain_are_not_counted() {
    let body = left_of("buoys");
    assert!(!body.contains("imul") && !body.contains("ishl") && !body.contains("iadd"), "{body}");
}

/// S3.22, S3.29, S3.30: a product with nothing two calls away; four or six is even.
#[test]
fn facts_cross_calls_and_joins() {
    assert_eq!(left_of("level"), "iconst_4\nireturn\n");
    assert_eq!(left_of("parity"), "iconst_0\nireturn\n");
}
