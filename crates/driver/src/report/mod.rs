//! The report about a run: what a person wants to know first, the states of every function, and why each line of them
//! changed.
//!
//! [`report`] joins the [states](crate::states) with the record of rewrites: an entry belongs to the line of its
//! instruction in the state before its step, or, when the step made the instruction, in the state after.

mod aligned;
mod beside;
mod graphs;
mod item;
mod overview;
mod readable;
mod rule_note;
mod traces;

use std::collections::BTreeMap;

pub use overview::missed;
use planish_opt::Entry;
use planish_report::{Panel, Treemap};
pub use planish_report::{Report, page, text};
pub use planish_rvsdg::picture::Picture;
pub use rule_note::RuleNote;

use crate::run::Outcome;
use crate::statistics::Row;

/// The report about a run. `rule` tells of a rule by its number in the record; `regions` are pictures of functions to show
/// beside their states: title, and a picture for each function in order.
pub fn report(
    title: &str,
    subtitle: &str,
    outcome: &Outcome,
    regions: &[(&str, Vec<Picture>)],
    rule: &dyn Fn(u32) -> RuleNote,
) -> Report {
    let mut entries: Vec<Vec<Entry>> = vec![Vec::new(); outcome.states.len()];
    for entry in outcome.record.entries() {
        if let Some(of_function) = entries.get_mut(entry.function as usize) {
            of_function.push(*entry);
        }
    }
    if !outcome.logged.is_empty() {
        return log(title, subtitle, outcome, &entries, rule);
    }
    // The first state is what passes over the module left, the statistics know what came in.
    let rows = outcome.statistics.rows.iter().map(|row| (row.name.as_str(), row));
    let rows: BTreeMap<&str, &Row> = rows.collect();
    let mut items = Vec::new();
    for (number, states) in outcome.states.iter().enumerate() {
        let mut item = item::item(states, &entries[number], outcome, rule);
        if let Some(Row { before, after, .. }) = rows.get(states.name()) {
            (item.before, item.after) = (before.operations, after.unwrap_or(*before).operations);
        }
        let drawn = regions.iter().filter_map(|(title, pictures)| Some((title, pictures.get(number)?)));
        item.graphs.extend(drawn.map(|(title, picture)| graphs::nested(title.to_string(), picture)));
        items.push(item);
    }
    let mut panels = overview::panels(outcome, &items, rule);
    if let [only] = &mut items[..] {
        // It opens at once: its sizes above the code, which nobody is to look for, everything else below.
        let is_size = |panel: &&Panel| matches!(panel, Panel::Figures(_));
        only.panels = panels.iter().filter(is_size).cloned().collect();
        only.below = panels.iter().filter(|panel| !is_size(panel)).cloned().collect();
    } else if !items.is_empty() {
        let unit = "operations before".to_owned();
        panels.push(Panel::Treemap(Treemap { title: "All functions".into(), unit }));
    }
    panels.extend(overview::tables(outcome, rule));
    Report { title: title.to_owned(), subtitle: subtitle.to_owned(), items, panels }
}

/// The report about a run over a log.
fn log(
    title: &str,
    subtitle: &str,
    outcome: &Outcome,
    entries: &[Vec<Entry>],
    rule: &dyn Fn(u32) -> RuleNote,
) -> Report {
    let shown = traces::Shown::of(&outcome.logged);
    let item = |(place, &(trace, _)): (usize, &(usize, u32))| {
        let states = outcome.logged[trace].states;
        let item = states.map(|at| item::item(&outcome.states[at], &entries[at], outcome, rule));
        shown.item(place, item.unwrap_or_default())
    };
    let items = shown.order.iter().enumerate().map(item).collect();
    let mut panels = shown.panels(outcome, rule);
    panels.extend(overview::tables(outcome, rule));
    Report { title: title.to_owned(), subtitle: subtitle.to_owned(), items, panels }
}
