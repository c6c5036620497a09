//! The page about faults.

use std::fmt::Write;
use std::path::Path;
use std::sync::LazyLock;

/// A line of defence: who, how much it may try, and what it needed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Line {
    /// What it is.
    pub by: String,
    /// How many cases it may try, and of what.
    pub budget: String,
    /// After how many it found the fault; a text for people.
    pub found: Option<String>,
}

/// A fault.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Row {
    /// Its name.
    pub name: String,
    /// The line that must find it.
    pub first: Line,
    /// The line behind, which may.
    pub second: Option<Line>,
}

const HEAD: &str = "\
# Faults

Written by `BLESS=1 cargo test -p planish-fuzzing --test faults`; do not edit. Each fault is switched on
by a test, which fails unless the first line of defence finds it within the budget. The second line,
where there is one, works as if the first did not exist. The last columns say after how much each found
it when the page was written; they may differ on another day and are not compared. A usual run of the test
tries that function first; with `BLESS=1` or `PLANISH_FULL=1` it starts at the first one.
";

/// The page as it is, or nothing where all is to be looked for from the first function on: when the page is written anew, and
/// in long campaigns.
static WRITTEN: LazyLock<String> = LazyLock::new(|| {
    let anew = std::env::var_os("BLESS").is_some()
        || std::env::var_os("PLANISH_FULL").is_some_and(|full| full == "1");
    if anew { String::new() } else { std::fs::read_to_string(PAGE).unwrap_or_default() }
});

/// What the page says of a fault: the last two cells of its row.
fn written(name: &str) -> Option<[&'static str; 2]> {
    let rest =
        WRITTEN.lines().find_map(|line| line.strip_prefix("| ")?.strip_prefix(name)?.strip_prefix(" | "))?;
    rest.strip_suffix(" |")?.split_once(" | ").map(|(first, second)| [first, second])
}

/// Counts from one: the function that found a fault when the page was written, then all of them. So the test looks for what
/// is new or has moved, and for everything when it is asked to.
pub fn functions(name: &str, line: Behind, budget: u64) -> impl Iterator<Item = u64> {
    let cell = written(name).map(|cells| cells[line as usize]);
    let found = cell.and_then(|cell| cell.strip_prefix("function ")?.split(',').next()?.parse().ok());
    // Those that found nothing then, and need not, are not run again.
    let budget = if line == Behind::Second && cell == Some(NOTHING) { 0 } else { budget };
    found.into_iter().chain(1..=budget)
}

/// Which line of defence.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Behind {
    /// The one that must find the fault.
    First,
    /// The one that may.
    Second,
}

/// Of a line that found nothing.
const NOTHING: &str = "-";

/// The page.
const PAGE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/faults.md");

/// Where the parts of the page begin that others write: `scripts/campaign`, and a test of the library for C.
const BEHIND: [&str; 2] = ["\n## Campaigns\n", "\n## Unsafe code\n"];

/// Compares the page with what came out, measurements apart.
pub fn hold(parts: &[(&str, &Vec<Row>)]) {
    let page = page(parts);
    let path = Path::new(PAGE);
    let kept = std::fs::read_to_string(path).unwrap_or_default();
    let (mut kept, behind) =
        kept.split_at(BEHIND.iter().find_map(|title| kept.find(title)).unwrap_or(kept.len()));
    if std::env::var_os("BLESS").is_some() {
        std::fs::write(path, format!("{page}{behind}")).expect("the page can be written");
        kept = &page;
    }
    let stated = |page: &str| -> Vec<String> { page.lines().map(without_measurements).collect() };
    assert!(
        stated(kept) == stated(&page),
        "docs/faults.md is stale: BLESS=1 cargo test -p planish-fuzzing --test faults"
    );
}

/// A line of the page without its last two columns.
fn without_measurements(line: &str) -> String {
    let cells: Vec<&str> = line.split(" | ").collect();
    if line.starts_with('|') { cells[..cells.len().saturating_sub(2)].join(" | ") } else { line.to_owned() }
}

fn page(parts: &[(&str, &Vec<Row>)]) -> String {
    let mut page = HEAD.to_owned();
    for (title, rows) in parts {
        let (first, second) = (&rows[0].first, rows[0].second.as_ref());
        write!(page, "\n## {title}\n\n{} faults. First line: {}, {}.", rows.len(), first.by, first.budget)
            .expect(NEVER);
        if let Some(second) = second {
            let found =
                rows.iter().filter(|row| row.second.as_ref().is_some_and(|line| line.found.is_some()));
            write!(page, " Second line: {}, {}; it found {}.", second.by, second.budget, found.count())
                .expect(NEVER);
        }
        page.push_str("\n\n| fault | first line | second line |\n|---|---|---|\n");
        for row in *rows {
            let told = |line: Option<&Line>| {
                line.and_then(|line| line.found.clone()).unwrap_or_else(|| NOTHING.to_owned())
            };
            writeln!(page, "| {} | {} | {} |", row.name, told(Some(&row.first)), told(row.second.as_ref()))
                .expect(NEVER);
        }
    }
    page
}

const NEVER: &str = "writing to a string does not fail";
