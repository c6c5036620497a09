//! One program in which a rule fires, before and after: for the pages about the book.
//!
//! A rule says when it applies, and not for which numbers a reader would find that obvious. So small constants and
//! plain facts are tried in a fixed order, at the usual types first, until the rule applies. The search is bounded,
//! and the same on every run.

use planish_base::{Id, SideTable};
use planish_domain::IntFact;
use planish_ops::{Int, Real, Type};

use crate::apply::asked;
use crate::eval::{concrete, float_literal, integer_literal};
use crate::graph::{Graph, Val};
use crate::matching::{Const, Outcome};
use crate::rule::{Literal, NodeKind, Rule, RuleId, TermId, TyKind, VarId, VarKind};
use crate::set::RuleSet;
use crate::trial::first_rewrite;

/// How many ways to choose constants and facts are tried at each choice of types.
const CHOICES: usize = 200_000;

/// A rule at work.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Example {
    /// The pattern with numbers in place of constants, and its type.
    pub before: String,
    /// What is known of variables, where the rule asks.
    pub given: Vec<String>,
    /// What it becomes.
    pub after: String,
}

/// The first example that is found.
pub fn example(set: &RuleSet, id: RuleId) -> Option<Example> {
    let rule = &set.rules[id];
    let kinds: Vec<TyKind> = rule.types.values().map(|var| var.kind).collect();
    let choices: Vec<&[Type]> = kinds.iter().map(|&kind| types(kind)).collect();
    (0..count(choices.iter().map(|c| c.len())))
        .map(|number| pick(&choices, number).copied().collect::<Vec<Type>>())
        .filter(|types| rule.admits(types) && rule.target_is_legal(types))
        .find_map(|types| at_types(set, id, &types))
}

/// The types that are tried for a type variable.
pub(crate) fn types(kind: TyKind) -> &'static [Type] {
    match kind {
        TyKind::Int => &[Type::Int(64), Type::Int(32), Type::Int(8), Type::Int(1)],
        TyKind::Float => &[Type::F64, Type::F32],
        TyKind::Any => &[Type::Int(64), Type::F64],
    }
}

/// How many ways there are to choose one of each.
pub(crate) fn count(sizes: impl Iterator<Item = usize>) -> usize {
    sizes.product()
}

/// The choice with a number, of the last list fastest.
pub(crate) fn pick<'a, T>(choices: &'a [&[T]], mut number: usize) -> impl Iterator<Item = &'a T> {
    let mut picked: Vec<&T> = Vec::with_capacity(choices.len());
    for choice in choices.iter().rev() {
        picked.push(&choice[number % choice.len()]);
        number /= choice.len();
    }
    picked.into_iter().rev()
}

/// What a variable stands for in an example.
#[derive(Clone, Copy)]
pub(crate) enum Leaf {
    /// A constant.
    Constant(Const),
    /// A value of which this is known.
    Known(IntFact),
    /// A value.
    Free,
}

fn at_types(set: &RuleSet, id: RuleId, types: &[Type]) -> Option<Example> {
    let rule = &set.rules[id];
    let asked = asked(rule);
    let in_pattern: Vec<VarId> = rule.vars.ids().filter(|&var| rule.var_term(var).is_some()).collect();
    let leaves: Vec<Vec<Leaf>> = (in_pattern.iter())
        .map(|&var| leaves(rule.vars[var].kind, concrete(rule.vars[var].ty, types), asked[var.index()]))
        .collect();
    let choices: Vec<&[Leaf]> = leaves.iter().map(Vec::as_slice).collect();
    (0..count(choices.iter().map(|c| c.len())).min(CHOICES)).find_map(|number| {
        let chosen: Vec<(VarId, Leaf)> =
            in_pattern.iter().copied().zip(pick(&choices, number).copied()).collect();
        Instance::new(rule, types, &chosen).example(set, id)
    })
}

/// What is tried for a variable, the plainest first.
pub(crate) fn leaves(kind: VarKind, ty: Type, asked: bool) -> Vec<Leaf> {
    match (kind, ty) {
        (VarKind::Constant, Type::Int(width)) => {
            let width = u32::from(width);
            let most = i64::MAX >> (64 - width);
            let numbers = [3, 5, 8, 1, 2, 0, 7, -1, 4, 10, 255, 16, 31, 32, 63, 100, -8, most, !most];
            let fits = |&n: &i64| n <= most && n >= !most;
            let mut numbers: Vec<i64> = numbers.into_iter().filter(fits).collect();
            if width == 1 {
                numbers = vec![-1, 0];
            }
            numbers.into_iter().map(|n| Leaf::Constant(Const::Int(Int::new(width, n as u64)))).collect()
        }
        (VarKind::Constant, Type::Float(format)) => {
            let numbers = [2.0, 3.0, 0.5, 1.5, -1.0, 0.0, -0.0, f64::INFINITY, f64::NAN];
            let real = |x| Leaf::Constant(Const::Real(Real::from_bits(format, float_literal(x, format))));
            numbers.into_iter().map(real).collect()
        }
        (_, Type::Int(width)) if asked => {
            let width = u32::from(width);
            let most = i64::MAX >> (64 - width);
            let range =
                |lo: i64, hi: i64| (hi <= most && lo >= !most).then(|| IntFact::interval(width, lo, hi));
            let ranges = [(0, most), (0, 1), (0, 7), (1, 100), (8, 20), (-100, -1), (200, 300), (16, 16)];
            let low_clear = IntFact::bits(width, 0, 7);
            let facts = ranges.into_iter().filter_map(|(lo, hi)| range(lo, hi)).chain([low_clear]);
            std::iter::once(Leaf::Free).chain(facts.map(Leaf::Known)).collect()
        }
        _ => vec![Leaf::Free],
    }
}

/// The pattern of a rule with leaves for its variables.
struct Instance<'r> {
    rule: &'r Rule,
    types: &'r [Type],
    graph: Graph,
    bound: SideTable<VarId, Option<Val>>,
    names: SideTable<Val, Option<String>>,
    given: Vec<String>,
}

impl<'r> Instance<'r> {
    fn new(rule: &'r Rule, types: &'r [Type], chosen: &[(VarId, Leaf)]) -> Self {
        let mut instance = Instance {
            rule,
            types,
            graph: Graph::new(),
            bound: SideTable::new(),
            names: SideTable::new(),
            given: Vec::new(),
        };
        for &(var, leaf) in chosen {
            let ty = concrete(rule.vars[var].ty, types);
            let name = &rule.vars[var].name;
            let value = match leaf {
                Leaf::Constant(constant) => instance.graph.constant_value(constant),
                Leaf::Known(_) | Leaf::Free => instance.graph.param(ty),
            };
            if let Leaf::Known(fact) = leaf {
                instance.graph.know(value, fact);
                instance.given.push(format!("{name}: {fact}"));
            }
            instance.bound[var] = Some(value);
            instance.names[value] = Some(name.clone());
        }
        instance
    }

    /// The example, if the rule applies.
    fn example(mut self, set: &RuleSet, id: RuleId) -> Option<Example> {
        let pattern = self.term(self.rule.pattern);
        let root = self.graph.root(pattern).expect("a pattern is an operation");
        let rewrite = first_rewrite(&self.graph, set, id, &root)?;
        let ty = root.ty;
        let before = self.graph.show(pattern, &self.names);
        let guard = rewrite.plan.iter().last().filter(|_| rewrite.outcome == Outcome::Guard);
        let after = match rewrite.outcome {
            Outcome::Pass => "nothing: it always holds".to_owned(),
            Outcome::Fail => "the end: it never holds".to_owned(),
            Outcome::Guard => {
                let guard = *guard.expect("a guard was planned");
                let value = self.graph.build_guard(&rewrite, &guard);
                self.graph.show(value, &self.names)
            }
            Outcome::Value(_) | Outcome::Pair(..) => {
                let two = self.rule.has_overflow();
                let (value, flag) = self.graph.build(&rewrite, two)?;
                let value = self.graph.show(value, &self.names);
                match flag {
                    Some(flag) => format!("({value}, {})", self.graph.show(flag, &self.names)),
                    None => value,
                }
            }
        };
        let before = if self.rule.is_guard() { before } else { format!("{before}: {ty}") };
        Some(Example { before, given: self.given, after })
    }

    fn term(&mut self, term: TermId) -> Val {
        let node = &self.rule.terms[term];
        let ty = concrete(node.ty, self.types);
        match &node.kind {
            NodeKind::Op(op, terms) => {
                let args: Vec<Val> = terms.iter().map(|&arg| self.term(arg)).collect();
                self.graph.apply(*op, &args, ty)
            }
            NodeKind::Var(var) => self.bound[*var].expect("variables of the pattern are bound"),
            NodeKind::Literal(Literal::Float(value)) => {
                let format = ty.float_format().expect("the rule admits the types");
                let real = Real::from_bits(format, float_literal(*value, format));
                self.graph.constant_value(Const::Real(real))
            }
            NodeKind::Literal(literal) => {
                let width = ty.int_width().expect("the rule admits the types");
                let bits = integer_literal(*literal, width).expect("the rule admits the types");
                self.graph.constant_value(Const::Int(Int::new(width, bits)))
            }
            NodeKind::Reuse(_) => unreachable!("only targets name values of the pattern again"),
        }
    }
}
