//! How far one rule gets at one place, for people who ask why it does not fire.
//!
//! A rule is tried where the operations and constants of its pattern stand. Each way in which they do is a
//! [`Trial`]: the values of the rule's variables with what is known of them, and what the rule missed. The answer
//! comes from the code that applies rules, so it is the truth about them.

use std::cmp::Reverse;

use planish_domain::IntFact;

use crate::apply::{Miss, attempt};
use crate::interpret::{Places, each_place};
use crate::matching::{Const, Flow, Rewrite, Root, Subject};
use crate::rows::Row;
use crate::rule::{NodeKind, Rule, RuleId, VarId};
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
    // Misses are ordered as a rule is tried, so the later of two is the nearer one.
    found.sort_by_key(|trial| (trial.missed.is_some(), trial.missed.map(Reverse)));
    found
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
    let bound = |var: VarId| {
        let value = at(row.var_place(rule, var)?);
        let constant = s.constant(value);
        let fact = (constant.is_none() && s.ty(value).int_width().is_some()).then(|| s.fact(value));
        Some(Binding { var, value, constant, fact })
    };
    rule.vars.ids().filter_map(bound).collect()
}

/// What a rule missed, in words: a failing step as it is written.
pub fn missed(set: &RuleSet, id: RuleId, miss: Miss) -> String {
    let rule = &set.rules[id];
    let text = |number: u32| set.text(id, rule.steps[number as usize].expr().span);
    match miss {
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
