//! The constants that a rule names, at which it may be wrong and nowhere else.
//!
//! A trial that draws inputs anywhere never meets `x == 0.3`. So the literals of a rule, what its expressions make of them
//! without variables, and what it compares constants with are among its inputs, and so are their neighbours.

use planish_base::Id;
use planish_ops::{Datum, FloatFormat, Machine, Op, Real, Type};

use crate::eval::{Eval, Val, concrete, literal, result_literal};
use crate::functions::Compute;
use crate::rule::{Expr, ExprKind, Literal, Node, NodeKind, Rule, VarId, VarKind};
use crate::semantics::{children, expressions};

/// The constants of a rule, those of target and pattern and those that expressions have without variables.
#[derive(Clone, Debug, Default)]
pub(crate) struct Named {
    /// Integers, and floats that are whole, in ascending order.
    pub integers: Vec<i128>,
    /// Floats, and integers as floats.
    pub floats: Vec<f64>,
}

impl Named {
    /// The constants at types that the rule admits.
    pub fn of(rule: &Rule, types: &[Type]) -> Named {
        let mut named = Named::default();
        for node in rule.terms.values() {
            if let NodeKind::Literal(value) = node.kind {
                let ty = concrete(node.ty, types);
                named.extend(literal(&mut Machine, value, ty, result_literal));
            }
        }
        for expr in expressions(rule) {
            match expr.kind {
                ExprKind::Size(size) => named.integers.push(i128::from(size)),
                _ => named.extend(evaluated(rule, types, expr, &mut Vec::new())),
            }
        }
        named.integers.extend(types.iter().filter_map(|ty| ty.int_width()).map(i128::from));
        let whole = |float: &f64| float.fract() == 0.0 && float.abs() < 1e18;
        let as_integers: Vec<i128> = named.floats.iter().filter(|f| whole(f)).map(|&f| f as i128).collect();
        named.floats.extend(named.integers.iter().map(|&integer| integer as f64));
        named.integers.extend(as_integers);
        if has_encodings(rule) {
            named.add_encodings();
        }
        named.integers.sort_unstable();
        named.integers.dedup();
        named.floats.sort_unstable_by(f64::total_cmp);
        named.floats.dedup_by_key(|float| float.to_bits());
        named
    }

    /// Floats as the integers that encode them, and the other way round.
    fn add_encodings(&mut self) {
        let encodings = |&float: &f64| [float.to_bits() as i64, i64::from((float as f32).to_bits() as i32)];
        let integers: Vec<i64> = self.floats.iter().flat_map(encodings).collect();
        let encoded =
            |&integer: &i128| [f64::from_bits(integer as u64), f64::from(f32::from_bits(integer as u32))];
        self.floats.extend(self.integers.iter().flat_map(encoded).filter(|float| !float.is_nan()));
        self.integers.extend(integers.into_iter().map(i128::from));
    }

    fn extend(&mut self, datum: Option<Datum<Machine>>) {
        match datum {
            Some(Datum::Word(word)) => self.integers.push(i128::from(word.signed())),
            Some(Datum::Float(Real::F32(float))) => self.floats.push(f64::from(float)),
            Some(Datum::Float(Real::F64(float))) => self.floats.push(float),
            None => {}
        }
    }
}

/// Whether a rule asks for the encodings of floats.
fn has_encodings(rule: &Rule) -> bool {
    let is_one = |node: &Node| {
        matches!(node.kind, NodeKind::Op(Op::FloatToBits | Op::FloatToRawBits | Op::BitsToFloat, _))
    };
    rule.terms.values().any(is_one)
}

/// A float, its two neighbours and its negation, in a format.
pub(crate) fn neighbours(format: FloatFormat, float: f64) -> [Real; 4] {
    match format {
        FloatFormat::F32 => {
            let float = float as f32;
            [float, float.next_up(), float.next_down(), -float].map(Real::F32)
        }
        FloatFormat::F64 => [float, float.next_up(), float.next_down(), -float].map(Real::F64),
    }
}

/// The floats that terms and expressions of a rule name, with their neighbours, in a format. Which NaN one is, is nobody's concern.
pub(crate) fn floats(rule: &Rule, types: &[Type], format: FloatFormat) -> Vec<Real> {
    let in_terms = rule.terms.values().filter_map(|node| match node.kind {
        NodeKind::Literal(Literal::Float(float)) => Some(float),
        _ => None,
    });
    let in_expressions = expressions(rule).into_iter().filter_map(|expr| {
        match evaluated(rule, types, expr, &mut Vec::new()) {
            Some(Datum::Float(Real::F32(float))) => Some(f64::from(float)),
            Some(Datum::Float(Real::F64(float))) => Some(float),
            _ => None,
        }
    });
    let numbers = in_terms.chain(in_expressions).filter(|float| !float.is_nan());
    numbers.flat_map(|float| neighbours(format, float)).collect()
}

/// A constant that a check compares with something else, as C2 in `C2 == 3 * C1 + 1`.
pub(crate) struct Relation<'a> {
    /// The constant.
    pub var: VarId,
    /// What it is compared with.
    pub other: &'a Expr,
}

impl Relation<'_> {
    /// Whether it is compared with another variable or a number.
    pub fn is_plain(&self) -> bool {
        children(self.other).is_empty()
    }
}

/// The constants of a pattern that checks compare.
pub(crate) fn relations(rule: &Rule) -> Vec<Relation<'_>> {
    let constant = |expr: &Expr| match expr.kind {
        ExprKind::Var(var) if rule.vars[var].kind == VarKind::Constant => Some(var),
        _ => None,
    };
    let mut found = Vec::new();
    for expr in expressions(rule) {
        if let ExprKind::Compare(_, left, right) = &expr.kind {
            for (one, other) in [(left, right), (right, left)] {
                found.extend(constant(one).map(|var| Relation { var, other }));
            }
        }
    }
    found
}

/// The value of an expression, where it is defined and made of nothing but `values`, by variable.
pub(crate) fn evaluated(
    rule: &Rule,
    types: &[Type],
    expr: &Expr,
    values: &mut Vec<Option<Val<Machine>>>,
) -> Option<Datum<Machine>> {
    values.resize(rule.vars.len(), None);
    if !is_made_of(expr, values) {
        return None;
    }
    let mut eval = Eval { b: &mut Machine, vars: &rule.vars, types, values, valid: true, ask: None };
    match eval.expr(expr) {
        Val::Datum(datum) if eval.valid => Some(datum),
        _ => None,
    }
}

fn is_made_of(expr: &Expr, values: &[Option<Val<Machine>>]) -> bool {
    let is_known = match &expr.kind {
        ExprKind::Var(var) => values[var.index()].is_some(),
        ExprKind::Function(function, _) => !matches!(function.compute, Compute::Guess(_)),
        _ => true,
    };
    is_known && children(expr).into_iter().all(|child| is_made_of(child, values))
}
