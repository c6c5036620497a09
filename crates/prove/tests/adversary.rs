//! What an adversary tries: several hundred wrong rules, of which none may be proved, and rules that are right and
//! must not fall with them.
//!
//! Nearly all are refuted by trying them, without a solver. A rule for which there is merely no answer in time is not
//! refused by this test: each has to be found wrong, to be no rule at all, or not to follow from what it claims to
//! follow from.

use std::num::NonZeroUsize;
use std::time::Duration;

use planish_base::{Severity, SourceText};
use planish_prove::prover::prove_one;
use planish_prove::rule::{Proof, Verdict};
use planish_prove::{Engine, Options, parallel};
use planish_rules::RuleSet;
use planish_rules::set::Strictness;

/// Of all areas; beside the theorems about products and quotients; of bits, widths, overflow, choices and floats.
const WRONG: [&str; 3] =
    [include_str!("wrong.rules"), include_str!("wrong_products.rules"), include_str!("wrong_words.rules")];

/// The texts of the rules in a file, each with its comment.
fn texts(file: &str) -> Vec<String> {
    let rules = file.split("\n\n").filter(|text| text.contains("=>"));
    rules.map(|text| format!("{}\n", text.trim())).collect()
}

fn options(limit: Duration, clock: Option<Duration>) -> Options {
    Options { limit, clock, threads: NonZeroUsize::MIN, ..Options::new(Engine::builtin()) }
}

/// Why a rule is accepted, if it is.
fn accepted(text: &String) -> Option<String> {
    let (set, mut findings) = RuleSet::read(vec![SourceText::new("wrong.rules", text)]);
    findings.extend(set.judge(Strictness::File));
    if findings.iter().any(|(_, finding)| finding.severity == Severity::Error) {
        return None;
    }
    let rule = set.rules.values().next()?;
    // Counterexamples need not be small here.
    let mut proof = prove_one(rule, &options(Duration::from_secs(5), Some(Duration::ZERO)));
    if matches!(proof.verdict, Verdict::Unproved(_)) {
        proof = prove_one(rule, &options(Duration::from_secs(20), None));
    }
    let refused = match &proof.verdict {
        Verdict::Refuted(_) | Verdict::NeverApplies(_) | Verdict::Sorry(_) => true,
        Verdict::Unproved(why) => why.contains("does not follow from the theorem"),
        Verdict::Proved => false,
    };
    (!refused).then(|| format!("{proof}\n{text}"))
}

#[test]
fn no_wrong_rule_is_proved() {
    let texts: Vec<String> = WRONG.into_iter().flat_map(texts).collect();
    assert!(texts.len() >= 640, "{}", texts.len());
    let verdicts = parallel::map(&texts, parallel::available(), accepted, &mut |_, _, _| {});
    let accepted: Vec<String> = verdicts.into_iter().flatten().collect();
    assert!(accepted.is_empty(), "{} are accepted:\n{}", accepted.len(), accepted.join("\n"));
}

/// The theorem about magic numbers is proved at some widths, and no rule rests on it at another.
#[test]
fn a_guess_at_a_width_without_the_theorem_is_not_proved_by_it() {
    let text = "odd [certified]: udiv(x: i24, C)\n    M = guess_unsigned_multiplier(C)\n    S = guess_unsigned_shift(C)\n    check umulh(M, C) == 1 << S and M * C <=u 1 << S\n    => urshift(umulh(x, M), S)\n";
    let (set, _) = RuleSet::read(vec![SourceText::new("odd.rules", text)]);
    let rule = set.rules.values().next().expect("one rule");
    let proof = prove_one(rule, &options(Duration::from_millis(300), None));
    assert!(!proof.is_good(), "{proof}");
    assert!(proof.entries.iter().all(|entry| entry.premises.is_empty()), "{proof}");
}

/// The same reasons, one rule each: what is refused above is refused for what is wrong with it.
#[test]
fn rules_beside_the_wrong_ones_are_proved() {
    for right in [
        "a: add(or(x, y), and(x, y)) => add(x, y)\n",
        "b: urem(y, C)\n    check C == LONG_BIT and is_pow2(C)\n    => and(y, LONG_BIT - 1)\n",
        "c: sext(mul(zext(x: a): b, zext(y: a))): c\n    check width(a) > 1 and width(b) > 2 * width(a)\n    => mul(zext(x), zext(y))\n",
        "d: trunc(zext(x: a): b): c\n    check width(c) < width(a)\n    => trunc(x)\n",
        "e: and(x, 31) => and(and(x, 31), 63)\n",
    ] {
        let right = right
            .replace("LONG_BIT - 1)\n", "K)\n")
            .replace("    => and(y, K)", "    K = LONG_BIT - 1\n    => and(y, K)");
        let (set, findings) = RuleSet::read(vec![SourceText::new("right.rules", &right)]);
        assert!(findings.is_empty(), "{}", set.render(&findings));
        let rule = set.rules.values().next().expect("one rule");
        let proof: Proof = prove_one(rule, &options(Duration::from_secs(60), None));
        assert!(proof.is_good(), "{proof}");
    }
}
