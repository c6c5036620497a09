//! What a report is made of.

use serde_json::{Value, json};

/// A whole report.
#[derive(Clone, Debug, Default)]
pub struct Report {
    /// What was optimized: a file's name.
    pub title: String,
    /// One line on how: engine, passes, options.
    pub subtitle: String,
    /// Functions, traces or methods, in the order of the input.
    pub items: Vec<Item>,
    /// Tables about the whole run.
    pub tables: Vec<Table>,
}

/// A function, trace or method.
#[derive(Clone, Debug, Default)]
pub struct Item {
    /// Its name.
    pub name: String,
    /// How deep it lies in the tree of items: it belongs to the item before it that is less deep. All items of a
    /// plain list are at 0.
    pub depth: u32,
    /// Whether the whole item came, changed or went.
    pub change: Change,
    /// Its size before, in whatever the report counts.
    pub before: u64,
    /// Its size after.
    pub after: u64,
    /// One column per state: the input, what each pass left, the output, a peer's output.
    pub columns: Vec<Column>,
    /// Graphs, each with a title.
    pub graphs: Vec<Graph>,
    /// Tables about this item.
    pub tables: Vec<Table>,
}

/// A program text.
#[derive(Clone, Debug, Default)]
pub struct Column {
    /// What left it so.
    pub title: String,
    /// The lines in order.
    pub lines: Vec<Line>,
}

/// A line of a program.
#[derive(Clone, Debug, Default)]
pub struct Line {
    /// The text. Names of values in it light up together.
    pub text: String,
    /// What the next column makes of it, or what this one made.
    pub change: Change,
    /// What is said about it.
    pub notes: Vec<Note>,
}

/// How a line differs from the columns beside its own.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Change {
    /// It stays.
    #[default]
    None,
    /// It was not in the column before.
    New,
    /// The next column has another text in its place.
    Changed,
    /// The next column does not have it.
    Gone,
}

impl Change {
    pub(crate) fn name(self) -> &'static str {
        match self {
            Change::None => "",
            Change::New => "new",
            Change::Changed => "changed",
            Change::Gone => "gone",
        }
    }
}

/// Why a line changed or went.
#[derive(Clone, Debug, Default)]
pub struct Note {
    /// The rule or pass.
    pub by: String,
    /// What happened, in words.
    pub what: String,
    /// Where the rule is written, as `file:line`; empty when it is no rule.
    pub place: String,
    /// The status of its proof; empty when it is no rule.
    pub proof: String,
}

/// A graph that the page lays out in layers.
#[derive(Clone, Debug, Default)]
pub struct Graph {
    /// What it shows.
    pub title: String,
    /// The nodes; the first is the root.
    pub nodes: Vec<GraphNode>,
    /// The edges.
    pub edges: Vec<GraphEdge>,
}

/// A node of a graph.
#[derive(Clone, Debug, Default)]
pub struct GraphNode {
    /// The heading.
    pub title: String,
    /// The lines below it.
    pub lines: Vec<String>,
    /// Whether it is marked: extracted, hot, unreachable, as the title of the graph says.
    pub marked: bool,
    /// Graphs inside of it: the regions of a loop or a switch.
    pub inside: Vec<Graph>,
}

/// An edge of a graph.
#[derive(Clone, Debug, Default)]
pub struct GraphEdge {
    /// Position of the node where it begins.
    pub from: usize,
    /// Position of the node where it ends.
    pub to: usize,
    /// What stands at it.
    pub label: String,
}

/// A table that can be sorted by a click.
#[derive(Clone, Debug, Default)]
pub struct Table {
    /// What it shows.
    pub title: String,
    /// The headings.
    pub head: Vec<String>,
    /// The rows, as long as the head.
    pub rows: Vec<Vec<Cell>>,
}

/// A cell of a table.
#[derive(Clone, Debug)]
pub enum Cell {
    /// Text, to the left.
    Text(String),
    /// A number, to the right.
    Number(f64),
}

impl Item {
    /// The part that the page parses when the item is opened.
    pub(crate) fn details(&self) -> Value {
        let columns: Vec<Value> = self.columns.iter().map(Column::json).collect();
        let graphs: Vec<Value> = self.graphs.iter().map(Graph::json).collect();
        let tables: Vec<Value> = self.tables.iter().map(Table::json).collect();
        json!({ "columns": columns, "graphs": graphs, "tables": tables })
    }
}

impl Column {
    fn json(&self) -> Value {
        let lines: Vec<Value> = self
            .lines
            .iter()
            .map(|line| {
                let notes: Vec<Value> = line
                    .notes
                    .iter()
                    .map(|n| json!({ "by": n.by, "what": n.what, "place": n.place, "proof": n.proof }))
                    .collect();
                // Most lines have nothing said about them: those are plain strings.
                match (notes.is_empty(), line.change) {
                    (true, Change::None) => json!(line.text),
                    (true, change) => json!({ "text": line.text, "change": change.name() }),
                    (false, change) => json!({ "text": line.text, "change": change.name(), "notes": notes }),
                }
            })
            .collect();
        json!({ "title": self.title, "lines": lines })
    }
}

impl Graph {
    fn json(&self) -> Value {
        let node = |n: &GraphNode| {
            let inside: Vec<Value> = n.inside.iter().map(Graph::json).collect();
            json!({ "title": n.title, "lines": n.lines, "marked": n.marked, "inside": inside })
        };
        let nodes: Vec<Value> = self.nodes.iter().map(node).collect();
        let edges: Vec<Value> =
            self.edges.iter().map(|e| json!({ "from": e.from, "to": e.to, "label": e.label })).collect();
        json!({ "title": self.title, "nodes": nodes, "edges": edges })
    }
}

impl Table {
    pub(crate) fn json(&self) -> Value {
        let rows: Vec<Vec<Value>> = self
            .rows
            .iter()
            .map(|row| {
                row.iter()
                    .map(|cell| match cell {
                        Cell::Text(text) => json!(text),
                        Cell::Number(number) => json!(number),
                    })
                    .collect()
            })
            .collect();
        json!({ "title": self.title, "head": self.head, "rows": rows })
    }
}
