//! docs/features-held.md lists what systems that this one grew from are described to do, line by
//! line, with the tests that hold each. A test names a line by its number, in its comment or, in a file
//! test, behind `# holds:`. `BLESS=1` writes the tests into the list; here every line must have one that
//! exists, or say why none can.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// The lists, and how many lines each has.
const LISTS: [(&str, usize); 5] = [("S1", 49), ("S2", 60), ("S3", 46), ("S4", 24), ("S5", 45)];

/// Tests by the line that they name.
type Held = BTreeMap<String, Vec<String>>;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// Files below a directory, sorted.
fn files(directory: &Path) -> Vec<PathBuf> {
    let (mut found, mut work) = (Vec::new(), vec![directory.to_owned()]);
    while let Some(directory) = work.pop() {
        for entry in std::fs::read_dir(&directory).expect("a directory").map(|entry| entry.expect("an entry"))
        {
            let path = entry.path();
            if path.is_dir() { work.push(path) } else { found.push(path) }
        }
    }
    found.sort();
    found
}

/// The numbers of lines in a comment: `S1.24`, `S5.3`.
fn lines_named(comment: &str) -> impl Iterator<Item = String> {
    comment
        .split(|c: char| !c.is_ascii_alphanumeric() && c != '.')
        .map(|word| word.trim_end_matches('.'))
        .filter(|word| {
            LISTS.iter().any(|(list, _)| word.strip_prefix(list).is_some_and(|n| n.starts_with('.')))
        })
        .map(str::to_owned)
}

/// Tests in Rust: the comment in front of each `#[test]` function.
fn rust_tests(path: &Path, name: &str, held: &mut Held) {
    let text = std::fs::read_to_string(path).expect("a source file");
    let (mut comment, mut test) = (String::new(), false);
    for line in text.lines().map(str::trim) {
        if let Some(doc) = line.strip_prefix("///") {
            comment.push_str(doc);
            comment.push(' ');
        } else if line.starts_with("#[") {
            test |= line == "#[test]";
        } else {
            let function = line.strip_prefix("fn ").and_then(|rest| rest.split('(').next());
            if let (true, Some(function)) = (test, function) {
                for number in lines_named(&comment) {
                    held.entry(number).or_default().push(format!("`{name}`: `{function}`"));
                }
            }
            (comment, test) = (String::new(), false);
        }
    }
}

/// Tests that are files: the line `# holds:` at the top.
fn file_tests(path: &Path, name: &str, held: &mut Held) {
    let text = std::fs::read_to_string(path).unwrap_or_default();
    for line in text.lines().take_while(|line| line.starts_with("# ")) {
        if let Some(numbers) = line.strip_prefix("# holds:") {
            for number in lines_named(numbers) {
                held.entry(number).or_default().push(format!("`{name}`"));
            }
        }
    }
}

fn held() -> Held {
    let root = root();
    let mut held = Held::new();
    let relative = |path: &Path| path.strip_prefix(&root).expect("below the root").display().to_string();
    for path in files(&root.join("crates")) {
        if path.extension().is_some_and(|extension| extension == "rs") {
            rust_tests(&path, &relative(&path), &mut held);
        }
    }
    for path in files(&root.join("tests")) {
        file_tests(&path, &relative(&path), &mut held);
    }
    held
}

/// A row of the list: number, kind, what it says, by what it is held.
fn row(line: &str) -> Option<[&str; 4]> {
    let cells: Vec<&str> = line.strip_prefix("| S")?.strip_suffix('|')?.split(" | ").map(str::trim).collect();
    match cells[..] {
        [number, kind, says, by] => Some([&line[2..3 + number.len()], kind, says, by]),
        _ => panic!("a row has four cells: {line}"),
    }
}

#[test]
fn every_line_is_held_by_a_test_that_names_it() {
    let path = root().join("docs/features-held.md");
    let text = std::fs::read_to_string(&path).expect("docs/features-held.md");
    let held = held();
    let (mut fresh, mut wrong) = (String::new(), Vec::new());
    let mut next: BTreeMap<&str, usize> = LISTS.iter().map(|&(list, _)| (list, 1)).collect();
    for line in text.lines() {
        let Some([number, kind, says, by]) = row(line) else {
            fresh.push_str(line);
            fresh.push('\n');
            continue;
        };
        let (list, position) = number.split_once('.').expect("a number with a dot");
        let expected = next.get_mut(list).expect("a list");
        assert_eq!(position.parse(), Ok(*expected), "a line is missing before {number}");
        *expected += 1;
        let tests = held.get(number).map_or(&[][..], Vec::as_slice);
        // Only what is no behaviour, or is not promised, may go without a test.
        let excused = matches!(kind, "remark" | "missing" | "future") && by.starts_with('(');
        if tests.is_empty() && !excused {
            wrong.push(format!("{number} is held by no test"));
        }
        for named in by.split("<br>").filter(|_| !excused) {
            if !tests.iter().any(|test| test == named) {
                wrong.push(format!("{number}: {named} does not exist, or does not name it"));
            }
        }
        let by = if tests.is_empty() { by.to_owned() } else { tests.join("<br>") };
        fresh.push_str(&format!("| {number} | {kind} | {says} | {by} |\n"));
    }
    let ends: BTreeMap<&str, usize> = LISTS.iter().map(|&(list, count)| (list, count + 1)).collect();
    assert_eq!(next, ends, "lines are missing at the end");
    if std::env::var_os("BLESS").is_some() {
        std::fs::write(&path, fresh).expect("the list can be written");
        wrong.retain(|message| message.ends_with("no test"));
    }
    assert!(
        wrong.is_empty(),
        "{}\nto renew the list: BLESS=1 cargo test -p planish-cli --test features",
        wrong.join("\n")
    );
}
