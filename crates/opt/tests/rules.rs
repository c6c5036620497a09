//! Rules in the engine.

use crate::common::ssa::optimize_with;
use planish_base::SourceText;
use planish_opt::{Pipeline, Record};
use planish_rules::set::RuleSet;

const RULES: &str = "\
# Subtracting a constant is adding its opposite.
sub_const: int_sub(x, C)
    D = -C
    => int_add(x, D)
# A mask that keeps all bits that may be set.
mask_known: int_and(x, C)
    check (x.tvalue | x.tmask) & ~C == 0
    => x
";

/// Rules read from text without any complaint.
fn rules(source: &str) -> RuleSet {
    let (set, findings) = RuleSet::read(vec![SourceText::new("test.rules", source)]);
    assert!(findings.is_empty(), "{}", set.render(&findings));
    set
}

fn optimized(source: &str) -> (String, Record) {
    optimize_with(source, "intbounds:rewrite:pure:dead", Some(&rules(RULES)))
}

/// What a rule makes is simplified again, by rules and by algebra.
#[test]
fn what_a_rule_makes_is_simplified() {
    let (got, record) = optimized("v0 = getarg(0)\nv1 = sub(v0, 5)\nv2 = add(v1, 5)");
    assert_eq!(got, "v0 = getarg(0)\nreturn v0\n");
    assert_eq!(record.rules().iter().sum::<u64>(), 1);
}

/// Rules that make more than they take end at a budget, which the record names.
#[test]
fn rules_that_grow_a_program_end_at_a_budget() {
    let rules = rules("explode: add(x, y)\n    => add(add(x, mul(y, y)), add(mul(x, x), y))\n");
    let mut source = "v0 = getarg(0)\n".to_owned();
    for i in 1..=1000 {
        source.push_str(&format!("v{i} = add(v{}, {i})\n", i - 1));
    }
    let (got, record) = optimize_with(&source, Pipeline::CFG, Some(&rules));
    assert!(got.lines().count() < 10_000, "{} lines", got.lines().count());
    assert!(record.budgets().iter().any(|&(name, hits)| name == "operations made by rules" && hits > 0));
}

/// A rule sees the facts of what it matches.
#[test]
fn a_rule_asks_facts() {
    let (got, _) =
        optimized("v0 = getarg(0)\nv1 = and(v0, 7)\nv2 = mul(v1, v1)\nv3 = and(v1, 15)\nv4 = add(v2, v3)");
    assert_eq!(got, "v0 = getarg(0)\nv1 = and(v0, 7)\nv2 = mul(v1, v1)\nv3 = add(v2, v1)\n");
}
