//! Enums that become numbers: `examples/unboxing`, as compiled by javac, and what keeps enums as they are. No JDK is needed: the
//! classes of it that the program mentions are made up.

use planish_classfile::{ClassFile, Flags};
use planish_driver::Settings;
use planish_jar::classes::Archive;
use planish_jar::execution::Beginnings;
use planish_jar::execution::programs::archives;
use planish_jar::inputs::Classpath;
use planish_jar::programs::around::Surroundings;
use planish_jar::programs::assumptions::Assumptions;
use planish_jar::programs::outcome::ShrinkOutcome;
use planish_jar::programs::roots::Roots;
use planish_jar::retrace::mapping::Mapping;
use planish_jar::rounds::optimize_program;

use crate::small::{add_rules, example, listing};

const KEEP: &str = "-keep class Beacons { public static void main(java.lang.String[]); }";

/// What becomes of the example by rules. Runs of both are compared.
fn unboxed(rules: &str, assumes: Assumptions, fuel: Option<u64>) -> (Archive, ShrinkOutcome) {
    let (before, hierarchy) = example("unboxing");
    let mut archive = before.clone();
    let mut roots = Roots { rules_given: true, assumes, ..Roots::default() };
    add_rules(&format!("{KEEP}\n{rules}"), &mut roots);
    let classpath = Classpath::default();
    let around = Surroundings::quiet(&hierarchy, &classpath, &roots);
    let settings = Settings { fuel, ..Settings::default() };
    let (shrunk, optimized) = optimize_program(&mut archive, around, &settings).unwrap();
    assert!(optimized.methods.broken.is_empty(), "{:?}", optimized.methods.broken);
    assert!(shrunk.warnings.is_empty(), "{:?}", shrunk.warnings);
    let beginnings = Beginnings { main: vec![b"Beacons".to_vec()], ..Beginnings::default() };
    let held = archives(&before, &archive, (&classpath, &hierarchy), &beginnings, 20);
    assert!(held.different.is_none() && held.agreed > 0, "{held}");
    (archive, shrunk)
}

fn by_rules(rules: &str) -> ShrinkOutcome {
    unboxed(rules, Assumptions::default(), None).1
}

/// The enums that are left.
fn enums(archive: &Archive) -> Vec<String> {
    let mut names = Vec::new();
    for entry in &archive.entries {
        let name = String::from_utf8_lossy(&entry.name).into_owned();
        let Some(name) = name.strip_suffix(".class") else { continue };
        let bytes = listing::read(archive, name);
        let file = ClassFile::read(&bytes).unwrap();
        if file.super_name() == Ok(Some(b"java/lang/Enum")) {
            assert!(file.flags.has(Flags::ENUM));
            names.push(name.to_owned());
        }
    }
    names.sort();
    names
}

const OBJECTS: [&str; 8] = ["Berth", "Flag", "Horn", "Knot", "Moon", "Rank", "Tide", "Weather"];

#[test]
fn enums_of_which_nobody_needs_objects_are_numbers() {
    let (archive, shrunk) = unboxed("", Assumptions::default(), None);
    assert_eq!(enums(&archive), OBJECTS, "{}", shrunk.details());
    assert_eq!(shrunk.unboxed, 3, "Light, Side, Colour");
}

/// Of each enum that is left either is said that it became a number, or one reason is counted.
#[test]
fn every_enum_that_stays_an_object_has_a_reason() {
    let shrunk = by_rules("");
    let details = shrunk.details();
    for (name, reason) in [
        ("Tide", "a constant has a body of its own"),
        ("Weather", "its constants have fields"),
        ("Knot", "its initializer does more than make constants"),
        ("Horn", "a method holds the monitor of a constant"),
        ("Flag", "a constant is used as an object"),
        ("Moon", "a method of constants is called that numbers do not have"),
        ("Berth", "two constructors would get the same type"),
    ] {
        let line = format!("enums that stay objects, such as {name}: 1 ({reason})\n");
        assert!(details.contains(&line), "{line}{details}");
    }
    let count: u64 = shrunk.boxed.values().map(|(count, _)| count).sum();
    assert_eq!((shrunk.unboxed, count), (3, 8), "{details}");
}

#[test]
fn what_configurations_forbid_stays_an_object() {
    let all = by_rules("-optimizations !class/unboxing/enum");
    assert_eq!((all.unboxed, all.boxed.len()), (0, 0));
    assert_eq!(by_rules("-keep class Side").unboxed, 2);
    assert_eq!(by_rules("-keepnames class Side").unboxed, 2);
    assert_eq!(by_rules("-keepclassmembers class Colour { *; }").unboxed, 2);
    assert_eq!(by_rules("-keep class Beacons { static Light last; }").unboxed, 2);
    for assumes in [
        Assumptions::NONE,
        Assumptions { messages: false, ..Assumptions::default() },
        Assumptions { frames: false, ..Assumptions::default() },
    ] {
        assert_eq!(unboxed("", assumes, None).1.unboxed, 0, "{assumes:?}");
    }
}

/// With fuel for one rewrite less, one enum less becomes a number.
#[test]
fn numbers_are_rewrites_that_fuel_limits() {
    let count = |fuel: u64| unboxed("", Assumptions::default(), Some(fuel)).1.unboxed;
    let (mut before, most) = (0, 1 << 12);
    for wanted in 1..=3 {
        let (mut low, mut high) = (before, most);
        while low < high {
            let middle = (low + high) / 2;
            match count(middle) >= wanted {
                true => high = middle,
                false => low = middle + 1,
            }
        }
        assert_eq!(count(low), wanted, "with {low}");
        before = low;
    }
    assert_eq!(count(most), 3);
}

#[test]
fn a_mapping_has_the_types_that_members_had() {
    let shrunk = by_rules("-printmapping beacons.map\n-keepattributes SourceFile,LineNumberTable");
    let text = shrunk.mapping.unwrap();
    Mapping::parse(&text).unwrap();
    assert!(text.contains("    Light last -> last\n"), "{text}");
    for method in
        ["boolean isLit()", "Light next()", "boolean brighter(Light)", "int java.lang.Enum.ordinal()"]
    {
        assert!(text.contains(method), "{method}: {text}");
    }
}
