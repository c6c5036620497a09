//! Regions as a drawing, in the language of Graphviz.
//!
//! Each region is a box with its arguments and terms; an edge goes from an operand to what uses it, and from
//! a result to the bottom of its region. A term that several regions share is drawn in each of them, for
//! there it means something else; beyond [`MOST`] regions the rest is left out and a node says so.

use std::fmt::Write;

use hashbrown::HashSet;
use planish_base::Id;
use rustc_hash::FxBuildHasher;

use crate::legal;
use crate::terms::{Kind, Program, Term, Terms};

/// How many regions are drawn.
pub const MOST: usize = 2_000;

/// Draws a program.
pub fn write(program: &Program) -> String {
    let mut drawing =
        Drawing { terms: &program.terms, text: String::new(), edges: String::new(), regions: 0 };
    drawing.text.push_str("digraph regions {\n  node [shape=box, fontname=monospace];\n");
    let mut work: Vec<Task> = (program.roots.iter().rev())
        .map(|root| Task::Region(root.name.clone().unwrap_or_default(), vec![root.term], None))
        .collect();
    while let Some(task) = work.pop() {
        match task {
            Task::Region(label, results, owner) => drawing.region(&label, &results, owner, &mut work),
            Task::Close => drawing.text.push_str("  }\n"),
        }
    }
    format!("{}{}}}\n", drawing.text, drawing.edges)
}

enum Task {
    /// A region: its label, its results, and the node to which it belongs.
    Region(String, Vec<Term>, Option<String>),
    /// The end of a box.
    Close,
}

struct Drawing<'a> {
    terms: &'a Terms,
    text: String,
    edges: String,
    regions: usize,
}

impl Drawing<'_> {
    fn region(&mut self, label: &str, results: &[Term], owner: Option<String>, work: &mut Vec<Task>) {
        let region = self.regions;
        self.regions += 1;
        let name = |term: Term| format!("r{region}t{}", term.index());
        // Writing to a string does not fail.
        let _ = writeln!(self.text, "  subgraph cluster{region} {{\n  label=\"{}\";", escaped(label));
        work.push(Task::Close);
        let mut seen = HashSet::<Term, FxBuildHasher>::default();
        let mut stack: Vec<Term> = results.to_vec();
        let mut order = Vec::new();
        while let Some(term) = stack.pop() {
            if seen.insert(term) {
                order.push(term);
                stack.extend(self.terms.outer(term));
            }
        }
        order.sort_unstable_by_key(|term| term.index());
        for &term in &order {
            let _ = writeln!(self.text, "  {} [label=\"{}\"];", name(term), escaped(&self.label(term)));
            for (position, &operand) in self.terms.outer(term).iter().enumerate() {
                let _ = writeln!(self.edges, "  {} -> {} [headlabel={position}];", name(operand), name(term));
            }
        }
        for (position, &result) in results.iter().enumerate() {
            let end = format!("r{region}out{position}");
            let _ = writeln!(self.text, "  {end} [label=\"{position}\", shape=plain];");
            let _ = writeln!(self.edges, "  {} -> {end};", name(result));
            if let Some(owner) = &owner {
                let _ = writeln!(self.edges, "  {end} -> {owner} [style=dotted];");
            }
        }
        for &term in order.iter().rev() {
            let count = self.terms.regions(term).len();
            if count > 0 && self.regions + work.len() + count > MOST {
                let _ = writeln!(self.text, "  {}more [label=\"...\", shape=plain];", name(term));
                continue;
            }
            for (index, inner) in self.terms.regions(term).enumerate().collect::<Vec<_>>().into_iter().rev() {
                let label = match self.terms.kind(term) {
                    Kind::Switch { .. } => format!("case {index}"),
                    Kind::Loop => "loop".to_owned(),
                    _ => "body".to_owned(),
                };
                work.push(Task::Region(label, inner.results.to_vec(), Some(name(term))));
            }
        }
    }

    fn label(&self, term: Term) -> String {
        match self.terms.kind(term) {
            Kind::Number(number) => number.to_string(),
            Kind::Argument(index) => format!("get-{index}"),
            Kind::Get(index) => format!("get-{index} of"),
            Kind::Op(op) => legal::OPERATORS.spelling(op).to_owned(),
            Kind::Loop => "loop".to_owned(),
            Kind::Switch { .. } => "switch".to_owned(),
            Kind::Function { .. } => "func".to_owned(),
            Kind::Call => "call".to_owned(),
            Kind::Phi { .. } => "phi".to_owned(),
        }
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
