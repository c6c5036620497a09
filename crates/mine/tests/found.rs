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
    let witness = Witness::new(move |name, function| seen.add(name, function));
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
