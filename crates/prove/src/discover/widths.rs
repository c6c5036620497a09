//! The widths for which a rule holds that is wrong for others.
//!
//! A rule that somebody means for the words of a program may be wrong for truths or words of three bits, at which it is tried as well
//! since programs have them. The most general condition on one width is looked for; where no variable has the type in question, the
//! type is written to the operation that has it.

use std::time::Instant;

use planish_ops::Type;
use planish_rules::Rule;
use planish_rules::rule::{Ty, TyKind, TypeVar, VarKind};

use super::draft::Draft;
use super::proved;
use super::vocabulary::OF_WIDTH;
use crate::question::Options;

/// A type that is written, in the order in which they are tried.
const WRITTEN: [Type; 2] = [Type::Int(32), Type::Int(64)];

/// At how many types of a rule it is looked.
const TYPES: usize = 2;

/// The rule with a condition on a width or with a type that is written, and which: the first with which it is proved. If there is a
/// limit by the clock, it is one for all of them.
pub fn at_widths(draft: &Draft, options: &Options) -> Option<(Draft, String)> {
    let rule = draft.read().ok()?;
    let integers = rule.types.iter().filter(|(_, var)| var.kind == TyKind::Int);
    let began = Instant::now();
    integers
        .take(TYPES)
        .flat_map(|(id, var)| candidates(draft, &rule, Ty::Var(id), var))
        .take_while(|_| options.clock.is_none_or(|clock| began.elapsed() < clock))
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
