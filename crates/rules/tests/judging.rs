//! What is said of rules together: order, cost, cycles, shadowing.

use planish_base::{Severity, SourceText};
use planish_rules::RuleSet;
use planish_rules::set::Strictness;

fn judge(text: &str, strictness: Strictness) -> Vec<(Severity, String, Vec<String>)> {
    let (set, findings) = RuleSet::read(vec![SourceText::new("t.rules", text)]);
    assert!(findings.is_empty(), "{}", set.render(&findings));
    set.judge(strictness).into_iter().map(|(_, d)| (d.severity, d.message, d.notes)).collect()
}

fn messages(text: &str) -> Vec<String> {
    judge(text, Strictness::File)
        .into_iter()
        .map(|(severity, message, _)| format!("{severity}: {message}"))
        .collect()
}

/// S5.32
#[test]
fn a_rule_beside_its_inverse_is_rejected_with_the_cycle_shown() {
    let text = "neg_complication: int_neg(x)\n    => int_mul(-1, x)\n\
                mul_minus_one: int_mul(x, -1)\n    => int_neg(x)\n";
    let found = judge(text, Strictness::File);
    let cycle = found.iter().find(|f| f.0 == Severity::Error).expect("a cycle is an error in any file");
    assert_eq!(cycle.1, "rule `neg_complication` is part of a rewrite cycle");
    assert_eq!(
        cycle.2,
        ["begin with neg(x)", "neg_complication makes it mul(-1, x)", "mul_minus_one makes it neg(x)"]
    );
}

#[test]
fn a_rule_that_undoes_itself_is_a_cycle() {
    assert_eq!(
        messages("swap: sub(neg(x), y)\n    => sub(neg(y), x)\n"),
        ["warning: rule `swap` does not simplify", "error: rule `swap` is part of a rewrite cycle"]
    );
}

/// What a rule makes need not pass its own check; a number that passes it makes a cycle.
#[test]
fn a_check_that_refuses_what_the_rule_made_ends_the_cycle() {
    let rule = |check: &str, to: i32| format!("r: udiv(x, C)\n    check {check}\n    => udiv(x, {to})\n");
    let warning = "warning: rule `r` does not simplify".to_string();
    let cycle = "error: rule `r` is part of a rewrite cycle".to_string();
    for (check, to, is_cycle) in
        [("C > 9", 2, false), ("C > 9", 20, true), ("C & 3 == 1", 6, false), ("not (C < 4)", 3, false)]
    {
        let expected = if is_cycle { vec![warning.clone(), cycle.clone()] } else { vec![warning.clone()] };
        assert_eq!(messages(&rule(check, to)), expected, "{check}, {to}");
    }
    // Of two rules that undo each other, one refuses what the other one makes.
    let two = "a: udiv(x, C)\n    check C > 9\n    => udiv(x, 5)\n\
               b: udiv(x, C)\n    check C < 4\n    => udiv(x, 6)\n";
    assert!(messages(two).iter().all(|message| !message.contains("cycle")), "{:?}", messages(two));
}

/// Checks are asked at types that the rule is about.
#[test]
fn a_cycle_is_looked_for_at_the_types_of_the_rule() {
    for rule in [
        "xor(x: i32, C)\n    check C != 0x5eed5eed\n    => xor(x, 0x5eed5eed)\n",
        "fmul(x: f32, C)\n    check C != 0.7\n    => fmul(x, 0.7)\n",
        "fmul(x, C)\n    check C != 0.7\n    => fmul(x, 0.7)\n",
        "zext(add(x: i8, C)): i16\n    check C != 3\n    => zext(add(x, 3)): i16\n",
    ] {
        let said = messages(&format!("r: {rule}"));
        assert!(said.iter().all(|message| !message.contains("cycle")), "{said:?}");
    }
}

#[test]
fn a_target_that_costs_more_than_the_root_does_not_simplify() {
    let text = "factor: add(mul(x, y), mul(x, z))\n    => mul(x, add(y, z))\n";
    let found = judge(text, Strictness::File);
    assert_eq!(found[0].1, "rule `factor` does not simplify");
    assert_eq!(found[0].2, ["the target costs 4, the root of the pattern only 1; mark it `pays`"]);
    assert!(messages(&text.replace("factor:", "factor [pays]:")).is_empty());
    assert!(messages(&text.replace("factor:", "factor [explore]:")).is_empty());
}

#[test]
fn objections_are_errors_in_the_book_and_warnings_elsewhere() {
    let text = "# Why.\nworse: neg(x)\n    => sub(0, not(not(x)))\n";
    assert_eq!(judge(text, Strictness::Book)[0].0, Severity::Error);
    assert_eq!(judge(text, Strictness::File)[0].0, Severity::Warning);
    let twice = "# Why.\na: neg(sub(x, y))\n    => sub(y, x)\n# Why.\nb: neg(sub(p, q))\n    => sub(q, p)\n";
    // A rule that is never reached does no harm, but the book has none.
    for (strictness, severity) in [(Strictness::Book, Severity::Error), (Strictness::File, Severity::Warning)]
    {
        let found: Vec<(Severity, String)> =
            judge(twice, strictness).into_iter().map(|(severity, message, _)| (severity, message)).collect();
        assert_eq!(found, [(severity, "rule `b` is shadowed".to_owned())]);
    }
}

#[test]
fn a_rule_is_shadowed_only_if_no_input_can_reach_it() {
    let general = "general: sub(add(x, y), y)\n    => x\n";
    // More special, so tried first: reached.
    assert!(messages(&format!("{general}special: sub(add(x, 0), 0)\n    => x\n")).is_empty());
    // The same pattern under a check is tried first.
    assert!(
        messages(&format!("{general}checked: sub(add(x, y), y)\n    check x.is_bool()\n    => x\n"))
            .is_empty()
    );
    // The same pattern twice: the second is never reached.
    assert_eq!(
        messages("a: neg(sub(x, y))\n    => sub(y, x)\nb: neg(sub(p, q))\n    => sub(q, p)\n"),
        ["warning: rule `b` is shadowed"]
    );
    // Constant results come first, also where their pattern is the more general one.
    assert_eq!(
        messages("a: xor(x, y)\n    => 0\nb: xor(neg(x), neg(y))\n    => xor(x, y)\n"),
        ["warning: rule `b` is shadowed"]
    );
}

/// Law 7: a constant result comes first, so the pattern with any constant is tried before the one with a number.
#[test]
fn a_rule_is_shadowed_by_one_with_any_constant_whatever_its_literals_are() {
    let shadowed = |special: &str| {
        let text = format!("general: umulh(x, C)\n    => 29\n{special}");
        judge(&text, Strictness::File).iter().filter(|(_, m, _)| m.contains("shadowed")).count()
    };
    assert_eq!(shadowed("special: umulh(x, 6)\n    => add(x, x)\n"), 1);
    assert_eq!(shadowed("special: umulh(x, 6)\n    check x.is_bool()\n    => x\n"), 1);
    // 29 fits no word of 4 bits and no bit, and 0 fits both.
    assert_eq!(shadowed("special: umulh(x, 0)\n    => urshift(x, x)\n"), 0);
    assert_eq!(shadowed("special: umulh(x, y)\n    => y\n"), 0);
    // Then the other one adds nothing.
    assert_eq!(shadowed("special: umulh(x, y)\n    => 29\n"), 1);
    let typed = |ty: &str| {
        judge(
            &format!("a: xor(x, x: {ty})\n    => 0\nb: xor(x, x: i8)\n    => sub(x, x)\n"),
            Strictness::File,
        )
    };
    assert_eq!(typed("i8").iter().filter(|(_, m, _)| m.contains("shadowed")).count(), 1);
    assert_eq!(typed("i16").iter().filter(|(_, m, _)| m.contains("shadowed")).count(), 0);
}

/// Law 7: a more special rule is tried first, and yields what the more general one would, or one of both is wrong.
#[test]
fn a_constant_beside_a_more_general_one_is_told_in_every_order() {
    let said = |special: &str, general: &str| {
        let both = [format!("{special}{general}"), format!("{general}{special}")];
        let [one, other] = both.map(|text| messages(&text));
        assert_eq!(one, other);
        one
    };
    let general = "general: umulh(x, C)\n    check C > 2\n    => 29\n";
    assert_eq!(
        said("a: umulh(x, 6)\n    => 28\n", general),
        ["error: rule `a` contradicts a more general one"]
    );
    assert_eq!(said("z: umulh(x, 6)\n    => 29\n", general), ["warning: rule `z` is shadowed"]);
    assert_eq!(said("z: umulh(x, 6)\n    M = 5 * 5\n    => M\n", general), ["warning: rule `z` is shadowed"]);
    assert!(said("a: umulh(x, 2)\n    => 28\n", general).is_empty());
    // A constant is better than a value, and a value that exists may be better than another.
    assert!(said("a: umulh(x, 6)\n    => 28\n", &general.replace("29", "x")).is_empty());
    assert!(said("a: umulh(x, 6)\n    => x\n", &general.replace("29", "x")).is_empty());
    // A profile may have the special rule alone.
    assert!(said("a [pypy]: umulh(x, 6)\n    => 29\n", general).is_empty());
    assert_eq!(said("a: umulh(x, 6)\n    => 28\n", &general.replace("general", "general [pypy]")).len(), 1);
}

/// What a general rule computes and checks does not save a rule that it leaves nothing for.
#[test]
fn a_rule_is_shadowed_by_one_whose_conditions_it_meets() {
    let shadowed = |general: &str, special: &str| {
        let text = format!(
            "general: umulh(x, C)\n{general}    => 29\nspecial: umulh(x, 6)\n{special}    => add(x, x)\n"
        );
        judge(&text, Strictness::File).iter().filter(|(_, m, _)| m == "rule `special` is shadowed").count()
    };
    assert_eq!(shadowed("    M = C * 3 - 1\n", ""), 1);
    // The literal decides the check, also through what is computed of it.
    assert_eq!(shadowed("    check C > 4\n", ""), 1);
    assert_eq!(shadowed("    M = C - 1\n    check M != 0 and popcount(C) == 2\n", ""), 1);
    assert_eq!(shadowed("    M = C << 1\n    check M >u C\n", ""), 1);
    // At 8 bits 6 << 5 is a negative number.
    assert_eq!(shadowed("    M = C << 5\n    check M > C\n", ""), 0);
    assert_eq!(shadowed("    check C > 6\n", ""), 0);
    // What is said of `x` is said again, or is not.
    assert_eq!(shadowed("    check x.is_bool()\n", "    check x.is_bool()\n"), 1);
    assert_eq!(shadowed("    check x.is_bool()\n    check C > 2\n", "    check x.is_bool()\n"), 1);
    assert_eq!(shadowed("    check x.is_bool()\n", ""), 0);
    assert_eq!(shadowed("    check x.is_bool()\n", "    check x.known_nonnegative()\n"), 0);
    // A quotient may be undefined.
    assert_eq!(shadowed("    M = 12 //u C\n", ""), 1);
    assert_eq!(shadowed("    M = 12 //u (C - 6)\n", ""), 0);
}

/// One pattern with one check, twice.
#[test]
fn a_rule_that_is_written_twice_with_its_checks_is_shadowed() {
    let twice = |first: &str, second: &str| {
        let text = format!(
            "a: sub(add(x, C1), C2)\n    {first}\n    => add(x, C1)\nb: sub(add(y, C3), C4)\n    {second}\n    => add(y, C3)\n"
        );
        messages(&text).iter().filter(|m| *m == "warning: rule `b` is shadowed").count()
    };
    assert_eq!(twice("check C2 == 0 and C1 != 7", "check C4 == 0 and C3 != 7"), 1);
    assert_eq!(twice("check C2 == 0 and C1 != 7", "check C4 == 0 and C3 != 9"), 0);
    assert_eq!(twice("check C1 == 0", "check C4 == 0"), 0);
    let computed = ["M = C1 + C2\n    check M != 0", "N = C3 + C4\n    check N != 0"];
    assert_eq!(twice(computed[0], computed[1]), 1);
    assert_eq!(twice(computed[0], "N = C4 + C4\n    check N != 0"), 0);
}

/// S5.19
#[test]
fn constants_come_before_values_before_operations() {
    let text = "ops: sub(x, y)\n    check y.is_bool()\n    => add(x, y)\n\
                value: sub(x, y)\n    check y.is_bool()\n    => x\n\
                constant: sub(x, y)\n    check y.is_bool()\n    => 0\n";
    let (set, _) = RuleSet::read(vec![SourceText::new("t", text)]);
    let decision = set.decision(planish_ops::Op::Sub, false).expect("rules");
    let order: Vec<&str> =
        decision.matrix.rows.values().map(|row| set.rules[row.rule].name.as_str()).collect();
    assert_eq!(order, ["constant", "value", "ops"]);
}

#[test]
fn the_book_wants_comments_and_reasons() {
    let text = "r: sub(x, x)\n    SORRY_Z3\n    => 0\n";
    let said: Vec<String> = judge(text, Strictness::Book).into_iter().map(|f| f.1).collect();
    assert_eq!(
        said,
        ["rule `r` says SORRY_Z3 and gives no reason", "rule `r` has no comment that says why it holds"]
    );
    let text = "# Nothing is left.\nr: sub(x, x)\n    SORRY_Z3: the solver's own arithmetic isn't trusted here\n    => 0\n";
    assert!(judge(text, Strictness::Book).is_empty());
}

/// Associativity and distribution in both directions, as ordinary rules, blow up any engine; they are
/// refused, and welcome under `explore`.
#[test]
fn rules_that_explode_are_refused_unless_they_are_for_the_e_graph() {
    let text = "right: add(add(x, y), z)\n    => add(x, add(y, z))\n\
                spread: mul(x, add(y, z))\n    => add(mul(x, y), mul(x, z))\n";
    let said = messages(text);
    assert!(said.contains(&"warning: rule `right` does not simplify".to_string()), "{said:?}");
    assert!(said.contains(&"error: rule `right` is part of a rewrite cycle".to_string()), "{said:?}");
    assert!(said.contains(&"warning: rule `spread` does not simplify".to_string()), "{said:?}");
    let marked = text.replace("right:", "right [explore]:").replace("spread:", "spread [explore]:");
    assert!(messages(&marked).is_empty());
}

/// Many rules that each look somewhere else than the one before would take a question each.
#[test]
fn a_tree_that_would_ask_too_much_is_kept_as_factors_which_are_not_for_the_book() {
    let ops =
        ["neg(w)", "not(w)", "abs(w)", "popcount(w)", "ctz(w)", "clz(w)", "force_ge_zero(w)", "lshift(w, 1)"];
    let mut text = String::new();
    let leaf = |i: usize, name: &str, at: usize| if i == at { name.to_string() } else { format!("v{i}") };
    for at in 0..8 {
        for (k, op) in ops.iter().enumerate() {
            let v: Vec<String> = (0..8).map(|i| leaf(i, op, at)).collect();
            let pattern = format!(
                "sub(sub(sub({}, {}), sub({}, {})), sub(sub({}, {}), sub({}, {})))",
                v[0], v[1], v[2], v[3], v[4], v[5], v[6], v[7]
            );
            text.push_str(&format!("r{k}_{at}: {pattern}\n    check w.is_bool()\n    => 0\n"));
        }
    }
    let (set, findings) = RuleSet::read(vec![SourceText::new("t.rules", text)]);
    assert!(findings.is_empty());
    let decision = set.decision(planish_ops::Op::Sub, false).expect("rules");
    assert!(decision.is_factored());
    assert!(decision.trees.len() <= 20 * decision.matrix.rows.len());
    assert!(set.judge(Strictness::File).is_empty());
    let said = set.judge(Strictness::Book);
    let message = "the decision tree of `sub` asks too many questions to be written as Rust";
    assert!(said.iter().any(|(_, d)| d.message == message));
}

/// S5.19: the same of comparisons, where the cheap targets stand between the others.
#[test]
fn what_makes_nothing_is_tried_first_wherever_it_stands() {
    let text = "first: eq(x, y)\n    check x.is_bool()\n    => ne(x, y)\n\
                none: eq(x, y)\n    check y.is_bool()\n    => 1\n\
                more: eq(x, y)\n    check x.is_bool() and y.is_bool()\n    => is_zero(xor(x, y))\n\
                value: eq(x, y)\n    check y.is_bool()\n    => x\n";
    let (set, _) = RuleSet::read(vec![SourceText::new("t", text)]);
    let decision = set.decision(planish_ops::Op::Eq, false).expect("rules");
    // Each rule stands there for both orders of the operands.
    let mut order: Vec<&str> =
        decision.matrix.rows.values().map(|row| set.rules[row.rule].name.as_str()).collect();
    order.dedup();
    assert_eq!(order, ["none", "value", "first", "more"]);
}
