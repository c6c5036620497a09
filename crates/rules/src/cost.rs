//! Why rewriting ends, and why it never makes code worse: the order that every rule must decrease.
//!
//! Two measures, one after the other:
//!
//! 1. **Cost**: the sum of the cost column over the operations of a program. When a rule fires its root
//!    goes and the new operations of its target come; operations below the root may stay, because
//!    others use them. So a target may cost at most what its *root* costs. A rule marked `pays` may
//!    cost as much as all that dies with its root; the matcher then counts uses and holds back
//!    unless that much dies ([`root_gain`] for the root).
//! 2. **Canonical form**: where costs are equal, the term that the root computes must become smaller in
//!    a Knuth-Bendix order (Knuth and Bendix, "Simple Word Problems in Universal Algebras", 1970):
//!    weights are costs, variables and constants weigh 1; among equal weights the term with fewer
//!    constants as first operands is smaller (`lt(3, x)` becomes `gt(x, 3)`), and among those the
//!    precedence of operations, [`PRECEDENCE`], decides. An operation on constants alone is folded and
//!    never matched, so a variable does not stand for a constant where that would matter. The order is well-founded and monotone, so replacing one operation makes the terms
//!    of all its users smaller too, and new inner operations compute smaller terms than the root did;
//!    by Dershowitz and Manna's multiset extension no infinite sequence of rewrites exists.
//!
//! A rule that lowers the cost strictly need not decrease the second measure (division by a constant
//! becomes a term in which the dividend stands twice). Rules marked `explore` are exempt from both.

use planish_ops::Op;

use crate::rule::{NodeKind, Rule, Target, TermId, VarKind};

/// Operations of equal cost, from those that a canonical form prefers to those that it avoids.
///
/// Two operations that are not both in the list are not ordered.
pub const PRECEDENCE: &[Op] = &[
    Op::Lshift,
    Op::Add,
    Op::Eq,
    Op::Ne,
    Op::IsZero,
    Op::IsTrue,
    Op::Not,
    Op::Neg,
    Op::Urshift,
    Op::Rshift,
    Op::And,
    Op::Or,
    Op::Xor,
    Op::Zext,
    Op::Sext,
    Op::Trunc,
    Op::Lt,
    Op::Ge,
    Op::Le,
    Op::Gt,
    Op::Ult,
    Op::Uge,
    Op::Ule,
    Op::Ugt,
    Op::Umin,
    Op::Umax,
    Op::Min,
    Op::Max,
    Op::ForceGeZero,
    Op::Abs,
    Op::Sub,
    Op::Rotl,
    Op::Rotr,
    Op::Signext,
    Op::Select,
    Op::Mul,
    Op::AddOvf,
    Op::UaddOvf,
    Op::SubOvf,
    Op::UsubOvf,
    Op::MulOvf,
    Op::UmulOvf,
    Op::Udiv,
    Op::Urem,
    Op::Sdiv,
    Op::Srem,
    Op::FloorDiv,
    Op::FloorMod,
    Op::Flt,
    Op::Fge,
    Op::Fle,
    Op::Fgt,
    Op::Feq,
    Op::Fne,
    Op::Fadd,
    Op::Fsub,
    Op::Fmul,
    Op::Fdiv,
    Op::GuardTrue,
    Op::GuardFalse,
    Op::GuardValue,
    Op::BoundsCheck,
];

/// How a target relates to its pattern.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Verdict {
    /// The cost of the root.
    pub root: u32,
    /// The cost of the root and of all operations below it that may die with it.
    pub all: u32,
    /// The cost of the operations that the target makes.
    pub target: u32,
    /// Whether the term becomes smaller in the canonical order.
    pub smaller: bool,
}

impl Verdict {
    /// The verdict on a rule.
    pub fn of(rule: &Rule) -> Verdict {
        let root = rule.root().row().cost;
        let below = dying(rule).into_iter().map(|(term, _)| match rule.terms[term].kind {
            NodeKind::Op(op, _) => op.row().cost,
            _ => 0,
        });
        Verdict { root, all: root + below.sum::<u32>(), target: target_cost(rule), smaller: decreases(rule) }
    }

    /// What is wrong, in words; `None` where the rule decreases the order.
    pub fn objection(&self, rule: &Rule) -> Option<String> {
        if rule.marks.explore {
            return None;
        }
        let limit = if rule.marks.pays { self.all } else { self.root };
        let what = if rule.marks.pays { "all operations of the pattern" } else { "the root of the pattern" };
        if self.target > limit {
            let hint = if !rule.marks.pays && self.target <= self.all { "; mark it `pays`" } else { "" };
            return Some(format!("the target costs {}, {what} only {limit}{hint}", self.target));
        }
        if self.target == limit && !self.smaller {
            return Some(format!(
                "the target costs {} as {what} does, and is not smaller in the canonical order",
                self.target
            ));
        }
        None
    }
}

/// What the matcher of a rule marked `pays` counts for the root. A branch asks by itself whether a word is zero, so such a
/// question may have cost nothing.
pub fn root_gain(rule: &Rule) -> u32 {
    match rule.root() {
        Op::IsZero | Op::IsTrue => 0,
        op => op.row().cost,
    }
}

/// The operations below the root that may die with it, each with the operation above it unless that is
/// the root: all but those that the target uses again.
pub fn dying(rule: &Rule) -> Vec<(TermId, Option<TermId>)> {
    let reused: Vec<TermId> = rule
        .target_terms()
        .into_iter()
        .filter_map(|t| match rule.terms[t].kind {
            NodeKind::Reuse(term) => Some(term),
            _ => None,
        })
        .collect();
    let mut result = Vec::new();
    let mut stack = vec![(rule.pattern, None)];
    while let Some((term, parent)) = stack.pop() {
        let NodeKind::Op(_, args) = &rule.terms[term].kind else { continue };
        if reused.contains(&term) {
            continue;
        }
        if term != rule.pattern {
            result.push((term, parent));
        }
        let above = (term != rule.pattern).then_some(term);
        stack.extend(args.iter().rev().map(|&arg| (arg, above)));
    }
    result
}

/// The cost of the operations that a target makes; one that it writes twice is made once.
pub fn target_cost(rule: &Rule) -> u32 {
    let mut made: Vec<TermId> = Vec::new();
    let mut cost = 0;
    for term in rule.target_terms() {
        if let NodeKind::Op(op, _) = rule.terms[term].kind
            && !made.iter().any(|&other| same_built(rule, other, term))
        {
            made.push(term);
            cost += op.row().cost;
        }
    }
    cost
}

/// Whether two terms of a target are one operation.
pub fn same_built(rule: &Rule, a: TermId, b: TermId) -> bool {
    let (x, y) = (&rule.terms[a], &rule.terms[b]);
    if a == b {
        return true;
    }
    if x.ty != y.ty {
        return false;
    }
    match (&x.kind, &y.kind) {
        (NodeKind::Op(p, xs), NodeKind::Op(q, ys)) => {
            p == q && xs.len() == ys.len() && xs.iter().zip(ys).all(|(&x, &y)| same_built(rule, x, y))
        }
        (x, y) => x == y,
    }
}

/// Whether every result of the target is smaller than the pattern in the canonical order.
pub fn decreases(rule: &Rule) -> bool {
    match rule.target {
        Target::Pass | Target::Fail => true,
        Target::Value(term) => greater(rule, rule.pattern, term),
        Target::Pair(first, second) => {
            greater(rule, rule.pattern, first) && greater(rule, rule.pattern, second)
        }
    }
}

/// A term as the order sees it: constants are all alike, reused terms are what they stand for.
fn head(rule: &Rule, term: TermId) -> Head {
    match &rule.terms[term].kind {
        NodeKind::Op(op, _) => Head::Op(*op),
        NodeKind::Reuse(term) => head(rule, *term),
        NodeKind::Var(var) if rule.vars[*var].kind == VarKind::Value => Head::Var(var.to_owned()),
        NodeKind::Var(_) | NodeKind::Literal(_) => Head::Constant,
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Head {
    Op(Op),
    Var(crate::rule::VarId),
    Constant,
}

fn args(rule: &Rule, term: TermId) -> &[TermId] {
    match &rule.terms[term].kind {
        NodeKind::Op(_, args) => args,
        NodeKind::Reuse(term) => args(rule, *term),
        _ => &[],
    }
}

fn weight(rule: &Rule, term: TermId) -> u32 {
    let own = match head(rule, term) {
        Head::Op(op) => op.row().cost,
        Head::Var(_) | Head::Constant => 1,
    };
    own + args(rule, term).iter().map(|&a| weight(rule, a)).sum::<u32>()
}

/// How many operations of a term have a constant as the first of several operands.
fn leading_constants(rule: &Rule, term: TermId) -> usize {
    let operands = args(rule, term);
    // Operands that commute have no first one: the matcher puts constants last.
    let ordered = matches!(head(rule, term), Head::Op(op) if !op.row().algebra.commutative);
    let here = ordered && operands.len() > 1 && head(rule, operands[0]) == Head::Constant;
    usize::from(here) + operands.iter().map(|&a| leading_constants(rule, a)).sum::<usize>()
}

/// How often each variable stands in a term.
fn occurrences(rule: &Rule, term: TermId, counts: &mut Vec<(crate::rule::VarId, u32)>) {
    if let Head::Var(var) = head(rule, term) {
        match counts.iter_mut().find(|c| c.0 == var) {
            Some(count) => count.1 += 1,
            None => counts.push((var, 1)),
        }
    }
    for &arg in args(rule, term) {
        occurrences(rule, arg, counts);
    }
}

/// Whether a > b in the Knuth-Bendix order, for all values of variables.
fn greater(rule: &Rule, a: TermId, b: TermId) -> bool {
    let (mut in_a, mut in_b) = (Vec::new(), Vec::new());
    occurrences(rule, a, &mut in_a);
    occurrences(rule, b, &mut in_b);
    let covered = in_b.iter().all(|(var, n)| in_a.iter().any(|(other, m)| other == var && m >= n));
    if !covered {
        return false;
    }
    let (heavy, light) = (weight(rule, a), weight(rule, b));
    if heavy != light {
        return heavy > light;
    }
    let (many, few) = (leading_constants(rule, a), leading_constants(rule, b));
    if many != few {
        return many > few;
    }
    match (head(rule, a), head(rule, b)) {
        (Head::Op(p), Head::Op(q)) if p == q => {
            let pairs = args(rule, a).iter().zip(args(rule, b));
            let first = pairs.into_iter().find(|&(&x, &y)| !equal(rule, x, y));
            first.is_some_and(|(&x, &y)| greater(rule, x, y))
        }
        (Head::Op(p), Head::Op(q)) => {
            let rank = |op| PRECEDENCE.iter().position(|&listed| listed == op);
            matches!((rank(p), rank(q)), (Some(p), Some(q)) if p > q)
        }
        (Head::Op(_), Head::Constant | Head::Var(_)) => true,
        _ => false,
    }
}

fn equal(rule: &Rule, a: TermId, b: TermId) -> bool {
    head(rule, a) == head(rule, b)
        && args(rule, a).len() == args(rule, b).len()
        && args(rule, a).iter().zip(args(rule, b)).all(|(&x, &y)| equal(rule, x, y))
}
