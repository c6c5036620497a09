//! Classes in which the number of a constant is wrong: each is copied with a warning, whatever the mode, and the others are
//! optimized.

use std::path::Path;

use planish_base::Budget;
use planish_classfile::{ClassFile, CodeBytes, Kind, Operand};
use planish_driver::Settings;
use planish_jar::classes::{Archive, Hierarchy, Origin, Source, add_classes, check_classes};
use planish_jar::inputs::{Classpath, Platform};
use planish_jar::programs::around::Surroundings;
use planish_jar::programs::roots::Roots;
use planish_jar::rounds::{optimize_each, optimize_program};

const FLAWED: &str = "Patterns.class";

fn budget() -> Budget {
    Budget::new("inflated bytes", 1 << 30)
}

fn content(archive: &Archive, name: &str) -> Vec<u8> {
    let entry = archive.entries.iter().find(|entry| entry.name == name.as_bytes()).expect("it is there");
    entry.content(&mut budget()).expect("it inflates").into_owned()
}

/// Where the instructions and the attributes of a class have two bytes that are the number of a constant.
fn places(bytes: &[u8]) -> Vec<usize> {
    let class = ClassFile::read(bytes).expect("a class");
    let mut places: Vec<usize> =
        class.attributes.iter().map(|attribute| attribute.offset as usize - 6).collect();
    for method in &class.methods {
        let Some(attribute) = method.attribute(&class.pool, Kind::Code) else { continue };
        let code = CodeBytes::read(&mut attribute.cursor()).expect("a body");
        for item in code.instructions() {
            let (at, instruction) = item.expect("an instruction");
            if let Operand::Constant(_) = instruction.operand
                && instruction.op.name() != "ldc"
            {
                places.push((code.offset + at + 1) as usize);
            }
        }
    }
    places
}

/// The program with one wrong number, and the class that has it.
fn flawed(at: usize) -> (Archive, Vec<u8>) {
    let examples = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/patterns"));
    let mut archive = Source::read(examples).expect("the examples").archive;
    archive.entries.retain(|entry| entry.name.ends_with(b".class"));
    let mut bytes = content(&archive, FLAWED);
    bytes[at..at + 2].fill(0xff);
    let entry = archive.entries.iter_mut().find(|entry| entry.name == FLAWED.as_bytes());
    entry.expect("it is there").set_content(&bytes, planish_jar::classes::Method::Stored, 0);
    (archive, bytes)
}

#[test]
fn a_class_with_a_wrong_number_of_a_constant_is_copied_and_named() {
    let examples = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/patterns"));
    let whole = std::fs::read(examples.join(FLAWED)).expect("the class");
    let places = places(&whole);
    assert!(places.len() > 100, "{places:?}");
    let classpath = Classpath { platform: Platform::heads(), ..Classpath::default() };
    // Instructions and attributes from all over the class.
    for at in places.iter().copied().step_by(places.len() / 6) {
        let (archive, bytes) = flawed(at);
        let wrong = check_classes(&archive, &mut budget()).expect("the archive is right");
        assert!(wrong.len() == 1 && wrong[0].starts_with(FLAWED), "byte {at}: {wrong:?}");
        let mut hierarchy = Hierarchy::new();
        let mut warnings = Vec::new();
        add_classes(&mut hierarchy, &archive, Origin::Program, &mut budget(), &mut warnings)
            .expect("classes");
        classpath.platform.add_to(&mut hierarchy, 1, &mut Vec::new()).expect("the JDK");
        for library in [true, false] {
            let roots = Roots { library, main: vec!["Patterns".into()], ..Roots::default() };
            let around = Surroundings::quiet(&hierarchy, &classpath, &roots);
            let mut result = archive.clone();
            let (shrunk, optimized) =
                optimize_program(&mut result, around, &Settings::default()).expect("a result");
            let said = [shrunk.warnings, optimized.warnings].concat().join("\n");
            assert!(said.contains("Patterns") && said.contains("kept as it is"), "byte {at}: {said}");
            assert_eq!(content(&result, FLAWED), bytes, "byte {at}");
            assert!(optimized.changed > 0, "the others are optimized");
        }
        let roots = Roots::default();
        let mut result = archive.clone();
        let outcome = optimize_each(
            &mut result,
            Surroundings::quiet(&hierarchy, &classpath, &roots),
            &Settings::default(),
        );
        let said = outcome.expect("a result").warnings.join("\n");
        assert!(said.contains(FLAWED) && said.contains("kept as it is"), "byte {at}: {said}");
        assert_eq!(content(&result, FLAWED), bytes, "byte {at}");
    }
}
