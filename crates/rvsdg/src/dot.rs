//! Regions as a drawing, in the language of Graphviz.
//!
//! Each region of a [`picture`](crate::picture) is a box; a result has a dotted edge to the term that the region belongs to.

use std::fmt::Write;

use crate::picture::{Picture, pictures};
use crate::terms::Program;

/// Draws a program.
pub fn write(program: &Program) -> String {
    let mut drawing = Drawing { text: String::new(), edges: String::new(), regions: 0 };
    drawing.text.push_str("digraph regions {\n  node [shape=box, fontname=monospace];\n");
    pictures(program).iter().for_each(|(_, picture)| drawing.region(picture, None));
    format!("{}{}}}\n", drawing.text, drawing.edges)
}

struct Drawing {
    text: String,
    edges: String,
    regions: usize,
}

impl Drawing {
    fn region(&mut self, picture: &Picture, owner: Option<&str>) {
        let region = self.regions;
        self.regions += 1;
        let name = |node: usize| format!("r{region}n{node}");
        // Writing to a string does not fail.
        let _ =
            writeln!(self.text, "  subgraph cluster{region} {{\n  label=\"{}\";", escaped(&picture.label));
        if picture.nodes.is_empty() {
            let _ = writeln!(self.text, "  r{region}more [label=\"...\", shape=plain];");
        }
        for (place, node) in picture.nodes.iter().enumerate() {
            let shape = if node.is_result { ", shape=plain" } else { "" };
            let _ = writeln!(self.text, "  {} [label=\"{}\"{shape}];", name(place), escaped(&node.label));
            if let (true, Some(owner)) = (node.is_result, owner) {
                let _ = writeln!(self.edges, "  {} -> {owner} [style=dotted];", name(place));
            }
        }
        for &(from, to, position) in &picture.edges {
            let label =
                if picture.nodes[to].is_result { String::new() } else { format!(" [headlabel={position}]") };
            let _ = writeln!(self.edges, "  {} -> {}{label};", name(from), name(to));
        }
        for (place, node) in picture.nodes.iter().enumerate() {
            node.inside.iter().for_each(|inner| self.region(inner, Some(&name(place))));
        }
        self.text.push_str("  }\n");
    }
}

fn escaped(text: &str) -> String {
    text.replace('\\', "\\\\").replace('"', "\\\"")
}

#[cfg(test)]
mod tests {
    use planish_base::{Diagnostics, SourceText};

    #[test]
    fn every_region_is_a_box_and_every_operand_an_edge() {
        let text =
            "(func-2-inputs-1-outputs (get-0 (switch-2-cases-1-outputs get-0 get-1 (+ get-0 1) get-0)))";
        let mut diagnostics = Diagnostics::new();
        let source = SourceText::new("p.rvsdg", text);
        let program = crate::read::read(&source, &mut diagnostics).expect("a program");
        let drawn = super::write(&program);
        // The file, the body, two cases.
        assert_eq!(drawn.matches("subgraph").count(), 4, "{drawn}");
        assert_eq!(drawn.matches('{').count(), drawn.matches('}').count());
        for part in ["label=\"switch\"", "label=\"case 1\"", "label=\"+\"", "headlabel=1"] {
            assert!(drawn.contains(part), "{part} in {drawn}");
        }
    }
}
