//! Pattern matrices to decision trees.
//!
//! Luc Maranget, "Compiling Pattern Matching to Good Decision Trees" (ML 2008): a tree looks at one
//! occurrence at a time, never twice at one on a path, and keeps the order of rows. A row that demands
//! nothing of an occurrence goes into every branch. Equal sub-matrices become one node, so the tree is
//! a graph; what it costs to match depends on the depth of the patterns and not on the number of rules.
//!
//! A leaf holds the rows that are left, in order. Each is tried until one applies: its residual tests
//! (equal variables, types, checks) are not the tree's business. Rows after one that always applies
//! are dropped, and a rule without a row that some input reaches is *shadowed*.
//!
//! # Trees that would explode
//!
//! Rows that look at different places multiply: n rules about one operand and n about the other make a
//! tree of n² leaves, for each leaf holds a set of rows of its own. Where that passes `LOOKS`, the
//! compiler keeps the *factors* instead of the product: rows that know what they want at the chosen
//! occurrence go into one tree, rows content with any constant into a second, and the rest into a
//! third. [`Tree::Both`] asks both of its trees and merges what is left in the order of rows, so it
//! answers as the product would. No row is copied by a split, so the nodes are linear in the rows
//! whatever they are; and as rows are parted by where they look and not by which value they want there,
//! a match visits no more of them when there are more constants.

use hashbrown::HashMap;
use planish_base::{Arena, Id, define_id};
use planish_ops::Op;
use rustc_hash::FxBuildHasher;

use crate::rows::{Demand, Head, Matrix, OccId, Place, RowId};
use crate::rule::RuleId;

define_id!(
    /// A node of a decision tree.
    TreeId,
    "t"
);

/// How often a row may be looked at, on average, while the tree of a matrix is built as one product;
/// some three times the largest of the book. It bounds the time to build and the nodes.
const LOOKS: usize = 200;

/// A node of a decision tree.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Tree {
    /// Look at an occurrence.
    Switch {
        /// Where.
        at: OccId,
        /// What to do with an integer constant of a certain value, by value.
        integers: Vec<(i128, TreeId)>,
        /// What to do with any other constant.
        constant: TreeId,
        /// What to do with operations, in the order of the table.
        ops: Vec<(Op, TreeId)>,
        /// What to do with anything else.
        other: TreeId,
    },
    /// Ask both; the rows that are left are those of the one and of the other, in order.
    Both(TreeId, TreeId),
    /// Try these rows in order.
    Leaf(Vec<RowId>),
}

impl Tree {
    /// The nodes below, in order; some may be there several times.
    pub fn children(&self) -> Vec<TreeId> {
        match self {
            Tree::Switch { integers, constant, ops, other, .. } => integers
                .iter()
                .map(|i| i.1)
                .chain(ops.iter().map(|o| o.1))
                .chain([*constant, *other])
                .collect(),
            Tree::Both(first, second) => vec![*first, *second],
            Tree::Leaf(_) => Vec::new(),
        }
    }

    /// The same node over other children.
    fn map(&self, child: impl Fn(TreeId) -> TreeId) -> Tree {
        match self {
            Tree::Switch { at, integers, constant, ops, other } => Tree::Switch {
                at: *at,
                integers: integers.iter().map(|&(value, below)| (value, child(below))).collect(),
                constant: child(*constant),
                ops: ops.iter().map(|&(op, below)| (op, child(below))).collect(),
                other: child(*other),
            },
            Tree::Both(first, second) => Tree::Both(child(*first), child(*second)),
            Tree::Leaf(rows) => Tree::Leaf(rows.clone()),
        }
    }
}

/// A decision tree for the rules of one root.
#[derive(Clone, Debug)]
pub struct Decision {
    /// The rows and occurrences.
    pub matrix: Matrix,
    /// The nodes; children before parents.
    pub trees: Arena<TreeId, Tree>,
    /// Where to begin.
    pub start: TreeId,
}

impl Decision {
    /// Compiles a matrix.
    pub fn new(matrix: Matrix) -> Decision {
        Decision::with_looks(matrix, LOOKS)
    }

    /// Compiles a matrix; a product may take so many looks at each row, on average. The answers of the
    /// tree do not depend on it: with 0 every factor is kept.
    pub fn with_looks(matrix: Matrix, looks: usize) -> Decision {
        let pending = reachable(&matrix).map(|id| (id, matrix.rows[id].demands.clone())).collect();
        let mut factors = Factors { matrix: &matrix, nodes: Nodes::default(), looks };
        let start = factors.build(pending);
        let trees = factors.nodes.trees;
        Decision { matrix, trees, start }
    }

    /// Whether a part of the tree is kept as factors.
    pub fn is_factored(&self) -> bool {
        self.trees.values().any(|tree| matches!(tree, Tree::Both(..)))
    }

    /// The rules that some input reaches, in id order.
    pub fn reachable(&self) -> Vec<RuleId> {
        let mut rules: Vec<RuleId> = reachable(&self.matrix).map(|row| self.matrix.rows[row].rule).collect();
        rules.sort();
        rules.dedup();
        rules
    }

    /// The questions that a match asks at most.
    pub fn depth(&self) -> usize {
        let mut depths = vec![0usize; self.trees.len()];
        for (id, tree) in self.trees.iter() {
            let mut below = tree.children().into_iter().map(|t| depths[t.index()]);
            depths[id.index()] = match tree {
                Tree::Switch { .. } => 1 + below.max().unwrap_or(0),
                Tree::Both(..) => below.sum(),
                Tree::Leaf(_) => below.next().unwrap_or(0),
            };
        }
        depths[self.start.index()]
    }
}

/// The rows that some input reaches, in order.
///
/// A row is out of reach if one before it always applies and demands no more. It takes a single such
/// row: where an input has what the row demands, and elsewhere things that no row asks for, no other
/// row with a demand that is not the row's own gets a say.
fn reachable(matrix: &Matrix) -> impl Iterator<Item = RowId> + '_ {
    let mut certain: Vec<&[Demand]> = Vec::new();
    matrix.rows.iter().filter_map(move |(id, row)| {
        let covered = |general: &&[Demand]| {
            general.len() <= row.demands.len()
                && general.iter().all(|g| {
                    row.demands.iter().any(|d| d.at == g.at && (d.head == g.head || d.head.is_a(g.head)))
                })
        };
        if certain.iter().any(covered) {
            return None;
        }
        if row.unconditional {
            certain.push(&row.demands);
        }
        Some(id)
    })
}

/// A row under construction: what is still to be found out, in preorder.
type Pending = (RowId, Vec<Demand>);

/// Nodes, each kept once.
#[derive(Default)]
struct Nodes {
    trees: Arena<TreeId, Tree>,
    shared: HashMap<Tree, TreeId, FxBuildHasher>,
}

impl Nodes {
    fn node(&mut self, tree: Tree) -> TreeId {
        let trees = &mut self.trees;
        *self.shared.entry(tree).or_insert_with_key(|tree| trees.push(tree.clone()))
    }
}

/// Rows after one that always applies here are out of reach.
fn cut(matrix: &Matrix, pending: &mut Vec<Pending>) {
    let certain = |(row, demands): &Pending| demands.is_empty() && matrix.rows[*row].unconditional;
    if let Some(at) = pending.iter().position(certain) {
        pending.truncate(at + 1);
    }
}

fn leaf(pending: &[Pending]) -> Tree {
    Tree::Leaf(pending.iter().map(|p| p.0).collect())
}

/// Among the occurrences that these rows look at and that can be seen, the one that most of `pending`
/// need; the first of several.
fn most_needed<'a>(
    matrix: &Matrix,
    looking: impl Iterator<Item = &'a Pending>,
    pending: &[Pending],
) -> Option<OccId> {
    let mut needs = vec![0usize; matrix.places.len()];
    for demand in pending.iter().flat_map(|p| &p.1) {
        needs[demand.at.index()] += 1;
    }
    looking
        .flat_map(|(_, demands)| {
            // What stands below an operation can only be seen once the operation is.
            demands.iter().map(|d| d.at).filter(|&at| match matrix.places[at] {
                Place::Root(_) => true,
                Place::Below(above, _, _) => demands.iter().all(|d| d.at != above),
            })
        })
        .max_by_key(|&at| (needs[at.index()], std::cmp::Reverse(at)))
}

/// A switch whose branches are built by `build`, from the rows that are left there.
fn switch(at: OccId, pending: &[Pending], mut build: impl FnMut(Vec<Pending>) -> TreeId) -> Tree {
    let mut integers: Vec<i128> = Vec::new();
    let mut ops: Vec<Op> = Vec::new();
    for demand in pending.iter().flat_map(|p| &p.1).filter(|d| d.at == at) {
        match demand.head {
            Head::Integer(value) => integers.push(value),
            Head::Op(op) => ops.push(op),
            Head::Constant => {}
        }
    }
    integers.sort();
    integers.dedup();
    ops.sort();
    ops.dedup();
    let mut branch = |found: Option<Head>| build(specialized(at, pending, found));
    let integers = integers.into_iter().map(|value| (value, branch(Some(Head::Integer(value))))).collect();
    let ops = ops.into_iter().map(|op| (op, branch(Some(Head::Op(op))))).collect();
    let constant = branch(Some(Head::Constant));
    let other = branch(None);
    Tree::Switch { at, integers, constant, ops, other }
}

/// The rows that are left where `found` is what stands at an occurrence; `None` is something that no
/// row asks for.
fn specialized(at: OccId, pending: &[Pending], found: Option<Head>) -> Vec<Pending> {
    let mut left = Vec::new();
    for (row, demands) in pending {
        match demands.iter().position(|d| d.at == at) {
            None => left.push((*row, demands.clone())),
            Some(here) if found.is_some_and(|found| found.is_a(demands[here].head)) => {
                let mut rest = demands.clone();
                rest.remove(here);
                left.push((*row, rest));
            }
            Some(_) => {}
        }
    }
    left
}

/// Builds the tree of a matrix as one product, as long as that does not take too many looks.
struct Product<'a> {
    matrix: &'a Matrix,
    nodes: Nodes,
    known: HashMap<Vec<Pending>, TreeId, FxBuildHasher>,
    /// How many more rows may be looked at.
    looks: usize,
}

impl Product<'_> {
    /// A tree for these rows. Once the looks are used up, what it returns is worth nothing, and comes
    /// quickly.
    fn build(&mut self, mut pending: Vec<Pending>) -> TreeId {
        self.looks = self.looks.saturating_sub(pending.len());
        if self.looks == 0 {
            return self.nodes.node(Tree::Leaf(Vec::new()));
        }
        cut(self.matrix, &mut pending);
        if let Some(&known) = self.known.get(&pending) {
            return known;
        }
        // An occurrence that the first row needs: any other might be looked at in vain.
        let first = pending.iter().find(|p| !p.1.is_empty());
        let tree = match most_needed(self.matrix, first.into_iter(), &pending) {
            None => leaf(&pending),
            Some(at) => switch(at, &pending, |left| self.build(left)),
        };
        let id = self.nodes.node(tree);
        self.known.insert(pending, id);
        id
    }
}

/// Builds the tree of a matrix as a product where that is small, and from factors elsewhere.
struct Factors<'a> {
    matrix: &'a Matrix,
    nodes: Nodes,
    /// How often a product may look at a row, on average.
    looks: usize,
}

impl Factors<'_> {
    fn build(&mut self, mut pending: Vec<Pending>) -> TreeId {
        cut(self.matrix, &mut pending);
        let looks = self.looks * pending.len() + 1;
        let mut product =
            Product { matrix: self.matrix, nodes: Nodes::default(), known: HashMap::default(), looks };
        let start = product.build(pending.clone());
        if product.looks > 0 { self.import(&product.nodes.trees, start) } else { self.split(&pending) }
    }

    /// Takes over the nodes of a product.
    fn import(&mut self, trees: &Arena<TreeId, Tree>, start: TreeId) -> TreeId {
        let mut imported: Vec<TreeId> = Vec::with_capacity(trees.len());
        for tree in trees.values() {
            let id = self.nodes.node(tree.map(|child| imported[child.index()]));
            imported.push(id);
        }
        imported[start.index()]
    }

    /// Parts rows by what they want at the occurrence that most of them look at: something certain, any
    /// constant, or nothing. If all want something certain, each goes into one branch.
    fn split(&mut self, pending: &[Pending]) -> TreeId {
        let Some(at) = most_needed(self.matrix, pending.iter(), pending) else {
            return self.nodes.node(leaf(pending));
        };
        let (asking, rest): (Vec<Pending>, Vec<Pending>) =
            pending.iter().cloned().partition(|p| p.1.iter().any(|d| d.at == at));
        let (any, certain): (Vec<Pending>, Vec<Pending>) =
            asking.into_iter().partition(|p| p.1.iter().any(|d| d.at == at && d.head == Head::Constant));
        let parts: Vec<Vec<Pending>> =
            [certain, any, rest].into_iter().filter(|part| !part.is_empty()).collect();
        if parts.len() == 1 {
            let tree = switch(at, pending, |left| self.build(left));
            return self.nodes.node(tree);
        }
        let factors: Vec<TreeId> = parts.into_iter().map(|part| self.build(part)).collect();
        factors
            .into_iter()
            .rev()
            .reduce(|rest, first| self.nodes.node(Tree::Both(first, rest)))
            .expect("there are parts")
    }
}
