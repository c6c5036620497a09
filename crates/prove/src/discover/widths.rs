//! The widths for which a rule holds that is wrong for others.
//!
//! A rule that somebody means for the words of a program may be wrong for truths or words of three bits, at which it is tried as well
//! since programs have them. The most general condition on one width is looked for; where no variable has the type in question, the
//! type is written to the operation that has it.

use planish_ops::Type;
use planish_rules::Rule;
use planish_rules::rule::{Ty, TyKind, TypeVar, VarKind};

use super::draft::Draft;
use super::proved;
use crate::question::Options;

/// What may be asked of the width of `@`, the most general first.
pub(super) const OF_WIDTH: [&str; 9] = [
    "width(@) > 1",
    "width(@) >= 8",
    "width(@) >= 16",
    "width(@) >= 32",
    "width(@) <= 32",
    "width(@) == 64",
    "width(@) <= 16",
    "width(@) == 32",
    "width(@) <= 8",
];

/// A type that is written, in the order in which they are tried.
const WRITTEN: [Type; 2] = [Type::Int(32), Type::Int(64)];

/// The rule with a condition on a width or with a type that is written, and which: the first with which it is proved.
pub fn at_widths(draft: &Draft, options: &Options) -> Option<(Draft, String)> {
    let rule = draft.read().ok()?;
    let integers = rule.types.iter().filter(|(_, var)| var.kind == TyKind::Int);
    integers
        .flat_map(|(id, var)| candidates(draft, &rule, Ty::Var(id), var))
        .find(|(candidate, _)| proved(candidate, options).is_some())
}

/// The candidates for one type.
fn candidates(draft: &Draft, rule: &Rule, ty: Ty, var: &TypeVar) -> Vec<(Draft, String)> {
    let named = (rule.vars.values())
        .filter(|variable| variable.ty == ty)
        .find(|variable| matches!(variable.kind, VarKind::Value | VarKind::Constant));
    if let Some(named) = named {
        let checks = OF_WIDTH.map(|asked| format!("check {}", asked.replace('@', &named.name)));
        return checks.map(|check| (draft.with_line(&check), check)).into();
    }
    let span = rule.terms[var.witness].span;
    let (start, end) = (span.start as usize, span.end as usize);
    let of_type = |ty: Type| {
        let what = format!("{}: {ty}", &draft.text()[start..end]);
        (draft.replaced(vec![(end..end, format!(": {ty}"))]), what)
    };
    WRITTEN.map(of_type).into()
}
