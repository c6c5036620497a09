//! Pattern matrices to decision trees.
//!
//! Luc Maranget, "Compiling Pattern Matching to Good Decision Trees" (ML 2008): a tree looks at one
//! occurrence at a time and parts the rows by what they want there. Equal sub-matrices become one node, so
//! the tree is a graph; what it costs to match depends on the patterns and hardly on the number of rules.
//!
//! A leaf holds the rows that are left, in order. Each is tried until one applies: its residual tests
//! (equal variables, types, checks) are not the tree's business. Rows after one that always applies
//! are dropped, and a rule without a row that some input reaches is *shadowed*.
//!
//! # Rows that do not ask
//!
//! In Maranget's trees a row that demands nothing of an occurrence goes into every branch. So no occurrence is looked at
//! twice, but rows that look at different places multiply: n rules about one operand and n about the other make
//! n² leaves. Here no row is copied for a question that it does not ask. There are two ways to that, and a
//! set of rows is compiled in the first that answers with few questions:
//!
//! - *Runs* ([`Tree::Then`], the mixture rule of Wadler's chapter in Peyton Jones, "The Implementation of Functional
//!   Programming Languages", 1987): rows that need no more are tried, then one question is asked for those that
//!   follow each other and need its answer, and so on. An occurrence is looked at once in each run. This is what
//!   is written as Rust: on random programs it takes 1.2 % more instructions than the product did, in a third less text.
//! - *Factors* ([`Tree::Both`]), where runs would be many, as in a large set that nobody put in order: rows that
//!   know what they want at the occurrence that most rows look at go into one tree, rows content with any constant into a
//!   second, and the rest into a third; both are asked, and what is left is merged in the order of rows. As rows are
//!   parted by where they look and not by which value they want there, a match visits no more
//!   nodes when there are more constants.
//!
//! Either way the nodes are linear in the rows.

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

/// How many questions a match may ask by runs; the book needs 37.
const QUESTIONS: usize = 64;

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
    /// Do the first, then the second: every row of the first comes before those of the second.
    Then(TreeId, TreeId),
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
            Tree::Then(first, second) | Tree::Both(first, second) => vec![*first, *second],
            Tree::Leaf(_) => Vec::new(),
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
        Decision::with_questions(matrix, QUESTIONS)
    }

    /// Compiles a matrix: by runs if a match asks at most so many questions then, else by factors. What the tree
    /// finds does not depend on it.
    pub fn with_questions(matrix: Matrix, questions: usize) -> Decision {
        let by_runs = Decision::compile(matrix, |builder, rows| builder.runs(rows));
        if by_runs.depth() <= questions {
            return by_runs;
        }
        Decision::compile(by_runs.matrix, |builder, rows| builder.factors(rows))
    }

    fn compile(matrix: Matrix, build: impl FnOnce(&mut Builder<'_>, Vec<Pending>) -> TreeId) -> Decision {
        let rows = reachable(&matrix).map(|id| (id, matrix.rows[id].demands.clone())).collect();
        let mut builder = Builder { matrix: &matrix, nodes: Nodes::default(), known: HashMap::default() };
        let start = build(&mut builder, rows);
        let trees = builder.nodes.trees;
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
                Tree::Then(..) | Tree::Both(..) => below.sum(),
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

/// Among the occurrences that can be seen, the one that most rows need; the first of several.
fn most_needed(matrix: &Matrix, pending: &[Pending]) -> Option<OccId> {
    let mut needs = vec![0usize; matrix.places.len()];
    for demand in pending.iter().flat_map(|p| &p.1) {
        needs[demand.at.index()] += 1;
    }
    (pending.iter())
        .flat_map(|(_, demands)| visible(matrix, demands))
        .max_by_key(|&at| (needs[at.index()], std::cmp::Reverse(at)))
}

/// The occurrence that the most rows in a row need, from the first one on, and how many do.
fn longest_run(matrix: &Matrix, pending: &[Pending]) -> (OccId, usize) {
    visible(matrix, &pending[0].1)
        .map(|at| (at, pending.iter().take_while(|(_, demands)| demands.iter().any(|d| d.at == at)).count()))
        .max_by_key(|&(at, run)| (run, std::cmp::Reverse(at)))
        .expect("the first row needs something")
}

/// The occurrences that a row looks at next: what stands below an operation can only be seen once the
/// operation is.
fn visible(matrix: &Matrix, demands: &[Demand]) -> impl Iterator<Item = OccId> {
    demands.iter().map(|d| d.at).filter(|&at| match matrix.places[at] {
        Place::Root(_) => true,
        Place::Below(above, _, _) => demands.iter().all(|d| d.at != above),
    })
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

/// Builds the nodes of a matrix.
struct Builder<'a> {
    matrix: &'a Matrix,
    nodes: Nodes,
    known: HashMap<Vec<Pending>, TreeId, FxBuildHasher>,
}

impl Builder<'_> {
    /// A tree for these rows that tries them in order, run by run.
    fn runs(&mut self, mut pending: Vec<Pending>) -> TreeId {
        cut(self.matrix, &mut pending);
        if let Some(&known) = self.known.get(&pending) {
            return known;
        }
        let done = pending.iter().position(|p| !p.1.is_empty()).unwrap_or(pending.len());
        let tree = if done == pending.len() {
            leaf(&pending)
        } else if done > 0 {
            self.then(&pending, done)
        } else {
            match longest_run(self.matrix, &pending) {
                (at, run) if run == pending.len() => switch(at, &pending, |left| self.runs(left)),
                (_, run) => self.then(&pending, run),
            }
        };
        let id = self.nodes.node(tree);
        self.known.insert(pending, id);
        id
    }

    /// The rows before a position, then those from there on.
    fn then(&mut self, pending: &[Pending], at: usize) -> Tree {
        let (first, second) = pending.split_at(at);
        Tree::Then(self.runs(first.to_vec()), self.runs(second.to_vec()))
    }

    /// A tree for these rows that parts them by what they want at the occurrence that most of them look at:
    /// something certain, any constant, or nothing. If all want something certain, each goes into one branch.
    fn factors(&mut self, mut pending: Vec<Pending>) -> TreeId {
        cut(self.matrix, &mut pending);
        let Some(at) = most_needed(self.matrix, &pending) else {
            return self.nodes.node(leaf(&pending));
        };
        let (asking, rest): (Vec<Pending>, Vec<Pending>) =
            pending.iter().cloned().partition(|p| p.1.iter().any(|d| d.at == at));
        let (any, certain): (Vec<Pending>, Vec<Pending>) =
            asking.into_iter().partition(|p| p.1.iter().any(|d| d.at == at && d.head == Head::Constant));
        let parts: Vec<Vec<Pending>> =
            [certain, any, rest].into_iter().filter(|part| !part.is_empty()).collect();
        if parts.len() == 1 {
            let tree = switch(at, &pending, |left| self.factors(left));
            return self.nodes.node(tree);
        }
        let factors: Vec<TreeId> = parts.into_iter().map(|part| self.factors(part)).collect();
        factors
            .into_iter()
            .rev()
            .reduce(|rest, first| self.nodes.node(Tree::Both(first, rest)))
            .expect("there are parts")
    }
}
