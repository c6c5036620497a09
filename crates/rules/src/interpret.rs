//! Matching with a tree in memory, and without any tree.
//!
//! [`search`] walks a [`Decision`]: this serves rules that are read at run time. [`naive`] tries every
//! row on its own, as a reader of the rules would; it is the yardstick for the trees and for the
//! generated matchers.

use planish_base::{Arena, Id};

use crate::apply::apply;
use crate::matching::{Const, Flow, Rewrite, Root, Subject, constant_last};
use crate::rows::{Demand, Head, Matrix, OccId, Place, Row, RowId};
use crate::rule::{Rule, RuleId};
use crate::tree::{Decision, Tree, TreeId};

/// Hands every rewrite of `root` to `found`, in the order of the rules, until it says stop.
pub fn search<S: Subject>(
    s: &S,
    rules: &Arena<RuleId, Rule>,
    decision: &Decision,
    root: &Root<'_, S::Value>,
    found: &mut dyn FnMut(Rewrite<S::Value>) -> Flow,
) -> Flow {
    let values = vec![None; decision.matrix.places.len()];
    let nodes = vec![None; decision.matrix.places.len()];
    let (waiting, left) = (Vec::new(), Vec::new());
    let mut walk = Walk { s, rules, decision, root, values, nodes, waiting, left, found };
    walk.root_operands();
    walk.tree(decision.start)
}

/// The name of an occurrence: `a`, `b` for operands of the root, `a0` for the first operand below `a`.
pub fn path_name(matrix: &Matrix, at: OccId) -> String {
    match matrix.places[at] {
        Place::Root(i) => char::from(b'a' + i).to_string(),
        Place::Below(above, _, i) => format!("{}{i}", path_name(matrix, above)),
    }
}

struct Walk<'a, S: Subject> {
    s: &'a S,
    rules: &'a Arena<RuleId, Rule>,
    decision: &'a Decision,
    root: &'a Root<'a, S::Value>,
    /// The value at each occurrence that was seen.
    values: Vec<Option<S::Value>>,
    /// The operation that was taken at each occurrence: where a value is several, all factors look at
    /// one and the same.
    nodes: Vec<Option<S::Node>>,
    /// Factors that are still to be asked, the next one last.
    waiting: Vec<TreeId>,
    /// The rows that the factors before leave.
    left: Vec<RowId>,
    found: &'a mut dyn FnMut(Rewrite<S::Value>) -> Flow,
}

/// The operands of the root, the constant last where they commute.
fn root_operands<S: Subject>(s: &S, root: &Root<'_, S::Value>) -> Vec<S::Value> {
    match *root.args {
        [x, y] if root.op.row().algebra.commutative => constant_last(s, [x, y]).to_vec(),
        _ => root.args.to_vec(),
    }
}

/// The operands of a node, the constant last where they commute.
fn node_operands<S: Subject>(s: &S, node: S::Node) -> Vec<S::Value> {
    let op = s.op(node);
    let operands: Vec<S::Value> = (0..op.row().operands.len()).map(|i| s.operand(node, i)).collect();
    match operands[..] {
        [x, y] if op.row().algebra.commutative => constant_last(s, [x, y]).to_vec(),
        _ => operands,
    }
}

impl<S: Subject> Walk<'_, S> {
    fn root_operands(&mut self) {
        for (i, operand) in root_operands(self.s, self.root).into_iter().enumerate() {
            if let Some(at) = self.decision.matrix.at(Place::Root(i as u8)) {
                self.values[at.index()] = Some(operand);
            }
        }
    }

    fn value(&self, at: OccId) -> S::Value {
        self.values[at.index()].expect("an occurrence is looked at after the one above it")
    }

    fn tree(&mut self, tree: TreeId) -> Flow {
        let decision = self.decision;
        match &decision.trees[tree] {
            Tree::Leaf(rows) => self.leaf(rows),
            Tree::Then(first, second) => {
                self.tree(*first)?;
                self.tree(*second)
            }
            Tree::Both(first, second) => {
                self.waiting.push(*second);
                self.tree(*first)?;
                self.waiting.pop();
                Flow::Continue(())
            }
            Tree::Switch { at, integers, constant, ops, other } => {
                let value = self.value(*at);
                if let Some(found) = self.s.constant(value) {
                    let exact = match found {
                        Const::Int(int) => {
                            let value = i128::from(int.signed());
                            integers.binary_search_by_key(&value, |i| i.0).ok()
                        }
                        Const::Real(_) => None,
                    };
                    return self.tree(exact.map_or(*constant, |i| integers[i].1));
                }
                let taken = self.nodes[at.index()];
                let mut next = taken.or_else(|| self.s.first_node(value));
                if next.is_none() {
                    return self.tree(*other);
                }
                while let Some(node) = next {
                    self.nodes[at.index()] = Some(node);
                    let op = self.s.op(node);
                    match ops.binary_search_by_key(&op, |o| o.0) {
                        Ok(found) => {
                            self.bind(*at, node);
                            self.tree(ops[found].1)?;
                        }
                        Err(_) => self.tree(*other)?,
                    }
                    next = if taken.is_none() { self.s.next_node(node) } else { None };
                }
                self.nodes[at.index()] = taken;
                Flow::Continue(())
            }
        }
    }

    /// The end of a factor: the next one is asked, and after the last the rows of all are tried.
    fn leaf(&mut self, rows: &[RowId]) -> Flow {
        if self.waiting.is_empty() && self.left.is_empty() {
            return self.try_rows(rows);
        }
        let before = self.left.len();
        self.left.extend_from_slice(rows);
        match self.waiting.pop() {
            Some(next) => {
                self.tree(next)?;
                self.waiting.push(next);
            }
            None => {
                let mut rows = self.left.clone();
                rows.sort_unstable();
                self.try_rows(&rows)?;
            }
        }
        self.left.truncate(before);
        Flow::Continue(())
    }

    /// Tries rows whose demands are met, to the first that always applies.
    fn try_rows(&mut self, rows: &[RowId]) -> Flow {
        for &row in rows {
            let row = &self.decision.matrix.rows[row];
            let rewrite = apply(self.s, &self.rules[row.rule], row, self.root, &|at| self.value(at));
            if let Some(rewrite) = rewrite {
                (self.found)(rewrite)?;
            }
            if row.unconditional {
                break;
            }
        }
        Flow::Continue(())
    }

    fn bind(&mut self, above: OccId, node: S::Node) {
        let op = self.s.op(node);
        for (i, operand) in node_operands(self.s, node).into_iter().enumerate() {
            if let Some(at) = self.decision.matrix.at(Place::Below(above, op, i as u8)) {
                self.values[at.index()] = Some(operand);
            }
        }
    }
}

/// Hands every rewrite of `root` to `found`, row by row, until it says stop.
pub fn naive<S: Subject>(
    s: &S,
    rules: &Arena<RuleId, Rule>,
    matrix: &Matrix,
    root: &Root<'_, S::Value>,
    found: &mut dyn FnMut(Rewrite<S::Value>) -> Flow,
) -> Flow {
    for row in matrix.rows.values() {
        each_place(s, matrix, root, row, &mut |at| {
            apply(s, &rules[row.rule], row, root, at).map_or(Flow::Continue(()), &mut *found)
        })?;
    }
    Flow::Continue(())
}

/// The value at each occurrence, where the demands of a row are met.
pub type Places<'a, V> = &'a dyn Fn(OccId) -> V;

/// Meets the demands of a row in every way there is, until `met` says stop.
pub fn each_place<S: Subject>(
    s: &S,
    matrix: &Matrix,
    root: &Root<'_, S::Value>,
    row: &Row,
    met: &mut dyn FnMut(Places<'_, S::Value>) -> Flow,
) -> Flow {
    let operands = root_operands(s, root);
    let mut bound: Vec<(OccId, S::Value)> = Vec::new();
    for (at, place) in matrix.places.iter() {
        if let Place::Root(i) = place {
            bound.push((at, operands[usize::from(*i)]));
        }
    }
    meet(s, matrix, &row.demands, &mut bound, met)
}

/// Meets demands in every way there is, given the values of the occurrences before them.
fn meet<S: Subject>(
    s: &S,
    matrix: &Matrix,
    demands: &[Demand],
    bound: &mut Vec<(OccId, S::Value)>,
    met: &mut dyn FnMut(Places<'_, S::Value>) -> Flow,
) -> Flow {
    let look = |bound: &[(OccId, S::Value)], at: OccId| {
        bound.iter().rev().find(|b| b.0 == at).expect("demands come in preorder").1
    };
    let Some((wanted, rest)) = demands.split_first() else { return met(&|at| look(bound, at)) };
    let value = look(bound, wanted.at);
    let constant = s.constant(value);
    match wanted.head {
        Head::Constant if constant.is_some() => meet(s, matrix, rest, bound, met),
        Head::Integer(integer) => match constant {
            Some(Const::Int(int)) if i128::from(int.signed()) == integer => meet(s, matrix, rest, bound, met),
            _ => Flow::Continue(()),
        },
        Head::Op(op) if constant.is_none() => {
            let mut next = s.first_node(value);
            while let Some(node) = next {
                if s.op(node) == op {
                    let operands = node_operands(s, node);
                    let mark = bound.len();
                    for (at, place) in matrix.places.iter() {
                        if let Place::Below(above, of, i) = *place
                            && above == wanted.at
                            && of == op
                        {
                            bound.push((at, operands[usize::from(i)]));
                        }
                    }
                    meet(s, matrix, rest, bound, met)?;
                    bound.truncate(mark);
                }
                next = s.next_node(node);
            }
            Flow::Continue(())
        }
        _ => Flow::Continue(()),
    }
}
