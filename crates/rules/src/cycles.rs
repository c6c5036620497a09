//! Finding rewrite cycles, to show them.
//!
//! The order of [`cost`](crate::cost) already excludes cycles among rules that decrease it. This module
//! looks at the others: it takes the pattern of such a rule as a program whose variables are unknown
//! values, rewrites it with the rule, then goes on with every rule that fits anywhere, and reports the
//! way back when a term comes up a second time. Computed constants are assumed to be any constant, and checks to hold but
//! for those of numbers that rules name, so what is found is a cycle of shapes; the search is bounded in depth and in terms.

use planish_base::{Arena, Id};
use planish_ops::{Machine, Op, Type};

use crate::cost::Verdict;
use crate::eval::{Eval, Val, concrete, integer_literal, literal};
use crate::rule::{Expr, ExprKind, Literal, NodeKind, Rule, RuleId, Step, Target, TermId, VarKind};
use crate::semantics::children;
use crate::speaks::choices;

/// How many rewrites a reported cycle has at most.
const LENGTH_LIMIT: usize = 4;

/// How many terms are looked at for one rule.
const TERM_LIMIT: usize = 2_000;

/// A sequence of rewrites that comes back to where it began.
#[derive(Clone, Debug)]
pub struct Cycle {
    /// The rules, in the order in which they fire.
    pub rules: Vec<RuleId>,
    /// The terms and the rules between them, one line each.
    pub steps: Vec<String>,
}

/// A term with names for unknown values.
#[derive(Clone, PartialEq, Debug)]
enum Shape {
    /// An unknown value.
    Unknown(String),
    /// A constant whose value is not looked at.
    Constant,
    /// A constant.
    Literal(Literal),
    Op(Op, Vec<Shape>),
}

impl std::fmt::Display for Shape {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Shape::Unknown(name) => f.write_str(name),
            Shape::Constant => f.write_str("C"),
            Shape::Literal(literal) => write!(f, "{literal}"),
            Shape::Op(op, args) => {
                let args: Vec<String> = args.iter().map(Shape::to_string).collect();
                write!(f, "{op}({})", args.join(", "))
            }
        }
    }
}

/// One cycle for each rule that does not decrease the order and can come back to its pattern.
pub fn find(rules: &Arena<RuleId, Rule>) -> Vec<Cycle> {
    let mut cycles: Vec<Cycle> = Vec::new();
    for (id, rule) in rules.iter() {
        if rule.marks.explore || Verdict::of(rule).objection(rule).is_none() {
            continue;
        }
        if let Some(cycle) = search(rules, id) {
            let known = cycles.iter().any(|c| {
                c.rules.len() == cycle.rules.len() && c.rules.iter().all(|r| cycle.rules.contains(r))
            });
            if !known {
                cycles.push(cycle);
            }
        }
    }
    cycles
}

/// Breadth first, so that the shortest cycle is shown.
fn search(rules: &Arena<RuleId, Rule>, start: RuleId) -> Option<Cycle> {
    let origin = shape(&rules[start], rules[start].pattern);
    let first = rewrite(&rules[start], &origin)?;
    // Each term with the rule that made it and the position of the term before.
    let mut terms: Vec<(Shape, RuleId, Option<usize>)> = vec![(first, start, None)];
    let mut at = 0;
    while at < terms.len() && terms.len() < TERM_LIMIT {
        let mut length = 1;
        let mut back = terms[at].2;
        while let Some(before) = back {
            length += 1;
            back = terms[before].2;
        }
        // What is equal but for constants may be refused by a check of the rule.
        if same(&terms[at].0, &origin) && rewrite(&rules[start], &terms[at].0).is_some() {
            return Some(report(rules, &origin, &terms, at));
        }
        if length < LENGTH_LIMIT {
            for (id, rule) in rules.iter().filter(|(_, rule)| !rule.marks.explore) {
                for next in everywhere(rule, &terms[at].0) {
                    if terms.iter().all(|t| t.0 != next) {
                        terms.push((next, id, Some(at)));
                    }
                }
            }
        }
        at += 1;
    }
    None
}

fn report(
    rules: &Arena<RuleId, Rule>,
    origin: &Shape,
    terms: &[(Shape, RuleId, Option<usize>)],
    at: usize,
) -> Cycle {
    let mut path = Vec::new();
    let mut position = Some(at);
    while let Some(here) = position {
        path.push((&terms[here].0, terms[here].1));
        position = terms[here].2;
    }
    path.reverse();
    let mut steps = vec![format!("begin with {origin}")];
    for (term, rule) in &path {
        steps.push(format!("{} makes it {term}", rules[*rule].name));
    }
    Cycle { rules: path.iter().map(|p| p.1).collect(), steps }
}

/// Equal up to the values of constants and the order of operands that commute.
fn same(a: &Shape, b: &Shape) -> bool {
    match (a, b) {
        (Shape::Constant | Shape::Literal(_), Shape::Constant) | (Shape::Constant, Shape::Literal(_)) => true,
        (Shape::Op(p, xs), Shape::Op(q, ys)) if p == q => {
            let straight = xs.iter().zip(ys).all(|(x, y)| same(x, y));
            straight || (p.row().algebra.commutative && same(&xs[0], &ys[1]) && same(&xs[1], &ys[0]))
        }
        (a, b) => a == b,
    }
}

/// A term of a rule as a program of unknown values.
fn shape(rule: &Rule, term: TermId) -> Shape {
    match &rule.terms[term].kind {
        NodeKind::Var(var) => match rule.vars[*var].kind {
            VarKind::Value => Shape::Unknown(rule.vars[*var].name.clone()),
            _ => Shape::Constant,
        },
        NodeKind::Literal(literal) => Shape::Literal(*literal),
        NodeKind::Reuse(term) => shape(rule, *term),
        NodeKind::Op(op, args) => Shape::Op(*op, args.iter().map(|&a| shape(rule, a)).collect()),
    }
}

/// Every result of rewriting one place of a term.
fn everywhere(rule: &Rule, term: &Shape) -> Vec<Shape> {
    let mut results: Vec<Shape> = rewrite(rule, term).into_iter().collect();
    if let Shape::Op(op, args) = term {
        for (i, arg) in args.iter().enumerate() {
            for new in everywhere(rule, arg) {
                let mut args = args.clone();
                args[i] = new;
                results.push(Shape::Op(*op, args));
            }
        }
    }
    results
}

fn rewrite(rule: &Rule, term: &Shape) -> Option<Shape> {
    let Target::Value(target) = rule.target else { return None };
    let mut bound = Vec::new();
    (matches(rule, rule.pattern, term, &mut bound) && !refuses(rule, &bound))
        .then(|| build(rule, target, &bound))
}

/// Whether a check does not hold of the numbers that variables stand for, as words of the widest types that the rule is about. Checks
/// of anything else hold.
fn refuses(rule: &Rule, bound: &Bound) -> bool {
    let is_check = |step: &&Step| matches!(step, Step::Check(_));
    let checks: Vec<&Expr> = rule.steps.iter().filter(is_check).map(Step::expr).collect();
    if checks.is_empty() {
        return false;
    }
    let Some(types) = widest(rule) else { return false };
    let mut values: Vec<Option<Val<Machine>>> = vec![None; rule.vars.len()];
    for (var, shape) in bound {
        if let Shape::Literal(number) = shape {
            let ty = concrete(rule.vars[*var].ty, &types);
            values[var.index()] = literal(&mut Machine, *number, ty, integer_literal).map(Val::Datum);
        }
    }
    let known: Vec<&Expr> = checks.into_iter().filter(|check| is_known(check, &values)).collect();
    let mut eval = Eval {
        b: &mut Machine,
        vars: &rule.vars,
        types: &types,
        values: &mut values,
        valid: true,
        ask: None,
    };
    known.into_iter().any(|check| !eval.truth(check) && eval.valid)
}

/// Types that a rule is about: of 64 bits, if it is about these, else the widest.
fn widest(rule: &Rule) -> Option<Vec<Type>> {
    let of_64_bits = choices(&rule.kinds(), &[64]).find(|types| rule.admits(types));
    of_64_bits.or_else(|| rule.assignments().last())
}

/// Whether an expression speaks of numbers alone, and only compares them.
fn is_known(expr: &Expr, values: &[Option<Val<Machine>>]) -> bool {
    let is_plain = match &expr.kind {
        ExprKind::Var(var) => values[var.index()].is_some(),
        ExprKind::Method(..) | ExprKind::Function(..) | ExprKind::ConstFact(_) => false,
        _ => true,
    };
    is_plain && children(expr).into_iter().all(|child| is_known(child, values))
}

type Bound = Vec<(crate::rule::VarId, Shape)>;

fn matches(rule: &Rule, pattern: TermId, term: &Shape, bound: &mut Bound) -> bool {
    match (&rule.terms[pattern].kind, term) {
        (NodeKind::Var(var), _) => {
            if rule.vars[*var].kind == VarKind::Constant
                && !matches!(term, Shape::Constant | Shape::Literal(_))
            {
                return false;
            }
            match bound.iter().find(|b| b.0 == *var) {
                Some((_, known)) => same(known, term),
                None => {
                    bound.push((*var, term.clone()));
                    true
                }
            }
        }
        (NodeKind::Literal(_), Shape::Constant) => true,
        (NodeKind::Literal(a), Shape::Literal(b)) => a == b,
        (NodeKind::Op(op, patterns), Shape::Op(other, args)) if op == other => {
            let mark = bound.clone();
            if patterns.iter().zip(args).all(|(&p, a)| matches(rule, p, a, bound)) {
                return true;
            }
            *bound = mark;
            op.row().algebra.commutative
                && args.len() == 2
                && matches(rule, patterns[0], &args[1], bound)
                && matches(rule, patterns[1], &args[0], bound)
        }
        _ => false,
    }
}

fn build(rule: &Rule, term: TermId, bound: &Bound) -> Shape {
    match &rule.terms[term].kind {
        NodeKind::Var(var) => match bound.iter().find(|b| b.0 == *var) {
            Some((_, shape)) => shape.clone(),
            None => Shape::Constant,
        },
        NodeKind::Literal(literal) => Shape::Literal(*literal),
        NodeKind::Reuse(term) => build(rule, *term, bound),
        NodeKind::Op(op, args) => Shape::Op(*op, args.iter().map(|&a| build(rule, a, bound)).collect()),
    }
}
