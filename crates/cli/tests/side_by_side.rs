//! Programs of classes run side by side.

mod common;

use std::path::{Path, PathBuf};

use common::{Scratch, planish};

fn example(name: &str) -> String {
    format!("{}/../../examples/{name}", env!("CARGO_MANIFEST_DIR"))
}

/// The exit status, standard output and standard error of a command.
fn said(args: &[&str]) -> (Option<i32>, String, String) {
    let output = planish(args);
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    (output.status.code(), text(&output.stdout), text(&output.stderr))
}

/// A copy of an example with some bytes of one of its classes replaced, which stand there once.
fn changed(scratch: &Scratch, name: &str, class: &str, old: &[u8], new: &[u8]) -> String {
    let copy = PathBuf::from(scratch.path(&format!("{name}-{}", new.len() + usize::from(new[0]))));
    std::fs::create_dir_all(&copy).expect("a directory");
    for file in std::fs::read_dir(example(name)).expect("an example").flatten() {
        let mut bytes = std::fs::read(file.path()).expect("a file");
        if file.file_name().to_string_lossy() == class {
            let places: Vec<usize> = (0..bytes.len()).filter(|&at| bytes[at..].starts_with(old)).collect();
            let [at] = places[..] else { panic!("{class} has it {} times", places.len()) };
            bytes[at..at + old.len()].copy_from_slice(new);
        }
        std::fs::write(copy.join(file.file_name()), bytes).expect("a file");
    }
    copy.display().to_string()
}

#[test]
fn what_is_made_of_a_program_does_what_it_did() {
    let scratch = Scratch::new("side-by-side", "");
    let jar = scratch.path("out.jar");
    for (name, mode) in
        [("patterns", "library"), ("strawman", "library"), ("harbour", "library"), ("harbour", "bodies")]
    {
        let (status, _, told) =
            said(&["opt", &example(name), "-o", &jar, "--mode", mode, "--validate", "run"]);
        assert!(status == Some(0) && told.contains("validated: "), "{name}: {told}");
        let (status, verdict, told) = said(&["validate", "--inputs", "12", &example(name), &jar]);
        assert!(status == Some(0) && verdict.contains("entries agree"), "{name}: {verdict}{told}");
    }
    let (status, _, told) =
        said(&["opt", &example("strawman"), "-o", &jar, "--main", "Strawman", "--validate", "run"]);
    assert!(status == Some(0) && told.contains("runs from 1 entries agree"), "{told}");
    let (status, verdict, _) = said(&["validate", "--main", "Strawman", &example("strawman"), &jar]);
    assert!(status == Some(0) && verdict.contains("runs from 1 entries agree"), "{verdict}");
}

#[test]
fn a_change_in_a_method_that_is_called_is_seen_where_the_program_begins() {
    let scratch = Scratch::new("side-by-side-different", "");
    // `return tide` becomes `return 0`, in a class that is no entry: iload_1 becomes iconst_0 in front of ireturn.
    let wrong = changed(&scratch, "harbour", "Harbour$Wet.class", &[0x1b, 0xac], &[0x03, 0xac]);
    let (status, verdict, _) = said(&["validate", &example("harbour"), &wrong]);
    assert_eq!(status, Some(1), "{verdict}");
    assert!(verdict.starts_with("different\nclass Harbour, in world "), "{verdict}");
    // What led there is shown, and what is different.
    let line = |begin: &str| {
        verdict.lines().find_map(|line| line.strip_prefix(begin)).unwrap_or_default().to_owned()
    };
    assert!(!line("  both: ").is_empty() && !line("before: ").is_empty(), "{verdict}");
    assert_ne!(line("before: "), line("after:  "), "{verdict}");
    let (status, verdict, _) = said(&["validate", "--inputs", "20", &wrong, &wrong]);
    assert!(status == Some(0) && verdict.contains("agree"), "{verdict}");
}

#[test]
fn no_answer_is_no_yes() {
    let scratch = Scratch::new("side-by-side-none", "");
    let empty = scratch.path("empty");
    std::fs::create_dir_all(Path::new(&empty)).expect("a directory");
    let (status, verdict, told) = said(&["validate", &example("harbour"), &empty]);
    assert!(status == Some(1) && told.contains("nothing begins in both programs"), "{verdict}{told}");
    let (status, verdict, told) =
        said(&["validate", "--main", "Harbour$Wet", &example("harbour"), &example("harbour")]);
    assert!(status == Some(1) && told.contains("nothing begins"), "{verdict}{told}");
    let (status, _, told) =
        said(&["validate", "--require", "proved", &example("harbour"), &example("harbour")]);
    assert!(status == Some(2) && told.contains("not proved, only run"), "{told}");
    let (status, _, told) = said(&["validate", &example("harbour"), &scratch.path("missing.jar")]);
    assert!(status == Some(1) && told.contains("missing.jar"), "{told}");
    // Without inputs nothing runs.
    let (status, _, told) = said(&["validate", "--inputs", "0", &example("harbour"), &example("harbour")]);
    assert!(status == Some(1) && told.contains("no answer"), "{told}");
}
