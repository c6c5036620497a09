//! Every theorem of the domain at every reduced fact of small widths.

use planish_domain::enumerate::{facts, members};
use planish_domain::theorems::{Free, Theorem, all};
use planish_domain::{Fact, IntFact};
use planish_ops::{Int, Machine};

/// Calls `visit` with every assignment of facts and words to a theorem at a width.
fn for_each_assignment(theorem: Theorem, width: u32, mut visit: impl FnMut(&[IntFact], &[Int])) {
    let Some(params) = theorem.params(width) else { return };
    let choices: Vec<Vec<IntFact>> = params.facts.iter().map(|&w| facts(w)).collect();
    let mut picked = Vec::new();
    pick_facts(&choices, &params.words, &mut picked, &mut visit);
}

fn pick_facts(
    choices: &[Vec<IntFact>],
    words: &[Free],
    picked: &mut Vec<IntFact>,
    visit: &mut impl FnMut(&[IntFact], &[Int]),
) {
    match choices.get(picked.len()) {
        Some(facts) => {
            for &f in facts {
                picked.push(f);
                pick_facts(choices, words, picked, visit);
                picked.pop();
            }
        }
        None => pick_words(words, picked, &mut Vec::new(), visit),
    }
}

fn pick_words(
    words: &[Free],
    facts: &[IntFact],
    picked: &mut Vec<Int>,
    visit: &mut impl FnMut(&[IntFact], &[Int]),
) {
    let range: Vec<Int> = match words.get(picked.len()) {
        None => return visit(facts, picked),
        Some(&Free::Any(width)) => (0..1 << width).map(|w| Int::new(width, w)).collect(),
        Some(&Free::Member(fact)) => members(facts[fact]).collect(),
    };
    for w in range {
        picked.push(w);
        pick_words(words, facts, picked, visit);
        picked.pop();
    }
}

/// Fails with the first assignment at which a theorem does not hold; the number of cases otherwise.
fn check(theorem: Theorem, width: u32) -> u64 {
    let mut cases = 0;
    for_each_assignment(theorem, width, |facts, words| {
        let raw: Vec<Fact<Int>> = facts.iter().map(|f| f.to_words()).collect();
        let claim = theorem.claim(&mut Machine, width, &raw, words);
        assert!(!claim.given || claim.then, "{} at {width} bits: {facts:?} {words:?}", theorem.name());
        cases += u64::from(claim.given);
    });
    cases
}

#[test]
fn every_theorem_holds_at_every_fact_of_up_to_three_bits() {
    for theorem in all() {
        for width in 1..=3 {
            let cases = check(theorem, width);
            assert!(cases > 0 || theorem.params(width).is_none(), "{} is vacuous", theorem.name());
        }
    }
}
