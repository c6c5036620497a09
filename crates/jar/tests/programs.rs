//! Archives as programs: merging, services, manifests, versioned classes, what is written.

use planish_base::Budget;
use planish_classfile::builder::CodeBuilder;
use planish_classfile::zip::{DosTime, Entry};
use planish_classfile::{ClassFile, Flags, Opcode};
use planish_driver::Settings;
use planish_jar::classes::{Archive, Hierarchy, Method, Origin, add_classes};
use planish_jar::inputs::{Classpath, merge};
use planish_jar::manifests::Manifests;
use planish_jar::output_splitting::Apart;
use planish_jar::programs::around::Surroundings;
use planish_jar::programs::outcome::ShrinkOutcome;
use planish_jar::programs::remembered::Remembered;
use planish_jar::programs::roots::{Pinned, Roots};
use planish_jar::programs::shrink;
use planish_jar::rounds::optimize_program;
use planish_jar::stored::pack;

const OBJECT: &[u8] = b"java/lang/Object";

/// A class with `main`, which makes an instance of each of `uses`, and a method that nobody calls.
fn class(name: &str, uses: &[&str]) -> Vec<u8> {
    let mut class = ClassFile::new(52, Flags::PUBLIC | Flags::SUPER, name.as_bytes(), Some(OBJECT)).unwrap();
    for method in ["main", "dead", "<init>"] {
        let mut code = CodeBuilder::new();
        for name in uses.iter().filter(|_| method == "main") {
            let init = [name.as_bytes(), b"<init>", b"()V"];
            code.class(Opcode::New, name.as_bytes(), &mut class.pool).unwrap();
            code.call(Opcode::Invokespecial, init, &mut class.pool).unwrap();
        }
        if method == "<init>" {
            code.local(Opcode::Aload, 0);
            code.call(Opcode::Invokespecial, [OBJECT, b"<init>", b"()V"], &mut class.pool).unwrap();
        }
        code.op(Opcode::Return);
        let code = code.finish(1, &mut class.pool).unwrap();
        let (flags, descriptor) = match method {
            "main" => (Flags::PUBLIC | Flags::STATIC, "([Ljava/lang/String;)V"),
            "dead" => (Flags::STATIC, "()V"),
            _ => (Flags::PUBLIC, "()V"),
        };
        class.add_method(flags, method.as_bytes(), descriptor.as_bytes(), Some(&code)).unwrap();
    }
    class.to_bytes().unwrap()
}

fn archive(entries: &[(&str, &[u8])]) -> Archive {
    let entry = |&(name, content): &(&str, &[u8])| {
        Entry::new(name.as_bytes(), DosTime::EPOCH, content, Method::Deflated)
    };
    Archive { entries: entries.iter().map(entry).collect(), ..Archive::default() }
}

fn names(archive: &Archive) -> Vec<String> {
    archive.entries.iter().map(|entry| String::from_utf8_lossy(&entry.name).into_owned()).collect()
}

fn content(archive: &Archive, name: &str) -> Vec<u8> {
    archive.find(name.as_bytes()).unwrap().content(&mut Budget::new("bytes", 1 << 20)).unwrap().into_owned()
}

fn shrunk(archive: &mut Archive, roots: &Roots) -> Result<ShrinkOutcome, String> {
    let mut hierarchy = Hierarchy::new();
    let object = ClassFile::new(52, Flags::PUBLIC, OBJECT, None).unwrap().to_bytes().unwrap();
    hierarchy.add(&object, Origin::Platform).unwrap();
    let mut budget = Budget::new("bytes", 1 << 20);
    add_classes(&mut hierarchy, archive, Origin::Program, &mut budget, &mut Vec::new()).unwrap();
    let classpath = Classpath::default();
    let around = Surroundings::quiet(&hierarchy, &classpath, roots);
    let outcome = shrink(archive, around, &mut Remembered::default(), &Pinned::new())?;
    pack(archive, &outcome.to_deflate, 2)?;
    Ok(outcome)
}

#[test]
fn the_manifest_names_the_main_class_and_resources_stay() {
    let mut jar = archive(&[
        ("META-INF/MANIFEST.MF", b"Manifest-Version: 1.0\r\nMain-Class: a.Main\r\n\r\n"),
        ("a/Main.class", &class("a/Main", &["a/Used"])),
        ("a/Used.class", &class("a/Used", &[])),
        ("a/Unused.class", &class("a/Unused", &[])),
        ("a/data.txt", b"text"),
    ]);
    let outcome = shrunk(&mut jar, &Roots::default()).unwrap();
    assert_eq!(names(&jar), ["META-INF/MANIFEST.MF", "a/Main.class", "a/Used.class", "a/data.txt"]);
    assert_eq!(outcome.classes, (3, 2));
    assert_eq!(outcome.members.methods, (9, 2));
    let list = outcome.removed.to_string();
    let list: Vec<&str> = list.lines().collect();
    assert!(
        list.contains(&"a.Unused") && list.contains(&"a.Main:") && list.contains(&"    static void dead()"),
        "{list:?}"
    );
    let bytes = content(&jar, "a/Used.class");
    let file = ClassFile::read(&bytes).unwrap();
    assert_eq!(file.methods.len(), 1);
    assert!(outcome.summary().contains("classes: 3 before, 2 after"), "{}", outcome.summary());
}

#[test]
fn the_same_input_gives_the_same_bytes() {
    let run = || {
        let mut jar = archive(&[("Main.class", &class("Main", &["B"])), ("B.class", &class("B", &["Main"]))]);
        shrunk(&mut jar, &Roots { main: vec!["Main".into()], ..Roots::default() }).unwrap();
        let mut bytes = Vec::new();
        jar.write(&mut bytes).unwrap();
        bytes
    };
    assert_eq!(run(), run());
}

#[test]
fn a_main_class_that_is_not_there_is_an_error() {
    let mut jar = archive(&[("Main.class", &class("Main", &[]))]);
    let Err(message) = shrunk(&mut jar, &Roots { main: vec!["a.Main".into()], ..Roots::default() }) else {
        panic!("there is no such class")
    };
    assert_eq!(message, "a.Main is no class of the program with a main method");
}

#[test]
fn inputs_are_merged_as_a_class_path_finds_them() {
    let first = archive(&[("A.class", b"one"), ("META-INF/services/S", b"a.P"), ("x.txt", b"1")]);
    let second = archive(&[
        ("A.class", b"two"),
        ("module-info.class", b"module"),
        ("META-INF/services/S", b"b.P\n"),
        ("y.txt", b"2"),
    ]);
    let (merged, warnings) = merge(vec![first, second]).unwrap();
    assert_eq!(names(&merged), ["A.class", "META-INF/services/S", "x.txt", "y.txt"]);
    assert_eq!(content(&merged, "A.class"), b"one");
    assert_eq!(content(&merged, "META-INF/services/S"), b"a.P\nb.P\n");
    assert_eq!(warnings.len(), 2, "{warnings:?}");
}

/// Frameworks ask a class path for every file of a name and read each line by line.
#[test]
fn lists_of_frameworks_are_merged() {
    let index = "META-INF/sisu/javax.inject.Named";
    let first = archive(&[(index, b"a.A\n"), ("META-INF/other", b"1")]);
    let second = archive(&[(index, b"b.B\n"), ("META-INF/other", b"2"), ("x.txt", b"3")]);
    let (merged, warnings) = merge(vec![first, second]).unwrap();
    assert_eq!(names(&merged), [index, "META-INF/other", "x.txt"]);
    assert_eq!(content(&merged, index), b"a.A\nb.B\n");
    assert!(warnings[0].starts_with("of META-INF/other the one of the first input stays"), "{warnings:?}");
}

/// A JVM takes what an input has under `META-INF/versions` only if its manifest says so, and of a class that an earlier input
/// has it takes nothing.
#[test]
fn versions_of_later_inputs_count_in_one_jar() {
    let (plain, says) =
        (b"Manifest-Version: 1.0\r\n\r\n", b"Manifest-Version: 1.0\r\nMulti-Release: true\r\n\r\n");
    let first = || {
        archive(&[
            ("META-INF/MANIFEST.MF", &plain[..]),
            ("X.txt", b"1"),
            ("META-INF/versions/9/Z.txt", b"old"),
        ])
    };
    let second = |manifest: &[u8]| {
        let versions = [("META-INF/versions/9/X.txt", &b"2"[..]), ("META-INF/versions/11/Y.txt", b"3")];
        archive(&[&[("META-INF/MANIFEST.MF", manifest)][..], &versions, &[("Y.txt", b"4")]].concat())
    };
    let merged = |inputs: Vec<Archive>| {
        let manifests = Manifests::of(&inputs).unwrap();
        let (mut merged, _) = merge(inputs).unwrap();
        (manifests.join(&mut merged).unwrap(), merged)
    };
    let (warnings, one) = merged(vec![first(), second(says)]);
    assert_eq!(names(&one), ["META-INF/MANIFEST.MF", "X.txt", "META-INF/versions/11/Y.txt", "Y.txt"]);
    assert_eq!(content(&one, "META-INF/MANIFEST.MF"), says);
    assert_eq!(warnings, [""; 0]);
    let path = b"Manifest-Version: 1.0\r\nClass-Path: a.jar\r\n\r\n";
    let (warnings, one) = merged(vec![first(), second(path)]);
    assert_eq!(content(&one, "META-INF/MANIFEST.MF"), plain);
    assert_eq!(one.entries.len(), 6, "nobody sees versions, before or after");
    assert!(warnings.len() == 1 && warnings[0].ends_with("left out: a.jar"), "{warnings:?}");
    let (warnings, _) = merged(vec![second(path), first()]);
    assert_eq!(warnings, [""; 0], "the first one stays");
}

#[test]
fn versioned_classes_stay_with_what_they_speak_of() {
    let mut jar = archive(&[
        ("META-INF/MANIFEST.MF", b"Manifest-Version: 1.0\r\nMulti-Release: true\r\n\r\n"),
        ("Main.class", &class("Main", &[])),
        ("Helper.class", &class("Helper", &[])),
        ("META-INF/versions/11/Main.class", &class("Main", &["Helper"])),
    ]);
    shrunk(&mut jar, &Roots { main: vec!["Main".into()], ..Roots::default() }).unwrap();
    assert_eq!(names(&jar).len(), 4);
}

/// A class with static methods that give a number, and perhaps `main`, which calls those of another class.
fn numbers(name: &str, number: i32, calls: Option<&str>) -> Vec<u8> {
    let mut class = ClassFile::new(52, Flags::PUBLIC | Flags::SUPER, name.as_bytes(), Some(OBJECT)).unwrap();
    let flags = Flags::PUBLIC | Flags::STATIC;
    let mut code = CodeBuilder::new();
    match calls {
        None => {
            code.int(number, &mut class.pool).unwrap();
        }
        Some(other) => {
            code.call(Opcode::Invokestatic, [other.as_bytes(), b"number", b"()I"], &mut class.pool).unwrap();
        }
    }
    code.op(Opcode::Ireturn);
    let code = code.finish(0, &mut class.pool).unwrap();
    let method: &[u8] = if calls.is_some() { b"run" } else { b"number" };
    class.add_method(flags, method, b"()I", Some(&code)).unwrap();
    class.to_bytes().unwrap()
}

#[test]
fn which_version_of_a_class_runs_is_not_known() {
    let mut jar = archive(&[
        ("META-INF/MANIFEST.MF", b"Manifest-Version: 1.0\r\nMulti-Release: true\r\n\r\n"),
        ("Main.class", &numbers("Main", 0, Some("Helper"))),
        ("Helper.class", &numbers("Helper", 1, None)),
        ("META-INF/versions/11/Helper.class", &numbers("Helper", 2, None)),
    ]);
    let before = content(&jar, "Main.class");
    let mut hierarchy = Hierarchy::new();
    let object = ClassFile::new(52, Flags::PUBLIC, OBJECT, None).unwrap().to_bytes().unwrap();
    hierarchy.add(&object, Origin::Platform).unwrap();
    let mut budget = Budget::new("bytes", 1 << 20);
    add_classes(&mut hierarchy, &jar, Origin::Program, &mut budget, &mut Vec::new()).unwrap();
    let (classpath, roots) = (Classpath::default(), Roots { library: true, ..Roots::default() });
    let around = Surroundings::quiet(&hierarchy, &classpath, &roots);
    optimize_program(&mut jar, around, &Settings::default()).unwrap();
    assert_eq!(content(&jar, "Main.class"), before, "it calls, whatever the version at hand gives");
}

#[test]
fn missing_classes_are_named_unless_rules_expect_that() {
    let warnings = |rules: &str| {
        let mut jar = archive(&[("Main.class", &class("Main", &["gone/Helper", "java/lang/Later"]))]);
        let mut roots = Roots { main: vec!["Main".into()], ..Roots::default() };
        let source = planish_base::SourceText::new("keep.pro".to_owned(), rules.to_owned());
        let mut diagnostics = planish_base::Diagnostics::new();
        planish_keep::read::read(&source, &mut roots.rules, &mut diagnostics);
        assert!(!diagnostics.has_errors());
        shrunk(&mut jar, &roots).unwrap().warnings
    };
    let found = warnings("");
    assert!(found.len() == 1 && found[0].contains("gone.Helper (named by Main)"), "{found:?}");
    assert_eq!(warnings("-dontwarn gone.**"), [""; 0]);
    assert_eq!(warnings("-dontwarn other.**").len(), 1);
}

#[test]
fn signatures_go_when_classes_change_and_a_broken_class_is_kept() {
    let mut jar = archive(&[
        (
            "META-INF/MANIFEST.MF",
            b"Manifest-Version: 1.0\r\n\r\nName: Main.class\r\nSHA-256-Digest: x\r\n\r\n",
        ),
        ("META-INF/X.SF", b"sf"),
        ("META-INF/X.RSA", b"rsa"),
        ("Main.class", &class("Main", &[])),
        ("Broken.class", b"\xca\xfe\xba\xbe nothing"),
    ]);
    let outcome = shrunk(&mut jar, &Roots { main: vec!["Main".into()], ..Roots::default() }).unwrap();
    assert_eq!(names(&jar), ["META-INF/MANIFEST.MF", "Main.class", "Broken.class"]);
    assert!(outcome.warnings.iter().any(|text| text.contains("signature")), "{:?}", outcome.warnings);
    assert!(outcome.warnings.iter().any(|text| text.starts_with("Broken.class")), "{:?}", outcome.warnings);
}

#[test]
fn a_library_is_kept_by_its_public_interface() {
    let mut jar = archive(&[("A.class", &class("A", &[]))]);
    shrunk(&mut jar, &Roots { library: true, ..Roots::default() }).unwrap();
    let bytes = content(&jar, "A.class");
    assert_eq!(ClassFile::read(&bytes).unwrap().methods.len(), 2, "`dead` is not public");
}

#[test]
fn inputs_are_kept_apart_if_that_is_wanted() {
    let main = class("Main", &["A"]);
    let (a, unused) = (class("A", &[]), class("Unused", &[]));
    let first = archive(&[("Main.class", &main), ("LICENSE", b"one")]);
    let second =
        archive(&[("A.class", &a), ("Unused.class", &unused), ("LICENSE", b"two"), ("A.txt", b"text")]);
    let inputs = vec![first, second];
    let apart = Apart::of(&inputs);
    let (mut merged, _) = merge(inputs).unwrap();
    let roots = Roots { main: vec!["Main".into()], ..Roots::default() };
    shrunk(&mut merged, &roots).unwrap();
    let split = apart.split(&merged, None).unwrap();
    assert_eq!(names(&split[0]), ["Main.class", "LICENSE"]);
    assert_eq!(names(&split[1]), ["A.class", "LICENSE", "A.txt"]);
    assert_eq!(content(&split[1], "LICENSE"), b"two");
    assert_eq!(content(&split[0], "Main.class"), content(&merged, "Main.class"));
}

#[test]
fn a_class_that_cannot_be_read_or_is_newer_stays_and_is_named() {
    let (main, mut newer, helper) =
        (class("Main", &["New"]), class("New", &["Helper"]), class("Helper", &[]));
    newer[7] = 200;
    let mut input = archive(&[
        ("Main.class", &main),
        ("New.class", &newer),
        ("Helper.class", &helper),
        ("Cut.class", &main[..40]),
    ]);
    let roots = Roots { main: vec!["Main".into()], ..Roots::default() };
    let mut hierarchy = Hierarchy::new();
    let object = ClassFile::new(52, Flags::PUBLIC, OBJECT, None).unwrap().to_bytes().unwrap();
    hierarchy.add(&object, Origin::Platform).unwrap();
    let mut budget = Budget::new("bytes", 1 << 20);
    add_classes(&mut hierarchy, &input, Origin::Program, &mut budget, &mut Vec::new()).unwrap();
    let classpath = Classpath::default();
    let around = Surroundings::quiet(&hierarchy, &classpath, &roots);
    let (shrunk, _) = optimize_program(&mut input, around, &Settings::default()).unwrap();
    assert_eq!(names(&input), ["Main.class", "New.class", "Helper.class", "Cut.class"]);
    assert_eq!(content(&input, "New.class"), newer);
    assert_eq!(content(&input, "Cut.class"), main[..40]);
    // What a copied class speaks of stays, too.
    assert!(ClassFile::read(&content(&input, "Helper.class")).unwrap().method(b"<init>", b"()V").is_some());
    let warnings = shrunk.warnings.join("\n");
    assert!(warnings.contains("New: class-file version 200 is newer than"), "{warnings}");
    assert!(warnings.contains("Cut.class: byte"), "{warnings}");
}

#[test]
fn directories_that_became_empty_go_and_others_stay() {
    let mut jar = archive(&[
        ("META-INF/MANIFEST.MF", b"Manifest-Version: 1.0\r\nMain-Class: a.Main\r\n\r\n"),
        ("a/", b""),
        ("a/Main.class", &class("a/Main", &[])),
        ("b/", b""),
        ("b/c/", b""),
        ("b/c/Unused.class", &class("b/c/Unused", &[])),
        ("always/empty/", b""),
    ]);
    shrunk(&mut jar, &Roots::default()).unwrap();
    assert_eq!(names(&jar), ["META-INF/MANIFEST.MF", "a/", "a/Main.class", "always/empty/"]);
}

#[test]
fn rules_let_directories_go_unless_it_is_asked_where_resources_are() {
    let left = |asks: Option<Option<&str>>| {
        let mut file = ClassFile::new(52, Flags::PUBLIC, b"a/Main", Some(OBJECT)).unwrap();
        let mut code = CodeBuilder::new();
        match asks.flatten() {
            Some(name) => {
                let name = file.pool.add_utf8(name.as_bytes()).unwrap();
                code.load(planish_classfile::Constant::String(name), &mut file.pool).unwrap();
            }
            None => {
                code.op(Opcode::AconstNull);
            }
        }
        if asks.is_some() {
            let get =
                [&b"java/lang/ClassLoader"[..], b"getSystemResource", b"(Ljava/lang/String;)Ljava/net/URL;"];
            code.call(Opcode::Invokestatic, get, &mut file.pool).unwrap();
        }
        code.op(Opcode::Pop).op(Opcode::Return);
        let code = code.finish(1, &mut file.pool).unwrap();
        file.add_method(Flags::PUBLIC | Flags::STATIC, b"main", b"([Ljava/lang/String;)V", Some(&code))
            .unwrap();
        let mut jar = archive(&[("a/", b""), ("a/Main.class", &file.to_bytes().unwrap())]);
        let roots = Roots { main: vec!["a.Main".into()], rules_given: true, ..Roots::default() };
        shrunk(&mut jar, &roots).unwrap();
        names(&jar)
    };
    assert_eq!(left(None), ["a/Main.class"]);
    assert_eq!(left(Some(None)), ["a/", "a/Main.class"], "any may be meant");
    for elsewhere in ["a/text", "ba", "b/a"] {
        assert_eq!(left(Some(Some(elsewhere))), ["a/Main.class"], "{elsewhere}");
    }
    for there in ["a", "/a/", "..", ""] {
        assert_eq!(left(Some(Some(there))), ["a/", "a/Main.class"], "{there}");
    }
}

#[test]
fn constants_of_a_program_are_sorted_where_that_takes_less_room() {
    let mut file = ClassFile::read(&class("a/Main", &[])).unwrap().to_bytes().unwrap();
    for number in 0..200u32 {
        let bytes = std::mem::take(&mut file);
        let mut class = ClassFile::read(&bytes).unwrap();
        let name = format!("field{:08x}", number.wrapping_mul(0x9E37_79B1));
        class.add_field(Flags::PUBLIC, name.as_bytes(), b"I").unwrap();
        file = class.to_bytes().unwrap();
    }
    let mut jar = archive(&[
        ("META-INF/MANIFEST.MF", b"Manifest-Version: 1.0\r\nMain-Class: a.Main\r\n\r\n"),
        ("a/Main.class", &file),
    ]);
    let roots = Roots { library: true, ..Roots::default() };
    let before = jar.find(b"a/Main.class").unwrap().compressed_size();
    shrunk(&mut jar, &roots).unwrap();
    let bytes = content(&jar, "a/Main.class");
    let after = ClassFile::read(&bytes).unwrap();
    after.check().unwrap();
    assert_eq!(after.fields.len(), 200);
    assert!(jar.find(b"a/Main.class").unwrap().compressed_size() < before);
    let texts: Vec<&[u8]> = after.pool.indices().filter_map(|index| after.pool.utf8(index).ok()).collect();
    assert!(texts.is_sorted_by(|a, b| a.iter().rev().le(b.iter().rev())), "by their ends, which repeat");
}
