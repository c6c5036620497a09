//! What the language says, rule by rule: each of these rules is tried on all inputs of small widths.

use planish_base::SourceText;
use planish_domain::IntFact;
use planish_ops::{Int, Op, Type};
use planish_rules::exhaust::{Tally, exhaust};
use planish_rules::graph::Graph;
use planish_rules::matching::{Const, Operand, Outcome, Rewrite, Root};
use planish_rules::semantics::Reading;
use planish_rules::{RuleSet, graph};

fn set(text: &str) -> RuleSet {
    let (set, findings) = RuleSet::read(vec![SourceText::new("t.rules", text)]);
    assert!(findings.is_empty(), "{}", set.render(&findings));
    set
}

/// Tries the only rule of a text.
fn tally(text: &str) -> Tally {
    let set = set(text);
    let rule = set.rules.values().next().expect("one rule");
    exhaust(rule, &[1, 2, 3, 4], 50_000)
}

#[track_caller]
fn holds(text: &str) {
    let tally = tally(text);
    assert!(tally.wrong.is_none(), "{text}{:?}", tally.wrong);
    assert!(tally.applied > 0, "{text} never applies");
}

#[track_caller]
fn fails(text: &str) -> Tally {
    let tally = tally(text);
    assert!(tally.wrong.is_some(), "{text} should be wrong");
    tally
}

/// S5.39: the incomplete rule of the post computes C1 + C1; C2 - C1 is right.
#[test]
fn the_incomplete_sub_add_consts_is_refuted_and_the_corrected_one_holds() {
    let wrong = fails("sub_add_consts: sub(add(x, C1), C2)\n    C = C1 + C1\n    => sub(x, C)\n");
    let wrong = wrong.wrong.expect("a case");
    assert!(wrong.inputs.iter().any(|(name, _)| name == "C1"), "the case names its inputs");
    assert_ne!(wrong.source, wrong.target);
    holds("sub_add_consts: sub(add(x, C1), C2)\n    C = C2 - C1\n    => sub(x, C)\n");
}

/// Each operation whose operands may change places doubles the work of a matcher, so there is an end to them.
#[test]
fn patterns_with_too_many_orders_are_refused() {
    let chain = |op: &str, count: usize| (0..count).fold("x".to_owned(), |t, i| format!("{op}({t}, y{i})"));
    let read = |pattern: String| {
        let source = SourceText::new("t.rules", format!("a: {pattern}\n    => x\n"));
        let (set, findings) = RuleSet::read(vec![source]);
        (set.rules.len(), set.render(&findings))
    };
    assert_eq!(read(chain("xor", 8)).0, 1);
    let (rules, told) = read(chain("xor", 50));
    assert_eq!(rules, 0);
    assert!(
        told.contains("has 50 operations whose operands may stand in either order, at most 8 are allowed"),
        "{told}"
    );
    // Constants stand last, and operands of a difference keep their places.
    assert_eq!(read(chain("sub", 50)).0, 1);
    assert_eq!(read((0..50).fold("x".to_owned(), |t, i| format!("xor({t}, C{i})"))).0, 1);
}

/// S5.40: under masked shifts y = LONG_BIT shifts by 0 on both sides; the rule holds under each reading.
#[test]
fn mul_lshift_holds_under_every_reading_of_shifts() {
    holds(
        "mul_lshift: mul(x, lshift(1, y))\n    check y.known_ge_const(0) and y.known_le_const(LONG_BIT)\n    => lshift(x, y)\n",
    );
    // A rule that relies on a shift by the width being zero is wrong where amounts are masked.
    let gone = tally("gone: lshift(x, LONG_BIT)\n    => 0\n");
    assert_eq!(gone.wrong.expect("masked, a shift by the width is one by 0").reading, Reading::Masked);
}

/// S5.5
#[test]
fn nested_patterns_see_through_the_defining_operation() {
    holds("sub_add: sub(add(x, y), y)\n    => x\n");
    fails("sub_add: sub(add(x, y), z)\n    => x\n");
}

/// S5.6
#[test]
fn symbolic_constants_are_those_of_the_width() {
    holds("is_true_and_minint: is_true(and(x, MININT))\n    => lt(x, 0)\n");
    holds("le_max: le(x, MAXINT)\n    => 1\n");
    holds("sign: urshift(rshift(x, C), C)\n    check C == LONG_BIT - 1\n    => urshift(x, C)\n");
}

/// S5.9, S5.11, S5.12, S5.14
#[test]
fn computed_values_and_checks_mix_in_any_order() {
    holds(
        "mul_pow2: mul(x, C)\n    check C > 0\n    less = C - 1\n    check C & less == 0\n    shift = highest_bit(C)\n    => lshift(x, shift)\n",
    );
    holds("and_range: and(x, C)\n    check x.lower >= 0 and x.upper <= C & ~(C + 1)\n    => x\n");
    holds(
        "either: and(x, C)\n    check C == -1 or C == 1 and not x.known_lt_const(0) and x.is_bool()\n    => x\n",
    );
}

/// S5.10
#[test]
fn unsigned_operators_in_expressions_are_unsigned() {
    holds("shift: urshift(lshift(x, C), C)\n    mask = (-1 << C) >>u C\n    => and(x, mask)\n");
    fails("shift: urshift(lshift(x, C), C)\n    mask = (-1 << C) >> C\n    => and(x, mask)\n");
    holds("small: udiv(x, C)\n    check x.unsigned_upper <u C\n    => 0\n");
    fails("small: udiv(x, C)\n    check x.upper < C\n    => 0\n");
}

/// S5.13
#[test]
fn checks_ask_the_facts() {
    holds("eq_one: eq(x, 1)\n    check x.is_bool()\n    => x\n");
    fails("eq_one: eq(x, 1)\n    => x\n");
    holds("force: force_ge_zero(x)\n    check x.known_nonnegative()\n    => x\n");
    holds(
        "known: and(x, y)\n    bound = x.and_bound(y)\n    check bound.is_constant()\n    C = bound.get_constant_int()\n    => C\n",
    );
}

/// S5.34
#[test]
fn operations_with_an_overflow_bit_have_rules() {
    holds("zero: add_ovf(x, 0)\n    => x\n");
    holds("fits: mul_ovf(x, y)\n    check x.mul_bound_cannot_overflow(y)\n    => mul(x, y)\n");
    fails("unchecked: add_ovf(x, y)\n    => add(x, y)\n");
    holds("both: usub_ovf(0, x)\n    => (neg(x), is_true(x))\n");
    fails("both: usub_ovf(0, x)\n    => (neg(x), 0)\n");
}

/// S5.35
#[test]
fn rules_of_partial_operations_neither_lose_nor_add_a_trap() {
    fails("self: udiv(x, x)\n    => 1\n");
    holds("self: udiv(x, x)\n    check x.known_nonzero()\n    => 1\n");
    fails("zero: srem(0, x)\n    => 0\n");
    // The inner division has run before, so its divisor is not zero.
    holds("twice: urem(urem(x, y), y)\n    => urem(x, y)\n");
    fails("more: and(x, 0)\n    => and(udiv(x, x), 0)\n");
}

/// S5.36
#[test]
fn ordering_comparisons_have_rules() {
    holds("not_lt: is_zero(lt(x, y))\n    => ge(x, y)\n");
    holds("range: and(ge(x, 0), lt(x, y))\n    check y.known_nonnegative()\n    => ult(x, y)\n");
    fails("range: and(ge(x, 0), lt(x, y))\n    => ult(x, y)\n");
    fails("not_ult: is_zero(ult(x, y))\n    => ugt(x, y)\n");
}

/// S5.44: the remainder of a division by zero is no number at all, so it proves nothing.
#[test]
fn a_division_by_zero_has_no_value_that_a_rule_could_use() {
    fails("by_zero: floormod(x, 0)\n    => x\n");
}

#[test]
fn guards_have_outcomes() {
    holds("pass: guard_true(x)\n    check x.known_nonzero()\n    => pass\n");
    holds("fail: bounds_check(x, y)\n    check x.known_lt_const(0)\n    => fail\n");
    holds("turn: guard_true(is_zero(x))\n    => guard_false(x)\n");
    fails("wrong: guard_true(is_zero(x))\n    => guard_true(x)\n");
    fails("wrong: bounds_check(x, y)\n    check x.known_lt(y)\n    => pass\n");
}

#[test]
fn an_operand_that_a_choice_does_not_take_is_tried_undefined() {
    let wrong = fails("choice: select(c: i1, x: i1, 0: i1)\n    => and(c, x)\n").wrong.expect("a case");
    assert!(wrong.inputs.contains(&("x".to_owned(), None)), "{wrong:?}");
    assert_eq!((wrong.source.is_some(), wrong.target), (true, None));
    holds(
        "known: select(c, x, y)\n    check x.known_eq_const(1) and y.known_eq_const(0)\n    => is_true(c)\n",
    );
    fails(
        "known: select(c, x, y)\n    check x.known_eq_const(1) and y.known_eq_const(0)\n    => and(is_true(c), x)\n",
    );
    fails("eager: select(c, lshift(1, y), 0)\n    => lshift(is_true(c), y)\n");
    holds("lazy: select(c, lshift(x, y), lshift(x, z))\n    => lshift(x, select(c, y, z))\n");
}

#[test]
fn types_can_be_named_and_compared() {
    holds("less: trunc(zext(x: a)): b\n    check width(b) < width(a)\n    => trunc(x)\n");
    holds("mask: zext(trunc(x: a): b): a\n    C = ~(-1 << width(b))\n    => and(x, C)\n");
    holds("bit: not(x: i1)\n    => is_zero(x)\n");
    let (other, findings) = RuleSet::read(vec![SourceText::new("t", "bit: not(x)\n    => is_zero(x)\n")]);
    assert!(findings.is_empty());
    assert!(exhaust(other.rules.values().next().expect("one"), &[4], 1000).wrong.is_some());
}

#[test]
fn a_rule_with_a_named_type_matches_that_type_only() {
    let set = set("bit: not(x: i1)\n    => is_zero(x)\n");
    for (ty, fires) in [(Type::I1, true), (Type::I64, false)] {
        let mut graph = Graph::new();
        let x = graph.param(ty);
        assert_eq!(set.simplify(&graph, &Root { op: Op::Not, args: &[x], ty }).is_some(), fires);
    }
}

#[test]
fn a_literal_that_does_not_fit_leaves_a_width_out() {
    let set = set("big: xor(x, y)\n    check x.known_lt_const(100)\n    => xor(y, x)\n");
    let rule = set.rules.values().next().expect("one rule");
    assert!(!rule.admits(&[Type::Int(7)]));
    assert!(rule.admits(&[Type::Int(8)]));
    let mut graph = Graph::new();
    let [x, y] = [(); 2].map(|()| graph.param(Type::Int(7)));
    assert!(set.simplify(&graph, &Root { op: Op::Xor, args: &[x, y], ty: Type::Int(7) }).is_none());
}

#[test]
fn an_out_of_range_shift_in_a_computed_constant_makes_the_rule_not_apply() {
    let set = set("r: and(x, C)\n    D = 1 << C\n    => xor(x, D)\n");
    let mut graph = Graph::new();
    let x = graph.param(Type::I64);
    for (amount, fires) in [(63, true), (64, false), (-1, false)] {
        let c = graph.int(64, amount);
        assert_eq!(
            set.simplify(&graph, &Root { op: Op::And, args: &[x, c], ty: Type::I64 }).is_some(),
            fires
        );
    }
}

/// The rules that are printed beside the imperative code.
const FIVE: &str = "mul_zero: mul(x, 0)\n    => 0\n\
     mul_one: mul(x, 1)\n    => x\n\
     mul_minus_one: mul(x, -1)\n    => neg(x)\n\
     mul_pow2_const: mul(x, C)\n    check C > 0 and C & (C - 1) == 0\n    shift = highest_bit(C)\n    => lshift(x, shift)\n\
     mul_lshift: mul(x, lshift(1, y))\n    check y.known_ge_const(0) and y.known_le_const(LONG_BIT)\n    => lshift(x, y)\n";

/// S5.18, S5.45: what PyPy's imperative `optimize_INT_MUL` does is what five rules do, and where they
/// differ they are listed here.
#[test]
fn the_five_rules_for_products_do_what_the_imperative_code_does() {
    let five = set(FIVE);
    let mut differences = Vec::new();
    for value in [0, 1, -1, 2, 3, 6, 1 << 62, i64::MIN, i64::MAX, -2] {
        let mut graph = Graph::new();
        let (x, c) = (graph.param(Type::I64), graph.int(64, value));
        let by_rules = shown(five.simplify(&graph, &Root { op: Op::Mul, args: &[x, c], ty: Type::I64 }));
        let imperative = imperative(value, 64);
        if by_rules != imperative {
            differences.push(format!("{value}: {imperative} by code, {by_rules} by rules"));
        }
    }
    for amount in [0, 5, 63, 64, 65, -1] {
        let mut graph = Graph::new();
        let (x, y) = (graph.param(Type::I64), graph.param(Type::I64));
        graph.know(y, IntFact::constant(Int::new(64, amount as u64)));
        let one = graph.int(64, 1);
        let shift = graph.apply(Op::Lshift, &[one, y], Type::I64);
        let by_rules = shown(five.simplify(&graph, &Root { op: Op::Mul, args: &[x, shift], ty: Type::I64 }));
        let imperative = if (0..64).contains(&amount) { "lshift y" } else { "nothing" };
        if by_rules != imperative {
            differences.push(format!("1 << {amount}: {imperative} by code, {by_rules} by rules"));
        }
    }
    assert_eq!(
        differences,
        [
            "-9223372036854775808: lshift 63 by code, nothing by rules",
            "1 << 64: nothing by code, lshift y by rules"
        ]
    );
}

/// S5.18, S5.31, S5.45: the same of every constant of eight bits, where the smallest number is the only one on which they differ.
#[test]
fn the_five_rules_and_the_imperative_code_part_at_the_smallest_number_alone() {
    let five = set(FIVE);
    let differ: Vec<i64> = (-128..128)
        .filter(|&value| {
            let mut graph = Graph::new();
            let (x, c) = (graph.param(Type::Int(8)), graph.int(8, value));
            let root = Root { op: Op::Mul, args: &[x, c], ty: Type::Int(8) };
            shown(five.simplify(&graph, &root)) != imperative(value, 8)
        })
        .collect();
    assert_eq!(differ, [-128]);
}

/// What PyPy's code makes of a product with a constant of so many bits, in words.
fn imperative(value: i64, bits: u32) -> String {
    match value {
        0 => "constant 0".to_string(),
        1 => "the value".to_string(),
        -1 => "neg".to_string(),
        // The code looks at the bits alone, so it takes the smallest number for a power of two.
        _ => match value as u64 & u64::MAX >> (64 - bits) {
            c if c & c.wrapping_sub(1) == 0 => format!("lshift {}", c.trailing_zeros()),
            _ => "nothing".to_string(),
        },
    }
}

/// A rewrite of a product in words.
fn shown(rewrite: Option<Rewrite<graph::Val>>) -> String {
    let Some(rewrite) = rewrite else { return "nothing".to_string() };
    match (rewrite.plan.iter().next(), rewrite.outcome) {
        (Some(build), _) => match build.operands().nth(1) {
            Some(Operand::Const(Const::Int(amount))) => format!("{} {amount}", build.op),
            Some(_) => format!("{} y", build.op),
            None => build.op.to_string(),
        },
        (None, Outcome::Value(Operand::Const(Const::Int(constant)))) => format!("constant {constant}"),
        (None, _) => "the value".to_string(),
    }
}

/// Operators and methods nest to the left: a chain of fifty thousand is as deep as one of parentheses.
#[test]
fn long_chains_are_refused_with_their_place() {
    let link = |first: &str, link: &str, count: usize| format!("{first}{}", link.repeat(count));
    let check = |expr: String| {
        let text = format!("r: sub(x, C)\n    check {expr}\n    => x\n");
        let (set, findings) = RuleSet::read(vec![SourceText::new("t", text)]);
        set.render(&findings)
    };
    for (first, more) in [
        ("C == 7", " or C == 7"),
        ("C == 7", " and C == 7"),
        ("C", " == C"),
        ("7 == C", " - C"),
        ("7 == C", " >>u C"),
        ("x", ".add_bound(x)"),
        ("x.add_bound(x", ".sub_bound(x)"),
        ("not", " not"),
        ("7 == ", "~"),
    ] {
        let shown = check(link(first, more, 50_000));
        assert!(shown.contains("error: nested more than 100 deep") && shown.contains("--> t:2:"), "{shown}");
    }
    // Wide is not deep.
    let wide = (0..90).map(|_| "(C == 7 and C == 7)").collect::<Vec<_>>().join(" or ");
    assert_eq!(check(wide), "");
    assert_eq!(check(link("C == 7", " or C == 7", 80)), "");
}

/// S5.1, S5.3, S5.4, S5.5: with other operations, and the inner one on either side.
#[test]
fn absorption_is_found_on_either_side() {
    holds("absorb: and(x, or(y, x))\n    => x\n");
    holds("merge: xor(and(x, y), and(x, not(y)))\n    => x\n");
    fails("absorb: and(x, or(y, z))\n    => x\n");
}

/// S5.2, S5.6, S5.7, S5.15: numbers match themselves, names with `C` constants, and a comment may stand anywhere.
#[test]
fn the_sign_bit_is_a_constant_like_others() {
    holds("# in front\nflip: xor(x, MININT) # behind\n    => add(x, MININT)\n");
    holds("clear: and(or(x, C), MAXINT)\n    check C == MININT\n    => and(x, MAXINT)\n");
    fails("flip: xor(x, 1)\n    => add(x, 1)\n");
    let tally = tally("only: sub(x, C)\n    D = 0 - C\n    => add(x, D)\n");
    assert!(tally.wrong.is_none() && tally.applied > 0);
}

/// S5.11, S5.12, S5.14: two checks around two computed constants.
#[test]
fn a_multiple_of_a_power_of_two_has_low_bits_that_are_zero() {
    holds(
        "low: and(lshift(x, C1), C2)\n    check C1 >= 0 and C1 < LONG_BIT\n    mask = ~(-1 << C1)\n    \
         check C2 & ~mask == 0\n    => 0\n",
    );
    holds(
        "top: urshift(x, C)\n    check C > 0 and C < LONG_BIT\n    check x.unsigned_upper <u 1 << C\n    => 0\n",
    );
    holds(
        "odd: mul(x, C)\n    check C > 0 and C & (C - 1) == 0\n    n = highest_bit(C)\n    => lshift(x, n)\n",
    );
}

/// S5.16: rules that the post prints, and what they would be with less: they do not only parse.
#[test]
fn rules_of_the_post_hold_and_lesser_ones_do_not() {
    holds(
        "urshift_lshift_x_c_c: urshift(lshift(x, C), C)\n    mask = (-1 << C) >>u C\n    => and(x, mask)\n",
    );
    holds("mul_minus_one: mul(x, -1)\n    => neg(x)\n");
    holds("eq_different_knownbits: eq(x, y)\n    check x.known_ne(y)\n    => 0\n");
    fails("eq_different_knownbits: eq(x, y)\n    check x.is_bool()\n    => 0\n");
    holds("and_x_c_in_range: and(x, C)\n    check x.lower >= 0 and x.upper <= C & ~(C + 1)\n    => x\n");
    fails("and_x_c_in_range: and(x, C)\n    check x.upper <= C & ~(C + 1)\n    => x\n");
}
