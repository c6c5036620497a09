//! Class files and archives: no panic, and what is read is written as it was.

use planish_base::{Budget, Diagnostics, SourceText};
use planish_classfile::zip::{DosTime, Entry, Method};
use planish_classfile::{ClassFile, zip};
use planish_driver::Settings;
use planish_driver::report::RuleNote;
use planish_jar::class_report::{ClassRun, report};
use planish_jar::classes::{add_classes, check_classes, strip};
use planish_jar::execution::Beginnings;
use planish_jar::execution::programs::archives;
use planish_jar::inputs::Classpath;
use planish_jar::programs::around::Surroundings;
use planish_jar::programs::roots::Roots;
use planish_jar::rounds::{optimize_each, optimize_program};
use planish_jar::summary::summarize;
use planish_jvm_model::hierarchy::{Hierarchy, Origin};
use planish_keep::Configuration;
use planish_keep::read::read as read_rules;
use planish_report::page;

use crate::classes::platform;

/// A class file: read, everything in it decoded, written again to the same bytes.
pub fn class(bytes: &[u8]) {
    // The hierarchy reads the heads of classes by itself.
    let _ = Hierarchy::new().add(bytes, Origin::Program);
    let Ok(class) = ClassFile::read(bytes) else { return };
    let written = class.to_bytes().expect("what was read fits its format");
    assert_eq!(written, bytes);
    // Attributes may be wrong inside; decoding them must say so and no more.
    let _ = class.check();
}

/// An archive: read and inflated within a budget, written again and read again.
pub fn archive(bytes: &[u8]) {
    let Ok(archive) = zip::Archive::read(bytes.to_vec()) else { return };
    let mut budget = Budget::new("inflated bytes", 1 << 20);
    for entry in &archive.entries {
        let _ = entry.content(&mut budget);
    }
    let mut written = Vec::new();
    if archive.write(&mut written).is_ok() {
        let again = zip::Archive::read(written).expect("what was written is read");
        assert_eq!(again.entries.len(), archive.entries.len());
    }
}

/// A class file as a program of its own, optimized in every mode: an answer or an error, whatever is in it.
pub fn optimized_class(bytes: &[u8]) {
    let entry = Entry::new(b"C.class", DosTime::EPOCH, bytes, Method::Stored);
    optimize(&zip::Archive { entries: vec![entry], ..zip::Archive::default() });
}

/// An archive, optimized in every mode.
pub fn optimized_archive(bytes: &[u8]) {
    if let Ok(archive) = zip::Archive::read(bytes.to_vec()) {
        optimize(&archive);
    }
}

/// What a program keeps here: what can be called without an object.
const KEEP: &str = "-keepclasseswithmembers class * { static *** *(...); }\n-printmapping\n";

/// Checks the classes of an archive, and optimizes it as every mode of the command does, with a page about it.
fn optimize(archive: &zip::Archive) {
    let mut budget = Budget::new("inflated bytes", 1 << 24);
    let _ = check_classes(archive, &mut budget);
    let mut hierarchy = platform();
    let mut warnings = Vec::new();
    if add_classes(&mut hierarchy, archive, Origin::Program, &mut budget, &mut warnings).is_err() {
        return;
    }
    let classpath = Classpath::default();
    let mut rules = Configuration::default();
    read_rules(&SourceText::new("keep", KEEP), &mut rules, &mut Diagnostics::new());
    let library = Roots { library: true, why_all: true, ..Roots::default() };
    let program = Roots { rules, rules_given: true, ..Roots::default() };
    // For the page everything is told.
    let settings = Settings { log: true, states: true, ..Settings::default() };
    for roots in [library, program] {
        let around = Surroundings::quiet(&hierarchy, &classpath, &roots);
        let mut after = archive.clone();
        if let Ok((shrunk, optimized)) = optimize_program(&mut after, around, &settings) {
            let (shrunk, optimized) = (Some(&shrunk), Some(&optimized));
            let run = ClassRun { before: archive, after: &after, written: &after, shrunk, optimized };
            if let Ok(report) = report("", "", &run, &|_| note()) {
                page::render(&report);
            }
        }
    }
    let bodies = Roots::default();
    let around = Surroundings::quiet(&hierarchy, &classpath, &bodies);
    let mut after = archive.clone();
    let _ = strip(&mut after, &mut warnings);
    let _ = optimize_each(&mut after, around, &Settings::default());
    let _ = summarize(std::slice::from_ref(archive));
}

/// A program of classes, optimized as a library and from what a rule keeps, with heuristics and at random: it does what it
/// did. How many runs agreed to their end.
pub fn optimized_program(classes: &[(String, Vec<u8>)], seed: u64) -> u64 {
    let entry = |(name, bytes): &(String, Vec<u8>)| {
        Entry::new(format!("{name}.class").as_bytes(), DosTime::EPOCH, bytes, Method::Stored)
    };
    let before = zip::Archive { entries: classes.iter().map(entry).collect(), ..zip::Archive::default() };
    let mut budget = Budget::new("inflated bytes", 1 << 24);
    let mut hierarchy = platform();
    add_classes(&mut hierarchy, &before, Origin::Program, &mut budget, &mut Vec::new()).expect("classes");
    let classpath = Classpath::default();
    let mut rules = Configuration::default();
    let keep = "-keep class **.T { public static *** m*(...); public static long trace; }";
    read_rules(&SourceText::new("keep", keep), &mut rules, &mut Diagnostics::new());
    let library = Roots { library: true, ..Roots::default() };
    let program = Roots { rules, rules_given: true, ..Roots::default() };
    let mut agreed = 0;
    for (roots, chaos) in [(&library, None), (&program, None), (&program, Some(seed))] {
        let around = Surroundings::quiet(&hierarchy, &classpath, roots);
        let mut after = before.clone();
        let settings = Settings { chaos, ..Settings::default() };
        let (shrunk, _) = optimize_program(&mut after, around, &settings).expect("it is optimized");
        let kept = (!roots.library).then_some(shrunk.seeds.as_str());
        let beginnings = Beginnings::public(&before, kept);
        let held = archives(&before, &after, (&classpath, &hierarchy), &beginnings, WORLDS);
        if let Some(different) = held.different {
            let mode = if roots.library { "as a library" } else { "as a program" };
            panic!("{mode}, chaos {chaos:?}: {different}");
        }
        agreed += held.agreed;
    }
    agreed
}

/// In how many worlds a program is run from each of its classes.
const WORLDS: u64 = 6;

fn note() -> RuleNote {
    RuleNote { name: String::new(), place: String::new(), proof: String::new() }
}
