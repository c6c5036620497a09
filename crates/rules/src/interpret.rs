//! Matching with a tree in memory, and without any tree.
//!
//! [`search`] walks a [`Decision`]: this serves rules that are read at run time. [`naive`] tries every
//! row on its own, as a reader of the rules would; it is the yardstick for the trees and for the
//! generated matchers.

use planish_base::{Arena, Id};

use crate::apply::apply;
use crate::matching::{Const, Flow, Rewrite, Root, Subject, constant_last};
use crate::rows::{Head, Matrix, OccId, Place, Row};
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
    if decision.abandoned {
        return naive(s, rules, &decision.matrix, root, found);
    }
    let mut walk = Walk { s, rules, decision, root, values: vec![None; decision.matrix.places.len()], found };
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
    values: Vec<Option<S::Value>>,
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
        let operands = root_operands(self.s, self.root);
        for (at, place) in self.decision.matrix.places.iter() {
            if let Place::Root(i) = place {
                self.values[at.index()] = Some(operands[usize::from(*i)]);
            }
        }
    }

    fn value(&self, at: OccId) -> S::Value {
        self.values[at.index()].expect("an occurrence is looked at after the one above it")
    }

    fn tree(&mut self, tree: TreeId) -> Flow {
        let decision = self.decision;
        match &decision.trees[tree] {
            Tree::Leaf(rows) => {
                for &row in rows {
                    let row = &decision.matrix.rows[row];
                    let rewrite = apply(self.s, &self.rules[row.rule], row, self.root, &|at| self.value(at));
                    if let Some(rewrite) = rewrite {
                        (self.found)(rewrite)?;
                    }
                }
                Flow::Continue(())
            }
            Tree::Switch { at, integers, constant, ops, other } => {
                let value = self.value(*at);
                if let Some(found) = self.s.constant(value) {
                    let exact = match found {
                        Const::Int(int) => integers.iter().find(|i| i.0 == i128::from(int.signed())),
                        Const::Real(_) => None,
                    };
                    return self.tree(exact.map_or(*constant, |i| i.1));
                }
                let mut next = self.s.first_node(value);
                if next.is_none() {
                    return self.tree(*other);
                }
                while let Some(node) = next {
                    let op = self.s.op(node);
                    match ops.iter().find(|o| o.0 == op) {
                        Some(&(_, below)) => {
                            self.bind(*at, node);
                            self.tree(below)?;
                        }
                        None => self.tree(*other)?,
                    }
                    next = self.s.next_node(node);
                }
                Flow::Continue(())
            }
        }
    }

    fn bind(&mut self, above: OccId, node: S::Node) {
        let operands = node_operands(self.s, node);
        let op = self.s.op(node);
        for (at, place) in self.decision.matrix.places.iter() {
            if let Place::Below(parent, of, i) = *place
                && parent == above
                && of == op
            {
                self.values[at.index()] = Some(operands[usize::from(i)]);
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
        let mut bound: Vec<(OccId, S::Value)> = Vec::new();
        let operands = root_operands(s, root);
        for (at, place) in matrix.places.iter() {
            if let Place::Root(i) = place {
                bound.push((at, operands[usize::from(*i)]));
            }
        }
        try_row(s, rules, matrix, root, row, 0, &mut bound, found)?;
    }
    Flow::Continue(())
}

/// Meets the demands of a row from the given one on, in every way there is.
#[expect(clippy::too_many_arguments, reason = "the state of a recursive search")]
fn try_row<S: Subject>(
    s: &S,
    rules: &Arena<RuleId, Rule>,
    matrix: &Matrix,
    root: &Root<'_, S::Value>,
    row: &Row,
    demand: usize,
    bound: &mut Vec<(OccId, S::Value)>,
    found: &mut dyn FnMut(Rewrite<S::Value>) -> Flow,
) -> Flow {
    let look = |bound: &[(OccId, S::Value)], at: OccId| {
        bound.iter().rev().find(|b| b.0 == at).expect("demands come in preorder").1
    };
    let Some(wanted) = row.demands.get(demand) else {
        let rewrite = apply(s, &rules[row.rule], row, root, &|at| look(bound, at));
        return rewrite.map_or(Flow::Continue(()), found);
    };
    let value = look(bound, wanted.at);
    let constant = s.constant(value);
    match wanted.head {
        Head::Constant if constant.is_some() => {
            try_row(s, rules, matrix, root, row, demand + 1, bound, found)
        }
        Head::Integer(integer) => match constant {
            Some(Const::Int(int)) if i128::from(int.signed()) == integer => {
                try_row(s, rules, matrix, root, row, demand + 1, bound, found)
            }
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
                    try_row(s, rules, matrix, root, row, demand + 1, bound, found)?;
                    bound.truncate(mark);
                }
                next = s.next_node(node);
            }
            Flow::Continue(())
        }
        _ => Flow::Continue(()),
    }
}
