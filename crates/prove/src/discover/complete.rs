//! Targets with `?` in the place of constants: `and(or(x, C1), C2) => or(and(x, ?), ?)`.
//!
//! For every `?` an expression over the constants of the rule is looked for. An expression that makes the rule wrong in one example
//! is dropped at once, so most cost a microsecond. One that has no value for some unusual constants, as `C1 << C2` has none where
//! `C2` is too large, makes a rule that does not apply there. If none holds for all constants, some are taken and a
//! [condition](mod@super::condition) is looked for, on constants first: that which holds for the most constants, then each that holds for
//! the most of those for which none before does.

use std::collections::BTreeMap;

use planish_base::Id;
use planish_ops::{Datum, Type};
use planish_rules::Rule;
use planish_rules::rule::VarId;

use super::condition::{Conditioned, condition_on};
use super::draft::Draft;
use super::examples::{Example, examples, outcome};
use super::expressions::{Expression, expressions};
use super::proved;
use super::vocabulary::Asked;
use crate::question::Options;

/// How many `?` a rule may have.
const HOLES: usize = 3;

/// How many examples of small and of wide words sift expressions, and how many combinations of expressions are tried at most.
const SMALL: usize = 2000;
const WIDE: usize = 150;
const COMBINATIONS: usize = 400_000;

/// With how many values constants are tried at least, if they can be.
const VALUES: usize = 4;

/// How many candidates are proved, and for how many a condition is looked for.
const PROOFS: usize = 12;
const CONDITIONS: usize = 4;

/// What became of a rule with `?`.
#[derive(Clone, Debug)]
pub enum Completed {
    /// It is proved with these constants.
    Holds(Draft),
    /// It is proved with these constants under a condition.
    If(Conditioned),
    /// None of the expressions that were tried will do.
    Nothing,
}

/// Whether a text has a `?` outside of comments.
pub fn has_holes(text: &str) -> bool {
    holes(text).next().is_some()
}

/// The places of `?` outside of comments.
fn holes(text: &str) -> impl Iterator<Item = usize> + '_ {
    let mut start = 0;
    text.split_inclusive('\n').flat_map(move |line| {
        let begins = start;
        start += line.len();
        let code = line.split('#').next().unwrap_or(line);
        code.match_indices('?').map(move |(at, _)| begins + at).collect::<Vec<_>>()
    })
}

/// The rule with a name and a line for each `?`, and the names.
fn opened(text: &str) -> Result<(Draft, Vec<String>), String> {
    let places: Vec<usize> = holes(text).collect();
    if places.len() > HOLES {
        return Err(format!("a rule has at most {HOLES} `?`, this one has {}", places.len()));
    }
    let names: Vec<String> = (1..=places.len()).map(|number| format!("HOLE{number}")).collect();
    let with_names = places.iter().zip(&names).map(|(&at, name)| (at..at + 1, name.clone())).collect();
    let draft = Draft::new(text).replaced(with_names);
    let lines = names.iter().fold(draft, |draft, name| draft.with_line(&format!("{name} = 0")));
    Ok((lines, names))
}

/// Looks for the constants of a rule with `?`. An error says what is wrong with the rule.
pub fn complete(text: &str, options: &Options) -> Result<Completed, String> {
    let (draft, names) = opened(text)?;
    let rule = draft.read()?;
    let open: Vec<VarId> = (names.iter())
        .map(|name| rule.vars.iter().find(|(_, var)| var.name == *name).expect("it has a line").0)
        .collect();
    let (small, wide): (Vec<Example>, Vec<Example>) = examples(&rule).into_iter().partition(is_small);
    let some = |all: Vec<Example>, most: usize| {
        // An odd one, so that of words both even and odd ones are among them.
        let stride = all.len().div_ceil(most) | 1;
        all.into_iter().step_by(stride)
    };
    let mut examples: Vec<Example> = some(small, SMALL).chain(some(wide, WIDE)).collect();
    let groups = groups(&rule, &examples);
    let pools: Vec<Vec<Expression>> =
        open.iter().map(|&hole| expressions(&rule, rule.vars[hole].ty, &examples)).collect();
    let found =
        Search { rule: &rule, open: &open, pools: &pools, examples: &mut examples, groups: &groups }.run();
    let write = |choice: &Vec<usize>| {
        let chosen = choice.iter().zip(&pools).map(|(&index, pool)| &pool[index]);
        written(&draft, &names, &chosen.collect::<Vec<_>>())
    };
    for choice in found.right.iter().take(PROOFS) {
        let candidate = write(choice);
        if proved(&candidate, options).is_some() {
            return Ok(Completed::Holds(candidate));
        }
    }
    let mut best: Option<Conditioned> = None;
    for choice in &found.partly {
        let candidate = write(choice);
        let under = condition_on(&candidate, Asked::Constants, options);
        if let Some(under) = under.or_else(|| condition_on(&candidate, Asked::All, options))
            && best.as_ref().is_none_or(|best| under.kept > best.kept)
        {
            best = Some(under);
        }
    }
    Ok(best.map_or(Completed::Nothing, Completed::If))
}

/// Whether the words of an example are those of a few bits.
fn is_small(example: &Example) -> bool {
    example.types.iter().all(|ty| ty.int_width().is_none_or(|width| width <= 4))
}

/// The examples of small words that have the same constants: of such constants of which there are several.
fn groups(rule: &Rule, examples: &[Example]) -> Vec<Vec<usize>> {
    let mut groups: BTreeMap<(Vec<Type>, Vec<u64>), Vec<usize>> = BTreeMap::new();
    for (index, example) in examples.iter().enumerate().filter(|(_, example)| is_small(example)) {
        groups.entry((example.types.clone(), example.constants(rule))).or_default().push(index);
    }
    // What holds for one value of many says little of the constants.
    let is_large = |group: &Vec<usize>| group.len() >= VALUES;
    let all: Vec<Vec<usize>> = groups.into_values().collect();
    let large: Vec<Vec<usize>> = all.iter().filter(|group| is_large(group)).cloned().collect();
    if large.is_empty() { all } else { large }
}

/// A rule with expressions for what was open: an atom in its place, others by a line.
fn written(draft: &Draft, names: &[String], chosen: &[&Expression]) -> Draft {
    let mut draft = draft.clone();
    let mut known: Vec<(String, String)> = Vec::new();
    for (name, expression) in names.iter().zip(chosen) {
        let line = draft.words().into_iter().find(|word| word.text == *name).expect("it has a line");
        draft = draft.without_line(line.at.start);
        let earlier = known.iter().find(|(text, _)| *text == expression.text).map(|(_, name)| name.clone());
        let with = if expression.is_atom {
            expression.text.clone()
        } else if let Some(earlier) = earlier {
            earlier
        } else {
            let free = draft.free_name("C");
            known.push((expression.text.clone(), free.clone()));
            draft = draft.with_line(&format!("{free} = {}", expression.text));
            free
        };
        draft = draft.renamed(name, &with);
    }
    draft
}

/// The combinations that were found, as indices into the pools.
#[derive(Default)]
struct FoundChoices {
    /// Those that hold in all examples, small ones first.
    right: Vec<Vec<usize>>,
    /// Some that hold for some constants whatever the values are, each for others than those before.
    partly: Vec<Vec<usize>>,
}

struct Search<'a> {
    rule: &'a Rule,
    open: &'a [VarId],
    pools: &'a [Vec<Expression>],
    examples: &'a mut Vec<Example>,
    groups: &'a [Vec<usize>],
}

impl Search<'_> {
    fn run(&mut self) -> FoundChoices {
        let mut found = FoundChoices::default();
        let mut partly: Vec<(Vec<bool>, Vec<usize>)> = Vec::new();
        // Examples in the order of how many candidates they have dropped: most candidates meet only the first.
        let mut order: Vec<usize> = (0..self.examples.len()).collect();
        for choice in combinations(self.pools) {
            let failed = order.iter().position(|&at| self.outcome(&choice, at) == Some(false));
            match failed {
                None => {
                    let applies = order.iter().any(|&at| self.outcome(&choice, at) == Some(true));
                    if applies {
                        found.right.push(choice);
                    }
                    if found.right.len() >= PROOFS {
                        break;
                    }
                }
                Some(place) => {
                    if self.pools.len() == 1 || place > 8 {
                        partly.push((self.constants_for_which(&choice), choice));
                    }
                    let at = order.remove(place);
                    order.insert(place / 2, at);
                }
            }
        }
        found.partly = covering(partly, CONDITIONS);
        found
    }

    /// For which choices of constants the claim holds with these expressions, whatever the values are.
    fn constants_for_which(&mut self, choice: &[usize]) -> Vec<bool> {
        let groups = self.groups;
        let mut holds_for = |group: &Vec<usize>| {
            let mut applies = false;
            let holds = group.iter().all(|&at| {
                let outcome = self.outcome(choice, at);
                applies |= outcome == Some(true) && self.examples[at].is_usual;
                outcome != Some(false)
            });
            holds && applies
        };
        groups.iter().map(&mut holds_for).collect()
    }

    /// Whether the claim holds in an example with these expressions; nothing where one of them has no value.
    fn outcome(&mut self, choice: &[usize], at: usize) -> Option<bool> {
        let Example { types, case, .. } = &mut self.examples[at];
        for ((&var, pool), &index) in self.open.iter().zip(self.pools).zip(choice) {
            case.data[var.index()] = Some(Datum::Word(pool[index].values[at]?));
        }
        outcome(self.rule, types, case)
    }
}

/// Some of the candidates, each with the constants for which it holds: the one that holds for the most, then again and again the
/// one that holds for the most of those for which none before does; of several the first.
fn covering(candidates: Vec<(Vec<bool>, Vec<usize>)>, most: usize) -> Vec<Vec<usize>> {
    let mut open = vec![true; candidates.first().map_or(0, |(holds, _)| holds.len())];
    let mut chosen = Vec::new();
    while chosen.len() < most {
        let more =
            |holds: &Vec<bool>| holds.iter().zip(&open).filter(|(holds, open)| **holds && **open).count();
        let best = candidates.iter().rev().max_by_key(|(holds, _)| more(holds));
        let Some((holds, choice)) = best.filter(|(holds, _)| more(holds) > 0) else { break };
        open.iter_mut().zip(holds).for_each(|(open, holds)| *open &= !holds);
        chosen.push(choice.clone());
    }
    chosen
}

/// Indices into pools, those of small sum first.
fn combinations(pools: &[Vec<Expression>]) -> impl Iterator<Item = Vec<usize>> + '_ {
    let most: usize = pools.iter().map(|pool| pool.len().saturating_sub(1)).sum();
    let of_sum = |sum: usize| -> Vec<Vec<usize>> {
        let mut open = vec![(Vec::new(), sum)];
        for (number, pool) in pools.iter().enumerate() {
            let is_last = number + 1 == pools.len();
            open = (open.into_iter())
                .flat_map(|(chosen, left): (Vec<usize>, usize)| {
                    let range = if is_last { left..left + 1 } else { 0..left + 1 };
                    range.filter(|&index| index < pool.len()).map(move |index| {
                        let chosen: Vec<usize> = chosen.iter().copied().chain([index]).collect();
                        (chosen, left - index)
                    })
                })
                .collect();
        }
        open.into_iter().map(|(chosen, _)| chosen).collect()
    };
    (0..=most).flat_map(of_sum).take(COMBINATIONS)
}
