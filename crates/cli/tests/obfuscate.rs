//! `--obfuscate` at the command line: what turns it on, what is said, and files that it reads and writes.

mod common;

use common::{Scratch, planish};

const PATTERNS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/patterns");
const MAIN: &str = "-keep class Patterns { public static void main(java.lang.String[]); }\n";

/// Optimizes the patterns by rules, and gives what is said and the mapping.
fn run(scratch: &Scratch, rules: &str, more: &[&str]) -> (Option<i32>, String, String) {
    let (file, jar, map) = (scratch.path("app.pro"), scratch.path("out.jar"), scratch.path("out.map"));
    std::fs::write(&file, format!("{MAIN}{rules}\n-printmapping out.map\n")).expect("a file");
    let args = [&["opt", PATTERNS, "-o", &jar, "--keep", &file], more].concat();
    let output = planish(&args);
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    (output.status.code(), said, std::fs::read_to_string(map).unwrap_or_default())
}

#[test]
fn names_stay_unless_the_command_line_says_otherwise() {
    let scratch = Scratch::new("names-stay", "");
    let (code, said, mapping) = run(&scratch, "-repackageclasses ''\n-adaptclassstrings", &[]);
    assert_eq!(code, Some(0), "{said}");
    assert!(
        said.contains("names stay without --obfuscate, so -repackageclasses, -adaptclassstrings do nothing"),
        "{said}"
    );
    assert!(mapping.contains("Patterns$Gauge -> Patterns$Gauge:"), "{mapping}");
    let (code, said, mapping) = run(&scratch, "", &["--obfuscate"]);
    assert_eq!(code, Some(0), "{said}");
    assert!(said.contains("new names: "), "{said}");
    assert!(
        mapping.contains("Patterns -> Patterns:") && !mapping.contains("Patterns$Gauge -> Patterns$Gauge:"),
        "{mapping}"
    );
    let (code, said, mapping) = run(&scratch, "-dontobfuscate", &["--obfuscate"]);
    assert_eq!(code, Some(0), "{said}");
    assert!(said.contains("--obfuscate does nothing: the configuration says -dontobfuscate"), "{said}");
    assert!(!said.contains("new names") && mapping.contains("Patterns$Gauge -> Patterns$Gauge:"), "{said}");
}

#[test]
fn files_of_names_are_read_and_refused_with_what_is_wrong() {
    let scratch = Scratch::new("name-files", "");
    std::fs::write(scratch.path("words.txt"), "zebra # the first\n").expect("a file");
    std::fs::write(scratch.path("empty.txt"), "# nothing\n").expect("a file");
    std::fs::write(scratch.path("wrong.map"), "a.B\n").expect("a file");
    let (code, said, first) =
        run(&scratch, "-dontoptimize\n-classobfuscationdictionary words.txt", &["--obfuscate"]);
    assert!(code == Some(0) && first.contains("-> zebra:"), "{said}{first}");
    std::fs::copy(scratch.path("out.map"), scratch.path("old.map")).expect("a copy");
    let (code, said, second) = run(&scratch, "-dontoptimize\n-applymapping old.map", &["--obfuscate"]);
    assert!(code == Some(0) && first == second, "{said}{second}");
    for (rule, message) in [
        ("-obfuscationdictionary empty.txt", "empty.txt: there is no name in this dictionary"),
        ("-applymapping wrong.map", "line 1: `ORIGINAL -> NAME` is expected: `a.B`"),
        ("-applymapping missing.map", "missing.map"),
    ] {
        std::fs::remove_file(scratch.path("out.jar")).ok();
        let (code, said, _) = run(&scratch, rule, &["--obfuscate"]);
        assert!(code == Some(1) && said.contains(message), "{said}");
        assert!(!std::path::Path::new(&scratch.path("out.jar")).exists());
    }
}

#[test]
fn who_does_not_see_the_whole_program_renames_nothing() {
    let scratch = Scratch::new("names-bodies", "");
    let jar = scratch.path("out.jar");
    let output = planish(&["opt", PATTERNS, "-o", &jar, "--mode", "bodies", "--obfuscate"]);
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(
        output.status.code() == Some(2) && said.contains("--obfuscate needs the whole program"),
        "{said}"
    );
    assert!(!std::path::Path::new(&jar).exists());
}

/// Each input is written apart, under the names that its entries have by now.
#[test]
fn several_inputs_go_to_several_outputs() {
    let scratch = Scratch::new("names-apart", "");
    let harbour = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/harbour");
    let (rules, out) = (scratch.path("app.pro"), scratch.path("out"));
    std::fs::write(&rules, format!("{MAIN}-keep class Harbour {{ *** main(...); }}")).expect("a file");
    let output =
        planish(&["opt", PATTERNS, harbour, "-o", &format!("{out}/"), "--keep", &rules, "--obfuscate"]);
    let said = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(0), "{said}");
    let written: Vec<_> =
        std::fs::read_dir(&out).expect("a directory").map(|entry| entry.unwrap().path()).collect();
    assert_eq!(written.len(), 2, "{written:?}");
    for path in written {
        let size = if path.is_dir() { 0 } else { std::fs::metadata(&path).expect("a file").len() };
        assert!(size > 1000, "its classes are in it: {path:?} {size}");
    }
}

#[test]
fn what_is_compared_is_the_program_with_its_old_names() {
    let scratch = Scratch::new("names-validated", "");
    let (code, said, _) = run(&scratch, "", &["--obfuscate", "--validate", "run"]);
    assert!(code == Some(0) && said.contains("validated: "), "{said}");
}
