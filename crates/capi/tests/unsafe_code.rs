//! Every `unsafe` there is in the project has a reason, and a line in `docs/faults.md`, which
//! `BLESS=1 cargo test -p planish-c --test unsafe_code` writes.

use std::fmt::Write;
use std::path::{Path, PathBuf};

/// Where the section begins; what stands before is written by another test.
const TITLE: &str = "## Unsafe code\n";

const HEAD: &str = "
Written by `BLESS=1 cargo test -p planish-c --test unsafe_code`; do not edit. The compiler refuses `unsafe`
everywhere else; names for a linker (`no_mangle`) are apart, since nothing has to be believed for them. What this code is
run with, under valgrind and with the sanitizers of a C compiler, is in `scripts/check-c`. Where a nightly compiler is at hand, Miri
ran the border of traces without a complaint: `cargo +nightly miri test -p planish-c --lib trace -- --skip random` (6 tests, 3 minutes; what is
random takes too long there; machine code, mapped files and allocators are not for Miri).
";

/// A use of `unsafe`, and why it is right.
struct Unsafe {
    file: String,
    line: String,
    reason: String,
}

fn sources(folder: &Path, into: &mut Vec<PathBuf>) {
    let entries = std::fs::read_dir(folder).expect("a folder");
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.expect("an entry").path()).collect();
    paths.sort();
    for path in paths {
        if path.is_dir() {
            sources(&path, into);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            into.push(path);
        }
    }
}

/// The comment in front of a line, and the file without it.
fn reason(lines: &[&str], at: usize) -> Option<String> {
    let comment =
        lines[..at].iter().rposition(|line| !line.trim_start().starts_with("//")).map_or(0, |code| code + 1);
    let words = lines[comment..at].iter().map(|line| line.trim_start().trim_start_matches('/').trim());
    let text = words.collect::<Vec<_>>().join(" ");
    text.split_once("SAFETY: ").map(|(_, reason)| reason.to_owned())
}

/// Forms in which nothing has to be believed where they stand: names for a linker, functions of an `unsafe impl`, types of
/// functions.
const BESIDES: [&str; 3] = ["#[unsafe(no_mangle)]", "    unsafe fn ", "type Entry = unsafe extern "];

/// All uses in a file.
fn uses(root: &Path, path: &Path) -> Vec<Unsafe> {
    let text = std::fs::read_to_string(path).expect("a source file");
    let lines: Vec<&str> = text.lines().collect();
    let file = path.strip_prefix(root).expect("a file of the project").display().to_string();
    let is_use = |line: &str| {
        let code = line.split("//").next().expect("a first part");
        let is_one = ["unsafe {", "unsafe impl", "(unsafe)]"].iter().any(|form| code.contains(form));
        let mut words = code.split(|c: char| !c.is_alphanumeric() && c != '_');
        let is_known =
            is_one || words.all(|word| word != "unsafe") || BESIDES.iter().any(|form| code.contains(form));
        assert!(is_known, "{file}: a form that nobody thought of: {line}");
        is_one
    };
    let found = lines.iter().enumerate().filter(|(_, line)| is_use(line));
    found
        .map(|(at, line)| {
            let reason = reason(&lines, at).unwrap_or_else(|| panic!("{file}:{}: no reason", at + 1));
            Unsafe {
                file: file.clone(),
                line: line.trim().trim_end_matches([';', '{', ' ']).to_owned(),
                reason,
            }
        })
        .collect()
}

#[test]
fn every_use_of_unsafe_has_its_reason_on_the_page() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().expect("the project");
    let mut files = Vec::new();
    ["crates", "bindings/python/src", "fuzz/fuzz_targets"]
        .iter()
        .for_each(|folder| sources(&root.join(folder), &mut files));
    // What it looks for stands in this file.
    files.retain(|path| !path.ends_with("capi/tests/unsafe_code.rs"));
    let all: Vec<Unsafe> = files.iter().flat_map(|path| uses(&root, path)).collect();
    let shipped =
        all.iter().filter(|found| found.file.contains("/src/") && !found.file.contains("/src/tests/"));
    let mut section = String::from(TITLE);
    section += HEAD;
    write!(
        section,
        "\n{} uses, of which {} are in what is shipped; the others are in tests and in an example.\n\n\
         | file | code | why it is right |\n|---|---|---|\n",
        all.len(),
        shipped.count()
    )
    .expect("writing to a string does not fail");
    for Unsafe { file, line, reason } in &all {
        let line = line.replace('|', "\\|");
        writeln!(section, "| `{file}` | `{line}` | {reason} |").expect("writing to a string does not fail");
    }
    let page = root.join("docs/faults.md");
    let kept = std::fs::read_to_string(&page).expect("the page");
    let before = kept.split(TITLE).next().expect("a first part").trim_end();
    let renewed = format!("{before}\n\n{section}");
    if std::env::var_os("BLESS").is_some() {
        std::fs::write(&page, &renewed).expect("the page can be written");
    } else {
        assert!(
            kept == renewed,
            "docs/faults.md is stale: BLESS=1 cargo test -p planish-c --test unsafe_code"
        );
    }
}
