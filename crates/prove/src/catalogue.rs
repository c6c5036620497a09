//! The rule book as pages of Markdown: `docs/rules/`, one for each file of rules.
//!
//! A rule is shown as a formula and as it is written, with the reason it holds, an example that was found by trying, and what the
//! ledger says of its proof. A test of the command-line crate holds the pages to the book.

use std::fmt::Write;

use planish_rules::RuleSet;
use planish_rules::example::example;
use planish_rules::formula::formula;
use planish_rules::rule::{Rule, RuleId};

use crate::ledger::{Ledger, Record, Standing, TimeClass};
use crate::rule::theorem;

/// A page: its name without directory, and its text.
pub type Page = (String, String);

/// The index, and a page for each file of the set.
pub fn pages(set: &RuleSet, ledger: &Ledger) -> Vec<Page> {
    let mut pages = vec![("README.md".to_owned(), index(set))];
    for file in &set.files {
        let name = stem(file.name());
        let mut page = format!(
            "# Rules: {name}\n\nGenerated from `{}` and `rules.lock`; do not edit. An example gives the numbers at \
             which the rule was found to fire.\n",
            file.name()
        );
        for (id, rule) in set.rules.iter().filter(|(_, rule)| rule.file == file.name()) {
            one(set, ledger, id, rule, &mut page);
        }
        pages.push((format!("{name}.md"), page));
    }
    pages
}

/// `add` for `rules/add.rules`.
fn stem(path: &str) -> &str {
    let name = path.rsplit('/').next().unwrap_or(path);
    name.strip_suffix(".rules").unwrap_or(name)
}

fn index(set: &RuleSet) -> String {
    let mut page = String::from(
        "# The rule book\n\n\
         Generated from `rules/`; do not edit. How to write a rule: [the language](../../rules/README.md), \
         [a tour of wrong rules](../laws.md).\n\n\
         | file | rules |\n|---|---|\n",
    );
    for file in &set.files {
        let rules: Vec<&Rule> = set.rules.values().filter(|rule| rule.file == file.name()).collect();
        let name = stem(file.name());
        writeln!(page, "| [{name}]({name}.md) | {} |", rules.len())
            .expect("writing to a string does not fail");
    }
    writeln!(page, "| all | {} |", set.rules.len()).expect("writing to a string does not fail");
    page
}

fn one(set: &RuleSet, ledger: &Ledger, id: RuleId, rule: &Rule, page: &mut String) {
    let mut line = |text: &str| {
        page.push_str(text);
        page.push('\n');
    };
    line(&format!("\n## {}\n", rule.name));
    line(&format!("`{}`\n", formula(set, id)));
    line(&rule.doc.lines().collect::<Vec<_>>().join(" "));
    line("\n```text");
    // The reason stands above already.
    rule.text.lines().filter(|text| !text.trim_start().starts_with('#')).for_each(&mut line);
    line("```\n");
    if let Some(example) = example(set, id) {
        let given = match example.given.is_empty() {
            true => String::new(),
            false => format!(" with {}", example.given.join(", ")),
        };
        line(&format!("- `{}`{given} becomes `{}`.", example.before, example.after));
    }
    line(&format!("- {}", standing(rule, ledger.record(&theorem(&rule.name)))));
}

/// What the ledger says of a rule, in a sentence.
fn standing(rule: &Rule, record: Option<&Record>) -> String {
    if let Some(reason) = &rule.sorry {
        return format!("Not proved: {reason}");
    }
    let Some(record) = record else { return "Not in the ledger.".to_owned() };
    let mut said = Vec::new();
    for (standing, words) in [
        (Standing::Proved, "proved at"),
        (Standing::Exhausted, "every case tried at"),
        (Standing::Sampled, "cases tried at"),
        (Standing::Follows, "follows from another theorem at"),
        (Standing::LeftOut, "says nothing about"),
        (Standing::Open, "open at"),
    ] {
        let of = record.entries.iter().filter(|entry| entry.standing == standing);
        let parts: Vec<&str> = of.map(|entry| entry.part.as_str()).collect();
        if !parts.is_empty() {
            said.push(format!("{words} {}", parts.join(", ")));
        }
    }
    let mut solvers: Vec<&str> = (record.entries.iter())
        .filter(|entry| entry.standing == Standing::Proved)
        .map(|entry| entry.by.as_str())
        .collect();
    solvers.sort_unstable();
    solvers.dedup();
    let mut text = said.join("; ");
    if let Some(first) = text.get_mut(..1) {
        first.make_ascii_uppercase();
    }
    let proved = record.entries.iter().filter(|entry| entry.standing == Standing::Proved);
    match proved.map(|entry| entry.time).max() {
        None => format!("{text}."),
        Some(slowest) => format!("{text}. By {}, {} each.", solvers.join(", "), in_words(slowest)),
    }
}

/// A class of times.
fn in_words(time: TimeClass) -> &'static str {
    match time {
        TimeClass::Instant => "in less than a tenth of a second",
        TimeClass::Second => "in less than a second",
        TimeClass::Seconds => "in less than ten seconds",
        TimeClass::Long => "in ten seconds or more",
    }
}
