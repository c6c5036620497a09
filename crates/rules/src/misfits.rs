//! Diagnosis of literals that are out of range at every type that their place may have.
//!
//! A rule does not speak of types that one of its literals does not fit. Where that leaves no types at all, the
//! literal is the mistake, and what is said points to it.

use planish_base::{Diagnostic, Span};
use planish_ops::Type;

use crate::eval::integer_literal;
use crate::rule::{Expr, ExprKind, ExprTy, Literal, NodeKind, Rule, TermId, Ty};
use crate::semantics::children;
use crate::speaks::WIDTHS;

impl Rule {
    /// The first integer of the rule that fits none of the types of its place, as an error; `None` if there is none.
    pub(crate) fn misfit(&self) -> Option<Diagnostic> {
        let mut terms = self.preorder(self.pattern);
        terms.extend(self.target_terms());
        let of_terms = terms.into_iter().find_map(|term| self.misfit_of_term(term));
        of_terms.or_else(|| self.steps.iter().find_map(|step| misfit_of_expr(step.expr())))
    }

    fn misfit_of_term(&self, term: TermId) -> Option<Diagnostic> {
        let node = &self.terms[term];
        let NodeKind::Literal(Literal::Integer(value)) = node.kind else { return None };
        misfit(value, node.ty, node.span, self.fit(term))
    }
}

fn misfit_of_expr(expr: &Expr) -> Option<Diagnostic> {
    match (&expr.kind, expr.ty) {
        (ExprKind::Literal(Literal::Integer(value)), ExprTy::Word(ty)) => {
            misfit(*value, ty, expr.span, integer_literal)
        }
        _ => children(expr).into_iter().find_map(misfit_of_expr),
    }
}

/// The error for an integer in a place of this type, unless it fits at some width.
fn misfit(value: i128, ty: Ty, span: Span, fits: fn(Literal, u32) -> Option<u64>) -> Option<Diagnostic> {
    let widest = match ty {
        Ty::Known(Type::Int(width)) if fits(Literal::Integer(value), u32::from(width)).is_none() => {
            u32::from(width)
        }
        Ty::Var(_) if WIDTHS.iter().all(|&width| fits(Literal::Integer(value), width).is_none()) => 64,
        _ => return None,
    };
    let bound = 1i128 << (widest - 1);
    let message = format!("`{value}` does not fit i{widest}, whose numbers are {} to {}", -bound, bound - 1);
    let error = Diagnostic::error(span, message);
    Some(if (0..2 * bound).contains(&value) {
        error.note(format!("`{}` has these bits", value - 2 * bound))
    } else {
        error
    })
}
