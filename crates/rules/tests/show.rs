//! Rules as people see them.

use planish_base::SourceText;
use planish_ops::Op;
use planish_rules::{RuleSet, show};

const TEXT: &str = "\
# x - y + y = x
add_sub [pypy]: add(sub(x, y), y)
    => x

# (x + C1) + C2
add_consts: add(add(x, C1), C2)
    C = C1 + C2
    => add(x, C)

add_three: add(add(x, 3), -3)
    => x
";

fn set() -> RuleSet {
    RuleSet::read(vec![SourceText::new("rules/t.rules", TEXT)]).0
}

#[test]
fn a_list_is_in_the_order_in_which_rules_are_tried() {
    let lines: Vec<String> =
        show::list(&set()).lines().map(|l| l.split_whitespace().collect::<Vec<_>>().join(" ")).collect();
    assert_eq!(lines, ["add add_three", "add add_sub x - y + y = x", "add add_consts (x + C1) + C2"]);
}

#[test]
fn one_rule_is_shown_with_its_place_text_cost_and_tags() {
    let set = set();
    let shown = show::rule(&set, set.named("add_sub").expect("a rule"));
    for part in [
        "add_sub  (rules/t.rules:2)",
        "    add_sub [pypy]: add(sub(x, y), y)",
        "number 2 of 3 rules for `add`",
        "cost: 0 for what it makes, 1 for its root, 2 with all that may die with it",
        "tags: pypy",
    ] {
        assert!(shown.contains(part), "{part} is missing in\n{shown}");
    }
}

#[test]
fn a_tree_asks_one_question_a_node() {
    let shown = show::tree(&set(), Op::Add, false).expect("rules for add");
    let expected = "\
add: 4 rows, 12 nodes, at most 6 questions
t5: what is a?
  add:
    t3: what is a1?
      3:
        t2: what is b?
          -3:
            try add_three
          anything else:
            nothing
      anything else:
        nothing
  sub:
    try add_sub
  anything else:
    nothing
t10: what is b?
  another constant:
    t9: what is a?
      add:
        t8: what is a1?
          another constant:
            try add_consts
          anything else:
            nothing
      anything else:
        nothing
  sub:
    try add_sub
  anything else:
    nothing
";
    assert_eq!(shown, expected);
    assert!(show::tree(&set(), Op::Mul, false).is_none());
}

#[test]
fn the_list_as_json_escapes_what_must_be_escaped() {
    let json = show::list_json(&set());
    assert!(json.contains(r#""text": "add_sub [pypy]: add(sub(x, y), y)\n    => x""#), "{json}");
    assert!(json.starts_with('[') && json.ends_with(']'));
}
