//! Keep rules for libraries: when they are taken, what is said of them, and how they are turned off and printed.

mod common;

use std::path::Path;

use common::{Scratch, planish};

const STRAWMAN: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/strawman");

/// A class that has nothing, as a file.
fn class(directory: &Path, name: &str) {
    let text = |text: &str| [&[1, 0, text.len() as u8], text.as_bytes()].concat();
    let mut bytes = vec![0xca, 0xfe, 0xba, 0xbe, 0, 0, 0, 52, 0, 5];
    bytes.extend([text(name), vec![7, 0, 1], text("java/lang/Object"), vec![7, 0, 3]].concat());
    // Public; itself, what it extends; no interfaces, fields, methods, attributes.
    bytes.extend([0, 0x21, 0, 2, 0, 4, 0, 0, 0, 0, 0, 0, 0, 0]);
    let path = directory.join(name).with_extension("class");
    std::fs::create_dir_all(path.parent().expect("a directory")).expect("a directory");
    std::fs::write(path, bytes).expect("a file");
}

/// A directory with a class of a library.
fn with_library(name: &str, of_library: &str) -> (Scratch, String) {
    let scratch = Scratch::new(name, "");
    class(&scratch.0.join("library"), of_library);
    let main = "-keep class Strawman { public static void main(java.lang.String[]); }\n";
    std::fs::write(scratch.path("main.pro"), main).expect("a file");
    let library = scratch.path("library");
    (scratch, library)
}

/// What the command says of the strawman with these options.
fn said(scratch: &Scratch, more: &[&str]) -> String {
    let output = planish(&[&["opt", STRAWMAN, "-o", &scratch.path("out.jar")], more].concat());
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(0), "{said}");
    said
}

#[test]
fn rules_are_taken_where_the_library_is_recognized() {
    let (scratch, library) = with_library("library-rules", "com/google/gson/Gson");
    let keep = scratch.path("main.pro");
    let with = |more: &[&str]| said(&scratch, &[&["--library", &library, "--keep", &keep], more].concat());
    let taken = "rules for gson: --library-rules off leaves them out\n";
    assert!(with(&[]).contains(taken) && with(&["--library-rules", "on"]).contains(taken));
    assert!(with(&["--library-rules=gson"]).contains(taken));
    let stats = with(&["--stats"]);
    assert!(stats.contains("library-rules/gson.pro (Gson, tried with 2.10): 0 of "), "{stats}");
    assert!(!with(&["--library-rules", "off"]).contains("rules for"));
    // One that is nowhere is said, and those that are not named are not taken.
    let other = with(&["--library-rules", "jackson,picocli"]);
    assert!(other.contains("rules for jackson, picocli: "), "{other}");
    let warning = "--library-rules picocli: neither the program nor a --library has classes of picocli";
    assert!(other.contains(warning), "{other}");
    // Nothing of the library is there.
    assert!(!said(&scratch, &["--keep", &keep]).contains("rules for"));
    // What is a part of the program is recognized as well.
    let whole = said(&scratch, &[&library, "--keep", &keep]);
    assert!(whole.contains(taken), "{whole}");
}

#[test]
fn rules_are_for_what_shrinks_and_do_not_say_where_a_program_begins() {
    let (scratch, library) = with_library("library-rules-modes", "org/junit/runner/Runner");
    let with = |more: &[&str]| said(&scratch, &[&["--library", &library], more].concat());
    assert!(!with(&["--mode", "bodies"]).contains("rules for"));
    assert!(with(&["--main", "Strawman"]).contains("rules for junit4"));
    assert!(with(&["--main", "Strawman", "--obfuscate"]).contains("rules for junit4"));
    // Without a main class, what is public is kept, as without the rules, of which some keep classes.
    let found = with(&[]);
    assert!(found.contains("rules for junit4") && found.contains("no main class is named"), "{found}");
}

#[test]
fn what_is_no_name_of_rules_is_refused() {
    for (asked, wanted) in
        [("gsn", "'gson'"), ("on,gson", "`on`, `off` or names"), ("", "a value is required")]
    {
        let output = planish(&["opt", STRAWMAN, "-o", "nowhere.jar", "--library-rules", asked]);
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(output.status.code() == Some(2) && said.contains(wanted), "{asked}: {said}");
        assert!(!Path::new("nowhere.jar").exists());
    }
    assert_eq!(planish(&["library-rules", "gsn"]).status.code(), Some(2));
}

/// What is printed is a configuration that can be given.
#[test]
fn rules_are_listed_and_printed() {
    let (scratch, library) = with_library("library-rules-printed", "com/google/gson/Gson");
    let printed = |names: &[&str]| {
        let output = planish(&[&["library-rules"], names].concat());
        assert_eq!(output.status.code(), Some(0), "{output:?}");
        String::from_utf8_lossy(&output.stdout).into_owned()
    };
    let list = printed(&[]);
    assert!(list.contains("Gson (com.google.gson), tried with 2.10\n"), "{list}");
    let both = printed(&["gson", "jackson"]);
    assert!(both.starts_with("# library: Gson\n") && both.contains("\n# library: Jackson\n"), "{both}");
    std::fs::write(scratch.path("own.pro"), both).expect("a file");
    let (keep, own) = (scratch.path("main.pro"), scratch.path("own.pro"));
    let options = ["--library", &library, "--keep", &keep, "--keep", &own, "--library-rules", "off"];
    assert!(!said(&scratch, &options).contains("rules for"));
}
