//! Rules by their names and numbers: of the book, and of files.

use planish_base::Arena;
use planish_base::spelling::closest;
use planish_book as book;
use planish_rules::rule::Rule;
use planish_rules::{RuleId, RuleSet};

use crate::failure::Failure;

/// The rule of the book with a name.
pub fn named(name: &str) -> Result<RuleId, Failure> {
    book::set().named(name).ok_or_else(|| unknown(name, "the book", &[book::set()]))
}

/// That there is no rule of a name in some sets.
pub fn unknown(name: &str, place: &str, sets: &[&RuleSet]) -> Failure {
    let known = sets.iter().flat_map(|set| set.rules.values()).map(|rule| rule.name.as_str());
    let hint = closest(name, known).map_or_else(String::new, |near| format!("; did you mean `{near}`?"));
    Failure::Usage(format!("there is no rule `{name}` in {place}{hint}"))
}

/// The rules of a run, in the order of their numbers.
pub fn all_rules(extra: Option<&RuleSet>) -> Arena<RuleId, Rule> {
    let mut rules = Arena::new();
    for rule in book::set().rules.values().chain(extra.into_iter().flat_map(|set| set.rules.values())) {
        rules.push(rule.clone());
    }
    rules
}
