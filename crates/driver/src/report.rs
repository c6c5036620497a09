//! The report about a run: the states of every function, and why each line of them changed.
//!
//! [`page`] joins the [states](crate::states) with the record of rewrites: an entry belongs to the line of its
//! instruction in the state before its step, or, when the step made the instruction, in the state after.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::time::Duration;

use planish_base::SideTable;
use planish_ir::Inst;
use planish_ir::text::Listed;
use planish_opt::egraph::dump::{DumpedGraph, DumpedNode};
use planish_opt::{Entry, Kind};
use planish_report::{Cell, Change, Column, Graph, GraphEdge, GraphNode, Item, Line, Note, Report, Table};
use planish_rvsdg::picture;
pub use planish_rvsdg::picture::Picture;

use crate::explain::Remark;
use crate::run::Outcome;
use crate::states::{DRAWN_BLOCKS, State, States};

/// What a report says of a rule.
pub struct RuleNote {
    /// Its name.
    pub name: String,
    /// Where it is written, as `file:line`.
    pub place: String,
    /// The standing of its proof.
    pub proof: String,
}

/// The page about a run. `rule` tells of a rule by its number in the record; `regions` are pictures of functions to show
/// beside their states: title, and a picture for each function in order.
pub fn page(
    title: &str,
    subtitle: &str,
    outcome: &Outcome,
    regions: &[(&str, Vec<Picture>)],
    rule: &dyn Fn(u32) -> RuleNote,
) -> String {
    let mut entries: Vec<Vec<Entry>> = vec![Vec::new(); outcome.states.len()];
    for entry in outcome.record.entries() {
        if let Some(of_function) = entries.get_mut(entry.function as usize) {
            of_function.push(*entry);
        }
    }
    let mut items = Vec::new();
    for (number, states) in outcome.states.iter().enumerate() {
        let mut item = item(states, &entries[number], outcome, rule);
        let drawn = regions.iter().filter_map(|(title, pictures)| Some((title, pictures.get(number)?)));
        item.graphs.extend(drawn.map(|(title, picture)| nested(title.to_string(), picture)));
        items.push(item);
    }
    let tables =
        vec![operations(&outcome.states), firings(outcome, rule), times(&outcome.states), budgets(outcome)];
    planish_report::render(&Report {
        title: title.to_owned(),
        subtitle: subtitle.to_owned(),
        items,
        tables: tables.into_iter().filter(|table| !table.rows.is_empty()).collect(),
    })
}

/// A function on the page.
fn item(states: &States, entries: &[Entry], outcome: &Outcome, rule: &dyn Fn(u32) -> RuleNote) -> Item {
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
    for (title, text) in &states.others {
        let lines = text.lines().map(|line| Line { text: line.to_owned(), ..Line::default() }).collect();
        columns.push(Column { title: title.clone(), lines });
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
    let line = |line: &Listed| Line { text: line.text.clone(), change: change(line), notes: Vec::new() };
    Column { title: states[at].title.clone(), lines: states[at].lines.iter().map(line).collect() }
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
        kind => Note { by: kind.name().to_owned(), what, ..Note::default() },
    }
}

/// A region with the regions inside of it. Results have no operator and are marked.
fn nested(title: String, picture: &Picture) -> Graph {
    let node = |node: &picture::Node| GraphNode {
        title: if node.is_result { format!("result {}", node.label) } else { node.label.clone() },
        lines: Vec::new(),
        marked: node.is_result,
        inside: node.inside.iter().map(|inner| nested(inner.label.clone(), inner)).collect(),
    };
    let edge = |&(from, to, position): &(usize, usize, usize)| GraphEdge {
        from,
        to,
        label: if picture.nodes[to].is_result { String::new() } else { position.to_string() },
    };
    Graph {
        title,
        nodes: picture.nodes.iter().map(node).collect(),
        edges: picture.edges.iter().map(edge).collect(),
    }
}

/// The classes of an e-graph, a node a class: its members, what is taken first. Marked is what the result is made of;
/// edges go to the operands of what is taken.
fn classes(graph: &DumpedGraph) -> Option<Graph> {
    let mut members: BTreeMap<u32, Vec<&DumpedNode>> = BTreeMap::new();
    graph.nodes.iter().for_each(|node| members.entry(node.class).or_default().push(node));
    if members.is_empty() || members.len() > DRAWN_BLOCKS {
        return None;
    }
    let places: BTreeMap<u32, usize> = members.keys().rev().copied().zip(0..).collect();
    let taken = |class: &u32| members[class].iter().find(|node| node.is_best).copied();
    let mut marked = BTreeSet::new();
    let mut stack = graph.roots.clone();
    while let Some(class) = stack.pop() {
        if marked.insert(class) {
            stack.extend(taken(&class).into_iter().flat_map(|node| &node.children));
        }
    }
    let text = |node: &&DumpedNode| {
        let children: Vec<String> = node.children.iter().map(|class| format!("c{class}")).collect();
        let call = if children.is_empty() { String::new() } else { format!("({})", children.join(", ")) };
        format!("{} {}{call}  cost {}", if node.is_best { "\u{2713}" } else { " " }, node.op, node.cost)
    };
    let nodes = members.iter().rev().map(|(class, nodes)| {
        let mut nodes = nodes.clone();
        nodes.sort_by_key(|node| !node.is_best);
        GraphNode {
            title: format!("c{class}"),
            lines: nodes.iter().map(text).collect(),
            marked: marked.contains(class),
            inside: Vec::new(),
        }
    });
    let edges = places.iter().flat_map(|(class, &from)| {
        let children = taken(class).into_iter().flat_map(|node| &node.children);
        children.map(|child| GraphEdge { from, to: places[child], label: String::new() }).collect::<Vec<_>>()
    });
    Some(Graph {
        title: "classes of equal values; marked: what the result is made of".to_owned(),
        nodes: nodes.collect(),
        edges: edges.collect(),
    })
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
    rows.sort_by_key(|&(op, (before, _))| (std::cmp::Reverse(before), op));
    let row = |(op, (before, after)): (&str, (u64, u64))| {
        vec![Cell::Text(op.to_owned()), Cell::Number(before as f64), Cell::Number(after as f64)]
    };
    Table { title: "Operations".into(), head, rows: rows.into_iter().map(row).collect() }
}

/// What fired how often: rules by name, then everything else.
fn firings(outcome: &Outcome, rule: &dyn Fn(u32) -> RuleNote) -> Table {
    let mut rows: Vec<(u64, [String; 3])> = Vec::new();
    for (number, &count) in (0..).zip(outcome.record.rules()) {
        if count > 0 {
            let RuleNote { name, place, proof } = rule(number);
            rows.push((count, [name, place, proof]));
        }
    }
    let plain = Kind::PLAIN.into_iter().map(|kind| (kind.name(), outcome.record.count(kind)));
    for (name, count) in plain.chain(outcome.record.stages()) {
        if count > 0 {
            rows.push((count, [name.to_owned(), String::new(), String::new()]));
        }
    }
    rows.sort_by(|a, b| b.0.cmp(&a.0).then_with(|| a.1.cmp(&b.1)));
    let row = |(count, [name, place, proof]): (u64, [String; 3])| {
        vec![Cell::Text(name), Cell::Number(count as f64), Cell::Text(place), Cell::Text(proof)]
    };
    Table {
        title: "Rewrites".into(),
        head: ["rule or kind", "times", "written in", "proof"].map(str::to_owned).to_vec(),
        rows: rows.into_iter().map(row).collect(),
    }
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
        vec![Cell::Text(step.to_owned()), Cell::Number(shown.parse().unwrap_or(0.0))]
    };
    Table {
        title: "Time".into(),
        head: ["step", "ms"].map(str::to_owned).to_vec(),
        rows: sums.into_iter().map(row).collect(),
    }
}

/// The budgets that were hit.
fn budgets(outcome: &Outcome) -> Table {
    let row = |&(name, hits): &(&str, u64)| vec![Cell::Text(name.to_owned()), Cell::Number(hits as f64)];
    Table {
        title: "Budgets that were hit".into(),
        head: ["budget", "refusals"].map(str::to_owned).to_vec(),
        rows: outcome.record.budgets().iter().map(row).collect(),
    }
}
