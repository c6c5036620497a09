//! Soundness of the compact functions at every fact of 4 bits (3 for backward ones), floors under their
//! precision, and the page about it.

use std::sync::OnceLock;

use planish_domain::precision::{Measured, measure};

fn measured() -> &'static Measured {
    static MEASURED: OnceLock<Measured> = OnceLock::new();
    MEASURED.get_or_init(measure)
}

#[test]
fn no_function_excludes_an_actual_result() {
    let m = measured();
    assert!(m.forward.len() > 60 && m.backward.len() > 50);
    for score in m.forward.iter().chain(&m.backward) {
        assert!(score.cases > 0);
        assert_eq!(score.missed, 0, "{} excludes actual results", score.name);
    }
}

/// The share of cases, in percent, in which a function has to yield the best fact.
const FLOORS: &[(&str, f64)] = &[
    ("add", 90.0),
    ("sub", 90.0),
    ("add by a constant", 95.0),
    ("and by a constant", 97.5),
    ("or by a constant", 97.5),
    ("lshift by a constant", 98.5),
    ("rshift by a constant", 100.0),
    ("urshift by a constant", 85.5),
    ("signext by a constant", 99.5),
    ("neg", 99.0),
    ("min", 100.0),
    ("max", 100.0),
    ("not", 100.0),
    ("eq", 100.0),
    ("lt", 100.0),
    ("ult", 100.0),
    ("is_true", 100.0),
    ("sext", 100.0),
    ("zext", 100.0),
    ("select", 100.0),
    ("add_ovf, overflow bit", 100.0),
    ("sub_ovf, overflow bit", 100.0),
];

#[test]
fn key_operations_stay_as_precise_as_stated() {
    for &(name, floor) in FLOORS {
        let score = measured().forward_of(name).unwrap_or_else(|| panic!("{name} is measured"));
        assert!(score.percent_best() >= floor, "{name}: {:.2} %", score.percent_best());
    }
    for (name, floor) in [("and", 95.0), ("add", 87.0), ("lt", 100.0), ("eq", 99.0)] {
        let score = measured().backward_of(name).unwrap_or_else(|| panic!("{name} is measured"));
        assert!(score.percent_best() >= floor, "backward {name}: {:.2} %", score.percent_best());
    }
}

#[test]
fn the_page_about_precision_is_up_to_date() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/precision.md");
    let page = std::fs::read_to_string(path).expect("docs/precision.md");
    assert!(page == measured().page(), "docs/precision.md is stale: it says how to write it anew");
}
