//! Expressions as Rust.
//!
//! Words are [`Int`](planish_ops::Int)s and every primitive is a call on `Machine`, so the generated
//! text says what the evaluator does. Parts that may be undefined (shifts, divisions) end in `?`: a
//! row's function returns an option. Since expressions are strict, `and` and `or` become `&` and `|`
//! where their right side may be undefined.

use planish_base::Id;
use planish_domain::methods::Query;
use planish_ops::Type;

use super::names::type_text;
use crate::eval::{integer_literal, result_literal};
use crate::functions::{Compute, Function};
use crate::rule::{Expr, ExprKind, ExprTy, Literal, NodeKind, Rule, Ty, TyVar, VarId};
use crate::semantics::{children, expressions};
use crate::syntax::{Binary, Compare, Unary};

/// The names of one row's function.
pub struct Scope<'a> {
    rule: &'a Rule,
}

/// For each type variable with literals, the least width that they all fit, where that is more than 1.
pub fn min_widths(rule: &Rule) -> Vec<(TyVar, u32)> {
    let mut widths: Vec<(TyVar, u32)> = Vec::new();
    let mut note = |ty: Ty, literal: Literal, fit: fn(Literal, u32) -> Option<u64>| {
        let Ty::Var(var) = ty else { return };
        if matches!(literal, Literal::Float(_)) {
            return;
        }
        let least = (1..=64).find(|&w| fit(literal, w).is_some()).unwrap_or(65);
        match widths.iter_mut().find(|w| w.0 == var) {
            Some(width) => width.1 = width.1.max(least),
            None => widths.push((var, least)),
        }
    };
    // Integers of the pattern are compared with the value at hand, so they fit where they match.
    for term in rule.preorder(rule.pattern) {
        if let NodeKind::Literal(literal @ Literal::LongBit) = rule.terms[term].kind {
            note(rule.terms[term].ty, literal, integer_literal);
        }
    }
    for term in rule.target_terms() {
        if let NodeKind::Literal(literal) = rule.terms[term].kind {
            note(rule.terms[term].ty, literal, result_literal);
        }
    }
    for expr in expressions(rule) {
        if let (ExprKind::Literal(literal), ExprTy::Word(ty)) = (&expr.kind, expr.ty) {
            note(ty, *literal, integer_literal);
        }
    }
    widths.retain(|w| w.1 > 1);
    widths
}

/// Whether the Rust of an expression speaks of a type variable.
pub fn mentions(expr: &Expr, var: TyVar) -> bool {
    let here = match (&expr.kind, expr.ty) {
        (ExprKind::Literal(_) | ExprKind::SizeWord(_), ExprTy::Word(ty) | ExprTy::Float(ty)) => {
            ty == Ty::Var(var)
        }
        (ExprKind::Width(ty), _) => *ty == Ty::Var(var),
        (ExprKind::Function(function, _), ExprTy::Word(ty)) => {
            matches!(function.compute, Compute::Resize(_)) && ty == Ty::Var(var)
        }
        _ => false,
    };
    here || children(expr).into_iter().any(|child| mentions(child, var))
}

/// Whether an expression may be undefined.
fn partial(expr: &Expr) -> bool {
    let here = match &expr.kind {
        ExprKind::Binary(
            Binary::Shl
            | Binary::Shr
            | Binary::UShr
            | Binary::Div
            | Binary::Mod
            | Binary::UDiv
            | Binary::UMod,
            ..,
        ) => expr.ty != ExprTy::Size,
        ExprKind::SizeWord(_) => true,
        ExprKind::Method(method, ..) => method.query == Query::GetConstantInt,
        ExprKind::Function(function, _) => matches!(function.compute, Compute::Resize(_) | Compute::Guess(_)),
        _ => false,
    };
    here || children(expr).into_iter().any(partial)
}

impl<'a> Scope<'a> {
    /// The names of a rule.
    pub fn new(rule: &'a Rule) -> Self {
        Scope { rule }
    }

    /// The variable that holds the type of a type variable.
    pub fn type_name(&self, var: TyVar) -> String {
        format!("ty{}", var.index())
    }

    /// The variable that holds the width of a type variable.
    pub fn width_name(&self, var: TyVar) -> String {
        format!("w{}", var.index())
    }

    /// Whether a row's function needs the width of a type variable, and not only the type.
    pub fn needs_width(&self, var: TyVar) -> bool {
        let integer = |ty: Ty, literal: &Literal| ty == Ty::Var(var) && !matches!(literal, Literal::Float(_));
        let built = self.rule.target_terms().into_iter().any(|t| {
            let node = &self.rule.terms[t];
            matches!(&node.kind, NodeKind::Literal(literal) if integer(node.ty, literal))
        });
        let tested = self.rule.preorder(self.rule.pattern).into_iter().any(|t| {
            let node = &self.rule.terms[t];
            matches!(&node.kind, NodeKind::Literal(literal) if integer(node.ty, literal)
                && !matches!(literal, Literal::Integer(_)))
        });
        let asked = expressions(self.rule).into_iter().any(|expr| match (&expr.kind, expr.ty) {
            (ExprKind::Literal(_) | ExprKind::SizeWord(_), ExprTy::Word(ty)) => ty == Ty::Var(var),
            (ExprKind::Width(ty), _) => *ty == Ty::Var(var),
            (ExprKind::Function(function, _), ExprTy::Word(ty)) => {
                matches!(function.compute, Compute::Resize(_)) && ty == Ty::Var(var)
            }
            _ => false,
        });
        built || tested || asked
    }

    /// The name of a variable of the rule: its constant, its fact, or what was computed.
    pub fn var_name(&self, var: VarId) -> String {
        let variable = &self.rule.vars[var];
        let lower = variable.name.to_ascii_lowercase();
        match variable.kind {
            crate::rule::VarKind::Value => format!("{lower}_fact"),
            _ => format!("the_{lower}"),
        }
    }

    /// Whether a type is a float's.
    pub fn is_float(&self, ty: Ty) -> bool {
        match ty {
            Ty::Known(known) => matches!(known, Type::Float(_)),
            Ty::Var(var) => self.rule.types[var].kind == crate::rule::TyKind::Float,
        }
    }

    fn width_text(&self, ty: Ty) -> String {
        match ty {
            Ty::Known(known) => known.int_width().expect("words have integer types").to_string(),
            Ty::Var(var) => self.width_name(var),
        }
    }

    /// An integer literal.
    pub fn integer(&self, literal: Literal, ty: Ty) -> String {
        let width = self.width_text(ty);
        match literal {
            Literal::Integer(value) if value < 0 => format!("Int::new({width}, {}i64 as u64)", value as i64),
            Literal::Integer(value) => format!("Int::new({width}, {})", value as u64),
            Literal::LongBit => format!("Int::new({width}, u64::from({width}))"),
            Literal::MinInt => format!("Int::new({width}, 1 << ({width} - 1))"),
            Literal::MaxInt => format!("Int::new({width}, (1 << ({width} - 1)) - 1)"),
            Literal::Float(_) => unreachable!("floats are written elsewhere"),
        }
    }

    /// A float literal.
    pub fn float(&self, value: f64, ty: Ty) -> String {
        let ty = match ty {
            Ty::Known(known) => type_text(known),
            Ty::Var(var) => self.type_name(var),
        };
        let value = match value {
            v if v.is_nan() => "f64::NAN".to_string(),
            f64::INFINITY => "f64::INFINITY".to_string(),
            f64::NEG_INFINITY => "f64::NEG_INFINITY".to_string(),
            v => format!("{v:?}"),
        };
        format!("float({ty}, {value})?")
    }

    /// The negation of a condition.
    pub fn negated(&self, expr: &Expr) -> String {
        match &expr.kind {
            ExprKind::Not(inner) => self.expr(inner),
            ExprKind::Compare(operator, left, right) if !matches!(left.ty, ExprTy::Float(_)) => {
                let opposite = match operator {
                    Compare::Eq => Compare::Ne,
                    Compare::Ne => Compare::Eq,
                    Compare::Lt => Compare::Ge,
                    Compare::Le => Compare::Gt,
                    Compare::Gt => Compare::Le,
                    Compare::Ge => Compare::Lt,
                    Compare::Ult => Compare::Uge,
                    Compare::Ule => Compare::Ugt,
                    Compare::Ugt => Compare::Ule,
                    Compare::Uge => Compare::Ult,
                };
                self.compare(opposite, left, right)
            }
            ExprKind::And(..) | ExprKind::Or(..) | ExprKind::Compare(..) => format!("!({})", self.expr(expr)),
            _ => format!("!{}", self.expr(expr)),
        }
    }

    /// An expression: an `Int`, a `Real`, an `IntFact`, a `bool` or, for numbers of bits, an `i64`.
    pub fn expr(&self, expr: &Expr) -> String {
        match &expr.kind {
            ExprKind::Literal(Literal::Float(value)) => match expr.ty {
                ExprTy::Float(ty) => self.float(*value, ty),
                _ => unreachable!("float literals are floats"),
            },
            ExprKind::Literal(literal) => match expr.ty {
                ExprTy::Word(ty) => self.integer(*literal, ty),
                _ => unreachable!("integer literals are words"),
            },
            ExprKind::Size(size) => size.to_string(),
            ExprKind::Width(ty) => format!("i64::from({})", self.width_text(*ty)),
            ExprKind::SizeWord(inner) => match expr.ty {
                ExprTy::Word(ty) => format!("size_word({}, {})?", self.width_text(ty), self.expr(inner)),
                _ => unreachable!("a number of bits becomes a word"),
            },
            ExprKind::ConstFact(inner) => format!("IntFact::constant({})", self.expr(inner)),
            ExprKind::Var(var) => self.var_name(*var),
            ExprKind::Unary(operator, inner) => self.unary(*operator, inner),
            ExprKind::Binary(operator, left, right) => self.binary(*operator, left, right, expr.ty),
            ExprKind::Compare(operator, left, right) => self.compare(*operator, left, right),
            ExprKind::Not(inner) => format!("!({})", self.expr(inner)),
            ExprKind::And(left, right) => {
                let operator = if partial(right) { "&" } else { "&&" };
                format!("(({}) {operator} ({}))", self.expr(left), self.expr(right))
            }
            ExprKind::Or(left, right) => {
                let operator = if partial(right) { "|" } else { "||" };
                format!("(({}) {operator} ({}))", self.expr(left), self.expr(right))
            }
            ExprKind::Method(method, receiver, _) if method.query == Query::GetConstantInt => {
                format!("{}.as_constant()?", self.expr(receiver))
            }
            ExprKind::Method(method, receiver, args) => {
                let args: Vec<String> = args.iter().map(|a| self.expr(a)).collect();
                format!("{}.{}({})", self.expr(receiver), method.name, args.join(", "))
            }
            ExprKind::Function(function, args) => self.function(function, args, expr.ty),
        }
    }

    fn unary(&self, operator: Unary, inner: &Expr) -> String {
        let (float, size) = (matches!(inner.ty, ExprTy::Float(_)), inner.ty == ExprTy::Size);
        let inner = self.expr(inner);
        match operator {
            Unary::Neg if size => format!("-({inner})"),
            Unary::Not if size => format!("!({inner})"),
            Unary::Neg if float => format!("Machine.f_neg({inner})"),
            Unary::Neg => format!("Machine.neg({inner})"),
            Unary::Not => format!("Machine.not({inner})"),
        }
    }

    fn binary(&self, operator: Binary, left: &Expr, right: &Expr, ty: ExprTy) -> String {
        let (left, right) = (self.expr(left), self.expr(right));
        if ty == ExprTy::Size {
            return format!("({left} {} {right})", operator.symbol());
        }
        if matches!(ty, ExprTy::Float(_)) {
            let function = match operator {
                Binary::Add => "f_add",
                Binary::Sub => "f_sub",
                Binary::Mul => "f_mul",
                _ => "f_div",
            };
            return format!("Machine.{function}({left}, {right})");
        }
        match operator {
            Binary::Add => format!("Machine.add({left}, {right})"),
            Binary::Sub => format!("Machine.sub({left}, {right})"),
            Binary::Mul => format!("Machine.mul({left}, {right})"),
            Binary::And => format!("Machine.and({left}, {right})"),
            Binary::Or => format!("Machine.or({left}, {right})"),
            Binary::Xor => format!("Machine.xor({left}, {right})"),
            Binary::Div => format!("floor_div({left}, {right})?"),
            Binary::Mod => format!("floor_mod({left}, {right})?"),
            Binary::UDiv => format!("unsigned_div({left}, {right})?"),
            Binary::UMod => format!("unsigned_mod({left}, {right})?"),
            Binary::Ratio => unreachable!("ratios are of floats"),
            Binary::Shl => format!("shl({left}, {right})?"),
            Binary::Shr => format!("shr({left}, {right})?"),
            Binary::UShr => format!("ushr({left}, {right})?"),
        }
    }

    fn function(&self, function: &Function, args: &[Expr], ty: ExprTy) -> String {
        let args: Vec<String> = args.iter().map(|a| self.expr(a)).collect();
        let args = args.join(", ");
        match &function.compute {
            Compute::Word(f) => format!("WordFunction::{f:?}.apply(&mut Machine, &[{args}])"),
            Compute::WordTest(f) => format!("WordTest::{f:?}.apply(&mut Machine, {args})"),
            Compute::Float(f) => format!("FloatFunction::{f:?}.apply(&mut Machine, {args})"),
            Compute::FloatTest(f) => format!("FloatTest::{f:?}.apply(&mut Machine, {args})"),
            Compute::Resize(f) => match ty {
                ExprTy::Word(ty) => {
                    format!("Resize::{f:?}.apply(&mut Machine, {args}, {})?", self.width_text(ty))
                }
                _ => unreachable!("conversions yield words"),
            },
            Compute::Guess(_) => {
                let name = function.name.strip_prefix("guess_").expect("guesses are called so");
                format!("guess::{name}({args})?")
            }
        }
    }

    fn compare(&self, operator: Compare, left: &Expr, right: &Expr) -> String {
        let (a, c) = (self.expr(left), self.expr(right));
        if left.ty == ExprTy::Size {
            return format!("{a} {} {c}", operator.symbol().trim_end_matches('u'));
        }
        if matches!(left.ty, ExprTy::Float(_)) {
            return match operator {
                Compare::Eq => format!("Machine.f_eq({a}, {c})"),
                Compare::Ne => format!("!Machine.f_eq({a}, {c})"),
                Compare::Lt | Compare::Ult => format!("Machine.f_lt({a}, {c})"),
                Compare::Le | Compare::Ule => format!("Machine.f_le({a}, {c})"),
                Compare::Gt | Compare::Ugt => format!("Machine.f_lt({c}, {a})"),
                Compare::Ge | Compare::Uge => format!("Machine.f_le({c}, {a})"),
            };
        }
        match operator {
            Compare::Eq => format!("{a} == {c}"),
            Compare::Ne => format!("{a} != {c}"),
            Compare::Lt => format!("Machine.slt({a}, {c})"),
            Compare::Le => format!("Machine.sle({a}, {c})"),
            Compare::Gt => format!("Machine.slt({c}, {a})"),
            Compare::Ge => format!("Machine.sle({c}, {a})"),
            Compare::Ult => format!("Machine.ult({a}, {c})"),
            Compare::Ule => format!("Machine.ule({a}, {c})"),
            Compare::Ugt => format!("Machine.ult({c}, {a})"),
            Compare::Uge => format!("Machine.ule({c}, {a})"),
        }
    }
}
