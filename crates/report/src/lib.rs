//! What is told of an optimizer run, as one self-contained page or as text: what came in, what each pass left, and why each line
//! changed.
//!
//! The idea is Go's `ssa.html` (`GOSSAFUNC`): a column per pass, and a value lights up everywhere when the
//! pointer is on it. Here a line that changed also names the rule or pass that changed it.
//!
//! [`data`] is what a caller fills in: items (functions, traces, methods) with columns of lines and graphs, and panels,
//! with which the page opens: sizes before and after, bars, a treemap, tables to look things up in. [`page`] turns it into
//! one HTML text that needs no network: style and script are inlined. [`mod@text`] says the same in a terminal.
//! The data of each item is a script element of its own, parsed when the item is opened, and lists
//! draw only the rows in view, so thousands of items stay usable. Much data is deflated, in blocks of items that are
//! inflated when one of them is opened. Items may form a tree: packages, classes, methods.
//!
//! [`diff`] finds the lines that two texts share, for callers whose texts have no other way to tell.
//!
//! The crate knows nothing of functions or rules; the driver describes them in these terms.

pub mod data;
pub mod diff;
mod json;
mod packed;
pub mod page;
pub mod text;

pub use data::{
    Bar, Bars, Cell, Change, Column, Figure, Graph, GraphEdge, GraphNode, Item, Line, Note, Panel, Report,
    Table, Treemap,
};
