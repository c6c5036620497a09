//! Enums that become numbers: `examples/unboxing`, as compiled by javac, and what keeps enums as they are. No JDK is needed: the
//! classes of it that the program mentions are made up.

use planish_classfile::{ClassFile, Flags};
use planish_driver::Settings;
use planish_jar::classes::Archive;
use planish_jar::execution::programs::archives;
use planish_jar::execution::{Beginnings, Held};
use planish_jar::inputs::Classpath;
use planish_jar::programs::around::Surroundings;
use planish_jar::programs::assumptions::Assumptions;
use planish_jar::programs::outcome::ShrinkOutcome;
use planish_jar::programs::roots::Roots;
use planish_jar::retrace::mapping::Mapping;
use planish_jar::rounds::optimize_program;
use planish_jvm::transform::unboxing::Reason;

use crate::small::{add_rules, example, listing};

const KEEP: &str = "-keep class Beacons { public static void main(java.lang.String[]); }";

/// What becomes of the example by rules. Runs of both are compared.
fn unboxed(rules: &str, assumes: Assumptions, fuel: Option<u64>) -> (Archive, ShrinkOutcome) {
    let (archive, shrunk, held) = begun_in(("Beacons", KEEP), rules, assumes, fuel);
    assert!(held.agreed > 0, "{held}");
    (archive, shrunk)
}

/// What becomes of the classes of the example of which one main class and rule make a program.
fn begun_in(
    (main, keep): (&str, &str),
    rules: &str,
    assumes: Assumptions,
    fuel: Option<u64>,
) -> (Archive, ShrinkOutcome, Held) {
    let (before, hierarchy) = example("unboxing");
    let mut archive = before.clone();
    let mut roots = Roots { rules_given: true, assumes, ..Roots::default() };
    add_rules(&format!("{keep}\n{rules}"), &mut roots);
    let classpath = Classpath::default();
    let around = Surroundings::quiet(&hierarchy, &classpath, &roots);
    let settings = Settings { fuel, ..Settings::default() };
    let (shrunk, optimized) = optimize_program(&mut archive, around, &settings).unwrap();
    assert!(optimized.methods.broken.is_empty(), "{:?}", optimized.methods.broken);
    assert!(shrunk.warnings.is_empty(), "{:?}", shrunk.warnings);
    let beginnings = Beginnings { main: vec![main.as_bytes().to_vec()], ..Beginnings::default() };
    let held = archives(&before, &archive, (&classpath, &hierarchy), &beginnings, 20);
    assert!(held.different.is_none(), "{held}");
    (archive, shrunk, held)
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

/// The enums that stay objects, each with the reason and the place where that shows.
const OBJECTS: [(&str, Reason, &str); 16] = [
    ("Kite", Reason::Bodies, "Kite$1"),
    ("Tide", Reason::Bodies, "Tide$2"),
    ("Anchor", Reason::Lock, "Beacons.held (Beacons.java:168)"),
    ("Horn", Reason::Lock, "Horn.blow"),
    ("Swell", Reason::Fields, "Swell.height"),
    ("Wind", Reason::Assertions, "Wind.<clinit> (Beacons.java:372)"),
    ("Knot", Reason::Initializer, "Knot.<clinit> (Beacons.java:313)"),
    ("Lantern", Reason::Interface, "Glass.<clinit>"),
    ("Shore", Reason::Record, "Chart"),
    ("Pilot", Reason::Sites, "Pilot.fee (Beacons.java:389)"),
    ("Rank", Reason::Sites, "Beacons.main (Beacons.java:16)"),
    ("Storm", Reason::ClassObject, "Beacons.held (Beacons.java:176)"),
    ("Flag", Reason::Object, "Beacons.main (Beacons.java:16)"),
    ("Wave", Reason::Cast, "Beacons.held (Beacons.java:174)"),
    ("Moon", Reason::Method, "Beacons.main (Beacons.java:16)"),
    ("Berth", Reason::Overloads, "Mooring"),
];

#[test]
fn enums_of_which_nobody_needs_objects_are_numbers() {
    let (archive, shrunk) = unboxed("", Assumptions::default(), None);
    let mut objects = OBJECTS.map(|(name, ..)| name);
    objects.sort_unstable();
    assert_eq!(enums(&archive), objects, "{}", shrunk.details());
    assert_eq!(shrunk.unboxed, 6, "Light, Side, Colour, Flare, Weather, Signal");
}

/// Of each enum that is left either is said that it became a number, or why it did not and where that shows.
#[test]
fn every_enum_that_stays_an_object_has_a_reason_and_a_place() {
    let shrunk = by_rules("-keepattributes SourceFile,LineNumberTable");
    let found = shrunk.boxed.iter().map(|object| (&*object.name, object.reason, &*object.place));
    assert_eq!(found.collect::<Vec<_>>(), OBJECTS);
    let details = shrunk.details();
    let lines = "enums that stay objects: 16\n  Kite: a constant has a body of its own, at Kite$1\n";
    assert!(details.contains(lines), "{details}");
}

/// Where objects are written and types of fields are asked for, only those enums stay objects that are in such a field.
#[test]
fn an_enum_that_is_in_no_written_object_and_in_no_found_field_is_a_number() {
    let keep = "-keep class Convoy { public static void main(java.lang.String[]); }";
    let attributes = "-keepattributes SourceFile,LineNumberTable";
    let (archive, shrunk, _) = begun_in(("Convoy", keep), attributes, Assumptions::default(), None);
    let found = shrunk.boxed.iter().map(|object| (&*object.name, object.reason, &*object.place));
    let objects = [
        ("Buoy", Reason::Written, "Cargo.buoy"),
        ("Ensign", Reason::Outside, "Tender.flagged"),
        ("Heading", Reason::Outside, "Helm.steer"),
    ];
    assert_eq!(found.collect::<Vec<_>>(), objects);
    assert_eq!(shrunk.unboxed, 5, "Crane, Hatch, Ladder, Net, Oar");
    assert_eq!(enums(&archive), ["Buoy", "Ensign", "Heading"]);
}

/// Every reason stands on the page about jars, with what can be done.
#[test]
fn the_page_has_every_reason() {
    let page = include_str!("../../../docs/jvm.md");
    for reason in Reason::ALL {
        assert!(page.contains(&format!("| {reason} |")), "{reason}");
    }
}

#[test]
fn what_configurations_forbid_stays_an_object() {
    let all = by_rules("-optimizations !class/unboxing/enum");
    assert_eq!((all.unboxed, all.boxed.len()), (0, 0));
    for (rule, name, reason, place) in [
        ("-keep class Side", "Side", Reason::Rule, "Side"),
        ("-keepnames class Side", "Side", Reason::Named, "Side"),
        ("-keepclassmembers class Colour { *; }", "Colour", Reason::Rule, "Colour.<init>"),
        ("-keep class Beacons { static Light last; }", "Light", Reason::Rule, "Beacons.last"),
    ] {
        let shrunk = by_rules(rule);
        assert_eq!(shrunk.unboxed, 5, "{rule}");
        let object = shrunk.boxed.iter().find(|object| object.name == name).unwrap();
        assert_eq!((object.reason, object.place.as_str()), (reason, place), "{rule}");
    }
    // Only who has the object of the class finds these.
    let usual = "-keepclassmembers enum * { public static **[] values(); public static ** valueOf(java.lang.String); }";
    assert_eq!(by_rules(usual).unboxed, 6);
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
    for wanted in 1..=6 {
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
    assert_eq!(count(most), 6);
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
