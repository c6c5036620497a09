//! What a rule claims, over any [`Floats`]: the subject of its proof.
//!
//! For a type assignment that the rule [admits](Rule::admits), values of its variables and facts that
//! hold of them, [`Rule::semantics`] gives the condition under which the rule applies, what the pattern
//! yields and what the target yields. The claim is *refinement*: where the rule applies, the facts
//! hold and the pattern is defined, the target is defined and equal.
//!
//! Guesses (see [`guess`](crate::guess)) are inputs: the claim has to hold for every value of them that
//! passes the checks.
//!
//! **Undefined operands.** A value may be undefined, and spreads through every operation but `select`, which asks for
//! its condition and the arm that it takes. So a pattern with a choice may be defined where an operand of it is not,
//! and its target has to be, too: `select(c, x, 0)` is no conjunction of c and x. Each input may come with a truth
//! value that says whether it is [defined](Inputs::defined); where a pattern has no choice, the claim speaks of defined
//! inputs, and nothing has to be said.
//!
//! Dialects differ in what is defined: a shift by the width or more is masked on the JVM and undefined
//! in PyPy's traces; a division by zero traps or is undefined. [`Reading`] says which is meant.
//! A rule has to hold under all of them, since one book serves all dialects. Where a division traps,
//! the root of the target must trap exactly where the root of the pattern does; operations below
//! the root have run before, so they are defined.

use planish_base::Id;
use planish_domain::FactOf;
use planish_ops::{Datum, Exits, Floats, Machine, Op, Type};

use crate::eval::{Ask, Eval, Val, concrete, integer_literal, literal, result_literal};
use crate::rule::{Expr, ExprKind, ExprTy, Literal, NodeKind, Rule, Step, Target, TermId, Ty, VarId};

/// How a dialect reads the operations that dialects read differently.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Reading {
    /// Shift amounts are taken modulo the width; a division by zero leaves through its exit.
    Masked,
    /// A shift by the width or more, and a division by zero, are undefined.
    Undefined,
}

impl Reading {
    /// Every reading.
    pub const ALL: [Reading; 2] = [Reading::Masked, Reading::Undefined];
}

/// The inputs of a rule, by variable.
pub struct Inputs<'a, B: Floats> {
    /// The values of those that are values, constants or guessed.
    pub values: &'a [Option<Datum<B>>],
    /// What is known of them, if that is asked; it holds where they are defined.
    pub facts: &'a [Option<FactOf<B>>],
    /// Whether they are defined. One without an entry always is.
    pub defined: &'a [Option<B::Bool>],
}

impl<B: Floats> Clone for Inputs<'_, B> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<B: Floats> Copy for Inputs<'_, B> {}

/// One side of a rule.
pub struct Side<B: Floats> {
    /// The first result; of a guard, nothing.
    pub value: Option<Datum<B>>,
    /// The overflow bit, where the root has one.
    pub flag: Option<B::Word>,
    /// Whether the guard passes, where the root is one.
    pub passes: Option<B::Bool>,
    /// Whether every operation below the root is defined.
    pub inner_defined: B::Bool,
    /// Whether the root is defined.
    pub root_defined: B::Bool,
}

impl Side<Machine> {
    /// Whether it has a value.
    pub fn is_defined(&self) -> bool {
        self.inner_defined && self.root_defined
    }
}

/// What a rule says of given inputs.
pub struct Semantics<B: Floats> {
    /// Whether the rule applies: all checks hold and all computed values are defined.
    pub applies: B::Bool,
    /// The value of each check, in order.
    pub checks: Vec<B::Bool>,
    /// Constants that the rule computed, in order.
    pub computed: Vec<(VarId, Datum<B>)>,
    /// Facts that the rule computed, in order.
    pub computed_facts: Vec<(VarId, FactOf<B>)>,
    /// Whether the root leaves where it is not defined, rather than meaning nothing there.
    pub traps: bool,
    /// What the pattern yields.
    pub source: Side<B>,
    /// What the target yields.
    pub target: Side<B>,
}

impl<B: Floats> Semantics<B> {
    /// The claim: where the rule applies and its pattern is defined, the target is defined and equal.
    pub fn claim(&self, b: &mut B, reading: Reading) -> B::Bool {
        let (source, target) = (&self.source, &self.target);
        let mut agree = b.truth(true);
        if let (Some(x), Some(y)) = (source.value, target.value) {
            let same = same(b, x, y);
            agree = b.both(agree, same);
        }
        if let (Some(x), Some(y)) = (source.flag, target.flag) {
            let same = b.eq(x, y);
            agree = b.both(agree, same);
        }
        if let (Some(x), Some(y)) = (source.passes, target.passes) {
            let same = b.same(x, y);
            agree = b.both(agree, same);
        }
        let target_defined = b.both(target.inner_defined, target.root_defined);
        let good = b.both(agree, target_defined);
        let refined = b.implies(source.root_defined, good);
        let claim = if reading == Reading::Masked && self.traps {
            // An exception must not get lost either.
            let kept = b.implies(target_defined, source.root_defined);
            b.both(refined, kept)
        } else {
            refined
        };
        let given = b.both(self.applies, source.inner_defined);
        b.implies(given, claim)
    }
}

fn same<B: Floats>(b: &mut B, x: Datum<B>, y: Datum<B>) -> B::Bool {
    match (x, y) {
        (Datum::Word(x), Datum::Word(y)) => b.eq(x, y),
        (Datum::Float(x), Datum::Float(y)) => b.f_same(x, y),
        _ => b.truth(false),
    }
}

impl Rule {
    /// Whether the rule speaks of this type assignment: its literals fit, the operations of its pattern
    /// may have these types, and its checks of widths hold.
    pub fn admits(&self, types: &[Type]) -> bool {
        self.types.iter().all(|(id, var)| var.kind.admits(types[id.index()]))
            && self.preorder(self.pattern).into_iter().all(|term| self.term_is_legal(term, types))
            && self.target_terms().into_iter().all(|term| self.literal_fits(term, types))
            && self.steps.iter().all(|step| {
                literals_fit(step.expr(), types)
                    && (!matches!(step, Step::Check(_)) || sizes_hold(step.expr(), types))
            })
    }

    /// Whether every operation of the target may have its types. The prover asks this of assignments
    /// that the rule admits: a rule for which it fails builds ill-typed operations.
    pub fn target_is_legal(&self, types: &[Type]) -> bool {
        self.target_terms().into_iter().all(|term| self.term_is_legal(term, types))
    }

    /// Which integers a literal may be: in a pattern it is compared, in a target it is a result.
    pub(crate) fn fit(&self, term: TermId) -> fn(Literal, u32) -> Option<u64> {
        // Terms of the pattern come first, its root last among them.
        if term <= self.pattern { integer_literal } else { result_literal }
    }

    fn literal_fits(&self, term: TermId, types: &[Type]) -> bool {
        let node = &self.terms[term];
        match (&node.kind, concrete(node.ty, types)) {
            (NodeKind::Literal(Literal::Float(_)), ty) => matches!(ty, Type::Float(_)),
            (NodeKind::Literal(literal), Type::Int(width)) => {
                self.fit(term)(*literal, u32::from(width)).is_some()
            }
            (NodeKind::Literal(_), _) => false,
            _ => true,
        }
    }

    pub(crate) fn term_is_legal(&self, term: TermId, types: &[Type]) -> bool {
        let node = &self.terms[term];
        let NodeKind::Op(op, args) = &node.kind else { return self.literal_fits(term, types) };
        let operands: Vec<Type> = args.iter().map(|&a| concrete(self.terms[a].ty, types)).collect();
        operands.first().is_none_or(|&from| op.converts(from, concrete(node.ty, types)))
    }

    /// What the rule says of these inputs.
    ///
    /// The facts are premises: the caller states or samples that they hold of the values.
    pub fn semantics<B: Floats>(
        &self,
        b: &mut B,
        reading: Reading,
        types: &[Type],
        inputs: Inputs<'_, B>,
    ) -> Semantics<B> {
        self.semantics_asking(b, reading, types, inputs, None)
    }

    /// The same, methods of facts being answered by `ask`.
    pub fn semantics_asking<B: Floats>(
        &self,
        b: &mut B,
        reading: Reading,
        types: &[Type],
        inputs: Inputs<'_, B>,
        mut ask: Option<Ask<'_, B>>,
    ) -> Semantics<B> {
        let mut values: Vec<Option<Val<B>>> = vec![None; self.vars.len()];
        for (var, input) in self.vars.ids().zip(inputs.values) {
            if let Some(datum) = *input {
                values[var.index()] = Some(Val::Datum(datum));
            }
        }
        // In expressions a value is its facts.
        let mut known = values.clone();
        for (index, fact) in inputs.facts.iter().enumerate() {
            if let Some(fact) = *fact {
                known[index] = Some(Val::Fact(fact));
            }
        }
        let valid = b.truth(true);
        let ask: Option<Ask<'_, B>> = match &mut ask {
            Some(ask) => Some(&mut **ask),
            None => None,
        };
        let mut eval = Eval { b, vars: &self.vars, types, values: &mut known, valid, ask };
        let (mut checks, mut computed, mut computed_facts) = (Vec::new(), Vec::new(), Vec::new());
        for step in &self.steps {
            match step {
                Step::Check(expr) => {
                    let holds = eval.truth(expr);
                    checks.push(holds);
                }
                Step::Compute(var, _) if eval.values[var.index()].is_some() => {}
                Step::Compute(var, expr) => {
                    let value = eval.expr(expr);
                    match value {
                        Val::Datum(datum) => computed.push((*var, datum)),
                        Val::Fact(fact) => computed_facts.push((*var, fact)),
                        Val::Bool(_) | Val::Size(_) => {}
                    }
                    eval.values[var.index()] = Some(value);
                }
            }
        }
        let mut applies = eval.valid;
        for &check in &checks {
            applies = b.both(applies, check);
        }
        for &(var, datum) in &computed {
            values[var.index()] = Some(Val::Datum(datum));
        }
        let mut terms = Terms { b, rule: self, reading, types, values: &values, defined: inputs.defined };
        let source = terms.root(self.pattern);
        let target = match self.target {
            Target::Value(term) => terms.root(term),
            Target::Pair(value, flag) => terms.two(value, flag),
            Target::Pass => terms.outcome(true),
            Target::Fail => terms.outcome(false),
        };
        let target = terms.complete(target);
        let traps = self.root().row().exits != Exits::Never;
        Semantics { applies, checks, computed, computed_facts, traps, source, target }
    }
}

/// Evaluates terms.
struct Terms<'a, B: Floats> {
    b: &'a mut B,
    rule: &'a Rule,
    reading: Reading,
    types: &'a [Type],
    values: &'a [Option<Val<B>>],
    defined: &'a [Option<B::Bool>],
}

/// Under which condition something has a value.
struct Defined<B: Floats> {
    /// Every operation in it that leaves where it is not defined has not left. Such operations run also in arms that are
    /// not taken, and demand defined operands there.
    stays: B::Bool,
    /// What is needed of it is defined.
    value: B::Bool,
}

impl<B: Floats> Defined<B> {
    fn always(b: &mut B) -> Self {
        Defined { stays: b.truth(true), value: b.truth(true) }
    }

    fn all(&self, b: &mut B) -> B::Bool {
        b.both(self.stays, self.value)
    }
}

impl<B: Floats> Terms<'_, B> {
    /// A term as a whole side.
    fn root(&mut self, term: TermId) -> Side<B> {
        let mut inner = Defined::always(self.b);
        let node = &self.rule.terms[term];
        let (mut flag, mut passes, mut root_defined) = (None, None, None);
        let value = match &node.kind {
            NodeKind::Op(op, args) => {
                let args = self.operands(*op, args, &mut inner);
                if concrete(node.ty, self.types) == Type::State {
                    passes = Some(guard_passes(self.b, *op, &args));
                    None
                } else {
                    let value;
                    (value, flag, root_defined) = self.apply(*op, &args, node.ty);
                    Some(value)
                }
            }
            _ => Some(self.value(term, &mut inner)),
        };
        let root_defined = root_defined.unwrap_or_else(|| self.b.truth(true));
        Side { value, flag, passes, inner_defined: inner.all(self.b), root_defined }
    }

    fn two(&mut self, value: TermId, flag: TermId) -> Side<B> {
        let mut inner = Defined::always(self.b);
        let root_defined = self.b.truth(true);
        let value = self.value(value, &mut inner);
        let flag = self.value(flag, &mut inner).word();
        let inner_defined = inner.all(self.b);
        Side { value: Some(value), flag: Some(flag), passes: None, inner_defined, root_defined }
    }

    fn outcome(&mut self, passes: bool) -> Side<B> {
        let defined = self.b.truth(true);
        let passes = Some(self.b.truth(passes));
        Side { value: None, flag: None, passes, inner_defined: defined, root_defined: defined }
    }

    /// A plain value in place of two results means that nothing overflows.
    fn complete(&mut self, side: Side<B>) -> Side<B> {
        let flag = match (self.rule.has_overflow(), side.flag) {
            (true, None) => Some(self.b.word(1, 0)),
            (_, flag) => flag,
        };
        Side { flag, ..side }
    }

    /// The value of a term; its conditions of definedness are added to `defined`.
    fn value(&mut self, term: TermId, defined: &mut Defined<B>) -> Datum<B> {
        let node = &self.rule.terms[term];
        match &node.kind {
            NodeKind::Var(var) => {
                if let Some(Some(given)) = self.defined.get(var.index()) {
                    defined.value = self.b.both(defined.value, *given);
                }
                match self.values[var.index()] {
                    Some(Val::Datum(datum)) => datum,
                    _ => panic!("no value was given for `{}`", self.rule.vars[*var].name),
                }
            }
            NodeKind::Literal(value) => {
                let datum = literal(self.b, *value, concrete(node.ty, self.types), self.rule.fit(term));
                datum.expect("the assignment admits the literals of the rule")
            }
            NodeKind::Reuse(term) => self.value(*term, defined),
            NodeKind::Op(op, args) => {
                let leaves = self.reading == Reading::Masked && op.row().exits != Exits::Never;
                let mut own = Defined::always(self.b);
                let needed = if leaves { &mut own } else { &mut *defined };
                let args = self.operands(*op, args, needed);
                let (value, _, condition) = self.apply(*op, &args, node.ty);
                if let Some(condition) = condition {
                    needed.value = self.b.both(needed.value, condition);
                }
                let ran = own.all(self.b);
                defined.stays = self.b.both(defined.stays, ran);
                value
            }
        }
    }

    /// The values of operands. A choice needs its condition and the arm that it takes, any other operation all.
    fn operands(&mut self, op: Op, args: &[TermId], defined: &mut Defined<B>) -> Vec<Datum<B>> {
        let (Op::Select, &[condition, then, other]) = (op, args) else {
            return args.iter().map(|&arg| self.value(arg, defined)).collect();
        };
        let condition = self.value(condition, defined);
        let [then, other] = [then, other].map(|arm| {
            let mut own = Defined::always(self.b);
            let value = self.value(arm, &mut own);
            defined.stays = self.b.both(defined.stays, own.stays);
            (value, own.value)
        });
        let holds = self.b.is_nonzero(condition.word());
        let (first, second) = (self.b.implies(holds, then.1), self.b.either(holds, other.1));
        let taken = self.b.both(first, second);
        defined.value = self.b.both(defined.value, taken);
        vec![condition, then.0, other.0]
    }

    fn apply(&mut self, op: Op, args: &[Datum<B>], ty: Ty) -> (Datum<B>, Option<B::Word>, Option<B::Bool>) {
        let to = [concrete(ty, self.types), Type::I1];
        let results = op.row().results.len();
        let meaning =
            op.meaning(self.b, args, &to[..results]).expect("the checker admits operations with a meaning");
        let mut defined = meaning.defined;
        if let (Reading::Undefined, Some(amount)) = (self.reading, op.row().amount) {
            let amount = args[usize::from(amount)].word();
            let width = self.b.width(amount);
            let width = self.b.word(width, u64::from(width));
            let in_range = self.b.ult(amount, width);
            defined = Some(match defined {
                Some(other) => self.b.both(other, in_range),
                None => in_range,
            });
        }
        (meaning.value, meaning.flag, defined)
    }
}

/// The condition of a guard that rules may speak of.
pub fn guard_passes<B: Floats>(b: &mut B, op: Op, args: &[Datum<B>]) -> B::Bool {
    match (op, args) {
        (Op::GuardTrue, &[c]) => b.is_nonzero(c.word()),
        (Op::GuardFalse, &[c]) => {
            let holds = b.is_nonzero(c.word());
            b.negate(holds)
        }
        (Op::GuardValue, &[x, y]) => same(b, x, y),
        (Op::BoundsCheck, &[index, length]) => {
            let (index, length) = (index.word(), length.word());
            let zero = b.zero(index);
            let (from, to) = (b.sle(zero, index), b.slt(index, length));
            b.both(from, to)
        }
        _ => panic!("rules do not speak of {op}"),
    }
}

fn literals_fit(expr: &Expr, types: &[Type]) -> bool {
    let here = match (&expr.kind, expr.ty) {
        (ExprKind::Literal(literal), ExprTy::Word(ty)) => {
            concrete(ty, types).int_width().is_some_and(|width| integer_literal(*literal, width).is_some())
        }
        _ => true,
    };
    here && children(expr).into_iter().all(|child| literals_fit(child, types))
}

/// Whether a check can hold as far as it speaks of widths: its conjuncts without variables do.
fn sizes_hold(expr: &Expr, types: &[Type]) -> bool {
    match &expr.kind {
        ExprKind::And(left, right) => sizes_hold(left, types) && sizes_hold(right, types),
        ExprKind::Compare(operator, left, right) if left.ty == ExprTy::Size => {
            let (a, c) = (size(left, types), size(right, types));
            use crate::syntax::Compare::{Eq, Ge, Gt, Le, Lt, Ne, Uge, Ugt, Ule, Ult};
            match operator {
                Eq => a == c,
                Ne => a != c,
                Lt | Ult => a < c,
                Le | Ule => a <= c,
                Gt | Ugt => a > c,
                Ge | Uge => a >= c,
            }
        }
        _ => true,
    }
}

/// A number of bits under an assignment.
pub fn size(expr: &Expr, types: &[Type]) -> i64 {
    match &expr.kind {
        ExprKind::Size(size) => *size,
        ExprKind::Width(ty) => concrete(*ty, types).int_width().map_or(0, i64::from),
        ExprKind::Unary(crate::syntax::Unary::Neg, a) => -size(a, types),
        ExprKind::Unary(crate::syntax::Unary::Not, a) => !size(a, types),
        ExprKind::Binary(operator, a, c) => {
            let (a, c) = (size(a, types), size(c, types));
            match operator {
                crate::syntax::Binary::Add => a.saturating_add(c),
                crate::syntax::Binary::Sub => a.saturating_sub(c),
                _ => a.saturating_mul(c),
            }
        }
        _ => unreachable!("the checker allows no other sizes"),
    }
}

/// Every expression in the steps of a rule, each before those below it.
pub fn expressions(rule: &Rule) -> Vec<&Expr> {
    let (mut all, mut stack): (Vec<&Expr>, Vec<&Expr>) =
        (Vec::new(), rule.steps.iter().map(Step::expr).collect());
    while let Some(expr) = stack.pop() {
        all.push(expr);
        stack.extend(children(expr));
    }
    all
}

/// The expressions directly below one.
pub fn children(expr: &Expr) -> Vec<&Expr> {
    match &expr.kind {
        ExprKind::Literal(_) | ExprKind::Size(_) | ExprKind::Width(_) | ExprKind::Var(_) => Vec::new(),
        ExprKind::SizeWord(a) | ExprKind::ConstFact(a) | ExprKind::Unary(_, a) | ExprKind::Not(a) => vec![a],
        ExprKind::Binary(_, a, c) | ExprKind::Compare(_, a, c) | ExprKind::And(a, c) | ExprKind::Or(a, c) => {
            vec![a, c]
        }
        ExprKind::Method(_, receiver, args) => std::iter::once(&**receiver).chain(args).collect(),
        ExprKind::Function(_, args) => args.iter().collect(),
    }
}
