//! The type checker: `syntax` to [`Rule`].
//!
//! It resolves names, infers types by unification against the rows of the table, and reports every
//! error of every rule of a file with its place: undefined and redefined variables, wrong arity, wrong
//! types, unknown operations, methods and functions, types that the pattern does not determine.
//!
//! Only operations with a meaning in the table may stand in a rule, and the guards whose condition is
//! a value; what touches memory is no matter of rules.
//!
//! `terms` checks patterns and targets, `expressions` checks conditions and computed values.

mod expressions;
mod reuse;
mod terms;

use hashbrown::HashMap;
use planish_base::spelling::closest;
use planish_base::{Arena, Diagnostic, Diagnostics, Id, SourceText, Span};
use planish_ops::{Effect, Op, Shape, Type};
use rustc_hash::FxBuildHasher;

use crate::functions::Function;
use crate::parser;
use crate::rows::too_many_orders;
use crate::rule::{
    Expr, ExprKind, ExprTy, Marks, Node, Rule, Step, Target, TermId, Ty, TyKind, TyVar, TypeTest, TypeVar,
    VarId, VarKind, Variable,
};
use crate::syntax::{self, Element, RuleText, TargetText, TermKind};
use crate::unify::{Found, Slot, Slots};

/// The marks that say something, and the tags of the book.
const KNOWN_MARKS: [&str; 6] = ["explore", "pays", "certified", "pypy", "expand", "rotate"];

type NameMap<V> = HashMap<String, V, FxBuildHasher>;

/// Reads and checks a rule file: the rules without errors, and all errors of all others.
pub fn read(source: &SourceText, diagnostics: &mut Diagnostics) -> Vec<Rule> {
    let file = parser::parse(source, diagnostics);
    let mut names = NameMap::<Span>::default();
    let mut rules = Vec::new();
    for text in &file.rules {
        if let Some(&first) = names.get(&text.name.text) {
            let (line, _) = source.position(first.start);
            diagnostics.push(
                Diagnostic::error(text.name.span, format!("rule `{}` is already defined", text.name.text))
                    .note(format!("the first one is in line {line}")),
            );
        } else {
            names.insert(text.name.text.clone(), text.name.span);
        }
        rules.extend(Checker::new(source, diagnostics).rule(text));
    }
    rules
}

/// Whether rules may speak of an operation: its meaning is in the table, or it is a guard on values.
pub fn has_meaning(op: Op) -> bool {
    if matches!(op, Op::GuardTrue | Op::GuardFalse | Op::GuardValue | Op::BoundsCheck) {
        return true;
    }
    let row = op.row();
    let touches = |shapes: &[Shape]| {
        shapes.iter().any(|s| matches!(s, Shape::Ref | Shape::Free | Shape::Vector(_) | Shape::Lane))
    };
    row.effect == Effect::Pure
        && !row.variadic
        && row.descriptor.is_none()
        && !row.results.is_empty()
        && !touches(row.operands)
        && !touches(row.results)
}

/// Checks one rule.
struct Checker<'a> {
    source: &'a SourceText,
    diagnostics: &'a mut Diagnostics,
    slots: Slots,
    terms: Arena<TermId, Node>,
    vars: Arena<VarId, Variable>,
    names: NameMap<VarId>,
    type_names: NameMap<Slot>,
    /// Types written after terms that are not demanded yet.
    annotations: Vec<(TermId, syntax::Ident)>,
    broken: bool,
}

/// A type under inference is kept as a variable that names its slot, until [`Checker::resolve`].
fn open(slot: Slot) -> Ty {
    Ty::Var(TyVar::from_index(slot.0))
}

fn slot(ty: Ty) -> Slot {
    match ty {
        Ty::Var(var) => Slot(var.index()),
        Ty::Known(_) => unreachable!("types are slots until they are resolved"),
    }
}

impl<'a> Checker<'a> {
    fn new(source: &'a SourceText, diagnostics: &'a mut Diagnostics) -> Self {
        Checker {
            source,
            diagnostics,
            slots: Slots::default(),
            terms: Arena::new(),
            vars: Arena::new(),
            names: NameMap::default(),
            type_names: NameMap::default(),
            annotations: Vec::new(),
            broken: false,
        }
    }

    fn report(&mut self, error: Diagnostic) {
        self.broken = true;
        self.diagnostics.push(error);
    }

    fn error(&mut self, span: Span, message: impl Into<String>) {
        self.report(Diagnostic::error(span, message));
    }

    fn rule(mut self, text: &RuleText) -> Option<Rule> {
        let marks = self.marks(text);
        if !matches!(text.pattern.kind, TermKind::Apply(..)) {
            self.report(
                Diagnostic::error(text.pattern.span, "the pattern is not an operation")
                    .note("a variable or constant alone would match everything"),
            );
        }
        let pattern = self.pattern(&text.pattern, true);
        let structural = self.slots.clone();
        self.demand_annotations();
        let pattern_terms = self.terms.len();
        let steps: Vec<Step> = text.elements.iter().filter_map(|e| self.element(e, &marks)).collect();
        let target = match pattern {
            Some(pattern) => self.target(pattern, &text.target),
            // What the target is for is unknown; its own errors are not.
            None => {
                let (TargetText::One(first) | TargetText::Two(first, _)) = &text.target;
                if !matches!(&first.kind, TermKind::Name(name) if name == "pass" || name == "fail") {
                    self.build(first, true);
                }
                if let TargetText::Two(_, second) = &text.target {
                    self.build(second, false);
                }
                None
            }
        };
        self.demand_annotations();
        let (Some(pattern), Some(target)) = (pattern, target) else { return None };
        if self.broken {
            return None;
        }
        let (line, _) = self.source.position(text.name.span.start);
        let mut rule = Rule {
            name: text.name.text.clone(),
            file: self.source.name().to_string(),
            line,
            name_span: text.name.span,
            text: self.source.slice(text.span).trim_end().to_string(),
            doc: text.doc.clone(),
            marks,
            sorry: text.sorry.as_ref().map(|s| s.reason.clone()),
            terms: std::mem::take(&mut self.terms),
            pattern,
            vars: std::mem::take(&mut self.vars),
            steps,
            target,
            types: Arena::new(),
            type_tests: Vec::new(),
            scales: false,
        };
        self.type_tests(&mut rule, &structural);
        self.resolve(&mut rule, pattern_terms);
        if self.broken {
            return None;
        }
        reuse::reuse(&mut rule);
        if let Some(error) = rule.type_error().or_else(|| too_many_orders(&rule)) {
            self.report(error);
            return None;
        }
        rule.scales = rule.finds_that_it_scales();
        Some(rule)
    }

    fn marks(&mut self, text: &RuleText) -> Marks {
        let mut marks = Marks::default();
        for mark in &text.marks {
            match mark.text.as_str() {
                "explore" => marks.explore = true,
                "pays" => marks.pays = true,
                "certified" => marks.certified = true,
                tag => {
                    if let Some(near) = closest(tag, KNOWN_MARKS).filter(|near| *near != tag) {
                        let message = format!("`{tag}` is no mark that says something, so it is a tag");
                        let warning = Diagnostic::warning(mark.span, message);
                        self.diagnostics.push(warning.note(format!("did you mean `{near}`?")));
                    }
                    marks.tags.push(tag.to_string());
                }
            }
        }
        let guesses = text.elements.iter().any(|e| matches!(e, Element::Compute(_, expr) if is_guess(expr)));
        if guesses && !marks.certified {
            self.report(
                Diagnostic::error(
                    text.name.span,
                    "a rule that guesses a constant must be marked `certified`",
                )
                .note("its proof rests on a theorem about what its checks certify"),
            );
        }
        if marks.certified && !guesses {
            self.error(text.name.span, "the mark `certified` is for rules that guess a constant");
        }
        marks
    }

    fn element(&mut self, element: &Element, _marks: &Marks) -> Option<Step> {
        match element {
            Element::Check(condition) => {
                let checked = self.expression(condition, Some(ExprTy::Bool))?;
                Some(Step::Check(checked))
            }
            Element::Compute(name, expr) => {
                let constant = name.text.starts_with('C');
                let checked = self.computed(expr);
                if let Some(&first) = self.names.get(&name.text) {
                    let (line, column) = self.source.position(self.vars[first].span.start);
                    self.report(
                        Diagnostic::error(name.span, format!("variable `{}` is already defined", name.text))
                            .note(format!("first in line {line}, column {column}")),
                    );
                    return None;
                }
                if is_reserved(&name.text) {
                    self.error(name.span, format!("`{}` is a constant and cannot be defined", name.text));
                    return None;
                }
                // After an error in the expression the name is still known, so that its uses are no errors.
                let checked = checked.unwrap_or_else(|| Expr {
                    kind: ExprKind::Size(0),
                    ty: ExprTy::Word(open(self.slots.open(TyKind::Int))),
                    span: expr.span,
                });
                let (kind, ty) = match checked.ty {
                    ExprTy::Word(ty) if is_guess(expr) => (VarKind::Guessed, ty),
                    ExprTy::Word(ty) | ExprTy::Float(ty) => (VarKind::Computed, ty),
                    ExprTy::Fact(ty) => (VarKind::Fact, ty),
                    ExprTy::Bool => (VarKind::Truth, open(self.slots.known(Type::I1))),
                    ExprTy::Size => {
                        let ty = open(self.slots.open(TyKind::Int));
                        let inner = Box::new(checked);
                        let span = expr.span;
                        let checked = Expr { kind: ExprKind::SizeWord(inner), ty: ExprTy::Word(ty), span };
                        let var = self.define(name, VarKind::Computed, ty);
                        return Some(Step::Compute(var, checked));
                    }
                };
                if constant && matches!(kind, VarKind::Fact | VarKind::Truth) {
                    self.error(name.span, format!("`{}` is named like a constant and is none", name.text));
                }
                let var = self.define(name, kind, ty);
                Some(Step::Compute(var, checked))
            }
        }
    }

    fn define(&mut self, name: &syntax::Ident, kind: VarKind, ty: Ty) -> VarId {
        let var = self.vars.push(Variable { name: name.text.clone(), kind, ty, span: name.span });
        self.names.insert(name.text.clone(), var);
        var
    }

    fn target(&mut self, pattern: TermId, target: &TargetText) -> Option<Target> {
        let root = match &self.terms[pattern].kind {
            crate::rule::NodeKind::Op(op, _) => *op,
            _ => return None,
        };
        let row = root.row();
        let guard = row.effect == Effect::Guard;
        let ty = self.terms[pattern].ty;
        match target {
            TargetText::One(term) if guard => match &term.kind {
                TermKind::Name(name) if name == "pass" => Some(Target::Pass),
                TermKind::Name(name) if name == "fail" => Some(Target::Fail),
                TermKind::Apply(..) => {
                    let built = self.build(term, true)?;
                    let is_guard = matches!(&self.terms[built].kind,
                        crate::rule::NodeKind::Op(op, _) if op.row().effect == Effect::Guard);
                    if !is_guard {
                        self.error(term.span, "a guard becomes `pass`, `fail` or another guard");
                        return None;
                    }
                    Some(Target::Value(built))
                }
                _ => {
                    self.error(term.span, "a guard becomes `pass`, `fail` or another guard");
                    None
                }
            },
            TargetText::Two(first, second) => {
                if row.results.len() != 2 {
                    let results = if row.results.len() == 1 { "one result" } else { "no result" };
                    let message = format!("`{root}` has {results}, the target gives two");
                    self.error(first.span.to(second.span), message);
                    return None;
                }
                let (value, flag) = (self.build(first, false), self.build(second, false));
                let (value, flag) = (value?, flag?);
                self.demand(value, slot(ty), first.span);
                let bit = self.slots.known(Type::I1);
                self.demand(flag, bit, second.span);
                Some(Target::Pair(value, flag))
            }
            TargetText::One(term) => {
                if let TermKind::Name(name) = &term.kind
                    && matches!(name.as_str(), "pass" | "fail")
                    && !self.names.contains_key(name)
                {
                    self.error(term.span, format!("`{root}` is no guard: `{name}` means nothing for it"));
                    return None;
                }
                let built = self.build(term, row.results.len() == 2)?;
                self.demand(built, slot(ty), term.span);
                Some(Target::Value(built))
            }
        }
    }

    /// Makes the type of a term that of a slot.
    fn demand(&mut self, term: TermId, wanted: Slot, span: Span) {
        let found = slot(self.terms[term].ty);
        let (had, want) = (self.slots.show(found), self.slots.show(wanted));
        if !self.slots.unify(found, wanted) {
            self.error(span, format!("this is {had}, but {want} is needed here"));
        }
    }

    /// Which types are equal only because of the rest of the rule.
    fn type_tests(&mut self, rule: &mut Rule, structural: &Slots) {
        // One witness for each class that the operations of the pattern make on their own.
        let mut classes: Vec<(Slot, TermId)> = Vec::new();
        for term in rule.preorder(rule.pattern) {
            if rule.terms[term].ty == Ty::Known(Type::State) {
                continue;
            }
            let class = structural.root(slot(rule.terms[term].ty));
            if classes.iter().all(|&(known, _)| known != class) {
                classes.push((class, term));
            }
        }
        let mut firsts: Vec<(Slot, TermId)> = Vec::new();
        for (class, term) in classes {
            let merged = self.slots.root(class);
            match (structural.found(class), self.slots.found(merged)) {
                (Found::Known(_), _) => continue,
                (_, Found::Known(ty)) => {
                    rule.type_tests.push(TypeTest::Is(term, ty));
                    continue;
                }
                (before, after) if before != after => {
                    let Found::Open(kind) = after else { unreachable!("known types are handled") };
                    rule.type_tests.push(TypeTest::Kind(term, kind));
                }
                _ => {}
            }
            match firsts.iter().find(|&&(known, _)| known == merged) {
                Some(&(_, first)) => rule.type_tests.push(TypeTest::Same(first, term)),
                None => {
                    firsts.push((merged, term));
                    let Found::Open(kind) = self.slots.found(merged) else { unreachable!("handled above") };
                    rule.types.push(TypeVar { kind, witness: term });
                }
            }
        }
    }

    /// Replaces slots by types and the type variables of the rule.
    fn resolve(&mut self, rule: &mut Rule, pattern_terms: usize) {
        let witnesses: Vec<Slot> =
            rule.types.values().map(|var| self.slots.root(slot(rule.terms[var.witness].ty))).collect();
        let slots = &self.slots;
        let find = |ty: Ty| -> Option<Ty> {
            let Ty::Var(_) = ty else { return Some(ty) };
            match slots.found(slot(ty)) {
                Found::Known(known) => Some(Ty::Known(known)),
                Found::Open(_) => {
                    let root = slots.root(slot(ty));
                    let index = witnesses.iter().position(|&w| w == root)?;
                    Some(Ty::Var(TyVar::from_index(index)))
                }
            }
        };
        let mut undetermined = Vec::new();
        for (index, node) in rule.terms.values_mut().enumerate() {
            match find(node.ty) {
                Some(ty) => node.ty = ty,
                None => {
                    debug_assert!(index >= pattern_terms, "a pattern determines its own types");
                    undetermined.push(node.span);
                }
            }
        }
        for var in rule.vars.values_mut() {
            match find(var.ty) {
                Some(ty) => var.ty = ty,
                None => undetermined.push(var.span),
            }
        }
        for step in &mut rule.steps {
            let (Step::Check(expr) | Step::Compute(_, expr)) = step;
            resolve_expr(expr, &find, &mut undetermined);
        }
        undetermined.sort();
        undetermined.dedup();
        if let Some(&span) = undetermined.first() {
            self.report(
                Diagnostic::error(span, "the pattern does not determine the type of this")
                    .note("write its type after a colon, or use it where a type is known"),
            );
        }
    }
}

fn resolve_expr(expr: &mut Expr, find: &impl Fn(Ty) -> Option<Ty>, undetermined: &mut Vec<Span>) {
    let mut settle = |ty: &mut Ty| match find(*ty) {
        Some(found) => *ty = found,
        None => undetermined.push(expr.span),
    };
    match &mut expr.ty {
        ExprTy::Word(ty) | ExprTy::Float(ty) | ExprTy::Fact(ty) => settle(ty),
        ExprTy::Bool | ExprTy::Size => {}
    }
    match &mut expr.kind {
        ExprKind::Width(ty) => settle(ty),
        ExprKind::Literal(_) | ExprKind::Size(_) | ExprKind::Var(_) => {}
        ExprKind::SizeWord(a) | ExprKind::ConstFact(a) | ExprKind::Unary(_, a) | ExprKind::Not(a) => {
            resolve_expr(a, find, undetermined)
        }
        ExprKind::Binary(_, a, b) | ExprKind::Compare(_, a, b) | ExprKind::And(a, b) | ExprKind::Or(a, b) => {
            resolve_expr(a, find, undetermined);
            resolve_expr(b, find, undetermined);
        }
        ExprKind::Method(_, receiver, args) => {
            resolve_expr(receiver, find, undetermined);
            args.iter_mut().for_each(|a| resolve_expr(a, find, undetermined));
        }
        ExprKind::Function(_, args) => args.iter_mut().for_each(|a| resolve_expr(a, find, undetermined)),
    }
}

fn is_guess(expr: &syntax::Expr) -> bool {
    matches!(&expr.kind, syntax::ExprKind::Call(name, _)
        if Function::named(&name.text).is_some_and(Function::is_guess))
}

/// Names that stand for constants of a width.
fn is_reserved(name: &str) -> bool {
    matches!(name, "LONG_BIT" | "MININT" | "MAXINT")
}
