//! Classes that become one: `examples/merging`, as compiled by javac, and what keeps classes apart. No JDK is needed: the classes
//! of it that the program mentions are made up.

use std::collections::{BTreeMap, BTreeSet};

use planish_base::{Diagnostics, SourceText};
use planish_classfile::code::CodeBody;
use planish_classfile::{Body, ClassFile, Code, Kind};
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
use planish_jar::retrace::retrace;
use planish_jar::rounds::optimize_program;

use crate::small::{example, listing};

const KEEP: &str = "-keep class Berths { public static void main(java.lang.String[]); }";

/// What becomes of the example by rules, and how runs of both compare.
fn merged(rules: &str, assumes: Assumptions, fuel: Option<u64>) -> (Archive, ShrinkOutcome, Held) {
    let (before, hierarchy) = example("merging");
    let mut archive = before.clone();
    let mut roots = Roots { rules_given: true, assumes, ..Roots::default() };
    let source = SourceText::new("keep.pro".to_owned(), format!("{KEEP}\n{rules}"));
    let mut diagnostics = Diagnostics::new();
    planish_keep::read::read(&source, &mut roots.rules, &mut diagnostics);
    assert!(!diagnostics.has_errors());
    let classpath = Classpath::default();
    let around = Surroundings::quiet(&hierarchy, &classpath, &roots);
    let settings = Settings { fuel, ..Settings::default() };
    let (shrunk, optimized) = optimize_program(&mut archive, around, &settings).unwrap();
    assert!(optimized.methods.broken.is_empty(), "{:?}", optimized.methods.broken);
    let beginnings = Beginnings { main: vec![b"Berths".to_vec()], ..Beginnings::default() };
    let held = archives(&before, &archive, (&classpath, &hierarchy), &beginnings, 20);
    assert!(held.different.is_none() && held.agreed > 0, "{held}");
    (archive, shrunk, held)
}

fn by_rules(rules: &str) -> Archive {
    merged(rules, Assumptions::default(), None).0
}

fn classes(archive: &Archive) -> Vec<String> {
    let names = archive.entries.iter().map(|entry| String::from_utf8_lossy(&entry.name).into_owned());
    let mut names: Vec<String> =
        names.filter_map(|name| name.strip_suffix(".class").map(str::to_owned)).collect();
    names.sort();
    names
}

const TOGETHER: [&str; 9] =
    ["Berths", "Bottom", "Grounding", "Loud", "Louder", "Named", "OnlyNamed", "Tides", "Trawler"];

#[test]
fn classes_without_objects_are_a_part_of_the_one_that_extends_them() {
    let (archive, shrunk, _) = merged("", Assumptions::default(), None);
    assert_eq!(classes(&archive), TOGETHER);
    assert_eq!(shrunk.united, (4, 1), "Vessel, Top, Middle, Mishap; Winds");
    assert_eq!(shrunk.classes, (14, 9));
    let bytes = listing::read(&archive, "Trawler");
    let trawler = ClassFile::read(&bytes).unwrap();
    assert_eq!(trawler.super_name(), Ok(Some(&b"java/lang/Object"[..])));
    let interfaces: Vec<&[u8]> = trawler.interface_names().map(Result::unwrap).collect();
    assert_eq!(interfaces, [b"java/lang/Comparable"]);
    let caught = listing::listing(&archive, "Berths", "caught");
    assert!(caught.contains("getfield Grounding.fathoms") && !caught.contains("Mishap"), "{caught}");
    let bytes = listing::read(&archive, "Bottom");
    let bottom = ClassFile::read(&bytes).unwrap();
    let fields: Vec<&[u8]> =
        bottom.fields.iter().map(|field| bottom.pool.utf8(field.name).unwrap()).collect();
    assert_eq!(fields, [&b"slack"[..], b"name", b"slack$Middle"]);
}

#[test]
fn what_configurations_forbid_stays_apart() {
    let all = classes(&example("merging").0);
    assert_eq!(classes(&by_rules("-optimizations !class/merging/*")), all);
    let below = classes(&by_rules("-optimizations !class/merging/horizontal"));
    assert!(below.contains(&"Winds".to_owned()) && !below.contains(&"Vessel".to_owned()), "{below:?}");
    let beside = classes(&by_rules("-optimizations !class/merging/vertical"));
    assert!(!beside.contains(&"Winds".to_owned()) && beside.contains(&"Vessel".to_owned()), "{beside:?}");
    for assumes in [
        Assumptions::NONE,
        Assumptions { messages: false, ..Assumptions::default() },
        Assumptions { frames: false, ..Assumptions::default() },
    ] {
        assert_eq!(classes(&merged("", assumes, None).0), all, "{assumes:?}");
    }
}

#[test]
fn what_rules_name_stays_apart() {
    for rule in
        ["-keep class Vessel", "-keep,allowobfuscation class Trawler { *; }", "-keepnames class Vessel"]
    {
        assert!(classes(&by_rules(rule)).contains(&"Vessel".to_owned()), "{rule}");
    }
    assert!(classes(&by_rules("-keepclassmembers class Top { *; }")).contains(&"Top".to_owned()));
}

/// With fuel for one rewrite less, one class less becomes a part of another.
#[test]
fn merges_are_rewrites_that_fuel_limits() {
    let (_, whole, _) = merged("", Assumptions::default(), None);
    let mut seen = Vec::new();
    for fuel in 0..=whole.rewrites + 200 {
        let (_, shrunk, _) = merged("", Assumptions::default(), Some(fuel));
        seen.push(shrunk.united.0 + shrunk.united.1);
        if seen.last() == Some(&5) {
            break;
        }
    }
    seen.dedup();
    assert_eq!(seen, [0, 1, 2, 3, 4, 5]);
}

/// The lines of methods, by class and name.
fn lines(archive: &Archive) -> BTreeMap<(String, String), BTreeSet<u16>> {
    let mut lines: BTreeMap<_, BTreeSet<u16>> = BTreeMap::new();
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    for class in classes(archive) {
        let bytes = listing::read(archive, &class);
        let file = ClassFile::read(&bytes).unwrap();
        for method in &file.methods {
            let Some(code) = method.attribute(&file.pool, Kind::Code) else { continue };
            let Ok(Some(Body::Code(bytes))) = code.decode(&file.pool) else { panic!("a body") };
            let code = Code::read(&bytes, &file.pool).unwrap();
            let name = text(file.pool.utf8(method.name).unwrap());
            for attribute in code.attributes {
                let CodeBody::Lines(table) = attribute.body else { continue };
                let own = lines.entry((class.clone(), name.clone())).or_default();
                own.extend(table.iter().map(|line| line.line));
            }
        }
    }
    lines
}

/// Whatever line a trace names, it turns back into one list of frames, each of a method that had this line.
#[test]
fn stack_traces_name_the_classes_that_were() {
    let rules = "-printmapping berths.map\n-keepattributes SourceFile,LineNumberTable";
    let (archive, shrunk, _) = merged(rules, Assumptions::default(), None);
    assert_eq!(classes(&archive), TOGETHER);
    let text = shrunk.mapping.unwrap();
    assert!(text.starts_with("# {\"id\":\"com.android.tools.r8.mapping\",\"version\":\"2.2\"}\n"), "{text}");
    assert!(text.contains("java.lang.String Top.toString()"), "{text}");
    assert!(text.contains("int Middle.slack -> slack$Middle"), "{text}");
    let gone = text.split("\nVessel -> R8$$REMOVED$$CLASS$$").nth(1).unwrap_or_else(|| panic!("{text}"));
    assert!(gone.lines().nth(1).unwrap().contains("\"fileName\":\"Berths.java\""), "{text}");
    let mapping = Mapping::parse(&text).unwrap();
    let before = lines(&example("merging").0);
    let mut seen = BTreeSet::new();
    for ((class, method), numbers) in lines(&archive) {
        for number in numbers {
            let trace = retrace(&mapping, &format!("\tat {class}.{method}(SourceFile:{number})"));
            for frame in trace.lines() {
                let (named, place) = frame.trim().split_once('(').unwrap();
                let (of, name) = named.strip_prefix("at ").unwrap_or(named).rsplit_once('.').unwrap();
                let line =
                    place.strip_prefix("Berths.java:").and_then(|line| line.strip_suffix(')')).unwrap();
                let lines = &before.get(&(of.to_owned(), name.to_owned()));
                let has = lines.is_some_and(|lines| lines.contains(&line.parse().unwrap()));
                assert!(has, "{class}.{method}:{number} is {trace}\n{text}");
                seen.insert(of.to_owned());
            }
        }
    }
    for class in ["Vessel", "Middle", "Top", "Mishap", "Winds"] {
        assert!(seen.contains(class), "{class}: {seen:?}");
    }
}

#[test]
fn what_became_of_a_class_is_told() {
    let asked = "-whyareyoukeeping class Vessel\n-whyareyoukeeping class Trawler";
    let (_, shrunk, _) = merged(asked, Assumptions::default(), None);
    let says = |line: &str| shrunk.explanations.iter().any(|said| said == line);
    assert!(says("Vessel is kept, and merged into Trawler"), "{:?}", shrunk.explanations);
    assert!(says("Trawler is kept"), "{:?}", shrunk.explanations);
    let removed = shrunk.removed.to_string();
    assert!(removed.contains("# Vessel is merged into Trawler\n"), "{removed}");
    assert!(!removed.lines().any(|line| line == "Vessel"), "{removed}");
}

/// Of each class that one other extends, and each of nothing but static members, either is said what it is a part of or one
/// reason is counted.
#[test]
fn every_class_that_stays_apart_has_a_reason() {
    let (_, shrunk, _) = merged("", Assumptions::default(), None);
    let counts = shrunk.apart.each_ref().map(|refused| refused.values().map(|(count, _)| count).sum::<u64>());
    let details = shrunk.details();
    assert!(details.contains("classes that stay apart from the only one below"), "{details}");
    assert_eq!((shrunk.united, counts), ((4, 1), [2, 1]), "Loud, Named; Berths: {details}");
}
