//! The weakest condition under which a wrong rule holds.
//!
//! Everything of the [vocabulary](super::vocabulary) is evaluated at every example, of which all is known; so a question about what is
//! known of a value is one about the value. It is evaluated once more at examples of whose values a range is known or some bits:
//! a condition that programs never show to hold is worth little, and these say nothing against one. Of conjunctions of up to three, and of disjunctions of two such, those are candidates
//! that exclude every example for which the claim is wrong; they are proved in the order of how many they keep of those for which it
//! holds. The first that is proved is the answer, with the number of what it keeps: weaker than that is none of the vocabulary, as far
//! as examples and proofs go.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

use planish_base::Id;
use planish_ops::{Machine, Type};
use planish_rules::eval::{Eval, concrete};
use planish_rules::rule::{Rule, Step, Ty, VarKind};
use planish_rules::semantics::Reading;

use super::draft::Draft;
use super::examples::{Example, examples};
use super::proved;
use super::vocabulary::{Asked, vocabulary};
use crate::question::Options;

/// How many candidates are proved.
const PROOFS: usize = 8;

/// At how many examples with ranges conditions are evaluated, about.
const RANGES: usize = 1000;

/// How many examples with the same constants count, if one of these is 0.
const ALIKE: usize = 6;

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
    /// Whether it asks little: two questions at most, about constants.
    pub is_plain: bool,
}

/// Looks for the weakest condition under which a rule holds.
pub fn condition(draft: &Draft, options: &Options) -> Option<Conditioned> {
    condition_on(draft, Asked::All, options)
}

/// The same, of conditions that ask about constants alone or about all.
pub(crate) fn condition_on(draft: &Draft, asked: Asked, options: &Options) -> Option<Conditioned> {
    condition_where(draft, asked, &|_, _| true, options)
}

/// The weakest condition that holds wherever a check does, and in more examples than that. The check itself or something else is
/// none: it is longer, and what it adds is as a rule a case that no program has.
pub(crate) fn weaker_condition(draft: &Draft, check: &str, options: &Options) -> Option<Conditioned> {
    let (base, before) = (draft.read().ok()?, draft.with_line(check).read().ok()?);
    let exact: Vec<Example> = examples(&base).into_iter().filter(|example| example.holds.is_some()).collect();
    let worth = worth_keeping(&base, &exact);
    let (ranged, all_ranged) = with_ranges(&base, &exact, &worth);
    let worth = [(&exact, worth), (&ranged, all_ranged)];
    let kept = worth.map(|(examples, worth)| where_it_holds(&base, &before, examples).0.and(&worth));
    let asked = check.trim_start_matches("check ");
    let adds_a_case = |candidate: &Draft| {
        let text = candidate.text();
        text.contains(&format!("{asked} or ")) || text.contains(&format!(" or {asked}"))
    };
    let is_weaker = |candidate: &Draft, count: usize| {
        let covers = |rule: &Rule| {
            let sets = [&exact, &ranged].into_iter().zip(&kept);
            sets.into_iter().all(|(examples, kept)| {
                let holds = where_it_holds(&base, rule, examples).0;
                holds.common(kept) == kept.common(kept)
            })
        };
        count > kept[0].common(&kept[0])
            && !adds_a_case(candidate)
            && candidate.read().is_ok_and(|rule| covers(&rule))
    };
    condition_where(draft, Asked::All, &is_weaker, options)
}

/// The weakest condition that is `wanted`, which is told the rule with it, and how many examples it keeps.
fn condition_where(
    draft: &Draft,
    asked: Asked,
    wanted: &dyn Fn(&Draft, usize) -> bool,
    options: &Options,
) -> Option<Conditioned> {
    let rule = draft.read().ok()?;
    let examples: Vec<Example> =
        examples(&rule).into_iter().filter(|example| example.holds.is_some()).collect();
    let table = Table::new(draft, &rule, &examples, asked);
    if table.holding == 0 {
        return None;
    }
    let candidates = table.candidates().into_iter().map(|(kept, parts, text)| {
        let check = format!("check {text}");
        (kept, parts, draft.with_line(&check), check)
    });
    let wanted = candidates.filter(|(kept, _, candidate, _)| wanted(candidate, *kept));
    wanted.take(PROOFS).find_map(|(kept, parts, candidate, check)| {
        proved(&candidate, options)?;
        let is_plain = parts <= 2 && asked == Asked::Constants;
        Some(Conditioned { draft: candidate, check, kept, holding: table.holding, is_plain })
    })
}

/// The examples for which the claim holds: usual ones, if there are any. Of those with a constant 0 and
/// the same other constants only some count: 0 is tried more often than others, and few rules are meant for it.
fn worth_keeping<'e>(rule: &Rule, examples: &'e [Example]) -> Bits {
    let holding = |is_usual: bool| {
        let mut alike: BTreeMap<(&'e [Type], Vec<u64>), usize> = BTreeMap::new();
        let is_kept = |example: &'e Example| {
            let constants = example.constants(rule);
            let is_one = example.holds == Some(true) && (example.is_usual || !is_usual);
            let is_of_any = !constants.contains(&0);
            let count = alike.entry((&example.types, constants)).or_default();
            *count += usize::from(is_one);
            is_one && (is_of_any || *count <= ALIKE)
        };
        Bits::of(examples.iter().map(is_kept))
    };
    let usual = holding(true);
    if usual.common(&usual) > 0 { usual } else { holding(false) }
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

    fn contains(&self, at: usize) -> bool {
        self.0[at / 64] >> (at % 64) & 1 == 1
    }

    fn none(examples: usize) -> Bits {
        Bits(vec![0; examples.div_ceil(64)])
    }

    /// This set with more examples behind it. The last word of the first is filled up, so that words stay words.
    fn followed_by(mut self, more: Bits) -> Bits {
        self.0.extend(more.0);
        self
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

/// Sets of examples, and behind them the same with ranges: the latter tell how much a condition keeps, and refute none.
struct Table {
    conditions: Vec<Condition>,
    /// Examples that a condition should keep, and those among them of which all is known.
    good: Bits,
    known: Bits,
    bad: Bits,
    holding: usize,
}

impl Table {
    fn new(draft: &Draft, rule: &Rule, examples: &[Example], asked: Asked) -> Table {
        let known = worth_keeping(rule, examples);
        let (with_ranges, of_ranges) = with_ranges(rule, examples, &known);
        let bad = Bits::of(examples.iter().map(|example| example.holds == Some(false)));
        let holding = known.common(&known);
        let none = Bits::none(with_ranges.len());
        let good = known.clone().followed_by(of_ranges);
        let (known, bad) = (known.followed_by(none.clone()), bad.followed_by(none));
        let mut conditions: Vec<Condition> = Vec::new();
        for text in vocabulary(rule, asked) {
            let Ok(candidate) = draft.with_line(&format!("check {text}")).read() else { continue };
            let (holds, is_total) = where_it_holds(rule, &candidate, examples);
            let holds = holds.followed_by(where_it_holds(rule, &candidate, &with_ranges).0);
            // What keeps nothing, or all, says nothing; of what is alike in all examples the shortest is kept.
            let says_something = holds.common(&known) > 0 && holds.common(&bad) < bad.common(&bad);
            if !says_something {
                continue;
            }
            match conditions.iter_mut().find(|other| other.holds == holds) {
                Some(other) if other.text.len() <= text.len() => {}
                Some(other) => other.text = text,
                None => conditions.push(Condition { text, holds, parts: 1, is_total }),
            }
        }
        Table { conditions, good, known, bad, holding }
    }

    fn is_right(&self, holds: &Bits) -> bool {
        holds.common(&self.bad) == 0
    }

    /// The conditions that exclude all that is wrong, those that keep the most first, of equal ones the shortest.
    fn candidates(&self) -> Vec<(usize, usize, String)> {
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
        right.retain(|one| one.holds.common(&self.known) > 0);
        right.into_iter().map(|one| (one.holds.common(&self.known), one.parts, one.text)).collect()
    }

    /// How much a condition keeps, less a twentieth for each part beyond the first: what is told apart by little is not worth a
    /// longer check.
    fn worth(&self, one: &Condition) -> usize {
        let kept = one.holds.common(&self.good) * 1000;
        (1..one.parts).fold(kept, |kept, _| kept / 20 * 19)
    }

    /// Sorts, and keeps of conditions that hold in the same examples the shortest.
    fn sort(&self, conditions: &mut Vec<Condition>) {
        conditions.sort_by(|a, b| {
            let key = |one: &Condition| (Reverse(self.worth(one)), one.parts, one.text.len());
            (key(a), &a.holds, &a.text).cmp(&(key(b), &b.holds, &b.text))
        });
        let mut seen = BTreeSet::new();
        conditions.retain(|one| seen.insert(one.holds.clone()));
    }
}

/// Some of the examples that are to be kept, with ranges in place of all that is known of their values; and which that are, which
/// are all.
fn with_ranges(rule: &Rule, examples: &[Example], kept: &Bits) -> (Vec<Example>, Bits) {
    let is_about_values = rule.vars.values().any(|var| var.kind == VarKind::Value);
    let kept = examples.iter().enumerate().filter(|(at, _)| kept.contains(*at));
    let holding = kept.map(|(_, example)| example).filter(|example| example.is_usual);
    let stride = (holding.clone().count() / RANGES).max(1);
    let some = holding.step_by(stride).enumerate().filter(|_| is_about_values);
    let some: Vec<Example> = some.map(|(kind, example)| example.with_ranges(rule, kind)).collect();
    let all = Bits::of(some.iter().map(|_| true));
    (some, all)
}

/// Two conditions as one.
fn join(a: &Condition, b: &Condition, word: &str) -> Condition {
    let holds = if word == "and" { a.holds.and(&b.holds) } else { a.holds.or(&b.holds) };
    let text = format!("{} {word} {}", a.text, b.text);
    Condition { text, holds, parts: a.parts + b.parts, is_total: a.is_total && b.is_total }
}
