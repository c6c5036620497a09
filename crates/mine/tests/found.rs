//! A rule of the book that is left out is found again, and one that follows from the book is not found.

use std::sync::Arc;

use planish_book as book;
use planish_driver::{Dialect, Reading, Session, Settings, Witness};
use planish_mine::{Corpus, Found, Harvest, Limits, find};
use planish_prove::{Engine, Options};

/// Functions that count the bits of swapped bytes, among other things.
fn corpus() -> String {
    let function = |number: u32| {
        format!(
            "func bits{number}(v0: i64, v1: i64) -> i64 {{\nentry:\n    v2 = mul(v0, {number})\n    v3 = bswap(v2)\n    \
             v4 = popcount(v3)\n    v5 = add(v4, v1)\n    return v5\n}}\n"
        )
    };
    (1..30).map(function).collect()
}

fn mined(text: &str, settings: &Settings) -> (Corpus, Found) {
    let harvest = Arc::new(Harvest::new("corpus.ssa", false, Some(2)));
    let seen = Arc::clone(&harvest);
    let witness = Witness::new(move |name, function, fact_of| seen.add(name, function, fact_of));
    let watched = Settings { witness: Some(witness), ..settings.clone() };
    let mut session =
        Session::open("corpus.ssa", text.as_bytes().to_vec(), Dialect::Ssa, Reading::default()).unwrap();
    session.optimize(&watched).unwrap();
    let mut corpus = Corpus::default();
    harvest.add_to(&mut corpus);
    let limits = Limits { top: 20, least: 2 };
    let found = find::find(&corpus, limits, settings, &Options::new(Engine::builtin()), &|_| false, &|_| {});
    (corpus, found)
}

#[test]
fn a_rule_that_is_missing_is_found() {
    let without = book::set().named("popcount_bswap");
    assert!(without.is_some());
    let (corpus, found) = mined(&corpus(), &Settings { without, ..Settings::default() });
    assert_eq!(corpus.learned.functions + corpus.held_back.functions, 29);
    assert!((1..15).contains(&corpus.held_back.functions), "{:?}", corpus.held_back);
    let texts: Vec<&str> = found.rules.iter().map(|rule| rule.draft.text()).collect();
    assert_eq!(texts, ["popcount_bswap_is_popcount: popcount(bswap(x))\n    => popcount(x)\n"], "{found:?}");
}

#[test]
fn nothing_is_found_where_the_book_leaves_nothing() {
    let (corpus, found) = mined(&corpus(), &Settings::default());
    assert!(found.rules.is_empty(), "{found:?}");
    assert!(corpus.windows.keys().all(|term| term.ops().count() <= 2));
}

/// Functions that take the absolute values of bytes.
fn bytes() -> String {
    let function = |number: u32| {
        format!(
            "func bytes{number}(v0: i64) -> i64 {{\nentry:\n    v1: i64 = get_static() @byte\n    v2 = abs(v1)\n    \
             v3 = xor(v2, {number})\n    v4 = add(v3, v0)\n    return v4\n}}\n"
        )
    };
    let byte = "location @byte: i64 bits 8 class 1\n".to_owned();
    byte + &(1..30).map(function).collect::<String>()
}

#[test]
fn what_is_known_of_values_is_a_condition() {
    let without = book::set().named("abs_nonnegative");
    assert!(without.is_some());
    let (_, found) = mined(&bytes(), &Settings { without, ..Settings::default() });
    let texts: Vec<&str> = found.rules.iter().map(|rule| rule.draft.text()).collect();
    assert_eq!(texts, ["abs_is_operand: abs(x)\n    check x.known_nonnegative()\n    => x\n"], "{found:?}");
    assert_eq!(found.rules[0].window, "`abs(x)` where `x` is below 2^8");
}

/// Functions that take remainders of bytes.
fn remainders() -> String {
    let function = |number: u32| {
        format!(
            "func rest{number}(v0: i64) -> i64 {{\nentry:\n    v1: i64 = get_static() @byte\n    v2 = urem(v1, {number})\n    \
             v3 = add(v2, v0)\n    return v3\n}}\n"
        )
    };
    "location @byte: i64 bits 8 class 1\n".to_owned() + &(300..330).map(function).collect::<String>()
}

#[test]
fn divisions_by_numbers_are_looked_into() {
    let without = book::set().named("urem_small");
    assert!(without.is_some());
    let (_, found) = mined(&remainders(), &Settings { without, ..Settings::default() });
    let texts: Vec<&str> = found.rules.iter().map(|rule| rule.draft.text()).collect();
    let expected = "urem_is_operand: urem(x, C1)\n    check x.known_unsigned_lt_const(C1)\n    => x\n";
    assert_eq!(texts, [expected], "{found:?}");
}

#[test]
fn what_windows_do_not_hold_is_counted() {
    let halved = |number: u32| {
        format!(
            "func half{number}(v0: f64) -> f64 {{\nentry:\n    v1: i64 = get_static() @byte\n    v2: f64 = signed_to_float(v1)\n    \
             v3 = fadd(v2, v0)\n    return v3\n}}\n"
        )
    };
    let text = "location @byte: i64 bits 8 class 1\n".to_owned() + &(0..10).map(halved).collect::<String>();
    let (corpus, found) = mined(&text, &Settings::default());
    let (learned, held_back) = (corpus.learned, corpus.held_back);
    assert_eq!([learned.floats + held_back.floats, learned.memory + held_back.memory], [20, 10]);
    assert!(found.rules.is_empty(), "{found:?}");
}

/// Functions that compare sums of small numbers with a bound.
fn bounded() -> String {
    let function = |number: u32| {
        format!(
            "func bounded{number}(v0: i64, v1: i64) -> i64 {{\nentry:\n    v2: i64 = get_static() @char\n    v3 = add(v2, {})\n    \
             v4 = lt(v3, 1000)\n    v5 = xor(v4, v1)\n    return v5\n}}\n",
            number % 3 + 1
        )
    };
    "location @char: i64 bits 16 class 1\n".to_owned() + &(1..30).map(function).collect::<String>()
}

/// What holds for three numbers of small values is one rule, for all numbers that do not overflow.
#[test]
fn a_rule_about_small_values_is_made_general() {
    let (_, found) = mined(&bounded(), &Settings::default());
    let texts: Vec<&str> = found.rules.iter().map(|rule| rule.draft.text()).collect();
    let of_sums: Vec<&&str> = texts.iter().filter(|text| text.contains("lt(add(x, ")).collect();
    assert!(of_sums.len() == 1 && of_sums[0].contains("add_bound_cannot_overflow(C"), "{texts:#?}");
}
