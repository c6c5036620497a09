//! Pages in docs/ that are made from the program are fresh. `BLESS=1` writes them.

use std::path::Path;

fn hold(path: &str, made: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(path);
    if std::env::var_os("BLESS").is_some() {
        std::fs::write(&path, made).expect("the page can be written");
    }
    let found = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(found == made, "{} is stale: run `BLESS=1 cargo test -p planish-cli`", path.display());
}

/// A part of a page, between two comments that name it.
fn hold_part(path: &str, part: &str, made: &str) {
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(path);
    let text = std::fs::read_to_string(page).expect("the page");
    let [start, end] = ["", "/"].map(|slash| format!("<!-- {slash}{part} -->\n"));
    let (before, rest) = text.split_once(&start).expect("the part begins");
    let (_, after) = rest.split_once(&end).expect("the part ends");
    hold(path, &format!("{before}{start}{made}{end}{after}"));
}

#[test]
fn the_options_of_configurations() {
    hold_part("docs/jvm.md", "options", &planish_keep::options::table());
}

#[test]
fn the_rules_for_libraries() {
    hold_part("docs/jvm.md", "library rules", &planish_keep::libraries::table());
}

#[test]
fn the_catalogue_of_rules() {
    let source = planish_base::SourceText::new("rules.lock", planish_book::LEDGER);
    let ledger = planish_prove::Ledger::parse(&source, &mut planish_base::Diagnostics::new());
    for (name, page) in planish_prove::catalogue::pages(planish_book::set(), &ledger) {
        hold(&format!("docs/rules/{name}"), &page);
        // Whatever the checks ask, there are numbers for which the rule fires.
        for rule in page.split("\n## ").skip(1) {
            assert!(rule.contains(" becomes `"), "no example was found for {rule}");
        }
    }
}

#[test]
fn the_catalogue_of_passes() {
    hold("docs/passes.md", &planish_driver::passes::catalogue());
}

#[test]
fn the_catalogue_of_operations() {
    hold("docs/ops.md", &planish_ops::catalogue::markdown());
}
