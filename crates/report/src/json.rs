//! What a report is made of, as JSON for the script of the page.

use serde_json::{Value, json};

use crate::data::{
    Bar, Cell, Change, Column, Figure, Graph, GraphNode, Item, Line, Note, Panel, Report, Table,
};

/// What the page reads first: names and sizes of all items, and the panels of the whole.
pub(crate) fn overview(report: &Report, blocks: &[usize]) -> Value {
    let entry = |item: &Item| {
        let weight = item.weight.unwrap_or(item.before.max(item.after));
        json!([item.name, item.before, item.after, item.depth, item.change.name(), weight])
    };
    json!({
        "title": report.title,
        "subtitle": report.subtitle,
        "items": report.items.iter().map(entry).collect::<Vec<_>>(),
        "panels": panels(&report.panels),
        "blocks": blocks,
    })
}

/// The part that the page parses when the item is opened.
pub(crate) fn details(item: &Item) -> Value {
    let columns: Vec<Value> = item.columns.iter().map(column).collect();
    let graphs: Vec<Value> = item.graphs.iter().map(graph).collect();
    json!({ "panels": panels(&item.panels), "columns": columns, "below": panels(&item.below), "graphs": graphs })
}

fn panels(panels: &[Panel]) -> Vec<Value> {
    panels.iter().map(panel).collect()
}

pub(crate) fn panel(panel: &Panel) -> Value {
    match panel {
        Panel::Text(text) => json!({ "kind": "text", "text": text }),
        Panel::Figures(figures) => {
            let figures: Vec<Value> = figures.iter().map(figure).collect();
            json!({ "kind": "figures", "rows": figures })
        }
        Panel::Bars(bars) => {
            let rows: Vec<Value> = bars.rows.iter().map(bar).collect();
            json!({ "kind": "bars", "title": bars.title, "unit": bars.unit, "rows": rows })
        }
        Panel::Treemap(map) => json!({ "kind": "treemap", "title": map.title, "unit": map.unit }),
        Panel::Inside(title, unit) => json!({ "kind": "inside", "title": title, "unit": unit }),
        Panel::Table(table) => self::table(table),
    }
}

fn figure(figure: &Figure) -> Value {
    let Figure { what, before, after, peer } = figure;
    json!({ "what": what, "before": before, "after": after, "peer": peer })
}

fn bar(bar: &Bar) -> Value {
    let Bar { label, hint, value, of, item } = bar;
    json!({ "label": label, "hint": hint, "value": value, "of": of, "item": item })
}

fn column(column: &Column) -> Value {
    let lines: Vec<Value> = column.lines.iter().map(line).collect();
    json!({ "title": column.title, "parts": column.parts, "lines": lines })
}

/// Most lines have nothing said about them: those are plain strings, and those that only changed are pairs.
fn line(line: &Line) -> Value {
    let Line { text, whole, is_heading, change, notes } = line;
    let is_short = whole.is_empty() && !is_heading && notes.is_empty();
    match (is_short, change) {
        (true, Change::None) => json!(text),
        (true, change) => json!([change.name(), text]),
        (false, change) => {
            let notes: Vec<Value> = notes.iter().map(note).collect();
            json!({ "text": text, "whole": whole, "heading": is_heading, "change": change.name(), "notes": notes })
        }
    }
}

fn note(note: &Note) -> Value {
    json!({ "by": note.by, "what": note.what, "place": note.place, "proof": note.proof })
}

fn graph(graph: &Graph) -> Value {
    let node = |n: &GraphNode| {
        let inside: Vec<Value> = n.inside.iter().map(self::graph).collect();
        json!({ "title": n.title, "lines": n.lines, "marked": n.marked, "inside": inside })
    };
    let nodes: Vec<Value> = graph.nodes.iter().map(node).collect();
    let edges: Vec<Value> =
        graph.edges.iter().map(|e| json!({ "from": e.from, "to": e.to, "label": e.label })).collect();
    json!({ "title": graph.title, "nodes": nodes, "edges": edges })
}

fn table(table: &Table) -> Value {
    let cell = |cell: &Cell| match cell {
        Cell::Text(text) => json!(text),
        Cell::Number(number) => json!(number),
    };
    let rows: Vec<Vec<Value>> = table.rows.iter().map(|row| row.iter().map(cell).collect()).collect();
    json!({ "kind": "table", "title": table.title, "folded": table.is_folded, "head": table.head, "rows": rows })
}
