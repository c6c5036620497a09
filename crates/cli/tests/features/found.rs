//! The tests of the repository that name lines of the list: in Rust in the comment, in a file test behind `# holds:`.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use crate::rows::LISTS;

/// A test that names a line.
pub struct Test {
    /// Where it is, as the page has it.
    pub by: String,
    /// Whether it asks for nothing that is not done without asking.
    pub at_defaults: bool,
}

/// Tests by the line that they name.
pub type Held = BTreeMap<String, Vec<Test>>;

pub fn root() -> PathBuf {
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

/// What a file test may say that nobody gets without asking.
const SETTINGS: [&str; 6] = ["passes", "compat", "engine", "assume", "undef", "fuel"];

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
                    let at_defaults = !function.starts_with("compat_");
                    let by = format!("`{name}`: `{function}`");
                    held.entry(number).or_default().push(Test { by, at_defaults });
                }
            }
            (comment, test) = (String::new(), false);
        }
    }
}

/// Tests that are files: the line `# holds:` at the top.
fn file_tests(path: &Path, name: &str, held: &mut Held) {
    let text = std::fs::read_to_string(path).unwrap_or_default();
    let heading = || text.lines().map_while(|line| line.strip_prefix("# "));
    let asks = |line: &str| SETTINGS.iter().any(|key| line.split(':').next() == Some(key));
    let at_defaults = !heading().any(|line| asks(line) || line == "extended: yes");
    for number in heading().filter_map(|line| line.strip_prefix("holds:")).flat_map(lines_named) {
        held.entry(number).or_default().push(Test { by: format!("`{name}`"), at_defaults });
    }
}

/// The tests of the repository, by the lines that they name.
pub fn held() -> Held {
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
