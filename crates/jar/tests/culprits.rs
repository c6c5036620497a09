//! What of an optimization makes a difference that a check sees, and that the remedy makes it go.

use crate::small::listing::{listing, read};
use crate::small::{Build, add_rules, call, class, optimized, read_in};
use planish_classfile::{Flags, Kind, Opcode};
use planish_driver::Settings;
use planish_jar::classes::Archive;
use planish_jar::culprit::{Culprit, culprits};
use planish_jar::inputs::Classpath;
use planish_jar::programs::around::Surroundings;
use planish_jar::programs::roots::Roots;
use planish_jar::rounds::{optimize_program, shrink_program};

const STATIC: Flags = Flags(Flags::PUBLIC.0 | Flags::STATIC.0);

/// `T.main` gives `2 + 3` and calls a method that is shorter in its place; three classes are called by nobody.
fn program() -> Vec<(&'static str, Vec<u8>)> {
    let five: Build<'_> = &|code, pool| {
        code.op(Opcode::Iconst2).op(Opcode::Iconst3).op(Opcode::Iadd);
        call(code, pool, Opcode::Invokestatic, "T", "twice", "(I)I");
        code.op(Opcode::Ireturn);
    };
    let twice: Build<'_> = &|code, _| {
        code.local(Opcode::Iload, 0).local(Opcode::Iload, 0).op(Opcode::Iadd).op(Opcode::Ireturn);
    };
    let methods: [(Flags, &str, &str, Build<'_>); 2] =
        [(STATIC, "main", "()I", five), (STATIC, "twice", "(I)I", twice)];
    let mut main =
        planish_classfile::ClassFile::read(&class("T", &[], &methods)).unwrap().to_bytes().unwrap();
    main = with_source(&main);
    let other = |name: &str| class(name, &[("size", "I")], &[]);
    vec![("T", main), ("a/A", other("a/A")), ("b/B", other("b/B")), ("c/C", other("c/C"))]
}

fn with_source(bytes: &[u8]) -> Vec<u8> {
    let mut class = planish_classfile::ClassFile::read(bytes).unwrap();
    let name = class.pool.add_utf8(b"T.java").unwrap();
    let source = planish_classfile::Body::SourceFile(name);
    let attribute = planish_classfile::class::Attribute::new(&mut class.pool, &source).unwrap();
    class.attributes.push(attribute);
    class.to_bytes().unwrap()
}

fn result(roots: &Roots) -> Archive {
    let (mut archive, hierarchy) = read_in(&program());
    let classpath = Classpath::default();
    let around = Surroundings::quiet(&hierarchy, &classpath, roots);
    match roots.rules.has("dontoptimize") {
        true => drop(shrink_program(&mut archive, around, &Settings::default()).unwrap()),
        false => drop(optimize_program(&mut archive, around, &Settings::default()).unwrap()),
    }
    archive
}

fn roots(rules: &str) -> Roots {
    let mut roots = Roots { rules_given: true, ..Roots::default() };
    add_rules(rules, &mut roots);
    roots
}

const MAIN: &str = "-keep class T { *** main(...); }\n";

/// What is found for a check, which then holds with all remedies that a configuration can take.
fn found(check: &dyn Fn(&Archive) -> bool) -> Vec<Culprit> {
    let (archive, _) = read_in(&program());
    let mut holds = |roots: &Roots| Ok::<_, String>(check(&result(roots)));
    let found = culprits(&archive, &roots(MAIN), &mut holds).unwrap();
    let remedies: String = found.iter().map(|culprit| format!("{}\n", culprit.remedy)).collect();
    if !found.is_empty() {
        assert!(check(&result(&roots(&format!("{MAIN}{remedies}")))), "with {remedies}");
    }
    found
}

fn remedies(check: &dyn Fn(&Archive) -> bool) -> Vec<String> {
    found(check).into_iter().map(|culprit| culprit.remedy).collect()
}

fn has(archive: &Archive, class: &str) -> bool {
    archive.find(format!("{class}.class").as_bytes()).is_some()
}

fn has_source(archive: &Archive) -> bool {
    let bytes = read(archive, "T");
    planish_classfile::ClassFile::read(&bytes).unwrap().attribute(Kind::SourceFile).is_some()
}

#[test]
fn classes_that_went_are_found_one_after_the_other() {
    assert_eq!(remedies(&|archive| has(archive, "b/B")), ["-keep class b.B"]);
    let both = |archive: &Archive| has(archive, "a/A") && has(archive, "c/C");
    assert_eq!(remedies(&both), ["-keep class a.A", "-keep class c.C"]);
    let field = |archive: &Archive| {
        has(archive, "a/A") && {
            let bytes = read(archive, "a/A");
            !planish_classfile::ClassFile::read(&bytes).unwrap().fields.is_empty()
        }
    };
    assert_eq!(remedies(&field), ["-keep class a.A { <fields>; }"]);
}

#[test]
fn attributes_and_classes_that_went_are_found_together() {
    assert_eq!(remedies(&has_source), ["-keepattributes SourceFile,LineNumberTable"]);
    let both = |archive: &Archive| has_source(archive) && has(archive, "b/B");
    assert_eq!(remedies(&both), ["-keepattributes SourceFile,LineNumberTable", "-keep class b.B"]);
}

#[test]
fn a_body_is_found_and_keeps_its_code_by_the_remedy() {
    let body = listing(&read_in(&program()).0, "T", "main");
    assert_ne!(listing(&optimized(&program(), "main", false), "T", "main"), body);
    let found = found(&|archive| listing(archive, "T", "main") == body);
    let [culprit] = &found[..] else { panic!("{found:?}") };
    assert!(culprit.what.starts_with("the new body of T.main()I"), "{}", culprit.what);
    assert_eq!(culprit.remedy, "-keepclassmembers,includecode class T { int main(); }");
}

#[test]
fn what_fails_in_any_case_has_no_culprit() {
    assert_eq!(found(&|_| false), []);
}
