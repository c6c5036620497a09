//! A mistake in a transfer function takes away the proofs of rules that rest on it: what the function is asked is
//! another question than the one that was proved.

use std::num::NonZeroUsize;

use planish_base::{Diagnostics, SourceText, faults};
use planish_domain::Method;
use planish_domain::theorems::Theorem;
use planish_prove::ledger::{Expected, Premise, Problem};
use planish_prove::{Engine, Ledger, Options, domain, integers, magic};

#[test]
fn a_rule_falls_with_the_function_whose_promise_it_rests_on() {
    let source = SourceText::new("rules.lock", include_str!("../../../../rules.lock"));
    let mut diagnostics = Diagnostics::new();
    let ledger = Ledger::parse(&source, &mut diagnostics);
    assert!(diagnostics.is_empty());
    let options = Options { threads: NonZeroUsize::MIN, ..Options::new(Engine::builtin()) };
    let mut expected: Vec<Expected> = domain::expected(&options);
    expected.extend(integers::expected());
    expected.extend(magic::expected());

    let theorem = Theorem::Method(Method::named("and_bound").expect("a method"));
    let premise = Premise::new(domain::name(theorem), "64");
    let rule = Premise::new("rule and_or_masked", "64");
    let entry = ledger.entry(&rule.theorem, &rule.part).expect("the rule is in the book");
    let is_it = |p: &Premise| (&p.theorem, &p.part) == (&premise.theorem, &premise.part);
    assert!(entry.premises.iter().any(is_it), "it rests on {premise}: {entry:?}");
    assert!(ledger.fresh(&expected).vouches_for(&premise));

    let wrong = faults::with("and: at most what x has for certain", || domain::expected_of(theorem));
    let at = expected.iter().position(|e| e.theorem == wrong.theorem).expect("a theorem");
    assert_ne!(expected[at], wrong);
    expected[at] = wrong;
    assert!(!ledger.fresh(&expected).vouches_for(&premise));
    let stale = |problem: &Problem| matches!(problem, Problem::Stale(theorem, part) if *theorem == premise.theorem && *part == premise.part);
    assert!(ledger.problems(&expected).iter().any(stale));
    // What is expected of rules is not needed to see that this one has lost its ground.
    expected.push(Expected { theorem: rule.theorem.clone(), parts: vec![(rule.part.clone(), entry.hash)] });
    assert!(!ledger.fresh(&expected).vouches_for(&rule));
}
