//! Pictures of functions: regions inside of each other, and classes of equal values.

use std::collections::{BTreeMap, BTreeSet};

use planish_opt::egraph::dump::{DumpedGraph, DumpedNode};
use planish_report::{Graph, GraphEdge, GraphNode};
use planish_rvsdg::picture::{self, Picture};

use crate::states::DRAWN_BLOCKS;

/// A region with the regions inside of it. Results have no operator and are marked.
pub(super) fn nested(title: String, picture: &Picture) -> Graph {
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
pub(super) fn classes(graph: &DumpedGraph) -> Option<Graph> {
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
