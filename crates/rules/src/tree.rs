//! Pattern matrices to decision trees.
//!
//! Luc Maranget, "Compiling Pattern Matching to Good Decision Trees" (ML 2008): a tree looks at one
//! occurrence at a time, never twice at one on a path, and keeps the order of rows. A row that demands
//! nothing of an occurrence goes into every branch. Equal sub-matrices become one node, so the tree is
//! a graph; what it costs to match depends on the depth of the patterns and not on the number of rules.
//!
//! A leaf holds the rows that are left, in order. Each is tried until one applies: its residual tests
//! (equal variables, types, checks) are not the tree's business. Rows after one that always applies
//! are dropped, and a rule that is left in no leaf is *shadowed*: no input reaches it.
//!
//! Rows that demand nothing of an occurrence are copied, so a tree may grow much faster than its rules.
//! At [`NODE_LIMIT`] nodes the compiler gives up, and the rows of that root are tried one by one.

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

/// How many nodes the tree of one root may have: some thirty times the largest of the book.
pub const NODE_LIMIT: usize = 10_000;

/// How many rows may be looked at while a tree is built.
const WORK_LIMIT: usize = 2_000_000;

/// A node of a decision tree.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Tree {
    /// Look at an occurrence.
    Switch {
        /// Where.
        at: OccId,
        /// What to do with an integer constant of a certain value.
        integers: Vec<(i128, TreeId)>,
        /// What to do with any other constant.
        constant: TreeId,
        /// What to do with operations.
        ops: Vec<(Op, TreeId)>,
        /// What to do with anything else.
        other: TreeId,
    },
    /// Try these rows in order.
    Leaf(Vec<RowId>),
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
    /// Whether the tree was given up: it is empty, and rows are tried one by one.
    pub abandoned: bool,
}

/// A row under construction: what is still to be found out, in preorder.
type Pending = (RowId, Vec<Demand>);

struct Builder<'a> {
    matrix: &'a Matrix,
    trees: Arena<TreeId, Tree>,
    shared: HashMap<Tree, TreeId, FxBuildHasher>,
    known: HashMap<Vec<Pending>, TreeId, FxBuildHasher>,
    /// Rows that were looked at: what building costs.
    work: usize,
}

impl Decision {
    /// Compiles a matrix.
    pub fn new(matrix: Matrix) -> Decision {
        let pending: Vec<Pending> = matrix.rows.iter().map(|(id, row)| (id, row.demands.clone())).collect();
        let mut builder = Builder {
            matrix: &matrix,
            trees: Arena::new(),
            shared: HashMap::default(),
            known: HashMap::default(),
            work: 0,
        };
        let start = builder.build(pending);
        let abandoned = builder.is_too_large();
        let (trees, start) = if abandoned {
            let mut trees = Arena::new();
            let start = trees.push(Tree::Leaf(Vec::new()));
            (trees, start)
        } else {
            (builder.trees, start)
        };
        Decision { matrix, trees, start, abandoned }
    }

    /// The rules that some input reaches, in id order.
    pub fn reachable(&self) -> Vec<RuleId> {
        if self.abandoned {
            // Nothing was found out.
            return self.matrix.rows.values().map(|row| row.rule).collect();
        }
        let mut rules: Vec<RuleId> = self
            .trees
            .values()
            .filter_map(|tree| match tree {
                Tree::Leaf(rows) => Some(rows),
                Tree::Switch { .. } => None,
            })
            .flatten()
            .map(|&row| self.matrix.rows[row].rule)
            .collect();
        rules.sort();
        rules.dedup();
        rules
    }

    /// The nodes that a match visits at most.
    pub fn depth(&self) -> usize {
        let mut depths = vec![0usize; self.trees.len()];
        for (id, tree) in self.trees.iter() {
            if let Tree::Switch { integers, constant, ops, other, .. } = tree {
                let below =
                    integers.iter().map(|i| i.1).chain(ops.iter().map(|o| o.1)).chain([*constant, *other]);
                depths[id.index()] = 1 + below.map(|t| depths[t.index()]).max().unwrap_or(0);
            }
        }
        depths[self.start.index()]
    }
}

impl Builder<'_> {
    fn is_too_large(&self) -> bool {
        self.trees.len() > NODE_LIMIT || self.work > WORK_LIMIT
    }

    fn build(&mut self, mut pending: Vec<Pending>) -> TreeId {
        self.work += pending.len();
        if self.is_too_large() {
            // Whatever is built from here on is thrown away; the recursion ends quickly.
            return self.trees.push(Tree::Leaf(Vec::new()));
        }
        // Rows after one that always applies here are out of reach.
        let certain = |(row, demands): &Pending| demands.is_empty() && self.matrix.rows[*row].unconditional;
        if let Some(at) = pending.iter().position(certain) {
            pending.truncate(at + 1);
        }
        if let Some(&known) = self.known.get(&pending) {
            return known;
        }
        let tree = match self.choose(&pending) {
            None => Tree::Leaf(pending.iter().map(|p| p.0).collect()),
            Some(at) => self.switch(at, &pending),
        };
        let id = match self.shared.get(&tree) {
            Some(&id) => id,
            None => {
                let id = self.trees.push(tree.clone());
                self.shared.insert(tree, id);
                id
            }
        };
        self.known.insert(pending, id);
        id
    }

    /// The occurrence to look at: one that the first row needs (any other might be looked at in vain),
    /// and among these the one that most rows need.
    fn choose(&self, pending: &[Pending]) -> Option<OccId> {
        let open = pending.iter().find(|p| !p.1.is_empty())?;
        // What stands below an operation can only be seen once the operation is.
        let ready = open.1.iter().map(|d| d.at).filter(|&at| match self.matrix.places[at] {
            Place::Root(_) => true,
            Place::Below(above, _, _) => open.1.iter().all(|d| d.at != above),
        });
        let needs = |at: OccId| pending.iter().filter(|p| p.1.iter().any(|d| d.at == at)).count();
        ready.max_by_key(|&at| (needs(at), std::cmp::Reverse(at)))
    }

    fn switch(&mut self, at: OccId, pending: &[Pending]) -> Tree {
        let demands = || pending.iter().flat_map(|p| &p.1).filter(move |d| d.at == at).map(|d| d.head);
        let mut integers: Vec<i128> = demands()
            .filter_map(|head| match head {
                Head::Integer(value) => Some(value),
                _ => None,
            })
            .collect();
        integers.sort();
        integers.dedup();
        let mut ops: Vec<Op> = demands()
            .filter_map(|head| match head {
                Head::Op(op) => Some(op),
                _ => None,
            })
            .collect();
        ops.sort();
        ops.dedup();
        let integers = integers
            .into_iter()
            .map(|value| {
                let fits = |head| matches!(head, Head::Constant) || head == Head::Integer(value);
                (value, self.branch(at, pending, fits))
            })
            .collect();
        let ops =
            ops.into_iter().map(|op| (op, self.branch(at, pending, |head| head == Head::Op(op)))).collect();
        let constant = self.branch(at, pending, |head| head == Head::Constant);
        let other = self.branch(at, pending, |_| false);
        Tree::Switch { at, integers, constant, ops, other }
    }

    /// The rows that are left where the head of an occurrence `fits` their demand.
    fn branch(&mut self, at: OccId, pending: &[Pending], fits: impl Fn(Head) -> bool) -> TreeId {
        let mut left = Vec::new();
        for (row, demands) in pending {
            match demands.iter().position(|d| d.at == at) {
                None => left.push((*row, demands.clone())),
                Some(found) if fits(demands[found].head) => {
                    let mut rest = demands.clone();
                    rest.remove(found);
                    left.push((*row, rest));
                }
                Some(_) => {}
            }
        }
        self.build(left)
    }
}
