//! True rules about products, quotients and floats that no search proves at 64 bits, and their wrong siblings.

use std::num::NonZeroUsize;
use std::sync::Arc;
use std::time::Duration;

use planish_base::SourceText;
use planish_prove::ledger::Fingerprint;
use planish_prove::prover::prove;
use planish_prove::rule::{Proof, Verdict, expected};
use planish_prove::{Engine, Ledger, Options, integers};
use planish_rules::{Rule, RuleSet};

/// What the built-in solver alone says of rules.
fn judge(text: &str) -> Vec<Proof> {
    let (set, findings) = RuleSet::read(vec![SourceText::new("test.rules", text)]);
    assert!(findings.is_empty(), "{}", set.render(&findings));
    let rules: Vec<&Rule> = set.rules.values().collect();
    let options = Options {
        limit: Duration::from_secs(30),
        threads: NonZeroUsize::MIN,
        ..Options::new(Engine::builtin())
    };
    prove(&rules, &options, &mut |_, _| {})
}

/// Each is proved at every width that it speaks of, and is wrong without its check.
#[track_caller]
fn holds_with_its_check(text: &str) {
    for proof in judge(text) {
        assert_eq!(proof.verdict, Verdict::Proved, "{proof}");
    }
    let is_check = |line: &&str| line.trim_start().starts_with("check");
    let without: Vec<&str> = text.lines().filter(|line| !is_check(line)).collect();
    if without.len() < text.lines().count() {
        for proof in judge(&format!("{}\n", without.join("\n"))) {
            assert!(matches!(proof.verdict, Verdict::Refuted(_)), "{proof}");
        }
    }
}

#[test]
fn a_quotient_of_a_quotient_is_one_quotient() {
    holds_with_its_check(
        "unsigned: udiv(udiv(x, C1), C2)\n    check umulh(C1, C2) == 0\n    C = C1 * C2\n    => udiv(x, C)\n\
         signed: sdiv(sdiv(x, C1), C2)\n    check C1 > 0 and C2 > 0 and smulh(C1, C2) == 0 and C1 * C2 > 0\n    \
         C = C1 * C2\n    => sdiv(x, C)\n\
         down: floordiv(floordiv(x, C1), C2)\n    check C1 > 0 and C2 > 0 and umulh(C1, C2) == 0 and C1 * C2 > 0\n    \
         C = C1 * C2\n    => floordiv(x, C)\n",
    );
}

#[test]
fn a_remainder_by_a_divisor_of_the_divisor_is_one_remainder() {
    holds_with_its_check(
        "unsigned: urem(urem(x, C1), C2)\n    check C2 != 0 and C1 %u C2 == 0\n    => urem(x, C2)\n\
         signed: srem(srem(x, C1), C2)\n    check C2 != 0 and C1 % C2 == 0\n    => srem(x, C2)\n\
         down: floormod(floormod(x, C1), C2)\n    check C1 > 0 and C2 > 0 and C1 % C2 == 0\n    => floormod(x, C2)\n",
    );
}

#[test]
fn a_product_without_overflow_is_divided_by_its_factor() {
    holds_with_its_check(
        "factor: udiv(mul(x, C), C)\n    check C != 0 and umulh(x.unsigned_upper, C) == 0\n    => x\n\
         part: udiv(mul(x, C1), C2)\n    check C2 != 0 and umulh(x.unsigned_upper, C1) == 0 and C1 %u C2 == 0\n    \
         C = C1 //u C2\n    => mul(x, C)\n\
         rest: urem(mul(x, C1), C2)\n    check C2 != 0 and umulh(x.unsigned_upper, C1) == 0 and C1 %u C2 == 0\n    => 0\n",
    );
}

#[test]
fn odd_multiples_are_equal_where_the_words_are() {
    holds_with_its_check(
        "equal: eq(mul(x, C), mul(y, C))\n    check C & 1 == 1\n    => eq(x, y)\n\
         unequal: ne(mul(x, C), mul(y, C))\n    check C & 1 == 1\n    => ne(x, y)\n\
         zero: eq(mul(x, C), 0)\n    check C & 1 == 1\n    => eq(x, 0)\n\
         inverse: eq(mul(x, C1), C2)\n    C = C1 * (2 - C1 * C1)\n    check C * C1 == 1\n    D = C2 * C\n    => eq(x, D)\n",
    );
}

#[test]
fn exact_division_is_multiplication_by_the_inverse() {
    holds_with_its_check(
        "unsigned: udiv(sub(x, urem(x, C)), C)\n    I = C * (2 - C * C)\n    check C * I == 1\n    \
         => mul(sub(x, urem(x, C)), I)\n\
         signed: sdiv(sub(x, srem(x, C)), C)\n    I = C * (2 - C * C)\n    check C * I == 1\n    \
         => mul(sub(x, srem(x, C)), I)\n",
    );
    holds_with_its_check("whole: udiv(sub(x, urem(x, C)), C)\n    => udiv(x, C)\n");
}

#[test]
fn floats_are_divided_by_powers_of_two_and_rounded_twice() {
    holds_with_its_check(
        "power: fdiv(x, C)\n    check exact_reciprocal(C)\n    D = reciprocal(C)\n    => fmul(x, D)\n",
    );
    for op in ["fadd", "fsub", "fmul", "fdiv"] {
        holds_with_its_check(&format!(
            "twice: float_convert({op}(float_convert(x: f32): f64, float_convert(y: f32))): f32\n    => {op}(x, y)\n"
        ));
    }
    holds_with_its_check(
        "constant: float_convert(fmul(float_convert(x: f32): f64, 2.5)): f32\n    => fmul(x, 2.5)\n\
         root: float_convert(fsqrt(float_convert(x: f32): f64)): f32\n    => fsqrt(x)\n",
    );
    // 0.1 is not the same number in both formats, and a remainder is not rounded.
    for wrong in [
        "tenth: float_convert(fmul(float_convert(x: f32): f64, 0.1)): f32\n    => fmul(x, 0.1)\n",
        "third: float_convert(fadd(fadd(float_convert(x: f32): f64, float_convert(y: f32)), float_convert(z: f32))): f32\n    \
         => fadd(fadd(x, y), z)\n",
    ] {
        for proof in judge(wrong) {
            assert!(matches!(proof.verdict, Verdict::Refuted(_)), "{proof}");
        }
    }
}

/// Whoever adds a theorem adds rules that rest on it here.
#[test]
fn true_rules_about_multiples_are_proved() {
    let (set, _) = RuleSet::read(vec![SourceText::new("true.rules", include_str!("true.rules"))]);
    let rules: Vec<&Rule> = set.rules.values().collect();
    assert!(rules.len() >= 50, "{}", rules.len());
    let options = Options { limit: Duration::from_secs(30), ..Options::new(Engine::builtin()) };
    let proofs = prove(&rules, &options, &mut |_, _| {});
    let open: Vec<String> =
        proofs.iter().filter(|proof| proof.verdict != Verdict::Proved).map(ToString::to_string).collect();
    assert!(open.is_empty(), "{} are not proved:\n{}", open.len(), open.join("\n"));
}

/// A line names the lemmas that its refutation was given; when one of them changes, the line vouches for nothing.
#[test]
fn a_proof_names_the_lemmas_that_it_rests_on() {
    let text = "nested: udiv(udiv(x, C1), C2)\n    check umulh(C1, C2) == 0\n    C = C1 * C2\n    => udiv(x, C)\n\
                plain: sub(add(x, y), y) => x\n";
    let mut lemmas = Ledger::default();
    lemmas.update(integers::prove().expect("certificates"));
    let (set, _) = RuleSet::read(vec![SourceText::new("test.rules", text)]);
    let rules: Vec<&Rule> = set.rules.values().collect();
    let builtin = Options { threads: NonZeroUsize::MIN, ..Options::new(Engine::builtin()) };
    let options = Options { lemmas: Arc::new(lemmas.clone()), ..builtin };
    let proofs = prove(&rules, &options, &mut |_, _| {});
    let at_64 = |proof: &Proof| {
        let entry = proof.entries.iter().find(|entry| entry.part == "64").expect("64 bits");
        entry.premises.iter().map(|premise| premise.theorem.clone()).collect::<Vec<_>>()
    };
    assert!(at_64(&proofs[0]).contains(&"integers nested".to_owned()), "{:?}", at_64(&proofs[0]));
    assert!(at_64(&proofs[1]).is_empty());
    let mine = Ledger::new(proofs.iter().filter_map(Proof::record).collect());
    let expected = expected(&rules, &options);
    assert!(expected.iter().all(|expected| mine.objection(expected, &lemmas).is_none()));
    let mut changed = lemmas.record("integers nested").expect("a lemma").clone();
    changed.entries[0].hash = Fingerprint::of(["another lemma"]);
    lemmas.update(vec![changed]);
    let said = mine.objection(&expected[0], &lemmas).expect("it rested on it").to_string();
    assert!(said.ends_with("on integers nested (integers), which is not proved as it was then"), "{said}");
    assert!(mine.objection(&expected[1], &lemmas).is_none());
    // What is not proved again from what the lemma says now is not taken for known.
    let again = Options { lemmas: Arc::new(lemmas), known: Arc::new(mine), ..options };
    let proof = prove(&rules[..1], &again, &mut |_, _| {}).pop().expect("one rule");
    let stamps = |proof: &Proof| proof.entries.iter().flat_map(|e| e.premises.clone()).collect::<Vec<_>>();
    assert_ne!(stamps(&proof), stamps(&proofs[0]));
}
