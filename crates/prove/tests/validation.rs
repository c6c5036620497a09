//! Functions and what became of them, judged by proof.

use std::time::Duration;

use planish_ir::{Module, text};
use planish_prove::{Engine, Validation, validate};
use planish_smt::Budget;

fn read(source: &str) -> Module {
    let (module, diagnostics) = text::read(source);
    assert!(!diagnostics.has_errors(), "{:?}", diagnostics.iter().collect::<Vec<_>>());
    module
}

fn judge(source: &str, target: &str, bound: u32) -> Validation {
    let (source, target) = (read(source), read(target));
    let function = |module: &Module| module.functions.values().next().expect("one function").clone();
    validate(
        (&function(&source), &source.descriptors),
        (&function(&target), &target.descriptors),
        bound,
        &Engine::builtin(),
        &Budget::new(Duration::from_secs(60)),
    )
}

fn different(source: &str, target: &str) -> String {
    match judge(source, target, 4) {
        Validation::Different(counterexample) => counterexample.to_string(),
        other => panic!("{other}"),
    }
}

const ABS: &str = "func f(v0: i32) -> i32 {
entry:
    v1: i1 = lt(v0, 0)
    branch v1, negative, done(v0)
negative:
    v2 = neg(v0)
    jump done(v2)
done(v3: i32):
    return v3
}
";

#[test]
fn branches_become_choices() {
    let select = "func f(v0: i32) -> i32 {
entry:
    v1 = abs(v0)
    return v1
}
";
    assert_eq!(judge(ABS, select, 4), Validation::Proved);
    let wrong = select.replace("abs(v0)", "max(v0, 0)");
    let told = different(ABS, &wrong);
    assert!(told.contains("BUT"), "{told}");
}

const SUM: &str = "func f(v0: i8) -> i8 {
entry:
    jump loop(v0, 0)
loop(v1: i8, v2: i8):
    branch v1, body, done
body:
    v3 = add(v2, v1)
    v4 = sub(v1, 1)
    jump loop(v4, v3)
done:
    return v2
}
";

/// A loop that is cut is never reported as proved.
#[test]
fn loops_are_proved_up_to_a_bound() {
    let swapped = SUM.replace("add(v2, v1)", "add(v1, v2)");
    assert_eq!(judge(SUM, &swapped, 5), Validation::ProvedUpTo(5));
    let wrong = SUM.replace("add(v2, v1)", "or(v2, v1)");
    assert!(different(SUM, &wrong).contains("returns"), "{}", different(SUM, &wrong));
    // Three bits count to eight: then all paths end within the bound.
    let short = SUM.replace("i8", "i3");
    assert_eq!(judge(&short, &short.replace("add(v2, v1)", "add(v1, v2)"), 8), Validation::Proved);
}

#[test]
fn a_division_may_not_be_lost_and_may_not_appear() {
    let divides = "func f(v0: i16, v1: i16) -> i16 {
entry:
    v2 = udiv(v0, v1)
    return v0
}
";
    let plain = "func f(v0: i16, v1: i16) -> i16 {
entry:
    return v0
}
";
    assert!(different(divides, plain).contains("ends with the fault division"));
    assert!(different(plain, divides).contains("the target ends with the fault division"));
    assert_eq!(judge(divides, divides, 1), Validation::Proved);
}

#[test]
fn what_is_not_treated_is_said_and_other_parameters_are_different() {
    let (one, two) = (
        "func f(v0: i8) -> i8 {\nentry:\n    return v0\n}\n",
        "func f(v0: i16) -> i16 {\nentry:\n    return v0\n}\n",
    );
    assert_eq!(judge(one, two, 1), Validation::Signature);
    let product = "func f(v0: i64) -> i64 {\nentry:\n    v1 = mul(v0, -1)\n    return v1\n}\n";
    assert_eq!(judge(product, &product.replace("mul(v0, -1)", "sub(0, v0)"), 1), Validation::Proved);
}

/// Two exits that end alike keep values of other types: they are two ends, whose values are not mixed.
#[test]
fn exits_that_keep_values_of_other_types_are_told_apart() {
    let source = "func f(v0: i16, v1: i16, v2: f64) -> i16 {
entry:
    v3 = udiv(v0, v1) else unwind(v1, v2, none)
    v4 = udiv(v0, v3) else unwind(v2, v3, none)
    v5 = udiv(v0, v4) else leave 1(v2)
    v6 = sub(v4, v5)
    v7 = udiv(v0, v6) else leave 1(v6)
    return v7
}
";
    assert_eq!(judge(source, source, 4), Validation::Proved);
    let told = different(source, &source.replace("unwind(v2, v3, none)", "unwind(v2, v1, none)"));
    assert!(told.contains("ends with the fault division, keeping ("), "{told}");
    let told = different(source, &source.replace("leave 1(v6)", "leave 1(v2)"));
    assert!(told.contains("leaves through exit 1 with (0)"), "{told}");
}

/// Looks up with an index of so many bits, in a table of these items.
fn look_up(bits: u32, items: &str) -> String {
    format!(
        "table @t: i8 = [{items}]\nfunc f(v0: i{bits}) -> i8 {{\nentry:\n    v1 = lookup(v0) @t\n    return v1\n}}\n"
    )
}

#[test]
fn a_look_up_is_a_choice_by_its_index_and_the_last_item_behind_all() {
    let choice = "func f(v0: i16) -> i8 {
entry:
    switch v0 [0: out(7), 1: out(9), 2: out(-3)], out(5)
out(v1: i8):
    return v1
}
";
    assert_eq!(judge(choice, &look_up(16, "7, 9, -3, 5"), 4), Validation::Proved);
    assert!(different(choice, &look_up(16, "7, 9, -3, 5, 6")).contains("the target returns 6"));
    assert!(different(choice, &look_up(16, "7, 9, -3")).contains("the target returns -3"));
    assert_eq!(judge(&look_up(2, "1, 2, 3, 4, 5, 6"), &look_up(2, "1, 2, 3, 4"), 4), Validation::Proved);
    let narrow =
        "func f(v0: i1) -> i8 {\nentry:\n    v1: i8 = zext(v0)\n    v2 = add(v1, 4)\n    return v2\n}\n";
    assert_eq!(judge(narrow, &look_up(1, "4, 5, 6"), 4), Validation::Proved);
}

#[test]
fn four_bits_of_a_checksum_are_one_look_up() {
    use std::fmt::Write;
    let (mut steps, mut word) = (String::new(), "v0".to_owned());
    for step in 0..4 {
        write!(
            steps,
            "    a{step} = and({word}, 1)\n    b{step} = urshift({word}, 1)\n    c{step} = xor(b{step}, 17)\n    \
             d{step} = select(a{step}, c{step}, b{step})\n"
        )
        .expect("text");
        word = format!("d{step}");
    }
    let source = format!("func f(v0: i8) -> i8 {{\nentry:\n{steps}    return {word}\n}}\n");
    let item = |byte: u8| (0..4).fold(byte, |byte, _| byte >> 1 ^ if byte & 1 == 1 { 17 } else { 0 });
    let items: Vec<String> = (0..16).map(|byte| item(byte).to_string()).collect();
    let target = format!(
        "table @t: i8 = [{}]\nfunc f(v0: i8) -> i8 {{\nentry:\n    v1 = and(v0, 15)\n    v2 = lookup(v1) @t\n    \
         v3 = urshift(v0, 4)\n    v4 = xor(v2, v3)\n    return v4\n}}\n",
        items.join(", ")
    );
    assert_eq!(judge(&source, &target, 4), Validation::Proved);
    let target = target.replace("urshift(v0, 4)", "urshift(v0, 5)");
    assert!(matches!(judge(&source, &target, 4), Validation::Different(_)));
}

#[test]
fn what_is_in_lanes_is_proved_lane_by_lane() {
    let source = "func f(v0: i8, v1: i8) -> i8, i8 {
entry:
    v2 = splat(v0)
    v3 = insert(v2, 3, v1)
    v4 = vadd(v3, v2)
    v5 = vmax(v4, v2)
    v6 = extract(v5, 3)
    v7 = reduce_xor(v4)
    return v6, v7
}
";
    // Fifteen lanes are twice the first number, whose exclusive or is one of them.
    let target = "func f(v0: i8, v1: i8) -> i8, i8 {
entry:
    v2 = add(v1, v0)
    v3 = max(v0, v2)
    v4 = lshift(v0, 1)
    v5 = xor(v4, v2)
    return v3, v5
}
";
    assert_eq!(judge(source, target, 0), Validation::Proved);
    let told = different(source, &target.replace("max(v0, v2)", "umax(v0, v2)"));
    assert!(told.contains("BUT"), "{told}");
}

/// A vector that goes round a loop is chosen where ways meet.
#[test]
fn vectors_go_along_edges_and_do_not_leave() {
    let source = "func f(v0: i32, v1: i32) -> i32 {
entry:
    v2 = splat(v0)
    branch v1, twice, out(v2)
twice:
    v3 = vadd(v2, v2)
    jump out(v3)
out(v4: i32x4):
    v5 = extract(v4, v1)
    return v5
}
";
    let target = "func f(v0: i32, v1: i32) -> i32 {
entry:
    v2 = add(v0, v0)
    v3 = select(v1, v2, v0)
    return v3
}
";
    assert_eq!(judge(source, target, 0), Validation::Proved);
    let gives = source.replace(") -> i32 {", ") -> i32x4 {").replace("return v5", "return v4");
    assert!(matches!(judge(&gives, &gives, 0), Validation::Unsupported(_)));
}
