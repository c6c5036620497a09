//! The figures of campaigns: as a table, and added to those of a page.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::Path;

/// What became of a kind.
#[derive(Clone, PartialEq, Debug)]
pub struct Row {
    /// Its name.
    pub name: String,
    /// How many programs were tried.
    pub runs: u64,
    /// In how many worlds, or how often otherwise, something was compared with something else.
    pub compared: u64,
    /// What went wrong.
    pub findings: u64,
    /// How long that took.
    pub seconds: f64,
}

impl Row {
    /// Nothing yet.
    pub fn new(name: &str) -> Row {
        Row { name: name.to_owned(), runs: 0, compared: 0, findings: 0, seconds: 0.0 }
    }

    fn add(&mut self, other: &Row) {
        self.runs += other.runs;
        self.compared += other.compared;
        self.findings += other.findings;
        self.seconds += other.seconds;
    }

    /// A line of a table, read back.
    fn read(line: &str) -> Option<Row> {
        let cells: Vec<&str> = line.trim_matches('|').split('|').map(str::trim).collect();
        let number = |cell: &str| cell.replace(',', "").parse().ok();
        match cells[..] {
            [name, runs, compared, findings, seconds] => Some(Row {
                name: name.to_owned(),
                runs: number(runs)?,
                compared: number(compared)?,
                findings: number(findings)?,
                seconds: number(seconds)? as f64,
            }),
            _ => None,
        }
    }
}

/// Where the section begins, and the one behind it.
const TITLE: &str = "\n## Campaigns\n";
const BEHIND: &str = "\n## Unsafe code\n";

const HEAD: &str = "
Added up by `scripts/campaign --hours N --page docs/faults.md`. A run is one program, made or changed at random; what
it compares are worlds in which source and result both ended, or matches of rules. Of texts and classes that were changed
nothing is counted there: most are refused, and what is asked is that this ends well, that what can be read can be written
and read again, and that what can be optimized does what it did. What was found became a test and was mended, and stays
counted.
";

const NEVER: &str = "writing to a string does not fail";

/// All rows and their sum.
pub fn table(rows: &[Row]) -> String {
    let mut out = String::from("| kind | runs | compared | found | seconds |\n|---|---:|---:|---:|---:|\n");
    let mut total = Row::new("all");
    rows.iter().for_each(|row| total.add(row));
    for Row { name, runs, compared, findings, seconds } in rows.iter().chain([&total]) {
        let [runs, compared] = [*runs, *compared].map(grouped);
        writeln!(out, "| {name} | {runs} | {compared} | {findings} | {} |", grouped(seconds.round() as u64))
            .expect(NEVER);
    }
    out
}

/// A number with its thousands apart.
fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut out = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

/// Adds figures to those of a page.
pub fn add(path: &Path, rows: &[Row]) {
    let page = std::fs::read_to_string(path).expect("the page is there");
    let start = page.find(TITLE).or_else(|| page.find(BEHIND)).unwrap_or(page.len());
    let end = page.find(BEHIND).unwrap_or(page.len());
    let mut all: BTreeMap<String, Row> = page[start..end]
        .lines()
        .filter_map(Row::read)
        .filter(|row| row.name != "all")
        .map(|row| (row.name.clone(), row))
        .collect();
    for row in rows {
        all.entry(row.name.clone()).or_insert_with(|| Row::new(&row.name)).add(row);
    }
    let rows: Vec<Row> = all.into_values().collect();
    let section = format!("{TITLE}{HEAD}\n{}", table(&rows));
    std::fs::write(path, format!("{}{section}{}", &page[..start], &page[end..]))
        .expect("the page can be written");
}
