//! The weakest condition under which a wrong rule holds.
//!
//! Everything of the [vocabulary](super::vocabulary) is evaluated at every example, of which all is known; so a question about what is
//! known of a value is one about the value. Of conjunctions of up to three, and of disjunctions of two such, those are candidates
//! that exclude every example for which the claim is wrong; they are proved in the order of how many they keep of those for which it
//! holds. The first that is proved is the answer, with the number of what it keeps: weaker than that is none of the vocabulary, as far
//! as examples and proofs go.

use std::cmp::Reverse;

use planish_base::Id;
use planish_ops::{Machine, Type};
use planish_rules::eval::{Eval, concrete};
use planish_rules::rule::{Rule, Step, Ty};
use planish_rules::semantics::Reading;

use super::draft::Draft;
use super::examples::{Example, examples};
use super::proved;
use super::vocabulary::vocabulary;
use crate::question::Options;

/// How many candidates are proved.
const PROOFS: usize = 8;

/// How many conditions are combined with each other.
const COMBINED: usize = 120;

/// A rule with a condition under which it is proved.
#[derive(Clone, Debug)]
pub struct Conditioned {
    /// The rule with its check.
    pub draft: Draft,
    /// The check.
    pub check: String,
    /// For how many examples the condition holds, of those for which the claim does.
    pub kept: usize,
    /// For how many examples the claim holds.
    pub holding: usize,
}

/// Looks for the weakest condition under which a rule holds.
pub fn condition(draft: &Draft, options: &Options) -> Option<Conditioned> {
    let rule = draft.read().ok()?;
    let examples: Vec<Example> =
        examples(&rule).into_iter().filter(|example| example.holds.is_some()).collect();
    let table = Table::new(draft, &rule, &examples);
    if table.holding == 0 {
        return None;
    }
    table.candidates().into_iter().take(PROOFS).find_map(|(kept, text)| {
        let check = format!("check {text}");
        let candidate = draft.with_line(&check);
        proved(&candidate, options)?;
        Some(Conditioned { draft: candidate, check, kept, holding: table.holding })
    })
}

/// How many examples the last check of a rule keeps, of those for which the claim of the rule without it holds.
pub(crate) fn kept(base: &Rule, with_check: &Rule, examples: &[Example]) -> usize {
    let (holds, _) = where_it_holds(base, with_check, examples);
    holds.common(&Bits::of(examples.iter().map(|example| example.holds == Some(true))))
}

/// A set of examples.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
struct Bits(Vec<u64>);

impl Bits {
    fn of(flags: impl Iterator<Item = bool>) -> Bits {
        let mut words = Vec::new();
        for (index, flag) in flags.enumerate() {
            if index % 64 == 0 {
                words.push(0);
            }
            words[index / 64] |= u64::from(flag) << (index % 64);
        }
        Bits(words)
    }

    fn and(&self, other: &Bits) -> Bits {
        Bits(self.0.iter().zip(&other.0).map(|(a, b)| a & b).collect())
    }

    fn or(&self, other: &Bits) -> Bits {
        Bits(self.0.iter().zip(&other.0).map(|(a, b)| a | b).collect())
    }

    fn common(&self, other: &Bits) -> usize {
        self.0.iter().zip(&other.0).map(|(a, b)| (a & b).count_ones() as usize).sum()
    }
}

/// Where the last check of a candidate holds, and whether it can be evaluated in all examples.
fn where_it_holds(base: &Rule, candidate: &Rule, examples: &[Example]) -> (Bits, bool) {
    let Some(Step::Check(check)) = candidate.steps.last() else { unreachable!("a check was put in") };
    let mut is_total = true;
    let holds = |example: &Example| {
        let types = types_with_check(base, candidate, &example.types);
        let Some(types) = types.filter(|types| candidate.admits(types)) else {
            is_total = false;
            return false;
        };
        let mut values = example.case.known(base, Reading::Masked, &example.types);
        values.resize(candidate.vars.len(), None);
        let b = &mut Machine;
        let (vars, types) = (&candidate.vars, &types[..]);
        let mut eval = Eval { b, vars, types, values: &mut values, valid: true, ask: None };
        let truth = eval.truth(check);
        is_total &= eval.valid;
        truth && eval.valid
    };
    let bits = Bits::of(examples.iter().map(holds));
    (bits, is_total)
}

/// The types of a rule's type variables once a check is put in: a check that compares two values makes their types one, so that
/// there are fewer. Nothing where the types of the example are not of that kind.
fn types_with_check(base: &Rule, candidate: &Rule, types: &[Type]) -> Option<Vec<Type>> {
    let mut of = vec![None; candidate.types.len()];
    for (term, node) in candidate.terms.iter() {
        let ty = concrete(base.terms[term].ty, types);
        let is_same = match node.ty {
            Ty::Known(known) => known == ty,
            Ty::Var(var) => *of[var.index()].get_or_insert(ty) == ty,
        };
        if !is_same {
            return None;
        }
    }
    of.into_iter().collect()
}

/// A condition, and where it holds.
#[derive(Clone)]
struct Condition {
    text: String,
    holds: Bits,
    /// How many are joined.
    parts: usize,
    /// Whether it is defined in all examples.
    is_total: bool,
}

struct Table {
    conditions: Vec<Condition>,
    good: Bits,
    bad: Bits,
    holding: usize,
}

impl Table {
    fn new(draft: &Draft, rule: &Rule, examples: &[Example]) -> Table {
        let good = Bits::of(examples.iter().map(|example| example.holds == Some(true)));
        let bad = Bits::of(examples.iter().map(|example| example.holds == Some(false)));
        let mut conditions: Vec<Condition> = Vec::new();
        for text in vocabulary(rule) {
            let Ok(candidate) = draft.with_line(&format!("check {text}")).read() else { continue };
            let (holds, is_total) = where_it_holds(rule, &candidate, examples);
            // What keeps nothing, or all, says nothing; of what is alike in all examples the first is kept.
            let says_something = holds.common(&good) > 0 && holds.common(&bad) < bad.common(&bad);
            if says_something && conditions.iter().all(|known| known.holds != holds) {
                conditions.push(Condition { text, holds, parts: 1, is_total });
            }
        }
        let holding = good.common(&good);
        Table { conditions, good, bad, holding }
    }

    fn is_right(&self, holds: &Bits) -> bool {
        holds.common(&self.bad) == 0
    }

    /// The conditions that exclude all that is wrong, those that keep the most first, of equal ones the shortest.
    fn candidates(&self) -> Vec<(usize, String)> {
        let mut right: Vec<Condition> =
            self.conditions.iter().filter(|one| self.is_right(&one.holds)).cloned().collect();
        let mut partly: Vec<&Condition> =
            self.conditions.iter().filter(|one| !self.is_right(&one.holds)).collect();
        partly.sort_by_key(|one| {
            let (kept, wrong) = (one.holds.common(&self.good), one.holds.common(&self.bad));
            (Reverse(kept as i64 - wrong as i64), one.text.len())
        });
        partly.truncate(COMBINED);
        let mut pairs: Vec<Condition> = Vec::new();
        for (index, a) in partly.iter().enumerate() {
            for b in &partly[index + 1..] {
                let joined = join(a, b, "and");
                match self.is_right(&joined.holds) {
                    true => right.push(joined),
                    false if joined.holds.common(&self.bad) * 4 < self.bad.common(&self.bad) => {
                        pairs.push(joined)
                    }
                    false => {}
                }
            }
        }
        pairs.sort_by_key(|pair| (Reverse(pair.holds.common(&self.good)), pair.text.len()));
        for (pair, third) in
            pairs.iter().take(COMBINED).flat_map(|pair| partly.iter().map(move |one| (pair, one)))
        {
            let joined = join(pair, third, "and");
            if self.is_right(&joined.holds) {
                right.push(joined);
            }
        }
        self.sort(&mut right);
        right.truncate(COMBINED);
        let total: Vec<Condition> = right.iter().filter(|one| one.is_total).cloned().collect();
        for (index, a) in total.iter().enumerate() {
            right.extend(
                total[index + 1..].iter().filter(|b| a.parts + b.parts <= 4).map(|b| join(a, b, "or")),
            );
        }
        self.sort(&mut right);
        right.retain(|one| one.holds.common(&self.good) > 0);
        right.into_iter().map(|one| (one.holds.common(&self.good), one.text)).collect()
    }

    /// Sorts, and keeps of conditions that hold in the same examples the shortest.
    fn sort(&self, conditions: &mut Vec<Condition>) {
        conditions.sort_by(|a, b| {
            let key = |one: &Condition| (Reverse(one.holds.common(&self.good)), one.parts, one.text.len());
            (key(a), &a.holds, &a.text).cmp(&(key(b), &b.holds, &b.text))
        });
        let mut seen = std::collections::BTreeSet::new();
        conditions.retain(|one| seen.insert(one.holds.clone()));
    }
}

/// Two conditions as one.
fn join(a: &Condition, b: &Condition, word: &str) -> Condition {
    let holds = if word == "and" { a.holds.and(&b.holds) } else { a.holds.or(&b.holds) };
    let text = format!("{} {word} {}", a.text, b.text);
    Condition { text, holds, parts: a.parts + b.parts, is_total: a.is_total && b.is_total }
}
