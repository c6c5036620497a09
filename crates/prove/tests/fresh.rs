//! The ledger vouches for what is built: every rule of the book, every theorem of the abstract domain and the
//! theorems behind division by multiplication have their entries, of the very questions that are asked today. No
//! solver is needed.

use planish_base::{Diagnostics, SourceText};
use planish_book as book;
use planish_prove::ledger::Problem;
use planish_prove::{Engine, Ledger, Options, domain, integers, magic, rule};

/// S5.23: no rule is built upon without a proof. S5.42: a proof is keyed by what was asked: the rule, what its operations mean and the code of the domain.
#[test]
fn s5_23_s5_42_everything_that_is_built_upon_is_proved_as_it_is_today() {
    let (source, mut diagnostics) = (SourceText::new("rules.lock", book::LEDGER), Diagnostics::new());
    let ledger = Ledger::parse(&source, &mut diagnostics);
    assert!(diagnostics.is_empty(), "{}", diagnostics.render(&source));
    let rules: Vec<_> = book::set().rules.values().collect();
    let options = Options::new(Engine::builtin());
    let mut expected = rule::expected(&rules, &options);
    expected.extend(domain::expected(&options));
    expected.extend(integers::expected());
    expected.extend(magic::expected());
    let problems: Vec<String> = ledger.problems(&expected).iter().map(Problem::to_string).collect();
    assert!(
        problems.is_empty(),
        "{} problems; `planish prove --lock rules.lock` proves again\n{}",
        problems.len(),
        problems.join("\n")
    );
}
