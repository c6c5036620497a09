//! docs/features-held.md lists what systems that this one grew from are described to do, line by line, what became of it,
//! and the tests that hold it. The lines are in `rows.txt`; a test names a line by its number, in its comment or, in a file
//! test, behind `# holds:`. The page is made of both (`BLESS=1 cargo test -p planish-cli --test features`).

mod found;
mod rows;

use found::{Held, Test, held, root};
use rows::{Entry, Row, read};

/// The beginning of the page.
const INTRODUCTION: &str = "\
# What is held by tests

<!-- Made of crates/cli/tests/features/rows.txt and the tests: BLESS=1 cargo test -p planish-cli --test features -->

Five texts describe systems that Planish grew from: PyPy's post on a toy optimizer for traces (S1, 2022),
the README of *optir* (S2, 2022), Haoyi's *How an Optimizing Compiler Works* (S3, 2019), the documentation of
PyPy's trace optimizer (S4) and PyPy's post on a language for peephole rules (S5, 2024). Here is what they
describe, line by line, in our words. The kind of a line is `has` where the text shows or claims it, `missing` and `future` where
it says that it is absent or planned, `trap` where something is wrong or left open there, found by reading or running, and
`remark` where it is no feature. Then comes what became of it here: it is done, done otherwise, or refused with the reason.

Beside each line stand the tests that hold it. They ask for nothing that is not done without asking, except those behind
*also*. What the texts have, and what is wrong there, is held by two inputs of different hands.
";

/// The tests of a line, those at the defaults first.
fn tests<'h>(held: &'h Held, row: &Row) -> (Vec<&'h str>, Vec<&'h str>) {
    let tests = held.get(row.number).map_or(&[][..], Vec::as_slice);
    let by = |at_defaults: bool| {
        let chosen = tests.iter().filter(move |test| test.at_defaults == at_defaults);
        chosen.map(|test: &Test| test.by.as_str()).collect::<Vec<_>>()
    };
    (by(true), by(false))
}

/// The page.
fn page(entries: &[Entry], owed: &[&str], held: &Held) -> String {
    let mut text = INTRODUCTION.to_owned();
    if !owed.is_empty() {
        text += &format!("\n{} lines have one such test so far: {}.\n", owed.len(), owed.join(", "));
    }
    for entry in entries {
        match entry {
            Entry::Title(title) => {
                text += &format!(
                    "\n## {title}\n\n| line | kind | here | what it says | held by |\n|---|---|---|---|---|\n"
                );
            }
            Entry::Row(row) => {
                let (mut by, others) = tests(held, row);
                let also = format!("also {}", others.join(", "));
                if !others.is_empty() {
                    by.push(&also);
                }
                let Row { number, kind, became, says } = row;
                text += &format!("| {number} | {kind} | {became} | {says} | {} |\n", by.join("<br>"));
            }
        }
    }
    text
}

#[test]
fn every_line_is_held_by_tests_that_name_it() {
    let ((entries, owed), held) = (read(), held());
    let mut wrong = Vec::new();
    for entry in &entries {
        let Entry::Row(row) = entry else { continue };
        let (found, wanted) = (tests(&held, row).0.len(), row.tests(&owed));
        if found < wanted {
            wrong.push(format!("{}: {wanted} tests are wanted, and {found} found: {}", row.number, row.says));
        } else if found > 1 && owed.contains(&row.number) {
            wrong.push(format!("{}: has {found} tests, and owes none", row.number));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    let (path, page) = (root().join("docs/features-held.md"), page(&entries, &owed, &held));
    if std::env::var_os("BLESS").is_some() {
        std::fs::write(&path, &page).expect("the page can be written");
    }
    let fresh = std::fs::read_to_string(&path).unwrap_or_default() == page;
    assert!(fresh, "docs/features-held.md is stale: BLESS=1 cargo test -p planish-cli --test features");
}
