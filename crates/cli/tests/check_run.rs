//! `--check-run`: a command that is run on the original and on the result. The commands here look for names of entries, which
//! stand in a jar as they are, so no Java is needed.
#![cfg(unix)]

mod common;

use std::path::Path;

use common::{Scratch, planish};

/// A jar of the strawman, and what the command says with these options, by exit status.
fn checked(name: &str, options: &[&str]) -> (Option<i32>, String, bool) {
    let scratch = Scratch::new(&format!("check-run-{name}"), "");
    let strawman = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/strawman");
    let (jar, out, rules) = (scratch.path("in.jar"), scratch.path("out.jar"), scratch.path("app.pro"));
    assert_eq!(planish(&["opt", strawman, "-o", &jar, "--mode", "bodies"]).status.code(), Some(0));
    let text = "-keep class Strawman { public static void main(java.lang.String[]); }\n";
    std::fs::write(&rules, text).expect("a file");
    let output = planish(&[&["opt", &jar, "-o", &out, "--keep", &rules], options].concat());
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    let left: Vec<_> = std::fs::read_dir(&scratch.0).expect("the directory").flatten().collect();
    let is_known = |name: &str| ["in.jar", "out.jar", "app.pro", "input.ssa"].contains(&name);
    assert!(left.iter().all(|entry| is_known(&entry.file_name().to_string_lossy())), "{left:?}");
    (output.status.code(), said, Path::new(&out).exists())
}

#[test]
fn a_command_that_does_the_same_lets_the_result_be_written() {
    let (code, said, written) =
        checked("same", &["--check-run", "grep -q Strawman.class {} && echo yes; echo more"]);
    assert_eq!((code, written), (Some(0), true), "{said}");
    assert!(
        said.contains("--check-run: the result does what the original does (2 lines of output)"),
        "{said}"
    );
    // That both fail is said.
    let (code, said, written) = checked("fails", &["--check-run", "test -f {}; echo no >&2; exit 3"]);
    assert_eq!((code, written), (Some(0), true), "{said}");
    assert!(said.contains("both fail: exit status 3, `no`"), "{said}");
}

#[test]
fn a_command_that_misses_a_class_names_it_with_a_rule() {
    for command in [
        "grep -q ErrLogger.class {}",
        "grep -q ErrLogger.class {} && echo found",
        "if grep -q ErrLogger.class {}; then echo a >&2; fi",
    ] {
        let (code, said, written) = checked("missed", &["--check-run", command]);
        assert_eq!((code, written), (Some(1), false), "{said}");
        assert!(said.contains("was removed: -keep class "), "{said}");
        assert!(said.ends_with("; nothing was written\n"), "{said}");
    }
}

#[test]
fn what_cannot_be_compared_says_why() {
    for (options, code, wanted) in [
        (&["--check-run", "java -jar app.jar"][..], 2, "does not say with `{}` where the program stands"),
        (&["--check-run", "no-such-java -jar {}"], 1, "the command cannot be run: "),
        (
            &["--check-run", "sleep 60; echo {}", "--check-timeout", "0"],
            1,
            "the original does not end within 0 s",
        ),
        (&["--check-run", "echo $$ {}"], 1, "the original does not do the same twice"),
        (
            &["--check-run", "echo 'Error: Could not find or load main class X' >&2; false {}"],
            1,
            "does not start: Error",
        ),
        (&["--check-timeout", "3"], 2, "--check-run"),
    ] {
        let (found, said, written) = checked("refused", options);
        assert_eq!((found, written), (Some(code), false), "{options:?}: {said}");
        assert!(said.contains(wanted), "{options:?}: {said}");
    }
}

/// What no optimization can be blamed for is said so: the names of the files differ.
#[test]
fn a_program_that_asks_for_its_file_has_no_culprit() {
    let (code, said, _) = checked("size", &["--check-run", "echo {}"]);
    assert_eq!(code, Some(0), "names of files do not count: {said}");
    let (code, said, written) =
        checked("stamp", &["--check-run", "case {} in *out.check*) echo other;; esac"]);
    assert_eq!((code, written), (Some(1), false), "{said}");
    assert!(said.contains("the same happens with everything kept"), "{said}");
}
