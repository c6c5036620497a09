//! The value of an expression, over any [`Floats`]: for the matcher on the machine, for the prover on
//! terms.
//!
//! Expressions are strict: an out-of-range shift or a division by zero anywhere in a rule, also in the
//! part of an `or` that does not matter, makes the rule not apply. The evaluator collects these
//! conditions in [`Eval::valid`].

use planish_base::{Arena, Id};
use planish_ops::{Datum, FloatFormat, Floats, Type};

use crate::functions::{Compute, Function};
use crate::rule::{Expr, ExprKind, ExprTy, Literal, Ty, TyVar, VarId, Variable};
use crate::syntax::{Binary, Compare, Unary};
use planish_domain::FactOf;
use planish_domain::methods::{Method, Value};

/// What an expression or a variable is worth.
pub enum Val<B: Floats> {
    /// An integer or a float.
    Datum(Datum<B>),
    /// A truth value.
    Bool(B::Bool),
    /// What is known of an integer.
    Fact(FactOf<B>),
    /// A number of bits.
    Size(i64),
}

impl<B: Floats> Clone for Val<B> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<B: Floats> Copy for Val<B> {}

impl<B: Floats> Val<B> {
    /// The word. Panics on anything else: the checker saw to the types.
    pub fn word(self) -> B::Word {
        match self {
            Val::Datum(datum) => datum.word(),
            _ => panic!("expected a word"),
        }
    }

    fn truth(self) -> B::Bool {
        match self {
            Val::Bool(truth) => truth,
            _ => panic!("expected a truth value"),
        }
    }

    fn fact(self) -> FactOf<B> {
        match self {
            Val::Fact(fact) => fact,
            _ => panic!("expected a fact"),
        }
    }

    fn size(self) -> i64 {
        match self {
            Val::Size(size) => size,
            _ => panic!("expected a number of bits"),
        }
    }
}

/// Answers a method of facts in place of the method's own code: for provers that know it by its promise.
pub type Ask<'a, B> = &'a mut dyn FnMut(&mut B, &'static Method, FactOf<B>, &[Value<B>]) -> Value<B>;

/// Evaluates the expressions of one rule.
pub struct Eval<'a, B: Floats> {
    /// Where values are made.
    pub b: &'a mut B,
    /// The variables of the rule.
    pub vars: &'a Arena<VarId, Variable>,
    /// The type of each type variable.
    pub types: &'a [Type],
    /// The value of each variable so far.
    pub values: &'a mut [Option<Val<B>>],
    /// Whether everything evaluated so far is defined.
    pub valid: B::Bool,
    /// Who answers methods, if not they themselves.
    pub ask: Option<Ask<'a, B>>,
}

/// A type under an assignment.
pub fn concrete(ty: Ty, types: &[Type]) -> Type {
    match ty {
        Ty::Known(known) => known,
        Ty::Var(var) => types[TyVar::index(var)],
    }
}

/// The bits of an integer literal at a width; `None` where it does not fit, as a signed number.
pub fn integer_literal(literal: Literal, width: u32) -> Option<u64> {
    let bound = 1i128 << (width - 1);
    let fits = |value: i128| (-bound <= value && value < bound).then_some(value as u64);
    match literal {
        Literal::Integer(value) => fits(value),
        Literal::LongBit => fits(i128::from(width)),
        Literal::MinInt => Some(1 << (width - 1)),
        Literal::MaxInt => Some((1 << (width - 1)) - 1),
        Literal::Float(_) => None,
    }
}

/// The bits of an integer literal that a rule yields: as [`integer_literal`], and a truth value of one
/// bit may be written 1.
pub fn result_literal(literal: Literal, width: u32) -> Option<u64> {
    match (literal, width) {
        (Literal::Integer(1), 1) => Some(1),
        _ => integer_literal(literal, width),
    }
}

/// The encoding of a float literal.
pub fn float_literal(value: f64, format: FloatFormat) -> u64 {
    match format {
        FloatFormat::F32 => u64::from((value as f32).to_bits()),
        FloatFormat::F64 => value.to_bits(),
    }
}

/// A literal of a type; `None` where it does not fit. `fit` says which integers do.
pub fn literal<B: Floats>(
    b: &mut B,
    literal: Literal,
    ty: Type,
    fit: fn(Literal, u32) -> Option<u64>,
) -> Option<Datum<B>> {
    match (literal, ty) {
        (Literal::Float(value), Type::Float(format)) => {
            Some(Datum::Float(b.float(format, float_literal(value, format))))
        }
        (_, Type::Int(width)) => {
            let width = u32::from(width);
            fit(literal, width).map(|bits| Datum::Word(b.word(width, bits)))
        }
        _ => None,
    }
}

impl<B: Floats> Eval<'_, B> {
    fn require(&mut self, condition: B::Bool) {
        self.valid = self.b.both(self.valid, condition);
    }

    fn width(&self, ty: ExprTy) -> u32 {
        match ty {
            ExprTy::Word(ty) => concrete(ty, self.types).int_width().expect("words have integer types"),
            _ => panic!("only words have a width"),
        }
    }

    /// The truth of a condition.
    pub fn truth(&mut self, expr: &Expr) -> B::Bool {
        self.expr(expr).truth()
    }

    /// The value of an expression.
    pub fn expr(&mut self, expr: &Expr) -> Val<B> {
        match &expr.kind {
            ExprKind::Literal(value) => self.literal(*value, expr.ty),
            ExprKind::Size(size) => Val::Size(*size),
            ExprKind::Width(ty) => {
                let width =
                    concrete(*ty, self.types).int_width().expect("the checker narrowed it to integers");
                Val::Size(i64::from(width))
            }
            ExprKind::SizeWord(size) => self.size_as_word(size, expr.ty),
            ExprKind::ConstFact(inner) => {
                let word = self.expr(inner).word();
                Val::Fact(planish_domain::fact::constant(self.b, word))
            }
            ExprKind::Var(var) => self.values[Id::index(*var)].expect("variables are defined before use"),
            ExprKind::Unary(operator, inner) => self.unary(*operator, inner),
            ExprKind::Binary(operator, left, right) => self.arithmetic(*operator, left, right),
            ExprKind::Compare(operator, left, right) => {
                let (left, right) = (self.expr(left), self.expr(right));
                Val::Bool(self.compare(*operator, left, right))
            }
            ExprKind::Not(inner) => {
                let inner = self.truth(inner);
                Val::Bool(self.b.negate(inner))
            }
            ExprKind::And(left, right) => {
                let (left, right) = (self.truth(left), self.truth(right));
                Val::Bool(self.b.both(left, right))
            }
            ExprKind::Or(left, right) => {
                let (left, right) = (self.truth(left), self.truth(right));
                Val::Bool(self.b.either(left, right))
            }
            ExprKind::Method(method, receiver, args) => self.method(method, receiver, args),
            ExprKind::Function(function, args) => self.function(function, args, expr.ty),
        }
    }

    fn literal(&mut self, value: Literal, ty: ExprTy) -> Val<B> {
        let ty = match ty {
            ExprTy::Word(ty) | ExprTy::Float(ty) => concrete(ty, self.types),
            _ => panic!("literals are words or floats"),
        };
        let datum = literal(self.b, value, ty, integer_literal);
        Val::Datum(datum.expect("the assignment admits the literals of the rule"))
    }

    /// A number of bits as a word, which it has to fit.
    fn size_as_word(&mut self, size: &Expr, ty: ExprTy) -> Val<B> {
        let (size, width) = (self.expr(size).size(), self.width(ty));
        let bits = integer_literal(Literal::Integer(i128::from(size)), width);
        let fits = self.b.truth(bits.is_some());
        self.require(fits);
        Val::Datum(Datum::Word(self.b.word(width, bits.unwrap_or(0))))
    }

    fn arithmetic(&mut self, operator: Binary, left: &Expr, right: &Expr) -> Val<B> {
        let (left, right) = (self.expr(left), self.expr(right));
        match (left, right) {
            (Val::Size(a), Val::Size(c)) => Val::Size(match operator {
                Binary::Add => a.saturating_add(c),
                Binary::Sub => a.saturating_sub(c),
                Binary::Mul => a.saturating_mul(c),
                _ => panic!("the checker allows sums and products of sizes"),
            }),
            (Val::Datum(Datum::Float(a)), Val::Datum(Datum::Float(c))) => {
                Val::Datum(Datum::Float(match operator {
                    Binary::Add => self.b.f_add(a, c),
                    Binary::Sub => self.b.f_sub(a, c),
                    Binary::Mul => self.b.f_mul(a, c),
                    Binary::Ratio => self.b.f_div(a, c),
                    _ => panic!("the checker allows the four kinds of arithmetic of floats"),
                }))
            }
            _ => Val::Datum(Datum::Word(self.binary(operator, left.word(), right.word()))),
        }
    }

    /// What a method of facts answers.
    fn method(&mut self, method: &'static Method, receiver: &Expr, args: &[Expr]) -> Val<B> {
        let receiver = self.expr(receiver).fact();
        let args: Vec<Value<B>> = args
            .iter()
            .map(|arg| match self.expr(arg) {
                Val::Fact(fact) => Value::Fact(fact),
                word => Value::Word(word.word()),
            })
            .collect();
        if let Some(defined) = method.defined(self.b, receiver) {
            self.require(defined);
        }
        let answer = match &mut self.ask {
            Some(ask) => ask(self.b, method, receiver, &args),
            None => method.call(self.b, receiver, &args),
        };
        match answer {
            Value::Bool(truth) => Val::Bool(truth),
            Value::Word(word) => Val::Datum(Datum::Word(word)),
            Value::Fact(fact) => Val::Fact(fact),
        }
    }

    fn function(&mut self, function: &Function, args: &[Expr], ty: ExprTy) -> Val<B> {
        let args: Vec<Val<B>> = args.iter().map(|a| self.expr(a)).collect();
        match &function.compute {
            Compute::Word(f) => {
                let words: Vec<B::Word> = args.iter().map(|a| a.word()).collect();
                Val::Datum(Datum::Word(f.apply(self.b, &words)))
            }
            Compute::Resize(f) => {
                let width = self.width(ty);
                let resized = f.apply(self.b, args[0].word(), width);
                let legal = self.b.truth(resized.is_some());
                self.require(legal);
                let word = resized.unwrap_or_else(|| self.b.word(width, 0));
                Val::Datum(Datum::Word(word))
            }
            Compute::WordTest(f) => Val::Bool(f.apply(self.b, args[0].word())),
            Compute::Float(f) => {
                let Val::Datum(datum) = args[0] else { panic!("expected a float") };
                Val::Datum(Datum::Float(f.apply(self.b, datum.float())))
            }
            Compute::FloatTest(f) => {
                let Val::Datum(datum) = args[0] else { panic!("expected a float") };
                Val::Bool(f.apply(self.b, datum.float()))
            }
            Compute::Guess(_) => unreachable!("guessed variables are inputs"),
        }
    }

    fn unary(&mut self, operator: Unary, inner: &Expr) -> Val<B> {
        match (operator, self.expr(inner)) {
            (Unary::Neg, Val::Size(size)) => Val::Size(-size),
            (Unary::Not, Val::Size(size)) => Val::Size(!size),
            (Unary::Neg, Val::Datum(Datum::Float(a))) => Val::Datum(Datum::Float(self.b.f_neg(a))),
            (Unary::Neg, a) => Val::Datum(Datum::Word(self.b.neg(a.word()))),
            (Unary::Not, a) => Val::Datum(Datum::Word(self.b.not(a.word()))),
        }
    }

    fn binary(&mut self, operator: Binary, a: B::Word, c: B::Word) -> B::Word {
        match operator {
            Binary::Add => self.b.add(a, c),
            Binary::Sub => self.b.sub(a, c),
            Binary::Mul => self.b.mul(a, c),
            Binary::And => self.b.and(a, c),
            Binary::Or => self.b.or(a, c),
            Binary::Xor => self.b.xor(a, c),
            Binary::Shl | Binary::Shr | Binary::UShr => {
                let bits = self.b.width(a);
                // The width is a word of itself: 2^w > w.
                let bits = self.b.word(bits, u64::from(bits));
                let in_range = self.b.ult(c, bits);
                self.require(in_range);
                match operator {
                    Binary::Shl => self.b.shl(a, c),
                    Binary::Shr => self.b.ashr(a, c),
                    _ => self.b.lshr(a, c),
                }
            }
            Binary::Div | Binary::Mod | Binary::UDiv | Binary::UMod => {
                let nonzero = self.b.is_nonzero(c);
                self.require(nonzero);
                match operator {
                    Binary::UDiv => self.b.udiv(a, c),
                    Binary::UMod => self.b.urem(a, c),
                    _ => self.floor(operator, a, c),
                }
            }
            Binary::Ratio => panic!("the checker allows ratios of floats"),
        }
    }

    /// Quotient or remainder, rounding down: the remainder has the sign of the divisor.
    fn floor(&mut self, operator: Binary, a: B::Word, c: B::Word) -> B::Word {
        let op = if operator == Binary::Div { planish_ops::Op::FloorDiv } else { planish_ops::Op::FloorMod };
        let width = self.b.width(a);
        let args = [Datum::Word(a), Datum::Word(c)];
        let meaning = op.meaning(self.b, &args, &[Type::Int(width as u8)]);
        meaning.expect("division has a meaning").value.word()
    }

    fn compare(&mut self, operator: Compare, left: Val<B>, right: Val<B>) -> B::Bool {
        if let (Val::Size(a), Val::Size(c)) = (left, right) {
            let holds = match operator {
                Compare::Eq => a == c,
                Compare::Ne => a != c,
                Compare::Lt | Compare::Ult => a < c,
                Compare::Le | Compare::Ule => a <= c,
                Compare::Gt | Compare::Ugt => a > c,
                Compare::Ge | Compare::Uge => a >= c,
            };
            return self.b.truth(holds);
        }
        if let (Val::Datum(Datum::Float(a)), Val::Datum(Datum::Float(c))) = (left, right) {
            return match operator {
                Compare::Eq => self.b.f_eq(a, c),
                Compare::Ne => {
                    let equal = self.b.f_eq(a, c);
                    self.b.negate(equal)
                }
                Compare::Lt | Compare::Ult => self.b.f_lt(a, c),
                Compare::Le | Compare::Ule => self.b.f_le(a, c),
                Compare::Gt | Compare::Ugt => self.b.f_lt(c, a),
                Compare::Ge | Compare::Uge => self.b.f_le(c, a),
            };
        }
        let (a, c) = (left.word(), right.word());
        match operator {
            Compare::Eq => self.b.eq(a, c),
            Compare::Ne => self.b.ne(a, c),
            Compare::Lt => self.b.slt(a, c),
            Compare::Le => self.b.sle(a, c),
            Compare::Gt => self.b.slt(c, a),
            Compare::Ge => self.b.sle(c, a),
            Compare::Ult => self.b.ult(a, c),
            Compare::Ule => self.b.ule(a, c),
            Compare::Ugt => self.b.ult(c, a),
            Compare::Uge => self.b.ule(c, a),
        }
    }
}
