//! Rules that another leaves nothing for, where only arithmetic says so: wherever `C > 10`, `C > 5`.
//!
//! What rules say word for word is compared without a solver ([`planish_rules::shadow`]). Of the rest the built-in solver is
//! asked, type by type, for constants, values and facts for which the steps of the special rule succeed and those of the general
//! one do not. Work is bounded, and no answer is no shadow.

use std::time::Duration;

use planish_base::Id;
use planish_domain::fact::contains;
use planish_domain::{Fact, FactOf};
use planish_ops::{Bits, Datum};
use planish_rules::eval::{concrete, integer_literal, literal};
use planish_rules::rule::{Rule, VarKind};
use planish_rules::semantics::{Inputs, Reading};
use planish_rules::set::{Finding, Strictness};
use planish_rules::shadow::{Overlap, Stands};
use planish_rules::{RuleSet, rule::VarId};
use planish_smt::{Budget, Pool, Query, Sort, Term, Verdict};

use crate::engine::Engine;

/// What all questions about a set of rules may cost, as the time that they take on a usual machine.
const ALL: Duration = Duration::from_secs(2);

/// What one question may cost.
const ONE: Duration = Duration::from_millis(100);

/// At how many choices of types a pair of rules is looked at.
const MOST_TYPES: usize = 64;

/// Judges the rules of a set together, as [`RuleSet::judge`] does, and finds those as well that are shadowed by arithmetic.
pub fn judge(set: &RuleSet, strictness: Strictness) -> Vec<Finding> {
    let mut budget = Budget::new(ALL);
    let engine = Engine::builtin();
    set.judge_deciding(strictness, &mut |overlap| follows(overlap, &engine, &mut budget))
}

/// Whether the steps of the general rule succeed wherever the special one applies.
fn follows(overlap: &Overlap<'_>, engine: &Engine, budget: &mut Budget) -> bool {
    let guesses = |rule: &Rule| rule.vars.values().any(|var| var.kind == VarKind::Guessed);
    let has_nothing_to_follow_from =
        overlap.special.steps.is_empty() && overlap.general.vars.ids().all(|var| !is_literal(overlap, var));
    if guesses(overlap.general) || has_nothing_to_follow_from || overlap.types.len() > MOST_TYPES {
        return false;
    }
    (0..overlap.types.len()).all(|case| {
        let Some((pool, query)) = question(overlap, case) else { return false };
        let answer = budget.share(ONE, |part| engine.ask(&pool, &query, part));
        answer.verdict == Verdict::Unsat
    })
}

fn is_literal(overlap: &Overlap<'_>, var: VarId) -> bool {
    matches!(overlap.stands(var), Some(Stands::Literal(..)))
}

/// What rules are given, by variable.
struct Given {
    values: Vec<Option<Datum<Pool>>>,
    facts: Vec<Option<FactOf<Pool>>>,
}

impl Given {
    fn none(rule: &Rule) -> Given {
        Given { values: vec![None; rule.vars.len()], facts: vec![None; rule.vars.len()] }
    }

    /// Whether the rule applies to what it is given.
    fn applies(&self, rule: &Rule, types: &[planish_ops::Type], pool: &mut Pool) -> Term {
        let defined = vec![None; rule.vars.len()];
        let inputs = Inputs { values: &self.values, facts: &self.facts, defined: &defined };
        rule.semantics(pool, Reading::Masked, types, inputs).applies
    }
}

/// Asks for what the special rule applies to and the general one does not, at one choice of types.
fn question(overlap: &Overlap<'_>, case: usize) -> Option<(Pool, Query)> {
    let (of_general, of_special) = &overlap.types[case];
    let (mut pool, mut members) = (Pool::new(), Vec::new());
    let mut special = Given::none(overlap.special);
    for (var, variable) in overlap.special.vars.iter() {
        if matches!(variable.kind, VarKind::Value | VarKind::Constant | VarKind::Guessed) {
            let sort = Sort::of(concrete(variable.ty, of_special))?;
            let has_fact = variable.kind == VarKind::Value;
            let (value, fact) = unknown(&mut pool, &variable.name, sort, has_fact, &mut members);
            (special.values[var.index()], special.facts[var.index()]) = (Some(value), fact);
        }
    }
    let mut general = Given::none(overlap.general);
    for (var, variable) in overlap.general.vars.iter() {
        let is_value = match variable.kind {
            VarKind::Value => true,
            VarKind::Constant => false,
            _ => continue,
        };
        let (value, fact) = match overlap.stands(var)? {
            Stands::Var(other) => (special.values[other.index()]?, special.facts[other.index()]),
            Stands::Literal(written, ty) => {
                (literal(&mut pool, written, concrete(ty, of_special), integer_literal)?, None)
            }
            Stands::Operation => {
                let sort = Sort::of(concrete(variable.ty, of_general))?;
                unknown(&mut pool, &format!("{}.general", variable.name), sort, is_value, &mut members)
            }
        };
        let known = fact.or_else(|| constant(&mut pool, value));
        general.values[var.index()] = Some(value);
        general.facts[var.index()] = known.filter(|_| is_value);
    }
    members.push(special.applies(overlap.special, of_special, &mut pool));
    let applies = general.applies(overlap.general, of_general, &mut pool);
    members.push(pool.negate(applies));
    Some((pool, Query::new(members)))
}

/// A value of which nothing is known but that it is a member of its fact, if it has one.
fn unknown(
    pool: &mut Pool,
    name: &str,
    sort: Sort,
    has_fact: bool,
    members: &mut Vec<Term>,
) -> (Datum<Pool>, Option<FactOf<Pool>>) {
    let term = pool.variable(name, sort);
    if let Sort::Float(_) = sort {
        return (Datum::Float(term), None);
    }
    let fact = has_fact.then(|| {
        let mut part = |part: &str| pool.variable(&format!("{name}.{part}"), sort);
        let fact = Fact { lo: part("lo"), hi: part("hi"), ones: part("ones"), zeros: part("zeros") };
        members.push(contains(pool, fact, term));
        fact
    });
    (Datum::Word(term), fact)
}

/// All that there is to know of a constant.
fn constant(pool: &mut Pool, value: Datum<Pool>) -> Option<FactOf<Pool>> {
    let Datum::Word(word) = value else { return None };
    Some(Fact { lo: word, hi: word, ones: word, zeros: pool.not(word) })
}

#[cfg(test)]
mod tests {
    use planish_base::SourceText;

    use super::*;

    /// The rules of a text that are shadowed.
    fn shadowed(text: &str) -> Vec<String> {
        let (set, findings) = RuleSet::read(vec![SourceText::new("t.rules", text)]);
        assert!(findings.is_empty(), "{}", set.render(&findings));
        let found = judge(&set, Strictness::File).into_iter().map(|(_, found)| found.message);
        found
            .filter_map(|message| {
                Some(message.strip_suffix("` is shadowed")?.strip_prefix("rule `")?.to_owned())
            })
            .collect()
    }

    /// The first rule yields a constant, so it is tried first.
    fn pair(pattern: &str, general: &str, special: &str) -> bool {
        let text = format!("g: {pattern}\n{general}    => 0\ns: {pattern}\n{special}    => x\n");
        let found = shadowed(&text);
        assert!(found.iter().all(|name| name == "s"), "{text}{found:?}");
        !found.is_empty()
    }

    #[test]
    fn a_check_follows_from_another_by_arithmetic() {
        let holds = |general: &str, special: &str| {
            pair("umulh(x, C)", &format!("    check {general}\n"), &format!("    check {special}\n"))
        };
        assert!(holds("C > 4", "C > 9"));
        assert!(!holds("C > 9", "C > 4"));
        assert!(holds("C > 4 or C < -4", "C > 9 or C < -9"));
        assert!(holds("C != 0", "C & 3 == 2"));
        assert!(!holds("C & 3 == 2", "C != 0"));
        assert!(holds("C >=u 2", "popcount(C) > 1"));
    }

    #[test]
    fn what_is_known_of_a_value_follows_from_other_facts() {
        let holds = |general: &str, special: &str| {
            pair("umulh(x, y)", &format!("    check {general}\n"), &format!("    check {special}\n"))
        };
        assert!(holds("x.known_nonnegative()", "x.lower > 6"));
        assert!(!holds("x.lower > 6", "x.known_nonnegative()"));
        assert!(holds("y.known_nonnegative()", "x.lower > 6"), "operands of a product change places");
    }

    #[test]
    fn conditions_about_computed_constants_are_compared() {
        assert!(pair("umulh(x, C)", "    M = C * 2\n    check M > 8\n", "    check 4 < C and C < 50\n"));
        // Twice the number may be too large for its type.
        assert!(!pair("umulh(x, C)", "    M = C * 2\n    check M > 8\n", "    check 4 < C\n"));
    }
}
