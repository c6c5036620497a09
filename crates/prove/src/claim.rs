//! What a rule claims, as questions to a solver.
//!
//! A rule is generic over widths, so it is proved width by width: a *part* is a width, and its *cases* are
//! the type assignments whose widest integer has it, under each reading of shifts and division that makes
//! a difference. The claim itself is [`Rule::semantics`] over terms: variables of the rule become variables
//! of the question, and a variable of which a check asks something gets an unknown fact, of which nothing
//! is assumed but that the value is a member. So a proof holds for all facts that the engine may have.

use planish_base::Id;
use planish_domain::fact::contains;
use planish_domain::{Fact, FactOf};
use planish_ops::{Bits, Datum, FloatFormat, Type};
use planish_rules::apply::asked;
use planish_rules::eval::concrete;
use planish_rules::rule::{Rule, TyKind, VarId, VarKind};
use planish_rules::semantics::Reading;
use planish_smt::{Pool, Query, Sort, Term};

use crate::question::Question;

/// The widths at which rules are proved.
pub const WIDTHS: [u32; 4] = [8, 16, 32, 64];

/// The type assignments that are proved together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Part {
    /// Its name in the ledger: a width, or what there is in place of widths.
    pub name: String,
    /// The assignments that the rule admits.
    pub assignments: Vec<Vec<Type>>,
}

impl Part {
    /// The widest integer of its assignments; 64 where there are none.
    pub fn width(&self) -> u32 {
        let widths = self.assignments.iter().flatten().filter_map(|ty| ty.int_width());
        widths.max().unwrap_or(64)
    }
}

/// A type assignment and a reading.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Case {
    /// The type of each type variable.
    pub types: Vec<Type>,
    /// How shifts and division are read.
    pub reading: Reading,
}

/// A variable of a rule in a question.
#[derive(Clone, Copy, Debug)]
pub struct Input {
    /// Its value.
    pub value: Datum<Pool>,
    /// What is known of it, where a check asks.
    pub fact: Option<FactOf<Pool>>,
}

/// The question of a rule in a case.
pub struct Claim {
    /// Is there an input for which the claim fails?
    pub question: Question,
    /// The case.
    pub case: Case,
    /// By variable: those that are inputs.
    pub inputs: Vec<Option<Input>>,
    /// That every value is a member of its fact.
    pub members: Vec<Term>,
    /// Check by check: whether it holds.
    pub checks: Vec<Term>,
    /// Whether the rule applies and its pattern is defined.
    pub applies: Term,
}

impl Claim {
    /// The claim of `rule` in a case that it admits.
    pub fn new(rule: &Rule, case: Case) -> Claim {
        let mut pool = Pool::new();
        let asked = asked(rule);
        let mut members = Vec::new();
        let inputs: Vec<Option<Input>> = (rule.vars.iter())
            .map(|(id, variable)| {
                if !matches!(variable.kind, VarKind::Value | VarKind::Constant | VarKind::Guessed) {
                    return None;
                }
                let ty = concrete(variable.ty, &case.types);
                let sort = Sort::of(ty).expect("rules are about integers and floats");
                let term = pool.variable(&variable.name, sort);
                let value = match sort {
                    Sort::Float(_) => Datum::Float(term),
                    _ => Datum::Word(term),
                };
                let has_fact =
                    variable.kind == VarKind::Value && asked[id.index()] && matches!(sort, Sort::Bits(_));
                let fact = has_fact.then(|| {
                    let mut part = |name: &str| pool.variable(&format!("{}.{name}", variable.name), sort);
                    Fact { lo: part("lo"), hi: part("hi"), ones: part("ones"), zeros: part("zeros") }
                });
                if let Some(fact) = fact {
                    members.push(contains(&mut pool, fact, term));
                }
                Some(Input { value, fact })
            })
            .collect();
        let data: Vec<Option<Datum<Pool>>> = inputs.iter().map(|i| i.map(|i| i.value)).collect();
        let facts: Vec<Option<FactOf<Pool>>> = inputs.iter().map(|i| i.and_then(|i| i.fact)).collect();
        let semantics = rule.semantics(&mut pool, case.reading, &case.types, &data, &facts);
        let claim = semantics.claim(&mut pool, case.reading);
        let source = pool.both(semantics.source.inner_defined, semantics.source.root_defined);
        let applies = pool.both(semantics.applies, source);
        let checks = semantics.checks;
        let question = Question::refute(pool, &members, claim);
        Claim { question, case, inputs, members, checks, applies }
    }

    /// Asks whether the first `checks` checks can hold together; all of them and the rest of what it
    /// takes for the rule to apply when `checks` is more than there are.
    pub fn satisfiable(&self, checks: usize) -> Query {
        let mut assertions = self.members.clone();
        match self.checks.get(..checks) {
            Some(some) => assertions.extend(some),
            None => assertions.push(self.applies),
        }
        Query::new(assertions)
    }

    /// The term of a variable that is an input.
    pub fn term(&self, var: VarId) -> Option<Term> {
        self.inputs[var.index()].map(|input| match input.value {
            Datum::Word(term) | Datum::Float(term) => term,
        })
    }
}

/// The parts of a rule. A part without assignments is one that the rule says nothing about.
pub fn parts(rule: &Rule) -> Vec<Part> {
    let kinds: Vec<TyKind> = rule.types.values().map(|var| var.kind).collect();
    let part = |name: String, assignments: Vec<Vec<Type>>| Part {
        name,
        assignments: assignments.into_iter().filter(|types| rule.admits(types)).collect(),
    };
    if kinds.is_empty() {
        return vec![part("fixed".to_owned(), vec![Vec::new()])];
    }
    if !kinds.iter().any(|kind| matches!(kind, TyKind::Int | TyKind::Any)) {
        return vec![part("float".to_owned(), assignments(&kinds, &[]))];
    }
    WIDTHS.iter().map(|&width| part(width.to_string(), widest(&kinds, width))).collect()
}

/// The assignments whose widest integer has `width` bits. With one or two integer variables the others
/// take every smaller width of the list and one bit; with more, one bit and half the width.
fn widest(kinds: &[TyKind], width: u32) -> Vec<Vec<Type>> {
    let integers = kinds.iter().filter(|kind| **kind != TyKind::Float).count();
    let mut widths: Vec<u32> = match integers {
        0..=2 => std::iter::once(1).chain(WIDTHS).filter(|&w| w <= width).collect(),
        _ => vec![1, width / 2, width],
    };
    widths.dedup();
    let top = Type::Int(width as u8);
    assignments(kinds, &widths).into_iter().filter(|types| types.contains(&top)).collect()
}

/// Every assignment of these widths and of the two formats. A variable of any type takes the formats as
/// well.
fn assignments(kinds: &[TyKind], widths: &[u32]) -> Vec<Vec<Type>> {
    let floats = [Type::Float(FloatFormat::F32), Type::Float(FloatFormat::F64)];
    let words: Vec<Type> = widths.iter().map(|&w| Type::Int(w as u8)).collect();
    kinds.iter().fold(vec![Vec::new()], |heads, kind| {
        let choices = match kind {
            TyKind::Int => words.clone(),
            TyKind::Float => floats.to_vec(),
            TyKind::Any => words.iter().chain(&floats).copied().collect(),
        };
        heads
            .iter()
            .flat_map(|head| choices.iter().map(move |&ty| [head.as_slice(), &[ty]].concat()))
            .collect()
    })
}

/// The claims of a part, case by case. A reading whose question is that of the reading before is left out.
pub fn claims<'a>(rule: &'a Rule, part: &'a Part) -> impl Iterator<Item = Claim> + 'a {
    part.assignments.iter().flat_map(move |types| {
        let mut last: Option<String> = None;
        Reading::ALL.into_iter().filter_map(move |reading| {
            let claim = Claim::new(rule, Case { types: types.clone(), reading });
            let text = claim.question.text();
            if last.as_ref() == Some(&text) {
                return None;
            }
            last = Some(text);
            Some(claim)
        })
    })
}
