//! How far one rule gets at one place, for people who ask why it does not fire.
//!
//! A rule is tried where the operations and constants of its pattern stand. Each way in which they do is a
//! [`Trial`]: the values of the rule's variables with what is known of them, and what the rule missed. The answer
//! comes from the code that applies rules, so it is the truth about them. Where only the root of a pattern stands, the
//! trial says which part of it is not there.

use std::cmp::Reverse;

use planish_domain::IntFact;
use planish_ops::Op;

use crate::apply::{Miss, attempt};
use crate::interpret::{Places, each_place};
use crate::matching::{Const, Flow, Rewrite, Root, Subject};
use crate::rows::Row;
use crate::rule::{NodeKind, Rule, RuleId, TermId, VarId, VarKind};
use crate::set::RuleSet;

/// What a variable of the pattern stands for.
#[derive(Clone, Debug, PartialEq)]
pub struct Binding<V> {
    /// The variable.
    pub var: VarId,
    /// The value.
    pub value: V,
    /// The constant that it is.
    pub constant: Option<Const>,
    /// What is known of it; of integers only.
    pub fact: Option<IntFact>,
}

/// A place where a rule's operations and constants stand.
#[derive(Clone, Debug, PartialEq)]
pub struct Trial<V> {
    /// The variables of the pattern, in the order of the rule.
    pub bindings: Vec<Binding<V>>,
    /// What the rule missed; nothing where it applies.
    pub missed: Option<Miss>,
}

/// Tries a rule of a set at a root: the ways in which the shape of its pattern is there, those that get furthest first.
/// O(rows of the rule), besides matching itself.
pub fn trials<S: Subject>(
    s: &S,
    set: &RuleSet,
    id: RuleId,
    root: &Root<'_, S::Value>,
) -> Vec<Trial<S::Value>> {
    let rule = &set.rules[id];
    let Some(decision) = set.decision(root.op, rule.marks.explore) else { return Vec::new() };
    let mut found: Vec<Trial<S::Value>> = Vec::new();
    for row in decision.matrix.rows.values().filter(|row| row.rule == id) {
        let _ = each_place(s, &decision.matrix, root, row, &mut |at| {
            let missed = attempt(s, rule, row, root, at).err();
            found.push(Trial { bindings: bindings(s, rule, row, at), missed });
            Flow::Continue(())
        });
    }
    if found.is_empty() {
        found.extend(without_a_part(s, rule, root));
    }
    // Misses are ordered as a rule is tried, so the later of two is the nearer one.
    found.sort_by_key(|trial| (trial.missed.is_some(), trial.missed.map(Reverse)));
    found
}

/// The trial of a rule at a root at which some part of its pattern is missing.
fn without_a_part<S: Subject>(s: &S, rule: &Rule, root: &Root<'_, S::Value>) -> Option<Trial<S::Value>> {
    let NodeKind::Op(op, parts) = &rule.terms[rule.pattern].kind else { return None };
    if *op != root.op {
        return None;
    }
    let reached = Reached::of_operands(s, rule, *op, parts, root.args);
    let missed = Some(reached.missed?);
    let bindings = reached.bound.into_iter().map(|(var, value)| binding(s, var, value)).collect();
    Some(Trial { bindings, missed })
}

/// How much of a pattern stands somewhere.
struct Reached<V> {
    /// How many operations and constants do.
    parts: usize,
    /// The first part that does not.
    missed: Option<Miss>,
    /// The variables up to there.
    bound: Vec<(VarId, V)>,
}

impl<V: Copy + Ord> Reached<V> {
    /// Whether a term stands at a value.
    fn of<S: Subject<Value = V>>(s: &S, rule: &Rule, term: TermId, value: V) -> Reached<V> {
        let nodes = || std::iter::successors(s.first_node(value), |&node| s.next_node(node));
        let nothing = |parts| Reached { parts, missed: None, bound: Vec::new() };
        let missed = || {
            let instead = s.first_node(value).map(|node| s.op(node));
            Reached { missed: Some(Miss::Part(term, instead)), ..nothing(0) }
        };
        match &rule.terms[term].kind {
            NodeKind::Var(var) if rule.vars[*var].kind == VarKind::Constant => match s.constant(value) {
                Some(_) => Reached { bound: vec![(*var, value)], ..nothing(1) },
                None => missed(),
            },
            NodeKind::Var(var) => Reached { bound: vec![(*var, value)], ..nothing(0) },
            NodeKind::Literal(_) if s.constant(value).is_some() => nothing(1),
            NodeKind::Op(op, parts) => match nodes().find(|&node| s.op(node) == *op) {
                Some(node) => {
                    let operands: Vec<V> = (0..parts.len()).map(|index| s.operand(node, index)).collect();
                    let below = Reached::of_operands(s, rule, *op, parts, &operands);
                    Reached { parts: below.parts + 1, ..below }
                }
                None => missed(),
            },
            _ => missed(),
        }
    }

    /// Whether the operands of an operation stand, in the order in which more of them does.
    fn of_operands<S: Subject<Value = V>>(
        s: &S,
        rule: &Rule,
        op: Op,
        parts: &[TermId],
        values: &[V],
    ) -> Reached<V> {
        let in_order = |values: &[V]| {
            let mut all = Reached { parts: 0, missed: None, bound: Vec::new() };
            for (&part, &value) in parts.iter().zip(values) {
                let one = Reached::of(s, rule, part, value);
                all.parts += one.parts;
                if all.missed.is_none() {
                    all.bound.extend(one.bound);
                }
                all.missed = all.missed.or(one.missed);
            }
            all
        };
        let straight = in_order(values);
        match values {
            &[a, b] if op.row().algebra.commutative => {
                let crossed = in_order(&[b, a]);
                if crossed.parts > straight.parts { crossed } else { straight }
            }
            _ => straight,
        }
    }
}

/// What one rule of a set makes of a root, the others apart.
pub fn first_rewrite<S: Subject>(
    s: &S,
    set: &RuleSet,
    id: RuleId,
    root: &Root<'_, S::Value>,
) -> Option<Rewrite<S::Value>> {
    let rule = &set.rules[id];
    let decision = set.decision(root.op, rule.marks.explore)?;
    let mut first = None;
    for row in decision.matrix.rows.values().filter(|row| row.rule == id) {
        let flow = each_place(s, &decision.matrix, root, row, &mut |at| {
            first = attempt(s, rule, row, root, at).ok();
            if first.is_some() { Flow::Break(()) } else { Flow::Continue(()) }
        });
        if flow.is_break() {
            break;
        }
    }
    first
}

fn bindings<S: Subject>(s: &S, rule: &Rule, row: &Row, at: Places<'_, S::Value>) -> Vec<Binding<S::Value>> {
    rule.vars.ids().filter_map(|var| Some(binding(s, var, at(row.var_place(rule, var)?)))).collect()
}

fn binding<S: Subject>(s: &S, var: VarId, value: S::Value) -> Binding<S::Value> {
    let constant = s.constant(value);
    let fact = (constant.is_none() && s.ty(value).int_width().is_some()).then(|| s.fact(value));
    Binding { var, value, constant, fact }
}

/// What a rule missed, in words: a failing step as it is written.
pub fn missed(set: &RuleSet, id: RuleId, miss: Miss) -> String {
    let rule = &set.rules[id];
    let text = |number: u32| set.text(id, rule.steps[number as usize].expr().span);
    match miss {
        Miss::Part(term, instead) => {
            let part = set.text(id, rule.terms[term].span);
            let what = match &rule.terms[term].kind {
                NodeKind::Var(_) => format!("`{part}` would have to be a constant"),
                _ => format!("`{part}` does not stand there"),
            };
            instead.map_or(what.clone(), |op| format!("{what}, where a result of `{op}` is"))
        }
        Miss::Unequal => format!("{} would have to be two values", twice(rule).join(" or ")),
        Miss::Types => "the rule is not about these types".to_owned(),
        Miss::Literal => "a constant is not the one in the pattern".to_owned(),
        Miss::Cost => "other uses keep the operations of the pattern, so it would not pay".to_owned(),
        Miss::Check(step) => format!("`{}` does not hold", text(step)),
        Miss::Undefined(step) => format!("`{}` shifts out of range or divides by zero", text(step)),
        Miss::Guess(step) => format!("`{}` finds no constant", text(step)),
    }
}

/// The variables that stand more than once in the pattern.
fn twice(rule: &Rule) -> Vec<String> {
    let pattern = rule.preorder(rule.pattern);
    let stands = |var: VarId| pattern.iter().filter(|&&t| rule.terms[t].kind == NodeKind::Var(var)).count();
    rule.vars.iter().filter(|&(var, _)| stands(var) > 1).map(|(_, v)| format!("`{}`", v.name)).collect()
}
