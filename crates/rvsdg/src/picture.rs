//! Regions as pictures: nodes, edges, and pictures inside of nodes.
//!
//! What `dot` writes for Graphviz and what a report draws is one thing: a region is a
//! picture of its arguments and terms, and of its results at the bottom; an edge goes from an operand to what uses it. A term
//! that several regions share is drawn in each of them, for there it means something else; beyond [`MOST`] regions the rest
//! is left out and a node says so.

use hashbrown::HashMap;
use planish_base::Id;
use rustc_hash::FxBuildHasher;

use crate::legal;
use crate::terms::{Kind, Program, Term, Terms};

/// How many regions are drawn.
pub const MOST: usize = 2_000;

/// A region.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Picture {
    /// What it is: the name of a function, a case, a loop.
    pub label: String,
    /// Its terms in the order in which they can be computed, then its results.
    pub nodes: Vec<Node>,
    /// Its edges: from, to, and the position of the operand. Positions of nodes.
    pub edges: Vec<(usize, usize, usize)>,
}

/// A term, or a result.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Node {
    /// The operator, or the number of the result.
    pub label: String,
    /// Whether it is a result.
    pub is_result: bool,
    /// Its regions.
    pub inside: Vec<Picture>,
}

/// A picture of each root of a program, with its name. O(size of the program written out), at most [`MOST`] regions.
pub fn pictures(program: &Program) -> Vec<(Option<String>, Picture)> {
    let mut painter = Painter { terms: &program.terms, regions: 0 };
    let picture = |root: &crate::terms::Root| {
        let label = root.name.clone().unwrap_or_default();
        (root.name.clone(), painter.region(label, &[root.term]))
    };
    program.roots.iter().map(picture).collect()
}

struct Painter<'a> {
    terms: &'a Terms,
    regions: usize,
}

impl Painter<'_> {
    /// Regions nest as deep as the reader lets a text nest.
    fn region(&mut self, label: String, results: &[Term]) -> Picture {
        self.regions += 1;
        let mut places = HashMap::<Term, usize, FxBuildHasher>::default();
        let mut order = Vec::new();
        let mut stack: Vec<Term> = results.to_vec();
        while let Some(term) = stack.pop() {
            if places.insert(term, 0).is_none() {
                order.push(term);
                stack.extend(self.terms.outer(term));
            }
        }
        order.sort_unstable_by_key(|term| term.index());
        let mut picture = Picture { label, nodes: Vec::new(), edges: Vec::new() };
        for &term in &order {
            let to = picture.nodes.len();
            places.insert(term, to);
            for (position, operand) in self.terms.outer(term).iter().enumerate() {
                picture.edges.push((places[operand], to, position));
            }
            let node = Node { label: self.label(term), is_result: false, inside: self.inside(term) };
            picture.nodes.push(node);
        }
        for (position, result) in results.iter().enumerate() {
            picture.edges.push((places[result], picture.nodes.len(), position));
            picture.nodes.push(Node { label: position.to_string(), is_result: true, inside: Vec::new() });
        }
        picture
    }

    fn inside(&mut self, term: Term) -> Vec<Picture> {
        let regions: Vec<Vec<Term>> = self.terms.regions(term).map(|inner| inner.results.to_vec()).collect();
        if !regions.is_empty() && self.regions + regions.len() > MOST {
            return vec![Picture { label: "...".to_owned(), nodes: Vec::new(), edges: Vec::new() }];
        }
        let label = |index: usize| match self.terms.kind(term) {
            Kind::Switch { .. } => format!("case {index}"),
            Kind::Loop => "loop".to_owned(),
            _ => "body".to_owned(),
        };
        let labels: Vec<String> = (0..regions.len()).map(label).collect();
        labels.into_iter().zip(regions).map(|(label, results)| self.region(label, &results)).collect()
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
