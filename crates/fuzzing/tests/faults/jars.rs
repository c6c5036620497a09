//! Wrong passes over whole programs of classes: found because what becomes of a program does something else, run beside it.

use std::path::{Path, PathBuf};

use arbitrary::Unstructured;
use planish_base::{Budget, Diagnostics, SourceText};
use planish_driver::Settings;
use planish_filetest::generate::bytes;
use planish_filetest::property::Wrong;
use planish_fuzzing::{binaries, classes};
use planish_jar::classes::{Source, add_classes};
use planish_jar::execution::Beginnings;
use planish_jar::execution::programs::archives;
use planish_jar::inputs::Classpath;
use planish_jar::programs::around::Surroundings;
use planish_jar::programs::roots::Roots;
use planish_jar::rounds::optimize_program;
use planish_jvm_model::hierarchy::Origin;
use planish_keep::Configuration;

use crate::passes::{NONE, caught};
use crate::table::{Behind, Line, Row, functions};

/// The first line of defence.
const BY: &str = "a run beside the source, of the examples";

/// The second line of defence.
const BEHIND: &str = "the same with random programs";

/// How many random programs may be run.
const PROGRAMS: u64 = 10;

/// In how many worlds an example is run.
const WORLDS: u64 = 20;

/// The examples: folders of classes, and where they begin.
const EXAMPLES: [(&str, &str); 3] = [("merging", "Berths"), ("unboxing", "Beacons"), ("unboxing", "Convoy")];

/// One row a fault.
pub fn campaign() -> Vec<Row> {
    for (folder, main) in EXAMPLES {
        assert_eq!(caught(NONE, || of_example(folder, main)), None, "{main}: found without a fault");
    }
    crate::names("jvm").into_iter().map(row).collect()
}

fn row(name: &'static str) -> Row {
    let found = EXAMPLES.iter().find(|(folder, main)| caught(name, || of_example(folder, main)).is_some());
    let random = functions(name, Behind::Second, PROGRAMS)
        .find(|count| caught(name, || of_random(count - 1)).is_some());
    Row {
        name: name.to_owned(),
        first: Line {
            by: BY.to_owned(),
            budget: format!("{} programs", EXAMPLES.len()),
            found: found.map(|(_, main)| format!("`{main}`")),
        },
        second: Some(Line {
            by: BEHIND.to_owned(),
            budget: format!("{PROGRAMS} programs"),
            found: random.map(|count| format!("function {count}")),
        }),
    }
}

/// A random program, by seed, held against what becomes of it.
fn of_random(seed: u64) -> Result<(), Wrong> {
    let data = bytes(seed, 4000);
    let program = classes::program(&mut Unstructured::new(&data), "p");
    binaries::optimized_program(&program.expect("bytes that run out read as zero"), seed);
    Ok(())
}

/// An example, optimized for its main class, held against what becomes of it.
fn of_example(folder: &str, main: &str) -> Result<(), Wrong> {
    let path: PathBuf = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples")).join(folder);
    let before = Source::read(&path).expect("an example").archive;
    let mut hierarchy = classes::platform();
    let mut budget = Budget::new("inflated bytes", 1 << 20);
    add_classes(&mut hierarchy, &before, Origin::Program, &mut budget, &mut Vec::new()).expect("classes");
    let keep = format!("-keep class {main} {{ public static void main(java.lang.String[]); }}");
    let mut rules = Configuration::default();
    planish_keep::read::read(&SourceText::new("keep", keep), &mut rules, &mut Diagnostics::new());
    let roots = Roots { rules, rules_given: true, ..Roots::default() };
    let classpath = Classpath::default();
    let around = Surroundings::quiet(&hierarchy, &classpath, &roots);
    let mut after = before.clone();
    optimize_program(&mut after, around, &Settings::default()).expect("it is optimized");
    let beginnings = Beginnings { main: vec![main.as_bytes().to_vec()], ..Beginnings::default() };
    let held = archives(&before, &after, (&classpath, &hierarchy), &beginnings, WORLDS);
    match held.different {
        Some(different) => Err(Wrong::Different(different.to_string())),
        None => Ok(()),
    }
}
