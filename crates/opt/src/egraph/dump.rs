//! An e-graph as JSON, in the format of the extraction gym.
//!
//! The gym (of the *egraphs-good* project) compares extractors on e-graphs of many compilers. Each node has an
//! operation, the nodes that stand for the classes of its operands, its class and its cost; the root classes
//! are those that the skeleton of the function uses:
//!
//! ```text
//! { "nodes": { "f/3": { "op": "add", "children": ["f/0", "f/1"], "eclass": "f/3", "cost": 1 }, ... },
//!   "root_eclasses": ["f/3"] }
//! ```
//!
//! Unions are not nodes: a class is known by its newest id. Several functions are one graph whose parts do not
//! touch; the function's name begins the names of its nodes.

use std::fmt::Write;

use planish_base::Id;
use planish_ir::{Const, Function, Value};

use super::graph::{Class, Graph, Node};

/// The text of e-graphs under construction.
#[derive(Clone, Default, Debug)]
pub struct Dump {
    nodes: String,
    roots: String,
}

impl Dump {
    /// The whole as JSON.
    pub fn json(&self) -> String {
        format!("{{\n\"nodes\": {{\n{}\n}},\n\"root_eclasses\": [{}]\n}}\n", self.nodes, self.roots)
    }

    /// Adds the graph of a function.
    pub(super) fn add(&mut self, function: &Function, graph: &Graph, roots: &[Class]) {
        let name = |class: Class| quoted(&format!("{}/{}", function.name, class.index()));
        for class in graph.ids() {
            let (op, children) = match graph.node(class) {
                Node::Union(..) => continue,
                Node::Leaf(value) => (leaf(function, value), Vec::new()),
                Node::Op(op, list) => (op.name().to_owned(), graph.args(list).to_vec()),
            };
            // A child is named by a node of its class: the cheapest.
            let children: Vec<String> =
                children.iter().map(|&child| name(graph.best(graph.newest(child)))).collect();
            let separator = if self.nodes.is_empty() { "" } else { ",\n" };
            write!(
                self.nodes,
                "{separator}  {}: {{ \"op\": {}, \"children\": [{}], \"eclass\": {}, \"cost\": {} }}",
                name(class),
                quoted(&op),
                children.join(", "),
                name(graph.newest(class)),
                graph.own_cost(class),
            )
            .expect("writing to a string does not fail");
        }
        for &root in roots {
            let separator = if self.roots.is_empty() { "" } else { ", " };
            write!(self.roots, "{separator}{}", name(root)).expect("writing to a string does not fail");
        }
    }
}

fn leaf(function: &Function, value: Value) -> String {
    match function.constant(value) {
        Some(Const::Int(int)) => int.to_string(),
        Some(Const::Real(number)) => format!("{:?}", number.0),
        Some(constant) => format!("{constant:?}"),
        None => value.to_string(),
    }
}

/// A string as JSON writes it.
fn quoted(text: &str) -> String {
    let mut out = String::from("\"");
    for c in text.chars() {
        match c {
            '"' | '\\' => out.extend(['\\', c]),
            c if c < ' ' => {
                write!(out, "\\u{:04x}", u32::from(c)).expect("writing to a string does not fail")
            }
            c => out.push(c),
        }
    }
    out.push('"');
    out
}
