//! A rule that holds, made more general: for all widths, for all constants in place of a number, for values in place of
//! constants, with a weaker check or none, and for other operations.
//!
//! What is tried is tried one after the other on what came of it before, and every step is proved at all widths.

use planish_ops::Op;
use planish_rules::Rule;
use planish_rules::rule::{ExprKind, Literal, NodeKind, Step, VarId, VarKind};
use planish_rules::semantics::expressions;

use super::complete::{Completed, complete};
use super::condition::{Conditioned, condition, weaker_condition};
use super::draft::Draft;
use super::examples::{examples, outcome};
use super::proved;
use crate::question::Options;

/// A more general rule.
#[derive(Clone, Debug)]
pub struct Better {
    /// What is more general.
    pub what: Vec<String>,
    /// The rule.
    pub draft: Draft,
    /// Rules with other operations that hold as well: which operation is which, and the rule.
    pub siblings: Vec<(String, Draft)>,
}

/// A way to make a rule more general: the rule, and what is more general in it.
type Way = fn(&Draft, &Options) -> Option<(Draft, String)>;

/// Looks for more general forms of a rule that holds, and for rules with other operations.
pub fn generalize(draft: &Draft, options: &Options) -> Better {
    let (what, draft) = more_general(draft, options);
    let siblings = siblings(&draft, options);
    Better { what, draft, siblings }
}

/// The most general form of a rule that is found, and what is more general in it.
pub fn more_general(draft: &Draft, options: &Options) -> (Vec<String>, Draft) {
    let (mut what, mut draft) = (Vec::new(), draft.clone());
    // A check that speaks of the numbers of the pattern is one of constants as well, which one with numbers of its own is not.
    let steps: [(Way, usize); 5] = [
        (of_any_width, 1),
        (with_weaker_checks, 1),
        (of_any_constant, 4),
        (with_weaker_checks, 4),
        (of_values, 4),
    ];
    for (step, times) in steps {
        for _ in 0..times {
            let Some((next, more)) = step(&draft, options) else { break };
            draft = next;
            what.push(more);
        }
    }
    (what, draft)
}

/// Without the types that are written.
fn of_any_width(draft: &Draft, options: &Options) -> Option<(Draft, String)> {
    let words = draft.words();
    let is_type = |text: &str| text.parse::<planish_ops::Type>().is_ok_and(|ty| ty.int_width().is_some());
    let written = words.windows(2).filter(|pair| pair[0].text == ":" && is_type(&pair[1].text));
    let places: Vec<_> = written.map(|pair| (pair[0].at.start..pair[1].at.end, String::new())).collect();
    if places.is_empty() {
        return None;
    }
    let without = draft.replaced(places);
    proved(&without, options)?;
    Some((without, "its types".to_owned()))
}

/// With a constant in place of a number of the pattern; what the target computes from the number it computes from the constant.
fn of_any_constant(draft: &Draft, options: &Options) -> Option<(Draft, String)> {
    let rule = draft.read().ok()?;
    let mut numbers: Vec<i128> = Vec::new();
    for term in rule.preorder(rule.pattern) {
        if let NodeKind::Literal(Literal::Integer(value)) = rule.terms[term].kind
            && !numbers.contains(&value)
        {
            numbers.push(value);
        }
    }
    numbers.into_iter().find_map(|number| of_constant_for(draft, &rule, number, options))
}

fn of_constant_for(draft: &Draft, rule: &Rule, number: i128, options: &Options) -> Option<(Draft, String)> {
    let name = draft.free_name("C");
    let literal = NodeKind::Literal(Literal::Integer(number));
    let range = |span: planish_base::Span| span.start as usize..span.end as usize;
    let in_pattern = rule.preorder(rule.pattern).into_iter().filter(|&term| rule.terms[term].kind == literal);
    let mut places: Vec<_> = in_pattern.map(|term| (range(rule.terms[term].span), name.clone())).collect();
    for expr in expressions(rule) {
        if matches!(expr.kind, ExprKind::Literal(Literal::Integer(value)) if value == number) {
            places.push((range(expr.span), name.clone()));
        }
    }
    // As it stands, for a number that only the pattern has.
    let plain = draft.replaced(places.clone());
    let what = format!("{name} in place of {number}");
    if proved(&plain, options).is_some() {
        return Some((plain, what));
    }
    let in_target = rule
        .target_terms()
        .into_iter()
        .filter(|&term| matches!(rule.terms[term].kind, NodeKind::Literal(Literal::Integer(_))));
    places.extend(in_target.map(|term| (range(rule.terms[term].span), "?".to_owned())));
    let open = draft.replaced(places);
    match super::complete::has_holes(open.text()).then(|| complete(open.text(), options)) {
        Some(Ok(Completed::Holds(found))) => Some((found, what)),
        // Another constant under a long condition is a riddle and no more general.
        Some(Ok(Completed::If(found))) if found.is_plain && still_holds_of(&found, &name, number) => {
            Some((found.draft, format!("{what}, with {}", found.check)))
        }
        Some(_) => None,
        None => condition(&plain, options)
            .filter(|found| still_holds_of(found, &name, number))
            .map(|found| (found.draft, format!("{what}, with {}", found.check))),
    }
}

/// Whether a condition on a constant holds where the constant is the number that it stands for: else the rule would be another one
/// and not a more general one.
fn still_holds_of(found: &Conditioned, constant: &str, number: i128) -> bool {
    let rules = || {
        let with_check = found.draft.read().ok()?;
        let Some(Step::Check(check)) = with_check.steps.last() else { return None };
        let without = found.draft.without_line(check.span.start as usize).read().ok()?;
        let (constant, _) = without.vars.iter().find(|(_, var)| var.name == constant)?;
        Some((without, with_check, constant))
    };
    let Some((without, with_check, constant)) = rules() else { return false };
    let of_number = examples(&without).into_iter().map(|one| one.with_constant(&without, constant, number));
    let mut holding = of_number.filter(|one| one.holds == Some(true) && one.is_usual).peekable();
    holding.peek().is_some() && holding.all(|one| outcome(&with_check, &one.types, &one.case).is_some())
}

/// With a value in place of a constant that nothing is computed from.
fn of_values(draft: &Draft, options: &Options) -> Option<(Draft, String)> {
    let rule = draft.read().ok()?;
    let asked: Vec<VarId> = (expressions(&rule).into_iter())
        .filter_map(|expr| match expr.kind {
            ExprKind::Var(var) => Some(var),
            _ => None,
        })
        .collect();
    let free = |(id, var): (VarId, &planish_rules::rule::Variable)| {
        (var.kind == VarKind::Constant && !asked.contains(&id)).then(|| var.name.clone())
    };
    rule.vars.iter().filter_map(free).find_map(|constant| {
        let name = draft.free_name(if draft.words().iter().any(|word| word.text == "x") { "y" } else { "x" });
        let with_value = draft.renamed(&constant, &name);
        proved(&with_value, options)?;
        Some((with_value, format!("a value in place of {constant}")))
    })
}

/// Without a check, or with a weaker one.
fn with_weaker_checks(draft: &Draft, options: &Options) -> Option<(Draft, String)> {
    let rule = draft.read().ok()?;
    let checks: Vec<_> = (rule.steps.iter())
        .filter_map(|step| match step {
            Step::Check(expr) => Some(expr.span),
            Step::Compute(..) => None,
        })
        .collect();
    checks.into_iter().find_map(|span| {
        let text = draft.text()[span.start as usize..span.end as usize].to_owned();
        let without = draft.without_line(span.start as usize);
        if proved(&without, options).is_some() {
            return Some((without, format!("no `check {text}`")));
        }
        let weaker = weaker_condition(&without, &format!("check {text}"), options)?;
        Some((weaker.draft, format!("`{}` in place of `check {text}`", weaker.check)))
    })
}

/// Operations of which one may often stand for another.
const KINDS: [&[Op]; 7] = [
    &[Op::Add, Op::Sub],
    &[Op::And, Op::Or, Op::Xor],
    &[Op::Lshift, Op::Rshift, Op::Urshift],
    &[Op::Udiv, Op::Sdiv, Op::FloorDiv],
    &[Op::Urem, Op::Srem, Op::FloorMod],
    &[Op::Lt, Op::Le, Op::Gt, Op::Ge, Op::Ult, Op::Ule, Op::Ugt, Op::Uge, Op::Eq, Op::Ne],
    &[Op::Min, Op::Max, Op::Umin, Op::Umax],
];

/// The rules that hold with another operation in place of one of the pattern, everywhere.
fn siblings(draft: &Draft, options: &Options) -> Vec<(String, Draft)> {
    let Ok(rule) = draft.read() else { return Vec::new() };
    let mut ops: Vec<Op> = (rule.preorder(rule.pattern).into_iter())
        .filter_map(|term| match rule.terms[term].kind {
            NodeKind::Op(op, _) => Some(op),
            _ => None,
        })
        .collect();
    ops.sort_unstable();
    ops.dedup();
    let others = ops.iter().flat_map(|&op| {
        let kind = KINDS.iter().find(|kind| kind.contains(&op)).copied().unwrap_or_default();
        kind.iter().filter(move |&&other| other != op).map(move |&other| (op, other))
    });
    let with_other = others.filter_map(|(op, other)| {
        let names = [Some(op.row().name), op.row().pypy];
        let uses = draft.words().into_iter().filter(|word| names.contains(&Some(word.text.as_str())));
        let places = uses.map(|word| (word.at, other.row().name.to_owned())).collect();
        let name = &rule.name;
        let sibling = draft.replaced(places).renamed(name, &format!("{name}_{other}"));
        proved(&sibling, options)?;
        Some((format!("{other} for {op}"), sibling))
    });
    with_other.collect()
}
