//! The language as it is read, lifted, lowered and written.

use planish_base::{Diagnostics, SourceText};
use planish_tac::{lift, lower, read, write};

/// The messages of a text, one line each.
fn messages(text: &str) -> Vec<String> {
    let source = SourceText::new("p.tac", text);
    let mut diagnostics = Diagnostics::new();
    let program = read(&source, &mut diagnostics);
    if !diagnostics.has_errors() {
        lift(&program, lift::Options::default(), &mut diagnostics);
    }
    diagnostics
        .iter()
        .map(|d| std::iter::once(d.headline(&source)).chain(d.notes.clone()).collect::<Vec<_>>().join(" | "))
        .collect()
}

/// A text lifted, lowered and written.
fn round_with(text: &str, undef: bool, extended: bool) -> String {
    let source = SourceText::new("p.tac", text);
    let mut diagnostics = Diagnostics::new();
    let program = read(&source, &mut diagnostics);
    let options = lift::Options { unassigned_is_zero: undef, ..Default::default() };
    let module = lift(&program, options, &mut diagnostics);
    assert!(!diagnostics.has_errors(), "{}", diagnostics.render(&source));
    let lowered =
        lower(&module, lower::Options { extended, ..Default::default() }).expect("it can be written");
    write(&lowered)
}

fn round(text: &str) -> String {
    round_with(text, false, false)
}

/// S2.37: what is read is written again, statement by statement.
#[test]
fn what_is_written_reads_back() {
    let text = "function f -> x größe\n  mov 1 -> y\nlabel 7\n  - x -> x\n  - x y -> y\n  use -> s\n  use s x\n  >>s x 3 -> x\n  switch x 7 e 7\nlabel e\n  call f x -3 -> y s\n  goto e\n";
    let source = SourceText::new("p.tac", text);
    let mut diagnostics = Diagnostics::new();
    let program = read(&source, &mut diagnostics);
    assert!(diagnostics.is_empty(), "{}", diagnostics.render(&source));
    assert_eq!(write(&program), text);
}

/// S2.30, S2.31, S2.32, S2.33: lines, blanks, comments inside tokens, any names, no arrow without arguments.
#[test]
fn tokens_comments_and_names() {
    let text = "function   # none\n\n  + 1\t2 -> ∑;comment\n  + ∑ ∑ -> -x\n return ∑# x\n";
    assert_eq!(round(text), "function\n  + 1 2 -> v0\n  + v0 v0 -> v1\n  return v0\n");
}

/// S2.34, S2.35, S2.36: labels, fall-through, switches of several labels, returned constants.
#[test]
fn labels_fall_through_and_switches() {
    let text = "function -> x\n  & x 3 -> x\n  switch x a b a c\nlabel a\n  return 1 x\nlabel b\n  + x 1 -> x\nlabel c\n  return x 2\n";
    let out = round(text);
    assert!(out.contains("switch v1 a b a c"), "{out}");
    assert!(out.contains("return 1 v1") && out.ends_with("return v1 2\n"), "{out}");
}

#[test]
fn errors_name_line_and_column() {
    let cases = [
        ("function -> x\n  frob x -> y\n  return x\n", "p.tac:2:3: error: unknown operator `frob`"),
        ("function -> x\n  + x -> y\n  return x\n", "p.tac:2:3: error: `+` takes 2 operands, not 1"),
        ("function -> x\n  mov x -> 3\n  return x\n", "p.tac:2:12: error: `3` cannot be a variable"),
        (
            "function -> x\n  + x 99999999999999999999 -> y\n  return x\n",
            "p.tac:2:7: error: `99999999999999999999` does not fit 64 bits",
        ),
        ("function -> x\n  goto e\n", "p.tac:2:3: error: there is no label `e`"),
        ("function -> x\nlabel e\nlabel e\n  return x\n", "p.tac:3:1: error: there are two labels `e`"),
        ("function -> x x\n  return x\n", "p.tac:1:15: error: `x` names two arguments"),
        (
            "function -> x\n  switch x e\nlabel e\n  return x\n",
            "p.tac:2:3: error: `switch` takes two or more labels",
        ),
        (
            "function -> x\n  switch x e e\nlabel e\n  return x\n  return x x\n",
            "p.tac:5:3: error: this returns 2 results, an earlier one 1",
        ),
        (
            "function -> x\n  call f x -> y\n  return y\n",
            "p.tac:2:3: error: there is no function `f` | `function NAME -> x y` begins a function that can be called",
        ),
        ("function -> x\n  + x 1 -> y z\n  return y\n", "p.tac:2:14: error: `+` has one result"),
        ("# nothing\n", "p.tac:2:1: error: there is no statement in this text"),
        (
            "function -> x\n  + x 1 -> y\n",
            "p.tac:2:3: error: control reaches the end of the function | the last statement of a function is `return`, `goto` or `switch`",
        ),
    ];
    for (text, message) in cases {
        assert_eq!(messages(text), [message], "{text}");
    }
}

#[test]
fn all_errors_of_a_text_are_reported() {
    assert_eq!(messages("function -> x\n  frob x\n  mov -> x\n  goto a b\n  return x\n").len(), 3);
}

#[test]
fn a_read_that_some_path_leaves_unassigned_is_an_error_or_zero() {
    let text =
        "function -> x\n  > x 0 -> c\n  switch c end then\nlabel then\n  mov 1 -> y\nlabel end\n  return y\n";
    assert_eq!(
        messages(text),
        [
            "p.tac:7:3: error: `y` may be read before it is assigned | on the path (start) -> end | with `--undef zero` it reads as zero there"
        ]
    );
    let out = round_with(text, true, false);
    assert!(out.contains("mov 0 ->") && out.contains("mov 1 ->"), "{out}");
}

/// S2.41 is lifted: several returns, unreachable blocks and loops without a way out are legal.
#[test]
fn restrictions_of_the_published_tool_are_lifted() {
    let out = round(
        "function -> x\n  switch x a b\nlabel a\n  return 1\nlabel dead\n  + q 1 -> q\n  goto b\nlabel b\n  goto b\n",
    );
    assert!(!out.contains("dead") && out.contains("goto b"), "{out}");
    assert_eq!(
        messages("function -> x\nlabel b\n  goto b\n"),
        ["p.tac:2:1: warning: from here no return can be reached | the loop is kept: it never ends"]
    );
}

/// S2.58: more than 255 cases and variables.
#[test]
fn three_hundred_cases() {
    let labels: Vec<String> = (0..300).map(|i| format!("L{i}")).collect();
    let mut text = format!("function -> x\n  switch x {}\n", labels.join(" "));
    for (i, label) in labels.iter().enumerate() {
        text += &format!("label {label}\n  return {}\n", i * 7);
    }
    let out = round(&text);
    assert!(
        out.contains("switch v0 L0 L1 ") && out.contains(" L299\n") && out.contains("return 2093"),
        "{out}"
    );
}

/// S2.49: the power program as the published text has it, labels swapped, is kept as it is.
#[test]
fn the_published_power_program_keeps_its_branches() {
    let text = "function -> x n\n  mov 1 -> y\nlabel loop\n  & n 1 -> c\n  switch c even odd\nlabel odd\n  * y x -> y\nlabel even\n  * x x -> x\n  = n 0 -> c\n  >> n 1 -> n\n  switch c done loop\nlabel done\n  return y\n";
    let out = round(text);
    assert_eq!(out.lines().count(), text.lines().count(), "no copy is added:\n{out}");
    assert!(out.contains("switch v4 done loop"), "{out}");
}

#[test]
fn values_that_change_places_in_a_loop_are_copied_through_one_more_variable() {
    let text = "function -> n a b\nlabel loop\n  mov a -> t\n  mov b -> a\n  mov t -> b\n  + n -1 -> n\n  > n 0 -> c\n  switch c done loop\nlabel done\n  return a b\n";
    let out = round(text);
    assert!(out.matches("mov").count() >= 3, "{out}");
}

#[test]
fn functions_call_one_another() {
    let text = "function fact -> n\n  > n 1 -> c\n  switch c one more\nlabel one\n  return 1\nlabel more\n  + n -1 -> m\n  call fact m -> r\n  * r n -> r\n  return r\n\nfunction -> n\n  call fact n -> r\n  return r\n";
    let out = round(text);
    assert!(out.contains("call fact v2 -> v3") && out.contains("function main -> v0"), "{out}");
}

#[test]
fn a_call_of_what_is_no_function_of_the_program_has_no_form() {
    let text = "callee @hash elidable reads () writes ()\nfunc f(a: i64) -> i64 {\ne:\n    b: i64 = call(a) @hash\n    return b\n}\n";
    let (module, diagnostics) = planish_ir::text::read(text);
    assert!(!diagnostics.has_errors());
    let errors = lower(&module, lower::Options::default()).expect_err("nobody could read it");
    assert!(errors[0].contains("`hash` is called"), "{errors:?}");
}

#[test]
fn operations_outside_of_the_published_language_are_expanded_or_named() {
    let text = "function -> x y\n  or x y -> a\n  lt x y -> b\n  select b a x -> d\n  return d\n";
    let published = round(text);
    for operator in published.lines().filter_map(|line| line.split_whitespace().next()) {
        assert!(["function", "+", "*", "&", ">", "-", "return", "!="].contains(&operator), "{published}");
    }
    let extended = round_with(text, false, true);
    assert!(extended.contains("  or v0 v1 -> v2") && extended.contains("  select v3 v2 v0"), "{extended}");
}

/// Each of many functions calls the one below twice, and the uppermost is used for words and for functions: it has two types, and so
/// have all below it.
#[test]
fn a_tower_may_be_used_in_two_types() {
    use std::fmt::Write;
    let mut text = String::from(
        "function main -> x\n  call t60 x 9 -> a\n  call t60 next twice -> f\n  call f a -> b\n  return b\n\
         function next -> x\n  + x 1 -> y\n  return y\nfunction twice -> x\n  + x x -> y\n  return y\n\
         function t0 -> a b\n  return b\n",
    );
    for level in 1..=60 {
        let below = level - 1;
        _ = write!(
            text,
            "function t{level} -> a b\n  call t{below} a b -> c\n  call t{below} c b -> d\n  return d\n"
        );
    }
    let written = round(&text);
    assert_eq!(written.matches("function ").count(), 64 + 61);
    assert_eq!(round(&written), written);
}

/// What only goes through a function that hands on words and functions is a word where a run begins.
#[test]
fn what_a_run_begins_with_is_a_word_unless_it_is_called() {
    let text = "function main -> x\n  mov same -> f\n  call f x -> y\n  call f same -> g\n  call g y -> z\n  return z\n\
                function same -> a\n  return a\n";
    let source = SourceText::new("p.tac", text);
    let mut diagnostics = Diagnostics::new();
    let program = read(&source, &mut diagnostics);
    let module = lift(&program, lift::Options::default(), &mut diagnostics);
    let main = module.functions.values().next().expect("there is one");
    assert_eq!(main.ty(main.params()[0]).to_string(), "i64");
    let calls = text.replace("call f x -> y", "call x 3 -> y");
    let program = read(&SourceText::new("p.tac", &*calls), &mut diagnostics);
    let module = lift(&program, lift::Options::default(), &mut diagnostics);
    let main = module.functions.values().next().expect("there is one");
    assert_eq!(main.ty(main.params()[0]).to_string(), "ref");
}
