//! Whether the conditions of a rule hold wherever another rule applies.
//!
//! They do where the other has the same conditions, and where its literals decide them: `check C > 3` holds wherever a pattern has
//! 5 in the place of `C`. What a rule computes is no condition, unless it may be undefined or is guessed. Whatever else is said
//! of facts and of constants that are not known may differ, and rules whose conditions only overlap are both of use.

use planish_base::Id;
use planish_domain::methods::Query;
use planish_domain::{FactOf, IntFact};
use planish_ops::{Datum, Machine, Type};

use crate::apply::unpack;
use crate::eval::{Eval, Val, concrete, integer_literal, literal};
use crate::functions::Compute;
use crate::rows::Row;
use crate::rule::{Expr, ExprKind, Literal, NodeKind, Rule, Step, Ty, VarId, VarKind};
use crate::semantics::children;
use crate::syntax::Binary;

/// A rule and an order of its operands.
#[derive(Clone, Copy)]
pub(crate) struct Ordered<'a> {
    pub rule: &'a Rule,
    pub row: &'a Row,
}

/// Types of the variables of the general rule, and of the special one, where both apply.
pub type Types = (Vec<Type>, Vec<Type>);

/// Whether all steps of the general rule succeed wherever the special one applies, which is at these types.
pub(crate) fn steps_succeed(general: Ordered<'_>, special: Ordered<'_>, types: &[Types]) -> bool {
    if general.rule.steps.is_empty() {
        return true;
    }
    let values = types.iter().map(|of| literals(general, special, of)).collect();
    let mut implied = Implied { general, special, types, same: vec![None; general.rule.vars.len()], values };
    general.rule.steps.iter().all(|step| implied.succeeds(step))
}

struct Implied<'a> {
    general: Ordered<'a>,
    special: Ordered<'a>,
    types: &'a [Types],
    /// By variable that the general rule computes: the one of the special rule that is the same.
    same: Vec<Option<VarId>>,
    /// At each of the types: the values of the general rule's variables that the special one decides.
    values: Vec<Vec<Option<Val<Machine>>>>,
}

/// The values of variables in whose places the special rule has literals.
fn literals(
    general: Ordered<'_>,
    special: Ordered<'_>,
    (of_general, of_special): &Types,
) -> Vec<Option<Val<Machine>>> {
    let value = |var: VarId| {
        let variable = &general.rule.vars[var];
        let place = general.row.var_place(general.rule, var)?;
        let term = special.row.places.iter().find(|p| p.1 == place)?.0;
        let NodeKind::Literal(written) = special.rule.terms[term].kind else { return None };
        let ty = concrete(special.rule.terms[term].ty, of_special);
        debug_assert_eq!(ty, concrete(variable.ty, of_general));
        let datum = literal(&mut Machine, written, ty, integer_literal)?;
        match (variable.kind, datum) {
            (VarKind::Constant, _) => Some(Val::Datum(datum)),
            (VarKind::Value, Datum::Word(word)) => {
                let fact: FactOf<Machine> = unpack(IntFact::constant(word));
                Some(Val::Fact(fact))
            }
            _ => None,
        }
    };
    general.rule.vars.ids().map(value).collect()
}

impl Implied<'_> {
    fn succeeds(&mut self, step: &Step) -> bool {
        for other in &self.special.rule.steps {
            match (step, other) {
                (Step::Check(one), Step::Check(other)) if self.are_same(one, other) => return true,
                (Step::Compute(var, one), Step::Compute(of_other, other)) if self.are_same(one, other) => {
                    self.same[var.index()] = Some(*of_other);
                    return true;
                }
                _ => {}
            }
        }
        if let Some(decided) = self.decided(step) {
            return decided;
        }
        matches!(step, Step::Compute(..)) && is_total(step.expr())
    }

    /// Whether a step succeeds, where the literals of the special rule decide that at all types.
    fn decided(&mut self, step: &Step) -> Option<bool> {
        let vars = &self.general.rule.vars;
        for ((types, _), values) in self.types.iter().zip(&mut self.values) {
            if !speaks_of_known(step.expr(), values) {
                return None;
            }
            let mut eval = Eval { b: &mut Machine, vars, types, values, valid: true, ask: None };
            let value = eval.expr(step.expr());
            match (step, value, eval.valid) {
                (_, _, false) | (Step::Check(_), Val::Bool(false), _) => return Some(false),
                (Step::Compute(var, _), value, _) => values[var.index()] = Some(value),
                (Step::Check(_), ..) => {}
            }
        }
        Some(true)
    }

    fn are_same(&self, one: &Expr, other: &Expr) -> bool {
        use ExprKind as E;
        let heads = match (&one.kind, &other.kind) {
            (E::Literal(x), E::Literal(y)) => x == y && self.are_one_type(one, other),
            (E::Size(x), E::Size(y)) => x == y,
            (E::Width(x), E::Width(y)) => self.have_one_type(*x, *y),
            (E::SizeWord(_), E::SizeWord(_)) => self.are_one_type(one, other),
            (E::ConstFact(_), E::ConstFact(_))
            | (E::Not(_), E::Not(_))
            | (E::And(..), E::And(..))
            | (E::Or(..), E::Or(..)) => true,
            (E::Var(x), E::Var(y)) => return self.are_one(*x, *y),
            (E::Unary(x, _), E::Unary(y, _)) => x == y,
            (E::Binary(x, ..), E::Binary(y, ..)) => x == y,
            (E::Compare(x, ..), E::Compare(y, ..)) => x == y,
            (E::Method(x, ..), E::Method(y, ..)) => std::ptr::eq(*x, *y),
            (E::Function(x, _), E::Function(y, _)) => std::ptr::eq(*x, *y) && self.are_one_type(one, other),
            _ => false,
        };
        let (below, of_other) = (children(one), children(other));
        heads
            && below.len() == of_other.len()
            && below.into_iter().zip(of_other).all(|(one, other)| self.are_same(one, other))
    }

    /// Whether two variables are one value.
    fn are_one(&self, one: VarId, other: VarId) -> bool {
        let Ordered { rule, row } = self.special;
        match self.general.row.var_place(self.general.rule, one) {
            // In the places of a variable that stands in several there is one value.
            Some(place) => {
                let at = row.places.iter().find(|p| p.1 == place).map(|p| &rule.terms[p.0].kind);
                at == Some(&NodeKind::Var(other)) && self.general.rule.vars[one].kind == rule.vars[other].kind
            }
            None => self.same[one.index()] == Some(other),
        }
    }

    fn are_one_type(&self, one: &Expr, other: &Expr) -> bool {
        use crate::rule::ExprTy as T;
        match (one.ty, other.ty) {
            (T::Word(x), T::Word(y)) | (T::Float(x), T::Float(y)) | (T::Fact(x), T::Fact(y)) => {
                self.have_one_type(x, y)
            }
            (x, y) => x == y,
        }
    }

    fn have_one_type(&self, one: Ty, other: Ty) -> bool {
        self.types.iter().all(|(of_one, of_other)| concrete(one, of_one) == concrete(other, of_other))
    }
}

/// Whether an expression speaks of known values alone, so that it has a value.
fn speaks_of_known(expr: &Expr, values: &[Option<Val<Machine>>]) -> bool {
    let known = match &expr.kind {
        ExprKind::Var(var) => values[var.index()].is_some(),
        ExprKind::Function(function, _) => !matches!(function.compute, Compute::Guess(_)),
        _ => true,
    };
    known && children(expr).into_iter().all(|below| speaks_of_known(below, values))
}

/// Whether an expression has a value whatever its variables are.
fn is_total(expr: &Expr) -> bool {
    let total = match &expr.kind {
        ExprKind::Binary(operator, _, amount) => match operator {
            Binary::Shl | Binary::Shr | Binary::UShr => false,
            Binary::Div | Binary::Mod | Binary::UDiv | Binary::UMod => is_nonzero(amount),
            _ => true,
        },
        ExprKind::SizeWord(_) => false,
        ExprKind::Method(method, ..) => method.query != Query::GetConstantInt,
        ExprKind::Function(function, _) => {
            !matches!(function.compute, Compute::Guess(_) | Compute::Resize(_))
        }
        _ => true,
    };
    total && children(expr).into_iter().all(is_total)
}

fn is_nonzero(expr: &Expr) -> bool {
    matches!(expr.kind, ExprKind::Literal(Literal::Integer(value)) if value != 0)
}
