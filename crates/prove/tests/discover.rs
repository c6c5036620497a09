//! What rules could say: constants that are left open, conditions, more general forms. What takes longest is asked in long
//! campaigns alone (`PLANISH_FULL=1`).

use std::num::NonZeroUsize;
use std::time::Duration;

use planish_prove::discover::{self, Completed, Draft, complete, condition, generalize};
use planish_prove::prover::prove_one;
use planish_prove::rule::Verdict;
use planish_prove::{Engine, Options};

fn options() -> Options {
    Options { limit: Duration::from_secs(4), threads: NonZeroUsize::MIN, ..Options::new(Engine::builtin()) }
}

/// How many of some cases are asked, the quick ones first.
fn asked(quick: usize) -> usize {
    if std::env::var_os("PLANISH_FULL").is_some_and(|full| full == "1") { usize::MAX } else { quick }
}

/// That a draft is proved by whoever reads it.
#[track_caller]
fn is_proved(draft: &Draft) {
    let rule = draft.read().expect("it is a rule");
    assert_eq!(prove_one(&rule, &options()).verdict, Verdict::Proved, "{}", draft.text());
}

#[track_caller]
fn completed(text: &str) -> Draft {
    match complete(text, &options()) {
        Ok(Completed::Holds(draft)) => {
            is_proved(&draft);
            draft
        }
        other => panic!("{text}{other:?}"),
    }
}

#[test]
fn constants_of_targets_are_expressions_over_those_of_the_pattern() {
    let both = completed("a: and(or(x, C1), C2) => or(and(x, ?), ?)");
    assert!(
        both.text().contains("C = C1 & C2\n") && both.text().contains("=> or(and(x, C2), C)"),
        "{}",
        both.text()
    );
    let sum = completed("b: sub(add(x, C1), C2)  # what is left?\n    => add(x, ?)");
    assert!(sum.text().contains("C = C1 - C2\n"), "{}", sum.text());
    let number = completed("c: xor(x, not(x)) => ?");
    assert!(number.text().contains("=> -1"), "{}", number.text());
    let narrow = completed("d: and(xor(x: i16, C1), C2)\n    => xor(and(x, ?), ?)");
    assert!(narrow.text().contains("C1 & C2"), "{}", narrow.text());
}

/// An expression may be without a value where the rule does not apply; a check is found where one is needed.
#[test]
fn constants_of_shifts_and_divisions_are_found_with_their_conditions() {
    let shifted = completed("a: lshift(add(x, C1), C2) => add(lshift(x, ?), ?)");
    assert!(shifted.text().contains("C = C1 << C2\n    => add(lshift(x, C2), C)"), "{}", shifted.text());
    let product = completed("b: mul(lshift(x, C1), C2) => mul(x, ?)");
    assert!(product.text().contains("C = C2 << C1\n"), "{}", product.text());
    for (text, constant, checks) in [
        ("c: lshift(lshift(x, C1), C2) => lshift(x, ?)", "C = C1 + C2\n", &[][..]),
        ("d: udiv(udiv(x, C1), C2) => udiv(x, ?)", "C = C1 * C2\n", &["umulh(C1, C2) == 0"][..]),
        ("e: signext(signext(x, C1), C2) => signext(x, ?)", "=> signext(x, C2)", &["C2 <= C1"][..]),
    ]
    .into_iter()
    .take(asked(2))
    {
        match complete(text, &options()) {
            Ok(Completed::If(under)) => {
                is_proved(&under.draft);
                assert!(under.draft.text().contains(constant), "{}", under.draft.text());
                assert!(checks.iter().all(|check| under.check.contains(check)), "{}", under.check);
            }
            other => panic!("{text}{other:?}"),
        }
    }
}

#[test]
fn what_is_no_rule_with_constants_left_open_is_said() {
    assert!(complete("a: frobnicate(x) => add(x, ?)", &options()).is_err());
    assert!(complete("a: add(x, y) => add(add(add(x, ?), ?), add(?, ?))", &options()).is_err());
    assert!(complete("a: ?\n", &options()).is_err());
}

#[test]
fn a_wrong_rule_gets_the_weakest_condition() {
    for (wrong, check) in [
        ("a: add(x, y) => or(x, y)", "check x.and_bound(y).known_eq_const(0)"),
        ("d: lt(x, C) => ult(x, C)", "known_nonnegative"),
        ("e: eq(mul(x, C), mul(y, C)) => eq(x, y)", "check C & 1 == 1"),
        ("f: udiv(x, C) => urshift(x, 3)", "check C == 8"),
        ("g: rshift(x, y) => urshift(x, y)", "check x.known_nonnegative()"),
        ("h: lshift(lshift(x, 2), 3) => lshift(x, 5)", "check width(x) > 5"),
        ("b: udiv(x, C)\n    S = ctz(C)\n    => urshift(x, S)\n", "check is_pow2(C)"),
        ("c: sdiv(x, y) => udiv(x, y)", "known_nonnegative"),
    ]
    .into_iter()
    .take(asked(6))
    {
        let draft = Draft::new(wrong);
        let under = condition(&draft, &options()).unwrap_or_else(|| panic!("no condition: {wrong}"));
        assert!(under.check.contains(check), "{wrong}: {}", under.check);
        assert!(under.kept > 0 && under.kept <= under.holding);
        is_proved(&under.draft);
    }
}

#[test]
fn a_right_rule_is_made_more_general() {
    let unneeded = generalize(&Draft::new("b: add(sub(x, C), C)\n    check C > 3\n    => x"), &options());
    assert!(!unneeded.draft.text().contains("check"), "{}", unneeded.draft.text());
    assert!(unneeded.what.iter().any(|what| what.contains("a value in place of C")), "{:?}", unneeded.what);
    let best = generalize(&Draft::new("d: max(x, x) => x"), &options());
    assert!(best.siblings.iter().any(|(other, _)| other == "min for max"), "{:?}", best.siblings);
}

/// What is called more general holds wherever the rule did.
#[test]
fn a_more_general_rule_covers_the_one_that_it_is_made_of() {
    let bounded = "a: lt(add(x, 1), 1000)\n    check x.known_nonnegative() and x.known_lt_const(65536)\n    => lt(x, 999)";
    let better = generalize(&Draft::new(bounded), &options());
    assert!(better.draft.text().contains("check x.add_bound_cannot_overflow(C"), "{better:?}");
    let factor =
        generalize(&Draft::new("b [pays]: add(mul(x, 3), 1) => add(add(x, x), add(x, 1))"), &options());
    assert!(factor.draft.text().contains("mul(x, 3)"), "{factor:?}");
    let power = generalize(&Draft::new("c: mul(x, 16) => lshift(x, 4)"), &options());
    assert!(power.draft.text().contains("is_pow2(C)"), "{power:?}");
}

#[test]
fn a_condition_that_makes_two_types_one_is_asked_where_they_are_one() {
    let text = "a: add(trunc(x: a): c, trunc(y: b): c) => trunc(x)\n";
    let found = condition(&Draft::new(text), &options()).expect("there is one");
    is_proved(&found.draft);
    assert_eq!(found.check, "check y.known_eq_const(0)");
}

/// Found in time, or nothing: what is known of operands of other types than their users is asked where it can be.
#[test]
fn rules_about_truth_values_and_choices_are_asked_without_a_fault() {
    for text in
        ["a: umin(eq(x: a, y): b, z) => eq(x, y)\n", "b: xor(is_zero(x: a): b, z) => and(is_zero(x), z)\n"]
    {
        if let Some(under) = condition(&Draft::new(text), &options()) {
            is_proved(&under.draft);
        }
    }
}

/// Amounts of two shifts are asked for their sum, which wraps nowhere.
#[test]
fn conditions_ask_for_sums_of_constants() {
    let check = |text: &str| condition(&Draft::new(text), &options()).expect("a condition").check;
    let rotated = check("a: or(lshift(x, C1), urshift(x, C2)) => rotl(x, C1)");
    assert!(rotated.contains("C1 + C2 == LONG_BIT"), "{rotated}");
    let gone = check("a: lshift(lshift(x, C1), C2) => 0");
    assert!(gone.contains("C1 + C2 >=u LONG_BIT"), "{gone}");
}

/// A check with numbers of its own becomes one about those of the pattern, and these become constants.
#[test]
fn a_number_that_is_checked_for_overflow_becomes_a_constant() {
    let draft = Draft::new("a: lt(add(x, 1), 100)\n    check x.known_unsigned_lt(64)\n    => lt(x, 99)");
    let better = generalize(&draft, &options());
    is_proved(&better.draft);
    let text = better.draft.text();
    assert!(text.contains("add_bound_cannot_overflow") && !text.contains("100"), "{text}");
}

/// What is wrong at small widths alone is right with a check, or with a type where no variable has it.
#[test]
fn a_rule_that_is_wrong_at_some_widths_is_told_to_ask() {
    let at = |text: &str| discover::at_widths(&Draft::new(text), &options()).map(|(_, what)| what);
    assert_eq!(at("a: lt(fcmpg(x, y), 0) => flt(x, y)").as_deref(), Some("fcmpg(x, y): i32"));
    assert_eq!(at("a: lt(popcount(x), 9) => 1").as_deref(), Some("check width(x) <= 8"));
    assert_eq!(at("a: add(x, y) => or(x, y)"), None);
}
