//! What the parser and the type checker say of wrong rules, and that they say it of all of them at once.

use planish_base::{Diagnostics, SourceText};
use planish_rules::check::read;

fn headlines(text: &str) -> Vec<String> {
    let source = SourceText::new("t.rules", text);
    let mut diagnostics = Diagnostics::new();
    read(&source, &mut diagnostics);
    diagnostics.iter().map(|d| d.headline(&source)).collect()
}

#[track_caller]
fn one(text: &str, expected: &str) {
    assert_eq!(headlines(text), [format!("t.rules:{expected}")], "{text}");
}

#[track_caller]
fn fine(text: &str) {
    assert!(headlines(text).is_empty(), "{text}: {:?}", headlines(text));
}

/// S5.1, S5.2, S5.7, S5.15
#[test]
fn a_rule_is_a_name_a_pattern_and_a_target() {
    fine("add_zero: int_add(x, 0) # nothing is added\n    => x\n");
    fine("# A comment.\nfold: add(C1, C2)\n    C = C1 + C2\n    => C\n");
}

/// S5.16
#[test]
fn the_rules_of_the_post_parse() {
    fine(
        "add_zero: int_add(x, 0)\n    => x\n\
         sub_x_x: int_sub(x, x)\n    => 0\n\
         sub_add: int_sub(int_add(x, y), y)\n    => x\n\
         is_true_and_minint: int_is_true(int_and(x, MININT))\n    => int_lt(x, 0)\n\
         sub_add_consts: int_sub(int_add(x, C1), C2)\n    C = C2 - C1\n    => int_sub(x, C)\n\
         urshift_lshift_x_c_c: uint_rshift(int_lshift(x, C), C)\n    mask = (-1 << C) >>u C\n    => int_and(x, mask)\n\
         eq_one: int_eq(x, 1)\n    check x.is_bool()\n    => x\n\
         mul_lshift: int_mul(x, int_lshift(1, y))\n\
         \x20   check y.known_ge_const(0) and y.known_le_const(LONG_BIT)\n    => int_lshift(x, y)\n\
         mul_pow2_const: int_mul(x, C)\n    check C > 0 and C & (C - 1) == 0\n    shift = highest_bit(C)\n\
         \x20   => int_lshift(x, shift)\n\
         and_x_c_in_range: int_and(x, C)\n    check x.lower >= 0 and x.upper <= C & ~(C + 1)\n    => x\n\
         mul_zero: int_mul(x, 0)\n    => 0\n\
         mul_one: int_mul(x, 1)\n    => x\n\
         mul_minus_one: int_mul(x, -1)\n    => int_neg(x)\n\
         eq_different_knownbits: int_eq(x, y)\n    SORRY_Z3\n    check x.known_ne(y)\n    => 0\n",
    );
}

/// S5.8
#[test]
fn an_undefined_variable_is_named() {
    one("r: add(x, 0)\n    => y\n", "2:8: error: variable `y` is not defined");
    one("r: add(x, C)\n    check D > 0\n    => x\n", "2:11: error: variable `D` is not defined");
    one("r: add(x, C)\n    check y.is_bool()\n    => x\n", "2:11: error: variable `y` is not defined");
}

/// S5.9
#[test]
fn a_redefined_variable_is_named() {
    one(
        "r: add(x, C1)\n    C = C1 + 1\n    C = C1 + 2\n    => add(x, C)\n",
        "3:5: error: variable `C` is already defined",
    );
    one("r: add(x, C)\n    x = C + 1\n    => x\n", "2:5: error: variable `x` is already defined");
}

/// S5.30
#[test]
fn wrong_arity_types_and_names_are_found() {
    one("r: add(x)\n    => x\n", "1:4: error: `add` takes 2 operands, 1 given");
    one("r: ad(x, y)\n    => x\n", "1:4: error: unknown operation `ad`");
    one("r: add(x, C)\n    check x.foo()\n    => x\n", "2:13: error: unknown method or attribute `foo`");
    one("r: add(x, C)\n    check frob(C)\n    => x\n", "2:11: error: unknown function `frob`");
    one(
        "r: add(x, C)\n    check C + 1\n    => x\n",
        "2:11: error: this is an integer constant, but a truth value is needed here",
    );
    one(
        "r: add(x, C)\n    check x > 0\n    => x\n",
        "2:11: error: `>` compares constants, this is a fact about an integer",
    );
    one(
        "r: add(x, C)\n    check x.lower\n    => x\n",
        "2:11: error: this is an integer constant, but a truth value is needed here",
    );
    one(
        "r: add(x, C)\n    check x.lower()\n    => x\n",
        "2:13: error: `lower` is an attribute: no parentheses",
    );
    one(
        "r: add(x, C)\n    check x.is_bool\n    => x\n",
        "2:13: error: `is_bool` is a method: it needs parentheses",
    );
    one(
        "r: add(x, C)\n    check x.known_lt_const()\n    => x\n",
        "2:11: error: `known_lt_const` takes 1 argument, 0 given",
    );
    one("r: fadd(x, and(y, z))\n    => x\n", "1:12: error: this is an integer, but a float is needed here");
    one("r: get_field(x)\n    => x\n", "1:4: error: rules cannot speak of `get_field`");
    one("r: x\n    => x\n", "1:4: error: the pattern is not an operation");
    one("r: add(x, y)\n    => pass\n", "2:8: error: `add` is no guard: `pass` means nothing for it");
    one("r: guard_true(c)\n    => c\n", "2:8: error: a guard becomes `pass`, `fail` or another guard");
    one("r: add(x, y)\n    => (x, y)\n", "2:9: error: `add` has one result, the target gives two");
}

#[test]
fn what_is_no_token_is_one_error_and_leaves_no_rule() {
    one(
        "r: add(x, 99999999999999999999)\n    => x\n",
        "1:11: error: `99999999999999999999` is too large: integers have at most 64 bits",
    );
    one("r: add(x, 0) => x$\n", "1:18: error: `$` means nothing in a rule");
    one("r: add(x, 0)\n    $\n    => x\n", "2:5: error: `$` means nothing in a rule");
    one("$: add(x, 0)\n    => x\n", "1:1: error: `$` means nothing in a rule");
    one("r: add(x, 0)\n    check $C\n    => x\n", "2:11: error: `$` means nothing in a rule");
}

#[test]
fn a_literal_that_leaves_no_types_is_where_the_error_is() {
    one(
        "r: add(x: i8, 255)\n    => x\n",
        "1:15: error: `255` does not fit i8, whose numbers are -128 to 127",
    );
    one(
        "r: add(x, 18446744073709551615)\n    => x\n",
        "1:11: error: `18446744073709551615` does not fit i64, whose numbers are -9223372036854775808 to \
         9223372036854775807",
    );
    one("r: add_ovf(x, 0)\n    => (x, 2)\n", "2:12: error: `2` does not fit i1, whose numbers are -1 to 0");
    one(
        "r: and(x: i16, C)\n    check C == 65535\n    => x\n",
        "2:16: error: `65535` does not fit i16, whose numbers are -32768 to 32767",
    );
}

#[test]
fn types_that_the_pattern_does_not_determine_are_errors() {
    one(
        "r: is_true(x)\n    => is_true(zext(x))\n",
        "2:16: error: the pattern does not determine the type of this",
    );
}

#[test]
fn rules_that_guess_must_certify() {
    one(
        "r: udiv(x, C)\n    M = guess_unsigned_multiplier(C)\n    => umulh(x, M)\n",
        "1:1: error: a rule that guesses a constant must be marked `certified`",
    );
    one(
        "r [certified]: udiv(x, C)\n    check C != 0\n    => umulh(x, C)\n",
        "1:1: error: the mark `certified` is for rules that guess a constant",
    );
}

#[test]
fn all_errors_of_a_file_are_found_in_one_run() {
    let text = "a: add(x)\n    check y.foo()\n    => z\n\
                b: sub(x, y\n    => x\n\
                c: mul(x, 1)\n    => x\n\
                c: mul(x, 2)\n    => add(x, q)\n\
                lost line\n\
                \x20   check x\n\
                d: add(x, 0)\n";
    assert_eq!(
        headlines(text),
        [
            "t.rules:4:12: error: expected `,` or `)`, found the end of the line",
            "t.rules:10:6: error: expected `:`, found `line`",
            "t.rules:12:1: error: rule `d` has no target",
            "t.rules:1:4: error: `add` takes 2 operands, 1 given",
            "t.rules:2:11: error: variable `y` is not defined",
            "t.rules:3:8: error: variable `z` is not defined",
            "t.rules:8:1: error: rule `c` is already defined",
            "t.rules:9:15: error: variable `q` is not defined",
        ]
    );
}

#[test]
fn a_message_shows_the_line_and_the_place() {
    let source = SourceText::new("t.rules", "r: add(x, 0)\n    => ad(x, x)\n");
    let mut diagnostics = Diagnostics::new();
    read(&source, &mut diagnostics);
    let shown = diagnostics.render(&source);
    assert!(shown.contains("2 |     => ad(x, x)"), "{shown}");
    assert!(shown.contains("^^"), "{shown}");
    assert!(shown.contains("did you mean"), "{shown}");
}

#[test]
fn deep_nesting_and_rubbish_get_messages_and_no_panic() {
    let deep = format!("r: {}x{}\n    => x\n", "neg(".repeat(5000), ")".repeat(5000));
    assert!(headlines(&deep)[0].contains("nested more than"));
    let deep = format!("r: neg(x)\n    check {}1{} > 0\n    => x\n", "(".repeat(5000), ")".repeat(5000));
    assert!(headlines(&deep)[0].contains("nested more than"));
    let deep = format!("r: neg(x)\n    check {} C\n    => x\n", "not ".repeat(5000));
    assert!(headlines(&deep)[0].contains("nested more than"));
    for text in [
        "",
        "\n\n",
        ":",
        "a",
        "a:",
        "a: add(",
        "=> x",
        "a: add(x,,y)\n=> x",
        "\u{0}",
        "a: \"x\"",
        "[",
        "é: x",
    ] {
        let _ = headlines(text);
    }
}

#[test]
fn a_short_rule_fits_on_one_line() {
    fine("add_zero: int_add(x, 0) => x\nsub_zero: int_sub(x, 0)\n    => x\n");
    one("mul: int_mul(a, b) => int_ad(a, b)\n", "1:23: error: unknown operation `int_ad`");
}

/// A name may stand for a truth value; it is none of a number.
#[test]
fn a_truth_value_may_have_a_name() {
    fine("a: add(sub(x, C1), C2)\n    same = C1 == C2\n    check same\n    => x\n");
    fine(
        "b: add(x, C)\n    low = x.known_nonnegative()\n    far = C > 3\n    check low and not far\n    => sub(x, C)\n",
    );
    one(
        "c: add(x, C)\n    t = C == 3\n    check t < 4\n    => x\n",
        "3:11: error: `<` compares constants, this is a truth value",
    );
}

#[test]
fn a_type_that_does_not_exist_is_no_type_variable() {
    for ty in ["i0", "i65", "i128", "i08"] {
        one(&format!("r: add(x: {ty}, 0)\n    => x\n"), &format!("1:11: error: there is no type `{ty}`"));
        one(&format!("r: zext(x): {ty}\n    => x\n"), &format!("1:13: error: there is no type `{ty}`"));
    }
    one("r: fadd(x: f16, y)\n    => x\n", "1:12: error: there is no type `f16`");
    fine("r: add(x: i, 0)\n    => x\n");
    fine("r: add(x: int8, 0)\n    => x\n");
    let source = SourceText::new("t.rules", "r: add(x: i65, 0)\n    => x\n");
    let mut diagnostics = Diagnostics::new();
    read(&source, &mut diagnostics);
    let shown = diagnostics.render(&source);
    assert!(shown.contains("integer types are i1 to i64") && shown.contains("^^^"), "{shown}");
}
