//! What is true is changed a little: mutants of the rules of the book and of `true.rules`, none of which may be accepted wrongly.
//!
//! Two things are asked. A mutant that some input refutes is put to the solver at the types and the reading of that input, which
//! the prover never does once a trial has refuted a rule: what solver, circuits and theorems say has to be right without trials, too.
//! And a mutant that is proved is tried on more inputs, with more kinds of facts than the prover tries, and by a
//! [second reading](reading) of operations.
//!
//! Some are tried by every run; `PLANISH_MUTANTS=100000` tries more of them, `PLANISH_SEED` others.

mod mutate;
mod reading;
mod trial;

use std::fmt::Write;
use std::time::Duration;

use planish_base::SourceText;
use planish_book as book;
use planish_ops::Type;
use planish_prove::claim::{self, Claim};
use planish_prove::prover::prove_one;
use planish_prove::rule::Verdict;
use planish_prove::{Budget, Engine, Options, parallel};
use planish_rules::RuleSet;
use planish_rules::exhaust::{Tally, Wrong, exhaust};
use planish_rules::rule::Rule;
use planish_rules::sample::sample;
use planish_smt::Verdict as Answered;

use mutate::{Draw, mutant};

const TRUE: &str = include_str!("../true.rules");

const WRONG: [&str; 3] = [
    include_str!("../wrong.rules"),
    include_str!("../wrong_products.rules"),
    include_str!("../wrong_words.rules"),
];

/// How much the solver may do for a claim that is known to be wrong.
const ASKED: Duration = Duration::from_millis(100);

/// How much the prover may do for a mutant.
const PROOF: Duration = Duration::from_millis(1500);

/// What came of a mutant.
enum Judged {
    /// It is no rule.
    None,
    /// Inputs refute it, and the solver does not say otherwise.
    Refuted,
    /// It is not proved.
    Open,
    /// It is proved, and no input was found that refutes it.
    Proved,
    /// It is accepted, and wrong.
    Accepted(String),
}

fn from_environment(name: &str, usual: u64) -> u64 {
    std::env::var(name).map_or(usual, |text| text.parse().expect("a number"))
}

/// The texts of rules, without those that no proof is asked of.
fn originals() -> Vec<String> {
    let text = |rule: &Rule| format!("{}\n", rule.text.trim_end());
    let (set, _) = RuleSet::read(vec![SourceText::new("true.rules", TRUE)]);
    // Theorems about products and quotients carry those of one file, which count twice.
    let hard: Vec<String> = set.rules.values().map(text).collect();
    let of_book = book::set().rules.values().filter(|rule| rule.sorry.is_none()).map(text);
    of_book.chain(hard.clone()).chain(hard).collect()
}

/// Mutants with one mistake, or two.
fn mutants(count: u64, seed: u64) -> Vec<String> {
    let (originals, mut draw) = (originals(), Draw(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1));
    let mut made = Vec::new();
    while (made.len() as u64) < count {
        let original = draw.one(&originals).expect("there are rules");
        let Some(once) = mutant(original, &mut draw) else { continue };
        let twice = (draw.below(4) == 0).then(|| mutant(&once, &mut draw)).flatten();
        made.push(twice.unwrap_or(once));
    }
    made
}

/// Inputs that refute a rule: of so many types, the widest first, and of small ones.
fn refutations(rule: &Rule, wanted: usize) -> Vec<Wrong> {
    let mut assignments: Vec<Vec<Type>> = rule.assignments().collect();
    let width = |types: &Vec<Type>| types.iter().filter_map(|ty| ty.int_width()).max();
    assignments.sort_by_key(|types| std::cmp::Reverse(width(types)));
    let mut found = Vec::new();
    for types in assignments.iter().filter(|types| rule.target_is_legal(types)).take(40) {
        let mut tally = Tally::default();
        sample(rule, types, 60, &|| true, &mut tally);
        found.extend(tally.wrong);
        if found.len() == wanted {
            break;
        }
    }
    found.extend(exhaust(rule, &[1, 2, 3, 4], 400).wrong);
    found
}

/// What the solver says of a case of a rule that is wrong there, if it says that it holds.
fn believed(rule: &Rule, wrong: &Wrong) -> Option<String> {
    let case = claim::Case { types: wrong.types.clone(), reading: wrong.reading };
    let claim = Claim::new(rule, case);
    let cut = claim.cut.as_ref().map(|cut| &cut.question);
    let is_believed = std::iter::once(&claim.question)
        .chain(cut)
        .any(|question| question.ask(&Engine::builtin(), &mut Budget::new(ASKED)).verdict == Answered::Unsat);
    is_believed.then(|| {
        let types: Vec<String> = wrong.types.iter().map(ToString::to_string).collect();
        format!("the solver proves it at {}, {:?}: {:?}", types.join(", "), wrong.reading, wrong.inputs)
    })
}

fn judge(text: &String) -> Judged {
    let (set, findings) = RuleSet::read(vec![SourceText::new("mutant.rules", text)]);
    let Some(rule) = set.rules.values().next().filter(|_| findings.is_empty()) else { return Judged::None };
    if rule.type_error().is_some() {
        return Judged::None;
    }
    let wrong = refutations(rule, 1);
    if !wrong.is_empty() {
        let is_right = |wrong: &&Wrong| {
            trial::second_reading(rule, &wrong.types, wrong.reading, &wrong.case) == Some(true)
        };
        if let Some(wrong) = wrong.iter().find(is_right) {
            return Judged::Accepted(format!("the second reading does not refute it: {wrong:?}\n{text}"));
        }
        let believed = wrong.iter().find_map(|wrong| believed(rule, wrong));
        return believed.map_or(Judged::Refuted, |why| Judged::Accepted(format!("{why}\n{text}")));
    }
    let options = Options {
        limit: PROOF,
        clock: Some(4 * PROOF),
        threads: std::num::NonZeroUsize::MIN,
        ..Options::new(Engine::builtin())
    };
    match prove_one(rule, &options).verdict {
        Verdict::Proved => match trial::wrong(rule) {
            Some(why) => Judged::Accepted(format!("proved, and {why}\n{text}")),
            None => Judged::Proved,
        },
        Verdict::Refuted(_) => Judged::Refuted,
        Verdict::NeverApplies(_) | Verdict::Unproved(_) | Verdict::Sorry(_) => Judged::Open,
    }
}

#[test]
fn no_mutant_is_accepted_that_an_input_refutes() {
    let (count, seed) = (from_environment("PLANISH_MUTANTS", 100), from_environment("PLANISH_SEED", 1));
    let mutants = mutants(count, seed);
    let judged = parallel::map(&mutants, parallel::available(), judge, &mut |_, _, _| {});
    let number = |is: fn(&Judged) -> bool| judged.iter().filter(|&one| is(one)).count();
    let mut summary = String::new();
    for (what, count) in [
        ("no rules", number(|one| matches!(one, Judged::None))),
        ("refuted", number(|one| matches!(one, Judged::Refuted))),
        ("open", number(|one| matches!(one, Judged::Open))),
        ("proved", number(|one| matches!(one, Judged::Proved))),
    ] {
        let _ = write!(summary, "{count} {what}, ");
    }
    println!("of {count} mutants of seed {seed}: {summary}");
    assert!(number(|one| matches!(one, Judged::Refuted)) as u64 > count / 4, "{summary}");
    assert!(number(|one| matches!(one, Judged::Proved)) as u64 > count / 50, "{summary}");
    let accepted: Vec<&str> = (judged.iter())
        .filter_map(|one| match one {
            Judged::Accepted(why) => Some(why.as_str()),
            _ => None,
        })
        .collect();
    assert!(accepted.is_empty(), "{} are accepted:\n{}", accepted.len(), accepted.join("\n"));
}

/// Trials refute the rules that an adversary wrote before anybody is asked. The solver, which is asked here all the same, proves none
/// of them at the types at which inputs refute it: at one of those of programs and at a small one, and at all with `PLANISH_MUTANTS`.
#[test]
fn the_solver_proves_no_wrong_rule_that_trials_would_refute() {
    let texts: Vec<String> = (WRONG.into_iter().flat_map(|file| file.split("\n\n")))
        .filter(|text| text.contains("=>"))
        .map(|text| format!("{}\n", text.trim()))
        .collect();
    let types = if std::env::var_os("PLANISH_MUTANTS").is_some() { usize::MAX } else { 1 };
    let asked = |text: &String| {
        let (set, _) = RuleSet::read(vec![SourceText::new("wrong.rules", text)]);
        let rule = set.rules.values().next().filter(|rule| rule.type_error().is_none())?;
        let wrong = refutations(rule, types);
        let believed = wrong.iter().find_map(|wrong| believed(rule, wrong));
        Some((wrong.len(), believed.map(|why| format!("{why}\n{text}"))))
    };
    let all = parallel::map(&texts, parallel::available(), asked, &mut |_, _, _| {});
    let refuted = all.iter().flatten().filter(|(count, _)| *count > 0).count();
    assert!(refuted >= 500, "{refuted}");
    let believed: Vec<&str> = all.iter().flatten().filter_map(|(_, why)| why.as_deref()).collect();
    assert!(believed.is_empty(), "{} are proved:\n{}", believed.len(), believed.join("\n"));
}

/// Rules that are true are true in both readings. That both refute what one does is part of the other test.
#[test]
fn what_is_proved_holds_in_the_second_reading() {
    let texts: Vec<String> = originals();
    let differ = |text: &String| {
        let (set, _) = RuleSet::read(vec![SourceText::new("original.rules", text)]);
        set.rules
            .values()
            .next()
            .and_then(|rule| trial::wrong_on(rule, 60))
            .map(|why| format!("{why}\n{text}"))
    };
    let found = parallel::map(&texts, parallel::available(), differ, &mut |_, _, _| {});
    let found: Vec<String> = found.into_iter().flatten().collect();
    assert!(found.is_empty(), "{}", found.join("\n"));
}
