//! A function on the page: its states as columns, and why each line changed.

use std::collections::{BTreeMap, btree_map};

use planish_base::SideTable;
use planish_ir::Inst;
use planish_ir::text::Listed;
use planish_opt::egraph::dump::DumpedGraph;
use planish_opt::{Entry, Kind};
use planish_report::{Change, Column, Item, Line, Note};

use super::graphs::classes;
use super::rule_note::RuleNote;
use crate::explain::Remark;
use crate::run::Outcome;
use crate::states::{State, States};

/// A function on the page.
pub(super) fn item(
    states: &States,
    entries: &[Entry],
    outcome: &Outcome,
    rule: &dyn Fn(u32) -> RuleNote,
) -> Item {
    let places: Vec<SideTable<Inst, Option<u32>>> = states.states.iter().map(|s| places(&s.lines)).collect();
    let mut columns: Vec<Column> =
        (0..states.states.len()).map(|at| column(&states.states, &places, at)).collect();
    for entry in entries {
        // The last state that the step began with; a step that changed nothing that shows has none behind.
        let before = states.states.iter().rposition(|state| state.steps <= entry.step).unwrap_or(0);
        let line = |state: usize| {
            let inst = entry.site.inst?;
            places.get(state)?[inst].map(|line| (state, line as usize))
        };
        // What is no instruction, a block or a parameter, is told at the function's header.
        let (column, line) = line(before).or_else(|| line(before + 1)).unwrap_or((before, 0));
        if let Some(line) = columns[column].lines.get_mut(line) {
            line.notes.push(note(entry, outcome, rule));
        }
    }
    for line in columns.iter_mut().flat_map(|column| &mut column.lines) {
        line.notes = merged(std::mem::take(&mut line.notes));
    }
    let ends = [states.states.first(), states.states.last()].into_iter().flatten();
    let of_function = |graph: &&DumpedGraph| graph.function == states.name;
    let equal = outcome.graphs.iter().flat_map(|dump| &dump.graphs).filter(of_function);
    let graphs = ends.filter_map(|state| state.graph.clone()).chain(equal.filter_map(classes)).collect();
    let size = |state: Option<&State>| state.map_or(0, State::size);
    Item {
        name: states.name.clone(),
        before: size(states.states.first()),
        after: size(states.states.last()),
        columns,
        graphs,
        ..Item::default()
    }
}

/// So many different reasons are given for one line.
const MOST_NOTES: usize = 16;

/// Notes of which each says another thing.
fn merged(notes: Vec<Note>) -> Vec<Note> {
    let mut merged: Vec<(Note, usize)> = Vec::new();
    let mut known: BTreeMap<(String, String), usize> = BTreeMap::new();
    for note in notes {
        match known.entry((note.by.clone(), note.what.clone())) {
            btree_map::Entry::Occupied(at) => merged[*at.get()].1 += 1,
            btree_map::Entry::Vacant(free) => {
                free.insert(merged.len());
                merged.push((note, 1));
            }
        }
    }
    let more = merged.len().saturating_sub(MOST_NOTES);
    let times = |(note, times): (Note, usize)| match times {
        1 => note,
        _ => Note { what: format!("{} ({times} times)", note.what), ..note },
    };
    let mut merged: Vec<Note> = merged.into_iter().take(MOST_NOTES).map(times).collect();
    if more > 0 {
        merged.push(Note { what: format!("and {more} more"), ..Note::default() });
    }
    merged
}

/// A state as a column, its lines compared with the states beside it.
fn column(states: &[State], places: &[SideTable<Inst, Option<u32>>], at: usize) -> Column {
    let change = |line: &Listed| {
        let Some(inst) = line.inst else { return Change::None };
        if at > 0 && places[at - 1][inst].is_none() {
            return Change::New;
        }
        match (states.get(at + 1), places.get(at + 1)) {
            (Some(next), Some(places)) => match places[inst] {
                Some(place) if next.lines[place as usize].text == line.text => Change::None,
                Some(_) => Change::Changed,
                None => Change::Gone,
            },
            _ => Change::None,
        }
    };
    let line = |line: &Listed| Line { text: line.text.clone(), change: change(line), ..Line::default() };
    let lines = states[at].lines.iter().map(line).collect();
    let parts: Vec<String> = states[at].title.split('+').map(str::to_owned).collect();
    match parts.len() {
        1 => Column { title: states[at].title.clone(), parts: Vec::new(), lines },
        // A walk of many passes is one word, with its parts on hover.
        _ => Column { title: walk(states, at), parts, lines },
    }
}

/// What a walk is called: those behind the first are counted.
fn walk(states: &[State], at: usize) -> String {
    match states[..at].iter().filter(|state| state.title.contains('+')).count() {
        0 => "walk".to_owned(),
        before => format!("walk {}", before + 1),
    }
}

/// The line of each instruction.
fn places(lines: &[Listed]) -> SideTable<Inst, Option<u32>> {
    let mut places = SideTable::new();
    for (number, line) in (0..).zip(lines) {
        if let Some(inst) = line.inst {
            places[inst] = Some(number);
        }
    }
    places
}

/// Why one rewrite happened.
fn note(entry: &Entry, outcome: &Outcome, rule: &dyn Fn(u32) -> RuleNote) -> Note {
    let what = Remark::of(entry, &outcome.names).what();
    match entry.kind {
        Kind::Rule(number) => {
            let RuleNote { name, place, proof } = rule(number);
            Note { by: name, what, place, proof }
        }
        Kind::Lemma(pass, lemma) => Note { by: format!("{pass}: {lemma}"), what, ..Note::default() },
        kind => Note { by: kind.name().to_owned(), what, ..Note::default() },
    }
}
