//! Rules, right and wrong, and what the prover says of them without an installed solver.

use std::num::NonZeroUsize;
use std::sync::Arc;
use std::time::Duration;

use planish_base::SourceText;
use planish_prove::ledger::{Entry, Fingerprint, Record, Standing, TimeClass};
use planish_prove::prover::prove;
use planish_prove::rule::{Proof, Verdict, expected};
use planish_prove::{Engine, Ledger, Options};
use planish_rules::{Rule, RuleSet};

fn options() -> Options {
    let engine = Engine::builtin();
    Options { limit: Duration::from_secs(60), threads: NonZeroUsize::MIN, ..Options::new(engine) }
}

fn read(text: &str) -> RuleSet {
    let (set, findings) = RuleSet::read(vec![SourceText::new("test.rules", text)]);
    assert!(findings.is_empty(), "{}", set.render(&findings));
    set
}

fn judge(text: &str) -> Vec<Proof> {
    let set = read(text);
    let rules: Vec<&Rule> = set.rules.values().collect();
    prove(&rules, &options(), &mut |_, _| {})
}

/// The proof of the only rule of a text.
fn one(text: &str) -> Proof {
    judge(text).pop().expect("one rule")
}

fn counterexample(text: &str) -> String {
    let proof = one(text);
    assert!(matches!(proof.verdict, Verdict::Refuted(_)), "{proof}");
    proof.to_string()
}

/// S5.24: the smallest values that show the point, both sides, and the place.
#[test]
fn s5_24_failed_proof_tells_a_story() {
    assert_eq!(
        counterexample("mul_is_add: int_mul(a, b)\n    => int_add(a, b)\n"),
        "counterexample to mul_is_add\n  test.rules:1 (a, b: i8)\n  given    a = 0\n           b = 1\n  \
         the source mul(a, b) gives 0\nBUT\n  the target add(a, b) gives 1"
    );
}

/// S5.39: the rule as PyPy's documentation prints it is wrong, and the corrected one holds.
#[test]
fn s5_39_the_printed_rule_is_rejected_with_values_and_the_corrected_one_holds() {
    let wrong = "sub_add_consts: int_sub(int_add(x, C1), C2)\n    C = C1 + C1\n    => int_sub(x, C)\n";
    let told = counterexample(wrong);
    assert!(told.contains("computed C  = "), "{told}");
    assert_eq!(one(&wrong.replace("C1 + C1", "C2 - C1")).verdict, Verdict::Proved);
}

/// However much there is to try, build and search, a verdict does not outlast the clock by much.
#[test]
fn the_clock_ends_every_step_of_a_proof() {
    let chain =
        |op: &str, count: usize| (0..count).fold("x".to_owned(), |t, i| format!("{op}({t}, y{})", i % 4));
    let clock = Duration::from_millis(200);
    for (op, count) in [("rotl", 90), ("floormod", 60), ("smulh", 8)] {
        let text = format!("a [pays]: {}\n    => sub({}, 0)\n", chain(op, count), chain(op, count));
        let set = read(&text);
        let rules: Vec<&Rule> = set.rules.values().collect();
        let options = Options { clock: Some(clock), ..options() };
        let start = std::time::Instant::now();
        prove(&rules, &options, &mut |_, _| {});
        assert!(start.elapsed() < 30 * clock, "{op} takes {:?}", start.elapsed());
    }
}

/// Who does not want a proof any more ends it.
#[test]
fn a_proof_that_is_cancelled_says_that_it_has_no_answer() {
    let set = read("a [pays]: smulh(x, smulh(y, z))\n    => smulh(y, smulh(x, sub(z, 0)))\n");
    let rules: Vec<&Rule> = set.rules.values().collect();
    let options = options();
    options.cancel.cancel();
    let proof = prove(&rules, &options, &mut |_, _| {}).pop().expect("one");
    assert!(matches!(&proof.verdict, Verdict::Unproved(why) if why.contains("no answer in time")), "{proof}");
}

/// S5.40: what a shift by the width means is stated: a rule must hold masked and undefined.
#[test]
fn s5_40_shifts_are_read_in_every_way_that_dialects_read_them() {
    // Masked, a shift by the width shifts by nothing.
    let masked = "shift_out: int_lshift(x, LONG_BIT)\n    => 0\n";
    assert!(counterexample(masked).contains("taken modulo the width"), "{}", counterexample(masked));
    let good = "mul_lshift: int_mul(x, int_lshift(1, y))\n    => int_lshift(x, y)\n";
    let bounded = "mul_lshift: int_mul(x, int_lshift(1, y))\n    check y.known_ge_const(0) and y.known_lt_const(LONG_BIT)\n    => int_lshift(x, y)\n";
    let narrow = |text: &str| {
        let set = read(text);
        let rule = set.rules.values().next().expect("one rule");
        planish_rules::exhaust::exhaust(rule, &[4], 100_000).wrong.is_none()
    };
    assert!(narrow(good) && narrow(bounded));
}

/// S5.41: every width is proved by itself and reported by itself.
#[test]
fn s5_41_a_proof_names_its_widths_and_those_it_says_nothing_about() {
    let proof = one("and_mask: int_and(int_and(x, 1000), 1000)\n    => int_and(x, 1000)\n");
    assert_eq!(proof.verdict, Verdict::Proved);
    let parts: Vec<(&str, Standing)> = proof.entries.iter().map(|e| (e.part.as_str(), e.standing)).collect();
    let proved = Standing::Proved;
    assert_eq!(
        parts,
        [
            ("1", Standing::LeftOut),
            ("8", Standing::LeftOut),
            ("16", proved),
            ("32", proved),
            ("64", proved),
            ("1-5", Standing::LeftOut)
        ]
    );
    assert!(proof.to_string().contains("not about widths 1, 8"), "{proof}");
    // Where no input meets the checks there is nothing to prove, and that is said.
    let proof = one("masked: int_and(x, C)\n    check C == 1 << 9\n    => int_and(int_and(x, C), C)\n");
    assert!(proof.to_string().contains("empty: no input meets its checks at widths 8"), "{proof}");
    // What is too much to be tried in full is said to be sampled.
    let proof = one(
        "many: int_and(int_and(int_and(w, x), int_or(y, z)), x)\n    => int_and(int_and(w, x), int_or(y, z))\n",
    );
    assert!(proof.to_string().contains("sampled at widths 1-5"), "{proof}");
}

/// S5.28: a condition that nothing meets is an error of its own.
#[test]
fn s5_28_a_rule_that_can_never_apply_is_refused_with_its_condition() {
    let proof = one(
        "never: int_add(x, y)\n    check x.known_lt_const(0)\n    check x.known_gt_const(5)\n    => int_sub(x, y)\n",
    );
    let Verdict::NeverApplies(why) = &proof.verdict else { panic!("{proof}") };
    assert_eq!(why, "no input satisfies `x.known_lt_const(0) and x.known_gt_const(5)`");
    assert!(!proof.is_good() && proof.record().is_none());
    let proof = one("never: int_and(x, C)\n    M = C // 0\n    => int_and(C, x)\n");
    let Verdict::NeverApplies(why) = &proof.verdict else { panic!("{proof}") };
    assert_eq!(why, "its pattern or `C // 0` is never defined");
}

#[test]
fn facts_that_checks_ask_are_arbitrary_but_hold() {
    assert_eq!(
        one("xor_is_or: int_xor(x, y)\n    check x.and_bound(y).known_eq_const(0)\n    => int_or(x, y)\n")
            .verdict,
        Verdict::Proved
    );
    let told = counterexample("lt_true: int_lt(x, y)\n    check x.known_lt_const(10)\n    => 1\n");
    assert!(told.contains("known    x <= "), "{told}");
}

/// S5.34, S5.44: overflow operations and partial operations are proved by refinement; a division by zero is no
/// value at all, of which a rule could make use.
#[test]
fn s5_44_overflow_and_division_are_proved_by_refinement() {
    let verdicts: Vec<bool> = judge(
        "div_self: sdiv(x, x)\n    => 1\n\n\
         div_self_nonzero: sdiv(x, x)\n    check x.known_gt_const(0)\n    => 1\n\n\
         add_ovf_zero: int_add_ovf(x, 0)\n    => x\n\n\
         add_ovf_self: int_add_ovf(x, x)\n    => int_lshift(x, 1)\n",
    )
    .iter()
    .map(Proof::is_good)
    .collect();
    assert_eq!(verdicts, [false, true, true, false]);
}

/// What has no value is said as what it does: a division leaves in one reading and means nothing in the other, a shift
/// is undefined in the other alone.
#[test]
fn a_story_says_what_a_side_without_a_value_does() {
    let told = counterexample("div_self: sdiv(x, x)\n    => 1\n");
    assert!(told.contains("the source sdiv(x, x) divides by zero and leaves\nBUT\n"), "{told}");
    let told = counterexample("new_division: add(x, y)\n    => udiv(x, y)\n");
    assert!(!told.contains("is undefined"), "{told}");
    let told =
        counterexample("new_shift: add(x, 0)\n    check x.known_gt_const(LONG_BIT)\n    => lshift(0, x)\n");
    assert!(
        told.contains("gives 0") || told.contains("shifts by the width or more, which is undefined"),
        "{told}"
    );
}

/// A remainder by a power of two: at 64 bits it is proved by cases, and by the built-in solver alone.
#[test]
fn powers_of_two_are_proved_by_cases() {
    let text = "urem_pow2: urem(x, C1)\n    check is_pow2(C1)\n    C = C1 - 1\n    => and(x, C)\n";
    let proof = one(text);
    assert_eq!(proof.verdict, Verdict::Proved, "{proof}");
    assert!(matches!(one(&text.replace("C1 - 1", "C1 - 2")).verdict, Verdict::Refuted(_)));
}

/// A remainder by an unknown is known by its laws.
#[test]
fn a_remainder_is_its_own_remainder_at_every_width() {
    let text =
        "again: urem(urem(x, y), y)\n    => urem(x, y)\n\nsigned: srem(srem(x, y), y)\n    => srem(x, y)\n";
    for proof in judge(text) {
        assert_eq!(proof.verdict, Verdict::Proved, "{proof}");
    }
    assert!(matches!(one("other: urem(urem(x, y), z)\n    => urem(x, y)\n").verdict, Verdict::Refuted(_)));
}

/// S5.25: a counterexample satisfies the checks, and no smaller one does.
#[test]
fn s5_25_a_counterexample_satisfies_the_checks_and_is_small() {
    let told = counterexample(
        "mul_is_add: int_mul(a, b)\n    check a.known_gt_const(1) and b.known_gt_const(2)\n    => int_add(a, b)\n",
    );
    assert!(told.contains("a = 2\n") && told.contains("b = 3\n"), "{told}");
    assert!(told.contains("gives 6\nBUT\n") && told.ends_with("gives 5"), "{told}");
}

/// S5.26: SORRY_Z3 spares a rule the proof and does not count as one; it excuses none that is wrong.
#[test]
fn s5_26_sorry_is_visible_and_excuses_nothing_that_is_wrong() {
    let bare = "add_sub: int_sub(int_add(x, y), y)\n    SORRY_Z3\n    => x\n";
    let spared = one(bare);
    assert!(spared.is_sorry() && !spared.is_good(), "{spared}");
    let mut ledger = Ledger::default();
    ledger.update(spared.record().into_iter().collect());
    let set = read(bare);
    let expected = expected(&set.rules.values().collect::<Vec<_>>(), &options());
    assert!(ledger.objection(&expected[0], &Ledger::default()).is_some());
    assert!(matches!(one(&bare.replace("=> x", "=> y")).verdict, Verdict::Refuted(_)));
    let excused = one(&bare.replace("SORRY_Z3", "SORRY_Z3: too hard for a test"));
    assert_eq!(excused.to_string(), "sorry add_sub, not proved: too hard for a test");
    // What no solver answers in a minute costs nothing.
    let hard = "hard: udiv(udiv(x, y), z)\n    SORRY_Z3: hard\n    check y.known_eq_const(3)\n    => udiv(udiv(x, z), y)\n";
    assert!(one(hard).time < Duration::from_secs(10));
}

/// An operand that a choice does not take may be undefined, and the counterexample says which one is.
#[test]
fn what_a_choice_may_leave_undefined_the_target_must_not_need() {
    assert_eq!(
        counterexample("choice: select(c: i1, x: i1, 0: i1)\n    => and(c, x)\n"),
        "counterexample to choice\n  test.rules:1 (c, x: i1)\n  given    c = 0\n           x = undefined\n  \
         the source select(c, x, 0) gives 0\nBUT\n  the target and(c, x) needs x, which is undefined"
    );
    let known = "known: select(c, x, y)\n    check x.known_eq_const(1) and y.known_eq_const(0)\n";
    assert_eq!(one(&format!("{known}    => is_true(c)\n")).verdict, Verdict::Proved);
    let told = counterexample(&format!("{known}    => and(is_true(c), x)\n"));
    assert!(told.contains("= undefined"), "{told}");
    assert_eq!(one("same: select(lt(x, y), y, x)\n    => max(x, y)\n").verdict, Verdict::Proved);
}

/// So may the result of an operation; but a division that leaves has run before the choice, taken or not.
#[test]
fn what_an_arm_that_is_not_taken_computes_may_be_undefined() {
    let told = counterexample("eager: select(eq(y, 1), lshift(1, y), 0)\n    => lshift(eq(y, 1), y)\n");
    assert!(told.contains("(eq(y, 1), y) shifts by the width or more, which is undefined"), "{told}");
    let lazy = "lazy: select(c, lshift(x, y), lshift(x, z))\n    => lshift(x, select(c, y, z))\n";
    assert_eq!(one(lazy).verdict, Verdict::Proved);
    let told = counterexample("ran: select(is_zero(y), 7, udiv(x, y))\n    => udiv(x, y)\n");
    assert!(told.contains("division by zero undefined"), "{told}");
    let told = counterexample("twice: select(c, udiv(x, y), 0)\n    => udiv(select(c, x, 0), y)\n");
    assert!(told.contains("division by zero undefined"), "{told}");
}

/// S5.27: what a rule asks of the domain is answered by the code that ships, or by what that code was proved to
/// promise, and then the proof names the theorems it rests on.
#[test]
fn s5_27_a_rule_rests_on_what_the_shipped_methods_are_proved_to_promise() {
    let proved = |part: &str| Entry {
        part: part.to_owned(),
        standing: Standing::Proved,
        hash: Fingerprint::of([part]),
        by: "z3".to_owned(),
        time: TimeClass::Instant,
        premises: Vec::new(),
        note: String::new(),
    };
    let parts = ["8", "16", "32", "64"].map(proved).to_vec();
    let lemmas = Ledger::new(vec![Record { theorem: "domain method known_ne".to_owned(), entries: parts }]);
    let options = Options { lemmas: Arc::new(lemmas), ..options() };
    let judge = |text: &str| {
        let set = read(text);
        let rules: Vec<&Rule> = set.rules.values().collect();
        prove(&rules, &options, &mut |_, _| {}).pop().expect("one rule")
    };
    let text = "eq_different: int_eq(x, y)\n    check x.known_ne(y)\n    => 0\n";
    let proof = judge(text);
    assert_eq!(proof.verdict, Verdict::Proved, "{proof}");
    let last = proof.entries.iter().find(|e| e.part == "64").expect("64 bits");
    let premises: Vec<String> = last.premises.iter().map(ToString::to_string).collect();
    assert!(premises.contains(&"domain method known_ne (64)".to_owned()), "{premises:?}");
    assert!(matches!(judge(&text.replace("=> 0", "=> 1")).verdict, Verdict::Refuted(_)));
}

/// S5.43: no answer is not an answer.
#[test]
fn s5_43_no_answer_in_time_is_unproved() {
    let set = read("add_sub: int_sub(int_add(x, y), y)\n    => x\n");
    let rules: Vec<&Rule> = set.rules.values().collect();
    let late = Options { limit: Duration::ZERO, ..options() };
    let proof = &prove(&rules, &late, &mut |_, _| {})[0];
    assert!(matches!(proof.verdict, Verdict::Unproved(_)), "{proof}");
    assert!(proof.record().is_none());
}

/// S5.42: the ledger is keyed by what was asked, and a changed rule is stale.
#[test]
fn s5_42_a_ledger_vouches_for_what_was_proved_and_nothing_else() {
    let text = "add_sub: int_sub(int_add(x, y), y)\n    => x\n\nneg_neg: int_neg(int_neg(x))\n    => x\n";
    let set = read(text);
    let rules: Vec<&Rule> = set.rules.values().collect();
    let mut ledger = Ledger::default();
    ledger.update(prove(&rules, &options(), &mut |_, _| {}).iter().filter_map(Proof::record).collect());
    assert_eq!(ledger.problems(&expected(&rules, &options())), []);
    let changed = read(
        &text
            .replace("=> x\n\nneg", "=> int_add(x, 0)\n\nneg")
            .replace("int_sub(int_add(x, y), y)", "int_sub(int_add(x, y), 1)"),
    );
    let rules: Vec<&Rule> = changed.rules.values().collect();
    assert!(!ledger.problems(&expected(&rules, &options())).is_empty());
}
