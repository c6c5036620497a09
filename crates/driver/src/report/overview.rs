//! What the page opens with: what became smaller and by what, where most is left, what was missed; and tables to look things
//! up in.

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::fmt::Write;
use std::time::Duration;

use planish_opt::Kind;
use planish_report::{Bar, Bars, Cell, Figure, Item, Panel, Table};

use super::rule_note::RuleNote;
use crate::run::Outcome;
use crate::states::States;
use crate::statistics::Counts;

/// What is counted of a function.
type Of = fn(&Counts) -> u64;

/// So many kinds of pairs are shown of those that remain.
const MOST_PAIRS: usize = 40;

/// What is said of a run over functions.
pub(super) fn panels(outcome: &Outcome, items: &[Item], rule: &dyn Fn(u32) -> RuleNote) -> Vec<Panel> {
    let figures = figures(outcome);
    let mut panels = Vec::new();
    if !figures.is_empty() {
        panels.push(Panel::Figures(figures));
    }
    panels.extend(
        [did(outcome, rule), left(items), saved(items), missed(outcome)].into_iter().filter_map(some),
    );
    panels
}

/// Bars, unless there are none.
pub(super) fn some(bars: Bars) -> Option<Panel> {
    (!bars.rows.is_empty()).then_some(Panel::Bars(bars))
}

/// All tables that have rows.
pub(super) fn tables(outcome: &Outcome, rule: &dyn Fn(u32) -> RuleNote) -> impl Iterator<Item = Panel> {
    let tables =
        [operations(&outcome.states), firings(outcome, rule), times(&outcome.states), budgets(outcome)];
    tables.into_iter().filter(|table| !table.rows.is_empty()).map(Panel::Table)
}

/// Operations before and after, and the dear ones among them.
fn figures(outcome: &Outcome) -> Vec<Figure> {
    let kinds: [(&str, Of); 3] =
        [("operations", |c| c.operations), ("guards", |c| c.guards), ("allocations", |c| c.allocations)];
    let figure = |(what, of): (&str, Of)| {
        let rows = || outcome.statistics.rows.iter();
        Figure {
            what: what.to_owned(),
            before: rows().map(|row| of(&row.before)).sum(),
            after: rows().map(|row| of(row.after.as_ref().unwrap_or(&row.before))).sum(),
            peer: None,
        }
    };
    kinds.into_iter().map(figure).filter(|figure| figure.before + figure.after > 0).collect()
}

/// What rewrote how often.
pub(super) fn did(outcome: &Outcome, rule: &dyn Fn(u32) -> RuleNote) -> Bars {
    let row = |fired: Fired| {
        let hint = [fired.place, fired.proof].into_iter().filter(|said| !said.is_empty()).collect::<Vec<_>>();
        Bar { label: fired.name, hint: hint.join("\n"), value: fired.times, ..Bar::default() }
    };
    Bars {
        title: "What did it".into(),
        unit: "rewrites".into(),
        rows: fired(outcome, rule).into_iter().map(row).collect(),
    }
}

/// Where most is left.
fn left(items: &[Item]) -> Bars {
    let mut rows: Vec<Bar> = numbered(items).filter(|bar| bar.value > 0).collect();
    rows.sort_by_key(|bar| Reverse(bar.value));
    let rows = if items.len() > 1 { rows } else { Vec::new() };
    Bars { title: "Most left".into(), unit: "operations, of those before".into(), rows }
}

/// Where most went.
fn saved(items: &[Item]) -> Bars {
    let gone = |bar: Bar| {
        let of = bar.of?;
        (of > bar.value).then(|| Bar { value: of - bar.value, ..bar })
    };
    let mut rows: Vec<Bar> = numbered(items).filter_map(gone).collect();
    rows.sort_by_key(|bar| Reverse(bar.value));
    let rows = if items.len() > 1 { rows } else { Vec::new() };
    Bars { title: "What became smaller".into(), unit: "operations removed, of those before".into(), rows }
}

/// What is left of each item.
fn numbered(items: &[Item]) -> impl Iterator<Item = Bar> {
    items.iter().enumerate().map(|(at, item)| Bar {
        label: item.name.clone(),
        hint: String::new(),
        value: item.after,
        of: Some(item.before).filter(|&before| before >= item.after),
        item: Some(at),
    })
}

/// Operations that remain together, of which a rule could make less, and budgets that were hit.
pub fn missed(outcome: &Outcome) -> Bars {
    let budget = |&(name, hits): &(&str, u64)| Bar {
        label: format!("budget {name}"),
        hint: "what the budget refused was not done".into(),
        value: hits,
        ..Bar::default()
    };
    let pair = |(pair, count): (&str, u64)| Bar {
        label: pair.to_owned(),
        hint: "an operation of an operation; c is a constant, _ any value".into(),
        value: count,
        ..Bar::default()
    };
    let pairs = outcome.remains.iter().flat_map(|remains| remains.most_frequent(MOST_PAIRS));
    Bars {
        title: "What was missed".into(),
        unit: "pairs of operations that remain".into(),
        rows: outcome.record.budgets().iter().map(budget).chain(pairs.map(pair)).collect(),
    }
}

/// What rewrote.
struct Fired {
    name: String,
    place: String,
    proof: String,
    times: u64,
}

/// Rules, kinds and stages that did something, the most frequent first.
fn fired(outcome: &Outcome, rule: &dyn Fn(u32) -> RuleNote) -> Vec<Fired> {
    let mut all: Vec<Fired> = Vec::new();
    for (number, &times) in (0..).zip(outcome.record.rules()).filter(|&(_, &times)| times > 0) {
        let RuleNote { name, place, proof } = rule(number);
        all.push(Fired { name, place, proof, times });
    }
    let plain = Kind::PLAIN.into_iter().map(|kind| (kind.name(), outcome.record.count(kind)));
    for (name, times) in plain.chain(outcome.record.stages()).filter(|&(_, times)| times > 0) {
        all.push(Fired { name: name.to_owned(), place: String::new(), proof: String::new(), times });
    }
    all.sort_by(|a, b| b.times.cmp(&a.times).then_with(|| a.name.cmp(&b.name)));
    all
}

/// What fired how often: rules by name, then everything else.
fn firings(outcome: &Outcome, rule: &dyn Fn(u32) -> RuleNote) -> Table {
    let row = |Fired { name, place, proof, times }: Fired| {
        vec![Cell::Text(name), Cell::Number(times as f64), Cell::Text(place), Cell::Text(proof)]
    };
    Table {
        title: "Rewrites".into(),
        is_folded: true,
        head: ["rule or kind", "times", "written in", "proof"].map(str::to_owned).to_vec(),
        rows: fired(outcome, rule).into_iter().map(row).collect(),
    }
}

/// Operations by kind, before and after.
fn operations(states: &[States]) -> Table {
    let mut sums: BTreeMap<&str, (u64, u64)> = BTreeMap::new();
    for states in states {
        let (Some(first), Some(last)) = (states.states.first(), states.states.last()) else { continue };
        first.operations.iter().for_each(|(op, n)| sums.entry(op).or_default().0 += n);
        last.operations.iter().for_each(|(op, n)| sums.entry(op).or_default().1 += n);
    }
    let head = ["operation", "before", "after"].map(str::to_owned).to_vec();
    let mut rows: Vec<_> = sums.into_iter().collect();
    rows.sort_by_key(|&(op, (before, _))| (Reverse(before), op));
    let row = |(op, (before, after)): (&str, (u64, u64))| {
        vec![Cell::Text(op.to_owned()), Cell::Number(before as f64), Cell::Number(after as f64)]
    };
    Table { title: "Operations".into(), is_folded: true, head, rows: rows.into_iter().map(row).collect() }
}

/// The time of each step, over all functions.
fn times(states: &[States]) -> Table {
    let mut sums: Vec<(&str, Duration)> = Vec::new();
    for (number, (step, time)) in states.iter().flat_map(|states| states.steps.iter().enumerate()) {
        let Some(time) = time else { continue };
        match sums.get_mut(number) {
            Some((_, sum)) => *sum += *time,
            None => sums.push((step, *time)),
        }
    }
    let row = |(step, time): (&str, Duration)| {
        let mut shown = String::new();
        write!(shown, "{:.3}", time.as_secs_f64() * 1000.0).expect("writing to a string does not fail");
        vec![Cell::Text(step.replace('+', ", ")), Cell::Number(shown.parse().unwrap_or(0.0))]
    };
    Table {
        title: "Time".into(),
        is_folded: true,
        head: ["step", "ms"].map(str::to_owned).to_vec(),
        rows: sums.into_iter().map(row).collect(),
    }
}

/// The budgets that were hit.
fn budgets(outcome: &Outcome) -> Table {
    let row = |&(name, hits): &(&str, u64)| vec![Cell::Text(name.to_owned()), Cell::Number(hits as f64)];
    Table {
        title: "Budgets that were hit".into(),
        is_folded: true,
        head: ["budget", "refusals"].map(str::to_owned).to_vec(),
        rows: outcome.record.budgets().iter().map(row).collect(),
    }
}
