//! `planish rules stats --leave-one-out`: what each rule is worth on a corpus.
//!
//! Everything is optimized once with all rules, and once more without each rule that fired. How often a rule
//! fires says little of its worth: another may do the same work in its absence, or its work may be what lets ten
//! others fire.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use planish_base::{Arena, Id};
use planish_book as book;
use planish_driver::{Dialect, Session, Settings};
use planish_prove::parallel;
use planish_rules::rule::Rule;
use planish_rules::{RuleId, RuleSet};
use serde_json::json;

use super::opening::{self, what_is_open};
use super::rule_names::all_rules;
use crate::args::{Format, Reading};
use crate::failure::Failure;
use crate::io;

/// A program of the corpus: where it is, its dialect, its bytes.
struct Text<'a> {
    path: &'a Path,
    dialect: Dialect,
    bytes: Vec<u8>,
}

/// What a rule does on the corpus.
struct Worth {
    rule: RuleId,
    fired: u64,
    /// How many operations are left more without it; fewer where it does harm.
    more: i64,
}

/// The table of all rules that fire, those worth most first: of the book, and of files. As many runs over the corpus as rules that
/// fire, on all cores.
pub fn table(inputs: &[PathBuf], format: Format, extra: Option<Arc<RuleSet>>) -> Result<String, Failure> {
    let mut corpus = Vec::new();
    for path in inputs {
        corpus.push(Text { path, dialect: opening::dialect(path, None)?, bytes: io::read(path)? });
    }
    let all = all_rules(extra.as_deref());
    let with_all = Settings { rules: extra.clone(), ..Settings::default() };
    let (left, fired) = run(&corpus, &with_all, all.len())?;
    let firing: Vec<RuleId> =
        all.ids().zip(&fired).filter(|(_, count)| **count > 0).map(|(rule, _)| rule).collect();
    let without = |rule: &RuleId| {
        let settings = without(&with_all, &all, *rule);
        run(&corpus, &settings, all.len()).map(|(left, _)| left)
    };
    let runs = parallel::map(&firing, parallel::available(), without, &mut |_, _, _| {});
    let mut table = Vec::new();
    for ((rule, count), left_without) in (all.ids().zip(fired)).filter(|(_, count)| *count > 0).zip(runs) {
        table.push(Worth { rule, fired: count, more: left_without? as i64 - left as i64 });
    }
    table.sort_by_key(|row| (-row.more, std::cmp::Reverse(row.fired), row.rule));
    Ok(match format {
        Format::Text => text(&table, &all, left),
        Format::Json => json(&table, &all, left),
    })
}

/// The settings without a rule: rules of files come after the book's.
fn without(settings: &Settings, all: &Arena<RuleId, Rule>, rule: RuleId) -> Settings {
    if rule.index() < book::RULES.len() {
        return Settings { without: Some(rule), ..settings.clone() };
    }
    let others = settings.rules.as_ref().map(|set| set.keeping(|other| other.name != all[rule].name));
    Settings { rules: others.map(Arc::new), ..settings.clone() }
}

/// Optimizes the corpus: how many operations are left, and how often each of so many rules fired.
fn run(corpus: &[Text<'_>], settings: &Settings, rules: usize) -> Result<(u64, Vec<u64>), Failure> {
    let mut fired = vec![0; rules];
    let mut left = 0;
    for Text { path, dialect, bytes } in corpus {
        let reading = what_is_open(&Reading::default());
        let outcome = Session::open(&io::display_name(path), bytes.clone(), *dialect, reading)
            .and_then(|mut session| session.optimize(settings))
            .map_err(Failure::Rejected)?;
        fired.iter_mut().zip(outcome.record.rules()).for_each(|(sum, count)| *sum += count);
        left +=
            outcome.statistics.rows.iter().map(|row| row.after.unwrap_or(row.before).operations).sum::<u64>();
    }
    Ok((left, fired))
}

fn text(table: &[Worth], rules: &Arena<RuleId, Rule>, left: u64) -> String {
    let all = if rules.len() > book::RULES.len() { "all rules" } else { "the whole book" };
    let mut out = format!("{left} operations are left with {all}\n\n");
    out.push_str("       fires  left more without it  rule\n");
    for Worth { rule, fired, more } in table {
        let name = &rules[*rule].name;
        out.push_str(&format!("{fired:>12}  {more:>20}  {name}\n"));
    }
    out
}

fn json(table: &[Worth], rules: &Arena<RuleId, Rule>, left: u64) -> String {
    let rows: Vec<_> = (table.iter())
        .map(|row| json!({ "rule": rules[row.rule].name, "fired": row.fired, "more": row.more }))
        .collect();
    json!({ "left": left, "rules": rows }).to_string() + "\n"
}
