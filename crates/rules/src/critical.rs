//! Critical pairs: programs at which two rules overlap.
//!
//! D. E. Knuth and P. B. Bendix, "Simple Word Problems in Universal Algebras" (1970): where the pattern of a rule
//! stands, up to unification, at an operation inside the pattern of another (or at its root), a program exists that
//! both rewrite, with two results, the *critical pair*. A set of rules that ends (`cost`) gives
//! one result in whatever order it is applied if both members of every such pair can be rewritten to one program.
//!
//! Rules here have checks, computed constants and types, and unification knows nothing of these. So an [`Overlap`] is
//! looked for up to shape, and then small constants and plain facts are tried in a fixed order, as for the
//! examples in documents, until both rules apply: a [`Peak`] is a program of numbers in which both really fire. Operands
//! of commutative operations are unified in both orders. Rules of guards yield no value and are left out, as are those
//! marked `explore`, which the engines that keep one form do not have.

use planish_base::{Id, SideTable};
use planish_domain::IntFact;
use planish_ops::{Int, Op, Real, Type};

use crate::apply::asked;
use crate::eval::{concrete, float_literal, integer_literal};
use crate::example::{Leaf, count, leaves, pick, types};
use crate::graph::{Graph, Val};
use crate::matching::{Const, Outcome};
use crate::rule::{Literal, NodeKind, Rule, RuleId, TermId, TyKind, VarId, VarKind};
use crate::set::RuleSet;
use crate::trial::first_rewrite;

/// How many ways to choose constants and facts are tried for each way to unify at each choice of types.
const CHOICES: usize = 3_000;

/// How many are tried for one overlap.
const MOST_CHOICES: usize = 12_000;

/// A place in the pattern of one rule where another rule may fire.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Overlap {
    /// The rule whose pattern is looked into.
    pub outer: RuleId,
    /// The operation of that pattern.
    pub at: TermId,
    /// The rule that may fire there.
    pub inner: RuleId,
}

/// A program that two rules rewrite, and what each makes of it.
#[derive(Clone)]
pub struct Peak {
    /// The values of all three programs.
    pub graph: Graph,
    /// The program: its value and, where it has one, its overflow bit.
    pub peak: (Val, Option<Val>),
    /// What the outer rule makes of it: its value and, where it has one, its overflow bit.
    pub left: (Val, Option<Val>),
    /// What is left of it when the inner rule fired.
    pub right: (Val, Option<Val>),
    /// The names of parameters.
    pub names: SideTable<Val, Option<String>>,
    /// What is known of parameters, in order.
    pub given: Vec<(Val, IntFact)>,
}

impl Peak {
    /// A value of the graph as an expression.
    pub fn show(&self, (value, flag): (Val, Option<Val>)) -> String {
        let value = self.graph.show(value, &self.names);
        flag.map_or(value.clone(), |flag| format!("({value}, {})", self.graph.show(flag, &self.names)))
    }
}

/// Every place where the root of one rule's pattern is an operation of another's, in the order of the rules. Two rules
/// with one root overlap there once; a rule overlaps with itself below its root only.
pub fn overlaps(set: &RuleSet) -> Vec<Overlap> {
    let rules: Vec<(RuleId, &Rule)> =
        set.rules.iter().filter(|(_, rule)| !rule.marks.explore && !rule.is_guard()).collect();
    let mut found = Vec::new();
    for &(outer, rule) in &rules {
        for at in rule.preorder(rule.pattern) {
            let NodeKind::Op(op, _) = rule.terms[at].kind else { continue };
            let same_root = |inner: RuleId| at != rule.pattern || inner > outer;
            let inner = rules.iter().filter(|&&(inner, rule)| rule.root() == op && same_root(inner));
            found.extend(inner.map(|&(inner, _)| Overlap { outer, at, inner }));
        }
    }
    found
}

/// Programs in which both rules of an overlap fire, at most `most`; none where none is found.
pub fn peaks(set: &RuleSet, overlap: Overlap, most: usize) -> Vec<Peak> {
    let (outer, inner) = (&set.rules[overlap.outer], &set.rules[overlap.inner]);
    let mut found = Vec::new();
    let mut tried = 0;
    let of_inner = assignments(inner);
    let Some(path) = path(outer, overlap.at) else { return found };
    for types in assignments(outer) {
        let ty = concrete(outer.terms[overlap.at].ty, &types);
        for other in of_inner.iter().filter(|other| concrete(inner.terms[inner.pattern].ty, other) == ty) {
            let mut space = Space::default();
            let (first, second) = (space.add(outer, &types), space.add(inner, other));
            let (whole, part) = (first.at(outer, outer.pattern), first.at(outer, overlap.at));
            let (Some(whole), Some(part), Some(pattern)) = (whole, part, second.at(inner, inner.pattern))
            else {
                continue;
            };
            for unified in unify(Unifier::new(&space), vec![(part, pattern)]) {
                let program = unified.applied(&whole);
                let free = unified.free(&program);
                let choices: Vec<Vec<Leaf>> = free.iter().map(|&var| space.vars[var].leaves()).collect();
                let choices: Vec<&[Leaf]> = choices.iter().map(Vec::as_slice).collect();
                for number in 0..count(choices.iter().map(|c| c.len())).min(CHOICES) {
                    if tried == MOST_CHOICES {
                        return found;
                    }
                    tried += 1;
                    let chosen: Vec<(usize, Leaf)> =
                        free.iter().copied().zip(pick(&choices, number).copied()).collect();
                    let mut instance = Instance::new(&space, &chosen);
                    let value = instance.build(&program);
                    if let Some(peak) = instance.peak(set, overlap, value, &path) {
                        found.push(peak);
                        if found.len() == most {
                            return found;
                        }
                    }
                }
            }
        }
    }
    found
}

/// The type assignments that are tried for a rule.
fn assignments(rule: &Rule) -> Vec<Vec<Type>> {
    let kinds: Vec<TyKind> = rule.types.values().map(|var| var.kind).collect();
    let choices: Vec<&[Type]> = kinds.iter().map(|&kind| types(kind)).collect();
    (0..count(choices.iter().map(|c| c.len())))
        .map(|number| pick(&choices, number).copied().collect::<Vec<Type>>())
        .filter(|types| rule.admits(types) && rule.target_is_legal(types))
        .collect()
}

/// The operands that lead from the root of a pattern to one of its terms.
fn path(rule: &Rule, to: TermId) -> Option<Vec<usize>> {
    fn walk(rule: &Rule, from: TermId, to: TermId, path: &mut Vec<usize>) -> bool {
        if from == to {
            return true;
        }
        let NodeKind::Op(_, args) = &rule.terms[from].kind else { return false };
        for (place, &arg) in args.iter().enumerate() {
            path.push(place);
            if walk(rule, arg, to, path) {
                return true;
            }
            path.pop();
        }
        false
    }
    let mut path = Vec::new();
    walk(rule, rule.pattern, to, &mut path).then_some(path)
}

/// A term over the variables of both rules, at known types.
#[derive(Clone, PartialEq, Debug)]
enum Term {
    Var(usize),
    Const(Const),
    Op(Op, Type, Vec<Term>),
}

/// A variable of one of the rules.
#[derive(Clone, Debug)]
struct Variable {
    name: String,
    ty: Type,
    is_constant: bool,
    asked: bool,
}

impl Variable {
    fn leaves(&self) -> Vec<Leaf> {
        leaves(if self.is_constant { VarKind::Constant } else { VarKind::Value }, self.ty, self.asked)
    }
}

/// The variables of both rules: those of the second follow those of the first.
#[derive(Clone, Default, Debug)]
struct Space {
    vars: Vec<Variable>,
}

/// Where the variables of a rule begin, and the types that it is looked at.
struct Side<'t> {
    first: usize,
    types: &'t [Type],
}

impl Space {
    fn add<'t>(&mut self, rule: &Rule, types: &'t [Type]) -> Side<'t> {
        let first = self.vars.len();
        let asked = asked(rule);
        for (id, var) in rule.vars.iter() {
            let taken = self.vars.iter().any(|other| other.name == var.name);
            self.vars.push(Variable {
                name: format!("{}{}", var.name, if taken { "'" } else { "" }),
                ty: concrete(var.ty, types),
                is_constant: var.kind == VarKind::Constant,
                asked: asked[id.index()],
            });
        }
        Side { first, types }
    }
}

impl Side<'_> {
    /// A term of the pattern; `None` where a literal does not fit the types.
    fn at(&self, rule: &Rule, term: TermId) -> Option<Term> {
        let node = &rule.terms[term];
        let ty = concrete(node.ty, self.types);
        Some(match &node.kind {
            NodeKind::Var(var) => Term::Var(self.first + VarId::index(*var)),
            NodeKind::Op(op, args) => {
                Term::Op(*op, ty, args.iter().map(|&arg| self.at(rule, arg)).collect::<Option<_>>()?)
            }
            NodeKind::Literal(Literal::Float(value)) => {
                let format = ty.float_format()?;
                Term::Const(Const::Real(Real::from_bits(format, float_literal(*value, format))))
            }
            NodeKind::Literal(literal) => {
                let width = ty.int_width()?;
                Term::Const(Const::Int(Int::new(width, integer_literal(*literal, width)?)))
            }
            NodeKind::Reuse(_) => return None,
        })
    }
}

/// A substitution that grows.
#[derive(Clone)]
struct Unifier<'s> {
    space: &'s Space,
    bound: Vec<Option<Term>>,
}

impl<'s> Unifier<'s> {
    fn new(space: &'s Space) -> Self {
        Unifier { space, bound: vec![None; space.vars.len()] }
    }

    fn ty(&self, term: &Term) -> Type {
        match term {
            Term::Var(var) => self.space.vars[*var].ty,
            Term::Const(constant) => constant.ty(),
            Term::Op(_, ty, _) => *ty,
        }
    }

    /// What a term is, as far as its root is known.
    fn resolved<'t>(&'t self, mut term: &'t Term) -> &'t Term {
        while let Term::Var(var) = term
            && let Some(bound) = &self.bound[*var]
        {
            term = bound;
        }
        term
    }

    fn occurs(&self, var: usize, term: &Term) -> bool {
        match self.resolved(term) {
            Term::Var(other) => *other == var,
            Term::Const(_) => false,
            Term::Op(_, _, args) => args.iter().any(|arg| self.occurs(var, arg)),
        }
    }

    /// Binds a variable; whether it can stand for the term.
    fn bind(&mut self, var: usize, term: Term) -> bool {
        let is_constant = match &term {
            Term::Var(other) => self.space.vars[*other].is_constant,
            Term::Const(_) => true,
            Term::Op(..) => false,
        };
        if self.space.vars[var].ty != self.ty(&term)
            || (self.space.vars[var].is_constant && !is_constant)
            || self.occurs(var, &term)
        {
            return false;
        }
        self.bound[var] = Some(term);
        true
    }

    /// A term with what is bound in place of variables.
    fn applied(&self, term: &Term) -> Term {
        match self.resolved(term) {
            Term::Op(op, ty, args) => Term::Op(*op, *ty, args.iter().map(|arg| self.applied(arg)).collect()),
            other => other.clone(),
        }
    }

    /// The variables of a term to which nothing is bound, in order of their first place.
    fn free(&self, term: &Term) -> Vec<usize> {
        let mut free = Vec::new();
        let mut stack = vec![term];
        while let Some(term) = stack.pop() {
            match term {
                Term::Var(var) if !free.contains(var) => free.push(*var),
                Term::Op(_, _, args) => stack.extend(args.iter().rev()),
                _ => {}
            }
        }
        free
    }
}

/// Every most general way to make all pairs equal, up to the order of operands that commute.
fn unify<'s>(mut unifier: Unifier<'s>, mut goals: Vec<(Term, Term)>) -> Vec<Unifier<'s>> {
    while let Some((a, b)) = goals.pop() {
        let (a, b) = (unifier.resolved(&a).clone(), unifier.resolved(&b).clone());
        match (a, b) {
            (a, b) if a == b => {}
            // A variable for any value may stand for a constant, and not the other way round.
            (Term::Var(a), Term::Var(b)) if unifier.space.vars[a].is_constant => {
                if !unifier.bind(b, Term::Var(a)) {
                    return Vec::new();
                }
            }
            (Term::Var(var), term) | (term, Term::Var(var)) => {
                if !unifier.bind(var, term) {
                    return Vec::new();
                }
            }
            (Term::Op(p, s, xs), Term::Op(q, t, ys)) if p == q && s == t && xs.len() == ys.len() => {
                if p.row().algebra.commutative && xs.len() == 2 {
                    let crossed = [(xs[0].clone(), ys[1].clone()), (xs[1].clone(), ys[0].clone())];
                    let straight = xs.into_iter().zip(ys);
                    let more = |new: Vec<(Term, Term)>| [&goals[..], &new[..]].concat();
                    let mut found = unify(unifier.clone(), more(straight.collect()));
                    found.extend(unify(unifier, more(crossed.to_vec())));
                    return found;
                }
                goals.extend(xs.into_iter().zip(ys));
            }
            _ => return Vec::new(),
        }
    }
    vec![unifier]
}

/// A program under construction: leaves for variables, equal terms made once.
struct Instance<'s> {
    space: &'s Space,
    chosen: &'s [(usize, Leaf)],
    made: Vec<(Term, Val)>,
    graph: Graph,
    names: SideTable<Val, Option<String>>,
    given: Vec<(Val, IntFact)>,
}

impl<'s> Instance<'s> {
    fn new(space: &'s Space, chosen: &'s [(usize, Leaf)]) -> Self {
        let (graph, names) = (Graph::new(), SideTable::new());
        Instance { space, chosen, made: Vec::new(), graph, names, given: Vec::new() }
    }

    fn build(&mut self, term: &Term) -> Val {
        if let Some((_, value)) = self.made.iter().find(|(made, _)| made == term) {
            return *value;
        }
        let value = match term {
            Term::Const(constant) => self.graph.constant_value(*constant),
            Term::Op(op, ty, args) => {
                let args: Vec<Val> = args.iter().map(|arg| self.build(arg)).collect();
                self.graph.apply(*op, &args, *ty)
            }
            Term::Var(var) => {
                let leaf = self.chosen.iter().find(|(of, _)| of == var).map_or(Leaf::Free, |(_, leaf)| *leaf);
                let Variable { name, ty, .. } = &self.space.vars[*var];
                let value = match leaf {
                    Leaf::Constant(constant) => self.graph.constant_value(constant),
                    Leaf::Known(_) | Leaf::Free => self.graph.param(*ty),
                };
                if let Leaf::Known(fact) = leaf {
                    self.graph.know(value, fact);
                    self.given.push((value, fact));
                }
                self.names[value] = Some(name.clone());
                value
            }
        };
        self.made.push((term.clone(), value));
        value
    }

    /// What both rules make of the program, if both apply.
    fn peak(mut self, set: &RuleSet, overlap: Overlap, peak: Val, path: &[usize]) -> Option<Peak> {
        let two = set.rules[overlap.outer].has_overflow();
        let at = path.iter().try_fold(peak, |value, &place| Some(self.graph.root(value)?.args[place]))?;
        let outer = first_rewrite(&self.graph, set, overlap.outer, &self.graph.root(peak)?)?;
        let inner = first_rewrite(&self.graph, set, overlap.inner, &self.graph.root(at)?)?;
        let is_value = |outcome: &Outcome<Val>| matches!(outcome, Outcome::Value(_) | Outcome::Pair(..));
        if !is_value(&outer.outcome) || !is_value(&inner.outcome) {
            return None;
        }
        let left = self.graph.build(&outer, two)?;
        let right = match path.is_empty() {
            true => self.graph.build(&inner, two)?,
            false => {
                let (new, _) = self.graph.build(&inner, false)?;
                let value = self.replaced(peak, path, new)?;
                (value, two.then(|| self.graph.flag(value)))
            }
        };
        let peak = (peak, two.then(|| self.graph.flag(peak)));
        let Instance { graph, names, given, .. } = self;
        Some(Peak { graph, peak, left, right, names, given })
    }

    /// A value with another in the place of an operand's operand.
    fn replaced(&mut self, value: Val, path: &[usize], new: Val) -> Option<Val> {
        let Some((&place, rest)) = path.split_first() else { return Some(new) };
        let root = self.graph.root(value)?;
        let (op, ty, mut args) = (root.op, root.ty, root.args.to_vec());
        args[place] = self.replaced(args[place], rest, new)?;
        Some(self.graph.apply(op, &args, ty))
    }
}
