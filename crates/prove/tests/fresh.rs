//! The ledger vouches for what is built: every rule of the book has its proofs, of the very questions that
//! are asked today. No solver is needed.

use std::path::Path;

use planish_base::{Diagnostics, SourceText};
use planish_book as book;
use planish_prove::ledger::Problem;
use planish_prove::rule::expected;
use planish_prove::{Engine, Ledger, Options};

#[test]
fn every_rule_of_the_book_is_proved() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../rules.lock");
    let text = std::fs::read_to_string(&path).expect("the ledger is committed");
    let (source, mut diagnostics) = (SourceText::new("rules.lock", text), Diagnostics::new());
    let ledger = Ledger::parse(&source, &mut diagnostics);
    assert!(diagnostics.is_empty(), "{}", diagnostics.render(&source));
    let rules: Vec<_> = book::set().rules.values().collect();
    let expected = expected(&rules, &Options::new(Engine::builtin()));
    let problems: Vec<String> = (ledger.problems(&expected).iter())
        .filter(|problem| match problem {
            // Theorems of the domain are in the same ledger and are held elsewhere.
            Problem::Superfluous(theorem, _) => !theorem.starts_with("domain "),
            _ => true,
        })
        .map(Problem::to_string)
        .collect();
    assert!(
        problems.is_empty(),
        "{} problems; `planish prove --lock rules.lock` proves again\n{}",
        problems.len(),
        problems.join("\n")
    );
}
