//! Checking what is matched and what is built.

use planish_base::spelling::closest;
use planish_base::{Diagnostic, Span};
use planish_ops::spelling::elsewhere;
use planish_ops::{Effect, Op, Shape, Type};

use super::{Checker, has_meaning, is_reserved, open, slot};
use crate::rule::{Literal, Node, NodeKind, TermId, TyKind, VarKind};
use crate::syntax::{Ident, Term, TermKind};
use crate::unify::Slot;

impl Checker<'_> {
    /// Checks a term of the pattern. Names that are not yet known are variables of the rule.
    pub(super) fn pattern(&mut self, term: &Term, root: bool) -> Option<TermId> {
        let node = match &term.kind {
            TermKind::Name(name) if !is_reserved(name) => {
                let var = match self.names.get(name) {
                    Some(&var) => var,
                    None => {
                        let ty = open(self.slots.open(TyKind::Any));
                        let kind = if name.starts_with('C') { VarKind::Constant } else { VarKind::Value };
                        let ident = Ident { text: name.clone(), span: term.span };
                        self.define(&ident, kind, ty)
                    }
                };
                Node { kind: NodeKind::Var(var), ty: self.vars[var].ty, span: term.span }
            }
            TermKind::Apply(name, args) => {
                let args: Option<Vec<TermId>> = {
                    // All operands are checked, so that all their errors are seen.
                    let checked: Vec<_> = args.iter().map(|a| self.pattern(a, false)).collect();
                    checked.into_iter().collect()
                };
                self.apply(name, args?, term.span, root)?
            }
            _ => self.literal(term),
        };
        let id = self.terms.push(node);
        self.annotate(id, term);
        Some(id)
    }

    /// Checks a term of the target; `two` says whether an operation with two results may stand here.
    pub(super) fn build(&mut self, term: &Term, two: bool) -> Option<TermId> {
        let node = match &term.kind {
            TermKind::Name(name) if !is_reserved(name) => {
                let Some(&var) = self.names.get(name) else {
                    self.report(
                        Diagnostic::error(term.span, format!("variable `{name}` is not defined"))
                            .note("a target is made of what the pattern binds and the rule computes"),
                    );
                    return None;
                };
                let what = match self.vars[var].kind {
                    VarKind::Fact => Some("a fact"),
                    VarKind::Truth => Some("a truth value"),
                    _ => None,
                };
                if let Some(what) = what {
                    self.error(term.span, format!("`{name}` is {what}, a target needs a value"));
                    return None;
                }
                Node { kind: NodeKind::Var(var), ty: self.vars[var].ty, span: term.span }
            }
            TermKind::Apply(name, args) => {
                let checked: Vec<_> = args.iter().map(|a| self.build(a, false)).collect();
                let args: Option<Vec<TermId>> = checked.into_iter().collect();
                self.apply(name, args?, term.span, two)?
            }
            _ => self.literal(term),
        };
        let id = self.terms.push(node);
        self.annotate(id, term);
        Some(id)
    }

    /// A constant, its type still open.
    fn literal(&mut self, term: &Term) -> Node {
        let (literal, kind) = match &term.kind {
            TermKind::Integer(value) => (Literal::Integer(*value), TyKind::Int),
            TermKind::Float(value) => (Literal::Float(*value), TyKind::Float),
            TermKind::Name(name) => (reserved(name), TyKind::Int),
            TermKind::Apply(..) => unreachable!("operations are no literals"),
        };
        let ty = open(self.slots.open(kind));
        Node { kind: NodeKind::Literal(literal), ty, span: term.span }
    }

    /// Notes the type that is written after a term. It is not demanded yet: what the operations of the
    /// pattern say of types by themselves has to be known apart from what the rule asks.
    fn annotate(&mut self, id: TermId, term: &Term) {
        if let Some(written) = &term.ty {
            self.annotations.push((id, written.clone()));
        }
    }

    /// Demands the types that were noted.
    pub(super) fn demand_annotations(&mut self) {
        for (id, written) in std::mem::take(&mut self.annotations) {
            let wanted = match written.text.parse::<Type>() {
                Ok(ty) => self.slots.known(ty),
                Err(_) => match self.type_names.get(&written.text) {
                    Some(&known) => known,
                    None => {
                        if let Some(types) = types_like(&written.text) {
                            let message = format!("there is no type `{}`", written.text);
                            self.report(Diagnostic::error(written.span, message).note(types.to_owned()));
                        }
                        let fresh = self.slots.open(TyKind::Any);
                        self.type_names.insert(written.text.clone(), fresh);
                        fresh
                    }
                },
            };
            self.demand(id, wanted, written.span);
        }
    }

    /// An operation on checked operands; `root` says whether it may be a guard or have two results
    /// that matter.
    fn apply(&mut self, name: &Ident, args: Vec<TermId>, span: Span, root: bool) -> Option<Node> {
        let Some(op) = Op::from_name(&name.text).or_else(|| Op::from_pypy_name(&name.text)) else {
            let mut error = Diagnostic::error(name.span, format!("unknown operation `{}`", name.text));
            if let Some(near) = nearest(&name.text) {
                error = error.note(format!("did you mean `{near}`?"));
            }
            self.report(error);
            return None;
        };
        let row = op.row();
        if !has_meaning(op) {
            self.report(
                Diagnostic::error(name.span, format!("rules cannot speak of `{}`", name.text))
                    .note("it touches memory, references or control, which have no meaning as values"),
            );
            return None;
        }
        if row.effect == Effect::Guard && !root {
            self.error(
                name.span,
                format!(
                    "`{}` is a guard: it has no value and can only be a whole pattern or target",
                    name.text
                ),
            );
            return None;
        }
        if args.len() != row.operands.len() {
            let (want, have) = (row.operands.len(), args.len());
            let s = if want == 1 { "" } else { "s" };
            self.error(span, format!("`{}` takes {want} operand{s}, {have} given", name.text));
            return None;
        }
        let mut variables: Vec<(u8, Slot)> = Vec::new();
        for (&arg, &shape) in args.iter().zip(row.operands) {
            let wanted = self.shape(shape, &mut variables);
            let at = self.terms[arg].span;
            self.demand(arg, wanted, at);
        }
        let ty = match row.results.first() {
            Some(&shape) => self.shape(shape, &mut variables),
            None => self.slots.known(Type::State),
        };
        Some(Node { kind: NodeKind::Op(op, args), ty: open(ty), span })
    }

    /// The slot of a shape in one use of a row.
    fn shape(&mut self, shape: Shape, variables: &mut Vec<(u8, Slot)>) -> Slot {
        let kind = match shape {
            Shape::Bit => return self.slots.known(Type::I1),
            Shape::Int(_) => TyKind::Int,
            Shape::Float(_) => TyKind::Float,
            Shape::Ref | Shape::Any(_) | Shape::Free | Shape::Vector(_) | Shape::Lane => TyKind::Any,
        };
        let Some(variable) = shape.variable() else { return self.slots.open(kind) };
        if let Some(&(_, known)) = variables.iter().find(|v| v.0 == variable) {
            return known;
        }
        let fresh = self.slots.open(kind);
        variables.push((variable, fresh));
        fresh
    }

    /// The kind of values that a variable stands for, as far as the pattern says.
    pub(super) fn var_slot(&self, var: crate::rule::VarId) -> Slot {
        slot(self.vars[var].ty)
    }
}

/// The constants that have names.
pub(super) fn reserved(name: &str) -> Literal {
    match name {
        "LONG_BIT" => Literal::LongBit,
        "MININT" => Literal::MinInt,
        "MAXINT" => Literal::MaxInt,
        _ => unreachable!("only reserved names are asked for"),
    }
}

/// What types there are, for a name that looks like one of them and is none: nobody calls a type variable so.
fn types_like(name: &str) -> Option<&'static str> {
    let is_number = |digits: &str| !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
    match (name.strip_prefix('i').is_some_and(is_number), name.strip_prefix('f').is_some_and(is_number)) {
        (true, _) => Some("integer types are i1 to i64"),
        (_, true) => Some("float types are f32 and f64"),
        _ => None,
    }
}

/// The operation that a misspelt name may mean, by either of its names.
fn nearest(name: &str) -> Option<&'static str> {
    let names = planish_ops::table::ALL.iter().filter(|&&op| has_meaning(op)).flat_map(|op| {
        let row = op.row();
        [Some(row.name), row.pypy].into_iter().flatten()
    });
    elsewhere(name).or_else(|| closest(name, names))
}
