//! A rule after the type checker: names resolved, every type known or a type variable.
//!
//! Widths are type variables, so one rule stands for all widths. A *type assignment* gives each
//! variable a type; [`Rule::admits`](crate::semantics) says which assignments the rule is about.
//!
//! Where unification made two types equal that the operations of the pattern alone do not make equal
//! (`eq(x, 1) => x` makes the type of the comparison that of `x`), the matcher has to compare types:
//! these comparisons are the rule's [`TypeTest`]s. PyPy's rules, where everything is a word, have them
//! too, and they always hold there.

use planish_base::{Arena, Span, define_id};
use planish_ops::{Effect, Op, Type};

use crate::functions::Function;
use crate::syntax::{Binary, Compare, Unary};
use planish_domain::methods::{Method, Query};

define_id!(
    /// A rule of a rule set.
    RuleId,
    "rule"
);
define_id!(
    /// A term of a rule: of its pattern or its target.
    TermId,
    "term"
);
define_id!(
    /// A variable of a rule.
    VarId,
    "var"
);
define_id!(
    /// A type variable of a rule.
    TyVar,
    "ty"
);

/// A type, or a type variable of the rule.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Ty {
    /// This type.
    Known(Type),
    /// Whatever the assignment says.
    Var(TyVar),
}

/// The types that a type variable stands for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TyKind {
    /// Integers.
    Int,
    /// Floats.
    Float,
    /// All types.
    Any,
}

impl TyKind {
    /// Whether a type is of this kind.
    pub fn admits(self, ty: Type) -> bool {
        match self {
            TyKind::Int => matches!(ty, Type::Int(_)),
            TyKind::Float => matches!(ty, Type::Float(_)),
            TyKind::Any => true,
        }
    }
}

/// A type variable.
#[derive(Clone, Debug)]
pub struct TypeVar {
    /// What it stands for.
    pub kind: TyKind,
    /// A term of the pattern that has this type.
    pub witness: TermId,
}

/// What the matcher must find out about types before the rule applies.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TypeTest {
    /// Two terms of the pattern have one type.
    Same(TermId, TermId),
    /// A term of the pattern has this type.
    Is(TermId, Type),
    /// A term of the pattern is an integer or a float, which its operations leave open.
    Kind(TermId, TyKind),
}

/// A constant in a term or expression.
#[derive(Clone, Copy, Debug)]
pub enum Literal {
    /// An integer; the rule is not about widths that it does not fit.
    Integer(i128),
    /// The width of the type at hand, as PyPy writes it.
    LongBit,
    /// The smallest signed number.
    MinInt,
    /// The largest signed number.
    MaxInt,
    /// A float.
    Float(f64),
}

impl PartialEq for Literal {
    fn eq(&self, other: &Self) -> bool {
        match (self, other) {
            (Literal::Integer(a), Literal::Integer(b)) => a == b,
            // NaN is one value; 0 is not -0.
            (Literal::Float(a), Literal::Float(b)) => {
                a.to_bits() == b.to_bits() || (a.is_nan() && b.is_nan())
            }
            _ => std::mem::discriminant(self) == std::mem::discriminant(other),
        }
    }
}

impl std::fmt::Display for Literal {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Literal::Integer(value) => write!(f, "{value}"),
            Literal::LongBit => f.write_str("LONG_BIT"),
            Literal::MinInt => f.write_str("MININT"),
            Literal::MaxInt => f.write_str("MAXINT"),
            Literal::Float(value) => write!(f, "{value:?}"),
        }
    }
}

/// A term: what is matched, or what is built.
#[derive(Clone, Debug)]
pub struct Node {
    /// What it is.
    pub kind: NodeKind,
    /// The type of its (first) result; `State` for a guard, which has none.
    pub ty: Ty,
    /// Where it stands.
    pub span: Span,
}

/// The kinds of [`Node`].
#[derive(Clone, PartialEq, Debug)]
pub enum NodeKind {
    /// A variable.
    Var(VarId),
    /// A constant.
    Literal(Literal),
    /// An operation; as an operand it stands for its first result.
    Op(Op, Vec<TermId>),
    /// In a target: the value that an operation of the pattern already computes.
    Reuse(TermId),
}

/// What a variable stands for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum VarKind {
    /// Any value, known by its facts.
    Value,
    /// A constant (`C...`).
    Constant,
    /// A constant computed by the rule.
    Computed,
    /// A constant that the rule guesses and then certifies: nothing is assumed of it.
    Guessed,
    /// A fact computed by the rule.
    Fact,
    /// A truth value computed by the rule.
    Truth,
}

/// A variable of a rule.
#[derive(Clone, Debug)]
pub struct Variable {
    /// As written.
    pub name: String,
    /// What it stands for.
    pub kind: VarKind,
    /// Its type; of a fact, the type of the values it is about.
    pub ty: Ty,
    /// Where it first stands.
    pub span: Span,
}

/// A line between pattern and target.
#[derive(Clone, Debug)]
pub enum Step {
    /// The rule applies only where this holds.
    Check(Expr),
    /// A computed constant, fact or truth value.
    Compute(VarId, Expr),
}

impl Step {
    /// What is checked or computed.
    pub fn expr(&self) -> &Expr {
        match self {
            Step::Check(expr) | Step::Compute(_, expr) => expr,
        }
    }
}

/// What a pattern becomes.
#[derive(Clone, Debug)]
pub enum Target {
    /// A value, or an operation with the same results. Of a root with two results, a plain value is
    /// the first, and the second is 0: nothing overflows.
    Value(TermId),
    /// Both results of an operation with two.
    Pair(TermId, TermId),
    /// The guard always passes.
    Pass,
    /// The guard always fails.
    Fail,
}

/// What a rule yields: the classes in which rules are tried, in this order.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Class {
    /// A constant, or the outcome of a guard.
    Constant,
    /// A value that exists.
    Existing,
    /// New operations.
    Operations,
}

/// A type of expressions.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ExprTy {
    /// A constant integer of this type.
    Word(Ty),
    /// A constant float of this type.
    Float(Ty),
    /// A truth value.
    Bool,
    /// What is known of an integer of this type.
    Fact(Ty),
    /// A number of bits: known as soon as types are.
    Size,
}

/// An expression.
#[derive(Clone, Debug)]
pub struct Expr {
    /// What it is.
    pub kind: ExprKind,
    /// Its type.
    pub ty: ExprTy,
    /// Where it stands.
    pub span: Span,
}

/// The kinds of [`Expr`].
#[derive(Clone, Debug)]
pub enum ExprKind {
    /// A constant.
    Literal(Literal),
    /// A number of bits.
    Size(i64),
    /// The width of a type.
    Width(Ty),
    /// A number of bits as a word.
    SizeWord(Box<Expr>),
    /// The fact that a value is this constant.
    ConstFact(Box<Expr>),
    /// A variable: a constant, a computed value, or the facts of a value.
    Var(VarId),
    /// A prefix operator on a word, a float or a size.
    Unary(Unary, Box<Expr>),
    /// An infix operator on two words or two sizes.
    Binary(Binary, Box<Expr>, Box<Expr>),
    /// A comparison of two words, two sizes or two floats.
    Compare(Compare, Box<Expr>, Box<Expr>),
    /// Negation.
    Not(Box<Expr>),
    /// Conjunction.
    And(Box<Expr>, Box<Expr>),
    /// Disjunction.
    Or(Box<Expr>, Box<Expr>),
    /// A question about facts.
    Method(&'static Method, Box<Expr>, Vec<Expr>),
    /// A function of constants.
    Function(&'static Function, Vec<Expr>),
}

impl Expr {
    /// The parts of a conjunction. All of them have to be defined and to hold, so one after the other will do.
    pub(crate) fn conjuncts(&self) -> Vec<&Expr> {
        match &self.kind {
            ExprKind::And(left, right) => {
                [left, right].into_iter().flat_map(|part| part.conjuncts()).collect()
            }
            _ => vec![self],
        }
    }

    /// The variable that it asks whether it is not zero, if that is what it asks.
    pub(crate) fn nonzero(&self) -> Option<VarId> {
        match &self.kind {
            ExprKind::Method(method, receiver, _) if method.query == Query::KnownNonzero => {
                match receiver.kind {
                    ExprKind::Var(var) => Some(var),
                    _ => None,
                }
            }
            _ => None,
        }
    }
}

/// What stands in brackets after a rule's name.
#[derive(Clone, Debug, Default)]
pub struct Marks {
    /// Proved like any other, exempt from order and cost, for the e-graph engine only.
    pub explore: bool,
    /// Fires only where the operations that die cost at least as much as the new ones.
    pub pays: bool,
    /// Rests on a theorem of integer arithmetic about guessed constants that the checks certify.
    pub certified: bool,
    /// Tags of profiles, in the order written.
    pub tags: Vec<String>,
}

/// A rule.
#[derive(Clone, Debug)]
pub struct Rule {
    /// Its name, unique in its set.
    pub name: String,
    /// The file it stands in.
    pub file: String,
    /// The line of its name, counted from 1.
    pub line: usize,
    /// Where its name stands.
    pub name_span: Span,
    /// Its text as written.
    pub text: String,
    /// Its comments.
    pub doc: String,
    /// What stands in brackets.
    pub marks: Marks,
    /// Why no proof is asked for.
    pub sorry: Option<String>,
    /// All terms.
    pub terms: Arena<TermId, Node>,
    /// The term that is matched: an operation.
    pub pattern: TermId,
    /// All variables.
    pub vars: Arena<VarId, Variable>,
    /// Checks and computed values, in order.
    pub steps: Vec<Step>,
    /// What the pattern becomes.
    pub target: Target,
    /// The type variables.
    pub types: Arena<TyVar, TypeVar>,
    /// What the matcher finds out about types.
    pub type_tests: Vec<TypeTest>,
    /// Whether a proof at 64 bits is one at every width (see [`speaks`](crate::speaks)).
    pub scales: bool,
}

impl Rule {
    /// The operation at the root of the pattern.
    pub fn root(&self) -> Op {
        match &self.terms[self.pattern].kind {
            NodeKind::Op(op, _) => *op,
            _ => unreachable!("the checker admits only operations as patterns"),
        }
    }

    /// Whether the root is a guard, so that the target is an outcome or another guard.
    pub fn is_guard(&self) -> bool {
        self.root().row().effect == Effect::Guard
    }

    /// Whether the root has a value and an overflow bit.
    pub fn has_overflow(&self) -> bool {
        self.root().row().results.len() == 2
    }

    /// Whether the pattern has a choice, so that it may be defined where an operand is not.
    pub fn chooses(&self) -> bool {
        let is_choice = |term: TermId| matches!(self.terms[term].kind, NodeKind::Op(Op::Select, _));
        self.preorder(self.pattern).into_iter().any(is_choice)
    }

    /// What the rule yields.
    pub fn class(&self) -> Class {
        match self.target {
            Target::Pass | Target::Fail => Class::Constant,
            Target::Value(term) => self.term_class(term),
            Target::Pair(first, second) => self.term_class(first).max(self.term_class(second)),
        }
    }

    fn term_class(&self, term: TermId) -> Class {
        match &self.terms[term].kind {
            NodeKind::Literal(_) => Class::Constant,
            NodeKind::Var(var) if self.vars[*var].kind == VarKind::Value => Class::Existing,
            NodeKind::Var(_) => Class::Constant,
            NodeKind::Reuse(_) => Class::Existing,
            NodeKind::Op(..) => Class::Operations,
        }
    }

    /// The terms below and with `root`, each before its operands.
    pub fn preorder(&self, root: TermId) -> Vec<TermId> {
        let (mut order, mut stack) = (Vec::new(), vec![root]);
        while let Some(term) = stack.pop() {
            order.push(term);
            if let NodeKind::Op(_, args) = &self.terms[term].kind {
                stack.extend(args.iter().rev());
            }
        }
        order
    }

    /// The first term of the pattern that is a variable.
    pub fn var_term(&self, var: VarId) -> Option<TermId> {
        let pattern = self.pattern;
        self.terms
            .iter()
            .find(|(id, node)| *id < pattern && node.kind == NodeKind::Var(var))
            .map(|(id, _)| id)
    }

    /// The terms that the target consists of, roots first.
    pub fn target_terms(&self) -> Vec<TermId> {
        match self.target {
            Target::Pass | Target::Fail => Vec::new(),
            Target::Value(term) => self.preorder(term),
            Target::Pair(first, second) => {
                let mut terms = self.preorder(first);
                terms.extend(self.preorder(second));
                terms
            }
        }
    }
}
