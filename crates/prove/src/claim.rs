//! What a rule claims, as questions to a solver.
//!
//! A rule is generic over widths, so it is proved width by width: a *part* is a width of those that rules
//! [speak of](planish_rules::speaks), and its *cases* are all type assignments whose widest integer has it, under each
//! reading of shifts and division that makes a difference. No assignment at which a rule is applied is left out.
//! The claim itself is [`Rule::semantics`] over terms: variables of the rule become variables
//! of the question, and a variable of which a check asks something gets an unknown fact, of which nothing
//! is assumed but that the value is a member. So a proof holds for all facts that the engine may have.
//! Where the pattern has a choice, each variable comes with a truth value that says whether it is defined, and is a
//! member of its fact where it is.
//!
//! Where a rule asks what the domain finds out about a result, the question comes in two forms: with the
//! domain's code in it, and [cut](Cut) at what the domain promises. A rule that guesses magic numbers is asked whether it
//! [follows from the theorem](crate::certified) about them, at widths at which no solver knows products only that.

use std::collections::BTreeSet;

use planish_base::Id;
use planish_domain::fact::contains;
use planish_domain::methods::{Kind, Method, Value as Answered};
use planish_domain::theorems::Theorem;
use planish_domain::{Fact, FactOf};
use planish_ops::{Bits, Datum, Type};
use planish_rules::apply::asked;
use planish_rules::eval::concrete;
use planish_rules::rule::{Rule, TyKind, VarId, VarKind};
use planish_rules::semantics::{Inputs, Reading};
use planish_rules::speaks;
use planish_smt::{Pool, Query, Sort, Term, opaque};

use crate::certified;
use crate::domain;
use crate::ledger::Premise;
use crate::magic;
use crate::question::Question;

/// The widest words at which a rule that guesses is asked as it is, where it does not follow from the theorem.
const CERTIFIED_BY_SEARCH: u32 = 8;

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
    /// Whether it is defined; nothing where it is for certain, or nobody needs to know.
    pub defined: Option<Term>,
}

/// The question of a rule in a case.
pub struct Claim {
    /// Is there an input for which the claim fails?
    pub question: Question,
    /// The same question, methods of facts being known by their promises only, or products by the theorem about magic numbers.
    pub cut: Option<Cut>,
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
    /// At which width the question is whether the rule follows from the theorem about magic numbers, if it is that: then a
    /// model of it is no counterexample.
    pub rests_on_magic: Option<u32>,
}

impl Claim {
    /// The claim of `rule` in a case that it admits.
    pub fn new(rule: &Rule, case: Case) -> Claim {
        let mut pool = Pool::new();
        let Premises { inputs, members, given } = Premises::new(rule, &case, &mut pool);
        let semantics = rule.semantics(&mut pool, case.reading, &case.types, given.inputs());
        let claim = semantics.claim(&mut pool, case.reading);
        let source = pool.both(semantics.source.inner_defined, semantics.source.root_defined);
        let applies = pool.both(semantics.applies, source);
        let checks = semantics.checks;
        let certified_width = certified_width(rule, &case.types);
        let rests_on_magic = certified_width.filter(|&width| width > CERTIFIED_BY_SEARCH);
        let (question, cut) = match certified_width {
            None => (Question::refute(pool, &members, claim), Cut::new(rule, &case)),
            Some(width) => {
                let value = |var: VarId| given.values[var.index()].map(|datum| datum.word());
                let mut known = members.clone();
                let mut by_theorem = pool.clone();
                known.extend(certified::instances(rule, &mut by_theorem, &case.types, &value));
                let mut by_theorem = Question::refute(by_theorem, &known, claim);
                by_theorem.query = opaque(&mut by_theorem.pool, &by_theorem.query);
                if rests_on_magic.is_some() {
                    (by_theorem, None)
                } else {
                    let cut = Cut { question: by_theorem, lemmas: magic::premises(width) };
                    (Question::refute(pool, &members, claim), Some(cut))
                }
            }
        };
        Claim { question, cut, case, inputs, members, checks, applies, rests_on_magic }
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

/// The inputs of a rule, and what is given of them.
struct Premises {
    inputs: Vec<Option<Input>>,
    members: Vec<Term>,
    given: Given,
}

/// The inputs, part by part.
struct Given {
    values: Vec<Option<Datum<Pool>>>,
    facts: Vec<Option<FactOf<Pool>>>,
    defined: Vec<Option<Term>>,
}

impl Given {
    fn inputs(&self) -> Inputs<'_, Pool> {
        Inputs { values: &self.values, facts: &self.facts, defined: &self.defined }
    }
}

impl Premises {
    fn new(rule: &Rule, case: &Case, pool: &mut Pool) -> Premises {
        let (asked, chooses) = (asked(rule), rule.chooses());
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
                let fact = has_fact.then(|| fresh_fact(pool, &variable.name, sort));
                let may_lack = chooses && variable.kind == VarKind::Value;
                let defined =
                    may_lack.then(|| pool.variable(&format!("{}.defined", variable.name), Sort::Bool));
                if let Some(fact) = fact {
                    let member = contains(pool, fact, term);
                    members.push(defined.map_or(member, |defined| pool.implies(defined, member)));
                }
                Some(Input { value, fact, defined })
            })
            .collect();
        let given = Given {
            values: inputs.iter().map(|i| i.map(|i| i.value)).collect(),
            facts: inputs.iter().map(|i| i.and_then(|i| i.fact)).collect(),
            defined: inputs.iter().map(|i| i.and_then(|i| i.defined)).collect(),
        };
        Premises { inputs, members, given }
    }
}

fn fresh_fact(pool: &mut Pool, name: &str, sort: Sort) -> FactOf<Pool> {
    let mut part = |part: &str| pool.variable(&format!("{name}.{part}"), sort);
    Fact { lo: part("lo"), hi: part("hi"), ones: part("ones"), zeros: part("zeros") }
}

/// A question in which the answers of deep methods are unknown, save for what they promise.
///
/// What a method promises is a theorem of the domain, proved from the code that ships; so a rule that follows from
/// promises holds. That it does not follow says nothing: the answers may be better than promised.
pub struct Cut {
    /// The question.
    pub question: Question,
    /// The theorems that it rests on, with the part of each.
    pub lemmas: Vec<Premise>,
}

impl Cut {
    /// The question of a rule in a case; `None` where the rule asks no deep method at a width at which the
    /// domain has theorems.
    fn new(rule: &Rule, case: &Case) -> Option<Cut> {
        let mut pool = Pool::new();
        let Premises { mut members, given, .. } = Premises::new(rule, case, &mut pool);
        let witnesses = (given.facts.iter().zip(&given.values))
            .filter_map(|(fact, datum)| Some((*fact.as_ref()?, datum.as_ref()?.word())))
            .collect();
        let mut promises = Promises { witnesses, assumed: Vec::new(), lemmas: BTreeSet::new() };
        let mut ask =
            |pool: &mut Pool, method: &'static Method, receiver, args: &[Answered<Pool>]| match promises
                .ask(pool, method, receiver, args)
            {
                Some(answer) => answer,
                None => method.call(pool, receiver, args),
            };
        let semantics =
            rule.semantics_asking(&mut pool, case.reading, &case.types, given.inputs(), Some(&mut ask));
        if promises.lemmas.is_empty() {
            return None;
        }
        members.extend(promises.assumed);
        let claim = semantics.claim(&mut pool, case.reading);
        let lemmas = promises.lemmas.into_iter().collect();
        Some(Cut { question: Question::refute(pool, &members, claim), lemmas })
    }
}

/// What is assumed of answers.
struct Promises {
    /// Facts, and the word that each is about.
    witnesses: Vec<(FactOf<Pool>, Term)>,
    assumed: Vec<Term>,
    lemmas: BTreeSet<Premise>,
}

impl Promises {
    /// A new unknown as the answer of a deep method, with its promise; `None` where the method has to answer
    /// by itself.
    fn ask(
        &mut self,
        pool: &mut Pool,
        method: &'static Method,
        receiver: FactOf<Pool>,
        args: &[Answered<Pool>],
    ) -> Option<Answered<Pool>> {
        let width = pool.width(receiver.lo);
        if !method.is_deep() || !domain::WIDTHS.contains(&width) {
            return None;
        }
        let member = self.witness(receiver)?;
        let mut given = contains(pool, receiver, member);
        let argument = match args {
            [] => None,
            [Answered::Fact(fact)] => {
                let word = self.witness(*fact)?;
                let holds = contains(pool, *fact, word);
                given = pool.both(given, holds);
                Some(word)
            }
            [Answered::Word(word)] => Some(*word),
            _ => return None,
        };
        if let Some(defined) = method.defined(pool, receiver) {
            given = pool.both(given, defined);
        }
        let name = format!("answer{}", self.assumed.len());
        let answer = match method.result {
            Kind::Bool => Answered::Bool(pool.variable(&name, Sort::Bool)),
            Kind::Word => Answered::Word(pool.variable(&name, Sort::Bits(width))),
            Kind::Fact => {
                let fact = fresh_fact(pool, &name, Sort::Bits(width));
                let word = method.result_word(pool, member, argument)?;
                self.witnesses.push((fact, word));
                Answered::Fact(fact)
            }
        };
        let promise = method.promise(pool, member, argument, answer);
        self.assumed.push(pool.implies(given, promise));
        self.lemmas.insert(Premise::new(domain::name(Theorem::Method(method)), width.to_string()));
        Some(answer)
    }

    /// The word that a fact is about.
    fn witness(&self, fact: FactOf<Pool>) -> Option<Term> {
        let known = self.witnesses.iter().find(|(known, _)| *known == fact).map(|&(_, word)| word);
        known.or_else(|| (fact.lo == fact.hi).then_some(fact.lo))
    }
}

/// The width of the division of a rule that guesses, where the theorem about magic numbers is proved.
fn certified_width(rule: &Rule, types: &[Type]) -> Option<u32> {
    let width = concrete(rule.terms[rule.pattern].ty, types).int_width()?;
    (rule.marks.certified && magic::WIDTHS.contains(&width)).then_some(width)
}

/// The part of a rule that names its types.
pub(crate) const FIXED: &str = "fixed";

/// The part about floats.
pub(crate) const FLOAT: &str = "float";

/// The parts of a rule: together they are all assignments that it speaks of. A part without assignments is one that
/// the rule says nothing about.
pub fn parts(rule: &Rule) -> Vec<Part> {
    let kinds = rule.kinds();
    let part = |name: &str, assignments: Vec<Vec<Type>>| Part { name: name.to_owned(), assignments };
    if kinds.is_empty() {
        return vec![part(FIXED, rule.assignments().collect())];
    }
    if !kinds.iter().any(|kind| matches!(kind, TyKind::Int | TyKind::Any)) {
        return vec![part(FLOAT, rule.assignments().collect())];
    }
    let of_width = |width: u32| {
        let top = Type::Int(width as u8);
        let up_to: Vec<u32> = speaks::WIDTHS.into_iter().filter(|&w| w <= width).collect();
        let admitted = |types: &Vec<Type>| types.contains(&top) && rule.admits(types);
        part(&width.to_string(), speaks::choices(&kinds, &up_to).filter(admitted).collect())
    };
    let mut parts: Vec<Part> = speaks::WIDTHS.into_iter().map(of_width).collect();
    let floats: Vec<Vec<Type>> = speaks::choices(&kinds, &[]).filter(|types| rule.admits(types)).collect();
    if !floats.is_empty() {
        parts.push(part(FLOAT, floats));
    }
    parts
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
