//! One row of one rule against values that already meet its demands: equal variables, types, checks,
//! use counts; then the rewrite.
//!
//! The interpreted tree and the naive matcher share this. Generated matchers contain the same steps as
//! straight Rust, and tests compare them. Where a rule does not apply, [`attempt`] says what it missed.

use planish_base::{Arena, Id};
use planish_domain::{FactOf, IntFact};
use planish_ops::{Datum, Int, Machine, Op, Type};

use crate::cost::{self, dying, same_built};
use crate::eval::{Eval, Val, concrete, literal, result_literal};
use crate::functions::Compute;
use crate::matching::{Const, Operand, Outcome, Plan, Rewrite, Root, Subject, same};
use crate::rows::{OccId, Row};
use crate::rule::{Expr, ExprKind, NodeKind, Rule, Step, Target, TermId, TypeTest, VarId, VarKind};
use crate::semantics::expressions;

/// Why a rule does not apply where its pattern's operations and constants stand.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Miss {
    /// A part of the pattern does not stand where it would have to; an operation may stand there instead.
    Part(TermId, Option<Op>),
    /// A variable stands for two values.
    Unequal,
    /// The types are not those that the rule is about.
    Types,
    /// A constant is not the one that the pattern names.
    Literal,
    /// The operations that would die cost less than the new ones.
    Cost,
    /// This step is a check that does not hold.
    Check(u32),
    /// This step shifts out of range or divides by zero.
    Undefined(u32),
    /// This step guesses a constant, and there is none.
    Guess(u32),
}

/// Applies a row; `None` where it does not apply. See [`attempt`].
pub fn apply<S: Subject>(
    s: &S,
    rule: &Rule,
    row: &Row,
    root: &Root<'_, S::Value>,
    at: &dyn Fn(OccId) -> S::Value,
) -> Option<Rewrite<S::Value>> {
    attempt(s, rule, row, root, at).ok()
}

/// Applies a row, or says what it misses; `at` gives the value of each occurrence that the row demanded something
/// of, or that stands beside one.
pub fn attempt<S: Subject>(
    s: &S,
    rule: &Rule,
    row: &Row,
    root: &Root<'_, S::Value>,
    at: &dyn Fn(OccId) -> S::Value,
) -> Result<Rewrite<S::Value>, Miss> {
    let value = |term: TermId| row.place(term).map(at);
    let ty = |term: TermId| value(term).map_or(root.ty, |v| s.ty(v));
    if !row.equal.iter().all(|&(a, b)| same(s, at(a), at(b))) {
        return Err(Miss::Unequal);
    }
    let typed = rule.type_tests.iter().all(|test| match *test {
        TypeTest::Same(a, b) => ty(a) == ty(b),
        TypeTest::Is(a, wanted) => ty(a) == wanted,
        TypeTest::Kind(a, kind) => kind.admits(ty(a)),
    });
    if !typed {
        return Err(Miss::Types);
    }
    let types: Vec<Type> = rule.types.values().map(|var| ty(var.witness)).collect();
    if !rule.admits(&types) || !rule.speaks_of(&types) {
        return Err(Miss::Types);
    }
    for &(term, _) in &row.places {
        if let NodeKind::Literal(wanted) = rule.terms[term].kind {
            let found = value(term).and_then(|value| s.constant(value)).map(constant_datum);
            let wanted = literal(&mut Machine, wanted, ty(term), crate::eval::integer_literal);
            if !found.zip(wanted).is_some_and(|(found, wanted)| same_datum(found, wanted)) {
                return Err(Miss::Literal);
            }
        }
    }
    if rule.marks.pays && !pays(s, rule, row, at) {
        return Err(Miss::Cost);
    }
    let values = steps(s, rule, row, at, &types)?;
    let mut build =
        Building { rule, row, at, types: &types, values: &values, plan: Plan::new(), built: Vec::new() };
    let outcome = match rule.target {
        Target::Pass => Outcome::Pass,
        Target::Fail => Outcome::Fail,
        Target::Value(term) => {
            let result = build.operand(term);
            if rule.is_guard() { Outcome::Guard } else { Outcome::Value(result) }
        }
        Target::Pair(first, second) => {
            let (first, second) = (build.operand(first), build.operand(second));
            Outcome::Pair(first, second)
        }
    };
    Ok(Rewrite { rule: row.rule, plan: build.plan, outcome })
}

fn constant_datum(constant: Const) -> Datum<Machine> {
    match constant {
        Const::Int(int) => Datum::Word(int),
        Const::Real(real) => Datum::Float(real),
    }
}

fn same_datum(a: Datum<Machine>, b: Datum<Machine>) -> bool {
    match (a, b) {
        (Datum::Word(a), Datum::Word(b)) => a == b,
        (Datum::Float(a), Datum::Float(b)) => a == b,
        _ => false,
    }
}

/// Evaluates checks and computed values.
fn steps<S: Subject>(
    s: &S,
    rule: &Rule,
    row: &Row,
    at: &dyn Fn(OccId) -> S::Value,
    types: &[Type],
) -> Result<Vec<Option<Val<Machine>>>, Miss> {
    let mut values: Vec<Option<Val<Machine>>> = vec![None; rule.vars.len()];
    let asked = asked(rule);
    for (var, variable) in rule.vars.iter() {
        let Some(place) = row.var_place(rule, var) else { continue };
        values[var.index()] = match variable.kind {
            VarKind::Constant => {
                let constant = s.constant(at(place)).ok_or(Miss::Literal)?;
                Some(Val::Datum(constant_datum(constant)))
            }
            VarKind::Value if asked[var.index()] => Some(Val::Fact(unpack(s.fact(at(place))))),
            _ => None,
        };
    }
    for (number, step) in (0..).zip(&rule.steps) {
        let expr = step.expr();
        if let (Step::Compute(var, _), Some(guessed)) = (step, guess(expr, &values)) {
            let guessed = guessed.ok_or(Miss::Guess(number))?;
            values[var.index()] = Some(Val::Datum(Datum::Word(guessed)));
            continue;
        }
        let parts = match step {
            Step::Check(expr) => expr.conjuncts(),
            Step::Compute(_, expr) => vec![expr],
        };
        for part in parts {
            let vars = &rule.vars;
            let mut eval = Eval { b: &mut Machine, vars, types, values: &mut values, valid: true, ask: None };
            let value = eval.expr(part);
            let valid = eval.valid;
            match (step, value) {
                (_, _) if !valid => return Err(Miss::Undefined(number)),
                (Step::Check(_), Val::Bool(false)) => {
                    let place = part.nonzero().and_then(|var| row.var_place(rule, var));
                    if !place.is_some_and(|place| s.is_told_nonzero(at(place))) {
                        return Err(Miss::Check(number));
                    }
                }
                (Step::Check(_), _) => {}
                (Step::Compute(var, _), value) => values[var.index()] = Some(value),
            }
        }
    }
    Ok(values)
}

/// A compact fact as the generic code takes it.
pub fn unpack(fact: IntFact) -> FactOf<Machine> {
    FactOf::<Machine> { lo: fact.lower(), hi: fact.upper(), ones: fact.ones(), zeros: fact.zeros() }
}

/// The result of a guess: `None` where the expression is none, `Some(None)` where it found nothing.
pub fn guess(expr: &Expr, values: &[Option<Val<Machine>>]) -> Option<Option<Int>> {
    let ExprKind::Function(function, args) = &expr.kind else { return None };
    let Compute::Guess(guess) = function.compute else { return None };
    let ExprKind::Var(var) = args[0].kind else { return Some(None) };
    Some(values[var.index()].and_then(|value| guess(value.word())))
}

/// Which variables the steps of a rule speak of.
pub fn asked(rule: &Rule) -> Vec<bool> {
    let mut asked = vec![false; rule.vars.len()];
    for expr in expressions(rule) {
        if let ExprKind::Var(var) = expr.kind {
            asked[VarId::index(var)] = true;
        }
    }
    asked
}

/// Whether the operations that die with the root cost at least as much as the new ones.
fn pays<S: Subject>(s: &S, rule: &Rule, row: &Row, at: &dyn Fn(OccId) -> S::Value) -> bool {
    let mut gain = cost::root_gain(rule);
    let mut live: Arena<TermId, bool> = rule.terms.ids().map(|_| false).collect();
    for (term, parent) in dying(rule) {
        let place = row.place(term).expect("terms of the pattern have places");
        let dies = parent.is_none_or(|parent| !live[parent]) && s.used_once(at(place));
        live[term] = !dies;
        if let (true, NodeKind::Op(op, _)) = (dies, &rule.terms[term].kind) {
            gain += op.row().cost;
        }
    }
    let cost = cost::target_cost(rule);
    if cost::decreases(rule) { cost <= gain } else { cost < gain }
}

/// A target that is being built.
struct Building<'a, V> {
    rule: &'a Rule,
    row: &'a Row,
    at: &'a dyn Fn(OccId) -> V,
    types: &'a [Type],
    values: &'a [Option<Val<Machine>>],
    plan: Plan<V>,
    built: Vec<(TermId, Operand<V>)>,
}

impl<V: Copy> Building<'_, V> {
    fn operand(&mut self, term: TermId) -> Operand<V> {
        let node = &self.rule.terms[term];
        match &node.kind {
            NodeKind::Var(var) => match self.row.var_place(self.rule, *var) {
                Some(place) => Operand::Value((self.at)(place)),
                None => match self.values[var.index()] {
                    Some(Val::Datum(datum)) => Operand::Const(datum_constant(datum)),
                    _ => unreachable!("targets are made of values"),
                },
            },
            NodeKind::Literal(value) => {
                let datum = literal(&mut Machine, *value, concrete(node.ty, self.types), result_literal);
                Operand::Const(datum_constant(datum.expect("the assignment admits the literals of the rule")))
            }
            NodeKind::Reuse(term) => {
                Operand::Value((self.at)(self.row.place(*term).expect("terms of the pattern have places")))
            }
            NodeKind::Op(op, args) => {
                // An operation that the target writes twice is built once.
                let twin = self.built.iter().find(|(other, _)| same_built(self.rule, *other, term));
                if let Some(&(_, known)) = twin {
                    return known;
                }
                let args: Vec<Operand<V>> = args.iter().map(|&arg| self.operand(arg)).collect();
                let result = self.plan.push(*op, concrete(node.ty, self.types), &args);
                self.built.push((term, result));
                result
            }
        }
    }
}

/// A constant of the machine as matchers hand it out.
pub fn datum_constant(datum: Datum<Machine>) -> Const {
    match datum {
        Datum::Word(word) => Const::Int(word),
        Datum::Float(float) => Const::Real(float),
    }
}
