//! A theorem of the domain cut at contracts, and its proof step by step.

use std::collections::BTreeSet;

use planish_base::Id;
use planish_domain::contracts::Step;
use planish_domain::theorems::{CutClaim, Free, Theorem};
use planish_domain::{Fact, FactOf};
use planish_ops::Bits;
use planish_smt::signature::Binary;
use planish_smt::term::{Node, Variable};
use planish_smt::{Budget, Pool, Sort, Term};

use crate::engine::Engine;
use crate::question::Question;
use crate::steps::{AnsweredBy, Steps};

/// A theorem cut at contracts.
pub(super) struct Cut {
    pool: Pool,
    cut: CutClaim<Term>,
    /// The variables that stand for results of calls.
    results: BTreeSet<Variable>,
}

impl Cut {
    /// `None` of theorems that do not follow from contracts.
    pub(super) fn new(theorem: Theorem, width: u32) -> Option<Cut> {
        let mut pool = Pool::new();
        let (facts, words) = variables(theorem, width, &mut pool)?;
        let mut results = BTreeSet::new();
        let mut fresh = |pool: &mut Pool, width: u32| {
            let result = pool.variable(&format!("lemma{}", results.len() + 1), Sort::Bits(width));
            results.extend(pool.unknowns(result));
            result
        };
        let cut = theorem.cut(&mut pool, &mut fresh, width, &facts, &words)?;
        // With nothing cut and no lemmas it is the theorem as it stands.
        (!cut.steps.is_empty()).then_some(Cut { pool, cut, results })
    }

    /// The theorems that say what is assumed, each at a width.
    pub(super) fn premises(&self) -> &[(Theorem, u32)] {
        &self.cut.premises
    }

    /// The steps of calls whose results a claim speaks of, or that such calls take, and those about none. What else a function
    /// computes, as the exact sum beside the one that wraps, need not be known.
    fn needed(&self, pool: &Pool, steps: Vec<Step<Term>>, then: Term) -> Vec<Step<Term>> {
        let results = |terms: &[Term]| {
            let unknowns = terms.iter().flat_map(|&term| pool.unknowns(term));
            unknowns.filter(|variable| self.results.contains(variable)).collect::<BTreeSet<Variable>>()
        };
        let mut needed = results(&[then]);
        let mut is_needed = |step: &Step<Term>| {
            let of_step = results(&terms_of(step));
            let is_needed = of_step.is_empty() || !of_step.is_disjoint(&needed);
            if is_needed {
                needed.extend(of_step);
            }
            is_needed
        };
        let mut steps: Vec<Step<Term>> = steps.into_iter().rev().filter(|step| is_needed(step)).collect();
        steps.reverse();
        steps
    }

    /// Whether lemmas lead through the proof.
    pub(super) fn is_guided(&self) -> bool {
        self.cut.steps.iter().any(|step| matches!(step, Step::Lemma(_)))
    }

    /// All at once: every use of a contract as an implication.
    pub(super) fn question(&self) -> Question {
        let mut pool = self.pool.clone();
        let mut given = vec![self.cut.claim.given];
        for step in &self.cut.steps {
            match step {
                Step::Lemma(_) => {}
                Step::Always(holds) => given.push(*holds),
                Step::Kept { before, after } => given.push(kept(&mut pool, before, *after)),
            }
        }
        Question::refute(pool, &given, self.cut.claim.then)
    }

    /// Step by step, once in each case.
    pub(super) fn by_steps(&self, engine: &Engine, budget: &mut Budget) -> Option<AnsweredBy> {
        let mut answered = AnsweredBy::default();
        for ways in 0..1u32 << self.cut.cases.len() {
            let is_so = |case: usize| ways >> case & 1 == 1;
            let cases = self.cut.cases.iter().enumerate().map(|(index, &case)| (case, is_so(index)));
            answered.extend(&self.in_case(cases.collect(), engine, budget)?);
        }
        Some(answered)
    }

    /// Step by step, each of these conditions being so. Whatever follows at a step holds of the functions as they
    /// are, so it may be used from there on.
    fn in_case(&self, cases: Vec<(Term, bool)>, engine: &Engine, budget: &mut Budget) -> Option<AnsweredBy> {
        let mut pool = self.pool.clone();
        let roots: Vec<Term> = self.cut.steps.iter().flat_map(terms_of).chain(self.claimed()).collect();
        let mut images: Vec<Option<Term>> = vec![None; pool.len()];
        for (index, _) in pool.reachable(&roots).into_iter().enumerate().filter(|&(_, r)| r) {
            let term = Term::from_index(index);
            let case = cases.iter().find(|&&(case, _)| case == term);
            images[index] = Some(match case {
                Some(&(_, is_so)) => pool.truth(is_so),
                None => pool.rebuilt(term, &images),
            });
        }
        let image = |term: Term| images[term.index()].expect("roots are reached");
        let [given, then] = self.claimed().map(image);
        let (mut given, then) = self.assumed(&mut pool, given, then);
        for (case, is_so) in cases {
            let holds = if is_so { case } else { pool.negate(case) };
            given = pool.both(given, holds);
        }
        let in_case = |step: &Step<Term>| match step {
            Step::Lemma(lemma) => Step::Lemma(image(*lemma)),
            Step::Always(holds) => Step::Always(image(*holds)),
            Step::Kept { before, after } => {
                Step::Kept { before: before.iter().map(|&term| image(term)).collect(), after: image(*after) }
            }
        };
        let needed = self.needed(&pool, self.cut.steps.iter().map(in_case).collect(), then);
        let mut steps = Steps::new(pool, given, engine, budget);
        for step in needed {
            match step {
                Step::Lemma(lemma) => steps.lemma(lemma),
                Step::Always(holds) => steps.take(holds),
                Step::Kept { before, after } => {
                    let follows = before.iter().all(|&b| steps.follows(b));
                    let holds = if follows { after } else { kept(steps.pool(), &before, after) };
                    steps.take(holds);
                }
            }
        }
        steps.follows(then).then(|| steps.answered_by())
    }

    /// What is claimed under an assumption that speaks of no result, as of products that fit, is claimed where that is given.
    fn assumed(&self, pool: &mut Pool, given: Term, then: Term) -> (Term, Term) {
        let Node::Binary(Binary::Either, a, b) = pool.node(then) else { return (given, then) };
        let speaks = |term: Term| !pool.unknowns(term).is_disjoint(&self.results);
        match [(a, b), (b, a)].into_iter().find(|&(unless, then)| !speaks(unless) && speaks(then)) {
            Some((unless, then)) => {
                let assumption = pool.negate(unless);
                (pool.both(given, assumption), then)
            }
            None => (given, then),
        }
    }

    fn claimed(&self) -> [Term; 2] {
        [self.cut.claim.given, self.cut.claim.then]
    }
}

/// What a step speaks of.
fn terms_of(step: &Step<Term>) -> Vec<Term> {
    match step {
        Step::Lemma(term) | Step::Always(term) => vec![*term],
        Step::Kept { before, after } => before.iter().copied().chain([*after]).collect(),
    }
}

/// That a witness which was described before is described after.
fn kept(pool: &mut Pool, before: &[Term], after: Term) -> Term {
    let always = pool.truth(true);
    let before = before.iter().fold(always, |all, &one| pool.both(all, one));
    pool.implies(before, after)
}

/// The variables of a theorem at a width.
pub(super) fn variables(
    theorem: Theorem,
    width: u32,
    pool: &mut Pool,
) -> Option<(Vec<FactOf<Pool>>, Vec<Term>)> {
    let params = theorem.params(width)?;
    let facts: Vec<FactOf<Pool>> = (params.facts.iter().enumerate())
        .map(|(i, &width)| {
            let mut word = |part: &str| pool.variable(&format!("f{i}.{part}"), Sort::Bits(width));
            Fact { lo: word("lo"), hi: word("hi"), ones: word("ones"), zeros: word("zeros") }
        })
        .collect();
    let words: Vec<Term> = (params.words.iter().enumerate())
        .map(|(i, &free)| {
            let width = match free {
                Free::Any(width) => width,
                Free::Member(fact) => params.facts[fact],
            };
            pool.variable(&format!("x{i}"), Sort::Bits(width))
        })
        .collect();
    Some((facts, words))
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use planish_domain::methods::METHODS;
    use planish_ops::Op;

    use super::*;

    /// Each lemma leads to the next: without them these are questions that no solver answers in minutes.
    #[test]
    fn shifts_and_rotations_are_proved_step_by_step() {
        let forward = [Op::Lshift, Op::Rshift, Op::Urshift, Op::Rotl, Op::Rotr].map(Theorem::Forward);
        let backward = [Op::Lshift, Op::Rshift, Op::Urshift, Op::Rotl, Op::Rotr].map(Theorem::Backward);
        for theorem in forward.into_iter().chain(backward) {
            let cut = Cut::new(theorem, 16).expect("it rests on contracts");
            let mut budget = Budget::new(Duration::from_secs(120));
            assert!(cut.by_steps(&Engine::builtin(), &mut budget).is_some(), "{}", theorem.name());
        }
    }

    /// A factor is the quotient of the product, of which the fact is known to be right; what is claimed of products that fit
    /// is claimed where they do.
    #[test]
    fn products_and_their_factors_are_proved_from_the_theorem_about_quotients() {
        let exact = [Op::MulOvf, Op::UmulOvf].map(Theorem::BackwardExact);
        let method =
            METHODS.iter().find(|method| method.name == "mul_bound_no_overflow").expect("it is there");
        for theorem in exact.into_iter().chain([Theorem::Backward(Op::Mul), Theorem::Method(method)]) {
            let cut = Cut::new(theorem, 8).expect("it rests on contracts");
            let rests_on_a_quotient =
                cut.premises().iter().any(|(premise, _)| matches!(premise, Theorem::Forward(_)));
            assert_eq!(rests_on_a_quotient, !matches!(theorem, Theorem::Method(_)));
            let mut budget = Budget::new(Duration::from_secs(120));
            assert!(cut.by_steps(&Engine::builtin(), &mut budget).is_some(), "{}", theorem.name());
        }
    }

    /// In each case one operand is the result, and what the other functions of words are given is in order.
    #[test]
    fn choices_and_conversions_are_proved_case_by_case() {
        for op in [Op::Max, Op::Umin, Op::Abs, Op::Trunc, Op::Select] {
            let cut = Cut::new(Theorem::Backward(op), 64).expect("it rests on contracts");
            assert!(!cut.cut.cases.is_empty());
            let mut budget = Budget::new(Duration::from_secs(120));
            assert!(cut.by_steps(&Engine::builtin(), &mut budget).is_some(), "{op}");
        }
    }
}
