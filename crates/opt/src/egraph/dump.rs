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

use hashbrown::HashMap;
use planish_base::Id;
use planish_ir::{Const, Function, Value};
use rustc_hash::FxBuildHasher;

use super::graph::{Class, Graph, Node};

/// E-graphs as they were when what is kept had been chosen.
#[derive(Clone, Default, Debug)]
pub struct Dump {
    /// One for each function.
    pub graphs: Vec<DumpedGraph>,
}

/// The e-graph of a function.
#[derive(Clone, Debug)]
pub struct DumpedGraph {
    /// The function.
    pub function: String,
    /// The nodes, operands before what uses them.
    pub nodes: Vec<DumpedNode>,
    /// The classes that the skeleton of the function uses.
    pub roots: Vec<u32>,
}

/// A node. Classes are known by a number of their own, nodes by another.
#[derive(Clone, Debug)]
pub struct DumpedNode {
    /// The number of the node.
    pub id: u32,
    /// Its class.
    pub class: u32,
    /// The operation, constant or value.
    pub op: String,
    /// The classes of its operands.
    pub children: Vec<u32>,
    /// What it costs without its operands.
    pub cost: u32,
    /// Whether it is what its class costs least as.
    pub is_best: bool,
}

impl Dump {
    /// The whole as JSON.
    pub fn json(&self) -> String {
        let (mut nodes, mut roots) = (String::new(), String::new());
        for graph in &self.graphs {
            let name = |id: u32| quoted(&format!("{}/{id}", graph.function));
            // A child is named by a node of its class: the cheapest.
            let best: HashMap<u32, u32, FxBuildHasher> =
                graph.nodes.iter().filter(|n| n.is_best).map(|n| (n.class, n.id)).collect();
            for DumpedNode { id, class, op, children, cost, .. } in &graph.nodes {
                let children: Vec<String> = children.iter().map(|child| name(best[child])).collect();
                let separator = if nodes.is_empty() { "" } else { ",\n" };
                write!(
                    nodes,
                    "{separator}  {}: {{ \"op\": {}, \"children\": [{}], \"eclass\": {}, \"cost\": {cost} }}",
                    name(*id),
                    quoted(op),
                    children.join(", "),
                    name(*class),
                )
                .expect("writing to a string does not fail");
            }
            for &root in &graph.roots {
                let separator = if roots.is_empty() { "" } else { ", " };
                write!(roots, "{separator}{}", name(root)).expect("writing to a string does not fail");
            }
        }
        format!("{{\n\"nodes\": {{\n{nodes}\n}},\n\"root_eclasses\": [{roots}]\n}}\n")
    }

    /// Adds the graph of a function.
    pub(super) fn add(&mut self, function: &Function, graph: &Graph<'_>, roots: &[Class]) {
        let number = |class: Class| class.index() as u32;
        let nodes = graph.ids().filter_map(|id| {
            let (op, children) = match graph.node(id) {
                Node::Union(..) => return None,
                Node::Leaf(value) => (leaf(function, value), Vec::new()),
                Node::Op(op, list) => (op.name().to_owned(), graph.args(list).to_vec()),
                Node::Call(callee, list) => (format!("call {}", callee.index()), graph.args(list).to_vec()),
                Node::Part(position, call) => (format!("part {position}"), vec![call]),
            };
            let class = graph.newest(id);
            Some(DumpedNode {
                id: number(id),
                class: number(class),
                op,
                children: children.into_iter().map(|child| number(graph.newest(child))).collect(),
                cost: graph.own_cost(id),
                is_best: graph.best(class) == id,
            })
        });
        let nodes = nodes.collect();
        let roots = roots.iter().map(|&root| number(root)).collect();
        self.graphs.push(DumpedGraph { function: function.name.clone(), nodes, roots });
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
