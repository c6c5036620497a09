//! What a report is made of.

/// A whole report.
#[derive(Clone, Debug, Default)]
pub struct Report {
    /// What was optimized: a file's name.
    pub title: String,
    /// One line on how: engine, passes, options.
    pub subtitle: String,
    /// Functions, traces or methods, in the order in which they are to be read.
    pub items: Vec<Item>,
    /// What the page opens with, the most important first.
    pub panels: Vec<Panel>,
}

/// A part of the overview, or of what is said of an item.
#[derive(Clone, Debug)]
pub enum Panel {
    /// A sentence or two.
    Text(String),
    /// How large what was, and what is left.
    Figures(Vec<Figure>),
    /// What there is most of.
    Bars(Bars),
    /// The tree of items as areas.
    Treemap(Treemap),
    /// A table of what lies in an item, which the page has already: by this title, in sizes of this unit.
    Inside(String, String),
    /// All of it, for who wants to look something up.
    Table(Table),
}

/// One size before and after, and what a peer left.
#[derive(Clone, Debug, Default)]
pub struct Figure {
    /// What is counted.
    pub what: String,
    /// How much there was.
    pub before: u64,
    /// How much is left.
    pub after: u64,
    /// Who else optimized the same, and what is left there.
    pub peer: Option<(String, u64)>,
}

/// Quantities beside each other, the largest first.
#[derive(Clone, Debug, Default)]
pub struct Bars {
    /// The question that they answer.
    pub title: String,
    /// What the numbers count.
    pub unit: String,
    /// The bars.
    pub rows: Vec<Bar>,
}

/// One quantity.
#[derive(Clone, Debug, Default)]
pub struct Bar {
    /// What it is the quantity of.
    pub label: String,
    /// What is said of it besides, on hover.
    pub hint: String,
    /// How much.
    pub value: u64,
    /// Of how much, if it is what is left of something.
    pub of: Option<u64>,
    /// The item to open for more.
    pub item: Option<usize>,
}

/// The tree of items as areas: an item has the area of its weight, or of its size before, and is as dark as much of it is left.
#[derive(Clone, Debug, Default)]
pub struct Treemap {
    /// What it shows.
    pub title: String,
    /// What areas are.
    pub unit: String,
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
    /// Its area where areas are not sizes: the work that a trace is.
    pub weight: Option<u64>,
    /// What is said of it above its columns.
    pub panels: Vec<Panel>,
    /// What is said of it below.
    pub below: Vec<Panel>,
    /// One column per state: the input, what each pass left, the output, a peer's output.
    pub columns: Vec<Column>,
    /// Graphs, each with a title.
    pub graphs: Vec<Graph>,
}

/// A program text.
#[derive(Clone, Debug, Default)]
pub struct Column {
    /// What left it so.
    pub title: String,
    /// Of what that is made, on hover: the passes of a walk.
    pub parts: Vec<String>,
    /// The lines in order.
    pub lines: Vec<Line>,
}

/// A line of a program.
#[derive(Clone, Debug, Default)]
pub struct Line {
    /// The text. Names of values in it light up together.
    pub text: String,
    /// All of it, on hover, where the text is shortened.
    pub whole: String,
    /// Whether it is the heading of the lines below.
    pub is_heading: bool,
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
    /// The column that it is laid beside does not have it.
    Only,
}

impl Change {
    pub(crate) fn name(self) -> &'static str {
        match self {
            Change::None => "",
            Change::New => "new",
            Change::Changed => "changed",
            Change::Gone => "gone",
            Change::Only => "only",
        }
    }

    /// The same for a reader.
    pub(crate) fn word(self) -> &'static str {
        match self {
            Change::None => "the same",
            Change::New => "new",
            Change::Changed => "changed",
            Change::Gone => "removed",
            Change::Only => "only here",
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
    /// Whether it is shown by a click on its title only.
    pub is_folded: bool,
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
