//! The e-graph engine through `.ssa` text.

use planish_base::SourceText;
use planish_ir::{Form, text, verify};
use planish_opt::egraph::bodies::Bodies;
use planish_opt::{Record, egraph};
use planish_rules::RuleSet;

const RULES: &str = "\
# Forms that are cheaper, and forms that only move operations about.
mul_two: mul(x, 2) => lshift(x, 1)
sub_add: sub(add(x, y), y) => x
mul_pow2: mul(x, C)
    check C > 0 and C & (C - 1) == 0
    shift = highest_bit(C)
    => lshift(x, shift)
factor [explore]: add(mul(x, y), mul(x, z)) => mul(x, add(y, z))
assoc [explore]: add(add(x, y), z) => add(x, add(y, z))
";

fn optimize(source: &str) -> String {
    let (rules, findings) = RuleSet::read(vec![SourceText::new("test.rules", RULES)]);
    assert!(findings.is_empty(), "{findings:?}");
    let (mut module, diagnostics) = text::read(source);
    assert!(diagnostics.is_empty(), "{diagnostics:?}");
    let bodies = &Bodies::new(&module, &planish_opt::machine_price);
    for function in module.functions.values_mut() {
        let rules = egraph::Rules {
            source: egraph::Source::Read(&rules),
            first: 0,
            disabled: None,
            price: &planish_opt::machine_price,
            bodies,
            chaos: None,
        };
        egraph::run(function, rules, &mut Record::new(), None);
    }
    assert_eq!(verify::verify_module(&module, Form::Cfg), Vec::<String>::new());
    let straight = !source.contains("func ");
    text::write(&module, text::Options { straight, ..text::Options::default() })
}

/// S1.43
#[test]
fn equal_operations_are_made_once_and_unused_ones_not_at_all() {
    let source = "v0 = getarg(0)\nv1 = getarg(1)\nv2 = add(v1, 17)\nv3 = mul(v0, v2)\nv4 = add(17, v1)\nv5 = add(v3, v4)\nv6 = neg(v0)\nreturn v5\n";
    let expected = "v0 = getarg(0)\nv1 = getarg(1)\nv2 = add(v1, 17)\nv3 = mul(v0, v2)\nv4 = add(v3, v2)\n";
    assert_eq!(
        optimize(source).replace("add(17, v1)", "add(v1, 17)").replace("add(v2, v3)", "add(v3, v2)"),
        expected
    );
}

/// S2.45: what is made of constants is a constant, and what rules make of it is folded too.
#[test]
fn constants_are_folded_in_the_graph() {
    let source = "v0 = getarg(0)\nv1 = mul(3, 4)\nv2 = add(v0, v1)\nv3 = add(v2, -12)\n";
    assert_eq!(optimize(source), "v0 = getarg(0)\nreturn v0\n");
}

/// S2.45: a constant that shows only in one of the forms of a value.
#[test]
fn a_constant_in_another_form_is_found() {
    let source = "v0 = getarg(0)\nv1 = getarg(1)\nv2 = add(v0, v1)\nv3 = sub(v2, v1)\nv4 = sub(v3, v0)\nv5 = add(v4, 40)\nv6 = mul(v5, 2)\n";
    assert_eq!(optimize(source), "v0 = getarg(0)\nv1 = getarg(1)\nreturn 80\n");
}

/// S1.43, S5.37
#[test]
fn the_cheapest_of_all_forms_is_extracted() {
    let source = "v0 = getarg(0)\nv1 = getarg(1)\nv2 = getarg(2)\nv3 = mul(v0, v1)\nv4 = mul(v0, v2)\nv5 = add(v3, v4)\n";
    assert_eq!(
        optimize(source),
        "v0 = getarg(0)\nv1 = getarg(1)\nv2 = getarg(2)\nv3 = add(v1, v2)\nv4 = mul(v0, v3)\n"
    );
    let source = "v0 = getarg(0)\nv1 = getarg(1)\nv2 = mul(v0, 8)\nv3 = add(v2, v1)\nv4 = sub(v3, v1)\n";
    assert_eq!(optimize(source), "v0 = getarg(0)\nv1 = getarg(1)\nv2 = lshift(v0, 3)\n");
}

#[test]
fn values_are_made_late_but_not_in_a_loop() {
    let source = "\
func f(v0: i64, v1: i64, v2: i64) -> i64 {
entry:
    v3 = mul(v0, v0)
    v4 = mul(v1, v1)
    jump head(0, 0)
head(v5: i64, v6: i64):
    v7: i1 = lt(v5, v2)
    branch v7, body, done
body:
    v8 = add(v6, v3)
    v9 = add(v5, 1)
    jump head(v9, v8)
done:
    v10 = add(v6, v4)
    return v10
}
";
    let expected = "\
func f(v0: i64, v1: i64, v2: i64) -> i64 {
entry:
    v3 = mul(v0, v0)
    jump head(0, 0)
head(v4: i64, v5: i64):
    v6: i1 = lt(v4, v2)
    branch v6, body, done
body:
    v7 = add(v4, 1)
    v8 = add(v5, v3)
    jump head(v7, v8)
done:
    v9 = mul(v1, v1)
    v10 = add(v5, v9)
    return v10
}
";
    let normal =
        |text: String| text.replace("add(v5, v3)", "add(v3, v5)").replace("add(v9, v5)", "add(v5, v9)");
    assert_eq!(normal(optimize(source)), normal(expected.to_owned()));
}

#[test]
fn what_may_leave_or_be_undefined_stays_in_its_place() {
    let source = "\
func f(v0: i64, v1: i64, v2: i1) -> i64 {
entry:
    branch v2, a, b
a:
    v3 = sdiv(v0, v1)
    guard_true(v3) else leave 1(v0)
    return v3
b:
    return 0
}
";
    assert_eq!(optimize(source), source);
}

#[test]
fn a_value_used_in_two_arms_is_made_in_both() {
    let source = "\
func f(v0: i64, v1: i1) -> i64 {
entry:
    v2 = mul(v0, v0)
    branch v1, a, b
a:
    v3 = neg(v2)
    return v3
b:
    branch v1, c, d
c:
    return v2
d:
    return 0
}
";
    let written = optimize(source);
    assert_eq!(written.matches("mul(v0, v0)").count(), 2, "{written}");
    let entry = written.split("branch").next().unwrap();
    assert!(!entry.contains("mul"), "{written}");
}

#[test]
fn deep_expressions_do_not_exhaust_the_stack() {
    let mut source = String::from("v0 = getarg(0)\nv1 = getarg(1)\n");
    for i in 2..100_000 {
        source.push_str(&format!("v{i} = xor(v{}, v{})\n", i - 1, i - 2));
    }
    source.push_str("return v99999\n");
    let written = optimize(&source);
    assert!(written.lines().count() > 100_000 - 10);
}

#[test]
fn a_dumped_graph_names_every_form_of_a_value_and_what_the_skeleton_uses() {
    let source = "func f(v0: i64, v1: i64) -> i64 {\ne:\n    v2 = mul(v0, 2)\n    v3 = add(v2, v1)\n    return v3\n}\n";
    let (mut module, diagnostics) = text::read(source);
    assert!(!diagnostics.has_errors());
    let function = module.functions.values_mut().next().expect("a function");
    let mut dump = egraph::dump::Dump::default();
    let price = &planish_opt::machine_price;
    let bodies = &Bodies::default();
    let rules =
        egraph::Rules { source: egraph::Source::Book, first: 0, disabled: None, price, bodies, chaos: None };
    egraph::run(function, rules, &mut Record::new(), Some(&mut dump));
    let json = dump.json();
    for part in ["\"op\": \"mul\"", "\"op\": \"lshift\"", "\"op\": \"add\"", "\"root_eclasses\": [\"f/"] {
        assert!(json.contains(part), "{part} in {json}");
    }
    let class = |op: &str| {
        let line = json.lines().find(|line| line.contains(op)).expect("the node");
        line.split("\"eclass\": ").nth(1).and_then(|rest| rest.split(',').next()).map(str::to_owned)
    };
    assert_eq!(class("\"mul\""), class("\"lshift\""), "{json}");
}

/// A function that calls one of so many operations so often, in a chain, with its argument and a constant.
fn calls(operations: usize, count: usize, constant: &str) -> String {
    let mut text = String::from("func f(v0: i64, v1: i64) -> i64 {\ne:\n");
    for call in 0..count {
        let (argument, result) = (call + 1, call + 2);
        text.push_str(&format!("    v{result}: i64 = call(v{argument}, {constant}) @g\n"));
    }
    text.push_str(&format!("    return v{}\n}}\n\nfunc g(v0: i64, v1: i64) -> i64 {{\ne:\n", count + 1));
    for operation in 0..operations {
        let op = ["mul", "xor"][operation % 2];
        let one = if operation == 0 { 0 } else { operation + 1 };
        text.push_str(&format!("    v{} = {op}(v{one}, v1)\n", operation + 2));
    }
    text.push_str(&format!("    return v{}\n}}\n", operations + 1));
    text
}

/// S2.17: the graph has calls and bodies.
#[test]
fn a_call_and_its_body_are_one_class_of_which_the_cheaper_is_extracted() {
    // A body of few operations costs less than calls, which are fifty each.
    assert_eq!(optimize(&calls(6, 3, "v0")).matches("call(").count(), 0);
    // A long one is there once.
    assert_eq!(optimize(&calls(100, 8, "v0")).matches("call(").count(), 8);
    // The only call of a function is not there besides a copy of it.
    assert_eq!(optimize(&calls(100, 1, "v0")).matches("call(").count(), 0);
    // Of a product with zero nothing is left.
    let text = optimize(&calls(100, 8, "0"));
    assert!(!text[..text.find("func g").expect("g")].contains("call("), "{text}");
}

#[test]
fn calls_of_expressions_are_values() {
    let text = optimize(
        "callee @unknown\nfunc f(v0: i64, v1: i64) -> i64 {\ne:\n    v2: i64, v3: i64 = call(v0) @g\n    v4: i64, v5: i64 = call(v0) @g\n    \
         v6: i64 = call(v1) @unknown\n    jump l(v0, 0)\nl(v7: i64, v8: i64):\n    v9: i64, v10: i64 = call(v1) @g\n    v11 = add(v8, v9)\n    \
         v12 = sub(v7, v2)\n    branch v12, l(v12, v11), x\nx:\n    v13 = add(v11, v4)\n    v14 = add(v13, v3)\n    \
         v15 = sub(v14, v5)\n    v16 = add(v15, v6)\n    return v16\n}\n\n\
         func g(v0: i64) -> i64, i64 {\ne:\n    v1 = mul(v0, v0)\n    v2 = udiv(v1, 3)\n    return v2, v1\n}\n",
    );
    // A division may be undefined, so that one is no expression and stays where it is.
    assert_eq!(text.matches("@g").count(), 3, "{text}");
    let text = optimize(&calls(100, 2, "v0").replace("call(v2, v0)", "call(v1, v0)"));
    assert_eq!(text.matches("@g").count(), 0, "what is called once is a body: {text}");
}

#[test]
fn a_tower_of_calls_is_made_as_deep_as_there_is_room() {
    let mut text = String::from(
        "func f0(v0: i64) -> i64 {\ne:\n    v1 = mul(v0, 3)\n    v2 = xor(v1, v0)\n    return v2\n}\n\n",
    );
    for level in 1..100 {
        let below = level - 1;
        text.push_str(&format!(
            "func f{level}(v0: i64) -> i64 {{\ne:\n    v1: i64 = call(v0) @f{below}\n    v2: i64 = call(v1) @f{below}\n    return v2\n}}\n\n"
        ));
    }
    assert!(optimize(&text).len() < 40 * text.len());
}
