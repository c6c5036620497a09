//! Checking conditions and computed values.
//!
//! A number takes the type of what it is computed or compared with; the checker therefore looks at the
//! side of an operator that has a type of its own first.

use planish_base::spelling::closest;
use planish_base::{Diagnostic, Span};

use super::{Checker, is_reserved, open, terms};
use crate::functions::{Function, FunctionTy};
use crate::rule::{Expr, ExprKind, ExprTy, Literal, TyKind, VarKind};
use crate::syntax::{self, Binary, Compare, Ident, Unary};
use crate::unify::Found;
use planish_domain::methods::{Kind, METHODS, Method};

impl Checker<'_> {
    /// The right-hand side of a computed value: the one place where a guess may stand.
    pub(super) fn computed(&mut self, expr: &syntax::Expr) -> Option<Expr> {
        if let syntax::ExprKind::Call(name, args) = &expr.kind {
            return self.call(name, args, None, expr.span, true);
        }
        self.expression(expr, None)
    }

    /// Checks an expression; where a type is wanted it has that type or there is an error.
    pub(super) fn expression(&mut self, expr: &syntax::Expr, want: Option<ExprTy>) -> Option<Expr> {
        let found = self.infer(expr, want)?;
        match want {
            Some(want) => self.coerce(found, want),
            None => Some(found),
        }
    }

    fn coerce(&mut self, expr: Expr, want: ExprTy) -> Option<Expr> {
        let fits = match (expr.ty, want) {
            (ExprTy::Word(a), ExprTy::Word(b))
            | (ExprTy::Float(a), ExprTy::Float(b))
            | (ExprTy::Fact(a), ExprTy::Fact(b)) => {
                let (a, b) = (super::slot(a), super::slot(b));
                self.slots.unify(a, b)
            }
            (ExprTy::Size, ExprTy::Word(_)) => {
                let span = expr.span;
                return Some(Expr { kind: ExprKind::SizeWord(Box::new(expr)), ty: want, span });
            }
            (ExprTy::Word(a), ExprTy::Fact(b)) => {
                if self.slots.unify(super::slot(a), super::slot(b)) {
                    let span = expr.span;
                    return Some(Expr { kind: ExprKind::ConstFact(Box::new(expr)), ty: want, span });
                }
                false
            }
            (a, b) => a == b,
        };
        if !fits {
            let (had, want) = (self.describe(expr.ty), self.describe(want));
            let mut error = Diagnostic::error(expr.span, format!("this is {had}, but {want} is needed here"));
            if matches!(expr.ty, ExprTy::Fact(_)) {
                error = error.note(
                    "what is known of a value is asked with methods and attributes; only names that begin \
                     with C are constants",
                );
            }
            self.report(error);
            return None;
        }
        Some(expr)
    }

    fn describe(&self, ty: ExprTy) -> String {
        let width = |ty| match self.slots.found(super::slot(ty)) {
            Found::Known(known) => format!(" of type {known}"),
            Found::Open(_) => String::new(),
        };
        match ty {
            ExprTy::Word(ty) => format!("an integer constant{}", width(ty)),
            ExprTy::Float(ty) => format!("a float constant{}", width(ty)),
            ExprTy::Bool => "a truth value".to_string(),
            ExprTy::Fact(ty) => format!("a fact about an integer{}", width(ty)),
            ExprTy::Size => "a number of bits".to_string(),
        }
    }

    fn infer(&mut self, expr: &syntax::Expr, want: Option<ExprTy>) -> Option<Expr> {
        let span = expr.span;
        match &expr.kind {
            syntax::ExprKind::Integer(value) => Some(match want {
                Some(ExprTy::Size) => Expr {
                    kind: ExprKind::Size(i64::try_from(*value).unwrap_or(i64::MAX)),
                    ty: ExprTy::Size,
                    span,
                },
                _ => self.word_literal(Literal::Integer(*value), want, span),
            }),
            syntax::ExprKind::Float(value) => Some(self.float_literal(*value, want, span)),
            syntax::ExprKind::Name(name) if is_reserved(name) => {
                Some(self.word_literal(terms::reserved(name), want, span))
            }
            syntax::ExprKind::Name(name) if name == "inf" => {
                Some(self.float_literal(f64::INFINITY, want, span))
            }
            syntax::ExprKind::Name(name) if name == "nan" => Some(self.float_literal(f64::NAN, want, span)),
            syntax::ExprKind::Name(name) => self.variable(name, want, span),
            syntax::ExprKind::Unary(operator, inner) => self.unary(*operator, inner, want, span),
            syntax::ExprKind::Binary(operator, left, right) => match operator {
                Binary::Ratio => self.ratio(left, right, want, span),
                Binary::Add | Binary::Sub | Binary::Mul => self.sum(*operator, (left, right), want, span),
                _ => self.of_words(*operator, (left, right), want, span),
            },
            syntax::ExprKind::Compare(operator, left, right) => self.compare(*operator, left, right, span),
            syntax::ExprKind::Not(inner) => {
                let inner = self.expression(inner, Some(ExprTy::Bool))?;
                Some(Expr { kind: ExprKind::Not(Box::new(inner)), ty: ExprTy::Bool, span })
            }
            syntax::ExprKind::And(left, right) | syntax::ExprKind::Or(left, right) => {
                let (left, right) =
                    (self.expression(left, Some(ExprTy::Bool)), self.expression(right, Some(ExprTy::Bool)));
                let (left, right) = (Box::new(left?), Box::new(right?));
                let kind = match expr.kind {
                    syntax::ExprKind::And(..) => ExprKind::And(left, right),
                    _ => ExprKind::Or(left, right),
                };
                Some(Expr { kind, ty: ExprTy::Bool, span })
            }
            syntax::ExprKind::Call(name, args) => self.call(name, args, want, span, false),
            syntax::ExprKind::Member(receiver, member, args) => {
                self.member(receiver, member, args.as_deref(), span)
            }
        }
    }

    fn unary(
        &mut self,
        operator: Unary,
        inner: &syntax::Expr,
        want: Option<ExprTy>,
        span: Span,
    ) -> Option<Expr> {
        let inner = self.infer(inner, want)?;
        if !matches!(inner.ty, ExprTy::Word(_) | ExprTy::Size | ExprTy::Float(_))
            || (matches!(inner.ty, ExprTy::Float(_)) && operator == Unary::Not)
        {
            let had = self.describe(inner.ty);
            self.error(inner.span, format!("`{}` needs a constant, this is {had}", operator.symbol()));
            return None;
        }
        let ty = inner.ty;
        Some(Expr { kind: ExprKind::Unary(operator, Box::new(inner)), ty, span })
    }

    /// A quotient of floats.
    fn ratio(
        &mut self,
        left: &syntax::Expr,
        right: &syntax::Expr,
        want: Option<ExprTy>,
        span: Span,
    ) -> Option<Expr> {
        let ty = match want {
            Some(ExprTy::Float(ty)) => ty,
            _ => open(self.slots.open(TyKind::Float)),
        };
        let float = Some(ExprTy::Float(ty));
        let (left, right) = (self.expression(left, float), self.expression(right, float));
        let kind = ExprKind::Binary(Binary::Ratio, Box::new(left?), Box::new(right?));
        Some(Expr { kind, ty: ExprTy::Float(ty), span })
    }

    /// An operator on words alone: a number of bits among them is a word.
    fn of_words(
        &mut self,
        operator: Binary,
        (left, right): (&syntax::Expr, &syntax::Expr),
        want: Option<ExprTy>,
        span: Span,
    ) -> Option<Expr> {
        let ty = match want {
            Some(ExprTy::Word(ty)) => ty,
            _ => open(self.slots.open(TyKind::Int)),
        };
        let word = Some(ExprTy::Word(ty));
        let (left, right) = (self.expression(left, word), self.expression(right, word));
        let kind = ExprKind::Binary(operator, Box::new(left?), Box::new(right?));
        Some(Expr { kind, ty: ExprTy::Word(ty), span })
    }

    /// A sum, difference or product of constants.
    fn sum(
        &mut self,
        operator: Binary,
        (left, right): (&syntax::Expr, &syntax::Expr),
        want: Option<ExprTy>,
        span: Span,
    ) -> Option<Expr> {
        let want = want.filter(|&w| is_constant(w));
        let (left, right) = self.pair(left, right, want)?;
        for side in [&left, &right] {
            match side.ty {
                ExprTy::Word(_) | ExprTy::Size | ExprTy::Float(_) => {}
                _ => {
                    self.no_constant(side, &format!("`{}` needs constants", operator.symbol()));
                    return None;
                }
            }
        }
        let ty = left.ty;
        Some(Expr { kind: ExprKind::Binary(operator, Box::new(left), Box::new(right)), ty, span })
    }

    fn compare(
        &mut self,
        operator: Compare,
        left: &syntax::Expr,
        right: &syntax::Expr,
        span: Span,
    ) -> Option<Expr> {
        let (left, right) = self.pair(left, right, None)?;
        for side in [&left, &right] {
            if !is_constant(side.ty) {
                self.no_constant(side, &format!("`{}` compares constants", operator.symbol()));
                return None;
            }
        }
        let kind = ExprKind::Compare(operator, Box::new(left), Box::new(right));
        Some(Expr { kind, ty: ExprTy::Bool, span })
    }

    /// Reports an operand that is no constant where `wanted` says that one belongs.
    fn no_constant(&mut self, side: &Expr, wanted: &str) {
        let error = Diagnostic::error(side.span, format!("{wanted}, this is {}", self.describe(side.ty)));
        self.report(match (&side.kind, side.ty) {
            (ExprKind::Var(_), ExprTy::Fact(_)) => error.note(
                "a variable matches a constant if its name begins with `C`; of any other only facts are known, as in \
                 `x.known_gt_const(0)`",
            ),
            _ => error,
        });
    }

    /// Both sides of an operator, of one type.
    fn pair(
        &mut self,
        left: &syntax::Expr,
        right: &syntax::Expr,
        want: Option<ExprTy>,
    ) -> Option<(Expr, Expr)> {
        if is_number(left) && !is_number(right) {
            let right = self.infer(right, want)?;
            let wanted = Some(right.ty).filter(|&ty| is_constant(ty));
            let left = self.expression(left, wanted)?;
            return Some((left, right));
        }
        let left = self.infer(left, want)?;
        let right = self.infer(right, Some(left.ty))?;
        // A number of bits beside a word is a word.
        if let (ExprTy::Size, ExprTy::Word(_)) = (left.ty, right.ty) {
            let left = self.coerce(left, right.ty)?;
            return Some((left, right));
        }
        let ty = left.ty;
        // What is no constant is reported by the caller, who knows the operator.
        if !is_constant(ty) || !is_constant(right.ty) {
            return Some((left, right));
        }
        Some((left, self.coerce(right, ty)?))
    }

    fn word_literal(&mut self, literal: Literal, want: Option<ExprTy>, span: Span) -> Expr {
        let ty = match want {
            Some(ExprTy::Word(ty)) => ty,
            _ => open(self.slots.open(TyKind::Int)),
        };
        Expr { kind: ExprKind::Literal(literal), ty: ExprTy::Word(ty), span }
    }

    fn float_literal(&mut self, value: f64, want: Option<ExprTy>, span: Span) -> Expr {
        let ty = match want {
            Some(ExprTy::Float(ty)) => ty,
            _ => open(self.slots.open(TyKind::Float)),
        };
        Expr { kind: ExprKind::Literal(Literal::Float(value)), ty: ExprTy::Float(ty), span }
    }

    fn variable(&mut self, name: &str, want: Option<ExprTy>, span: Span) -> Option<Expr> {
        let Some(&var) = self.names.get(name) else {
            let names = self.vars.values().map(|var| var.name.as_str());
            let error = misspelt(span, format!("variable `{name}` is not defined"), name, names);
            self.report(error);
            return None;
        };
        let (kind, ty, slot) = (self.vars[var].kind, self.vars[var].ty, self.var_slot(var));
        let ty = match kind {
            VarKind::Value => {
                if !self.slots.narrow(slot, TyKind::Int) {
                    self.error(span, format!("nothing is known of `{name}`: facts are about integers"));
                    return None;
                }
                ExprTy::Fact(ty)
            }
            VarKind::Constant | VarKind::Computed | VarKind::Guessed => {
                let float = matches!(self.slots.found(slot), Found::Open(TyKind::Float))
                    || matches!(self.slots.found(slot), Found::Known(planish_ops::Type::Float(_)))
                    || (matches!(want, Some(ExprTy::Float(_)))
                        && matches!(self.slots.found(slot), Found::Open(TyKind::Any)));
                let kind = if float { TyKind::Float } else { TyKind::Int };
                if !self.slots.narrow(slot, kind) {
                    self.error(span, format!("`{name}` is neither an integer nor a float"));
                    return None;
                }
                if float { ExprTy::Float(ty) } else { ExprTy::Word(ty) }
            }
            VarKind::Fact => ExprTy::Fact(ty),
            VarKind::Truth => ExprTy::Bool,
        };
        Some(Expr { kind: ExprKind::Var(var), ty, span })
    }

    fn member(
        &mut self,
        receiver: &syntax::Expr,
        member: &Ident,
        args: Option<&[syntax::Expr]>,
        span: Span,
    ) -> Option<Expr> {
        let receiver = self.infer(receiver, None)?;
        // A constant is a fact, too: the one that says all.
        let receiver = match receiver.ty {
            ExprTy::Word(ty) => self.coerce(receiver, ExprTy::Fact(ty))?,
            _ => receiver,
        };
        let ExprTy::Fact(ty) = receiver.ty else {
            let had = self.describe(receiver.ty);
            self.error(receiver.span, format!("facts are asked of values, this is {had}"));
            return None;
        };
        let Some(method) = method_named(&member.text) else {
            let message = format!("unknown method or attribute `{}`", member.text);
            let known = METHODS.iter().map(|method| method.name);
            let error = misspelt(member.span, message, &member.text, known);
            self.report(error);
            return None;
        };
        match (method.attribute, args) {
            (true, Some(_)) => {
                self.error(member.span, format!("`{}` is an attribute: no parentheses", member.text));
                return None;
            }
            (false, None) => {
                self.error(member.span, format!("`{}` is a method: it needs parentheses", member.text));
                return None;
            }
            _ => {}
        }
        let args = args.unwrap_or_default();
        self.count(&member.text, method.args.len(), args.len(), span)?;
        let wanted = |kind: Kind| match kind {
            Kind::Bool => ExprTy::Bool,
            Kind::Word => ExprTy::Word(ty),
            Kind::Fact => ExprTy::Fact(ty),
        };
        let checked: Vec<_> =
            args.iter().zip(method.args).map(|(a, &k)| self.expression(a, Some(wanted(k)))).collect();
        let args: Option<Vec<Expr>> = checked.into_iter().collect();
        let kind = ExprKind::Method(method, Box::new(receiver), args?);
        Some(Expr { kind, ty: wanted(method.result), span })
    }

    fn call(
        &mut self,
        name: &Ident,
        args: &[syntax::Expr],
        want: Option<ExprTy>,
        span: Span,
        whole: bool,
    ) -> Option<Expr> {
        if name.text == "width" {
            return self.width(args, span);
        }
        let Some(function) = Function::named(&name.text) else {
            let known = Function::names().chain(["width"]);
            let error = misspelt(name.span, format!("unknown function `{}`", name.text), &name.text, known);
            self.report(error);
            return None;
        };
        if function.is_guess() && !whole {
            self.report(
                Diagnostic::error(name.span, format!("`{}` guesses: give its result a name", name.text))
                    .note("the checks that certify a guess speak of it by name"),
            );
            return None;
        }
        self.count(&name.text, function.args.len(), args.len(), span)?;
        let result = match (function.result, want) {
            (FunctionTy::Bool, _) => ExprTy::Bool,
            (FunctionTy::Word | FunctionTy::OtherWord, Some(ExprTy::Word(ty))) => ExprTy::Word(ty),
            (FunctionTy::Word | FunctionTy::OtherWord, _) => ExprTy::Word(open(self.slots.open(TyKind::Int))),
            (FunctionTy::Float, Some(ExprTy::Float(ty))) => ExprTy::Float(ty),
            (FunctionTy::Float, _) => ExprTy::Float(open(self.slots.open(TyKind::Float))),
        };
        // Arguments that are not of the result's type are of one type among themselves.
        let other_word = ExprTy::Word(open(self.slots.open(TyKind::Int)));
        let other_float = ExprTy::Float(open(self.slots.open(TyKind::Float)));
        let wanted = |kind: FunctionTy| match (kind, result) {
            (FunctionTy::Word, ExprTy::Word(_)) | (FunctionTy::Float, ExprTy::Float(_)) => result,
            (FunctionTy::Word | FunctionTy::OtherWord, _) => other_word,
            (FunctionTy::Float, _) => other_float,
            (FunctionTy::Bool, _) => ExprTy::Bool,
        };
        let checked: Vec<_> =
            args.iter().zip(function.args).map(|(a, &k)| self.expression(a, Some(wanted(k)))).collect();
        let args: Option<Vec<Expr>> = checked.into_iter().collect();
        Some(Expr { kind: ExprKind::Function(function, args?), ty: result, span })
    }

    /// `width(x)`, of a variable or a type that the rule names.
    fn width(&mut self, args: &[syntax::Expr], span: Span) -> Option<Expr> {
        self.count("width", 1, args.len(), span)?;
        let syntax::ExprKind::Name(name) = &args[0].kind else {
            self.error(args[0].span, "`width` takes the name of a variable or of a type");
            return None;
        };
        let found =
            self.names.get(name).map(|&var| self.var_slot(var)).or(self.type_names.get(name).copied());
        let Some(slot) = found else {
            self.error(args[0].span, format!("`{name}` is neither a variable nor a type of this rule"));
            return None;
        };
        if !self.slots.narrow(slot, TyKind::Int) {
            self.error(args[0].span, format!("`{name}` is no integer"));
            return None;
        }
        Some(Expr { kind: ExprKind::Width(open(slot)), ty: ExprTy::Size, span })
    }

    fn count(&mut self, name: &str, want: usize, have: usize, span: Span) -> Option<()> {
        if want == have {
            return Some(());
        }
        let s = if want == 1 { "" } else { "s" };
        self.error(span, format!("`{name}` takes {want} argument{s}, {have} given"));
        None
    }
}

/// The method or attribute of a name. What asks about another fact may end in `_const`, as PyPy's questions about constants do:
/// a constant may stand where a fact is asked for.
fn method_named(name: &str) -> Option<&'static Method> {
    Method::named(name).or_else(|| {
        let general = Method::named(name.strip_suffix("_const")?)?;
        (general.args == [Kind::Fact] && general.result == Kind::Bool).then_some(general)
    })
}

/// An error about a name that is not known, with the known one that it may mean.
fn misspelt<'n>(
    span: Span,
    message: String,
    name: &str,
    known: impl IntoIterator<Item = &'n str>,
) -> Diagnostic {
    let error = Diagnostic::error(span, message);
    match closest(name, known) {
        Some(near) => error.note(format!("did you mean `{near}`?")),
        None => error,
    }
}

/// Whether values of a type can be computed with and compared.
fn is_constant(ty: ExprTy) -> bool {
    matches!(ty, ExprTy::Word(_) | ExprTy::Size | ExprTy::Float(_))
}

/// Whether an expression has no type of its own.
fn is_number(expr: &syntax::Expr) -> bool {
    match &expr.kind {
        syntax::ExprKind::Integer(_) | syntax::ExprKind::Float(_) => true,
        syntax::ExprKind::Name(name) => is_reserved(name) || matches!(name.as_str(), "inf" | "nan"),
        syntax::ExprKind::Unary(_, inner) => is_number(inner),
        syntax::ExprKind::Binary(_, left, right) => is_number(left) && is_number(right),
        _ => false,
    }
}
