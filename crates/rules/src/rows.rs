//! Rules as rows of a pattern matrix: one row for each way to order the operands of commutative
//! operations.
//!
//! A position of the root's expression is an *occurrence*: an operand of the root, or an operand of an
//! operation found at another occurrence. Rows of one root share their occurrences.
//!
//! Where exactly one operand of a commutative operation is a constant, one order is enough: the matcher
//! hands constants last. Where two orders differ in nothing but names (`x` and `y` play one part), the
//! second is left out.

use hashbrown::HashMap;
use planish_base::{Arena, Diagnostic, define_id};
use planish_domain::methods::Query;
use planish_ops::Op;
use rustc_hash::FxBuildHasher;

use crate::order::{Priority, is_unconditional};
use crate::rule::{Expr, ExprKind, Literal, NodeKind, Rule, RuleId, Target, TermId, VarId, VarKind};

define_id!(
    /// A position in the expression that is matched.
    OccId,
    "at"
);
define_id!(
    /// A row of a pattern matrix.
    RowId,
    "row"
);

/// Where an occurrence is.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Place {
    /// An operand of the root.
    Root(u8),
    /// An operand of an operation of this kind at an occurrence.
    Below(OccId, Op, u8),
}

/// What a row demands of an occurrence.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Head {
    /// An operation.
    Op(Op),
    /// This integer constant.
    Integer(i128),
    /// Some constant.
    Constant,
}

impl Head {
    /// Whether what has this head meets a demand for another.
    pub fn is_a(self, wanted: Head) -> bool {
        self == wanted || (matches!(self, Head::Integer(_)) && wanted == Head::Constant)
    }
}

/// A demand and where it is made, in preorder.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Demand {
    /// Where.
    pub at: OccId,
    /// What.
    pub head: Head,
}

/// One order of the operands of one rule.
#[derive(Clone, Debug)]
pub struct Row {
    /// The rule.
    pub rule: RuleId,
    /// What the row demands, operations before what stands below them.
    pub demands: Vec<Demand>,
    /// The occurrence of each term of the pattern but its root.
    pub places: Vec<(TermId, OccId)>,
    /// Occurrences that must be one value: a variable that stands in several places.
    pub equal: Vec<(OccId, OccId)>,
    /// Whether the row applies wherever its demands are met.
    pub unconditional: bool,
}

impl Row {
    /// The occurrence of a term of the pattern; `None` for its root.
    pub fn place(&self, term: TermId) -> Option<OccId> {
        self.places.iter().find(|p| p.0 == term).map(|p| p.1)
    }

    /// Where a variable is read: where it stands first in the rule as written, whatever the order of
    /// operands in this row.
    pub fn var_place(&self, rule: &Rule, var: VarId) -> Option<OccId> {
        rule.var_term(var).and_then(|term| self.place(term))
    }
}

/// All rows of one root, in the order in which they are tried.
#[derive(Clone, Debug)]
pub struct Matrix {
    /// The root.
    pub op: Op,
    /// The rows.
    pub rows: Arena<RowId, Row>,
    /// The occurrences.
    pub places: Arena<OccId, Place>,
    index: HashMap<Place, OccId, FxBuildHasher>,
}

impl Matrix {
    /// The occurrence at a place, if a row has one there.
    pub fn at(&self, place: Place) -> Option<OccId> {
        self.index.get(&place).copied()
    }

    /// The rows of the rules with this root.
    pub fn new(op: Op, rules: &Arena<RuleId, Rule>, ids: &[RuleId]) -> Matrix {
        let mut ordered: Vec<(Priority, RuleId)> =
            ids.iter().map(|&id| (Priority::of(&rules[id]), id)).collect();
        ordered.sort();
        let mut matrix = Matrix { op, rows: Arena::new(), places: Arena::new(), index: HashMap::default() };
        for (_, id) in ordered {
            let rule = &rules[id];
            let mut seen: Vec<Arrangement> = Vec::new();
            for arrangement in arrangements(rule, rule.pattern) {
                if seen.iter().any(|other| same_up_to_symmetry(rule, other, &arrangement)) {
                    continue;
                }
                let row = matrix.row(rule, id, &arrangement);
                matrix.rows.push(row);
                seen.push(arrangement);
            }
        }
        matrix
    }

    fn row(&mut self, rule: &Rule, id: RuleId, arrangement: &Arrangement) -> Row {
        let mut row = Row {
            rule: id,
            demands: Vec::new(),
            places: Vec::new(),
            equal: Vec::new(),
            unconditional: false,
        };
        let Arrangement::Op(_, _, operands) = arrangement else { unreachable!("patterns are operations") };
        for (i, operand) in operands.iter().enumerate() {
            let at = self.place(Place::Root(i as u8));
            self.fill(rule, operand, at, &mut row);
        }
        let plain_constants = row.places.iter().all(|&(term, _)| {
            !matches!(
                rule.terms[term].kind,
                NodeKind::Literal(Literal::Float(_) | Literal::MinInt | Literal::MaxInt | Literal::LongBit)
            )
        });
        row.unconditional = is_unconditional(rule) && row.equal.is_empty() && plain_constants;
        row
    }

    fn fill(&mut self, rule: &Rule, term: &Arrangement, at: OccId, row: &mut Row) {
        match term {
            Arrangement::Leaf(id) => {
                row.places.push((*id, at));
                match &rule.terms[*id].kind {
                    NodeKind::Literal(Literal::Integer(value)) => {
                        row.demands.push(Demand { at, head: Head::Integer(*value) });
                    }
                    NodeKind::Literal(_) => row.demands.push(Demand { at, head: Head::Constant }),
                    NodeKind::Var(var) => {
                        if rule.vars[*var].kind == VarKind::Constant {
                            row.demands.push(Demand { at, head: Head::Constant });
                        }
                        let first = row.places.iter().find(|p| rule.terms[p.0].kind == NodeKind::Var(*var));
                        if let Some(&(_, first)) = first
                            && first != at
                        {
                            row.equal.push((first, at));
                        }
                    }
                    _ => unreachable!("leaves are variables and literals"),
                }
            }
            Arrangement::Op(id, op, operands) => {
                row.places.push((*id, at));
                row.demands.push(Demand { at, head: Head::Op(*op) });
                for (i, operand) in operands.iter().enumerate() {
                    let below = self.place(Place::Below(at, *op, i as u8));
                    self.fill(rule, operand, below, row);
                }
            }
        }
    }

    fn place(&mut self, place: Place) -> OccId {
        *self.index.entry(place).or_insert_with(|| self.places.push(place))
    }
}

/// A pattern with its operands in one order.
#[derive(Clone, Debug)]
enum Arrangement {
    Leaf(TermId),
    Op(TermId, Op, Vec<Arrangement>),
}

/// How many operations of a pattern may have operands that stand in either order: each doubles what a matcher looks for.
const FREE_ORDERS: usize = 8;

/// Why a pattern is too much for a matcher, if it is.
pub(crate) fn too_many_orders(rule: &Rule) -> Option<Diagnostic> {
    let terms = rule.preorder(rule.pattern);
    let free = terms.into_iter().filter(|&term| is_free(rule, term)).count();
    (free > FREE_ORDERS).then(|| {
        let message = format!(
            "the pattern of rule `{}` has {free} operations whose operands may stand in either order, at most \
             {FREE_ORDERS} are allowed",
            rule.name
        );
        Diagnostic::error(rule.name_span, message).note("a matcher would look for every combination of orders")
    })
}

/// Whether both orders of the operands of a term are looked for: constants stand last.
fn is_free(rule: &Rule, term: TermId) -> bool {
    let NodeKind::Op(op, args) = &rule.terms[term].kind else { return false };
    let [first, last] = args[..] else { return false };
    op.row().algebra.commutative && is_constant(rule, first) == is_constant(rule, last)
}

fn is_constant(rule: &Rule, term: TermId) -> bool {
    match &rule.terms[term].kind {
        NodeKind::Literal(_) => true,
        NodeKind::Var(var) => rule.vars[*var].kind == VarKind::Constant,
        _ => false,
    }
}

/// Every order of the operands of commutative operations that can matter.
fn arrangements(rule: &Rule, term: TermId) -> Vec<Arrangement> {
    let NodeKind::Op(op, args) = &rule.terms[term].kind else { return vec![Arrangement::Leaf(term)] };
    let mut combinations: Vec<Vec<Arrangement>> = vec![Vec::new()];
    for &arg in args {
        let choices = arrangements(rule, arg);
        combinations = combinations
            .into_iter()
            .flat_map(|head| {
                choices.iter().map(move |choice| {
                    let mut longer = head.clone();
                    longer.push(choice.clone());
                    longer
                })
            })
            .collect();
    }
    let mut result = Vec::new();
    for operands in combinations {
        let mut swapped = operands.clone();
        swapped.reverse();
        let commutes = op.row().algebra.commutative && operands.len() == 2;
        if is_free(rule, term) {
            result.push(Arrangement::Op(term, *op, operands));
            result.push(Arrangement::Op(term, *op, swapped));
        } else if commutes && is_constant(rule, args[0]) {
            result.push(Arrangement::Op(term, *op, swapped));
        } else {
            result.push(Arrangement::Op(term, *op, operands));
        }
    }
    result
}

/// Whether two orders of one rule ask and answer the same: equal, or equal after exchanging two
/// variables that the rest of the rule treats alike.
fn same_up_to_symmetry(rule: &Rule, a: &Arrangement, b: &Arrangement) -> bool {
    let mut renaming: Vec<(VarId, VarId)> = Vec::new();
    // A value that the target uses again must stand in the same place in both.
    let reuse_in_place = || {
        rule.target_terms().into_iter().all(|term| match rule.terms[term].kind {
            NodeKind::Reuse(term) => path(a, term) == path(b, term),
            _ => true,
        })
    };
    matches_renamed(rule, a, b, &mut renaming)
        && reuse_in_place()
        && rule.steps.iter().all(|step| invariant(step.expr(), step.expr(), &renaming))
        && match rule.target {
            Target::Pass | Target::Fail => true,
            Target::Value(term) => same_target(rule, term, term, &renaming),
            Target::Pair(x, y) => same_target(rule, x, x, &renaming) && same_target(rule, y, y, &renaming),
        }
}

fn matches_renamed(
    rule: &Rule,
    a: &Arrangement,
    b: &Arrangement,
    renaming: &mut Vec<(VarId, VarId)>,
) -> bool {
    match (a, b) {
        (Arrangement::Leaf(x), Arrangement::Leaf(y)) => match (&rule.terms[*x].kind, &rule.terms[*y].kind) {
            (NodeKind::Var(x), NodeKind::Var(y)) => {
                let known = renaming.iter().find(|r| r.0 == *x || r.1 == *y).copied();
                match known {
                    Some(pair) => pair == (*x, *y),
                    None => {
                        renaming.push((*x, *y));
                        rule.vars[*x].kind == rule.vars[*y].kind
                    }
                }
            }
            (x, y) => x == y,
        },
        (Arrangement::Op(_, x, xs), Arrangement::Op(_, y, ys)) => {
            x == y
                && xs.len() == ys.len()
                && xs.iter().zip(ys).all(|(x, y)| matches_renamed(rule, x, y, renaming))
        }
        _ => false,
    }
}

/// Where a term stands in an arrangement: operand numbers from the root down.
fn path(arrangement: &Arrangement, term: TermId) -> Option<Vec<usize>> {
    match arrangement {
        Arrangement::Leaf(id) => (*id == term).then(Vec::new),
        Arrangement::Op(id, _, _) if *id == term => Some(Vec::new()),
        Arrangement::Op(_, _, operands) => operands.iter().enumerate().find_map(|(i, operand)| {
            let mut below = path(operand, term)?;
            below.insert(0, i);
            Some(below)
        }),
    }
}

fn renamed(var: VarId, renaming: &[(VarId, VarId)]) -> VarId {
    renaming.iter().find(|r| r.0 == var).map_or(var, |r| r.1)
}

/// Whether an expression is another one with its variables renamed, up to the order of operands that
/// does not matter.
fn invariant(a: &Expr, b: &Expr, renaming: &[(VarId, VarId)]) -> bool {
    use crate::syntax::{Binary, Compare};
    let both = |a1: &Expr, a2: &Expr, b1: &Expr, b2: &Expr, commutes: bool| {
        (invariant(a1, b1, renaming) && invariant(a2, b2, renaming))
            || (commutes && invariant(a1, b2, renaming) && invariant(a2, b1, renaming))
    };
    match (&a.kind, &b.kind) {
        (ExprKind::Literal(x), ExprKind::Literal(y)) => x == y,
        (ExprKind::Size(x), ExprKind::Size(y)) => x == y,
        (ExprKind::Width(x), ExprKind::Width(y)) => x == y,
        (ExprKind::Var(x), ExprKind::Var(y)) => renamed(*x, renaming) == *y,
        (ExprKind::SizeWord(x), ExprKind::SizeWord(y))
        | (ExprKind::ConstFact(x), ExprKind::ConstFact(y))
        | (ExprKind::Not(x), ExprKind::Not(y)) => invariant(x, y, renaming),
        (ExprKind::Unary(p, x), ExprKind::Unary(q, y)) => p == q && invariant(x, y, renaming),
        (ExprKind::Binary(p, x1, x2), ExprKind::Binary(q, y1, y2)) => {
            let commutes = matches!(p, Binary::Add | Binary::Mul | Binary::And | Binary::Or | Binary::Xor);
            p == q && both(x1, x2, y1, y2, commutes)
        }
        (ExprKind::Compare(p, x1, x2), ExprKind::Compare(q, y1, y2)) => {
            p == q && both(x1, x2, y1, y2, matches!(p, Compare::Eq | Compare::Ne))
        }
        (ExprKind::And(x1, x2), ExprKind::And(y1, y2)) | (ExprKind::Or(x1, x2), ExprKind::Or(y1, y2)) => {
            both(x1, x2, y1, y2, true)
        }
        (ExprKind::Method(p, x, xs), ExprKind::Method(q, y, ys)) => {
            p.name == q.name
                && match (xs.as_slice(), ys.as_slice()) {
                    ([x1], [y1]) => both(x, x1, y, y1, is_symmetric(p.query)),
                    _ => {
                        invariant(x, y, renaming)
                            && xs.len() == ys.len()
                            && xs.iter().zip(ys).all(|(x, y)| invariant(x, y, renaming))
                    }
                }
        }
        (ExprKind::Function(p, xs), ExprKind::Function(q, ys)) => {
            p.name == q.name
                && xs.len() == ys.len()
                && xs.iter().zip(ys).all(|(x, y)| invariant(x, y, renaming))
        }
        _ => false,
    }
}

/// Whether receiver and argument of a question may be exchanged.
fn is_symmetric(query: Query) -> bool {
    use Query::{
        AddBound, AddBoundCannotOverflow, AndBound, KnownNe, MulBound, MulBoundCannotOverflow, OrBound,
        XorBound,
    };
    matches!(
        query,
        AddBound
            | AddBoundCannotOverflow
            | AndBound
            | KnownNe
            | MulBound
            | MulBoundCannotOverflow
            | OrBound
            | XorBound
    )
}

fn same_target(rule: &Rule, a: TermId, b: TermId, renaming: &[(VarId, VarId)]) -> bool {
    match (&rule.terms[a].kind, &rule.terms[b].kind) {
        (NodeKind::Var(x), NodeKind::Var(y)) => renamed(*x, renaming) == *y,
        (NodeKind::Op(p, xs), NodeKind::Op(q, ys)) if p == q => {
            let straight = xs.iter().zip(ys).all(|(&x, &y)| same_target(rule, x, y, renaming));
            let crossed = p.row().algebra.commutative
                && same_target(rule, xs[0], ys[1], renaming)
                && same_target(rule, xs[1], ys[0], renaming);
            straight || crossed
        }
        (NodeKind::Reuse(x), NodeKind::Reuse(y)) => x == y,
        (x, y) => x == y,
    }
}

/// The roots for which there are rules, in the order of the table, each with its rules.
pub fn by_root(rules: &Arena<RuleId, Rule>) -> Vec<(Op, Vec<RuleId>)> {
    let mut groups: Vec<(Op, Vec<RuleId>)> = Vec::new();
    for (id, rule) in rules.iter() {
        match groups.binary_search_by_key(&rule.root(), |g| g.0) {
            Ok(at) => groups[at].1.push(id),
            Err(at) => groups.insert(at, (rule.root(), vec![id])),
        }
    }
    groups
}
