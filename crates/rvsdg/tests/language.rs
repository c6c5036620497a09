//! The region language as it is read, checked and written. Programs marked README are from the README of
//! optir (Jamey Sharp, 2022), sections "RVSDG input language" and "CFG input language".

use planish_base::{Diagnostics, SourceText};
use planish_rvsdg::{read, write};

fn messages(text: &str) -> Vec<String> {
    let source = SourceText::new("p.rvsdg", text);
    let mut diagnostics = Diagnostics::new();
    let program = read(&source, &mut diagnostics);
    assert_eq!(program.is_none(), diagnostics.has_errors());
    diagnostics.iter().map(|d| d.headline(&source)).collect()
}

fn printed(text: &str) -> String {
    let source = SourceText::new("p.rvsdg", text);
    let mut diagnostics = Diagnostics::new();
    match read(&source, &mut diagnostics) {
        Some(program) => write(&program),
        None => panic!("{}", diagnostics.render(&source)),
    }
}

/// S2.1, S2.2, S2.5, S2.7: numbers, prefix operators, a let means substitution, repetitions are shared.
#[test]
fn let_bindings_stand_for_their_term() {
    assert_eq!(printed("(?x 21 (+ ?x ?x))"), "(+ 21 21)\n");
    assert_eq!(printed("(+ 5 (* -1 2))"), "(+ 5 (* -1 2))\n");
    assert_eq!(printed("(+ (* 2 3) (* 2 3))"), "(?0 (* 2 3)\n(+ ?0 ?0))\n");
    assert_eq!(printed("(?a 1 (?b (+ ?a 2) (?a ?b (* ?a ?a))))"), "(?0 (+ 1 2)\n(* ?0 ?0))\n");
}

/// A bound term means in each region what its arguments mean there.
#[test]
fn a_binding_may_be_used_in_several_regions() {
    let text = "(?v (+ get-0 1) (func-1-inputs-2-outputs ?v (get-0 (loop ?v ?v 0))))";
    assert_eq!(printed(text), "(?0 (+ get-0 1)\n(func-1-inputs-2-outputs ?0 (get-0 (loop ?0 ?0 0))))\n");
}

/// S2.3, S2.4, S2.8, S2.10, S2.11, S2.12, S2.14, S2.47: the README's programs are read, and written as they are
/// but for names and lines.
#[test]
fn programs_of_the_readme_keep_their_terms() {
    let cases = [
        "(?neg (func-1-inputs-1-outputs (* -1 get-0)) (func-2-inputs-1-outputs (+ get-0 (get-0 (call ?neg get-1)))))",
        "(?f (func-1-inputs-2-outputs (get-0 (loop get-0 (+ get-0 1) (+ get-0 -42))) 1) (?call1 (call ?f 1) (?call2 (call ?f 2) (?call3 (call ?f 3) (func-0-inputs-2-outputs (+ (get-0 ?call1) (+ (get-0 ?call2) (get-0 ?call3))) (+ (get-1 ?call1) (+ (get-1 ?call2) (get-1 ?call3))))))))",
        "(?nested (switch-2-cases-1-outputs 0 get-1 get-3 get-0 get-1) (?outer (switch-2-cases-4-outputs get-0 get-1 get-2 get-2 get-3 get-0 get-0 get-1 (get-0 ?nested) get-0 get-1 get-2 get-1) (func-4-inputs-4-outputs (get-0 ?outer) (get-1 ?outer) (get-2 ?outer) (get-3 ?outer))))",
        "(func-2-inputs-1-outputs (get-2 (loop get-0 get-1 1 (* get-0 get-0) (>> get-1 1) (get-0 (switch-2-cases-1-outputs (& get-1 1) get-0 get-2 get-1 (* get-1 get-0))) get-1)))",
    ];
    for text in cases {
        let once = printed(text);
        assert_eq!(printed(&once), once);
        let flat = |text: &str| text.split_whitespace().map(str::len).sum::<usize>();
        assert!(flat(&once) <= flat(text), "names are short: {once}");
    }
}

/// S2.6: a binding does not hold in its own value.
#[test]
fn recursive_bindings_are_errors() {
    assert_eq!(messages("(?x (+ ?x 1) ?x)"), ["p.rvsdg:1:8: error: `?x` is not bound here"]);
}

#[test]
fn errors_name_line_and_column() {
    let cases = [
        ("(+ 1)", "1:2: error: `+` takes 2 operands, not 1"),
        ("(frob 1)", "1:2: error: unknown operator `frob`"),
        ("(func-1-inputs-1-outputs\n  get-1)", "2:3: error: `get-1` in a region of 1 arguments"),
        (
            "(func-1-inputs-1-outputs (get-0 (switch-2-cases-1-outputs 1 2)))",
            "1:34: error: `switch-2-cases-1-outputs` takes a predicate, any inputs and 2 outputs, so at least 3 operands, not 2",
        ),
        (
            "(func-1-inputs-1-outputs (get-0 (loop get-0 get-0)))",
            "1:34: error: `loop` takes inputs, as many results, and a predicate: an odd number of operands, not 2",
        ),
        ("(get-2 (loop 1 1 0))", "1:2: error: `get-2` of a tuple of 1"),
        ("(get-0 (+ 1 2))", "1:8: error: `get-0` takes a tuple"),
        ("(+ 1 (loop 1 1 0))", "1:6: error: this is a tuple: take a result of it by `get-N`"),
        (
            "(get-0 (call (func-1-inputs-1-outputs get-0)))",
            "1:14: warning: a function of 1 inputs is called with 0: it traps",
        ),
        (
            "(get-1 (call (func-0-inputs-1-outputs 5)))",
            "1:2: warning: `get-1` of a call that gives 1: it traps",
        ),
        ("(get-0 (call 0))", "1:14: warning: zero is no function: this call traps"),
        ("(get-0 (call 7))", "1:14: error: a number cannot be called"),
        ("(+ 1 2", "1:1: error: this parenthesis is not closed"),
        ("(+ 1 2))", "1:8: error: this parenthesis closes nothing"),
        ("1 2", "1:3: error: a program is one expression"),
        ("", "1:1: error: there is no expression in this text"),
        ("()", "1:2: error: a list begins with an operator"),
        ("get-0", "1:1: error: `get-0` stands in no region"),
        ("(+ 1 99999999999999999999)", "1:6: error: `99999999999999999999` does not fit 64 bits"),
        ("(switch-0-cases-1-outputs 0)", "1:2: error: a `switch` has at least one case and one output"),
        ("(?x 1 2 3)", "1:2: error: `?x` is bound by a value and a body, not 3 operands"),
    ];
    for (text, message) in cases {
        let got = messages(text);
        assert_eq!(got.first().map(String::as_str), Some(format!("p.rvsdg:{message}").as_str()), "{text}");
    }
}

/// A term bound outside needs arguments of the region where it is used.
#[test]
fn the_arguments_of_a_binding_are_checked_where_it_is_used() {
    assert_eq!(
        messages("(?v get-1\n(func-1-inputs-1-outputs ?v))"),
        ["p.rvsdg:2:26: error: `get-1` in a region of 1 arguments"]
    );
}

#[test]
fn nesting_may_be_as_deep_as_memory_allows() {
    let depth = 200_000;
    let text = "(+ 1 ".repeat(depth) + "2" + &")".repeat(depth);
    let once = printed(&text);
    assert_eq!(once.matches('+').count(), depth);
    assert!(once.len() < 100 * depth, "the text is linear in the program");
    assert_eq!(printed(&once), once);
}

/// S2.58: indices and counts beyond 255.
#[test]
fn three_hundred_cases_and_arguments() {
    let cases: Vec<String> = (0..300).map(|i| format!("get-{i}")).collect();
    let inputs = cases.join(" ");
    let text =
        format!("(func-300-inputs-1-outputs (get-0 (switch-300-cases-1-outputs get-0 {inputs} {inputs})))");
    let once = printed(&text);
    assert_eq!(printed(&once), once);
}

#[test]
fn a_module_exports_functions_by_name() {
    let text = "(?f (func-1-inputs-1-outputs (+ get-0 1))\n(module (inc ?f) (twice (func-1-inputs-1-outputs (get-0 (call ?f (get-0 (call ?f get-0))))))))";
    let once = printed(text);
    assert!(
        once.starts_with("(?0 (func-1-inputs-1-outputs (+ get-0 1))\n(module\n  (inc\n    ?0)\n  (twice"),
        "{once}"
    );
    assert_eq!(printed(&once), once);
    assert_eq!(messages("(module (a 1) (a 2))"), ["p.rvsdg:1:16: error: the module exports `a` twice"]);
}
